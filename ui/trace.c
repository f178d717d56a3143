/* trace.c - see trace.h. */
#include <math.h>
#include <stdio.h>
#include "chart.h"
#include "pane_util.h"
#include "trace.h"

struct baseline_sum trace_between(const struct view *v, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t start = v->snap.start_ns;

	if (!v->baseline || to_ns <= start)
		return (struct baseline_sum){0};
	return baseline_between(v->baseline, from_ns > start ? from_ns - start : 0, to_ns - start);
}

double trace_rate(const struct baseline_sum *sum, bool bytes)
{
	return sum->seconds > 0 ? (bytes ? sum->bytes : sum->ios) / sum->seconds : NAN;
}

/* What it did in each of n columns, in the order in which they were measured. */
static struct baseline_sum column_sum(const struct view *v, int i, int n, uint64_t *to)
{
	uint64_t from;

	chart_column_span(v, i, n, &from, to);
	return trace_between(v, from, *to);
}

double trace_peak(const struct view *v, bool bytes, int n)
{
	double most = 0;
	uint64_t to;

	for (int i = 0; v->baseline && i < n; i++) {
		struct baseline_sum sum = column_sum(v, i, n, &to);
		most = fmax(most, trace_rate(&sum, bytes)); /* not what is NaN */
	}
	return most;
}

/* By cells of the body, wherever a column stands in it: a cell may hold several. */
static void cell_sums(const struct view *v, struct baseline_sum *cell, int cells, int n)
{
	for (int x = 0; x < cells; x++)
		cell[x] = (struct baseline_sum){0};
	for (int i = 0; i < n; i++) {
		uint64_t to;
		struct baseline_sum sum = column_sum(v, i, n, &to);
		int at = chart_column_of(v, to, n);
		if (at < 0)
			continue;
		struct baseline_sum *into = &cell[(long)at * cells / n];
		into->seconds += sum.seconds;
		into->ios += sum.ios;
		into->bytes += sum.bytes;
	}
}

/* Nothing but the graticule, and what is drawn of no IO. */
static bool ground(const struct canvas *c, struct rect body, int row, int col)
{
	const struct cell *cell = &c->cell[(body.row + row) * c->cols + body.col + col];

	return cell->ch == ' ' || cell->style == ST_RULE;
}

/* Is this the live run's upper edge, or a mark? */
static bool taken(const struct canvas *c, struct rect body, int row, int col)
{
	const struct cell *cell = &c->cell[(body.row + row) * c->cols + body.col + col];

	if (ground(c, body, row, col))
		return false;
	return cell->style == ST_MARK || row == 0 || ground(c, body, row - 1, col);
}

void trace_draw(struct canvas *c, struct rect body, const struct view *v, bool bytes, int n,
		double top)
{
	struct baseline_sum cell[CHART_MAX];

	if (!v->baseline || body.cols > CHART_MAX || body.row < 0 || body.col < 0 ||
	    body.row + body.rows > c->rows || body.col + body.cols > c->cols)
		return;
	cell_sums(v, cell, body.cols, n);
	for (int x = 0; x < body.cols; x++) {
		double rate = trace_rate(&cell[x], bytes);
		if (isnan(rate))
			continue;
		/* The cell that its upper edge would lie in. */
		int row = body.rows - (int)ceil(rate / top * body.rows - 1e-9);
		row = row < 0 ? 0 : row >= body.rows ? body.rows - 1 : row;
		if (!taken(c, body, row, x))
			canvas_put(c, body, row, x, rate > top ? v->g->up : TRACE_SIGN, ST_DIM);
	}
}

char *trace_name(char *out, size_t n, const struct view *v, int cols)
{
	char target[64];

	out[0] = '\0';
	if (!v->baseline)
		return out;
	snprintf(out, n, "%c run %lld", TRACE_SIGN, (long long)v->baseline->run);
	if (cols >= 8)
		units_append(out, n, " %s",
			     text_both_ends(target, sizeof(target), v->baseline->target,
					    cols < 40 ? cols : 40, v->g));
	return out;
}
