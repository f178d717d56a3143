/* worker.h - one thread that does IO, and its books.
 *
 * Everything a worker counts it alone writes (relaxed atomics); others only read. No lock, no system
 * call but submit and reap, and no allocation in its loop.
 */
#ifndef LUNSCOPE_WORKER_H
#define LUNSCOPE_WORKER_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include "books.h"
#include "crew.h"
#include "data.h"
#include "engine.h"
#include "lane.h"
#include "pace.h"
#include "pattern.h"

/* A workload as published: immutable but for the workers' own ledgers. */
struct generation {
	struct generation *older;
	uint32_t number;
	uint64_t t_ns;
	struct workload workload; /* the crew's */
	struct crew *crew;
	uint32_t pacing;      /* the number of the generation that began this pacing ... */
	uint64_t pacing_ns;   /* ... and when */
	uint32_t workers;     /* how many there are in the two arrays: all that had a thread */
	struct ledger *ledger;
	struct lane **lane;   /* where each worker submits; NULL for surplus workers */
};


/* What all workers share, by reference. */
struct worker_shared {
	_Atomic(struct generation *) generation;
	atomic_bool stopping;
	_Atomic uint64_t stop_ns; /* since when; set before stopping is */
	uint64_t data_run; /* see data_new_run() */
};

#define WORKER_COUNTS UINT64_MAX

struct worker {
	/* Written by the worker, read by others. */
	_Alignas(64) _Atomic uint64_t submitted;
	_Atomic uint64_t inflight;
	_Atomic uint64_t depth_ns; /* integral of inflight, IO x ns */
	_Atomic uint64_t last_ns;  /* depth_ns is counted up to here; WORKER_COUNTS for a moment */
	_Atomic uint64_t stop_depth_ns; /* depth_ns when the engine was told to stop ... */
	atomic_bool stopping;	   /* ... once this is set */
	_Atomic uint32_t settled;  /* every IO in flight is of this generation or newer */
	atomic_bool done;	   /* the thread has left its loop */
	struct op_books op[HISTS];
	_Atomic uint64_t errors[ERRNO_SLOTS];
	_Atomic uint64_t failed_max; /* ns, the slowest of these since it was looked at last */
	struct look_books looks;

	/* The worker's own. */
	_Alignas(64) struct worker_shared *shared;
	int wake_fd;
	struct generation *gen;
	struct ledger *ledger;
	const struct workload *load; /* of its seat; NULL for a surplus worker */
	struct lane *lane;     /* where it submits; likewise */
	struct lane *draining; /* lanes it has left, with IO in flight */
	struct pattern pattern;
	struct pace pace;
	struct data_filler filler;
	uint32_t index;
	uint32_t total_inflight;  /* over all lanes */
	uint32_t depth;		  /* IOs that it may have in flight; 0 = it does none */
	uint32_t batch;		  /* IOs that it makes at a time, at most */
	uint32_t old_inflight;	  /* of these, of older generations */
	uint32_t due_inflight;	  /* of these, with an intended time */
	bool unsettled;		  /* has not yet told that it settled on gen */
	uint64_t spin_ns;	  /* how long to look before sleeping; 0 = not at all */
	uint32_t spin_skip;	  /* sleeps without spinning before the next try ... */
	uint32_t spin_skipped;	  /* ... and how many have been */
	cpu_set_t home, pinned;	  /* CPUs it was made with, and those it is on now */
	unsigned failures;	  /* IOs that failed since the last good one */
	uint64_t backoff_ns;	  /* after nothing but errors: how long to hold back */
	uint64_t hold_until_ns;

	/* The engine's own. */
	pthread_t thread;
	struct lane *owned; /* every lane that lives */
};

/* Makes worker number i; its thread does not run yet. 0 or -errno. */
int worker_create(struct worker **w, struct worker_shared *shared, uint32_t i, struct error *e);
int worker_start(struct worker *w, struct error *e);
/* Makes a sleeping worker look up. From any thread. */
void worker_wake(struct worker *w);
/* After its thread ended (or never started) and its lanes were taken away. */
void worker_destroy(struct worker *w);

#endif
