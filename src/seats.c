/* seats.c - see seats.h. */
#include "seats.h"

#include <stdlib.h>

void seat_shot_free(struct seat_shot *s)
{
	free(s->seat);
	*s = (struct seat_shot){0};
}

void seat_shot_take(struct seat_shot *s, struct engine *engine, uint64_t t_ns)
{
	static const uint32_t step = 16;
	struct engine_seat *more;

	seat_shot_free(s);
	for (;; s->count++) {
		if (s->count % step == 0) {
			more = reallocarray(s->seat, s->count + step, sizeof(*more));
			if (!more) {
				seat_shot_free(s);
				return;
			}
			s->seat = more;
		}
		if (!engine_seat(engine, s->count, &s->seat[s->count]))
			break;
	}
	engine_restart_seats(engine);
	s->t_ns = t_ns;
}

static void subtract(struct seat_row *row, int op, const struct engine_seat *now,
		     const struct engine_seat *before)
{
	struct op_counters *c = &row->op[op];
	const struct op_counters *to = &now->op[op], *from = &before->op[op];
	struct hist *h = &row->hist[op];

	*c = *to;
	c->ios -= from->ios;
	c->bytes -= from->bytes;
	c->errors -= from->errors;
	c->lat_sum -= from->lat_sum;
	*h = now->hist[op];
	h->count = c->ios;
	h->sum = c->lat_sum;
	for (unsigned k = 0; k < HIST_BUCKETS; k++)
		h->bucket[k] -= before->hist[op].bucket[k];
	h->min = UINT64_MAX;
	hist_fit_extremes(h);
	/* The first ticks may have come before maxima were kept. */
	c->lat_max = c->ios ? h->max : 0;
}

struct seat_row *seat_rows(const struct seat_shot *from, const struct seat_shot *to)
{
	static const struct engine_seat none;
	struct seat_row *row = to->t_ns ? calloc(to->count ? to->count : 1, sizeof(*row)) : NULL;

	for (uint32_t i = 0; row && i < to->count; i++) {
		const struct engine_seat *now = &to->seat[i];
		row[i].worker = now->worker;
		row[i].target = now->target;
		row[i].outstanding = now->workload.outstanding;
		row[i].range_start = now->workload.range_start;
		row[i].range_length = now->workload.range_length;
		for (int op = 0; op < IO_OPS; op++)
			subtract(&row[i], op, now, i < from->count ? &from->seat[i] : &none);
	}
	return row;
}

void seat_row_add(struct seat_row *sum, const struct seat_row *row)
{
	for (int op = 0; op < IO_OPS; op++) {
		struct op_counters *c = &sum->op[op];
		const struct op_counters *more = &row->op[op];
		struct hist *h = &sum->hist[op];
		c->ios += more->ios;
		c->bytes += more->bytes;
		c->errors += more->errors;
		c->lat_sum += more->lat_sum;
		if (more->lat_max > c->lat_max)
			c->lat_max = more->lat_max;
		h->count += row->hist[op].count;
		h->sum += row->hist[op].sum;
		h->max = c->lat_max;
		for (unsigned k = 0; k < HIST_BUCKETS; k++)
			h->bucket[k] += row->hist[op].bucket[k];
	}
}
