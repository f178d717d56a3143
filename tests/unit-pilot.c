/* unit-pilot.c - a pilot on a run that really goes on: where the knob is before, during and after, and
 * what stands on the time line. null:1ms answers after 1 ms, never sooner.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "pilot.h"
#include "tests/proc.h"
#include "tests/run-fixture.h"
#include "units.h"

static struct pilot *pilot;

static int end_pilot(void **state)
{
	pilot_free(pilot);
	pilot = NULL;
	return finish(state);
}
#define PILOT_TEST(f) cmocka_unit_test_teardown(f, end_pilot)

static void begin_search(enum goal_figure figure, uint64_t limit_ns, enum knob by, uint64_t to)
{
	struct search_config c = {
		.goal = {figure, SUM_READ, limit_ns},
		.by = by,
		.from = 1,
		.to = to,
		.start = 8,
		.precision = 20,
		.step_ns = 300 * NS_PER_MS,
	};
	struct error e;
	if (pilot_search(&pilot, run, &c, "null", &e))
		fail_msg("%s", e.text);
}

static void fly(void)
{
	double limit = proc_now() + 4 * proc_patience();
	while (!pilot_over(pilot) && proc_now() < limit) {
		wait_ms(20);
		pilot_tick(pilot);
	}
	assert_true(pilot_over(pilot));
}

/* Until it measures a step. */
static void fly_to_measuring(void)
{
	double limit = proc_now() + proc_patience();
	while (pilot->state != PILOT_MEASURING && proc_now() < limit) {
		wait_ms(20);
		assert_false(pilot_tick(pilot));
	}
	assert_int_equal(pilot->state, PILOT_MEASURING);
}

static void what_was_found_stays_and_has_a_mark(void **state)
{
	(void)state;
	start_null(NULL);
	begin_search(GOAL_P50, 10 * NS_PER_SEC, KNOB_OUTSTANDING, 16);
	assert_int_equal(run_workload(run).outstanding, 8);
	fly();
	assert_int_equal(pilot->state, PILOT_DONE);
	assert_int_equal(pilot->search.result, SEARCH_ALL);
	assert_int_equal(run_workload(run).outstanding, 16);
	read_marks();
	assert_string_equal(mark[marks - 1].text, pilot->words);
	assert_non_null(strstr(pilot->words, "all meet it up to outstanding 16: p50 read "));
}

static void when_nothing_meets_it_the_knob_goes_back(void **state)
{
	(void)state;
	start_null(NULL);
	/* Nothing answers within half its time. */
	begin_search(GOAL_P50, 500000, KNOB_OUTSTANDING, 16);
	fly();
	assert_int_equal(pilot->search.result, SEARCH_NOTHING);
	assert_int_equal(run_workload(run).outstanding, 8);
	read_marks();
	assert_non_null(strstr(mark[marks - 1].text, "nothing meets p50 read < 500 us"));
}

static void every_step_is_a_segment_of_its_own(void **state)
{
	(void)state;
	start_null(NULL);
	begin_search(GOAL_P50, 500000, KNOB_OUTSTANDING, 16);
	fly();
	const struct load_log *log = pilot_log(pilot);
	assert_true(log->steps >= 4);
	read_marks();
	/* The start, a mark for each step and one for the end; the ways between are passed. */
	assert_int_equal(count_marks(MARK_KNOB), log->steps + 1);
	assert_true(count_marks(MARK_PASSED) >= 3);
	struct segment g;
	unsigned at = 0;
	for (uint32_t n = 1; timeline_segment(run_timeline(run), n, &g); n++) {
		struct mark m;
		if (!timeline_mark_at(run_timeline(run), g.mark, &m) || m.kind != MARK_KNOB ||
		    at == log->steps)
			continue;
		const struct load_step *s = &log->step[at++];
		assert_int_equal(g.workload.outstanding, s->load.value);
		assert_int_equal(m.letter, s->letter);
		assert_non_null(strstr(m.text, s->note));
		/* What the step says is what its segment holds, but for an instant at its end. */
		uint64_t ios = g.total.op[IO_READ].ios, had = s->sum.op[SUM_READ].ios;
		assert_true(had <= ios);
		assert_true(s->sum.op[SUM_READ].p50 >= 1e6);
		assert_true(s->sum.elapsed_s >= 0.29);
	}
	assert_int_equal(at, log->steps);
}

