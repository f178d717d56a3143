/* pane_latency.c - how long IOs took: a histogram in powers of two, and the percentiles beside it.
 *
 * The rows begin at 1, 2, 4, ... 512 of a unit and go on with 1 of the next, so that labels are
 * short; the one step from 512 to 1000 is a little smaller than the others. Where there are more
 * rows than powers, each power is cut further; where there are fewer, the rows are those that hold
 * most IOs, and the first and last take what lies beyond. Percentiles come from the histogram
 * itself, for both directions together from the sum of the two. With a rate there is a column more: the
 * same IOs from when they were due, which counts how long they waited for their turn.
 */
#include <math.h>
#include "heatmap.h"
#include "pane_util.h"

#define POWERS     44 /* 2^3 x 10^12 ns: well above the two hours that a histogram holds */
#define LABEL_COLS 7
#define ROWS_MAX   320
#define SHARE_COLS 6 /* "12.3%" and a blank */
#define NAME_COLS  6
#define VALUE_COLS 7
#define DUE_NAME   "from due"
#define DUE_COLS   9 /* of that column, with the blanks before it */

/* One histogram of the pane: reads, writes, or both together. */
struct series {
	const struct hist *h;
	const char *name;
	enum style style;
	const struct hist *reads; /* of both together: which of them are reads; else NULL */
};

struct rows {
	int n;
	uint64_t low[ROWS_MAX + 1]; /* row i holds [low[i], low[i + 1]) */
	double label[ROWS_MAX];     /* ns */
	bool below, above; /* the first takes everything below, the last everything above */
};

/* --- Ranges --- */

static double bound(int i)
{
	return ldexp(pow(1000, i / 10), i % 10);
}

static uint64_t power_count(const struct hist *h, int i)
{
	return hist_between(h, i == 0 ? 0 : (uint64_t)bound(i), (uint64_t)bound(i + 1));
}

/* The first of the `room` powers in a row that hold the most. */
static int best_window(const uint64_t *count, int first, int last, int room)
{
	uint64_t best_sum = 0;
	int best = first;

	for (int i = first; i + room - 1 <= last; i++) {
		uint64_t sum = 0;

		for (int k = 0; k < room; k++)
			sum += count[i + k];
		if (sum > best_sum) {
			best_sum = sum;
			best = i;
		}
	}
	return best;
}

static void cut_powers(struct rows *rows, int first, int last, int parts)
{
	for (int i = first; i <= last; i++)
		for (int k = 0; k < parts; k++) {
			double low = bound(i) + (bound(i + 1) - bound(i)) * k / parts;

			rows->label[rows->n] = low;
			rows->low[rows->n++] = i == 0 && k == 0 ? 0 : (uint64_t)low;
		}
	rows->low[rows->n] = (uint64_t)bound(last + 1);
}

/* The rows for what is in the histograms; none when they are empty. */
static struct rows choose_rows(const struct series *s, int series, int room)
{
	struct rows rows = {0};
	uint64_t count[POWERS];
	int first = -1, last = -1, parts = 1;

	for (int i = 0; i < POWERS; i++) {
		count[i] = 0;
		for (int k = 0; k < series; k++)
			count[i] += power_count(s[k].h, i);
		if (count[i]) {
			first = first < 0 ? i : first;
			last = i;
		}
	}
	if (first < 0 || room < 1)
		return rows;
	if (room > ROWS_MAX)
		room = ROWS_MAX;
	if (last - first + 1 > room) {
		int from = best_window(count, first, last, room);

		rows.below = from > first;
		rows.above = from + room - 1 < last;
		cut_powers(&rows, from, from + room - 1, 1);
		return rows;
	}
	while (parts < 8 && (last - first + 1) * parts * 2 <= room)
		parts *= 2;
	/* what room is left shows the empty neighbours, so that the shape stands in its context */
	while ((last - first + 2) * parts <= room) {
		if (first > 0 && (last >= POWERS - 1 || (last - first) % 2))
			first--;
		else if (last < POWERS - 2)
			last++;
		else
			break;
	}
	cut_powers(&rows, first, last, parts);
	return rows;
}

static uint64_t row_count(const struct rows *rows, int i, const struct hist *h)
{
	uint64_t low = i == 0 && rows->below ? 0 : rows->low[i];
	uint64_t high = i == rows->n - 1 && rows->above ? UINT64_MAX : rows->low[i + 1];

	return hist_between(h, low, high);
}

/* --- Bars --- */

static void row_label(char *out, size_t n, const struct rows *rows, int i, const struct glyphs *g)
{
	static const double scale[] = {1, 1e3, 1e6, 1e9};
	const char *unit[] = {"ns", g->utf8 ? "µs" : "us", "ms", "s"};
	bool below = i == 0 && rows->below;
	double ns = below ? (double)rows->low[1] : rows->label[i];
	int u = 3;

	while (u > 0 && ns < scale[u])
		u--;
	snprintf(out, n, "%s%.3g %s%s", below ? "<" : "", ns / scale[u], unit[u],
		 i == rows->n - 1 && rows->above ? "+" : "");
}

