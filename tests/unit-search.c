/* unit-search.c - the goal, and the search for it against targets whose latency is a formula. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "search.h"
#include "units.h"

#define MS(n) ((uint64_t)((n)*1e6))

/* --- The goal. --- */

static void a_goal_is_read_as_an_operator_writes_it(void **state)
{
	static const struct {
		const char *text;
		enum goal_figure figure;
		uint64_t ns;
	} good[] = {
		{"p99<5ms", GOAL_P99, MS(5)},         {" p99 < 5 ms ", GOAL_P99, MS(5)},
		{"P99.9<=1.5s", GOAL_P999, MS(1500)}, {"mean<800us", GOAL_MEAN, 800000},
		{"p50<250us", GOAL_P50, 250000},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct goal g = {.of = SUM_WRITE};
		struct error e;
		if (goal_parse(&g, good[i].text, &e))
			fail_msg("%s", e.text);
		assert_int_equal(g.figure, good[i].figure);
		assert_int_equal(g.limit_ns, good[i].ns);
		assert_int_equal(g.of, SUM_WRITE);
	}
}

static void a_goal_that_says_nothing_is_refused_with_its_words(void **state)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"", "write a goal like"},        {"p99", "write a goal like"},
		{"p99>5ms", "write a goal like"}, {"p98<5ms", "'p98'"},
		{"p99<5", "needs a unit"},        {"p99<", "needs a unit"},
		{"p99<0ms", "less than 0"},       {"p99<fastms", "p99<fastms"},
		{"<5ms", "none of mean"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct goal g = {0};
		struct error e;
		assert_int_equal(goal_parse(&g, bad[i].text, &e), -EINVAL);
		if (!strstr(e.text, bad[i].says))
			fail_msg("'%s' says '%s'", bad[i].text, e.text);
	}
}

static void a_percentile_wants_ten_ios_beyond_it(void **state)
{
	(void)state;
	assert_int_equal(goal_ios(GOAL_P99), 1000);
	assert_int_equal(goal_ios(GOAL_P999), 10000);
	assert_int_equal(goal_ios(GOAL_P50), 100);
	assert_int_equal(goal_ios(GOAL_MEAN), 100);
}

/* --- A target in the place of a disk. --- */

struct model {
	/* Latency (all percentiles alike, ns) and IOPS at this load. */
	void (*at)(const struct model *m, uint64_t value, double *ns, double *iops);
	double a, b;
	double noise; /* latency is off by up to this share */
	double jump;  /* longer measurements see this much more */
	struct random random;
	uint64_t asked[LOAD_STEPS_MAX];
	bool few;
};

static struct search s;
static unsigned confirmations;

static void answer(struct model *m, const struct load_order *o, struct load_step *step)
{
	double ns, iops;

	m->at(m, o->value, &ns, &iops);
	if (m->noise > 0)
		ns *= 1 + m->noise * ((double)random_below(&m->random, 2001) / 1000 - 1);
	if (o->confirms && m->jump > 0)
		ns *= m->jump;
	*step = (struct load_step){
		.load = {s.config.by, o->value},
		.confirms = o->confirms,
		.few = m->few,
	};
	for (int op = 0; op < SUM_COUNT; op++)
		step->sum.op[op] = (struct summary_op){.ios = (uint64_t)iops,
						       .iops = iops,
						       .mean = ns,
						       .p50 = ns,
						       .p90 = ns,
						       .p95 = ns,
						       .p99 = ns,
						       .p999 = ns};
	step->sum.elapsed_s = 1;
	step->sustained = s.config.by != KNOB_RATE || iops >= 0.995 * (double)o->value;
}

/* Searches to the end; returns how many steps it took. */
static unsigned search(struct model *m, const struct search_config *c)
{
	struct load_order o;
	unsigned n = 0;

	confirmations = 0;
	search_begin(&s, c);
	while (search_next(&s, &o)) {
		struct load_step step;
		assert_true(n < SEARCH_STEPS_MAX);
		assert_true(search_left_ns(&s) > 0);
		m->asked[n++] = o.value;
		confirmations += o.confirms;
		answer(m, &o, &step);
		search_take(&s, &step);
	}
	assert_int_equal(s.log.steps, n);
	assert_int_equal(search_left_ns(&s), 0);
	return n;
}

static struct search_config by_depth(double limit_ms, uint64_t start)
{
	struct search_config c = {
		.goal = {GOAL_P99, SUM_READ, MS(limit_ms)},
		.by = KNOB_OUTSTANDING,
		.from = 1,
		.to = 4096,
		.start = start,
	};
	c.step_ns = NS_PER_SEC;
	return c;
}

