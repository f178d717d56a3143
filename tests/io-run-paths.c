/* io-run-paths.c - what a run tells of its paths, on a target with faults: sums, rates, who is uneven. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "mocktgt.h"
#include "run.h"
#include "units.h"

#define PATIENCE 300 /* tenths of a second */

static struct mock *m;
static struct target target;
static struct run *run;
static struct summary summary;
static struct snapshot snap;
static json_t *doc;

static void begin(enum paths_policy policy, uint32_t workers)
{
	struct target_options how = {.paths = {.policy = policy, .hold_ns = PATHS_HOLD_NS}};
	struct run_config c = {.workload = workload_default(), .no_store = true, .command = ""};
	struct error e = {""};
	char url[400];

	c.status = "headless";
	c.workload.workers = workers;
	c.workload.outstanding = 8;
	c.workload.block_size = 4096;
	m = mock_start(&(struct mock_options){.portals = 4});
	size_t used = (size_t)snprintf(url, sizeof(url), "iscsi://");
	for (unsigned i = 1; i <= 4; i++)
		used += (size_t)snprintf(url + used, sizeof(url) - used, "%s%s:%d",
					 i > 1 ? "," : "", mock_address(m, i), mock_port(m));
	snprintf(url + used, sizeof(url) - used, "/%s/0", MOCK_IQN);
	if (target_open(&target, url, &how, &e) || run_create(&run, &target, &c, &e))
		fail_msg("%s", e.text);
}

static void stop(void)
{
	uint64_t lost = run_stop(run, "done", &summary);

	doc = run_json(run, &summary);
	assert_non_null(doc);
	assert_int_equal(lost, 0);
}

static int clean_up(void **state)
{
	(void)state;
	if (run) {
		if (!doc)
			run_stop(run, "torn down", &summary);
		run_destroy(run);
		target_close(&target);
	}
	json_decref(doc);
	doc = NULL;
	run = NULL;
	mock_stop(m);
	m = NULL;
	return 0;
}

/* A new snapshot each tenth of a second, until one is so. */
static void wait_until(bool (*is_so)(void), const char *what)
{
	for (unsigned i = 0; i < PATIENCE; i++) {
		run_snapshot(run, &snap);
		if (is_so())
			return;
		usleep(100000);
	}
	fail_msg("not so after %u s: %s", PATIENCE / 10, what);
}

#define WAIT_UNTIL(f) wait_until(f, #f)

static void set_workers(uint32_t n)
{
	struct workload w = run_workload(run);
	struct error e;
	w.workers = n;
	if (run_apply(run, &w, &e))
		fail_msg("%s", e.text);
}

static unsigned expected_sessions;

static bool as_many_sessions(void)
{
	return snap.sessions.count == expected_sessions && snap.sessions.up == expected_sessions;
}

static bool has_rates(void)
{
	for (unsigned i = 0; i < snap.sessions.paths; i++)
		if (snap.sessions.path[i].share <= 0)
			return false;
	return snap.sessions.paths == 4;
}

/* --- Sums. --- */

