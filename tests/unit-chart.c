/* unit-chart.c - scales, columns and cells of the charts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "ui/chart.h"
#include "view-fixture.h"

#define SECOND NS_PER_SEC

static uint32_t at(const struct canvas *c, int row, int col)
{
	return c->cell[row * c->cols + col].ch;
}

static enum style style_at(const struct canvas *c, int row, int col)
{
	return (enum style)c->cell[row * c->cols + col].style;
}

/* --- Scale --- */

static void nice_numbers_are_1_2_5(void **state)
{
	static const double pair[][2] = {
		{0, 1},           {-3, 1},    {0.3, 0.5},     {1, 1},       {1.01, 2},
		{2, 2},           {2.5, 5},   {5, 5},         {5.1, 10},    {10, 10},
		{99.9, 100},      {100, 100}, {101, 200},     {1000, 1000}, {142900, 200000},
		{200001, 500000}, {1e6, 1e6}, {1e9 + 1, 2e9}, {7e12, 1e13},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++)
		assert_float_equal(chart_nice(pair[i][0]), pair[i][1], pair[i][1] * 1e-12);
	assert_float_equal(chart_nice(NAN), 1, 0);
}

static void a_nice_number_is_never_too_small_nor_five_times_too_big(void **state)
{
	(void)state;
	for (double v = 1e-3; v < 1e12; v *= 1.0137) {
		double nice = chart_nice(v);

		assert_true(nice >= v * (1 - 1e-9));
		assert_true(nice <= v * 2.5 * (1 + 1e-9));
	}
}

static void the_scale_grows_at_once(void **state)
{
	uint64_t since = 0;

	(void)state;
	assert_float_equal(chart_scale(0, 90, 5 * SECOND, &since), 100, 0);
	assert_float_equal(chart_scale(100, 101, 5 * SECOND, &since), 200, 0);
	assert_int_equal(since, 0);
}

static void the_scale_shrinks_only_after_ten_quiet_seconds(void **state)
{
	uint64_t since = 0, t = 100 * SECOND;

	(void)state;
	assert_float_equal(chart_scale(200, 90, t, &since), 200, 0);
	assert_float_equal(chart_scale(200, 90, t + 10 * SECOND - 1, &since), 200, 0);
	assert_float_equal(chart_scale(200, 90, t + 10 * SECOND, &since), 100, 0);
	assert_int_equal(since, 0);
}

static void a_peak_in_between_starts_the_ten_seconds_anew(void **state)
{
	uint64_t since = 0, t = 100 * SECOND;

	(void)state;
	chart_scale(200, 90, t, &since);
	assert_float_equal(chart_scale(200, 150, t + 9 * SECOND, &since), 200, 0);
	assert_float_equal(chart_scale(200, 90, t + 11 * SECOND, &since), 200, 0);
	assert_float_equal(chart_scale(200, 90, t + 20 * SECOND, &since), 200, 0);
	assert_float_equal(chart_scale(200, 90, t + 21 * SECOND, &since), 100, 0);
}

static void the_byte_scale_is_nice_in_the_unit_shown(void **state)
{
	static struct fixture f;
	struct chart_scales s = {0};

	(void)state;
	fixture_make(&f, GL_ASCII);
	f.v.unit = RATE_MIB;
	chart_scales(&s, &f.v, 60);
	assert_float_equal(f.v.y_top[0], 200000, 0);
	assert_float_equal(f.v.y_top[1], 1000.0 * MIB, 0);
	f.v.unit = RATE_MB;
	chart_scales(&s, &f.v, 60);
	assert_float_equal(f.v.y_top[1], 1e9, 0);
}

/* --- Columns --- */

/* A view of n seconds' worth of given samples, ending at now. */
static struct view make_view(const struct sample *s, size_t count, uint64_t now, uint64_t span)
{
	struct view v;

