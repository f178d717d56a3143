/* io-load.c - `lunscope find` and `lunscope curve` as programs: what they find where it can be known
 * beforehand, what they print and keep, and how they end. null:1ms never answers sooner than that.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <jansson.h>
#include "tests/io.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"

static struct loopdev disk = {.number = -1};

static int free_disk(void **state)
{
	(void)state;
	return loopdev_free(&disk);
}

static void make_disk(void)
{
	if (loopdev_missing()) {
		print_message("%s\n", loopdev_missing());
		skip();
	}
	assert_int_equal(loopdev_make(&disk, "disk", 16 << 20, NULL), 0);
}

/* `lunscope COMMAND ARGUMENT... --step-time 500ms`, with the document read back. */
static void call(struct outcome *o, const char *const arguments[])
{
	/* io_check_sums() looks for the CSV there. */
	const char *json = scratch_path("load.json"), *csv = scratch_path("result.csv");
	const char *argv[32] = {lunscope_path(), arguments[0], "--step-time", "500ms",
				"--json",        json,         "--csv",       csv};
	const struct proc_options how = {.limit_s = 4 * proc_patience()};
	size_t n = 8;
	for (size_t i = 1; arguments[i] && n < 31; i++)
		argv[n++] = arguments[i];
	unlink(json);
	memset(o, 0, sizeof(*o));
	assert_int_equal(proc_run(&o->p, argv, &how), 0);
	assert_false(o->p.timed_out);
	o->doc = json_load_file(json, JSON_REJECT_DUPLICATES, NULL);
}
#define CALL(o, ...) call(o, (const char *const[]){__VA_ARGS__, NULL})

static const char *outcome_of(const struct outcome *o)
{
	const json_t *find = json_object_get(o->doc, "find");
	const char *word =
		json_string_value(json_object_get(json_object_get(find, "result"), "outcome"));
	return word ? word : "";
}

static const json_t *steps_of(const struct outcome *o, const char *command)
{
	const json_t *steps = json_object_get(json_object_get(o->doc, command), "steps");
	assert_true(json_is_array(steps));
	return steps;
}

static void check_status(const struct outcome *o, int status, const char *says)
{
	if (o->p.status != status || !strstr(o->p.out, says))
		fail_msg("status %d, looked for '%s' in: %s%s", o->p.status, says, o->p.err,
			 o->p.out);
}

static void a_goal_that_every_depth_meets_is_met_up_to_the_bound(void **state)
{
	struct outcome o;
	(void)state;
	CALL(&o, "find", "null:1ms", "--goal", "p50<20s", "--to", "32", "--no-store");
	check_status(&o, 0, "all meet it up to outstanding 32: p50 read ");
	assert_string_equal(outcome_of(&o), "all");
	assert_int_equal(io_count(o.doc, "find.result.value"), 32);
	assert_int_equal(io_count(o.doc, "find.goal.limit_ns"), 20000000000);
	assert_int_equal(io_count(o.doc, "schema"), 1);
	/* The answer is the last line, and no table of all loads together is before it. */
	const char *last = strstr(o.p.out, "\nall meet it up to");
	assert_non_null(last);
	assert_int_equal(strlen(last), 1 + strcspn(last + 1, "\n") + 1);
	assert_null(strstr(o.p.out, "latency  "));
	io_free(&o);
}

static void a_goal_that_no_depth_can_meet_is_met_by_nothing(void **state)
{
	struct outcome o;
	(void)state;
	CALL(&o, "find", "null:1ms", "--goal", "p99<0.5ms", "--no-store");
	check_status(&o, 1, "nothing meets p99 read < 500 ");
	check_status(&o, 1, "even outstanding 1 has ");
	assert_string_equal(outcome_of(&o), "nothing");
	/* 8, 4, 2, 1, and 1 once more, each slower than the target allows. */
	const json_t *steps = steps_of(&o, "find"), *step;
	size_t i;
	assert_int_equal(json_array_size(steps), 5);
	json_array_foreach(steps, i, step)
	{
		assert_true(io_number(step, "summary.read.lat_ns.p50") >= 1e6);
		assert_string_equal(json_string_value(json_object_get(step, "note")), "above");
	}
	io_free(&o);
}

