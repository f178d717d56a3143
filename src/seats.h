/* seats.h - what each worker did on each target between two moments.
 *
 * Shots are taken where segments begin, of the same counters: rows of exact integers, so that those of a
 * worker, of a target and of all are sums of the same seats.
 */
#ifndef LUNSCOPE_SEATS_H
#define LUNSCOPE_SEATS_H

#include "engine.h"

/* What all seats had done at one moment. Zeroed: none was taken, which stands for the start. */
struct seat_shot {
	uint64_t t_ns; /* CLOCK_MONOTONIC; 0 = not taken */
	uint32_t count;
	struct engine_seat *seat;
};

struct seat_row {
	uint32_t worker; /* from 0 on; of a sum the first one's */
	const struct target *target;
	uint32_t outstanding;
	uint64_t range_start, range_length; /* as the workload has them */
	struct op_counters op[IO_OPS]; /* of the time between; lat_max likewise, lat_min is not kept */
	struct hist hist[IO_OPS];      /* likewise */
};

/* As of the last engine_collect(), at t_ns; maxima of latencies begin anew. Without memory it stays not taken. */
void seat_shot_take(struct seat_shot *s, struct engine *engine, uint64_t t_ns);
void seat_shot_free(struct seat_shot *s);

/* What came between two shots: as many rows as the later one has seats, which the caller frees. NULL without
 * memory, or when the later one was not taken. */
struct seat_row *seat_rows(const struct seat_shot *from, const struct seat_shot *to);
/* Adds a row's counters and histograms to another's; who and where stay as they are. */
void seat_row_add(struct seat_row *sum, const struct seat_row *row);

#endif
