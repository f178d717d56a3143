/* unit-heat-picture.c - the heat map as it is drawn: which rows there are and what they hold, shades, lines,
 * cursors and the legend, in every level of characters, in small panes and in large ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/canvas-print.h"
#include "tests/hist-add.h"
#include "tests/level-check.h"
#include "ui/chart.h"
#include "ui/cursor.h"
#include "ui/heat_legend.h"
#include "ui/heat_rows.h"
#include "ui/heatmap.h"
#include "ui/pane_util.h"
#include "view-fixture.h"

#define SECONDS 60u
#define US      1000u
#define MS      1000000u

static struct fixture fx;
static struct canvas cv;
static struct heat heat;
static struct heat_slice slice[2 * SECONDS];
static struct cursors cursors;
static char text[2048];

static int set_up(void **state)
{
	(void)state;
	fixture_make(&fx, GL_EIGHTH);
	fx.v.latency = LATENCY_HEAT;
	fx.v.chart_span_ns = SECONDS * NS_PER_SEC;
	fx.v.mark_count = 0;
	/* so that seconds and columns begin together */
	fx.v.now_ns = fx.v.snap.t_ns = 1000 * NS_PER_SEC;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	heat_free(&heat);
	canvas_free(&cv);
	cursors = (struct cursors){.active = 0};
	return 0;
}

static uint64_t end_of(unsigned i)
{
	return fx.v.now_ns - (SECONDS - 1 - i) * NS_PER_SEC;
}

/* Counts of latencies, up to one of 0 IOs. */
struct share {
	unsigned n;
	uint64_t ns;
};

static void fill_hist(struct hist *h, const struct share *s)
{
	hist_clear(h);
	for (; s->n; s++)
		for (unsigned i = 0; i < s->n; i++)
			hist_add(h, s->ns);
}

static void second(unsigned i, const struct share *s)
{
	static struct hist h;

	fill_hist(&h, s);
	heat_append(&heat, end_of(i), NS_PER_SEC, &h);
}

static void seconds(unsigned from, unsigned to, const struct share *s)
{
	for (unsigned i = from; i < to; i++)
		second(i, s);
}

static void draw(int rows, int cols)
{
	fx.v.heat_count = heat_read(&heat, 0, UINT64_MAX, slice, 2 * SECONDS);
	fx.v.heat = slice;
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	canvas_clear(&cv, ST_NORMAL);
	panes[PANE_HEAT].draw(&cv, canvas_rect(&cv), &fx.v);
}

static struct cell cell(int r, int col)
{
	return cv.cell[r * cv.cols + col];
}

static const char *row(int r)
{
	return canvas_row(&cv, r, text, sizeof(text));
}

/* The row whose label is that; -1: none. */
static int row_of(const char *label)
{
	for (int r = 1; r < cv.rows; r++)
		if (strncmp(row(r) + strspn(row(r), " "), label, strlen(label)) == 0)
			return r;
	return -1;
}

/* The screen's column of second i. */
static int col_of(unsigned i)
{
	struct rect body = pane_chart_body(cv.cols, canvas_rect(&cv), &fx.v, PANE_IOPS);

	return body.col + heatmap_cell_of(&fx.v, end_of(i), body.cols);
}

static void each_io_is_in_one_row_whatever_the_height(void **state)
{
	static const struct share wide[] = {{7, 900},          {300, 90 * US}, {20, 110 * US},
					    {90, MS},          {11, 3 * MS},   {5, 70 * MS},
					    {1, 9000ull * MS}, {0, 0}};
	static struct heat_cell column[2];

	(void)state;
	second(0, wide);
	assert_int_equal(heat_read(&heat, 0, UINT64_MAX, &column[0].sum, 1), 1);
	column[0].valid = true;
	for (int rows = 1; rows <= 200; rows++) {
		struct heat_rows r = heat_rows_choose(column, 2, rows, &(struct heat_rows){0});
		uint64_t sum = 0;
		for (int i = 0; i < rows; i++) {
			sum += heat_rows_count(&r, &column[0].sum, i);
			assert_int_equal(heat_rows_count(&r, &column[1].sum, i), 0);
		}
		assert_int_equal(sum, 434);
	}
}

