/* table.c - the rows of a report's table, and what each is against the first; see table.h. */
#include "report/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare/parts.h"
#include "iometer/plan.h"
#include "store_figures.h"
#include "units.h"

const struct report_column_info report_columns[REPORT_COLUMNS] = {
#define X(id, group, op, key, metric) [id] = {group, op, key, metric},
	REPORT_COLUMN_TABLE(X)
#undef X
};

/* A run with what a row of it is made from. */
struct source {
	struct stored_run run;
	struct part part; /* one segment, or none */
};

static void source_free(struct source *s)
{
	part_free(&s->part);
	stored_run_free(&s->run);
	memset(s, 0, sizeof(*s));
}

/* --- Figures. --- */

static void take_values(struct report_row *row, const struct summary *s)
{
	static const enum report_column first[] = {REPORT_IOPS_R, REPORT_RATE_R, REPORT_MEAN_R};

	for (unsigned op = 0; op < SUM_COUNT; op++) {
		row->value[first[0] + op] = s->op[op].iops;
		row->value[first[1] + op] = s->op[op].bytes_s;
		row->value[first[2] + op] = s->op[op].mean;
	}
	row->value[REPORT_CPU] = s->cpu_valid ? s->cpu_percent : NAN;
	row->elapsed_s = s->elapsed_s;
	row->errors = s->op[SUM_TOTAL].errors;
}

/* The segment that is looked for, and its figures. */
struct wanted {
	uint32_t number;
	const char *engine;
	struct report_row *row;
};

static void take_segment(const struct segment *g, bool passed, void *arg)
{
	struct wanted *w = arg;
	struct summary sum;

	(void)passed;
	if (g->number != w->number)
		return;
	summary_compute(&sum, &g->total, g->hist, w->engine);
	take_values(w->row, &sum);
}

static int take_figures(struct report_row *row, struct store *s, const struct run_row *r,
			const struct stored_segment *g, struct error *e)
{
	struct wanted w = {.engine = run_row_engine(r), .row = row};
	struct summary sum;

	if (row->segment[0]) {
		w.number = g->number;
		return run_row_segments(s, r, take_segment, &w, e);
	}
	int rc = run_row_figures(s, r, &sum, e);
	if (rc == 0)
		take_values(row, &sum);
	return rc;
}

/* --- Names. --- */

/* Names and marks may have been written by anybody who could write to the store. */
static void plain(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			*text = '?';
}

/* A test of a series by its mark, another run by the name that it was given, else by what was asked for. */
static void name_test(struct report_row *row, const struct run_row *r, const struct source *s)
{
	const char *test = json_string_value(json_object_get(r->settings, RUN_TEST));
	const struct stored_segment *g = s->part.segments ? s->part.segment[0] : NULL;

	if (g && iometer_test_scan(g->text, row->test, sizeof(row->test))) {
		/* The mark says no more than that. */
		row->name[strcspn(row->name, ":")] = 0;
		return;
	}
	if (test && *test)
		snprintf(row->test, sizeof(row->test), "%s", test);
	else if (g)
		workload_brief(row->test, sizeof(row->test), &g->workload);
	else if (s->run.segments)
		snprintf(row->test, sizeof(row->test), "%zu segments", s->run.segments);
	else
		snprintf(row->test, sizeof(row->test), "-");
}

static void name_row(struct report_row *row, const struct run_row *r, const struct source *s)
{
	row->run = r->id;
	row->started_ns = row->segment[0] ? s->part.segment[0]->start_ns : r->started;
	snprintf(row->target, sizeof(row->target), "%s", r->target);
	snprintf(row->status, sizeof(row->status), "%s", r->status);
	if (row->segment[0])
		snprintf(row->name, sizeof(row->name), "%s", s->part.total.name);
	else
		snprintf(row->name, sizeof(row->name), "run %lld", (long long)r->id);
	name_test(row, r, s);
	plain(row->target);
	plain(row->name);
	plain(row->test);
}

/* --- Against the first. --- */

static bool has_seconds(const struct source *s)
{
	return s->part.segments && s->part.total.count;
}

