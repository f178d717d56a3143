/* unit-heat.c - the heat map of latency over time: what is kept of every second, and what of it a column has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "tests/canvas-print.h"
#include "tests/hist-add.h"
#include "ui/chart.h"
#include "ui/heatmap.h"
#include "ui/pane_util.h"
#include "view-fixture.h"

#define SECONDS 60u

static struct fixture fx;
static struct canvas cv;
static struct timeline *line;
static struct heatmap map;

/* A second that ends at t_ns with n reads and one write of these latencies. */
static void second(uint64_t t_ns, unsigned n, uint64_t read_ns, uint64_t write_ns)
{
	static struct hist delta[HISTS];
	struct sample s;

	sample_clear(&s);
	s.t_ns = t_ns;
	s.dt_ns = NS_PER_SEC;
	for (int k = 0; k < HISTS; k++)
		hist_clear(&delta[k]);
	for (unsigned i = 0; i < n; i++)
		hist_add(&delta[HIST_READ], read_ns);
	if (n)
		hist_add(&delta[HIST_WRITE], write_ns);
	timeline_tick(line, &s, delta);
	timeline_second(line, &s);
}

static int set_up(void **state)
{
	(void)state;
	fixture_make(&fx, GL_EIGHTH);
	fx.v.latency = LATENCY_HEAT;
	fx.v.chart_span_ns = SECONDS * NS_PER_SEC;
	fx.v.mark_count = 0;
	/* so that seconds and columns begin together */
	fx.v.now_ns = 1000 * NS_PER_SEC;
	line = timeline_create();
	return line ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	timeline_destroy(line);
	heatmap_free(&map);
	canvas_free(&cv);
	return 0;
}

static uint64_t end_of(unsigned i)
{
	return fx.v.now_ns - (SECONDS - 1 - i) * NS_PER_SEC;
}

static void update(void)
{
	heatmap_update(&map, &fx.v, line, fx.v.now_ns - fx.v.chart_span_ns, fx.v.now_ns);
}

static void draw(int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	canvas_clear(&cv, ST_NORMAL);
	panes[PANE_LATENCY].draw(&cv, canvas_rect(&cv), &fx.v);
}

static struct cell cell(int r, int col)
{
	return cv.cell[r * cv.cols + col];
}

static void a_second_keeps_its_histograms_counts_by_quarters_of_powers_of_two(void **state)
{
	(void)state;
	static struct heat heat;
	static struct hist h;
	static struct heat_slice out;

	hist_clear(&h);
	for (uint64_t ns = 1; ns < 1ull << 40; ns += ns / 9 + 1)
		hist_add(&h, ns);
	heat_append(&heat, 5 * NS_PER_SEC, NS_PER_SEC, &h);
	assert_int_equal(heat_read(&heat, 0, UINT64_MAX, &out, 1), 1);
	assert_int_equal(out.ios, h.count);
	assert_int_equal(out.dt_ns, NS_PER_SEC);
	assert_int_equal(out.p50_low, (uint64_t)hist_percentile(&h, 0.5));
	assert_int_equal(out.p50_high, out.p50_low);
	assert_int_equal(out.p99_high, (uint64_t)hist_percentile(&h, 0.99));
	for (unsigned b = 0; b + 1 < HEAT_BANDS; b++)
		assert_int_equal(out.count[b], hist_between(&h, heat_low(b), heat_low(b + 1)));
	heat_free(&heat);
}

static void seconds_together_have_the_range_of_their_percentiles(void **state)
{
	(void)state;
	static struct heat_slice sum;
	const struct heat_slice none = {.t_ns = 3}, a = {.ios = 2,
							 .p50_low = 5,
							 .p50_high = 5,
							 .p99_low = 9,
							 .p99_high = 9};
	const struct heat_slice b = {
		.ios = 1, .p50_low = 4, .p50_high = 4, .p99_low = 11, .p99_high = 11};

	heat_add(&sum, &a);
	heat_add(&sum, &none);
	heat_add(&sum, &b);
	assert_int_equal(sum.ios, 3);
	assert_int_equal(sum.p50_low, 4);
	assert_int_equal(sum.p50_high, 5);
	assert_int_equal(sum.p99_low, 9);
	assert_int_equal(sum.p99_high, 11);
}

static void a_day_is_kept_and_the_oldest_second_goes_first(void **state)
{
	(void)state;
	static struct heat heat;
	static struct hist h;
	static struct heat_slice out[2];

	hist_clear(&h);
	hist_add(&h, 1000000);
	for (uint64_t i = 1; i <= 86410; i++)
		heat_append(&heat, i, 1, &h);
	assert_int_equal(heat_read(&heat, 0, UINT64_MAX, out, 2), 2);
	assert_int_equal(out[0].t_ns, 11);
	assert_int_equal(out[1].t_ns, 12);
	assert_int_equal(heat_read(&heat, 86409, UINT64_MAX, out, 2), 1);
	assert_int_equal(out[0].t_ns, 86410);
	assert_int_equal(heat_read(&heat, 20, 21, out, 2), 1);
	heat_free(&heat);
}

