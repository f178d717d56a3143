/* pane_chart.c - a chart over time with everything around it: the scale at the left (and, where all
 * blocks have one size, the other scale at the right), the time and the marks' causes below, the
 * marks' letters above, and what the two kinds of filling mean.
 */
#include <math.h>
#include <string.h>
#include "chart.h"
#include "chart_title.h"
#include "cursor.h"
#include "pane_util.h"
#include "trace.h"

#define LABEL_COLS       6 /* of a scale: five for the figure, one for the axis */
#define CHART_ROWS_LEAST 5 /* beside the figures of the cursors */

struct frame {
	enum pane_id id;
	struct rect r;    /* the whole pane */
	struct rect body; /* where the columns are */
	int axis;         /* the time axis' row in r; -1 = no room for one */
	int n;            /* columns */
	double top;       /* of the scale, in IO/s or bytes/s */
	double unit;      /* what the left scale counts in */
	double right;     /* top of the right scale in its unit; 0 = none */
	struct {
		const struct mark *newest;
		int count;
	} marks[CHART_MAX]; /* by their column in r */
};

/* --- Scales --- */

static void scale_label(char *out, size_t n, double value)
{
	static const char *const prefix[] = {"", "k", "M", "G", "T"};
	size_t p = 0;

	while (value >= 1000 && p + 1 < sizeof(prefix) / sizeof(prefix[0])) {
		value /= 1000;
		p++;
	}
	snprintf(out, n, "%.3g%s", value, prefix[p]);
}

/* Into how many parts a scale of 1, 2 or 5 x 10^k is cut on that many rows: figures that are short,
 * if possible on rows of their own, at least two rows apart. */
static int scale_parts(double top, int rows)
{
	static const int parts_of[3][4] = {{10, 5, 4, 2}, {10, 4, 5, 2}, {10, 5, 4, 2}};
	double lead = top / pow(10, floor(log10(top) + 1e-9));
	const int *parts = parts_of[lead < 1.5 ? 0 : lead < 3 ? 1 : 2];

	for (int i = 0; i < 4; i++)
		if (rows % parts[i] == 0 && rows / parts[i] >= (parts[i] > 2 ? 3 : 2))
			return parts[i];
	return rows >= 4 ? 2 : 1;
}

/* The row (in the body) of part i of parts, counted from the top; = rows for the ground. */
static int label_row(int i, int parts, int rows)
{
	return (i * rows + parts / 2) / parts;
}

static void draw_scales(struct canvas *c, const struct frame *f, const struct view *v)
{
	int parts = scale_parts(f->top / f->unit, f->body.rows);
	int left = f->body.col - f->r.col, right = left + f->body.cols;
	char text[16];

	for (int row = 0; row < f->body.rows; row++) {
		canvas_put(c, f->r, row + 1, left - 1, v->g->vline, ST_RULE);
		if (f->right > 0)
			canvas_put(c, f->r, row + 1, right, v->g->vline, ST_RULE);
	}
	for (int i = 0; i < parts; i++) {
		int row = 1 + label_row(i, parts, f->body.rows);
		double share = (double)(parts - i) / parts;

		scale_label(text, sizeof(text), f->top / f->unit * share);
		canvas_text_right(c, f->r, row, left - 1, text, ST_DIM);
		canvas_put(c, f->r, row, left - 1, v->g->tee_left, ST_RULE);
		if (f->right > 0) {
			double value = f->right * share;

			snprintf(text, sizeof(text),
				 value < 10    ? "%.2f"
				 : value < 100 ? "%.1f"
					       : "%.0f",
				 value);
			if (value >= 99999.5)
				scale_label(text, sizeof(text), value);
			canvas_text_right(c, f->r, row, right + LABEL_COLS, text, ST_DIM);
			canvas_put(c, f->r, row, right, v->g->tee_right, ST_RULE);
		}
	}
}

/* Faint lines of dots at the scale's figures, behind the data. */
static void draw_graticule(struct canvas *c, const struct frame *f, const struct view *v)
{
	int parts = scale_parts(f->top / f->unit, f->body.rows);

	if (f->body.rows < 6)
		return;
	for (int i = 1; i < parts; i++) {
		int row = label_row(i, parts, f->body.rows);

		for (int col = 3; col < f->body.cols; col += 4)
			canvas_put(c, f->body, row, col, v->g->utf8 ? 0xb7 : '.', ST_RULE);
	}
}

