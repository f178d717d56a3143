/* engine.c - generations, workers and what they own; see engine.h.
 *
 * One mutex guards what the engine itself keeps (generations, the list of workers, their lanes).
 * Workers never take it. A generation and the lanes that only it names are given back once every
 * worker has settled on a newer one: then no pointer to them is left.
 */
#include "engine_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "room.h"
#include "units.h"

#define relaxed memory_order_relaxed

/* --- Generations. --- */

static void generation_free(struct generation *g)
{
	if (!g)
		return;
	crew_free(g->crew);
	free(g->ledger);
	free(g->lane);
	free(g);
}

/* Takes the crew over, unless there is no memory. */
static struct generation *generation_create(const struct engine *engine, struct crew *crew)
{
	struct generation *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->workload = crew->workload;
	g->number = engine->newest ? engine->newest->number + 1 : 1;
	g->workers = crew->seats > engine->workers ? crew->seats : engine->workers;
	g->ledger = aligned_alloc(64, g->workers * sizeof(*g->ledger));
	g->lane = calloc(g->workers, sizeof(*g->lane));
	if (!g->ledger || !g->lane) {
		generation_free(g);
		return NULL;
	}
	memset(g->ledger, 0, g->workers * sizeof(*g->ledger));
	g->crew = crew;
	return g;
}

/* A change that leaves the pacing as it is does not disturb it. */
static void set_pacing(struct generation *g, const struct generation *before)
{
	bool same = before && pace_same(&before->workload, &g->workload) &&
		    before->crew->seats == g->crew->seats && !before->crew->jobs && !g->crew->jobs;

	g->pacing = same ? before->pacing : g->number;
	g->pacing_ns = same ? before->pacing_ns : g->t_ns;
}

/* Gives every worker of g its lane: the one it has where that still does, else a new one. */
static int assign_lanes(struct engine *engine, struct generation *g, struct error *e)
{
	for (uint32_t i = 0; i < g->crew->seats; i++) {
		const struct duty *duty = g->crew->seat[i].duty;
		const struct workload *w = &duty->load;
		struct worker *worker = engine->worker[i];
		struct generation *before = engine->newest;
		struct lane *lane = before && i < before->workers ? before->lane[i] : NULL;
		if (!room_fits(lane, duty)) {
			uint32_t block = room_block(lane, w);
			int rc = lane_create(&lane, duty->target->backend, duty->target->handle,
					     w->outstanding, block, worker->wake_fd, e);
			if (rc)
				return rc;
			lane->next_owned = worker->owned;
			worker->owned = lane;
		}
		g->lane[i] = lane;
	}
	return 0;
}

/* Workers up to count exist and run. New threads find the generation that is current now, which has
 * no place for them, and wait for the one that is about to be published. */
static int hire(struct engine *engine, uint32_t count, struct error *e)
{
	while (engine->workers < count) {
		struct worker *w;
		int rc = worker_create(&w, &engine->shared, engine->workers, e);
		if (rc)
			return rc;
		engine->worker[engine->workers] = w;
		/* It has nothing of older generations in flight. */
		if (engine->newest)
			atomic_store(&w->settled, engine->newest->number);
		rc = worker_start(w, e);
		if (rc) {
			worker_destroy(w);
			return rc;
		}
		engine->workers++;
	}
	return 0;
}

static int record_generation(struct engine *engine, const struct generation *g, struct error *e)
{
	if (engine->records == engine->records_room) {
		uint32_t room = engine->records_room ? engine->records_room * 2 : 64;
		void *p = realloc(engine->record, room * sizeof(*engine->record));
		if (!p)
			return error_set(e, ENOMEM, "out of memory for another generation");
		engine->record = p;
		engine->records_room = room;
	}
	engine->record[engine->records++] = (struct engine_generation){
		.number = g->number, .workload = g->workload, .t_ns = g->t_ns};
	return 0;
}

static uint64_t ledger_sum(const struct generation *g, size_t field)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < g->workers; i++) {
		const char *at = (const char *)&g->ledger[i] + field;
		sum += atomic_load_explicit((_Atomic uint64_t *)at, relaxed);
	}
	return sum;
}

/* When the first worker submitted its first IO of g; 0 when none has. */
static uint64_t ledger_first(const struct generation *g)
{
	uint64_t first = 0;

	for (uint32_t i = 0; i < g->workers; i++) {
		uint64_t t = atomic_load_explicit(&g->ledger[i].first_ns, relaxed);
		if (t && (!first || t < first))
			first = t;
	}
	return first;
}

