/* pattern.h - which IO comes next: direction, offset and size, from a workload's knobs.
 *
 * Each worker has one. Random offsets are uniform over its part of the range; the others go on where
 * the worker's previous IO ended (Iometer's meaning of "% random") and start over at the end.
 */
#ifndef LUNSCOPE_PATTERN_H
#define LUNSCOPE_PATTERN_H

#include "backends/backend.h"
#include "random.h"
#include "workload.h"

struct pattern {
	struct random random;
	uint64_t start, end;	/* the worker's part, bytes; IOs lie in [start, end) */
	uint64_t next;		/* where a sequential IO goes, always aligned */
	uint64_t places;	/* how many aligned places hold a whole IO */
	uint32_t align;
	uint32_t size;
	uint32_t step;		/* size rounded up to align */
	bool coins;		/* some share lies between 0 and 100 %: a draw decides */
	uint64_t read_below;	/* a 32-bit coin below this reads */
	uint64_t random_below;	/* ... goes to a random place */
};

/* For worker number i, once: the seed makes the whole sequence. */
void pattern_init(struct pattern *p, uint64_t seed, uint32_t i);
/* Takes up a (valid) workload; the sequential position stays where it fits. */
void pattern_take_up(struct pattern *p, const struct workload *w, const struct workload_limits *l,
		     uint32_t i);

static inline void pattern_next(struct pattern *p, struct io *io)
{
	/* Without a draw every coin is 0: below any share but 0 %. */
	uint64_t coins = p->coins ? random_next(&p->random) : 0;
	uint64_t offset = p->next;
	if ((coins & 0xffffffff) < p->random_below)
		offset = p->start + random_below(&p->random, p->places) * p->align;
	else if (offset + p->size > p->end)
		offset = p->start;
	p->next = offset + p->step;
	io->offset = offset;
	io->size = p->size;
	io->op = (coins >> 32) < p->read_below ? IO_READ : IO_WRITE;
}

#endif
