/* unit-curve.c - the load-latency curve: its points, its knee, its picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve.h"
#include "tests/canvas-print.h"
#include "tests/level-check.h"
#include "ui/plot.h"
#include "units.h"

static struct curve curve;

/* An M/M/1 queue that serves mu a second. At the rate max `depth` are in flight. */
static void measure(struct load_step *step, const struct load_order *o, enum knob by, double mu,
		    double depth)
{
	double n = by == KNOB_OUTSTANDING ? (double)o->value : depth, iops, ns;

	*step = (struct load_step){.load = {by, o->value}};
	if (by == KNOB_RATE && o->value) {
		iops = (double)o->value;
		ns = 1e9 / (mu - iops);
	} else {
		/* Closed: n in flight, of which one is served at a time and thinks as long. */
		iops = mu * n / (n + 1);
		ns = n * 1e9 / iops;
	}
	for (int op = 0; op < SUM_COUNT; op++)
		step->sum.op[op] = (struct summary_op){.ios = (uint64_t)iops,
						       .iops = iops,
						       .bytes_s = iops * 4096,
						       .mean = ns,
						       .p50 = 0.7 * ns,
						       .p95 = 3 * ns,
						       .p99 = 4.6 * ns,
						       .p999 = 7 * ns};
	step->sum.elapsed_s = 1;
	step->sustained = true;
}

static void take_all(enum knob by, double mu, double depth)
{
	struct curve_config c = {.of = SUM_TOTAL, .most = 4096};
	struct load_order o;
	curve_defaults(&c, by);
	curve_begin(&curve, &c);
	while (curve_next(&curve, &o)) {
		struct load_step step;
		assert_true(curve_left_ns(&curve) > 0);
		measure(&step, &o, by, mu, depth);
		curve_take(&curve, &step);
	}
	assert_int_equal(curve.log.steps, curve_total(&curve));
	assert_int_equal(curve_left_ns(&curve), 0);
}

