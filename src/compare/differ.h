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

/* ["workload: block 4 KiB > 8 KiB", "eth2, eth3 mtu: 1500 > 9000", ...], one line a difference, sorted by
 * where they stand. The same change of one setting on several NICs or disks is one. What differs between any
 * two runs (times, names of runs, the command line) is none. New reference; NULL without memory. */
json_t *circumstances_differ(const struct circumstances *a, const struct circumstances *b);
/* Adds those lines that are not in the list yet. */
void differences_add(json_t *list, const json_t *more);

#endif
