/* unit-mouse.c - what lies under a cell, and what a click or the wheel does there: on the canvas, in all
 * layouts, with names that are two cells a character. No terminal is involved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ab.h"
#include "run.h"
#include "tests/canvas-print.h"
#include "ui/hot.h"
#include "ui/key.h"
#include "ui/pane_util.h"
#include "ui/screen.h"
#include "ui/state.h"

/* --- A screen over a run on the null: target. --- */

struct fixture {
	struct target target;
	struct ui_host host;
	struct ui_state s;
	struct canvas c;
	uint64_t now_ns; /* the clock of the clicks */
};

static void no_command(void *ctx, char *out, size_t n)
{
	(void)ctx;
	snprintf(out, n, "lunscope");
}

static void wait_for_figures(struct fixture *f)
{
	struct pollfd p = {run_event_fd(f->s.run), POLLIN, 0};

	while (!f->s.gather.view.now_ns) {
		assert_true(poll(&p, 1, 60000) == 1);
		state_update(&f->s, clock_ns());
	}
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct ui_config c = {.workload = workload_default(), .version = "1.0"};
	struct target_options o = {.create_size = 0};
	struct error e = {""};

	if (!f)
		return -1;
	f->host.command = no_command;
	f->now_ns = 1000 * NS_PER_SEC;
	c.workload.rate_iops = 500;
	c.host = &f->host;
	c.target = &f->target;
	assert_int_equal(target_open(&f->target, "null:", &o, &e), 0);
	const struct run_config r = {
		.workload = c.workload, .no_store = true, .command = "", .status = "live"};
	assert_int_equal(run_create(&c.run, &f->target, &r, &e), 0);
	assert_int_equal(state_init(&f->s, &c, &e), 0);
	f->s.fkeys = true;
	wait_for_figures(f);
	/* Of two cells a character, and twice as long in bytes again. */
	snprintf(f->s.copy.name, sizeof(f->s.copy.name), "%s", "世蓮のディスク");
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	struct run *run = f->s.run;
	struct summary sum;

	state_free(&f->s);
	run_stop(run, "done", &sum);
	run_destroy(run);
	target_close(&f->target);
	canvas_free(&f->c);
	free(f);
	return 0;
}

static void draw(struct fixture *f, int rows, int cols)
{
	assert_int_equal(canvas_resize(&f->c, rows, cols), 0);
	screen_draw(&f->c, &f->s);
}

static void mouse(struct fixture *f, enum mouse_what what, int row, int col)
{
	const struct mouse_event m = {what, row, col};

	draw(f, f->c.rows, f->c.cols);
	f->now_ns += 10 * NS_PER_MS;
	state_mouse(&f->s, &f->c, &m, f->now_ns);
	draw(f, f->c.rows, f->c.cols);
}

static void click(struct fixture *f, int row, int col)
{
	f->now_ns += NS_PER_SEC;
	mouse(f, MOUSE_CLICK, row, col);
}

static void double_click(struct fixture *f, int row, int col)
{
	click(f, row, col);
	mouse(f, MOUSE_CLICK, row, col);
}

/* Its first place in reading order; the screen is ASCII where it is looked for. */
static bool find(const struct fixture *f, const char *words, int *row, int *col)
{
	int n = (int)strlen(words);

	for (*row = 0; *row < f->c.rows; ++*row)
		for (*col = 0; *col + n <= f->c.cols; ++*col) {
			int i = 0;
			while (i < n &&
			       f->c.cell[*row * f->c.cols + *col + i].ch == (unsigned char)words[i])
				i++;
			if (i == n)
				return true;
		}
	return false;
}

static void show_and_fail(const struct fixture *f, const char *words)
{
	canvas_print(&f->c, stdout);
	fail_msg("'%s'", words);
}

static void click_words(struct fixture *f, const char *words)
{
	int row, col;

	draw(f, f->c.rows, f->c.cols);
	if (!find(f, words, &row, &col))
		show_and_fail(f, words);
	click(f, row, col);
}

