/* chart_title.h - the title row of a chart over time. */
#ifndef LUNSCOPE_CHART_TITLE_H
#define LUNSCOPE_CHART_TITLE_H

#include "pane.h"

/* At its right end: what the fillings mean, the unit (right_unit: of a second scale, "" for none), whether the
 * scale is locked, what the baseline is, how long one of n columns is. What there is no room for is left out,
 * the state of the chart last. Returns the rectangle below. */
struct rect chart_title(struct canvas *c, struct rect r, const struct view *v, enum pane_id id,
			bool wrote, int n, const char *right_unit);

#endif
