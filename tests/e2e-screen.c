/* e2e-screen.c - the live screen as a picture: sizes, panes, focus, freezing, marks, units, windows,
 * stop and start. On null: with a latency, so that nothing here depends on a device.
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

static struct vt *live(void)
{
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	ANSWER(v, shows_reads);
	return v;
}

/* --- Sizes. --- */

/* The whole picture stands: state above, keys below, the knobs where they belong. */
static void expect_full_screen(struct vt *v)
{
	VT_ROW(v, ROW_HEADER, "lunscope");
	VT_ROW(v, ROW_HEADER, "RUN");
	KNOB(v, "Block", "4K");
	ANSWER(v, shows_reads);
	VT_ROW(v, -1, "F1Help");
	VT_ROW(v, -1, "F10Quit");
	VT_TEXT(v, "Latency");
	VT_TEXT(v, "Events");
}

static void resizing_while_it_runs_draws_the_new_size_at_once(void **state)
{
	(void)state;
	struct vt *v = live();

	expect_full_screen(v);
	vt_shot(v, "size-80x24");
	vt_resize(v, 43, 132);
	/* More room: throughput has a pane of its own, knobs have their long names. */
	VT_TEXT(v, "Throughput");
	VT_ROW(v, ROW_KNOBS, "Outstanding");
	expect_full_screen(v);
	VT_TEXT(v, "Tab panes");
	vt_shot(v, "size-132x43");
	vt_resize(v, 10, 40);
	VT_GONE(v, "Throughput");
	VT_ROW(v, ROW_HEADER, "RUN");
	VT_ROW(v, -1, "F1");
	VT_MATCH(v, ROW_ANSWER, "IOPS +[0-9.]+k?");
	vt_shot(v, "size-40x10");
	vt_resize(v, 5, 20);
	VT_ROW(v, -1, "needs 40x10, q quits");
	vt_shot(v, "size-20x5");
	vt_resize(v, 3, 10);
	VT_ROW(v, -1, "40x10, q q");
	vt_resize(v, 1, 1);
	vt_pump(v, 0.6);
	assert_false(vt_exited(v));
	vt_resize(v, 100, 300);
	expect_full_screen(v);
	/* The right end is used too. */
	VT_MATCH(v, ROW_HEADER, "[0-9]{2}:[0-9]{2}:[0-9]{2}$");
	vt_shot(v, "size-300x100");
	vt_resize(v, 24, 80);
	expect_full_screen(v);
	VT_GONE(v, "Throughput");
	e2e_quit(v);
}

static void keys_work_in_between_sizes(void **state)
{
	(void)state;
	struct vt *v = live();

	for (int i = 0; i < 8; i++) {
		vt_resize(v, i % 2 ? 24 : 40, i % 2 ? 80 : 120);
		vt_type(v, i % 2 ? "b" : "B");
	}
	KNOB(v, "Block", "4K");
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	vt_resize(v, 1, 1);
	vt_type(v, "B");
	vt_resize(v, 24, 80);
	KNOB(v, "Block", "16K");
	e2e_quit(v);
}

static void crossterm_1011_a_line_without_a_size_gets_80x24(void **state)
{
	(void)state;
	struct vt_options o = {.no_size = true};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000");

	expect_full_screen(v);
	e2e_quit(v);
}

/* --- Panes. --- */

static const char *const pane_titles[] = {"IOPS", "Throughput", "Latency",
					  "CPU",  "Target",     "Events"};

/* How many of the titles stand in rules: "─ IOPS ───". */
static int titles(struct vt *v)
{
	char want[64];
	int n = 0;

	for (int i = 0; i < 6; i++) {
		snprintf(want, sizeof want, "\u2500 %s \u2500", pane_titles[i]);
		n += vt_find(v, want, NULL, NULL);
		snprintf(want, sizeof want, "[%s]", pane_titles[i]);
		n += vt_find(v, want, NULL, NULL);
	}
	return n;
}

static bool all_panes(struct vt *v, void *arg)
{
	(void)arg;
	return titles(v) == 6;
}

