/* unit-engine.c - what the engine promises: rates, depth, pauses, parts, generations, and what it does
 * when a device fails or hangs or the host has no room. Times are the engine's own.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "engine_internal.h"
#include "pattern.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "units.h"

static struct target target;
static struct engine *engine;
static struct engine_counters a, b;

static void wait_ms(uint64_t ms)
{
	struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000 * NS_PER_MS)};
	nanosleep(&t, NULL);
}

static void start_with(const char *backend, const char *spec, uint64_t create,
		       const struct workload *w)
{
	struct target_options how = {.create_size = create, .backend = backend};
	struct error e;
	if (target_open(&target, spec, &how, &e) || engine_create(&engine, &target, w, &e))
		fail_msg("%s", e.text);
}

static void start(const char *spec, uint64_t create, const struct workload *w)
{
	start_with(BACKEND_AUTO, spec, create, w);
}

static void apply(const struct workload *w, uint32_t *number)
{
	struct error e;
	if (engine_apply(engine, w, number, &e))
		fail_msg("%s", e.text);
}

static void stop(void)
{
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	engine_destroy(engine);
	target_close(&target);
}

static uint64_t ios(const struct engine_counters *c)
{
	return c->op[IO_READ].ios + c->op[IO_WRITE].ios;
}

static uint64_t failed(const struct engine_counters *c)
{
	return c->op[IO_READ].errors + c->op[IO_WRITE].errors;
}

/* a and b: the counters now and that much later. */
static void stretch(uint64_t ms)
{
	engine_collect(engine, &a);
	wait_ms(ms);
	engine_collect(engine, &b);
}

/* The same, until IOs have come back in it: a busy disk may need a while for the first. */
static void stretch_with_io(void)
{
	double limit = proc_now() + proc_patience();
	engine_collect(engine, &a);
	do {
		wait_ms(50);
		engine_collect(engine, &b);
	} while (ios(&b) == ios(&a) && proc_now() < limit);
	assert_true(ios(&b) > ios(&a));
}

/* Until every worker is on the newest generation. */
static void settle(void)
{
	double limit = proc_now() + proc_patience();
	do {
		engine_tick(engine);
		engine_collect(engine, &a);
		wait_ms(1);
	} while (a.settled != a.generation && proc_now() < limit);
	assert_int_equal(a.settled, a.generation);
}

static void check_rate(uint32_t workers, uint64_t rate)
{
	struct workload w = workload_default();
	w.workers = workers;
	w.outstanding = 64;
	w.rate_iops = rate;
	start("null:", 0, &w);
	settle();
	double share = 0;
	/* A host that stalls a worker lowers it; catching up then raises it, but never by more. */
	for (int i = 0; i < 10 && (share < 0.99 || share > 1.01); i++) {
		stretch(500);
		double expected = (double)rate * (double)(b.t_ns - a.t_ns) / 1e9;
		double caught_up = (double)rate * 0.1 + workers;
		share = (double)(ios(&b) - ios(&a)) / expected;
		if ((double)(ios(&b) - ios(&a)) > expected * 1.01 + caught_up)
			fail_msg("%" PRIu64 " IOs/s asked for, %.3f of it seen", rate, share);
	}
	if (share < 0.99 || share > 1.01)
		fail_msg("%u workers, %" PRIu64 " IOs/s: %.4f of it", workers, rate, share);
	stop();
}

static void a_rate_is_kept_by_one_worker_and_by_several(void **state)
{
	(void)state;
	check_rate(1, 1000);
	check_rate(3, 7001);
	check_rate(2, 100000);
}

static void a_rate_does_not_catch_up_on_a_pause(void **state)
{
	struct workload w = workload_default();
	(void)state;
	w.workers = 2;
	w.rate_iops = 2000;
	start("null:", 0, &w);
	w.paused = true;
	apply(&w, NULL);
	wait_ms(300);
	w.paused = false;
	engine_collect(engine, &a);
	apply(&w, NULL);
	wait_ms(30);
	engine_collect(engine, &b);
	/* Each worker may do one IO at once. */
	double most = 2000 * (double)(b.t_ns - a.t_ns) / 1e9 + 2;
	assert_true((double)(ios(&b) - ios(&a)) <= most);
	stop();
}

