/* answer.c - the answer to the knobs, in Iometer's order: IOPS, throughput, response time, CPU.
 *
 * Every figure has a fixed width and keeps its place. A line stands between the groups, with as much
 * room around it as there is, none at 80 columns: without it one group's last figure reads as the next
 * one's. Latencies share one unit, the mean's, which is the group's label; it moves on only where a
 * figure would not fit.
 */
#include <math.h>
#include <string.h>
#include "figures.h"
#include "pane_util.h"

struct latency_unit {
	const char *name;
	double ns;
};

static struct latency_unit unit_for(double mean, double longest, bool ascii)
{
	struct latency_unit u[] = {{ascii ? "us" : "µs", 1e3}, {"ms", 1e6}, {" s", 1e9}};
	int i = 1;

	if (!isnan(mean))
		i = mean < 999.5e3 ? 0 : mean < 999.5e6 ? 1 : 2;
	while (i < 2 && longest / u[i].ns >= 9999.5)
		i++;
	return u[i];
}

static void count_text(char *out, size_t n, double value)
{
	char text[16];

	snprintf(out, n, "%6s", units_count(text, sizeof(text), value < 1 ? round(value) : value));
}

/* The figures as texts. */
struct texts {
	char iops[FIG_COUNT][16], rate[FIG_COUNT][16], ms[FIG_COUNT][16], p99[16], cpu[16];
	char line[5]; /* between the groups */
	const char *unit, *rate_unit;
};

static void make_texts(struct texts *t, const struct view *v, bool roomy)
{
	struct figures f = figures_of(&v->snap);
	double scale = units_rate_scale(v->unit);
	double longest = fmax(f.p99, fmax(f.latency[FIG_READ], f.latency[FIG_WRITE]));
	struct latency_unit u = unit_for(f.latency[FIG_TOTAL], longest, !v->g->utf8);

	for (int i = 0; i < FIG_COUNT; i++) {
		count_text(t->iops[i], sizeof(t->iops[i]), f.iops[i]);
		figure_digits(t->rate[i], sizeof(t->rate[i]), f.bytes_s[i] / scale, roomy ? 5 : 4);
		figure_digits(t->ms[i], sizeof(t->ms[i]), f.latency[i] / u.ns, 4);
	}
	figure_digits(t->p99, sizeof(t->p99), f.p99 / u.ns, 4);
	if (!f.cpu_known)
		snprintf(t->cpu, sizeof(t->cpu), roomy ? "     -" : "   -");
	else
		snprintf(t->cpu, sizeof(t->cpu), roomy ? "%5.1f%%" : "%3.0f%%", f.cpu_percent);
	utf8_of(t->line, v->g->vline);
	t->unit = u.name;
	t->rate_unit = units_rate_name(v->unit);
}

#define PIECES 25

/* The row with pad blanks on either side of the lines between groups, and pair between figures. */
static void make_pieces(struct piece out[PIECES], const struct texts *t, int pad, int pair)
{
	const struct piece p[PIECES] = {
		{"IOPS", ST_LABEL, 0, 0},
		{t->iops[FIG_TOTAL], ST_TOTAL, 1, 0},
		{"R", ST_READ, pair, 3},
		{t->iops[FIG_READ], ST_READ, 1, 3},
		{"W", ST_WRITE, pair, 3},
		{t->iops[FIG_WRITE], ST_WRITE, 1, 3},
		{t->line, ST_RULE, pad, 2},
		{t->rate_unit, ST_LABEL, pad, 2},
		{t->rate[FIG_TOTAL], ST_TOTAL, 1, 2},
		{"R", ST_READ, pair, 6},
		{t->rate[FIG_READ], ST_READ, 1, 6},
		{"W", ST_WRITE, pair, 6},
		{t->rate[FIG_WRITE], ST_WRITE, 1, 6},
		{t->line, ST_RULE, pad, 1},
		{t->unit, ST_LABEL, pad, 1},
		{t->ms[FIG_TOTAL], ST_TOTAL, 1, 1},
		{"R", ST_READ, pair, 7},
		{t->ms[FIG_READ], ST_READ, 1, 7},
		{"W", ST_WRITE, pair, 7},
		{t->ms[FIG_WRITE], ST_WRITE, 1, 7},
		{"p99", ST_LABEL, pair, 4},
		{t->p99, ST_VALUE, 1, 4},
		{t->line, ST_RULE, pad, 5},
		{"CPU", ST_LABEL, pad, 5},
		{t->cpu, ST_VALUE, 1, 5},
	};

	memcpy(out, p, sizeof(p));
}

void answer_draw(struct canvas *c, struct rect r, const struct view *v)
{
	/* Blanks beside a line, blanks between figures: the first that costs no figure. */
	static const int space[][2] = {{2, 2}, {2, 1}, {1, 1}, {0, 1}};
	int lead = r.cols > 80 ? 1 : 0, cols = r.cols - lead, way = 0, tightest = 3;
	struct piece p[PIECES];
	struct texts t;

	if (r.rows < 1)
		return;
	make_texts(&t, v, r.cols >= 110);
	make_pieces(p, &t, space[tightest][0], space[tightest][1]);
	int figures = pieces_fit(p, PIECES, cols);

	make_pieces(p, &t, space[way][0], space[way][1]);
	while (way < tightest && pieces_fit(p, PIECES, cols) < figures) {
		way++;
		make_pieces(p, &t, space[way][0], space[way][1]);
	}
	pieces_draw(c, r, 0, lead, cols, p, PIECES);
}
