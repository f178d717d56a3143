/* time_axis.c - see time_axis.h. */
#include "time_axis.h"

#include <stdio.h>
#include <string.h>
#include "cursor.h"
#include "pane_util.h"

void pane_span_text(char *out, size_t n, uint64_t ns)
{
	double s = (double)ns / 1e9;

	if (s < 120)
		snprintf(out, n, "%.3g s", s);
	else if (s < 7200)
		snprintf(out, n, "%.3g min", s / 60);
	else
		snprintf(out, n, "%.3g h", s / 3600);
}

/* How a time so long before the charts' end is called: by how long ago it was, or, where they show an earlier
 * time, by the clock. */
static char *time_label(char *out, size_t n, const struct view *v, uint64_t before_ns)
{
	uint64_t ago = v->snap.t_ns - chart_end(v) + before_ns;
	char span[24], clock[16];

	pane_span_text(span, sizeof(span), before_ns);
	snprintf(out, n, "-%s", span);
	if (v->end_ns)
		snprintf(out, n, "%s",
			 clock_text(clock, sizeof(clock),
				    v->snap.wall > ago ? v->snap.wall - ago : 0));
	return out;
}

/* A row on which texts find their places without touching each other. */
struct shelf {
	struct canvas *c;
	const struct time_axis *axis;
	int row;
	bool taken[CHART_MAX];
};

static bool shelf_free(const struct shelf *s, int col, int width)
{
	for (int i = col; i < col + width; i++)
		if (i < 0 || i >= s->axis->r.cols || i >= CHART_MAX || s->taken[i])
			return false;
	return true;
}

static bool shelf_put(struct shelf *s, int col, const char *text, enum style style)
{
	int width = canvas_width(text);

	if (!shelf_free(s, col, width))
		return false;
	canvas_text(s->c, s->axis->r, s->row, col, text, style);
	for (int i = col; i < col + width; i++)
		s->taken[i] = true;
	return true;
}

static int mark_col(const struct time_axis *a, const struct view *v, const struct mark *m)
{
	int col = m->letter && mark_shown(m) ? chart_column_of(v, m->t_ns, a->n) : -1;

	return col < 0 ? -1 : a->body.col - a->r.col + col * a->body.cols / a->n;
}

/* "MTU 9000 → 1500" takes two columns less without the blanks around the arrow. */
static char *tighten(char *out, size_t n, const char *text)
{
	static const char wide[] = " → ", narrow[] = "→";
	size_t used = 0;

	while (*text && used + sizeof(narrow) < n) {
		if (strncmp(text, wide, sizeof(wide) - 1) == 0) {
			used += (size_t)snprintf(out + used, n - used, "%s", narrow);
			text += sizeof(wide) - 1;
		} else {
			out[used++] = *text++;
		}
	}
	out[used] = '\0';
	return out;
}

void time_axis_marks(struct time_axis *a, const struct view *v)
{
	memset(a->marks, 0, sizeof(a->marks));
	for (size_t i = 0; i < v->mark_count; i++) {
		int col = mark_col(a, v, &v->marks[i]);

		if (col < 0 || col >= CHART_MAX)
			continue;
		a->marks[col].newest = &v->marks[i];
		a->marks[col].count++;
	}
}

static void take(struct shelf *s, int col, int n)
{
	for (int i = col; i < col + n && i < CHART_MAX; i++)
		s->taken[i] = true;
}

/* What caused a mark, behind its sign, if there is room for all of it and a blank on either side: a part
 * of it could say something else. */
static void draw_cause(struct shelf *s, const struct view *v, int col, const char *words)
{
	char tight[MARK_TEXT], text[MARK_TEXT + 16];

	text_for_level(text, sizeof(text), tighten(tight, sizeof(tight), words), v->g);
	int width = canvas_width(text);

	if (width < 1 || !shelf_free(s, col, width + 2))
		return;
	canvas_text(s->c, s->axis->r, s->row, col, " ", ST_RULE);
	canvas_text(s->c, s->axis->r, s->row, col + 1, text, ST_MARK);
	canvas_text(s->c, s->axis->r, s->row, col + 1 + width, " ", ST_RULE);
	take(s, col, width + 2);
}

/* The letters, a plus behind those that stand for others too. end: where each ends; 0 where there is none. */
static void draw_axis_letters(struct shelf *s, int end[CHART_MAX])
{
	const struct time_axis *a = s->axis;

	for (int col = 0; col < CHART_MAX; col++) {
		char letter[2] = {a->marks[col].count ? a->marks[col].newest->letter : '\0', '\0'};

		if (letter[0] && shelf_put(s, col, letter, ST_MARK))
			end[col] = col + 1;
	}
	for (int col = 0; col < CHART_MAX; col++)
		if (end[col] && a->marks[col].count > 1 && shelf_put(s, end[col], "+", ST_MARK))
			end[col]++;
}

/* The newest first. */
static void draw_causes(struct shelf *s, const struct view *v, const int end[CHART_MAX])
{
	for (int col = CHART_MAX - 1; col >= 0; col--)
		if (end[col])
			draw_cause(s, v, end[col], s->axis->marks[col].newest->text);
}

