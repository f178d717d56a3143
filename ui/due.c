/* due.c - see due.h. */
#include "due.h"

void due_ask(struct due *d)
{
	d->dirty = d->asked = true;
}

bool due_begin(struct due *d, uint64_t now_ns)
{
	/* The first one is nobody's measure. */
	bool regular = d->drawn_ns && !d->asked;

	*d = (struct due){.drawn_ns = now_ns};
	return regular;
}

void due_left_out(struct due *d, bool regular)
{
	d->stale = true;
	d->asked |= !regular;
}

bool due_now(const struct due *d, uint64_t now_ns)
{
	return d->dirty && now_ns >= d->drawn_ns + KEY_FRAME_NS;
}

int due_wait_ms(const struct due *d, uint64_t now_ns)
{
	uint64_t at = d->drawn_ns + KEY_FRAME_NS;

	if (!d->dirty)
		return -1;
	return at > now_ns ? (int)((at - now_ns) / NS_PER_MS) + 1 : 0;
}
