/* store_figures.h - a stored run's row, and its figures as they are shown: of all of it, and from mark to mark.
 *
 * `list`, `show` and reports take them from here, so that they can't disagree.
 */
#ifndef LUNSCOPE_STORE_FIGURES_H
#define LUNSCOPE_STORE_FIGURES_H

#include "store_rows.h"

struct run_row {
	int64_t id;
	uint64_t started, ended; /* wall; ended 0 = has no end */
	int64_t pid, pid_start;
	char target[160], status[32]; /* "done", ...; "running" or "cut off" without an end */
	char *command, *version;
	json_t *settings, *environment, *summary; /* NULL when there is none */
};

#define RUN_ROW_COLUMNS                                                                    \
	"id, started, ended, pid, pid_start, target, status, command, version, settings, " \
	"environment, summary"

/* From a row of RUN_ROW_COLUMNS. */
void run_row_read(sqlite3_stmt *st, struct run_row *r);
/* -ENOENT: there is no such run. */
int run_row_load(struct store *s, int64_t run, struct run_row *out, struct error *e);
void run_row_free(struct run_row *r);
/* The backend's name; "" where it is not known. */
const char *run_row_engine(const struct run_row *r);

/* Its summary, from its rows where it has none. */
int run_row_figures(struct store *s, const struct run_row *r, struct summary *out, struct error *e);

/* Every mark, those that were only passed included; t_ns is 0, wall is when it was. */
typedef void run_row_mark_fn(const struct mark *m, void *arg);
int run_row_marks(struct store *s, const struct run_row *r, run_row_mark_fn *fn, void *arg,
		  struct error *e);
/* Every segment with its histograms, in wall times; passed: its knobs were only on the way to others. */
typedef void run_row_segment_fn(const struct segment *g, bool passed, void *arg);
int run_row_segments(struct store *s, const struct run_row *r, run_row_segment_fn *fn, void *arg,
		     struct error *e);

#endif
