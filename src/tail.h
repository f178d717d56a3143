/* tail.h - the newest ticks, each with its histograms: as long as a tick is in here, it can still be said
 * whether it counts. That a path has gone silent is only known a while later, by then with hundreds of
 * ticks in between; without their empty ends the histograms of all of them take a few MiB at most.
 */
#ifndef LUNSCOPE_TAIL_H
#define LUNSCOPE_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include "packed.h"
#include "timeline.h"

#define TAIL_TICKS 300u /* 30 s: twice what the slowest initiator takes to give a path up */

struct tail_tick {
	struct sample sample; /* gap_ns says whether it counts: 0 or dt_ns */
	size_t segment;
	struct packed hist[HISTS];
};

/* All zeros is one that keeps nothing. */
struct tail {
	struct tail_tick *tick; /* TAIL_TICKS of them, used in a circle; NULL: it keeps nothing */
	unsigned first, count;
};

bool tail_init(struct tail *t); /* false without memory */
void tail_free(struct tail *t);
/* The i-th oldest, 0..count-1. */
struct tail_tick *tail_at(const struct tail *t, unsigned i);
static inline bool tail_full(const struct tail *t)
{
	return t->count == TAIL_TICKS;
}
/* Appends to one that is not full; delta may be NULL. false without memory: it is not in there. */
bool tail_push(struct tail *t, const struct sample *s, size_t segment,
	       const struct hist delta[HISTS]);
/* Forgets the oldest. */
void tail_drop(struct tail *t);

#endif
