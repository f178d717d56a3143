/* store_show.c - what `lunscope list` and `lunscope show` print.
 *
 * A run that ended has its summary in the store. One that was cut off has none; its figures are
 * computed here from its segments and seconds, in the same way.
 */
#include "store_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "export.h"
#include "path_rows.h"
#include "segment_table.h"
#include "units.h"

struct run_row {
	int64_t id;
	uint64_t started, ended; /* wall; ended 0 = has no end */
	int64_t pid, pid_start;
	char target[160], status[32];
	char *command, *version;
	json_t *settings, *environment, *summary; /* NULL when there is none */
};

#define RUN_COLUMNS                                                                        \
	"id, started, ended, pid, pid_start, target, status, command, version, settings, " \
	"environment, summary"

static const char *column_text(sqlite3_stmt *st, int at)
{
	const unsigned char *text = sqlite3_column_text(st, at);

	return text ? (const char *)text : "";
}

static json_t *column_json(sqlite3_stmt *st, int at)
{
	return json_loads(column_text(st, at), 0, NULL);
}

/* No end: is it still being recorded, or was it cut off? */
static const char *unended(const struct run_row *r)
{
	uint64_t start = store_process_start(r->pid);

	return start && start == (uint64_t)r->pid_start ? "running" : "cut off";
}

static void run_read(sqlite3_stmt *st, struct run_row *r)
{
	r->id = sqlite3_column_int64(st, 0);
	r->started = (uint64_t)sqlite3_column_int64(st, 1);
	r->ended = (uint64_t)sqlite3_column_int64(st, 2);
	r->pid = sqlite3_column_int64(st, 3);
	r->pid_start = sqlite3_column_int64(st, 4);
	snprintf(r->target, sizeof(r->target), "%s", column_text(st, 5));
	snprintf(r->status, sizeof(r->status), "%s", r->ended ? column_text(st, 6) : unended(r));
	r->command = strdup(column_text(st, 7));
	r->version = strdup(column_text(st, 8));
	r->settings = column_json(st, 9);
	r->environment = column_json(st, 10);
	r->summary = column_json(st, 11);
}

static void run_free(struct run_row *r)
{
	free(r->command);
	free(r->version);
	json_decref(r->settings);
	json_decref(r->environment);
	json_decref(r->summary);
}

/* --- Figures. --- */

#define SEGMENT_COLUMNS(due, gap)                                                             \
	"number, mark, started, workload, read_hist, read_hist_count, read_hist_sum, "        \
	"read_hist_min, read_hist_max, write_hist, write_hist_count, write_hist_sum, "        \
	"write_hist_min, write_hist_max, " due ", " gap ", "                                  \
	"(SELECT letter FROM mark WHERE mark.run = segment.run AND mark.id = segment.mark), " \
	"(SELECT kind FROM mark WHERE mark.run = segment.run AND mark.id = segment.mark), "
#define SEGMENT_KIND   24 /* of its mark */
#define SEGMENT_SAMPLE 25 /* the sample columns start here */

#define DUE    "due_hist, due_hist_count, due_hist_sum, due_hist_min, due_hist_max"
#define NO_DUE "NULL, NULL, NULL, NULL, NULL"
#define GAP    "gap_ios, gap_bytes, gap_lat_sum, gap_lat_max"
#define NO_GAP "NULL, NULL, NULL, NULL"

static const char *segment_columns(const struct store *s)
{
	return s->schema < 2   ? SEGMENT_COLUMNS(NO_DUE, NO_GAP)
	       : s->schema < 3 ? SEGMENT_COLUMNS(DUE, NO_GAP)
			       : SEGMENT_COLUMNS(DUE, GAP);
}

static int hist_read(sqlite3_stmt *st, int at, struct hist *h)
{
	hist_clear(h);
	h->count = (uint64_t)sqlite3_column_int64(st, at + 1);
	h->sum = (uint64_t)sqlite3_column_int64(st, at + 2);
	if (h->count) {
		h->min = (uint64_t)sqlite3_column_int64(st, at + 3);
		h->max = (uint64_t)sqlite3_column_int64(st, at + 4);
	}
	return hist_scan(h, column_text(st, at));
}

