/* e2e-terminals.c - the live screen on every kind of terminal: themes and no colours, the six sets of
 * characters, locales, terminal types and what their keyboards send.
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
#include "tests/scratch.h"

/* --- Colours. --- */

/* The cell where the first digit of the answer's IOPS stands, and others by their text. */
static struct vt_cell cell_of(struct vt *v, const char *text, int offset)
{
	int row = 0, col = 0;

	VT_EXPECT(v, vt_find(v, text, &row, &col));
	return vt_cell(v, row, col + offset);
}

static char *theme_text(void)
{
	static char text[16384];
	char path[4200];

	snprintf(path, sizeof path, "%s/themes/default.theme", getenv("TEST_SRCDIR"));
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	size_t n = fread(text, 1, sizeof text - 256, f);
	fclose(f);
	text[n] = '\0';
	return text;
}

/* What the default theme's file says of a style in that section: its colours, VT_DEFAULT if none. */
static void look_of(const char *section, const char *style, int *fg, int *bg)
{
	static const char *const names[] = {"black", "red",     "green", "yellow",
					    "blue",  "magenta", "cyan",  "white"};
	char want[64], word[2][16] = {"", ""};
	int *colour[2] = {fg, bg};

	snprintf(want, sizeof want, "\n[%s]\n", section);
	const char *at = strstr(theme_text(), want);
	assert_non_null(at);
	snprintf(want, sizeof want, "\n%s = ", style);
	at = strstr(at, want);
	assert_non_null(at);
	sscanf(at + strlen(want), "%15s on %15s", word[0], word[1]);
	for (int i = 0; i < 2; i++) {
		*colour[i] = word[i][0] >= '0' && word[i][0] <= '9' ? atoi(word[i]) : VT_DEFAULT;
		for (int n = 0; n < 8; n++)
			if (!strcmp(word[i], names[n]))
				*colour[i] = n;
	}
}

#define EXPECT_LOOK(v, section, style, text, offset)                                               \
	expect_look(v, section, style, cell_of(v, text, offset))
static void expect_look(struct vt *v, const char *section, const char *style, struct vt_cell cell)
{
	int fg, bg;
	char what[96];

	look_of(section, style, &fg, &bg);
	snprintf(what, sizeof what, "%s is %d on %d, not %d on %d", style, fg, bg, cell.fg, cell.bg);
	vt_expect(v, cell.fg == fg && cell.bg == bg, what, __FILE__, __LINE__);
}

static void expect_default_theme(struct vt *v, const char *section)
{
	ANSWER(v, shows_writes);
	EXPECT_LOOK(v, section, "read", " R ", 1);
	EXPECT_LOOK(v, section, "write", " W ", 1);
	EXPECT_LOOK(v, section, "good", "RUN", 0);
	EXPECT_LOOK(v, section, "focus", "<   8>", 4);
	EXPECT_LOOK(v, section, "knob", "  4K]", 3);
	EXPECT_LOOK(v, section, "key-label", "F1Help", 2);
	EXPECT_LOOK(v, section, "label", "p50", 0);
}

static void the_default_theme_has_its_colours_in_their_cells(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000", "--read", "50");

	expect_default_theme(v, "256");
	e2e_quit(v);
}

static void eight_colours_are_used_where_there_are_eight(void **state)
{
	(void)state;
	struct vt_options o = {.term = "linux"};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--read", "50");

	expect_default_theme(v, "8");
	for (int r = 0; r < vt_rows(v); r++)
		for (int c = 0; c < vt_cols(v); c++)
			assert_true(vt_cell(v, r, c).fg < 16 && vt_cell(v, r, c).bg < 16);
	e2e_quit(v);
}

/* A theme of the test's own: the whole default one with one colour changed and other words. */
static const char *own_theme(const char *name, const char *from, const char *to)
{
	char *text = theme_text();
	char *at = strstr(text, from);
	assert_non_null(at);
	memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
	memcpy(at, to, strlen(to));
	return scratch_text(name, text);
}

static bool read_is_not(struct vt *v, void *arg)
{
	return cell_of(v, " R ", 1).fg != *(int *)arg;
}

