/* unit-marks.c - what turning a run's knobs leaves on its time line, in its table and in the store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "store.h"
#include "tests/run-fixture.h"
#include "tests/scratch.h"
#include "units.h"

/* The steps of one turn, that far apart; on a host that stalled in between, over again on a new run. */
static void turn(const char *store, const uint32_t *to, uint64_t apart_ms)
{
	uint64_t longest;
	do {
		finish(NULL);
		if (store)
			unlink(store);
		start_null(store);
		longest = 0;
		uint64_t before = 0;
		for (const uint32_t *at = to; *at; at++) {
			apply_outstanding(*at);
			uint64_t now = clock_ns();
			if (before && now - before > longest)
				longest = now - before;
			before = now;
			wait_ms(apart_ms);
		}
	} while (longest > 900 * NS_PER_MS);
}
#define TURN(store, apart, ...) turn(store, (const uint32_t[]){__VA_ARGS__, 0}, apart)

static void a_knob_turned_through_steps_leaves_one_mark(void **state)
{
	(void)state;
	TURN(NULL, 20, 9, 10, 12);
	run_mark(run, &(char){0});
	read_marks();
	assert_int_equal(marks, 5);
	check_mark(0, MARK_START, 0, NULL);
	check_mark(1, MARK_PASSED, 0, "outstanding 8 > 9");
	check_mark(2, MARK_PASSED, 0, "outstanding 8 > 10");
	/* The letters of those passed are given again. */
	check_mark(3, MARK_KNOB, 'a', "outstanding 8 > 12");
	check_mark(4, MARK_NOTE, 'b', "mark");
	stop();
}

static void several_knobs_turned_at_once_are_named_in_one_mark(void **state)
{
	struct workload w;
	struct error e;
	(void)state;
	TURN(NULL, 0, 16);
	w = run_workload(run);
	w.block_size = 8192;
	assert_int_equal(run_apply(run, &w, &e), 0);
	read_marks();
	if (mark[2].t_ns - mark[1].t_ns < NS_PER_SEC) {
		check_mark(1, MARK_PASSED, 0, NULL);
		check_mark(2, MARK_KNOB, 'a', "outstanding 8 > 16, block 4K > 8K");
	}
	stop();
}

static void turning_back_says_that_nothing_is_left_of_it(void **state)
{
	(void)state;
	TURN(NULL, 20, 9, 8);
	read_marks();
	check_mark(1, MARK_PASSED, 0, NULL);
	check_mark(2, MARK_KNOB, 'a', "knobs back where they were");
	stop();
}

static void a_change_after_a_second_is_a_mark_of_its_own(void **state)
{
	(void)state;
	start_null(NULL);
	apply_outstanding(9);
	wait_ms(1100);
	apply_outstanding(10);
	read_marks();
	check_mark(1, MARK_KNOB, 'a', "outstanding 8 > 9");
	check_mark(2, MARK_KNOB, 'b', "outstanding 9 > 10");
	/* What does not change is no mark at all. */
	apply_outstanding(10);
	assert_int_equal(count_marks(MARK_KNOB) + count_marks(MARK_PASSED), 2);
	stop();
}

static void a_note_or_a_pause_in_between_keeps_both_changes(void **state)
{
	char letter;
	(void)state;
	start_null(NULL);
	apply_outstanding(9);
	run_note(run, run_mark(run, &letter), "the other host was started");
	apply_outstanding(10);
	pause_it(true);
	pause_it(false);
	apply_outstanding(12);
	read_marks();
	assert_int_equal(letter, 'b');
	check_mark(1, MARK_KNOB, 'a', "outstanding 8 > 9");
	check_mark(2, MARK_NOTE, 'b', "the other host was started");
	check_mark(3, MARK_KNOB, 'c', "outstanding 9 > 10");
	check_mark(4, MARK_PAUSE, 'd', "IO stopped");
	check_mark(5, MARK_PAUSE, 'e', "IO started");
	check_mark(6, MARK_KNOB, 'f', "outstanding 10 > 12");
	stop();
}

static void an_event_in_between_does_not(void **state)
{
	(void)state;
	start_null(NULL);
	apply_outstanding(9);
	static struct snapshot snap;
	run_snapshot(run, &snap);
	timeline_mark(run_timeline(run), MARK_EVENT, snap.t_ns, snap.generation, NULL, "event");
	apply_outstanding(10);
	read_marks();
	if (mark[3].t_ns - mark[1].t_ns < NS_PER_SEC) {
		check_mark(1, MARK_PASSED, 0, NULL);
		check_mark(2, MARK_EVENT, 0, NULL);
		check_mark(3, MARK_KNOB, 'a', "outstanding 8 > 10");
	}
	stop();
}

