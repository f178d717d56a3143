/* unit-dialogs.c - what lies over the main screen: the field, the stack, and each dialog. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flip/flip.h"
#include "knob.h"
#include "tests/canvas-print.h"
#include "tests/level-check.h"
#include "ui/bench_rows.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "units.h"

/* --- Helpers --- */

static struct view view(void)
{
	return (struct view){.g = &glyph_table[GL_ASCII], .version = "1.0"};
}

static void type(struct dialog *d, const char *text)
{
	for (; *text; text++)
		assert_int_equal(d->key(d->state, *text), DIALOG_OPEN);
}

/* Draws a dialog and returns the screen as text. */
static char *picture(struct dialog *d, int rows, int cols)
{
	struct canvas c = {0};
	struct view v = view();
	char *text;
	size_t n;

	assert_int_equal(canvas_resize(&c, rows, cols), 0);
	d->draw(d->state, &c, canvas_rect(&c), &v);
	FILE *f = open_memstream(&text, &n);
	assert_non_null(f);
	canvas_print(&c, f);
	fclose(f);
	canvas_free(&c);
	return text;
}

static void assert_shows(struct dialog *d, int rows, int cols, const char *words, bool there)
{
	char *text = picture(d, rows, cols);

	if (!strstr(text, words) == there)
		fail_msg("'%s' %s in\n%s", words, there ? "is not" : "is", text);
	free(text);
}

static struct guard_report report(void)
{
	struct guard_report r = {
		.kind = GUARD_BLOCK,
		.spec = "/dev/disk/by-id/x",
		.path = "/dev/sdq",
		.size = 4000787030016ull,
		.logical_block = 512,
		.vendor = "SEAGATE",
		.model = "ST4000NM",
		.serial = "Z1Z8F3A91",
		.id = "naa.5000c500a18f3a91",
		.confirm = "8f3a91",
		.window_start = 1048576,
		.window_length = 1073741824,
	};
	return r;
}

static void find(struct guard_report *r, enum guard_gate gate, enum guard_level level,
		 const char *text)
{
	struct guard_finding *f = &r->finding[r->count++];

	f->gate = gate;
	f->level = level;
	snprintf(f->text, sizeof(f->text), "%s", text);
}

/* --- The field --- */

static void a_field_takes_text_where_the_cursor_is(void **state)
{
	struct field f = {0};

	(void)state;
	field_set(&f, "ac");
	field_key(&f, K_LEFT);
	field_key(&f, 'b');
	assert_string_equal(f.text, "abc");
	field_key(&f, K_HOME);
	field_key(&f, K_DELETE);
	assert_string_equal(f.text, "bc");
	field_key(&f, K_END);
	field_key(&f, K_BACKSPACE);
	assert_string_equal(f.text, "b");
	field_key(&f, 'U' - '@');
	assert_string_equal(f.text, "");
	field_key(&f, K_BACKSPACE);
	field_key(&f, K_DELETE);
	assert_string_equal(f.text, "");
	assert_int_equal(f.length, 0);
}

static void a_field_moves_by_characters_not_bytes(void **state)
{
	struct field f = {0};

	(void)state;
	field_key(&f, 0xe4);   /* two bytes */
	field_key(&f, 0x4e16); /* three */
	assert_string_equal(f.text, "\xc3\xa4\xe4\xb8\x96");
	field_key(&f, K_LEFT);
	field_key(&f, 'x');
	assert_string_equal(f.text, "\xc3\xa4x\xe4\xb8\x96");
	field_key(&f, K_DELETE);
	field_key(&f, K_BACKSPACE);
	field_key(&f, K_BACKSPACE);
	assert_string_equal(f.text, "");
}

static void a_field_leaves_keys_that_are_no_text_to_others(void **state)
{
	static const int keys[] = {K_ENTER,        K_ESC,    K_TAB, K_UP, K_DOWN,
				   ACTION_FKEY(1), KEY_NONE, 7,     0x7f, 0xd800};
	struct field f = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_false(field_key(&f, keys[i]));
	assert_int_equal(f.length, 0);
}

static void a_full_field_takes_no_more(void **state)
{
	struct field f = {0};

	(void)state;
	for (int i = 0; i < 600; i++)
		field_key(&f, i % 2 ? 'x' : 0x4e16);
	assert_true(f.length < (int)sizeof(f.text));
	assert_int_equal(strlen(f.text), f.length);
}

static void a_long_text_scrolls_so_that_the_cursor_stays_in_the_field(void **state)
{
	struct canvas c = {0};
	struct field f = {0};
	char row[64];

	(void)state;
	canvas_resize(&c, 1, 20);
	field_set(&f, "/dev/disk/by-path/pci-0000:00:1f.2-ata-1");
	field_draw(&c, canvas_rect(&c), 0, 5, 10, &f);
	assert_in_range(c.cursor_col, 5, 14);
	assert_true(c.cursor_visible);
	canvas_row(&c, 0, row, sizeof(row));
	assert_non_null(strstr(row, "2-ata-1"));
	field_key(&f, K_HOME);
	field_draw(&c, canvas_rect(&c), 0, 5, 10, &f);
	assert_int_equal(c.cursor_col, 5);
	canvas_row(&c, 0, row, sizeof(row));
	assert_non_null(strstr(row, "/dev/disk/"));
	canvas_free(&c);
}

