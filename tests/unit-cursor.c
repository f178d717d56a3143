/* unit-cursor.c - the cursors of the charts: what they add up, how they stand, what is said of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include "tests/view-fixture.h"
#include "ui/chart.h"
#include "ui/cursor.h"
#include "ui/pane_util.h"

#define START (1000 * NS_PER_SEC)

/* Ticks of reads: as many a tick as given, with this latency. */
static uint64_t tick_for(struct timeline *t, uint64_t now, unsigned ticks, uint64_t ios,
			 uint64_t ns)
{
	struct sample second;

	sample_clear(&second);
	for (unsigned i = 0; i < ticks; i++) {
		struct sample s;
		sample_clear(&s);
		now += TICK_NS;
		s.t_ns = now;
		s.dt_ns = TICK_NS;
		s.op[IO_READ] = (struct op_sample){.ios = ios,
						   .bytes = ios * 4096,
						   .lat_sum = ios * ns,
						   .lat_min = ns,
						   .lat_max = ns};
		s.op[IO_WRITE].lat_min = UINT64_MAX;
		timeline_tick(t, &s, NULL);
		sample_add(&second, &s);
		if (second.dt_ns >= NS_PER_SEC) {
			timeline_second(t, &second);
			sample_clear(&second);
		}
	}
	return now;
}

static void a_cursor_has_the_sums_of_its_column(void **state)
{
	struct timeline *t = timeline_create();
	struct cursor c;

	(void)state;
	assert_non_null(t);
	timeline_mark(t, MARK_START, START, 1, NULL, "run start");
	tick_for(t, START, 10, 100, 1000000);
	tick_for(t, START + NS_PER_SEC, 10, 200, 500000);
	cursor_place(&c, START + 600 * NS_PER_MS, NS_PER_SEC);
	cursor_read(&c, t);
	assert_int_equal(c.from_ns, START);
	assert_int_equal(c.sum.dt_ns, NS_PER_SEC);
	assert_int_equal(c.sum.op[IO_READ].ios, 1000);
	assert_int_equal(c.sum.op[IO_READ].lat_sum, 1000 * 1000000ull);
	/* An edge ends a column, as in the charts. */
	cursor_place(&c, START + NS_PER_SEC, NS_PER_SEC);
	cursor_read(&c, t);
	assert_int_equal(c.to_ns, START + NS_PER_SEC);
	assert_int_equal(c.sum.op[IO_READ].ios, 1000);
	/* A narrow column still holds a tick. */
	cursor_place(&c, START + 1250 * NS_PER_MS, 1);
	cursor_read(&c, t);
	assert_int_equal(c.sum.op[IO_READ].ios, 400);
	/* Where nothing was there is nothing. */
	cursor_place(&c, START + 5 * NS_PER_SEC, NS_PER_SEC);
	cursor_read(&c, t);
	assert_int_equal(c.sum.dt_ns, 0);
	timeline_destroy(t);
}

/* Half a cell of braille is a column, and the charts move on by whole cells: at any time, in any window. */
static void a_cursors_figures_are_those_of_the_cell_that_it_stands_in(void **state)
{
	static const int cells[] = {68, 33, 120, 1024};
	struct view v = {.chart_span_ns = 61 * NS_PER_SEC};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		for (int i = 0; i < 4 * 100; i++) {
			const int w = cells[i % 4],
				  n = chart_resolution((enum glyph_level)level, w);
			uint64_t from, to, before, last;
			struct cursor c;
			v.level = (enum glyph_level)level;
			v.now_ns = START + (uint64_t)i * 333333333;
			v.chart_span_ns = (100 + (uint64_t)i) * 5 * NS_PER_SEC;
			const uint64_t t = v.now_ns - (uint64_t)(i % 97) * NS_PER_SEC;
			int cell = chart_column_of(&v, t, n) * w / n;
			assert_in_range(cell, 0, w - 1);
			chart_column_span(&v, cell * n / w, n, &from, &last);
			chart_column_span(&v, (cell + 1) * n / w - 1, n, &before, &to);
			cursor_place(&c, t, chart_cell_ns(&v, w));
			assert_int_equal(c.from_ns, from);
			assert_int_equal(c.to_ns, to);
		}
	}
}

/* Eleven minutes later there are no ticks of then. */
static void what_is_no_longer_kept_in_ticks_is_read_in_seconds(void **state)
{
	struct timeline *t = timeline_create();
	struct cursor c, known;

	(void)state;
	timeline_mark(t, MARK_START, START, 1, NULL, "run start");
	tick_for(t, START, 20, 100, 1000000);
	cursor_place(&known, START + 100 * NS_PER_MS, 200 * NS_PER_MS);
	cursor_read(&known, t);
	assert_int_equal(known.sum.op[IO_READ].ios, 200);
	tick_for(t, START + 2 * NS_PER_SEC, 6600, 100, 1000000);
	cursor_place(&c, START + NS_PER_SEC, 2 * NS_PER_SEC);
	cursor_read(&c, t);
	assert_int_equal(c.sum.op[IO_READ].ios, 2000);
	/* What was known of less than a second stays. */
	cursor_read(&known, t);
	assert_int_equal(known.sum.op[IO_READ].ios, 200);
	timeline_destroy(t);
}

/* --- On the screen. --- */

static struct fixture fx;
static struct cursors k;

static char *row_text(const struct canvas *c, int row)
{
	static char out[1024];
	size_t n = 0;

	for (int col = 0; col < c->cols && n + 5 < sizeof(out); col++) {
		char one[5];
		uint32_t ch = c->cell[row * c->cols + col].ch;
		if (!ch)
			continue;
		utf8_of(one, ch);
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s", one);
	}
	out[n] = '\0';
	return out;
}

