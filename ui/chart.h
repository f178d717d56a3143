/* chart.h - area charts over time, in whatever glyphs there are.
 *
 * Reads below, writes stacked on top, marks as vertical lines; a column without samples is left
 * blank (never drawn as 0). The vertical scale runs in 1-2-5 steps and always includes 0.
 */
#ifndef LUNSCOPE_CHART_H
#define LUNSCOPE_CHART_H

#include "canvas.h"
#include "pane.h"

/* One chart column's value per direction; valid false = no data there. */
struct chart_column {
	bool valid;
	double read, write;
};

/* The smallest of 1, 2, 5 x 10^k that is >= value; 1 for value <= 0. */
double chart_nice(double value);

/* The scale with hysteresis: grows at once, shrinks only when `max` has fitted a smaller step for
 * 10 s. since_ns is the caller's memory (0 at the start). */
double chart_scale(double current, double max, uint64_t now_ns, uint64_t *since_ns);

/* Averages samples into n columns ending at now: column i covers
 * (now - span * (n - i) / n, now - span * (n - i - 1) / n]. bytes: bytes/s instead of IO/s. The
 * newest column is left out until it is complete unless it is the only one. */
void chart_columns(const struct view *v, bool bytes, struct chart_column *out, int n);

/* Draws body (no axes) into r. */
void chart_body(struct canvas *c, struct rect r, const struct view *v,
		const struct chart_column *col, int n, double top);

/* The column in which a time falls, -1 if outside. */
int chart_column_of(const struct view *v, uint64_t t_ns, int n);

#endif