static void expect_shown(struct fixture *f, const char *words, bool there)
{
	int row, col;

	draw(f, f->c.rows, f->c.cols);
	if (find(f, words, &row, &col) != there)
		show_and_fail(f, words);
}

static char *text_of(const struct canvas *c, struct rect r, char out[200])
{
	int n = 0;

	for (int col = r.col; col < r.col + r.cols && n < 199; col++) {
		uint32_t ch = c->cell[r.row * c->cols + col].ch;
		out[n++] = ch < 0x80 ? (char)ch : '?';
	}
	out[n] = '\0';
	return out;
}

/* --- What is under a cell --- */

static void check_panes(const struct fixture *f)
{
	for (int p = 0; p < PANE_COUNT; p++) {
		struct rect r = f->s.layout.pane[p];
		for (int i = 0; i < r.rows * r.cols; i++) {
			int row = r.row + i / r.cols, col = r.col + i % r.cols;
			const struct hot_zone *z = hot_at(&f->c, row, col);
			/* A long message of the footer may cover the last row. */
			if (z && z->kind == HOT_KEY && row >= f->s.layout.footer.row - 1)
				continue;
			if (!z || (z->kind != HOT_PANE && z->kind != HOT_CHART) || z->value != p)
				fail_msg("%dx%d: pane %d at %d %d", f->c.cols, f->c.rows, p, row,
					 col);
		}
	}
}

static int check_knobs(const struct fixture *f)
{
	int n = 0;

	for (int i = 0; i < f->c.hots; i++) {
		const struct hot_zone *z = &f->c.hot[i];
		char text[200], letter[2] = {knobs[z->value % KNOB_COUNT].key_up, '\0'};
		if (z->kind != HOT_KNOB)
			continue;
		text_of(&f->c, z->r, text);
		n++;
		assert_int_equal(z->r.row, f->s.layout.knobs.row);
		if (strncmp(text, knobs[z->value].name, strlen(knobs[z->value].name)) != 0 &&
		    strncmp(text, knobs[z->value].short_name, strlen(knobs[z->value].short_name)) !=
			    0 &&
		    strncmp(text, letter, 1) != 0)
			fail_msg("'%s' is not the knob %s", text, knobs[z->value].name);
		assert_true(strchr("]>", text[strlen(text) - 1]) != NULL);
	}
	return n;
}

static int check_footer(const struct fixture *f)
{
	int n = 0;

	for (int col = 0; col < f->c.cols; col++) {
		const struct hot_zone *z = hot_at(&f->c, f->c.rows - 1, col);
		char text[200], name[8];
		if (!z || z->kind != HOT_KEY)
			continue;
		enum action a = action_of_key(z->value);
		text_of(&f->c, z->r, text);
		/* The hint for the focus, at the right, names keys that are no action's. */
		if (a == ACT_NONE || !actions[a].label[0] || strchr(text, ' '))
			continue;
		n += col == z->r.col;
		action_key_name(z->value, name);
		if (strcmp(name, "Space") == 0)
			strcpy(name, "Spc");
		char wanted[64];
		snprintf(wanted, sizeof(wanted), "%s%s", name, actions[a].label);
		assert_string_equal(text, wanted);
	}
	return n;
}

static void in_all_layouts_a_cell_is_what_is_drawn_there(void **state)
{
	struct fixture *f = *state;

	for (int rows = 10; rows <= 60; rows += 5)
		for (int cols = 40; cols <= 200; cols += 8)
			for (int zoom = 0; zoom <= PANE_COUNT; zoom += 3) {
				f->s.zoom = (enum pane_id)zoom;
				f->s.setup.footer = zoom ? FOOTER_FKEYS : FOOTER_LETTERS;
				f->s.gather.view.message[0] = '\0';
				draw(f, rows, cols);
				check_panes(f);
				assert_true(check_knobs(f) >= 1);
				assert_true(check_footer(f) >= 3);
				if (cols >= 80)
					assert_int_equal(check_knobs(f), KNOB_COUNT);
			}
}