static bool one_pane(struct vt *v, void *title)
{
	char want[64];

	snprintf(want, sizeof want, "[%s]", (char *)title);
	return titles(v) == 1 && vt_find(v, want, NULL, NULL);
}

static void each_pane_zooms_to_the_full_screen_and_back(void **state)
{
	(void)state;
	struct vt_options o = {.rows = 43, .cols = 132};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000");
	char key[2] = "1", name[32];

	VT_EXPECT(v, vt_wait(v, all_panes, NULL));
	for (int i = 0; i < 6; i++) {
		key[0] = (char)('1' + i);
		vt_type(v, key);
		vt_key(v, "F6");
		VT_EXPECT(v, vt_wait(v, one_pane, (void *)pane_titles[i]));
		/* The rows that are no panes stay. */
		KNOB(v, "Block", "4K");
		VT_ROW(v, -1, "F10Quit");
		snprintf(name, sizeof name, "zoom-%s", pane_titles[i]);
		vt_pump(v, 0.3);
		vt_shot(v, name);
		vt_type(v, i % 2 ? "p" : "\033");
		VT_EXPECT(v, vt_wait(v, all_panes, NULL));
	}
	/* Zoomed, a digit brings the next pane; Enter goes back. */
	vt_type(v, "3");
	vt_key(v, "enter");
	VT_EXPECT(v, vt_wait(v, one_pane, "Latency"));
	vt_type(v, "4");
	VT_EXPECT(v, vt_wait(v, one_pane, "CPU"));
	vt_key(v, "enter");
	VT_EXPECT(v, vt_wait(v, all_panes, NULL));
	e2e_quit(v);
}

static bool pane_focused(struct vt *v, void *title)
{
	char want[64];
	int row, col, at, left;
	bool visible;

	snprintf(want, sizeof want, "[%s]", (char *)title);
	if (!vt_find(v, want, &at, &left) || *e2e_focus(v))
		return false;
	/* The hardware cursor rests there, hidden: what a screen reader follows. */
	vt_cursor(v, &row, &col, &visible);
	return row == at && col >= left && !visible;
}

static void the_focus_goes_round_the_knobs_and_the_panes(void **state)
{
	static const char *const ring[] = {"IOPS", "Throughput", "Heat map", "Latency",
					   "CPU",  "Target",     "Events"};
	const int panes = (int)(sizeof(ring) / sizeof(ring[0]));
	(void)state;
	struct vt_options o = {.rows = 43, .cols = 132};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000");

	VT_MATCH(v, ROW_KNOBS, "Outstanding <   8>");
	for (int i = 0; i < panes; i++) {
		vt_key(v, "tab");
		VT_EXPECT(v, vt_wait(v, pane_focused, (void *)ring[i]));
	}
	vt_key(v, "tab");
	VT_MATCH(v, ROW_KNOBS, "Outstanding <   8>");
	for (int i = panes - 1; i >= 0; i--) {
		vt_key(v, "backtab");
		VT_EXPECT(v, vt_wait(v, pane_focused, (void *)ring[i]));
	}
	vt_key(v, "esc");
	VT_MATCH(v, ROW_KNOBS, "Outstanding <   8>");
	for (int i = 0; i < 6; i++) {
		vt_type(v, (char[]){(char)('1' + i), '\0'});
		VT_EXPECT(v, vt_wait(v, pane_focused, (void *)pane_titles[i]));
	}
	vt_type(v, "9");
	VT_EXPECT(v, vt_wait(v, pane_focused, (void *)"Heat map"));
	/* A knob's letters work from everywhere. */
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	e2e_quit(v);
}

/* --- Freeze, stop, marks. --- */