static void a_theme_is_chosen_by_path_and_changed_by_key(void **state)
{
	(void)state;
	char was[32];
	int fg, bg;
	look_of("256", "read", &fg, &bg);
	snprintf(was, sizeof was, "\nread = %d", fg);
	const char *theme = own_theme("mine.theme", was, "\nread = 99");
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000", "--theme", theme);

	ANSWER(v, shows_reads);
	assert_int_equal(cell_of(v, " R ", 1).fg, 99);
	vt_type(v, "C");
	VT_ROW(v, -1, "Theme: ");
	VT_EXPECT(v, vt_wait(v, read_is_not, (int[]){99}));
	e2e_quit(v);
}

/* No escape sequence, no other screen, no summary of a run that nobody saw. */
static void expect_one_line(const char *raw)
{
	assert_null(strchr(raw, '\033'));
	const char *end = strchr(raw, '\n');
	assert_non_null(end);
	assert_string_equal(end + 1, "");
}

static void a_broken_theme_is_one_line_and_the_terminal_is_left_alone(void **state)
{
	(void)state;
	/* Line 10 of the file. */
	const char *theme = own_theme("broken.theme", "normal = default", "normal = no-such-colour");
	const char *argv[] = {lunscope_path(), "null:1ms", "--theme", theme, NULL};
	struct vt *v = e2e_keep(vt_start(NULL, argv));
	char want[5000];
	size_t n;

	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 2);
	snprintf(want, sizeof want, "%s:10: bad colour 'no-such-colour'", theme);
	assert_non_null(strstr(vt_raw(v, &n), want));
	expect_one_line(vt_raw(v, &n));
	assert_true(vt_line_sane(v));
	e2e_free(v);
}

/* What colours say must be said by words too. */
static void expect_meaning_without_colour(struct vt *v)
{
	ANSWER(v, shows_writes);
	VT_ROW(v, ROW_HEADER, "RUN");
	VT_MATCH(v, ROW_KNOBS, "<   8>");
	VT_TEXT(v, "read");
	VT_TEXT(v, "write");
	vt_type(v, "s");
	VT_ROW(v, ROW_HEADER, "STOP");
	vt_key(v, "F1");
	VT_TEXT(v, "Esc back");
	vt_key(v, "esc");
	VT_GONE(v, "Esc back");
	VT_EXPECT(v, e2e_colourless(v));
}

static void no_colour_is_sent_where_none_is_wanted(void **state)
{
	static const char *const no_color[] = {"NO_COLOR=1", NULL};
	(void)state;
	struct vt_options o = {.env = no_color};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--read", "50");

	expect_meaning_without_colour(v);
	vt_shot(v, "colour-no-color");
	e2e_quit(v);
	v = LIVE(NULL, "null:1ms", "--rate", "2000", "--read", "50", "--color", "never");
	expect_meaning_without_colour(v);
	e2e_quit(v);
	/* What was asked for on the command line goes before the environment. */
	v = LIVE(&o, "null:1ms", "--rate", "2000", "--read", "50", "--color=always");
	ANSWER(v, shows_writes);
	VT_EXPECT(v, !e2e_colourless(v));
	e2e_quit(v);
}

/* --- Characters. --- */

static const uint32_t blocks[] = {0x2580, 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587,
				  0x2588, 0x2589, 0x258a, 0x258b, 0x258c, 0x258d, 0x258e, 0x258f,
				  0x2590, 0x2591, 0x2592, 0x2593, 0};

/* Braille patterns and block elements on the screen that are not among `allowed`. */
static int strangers(struct vt *v, const uint32_t *allowed)
{
	int n = 0;

	for (int r = 0; r < vt_rows(v); r++)
		for (int c = 0; c < vt_cols(v); c++) {
			uint32_t ch = vt_cell(v, r, c).ch;
			if (!(ch >= 0x2800 && ch < 0x2900) && !(ch >= 0x2580 && ch < 0x25a0))
				continue;
			const uint32_t *a = allowed;
			while (*a && *a != ch)
				a++;
			n += !*a && !(ch >= 0x2800 && allowed[0] == 0x28ff);
		}
	return n;
}

