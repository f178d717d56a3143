/* store_figures.c - the figures of a stored run; see store_figures.h.
 *
 * A run that ended has its summary in the store. One that was cut off has none; its figures are
 * computed here from its segments and seconds, in the same way.
 */
#include "store_figures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "export.h"
#include "units.h"

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

void run_row_read(sqlite3_stmt *st, struct run_row *r)
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

void run_row_free(struct run_row *r)
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

const char *run_row_engine(const struct run_row *r)
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
	summary_compute(out, &total, hist, run_row_engine(r));
	summary_leave_out(out, &total, &gap, 0);
	return 0;
}

int run_row_figures(struct store *s, const struct run_row *r, struct summary *out, struct error *e)
{
	int err = find_figures(s, r, out, e);
	const char *why = json_string_value(json_object_get(r->settings, "engine_why"));

	if (!err)
		snprintf(out->engine_why, sizeof(out->engine_why), "%s", why ? why : "");
	return err;
}

/* --- Its marks and segments. --- */

static enum mark_kind kind_of(const char *name)
{
	for (int k = MARK_START; k <= MARK_PASSED; k++)
		if (strcmp(mark_kind_name((enum mark_kind)k), name) == 0)
			return (enum mark_kind)k;
	return MARK_EVENT;
}

int run_row_marks(struct store *s, const struct run_row *r, run_row_mark_fn *fn, void *arg,
		  struct error *e)
{
	sqlite3_stmt *st;
	int rc, err = store_prepare(s, &st,
				    "SELECT id, letter, time, kind, text FROM mark WHERE run = ? "
				    "ORDER BY id",
				    e);

	if (err)
		return err;
	sqlite3_bind_int64(st, 1, r->id);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct mark m = {.id = (uint32_t)sqlite3_column_int64(st, 0),
				 .letter = column_text(st, 1)[0],
				 .wall = (uint64_t)sqlite3_column_int64(st, 2),
				 .kind = kind_of(column_text(st, 3))};
		snprintf(m.text, sizeof(m.text), "%s", column_text(st, 4));
		fn(&m, arg);
	}
	if (rc != SQLITE_DONE)
		err = store_failed(s, e);
	sqlite3_finalize(st);
	return err;
}

int run_row_segments(struct store *s, const struct run_row *r, run_row_segment_fn *fn, void *arg,
		     struct error *e)
{
	sqlite3_stmt *st;
	struct segment *g = malloc(sizeof(*g));
	int rc = SQLITE_DONE, err;

	if (!g)
		return error_set(e, ENOMEM, "out of memory for the segments");
	err = prepare_rows(s, &st, segment_columns(s),
			   "FROM segment WHERE run = ?1 ORDER BY number", r->id, e);
	if (err) {
		free(g);
		return err;
	}
	while (!err && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		if (segment_read(st, g))
			err = damaged(s, r->id, e);
		else
			fn(g, strcmp(column_text(st, SEGMENT_KIND), "passed") == 0, arg);
	}
	if (!err && rc != SQLITE_DONE)
		err = store_failed(s, e);
	sqlite3_finalize(st);
	free(g);
	return err;
}

int run_row_load(struct store *s, int64_t run, struct run_row *out, struct error *e)
{
	sqlite3_stmt *st;
	int err = store_prepare(s, &st, "SELECT " RUN_ROW_COLUMNS " FROM run WHERE id = ?", e);

	if (err)
		return err;
	sqlite3_bind_int64(st, 1, run);
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		run_row_read(st, out);
	else if (rc == SQLITE_DONE)
		err = error_set(e, ENOENT, "run store %s: there is no run %lld; see lunscope list",
				s->path, (long long)run);
	else
		err = store_failed(s, e);
	sqlite3_finalize(st);
	return err;
}
