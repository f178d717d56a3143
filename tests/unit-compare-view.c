/* unit-compare-view.c - the verdict below the answer, and the compare view, read off the cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tests/canvas-print.h"
#include "tests/level-check.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "ui/verdict.h"
#include "view-fixture.h"

static struct fixture fx;
static struct canvas cv;
static struct live_pair pair;
static struct live_segment segment[30];
static char text[2048];

/* --- What is compared. --- */

static void figure(enum metric m, double a, double b, enum verdict_kind kind, double spread)
{
	pair.c.shown[m] = true;
	pair.c.verdict[m] = (struct verdict){
		.kind = kind,
		.a = a,
		.b = b,
		.ratio = b / a,
		.low = b / a * (1 - spread),
		.high = b / a * (1 + spread),
		.p = kind == VERDICT_DIFFERENT ? 0.001 : 0.4,
		.least = 1.5 * spread,
		.batches = 10,
		.more = kind == VERDICT_UNKNOWN ? 40 : 0,
	};
}

static void add_segment(size_t n, char letter, unsigned length_s, const char *words)
{
	const uint64_t start_ns = n ? segment[n - 1].end_ns : 1000 * NS_PER_SEC;

	for (size_t i = 0; i < n; i++)
		segment[i].open = false;
	segment[n] = (struct live_segment){.number = (uint32_t)n + 1,
					   .open = true,
					   .start_ns = start_ns,
					   .end_ns = start_ns + length_s * NS_PER_SEC,
					   .steady = STEADY_TRUE};
	segment[n].mark = (struct mark){.letter = letter, .t_ns = start_ns, .wall = start_ns};
	snprintf(segment[n].mark.text, MARK_TEXT, "%s", words);
	pair.segments = n + 1;
}

static int set_up(void **state)
{
	(void)state;
	fixture_make(&fx, GL_ASCII);
	pair = (struct live_pair){.segment = segment, .a = 1, .b = 2, .state = LIVE_KNOWN};
	add_segment(0, 0, 60, "run start 8 x 32, 4 KiB");
	add_segment(1, 'a', 72, "outstanding 4 > 8");
	add_segment(2, 'b', 61, "eth2 mtu 1500 > 9000");
	figure(METRIC_IOPS_T, 6414, 7190, VERDICT_DIFFERENT, 0.02);
	figure(METRIC_RATE_T, 25e6, 28.02e6, VERDICT_DIFFERENT, 0.02);
	figure(METRIC_P99, 4.6e6, 4.5e6, VERDICT_NOISE, 0.06);
	figure(METRIC_MEAN_T, 1.8e6, 1.9e6, VERDICT_DIFFERENT, 0.01);
	figure(METRIC_CPU, 20, 21, VERDICT_DIFFERENT, 0.01);
	figure(METRIC_CPU_GIB, 1.5, 0.93, VERDICT_DIFFERENT, 0.02);
	pair.side[0].seconds = 66;
	pair.side[1].seconds = 53;
	pair.side[1].warmup = 5;
	pair.differ = json_pack("[s]", "environment eth2 mtu: 1500 > 9000");
	pair.c.differences = 1;
	fx.v.pair = &pair;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	json_decref(pair.differ);
	canvas_free(&cv);
	return 0;
}

/* --- Reading. --- */

static const char *row(int r)
{
	return canvas_row(&cv, r, text, sizeof(text));
}

static int row_with(const char *needle)
{
	for (int r = 0; r < cv.rows; r++)
		if (strstr(row(r), needle))
			return r;
	canvas_print(&cv, stderr);
	fail_msg("no row has '%s'", needle);
	return -1;
}

static void expect_row(int r, const char *words)
{
	if (strcmp(row(r), words) != 0)
		fail_msg("row %d is '%s', and not '%s'", r, row(r), words);
}

static enum style style_of(int r, const char *needle)
{
	const char *at = strstr(row(r), needle);

	assert_non_null(at);
	return (enum style)cv.cell[r * cv.cols + (at - text)].style;
}

static void draw_line(int cols)
{
	assert_int_equal(canvas_resize(&cv, 1, cols), 0);
	verdict_draw(&cv, canvas_rect(&cv), &fx.v);
}

/* --- The row below the answer. --- */