/* A bar of reads, then writes: solid and woven, as in the charts. */
static void draw_mixed_bar(struct canvas *c, struct rect r, int row, int width, double all,
			   double reads, const struct glyphs *g)
{
	int end = all > 0 ? (int)(all * width + 0.5) : 0, mid = (int)(reads * width + 0.5);

	if (all > 0 && end < 1)
		end = 1;
	if (mid == end && end > 1 && reads < all * 0.97)
		mid--;
	for (int col = 0; col < end && col < width; col++)
		canvas_put(c, r, row, col,
			   col < mid ? g->bar[g->bar_steps]
			   : g->utf8 ? 0x2592
				     : '=',
			   col < mid ? ST_READ : ST_WRITE);
}

static void draw_bars(struct canvas *c, struct rect r, int width, const struct view *v,
		      const struct rows *rows, const struct series *s, bool shares)
{
	uint64_t most = 0;

	for (int i = 0; i < rows->n; i++)
		if (row_count(rows, i, s->h) > most)
			most = row_count(rows, i, s->h);
	for (int i = 0; i < rows->n && most; i++) {
		uint64_t count = row_count(rows, i, s->h);
		double percent = 100 * (double)count / (double)s->h->count;
		char text[16];

		if (s->reads)
			draw_mixed_bar(c, r, i, width, (double)count / (double)most,
				       (double)row_count(rows, i, s->reads) / (double)most, v->g);
		else
			bar_draw(c, r, i, 0, width, (double)count / (double)most, v->g, s->style);
		if (!shares || !count)
			continue;
		snprintf(text, sizeof(text), percent >= 99.95 ? "%.0f%%" : "%.1f%%", percent);
		if (percent < 0.05)
			snprintf(text, sizeof(text), "<0.1%%");
		canvas_text_right(c, r, i, width + SHARE_COLS, text, ST_DIM);
	}
}

/* --- Percentiles --- */

enum statistic { STAT_PERCENTILE, STAT_MIN, STAT_MAX, STAT_MEAN, STAT_STDDEV, STAT_COUNT };

/* In the order shown; rank says which stay when there are few rows. */
static const struct {
	const char *name;
	enum statistic stat;
	double q;
	int rank;
} stats[] = {
	{"min", STAT_MIN, 0, 6},
	{"p50", STAT_PERCENTILE, 0.5, 0},
	{"p90", STAT_PERCENTILE, 0.9, 7},
	{"p95", STAT_PERCENTILE, 0.95, 2},
	{"p99", STAT_PERCENTILE, 0.99, 1},
	{"p99.9", STAT_PERCENTILE, 0.999, 3},
	{"p99.99", STAT_PERCENTILE, 0.9999, 9},
	{"max", STAT_MAX, 0, 4},
	{"mean", STAT_MEAN, 0, 5},
	{"stddev", STAT_STDDEV, 0, 10},
	{"IOs", STAT_COUNT, 0, 8},
};

#define STATS ((int)(sizeof(stats) / sizeof(stats[0])))

static void stat_text(char *out, size_t n, int i, const struct hist *h, const struct glyphs *g)
{
	double ns = NAN;

	switch (stats[i].stat) {
	case STAT_PERCENTILE: ns = hist_percentile(h, stats[i].q); break;
	case STAT_MIN: ns = h->count ? (double)h->min : NAN; break;
	case STAT_MAX: ns = h->count ? (double)h->max : NAN; break;
	case STAT_MEAN: ns = hist_mean(h); break;
	case STAT_STDDEV: ns = hist_stddev(h); break;
	case STAT_COUNT: units_count(out, n, (double)h->count); return;
	}
	units_latency(out, n, ns, !g->utf8);
}

static int value_col(int k)
{
	return NAME_COLS + VALUE_COLS + 1 + k * (VALUE_COLS + 1);
}

static void draw_stats(struct canvas *c, struct rect r, const struct view *v,
		       const struct series *s, int series, const struct hist *due)
{
	int row = 0;

	for (int i = 0; i < STATS && row < r.rows; i++) {
		if (stats[i].rank >= r.rows)
			continue;
		canvas_text(c, r, row, 0, stats[i].name, ST_LABEL);
		for (int k = 0; k < series; k++) {
			char text[32];

			stat_text(text, sizeof(text), i, s[k].h, v->g);
			canvas_text_right(c, r, row, value_col(k), text,
					  series > 1 ? s[k].style : ST_VALUE);
		}
		if (due) {
			char text[32];

			stat_text(text, sizeof(text), i, due, v->g);
			canvas_text_right(c, r, row, value_col(series - 1) + DUE_COLS, text,
					  ST_VALUE);
		}
		row++;
	}
}

