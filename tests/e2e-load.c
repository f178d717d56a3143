/* e2e-load.c - goal search and load-latency curve on the live screen: begun, watched, stopped, undone.
 * null:1ms never answers sooner than that, so it is known what will be found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include "tests/e2e.h"
#include "tests/proc.h"

#define SCREEN(...) LIVE(NULL, "null:1ms", "--no-store", __VA_ARGS__)

/* Opens the dialog and types another goal. */
static void ask(struct vt *v, const char *goal)
{
	vt_type(v, "f");
	VT_TEXT(v, "Find the most load that meets a goal");
	vt_key(v, "^U");
	vt_type(v, goal);
}

static void the_dialog_says_what_is_wrong_with_a_goal(void **state)
{
	(void)state;
	struct vt *v = SCREEN("--rate", "max");

	ANSWER(v, shows_reads);
	vt_type(v, "f");
	VT_TEXT(v, "Goal    p99 < 5 ms");
	VT_TEXT(v, "<reads>");
	VT_TEXT(v, "<outstanding>");
	vt_shot(v, "load-find");
	vt_key(v, "^U");
	vt_type(v, "p98 < 1ms");
	vt_key(v, "enter");
	VT_TEXT(v, "! 'p98 < 1ms': 'p98' is none of");
	vt_key(v, "^U");
	vt_type(v, "p99 < 1ms");
	vt_key(v, "down");
	vt_key(v, "right");
	VT_TEXT(v, "<writes>");
	vt_key(v, "enter");
	VT_TEXT(v, "! a goal for writes, and the workload only reads");
	vt_key(v, "down");
	vt_key(v, "right");
	VT_TEXT(v, "<rate>");
	vt_key(v, "esc");
	VT_GONE(v, "Find the most load");
	e2e_quit(v);
}

static void a_search_runs_while_the_screen_lives_and_ends_with_a_word(void **state)
{
	(void)state;
	struct vt *v = SCREEN("--outstanding", "1");

	ANSWER(v, shows_reads);
	/* Nothing can: the only depth below is its own second chance. */
	ask(v, "p50 < 500us");
	vt_key(v, "enter");
	VT_MATCH(v, -1, "^search, step 1: outstanding 1.*about [0-9]+ s left +Esc stops it$");
	ANSWER(v, shows_reads);
	vt_shot(v, "load-searching");
	VT_MATCH(v, -1, "^search, step 2: outstanding 1 ");
	VT_MATCH(v, VT_ANY, "^! Nothing meets p50 read < 500 us: even outstanding 1 has ");
	KNOB(v, "Outst", "1");
	EVENT(v, "nothing meets p50 read");
	e2e_quit(v);
}

static void esc_stops_it_and_the_knob_goes_back(void **state)
{
	(void)state;
	struct vt *v = SCREEN("--outstanding", "3");

	ANSWER(v, shows_reads);
	ask(v, "p50 < 500us");
	vt_key(v, "enter");
	/* 3 is too slow, 1 is next. */
	KNOB(v, "Outst", "1");
	vt_key(v, "esc");
	VT_ROW(v, -1, "Search cancelled: by hand");
	KNOB(v, "Outst", "3");
	EVENT(v, "search cancelled: by hand");
	vt_key(v, "esc");
	VT_ROW(v, -1, "F1Help");
	e2e_quit(v);
}

static void the_same_key_stops_it_too(void **state)
{
	(void)state;
	struct vt *v = SCREEN("--outstanding", "3");

	ANSWER(v, shows_reads);
	ask(v, "p50 < 500us");
	vt_key(v, "enter");
	VT_MATCH(v, -1, "^search, step 1: ");
	vt_type(v, "f");
	VT_ROW(v, -1, "Search cancelled: by hand");
	KNOB(v, "Outst", "3");
	e2e_quit(v);
}

static void a_knob_turned_by_hand_has_the_last_word(void **state)
{
	(void)state;
	struct vt *v = SCREEN("--outstanding", "3");

	ANSWER(v, shows_reads);
	ask(v, "p50 < 500us");
	vt_key(v, "enter");
	KNOB(v, "Outst", "1");
	/* One step from where the knob was, not from where the search has turned it. */
	vt_type(v, "O");
	VT_ROW(v, -1, "Search cancelled: a knob was turned");
	KNOB(v, "Outst", "4");
	vt_type(v, "u");
	KNOB(v, "Outst", "3");
	e2e_quit(v);
}

static void what_was_found_stays_and_undo_brings_the_old_value_back(void **state)
{
	(void)state;
	/* As far as the backend goes: one IO per worker, and the goal is met by anything. */
	struct vt *v = SCREEN("--outstanding", "2");

	ANSWER(v, shows_reads);
	ask(v, "p50 < 20s");
	vt_key(v, "down");
	vt_key(v, "down");
	vt_key(v, "right");
	VT_TEXT(v, "<rate>");
	/* A rate is set: the search begins with none, and that stays. */
	vt_key(v, "enter");
	VT_MATCH(v, -1, "^search, step 1: rate max");
	VT_MATCH(v, VT_ANY, "^All meet it up to rate max: p50 read ");
	KNOB(v, "Outst", "2");
	KNOB(v, "Rate", "max");
	e2e_quit(v);
}

