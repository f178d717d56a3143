/* right-arithmetic.c - figures that other programs get wrong by their arithmetic: each test is
 * named after the fault and says who has it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "hist.h"
#include "random.h"
#include "summary.h"
#include "tests/hist-add.h"
#include "timeline.h"
#include "units.h"

#define SECOND 1000000000ull
#define HOUR   (3600 * SECOND)
#define BUCKET (1.0 / 128) /* the middle of a bucket is so close to what is in it */
#define MANY   30000

static struct hist hist, other;
static uint64_t sample[2 * MANY];
static size_t samples;

static int begin(void **state)
{
	(void)state;
	hist_clear(&hist);
	hist_clear(&other);
	samples = 0;
	return 0;
}

static void add(struct hist *h, uint64_t ns)
{
	hist_add(h, ns);
	sample[samples++] = ns;
}

/* Log-normal, more or less: a body around middle and a tail of ten times that. */
static uint64_t latency(struct random *r, double middle)
{
	double u = (double)(random_next(r) >> 11) * 0x1p-53;

	return (uint64_t)(middle * exp(1.5 * u) / pow(1 - u, 0.3));
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The share q of all samples lies at or below it; they get sorted. */
static double exact(double q)
{
	qsort(sample, samples, sizeof(*sample), compare);
	return (double)sample[(size_t)ceil(q * (double)samples) - 1];
}

static void check_near(const char *what, double got, double right, double tolerance)
{
	if (!(fabs(got / right - 1) <= tolerance))
		fail_msg("%s: %.6g, and not %.6g", what, got, right);
}

/* --- Long latencies. --- */

/* fio #1668, gcsfuse #1503: fio's histogram ends at 2^34 ns, so that every latency above 17.18 s
 * counts as 17.11 s: "p50 17 s" stood beside a mean of 41 s. */
static void latencies_past_17_s_are_not_cut_off(void **state)
{
	static const uint64_t slow[] = {18 * SECOND, 41 * SECOND, 60 * SECOND, HOUR, 2 * HOUR};
	(void)state;
	for (size_t i = 0; i < 5; i++)
		for (int n = 0; n < 200; n++)
			hist_add(&hist, slow[i]);
	for (size_t i = 0; i < 5; i++) {
		check_near("first of them", hist_percentile(&hist, 0.2 * (double)i + 0.01),
			   (double)slow[i], 2 * BUCKET);
		check_near("last of them", hist_percentile(&hist, 0.2 * (double)i + 0.19),
			   (double)slow[i], 2 * BUCKET);
	}
	assert_int_equal(hist.max, 2 * HOUR);
	assert_true(hist_percentile(&hist, 1) == (double)(2 * HOUR));
}

/* The same fault would show as a median far from the mean where all IOs take the same time. */
static void one_long_latency_is_its_own_median_and_mean(void **state)
{
	(void)state;
	for (uint64_t ns = 16 * SECOND; ns < 2 * HOUR; ns = ns * 5 / 4) {
		hist_clear(&hist);
		for (int i = 0; i < 10; i++)
			hist_add(&hist, ns);
		assert_true(hist_mean(&hist) == (double)ns);
		assert_true(hist_percentile(&hist, 0.5) == (double)ns);
		assert_true(hist_percentile(&hist, 0.999) == (double)ns);
	}
}

/* --- The mean. --- */

static double mean_of_middles(const struct hist *h)
{
	double sum = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		sum += (double)h->bucket[i] * ((double)hist_low(i) + (double)hist_high(i)) / 2;
	return sum / (double)h->count;
}

/* elbencho (log2 buckets of a quarter octave, told by their upper edge: up to 19 % too much),
 * fio #715: a mean that is made from buckets is wrong by their width. Here it is sum / count,
 * and the buckets are there to check it by. */
static void the_mean_is_the_sum_over_the_count_and_the_buckets_agree(void **state)
{
	static const double middle[] = {700, 90e3, 4e6, 25e9};
	struct random r;
	(void)state;
	random_seed(&r, 17);
	for (size_t m = 0; m < 4; m++) {
		uint64_t sum = 0;
		hist_clear(&hist);
		for (int i = 0; i < MANY; i++) {
			uint64_t ns = latency(&r, middle[m]);
			sum += ns;
			hist_add(&hist, ns);
		}
		assert_int_equal(hist.sum, sum);
		assert_true(hist_mean(&hist) == (double)sum / MANY);
		check_near("from the buckets", mean_of_middles(&hist), hist_mean(&hist), BUCKET);
	}
}

/* --- Percentiles of a whole. --- */

static const double shares[] = {0.5, 0.9, 0.95, 0.99, 0.999};
#define SHARES (sizeof(shares) / sizeof(*shares))

/* pbench #745, and whoever takes the mean of the workers' p99: with one worker at 100 us and one
 * at 10 ms that is no percentile of anything. */
static void percentiles_of_two_workers_are_those_of_all_their_ios(void **state)
{
	struct random r;
	(void)state;
	random_seed(&r, 23);
	for (int i = 0; i < MANY; i++)
		add(&hist, latency(&r, 100e3));
	for (int i = 0; i < MANY / 30; i++)
		add(&other, latency(&r, 10e6));
	double fast = hist_percentile(&hist, 0.9), slow = hist_percentile(&other, 0.9);
	hist_merge(&hist, &other);
	for (size_t i = 0; i < SHARES; i++)
		check_near("merged", hist_percentile(&hist, shares[i]), exact(shares[i]), 0.01);
	/* It is another figure than the mean, or this test shows nothing. */
	double p90 = hist_percentile(&hist, 0.9);
	assert_true(fabs((fast + slow) / 2 / p90 - 1) > 0.5);
}

/* A tick of IOs around that latency. */
static void tick(struct timeline *t, struct random *r, uint64_t at, int n, double middle)
{
	static struct hist delta[HISTS];
	struct sample s;

	sample_clear(&s);
	hist_clear(&delta[IO_READ]);
	hist_clear(&delta[IO_WRITE]);
	hist_clear(&delta[HIST_DUE]);
	for (int i = 0; i < n; i++)
		add(&delta[i % 3 ? IO_READ : IO_WRITE], latency(r, middle));
	s.t_ns = at;
	s.dt_ns = TICK_NS;
	for (int op = 0; op < IO_OPS; op++) {
		s.op[op].ios = delta[op].count;
		s.op[op].lat_sum = delta[op].sum;
		s.op[op].lat_min = delta[op].min;
		s.op[op].lat_max = delta[op].max;
	}
	timeline_tick(t, &s, delta);
}

/* The same for the parts of a run: three segments of different length and latency, reads and
 * writes. */
static void percentiles_of_a_run_are_those_of_all_its_segments_ios(void **state)
{
	static const double middle[] = {80e3, 2e6, 400e6};
	static const int ticks[] = {40, 15, 5};
	static struct hist total[HISTS];
	struct workload w = workload_default();
	struct timeline *t = timeline_create();
	struct summary s;
	struct sample all, gap;
	struct random r;
	double mean_p90 = 0;
	uint64_t at = SECOND;
	(void)state;
	assert_non_null(t);
	random_seed(&r, 29);
	for (uint32_t n = 0; n < 3; n++) {
		struct segment *segment = malloc(sizeof(*segment));
		timeline_mark(t, n ? MARK_NOTE : MARK_START, at, 1, &w, "");
		for (int i = 0; i < ticks[n]; i++)
			tick(t, &r, at += TICK_NS, 500, middle[n]);
		assert_true(timeline_segment(t, n + 1, segment));
		hist_merge(&segment->hist[IO_READ], &segment->hist[IO_WRITE]);
		mean_p90 += hist_percentile(&segment->hist[IO_READ], 0.9) / 3;
		free(segment);
	}
	timeline_total(t, 1, &all, &gap, total);
	summary_compute(&s, &all, total, "null");
	const struct summary_op *o = &s.op[SUM_TOTAL];
	assert_int_equal(o->ios, samples);
	check_near("p50", o->p50, exact(0.5), 0.01);
	check_near("p90", o->p90, exact(0.9), 0.01);
	check_near("p95", o->p95, exact(0.95), 0.01);
	check_near("p99", o->p99, exact(0.99), 0.01);
	check_near("p99.9", o->p999, exact(0.999), 0.01);
	assert_true(fabs(mean_p90 / o->p90 - 1) > 0.5);
	timeline_destroy(t);
}

#define RIGHT_TEST(f) cmocka_unit_test_setup(f, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIGHT_TEST(latencies_past_17_s_are_not_cut_off),
		RIGHT_TEST(one_long_latency_is_its_own_median_and_mean),
		RIGHT_TEST(the_mean_is_the_sum_over_the_count_and_the_buckets_agree),
		RIGHT_TEST(percentiles_of_two_workers_are_those_of_all_their_ios),
		RIGHT_TEST(percentiles_of_a_run_are_those_of_all_its_segments_ios),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
