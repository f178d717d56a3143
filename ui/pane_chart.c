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
#include "time_axis.h"
#include "trace.h"

#define LABEL_COLS       6 /* of a scale: five for the figure, one for the axis */
#define CHART_ROWS_LEAST 5 /* beside the figures of the cursors */

struct frame {
	enum pane_id id;
	struct time_axis time; /* with the pane and its body */
	double top;            /* of the scale, in IO/s or bytes/s */
	double unit;           /* what the left scale counts in */
	double right;          /* top of the right scale in its unit; 0 = none */
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
	int parts = scale_parts(f->top / f->unit, f->time.body.rows);
	int left = f->time.body.col - f->time.r.col, right = left + f->time.body.cols;
	char text[16];

	for (int row = 0; row < f->time.body.rows; row++) {
		canvas_put(c, f->time.r, row + 1, left - 1, v->g->vline, ST_RULE);
		if (f->right > 0)
			canvas_put(c, f->time.r, row + 1, right, v->g->vline, ST_RULE);
	}
	for (int i = 0; i < parts; i++) {
		int row = 1 + label_row(i, parts, f->time.body.rows);
		double share = (double)(parts - i) / parts;

		scale_label(text, sizeof(text), f->top / f->unit * share);
		canvas_text_right(c, f->time.r, row, left - 1, text, ST_DIM);
		canvas_put(c, f->time.r, row, left - 1, v->g->tee_left, ST_RULE);
		if (f->right > 0) {
			double value = f->right * share;

			snprintf(text, sizeof(text),
				 value < 10    ? "%.2f"
				 : value < 100 ? "%.1f"
					       : "%.0f",
				 value);
			if (value >= 99999.5)
				scale_label(text, sizeof(text), value);
			canvas_text_right(c, f->time.r, row, right + LABEL_COLS, text, ST_DIM);
			canvas_put(c, f->time.r, row, right, v->g->tee_right, ST_RULE);
		}
	}
}

/* The ground's own figure stands where the scale's are, beside the time axis. */
static void draw_ground(struct canvas *c, const struct frame *f, const struct view *v)
{
	const struct time_axis *t = &f->time;
	int left = t->body.col - t->r.col, right = left + t->body.cols;

	if (t->row < 0)
		return;
	canvas_text_right(c, t->r, t->row, left - 1, "0", ST_DIM);
	if (f->right <= 0)
		return;
	canvas_put(c, t->r, t->row, right, v->g->corner_br, ST_RULE);
	canvas_text_right(c, t->r, t->row, right + LABEL_COLS, "0", ST_DIM);
}

/* Faint lines of dots at the scale's figures, behind the data. */
static void draw_graticule(struct canvas *c, const struct frame *f, const struct view *v)
{
	int parts = scale_parts(f->top / f->unit, f->time.body.rows);

	if (f->time.body.rows < 6)
		return;
	for (int i = 1; i < parts; i++) {
		int row = label_row(i, parts, f->time.body.rows);

		for (int col = 3; col < f->time.body.cols; col += 4)
			canvas_put(c, f->time.body, row, col, v->g->utf8 ? 0xb7 : '.', ST_RULE);
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

/* --- All of it --- */

static struct frame make_frame(int screen_cols, struct rect r, const struct view *v,
			       enum pane_id id, bool bytes)
{
	struct frame f = {.id = id};
	double block = uniform_block(v);
	/* beside the other chart this one needs no second scale */
	bool two = id == PANE_IOPS && !bytes && block > 0 && r.cols >= 60 && r.cols == screen_cols;

	f.time.r = r;
	f.time.row = r.rows >= 4 ? r.rows - 1 : -1;
	f.time.body.row = r.row + 1;
	f.time.body.col = r.col + LABEL_COLS;
	f.time.body.rows = r.rows - 1 - (f.time.row >= 0);
	f.time.body.cols = r.cols - LABEL_COLS - (two ? LABEL_COLS : 0);
	if (f.time.body.cols > CHART_MAX)
		f.time.body.cols = CHART_MAX;
	/* Beside the other chart both have the narrower one's columns, so that what happened at one time
	 * stands in the same column of either. */
	int half = (screen_cols - 1) / 2 - LABEL_COLS;

	if (r.cols < screen_cols && f.time.body.cols > half && half > 0) {
		f.time.body.col += f.time.body.cols - half;
		f.time.body.cols = half;
	}
	f.time.n = chart_resolution(v->level, f.time.body.cols);
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
	for (int i = 0; i < f->time.n; i++)
		if (chart_high(&col[i]) > f->top)
			canvas_put(c, f->time.body, 0, i * f->time.body.cols / f->time.n, v->g->up,
				   ST_WARN);
}

int pane_chart_cells(int screen_cols, struct rect r, const struct view *v, enum pane_id id)
{
	struct frame f = make_frame(screen_cols, r, v, id, id == PANE_RATE);

	return f.time.body.cols > 1 ? f.time.body.cols : 1;
}

struct rect pane_chart_body(int screen_cols, struct rect r, const struct view *v, enum pane_id id)
{
	return make_frame(screen_cols, r, v, id, id == PANE_RATE).time.body;
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

void pane_chart_draw(struct canvas *c, struct rect full, const struct view *v, enum pane_id id,
		     bool bytes)
{
	struct chart_column col[CHART_MAX];
	int figures = cursor_rows(c->cols, full, v, id);
	struct rect r = {full.row, full.col, full.rows - figures, full.cols};
	struct frame f = make_frame(c->cols, r, v, id, bytes);
	bool wrote = false, any = false;

	if (f.time.body.rows < 1 || f.time.body.cols < 1) {
		pane_title(c, r, v, id, "");
		return;
	}
	chart_columns(v, bytes, col, f.time.n);
	for (int i = 0; i < f.time.n; i++) {
		wrote |= col[i].write > 0;
		any |= col[i].valid;
	}
	f.top = choose_top(v, bytes, f.unit, col, f.time.n);
	f.right *= f.top;
	time_axis_marks(&f.time, v);
	chart_title(c, r, v, id, wrote, f.time.body.cols,
		    f.right > 0 ? units_rate_name(v->unit) : "");
	draw_scales(c, &f, v);
	draw_graticule(c, &f, v);
	chart_body(c, f.time.body, v, col, f.time.n, f.top);
	trace_draw(c, f.time.body, v, bytes, f.time.n, f.top);
	draw_beyond(c, &f, v, col);
	time_axis_draw(c, &f.time, v);
	draw_ground(c, &f, v);
	time_axis_letters(c, &f.time, v);
	time_axis_cursors(c, &f.time, v, v->focus.on_pane && v->focus.pane == id);
	if (figures && has_figures(v, id))
		cursors_draw(c, pane_inset((struct rect){r.row + r.rows, r.col, figures, r.cols}),
			     v);
	if (!any) {
		static const char none[] = "no samples yet";

		canvas_text(c, f.time.body, (f.time.body.rows - 1) / 2,
			    (f.time.body.cols - (int)sizeof(none) + 1) / 2, none, ST_DIM);
	}
}
