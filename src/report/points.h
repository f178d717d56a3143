/* points.h - a run's seconds as points of a chart: one each, or several together where there are many. */
#ifndef LUNSCOPE_REPORT_POINTS_H
#define LUNSCOPE_REPORT_POINTS_H

#include "report/model.h"

struct point_at {
	double from, to; /* seconds since the run's beginning */
	bool apart;      /* nothing is known of the time just before it */
	double iops[SUM_COUNT], mib_s[SUM_COUNT]; /* its sums over its time */
	double p50;          /* ns, of all its IOs as far as its seconds' percentiles tell; NaN: no IO */
	double p99;          /* ns, the highest of its seconds */
	double cpu;          /* per cent; NaN: not known */
};

struct points {
	struct point_at *point;
	size_t count;
	unsigned seconds; /* in each, at most */
	double length;    /* of the run, s: where the last one ends, or its last mark */
};

/* At most `most` of them. False without memory. */
bool points_take(struct points *p, const struct report_run *r, size_t most);
void points_free(struct points *p);

#endif
