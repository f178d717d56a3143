/* e2e-knobs.c - the real program on a loop device: every knob by every way there is to turn it; its
 * cells, its mark and the figures must follow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tests/e2e.h"
#include "tests/proc.h"

#define MIB (1u << 20)

static struct loopdev device;

static int make_device(void **state)
{
	*state = e2e_loop(&device, 64 * MIB) ? &device : NULL;
	return 0;
}

static int free_device(void **state)
{
	if (*state)
		assert_int_equal(loopdev_free(&device), 0);
	return 0;
}

/* The screen on the loop device, held to a rate that leaves the machine to others; NULL after
 * skip()'s reason was printed. */
#define ON_DEVICE(state, ...)                            \
	(*(state) ? LIVE(NULL, device.node, __VA_ARGS__) \
		  : (print_message("%s\n", loopdev_missing()), skip(), (struct vt *)NULL))

static void reading_starts_at_once_and_all_of_it_is_reads(void **state)
{
	struct vt *v = ON_DEVICE(state, "--rate", "2000");
	struct blockstat before, after;

	assert_int_equal(loopdev_stat(&device, &before), 0);
	VT_MATCH(v, ROW_HEADER, "RUN +00:00:[0-9]{2} ");
	VT_ROW(v, ROW_HEADER, device.name);
	VT_ROW(v, ROW_HEADER, "64 MiB");
	KNOB(v, "Workers", "1");
	KNOB(v, "Outst", "8");
	KNOB(v, "Block", "4K");
	KNOB(v, "Read", "100%");
	KNOB(v, "Rand", "100%");
	KNOB(v, "Rate", "2k");
	ANSWER(v, shows_reads);
	EVENT(v, "run start 1 x 8, 4 KiB");
	vt_shot(v, "knobs-start");
	/* The kernel has seen these reads, and no write. */
	assert_int_equal(loopdev_stat(&device, &after), 0);
	assert_true(after.read_ios > before.read_ios);
	assert_int_equal(after.write_ios, before.write_ios);
	e2e_quit(v);
}

static void letters_step_every_knob_and_leave_a_mark(void **state)
{
	static const struct {
		const char *key, *knob, *value, *event;
	} steps[] = {
		{"W", "Workers", "2", "workers 1 > 2"},
		{"w", "Workers", "1", "workers 2 > 1"},
		{"O", "Outst", "12", "outstanding 8 > 12"},
		{"o", "Outst", "8", "outstanding 12 > 8"},
		{"B", "Block", "8K", "block 4K > 8K"},
		{"b", "Block", "4K", "block 8K > 4K"},
		{"x", "Rand", "95%", "random 100% > 95%"},
		{"X", "Rand", "100%", "random 95% > 100%"},
		{"t", "Rate", "1k", "rate 2k > 1k"},
		{"T", "Rate", "2k", "rate 1k > 2k"},
	};
	struct vt *v = ON_DEVICE(state, "--rate", "2000");

	ANSWER(v, shows_reads);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		vt_type(v, steps[i].key);
		KNOB(v, steps[i].knob, steps[i].value);
		EVENT(v, steps[i].event);
		/* Marks have letters of their own, in their order. */
		assert_int_equal(e2e_event_letter(v, steps[i].event), 'a' + (int)i);
	}
	e2e_quit(v);
}

