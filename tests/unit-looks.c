/* unit-looks.c - how late the engine looked for completions, and the CPUs it looks from. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "cpus.h"
#include "engine.h"
#include "looks.h"
#include "setting.h"
#include "target.h"
#include "tests/proc.h"
#include "units.h"

/* --- Looks. --- */

static void the_delay_is_the_end_of_the_power_of_two_that_holds_the_percentile(void **state)
{
	struct looks l = {0};

	(void)state;
	assert_int_equal(looks_delay(&l, 0.99), 0);
	l.delay[look_bucket(1000)] = 99; /* 512 to 1023 ns */
	l.delay[look_bucket(5000)] = 1;  /* 4096 to 8191 ns */
	assert_int_equal(looks_delay(&l, 0.50), 1024);
	assert_int_equal(looks_delay(&l, 0.99), 1024);
	assert_int_equal(looks_delay(&l, 0.991), 8192);
	assert_int_equal(look_bucket(0), 0);
	assert_int_equal(look_bucket(UINT64_MAX), LOOK_BUCKETS - 1);
}

static void looks_add_up_and_are_taken_apart_again(void **state)
{
	struct looks a = {.found = {1, 2, 3}, .delay = {[4] = 5}},
		     b = {.found = {10, 20, 30}, .delay = {[4] = 50, [6] = 7}};
	struct looks sum = looks_sum(&a, &b), back = looks_since(&sum, &a);

	(void)state;
	assert_int_equal(looks_total(&sum), 66);
	assert_int_equal(sum.delay[4], 55);
	assert_memory_equal(&back, &b, sizeof(b));
}

static void the_words_name_shares_and_the_bound(void **state)
{
	struct looks l = {.found = {50, 25, 25}, .delay = {[9] = 75}};
	char text[128];

	(void)state;
	assert_string_equal(looks_describe(text, sizeof(text), &l, true),
			    "50.0 % at once, 25.0 % spinning, 25.0 % asleep; delay p99 <= 1.02 us");
	assert_string_equal(looks_describe(text, sizeof(text), &(struct looks){0}, true), "");
}

/* --- The engine's. --- */

static struct engine_counters counters;

/* Runs w on the null target until so many IOs are done, and reads the counters at the end. */
static void run_until(const char *spec, const struct workload *w, uint64_t ios)
{
	struct target t;
	struct engine *engine;
	struct error e = {""};

	if (target_open(&t, spec, &(struct target_options){0}, &e) ||
	    engine_create(&engine, &t, w, &e))
		fail_msg("%s", e.text);
	double limit = proc_now() + proc_patience();
	do {
		nanosleep(&(struct timespec){0, NS_PER_MS}, NULL);
		engine_collect(engine, &counters);
	} while (counters.op[IO_READ].ios < ios && proc_now() < limit);
	assert_true(counters.op[IO_READ].ios >= ios);
	assert_int_equal(engine_stop(engine, 5 * NS_PER_SEC), 0);
	engine_collect(engine, &counters);
	engine_destroy(engine);
	target_close(&t);
}

static void every_completion_is_met_in_one_way(void **state)
{
	struct workload w = workload_default();

	(void)state;
	run_until("null:200us", &w, 500);
	assert_int_equal(looks_total(&counters.looks), counters.op[IO_READ].ios);
}

static void without_spinning_none_is_found_spinning(void **state)
{
	struct workload w = workload_default();

	(void)state;
	w.spin_us = -1;
	run_until("null:50us", &w, 500);
	assert_int_equal(counters.looks.found[LOOK_SPIN], 0);
	assert_true(counters.looks.found[LOOK_SLEEP] > 0);
}

/* A spin longer than the latency finds what it waits for; how often the scheduler takes the CPU away in
 * between is not for a test to say. */
static void a_spin_that_outlasts_the_latency_finds_completions(void **state)
{
	struct workload w = workload_default();

	(void)state;
	w.outstanding = 1;
	w.spin_us = 1000;
	run_until("null:20us", &w, 2000);
	assert_true(counters.looks.found[LOOK_SPIN] > 0);
	assert_true(looks_delay(&counters.looks, 0.5) > 0);
}

/* What passes before an IO is submitted is no delay of looking for it. */
static void a_pause_between_ios_is_no_delay(void **state)
{
	struct workload w = workload_default();

	(void)state;
	w.think_ns = 100 * NS_PER_MS;
	w.burst = 8;
	w.spin_us = -1;
	run_until("null:", &w, 40);
	assert_int_equal(counters.looks.found[LOOK_SLEEP], 0);
	assert_true(looks_delay(&counters.looks, 0.5) < 50 * NS_PER_MS);
}

/* --- CPUs. --- */

static void assert_list(const char *text, const char *want)
{
	cpu_set_t set;
	struct error e = {""};
	char out[64];

	if (cpus_parse(&set, text, &e))
		fail_msg("'%s': %s", text, e.text);
	assert_string_equal(cpus_format(out, sizeof(out), &set), want);
}

static void lists_of_cpus_are_read_and_written_as_taskset_does(void **state)
{
	static const char *const bad[] = {"",   ",",  "0,",   "x",   "3-1",
					  "0-", "-1", "1024", "0 1", "0--1"};
	cpu_set_t set;

	(void)state;
	assert_list("all", "all");
	assert_list("0", "0");
	assert_list("0-3,8", "0-3,8");
	assert_list("8,3,2,1,0", "0-3,8");
	assert_list("0,1", "0-1");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct error e = {""};
		if (cpus_parse(&set, bad[i], &e) != -EINVAL)
			fail_msg("'%s' was taken", bad[i]);
		assert_non_null(strstr(e.text, bad[i]));
	}
}

static void workers_take_the_cpus_in_turn(void **state)
{
	cpu_set_t set, home, one;

	(void)state;
	CPU_ZERO(&home);
	CPU_SET(5, &home);
	assert_int_equal(cpus_parse(&set, "2,7", NULL), 0);
	for (uint32_t i = 0; i < 4; i++) {
		one = cpus_of_worker(&set, i, &home);
		assert_int_equal(CPU_COUNT(&one), 1);
		assert_true(CPU_ISSET(i % 2 ? 7 : 2, &one));
	}
	CPU_ZERO(&set);
	one = cpus_of_worker(&set, 3, &home);
	assert_true(CPU_EQUAL(&one, &home));
}

static void a_cpu_that_is_not_there_is_refused(void **state)
{
	struct workload w = workload_default();
	struct workload_limits l = {.target = "null", .target_size = 1 << 30, .logical_block = 512};
	struct error e = {""};

	(void)state;
	assert_int_equal(cpus_parse(&w.cpus, "1023", NULL), 0);
	assert_int_equal(workload_validate(&w, &l, &e), -EINVAL);
	assert_non_null(strstr(e.text, "1023"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_delay_is_the_end_of_the_power_of_two_that_holds_the_percentile),
		cmocka_unit_test(looks_add_up_and_are_taken_apart_again),
		cmocka_unit_test(the_words_name_shares_and_the_bound),
		cmocka_unit_test(every_completion_is_met_in_one_way),
		cmocka_unit_test(without_spinning_none_is_found_spinning),
		cmocka_unit_test(a_spin_that_outlasts_the_latency_finds_completions),
		cmocka_unit_test(a_pause_between_ios_is_no_delay),
		cmocka_unit_test(lists_of_cpus_are_read_and_written_as_taskset_does),
		cmocka_unit_test(workers_take_the_cpus_in_turn),
		cmocka_unit_test(a_cpu_that_is_not_there_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
