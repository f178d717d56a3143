/* unit-open-loop.c - a rate is offered whatever the device does: what is done of it, what is left, how
 * long IOs took from when they were due, and what a run says about it. What is asserted holds by
 * construction, however busy the host is; what is close to its ideal may take several tries.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "engine.h"
#include "tests/proc.h"
#include "tests/run-fixture.h"
#include "units.h"

static struct target target;
static struct engine *engine;
static struct engine_counters now;
static struct workload load;

static void start_engine(const char *spec)
{
	struct target_options how = {0};
	struct error e;
	if (target_open(&target, spec, &how, &e) || engine_create(&engine, &target, &load, &e))
		fail_msg("%s", e.text);
}

static void apply(void)
{
	struct error e;
	if (engine_apply(engine, &load, NULL, &e))
		fail_msg("%s", e.text);
}

static uint64_t ios(const struct engine_counters *c)
{
	return c->op[IO_READ].ios + c->op[IO_WRITE].ios;
}

/* When the generation was published, that is when its rate began. */
static uint64_t began(uint32_t number)
{
	struct engine_generation g;
	assert_true(engine_generation(engine, number, &g));
	return g.t_ns;
}

/* How many IOs of a constant rate are due at t. */
static uint64_t due_at(uint64_t t, uint64_t rate, uint64_t from)
{
	return (uint64_t)((unsigned __int128)(t - from) * rate / NS_PER_SEC) + 1;
}

/* Counts to the last IO, once the engine is at rest. */
static void stop_engine(void)
{
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	engine_collect(engine, &now);
	uint64_t failed = now.op[IO_READ].errors + now.op[IO_WRITE].errors;
	assert_true(now.offered >= now.started + now.backlog);
	assert_int_equal(now.submitted, ios(&now) + failed);
	assert_int_equal(now.op[HIST_DUE].ios, now.hist[HIST_DUE].count);
	assert_int_equal(now.op[HIST_DUE].errors + now.op[HIST_DUE].bytes, 0);
}

static void end_engine(void)
{
	engine_destroy(engine);
	target_close(&target);
}

static double p50(const struct hist *h)
{
	return hist_percentile(h, 0.50);
}

/* --- A rate that the device can do. --- */

static void check_rate(uint32_t workers, uint64_t rate, bool poisson)
{
	load = workload_default();
	load.workers = workers;
	load.outstanding = 64;
	load.rate_iops = rate;
	load.poisson = poisson;
	start_engine("null:");
	uint64_t from = began(1);
	double share = 0, off = poisson ? 0.02 : 0.005;
	/* Nothing moves the times: a worker that is held up is back on time afterwards. */
	for (int i = 0; i < 20 && fabs(share - 1) > off; i++) {
		wait_ms(500);
		engine_collect(engine, &now);
		share = (double)ios(&now) * 1e9 / ((double)rate * (double)(now.t_ns - from));
		if (!poisson)
			assert_true(ios(&now) <= due_at(now.t_ns, rate, from));
	}
	if (fabs(share - 1) > off)
		fail_msg("%u workers, %lu IOs/s: %.4f of it", workers, rate, share);
	stop_engine();
	/* All at rest: each that was started is done, and has a latency from when it was due. */
	assert_int_equal(now.started, ios(&now));
	assert_int_equal(now.hist[HIST_DUE].count, ios(&now));
	assert_int_equal(now.offered, now.started + now.backlog);
	assert_true(now.hist[HIST_DUE].sum >= now.op[IO_READ].lat_sum);
	end_engine();
}

static void a_rate_is_done_to_half_a_percent_by_one_worker_and_by_several(void **state)
{
	(void)state;
	check_rate(1, 1000, false);
	check_rate(3, 7001, false);
}

static void poisson_arrivals_are_done_as_they_fall_due(void **state)
{
	(void)state;
	/* 2 % are 4 standard deviations of the 40,000 IOs that fall due in the tries. */
	check_rate(1, 4000, true);
	check_rate(2, 7001, true);
}