static void four_in_flight_for_a_millisecond_are_four_thousand_a_second(void **state)
{
	struct outcome o;
	(void)state;
	CALL(&o, "find", "null:1ms", "--goal", "p50<20s", "--by", "rate", "--outstanding", "4",
	     "--to", "20000", "--no-store");
	check_status(&o, 0, "found: rate ");
	assert_in_range(io_count(o.doc, "find.result.value"), 1, 4060);
	/* 20,000 were offered first, and not kept up. */
	const json_t *first = json_array_get(steps_of(&o, "find"), 0);
	assert_int_equal(io_count(first, "value"), 20000);
	assert_true(json_is_false(json_object_get(first, "sustained")));
	assert_non_null(strstr(o.p.out, "lags: the offered rate was not sustained"));
	io_free(&o);
}

static void on_a_device_a_depth_is_found_and_the_run_is_kept(void **state)
{
	struct outcome o;
	struct proc list, show;
	(void)state;
	make_disk();
	const char *store = scratch_path("runs.db");
	CALL(&o, "find", disk.node, "--goal", "mean<20s", "--of", "all", "--to", "16", "--store",
	     store);
	check_status(&o, 0, "all meet it up to outstanding 16: mean all ");
	check_status(&o, 0, "kept as run 1");
	io_check_sums(o.doc);
	io_free(&o);
	assert_int_equal(PROC(&list, lunscope_path(), "list", "--store", store), 0);
	assert_non_null(strstr(list.out, disk.node));
	proc_free(&list);
	assert_int_equal(PROC(&show, lunscope_path(), "show", "1", "--store", store), 0);
	/* The command line that repeats it, and a mark for each step. */
	assert_non_null(strstr(show.out, "find "));
	assert_non_null(strstr(show.out, "--goal 'mean<20 s' --of all --to 16 --step-time 0.5s"));
	assert_non_null(strstr(show.out, "outstanding 16: mean "));
	proc_free(&show);
}

static void a_curve_has_the_most_first_and_then_shares_of_it(void **state)
{
	struct outcome o;
	(void)state;
	CALL(&o, "curve", "null:1ms", "--points", "4", "--outstanding", "4", "--no-store");
	check_status(&o, 0, "knee");
	const json_t *steps = steps_of(&o, "curve");
	assert_int_equal(json_array_size(steps), 5);
	assert_true(json_is_null(json_object_get(json_array_get(steps, 0), "value")));
	double most = io_number(json_array_get(steps, 0), "summary.total.iops");
	assert_true(most > 0 && most <= 4000 * 1.02);
	for (size_t i = 1; i < 5; i++) {
		double share = (i < 4 ? (double)i : 3.5) / 4;
		double rate = (double)io_count(json_array_get(steps, i), "value");
		assert_true(rate >= most * share - 1 && rate <= most * share + 1);
	}
	io_free(&o);
}

static void a_curve_by_outstanding_doubles(void **state)
{
	struct outcome o;
	(void)state;
	make_disk();
	CALL(&o, "curve", disk.node, "--by", "outstanding", "--points", "3", "--no-store");
	check_status(&o, 0, "knee");
	const json_t *steps = steps_of(&o, "curve"), *step;
	size_t i;
	assert_int_equal(json_array_size(steps), 3);
	json_array_foreach(steps, i, step)
	{
		assert_int_equal(io_count(step, "value"), 1u << i);
		assert_true(io_count(step, "summary.read.ios") > 0);
	}
	io_check_sums(o.doc);
	io_free(&o);
}

static void an_interrupt_prints_and_keeps_what_there_is(void **state)
{
	struct proc p;
	(void)state;
	const char *json = scratch_path("cut.json"), *store = scratch_path("cut.db");
	const char *const argv[] = {lunscope_path(), "curve", "null:1ms", "--step-time", "500ms",
				    "--json",        json,    "--store",  store,         NULL};
	assert_int_equal(proc_start(&p, argv, NULL), 0);
	/* One step has been taken. */
	io_await_told(store, "rate max: p99 ");
	kill(p.pid, SIGINT);
	proc_wait(&p);
	assert_int_equal(p.status, 128 + SIGINT);
	assert_non_null(strstr(p.out, "curve cancelled: interrupted"));
	assert_non_null(strstr(p.out, "kept as run 1"));
	proc_free(&p);
	json_t *doc = json_load_file(json, 0, NULL);
	assert_non_null(doc);
	assert_true(json_is_array(json_object_get(json_object_get(doc, "curve"), "steps")));
	json_decref(doc);
}

