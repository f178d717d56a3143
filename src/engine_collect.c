/* engine_collect.c - reading what the workers have counted, while they go on counting. */
#include "engine_internal.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

#define relaxed memory_order_relaxed

/* A worker that counts just now is looked at again, so many times. */
#define TRIES 64

/* Interval extremes first: a bucket is only looked at when its latency lies within what was seen, and
 * an IO that finishes in between is found next time. */
static void collect_extremes(struct engine *engine, uint32_t i, enum hist_kind op,
			     struct op_counters *c)
{
	uint64_t low, high;

	books_take_extremes(&engine->worker[i]->op[op], &low, &high);
	if (engine->seat_copy && (int)op < IO_OPS && high > engine->seat_copy[i].op[op].lat_max)
		engine->seat_copy[i].op[op].lat_max = high;
	if (low < c->lat_min)
		c->lat_min = low;
	if (high > c->lat_max)
		c->lat_max = high;
	if (low < engine->seen_min[op])
		engine->seen_min[op] = low;
	if (high > engine->seen_max[op])
		engine->seen_max[op] = high;
}

/* Adds what worker i has done to c and h. */
static void collect_books(struct engine *engine, uint32_t i, enum hist_kind op, unsigned first,
			  unsigned last, struct op_counters *c, struct hist *h)
{
	const struct op_books *b = &engine->worker[i]->op[op];
	struct seat_copy *copy =
		engine->seat_copy && (int)op < IO_OPS ? &engine->seat_copy[i] : NULL;
	uint64_t count = 0;

	for (unsigned k = first; k <= last; k++) {
		uint64_t n = atomic_load_explicit(&b->bucket[k], relaxed);
		h->bucket[k] += n;
		count += n;
		if (copy)
			copy->hist[op].bucket[k] = n;
	}
	struct op_counters own = {
		.ios = count,
		.bytes = atomic_load_explicit(&b->bytes, relaxed),
		.errors = atomic_load_explicit(&b->errors, relaxed),
		.lat_sum = atomic_load_explicit(&b->lat_sum, relaxed),
	};
	h->count += count;
	c->bytes += own.bytes;
	c->errors += own.errors;
	c->lat_sum += own.lat_sum;
	if (!copy)
		return;
	own.lat_max = copy->op[op].lat_max;
	copy->op[op] = own;
	copy->hist[op].count = count;
	copy->hist[op].sum = own.lat_sum;
	copy->hist[op].max = own.lat_max;
}

static void collect_op(struct engine *engine, enum hist_kind op, struct op_counters *c,
		       struct hist *h)
{
	for (uint32_t i = 0; i < engine->workers; i++)
		collect_extremes(engine, i, op, c);
	unsigned first = 1, last = 0;
	if (engine->seen_min[op] <= engine->seen_max[op]) {
		first = hist_index(engine->seen_min[op]);
		last = hist_index(engine->seen_max[op]);
	}
	for (uint32_t i = 0; i < engine->workers; i++)
		collect_books(engine, i, op, first, last, c, h);
	c->ios = h->count;
	h->sum = c->lat_sum;
	h->min = c->lat_min;
	h->max = c->lat_max;
}

/* Up to when the figures go. */
static uint64_t until(const struct engine *engine)
{
	return engine->halted_ns ? engine->halted_ns : clock_ns();
}

/* A worker counts when it looks up: what it holds has been in flight since then too, else that would be left to
 * the next tick, which would have more than was asked for. Likewise when it is ahead of the clock that was read
 * for this; but it may have begun only after that. */
uint64_t engine_depth_until(const struct worker *w, uint64_t now)
{
	uint64_t last, depth, inflight;
	unsigned tries = 0;

	do {
		/* Counting takes three instructions, unless it loses its CPU between them. */
		if (tries > TRIES / 2)
			sched_yield();
		last = atomic_load_explicit(&w->last_ns, memory_order_acquire);
		depth = atomic_load_explicit(&w->depth_ns, memory_order_acquire);
		inflight = atomic_load_explicit(&w->inflight, memory_order_acquire);
	} while ((last == WORKER_COUNTS || last != atomic_load_explicit(&w->last_ns, relaxed)) &&
		 ++tries < TRIES);
	if (!last || last == WORKER_COUNTS)
		return depth;
	if (last <= now)
		return depth + inflight * (now - last);
	uint64_t ahead = inflight * (last - now);
	return depth > ahead ? depth - ahead : 0;
}

static void collect_depth(struct worker *w, struct engine_counters *out)
{
	if (!atomic_load_explicit(&w->stopping, memory_order_acquire)) {
		out->depth_ns += engine_depth_until(w, out->t_ns);
		return;
	}
	uint64_t depth = atomic_load_explicit(&w->stop_depth_ns, relaxed);
	out->depth_ns += depth;
	out->drain_ns += atomic_load_explicit(&w->depth_ns, relaxed) - depth;
}

