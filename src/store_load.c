/* store_load.c - see store_load.h. */
#include "store_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "export.h"
#include "store_rows.h"

static const char *text_of(sqlite3_stmt *st, int at)
{
	const unsigned char *text = sqlite3_column_text(st, at);

	return text ? (const char *)text : "";
}

static int damaged(struct store *s, int64_t run, struct error *e)
{
	return error_set(e, EINVAL, "run store %s: a row of run %lld cannot be read", s->path,
			 (long long)run);
}

/* Room for one more of size bytes each. */
static void *grown(void *list, size_t count, size_t size)
{
	/* Whenever the number is a power of two it is full. */
	if (count & (count - 1))
		return list;
	return realloc(list, (count ? 2 * count : 1) * size);
}

/* Calls row for each row of the query. */
static int each_row(struct store *s, const char *sql, int64_t run,
		    int (*row)(struct store *s, sqlite3_stmt *st, struct stored_run *r,
			       struct error *e),
		    struct stored_run *r, struct error *e)
{
	sqlite3_stmt *st;
	int rc, err = store_prepare(s, &st, sql, e);

	if (err)
		return err;
	sqlite3_bind_int64(st, 1, run);
	while (!err && (rc = sqlite3_step(st)) != SQLITE_DONE)
		err = rc == SQLITE_ROW ? row(s, st, r, e) : store_failed(s, e);
	sqlite3_finalize(st);
	return err;
}

static int take_run(struct store *s, sqlite3_stmt *st, struct stored_run *r, struct error *e)
{
	(void)s;
	(void)e;
	r->id = sqlite3_column_int64(st, 0);
	snprintf(r->target, sizeof(r->target), "%s", text_of(st, 1));
	r->settings = json_loads(text_of(st, 2), 0, NULL);
	r->environment = json_loads(text_of(st, 3), 0, NULL);
	return 0;
}

static int take_segment(struct store *s, sqlite3_stmt *st, struct stored_run *r, struct error *e)
{
	struct stored_segment *list = grown(r->segment, r->segments, sizeof(*list));

	if (!list)
		return error_set(e, ENOMEM, "out of memory for a run");
	r->segment = list;
	struct stored_segment *g = &list[r->segments];
	memset(g, 0, sizeof(*g));
	g->number = (uint32_t)sqlite3_column_int64(st, 0);
	g->start_ns = (uint64_t)sqlite3_column_int64(st, 1);
	g->end_ns = (uint64_t)sqlite3_column_int64(st, 2);
	g->letter = text_of(st, 4)[0];
	g->passed = strcmp(text_of(st, 5), "passed") == 0;
	snprintf(g->text, sizeof(g->text), "%.150s", text_of(st, 6));
	g->mark = (uint32_t)sqlite3_column_int64(st, 7);
	json_t *workload = json_loads(text_of(st, 3), 0, NULL);
	int err = export_workload_scan(&g->workload, workload);
	json_decref(workload);
	if (err)
		return damaged(s, r->id, e);
	r->segments++;
	return 0;
}

static int take_change(struct store *s, sqlite3_stmt *st, struct stored_run *r, struct error *e)
{
	struct store_change *list = grown(r->change, r->changes, sizeof(*list));

	(void)s;
	if (!list)
		return error_set(e, ENOMEM, "out of memory for a run");
	r->change = list;
	struct store_change *c = &list[r->changes++];
	c->mark = (uint32_t)sqlite3_column_int64(st, 0);
	snprintf(c->fact.words, sizeof(c->fact.words), "%s", text_of(st, 1));
	snprintf(c->fact.value, sizeof(c->fact.value), "%s", text_of(st, 2));
	return 0;
}

static int take_second(struct store *s, sqlite3_stmt *st, struct stored_run *r, struct error *e)
{
	struct sample *list = grown(r->second, r->seconds, sizeof(*list));

	(void)s;
	if (!list)
		return error_set(e, ENOMEM, "out of memory for a run");
	r->second = list;
	store_sample_read(st, 0, &list[r->seconds++]);
	return 0;
}

