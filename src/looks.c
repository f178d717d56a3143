/* looks.c - see looks.h. */
#include "looks.h"

#include <math.h>

struct looks looks_since(const struct looks *a, const struct looks *b)
{
	struct looks out;

	for (int i = 0; i < LOOK_KINDS; i++)
		out.found[i] = a->found[i] - b->found[i];
	for (int i = 0; i < LOOK_BUCKETS; i++)
		out.delay[i] = a->delay[i] - b->delay[i];
	return out;
}

struct looks looks_sum(const struct looks *a, const struct looks *b)
{
	struct looks out;

	for (int i = 0; i < LOOK_KINDS; i++)
		out.found[i] = a->found[i] + b->found[i];
	for (int i = 0; i < LOOK_BUCKETS; i++)
		out.delay[i] = a->delay[i] + b->delay[i];
	return out;
}

uint64_t looks_total(const struct looks *l)
{
	return l->found[LOOK_BUSY] + l->found[LOOK_SPIN] + l->found[LOOK_SLEEP];
}

uint64_t looks_delay(const struct looks *l, double q)
{
	uint64_t all = 0, below = 0;

	for (int i = 0; i < LOOK_BUCKETS; i++)
		all += l->delay[i];
	if (!all)
		return 0;
	uint64_t wanted = (uint64_t)ceil(q * (double)all);
	int i = 0;
	while (i < LOOK_BUCKETS - 1 && (below += l->delay[i]) < wanted)
		i++;
	return 2ull << i;
}
