/* unit-compare-live.c - two segments of a timeline that goes on: which, from what, and when it is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/live.h"

#define START (1000 * NS_PER_SEC)

static struct timeline *t;
static uint64_t now;   /* where the timeline ends */
static unsigned noise; /* of the generator */

static int begin(void **state)
{
	(void)state;
	t = timeline_create();
	now = START;
	noise = 1;
	return t ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	timeline_destroy(t);
	return 0;
}

/* -1 .. 1, uniform, each independent of the one before. */
static double draw(void)
{
	noise = noise * 1664525u + 1013904223u;
	return (double)(noise >> 8) / (1 << 23) - 1;
}

/* Seconds of reads of 4 KiB, as many as given up to 3 %, with 20 us of CPU each. */
static void run_for(unsigned seconds, double iops)
{
	for (unsigned i = 0; i < seconds; i++) {
		struct sample second;
		sample_clear(&second);
		for (int k = 0; k < 10; k++) {
			struct sample s;
			sample_clear(&s);
			now += TICK_NS;
			s.t_ns = now;
			s.dt_ns = TICK_NS;
			s.depth_requested = 8;
			s.op[IO_READ].ios = (uint64_t)(iops / 10 * (1 + 0.03 * draw()));
			s.op[IO_READ].bytes = s.op[IO_READ].ios * 4096;
			s.op[IO_READ].lat_sum = s.op[IO_READ].ios * 1000000;
			timeline_tick(t, &s, NULL);
			sample_add(&second, &s);
		}
		second.cpu.valid = true;
		second.cpu.user = second.op[IO_READ].ios * 20000;
		second.cpu.idle = 2 * NS_PER_SEC - second.cpu.user;
		timeline_second(t, &second);
	}
}

static void mark(enum mark_kind kind, const char *text)
{
	struct workload w = workload_default();

	w.paused = kind == MARK_PAUSE && strcmp(text, "IO stopped") == 0;
	timeline_mark(t, kind, now, 1, &w, text);
}

static struct live_pair *look(uint32_t a, uint32_t b)
{
	struct live_wish wish = {.a = a, .b = b};
	struct live_pair *l = live_list(t, &wish, NULL);

	assert_non_null(l);
	assert_int_equal(live_compare(l, t, NULL, NULL), 0);
	return l;
}

static void expect_words(const struct live_pair *l, const char *words)
{
	char text[120];

	assert_string_equal(live_words(text, sizeof(text), l), words);
}

static void without_a_mark_there_is_nothing_to_compare(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(10, 1000);
	struct live_pair *l = look(0, 0);
	assert_int_equal(l->state, LIVE_ONE);
	assert_int_equal(l->segments, 1);
	expect_words(l, "there is one segment so far");
	live_free(l);
}

static void a_known_effect_is_found_before_and_after_the_last_mark(void **state)
{
	char text[80];
	(void)state;
	mark(MARK_START, "run start");
	run_for(60, 1000);
	mark(MARK_KNOB, "outstanding 4 > 8");
	run_for(60, 1120);
	struct live_pair *l = look(0, 0);
	const struct verdict *v = &l->c.verdict[METRIC_IOPS_T];
	assert_int_equal(l->state, LIVE_KNOWN);
	expect_words(l, "");
	assert_int_equal(v->kind, VERDICT_DIFFERENT);
	assert_true(v->low > 1.1 && v->low < 1.12 && v->high > 1.12 && v->high < 1.14);
	assert_int_equal(l->c.verdict[METRIC_CPU_IO].kind, VERDICT_NOISE);
	assert_string_equal(l->side[0].name, "the start: run start");
	assert_string_equal(l->side[1].name, "a: outstanding 4 > 8");
	/* Three seconds at the start of both and at the end of what is over. */
	assert_true(fabs(l->side[0].seconds + (double)l->side[0].warmup - 54) < 0.01);
	assert_true(fabs(l->side[1].seconds + (double)l->side[1].warmup - 57) < 0.01);
	assert_string_equal(live_name(text, sizeof(text), &l->segment[l->a]), "the start");
	live_free(l);
}

