/* result.c - rows of a test: growing, and the figures that follow from the sums. */
#include <stdlib.h>
#include <string.h>

#include "iometer/result.h"

void iometer_result_free(struct iometer_result *r)
{
	free(r->row);
	r->row = NULL;
	r->rows = 0;
}

struct iometer_row *iometer_add_row(struct iometer_result *r)
{
	struct iometer_row *more = reallocarray(r->row, r->rows + 1, sizeof(*more));

	if (!more)
		return NULL;
	r->row = more;
	memset(&more[r->rows], 0, sizeof(*more));
	return &more[r->rows++];
}

/* One direction's, or with op 2 both directions'. */
static struct iometer_sums sums(const struct iometer_row *row, unsigned op)
{
	struct iometer_sums s = row->op[op == 1];

	if (op < 2)
		return s;
	const struct iometer_sums *w = &row->op[1];
	s.ios += w->ios;
	s.bytes += w->bytes;
	s.errors += w->errors;
	s.lat_ns += w->lat_ns;
	if (w->lat_max_ns > s.lat_max_ns)
		s.lat_max_ns = w->lat_max_ns;
	return s;
}

static double per_second(const struct iometer_row *row, uint64_t n)
{
	return row->elapsed_ns ? (double)n * 1e9 / (double)row->elapsed_ns : 0;
}

double iometer_row_iops(const struct iometer_row *row, unsigned op)
{
	return per_second(row, sums(row, op).ios);
}

double iometer_row_bytes_s(const struct iometer_row *row, unsigned op)
{
	return per_second(row, sums(row, op).bytes);
}

double iometer_row_mean_ms(const struct iometer_row *row, unsigned op)
{
	struct iometer_sums s = sums(row, op);

	return s.ios ? (double)s.lat_ns / (double)s.ios / 1e6 : 0;
}

double iometer_row_max_ms(const struct iometer_row *row, unsigned op)
{
	return (double)sums(row, op).lat_max_ns / 1e6;
}
