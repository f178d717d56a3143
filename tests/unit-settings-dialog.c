/* unit-settings-dialog.c - the dialog of all settings over a real run on null: and on a loop device: what
 * its keys do to the workload, what it shows, what it refuses.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "loopdev.h"
#include "run.h"
#include "scratch.h"
#include "setting.h"
#include "target.h"
#include "tests/canvas-print.h"
#include "tests/live-screen.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "ui/screen.h"
#include "ui/state.h"
#include "units.h"

/* --- A screen over a run. --- */

static int refuse_to_write(void *ctx, const struct guard_report *r, const char *typed,
			   struct error *e)
{
	(void)ctx;
	(void)r;
	(void)typed;
	return error_set(e, EPERM, "this test allows no writes");
}

/* Slow enough that the null target doesn't take a processor for itself. */
static void begin(struct live_screen *f, const char *spec)
{
	f->host = (struct ui_host){.ctx = f, .allow_write = refuse_to_write};
	live_screen_begin(f, spec, 1000);
}

static int setup(void **state)
{
	struct live_screen *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	begin(f, "null:");
	state_key(&f->s, 'a');
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	live_screen_end(*state);
	free(*state);
	return 0;
}

static void keys(struct live_screen *f, const char *text)
{
	for (; *text; text++)
		state_key(&f->s, *text);
}

static struct workload now(struct live_screen *f)
{
	return run_workload(f->run);
}

static void draw(struct live_screen *f)
{
	state_update(&f->s, 0);
	screen_draw(&f->c, &f->s);
}

/* Goes to a setting. */
static void go(struct live_screen *f, enum setting s)
{
	state_key(&f->s, K_HOME);
	for (int i = 0; i < (int)s; i++)
		state_key(&f->s, K_DOWN);
}

/* The row that holds the text; -1 if none does. Leaves the row in `line`. */
static char line[1024];
static int find_row(struct live_screen *f, const char *words)
{
	for (int r = 0; r < f->c.rows; r++)
		if (strstr(canvas_row(&f->c, r, line, sizeof(line)), words))
			return r;
	return -1;
}

static int row_with(struct live_screen *f, const char *words)
{
	draw(f);
	int r = find_row(f, words);

	if (r < 0) {
		canvas_print(&f->c, stderr);
		fail_msg("no row has '%s'", words);
	}
	return r;
}

static struct cell cell(const struct live_screen *f, int row, int col)
{
	return f->c.cell[row * f->c.cols + col];
}

/* --- The picture --- */

static void every_setting_has_a_row_with_value_and_help(void **state)
{
	struct live_screen *f = *state;
	struct workload w = now(f);
	int last = -1;

	/* Room for all of them. */
	assert_int_equal(canvas_resize(&f->c, 43, 80), 0);
	for (int s = 0; s < SETTING_COUNT; s++) {
		struct setting_info info = setting_info((enum setting)s);
		char value[32];
		int r = row_with(f, info.help);

		setting_format(value, sizeof(value), &w, (enum setting)s);
		assert_non_null(strstr(line, info.name));
		assert_non_null(strstr(line, value));
		assert_true(r > last);
		last = r;
	}
	row_with(f, "In use: 1 TiB, the whole target. Offsets are multiples of 4 KiB.");
	w.workers = 4;
	state_apply(&f->s, &w);
	row_with(f, "In use: 1 TiB, the whole target, 256 GiB for each of 4 workers.");
	w.share_range = true;
	state_apply(&f->s, &w);
	row_with(f, "In use: 1 TiB, the whole target, all of it for each of 4 workers.");
}

