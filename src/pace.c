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

/* Gives up what has fallen due and was not started. */
static void let_go(struct pace *p)
{
	set(&p->come_ns, 0);
	set(&p->next_ns, 0);
	set(&p->dropped, value(&p->offered) - value(&p->started));
	p->kind = PACE_FREE;
	p->pacing = 0;
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
	set(&p->mean_ps, (uint64_t)(p->mean * 1000));
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
		let_go(p);
		return;
	}
	if (p->pacing == pacing) {
		/* The lines of the bursts belong to the sequence of IOs, which begins anew. */
		if (p->kind == PACE_THINK && w->access.count && !w->sequence_on)
			begin_bursts(p, w, i, clock_ns());
		return;
	}
	let_go(p);
	p->pacing = pacing;
	if (w->rate_iops) {
		begin_rate(p, w, i, start_ns);
	} else if (workload_thinks(w)) {
		begin_bursts(p, w, i, start_ns);
	}
}

/* --- In the loop. --- */

uint64_t pace_look_slowly(struct pace *p, uint64_t now)
{
	uint64_t n = 0;

	if (p->kind == PACE_THINK)
		return now >= p->hold_ns ? p->left : 0;
	for (; p->come.due_ns <= now && n < LOOK_MOST; n++)
		go_on(p, &p->come);
	if (n) {
		set(&p->come_ns, p->come.due_ns);
		set(&p->offered, value(&p->offered) + n);
	}
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

void pace_stop(struct pace *p)
{
	set(&p->come_ns, 0);
}

/* --- For others. --- */

void pace_read(const struct pace *p, uint64_t now, struct pace_counters *out)
{
	uint64_t come = atomic_load_explicit(&p->come_ns, memory_order_acquire);
	uint64_t mean = value(&p->mean_ps), next = value(&p->next_ns);

	out->started = atomic_load_explicit(&p->started, memory_order_acquire);
	out->dropped = atomic_load_explicit(&p->dropped, memory_order_acquire);
	out->offered = value(&p->offered);
	out->backlog = out->offered - out->started - out->dropped;
	/* A worker that sleeps or hangs has not counted for a while. */
	if (come && come <= now)
		out->backlog += 1 + (now - come) * 1000 / mean;
	out->due_ns = next && next <= now ? next : 0;
}
