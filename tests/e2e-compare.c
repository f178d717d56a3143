/* e2e-compare.c - a change is made on the live screen, and the screen says what it did. null:5ms answers after
 * that time and needs next to no CPU, so that twice the outstanding IOs are twice the IOPS, for sure.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/e2e.h"
#include "tests/proc.h"

#define ROW_VERDICT 3

/* What needs minutes on a busy machine gets several times the patience. */
#define PATIENCES 8

static void expect_match(struct vt *v, int row, const char *ere)
{
	for (int i = 0; i < PATIENCES; i++)
		if (vt_wait_match(v, row, ere))
			return;
	VT_MATCH(v, row, ere);
}

/* Until the run has gone on for long enough to be compared with something. */
static void await_half_a_minute(struct vt *v)
{
	expect_match(v, ROW_HEADER, " (00:00:3[0-9]|00:00:[45][0-9]|00:0[1-9]:[0-9][0-9]) ");
}

/* A run of half a minute with a knob turned behind it, until there is a verdict on that. NULL: others kept
 * the machine so busy by fits and starts that the half minute is no measure, and the row says so. */
static struct vt *turn_a_knob(void)
{
	struct vt *v = LIVE(NULL, "null:5ms", "--no-store", "--outstanding", "4");

	ANSWER(v, shows_reads);
	/* Nothing to say yet, and no row for it. */
	VT_EXPECT(v, strstr(vt_row(v, ROW_VERDICT), "IOPS") != NULL);
	await_half_a_minute(v);
	vt_type(v, "OO");
	VT_MATCH(v, ROW_VERDICT,
		 "^a against the start: (about [0-9]+ s more|the start is too short: .*) +v "
		 "compares$");
	KNOB(v, "Outst", "8");
	ANSWER(v, shows_reads);
	vt_shot(v, "compare-waiting");
	expect_match(v, ROW_VERDICT,
		     "^a against the start: (IOPS [+][0-9.]+ % [[]|the start is too short)");
	if (!strstr(vt_row(v, ROW_VERDICT), "too short"))
		return v;
	e2e_quit(v);
	return NULL;
}

static void a_turned_knob_gets_its_verdict_below_the_answer(void **state)
{
	(void)state;
	struct vt *v = NULL;

	for (int i = 0; i < 3 && !v; i++)
		v = turn_a_knob();
	assert_non_null(v);
	/* The figure is about what it must be: between half as much again and three times as much. */
	double change = atof(strchr(vt_row(v, ROW_VERDICT), '+'));
	VT_EXPECT(v, change > 50 && change < 200);
	vt_shot(v, "compare-verdict");
	vt_type(v, "v");
	VT_MATCH(v, VT_ANY, "^ A - [0-9:]{8} +.* run start");
	VT_MATCH(v, VT_ANY, "^ B a [0-9:]{8} +.* outstanding 4 . 8");
	VT_MATCH(v, VT_ANY,
		 "^ IOPS +[0-9.]+k? +[0-9.]+k? +[+][0-9.]+ % [[].*[]] +different, better$");
	VT_TEXT(v, "One thing differs: workload: outstanding 4 > 8");
	vt_shot(v, "compare-view");
	/* The other way round it is half as much. */
	vt_key(v, "up");
	VT_MATCH(v, VT_ANY, "^ B - [0-9:]{8} ");
	expect_match(v, VT_ANY, "^ IOPS .* -[0-9.]+ % [[].*[]] +different, worse$");
	VT_MATCH(v, VT_ANY, " the start against a ");
	vt_key(v, "home");
	expect_match(v, VT_ANY, "^ B a [0-9:]{8} ");
	vt_type(v, "d");
	VT_TEXT(v, "What differs between A and B");
	vt_key(v, "esc");
	vt_type(v, "?");
	VT_TEXT(v, "How to read the comparison");
	vt_key(v, "esc");
	VT_GONE(v, "How to read the comparison");
	vt_key(v, "esc");
	VT_GONE(v, "Segments");
	e2e_quit(v);
}

static void where_nothing_changed_no_change_of_a_knobs_size_is_shown(void **state)
{
	static const struct vt_options wide = {
		.rows = 43, .cols = 132, .locale = "C", .term = "xterm"};
	(void)state;
	struct vt *v = LIVE(&wide, "null:5ms", "--no-store", "--outstanding", "4");

	ANSWER(v, shows_reads);
	/* Whatever else this machine is busy with: after 50 s it is known how steady that makes it. */
	expect_match(v, VT_ANY, "steady +[*!] (IOPS within|not yet|no more)");
	vt_type(v, "m");
	vt_type(v, "nothing at all");
	vt_key(v, "enter");
	EVENT(v, "nothing at all");
	vt_type(v, "v");
	VT_MATCH(v, VT_ANY, "^ B a [0-9:]{8} +.* nothing at all");
	VT_MATCH(v, VT_ANY,
		 " a against the start .* (about [0-9]+ s more|the start is too short: [0-9]+ s "
		 "of) ");
	/* Where others keep the machine busy by fits and starts it may take long until anything can be said, and
	 * one time in twenty chance is taken for a difference; but never for one of the size that a knob makes. */
	for (int i = 0; i < 2; i++)
		if (vt_wait_match(
			    v, VT_ANY,
			    "^ IOPS .*[]] +(within noise; would have seen |undecided|different)"))
			break;
	VT_MATCH(v, VT_ANY, "^ IOPS +[0-9.]+k? +[0-9.]+k? +[0-9.]+ +[-+]?[0-9]?[0-9][.][0-9] % ");
	VT_TEXT(v, "Nothing else differs that is known of.");
	vt_shot(v, "compare-alike");
	vt_key(v, "esc");
	VT_GONE(v, "Segments");
	e2e_quit(v);
}

static void without_a_mark_the_view_says_what_to_do(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:5ms", "--no-store");

	ANSWER(v, shows_reads);
	vt_type(v, "v");
	VT_TEXT(v, "There is one segment so far.");
	/* Figures go on behind it, and a mark is seen at once when it was set. */
	vt_key(v, "esc");
	VT_GONE(v, "There is one segment");
	vt_type(v, "m");
	vt_key(v, "enter");
	VT_MATCH(v, ROW_VERDICT,
		 "^a against the start: the start is too short: [0-9]+ s of about ");
	/* Where the statistics begin anew, so does what is compared. */
	vt_type(v, "0");
	VT_GONE(v, "against the start");
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(a_turned_knob_gets_its_verdict_below_the_answer),
		E2E_TEST(where_nothing_changed_no_change_of_a_knobs_size_is_shown),
		E2E_TEST(without_a_mark_the_view_says_what_to_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
