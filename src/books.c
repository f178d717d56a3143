/* books.c - see books.h. */
#include "books.h"

#define relaxed memory_order_relaxed

void books_init(struct op_books *op)
{
	atomic_store_explicit(&op->lat_min, UINT64_MAX, relaxed);
	atomic_store_explicit(&op->lat_end, 0, relaxed);
}

void books_note_extreme(struct op_books *op, struct tally *t, uint64_t latency)
{
	uint64_t seen = atomic_load_explicit(&op->lat_end, relaxed);

	while (latency >= seen && !atomic_compare_exchange_weak_explicit(
					  &op->lat_end, &seen, latency + 1, relaxed, relaxed))
		;
	seen = atomic_load_explicit(&op->lat_min, relaxed);
	while (latency < seen && !atomic_compare_exchange_weak_explicit(&op->lat_min, &seen,
									latency, relaxed, relaxed))
		;
	t->low = atomic_load_explicit(&op->lat_min, relaxed);
	t->end = atomic_load_explicit(&op->lat_end, relaxed);
}

void books_take_extremes(struct op_books *op, uint64_t *low, uint64_t *high)
{
	*low = atomic_exchange_explicit(&op->lat_min, UINT64_MAX, relaxed);
	uint64_t end = atomic_exchange_explicit(&op->lat_end, 0, relaxed);
	*high = end ? end - 1 : 0;
}
