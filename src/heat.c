/* heat.c - see heat.h. */
#include "heat.h"

#include <stdlib.h>
#include <string.h>

#define KEPT  86400u /* a day */
#define BEGIN 1024u

uint64_t heat_low(unsigned band)
{
	return hist_low(band * HEAT_BUCKETS);
}

static void widen(uint64_t *low, uint64_t *high, uint64_t other_low, uint64_t other_high)
{
	if (!other_high)
		return;
	if (!*high || other_low < *low)
		*low = other_low;
	if (other_high > *high)
		*high = other_high;
}

void heat_add(struct heat_slice *into, const struct heat_slice *s)
{
	into->t_ns = s->t_ns;
	into->dt_ns += s->dt_ns;
	into->ios += s->ios;
	for (unsigned b = 0; b < HEAT_BANDS; b++)
		into->count[b] += s->count[b];
	widen(&into->p50_low, &into->p50_high, s->p50_low, s->p50_high);
	widen(&into->p99_low, &into->p99_high, s->p99_low, s->p99_high);
}

static bool make_room(struct heat *h)
{
	if (!h->max)
		h->max = KEPT;
	if (h->count < h->cap || h->cap == h->max)
		return true;
	size_t cap = h->cap ? 2 * h->cap : BEGIN;
	if (cap > h->max)
		cap = h->max;
	struct heat_second *item = realloc(h->item, cap * sizeof(*item));
	if (!item) {
		/* from here on it goes round */
		if (h->cap)
			h->max = h->cap;
		return h->cap != 0;
	}
	memset(item + h->cap, 0, (cap - h->cap) * sizeof(*item));
	h->item = item;
	h->cap = cap;
	return true;
}

static uint32_t band_count(const struct hist *hist, unsigned band)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < HEAT_BUCKETS; i++)
		sum += hist->bucket[band * HEAT_BUCKETS + i];
	return sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

static void pack(struct heat_second *s, const struct hist *hist)
{
	uint32_t count[HEAT_BANDS];
	unsigned first = 0, last = HEAT_BANDS;

	for (unsigned b = 0; b < HEAT_BANDS; b++)
		count[b] = band_count(hist, b);
	while (first < last && !count[first])
		first++;
	while (last > first && !count[last - 1])
		last--;
	if (first == last)
		return;
	s->count = malloc((last - first) * sizeof(*count));
	if (!s->count)
		return;
	memcpy(s->count, count + first, (last - first) * sizeof(*count));
	s->first = (uint16_t)first;
	s->bands = (uint16_t)(last - first);
	s->p50 = (uint64_t)hist_percentile(hist, 0.5);
	s->p99 = (uint64_t)hist_percentile(hist, 0.99);
}

void heat_append(struct heat *h, uint64_t t_ns, uint64_t dt_ns, const struct hist *hist)
{
	if (!make_room(h))
		return;
	struct heat_second *s = &h->item[h->count++ % h->cap];

	free(s->count);
	*s = (struct heat_second){.t_ns = t_ns,
				  .dt_ns = dt_ns > UINT32_MAX ? UINT32_MAX : (uint32_t)dt_ns};
	if (hist->count)
		pack(s, hist);
}

void heat_free(struct heat *h)
{
	for (size_t i = 0; i < h->cap; i++)
		free(h->item[i].count);
	free(h->item);
	*h = (struct heat){0};
}

static void unpack(struct heat_slice *out, const struct heat_second *s)
{
	memset(out, 0, sizeof(*out));
	out->t_ns = s->t_ns;
	out->dt_ns = s->dt_ns;
	out->p50_low = out->p50_high = s->p50;
	out->p99_low = out->p99_high = s->p99;
	for (unsigned i = 0; i < s->bands; i++) {
		out->count[s->first + i] = s->count[i];
		out->ios += s->count[i];
	}
}

size_t heat_read(const struct heat *h, uint64_t after, uint64_t until, struct heat_slice *out,
		 size_t max)
{
	uint64_t low = h->count > h->cap ? h->count - h->cap : 0, high = h->count;
	size_t n = 0;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (h->item[middle % h->cap].t_ns > after)
			high = middle;
		else
			low = middle + 1;
	}
	for (; n < max && low < h->count && h->item[low % h->cap].t_ns <= until; low++)
		unpack(&out[n++], &h->item[low % h->cap]);
	return n;
}