	memset(&v, 0, sizeof(v));
	v.chart = s;
	v.chart_count = count;
	v.now_ns = now;
	v.chart_span_ns = span;
	v.level = GL_ASCII;
	v.g = &glyph_table[GL_ASCII];
	return v;
}

static struct sample make_sample(uint64_t t, uint64_t dt, uint64_t reads, uint64_t writes)
{
	struct sample s;

	memset(&s, 0, sizeof(s));
	s.t_ns = t;
	s.dt_ns = dt;
	s.op[IO_READ] = (struct op_sample){.ios = reads, .bytes = reads * 4096};
	s.op[IO_WRITE] = (struct op_sample){.ios = writes, .bytes = writes * 512};
	return s;
}

static void a_column_is_sum_over_dt_exactly(void **state)
{
	struct sample s[20];
	struct chart_column col[4];

	(void)state;
	/* uneven ticks that end with the columns: 4 columns of 1 s from 100 s on */
	for (int i = 0; i < 20; i++) {
		uint64_t whole = 100 * SECOND + (uint64_t)(i / 5) * SECOND;
		static const uint64_t end[] = {100, 300, 350, 900, 1000};
		uint64_t before = i % 5 ? end[i % 5 - 1] : 0;

		s[i] = make_sample(whole + end[i % 5] * NS_PER_MS,
				   (end[i % 5] - before) * NS_PER_MS, (uint64_t)(i * i),
				   (uint64_t)i);
	}
	struct view v = make_view(s, 20, 104 * SECOND, 4 * SECOND);

	chart_columns(&v, false, col, 4);
	for (int i = 0; i < 4; i++) {
		double reads = 0, writes = 0;

		for (int k = 5 * i; k < 5 * i + 5; k++) {
			reads += k * k;
			writes += k;
		}
		assert_true(col[i].valid);
		assert_float_equal(col[i].read, reads, reads * 1e-12);
		assert_float_equal(col[i].write, writes, writes * 1e-12);
	}
	chart_columns(&v, true, col, 4);
	assert_float_equal(col[1].write, (5 + 6 + 7 + 8 + 9) * 512.0, 1e-6);
}

static void a_sample_across_two_columns_counts_in_both_for_its_time(void **state)
{
	/* 3 s at 300/s, in columns of 2 s: (100,102] holds 2 s of it, (102,104] the last */
	struct sample s[] = {make_sample(103 * SECOND, 3 * SECOND, 900, 0),
			     make_sample(104 * SECOND, 1 * SECOND, 100, 0)};
	struct view v = make_view(s, 2, 104 * SECOND, 4 * SECOND);
	struct chart_column col[2];

	(void)state;
	chart_columns(&v, false, col, 2);
	assert_float_equal(col[0].read, 300, 1e-9);
	assert_float_equal(col[1].read, 200, 1e-9);
}

static void columns_finer_than_samples_have_no_false_gaps(void **state)
{
	struct sample s[10];
	struct chart_column col[37];

	(void)state;
	for (int i = 0; i < 10; i++)
		s[i] = make_sample(100 * SECOND + (uint64_t)(i + 1) * TICK_NS, TICK_NS, 50, 0);
	struct view v = make_view(s, 10, 101 * SECOND, SECOND);

	chart_columns(&v, false, col, 37);
	for (int i = 1; i < 37; i++) {
		assert_true(col[i].valid);
		assert_float_equal(col[i].read, 500, 1e-9);
	}
}

static void no_data_is_a_gap_and_no_io_is_not(void **state)
{
	struct sample s[] = {make_sample(101 * SECOND, SECOND, 7, 0),
			     make_sample(102 * SECOND, SECOND, 0, 0),
			     make_sample(104 * SECOND, SECOND, 9, 0)};
	struct view v = make_view(s, 3, 104 * SECOND, 5 * SECOND);
	struct chart_column col[5];

	(void)state;
	chart_columns(&v, false, col, 5);
	assert_false(col[0].valid);
	assert_true(col[1].valid);
	assert_true(col[2].valid);
	assert_float_equal(col[2].read, 0, 0);
	assert_false(col[3].valid);
	assert_float_equal(col[4].read, 9, 1e-9);
}

