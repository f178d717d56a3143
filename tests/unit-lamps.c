/* unit-lamps.c - what the lamps say of a stretch of time, and when they had better say nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "run_internal.h"
#include "units.h"

#define DEVICE_UNKNOWN (-1.0)

static struct workload w;
static const struct backend *deep, *one_at_a_time;
static struct lamp lamp;

static int begin(void **state)
{
	(void)state;
	w = workload_default();
	deep = backend_find("null");
	one_at_a_time = backend_find("sync");
	return deep && one_at_a_time ? 0 : -1;
}

/* A second in which that many IOs of 1 ms were in flight on average. */
static struct sample second(double depth, uint32_t requested)
{
	struct sample s;
	sample_clear(&s);
	s.t_ns = 100 * NS_PER_SEC;
	s.dt_ns = NS_PER_SEC;
	s.depth_ns = (uint64_t)(depth * 1e9);
	s.depth_requested = requested;
	s.op[IO_READ].ios = (uint64_t)(depth * 1000);
	s.op[IO_READ].lat_sum = s.depth_ns;
	s.op[IO_READ].lat_min = s.op[IO_READ].lat_max = NS_PER_MS;
	return s;
}

static void check_lamp(enum lamp_level level, const char *text)
{
	if (lamp.level != level || strcmp(lamp.text, text) != 0)
		fail_msg("level %d '%s', and not level %d '%s'", lamp.level, lamp.text, level,
			 text);
}

static void check_depth(double achieved, uint32_t requested, const struct backend *b,
			double in_device, enum lamp_level level, const char *text)
{
	struct sample s = second(achieved, requested);
	memset(&lamp, 0xff, sizeof(lamp));
	lamp_depth(&lamp, &s, &w, b, in_device);
	check_lamp(level, text);
}

/* --- The depth. --- */

static void a_depth_that_is_reached_is_good(void **state)
{
	(void)state;
	check_depth(8, 8, deep, DEVICE_UNKNOWN, LAMP_GOOD, "depth 8.0 of 8");
	check_depth(7.3, 8, deep, DEVICE_UNKNOWN, LAMP_GOOD, "depth 7.3 of 8");
	check_depth(128, 128, deep, DEVICE_UNKNOWN, LAMP_GOOD, "depth 128 of 128");
	check_depth(1, 1, one_at_a_time, DEVICE_UNKNOWN, LAMP_GOOD, "depth 1.0 of 1");
	/* what two clocks that are read one after the other make of 16 */
	check_depth(16.3, 16, deep, DEVICE_UNKNOWN, LAMP_GOOD, "depth 16.0 of 16");
	/* just turned down */
	check_depth(20, 16, deep, DEVICE_UNKNOWN, LAMP_GOOD, "depth 20.0 of 16");
}

static void a_depth_that_the_rate_holds_down_is_good_and_says_why(void **state)
{
	(void)state;
	w.rate_iops = 1000;
	check_depth(1, 8, deep, DEVICE_UNKNOWN, LAMP_GOOD, "depth 1.0 of 8: held by the rate");
	check_depth(1, 8, one_at_a_time, DEVICE_UNKNOWN, LAMP_GOOD,
		    "depth 1.0 of 8: held by the rate");
	/* Reached all the same: nothing to explain. */
	check_depth(8, 8, deep, DEVICE_UNKNOWN, LAMP_GOOD, "depth 8.0 of 8");
}

static void with_a_backlog_it_is_not_the_rate_that_holds_the_depth_down(void **state)
{
	struct sample s = second(1, 8);
	(void)state;
	w.rate_iops = 1000;
	s.due.backlog = 100;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	check_lamp(LAMP_GOOD, "depth 1.0 of 8: held by the rate");
	s.due.backlog = 101;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	check_lamp(LAMP_BAD, "depth 1.0 of 8: engine too slow");
}

static void a_depth_that_the_think_time_holds_down_is_good_and_says_why(void **state)
{
	(void)state;
	w.think_ns = NS_PER_MS;
	check_depth(1, 8, deep, DEVICE_UNKNOWN, LAMP_GOOD,
		    "depth 1.0 of 8: held by the think time");
	w.access.count = 1; /* whose lines have no delay */
	w.access.line[0].share = 100;
	check_depth(4, 8, deep, DEVICE_UNKNOWN, LAMP_WARN, "depth 4.0 of 8: engine too slow");
	w.access.line[0].delay_ms = 1;
	check_depth(1, 8, deep, DEVICE_UNKNOWN, LAMP_GOOD,
		    "depth 1.0 of 8: held by the think time");
}