static struct search_config by_rate(double limit_ms)
{
	struct search_config c = by_depth(limit_ms, 0);
	c.by = KNOB_RATE;
	c.to = 0;
	c.precision = 100;
	return c;
}

/* Latency in proportion to the depth: a ns each. */
static void linear(const struct model *m, uint64_t value, double *ns, double *iops)
{
	*ns = m->a * (double)value;
	*iops = 1e9 / m->a;
}

/* a ns, and more than any goal from depth b on. */
static void step_up(const struct model *m, uint64_t value, double *ns, double *iops)
{
	*ns = (double)value < m->b ? m->a : 1e12;
	*iops = 1e9 / m->a * (double)value;
}

/* An M/M/1 queue with service time a ns, offered `value` IO/s: T = 1 / (mu - lambda). Closed, with 8
 * in flight, at the rate max. */
static void queue(const struct model *m, uint64_t value, double *ns, double *iops)
{
	double mu = 1e9 / m->a, lambda = (double)value;

	if (value == 0 || lambda >= mu) {
		*ns = 8 * m->a;
		*iops = mu;
		return;
	}
	*ns = 1e9 / (mu - lambda);
	*iops = lambda;
}

/* Good, bad from 16 to 63, good again, and bad for ever from b on. */
static void with_a_hole(const struct model *m, uint64_t value, double *ns, double *iops)
{
	*ns = (value >= 16 && value < 64) || (double)value >= m->b ? 1e9 : m->a;
	*iops = 1000;
}

/* --- Exact targets. --- */

static void the_largest_depth_is_found_to_the_last_one(void **state)
{
	(void)state;
	/* 0.1 ms each and less than 5 ms: 49, wherever it begins. */
	static const uint64_t starts[] = {1, 2, 8, 49, 50, 64, 1000, 4096, 100000};
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		struct model m = {.at = linear, .a = 1e5};
		struct search_config c = by_depth(5, starts[i]);
		unsigned n = search(&m, &c);
		assert_int_equal(s.result, SEARCH_FOUND);
		assert_int_equal(s.found, 49);
		assert_int_equal(confirmations, 1);
		assert_true(n <= 20);
	}
}

static void any_limit_is_found_exactly_where_precision_is_asked_for(void **state)
{
	(void)state;
	for (unsigned most = 1; most < 4096; most += 37) {
		struct model m = {.at = step_up, .a = 1e6, .b = most + 1};
		struct search_config c = by_depth(5, 8);
		unsigned n = search(&m, &c);
		assert_int_equal(s.result, SEARCH_FOUND);
		assert_int_equal(s.found, most);
		assert_true(n <= 2 * 12 + 2);
	}
}

static void two_per_cent_are_near_enough_by_default(void **state)
{
	(void)state;
	for (unsigned most = 1; most < 4096; most += 37) {
		struct model m = {.at = step_up, .a = 1e6, .b = most + 1};
		struct search_config c = by_depth(5, 8);
		search_defaults(&c);
		unsigned n = search(&m, &c);
		assert_int_equal(s.result, SEARCH_FOUND);
		assert_true(s.found <= most && (double)s.found >= most * 0.98 - 1);
		assert_true(n <= 18);
	}
}

static void doubling_and_halving_goes_the_way_it_says(void **state)
{
	static const uint64_t want[] = {8, 16, 32, 64, 48, 56, 52, 50, 49, 49};
	(void)state;
	struct model m = {.at = linear, .a = 1e5};
	struct search_config c = by_depth(5, 8);
	assert_int_equal(search(&m, &c), sizeof(want) / sizeof(*want));
	assert_memory_equal(m.asked, want, sizeof(want));
	assert_true(s.log.step[9].confirms);
	assert_string_equal(s.log.step[2].note, "meets");
	assert_string_equal(s.log.step[3].note, "above");
}

static void when_all_meet_it_the_bound_is_named(void **state)
{
	char words[160];
	(void)state;
	struct model m = {.at = step_up, .a = 1e6, .b = 1e9};
	struct search_config c = by_depth(5, 8);
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_ALL);
	assert_int_equal(s.found, 4096);
	assert_string_equal(search_words(words, sizeof(words), &s, 1),
			    "all meet it up to outstanding 4096: p99 read 1.00 ms < 5.00 ms");
}

