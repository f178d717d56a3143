/* packed.c - see packed.h. */
#include "packed.h"

#include <stdlib.h>
#include <string.h>

bool packed_set(struct packed *p, const struct hist *h)
{
	uint32_t first = 0, last = HIST_BUCKETS;
	uint64_t *bucket = NULL;

	if (!h->count)
		last = 0;
	while (first < last && !h->bucket[first])
		first++;
	while (last > first && !h->bucket[last - 1])
		last--;
	if (last > first) {
		bucket = malloc((last - first) * sizeof(*bucket));
		if (!bucket)
			return false;
		memcpy(bucket, h->bucket + first, (last - first) * sizeof(*bucket));
	}
	free(p->bucket);
	*p = (struct packed){h->count, h->sum, h->min, h->max, first, last - first, bucket};
	return true;
}

void packed_merge(struct hist *into, const struct packed *p)
{
	/* A tick may see an IO's latency and only the next one its bucket: a sum can stand alone. */
	into->sum += p->sum;
	if (!p->bucket)
		return;
	into->count += p->count;
	if (p->min < into->min)
		into->min = p->min;
	if (p->max > into->max)
		into->max = p->max;
	for (uint32_t i = 0; i < p->length; i++)
		into->bucket[p->first + i] += p->bucket[i];
}

void packed_free(struct packed *p)
{
	free(p->bucket);
	*p = (struct packed){0};
}
