/* timeline_gap.c - what of a timeline no mean counts: the gaps that outages of paths leave.
 *
 * Everything stays in the rings, flagged. A segment's sums and histograms take a tick in once it leaves the
 * tail; who asks before gets the tail's share added. So a gap that is known late moves whole ticks from one
 * side to the other, and back when its end turns out to be earlier.
 */
#include "timeline_internal.h"

#include <math.h>

bool timeline_expect_gaps(struct timeline *t)
{
	pthread_mutex_lock(&t->lock);
	bool done = tail_init(&t->tail);
	pthread_mutex_unlock(&t->lock);

	return done;
}

/* --- From the tail into a segment. --- */

/* A tick that is left out: its errors count all the same. */
static void leave_out(struct sample *total, struct sample *gap, const struct sample *s)
{
	struct sample rest = *s;

	for (int op = 0; op < IO_OPS; op++) {
		total->op[op].errors += s->op[op].errors;
		rest.op[op].errors = 0;
	}
	sample_add(gap, &rest);
}

static void take_sums(struct sample *total, struct sample *gap, const struct sample *s)
{
	if (s->gap_ns)
		leave_out(total, gap, s);
	else
		sample_add(total, s);
}

/* Increments of a segment that is closed already. Most are empty; a sum alone is not (packed.c). */
static void add_closed(struct kept_segment *g, int k, const struct hist *delta)
{
	struct hist whole;

	if (!delta->count && !delta->sum)
		return;
	hist_clear(&whole);
	packed_merge(&whole, &g->packed[k]);
	hist_merge(&whole, delta);
	packed_set(&g->packed[k], &whole);
}

static void settle(struct timeline *t, const struct sample *s, size_t segment,
		   const struct hist delta[HISTS])
{
	struct kept_segment *g = &t->segment[segment];

	take_sums(&g->ticks, &g->gap, s);
	for (int k = 0; delta && !s->gap_ns && k < HISTS; k++) {
		if (segment + 1 == t->segments)
			hist_merge(&t->open[k], &delta[k]);
		else
			add_closed(g, k, &delta[k]);
	}
}

static void settle_oldest(struct timeline *t)
{
	const struct tail_tick *k = tail_at(&t->tail, 0);
	struct kept_segment *g = &t->segment[k->segment];

	take_sums(&g->ticks, &g->gap, &k->sample);
	for (int i = 0; !k->sample.gap_ns && i < HISTS; i++) {
		if (k->segment + 1 == t->segments) {
			packed_merge(&t->open[i], &k->hist[i]);
		} else {
			struct hist one;
			hist_clear(&one);
			packed_merge(&one, &k->hist[i]);
			add_closed(g, i, &one);
		}
	}
	tail_drop(&t->tail);
}

void timeline_take(struct timeline *t, const struct sample *s, size_t segment,
		   const struct hist delta[HISTS])
{
	if (t->tail.tick && tail_full(&t->tail))
		settle_oldest(t);
	if (!t->tail.tick || !tail_push(&t->tail, s, segment, delta))
		settle(t, s, segment, delta);
}

void timeline_add_tail(const struct timeline *t, size_t segment, struct segment *out)
{
	for (unsigned i = 0; i < t->tail.count; i++) {
		const struct tail_tick *k = tail_at(&t->tail, i);
		if (k->segment != segment)
			continue;
		take_sums(&out->total, &out->gap, &k->sample);
		for (int h = 0; !k->sample.gap_ns && h < HISTS; h++)
			packed_merge(&out->hist[h], &k->hist[h]);
	}
}

/* --- Seconds. --- */

uint64_t timeline_gap_ns(const struct timeline *t, const struct sample *second)
{
	const struct ring *r = &t->ticks;
	uint64_t sum = 0;

	if (!t->gaps.count)
		return 0;
	for (uint64_t seq = ring_after(r, second->t_ns - second->dt_ns);
	     seq < r->count && ring_at(r, seq)->t_ns <= second->t_ns; seq++)
		sum += ring_at(r, seq)->gap_ns;
	return sum < second->dt_ns ? sum : second->dt_ns;
}

void timeline_segment_second(struct timeline *t, const struct sample *s)
{
	uint64_t start = s->t_ns - s->dt_ns, bound = UINT64_MAX;

	/* A second with a mark in it belongs to neither side. */
	for (size_t i = t->segments; !s->gap_ns && i-- > 0; bound = t->segment[i].start_ns) {
		struct kept_segment *g = &t->segment[i];
		if (g->start_ns > start)
			continue;
		if (s->t_ns <= bound)
			sample_add(&g->seconds, s);
		return;
	}
}

