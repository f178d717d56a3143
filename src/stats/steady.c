/* steady.c - see series.h. */
#include "stats/series.h"

#include <math.h>

#define RANGE_MAX 0.20
#define SLOPE_MAX 0.10

enum steadiness steady_measure(const struct point *p, size_t n, size_t round,
			       struct steady_window *w)
{
	double mean[STEADY_ROUNDS], sum = 0, slope = 0, low = INFINITY, high = -INFINITY;
	const double middle = (STEADY_ROUNDS - 1) / 2.0;
	double squares = 0;

	w->range = w->slope = NAN;
	if (!round || n / round < STEADY_ROUNDS)
		return STEADY_SHORT;
	p += n - round * STEADY_ROUNDS;
	for (unsigned i = 0; i < STEADY_ROUNDS; i++) {
		mean[i] = series_mean(p + i * round, round);
		if (!isfinite(mean[i]))
			return STEADY_NO;
		sum += mean[i];
		low = fmin(low, mean[i]);
		high = fmax(high, mean[i]);
	}
	double level = sum / STEADY_ROUNDS;
	for (unsigned i = 0; i < STEADY_ROUNDS; i++) {
		slope += (i - middle) * (mean[i] - level);
		squares += (i - middle) * (i - middle);
	}
	/* Where nothing happens at all, that is steady. */
	w->range = level > 0 ? (high - low) / level : 0;
	w->slope = level > 0 ? slope / squares * (STEADY_ROUNDS - 1) / level : 0;
	if (w->range > RANGE_MAX)
		return STEADY_NO;
	return fabs(w->slope) <= SLOPE_MAX ? STEADY_YES : STEADY_RANGE;
}

enum steadiness steady_look(const struct point *p, size_t n, size_t round)
{
	struct steady_window w;

	return steady_measure(p, n, round, &w);
}

/* The usual design for shifts of one standard deviation: slack 0.5 of it, alarm at 5 (D. Montgomery,
 * Statistical Quality Control, 9.1). */
#define SLACK 0.5
#define ALARM 5.0

size_t steady_left(const double *mean, size_t n, size_t calm)
{
	double level = 0, scatter = 0, up = 0, down = 0;
	size_t up_began = 0, down_began = 0;

	if (calm < 2 || n <= calm)
		return n;
	for (size_t i = 0; i < calm; i++)
		level += mean[i] / (double)calm;
	for (size_t i = 0; i < calm; i++)
		scatter += (mean[i] - level) * (mean[i] - level);
	scatter = sqrt(scatter / (double)(calm - 1));
	/* Where nothing scatters, a thousandth of the level is a step already. */
	if (scatter < fabs(level) * 1e-3)
		scatter = fabs(level) * 1e-3;
	for (size_t i = calm; i < n && scatter > 0; i++) {
		double z = (mean[i] - level) / scatter;
		if (up <= 0)
			up_began = i;
		if (down <= 0)
			down_began = i;
		up = fmax(0, up + z - SLACK);
		down = fmax(0, down - z - SLACK);
		if (up > ALARM)
			return up_began;
		if (down > ALARM)
			return down_began;
	}
	return n;
}
