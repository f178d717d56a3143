/* engine.h - the workers, and how they are told what to do.
 *
 * A workload is published as an immutable, numbered generation. Workers take it up between
 * submissions: nothing stops, IOs of the old generation finish and are counted as such. More
 * workers are started, surplus ones drain and park; depth shrinks by not resubmitting; where more
 * room is needed (depth, block size) it is allocated before the generation is published, or the
 * change is refused with the reason and nothing changes.
 *
 * engine_apply, engine_collect, engine_tick and engine_stop may be called from any thread.
 */
#ifndef LUNSCOPE_ENGINE_H
#define LUNSCOPE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>
#include "error.h"
#include "books.h"
#include "crew.h"
#include "hist.h"
#include "looks.h"
#include "target.h"
#include "workload.h"

struct engine;

/* One direction's running totals since the start, over all workers. */
struct op_counters {
	uint64_t ios;	   /* completed without error */
	uint64_t bytes;
	uint64_t errors;   /* completed with one, or short */
	uint64_t lat_sum;  /* ns, over ios */
	uint64_t lat_min;  /* ns, since the last collect; UINT64_MAX if none */
	uint64_t lat_max;  /* ns, since the last collect; 0 if none */
};

struct engine_counters {
	uint64_t t_ns;		   /* when they were read, or the engine halted before that;
				    * CLOCK_MONOTONIC */
	struct op_counters op[HISTS]; /* that of HIST_DUE has ios and latencies only */
	struct hist hist[HISTS];  /* buckets and count, since the start; sum as lat_sum; min and
				    * max as lat_min and lat_max above */
	uint64_t submitted;	   /* IOs handed to the backend */
	uint64_t inflight;	   /* of these not yet reaped */
	uint64_t depth_ns;	   /* integral of IOs in flight over time up to t_ns, IO x ns */
	uint64_t drain_ns;	   /* ... and from engine_halt() on */
	uint64_t oldest_ns;	   /* age of the oldest IO in flight; 0 if none */
	uint64_t offered;	   /* with a rate: IOs that fell due since the start, by the clock;
				    * of what a worker has not looked at yet, see pace.h */
	uint64_t started;	   /* ... that were started */
	uint64_t backlog;	   /* ... that are due and not started now. Those that were due when
				    * the rate changed are never started, and no backlog any more */
	uint64_t backlog_ns;	   /* how long the oldest of these has been due */
	uint64_t errors[ERRNO_SLOTS];
	uint64_t failed_max;	   /* ns, what the slowest IO took that failed since the last collect; 0
				    * if none */
	struct looks looks;
	uint32_t generation;	   /* the newest published */
	uint32_t settled;	   /* the newest that every worker has taken up, old IOs drained */
	uint32_t workers;	   /* threads that do IO now */
	uint32_t depth_requested;  /* workers x outstanding; 0 while paused */
};

/* What became of one generation's IOs. submitted = completed + errors once it has drained. */
struct engine_generation {
	uint32_t number;
	struct workload workload;
	uint64_t t_ns;	     /* published */
	uint64_t first_ns;   /* its first IO was submitted; 0 = none yet */
	uint64_t settled_ns; /* every worker on it and all older IOs drained; 0 = not yet. At most so
			      * late, where a newer one came before that */
	uint64_t submitted, completed, errors;
};

/* Makes an engine that runs w on t, and starts it. 0, or a negative errno with words. */
int engine_create(struct engine **engine, const struct target *t, const struct workload *w,
		  struct error *e);
/* The same on n targets at once, which workers are dealt to as crew.h has it. The array is copied. */
int engine_create_many(struct engine **engine, const struct target *const *t, uint32_t n,
		       const struct workload *w, struct error *e);
/* Publishes w as the next generation (its number in *generation if not NULL). Validates first. */
int engine_apply(struct engine *engine, const struct workload *w, uint32_t *generation,
		 struct error *e);
/* The same with something of its own for each worker to do (crew.h): a thread for each job, on targets that
 * the engine was made with. w is what the crew has in common, and what is told of it. */
int engine_apply_jobs(struct engine *engine, const struct workload *w, const struct job *job,
		      uint32_t jobs, uint32_t *generation, struct error *e);
/* The workload of the newest generation. */
struct workload engine_workload(struct engine *engine);
/* Reads all counters. One caller at a time (the sampler): it restarts lat_min and lat_max. */
void engine_collect(struct engine *engine, struct engine_counters *out);
/* What one seat of the newest generation's crew has done. */
struct engine_seat {
	uint32_t worker; /* whose it is, from 0 on */
	const struct target *target;
	struct workload workload;
	struct op_counters op[IO_OPS]; /* running totals of its thread since the start; lat_min is not kept,
					* lat_max is since engine_restart_seats() */
	struct hist hist[IO_OPS];      /* likewise; buckets, count, sum, max */
};

/* From the next engine_collect() on what each seat has done is kept, as of that moment, so that they add up
 * to what was collected. -ENOMEM with words. */
int engine_keep_seats(struct engine *engine, struct error *e);
/* Number i, from 0 on, as of the last engine_collect(); false: there is none, or they are not kept. */
bool engine_seat(struct engine *engine, uint32_t i, struct engine_seat *out);
void engine_restart_seats(struct engine *engine);
/* Housekeeping: gives back what drained. The sampler calls it at each tick. */
void engine_tick(struct engine *engine);
/* Stops submitting, and returns since when (of the first call). From then on nothing is asked
 * for: time, depth integral and what falls due end with that moment, and IOs that come back
 * after it are still counted. */
uint64_t engine_halt(struct engine *engine);
/* Halts, and waits up to limit_ns for what is in flight. Returns how many IOs never came back
 * (their workers and buffers are left alone). Counters can still be collected. */
uint64_t engine_stop(struct engine *engine, uint64_t limit_ns);
/* engine_stop() waits no longer than that, even one that is at it. From any thread, at any time. */
void engine_hurry(struct engine *engine, uint64_t limit_ns);
/* Generation number i, counted from 1; false if there is none. Exact after engine_stop. */
bool engine_generation(struct engine *engine, uint32_t i, struct engine_generation *out);
/* After engine_stop: IOs that were submitted and neither completed, nor failed, nor are in flight,
 * summed over all generations. Anything but 0 is a fault of the engine, and the figures are wrong. Not
 * known, and 0, where a worker did not come to rest. */
uint64_t engine_unaccounted(struct engine *engine);
void engine_destroy(struct engine *engine);

#endif
