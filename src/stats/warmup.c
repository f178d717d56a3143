/* warmup.c - see series.h. */
#include "stats/series.h"

#include <math.h>
#include <stdlib.h>

#define GROUP 5

size_t warmup_length(const struct point *p, size_t n, bool *steady)
{
	size_t groups = n / GROUP, best = 0;
	double least = INFINITY, sum = 0, square = 0;

	*steady = false;
	if (n < WARMUP_LEAST)
		return 0;
	/* From the back: sums of what is left after a cut at d. */
	for (size_t d = groups; d-- > 0;) {
		double z = series_mean(p + d * GROUP, GROUP);
		if (!isfinite(z))
			z = 0;
		sum += z;
		square += z * z;
		double left = (double)(groups - d), spread = square - sum * sum / left;
		if (d >= groups / 2 + groups % 2)
			continue;
		if (spread < 0)
			spread = 0;
		/* <=: of equal ones the shortest cut. */
		if (spread / (left * left) <= least) {
			least = spread / (left * left);
			best = d;
		}
	}
	*steady = best + 1 < groups / 2;
	return best * GROUP;
}
