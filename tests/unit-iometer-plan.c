/* unit-iometer-plan.c - which tests a set-up stands for: the cycles, step by step as Iometer's user's guide and
 * its sources have them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "iometer/plan.h"

static struct iometer_setup s;
static struct iometer_plan p;

static void add_spec(const char *name, enum iometer_assign assign, unsigned lines)
{
	struct iometer_spec *spec = iometer_add_spec(&s);

	assert_non_null(spec);
	snprintf(spec->name, sizeof(spec->name), "%s", name);
	spec->assign = assign;
	spec->count = lines;
	spec->line[0].line = (struct access_line){.size = 4096, .share = 100, .read_pct = 100};
}

/* A manager whose workers have so many disks each; names are M.W.D, from 1 on. */
static void add_manager(unsigned workers, const unsigned *disks)
{
	struct iometer_manager *m = iometer_add_manager(&s);

	assert_non_null(m);
	m->id = (uint32_t)s.managers;
	for (unsigned w = 0; w < workers; w++) {
		struct iometer_worker *worker = iometer_add_worker(m);
		assert_non_null(worker);
		snprintf(worker->name, sizeof(worker->name), "Worker %u", w + 1);
		worker->outstanding = 7;
		for (unsigned d = 0; d < disks[w]; d++) {
			struct iometer_target *t = iometer_add_target(worker);
			assert_non_null(t);
			snprintf(t->name, sizeof(t->name), "%zu.%u.%u", s.managers, w + 1, d + 1);
		}
	}
}

static int begin(void **state)
{
	(void)state;
	iometer_setup_init(&s);
	return 0;
}

static int end(void **state)
{
	(void)state;
	iometer_plan_free(&p);
	iometer_setup_free(&s);
	return 0;
}

static void plan(void)
{
	struct error e;

	iometer_plan_free(&p);
	if (iometer_plan_make(&p, &s, &e))
		fail_msg("%s", e.text);
}

/* The targets of all tests: "1.1.1 1.1.2 | 1.1.1 ..." */
static void assert_targets(const char *expected)
{
	char text[4096] = "";

	for (size_t i = 0; i < p.tests; i++) {
		for (size_t k = 0; k < p.test[i].parts; k++) {
			size_t n = strlen(text);
			snprintf(text + n, sizeof(text) - n, "%s%s",
				 k   ? " "
				 : i ? " | "
				     : "",
				 p.test[i].part[k].target->name);
		}
	}
	assert_string_equal(text, expected);
}

static void assert_depths(const unsigned *depth, size_t n)
{
	assert_int_equal(p.tests, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(p.test[i].outstanding, depth[i]);
}

#define MANAGER(...) \
	add_manager(sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned), (unsigned[]){__VA_ARGS__})

static void without_a_cycle_everybody_runs_everything(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	add_spec("net", IOMETER_ASSIGN_NET, 1);
	add_spec("two", IOMETER_ASSIGN_DISK, 1);
	MANAGER(2, 1);
	plan();
	assert_targets("1.1.1 1.1.2 1.2.1 | 1.1.1 1.1.2 1.2.1");
	assert_string_equal(p.test[0].spec->name, "one");
	assert_string_equal(p.test[1].spec->name, "two");
	assert_int_equal(p.test[0].workers, 2);
	assert_int_equal(p.test[0].targets, 3);
	assert_int_equal(p.test[0].managers, 1);
	assert_int_equal(p.test[0].outstanding, 7);
	s.run_s = 30;
	s.ramp_s = 5;
	assert_int_equal(iometer_plan_seconds(&p, &s), 70);
	s.run_s = 0;
	assert_int_equal(iometer_plan_seconds(&p, &s), 0);
}

static void a_worker_that_has_no_specification_left_rests(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_NONE, 1);
	add_spec("two", IOMETER_ASSIGN_NONE, 1);
	add_spec("Idle", IOMETER_ASSIGN_NONE, 0);
	MANAGER(1, 1, 1);
	struct iometer_worker *w = s.manager[0].worker;
	iometer_add_spec_name(&w[0], "one");
	iometer_add_spec_name(&w[0], "two");
	iometer_add_spec_name(&w[1], "Idle");
	iometer_add_spec_name(&w[1], "one");
	iometer_add_spec_name(&w[2], "two");
	plan();
	assert_targets("1.1.1 1.3.1 | 1.1.1 1.2.1");
	assert_true(p.test[0].mixed);
	assert_string_equal(p.test[0].part[0].spec->name, "one");
	assert_string_equal(p.test[0].part[1].spec->name, "two");
	assert_string_equal(p.test[1].part[1].spec->name, "one");
	/* Numbers count those that rest too. */
	assert_int_equal(p.test[0].part[1].number, 2);
}

