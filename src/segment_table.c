/* segment_table.c - see segment_table.h. */
#include "segment_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "units.h"

/* Columns that UTF-8 text takes: bytes of the form 10xxxxxx don't count. */
static int columns(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

void table_right(FILE *f, int width, const char *text)
{
	int used = columns(text);

	fprintf(f, "%*s%s", width > used ? width - used : 0, "", text);
}

void table_figure(FILE *f, int width, const char *text)
{
	fputc(' ', f);
	table_right(f, width - 1, text);
}

void table_span(FILE *f, int width, double seconds)
{
	char text[32];
	uint64_t ns = seconds > 0 ? (uint64_t)llround(seconds * 1e9) : 0;

	table_right(f, width, units_span(text, sizeof(text), ns));
}

void table_figures(FILE *f, const struct summary *s)
{
	const struct summary_op *t = &s->op[SUM_TOTAL];
	bool ascii = units_ascii();
	char text[32];

	table_right(f, 8, units_count(text, sizeof(text), t->iops));
	snprintf(text, sizeof(text), t->bytes_s < 100 * (double)MIB ? "%.2f" : "%.1f",
		 t->bytes_s / (double)MIB);
	table_figure(f, 9, text);
	table_right(f, 9, units_latency(text, sizeof(text), t->mean, ascii));
	table_right(f, 9, units_latency(text, sizeof(text), t->p99, ascii));
	if (s->cpu_valid)
		snprintf(text, sizeof(text), "%.1f", s->cpu_percent);
	else
		snprintf(text, sizeof(text), "-");
	table_right(f, 7, text);
}

void segment_table_begin(struct segment_table *t, FILE *f, const char *engine)
{
	memset(t, 0, sizeof(*t));
	t->f = f;
	t->engine = engine;
}

static void print_head(FILE *f)
{
	fprintf(f, "%4s%9s%8s%9s%9s%9s%7s  %s\n", "mark", "length", "IOPS", "MiB/s", "mean", "p99",
		"CPU %", "asked for");
}

/* Marks that came together have nothing between them but the instant that it takes to set them. */
static bool is_instant(const struct segment *g)
{
	return g->total.dt_ns + g->gap.dt_ns < TICK_NS / 2;
}

static void print_row(struct segment_table *t, const struct segment *g, bool way)
{
	struct summary sum;
	char text[256];

	if (is_instant(g))
		return;
	if (t->rows++ == 0)
		print_head(t->f);
	summary_compute(&sum, &g->total, g->hist, t->engine);
	summary_leave_out(&sum, &g->total, &g->gap, 0);
	fprintf(t->f, "%4c", g->letter ? g->letter : '-');
	table_span(t->f, 9, sum.elapsed_s);
	table_figures(t->f, &sum);
	fprintf(t->f, "  %s%s%s", workload_brief(text, sizeof(text), &g->workload),
		g->workload.paused ? ", stopped" : "", way ? ", on the way" : "");
	if (sum.outage.seconds > 0)
		fprintf(t->f, ", without %s of outage",
			units_span(text, sizeof(text), g->gap.dt_ns));
	fputc('\n', t->f);
}

static void print_way(struct segment_table *t)
{
	if (t->has_way)
		print_row(t, &t->way, true);
	t->has_way = false;
}

/* The workload of the way is the one it led to. */
static void add_way(struct segment_table *t, const struct segment *g)
{
	if (!t->has_way) {
		t->way = *g;
		t->has_way = true;
		return;
	}
	sample_add(&t->way.total, &g->total);
	sample_add(&t->way.gap, &g->gap);
	for (int k = 0; k < HISTS; k++)
		hist_merge(&t->way.hist[k], &g->hist[k]);
	t->way.workload = g->workload;
}

void segment_table_add(struct segment_table *t, const struct segment *g, bool passed)
{
	if (passed) {
		add_way(t, g);
		return;
	}
	print_way(t);
	print_row(t, g, false);
}

void segment_table_end(struct segment_table *t)
{
	print_way(t);
}

static bool was_passed(struct timeline *t, uint32_t mark)
{
	struct mark m;

	return timeline_mark_at(t, mark, &m) && m.kind == MARK_PASSED;
}

unsigned segment_table(FILE *f, struct timeline *t, uint32_t first, const char *engine)
{
	struct segment *g = malloc(sizeof(*g));
	struct segment_table *table = malloc(sizeof(*table));
	unsigned rows = 0;

	if (g && table) {
		segment_table_begin(table, f, engine);
		for (uint32_t n = first; timeline_segment(t, n, g); n++)
			segment_table_add(table, g, was_passed(t, g->mark));
		segment_table_end(table);
		rows = table->rows;
	}
	free(table);
	free(g);
	return rows;
}
