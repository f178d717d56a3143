/* unit-stats.c - the arithmetic behind the verdicts, against figures worked out elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "hist.h"
#include "random.h"
#include "stats/series.h"

static struct random draws;

#define N(a) (sizeof(a) / sizeof(*(a)))

static void close_to(double is, double should, double by)
{
	if (!(fabs(is - should) <= by))
		fail_msg("%.9g is not %.9g", is, should);
}

static void fill(struct point *p, const double *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (struct point){value[i], 1};
}

static void a_mean_is_the_ratio_of_the_sums(void **state)
{
	/* 1 s at 100/s and 3 s at 20/s: 160 in 4 s. The mean of the rates would be 60. */
	const struct point p[] = {{100, 1}, {60, 3}};
	(void)state;

	close_to(series_mean(p, 2), 40, 0);
	assert_true(isnan(series_mean(p, 0)));
}

static void batches_leave_the_rest_out_at_the_front(void **state)
{
	const double value[] = {1000, 1, 2, 3, 4, 5, 6};
	struct point p[7];
	double mean[3];
	(void)state;

	fill(p, value, 7);
	batch_means(p, 7, 3, mean);
	close_to(mean[0], 1.5, 1e-12);
	close_to(mean[1], 3.5, 1e-12);
	close_to(mean[2], 5.5, 1e-12);
}

static void correlation_is_that_of_neighbours(void **state)
{
	/* 1 2 3 4 5: deviations -2 -1 0 1 2, products 2 0 0 2, squares 10. */
	const double rising[] = {1, 2, 3, 4, 5}, zigzag[] = {1, -1, 1, -1}, flat[] = {7, 7, 7};
	(void)state;

	close_to(batch_correlation(rising, 5), 0.4, 1e-12);
	close_to(batch_correlation(zigzag, 4), -0.75, 1e-12);
	close_to(batch_correlation(flat, 3), 0, 0);
}

/* Six batches of three, so that Welch's test can be done by hand. */
static void three_each(struct point *p, const double mean[6])
{
	for (unsigned i = 0; i < 18; i++)
		p[i] = (struct point){mean[i / 3], 1};
}

static void welch_gives_what_the_books_give(void **state)
{
	const double a[6] = {100, 104, 97, 103, 98, 98}, b[6] = {110, 114, 106, 115, 107, 108};
	struct point pa[18], pb[18];
	struct verdict v;
	(void)state;

	three_each(pa, a);
	three_each(pb, b);
	verdict_welch(&v, pa, 18, pb, 18);
	assert_int_equal(v.batches, 6);
	assert_int_equal(v.kind, VERDICT_DIFFERENT);
	close_to(v.a, 100, 1e-9);
	close_to(v.b, 110, 1e-9);
	close_to(v.ratio, 1.1, 1e-9);
	/* Standard errors sqrt(42 / 30) and sqrt(70 / 30), relative 0.0118322 and 0.0138865: together
	 * 0.0182436; 9.754 degrees of freedom (Satterthwaite), t = ln 1.1 / 0.0182436 = 5.2243. The
	 * interval by t(0.975) = 2.2356. */
	close_to(v.low, exp(log(1.1) - 2.2356 * 0.0182436), 2e-5);
	close_to(v.high, exp(log(1.1) + 2.2356 * 0.0182436), 2e-5);
	assert_true(v.p > 0.0003 && v.p < 0.0006);
	/* t(0.80) = 0.8801. */
	close_to(v.least, exp((2.2356 + 0.8801) * 0.0182436) - 1, 2e-5);
}

static void the_same_twice_is_noise(void **state)
{
	const double a[6] = {100, 104, 97, 103, 98, 98};
	struct point pa[18];
	struct verdict v;
	(void)state;

	three_each(pa, a);
	verdict_welch(&v, pa, 18, pa, 18);
	assert_int_equal(v.kind, VERDICT_NOISE);
	close_to(v.ratio, 1, 1e-12);
	close_to(v.p, 1, 1e-12);
	assert_true(v.low < 1 && v.high > 1 && v.least > 0);
}

static void what_does_not_scatter_at_all_is_different_or_not(void **state)
{
	const double a[6] = {5, 5, 5, 5, 5, 5}, b[6] = {6, 6, 6, 6, 6, 6};
	struct point pa[18], pb[18];
	struct verdict v;
	(void)state;

	three_each(pa, a);
	three_each(pb, b);
	verdict_welch(&v, pa, 18, pb, 18);
	assert_int_equal(v.kind, VERDICT_DIFFERENT);
	close_to(v.low, 1.2, 1e-9);
	close_to(v.high, 1.2, 1e-9);
	verdict_welch(&v, pa, 18, pa, 18);
	assert_int_equal(v.kind, VERDICT_NOISE);
}