static void values_stand_in_one_column_whichever_is_chosen(void **state)
{
	struct live_screen *f = *state;

	/* Room for all of them. */
	assert_int_equal(canvas_resize(&f->c, 43, 80), 0);
	for (int s = 0; s < SETTING_COUNT; s++) {
		go(f, (enum setting)s);
		int r = row_with(f, setting_info((enum setting)s).help);

		assert_int_equal(cell(f, r, 2).ch, '>');
		assert_int_equal(cell(f, r, 2).style, ST_SELECTED);
		assert_int_equal(cell(f, r, 29).ch, '>'); /* right after the value */
		assert_int_not_equal(cell(f, r, 28).ch, ' ');
		assert_int_equal(f->c.cursor_row, r);
		assert_false(f->c.cursor_visible);
		for (int other = 0; other < SETTING_COUNT; other++) {
			if (other == s)
				continue;
			r = row_with(f, setting_info((enum setting)other).help);
			assert_int_equal(cell(f, r, 2).ch, ' ');
			assert_int_not_equal(cell(f, r, 28).ch, ' ');
			assert_int_equal(cell(f, r, 29).ch, ' ');
			assert_int_equal(cell(f, r, 29).style, ST_DIALOG);
		}
	}
}

static void it_begins_with_the_focused_knob(void **state)
{
	struct live_screen *f = *state;

	row_with(f, "> Outstanding");
	state_key(&f->s, K_ESC);
	assert_false(dialog_active(&f->s.dialogs));
	state_key(&f->s, K_RIGHT);
	state_key(&f->s, 'a');
	row_with(f, "> Block");
	state_key(&f->s, 'a'); /* the same key closes it */
	assert_false(dialog_active(&f->s.dialogs));
}

static void the_chosen_row_is_in_sight_at_any_size(void **state)
{
	struct live_screen *f = *state;

	for (int rows = 1; rows < 30; rows++)
		for (int cols = 10; cols < 100; cols += 9) {
			assert_int_equal(canvas_resize(&f->c, rows, cols), 0);
			for (int s = 0; s < SETTING_COUNT; s++) {
				go(f, (enum setting)s);
				draw(f);
				assert_int_equal(cell(f, f->c.cursor_row, f->c.cursor_col).style,
						 ST_SELECTED);
			}
		}
	assert_int_equal(canvas_resize(&f->c, 10, 40), 0);
	go(f, (enum setting)KNOB_WORKERS);
	row_with(f, "threads, each with its own queue"); /* below the list */
	assert_int_equal(find_row(f, "Range is"), -1);
	go(f, SETTING_SHARE);
	row_with(f, "> Range is");
	assert_int_equal(find_row(f, "Workers"), -1);
}

/* --- Turning --- */

static void every_setting_steps_at_once_and_back(void **state)
{
	struct live_screen *f = *state;
	struct workload start = now(f);
	struct workload_limits l = target_limits(&f->target);

	/* To a place from which every setting can go up and come back. */
	start.range_start = 64 * GIB;
	start.range_length = 64 * GIB;
	start.align = 8192;
	start.read_pct = start.random_pct = 50;
	for (int s = 0; s < SETTING_COUNT; s++) {
		struct workload want = start, after;
		struct error e = {""};
		char a[SETTING_LONG], b[SETTING_LONG];

		/* Which a rate excludes. */
		start.rate_iops = want.rate_iops = s == SETTING_THINK ? 0 : 1000;
		state_apply(&f->s, &start);
		go(f, (enum setting)s);
		assert_int_equal(setting_step(&want, (enum setting)s, 1, false, &l, &e), 0);
		state_key(&f->s, s % 2 ? K_RIGHT : '+');
		after = now(f);
		assert_string_equal(setting_format(a, sizeof(a), &after, (enum setting)s),
				    setting_format(b, sizeof(b), &want, (enum setting)s));
		char shown[SETTING_SHORT];
		setting_brief(shown, sizeof(shown), &after, (enum setting)s);
		snprintf(b, sizeof(b), "<%s>", shown);
		row_with(f, setting_info((enum setting)s).help);
		assert_non_null(strstr(line, b));
		state_key(&f->s, s % 2 ? K_LEFT : '-');
		after = now(f);
		assert_string_equal(setting_format(a, sizeof(a), &after, (enum setting)s),
				    setting_format(b, sizeof(b), &start, (enum setting)s));
	}
	go(f, SETTING_LENGTH);
	state_key(&f->s, K_PGDN);
	assert_true(now(f).range_length == 16 * GIB);
}

