/* heat_rows.c - see heat_rows.h. */
#include "heat_rows.h"

#include <stdio.h>
#include "heatmap.h"

/* Of all IOs: other rows must hold so much more to take the place of those there were. */
#define BETTER 0.02

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

/* Bands of all cells, and what is to be found for them. */
struct choice {
	uint64_t sum[HEAT_BANDS], all;
	unsigned each, bottom,
		top; /* in rows of `each` bands: where the first and the last IO are */
	unsigned rows;
};

static uint64_t held_from(const struct choice *c, unsigned at)
{
	uint64_t held = 0;

	for (unsigned b = at * c->each; b < (at + c->rows) * c->each && b < HEAT_BANDS; b++)
		held += c->sum[b];
	return held;
}

/* The bottom of the window that holds the most. Of those that hold the same the highest: it shows more of the slow
 * ones. */
static unsigned best_window(const struct choice *c)
{
	uint64_t most = 0;
	unsigned best = c->bottom;

	for (unsigned at = c->bottom; at + c->rows - 1 <= c->top; at++)
		if (held_from(c, at) >= most) {
			most = held_from(c, at);
			best = at;
		}
	return best;
}

/* All there is has room: in the middle of it. */
static unsigned centred(const struct choice *c)
{
	unsigned spare = (c->rows - (c->top - c->bottom + 1)) / 2;

	return c->bottom > spare ? c->bottom - spare : 0;
}

static bool is_as_good(const struct choice *c, unsigned best, const struct heat_rows *before)
{
	unsigned at = before->first / c->each;

	if (before->each != c->each || before->rows != (int)c->rows)
		return false;
	return (double)held_from(c, at) + BETTER * (double)c->all >= (double)held_from(c, best) &&
	       (c->top - c->bottom >= c->rows || (at <= c->bottom && c->top < at + c->rows));
}

struct heat_rows heat_rows_choose(const struct heat_cell *cell, int cells, int rows,
				  const struct heat_rows *before)
{
	struct choice c = {.each = 1, .rows = rows > 0 ? (unsigned)rows : 1};
	unsigned low, high;

	if (!sum_cells(c.sum, cell, cells, &low, &high))
		return (struct heat_rows){.each = 1, .rows = (int)c.rows};
	while (c.each < HEAT_OCTAVE && high / c.each - low / c.each + 1 > c.rows)
		c.each *= 2;
	for (unsigned b = low; b <= high; b++)
		c.all += c.sum[b];
	c.bottom = low / c.each;
	c.top = high / c.each;
	unsigned at = c.top - c.bottom >= c.rows ? best_window(&c) : centred(&c);
	if (is_as_good(&c, at, before))
		at = before->first / c.each;
	return (struct heat_rows){
		.first = at * c.each,
		.each = c.each,
		.rows = (int)c.rows,
		.below = at > c.bottom,
		.above = at + c.rows <= c.top,
	};
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
