/* places.c - see places.h. */
#include "places.h"

#include <errno.h>

#include "units.h"

#define LOG_SHARE 8 /* the log is one part in so many */

static uint64_t down(uint64_t v, uint64_t unit)
{
	return v - v % unit;
}

void places_of(const struct workload *w, const struct workload_limits *l, uint32_t i,
	       struct places *out)
{
	uint64_t start, length, unit = workload_align(w);

	workload_part(w, l, i, &start, &length);
	uint64_t logs = w->log_pct ? down(length / LOG_SHARE, unit) : 0;
	uint64_t own = w->share_range ? down(logs / w->workers, unit) : logs;
	uint64_t log = start + (w->share_range ? own * i : 0);
	out->log = (struct area){log, log + own};
	out->rest = (struct area){start + logs, start + length};
}

struct area places_stream(const struct workload *w, const struct places *p, uint32_t k)
{
	uint32_t streams = w->streams > 1 ? w->streams : 1;
	uint64_t length = down((p->rest.end - p->rest.start) / streams, workload_align(w));
	uint64_t start = p->rest.start + length * k;

	return (struct area){start, k + 1 < streams ? start + length : p->rest.end};
}

uint64_t places_count(const struct area *area, const struct access_line *line, uint64_t *first)
{
	uint64_t align = line->align;

	*first = (area->start + align - 1) / align * align;
	if (*first > area->end || area->end - *first < line->size)
		return 0;
	return (area->end - *first - line->size) / align + 1;
}

/* Whether a line fits into any area of this length that starts at a multiple of the largest alignment. */
static bool fits(const struct workload *w, const struct area *area, uint32_t size, uint32_t align)
{
	bool may_shift = workload_align(w) % align != 0;

	return area->end - area->start >= size + (may_shift ? align - 1ull : 0);
}

static bool all_fit(const struct workload *w, const struct area *area)
{
	for (uint32_t k = 0; k < workload_lines(w); k++) {
		struct access_line line = workload_line(w, k);
		if (!fits(w, area, line.size, line.align))
			return false;
	}
	return true;
}

int places_check(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	struct places p;
	char size[32];

	/* The first worker's part is the smallest. */
	places_of(w, l, 0, &p);
	if (w->log_pct && !fits(w, &p.log, w->block_size, w->align ? w->align : w->block_size))
		return error_set(e, EINVAL,
				 "%s: log %u %%: a worker's log, %s, does not hold a block of %u "
				 "bytes; take a longer range or fewer workers",
				 l->target, w->log_pct,
				 units_size(size, sizeof(size), p.log.end - p.log.start),
				 w->block_size);
	struct area all = p.rest, stream = places_stream(w, &p, 0);
	if (!all_fit(w, &all))
		return error_set(e, EINVAL,
				 "%s: a worker's %s do not hold an IO of every kind in any "
				 "alignment; take a longer range or fewer workers",
				 l->target, units_size(size, sizeof(size), all.end - all.start));
	if (!all_fit(w, &stream))
		return error_set(
			e, EINVAL,
			"%s: streams %u: each would have %s, too little for an IO; use fewer",
			l->target, w->streams,
			units_size(size, sizeof(size), stream.end - stream.start));
	return 0;
}
