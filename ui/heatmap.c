/* heatmap.c - see heatmap.h. */
#include "heatmap.h"

#include <stdlib.h>
#include <string.h>
#include "chart.h"
#include "pane_util.h"

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

static int cell_of(const struct view *v, uint64_t t_ns, int cells)
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
		int cell = cell_of(v, t, cells);
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
		int cell = cell_of(v, v->heat[i].t_ns, cells);
		if (cell < 0)
			continue;
		out[cell].valid = true;
		heat_add(&out[cell].sum, &v->heat[i]);
	}
	for (size_t i = 0; i < v->heat_count; i++)
		show_within(v, &v->heat[i], out, cells);
}

/* --- Rows --- */

/* Row 0 is the lowest: of the bands [first + row * each, + each), and the lowest of all below, too. */
struct scale {
	unsigned first, each;
	int rows;
	bool below;
};

static struct scale choose_scale(const struct heat_cell *cell, int cells, int rows)
{
	unsigned low = HEAT_BANDS, high = 0, room = rows > 0 ? (unsigned)rows : 1;

	for (int i = 0; i < cells; i++)
		for (unsigned b = 0; b < HEAT_BANDS; b++)
			if (cell[i].sum.count[b]) {
				low = b < low ? b : low;
				high = b > high ? b : high;
			}
	struct scale s = {.each = 1, .rows = (int)room};
	if (low > high)
		return s;
	while (s.each < HEAT_OCTAVE && high / s.each - low / s.each + 1 > room)
		s.each *= 2;
	unsigned top = high / s.each, bottom = low / s.each;
	if (top - bottom + 1 > room) {
		bottom = top - room + 1;
		s.below = true;
	} else {
		unsigned spare = (room - (top - bottom + 1)) / 2;
		bottom = bottom > spare ? bottom - spare : 0;
	}
	s.first = bottom * s.each;
	return s;
}

static uint64_t row_count(const struct scale *s, const struct heat_slice *h, int row)
{
	unsigned from = row == 0 && s->below ? 0 : s->first + (unsigned)row * s->each;
	unsigned to = s->first + (unsigned)(row + 1) * s->each;
	uint64_t sum = 0;

	for (unsigned b = from; b < to && b < HEAT_BANDS; b++)
		sum += h->count[b];
	return sum;
}

/* In five columns. */
static void row_label(char *out, size_t n, const struct scale *s, int row, const struct glyphs *g)
{
	static const char *const unit[] = {"ns", "us", "ms", "s"};
	double value = (double)heat_low(s->first + (unsigned)row * s->each);
	int u = 0;

	for (; value >= 999.5 && u < 3; u++)
		value /= 1000;
	snprintf(out, n, value < 9.95 ? "%.1f%s" : "%.0f%s", value,
		 u == 1 && g->utf8 ? "µs" : unit[u]);
}

/* --- The picture --- */

/* From these shares of the column's IOs on, the next shade. */
static const double shade_from[] = {0, 0.05, 0.2, 0.5};
static const enum style shade_style[] = {ST_DIM, ST_TOTAL, ST_TOTAL, ST_VALUE};

static void draw_cell(struct canvas *c, struct rect body, const struct view *v, int row, int col,
		      double share)
{
	int shade = 0;

	while (shade < 3 && share >= shade_from[shade + 1])
		shade++;
	canvas_put(c, body, row, col, v->g->shade[shade + 1], shade_style[shade]);
}

static void draw_cells(struct canvas *c, struct rect body, const struct view *v,
		       const struct heat_cell *cell, const struct scale *s)
{
	for (int col = 0; col < body.cols; col++) {
		const struct heat_slice *h = &cell[col].sum;

		if (cell[col].valid && !h->ios)
			canvas_put(c, body, body.rows - 1, col, '_', ST_RULE);
		for (int row = 0; h->ios && row < body.rows; row++) {
			uint64_t n = row_count(s, h, row);
			if (n)
				draw_cell(c, body, v, body.rows - 1 - row, col,
					  (double)n / (double)h->ios);
		}
	}
}

