/* pace.c - when a worker's IOs may start; see pace.h.
 *
 * Constant rates are counted in whole numbers: an interval of N / rate ns is a quotient and a
 * remainder, and the remainders are carried (Bresenham), so that k intervals are exact for any k.
 */
#include "pace.h"

#include <math.h>

#include "units.h"

/* So many intended times are passed in one look, so that a worker that was stopped for an hour does
 * not stop for another while. The next look goes on. */
#define LOOK_MOST 16384
/* Likewise at an end, after which there is no next look: what is beyond is counted by the mean. */
#define END_MOST (64 * LOOK_MOST)

#define relaxed memory_order_relaxed

static inline uint64_t value(const _Atomic uint64_t *v)
{
	return atomic_load_explicit(v, relaxed);
}

static inline void set(_Atomic uint64_t *v, uint64_t to)
{
	atomic_store_explicit(v, to, relaxed);
}

/* --- Intended times. --- */

/* An exponential gap of this mean, by inversion; u lies in (0, 1], so that its logarithm is finite. */
static __attribute__((noinline)) double exponential(struct random *r, double mean)
{
	double u = (double)((random_next(r) >> 11) + 1) * 0x1p-53;

	return -log(u) * mean;
}

static void go_on(const struct pace *p, struct arrivals *a)
{
	if (p->poisson) {
		double gap = a->part + exponential(&a->random, p->mean);
		uint64_t whole = (uint64_t)gap;
		a->due_ns += whole;
		a->part = gap - (double)whole;
		return;
	}
	a->due_ns += p->step;
	a->rest += p->rest;
	if (a->rest >= p->rate) {
		a->rest -= p->rate;
		a->due_ns++;
	}
}

/* The first intended time. Those of worker i lie i/workers of an interval behind those of worker 0. */
static struct arrivals first(const struct pace *p, uint64_t seed, uint32_t i, uint64_t start_ns)
{
	struct arrivals a = {.due_ns = start_ns};

	if (p->poisson) {
		random_seed(&a.random, random_mix(seed) + i);
		go_on(p, &a);
		return a;
	}
	a.due_ns += i * NS_PER_SEC / p->rate;
	a.rest = i * NS_PER_SEC % p->rate;
	return a;
}

/* --- Bursts. --- */

static int draw_line(struct random *random, const struct workload *w)
{
	uint64_t at = random_below(random, 100);
	uint32_t i = 0;

	for (; i + 1 < w->access.count && at >= w->access.line[i].share; i++)
		at -= w->access.line[i].share;
	return (int)i;
}

/* The next burst, after its wait from now on. */
static void next_burst(struct pace *p, uint64_t now)
{
	const struct workload *w = p->workload;
	uint64_t think = w->think_ns;
	uint32_t burst = w->burst;

	p->line = -1;
	if (w->access.count) {
		p->line = draw_line(&p->random, w);
		think = w->access.line[p->line].delay_ms * NS_PER_MS;
		burst = w->access.line[p->line].burst;
	}
	p->hold_ns = think ? now + think : 0;
	p->left = think && burst ? burst : 1;
}

/* --- Taking up. --- */

static bool same_lines(const struct access *a, const struct access *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		const struct access_line *x = &a->line[i], *y = &b->line[i];
		if (x->delay_ms != y->delay_ms || x->burst != y->burst || x->share != y->share)
			return false;
	}
	return true;
}

/* Which access line a burst is of belongs to the sequence of IOs, which each generation begins anew unless
 * it is to go on. */
static bool bursts_begin_anew(const struct workload *w)
{
	return w->access.count && workload_thinks(w) && !w->sequence_on;
}

bool pace_same(const struct workload *a, const struct workload *b)
{
	return !bursts_begin_anew(b) && a->rate_iops == b->rate_iops && a->poisson == b->poisson &&
	       a->workers == b->workers && a->paused == b->paused && a->burst == b->burst &&
	       a->think_ns == b->think_ns && a->seed == b->seed &&
	       same_lines(&a->access, &b->access);
}

/* Counts what has fallen due by now, at most so many, as offered. */
static void come_to(struct pace *p, uint64_t now, uint64_t most)
{
	uint64_t n = 0;

	for (; p->come.due_ns <= now && n < most; n++)
		go_on(p, &p->come);
	if (!n)
		return;
	set(&p->come_ns, p->come.due_ns);
	/* Never seen before the time from which on it does not count. */
	atomic_store_explicit(&p->offered, value(&p->offered) + n, memory_order_release);
}

/* How many are due at now when one was at come, at `of` in `ns`. Of a constant rate never more
 * than are: come is less than 1 ns before the time that it stands for. */