static void smaller_screens_have_no_zone_outside(void **state)
{
	struct fixture *f = *state;

	for (int rows = 1; rows < 12; rows++)
		for (int cols = 1; cols < 44; cols++) {
			draw(f, rows, cols);
			for (int i = 0; i < f->c.hots; i++) {
				struct rect r = f->c.hot[i].r;
				assert_true(r.row >= 0 && r.col >= 0 && r.rows > 0 && r.cols > 0);
				assert_true(r.row + r.rows <= rows && r.col + r.cols <= cols);
			}
		}
}

static void words_name_keys(void **state)
{
	static const char line[] = "Up Down row  Enter a key more  u U undo  y yes  an end  - + x";
	static const struct {
		const char *at;
		int key;
	} want[] = {
		{"Up", K_UP},        {"Down", K_DOWN},     {"row", K_DOWN}, {"Enter", K_ENTER},
		{"key", K_ENTER},    {"u U", 'u'},         {"U undo", 'U'}, {"undo", 'U'},
		{"y yes", KEY_NONE}, {"an end", KEY_NONE}, {"- +", '-'},    {"+ x", '+'},
		{"x", 'x'},
	};
	struct canvas c = {0};

	(void)state;
	assert_int_equal(canvas_resize(&c, 3, 100), 0);
	hot_words(&c, (struct rect){1, 5, 1, 90}, 2, line);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		int col = 7 + (int)(strstr(line, want[i].at) - line);
		const struct hot_zone *z = hot_at(&c, 1, col);
		if ((z ? z->value : KEY_NONE) != want[i].key)
			fail_msg("'%s' is %d", want[i].at, z ? z->value : KEY_NONE);
	}
	assert_null(hot_at(&c, 0, 8));
	/* What has no room is not there. */
	hot_clear(&c);
	hot_words(&c, (struct rect){1, 5, 1, 6}, 2, line);
	assert_non_null(hot_at(&c, 1, 10));
	assert_null(hot_at(&c, 1, 11));
	canvas_free(&c);
}

/* What is asked of the operator, and the keys behind it. */
static void names_two_cells_wide_move_no_key(void **state)
{
	static const char keys[] = "Enter it is set  n leave out  A stop";
	struct fixture *f = *state;
	struct ab ab = {.state = AB_ASKING, .config = {.pairs = 2}};
	int row, col;

	snprintf(ab.config.name[AB_A], sizeof(ab.config.name[AB_A]), "世蓮のディスク");
	f->s.gather.view.ab = &ab;
	for (int cols = 60; cols < 140; cols++) {
		draw(f, 24, cols);
		assert_true(find(f, keys, &row, &col));
		for (int i = 0; keys[i]; i++) {
			const struct hot_zone *z = hot_at(&f->c, row, col + i);
			int want = i < 15 ? K_ENTER : i < 17 ? 0 : i < 28 ? 'n' : i < 30 ? 0 : 'A';
			int is = z && z->kind == HOT_KEY ? z->value : 0;
			if (is != want)
				fail_msg("%d columns: '%s' is %d", cols, keys + i, is);
		}
	}
	f->s.gather.view.ab = NULL;
}

/* --- What it does --- */

static void a_click_focuses_and_a_second_one_zooms(void **state)
{
	struct fixture *f = *state;
	const struct focus *focus = &f->s.gather.view.focus;

	draw(f, 43, 132);
	struct rect r = f->s.layout.pane[PANE_CPU];
	click(f, r.row + 1, r.col + 3);
	assert_true(focus->on_pane && focus->pane == PANE_CPU);
	assert_int_equal(f->s.zoom, PANE_COUNT);
	/* Too late to be the second of two. */
	click(f, r.row + 1, r.col + 3);
	assert_int_equal(f->s.zoom, PANE_COUNT);
	/* And this one is elsewhere. */
	mouse(f, MOUSE_CLICK, r.row + 1, r.col + 4);
	assert_int_equal(f->s.zoom, PANE_COUNT);
	mouse(f, MOUSE_CLICK, r.row + 1, r.col + 4);
	assert_int_equal(f->s.zoom, PANE_CPU);
	double_click(f, 10, 10);
	assert_int_equal(f->s.zoom, PANE_COUNT);
	/* Of three the last is a first one. */
	double_click(f, r.row + 1, r.col + 3);
	mouse(f, MOUSE_CLICK, r.row + 1, r.col + 3);
	assert_int_equal(f->s.zoom, PANE_CPU);
}