static void the_verdict_has_the_figures_that_matter_in_one_line(void **state)
{
	(void)state;
	draw_line(80);
	expect_row(0, "b against a: IOPS +12.1 % [+9.9, +14.3]  CPU/GiB -38.0 %  p99 within noise");
	assert_int_equal(style_of(0, "IOPS"), ST_GOOD);
	assert_int_equal(style_of(0, "CPU/GiB"), ST_GOOD);
	assert_int_equal(style_of(0, "p99"), ST_NORMAL);
	/* More of them where there is room; but none that only repeat others. */
	figure(METRIC_IOPS_R, 6414, 7190, VERDICT_DIFFERENT, 0.02);
	figure(METRIC_CPU_IO, 6, 3.72, VERDICT_DIFFERENT, 0.02);
	draw_line(132);
	expect_row(0,
		   " b against a: IOPS +12.1 % [+9.9, +14.3]  CPU/GiB -38.0 %  p99 within noise  "
		   "! mean +5.6 %  v compares");
	assert_int_equal(style_of(0, "! mean"), ST_WARN);
}

static void what_got_worse_has_a_sign_besides_its_style(void **state)
{
	(void)state;
	figure(METRIC_IOPS_T, 6414, 4360, VERDICT_DIFFERENT, 0.02);
	draw_line(80);
	row_with("a: ! IOPS -32.0 % [-33.4, -30.7]");
	assert_int_equal(style_of(0, "! IOPS"), ST_WARN);
}

static void a_rate_that_went_another_way_is_told(void **state)
{
	(void)state;
	figure(METRIC_RATE_T, 25e6, 50e6, VERDICT_DIFFERENT, 0.02);
	draw_line(80);
	row_with("rate +100 %");
}

static void before_it_is_known_it_says_how_long_that_takes(void **state)
{
	(void)state;
	pair.state = LIVE_MORE;
	pair.c.more_s = 11.2;
	draw_line(80);
	expect_row(0, "b against a: about 12 s more  v compares");
	pair.state = LIVE_A_SHORT;
	pair.needed_s[0] = 90;
	draw_line(80);
	expect_row(0, "b against a: a is too short: 72 s of about 90  v compares");
	pair.a = 0;
	draw_line(80);
	expect_row(0, "b against the start: the start is too short: 60 s of about 90  v compares");
}

static void that_several_things_differ_is_said(void **state)
{
	(void)state;
	pair.c.differences = 3;
	draw_line(132);
	row_with("! 3 things differ");
}

static void without_two_segments_and_during_a_search_there_is_no_verdict(void **state)
{
	struct pilot pilot = {0};
	(void)state;
	assert_true(verdict_wanted(&fx.v));
	fx.v.pilot = &pilot;
	draw_line(80);
	expect_row(0, "");
	fx.v.pilot = NULL;
	pair.state = LIVE_ONE;
	assert_false(verdict_wanted(&fx.v));
	draw_line(80);
	expect_row(0, "");
	fx.v.pair = NULL;
	assert_false(verdict_wanted(&fx.v));
}

static void the_row_never_leaves_its_width(void **state)
{
	(void)state;
	for (unsigned m = 0; m < METRICS; m++)
		figure((enum metric)m, 1, 1e9, VERDICT_DIFFERENT, 0.5);
	for (int cols = 20; cols <= 200; cols++)
		draw_line(cols);
}

/* --- The view. --- */

static struct {
	int chosen[2], usual, differences, help, in_turn;
} asked;

static void choose(void *ctx, bool baseline, int dir)
{
	(void)ctx;
	asked.chosen[baseline] += dir;
}

static void usual(void *ctx)
{
	(void)ctx;
	asked.usual++;
}

static void differences(void *ctx, bool by_pairs)
{
	(void)ctx;
	(void)by_pairs;
	asked.differences++;
}

static void help(void *ctx)
{
	(void)ctx;
	asked.help++;
}

static bool in_turn(void *ctx, int key)
{
	(void)ctx;
	asked.in_turn += key == 'A';
	return key == 'A';
}

static struct dialog make(void)
{
	const struct compare_desk desk = {choose, usual, differences, help, in_turn, NULL};

