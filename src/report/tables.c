/* tables.c - the figures of runs and segments as tables; see tables.h. */
#include "report/tables.h"

#include <math.h>
#include <string.h>
#include "report/words.h"

static const char *const op_name[SUM_COUNT] = {"read", "write", "total"};
static const char *const op_letter[SUM_COUNT] = {"R", "W", "T"};

static void columns_of(struct grid *g, const char *group)
{
	for (int op = 0; op < SUM_COUNT; op++)
		grid_column(g, true, "%s|%s", group, op_letter[op]);
}

static void cells_iops(struct grid *g, const struct summary *s)
{
	char text[WORDS];

	for (int op = 0; op < SUM_COUNT; op++)
		grid_cell(g, "%s", words_figure(text, s->op[op].iops));
}

static void cells_rate(struct grid *g, const struct summary *s)
{
	char text[WORDS];

	for (int op = 0; op < SUM_COUNT; op++)
		grid_cell(g, "%s", words_figure(text, s->op[op].bytes_s / (double)MIB));
}

static void cells_latency(struct grid *g, const struct summary *s, size_t offset)
{
	char text[WORDS];

	for (int op = 0; op < SUM_COUNT; op++) {
		double v;
		memcpy(&v, (const char *)&s->op[op] + offset, sizeof(v));
		grid_cell(g, "%s", words_latency(text, v));
	}
}

/* --- Runs. --- */

void table_runs(const struct out *o, const struct report *r)
{
	struct grid g;
	char text[WORDS];

	grid_begin(&g, "The runs of this report");
	grid_column(&g, false, "Run");
	grid_column(&g, false, "Target");
	grid_column(&g, false, "Started");
	grid_column(&g, true, "Length");
	grid_column(&g, false, "Status");
	grid_column(&g, true, "IOPS");
	grid_column(&g, true, "MiB/s");
	grid_column(&g, true, "Mean");
	grid_column(&g, true, "p99");
	grid_column(&g, true, "CPU %%");
	for (size_t i = 0; i < r->runs; i++) {
		const struct report_run *run = &r->run[i];
		const struct summary_op *t = &run->sum.op[SUM_TOTAL];
		if (r->runs > 1)
			grid_cell(&g, "%c: run %lld", (char)('A' + i), (long long)run->head.id);
		else
			grid_cell(&g, "%lld", (long long)run->head.id);
		grid_cell(&g, "%s", run->head.target);
		grid_cell(&g, "%s", words_time(text, run->head.started));
		grid_cell(&g, "%s", words_span(text, run->sum.elapsed_s));
		grid_cell(&g, "%s", run->head.status);
		grid_cell(&g, "%s", words_figure(text, t->iops));
		grid_cell(&g, "%s", words_figure(text, t->bytes_s / (double)MIB));
		grid_cell(&g, "%s", words_latency(text, t->mean));
		grid_cell(&g, "%s", words_latency(text, t->p99));
		grid_cell(&g, "%s", words_percent(text, run->sum.cpu_percent));
	}
	grid_end(&g, o);
}

/* --- Side by side. --- */

enum unit { SIDE_PLAIN, SIDE_LATENCY, SIDE_COST, SIDE_SHARE };

static const char *figure_words(char out[WORDS], enum unit unit, double v)
{
	switch (unit) {
	case SIDE_LATENCY: return words_latency(out, v);
	case SIDE_COST: return words_cost(out, v);
	case SIDE_SHARE: return words_percent(out, v);
	case SIDE_PLAIN: break;
	}
	return words_figure(out, v);
}

struct side_row {
	const char *name;
	enum unit unit;
	size_t offset; /* of the summary, or of one of its ops */
	int op;        /* < 0: of the summary */
	double scale;
};

static double figure_of(const struct summary *s, const struct side_row *row)
{
	const char *at = row->op < 0 ? (const char *)s : (const char *)&s->op[row->op];
	double v;

	memcpy(&v, at + row->offset, sizeof(v));
	return v / row->scale;
}

