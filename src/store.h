/* store.h - the run store: every run, in one SQLite file.
 *
 * $XDG_STATE_HOME/lunscope/runs.db (~/.local/state where that is unset or relative), mode 0600, WAL,
 * schema version in PRAGMA user_version. One transaction a second from the recorder's thread, so
 * that a crash loses at most the last second and the file opens cleanly afterwards. Tables: run,
 * sample (one row a second), mark, fact, segment (with its histograms as text, hist_print's form).
 *
 * Schema 2 added what a rate asked for and latencies from when IOs were due, as columns that may be NULL:
 * schema 3 what outages of paths leave out, likewise: how much of each second, and what of each segment;
 * schema 4 the network's figures, and table fact: settings of the host that changed, by mark; schema 5 a run's
 * name, tags and note (store_words.h). A file of an older schema is brought up to date in place when it is opened
 * for recording or for such words, and read as it is.
 */
#ifndef LUNSCOPE_STORE_H
#define LUNSCOPE_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <jansson.h>
#include "env/facts.h"
#include "error.h"
#include "timeline.h"

#define STORE_SCHEMA 5

struct store;

/* The default file's path into out; 0 or -ENAMETOOLONG/-ENOENT (no HOME). Under sudo HOME (and
 * XDG_STATE_HOME) may still be the user's: root takes them only where the folder belongs to root,
 * else its own home from the password file. */
int store_default_path(char *out, size_t n, struct error *e);
/* Opens (making folders 0700 and the file 0600 when missing). A file of a newer schema is refused
 * with its version, one that is not SQLite or another program's with its path; none is changed.
 * Nothing is created below /dev. */
int store_open(struct store **s, const char *path, struct error *e);
/* Opens what is there for reading; -ENOENT when there is no store yet. */
int store_open_read(struct store **s, const char *path, struct error *e);
void store_close(struct store *s);

/* Begins a run; settings and environment are stored as given (JSON objects). Returns its id > 0, or
 * -errno. */
int64_t store_begin(struct store *s, uint64_t wall_ns, const char *target, const char *command,
		    json_t *settings, json_t *environment, struct error *e);
/* One transaction: everything on the timeline that came since the last call, the open segment's
 * histograms included. offset_ns is wall minus monotonic time. */
int store_append(struct store *s, int64_t run, struct timeline *t, int64_t offset_ns,
		 struct error *e);
/* A setting of the host that has changed, and the mark that tells of it. */
struct store_change {
	uint32_t mark;
	struct fact fact; /* its new value */
};

/* What has become known of the host since. */
struct store_news {
	char *environment; /* the whole object, as text; NULL: nothing new */
	size_t facts;	   /* the caller's own: how many are in it */
	struct store_change *change;
	size_t count;
};

/* One transaction. */
int store_add_news(struct store *s, int64_t run, const struct store_news *news, struct error *e);
void store_news_free(struct store_news *news);
/* Ends it: the rest of the timeline and the summary object. status: "done", "interrupted",
 * "stopped on error". A run without an end shows as "running" while the process that records it
 * lives, then as "cut off", with figures computed from its rows. */
int store_end(struct store *s, int64_t run, struct timeline *t, int64_t offset_ns,
	      const char *status, json_t *summary, struct error *e);
/* Removes a run altogether (the quit dialog's "discard"). */
int store_discard(struct store *s, int64_t run, struct error *e);

/* `lunscope list`: one line a run, newest last, into out. 0 or -errno. */
int store_list(struct store *s, FILE *out, struct error *e);
/* The same, telling after each how many are done. */
int store_list_watched(struct store *s, FILE *out, void (*step)(uint64_t done, uint64_t total),
		       struct error *e);
/* `lunscope show ID`: settings, marks, segments with their figures, summary. -ENOENT: no such run. */
int store_show(struct store *s, int64_t run, FILE *out, struct error *e);

#endif
