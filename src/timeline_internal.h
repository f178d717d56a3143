/* timeline_internal.h - what timeline.c and timeline_gap.c share of a timeline: how it is kept.
 *
 * The lock guards everything. Where there can be gaps (timeline_expect_gaps), a tick reaches its segment's
 * sums and histograms only when it leaves the tail: until then a gap can still take it out, or give it back,
 * exactly, which no subtraction could do for the least and the longest latency.
 */
#ifndef LUNSCOPE_TIMELINE_INTERNAL_H
#define LUNSCOPE_TIMELINE_INTERNAL_H

#include <pthread.h>
#include "gaps.h"
#include "heat.h"
#include "packed.h"
#include "tail.h"
#include "timeline.h"

/* Samples in order of time. item[seq % cap] holds number seq; the newest `cap` of all that were
 * appended are kept. Grows by doubling up to max; item never wraps before cap has reached max. */
struct ring {
	struct sample *item;
	size_t cap, max;
	uint64_t count; /* appended so far */
};

struct kept_segment {
	uint32_t mark, generation;
	uint64_t start_ns, end_ns;
	struct workload workload;
	struct sample ticks;         /* its ticks added up, without those that are left out ... */
	struct sample gap;           /* ... and these; errors are all in the former */
	struct sample seconds;       /* the whole seconds that lie in it, for cpu and the device */
	struct packed packed[HISTS]; /* unused in the newest one: that has timeline.open */
};

/* The increments of about a second. */
struct slot {
	uint64_t ns; /* of time in it */
	struct hist hist[HISTS];
};

struct timeline {
	pthread_mutex_t lock;
	struct ring ticks, seconds;
	struct mark *mark;
	size_t marks, marks_cap;
	uint32_t letters; /* given so far */
	uint32_t notes;   /* marks that were given other words */
	struct kept_segment *segment;
	size_t segments, segments_cap;
	struct hist open[HISTS]; /* of the newest segment */
	struct slot recent[HIST_WINDOW_S];
	unsigned filling;       /* the slot that takes the next tick */
	struct hist second;     /* all IOs since the last timeline_second */
	struct hist second_due; /* ... from when they were due */
	struct hist before;     /* those of the second before, unless there was a reset */
	struct hist before_due;
	bool second_known;         /* some tick since then had histograms */
	struct sample last_second; /* its percentiles go with the ticks that follow */
	struct heat heat;          /* of the seconds */
	struct gaps gaps;
	struct tail tail;          /* the newest ticks of the segments */
};

/* The number of the first sample in the ring with t_ns > after, and the sample with a number. */
uint64_t ring_after(const struct ring *r, uint64_t after);
struct sample *ring_at(const struct ring *r, uint64_t seq);

/* --- timeline_gap.c; with the lock held. --- */

/* Takes a tick into its segment; delta may be NULL. */
void timeline_take(struct timeline *t, const struct sample *s, size_t segment,
		   const struct hist delta[HISTS]);
/* Adds to out, which has what the segment has taken in, its ticks in the tail. */
void timeline_add_tail(const struct timeline *t, size_t segment, struct segment *out);
/* How much of the time of a second is left out. */
uint64_t timeline_gap_ns(const struct timeline *t, const struct sample *second);
/* A second's share in the CPU figures of the segment that it lies wholly in. */
void timeline_segment_second(struct timeline *t, const struct sample *s);

#endif
