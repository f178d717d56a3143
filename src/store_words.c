/* store_words.c - see store_words.h. */
#include "store_words.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "store_figures.h"

/* --- The words themselves. --- */

static bool is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

/* Does it fit, and is it text? what: "name". */
static int check(const char *text, size_t most, const char *what, struct error *e)
{
	if (strlen(text) >= most)
		return error_set(e, EINVAL, "the %s is too long: %zu bytes at most", what,
				 most - 1);
	json_t *utf8 = json_string(text);
	json_decref(utf8);
	if (!utf8)
		return error_set(e, EINVAL, "the %s is not text in UTF-8", what);
	for (const char *p = text; *p; p++)
		if (is_control((unsigned char)*p))
			return error_set(e, EINVAL,
					 "the %s has control characters in it: one line of text",
					 what);
	return 0;
}

static bool has_tag(const char *tags, const char *tag, size_t n)
{
	for (const char *p = tags; *p;) {
		size_t length = strcspn(p, ",");
		if (length == n && memcmp(p, tag, n) == 0)
			return true;
		p += length + (p[length] == ',');
	}
	return false;
}

/* "a, b,,a" > "a,b"; out is as large as text. */
static void tidy_tags(char *out, const char *text)
{
	char *end = out;

	*out = '\0';
	for (const char *p = text; *p;) {
		size_t length = strcspn(p, ","), n;
		const char *tag = p + strspn(p, " ");
		p += length;
		n = tag < p ? (size_t)(p - tag) : 0;
		while (n && tag[n - 1] == ' ')
			n--;
		p += *p == ',';
		if (!n || has_tag(out, tag, n))
			continue;
		if (end > out)
			*end++ = ',';
		memcpy(end, tag, n);
		end += n;
		*end = '\0';
	}
}

/* A column of a store that anybody may have written to. */
static void take(char *out, size_t n, sqlite3_stmt *st, int column)
{
	const char *text = (const char *)sqlite3_column_text(st, column);

	snprintf(out, n, "%s", text ? text : "");
	for (char *p = out; *p; p++)
		if (is_control((unsigned char)*p))
			*p = '?';
}

static const char *word_columns(const struct store *s)
{
	return s->schema < 5 ? "NULL, NULL, NULL" : "name, tags, note";
}

static void take_words(struct run_words *w, sqlite3_stmt *st, int first)
{
	take(w->name, sizeof(w->name), st, first);
	take(w->tags, sizeof(w->tags), st, first + 1);
	take(w->note, sizeof(w->note), st, first + 2);
}

/* --- Changes. --- */

int store_open_words(struct store **s, const char *path, struct error *e)
{
	char usual[PATH_MAX];
	struct stat st;

	*s = NULL;
	if (!path) {
		int rc = store_default_path(usual, sizeof(usual), e);
		if (rc)
			return rc;
		path = usual;
	}
	if (stat(path, &st) ? errno == ENOENT : S_ISREG(st.st_mode) && st.st_size == 0)
		return error_set(e, ENOENT, "run store %s: no run has been kept there yet", path);
	return store_open(s, path, e);
}

static int execute(struct store *s, const char *sql, struct error *e)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? store_failed(s, e) : 0;
}

static int no_such_run(struct store *s, int64_t run, struct error *e)
{
	return error_set(e, ENOENT, "run store %s: there is no run %lld; see lunscope list",
			 s->path, (long long)run);
}

/* Runs a statement of one use that changes one run. */
static int change(struct store *s, sqlite3_stmt *st, int64_t run, struct error *e)
{
	int err = sqlite3_step(st) == SQLITE_DONE ? 0 : store_failed(s, e);

	if (!err && sqlite3_changes(s->db) != 1)
		err = no_such_run(s, run, e);
	sqlite3_finalize(st);
	return err;
}

/* "" is kept as NULL; NULL leaves the column as it is. */
static void bind_words(sqlite3_stmt *st, int at, const char *text)
{
	sqlite3_bind_int(st, at, text != NULL);
	if (text && *text)
		sqlite3_bind_text(st, at + 1, text, -1, SQLITE_TRANSIENT);
}

