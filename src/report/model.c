/* model.c - see model.h. */
#include "report/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS (HIST_SUB / REPORT_OCTAVE)

uint64_t report_bin_low(unsigned bin)
{
	return hist_low(bin * BUCKETS);
}

/* What rows and marks are collected with. */
struct collector {
	struct report_run *run;
	struct segment way; /* what was passed since the last row */
	bool has_way, failed;
	uint32_t reset; /* the newest mark that began the statistics anew; 0: none */
};

static void *grown(void *list, size_t count, size_t size)
{
	/* Whenever the number is a power of two it is full. */
	if (count & (count - 1))
		return list;
	return realloc(list, (count ? 2 * count : 1) * size);
}

static void add_mark(const struct mark *m, void *arg)
{
	struct collector *c = arg;
	struct mark *list;

	if (m->kind == MARK_RESET)
		c->reset = m->id;
	if (m->kind == MARK_PASSED)
		return;
	list = grown(c->run->mark, c->run->marks, sizeof(*list));
	if (!list) {
		c->failed = true;
		return;
	}
	c->run->mark = list;
	list[c->run->marks++] = *m;
}

static void add_bins(uint64_t bin[IO_OPS][REPORT_BINS], const struct hist hist[HISTS])
{
	for (int op = 0; op < IO_OPS; op++)
		for (unsigned i = 0; i < HIST_BUCKETS; i++)
			bin[op][i / BUCKETS] += hist[op].bucket[i];
}

/* Marks that came together have nothing between them but the instant that it takes to set them. */
static bool is_instant(const struct segment *g)
{
	return g->total.dt_ns + g->gap.dt_ns < TICK_NS / 2;
}

static void add_row(struct collector *c, const struct segment *g, bool way)
{
	struct report_segment *list, *row;

	if (is_instant(g))
		return;
	list = grown(c->run->row, c->run->rows, sizeof(*list));
	if (!list) {
		c->failed = true;
		return;
	}
	c->run->row = list;
	row = &list[c->run->rows++];
	memset(row, 0, sizeof(*row));
	row->number = g->number;
	row->letter = g->letter;
	row->way = way;
	row->start_ns = g->start_ns;
	row->end_ns = g->end_ns;
	row->workload = g->workload;
	summary_compute(&row->sum, &g->total, g->hist, run_row_engine(&c->run->head));
	summary_leave_out(&row->sum, &g->total, &g->gap, 0);
	add_bins(row->bin, g->hist);
}

static void add_way(struct collector *c, const struct segment *g)
{
	if (!c->has_way) {
		c->way = *g;
		c->has_way = true;
		return;
	}
	sample_add(&c->way.total, &g->total);
	sample_add(&c->way.gap, &g->gap);
	for (int k = 0; k < HISTS; k++)
		hist_merge(&c->way.hist[k], &g->hist[k]);
	c->way.end_ns = g->end_ns;
	c->way.workload = g->workload;
}

static void end_way(struct collector *c)
{
	if (c->has_way)
		add_row(c, &c->way, true);
	c->has_way = false;
}

static void add_segment(const struct segment *g, bool passed, void *arg)
{
	struct collector *c = arg;

	if (g->mark >= c->reset)
		add_bins(c->run->bin, g->hist);
	if (passed) {
		add_way(c, g);
		return;
	}
	end_way(c);
	add_row(c, g, false);
}

static int collect(struct report_run *r, struct store *s, struct error *e)
{
	struct collector *c = calloc(1, sizeof(*c));
	int rc;

	if (!c)
		return error_set(e, ENOMEM, "out of memory for a report");
	c->run = r;
	rc = run_row_marks(s, &r->head, add_mark, c, e);
	if (rc == 0)
		rc = run_row_segments(s, &r->head, add_segment, c, e);
	if (rc == 0) {
		end_way(c);
		if (c->failed)
			rc = error_set(e, ENOMEM, "out of memory for a report");
	}
	free(c);
	return rc;
}