/* The most in the middle, and as many again on one side or the other: not both have room. */
static void rows_stay_until_others_are_clearly_better(void **state)
{
	static const struct share low[] = {{51, 10 * US}, {500, 50 * US}, {49, 250 * US}, {0, 0}};
	static const struct share high[] = {{49, 10 * US}, {500, 50 * US}, {51, 250 * US}, {0, 0}};
	static const struct share higher[] = {{9, 10 * US}, {500, 50 * US}, {91, 250 * US}, {0, 0}};
	static const struct share *const list[] = {low, high, low, higher, low};
	static const uint64_t first[] = {8192, 8192, 8192, 16384, 16384};
	static struct heat_cell column;
	struct heat_rows r = {0};

	(void)state;
	for (int i = 0; i < 5; i++) {
		heat_free(&heat);
		second(0, list[i]);
		assert_int_equal(heat_read(&heat, 0, UINT64_MAX, &column.sum, 1), 1);
		r = heat_rows_choose(&column, 1, 4, &r);
		assert_int_equal(heat_low(r.first), first[i]);
		assert_int_equal(r.above, i < 3);
		assert_int_equal(r.below, i >= 3);
		/* It is drawn with the rows that were kept. */
		struct heat_rows again = heat_rows_choose(&column, 1, 4, &r);
		assert_int_equal(again.first, r.first);
		/* Another height has rows of its own. */
		assert_int_equal(heat_rows_choose(&column, 1, 40, &r).each, 1);
	}
}

static void few_rows_are_those_with_the_most_ios_and_hold_the_others_too(void **state)
{
	static const struct share wide[] = {{3, 900},     {400, 90 * US}, {200, 150 * US}, {90, MS},
					    {11, 3 * MS}, {1, 2000 * MS}, {0, 0}};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		heat_free(&heat);
		seconds(0, SECONDS, wide);
		draw(6, 39);
		const struct glyphs *g = fx.v.g;
		assert_int_equal(cell(1, 5).ch, g->up);
		assert_int_equal(cell(4, 5).ch, g->down);
		assert_int_equal(cell(2, 5).ch, g->vline);
		/* 65.5 to 131 us and 131 to 262 us are the rows in the middle of the four */
		assert_int_equal(row_of("below"), 4);
		assert_int_equal(row_of(g->utf8 ? "131µs" : "131us"), 3);
		assert_int_equal(row_of(g->utf8 ? "524µs" : "524us"), 1);
		/* The outlier of two seconds and the slowest 1 ms and 3 ms together: 102 of 705. */
		assert_int_equal(cell(1, 21).ch, g->shade[2]);
		/* 403 of 705 */
		assert_int_equal(cell(4, 21).ch, g->shade[4]);
		assert_int_equal(cell(3, 21).ch, g->shade[3]);
	}
}

static void a_single_slow_io_is_seen_in_a_row_of_its_own(void **state)
{
	static const struct share fast[] = {{100000, 100 * US}, {0, 0}};
	static const struct share slow[] = {{99999, 100 * US}, {1, 500 * MS}, {0, 0}};

	(void)state;
	seconds(0, SECONDS, fast);
	heat_free(&heat);
	seconds(0, 40, fast);
	second(40, slow);
	seconds(41, SECONDS, fast);
	draw(24, 72);
	int r = row_of("268ms");
	assert_true(r > 0);
	for (unsigned i = 1; i < SECONDS; i++)
		assert_int_equal(cell(r, col_of(i)).ch, i == 40 ? fx.v.g->shade[1] : ' ');
	assert_int_equal(cell(r, col_of(40)).style, ST_HEAT_1);
}

static void a_shade_and_its_colour_say_the_share(void **state)
{
	static const struct share mixed[] = {
		{55, 80 * US}, {30, 300 * US}, {12, 1100 * US}, {3, 4300 * US}, {0, 0}};
	static const char *const label[] = {"66us", "262us", "1.0ms", "4.2ms"};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		heat_free(&heat);
		seconds(0, SECONDS, mixed);
		draw(14, 72);
		for (int i = 0; i < 4; i++) {
			char name[16];
			snprintf(name, sizeof(name), "%s", label[i]);
			if (fx.v.g->utf8 && i < 2)
				snprintf(name, sizeof(name), "%.*sµs", (int)strcspn(label[i], "u"),
					 label[i]);
			int r = row_of(name);
			assert_true(r > 0);
			/* the lines' dashes leave these out */
			assert_int_equal(cell(r, col_of(27)).ch, fx.v.g->shade[4 - i]);
			assert_int_equal(cell(r, col_of(27)).style, ST_HEAT_4 - i);
		}
		level_check(&cv, (enum glyph_level)level, "heat map");
	}
}