	memset(&asked, 0, sizeof(asked));
	return dialog_compare(&desk, false);
}

static void draw_view(struct dialog *d, int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	d->draw(d->state, &cv, canvas_rect(&cv), &fx.v);
	level_check(&cv, fx.v.level, "the comparison");
}

static void the_view_has_segments_figures_and_what_else_differs(void **state)
{
	struct dialog d = make();
	(void)state;
	draw_view(&d, 24, 80);
	expect_row(
		1,
		"-- Segments ------------------------------------------------------ 3 segments --");
	expect_row(2, "     from        length  steady  what changed at its start");
	expect_row(3, "   - 00:16:40  00:01:00  yes     run start 8 x 32, 4 KiB");
	expect_row(4, " A a 00:17:40  00:01:12  yes     outstanding 4 > 8");
	expect_row(5, " B b 00:18:52  00:01:01  yes     eth2 mtu 1500 > 9000");
	row_with("-- b against a --");
	expect_row(row_with("IOPS"),
		   " IOPS             6.41k      7.19k  +12.1 % [+9.9, +14.3]  different, better");
	expect_row(row_with("mean"),
		   " mean           1.80 ms    1.90 ms  +5.6 % [+4.5, +6.6]    different, worse");
	expect_row(
		row_with("p99"),
		" p99            4.60 ms    4.50 ms  -2.2 % [-8.0, +3.7]    within noise (9.0 %)");
	/* Neither good nor bad. */
	int cpu = row_with("CPU      ");
	expect_row(cpu, " CPU             20.0 %     21.0 %  +5.0 % [+4.0, +6.0]    different");
	assert_int_equal(style_of(cpu, "different"), ST_VALUE);
	row_with("One thing differs: environment eth2 mtu: 1500 > 9000");
	row_with("Counted: A 66 s, B 53 s; not 3 s next to a mark, nor warm-up (A 0 s, B 5 s).");
	expect_row(
		23,
		"EscBack ?Help AIn turn Up/DnChoose B Left/RightChoose A dDiffers HomeLast mark");
	assert_int_equal(style_of(5, "eth2"), ST_SELECTED);
	d.free(d.state);
}

static void a_wide_view_has_the_verdicts_in_full(void **state)
{
	struct dialog d = make();
	(void)state;
	fixture_level(&fx, GL_BRAILLE);
	pair.c.differences = 2;
	draw_view(&d, 43, 132);
	row_with("not shown; would have seen 9.0 %");
	/* The ratio as well as the change. */
	assert_non_null(
		strstr(row(row_with("IOPS ")), " 7.19k     1.121    +12.1 % [+9.9, +14.3]"));
	int r = row_with("! 2 things differ, so that no single one explains the figures: d lists");
	assert_int_equal(style_of(r, "!"), ST_WARN);
	pair.c.differences = 0;
	draw_view(&d, 43, 132);
	row_with("within noise; would have seen 9.0 %");
	row_with("Nothing else differs that is known of.");
	d.free(d.state);
}

static void what_is_not_known_says_what_is_lacking(void **state)
{
	struct dialog d = make();
	(void)state;
	figure(METRIC_P99, 4.6e6, 4.5e6, VERDICT_UNKNOWN, NAN);
	draw_view(&d, 24, 80);
	expect_row(row_with("p99"),
		   " p99            4.60 ms    4.50 ms  -2.2 %                 about 40 s more");
	/* Neither segment gets any longer. */
	segment[2].open = false;
	draw_view(&d, 24, 80);
	assert_non_null(strstr(row(row_with("p99")), "not enough data"));
	pair.state = LIVE_A_SHORT;
	pair.needed_s[0] = 90;
	draw_view(&d, 24, 80);
	assert_non_null(strstr(row(row_with("p99")), "A is too short"));
	row_with("b against a ----------------------------- a is too short: 72 s of about 90 --");
	d.free(d.state);
}

