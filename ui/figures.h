/* figures.h - the arithmetic behind what the screen shows: rates are sums over time, means are sums
 * over counts, total = read + write. NaN where there is nothing to divide by.
 */
#ifndef LUNSCOPE_FIGURES_H
#define LUNSCOPE_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include "run.h"

enum { FIG_READ, FIG_WRITE, FIG_TOTAL, FIG_COUNT };

struct figures {
	double iops[FIG_COUNT];	   /* 1/s */
	double bytes_s[FIG_COUNT]; /* B/s */
	double latency[FIG_COUNT]; /* ns, mean; NaN without an IO */
	double p99;		   /* ns, reads and writes together; NaN if not known */
	bool cpu_known;
	double cpu_percent;   /* of all CPUs; busy as Iometer defines it */
	double cpu_us_per_io; /* of the whole host; NaN without an IO */
	double self_us_per_io; /* of lunscope alone; NaN without an IO */
	double cpu_s_per_gib; /* NaN without a byte */
};

/* Of the last second. The CPU's second may end a tick earlier than that of the IO, so the cost of
 * an IO is the ratio of the two rates. */
struct figures figures_of(const struct snapshot *s);

/* The CPU time of one CPU over the sample's interval, ns; 0 when not known. */
double cpu_capacity(const struct cpu_sample *c);
/* What share of it all CPUs spent in `part`, 0..1. */
double cpu_share(const struct cpu_sample *c, uint64_t part);
/* user + system + irq + softirq. */
uint64_t cpu_busy(const struct cpu_sample *c);

/* How many IOs failed, over all errno. */
uint64_t figures_errors(const struct snapshot *s);

/* Three significant digits without a unit, right-aligned in width: "0.012", "1.79", "585", "7310",
 * and "62.5k" only where the plain number would not fit. "-" for NaN. */
char *figure_digits(char *out, size_t n, double value, int width);

#endif
