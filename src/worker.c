/* worker.c - the IO loop.
 *
 * Once round: reap what has completed without waiting, read the clock, account; take up a new
 * generation; fill the free depth in one batch, read the clock, submit; with nothing in hand, wait
 * for one completion. Batches grow by themselves with what the device does per round; nothing waits
 * for more than one completion, since that would hold finished IOs back and show as latency.
 */
#include "worker_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cpus.h"
#include "units.h"

/* So many IOs must fail one after the other before a worker holds back: a target of which only a part
 * fails is driven as hard as any. */
#define FAILURES_IN_A_ROW 64
#define BATCH_BYTES       (4u << 20)
#define BACKOFF_MIN       NS_PER_MS
#define BACKOFF_MAX       (100 * NS_PER_MS)

/* --- Completions. --- */

static void count_errno(struct worker *w, int32_t r)
{
	count(&w->errors[r < 0 && -r < ERRNO_SLOTS ? -r : 0], 1);
}

static void note_error(struct worker *w, struct slot *slot, uint64_t latency)
{
	if (latency > atomic_load_explicit(&w->failed_max, relaxed))
		atomic_store_explicit(&w->failed_max, latency, relaxed);
	count_errno(w, slot->io.result);
	count(&w->op[slot->io.op].errors, 1);
	count(&slot->ledger->errors, 1);
}

/* An IO that failed or is of an older generation: booked there. Whether it was good. */
static bool note_odd(struct worker *w, struct slot *slot, uint64_t latency)
{
	bool good = slot->io.result == (int32_t)slot->io.size;

	if (!good)
		note_error(w, slot, latency);
	if (slot->ledger != w->ledger) {
		w->old_inflight--;
		if (good)
			count(&slot->ledger->completed, 1);
	}
	return good;
}

/* What most IOs at depth 1 are: alone, good, and of this generation. */
static ALWAYS_INLINE bool complete_one(struct worker *w, struct lane *lane, uint64_t now)
{
	struct slot *slot = (struct slot *)lane->done[0];
	struct op_books *op = &w->op[slot->io.op];

	if (slot->io.result != (int32_t)slot->io.size || slot->ledger != w->ledger ||
	    w->due_inflight)
		return false;
	books_note_one(op, now - atomic_load_explicit(&slot->submit_ns, relaxed), slot->io.size);
	atomic_store_explicit(&slot->submit_ns, 0, relaxed);
	lane->free[lane->free_count++] = slot->io.slot;
	count(&w->ledger->completed, 1);
	return true;
}

/* The latency of completed IOs that had an intended time, from there on. */
static void complete_due(struct worker *w, struct lane *lane, unsigned n, uint64_t now)
{
	struct tally due;

	tally_open(&due, &w->op[HIST_DUE]);
	for (unsigned i = 0; i < n; i++) {
		struct slot *slot = (struct slot *)lane->done[i];
		if (!slot->due_ns)
			continue;
		if (slot->io.result == (int32_t)slot->io.size)
			tally_add(&due, &w->op[HIST_DUE], now - slot->due_ns, 0);
		slot->due_ns = 0;
		w->due_inflight--;
	}
	tally_close(&due, &w->op[HIST_DUE]);
}

/* Accounts for n completed IOs of lane; returns how many were good. */
static NOINLINE unsigned complete(struct worker *w, struct lane *lane, unsigned n, uint64_t now)
{
	struct tally tally[IO_OPS];
	struct ledger *ledger = w->ledger;
	uint32_t *free = lane->free + lane->free_count;
	unsigned good = n, current = n;

	if (w->due_inflight)
		complete_due(w, lane, n, now);
	for (int op = 0; op < IO_OPS; op++)
		tally_open(&tally[op], &w->op[op]);
	for (unsigned i = 0; i < n; i++) {
		struct slot *slot = (struct slot *)lane->done[i];
		uint64_t latency = now - atomic_load_explicit(&slot->submit_ns, relaxed);
		atomic_store_explicit(&slot->submit_ns, 0, relaxed);
		*free++ = slot->io.slot;
		bool fine = slot->io.result == (int32_t)slot->io.size;
		if (!fine || slot->ledger != ledger) {
			current--;
			if (!note_odd(w, slot, latency)) {
				good--;
				continue;
			}
		}
		tally_add(&tally[slot->io.op], &w->op[slot->io.op], latency, slot->io.size);
	}
	lane->free_count += n;
	for (int op = 0; op < IO_OPS; op++)
		tally_close(&tally[op], &w->op[op]);
	if (current)
		count(&ledger->completed, current);
	return good;
}

