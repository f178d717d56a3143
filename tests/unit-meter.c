/* unit-meter.c - the meters' figures against samples made by hand, over time, and in the config. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "meter.h"

/* Two seconds: 300 reads of 4 KiB, 100 writes of 64 KiB. */
static struct sample by_hand(void)
{
	struct sample s;

	sample_clear(&s);
	s.t_ns = 10 * NS_PER_SEC;
	s.dt_ns = 2 * NS_PER_SEC;
	s.op[IO_READ] = (struct op_sample){.ios = 300,
					   .bytes = 300 * 4096,
					   .errors = 2,
					   .lat_sum = 300 * 500000ull,
					   .lat_min = 1000,
					   .lat_max = 4000000};
	s.op[IO_WRITE] = (struct op_sample){.ios = 100,
					    .bytes = 100 * 65536,
					    .errors = 5,
					    .lat_sum = 100 * 2500000ull,
					    .lat_min = 2000,
					    .lat_max = 9000000};
	s.cpu = (struct cpu_sample){.valid = true,
				    .cpus = 4,
				    .user = 400,
				    .system = 300,
				    .irq = 20,
				    .softirq = 80,
				    .iowait = 500,
				    .steal = 100,
				    .idle = 600,
				    .interrupts = 6000};
	s.net = (struct net_sample){.valid = true,
				    .resends = true,
				    .dt_ns = 4 * NS_PER_SEC,
				    .rx_packets = 30000,
				    .tx_packets = 10000,
				    .errors = 3,
				    .drops = 50,
				    .retransmits = 10};
	return s;
}

static void assert_value(enum meter m, const struct sample *s, double expected)
{
	double value = meter_value(m, s);

	if (isnan(expected) ? !isnan(value) : !(fabs(value - expected) <= 1e-9 * (1 + expected)))
		fail_msg("%s: %.12g, not %.12g", meters[m].word, value, expected);
}

static void every_figure_is_what_the_sums_say(void **state)
{
	static const double expected[METERS] = {
		[METER_IOPS] = 200,        [METER_IOPS_READ] = 150,      [METER_IOPS_WRITE] = 50,
		[METER_MIB] = 3.7109375,   [METER_MIB_READ] = 0.5859375, [METER_MIB_WRITE] = 3.125,
		[METER_MB] = 3.8912,       [METER_MB_READ] = 0.6144,     [METER_MB_WRITE] = 3.2768,
		[METER_MEAN] = 1,          [METER_MEAN_READ] = 0.5,      [METER_MEAN_WRITE] = 2.5,
		[METER_MAX] = 9,           [METER_MAX_READ] = 4,         [METER_MAX_WRITE] = 9,
		[METER_CPU] = 40,          [METER_CPU_USER] = 20,        [METER_CPU_SYSTEM] = 15,
		[METER_CPU_IRQ] = 1,       [METER_CPU_SOFTIRQ] = 4,      [METER_INTERRUPTS] = 3000,
		[METER_EFFECTIVENESS] = 5, [METER_PACKETS] = 10000,      [METER_PACKET_ERRORS] = 3,
		[METER_RESENDS] = 2.5,     [METER_ERRORS] = 7,           [METER_ERRORS_READ] = 2,
		[METER_ERRORS_WRITE] = 5,
	};
	const struct sample s = by_hand();

	(void)state;
	for (int m = 0; m < METERS; m++)
		assert_value((enum meter)m, &s, expected[m]);
}

static void what_is_not_known_is_no_number(void **state)
{
	struct sample s;

	(void)state;
	sample_clear(&s);
	for (int m = 0; m < METERS; m++)
		assert_value((enum meter)m, &s, NAN);
	/* A second without IO, on a host that tells nothing. */
	s.dt_ns = NS_PER_SEC;
	assert_value(METER_IOPS, &s, 0);
	assert_value(METER_MIB_WRITE, &s, 0);
	assert_value(METER_ERRORS, &s, 0);
	assert_value(METER_MEAN, &s, NAN);
	assert_value(METER_MAX_READ, &s, NAN);
	assert_value(METER_CPU, &s, NAN);
	assert_value(METER_EFFECTIVENESS, &s, NAN);
	assert_value(METER_PACKETS, &s, NAN);
	assert_value(METER_PACKET_ERRORS, &s, NAN);
	s = by_hand();
	s.net.resends = false;
	assert_value(METER_RESENDS, &s, NAN);
	/* All of the CPUs' time was idle: no IOPS can be divided by that. */
	s.cpu.user = s.cpu.system = s.cpu.irq = s.cpu.softirq = 0;
	assert_value(METER_CPU, &s, 0);
	assert_value(METER_EFFECTIVENESS, &s, NAN);
}