static void paused_means_no_io_until_it_goes_on(void **state)
{
	struct workload w = workload_default();
	(void)state;
	w.workers = 3;
	start("null:1ms", 0, &w);
	stretch_with_io();
	assert_int_equal(b.depth_requested, 24);
	assert_int_equal(b.workers, 3);
	w.paused = true;
	apply(&w, NULL);
	settle();
	stretch(50);
	assert_int_equal(ios(&b), ios(&a));
	assert_int_equal(b.submitted, ios(&b));
	assert_int_equal(b.inflight, 0);
	assert_int_equal(b.depth_requested, 0);
	assert_int_equal(b.depth_ns, a.depth_ns);
	w.paused = false;
	apply(&w, NULL);
	settle();
	stretch_with_io();
	stop();
}

static void depth_is_what_was_asked_for_and_little_s_law_holds(void **state)
{
	struct workload w = workload_default();
	(void)state;
	start("null:1ms", 0, &w);
	settle();
	stretch(1000);
	double dt = (double)(b.t_ns - a.t_ns);
	double depth = (double)(b.depth_ns - a.depth_ns) / dt;
	double latency = (double)(b.op[IO_READ].lat_sum - a.op[IO_READ].lat_sum);
	if (depth < 8 * 0.97 || depth > 8 * 1.03)
		fail_msg("depth 8 asked for, %.3f seen", depth);
	if (latency / dt < depth * 0.95 || latency / dt > depth * 1.05)
		fail_msg("IOPS x latency is %.3f, depth %.3f", latency / dt, depth);
	assert_true(b.op[IO_READ].lat_min >= NS_PER_MS);
	stop();
}

/* A worker that waits for a slow device counts late what it holds: that is no more than it holds, and belongs
 * to the time in which it held it. */
static void no_tick_has_a_greater_depth_than_was_asked_for(void **state)
{
	struct workload w = workload_default();
	(void)state;
	w.outstanding = 16;
	start("null:70ms", 0, &w);
	wait_ms(200);
	for (int i = 0; i < 30; i++) {
		stretch(20 + (uint64_t)i * 7 % 50);
		double dt = (double)(b.t_ns - a.t_ns);
		double depth = (double)(b.depth_ns - a.depth_ns) / dt;
		if (depth > 16.05)
			fail_msg("stretch %d: %.2f of 16 in flight", i, depth);
	}
	stop();
}

/* The clock is read before the workers are: one of them may begin in between. */
static void what_a_worker_holds_is_counted_up_to_the_moment_and_never_below_none(void **state)
{
	static struct worker w;
	(void)state;

	assert_int_equal(engine_depth_until(&w, 1000), 0);
	atomic_store(&w.inflight, 16);
	atomic_store(&w.last_ns, 1000);
	assert_int_equal(engine_depth_until(&w, 1000), 0);
	assert_int_equal(engine_depth_until(&w, 1010), 160);
	assert_int_equal(engine_depth_until(&w, 990), 0);
	atomic_store(&w.depth_ns, 200);
	assert_int_equal(engine_depth_until(&w, 990), 40);
	assert_int_equal(engine_depth_until(&w, 980), 0);
}

/* Every IO of every worker lies in its own part, and all of the part is used. */
static void check_parts(struct workload w, const struct workload_limits *l)
{
	uint64_t behind = 0;
	struct error e;
	assert_int_equal(workload_validate(&w, l, &e), 0);
	for (uint32_t i = 0; i < w.workers; i++) {
		struct pattern p;
		uint64_t start_at, length, low = UINT64_MAX, high = 0;
		workload_part(&w, l, i, &start_at, &length);
		assert_true(w.share_range || start_at >= behind);
		behind = start_at + length;
		assert_true(behind <= l->target_size);
		pattern_init(&p);
		pattern_take_up(&p, &w, l, NULL, i);
		for (int k = 0; k < 20000; k++) {
			struct io io;
			pattern_next(&p, &io);
			assert_int_equal(io.size, w.block_size);
			assert_int_equal(io.offset % workload_align(&w), 0);
			assert_true(io.offset >= start_at);
			assert_true(io.offset + io.size <= behind);
			low = io.offset < low ? io.offset : low;
			high = io.offset + io.size > high ? io.offset + io.size : high;
		}
		/* In sequence it is walked from end to end; by chance it comes close. */
		uint64_t slack = w.random_pct ? length / 50 : 0;
		assert_true(low <= start_at + slack);
		assert_true(high + slack + p.step > behind);
	}
}

