/* baseline.h - a stored run as a trace that a live one is held against.
 *
 * Of its seconds only what a chart and a cursor show is kept, at times counted from when it began: so a day
 * of it fits into a few megabytes, and it can be laid over a run of any other time. The store is only read.
 */
#ifndef LUNSCOPE_BASELINE_H
#define LUNSCOPE_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"

#define BASELINE_TARGET 160

struct baseline_second {
	uint64_t from_ns, to_ns; /* since the run began */
	uint64_t ios, bytes;
	uint64_t lat_sum, p99; /* ns; p99 0: no IO */
};

struct baseline {
	int64_t run;
	char target[BASELINE_TARGET]; /* safe to print */
	size_t seconds;
	struct baseline_second *second; /* by time; none overlap */
};

/* What a stretch of it adds up to. */
struct baseline_sum {
	double seconds; /* that something is known of; 0: nothing is */
	double ios, bytes, lat_sum;
	uint64_t p99; /* the highest of the seconds in it */
};

/* One run of the store, for who chooses. */
struct baseline_title {
	int64_t run;
	uint64_t started, length_ns; /* wall; 0: has no seconds */
	double iops;		     /* NaN: has no summary */
	char target[BASELINE_TARGET];
};

/* store: its path, NULL for the usual one. All return 0, or -errno with words. -ENOENT: there is no such run,
 * or no store. */
int baseline_load(struct baseline **out, const char *store, int64_t run, struct error *e);
void baseline_free(struct baseline *b);
/* The newest BASELINE_TITLES runs, newest first; malloc'd. */
#define BASELINE_TITLES 500
int baseline_titles(struct baseline_title **out, size_t *n, const char *store, struct error *e);

/* (from, to] since its beginning. A second counts for as long as it lies in there, as in a chart's column. */
struct baseline_sum baseline_between(const struct baseline *b, uint64_t from_ns, uint64_t to_ns);

#endif