static void the_cpus_own_time_counts_where_it_is_another(void **state)
{
	struct sample s = by_hand();

	(void)state;
	s.cpu.dt_ns = NS_PER_SEC;
	assert_value(METER_INTERRUPTS, &s, 6000);
}

static void every_meter_has_a_word_of_its_own_and_a_unit(void **state)
{
	(void)state;
	for (int m = 0; m < METERS; m++) {
		assert_true(meters[m].unit[0] && meters[m].name[0] && meters[m].help[0]);
		assert_true(strlen(meters[m].name) < 15 && strlen(meters[m].unit) < 7);
		for (int k = 0; k < m; k++)
			assert_string_not_equal(meters[m].word, meters[k].word);
	}
}

/* --- Over time --- */

static struct sample second(uint64_t at_s, uint64_t reads)
{
	struct sample s;

	sample_clear(&s);
	s.t_ns = at_s * NS_PER_SEC;
	s.dt_ns = NS_PER_SEC;
	s.op[IO_READ] = (struct op_sample){
		.ios = reads, .lat_sum = reads * 1000000, .lat_min = 1000000, .lat_max = 1000000};
	return s;
}

static void assert_trace(const struct meter_board *b, enum meter_since since, enum meter m,
			 double now, double low, double high)
{
	const struct meter_trace *t = &b->trace[since][m];

	assert_true(fabs(t->now - now) < 1e-6);
	assert_true(fabs(t->low - low) < 1e-6);
	assert_true(fabs(t->high - high) < 1e-6);
}

static void least_and_most_stay_while_the_newest_goes_on(void **state)
{
	static const uint64_t reads[] = {100, 400, 200, 100};
	struct meter_board b;

	(void)state;
	meter_board_clear(&b, 1);
	assert_true(isnan(b.trace[METER_SINCE_UPDATE][METER_IOPS].now));
	for (unsigned i = 0; i < 4; i++) {
		const struct sample s = second(i + 1, reads[i]);
		assert_true(meter_board_add(&b, &s));
	}
	assert_trace(&b, METER_SINCE_UPDATE, METER_IOPS, 100, 100, 400);
	/* 100, 250, 233.3, 200 */
	assert_trace(&b, METER_SINCE_START, METER_IOPS, 200, 100, 250);
	assert_int_equal(b.span_ns[METER_SINCE_START], 4 * NS_PER_SEC);
	assert_int_equal(b.updates, 4);
}

static void an_update_is_of_all_its_seconds_together(void **state)
{
	struct meter_board b;

	(void)state;
	meter_board_clear(&b, 5);
	for (unsigned i = 1; i <= 9; i++) {
		const struct sample s = second(i, 100 * i);
		assert_int_equal(meter_board_add(&b, &s), i == 5);
	}
	/* 1 to 5; what came since is for the next. */
	assert_trace(&b, METER_SINCE_UPDATE, METER_IOPS, 300, 300, 300);
	assert_trace(&b, METER_SINCE_START, METER_IOPS, 300, 300, 300);
	const struct sample s = second(10, 1000);
	assert_true(meter_board_add(&b, &s));
	assert_trace(&b, METER_SINCE_UPDATE, METER_IOPS, 800, 300, 800);
	assert_trace(&b, METER_SINCE_START, METER_IOPS, 550, 300, 550);
}

static void the_rest_of_a_second_is_no_update_by_itself(void **state)
{
	struct meter_board b;
	struct sample rest = second(1, 30);

	(void)state;
	meter_board_clear(&b, 1);
	rest.dt_ns = 3 * NS_PER_SEC / 10;
	assert_false(meter_board_add(&b, &rest));
	const struct sample s = second(2, 100);
	assert_true(meter_board_add(&b, &s));
	assert_trace(&b, METER_SINCE_UPDATE, METER_IOPS, 100, 100, 100);
}

/* The newest shows what is; means and maxima of the run leave out what they always do, errors count. */
static void a_lost_path_is_seen_but_in_no_figure_since_the_start(void **state)
{
	struct meter_board b;
	struct sample lost = second(2, 0);

	(void)state;
	meter_board_clear(&b, 1);
	const struct sample s = second(1, 100);
	meter_board_add(&b, &s);
	lost.gap_ns = lost.dt_ns;
	lost.op[IO_READ].errors = 4;
	meter_board_add(&b, &lost);
	assert_trace(&b, METER_SINCE_UPDATE, METER_IOPS, 0, 0, 100);
	assert_trace(&b, METER_SINCE_START, METER_IOPS, 100, 100, 100);
	assert_trace(&b, METER_SINCE_START, METER_ERRORS, 4, 0, 4);
}