/* Nothing but errors for a while: hold back, longer each time, so that a target that went away does
 * not burn a CPU. One good IO ends it. */
static NOINLINE void back_off(struct worker *w, unsigned n, uint64_t now)
{
	w->failures += n;
	if (w->failures < FAILURES_IN_A_ROW)
		return;
	w->backoff_ns = w->backoff_ns ? w->backoff_ns * 2 : BACKOFF_MIN;
	if (w->backoff_ns > BACKOFF_MAX)
		w->backoff_ns = BACKOFF_MAX;
	w->hold_until_ns = now + w->backoff_ns;
}

/* What was found had not been there when the worker looked before: it has waited no longer than since the
 * clock was read before that. */
static inline void note_look(struct worker *w, const struct lane *lane, enum look_kind how,
			     unsigned n, uint64_t now)
{
	count(&w->looks.found[how], n);
	if (how != LOOK_SLEEP)
		count(&w->looks.delay[look_bucket(now - lane->look_ns)], n);
}

/* The queue gives nothing back, not even by waiting. That is an error, said again after longer
 * and longer pauses in which nothing is submitted; what is in flight stays so. A lane that was
 * left does not hold up the one that took its place. */
static NOINLINE void reap_failed(struct worker *w, const struct lane *lane, int err,
				 int64_t wait_ns)
{
	uint64_t now = clock_ns();

	if (lane == w->lane && now >= w->hold_until_ns) {
		count_errno(w, err);
		back_off(w, FAILURES_IN_A_ROW, now);
	}
	if (wait_ns)
		worker_sleep(w, wait_ns);
}

/* worker_reap() below, for every round. */
static ALWAYS_INLINE unsigned reap_inline(struct worker *w, struct lane *lane, enum look_kind how,
					  int64_t wait_ns)
{
	uint64_t before = looked_at(w);
	int n = lane->backend->reap(lane->queue, lane->done, lane->depth, wait_ns);

	if (n <= 0) {
		lane->look_ns = before;
		if (n < 0)
			reap_failed(w, lane, n, wait_ns);
		return 0;
	}
	uint64_t now = clock_ns();
	integrate_depth(w, now);
	note_look(w, lane, how, (unsigned)n, now);
	lane->look_ns = before;
	unsigned good =
		n == 1 && complete_one(w, lane, now) ? 1 : complete(w, lane, (unsigned)n, now);
	lane->inflight -= (unsigned)n;
	w->total_inflight -= (unsigned)n;
	atomic_store_explicit(&w->inflight, w->total_inflight, relaxed);
	if (!good)
		back_off(w, (unsigned)n, now);
	else if (w->failures)
		w->failures = w->backoff_ns = w->hold_until_ns = 0;
	return (unsigned)n;
}

unsigned worker_reap(struct worker *w, struct lane *lane, enum look_kind how, int64_t wait_ns)
{
	return reap_inline(w, lane, how, wait_ns);
}

/* Lanes that were left: reaped each round until they are empty. Whoever owns them may free them once
 * the worker has settled on a generation that does not name them. */
static NOINLINE unsigned reap_draining(struct worker *w)
{
	unsigned got = 0;
	struct lane **link = &w->draining;

	while (*link) {
		struct lane *lane = *link;
		got += lane->inflight ? worker_reap(w, lane, LOOK_BUSY, 0) : 0;
		if (lane->inflight) {
			link = &lane->next_draining;
			continue;
		}
		*link = lane->next_draining;
		lane_rest(lane);
	}
	return got;
}

/* --- Generations. --- */

