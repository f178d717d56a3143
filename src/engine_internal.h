/* engine_internal.h - the engine's own state, shared by engine.c and engine_collect.c; nobody
 * else includes it but a test. Everything is under lock.
 */
#ifndef LUNSCOPE_ENGINE_INTERNAL_H
#define LUNSCOPE_ENGINE_INTERNAL_H

#include <pthread.h>
#include "engine.h"
#include "crew.h"
#include "lane_bin.h"
#include "worker.h"

/* What one worker had counted when it was last collected, so that seats add up to what was collected. */
struct seat_copy {
	struct op_counters op[IO_OPS];
	struct hist hist[IO_OPS];
};

struct engine {
	pthread_mutex_t lock;
	const struct target *target[TARGETS_MAX];
	uint32_t targets;
	struct worker_shared shared;
	struct generation *newest;        /* through ->older, down to the oldest that still lives */
	struct engine_generation *record; /* [i] is generation i + 1 */
	uint32_t records, records_room;
	struct worker *worker[WORKERS_MAX];
	struct lane_bin bin;                       /* lanes that nobody uses any more */
	uint32_t workers;                          /* that have a thread */
	uint64_t seen_min[HISTS], seen_max[HISTS]; /* bounds of the buckets in use */
	struct seat_copy *seat_copy; /* of each worker; NULL = nobody asks for them */
	uint64_t halted_ns;                        /* when it was told to stop; 0 = it goes on */
	_Atomic uint64_t limit_ns;                 /* so long is waited for what is in flight then */
	bool stopped;                              /* and has come to rest */
	uint32_t abandoned;                        /* workers that never came back */
	struct engine *next_left;                  /* among those that are kept for such workers */
};

/* The newest generation that every worker has settled on. */
uint32_t engine_settled_on(const struct engine *engine);
/* What a worker has held up to now, IO x ns, whether it has counted that already or not. */
uint64_t engine_depth_until(const struct worker *w, uint64_t now);

#endif