/* --- The stack --- */

static int closed_calls;
static enum dialog_result closed_with;

static void note_closed(void *state, enum dialog_result r, void *user)
{
	(void)state;
	closed_calls++;
	closed_with = r;
	if (user)
		assert_true(dialog_push(user, dialog_note('a')));
}

static void the_topmost_dialog_gets_the_keys(void **state)
{
	struct dialog_stack s = {0};

	(void)state;
	assert_false(dialog_active(&s));
	assert_true(dialog_push(&s, dialog_text("below", "text", ABOUT_NONE)));
	assert_true(dialog_push(&s, dialog_note('a')));
	dialog_key(&s, 'q'); /* would close the text */
	assert_int_equal(s.depth, 2);
	assert_string_equal(note_text(s.d[1].state), "q");
	dialog_key(&s, K_ESC);
	assert_int_equal(s.depth, 1);
	dialog_key(&s, 'q');
	assert_false(dialog_active(&s));
	dialog_key(&s, 'q');
}

static void the_opener_is_told_once_and_may_open_the_next(void **state)
{
	struct dialog_stack s = {0};
	struct dialog d = dialog_note('a');

	(void)state;
	closed_calls = 0;
	d.closed = note_closed;
	d.user = &s;
	assert_true(dialog_push(&s, d));
	dialog_key(&s, K_ENTER);
	assert_int_equal(closed_calls, 1);
	assert_int_equal(closed_with, DIALOG_DONE);
	assert_int_equal(s.depth, 1); /* the next one, not the one that is gone */
	assert_int_equal(s.d[0].key(s.d[0].state, 'x'), DIALOG_OPEN);
	assert_ptr_equal(s.d[0].closed, NULL);
	dialog_clear(&s);
	assert_int_equal(closed_calls, 1);
	assert_false(dialog_active(&s));
}

static void a_full_stack_and_a_failed_dialog_are_refused(void **state)
{
	struct dialog_stack s = {0};

	(void)state;
	for (int i = 0; i < DIALOG_DEPTH; i++)
		assert_true(dialog_push(&s, dialog_note('a')));
	assert_false(dialog_push(&s, dialog_note('a')));
	assert_int_equal(s.depth, DIALOG_DEPTH);
	dialog_clear(&s);
	assert_false(dialog_push(&s, (struct dialog){0}));
	assert_int_equal(s.depth, 0);
}

/* --- All dialogs alike --- */

static const struct workload_limits limits = {
	.target = "sdq",
	.target_size = 1ull << 30,
	.logical_block = 512,
	.backend = "libaio",
};

#define DIALOGS 13

static enum knob curve_by;
static int curve_rc;
static unsigned curve_stops;
static bool curve_runs;

static struct curve_config config_curve(void *ctx, enum knob by)
{
	struct curve_config c = {.of = SUM_TOTAL, .most = 1};
	(void)ctx;
	curve_defaults(&c, by);
	return c;
}

static int start_curve(void *ctx, enum knob by, struct error *e)
{
	(void)ctx;
	curve_by = by;
	curve_runs = curve_rc == 0;
	return curve_rc ? error_set(e, -curve_rc, "the IO has stopped: start it first") : 0;
}

static void stop_curve(void *ctx)
{
	(void)ctx;
	curve_stops++;
	curve_runs = false;
}

static bool runs_curve(void *ctx)
{
	(void)ctx;
	return curve_runs;
}

static const struct curve_desk curve_desk = {config_curve, start_curve, stop_curve, runs_curve,
					     NULL};
static const struct find_wish wish = {
	.text = "p99 < 5 ms", .goal = {.of = SUM_READ}, .by = KNOB_OUTSTANDING};

static const struct series_wish series_begin = {
	.name = "md3000i", .workers = 4, .outstanding = 16, .run_s = 30, .ramp_s = 5};

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

/* What was asked for last. */
static struct series_plan_wish planned;

static int start_series(void *ctx, const struct series_plan_wish *w,
			const struct series_wish *chosen, struct error *e)
{
	static char name[IOMETER_NAME];
	(void)ctx;

	planned = *w;
	snprintf(name, sizeof(name), "%s", w->name);
	planned.name = name;
	assert_string_equal(chosen->name, w->name);
	return error_set(e, EPERM, "not today");
}

static const struct series_desk series_desk = {
	.start = start_series, .running = never, .any = never, .most_outstanding = 64};

static struct dialog make(int i)
{
	struct workload w = workload_default();
	struct guard_report r = report();