static void what_there_was_none_of_has_no_per_cent(void **state)
{
	struct dialog d = make();
	(void)state;
	figure(METRIC_RETRANSMITS, 0, 0, VERDICT_NOISE, NAN);
	pair.c.verdict[METRIC_RETRANSMITS].ratio = pair.c.verdict[METRIC_RETRANSMITS].p = 1;
	figure(METRIC_PAUSES, 0, 12, VERDICT_DIFFERENT, NAN);
	draw_view(&d, 24, 80);
	expect_row(row_with("retransmits"),
		   " retransmits        0/s        0/s  0.0 %                  the same: none");
	expect_row(row_with("pause frames"),
		   " pause frames       0/s       12/s  from none              different, worse");
	draw_line(132);
	row_with("! pause frames from none");
	d.free(d.state);
}

static void with_one_segment_the_view_says_how_there_come_to_be_two(void **state)
{
	struct dialog d = make();
	(void)state;
	pair.state = LIVE_ONE;
	draw_view(&d, 24, 80);
	row_with("There is one segment so far.");
	fx.v.pair = NULL;
	draw_view(&d, 24, 80);
	row_with("There is one segment so far.");
	d.free(d.state);
}

static void both_segments_are_seen_however_many_there_are(void **state)
{
	static const struct {
		size_t a, b;
	} choice[] = {{0, 29}, {29, 0}, {14, 15}, {28, 29}, {0, 1}, {3, 20}};
	struct dialog d = make();
	(void)state;
	for (size_t n = 3; n < 30; n++) {
		char words[32];
		snprintf(words, sizeof(words), "mark number %zu", n);
		add_segment(n, (char)('a' + (n - 1) % 26), 60, words);
	}
	for (unsigned m = 0; m < METRICS; m++)
		figure((enum metric)m, 1000, 1100, VERDICT_DIFFERENT, 0.02);
	for (size_t i = 0; i < sizeof(choice) / sizeof(*choice); i++) {
		pair.a = choice[i].a;
		pair.b = choice[i].b;
		draw_view(&d, 24, 80);
		int a = row_with(" A "), b = row_with(" B ");
		assert_true(strstr(row(a), segment[pair.a].mark.text) != NULL);
		assert_true(strstr(row(b), segment[pair.b].mark.text) != NULL);
		assert_int_equal(a < b, pair.a < pair.b);
	}
	d.free(d.state);
}

static void figures_without_room_are_scrolled_to(void **state)
{
	struct dialog d = make();
	(void)state;
	for (unsigned m = 0; m < METRICS; m++)
		figure((enum metric)m, 1000, 1100, VERDICT_DIFFERENT, 0.02);
	draw_view(&d, 16, 80);
	row_with("IOPS R");
	for (int r = 0; r < 16; r++)
		assert_null(strstr(row(r), metrics[METRICS - 1].name));
	for (unsigned i = 0; i < METRICS; i++)
		d.key(d.state, K_PGDN);
	draw_view(&d, 16, 80);
	row_with(metrics[METRICS - 1].name);
	for (unsigned i = 0; i < METRICS; i++)
		d.key(d.state, K_PGUP);
	draw_view(&d, 16, 80);
	row_with("IOPS R");
	d.free(d.state);
}

static void while_another_choice_is_looked_at_no_old_figures_are_shown(void **state)
{
	struct dialog d = make();
	(void)state;
	fx.v.pair_b = 1;
	fx.v.pair_a = 2;
	draw_view(&d, 24, 80);
	row_with("looking");
	expect_row(3, " B - 00:16:40  00:01:00  yes     run start 8 x 32, 4 KiB");
	for (int r = 0; r < 24; r++)
		assert_null(strstr(row(r), "different"));
	d.free(d.state);
}

static void the_keys_choose_and_esc_leaves(void **state)
{
	struct dialog d = make();
	(void)state;
	assert_int_equal(d.key(d.state, K_UP), DIALOG_OPEN);
	assert_int_equal(asked.chosen[0], -1);
	d.key(d.state, K_DOWN);
	d.key(d.state, K_DOWN);
	assert_int_equal(asked.chosen[0], 1);
	d.key(d.state, K_LEFT);
	assert_int_equal(asked.chosen[1], -1);
	d.key(d.state, K_RIGHT);
	assert_int_equal(asked.chosen[1], 0);
	d.key(d.state, K_HOME);
	d.key(d.state, 'd');
	d.key(d.state, '?');
	assert_int_equal(asked.usual + asked.differences + asked.help, 3);
	assert_int_equal(d.key(d.state, 'v'), DIALOG_CANCELLED);
	assert_int_equal(d.key(d.state, K_ESC), DIALOG_CANCELLED);
	d.free(d.state);
}

