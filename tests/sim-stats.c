/* sim-stats.c - how often the verdicts are wrong, on made-up seconds with known properties: a first-order
 * autoregression (each second follows the one before by phi), as seconds of IO were found to be. Fixed
 * seeds: the same figures on every machine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "random.h"
#include "stats/series.h"

#define SECONDS 240
#define RUNS    1000
#define CV      0.05

static struct random generator;

static double uniform(void)
{
	return ((double)(random_next(&generator) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller. */
static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* n seconds around mean, each multiplied by what drift(i) says. */
static void series(struct point *p, size_t n, double phi, double mean)
{
	double sigma = mean * CV, x = sigma * normal();

	for (size_t i = 0; i < n; i++) {
		x = phi * x + sigma * sqrt(1 - phi * phi) * normal();
		p[i] = (struct point){mean + x, 1};
	}
}

struct tally {
	double found, unknown; /* shares: of those that were decided, and of all */
};

static struct tally tally(double phi, double effect, size_t n)
{
	struct point a[SECONDS], b[SECONDS];
	unsigned found = 0, unknown = 0;

	for (unsigned i = 0; i < RUNS; i++) {
		struct verdict v;
		series(a, n, phi, 1000);
		series(b, n, phi, 1000 * (1 + effect));
		verdict_welch(&v, a, n, b, n);
		found += v.kind == VERDICT_DIFFERENT;
		unknown += v.kind == VERDICT_UNKNOWN;
	}
	return (struct tally){found / (double)(RUNS - unknown), unknown / (double)RUNS};
}

static void false_alarms_stay_below_one_in_ten(void **state)
{
	static const double phi[] = {0, 0.3, 0.6, 0.8};
	(void)state;

	random_seed(&generator, 1);
	for (unsigned i = 0; i < 4; i++) {
		struct tally t = tally(phi[i], 0, SECONDS);
		printf("# phi %.1f: %.1f %% false alarms, %.1f %% undecided\n", phi[i],
		       100 * t.found, 100 * t.unknown);
		assert_true(t.found <= 0.10);
		assert_true(t.unknown <= 0.20);
	}
}

/* Each second's tail is of another weight, and the level goes as IOPS do. */
static void latencies(struct quantiles *q, size_t n, double phi, double mean)
{
	struct point level[SECONDS];

	series(level, n, phi, mean);
	for (size_t i = 0; i < n; i++) {
		double tail = exp(0.2 * normal()), at = level[i].num;
		const double value[QUANTILES] = {at, at * (1 + tail), at * (1 + 2 * tail),
						 at * (1 + 4 * tail), at * (1 + 9 * tail)};
		quantiles_set(&q[i], 1e6 / at, value);
	}
}

static void percentiles_raise_no_more_false_alarms(void **state)
{
	static const double phi[] = {0, 0.6, 0.8};
	(void)state;

	random_seed(&generator, 8);
	for (unsigned i = 0; i < 3; i++) {
		struct quantiles a[SECONDS], b[SECONDS];
		unsigned found = 0, known = 0, seen = 0;
		for (unsigned run = 0; run < RUNS / 4; run++) {
			struct verdict v;
			latencies(a, SECONDS, phi[i], 1000);
			latencies(b, SECONDS, phi[i], 1000);
			verdict_percentile(&v, a, SECONDS, b, SECONDS, 0.99);
			known += v.kind != VERDICT_UNKNOWN;
			found += v.kind == VERDICT_DIFFERENT;
			latencies(b, SECONDS, phi[i], 1200);
			verdict_percentile(&v, a, SECONDS, b, SECONDS, 0.99);
			seen += v.kind == VERDICT_DIFFERENT;
		}
		printf("# p99, phi %.1f: %.1f %% false alarms; %.2f of +20 %% found\n", phi[i],
		       100.0 * found / known, 4.0 * seen / RUNS);
		assert_true(found <= 0.10 * known);
		assert_true(known >= 0.8 * RUNS / 4);
		assert_true(seen >= 0.8 * RUNS / 4);
	}
}

static void what_is_there_is_found(void **state)
{
	static const double effect[] = {0.01, 0.02, 0.03, 0.05, 0.10};
	static const double phi[] = {0, 0.6, 0.8};
	(void)state;

	random_seed(&generator, 2);
	for (unsigned k = 0; k < 3; k++) {
		double before = 0;
		printf("# power, phi %.1f:", phi[k]);
		for (unsigned i = 0; i < 5; i++) {
			struct tally t = tally(phi[k], effect[i], SECONDS);
			printf(" %+.0f %%: %.2f", 100 * effect[i], t.found);
			/* It grows with the effect, but for the luck of the draw. */
			assert_true(t.found > before - 0.05);
			before = t.found;
		}
		printf("\n");
		assert_true(before > 0.95);
	}
}

