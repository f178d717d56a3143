/* timeline_span.c - where the segments of a timeline lie, and the seconds in a stretch of it: for what
 * compares segments, and needs none of their histograms.
 */
#include "timeline_internal.h"

#include <stdlib.h>

#define COPY_PIECE 256u

bool timeline_span(struct timeline *t, uint32_t n, struct span *out, struct workload *w)
{
	pthread_mutex_lock(&t->lock);
	bool found = n >= 1 && n <= t->segments;

	if (found) {
		const struct kept_segment *g = &t->segment[n - 1];
		out->number = n;
		out->start_ns = g->start_ns;
		out->end_ns = g->end_ns;
		out->open = n == t->segments;
		out->stopped = g->workload.paused;
		out->mark = t->mark[g->mark - 1];
		if (w)
			*w = g->workload;
	}
	pthread_mutex_unlock(&t->lock);
	return found;
}

/* At most COPY_PIECE of what ended in (after, until]; how many. */
static size_t copy_piece(struct timeline *t, uint64_t after, uint64_t until, struct sample *out,
			 size_t room)
{
	size_t n = 0;
	pthread_mutex_lock(&t->lock);
	const struct ring *r = &t->seconds;

	for (uint64_t seq = ring_after(r, after); n < room && n < COPY_PIECE && seq < r->count;
	     seq++) {
		if (ring_at(r, seq)->t_ns > until)
			break;
		out[n++] = *ring_at(r, seq);
	}
	pthread_mutex_unlock(&t->lock);
	return n;
}

struct sample *timeline_seconds_between(struct timeline *t, uint64_t after, uint64_t until,
					size_t *n)
{
	pthread_mutex_lock(&t->lock);
	size_t room = ring_after(&t->seconds, until) - ring_after(&t->seconds, after);
	pthread_mutex_unlock(&t->lock);
	struct sample *list = malloc((room ? room : 1) * sizeof(*list));

	*n = 0;
	if (!list)
		return NULL;
	for (size_t got = 1; got; *n += got)
		got = copy_piece(t, *n ? list[*n - 1].t_ns : after, until, list + *n, room - *n);
	return list;
}