static void update_record(struct engine *engine, const struct generation *g)
{
	struct engine_generation *r = &engine->record[g->number - 1];

	r->submitted = ledger_sum(g, offsetof(struct ledger, submitted));
	r->completed = ledger_sum(g, offsetof(struct ledger, completed));
	r->errors = ledger_sum(g, offsetof(struct ledger, errors));
	r->first_ns = ledger_first(g);
}

uint32_t engine_settled_on(const struct engine *engine)
{
	uint32_t settled = UINT32_MAX;

	for (uint32_t i = 0; i < engine->workers; i++) {
		uint32_t s =
			atomic_load_explicit(&engine->worker[i]->settled, memory_order_acquire);
		if (s < settled)
			settled = s;
	}
	return settled;
}

/* When the last worker settled on g. at[] has when each did on what is newer, and is brought up
 * to g: a worker that moved on before it settled on g has settled on it when it did on the next. */
static uint64_t settled_time(const struct generation *g, uint64_t at[WORKERS_MAX])
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < g->workers; i++) {
		uint64_t t = atomic_load_explicit(&g->ledger[i].settled_ns, relaxed);
		if (t)
			at[i] = t;
		if (at[i] > last)
			last = at[i];
	}
	return last;
}

/* --- Giving back. --- */

static void free_left_lanes(struct engine *engine, struct worker *w)
{
	uint32_t settled = atomic_load_explicit(&w->settled, memory_order_acquire);

	for (struct lane **link = &w->owned; *link;) {
		struct lane *lane = *link;
		if (settled > lane->last_generation) {
			*link = lane->next_owned;
			lane_bin_put(&engine->bin, lane);
		} else {
			link = &lane->next_owned;
		}
	}
}

static void free_left_generations(struct engine *engine, uint32_t settled)
{
	struct generation **link = &engine->newest->older;

	while (*link) {
		struct generation *g = *link;
		if (g->number < settled) {
			*link = g->older;
			update_record(engine, g);
			generation_free(g);
		} else {
			link = &g->older;
		}
	}
}

/* Notes which generations have settled since the last look; returns the newest that has. */
static uint32_t record_settled(struct engine *engine)
{
	uint64_t at[WORKERS_MAX] = {0};
	uint32_t settled = engine_settled_on(engine);

	for (const struct generation *g = engine->newest; g; g = g->older) {
		struct engine_generation *r = &engine->record[g->number - 1];
		uint64_t when = settled_time(g, at);
		if (!r->settled_ns && g->number <= settled)
			r->settled_ns = when;
	}
	return settled;
}

static void tick(struct engine *engine)
{
	uint32_t settled = record_settled(engine);

	free_left_generations(engine, settled);
	for (uint32_t i = 0; i < engine->workers; i++)
		free_left_lanes(engine, engine->worker[i]);
}

void engine_tick(struct engine *engine)
{
	pthread_mutex_lock(&engine->lock);

	if (!engine->stopped)
		tick(engine);
	pthread_mutex_unlock(&engine->lock);
}

/* --- Publishing. --- */

static void publish(struct engine *engine, struct generation *g)
{
	for (uint32_t i = 0; i < g->crew->seats; i++)
		if (g->lane[i]) {
			g->lane[i]->last_generation = g->number;
			room_grant(g->lane[i], &g->crew->seat[i].duty->load);
		}
	g->older = engine->newest;
	engine->newest = g;
	atomic_store_explicit(&engine->shared.generation, g, memory_order_release);
	for (uint32_t i = 0; i < engine->workers; i++)
		worker_wake(engine->worker[i]);
}

/* Lanes that were made for a generation that is not to be. */
static void discard_lanes(struct engine *engine, const struct generation *g)
{
	for (uint32_t i = 0; i < g->crew->seats && i < engine->workers; i++) {
		struct worker *w = engine->worker[i];
		struct lane *lane = w->owned;
		if (lane && lane == g->lane[i] && lane->last_generation == 0) {
			w->owned = lane->next_owned;
			lane_bin_put(&engine->bin, lane);
		}
		g->lane[i] = NULL;
	}
}