static void draw_scale(struct canvas *c, struct rect body, const struct view *v,
		       const struct scale *s, bool known)
{
	struct rect side = {body.row, body.col - LABEL_COLS, body.rows, LABEL_COLS};
	char text[24];

	for (int row = 0; row < body.rows; row++) {
		canvas_put(c, side, body.rows - 1 - row, LABEL_COLS - 1, v->g->vline, ST_RULE);
		if (!known || s->first + (unsigned)row * s->each >= HEAT_BANDS)
			continue;
		row_label(text, sizeof(text), s, row, v->g);
		canvas_text_right(c, side, body.rows - 1 - row, LABEL_COLS - 1,
				  row == 0 && s->below ? "below" : text, ST_DIM);
	}
}

static void draw_axis(struct canvas *c, struct rect body, const struct view *v)
{
	struct rect axis = {body.row + body.rows, body.col, 1, body.cols};
	const char *end = v->end_ns ? " earlier" : v->frozen ? " frozen" : " now";
	char text[32], span[24];

	canvas_put(c, (struct rect){axis.row, axis.col - 1, 1, 1}, 0, 0, v->g->corner_bl, ST_RULE);
	canvas_fill(c, axis, v->g->hline, ST_RULE);
	pane_span_text(span, sizeof(span), v->chart_span_ns);
	snprintf(text, sizeof(text), "-%s ", span);
	canvas_text(c, axis, 0, 0, text, ST_DIM);
	if (!chart_sweeps(v))
		canvas_text_right(c, axis, 0, body.cols, end, ST_DIM);
}

/* Through the whole height, with the letter on the axis. */
static void draw_marks(struct canvas *c, struct rect body, const struct view *v, bool axis)
{
	struct rect all = {body.row, body.col, body.rows + axis, body.cols};

	for (size_t i = 0; i < v->mark_count; i++) {
		const struct mark *m = &v->marks[i];
		int col = m->letter && mark_shown(m) ? cell_of(v, m->t_ns, body.cols) : -1;

		if (col < 0)
			continue;
		for (int row = 0; row < body.rows; row++)
			canvas_put(c, body, row, col, v->g->mark, ST_MARK);
		if (axis)
			canvas_put(c, all, body.rows, col, (unsigned char)m->letter, ST_MARK);
	}
}

/* What the shades mean, in as many words as there is room for. */
static void legend(char *out, size_t n, const struct glyphs *g, int cols)
{
	char s[4][5];

	for (int i = 0; i < 4; i++)
		utf8_of(s[i], g->shade[i + 1]);
	snprintf(out, n, "%s%s<5%% %s<20%% %s<50%% %s%s",
		 cols >= 60 ? "share of a column's IOs: " : "", s[0], s[1], s[2], s[3],
		 cols >= 60 ? "more" : ">");
}

void heatmap_draw(struct canvas *c, struct rect r, const struct view *v)
{
	struct rect body = pane_chart_body(c->cols, r, v, PANE_IOPS);
	bool axis = r.rows >= 4, known = false;
	char text[96];

	legend(text, sizeof(text), v->g, r.cols);
	pane_title(c, r, v, PANE_LATENCY, text);
	if (body.rows < 1 || body.cols < 1)
		return;
	struct heat_cell *cell = malloc((size_t)body.cols * sizeof(*cell));
	if (!cell)
		return;
	heatmap_cells(v, cell, body.cols);
	struct scale s = choose_scale(cell, body.cols, body.rows);
	for (int i = 0; i < body.cols; i++)
		known = known || cell[i].sum.ios;
	draw_scale(c, body, v, &s, known);
	draw_cells(c, body, v, cell, &s);
	if (axis)
		draw_axis(c, body, v);
	draw_marks(c, body, v, axis);
	free(cell);
}
