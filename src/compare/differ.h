/* differ.h - what else differs between two stretches of time: only one thing should. */
#ifndef LUNSCOPE_DIFFER_H
#define LUNSCOPE_DIFFER_H

#include <jansson.h>
#include "workload.h"

/* One side's circumstances; the JSON may be NULL. */
struct circumstances {
	const struct workload *workload;
	const json_t *settings, *environment; /* as the store keeps them */
	const json_t *paths;		      /* to a LUN, as they were then: see path_marks.h */
};

/* ["workload: block 4 KiB > 8 KiB", "environment queue.scheduler: none > mq-deadline", ...], one line a
 * difference, sorted by where they stand. What differs between any two runs (times, names of runs, the
 * command line) is none. New reference; NULL without memory. */
json_t *circumstances_differ(const struct circumstances *a, const struct circumstances *b);

#endif