static void the_wheel_turns_the_knob_below_it(void **state)
{
	struct fixture *f = *state;
	int row, col;

	draw(f, 24, 80);
	assert_true(find(f, "Workers", &row, &col) || find(f, "Wrk", &row, &col));
	unsigned before = run_workload(f->s.run).workers;
	mouse(f, MOUSE_WHEEL_UP, row, col);
	assert_int_equal(run_workload(f->s.run).workers, before + 1);
	assert_int_equal(f->s.gather.view.focus.knob, KNOB_WORKERS);
	mouse(f, MOUSE_WHEEL_DOWN, row, col + 1);
	assert_int_equal(run_workload(f->s.run).workers, before);
	/* Two clicks are Enter: a value is typed. */
	double_click(f, row, col);
	assert_true(dialog_active(&f->s.dialogs));
}

static void the_wheel_scrolls_events_and_leaves_other_panes_alone(void **state)
{
	struct fixture *f = *state;
	char letter;

	for (int i = 0; i < 40; i++)
		run_mark(f->s.run, &letter);
	state_update(&f->s, clock_ns());
	draw(f, 43, 132);
	struct rect events = f->s.layout.pane[PANE_EVENTS], cpu = f->s.layout.pane[PANE_CPU];
	mouse(f, MOUSE_WHEEL_UP, cpu.row, cpu.col);
	assert_false(f->s.gather.view.focus.on_pane);
	mouse(f, MOUSE_WHEEL_UP, events.row + 1, events.col + 1);
	mouse(f, MOUSE_WHEEL_UP, events.row + 1, events.col + 1);
	assert_int_equal(f->s.gather.view.scroll, 2);
	mouse(f, MOUSE_WHEEL_DOWN, events.row + 1, events.col + 1);
	assert_int_equal(f->s.gather.view.scroll, 1);
}

static void a_key_of_the_footer_is_that_key(void **state)
{
	struct fixture *f = *state;

	draw(f, 24, 80);
	click_words(f, "F4Freeze");
	assert_true(f->s.gather.view.frozen);
	f->s.gather.view.message[0] = '\0';
	f->s.setup.footer = FOOTER_LETTERS;
	click_words(f, "SpcFreeze");
	assert_false(f->s.gather.view.frozen);
	f->s.gather.view.message[0] = '\0';
	click_words(f, "?Help");
	expect_shown(f, "lunscope 1.0: help", true);
	/* The wheel scrolls by three lines; its keys can be clicked too. */
	expect_shown(f, "Tab Shift-Tab", false);
	for (int i = 0; i < 9; i++)
		mouse(f, MOUSE_WHEEL_DOWN, 10, 40);
	expect_shown(f, "Tab Shift-Tab", true);
	click_words(f, "Esc back");
	assert_false(dialog_active(&f->s.dialogs));
}

static void the_footer_shows_letters_where_they_are_asked_for_or_needed(void **state)
{
	struct fixture *f = *state;

	draw(f, 24, 80);
	expect_shown(f, "F1Help", true);
	f->s.fkeys = false;
	expect_shown(f, "F1Help", false);
	expect_shown(f, "?Help", true);
	f->s.setup.footer = FOOTER_FKEYS;
	expect_shown(f, "F1Help", true);
	f->s.fkeys = true;
	f->s.setup.footer = FOOTER_LETTERS;
	expect_shown(f, "?Help", true);
	enum footer_keys k;
	struct error e;
	assert_int_equal(setup_footer_parse(&k, "letters", &e), 0);
	assert_int_equal(k, FOOTER_LETTERS);
	assert_true(setup_footer_parse(&k, "big", &e) < 0);
	assert_non_null(strstr(e.text, "'big': write auto, fkeys or letters"));
}

