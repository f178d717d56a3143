/* draw.h - how latencies were spread: as bars, and over time as a heat map. Drawn here, in SVG. */
#ifndef LUNSCOPE_REPORT_DRAW_H
#define LUNSCOPE_REPORT_DRAW_H

#include "report/model.h"
#include "report/out.h"

/* The run's latencies, and those of each row where there are several. */
void draw_histograms(const struct out *o, const struct report_run *r, const char *id);
/* A column is a second, or several; what is in it is known as far as the percentiles tell that are kept of
 * each second. */
void draw_heat(const struct out *o, const struct report_run *r, const char *id);

#endif
