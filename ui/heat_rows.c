/* heat_rows.c - see heat_rows.h. */
#include "heat_rows.h"

#include <stdio.h>

/* IOs by bands, of all cells together. Returns whether there are any. */
static bool sum_cells(uint64_t sum[HEAT_BANDS], const struct heat_cell *cell, int cells,
		      unsigned *low, unsigned *high)
{
	*low = HEAT_BANDS;
	*high = 0;
	for (unsigned b = 0; b < HEAT_BANDS; b++) {
		sum[b] = 0;
		for (int i = 0; i < cells; i++)
			sum[b] += cell[i].sum.count[b];
		if (sum[b]) {
			*low = b < *low ? b : *low;
			*high = b;
		}
	}
	return *low < HEAT_BANDS;
}

/* The bottom, in rows of `each` bands, of the window of so many rows that holds the most. Of windows that hold
 * the same the highest: it shows more of the slow ones. */
static unsigned best_window(const uint64_t sum[HEAT_BANDS], unsigned each, unsigned bottom,
			    unsigned top, unsigned rows)
{
	uint64_t most = 0;
	unsigned best = bottom;

	for (unsigned at = bottom; at + rows - 1 <= top; at++) {
		uint64_t held = 0;
		for (unsigned b = at * each; b < (at + rows) * each && b < HEAT_BANDS; b++)
			held += sum[b];
		if (held >= most) {
			most = held;
			best = at;
		}
	}
	return best;
}

struct heat_rows heat_rows_choose(const struct heat_cell *cell, int cells, int rows)
{
	unsigned low, high, room = rows > 0 ? (unsigned)rows : 1;
	struct heat_rows r = {.each = 1, .rows = (int)room};
	uint64_t sum[HEAT_BANDS];

	if (!sum_cells(sum, cell, cells, &low, &high))
		return r;
	while (r.each < HEAT_OCTAVE && high / r.each - low / r.each + 1 > room)
		r.each *= 2;
	unsigned bottom = low / r.each, top = high / r.each;
	if (top - bottom + 1 > room) {
		unsigned at = best_window(sum, r.each, bottom, top, room);
		r.below = at > bottom;
		r.above = at + room - 1 < top;
		bottom = at;
	} else {
		unsigned spare = (room - (top - bottom + 1)) / 2;
		bottom = bottom > spare ? bottom - spare : 0;
	}
	r.first = bottom * r.each;
	return r;
}

uint64_t heat_rows_count(const struct heat_rows *r, const struct heat_slice *s, int row)
{
	unsigned from = row == 0 && r->below ? 0 : r->first + (unsigned)row * r->each;
	unsigned to = row == r->rows - 1 && r->above ? HEAT_BANDS
						     : r->first + (unsigned)(row + 1) * r->each;
	uint64_t sum = 0;

	for (unsigned b = from; b < to && b < HEAT_BANDS; b++)
		sum += s->count[b];
	return sum;
}

int heat_rows_at(const struct heat_rows *r, const struct heat_slice *s, double q)
{
	uint64_t sum = 0;

	for (int row = 0; s->ios && row < r->rows; row++) {
		sum += heat_rows_count(r, s, row);
		if ((double)sum >= q * (double)s->ios)
			return row;
	}
	return -1;
}

char *heat_rows_label(char *out, size_t n, const struct heat_rows *r, int row,
		      const struct glyphs *g)
{
	static const char *const unit[] = {"ns", "us", "ms", "s"};
	unsigned band = r->first + (unsigned)row * r->each;
	int u = 0;

	out[0] = '\0';
	if (band >= HEAT_BANDS)
		return out;
	double value = (double)heat_low(band);
	for (; value >= 999.5 && u < 3; u++)
		value /= 1000;
	snprintf(out, n, value < 9.95 ? "%.1f%s" : "%.0f%s", value,
		 u == 1 && g->utf8 ? "µs" : unit[u]);
	if (row == 0 && r->below)
		snprintf(out, n, "below");
	return out;
}
