/* store_record.c - recording a run: one transaction a second, and its end.
 *
 * The store remembers how far the timeline has been written. The marks of progress move only once a
 * transaction is committed, so that after a failure (a full disk, a busy file) the next call writes
 * what is still missing.
 */
#include "store_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "config.h"
#include "export.h"
#include "units.h"

/* Ticks, and the second they belong to, may still arrive for a segment that is already closed. */
#define SEGMENT_LATE (2 * NS_PER_SEC)

static int step(struct store *s, sqlite3_stmt *st, struct error *e)
{
	int rc = sqlite3_step(st);
	int err = rc == SQLITE_DONE || rc == SQLITE_ROW ? 0 : store_failed(s, e);
	sqlite3_reset(st);

	return err;
}

static int simple(struct store *s, enum store_sql which, struct error *e)
{
	sqlite3_stmt *st = store_sql(s, which, e);

	return st ? step(s, st, e) : -EIO;
}

/* Ends a transaction according to err, which it returns; a commit that fails is rolled back. */
static int finish(struct store *s, int err, struct error *e)
{
	if (!err)
		err = simple(s, SQL_COMMIT, e);
	if (err && !sqlite3_get_autocommit(s->db))
		simple(s, SQL_ROLLBACK, NULL);
	return err;
}

/* Binds an object as compact text. */
static int bind_json(sqlite3_stmt *st, int at, json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);

	return text ? sqlite3_bind_text(st, at, text, -1, free) : SQLITE_NOMEM;
}

