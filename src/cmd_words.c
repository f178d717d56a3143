/* cmd_words.c - `lunscope note RUN` and `lunscope delete RUN...`: what is said of kept runs, and which are to go. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "commands.h"
#include "store_figures.h"
#include "store_words.h"

static int parse_run(const char *text, int64_t *run, struct error *e)
{
	uint64_t id;
	int rc = units_parse_uint(text, "run", 1, INT64_MAX, &id, e);

	if (rc == 0)
		*run = (int64_t)id;
	return rc;
}

/* --- note. --- */

static void print_words(const struct run_words *w)
{
	printf("name  %s\ntags  %s\nnote  %s\n", w->name[0] ? w->name : "-",
	       w->tags[0] ? w->tags : "-", w->note[0] ? w->note : "-");
}

int cmd_note(const struct options *o)
{
	const struct store_words w = {.name = o->name, .tags = o->tag, .note = o->note};
	struct run_words now;
	struct store *s;
	struct error e;
	int64_t run;
	bool changes = w.name || w.tags || w.note;
	int rc = parse_run(o->arg[0], &run, &e);

	if (rc == 0)
		rc = changes ? store_open_words(&s, o->store, &e) : cmd_open_store(o, &s, &e);
	if (rc)
		return cmd_fail(EXIT_USAGE, &e);
	if (changes)
		rc = store_set_words(s, run, &w, &e);
	if (rc == 0)
		rc = store_get_words(s, run, &now, &e);
	store_close(s);
	if (rc)
		return cmd_fail(EXIT_USAGE, &e);
	print_words(&now);
	return EXIT_FINE;
}

/* --- delete. --- */

/* What is about to go, by name: a wrong number is seen here. */
static int name_runs(struct store *s, const int64_t *run, int n, struct error *e)
{
	int rc = 0;

	for (int i = 0; rc == 0 && i < n; i++) {
		struct run_words w;
		struct run_row r;
		rc = run_row_load(s, run[i], &r, e);
		if (rc)
			break;
		rc = store_get_words(s, run[i], &w, e);
		for (char *p = r.target; *p; p++)
			if ((unsigned char)*p < 0x20 || *p == 0x7f)
				*p = '?';
		if (rc == 0)
			fprintf(stderr, "run %lld, %s: %s%s%s\n", (long long)run[i], r.status,
				r.target, w.name[0] ? ", " : "", w.name);
		run_row_free(&r);
	}
	return rc;
}

/* 0: yes. */
static int ask(struct store *s, const int64_t *run, int n, struct error *e)
{
	char answer[16] = "";

	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return error_set(e, EINVAL,
				 "delete: there is no terminal to ask on; --force deletes without "
				 "asking");
	int rc = name_runs(s, run, n, e);
	if (rc)
		return rc;
	fprintf(stderr, "Delete %s with all figures, for good? [y/N] ",
		n == 1 ? "this run" : "these runs");
	if (fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
		return 0;
	return error_set(e, ECANCELED, "delete: nothing was deleted");
}

/* One that is named twice is one. */
static int parse_runs(const struct options *o, int64_t *run, int *n, struct error *e)
{
	*n = 0;
	for (int i = 0; i < o->args; i++) {
		int k = 0, rc = parse_run(o->arg[i], &run[*n], e);
		if (rc)
			return rc;
		while (k < *n && run[k] != run[*n])
			k++;
		*n += k == *n;
	}
	return 0;
}

int cmd_delete(const struct options *o)
{
	static int64_t run[DELETE_RUNS];
	struct store *s;
	struct error e;
	int n, rc = parse_runs(o, run, &n, &e);

	if (rc == 0)
		rc = store_open_words(&s, o->store, &e);
	if (rc)
		return cmd_fail(EXIT_USAGE, &e);
	if (!o->force)
		rc = ask(s, run, n, &e);
	if (rc == 0)
		rc = store_delete(s, run, (size_t)n, &e);
	store_close(s);
	if (rc)
		return cmd_fail(EXIT_USAGE, &e);
	if (n == 1)
		printf("run %lld is deleted\n", (long long)run[0]);
	else
		printf("%d runs are deleted\n", n);
	return EXIT_FINE;
}
