/* draw_hist.c - how a run's latencies were spread; see draw.h.
 *
 * Heights are by the logarithm of the share, from a millionth to all, so that the tail is seen beside the
 * rest: that is what latencies are looked at for.
 */
#include "report/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report/axis.h"
#include "report/chart.h"
#include "report/words.h"

#define BARS_MOST  96
#define BARS_LEAST 16
#define LEAST      1e-5 /* of a share that is seen */
#define ROWS_SHOWN 24

struct plot {
	const char *kind; /* "wide", "narrow", "any" */
	unsigned width, height, left, right, top, bottom;
};

/* Bins put together to bars of one width, from the first that has an IO to the last. */
struct bars {
	unsigned first, count, each; /* bins */
	uint64_t ios[IO_OPS];
};

typedef uint64_t bins[IO_OPS][REPORT_BINS];

static bool find_bars(struct bars *b, const bins bin)
{
	unsigned last = 0;
	bool any = false;

	memset(b, 0, sizeof(*b));
	for (unsigned i = 0; i < REPORT_BINS; i++) {
		b->ios[IO_READ] += bin[IO_READ][i];
		b->ios[IO_WRITE] += bin[IO_WRITE][i];
		if (!bin[IO_READ][i] && !bin[IO_WRITE][i])
			continue;
		if (!any)
			b->first = i;
		any = true;
		last = i;
	}
	for (b->each = 1; (last - b->first) / b->each + 1 > BARS_MOST;)
		b->each *= 2;
	b->first -= b->first % b->each;
	b->count = (last - b->first) / b->each + 1;
	/* A few latencies are no wall of colour. */
	while (b->count < BARS_LEAST && b->first + (b->count + 2) * b->each < REPORT_BINS) {
		if (b->first >= b->each) {
			b->first -= b->each;
			b->count++;
		}
		b->count++;
	}
	return any;
}

static uint64_t bar_ios(const struct bars *b, const uint64_t bin[REPORT_BINS], unsigned i)
{
	uint64_t n = 0;

	for (unsigned k = 0; k < b->each && b->first + i * b->each + k < REPORT_BINS; k++)
		n += bin[b->first + i * b->each + k];
	return n;
}

static double low_of(const struct bars *b, unsigned bar)
{
	unsigned i = b->first + bar * b->each;

	/* The first bin of all begins at 0, which has no logarithm. */
	return fmax(1, (double)report_bin_low(i < REPORT_BINS ? i : REPORT_BINS - 1));
}

static double x_of(const struct plot *p, const struct bars *b, double ns)
{
	double low = log(low_of(b, 0)), high = log(low_of(b, b->count));

	return p->left + (p->width - p->left - p->right) * (log(ns) - low) / fmax(high - low, 1e-9);
}

static double y_of(const struct plot *p, double share)
{
	double full = p->height - p->top - p->bottom;

	return p->top + full * fmin(1, log(fmax(share, LEAST)) / log(LEAST));
}

