/* series.h - the statistics of a figure over time: is it steady, and is it another one now?
 *
 * Seconds of IO are no independent draws: a slow one follows a slow one. A test that takes them for
 * independent finds differences in noise (every second time at a correlation of 0.8), so nothing here
 * works on seconds. They are put together into a few batches, long enough that their means no longer
 * follow each other, and those are compared.
 *
 * Figures are ratios of sums (IOs over seconds, latency over IOs): a batch's mean is the ratio of its sums,
 * never the mean of its ratios.
 */
#ifndef LUNSCOPE_SERIES_H
#define LUNSCOPE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

/* One second of a figure: num / den. den 0: nothing happened in it. */
struct point {
	double num, den;
};

/* Sum of num over sum of den; NaN without any den. */
double series_mean(const struct point *p, size_t n);

/* --- batch.c: batch means (A. Law, Simulation Modeling and Analysis, 9.5.3). --- */

#define BATCHES_MAX 30
#define BATCHES_MIN 5
#define BATCH_MIN   3 /* points in each */

/* The means of k batches of n / k points; what is over is left out at the front. */
void batch_means(const struct point *p, size_t n, unsigned k, double *out);
/* Correlation of each with the next; 0 where all are alike. */
double batch_correlation(const double *mean, unsigned k);
/* The largest number of batches at which the means of none of the segments follow each other (correlation
 * below 0.5 / sqrt k); 0 when there is none: not enough data. b may be NULL. */
unsigned batch_choose(const struct point *a, size_t na, const struct point *b, size_t nb);
/* About how many points a segment like this needs in all until batch_choose() finds a number. */
size_t batch_needed(const struct point *p, size_t n);

/* --- pooled.c: percentiles are no ratios of sums, and their mean is none of them. --- */

#define QUANTILES 5 /* p50, p95, p99, p99.9 and the longest */

/* One second's latencies, for the percentile of several. All zeros: it had no IO. */
struct quantiles {
	double ios;
	unsigned count;
	double at[QUANTILES], longer[QUANTILES]; /* logarithms: of the times, and of the share beyond them */
};

/* value[]: in the order of above, any unit; those that are 0 are not known. */
void quantiles_set(struct quantiles *q, double ios, const double value[QUANTILES]);
/* The percentile (share 0.99: p99) of all IOs of n seconds, as far as the quantiles tell: exact where all
 * seconds are alike. NaN without any IO. */
double quantiles_pool(const struct quantiles *q, size_t n, double share);
/* The same of k batches of n / k seconds, as batch_means(). */
void batch_pools(const struct quantiles *q, size_t n, unsigned k, double share, double *out);
/* As batch_choose(). */
unsigned batch_choose_pools(const struct quantiles *a, size_t na, const struct quantiles *b, size_t nb,
			    double share);

/* --- warmup.c: MSER-5 (White, Cobb, Spratt, "A comparison of five steady-state truncation heuristics
 * for simulation", WSC 2000). --- */

#define WARMUP_LEAST 20 /* points; with fewer it can't tell */

/* How many points at the front are warm-up; *steady is false when it may still be going on at the middle,
 * or when there are too few to tell. */
size_t warmup_length(const struct point *p, size_t n, bool *steady);

/* --- welch.c --- */

enum verdict_kind {
	VERDICT_UNKNOWN,   /* not enough data */
	VERDICT_NOISE,	   /* no difference shown */
	VERDICT_DIFFERENT,
};

/* Two segments of one figure. Where it is unknown only a, b, ratio and more are set, the rest is NaN. */
struct verdict {
	enum verdict_kind kind;
	double a, b;	    /* means */
	double ratio;	    /* b / a */
	double low, high;   /* 95 % confidence interval of the ratio */
	double p;	    /* of seeing at least this when there is no difference */
	double least;	    /* the smallest change that would have been seen with 80 % probability, as a
			     * share of a: 0.029 = 2.9 % */
	unsigned batches;   /* of each segment; pairs where it is by pairs */
	double more;	    /* about how many more points each segment needs; 0 = none */
};

/* Nothing on both sides, for long enough. */
bool verdict_none(const struct verdict *v);

/* Welch's t test (Biometrika 34, 1947) on the logarithms of the ratio of the batches' means, whose
 * variance follows from theirs by the delta method. Where one mean is 0 there is no such ratio: the test is
 * of the means themselves, ratio is 0 or infinite and has no interval; where both are, it is noise with
 * ratio and p 1. Where batch_choose() finds none, each mean counts as one draw of a level that wanders: what
 * is different by that is different, else it is unknown. */
void verdict_welch(struct verdict *v, const struct point *a, size_t na, const struct point *b,
		   size_t nb);
/* The same of a percentile: of each batch, of all its IOs. */
void verdict_percentile(struct verdict *v, const struct quantiles *a, size_t na, const struct quantiles *b,
			size_t nb, double share);
/* A against B in pairs of segments (means a[i], b[i]; where one is 0, as above): Student's t on the logarithms
 * of their ratios. Drift that is the same in every pair of an ABBA order cancels out. Fewer than 2 pairs:
 * unknown. */
void verdict_pairs(struct verdict *v, const double *a, const double *b, unsigned pairs);
/* Many figures at once: p becomes what it is worth among n of them (Holm, Scandinavian Journal of
 * Statistics 6, 1979), and what is not below 0.05 then is noise. Unknown ones don't count. */
void verdicts_holm(struct verdict *v[], unsigned n);

/* --- drift.c: least squares on the logarithms of the means of segments, with a level of its own for each
 * side and one slope for both (an analysis of covariance). --- */

struct drift {
	bool known;	   /* else NaN */
	bool shown;	   /* at p < 0.05 */
	double per_minute; /* -0.01: one per cent less each minute */
	double low, high;  /* its 95 % confidence interval */
	double p;	   /* of a slope like this when there is none */
};

/* Means a[i] > 0 at the times at_a[i] (seconds), b alike; n of each. Fewer than 2: not known. */
void drift_of(struct drift *d, const double *a, const double *at_a, const double *b,
	      const double *at_b, unsigned n);

/* --- steady.c: the rule of the SNIA (Solid State Storage Performance Test Specification 2.0.2, 2.1.24):
 * over five rounds the range is at most 20 % of the mean, and the line through them rises or falls by at
 * most 10 % of it. --- */

enum steadiness {
	STEADY_SHORT,	/* too short to tell */
	STEADY_NO,
	STEADY_RANGE,	/* the range holds, the slope does not */
	STEADY_YES,
};

#define STEADY_ROUNDS 5

/* Of the last five rounds of `round` points each. */
enum steadiness steady_look(const struct point *p, size_t n, size_t round);

/* What that rests on, as shares of the rounds' mean: the range of their means, and by how much the line
 * through them rises (or, negative, falls) from the first to the last. NaN where one of them had nothing. */
struct steady_window {
	double range, slope;
};
enum steadiness steady_measure(const struct point *p, size_t n, size_t round,
			       struct steady_window *w);

/* When a figure left its level: CUSUM (E. Page, Biometrika 41, 1954) over the means of rounds, against the
 * level and scatter of the first `calm` of them. The index of the round in which it began to leave, or n
 * when it did not. */
size_t steady_left(const double *mean, size_t n, size_t calm);

#endif