static void targets_of_all_workers_grow_together(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	MANAGER(3, 2);
	s.test = IOMETER_CYCLE_TARGETS;
	plan();
	assert_targets("1.1.1 1.2.1 | 1.1.1 1.1.2 1.2.1 1.2.2 | 1.1.1 1.1.2 1.1.3 1.2.1 1.2.2");
	/* By factors: 1, 2, 4. */
	s.target_step.step = 2;
	s.target_step.exponential = true;
	plan();
	assert_int_equal(p.tests, 3);
	/* From 2 on, by 2: the last one has what there is. */
	s.target_step = (struct iometer_step){.start = 2, .step = 2};
	plan();
	assert_targets("1.1.1 1.1.2 1.2.1 1.2.2 | 1.1.1 1.1.2 1.1.3 1.2.1 1.2.2");
}

static void workers_of_each_manager_join_with_all_their_targets(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	MANAGER(2, 1, 1);
	MANAGER(1);
	s.test = IOMETER_CYCLE_WORKERS;
	plan();
	assert_targets("1.1.1 1.1.2 2.1.1 | 1.1.1 1.1.2 1.2.1 2.1.1 | "
		       "1.1.1 1.1.2 1.2.1 1.3.1 2.1.1");
	assert_int_equal(p.test[2].workers, 4);
	assert_int_equal(p.test[2].managers, 2);
}

static void targets_are_dealt_worker_by_worker_in_parallel_or_in_series(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	MANAGER(1, 2);
	MANAGER(2);
	s.test = IOMETER_INCREMENT_TARGETS_PARALLEL;
	plan();
	assert_targets("1.1.1 2.1.1 | 1.1.1 1.2.1 2.1.1 2.1.2 | 1.1.1 1.2.1 1.2.2 2.1.1 2.1.2");
	s.test = IOMETER_INCREMENT_TARGETS_SERIAL;
	s.target_step.step = 2;
	plan();
	assert_targets("1.1.1 | 1.1.1 1.2.1 1.2.2 | 1.1.1 1.2.1 1.2.2 2.1.1 2.1.2");
}

static void for_each_number_of_workers_their_targets_grow(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	MANAGER(2, 2);
	s.test = IOMETER_CYCLE_WORKERS_AND_TARGETS;
	plan();
	assert_targets("1.1.1 | 1.1.1 1.1.2 | 1.1.1 1.2.1 | 1.1.1 1.1.2 1.2.1 1.2.2");
}

static void outstanding_grows_by_steps_or_factors_to_its_end(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	MANAGER(1);
	s.test = IOMETER_CYCLE_OUTSTANDING;
	plan();
	assert_depths((unsigned[]){1, 2, 4, 8, 16, 32}, 6);
	s.depth_step = (struct iometer_step){.start = 3, .step = 4, .end = 12};
	plan();
	assert_depths((unsigned[]){3, 7, 11}, 3);
	/* A factor of 1, or a step of 0, is a step of 1. */
	s.depth_step = (struct iometer_step){.start = 3, .step = 1, .end = 5, .exponential = true};
	plan();
	assert_depths((unsigned[]){3, 4, 5}, 3);
	s.depth_step.step = 0;
	plan();
	assert_depths((unsigned[]){3, 4, 5}, 3);
}

static void for_each_number_of_targets_outstanding_grows(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	add_spec("two", IOMETER_ASSIGN_ALL, 1);
	MANAGER(2);
	s.test = IOMETER_CYCLE_OUTSTANDING_AND_TARGETS;
	s.depth_step.end = 4;
	plan();
	assert_depths((unsigned[]){1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 2, 4}, 12);
	assert_int_equal(p.test[2].targets, 1);
	assert_int_equal(p.test[3].targets, 2);
	assert_string_equal(p.test[5].spec->name, "one");
	assert_string_equal(p.test[6].spec->name, "two");
}

static void network_workers_and_targets_are_left_out(void **state)
{
	(void)state;
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	MANAGER(2, 1);
	s.manager[0].worker[1].kind = IOMETER_TCP;
	s.manager[0].worker[0].target[0].kind = IOMETER_TCP;
	plan();
	assert_targets("1.1.2");
}

