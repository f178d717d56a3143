/* trace.h - the baseline in a chart: a stored run behind the live one, both from where they began.
 *
 * A row of waves (~) in every level: neither reads, writes nor bands are drawn with them, so that it is told
 * apart without colour. It lies behind: where the live run's own upper edge is, that stays.
 */
#ifndef LUNSCOPE_TRACE_H
#define LUNSCOPE_TRACE_H

#include "baseline.h"
#include "pane.h"

#define TRACE_SIGN '~'

/* What the view's baseline did in (from, to] of the live run's time, counted from where the figures of the run
 * begin; seconds 0 where nothing is known, or there is no baseline. */
struct baseline_sum trace_between(const struct view *v, uint64_t from_ns, uint64_t to_ns);
/* IO/s or bytes/s of that; NaN: not known. */
double trace_rate(const struct baseline_sum *sum, bool bytes);

/* The most of it in n columns; 0 without one. */
double trace_peak(const struct view *v, bool bytes, int n);
/* Into a body where the live run of n columns has been drawn. */
void trace_draw(struct canvas *c, struct rect body, const struct view *v, bool bytes, int n,
		double top);
/* "~ run 7", with its target where there are so many columns for it; "" without a baseline. Returns out. */
char *trace_name(char *out, size_t n, const struct view *v, int cols);

#endif