static void where_nothing_changed_nothing_is_found(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(120, 1000);
	mark(MARK_NOTE, "nothing");
	run_for(120, 1000);
	struct live_pair *l = look(0, 0);
	assert_int_equal(l->state, LIVE_KNOWN);
	for (unsigned m = 0; m < METRICS; m++)
		if (l->c.shown[m] && l->c.verdict[m].kind != VERDICT_NOISE)
			fail_msg("%s: verdict %d", metrics[m].name, l->c.verdict[m].kind);
	assert_true(l->c.verdict[METRIC_IOPS_T].least < 0.03);
	live_free(l);
}

static void it_says_how_much_longer_it_takes_and_keeps_to_it(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(60, 1000);
	mark(MARK_KNOB, "x");
	for (unsigned s = 0;; s++) {
		struct live_pair *l = look(0, 0);
		if (l->state == LIVE_KNOWN) {
			/* Three seconds that settle, five batches of three. */
			assert_in_range(s, 18, 30);
			live_free(l);
			return;
		}
		assert_int_equal(l->state, LIVE_MORE);
		/* At no time less than it takes at least. */
		if (s < 18)
			assert_true(l->c.more_s >= 18 - s);
		assert_true(l->c.more_s > 0 && l->c.more_s <= 25);
		if (s == 0)
			expect_words(l, "about 19 s more");
		live_free(l);
		run_for(1, 1000);
	}
}

static void what_is_over_and_too_short_gets_no_longer(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(60, 1000);
	mark(MARK_KNOB, "x");
	run_for(9, 1000);
	mark(MARK_KNOB, "y");
	run_for(60, 1000);
	struct live_pair *l = look(2, 3);
	assert_int_equal(l->segment[l->a].number, 2);
	assert_int_equal(l->state, LIVE_A_SHORT);
	expect_words(l, "a is too short: 9 s of about 21");
	live_free(l);
	/* Others are long enough. */
	l = look(1, 3);
	assert_int_equal(l->state, LIVE_KNOWN);
	live_free(l);
	l = look(1, 2);
	assert_int_equal(l->state, LIVE_B_SHORT);
	expect_words(l, "a is too short: 9 s of about 21");
	live_free(l);
}

/* More each second, and further than it scatters. */
static void climb_for(unsigned n, double iops)
{
	for (unsigned i = 0; i < n; i++)
		run_for(1, iops + 60 * i);
}

static void a_segment_that_is_over_and_wanders_is_named_and_no_more_is_promised(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	climb_for(30, 10000);
	mark(MARK_KNOB, "x");
	for (unsigned s = 0; s < 300; s += 50) {
		run_for(50, 10300);
		struct live_pair *l = look(0, 0);
		assert_int_equal(l->state, LIVE_A_SHORT);
		char text[120];
		live_words(text, sizeof(text), l);
		if (strncmp(text, "the start is too short: 30 s of about ", 38) != 0)
			fail_msg("%s", text);
		live_free(l);
	}
}

static void what_is_more_than_it_wanders_is_told_all_the_same(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	climb_for(30, 10000);
	mark(MARK_KNOB, "outstanding 4 > 8");
	climb_for(60, 20000);
	struct live_pair *l = look(0, 0);
	const struct verdict *v = &l->c.verdict[METRIC_IOPS_T];
	assert_int_equal(l->state, LIVE_KNOWN);
	assert_int_equal(v->kind, VERDICT_DIFFERENT);
	assert_true(v->low > 1.5 && v->low < v->ratio && v->ratio < v->high);
	live_free(l);
}

static void a_change_in_several_steps_is_compared_with_what_was_before_all_of_them(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(5, 1000);
	mark(MARK_ENV, "eth2 mtu 1500 > 9000");
	run_for(3, 1000);
	mark(MARK_EVENT, "path 1 logged in anew");
	mark(MARK_ENV, "eth2 tso off > on");
	run_for(60, 1000);
	/* Nothing before is long enough: then it is the last step. */
	struct live_pair *l = look(0, 0);
	assert_int_equal(l->segment[l->a].number, 2);
	live_free(l);
	mark(MARK_ENV, "eth2 mtu 9000 > 1500");
	run_for(3, 1000);
	mark(MARK_ENV, "eth2 tso on > off");
	run_for(60, 1000);
	l = look(0, 0);
	assert_int_equal(l->segment[l->a].number, 3);
	assert_int_equal(l->segment[l->b].number, 5);
	assert_int_equal(l->state, LIVE_KNOWN);
	live_free(l);
}