	switch (i) {
	case 0: return dialog_help();
	case 1:
		return dialog_text("Title",
				   "one line\nanother that is a good deal longer than the first",
				   ABOUT_NONE);
	case 2: return dialog_entry(KNOB_BLOCK, &w, &limits);
	case 3: return dialog_note('a');
	case 4: return dialog_quit(true, "");
	case 5: return dialog_quit(false, "");
	case 6: return dialog_picker(true);
	case 8: return dialog_find(&wish, &w);
	case 9: return dialog_curve(&curve_desk);
	case 11: return dialog_series(&series_begin, &series_desk);
	case 12: return dialog_spec(NULL);
	case 7:
		for (int f = 0; f < GUARD_FINDINGS; f++)
			find(&r, GATE_SIGNATURE, GUARD_WARN,
			     "/dev/sdq7 carries an ext4 file system");
		return dialog_consent_report(&r);
	default:
		find(&r, GATE_MOUNTED, GUARD_REFUSE, "/dev/sdq1 is mounted at /srv");
		return dialog_consent_report(&r);
	}
}

static void rows_of_iometers_tests_turn_and_what_they_say_is_planned(void **state)
{
	struct dialog d = dialog_series(&series_begin, &series_desk);
	(void)state;
	/* One worker more, outstanding doubled twice and no more than there can be, a longer run, a shorter
	 * ramp, the first cycle. */
	const int keys[] = {K_DOWN,  K_RIGHT, K_DOWN, K_RIGHT, K_RIGHT, K_RIGHT, K_DOWN,
			    K_RIGHT, K_DOWN,  K_LEFT, K_DOWN,  K_RIGHT, K_ENTER};
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		assert_int_equal(d.key(d.state, keys[i]), DIALOG_OPEN);
	assert_string_equal(planned.name, "md3000i");
	assert_int_equal(planned.workers, 5);
	assert_int_equal(planned.outstanding, 64);
	assert_int_equal(planned.run_s, 60);
	assert_int_equal(planned.ramp_s, 2);
	assert_int_equal(planned.test, IOMETER_CYCLE_OUTSTANDING);
	assert_true(planned.exponential);
	/* Numbers can be typed too. */
	const int typed[] = {K_UP, K_UP, K_UP, '1', '2', K_BACKSPACE, '7', K_UP, '0', K_ENTER};
	for (size_t i = 0; i < sizeof(typed) / sizeof(*typed); i++)
		d.key(d.state, typed[i]);
	assert_int_equal(planned.outstanding, 17);
	assert_int_equal(planned.workers, 1);
	for (int i = 0; i < 4; i++)
		d.key(d.state, K_DOWN);
	/* Cycles go round both ways. */
	d.key(d.state, K_LEFT);
	d.key(d.state, K_LEFT);
	d.key(d.state, K_ENTER);
	assert_int_equal(planned.test, IOMETER_CYCLE_WORKERS);
	assert_false(planned.exponential);
	/* Another set, and back over the end of the list. */
	for (int i = 0; i < 5; i++)
		d.key(d.state, K_UP);
	d.key(d.state, K_LEFT);
	d.key(d.state, K_ENTER);
	assert_string_equal(planned.name, "vmware");
	assert_int_equal(d.key(d.state, K_ESC), DIALOG_CANCELLED);
	d.free(d.state);
}

static void the_first_key_replaces_the_goal_that_stands_there(void **state)
{
	struct workload w = workload_default();
	struct dialog d = dialog_find(&wish, &w);
	(void)state;
	for (const char *p = "p50<9ms"; *p; p++)
		d.key(d.state, *p);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_string_equal(find_answer(d.state).text, "p50<9ms");
	d.free(d.state);
}

static void esc_closes_every_dialog(void **state)
{
	(void)state;
	for (int i = 0; i < DIALOGS; i++) {
		struct dialog d = make(i);
		assert_int_equal(d.key(d.state, K_ESC), DIALOG_CANCELLED);
		d.free(d.state);
	}
}

/* The canvas has rows of sentinels below it, which no dialog may touch. */
static void draw_within(struct dialog *d, int rows, int cols)
{
	enum { BEYOND = 3 };
	struct canvas c = {0};
	struct view v = view();
	size_t inside = (size_t)rows * (size_t)cols, all = inside + (size_t)(BEYOND * cols);

	assert_int_equal(canvas_resize(&c, rows + BEYOND, cols), 0);
	for (size_t i = 0; i < all; i++)
		c.cell[i] = (struct cell){0xfffd, ST_COUNT};
	c.rows = rows;
	for (int level = 0; level < GL_COUNT; level++) {
		v.level = (enum glyph_level)level;
		v.g = &glyph_table[level];
		canvas_clear(&c, ST_NORMAL);
		d->draw(d->state, &c, canvas_rect(&c), &v);
		level_check(&c, v.level, "a dialog");
	}
	for (size_t i = inside; i < all; i++)
		assert_int_equal(c.cell[i].ch, 0xfffd);
	assert_in_range(c.cursor_row, 0, rows - 1);
	assert_in_range(c.cursor_col, 0, cols - 1);
	canvas_free(&c);
}

