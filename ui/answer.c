/* answer.c - the answer to the knobs, in Iometer's order: IOPS, throughput, response time, CPU.
 *
 * Every figure has a fixed width and keeps its place. Latencies share one unit, the mean's, which
 * is the group's label; it moves on only where a figure would not fit.
 */
#include <math.h>
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

void answer_draw(struct canvas *c, struct rect r, const struct view *v)
{
	struct figures f = figures_of(&v->snap);
	bool roomy = r.cols >= 110;
	int gap = roomy ? 5 : r.cols >= 88 ? 3 : 1, pair = roomy ? 2 : 1, width = roomy ? 5 : 4;
	double scale = units_rate_scale(v->unit);
	double longest = fmax(f.p99, fmax(f.latency[FIG_READ], f.latency[FIG_WRITE]));
	struct latency_unit u = unit_for(f.latency[FIG_TOTAL], longest, !v->g->utf8);
	char iops[FIG_COUNT][16], rate[FIG_COUNT][16], ms[FIG_COUNT][16], p99[16], cpu[16];

	if (r.rows < 1)
		return;
	for (int i = 0; i < FIG_COUNT; i++) {
		count_text(iops[i], sizeof(iops[i]), f.iops[i]);
		figure_digits(rate[i], sizeof(rate[i]), f.bytes_s[i] / scale, width);
		figure_digits(ms[i], sizeof(ms[i]), f.latency[i] / u.ns, 4);
	}
	figure_digits(p99, sizeof(p99), f.p99 / u.ns, 4);
	if (!f.cpu_known)
		snprintf(cpu, sizeof(cpu), roomy ? "     -" : "   -");
	else
		snprintf(cpu, sizeof(cpu), roomy ? "%5.1f%%" : "%3.0f%%", f.cpu_percent);
	const struct piece p[] = {
		{"IOPS", ST_LABEL, 0, 0},
		{iops[FIG_TOTAL], ST_TOTAL, 1, 0},
		{"R", ST_READ, pair, 3},
		{iops[FIG_READ], ST_READ, 1, 3},
		{"W", ST_WRITE, pair, 3},
		{iops[FIG_WRITE], ST_WRITE, 1, 3},
		{units_rate_name(v->unit), ST_LABEL, gap, 2},
		{rate[FIG_TOTAL], ST_TOTAL, 1, 2},
		{"R", ST_READ, pair, 6},
		{rate[FIG_READ], ST_READ, 1, 6},
		{"W", ST_WRITE, pair, 6},
		{rate[FIG_WRITE], ST_WRITE, 1, 6},
		{u.name, ST_LABEL, gap, 1},
		{ms[FIG_TOTAL], ST_TOTAL, 1, 1},
		{"R", ST_READ, pair, 7},
		{ms[FIG_READ], ST_READ, 1, 7},
		{"W", ST_WRITE, pair, 7},
		{ms[FIG_WRITE], ST_WRITE, 1, 7},
		{"p99", ST_LABEL, pair, 4},
		{p99, ST_VALUE, 1, 4},
		{"CPU", ST_LABEL, gap, 5},
		{cpu, ST_VALUE, 1, 5},
	};
	int lead = r.cols > 80 ? 1 : 0;

	pieces_draw(c, r, 0, lead, r.cols - lead, p, sizeof(p) / sizeof(p[0]));
}