static void where_nothing_is_long_enough_it_is_what_has_figures(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(5, 1000);
	mark(MARK_ENV, "eth2 mtu 1500 > 9000");
	run_for(1, 1000);
	mark(MARK_ENV, "eth2 tso off > on");
	run_for(60, 1000);
	struct live_pair *l = look(0, 0);
	assert_int_equal(l->segment[l->a].number, 1);
	assert_int_equal(l->segment[l->b].number, 3);
	assert_int_equal(l->state, LIVE_A_SHORT);
	live_free(l);
}

static void segments_on_the_way_and_without_io_are_not_offered(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(30, 1000);
	mark(MARK_KNOB, "outstanding 4 > 6");
	timeline_pass(t, 2);
	run_for(1, 1000);
	mark(MARK_KNOB, "outstanding 4 > 8");
	run_for(30, 1000);
	mark(MARK_PAUSE, "IO stopped");
	run_for(5, 0);
	mark(MARK_EVENT, "an event opens none");
	mark(MARK_PAUSE, "IO started");
	run_for(30, 1000);
	struct live_pair *l = look(0, 0);
	assert_int_equal(l->segments, 3);
	assert_int_equal(l->segment[l->a].number, 3);
	assert_int_equal(l->segment[l->b].number, 5);
	live_free(l);
	/* Nor those of before a reset. */
	struct live_wish wish = {.from_ns = now};
	mark(MARK_RESET, "reset");
	run_for(5, 1000);
	l = live_list(t, &wish, NULL);
	assert_int_equal(l->segments, 1);
	assert_int_equal(l->segment[0].number, 6);
	live_free(l);
}

static void any_two_can_be_chosen_but_not_one_twice(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(5, 1000);
	mark(MARK_KNOB, "x");
	run_for(5, 1000);
	mark(MARK_KNOB, "y");
	run_for(5, 1000);
	static const struct {
		uint32_t a, b;
		size_t at_a, at_b;
	} row[] = {{0, 0, 1, 2}, {1, 0, 0, 2}, {3, 1, 2, 0}, {0, 1, 1, 0},
		   {0, 2, 0, 1}, {2, 2, 0, 1}, {3, 0, 1, 2}, {9, 9, 1, 2}};
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct live_wish wish = {.a = row[i].a, .b = row[i].b};
		struct live_pair *l = live_list(t, &wish, NULL);
		if (l->a != row[i].at_a || l->b != row[i].at_b)
			fail_msg("%u against %u: places %zu and %zu", row[i].b, row[i].a, l->a,
				 l->b);
		live_free(l);
	}
}

static void an_outage_is_left_out(void **state)
{
	(void)state;
	assert_true(timeline_expect_gaps(t));
	mark(MARK_START, "run start");
	run_for(60, 1000);
	mark(MARK_KNOB, "x");
	run_for(20, 1000);
	uint64_t from = now;
	run_for(10, 3);
	timeline_gap(t, 0, from, now);
	run_for(30, 1000);
	struct live_pair *l = look(0, 0);
	assert_true(fabs(l->side[1].seconds + (double)l->side[1].warmup - 47) < 0.01);
	assert_int_equal(l->c.verdict[METRIC_IOPS_T].kind, VERDICT_NOISE);
	assert_true(fabs(l->c.verdict[METRIC_IOPS_T].b - 1000) < 10);
	live_free(l);
}

static void with_more_than_one_difference_nothing_is_called_alike(void **state)
{
	(void)state;
	mark(MARK_START, "run start");
	run_for(60, 1000);
	mark(MARK_KNOB, "x");
	run_for(60, 1000);
	struct live_wish wish = {0};
	struct live_pair *l = live_list(t, &wish, NULL);
	assert_int_equal(live_compare(l, t, json_pack("[s, s]", "one", "two"), NULL), 0);
	assert_int_equal(l->c.differences, 2);
	live_free(l);
}

/* Whether batches follow each other by chance is no test's to arrange: that they did not some seconds ago is
 * made up here. */
