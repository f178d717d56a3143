/* draw_heat.c - how latencies were spread over time; see draw.h.
 *
 * The store keeps five percentiles of each second and its shortest and longest IO. Between two of them lies a
 * known share of the second's IOs, which is drawn evenly (by the logarithm) from one to the other: so the
 * shares are exact and their places are as exact as the percentiles are close.
 */
#include "report/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report/axis.h"
#include "report/chart.h"

#define BANDS  36
#define LEVELS 6
#define STEPS  6 /* minimum, p50, p95, p99, p99.9, maximum */

struct plot {
	const char *kind; /* "wide", "narrow", "any" */
	unsigned width, height, left, right, top, bottom;
	size_t columns; /* at most */
};

struct heat_map {
	double low, high; /* ns, of the scale */
	double length;    /* s */
	size_t columns;
	double each;   /* s in a column */
	double *share; /* [column * BANDS + band], IOs */
	double *ios;   /* [column] */
};

/* The places of a second's steps, ns; false: it had no IO. */
static bool steps_of(const struct sample *s, double at[STEPS])
{
	const struct op_sample *r = &s->op[IO_READ], *w = &s->op[IO_WRITE];

	if (r->ios + w->ios == 0 || !s->p50)
		return false;
	at[0] = (double)(r->lat_min < w->lat_min ? r->lat_min : w->lat_min);
	at[1] = (double)s->p50;
	at[2] = (double)s->p95;
	at[3] = (double)s->p99;
	at[4] = (double)s->p999;
	at[5] = (double)(r->lat_max > w->lat_max ? r->lat_max : w->lat_max);
	/* The rest of a second has the percentiles of the one before as well, and none may go back. */
	at[0] = fmax(1, fmin(at[0], at[1]));
	for (int i = 1; i < STEPS; i++)
		at[i] = fmax(at[i], at[i - 1]);
	return true;
}

static void find_range(struct heat_map *h, const struct report_run *r)
{
	double at[STEPS];

	h->low = INFINITY;
	h->high = 0;
	for (size_t i = 0; i < r->stored.seconds; i++) {
		h->length = fmax(h->length, report_elapsed(r, r->stored.second[i].t_ns));
		if (!steps_of(&r->stored.second[i], at))
			continue;
		h->low = fmin(h->low, at[0]);
		h->high = fmax(h->high, at[STEPS - 1]);
	}
	for (size_t i = 0; i < r->marks; i++)
		h->length = fmax(h->length, report_elapsed(r, r->mark[i].wall));
	/* A range that is a point has no middle. */
	h->low /= 1.05;
	h->high *= 1.05;
}

static double band_of(const struct heat_map *h, double ns)
{
	return BANDS * log(ns / h->low) / log(h->high / h->low);
}

/* So many IOs, evenly from one place to the other. */
static void spread_between(double *column, double from, double to, double ios)
{
	double wide = to - from;

	for (int b = 0; b < BANDS; b++) {
		double part = wide < 1e-6 ? (double)(from >= b && from < b + 1)
					  : (fmin(to, b + 1) - fmax(from, b)) / wide;
		if (part > 0)
			column[b] += part * ios;
	}
}

static void add_second(struct heat_map *h, const struct report_run *r, const struct sample *s)
{
	static const double share[STEPS - 1] = {0.5, 0.45, 0.04, 0.009, 0.001};
	double at[STEPS], ios = (double)(s->op[IO_READ].ios + s->op[IO_WRITE].ios);
	double middle = report_elapsed(r, s->t_ns) - (double)s->dt_ns / 2e9;
	size_t column = middle > 0 ? (size_t)(middle / h->each) : 0;

	if (!steps_of(s, at))
		return;
	if (column >= h->columns)
		column = h->columns - 1;
	for (int i = 0; i + 1 < STEPS; i++)
		spread_between(h->share + column * BANDS, band_of(h, at[i]), band_of(h, at[i + 1]),
			       share[i] * ios);
	h->ios[column] += ios;
}

static bool make_map(struct heat_map *h, const struct report_run *r, size_t most)
{
	memset(h, 0, sizeof(*h));
	find_range(h, r);
	if (!(h->high > h->low) || !(h->length > 0))
		return false;
	h->each = fmax(1, ceil(h->length / (double)most));
	h->columns = (size_t)ceil(h->length / h->each);
	h->columns = h->columns ? h->columns : 1;
	h->share = calloc(h->columns * BANDS, sizeof(*h->share));
	h->ios = calloc(h->columns, sizeof(*h->ios));
	for (size_t i = 0; h->share && h->ios && i < r->stored.seconds; i++)
		add_second(h, r, &r->stored.second[i]);
	return h->share && h->ios;
}

static void free_map(struct heat_map *h)
{
	free(h->share);
	free(h->ios);
}

/* 0: nothing; a level more for each factor of about four, the highest from 20 % of a column's IOs on. */
static int level_of(double share)
{
	static const double from[LEVELS] = {0.0001, 0.001, 0.005, 0.02, 0.08, 0.2};
	int level = 0;

	while (level < LEVELS && share >= from[level])
		level++;
	return level;
}