/* What is called the least that would have been seen is seen four times in five. */
static void the_least_that_would_be_seen_is_about_right(void **state)
{
	struct point a[SECONDS], b[SECONDS];
	double least = 0;
	unsigned n = 0;
	(void)state;

	random_seed(&generator, 3);
	for (unsigned i = 0; i < 300; i++) {
		struct verdict v;
		series(a, SECONDS, 0.3, 1000);
		series(b, SECONDS, 0.3, 1000);
		verdict_welch(&v, a, SECONDS, b, SECONDS);
		if (v.kind == VERDICT_UNKNOWN)
			continue;
		least += v.least;
		n++;
	}
	least /= n;
	struct tally t = tally(0.3, least, SECONDS);
	printf("# least %.2f %%: found %.2f\n", 100 * least, t.found);
	assert_true(t.found > 0.70 && t.found < 0.92);
}

/* Segments in this order, each 30 s, while everything falls by `drift` in a minute. The mean of what is
 * taken for the effect of B, which has none; how often it is called one. */
static double order_bias(const char *order, double drift, double *alarms)
{
	double bias = 0;
	unsigned found = 0;

	for (unsigned run = 0; run < RUNS; run++) {
		double a[8], b[8];
		unsigned na = 0, nb = 0;
		struct point p[30];
		struct verdict v;
		for (unsigned s = 0; order[s]; s++) {
			series(p, 30, 0.3, 1000);
			for (unsigned i = 0; i < 30; i++)
				p[i].num *= 1 - drift * (s * 30 + i) / 60;
			if (order[s] == 'A')
				a[na++] = series_mean(p, 30);
			else
				b[nb++] = series_mean(p, 30);
		}
		verdict_pairs(&v, a, b, na);
		bias += (v.ratio - 1) / RUNS;
		found += v.kind == VERDICT_DIFFERENT;
	}
	*alarms = found / (double)RUNS;
	return bias;
}

/* How often a drift is told by ABBABAAB, 30 s each, where B is a fifth less and everything falls by `drift`
 * in a minute; and the mean of what it is taken for. */
static double drift_told(double drift, double *mean)
{
	unsigned shown = 0;

	*mean = 0;
	for (unsigned run = 0; run < RUNS; run++) {
		double value[2][4], at[2][4];
		unsigned n[2] = {0, 0};
		struct point p[30];
		struct drift d;
		for (unsigned s = 0; s < 8; s++) {
			unsigned side = "ABBABAAB"[s] == 'B';
			series(p, 30, 0.3, side ? 800 : 1000);
			for (unsigned i = 0; i < 30; i++)
				p[i].num *= 1 - drift * (s * 30 + i) / 60;
			value[side][n[side]] = series_mean(p, 30);
			at[side][n[side]++] = s * 30 + 15;
		}
		drift_of(&d, value[0], at[0], value[1], at[1], 4);
		*mean += d.per_minute / RUNS;
		shown += d.shown;
	}
	return shown / (double)RUNS;
}

static void a_drift_is_told_and_none_is_made_up(void **state)
{
	double mean, told;
	(void)state;

	random_seed(&generator, 7);
	told = drift_told(0, &mean);
	printf("# no drift: told in %.1f %%, as %+.2f %% a minute\n", 100 * told, 100 * mean);
	assert_true(told <= 0.10 && fabs(mean) < 0.002);
	told = drift_told(0.05, &mean);
	/* Of the level that it has come down to, a little more than of that in the beginning. */
	printf("# -5 %% a minute: told in %.1f %%, as %+.2f %%\n", 100 * told, 100 * mean);
	assert_true(told >= 0.90 && mean < -0.048 && mean > -0.060);
}

static void abba_is_not_misled_by_a_drift(void **state)
{
	double alarms;
	(void)state;

	random_seed(&generator, 4);
	double plain = order_bias("ABABABAB", 0.01, &alarms);
	printf("# ABABABAB: bias %+.2f %%, %.1f %% false alarms\n", 100 * plain, 100 * alarms);
	/* Else the drift was too small to mislead anybody. */
	assert_true(plain < -0.003);
	double bias = order_bias("ABBA", 0.01, &alarms);
	printf("# ABBA: bias %+.2f %%, %.1f %% false alarms\n", 100 * bias, 100 * alarms);
	assert_true(fabs(bias) <= 0.002);
	assert_true(alarms <= 0.10);
	bias = order_bias("ABBABAAB", 0.01, &alarms);
	printf("# ABBABAAB: bias %+.2f %%, %.1f %% false alarms\n", 100 * bias, 100 * alarms);
	assert_true(fabs(bias) <= 0.002);
	assert_true(alarms <= 0.10);
}

