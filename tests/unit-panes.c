/* unit-panes.c - every pane, drawn into a canvas and read back cell by cell. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "tests/canvas-print.h"
#include "tests/hist-add.h"
#include "tests/level-check.h"
#include "ui/chart.h"
#include "ui/figures.h"
#include "ui/pane_util.h"
#include "sessions-fixture.h"
#include "view-fixture.h"

static struct fixture fx;
static struct canvas cv;
static char text[2048];

static const char *row(int r)
{
	return canvas_row(&cv, r, text, sizeof(text));
}

static void assert_has(const char *haystack, const char *needle)
{
	if (!strstr(haystack, needle))
		fail_msg("'%s' is not in '%s'", needle, haystack);
}

static void assert_has_not(const char *haystack, const char *needle)
{
	if (strstr(haystack, needle))
		fail_msg("'%s' is in '%s'", needle, haystack);
}

/* The row (from `from` on) that begins with or holds the text; fails if there is none. */
static int row_with(const char *needle)
{
	for (int r = 0; r < cv.rows; r++)
		if (strstr(row(r), needle))
			return r;
	canvas_print(&cv, stderr);
	fail_msg("no row has '%s'", needle);
	return -1;
}

/* The column where the text (ASCII) begins in row r, -1 if it isn't there. */
static int col_of(int r, const char *needle)
{
	int n = (int)strlen(needle);

	for (int col = 0; col + n <= cv.cols; col++) {
		int i = 0;

		while (i < n &&
		       cv.cell[r * cv.cols + col + i].ch == (uint32_t)(unsigned char)needle[i])
			i++;
		if (i == n)
			return col;
	}
	return -1;
}

static enum style style_at(int r, int col)
{
	return (enum style)cv.cell[r * cv.cols + col].style;
}

static void draw_row(void (*draw)(struct canvas *, struct rect, const struct view *), int cols)
{
	assert_int_equal(canvas_resize(&cv, 1, cols), 0);
	draw(&cv, canvas_rect(&cv), &fx.v);
}

