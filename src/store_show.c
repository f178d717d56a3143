/* store_show.c - what `lunscope list` and `lunscope show` print. */
#include "store_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include "path_rows.h"
#include "segment_table.h"
#include "store_import.h"
#include "store_figures.h"
#include "store_words.h"
#include "units.h"

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

/* Columns on a terminal of this locale. */
static int columns_of(const char *text)
{
	wchar_t wide[STORE_NOTE];
	size_t n = mbstowcs(wide, text, STORE_NOTE - 1);
	int columns = n == (size_t)-1 ? -1 : wcswidth(wide, n);

	return columns < 0 ? (int)strlen(text) : columns;
}

/* Left-aligned in so many columns and two blanks. */
static void left(FILE *f, int width, const char *text)
{
	int rest = width - columns_of(text);

	plain(f, text);
	fprintf(f, "%*s", rest > 0 ? rest + 2 : 2, "");
}

/* Names and tags are shown where a run has some. A long one moves its own row aside only. */
#define WORDS_COLUMNS 24
struct list_widths {
	int name, tags; /* 0: not shown */
};

static void widen(int *width, const char *text, const char *head)
{
	int n = columns_of(text);

	if (!*text)
		return;
	n = n > WORDS_COLUMNS ? WORDS_COLUMNS : n;
	*width = *width > n ? *width : n;
	*width = *width > (int)strlen(head) ? *width : (int)strlen(head);
}

static int find_widths(struct store *s, struct list_widths *w, struct error *e)
{
	sqlite3_stmt *st;
	int rc, err = s->schema < 5 ? 0
				    : store_prepare(s, &st,
						    "SELECT ifnull(name, ''), ifnull(tags, '') "
						    "FROM run WHERE name NOTNULL OR tags NOTNULL",
						    e);

	*w = (struct list_widths){0};
	if (err || s->schema < 5)
		return err;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		widen(&w->name, (const char *)sqlite3_column_text(st, 0), "name");
		widen(&w->tags, (const char *)sqlite3_column_text(st, 1), "tags");
	}
	if (rc != SQLITE_DONE)
		err = store_failed(s, e);
	sqlite3_finalize(st);
	return err;
}

static void list_words(FILE *out, const struct list_widths *w, const char *name, const char *tags)
{
	if (w->name)
		left(out, w->name, name);
	if (w->tags)
		left(out, w->tags, tags);
}

static int count_runs(struct store *s, uint64_t *total, struct error *e)
{
	sqlite3_stmt *st;
	int err = store_prepare(s, &st, "SELECT count(*) FROM run", e);

	if (err)
		return err;
	if (sqlite3_step(st) == SQLITE_ROW)
		*total = (uint64_t)sqlite3_column_int64(st, 0);
	else
		err = store_failed(s, e);
	sqlite3_finalize(st);
	return err;
}

static int list_row(struct store *s, sqlite3_stmt *st, const struct list_widths *w, FILE *out,
		    struct error *e)
{
	struct run_row r;
	struct run_words words;
	struct summary sum;

	run_row_read(st, &r);
	int err = run_row_figures(s, &r, &sum, e);
	if (!err)
		err = store_get_words(s, r.id, &words, e);
	if (!err) {
		fprintf(out, "%4lld  ", (long long)r.id);
		print_time(out, r.started);
		fputs("  ", out);
		table_span(out, 8, sum.elapsed_s);
		table_figures(out, &sum);
		fprintf(out, "  %-11s  ", r.status);
		list_words(out, w, words.name, words.tags);
		plain(out, r.target);
		fputc('\n', out);
	}
	run_row_free(&r);
	return err;
}

int store_list_watched(struct store *s, FILE *out, void (*step)(uint64_t done, uint64_t total),
		       struct error *e)
{
	struct list_widths w;
	sqlite3_stmt *st;
	uint64_t done = 0, total = 0;
	int rc, err = step ? count_runs(s, &total, e) : 0;

