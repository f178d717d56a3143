/* axis.h - where an axis has its lines and what stands there: round numbers with their unit. */
#ifndef LUNSCOPE_REPORT_AXIS_H
#define LUNSCOPE_REPORT_AXIS_H

#include <stdbool.h>

#define AXIS_TICS 16

struct axis {
	double low, high;
	unsigned count;
	struct {
		double at;
		char text[24];
	} tic[AXIS_TICS];
};

/* From 0 to at least high, "200", "1.5k". */
void axis_counts(struct axis *a, double high);
/* By the logarithm, of latencies in ns from low to high: "100 µs", "1 ms". */
void axis_latencies(struct axis *a, double low, double high);
/* Time from 0 to length seconds, at most so many tics: "0:30", "1:20:00". */
void axis_time(struct axis *a, double length, unsigned most);

#endif
