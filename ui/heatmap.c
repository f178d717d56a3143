/* heatmap.c - see heatmap.h. */
#include "heatmap.h"

#include <stdlib.h>
#include <string.h>
#include "heat_cursor.h"
#include "heat_legend.h"
#include "heat_rows.h"
#include "pane_util.h"
#include "time_axis.h"

#define LABEL_COLS 6 /* as the charts' scale: five for the figure, one for the axis */
#define PIECE      64

/* --- What is shown --- */

void heatmap_free(struct heatmap *h)
{
	free(h->slice);
	*h = (struct heatmap){0};
}

void heatmap_clear(struct heatmap *h)
{
	h->count = 0;
	h->newest_ns = 0;
}

static uint64_t step_of(uint64_t span_ns)
{
	uint64_t s = span_ns / NS_PER_SEC;

	return (s + HEATMAP_SLICES - 1) / HEATMAP_SLICES * NS_PER_SEC;
}

/* Into the last slice, where that is of the same step on the grid of time. */
static bool put(struct heatmap *h, const struct heat_slice *s, uint64_t step)
{
	struct heat_slice *last = h->count ? &h->slice[h->count - 1] : NULL;

	if (last && step > NS_PER_SEC && (last->t_ns - 1) / step == (s->t_ns - 1) / step) {
		heat_add(last, s);
		return true;
	}
	if (h->count == h->room) {
		size_t room = h->room ? 2 * h->room : 128;
		struct heat_slice *more = realloc(h->slice, room * sizeof(*more));
		if (!more)
			return false;
		h->slice = more;
		h->room = room;
	}
	h->slice[h->count++] = *s;
	return true;
}

static void forget_before(struct heatmap *h, uint64_t from)
{
	size_t gone = 0;

	while (gone < h->count && h->slice[gone].t_ns <= from)
		gone++;
	h->count -= gone;
	if (gone)
		memmove(h->slice, h->slice + gone, h->count * sizeof(*h->slice));
}

void heatmap_update(struct heatmap *h, struct view *v, struct timeline *t, uint64_t from,
		    uint64_t to)
{
	uint64_t step = step_of(v->chart_span_ns);
	struct heat_slice *fresh = malloc(PIECE * sizeof(*fresh));
	size_t n = PIECE;

	if (h->newest_ns < from)
		h->newest_ns = from;
	while (fresh && n == PIECE) {
		n = timeline_heat(t, h->newest_ns, to, fresh, PIECE);
		for (size_t i = 0; i < n && put(h, &fresh[i], step); i++)
			h->newest_ns = fresh[i].t_ns;
		if (n && h->newest_ns < fresh[n - 1].t_ns)
			break;
	}
	free(fresh);
	forget_before(h, from);
	v->heat = h->slice;
	v->heat_count = h->count;
}

/* --- Cells --- */

int heatmap_cell_of(const struct view *v, uint64_t t_ns, int cells)
{
	int n = chart_resolution(v->level, cells), col = chart_column_of(v, t_ns, n);

	return col < 0 ? -1 : (int)((long)col * cells / n);
}

static void show_within(const struct view *v, const struct heat_slice *s, struct heat_cell *out,
			int cells)
{
	uint64_t width = chart_column_ns(v, chart_resolution(v->level, cells));
	uint64_t start = s->t_ns > s->dt_ns ? s->t_ns - s->dt_ns : 0;

	for (uint64_t t = s->t_ns; t > start; t = t > width ? t - width : 0) {
		int cell = heatmap_cell_of(v, t, cells);
		if (cell < 0 || out[cell].valid)
			continue;
		out[cell].valid = true;
		out[cell].sum = *s;
	}
}

void heatmap_cells(const struct view *v, struct heat_cell *out, int cells)
{
	memset(out, 0, (size_t)cells * sizeof(*out));
	for (size_t i = 0; i < v->heat_count; i++) {
		int cell = heatmap_cell_of(v, v->heat[i].t_ns, cells);
		if (cell < 0)
			continue;
		out[cell].valid = true;
		heat_add(&out[cell].sum, &v->heat[i]);
	}
	for (size_t i = 0; i < v->heat_count; i++)
		show_within(v, &v->heat[i], out, cells);
}

/* --- The picture --- */

struct picture {
	const struct view *v;
	struct time_axis time;
	struct heat_cell *cell; /* one for each column of the body */
	struct heat_rows rows;
	bool known; /* there is an IO in it */
};

/* From these shares of the column's IOs on, the next shade. */
static const double shade_from[] = {0, 0.05, 0.2, 0.5};
static const enum style shade_style[] = {ST_HEAT_1, ST_HEAT_2, ST_HEAT_3, ST_HEAT_4};

static void draw_cell(struct canvas *c, const struct picture *p, int row, int col, double share)
{
	int shade = 0;

	while (shade < 3 && share >= shade_from[shade + 1])
		shade++;
	canvas_put(c, p->time.body, row, col, p->v->g->shade[shade + 1], shade_style[shade]);
}

static void draw_cells(struct canvas *c, const struct picture *p)
{
	const struct rect body = p->time.body;

	for (int col = 0; col < body.cols; col++) {
		const struct heat_slice *h = &p->cell[col].sum;

		if (p->cell[col].valid && !h->ios)
			canvas_put(c, body, body.rows - 1, col, '_', ST_RULE);
		for (int row = 0; h->ios && row < body.rows; row++) {
			uint64_t n = heat_rows_count(&p->rows, h, row);
			if (n)
				draw_cell(c, p, body.rows - 1 - row, col,
					  (double)n / (double)h->ios);
		}
	}
}

