/* bench_rows.h - the settings of this host in the order in which one looks for them: NIC by NIC, queue by
 * queue, the sysctls, each below a heading. Rings, coalescing and channels that a driver does not have are
 * named there only.
 */
#ifndef LUNSCOPE_BENCH_ROWS_H
#define LUNSCOPE_BENCH_ROWS_H

#include "env/facts.h"

struct bench_row {
	const struct fact *fact; /* NULL: a heading */
	char text[FACT_WORDS];	 /* the heading, or the words without it: "pause rx" */
};

struct bench_rows {
	struct bench_row *row;
	int count;
};

/* Points into f. Without memory there are none. */
struct bench_rows bench_rows(const struct facts *f);
void bench_rows_free(struct bench_rows *r);

#endif