static bool chart_is_drawn(struct vt *v, void *arg)
{
	return e2e_count(v, arg) > 3;
}

static void each_level_draws_with_its_own_characters(void **state)
{
	/* A level's full cell, which the chart must show, and which blocks it may use (the fill, the
	 * bars and the shades of its table). */
	static const struct {
		const char *name;
		uint32_t full[2];
		uint32_t allowed[24];
	} levels[] = {
		{"ascii", {'#'}, {0}},
		{"dec", {'#'}, {0x2592, 0}},
		{"vt", {0x2588}, {0x2591, 0x2592, 0x2588, 0}},
		{"half", {0x2588}, {0x2584, 0x258c, 0x2588, 0x2591, 0x2592, 0x2593, 0}},
		{"eighth",
		 {0x2588},
		 {0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588, 0x2589, 0x258a,
		  0x258b, 0x258c, 0x258d, 0x258e, 0x258f, 0x2591, 0x2592, 0x2593, 0}},
		{"braille",
		 {0x28ff},
		 {0x28ff, 0x2588, 0x2589, 0x258a, 0x258b, 0x258c, 0x258d, 0x258e, 0x258f, 0x2591,
		  0x2592, 0x2593, 0}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		char name[32];
		struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000", "--read", "70", "--glyphs",
				    levels[i].name);
		ANSWER(v, shows_writes);
		VT_EXPECT(v, vt_wait(v, chart_is_drawn, (void *)levels[i].full));
		VT_EXPECT(v, strangers(v, levels[i].allowed) == 0);
		snprintf(name, sizeof name, "glyphs-%s", levels[i].name);
		vt_shot(v, name);
		e2e_quit(v);
	}
}

static void the_key_for_characters_goes_through_them(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	ANSWER(v, shows_reads);
	static const char *const after[] = {"ascii", "dec", "vt", "half", "eighth", "braille"};
	for (int i = 0; i < 6; i++) {
		char want[64];
		vt_type(v, "G");
		snprintf(want, sizeof want, "Characters: %s", after[i]);
		VT_ROW(v, -1, want);
	}
	VT_EXPECT(v, vt_wait(v, chart_is_drawn, (uint32_t[]){0x28ff, 0}));
	vt_type(v, "G");
	VT_EXPECT(v, vt_wait(v, chart_is_drawn, (uint32_t[]){'#', 0}));
	VT_EXPECT(v, e2e_count(v, blocks) == 0);
	e2e_quit(v);
}

static void the_c_locale_gets_no_byte_above_ascii(void **state)
{
	static const char *const terms[] = {"xterm-256color", "linux", "vt100"};
	(void)state;
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct vt_options o = {.locale = "C", .term = terms[i]};
		struct vt *v = LIVE(&o, "null:200us", "--rate", "2000");
		char name[64];
		size_t n;

		ANSWER(v, shows_reads);
		vt_type(v, "B");
		EVENT(v, "block 4K > 8K");
		vt_key(v, "F1");
		VT_TEXT(v, "Esc back");
		vt_key(v, "esc");
		VT_GONE(v, "Esc back");
		vt_settle(v, 0.1);
		snprintf(name, sizeof name, "locale-c-%s", terms[i]);
		vt_shot(v, name);
		vt_type(v, "q");
		VT_TEXT(v, "Go on");
		vt_type(v, "k");
		VT_EXPECT(v, vt_wait_exit(v));
		const char *raw = vt_raw(v, &n);
		for (size_t at = 0; at < n; at++)
			if ((unsigned char)raw[at] >= 0x80)
				fail_msg("byte %zu of TERM=%s is 0x%02x", at, terms[i],
					 (unsigned char)raw[at]);
		e2e_free(v);
	}
}

/* --- Terminal types. --- */

