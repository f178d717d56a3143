/* chart.h - area charts over time, in whatever glyphs there are.
 *
 * Reads below, writes stacked on top, marks as vertical lines; a column without samples is left
 * blank (never drawn as 0). The vertical scale runs in 1-2-5 steps and always includes 0.
 *
 * A column that several samples fall into shows their mean, and as a band around it the least and the most of
 * them: no peak and no dip is lost by looking at a longer time.
 *
 * In a sweep the columns stay where they are, as on an oscilloscope: the newest is written over the oldest, from
 * left to right, with a gap in front of it.
 *
 * The columns' edges lie on a fixed grid of time (multiples of a column's length), not at fixed
 * distances from now: what a column shows doesn't change any more once it is full, and the picture
 * moves only when one has filled, which is also what makes a frame small on a slow line.
 */
#ifndef LUNSCOPE_CHART_H
#define LUNSCOPE_CHART_H

#include "canvas.h"
#include "pane.h"

/* One chart column's value per direction; valid false = no data there. The least and the most of both
 * together among the ticks or seconds in it, where it has several; high 0: these are no figures. */
struct chart_column {
	bool valid;
	double read, write;
	double low, high;
};

/* The most columns that a chart is cut into. */
#define CHART_MAX 2048

/* The smallest of 1, 2, 5 x 10^k that is >= value; 1 for value <= 0. */
double chart_nice(double value);

/* The scale with hysteresis: grows at once, shrinks only when `max` has fitted a smaller step for
 * 10 s. since_ns is the caller's memory (0 at the start). */
double chart_scale(double current, double max, uint64_t now_ns, uint64_t *since_ns);

/* The memory of a view's two scales, kept by whoever draws frames; all zero at the start. */
struct chart_scales {
	double top[2];
	uint64_t since_ns[2];
	enum rate_unit unit;
};

/* Once a frame, before drawing: brings the scales up to date and puts them into v->y_top. The scale
 * of bytes/s is nice in the unit shown (500 MiB/s, not 476.8). n: columns of the widest chart. */
void chart_scales(struct chart_scales *s, struct view *v, int n);

/* How many columns a chart body of this width has: two a cell in braille, else one. */
int chart_resolution(enum glyph_level level, int cols);

#define CHART_COUNTS 30

/* IO/s (or bytes/s) of one sample, reads and writes together. */
double chart_rate(const struct sample *s, bool bytes);

/* The length of a column: the window over n, in whole ns. */
uint64_t chart_column_ns(const struct view *v, int n);

/* What a cell of a body of so many shows, in ns: its columns together. */
uint64_t chart_cell_ns(const struct view *v, int cells);

/* Averages samples into n columns, of which the last cell (of a sweep: the one before the gap) is the one that now
 * falls into, which shows what there is of it so far. A sample counts in a column for as long as it lies in it: value = sum of
 * (rate x overlap) / sum of overlap, which is sum / dt where both begin and end together. bytes:
 * bytes/s instead of IO/s. Low and high are left out where no sample has CHART_COUNTS IOs: so few scatter by
 * the counting alone. */
void chart_columns(const struct view *v, bool bytes, struct chart_column *out, int n);

/* Where the charts end: now, or the earlier time that they were moved to. */
uint64_t chart_end(const struct view *v);

/* Column i of n is of (from, to]. */
void chart_column_span(const struct view *v, int i, int n, uint64_t *from, uint64_t *to);

/* Draws body (no axes) into r. n = chart_resolution(v->level, r.cols). */
void chart_body(struct canvas *c, struct rect r, const struct view *v,
		const struct chart_column *col, int n, double top);

/* What a full cell of reads or writes looks like, for legends. */
uint32_t chart_sign(enum glyph_level level, enum io_op op);

/* The most that is in it; 0 without data. */
double chart_high(const struct chart_column *col);

/* Whether the columns stay and are written over: not while older ones are looked at. */
bool chart_sweeps(const struct view *v);

/* The column in which a time falls, -1 if outside (or in the gap of a sweep). */
int chart_column_of(const struct view *v, uint64_t t_ns, int n);

#endif
