/* chart.c - see chart.h.
 *
 * No text of a run gets into a script: marks are letters, runs are numbers.
 */
#include "report/chart.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "report/axis.h"
#include "report/gnuplot.h"
#include "report/points.h"
#include "report/words.h"

/* The page's colours by number, as gnuplot_draw() has them. */
#define INK  "#000000"
#define ONE  "#000001" /* reads, p50, the first run */
#define TWO  "#000002" /* writes, p99, the second */
#define MARK "#000004"
#define OUT  "#000005" /* a path was out */
#define LINE "#000006"
#define AXIS "#000007"
#define SOFT "#000008" /* of text beside the figures */

struct frame {
	bool narrow;
	unsigned width, height;
	size_t points; /* at most */
};

static const struct frame frames[] = {{false, 960, 210, 480}, {true, 400, 200, 200}};
#define FRAMES (sizeof(frames) / sizeof(*frames))

enum chart_kind { CHART_IOPS, CHART_RATE, CHART_LATENCY, CHART_CPU, CHARTS };

static const char *const chart_title[CHARTS] = {"IOPS", "Rate", "Latency", "CPU of the host"};
static const char *const chart_unit[CHARTS] = {"IO/s", "MiB/s", "", "%"};

/* --- Frames. --- */

void figure_begin(const struct out *o, const char *id)
{
	fprintf(o->f, "<figure id=\"%s\">\n", id);
}

void svg_begin(const struct out *o, const char *kind, unsigned width, unsigned height,
	       const char *words)
{
	fprintf(o->f, "<svg class=\"%s\" viewBox=\"0 0 %u %u\" role=\"img\" aria-label=\"", kind,
		width, height);
	out_text(o, words);
	fputs("\">\n", o->f);
}

void svg_end(const struct out *o)
{
	fputs("</svg>\n", o->f);
}

void figure_end(const struct out *o, const char *format, ...)
{
	char *text = NULL;
	va_list list;

	va_start(list, format);
	if (vasprintf(&text, format, list) < 0)
		text = NULL;
	va_end(list);
	fputs("<figcaption>", o->f);
	out_text(o, text ? text : "");
	fputs("</figcaption>\n</figure>\n", o->f);
	free(text);
}

/* --- Scripts. --- */

static void script_tics(FILE *f, char axis, const struct axis *a)
{
	fprintf(f, "set %ctics (", axis);
	for (unsigned i = 0; i < a->count; i++)
		fprintf(f, "%s\"%s\" %.9g", i ? ", " : "", a->tic[i].text, a->tic[i].at);
	fprintf(f, ") textcolor rgb \"%s\" scale 0.5\n", SOFT);
	fprintf(f, "set %crange [%.9g:%.9g]\n", axis, a->low, a->high);
}

static void script_frame(FILE *f, const struct frame *fr, double length, const char *unit)
{
	struct axis time;

	axis_time(&time, length, fr->narrow ? 4 : 10);
	fprintf(f,
		"set datafile missing \"NaN\"\n"
		"set border 3 lc rgb \"%s\"\n"
		"set tics nomirror out\n"
		"set grid ytics lt 1 lc rgb \"%s\" lw 1\n"
		"set lmargin at screen %.4f\n"
		"set rmargin at screen %.4f\n"
		"set tmargin 2.2\nset bmargin 2\n"
		"set key tmargin right horizontal samplen 2.5 textcolor rgb \"%s\"\n"
		"set label 1 \"%s\" at screen 0.004,0.95 left textcolor rgb \"%s\"\n",
		AXIS, LINE, 62.0 / fr->width, 1 - 18.0 / fr->width, SOFT, unit, SOFT);
	script_tics(f, 'x', &time);
}

/* Lines where marks are, with their letters as far as there is room for each. */
static void script_marks(FILE *f, const struct report_run *r, const struct frame *fr, double length)
{
	double room = 15 * length / (fr->width - 80.0), last = -room;
	unsigned label = 10;

	for (size_t i = 0; i < r->marks; i++) {
		const struct mark *m = &r->mark[i];
		double at = report_elapsed(r, m->wall);
		if (m->letter < 'a' || m->letter > 'z')
			continue;
		fprintf(f,
			"set arrow from %.6f,graph 0 to %.6f,graph 1 nohead lc rgb \"%s\" dt "
			"(4,3) lw 1 back\n",
			at, at, MARK);
		if (at - last < room)
			continue;
		fprintf(f,
			"set label %u \"%c\" at %.6f,graph 1.06 center textcolor rgb \"%s\" "
			"front\n",
			label++, m->letter, at, MARK);
		last = at;
	}
}

