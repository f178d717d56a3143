/* store_import.c - see store_import.h. */
#include "store_import.h"

#include <errno.h>
#include <stdlib.h>
#include "store_rows.h"

static int once(struct store *s, enum store_sql which, struct error *e)
{
	sqlite3_stmt *st = store_sql(s, which, e);

	if (!st)
		return -EIO;
	int rc = sqlite3_step(st);
	int err = rc == SQLITE_DONE || rc == SQLITE_ROW ? 0 : store_failed(s, e);
	sqlite3_reset(st);
	return err;
}

int store_import_begin(struct store *s, struct error *e)
{
	return once(s, SQL_BEGIN, e);
}

int store_import_end(struct store *s, int err, struct error *e)
{
	s->run = 0;
	if (!err)
		err = once(s, SQL_COMMIT, e);
	if (err && !sqlite3_get_autocommit(s->db))
		once(s, SQL_ROLLBACK, NULL);
	return err;
}

/* The run that has this digest; 0: none. */
static int64_t find(struct store *s, const char *digest, struct error *e)
{
	sqlite3_stmt *st;
	int64_t id = 0;
	int err = store_prepare(s, &st,
				"SELECT id FROM run WHERE status = '" STORE_IMPORTED "' AND "
				"json_extract(settings, '$." STORE_IMPORTED ".digest') = ?",
				e);

	if (err)
		return err;
	sqlite3_bind_text(st, 1, digest, -1, SQLITE_TRANSIENT);
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		id = sqlite3_column_int64(st, 0);
	else if (rc != SQLITE_DONE)
		id = store_failed(s, e);
	sqlite3_finalize(st);
	return id;
}

static int add_mark(struct store *s, const struct store_import *run, struct error *e)
{
	sqlite3_stmt *st = store_sql(s, SQL_MARK, e);

	if (!st)
		return -EIO;
	sqlite3_bind_int64(st, 1, s->run);
	sqlite3_bind_int64(st, 2, 1);
	sqlite3_bind_text(st, 3, mark_kind_name(MARK_START), -1, SQLITE_STATIC);
	sqlite3_bind_null(st, 4);
	sqlite3_bind_int64(st, 5, (int64_t)run->started);
	sqlite3_bind_text(st, 6, run->text, -1, SQLITE_TRANSIENT);
	return once(s, SQL_MARK, e);
}

static int end_run(struct store *s, const struct store_import *run, struct error *e)
{
	sqlite3_stmt *st = store_sql(s, SQL_END, e);
	char *summary = json_dumps(run->summary, JSON_COMPACT);

	if (!st || !summary) {
		free(summary);
		return st ? error_set(e, ENOMEM, "run store %s: out of memory", s->path) : -EIO;
	}
	sqlite3_bind_int64(st, 1, (int64_t)run->ended);
	sqlite3_bind_text(st, 2, STORE_IMPORTED, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 3, summary, -1, free);
	sqlite3_bind_int64(st, 4, s->run);
	return once(s, SQL_END, e);
}

int64_t store_import(struct store *s, const struct store_import *run, bool *known, struct error *e)
{
	const json_t *imported = json_object_get(run->settings, STORE_IMPORTED);
	const char *digest = json_string_value(json_object_get(imported, "digest"));

	*known = false;
	if (!digest)
		return error_set(e, EINVAL, "run store %s: an import without a digest", s->path);
	int64_t id = find(s, digest, e);
	*known = id > 0;
	if (id)
		return id;
	id = store_begin(s, run->started, run->target, run->command, run->settings,
			 run->environment, e);
	if (id < 0)
		return id;
	int err = add_mark(s, run, e);
	if (!err)
		err = store_write_segment(s, run->segment, 0, e);
	if (!err)
		err = end_run(s, run, e);
	return err ? err : id;
}