static void a_full_column_never_changes_again(void **state)
{
	static struct fixture f;
	struct chart_column before[60], after[60];

	(void)state;
	fixture_make(&f, GL_ASCII);
	f.v.now_ns -= 3 * SECOND;
	size_t all = f.v.chart_count;

	f.v.chart_count = all - 30;
	chart_columns(&f.v, false, before, 60);
	f.v.now_ns += 3 * SECOND;
	f.v.chart_count = all;
	chart_columns(&f.v, false, after, 60);
	for (int i = 3; i < 59; i++) {
		assert_int_equal(before[i].valid, after[i - 3].valid);
		assert_float_equal(before[i].read, after[i - 3].read, 0);
		assert_float_equal(before[i].write, after[i - 3].write, 0);
	}
}

static void nothing_at_all_gives_only_gaps(void **state)
{
	struct view v = make_view(NULL, 0, 0, 0);
	struct chart_column col[8];

	(void)state;
	chart_columns(&v, false, col, 8);
	for (int i = 0; i < 8; i++)
		assert_false(col[i].valid);
}

static void a_time_falls_into_its_column(void **state)
{
	struct view v = make_view(NULL, 0, 104 * SECOND, 4 * SECOND);

	(void)state;
	assert_int_equal(chart_column_of(&v, 104 * SECOND, 4), 3);
	assert_int_equal(chart_column_of(&v, 103 * SECOND + 1, 4), 3);
	assert_int_equal(chart_column_of(&v, 103 * SECOND, 4), 2);
	assert_int_equal(chart_column_of(&v, 100 * SECOND + 1, 4), 0);
	assert_int_equal(chart_column_of(&v, 100 * SECOND, 4), -1);
	assert_int_equal(chart_column_of(&v, 104 * SECOND + 1, 4), -1);
	assert_int_equal(chart_column_of(&v, 1, 4), -1);
}

/* --- Bands --- */

static void a_column_of_several_samples_knows_the_least_and_the_most(void **state)
{
	struct sample s[10];
	struct chart_column col[2];

	(void)state;
	for (int i = 0; i < 10; i++)
		s[i] = make_sample(100 * SECOND + (uint64_t)(i + 1) * TICK_NS, TICK_NS,
				   i == 3   ? 10
				   : i == 6 ? 400
					    : 100,
				   0);
	struct view v = make_view(s, 10, 101 * SECOND, 2 * SECOND);
	chart_columns(&v, false, col, 2);
	assert_float_equal(col[1].read, 1210, 1e-6);
	assert_float_equal(col[1].low, 100, 1e-6);
	assert_float_equal(col[1].high, 4000, 1e-6);
	assert_float_equal(chart_high(&col[1]), 4000, 1e-6);
	assert_false(col[0].valid);
	chart_columns(&v, true, col, 2);
	assert_float_equal(col[1].high, 4000 * 4096.0, 1);
	/* An outage in the middle is the least. */
	s[5] = make_sample(s[5].t_ns, TICK_NS, 0, 0);
	chart_columns(&v, false, col, 2);
	assert_float_equal(col[1].low, 0, 0);
	assert_true(col[1].high > 0);
	/* One sample a column has no band. */
	chart_columns(&(struct view){.chart = s,
				     .chart_count = 1,
				     .now_ns = s[0].t_ns,
				     .chart_span_ns = TICK_NS},
		      false, col, 1);
	assert_float_equal(col[0].high, 0, 0);
}

static void few_ios_scatter_by_the_counting_alone(void **state)
{
	struct sample s[10];
	struct chart_column col[1];

	(void)state;
	for (int i = 0; i < 10; i++)
		s[i] = make_sample(100 * SECOND + (uint64_t)(i + 1) * TICK_NS, TICK_NS, i % 2, 0);
	struct view v = make_view(s, 10, 101 * SECOND, SECOND);
	chart_columns(&v, false, col, 1);
	assert_float_equal(col[0].high, 0, 0);
	assert_float_equal(chart_high(&col[0]), 5, 1e-9);
}

