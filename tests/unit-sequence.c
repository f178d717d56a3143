/* unit-sequence.c - a whole run over a backend that writes down what it is given: each segment that a knob, a
 * mark, a pause or a reset begins has the same sequence of IOs, unless that is to go on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "pattern.h"
#include "run.h"
#include "setting.h"
#include "tests/proc.h"
#include "units.h"

#define WRITTEN_MAX 400000u
#define WORKERS     2

/* --- The backend: null's, and a copy of what comes by. --- */

struct book {
	size_t count;
	struct io *io;
};

static struct backend recording;
static const struct backend *real;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *queue_of[WORKERS];
static struct book book[WORKERS];

static int open_queue(void *target, const struct backend_queue *how, void **queue, struct error *e)
{
	int rc = real->queue_open(target, how, queue, e);

	pthread_mutex_lock(&lock);
	for (int i = 0; rc == 0 && i < WORKERS; i++)
		if (!queue_of[i]) {
			queue_of[i] = *queue;
			break;
		}
	pthread_mutex_unlock(&lock);
	return rc;
}

static int submit(void *queue, struct io **ios, unsigned n)
{
	int taken = real->submit(queue, ios, n);

	pthread_mutex_lock(&lock);
	for (int i = 0; i < WORKERS; i++)
		for (int k = 0; queue_of[i] == queue && k < taken; k++)
			if (book[i].count < WRITTEN_MAX)
				book[i].io[book[i].count++] = *ios[k];
	pthread_mutex_unlock(&lock);
	return taken;
}

static size_t written(int worker)
{
	pthread_mutex_lock(&lock);
	size_t n = book[worker].count;
	pthread_mutex_unlock(&lock);

	return n;
}

/* --- The run. --- */

static struct target target;
static struct run *run;

static int setup(void **state)
{
	(void)state;
	memset(queue_of, 0, sizeof(queue_of));
	for (int i = 0; i < WORKERS; i++)
		book[i] = (struct book){0, calloc(WRITTEN_MAX, sizeof(struct io))};
	return 0;
}

static int teardown(void **state)
{
	struct summary s;

	(void)state;
	if (run) {
		run_stop(run, "done", &s);
		run_destroy(run);
		target.backend = real;
		target_close(&target);
	}
	run = NULL;
	for (int i = 0; i < WORKERS; i++)
		free(book[i].io);
	return 0;
}

static void start(const struct workload *w)
{
	struct target_options how = {0};
	struct run_config c = {.workload = *w, .no_store = true, .status = "headless"};
	struct error e;

	if (target_open(&target, "null:", &how, &e))
		fail_msg("%s", e.text);
	real = target.backend;
	recording = *real;
	recording.queue_open = open_queue;
	recording.submit = submit;
	target.backend = &recording;
	if (run_create(&run, &target, &c, &e))
		fail_msg("%s", e.text);
}

