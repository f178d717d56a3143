/* right-engine.c - what the engine makes of a device that does as it pleases, where other
 * programs count wrongly. The device is a backend of this test's own, which writes down every IO
 * that it gets: it lets IOs complete inside the submit call, transfers half of them, refuses
 * them, and takes few at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "engine.h"
#include "tests/proc.h"
#include "units.h"

#define SIZE    (64 * MIB)
#define RECORD  20000
#define WORKERS 2
#define DEPTH   64

struct record {
	enum io_op op;
	uint32_t size;
	uint64_t offset;
};

/* What the device does, set before the engine starts. */
static struct {
	unsigned at_once;    /* IOs that it takes from a submit; 0 = all */
	unsigned short_each; /* every so many IOs transfers half; 0 = none */
	unsigned fail_each;  /* every so many fails with EINVAL */
	uint64_t submit_ns;  /* so long each IO takes, within the submit call */
} does;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record record[WORKERS][RECORD], before[WORKERS][RECORD];
static size_t records[WORKERS], records_before[WORKERS];
static uint64_t seen, cut, refused;

/* --- The device. --- */

struct queue {
	struct io *done[DEPTH];
	unsigned n;
};

static int device_open(const struct backend_open *how, void **target, struct error *e)
{
	(void)how, (void)e;
	*target = &lock;
	return 0;
}

static void device_close(void *target)
{
	(void)target;
}

static int device_queue_open(void *target, const struct backend_queue *how, void **queue,
			     struct error *e)
{
	(void)target, (void)e;
	assert_true(how->depth <= DEPTH);
	*queue = calloc(1, sizeof(struct queue));
	return *queue ? 0 : -ENOMEM;
}