static void a_search_leaves_the_operators_mark_where_it_is(void **state)
{
	struct workload w;
	struct error e;
	(void)state;
	start_null(NULL);
	wait_ms(100);
	w = run_workload(run);
	w.rate_iops = 100;
	w.outstanding = 4;
	assert_int_equal(run_apply(run, &w, &e), 0);
	/* At once, so that the steps follow within a second; the rate gives way. */
	begin_search(GOAL_P50, 10 * NS_PER_SEC, KNOB_OUTSTANDING, 16);
	fly_to_measuring();
	read_marks();
	check_mark(1, MARK_KNOB, 'a', "outstanding 8 > 4, rate max > 100");
	check_mark(2, MARK_KNOB, 'b', "outstanding 4 > 8, rate 100 > max");
	check_mark(3, MARK_KNOB, 'c', "outstanding 8");
	pilot_cancel(pilot, "by hand");
	read_marks();
	check_mark(3, MARK_KNOB, 'c', "outstanding 8: cancelled");
	check_mark(4, MARK_KNOB, 'd', "outstanding 8 > 4, rate max > 100");
	check_mark(5, MARK_KNOB, 'e', "search cancelled: by hand");
}

static void a_cancelled_search_puts_the_knob_back(void **state)
{
	(void)state;
	start_null(NULL);
	begin_search(GOAL_P50, 500000, KNOB_OUTSTANDING, 16);
	double limit = proc_now() + proc_patience();
	while (run_workload(run).outstanding == 8 && proc_now() < limit) {
		wait_ms(20);
		assert_false(pilot_tick(pilot));
	}
	assert_int_not_equal(run_workload(run).outstanding, 8);
	pilot_cancel(pilot, "by hand");
	assert_int_equal(pilot->state, PILOT_CANCELLED);
	assert_int_equal(run_workload(run).outstanding, 8);
	read_marks();
	assert_string_equal(mark[marks - 1].text, "search cancelled: by hand");
	assert_false(pilot_tick(pilot));
}

static void a_knob_that_somebody_turns_ends_it_and_stays(void **state)
{
	(void)state;
	start_null(NULL);
	begin_search(GOAL_P50, 10 * NS_PER_SEC, KNOB_OUTSTANDING, 16);
	fly_to_measuring();
	apply_outstanding(5);
	assert_true(pilot_tick(pilot));
	assert_int_equal(pilot->state, PILOT_CANCELLED);
	assert_string_equal(pilot->words, "search cancelled: a knob was turned");
	assert_int_equal(run_workload(run).outstanding, 5);
}

static void io_that_is_stopped_ends_it_and_stays_stopped(void **state)
{
	struct error e;
	(void)state;
	start_null(NULL);
	begin_search(GOAL_P50, 10 * NS_PER_SEC, KNOB_OUTSTANDING, 16);
	fly_to_measuring();
	pause_it(true);
	assert_true(pilot_tick(pilot));
	assert_string_equal(pilot->words, "search cancelled: the IO was stopped");
	assert_true(run_workload(run).paused);
	/* And none begins then. */
	struct pilot *none = NULL;
	struct curve_config c = {.of = SUM_TOTAL};
	curve_defaults(&c, KNOB_RATE);
	assert_int_equal(pilot_curve(&none, run, &c, "null", &e), -EINVAL);
	assert_null(none);
}

static void one_that_is_over_when_it_begins_says_so_at_the_first_look(void **state)
{
	(void)state;
	start_null(NULL);
	apply_outstanding(3); /* which the search does not come by */
	stop();
	begin_search(GOAL_P50, 10 * NS_PER_SEC, KNOB_OUTSTANDING, 16);
	assert_true(pilot_over(pilot));
	assert_non_null(strstr(pilot->words, "can't be had"));
	assert_true(pilot_tick(pilot));
	assert_false(pilot_tick(pilot));
}

static void the_operators_own_mark_loses_nothing_of_a_step(void **state)
{
	char letter;
	(void)state;
	start_null(NULL);
	begin_search(GOAL_P50, 10 * NS_PER_SEC, KNOB_OUTSTANDING, 8);
	fly_to_measuring();
	wait_ms(150);
	assert_int_not_equal(run_mark(run, &letter), 0);
	fly();
	assert_int_equal(pilot->search.result, SEARCH_ALL);
	assert_true(pilot_log(pilot)->step[0].sum.elapsed_s >= 0.29);
}

static void a_rate_is_never_more_than_the_depth_allows(void **state)
{
	(void)state;
	start_null(NULL);
	apply_outstanding(4);
	/* 4 in flight, 1 ms each: 4,000/s at the most, whatever is offered. */
	begin_search(GOAL_P50, 10 * NS_PER_SEC, KNOB_RATE, 100000);
	fly();
	const struct load_log *log = pilot_log(pilot);
	assert_string_equal(log->step[0].note, "lags");
	for (unsigned i = 0; i < log->steps; i++)
		assert_true(log->step[i].sum.op[SUM_TOTAL].iops <= 4000 * 1.02);
	assert_int_equal(pilot->search.result, SEARCH_FOUND);
	assert_true(pilot->search.found <= 4100);
	assert_int_equal(run_workload(run).rate_iops, pilot->search.found);
	assert_int_equal(run_workload(run).outstanding, 4);
}