static void text_at(const struct out *o, double x, double y, const char *anchor, const char *text)
{
	fprintf(o->f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	out_text(o, text);
	fputs("</text>\n", o->f);
}

static void draw_axes(const struct out *o, const struct plot *p, const struct bars *b)
{
	struct axis a;
	double last = -100;

	fputs("<g class=\"axis\">\n", o->f);
	for (int power = 0; power >= -5; power--) {
		double share = pow(10, power), y = y_of(p, share);
		char text[16];
		snprintf(text, sizeof(text), "%g %%", share * 100);
		fprintf(o->f, "<path class=\"gridline\" d=\"M%u %.1fH%u\"/>\n", p->left, y,
			p->width - p->right);
		if (power % 2 == 0 || p->height > 180)
			text_at(o, p->left - 6, y + 4, "end", text);
	}
	axis_latencies(&a, low_of(b, 0), low_of(b, b->count));
	for (unsigned i = 0; i < a.count; i++) {
		double x = x_of(p, b, a.tic[i].at);
		if (x < p->left - 1 || x > p->width - p->right + 1 || x - last < 52)
			continue;
		fprintf(o->f, "<path class=\"tic\" d=\"M%.1f %uv4\"/>\n", x, p->height - p->bottom);
		text_at(o, x, p->height - p->bottom + 17, "middle", a.tic[i].text);
		last = x;
	}
	/* Within a narrow range no round number may lie. */
	if (last < 0) {
		char text[WORDS];
		text_at(o, p->left, p->height - p->bottom + 17, "start",
			words_latency(text, low_of(b, 0)));
		text_at(o, p->width - p->right, p->height - p->bottom + 17, "end",
			words_latency(text, low_of(b, b->count)));
	}
	fputs("</g>\n", o->f);
}

static void draw_bars(const struct out *o, const struct plot *p, const struct bars *b,
		      const bins bin)
{
	double all = (double)(b->ios[IO_READ] + b->ios[IO_WRITE]);
	bool both = b->ios[IO_READ] && b->ios[IO_WRITE];

	for (int op = 0; op < IO_OPS; op++) {
		if (!b->ios[op])
			continue;
		fprintf(o->f, "<path class=\"bar%d\" d=\"", op + 1);
		for (unsigned i = 0; i < b->count; i++) {
			uint64_t n = bar_ios(b, bin[op], i);
			double x0 = x_of(p, b, low_of(b, i)), x1 = x_of(p, b, low_of(b, i + 1));
			double part = both ? (x1 - x0) / 2 : x1 - x0;
			double y = y_of(p, (double)n / all);
			if (both && op == IO_WRITE)
				x0 += part;
			if (n)
				fprintf(o->f, "M%.1f %.1fh%.2fV%uh-%.2fz", x0,
					fmin(y, p->height - p->bottom - 0.8), part,
					p->height - p->bottom, part);
		}
		fputs("\"/>\n", o->f);
	}
}

static void draw_percentile(const struct out *o, const struct plot *p, const struct bars *b,
			    const char *name, double ns, unsigned row)
{
	double x = isnan(ns) || ns < 1 ? 0 : x_of(p, b, ns);
	bool left = x > p->width - 90;

	if (x < p->left)
		return;
	fprintf(o->f, "<path class=\"mark\" d=\"M%.1f %uV%u\"/>\n", x, p->top - 30 + 12 * row,
		p->height - p->bottom);
	fprintf(o->f, "<text class=\"marktext\" x=\"%.1f\" y=\"%u\" text-anchor=\"%s\">%s</text>\n",
		x + (left ? -4 : 4), p->top - 22 + 12 * row, left ? "end" : "start", name);
}

static void draw_legend(const struct out *o, const struct plot *p, const struct bars *b)
{
	static const char *const name[IO_OPS] = {"read", "write"};
	unsigned x = p->left;

	for (int op = 0; op < IO_OPS; op++) {
		if (!b->ios[op])
			continue;
		fprintf(o->f, "<path class=\"bar%d\" d=\"M%u 2h12v10h-12z\"/>\n", op + 1, x);
		text_at(o, x + 17, 12, "start", name[op]);
		x += 72;
	}
}

static void draw_one(const struct out *o, const struct plot *p, const bins bin,
		     const struct summary *sum, const char *words)
{
	const struct summary_op *t = &sum->op[SUM_TOTAL];
	struct bars b;

	if (!find_bars(&b, bin))
		return;
	svg_begin(o, p->kind, p->width, p->height, words);
	draw_axes(o, p, &b);
	draw_bars(o, p, &b, bin);
	draw_percentile(o, p, &b, "p50", t->p50, 0);
	draw_percentile(o, p, &b, "p99", t->p99, 1);
	draw_percentile(o, p, &b, "p99.9", t->p999, 2);
	draw_legend(o, p, &b);
	svg_end(o);
}

static bool has_ios(const struct report_segment *row)
{
	return row->sum.op[SUM_TOTAL].ios > 0;
}

static size_t rows_with_ios(const struct report_run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->rows; i++)
		n += has_ios(&r->row[i]);
	return n;
}

static void draw_rows(const struct out *o, const struct report_run *r, const char *id)
{
	static const struct plot small = {"any", 400, 190, 52, 12, 52, 26};
	unsigned shown = 0;

	fputs("<div class=\"small\">\n", o->f);
	for (size_t i = 0; i < r->rows && shown < ROWS_SHOWN; i++) {
		const struct report_segment *row = &r->row[i];
		char name[16], figure[64], words[160], p50[WORDS], p99[WORDS];
		if (!has_ios(row) || row->way)
			continue;
		report_segment_name(row, name);
		snprintf(figure, sizeof(figure), "%s-hist-%u", id, row->number);
		snprintf(words, sizeof(words), "Histogram: latencies of segment %s.", name);
		figure_begin(o, figure);
		draw_one(o, &small, row->bin, &row->sum, words);
		figure_end(o, "Segment %s: p50 %s, p99 %s, %llu IOs.", name,
			   words_latency(p50, row->sum.op[SUM_TOTAL].p50),
			   words_latency(p99, row->sum.op[SUM_TOTAL].p99),
			   (unsigned long long)row->sum.op[SUM_TOTAL].ios);
		shown++;
	}
	fputs("</div>\n", o->f);
}

void draw_histograms(const struct out *o, const struct report_run *r, const char *id)
{
	static const struct plot wide = {"wide", 960, 270, 62, 18, 52, 28};
	static const struct plot narrow = {"narrow", 400, 230, 52, 12, 52, 28};
	char figure[64];

	snprintf(figure, sizeof(figure), "%s-hist", id);
	figure_begin(o, figure);
	draw_one(o, &wide, r->bin, &r->sum, "Histogram: how the latencies were spread.");
	draw_one(o, &narrow, r->bin, &r->sum, "Histogram: how the latencies were spread.");
	figure_end(o, "How the latencies were spread: the share of all IOs in each bar, by its "
		      "logarithm; lines at p50, p99 and p99.9 of reads and writes together.");
	if (rows_with_ios(r) > 1)
		draw_rows(o, r, id);
}