static void the_view_draws_at_every_size_and_level(void **state)
{
	struct dialog d = make();
	(void)state;
	for (unsigned m = 0; m < METRICS; m++)
		figure((enum metric)m, 1, 1e9, m % 3, 0.5);
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		for (int rows = 1; rows <= 50; rows += rows < 30 ? 1 : 7)
			for (int cols = 1; cols <= 160; cols += 13)
				draw_view(&d, rows, cols);
	}
	d.free(d.state);
}

#define VIEW_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

/* --- Segments in turn. --- */

static struct ab in_turn_ab;
static struct ab_result in_turn_result;

/* The figures of the pair, found by four pairs of which all are complete. */
static void measure_in_turn(enum ab_state state, unsigned pairs)
{
	memset(&in_turn_ab, 0, sizeof(in_turn_ab));
	memset(&in_turn_result, 0, sizeof(in_turn_result));
	in_turn_ab.config =
		(struct ab_config){.pairs = 4,
				   .segment_ns = 20 * NS_PER_SEC,
				   .name = {"MTU 1500 on the switch", "MTU 9000 on the switch"}};
	in_turn_ab.state = state;
	in_turn_ab.at = 4;
	in_turn_ab.since_ns = clock_ns();
	in_turn_result.pairs = pairs;
	in_turn_result.comparison = pair.c;
	in_turn_result.comparison.pairs = pairs;
	in_turn_result.comparison.differences = 1;
	in_turn_result.comparison.drift[METRIC_IOPS_T] = (struct drift){
		.known = true, .per_minute = -0.011, .low = -0.02, .high = 0.001, .p = 0.06};
	in_turn_result.total[AB_A].seconds = in_turn_result.total[AB_B].seconds = 19.0 * pairs;
	fx.v.ab = &in_turn_ab;
	fx.v.ab_result = pairs ? &in_turn_result : NULL;
	fx.v.ab_newest = true;
}

static int tear_down_in_turn(void **state)
{
	json_decref(in_turn_result.also);
	in_turn_result.also = NULL;
	return tear_down(state);
}

#define IN_TURN_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down_in_turn)

static void the_paired_verdict_is_the_headline(void **state)
{
	struct dialog d = make();
	(void)state;
	measure_in_turn(AB_DONE, 4);
	draw_view(&d, 24, 80);
	expect_row(1, "-- In turn: ABBABAAB ------------------------------------------- 4 of 4 "
		      "pairs --");
	expect_row(
		2,
		" A  MTU 1500 on the switch                                   76 s in 4 segments");
	expect_row(4, " IOPS +12.1 % [+9.9, +14.3]: different, better");
	assert_int_equal(style_of(4, "IOPS"), ST_GOOD);
	expect_row(5, " Drift of IOPS: -1.1 % a minute [-2.0, +0.1]: none shown");
	row_with("-- B against A, by pairs --");
	row_with(" p99            4.60 ms    4.50 ms  -2.2 % [-8.0, +3.7]    within noise (9.0 %)");
	row_with("Nothing else changed that is known of.");
	/* What time would decide of two segments, pairs do of these. */
	const struct verdict known = in_turn_result.comparison.verdict[METRIC_IOPS_T];
	in_turn_result.comparison.verdict[METRIC_IOPS_T].kind = VERDICT_NOISE;
	draw_view(&d, 24, 80);
	expect_row(4, " IOPS +12.1 % [+9.9, +14.3]: undecided: more pairs decide");
	in_turn_result.comparison.verdict[METRIC_IOPS_T] = known;
	/* Of a long order the beginning, which can be seen not to be all. */
	in_turn_ab.config.pairs = 8;
	draw_view(&d, 24, 80);
	row_with("-- In turn: ABBABAABBAABABBA --");
	in_turn_ab.config.pairs = 16;
	draw_view(&d, 24, 80);
	row_with("-- In turn: ABBABAABBAABABBA... --");
	in_turn_ab.config.pairs = 4;
	in_turn_result.also = json_pack("[s]", "net.ipv4.tcp_sack: 1 > 0");
	in_turn_result.comparison.differences = 2;
	draw_view(&d, 24, 80);
	int r = row_with("! net.ipv4.tcp_sack: 1 > 0 also changed during the run");
	assert_int_equal(style_of(r, "!"), ST_WARN);
	row_with(" p99            4.60 ms    4.50 ms  -2.2 % [-8.0, +3.7]    not shown (9.0 %)");
	/* And back to the segments. */
	d.key(d.state, 'b');
	draw_view(&d, 24, 80);
	row_with("-- Segments --");
	d.key(d.state, 'A');
	assert_int_equal(asked.in_turn, 1);
	d.free(d.state);
	/* Below the answer as well, until a mark is set. */
	draw_line(132);
	assert_non_null(strstr(row(0), "B against A, 4 pairs: IOPS +12.1 % [+9.9, +14.3]"));
	assert_non_null(strstr(row(0), "! more changed"));
	fx.v.ab_newest = false;
	draw_line(132);
	assert_non_null(strstr(row(0), "b against a: IOPS"));
}

