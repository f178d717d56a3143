/* unit-hist.c - the histogram against exact sorting, at its edges, and merged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hist.h"
#include "packed.h"
#include "random.h"
#include "tests/hist-add.h"

#define HOUR 3600000000000ull

static void every_latency_falls_into_the_bucket_whose_bounds_hold_it(void **state)
{
	(void)state;
	struct random r;
	random_seed(&r, 7);
	for (int i = 0; i < 200000; i++) {
		uint64_t v = random_next(&r) >> (21 + random_below(&r, 43));
		unsigned b = hist_index(v);
		assert_true(b < HIST_BUCKETS);
		assert_true(v >= hist_low(b));
		assert_true(v < hist_high(b));
	}
}

static void buckets_follow_each_other_without_gap_or_overlap(void **state)
{
	(void)state;
	for (unsigned i = 0; i + 1 < HIST_BUCKETS; i++) {
		assert_int_equal(hist_index(hist_low(i)), i);
		assert_int_equal(hist_index(hist_high(i) - 1), i);
		assert_int_equal(hist_high(i), hist_low(i + 1));
	}
}

static void the_middle_of_a_bucket_is_within_one_percent_from_1_us_to_over_an_hour(void **state)
{
	(void)state;
	assert_true(hist_high(HIST_BUCKETS - 1) > 2 * HOUR);
	for (unsigned i = hist_index(1000); i < HIST_BUCKETS; i++) {
		double low = (double)hist_low(i), high = (double)hist_high(i);
		assert_true((high - low) / 2 / low <= 0.01);
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Latencies as storage has them: a body, and a tail of up to an hour. */
static uint64_t latency(struct random *r)
{
	double u = (double)(random_next(r) >> 11) * 0x1p-53;
	double ns = 20e3 * exp(1.2 * u) / pow(1 - u, 1.3);
	return ns < 5e12 ? (uint64_t)ns : (uint64_t)5e12;
}

static void percentiles_agree_with_an_exact_sort_within_one_percent(void **state)
{
	(void)state;
	static const double q[] = {0.001, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999};
	enum { N = 100000 };
	uint64_t *v = malloc(N * sizeof(*v));
	struct hist *h = malloc(sizeof(*h));
	struct random r;
	random_seed(&r, 3);
	hist_clear(h);
	for (int i = 0; i < N; i++)
		hist_add(h, v[i] = latency(&r));
	qsort(v, N, sizeof(*v), compare);
	for (size_t i = 0; i < sizeof(q) / sizeof(*q); i++) {
		double exact = (double)v[(size_t)ceil(q[i] * N) - 1];
		double got = hist_percentile(h, q[i]);
		assert_true(fabs(got / exact - 1) <= 0.01);
	}
	assert_true(hist_percentile(h, 1) == (double)v[N - 1]);
	free(v);
	free(h);
}

static void count_sum_min_and_max_are_exact(void **state)
{
	(void)state;
	struct hist *h = malloc(sizeof(*h));
	hist_clear(h);
	hist_add(h, 1234567);
	hist_add(h, 3 * HOUR); /* past the last bucket */
	hist_add(h, 999);
	assert_int_equal(h->count, 3);
	assert_int_equal(h->sum, 1234567 + 3 * HOUR + 999);
	assert_int_equal(h->min, 999);
	assert_int_equal(h->max, 3 * HOUR);
	assert_true(hist_percentile(h, 0.999) <= (double)(3 * HOUR));
	assert_true(hist_percentile(h, 0.999) > (double)HOUR);
	free(h);
}

static void a_percentile_never_leaves_min_and_max(void **state)
{
	(void)state;
	struct hist *h = malloc(sizeof(*h));
	hist_clear(h);
	for (int i = 0; i < 1000; i++)
		hist_add(h, 1000003);
	assert_true(hist_percentile(h, 0.5) == 1000003);
	assert_true(hist_percentile(h, 0.999) == 1000003);
	assert_true(hist_percentile(h, 0) == 1000003);
	free(h);
}

/* Where they were not noted, and where only some were. */
static void missing_extremes_are_the_bounds_of_the_buckets(void **state)
{
	(void)state;
	struct hist *h = malloc(sizeof(*h));
	hist_clear(h);
	hist_fit_extremes(h);
	assert_true(h->min == UINT64_MAX && h->max == 0);
	hist_add(h, 1000);
	hist_add(h, 3000);
	hist_fit_extremes(h);
	assert_true(h->min == 1000 && h->max == 3000);
	h->min = UINT64_MAX;
	h->max = 0;
	hist_fit_extremes(h);
	assert_int_equal(h->min, hist_low(hist_index(1000)));
	assert_int_equal(h->max, hist_high(hist_index(3000)) - 1);
	h->min = h->max = 2000;
	hist_fit_extremes(h);
	assert_int_equal(h->min, hist_low(hist_index(1000)));
	assert_int_equal(h->max, hist_high(hist_index(3000)) - 1);
	free(h);
}