static void workers_stay_in_their_parts_and_use_them_whole(void **state)
{
	struct workload_limits l = {.target = "t",
				    .target_size = 1000 * 4096 + 512,
				    .logical_block = 512,
				    .backend = "b"};
	static const uint32_t blocks[] = {512, 4096, 12288}, aligns[] = {0, 512, 16384};
	(void)state;
	for (uint32_t workers = 1; workers <= 7; workers++)
		for (unsigned n = 0; n < 9 * 4; n++) {
			struct workload w = workload_default();
			w.workers = workers;
			w.block_size = blocks[n % 3];
			w.align = aligns[n / 3 % 3];
			w.random_pct = n / 9 % 2 ? 0 : 100;
			w.range_start = n / 9 % 2 ? 0 : 8192 + 512;
			w.share_range = n / 18;
			check_parts(w, &l);
		}
}

static void generations_settle_and_close_their_accounts(void **state)
{
	struct workload w = workload_default();
	struct engine_generation g;
	uint32_t number;
	(void)state;
	start("null:2ms", 0, &w);
	for (uint32_t i = 2; i <= 20; i++) {
		w.outstanding = 1 + i * 37 % 200;
		w.workers = 1 + i % 5;
		apply(&w, &number);
		assert_int_equal(number, i);
		settle();
		engine_tick(engine);
		assert_true(engine_generation(engine, i, &g));
		assert_true(g.settled_ns >= g.t_ns);
		assert_true(engine_generation(engine, i - 1, &g));
		assert_int_equal(g.submitted, g.completed + g.errors);
		/* The next may have come before it submitted anything. */
		assert_int_equal(g.first_ns > 0, g.submitted > 0);
		assert_true(!g.first_ns || g.first_ns >= g.t_ns);
	}
	assert_false(engine_generation(engine, 0, &g));
	assert_false(engine_generation(engine, 21, &g));
	stop();
}

/* Nobody looks between the two changes: the first settled before the second was made all the same. */
static void a_generation_settles_when_it_does_and_not_when_the_next_one_does(void **state)
{
	struct workload w = workload_default();
	struct engine_generation first, second;
	(void)state;
	w.workers = 2;
	start("null:1ms", 0, &w);
	settle();
	for (uint32_t i = 2; i <= 3; i++) {
		double limit = proc_now() + proc_patience();
		w.outstanding = i;
		w.workers = i + 1;
		apply(&w, NULL);
		do {
			wait_ms(5);
			engine_collect(engine, &a);
		} while (a.settled < i && proc_now() < limit);
		assert_int_equal(a.settled, i);
	}
	engine_tick(engine);
	assert_true(engine_generation(engine, 2, &first));
	assert_true(engine_generation(engine, 3, &second));
	assert_true(first.settled_ns >= first.t_ns);
	assert_true(first.settled_ns <= second.t_ns);
	assert_true(second.settled_ns >= second.t_ns);
	stop();
}

static double cpu_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void a_target_that_fails_is_not_hammered_and_may_come_back(void **state)
{
	struct workload w = workload_default();
	const char *path = scratch_path("shrinks");
	(void)state;
	w.workers = 2;
	start(path, MIB, &w);
	settle();
	/* Behind the end of a file a read comes back short. */
	assert_int_equal(truncate(path, 0), 0);
	wait_ms(400);
	stretch(1000);
	assert_int_equal(ios(&b), ios(&a));
	assert_true(failed(&b) > failed(&a));
	assert_int_equal(b.errors[0], failed(&b));
	assert_true(b.failed_max > 0);
	/* 16 IOs at most every 100 ms. */
	double most = 16 * ((double)(b.t_ns - a.t_ns) / 1e8 + 2);
	assert_true((double)(failed(&b) - failed(&a)) <= most);

	/* When it is back there are no errors any more, and who waits for a rate sleeps again. */
	assert_int_equal(truncate(path, MIB), 0);
	wait_ms(300);
	w.rate_iops = 200;
	double limit = proc_now() + proc_patience();
	do {
		stretch(100);
	} while ((failed(&b) > failed(&a) || ios(&b) == ios(&a)) && proc_now() < limit);
	assert_int_equal(failed(&b), failed(&a));
	apply(&w, NULL);
	settle();
	double cpu = cpu_s();
	stretch(1000);
	cpu = cpu_s() - cpu;
	assert_true(ios(&b) > ios(&a));
	assert_int_equal(failed(&b), failed(&a));
	if (cpu > (double)(b.t_ns - a.t_ns) / 1e9 / 2)
		fail_msg("%.2f s of CPU time for %" PRIu64 " IOs", cpu, ios(&b) - ios(&a));
	stop();
}

