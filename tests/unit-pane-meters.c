/* unit-pane-meters.c - the meters, drawn over figures made by hand and read back cell by cell; what feeds them;
 * and their dialog.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/canvas-print.h"
#include "tests/level-check.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "ui/meters.h"
#include "view-fixture.h"

static struct fixture fx;
static struct canvas cv;
static struct meter_board board;
static struct meter_setup setup;
static char text[4096];

static const char *row(int r)
{
	return canvas_row(&cv, r, text, sizeof(text));
}

static void assert_has(int r, const char *words)
{
	if (!strstr(row(r), words)) {
		canvas_print(&cv, stderr);
		fail_msg("'%s' is not in '%s'", words, row(r));
	}
}

static uint32_t at(int r, int col)
{
	return cv.cell[r * cv.cols + col].ch;
}

static void draw(int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	canvas_clear(&cv, ST_NORMAL);
	panes[PANE_METERS].draw(&cv, canvas_rect(&cv), &fx.v);
}

static struct sample second(uint64_t at_s, uint64_t reads)
{
	struct sample s;

	sample_clear(&s);
	s.t_ns = at_s * NS_PER_SEC;
	s.dt_ns = NS_PER_SEC;
	s.op[IO_READ] = (struct op_sample){.ios = reads,
					   .bytes = reads * 4096,
					   .lat_sum = reads * 1000000,
					   .lat_min = 1000000,
					   .lat_max = 2000000};
	return s;
}

static int set_up(void **state)
{
	static const uint64_t reads[] = {3000, 9000, 6000};

	(void)state;
	fixture_make(&fx, GL_ASCII);
	setup = meter_setup_usual();
	meter_board_clear(&board, 1);
	for (unsigned i = 0; i < 3; i++) {
		const struct sample s = second(i + 1, reads[i]);
		meter_board_add(&board, &s);
	}
	fx.v.meters = &board;
	fx.v.meter_setup = &setup;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	canvas_free(&cv);
	return 0;
}

/* --- The pane --- */

static void six_rows_have_name_scale_figure_unit_least_and_most(void **state)
{
	(void)state;
	draw(7, 132);
	assert_has(0, "Meters");
	assert_has(0, "the last 1 s");
	assert_has(1, "IOPS");
	assert_has(1, " 10000 ");
	assert_has(1, "  6000 IO/s");
	assert_has(1, "min 3000  max 9000");
	assert_has(2, "rate");
	assert_has(2, "23.4 MiB/s");
	assert_has(3, "mean");
	assert_has(3, "1.00 ms");
	assert_has(4, "max");
	assert_has(4, "2.00 ms");
	assert_has(5, "CPU");
	assert_has(6, "errors");
	assert_has(6, "0 IOs");
}

static void what_is_not_known_is_a_dash_without_a_bar(void **state)
{
	(void)state;
	draw(7, 132);
	assert_has(5, "     - %");
	assert_has(5, "min -  max -");
	assert_has(5, " 100 ");
	for (int col = 0; col < 132; col++)
		assert_int_not_equal(at(5, col), fx.v.g->bar[fx.v.g->bar_steps]);
	/* Before the first second nothing is known. */
	fx.v.meters = NULL;
	draw(7, 132);
	assert_has(0, "measuring");
	for (int r = 1; r < 7; r++)
		assert_has(r, "min -  max -");
}

/* 6000 of 10000; the ticks of 3000 and 9000. */
static void the_bar_is_as_long_as_its_share_of_the_scale(void **state)
{
	const int from = 1 + 2 + 15;

	(void)state;
	draw(7, 132);
	int end = (int)(strstr(row(1), " 10000 ") - row(1));
	int cols = end - from, full = 0;
	for (int i = 0; i < cols; i++)
		full += at(1, from + i) == fx.v.g->bar[fx.v.g->bar_steps];
	/* One of them is the tick of the least. */
	assert_in_range(full, cols * 6 / 10 - 2, cols * 6 / 10);
	assert_int_equal(at(1, from + cols * 3 / 10), fx.v.g->vline);
	assert_int_equal(at(1, from + cols * 9 / 10), fx.v.g->vline);
}