/* Why there is no verdict, of either of them. */
static void say_why(struct report_row *row, const struct source *s, char *out, size_t n)
{
	if (!s->run.seconds)
		snprintf(out, n, "%s has no seconds%s", row->name,
			 strncmp(row->status, "imported", 8) ? "" : ", as it was imported");
	else if (!s->part.segments)
		snprintf(out, n, "%s has several segments: name one, as in %lld:%u", row->name,
			 (long long)row->run, s->run.segment[s->run.segments - 1].number);
	else
		snprintf(out, n, "%s is too short", row->name);
}

static void plain_change(struct verdict *v, double a, double b)
{
	*v = (struct verdict){.kind = VERDICT_UNKNOWN,
			      .a = a,
			      .b = b,
			      .low = NAN,
			      .high = NAN,
			      .p = NAN,
			      .least = NAN};
	v->ratio = a > 0 || b > 0 ? b / a : NAN;
}

/* The column of all IOs that a column of reads or writes stands beside. */
static enum report_column total_of(enum report_column c)
{
	return c >= REPORT_CPU ? c : (enum report_column)(c - c % 3 + 2);
}

/* Where all IOs of both rows are reads, or writes, the verdict of all of them is that of these too. */
static bool is_all(const struct report_row *a, const struct report_row *b, enum report_column c)
{
	enum report_column t = total_of(c);

	return a->value[c] == a->value[t] && b->value[c] == b->value[t];
}

static void hold_against(struct report_row *row, const struct report_row *first,
			 const struct comparison *cmp)
{
	for (unsigned c = 0; c < REPORT_COLUMNS; c++) {
		enum metric m = report_columns[c].metric;
		if (!cmp->shown[m] && is_all(first, row, (enum report_column)c))
			m = report_columns[total_of((enum report_column)c)].metric;
		if (!cmp->shown[m])
			continue;
		row->verdict[c] = cmp->verdict[m];
		row->judged[c] = true;
	}
}

static int compare_rows(struct report_row *row, struct report_row *first, const struct source *s,
			const struct source *of, struct error *e)
{
	struct part *pair = calloc(2, sizeof(*pair));
	struct comparison *cmp = calloc(1, sizeof(*cmp));
	int rc = 0;

	for (unsigned c = 0; c < REPORT_COLUMNS; c++)
		plain_change(&row->verdict[c], first->value[c], row->value[c]);
	if (!pair || !cmp) {
		rc = error_set(e, ENOMEM, "out of memory for a table");
	} else {
		pair[0] = of->part;
		pair[1] = s->part;
		if (of->part.segments && s->part.segments)
			row->differences = parts_differ(pair);
		if (has_seconds(of) && has_seconds(s)) {
			parts_compare(cmp, pair, row->differences);
			hold_against(row, first, cmp);
		} else {
			bool second = has_seconds(of);
			say_why(second ? row : first, second ? s : of, row->no_verdict,
				sizeof(row->no_verdict));
		}
	}
	free(pair);
	free(cmp);
	return rc;
}

/* --- All of it. --- */

static int find_part(struct source *s, const char *segment, uint64_t settle_ns, struct error *e)
{
	int rc = 0;

	s->part.run = &s->run;
	if (!*segment && s->run.segments != 1)
		return 0;
	rc = stored_segment_find(&s->run, segment, &s->part.segment[0], e);
	if (rc)
		return rc;
	s->part.segments = 1;
	return part_take(&s->part, settle_ns, e);
}

static int make_row(struct report_row *row, struct source *s, struct store *store,
		    const struct report_part *p, uint64_t settle_ns, struct error *e)
{
	struct run_row r;

	for (unsigned c = 0; c < REPORT_COLUMNS; c++)
		row->value[c] = NAN;
	snprintf(row->segment, sizeof(row->segment), "%s", p->segment ? p->segment : "");
	int rc = store_load(store, p->run, &s->run, e);
	if (rc == 0)
		rc = find_part(s, row->segment, settle_ns, e);
	if (rc == 0)
		rc = run_row_load(store, p->run, &r, e);
	if (rc)
		return rc;
	rc = take_figures(row, store, &r, s->part.segment[0], e);
	row->seconds = s->run.seconds > 0;
	name_row(row, &r, s);
	run_row_free(&r);
	return rc;
}