static void every_dialog_draws_at_any_size_and_never_outside(void **state)
{
	static const int size[][2] = {{1, 1},   {1, 80},  {2, 2},    {3, 9},     {4, 10}, {5, 20},
				      {10, 40}, {24, 80}, {43, 132}, {100, 300}, {100, 1}};

	(void)state;
	for (int i = 0; i < DIALOGS; i++) {
		struct dialog d = make(i);
		for (size_t s = 0; s < sizeof(size) / sizeof(size[0]); s++) {
			draw_within(&d, size[s][0], size[s][1]);
			d.key(d.state, K_END);
			draw_within(&d, size[s][0], size[s][1]);
			d.key(d.state, K_HOME);
		}
		d.free(d.state);
	}
}

/* --- Each by itself --- */

static void a_goal_is_typed_and_chosen(void **state)
{
	struct workload w = workload_default();
	(void)state;
	w.read_pct = 70;
	struct dialog d = dialog_find(&wish, &w);
	assert_shows(&d, 24, 80, "p99 < 5 ms", true);
	assert_shows(&d, 24, 80, "<reads>", true);
	d.key(d.state, 'U' - '@');
	type(&d, "mean<2ms");
	d.key(d.state, K_DOWN);
	assert_int_equal(d.key(d.state, K_RIGHT), DIALOG_OPEN);
	assert_shows(&d, 24, 80, "<writes>", true);
	d.key(d.state, K_TAB);
	d.key(d.state, K_LEFT);
	assert_shows(&d, 24, 80, "<rate>", true);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	struct find_wish got = find_answer(d.state);
	assert_string_equal(got.text, "mean<2ms");
	assert_int_equal(got.goal.figure, GOAL_MEAN);
	assert_int_equal(got.goal.limit_ns, 2000000);
	assert_int_equal(got.goal.of, SUM_WRITE);
	assert_int_equal(got.by, KNOB_RATE);
	d.free(d.state);
}

static void a_goal_that_cannot_be_is_refused_in_place(void **state)
{
	struct workload w = workload_default();
	(void)state;
	struct dialog d = dialog_find(&wish, &w);
	type(&d, "p99 < 5 msx");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_OPEN);
	assert_shows(&d, 24, 80, "! 'p99 < 5 msx'", true);
	d.key(d.state, K_BACKSPACE);
	assert_shows(&d, 24, 80, "!", false);
	d.key(d.state, K_DOWN);
	d.key(d.state, K_RIGHT);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_OPEN);
	assert_shows(&d, 24, 80, "the workload only reads", true);
	d.free(d.state);
}

static void a_curve_is_started_and_stopped_by_enter(void **state)
{
	(void)state;
	curve_runs = false;
	curve_stops = 0;
	curve_rc = -EINVAL;
	struct dialog d = dialog_curve(&curve_desk);
	assert_shows(&d, 24, 80, "<rate> outstanding", true);
	d.key(d.state, K_ENTER);
	assert_int_equal(curve_by, KNOB_RATE);
	assert_shows(&d, 24, 80, "! the IO has stopped", true);
	curve_rc = 0;
	d.key(d.state, K_RIGHT);
	assert_shows(&d, 24, 80, "rate <outstanding>", true);
	assert_shows(&d, 24, 80, "! the IO", false);
	d.key(d.state, K_ENTER);
	assert_int_equal(curve_by, KNOB_OUTSTANDING);
	assert_shows(&d, 24, 80, "1 IO in flight per worker", true);
	assert_true(curve_runs);
	d.key(d.state, K_ENTER);
	assert_int_equal(curve_stops, 1);
	assert_int_equal(d.key(d.state, 'c'), DIALOG_CANCELLED);
	d.free(d.state);
}

static void a_curve_is_a_plot_and_a_table_that_scrolls(void **state)
{
	struct pilot *p = calloc(1, sizeof(*p));
	struct view v = view();
	(void)state;
	assert_non_null(p);
	p->curving = true;
	p->state = PILOT_DONE;
	curve_defaults(&p->curve.config, KNOB_OUTSTANDING);
	p->curve.config.of = SUM_TOTAL;
	for (unsigned i = 0; i < 20; i++) {
		struct load_step step = {.load = {KNOB_OUTSTANDING, 1000 + i}, .letter = 'a'};
		step.sum.op[SUM_TOTAL] = (struct summary_op){
			.iops = 1000 * (i + 1), .mean = 1e5 * (i + 1), .p99 = 4e5 * (i + 1)};
		load_append(&p->curve.log, &step);
	}
	v.curve = p;
	curve_runs = false;
	struct dialog d = dialog_curve(&curve_desk);
	static const struct {
		int key;
		const char *shown, *hidden;
	} moves[] = {{0, "1019", "1000"}, {K_HOME, "1000", "1019"}, {K_END, "1019", "1000"}};
	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		struct canvas c = {0};
		char *text;
		size_t n;
		assert_int_equal(canvas_resize(&c, 24, 80), 0);
		d.key(d.state, moves[i].key);
		d.draw(d.state, &c, canvas_rect(&c), &v);
		FILE *f = open_memstream(&text, &n);
		assert_non_null(f);
		canvas_print(&c, f);
		fclose(f);
		if (!strstr(text, moves[i].shown) || strstr(text, moves[i].hidden) ||
		    !strstr(text, "x p99"))
			fail_msg("looked for %s, not %s in\n%s", moves[i].shown, moves[i].hidden,
				 text);
		free(text);
		canvas_free(&c);
	}
	d.free(d.state);
	free(p);
}