/* --- Cursors --- */

static void with_cursors_a_click_in_a_chart_sets_one(void **state)
{
	static const enum glyph_level levels[] = {GL_ASCII, GL_HALF, GL_BRAILLE};
	static const int widths[] = {80, 132, 200};
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	/* As if it had run for long: cursors go no further back than to the start. */
	v->snap.start_ns = 1;
	v->mark_count = 0;
	for (int i = 0; i < 9; i++) {
		v->level = levels[i % 3];
		v->g = &glyph_table[v->level];
		draw(f, 43, widths[i / 3]);
		struct rect b =
			pane_chart_body(f->c.cols, f->s.layout.pane[PANE_IOPS], v, PANE_IOPS);
		click(f, b.row + 1, b.col + b.cols / 2);
		assert_false(f->s.cursors.at[0].set);
		state_cursor_next(&f->s);
		for (int col = b.col + b.cols / 4; col < b.col + b.cols - 2; col += 5) {
			click(f, b.row + 1, col);
			uint32_t axis = 0;
			/* Its number is on the axis, below. */
			for (int row = b.row; row < b.row + b.rows + 1 && axis != '1'; row++)
				axis = f->c.cell[row * f->c.cols + col].ch;
			if (axis != '1') {
				canvas_print(&f->c, stdout);
				fail_msg("no cursor in column %d", col);
			}
		}
		state_key(&f->s, K_ESC);
		state_key(&f->s, K_ESC);
		assert_false(f->s.cursors.at[0].set);
	}
}

static void in_the_heat_map_too(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	v->snap.start_ns = 1;
	v->mark_count = 0;
	v->latency = LATENCY_HEAT;
	f->s.zoom = PANE_LATENCY;
	draw(f, 24, 80);
	struct rect b = state_cursor_body(&f->s, PANE_LATENCY);
	assert_true(b.rows > 4);
	state_cursor_next(&f->s);
	click(f, b.row + 1, b.col + b.cols / 2);
	assert_true(f->s.gather.view.focus.pane == PANE_LATENCY);
	uint32_t axis = 0;
	for (int row = b.row; row < b.row + b.rows + 1 && axis != '1'; row++)
		axis = f->c.cell[row * f->c.cols + b.col + b.cols / 2].ch;
	if (axis != '1')
		show_and_fail(f, "1");
	/* As a histogram it has none. */
	v->latency = LATENCY_TOTAL;
	assert_int_equal(state_cursor_body(&f->s, PANE_LATENCY).rows, 0);
}

/* --- Dialogs --- */

static void in_a_dialog_a_click_chooses_and_outside_does_nothing(void **state)
{
	struct fixture *f = *state;

	draw(f, 24, 80);
	state_key(&f->s, 'S');
	expect_shown(f, ">theme", true);
	click_words(f, "units");
	expect_shown(f, ">units", true);
	click_words(f, "theme");
	expect_shown(f, ">theme", true);
	mouse(f, MOUSE_WHEEL_DOWN, 20, 40);
	mouse(f, MOUSE_WHEEL_DOWN, 20, 40);
	expect_shown(f, ">colour", true);
	click_words(f, "mouse");
	click_words(f, "Right change");
	assert_true(f->s.setup.mouse);
	click_words(f, "Left");
	assert_false(f->s.setup.mouse);
	/* The knob bar is in sight, and out of reach; so is a frame's neighbour. */
	struct workload before = run_workload(f->s.run);
	double_click(f, 1, 5);
	mouse(f, MOUSE_WHEEL_UP, 1, 5);
	assert_int_equal(run_workload(f->s.run).workers, before.workers);
	assert_int_equal(f->s.dialogs.depth, 1);
	expect_shown(f, ">mouse", true);
	click_words(f, "Esc back");
	assert_int_equal(f->s.dialogs.depth, 0);
}