/* --- A queue that breaks. --- */

static const struct backend *null_backend;
static atomic_bool broken;
static atomic_uint reaps;

static int breaking_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	reaps++;
	return broken ? -EIO : null_backend->reap(queue, done, max, wait_ns);
}

static void a_queue_that_breaks_is_told_and_looked_at_seldom(void **state)
{
	static struct backend breaking;
	struct workload w = workload_default();
	struct target_options how = {0};
	struct error e;
	(void)state;
	null_backend = backend_find("null");
	breaking = *null_backend;
	breaking.reap = breaking_reap;
	assert_int_equal(target_open(&target, "null:1ms", &how, &e), 0);
	target.backend = &breaking;
	w.spin_us = 1000;
	assert_int_equal(engine_create(&engine, &target, &w, &e), 0);
	settle();
	broken = true;
	wait_ms(400);
	unsigned before = reaps;
	double cpu = cpu_s();
	stretch(500);
	cpu = cpu_s() - cpu;
	assert_true(b.errors[EIO] > a.errors[EIO]);
	assert_int_equal(b.inflight, w.outstanding);
	assert_int_equal(ios(&b), ios(&a));
	/* Every 50 ms a look, with a spin before; and every 100 ms an error. */
	double s = (double)(b.t_ns - a.t_ns) / 1e9;
	assert_true((double)(b.errors[EIO] - a.errors[EIO]) <= s * 10 + 2);
	if (cpu > s / 4)
		fail_msg("%.2f s of CPU time, %u looks", cpu, reaps - before);
	/* It was not for ever. */
	broken = false;
	double limit = proc_now() + proc_patience();
	do {
		stretch(20);
	} while (ios(&b) == ios(&a) && proc_now() < limit);
	assert_true(ios(&b) > ios(&a));
	stop();
}

static void large_blocks_go_through(void **state)
{
	struct workload w = workload_default();
	(void)state;
	w.block_size = 64 * MIB;
	w.outstanding = 2;
	w.read_pct = 50;
	start(scratch_path("large"), 128 * MIB, &w);
	double limit = proc_now() + proc_patience();
	do {
		stretch(50);
	} while ((!b.op[IO_READ].ios || !b.op[IO_WRITE].ios) && proc_now() < limit);
	assert_true(b.op[IO_READ].ios && b.op[IO_WRITE].ios);
	assert_int_equal(failed(&b), 0);
	assert_int_equal(b.op[IO_READ].bytes, b.op[IO_READ].ios * 64 * MIB);
	stop();
}

static const struct backend *behind;
static _Atomic uint64_t largest_batch;

static int note_batch(void *queue, struct io **io, unsigned n)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < n; i++)
		bytes += io[i]->size;
	if (bytes > largest_batch)
		largest_batch = bytes;
	return behind->submit(queue, io, n);
}

/* Filling and pinning a batch of GiB takes a second in which neither a stop nor a knob is looked for. */
static void a_batch_is_bounded_whatever_the_depth(void **state)
{
	struct workload w = workload_default();
	struct error e;
	(void)state;
	w.block_size = 512 * KIB;
	w.outstanding = 512;
	if (target_open(&target, "null:1ms", &(struct target_options){0}, &e))
		fail_msg("%s", e.text);
	behind = target.backend;
	struct backend noting = *behind;
	noting.submit = note_batch;
	target.backend = &noting;
	if (engine_create(&engine, &target, &w, &e))
		fail_msg("%s", e.text);
	double limit = proc_now() + proc_patience();
	do {
		stretch(20);
	} while (b.op[IO_READ].ios < 1024 && proc_now() < limit);
	assert_true(b.op[IO_READ].ios >= 1024);
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	engine_destroy(engine);
	target.backend = behind;
	target_close(&target);
	assert_in_range(largest_batch, 512 * KIB, 4 * MIB);
}

/* A change that the host has no room for is refused and changes nothing; IO goes on. */
static void refuse(const struct workload *w, int err, const char *word)
{
	struct error e;
	struct workload old = engine_workload(engine);
	char text[256];
	assert_int_equal(engine_apply(engine, w, NULL, &e), -err);
	assert_non_null(strstr(e.text, word));
	struct workload is = engine_workload(engine);
	assert_string_equal(workload_diff(text, sizeof(text), &old, &is, true), "");
	stretch_with_io();
	assert_int_equal(b.generation, a.generation);
}