static void an_engine_that_is_too_slow_is_a_warning_and_below_half_bad(void **state)
{
	(void)state;
	check_depth(7.1, 8, deep, DEVICE_UNKNOWN, LAMP_WARN, "depth 7.1 of 8: engine too slow");
	check_depth(4, 8, deep, DEVICE_UNKNOWN, LAMP_WARN, "depth 4.0 of 8: engine too slow");
	check_depth(3.9, 8, deep, DEVICE_UNKNOWN, LAMP_BAD, "depth 3.9 of 8: engine too slow");
	check_depth(0, 8, deep, DEVICE_UNKNOWN, LAMP_BAD, "depth 0.0 of 8: engine too slow");
}

static void a_backend_with_a_reason_of_its_own_gives_it(void **state)
{
	(void)state;
	check_depth(1, 64, one_at_a_time, DEVICE_UNKNOWN, LAMP_BAD,
		    "depth 1.0 of 64: it does one IO at a time per worker");
}

static void ios_that_wait_in_front_of_the_device_are_a_warning(void **state)
{
	(void)state;
	check_depth(32, 32, deep, 1.2, LAMP_WARN, "depth 32.0 of 32: only 1.2 in the device");
	check_depth(4, 4, deep, 0.9, LAMP_WARN, "depth 4.0 of 4: only 0.9 in the device");
	check_depth(4, 4, deep, 0, LAMP_WARN, "depth 4.0 of 4: only 0.0 in the device");
	/* A quarter is what a fast device may leave to the engine. */
	check_depth(32, 32, deep, 8.1, LAMP_GOOD, "depth 32.0 of 32");
	/* Too few to tell queueing from chance, or the kernel doesn't say. */
	check_depth(3, 3, deep, 0.1, LAMP_GOOD, "depth 3.0 of 3");
	check_depth(32, 32, deep, DEVICE_UNKNOWN, LAMP_GOOD, "depth 32.0 of 32");
}

static void where_most_ios_fail_that_is_the_reason(void **state)
{
	(void)state;
	struct sample s = second(0.2, 8);
	s.op[IO_WRITE].errors = s.op[IO_READ].ios + 1;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	check_lamp(LAMP_BAD, "depth 0.2 of 8: most IOs fail");
	s.op[IO_WRITE].errors = s.op[IO_READ].ios;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	check_lamp(LAMP_BAD, "depth 0.2 of 8: engine too slow");
}

static void a_stuck_io_is_bad_whatever_the_depth(void **state)
{
	struct sample s = second(8, 8);
	(void)state;
	s.oldest_ns = 12 * NS_PER_SEC;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	check_lamp(LAMP_BAD, "depth 8.0 of 8: an IO is stuck for 12 s");
	w.rate_iops = 1000;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	check_lamp(LAMP_BAD, "depth 8.0 of 8: an IO is stuck for 12 s");
	/* Slow is not stuck. */
	s.oldest_ns = 4 * NS_PER_SEC;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	check_lamp(LAMP_GOOD, "depth 8.0 of 8");
}

static void a_run_that_is_paused_has_no_depth_to_judge(void **state)
{
	(void)state;
	check_depth(0, 0, deep, DEVICE_UNKNOWN, LAMP_OFF, "IO is stopped");
	w.paused = true;
	check_depth(5, 8, deep, DEVICE_UNKNOWN, LAMP_OFF, "IO is stopped");
}

static void a_stretch_that_is_too_short_is_not_judged(void **state)
{
	struct sample s = second(0.1, 8);
	(void)state;
	s.dt_ns = 299 * NS_PER_MS;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	check_lamp(LAMP_OFF, "");
	s.op[IO_READ].lat_sum = 0;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_OFF, "");
	s.dt_ns = 300 * NS_PER_MS;
	lamp_depth(&lamp, &s, &w, deep, DEVICE_UNKNOWN);
	assert_int_equal(lamp.level, LAMP_BAD);
}

/* --- Little's law. --- */