static void help_lists_every_action_knob_and_pane(void **state)
{
	struct dialog d = dialog_help();
	char *text = picture(&d, 200, 300);

	(void)state;
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (!strstr(text, actions[a].help))
			fail_msg("no '%s'", actions[a].help);
	for (int k = 0; k < KNOB_COUNT; k++)
		assert_non_null(strstr(text, knobs[k].name));
	for (int p = 0; p < PANE_COUNT; p++)
		assert_non_null(strstr(text, panes[p].title));
	assert_non_null(strstr(text, "never written"));
	free(text);
	d.free(d.state);
}

static void help_says_what_every_figure_is_of(void **state)
{
	struct dialog d = dialog_help();

	(void)state;
	assert_shows(&d, 200, 300, "IOPS MiB/s ms    the last second", true);
	assert_shows(&d, 200, 300, "p99 histogram    the last 5 seconds, but not from before",
		     true);
	assert_shows(&d, 200, 300, "cost             the whole host's busy CPU time per IO", true);
	assert_shows(&d, 200, 300, "device           requests in flight by the kernel's own", true);
	d.free(d.state);
}

static void help_scrolls_to_its_end_on_a_small_screen(void **state)
{
	struct dialog d = dialog_help();

	(void)state;
	assert_shows(&d, 10, 40, "Keys", true);
	assert_shows(&d, 10, 40, "made itself", false);
	d.key(d.state, K_END);
	assert_shows(&d, 10, 40, "made itself", true);
	for (int i = 0; i < 1000; i++)
		d.key(d.state, K_UP);
	assert_shows(&d, 10, 40, "Keys", true);
	d.free(d.state);
}

static void a_value_typed_replaces_the_old_one_and_is_parsed(void **state)
{
	struct workload w = workload_default();
	struct dialog d = dialog_entry(KNOB_BLOCK, &w, &limits);

	(void)state;
	assert_shows(&d, 24, 80, "4K", true);
	type(&d, "64k");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_int_equal(entry_workload(d.state).block_size, 65536);
	assert_int_equal(entry_workload(d.state).outstanding, w.outstanding);
	d.free(d.state);
}

static void a_value_that_cannot_be_is_refused_in_place(void **state)
{
	struct workload w = workload_default();
	struct dialog d = dialog_entry(KNOB_BLOCK, &w, &limits);

	(void)state;
	type(&d, "1000");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_OPEN);
	assert_shows(&d, 24, 80, "!", true);
	d.key(d.state, 'U' - '@');
	assert_shows(&d, 24, 80, "!", false);
	type(&d, "8k");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	d.free(d.state);
}

static void a_share_of_writes_can_be_typed_before_they_are_allowed(void **state)
{
	struct workload w = workload_default();
	struct dialog d = dialog_entry(KNOB_READ, &w, &limits);

	(void)state;
	type(&d, "70");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_int_equal(entry_workload(d.state).read_pct, 70);
	d.free(d.state);
}

static void quit_keeps_unless_told_to_discard(void **state)
{
	struct dialog d = dialog_quit(true, "");

	(void)state;
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_false(quit_discards(d.state));
	assert_int_equal(d.key(d.state, 'd'), DIALOG_DONE);
	assert_true(quit_discards(d.state));
	d.free(d.state);

	d = dialog_quit(true, "");
	d.key(d.state, K_DOWN);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_true(quit_discards(d.state));
	d.free(d.state);
}

static void changed_settings_are_put_back_unless_told_to_leave_them(void **state)
{
	struct dialog d = dialog_quit(true, "eth2 mtu 9000 > 1500");

	(void)state;
	assert_shows(&d, 24, 80, "eth2 mtu 9000 > 1500", true);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_true(quit_restores(d.state));
	assert_int_equal(d.key(d.state, 'r'), DIALOG_OPEN);
	assert_shows(&d, 24, 80, "lunscope restore", true);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_false(quit_restores(d.state));
	d.free(d.state);

	d = dialog_quit(true, "");
	d.key(d.state, 'r');
	assert_shows(&d, 24, 80, "put back", false);
	assert_true(quit_restores(d.state));
	d.free(d.state);
}

static void there_is_nothing_to_discard_where_nothing_is_kept(void **state)
{
	struct dialog d = dialog_quit(false, "");

	(void)state;
	assert_shows(&d, 24, 80, "discard", false);
	assert_int_equal(d.key(d.state, 'd'), DIALOG_OPEN);
	d.key(d.state, K_DOWN);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_CANCELLED);
	d.free(d.state);
}

static void the_picker_takes_a_path_and_a_size(void **state)
{
	struct dialog d = dialog_picker(true);

	(void)state;
	/* The last row but one is the file, whatever disks there are. */
	d.key(d.state, K_END);
	d.key(d.state, K_UP);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_OPEN);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_OPEN); /* no path yet */
	type(&d, "/tmp/q");
	d.key(d.state, K_TAB);
	type(&d, "1x");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_OPEN); /* no size */
	d.key(d.state, K_BACKSPACE);
	type(&d, "G");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_string_equal(picker_spec(d.state), "/tmp/q");
	assert_int_equal(picker_create_size(d.state), GIB);
	d.free(d.state);
}