static void when_nothing_meets_it_the_least_gets_a_second_chance_and_is_named(void **state)
{
	char words[160];
	(void)state;
	struct model m = {.at = linear, .a = 9e6};
	struct search_config c = by_depth(5, 8);
	assert_int_equal(search(&m, &c), 5); /* 8 4 2 1, and 1 once more */
	assert_int_equal(s.result, SEARCH_NOTHING);
	assert_int_equal(confirmations, 1);
	assert_string_equal(search_words(words, sizeof(words), &s, 1),
			    "nothing meets p99 read < 5.00 ms: even outstanding 1 has 9.00 ms");
}

static void bounds_are_kept(void **state)
{
	(void)state;
	struct model m = {.at = linear, .a = 1e5};
	struct search_config c = by_depth(5, 8);
	c.from = 10;
	c.to = 40;
	unsigned n = search(&m, &c);
	for (unsigned i = 0; i < n; i++)
		assert_true(m.asked[i] >= 10 && m.asked[i] <= 40);
	assert_int_equal(s.result, SEARCH_ALL);
	assert_int_equal(s.found, 40);
	c = by_depth(0.5, 8);
	c.from = 10;
	c.to = 40;
	n = search(&m, &c);
	for (unsigned i = 0; i < n; i++)
		assert_true(m.asked[i] >= 10 && m.asked[i] <= 40);
	assert_int_equal(s.result, SEARCH_NOTHING);
}

/* --- Rates. --- */

static void the_largest_rate_of_a_queue_is_found(void **state)
{
	char words[160];
	(void)state;
	/* mu = 10,000/s; T < 0.5 ms up to lambda = 8,000/s. */
	struct model m = {.at = queue, .a = 1e5};
	struct search_config c = by_rate(0.5);
	unsigned n = search(&m, &c);
	assert_int_equal(m.asked[0], 0);
	assert_int_equal(s.result, SEARCH_FOUND);
	assert_true(s.found < 8000 && s.found >= 7920);
	assert_true(n <= 20);
	assert_non_null(strstr(search_words(words, sizeof(words), &s, 1), "found: rate 7.9"));
}

static void a_rate_that_is_not_done_does_not_meet_the_goal(void **state)
{
	(void)state;
	struct model m = {.at = queue, .a = 1e5};
	struct search_config c = by_rate(0.5);
	c.to = 50000;
	/* At 50,000/s 10,000 come back within 0.8 ms; the goal itself is met by anything. */
	c.goal.limit_ns = MS(1e6);
	search(&m, &c);
	assert_string_equal(s.log.step[0].note, "lags");
	assert_int_equal(s.result, SEARCH_FOUND);
	/* 0.5 % less than offered still counts as done. */
	assert_true(s.found <= 10051 && s.found >= 9900);
}

static void the_rate_max_that_meets_it_ends_the_search(void **state)
{
	char words[160];
	(void)state;
	struct model m = {.at = queue, .a = 1e5};
	struct search_config c = by_rate(5);
	assert_int_equal(search(&m, &c), 2);
	assert_int_equal(s.result, SEARCH_ALL);
	assert_int_equal(s.found, 0);
	assert_string_equal(search_words(words, sizeof(words), &s, 1),
			    "all meet it up to rate max: p99 read 800 us < 5.00 ms");
}

static void a_rate_too_low_for_its_percentile_is_not_tried(void **state)
{
	(void)state;
	/* 1,000 IOs in 5 x 1 s: 200/s. */
	struct model m = {.at = queue, .a = 1e5};
	struct search_config c = by_rate(0.05);
	c.from = 0;
	unsigned n = search(&m, &c);
	assert_int_equal(s.result, SEARCH_NOTHING);
	for (unsigned i = 1; i < n; i++)
		assert_true(m.asked[i] >= 200);
	/* Where that is more than the target can, there is no choice. */
	m.a = 1e7;
	c.goal.limit_ns = MS(13);
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_FOUND);
	assert_true(s.found >= 12 && s.found < 24);
}

/* --- Targets that are not so kind. --- */

static void what_no_longer_holds_is_stepped_down_from(void **state)
{
	(void)state;
	/* Longer looks see 10 % more: 49 fails once more, 1/16 less passes. */
	struct model m = {.at = linear, .a = 1e5, .jump = 1.06};
	struct search_config c = by_depth(5, 8);
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_FOUND);
	assert_int_equal(s.found, 46);
	assert_int_equal(confirmations, 2);
	/* Four times as much: 1/16, 1/8, 1/4, then halves. */
	m.jump = 4;
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_FOUND);
	assert_true(s.found <= 12 && s.found >= 6);
	/* Nothing holds. */
	m.jump = 1000;
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_NOTHING);
}

