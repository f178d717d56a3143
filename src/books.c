/* books.c - see books.h. */
#include "books.h"

#define relaxed memory_order_relaxed

void books_note_extreme(struct op_books *op, struct tally *t, uint64_t latency)
{
	uint64_t seen = atomic_load_explicit(&op->lat_max, relaxed);

	while (latency > seen && !atomic_compare_exchange_weak_explicit(&op->lat_max, &seen,
									latency, relaxed, relaxed))
		;
	seen = atomic_load_explicit(&op->lat_min, relaxed);
	while (latency < seen && !atomic_compare_exchange_weak_explicit(&op->lat_min, &seen,
									latency, relaxed, relaxed))
		;
	t->low = atomic_load_explicit(&op->lat_min, relaxed);
	t->span = atomic_load_explicit(&op->lat_max, relaxed) - t->low;
}
