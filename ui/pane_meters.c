/* pane_meters.c - six figures of one's choice, each with a bar on its own scale and between which least and
 * most it has been: Iometer's results display.
 *
 * A meter has as many rows as there is room for: one with the marks of least and most on the bar itself, or
 * more with a trace below it.
 */
#include <math.h>
#include <string.h>
#include "chart.h"
#include "figures.h"
#include "pane_util.h"

#define SIGN_COLS   2  /* which is chosen */
#define NAME_COLS   15 /* "IOPS per CPU %" */
#define TOP_COLS    6  /* where the scale ends */
#define VALUE_COLS  6
#define UNIT_COLS   7 /* "IO/s/%" */
#define FIGURE_COLS (VALUE_COLS + UNIT_COLS)
#define RANGE_COLS  21 /* "  min 12.3  max 62.5k" */
#define BAR_LEAST   8
#define PAIR_COLS   76 /* two beside each other where they would not fit below */
#define CELL_MOST   5

/* Where the parts of a row lie. */
struct parts {
	int bar, bar_cols; /* 0: no bar */
	int top;           /* 0: left out, as is range */
	int figure, range;
};

static struct parts parts_of(int cols, bool with_range)
{
	struct parts s = {.bar = SIGN_COLS + NAME_COLS, .figure = cols - FIGURE_COLS};

	if (with_range && s.figure - RANGE_COLS - TOP_COLS - s.bar >= BAR_LEAST) {
		s.range = cols - RANGE_COLS;
		s.figure -= RANGE_COLS;
	}
	if (s.figure - TOP_COLS - s.bar >= BAR_LEAST)
		s.top = s.figure - TOP_COLS;
	s.bar_cols = (s.top ? s.top : s.figure) - 1 - s.bar;
	if (s.bar_cols < 3)
		s.bar_cols = 0;
	return s;
}

static enum style style_of(enum meter m, double value)
{
	switch (m) {
	case METER_IOPS_READ:
	case METER_MIB_READ:
	case METER_MB_READ:
	case METER_MEAN_READ:
	case METER_MAX_READ: return ST_READ;
	case METER_IOPS_WRITE:
	case METER_MIB_WRITE:
	case METER_MB_WRITE:
	case METER_MEAN_WRITE:
	case METER_MAX_WRITE: return ST_WRITE;
	case METER_CPU_USER: return ST_CPU_USER;
	case METER_CPU_SYSTEM: return ST_CPU_SYSTEM;
	case METER_CPU_IRQ:
	case METER_CPU_SOFTIRQ: return ST_CPU_IRQ;
	case METER_PACKET_ERRORS:
	case METER_ERRORS:
	case METER_ERRORS_READ:
	case METER_ERRORS_WRITE: return value > 0 ? ST_BAD : ST_TOTAL;
	default: return ST_TOTAL;
	}
}

/* Counts are whole, and so are most ends of scales. */
static const char *digits(char *out, size_t n, double value, int width, bool whole)
{
	if (whole && value < 100 && value == floor(value))
		snprintf(out, n, "%*.0f", width, value);
	else
		figure_digits(out, n, value, width);
	return out + strspn(out, " ");
}

static bool is_count(enum meter m)
{
	return m >= METER_ERRORS || m == METER_PACKET_ERRORS;
}

/* A round number above all there has been; of a share the whole. */
static double scale_of(const struct meter_choice *c, const struct meter_trace *t)
{
	if (c->top > 0)
		return c->top;
	return strcmp(meters[c->what].unit, "%") == 0 ? 100 : chart_nice(t->high);
}

/* The cell of a value on the bar; the last one for all beyond. */
static int cell_of(double value, double top, int cols)
{
	int cell = (int)fmin(value / top * cols, cols - 1);

	return cell < 0 ? 0 : cell;
}

static void draw_bar(struct canvas *c, struct rect bar, const struct view *v, double share,
		     enum style style)
{
	for (int row = 0; row < bar.rows; row++) {
		if (row == bar.rows - 1)
			canvas_fill(c, (struct rect){bar.row + row, bar.col, 1, bar.cols},
				    v->g->hline, ST_RULE);
		if (share > 0)
			bar_draw(c, bar, row, 0, bar.cols, fmin(share, 1), v->g, style);
		if (share > 1)
			canvas_put(c, bar, row, bar.cols - 1, v->g->right, ST_WARN);
	}
}

/* From the least to the most: in a row of its own as a line, else its ends on the bar. */
static void draw_trace(struct canvas *c, struct rect bar, int row, const struct view *v,
		       const struct meter_trace *t, double top, bool line)
{
	if (isnan(t->low))
		return;
	int from = cell_of(t->low, top, bar.cols), to = cell_of(t->high, top, bar.cols);

	for (int i = from; line && i <= to; i++)
		canvas_put(c, bar, row, i, v->g->hline, ST_DIM);
	canvas_put(c, bar, row, from, v->g->vline, ST_MARK);
	canvas_put(c, bar, row, to, v->g->vline, ST_MARK);
}

/* How a row's figures are written: all of them alike. */
struct unit {
	char name[8];
	double factor;
	bool whole;
};