/* --- A gap becomes known. --- */

/* The seconds that end after from_ns say anew how much of them is left out, and the segments that reach
 * there take theirs in once more. */
static void redo_seconds(struct timeline *t, uint64_t from_ns)
{
	struct ring *r = &t->seconds;
	size_t first = t->segments;

	for (uint64_t seq = ring_after(r, from_ns); seq < r->count; seq++) {
		struct sample *s = ring_at(r, seq);
		s->gap_ns = timeline_gap_ns(t, s);
	}
	while (first > 0 && t->segment[first - 1].end_ns > from_ns)
		sample_clear(&t->segment[--first].seconds);
	if (first == t->segments)
		return;
	uint64_t start = t->segment[first].start_ns;
	for (uint64_t seq = ring_after(r, start); seq < r->count; seq++)
		if (ring_at(r, seq)->t_ns - ring_at(r, seq)->dt_ns >= start)
			timeline_segment_second(t, ring_at(r, seq));
}

/* Whether they count is said anew of the ticks in the tail; returns where the first one that changed
 * begins, UINT64_MAX when none did. */
static uint64_t redo_ticks(struct timeline *t)
{
	uint64_t from = UINT64_MAX;

	for (unsigned i = 0; i < t->tail.count; i++) {
		struct sample *s = &tail_at(&t->tail, i)->sample;
		uint64_t start = s->t_ns - s->dt_ns, before = s->gap_ns;
		s->gap_ns = gaps_cover(&t->gaps, start, s->t_ns) ? s->dt_ns : 0;
		if (s->gap_ns == before)
			continue;
		if (start < from)
			from = start;
		uint64_t seq = ring_after(&t->ticks, s->t_ns - 1);
		if (seq < t->ticks.count && ring_at(&t->ticks, seq)->t_ns == s->t_ns)
			ring_at(&t->ticks, seq)->gap_ns = s->gap_ns;
	}
	return from;
}

uint32_t timeline_gap(struct timeline *t, uint32_t id, uint64_t from_ns, uint64_t until_ns)
{
	pthread_mutex_lock(&t->lock);
	uint32_t revision = t->gaps.revision;

	id = t->tail.tick ? gaps_set(&t->gaps, id, from_ns, until_ns) : 0;
	if (t->gaps.revision != revision) {
		uint64_t from = redo_ticks(t);
		if (from != UINT64_MAX)
			redo_seconds(t, from);
	}
	pthread_mutex_unlock(&t->lock);
	return id;
}

/* --- The readers' side. --- */

uint64_t timeline_flows(struct timeline *t, uint64_t after)
{
	uint64_t end = 0;
	pthread_mutex_lock(&t->lock);
	const struct ring *r = &t->ticks;

	for (uint64_t seq = ring_after(r, after); seq < r->count && !end; seq++) {
		const struct sample *s = ring_at(r, seq);
		bool any = s->op[IO_READ].ios || s->op[IO_WRITE].ios;
		if (any && (!s->inflight || s->t_ns - s->oldest_ns >= after))
			end = s->t_ns;
	}
	pthread_mutex_unlock(&t->lock);
	return end;
}

uint64_t timeline_caught_up(struct timeline *t, uint64_t after)
{
	uint64_t end = 0;
	pthread_mutex_lock(&t->lock);
	const struct ring *r = &t->ticks;

	for (uint64_t seq = ring_after(r, after ? after - 1 : 0); seq < r->count && !end; seq++) {
		const struct sample *s = ring_at(r, seq);
		if (!s->due.backlog || s->t_ns - s->due.oldest_ns >= after)
			end = s->t_ns;
	}
	pthread_mutex_unlock(&t->lock);
	return end;
}

uint32_t timeline_gaps_changed(struct timeline *t, uint32_t seen, uint64_t *from_ns)
{
	pthread_mutex_lock(&t->lock);
	uint32_t now = t->gaps.revision;

	*from_ns = now == seen ? UINT64_MAX : gaps_changed(&t->gaps, seen);
	pthread_mutex_unlock(&t->lock);
	return now;
}

unsigned timeline_gaps(struct timeline *t, uint64_t from_ns, uint64_t until_ns)
{
	pthread_mutex_lock(&t->lock);
	unsigned n = gaps_within(&t->gaps, from_ns, until_ns);
	pthread_mutex_unlock(&t->lock);

	return n;
}