static void a_value_is_typed_in_place(void **state)
{
	struct live_screen *f = *state;

	go(f, SETTING_START);
	state_key(&f->s, K_ENTER);
	int r = row_with(f, "Range start");
	assert_non_null(strstr(line, setting_info(SETTING_START).example));
	assert_true(f->c.cursor_visible);
	assert_int_equal(f->c.cursor_row, r);
	assert_int_equal(cell(f, r, f->c.cursor_col).style, ST_INPUT);
	keys(f, "10g");
	assert_true(now(f).range_start == 0); /* not before Enter */
	state_key(&f->s, K_ENTER);
	assert_true(now(f).range_start == 10 * GIB);
	row_with(f, "<10 GiB>");
	row_with(f, "In use: 1014 GiB, from 10 GiB on.");
	assert_false(f->c.cursor_visible);

	/* A digit begins at once; Esc leaves the value, and the dialog open. */
	go(f, SETTING_ALIGN);
	keys(f, "64k");
	row_with(f, "<64k");
	state_key(&f->s, K_ESC);
	assert_int_equal(now(f).align, 0);
	assert_true(dialog_active(&f->s.dialogs));
	keys(f, "64k");
	state_key(&f->s, K_ENTER);
	assert_int_equal(now(f).align, 65536);
	state_key(&f->s, K_ENTER);
	keys(f, "block");
	state_key(&f->s, K_ENTER);
	assert_int_equal(now(f).align, 0);

	go(f, SETTING_SHARE);
	state_key(&f->s, K_ENTER); /* flips */
	assert_true(now(f).share_range);
}

static void access_lines_are_typed_in_a_wide_field_and_shown_in_short(void **state)
{
	struct live_screen *f = *state;

	go(f, SETTING_LINES);
	keys(f, "4k 70% read 100 random 100; 64k 20% read 100 random 0 align 64k; 8k 20%");
	/* It has scrolled so far that its end is in sight, with the cursor behind it. */
	int r = row_with(f, "align 64k; 8k 20%");
	assert_null(strstr(line, "70%"));
	assert_int_equal(f->c.cursor_row, r);
	row_with(f, setting_info(SETTING_LINES).example);
	state_key(&f->s, K_ENTER);
	row_with(f, "! the shares of the access lines add up to 110 %, not to 100 %");
	assert_int_equal(now(f).access.count, 0);
	state_key(&f->s, K_HOME);
	row_with(f, "<4k 70% read 100 random 100;");
	for (int i = 0; i < 3; i++)
		state_key(&f->s, K_RIGHT);
	state_key(&f->s, K_DELETE); /* 70 to 60 */
	keys(f, "6");
	state_key(&f->s, K_ENTER);
	assert_int_equal(now(f).access.count, 3);
	assert_int_equal(now(f).access.line[0].share, 60);
	row_with(f, "<3 lines>");
	row_with(f, "In use: 1 TiB, the whole target. Offsets are multiples of their line's");
	/* What has given way says so, and can be neither turned nor typed. */
	go(f, (enum setting)KNOB_READ);
	row_with(f, "<by line>");
	static const int key[] = {K_LEFT, K_ENTER, '5'};
	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++) {
		state_key(&f->s, key[i]);
		row_with(f, "read is set by the access lines; clear them first (a, ");
		state_key(&f->s, K_UP);
		state_key(&f->s, K_DOWN);
	}
	assert_int_equal(now(f).read_pct, 100);
	go(f, SETTING_LINES);
	state_key(&f->s, K_LEFT);
	assert_int_equal(now(f).access.count, 0);
	keys(f, "u");
	assert_int_equal(now(f).access.count, 3);
	/* Nor by their letters. */
	state_key(&f->s, K_ESC);
	keys(f, "B");
	assert_string_equal(f->s.gather.view.message,
			    "block is set by the access lines; clear them first (a, Access lines: "
			    "none)");
	state_key(&f->s, K_RIGHT);
	state_key(&f->s, K_ENTER);
	assert_false(dialog_active(&f->s.dialogs));
	assert_int_equal(now(f).block_size, 4096);
}