static void a_rate_max_that_no_longer_holds_is_searched_below(void **state)
{
	(void)state;
	struct model m = {.at = queue, .a = 1e5, .jump = 2};
	struct search_config c = by_rate(1);
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_FOUND);
	/* 1/(mu - lambda) < 0.5 ms, since all confirmations double it. */
	assert_true(s.found > 1000 && s.found < 8000);
}

static void noise_does_not_keep_it_going(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct model m = {.at = linear, .a = 1e5, .noise = 0.3};
		struct search_config c = by_depth(5, 8);
		random_seed(&m.random, seed);
		unsigned n = search(&m, &c);
		assert_true(n <= 25);
		assert_int_equal(s.result, SEARCH_FOUND);
		/* What was found has held a measurement: at most 30 % off. */
		assert_true(s.found * 0.7 < 50);
		assert_true(goal_value(&c.goal, &s.log.step[s.at].sum.op[SUM_READ]) < 5e6);
		assert_true(s.log.step[s.at].confirms);
	}
}

static void a_target_that_answers_by_the_dice_ends_too(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct model m = {.at = linear, .a = 1e5, .noise = 1};
		struct search_config c = seed % 2 ? by_depth(5, seed) : by_rate(0.1);
		random_seed(&m.random, seed);
		search(&m, &c);
		assert_int_equal(s.phase, SEARCH_OVER);
		assert_int_not_equal(s.result, SEARCH_NONE);
	}
}

static void a_hole_in_the_middle_does_not_confuse_it(void **state)
{
	(void)state;
	struct model m = {.at = with_a_hole, .a = 1e6, .b = 201};
	struct search_config c = by_depth(5, 8);
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_FOUND);
	assert_int_equal(s.found, 15);
	c.start = 64;
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_FOUND);
	assert_int_equal(s.found, 200);
}

static void a_value_that_cannot_be_had_is_a_bound(void **state)
{
	(void)state;
	struct search_config c = by_depth(5, 8);
	struct load_order o;
	search_begin(&s, &c);
	while (search_next(&s, &o)) {
		struct load_step step = {.load = {KNOB_OUTSTANDING, o.value}};
		step.refused = o.value > 20;
		step.sustained = true;
		step.sum.op[SUM_READ] = (struct summary_op){.ios = 5000, .p99 = 1e6};
		search_take(&s, &step);
	}
	assert_int_equal(s.result, SEARCH_FOUND);
	assert_int_equal(s.found, 20);
}

static void errors_and_missing_ios_do_not_meet_a_goal(void **state)
{
	char words[160];
	struct load_order o;
	(void)state;
	for (int errors = 0; errors < 2; errors++) {
		struct search_config c = by_depth(5, 1);
		search_begin(&s, &c);
		while (search_next(&s, &o)) {
			struct load_step step = {.load = {KNOB_OUTSTANDING, o.value},
						 .sustained = true};
			step.sum.op[SUM_READ].p99 = errors ? 1e6 : NAN;
			step.sum.op[SUM_TOTAL].errors = errors ? 3 : 0;
			search_take(&s, &step);
		}
		assert_int_equal(s.result, SEARCH_NOTHING);
		assert_non_null(strstr(search_words(words, sizeof(words), &s, 1),
				       errors ? "has IO errors" : "no IO came back"));
	}
}

static void at_a_rate_latency_counts_from_when_an_io_was_due(void **state)
{
	struct load_step step = {.load = {KNOB_RATE, 1000}};
	(void)state;
	step.sum.op[SUM_READ] = step.sum.op[SUM_TOTAL] =
		(struct summary_op){.ios = 500, .p99 = 1e6};
	step.sum.due = (struct summary_due){.offered = 500, .ios = 500, .p99 = 7e6};
	assert_true(load_from_due(&step, SUM_READ));
	assert_true(load_latency(&step, SUM_READ).p99 == 7e6);
	assert_int_equal(load_latency(&step, SUM_READ).ios, 500);
	/* What was due is counted for all IOs together. */
	step.sum.op[SUM_READ].ios = 400;
	assert_false(load_from_due(&step, SUM_READ));
	assert_true(load_latency(&step, SUM_READ).p99 == 1e6);
	assert_true(load_latency(&step, SUM_TOTAL).p99 == 7e6);
	/* Without a rate nothing is due. */
	step.load.value = 0;
	assert_true(load_latency(&step, SUM_TOTAL).p99 == 1e6);
	step.load = (struct load){KNOB_OUTSTANDING, 8};
	assert_true(load_latency(&step, SUM_TOTAL).p99 == 1e6);
}

