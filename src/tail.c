/* tail.c - see tail.h. */
#include "tail.h"

#include <stdlib.h>

bool tail_init(struct tail *t)
{
	if (!t->tick)
		t->tick = calloc(TAIL_TICKS, sizeof(*t->tick));
	return t->tick != NULL;
}

void tail_free(struct tail *t)
{
	while (t->count)
		tail_drop(t);
	free(t->tick);
	t->tick = NULL;
}

struct tail_tick *tail_at(const struct tail *t, unsigned i)
{
	return &t->tick[(t->first + i) % TAIL_TICKS];
}

bool tail_push(struct tail *t, const struct sample *s, size_t segment,
	       const struct hist delta[HISTS])
{
	struct tail_tick *k = tail_at(t, t->count);

	*k = (struct tail_tick){.sample = *s, .segment = segment};
	for (int i = 0; delta && i < HISTS; i++) {
		if (packed_set(&k->hist[i], &delta[i]))
			continue;
		while (i-- > 0)
			packed_free(&k->hist[i]);
		return false;
	}
	t->count++;
	return true;
}

void tail_drop(struct tail *t)
{
	struct tail_tick *k = tail_at(t, 0);

	for (int i = 0; i < HISTS; i++)
		packed_free(&k->hist[i]);
	t->first = (t->first + 1) % TAIL_TICKS;
	t->count--;
}