static void a_path_that_does_not_exist_stays_and_a_size_is_asked_for(void **state)
{
	struct dialog d = dialog_picker(true), again;
	struct error e = {"/tmp/q does not exist; add --create SIZE"};

	(void)state;
	d.key(d.state, K_END);
	d.key(d.state, K_UP);
	d.key(d.state, K_ENTER);
	type(&d, "/tmp/q");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	again = dialog_picker_again(d.state, -ENOENT, &e);
	d.free(d.state);
	assert_shows(&again, 24, 80, "! /tmp/q does not exist: give a size to make it, or", true);
	assert_shows(&again, 24, 80, "--create", false);
	/* the cursor is where the size goes: what is typed next lands there */
	type(&again, "2G");
	assert_shows(&again, 24, 80, "does not exist", false);
	assert_int_equal(again.key(again.state, K_ENTER), DIALOG_DONE);
	assert_string_equal(picker_spec(again.state), "/tmp/q");
	assert_int_equal(picker_create_size(again.state), 2 * GIB);
	again.free(again.state);
}

static void a_device_that_does_not_exist_is_not_to_be_made(void **state)
{
	struct dialog d = dialog_picker(true), again;
	struct error e = {"/dev/sdzz does not exist; see lunscope targets"};

	(void)state;
	d.key(d.state, K_END);
	d.key(d.state, K_UP);
	d.key(d.state, K_ENTER);
	type(&d, "/dev/sdzz");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	again = dialog_picker_again(d.state, -ENOENT, &e);
	d.free(d.state);
	assert_shows(&again, 24, 80, "/dev/sdzz does not exist: correct the path", true);
	/* here the path is what to correct */
	again.key(again.state, K_BACKSPACE);
	assert_int_equal(again.key(again.state, K_ENTER), DIALOG_DONE);
	assert_string_equal(picker_spec(again.state), "/dev/sdz");
	again.free(again.state);
}

static void a_choice_that_fails_stays_chosen_with_the_reason(void **state)
{
	struct dialog d = dialog_picker(true), again;
	struct error e = {"null: is broken today"};

	(void)state;
	d.key(d.state, K_END);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	again = dialog_picker_again(d.state, -EIO, &e);
	d.free(d.state);
	assert_shows(&again, 24, 80, "! null: is broken today", true);
	assert_int_equal(again.key(again.state, K_ENTER), DIALOG_DONE);
	assert_string_equal(picker_spec(again.state), "null:");
	again.free(again.state);
}

static void the_picker_offers_null_and_esc_leaves_the_path_first(void **state)
{
	struct dialog d = dialog_picker(false);

	(void)state;
	d.key(d.state, K_END);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	assert_string_equal(picker_spec(d.state), "null:");
	assert_int_equal(picker_create_size(d.state), 0);
	d.key(d.state, K_UP);
	d.key(d.state, K_ENTER);
	assert_int_equal(d.key(d.state, K_ESC), DIALOG_OPEN);
	assert_int_equal(d.key(d.state, K_ESC), DIALOG_CANCELLED);
	d.free(d.state);
}

/* --- Consent --- */

static void consent_shows_what_is_at_stake(void **state)
{
	struct guard_report r = report();
	find(&r, GATE_SIGNATURE, GUARD_WARN, "/dev/sdq1 carries an LVM signature");
	r.needs_destroy = true;
	struct dialog d = dialog_consent_report(&r);
	static const char *const words[] = {
		"/dev/sdq",
		"/dev/disk/by-id/x",
		"SEAGATE ST4000NM",
		"Z1Z8F3A91",
		"naa.5000c500a18f3a91",
		"4,000,787,030,016 bytes",
		"WARNING",
		"LVM signature",
		"1 GiB from byte 1,048,576 to byte 1,074,790,399 will be overwritten.",
		"8f3a91 DESTROY",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_shows(&d, 24, 80, words[i], true);
	/* What goes and what is asked stay on the screen however small it is. */
	assert_shows(&d, 10, 40, "will be overwritten", true);
	assert_shows(&d, 10, 40, "8f3a91 DESTROY", true);
	d.free(d.state);
}

static enum dialog_result answer(const struct guard_report *r, const char *words)
{
	struct dialog d = dialog_consent_report(r);

	type(&d, words);
	enum dialog_result result = d.key(d.state, K_ENTER);
	if (result == DIALOG_DONE)
		assert_string_equal(consent_typed(d.state), words);
	d.free(d.state);
	return result;
}

static void consent_wants_exactly_the_words(void **state)
{
	struct guard_report r = report();

	(void)state;
	assert_int_equal(answer(&r, "8f3a91"), DIALOG_DONE);
	assert_int_equal(answer(&r, ""), DIALOG_OPEN);
	assert_int_equal(answer(&r, "8f3a9"), DIALOG_OPEN);
	assert_int_equal(answer(&r, "8f3a92"), DIALOG_OPEN);
	assert_int_equal(answer(&r, "yes"), DIALOG_OPEN);

	find(&r, GATE_SIGNATURE, GUARD_WARN, "a partition table");
	r.needs_destroy = true;
	assert_int_equal(answer(&r, "8f3a91"), DIALOG_OPEN);
	assert_int_equal(answer(&r, "DESTROY"), DIALOG_OPEN);
	assert_int_equal(answer(&r, "8f3a91 destroy it"), DIALOG_OPEN);
	assert_int_equal(answer(&r, "8f3a91 DESTROY"), DIALOG_DONE);
}

static void what_is_refused_stays_refused_whatever_is_typed(void **state)
{
	struct guard_report r = report();
	find(&r, GATE_MOUNTED, GUARD_REFUSE, "/dev/sdq1 is mounted at /srv");
	struct dialog d = dialog_consent_report(&r);

	(void)state;
	assert_shows(&d, 24, 80, "REFUSED", true);
	assert_shows(&d, 24, 80, "mounted at /srv", true);
	assert_shows(&d, 24, 80, "will not be written", true);
	assert_shows(&d, 24, 80, "8f3a91 DESTROY", false);
	assert_shows(&d, 24, 80, "type:", false);
	type(&d, "8f3a91 DESTROY");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_OPEN);
	d.free(d.state);
}