/* Until each worker has done so many more. */
static void let_it_work(void)
{
	double limit = proc_now() + proc_patience();
	size_t from[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		from[i] = written(i);
	for (int i = 0; i < WORKERS; i++) {
		while (written(i) < from[i] + 50 && proc_now() < limit)
			nanosleep(&(struct timespec){0, (long)NS_PER_MS}, NULL);
		assert_true(written(i) >= from[i] + 50);
	}
}

static struct workload slow(void)
{
	struct workload w = workload_default();

	w.workers = WORKERS;
	w.read_pct = 60;
	w.random_pct = 50;
	w.rate_iops = 10000;
	return w;
}

static void turn_outstanding(uint32_t n)
{
	struct workload w = run_workload(run);
	struct error e;

	w.outstanding = n;
	if (run_apply(run, &w, &e))
		fail_msg("%s", e.text);
}

static void pause_it(bool paused)
{
	struct error e;

	if (run_pause(run, paused, &e))
		fail_msg("%s", e.text);
}

static void stop(void)
{
	struct summary s;

	assert_int_equal(run_stop(run, "done", &s), 0);
	run_destroy(run);
	run = NULL;
	target.backend = real;
	target_close(&target);
}

/* What worker i makes of w, over and over: the IOs that were written down are its beginning, as often as it
 * was begun. Returns how often. */
static unsigned beginnings(int i, const struct workload *w)
{
	static struct pattern p;
	struct target_options how = {0};
	struct target null;
	unsigned n = 0;

	assert_int_equal(target_open(&null, "null:", &how, NULL), 0);
	struct workload_limits l = target_limits(&null);
	pattern_init(&p);
	for (size_t k = 0; k < book[i].count; k++) {
		const struct io *got = &book[i].io[k];
		struct io want = {0};
		if (k)
			pattern_next(&p, &want);
		bool same = k && got->offset == want.offset && got->op == want.op &&
			    got->size == want.size;
		if (!same) {
			n++;
			pattern_take_up(&p, w, &l, NULL, (uint32_t)i);
			pattern_next(&p, &want);
			assert_int_equal(got->offset, want.offset);
			assert_int_equal(got->op, want.op);
			assert_int_equal(got->size, want.size);
		}
	}
	target_close(&null);
	return n;
}

static void all_that_opens_a_segment(void)
{
	char letter;

	let_it_work();
	run_mark(run, &letter);
	let_it_work();
	turn_outstanding(3);
	let_it_work();
	run_reset(run, "reset");
	let_it_work();
	pause_it(true);
	pause_it(false);
	let_it_work();
	run_mark(run, &letter);
	let_it_work();
	stop();
}

static void every_segment_begins_the_same(void **state)
{
	struct workload w = slow();

	(void)state;
	start(&w);
	all_that_opens_a_segment();
	for (int i = 0; i < WORKERS; i++)
		assert_int_equal(beginnings(i, &w), 6);
}

static void with_lines_log_and_streams_too(void **state)
{
	struct workload w = slow();

	(void)state;
	assert_int_equal(setting_parse(&w, SETTING_LINES, "4k 50% read 50; 8k 50% random 10", NULL),
			 0);
	w.log_pct = 10;
	w.streams = 3;
	start(&w);
	all_that_opens_a_segment();
	for (int i = 0; i < WORKERS; i++)
		assert_int_equal(beginnings(i, &w), 6);
}

static void a_sequence_that_goes_on_is_begun_once(void **state)
{
	struct workload w = slow();

	(void)state;
	w.sequence_on = true;
	start(&w);
	all_that_opens_a_segment();
	for (int i = 0; i < WORKERS; i++)
		assert_int_equal(beginnings(i, &w), 1);
}

static bool same_io(const struct io *a, const struct io *b)
{
	return a->offset == b->offset && a->op == b->op && a->size == b->size;
}

/* How many of worker i's IOs from number `from` on are the beginning of w. */
static size_t follows(int i, size_t from, const struct workload *w)
{
	static struct pattern p;
	struct target_options how = {0};
	struct target null;
	size_t n = 0;

	assert_int_equal(target_open(&null, "null:", &how, NULL), 0);
	struct workload_limits l = target_limits(&null);
	pattern_init(&p);
	pattern_take_up(&p, w, &l, NULL, (uint32_t)i);
	for (; from + n < book[i].count; n++) {
		struct io want = {0};
		pattern_next(&p, &want);
		if (!same_io(&book[i].io[from + n], &want))
			break;
	}
	target_close(&null);
	return n;
}

/* Otherwise a device's cache would have what is measured already. */
static void the_warm_up_has_a_sequence_of_its_own(void **state)
{
	struct workload w = slow(), warming = slow();

	(void)state;
	warming.warming = true;
	start(&warming);
	let_it_work();
	run_reset(run, "warm-up over");
	let_it_work();
	stop();
	for (int i = 0; i < WORKERS; i++) {
		size_t warm = follows(i, 0, &warming);
		assert_true(warm >= 50);
		assert_int_equal(follows(i, 0, &w), 0);
		assert_int_equal(warm + follows(i, warm, &w), book[i].count);
	}
}

static void a_mark_is_of_the_generation_that_begins_with_it(void **state)
{
	struct workload w = slow();
	struct mark m[4];
	char letter;

	(void)state;
	start(&w);
	let_it_work();
	run_mark(run, &letter);
	run_reset(run, "reset");
	size_t n = timeline_marks(run_timeline(run), 0, m, 4);
	assert_int_equal(n, 3);
	struct timeline *t = run_timeline(run);
	struct segment g;
	for (uint32_t i = 1; i <= 3; i++) {
		assert_true(timeline_segment(t, i, &g));
		assert_int_equal(g.generation, i);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_segment_begins_the_same),
		TEST(with_lines_log_and_streams_too),
		TEST(a_sequence_that_goes_on_is_begun_once),
		TEST(the_warm_up_has_a_sequence_of_its_own),
		TEST(a_mark_is_of_the_generation_that_begins_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
