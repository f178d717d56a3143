/* worker_internal.h - what worker.c and worker_wait.c share of a worker's loop. */
#ifndef LUNSCOPE_WORKER_INTERNAL_H
#define LUNSCOPE_WORKER_INTERNAL_H

#include "worker.h"

#define relaxed memory_order_relaxed
/* For what is done in every round, which at depth 1 is every IO. */
#define ALWAYS_INLINE inline __attribute__((always_inline))
/* And for what is not, so that it does not take registers away from what is. */
#define NOINLINE __attribute__((noinline))

/* Up to when the worker has counted and looked. */
static inline uint64_t looked_at(const struct worker *w)
{
	return atomic_load_explicit(&w->last_ns, relaxed);
}

static inline void integrate_depth(struct worker *w, uint64_t now)
{
	uint64_t more = w->total_inflight * (now - looked_at(w));

	/* Whoever sees what is counted now sees that it is being counted, or up to where it was: else the
	 * same time would count twice. */
	atomic_store_explicit(&w->last_ns, WORKER_COUNTS, relaxed);
	atomic_store_explicit(&w->depth_ns, atomic_load_explicit(&w->depth_ns, relaxed) + more,
			      memory_order_release);
	atomic_store_explicit(&w->last_ns, now, memory_order_release);
}

/* Whether a worker is to do IO in g. */
static inline bool has_work(const struct worker *w, const struct generation *g)
{
	return g && !g->workload.paused && w->index < g->crew->seats;
}

/* Takes what lane has completed, waiting for it up to wait_ns when it sleeps. Returns how many. */
unsigned worker_reap(struct worker *w, struct lane *lane, enum look_kind how, int64_t wait_ns);

/* Sleeps until woken, at most ns (-1: no limit). */
void worker_sleep(struct worker *w, int64_t ns);
/* There is nothing to do now: waits for a completion, for the next IO's time, or to be woken. */
void worker_idle(struct worker *w);
/* How long the worker spins before it sleeps, ns; 0 = not at all. */
uint64_t worker_spin_time(const struct worker *w, const struct workload *load);

#endif