static void what_memory_does_not_hold_is_refused(void **state)
{
	struct workload w = workload_default(), more;
	uint64_t gib = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / GIB;
	(void)state;
	if (gib > 400) {
		print_message("this host's memory holds everything\n");
		skip();
	}
	/* Lanes are made for 32 at least, so that more outstanding fits in: it counts all the same. */
	w.workers = (uint32_t)gib / 2 + 2;
	w.outstanding = 1;
	w.block_size = 64 * MIB;
	start("null:1ms", 0, &w);
	more = w;
	more.outstanding = 32;
	refuse(&more, ENOMEM, "available");
	more.workers = WORKERS_MAX;
	more.outstanding = OUTSTANDING_MAX;
	refuse(&more, ENOMEM, "available");
	stop();
}

static void what_fs_aio_max_nr_does_not_hold_is_refused(void **state)
{
	struct workload w = workload_default(), more;
	unsigned long max = 0;
	FILE *f = fopen("/proc/sys/fs/aio-max-nr", "re");
	(void)state;
	if (!f || fscanf(f, "%lu", &max) != 1 || max >= WORKERS_MAX * OUTSTANDING_MAX) {
		print_message("needs a fs.aio-max-nr below %u\n", WORKERS_MAX * OUTSTANDING_MAX);
		if (f)
			fclose(f);
		skip();
	}
	fclose(f);
	w.block_size = 512;
	start_with("libaio", scratch_path("aio"), MIB, &w);
	more = w;
	more.workers = WORKERS_MAX;
	more.outstanding = OUTSTANDING_MAX;
	more.share_range = true;
	refuse(&more, EAGAIN, "fs.aio-max-nr");
	/* It names what was asked for, not what it was rounded up to. */
	more.outstanding = 3000;
	refuse(&more, EAGAIN, "3000 more outstanding");
	stop();
}

/* A thread that has been joined counts for a moment longer: tried for a while. */
static int create_patiently(struct engine **en, const struct target *t, const struct workload *w)
{
	struct error e;
	int rc;
	for (int i = 0; (rc = engine_create(en, t, w, &e)) == -EAGAIN && i < 200; i++)
		wait_ms(10);
	return rc;
}

/* In a process of its own, as a user that nobody is, with room for few threads. */
static int crowded(void)
{
	struct target t;
	struct target_options how = {0};
	struct workload w = workload_default();
	struct error e;
	struct engine *en;
	struct rlimit few = {8, 8};
	uid_t uid = 400000000u + (uid_t)getpid();
	if (setrlimit(RLIMIT_NPROC, &few) || setgid(uid) || setuid(uid))
		return 10;
	if (target_open(&t, "null:1ms", &how, &e))
		return 11;
	w.workers = 64;
	if (engine_create(&en, &t, &w, &e) != -EAGAIN)
		return 12;
	w.workers = 1;
	if (create_patiently(&en, &t, &w))
		return 13;
	w.workers = 64;
	if (engine_apply(en, &w, NULL, &e) != -EAGAIN || engine_workload(en).workers != 1)
		return 14;
	/* Those that could be started go on with the next change. */
	w.workers = 2;
	if (engine_apply(en, &w, NULL, &e))
		return 15;
	if (engine_stop(en, 10 * NS_PER_SEC))
		return 16;
	engine_destroy(en);
	target_close(&t);
	return 0;
}