int store_set_words(struct store *s, int64_t run, const struct store_words *w, struct error *e)
{
	char tags[STORE_TAGS];
	sqlite3_stmt *st;
	int err = 0;

	if (w->name)
		err = check(w->name, STORE_NAME, "name", e);
	if (!err && w->tags)
		err = check(w->tags, STORE_TAGS, "list of tags", e);
	if (!err && w->note)
		err = check(w->note, STORE_NOTE, "note", e);
	if (!err)
		err = store_prepare(s, &st,
				    "UPDATE run SET name = CASE WHEN ? THEN ? ELSE name END, "
				    "tags = CASE WHEN ? THEN ? ELSE tags END, "
				    "note = CASE WHEN ? THEN ? ELSE note END WHERE id = ?",
				    e);
	if (err)
		return err;
	if (w->tags)
		tidy_tags(tags, w->tags);
	bind_words(st, 1, w->name);
	bind_words(st, 3, w->tags ? tags : NULL);
	bind_words(st, 5, w->note);
	sqlite3_bind_int64(st, 7, run);
	return change(s, st, run, e);
}

int store_get_words(struct store *s, int64_t run, struct run_words *out, struct error *e)
{
	char sql[128];
	sqlite3_stmt *st;

	snprintf(sql, sizeof(sql), "SELECT %s FROM run WHERE id = ?", word_columns(s));
	int err = store_prepare(s, &st, sql, e);
	if (err)
		return err;
	sqlite3_bind_int64(st, 1, run);
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		take_words(out, st, 0);
	else
		err = rc == SQLITE_DONE ? no_such_run(s, run, e) : store_failed(s, e);
	sqlite3_finalize(st);
	return err;
}

/* Within a transaction, so that nobody begins or ends it meanwhile. */
static int delete_one(struct store *s, int64_t run, struct error *e)
{
	struct run_row r;
	sqlite3_stmt *st;
	int err = run_row_load(s, run, &r, e);

	if (err)
		return err;
	bool running = strcmp(r.status, "running") == 0;
	long long pid = r.pid;
	run_row_free(&r);
	if (running)
		return error_set(e, EBUSY,
				 "run %lld is being recorded by process %lld: end it first",
				 (long long)run, pid);
	err = store_prepare(s, &st, "DELETE FROM run WHERE id = ?", e);
	if (err)
		return err;
	sqlite3_bind_int64(st, 1, run);
	return change(s, st, run, e);
}

int store_delete(struct store *s, const int64_t *run, size_t n, struct error *e)
{
	int err = execute(s, "BEGIN IMMEDIATE", e);

	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++)
		err = delete_one(s, run[i], e);
	if (!err)
		err = execute(s, "COMMIT", e);
	if (err && !sqlite3_get_autocommit(s->db))
		execute(s, "ROLLBACK", NULL);
	return err;
}

/* --- The list. --- */

/* A row as run_row_read() has it, without what no list shows. */
#define ENTRY_COLUMNS \
	"id, started, ended, pid, pid_start, target, status, '', '', settings, '{}', summary, "
#define ENTRY_WORDS 12

static int read_entry(struct store *s, sqlite3_stmt *st, struct store_entry *out, struct error *e)
{
	struct run_row r;
	struct summary sum;

	run_row_read(st, &r);
	*out = (struct store_entry){.id = r.id, .started = r.started};
	take(out->target, sizeof(out->target), st, 5);
	snprintf(out->status, sizeof(out->status), "%s", r.status);
	take_words(&out->words, st, ENTRY_WORDS);
	int err = run_row_figures(s, &r, &sum, e);
	if (!err) {
		const struct summary_op *all = &sum.op[SUM_TOTAL];
		out->elapsed_s = sum.elapsed_s;
		out->iops = all->iops;
		out->bytes_s = all->bytes_s;
		out->mean_ns = all->mean;
		out->p99_ns = all->p99;
		out->cpu = sum.cpu_valid ? sum.cpu_percent : NAN;
	}
	run_row_free(&r);
	return err;
}

int store_entries(struct store *s, struct store_entry **out, size_t *n, struct error *e)
{
	char sql[256];
	sqlite3_stmt *st;
	size_t room = 64;
	int rc;

	*out = NULL;
	*n = 0;
	snprintf(sql, sizeof(sql), "SELECT " ENTRY_COLUMNS "%s FROM run ORDER BY id DESC",
		 word_columns(s));
	int err = store_prepare(s, &st, sql, e);
	if (err)
		return err;
	*out = malloc(room * sizeof(**out));
	if (!*out)
		err = error_set(e, ENOMEM, "no memory for the list of runs");
	while (!err && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		if (*n == room) {
			room *= 2;
			struct store_entry *more = reallocarray(*out, room, sizeof(*more));
			if (!more) {
				err = error_set(e, ENOMEM, "no memory for the list of runs");
				break;
			}
			*out = more;
		}
		err = rc == SQLITE_ROW ? read_entry(s, st, *out + *n, e) : store_failed(s, e);
		*n += !err;
	}
	sqlite3_finalize(st);
	if (err) {
		free(*out);
		*out = NULL;
		*n = 0;
	}
	return err;
}
