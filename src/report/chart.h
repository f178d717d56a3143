/* chart.h - figures over time, drawn by gnuplot: twice, for wide and for narrow pages. */
#ifndef LUNSCOPE_REPORT_CHART_H
#define LUNSCOPE_REPORT_CHART_H

#include "report/model.h"
#include "report/out.h"

/* IOPS, rate, latency and CPU of one run; id is unique in the page. */
int charts_of_run(const struct out *o, const struct report_run *r, const char *id, struct error *e);
/* IOPS and latency of several runs over each other, from the beginning of each. */
int charts_of_runs(const struct out *o, const struct report *r, struct error *e);

/* A figure's frame: for wide and narrow pages a drawing of its own. svg_begin() opens one of width x height
 * that a reader of the screen is told about as `words`; kind is "wide", "narrow" or, shown on both, "any". */
void figure_begin(const struct out *o, const char *id);
void svg_begin(const struct out *o, const char *kind, unsigned width, unsigned height, const char *words);
void svg_end(const struct out *o);
void figure_end(const struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
