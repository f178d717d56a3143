/* hist.h - the latency histogram.
 *
 * Log-linear in nanoseconds: 64 buckets per power of two, so that the middle of a bucket is at most
 * 1/128 (0.78 %) from any value in it. Covers 0 ns to 2^43 ns (2 h 26 min); what is longer still
 * lands in the last bucket, with its exact value in max and sum. Counts
 * are 64 bit. Merging is addition, so percentiles of a whole are exact sums of its parts' counts;
 * percentiles themselves are never averaged. Bucket scheme as in fio's stat.h (64 per octave).
 *
 * struct hist is the plain, single-threaded form. A worker keeps its own counts in the atomic form
 * below, which it alone writes.
 */
#ifndef LUNSCOPE_HIST_H
#define LUNSCOPE_HIST_H

#include <stdbool.h>
#include <stdatomic.h>
#include <stdint.h>

#define HIST_SUB_BITS 6
#define HIST_SUB      (1u << HIST_SUB_BITS)
#define HIST_MAX_BIT  42
#define HIST_BUCKETS  ((HIST_MAX_BIT - HIST_SUB_BITS + 2) * HIST_SUB)

/* What there are histograms of: latencies of reads and of writes (as enum io_op has them), and with a
 * rate those of both from when each was due. */
enum hist_kind { HIST_READ, HIST_WRITE, HIST_DUE, HISTS };

struct hist {
	uint64_t count;	  /* = sum of bucket[] */
	uint64_t sum;	  /* ns, exact */
	uint64_t min;	  /* ns, exact; UINT64_MAX when empty */
	uint64_t max;	  /* ns, exact; 0 when empty */
	uint64_t bucket[HIST_BUCKETS];
};

/* The bucket that a latency falls into: its leading 7 bits, and how far they stand from the end. */
static inline unsigned hist_index(uint64_t ns)
{
	unsigned shift = 63 - HIST_SUB_BITS - (unsigned)__builtin_clzll(ns | HIST_SUB);
	unsigned i = (shift << HIST_SUB_BITS) + (unsigned)(ns >> shift);

	return i < HIST_BUCKETS ? i : HIST_BUCKETS - 1;
}

/* Bounds of bucket i: lowest value in it, and the lowest value above it. */
uint64_t hist_low(unsigned i);
uint64_t hist_high(unsigned i);

void hist_clear(struct hist *h);
/* Widens min and max to what the buckets hold where they do not reach there: then by the bucket's
 * bounds, which are off by 1/64 at most. */
void hist_fit_extremes(struct hist *h);
/* into += from. */
void hist_merge(struct hist *into, const struct hist *from);
/* The value below which the share q (0..1) of all entries lie, interpolated within the bucket and
 * never outside [min, max]. NaN when empty. */
double hist_percentile(const struct hist *h, double q);
/* sum / count, exact; NaN when empty. */
double hist_mean(const struct hist *h);
/* Standard deviation from the buckets' middles, ns; NaN when empty. */
double hist_stddev(const struct hist *h);
/* How many entries lie in [low, high), counting buckets by their lower bound. */
uint64_t hist_between(const struct hist *h, uint64_t low, uint64_t high);
/* A histogram as text, "index:count index:count ...", for the run store and the JSON file. Returns
 * the length that snprintf would (the text is cut, never overrun). */
int hist_print(const struct hist *h, char *out, unsigned long n);
/* The reverse, given count (checked), sum, min and max; 0 or -EINVAL. */
int hist_scan(struct hist *h, const char *text);

#endif
