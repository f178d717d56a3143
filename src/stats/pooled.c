/* pooled.c - a percentile of several seconds together; see series.h.
 *
 * Of each second there are a few quantiles. Between two of them the share of IOs that take longer falls as a
 * power of the time (a straight line in logarithms), which is exact at the quantiles themselves and follows
 * tails of any weight; below the lowest and above the highest one it ends. The percentile of all is where
 * these shares, each weighed with its second's IOs, add up to what is asked for.
 */
#include "stats/series.h"

#include <math.h>

/* Halvings of the interval: from 2^43 ns down to a millionth. */
#define STEPS 48

void quantiles_set(struct quantiles *q, double ios, const double value[QUANTILES])
{
	static const double longer[QUANTILES] = {0.5, 0.05, 0.01, 0.001, 0};

	*q = (struct quantiles){.ios = ios};
	for (int i = 0; ios > 0 && i < QUANTILES; i++) {
		/* The longest of n is at about the last n-th, and so is what would lie beyond it. */
		double share = i == QUANTILES - 1 || longer[i] < 1 / ios ? 1 / ios : longer[i];
		if (!(value[i] > 0) || (q->count && value[i] < exp(q->at[q->count - 1])))
			continue;
		q->at[q->count] = log(value[i]);
		q->longer[q->count++] = log(share < 1 ? share : 1);
	}
}

/* The share of a second's IOs that take longer than exp(at). */
static double longer_than(const struct quantiles *q, double at)
{
	unsigned i = 0;

	if (!q->count || at >= q->at[q->count - 1])
		return 0;
	if (at < q->at[0])
		return 1;
	while (at >= q->at[i + 1])
		i++;
	double part = (at - q->at[i]) / (q->at[i + 1] - q->at[i]);
	return exp(q->longer[i] + part * (q->longer[i + 1] - q->longer[i]));
}

double quantiles_pool(const struct quantiles *q, size_t n, double share)
{
	double ios = 0, low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (!q[i].count)
			continue;
		ios += q[i].ios;
		low = fmin(low, q[i].at[0]);
		high = fmax(high, q[i].at[q[i].count - 1]);
	}
	if (!(ios > 0))
		return NAN;
	for (int step = 0; step < STEPS && high - low > 1e-9; step++) {
		double middle = (low + high) / 2, longer = 0;
		for (size_t i = 0; i < n; i++)
			longer += q[i].ios * longer_than(&q[i], middle);
		if (longer > (1 - share) * ios * (1 + 1e-12))
			low = middle;
		else
			high = middle;
	}
	return exp(high);
}
