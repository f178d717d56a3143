/* curve.h - the load-latency curve: what a target does at each load, from little to all it can. A
 * state machine without a clock, like search.h.
 *
 * By rate: first the most that comes back at the depth that is set, then even shares of it in rising
 * order (10, 20, ... 90, 95 % with ten points). By outstanding: 1, 2, 4, ... at the rate max.
 *
 * The knee is the load with the greatest power, IOPS / mean latency (L. Kleinrock, "Power and
 * Deterministic Rules of Thumb for Probabilistic Problems in Computer Communications", ICC 1979;
 * R. Jain, "The Art of Computer Systems Performance Analysis", 1991, section 3.3: the knee is the
 * operating point beyond which response time grows faster than throughput).
 */
#ifndef LUNSCOPE_CURVE_H
#define LUNSCOPE_CURVE_H

#include "load.h"

#define CURVE_POINTS_RATE	 10
#define CURVE_POINTS_OUTSTANDING 8
#define CURVE_POINTS_MAX	 50

struct curve_config {
	enum knob by;	  /* KNOB_RATE or KNOB_OUTSTANDING */
	unsigned points;  /* besides the most, by rate */
	uint64_t most;	  /* by outstanding: not beyond it */
	int of;		  /* whose latency: SUM_READ, SUM_WRITE or SUM_TOTAL */
	uint64_t step_ns; /* as in search.h */
};

struct curve {
	struct curve_config config;
	struct load_log log;
	unsigned at;	  /* which point is next */
};

void curve_defaults(struct curve_config *c, enum knob by);
/* 0, or -EINVAL with words: latency of IOs that w doesn't do, too many points, a rate for a workload that
 * thinks. */
int curve_check(const struct curve_config *c, const struct workload *w, struct error *e);
/* How many steps it has. */
unsigned curve_steps(const struct curve_config *c);
/* In a sentence, with about how long it takes: "1, 2, 4 ... 128 IOs in flight per worker, ...". */
char *curve_plan(char *out, size_t n, const struct curve_config *c);

void curve_begin(struct curve *c, const struct curve_config *config);
bool curve_next(const struct curve *c, struct load_order *o);
void curve_take(struct curve *c, struct load_step *step);
uint64_t curve_left_ns(const struct curve *c);
/* How many steps there will be in all. */
unsigned curve_total(const struct curve *c);

/* The index in the log; -1 while there is none: fewer than three steps, or the power still grows at
 * the largest throughput (the latency has not risen yet). The most, by rate, is left out: there the
 * depth closes the loop, and latency does not count from when IOs were due. */
int curve_knee(const struct curve *c);
/* "knee at rate 4.2k/s: 4.20k IOPS, mean 1.10 ms, p99 3.00 ms", or why there is none. */
char *curve_words(char *out, size_t n, const struct curve *c, int ascii);
/* {"by", "points", "of", "step_s", "steps": load_json(), "knee": index or null, "words"}. New
 * reference. */
json_t *curve_json(const struct curve *c);

#endif