static void frozen_figures_stand_still_while_the_io_goes_on(void **state)
{
	(void)state;
	struct vt *v = live();
	char frozen[512], live_row[512];

	vt_key(v, "F4");
	VT_ROW(v, ROW_HEADER, "FROZEN");
	snprintf(frozen, sizeof frozen, "%s", vt_row(v, ROW_ANSWER));
	/* A tenth of the rate: it must not be seen, but happen. */
	vt_type(v, "ttt");
	KNOB(v, "Rate", "200");
	vt_pump(v, 2);
	vt_shot(v, "frozen");
	assert_string_equal(vt_row(v, ROW_ANSWER), frozen);
	vt_type(v, " ");
	VT_ROW(v, ROW_HEADER, "RUN");
	VT_MATCH(v, ROW_ANSWER, "IOPS +(19[0-9]|20[0-9]) ");
	snprintf(live_row, sizeof live_row, "%s", vt_row(v, ROW_ANSWER));
	assert_string_not_equal(live_row, frozen);
	e2e_quit(v);
}

static void stopping_shows_zero_and_starting_again_shows_io(void **state)
{
	(void)state;
	struct vt *v = live();

	vt_key(v, "F9");
	VT_ROW(v, ROW_HEADER, "STOP");
	EVENT(v, "IO stopped");
	ANSWER(v, shows_nothing);
	VT_MATCH(v, VT_ANY, "depth .*stopped");
	VT_TEXT(v, "no IO in flight");
	vt_shot(v, "stopped");
	vt_type(v, "s");
	VT_ROW(v, ROW_HEADER, "RUN");
	EVENT(v, "IO started");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

static void a_note_becomes_a_mark_in_the_events(void **state)
{
	(void)state;
	struct vt *v = live();

	/* The mark is set when the key is pressed; its words can follow. */
	vt_key(v, "F3");
	VT_TEXT(v, "Mark a");
	EVENT(v, "mark");
	vt_type(v, "cable moved");
	vt_shot(v, "note");
	vt_key(v, "enter");
	VT_GONE(v, "Mark a");
	EVENT(v, "cable moved");
	assert_int_equal(e2e_event_letter(v, "cable moved"), 'a');
	/* Its line stands in the chart. */
	VT_EXPECT(v, e2e_count(v, (const uint32_t[]){0x250a, 0}) > 0);
	/* Esc leaves it without words. */
	vt_type(v, "m");
	VT_TEXT(v, "Mark b");
	vt_type(v, "not this");
	vt_key(v, "esc");
	VT_GONE(v, "Mark b");
	assert_int_equal(e2e_event_letter(v, "mark"), 'b');
	assert_int_equal(e2e_event_letter(v, "not this"), 0);
	e2e_quit(v);
}

/* How many IOs the latency figures are made of; -1 where that isn't shown. */
static double latency_ios(struct vt *v)
{
	double n = -1;

	for (int r = 0; r < vt_rows(v); r++) {
		const char *at = strstr(vt_row(v, r), " IOs  ");
		char unit = 0;
		if (at && sscanf(at, " IOs %lf%c", &n, &unit) >= 1)
			return unit == 'k' ? n * 1000 : n;
	}
	return n;
}

static bool more_than_1000(struct vt *v, void *arg)
{
	(void)arg;
	return latency_ios(v) > 1000;
}

static bool fewer_than_600(struct vt *v, void *arg)
{
	(void)arg;
	return latency_ios(v) >= 0 && latency_ios(v) < 600;
}

static void a_reset_starts_the_statistics_anew(void **state)
{
	(void)state;
	struct vt_options o = {.rows = 43, .cols = 132};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "500");

	VT_EXPECT(v, vt_wait(v, more_than_1000, NULL));
	vt_key(v, "F5");
	EVENT(v, "reset");
	VT_EXPECT(v, vt_wait(v, fewer_than_600, NULL));
	VT_EXPECT(v, vt_wait(v, more_than_1000, NULL));
	vt_type(v, "0");
	VT_EXPECT(v, vt_wait(v, fewer_than_600, NULL));
	e2e_quit(v);
}

/* --- Units, windows, latency. --- */

static double shown_rate;

static bool in_mb(const struct answer *a)
{
	return !strcmp(a->unit, "MB/s") && a->iops[BOTH] > 0 &&
	       fabs(a->rate[BOTH] - a->iops[BOTH] * 65536 / 1e6) <= a->rate[BOTH] * 0.011;
}

