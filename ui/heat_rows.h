/* heat_rows.h - the rows of a heat map: which latencies each one is of.
 *
 * All rows are equally high on a logarithmic scale: a quarter, half or all of a power of two. Where not all
 * there is has room, the rows are those that hold the most IOs, and the highest and the lowest take what lies
 * beyond, so that each IO is in one row and no outlier is out of sight.
 */
#ifndef LUNSCOPE_HEAT_ROWS_H
#define LUNSCOPE_HEAT_ROWS_H

#include <stddef.h>
#include "glyph.h"
#include "heat.h"

struct heat_cell;

/* Row 0 is the lowest. Row i is of the bands [first + i * each, first + (i + 1) * each). */
struct heat_rows {
	unsigned first, each;
	int rows;
	bool below,
		above; /* the lowest has all that is below it, too; the highest all that is above */
};

/* So many rows (one at least) for what is in the cells. Where as many were chosen before (all zeros: none were),
 * they stay as long as they are about as good: a picture whose rows come and go can't be read. */
struct heat_rows heat_rows_choose(const struct heat_cell *cell, int cells, int rows,
				  const struct heat_rows *before);
/* A slice's IOs in that row. */
uint64_t heat_rows_count(const struct heat_rows *r, const struct heat_slice *s, int row);
/* The row in which the share q (0..1) of a slice's IOs is reached, from the lowest on; -1 without IOs. */
int heat_rows_at(const struct heat_rows *r, const struct heat_slice *s, double q);
/* The shortest latency of a row in five columns: "1.0ms"; "below" for a lowest that has all below it; "" beyond
 * what is counted. Returns out. */
char *heat_rows_label(char *out, size_t n, const struct heat_rows *r, int row,
		      const struct glyphs *g);

#endif
