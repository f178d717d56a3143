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
	_Atomic uint64_t lat_min, lat_max; /* restarted by the reader */
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
	uint64_t low, span; /* lat_min, and lat_max - lat_min */
};

static inline void tally_open(struct tally *t, const struct op_books *op)
{
	uint64_t low = atomic_load_explicit(&op->lat_min, memory_order_relaxed);
	uint64_t high = atomic_load_explicit(&op->lat_max, memory_order_relaxed);

	t->bytes = t->lat_sum = 0;
	t->low = low;
	t->span = high - low;
	/* Before the first IO, and between the two steps of a restart: every latency is outside. */
	if (__builtin_expect(low > high, 0)) {
		t->low = UINT64_MAX;
		t->span = 0;
	}
}

/* lat_min and lat_max are restarted by the reader, so they are the one place with two writers. */
void books_note_extreme(struct op_books *op, struct tally *t, uint64_t latency);

static inline void tally_add(struct tally *t, struct op_books *op, uint64_t latency, uint32_t size)
{
	count(&op->bucket[hist_index(latency)], 1);
	t->bytes += size;
	t->lat_sum += latency;
	if (__builtin_expect(latency - t->low > t->span, 0))
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