static void every_io_of_the_window_is_in_one_column(void **state)
{
	(void)state;
	static struct heat_cell out[SECONDS];
	static const int widths[] = {60, 47, 20, 7, 1};

	for (unsigned i = 0; i < SECONDS; i++)
		second(end_of(i), 10 + i, 1000000, 300000000);
	update();
	for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
		uint64_t sum = 0, lost = 0;
		heatmap_cells(&fx.v, out, widths[w]);
		for (int i = 0; i < widths[w]; i++) {
			uint64_t from, to, here = 0, all = 0;
			int n = chart_resolution(fx.v.level, widths[w]);
			chart_column_span(&fx.v, i, n, &from, &to);
			for (unsigned k = 0; k < SECONDS; k++)
				if (end_of(k) > from && end_of(k) <= to)
					here += 11 + k;
			for (unsigned b = 0; b < HEAT_BANDS; b++)
				all += out[i].sum.count[b];
			assert_int_equal(all, out[i].sum.ios);
			if (here)
				assert_int_equal(out[i].sum.ios, here);
			sum += here;
		}
		for (unsigned k = 0; k < SECONDS; k++)
			if (chart_column_of(&fx.v, end_of(k), widths[w]) < 0)
				lost += 11 + k;
		assert_int_equal(sum + lost, 60 * 11 + 59 * 60 / 2);
	}
}

static void long_windows_add_seconds_up_and_lose_none(void **state)
{
	(void)state;
	uint64_t sum = 0;

	fx.v.chart_span_ns = 3600 * NS_PER_SEC;
	fx.v.now_ns = 9000 * NS_PER_SEC;
	for (unsigned i = 0; i < 3600; i++)
		second(fx.v.now_ns - (3599 - i) * NS_PER_SEC, 2, 1000000, 2000000);
	update();
	assert_true(fx.v.heat_count <= HEATMAP_SLICES + 1);
	for (size_t i = 0; i < fx.v.heat_count; i++)
		sum += fx.v.heat[i].ios;
	assert_int_equal(sum, 3600 * 3);
}

static void seconds_without_samples_are_blank_and_without_io_a_line(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SECONDS; i++)
		if (i < 20 || i >= 40)
			second(end_of(i), i < 50 ? 50 : 0, 1000000, 1000000);
	update();
	draw(12, 66);
	struct rect body = pane_chart_body(66, canvas_rect(&cv), &fx.v, PANE_IOPS);
	for (int r = 1; r < 11; r++)
		assert_int_equal(cell(r, body.col + 30 * body.cols / (int)SECONDS).ch, ' ');
	assert_int_equal(cell(10, body.col + 55 * body.cols / (int)SECONDS).ch, '_');
}

static void marks_run_through_it_in_the_charts_columns(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		fx.v.mark_count = 1;
		fx.mark[0].kind = MARK_NOTE;
		fx.mark[0].letter = 'q';
		fx.mark[0].t_ns = fx.v.now_ns - 23 * NS_PER_SEC;
		draw(12, 80);
		int here = -1, there = -1;
		for (int col = 6; col < 80; col++)
			if (cell(5, col).style == ST_MARK)
				here = col;
		panes[PANE_IOPS].draw(&cv, canvas_rect(&cv), &fx.v);
		for (int col = 6; col < 80; col++)
			if (cell(5, col).style == ST_MARK)
				there = col;
		assert_true(here > 0);
		assert_int_equal(here, there);
	}
}

static void it_draws_in_any_size(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SECONDS; i++)
		second(end_of(i), i, 1000 << i % 20, 1000000000);
	update();
	for (int rows = 1; rows < 60; rows += 3)
		for (int cols = 1; cols < 200; cols += 13)
			draw(rows, cols);
}

#define HEAT_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HEAT_TEST(a_second_keeps_its_histograms_counts_by_quarters_of_powers_of_two),
		HEAT_TEST(seconds_together_have_the_range_of_their_percentiles),
		HEAT_TEST(a_day_is_kept_and_the_oldest_second_goes_first),
		HEAT_TEST(every_io_of_the_window_is_in_one_column),
		HEAT_TEST(long_windows_add_seconds_up_and_lose_none),
		HEAT_TEST(seconds_without_samples_are_blank_and_without_io_a_line),
		HEAT_TEST(marks_run_through_it_in_the_charts_columns),
		HEAT_TEST(it_draws_in_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