static void too_little_says_how_much_more(void **state)
{
	struct point p[10];
	struct verdict v;
	(void)state;

	for (unsigned i = 0; i < 10; i++)
		p[i] = (struct point){100 + (i * 7) % 5, 1};
	verdict_welch(&v, p, 10, p, 10);
	assert_int_equal(v.kind, VERDICT_UNKNOWN);
	close_to(v.more, 5, 1e-12); /* 5 batches of 3 */
	assert_true(isnan(v.p) && isnan(v.low));

	/* Nothing at all happened in one. */
	struct point none[30] = {{0, 0}};
	verdict_welch(&v, none, 30, none, 30);
	assert_int_equal(v.kind, VERDICT_UNKNOWN);
	verdict_welch(&v, none, 0, none, 0);
	assert_int_equal(v.kind, VERDICT_UNKNOWN);
}

/* A ramp: each batch follows the one before, at any length. */
static void what_only_rises_is_never_enough(void **state)
{
	struct point p[300];
	struct verdict v;
	(void)state;

	for (unsigned i = 0; i < N(p); i++)
		p[i] = (struct point){1000 + i, 1};
	/* Five steps of a ramp have a correlation of 0.4, more than 0.5 / sqrt 5 = 0.22. */
	assert_int_equal(batch_choose(p, N(p), NULL, 0), 0);
	verdict_welch(&v, p, N(p), p, N(p));
	assert_int_equal(v.kind, VERDICT_UNKNOWN);
	assert_true(v.more >= 1);
}

static void pairs_cancel_a_drift(void **state)
{
	/* A B B A A B B A: it falls by 1 % from one to the next, and B is 5 % more. */
	double a[4], b[4], level = 1000;
	static const char order[] = "ABBAABBA";
	unsigned na = 0, nb = 0;
	struct verdict v;
	(void)state;

	for (unsigned i = 0; i < 8; i++, level *= 0.99)
		if (order[i] == 'A')
			a[na++] = level;
		else
			b[nb++] = level * 1.05;
	verdict_pairs(&v, a, b, 4);
	close_to(v.ratio, 1.05, 1e-9);
	assert_int_equal(v.batches, 4);
	assert_true(v.low < 1.05 && v.high > 1.05);
	verdict_pairs(&v, a, b, 1);
	assert_int_equal(v.kind, VERDICT_UNKNOWN);
	close_to(v.more, 1, 1e-12);
}

/* Holm's own way: 0.01 x 4, then 0.013 x 3 which may not be less, 0.04 x 2, 0.5 x 1. */
static void among_many_each_is_worth_less(void **state)
{
	struct verdict v[5] = {{VERDICT_DIFFERENT, .p = 0.04},
			       {VERDICT_DIFFERENT, .p = 0.01},
			       {VERDICT_UNKNOWN, .p = NAN},
			       {VERDICT_NOISE, .p = 0.5},
			       {VERDICT_DIFFERENT, .p = 0.012}};
	struct verdict *all[5] = {&v[0], &v[1], &v[2], &v[3], &v[4]};
	(void)state;

	verdicts_holm(all, 5);
	close_to(v[1].p, 0.04, 1e-12);
	close_to(v[4].p, 0.04, 1e-12); /* 0.036 */
	close_to(v[0].p, 0.08, 1e-12);
	close_to(v[3].p, 0.5, 1e-12);
	assert_int_equal(v[1].kind, VERDICT_DIFFERENT);
	assert_int_equal(v[4].kind, VERDICT_DIFFERENT);
	assert_int_equal(v[0].kind, VERDICT_NOISE);
	assert_int_equal(v[2].kind, VERDICT_UNKNOWN);
}

static void warm_up_is_cut_and_no_more(void **state)
{
	struct point p[200];
	struct random r;
	bool steady;
	(void)state;

	random_seed(&r, 11);
	for (unsigned i = 0; i < N(p); i++)
		p[i] = (struct point){(i < 30 ? 300 : 100) + (double)(random_next(&r) % 11), 1};
	assert_int_equal(warmup_length(p, N(p), &steady), 30);
	assert_true(steady);
	for (unsigned i = 0; i < N(p); i++)
		p[i] = (struct point){i, 1};
	warmup_length(p, N(p), &steady);
	assert_false(steady);
	assert_int_equal(warmup_length(p, 12, &steady), 0);
	assert_false(steady);
}