static void draw_pane(enum pane_id p, int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	panes[p].draw(&cv, canvas_rect(&cv), &fx.v);
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

/* --- Header --- */

static void the_header_names_state_time_host_target_and_clock(void **state)
{
	(void)state;
	memset(fx.v.snap.errors, 0, sizeof(fx.v.snap.errors));
	draw_row(header_draw, 80);
	assert_string_equal(row(0),
			    " lunscope 0.1   * RUN    00:12:41   r740-07   sdb  WRITES  1.82 TiB"
			    "    12:04:31");
	assert_int_equal(style_at(0, col_of(0, "RUN")), ST_GOOD);
}

static void the_header_says_that_io_stands_still(void **state)
{
	struct snapshot *n = &fx.v.snap;
	(void)state;
	n->oldest_ns = 2 * NS_PER_SEC;
	n->second.dt_ns = NS_PER_SEC;
	/* One that is slow among others that come back. */
	draw_row(header_draw, 80);
	assert_has(row(0), " RUN ");
	n->second.op[IO_READ].ios = n->second.op[IO_WRITE].ios = 0;
	draw_row(header_draw, 80);
	assert_has(row(0), " STALL ");
	assert_int_equal(style_at(0, col_of(0, "STALL")), ST_BAD);
	/* Nothing has been in flight for long. */
	n->oldest_ns = NS_PER_SEC / 2;
	draw_row(header_draw, 80);
	assert_has(row(0), " RUN ");
}

static void permission_to_write_stands_in_the_header_at_any_width(void **state)
{
	(void)state;
	memset(fx.v.snap.errors, 0, sizeof(fx.v.snap.errors));
	for (int cols = 40; cols <= 132; cols++) {
		fx.target.may_write = true;
		draw_row(header_draw, cols);
		assert_true(col_of(0, "WRITES") > 0);
		assert_int_equal(style_at(0, col_of(0, "WRITES")), ST_WARN);
		fx.target.may_write = false;
		draw_row(header_draw, cols);
		assert_int_equal(col_of(0, "WRITES"), -1);
	}
	/* null: has nothing that could be lost */
	fx.target.kind = TARGET_NULL;
	fx.target.may_write = true;
	draw_row(header_draw, 80);
	assert_int_equal(col_of(0, "WRITES"), -1);
}

static void the_header_keeps_its_columns_whatever_the_state(void **state)
{
	int time;

	(void)state;
	draw_row(header_draw, 80);
	time = col_of(0, "00:12:41");
	fx.v.snap.running = false;
	draw_row(header_draw, 80);
	assert_has(row(0), "o STOP");
	assert_int_equal(col_of(0, "00:12:41"), time);
	assert_int_equal(style_at(0, col_of(0, "STOP")), ST_WARN);
	fx.v.snap.ended = true;
	draw_row(header_draw, 80);
	assert_has(row(0), "o ENDED");
	assert_int_equal(col_of(0, "00:12:41"), time);
	fx.v.frozen = true;
	draw_row(header_draw, 80);
	assert_has(row(0), "o FROZEN");
	assert_int_equal(col_of(0, "00:12:41"), time);
}

static void the_header_counts_errors_and_keeps_them_when_it_is_narrow(void **state)
{
	(void)state;
	fx.v.snap.errors[ENOSPC] = 1200;
	draw_row(header_draw, 132);
	assert_has(row(0), "! 1.20k IO errors");
	draw_row(header_draw, 40);
	assert_has(row(0), "RUN");
	assert_has(row(0), "! 1.20k IO errors");
	assert_int_equal(style_at(0, col_of(0, "!")), ST_BAD);
}

/* --- Knobs --- */

static void the_focused_knob_is_reversed_and_in_angle_brackets(void **state)
{
	(void)state;
	draw_row(knobs_draw, 80);
	assert_string_equal(row(0),
			    " Workers [  8] Outst <  32> Block [  4K] Read [ 70%] Rand [100%]"
			    " Rate [  max]");
	int at = col_of(0, "<  32>");

	for (int i = 0; i < 6; i++)
		assert_int_equal(style_at(0, at + i), ST_FOCUS);
	assert_int_equal(cv.cursor_col, at);
	assert_int_not_equal(style_at(0, at - 1), ST_FOCUS);
}

static void no_knob_is_in_brackets_while_a_pane_has_the_focus(void **state)
{
	(void)state;
	fx.v.focus.on_pane = true;
	draw_row(knobs_draw, 80);
	assert_has_not(row(0), "<");
	assert_has(row(0), "Outst [  32]");
}

static void the_bar_stands_still_while_a_knob_is_turned(void **state)
{
	int rate;

	(void)state;
	draw_row(knobs_draw, 80);
	rate = col_of(0, "Rate");
	fx.v.snap.workload.workers = 256;
	fx.v.snap.workload.outstanding = 4096;
	fx.v.snap.workload.block_size = 512;
	fx.v.snap.workload.read_pct = 0;
	fx.v.snap.workload.rate_iops = 50000;
	draw_row(knobs_draw, 80);
	assert_int_equal(col_of(0, "Rate"), rate);
	assert_has(row(0), "Workers [256] Outst <4096> Block [ 512] Read [  0%]");
}

static void knobs_that_gave_way_to_access_lines_have_no_value(void **state)
{
	(void)state;
	fx.v.snap.workload.access.count = 1;
	fx.v.snap.workload.access.line[0] = (struct access_line){.size = 4096, .share = 100};
	draw_row(knobs_draw, 80);
	assert_string_equal(row(0),
			    " Workers [  8] Outst <  32> Block [line] Read [line] Rand [line]"
			    " Rate [  max]");
}

static void a_wide_bar_has_full_names_and_the_whole_queue(void **state)
{
	(void)state;
	draw_row(knobs_draw, 132);
	assert_has(row(0), "Outstanding <  32>");
	assert_has(row(0), "queue 256 = 8 x 32");
	assert_int_equal(style_at(0, col_of(0, "256 =")), ST_VALUE);
}

static void a_narrow_bar_always_holds_the_focused_knob(void **state)
{
	(void)state;
	for (int cols = 20; cols <= 80; cols++)
		for (int k = 0; k < KNOB_COUNT; k++) {
			fx.v.focus.knob = (enum knob)k;
			draw_row(knobs_draw, cols);
			assert_int_equal(style_at(0, cv.cursor_col), ST_FOCUS);
			assert_int_equal(cv.cell[cv.cursor_col].ch, '<');
			int end = cv.cursor_col;

			while (end < cols && cv.cell[end].ch != '>')
				end++;
			assert_true(end < cols);
			assert_int_equal(style_at(0, end), ST_FOCUS);
		}
}

/* --- The answer --- */

static void the_answer_is_the_arithmetic_of_the_second(void **state)
{
	const struct sample *s = &fx.v.snap.second;
	double seconds = (double)s->dt_ns / 1e9;
	double r = (double)s->op[IO_READ].ios / seconds, w = (double)s->op[IO_WRITE].ios / seconds;
	double bytes = (double)(s->op[IO_READ].bytes + s->op[IO_WRITE].bytes) / seconds;
	double ns = (double)(s->op[IO_READ].lat_sum + s->op[IO_WRITE].lat_sum) /
		    (double)(s->op[IO_READ].ios + s->op[IO_WRITE].ios);
	char want[200], a[16], b[16], t[16];

	(void)state;
	snprintf(want, sizeof(want),
		 "IOPS %6s R %6s W %6s|MiB/s %4.0f R %4.0f W %4.0f|ms %.2f p99 4.60"
		 "|CPU  23%%",
		 units_count(t, sizeof(t), r + w), units_count(a, sizeof(a), r),
		 units_count(b, sizeof(b), w), bytes / MIB,
		 (double)s->op[IO_READ].bytes / seconds / MIB,
		 (double)s->op[IO_WRITE].bytes / seconds / MIB, ns / 1e6);
	draw_row(answer_draw, 80);
	assert_string_equal(row(0), want);
}

static void read_and_write_make_the_total(void **state)
{
	struct figures f = figures_of(&fx.v.snap);

	(void)state;
	assert_float_equal(f.iops[FIG_READ] + f.iops[FIG_WRITE], f.iops[FIG_TOTAL], 1e-6);
	assert_float_equal(f.bytes_s[FIG_READ] + f.bytes_s[FIG_WRITE], f.bytes_s[FIG_TOTAL], 1e-3);
	assert_true(f.latency[FIG_READ] < f.latency[FIG_TOTAL]);
	assert_true(f.latency[FIG_TOTAL] < f.latency[FIG_WRITE]);
}

static void cpu_is_busy_over_all_time_and_an_io_costs_its_share(void **state)
{
	struct figures f = figures_of(&fx.v.snap);

	(void)state;
	/* 640 + 1760 + 160 + 1120 of 16,000 ms */
	assert_float_equal(f.cpu_percent, 23.0, 1e-9);
	assert_float_equal(f.cpu_us_per_io, 3.68e6 / f.iops[FIG_TOTAL], 1e-9);
	assert_float_equal(f.self_us_per_io, 0.83e6 / f.iops[FIG_TOTAL], 1e-9);
	assert_float_equal(f.cpu_s_per_gib, 3.68 * (double)GIB / f.bytes_s[FIG_TOTAL], 1e-9);
}

static void no_io_has_rate_zero_and_no_latency(void **state)
{
	(void)state;
	fixture_empty(&fx, GL_ASCII);
	draw_row(answer_draw, 80);
	assert_string_equal(row(0),
			    "IOPS      0 R      0 W      0|MiB/s    0 R    0 W    0|ms    - p99"
			    "    -|CPU    -");
}

static void the_answer_drops_whole_figures_and_the_main_ones_last(void **state)
{
	(void)state;
	draw_row(answer_draw, 40);
	assert_string_equal(row(0), "IOPS 138.5k  |  MiB/s  541  |  ms 1.67");
	draw_row(answer_draw, 20);
	assert_string_equal(row(0), "IOPS 138.5k|ms 1.67");
	draw_row(answer_draw, 12);
	assert_string_equal(row(0), "IOPS 138.5k");
	draw_row(answer_draw, 10);
	assert_string_equal(row(0), "");
}

static void a_line_stands_between_the_answers_groups_at_any_width(void **state)
{
	static const char *const group[] = {"MiB/s", "ms", "CPU"};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++)
		for (int cols = 40; cols <= 132; cols++) {
			int lines = 0, groups = 0;

			fixture_level(&fx, (enum glyph_level)level);
			draw_row(answer_draw, cols);
			for (int x = 0; x < cols; x++)
				lines +=
					cv.cell[x].ch == fx.v.g->vline && style_at(0, x) == ST_RULE;
			for (int i = 0; i < 3; i++) {
				int at = col_of(0, group[i]), left = at - 1;

				if (at < 0)
					continue;
				groups++;
				while (cv.cell[left].ch == ' ')
					left--;
				assert_int_equal(cv.cell[left].ch, fx.v.g->vline);
				/* as far from the figure before it as from what comes */
				int before = left - 1;

				while (cv.cell[before].ch == ' ')
					before--;
				assert_int_equal(left - before, at - left);
			}
			assert_int_equal(lines, groups);
			assert_true(groups >= 2);
		}
}

static void the_answers_columns_do_not_depend_on_its_figures(void **state)
{
	int p99;

	(void)state;
	draw_row(answer_draw, 80);
	p99 = col_of(0, "p99");
	for (int shift = 0; shift < 36; shift++) {
		struct sample *s = &fx.v.snap.second;

		for (int op = 0; op < IO_OPS; op++) {
			s->op[op].ios = 1ull << shift;
			s->op[op].bytes = s->op[op].ios << (shift % 13);
			s->op[op].lat_sum = s->op[op].ios * (37ull << (shift % 30));
		}
		s->p99 = 50ull << shift;
		draw_row(answer_draw, 80);
		assert_int_equal(col_of(0, "p99"), p99);
		assert_int_equal(col_of(0, "CPU"), 72);
	}
}

static void digits_never_exceed_their_field(void **state)
{
	char out[64];

	(void)state;
	for (int width = 4; width <= 6; width++)
		for (double v = 1e-4; v < 1e14; v *= 1.00731) {
			figure_digits(out, sizeof(out), v, width);
			if ((int)strlen(out) != width)
				fail_msg("%g in %d columns is '%s'", v, width, out);
		}
	assert_string_equal(figure_digits(out, sizeof(out), 0, 4), "   0");
	assert_string_equal(figure_digits(out, sizeof(out), 1.789, 4), "1.79");
	assert_string_equal(figure_digits(out, sizeof(out), 0.0123, 5), "0.012");
	assert_string_equal(figure_digits(out, sizeof(out), 9999, 4), "9999");
	assert_string_equal(figure_digits(out, sizeof(out), 12345, 5), "12345");
	assert_string_equal(figure_digits(out, sizeof(out), 12345, 4), " 12k");
	assert_string_equal(figure_digits(out, sizeof(out), NAN, 4), "   -");
}

