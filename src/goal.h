/* goal.h - what an operator wants of the latency: "p99 < 5 ms", of reads, writes or all IOs.
 */
#ifndef LUNSCOPE_GOAL_H
#define LUNSCOPE_GOAL_H

#include <stddef.h>
#include <stdint.h>
#include "error.h"
#include "summary.h"

/* id, as it is typed and shown, the share of IOs below it (0: it is no percentile) */
#define GOAL_TABLE(X)                   \
	X(GOAL_MEAN, "mean", 0)         \
	X(GOAL_P50, "p50", 0.5)         \
	X(GOAL_P90, "p90", 0.9)         \
	X(GOAL_P95, "p95", 0.95)        \
	X(GOAL_P99, "p99", 0.99)        \
	X(GOAL_P999, "p99.9", 0.999)

enum goal_figure {
#define X(id, ...) id,
	GOAL_TABLE(X)
#undef X
		GOAL_FIGURES
};

struct goal {
	enum goal_figure figure;
	int of;		   /* SUM_READ, SUM_WRITE or SUM_TOTAL */
	uint64_t limit_ns; /* the figure is to be below this */
};

/* "p99<5ms", "mean < 800us", "p99.9 <= 20 ms"; leaves g->of alone. -EINVAL with words. */
int goal_parse(struct goal *g, const char *text, struct error *e);
/* "read", "write" or "all". */
int goal_parse_of(int *of, const char *text, struct error *e);
const char *goal_of_name(int of);
const char *goal_figure_name(enum goal_figure f);
/* "p99 read < 5 ms" */
char *goal_describe(char *out, size_t n, const struct goal *g, int ascii);

/* The goal's figure of it, ns; NaN without an IO. */
double goal_value(const struct goal *g, const struct summary_op *o);
/* So many IOs it takes: ten beyond the percentile, or its value hangs on one or two of them; a
 * hundred at least. */
uint64_t goal_ios(enum goal_figure f);

#endif