/* --- All of it --- */

/* Names over the columns, needed where there are two of them. */
static void draw_names(struct canvas *c, struct rect body, int bars_at, int bar_step, int stats_at,
		       const struct series *s, int series, bool bars)
{
	for (int k = 0; k < series; k++) {
		const char *initial = s[k].style == ST_READ ? "R" : "W";

		if (bars)
			canvas_text(c, body, 0, bars_at + k * bar_step,
				    bar_step > 6 ? s[k].name : initial, s[k].style);
		canvas_text_right(c, body, 0, stats_at + value_col(k), s[k].name, s[k].style);
	}
}

static void draw_due_names(struct canvas *c, struct rect body, int stats_at, int series)
{
	if (series == 1)
		canvas_text_right(c, body, 0, stats_at + value_col(0), "service", ST_LABEL);
	canvas_text_right(c, body, 0, stats_at + value_col(series - 1) + DUE_COLS, DUE_NAME,
			  ST_LABEL);
}

static void draw_histogram(struct canvas *c, struct rect r, int bar_cols, int bar_step,
			   const struct view *v, const struct series *s, int series, bool shares)
{
	struct rows rows = choose_rows(s, series, r.rows);

	if (rows.n == 0) {
		canvas_text(c, r, 0, 0, v->chart_count ? "no IO" : "no samples", ST_DIM);
		return;
	}
	for (int i = 0; i < rows.n; i++) {
		char text[32];

		row_label(text, sizeof(text), &rows, i, v->g);
		canvas_text_right(c, r, i, LABEL_COLS, text, ST_DIM);
	}
	for (int k = 0; k < series; k++)
		draw_bars(c,
			  (struct rect){r.row, r.col + LABEL_COLS + 1 + k * bar_step, r.rows,
					bar_cols + SHARE_COLS},
			  bar_cols, v, &rows, &s[k], shares);
}

static void draw_series(struct canvas *c, struct rect body, const struct view *v,
			const struct series *s, int series)
{
	const struct hist *due = &v->snap.hist[HIST_DUE];
	int stats_cols = value_col(series - 1);

	if (!due->count || body.rows < 3 || body.cols < stats_cols + DUE_COLS)
		due = NULL;
	if (due)
		stats_cols += DUE_COLS;
	int stats_at = body.cols - stats_cols, bars_at = LABEL_COLS + 1;
	int step = (stats_at - 1 - bars_at) / series; /* a series' bars with what is beside them */
	bool shares = step >= 24, bars = step >= 4;
	int bar_cols = step - 1 - (shares ? SHARE_COLS : 0);
	bool names = due || (series > 1 && body.rows >= 3);

	if (stats_at < 0)
		stats_at = 0;
	if (names) {
		if (series > 1)
			draw_names(c, body, bars_at, step, stats_at, s, series, bars);
		if (due)
			draw_due_names(c, body, stats_at, series);
		body.row++;
		body.rows--;
	}
	if (bars)
		draw_histogram(c, (struct rect){body.row, body.col, body.rows, stats_at - 1},
			       bar_cols, step, v, s, series, shares);
	draw_stats(c, (struct rect){body.row, body.col + stats_at, body.rows, body.cols - stats_at},
		   v, s, series, due);
}

void pane_latency_draw(struct canvas *c, struct rect r, const struct view *v)
{
	const struct hist *read = &v->snap.hist[IO_READ], *write = &v->snap.hist[IO_WRITE];
	char title[64];

	if (v->latency == LATENCY_HEAT) {
		heatmap_draw(c, r, v, PANE_LATENCY);
		return;
	}
	if (v->latency == LATENCY_SPLIT) {
		const struct series s[] = {{read, "read", ST_READ, NULL},
					   {write, "write", ST_WRITE, NULL}};

		snprintf(title, sizeof(title), "last %d s", HIST_WINDOW_S);
		draw_series(c, pane_inset(pane_title(c, r, v, PANE_LATENCY, title)), v, s, 2);
		return;
	}
	struct hist both = *read;
	const char *what = !write->count ? "reads" : !read->count ? "writes" : "reads + writes";
	enum style style = !write->count ? ST_READ : !read->count ? ST_WRITE : ST_TOTAL;

	hist_merge(&both, write);
	const struct series s[] = {
		{&both, "all", style, read->count && write->count ? read : NULL}};

	if (both.count)
		snprintf(title, sizeof(title), "%s, last %d s", what, HIST_WINDOW_S);
	else
		snprintf(title, sizeof(title), "last %d s", HIST_WINDOW_S);
	draw_series(c, pane_inset(pane_title(c, r, v, PANE_LATENCY, title)), v, s, 1);
}