/* --- Titles --- */

static void a_focused_pane_has_brackets_the_focus_style_and_the_cursor(void **state)
{
	(void)state;
	for (int p = 0; p < PANE_COUNT; p++) {
		char want[32];

		fx.v.focus.on_pane = false;
		draw_pane((enum pane_id)p, 12, 80);
		assert_int_equal(col_of(0, "["), -1);
		fx.v.focus.on_pane = true;
		fx.v.focus.pane = (enum pane_id)p;
		draw_pane((enum pane_id)p, 12, 80);
		snprintf(want, sizeof(want), "[%s]", panes[p].title);
		assert_int_equal(col_of(0, want), 1);
		assert_int_equal(style_at(0, 1), ST_FOCUS);
		assert_int_equal(cv.cursor_row, 0);
		assert_int_equal(cv.cursor_col, 1);
	}
}

/* --- Charts --- */

static void the_iops_chart_has_both_scales_when_blocks_are_alike(void **state)
{
	(void)state;
	draw_pane(PANE_IOPS, 9, 80);
	assert_int_equal(col_of(1, "200k+"), 1);
	assert_int_equal(col_of(1, "781"), 77); /* 200,000 x 4 KiB = 781.25 MiB/s */
	assert_has(row(0), "MiB/s right");
	fx.tick[500].op[IO_READ].bytes += 512;
	draw_pane(PANE_IOPS, 9, 80);
	assert_int_equal(col_of(1, "781"), -1);
	assert_has_not(row(0), "MiB/s");
}

static void a_mark_has_its_letter_above_its_line_and_its_cause_below(void **state)
{
	int col;

	(void)state;
	snprintf(fx.mark[1].text, MARK_TEXT, "MTU 9000 → 1500");
	draw_pane(PANE_IOPS, 9, 80);
	col = col_of(8, "a MTU 9000>1500");
	assert_true(col > 6);
	for (int r = 1; r < 8; r++) {
		assert_int_equal(cv.cell[r * 80 + col].ch, '|');
		assert_int_equal(style_at(r, col), ST_MARK);
	}
	assert_int_equal(cv.cell[col].ch, 'a');
	assert_int_equal(style_at(0, col), ST_MARK);
}

static void both_charts_put_a_mark_into_the_same_column(void **state)
{
	int col;

	(void)state;
	/* blocks of two sizes: no second scale, as where the charts stand side by side */
	fx.tick[500].op[IO_READ].bytes += 512;
	snprintf(fx.mark[1].text, MARK_TEXT, "MTU down");
	draw_pane(PANE_IOPS, 9, 65);
	col = col_of(8, "a MTU");
	draw_pane(PANE_RATE, 9, 65);
	assert_true(col > 0);
	assert_int_equal(col_of(8, "a MTU"), col);
}

/* The columns of a chart pane's marks, counted from its axis, as letters. */
static void marks_from_axis(struct rect r, char out[300])
{
	int axis = r.col;

	while (cv.cell[(r.row + r.rows - 1) * cv.cols + axis].ch != '+')
		axis++;
	memset(out, ' ', 299);
	out[299] = '\0';
	for (int x = axis + 1; x < r.col + r.cols; x++)
		if (style_at(r.row + 2, x) == ST_MARK)
			out[x - axis] = '|';
	/* how far the time axis goes */
	for (int x = axis + 1; x < r.col + r.cols; x++)
		if (cv.cell[(r.row + r.rows - 1) * cv.cols + x].ch != ' ')
			out[0] = (char)(x - axis);
}

static void charts_side_by_side_have_the_same_columns_at_any_width(void **state)
{
	(void)state;
	for (int cols = 120; cols <= 250; cols++) {
		struct layout l =
			layout_compute(43, cols, PANE_COUNT, pane_plan_usual.hidden, 0, 0, false);
		char iops[300], rate[300];

		assert_int_equal(l.pane[PANE_IOPS].row, l.pane[PANE_RATE].row);
		fixture_screen(&cv, &fx, 43, cols, PANE_COUNT);
		marks_from_axis(l.pane[PANE_IOPS], iops);
		marks_from_axis(l.pane[PANE_RATE], rate);
		assert_non_null(strchr(iops, '|'));
		assert_string_equal(iops, rate);
	}
}

/* Adds a knob's mark some tenths of a second ago. */
static void mark_at(char letter, double ago_s, const char *words)
{
	struct mark *m = &fx.mark[fx.v.mark_count++];

	assert_true(fx.v.mark_count <= FIXTURE_MARKS);
	*m = (struct mark){.id = (uint32_t)fx.v.mark_count,
			   .kind = MARK_KNOB,
			   .letter = letter,
			   .t_ns = fx.v.now_ns - (uint64_t)(ago_s * 1e9),
			   .wall = fx.v.snap.wall};
	snprintf(m->text, sizeof(m->text), "%s", words);
}

static void marks_in_one_column_show_the_newest_and_that_there_are_more(void **state)
{
	int col;

	(void)state;
	fx.v.mark_count = 0;
	mark_at('d', 45.3, "outstanding 2 → 3");
	mark_at('e', 45.2, "outstanding 3 → 4");
	mark_at('f', 45.1, "outstanding 4 → 6");
	draw_pane(PANE_RATE, 9, 66); /* a second a column */
	col = col_of(8, "f+ outstanding 4>6 ");
	assert_true(col > 6);
	assert_int_equal(cv.cell[col].ch, 'f');
	assert_int_equal(cv.cell[col + 1].ch, '+');
	assert_int_equal(style_at(0, col + 1), ST_MARK);
	assert_int_equal(style_at(8, col + 1), ST_MARK);
	/* one alone has no plus */
	fx.v.mark_count = 1;
	draw_pane(PANE_RATE, 9, 66);
	assert_true(col_of(8, "d outstanding 2>3 ") > 6);
}

static void a_cause_that_does_not_fit_whole_is_left_to_the_events(void **state)
{
	char tight[64];

	(void)state;
	for (int newer = 1; newer < 30; newer++) {
		fx.v.mark_count = 0;
		mark_at('d', 30.1, "outstanding 6 → 4");
		mark_at('e', 30.1 - newer, "x");
		draw_pane(PANE_RATE, 9, 66);
		snprintf(tight, sizeof(tight), "d outstanding 6>4 ");
		if (col_of(8, tight) < 0) {
			/* not a word of it */
			assert_has_not(row(8), "out");
			assert_true(newer < 20);
		} else {
			assert_true(newer > 17);
		}
		assert_int_not_equal(col_of(8, "d"), -1);
	}
}

static int shaded_on_axis(int *last)
{
	int n = 0;

	for (int col = 0; col < 66; col++) {
		const struct cell *cell = &cv.cell[8 * cv.cols + col];
		if (cell->ch == fx.v.g->shade[2] && style_at(8, col) == ST_WARN) {
			n++;
			*last = col;
		}
	}
	return n;
}