static void the_rule_of_the_snia(void **state)
{
	static const struct {
		double mean[6];
		enum steadiness is;
	} row[] = {
		{{500, 100, 100, 100, 100, 100}, STEADY_YES},
		{{100, 91, 109, 91, 109, 100}, STEADY_YES},
		{{100, 95, 98, 100, 102, 104}, STEADY_YES},   /* slope 2.2 x 4 = 8.8 % */
		{{100, 94, 97, 100, 103, 106}, STEADY_RANGE}, /* 3 x 4 = 12 %, range 12 % */
		{{100, 85, 100, 100, 100, 110}, STEADY_NO},
	};
	struct point p[30];
	(void)state;

	for (size_t i = 0; i < N(row); i++) {
		for (unsigned k = 0; k < 30; k++)
			p[k] = (struct point){row[i].mean[k / 5], 1};
		assert_int_equal(steady_look(p, 30, 5), row[i].is);
	}
	assert_int_equal(steady_look(p, 24, 5), STEADY_SHORT);
}

/* Events that mostly do not happen have no ratio where one side had none. */
static void none_against_some_is_a_difference_without_a_ratio(void **state)
{
	struct point none[60], some[60], few[60];
	struct verdict v, *all[1] = {&v};
	(void)state;

	for (unsigned i = 0; i < 60; i++) {
		none[i] = (struct point){0, 1};
		some[i] = (struct point){5 + (int)(i * 7 % 5) - 2, 1};
		few[i] = (struct point){i == 31, 1};
	}
	verdict_welch(&v, none, 60, none, 60);
	assert_true(verdict_none(&v));
	assert_int_equal(v.kind, VERDICT_NOISE);
	assert_true(v.ratio == 1 && v.p == 1);
	verdicts_holm(all, 1);
	assert_true(verdict_none(&v));
	verdict_welch(&v, none, 60, some, 60);
	assert_int_equal(v.kind, VERDICT_DIFFERENT);
	assert_true(isinf(v.ratio) && isnan(v.low) && v.p < 0.001);
	verdict_welch(&v, some, 60, none, 60);
	assert_int_equal(v.kind, VERDICT_DIFFERENT);
	assert_true(v.ratio == 0 && isnan(v.low));
	/* One in a minute may be chance. */
	verdict_welch(&v, none, 60, few, 60);
	assert_int_equal(v.kind, VERDICT_NOISE);
	assert_true(v.p > 0.05 && !verdict_none(&v));
	verdict_welch(&v, none, 9, none, 9);
	assert_int_equal(v.kind, VERDICT_UNKNOWN);
}

static void pairs_with_none_on_a_side_are_compared_too(void **state)
{
	const double none[4] = {0, 0, 0, 0}, some[4] = {5, 6, 5.5, 5}, one[4] = {0, 0, 1, 0};
	struct verdict v;
	(void)state;

	verdict_pairs(&v, none, none, 4);
	assert_true(verdict_none(&v));
	verdict_pairs(&v, none, some, 4);
	assert_int_equal(v.kind, VERDICT_DIFFERENT);
	close_to(v.b, 5.375, 1e-9);
	assert_true(isinf(v.ratio));
	verdict_pairs(&v, none, one, 4);
	assert_int_equal(v.kind, VERDICT_NOISE);
	verdict_pairs(&v, none, some, 1);
	assert_int_equal(v.kind, VERDICT_UNKNOWN);
}

static void a_step_is_dated(void **state)
{
	double mean[60];
	(void)state;

	/* 98, 100 and 102 in turn, and 6 more from 37 on. */
	for (unsigned i = 0; i < N(mean); i++)
		mean[i] = (i < 37 ? 100 : 106) + 2.0 * (int)(i % 3) - 2;
	size_t at = steady_left(mean, N(mean), 21);
	if (at < 36 || at > 38)
		fail_msg("it is said to have left at %zu", at);
	assert_int_equal(steady_left(mean, 37, 21), 37);
	for (unsigned i = 0; i < N(mean); i++)
		mean[i] = i < 30 ? 50 : 49;
	assert_int_equal(steady_left(mean, N(mean), 10), 30);
}

/* --- Percentiles. --- */

