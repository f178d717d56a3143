/* vt-self.c - the terminal that the end-to-end tests look through, tried on programs everybody knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/vt.h"

static void text_and_status_arrive(void **state)
{
	(void)state;
	struct vt *v = VT_START(NULL, "sh", "-c", "printf 'one\\r\\n  two'; exit 7");
	assert_true(vt_wait_exit(v));
	assert_int_equal(vt_status(v), 7);
	assert_string_equal(vt_row(v, 0), "one");
	assert_string_equal(vt_row(v, 1), "  two");
	int row, col;
	assert_true(vt_find(v, "two", &row, &col));
	assert_int_equal(row, 1);
	assert_int_equal(col, 2);
	assert_false(vt_find(v, "three", NULL, NULL));
	vt_free(v);
}

static void waiting_for_what_never_comes_ends_with_the_program(void **state)
{
	(void)state;
	struct vt *v = VT_START(NULL, "printf", "here");
	double start = proc_now();
	assert_false(vt_wait_text(v, "not here"));
	assert_true(proc_now() - start < proc_patience());
	assert_true(vt_wait_text(v, "here"));
	vt_free(v);
}

static void a_cell_has_character_colours_and_attributes(void **state)
{
	(void)state;
	struct vt *v = VT_START(NULL, "printf",
				"\033[1;31;44mA\033[0;4;38;5;208mB\033[0;7;38;2;1;2;3mC\033[0mD");
	assert_true(vt_wait_exit(v));
	struct vt_cell a = vt_cell(v, 0, 0), b = vt_cell(v, 0, 1), c = vt_cell(v, 0, 2),
		       d = vt_cell(v, 0, 3), e = vt_cell(v, 0, 4);
	assert_int_equal(a.ch, 'A');
	assert_int_equal(a.fg, 1);
	assert_int_equal(a.bg, 4);
	assert_true(a.bold && !a.underline && !a.reverse);
	assert_int_equal(b.fg, 208);
	assert_int_equal(b.bg, VT_DEFAULT);
	assert_true(b.underline && !b.bold);
	assert_int_equal(c.fg, 0x1010203);
	assert_true(c.reverse);
	assert_int_equal(d.ch, 'D');
	assert_int_equal(d.fg, VT_DEFAULT);
	assert_int_equal(e.ch, ' ');
	assert_int_equal(vt_colours(v), 3);
	vt_free(v);
}

static void wide_and_line_drawing_characters_are_understood(void **state)
{
	(void)state;
	struct vt *v = VT_START(NULL, "printf", "\xe6\xbc\xa2x\xe2\xa3\xbf \033(0q\033(B");
	assert_true(vt_wait_exit(v));
	assert_int_equal(vt_cell(v, 0, 0).ch, 0x6f22);
	assert_int_equal(vt_cell(v, 0, 0).width, 2);
	assert_int_equal(vt_cell(v, 0, 2).ch, 'x');
	assert_int_equal(vt_cell(v, 0, 3).ch, 0x28ff);
	assert_int_equal(vt_cell(v, 0, 5).ch, 0x2500);
	int row, col;
	assert_true(vt_find(v, "x\xe2\xa3\xbf", &row, &col));
	assert_int_equal(col, 2);
	vt_free(v);
}

static void equal_screens_have_equal_sums_and_different_ones_do_not(void **state)
{
	(void)state;
	static const char *const show[] = {"plain", "\033[1mplain", "\033[31mplain", "plaim"};
	uint64_t sum[4];
	for (int i = 0; i < 4; i++) {
		struct vt *v = VT_START(NULL, "printf", show[i]);
		assert_true(vt_wait_exit(v));
		sum[i] = vt_hash(v);
		vt_free(v);
	}
	struct vt *v = VT_START(NULL, "printf", "plain");
	assert_true(vt_wait_exit(v));
	assert_true(vt_hash(v) == sum[0]);
	assert_true(sum[0] != sum[1] && sum[0] != sum[2] && sum[0] != sum[3] && sum[1] != sum[2]);
	vt_free(v);
}

static void the_line_s_modes_can_be_read_even_after_the_end(void **state)
{
	(void)state;
	struct vt *v = VT_START(NULL, "sh", "-c", "stty -icanon -echo; echo raw; read x; echo bye");
	VT_TEXT(v, "raw");
	assert_false(vt_line_sane(v));
	vt_key(v, "enter");
	assert_true(vt_wait_exit(v));
	assert_false(vt_line_sane(v));
	vt_free(v);

	v = VT_START(NULL, "sh", "-c", "stty -icanon -echo; stty sane; echo cooked");
	assert_true(vt_wait_exit(v));
	assert_true(vt_line_sane(v));
	vt_free(v);
}

static void the_program_sees_the_size_and_its_changes(void **state)
{
	(void)state;
	struct vt_options o = {.rows = 30, .cols = 100};
	struct vt *v = VT_START(&o, "sh", "-c",
				"trap 'stty size' WINCH; stty size; while :; do read x; done");
	VT_ROW(v, 0, "30 100");
	vt_resize(v, 10, 40);
	VT_TEXT(v, "10 40");
	assert_int_equal(vt_rows(v), 10);
	assert_int_equal(vt_cols(v), 40);
	vt_free(v);

	o = (struct vt_options){.no_size = true};
	v = VT_START(&o, "stty", "size");
	VT_ROW(v, 0, "0 0");
	vt_free(v);
}

static void keys_are_what_the_terminal_type_sends(void **state)
{
	(void)state;
	static const struct {
		const char *term, *key, *shown;
	} cases[] = {
		{"xterm-256color", "F1", "^[OP"},
		{"xterm-256color", "F10", "^[[21~"},
		{"xterm-256color", "up", "^[[A"},
		{"xterm-256color", "backtab", "^[[Z"},
		{"xterm-256color", "esc", "^["},
		{"linux", "F1", "^[[[A"},
		{"linux", "F6", "^[[17~"},
		{"vt100", "F10", "^[Ox"},
		{"screen-256color", "home", "^[[1~"},
		{"xterm-256color", "^L", "^L"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct vt_options o = {.term = cases[i].term};
		struct vt *v = VT_START(&o, "sh", "-c", "stty -icanon -echo; echo ready; cat -v");
		VT_TEXT(v, "ready");
		vt_key(v, cases[i].key);
		vt_type(v, "$");
		char want[32];
		snprintf(want, sizeof want, "%s$", cases[i].shown);
		VT_ROW(v, 1, want);
		vt_free(v);
	}
}

static void environment_terminal_and_locale_reach_the_program(void **state)
{
	(void)state;
	const char *env[] = {"NO_COLOR=1", "HOME", NULL};
	struct vt_options o = {.term = "vt100", .locale = "C", .env = env};
	struct vt *v = VT_START(&o, "sh", "-c", "echo $TERM $LC_ALL $NO_COLOR ${HOME-gone}");
	VT_ROW(v, 0, "vt100 C 1 gone");
	vt_free(v);
}

static void the_alternate_screen_and_the_cursor_are_followed(void **state)
{
	(void)state;
	struct vt *v =
		VT_START(NULL, "sh", "-c",
			 "printf 'shell'; printf '\\033[?1049h\\033[?25l\\033[5;10Hfull'; read x;"
			 "printf '\\033[?1049l\\033[?25h'; read x");
	VT_TEXT(v, "full");
	int row, col;
	bool visible;
	assert_true(vt_altscreen(v));
	vt_cursor(v, &row, &col, &visible);
	assert_int_equal(row, 4);
	assert_int_equal(col, 13);
	assert_false(visible);
	assert_false(vt_find(v, "shell", NULL, NULL));
	vt_key(v, "enter");
	VT_EXPECT(v, vt_wait_altscreen(v, false));
	VT_TEXT(v, "shell");
	assert_false(vt_find(v, "full", NULL, NULL));
	vt_free(v);
}

static void signals_and_job_control_work(void **state)
{
	(void)state;
	struct vt *v = VT_START(NULL, "sh", "-c", "echo up; exec sleep 1000");
	VT_TEXT(v, "up");
	assert_int_equal(vt_status(v), -1);
	vt_signal(v, SIGTERM);
	assert_true(vt_wait_exit(v));
	assert_int_equal(vt_status(v), 128 + SIGTERM);
	vt_free(v);

	const char *env[] = {"PS1=ready> ", "ENV", NULL};
	struct vt_options o = {.env = env};
	v = VT_START(&o, "sh", "-i");
	VT_TEXT(v, "ready>");
	vt_type(v, "sleep 1000\r");
	vt_settle(v, 0.2);
	vt_key(v, "^Z");
	VT_TEXT(v, "Stopped");
	vt_type(v, "kill %1; wait; echo over\r");
	VT_MATCH(v, VT_ANY, "^over");
	vt_free(v);
}

static void closing_the_terminal_hangs_up(void **state)
{
	(void)state;
	const char *path = scratch_path("hangup");
	char script[4200];
	snprintf(script, sizeof script,
		 "trap 'echo yes >%s; exit' HUP; echo up; "
		 "while :; do read x || sleep 0.1; done",
		 path);
	struct vt *v = VT_START(NULL, "sh", "-c", script);
	VT_TEXT(v, "up");
	vt_free(v);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	fclose(f);
}

static void a_picture_is_written_when_asked_for(void **state)
{
	(void)state;
	char line[256];
	struct vt *v = VT_START(NULL, "printf", "\033[31ma\\\"b");
	assert_true(vt_wait_exit(v));
	setenv("LUNSCOPE_SHOTS", scratch_dir(), 1);
	vt_shot(v, "picture");
	unsetenv("LUNSCOPE_SHOTS");
	FILE *f = fopen(scratch_path("picture.json"), "re");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof line, f));
	assert_string_equal(line, "{\"rows\":24,\"cols\":80,\"cursor\":[0,3,1]}\n");
	assert_non_null(fgets(line, sizeof line, f));
	assert_non_null(strstr(line, "\"t\":\"a\""));
	assert_non_null(strstr(line, ",1],\"bg\":null}"));
	assert_non_null(fgets(line, sizeof line, f));
	assert_non_null(strstr(line, "\"t\":\"\\\"\""));
	fclose(f);
	vt_free(v);
}

static void all_bytes_are_kept_until_forgotten(void **state)
{
	(void)state;
	size_t n;
	struct vt *v = VT_START(NULL, "sh", "-c", "printf abc; read x; printf de");
	VT_TEXT(v, "abc");
	assert_string_equal(vt_raw(v, &n), "abc");
	assert_int_equal(n, 3);
	vt_forget(v);
	vt_key(v, "enter");
	assert_true(vt_wait_exit(v));
	assert_string_equal(vt_raw(v, &n), "\r\nde");
	vt_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_status_arrive),
		cmocka_unit_test(waiting_for_what_never_comes_ends_with_the_program),
		cmocka_unit_test(a_cell_has_character_colours_and_attributes),
		cmocka_unit_test(wide_and_line_drawing_characters_are_understood),
		cmocka_unit_test(equal_screens_have_equal_sums_and_different_ones_do_not),
		cmocka_unit_test(the_line_s_modes_can_be_read_even_after_the_end),
		cmocka_unit_test(the_program_sees_the_size_and_its_changes),
		cmocka_unit_test(keys_are_what_the_terminal_type_sends),
		cmocka_unit_test(environment_terminal_and_locale_reach_the_program),
		cmocka_unit_test(the_alternate_screen_and_the_cursor_are_followed),
		cmocka_unit_test(signals_and_job_control_work),
		cmocka_unit_test(closing_the_terminal_hangs_up),
		cmocka_unit_test(a_picture_is_written_when_asked_for),
		cmocka_unit_test(all_bytes_are_kept_until_forgotten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