static void set(unsigned which, uint64_t ago_ns, uint64_t ios, uint64_t ns)
{
	struct cursor *c = &k.at[which];

	cursor_place(c, fx.v.now_ns - ago_ns, NS_PER_SEC);
	c->sum.dt_ns = NS_PER_SEC;
	c->sum.op[IO_READ] =
		(struct op_sample){.ios = ios, .bytes = ios * 4096, .lat_sum = ios * ns};
	c->sum.p99 = 2 * ns;
}

static void draw(struct canvas *c, int rows, int cols, enum pane_id id)
{
	fx.v.cursors = &k;
	assert_int_equal(canvas_resize(c, rows, cols), 0);
	pane_chart_draw(c, canvas_rect(c), &fx.v, id, id == PANE_RATE);
}

static void begin(enum glyph_level level)
{
	fixture_make(&fx, level);
	fx.v.snap.t_ns = fx.v.now_ns;
	memset(&k, 0, sizeof(k));
	fx.v.focus = (struct focus){true, KNOB_WORKERS, PANE_IOPS};
}

static void both_have_a_row_and_the_difference_is_in_per_cent_of_the_first(void **state)
{
	struct canvas c = {0};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		begin((enum glyph_level)level);
		set(0, 40 * NS_PER_SEC, 1000, 2000000);
		set(1, 10 * NS_PER_SEC, 1500, 1000000);
		k.active = 1;
		draw(&c, 14, 80, PANE_IOPS);
		const char *text = row_text(&c, 11);
		if (!strstr(text, " 1 ") || !strstr(text, "IOPS 1.00k") ||
		    !strstr(text, "3.91 MiB/s") || !strstr(text, "mean 2.00 ms") ||
		    !strstr(text, "p99 4.00 ms"))
			fail_msg("level %d: %s", level, text);
		text = row_text(&c, 13);
		if (!strstr(text, "2-1 +30.0 s") || !strstr(text, "IOPS +500 +50.0 %") ||
		    !strstr(text, "MiB/s +50.0 %") || !strstr(text, "mean -50.0 %") ||
		    !strstr(text, "p99 -50.0 %"))
			fail_msg("level %d: %s", level, text);
		/* The hardware cursor is where the one that moves stands, on the axis. */
		assert_int_equal(c.cursor_row, 10);
		assert_int_equal(c.cell[10 * c.cols + c.cursor_col].ch, '2');
		assert_int_equal(c.cell[4 * c.cols + c.cursor_col].ch, fx.v.g->vline);
		assert_int_equal(c.cell[4 * c.cols + c.cursor_col].style, ST_TITLE);
		assert_int_equal(c.cell[10 * c.cols + c.cursor_col].style, ST_FOCUS);
	}
	canvas_free(&c);
}

static void where_room_is_short_the_difference_stays(void **state)
{
	struct canvas c = {0};

	(void)state;
	begin(GL_ASCII);
	set(0, 40 * NS_PER_SEC, 1000, 2000000);
	set(1, 10 * NS_PER_SEC, 1500, 1000000);
	draw(&c, 6, 80, PANE_IOPS);
	assert_non_null(strstr(row_text(&c, 5), "2-1 +30.0 s"));
	draw(&c, 7, 40, PANE_IOPS);
	assert_non_null(strstr(row_text(&c, 5), " 1 "));
	assert_non_null(strstr(row_text(&c, 6), "IOPS +500 +50.0 %"));
	/* Without any room at all there is only the chart. */
	draw(&c, 5, 80, PANE_IOPS);
	assert_null(strstr(row_text(&c, 4), "2-1"));
	canvas_free(&c);
}

static void only_the_chart_in_focus_has_their_figures_but_both_have_their_lines(void **state)
{
	struct canvas c = {0};

	(void)state;
	begin(GL_VT);
	set(0, 30 * NS_PER_SEC, 1000, 2000000);
	draw(&c, 14, 80, PANE_RATE);
	assert_null(strstr(row_text(&c, 13), "IOPS"));
	assert_non_null(strchr(row_text(&c, 13), '1'));
	fx.v.focus.pane = PANE_RATE;
	draw(&c, 14, 80, PANE_RATE);
	assert_non_null(strstr(row_text(&c, 13), "IOPS 1.00k"));
	draw(&c, 14, 80, PANE_IOPS);
	assert_null(strstr(row_text(&c, 13), "IOPS 1.00k"));
	canvas_free(&c);
}

static void a_time_without_samples_is_said_to_be_one(void **state)
{
	struct canvas c = {0};

	(void)state;
	begin(GL_ASCII);
	set(0, 30 * NS_PER_SEC, 0, 0);
	k.at[0].sum.dt_ns = 0;
	draw(&c, 14, 80, PANE_IOPS);
	assert_non_null(strstr(row_text(&c, 13), "nothing was measured then"));
	/* No IO is no gap. */
	set(0, 30 * NS_PER_SEC, 0, 0);
	draw(&c, 14, 80, PANE_IOPS);
	assert_non_null(strstr(row_text(&c, 13), "IOPS 0"));
	assert_non_null(strstr(row_text(&c, 13), "mean -"));
	canvas_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cursor_has_the_sums_of_its_column),
		cmocka_unit_test(a_cursors_figures_are_those_of_the_cell_that_it_stands_in),
		cmocka_unit_test(what_is_no_longer_kept_in_ticks_is_read_in_seconds),
		cmocka_unit_test(both_have_a_row_and_the_difference_is_in_per_cent_of_the_first),
		cmocka_unit_test(where_room_is_short_the_difference_stays),
		cmocka_unit_test(
			only_the_chart_in_focus_has_their_figures_but_both_have_their_lines),
		cmocka_unit_test(a_time_without_samples_is_said_to_be_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