/* The result of an IO, written down under its worker, who has a part of the device of its own. */
static int32_t transfer(const struct io *io)
{
	size_t w = io->offset / (SIZE / WORKERS);
	int32_t result = (int32_t)io->size;

	pthread_mutex_lock(&lock);
	if (records[w] < RECORD)
		record[w][records[w]++] = (struct record){io->op, io->size, io->offset};
	seen++;
	if (does.short_each && seen % does.short_each == 0) {
		result /= 2;
		cut++;
	} else if (does.fail_each && seen % does.fail_each == 0) {
		result = -EINVAL;
		refused++;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

static void take_time(uint64_t ns)
{
	nanosleep(&(struct timespec){0, (long)ns}, NULL);
}

static int device_submit(void *queue, struct io **ios, unsigned n)
{
	struct queue *q = queue;
	unsigned taken = 0;

	while (taken < n && q->n < DEPTH && (!does.at_once || taken < does.at_once)) {
		struct io *io = ios[taken++];
		if (does.submit_ns)
			take_time(does.submit_ns);
		io->result = transfer(io);
		q->done[q->n++] = io;
	}
	return (int)taken;
}

static int device_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	struct queue *q = queue;
	unsigned n = q->n < max ? q->n : max;

	if (!n && wait_ns)
		take_time(NS_PER_MS);
	q->n -= n;
	memcpy(done, q->done + q->n, n * sizeof(*done));
	return (int)n;
}

static const struct backend device = {
	.name = "device",
	.summary = "a test's own",
	.open = device_open,
	.close = device_close,
	.queue_open = device_queue_open,
	.queue_close = free,
	.submit = device_submit,
	.reap = device_reap,
};

/* --- Runs. --- */

static struct engine_counters c;

static int begin(void **state)
{
	(void)state;
	memset(&does, 0, sizeof(does));
	return 0;
}

static struct workload mixed(uint64_t seed)
{
	struct workload w = workload_default();

	w.workers = WORKERS;
	w.read_pct = 60;
	w.random_pct = 80;
	w.seed = seed;
	return w;
}

/* Until the device has seen so many IOs of each worker; then c are the engine's counters. */
static void run(const struct workload *w, size_t least)
{
	struct target t = {.kind = TARGET_NULL,
			   .spec = "device",
			   .size = SIZE,
			   .logical_block = 512,
			   .fd = -1,
			   .may_write = true,
			   .write_length = SIZE,
			   .backend = &device,
			   .handle = &lock};
	struct engine *engine;
	struct error e;
	double limit = proc_now() + proc_patience();
	bool enough = false;

	memset(records, 0, sizeof(records));
	seen = cut = refused = 0;
	if (engine_create(&engine, &t, w, &e))
		fail_msg("%s", e.text);
	while (!enough && proc_now() < limit) {
		take_time(NS_PER_MS);
		pthread_mutex_lock(&lock);
		enough = records[0] >= least && (w->workers == 1 || records[1] >= least);
		pthread_mutex_unlock(&lock);
	}
	assert_true(enough);
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	engine_collect(engine, &c);
	assert_int_equal(engine_unaccounted(engine), 0);
	engine_destroy(engine);
}

static uint64_t good(void)
{
	return c.op[IO_READ].ios + c.op[IO_WRITE].ios;
}

static uint64_t bytes(void)
{
	return c.op[IO_READ].bytes + c.op[IO_WRITE].bytes;
}

static uint64_t failed(void)
{
	return c.op[IO_READ].errors + c.op[IO_WRITE].errors;
}

/* --- Replay. --- */

static void keep_record(void)
{
	memcpy(before, record, sizeof(before));
	memcpy(records_before, records, sizeof(records));
}

/* How many of a worker's first IOs are the same as those of the run before. */
static size_t same_ios(size_t worker)
{
	size_t n = 0;

	while (n < records[worker] && n < records_before[worker] &&
	       record[worker][n].op == before[worker][n].op &&
	       record[worker][n].size == before[worker][n].size &&
	       record[worker][n].offset == before[worker][n].offset)
		n++;
	return n;
}

/* diskspd #131 and #136 (two runs differ and nobody can repeat either): where the draws depend
 * on the clock, or on which buffer is free, the seed is worth nothing. Here another timing, and
 * a device that takes two IOs at a time, change nothing. */
static void the_same_seed_makes_the_same_ios_whatever_the_timing(void **state)
{
	struct workload w = mixed(42);
	(void)state;
	run(&w, 3000);
	keep_record();
	does.at_once = 2;
	does.submit_ns = 1000;
	run(&w, 3000);
	for (size_t i = 0; i < WORKERS; i++)
		if (same_ios(i) < 3000)
			fail_msg("worker %zu: IO %zu is another one", i + 1, same_ios(i) + 1);
}

static void another_seed_and_another_worker_make_others(void **state)
{
	struct workload w = mixed(42);
	size_t shared = 0;
	(void)state;
	run(&w, 1000);
	keep_record();
	for (size_t i = 0; i < 1000; i++)
		shared += record[0][i].offset == record[1][i].offset - SIZE / WORKERS;
	assert_true(shared < 100);
	w.seed = 43;
	run(&w, 1000);
	for (size_t i = 0; i < WORKERS; i++)
		assert_true(same_ios(i) < 100);
}

/* --- Transfers that are not whole. --- */

/* A program that counts a completed IO and its requested size shows full speed at the end of a
 * device. Here a short one is an error and never in the figures, neither its bytes nor its
 * latency. */
static void short_transfers_are_errors_and_nothing_else(void **state)
{
	struct workload w = mixed(1);
	(void)state;
	does.short_each = 3;
	run(&w, 3000);
	assert_true(cut > 0 && good() > 0);
	assert_int_equal(failed(), cut);
	assert_int_equal(c.errors[0], cut);
	assert_int_equal(good(), seen - cut);
	assert_int_equal(bytes(), good() * w.block_size);
	assert_int_equal(c.hist[IO_READ].count + c.hist[IO_WRITE].count, good());
}

static void where_all_are_short_there_is_no_good_io(void **state)
{
	struct workload w = mixed(1);
	(void)state;
	does.short_each = 1;
	run(&w, 40);
	assert_int_equal(good(), 0);
	assert_int_equal(bytes(), 0);
	assert_int_equal(failed(), seen);
	assert_int_equal(c.op[IO_READ].lat_sum + c.op[IO_WRITE].lat_sum, 0);
}

/* sqliteai/warp #22: a device that refuses answers fast, and 44 GB/s were shown over a link of
 * 4. */
static void refused_transfers_are_errors_and_nothing_else(void **state)
{
	struct workload w = mixed(1);
	(void)state;
	does.fail_each = 2;
	run(&w, 3000);
	assert_int_equal(c.errors[EINVAL], refused);
	assert_int_equal(failed(), refused);
	assert_int_equal(good(), seen - refused);
	assert_int_equal(bytes(), good() * w.block_size);
}

/* --- The depth of what can't queue. --- */

/* fio's clat starts when the submit call has returned: on what completes inside it (tmpfs, zram,
 * page cache) it was seen 4 to 40 times too small. Here an IO's latency holds the call that
 * carries it, and with it what waits in front of it. */
static void time_inside_the_submit_call_is_latency(void **state)
{
	struct workload w = workload_default();
	(void)state;
	does.submit_ns = NS_PER_MS;
	w.outstanding = 4;
	run(&w, 40);
	assert_true(c.op[IO_READ].lat_min >= does.submit_ns);
	/* All four are in flight while the device takes one after the other. */
	assert_true(c.op[IO_READ].lat_sum / good() >= 3 * does.submit_ns);
}

static void check_refused(const char *spec, const struct target_options *how, const char *word)
{
	struct workload w = workload_default();
	struct target t;
	struct engine *engine;
	struct error e;
	int rc = target_open(&t, spec, how, &e);

	if (rc == 0) {
		rc = engine_create(&engine, &t, &w, &e);
		target_close(&t);
	}
	assert_int_equal(rc, -EINVAL);
	if (!strstr(e.text, word))
		fail_msg("'%s' without '%s'", e.text, word);
}

/* Iometer's Dynamo on Linux worked at depth 1 whatever was set, fio ignores iodepth with psync
 * (#1388) and with buffered libaio (#512): they show one depth and measure another. Here it is
 * refused, with why. */
static void a_depth_that_an_engine_cannot_reach_is_refused(void **state)
{
	(void)state;
	const char *self = "/proc/self/exe";
	check_refused(self, &(struct target_options){.backend = "sync", .buffered = true},
		      "one IO at a time");
	check_refused(self, &(struct target_options){.backend = "libaio", .buffered = true},
		      "the depth would be 1");
}

#define RIGHT_TEST(f) cmocka_unit_test_setup(f, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RIGHT_TEST(the_same_seed_makes_the_same_ios_whatever_the_timing),
		RIGHT_TEST(another_seed_and_another_worker_make_others),
		RIGHT_TEST(short_transfers_are_errors_and_nothing_else),
		RIGHT_TEST(where_all_are_short_there_is_no_good_io),
		RIGHT_TEST(refused_transfers_are_errors_and_nothing_else),
		RIGHT_TEST(time_inside_the_submit_call_is_latency),
		RIGHT_TEST(a_depth_that_an_engine_cannot_reach_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