static void beyond_a_fixed_scale_there_is_an_arrow(void **state)
{
	(void)state;
	setup.place[0].top = 5000;
	board.trace[METER_SINCE_UPDATE][METER_IOPS].high = NAN;
	board.trace[METER_SINCE_UPDATE][METER_IOPS].low = NAN;
	draw(7, 132);
	int end = (int)(strstr(row(1), " 5000 ") - row(1));
	assert_int_equal(at(1, end - 1), fx.v.g->right);
	setup.place[0].top = 50000;
	draw(7, 132);
	assert_has(1, " 50000 ");
}

static void since_the_start_is_of_all_the_time(void **state)
{
	(void)state;
	setup.since = METER_SINCE_START;
	draw(7, 132);
	assert_has(0, "since the start, 3 s");
	/* 3000, 6000, 6000 */
	assert_has(1, "  6000 IO/s");
	assert_has(1, "min 3000  max 6000");
}

static void more_rows_have_a_trace_below_the_bar(void **state)
{
	(void)state;
	draw(20, 80);
	assert_has(1, "6000 IO/s");
	assert_has(2, "min 3000  max 9000");
	assert_has(4, "rate");
	assert_has(16, "errors");
}

/* All figures of a row are in the same unit. */
static void short_times_are_in_a_shorter_unit(void **state)
{
	(void)state;
	meter_board_clear(&board, 1);
	struct sample s = second(1, 100);
	s.op[IO_READ].lat_sum = 100 * 81000;
	s.op[IO_READ].lat_max = 800;
	meter_board_add(&board, &s);
	draw(7, 132);
	assert_has(3, "  81.0 us");
	assert_has(3, "min 81.0  max 81.0");
	assert_has(3, " 100 ");
	assert_has(4, "   800 ns");
	assert_has(4, " 1000 ");
}

static void a_failed_io_stands_out(void **state)
{
	struct sample s = second(4, 100);

	(void)state;
	s.op[IO_WRITE].errors = 3;
	meter_board_add(&board, &s);
	draw(7, 132);
	assert_has(6, "     3 IOs");
	int col = (int)(strstr(row(6), "3 IOs") - row(6));
	assert_int_equal(cv.cell[6 * cv.cols + col].style, ST_BAD);
}

static void where_few_rows_are_there_the_chosen_one_is(void **state)
{
	(void)state;
	fx.v.focus.on_pane = true;
	fx.v.focus.pane = PANE_METERS;
	for (unsigned i = 0; i < METER_PLACES; i++) {
		int seen = 0;
		fx.v.meter = i;
		draw(4, 40);
		for (int r = 1; r < 4; r++)
			if (at(r, 0) == fx.v.g->cursor) {
				assert_has(r, meters[setup.place[i].what].name);
				seen++;
			}
		assert_int_equal(seen, 1);
	}
	/* Three beside three. */
	draw(4, 100);
	for (int i = 0; i < METER_PLACES; i++)
		assert_has(1 + i % 3, meters[setup.place[i].what].unit);
}

static void every_size_and_level_has_its_figures_and_no_others_characters(void **state)
{
	(void)state;
	fx.v.focus.on_pane = true;
	fx.v.focus.pane = PANE_METERS;
	setup.place[3] = (struct meter_choice){METER_EFFECTIVENESS, 0};
	setup.place[4] = (struct meter_choice){METER_IOPS_READ, 4000};
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		for (int rows = 1; rows <= 60; rows += rows < 15 ? 1 : 9)
			for (int cols = 1; cols <= 250; cols += cols < 90 ? 3 : 31) {
				draw(rows, cols);
				level_check(&cv, (enum glyph_level)level, "the meters");
				if (cols < 38 || rows < 2)
					continue;
				assert_has(1, "IOPS");
				assert_has(1, "6000 IO/s");
			}
	}
}

/* --- What feeds them --- */

static void push(struct timeline *t, uint64_t at_s, uint64_t reads)
{
	const struct sample s = second(at_s, reads);

	timeline_second(t, &s);
	fx.v.snap.t_ns = s.t_ns;
}

static void assert_now(enum meter_since since, double iops, double low, double high)
{
	const struct meter_trace *t = &fx.v.meters->trace[since][METER_IOPS];

	assert_true(fabs(t->now - iops) < 1e-6);
	assert_true(fabs(t->low - low) < 1e-6);
	assert_true(fabs(t->high - high) < 1e-6);
}