/* Time that no mean counts. */
static void script_outages(FILE *f, const struct report_run *r)
{
	const struct sample *s = r->stored.second;

	for (size_t i = 0; i < r->stored.seconds; i++) {
		size_t first = i;
		if (!s[i].gap_ns)
			continue;
		while (i + 1 < r->stored.seconds && s[i + 1].gap_ns)
			i++;
		fprintf(f,
			"set object rect from %.6f,graph 0 to %.6f,graph 1 fc rgb \"%s\" fs "
			"transparent solid "
			"0.16 noborder behind\n",
			report_elapsed(r, s[first].t_ns - s[first].dt_ns),
			report_elapsed(r, s[i].t_ns), OUT);
	}
}

static void script_number(FILE *f, double v)
{
	if (isfinite(v))
		fprintf(f, " %.6g", v);
	else
		fputs(" NaN", f);
}

/* Columns: time, IOPS R W T, MiB/s R W T, p50, p99, CPU. */
static void script_data(FILE *f, unsigned number, const struct points *p)
{
	fprintf(f, "$d%u << END\n", number);
	for (size_t i = 0; i < p->count; i++) {
		const struct point_at *at = &p->point[i];
		if (at->apart)
			fputs("\n", f);
		fprintf(f, "%.3f", (at->from + at->to) / 2);
		for (int op = 0; op < SUM_COUNT; op++)
			script_number(f, at->iops[op]);
		for (int op = 0; op < SUM_COUNT; op++)
			script_number(f, at->mib_s[op]);
		script_number(f, at->p50);
		script_number(f, at->p99);
		script_number(f, at->cpu);
		fputc('\n', f);
	}
	fputs("END\n", f);
}

static double largest(const struct points *p, enum chart_kind kind)
{
	double v = 0;

	for (size_t i = 0; i < p->count; i++)
		v = fmax(v, kind == CHART_IOPS   ? p->point[i].iops[SUM_TOTAL]
			    : kind == CHART_RATE ? p->point[i].mib_s[SUM_TOTAL]
						 : p->point[i].cpu);
	return v;
}

static void latency_range(const struct points *p, double *low, double *high)
{
	for (size_t i = 0; i < p->count; i++) {
		*low = fmin(*low, p->point[i].p50);
		*high = fmax(*high, p->point[i].p99);
	}
}

static void script_y(FILE *f, enum chart_kind kind, double low, double high)
{
	struct axis a;

	if (kind == CHART_LATENCY) {
		axis_latencies(&a, low, high);
		fprintf(f, "set logscale y\n");
	} else {
		axis_counts(&a, kind == CHART_CPU ? 100 : high);
	}
	script_tics(f, 'y', &a);
}

static void script_line(FILE *f, const char *before, unsigned data, unsigned column,
			const char *colour, int dash, const char *name)
{
	fprintf(f, "%s$d%u using 1:%u with lines lc rgb \"%s\" lw 1.6 dt %d title \"%s\"", before,
		data, column, colour, dash, name);
}

static bool has_both(const struct report_run *r)
{
	return r->sum.op[SUM_READ].ios && r->sum.op[SUM_WRITE].ios;
}

static void script_lines(FILE *f, const struct report_run *r, enum chart_kind kind)
{
	unsigned column = kind == CHART_IOPS ? 2 : 5;

	if (kind == CHART_LATENCY) {
		script_line(f, "plot ", 0, 8, ONE, 1, "p50");
		script_line(f, ", ", 0, 9, TWO, 2, "p99");
	} else if (kind == CHART_CPU) {
		script_line(f, "plot ", 0, 10, ONE, 1, "all CPUs");
	} else if (has_both(r)) {
		script_line(f, "plot ", 0, column, ONE, 1, "read");
		script_line(f, ", ", 0, column + 1, TWO, 2, "write");
		script_line(f, ", ", 0, column + 2, INK, 1, "total");
	} else {
		script_line(f, "plot ", 0, column + 2, r->sum.op[SUM_WRITE].ios ? TWO : ONE, 1,
			    r->sum.op[SUM_WRITE].ios ? "write" : "read");
	}
	fputc('\n', f);
}

static int draw(const struct out *o, const struct frame *fr, const char *script, const char *words,
		struct error *e)
{
	char *drawing;
	int rc = gnuplot_draw(&drawing, script, fr->width, fr->height, e);

	if (rc)
		return rc;
	svg_begin(o, fr->narrow ? "narrow" : "wide", fr->width, fr->height, words);
	fputs(drawing, o->f);
	svg_end(o);
	free(drawing);
	return 0;
}

static int draw_kind(const struct out *o, const struct report_run *r, const struct points *p,
		     const struct frame *fr, enum chart_kind kind, struct error *e)
{
	char *script = NULL, words[160];
	size_t n;
	FILE *f = open_memstream(&script, &n);
	double low = INFINITY, high = largest(p, kind);

	if (!f)
		return error_set(e, ENOMEM, "out of memory for a chart");
	if (kind == CHART_LATENCY) {
		high = 0;
		latency_range(p, &low, &high);
	}
	script_frame(f, fr, p->length, chart_unit[kind]);
	script_y(f, kind, low, high);
	script_outages(f, r);
	script_marks(f, r, fr, p->length);
	script_data(f, 0, p);
	script_lines(f, r, kind);
	fclose(f);
	snprintf(words, sizeof(words),
		 "Chart: %s of run %lld over time. Its figures stand in the "
		 "tables.",
		 chart_title[kind], (long long)r->head.id);
	int rc = draw(o, fr, script, words, e);
	free(script);
	return rc;
}