/* Without its seconds. */
static int load_circumstances(struct store *s, int64_t run, struct stored_run *out, struct error *e)
{
	int err = each_row(s, "SELECT id, target, settings, environment FROM run WHERE id = ?1",
			   run, take_run, out, e);
	if (!err && !out->id)
		err = error_set(e, ENOENT, "run store %s has no run %lld", s->path, (long long)run);
	if (!err)
		err = each_row(s,
			       "SELECT segment.number, segment.started, segment.time, "
			       "segment.workload, mark.letter, mark.kind, mark.text, "
			       "segment.mark FROM segment "
			       "LEFT JOIN mark ON mark.run = segment.run AND mark.id = "
			       "segment.mark WHERE segment.run = ?1 ORDER BY segment.number",
			       run, take_segment, out, e);
	/* Schema 4 brought the table. */
	if (!err && s->schema >= 4)
		err = each_row(s,
			       "SELECT mark, words, value FROM fact WHERE run = ?1 ORDER BY mark",
			       run, take_change, out, e);
	return err;
}

int store_load_circumstances(struct store *s, int64_t run, struct stored_run *out, struct error *e)
{
	memset(out, 0, sizeof(*out));
	int err = load_circumstances(s, run, out, e);
	if (err)
		stored_run_free(out);
	return err;
}

int store_load(struct store *s, int64_t run, struct stored_run *out, struct error *e)
{
	char names[1024], sql[2048];

	memset(out, 0, sizeof(*out));
	int err = load_circumstances(s, run, out, e);
	snprintf(sql, sizeof(sql), "SELECT %s FROM sample WHERE run = ?1 ORDER BY time",
		 store_sample_names(names, sizeof(names), s->schema));
	if (!err)
		err = each_row(s, sql, run, take_second, out, e);
	if (err)
		stored_run_free(out);
	return err;
}

void stored_run_free(struct stored_run *r)
{
	json_decref(r->settings);
	json_decref(r->environment);
	free(r->second);
	free(r->segment);
	free(r->change);
	memset(r, 0, sizeof(*r));
}

json_t *environment_at(const json_t *environment, const struct store_change *change, size_t n,
		       uint32_t mark)
{
	json_t *copy = json_deep_copy(environment), *facts = json_object_get(copy, "facts");

	for (size_t i = 0; i < n && change[i].mark <= mark && facts; i++)
		json_object_set_new(facts, change[i].fact.words, export_text(change[i].fact.value));
	return copy;
}

json_t *stored_environment(const struct stored_run *r, const struct stored_segment *g)
{
	return environment_at(r->environment, r->change, r->changes, g ? g->mark : UINT32_MAX);
}

/* "1, 2 (a), 3 (b)" */
static void list_segments(const struct stored_run *r, char *out, size_t n)
{
	size_t used = 0;

	out[0] = 0;
	for (size_t i = 0; i < r->segments && used + 40 < n; i++) {
		const struct stored_segment *g = &r->segment[i];
		if (g->passed)
			continue;
		used += (size_t)snprintf(out + used, n - used, "%s%u", used ? ", " : "", g->number);
		if (g->letter)
			used += (size_t)snprintf(out + used, n - used, " (%c)", g->letter);
	}
}

static bool is_meant(const struct stored_segment *g, const char *name)
{
	char *end;

	if (name[0] >= 'a' && name[0] <= 'z' && !name[1])
		return g->letter == name[0];
	unsigned long number = strtoul(name, &end, 10);
	return *name && !*end && number == g->number;
}

int stored_segment_find(const struct stored_run *r, const char *name,
			const struct stored_segment **out, struct error *e)
{
	char list[300];

	*out = NULL;
	for (size_t i = 0; i < r->segments; i++)
		if (is_meant(&r->segment[i], name) || (!*name && r->segments == 1))
			*out = &r->segment[i];
	if (*out)
		return 0;
	list_segments(r, list, sizeof(list));
	if (!*name)
		return error_set(
			e, EINVAL,
			"run %lld has several segments: name one, as in %lld:%u; there are "
			"%.250s",
			(long long)r->id, (long long)r->id,
			r->segments ? r->segment[r->segments - 1].number : 1, list);
	return error_set(e, EINVAL, "run %lld has no segment '%.40s': there are %.250s",
			 (long long)r->id, name, list);
}
