/* unit-cores.c - the CPU pane's picture of each processor: a list, a strip, or the most of a few. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/canvas-print.h"
#include "tests/level-check.h"
#include "ui/pane_util.h"
#include "view-fixture.h"

static struct fixture fx;
static struct canvas cv;
static char text[2048];

static const char *row(int r)
{
	return canvas_row(&cv, r, text, sizeof(text));
}

static void draw(int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	panes[PANE_CPU].draw(&cv, canvas_rect(&cv), &fx.v);
}

/* The first row that holds the words; -1 if none does. Leaves it in `text`. */
static int find_row(const char *words)
{
	for (int r = 0; r < cv.rows; r++)
		if (strstr(row(r), words))
			return r;
	return -1;
}

static int row_with(const char *words)
{
	int r = find_row(words);

	if (r < 0) {
		canvas_print(&cv, stderr);
		fail_msg("no row has '%s'", words);
	}
	return r;
}

static struct cell cell(int r, int col)
{
	return cv.cell[r * cv.cols + col];
}

static void set_cores(int n, uint8_t busy)
{
	fx.v.snap.cores.count = (uint32_t)n;
	memset(fx.v.snap.cores.busy, busy, sizeof(fx.v.snap.cores.busy));
}

static int set_up(void **state)
{
	(void)state;
	fixture_make(&fx, GL_ASCII);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	canvas_free(&cv);
	return 0;
}

/* Columns: a blank, the label's 7, a blank, then the strip. */
#define STRIP 9

static void each_cpu_is_a_digit_where_there_are_no_eighths(void **state)
{
	static const enum glyph_level level[] = {GL_ASCII, GL_DEC, GL_VT, GL_HALF};

	(void)state;
	fx.v.snap.cores.busy[4] = 100;
	fx.v.snap.cores.busy[5] = 90;
	for (int i = 0; i < 4; i++) {
		fixture_level(&fx, level[i]);
		draw(9, 60);
		row_with(" cores   2308990230161020 ");
	}
}

static void each_cpu_is_a_block_where_there_are_eighths(void **state)
{
	static const enum glyph_level level[] = {GL_EIGHTH, GL_BRAILLE};

	(void)state;
	for (int i = 0; i < 2; i++) {
		fixture_level(&fx, level[i]);
		set_cores(16, 0);
		for (int k = 0; k < 16; k++)
			fx.v.snap.cores.busy[k] = (uint8_t)(k * 100 / 15);
		draw(9, 60);
		int r = row_with("cores");

		assert_int_equal(cell(r, STRIP).ch, 0x2581); /* idle, but there */
		assert_int_equal(cell(r, STRIP + 15).ch, 0x2588);
		for (int k = 1; k < 16; k++)
			assert_true(cell(r, STRIP + k).ch >= cell(r, STRIP + k - 1).ch);
		assert_int_equal(cell(r, STRIP + 14).style, ST_WARN);
		assert_int_equal(cell(r, STRIP + 13).style, ST_NORMAL);
		assert_int_equal(cell(r, STRIP + 16).ch, ' ');
	}
}

static void the_hottest_are_named_in_order(void **state)
{
	(void)state;
	draw(9, 80);
	row_with("hot     cpu3 88%  cpu11 61%  cpu1 34%");
	assert_int_equal(find_row("busiest"), -1); /* said already */
	set_cores(64, 0);
	draw(9, 60);
	row_with("hot     cpu0 0%");
	assert_null(strstr(text, "cpu1"));
	fx.v.snap.cores.busy[63] = 7;
	draw(9, 60);
	row_with("hot     cpu63 7%");
	assert_null(strstr(text, "cpu0"));
	/* Whole entries only. */
	set_cores(1000, 0);
	fx.v.snap.cores.busy[997] = fx.v.snap.cores.busy[998] = 100;
	fx.v.snap.cores.busy[999] = 99;
	for (int cols = 44; cols < 100; cols++) {
		draw(9, cols);
		int r = row_with("hot     cpu997 100%");
		int left = cols - 2 - 19 - 3;

		assert_int_equal(strstr(text, "cpu998 100%") != NULL, left >= 8 + 11 + 2 + 11);
		assert_int_equal(strstr(text, "cpu999 99%") != NULL, left >= 8 + 13 + 13 + 10);
		assert_int_equal(find_row("cores"), r - 1);
	}
}

static void more_cpus_than_columns_show_the_most_of_each_few_and_say_so(void **state)
{
	(void)state;
	set_cores(128, 10);
	fx.v.snap.cores.busy[0] = 95;   /* the first of the first few, and */
	fx.v.snap.cores.busy[127] = 55; /* the last of the last */
	draw(9, 60);
	int r = row_with("cores");
	const char *says = strstr(text, "max of ");
	int group, shown = 0;

	assert_non_null(says);
	group = atoi(says + strlen("max of "));
	assert_true(group > 1);
	while (cell(r, STRIP + shown).ch != ' ')
		shown++;
	assert_int_equal(shown, (128 + group - 1) / group);
	assert_int_equal(cell(r, STRIP).ch, '9');
	assert_int_equal(cell(r, STRIP + shown - 1).ch, '5');
	for (int i = 1; i < shown - 1; i++)
		assert_int_equal(cell(r, STRIP + i).ch, '1');
}