static NOINLINE void settle(struct worker *w)
{
	/* A generation older than the worker has no ledger for it, and waits for no IO of it. */
	if (w->ledger)
		atomic_store_explicit(&w->ledger->settled_ns, clock_ns(), relaxed);
	atomic_store_explicit(&w->settled, w->gen->number, memory_order_release);
	w->unsettled = false;
}

/* IOs that were made for the old generation but never taken by the backend are unmade. */
static void unmake_ready(struct lane *lane)
{
	while (lane->ready)
		lane->free[lane->free_count++] = lane->batch[--lane->ready]->slot;
}

static void move_to(struct worker *w, struct lane *lane)
{
	struct lane *old = w->lane;

	if (old == lane)
		return;
	if (old && old->inflight) {
		old->next_draining = w->draining;
		w->draining = old;
	} else if (old) {
		lane_rest(old);
	}
	w->lane = lane;
}

/* Each worker has a CPU of the set to itself, as far as they go round. */
static void pin(struct worker *w, const struct workload *load)
{
	cpu_set_t wanted = cpus_of_worker(&load->cpus, w->index, &w->home);

	if (CPU_EQUAL(&wanted, &w->pinned))
		return;
	/* A CPU that went away meanwhile leaves the worker where it is. */
	if (pthread_setaffinity_np(pthread_self(), sizeof(wanted), &wanted) == 0)
		w->pinned = wanted;
}

/* How many IOs may be made and handed over at a time: with large blocks that takes long, and a stop or a
 * knob is not looked for meanwhile. */
static uint32_t batch_of(const struct workload *load)
{
	uint32_t n = BATCH_BYTES / workload_largest(load);

	return n ? n : 1;
}

static NOINLINE void take_up(struct worker *w, struct generation *g)
{
	if (w->lane)
		unmake_ready(w->lane);
	w->gen = g;
	w->old_inflight = w->total_inflight;
	w->depth = 0;
	w->unsettled = true;
	w->failures = 0;
	w->backoff_ns = w->hold_until_ns = 0;
	w->load = NULL;
	if (w->index >= g->crew->seats) {
		pace_take_up(&w->pace, &g->workload, w->index, g->pacing, g->pacing_ns);
		/* A generation made before this worker existed has no place for it. */
		if (w->index < g->workers) {
			move_to(w, NULL);
			w->ledger = &g->ledger[w->index];
		}
		return;
	}
	const struct seat *seat = &g->crew->seat[w->index];
	const struct duty *duty = seat->duty;
	w->load = &duty->load;
	pace_take_up(&w->pace, &duty->paced, w->index, g->pacing, g->pacing_ns);
	move_to(w, g->lane[w->index]);
	w->ledger = &g->ledger[w->index];
	if (has_work(w, g) && w->lane)
		w->depth = w->load->outstanding < w->lane->depth ? w->load->outstanding
								 : w->lane->depth;
	pattern_take_up(&w->pattern, w->load, &duty->limits, duty->tables, seat->part);
	data_filler_take_up(&w->filler, &w->load->data);
	pin(w, w->load);
	if (w->lane)
		lane_prepare(w->lane, w->load);
	w->batch = batch_of(w->load);
	w->spin_ns = worker_spin_time(w, &duty->paced);
	w->spin_skip = w->spin_skipped = 0;
}

/* --- Submission. --- */

/* How many IOs may be made now. */
static unsigned allowance(struct worker *w, struct lane *lane, uint64_t now)
{
	uint32_t taken = w->total_inflight + lane->ready;
	uint64_t due = pace_look(&w->pace, now);

	if (taken >= w->depth || now < w->hold_until_ns)
		return 0;
	unsigned room = w->depth - taken;
	if (room > lane->free_count)
		room = lane->free_count;
	if (room > w->batch)
		room = w->batch;
	due = due > lane->ready ? due - lane->ready : 0;
	return due < room ? (unsigned)due : room;
}

