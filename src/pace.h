/* pace.h - when a worker's IOs may start: at a rate, in bursts with a think time before each, or as
 * soon as there is room.
 *
 * A rate makes the loop an open one: IOs fall due at intended times that nothing moves, start + k x
 * interval or, for Poisson arrivals, exponential gaps (Knuth, "The Art of Computer Programming" 2,
 * 3.4.1). What cannot start at its time, because the depth is reached or the device or the host hold
 * the worker up, is backlog and starts as soon as it can; none is left out. Latency from the intended
 * time counts that wait, which the latency of the IO itself does not see ("coordinated omission").
 *
 * Two cursors run over the same intended times: `come` counts what has fallen due by now, `start`
 * says when the next IO to be started fell due. What lies between them is the backlog, of which only
 * the two ends are kept, however long it gets.
 *
 * Bursts and think time are Iometer's: a wait before each burst, counted from when the burst before it
 * has been handed over. Access lines have their own; each burst draws one of them by its share.
 */
#ifndef LUNSCOPE_PACE_H
#define LUNSCOPE_PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "random.h"
#include "workload.h"

/* A place in the sequence of intended times. */
struct arrivals {
	uint64_t due_ns;
	uint64_t rest;	       /* constant: ... and that many rate-ths of a ns later */
	double part;	       /* Poisson: ... and that part of a ns later */
	struct random random;  /* Poisson: the gaps that follow */
};

enum pace_kind { PACE_FREE, PACE_RATE, PACE_THINK };

struct pace {
	/* Written by the worker, read by others; single writer. */
	_Atomic uint64_t offered; /* IOs that fell due */
	_Atomic uint64_t started; /* ... were started */
	_Atomic uint64_t dropped; /* ... never will be: the rate changed before their turn */
	_Atomic uint64_t rate_of; /* so many of them fall due ... */
	_Atomic uint64_t rate_ns; /* ... in so many ns */
	_Atomic uint64_t come_ns; /* when the next one falls due that is not in offered; 0 = no rate */
	_Atomic uint64_t next_ns; /* when the next one to be started fell or falls due */
	_Atomic uint32_t pacing;  /* which one was taken up; 0 = none */

	/* The worker's own. */
	enum pace_kind kind;
	bool poisson;
	uint64_t rate;	      /* of all workers together */
	uint64_t step, rest;  /* constant: workers x 1e9 / rate ns, quotient and remainder */
	double mean;	      /* Poisson: ns between two */
	struct arrivals come, start;
	uint64_t hold_ns;     /* think: the burst starts then; */
	uint32_t left;	      /* so many of its IOs are left; */
	int line;	      /* and it is of this access line, -1 = the knobs' */
	struct random random; /* draws the lines */
	const struct workload *workload; /* of the generation that the worker is on; think only */
};

/* What a pace has counted, at one time: by the clock, whatever the worker does meanwhile. What
 * it has not looked at is exact but for the fraction of an IO at a constant rate; of Poisson
 * arrivals it is the mean, so that it can turn out to be a little less. */
struct pace_counters {
	uint64_t offered, started, dropped;
	uint64_t backlog;  /* due and not started: offered less the other two */
	uint64_t due_ns;   /* when the oldest of them fell due; 0 = there is none */
};

/* Whether a (before) and b ask for the same pacing: then it goes on undisturbed. */
bool pace_same(const struct workload *a, const struct workload *b);

/* Takes up w for worker number i. pacing is a number that changes (and is not 0) when the pacing
 * does; it began at start_ns, and intended times count from there, the workers' evenly in between each
 * other. A new one begins without a backlog, the same one goes on. w must live until the next call. */
void pace_take_up(struct pace *p, const struct workload *w, uint32_t i, uint32_t pacing,
		  uint64_t start_ns);

/* Counts what has fallen due by now, and returns how many IOs may start: the backlog, the rest of the
 * burst, or UINT64_MAX when nothing holds them. */
uint64_t pace_look_slowly(struct pace *p, uint64_t now);
static inline uint64_t pace_look(struct pace *p, uint64_t now)
{
	return p->kind == PACE_FREE ? UINT64_MAX : pace_look_slowly(p, now);
}

/* One IO was started, at now: with a rate, returns its intended time, else 0. */
uint64_t pace_start(struct pace *p, uint64_t now);

/* When the next IO may start; 0 = at any time. */
static inline uint64_t pace_next(const struct pace *p)
{
	return p->kind == PACE_RATE ? p->start.due_ns : p->kind == PACE_THINK ? p->hold_ns : 0;
}

/* Nothing falls due after stop_ns, which may be a while ago; what did until then, and was not
 * started, stays backlog. */
void pace_stop(struct pace *p, uint64_t stop_ns);

/* From any thread: as it was at now, or at the last look where that was later. */
void pace_read(const struct pace *p, uint64_t now, struct pace_counters *out);

#endif