static void answers_of_the_quit_dialog_are_taken_by_two_clicks(void **state)
{
	struct fixture *f = *state;
	int row, col;

	draw(f, 24, 80);
	state_key(&f->s, 'q');
	expect_shown(f, "> Quit", true);
	click_words(f, "Go on");
	expect_shown(f, "> Go on", true);
	click_words(f, "Quit      y");
	expect_shown(f, "> Quit", true);
	assert_true(find(f, "Go on", &row, &col));
	double_click(f, row, col);
	assert_int_equal(f->s.dialogs.depth, 0);
	assert_false(f->s.quit);
}

static void choices_beside_each_other_are_chosen_whatever_row_is(void **state)
{
	struct fixture *f = *state;

	draw(f, 24, 80);
	state_key(&f->s, 'f');
	click_words(f, "writes");
	expect_shown(f, "<writes>", true);
	click_words(f, "rate");
	expect_shown(f, "<rate>", true);
	click_words(f, "all IOs");
	expect_shown(f, "<all IOs>", true);
	click_words(f, "reads");
	expect_shown(f, "<reads>", true);
}

static int closed_with;

static void consent_closed(void *dialog, enum dialog_result r, void *user)
{
	(void)dialog;
	(void)user;
	closed_with = (int)r;
}

static void no_click_ever_agrees_to_writing(void **state)
{
	struct fixture *f = *state;
	const struct guard_report r = {
		.kind = GUARD_BLOCK,
		.spec = "/dev/sdq",
		.path = "/dev/sdq",
		.size = 4000787030016ull,
		.logical_block = 512,
		.vendor = "SEAGATE",
		.model = "世蓮",
		.id = "naa.5000c500a18f3a91",
		.confirm = "8f3a91",
		.window_start = 1048576,
		.window_length = 1073741824,
	};
	struct dialog d = dialog_consent_report(&r);

	closed_with = -1;
	d.closed = consent_closed;
	draw(f, 24, 80);
	assert_true(dialog_push(&f->s.dialogs, d));
	expect_shown(f, "Enter allows writing", true);
	for (const char *key = "8f3a91"; *key; key++)
		state_key(&f->s, *key);
	/* Every cell, twice, but those of Esc and F1; and the wheel. */
	draw(f, 24, 80);
	for (int i = 0; i < 24 * 80; i++) {
		const struct hot_zone *z = hot_at(&f->c, i / 80, i % 80);
		if (z && z->kind == HOT_KEY && (z->value == K_ESC || z->value == ACTION_FKEY(1)))
			continue;
		double_click(f, i / 80, i % 80);
		mouse(f, MOUSE_WHEEL_DOWN, i / 80, i % 80);
		assert_int_equal(closed_with, -1);
		assert_int_equal(f->s.dialogs.depth, 1);
	}
	click_words(f, "Esc back");
	assert_int_equal(closed_with, DIALOG_CANCELLED);
}

/* --- Reports --- */