static void latencies_that_explain_the_depth_are_good(void **state)
{
	struct sample s = second(8, 8);
	(void)state;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_GOOD, "IOPS x latency = 1.00 of depth");
	/* Both directions count. */
	s.op[IO_WRITE] = s.op[IO_READ];
	s.op[IO_READ].lat_sum = s.depth_ns / 4;
	s.op[IO_WRITE].lat_sum = s.depth_ns / 4 * 3;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_GOOD, "IOPS x latency = 1.00 of depth");
	s.op[IO_WRITE].lat_sum -= s.depth_ns / 25;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_GOOD, "IOPS x latency = 0.96 of depth");
}

static void latencies_that_are_a_tenth_off_are_bad(void **state)
{
	struct sample s = second(8, 8);
	(void)state;
	s.op[IO_READ].lat_sum = s.depth_ns / 10 * 9;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_BAD, "IOPS x latency = 0.90 of depth");
	s.op[IO_READ].lat_sum = s.depth_ns / 10 * 11;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_BAD, "IOPS x latency = 1.10 of depth");
	s.op[IO_READ].lat_sum = 0;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_BAD, "IOPS x latency = 0.00 of depth");
}

/* Eight IOs of 150 ms that hang over the stretch's ends are 1.2 IO x s of the 8. */
static void what_hangs_over_the_ends_of_the_stretch_is_allowed_for(void **state)
{
	struct sample s = second(8, 8);
	(void)state;
	s.op[IO_READ].lat_sum = s.depth_ns / 10 * 9;
	s.op[IO_READ].lat_max = 150 * NS_PER_MS;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_GOOD, "IOPS x latency = 0.90 of depth");
	/* Not for more than that. */
	s.op[IO_READ].lat_sum = s.depth_ns / 10 * 8;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_BAD, "IOPS x latency = 0.80 of depth");
	/* One that has not come back yet counts with the age it has. */
	s.oldest_ns = 250 * NS_PER_MS;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_GOOD, "IOPS x latency = 0.80 of depth");
}

static void with_failed_ios_or_none_there_is_no_law_to_check(void **state)
{
	struct sample s = second(8, 8);
	(void)state;
	s.op[IO_READ].lat_sum = s.depth_ns / 2;
	s.op[IO_READ].errors = 1;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_OFF, "");
	s.op[IO_READ].errors = 0;
	s.op[IO_WRITE].errors = 1;
	lamp_little(&lamp, &s);
	check_lamp(LAMP_OFF, "");
	s = second(0, 8);
	lamp_little(&lamp, &s);
	check_lamp(LAMP_OFF, "");
}

#define LAMP_TEST(f) cmocka_unit_test_setup(f, begin)

/* --- The rate. --- */

static void check_rate(uint64_t offered, uint64_t started, uint64_t backlog, enum lamp_level level,
		       const char *text)
{
	struct sample s = second(8, 8);
	s.due.offered = offered;
	s.due.started = s.due.ios = started;
	s.due.backlog = backlog;
	memset(&lamp, 0xff, sizeof(lamp));
	lamp_rate(&lamp, &s, &w);
	check_lamp(level, text);
}

static void a_rate_that_is_done_is_good(void **state)
{
	(void)state;
	w.rate_iops = 5000;
	check_rate(5000, 4990, 10, LAMP_GOOD, "rate 4.99k done of 5.00k offered");
	/* A tenth of a second's worth may wait. */
	check_rate(5000, 4500, 500, LAMP_GOOD, "rate 4.50k done of 5.00k offered");
	/* What fits into the depth, where that is more. */
	w.rate_iops = 20;
	check_rate(20, 12, 8, LAMP_GOOD, "rate 12 done of 20 offered");
}

static void a_backlog_that_grows_is_a_rate_that_is_not_sustained(void **state)
{
	(void)state;
	w.rate_iops = 5000;
	check_rate(5000, 4200, 12300, LAMP_BAD,
		   "rate not sustained: 4.20k done of 5.00k offered, backlog 12.3k");
	check_rate(5000, 4999, 501, LAMP_BAD,
		   "rate not sustained: 5.00k done of 5.00k offered, backlog 501");
	check_rate(5000, 5000, 501, LAMP_WARN,
		   "rate catching up: 5.00k done of 5.00k offered, backlog 501");
	check_rate(5000, 9000, 12300, LAMP_WARN,
		   "rate catching up: 9.00k done of 5.00k offered, backlog 12.3k");
	w.rate_iops = 20;
	check_rate(20, 11, 9, LAMP_BAD, "rate not sustained: 11 done of 20 offered, backlog 9");
}