static void time_that_no_mean_counts_is_shaded_on_the_axis(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		int last = 0;
		fixture_make(&fx, (enum glyph_level)level);
		fx.v.mark_count = 0;
		draw_pane(PANE_RATE, 9, 66); /* a second a column */
		assert_int_equal(shaded_on_axis(&last), 0);
		/* 22 to 20 s ago, among the labels of the axis */
		for (size_t i = 0; i < fx.v.chart_count; i++) {
			struct sample *s = &fx.tick[i];
			if (s->t_ns > fx.v.now_ns - 22 * NS_PER_SEC &&
			    s->t_ns <= fx.v.now_ns - 20 * NS_PER_SEC)
				s->gap_ns = s->dt_ns;
		}
		draw_pane(PANE_RATE, 9, 66);
		int n = shaded_on_axis(&last);
		assert_true(n >= 2 && n <= 3);
		assert_true(last >= 6 + 60 - 22 && last <= 6 + 60 - 20);
		/* where the label of a time would stand it gives way, and a mark's cause as well */
		for (size_t i = 0; i < fx.v.chart_count; i++)
			fx.tick[i].gap_ns =
				fx.tick[i].t_ns > fx.v.now_ns - 16 * NS_PER_SEC &&
						fx.tick[i].t_ns <= fx.v.now_ns - 14 * NS_PER_SEC
					? fx.tick[i].dt_ns
					: 0;
		draw_pane(PANE_RATE, 9, 66);
		n = shaded_on_axis(&last);
		assert_true(n >= 2 && n <= 3);
		assert_has_not(row(8), "-15 s");
		mark_at('d', 20.1, "outstanding 6 -> 4");
		draw_pane(PANE_RATE, 9, 66);
		assert_int_equal(shaded_on_axis(&last), n);
		assert_int_not_equal(col_of(8, "d"), -1);
	}
}

static void a_mark_that_was_passed_is_nowhere(void **state)
{
	(void)state;
	fx.v.mark_count = 0;
	mark_at('d', 30.1, "outstanding 2 → 3");
	mark_at('e', 10.1, "outstanding 3 → 4");
	fx.mark[0].kind = MARK_PASSED;
	draw_pane(PANE_RATE, 9, 66);
	assert_int_equal(col_of(8, "d"), -1);
	assert_true(col_of(8, "e") > 0);
	for (int x = 6; x < 36; x++)
		assert_int_not_equal(style_at(3, x), ST_MARK);
	draw_pane(PANE_EVENTS, 6, 66);
	assert_has(row(1), "e outstanding 3 > 4");
	assert_string_equal(row(2), "");
	assert_int_equal(marks_shown(&fx.v), 1);
}

static void the_newest_event_is_told_in_full(void **state)
{
	(void)state;
	fx.v.mark_count = 0;
	mark_at('d', 30.1, "outstanding 2 → 3, block 4K → 8K, read 100% → 70%");
	mark_at('e', 10.1, "outstanding 3 → 4, block 8K → 16K, read 70% → 30%");
	draw_pane(PANE_EVENTS, 4, 39);
	assert_has(row(1), "d outstanding 2 > 3,");
	assert_has_not(row(1), "70%");
	assert_has(row(2), "e outstanding 3 > 4, block");
	assert_has(row(3), " 16K, read 70% > 30%");
	assert_string_equal(row(4), "");
	/* with a row more there is room for both */
	draw_pane(PANE_EVENTS, 5, 39);
	assert_has(row(1), "d outstanding 2 > 3, block");
	assert_has(row(2), " 8K, read 100% > 70%");
	assert_has(row(3), "e outstanding 3 > 4, block");
	assert_has(row(4), " 16K, read 70% > 30%");
}

static void the_throughput_chart_scales_in_the_unit_shown(void **state)
{
	(void)state;
	draw_pane(PANE_RATE, 9, 66);
	assert_has(row(0), "MiB/s");
	assert_int_equal(col_of(1, "1k+"), 3); /* 558 MiB/s below 1000 */
	fx.v.unit = RATE_MB;
	draw_pane(PANE_RATE, 9, 66);
	assert_has(row(0), "MB/s");
}

static void a_chart_without_samples_says_so(void **state)
{
	(void)state;
	fixture_empty(&fx, GL_ASCII);
	draw_pane(PANE_IOPS, 9, 80);
	row_with("no samples yet");
	fixture_make(&fx, GL_ASCII);
	draw_pane(PANE_IOPS, 9, 80);
	for (int r = 0; r < 9; r++)
		assert_has_not(row(r), "no samples yet");
}

static void the_legend_shows_the_fillings_in_their_styles(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		draw_pane(PANE_RATE, 9, 66);
		int read = col_of(0, "read"), write = col_of(0, "write");

		assert_int_equal(cv.cell[read - 2].ch, chart_sign(fx.v.level, IO_READ));
		assert_int_equal(style_at(0, read - 2), ST_READ);
		assert_int_equal(cv.cell[write - 2].ch, chart_sign(fx.v.level, IO_WRITE));
		assert_int_equal(style_at(0, write - 2), ST_WRITE);
		assert_int_equal(style_at(0, write + 4), ST_WRITE);
		assert_int_equal(style_at(0, write + 5), ST_DIM);
	}
}

/* --- Latency --- */

static void assert_percentile(const char *name, const struct hist *h, double q, int right)
{
	char value[32];
	int r = row_with(name);

	units_latency(value, sizeof(value), hist_percentile(h, q), 1);
	assert_has(row(r), value);
	assert_int_equal(col_of(r, value) + (int)strlen(value), right);
}

static void percentiles_come_from_the_histogram_of_reads_and_writes_together(void **state)
{
	struct hist both = fx.v.snap.hist[IO_READ];

	(void)state;
	hist_merge(&both, &fx.v.snap.hist[IO_WRITE]);
	draw_pane(PANE_LATENCY, 6, 39);
	assert_percentile("p50 ", &both, 0.5, 39);
	assert_percentile("p95 ", &both, 0.95, 39);
	assert_percentile("p99 ", &both, 0.99, 39);
	assert_percentile("p99.9 ", &both, 0.999, 39);
}

static void the_split_view_has_a_column_for_each_direction(void **state)
{
	(void)state;
	fx.v.latency = LATENCY_SPLIT;
	draw_pane(PANE_LATENCY, 14, 66);
	assert_percentile("p99 ", &fx.v.snap.hist[IO_READ], 0.99, 57);
	assert_percentile("p99 ", &fx.v.snap.hist[IO_WRITE], 0.99, 65);
	assert_int_equal(col_of(1, "read   write"), 53);
}

static void with_a_rate_a_column_tells_latencies_from_when_ios_were_due(void **state)
{
	struct hist *due = &fx.v.snap.hist[HIST_DUE];
	struct hist both = fx.v.snap.hist[IO_READ];

	(void)state;
	for (int i = 0; i < 100; i++)
		hist_add(due, 3 * NS_PER_SEC);
	hist_merge(&both, &fx.v.snap.hist[IO_WRITE]);
	draw_pane(PANE_LATENCY, 6, 39);
	assert_int_equal(col_of(1, "service from due"), 23);
	assert_percentile("p99 ", &both, 0.99, 30);
	assert_percentile("p99 ", due, 0.99, 39);
	fx.v.latency = LATENCY_SPLIT;
	draw_pane(PANE_LATENCY, 14, 66);
	assert_percentile("p99 ", &fx.v.snap.hist[IO_READ], 0.99, 48);
	assert_percentile("p99 ", due, 0.99, 65);
	assert_has(row(1), "read   write from due");
}