static void each_second_is_read_once_and_those_before_a_reset_no_more(void **state)
{
	struct timeline *t = timeline_create();
	struct meters m = {0};

	(void)state;
	assert_non_null(t);
	fx.v.snap.start_ns = 100 * NS_PER_SEC;
	push(t, 101, 500);
	meters_update(&m, &fx.v, t);
	meters_update(&m, &fx.v, t);
	assert_now(METER_SINCE_START, 500, 500, 500);
	assert_int_equal(fx.v.meters->updates, 1);
	push(t, 102, 100);
	push(t, 103, 300);
	meters_update(&m, &fx.v, t);
	assert_int_equal(fx.v.meters->updates, 3);
	assert_now(METER_SINCE_START, 300, 300, 500);
	assert_now(METER_SINCE_UPDATE, 300, 100, 500);
	/* A second in which it was reset is of both. */
	fx.v.snap.start_ns = 102 * NS_PER_SEC + NS_PER_SEC / 2;
	push(t, 104, 200);
	meters_update(&m, &fx.v, t);
	assert_int_equal(fx.v.meters->updates, 1);
	assert_now(METER_SINCE_START, 200, 200, 200);
	timeline_destroy(t);
}

static void another_time_between_updates_counts_from_the_start(void **state)
{
	struct timeline *t = timeline_create();
	struct meters m = {0};

	(void)state;
	assert_non_null(t);
	fx.v.snap.start_ns = 7000 * NS_PER_SEC;
	/* Longer than is read at once. */
	for (uint64_t i = 1; i <= 7300; i++)
		push(t, 7000 + i, i <= 7298 ? 100 : 300);
	meters_update(&m, &fx.v, t);
	assert_int_equal(fx.v.meters->updates, 7300);
	assert_now(METER_SINCE_UPDATE, 300, 100, 300);
	setup.every_s = 10;
	meters_update(&m, &fx.v, t);
	assert_int_equal(fx.v.meters->updates, 730);
	assert_now(METER_SINCE_UPDATE, 140, 100, 140);
	timeline_destroy(t);
}

static void a_gap_that_is_found_behind_is_taken_out_of_what_was_counted(void **state)
{
	struct timeline *t = timeline_create();
	struct meters m = {0};

	(void)state;
	assert_non_null(t);
	assert_true(timeline_expect_gaps(t));
	fx.v.snap.start_ns = 100 * NS_PER_SEC;
	timeline_mark(t, MARK_START, fx.v.snap.start_ns, 1, &fx.v.snap.workload, "start");
	for (uint64_t i = 1; i <= 3; i++) {
		struct sample tick = second(100 + i, i == 2 ? 0 : 500);
		timeline_tick(t, &tick, NULL);
		push(t, 100 + i, i == 2 ? 0 : 500);
	}
	meters_update(&m, &fx.v, t);
	assert_now(METER_SINCE_START, 1000 / 3.0, 250, 500);
	assert_true(timeline_gap(t, 0, 101 * NS_PER_SEC + TICK_NS, 102 * NS_PER_SEC - TICK_NS));
	meters_update(&m, &fx.v, t);
	assert_now(METER_SINCE_START, 500, 500, 500);
	assert_now(METER_SINCE_UPDATE, 500, 0, 500);
	timeline_destroy(t);
}

/* --- The dialog --- */

static void press(struct dialog *d, const int *keys, enum dialog_result end)
{
	enum dialog_result r = DIALOG_OPEN;

	for (; *keys; keys++) {
		assert_int_equal(r, DIALOG_OPEN);
		r = d->key(d->state, *keys);
	}
	assert_int_equal(r, end);
}

static void show(struct dialog *d, int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	canvas_clear(&cv, ST_NORMAL);
	d->draw(d->state, &cv, canvas_rect(&cv), &fx.v);
}

static bool shows(const char *words)
{
	for (int r = 0; r < cv.rows; r++)
		if (strstr(row(r), words))
			return true;
	return false;
}

