/* heat_legend.h - the title row of the heat map: what its shades and lines mean. */
#ifndef LUNSCOPE_HEAT_LEGEND_H
#define LUNSCOPE_HEAT_LEGEND_H

#include "pane.h"

/* The line of the medians; that of the p99 is the level's hline. */
#define HEAT_P50 '='

/* In as many words as there is room for: which share of a column's IOs a shade is of at least and at most. */
void heat_legend_draw(struct canvas *c, struct rect r, const struct view *v, enum pane_id id);

#endif