static void make(struct worker *w, struct lane *lane, unsigned n)
{
	uint32_t *free = lane->free + lane->free_count;
	struct io **batch = lane->batch + lane->ready;
	struct pattern *pattern = &w->pattern;
	struct ledger *ledger = w->ledger;

	pattern->burst_line = (uint8_t)(w->pace.line + 1);
	for (unsigned i = 0; i < n; i++) {
		struct slot *slot = &lane->slot[*--free];
		pattern_next(pattern, &slot->io);
		lane_attach_buffer(lane, slot, &w->filler);
		slot->ledger = ledger;
		*batch++ = &slot->io;
	}
	lane->free_count -= n;
	lane->ready += n;
}

/* Tells the pace that batch[0..n-1] have started. Only here: what is made may yet be unmade. */
static NOINLINE void start_paced(struct worker *w, struct lane *lane, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct slot *slot = (struct slot *)lane->batch[i];
		slot->due_ns = pace_start(&w->pace, looked_at(w));
		w->due_inflight += slot->due_ns != 0;
	}
}

/* The backend took batch[0..n-1]. */
static inline void taken(struct worker *w, struct lane *lane, unsigned n)
{
	if (w->pace.kind != PACE_FREE)
		start_paced(w, lane, n);
	lane->inflight += n;
	w->total_inflight += n;
	count(&w->submitted, n);
	if (!atomic_load_explicit(&w->ledger->submitted, relaxed))
		atomic_store_explicit(&w->ledger->first_ns, looked_at(w), relaxed);
	count(&w->ledger->submitted, n);
	lane->ready -= n;
	if (lane->ready)
		memmove(lane->batch, lane->batch + n, lane->ready * sizeof(*lane->batch));
}

/* The first IO was refused for good: it counts as submitted and failed. */
static NOINLINE void refused(struct worker *w, struct lane *lane, int err, uint64_t now)
{
	lane->done[0] = lane->batch[0];
	lane->done[0]->result = err;
	taken(w, lane, 1);
	complete(w, lane, 1, now);
	lane->inflight--;
	w->total_inflight--;
	back_off(w, 1, now);
}

/* What the backend did not take is not in flight. */
static NOINLINE void unstamp(struct worker *w, struct lane *lane)
{
	for (uint32_t i = 0; i < lane->ready; i++)
		atomic_store_explicit(&((struct slot *)lane->batch[i])->submit_ns, 0, relaxed);
	atomic_store_explicit(&w->inflight, w->total_inflight, relaxed);
}

/* Submits what is ready; returns how many the backend is done with: taken or refused for good. */
static unsigned submit(struct worker *w, struct lane *lane)
{
	uint64_t now = clock_ns();
	struct io **batch = lane->batch;
	unsigned ready = lane->ready;

	integrate_depth(w, now);
	for (unsigned i = 0; i < ready; i++)
		atomic_store_explicit(&((struct slot *)batch[i])->submit_ns, now, relaxed);
	atomic_store_explicit(&w->inflight, w->total_inflight + ready, relaxed);
	int n = lane->backend->submit(lane->queue, batch, ready);
	if (n > 0)
		taken(w, lane, (unsigned)n);
	else if (n < 0)
		refused(w, lane, n, now);
	if (n != (int)ready)
		unstamp(w, lane);
	return n > 0 ? (unsigned)n : n < 0;
}

/* Before the first generation is published there is nothing to do; false when there will be none. */
static NOINLINE bool wait_for_first(struct worker *w)
{
	if (atomic_load_explicit(&w->shared->stopping, memory_order_acquire))
		return false;
	worker_sleep(w, -1);
	atomic_store_explicit(&w->last_ns, clock_ns(), relaxed);
	return true;
}

/* What has been asked for ends with the moment of the stop: the integral up to there is kept
 * apart, and nothing falls due any more. The worker may see it late, when a submission or a busy
 * host held it up. */
