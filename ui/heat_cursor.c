/* heat_cursor.c - see heat_cursor.h. */
#include "heat_cursor.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "cursor.h"
#include "pane_util.h"

/* Beside the figures: the title, three rows of the map, and its axis. */
#define ROWS_LEAST 5

int heat_cursor_rows(const struct view *v, int rows)
{
	int set = v->cursors ? v->cursors->at[0].set + v->cursors->at[1].set : 0;
	int room = rows > ROWS_LEAST ? rows - ROWS_LEAST : 0;

	return set < room ? set : room;
}

/* "1.10 ms", "1.10-1.30 ms", "900 µs-1.10 ms" */
static void range_text(char *out, size_t n, uint64_t low, uint64_t high, const struct glyphs *g)
{
	char from[24], to[24];

	units_latency(from, sizeof(from), high ? (double)low : NAN, !g->utf8);
	units_latency(to, sizeof(to), high ? (double)high : NAN, !g->utf8);
	char *unit = strrchr(from, ' '), *end = strrchr(to, ' ');
	if (strcmp(from, to) == 0) {
		snprintf(out, n, "%s", to);
		return;
	}
	if (unit && end && strcmp(unit, end) == 0)
		*unit = '\0';
	snprintf(out, n, "%s-%s", from, to);
}

/* The worst of several seconds is what matters. */
static void worst_text(char *out, size_t n, uint64_t low, uint64_t high, const struct glyphs *g)
{
	char worst[24];

	snprintf(out, n, "%s %s", low == high ? "p99" : "p99 max",
		 units_latency(worst, sizeof(worst), high ? (double)high : NAN, !g->utf8));
}

static void draw_row(struct canvas *c, struct rect r, int row, const struct view *v, unsigned which,
		     const struct heat_cell *cell, int cells)
{
	const struct cursor *k = &v->cursors->at[which];
	char number[8], ios[40], range[56], p50[64], p99[40], span[24], of[40], clock[24];
	int at = heatmap_cell_of(v, k->t_ns, cells);
	const struct heat_cell *here = at < 0 ? NULL : &cell[at];

	snprintf(number, sizeof(number), " %u ", which + 1);
	const enum style style = which == v->cursors->active ? ST_FOCUS : ST_TITLE;
	if (!here || !here->valid) {
		const struct piece none[] = {
			{number, style, 0, 0},
			{here ? "nothing was measured then" : "not in this window", ST_DIM, 1, 1}};
		pieces_draw(c, r, row, 0, r.cols, none, 2);
		return;
	}
	const struct heat_slice *s = &here->sum;
	snprintf(ios, sizeof(ios), "%" PRIu64 " IOs", s->ios);
	range_text(range, sizeof(range), s->p50_low, s->p50_high, v->g);
	snprintf(p50, sizeof(p50), "p50 %s", range);
	worst_text(p99, sizeof(p99), s->p99_low, s->p99_high, v->g);
	pane_span_text(span, sizeof(span), s->dt_ns);
	snprintf(of, sizeof(of), "of %s", span);
	const int gap = r.cols >= 60 ? 2 : 1;
	const struct piece all[] = {{number, style, 0, 0},
				    {cursor_clock(clock, sizeof(clock), v, which), ST_LABEL, 1, 4},
				    {ios, ST_TOTAL, gap, 0},
				    {p50, ST_NORMAL, gap, 2},
				    {p99, ST_NORMAL, gap, 1},
				    {of, ST_DIM, 2, 3}};
	pieces_draw(c, r, row, 0, r.cols, all, 6);
}

void heat_cursor_draw(struct canvas *c, struct rect r, const struct view *v,
		      const struct heat_cell *cell, int cells)
{
	const struct cursors *k = v->cursors;
	int row = 0;

	for (unsigned which = 0; which < 2 && row < r.rows; which++)
		if (k->at[which].set && (r.rows > 1 || which == k->active || !k->at[!which].set))
			draw_row(c, r, row++, v, which, cell, cells);
}
