/* e2e-terminals.c - the live screen on every kind of terminal: the six sets of characters, locales,
 * terminal types and what their keyboards send.
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

/* --- Characters. --- */

static const uint32_t blocks[] = {0x2580, 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586,
				  0x2587, 0x2588, 0x2589, 0x258a, 0x258b, 0x258c, 0x258d,
				  0x258e, 0x258f, 0x2590, 0x2591, 0x2592, 0x2593, 0};

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
	static const char *const terms[] = {"linux",         "vt100",          "screen-256color",
					    "tmux-256color", "xterm-256color", "xterm",
					    "screen",        "vt220",          "rxvt-unicode"};
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

static void kitty_4164_an_unknown_terminal_is_one_line_or_its_family(void **state)
{
	static const char *const terms[] = {"no-such-terminal", "dumb", ""};
	(void)state;
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct vt_options o = {.term = terms[i]};
		const char *argv[] = {lunscope_path(), "null:1ms", "--no-store", NULL};
		struct vt *v = e2e_keep(vt_start(&o, argv));

		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 2);
		VT_MATCH(v, VT_ANY, "^lunscope: TERM");
		VT_TEXT(v, "xterm-256color");
		e2e_expect_one_line(v);
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
		E2E_TEST(each_level_draws_with_its_own_characters),
		E2E_TEST(the_key_for_characters_goes_through_them),
		E2E_TEST(the_c_locale_gets_no_byte_above_ascii),
		E2E_TEST(every_terminal_type_shows_the_screen_and_has_its_keys),
		E2E_TEST(kitty_4164_an_unknown_terminal_is_one_line_or_its_family),
		E2E_TEST(without_a_terminal_there_is_no_screen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