/* --- Of a run. --- */

static void caption(const struct out *o, const struct report_run *r, enum chart_kind kind,
		    unsigned seconds)
{
	char each[80] = "", latency[80] = "";

	if (seconds > 1) {
		snprintf(each, sizeof(each), " A point is %u s.", seconds);
		if (kind == CHART_LATENCY)
			snprintf(latency, sizeof(latency), " p99 is the highest of its seconds.");
	}
	figure_end(o, "%s%s%s%s over time from the start of the run.%s%s%s", chart_title[kind],
		   *chart_unit[kind] ? ", " : "", chart_unit[kind],
		   kind == CHART_LATENCY ? " (p50 and p99 of each second)" : "", each, latency,
		   r->sum.outage.seconds > 0 ? " Shaded: a path was out, which no mean counts."
					     : "");
}

int charts_of_run(const struct out *o, const struct report_run *r, const char *id, struct error *e)
{
	struct points p[FRAMES] = {{NULL}};
	int rc = 0;

	for (size_t i = 0; i < FRAMES; i++)
		if (!points_take(&p[i], r, frames[i].points))
			rc = error_set(e, ENOMEM, "out of memory for a chart");
	for (int kind = 0; kind < CHARTS && rc == 0; kind++) {
		char name[64];
		if (kind == CHART_CPU && !r->sum.cpu_valid)
			continue;
		snprintf(name, sizeof(name), "%s-chart-%d", id, kind + 1);
		figure_begin(o, name);
		for (size_t i = 0; i < FRAMES && rc == 0; i++)
			rc = draw_kind(o, r, &p[i], &frames[i], (enum chart_kind)kind, e);
		caption(o, r, (enum chart_kind)kind, p[0].seconds);
	}
	for (size_t i = 0; i < FRAMES; i++)
		points_free(&p[i]);
	return rc;
}

/* --- Of several. --- */

static int draw_over(const struct out *o, const struct report *r, const struct points *p,
		     const struct frame *fr, enum chart_kind kind, struct error *e)
{
	static const char *const colour[] = {ONE, TWO, INK, "#000003"};
	char *script = NULL, words[160], name[48];
	double low = INFINITY, high = 0, length = 0;
	size_t n;
	FILE *f = open_memstream(&script, &n);

	if (!f)
		return error_set(e, ENOMEM, "out of memory for a chart");
	for (size_t i = 0; i < r->runs; i++) {
		length = fmax(length, p[i].length);
		if (kind == CHART_LATENCY)
			latency_range(&p[i], &low, &high);
		else
			high = fmax(high, largest(&p[i], kind));
	}
	script_frame(f, fr, length, chart_unit[kind]);
	script_y(f, kind, low, high);
	for (size_t i = 0; i < r->runs; i++)
		script_data(f, (unsigned)i, &p[i]);
	for (size_t i = 0; i < r->runs; i++) {
		snprintf(name, sizeof(name), "%c run %lld", (char)('A' + i),
			 (long long)r->run[i].head.id);
		script_line(f, i ? ", " : "plot ", (unsigned)i, kind == CHART_LATENCY ? 9 : 4,
			    colour[i % 4], (int)i + 1, name);
	}
	fputc('\n', f);
	fclose(f);
	snprintf(words, sizeof(words),
		 "Chart: %s of the runs over each other, from the beginning "
		 "of each.",
		 chart_title[kind]);
	int rc = draw(o, fr, script, words, e);
	free(script);
	return rc;
}

int charts_of_runs(const struct out *o, const struct report *r, struct error *e)
{
	static const enum chart_kind kinds[] = {CHART_IOPS, CHART_LATENCY};
	struct points p[FRAMES][REPORT_RUNS] = {{{NULL}}};
	int rc = 0;

	for (size_t i = 0; i < FRAMES * r->runs; i++)
		if (!points_take(&p[i / r->runs][i % r->runs], &r->run[i % r->runs],
				 frames[i / r->runs].points))
			rc = error_set(e, ENOMEM, "out of memory for a chart");
	for (size_t k = 0; k < 2 && rc == 0; k++) {
		figure_begin(o, k ? "over-latency" : "over-iops");
		for (size_t i = 0; i < FRAMES && rc == 0; i++)
			rc = draw_over(o, r, p[i], &frames[i], kinds[k], e);
		figure_end(o, "%s of each run, from its own beginning.",
			   k ? "p99 latency" : "IOPS (IO/s)");
	}
	for (size_t i = 0; i < FRAMES * r->runs; i++)
		points_free(&p[i / r->runs][i % r->runs]);
	return rc;
}