/* On null: both ways are free to go; on a device r would ask for permission. */
static void the_read_share_is_stepped_and_writes_follow(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	ANSWER(v, shows_reads);
	vt_type(v, "r");
	KNOB(v, "Read", "95%");
	EVENT(v, "read 100% > 95%");
	ANSWER(v, shows_writes);
	vt_type(v, "R");
	KNOB(v, "Read", "100%");
	EVENT(v, "read 95% > 100%");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

static void arrows_choose_a_knob_and_turn_it(void **state)
{
	static const struct {
		const char *knob, *up, *down;
	} order[] = {
		{"Workers", "2", "1"},   {"Outst", "12", "8"},    {"Block", "8K", "4K"},
		{"Read", "100%", "95%"}, {"Rand", "100%", "95%"}, {"Rate", "5k", "2k"},
	};
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	FOCUS(v, "Outst");
	vt_key(v, "left");
	for (int i = 0; i < 6; i++) {
		FOCUS(v, order[i].knob);
		vt_key(v, "up");
		KNOB(v, order[i].knob, order[i].up);
		vt_key(v, "down");
		KNOB(v, order[i].knob, order[i].down);
		vt_key(v, "right");
	}
	/* Round the end of the bar. */
	FOCUS(v, "Workers");
	vt_key(v, "pgup");
	KNOB(v, "Workers", "4");
	vt_key(v, "F8");
	KNOB(v, "Workers", "6");
	vt_key(v, "F7");
	vt_type(v, "-");
	KNOB(v, "Workers", "3");
	vt_type(v, "+=");
	KNOB(v, "Workers", "6");
	vt_key(v, "pgdn");
	KNOB(v, "Workers", "1");
	e2e_quit(v);
}

/* Opens the entry of the knob in focus, types, and leaves with Enter. */
static void enter_value(struct vt *v, const char *value)
{
	vt_key(v, "enter");
	VT_TEXT(v, "Enter sets it");
	vt_type(v, value);
	vt_key(v, "enter");
}

static void every_knob_takes_a_typed_value(void **state)
{
	static const struct {
		const char *knob, *typed, *value, *event;
	} order[] = {
		{"Workers", "3", "3", "workers 1 > 3"},
		{"Outst", "5", "5", "outstanding 8 > 5"},
		{"Block", "64k", "64K", "block 4K > 64K"},
		{"Read", "70", "70%", "read 100% > 70%"},
		{"Rand", "33%", "33%", "random 100% > 33%"},
		{"Rate", "1500", "1.5k", "rate 2k > 1.5k"},
	};
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	FOCUS(v, "Outst");
	vt_key(v, "left");
	for (int i = 0; i < 6; i++) {
		FOCUS(v, order[i].knob);
		enter_value(v, order[i].typed);
		VT_GONE(v, "Enter sets it");
		KNOB(v, order[i].knob, order[i].value);
		EVENT(v, order[i].event);
		vt_key(v, "right");
	}
	/* All of them stand. */
	for (int i = 0; i < 6; i++)
		KNOB(v, order[i].knob, order[i].value);
	/* Esc leaves the value as it was. */
	FOCUS(v, "Workers");
	vt_key(v, "enter");
	VT_TEXT(v, "Enter sets it");
	vt_type(v, "17");
	vt_shot(v, "knobs-entry");
	vt_key(v, "esc");
	VT_GONE(v, "Enter sets it");
	KNOB(v, "Workers", "3");
	e2e_quit(v);
}

/* As displayed, so within what three digits can say. */
static bool rate_is(const struct answer *a, double block_mib)
{
	double want = a->iops[BOTH] * block_mib;

	return a->iops[BOTH] > 0 && fabs(a->rate[BOTH] - want) <= want * 0.011 &&
	       !strcmp(a->unit, "MiB/s");
}

static bool rate_of_4k(const struct answer *a)
{
	return rate_is(a, 4 / 1024.0);
}

static bool rate_of_64k(const struct answer *a)
{
	return rate_is(a, 64 / 1024.0);
}

static bool about_1000(const struct answer *a)
{
	return a->iops[BOTH] >= 950 && a->iops[BOTH] <= 1050;
}

static bool far_above_1000(const struct answer *a)
{
	return a->iops[BOTH] > 1500;
}

static void figures_follow_the_knobs(void **state)
{
	struct vt *v = ON_DEVICE(state, "--rate", "2000");

	ANSWER(v, rate_of_4k);
	ANSWER(v, far_above_1000);
	vt_type(v, "BBBB");
	KNOB(v, "Block", "64K");
	EVENT(v, "block 4K > 64K"); /* four steps within a second: one mark */
	ANSWER(v, rate_of_64k);
	vt_type(v, "t");
	KNOB(v, "Rate", "1k");
	ANSWER(v, about_1000);
	ANSWER(v, rate_of_64k);
	vt_shot(v, "knobs-64k-1000");
	e2e_quit(v);
}

static void the_depth_lamp_is_workers_times_outstanding(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:20ms", "--workers", "2", "--outstanding", "3");

	VT_MATCH(v, VT_ANY, "depth +[^ ]+ (5\\.[5-9]|6\\.0) of 6");
	vt_type(v, "W");
	KNOB(v, "Workers", "3");
	VT_MATCH(v, VT_ANY, "depth +[^ ]+ (8\\.[1-9]|9\\.0) of 9");
	vt_type(v, "O");
	KNOB(v, "Outst", "4");
	VT_MATCH(v, VT_ANY, "depth +[^ ]+ (1[01]\\.[0-9]|12\\.0) of 12");
	e2e_quit(v);
}

static void an_unaligned_block_is_refused_with_the_reason(void **state)
{
	struct vt *v = ON_DEVICE(state, "--rate", "2000");

	FOCUS(v, "Outst");
	vt_key(v, "right");
	FOCUS(v, "Block");
	enter_value(v, "1000");
	VT_MATCH(v, VT_ANY, "! .*1000.*");
	VT_TEXT(v, "512");
	vt_shot(v, "knobs-refused");
	vt_key(v, "esc");
	VT_GONE(v, "Enter sets it");
	KNOB(v, "Block", "4K");
	ANSWER(v, rate_of_4k);
	assert_int_equal(e2e_event_letter(v, "block"), 0);
	e2e_quit(v);
}

static void a_depth_that_the_engine_cannot_reach_is_refused_in_the_footer(void **state)
{
	struct vt *v = ON_DEVICE(state, "--rate", "500", "--backend", "sync", "--outstanding", "1");

	ANSWER(v, shows_reads);
	vt_type(v, "O");
	VT_MATCH(v, VT_ANY, "^! outstanding 2 cannot be reached with backend sync");
	vt_shot(v, "knobs-sync");
	KNOB(v, "Outst", "1");
	assert_int_equal(e2e_event_letter(v, "outstanding"), 0);
	ANSWER(v, shows_reads);
	/* Esc takes the message away and the keys are back. */
	vt_key(v, "esc");
	VT_ROW(v, -1, "F1Help");
	enter_value(v, "64");
	VT_MATCH(v, VT_ANY, "! .*(outstanding|64).*");
	vt_key(v, "esc");
	VT_GONE(v, "Enter sets it");
	KNOB(v, "Outst", "1");
	e2e_quit(v);
}

static void undo_goes_back_change_by_change(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	FOCUS(v, "Outst");
	vt_type(v, "WBx");
	KNOB(v, "Workers", "2");
	KNOB(v, "Block", "8K");
	KNOB(v, "Rand", "95%");
	vt_type(v, "u");
	KNOB(v, "Rand", "100%");
	KNOB(v, "Block", "8K");
	/* Within a second: one mark for what is left of it all. */
	EVENT(v, "workers 1 > 2, block 4K > 8K");
	vt_type(v, "uu");
	KNOB(v, "Block", "4K");
	KNOB(v, "Workers", "1");
	vt_type(v, "u");
	VT_ROW(v, -1, "There is no knob change to undo");
	e2e_quit(v);
}

static void the_ends_of_a_knob_are_said(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	FOCUS(v, "Outst");
	vt_type(v, "w");
	VT_ROW(v, -1, "Workers: 1 is the least there is");
	vt_type(v, "R");
	VT_ROW(v, -1, "Read: 100% is the most there is");
	assert_int_equal(e2e_event_letter(v, "workers"), 0);
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(reading_starts_at_once_and_all_of_it_is_reads),
		E2E_TEST(letters_step_every_knob_and_leave_a_mark),
		E2E_TEST(the_read_share_is_stepped_and_writes_follow),
		E2E_TEST(arrows_choose_a_knob_and_turn_it),
		E2E_TEST(every_knob_takes_a_typed_value),
		E2E_TEST(figures_follow_the_knobs),
		E2E_TEST(the_depth_lamp_is_workers_times_outstanding),
		E2E_TEST(an_unaligned_block_is_refused_with_the_reason),
		E2E_TEST(a_depth_that_the_engine_cannot_reach_is_refused_in_the_footer),
		E2E_TEST(undo_goes_back_change_by_change),
		E2E_TEST(the_ends_of_a_knob_are_said),
	};
	return cmocka_run_group_tests(tests, make_device, free_device);
}