static uint64_t due_since(uint64_t come, uint64_t of, uint64_t ns, uint64_t now)
{
	if (!come || come > now)
		return 0;
	return 1 + (uint64_t)((unsigned __int128)(now - come) * of / ns);
}

/* Nothing falls due after end_ns. */
static void end_arrivals(struct pace *p, uint64_t end_ns)
{
	if (!value(&p->come_ns))
		return;
	come_to(p, end_ns, END_MOST);
	uint64_t left = due_since(p->come.due_ns, value(&p->rate_of), value(&p->rate_ns), end_ns);
	set(&p->come_ns, 0);
	atomic_store_explicit(&p->offered, value(&p->offered) + left, memory_order_release);
}

/* Gives up what has fallen due until end_ns and was not started. */
static void let_go(struct pace *p, uint64_t end_ns)
{
	end_arrivals(p, end_ns);
	set(&p->next_ns, 0);
	/* Never seen before the arrivals that it gives up. */
	atomic_store_explicit(&p->dropped, value(&p->offered) - value(&p->started),
			      memory_order_release);
	p->kind = PACE_FREE;
	atomic_store_explicit(&p->pacing, 0, relaxed);
	p->line = -1;
}

static void begin_rate(struct pace *p, const struct workload *w, uint32_t i, uint64_t start_ns)
{
	uint64_t all = w->workers * NS_PER_SEC;

	p->kind = PACE_RATE;
	p->poisson = w->poisson;
	p->rate = w->rate_iops;
	p->step = all / w->rate_iops;
	p->rest = all % w->rate_iops;
	p->mean = (double)all / (double)w->rate_iops;
	p->start = p->come = first(p, w->seed, i, start_ns);
	set(&p->rate_of, w->rate_iops);
	set(&p->rate_ns, all);
	set(&p->next_ns, p->start.due_ns);
	atomic_store_explicit(&p->come_ns, p->come.due_ns, memory_order_release);
}

/* Lines are drawn anew from the first one on. */
static void begin_bursts(struct pace *p, const struct workload *w, uint32_t i, uint64_t now)
{
	p->kind = PACE_THINK;
	random_seed(&p->random, random_mix(w->seed) + i);
	next_burst(p, now);
}

void pace_take_up(struct pace *p, const struct workload *w, uint32_t i, uint32_t pacing,
		  uint64_t start_ns)
{
	p->workload = w;
	if (w->paused || i >= w->workers) {
		let_go(p, start_ns);
		return;
	}
	if (atomic_load_explicit(&p->pacing, relaxed) == pacing)
		return;
	let_go(p, start_ns);
	if (w->rate_iops) {
		begin_rate(p, w, i, start_ns);
	} else if (workload_thinks(w)) {
		begin_bursts(p, w, i, start_ns);
	}
	atomic_store_explicit(&p->pacing, pacing, memory_order_release);
}

/* --- In the loop. --- */

uint64_t pace_look_slowly(struct pace *p, uint64_t now)
{
	if (p->kind == PACE_THINK)
		return now >= p->hold_ns ? p->left : 0;
	come_to(p, now, LOOK_MOST);
	return value(&p->offered) - value(&p->started) - value(&p->dropped);
}

uint64_t pace_start(struct pace *p, uint64_t now)
{
	if (p->kind == PACE_THINK && --p->left == 0)
		next_burst(p, now);
	if (p->kind != PACE_RATE)
		return 0;
	uint64_t due = p->start.due_ns;
	go_on(p, &p->start);
	set(&p->next_ns, p->start.due_ns);
	/* Never seen before the arrival that it answers. */
	atomic_store_explicit(&p->started, value(&p->started) + 1, memory_order_release);
	return due;
}

void pace_stop(struct pace *p, uint64_t stop_ns)
{
	end_arrivals(p, stop_ns);
}

/* --- For others. --- */

void pace_read(const struct pace *p, uint64_t now, struct pace_counters *out)
{
	uint64_t come, of, ns, again = atomic_load_explicit(&p->come_ns, memory_order_acquire);

	/* Should the worker look meanwhile, the same IOs are in offered and after come. */
	do {
		come = again;
		of = value(&p->rate_of);
		ns = value(&p->rate_ns);
		out->started = atomic_load_explicit(&p->started, memory_order_acquire);
		out->dropped = atomic_load_explicit(&p->dropped, memory_order_acquire);
		out->offered = atomic_load_explicit(&p->offered, memory_order_acquire);
		again = atomic_load_explicit(&p->come_ns, memory_order_acquire);
	} while (again != come);
	uint64_t next = value(&p->next_ns);
	/* A worker that sleeps or hangs has not counted for a while. */
	out->offered += due_since(come, of, ns, now);
	out->backlog = out->offered - out->started - out->dropped;
	out->due_ns = next && next <= now ? next : 0;
}
