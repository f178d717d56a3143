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
	table_right(f, 9, text);
	table_right(f, 9, units_latency(text, sizeof(text), t->mean, ascii));
	table_right(f, 9, units_latency(text, sizeof(text), t->p99, ascii));
	if (s->cpu_valid)
		snprintf(text, sizeof(text), "%.1f", s->cpu_percent);
	else
		snprintf(text, sizeof(text), "-");
	table_right(f, 7, text);
}

void segment_table_head(FILE *f)
{
	fprintf(f, "%4s%9s%8s%9s%9s%9s%7s  %s\n", "mark", "length", "IOPS", "MiB/s", "mean", "p99",
		"CPU %", "asked for");
}

void segment_table_row(FILE *f, const struct segment *g, const char *engine)
{
	struct summary sum;
	char text[256];

	summary_compute(&sum, &g->total, g->hist, engine);
	fprintf(f, "%4c", g->letter ? g->letter : '-');
	table_span(f, 9, sum.elapsed_s);
	table_figures(f, &sum);
	fprintf(f, "  %s%s\n", workload_brief(text, sizeof(text), &g->workload),
		g->workload.paused ? ", stopped" : "");
}

static bool passed(struct timeline *t, uint32_t mark)
{
	struct mark m;

	return timeline_mark_at(t, mark, &m) && m.kind == MARK_PASSED;
}

unsigned segment_table(FILE *f, struct timeline *t, uint32_t first, const char *engine)
{
	struct segment *g = malloc(sizeof(*g));
	unsigned rows = 0;

	for (uint32_t n = first; g && n <= timeline_segments(t); n++) {
		if (!timeline_segment(t, n, g) || passed(t, g->mark))
			continue;
		if (rows++ == 0)
			segment_table_head(f);
		segment_table_row(f, g, engine);
	}
	free(g);
	return rows;
}