static void what_was_added_up_keeps_its_peaks(void **state)
{
	struct sample s[2] = {make_sample(110 * SECOND, 10 * SECOND, 10000, 0),
			      make_sample(120 * SECOND, 10 * SECOND, 10000, 0)};
	const struct extent x[2] = {{{900, 0}, {1100, 0}}, {{0, 0}, {9000, 0}}};
	struct chart_column col[1];

	(void)state;
	struct view v = make_view(s, 2, 120 * SECOND, 20 * SECOND);
	v.extent = x;
	chart_columns(&v, false, col, 1);
	assert_float_equal(col[0].read, 1000, 1e-6);
	assert_float_equal(col[0].low, 0, 0);
	assert_float_equal(col[0].high, 9000, 0);
}

static void a_locked_scale_stays_until_it_is_let_go(void **state)
{
	static struct fixture f;
	struct chart_scales s = {0};

	(void)state;
	fixture_make(&f, GL_ASCII);
	chart_scales(&s, &f.v, 60);
	double top = f.v.y_top[0];
	f.v.locked = true;
	for (int i = 0; i < FIXTURE_TICKS; i++)
		f.tick[i].op[IO_READ].ios *= 10;
	chart_scales(&s, &f.v, 60);
	assert_float_equal(f.v.y_top[0], top, 0);
	f.v.locked = false;
	chart_scales(&s, &f.v, 60);
	assert_true(f.v.y_top[0] >= 5 * top);
}

/* --- Cells --- */

/* One column (two alike in braille) drawn 4 rows high with a top of 4. */
static void draw_one(struct canvas *c, enum glyph_level level, double read, double write)
{
	struct view v = make_view(NULL, 0, SECOND, SECOND);
	struct chart_column col[] = {{true, read, write, 0, 0}, {true, read, write, 0, 0}};

	v.level = level;
	v.g = &glyph_table[level];
	assert_int_equal(canvas_resize(c, 4, 1), 0);
	chart_body(c, canvas_rect(c), &v, col, chart_resolution(level, 1), 4);
}

static void heights_are_exact_in_every_level(void **state)
{
	struct canvas c = {0};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		const struct glyphs *g = &glyph_table[level];

		for (int steps = 1; steps <= 4 * g->fill_steps; steps++) {
			draw_one(&c, (enum glyph_level)level, (double)steps / g->fill_steps, 0);
			for (int row = 0; row < 4; row++) {
				int f = steps - (3 - row) * g->fill_steps;
				int fill = f < 0 ? 0 : f > g->fill_steps ? g->fill_steps : f;

				assert_int_equal(at(&c, row, 0), g->fill[fill]);
				if (fill)
					assert_int_equal(style_at(&c, row, 0), ST_READ);
			}
		}
	}
	canvas_free(&c);
}

static void writes_stand_on_reads_in_another_style_and_another_glyph(void **state)
{
	struct canvas c = {0};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		enum glyph_level l = (enum glyph_level)level;
		uint32_t read, write;

		draw_one(&c, l, 2, 1);
		assert_int_equal(at(&c, 0, 0), ' ');
		read = at(&c, 2, 0);
		write = at(&c, 1, 0);
		assert_int_equal(read, chart_sign(l, IO_READ));
		assert_int_equal(at(&c, 3, 0), read);
		assert_int_not_equal(write, read);
		assert_int_equal(style_at(&c, 1, 0), ST_WRITE);
		assert_int_equal(style_at(&c, 2, 0), ST_READ);
		assert_int_equal(style_at(&c, 3, 0), ST_READ);
		/* a cell of writes that isn't the uppermost looks like the legend */
		draw_one(&c, l, 1, 3);
		assert_int_equal(at(&c, 2, 0), chart_sign(l, IO_WRITE));
		assert_int_equal(style_at(&c, 0, 0), ST_WRITE);
	}
	canvas_free(&c);
}