static void a_level_has_four_shades_that_differ(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		const struct glyphs *g = &glyph_table[level];

		assert_int_equal(g->shade[0], ' ');
		for (int i = 1; i < 5; i++)
			for (int k = 0; k < i; k++)
				assert_int_not_equal(g->shade[i], g->shade[k]);
		for (int i = 1; i < 5; i++) {
			assert_int_not_equal(g->shade[i], HEAT_P50);
			assert_int_not_equal(g->shade[i], g->hline);
		}
	}
}

static int count_in_row(int r, uint32_t ch)
{
	int n = 0;

	for (int col = 6; col < cv.cols; col++)
		n += cell(r, col).ch == ch && cell(r, col).style == ST_VALUE;
	return n;
}

/* 2 % of the IOs take 30 ms, but in second 35, in whose column no dash is due, where most do. */
static void lines_run_through_the_rows_of_p50_and_p99(void **state)
{
	static const struct share usual[] = {{98, 80 * US}, {2, 30 * MS}, {0, 0}};
	static const struct share slow[] = {{49, 80 * US}, {51, 30 * MS}, {0, 0}};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		heat_free(&heat);
		seconds(0, 35, usual);
		second(35, slow);
		seconds(36, SECONDS, usual);
		draw(14, 72);
		const struct glyphs *g = fx.v.g;
		int low = row_of(g->utf8 ? "66µs" : "66us"), high = row_of("17ms");
		assert_true(low > high && high > 0);
		int medians = count_in_row(low, HEAT_P50), tails = count_in_row(high, g->hline);
		assert_true(medians >= 12 && medians <= 20);
		assert_true(tails >= 25 && tails <= 33);
		assert_int_equal(count_in_row(high, HEAT_P50), 1);
		assert_int_equal(cell(high, col_of(35)).ch, HEAT_P50);
		assert_int_equal(count_in_row(low, g->hline), 0);
		/* what is between the dashes is seen */
		assert_int_equal(cell(low, col_of(31)).ch, g->shade[4]);
	}
}

static void a_cursor_stands_through_it_with_the_figures_of_its_second(void **state)
{
	static const struct share usual[] = {{98, 80 * US}, {2, 30 * MS}, {0, 0}};
	static const struct share slow[] = {{400, 3 * MS}, {7, 21 * MS}, {0, 0}};
	static struct hist h;
	char expected[160], p50[24], p99[24];

	(void)state;
	seconds(0, 20, usual);
	second(20, slow);
	seconds(21, SECONDS, usual);
	fill_hist(&h, slow);
	units_latency(p50, sizeof(p50), (double)(uint64_t)hist_percentile(&h, 0.5), false);
	units_latency(p99, sizeof(p99), (double)(uint64_t)hist_percentile(&h, 0.99), false);
	fx.v.cursors = &cursors;
	cursor_place(&cursors.at[0], end_of(20), NS_PER_SEC);
	draw(12, 72);
	for (int r = 1; r <= 9; r++)
		assert_int_equal(cell(r, col_of(20)).ch, fx.v.g->vline);
	assert_int_equal(cell(10, col_of(20)).ch, '1');
	snprintf(expected, sizeof(expected), "407 IOs  p50 %s  p99 %s  of 1 s", p50, p99);
	if (!strstr(row(11), expected))
		fail_msg("'%s' isn't in '%s'", expected, row(11));
	/* beside the second one both have a row, where there is room */
	cursor_place(&cursors.at[1], end_of(30), NS_PER_SEC);
	cursors.active = 1;
	draw(12, 72);
	assert_non_null(strstr(row(10), " 1 "));
	assert_non_null(strstr(row(10), "407 IOs"));
	assert_non_null(strstr(row(11), " 2 "));
	assert_non_null(strstr(row(11), "100 IOs"));
	draw(6, 38);
	assert_non_null(strstr(row(5), "IOs"));
	assert_non_null(strstr(row(5), " 2 "));
	draw(5, 38);
	assert_null(strstr(row(4), "IOs"));
}

