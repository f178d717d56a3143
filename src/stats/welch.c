/* welch.c - see series.h. */
#include "stats/series.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define LEVEL 0.05 /* of significance, two-sided */
#define POWER 0.80
/* Points on each side from which on a level that wanders is told from one that has changed. */
#define WANDER_LEAST ((size_t)BATCHES_MIN * BATCH_MIN)

struct moments {
	double mean, error; /* standard error of the mean */
	double freedom;
};

static struct moments moments_of(const double *x, unsigned k)
{
	struct moments m = {0, 0, k - 1};

	for (unsigned i = 0; i < k; i++)
		m.mean += x[i] / k;
	for (unsigned i = 0; i < k; i++)
		m.error += (x[i] - m.mean) * (x[i] - m.mean);
	m.error = sqrt(m.error / (k - 1) / k);
	return m;
}

static void unknown(struct verdict *v, double more)
{
	v->kind = VERDICT_UNKNOWN;
	v->ratio = v->b / v->a;
	v->low = v->high = v->p = v->least = NAN;
	v->batches = 0;
	v->more = more > 1 ? more : 1;
}

/* From the logarithm of the ratio, its standard error and degrees of freedom. Where nothing scatters at
 * all, any difference is one. */
static void decide(struct verdict *v, double log_ratio, double error, double freedom)
{
	double edge = gsl_cdf_tdist_Qinv(LEVEL / 2, freedom);
	double seen = gsl_cdf_tdist_Qinv(1 - POWER, freedom);

	v->ratio = exp(log_ratio);
	v->low = exp(log_ratio - edge * error);
	v->high = exp(log_ratio + edge * error);
	v->least = exp((edge + seen) * error) - 1;
	/* What is left of equal sums by rounding is nothing. */
	if (fabs(log_ratio) < 1e-12)
		v->p = 1;
	else if (error > 0)
		v->p = 2 * gsl_cdf_tdist_Q(fabs(log_ratio) / error, freedom);
	else
		v->p = 0;
	v->kind = v->p < LEVEL ? VERDICT_DIFFERENT : VERDICT_NOISE;
	v->more = 0;
}

static double more_points(const struct point *a, size_t na, const struct point *b, size_t nb)
{
	double more_a = (double)batch_needed(a, na) - (double)na;
	double more_b = (double)batch_needed(b, nb) - (double)nb;

	return more_a > more_b ? more_a : more_b;
}

/* Satterthwaite's degrees of freedom, of the relative errors. */
static double freedom_of(const struct moments *a, const struct moments *b)
{
	double va = a->error * a->error / (a->mean * a->mean);
	double vb = b->error * b->error / (b->mean * b->mean);

	if (va + vb <= 0)
		return a->freedom + b->freedom;
	return (va + vb) * (va + vb) / (va * va / a->freedom + vb * vb / b->freedom);
}

bool verdict_none(const struct verdict *v)
{
	return v->kind == VERDICT_NOISE && v->a == 0 && v->b == 0 && v->p >= 1;
}

/* From a difference where a ratio has no meaning. */
static void decide_absolute(struct verdict *v, double error, double freedom)
{
	double difference = v->b - v->a;

	v->ratio = v->a == v->b ? 1 : v->b / v->a;
	v->low = v->high = v->a == v->b ? 1 : NAN;
	v->least = NAN;
	if (error > 0)
		v->p = 2 * gsl_cdf_tdist_Q(fabs(difference) / error, freedom);
	else
		v->p = difference != 0 ? 0 : 1;
	v->kind = v->p < LEVEL ? VERDICT_DIFFERENT : VERDICT_NOISE;
	v->more = 0;
}

/* Welch's own form; the side that is 0 all the time has no scatter, and the other's freedom is left. */
static void welch_absolute(struct verdict *v, const struct moments *a, const struct moments *b)
{
	double va = a->error * a->error, vb = b->error * b->error;
	double freedom = a->freedom + b->freedom;

	if (va + vb > 0)
		freedom = (va + vb) * (va + vb) / (va * va / a->freedom + vb * vb / b->freedom);
	decide_absolute(v, sqrt(va + vb), freedom);
}

/* From the figures of k batches on each side; v->a and v->b are those of the whole. */
static void welch(struct verdict *v, const double *batch_a, const double *batch_b, unsigned k)
{
	struct moments ma = moments_of(batch_a, k), mb = moments_of(batch_b, k);

	v->batches = k;
	/* Batches leave out what is over at the front: there may have been all of it. */
	if (!(v->a > 0 && v->b > 0 && ma.mean > 0 && mb.mean > 0)) {
		welch_absolute(v, &ma, &mb);
		return;
	}
	double error = hypot(ma.error / ma.mean, mb.error / mb.mean);
	decide(v, log(v->b / v->a), error, freedom_of(&ma, &mb));
}

/* Where no batches are independent, the level wanders: its means are good for no more than a single draw of
 * it, and another segment's may be off by more than this one's own batches are. The mean's standard error is
 * taken to be that of one batch times the square root of 2: of a random walk's two neighbouring segments, the
 * difference varies twice as much as the walk does within both (2/3 against 2 * 1/6 of their length). What is
 * different even so is different; but what isn't is not known to be alike. */
static bool wander(struct verdict *v, const double *batch_a, const double *batch_b)
{
	struct moments ma = moments_of(batch_a, BATCHES_MIN);
	struct moments mb = moments_of(batch_b, BATCHES_MIN);
	double relative = hypot(ma.error / ma.mean, mb.error / mb.mean);

	/* Nor is there a figure, or a scatter, to go by. */
	if (!(v->a > 0 && v->b > 0 && relative > 0 && isfinite(relative)))
		return false;
	v->batches = BATCHES_MIN;
	decide(v, log(v->b / v->a), sqrt(2.0 * BATCHES_MIN) * relative, freedom_of(&ma, &mb));
	return v->kind == VERDICT_DIFFERENT;
}

