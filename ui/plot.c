/* plot.c - see plot.h. Lines are made of dots, eight a cell in braille and one elsewhere; the points
 * themselves are letters in all levels, since a point is a measurement and a line is none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "chart.h"
#include "pane_util.h"
#include "plot.h"

#define AXIS_COLS 9 /* "1.00 ms" and a tick */
#define TICK_ROWS 3 /* between two labels at least */

enum line { LINE_MEAN, LINE_P99, LINES };

static const struct {
	char sign;
	enum style style;
} looks[LINES] = {[LINE_MEAN] = {'o', ST_TOTAL}, [LINE_P99] = {'x', ST_MARK}};

struct point {
	double load, iops, latency[LINES];
	bool knee;
};

struct plot {
	struct point point[LOAD_STEPS_MAX]; /* by load */
	int points;
	double right, low, high; /* the axes' ends: IO/s, ns */
	struct rect body;
};

/* In the order of the load; the rate max is the largest. */
static int by_load(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return x->load < y->load ? -1 : x->load > y->load;
}

static double load_of(const struct load_step *s)
{
	bool max = s->load.by == KNOB_RATE && s->load.value == 0;

	return max ? INFINITY : (double)s->load.value;
}

static void collect(struct plot *p, const struct curve *curve)
{
	int knee = curve_knee(curve);

	for (unsigned i = 0; i < curve->log.steps; i++) {
		const struct load_step *s = &curve->log.step[i];
		const struct summary_op o = load_latency(s, curve->config.of);
		if (s->refused || !(o.mean > 0) || !(o.p99 > 0))
			continue;
		p->point[p->points++] = (struct point){.load = load_of(s),
						       .iops = s->sum.op[SUM_TOTAL].iops,
						       .latency = {o.mean, o.p99},
						       .knee = (int)i == knee};
	}
	qsort(p->point, (size_t)p->points, sizeof(p->point[0]), by_load);
}

/* The largest of 1, 2, 5 x 10^k that is <= value. */
static double nice_below(double value)
{
	double above = chart_nice(value);
	double decade = pow(10, floor(log10(above) + 1e-9));

	if (above <= value)
		return above;
	return above / decade < 1.5 ? above / 2 : above / decade < 3 ? above / 2 : above / 2.5;
}

/* The end of the IOPS axis: finer than 1-2-5, for the room that there is. */
static double right_end(double iops)
{
	static const double step[] = {1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10};
	double decade = pow(10, floor(log10(iops)));

	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++)
		if (step[i] * decade >= iops)
			return step[i] * decade;
	return 10 * decade;
}

static void scale(struct plot *p)
{
	double low = INFINITY, high = 0, right = 0;

	for (int i = 0; i < p->points; i++) {
		right = fmax(right, p->point[i].iops);
		for (int l = 0; l < LINES; l++) {
			low = fmin(low, p->point[i].latency[l]);
			high = fmax(high, p->point[i].latency[l]);
		}
	}
	p->right = right > 0 ? right_end(right) : 1;
	p->low = nice_below(low);
	p->high = chart_nice(high);
	if (p->high <= p->low)
		p->high = p->low * 10;
}

/* Where in n steps from one end of the axis to the other; 0 is left or bottom. */
static double x_of(const struct plot *p, double iops, int n)
{
	return iops / p->right * (n - 1);
}

static double y_of(const struct plot *p, double ns, int n)
{
	return log(ns / p->low) / log(p->high / p->low) * (n - 1);
}

/* --- Lines. --- */

static void put_dot(struct canvas *c, const struct plot *p, const struct glyphs *g, bool braille,
		    int x, int y, enum style s)
{
	struct rect b = p->body;

	if (!braille) {
		canvas_put(c, b, b.rows - 1 - y, x, g->utf8 ? g->bullet : '.', s);
		return;
	}
	int row = b.rows - 1 - y / 4, col = x / 2;
	if (row < 0 || col < 0 || row >= b.rows || col >= b.cols)
		return;
	uint32_t had = c->cell[(b.row + row) * c->cols + b.col + col].ch;
	uint32_t bits = had >= 0x2800 && had < 0x2900 ? had : 0x2800;
	canvas_put(c, b, row, col, bits | glyph_braille_bit(x % 2, 3 - y % 4), s);
}

static void draw_line(struct canvas *c, const struct plot *p, const struct view *v, enum line l)
{
	bool braille = v->level == GL_BRAILLE;
	int w = p->body.cols * (braille ? 2 : 1), h = p->body.rows * (braille ? 4 : 1);

	/* The rate max is measured in another way, see curve_knee(): a point, and no line to it. */
	for (int i = 0; i + 1 < p->points && !isinf(p->point[i + 1].load); i++) {
		double x0 = x_of(p, p->point[i].iops, w), x1 = x_of(p, p->point[i + 1].iops, w);
		double y0 = y_of(p, p->point[i].latency[l], h);
		double y1 = y_of(p, p->point[i + 1].latency[l], h);
		int n = (int)ceil(fmax(x1 - x0, fabs(y1 - y0))) + 1;
		for (int k = 0; k <= n; k++)
			put_dot(c, p, v->g, braille, (int)lround(x0 + (x1 - x0) * k / n),
				(int)lround(y0 + (y1 - y0) * k / n), looks[l].style);
	}
}