static void more_rows_show_every_cpu_before_any_are_put_together(void **state)
{
	(void)state;
	set_cores(1024, 20);
	draw(39, 132); /* zoomed */
	int digits = 0, r = row_with("cores");

	assert_null(strstr(text, "max of"));
	for (; cell(r, 3 + 8).ch == '2'; r++)
		for (int col = 3 + 8; col < cv.cols && cell(r, col).ch != ' '; col++)
			digits += cell(r, col).ch == '2';
	assert_int_equal(digits, 1024);
}

static void a_list_has_every_cpu_once_with_its_share(void **state)
{
	static const int size[][3] = {{20, 80, 16}, {39, 132, 16}, {39, 132, 64}, {12, 60, 2}};

	(void)state;
	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		set_cores(size[i][2], 0);
		for (int k = 0; k < size[i][2]; k++)
			fx.v.snap.cores.busy[k] = (uint8_t)(k * 100 / size[i][2]);
		draw(size[i][0], size[i][1]);
		assert_int_equal(find_row("cores"), -1);
		for (int k = 0; k < size[i][2]; k++) {
			char name[16], share[16];

			snprintf(name, sizeof(name), " cpu%d ", k);
			snprintf(share, sizeof(share), " %d%%", k * 100 / size[i][2]);
			/* the busiest CPU's fact has a name as well, and comes first */
			int r = row_with(name);
			const char *at = strstr(text, name);

			if (strstr(text, "busiest")) {
				for (r++; r < cv.rows; r++)
					if ((at = strstr(row(r), name)))
						break;
			}
			assert_non_null(at);
			const char *sign = strchr(at, '%');
			assert_non_null(sign);
			assert_memory_equal(sign + 1 - strlen(share), share, strlen(share));
			at = strstr(at, " cpu");
			assert_true(!strstr(at + 4, " cpu") || strstr(at + 4, " cpu") > sign);
		}
	}
}

static void a_bar_is_as_long_as_its_share(void **state)
{
	int length[3];

	(void)state;
	set_cores(3, 0);
	fx.v.snap.cores.busy[1] = 50;
	fx.v.snap.cores.busy[2] = 100;
	draw(20, 80);
	for (int k = 0; k < 3; k++) {
		char name[16];

		snprintf(name, sizeof(name), " cpu%d ", k);
		int r = row_with(name);

		for (length[k] = 0; cell(r, STRIP + length[k]).ch == '#';)
			length[k]++;
	}
	assert_int_equal(length[0], 0);
	assert_true(length[2] > 20);
	assert_in_range(length[1], length[2] / 2 - 1, length[2] / 2 + 1);
}

static void the_pane_stays_inside_with_any_number_of_cpus(void **state)
{
	static const int cpus[] = {0, 1, 2, 3, 7, 16, 31, 96, 128, 257, 1024};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++)
		for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
			for (int rows = 1; rows < 60; rows += rows < 14 ? 1 : 6)
				for (int cols = 1; cols < 200; cols += 9) {
					struct rect r = {1, 2, rows, cols};

					fixture_level(&fx, (enum glyph_level)level);
					set_cores(cpus[i], 100);
					assert_int_equal(canvas_resize(&cv, rows + 2, cols + 4), 0);
					canvas_fill(&cv, canvas_rect(&cv), '~', ST_NORMAL);
					canvas_fill(&cv, r, ' ', ST_NORMAL);
					panes[PANE_CPU].draw(&cv, r, &fx.v);
					level_check(&cv, fx.v.level, "the cores");
					for (int y = 0; y < cv.rows; y++)
						for (int x = 0; x < cv.cols; x++)
							if (y < 1 || y > rows || x < 2 ||
							    x >= cols + 2)
								assert_int_equal(cell(y, x).ch,
										 '~');
				}
}

#define PANE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PANE_TEST(each_cpu_is_a_digit_where_there_are_no_eighths),
		PANE_TEST(each_cpu_is_a_block_where_there_are_eighths),
		PANE_TEST(the_hottest_are_named_in_order),
		PANE_TEST(more_cpus_than_columns_show_the_most_of_each_few_and_say_so),
		PANE_TEST(more_rows_show_every_cpu_before_any_are_put_together),
		PANE_TEST(a_list_has_every_cpu_once_with_its_share),
		PANE_TEST(a_bar_is_as_long_as_its_share),
		PANE_TEST(the_pane_stays_inside_with_any_number_of_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