/* Dashes, so that the cells below are seen, and wherever it goes to another row: a single slow second is not
 * missed. */
static void draw_line(struct canvas *c, const struct picture *p, double q, uint32_t sign, int every,
		      int first)
{
	const struct rect body = p->time.body;
	int before = -1;

	for (int col = 0; col < body.cols; col++) {
		int row = heat_rows_at(&p->rows, &p->cell[col].sum, q);

		if (row >= 0 && (col % every == first || (before >= 0 && row != before)))
			canvas_put(c, body, body.rows - 1 - row, col, sign, ST_VALUE);
		before = row;
	}
}

static void draw_scale(struct canvas *c, const struct picture *p)
{
	const struct rect body = p->time.body;
	const struct rect side = {body.row, body.col - LABEL_COLS, body.rows, LABEL_COLS};
	const struct glyphs *g = p->v->g;
	char text[24];

	for (int row = 0; row < body.rows; row++) {
		int at = body.rows - 1 - row;
		uint32_t sign = row == 0 && p->rows.below               ? g->down
				: row == body.rows - 1 && p->rows.above ? g->up
									: g->vline;
		canvas_put(c, side, at, LABEL_COLS - 1, sign,
			   sign == g->vline ? ST_RULE : ST_LABEL);
		if (p->known)
			canvas_text_right(c, side, at, LABEL_COLS - 1,
					  heat_rows_label(text, sizeof(text), &p->rows, row, g),
					  ST_DIM);
	}
}

static void draw_marks(struct canvas *c, const struct picture *p)
{
	const struct time_axis *a = &p->time;

	for (int col = 0; col < a->r.cols && col < CHART_MAX; col++)
		for (int row = 0; a->marks[col].count && row < a->body.rows; row++)
			canvas_put(c, a->r, 1 + row, col, p->v->g->mark, ST_MARK);
}

static void draw_picture(struct canvas *c, struct picture *p, enum pane_id id)
{
	const struct view *v = p->v;

	for (int i = 0; i < p->time.body.cols; i++)
		p->known = p->known || p->cell[i].sum.ios;
	p->rows = heat_rows_choose(p->cell, p->time.body.cols, p->time.body.rows, &v->heat_rows);
	time_axis_marks(&p->time, v);
	heat_legend_draw(c, p->time.r, v, id);
	draw_scale(c, p);
	draw_cells(c, p);
	draw_line(c, p, 0.5, HEAT_P50, 4, 1);
	draw_line(c, p, 0.99, v->g->hline, 2, 0);
	draw_marks(c, p);
	time_axis_draw(c, &p->time, v);
	time_axis_letters(c, &p->time, v);
	time_axis_cursors(c, &p->time, v, v->focus.on_pane && v->focus.pane == id);
}

static struct picture make_picture(int screen_cols, struct rect r, const struct view *v)
{
	struct picture p = {.v = v};
	int axis = r.rows >= 4;

	p.time.r = r;
	p.time.row = axis ? r.rows - 1 : -1;
	p.time.body = pane_chart_body(screen_cols, r, v, PANE_IOPS);
	p.time.n = chart_resolution(v->level, p.time.body.cols);
	return p;
}

/* With its cells, which are the caller's to free; without any where it has no room, or there is no memory. */
static struct picture read_picture(int screen_cols, struct rect r, const struct view *v)
{
	struct picture p = make_picture(screen_cols, r, v);

	if (p.time.body.rows > 0 && p.time.body.cols > 0)
		p.cell = malloc((size_t)p.time.body.cols * sizeof(*p.cell));
	if (p.cell)
		heatmap_cells(v, p.cell, p.time.body.cols);
	return p;
}

/* Without the rows for the cursors' figures below. */
static struct rect map_rect(struct rect full, const struct view *v)
{
	full.rows -= heat_cursor_rows(v, full.rows);
	return full;
}

void heatmap_keep_rows(struct view *v, int screen_cols, struct rect full)
{
	struct picture p = read_picture(screen_cols, map_rect(full, v), v);

	if (p.cell)
		v->heat_rows =
			heat_rows_choose(p.cell, p.time.body.cols, p.time.body.rows, &v->heat_rows);
	free(p.cell);
}

void heatmap_draw(struct canvas *c, struct rect full, const struct view *v, enum pane_id id)
{
	const struct rect r = map_rect(full, v);
	const struct rect below = {r.row + r.rows, r.col, full.rows - r.rows, r.cols};
	struct picture p = read_picture(c->cols, r, v);
	const struct rect body = p.time.body;

	if (!p.cell) {
		pane_title(c, r, v, id, "");
		return;
	}
	draw_picture(c, &p, id);
	if (below.rows > 0)
		heat_cursor_draw(c, pane_inset(below), v, p.cell, body.cols);
	if (!v->heat_count)
		canvas_text(c, body, (body.rows - 1) / 2, (body.cols - 14) / 2, "no samples yet",
			    ST_DIM);
	free(p.cell);
}

void pane_heat_draw(struct canvas *c, struct rect r, const struct view *v)
{
	heatmap_draw(c, r, v, PANE_HEAT);
}