static void where_no_thread_is_left_the_change_is_refused(void **state)
{
	int status;
	(void)state;
	if (geteuid() != 0) {
		print_message("needs root to become somebody with few threads\n");
		skip();
	}
	/* A program of its own: threads of the tests before may be ending at this moment, and a forked
	 * process would inherit what locks they hold. */
	pid_t pid = fork();
	if (pid == 0) {
		execl("/proc/self/exe", "unit-engine", "crowded", (char *)NULL);
		_exit(9);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Little's law to the nanosecond: both sides are read off the same clock. */
static void what_comes_back_after_the_stop_counts_and_the_wait_for_it_does_not(void **state)
{
	struct workload w = workload_default();
	(void)state;
	w.workers = 2;
	start("null:300ms", 0, &w);
	double limit = proc_now() + proc_patience();
	do {
		wait_ms(1);
		engine_collect(engine, &a);
	} while ((ios(&a) < 16 || a.inflight < 16) && proc_now() < limit);
	uint64_t before = clock_ns(), halted = engine_halt(engine), after = clock_ns();
	assert_in_range(halted, before, after);
	assert_int_equal(engine_halt(engine), halted);
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	engine_collect(engine, &b);
	assert_int_equal(b.t_ns, halted);
	assert_int_equal(ios(&b), b.submitted);
	assert_true(ios(&b) >= ios(&a) + 16);
	assert_int_equal(b.depth_ns + b.drain_ns, b.op[IO_READ].lat_sum);
	struct engine_generation g;
	assert_true(engine_generation(engine, 1, &g));
	assert_true(b.depth_ns <= 16 * (halted - g.t_ns));
	stop();
}

static void *stop_for_an_hour(void *lost)
{
	*(uint64_t *)lost = engine_stop(engine, 3600 * NS_PER_SEC);
	return NULL;
}

static void a_stop_that_waits_can_be_hurried(void **state)
{
	struct workload w = workload_default();
	pthread_t thread;
	uint64_t lost = 0;

	(void)state;
	start("null:3600s", 0, &w);
	double limit = proc_now() + proc_patience();
	do {
		engine_collect(engine, &a);
		wait_ms(1);
	} while (a.inflight < 8 && proc_now() < limit);
	assert_int_equal(pthread_create(&thread, NULL, stop_for_an_hour, &lost), 0);
	wait_ms(50);
	engine_hurry(engine, 100 * NS_PER_MS);
	/* It can't be made to wait longer again. */
	engine_hurry(engine, 3600 * NS_PER_SEC);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(lost, 8);
	engine_destroy(engine);
}

/* The last one: what hangs stays. */
static void a_device_that_hangs_is_seen_and_given_up(void **state)
{
	struct workload w = workload_default();
	(void)state;
	w.workers = 2;
	start("null:3600s", 0, &w);
	double limit = proc_now() + proc_patience();
	do {
		engine_collect(engine, &a);
		wait_ms(1);
	} while (a.submitted < 16 && proc_now() < limit);
	stretch(200);
	assert_int_equal(ios(&b), 0);
	assert_int_equal(b.inflight, 16);
	assert_int_equal(b.submitted, 16);
	assert_true(a.oldest_ns > 0);
	assert_int_equal(b.oldest_ns - a.oldest_ns, b.t_ns - a.t_ns);
	/* Other knobs still turn, though nothing settles. */
	w.outstanding = 300;
	apply(&w, NULL);
	engine_tick(engine);
	limit = proc_now() + proc_patience();
	do {
		engine_collect(engine, &b);
		wait_ms(1);
	} while (b.inflight < 600 && proc_now() < limit);
	assert_int_equal(b.inflight, 600);
	assert_int_equal(b.settled, 1);
	assert_int_equal(engine_stop(engine, 100 * NS_PER_MS), 600);
	struct engine_generation g;
	assert_true(engine_generation(engine, 1, &g));
	assert_int_equal(g.submitted, 16);
	assert_int_equal(g.completed, 0);
	engine_destroy(engine);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "crowded") == 0)
		return crowded();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_kept_by_one_worker_and_by_several),
		cmocka_unit_test(a_rate_does_not_catch_up_on_a_pause),
		cmocka_unit_test(paused_means_no_io_until_it_goes_on),
		cmocka_unit_test(depth_is_what_was_asked_for_and_little_s_law_holds),
		cmocka_unit_test(no_tick_has_a_greater_depth_than_was_asked_for),
		cmocka_unit_test(
			what_a_worker_holds_is_counted_up_to_the_moment_and_never_below_none),
		cmocka_unit_test(workers_stay_in_their_parts_and_use_them_whole),
		cmocka_unit_test(generations_settle_and_close_their_accounts),
		cmocka_unit_test(a_generation_settles_when_it_does_and_not_when_the_next_one_does),
		cmocka_unit_test(a_target_that_fails_is_not_hammered_and_may_come_back),
		cmocka_unit_test(a_queue_that_breaks_is_told_and_looked_at_seldom),
		cmocka_unit_test(large_blocks_go_through),
		cmocka_unit_test(a_batch_is_bounded_whatever_the_depth),
		cmocka_unit_test(what_memory_does_not_hold_is_refused),
		cmocka_unit_test(what_fs_aio_max_nr_does_not_hold_is_refused),
		cmocka_unit_test(where_no_thread_is_left_the_change_is_refused),
		cmocka_unit_test(
			what_comes_back_after_the_stop_counts_and_the_wait_for_it_does_not),
		cmocka_unit_test(a_stop_that_waits_can_be_hurried),
		cmocka_unit_test(a_device_that_hangs_is_seen_and_given_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