static void where_the_device_keeps_up_both_latencies_agree(void **state)
{
	double service = NAN, due = NAN;
	(void)state;
	for (int i = 0; i < 10 && !(due <= 1.2 * service); i++) {
		load = workload_default();
		load.rate_iops = 40;
		/* Long against what a busy host takes to wake a thread. */
		start_engine("null:100ms");
		wait_ms(600);
		stop_engine();
		assert_int_equal(now.hist[HIST_DUE].count, ios(&now));
		service = p50(&now.hist[HIST_READ]);
		due = p50(&now.hist[HIST_DUE]);
		assert_true(service >= 100e6 * 0.99);
		assert_true(due >= service * 0.98);
		end_engine();
	}
	if (!(due <= 1.2 * service))
		fail_msg("%.0f ns, and from when they were due %.0f ns", service, due);
}

/* --- One that it can't. --- */

static void an_overload_shows_in_the_backlog_and_in_the_latency_from_due(void **state)
{
	(void)state;
	/* A device that does 1000/s at most, one after the other. */
	load = workload_default();
	load.outstanding = 1;
	load.rate_iops = 2000;
	start_engine("null:1ms");
	uint64_t from = began(1);
	double limit = proc_now() + proc_patience();
	do {
		wait_ms(50);
		engine_collect(engine, &now);
	} while (ios(&now) < 300 && proc_now() < limit);
	uint64_t seen = clock_ns(), done = ios(&now);
	assert_true(done >= 300);
	/* Each took its millisecond, so at least half of what is due is left. */
	assert_true(now.backlog + 2 >= due_at(now.t_ns, 2000, from) / 2);
	assert_true(now.backlog <= due_at(seen, 2000, from));
	assert_true(now.backlog_ns > 100 * NS_PER_MS);
	stop_engine();
	assert_true(now.backlog >= now.started - 2);
	/* The k-th (from 0) is due at k/2 ms and done at k + 1 ms at best. */
	uint64_t n = now.hist[HIST_DUE].count;
	assert_int_equal(n, ios(&now));
	assert_true(now.hist[HIST_DUE].sum >= (n * (n - 1) / 4 + n) * (NS_PER_MS - 1));
	assert_true(p50(&now.hist[HIST_READ]) < p50(&now.hist[HIST_DUE]) / 2);
	end_engine();
}

static void a_new_rate_starts_anew_and_another_knob_does_not(void **state)
{
	(void)state;
	load = workload_default();
	load.outstanding = 1;
	load.rate_iops = 10000;
	start_engine("null:1ms");
	wait_ms(200);
	load.outstanding = 2; /* the rate goes on */
	apply();
	wait_ms(50);
	engine_collect(engine, &now);
	assert_true(now.backlog > 1000);
	load.rate_iops = 50; /* what it can do */
	apply();
	double limit = proc_now() + proc_patience();
	do {
		wait_ms(10);
		engine_collect(engine, &now);
	} while (now.backlog > due_at(now.t_ns, 50, began(3)) && proc_now() < limit);
	assert_true(now.backlog <= due_at(now.t_ns, 50, began(3)));
	/* Without a rate there is neither, and no latency from due. */
	load.rate_iops = 0;
	apply();
	wait_ms(50);
	stop_engine();
	struct engine_generation g;
	uint64_t with_rate = 0;
	for (uint32_t i = 1; i <= 3; i++) {
		assert_true(engine_generation(engine, i, &g));
		with_rate += g.completed;
	}
	assert_int_equal(now.hist[HIST_DUE].count, with_rate);
	assert_int_equal(now.started, with_rate);
	assert_true(ios(&now) > with_rate);
	assert_int_equal(now.backlog, 0);
	end_engine();
}

/* --- One that stalls: no IO of it comes back for a while. --- */

static _Atomic uint64_t stall_from, stall_until;
static const struct backend *null_backend;

static int stalling_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	uint64_t t = clock_ns();
	if (t < stall_from || t >= stall_until)
		return null_backend->reap(queue, done, max, wait_ns);
	if (wait_ns)
		wait_ms(1);
	return 0;
}

