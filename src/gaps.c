/* gaps.c - see gaps.h. */
#include "gaps.h"

#include <stdlib.h>
#include <string.h>

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct gap *append(struct gaps *g)
{
	if (g->count == g->cap) {
		size_t cap = g->cap ? 2 * g->cap : 16;
		struct gap *more = realloc(g->item, cap * sizeof(*more));
		if (!more)
			return NULL;
		g->item = more;
		g->cap = cap;
	}
	return &g->item[g->count++];
}

uint32_t gaps_set(struct gaps *g, uint32_t id, uint64_t from_ns, uint64_t until_ns)
{
	uint64_t until = until_ns ? until_ns : UINT64_MAX;
	struct gap *gap = id ? &g->item[id - 1] : append(g);

	if (!gap)
		return 0;
	if (!id)
		*gap = (struct gap){.changed_ns = from_ns};
	else if (gap->from_ns == from_ns && gap->until_ns == until)
		return id;
	else if (gap->from_ns != from_ns)
		gap->changed_ns = least(gap->from_ns, from_ns);
	else
		gap->changed_ns = least(gap->until_ns, until);
	gap->from_ns = from_ns;
	gap->until_ns = until;
	gap->revision = ++g->revision;
	return (uint32_t)(gap - g->item) + 1;
}

bool gaps_cover(const struct gaps *g, uint64_t from_ns, uint64_t until_ns)
{
	for (size_t i = g->count; i-- > 0;)
		if (g->item[i].from_ns < until_ns && g->item[i].until_ns > from_ns)
			return true;
	return false;
}

uint64_t gaps_changed(const struct gaps *g, uint32_t seen)
{
	uint64_t from = UINT64_MAX;

	for (size_t i = 0; i < g->count; i++)
		if (g->item[i].revision > seen)
			from = least(from, g->item[i].changed_ns);
	return from;
}

static int by_start(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

unsigned gaps_within(const struct gaps *g, uint64_t from_ns, uint64_t until_ns)
{
	struct gap *list = malloc((g->count + 1) * sizeof(*list));
	unsigned n = 0, used = 0;
	uint64_t end = 0;

	if (!list)
		return (unsigned)g->count;
	for (size_t i = 0; i < g->count; i++) {
		const struct gap *gap = &g->item[i];
		if (gap->from_ns < gap->until_ns && gap->from_ns < until_ns &&
		    gap->until_ns > from_ns)
			list[used++] = *gap;
	}
	qsort(list, used, sizeof(*list), by_start);
	for (unsigned i = 0; i < used; i++) {
		n += i == 0 || list[i].from_ns > end;
		if (list[i].until_ns > end)
			end = list[i].until_ns;
	}
	free(list);
	return n;
}

void gaps_free(struct gaps *g)
{
	free(g->item);
	*g = (struct gaps){0};
}
