/* unit-canvas.c - the grid: text in all widths, clipping, and nothing ever written outside. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "ui/canvas.h"

static struct canvas make(int rows, int cols)
{
	struct canvas c = {0};

	assert_int_equal(canvas_resize(&c, rows, cols), 0);
	return c;
}

static void assert_row(const struct canvas *c, int row, const char *expected)
{
	char text[1024];

	assert_string_equal(canvas_row(c, row, text, sizeof(text)), expected);
}

/* No tail without its head, no head without its tail. */
static void assert_whole(const struct canvas *c)
{
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++) {
			const struct cell *at = &c->cell[row * c->cols + col];
			uint32_t ch = at->ch;

			if (ch == 0) {
				assert_true(col > 0);
				assert_true(at[-1].ch >= 0x1100);
			}
			/* The tests' wide characters are all of this block. */
			if (ch >= 0x4e00 && ch < 0xa000) {
				assert_true(col + 1 < c->cols);
				assert_int_equal(at[1].ch, 0);
			}
		}
}

static void a_new_canvas_is_blank_and_sizes_below_1_count_as_1(void **state)
{
	struct canvas c = make(0, -5);

	(void)state;
	assert_int_equal(c.rows, 1);
	assert_int_equal(c.cols, 1);
	assert_row(&c, 0, "");
	assert_int_equal(canvas_resize(&c, 3, 4), 0);
	for (int i = 0; i < 12; i++) {
		assert_int_equal(c.cell[i].ch, ' ');
		assert_int_equal(c.cell[i].style, ST_NORMAL);
	}
	canvas_free(&c);
	assert_null(c.cell);
}

static void a_resize_to_the_same_size_blanks_too(void **state)
{
	struct canvas c = make(2, 5);

	(void)state;
	canvas_text(&c, canvas_rect(&c), 1, 0, "hello", ST_READ);
	c.cursor_visible = true;
	assert_int_equal(canvas_resize(&c, 2, 5), 0);
	assert_row(&c, 1, "");
	assert_false(c.cursor_visible);
	canvas_free(&c);
}

static void text_clips_at_the_rectangle_and_says_its_full_width(void **state)
{
	struct canvas c = make(3, 10);
	struct rect r = {1, 2, 1, 4};

	(void)state;
	assert_int_equal(canvas_text(&c, r, 0, 1, "abcdef", ST_READ), 6);
	assert_row(&c, 1, "   abc");
	assert_int_equal(canvas_text(&c, r, 0, -2, "xyz", ST_READ), 3);
	assert_row(&c, 1, "  zabc");
	canvas_text(&c, r, 1, 0, "below", ST_READ);
	canvas_text(&c, r, -1, 0, "above", ST_READ);
	assert_row(&c, 0, "");
	assert_row(&c, 2, "");
	canvas_free(&c);
}

static void htop_421_wide_characters_take_two_cells_and_are_never_split(void **state)
{
	struct canvas c = make(4, 6);
	struct rect all = canvas_rect(&c);

	(void)state;
	assert_int_equal(canvas_text(&c, all, 0, 0, "世蓮", ST_NORMAL), 4);
	assert_int_equal(c.cell[1].ch, 0);
	assert_row(&c, 0, "世蓮");
	/* No room for the second half: a blank. */
	canvas_text(&c, all, 1, 0, "#####世", ST_NORMAL);
	assert_row(&c, 1, "#####");
	/* Overwriting one half blanks the other. */
	canvas_put(&c, all, 0, 1, 'x', ST_NORMAL);
	assert_row(&c, 0, " x蓮");
	canvas_put(&c, all, 0, 2, 'y', ST_NORMAL);
	assert_row(&c, 0, " xy");
	/* A wide one over the halves of two others. */
	canvas_text(&c, all, 2, 0, "世世", ST_NORMAL);
	canvas_put(&c, all, 2, 1, 0x84ee, ST_NORMAL);
	assert_row(&c, 2, " 蓮");
	canvas_text(&c, (struct rect){3, 1, 1, 5}, 0, -1, "世a", ST_NORMAL);
	assert_row(&c, 3, "  a");
	assert_whole(&c);
	canvas_free(&c);
}

static void bad_bytes_and_controls_draw_as_question_marks(void **state)
{
	struct canvas c = make(8, 20);
	struct rect all = canvas_rect(&c);

	(void)state;
	canvas_text(&c, all, 0, 0, "a\xff\xc3z\xe4\xb8", ST_NORMAL);
	assert_row(&c, 0, "a??z??");
	canvas_text(&c, all, 1, 0, "\x1b[2J\n\x7f", ST_NORMAL);
	assert_row(&c, 1, "?[2J??");
	/* Overlong '/', a surrogate, beyond Unicode, C1's CSI. */
	canvas_text(&c, all, 2, 0, "\xc0\xaf", ST_NORMAL);
	assert_row(&c, 2, "??");
	canvas_text(&c, all, 3, 0, "\xed\xa0\x80", ST_NORMAL);
	assert_row(&c, 3, "???");
	canvas_text(&c, all, 4, 0, "\xf4\x90\x80\x80", ST_NORMAL);
	assert_row(&c, 4, "????");
	canvas_text(&c, all, 5, 0, "\xc2\x9b", ST_NORMAL);
	assert_row(&c, 5, "?");
	canvas_put(&c, all, 6, 0, '\t', ST_NORMAL);
	canvas_put(&c, all, 6, 1, 0x110000, ST_NORMAL);
	assert_row(&c, 6, "??");
	canvas_free(&c);
}

static void characters_without_width_are_left_out(void **state)
{
	struct canvas c = make(1, 10);

	(void)state;
	/* A combining accent; a mark that turns the direction round. */
	assert_int_equal(canvas_text(&c, canvas_rect(&c), 0, 0, "e\xcc\x81|\xe2\x80\xae|", 0), 3);
	assert_row(&c, 0, "e||");
	canvas_free(&c);
}