static void before_the_second_pair_there_is_none(void **state)
{
	struct dialog d = make();
	(void)state;
	measure_in_turn(AB_ASKING, 1);
	draw_view(&d, 24, 80);
	row_with("The verdict comes with the second pair.");
	row_with("1 of 4 pairs so far");
	/* The prompt and its keys take two rows here. */
	row_with("5 of 8  Now set B: MTU 9000 on the switch");
	row_with("Enter it is set  n leave out  A stop");
	draw_line(80);
	expect_row(0, "B against A, 1 pair: the verdict comes with the second  v compares");
	in_turn_ab.state = AB_STOPPED;
	draw_view(&d, 24, 80);
	row_with("1 of 4 pairs, stopped");
	row_with("No verdict: fewer than two pairs are complete.");
	in_turn_ab.state = AB_FAILED;
	error_set(&in_turn_ab.error, 0, "nothing flows 60 s after it was set");
	draw_view(&d, 24, 80);
	row_with("nothing flows 60 s after it was set");
	d.free(d.state);
}

static void segments_in_turn_are_drawn_at_every_size_and_level(void **state)
{
	static const enum ab_state states[] = {AB_ASKING,    AB_CHANGING, AB_TURNING, AB_SETTLING,
					       AB_MEASURING, AB_DONE,     AB_FAILED};
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
			for (unsigned pairs = 0; pairs < 5; pairs += 4) {
				struct dialog d = make();
				measure_in_turn(states[i], pairs);
				for (int rows = 1; rows < 50; rows += 3)
					for (int cols = 1; cols < 140; cols += 13)
						draw_view(&d, rows, cols);
				d.free(d.state);
			}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		VIEW_TEST(the_verdict_has_the_figures_that_matter_in_one_line),
		VIEW_TEST(what_got_worse_has_a_sign_besides_its_style),
		VIEW_TEST(a_rate_that_went_another_way_is_told),
		VIEW_TEST(before_it_is_known_it_says_how_long_that_takes),
		VIEW_TEST(that_several_things_differ_is_said),
		VIEW_TEST(without_two_segments_and_during_a_search_there_is_no_verdict),
		VIEW_TEST(the_row_never_leaves_its_width),
		VIEW_TEST(the_view_has_segments_figures_and_what_else_differs),
		VIEW_TEST(a_wide_view_has_the_verdicts_in_full),
		VIEW_TEST(what_is_not_known_says_what_is_lacking),
		VIEW_TEST(what_there_was_none_of_has_no_per_cent),
		VIEW_TEST(with_one_segment_the_view_says_how_there_come_to_be_two),
		VIEW_TEST(both_segments_are_seen_however_many_there_are),
		VIEW_TEST(figures_without_room_are_scrolled_to),
		VIEW_TEST(while_another_choice_is_looked_at_no_old_figures_are_shown),
		VIEW_TEST(the_keys_choose_and_esc_leaves),
		VIEW_TEST(the_view_draws_at_every_size_and_level),
		IN_TURN_TEST(the_paired_verdict_is_the_headline),
		IN_TURN_TEST(before_the_second_pair_there_is_none),
		IN_TURN_TEST(segments_in_turn_are_drawn_at_every_size_and_level),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
