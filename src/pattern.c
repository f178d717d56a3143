/* pattern.c - see pattern.h. */
#include "pattern.h"

void pattern_init(struct pattern *p, uint64_t seed, uint32_t i)
{
	*p = (struct pattern){0};
	/* Streams of neighbouring seeds do not overlap: splitmix64 scatters them. */
	random_seed(&p->random, seed * 0x100000001b3ull + i);
}

void pattern_take_up(struct pattern *p, const struct workload *w, const struct workload_limits *l,
		     uint32_t i)
{
	uint64_t length;

	workload_part(w, l, i, &p->start, &length);
	p->end = p->start + length;
	p->align = workload_align(w);
	p->size = w->block_size;
	p->step = (p->size + p->align - 1) / p->align * p->align;
	p->places = (length - p->size) / p->align + 1;
	p->read_below = ((uint64_t)w->read_pct << 32) / 100;
	p->random_below = ((uint64_t)w->random_pct << 32) / 100;
	p->coins = (w->read_pct > 0 && w->read_pct < 100) ||
		   (w->random_pct > 0 && w->random_pct < 100);
	p->next = (p->next + p->align - 1) / p->align * p->align;
	if (p->next < p->start || p->next + p->size > p->end)
		p->next = p->start;
}