/* The end of a URL says which target and LUN it is. */
static void a_long_path_loses_its_middle(void **state)
{
	(void)state;
	strcpy(fx.target.path, "iscsi://lunuser@127.0.0.1:14777,127.0.0.2:14777/"
			       "iqn.2026-01.test.lunscope:disks/17");
	draw_pane(PANE_TARGET, 20, 60);
	assert_has(row(row_with("iscsi://")), "lunscope:disks/17");
	draw_pane(PANE_TARGET, 20, 100);
	row_with("14777/iqn.2026-01.test.lunscope:disks/17");
}

static void a_rate_has_its_lamp(void **state)
{
	(void)state;
	draw_pane(PANE_TARGET, 20, 60);
	for (int r = 0; r < 20; r++)
		assert_has_not(row(r), "rate ");
	fx.v.snap.rate = (struct lamp){LAMP_BAD, "rate not sustained: 4.20k done of 5.00k offered, "
						 "backlog 12.3k"};
	draw_pane(PANE_TARGET, 20, 90);
	assert_has(row(row_with("not sustained")), "rate ");
	assert_has(row(row_with("not sustained")), "4.20k done of 5.00k offered, backlog 12.3k");
}

static void the_rows_hold_every_io_once(void **state)
{
	double sum = 0;
	int rows = 0;

	(void)state;
	draw_pane(PANE_LATENCY, 40, 100);
	/* the shares stand just left of the percentiles */
	for (int r = 1; r < 40; r++) {
		const char *p = strchr(row(r), '%');

		if (!p)
			continue;
		while (p > text && (p[-1] == '.' || (p[-1] >= '0' && p[-1] <= '9')))
			p--;
		sum += strtod(p, NULL);
		rows++;
	}
	assert_true(rows > 10);
	assert_float_equal(sum, 100, 0.05 * rows + 0.1);
}

static void an_io_as_long_as_a_label_says_is_in_that_row(void **state)
{
	struct hist *h = &fx.v.snap.hist[IO_READ];

	(void)state;
	hist_clear(h);
	hist_clear(&fx.v.snap.hist[IO_WRITE]);
	hist_clear(&fx.v.snap.hist[HIST_DUE]);
	hist_add(h, 1000);
	hist_add(h, 2000);
	hist_add(h, 3999);
	hist_add(h, 4000);
	draw_pane(PANE_LATENCY, 4, 80);
	assert_has(row(row_with(" 1 us ")), "25.0%");
	assert_has(row(row_with(" 2 us ")), "50.0%");
	assert_has(row(row_with(" 4 us ")), "25.0%");
}

static void few_rows_take_what_lies_beyond(void **state)
{
	(void)state;
	hist_add(&fx.v.snap.hist[IO_READ], 1000);
	draw_pane(PANE_LATENCY, 4, 80);
	/* 1 us and 20 ms don't fit into three powers */
	assert_has(row(1), "<1 ms");
	assert_has(row(3), "ms+");
}

static void without_io_there_are_no_percentiles(void **state)
{
	(void)state;
	fixture_empty(&fx, GL_ASCII);
	draw_pane(PANE_LATENCY, 8, 39);
	assert_has(row(1), "no samples");
	int r = row_with("p99 ");

	assert_int_equal(col_of(r, "-"), 38);
	assert_has_not(row(r), "0");
}

static void latencies_have_micro_signs_only_where_they_can_be_shown(void **state)
{
	(void)state;
	draw_pane(PANE_LATENCY, 8, 60);
	row_with("512 us");
	fixture_level(&fx, GL_VT);
	draw_pane(PANE_LATENCY, 8, 60);
	row_with("512 µs");
}

/* --- CPU --- */

static void the_cpu_pane_shows_every_share_and_the_cost(void **state)
{
	char cost[32];

	(void)state;
	draw_pane(PANE_CPU, 9, 60);
	assert_has(row(0), "23.0% of 16");
	assert_has(row(row_with("user")), " 4.0%");
	assert_has(row(row_with("system")), " 11.0%");
	assert_has(row(row_with("softirq")), " 7.0%");
	assert_has(row(row_with("iowait")), " 2.0%");
	assert_has(row(row_with("steal")), " 0.0%");
	assert_has(row(row_with("hot")), "cpu3 88%");
	snprintf(cost, sizeof(cost), "%.1f us/IO", figures_of(&fx.v.snap).cpu_us_per_io);
	assert_has(row(row_with("cost")), cost);
	assert_has(row(row_with("switches")), "91.2k/s");
	assert_has(row(row_with("lunscope")), "83.0%");
}

static void htop_709_lunscopes_own_cost_stands_below_the_hosts_where_there_is_room(void **state)
{
	char own[32];
	int r;

	(void)state;
	snprintf(own, sizeof(own), "%.2f us/IO", figures_of(&fx.v.snap).self_us_per_io);
	draw_pane(PANE_CPU, 9, 60);
	r = row_with("of that");
	assert_has(row(r), own);
	assert_has(row(r - 1), "cost");
	draw_pane(PANE_CPU, 30, 120);
	assert_has(row(row_with("of that")), "lunscope's own");
	draw_pane(PANE_CPU, 5, 60);
	for (r = 0; r < 5; r++)
		assert_has_not(row(r), "of that");
}

/* Half a screen of 80 columns has no room to spare for them. */
static void a_figure_of_the_cpu_pane_never_touches_its_name(void **state)
{
	struct cpu_sample *cpu = &fx.v.snap.cpu;
	const double own_ns = (double)cpu->self_ns, own_us = figures_of(&fx.v.snap).self_us_per_io;

	(void)state;
	for (double us = 0.0123; us < 99999; us *= 10) {
		cpu->self_ns = (uint64_t)(own_ns * us / own_us);
		draw_pane(PANE_CPU, 9, 39);
		assert_has(row(row_with("of that ")), " us/IO");
	}
	cpu->hot_cpu = 1023;
	cpu->hot_share = 1;
	draw_pane(PANE_CPU, 5, 39);
	assert_has(row(row_with("cpu1023")), " 100% cpu1023");
}

static void the_first_second_is_being_measured_then_cpu_is_not_known(void **state)
{
	struct snapshot *s = &fx.v.snap;

	(void)state;
	s->cpu.valid = false;
	for (int tenths = 0; tenths < 30; tenths++) {
		bool first = tenths < 20; /* what a second holds comes with the next */

		s->t_ns = s->start_ns + (uint64_t)tenths * TICK_NS;
		draw_pane(PANE_CPU, 9, 60);
		assert_has(row(0), first ? " measuring " : " not known ");
		assert_has_not(row(0), first ? "not known" : "measuring");
		assert_has_not(row(1), first ? "no figures" : "measured");
	}
	/* another target, of which nothing is known yet */
	memset(s, 0, sizeof(*s));
	draw_pane(PANE_CPU, 9, 60);
	assert_has(row(0), " measuring ");
}

static void the_busiest_cpu_is_named_where_there_is_no_room_for_all(void **state)
{
	(void)state;
	draw_pane(PANE_CPU, 6, 60);
	assert_has(row(row_with("busiest")), "88% cpu3");
	for (int r = 0; r < 6; r++)
		assert_has_not(row(r), "cores");
	fx.v.snap.cores.count = 0; /* not known */
	draw_pane(PANE_CPU, 12, 60);
	assert_has(row(row_with("busiest")), "88% cpu3");
	for (int r = 0; r < 12; r++)
		assert_has_not(row(r), "hot");
}