static double real(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static void check_sums(void)
{
	uint64_t ios = 0, bytes = 0;
	double share = 0, iops = 0, mib_s = 0;
	const struct summary_op *all = &summary.op[SUM_TOTAL];
	const json_t *p;
	size_t i;

	json_array_foreach(json_object_get(doc, "paths"), i, p)
	{
		ios += (uint64_t)json_integer_value(json_object_get(p, "ios"));
		bytes += (uint64_t)json_integer_value(json_object_get(p, "bytes"));
		share += real(p, "share");
		iops += real(p, "iops");
		mib_s += real(p, "mib_s");
	}
	assert_int_equal(i, 4);
	assert_true(all->ios > 0);
	assert_int_equal(ios, all->ios);
	assert_int_equal(bytes, all->bytes);
	assert_float_equal(share, 1, 1e-9);
	assert_float_equal(iops, all->iops, 1e-6 * all->iops);
	assert_float_equal(mib_s, all->bytes_s / (double)MIB, 1e-6 * mib_s);
}

static void paths_add_up_to_the_run_whichever_workers_come_and_go(void **state)
{
	static const uint32_t workers[] = {6, 1, 3, 8, 2};
	(void)state;
	begin(PATHS_LEAST, 2);
	for (size_t i = 0; i < sizeof(workers) / sizeof(*workers); i++) {
		set_workers(workers[i]);
		expected_sessions = 4 * workers[i];
		WAIT_UNTIL(as_many_sessions);
	}
	stop();
	check_sums();
}

static bool has_done_much(void)
{
	return snap.sessions.path[0].all.ios > 20000;
}

static void a_reset_leaves_out_what_was_before(void **state)
{
	uint64_t ios = 0;
	const json_t *p;
	size_t i;
	(void)state;
	begin(PATHS_ROUND_ROBIN, 1);
	WAIT_UNTIL(has_done_much);
	run_reset(run, "warm-up over");
	stop();
	json_array_foreach(json_object_get(doc, "paths"), i, p)
		ios += (uint64_t)json_integer_value(json_object_get(p, "ios"));
	/* What was done in the moment of the reset is counted on either side of it. */
	uint64_t all = summary.op[SUM_TOTAL].ios;
	assert_true(ios < all + 20000 && all < ios + 20000);
}

/* --- Rates. --- */

static bool relogged_in(void)
{
	for (unsigned i = 0; i < 4; i++)
		if (snap.sessions.path[i].all.relogins < 2 || !snap.sessions.path[i].up)
			return false;
	return true;
}

static bool tells_frames(void)
{
	for (unsigned i = 0; i < snap.sessions.paths; i++)
		if (snap.sessions.path[i].frames_s <= 0)
			return false;
	return snap.sessions.wire.frames_s > 0;
}

static void each_path_tells_its_nic_and_what_went_over_it(void **state)
{
	(void)state;
	begin(PATHS_ROUND_ROBIN, 2);
	WAIT_UNTIL(has_rates);
	WAIT_UNTIL(tells_frames);
	for (unsigned i = 0; i < 4; i++) {
		const struct path_view *v = &snap.sessions.path[i];
		assert_int_equal(v->number, i + 1);
		assert_int_equal(v->sessions, 2);
		assert_string_equal(v->nic, "lo");
		assert_true(v->nic_mtu > 0);
		assert_true(v->link_bits_s < 0);
		assert_true(v->latency_ns > 0);
		assert_true(v->all.mss > 0 && v->all.receive_mss > 0);
		/* A segment has 1 byte at least and what fits at most. */
		assert_true(v->frame_bytes >= 1 && v->frame_bytes <= (double)v->nic_mtu);
		/* All that was read came by TCP, with 48 bytes before each IO's. */
		assert_true(v->all.bytes_in >= (int64_t)(v->all.bytes + 48 * v->all.ios));
	}
	assert_true(snap.sessions.wire.ceiling_bytes_s < 0);
	assert_non_null(
		strstr(snap.sessions.wire.text, "MiB/s read; ceiling not known: lo is no wire"));
	stop();
	check_sums();
}

static void a_new_login_makes_no_rate_jump(void **state)
{
	struct error e;
	(void)state;
	begin(PATHS_LEAST, 2);
	WAIT_UNTIL(has_rates);
	for (unsigned i = 0; i < 2; i++)
		if (run_path_act(run, PATHS_ALL, PATH_RELOGIN, &e))
			fail_msg("%s", e.text);
	for (unsigned i = 0; i < PATIENCE; i++) {
		run_snapshot(run, &snap);
		for (unsigned k = 0; k < snap.sessions.paths; k++) {
			const struct path_view *v = &snap.sessions.path[k];
			/* 4 KiB and 48 bytes an IO, a login, pings, and segments sent again: not what
			 * a connection had moved in all its time. */
			assert_true(v->received_s <= 2 * v->bytes_s + 1e6);
			assert_true(v->iops < 1e7);
		}
		if (i > 30 && relogged_in())
			break;
		usleep(100000);
	}
	stop();
	check_sums();
}

/* --- Who is uneven. --- */

static bool second_is_named(void)
{
	return strncmp(snap.sessions.imbalance, "path 2 ", 7) == 0;
}

static bool none_is_named(void)
{
	return !snap.sessions.imbalance[0];
}

static void delay_second(void)
{
	mock_inject(m, &(struct mock_injection){.fault = MOCK_DELAY,
						.of = MOCK_READS,
						.portal = 2,
						.ms = 20,
						.count = MOCK_ALWAYS});
}

static void a_path_that_answers_late_does_less_and_is_named_until_it_does_not(void **state)
{
	(void)state;
	begin(PATHS_LEAST, 1);
	WAIT_UNTIL(has_rates);
	delay_second();
	WAIT_UNTIL(second_is_named);
	assert_non_null(strstr(snap.sessions.imbalance, " of the IOs and not 25 %: "));
	mock_heal(m);
	WAIT_UNTIL(none_is_named);
	stop();
	/* The result has it still. */
	assert_memory_equal(json_string_value(json_object_get(doc, "imbalance")), "path 2 does ",
			    12);
	check_sums();
}

static void round_robin_names_whom_the_others_wait_for(void **state)
{
	(void)state;
	begin(PATHS_ROUND_ROBIN, 1);
	WAIT_UNTIL(has_rates);
	delay_second();
	WAIT_UNTIL(second_is_named);
	stop();
	check_sums();
}

static void with_failover_idle_paths_are_as_they_should_be(void **state)
{
	(void)state;
	begin(PATHS_FAILOVER, 1);
	for (unsigned i = 0; i < 50; i++) {
		run_snapshot(run, &snap);
		assert_string_equal(snap.sessions.imbalance, "");
		usleep(100000);
	}
	assert_int_equal(snap.sessions.path[1].ios, 0);
	assert_int_equal(snap.sessions.policy.policy, PATHS_FAILOVER);
	stop();
	check_sums();
}

int main(void)
{
#define T(f) cmocka_unit_test_teardown(f, clean_up)
	const struct CMUnitTest tests[] = {
		T(paths_add_up_to_the_run_whichever_workers_come_and_go),
		T(a_reset_leaves_out_what_was_before),
		T(each_path_tells_its_nic_and_what_went_over_it),
		T(a_new_login_makes_no_rate_jump),
		T(a_path_that_answers_late_does_less_and_is_named_until_it_does_not),
		T(round_robin_names_whom_the_others_wait_for),
		T(with_failover_idle_paths_are_as_they_should_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