static void without_a_rate_its_lamp_is_off(void **state)
{
	(void)state;
	check_rate(0, 0, 0, LAMP_OFF, "");
	w.rate_iops = 5000;
	w.paused = true;
	check_rate(0, 0, 0, LAMP_OFF, "");
}

/* --- Steadiness. --- */

static struct timeline *t;
static uint64_t now, segment;
static struct steady steady;

static int begin_steady(void **state)
{
	begin(state);
	/* The words have times of day in them. */
	setenv("TZ", "UTC", 1);
	tzset();
	t = timeline_create();
	now = segment = 1000 * NS_PER_SEC;
	steady = (struct steady){0};
	if (!t)
		return -1;
	timeline_expect_gaps(t);
	timeline_mark(t, MARK_START, now, 1, &w, "start");
	return 0;
}

static int end_steady(void **state)
{
	(void)state;
	timeline_destroy(t);
	return 0;
}

/* That many seconds, and in how many of them the steady state was left; every other one is off by one per
 * cent. */
static unsigned run_seconds(unsigned seconds, double from, double to)
{
	unsigned left = 0;

	for (unsigned i = 0; i < seconds; i++) {
		double iops = from + (to - from) * i / seconds;
		struct sample s;
		sample_clear(&s);
		now += NS_PER_SEC;
		s.t_ns = now;
		s.dt_ns = NS_PER_SEC;
		s.depth_requested = w.paused ? 0 : 8;
		s.op[IO_READ].ios = (uint64_t)(iops * (i % 2 ? 1.01 : 0.99));
		timeline_tick(t, &s, NULL);
		timeline_second(t, &s);
		left += steady_second(&steady, t, segment);
	}
	lamp_steady(&lamp, &steady, &w, 0);
	return left;
}

static void five_rounds_of_the_same_are_steady_and_fewer_say_nothing(void **state)
{
	(void)state;
	run_seconds(0, 0, 0);
	check_lamp(LAMP_OFF, "steady not known: 0 of 50 s");
	run_seconds(49, 1000, 1000);
	check_lamp(LAMP_OFF, "steady not known: 49 of 50 s");
	run_seconds(1, 1000, 1000);
	check_lamp(LAMP_GOOD, "steady: IOPS within 0.2 % for 50 s");
}

static void what_rises_or_jumps_about_is_not_steady_yet(void **state)
{
	(void)state;
	run_seconds(50, 1000, 1170);
	check_lamp(LAMP_WARN, "steady not yet: IOPS rise by 13 % in 50 s");
	segment = now;
	run_seconds(50, 1000, 840);
	check_lamp(LAMP_WARN, "steady not yet: IOPS fall by 14 % in 50 s");
	segment = now;
	for (int i = 0; i < 3; i++) {
		run_seconds(10, 1000, 1000);
		run_seconds(10, 1300, 1300);
	}
	check_lamp(LAMP_WARN, "steady not yet: IOPS range over 25 %");
}

static void leaving_the_steady_state_is_told_once_and_when_it_was(void **state)
{
	(void)state;
	assert_int_equal(run_seconds(200, 1000, 1000), 0);
	/* At second 1200 of the clock. */
	assert_int_equal(run_seconds(10, 700, 700), 1);
	check_lamp(LAMP_BAD, "steady no more: left about 00:20:00, IOPS range over 32 %");
	assert_int_equal(run_seconds(20, 700, 700), 0);
	assert_int_equal(lamp.level, LAMP_BAD);
	/* Five rounds at another level are a steady state too. */
	assert_int_equal(run_seconds(20, 700, 700), 0);
	check_lamp(LAMP_GOOD, "steady: IOPS within 0.0 % for 50 s");
}

static void a_slow_fall_is_dated_to_its_beginning(void **state)
{
	(void)state;
	assert_int_equal(run_seconds(300, 1000, 1000), 0);
	assert_int_equal(run_seconds(100, 1000, 700), 1);
	/* It began at 00:21:40, and was noticed when it was a tenth in 50 s. */
	assert_in_range(steady.left_ns / NS_PER_SEC, 1300, 1320);
}