static void few_rows_put_both_kinds_of_interrupts_together(void **state)
{
	(void)state;
	draw_pane(PANE_CPU, 6, 40);
	assert_has(row(row_with("irq")), " 8.0%");
	for (int r = 0; r < 6; r++)
		assert_has_not(row(r), "softirq");
}

static void unknown_cpu_is_not_zero(void **state)
{
	(void)state;
	fx.v.snap.cpu.valid = false;
	draw_pane(PANE_CPU, 9, 60);
	assert_has(row(0), "not known");
	for (int r = 0; r < 9; r++)
		assert_has_not(row(r), "0.0%");
	draw_row(answer_draw, 80);
	assert_int_equal(cv.cell[79].ch, '-');
}

/* --- Target --- */

static void the_target_pane_tells_what_is_tested_and_what_may_be_written(void **state)
{
	(void)state;
	draw_pane(PANE_TARGET, 13, 66);
	assert_has(row(row_with("path")), "/dev/sdb");
	assert_has(row(row_with("size")), "1.82 TiB, 512 B blocks on 4 KiB");
	assert_has(row(row_with("engine")), "libaio, direct");
	assert_has(row(row_with("WRITES")), "! allowed: 1 GiB at the start");
	assert_int_equal(style_at(row_with("WRITES"), col_of(row_with("WRITES"), "allowed")),
			 ST_WARN);
	assert_has(row(row_with("depth")), "* 255.8 of 256");
	assert_has(row(row_with("steady")), "steady  * IOPS within 0.8 % for 50 s");
	assert_has(row(row_with("device")), "6.7 requests in flight");
	assert_has(row(row_with("errors")), "EIO 2");
	assert_has(row(row_with("record")), "run 46");
	fx.v.snap.device_depth = -1;
	draw_pane(PANE_TARGET, 13, 66);
	for (int r = 0; r < 13; r++)
		assert_has_not(row(r), "device");
	fx.target.may_write = false;
	draw_pane(PANE_TARGET, 13, 66);
	assert_has(row(row_with("writes")), "not allowed, reads only");
}

static void the_paths_to_a_lun_are_one_line_of_the_target(void **state)
{
	struct sessions *s = &fx.v.snap.sessions;
	(void)state;
	sessions_fixture_single(s, fx.v.snap.t_ns);
	draw_pane(PANE_TARGET, 24, 80);
	assert_has(row(row_with("paths")), "paths   1 of 1 up, 128 in flight");
	/* What is down is trouble; what was taken out is not. */
	sessions_fixture(s, fx.v.snap.t_ns);
	draw_pane(PANE_TARGET, 30, 80);
	assert_has(row(row_with("paths")), "! 2 of 4 up, 144 in flight, 3 waiting, path 2 down");
	assert_int_equal(style_at(row_with("paths"), col_of(row_with("paths"), "2 of 4")), ST_WARN);
	s->path[1] = s->path[0];
	s->path[3] = s->path[0];
	draw_pane(PANE_TARGET, 30, 100);
	assert_has(row(row_with("paths")), "paths   3 of 4 up, 384 in flight");
	for (unsigned i = 0; i < s->paths; i++)
		s->path[i].up = 0;
	draw_pane(PANE_TARGET, 30, 100);
	assert_has(row(row_with("paths")), "0 of 4 up");
	assert_has(row(row_with("paths")), "IO stands still");
}

static void a_range_that_is_not_the_whole_target_is_told(void **state)
{
	struct workload *w = &fx.v.snap.workload;

	(void)state;
	draw_pane(PANE_TARGET, 13, 80);
	for (int r = 0; r < 13; r++)
		assert_has_not(row(r), "range");
	w->align = 65536;
	draw_pane(PANE_TARGET, 13, 80);
	assert_has(row(row_with("range")), "all of it, offsets multiples of 64 KiB");
	w->align = 0;
	w->range_length = 10 * GIB;
	draw_pane(PANE_TARGET, 13, 80);
	assert_has(row(row_with("range")), "the first 10 GiB");
	w->range_start = 3 * GIB / 2;
	w->share_range = true;
	draw_pane(PANE_TARGET, 13, 80);
	assert_has(row(row_with("range")), "10 GiB from 1536 MiB on, shared by all workers");
	w->range_length = 0;
	draw_pane(PANE_TARGET, 13, 80);
	assert_has(row(row_with("range")), "1.82 TiB from 1536 MiB on");
	/* where rows are few, what counts more stays */
	draw_pane(PANE_TARGET, 4, 80);
	for (int r = 0; r < 4; r++)
		assert_has_not(row(r), "range");
}

static void trouble_is_shown_before_all_else_where_rows_are_few(void **state)
{
	(void)state;
	fx.v.snap.depth = (struct lamp){LAMP_BAD, "depth 1.0 of 64: sync does one IO at a time"};
	fx.v.snap.oldest_ns = 12 * NS_PER_SEC;
	fx.target.may_write = false;
	draw_pane(PANE_TARGET, 4, 66);
	assert_has(row(1), "! 1.0 of 64: sync does one IO at a time");
	assert_int_equal(style_at(1, col_of(1, "!")), ST_BAD);
	assert_has(row(2), "! 12.0 s in flight");
	assert_has(row(3), "EIO 2");
	assert_int_equal(style_at(3, col_of(3, "EIO")), ST_BAD);
}

/* The target pane at 80x24. */
static void draw_small_target(void)
{
	struct layout l = layout_compute(24, 80, PANE_COUNT, pane_plan_usual.hidden, 0, 0, false);

	draw_pane(PANE_TARGET, l.pane[PANE_TARGET].rows, l.pane[PANE_TARGET].cols);
}

static void a_lamps_reason_is_read_whole_on_a_small_screen(void **state)
{
	(void)state;
	fx.v.snap.depth = (struct lamp){LAMP_BAD, "depth 1.0 of 64: it does one IO at a time "
						  "per worker"};
	draw_small_target();
	int r = row_with("depth   ! 1.0 of 64:");

	assert_string_equal(row(r), "depth   ! 1.0 of 64:");
	assert_string_equal(row(r + 1), "  it does one IO at a time per worker");
	assert_int_equal(style_at(r + 1, 12), ST_BAD);
	/* and what may be written is told beside it */
	row_with("WRITES  ! allowed: 1 GiB at the start");
	/* where there is no second row for it, dots say so */
	fx.v.snap.errors[5] = 0;
	fx.target.may_write = false;
	draw_pane(PANE_TARGET, 2, 39);
	assert_string_equal(row(1), "depth   ! 1.0 of 64: it does one IO ...");
}

static void the_target_pane_tells_why_an_engine_was_chosen(void **state)
{
	(void)state;
	draw_pane(PANE_TARGET, 16, 66);
	for (int r = 0; r < 16; r++)
		assert_has_not(row(r), "auto");
	strcpy(fx.target.backend_why, "completions come in batches, and the target takes NOWAIT");
	strcpy(fx.v.snap.engine_remark, "buffers are not registered: ulimit -l is too low");
	draw_pane(PANE_TARGET, 16, 66);
	int engine = row_with("engine");
	assert_has(row(engine), "libaio (auto), direct");
	assert_has(row(engine + 1), "auto");
	assert_has(row(engine + 1), fx.target.backend_why);
	assert_has(row(engine + 2), "note");
	assert_has(row(engine + 2), fx.v.snap.engine_remark);
}