static void begin_rest(struct worker *w)
{
	uint64_t stop_ns = atomic_load_explicit(&w->shared->stop_ns, relaxed), last = looked_at(w);

	if (last < stop_ns)
		integrate_depth(w, stop_ns);
	uint64_t after = last > stop_ns ? w->total_inflight * (last - stop_ns) : 0;
	uint64_t depth = atomic_load_explicit(&w->depth_ns, relaxed);
	atomic_store_explicit(&w->stop_depth_ns, depth > after ? depth - after : 0, relaxed);
	atomic_store_explicit(&w->stopping, true, memory_order_release);
	pace_stop(&w->pace, stop_ns);
}

/* Once round after the stop: nothing is submitted any more. False when all is back. */
static NOINLINE bool work_off(struct worker *w, struct generation *g)
{
	unsigned done = 0;

	if (g != w->gen)
		take_up(w, g);
	if (!atomic_load_explicit(&w->stopping, relaxed))
		begin_rest(w);
	if (w->lane && w->lane->inflight)
		done = worker_reap(w, w->lane, LOOK_BUSY, 0);
	if (w->draining)
		done += reap_draining(w);
	if (w->unsettled && w->old_inflight == 0)
		settle(w);
	if (w->total_inflight == 0)
		return false;
	if (!done)
		worker_idle(w);
	return true;
}

/* Once round; false when the worker is to end. */
static bool work(struct worker *w)
{
	struct generation *g = atomic_load_explicit(&w->shared->generation, memory_order_acquire);

	if (!g)
		return wait_for_first(w);
	if (atomic_load_explicit(&w->shared->stopping, memory_order_acquire))
		return work_off(w, g);
	if (g != w->gen)
		take_up(w, g);
	unsigned done = 0;
	if (w->lane && w->lane->inflight)
		done = reap_inline(w, w->lane, LOOK_BUSY, 0);
	else if (w->lane)
		w->lane->look_ns = looked_at(w);
	if (w->draining)
		done += reap_draining(w);
	if (w->unsettled && w->old_inflight == 0)
		settle(w);
	if (w->lane) {
		unsigned n = allowance(w, w->lane, looked_at(w));
		if (n)
			make(w, w->lane, n);
		if (w->lane->ready)
			done += submit(w, w->lane);
	}
	if (!done)
		worker_idle(w);
	return true;
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	/* Rate-paced sleeps are often shorter than the default slack of 50 us. */
	prctl(PR_SET_TIMERSLACK, 1000ul, 0, 0, 0);
	prctl(PR_SET_NAME, "lunscope-io", 0, 0, 0);
	atomic_store_explicit(&w->last_ns, clock_ns(), relaxed);
	while (work(w))
		;
	if (w->lane)
		lane_rest(w->lane);
	atomic_store_explicit(&w->done, true, memory_order_release);
	return NULL;
}

/* --- Life. --- */

int worker_create(struct worker **out, struct worker_shared *shared, uint32_t i, struct error *e)
{
	struct worker *w = aligned_alloc(64, (sizeof(*w) + 63) / 64 * 64);

	if (!w)
		return error_set(e, ENOMEM, "out of memory for worker %u", i + 1);
	memset(w, 0, sizeof(*w));
	w->shared = shared;
	w->index = i;
	w->home = w->pinned = cpus_allowed();
	for (int op = 0; op < HISTS; op++)
		books_init(&w->op[op]);
	pattern_init(&w->pattern);
	data_filler_init(&w->filler, shared->data_run, i);
	w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->wake_fd < 0) {
		int err = errno;
		free(w);
		return error_errno(e, err, "worker %u: eventfd", i + 1);
	}
	*out = w;
	return 0;
}

int worker_start(struct worker *w, struct error *e)
{
	sigset_t all, before;

	/* The screen's thread, which may be the one that starts it, takes ^Z: nobody else must. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int rc = pthread_create(&w->thread, NULL, worker_main, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);

	return rc ? error_errno(e, rc, "worker %u: no thread", w->index + 1) : 0;
}

void worker_wake(struct worker *w)
{
	if (write(w->wake_fd, &(uint64_t){1}, sizeof(uint64_t)) < 0) {
		/* EAGAIN: the counter is full, so it is awake. */
	}
}

void worker_destroy(struct worker *w)
{
	close(w->wake_fd);
	free(w);
}