static void draw_points(struct canvas *c, const struct plot *p, enum line l)
{
	for (int i = 0; i < p->points; i++)
		canvas_put(c, p->body,
			   p->body.rows - 1 -
				   (int)lround(y_of(p, p->point[i].latency[l], p->body.rows)),
			   (int)lround(x_of(p, p->point[i].iops, p->body.cols)),
			   (uint32_t)looks[l].sign, looks[l].style);
}

static void draw_knee(struct canvas *c, const struct plot *p, const struct view *v)
{
	for (int i = 0; i < p->points; i++) {
		if (!p->point[i].knee)
			continue;
		int col = (int)lround(x_of(p, p->point[i].iops, p->body.cols));
		for (int row = 0; row < p->body.rows; row++)
			canvas_put(c, p->body, row, col, v->g->mark, ST_RULE);
		canvas_text(c, p->body, p->body.rows - 1,
			    col + 5 <= p->body.cols ? col + 1 : col - 4, "knee", ST_LABEL);
	}
}

/* --- Axes. --- */

/* 1, 2, 5, 10, ...: as many of them as have room, the ends for sure. */
static void draw_latency_axis(struct canvas *c, const struct plot *p, const struct view *v)
{
	struct rect b = p->body;
	struct rect axis = {b.row, b.col - AXIS_COLS, b.rows, AXIS_COLS};
	int last = b.rows + TICK_ROWS;
	char text[32], level[48];

	for (int row = 0; row < b.rows; row++)
		canvas_put(c, axis, row, AXIS_COLS - 1, v->g->vline, ST_RULE);
	for (double ns = p->low; ns <= p->high * 1.001; ns = chart_nice(ns * 1.5)) {
		int row = b.rows - 1 - (int)lround(y_of(p, ns, b.rows));
		bool top = ns >= p->high * 0.999;
		if (last - row < TICK_ROWS && !(top && last - row >= 1))
			continue;
		units_latency(text, sizeof(text), ns, !v->g->utf8);
		canvas_text_right(c, axis, row, AXIS_COLS - 1,
				  text_for_level(level, sizeof(level), text, v->g), ST_LABEL);
		canvas_put(c, axis, row, AXIS_COLS - 1, v->g->tee_left, ST_RULE);
		last = row;
	}
}

static void draw_iops_axis(struct canvas *c, const struct plot *p, const struct view *v)
{
	struct rect b = p->body;
	struct rect axis = {b.row + b.rows, b.col - AXIS_COLS, 1, b.cols + AXIS_COLS};
	char text[32], unit[40];

	for (int col = AXIS_COLS; col < axis.cols; col++)
		canvas_put(c, axis, 0, col, v->g->hline, ST_RULE);
	canvas_put(c, axis, 0, AXIS_COLS - 1, v->g->corner_bl, ST_RULE);
	for (int i = 1; i < 4; i++) {
		units_count(text, sizeof(text), p->right * i / 4);
		canvas_text(c, axis, 0, AXIS_COLS + b.cols * i / 4 - canvas_width(text) / 2, text,
			    ST_LABEL);
	}
	snprintf(unit, sizeof(unit), " %s IOPS", units_count(text, sizeof(text), p->right));
	canvas_text_right(c, axis, 0, axis.cols, unit, ST_LABEL);
	canvas_text(c, axis, 0, AXIS_COLS, "0 ", ST_LABEL);
}

static void draw_legend(struct canvas *c, struct rect r)
{
	int col = AXIS_COLS + 1;

	col += canvas_printf(c, r, 0, col, looks[LINE_P99].style, "%c p99", looks[LINE_P99].sign);
	canvas_printf(c, r, 0, col + 2, looks[LINE_MEAN].style, "%c mean", looks[LINE_MEAN].sign);
}

void plot_curve(struct canvas *c, struct rect r, const struct view *v, const struct curve *curve)
{
	struct plot p = {0};

	canvas_fill(c, r, ' ', ST_NORMAL);
	collect(&p, curve);
	if (r.rows < PLOT_ROWS || r.cols < PLOT_COLS)
		return;
	if (p.points == 0) {
		canvas_text(c, r, r.rows / 2, AXIS_COLS, "nothing has been measured yet", ST_DIM);
		return;
	}
	scale(&p);
	p.body = (struct rect){r.row, r.col + AXIS_COLS, r.rows - 1, r.cols - AXIS_COLS};
	draw_latency_axis(c, &p, v);
	draw_iops_axis(c, &p, v);
	draw_legend(c, r);
	draw_knee(c, &p, v);
	for (int l = 0; l < LINES; l++)
		draw_line(c, &p, v, (enum line)l);
	for (int l = 0; l < LINES; l++)
		draw_points(c, &p, (enum line)l);
}
