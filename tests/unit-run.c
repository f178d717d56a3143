/* unit-run.c - what ends a run and keeps it ended, from when on errors count, and what is told by itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/proc.h"
#include "tests/run-fixture.h"
#include "units.h"

static struct snapshot snap;

/* --- The end, by an error. --- */

/* To the beginning of a tick, so that what happens now is found by whoever takes the next one. */
static void await_tick(void)
{
	run_snapshot(run, &snap);
	uint64_t seq = snap.seq;
	double limit = proc_now() + proc_patience();
	while (snap.seq == seq && proc_now() < limit) {
		wait_ms(1);
		run_snapshot(run, &snap);
	}
	assert_true(snap.seq > seq);
}

/* How many changes were made before an IO had failed: on a busy host that takes a while. */
static size_t changes;

/* Every IO fails from here on. */
static void break_it(const char *path, off_t size)
{
	changes = 0;
	await_tick();
	assert_int_equal(truncate(path, size), 0);
	wait_ms(30);
}

static void check_ended(void)
{
	assert_true(run_wait(run, clock_ns() + (uint64_t)(proc_patience() * 1e9)));
	run_snapshot(run, &snap);
	assert_true(snap.ended);
	assert_false(snap.running);
	assert_non_null(strstr(snap.end_reason, "IO error"));
	assert_true(run_workload(run).paused);
	/* No IO any more, and no way back. */
	struct error e;
	assert_true(run_pause(run, false, &e) < 0);
	assert_string_equal(e.text, "the run has ended");
	struct workload w = run_workload(run);
	w.paused = false;
	w.outstanding = 3;
	assert_true(run_apply(run, &w, &e) < 0);
	assert_true(run_workload(run).paused);
	assert_true(count_marks(MARK_KNOB) + count_marks(MARK_PAUSE) <= changes);
	stop();
	assert_true(run_error_count(run) > 0);
}

static void the_first_error_ends_the_run_where_that_was_asked_for(void **state)
{
	(void)state;
	break_it(start_file(true), 0);
	check_ended();
}

static void without_being_asked_to_it_goes_on(void **state)
{
	(void)state;
	break_it(start_file(false), 0);
	assert_false(run_wait(run, clock_ns() + 300 * NS_PER_MS));
	run_snapshot(run, &snap);
	assert_true(snap.running && !snap.ended);
	pause_it(true);
	pause_it(false);
	assert_false(run_workload(run).paused);
	stop();
	assert_true(run_error_count(run) > 0);
}

static void a_knob_whose_tick_finds_the_error_does_not_start_it_again(void **state)
{
	(void)state;
	break_it(start_file(true), 0);
	struct workload w = workload_default();
	struct error e;
	w.outstanding = 9;
	int rc = run_apply(run, &w, &e);
	for (double limit = proc_now() + proc_patience(); rc == 0 && proc_now() < limit;) {
		changes++;
		wait_ms(30);
		w.outstanding ^= 1;
		rc = run_apply(run, &w, &e);
	}
	assert_int_equal(rc, -EINVAL);
	assert_string_equal(e.text, "the run has ended");
	assert_true(run_workload(run).paused);
	check_ended();
}

static void a_pause_whose_tick_finds_the_error_does_not_either(void **state)
{
	struct error e;
	(void)state;
	break_it(start_file(true), 0);
	int rc = run_pause(run, true, &e);
	for (double limit = proc_now() + proc_patience(); rc == 0 && proc_now() < limit;) {
		changes += 2;
		rc = run_pause(run, false, &e);
		wait_ms(30);
		rc = rc ? rc : run_pause(run, true, &e);
	}
	assert_int_equal(rc, -EINVAL);
	assert_string_equal(e.text, "the run has ended");
	check_ended();
}

static void a_permission_whose_tick_finds_the_error_does_not_either(void **state)
{
	struct error e;
	(void)state;
	const char *path = start_file(true);
	int fd = open(path, O_RDWR | O_CLOEXEC | O_DIRECT);
	assert_true(fd >= 0);
	break_it(path, 0);
	run_allow_write(run, fd, 0, RUN_FILE_SIZE, &e);
	assert_true(run_workload(run).paused);
	check_ended();
}

/* --- Counting. --- */

static uint64_t errors_shown(void)
{
	uint64_t n = 0;
	run_snapshot(run, &snap);
	for (unsigned i = 0; i < ERRNO_SLOTS; i++)
		n += snap.errors[i];
	return n;
}

static void errors_count_from_the_reset(void **state)
{
	(void)state;
	const char *path = start_file(false);
	break_it(path, 0);
	pause_it(true);
	wait_ms(250);
	assert_true(errors_shown() > 0);
	assert_int_equal(truncate(path, RUN_FILE_SIZE), 0);
	run_reset(run, "warm-up over");
	pause_it(false);
	wait_ms(350);
	assert_int_equal(errors_shown(), 0);
	stop();
	assert_true(summary.op[SUM_TOTAL].ios > 0);
	assert_int_equal(summary.op[SUM_TOTAL].errors, 0);
	assert_int_equal(run_error_count(run), 0);
	for (unsigned i = 0; i < ERRNO_SLOTS; i++)
		assert_int_equal(run_errors(run)[i], 0);
}

static void errors_after_the_reset_are_counted_alone(void **state)
{
	(void)state;
	break_it(start_file(false), 0);
	run_reset(run, "warm-up over");
	wait_ms(350);
	stop();
	assert_true(run_error_count(run) > 0);
	assert_int_equal(run_error_count(run), summary.op[SUM_TOTAL].errors);
}

/* --- What the run tells by itself. --- */

static size_t depth_events(void)
{
	size_t n = 0;
	read_marks();
	for (size_t i = 0; i < marks; i++)
		n += mark[i].kind == MARK_EVENT && strncmp(mark[i].text, "depth ", 6) == 0;
	return n;
}

static void pass_seconds(unsigned n)
{
	static struct sample s[256];
	double limit = proc_now() + proc_patience();
	size_t from = timeline_seconds(run_timeline(run), 0, s, 256);
	while (timeline_seconds(run_timeline(run), 0, s, 256) < from + n && proc_now() < limit)
		wait_ms(20);
	assert_true(timeline_seconds(run_timeline(run), 0, s, 256) >= from + n);
}

/* Nothing but errors: the worker holds back, and the depth is far from what was asked for. */
static void a_depth_that_is_not_reached_is_told_once(void **state)
{
	struct error e;
	(void)state;
	break_it(start_file(false), 0);
	pass_seconds(1);
	assert_int_equal(depth_events(), 0);
	pass_seconds(4);
	assert_int_equal(depth_events(), 1);
	/* Stopped there is nothing to reach; started again, it is told once more. */
	assert_int_equal(run_pause(run, true, &e), 0);
	pass_seconds(3);
	assert_int_equal(depth_events(), 1);
	assert_int_equal(run_pause(run, false, &e), 0);
	pass_seconds(5);
	assert_int_equal(depth_events(), 2);
	stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(the_first_error_ends_the_run_where_that_was_asked_for),
		RUN_TEST(without_being_asked_to_it_goes_on),
		RUN_TEST(a_knob_whose_tick_finds_the_error_does_not_start_it_again),
		RUN_TEST(a_pause_whose_tick_finds_the_error_does_not_either),
		RUN_TEST(a_permission_whose_tick_finds_the_error_does_not_either),
		RUN_TEST(errors_count_from_the_reset),
		RUN_TEST(errors_after_the_reset_are_counted_alone),
		RUN_TEST(a_depth_that_is_not_reached_is_told_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