static void bad_usage_is_told_in_one_line_with_the_remedy(void **state)
{
	static const struct {
		const char *arguments[8], *says;
	} bad[] = {
		{{"find", "null:"}, "add --goal 'p99<5ms'"},
		{{"find", "null:", "--goal", "p99"}, "write a goal like p99<5ms"},
		{{"find", "null:", "--goal", "p99<5"}, "needs a unit"},
		{{"find", "null:", "--goal", "p99<5ms", "--of", "write"}, "only reads"},
		{{"find", "null:", "--goal", "p99<5ms", "--of", "trims"}, "read, write or all"},
		{{"find", "null:", "--goal", "p99<5ms", "--by", "block"}, "outstanding or rate"},
		{{"find", "null:", "--goal", "p99<5ms", "--to", "5000"}, "up to 4096"},
		{{"find", "null:", "--goal", "p99<5ms", "--step-time", "1ms"}, "500ms or more"},
		{{"find"}, "TARGET"},
		{{"curve", "null:", "--points", "1"}, "--points"},
		{{"curve", "null:", "--goal", "p99<5ms"}, "--goal is not for curve"},
		{{"run", "null:", "--points", "3"}, "--points is not for run, but for curve"},
		{{"curve", "null:", "--rate", "500"}, "--rate has no effect, as it is the rate"},
		{{"find", "null:", "--goal", "p99<5ms", "--rate", "9"}, "at the rate max"},
		{{"find", "null:", "--goal", "p99<5ms", "--arrival", "poisson"}, "add --by rate"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *argv[12] = {lunscope_path()};
		struct proc p;
		for (size_t k = 0; bad[i].arguments[k]; k++)
			argv[k + 1] = bad[i].arguments[k];
		assert_int_equal(proc_run(&p, argv, NULL), 0);
		const char *end = strchr(p.err, '\n');
		if (p.status != 2 || *p.out || !end || end[1] || !strstr(p.err, bad[i].says))
			fail_msg("status %d, looked for '%s' in: %s%s", p.status, bad[i].says,
				 p.err, p.out);
		proc_free(&p);
	}
}

static void writing_takes_the_same_consent_as_a_run(void **state)
{
	struct proc p;
	(void)state;
	const char *file = scratch_file("precious", 1 << 20, false);
	const char *const argv[] = {lunscope_path(), "find",   file, "--goal",
				    "p99<5ms",       "--read", "0",  NULL};
	assert_int_equal(proc_run(&p, argv, NULL), 0);
	assert_int_equal(p.status, 3);
	assert_non_null(strstr(p.err, "--write --i-own"));
	proc_free(&p);
	/* What it makes itself it may write; the goal is then about writes. */
	struct outcome o;
	const char *fresh = scratch_path("fresh");
	CALL(&o, "find", fresh, "--create", "4m", "--read", "0", "--goal", "mean<20s", "--to", "9",
	     "--no-store");
	check_status(&o, 0, "all meet it up to outstanding 9: mean write ");
	io_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_goal_that_every_depth_meets_is_met_up_to_the_bound),
		cmocka_unit_test(a_goal_that_no_depth_can_meet_is_met_by_nothing),
		cmocka_unit_test(four_in_flight_for_a_millisecond_are_four_thousand_a_second),
		cmocka_unit_test_teardown(on_a_device_a_depth_is_found_and_the_run_is_kept,
					  free_disk),
		cmocka_unit_test(a_curve_has_the_most_first_and_then_shares_of_it),
		cmocka_unit_test_teardown(a_curve_by_outstanding_doubles, free_disk),
		cmocka_unit_test(an_interrupt_prints_and_keeps_what_there_is),
		cmocka_unit_test(bad_usage_is_told_in_one_line_with_the_remedy),
		cmocka_unit_test(writing_takes_the_same_consent_as_a_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
