/* books.h - what a worker counts, and the arithmetic of counting in its loop.
 *
 * Only the worker writes its books (relaxed atomics, no locked instruction), anyone may read them. An
 * IO without error is in exactly one bucket of its direction: the number of IOs is the sum of the buckets.
 */
#ifndef LUNSCOPE_BOOKS_H
#define LUNSCOPE_BOOKS_H

#include <stdatomic.h>
#include <stdint.h>
#include "backends/backend.h"
#include "hist.h"
#include "looks.h"

/* Errors are counted by errno; index 0 is for transfers that came back short. */
#define ERRNO_SLOTS 134

/* One direction's. With a rate an IO is in one bucket more, of HIST_DUE, by its latency from the intended
 * time; the bytes and errors of that one stay 0. */
struct op_books {
	_Atomic uint64_t bytes, errors, lat_sum;
	/* The least latency and one above the most, UINT64_MAX and 0 before the first IO; the
	 * reader restarts them. */
	_Atomic uint64_t lat_min, lat_end;
	_Atomic uint64_t bucket[HIST_BUCKETS];
};

/* How completions were met: looks.h. */
struct look_books {
	_Atomic uint64_t found[LOOK_KINDS];
	_Atomic uint64_t delay[LOOK_BUCKETS];
};

/* A single writer's add: no locked instruction needed. */
static inline void count(_Atomic uint64_t *counter, uint64_t n)
{
	uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);

	atomic_store_explicit(counter, now + n, memory_order_relaxed);
}

/* What the good IOs of one direction in a batch add up to, so that the books are written once; and the
 * extremes as they are, so that few IOs have to look there. */
struct tally {
	uint64_t bytes, lat_sum;
	uint64_t low, end; /* lat_min and lat_end: what lies in between is no new extreme */
};

static inline void tally_open(struct tally *t, const struct op_books *op)
{
	t->bytes = t->lat_sum = 0;
	t->low = atomic_load_explicit(&op->lat_min, memory_order_relaxed);
	t->end = atomic_load_explicit(&op->lat_end, memory_order_relaxed);
}

/* lat_min and lat_end are restarted by the reader, so they are the one place with two writers. */
void books_note_extreme(struct op_books *op, struct tally *t, uint64_t latency);
/* Before any IO. */
void books_init(struct op_books *op);
/* The reader's: the least and the greatest latency since the last call, UINT64_MAX and 0 when
 * none was noted. IOs of a batch that was being booked then may be in neither
 * (hist_fit_extremes). */
void books_take_extremes(struct op_books *op, uint64_t *low, uint64_t *high);

static inline void tally_add(struct tally *t, struct op_books *op, uint64_t latency, uint32_t size)
{
	count(&op->bucket[hist_index(latency)], 1);
	t->bytes += size;
	t->lat_sum += latency;
	/* Nothing is in between before the first IO, nor where only one of them is restarted. */
	if (__builtin_expect(latency < t->low || latency >= t->end, 0))
		books_note_extreme(op, t, latency);
}

/* A single good IO, as a tally of its own would book it. */
static inline void books_note_one(struct op_books *op, uint64_t latency, uint32_t size)
{
	struct tally t;

	tally_open(&t, op);
	tally_add(&t, op, latency, size);
	count(&op->lat_sum, latency);
	count(&op->bytes, size);
}

static inline void tally_close(const struct tally *t, struct op_books *op)
{
	if (!(t->bytes | t->lat_sum))
		return;
	count(&op->lat_sum, t->lat_sum);
	count(&op->bytes, t->bytes);
}

#endif