int64_t store_begin(struct store *s, uint64_t wall, const char *target, const char *command,
		    json_t *settings, json_t *environment, struct error *e)
{
	sqlite3_stmt *st = store_sql(s, SQL_RUN, e);

	if (!st)
		return -EIO;
	pid_t pid = getpid();
	sqlite3_bind_int64(st, 1, (int64_t)wall);
	sqlite3_bind_text(st, 2, target, -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(st, 3, command ? command : "", -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(st, 4, PACKAGE_VERSION, -1, SQLITE_STATIC);
	if (bind_json(st, 5, settings) || bind_json(st, 6, environment))
		return error_set(e, EINVAL,
				 "run store %s: the settings or environment are not JSON objects",
				 s->path);
	sqlite3_bind_int64(st, 7, pid);
	sqlite3_bind_int64(st, 8, (int64_t)store_process_start(pid));
	int err = step(s, st, e);
	if (err)
		return err;
	s->run = sqlite3_last_insert_rowid(s->db);
	s->sample_t_ns = 0;
	s->mark = 0;
	s->notes = s->gaps = 0;
	s->segment = 1;
	return s->run;
}

/* --- What is new on the timeline. --- */

static int append_samples(struct store *s, struct timeline *t, int64_t offset_ns, uint64_t after,
			  uint64_t *newest, struct error *e)
{
	size_t n;
	int err = 0;
	struct sample *list = timeline_all_seconds(t, after, &n);

	if (!list)
		return error_set(e, ENOMEM, "run store %s: out of memory", s->path);
	for (size_t i = 0; i < n && !err; i++) {
		sqlite3_stmt *st = store_sql(s, SQL_SAMPLE, e);
		if (!st) {
			err = -EIO;
			break;
		}
		sqlite3_bind_int64(st, 1, s->run);
		store_sample_bind(st, 2, &list[i], offset_ns);
		err = step(s, st, e);
		*newest = list[i].t_ns;
	}
	free(list);
	return err;
}

static int append_marks(struct store *s, struct timeline *t, int64_t offset_ns, uint32_t *newest,
			uint32_t *notes, struct error *e)
{
	size_t n;
	int err = 0;

	/* Marks that were given other words since are written once more. */
	*notes = timeline_notes(t);
	struct mark *list = timeline_all_marks(t, *notes == s->notes ? s->mark : 0, &n);
	if (!list)
		return error_set(e, ENOMEM, "run store %s: out of memory", s->path);
	for (size_t i = 0; i < n && !err; i++) {
		const struct mark *m = &list[i];
		sqlite3_stmt *st = store_sql(s, SQL_MARK, e);
		if (!st) {
			err = -EIO;
			break;
		}
		sqlite3_bind_int64(st, 1, s->run);
		sqlite3_bind_int64(st, 2, m->id);
		sqlite3_bind_text(st, 3, mark_kind_name(m->kind), -1, SQLITE_STATIC);
		if (m->letter)
			sqlite3_bind_text(st, 4, &m->letter, 1, SQLITE_TRANSIENT);
		else
			sqlite3_bind_null(st, 4);
		sqlite3_bind_int64(st, 5, (int64_t)m->t_ns + offset_ns);
		sqlite3_bind_text(st, 6, m->text, -1, SQLITE_TRANSIENT);
		err = step(s, st, e);
		*newest = m->id;
	}
	free(list);
	return err;
}

/* Histogram columns from parameter `at` on. */
static int bind_hist(sqlite3_stmt *st, int at, const struct hist *h)
{
	size_t n = (size_t)hist_print(h, NULL, 0) + 1;
	char *text = malloc(n);

	if (!text)
		return SQLITE_NOMEM;
	hist_print(h, text, n);
	sqlite3_bind_text(st, at, text, -1, free);
	sqlite3_bind_int64(st, at + 1, (int64_t)h->count);
	sqlite3_bind_int64(st, at + 2, (int64_t)h->sum);
	if (h->count) {
		sqlite3_bind_int64(st, at + 3, (int64_t)h->min);
		sqlite3_bind_int64(st, at + 4, (int64_t)h->max);
	} else {
		sqlite3_bind_null(st, at + 3);
		sqlite3_bind_null(st, at + 4);
	}
	return SQLITE_OK;
}

/* What is left out of a segment, columns from parameter `at` on. */
static void bind_gap(sqlite3_stmt *st, int at, const struct sample *gap)
{
	const struct op_sample *r = &gap->op[IO_READ], *w = &gap->op[IO_WRITE];
	uint64_t max = r->lat_max > w->lat_max ? r->lat_max : w->lat_max;

	sqlite3_bind_int64(st, at, (int64_t)(r->ios + w->ios));
	sqlite3_bind_int64(st, at + 1, (int64_t)(r->bytes + w->bytes));
	sqlite3_bind_int64(st, at + 2, (int64_t)(r->lat_sum + w->lat_sum));
	sqlite3_bind_int64(st, at + 3, (int64_t)max);
}

int store_write_segment(struct store *s, const struct segment *g, int64_t offset_ns,
			struct error *e)
{
	sqlite3_stmt *st = store_sql(s, SQL_SEGMENT, e);

	if (!st)
		return -EIO;
	json_t *workload = export_workload(&g->workload);
	sqlite3_bind_int64(st, 1, s->run);
	sqlite3_bind_int64(st, 2, g->number);
	sqlite3_bind_int64(st, 3, g->mark);
	sqlite3_bind_int64(st, 4, (int64_t)g->start_ns + offset_ns);
	bind_gap(st, 21, &g->gap);
	bool bad = bind_json(st, 5, workload) || bind_hist(st, 6, &g->hist[IO_READ]) ||
		   bind_hist(st, 11, &g->hist[IO_WRITE]) || bind_hist(st, 16, &g->hist[HIST_DUE]);
	json_decref(workload);
	if (bad)
		return error_set(e, ENOMEM, "run store %s: out of memory", s->path);
	struct sample total = g->total;
	total.t_ns = g->end_ns;
	total.generation = g->generation;
	total.gap_ns = g->gap.dt_ns;
	store_sample_bind(st, 25, &total, offset_ns);
	return step(s, st, e);
}

/* Writes what may have changed (all that reaches beyond `after` has), and finds the first that may change
 * yet. */
static int append_segments(struct store *s, struct timeline *t, int64_t offset_ns, uint64_t after,
			   uint32_t *open, struct error *e)
{
	uint32_t count = timeline_segments(t);
	struct segment *g = malloc(sizeof(*g));
	int err = 0;

	if (!g)
		return error_set(e, ENOMEM, "run store %s: out of memory", s->path);
	uint64_t newest = timeline_segment(t, count, g) ? g->end_ns : 0;
	uint32_t first = s->segment;
	while (first > 1 && timeline_segment(t, first - 1, g) && g->end_ns > after)
		first--;
	*open = 0;
	for (uint32_t n = first; n <= count && !err; n++) {
		if (!timeline_segment(t, n, g))
			break;
		if (!*open && (n == count || g->end_ns + SEGMENT_LATE > newest))
			*open = n;
		err = store_write_segment(s, g, offset_ns, e);
	}
	free(g);
	return err;
}

int store_add_news(struct store *s, int64_t run, const struct store_news *news, struct error *e)
{
	if (!news->environment && !news->count)
		return 0;
	int err = simple(s, SQL_BEGIN, e);
	if (err)
		return err;
	sqlite3_stmt *st = news->environment ? store_sql(s, SQL_ENVIRONMENT, e) : NULL;
	if (st) {
		sqlite3_bind_text(st, 1, news->environment, -1, SQLITE_TRANSIENT);
		sqlite3_bind_int64(st, 2, run);
		err = step(s, st, e);
	} else if (news->environment) {
		err = -EIO;
	}
	for (size_t i = 0; i < news->count && !err; i++) {
		st = store_sql(s, SQL_FACT, e);
		if (!st) {
			err = -EIO;
			break;
		}
		sqlite3_bind_int64(st, 1, run);
		sqlite3_bind_int64(st, 2, news->change[i].mark);
		sqlite3_bind_text(st, 3, news->change[i].fact.words, -1, SQLITE_TRANSIENT);
		sqlite3_bind_text(st, 4, news->change[i].fact.value, -1, SQLITE_TRANSIENT);
		err = step(s, st, e);
	}
	return finish(s, err, e);
}

void store_news_free(struct store_news *news)
{
	free(news->environment);
	free(news->change);
	memset(news, 0, sizeof(*news));
}

static int write_end(struct store *s, const char *status, json_t *summary, struct error *e)
{
	sqlite3_stmt *st = store_sql(s, SQL_END, e);

	if (!st)
		return -EIO;
	sqlite3_bind_int64(st, 1, (int64_t)wall_ns());
	sqlite3_bind_text(st, 2, status, -1, SQLITE_TRANSIENT);
	if (bind_json(st, 3, summary))
		return error_set(e, EINVAL, "run store %s: the summary is not a JSON object",
				 s->path);
	sqlite3_bind_int64(st, 4, s->run);
	int err = step(s, st, e);
	if (!err && sqlite3_changes(s->db) != 1)
		err = error_set(e, ENOENT, "run store %s: run %lld is not in it any more", s->path,
				(long long)s->run);
	return err;
}

/* status NULL: the run goes on. */
static int append(struct store *s, int64_t run, struct timeline *t, int64_t offset_ns,
		  const char *status, json_t *summary, struct error *e)
{
	if (!run || run != s->run)
		return error_set(e, EINVAL, "run store %s: run %lld is not being recorded", s->path,
				 (long long)run);
	int err = simple(s, SQL_BEGIN, e);
	if (err)
		return err;
	uint64_t sample_t_ns = s->sample_t_ns;
	uint32_t mark = s->mark, notes = s->notes, segment = s->segment;
	/* What is left out has changed from there on: these rows are written once more. */
	uint64_t changed_ns;
	uint32_t gaps = timeline_gaps_changed(t, s->gaps, &changed_ns);
	err = append_samples(s, t, offset_ns, changed_ns < sample_t_ns ? changed_ns : sample_t_ns,
			     &sample_t_ns, e);
	if (!err)
		err = append_marks(s, t, offset_ns, &mark, &notes, e);
	if (!err)
		err = append_segments(s, t, offset_ns, changed_ns, &segment, e);
	if (!err && status)
		err = write_end(s, status, summary, e);
	err = finish(s, err, e);
	if (err)
		return err;
	s->sample_t_ns = sample_t_ns;
	s->mark = mark;
	s->notes = notes;
	s->gaps = gaps;
	s->segment = segment ? segment : 1;
	return 0;
}

int store_append(struct store *s, int64_t run, struct timeline *t, int64_t offset_ns,
		 struct error *e)
{
	return append(s, run, t, offset_ns, NULL, NULL, e);
}

int store_end(struct store *s, int64_t run, struct timeline *t, int64_t offset_ns,
	      const char *status, json_t *summary, struct error *e)
{
	int err = append(s, run, t, offset_ns, status, summary, e);

	if (!err)
		s->run = 0;
	return err;
}

int store_discard(struct store *s, int64_t run, struct error *e)
{
	sqlite3_stmt *st = store_sql(s, SQL_DISCARD, e);

	if (!st)
		return -EIO;
	sqlite3_bind_int64(st, 1, run);
	int err = step(s, st, e);
	if (err)
		return err;
	if (sqlite3_changes(s->db) != 1)
		return error_set(e, ENOENT, "run store %s: there is no run %lld", s->path,
				 (long long)run);
	if (s->run == run)
		s->run = 0;
	return 0;
}
