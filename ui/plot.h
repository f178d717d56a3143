/* plot.h - latency over throughput: the load-latency curve in whatever glyphs there are.
 */
#ifndef LUNSCOPE_PLOT_H
#define LUNSCOPE_PLOT_H

#include "canvas.h"
#include "pane.h"

/* The smallest rectangle it can be drawn in. */
#define PLOT_ROWS 6
#define PLOT_COLS 30

/* mean (o) and p99 (x) of the steps so far over their IOPS, joined by lines, with axes and a legend;
 * the latency axis is logarithmic. The knee is a vertical line. */
void plot_curve(struct canvas *c, struct rect r, const struct view *v, const struct curve *curve);

#endif