static void another_segment_begins_anew(void **state)
{
	(void)state;
	run_seconds(60, 1000, 1000);
	assert_int_equal(lamp.level, LAMP_GOOD);
	segment = now;
	timeline_mark(t, MARK_KNOB, now, 2, &w, "x");
	assert_int_equal(run_seconds(20, 500, 500), 0);
	check_lamp(LAMP_OFF, "steady not known: 20 of 50 s");
	assert_int_equal(run_seconds(30, 500, 500), 0);
	assert_int_equal(lamp.level, LAMP_GOOD);
}

static void the_time_of_an_outage_says_nothing(void **state)
{
	(void)state;
	run_seconds(60, 1000, 1000);
	/* It is known when the path goes that this time does not count. */
	uint32_t gap = timeline_gap(t, 0, now, 0);
	assert_int_equal(run_seconds(15, 3, 3), 0);
	assert_int_equal(lamp.level, LAMP_GOOD);
	timeline_gap(t, gap, now - 15 * NS_PER_SEC, now);
	assert_int_equal(run_seconds(30, 1000, 1000), 0);
	check_lamp(LAMP_GOOD, "steady: IOPS within 0.0 % for 50 s");
}

static void a_stopped_io_has_no_steady_state(void **state)
{
	(void)state;
	w.paused = true;
	run_seconds(60, 0, 0);
	check_lamp(LAMP_OFF, "IO is stopped");
}

static void a_whole_segment_is_steady_when_its_end_is_and_its_warm_up_was_short(void **state)
{
	(void)state;
	run_seconds(49, 1000, 1000);
	assert_int_equal(steady_word_of(t, segment, now), STEADY_NOT_KNOWN);
	run_seconds(50, 1000, 1000);
	assert_int_equal(steady_word_of(t, segment, now), STEADY_TRUE);
	run_seconds(50, 1000, 600);
	assert_int_equal(steady_word_of(t, segment, now), STEADY_FALSE);
	/* The end is steady again, but most of it is another level. */
	run_seconds(50, 600, 600);
	assert_int_equal(steady_word_of(t, segment, now), STEADY_FALSE);
	assert_int_equal(steady_word_of(t, now - 50 * NS_PER_SEC, now), STEADY_TRUE);
}

#define STEADY_TEST(f) cmocka_unit_test_setup_teardown(f, begin_steady, end_steady)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LAMP_TEST(a_depth_that_is_reached_is_good),
		LAMP_TEST(a_depth_that_the_rate_holds_down_is_good_and_says_why),
		LAMP_TEST(with_a_backlog_it_is_not_the_rate_that_holds_the_depth_down),
		LAMP_TEST(a_depth_that_the_think_time_holds_down_is_good_and_says_why),
		LAMP_TEST(a_rate_that_is_done_is_good),
		LAMP_TEST(a_backlog_that_grows_is_a_rate_that_is_not_sustained),
		LAMP_TEST(without_a_rate_its_lamp_is_off),
		LAMP_TEST(an_engine_that_is_too_slow_is_a_warning_and_below_half_bad),
		LAMP_TEST(a_backend_with_a_reason_of_its_own_gives_it),
		LAMP_TEST(ios_that_wait_in_front_of_the_device_are_a_warning),
		LAMP_TEST(where_most_ios_fail_that_is_the_reason),
		LAMP_TEST(a_stuck_io_is_bad_whatever_the_depth),
		LAMP_TEST(a_run_that_is_paused_has_no_depth_to_judge),
		LAMP_TEST(a_stretch_that_is_too_short_is_not_judged),
		LAMP_TEST(latencies_that_explain_the_depth_are_good),
		LAMP_TEST(latencies_that_are_a_tenth_off_are_bad),
		LAMP_TEST(what_hangs_over_the_ends_of_the_stretch_is_allowed_for),
		LAMP_TEST(with_failed_ios_or_none_there_is_no_law_to_check),
		STEADY_TEST(five_rounds_of_the_same_are_steady_and_fewer_say_nothing),
		STEADY_TEST(what_rises_or_jumps_about_is_not_steady_yet),
		STEADY_TEST(leaving_the_steady_state_is_told_once_and_when_it_was),
		STEADY_TEST(a_slow_fall_is_dated_to_its_beginning),
		STEADY_TEST(another_segment_begins_anew),
		STEADY_TEST(the_time_of_an_outage_says_nothing),
		STEADY_TEST(a_stopped_io_has_no_steady_state),
		STEADY_TEST(a_whole_segment_is_steady_when_its_end_is_and_its_warm_up_was_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