/* The block size, if every IO in the window had the same; else 0. */
static double uniform_block(const struct view *v)
{
	uint64_t block = 0;

	for (size_t i = 0; i < v->chart_count; i++)
		for (int op = 0; op < IO_OPS; op++) {
			const struct op_sample *s = &v->chart[i].op[op];

			if (!s->ios)
				continue;
			if (!block)
				block = s->bytes / s->ios;
			if (s->bytes != s->ios * block)
				return 0;
		}
	return (double)block;
}

/* --- Time --- */

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
	const struct frame *f;
	int row;
	bool taken[CHART_MAX];
};

static bool shelf_free(const struct shelf *s, int col, int width)
{
	for (int i = col; i < col + width; i++)
		if (i < 0 || i >= s->f->r.cols || i >= CHART_MAX || s->taken[i])
			return false;
	return true;
}

static bool shelf_put(struct shelf *s, int col, const char *text, enum style style)
{
	int width = canvas_width(text);

	if (!shelf_free(s, col, width))
		return false;
	canvas_text(s->c, s->f->r, s->row, col, text, style);
	for (int i = col; i < col + width; i++)
		s->taken[i] = true;
	return true;
}

static int mark_col(const struct frame *f, const struct view *v, const struct mark *m)
{
	int col = m->letter && mark_shown(m) ? chart_column_of(v, m->t_ns, f->n) : -1;

	return col < 0 ? -1 : f->body.col - f->r.col + col * f->body.cols / f->n;
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

/* Marks in one column have one line, and one letter: the newest's. */
static void group_marks(struct frame *f, const struct view *v)
{
	memset(f->marks, 0, sizeof(f->marks));
	for (size_t i = 0; i < v->mark_count; i++) {
		int col = mark_col(f, v, &v->marks[i]);

		if (col < 0 || col >= CHART_MAX)
			continue;
		f->marks[col].newest = &v->marks[i];
		f->marks[col].count++;
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
	canvas_text(s->c, s->f->r, s->row, col, " ", ST_RULE);
	canvas_text(s->c, s->f->r, s->row, col + 1, text, ST_MARK);
	canvas_text(s->c, s->f->r, s->row, col + 1 + width, " ", ST_RULE);
	take(s, col, width + 2);
}

/* The letters, a plus behind those that stand for others too. end: where each ends; 0 where there is none. */
static void draw_axis_letters(struct shelf *s, int end[CHART_MAX])
{
	const struct frame *f = s->f;

	for (int col = 0; col < CHART_MAX; col++) {
		char letter[2] = {f->marks[col].count ? f->marks[col].newest->letter : '\0', '\0'};

		if (letter[0] && shelf_put(s, col, letter, ST_MARK))
			end[col] = col + 1;
	}
	for (int col = 0; col < CHART_MAX; col++)
		if (end[col] && f->marks[col].count > 1 && shelf_put(s, end[col], "+", ST_MARK))
			end[col]++;
}

/* The newest first. */
static void draw_causes(struct shelf *s, const struct view *v, const int end[CHART_MAX])
{
	for (int col = CHART_MAX - 1; col >= 0; col--)
		if (end[col])
			draw_cause(s, v, end[col], s->f->marks[col].newest->text);
}

/* Times at the quarters of a wide axis, where nothing else stands. */
static void draw_times(struct shelf *s, const struct view *v)
{
	uint64_t span = chart_column_ns(v, s->f->n) * (uint64_t)s->f->n;
	int left = s->f->body.col - s->f->r.col;
	char text[24], padded[32];

	if (s->f->body.cols < 48)
		return;
	for (int quarter = 1; quarter < 4; quarter++) {
		int col = left + s->f->body.cols * quarter / 4;

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
	const struct frame *f = shelf->f;

	for (size_t i = 0; i < v->chart_count; i++) {
		const struct sample *s = &v->chart[i];
		int last = s->gap_ns ? chart_column_of(v, s->t_ns, f->n) : -1;
		int first = last < 0 ? 0 : chart_column_of(v, s->t_ns - s->dt_ns + 1, f->n);

		/* A sweep has begun anew in between. */
		if (first > last)
			first = last;
		for (int n = first < 0 ? 0 : first; n <= last; n++) {
			int col = f->body.col - f->r.col + n * f->body.cols / f->n;
			if (!shelf_free(shelf, col, 1))
				continue;
			canvas_put(shelf->c, f->r, f->axis, col, v->g->shade[2], ST_WARN);
			take(shelf, col, 1);
		}
	}
}

/* The column in r of a cursor, -1 where it isn't in the charts. */
static int cursor_col(const struct frame *f, const struct view *v, unsigned i)
{
	const struct cursor *k = v->cursors ? &v->cursors->at[i] : NULL;
	int n = k && k->set ? chart_column_of(v, k->t_ns, f->n) : -1;

	return n < 0 ? -1 : f->body.col - f->r.col + n * f->body.cols / f->n;
}

static void draw_time_axis(struct canvas *c, const struct frame *f, const struct view *v)
{
	struct shelf s = {.c = c, .f = f, .row = f->axis};
	int left = f->body.col - f->r.col, right = left + f->body.cols;
	char text[48], end[32] = " now", span[24], label[24], later[5];
	int end_of[CHART_MAX] = {0};

	for (int col = left; col < right; col++)
		canvas_put(c, f->r, f->axis, col, v->g->hline, ST_RULE);
	canvas_put(c, f->r, f->axis, left - 1, v->g->corner_bl, ST_RULE);
	if (f->right > 0)
		canvas_put(c, f->r, f->axis, right, v->g->corner_br, ST_RULE);
	for (int col = 0; col < f->r.cols && col < CHART_MAX; col++)
		s.taken[col] = col < left || col >= right;

	snprintf(text, sizeof(text), "%s ", time_label(label, sizeof(label), v, v->chart_span_ns));
	if (v->end_ns)
		snprintf(end, sizeof(end), " %s %s", time_label(label, sizeof(label), v, 0),
			 utf8_of(later, v->g->right));
	else if (v->frozen)
		snprintf(end, sizeof(end), " frozen");
	/* the ground's own figure stands where the scale's are */
	canvas_text_right(c, f->r, f->axis, left - 1, "0", ST_DIM);
	if (f->right > 0)
		canvas_text_right(c, f->r, f->axis, right + LABEL_COLS, "0", ST_DIM);
	/* Their numbers come last, but nothing is to be read together with them. */
	for (unsigned i = 0; i < 2; i++)
		if (cursor_col(f, v, i) >= 0)
			take(&s, cursor_col(f, v, i), 1);
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
static void put_above(struct canvas *c, const struct frame *f, const struct view *v, int col,
		      char sign)
{
	if (f->r.row < 0 || f->r.row >= c->rows || f->r.col + col >= c->cols || col >= f->r.cols)
		return;
	const struct cell *under = &c->cell[f->r.row * c->cols + f->r.col + col];

	if (under->ch == v->g->hline && under->style == ST_RULE)
		canvas_put(c, f->r, 0, col, (uint32_t)sign, ST_MARK);
}

/* The letters over their lines, as on the axis. */
static void draw_letters(struct canvas *c, const struct frame *f, const struct view *v)
{
	for (int col = 0; col < CHART_MAX; col++)
		if (f->marks[col].count)
			put_above(c, f, v, col, f->marks[col].newest->letter);
	for (int col = 0; col < CHART_MAX; col++)
		if (f->marks[col].count > 1)
			put_above(c, f, v, col + 1, '+');
}

/* --- All of it --- */

static struct frame make_frame(int screen_cols, struct rect r, const struct view *v,
			       enum pane_id id, bool bytes)
{
	struct frame f = {.id = id, .r = r, .axis = r.rows >= 4 ? r.rows - 1 : -1};
	double block = uniform_block(v);
	/* beside the other chart this one needs no second scale */
	bool two = id == PANE_IOPS && !bytes && block > 0 && r.cols >= 60 && r.cols == screen_cols;

	f.body.row = r.row + 1;
	f.body.col = r.col + LABEL_COLS;
	f.body.rows = r.rows - 1 - (f.axis >= 0);
	f.body.cols = r.cols - LABEL_COLS - (two ? LABEL_COLS : 0);
	if (f.body.cols > CHART_MAX)
		f.body.cols = CHART_MAX;
	/* Beside the other chart both have the narrower one's columns, so that what happened at one time
	 * stands in the same column of either. */
	int half = (screen_cols - 1) / 2 - LABEL_COLS;

	if (r.cols < screen_cols && f.body.cols > half && half > 0) {
		f.body.col += f.body.cols - half;
		f.body.cols = half;
	}
	f.n = chart_resolution(v->level, f.body.cols);
	f.unit = bytes ? units_rate_scale(v->unit) : 1;
	f.right = two ? block / units_rate_scale(v->unit) : 0; /* x top, once that is known */
	return f;
}

/* The caller's scale, unless there is none yet or the columns don't fit below it. */
static double choose_top(const struct view *v, bool bytes, double unit,
			 const struct chart_column *col, int n)
{
	double max = trace_peak(v, bytes, n), kept = v->y_top[bytes];

	for (int i = 0; i < n; i++)
		max = fmax(max, chart_high(&col[i]));
	return kept > 0 && (v->locked || kept >= max) ? kept : chart_nice(max / unit) * unit;
}

/* Under a scale that is locked: what goes beyond it says so. */
static void draw_beyond(struct canvas *c, const struct frame *f, const struct view *v,
			const struct chart_column *col)
{
	for (int i = 0; i < f->n; i++)
		if (chart_high(&col[i]) > f->top)
			canvas_put(c, f->body, 0, i * f->body.cols / f->n, v->g->up, ST_WARN);
}

int pane_chart_cells(int screen_cols, struct rect r, const struct view *v, enum pane_id id)
{
	struct frame f = make_frame(screen_cols, r, v, id, id == PANE_RATE);

	return f.body.cols > 1 ? f.body.cols : 1;
}

struct rect pane_chart_body(int screen_cols, struct rect r, const struct view *v, enum pane_id id)
{
	return make_frame(screen_cols, r, v, id, id == PANE_RATE).body;
}

/* --- Cursors --- */

/* The chart that has their figures below it: the one in focus, or the first. */
static bool has_figures(const struct view *v, enum pane_id id)
{
	return (id == PANE_RATE) == (v->focus.on_pane && v->focus.pane == PANE_RATE);
}

/* The rows for them; of two charts beside each other both leave them, to stay alike. */
static int cursor_rows(int screen_cols, struct rect r, const struct view *v, enum pane_id id)
{
	int rows = cursors_rows(v->cursors), room = r.rows - CHART_ROWS_LEAST;

	if (room < 1 || (r.cols == screen_cols && !has_figures(v, id)))
		return 0;
	return rows < room ? rows : room;
}

/* Lines through the body, with their numbers on the axis. */
static void draw_cursors(struct canvas *c, const struct frame *f, const struct view *v)
{
	int focused = v->focus.on_pane && v->focus.pane == f->id;

	for (unsigned i = 0; v->cursors && i < 2; i++) {
		int col = cursor_col(f, v, i);
		bool active = i == v->cursors->active;
		enum style style = active ? ST_FOCUS : ST_TITLE; /* of its number */
		if (col < 0)
			continue;
		for (int row = 0; row < f->body.rows; row++)
			canvas_put(c, f->r, row + 1, col, v->g->vline, ST_TITLE);
		if (f->axis >= 0)
			canvas_put(c, f->r, f->axis, col, '1' + i, style);
		if (active && focused) {
			c->cursor_row = f->r.row + f->axis;
			c->cursor_col = f->r.col + col;
		}
	}
}

void pane_chart_draw(struct canvas *c, struct rect full, const struct view *v, enum pane_id id,
		     bool bytes)
{
	struct chart_column col[CHART_MAX];
	int figures = cursor_rows(c->cols, full, v, id);
	struct rect r = {full.row, full.col, full.rows - figures, full.cols};
	struct frame f = make_frame(c->cols, r, v, id, bytes);
	bool wrote = false, any = false;

	if (f.body.rows < 1 || f.body.cols < 1) {
		pane_title(c, r, v, id, "");
		return;
	}
	chart_columns(v, bytes, col, f.n);
	for (int i = 0; i < f.n; i++) {
		wrote |= col[i].write > 0;
		any |= col[i].valid;
	}
	f.top = choose_top(v, bytes, f.unit, col, f.n);
	f.right *= f.top;
	group_marks(&f, v);
	chart_title(c, r, v, id, wrote, f.body.cols, f.right > 0 ? units_rate_name(v->unit) : "");
	draw_scales(c, &f, v);
	draw_graticule(c, &f, v);
	chart_body(c, f.body, v, col, f.n, f.top);
	trace_draw(c, f.body, v, bytes, f.n, f.top);
	draw_beyond(c, &f, v, col);
	if (f.axis >= 0)
		draw_time_axis(c, &f, v);
	draw_letters(c, &f, v);
	draw_cursors(c, &f, v);
	if (figures && has_figures(v, id))
		cursors_draw(c, pane_inset((struct rect){r.row + r.rows, r.col, figures, r.cols}),
			     v);
	if (!any) {
		static const char none[] = "no samples yet";

		canvas_text(c, f.body, (f.body.rows - 1) / 2,
			    (f.body.cols - (int)sizeof(none) + 1) / 2, none, ST_DIM);
	}
}
