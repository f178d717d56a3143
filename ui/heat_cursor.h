/* heat_cursor.h - what the heat map has in the cursors' columns, in figures: a row each, below it. */
#ifndef LUNSCOPE_HEAT_CURSOR_H
#define LUNSCOPE_HEAT_CURSOR_H

#include "heatmap.h"

/* How many rows they want in a pane of so many rows; 0: none is set, or there is no room. */
int heat_cursor_rows(const struct view *v, int rows);
/* The IOs of each cursor's column and their p50 and p99; of a column of several seconds, whose percentiles can't be
 * added, the least and the most p50 and the most p99. The active one where there is one row for two. */
void heat_cursor_draw(struct canvas *c, struct rect r, const struct view *v,
		      const struct heat_cell *cell, int cells);

#endif