static void what_was_known_is_not_lost_by_a_few_seconds_more(void **state)
{
	struct live_wish wish = {0};
	(void)state;
	mark(MARK_START, "run start");
	run_for(60, 1000);
	mark(MARK_KNOB, "x");
	run_for(13, 1100);
	struct live_pair *known = look(0, 0);
	assert_int_equal(known->state, LIVE_MORE);
	known->state = LIVE_KNOWN;
	known->c.verdict[METRIC_IOPS_T].ratio = 1.23;
	run_for(2, 1100);
	struct live_pair *l = live_list(t, &wish, known);
	assert_int_equal(live_compare(l, t, NULL, known), 0);
	assert_int_equal(l->state, LIVE_KNOWN);
	assert_true(fabs(l->held_s - 2) < 0.01);
	assert_true(l->c.verdict[METRIC_IOPS_T].ratio == 1.23);
	/* But it does not stay for ever: half of what it came from, and B had 10 s. */
	run_for(2, 1100);
	struct live_pair *later = live_list(t, &wish, l);
	assert_int_equal(live_compare(later, t, NULL, l), 0);
	assert_int_equal(later->state, LIVE_KNOWN);
	assert_true(fabs(later->held_s - 4) < 0.01);
	run_for(2, 1100);
	struct live_pair *last = live_list(t, &wish, later);
	assert_int_equal(live_compare(last, t, NULL, later), 0);
	assert_true(last->held_s == 0);
	live_free(known);
	live_free(l);
	live_free(later);
	live_free(last);
}

static void what_was_known_of_a_segment_stays(void **state)
{
	struct live_wish wish = {0};
	(void)state;
	mark(MARK_START, "run start");
	run_for(60, 1000);
	mark(MARK_KNOB, "x");
	run_for(20, 1000);
	struct live_pair *l = look(0, 0);
	assert_int_equal(l->segment[0].steady, STEADY_TRUE);
	assert_int_equal(l->segment[1].steady, STEADY_NOT_KNOWN);
	/* To be seen: it is taken from there. */
	l->segment[0].steady = STEADY_FALSE;
	run_for(40, 1000);
	struct live_pair *next = live_list(t, &wish, l);
	assert_int_equal(next->segment[0].steady, STEADY_FALSE);
	assert_int_equal(next->segment[1].steady, STEADY_TRUE);
	live_free(l);
	live_free(next);
}

static void seconds_between_two_times_are_those_and_no_others(void **state)
{
	size_t n;
	(void)state;
	mark(MARK_START, "run start");
	run_for(700, 1000);
	struct sample *list =
		timeline_seconds_between(t, START + 100 * NS_PER_SEC, START + 650 * NS_PER_SEC, &n);
	assert_int_equal(n, 550);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(list[i].t_ns, START + (101 + i) * NS_PER_SEC);
	free(list);
	list = timeline_seconds_between(t, now, now + 1, &n);
	assert_non_null(list);
	assert_int_equal(n, 0);
	free(list);
}

#define LIVE_TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(without_a_mark_there_is_nothing_to_compare),
		LIVE_TEST(a_known_effect_is_found_before_and_after_the_last_mark),
		LIVE_TEST(where_nothing_changed_nothing_is_found),
		LIVE_TEST(it_says_how_much_longer_it_takes_and_keeps_to_it),
		LIVE_TEST(what_is_over_and_too_short_gets_no_longer),
		LIVE_TEST(a_segment_that_is_over_and_wanders_is_named_and_no_more_is_promised),
		LIVE_TEST(what_is_more_than_it_wanders_is_told_all_the_same),
		LIVE_TEST(a_change_in_several_steps_is_compared_with_what_was_before_all_of_them),
		LIVE_TEST(where_nothing_is_long_enough_it_is_what_has_figures),
		LIVE_TEST(segments_on_the_way_and_without_io_are_not_offered),
		LIVE_TEST(any_two_can_be_chosen_but_not_one_twice),
		LIVE_TEST(an_outage_is_left_out),
		LIVE_TEST(with_more_than_one_difference_nothing_is_called_alike),
		LIVE_TEST(what_was_known_is_not_lost_by_a_few_seconds_more),
		LIVE_TEST(what_was_known_of_a_segment_stays),
		LIVE_TEST(seconds_between_two_times_are_those_and_no_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
