/* no_rep.h - a terminal's description without REP, for terminals that don't have what it says. */
#ifndef LUNSCOPE_NO_REP_H
#define LUNSCOPE_NO_REP_H

#include "error.h"

/* Finds the compiled terminfo entry of that name and sets $TERMINFO to a copy in which string number
 * `index` is absent. 0, or -errno with words; then nothing is set. */
int no_rep_begin(const char *name, int index, struct error *e);
/* $TERMINFO as it was before. */
void no_rep_end(void);

#endif