static void by_rate_it_takes_the_most_and_then_shares_of_it(void **state)
{
	static const unsigned percent[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 95};
	(void)state;
	take_all(KNOB_RATE, 11000, 10); /* the most is 10,000 */
	assert_int_equal(curve.log.steps, 11);
	assert_int_equal(curve.log.step[0].load.value, 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(curve.log.step[i + 1].load.value, percent[i] * 100);
}

static void by_outstanding_it_doubles_up_to_what_the_engine_can(void **state)
{
	(void)state;
	take_all(KNOB_OUTSTANDING, 10000, 0);
	assert_int_equal(curve.log.steps, 8);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(curve.log.step[i].load.value, 1u << i);
	struct curve_config c = curve.config;
	c.most = 1;
	curve_begin(&curve, &c);
	assert_int_equal(curve_total(&curve), 1);
	c.most = 20;
	curve_begin(&curve, &c);
	assert_int_equal(curve_total(&curve), 5); /* 1 2 4 8 16 */
}

/* Power is lambda (mu - lambda): greatest at half of mu. */
static void the_knee_of_a_queue_is_at_half_its_service_rate(void **state)
{
	char words[160];
	(void)state;
	take_all(KNOB_RATE, 11000, 10);
	int knee = curve_knee(&curve);
	assert_true(knee > 0);
	assert_in_range(curve.log.step[knee].load.value, 5000, 6000);
	curve_words(words, sizeof(words), &curve, 1);
	assert_non_null(strstr(words, "knee at rate "));
}

static void without_rising_latency_there_is_no_knee(void **state)
{
	char words[160];
	(void)state;
	take_all(KNOB_RATE, 11000, 10);
	for (unsigned i = 0; i < curve.log.steps; i++)
		curve.log.step[i].sum.op[SUM_TOTAL].mean = 1e6;
	assert_int_equal(curve_knee(&curve), -1);
	assert_non_null(strstr(curve_words(words, sizeof(words), &curve, 1), "no knee"));
	curve.log.steps = 2;
	assert_int_equal(curve_knee(&curve), -1);
	assert_non_null(strstr(curve_words(words, sizeof(words), &curve, 1), "too few"));
}

static void a_target_that_does_nothing_has_no_shares(void **state)
{
	struct load_order o;
	(void)state;
	struct curve_config c = {0};
	curve_defaults(&c, KNOB_RATE);
	curve_begin(&curve, &c);
	assert_true(curve_next(&curve, &o));
	struct load_step step = {.load = {KNOB_RATE, 0}, .sustained = true};
	step.sum.op[SUM_TOTAL].mean = NAN;
	curve_take(&curve, &step);
	assert_false(curve_next(&curve, &o));
	assert_string_equal(curve.log.step[0].note, "none");
	assert_int_equal(curve_knee(&curve), -1);
}

static void a_workload_that_thinks_has_no_curve_by_rate(void **state)
{
	struct workload w = workload_default();
	struct curve_config c = {.of = SUM_TOTAL, .most = 4096};
	struct error e;
	(void)state;
	w.think_ns = 1000000;
	curve_defaults(&c, KNOB_OUTSTANDING);
	assert_int_equal(curve_check(&c, &w, &e), 0);
	curve_defaults(&c, KNOB_RATE);
	assert_int_equal(curve_check(&c, &w, &e), -EINVAL);
	assert_non_null(strstr(e.text, "set think to none"));
}

static void check_plan(enum knob by, unsigned points, uint64_t most, const char *want)
{
	struct curve_config c = {.most = most};
	char text[160];
	curve_defaults(&c, by);
	if (points)
		c.points = points;
	assert_string_equal(curve_plan(text, sizeof(text), &c), want);
}

static void the_plan_says_which_steps_there_will_be(void **state)
{
	(void)state;
	check_plan(
		KNOB_RATE, 0, 4096,
		"First the most that comes back at the depth that is set, then 10, 20 ... 95 % of "
		"it: 11 steps of about 4 s.");
	check_plan(
		KNOB_RATE, 2, 4096,
		"First the most that comes back at the depth that is set, then 50, 75 % of it: 3 "
		"steps of about 4 s.");
	check_plan(
		KNOB_OUTSTANDING, 0, 4096,
		"1, 2, 4 ... 128 IOs in flight per worker, at the rate max: 8 steps of about 4 s.");
	check_plan(KNOB_OUTSTANDING, 0, 4,
		   "1, 2, 4 IOs in flight per worker, at the rate max: 3 steps of about 4 s.");
	check_plan(KNOB_OUTSTANDING, 0, 1,
		   "1 IO in flight per worker, at the rate max: 1 step of about 4 s.");
}

static void what_was_not_kept_up_is_said(void **state)
{
	(void)state;
	take_all(KNOB_RATE, 11000, 10);
	struct load_step step = curve.log.step[5];
	step.sustained = false;
	curve.at = 5;
	curve_take(&curve, &step);
	assert_string_equal(step.note, "lags");
}

/* --- Rows. --- */

static void no_row_is_wider_than_a_terminal(void **state)
{
	char head[256], text[256];
	(void)state;
	take_all(KNOB_RATE, 11000, 10);
	load_head(head, sizeof(head), KNOB_RATE, RATE_MIB);
	assert_true(strlen(head) == 71);
	struct load_step step = curve.log.step[3];
	step.sum.cpu_valid = true;
	step.sum.cpu_percent = 100;
	step.letter = 'a';
	strcpy(step.note, "lags");
	for (double scale = 1e-4; scale < 1e4; scale *= 7) {
		struct load_step big = step;
		struct summary_op *o = &big.sum.op[SUM_TOTAL];
		o->iops *= scale;
		o->bytes_s *= scale;
		o->mean *= scale;
		o->p99 *= scale;
		o->p999 *= scale;
		load_row(text, sizeof(text), &big, SUM_TOTAL, RATE_MIB, 1);
		if (strlen(text) > 76)
			fail_msg("%zu columns: %s", strlen(text), text);
		assert_int_equal(strlen(text), strlen(head) + strlen(" lags"));
	}
}

static void the_log_never_overflows(void **state)
{
	static struct load_log log;
	struct load_step step = {.load = {KNOB_OUTSTANDING, 0}};
	(void)state;
	for (unsigned i = 0; i < LOAD_STEPS_MAX + 5; i++) {
		step.load.value = i;
		load_append(&log, &step);
	}
	assert_int_equal(log.steps, LOAD_STEPS_MAX);
	assert_int_equal(log.step[LOAD_STEPS_MAX - 1].load.value, LOAD_STEPS_MAX + 4);
}

/* --- The picture. --- */

static char *picture(enum glyph_level level, int rows, int cols)
{
	struct canvas c = {0};
	struct view v = {.level = level, .g = &glyph_table[level]};
	char *text;
	size_t n;
	assert_int_equal(canvas_resize(&c, rows, cols), 0);
	plot_curve(&c, canvas_rect(&c), &v, &curve);
	level_check(&c, level, "the curve");
	FILE *f = open_memstream(&text, &n);
	assert_non_null(f);
	canvas_print(&c, f);
	fclose(f);
	canvas_free(&c);
	return text;
}

static int occurrences(const char *text, char ch)
{
	int n = 0;
	for (; *text; text++)
		n += *text == ch;
	return n;
}

static void every_point_is_on_the_plot_in_every_glyph_level(void **state)
{
	(void)state;
	take_all(KNOB_RATE, 11000, 10);
	for (int level = 0; level < GL_COUNT; level++) {
		char *text = picture((enum glyph_level)level, 20, 76);
		/* 11 of each and the legend's; the letters stand in no other word of it. */
		if (occurrences(text, 'x') != 12)
			fail_msg("%d points in\n%s", occurrences(text, 'x'), text);
		assert_non_null(strstr(text, "p99"));
		assert_non_null(strstr(text, "mean"));
		assert_non_null(strstr(text, "knee"));
		assert_non_null(strstr(text, "10.0k IOPS"));
		free(text);
	}
}

static void a_plot_survives_any_size_and_any_curve(void **state)
{
	(void)state;
	take_all(KNOB_RATE, 11000, 10);
	unsigned steps = curve.log.steps;
	for (unsigned n = 0; n <= steps; n++) {
		curve.log.steps = n;
		for (int rows = 1; rows < 24; rows += 3)
			for (int cols = 1; cols < 100; cols += 7)
				for (int level = 0; level < GL_COUNT; level++)
					free(picture((enum glyph_level)level, rows, cols));
	}
	/* One flat line, one point, one that is NaN. */
	curve.log.steps = 2;
	curve.log.step[0].sum.op[SUM_TOTAL].mean = curve.log.step[0].sum.op[SUM_TOTAL].p99 = 1e6;
	curve.log.step[1].sum.op[SUM_TOTAL].mean = curve.log.step[1].sum.op[SUM_TOTAL].p99 = NAN;
	char *text = picture(GL_ASCII, 12, 60);
	assert_non_null(strstr(text, "1.00 ms"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_rate_it_takes_the_most_and_then_shares_of_it),
		cmocka_unit_test(by_outstanding_it_doubles_up_to_what_the_engine_can),
		cmocka_unit_test(the_knee_of_a_queue_is_at_half_its_service_rate),
		cmocka_unit_test(without_rising_latency_there_is_no_knee),
		cmocka_unit_test(a_target_that_does_nothing_has_no_shares),
		cmocka_unit_test(a_workload_that_thinks_has_no_curve_by_rate),
		cmocka_unit_test(the_plan_says_which_steps_there_will_be),
		cmocka_unit_test(what_was_not_kept_up_is_said),
		cmocka_unit_test(no_row_is_wider_than_a_terminal),
		cmocka_unit_test(the_log_never_overflows),
		cmocka_unit_test(every_point_is_on_the_plot_in_every_glyph_level),
		cmocka_unit_test(a_plot_survives_any_size_and_any_curve),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