/* What is left out of it: reads and writes are not told apart, and stand as reads. */
static void gap_read(sqlite3_stmt *st, struct segment *g)
{
	struct op_sample *o = &g->gap.op[IO_READ];

	sample_clear(&g->gap);
	g->gap.dt_ns = g->gap.gap_ns = g->total.gap_ns;
	g->total.gap_ns = 0;
	o->ios = (uint64_t)sqlite3_column_int64(st, 19);
	o->bytes = (uint64_t)sqlite3_column_int64(st, 20);
	o->lat_sum = (uint64_t)sqlite3_column_int64(st, 21);
	o->lat_max = (uint64_t)sqlite3_column_int64(st, 22);
}

/* A segment, in wall times. */
static int segment_read(sqlite3_stmt *st, struct segment *g)
{
	memset(g, 0, sizeof(*g));
	g->number = (uint32_t)sqlite3_column_int64(st, 0);
	g->mark = (uint32_t)sqlite3_column_int64(st, 1);
	g->start_ns = (uint64_t)sqlite3_column_int64(st, 2);
	json_t *workload = column_json(st, 3);
	int err = export_workload_scan(&g->workload, workload);
	json_decref(workload);
	if (err || hist_read(st, 4, &g->hist[IO_READ]) || hist_read(st, 9, &g->hist[IO_WRITE]) ||
	    hist_read(st, 14, &g->hist[HIST_DUE]))
		return -EINVAL;
	g->letter = column_text(st, 23)[0];
	store_sample_read(st, SEGMENT_SAMPLE, &g->total);
	gap_read(st, g);
	g->end_ns = g->total.t_ns;
	g->generation = g->total.generation;
	return 0;
}

/* Prepares "SELECT <first>, <sample columns> <rest>" for one run. */
static int prepare_rows(struct store *s, sqlite3_stmt **st, const char *first, const char *rest,
			int64_t run, struct error *e)
{
	char names[1024], sql[3072];

	snprintf(sql, sizeof(sql), "SELECT %s%s %s", first,
		 store_sample_names(names, sizeof(names), s->schema), rest);
	int err = store_prepare(s, st, sql, e);
	if (!err)
		sqlite3_bind_int64(*st, 1, run);
	return err;
}

static int damaged(struct store *s, int64_t run, struct error *e)
{
	return error_set(e, EINVAL, "run store %s: a row of run %lld cannot be read", s->path,
			 (long long)run);
}

/* After the last reset of the statistics, as a run that ends counts. */
#define SINCE_RESET "ifnull((SELECT max(id) FROM mark WHERE run = ?1 AND kind = 'reset'), 0)"

/* Adds up the segments: sums and histograms of the ticks. */
static int sum_segments(struct store *s, int64_t run, struct sample *total, struct sample *gap,
			struct hist hist[HISTS], struct error *e)
{
	sqlite3_stmt *st;
	int rc, err = prepare_rows(s, &st, segment_columns(s),
				   "FROM segment WHERE run = ?1 AND mark >= " SINCE_RESET
				   " ORDER BY number",
				   run, e);

	if (err)
		return err;
	struct segment *g = malloc(sizeof(*g));
	while (g && !err && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		if (rc != SQLITE_ROW)
			err = store_failed(s, e);
		else if (segment_read(st, g))
			err = damaged(s, run, e);
		else {
			sample_add(total, &g->total);
			sample_add(gap, &g->gap);
			for (int k = 0; k < HISTS; k++)
				hist_merge(&hist[k], &g->hist[k]);
		}
	}
	free(g);
	sqlite3_finalize(st);
	return err;
}

/* Takes cpu and the device's depth from the seconds: unlike the segments' nothing is
 * missing between them, but for those that an outage reaches into. */
static int sum_seconds(struct store *s, int64_t run, struct sample *total, struct error *e)
{
	sqlite3_stmt *st;
	int rc, err = prepare_rows(
			s, &st, "",
			"FROM sample WHERE run = ?1 AND time - dt >= ifnull((SELECT time FROM "
			"mark WHERE run = ?1 AND id = " SINCE_RESET "), 0) ORDER BY time",
			run, e);

	if (err)
		return err;
	struct sample sum, one;
	sample_clear(&sum);
	while (!err && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		if (rc != SQLITE_ROW)
			err = store_failed(s, e);
		else {
			store_sample_read(st, 0, &one);
			if (!one.gap_ns)
				sample_add(&sum, &one);
		}
	}
	sqlite3_finalize(st);
	total->cpu = sum.cpu;
	total->cpu.dt_ns = sample_cpu_dt(&sum);
	total->device_depth = sum.device_depth;
	return err;
}