static void a_curve_leaves_the_knobs_as_they_were(void **state)
{
	(void)state;
	start_null(NULL);
	struct curve_config c = {.of = SUM_TOTAL, .most = 4096};
	struct error e;
	curve_defaults(&c, KNOB_OUTSTANDING);
	c.points = 3;
	c.step_ns = 300 * NS_PER_MS;
	if (pilot_curve(&pilot, run, &c, "null", &e))
		fail_msg("%s", e.text);
	assert_int_equal(run_workload(run).outstanding, 1);
	fly();
	assert_int_equal(pilot->state, PILOT_DONE);
	assert_int_equal(pilot_log(pilot)->steps, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(pilot_log(pilot)->step[i].load.value, 1u << i);
	assert_int_equal(run_workload(run).outstanding, 8);
	assert_int_equal(run_workload(run).rate_iops, 0);
}

/* Until the log has so many steps. */
static void fly_to_step(unsigned steps)
{
	double limit = proc_now() + proc_patience();
	while (pilot_log(pilot)->steps < steps && proc_now() < limit) {
		wait_ms(20);
		pilot_tick(pilot);
	}
	assert_int_equal(pilot_log(pilot)->steps, steps);
}

static void begin_curve(void)
{
	struct curve_config c = {.of = SUM_TOTAL, .most = 4};
	struct error e;
	curve_defaults(&c, KNOB_OUTSTANDING);
	c.points = 3;
	c.step_ns = 400 * NS_PER_MS;
	assert_true(timeline_expect_gaps(run_timeline(run)));
	if (pilot_curve(&pilot, run, &c, "null", &e))
		fail_msg("%s", e.text);
}

static void a_step_goes_on_until_it_has_its_time_beside_an_outage(void **state)
{
	(void)state;
	start_null(NULL);
	begin_curve();
	fly_to_measuring();
	uint64_t from = pilot->since_ns;
	timeline_gap(run_timeline(run), 0, from, from + 300 * NS_PER_MS);
	fly_to_step(1);
	const struct summary *s = &pilot_log(pilot)->step[0].sum;
	assert_true(s->outage.seconds > 0.25);
	assert_true(s->elapsed_s > 0.38);
}

static void a_step_that_had_an_outage_as_is_known_later_is_done_once_more(void **state)
{
	(void)state;
	start_null(NULL);
	begin_curve();
	fly_to_measuring();
	uint64_t from = pilot->since_ns;
	fly_to_step(1);
	assert_int_equal(pilot->order.value, 2);
	double before = pilot_log(pilot)->step[0].sum.elapsed_s;
	assert_true(before > 0);
	timeline_gap(run_timeline(run), 0, from, from + 150 * NS_PER_MS);
	pilot_tick(pilot);
	assert_int_equal(pilot_log(pilot)->steps, 0);
	assert_int_equal(pilot->order.value, 1);
	assert_int_equal(run_workload(run).outstanding, 1);
	fly();
	assert_int_equal(pilot->state, PILOT_DONE);
	assert_int_equal(pilot_log(pilot)->steps, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(pilot_log(pilot)->step[i].load.value, 1u << i);
		assert_true(pilot_log(pilot)->step[i].sum.outage.seconds == 0);
	}
	read_marks();
	unsigned again = 0;
	for (size_t i = 0; i < marks; i++)
		again += strcmp(mark[i].text, "outstanding 1: once more, a path was out") == 0;
	assert_int_equal(again, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PILOT_TEST(what_was_found_stays_and_has_a_mark),
		PILOT_TEST(when_nothing_meets_it_the_knob_goes_back),
		PILOT_TEST(every_step_is_a_segment_of_its_own),
		PILOT_TEST(a_search_leaves_the_operators_mark_where_it_is),
		PILOT_TEST(a_cancelled_search_puts_the_knob_back),
		PILOT_TEST(a_knob_that_somebody_turns_ends_it_and_stays),
		PILOT_TEST(io_that_is_stopped_ends_it_and_stays_stopped),
		PILOT_TEST(one_that_is_over_when_it_begins_says_so_at_the_first_look),
		PILOT_TEST(the_operators_own_mark_loses_nothing_of_a_step),
		PILOT_TEST(a_rate_is_never_more_than_the_depth_allows),
		PILOT_TEST(a_curve_leaves_the_knobs_as_they_were),
		PILOT_TEST(a_step_goes_on_until_it_has_its_time_beside_an_outage),
		PILOT_TEST(a_step_that_had_an_outage_as_is_known_later_is_done_once_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
