/* pane_iops.c - IOs per second over time. */
#include "pane_util.h"

void pane_iops_draw(struct canvas *c, struct rect r, const struct view *v)
{
	pane_chart_draw(c, r, v, PANE_IOPS, false);
}