static void consent_for_what_cannot_be_looked_at_is_never_given(void **state)
{
	struct guard_window window = {0};
	struct dialog d = dialog_consent("/nonexistent/disk", &window);

	(void)state;
	/* Whether the look is over or not, there is nothing to agree to. */
	for (int i = 0; i < 100; i++) {
		assert_int_equal(d.key(d.state, K_ENTER), DIALOG_OPEN);
		draw_within(&d, 24, 80);
	}
	d.free(d.state);
}

/* --- The bench knobs: what the kernel has to be asked for may take its time. --- */

struct desk {
	struct bench_view view;
	struct flip_entry changed;
	enum bench_question asked;
	unsigned asks, makes, undos;
	char value[FACT_VALUE];
};

static struct bench_view *desk_look(void *ctx)
{
	return &((struct desk *)ctx)->view;
}

static void desk_ask(void *ctx, enum bench_question what, const char *words, const char *value)
{
	struct desk *d = ctx;

	(void)words;
	d->asks++;
	d->asked = what;
	d->view.answer = NULL;
	snprintf(d->value, sizeof(d->value), "%s", value ? value : "");
}

static void desk_make(void *ctx, const char *words, const char *value)
{
	struct desk *d = ctx;

	assert_string_equal(words, "eth2 mtu");
	assert_string_equal(value, "9000");
	d->makes++;
}

static void desk_undo(void *ctx, const char *words, bool force)
{
	struct desk *d = ctx;

	assert_string_equal(words, "eth2 mtu");
	assert_false(force);
	d->undos++;
}

static void the_bench_knobs_do_not_wait_for_the_kernel(void **state)
{
	struct desk k = {
		.changed = {.words = "eth2 mtu", .from = "1500", .to = "4000", .made = true}};
	const struct bench_desk desk = {.look = desk_look,
					.ask = desk_ask,
					.make = desk_make,
					.undo = desk_undo,
					.ctx = &k};
	const struct bench_answer values = {.range = "68 to 9216 bytes"};
	const struct bench_answer good = {.value = "9000"};
	const struct bench_answer reach = {.sawing = "eth2"};
	struct dialog d = dialog_flips(&desk);

	(void)state;
	facts_set(&k.view.facts, "eth2 mtu", "4000");
	k.view.changed = &k.changed;
	k.view.count = 1;
	assert_shows(&d, 24, 80, "mtu", true);
	d.key(d.state, K_ENTER);
	assert_int_equal(k.asks, 1);
	assert_int_equal(k.asked, BENCH_VALUES);
	/* Where there is no room for it, nothing is lost (which the sanitizers watch). */
	assert_shows(&d, 3, 10, "mtu", false);
	assert_shows(&d, 1, 1, "mtu", false);
	/* It has not answered: all goes on, and what is typed is there. */
	assert_shows(&d, 24, 80, "Waiting for the kernel", true);
	type(&d, "9000");
	d.key(d.state, K_ENTER);
	assert_int_equal(k.asks, 1);
	assert_shows(&d, 24, 80, "9000", true);
	k.view.answer = &values;
	assert_shows(&d, 24, 80, "68 to 9216 bytes", true);
	d.key(d.state, K_ENTER);
	assert_int_equal(k.asked, BENCH_CHECK);
	assert_string_equal(k.value, "9000");
	assert_shows(&d, 24, 80, "Waiting for the kernel", true);
	/* Esc: nobody wants to know any more, whatever it says later. */
	d.key(d.state, K_ESC);
	k.view.answer = &good;
	assert_shows(&d, 24, 80, "ip link set", false);
	/* And once more, to the end. */
	d.key(d.state, K_ENTER);
	k.view.answer = &values;
	type(&d, "9000");
	d.key(d.state, K_ENTER);
	k.view.answer = &good;
	assert_shows(&d, 24, 80, "ip link set dev eth2 mtu 9000", true);
	assert_int_equal(k.makes, 0);
	d.key(d.state, K_ENTER);
	assert_int_equal(k.makes, 1);
	/* Undoing waits likewise, and for a y where it cuts off one's own session. */
	d.key(d.state, 'u');
	assert_int_equal(k.asked, BENCH_REACH);
	d.key(d.state, K_ENTER);
	assert_int_equal(k.undos, 0);
	k.view.answer = &reach;
	assert_shows(&d, 24, 80, "ip link set dev eth2 mtu 1500", true);
	assert_shows(&d, 24, 80, "! Your own ssh session comes by eth2", true);
	d.key(d.state, K_ENTER);
	assert_int_equal(k.undos, 0);
	d.key(d.state, 'y');
	assert_int_equal(k.undos, 1);
	facts_free(&k.view.facts);
	d.free(d.state);
}