static void undo_after_a_search_that_changed_nothing_goes_no_further_back(void **state)
{
	(void)state;
	struct vt *v = SCREEN("--outstanding", "2");

	ANSWER(v, shows_reads);
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	ask(v, "p50 < 20s");
	vt_key(v, "down");
	vt_key(v, "down");
	vt_key(v, "right");
	VT_TEXT(v, "<rate>");
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "^All meet it up to rate max: p50 read ");
	vt_type(v, "u");
	VT_ROW(v, -1, "has left the knobs as they were: nothing to undo.");
	KNOB(v, "Block", "8K");
	vt_type(v, "u");
	KNOB(v, "Block", "4K");
	e2e_quit(v);
}

static void a_rate_that_was_set_comes_back_by_undo(void **state)
{
	(void)state;
	struct vt *v = SCREEN("--outstanding", "2", "--rate", "100");

	ANSWER(v, shows_reads);
	ask(v, "p50 < 20s");
	vt_key(v, "down");
	vt_key(v, "down");
	vt_key(v, "right");
	VT_TEXT(v, "<rate>");
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "^All meet it up to rate max: p50 read ");
	KNOB(v, "Rate", "max");
	vt_type(v, "u");
	KNOB(v, "Rate", "100");
	e2e_quit(v);
}

static void a_curve_is_drawn_as_it_grows(void **state)
{
	static const struct vt_options sizes[] = {
		{.rows = 24, .cols = 80},
		{.rows = 43, .cols = 132, .locale = "C", .term = "xterm"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct vt *v = LIVE(&sizes[i], "null:1ms", "--no-store", "--outstanding", "4");
		ANSWER(v, shows_reads);
		vt_type(v, "c");
		VT_TEXT(v, "<rate> outstanding");
		VT_TEXT(v, "11 steps of about 4 s");
		vt_key(v, "right");
		VT_TEXT(v, "rate <outstanding>");
		vt_key(v, "enter");
		VT_TEXT(v, "nothing has been measured yet");
		VT_MATCH(v, VT_ANY, "curve, step 1 of 8: outstanding 1");
		/* Two points: the table, the axes, the signs. The knobs stay in sight. */
		VT_MATCH(v, VT_ANY, "curve, step 3 of 8: outstanding 4");
		VT_TEXT(v, "x p99  o mean");
		VT_MATCH(v, VT_ANY, "mark +outst +IOPS +MiB/s +mean +p50 +p95 +p99");
		VT_MATCH(v, VT_ANY, "^.*a +1 +[0-9.]+.* ms");
		VT_MATCH(v, VT_ANY, "^.*b +2 +[0-9.k]+.* ms");
		VT_MATCH(v, VT_ANY, "[0-9]+k? IOPS");
		KNOB(v, i ? "Outstanding" : "Outst", "4");
		vt_shot(v, i ? "load-curve-wide" : "load-curve");
		/* It goes on without the dialog, and stops with it. */
		vt_key(v, "esc");
		VT_GONE(v, "Load-latency curve");
		VT_MATCH(v, -1, "^curve, step [34] of 8: ");
		vt_type(v, "c");
		VT_TEXT(v, "Enter stops it");
		vt_key(v, "enter");
		VT_TEXT(v, "curve cancelled: by hand");
		vt_key(v, "esc");
		VT_GONE(v, "Load-latency curve");
		KNOB(v, i ? "Outstanding" : "Outst", "4");
		e2e_quit(v);
	}
}

static void quitting_during_a_search_repeats_the_knobs_of_before(void **state)
{
	(void)state;
	struct vt *v = SCREEN("--outstanding", "3");

	ANSWER(v, shows_reads);
	ask(v, "p50 < 500us");
	vt_key(v, "enter");
	KNOB(v, "Outst", "1");
	e2e_keep(v);
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_key(v, "enter");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	VT_TEXT(v, "--outstanding 3");
	e2e_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(the_dialog_says_what_is_wrong_with_a_goal),
		E2E_TEST(a_search_runs_while_the_screen_lives_and_ends_with_a_word),
		E2E_TEST(esc_stops_it_and_the_knob_goes_back),
		E2E_TEST(the_same_key_stops_it_too),
		E2E_TEST(a_knob_turned_by_hand_has_the_last_word),
		E2E_TEST(what_was_found_stays_and_undo_brings_the_old_value_back),
		E2E_TEST(undo_after_a_search_that_changed_nothing_goes_no_further_back),
		E2E_TEST(a_rate_that_was_set_comes_back_by_undo),
		E2E_TEST(a_curve_is_drawn_as_it_grows),
		E2E_TEST(quitting_during_a_search_repeats_the_knobs_of_before),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