/* Publishes a generation with this crew, which is taken over. */
static int employ(struct engine *engine, struct crew *crew, uint32_t *number, struct error *e)
{
	int rc = room_check(engine->newest, crew, e);

	if (rc == 0)
		rc = hire(engine, crew->seats, e);
	struct generation *g = rc ? NULL : generation_create(engine, crew);
	if (!g) {
		crew_free(crew);
		return rc ? rc : error_set(e, ENOMEM, "out of memory for another generation");
	}
	rc = assign_lanes(engine, g, e);
	if (rc == -EAGAIN || rc == -ENOMEM) {
		/* These lanes, and those that have drained, hold room that the next try may need
		 * (fs.aio-max-nr, memory). */
		discard_lanes(engine, g);
		if (engine->newest)
			tick(engine);
		lane_bin_empty(&engine->bin);
		rc = assign_lanes(engine, g, e);
	}
	g->t_ns = clock_ns();
	set_pacing(g, engine->newest);
	if (rc == 0)
		rc = record_generation(engine, g, e);
	if (rc) {
		discard_lanes(engine, g);
		lane_bin_empty(&engine->bin);
		generation_free(g);
		return rc;
	}
	publish(engine, g);
	if (number)
		*number = g->number;
	return 0;
}

static int apply(struct engine *engine, const struct workload *w, const struct job *job,
		 uint32_t jobs, uint32_t *number, struct error *e)
{
	const struct crew *before = engine->newest ? engine->newest->crew : NULL;
	struct crew *crew;
	int rc = crew_create(&crew, engine->target, engine->targets, w, job, jobs, before, e);

	return rc ? rc : employ(engine, crew, number, e);
}

int engine_apply_jobs(struct engine *engine, const struct workload *w, const struct job *job,
		      uint32_t jobs, uint32_t *generation, struct error *e)
{
	pthread_mutex_lock(&engine->lock);
	int rc = engine->halted_ns ? error_set(e, EINVAL, "the engine has been stopped")
				   : apply(engine, w, job, jobs, generation, e);
	pthread_mutex_unlock(&engine->lock);

	return rc;
}

int engine_apply(struct engine *engine, const struct workload *w, uint32_t *generation,
		 struct error *e)
{
	return engine_apply_jobs(engine, w, NULL, 0, generation, e);
}

struct workload engine_workload(struct engine *engine)
{
	pthread_mutex_lock(&engine->lock);
	struct workload w = engine->newest->workload;
	pthread_mutex_unlock(&engine->lock);

	return w;
}

/* --- Life. --- */

/* A worker without a thread goes, its lanes into the bin. */
static void dismiss(struct engine *engine, struct worker *w)
{
	while (w->owned) {
		struct lane *lane = w->owned;
		w->owned = lane->next_owned;
		lane_bin_put(&engine->bin, lane);
	}
	worker_destroy(w);
}

int engine_create_many(struct engine **out, const struct target *const *t, uint32_t n,
		       const struct workload *w, struct error *e)
{
	struct engine *engine = n <= TARGETS_MAX ? calloc(1, sizeof(*engine)) : NULL;

	if (n > TARGETS_MAX)
		return error_set(e, EINVAL, "%u targets: up to %u are possible at a time", n,
				 TARGETS_MAX);
	if (!engine)
		return error_set(e, ENOMEM, "out of memory for the engine");
	pthread_mutex_init(&engine->lock, NULL);
	lane_bin_init(&engine->bin);
	atomic_init(&engine->limit_ns, UINT64_MAX);
	for (uint32_t i = 0; i < n; i++)
		engine->target[i] = t[i];
	engine->targets = n;
	engine->shared.data_run = data_new_run();
	for (int k = 0; k < HISTS; k++)
		engine->seen_min[k] = UINT64_MAX;
	int rc = apply(engine, w, NULL, 0, NULL, e);
	if (rc) {
		/* Threads that were hired wait for a first generation that is not to be. */
		engine_stop(engine, NS_PER_SEC);
		engine_destroy(engine);
		return rc;
	}
	*out = engine;
	return 0;
}

int engine_create(struct engine **engine, const struct target *t, const struct workload *w,
		  struct error *e)
{
	return engine_create_many(engine, &t, 1, w, e);
}

