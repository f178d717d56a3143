/* kept.h - what a run left in the run store, for the benches of the live screen. */
#ifndef LUNSCOPE_BENCH_KEPT_H
#define LUNSCOPE_BENCH_KEPT_H

#include <jansson.h>

/* The summary of the newest run in that store, a new reference; ends the program when there is none. */
json_t *kept_summary(const char *store);
/* The number at "total.iops", NaN when there is none. */
double kept_number(const json_t *summary, const char *path);

/* Sorts v[0..n-1] and returns its quantile q: between two values, linear. */
double quantile(double *v, size_t n, double q);

#endif