static uint64_t longer_than(const struct hist *h, uint64_t ns)
{
	return hist_between(h, ns, UINT64_MAX);
}

static void a_stall_shows_in_every_io_that_was_due_in_it(void **state)
{
	static struct backend stalling;
	struct target_options how = {0};
	struct error e;
	(void)state;
	null_backend = backend_find("null");
	stalling = *null_backend;
	stalling.reap = stalling_reap;
	load = workload_default();
	load.outstanding = 4;
	load.rate_iops = 1000;
	assert_int_equal(target_open(&target, "null:", &how, &e), 0);
	target.backend = &stalling;
	stall_from = clock_ns() + 200 * NS_PER_MS;
	stall_until = stall_from + 500 * NS_PER_MS;
	assert_int_equal(engine_create(&engine, &target, &load, &e), 0);
	double limit = proc_now() + proc_patience();
	do {
		wait_ms(50);
		engine_collect(engine, &now);
	} while ((now.t_ns < stall_until + 100 * NS_PER_MS || now.backlog > 100) &&
		 proc_now() < limit);
	stop_engine();
	assert_true(clock_ns() > stall_until);
	/* Those that were due in its first 400 ms waited for 100 ms and more, but for what was in flight
	 * at its end and before: by the service latency alone it is a matter of these few. */
	uint64_t due = longer_than(&now.hist[HIST_DUE], 99 * NS_PER_MS);
	uint64_t service = longer_than(&now.hist[HIST_READ], 99 * NS_PER_MS);
	if (due < 395 || service < 1 || service > due / 5)
		fail_msg("%lu IOs over 100 ms, and %lu from when they were due", service, due);
	end_engine();
}

/* --- Bursts. --- */

static void bursts_come_whole_and_not_before_the_think_time(void **state)
{
	(void)state;
	load = workload_default();
	load.workers = 2;
	load.burst = 4;
	load.think_ns = 20 * NS_PER_MS;
	start_engine("null:");
	double limit = proc_now() + proc_patience();
	do {
		wait_ms(20);
		engine_collect(engine, &now);
	} while (ios(&now) < 40 && proc_now() < limit);
	assert_true(ios(&now) >= 40);
	stop_engine();
	uint64_t bursts = 2 * (clock_ns() - began(1)) / (20 * NS_PER_MS);
	assert_true(ios(&now) <= bursts * 4);
	assert_int_equal(ios(&now) % 4, 0);
	assert_int_equal(now.offered + now.started + now.hist[HIST_DUE].count, 0);
	end_engine();
}

/* A device that remembers the sizes of what it is given. */
static uint32_t size_of[4096];
static _Atomic unsigned sizes;

static int remembering_submit(void *queue, struct io **list, unsigned n)
{
	int taken = null_backend->submit(queue, list, n);
	for (int i = 0; i < taken && sizes < 4096; i++)
		size_of[sizes++] = list[i]->size;
	return taken;
}

static void a_burst_is_of_one_access_line_and_each_segment_has_the_same_ones(void **state)
{
	static struct backend remembering;
	struct target_options how = {0};
	struct engine_generation first;
	struct error e;
	unsigned bursts[2] = {0};
	(void)state;
	null_backend = backend_find("null");
	remembering = *null_backend;
	remembering.submit = remembering_submit;
	load = workload_default();
	load.access.count = 2;
	load.access.line[0] = (struct access_line){.size = 4096,
						   .share = 60,
						   .read_pct = 100,
						   .random_pct = 50,
						   .delay_ms = 1,
						   .burst = 3};
	load.access.line[1] = load.access.line[0];
	load.access.line[1].size = 65536;
	load.access.line[1].share = 40;
	load.access.line[1].burst = 5;
	assert_int_equal(target_open(&target, "null:", &how, &e), 0);
	target.backend = &remembering;
	if (engine_create(&engine, &target, &load, &e))
		fail_msg("%s", e.text);
	double limit = proc_now() + proc_patience();
	for (unsigned enough = 200; enough <= 400; enough += 200) {
		while (sizes < enough && proc_now() < limit)
			wait_ms(5);
		load.outstanding = 4;
		apply();
	}
	stop_engine();
	assert_true(engine_generation(engine, 1, &first));
	unsigned n = (unsigned)first.submitted;
	assert_true(n >= 200 && sizes >= 400);
	for (unsigned i = 0; i + 5 < n;) {
		int line = size_of[i] == 65536;
		for (uint32_t k = 0; k < load.access.line[line].burst; k++)
			assert_int_equal(size_of[i++], load.access.line[line].size);
		bursts[line]++;
	}
	assert_true(bursts[0] > 10 && bursts[1] > 10);
	assert_memory_equal(size_of, size_of + n, 100 * sizeof(*size_of));
	end_engine();
}