static const char *run_engine(const struct run_row *r)
{
	const char *engine = json_string_value(json_object_get(r->settings, "engine"));

	return engine ? engine : "";
}

static int find_figures(struct store *s, const struct run_row *r, struct summary *out,
			struct error *e)
{
	if (r->summary && !summary_scan(out, r->summary))
		return 0;
	struct sample total, gap;
	struct hist hist[HISTS];
	sample_clear(&total);
	sample_clear(&gap);
	for (int k = 0; k < HISTS; k++)
		hist_clear(&hist[k]);
	int err = sum_segments(s, r->id, &total, &gap, hist, e);
	if (!err)
		err = sum_seconds(s, r->id, &total, e);
	if (err)
		return err;
	summary_compute(out, &total, hist, run_engine(r));
	summary_leave_out(out, &total, &gap, 0);
	return 0;
}

static int run_figures(struct store *s, const struct run_row *r, struct summary *out,
		       struct error *e)
{
	int err = find_figures(s, r, out, e);
	const char *why = json_string_value(json_object_get(r->settings, "engine_why"));

	if (!err)
		snprintf(out->engine_why, sizeof(out->engine_why), "%s", why ? why : "");
	return err;
}

/* --- Printing. --- */

/* Text from the store may have been written by anybody who could write to it: no control
 * characters on the terminal. */
static void plain(FILE *f, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, f);
}

static void print_time(FILE *f, uint64_t wall)
{
	time_t t = (time_t)(wall / NS_PER_SEC);
	struct tm tm;
	char text[64];

	localtime_r(&t, &tm);
	if (strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		fputs(text, f);
}

int store_list(struct store *s, FILE *out, struct error *e)
{
	sqlite3_stmt *st;
	int rc, err = store_prepare(s, &st, "SELECT " RUN_COLUMNS " FROM run ORDER BY id", e);

	if (err)
		return err;
	fprintf(out, "%4s  %-19s  %8s%8s%9s%9s%9s%7s  %-11s  %s\n", "ID", "started", "length",
		"IOPS", "MiB/s", "mean", "p99", "CPU %", "status", "target");
	while (!err && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		if (rc != SQLITE_ROW) {
			err = store_failed(s, e);
			break;
		}
		struct run_row r;
		struct summary sum;
		run_read(st, &r);
		err = run_figures(s, &r, &sum, e);
		if (!err) {
			fprintf(out, "%4lld  ", (long long)r.id);
			print_time(out, r.started);
			fputs("  ", out);
			table_span(out, 8, sum.elapsed_s);
			table_figures(out, &sum);
			fprintf(out, "  %-11s  ", r.status);
			plain(out, r.target);
			fputc('\n', out);
		}
		run_free(&r);
	}
	sqlite3_finalize(st);
	return err;
}

/* One line a value; objects within follow indented. */
static void print_object(FILE *f, const json_t *object, int indent)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)object, key, v)
	{
		if (json_is_object(v)) {
			fprintf(f, "%*s%s\n", indent, "", key);
			print_object(f, v, indent + 2);
			continue;
		}
		fprintf(f, "%*s%-*s ", indent, "", 24 - indent, key);
		if (json_is_string(v)) {
			plain(f, json_string_length(v) ? json_string_value(v) : "-");
		} else if (json_is_null(v)) {
			fputs("not known", f);
		} else {
			char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
			fputs(text ? text : "", f);
			free(text);
		}
		fputc('\n', f);
	}
}

/* What is set on a host fills screens; it has a command of its own. */
static void print_environment(FILE *f, const struct run_row *r)
{
	json_t *rest = json_copy(r->environment);
	size_t facts = json_object_size(json_object_get(rest, "facts"));

	json_object_del(rest, "facts");
	print_object(f, rest, 2);
	json_decref(rest);
	if (facts)
		fprintf(f, "  %zu settings of NICs, network and queues: lunscope env %lld\n", facts,
			(long long)r->id);
}