static void what_cannot_be_is_refused_in_the_dialog(void **state)
{
	struct live_screen *f = *state;

	go(f, SETTING_LENGTH);
	keys(f, "512");
	state_key(&f->s, K_ENTER);
	assert_true(now(f).range_length == 0);
	int r = row_with(f, "! null: a range of 512 B does not hold a block of 4 KiB");
	assert_int_equal(cell(f, r, 2).style, ST_BAD);
	assert_string_equal(f->s.gather.view.message, "");
	row_with(f, "<512"); /* still there to be mended */
	keys(f, "k");
	draw(f);
	assert_int_equal(find_row(f, "! null:"), -1);
	state_key(&f->s, K_ENTER);
	assert_true(now(f).range_length == 512 * KIB);

	go(f, SETTING_START);
	keys(f, "2T");
	state_key(&f->s, K_ENTER);
	row_with(f, "the range ends behind the end of the target");
	assert_true(now(f).range_start == 0);
	state_key(&f->s, K_ESC);
	draw(f);
	assert_int_equal(find_row(f, "behind the end"), -1);
	keys(f, "3x");
	state_key(&f->s, K_ENTER);
	row_with(f, "'x' is no unit");
	assert_true(now(f).range_start == 0);
}

static void the_end_of_a_setting_is_said_in_the_dialog(void **state)
{
	struct live_screen *f = *state;

	go(f, SETTING_LENGTH);
	state_key(&f->s, K_RIGHT);
	int r = row_with(f, "Range length: end is the most there is");
	assert_int_equal(cell(f, r, 2).style, ST_DIALOG);
	state_key(&f->s, K_UP);
	draw(f);
	assert_int_equal(find_row(f, "is the most there is"), -1);
}

static void changes_are_marked_and_can_be_undone(void **state)
{
	struct live_screen *f = *state;
	struct mark m[8];

	size_t before = timeline_marks(run_timeline(f->run), 0, m, 8);
	go(f, SETTING_ALIGN);
	keys(f, "1m");
	state_key(&f->s, K_ENTER);
	go(f, SETTING_SHARE);
	state_key(&f->s, '+');
	size_t n = timeline_marks(run_timeline(f->run), 0, m, 8);
	assert_int_equal(n, before + 2);
	/* Within a second: the second mark takes the place of the first and tells of both. */
	assert_int_equal(m[n - 2].kind, MARK_PASSED);
	assert_int_equal(m[n - 1].kind, MARK_KNOB);
	assert_string_equal(m[n - 1].text, "align block > 1 MiB, range split > shared");

	keys(f, "u");
	assert_false(now(f).share_range);
	assert_int_equal(now(f).align, MIB);
	state_key(&f->s, K_ESC);
	keys(f, "u"); /* outside as well */
	assert_int_equal(now(f).align, 0);
	state_key(&f->s, 'a');
	keys(f, "u");
	row_with(f, "There is no knob change to undo.");
}

static void a_value_that_is_what_it_was_leaves_no_trace(void **state)
{
	struct live_screen *f = *state;
	struct mark m[8];
	size_t before = timeline_marks(run_timeline(f->run), 0, m, 8);

	for (int s = 0; s < SETTING_SHARE; s++) {
		go(f, (enum setting)s);
		state_key(&f->s, K_ENTER);
		state_key(&f->s, K_ENTER);
	}
	assert_int_equal(timeline_marks(run_timeline(f->run), 0, m, 8), before);
	assert_int_equal(f->s.undo_count, 0);
}

