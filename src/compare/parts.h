/* parts.h - stretches of kept runs, as sides of a comparison: one segment of each, or several in pairs. */
#ifndef LUNSCOPE_COMPARE_PARTS_H
#define LUNSCOPE_COMPARE_PARTS_H

#include "compare/compare.h"
#include "store_load.h"

/* One of the two that are compared. */
struct part {
	struct stored_run *run;
	const struct stored_segment *segment[COMPARE_PAIRS]; /* more than one: by pairs */
	uint64_t end_ns[COMPARE_PAIRS];                      /* of each; 0: as the segment's */
	unsigned segments;
	bool settled; /* before it began, and nothing changed until it ended */
	struct side side[COMPARE_PAIRS], total;
};

/* The two sides of a run whose segments were measured in turn (ab.h). False: they were not. */
bool parts_in_turn(struct stored_run *r, struct part part[2]);
/* Before and after the last mark of one run. -EINVAL: it has none. */
int parts_last_two(struct stored_run *r, struct part part[2], struct error *e);
/* Takes the seconds of its segments: names it, fills in side[] and total. -ENOMEM. */
int part_take(struct part *p, uint64_t settle_ns, struct error *e);
void part_free(struct part *p);
/* What differs between two besides the figures (differ.h), and within their segments. New reference; NULL
 * without memory. */
json_t *parts_differ(const struct part part[2]);
/* Two that were taken. */
void parts_compare(struct comparison *c, const struct part part[2], const json_t *differ);

#endif