static void the_upper_edge_of_writes_is_exact_in_braille(void **state)
{
	struct canvas c = {0};

	(void)state;
	for (int steps = 1; steps <= 16; steps++) {
		draw_one(&c, GL_BRAILLE, 0, steps / 4.0);
		int row = 3 - (steps - 1) / 4, y = 3 - (steps - 1) % 4;
		uint32_t ch = at(&c, row, 0);

		assert_in_range(ch, 0x2801, 0x28ff);
		assert_true(ch & glyph_braille_bit(0, y));
		assert_true(ch & glyph_braille_bit(1, y));
		for (int above = 0; above < y; above++)
			assert_false(ch & (unsigned)(glyph_braille_bit(0, above) |
						     glyph_braille_bit(1, above)));
		if (row > 0)
			assert_int_equal(at(&c, row - 1, 0), ' ');
	}
	canvas_free(&c);
}

static void something_is_never_drawn_as_nothing(void **state)
{
	struct canvas c = {0};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		draw_one(&c, (enum glyph_level)level, 1e-6, 0);
		assert_int_equal(at(&c, 3, 0), glyph_table[level].fill[1]);
		assert_int_equal(style_at(&c, 3, 0), ST_READ);
	}
	canvas_free(&c);
}

static void no_io_is_a_line_on_the_ground_and_a_gap_is_blank(void **state)
{
	struct canvas c = {0};
	struct view v = make_view(NULL, 0, SECOND, SECOND);
	struct chart_column gap[2] = {{.valid = false}, {.valid = false}};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		draw_one(&c, (enum glyph_level)level, 0, 0);
		assert_int_not_equal(at(&c, 3, 0), ' ');
		assert_int_equal(style_at(&c, 3, 0), ST_RULE);
		v.level = (enum glyph_level)level;
		v.g = &glyph_table[level];
		canvas_resize(&c, 4, 1);
		chart_body(&c, canvas_rect(&c), &v, gap, chart_resolution(v.level, 1), 4);
		for (int row = 0; row < 4; row++)
			assert_int_equal(at(&c, row, 0), ' ');
	}
	canvas_free(&c);
}

static void draw_band(struct canvas *c, enum glyph_level level, const struct chart_column *one)
{
	struct view v = make_view(NULL, 0, SECOND, SECOND);
	struct chart_column col[] = {*one, *one};

	v.level = level;
	v.g = &glyph_table[level];
	assert_int_equal(canvas_resize(c, 4, 1), 0);
	chart_body(c, canvas_rect(c), &v, col, chart_resolution(level, 1), 4);
}

static void a_band_is_looser_below_the_mean_and_dim_above_it(void **state)
{
	struct canvas c = {0};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		const struct glyphs *g = &glyph_table[level];
		draw_band(&c, (enum glyph_level)level, &(struct chart_column){true, 2, 0, 1, 3});
		assert_int_equal(at(&c, 0, 0), ' ');
		assert_int_equal(style_at(&c, 1, 0), ST_DIM);
		assert_int_equal(style_at(&c, 2, 0), ST_READ);
		assert_int_equal(at(&c, 3, 0), g->fill[g->fill_steps]);
		/* Each is drawn in its own way. */
		assert_int_not_equal(at(&c, 1, 0), at(&c, 2, 0));
		assert_int_not_equal(at(&c, 2, 0), at(&c, 3, 0));
		assert_int_not_equal(at(&c, 1, 0), ' ');
		if (level != GL_BRAILLE) {
			assert_int_equal(at(&c, 1, 0), g->peak);
			assert_int_equal(at(&c, 2, 0), g->band);
		}
		/* Writes are writes in it, too. */
		draw_band(&c, (enum glyph_level)level, &(struct chart_column){true, 0, 2, 1, 3});
		assert_int_equal(style_at(&c, 2, 0), ST_WRITE);
		if (level != GL_BRAILLE)
			assert_int_not_equal(at(&c, 2, 0), g->band);
	}
	canvas_free(&c);
}