/* --- What a run says. --- */

static struct snapshot snap;

static void apply_to_run(uint64_t rate, uint32_t outstanding)
{
	struct workload w = run_workload(run);
	struct error e;
	w.rate_iops = rate;
	w.outstanding = outstanding;
	if (run_apply(run, &w, &e))
		fail_msg("%s", e.text);
}

static unsigned times_said(const char *words)
{
	unsigned n = 0;
	read_marks();
	for (size_t i = 0; i < marks; i++)
		n += mark[i].kind == MARK_EVENT && strstr(mark[i].text, words);
	return n;
}

static void a_rate_that_is_not_sustained_is_said_once_and_in_the_summary(void **state)
{
	(void)state;
	start_null(NULL);
	apply_to_run(4000, 1); /* of at most 1000 */
	double limit = proc_now() + proc_patience();
	while (!times_said("not sustained") && proc_now() < limit)
		wait_ms(50);
	run_snapshot(run, &snap);
	assert_int_equal(snap.rate.level, LAMP_BAD);
	assert_true(snap.second.due.backlog > 1000);
	assert_true(snap.second.due.p50 > snap.second.p50);
	wait_ms(2500);
	assert_int_equal(times_said("not sustained"), 1);
	stop();
	assert_false(summary.due.sustained);
	assert_true(summary.due.offered > 4 * summary.due.started - 100);
	assert_int_equal(summary.due.ios, summary.due.started);
	assert_true(summary.due.backlog > 0);
	char *warnings = summary_warnings(&summary, NULL);
	assert_non_null(strstr(warnings, "offered rate not sustained"));
	free(warnings);
}

/* A device whose submission does not come back for a while: the worker hangs, and counts nothing. */
static _Atomic uint64_t hang_until;
static _Atomic bool hangs;

static int hanging_submit(void *queue, struct io **list, unsigned n)
{
	while ((hangs = clock_ns() < hang_until))
		wait_ms(1);
	return null_backend->submit(queue, list, n);
}

static void start_hanging(void)
{
	static struct backend hanging;
	null_backend = backend_find("null");
	hanging = *null_backend;
	hanging.submit = hanging_submit;
	hanging.reap = stalling_reap;
	stall_from = stall_until = 0;
	hang_until = 0;
	start_backend(&hanging);
	apply_to_run(1000, 8);
	double limit = proc_now() + proc_patience();
	do {
		wait_ms(50);
		run_snapshot(run, &snap);
	} while (!snap.second.due.ios && proc_now() < limit);
	assert_true(snap.second.due.ios > 0);
}

static void a_worker_that_hangs_does_not_sustain_its_rate_and_that_is_said(void **state)
{
	(void)state;
	start_hanging();
	hang_until = UINT64_MAX;
	double limit = proc_now() + proc_patience();
	while (!times_said("rate not sustained: 0 done of ") && proc_now() < limit)
		wait_ms(50);
	run_snapshot(run, &snap);
	hang_until = 0;
	assert_int_equal(times_said("rate not sustained: "), 1);
	assert_int_equal(times_said("done of 0 offered"), 0);
	assert_int_equal(snap.rate.level, LAMP_BAD);
	assert_true(snap.second.due.offered > 500);
}