/* The row that row i is held against. */
static size_t first_of(const struct report_table *t, size_t i, bool by_test)
{
	size_t k = 0;

	while (by_test && k < i && strcmp(t->row[k].test, t->row[i].test) != 0)
		k++;
	return k;
}

/* Rows that others are held against are kept with their seconds, the rest only for as long as it takes. */
static int make_rows(struct report_table *t, struct source **kept, struct store *s,
		     const struct report_part *part, size_t n, uint64_t settle_ns, bool by_test,
		     struct error *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct source *at = kept[i] = calloc(1, sizeof(*at));
		if (!at)
			return error_set(e, ENOMEM, "out of memory for a table");
		t->rows++;
		rc = make_row(&t->row[i], at, s, &part[i], settle_ns, e);
		size_t first = t->row[i].against = first_of(t, i, by_test);
		if (rc || first == i)
			continue;
		rc = compare_rows(&t->row[i], &t->row[first], at, kept[first], e);
		source_free(at);
	}
	return rc;
}

static int make(struct report_table *t, struct store *s, const struct report_part *part, size_t n,
		uint64_t settle_ns, bool by_test, struct error *e)
{
	struct source **kept = calloc(n ? n : 1, sizeof(struct source *));
	int rc;

	*t = (struct report_table){.row = calloc(n ? n : 1, sizeof(*t->row))};
	if (!t->row || !kept)
		rc = error_set(e, ENOMEM, "out of memory for a table");
	else
		rc = make_rows(t, kept, s, part, n, settle_ns, by_test, e);
	for (size_t i = 0; kept && i < n && kept[i]; i++) {
		source_free(kept[i]);
		free(kept[i]);
	}
	free(kept);
	if (rc)
		report_table_free(t);
	return rc;
}

int report_table_make(struct report_table *t, struct store *s, const struct report_part *part,
		      size_t n, uint64_t settle_ns, struct error *e)
{
	return make(t, s, part, n, settle_ns, false, e);
}

int report_table_make_by_test(struct report_table *t, struct store *s,
			      const struct report_part *part, size_t n, uint64_t settle_ns,
			      struct error *e)
{
	return make(t, s, part, n, settle_ns, true, e);
}

void report_table_free(struct report_table *t)
{
	for (size_t i = 0; i < t->rows; i++)
		json_decref(t->row[i].differences);
	free(t->row);
	memset(t, 0, sizeof(*t));
}

int report_series(struct store *s, int64_t run, uint32_t *number, int most, struct error *e)
{
	struct stored_run r;
	char name[160];
	int n = 0, rc = store_load_circumstances(s, run, &r, e);

	if (rc)
		return rc;
	for (size_t i = 0; i < r.segments && n < most; i++)
		if (iometer_test_scan(r.segment[i].text, name, sizeof(name)))
			number[n++] = r.segment[i].number;
	stored_run_free(&r);
	return n;
}

/* --- In words. --- */

char *report_column_name(enum report_column c, enum rate_unit rate, char *out, size_t n)
{
	const struct report_column_info *i = &report_columns[c];
	bool is_rate = metrics[i->metric].unit == UNIT_BYTES_S;

	snprintf(out, n, "%s %s%s", is_rate ? units_rate_name(rate) : i->group, i->op,
		 metrics[i->metric].unit == UNIT_NS ? " ms" : "");
	return out;
}

char *report_value(enum report_column c, double value, enum rate_unit rate, char *out, size_t n)
{
	switch (metrics[report_columns[c].metric].unit) {
	case UNIT_BYTES_S: value /= units_rate_scale(rate); break;
	case UNIT_NS: value /= 1e6; break;
	default: break;
	}
	if (!isfinite(value))
		snprintf(out, n, "-");
	else if (value >= 99999.95)
		snprintf(out, n, "%.0f", value);
	else if (c == REPORT_CPU || value >= 1000)
		snprintf(out, n, "%.1f", value);
	else
		snprintf(out, n, value < 10 ? "%.3f" : "%.2f", value);
	return out;
}

const char *report_verdict_word(const struct report_row *r, enum report_column c)
{
	return r->judged[c]
		       ? verdict_word(&r->verdict[c], (unsigned)json_array_size(r->differences))
		       : "no verdict";
}
