/* ab_row.h - A against B, in turn, while it is under way: what is to be set or measured, how far it is, and
 * the keys for it. Stands where the footer is, and in the compare view.
 */
#ifndef LUNSCOPE_AB_ROW_H
#define LUNSCOPE_AB_ROW_H

#include "ab.h"
#include "pane.h"

/* Whether it is under way. */
bool ab_row_wanted(const struct view *v);
/* 1, or 2 where words and keys do not fit beside each other. */
int ab_row_rows(const struct view *v, int cols);
void ab_row_draw(struct canvas *c, struct rect r, const struct view *v);
/* "ABBABAAB"; of more pairs than 8 the first ones, and dots. Returns out. */
char *ab_row_order(char *out, size_t n, unsigned pairs);

#endif