/* Percentiles can't be added: the range of the medians, and the worst p99. */
static void a_cursor_over_several_seconds_has_the_range_of_their_percentiles(void **state)
{
	static const struct share fast[] = {{100, 100 * US}, {0, 0}};
	static const struct share slow[] = {{300, 200 * US}, {0, 0}};

	(void)state;
	for (unsigned i = 0; i < SECONDS; i++)
		second(i, i % 2 ? slow : fast);
	fx.v.cursors = &cursors;
	cursor_place(&cursors.at[0], end_of(31), 2 * NS_PER_SEC);
	draw(12, 36); /* 30 columns */
	assert_int_equal(pane_chart_body(36, canvas_rect(&cv), &fx.v, PANE_IOPS).cols, 30);
	assert_non_null(strstr(row(11), "400 IOs"));
	assert_non_null(strstr(row(11), "p99 max 200"));
	fx.v.cursors = NULL;
}

static void an_earlier_time_is_shown_in_its_own_columns(void **state)
{
	static struct heat_cell out[SECONDS];
	static const struct share one[] = {{1, MS}, {0, 0}};

	(void)state;
	for (unsigned i = 0; i < SECONDS; i++) {
		const struct share n[] = {{i + 1, MS}, one[1]};
		second(i, n);
	}
	fx.v.end_ns = end_of(39);
	draw(12, 72);
	heatmap_cells(&fx.v, out, (int)SECONDS);
	for (unsigned i = 0; i < 40; i++) {
		int at = heatmap_cell_of(&fx.v, end_of(i), (int)SECONDS);
		assert_true(at >= 0);
		assert_int_equal(out[at].sum.ios, i + 1);
	}
	assert_int_equal(heatmap_cell_of(&fx.v, end_of(45), (int)SECONDS), -1);
	fx.v.end_ns = 0;
}

static void the_legend_says_what_a_share_is_of_where_there_is_room(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		for (int cols = 34; cols < 100; cols++) {
			int shades = 0;
			draw(10, cols);
			for (int col = 0; col < cols; col++)
				for (int i = 0; i < 4; i++)
					shades += cell(0, col).ch == fx.v.g->shade[i + 1] &&
						  cell(0, col).style == ST_HEAT_1 + i;
			assert_int_equal(shades, 4);
			if (cols >= 39)
				assert_non_null(strstr(row(0), "p99"));
			if (cols >= 39)
				assert_non_null(strchr(row(0), '%'));
			if (cols >= 65)
				assert_non_null(strstr(row(0), "% of a column's IOs"));
		}
	}
}

static void without_samples_it_says_so(void **state)
{
	(void)state;
	draw(10, 72);
	bool said = false;
	for (int r = 0; r < 10; r++)
		said |= strstr(row(r), "no samples yet") != NULL;
	assert_true(said);
}

/* Everything else in the pane's title and axis is shared with the charts, and so are its columns. */
static void marks_and_times_are_on_its_axis(void **state)
{
	static const struct share one[] = {{1, MS}, {0, 0}};

	(void)state;
	seconds(0, SECONDS, one);
	fx.v.mark_count = 1;
	fx.mark[0] = (struct mark){
		.id = 1, .kind = MARK_NOTE, .letter = 'q', .t_ns = end_of(30), .text = "hello"};
	draw(12, 72);
	assert_int_equal(cell(11, col_of(30)).ch, 'q');
	assert_int_equal(cell(5, col_of(30)).ch, fx.v.g->mark);
	assert_non_null(strstr(row(11), "q hello"));
	assert_non_null(strstr(row(11), "-60 s"));
	assert_non_null(strstr(row(11), "now"));
}

#define HEAT_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HEAT_TEST(each_io_is_in_one_row_whatever_the_height),
		HEAT_TEST(rows_stay_until_others_are_clearly_better),
		HEAT_TEST(few_rows_are_those_with_the_most_ios_and_hold_the_others_too),
		HEAT_TEST(a_single_slow_io_is_seen_in_a_row_of_its_own),
		HEAT_TEST(a_shade_and_its_colour_say_the_share),
		HEAT_TEST(a_level_has_four_shades_that_differ),
		HEAT_TEST(lines_run_through_the_rows_of_p50_and_p99),
		HEAT_TEST(a_cursor_stands_through_it_with_the_figures_of_its_second),
		HEAT_TEST(a_cursor_over_several_seconds_has_the_range_of_their_percentiles),
		HEAT_TEST(an_earlier_time_is_shown_in_its_own_columns),
		HEAT_TEST(the_legend_says_what_a_share_is_of_where_there_is_room),
		HEAT_TEST(without_samples_it_says_so),
		HEAT_TEST(marks_and_times_are_on_its_axis),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
