/* unit-trigger.c - what is waited for: how it is typed, and on which seconds it fires. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>
#include "trigger.h"

static struct trigger t;

static void parse(const char *text)
{
	struct error e = {""};

	if (trigger_parse(&t, text, &e))
		fail_msg("%s: %s", text, e.text);
}

static void is(const char *text, const char *words)
{
	char out[80];

	parse(text);
	assert_string_equal(trigger_describe(out, sizeof(out), &t, true), words);
}

static void every_figure_can_be_typed(void **state)
{
	(void)state;
	is("p99>20ms", "p99 > 20.0 ms");
	is(" p99.9 >= 800us for 3s", "p99.9 > 800 us for 3 s");
	is("IOPS < 5k", "iops < 5.00k");
	is("rate<100MiB", "rate < 100 MiB/s");
	is("mean > 1.5ms", "mean > 1.50 ms");
	is("max > 1s for 1s", "max > 1.00 s");
	is("cpu > 90%", "cpu > 90.0 %");
	is("p50 < 10us", "p50 < 10.0 us");
	is("p95 > 5ms", "p95 > 5.00 ms");
	is("errors", "an IO fails");
	is("path for 2s", "a path is lost for 2 s");
}

static void what_is_no_trigger_is_told_with_one_that_is(void **state)
{
	static const char *const bad[] = {"",
					  "p99",
					  "p98 > 1ms",
					  "p99 > ",
					  "p99 20ms",
					  "iops < x",
					  "errors > 3",
					  "path now",
					  "p99 > 0",
					  "cpu > 200%",
					  "p99>1ms for 1.5s",
					  "p99>1ms for 0s",
					  "p99 > 1ms for"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error e = {""};
		if (trigger_parse(&t, bad[i], &e) != -EINVAL || !e.text[0])
			fail_msg("'%s' was taken", bad[i]);
	}
}

static bool second(uint64_t ios, uint64_t p99, unsigned lost)
{
	struct sample s;
	double value;

	sample_clear(&s);
	s.dt_ns = NS_PER_SEC;
	s.op[IO_READ].ios = ios;
	s.op[IO_READ].lat_max = 2 * p99;
	s.p99 = ios ? p99 : 0;
	return trigger_second(&t, &s, lost, &value);
}

static void it_fires_once_and_again_only_after_it_has_let_go(void **state)
{
	(void)state;
	parse("p99 > 20ms");
	assert_false(second(1000, 20000000, 0));
	assert_true(second(1000, 20000001, 0));
	for (int i = 0; i < 100; i++)
		assert_false(second(1000, 30000000, 0));
	assert_false(second(1000, 19000000, 0));
	assert_true(second(1000, 21000000, 0));
}

/* Up and down, second by second: none of it lasts. */
static void what_is_asked_for_several_seconds_must_hold_for_them_and_be_gone_for_them(void **state)
{
	(void)state;
	parse("iops < 500 for 3s");
	for (int i = 0; i < 20; i++)
		assert_false(second(i % 3 ? 100 : 900, 1, 0));
	assert_false(second(900, 1, 0));
	assert_false(second(100, 1, 0));
	assert_false(second(100, 1, 0));
	assert_true(second(100, 1, 0));
	for (int i = 0; i < 20; i++)
		assert_false(second(i % 3 ? 900 : 100, 1, 0));
	for (int i = 0; i < 3; i++)
		assert_false(second(900, 1, 0));
	assert_false(second(100, 1, 0));
	assert_false(second(100, 1, 0));
	assert_true(second(100, 1, 0));
}

static void without_an_io_there_is_no_latency_but_there_are_iops(void **state)
{
	(void)state;
	parse("p99 < 1ms");
	assert_false(second(0, 0, 0));
	parse("iops < 1k");
	assert_true(second(0, 0, 0));
	parse("path");
	assert_false(second(10, 1, 0));
	assert_true(second(10, 1, 2));
	assert_false(second(10, 1, 2));
	assert_false(second(10, 1, 0));
	assert_true(second(10, 1, 1));
}

static void the_other_figures_are_those_of_the_second(void **state)
{
	struct sample s;
	double value;
	char out[80];

	(void)state;
	sample_clear(&s);
	s.dt_ns = 2 * NS_PER_SEC;
	s.op[IO_READ] = (struct op_sample){
		.ios = 100, .bytes = 409600, .lat_sum = 500000000, .lat_max = 9000000};
	s.op[IO_WRITE] = (struct op_sample){
		.ios = 100, .bytes = 409600, .lat_sum = 100000000, .lat_max = 7000000, .errors = 3};
	s.cpu = (struct cpu_sample){.valid = true, .user = 30, .system = 20, .idle = 50};
	parse("mean > 2ms");
	assert_true(trigger_second(&t, &s, 0, &value));
	assert_true(fabs(value - 3e6) < 1);
	assert_string_equal(trigger_words(out, sizeof(out), &t, value, true),
			    "mean 3.00 ms > 2.00 ms");
	parse("iops > 99");
	assert_true(trigger_second(&t, &s, 0, &value));
	assert_true(fabs(value - 100) < 1e-9);
	parse("rate < 1MiB");
	assert_true(trigger_second(&t, &s, 0, &value));
	assert_true(fabs(value - 409600) < 1e-6);
	parse("max > 8ms");
	assert_true(trigger_second(&t, &s, 0, &value));
	assert_true(fabs(value - 9e6) < 1);
	parse("cpu > 49%");
	assert_true(trigger_second(&t, &s, 0, &value));
	assert_true(fabs(value - 50) < 1e-9);
	parse("errors");
	assert_true(trigger_second(&t, &s, 0, &value));
	assert_string_equal(trigger_words(out, sizeof(out), &t, value, true), "3 IOs failed");
	/* Of a rest nothing is said. */
	parse("iops > 1");
	s.dt_ns = NS_PER_SEC / 4;
	assert_false(trigger_second(&t, &s, 0, &value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_figure_can_be_typed),
		cmocka_unit_test(what_is_no_trigger_is_told_with_one_that_is),
		cmocka_unit_test(it_fires_once_and_again_only_after_it_has_let_go),
		cmocka_unit_test(
			what_is_asked_for_several_seconds_must_hold_for_them_and_be_gone_for_them),
		cmocka_unit_test(without_an_io_there_is_no_latency_but_there_are_iops),
		cmocka_unit_test(the_other_figures_are_those_of_the_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
