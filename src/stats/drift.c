/* drift.c - see series.h. */
#include "stats/series.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define LEVEL 0.05 /* of significance, two-sided */

/* Sums of squares and products around the means of one side. */
struct sums {
	double tt, ty, yy;
};

static void add_side(struct sums *s, const double *y, const double *t, unsigned n)
{
	double mean_y = 0, mean_t = 0;

	for (unsigned i = 0; i < n; i++) {
		mean_y += log(y[i]) / n;
		mean_t += t[i] / n;
	}
	for (unsigned i = 0; i < n; i++) {
		double off_t = t[i] - mean_t, off_y = log(y[i]) - mean_y;
		s->tt += off_t * off_t;
		s->ty += off_t * off_y;
		s->yy += off_y * off_y;
	}
}

void drift_of(struct drift *d, const double *a, const double *at_a, const double *b,
	      const double *at_b, unsigned n)
{
	struct sums s = {0, 0, 0};

	*d = (struct drift){.per_minute = NAN, .low = NAN, .high = NAN, .p = NAN};
	if (n < 2)
		return;
	add_side(&s, a, at_a, n);
	add_side(&s, b, at_b, n);
	if (!(s.tt > 0) || !isfinite(s.yy))
		return;
	/* Two means and a slope are taken out of 2 n values. */
	double freedom = 2.0 * n - 3, slope = s.ty / s.tt;
	double rest = s.yy - slope * s.ty;
	double error = sqrt((rest > 0 ? rest : 0) / freedom / s.tt);
	double edge = gsl_cdf_tdist_Qinv(LEVEL / 2, freedom) * error;
	d->known = true;
	d->per_minute = expm1(60 * slope);
	d->low = expm1(60 * (slope - edge));
	d->high = expm1(60 * (slope + edge));
	if (error > 0)
		d->p = 2 * gsl_cdf_tdist_Q(fabs(slope) / error, freedom);
	else
		d->p = slope != 0 ? 0 : 1;
	d->shown = d->p < LEVEL;
}
