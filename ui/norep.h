/* norep.h - a terminal's description without its repeat function (REP), for terminals that claim the function and
 * lack it: they lose all but one character of a run.
 */
#ifndef LUNSCOPE_NOREP_H
#define LUNSCOPE_NOREP_H

#include <stddef.h>

/* The compiled description of `term`, less REP, as the environment variable TERMINFO may hold it: "hex:..." (ncurses(3),
 * since 6.1). malloc'd; NULL where there is no file of it, or it has no REP. */
char *norep_terminfo(const char *term);

/* Takes REP out of a compiled description (term(5)). 0, or -1: it is none, or has no REP. */
int norep_strike(unsigned char *entry, size_t n);

#endif