static void what_fell_due_while_a_worker_hung_is_in_the_summary(void **state)
{
	(void)state;
	start_hanging();
	hang_until = UINT64_MAX;
	double limit = proc_now() + proc_patience();
	while (!hangs && proc_now() < limit)
		wait_ms(1);
	/* Nothing starts any more; what falls due after the stop is not offered. */
	wait_ms(300);
	hang_until = clock_ns() + 500 * NS_PER_MS;
	stop();
	assert_true(summary.due.backlog > 100);
	assert_true((double)summary.due.offered <= 1000 * summary.elapsed_s + 2);
	assert_true(summary.due.offered >= summary.due.started + summary.due.backlog);
	struct sample last;
	assert_int_equal(timeline_seconds(run_timeline(run), 0, &last, 1), 1);
	assert_int_equal(last.due.backlog, summary.due.backlog);
	assert_false(summary.due.sustained);
}

/* What a rate has offered over the time is the rate: the wait for the last IOs is not in it, and
 * whatever the worker was doing when it ended, what fell due until then is. */
static void at_the_end_a_rate_has_offered_what_fell_due_in_the_time(void **state)
{
	(void)state;
	for (int hang = 0; hang < 2; hang++) {
		start_hanging();
		struct workload w = run_workload(run);
		w.outstanding = 4096;
		w.rate_iops = 2000;
		struct error e;
		assert_int_equal(run_apply(run, &w, &e), 0);
		run_reset(run, "the rate alone");
		run_snapshot(run, &snap);
		wait_ms(300);
		hang_until = hang ? clock_ns() + 700 * NS_PER_MS : 0;
		stall_from = hang ? 0 : clock_ns();
		stall_until = stall_from ? stall_from + NS_PER_SEC : 0;
		wait_ms(200);
		stop();
		assert_true(summary.due.ios >= summary.due.started);
		/* An IO more or less at either end, and those of the few ms until the worker saw
		 * it. */
		double due = summary.elapsed_s * 2000;
		if (fabs((double)summary.due.offered - due) > 0.01 * due + 40)
			fail_msg("%lu IOs fell due in %.3f s", summary.due.offered,
				 summary.elapsed_s);
		finish(NULL);
	}
}

static void a_rate_that_is_sustained_says_nothing(void **state)
{
	(void)state;
	start_null(NULL);
	apply_to_run(200, 8);
	run_reset(run, "the rate alone");
	double limit = proc_now() + proc_patience();
	do {
		wait_ms(100);
		run_snapshot(run, &snap);
	} while ((snap.rate.level != LAMP_GOOD || snap.t_ns < snap.start_ns + NS_PER_SEC) &&
		 proc_now() < limit);
	assert_int_equal(snap.rate.level, LAMP_GOOD);
	assert_non_null(strstr(snap.depth.text, "held by the rate"));
	stop();
	assert_true(summary.due.sustained);
	assert_int_equal(times_said("not sustained"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_done_to_half_a_percent_by_one_worker_and_by_several),
		cmocka_unit_test(poisson_arrivals_are_done_as_they_fall_due),
		cmocka_unit_test(where_the_device_keeps_up_both_latencies_agree),
		cmocka_unit_test(an_overload_shows_in_the_backlog_and_in_the_latency_from_due),
		cmocka_unit_test(a_new_rate_starts_anew_and_another_knob_does_not),
		cmocka_unit_test(a_stall_shows_in_every_io_that_was_due_in_it),
		cmocka_unit_test(bursts_come_whole_and_not_before_the_think_time),
		cmocka_unit_test(a_burst_is_of_one_access_line_and_each_segment_has_the_same_ones),
		RUN_TEST(a_rate_that_is_not_sustained_is_said_once_and_in_the_summary),
		RUN_TEST(a_worker_that_hangs_does_not_sustain_its_rate_and_that_is_said),
		RUN_TEST(what_fell_due_while_a_worker_hung_is_in_the_summary),
		RUN_TEST(at_the_end_a_rate_has_offered_what_fell_due_in_the_time),
		RUN_TEST(a_rate_that_is_sustained_says_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