/* Joins every worker that leaves its loop before the limit; returns how many did not. */
static uint32_t join_workers(struct engine *engine)
{
	uint64_t start = clock_ns();
	uint32_t left = 0;

	for (uint32_t i = 0; i < engine->workers; i++) {
		struct worker *w = engine->worker[i];
		while (!atomic_load_explicit(&w->done, memory_order_acquire) &&
		       clock_ns() - start < atomic_load_explicit(&engine->limit_ns, relaxed))
			nanosleep(&(struct timespec){0, NS_PER_MS / 5}, NULL);
		if (atomic_load_explicit(&w->done, memory_order_acquire)) {
			pthread_join(w->thread, NULL);
		} else {
			pthread_detach(w->thread);
			left++;
		}
	}
	return left;
}

static void halt(struct engine *engine)
{
	if (engine->halted_ns)
		return;
	engine->halted_ns = clock_ns();
	atomic_store_explicit(&engine->shared.stop_ns, engine->halted_ns, relaxed);
	atomic_store_explicit(&engine->shared.stopping, true, memory_order_release);
	for (uint32_t i = 0; i < engine->workers; i++)
		worker_wake(engine->worker[i]);
}

uint64_t engine_halt(struct engine *engine)
{
	pthread_mutex_lock(&engine->lock);
	halt(engine);
	pthread_mutex_unlock(&engine->lock);

	return engine->halted_ns;
}

void engine_hurry(struct engine *engine, uint64_t limit_ns)
{
	uint64_t limit = atomic_load(&engine->limit_ns);

	while (limit_ns < limit &&
	       !atomic_compare_exchange_weak(&engine->limit_ns, &limit, limit_ns))
		;
}

uint64_t engine_stop(struct engine *engine, uint64_t limit_ns)
{
	pthread_mutex_lock(&engine->lock);

	halt(engine);
	if (!engine->stopped) {
		engine_hurry(engine, limit_ns);
		engine->abandoned = join_workers(engine);
		record_settled(engine);
		for (struct generation *g = engine->newest; g; g = g->older)
			update_record(engine, g);
		engine->stopped = true;
	}
	uint64_t lost = 0;
	for (uint32_t i = 0; i < engine->workers; i++)
		lost += atomic_load_explicit(&engine->worker[i]->inflight, relaxed);
	pthread_mutex_unlock(&engine->lock);
	return lost;
}

/* Engines with workers that hang, until the end of the process; through ->next_left. */
static _Atomic(struct engine *) left_behind;

/* A worker that hangs in the kernel still uses its books, lanes and generation. It may yet come back and end:
 * then nobody but this list knows of them, which says that they are kept on purpose. */
static void leave_behind(struct engine *engine)
{
	engine->next_left = atomic_load(&left_behind);
	while (!atomic_compare_exchange_weak(&left_behind, &engine->next_left, engine))
		;
}

void engine_destroy(struct engine *engine)
{
	if (!engine)
		return;
	if (engine->abandoned) {
		leave_behind(engine);
		return;
	}
	for (uint32_t i = 0; i < engine->workers; i++)
		dismiss(engine, engine->worker[i]);
	lane_bin_release(&engine->bin);
	while (engine->newest) {
		struct generation *older = engine->newest->older;
		generation_free(engine->newest);
		engine->newest = older;
	}
	free(engine->record);
	free(engine->seat_copy);
	pthread_mutex_destroy(&engine->lock);
	free(engine);
}

/* --- Reading. --- */

bool engine_generation(struct engine *engine, uint32_t i, struct engine_generation *out)
{
	pthread_mutex_lock(&engine->lock);
	bool found = i >= 1 && i <= engine->records;

	if (found) {
		for (struct generation *g = engine->newest; g; g = g->older)
			if (g->number == i)
				update_record(engine, g);
		*out = engine->record[i - 1];
	}
	pthread_mutex_unlock(&engine->lock);
	return found;
}

uint64_t engine_unaccounted(struct engine *engine)
{
	uint64_t submitted = 0, ended = 0;
	struct engine_generation g;

	/* A worker that hangs, or is still handing over a batch, goes on counting. */
	if (engine->abandoned)
		return 0;
	for (uint32_t i = 1; engine_generation(engine, i, &g); i++) {
		submitted += g.submitted;
		ended += g.completed + g.errors;
	}
	pthread_mutex_lock(&engine->lock);
	for (uint32_t i = 0; i < engine->workers; i++)
		ended += atomic_load_explicit(&engine->worker[i]->inflight, relaxed);
	pthread_mutex_unlock(&engine->lock);
	return submitted > ended ? submitted - ended : ended - submitted;
}