/* Warm-up that fades with this many seconds, on top of the level. */
static void warm_up_leaves_little_behind(void **state)
{
	static const double fade[] = {5, 20};
	(void)state;

	random_seed(&generator, 5);
	for (unsigned k = 0; k < 2; k++) {
		double before = 0, after = 0;
		for (unsigned run = 0; run < 300; run++) {
			struct point p[SECONDS];
			bool steady;
			series(p, SECONDS, 0.6, 1000);
			for (unsigned i = 0; i < SECONDS; i++)
				p[i].num *= 1 + exp(-(i / fade[k]));
			size_t cut = warmup_length(p, SECONDS, &steady);
			before += series_mean(p, SECONDS) / 1000 - 1;
			after += series_mean(p + cut, SECONDS - cut) / 1000 - 1;
		}
		printf("# fading with %.0f s: bias %+.2f %%, after the cut %+.2f %%\n", fade[k],
		       before / 3, after / 3);
		assert_true(fabs(after / 300) < 0.01);
		assert_true(before / 300 > 0.01);
	}
}

/* A level that goes its way in n seconds, further than they scatter: by a random walk, or straight up. */
static void wanders(struct point *p, size_t n, bool straight, double mean)
{
	static double level;

	if (mean > 0)
		level = mean;
	for (size_t i = 0; i < n; i++) {
		level += straight ? 1 : 5 * normal();
		p[i] = (struct point){level + 0.5 * normal(), 1};
	}
}

/* The same walk goes on in b, times an effect. How often that is called a difference, of the times when there
 * are no batches that don't follow each other; those are counted. */
static double told_of_wanderers(bool straight, double effect, unsigned *times)
{
	struct point a[60], b[120];
	unsigned found = 0;

	for (unsigned i = 0; i < RUNS; i++) {
		struct verdict v;
		wanders(a, 60, straight, 1000);
		wanders(b, 120, straight, 0);
		for (size_t s = 0; s < 120; s++)
			b[s].num *= 1 + effect;
		if (batch_choose(a, 60, b, 120))
			continue;
		++*times;
		verdict_welch(&v, a, 60, b, 120);
		assert_true(v.kind != VERDICT_NOISE);
		found += v.kind == VERDICT_DIFFERENT;
	}
	return (double)found / *times;
}

static void a_level_that_wanders_hides_no_change_and_is_none(void **state)
{
	(void)state;

	random_seed(&generator, 9);
	for (int straight = 0; straight < 2; straight++) {
		const char *how = straight ? "straight up" : "a random walk";
		unsigned times = 0, again = 0;
		double alarms = told_of_wanderers(straight, 0, &times);
		double found = told_of_wanderers(straight, 1, &again);
		printf("# %s, %u of %u times: %.1f %% false alarms; twice as much: %.2f found\n",
		       how, times, RUNS, 100 * alarms, found);
		assert_true(times > RUNS / 2 && again > RUNS / 2);
		assert_true(alarms <= 0.10);
		assert_true(found > 0.99);
	}
}

/* What is told to be missing is enough, most times. */
static void the_time_that_is_asked_for_is_enough(void **state)
{
	struct point a[4000], b[4000];
	unsigned asked = 0, enough = 0;
	(void)state;

	random_seed(&generator, 6);
	for (unsigned run = 0; run < 400; run++) {
		struct verdict v;
		series(a, 4000, 0.8, 1000);
		series(b, 4000, 0.8, 1000);
		verdict_welch(&v, a, 20, b, 20);
		if (v.kind != VERDICT_UNKNOWN)
			continue;
		asked++;
		size_t n = 20 + (size_t)v.more;
		assert_true(n <= 4000);
		verdict_welch(&v, a, n, b, n);
		enough += v.kind != VERDICT_UNKNOWN;
	}
	printf("# asked for more in %u of 400, enough in %u\n", asked, enough);
	assert_true(asked > 20);
	assert_true(enough * 2 > asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_alarms_stay_below_one_in_ten),
		cmocka_unit_test(percentiles_raise_no_more_false_alarms),
		cmocka_unit_test(what_is_there_is_found),
		cmocka_unit_test(the_least_that_would_be_seen_is_about_right),
		cmocka_unit_test(abba_is_not_misled_by_a_drift),
		cmocka_unit_test(a_drift_is_told_and_none_is_made_up),
		cmocka_unit_test(warm_up_leaves_little_behind),
		cmocka_unit_test(a_level_that_wanders_hides_no_change_and_is_none),
		cmocka_unit_test(the_time_that_is_asked_for_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
