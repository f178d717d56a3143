/* pattern.h - which IO comes next: direction, offset and size, from a workload.
 *
 * Each worker has one. Random numbers are drawn by counting: number n of each kind (the coins,
 * the place, ...) depends on the seed, the worker and n alone. So the same seed makes the same
 * sequence whatever the timing and the depth, and a knob changes only what it is about: with
 * another share of reads every offset stays, with another block size every offset stays at its
 * fraction of the range, with another share of random IOs those that are random in both go to the
 * same place.
 *
 * Random IOs go to a place of the worker's part of the range, each equally often or as the spread
 * has it; the others go on where the worker's previous IO ended (Iometer's meaning of "% random")
 * and start over at the end. With several streams, those that are not random take turns on the
 * streams instead.
 *
 * What is plain (one kind of IO, one stream, no log, even spread) is decided inline; see
 * pattern.c for the rest.
 */
#ifndef LUNSCOPE_PATTERN_H
#define LUNSCOPE_PATTERN_H

#include "backends/backend.h"
#include "places.h"
#include "random.h"
#include "spread.h"
#include "workload.h"

/* What each kind of draw counts from: 2^58 steps and more away from the others (modulo 2^64), so
 * that none repeats another. */
#define PATTERN_COINS 0x9e3779b97f4a7c15ull /* read or write, random or not */
#define PATTERN_KIND  0xd1b54a32d192ed03ull /* append or not, which access line */
#define PATTERN_SPOT  0x8cb92ba72f3d8dd7ull /* what a spread needs besides the place */

/* An access line, or the knobs, made ready. */
struct pattern_line {
	uint32_t size, align;
	uint64_t step;		/* size rounded up to align */
	uint64_t first, places; /* so many places, align apart from there on */
	uint64_t hot;		/* so many of them are the hot spot */
	uint64_t read_below, random_below;
	const struct spread_table *table; /* NULL without */
};

struct pattern_stream {
	struct area area;
	uint64_t next;
};

/* The tables that a workload's spread needs: made when it is published, shared by its workers.
 * The last worker, whose part can be much larger than the others', has its own then. */
struct pattern_tables {
	uint8_t of_line[2][ACCESS_LINES_MAX]; /* of the others, of the last one */
	uint32_t count;
	struct spread_table *table[2 * ACCESS_LINES_MAX];
};

struct pattern {
	/* The plain case needs only these. */
	uint64_t at;	       /* counts by RANDOM_STEP */
	uint64_t next;	       /* where a sequential IO goes */
	uint64_t start;	       /* of the worker's part, aligned */
	uint64_t last;	       /* where the last whole IO of the part lies at most */
	uint64_t places;       /* how many aligned places hold a whole IO */
	uint64_t read_below;   /* a 32-bit coin below this reads */
	uint64_t random_below; /* ... goes to a random place */
	uint32_t align, size;
	uint32_t step;	       /* size rounded up to align */
	bool coins;	       /* some share lies between 0 and 100 %: a draw decides */
	bool special;	       /* pattern_next_special() decides */

	/* The others are for the special case. */
	bool begun;
	uint8_t line_now;      /* the access line of the newest IO that is no append */
	uint8_t burst_line;    /* 1 + that of the burst that goes on; 0 = each IO draws its own */
	enum spread_kind spread;
	uint64_t spot_below;   /* a 32-bit coin below this goes to the hot spot */
	uint64_t scatter;      /* the key that popular places are scattered by */
	uint64_t log_below;    /* a 32-bit coin below this appends */
	struct pattern_line append;
	struct area log;
	uint64_t log_next;
	struct area rest;
	uint32_t streams, turn; /* how many, and whose turn it is */
	uint8_t line_of[100];	/* each per cent's line */
	struct pattern_line line[ACCESS_LINES_MAX];
	struct pattern_stream stream[STREAMS_MAX];
};

/* Once, before anything is taken up. */
void pattern_init(struct pattern *p);
/* Worker number i takes up a (valid) workload with its tables, and begins its sequence; where
 * that is to go on, it does, and positions stay where they fit. tables live as long as the
 * pattern uses them. */
void pattern_take_up(struct pattern *p, const struct workload *w, const struct workload_limits *l,
		     const struct pattern_tables *tables, uint32_t i);

/* NULL where a workload needs none. What is the same in before (NULL: nothing is) is taken from
 * there, as making one takes a while; each of the two is then freed as usual. -ENOMEM when there
 * is no memory. */
int pattern_tables_create(struct pattern_tables **tables, const struct pattern_tables *before,
			  const struct workload *w, const struct workload_limits *l);
void pattern_tables_free(struct pattern_tables *tables);

void pattern_next_special(struct pattern *p, struct io *io);

static inline void pattern_next(struct pattern *p, struct io *io)
{
	if (__builtin_expect(p->special, 0)) {
		pattern_next_special(p, io);
		return;
	}
	uint64_t at = p->at, offset = p->next;
	/* Without a draw every coin is 0: below any share but 0 %. */
	uint64_t coins = p->coins ? random_at(at + PATTERN_COINS) : 0;
	if ((coins & 0xffffffff) < p->random_below)
		offset = p->start + random_scale(random_at(at), p->places) * p->align;
	else if (offset > p->last)
		offset = p->start;
	p->at = at + RANDOM_STEP;
	p->next = offset + p->step;
	io->offset = offset;
	io->size = p->size;
	io->op = (coins >> 32) < p->read_below ? IO_READ : IO_WRITE;
}

#endif