static void a_changed_settings_name_is_whole_and_a_disks_queue_comes_first(void **state)
{
	struct desk k = {.changed = {.words = "net.ipv4.tcp_congestion_control",
				     .from = "reno",
				     .to = "bbr",
				     .made = true}};
	const struct bench_desk desk = {.look = desk_look,
					.ask = desk_ask,
					.make = desk_make,
					.undo = desk_undo,
					.ctx = &k};
	struct dialog d = dialog_flips(&desk);

	(void)state;
	facts_set(&k.view.facts, "net.ipv4.tcp_congestion_control", "bbr");
	facts_set(&k.view.facts, "sda scheduler", "none");
	k.view.changed = &k.changed;
	k.view.count = 1;
	assert_shows(&d, 24, 80, "ipv4.tcp_congestion_control  * bbr   (was reno)", true);
	struct bench_rows rows = bench_rows(&k.view.facts);
	assert_int_equal(rows.count, 4);
	assert_string_equal(rows.row[0].text, "queue of sda");
	assert_string_equal(rows.row[2].text, "sysctls");
	bench_rows_free(&rows);
	facts_free(&k.view.facts);
	d.free(d.state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_takes_text_where_the_cursor_is),
		cmocka_unit_test(a_field_moves_by_characters_not_bytes),
		cmocka_unit_test(a_field_leaves_keys_that_are_no_text_to_others),
		cmocka_unit_test(a_full_field_takes_no_more),
		cmocka_unit_test(a_long_text_scrolls_so_that_the_cursor_stays_in_the_field),
		cmocka_unit_test(the_topmost_dialog_gets_the_keys),
		cmocka_unit_test(the_opener_is_told_once_and_may_open_the_next),
		cmocka_unit_test(a_full_stack_and_a_failed_dialog_are_refused),
		cmocka_unit_test(rows_of_iometers_tests_turn_and_what_they_say_is_planned),
		cmocka_unit_test(the_first_key_replaces_the_goal_that_stands_there),
		cmocka_unit_test(esc_closes_every_dialog),
		cmocka_unit_test(every_dialog_draws_at_any_size_and_never_outside),
		cmocka_unit_test(a_goal_is_typed_and_chosen),
		cmocka_unit_test(a_goal_that_cannot_be_is_refused_in_place),
		cmocka_unit_test(a_curve_is_started_and_stopped_by_enter),
		cmocka_unit_test(a_curve_is_a_plot_and_a_table_that_scrolls),
		cmocka_unit_test(help_lists_every_action_knob_and_pane),
		cmocka_unit_test(help_says_what_every_figure_is_of),
		cmocka_unit_test(help_scrolls_to_its_end_on_a_small_screen),
		cmocka_unit_test(a_value_typed_replaces_the_old_one_and_is_parsed),
		cmocka_unit_test(a_value_that_cannot_be_is_refused_in_place),
		cmocka_unit_test(a_share_of_writes_can_be_typed_before_they_are_allowed),
		cmocka_unit_test(quit_keeps_unless_told_to_discard),
		cmocka_unit_test(changed_settings_are_put_back_unless_told_to_leave_them),
		cmocka_unit_test(there_is_nothing_to_discard_where_nothing_is_kept),
		cmocka_unit_test(the_picker_takes_a_path_and_a_size),
		cmocka_unit_test(a_path_that_does_not_exist_stays_and_a_size_is_asked_for),
		cmocka_unit_test(a_device_that_does_not_exist_is_not_to_be_made),
		cmocka_unit_test(a_choice_that_fails_stays_chosen_with_the_reason),
		cmocka_unit_test(the_picker_offers_null_and_esc_leaves_the_path_first),
		cmocka_unit_test(consent_shows_what_is_at_stake),
		cmocka_unit_test(consent_wants_exactly_the_words),
		cmocka_unit_test(what_is_refused_stays_refused_whatever_is_typed),
		cmocka_unit_test(consent_for_what_cannot_be_looked_at_is_never_given),
		cmocka_unit_test(the_bench_knobs_do_not_wait_for_the_kernel),
		cmocka_unit_test(a_changed_settings_name_is_whole_and_a_disks_queue_comes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