static void io_that_was_stopped_stays_stopped(void **state)
{
	struct live_screen *f = *state;
	struct error e;

	assert_int_equal(run_pause(f->run, true, &e), 0);
	go(f, SETTING_ALIGN);
	keys(f, "8k");
	state_key(&f->s, K_ENTER);
	assert_int_equal(now(f).align, 8192);
	assert_true(now(f).paused);
}

/* --- Writing --- */

/* The consent dialog on top, once it has looked at the target. */
static const struct guard_report *wait_for_report(struct live_screen *f)
{
	const struct timespec nap = {0, 20000000};

	for (int i = 0; i < 500; i++) {
		const struct guard_report *r =
			consent_report(f->s.dialogs.d[f->s.dialogs.depth - 1].state);

		draw(f);
		if (r->path[0])
			return r;
		nanosleep(&nap, NULL);
	}
	fail_msg("the target was not looked at");
	return NULL;
}

static void the_first_write_asks_for_the_range_that_was_set(void **state)
{
	const char *missing = loopdev_missing();
	struct live_screen f = {.run = NULL};
	struct loopdev loop;

	(void)state;
	if (missing) {
		print_message("needs loop devices: %s\n", missing);
		skip();
	}
	assert_int_equal(loopdev_make(&loop, "settings.img", 16 * MIB, NULL), 0);
	begin(&f, loop.node);
	state_key(&f.s, 'a');
	go(&f, SETTING_START);
	keys(&f, "4m");
	state_key(&f.s, K_ENTER);
	go(&f, SETTING_LENGTH);
	keys(&f, "2m");
	state_key(&f.s, K_ENTER);

	/* What can't be done anyway is refused before anybody is asked. */
	go(&f, (enum setting)KNOB_READ);
	keys(&f, "170");
	state_key(&f.s, K_ENTER);
	assert_int_equal(f.s.dialogs.depth, 1);
	state_key(&f.s, K_ESC);

	keys(&f, "70");
	state_key(&f.s, K_ENTER);
	assert_int_equal(f.s.dialogs.depth, 2);
	assert_int_equal(now(&f).read_pct, 100);
	const struct guard_report *r = wait_for_report(&f);
	assert_true(r->window_start == 4 * MIB);
	assert_true(r->window_length == 2 * MIB);
	state_key(&f.s, K_ESC);
	assert_int_equal(f.s.dialogs.depth, 1); /* back in the list */
	assert_int_equal(now(&f).read_pct, 100);
	assert_false(f.s.has_pending);

	/* To the end: all but the last MiB, which a write without --whole leaves alone. */
	go(&f, SETTING_LENGTH);
	state_key(&f.s, K_ENTER);
	keys(&f, "end");
	state_key(&f.s, K_ENTER);
	state_key(&f.s, K_ESC);
	keys(&f, "r");
	r = wait_for_report(&f);
	assert_true(r->window_start == 4 * MIB);
	assert_true(r->window_length == 11 * MIB);
	live_screen_end(&f);
	assert_int_equal(loopdev_free(&loop), 0);
}

#define ON_NULL(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_NULL(every_setting_has_a_row_with_value_and_help),
		ON_NULL(values_stand_in_one_column_whichever_is_chosen),
		ON_NULL(it_begins_with_the_focused_knob),
		ON_NULL(the_chosen_row_is_in_sight_at_any_size),
		ON_NULL(every_setting_steps_at_once_and_back),
		ON_NULL(a_value_is_typed_in_place),
		ON_NULL(access_lines_are_typed_in_a_wide_field_and_shown_in_short),
		ON_NULL(what_cannot_be_is_refused_in_the_dialog),
		ON_NULL(the_end_of_a_setting_is_said_in_the_dialog),
		ON_NULL(changes_are_marked_and_can_be_undone),
		ON_NULL(a_value_that_is_what_it_was_leaves_no_trace),
		ON_NULL(io_that_was_stopped_stays_stopped),
		cmocka_unit_test(the_first_write_asks_for_the_range_that_was_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