static int show_marks(struct store *s, const struct run_row *r, FILE *out, struct error *e)
{
	sqlite3_stmt *st;
	int rc, err = store_prepare(s, &st,
				    "SELECT letter, time, kind, text FROM mark WHERE run = ? "
				    "AND kind != 'passed' ORDER BY id",
				    e);

	if (err)
		return err;
	sqlite3_bind_int64(st, 1, r->id);
	fprintf(out, "\nmarks\n");
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		double at = ((double)sqlite3_column_int64(st, 1) - (double)r->started) / 1e9;
		const char *letter = column_text(st, 0);
		fprintf(out, "%4s", letter[0] ? letter : "-");
		table_span(out, 10, at);
		fprintf(out, "  %-5s  ", column_text(st, 2));
		plain(out, column_text(st, 3));
		fputc('\n', out);
	}
	if (rc != SQLITE_DONE)
		err = store_failed(s, e);
	sqlite3_finalize(st);
	return err;
}

static int print_segments(struct store *s, const struct run_row *r, sqlite3_stmt *st,
			  struct segment_table *table, struct error *e)
{
	struct segment *g = malloc(sizeof(*g));
	int rc = SQLITE_DONE, err = 0;

	while (g && !err && (rc = sqlite3_step(st)) == SQLITE_ROW)
		if (segment_read(st, g))
			err = damaged(s, r->id, e);
		else
			segment_table_add(table, g,
					  strcmp(column_text(st, SEGMENT_KIND), "passed") == 0);
	segment_table_end(table);
	free(g);
	return !err && rc != SQLITE_DONE ? store_failed(s, e) : err;
}

static int show_segments(struct store *s, const struct run_row *r, FILE *out, struct error *e)
{
	sqlite3_stmt *st;
	int err = prepare_rows(s, &st, segment_columns(s),
			       "FROM segment WHERE run = ?1 ORDER BY number", r->id, e);

	if (err)
		return err;
	fprintf(out, "\nsegments (from mark to mark)\n");
	struct segment_table *table = malloc(sizeof(*table));
	if (table) {
		segment_table_begin(table, out, run_engine(r));
		err = print_segments(s, r, st, table, e);
	} else {
		err = error_set(e, ENOMEM, "out of memory for the segments");
	}
	free(table);
	sqlite3_finalize(st);
	return err;
}

static int show_run(struct store *s, const struct run_row *r, FILE *out, struct error *e)
{
	struct summary sum;
	int err = run_figures(s, r, &sum, e);

	if (err)
		return err;
	fprintf(out, "run %lld, %s: ", (long long)r->id, r->status);
	plain(out, r->target);
	fprintf(out, "\n%-9s ", "started");
	print_time(out, r->started);
	fprintf(out, "\n%-9s ", "command");
	plain(out, r->command);
	fprintf(out, "\n%-9s %s\n", "lunscope", r->version);
	json_object_del(r->settings, "command"); /* it stands above */
	fprintf(out, "\nsettings\n");
	print_object(out, r->settings, 2);
	fprintf(out, "\nenvironment\n");
	print_environment(out, r);
	err = show_marks(s, r, out, e);
	if (!err)
		err = show_segments(s, r, out, e);
	char *table = summary_table(&sum, RATE_MIB, units_ascii());
	if (!err)
		fprintf(out, "\nsummary%s\n%s",
			r->ended ? "" : " (no end was recorded: of what is here)",
			table ? table : "");
	if (!err)
		path_rows(out, r->summary, RATE_MIB);
	free(table);
	return err;
}

int store_show(struct store *s, int64_t run, FILE *out, struct error *e)
{
	sqlite3_stmt *st;
	int err = store_prepare(s, &st, "SELECT " RUN_COLUMNS " FROM run WHERE id = ?", e);

	if (err)
		return err;
	sqlite3_bind_int64(st, 1, run);
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		struct run_row r;
		run_read(st, &r);
		err = show_run(s, &r, out, e);
		run_free(&r);
	} else if (rc == SQLITE_DONE) {
		err = error_set(e, ENOENT, "run store %s: there is no run %lld; see lunscope list",
				s->path, (long long)run);
	} else {
		err = store_failed(s, e);
	}
	sqlite3_finalize(st);
	return err;
}