static void what_can_not_run_is_refused_with_the_reason(void **state)
{
	(void)state;
	struct error e;

	MANAGER(1);
	assert_int_not_equal(iometer_plan_make(&p, &s, &e), 0);
	assert_non_null(strstr(e.text, "access specification"));
	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	s.test = IOMETER_CYCLE_OUTSTANDING;
	s.depth_step = (struct iometer_step){.start = 8, .step = 1, .end = 4};
	assert_int_not_equal(iometer_plan_make(&p, &s, &e), 0);
	assert_non_null(strstr(e.text, "from 8 to 4"));
	s.depth_step = (struct iometer_step){.start = 1, .step = 1, .end = 100000};
	assert_int_not_equal(iometer_plan_make(&p, &s, &e), 0);
	s.test = IOMETER_CYCLE_TARGETS;
	s.target_step.start = 0;
	assert_int_not_equal(iometer_plan_make(&p, &s, &e), 0);
	assert_non_null(strstr(e.text, "targets"));
	s.test = IOMETER_NORMAL;
	s.manager[0].worker[0].outstanding = OUTSTANDING_MAX + 1;
	s.manager[0].worker[0].at = 12;
	assert_int_not_equal(iometer_plan_make(&p, &s, &e), 0);
	assert_non_null(strstr(e.text, "line 12"));
	s.manager[0].worker[0].outstanding = 1;
	s.spec[0].line[0].line.size = BLOCK_MAX + 512;
	s.spec[0].at = 7;
	assert_int_not_equal(iometer_plan_make(&p, &s, &e), 0);
	assert_non_null(strstr(e.text, "line 7"));
	s.spec[0].line[0].line.size = BLOCK_MAX;
	s.test = IOMETER_CYCLE_TARGETS;
	/* Steps that are far too large end, and do not go round. */
	s.target_step =
		(struct iometer_step){.start = UINT32_MAX, .step = UINT32_MAX, .exponential = true};
	plan();
	assert_int_equal(p.tests, 1);
}

static void a_test_says_what_it_is(void **state)
{
	(void)state;
	char text[96];

	add_spec("one", IOMETER_ASSIGN_ALL, 1);
	MANAGER(2, 1);
	plan();
	assert_string_equal(iometer_test_words(text, sizeof(text), &p.test[0]),
			    "2 workers, 3 targets in all, 7 outstanding");
	s.manager[0].workers = 1;
	plan();
	assert_string_equal(iometer_test_words(text, sizeof(text), &p.test[0]),
			    "1 worker x 2 targets x 7 outstanding");
	s.manager[0].workers = 2;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

static void a_series_beyond_all_measure_is_refused_and_one_just_below_is_not(void **state)
{
	unsigned disks[128];
	struct error e;

	(void)state;
	for (unsigned i = 0; i < 128; i++)
		disks[i] = 16;
	add_manager(128, disks);
	for (unsigned i = 0; i < IOMETER_PARTS_MAX / (128 * 16); i++) {
		char name[16];
		snprintf(name, sizeof(name), "%u", i);
		add_spec(name, IOMETER_ASSIGN_ALL, 1);
	}
	assert_int_equal(iometer_plan_make(&p, &s, &e), 0);
	assert_int_equal(p.parts, IOMETER_PARTS_MAX);
	assert_string_equal(p.test[p.tests - 1].part[128 * 16 - 1].target->name, "1.128.16");
	iometer_plan_free(&p);
	add_spec("one more", IOMETER_ASSIGN_ALL, 1);
	assert_true(iometer_plan_make(&p, &s, &e) < 0);
	assert_non_null(strstr(e.text, "the tests have more than 1048576 workers and targets"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_cycle_everybody_runs_everything),
		TEST(a_worker_that_has_no_specification_left_rests),
		TEST(targets_of_all_workers_grow_together),
		TEST(workers_of_each_manager_join_with_all_their_targets),
		TEST(targets_are_dealt_worker_by_worker_in_parallel_or_in_series),
		TEST(for_each_number_of_workers_their_targets_grow),
		TEST(outstanding_grows_by_steps_or_factors_to_its_end),
		TEST(for_each_number_of_targets_outstanding_grows),
		TEST(network_workers_and_targets_are_left_out),
		TEST(what_can_not_run_is_refused_with_the_reason),
		TEST(a_test_says_what_it_is),
		TEST(a_series_beyond_all_measure_is_refused_and_one_just_below_is_not),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