static bool in_mib(const struct answer *a)
{
	shown_rate = a->rate[BOTH];
	return !strcmp(a->unit, "MiB/s") && a->iops[BOTH] > 0 &&
	       fabs(a->rate[BOTH] - a->iops[BOTH] / 16) <= a->rate[BOTH] * 0.011;
}

static bool steady(const struct answer *a)
{
	return in_mib(a) && a->iops[BOTH] > 990 && a->iops[BOTH] < 1010;
}

static bool scaled(const struct answer *a)
{
	return in_mb(a) && fabs(a->rate[BOTH] / shown_rate - 1.048576) < 0.03;
}

static void units_change_with_their_numbers(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "1000", "--block", "64k");

	ANSWER(v, steady);
	vt_type(v, "i");
	ANSWER(v, scaled);
	VT_TEXT(v, "MB/s right");
	vt_type(v, "i");
	ANSWER(v, in_mib);
	VT_GONE(v, "MB/s right");
	e2e_quit(v);
}

static void the_time_window_halves_and_doubles(void **state)
{
	(void)state;
	struct vt *v = live();

	VT_TEXT(v, "-60 s");
	vt_type(v, "z");
	VT_TEXT(v, "-30 s");
	VT_GONE(v, "-60 s");
	vt_type(v, "ZZ");
	VT_MATCH(v, VT_ANY, "-(2 m|120 s|2:00)");
	for (int i = 0; i < 12; i++)
		vt_type(v, "<");
	VT_ROW(v, -1, "This is the shortest time window");
	for (int i = 0; i < 14; i++)
		vt_type(v, ">");
	VT_ROW(v, -1, "This is the longest time window");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

static void latency_is_shown_together_or_apart(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000", "--read", "50");

	ANSWER(v, shows_writes);
	vt_settle(v, 0.1);
	vt_shot(v, "latency-together");
	int row, col;
	VT_EXPECT(v, vt_find(v, "\u2500 Latency", &row, &col));
	vt_type(v, "l");
	VT_MATCH(v, row, "Latency .*read.*write");
	vt_shot(v, "latency-apart");
	e2e_quit(v);
}

static void the_command_line_is_shown(void **state)
{
	(void)state;
	struct vt *v = live();

	vt_type(v, "BB");
	KNOB(v, "Block", "16K");
	vt_type(v, "e");
	VT_TEXT(v, "This command line repeats the run");
	VT_TEXT(v, "lunscope null:1ms");
	VT_TEXT(v, "16K"); /* where the line wraps depends on the path of the program */
	vt_shot(v, "command");
	vt_key(v, "esc");
	VT_GONE(v, "This command line repeats");
	e2e_quit(v);
}

static void a_word_in_quotes_is_shown_unbroken(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000", "--range", "0:1g", "--seed", "77",
			    "--lines", "4k 80% read 100 random 100; 64k 20% read 100 random 0");

	VT_TEXT(v, "F10Quit");
	vt_type(v, "e");
	VT_TEXT(v, "This command line repeats the run");
	VT_TEXT(v, "'4K 80% read 100 random 100; 64K 20% read 100 random 0'");
	VT_TEXT(v, "--range 0:1G");
	vt_key(v, "esc");
	VT_GONE(v, "This command line repeats");
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(resizing_while_it_runs_draws_the_new_size_at_once),
		E2E_TEST(keys_work_in_between_sizes),
		E2E_TEST(crossterm_1011_a_line_without_a_size_gets_80x24),
		E2E_TEST(each_pane_zooms_to_the_full_screen_and_back),
		E2E_TEST(the_focus_goes_round_the_knobs_and_the_panes),
		E2E_TEST(frozen_figures_stand_still_while_the_io_goes_on),
		E2E_TEST(stopping_shows_zero_and_starting_again_shows_io),
		E2E_TEST(a_note_becomes_a_mark_in_the_events),
		E2E_TEST(a_reset_starts_the_statistics_anew),
		E2E_TEST(units_change_with_their_numbers),
		E2E_TEST(the_time_window_halves_and_doubles),
		E2E_TEST(latency_is_shown_together_or_apart),
		E2E_TEST(the_command_line_is_shown),
		E2E_TEST(a_word_in_quotes_is_shown_unbroken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