/* Times are in the unit that a fixed scale has, or else the most there has been. */
static struct unit unit_of(const struct meter_choice *c, const struct meter_trace *t,
			   const struct glyphs *g)
{
	struct unit u = {.factor = 1, .whole = is_count(c->what)};
	double most = c->top > 0 ? c->top : t->high;

	snprintf(u.name, sizeof(u.name), "%s", meters[c->what].unit);
	if (strcmp(u.name, "ms") != 0 || !(most < 1))
		return u;
	bool shortest = most < 0.001;
	u.factor = shortest ? 1e6 : 1e3;
	snprintf(u.name, sizeof(u.name), "%ss", shortest ? "n" : g->micro);
	return u;
}

static void draw_range(struct canvas *c, struct rect r, int row, const struct meter_trace *t,
		       const struct unit *u)
{
	char low[16], high[16], text[40];

	snprintf(text, sizeof(text), "min %s  max %s",
		 digits(low, sizeof(low), t->low * u->factor, 5, u->whole),
		 digits(high, sizeof(high), t->high * u->factor, 5, u->whole));
	canvas_text_right(c, r, row, r.cols, text, ST_DIM);
}

static void draw_figure(struct canvas *c, struct rect r, const struct parts *s,
			const struct unit *u, double value, enum style style)
{
	char text[16];

	digits(text, sizeof(text), value * u->factor, VALUE_COLS, u->whole);
	canvas_text(c, r, 0, s->figure, text, style == ST_BAD ? ST_BAD : ST_VALUE);
	canvas_text(c, r, 0, s->figure + VALUE_COLS + 1, u->name, ST_LABEL);
}

static void draw_name(struct canvas *c, struct rect r, const struct view *v, unsigned i,
		      const struct meter_choice *choice)
{
	bool focused = v->focus.on_pane && v->focus.pane == PANE_METERS && v->meter == i;

	if (focused)
		canvas_put(c, r, 0, 0, v->g->cursor, ST_FOCUS);
	canvas_text(c, r, 0, SIGN_COLS, meters[choice->what].name, focused ? ST_FOCUS : ST_LABEL);
}

static void draw_meter(struct canvas *c, struct rect r, const struct view *v,
		       const struct meter_setup *setup, unsigned i)
{
	static const struct meter_trace none = {NAN, NAN, NAN};
	const struct meter_choice *choice = &setup->place[i];
	const struct meter_trace *t =
		v->meters ? &v->meters->trace[setup->since][choice->what] : &none;
	struct parts s = parts_of(r.cols, r.rows == 1);
	double top = scale_of(choice, t);
	struct unit u = unit_of(choice, t, v->g);
	enum style style = style_of(choice->what, t->now);
	int thick = r.rows < CELL_MOST ? 1 : 2;
	char text[16];

	draw_name(c, r, v, i, choice);
	draw_figure(c, r, &s, &u, t->now, style);
	if (s.range)
		draw_range(c, r, 0, t, &u);
	else if (r.rows > 1)
		draw_range(c, r, 1, t, &u);
	if (s.top)
		canvas_text(c, r, 0, s.top,
			    digits(text, sizeof(text), top * u.factor, TOP_COLS - 1, true), ST_DIM);
	if (!s.bar_cols)
		return;
	struct rect bar = {r.row, r.col + s.bar, thick, s.bar_cols};
	draw_bar(c, bar, v, isnan(t->now) ? 0 : t->now / top, style);
	bar.rows = r.rows;
	draw_trace(c, bar, r.rows > 1 ? thick : 0, v, t, top, r.rows > 1);
}

static void draw_all(struct canvas *c, struct rect body, const struct view *v,
		     const struct meter_setup *setup)
{
	int columns = body.rows < METER_PLACES && body.cols >= PAIR_COLS ? 2 : 1;
	int lines = METER_PLACES / columns, width = (body.cols + 2) / columns - 2;
	int height = body.rows / lines, shown = height ? lines : body.rows, first = 0;

	if (columns == 1)
		width = body.cols;
	height = height < 1 ? 1 : height > CELL_MOST ? CELL_MOST : height;
	/* Where not all fit, the chosen one does. */
	if ((int)v->meter % lines >= shown)
		first = (int)v->meter % lines - shown + 1;
	for (int i = 0; i < METER_PLACES; i++) {
		int row = i % lines - first;
		struct rect cell = {body.row + row * height, body.col + i / lines * (width + 2),
				    height, width};

		if (row >= 0 && row < shown)
			draw_meter(c, cell, v, setup, (unsigned)i);
	}
}

void pane_meters_draw(struct canvas *c, struct rect r, const struct view *v)
{
	const struct meter_setup usual = meter_setup_usual();
	const struct meter_setup *setup = v->meter_setup ? v->meter_setup : &usual;
	char right[48] = "measuring", span[24];

	if (v->meters && v->meters->updates) {
		/* Seconds are as long as the sampler's, more or less. */
		uint64_t ns = v->meters->span_ns[setup->since] + NS_PER_SEC / 2;
		pane_span_text(span, sizeof(span), ns - ns % NS_PER_SEC);
		snprintf(right, sizeof(right), "%s %s",
			 setup->since == METER_SINCE_START ? "since the start," : "the last", span);
	}
	struct rect body = pane_inset(pane_title(c, r, v, PANE_METERS, right));

	draw_all(c, body, v, setup);
}