static void where_writing_is_allowed_is_told_on_a_small_screen(void **state)
{
	(void)state;
	fx.target.write_start = MIB;
	draw_small_target();
	row_with("WRITES  ! allowed: 1 GiB at 1 MiB");
	fx.target.write_start = 1536 * MIB;
	fx.target.write_length = 1900 * GIB;
	draw_small_target();
	row_with("WRITES  ! allowed: 1.86 TiB at");
	fx.target.kind = TARGET_NULL;
	draw_pane(PANE_TARGET, 12, 66);
	row_with("writes  allowed, they go nowhere");
}

static void trouble_without_a_place_to_break_is_cut_with_dots(void **state)
{
	(void)state;
	memset(fx.v.snap.store_trouble, 'x', 60);
	draw_pane(PANE_TARGET, 12, 39);
	assert_has(row(row_with("record")), "xxx...");
}

static void errors_are_named_and_whole_ones_are_left_out(void **state)
{
	(void)state;
	fx.v.snap.errors[0] = 4;
	fx.v.snap.errors[ENOSPC] = 31;
	fx.v.snap.errors[ETIMEDOUT] = 9;
	draw_pane(PANE_TARGET, 12, 80);
	assert_has(row(row_with("errors")), "short 4, EIO 2, ENOSPC 31, ETIMEDOUT 9");
	draw_pane(PANE_TARGET, 12, 39);
	assert_has(row(row_with("errors")), "short 4, EIO 2, +2 more");
	draw_pane(PANE_TARGET, 30, 80);
	assert_has(row(row_with("No space left")), "ENOSPC");
}

/* --- Events --- */

static void events_are_newest_at_the_bottom(void **state)
{
	(void)state;
	draw_pane(PANE_EVENTS, 6, 66);
	assert_string_equal(row(1), " 11:51:50 * run start: 8 x 32, 4 KiB, 70 % read, random");
	assert_string_equal(row(2), " 12:03:55 a MTU 9000 > 1500 on ens1f0");
	assert_string_equal(row(3), " 12:03:57 ! 2 IO errors: Input/output error");
	assert_string_equal(row(5), " 12:04:25 c outstanding 16 > 32, block 64 KiB > 4 KiB");
	assert_int_equal(style_at(2, 10), ST_MARK);
	assert_int_equal(style_at(3, 10), ST_WARN);
}

static void events_scroll_back_but_not_beyond_the_first(void **state)
{
	(void)state;
	draw_pane(PANE_EVENTS, 3, 66);
	assert_has(row(2), "outstanding 16");
	fx.v.scroll = 1;
	draw_pane(PANE_EVENTS, 3, 66);
	assert_has(row(0), "1 newer below");
	assert_has(row(2), "MTU 1500 > 9000");
	fx.v.scroll = 1000;
	draw_pane(PANE_EVENTS, 3, 66);
	assert_has(row(0), "3 newer below");
	assert_has(row(1), "run start");
	/* Further is no place to come back from, and where all is seen there is none at all. */
	assert_int_equal(pane_events_most(&fx.v, (struct rect){0, 0, 3, 66}), 3);
	assert_int_equal(pane_events_most(&fx.v, (struct rect){0, 0, 20, 66}), 0);
}

static void a_long_text_ends_with_a_whole_word_and_dots(void **state)
{
	(void)state;
	mark_at('z', 0.1, "the newest is told in full");
	draw_pane(PANE_EVENTS, 6, 40);
	assert_string_equal(row(4), "12:04:25 c outstanding 16 > 32, ...");
	fixture_level(&fx, GL_EIGHTH);
	draw_pane(PANE_EVENTS, 6, 38);
	assert_string_equal(row(4), "12:04:25 c outstanding 16 → 32, …");
}

static void a_large_pane_tells_every_event_in_full(void **state)
{
	static const char words[] = "path 3 is back after 6.52 s; 4 IOs moved within 3.64 ms, the "
				    "longest stood for 6.53 s";
	(void)state;
	mark_at('y', 0.2, words);
	mark_at('z', 0.1, "the newest");
	draw_pane(PANE_EVENTS, 20, 50);
	int at = row_with("path 3 is back");
	assert_has(row(at + 1), "moved within 3.64 ms, the longest");
	assert_has(row(at + 2), "stood for 6.53 s");
	assert_has(row(at + 3), "z the newest");
	assert_has(row(1), "run start");
	/* Of what has no room at all the end is seen to be missing. */
	fx.v.mark_count--;
	draw_pane(PANE_EVENTS, 3, 50);
	assert_has(row(1), "path 3 is back");
	assert_has(row(2), "...");
	fx.v.mark_count++;
	/* With less room the oldest go, whole ones. */
	draw_pane(PANE_EVENTS, 10, 50);
	assert_has(row(9), "z the newest");
	assert_has(row(7), "moved within 3.64 ms, the longest");
	fx.v.scroll = 1000;
	draw_pane(PANE_EVENTS, 10, 50);
	assert_has(row(1), "run start");
}

static void a_number_keeps_its_unit_when_a_text_is_cut(void **state)
{
	(void)state;
	for (int width = 1; width < 60; width++) {
		assert_int_equal(canvas_resize(&cv, 1, 60), 0);
		int used = text_draw(&cv, canvas_rect(&cv), 0, 0, width, fx.mark[4].text, fx.v.g,
				     ST_NORMAL);
		assert_true(used <= width);
		assert_int_equal(col_of(0, "64 ..."), -1);
		assert_int_equal(col_of(0, "> ..."), -1);
		assert_int_equal(col_of(0, "4 ..."), -1);
	}
}

/* --- Everything, everywhere --- */

/* Draws one pane inside a larger canvas and checks that it left the rest alone. */
static void check_inside(enum pane_id p, int rows, int cols)
{
	struct rect r = {1, 2, rows, cols};

	assert_int_equal(canvas_resize(&cv, rows + 2, cols + 4), 0);
	canvas_fill(&cv, canvas_rect(&cv), '~', ST_NORMAL);
	canvas_fill(&cv, r, ' ', ST_NORMAL);
	panes[p].draw(&cv, r, &fx.v);
	for (int y = 0; y < cv.rows; y++)
		for (int x = 0; x < cv.cols; x++) {
			bool in = y >= 1 && y <= rows && x >= 2 && x < cols + 2;
			uint32_t ch = cv.cell[y * cv.cols + x].ch;

			if (!in && ch != '~')
				fail_msg("%s at %dx%d drew outside, at %d,%d", panes[p].title, rows,
					 cols, y, x);
		}
	level_check(&cv, fx.v.level, panes[p].title);
}

static void sweep(void)
{
	for (int p = 0; p < PANE_COUNT; p++) {
		int rows, cols;

		layout_pane_min((enum pane_id)p, &rows, &cols);
		for (int y = rows; y <= 100; y += y < 14 ? 1 : 17)
			for (int x = cols; x <= 300; x += x < 90 ? 3 : 41)
				check_inside((enum pane_id)p, y, x);
		check_inside((enum pane_id)p, 100, 300);
		/* smaller than any layout makes them: nothing to see, but no harm either */
		for (int y = 1; y < 6; y++)
			for (int x = 1; x < 44; x += 7)
				check_inside((enum pane_id)p, y, x);
	}
}