	if (!err)
		err = find_widths(s, &w, e);
	if (!err)
		err = store_prepare(s, &st, "SELECT " RUN_ROW_COLUMNS " FROM run ORDER BY id", e);
	if (err)
		return err;
	fprintf(out, "%4s  %-19s  %8s%8s%9s%9s%9s%7s  %-11s  ", "ID", "started", "length", "IOPS",
		"MiB/s", "mean", "p99", "CPU %", "status");
	list_words(out, &w, "name", "tags");
	fputs("target\n", out);
	while (!err && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		err = rc == SQLITE_ROW ? list_row(s, st, &w, out, e) : store_failed(s, e);
		if (step)
			step(++done, total);
	}
	sqlite3_finalize(st);
	return err;
}

int store_list(struct store *s, FILE *out, struct error *e)
{
	return store_list_watched(s, out, NULL, e);
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

/* What marks and segments are printed with. */
struct shown {
	FILE *f;
	uint64_t started;
	struct segment_table *table;
};

static void show_mark(const struct mark *m, void *arg)
{
	const struct shown *to = arg;

	if (m->kind == MARK_PASSED)
		return;
	fprintf(to->f, "%4c", m->letter ? m->letter : '-');
	table_span(to->f, 10, ((double)m->wall - (double)to->started) / 1e9);
	fprintf(to->f, "  %-5s  ", mark_kind_name(m->kind));
	plain(to->f, m->text);
	fputc('\n', to->f);
}

static int show_marks(struct store *s, const struct run_row *r, FILE *out, struct error *e)
{
	struct shown to = {.f = out, .started = r->started};

	fprintf(out, "\nmarks\n");
	return run_row_marks(s, r, show_mark, &to, e);
}

static void show_segment(const struct segment *g, bool passed, void *arg)
{
	const struct shown *to = arg;

	segment_table_add(to->table, g, passed);
}

static int show_segments(struct store *s, const struct run_row *r, FILE *out, struct error *e)
{
	struct segment_table *table = malloc(sizeof(*table));
	struct shown to = {.f = out, .table = table};

	if (!table)
		return error_set(e, ENOMEM, "out of memory for the segments");
	fprintf(out, "\nsegments (from mark to mark)\n");
	segment_table_begin(table, out, run_row_engine(r));
	int err = run_row_segments(s, r, show_segment, &to, e);
	if (!err)
		segment_table_end(table);
	free(table);
	return err;
}

static void show_words(const struct run_words *w, FILE *out)
{
	const char *const row[][2] = {{"name", w->name}, {"tags", w->tags}, {"note", w->note}};

	for (int i = 0; i < 3; i++)
		if (row[i][1][0])
			fprintf(out, "%-9s %s\n", row[i][0], row[i][1]);
}

static int show_run(struct store *s, const struct run_row *r, FILE *out, struct error *e)
{
	struct summary sum;
	struct run_words words;
	int err = run_row_figures(s, r, &sum, e);

	if (!err)
		err = store_get_words(s, r->id, &words, e);
	if (err)
		return err;
	fprintf(out, "run %lld, %s: ", (long long)r->id, r->status);
	plain(out, r->target);
	fprintf(out, "\n%-9s ", "started");
	print_time(out, r->started);
	fprintf(out, "\n%-9s ", "command");
	plain(out, r->command);
	fprintf(out, "\n%-9s %s\n", "lunscope", r->version);
	show_words(&words, out);
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
	if (!err && json_object_get(r->settings, STORE_IMPORTED))
		fputs("seconds   none are kept of an imported run: it compares by ratio, without "
		      "verdict\n",
		      out);
	free(table);
	return err;
}

int store_show(struct store *s, int64_t run, FILE *out, struct error *e)
{
	struct run_row r;
	int err = run_row_load(s, run, &r, e);

	if (err)
		return err;
	err = show_run(s, &r, out, e);
	run_row_free(&r);
	return err;
}