/* Times at the quarters of a wide axis, where nothing else stands. */
static void draw_times(struct shelf *s, const struct view *v)
{
	uint64_t span = chart_column_ns(v, s->axis->n) * (uint64_t)s->axis->n;
	int left = s->axis->body.col - s->axis->r.col;
	char text[24], padded[32];

	if (s->axis->body.cols < 48)
		return;
	for (int quarter = 1; quarter < 4; quarter++) {
		int col = left + s->axis->body.cols * quarter / 4;

		snprintf(padded, sizeof(padded), " %s ",
			 time_label(text, sizeof(text), v,
				    v->chart_span_ns / 4 * (uint64_t)(4 - quarter)));
		int width = canvas_width(padded);

		if (span && shelf_free(s, col - width / 2 - 1, width + 2))
			shelf_put(s, col - width / 2, padded, ST_DIM);
	}
}

/* On the axis: the time that no mean counts, because a path was out. Only letters are worth more. */
static void draw_gaps(struct shelf *shelf, const struct view *v)
{
	const struct time_axis *a = shelf->axis;

	for (size_t i = 0; i < v->chart_count; i++) {
		const struct sample *s = &v->chart[i];
		int last = s->gap_ns ? chart_column_of(v, s->t_ns, a->n) : -1;
		int first = last < 0 ? 0 : chart_column_of(v, s->t_ns - s->dt_ns + 1, a->n);

		/* A sweep has begun anew in between. */
		if (first > last)
			first = last;
		for (int n = first < 0 ? 0 : first; n <= last; n++) {
			int col = a->body.col - a->r.col + n * a->body.cols / a->n;
			if (!shelf_free(shelf, col, 1))
				continue;
			canvas_put(shelf->c, a->r, a->row, col, v->g->shade[2], ST_WARN);
			take(shelf, col, 1);
		}
	}
}

/* The column in r of a cursor, -1 where it isn't in the charts. */
static int cursor_col(const struct time_axis *a, const struct view *v, unsigned i)
{
	const struct cursor *k = v->cursors ? &v->cursors->at[i] : NULL;
	int n = k && k->set ? chart_column_of(v, k->t_ns, a->n) : -1;

	return n < 0 ? -1 : a->body.col - a->r.col + n * a->body.cols / a->n;
}

void time_axis_draw(struct canvas *c, const struct time_axis *a, const struct view *v)
{
	struct shelf s = {.c = c, .axis = a, .row = a->row};
	int left = a->body.col - a->r.col, right = left + a->body.cols;
	char text[48], end[32] = " now", span[24], label[24], later[5];
	int end_of[CHART_MAX] = {0};

	if (a->row < 0)
		return;
	for (int col = left; col < right; col++)
		canvas_put(c, a->r, a->row, col, v->g->hline, ST_RULE);
	canvas_put(c, a->r, a->row, left - 1, v->g->corner_bl, ST_RULE);
	for (int col = 0; col < a->r.cols && col < CHART_MAX; col++)
		s.taken[col] = col < left || col >= right;

	snprintf(text, sizeof(text), "%s ", time_label(label, sizeof(label), v, v->chart_span_ns));
	if (v->end_ns)
		snprintf(end, sizeof(end), " %s %s", time_label(label, sizeof(label), v, 0),
			 utf8_of(later, v->g->right));
	else if (v->frozen)
		snprintf(end, sizeof(end), " frozen");
	/* Their numbers come last, but nothing is to be read together with them. */
	for (unsigned i = 0; i < 2; i++)
		if (cursor_col(a, v, i) >= 0)
			take(&s, cursor_col(a, v, i), 1);
	pane_span_text(span, sizeof(span), v->chart_span_ns);
	if (chart_sweeps(v))
		snprintf(text, sizeof(text), "sweep of %s ", span);
	else
		shelf_put(&s, right - canvas_width(end), end, ST_DIM);
	shelf_put(&s, left, text, ST_DIM);
	draw_axis_letters(&s, end_of);
	draw_gaps(&s, v);
	draw_causes(&s, v, end_of);
	if (!chart_sweeps(v))
		draw_times(&s, v);
}

/* On the title row, where that isn't words. */
static void put_above(struct canvas *c, const struct time_axis *a, const struct view *v, int col,
		      char sign)
{
	if (a->r.row < 0 || a->r.row >= c->rows || a->r.col + col >= c->cols || col >= a->r.cols)
		return;
	const struct cell *under = &c->cell[a->r.row * c->cols + a->r.col + col];

	if (under->ch == v->g->hline && under->style == ST_RULE)
		canvas_put(c, a->r, 0, col, (uint32_t)sign, ST_MARK);
}

void time_axis_letters(struct canvas *c, const struct time_axis *a, const struct view *v)
{
	for (int col = 0; col < CHART_MAX; col++)
		if (a->marks[col].count)
			put_above(c, a, v, col, a->marks[col].newest->letter);
	for (int col = 0; col < CHART_MAX; col++)
		if (a->marks[col].count > 1)
			put_above(c, a, v, col + 1, '+');
}

void time_axis_cursors(struct canvas *c, const struct time_axis *a, const struct view *v,
		       bool focused)
{
	for (unsigned i = 0; v->cursors && i < 2; i++) {
		int col = cursor_col(a, v, i);
		bool active = i == v->cursors->active;
		enum style style = active ? ST_FOCUS : ST_TITLE; /* of its number */
		if (col < 0)
			continue;
		for (int row = 0; row < a->body.rows; row++)
			canvas_put(c, a->r, row + 1, col, v->g->vline, ST_TITLE);
		if (a->row >= 0)
			canvas_put(c, a->r, a->row, col, '1' + i, style);
		if (active && focused) {
			c->cursor_row = a->r.row + a->row;
			c->cursor_col = a->r.col + col;
		}
	}
}