static void run_free(struct report_run *r)
{
	run_row_free(&r->head);
	stored_run_free(&r->stored);
	free(r->mark);
	free(r->row);
}

static int load_parts(struct report_run *r, struct store *s, int64_t run, struct error *e)
{
	int rc = run_row_load(s, run, &r->head, e);

	if (rc)
		return rc;
	rc = run_row_figures(s, &r->head, &r->sum, e);
	if (rc == 0)
		rc = store_load(s, run, &r->stored, e);
	if (rc == 0)
		rc = collect(r, s, e);
	if (rc)
		run_free(r);
	return rc;
}

int report_load(struct report *r, struct store *s, int64_t run, struct error *e)
{
	struct report_run *list = realloc(r->run, (r->runs + 1) * sizeof(*list));
	int rc;

	if (!list)
		return error_set(e, ENOMEM, "out of memory for a report");
	r->run = list;
	struct report_run *one = &list[r->runs];
	memset(one, 0, sizeof(*one));
	/* Of one moment: a run that goes on is written to meanwhile. */
	if (sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
		return store_failed(s, e);
	rc = load_parts(one, s, run, e);
	sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
	if (rc == 0)
		r->runs++;
	return rc;
}

/* Parts for all tests of all series. How many, or -errno with words. */
static int parts_of_tests(const struct report *r, struct store *s, struct report_part *part,
			  char (*name)[16], struct error *e)
{
	uint32_t number[TABLE_RUNS];
	int n = 0;

	for (size_t i = 0; i < r->runs; i++) {
		int tests = report_series(s, r->run[i].head.id, number, TABLE_RUNS, e);
		if (tests < 0)
			return tests;
		for (int k = 0; k < tests && n < TABLE_RUNS; k++, n++) {
			snprintf(name[n], sizeof(name[n]), "%u", number[k]);
			part[n] =
				(struct report_part){.run = r->run[i].head.id, .segment = name[n]};
		}
	}
	return n;
}

static int tabulate_tests(struct report *r, struct store *s, uint64_t settle_ns, struct error *e)
{
	struct report_part *part = calloc(TABLE_RUNS, sizeof(*part));
	char(*name)[16] = calloc(TABLE_RUNS, sizeof(*name));
	int n = part && name ? parts_of_tests(r, s, part, name, e)
			     : error_set(e, ENOMEM, "out of memory for a report");

	int rc = n > 0 ? report_table_make_by_test(&r->tests, s, part, (size_t)n, settle_ns, e) : n;
	free(part);
	free(name);
	return rc;
}

int report_tabulate(struct report *r, struct store *s, uint64_t settle_ns, struct error *e)
{
	struct report_part *part = calloc(r->runs ? r->runs : 1, sizeof(*part));
	int rc;

	if (!part)
		return error_set(e, ENOMEM, "out of memory for a report");
	for (size_t i = 0; i < r->runs; i++)
		part[i] = (struct report_part){.run = r->run[i].head.id, .segment = ""};
	rc = report_table_make(&r->table, s, part, r->runs, settle_ns, e);
	free(part);
	return rc ? rc : tabulate_tests(r, s, settle_ns, e);
}

void report_free(struct report *r)
{
	report_table_free(&r->table);
	report_table_free(&r->tests);
	for (size_t i = 0; i < r->runs; i++)
		run_free(&r->run[i]);
	free(r->run);
	memset(r, 0, sizeof(*r));
}

double report_elapsed(const struct report_run *r, uint64_t wall)
{
	return ((double)wall - (double)r->head.started) / 1e9;
}

const char *report_segment_name(const struct report_segment *row, char out[16])
{
	if (row->way)
		return "-";
	if (row->letter)
		snprintf(out, 16, "%c", row->letter);
	else
		snprintf(out, 16, "%u", row->number);
	return out;
}