static void draw_level(const struct out *o, const struct plot *p, const struct heat_map *h,
		       int level)
{
	double dx = (p->width - p->left - p->right) / (h->length / h->each);
	double dy = (double)(p->height - p->top - p->bottom) / BANDS;

	fprintf(o->f, "<path class=\"heat\" fill-opacity=\"%.2f\" d=\"", level / (double)LEVELS);
	for (size_t c = 0; c < h->columns; c++)
		for (int b = 0; b < BANDS;) {
			const double *share = h->share + c * BANDS;
			int first = b;
			while (b < BANDS && h->ios[c] > 0 &&
			       level_of(share[b] / h->ios[c]) == level)
				b++;
			if (b > first)
				fprintf(o->f, "M%.1f %.1fh%.2fv%.1fh-%.2fz",
					p->left + dx * (double)c, p->height - p->bottom - dy * b,
					dx + 0.05, dy * (b - first), dx + 0.05);
			else
				b++;
		}
	fputs("\"/>\n", o->f);
}

static void text_at(const struct out *o, double x, double y, const char *anchor, const char *text)
{
	fprintf(o->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
		text);
}

static void draw_axes(const struct out *o, const struct plot *p, const struct heat_map *h)
{
	double wide = p->width - p->left - p->right, high = p->height - p->top - p->bottom,
	       last = 1e9;
	struct axis a;

	fputs("<g class=\"axis\">\n", o->f);
	axis_latencies(&a, h->low, h->high);
	for (unsigned i = 0; i < a.count; i++) {
		double y = p->height - p->bottom - high * band_of(h, a.tic[i].at) / BANDS;
		if (y < p->top - 1 || y > p->height - p->bottom + 1 || last - y < 15)
			continue;
		fprintf(o->f, "<path class=\"gridline\" d=\"M%u %.1fH%u\"/>\n", p->left, y,
			p->width - p->right);
		text_at(o, p->left - 6, y + 4, "end", a.tic[i].text);
		last = y;
	}
	axis_time(&a, h->length, p->width < 500 ? 4 : 10);
	for (unsigned i = 0; i < a.count; i++) {
		double x = p->left + wide * a.tic[i].at / h->length;
		fprintf(o->f, "<path class=\"tic\" d=\"M%.1f %uv4\"/>\n", x, p->height - p->bottom);
		text_at(o, x, p->height - p->bottom + 17, "middle", a.tic[i].text);
	}
	fputs("</g>\n", o->f);
}

static void draw_marks(const struct out *o, const struct plot *p, const struct heat_map *h,
		       const struct report_run *r)
{
	double last = -100;

	for (size_t i = 0; i < r->marks; i++) {
		const struct mark *m = &r->mark[i];
		double x = p->left +
			   (p->width - p->left - p->right) * report_elapsed(r, m->wall) / h->length;
		if (m->letter < 'a' || m->letter > 'z')
			continue;
		fprintf(o->f, "<path class=\"mark\" d=\"M%.1f %uV%u\"/>\n", x, p->top,
			p->height - p->bottom);
		if (x - last < 15)
			continue;
		fprintf(o->f,
			"<text class=\"marktext\" x=\"%.1f\" y=\"%u\" text-anchor=\"middle\">%c"
			"</text>\n",
			x, p->top - 5, m->letter);
		last = x;
	}
}

static bool draw_one(const struct out *o, const struct plot *p, const struct report_run *r,
		     double *each)
{
	struct heat_map h;
	bool fine = make_map(&h, r, p->columns);

	if (fine) {
		svg_begin(o, p->kind, p->width, p->height,
			  "Heat map: how the latencies were spread over time.");
		draw_axes(o, p, &h);
		for (int level = 1; level <= LEVELS; level++)
			draw_level(o, p, &h, level);
		draw_marks(o, p, &h, r);
		svg_end(o);
		*each = h.each;
	}
	free_map(&h);
	return fine;
}

void draw_heat(const struct out *o, const struct report_run *r, const char *id)
{
	static const struct plot wide = {"wide", 960, 280, 62, 18, 20, 28, 240};
	static const struct plot narrow = {"narrow", 400, 240, 56, 12, 20, 28, 110};
	struct heat_map probe = {0};
	char figure[64], seconds[48] = "a second";
	double each = 1, other;

	find_range(&probe, r);
	if (!(probe.high > probe.low) || !(probe.length > 0))
		return;
	snprintf(figure, sizeof(figure), "%s-heat", id);
	figure_begin(o, figure);
	if (draw_one(o, &wide, r, &each))
		draw_one(o, &narrow, r, &other);
	if (each > 1)
		snprintf(seconds, sizeof(seconds), "%.0f s", each);
	figure_end(o,
		   "Latencies over time: a column is %s (more on narrow pages), the darker or "
		   "brighter the larger the share of its IOs, from 0.01 %% to 20 %% and more. "
		   "Between the percentiles kept of each second (p50, p95, p99, p99.9) IOs are "
		   "drawn evenly.",
		   seconds);
}
