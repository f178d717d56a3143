/* steady.h - whether the IOPS are steady: the rule of the SNIA (stats/series.h) while a run goes on, and the
 * word on a segment as a whole.
 *
 * Rounds of ten seconds begin anew with each segment, and only seconds that count are in them: IOs were asked
 * for, and no path was out.
 */
#ifndef LUNSCOPE_STEADY_H
#define LUNSCOPE_STEADY_H

#include "stats/series.h"
#include "timeline.h"

#define STEADY_ROUND_S 10

/* Of the segment that goes on. */
struct steady {
	uint64_t segment_ns; /* where it began */
	size_t seconds;	     /* of it that count, so far */
	enum steadiness state;
	struct steady_window window;
	bool held;	     /* at the last look it was steady */
	uint64_t since_ns;   /* if it was: from when on */
	uint64_t left_ns;    /* about when it last was no more; 0: that never happened */
};

/* Nothing is known of a segment that has just begun; nothing happens when it has been before. */
void steady_begin(struct steady *s, uint64_t segment_ns);
/* Takes in the newest second of t, which is of the segment that began at segment_ns. True when with it the
 * IOPS turn out to be steady no more. */
bool steady_second(struct steady *s, struct timeline *t, uint64_t segment_ns);

enum steady_word { STEADY_NOT_KNOWN, STEADY_FALSE, STEADY_TRUE };

/* Of a whole segment's IOPS, a point a second: steady when the rule holds for its last five rounds, and for
 * five longer ones that all of it is made of behind what MSER-5 takes for warm-up. Not known when it is
 * shorter than five rounds. */
enum steady_word steady_word(const struct point *iops, size_t n);
/* Of what t has from start_ns to end_ns. */
enum steady_word steady_word_of(struct timeline *t, uint64_t start_ns, uint64_t end_ns);
/* "yes", "no", "-" */
const char *steady_word_name(enum steady_word w);

#endif