static void the_dialog_chooses_figure_scale_time_and_update(void **state)
{
	static const int keys[] = {K_RIGHT, K_DOWN,  '4',     'k',     K_DOWN, K_RIGHT,
				   K_DOWN,  K_RIGHT, K_RIGHT, K_ENTER, 0};
	struct dialog d = dialog_meter(&setup, 1);
	unsigned place;

	(void)state;
	show(&d, 24, 80);
	assert_true(shows("2 of 6"));
	assert_true(shows("<rate, MiB/s>"));
	assert_true(shows("automatic"));
	press(&d, keys, DIALOG_DONE);
	show(&d, 24, 80);
	assert_true(shows("rate read, MiB/s"));
	assert_true(shows("the start"));
	assert_true(shows("5 s"));
	struct meter_setup s = meter_answer(d.state, &place);
	assert_int_equal(place, 1);
	assert_int_equal(s.place[1].what, METER_MIB_READ);
	assert_true(fabs(s.place[1].top - 4000) < 1e-9);
	assert_int_equal(s.place[0].what, METER_IOPS);
	assert_int_equal(s.since, METER_SINCE_START);
	assert_int_equal(s.every_s, 5);
	d.free(d.state);
}

static void a_wrong_scale_is_said_and_keeps_the_dialog_open(void **state)
{
	static const int wrong[] = {K_DOWN, 'x', K_ENTER, 0}, leave[] = {K_DOWN, K_ENTER, 0},
			 right[] = {K_BACKSPACE, K_ENTER, 0};
	struct dialog d = dialog_meter(&setup, 0);
	unsigned place;

	(void)state;
	press(&d, wrong, DIALOG_OPEN);
	press(&d, leave, DIALOG_OPEN);
	show(&d, 24, 80);
	assert_true(shows("! the end of the scale"));
	assert_true(d.types(d.state));
	press(&d, right, DIALOG_DONE);
	struct meter_setup s = meter_answer(d.state, &place);
	assert_int_equal(s.place[0].what, METER_IOPS);
	assert_true(s.place[0].top <= 0);
	d.free(d.state);
}

/* The scale of one figure says nothing of another. */
static void another_figure_has_an_automatic_scale(void **state)
{
	static const int keys[] = {K_LEFT, K_UP, K_LEFT, K_LEFT, K_ENTER, 0};
	unsigned place;

	(void)state;
	setup.place[0].top = 777;
	struct dialog d = dialog_meter(&setup, 0);
	show(&d, 24, 80);
	assert_true(shows("777"));
	press(&d, keys, DIALOG_DONE);
	struct meter_setup s = meter_answer(d.state, &place);
	assert_int_equal(s.place[0].what, METERS - 1);
	assert_true(s.place[0].top <= 0);
	assert_int_equal(place, METER_PLACES - 2);
	d.free(d.state);
}

static void the_dialog_fits_wherever_it_opens(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		struct dialog d = dialog_meter(&setup, 0);
		for (int rows = 1; rows <= 50; rows += 7)
			for (int cols = 1; cols <= 140; cols += 13) {
				show(&d, rows, cols);
				level_check(&cv, (enum glyph_level)level, "the dialog");
				d.key(d.state, K_DOWN);
			}
		d.free(d.state);
	}
}

#define PANE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PANE_TEST(six_rows_have_name_scale_figure_unit_least_and_most),
		PANE_TEST(what_is_not_known_is_a_dash_without_a_bar),
		PANE_TEST(the_bar_is_as_long_as_its_share_of_the_scale),
		PANE_TEST(beyond_a_fixed_scale_there_is_an_arrow),
		PANE_TEST(since_the_start_is_of_all_the_time),
		PANE_TEST(more_rows_have_a_trace_below_the_bar),
		PANE_TEST(short_times_are_in_a_shorter_unit),
		PANE_TEST(a_failed_io_stands_out),
		PANE_TEST(where_few_rows_are_there_the_chosen_one_is),
		PANE_TEST(every_size_and_level_has_its_figures_and_no_others_characters),
		PANE_TEST(each_second_is_read_once_and_those_before_a_reset_no_more),
		PANE_TEST(another_time_between_updates_counts_from_the_start),
		PANE_TEST(a_gap_that_is_found_behind_is_taken_out_of_what_was_counted),
		PANE_TEST(the_dialog_chooses_figure_scale_time_and_update),
		PANE_TEST(a_wrong_scale_is_said_and_keeps_the_dialog_open),
		PANE_TEST(another_figure_has_an_automatic_scale),
		PANE_TEST(the_dialog_fits_wherever_it_opens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