static void reports_are_read_and_all_else_is_none(void **state)
{
	static const struct {
		const char *text;
		int what, row, col; /* what -1: none */
	} sgr[] = {
		{"<0;10;5M", MOUSE_PRESS, 4, 9},
		{"<64;1;1M", MOUSE_WHEEL_UP, 0, 0},
		{"<65;300;200M", MOUSE_WHEEL_DOWN, 199, 299},
		{"<4;2;3M", MOUSE_PRESS, 2, 1}, /* with shift */
		{"<0;10;5m", MOUSE_RELEASE, 4, 9},
		{"<64;1;1m", -1, 0, 0},
		{"<2;10;5m", -1, 0, 0},
		{"<32;10;5M", -1, 0, 0}, /* moved */
		{"<2;10;5M", -1, 0, 0},  /* the right button */
		{"<66;10;5M", -1, 0, 0}, /* a wheel sideways */
		{"<128;10;5M", -1, 0, 0},
		{"<0;0;5M", -1, 0, 0},
		{"<0;10;5", -1, 0, 0},
		{"<0;10M", -1, 0, 0},
		{"<0;10;5;7M", -1, 0, 0},
		{"<-1;10;5M", -1, 0, 0},
		{"<0;99999999999999999999;5M", -1, 0, 0},
		{"<0;70000;5M", -1, 0, 0},
		{"<", -1, 0, 0},
		{"<;;M", -1, 0, 0},
		{"", -1, 0, 0},
		{"0;10;5M", -1, 0, 0},
	};
	struct mouse_event m;

	(void)state;
	for (size_t i = 0; i < sizeof(sgr) / sizeof(sgr[0]); i++) {
		bool is = mouse_of_sgr(&m, sgr[i].text);
		if (is != (sgr[i].what >= 0) ||
		    (is &&
		     ((int)m.what != sgr[i].what || m.row != sgr[i].row || m.col != sgr[i].col)))
			fail_msg("'%s'", sgr[i].text);
	}
	assert_true(mouse_of_bytes(&m, (const unsigned char *)" !!"));
	assert_true(m.what == MOUSE_PRESS && m.row == 0 && m.col == 0);
	assert_true(mouse_of_bytes(&m, (const unsigned char *)"#!!"));
	assert_int_equal(m.what, MOUSE_RELEASE);
	assert_true(mouse_of_bytes(&m, (const unsigned char *)"\x60\xff\x25"));
	assert_true(m.what == MOUSE_WHEEL_UP && m.row == 4 && m.col == 222);
	assert_false(mouse_of_bytes(&m, (const unsigned char *)"\"!!"));
	assert_false(mouse_of_bytes(&m, (const unsigned char *)"  !"));
}

static void a_click_is_over_where_it_was_begun(void **state)
{
	struct mouse_event pressed = {.what = MOUSE_RELEASE};
	struct mouse_event m = {MOUSE_RELEASE, 3, 4};

	(void)state;
	assert_false(mouse_settle(&m, &pressed));
	m.what = MOUSE_PRESS;
	assert_false(mouse_settle(&m, &pressed));
	m = (struct mouse_event){MOUSE_WHEEL_UP, 9, 9};
	assert_true(mouse_settle(&m, &pressed));
	m = (struct mouse_event){MOUSE_RELEASE, 3, 4};
	assert_true(mouse_settle(&m, &pressed));
	assert_int_equal(m.what, MOUSE_CLICK);
	/* Let go twice, or after it was drawn elsewhere. */
	m = (struct mouse_event){MOUSE_RELEASE, 3, 4};
	assert_false(mouse_settle(&m, &pressed));
	m.what = MOUSE_PRESS;
	assert_false(mouse_settle(&m, &pressed));
	m = (struct mouse_event){MOUSE_RELEASE, 3, 5};
	assert_false(mouse_settle(&m, &pressed));
}

#define ON_SCREEN(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_SCREEN(in_all_layouts_a_cell_is_what_is_drawn_there),
		ON_SCREEN(smaller_screens_have_no_zone_outside),
		cmocka_unit_test(words_name_keys),
		ON_SCREEN(names_two_cells_wide_move_no_key),
		ON_SCREEN(a_click_focuses_and_a_second_one_zooms),
		ON_SCREEN(the_wheel_turns_the_knob_below_it),
		ON_SCREEN(the_wheel_scrolls_events_and_leaves_other_panes_alone),
		ON_SCREEN(a_key_of_the_footer_is_that_key),
		ON_SCREEN(the_footer_shows_letters_where_they_are_asked_for_or_needed),
		ON_SCREEN(with_cursors_a_click_in_a_chart_sets_one),
		ON_SCREEN(in_the_heat_map_too),
		ON_SCREEN(in_a_dialog_a_click_chooses_and_outside_does_nothing),
		ON_SCREEN(answers_of_the_quit_dialog_are_taken_by_two_clicks),
		ON_SCREEN(choices_beside_each_other_are_chosen_whatever_row_is),
		ON_SCREEN(no_click_ever_agrees_to_writing),
		cmocka_unit_test(a_click_is_over_where_it_was_begun),
		cmocka_unit_test(reports_are_read_and_all_else_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