static void widths_are_the_same_in_the_c_locale_and_in_utf8(void **state)
{
	static const struct {
		const char *text;
		int width;
	} cases[] = {{"", 0},   {"abc", 3}, {"─│┌█▒▁▏", 7}, {"⣿⠁", 2}, {"µ×→…°", 5},
		     {"世", 2}, {"한", 2},  {"ｆ", 2},      {"é", 1},  {"e\xcc\x81", 1}};

	(void)state;
	for (size_t l = 0; l < 2; l++) {
		assert_non_null(setlocale(LC_ALL, l == 0 ? "C" : "C.UTF-8"));
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			assert_int_equal(canvas_width(cases[i].text), cases[i].width);
	}
	setlocale(LC_ALL, "C");
}

static void right_aligned_text_ends_at_its_column(void **state)
{
	struct canvas c = make(2, 10);
	struct rect r = {0, 1, 2, 8};

	(void)state;
	canvas_text_right(&c, r, 0, 8, "12 µs", ST_VALUE);
	assert_row(&c, 0, "    12 µs");
	canvas_text_right(&c, r, 1, 3, "abcdef", ST_VALUE);
	assert_row(&c, 1, " def");
	canvas_free(&c);
}

static void printf_restyle_and_fill_stay_inside(void **state)
{
	struct canvas c = make(3, 8);
	struct rect r = {1, 2, 1, 4};

	(void)state;
	canvas_fill(&c, r, 0x2588, ST_READ);
	assert_row(&c, 0, "");
	assert_row(&c, 1, "  ████");
	assert_row(&c, 2, "");
	canvas_restyle(&c, r, 0, -5, 100, ST_MARK);
	for (int col = 0; col < 8; col++)
		assert_int_equal(c.cell[8 + col].style, col >= 2 && col < 6 ? ST_MARK : ST_NORMAL);
	assert_row(&c, 1, "  ████");
	assert_int_equal(canvas_printf(&c, r, 0, 1, ST_WARN, "%d IO/s", 123456), 11);
	assert_row(&c, 1, "  █123");
	canvas_fill(&c, canvas_rect(&c), 0x4e16, ST_NORMAL);
	assert_row(&c, 2, "世世世世");
	assert_whole(&c);
	canvas_free(&c);
}

/* Rectangles and positions from anywhere, however absurd; the sanitizers watch the edges. */
static void no_call_can_write_outside(void **state)
{
	static const int odd[] = {-2147483647 - 1, -1000, -7, -1, 0, 1, 5, 9, 1000, 2147483647};
	struct canvas c = make(6, 9);
	unsigned seed = 1;

	(void)state;
#define PICK odd[(seed = seed * 1103515245u + 12345u) / 65536 % 10]
	for (int i = 0; i < 200000; i++) {
		struct rect r = {PICK, PICK, PICK, PICK};
		int row = PICK, col = PICK, n = PICK;

		canvas_put(&c, r, row, col, i % 2 ? 0x4e16 : 'x', ST_READ);
		canvas_text(&c, r, row, col, "a世b", ST_READ);
		canvas_text_right(&c, r, row, col / 2, "世c", ST_READ);
		canvas_fill(&c, r, i % 2 ? 0x4e16 : 'x', ST_WRITE);
		canvas_restyle(&c, r, row, col, n, ST_MARK);
		if (i % 1000 == 0)
			assert_whole(&c);
	}
#undef PICK
	assert_whole(&c);
	canvas_free(&c);
}

static void rows_are_text_without_trailing_blanks(void **state)
{
	struct canvas c = make(3, 10);

	(void)state;
	canvas_text(&c, canvas_rect(&c), 0, 0, "one  ", ST_NORMAL);
	canvas_text(&c, canvas_rect(&c), 2, 1, "世 µ", ST_NORMAL);
	assert_row(&c, 0, "one");
	assert_row(&c, 1, "");
	assert_row(&c, 2, " 世 µ");
	canvas_free(&c);
}

static void a_row_never_overruns_its_buffer_or_splits_a_character(void **state)
{
	struct canvas c = make(1, 10);
	char text[6] = "zzzzz";

	(void)state;
	canvas_text(&c, canvas_rect(&c), 0, 0, "世世", ST_NORMAL);
	assert_string_equal(canvas_row(&c, 0, text, 6), "世");
	assert_string_equal(canvas_row(&c, 0, text, 4), "世");
	assert_string_equal(canvas_row(&c, 0, text, 3), "");
	assert_string_equal(canvas_row(&c, 1, text, 6), "");
	assert_string_equal(canvas_row(&c, -1, text, 6), "");
	canvas_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_canvas_is_blank_and_sizes_below_1_count_as_1),
		cmocka_unit_test(a_resize_to_the_same_size_blanks_too),
		cmocka_unit_test(text_clips_at_the_rectangle_and_says_its_full_width),
		cmocka_unit_test(htop_421_wide_characters_take_two_cells_and_are_never_split),
		cmocka_unit_test(bad_bytes_and_controls_draw_as_question_marks),
		cmocka_unit_test(characters_without_width_are_left_out),
		cmocka_unit_test(widths_are_the_same_in_the_c_locale_and_in_utf8),
		cmocka_unit_test(right_aligned_text_ends_at_its_column),
		cmocka_unit_test(printf_restyle_and_fill_stay_inside),
		cmocka_unit_test(no_call_can_write_outside),
		cmocka_unit_test(rows_are_text_without_trailing_blanks),
		cmocka_unit_test(a_row_never_overruns_its_buffer_or_splits_a_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