static void collect_worker(struct worker *w, struct engine_counters *out, uint64_t *oldest)
{
	out->submitted += atomic_load_explicit(&w->submitted, relaxed);
	out->inflight += atomic_load_explicit(&w->inflight, relaxed);
	collect_depth(w, out);
	for (unsigned i = 0; i < ERRNO_SLOTS; i++)
		out->errors[i] += atomic_load_explicit(&w->errors[i], relaxed);
	uint64_t failed = atomic_exchange_explicit(&w->failed_max, 0, relaxed);
	if (failed > out->failed_max)
		out->failed_max = failed;
	for (unsigned i = 0; i < LOOK_KINDS; i++)
		out->looks.found[i] += atomic_load_explicit(&w->looks.found[i], relaxed);
	for (unsigned i = 0; i < LOOK_BUCKETS; i++)
		out->looks.delay[i] += atomic_load_explicit(&w->looks.delay[i], relaxed);
	for (struct lane *lane = w->owned; lane; lane = lane->next_owned) {
		uint64_t t = lane_oldest(lane);
		if (t < *oldest)
			*oldest = t;
	}
}

/* Until when the pacing that w is on goes: another takes its place when it is published, though
 * a worker that hangs has not taken it up. */
static uint64_t pacing_until(const struct engine *engine, const struct worker *w)
{
	const struct generation *g = engine->newest;
	uint32_t pacing = atomic_load_explicit(&w->pace.pacing, memory_order_acquire);
	uint64_t now = until(engine);

	return pacing != g->pacing && g->pacing_ns < now ? g->pacing_ns : now;
}

static void collect_pace(const struct engine *engine, const struct worker *w,
			 struct engine_counters *out, uint64_t *oldest)
{
	struct pace_counters c;

	pace_read(&w->pace, pacing_until(engine, w), &c);
	out->offered += c.offered;
	out->started += c.started;
	out->backlog += c.backlog;
	if (c.due_ns && c.due_ns < *oldest)
		*oldest = c.due_ns;
}

void engine_collect(struct engine *engine, struct engine_counters *out)
{
	memset(out, 0, sizeof(*out));
	pthread_mutex_lock(&engine->lock);
	for (enum hist_kind k = 0; k < HISTS; k++) {
		out->op[k].lat_min = UINT64_MAX;
		collect_op(engine, k, &out->op[k], &out->hist[k]);
	}
	uint64_t oldest = UINT64_MAX, due = UINT64_MAX;
	out->t_ns = until(engine);
	for (uint32_t i = 0; i < engine->workers; i++) {
		collect_worker(engine->worker[i], out, &oldest);
		collect_pace(engine, engine->worker[i], out, &due);
	}
	if (out->backlog && due < out->t_ns)
		out->backlog_ns = out->t_ns - due;
	if (oldest < out->t_ns)
		out->oldest_ns = out->t_ns - oldest;
	const struct crew *crew = engine->newest->crew;
	bool idle = crew->workload.paused;
	out->generation = engine->newest->number;
	out->settled = engine_settled_on(engine);
	out->workers = idle ? 0 : crew->seats;
	for (uint32_t i = 0; i < crew->seats && !idle; i++)
		out->depth_requested += crew->seat[i].duty->load.outstanding;
	pthread_mutex_unlock(&engine->lock);
}

/* --- Seat by seat. --- */

int engine_keep_seats(struct engine *engine, struct error *e)
{
	pthread_mutex_lock(&engine->lock);
	if (!engine->seat_copy)
		engine->seat_copy = calloc(WORKERS_MAX, sizeof(*engine->seat_copy));
	bool kept = engine->seat_copy != NULL;
	pthread_mutex_unlock(&engine->lock);

	return kept ? 0 : error_set(e, ENOMEM, "out of memory for the figures of each worker");
}

bool engine_seat(struct engine *engine, uint32_t i, struct engine_seat *out)
{
	memset(out, 0, sizeof(*out));
	pthread_mutex_lock(&engine->lock);
	const struct crew *crew = engine->newest->crew;
	bool found = engine->seat_copy && i < crew->seats;

	if (found) {
		const struct seat *seat = &crew->seat[i];
		out->worker = seat->worker;
		out->target = seat->duty->target;
		out->workload = seat->duty->load;
		memcpy(out->op, engine->seat_copy[i].op, sizeof(out->op));
		memcpy(out->hist, engine->seat_copy[i].hist, sizeof(out->hist));
	}
	pthread_mutex_unlock(&engine->lock);
	return found;
}

void engine_restart_seats(struct engine *engine)
{
	pthread_mutex_lock(&engine->lock);
	for (uint32_t i = 0; engine->seat_copy && i < WORKERS_MAX; i++) {
		engine->seat_copy[i].op[IO_READ].lat_max = 0;
		engine->seat_copy[i].op[IO_WRITE].lat_max = 0;
	}
	pthread_mutex_unlock(&engine->lock);
}
