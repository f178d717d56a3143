/* batch.c - see series.h. */
#include "stats/series.h"

#include <math.h>

double series_mean(const struct point *p, size_t n)
{
	double num = 0, den = 0;

	for (size_t i = 0; i < n; i++) {
		num += p[i].num;
		den += p[i].den;
	}
	return den > 0 ? num / den : NAN;
}

void batch_means(const struct point *p, size_t n, unsigned k, double *out)
{
	size_t each = n / k;

	p += n - each * k;
	for (unsigned i = 0; i < k; i++)
		out[i] = series_mean(p + i * each, each);
}

double batch_correlation(const double *x, unsigned k)
{
	double mean = 0, square = 0, next = 0;

	for (unsigned i = 0; i < k; i++)
		mean += x[i] / k;
	for (unsigned i = 0; i < k; i++)
		square += (x[i] - mean) * (x[i] - mean);
	for (unsigned i = 0; i + 1 < k; i++)
		next += (x[i] - mean) * (x[i + 1] - mean);
	/* Both are means: of k - 1 products, and of k squares with one degree of freedom less. */
	return square > 0 ? next / square : 0;
}

void batch_pools(const struct quantiles *q, size_t n, unsigned k, double share, double *out)
{
	size_t each = n / k;

	q += n - each * k;
	for (unsigned i = 0; i < k; i++)
		out[i] = quantiles_pool(q + i * each, each, share);
}

/* Whether the figures of k batches exist and don't follow each other. */
static bool apart(const double *figure, unsigned k)
{
	for (unsigned i = 0; i < k; i++)
		if (!isfinite(figure[i]))
			return false;
	return batch_correlation(figure, k) < 0.5 / sqrt(k);
}

static bool means_apart(const struct point *p, size_t n, unsigned k)
{
	double mean[BATCHES_MAX];

	if (n / k < BATCH_MIN)
		return false;
	batch_means(p, n, k, mean);
	return apart(mean, k);
}

static bool pools_apart(const struct quantiles *q, size_t n, unsigned k, double share)
{
	double pool[BATCHES_MAX];

	if (n / k < BATCH_MIN)
		return false;
	batch_pools(q, n, k, share, pool);
	return apart(pool, k);
}

static const unsigned counts[] = {BATCHES_MAX, 20, 15, 12, 10, 8, 6, BATCHES_MIN};
#define COUNTS (sizeof(counts) / sizeof(*counts))

unsigned batch_choose(const struct point *a, size_t na, const struct point *b, size_t nb)
{
	for (unsigned i = 0; i < COUNTS; i++)
		if (means_apart(a, na, counts[i]) && (!b || means_apart(b, nb, counts[i])))
			return counts[i];
	return 0;
}

unsigned batch_choose_pools(const struct quantiles *a, size_t na, const struct quantiles *b,
			    size_t nb, double share)
{
	for (unsigned i = 0; i < COUNTS; i++)
		if (pools_apart(a, na, counts[i], share) && pools_apart(b, nb, counts[i], share))
			return counts[i];
	return 0;
}

/* If each point depends on the one before by phi (a first-order autoregression), the means of batches of m
 * points follow each other by this much; from the autocovariances phi^h (Law, 4.3). */
static double batches_follow(double phi, double m)
{
	double tail = 1 - pow(phi, m);

	return phi * tail * tail / (m * (1 - phi * phi) - 2 * phi * tail);
}

size_t batch_needed(const struct point *p, size_t n)
{
	double mean = series_mean(p, n), square = 0, next = 0, before = 0;
	size_t least = BATCHES_MIN * BATCH_MIN, each = BATCH_MIN;

	for (size_t i = 0; i < n; i++) {
		double off = p[i].den > 0 ? p[i].num / p[i].den - mean : 0;
		square += off * off;
		next += off * before;
		before = off;
	}
	double phi = square > 0 ? next / square : 0;
	if (phi > 0.99)
		phi = 0.99;
	/* The correlation of so few means is estimated too low by about 1 / k (Kendall, Biometrika 41,
	 * 1954), which is what lets it pass in the end. */
	if (n >= least && phi > 0)
		while (batches_follow(phi, (double)each) > 0.5 / sqrt(BATCHES_MIN))
			each++;
	size_t need = BATCHES_MIN * each;
	/* It was not enough, whatever the model says: half as long again. */
	return need > n ? need : n + n / 2;
}