static void every_pane_stays_inside_at_every_size_and_level(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		fx.v.latency = level % 2 ? LATENCY_SPLIT : LATENCY_TOTAL;
		sessions_fixture(&fx.v.snap.sessions, fx.v.snap.t_ns);
		fx.v.path = (unsigned)level % FIXTURE_PATHS;
		sweep();
	}
}

static void every_pane_draws_before_the_first_sample(void **state)
{
	(void)state;
	fixture_empty(&fx, GL_BRAILLE);
	sweep();
	fixture_empty(&fx, GL_ASCII);
	fx.v.target = NULL;
	fx.v.snap.ended = true;
	fx.v.frozen = true;
	sweep();
}

static void every_screen_draws_at_every_size(void **state)
{
	(void)state;
	sessions_fixture(&fx.v.snap.sessions, fx.v.snap.t_ns);
	for (int rows = 1; rows <= 60; rows += 3)
		for (int cols = 1; cols <= 200; cols += 7)
			for (int zoom = 0; zoom <= PANE_COUNT; zoom += 3)
				fixture_screen(&cv, &fx, rows, cols, (enum pane_id)zoom);
	for (int level = 0; level < GL_COUNT; level++)
		for (int zoom = 0; zoom <= PANE_COUNT; zoom++) {
			fixture_level(&fx, (enum glyph_level)level);
			fixture_screen(&cv, &fx, 43, 132, (enum pane_id)zoom);
			level_check(&cv, (enum glyph_level)level, "the screen");
		}
	fixture_level(&fx, GL_ASCII);
	fx.v.snap.sessions.paths = 0;
	fixture_screen(&cv, &fx, 24, 80, PANE_COUNT);
	assert_has(row(1), "Outst <  32>");
	assert_has(row(3), "IOPS");
	assert_has(row(12), "Latency");
	assert_has(row(12), "CPU");
	assert_has(row(18), "Target");
	assert_has(row(18), "Events");
}

#define PANE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PANE_TEST(the_header_names_state_time_host_target_and_clock),
		PANE_TEST(the_header_says_that_io_stands_still),
		PANE_TEST(permission_to_write_stands_in_the_header_at_any_width),
		PANE_TEST(the_header_keeps_its_columns_whatever_the_state),
		PANE_TEST(the_header_counts_errors_and_keeps_them_when_it_is_narrow),
		PANE_TEST(the_focused_knob_is_reversed_and_in_angle_brackets),
		PANE_TEST(no_knob_is_in_brackets_while_a_pane_has_the_focus),
		PANE_TEST(the_bar_stands_still_while_a_knob_is_turned),
		PANE_TEST(knobs_that_gave_way_to_access_lines_have_no_value),
		PANE_TEST(a_wide_bar_has_full_names_and_the_whole_queue),
		PANE_TEST(a_narrow_bar_always_holds_the_focused_knob),
		PANE_TEST(the_answer_is_the_arithmetic_of_the_second),
		PANE_TEST(read_and_write_make_the_total),
		PANE_TEST(cpu_is_busy_over_all_time_and_an_io_costs_its_share),
		PANE_TEST(no_io_has_rate_zero_and_no_latency),
		PANE_TEST(the_answer_drops_whole_figures_and_the_main_ones_last),
		PANE_TEST(a_line_stands_between_the_answers_groups_at_any_width),
		PANE_TEST(the_answers_columns_do_not_depend_on_its_figures),
		PANE_TEST(digits_never_exceed_their_field),
		PANE_TEST(a_focused_pane_has_brackets_the_focus_style_and_the_cursor),
		PANE_TEST(the_iops_chart_has_both_scales_when_blocks_are_alike),
		PANE_TEST(a_mark_has_its_letter_above_its_line_and_its_cause_below),
		PANE_TEST(both_charts_put_a_mark_into_the_same_column),
		PANE_TEST(charts_side_by_side_have_the_same_columns_at_any_width),
		PANE_TEST(marks_in_one_column_show_the_newest_and_that_there_are_more),
		PANE_TEST(a_cause_that_does_not_fit_whole_is_left_to_the_events),
		PANE_TEST(time_that_no_mean_counts_is_shaded_on_the_axis),
		PANE_TEST(a_mark_that_was_passed_is_nowhere),
		PANE_TEST(the_newest_event_is_told_in_full),
		PANE_TEST(the_throughput_chart_scales_in_the_unit_shown),
		PANE_TEST(a_chart_without_samples_says_so),
		PANE_TEST(the_legend_shows_the_fillings_in_their_styles),
		PANE_TEST(percentiles_come_from_the_histogram_of_reads_and_writes_together),
		PANE_TEST(the_split_view_has_a_column_for_each_direction),
		PANE_TEST(with_a_rate_a_column_tells_latencies_from_when_ios_were_due),
		PANE_TEST(a_long_path_loses_its_middle),
		PANE_TEST(a_rate_has_its_lamp),
		PANE_TEST(the_rows_hold_every_io_once),
		PANE_TEST(an_io_as_long_as_a_label_says_is_in_that_row),
		PANE_TEST(few_rows_take_what_lies_beyond),
		PANE_TEST(without_io_there_are_no_percentiles),
		PANE_TEST(latencies_have_micro_signs_only_where_they_can_be_shown),
		PANE_TEST(the_cpu_pane_shows_every_share_and_the_cost),
		PANE_TEST(htop_709_lunscopes_own_cost_stands_below_the_hosts_where_there_is_room),
		PANE_TEST(a_figure_of_the_cpu_pane_never_touches_its_name),
		PANE_TEST(the_first_second_is_being_measured_then_cpu_is_not_known),
		PANE_TEST(the_busiest_cpu_is_named_where_there_is_no_room_for_all),
		PANE_TEST(few_rows_put_both_kinds_of_interrupts_together),
		PANE_TEST(unknown_cpu_is_not_zero),
		PANE_TEST(the_target_pane_tells_what_is_tested_and_what_may_be_written),
		PANE_TEST(the_target_pane_tells_why_an_engine_was_chosen),
		PANE_TEST(the_paths_to_a_lun_are_one_line_of_the_target),
		PANE_TEST(a_range_that_is_not_the_whole_target_is_told),
		PANE_TEST(trouble_is_shown_before_all_else_where_rows_are_few),
		PANE_TEST(a_lamps_reason_is_read_whole_on_a_small_screen),
		PANE_TEST(where_writing_is_allowed_is_told_on_a_small_screen),
		PANE_TEST(trouble_without_a_place_to_break_is_cut_with_dots),
		PANE_TEST(errors_are_named_and_whole_ones_are_left_out),
		PANE_TEST(events_are_newest_at_the_bottom),
		PANE_TEST(events_scroll_back_but_not_beyond_the_first),
		PANE_TEST(a_long_text_ends_with_a_whole_word_and_dots),
		PANE_TEST(a_large_pane_tells_every_event_in_full),
		PANE_TEST(a_number_keeps_its_unit_when_a_text_is_cut),
		PANE_TEST(every_pane_stays_inside_at_every_size_and_level),
		PANE_TEST(every_pane_draws_before_the_first_sample),
		PANE_TEST(every_screen_draws_at_every_size),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