static void few_ios_are_said(void **state)
{
	char words[160];
	(void)state;
	struct model m = {.at = linear, .a = 1e5, .few = true};
	struct search_config c = by_depth(5, 49);
	search(&m, &c);
	assert_int_equal(s.result, SEARCH_FOUND);
	assert_string_equal(s.log.step[0].note, "few");
	assert_non_null(strstr(search_words(words, sizeof(words), &s, 1), "(of only 10000 IOs)"));
}

static void goals_that_make_no_sense_are_refused(void **state)
{
	struct workload w = workload_default();
	struct search_config c = by_depth(5, 8);
	struct error e;
	(void)state;
	assert_int_equal(search_check(&c, &w, &e), 0);
	c.goal.of = SUM_WRITE;
	assert_int_equal(search_check(&c, &w, &e), -EINVAL);
	w.read_pct = 0;
	assert_int_equal(search_check(&c, &w, &e), 0);
	c.goal.of = SUM_READ;
	assert_int_equal(search_check(&c, &w, &e), -EINVAL);
	c.goal.of = SUM_TOTAL;
	c.from = 10;
	c.to = 9;
	assert_int_equal(search_check(&c, &w, &e), -EINVAL);
	assert_non_null(strstr(e.text, "from 10 to 9"));
	/* A rate and a wait before each burst exclude each other; a depth and it do not. */
	c = by_depth(5, 8);
	w = workload_default();
	w.think_ns = 1000000;
	assert_int_equal(search_check(&c, &w, &e), 0);
	c.by = KNOB_RATE;
	assert_int_equal(search_check(&c, &w, &e), -EINVAL);
	assert_non_null(strstr(e.text, "set think to none"));
	w.think_ns = 0;
	assert_int_equal(search_check(&c, &w, &e), 0);
	w.access.count = 1;
	w.access.line[0] = (struct access_line){.share = 100, .read_pct = 100, .delay_ms = 1};
	assert_int_equal(search_check(&c, &w, &e), -EINVAL);
	assert_non_null(strstr(e.text, "delays in access lines"));
}

static void the_document_has_every_step_and_the_result(void **state)
{
	(void)state;
	struct model m = {.at = linear, .a = 1e5};
	struct search_config c = by_depth(5, 8);
	search(&m, &c);
	json_t *doc = search_json(&s);
	assert_non_null(doc);
	assert_int_equal(json_array_size(json_object_get(doc, "steps")), s.log.steps);
	json_t *result = json_object_get(doc, "result");
	assert_string_equal(json_string_value(json_object_get(result, "outcome")), "found");
	assert_int_equal(json_integer_value(json_object_get(result, "value")), 49);
	json_decref(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_goal_is_read_as_an_operator_writes_it),
		cmocka_unit_test(a_goal_that_says_nothing_is_refused_with_its_words),
		cmocka_unit_test(a_percentile_wants_ten_ios_beyond_it),
		cmocka_unit_test(the_largest_depth_is_found_to_the_last_one),
		cmocka_unit_test(any_limit_is_found_exactly_where_precision_is_asked_for),
		cmocka_unit_test(two_per_cent_are_near_enough_by_default),
		cmocka_unit_test(doubling_and_halving_goes_the_way_it_says),
		cmocka_unit_test(when_all_meet_it_the_bound_is_named),
		cmocka_unit_test(when_nothing_meets_it_the_least_gets_a_second_chance_and_is_named),
		cmocka_unit_test(bounds_are_kept),
		cmocka_unit_test(the_largest_rate_of_a_queue_is_found),
		cmocka_unit_test(a_rate_that_is_not_done_does_not_meet_the_goal),
		cmocka_unit_test(the_rate_max_that_meets_it_ends_the_search),
		cmocka_unit_test(a_rate_too_low_for_its_percentile_is_not_tried),
		cmocka_unit_test(what_no_longer_holds_is_stepped_down_from),
		cmocka_unit_test(a_rate_max_that_no_longer_holds_is_searched_below),
		cmocka_unit_test(noise_does_not_keep_it_going),
		cmocka_unit_test(a_target_that_answers_by_the_dice_ends_too),
		cmocka_unit_test(a_hole_in_the_middle_does_not_confuse_it),
		cmocka_unit_test(a_value_that_cannot_be_had_is_a_bound),
		cmocka_unit_test(errors_and_missing_ios_do_not_meet_a_goal),
		cmocka_unit_test(at_a_rate_latency_counts_from_when_an_io_was_due),
		cmocka_unit_test(few_ios_are_said),
		cmocka_unit_test(goals_that_make_no_sense_are_refused),
		cmocka_unit_test(the_document_has_every_step_and_the_result),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