/* 64 buckets an octave are more than exact enough to be measured by. */
static void take_second(struct hist *all, struct quantiles *q, double *mean_of, double middle,
			unsigned ios, double shape)
{
	static const double share[QUANTILES - 1] = {0.5, 0.95, 0.99, 0.999};
	static struct hist own;
	double value[QUANTILES];

	hist_clear(&own);
	for (unsigned i = 0; i < ios; i++) {
		/* A power of a uniform draw: many short ones, and a long tail. */
		double u = ((double)(random_next(&draws) >> 11) + 1) / 9007199254740992.0;
		uint64_t ns = (uint64_t)(middle * pow(u, -shape));
		own.bucket[hist_index(ns)]++;
		own.count++;
		own.min = ns < own.min ? ns : own.min;
		own.max = ns > own.max ? ns : own.max;
	}
	for (int i = 0; i < QUANTILES - 1; i++)
		value[i] = hist_percentile(&own, share[i]);
	value[QUANTILES - 1] = (double)own.max;
	quantiles_set(q, ios, value);
	*mean_of += value[2];
	hist_merge(all, &own);
}

static void a_percentile_is_of_all_ios_and_no_mean_of_percentiles(void **state)
{
	static struct hist all;
	struct quantiles q[20];
	double mean = 0;
	(void)state;

	/* One second in ten, with fewer IOs, takes thirty times as long. */
	random_seed(&draws, 7);
	hist_clear(&all);
	for (unsigned i = 0; i < N(q); i++)
		take_second(&all, &q[i], &mean, i % 10 == 4 ? 30e6 : 1e6, i % 10 == 4 ? 1500 : 9000,
			    0.15);
	double exact = hist_percentile(&all, 0.99), pooled = quantiles_pool(q, N(q), 0.99);
	close_to(pooled / exact, 1, 0.03);
	/* What this is not. */
	assert_true(fabs(mean / N(q) / exact - 1) > 0.3);
}

static void of_seconds_that_are_alike_it_is_theirs(void **state)
{
	const double value[QUANTILES] = {100, 200, 400, 900, 2000},
		     one[QUANTILES] = {5, 5, 5, 5, 5};
	struct quantiles q[7];
	(void)state;

	for (unsigned i = 0; i < N(q); i++)
		quantiles_set(&q[i], 5000, value);
	close_to(quantiles_pool(q, N(q), 0.99), 400, 1e-4);
	close_to(quantiles_pool(q, N(q), 0.95), 200, 1e-4);
	for (unsigned i = 0; i < N(q); i++)
		quantiles_set(&q[i], 3, one);
	close_to(quantiles_pool(q, N(q), 0.99), 5, 1e-6);
	/* Seconds without IOs have no say; without any there is none. */
	quantiles_set(&q[2], 0, value);
	close_to(quantiles_pool(q, N(q), 0.99), 5, 1e-6);
	assert_true(isnan(quantiles_pool(&q[2], 1, 0.99)));
	/* Twice as long in each second is twice as long. */
	struct quantiles a[40], b[40];
	struct verdict v;
	for (unsigned i = 0; i < N(a); i++) {
		double slow[QUANTILES], fast[QUANTILES];
		for (int k = 0; k < QUANTILES; k++) {
			fast[k] = value[k] * (1 + 0.01 * (i * 7 % 5));
			slow[k] = 2 * fast[k];
		}
		quantiles_set(&a[i], 5000, fast);
		quantiles_set(&b[i], 5000, slow);
	}
	verdict_percentile(&v, a, N(a), b, N(b), 0.99);
	assert_int_equal(v.kind, VERDICT_DIFFERENT);
	close_to(v.ratio, 2, 1e-6);
	assert_true(v.low < 2 && v.high > 2 && v.batches >= BATCHES_MIN);
	verdict_percentile(&v, a, 9, b, N(b), 0.99);
	assert_int_equal(v.kind, VERDICT_UNKNOWN);
	close_to(v.more, 6, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mean_is_the_ratio_of_the_sums),
		cmocka_unit_test(batches_leave_the_rest_out_at_the_front),
		cmocka_unit_test(correlation_is_that_of_neighbours),
		cmocka_unit_test(welch_gives_what_the_books_give),
		cmocka_unit_test(the_same_twice_is_noise),
		cmocka_unit_test(what_does_not_scatter_at_all_is_different_or_not),
		cmocka_unit_test(too_little_says_how_much_more),
		cmocka_unit_test(what_only_rises_is_never_enough),
		cmocka_unit_test(pairs_cancel_a_drift),
		cmocka_unit_test(among_many_each_is_worth_less),
		cmocka_unit_test(warm_up_is_cut_and_no_more),
		cmocka_unit_test(the_rule_of_the_snia),
		cmocka_unit_test(none_against_some_is_a_difference_without_a_ratio),
		cmocka_unit_test(pairs_with_none_on_a_side_are_compared_too),
		cmocka_unit_test(a_step_is_dated),
		cmocka_unit_test(a_percentile_is_of_all_ios_and_no_mean_of_percentiles),
		cmocka_unit_test(of_seconds_that_are_alike_it_is_theirs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