static void print_side_row(struct grid *g, const struct report *r, const struct side_row *row)
{
	char text[WORDS];
	double a = figure_of(&r->run[0].sum, row);
	bool any = false;

	for (size_t i = 0; i < r->runs; i++)
		any |= figure_of(&r->run[i].sum, row) > 0;
	if (!any)
		return;
	grid_cell(g, "%s", row->name);
	for (size_t i = 0; i < r->runs; i++) {
		double v = figure_of(&r->run[i].sum, row);
		grid_cell(g, "%s", figure_words(text, row->unit, v));
		if (i)
			grid_cell(g, "%s", words_delta(text, a, v));
	}
}

#define OP(name, unit, field, op, scale)                                  \
	{                                                                 \
		name, unit, offsetof(struct summary_op, field), op, scale \
	}
#define ALL(name, unit, field)                                     \
	{                                                          \
		name, unit, offsetof(struct summary, field), -1, 1 \
	}

void table_side_by_side(const struct out *o, const struct report *r)
{
	static const struct side_row rows[] = {
		OP("IOPS, read", SIDE_PLAIN, iops, SUM_READ, 1),
		OP("IOPS, write", SIDE_PLAIN, iops, SUM_WRITE, 1),
		OP("IOPS, total", SIDE_PLAIN, iops, SUM_TOTAL, 1),
		OP("MiB/s, read", SIDE_PLAIN, bytes_s, SUM_READ, (double)MIB),
		OP("MiB/s, write", SIDE_PLAIN, bytes_s, SUM_WRITE, (double)MIB),
		OP("MiB/s, total", SIDE_PLAIN, bytes_s, SUM_TOTAL, (double)MIB),
		OP("Mean latency, read", SIDE_LATENCY, mean, SUM_READ, 1),
		OP("Mean latency, write", SIDE_LATENCY, mean, SUM_WRITE, 1),
		OP("Mean latency, total", SIDE_LATENCY, mean, SUM_TOTAL, 1),
		OP("p50", SIDE_LATENCY, p50, SUM_TOTAL, 1),
		OP("p99", SIDE_LATENCY, p99, SUM_TOTAL, 1),
		OP("p99.9", SIDE_LATENCY, p999, SUM_TOTAL, 1),
		OP("Longest IO", SIDE_LATENCY, max, SUM_TOTAL, 1),
		ALL("CPU, % of the host", SIDE_SHARE, cpu_percent),
		ALL("CPU, µs per IO", SIDE_COST, cpu_us_per_io),
		ALL("CPU, s per GiB", SIDE_COST, cpu_s_per_gib),
		ALL("Depth achieved, IOs", SIDE_PLAIN, depth_achieved),
	};
	struct grid g;

	grid_begin(&g, "Run against run: each against A, as a ratio (B / A) and in per cent of A");
	grid_column(&g, false, "Figure");
	for (size_t i = 0; i < r->runs; i++) {
		grid_column(&g, true, "%c: run %lld", (char)('A' + i),
			    (long long)r->run[i].head.id);
		if (i)
			grid_column(&g, true, "A \342\206\222 %c", (char)('A' + i));
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		print_side_row(&g, r, &rows[i]);
	grid_end(&g, o);
}

/* --- One run. --- */

void table_latencies(const struct out *o, const struct report_run *r)
{
	const struct summary_due *d = &r->sum.due;
	struct grid g;
	char text[WORDS];

	grid_begin(&g, "Latencies of run %lld", (long long)r->head.id);
	grid_column(&g, false, "IOs");
	grid_column(&g, true, "Count");
	for (int i = 0; i < 8; i++) {
		static const char *const head[] = {"min", "mean", "p50",   "p90",
						   "p95", "p99",  "p99.9", "max"};
		grid_column(&g, true, "%s", head[i]);
	}
	grid_column(&g, true, "Errors");
	for (int op = 0; op < SUM_COUNT; op++) {
		const struct summary_op *s = &r->sum.op[op];
		const double v[] = {s->min, s->mean, s->p50,  s->p90,
				    s->p95, s->p99,  s->p999, s->max};
		grid_cell(&g, "%s", op_name[op]);
		grid_cell(&g, "%llu", (unsigned long long)s->ios);
		for (int i = 0; i < 8; i++)
			grid_cell(&g, "%s", words_latency(text, v[i]));
		grid_cell(&g, "%llu", (unsigned long long)s->errors);
	}
	if (d->offered) {
		const double v[] = {d->min, d->mean, d->p50,  d->p90,
				    d->p95, d->p99,  d->p999, d->max};
		grid_cell(&g, "from due");
		grid_cell(&g, "%llu", (unsigned long long)d->ios);
		for (int i = 0; i < 8; i++)
			grid_cell(&g, "%s", words_latency(text, v[i]));
		grid_cell(&g, "%s", NONE);
	}
	grid_end(&g, o);
}

static void cells_cpu(struct grid *g, const struct summary *s)
{
	char text[WORDS];

	grid_cell(g, "%s", words_percent(text, s->cpu_percent));
	grid_cell(g, "%s", words_cost(text, s->cpu_us_per_io));
	grid_cell(g, "%s", words_cost(text, s->cpu_s_per_gib));
}

static void columns_cpu(struct grid *g)
{
	grid_column(g, true, "CPU|%%");
	grid_column(g, true, "CPU|µs/IO");
	grid_column(g, true, "CPU|s/GiB");
}

/* A column's head by its group: "IOPS|R", "MiB/s|W", "IO Rp, ms|T", "CPU|%". */
static void iometer_column(struct grid *g, enum report_column c)
{
	const struct report_column_info *i = &report_columns[c];
	enum metric_unit unit = metrics[i->metric].unit;

	grid_column(g, true, "%s%s|%s", unit == UNIT_BYTES_S ? units_rate_name(RATE_MIB) : i->group,
		    unit == UNIT_NS ? ", ms" : "", i->op);
}

static void cells_iometer(struct grid *g, const struct report_row *row)
{
	char text[WORDS];

	for (int c = 0; c < REPORT_COLUMNS; c++) {
		report_value((enum report_column)c, row->value[c], RATE_MIB, text, sizeof(text));
		grid_cell(g, "%s", strcmp(text, "-") ? text : NONE);
	}
}

void table_iometer(const struct out *o, const struct report *r, size_t first, size_t n)
{
	struct grid g;
	char text[WORDS];

	grid_begin(&g, n == 1 ? "Result, in Iometer's columns" : "Results, in Iometer's columns");
	grid_column(&g, false, "IOMeter Test");
	for (int c = 0; c < REPORT_COLUMNS; c++)
		iometer_column(&g, (enum report_column)c);
	grid_column(&g, true, "CPU|µs/IO");
	grid_column(&g, true, "CPU|s/GiB");
	for (size_t i = first; i < first + n; i++) {
		const struct report_row *row = &r->table.row[i];
		const struct summary *s = &r->run[i].sum;
		const char *test = strcmp(row->test, "-") ? row->test : row->target;
		if (n > 1)
			grid_cell(&g, "%c: %s", (char)('A' + i), test);
		else
			grid_cell(&g, "%s", test);
		cells_iometer(&g, row);
		grid_cell(&g, "%s", words_cost(text, s->cpu_us_per_io));
		grid_cell(&g, "%s", words_cost(text, s->cpu_s_per_gib));
	}
	grid_end(&g, o);
}

void table_tests(const struct out *o, const struct report *r, size_t i)
{
	long long id = (long long)r->run[i].head.id;
	struct grid g;
	size_t n = 0;

	for (size_t k = 0; k < r->tests.rows; k++)
		n += r->tests.row[k].run == r->run[i].head.id;
	if (!n)
		return;
	grid_begin(&g, "The tests of run %lld, in Iometer's columns", id);
	grid_column(&g, false, "IOMeter Test");
	for (int c = 0; c < REPORT_COLUMNS; c++)
		iometer_column(&g, (enum report_column)c);
	for (size_t k = 0; k < r->tests.rows; k++) {
		if (r->tests.row[k].run != r->run[i].head.id)
			continue;
		grid_cell(&g, "%s", r->tests.row[k].test);
		cells_iometer(&g, &r->tests.row[k]);
	}
	grid_end(&g, o);
}

/* --- Segments. --- */

static void cell_asked(struct grid *g, const struct report_segment *row)
{
	char text[256], span[WORDS];
	const char *gap = "";

	if (row->sum.outage.seconds > 0)
		gap = words_span(span, row->sum.outage.seconds);
	grid_cell(g, "%s%s%s%s%s%s", workload_brief(text, sizeof(text), &row->workload),
		  row->workload.paused ? ", stopped" : "", row->way ? ", on the way" : "",
		  *gap ? ", without " : "", gap, *gap ? " of outage" : "");
}

static void begin_segments(struct grid *g, const struct report_run *r, const char *what)
{
	grid_begin(g, "Segments of run %lld, from mark to mark: %s", (long long)r->head.id, what);
	grid_column(g, false, "Segment");
	grid_column(g, true, "Length");
}

static void cells_segment(struct grid *g, const struct report_segment *row)
{
	char text[WORDS], name[16];

	grid_cell(g, "%s", report_segment_name(row, name));
	grid_cell(g, "%s", words_span(text, row->sum.elapsed_s));
}

static void segments_work(const struct out *o, const struct report_run *r)
{
	struct grid g;

	begin_segments(&g, r, "work and CPU");
	columns_of(&g, "IOPS");
	columns_of(&g, "MiB/s");
	columns_cpu(&g);
	grid_column(&g, true, "Errors");
	grid_column(&g, false, "Asked for");
	for (size_t i = 0; i < r->rows; i++) {
		const struct report_segment *row = &r->row[i];
		cells_segment(&g, row);
		cells_iops(&g, &row->sum);
		cells_rate(&g, &row->sum);
		cells_cpu(&g, &row->sum);
		grid_cell(&g, "%llu", (unsigned long long)row->sum.op[SUM_TOTAL].errors);
		cell_asked(&g, row);
	}
	grid_end(&g, o);
}

static void segments_latency(const struct out *o, const struct report_run *r)
{
	struct grid g;

	begin_segments(&g, r, "latencies");
	columns_of(&g, "Mean");
	columns_of(&g, "p50");
	columns_of(&g, "p99");
	columns_of(&g, "Max");
	for (size_t i = 0; i < r->rows; i++) {
		const struct summary *s = &r->row[i].sum;
		cells_segment(&g, &r->row[i]);
		cells_latency(&g, s, offsetof(struct summary_op, mean));
		cells_latency(&g, s, offsetof(struct summary_op, p50));
		cells_latency(&g, s, offsetof(struct summary_op, p99));
		cells_latency(&g, s, offsetof(struct summary_op, max));
	}
	grid_end(&g, o);
}

void table_segments(const struct out *o, const struct report_run *r)
{
	segments_work(o, r);
	segments_latency(o, r);
}

void table_marks(const struct out *o, const struct report_run *r)
{
	struct grid g;
	char text[WORDS];

	grid_begin(&g, "Marks of run %lld, started %s", (long long)r->head.id,
		   words_time(text, r->head.started));
	grid_column(&g, false, "Mark");
	grid_column(&g, true, "After");
	grid_column(&g, false, "What");
	grid_column(&g, false, "Kind");
	grid_column(&g, true, "At");
	for (size_t i = 0; i < r->marks; i++) {
		const struct mark *m = &r->mark[i];
		if (m->letter)
			grid_cell(&g, "%c", m->letter);
		else
			grid_cell(&g, "%s", NONE);
		grid_cell(&g, "%s", words_span(text, report_elapsed(r, m->wall)));
		grid_cell(&g, "%s", m->text);
		grid_cell(&g, "%s", mark_kind_name(m->kind));
		grid_cell(&g, "%s", words_clock(text, m->wall, r->head.started));
	}
	grid_end(&g, o);
}