static void every_terminal_type_shows_the_screen_and_has_its_keys(void **state)
{
	static const char *const terms[] = {"linux",	       "vt100",		 "screen-256color",
					    "tmux-256color",   "xterm-256color", "xterm",
					    "screen",	       "vt220",		 "rxvt-unicode"};
	(void)state;
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct vt_options o = {.term = terms[i]};
		struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000");
		char name[64];

		ANSWER(v, shows_reads);
		VT_ROW(v, ROW_HEADER, "RUN");
		VT_MATCH(v, -1, "(F1|\\?)Help");
		snprintf(name, sizeof name, "term-%s", terms[i]);
		vt_shot(v, name);
		/* Left and up, as this keyboard sends them. */
		vt_key(v, "left");
		FOCUS(v, "Workers");
		vt_key(v, "up");
		KNOB(v, "Workers", "2");
		vt_key(v, "F1");
		VT_TEXT(v, "Esc back");
		vt_key(v, "esc");
		VT_GONE(v, "Esc back");
		vt_key(v, "F10");
		VT_TEXT(v, "Go on");
		vt_key(v, "enter");
		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 0);
		assert_true(vt_line_sane(v));
		e2e_free(v);
	}
}

static void help_and_quit_open_by_all_their_keys(void **state)
{
	static const char *const help[] = {"\033OP", "\033[11~", "\033[[A", "\0331", "?", "h"};
	static const char *const quit[] = {"\033[21~", "\0330", "q", "\003"};
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	for (size_t i = 0; i < sizeof help / sizeof *help; i++) {
		vt_type(v, help[i]);
		VT_TEXT(v, "PgUp PgDn scroll");
		vt_key(v, "esc");
		VT_GONE(v, "PgUp PgDn scroll");
	}
	for (size_t i = 0; i < sizeof quit / sizeof *quit; i++) {
		vt_type(v, quit[i]);
		VT_TEXT(v, "Go on");
		vt_key(v, "esc");
		VT_GONE(v, "Go on");
	}
	/* A sequence that nobody knows does nothing, whatever digits and letters it is made of. */
	vt_type(v, "\033[99;5u\033[200~\033[1;2B\033[<0;10;10M");
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	KNOB(v, "Workers", "1");
	KNOB(v, "Outst", "8");
	e2e_quit(v);
}

static void an_unknown_terminal_is_one_line(void **state)
{
	static const char *const terms[] = {"no-such-terminal", "dumb", ""};
	(void)state;
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct vt_options o = {.term = terms[i]};
		const char *argv[] = {lunscope_path(), "null:1ms", "--no-store", NULL};
		struct vt *v = e2e_keep(vt_start(&o, argv));
		size_t n;

		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 2);
		VT_MATCH(v, VT_ANY, "^lunscope: TERM");
		VT_TEXT(v, "xterm-256color");
		expect_one_line(vt_raw(v, &n));
		assert_true(vt_line_sane(v));
		e2e_free(v);
	}
	/* One of a family that everybody knows is taken for it. */
	struct vt_options o = {.term = "xterm-of-tomorrow"};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

static void without_a_terminal_there_is_no_screen(void **state)
{
	(void)state;
	struct proc p;

	assert_int_equal(PROC(&p, lunscope_path(), "null:1ms", "--no-store"), 0);
	assert_int_equal(p.status, 2);
	assert_non_null(strstr(p.err, "not a terminal"));
	assert_string_equal(p.out, "");
	proc_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(the_default_theme_has_its_colours_in_their_cells),
		E2E_TEST(eight_colours_are_used_where_there_are_eight),
		E2E_TEST(a_theme_is_chosen_by_path_and_changed_by_key),
		E2E_TEST(a_broken_theme_is_one_line_and_the_terminal_is_left_alone),
		E2E_TEST(no_colour_is_sent_where_none_is_wanted),
		E2E_TEST(each_level_draws_with_its_own_characters),
		E2E_TEST(the_key_for_characters_goes_through_them),
		E2E_TEST(the_c_locale_gets_no_byte_above_ascii),
		E2E_TEST(every_terminal_type_shows_the_screen_and_has_its_keys),
		E2E_TEST(help_and_quit_open_by_all_their_keys),
		E2E_TEST(an_unknown_terminal_is_one_line),
		E2E_TEST(without_a_terminal_there_is_no_screen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