static void an_empty_histogram_has_no_percentile(void **state)
{
	(void)state;
	struct hist *h = malloc(sizeof(*h));
	hist_clear(h);
	assert_true(isnan(hist_percentile(h, 0.5)));
	assert_true(isnan(hist_mean(h)));
	assert_true(isnan(hist_stddev(h)));
	free(h);
}

static void merging_two_equals_adding_all_to_one(void **state)
{
	(void)state;
	struct hist *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b)), *all = malloc(sizeof(*all));
	struct random r;
	random_seed(&r, 11);
	hist_clear(a);
	hist_clear(b);
	hist_clear(all);
	for (int i = 0; i < 10000; i++) {
		uint64_t v = latency(&r);
		hist_add(i % 3 ? a : b, v);
		hist_add(all, v);
	}
	hist_merge(a, b);
	assert_memory_equal(a, all, sizeof(*a));
	free(a);
	free(b);
	free(all);
}

static void a_histogram_survives_being_written_and_read(void **state)
{
	(void)state;
	struct hist *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));
	struct random r;
	random_seed(&r, 5);
	hist_clear(a);
	for (int i = 0; i < 5000; i++)
		hist_add(a, latency(&r));
	int length = hist_print(a, NULL, 0);
	char *text = malloc((size_t)length + 1);
	assert_int_equal(hist_print(a, text, (unsigned long)length + 1), length);
	*b = *a;
	memset(b->bucket, 0xff, sizeof(b->bucket));
	assert_int_equal(hist_scan(b, text), 0);
	assert_memory_equal(a, b, sizeof(*a));
	b->count++;
	assert_int_equal(hist_scan(b, text), -EINVAL);
	assert_int_equal(hist_scan(b, "99999999:1"), -EINVAL);
	assert_int_equal(hist_scan(b, "1:x"), -EINVAL);
	free(text);
	free(a);
	free(b);
}

static void between_counts_whole_buckets_once(void **state)
{
	(void)state;
	struct hist *h = malloc(sizeof(*h));
	hist_clear(h);
	for (uint64_t v = 1; v < 1 << 20; v += 97)
		hist_add(h, v);
	uint64_t sum = 0;
	for (uint64_t low = 1; low < 1 << 20; low *= 2)
		sum += hist_between(h, low, low * 2);
	assert_int_equal(sum, h->count);
	free(h);
}

static void packing_loses_nothing_not_even_a_sum_whose_io_is_in_the_next_tick(void **state)
{
	struct hist *tick = test_calloc(3, sizeof(*tick)), *whole = test_calloc(1, sizeof(*whole));
	struct hist *all = test_calloc(1, sizeof(*all));
	(void)state;
	for (int i = 0; i < 3; i++)
		hist_clear(&tick[i]);
	hist_clear(whole);
	hist_clear(all);
	hist_add(&tick[0], 1000);
	tick[1].sum = 2000; /* seen before its bucket was */
	hist_add(&tick[2], 2000);
	hist_add(&tick[2], 70000);
	tick[2].sum -= 2000;
	for (int i = 0; i < 3; i++) {
		struct packed p = {0};
		assert_true(packed_set(&p, &tick[i]));
		packed_merge(whole, &p);
		packed_free(&p);
		hist_merge(all, &tick[i]);
	}
	assert_int_equal(whole->sum, 73000);
	assert_memory_equal(whole, all, sizeof(*all));
	test_free(tick);
	test_free(whole);
	test_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_latency_falls_into_the_bucket_whose_bounds_hold_it),
		cmocka_unit_test(buckets_follow_each_other_without_gap_or_overlap),
		cmocka_unit_test(
			the_middle_of_a_bucket_is_within_one_percent_from_1_us_to_over_an_hour),
		cmocka_unit_test(percentiles_agree_with_an_exact_sort_within_one_percent),
		cmocka_unit_test(count_sum_min_and_max_are_exact),
		cmocka_unit_test(a_percentile_never_leaves_min_and_max),
		cmocka_unit_test(missing_extremes_are_the_bounds_of_the_buckets),
		cmocka_unit_test(an_empty_histogram_has_no_percentile),
		cmocka_unit_test(merging_two_equals_adding_all_to_one),
		cmocka_unit_test(a_histogram_survives_being_written_and_read),
		cmocka_unit_test(packing_loses_nothing_not_even_a_sum_whose_io_is_in_the_next_tick),
		cmocka_unit_test(between_counts_whole_buckets_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
