/* unit-keys.c - the tables behind the keys: what is bound, to what, and only once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "knob.h"
#include "ui/action.h"
#include "ui/canvas.h"
#include "ui/key.h"
#include "ui/screen.h"

static void every_action_answers_to_each_of_its_letters(void **state)
{
	(void)state;
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		assert_true(strlen(actions[a].letters) > 0);
		for (const char *p = actions[a].letters; *p; p++)
			assert_int_equal(action_of_key(*p), a);
	}
}

static void every_f_key_answers_and_has_a_letter_twin(void **state)
{
	(void)state;
	for (int n = 1; n <= 10; n++) {
		enum action a = action_of_key(ACTION_FKEY(n));
		assert_int_not_equal(a, ACT_NONE);
		assert_int_equal(actions[a].fkey, n);
		assert_true(actions[a].letters[0] != '\0');
	}
	assert_int_equal(action_of_key(ACTION_FKEY(11)), ACT_NONE);
}

static void no_key_is_bound_twice(void **state)
{
	int bound[128] = {0};

	(void)state;
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		for (const char *p = actions[a].letters; *p; p++)
			bound[(int)*p]++;
	for (int k = 0; k < KNOB_COUNT; k++) {
		bound[(int)knobs[k].key_down]++;
		bound[(int)knobs[k].key_up]++;
	}
	for (int n = '1'; n <= '9'; n++)
		bound[n]++; /* the panes */
	for (int c = 0; c < 128; c++)
		if (bound[c] > 1)
			fail_msg("'%c' is bound %d times", c, bound[c]);
}

static void nothing_else_is_an_action(void **state)
{
	(void)state;
	assert_int_equal(action_of_key(KEY_NONE), ACT_NONE);
	assert_int_equal(action_of_key(0), ACT_NONE);
	assert_int_equal(action_of_key(K_ENTER), ACT_NONE);
	assert_int_equal(action_of_key(0x6d00), ACT_NONE); /* its low byte is no letter of ours */
	for (int k = 0; k < KNOB_COUNT; k++) {
		assert_int_equal(action_of_key(knobs[k].key_down), ACT_NONE);
		assert_int_equal(action_of_key(knobs[k].key_up), ACT_NONE);
	}
}

/* --- The footer --- */

static char *footer(int cols, bool fkeys, const struct view *v, char out[1024])
{
	struct canvas c = {0};

	assert_int_equal(canvas_resize(&c, 1, cols), 0);
	footer_draw(&c, canvas_rect(&c), v, fkeys);
	canvas_row(&c, 0, out, 1024);
	canvas_free(&c);
	return out;
}

static void the_footer_has_every_label_at_80_columns(void **state)
{
	struct view v = {.g = &glyph_table[GL_ASCII]};
	char out[1024];

	(void)state;
	for (int fkeys = 0; fkeys < 2; fkeys++) {
		footer(80, fkeys, &v, out);
		for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
			if (actions[a].label[0] && !strstr(out, actions[a].label))
				fail_msg("no %s in '%s'", actions[a].label, out);
	}
	assert_non_null(strstr(footer(80, true, &v, out), "F10Quit"));
	assert_non_null(strstr(footer(80, false, &v, out), "qQuit"));
	assert_null(strstr(footer(80, false, &v, out), "F1"));
}

/* A label is there whole or not at all, and help and quit are the last to go. */
static void a_narrow_footer_keeps_whole_labels_and_help_and_quit(void **state)
{
	struct view v = {.g = &glyph_table[GL_ASCII]};
	char out[1024];

	(void)state;
	for (int cols = 1; cols < 200; cols++) {
		footer(cols, true, &v, out);
		assert_true(canvas_width(out) <= cols);
		for (char *word = strtok(out, " "); word && cols < 80; word = strtok(NULL, " ")) {
			int n, used = 0;
			char label[32] = "";
			sscanf(word, "F%d%n%31s", &n, &used, label);
			assert_true(used > 0 && n >= 1 && n <= 10);
			assert_string_equal(label, actions[action_of_key(ACTION_FKEY(n))].label);
		}
	}
	footer(20, true, &v, out);
	assert_non_null(strstr(out, "Help"));
	assert_non_null(strstr(out, "Quit"));
}

static void a_message_takes_the_footer_and_bad_news_shows_without_colour(void **state)
{
	struct view v = {.g = &glyph_table[GL_ASCII], .message = "sync does one IO at a time"};
	char out[1024];

	(void)state;
	assert_string_equal(footer(80, true, &v, out), "sync does one IO at a time");
	v.message_bad = true;
	assert_string_equal(footer(80, true, &v, out), "! sync does one IO at a time");
}

static void a_long_message_is_wrapped_and_none_of_it_lost(void **state)
{
	struct view v = {.g = &glyph_table[GL_ASCII],
			 .message = "/dev/sdb: block size 1000 is not a multiple of its 512-byte "
				    "sectors: write 512, 1k, 1536, ...",
			 .message_bad = true};
	struct canvas c = {0};
	char first[256], second[256];

	(void)state;
	assert_int_equal(footer_rows(&v, 200), 1);
	assert_int_equal(footer_rows(&v, 80), 2);
	assert_int_equal(canvas_resize(&c, 2, 80), 0);
	footer_draw(&c, canvas_rect(&c), &v, true);
	assert_non_null(strstr(canvas_row(&c, 0, first, sizeof(first)), "! /dev/sdb: block"));
	assert_non_null(strstr(canvas_row(&c, 1, second, sizeof(second)), "1536, ..."));
	canvas_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_action_answers_to_each_of_its_letters),
		cmocka_unit_test(every_f_key_answers_and_has_a_letter_twin),
		cmocka_unit_test(no_key_is_bound_twice),
		cmocka_unit_test(nothing_else_is_an_action),
		cmocka_unit_test(the_footer_has_every_label_at_80_columns),
		cmocka_unit_test(a_narrow_footer_keeps_whole_labels_and_help_and_quit),
		cmocka_unit_test(a_message_takes_the_footer_and_bad_news_shows_without_colour),
		cmocka_unit_test(a_long_message_is_wrapped_and_none_of_it_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
