/* unit-units.c - what operators type and what they read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "units.h"

#define GIVES(call, text)                        \
	do {                                     \
		char out_[64];                   \
		assert_string_equal(call, text); \
		(void)out_;                      \
	} while (0)
#define OUT out_, sizeof(out_)

static uint64_t size(const char *text)
{
	uint64_t v = 0;
	struct error e;
	if (units_parse_size(text, &v, &e))
		fail_msg("%s", e.text);
	return v;
}

static void bad_size(const char *text)
{
	uint64_t v;
	struct error e = {{0}};
	assert_int_not_equal(units_parse_size(text, &v, &e), 0);
	/* The line names what was typed. */
	assert_non_null(strstr(e.text, text));
}

static void k_means_1024_and_kB_1000(void **state)
{
	(void)state;
	assert_int_equal(size("4k"), 4096);
	assert_int_equal(size("4K"), 4096);
	assert_int_equal(size("4KiB"), 4096);
	assert_int_equal(size("4Ki"), 4096);
	assert_int_equal(size("4kB"), 4000);
	assert_int_equal(size("1MB"), 1000000);
	assert_int_equal(size("1M"), 1048576);
	assert_int_equal(size("1.5G"), 3ull << 29);
	assert_int_equal(size("2T"), 2ull << 40);
	assert_int_equal(size("512"), 512);
	assert_int_equal(size("512 B"), 512);
	assert_int_equal(size(" 64 KiB "), 65536);
}

static void what_is_no_size_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {"",    "k",   "-4k", "4x",   "4kk",  "0x10",
					  "1e3", "4 q", "nan", "1..2", "0.3k", "99999999999T"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		bad_size(bad[i]);
}

static void times_have_units(void **state)
{
	(void)state;
	uint64_t v;
	assert_int_equal(units_parse_duration("30s", &v, NULL), 0);
	assert_int_equal(v, 30000000000ull);
	assert_int_equal(units_parse_duration("1.5", &v, NULL), 0);
	assert_int_equal(v, 1500000000ull);
	assert_int_equal(units_parse_duration("250ms", &v, NULL), 0);
	assert_int_equal(v, 250000000ull);
	assert_int_equal(units_parse_duration("5m", &v, NULL), 0);
	assert_int_equal(v, 300000000000ull);
	assert_int_not_equal(units_parse_duration("5 parsecs", &v, NULL), 0);
	assert_int_not_equal(units_parse_duration("-1s", &v, NULL), 0);
}

static void rates_are_decimal_counts(void **state)
{
	(void)state;
	uint64_t v;
	assert_int_equal(units_parse_rate("50k", &v, NULL), 0);
	assert_int_equal(v, 50000);
	assert_int_equal(units_parse_rate("50k/s", &v, NULL), 0);
	assert_int_equal(v, 50000);
	assert_int_equal(units_parse_rate("1.2M", &v, NULL), 0);
	assert_int_equal(v, 1200000);
	assert_int_equal(units_parse_rate("max", &v, NULL), 0);
	assert_int_equal(v, 0);
	assert_int_not_equal(units_parse_rate("0.2", &v, NULL), 0);
	assert_int_not_equal(units_parse_rate("fast", &v, NULL), 0);
}

static void whole_numbers_stay_within_their_bounds(void **state)
{
	(void)state;
	uint64_t v;
	struct error e;
	assert_int_equal(units_parse_uint("32", "workers", 1, 256, &v, &e), 0);
	assert_int_equal(v, 32);
	assert_int_not_equal(units_parse_uint("0", "workers", 1, 256, &v, &e), 0);
	assert_int_not_equal(units_parse_uint("257", "workers", 1, 256, &v, &e), 0);
	assert_non_null(strstr(e.text, "workers '257'"));
	assert_int_not_equal(units_parse_uint("-1", "workers", 0, 256, &v, &e), 0);
	assert_int_not_equal(units_parse_uint("1x", "workers", 0, 256, &v, &e), 0);
	assert_int_not_equal(
		units_parse_uint("99999999999999999999", "seed", 0, UINT64_MAX, &v, &e), 0);
}

static void sizes_print_exactly_when_they_are_whole(void **state)
{
	(void)state;
	GIVES(units_size(OUT, 512), "512 B");
	GIVES(units_size(OUT, 4096), "4 KiB");
	GIVES(units_size(OUT, 3ull << 29), "1.50 GiB");
	GIVES(units_size(OUT, 1ull << 40), "1 TiB");
	/* Never "1024 KiB" by rounding up. */
	GIVES(units_size(OUT, (1ull << 20) - 1), "1.00 MiB");
}

static void exact_times_are_whole_and_can_be_typed(void **state)
{
	static const uint64_t ns[] = {0,          1, 999, 1500, 10 * NS_PER_MS, 90 * NS_PER_SEC,
				      60000000001};
	char text[32];

	(void)state;
	GIVES(units_time_exact(OUT, 1500), "1500 ns");
	GIVES(units_time_exact(OUT, 500 * NS_PER_US), "500 us");
	GIVES(units_time_exact(OUT, 90 * NS_PER_SEC), "90 s");
	for (size_t i = 0; i < sizeof(ns) / sizeof(*ns); i++) {
		uint64_t v;
		units_time_exact(text, sizeof(text), ns[i]);
		assert_int_equal(units_parse_duration(text, &v, NULL), 0);
		assert_int_equal(v, ns[i]);
	}
}

static void counts_have_few_digits_and_never_a_wrong_prefix(void **state)
{
	(void)state;
	GIVES(units_count(OUT, 0), "0");
	GIVES(units_count(OUT, 87), "87");
	GIVES(units_count(OUT, 142900), "142.9k");
	GIVES(units_count(OUT, 6414), "6.41k");
	GIVES(units_count(OUT, 999999), "1.00M");
	GIVES(units_count(OUT, 1250000), "1.25M");
	GIVES(units_count(OUT, 98.76), "98.8");
	GIVES(units_count(OUT, NAN), "-");
}

static void latencies_choose_the_unit_that_fits(void **state)
{
	(void)state;
	GIVES(units_latency(OUT, 812, 0), "812 ns");
	GIVES(units_latency(OUT, 97500, 0), "97.5 µs");
	GIVES(units_latency(OUT, 97500, 1), "97.5 us");
	GIVES(units_latency(OUT, 1790000, 0), "1.79 ms");
	GIVES(units_latency(OUT, 12.3e9, 0), "12.3 s");
	GIVES(units_latency(OUT, 999999, 0), "1.00 ms");
	GIVES(units_latency(OUT, NAN, 0), "-");
}

static void rates_say_which_megabyte(void **state)
{
	(void)state;
	GIVES(units_rate(OUT, 585.0 * 1048576, RATE_MIB), "585 MiB/s");
	GIVES(units_rate(OUT, 585.0 * 1048576, RATE_MB), "613 MB/s");
	GIVES(units_rate(OUT, 0, RATE_MIB), "0.00 MiB/s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(k_means_1024_and_kB_1000),
		cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(times_have_units),
		cmocka_unit_test(rates_are_decimal_counts),
		cmocka_unit_test(whole_numbers_stay_within_their_bounds),
		cmocka_unit_test(sizes_print_exactly_when_they_are_whole),
		cmocka_unit_test(exact_times_are_whole_and_can_be_typed),
		cmocka_unit_test(counts_have_few_digits_and_never_a_wrong_prefix),
		cmocka_unit_test(latencies_choose_the_unit_that_fits),
		cmocka_unit_test(rates_say_which_megabyte),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