static bool wander_means(struct verdict *v, const struct point *a, size_t na, const struct point *b,
			 size_t nb)
{
	double mean_a[BATCHES_MIN], mean_b[BATCHES_MIN];

	if (na < WANDER_LEAST || nb < WANDER_LEAST)
		return false;
	batch_means(a, na, BATCHES_MIN, mean_a);
	batch_means(b, nb, BATCHES_MIN, mean_b);
	return wander(v, mean_a, mean_b);
}

static bool wander_pools(struct verdict *v, const struct quantiles *a, size_t na,
			 const struct quantiles *b, size_t nb, double share)
{
	double pool_a[BATCHES_MIN], pool_b[BATCHES_MIN];

	if (na < WANDER_LEAST || nb < WANDER_LEAST)
		return false;
	batch_pools(a, na, BATCHES_MIN, share, pool_a);
	batch_pools(b, nb, BATCHES_MIN, share, pool_b);
	return wander(v, pool_a, pool_b);
}

void verdict_welch(struct verdict *v, const struct point *a, size_t na, const struct point *b,
		   size_t nb)
{
	double mean_a[BATCHES_MAX], mean_b[BATCHES_MAX];
	unsigned k = batch_choose(a, na, b, nb);

	v->a = series_mean(a, na);
	v->b = series_mean(b, nb);
	if (!k && wander_means(v, a, na, b, nb))
		return;
	if (!k || !(v->a >= 0) || !(v->b >= 0)) {
		unknown(v, more_points(a, na, b, nb));
		return;
	}
	batch_means(a, na, k, mean_a);
	batch_means(b, nb, k, mean_b);
	welch(v, mean_a, mean_b, k);
}

void verdict_percentile(struct verdict *v, const struct quantiles *a, size_t na,
			const struct quantiles *b, size_t nb, double share)
{
	double pool_a[BATCHES_MAX], pool_b[BATCHES_MAX];
	unsigned k = batch_choose_pools(a, na, b, nb, share);

	v->a = quantiles_pool(a, na, share);
	v->b = quantiles_pool(b, nb, share);
	if (!k && wander_pools(v, a, na, b, nb, share))
		return;
	if (!k || !(v->a > 0) || !(v->b > 0)) {
		/* Until the fewest batches there can be are full; then half as long again. */
		size_t n = na < nb ? na : nb, least = BATCHES_MIN * BATCH_MIN;
		unknown(v, n < least ? (double)(least - n) : (double)n / 2);
		return;
	}
	batch_pools(a, na, k, share, pool_a);
	batch_pools(b, nb, k, share, pool_b);
	welch(v, pool_a, pool_b, k);
}

/* Student's t on the differences. */
static void pairs_absolute(struct verdict *v, const double *a, const double *b, unsigned pairs)
{
	double square = 0;

	v->a = v->b = 0;
	for (unsigned i = 0; i < pairs; i++) {
		v->a += a[i] / pairs;
		v->b += b[i] / pairs;
	}
	if (pairs < 2 || !isfinite(v->a) || !isfinite(v->b)) {
		unknown(v, pairs < 2 ? 2.0 - pairs : 1);
		return;
	}
	for (unsigned i = 0; i < pairs; i++) {
		double off = b[i] - a[i] - (v->b - v->a);
		square += off * off;
	}
	v->batches = pairs;
	decide_absolute(v, sqrt(square / (pairs - 1) / pairs), pairs - 1);
}

void verdict_pairs(struct verdict *v, const double *a, const double *b, unsigned pairs)
{
	double mean = 0, square = 0, log_a = 0, log_b = 0;

	for (unsigned i = 0; i < pairs; i++) {
		log_a += log(a[i]) / pairs;
		log_b += log(b[i]) / pairs;
		mean += log(b[i] / a[i]) / pairs;
	}
	v->a = exp(log_a);
	v->b = exp(log_b);
	if (!isfinite(mean)) {
		pairs_absolute(v, a, b, pairs);
		return;
	}
	if (pairs < 2) {
		unknown(v, 2.0 - pairs);
		return;
	}
	for (unsigned i = 0; i < pairs; i++) {
		double off = log(b[i] / a[i]) - mean;
		square += off * off;
	}
	v->batches = pairs;
	decide(v, mean, sqrt(square / (pairs - 1) / pairs), pairs - 1);
}

void verdicts_holm(struct verdict *v[], unsigned n)
{
	unsigned known = 0, ranked = 0;
	double before = 0;

	for (unsigned i = 0; i < n; i++)
		known += v[i]->kind != VERDICT_UNKNOWN;
	/* From the smallest p on: times the number that is left, and never below the one before. Those
	 * done have a negative p meanwhile. */
	for (; ranked < known; ranked++) {
		struct verdict *next = NULL;
		for (unsigned i = 0; i < n; i++)
			if (v[i]->kind != VERDICT_UNKNOWN && v[i]->p >= 0 &&
			    (!next || v[i]->p < next->p))
				next = v[i];
		double p = next->p * (known - ranked);
		before = p > before ? p : before;
		if (before > 1)
			before = 1;
		next->kind = before < LEVEL ? VERDICT_DIFFERENT : VERDICT_NOISE;
		next->p = -1 - before;
	}
	for (unsigned i = 0; i < n; i++)
		if (v[i]->kind != VERDICT_UNKNOWN)
			v[i]->p = -1 - v[i]->p;
}