static void what_exceeds_the_top_is_cut_there(void **state)
{
	struct canvas c = {0};

	(void)state;
	draw_one(&c, GL_EIGHTH, 1e9, 0);
	assert_int_equal(at(&c, 0, 0), 0x2588);
	draw_one(&c, GL_EIGHTH, 1, 1e9);
	assert_int_equal(at(&c, 0, 0), 0x2592);
	assert_int_equal(at(&c, 3, 0), 0x2588);
	canvas_free(&c);
}

static void a_mark_is_a_line_in_the_column_of_its_time(void **state)
{
	struct canvas c = {0};
	struct mark m[] = {{.kind = MARK_NOTE, .letter = 'a', .t_ns = 97 * SECOND + 1},
			   {.kind = MARK_EVENT, .letter = 0, .t_ns = 99 * SECOND + 1}};
	struct chart_column col[20];

	(void)state;
	memset(col, 0, sizeof(col));
	for (int level = 0; level < GL_COUNT; level++) {
		struct view v = make_view(NULL, 0, 100 * SECOND, 10 * SECOND);

		v.level = (enum glyph_level)level;
		v.g = &glyph_table[level];
		v.marks = m;
		v.mark_count = 2;
		canvas_resize(&c, 3, 10);
		chart_body(&c, canvas_rect(&c), &v, col, chart_resolution(v.level, 10), 1);
		for (int row = 0; row < 3; row++)
			for (int x = 0; x < 10; x++) {
				assert_int_equal(at(&c, row, x), x == 7 ? v.g->mark : ' ');
				if (x == 7)
					assert_int_equal(style_at(&c, row, x), ST_MARK);
			}
	}
	canvas_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nice_numbers_are_1_2_5),
		cmocka_unit_test(a_nice_number_is_never_too_small_nor_five_times_too_big),
		cmocka_unit_test(the_scale_grows_at_once),
		cmocka_unit_test(the_scale_shrinks_only_after_ten_quiet_seconds),
		cmocka_unit_test(a_peak_in_between_starts_the_ten_seconds_anew),
		cmocka_unit_test(the_byte_scale_is_nice_in_the_unit_shown),
		cmocka_unit_test(a_column_is_sum_over_dt_exactly),
		cmocka_unit_test(a_sample_across_two_columns_counts_in_both_for_its_time),
		cmocka_unit_test(columns_finer_than_samples_have_no_false_gaps),
		cmocka_unit_test(no_data_is_a_gap_and_no_io_is_not),
		cmocka_unit_test(a_full_column_never_changes_again),
		cmocka_unit_test(nothing_at_all_gives_only_gaps),
		cmocka_unit_test(a_time_falls_into_its_column),
		cmocka_unit_test(a_column_of_several_samples_knows_the_least_and_the_most),
		cmocka_unit_test(few_ios_scatter_by_the_counting_alone),
		cmocka_unit_test(what_was_added_up_keeps_its_peaks),
		cmocka_unit_test(a_locked_scale_stays_until_it_is_let_go),
		cmocka_unit_test(a_band_is_looser_below_the_mean_and_dim_above_it),
		cmocka_unit_test(heights_are_exact_in_every_level),
		cmocka_unit_test(writes_stand_on_reads_in_another_style_and_another_glyph),
		cmocka_unit_test(the_upper_edge_of_writes_is_exact_in_braille),
		cmocka_unit_test(something_is_never_drawn_as_nothing),
		cmocka_unit_test(no_io_is_a_line_on_the_ground_and_a_gap_is_blank),
		cmocka_unit_test(what_exceeds_the_top_is_cut_there),
		cmocka_unit_test(a_mark_is_a_line_in_the_column_of_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
