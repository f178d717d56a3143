/* ab_internal.h - what the files of a comparison in turn share; see ab.h. */
#ifndef LUNSCOPE_AB_INTERNAL_H
#define LUNSCOPE_AB_INTERNAL_H

#include "ab.h"

/* Sets what is flipped to this side's values. 0, or -errno with words in ab->error. */
int ab_flip_all(struct ab *ab, int side);
/* Whether a mark tells of a change of what is flipped. */
bool ab_tells_of_flip(const struct ab *ab, const char *text);
/* Whether somebody else has set it: then s->why says so. Quick; what nobody watches, and what was set to and fro
 * up to the mark `end`, is seen by a closer look. */
void ab_look(const struct ab *ab, struct ab_stage *s);
void ab_look_closely(const struct ab *ab, struct ab_stage *s, uint32_t end);

/* What a row shows of a segment; NAN where there is none. */
#define AB_ROW_FIGURES 4
extern const enum metric ab_row_metric[AB_ROW_FIGURES];
void ab_row_figures(const struct ab *ab, const struct ab_stage *s, double figure[AB_ROW_FIGURES]);

#endif