static void without_an_io_the_least_and_most_latency_stay(void **state)
{
	struct meter_board b;

	(void)state;
	meter_board_clear(&b, 1);
	struct sample s = second(1, 100);
	meter_board_add(&b, &s);
	s = second(2, 0);
	meter_board_add(&b, &s);
	assert_true(isnan(b.trace[METER_SINCE_UPDATE][METER_MEAN].now));
	assert_true(fabs(b.trace[METER_SINCE_UPDATE][METER_MEAN].low - 1) < 1e-9);
	assert_true(fabs(b.trace[METER_SINCE_UPDATE][METER_MEAN].high - 1) < 1e-9);
}

/* --- The config --- */

static void the_end_of_a_scale_is_a_number_or_nothing(void **state)
{
	static const struct {
		const char *text;
		double top;
	} good[] = {{"", 0},     {"  ", 0},       {"100", 100}, {" 50k", 50000},
		    {".5", 0.5}, {"1.5M", 1.5e6}, {"2G ", 2e9}};
	static const char *const bad[] = {"0", "-1", "k", "nan", "inf", "5x", "5kk", "1e300", "0x"};
	struct error e;
	double top;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(meter_top_parse(&top, good[i].text, &e), 0);
		assert_true(fabs(top - good[i].top) < 1e-9);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		top = 7;
		assert_int_equal(meter_top_parse(&top, bad[i], &e), -EINVAL);
		assert_true(fabs(top - 7) < 1e-9);
		assert_non_null(strstr(e.text, bad[i]));
	}
}

static void what_is_written_is_read_as_it_was(void **state)
{
	struct meter_setup s = meter_setup_usual(), back = s;
	struct error e;
	char name[16], value[64];

	(void)state;
	for (unsigned i = 0; i < METER_ENTRIES; i++)
		assert_false(meter_setup_put(&s, i, name, value));
	s.place[2] = (struct meter_choice){METER_CPU_SOFTIRQ, 12.5};
	s.place[5] = (struct meter_choice){METER_IOPS, 123456789};
	s.since = METER_SINCE_START;
	s.every_s = 90;
	for (unsigned i = 0; i < METER_ENTRIES; i++)
		if (meter_setup_put(&s, i, name, value))
			assert_int_equal(meter_setup_take(&back, name, value, &e), 0);
	for (int i = 0; i < METER_PLACES; i++) {
		assert_int_equal(back.place[i].what, s.place[i].what);
		assert_true(fabs(back.place[i].top - s.place[i].top) < 1e-9);
	}
	assert_int_equal(back.since, METER_SINCE_START);
	assert_int_equal(back.every_s, 90);
}

static void a_wrong_entry_is_named_and_changes_nothing(void **state)
{
	static const struct {
		const char *name, *value, *words;
	} bad[] = {
		{"1", "gauge", "no meter 'gauge': there are iops"},
		{"2", "iops many", "not 'many'"},
		{"7", "iops", "[meters] has 1 to 6"},
		{"0", "iops", "[meters] has 1 to 6"},
		{"since", "ever", "since is update or start, not 'ever'"},
		{"every", "500ms", "whole seconds"},
		{"every", "0s", "0s"},
		{"every", "2d", "2d"},
		{"every", "90000s", "whole seconds"},
	};
	const struct meter_setup usual = meter_setup_usual();
	struct error e;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct meter_setup s = usual;
		assert_int_equal(meter_setup_take(&s, bad[i].name, bad[i].value, &e), -EINVAL);
		if (!strstr(e.text, bad[i].words))
			fail_msg("'%s' is not in '%s'", bad[i].words, e.text);
		assert_int_equal(s.since, usual.since);
		assert_int_equal(s.every_s, usual.every_s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_figure_is_what_the_sums_say),
		cmocka_unit_test(what_is_not_known_is_no_number),
		cmocka_unit_test(the_cpus_own_time_counts_where_it_is_another),
		cmocka_unit_test(every_meter_has_a_word_of_its_own_and_a_unit),
		cmocka_unit_test(least_and_most_stay_while_the_newest_goes_on),
		cmocka_unit_test(an_update_is_of_all_its_seconds_together),
		cmocka_unit_test(the_rest_of_a_second_is_no_update_by_itself),
		cmocka_unit_test(a_lost_path_is_seen_but_in_no_figure_since_the_start),
		cmocka_unit_test(without_an_io_the_least_and_most_latency_stay),
		cmocka_unit_test(the_end_of_a_scale_is_a_number_or_nothing),
		cmocka_unit_test(what_is_written_is_read_as_it_was),
		cmocka_unit_test(a_wrong_entry_is_named_and_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