static void the_segments_still_add_up_to_the_whole(void **state)
{
	static struct segment g;
	static struct hist hist[HISTS];
	struct sample sum, total, gap;
	uint64_t counted = 0;
	(void)state;
	TURN(NULL, 150, 9, 10, 12, 16);
	pause_it(true);
	wait_ms(150);
	pause_it(false);
	wait_ms(150);
	stop();
	sample_clear(&sum);
	struct timeline *t = run_timeline(run);
	for (uint32_t n = 1; timeline_segment(t, n, &g); n++) {
		sample_add(&sum, &g.total);
		counted += g.hist[IO_READ].count;
	}
	timeline_total(t, 1, &total, &gap, hist);
	assert_int_equal(timeline_segments(t), 7);
	assert_true(total.op[IO_READ].ios > 0);
	assert_int_equal(sum.op[IO_READ].ios, total.op[IO_READ].ios);
	assert_int_equal(sum.op[IO_READ].bytes, total.op[IO_READ].bytes);
	assert_int_equal(sum.op[IO_READ].lat_sum, total.op[IO_READ].lat_sum);
	assert_int_equal(sum.depth_ns, total.depth_ns);
	assert_int_equal(sum.dt_ns, total.dt_ns);
	assert_int_equal(counted, total.op[IO_READ].ios);
	assert_int_equal(hist[IO_READ].count, total.op[IO_READ].ios);
	assert_int_equal(summary.op[SUM_TOTAL].ios, total.op[IO_READ].ios);
}

static size_t lines(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* The rows' lengths, "00:01.2" or "1.2 s": so many tenths of a second. */
static void the_table_has_all_the_time_there_was(void **state)
{
	char *text = NULL;
	size_t n;
	double sum = 0;
	(void)state;
	TURN(NULL, 200, 9, 10, 12);
	stop();
	FILE *f = open_memstream(&text, &n);
	unsigned rows = run_segments(run, f);
	fclose(f);
	for (char *at = strchr(text, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
		double seconds;
		char unit[4];
		assert_int_equal(sscanf(at + 1, " %*c %lf %3s", &seconds, unit), 2);
		assert_string_equal(unit, "s");
		sum += seconds;
	}
	/* Each is rounded to a tenth. */
	assert_true(sum > summary.elapsed_s - 0.06 * (rows + 1));
	assert_true(sum < summary.elapsed_s + 0.06 * (rows + 1));
	free(text);
}

static void the_table_has_a_row_for_what_was_stayed_in(void **state)
{
	char *text = NULL;
	size_t n;
	(void)state;
	TURN(NULL, 50, 9, 10, 12);
	stop();
	FILE *f = open_memstream(&text, &n);
	unsigned rows = run_segments(run, f);
	fclose(f);
	/* The start was an instant, unless the host stalled; the way from it is one row. */
	assert_in_range(rows, 2, 3);
	assert_int_equal(lines(text), 1 + rows);
	assert_non_null(strstr(text, "1x10 4K 100%rd 100%rnd, on the way\n"));
	assert_non_null(strstr(text, "1x12 4K 100%rd 100%rnd\n"));
	assert_null(strstr(text, "1x9 "));
	free(text);
}

/* Slowly, so that the recorder had written the marks before they were passed. */
static void the_store_shows_no_mark_that_was_passed(void **state)
{
	const char *path = scratch_path("runs.db");
	struct store *s;
	struct error e;
	char *text = NULL;
	size_t n;
	(void)state;
	TURN(path, 450, 9, 10, 12, 16);
	stop();
	if (store_open_read(&s, path, &e))
		fail_msg("%s", e.text);
	FILE *f = open_memstream(&text, &n);
	if (store_show(s, run_id(run), f, &e))
		fail_msg("%s", e.text);
	fclose(f);
	store_close(s);
	assert_non_null(strstr(text, "outstanding 8 > 16"));
	assert_non_null(strstr(text, "1x16 "));
	assert_null(strstr(text, "passed"));
	assert_null(strstr(text, "outstanding 8 > 9"));
	assert_null(strstr(text, "outstanding 8 > 12"));
	assert_null(strstr(text, "1x9 "));
	assert_non_null(strstr(text, "1x12 4K 100%rd 100%rnd, on the way\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(a_knob_turned_through_steps_leaves_one_mark),
		RUN_TEST(several_knobs_turned_at_once_are_named_in_one_mark),
		RUN_TEST(turning_back_says_that_nothing_is_left_of_it),
		RUN_TEST(a_change_after_a_second_is_a_mark_of_its_own),
		RUN_TEST(a_note_or_a_pause_in_between_keeps_both_changes),
		RUN_TEST(an_event_in_between_does_not),
		RUN_TEST(the_segments_still_add_up_to_the_whole),
		RUN_TEST(the_table_has_all_the_time_there_was),
		RUN_TEST(the_table_has_a_row_for_what_was_stayed_in),
		RUN_TEST(the_store_shows_no_mark_that_was_passed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
