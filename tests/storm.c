/* storm.c - every knob turned at random while IO runs: no IO is lost, none is counted twice.
 *
 * The seed is printed; STORM_SEED repeats a storm.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "engine.h"
#include "random.h"
#include "tests/scratch.h"
#include "units.h"

#define CHANGES   200
#define FILE_SIZE (256 * MIB)

/* workers x outstanding x block reaches 32 x 256 x 1 MiB = 8 GiB, and mixed workloads have buffers for
 * both directions. Draws stay below this, so that with old lanes still draining a small host holds it:
 * 2 GiB each way; far less where a sanitizer shadows each byte that is written. */
#ifdef __SANITIZE_THREAD__
#define BYTES_MAX (32 * MIB)
#else
#define BYTES_MAX (2 * GIB)
#endif

struct storm {
	struct target target;
	struct engine *engine;
	struct random random;
	struct engine_counters *now;
	atomic_bool over;
	unsigned refused;
	const char *broken; /* what the sampler has seen that must not be */
};

static uint64_t draw(struct storm *s, uint64_t from, uint64_t to)
{
	return from + random_below(&s->random, to - from + 1);
}

static struct workload draw_workload(struct storm *s)
{
	struct workload w = workload_default();
	do {
		w.workers = (uint32_t)draw(s, 1, 32);
		w.outstanding = (uint32_t)draw(s, 1, 256);
		w.block_size = (uint32_t)512 << draw(s, 0, 11);
	} while ((uint64_t)w.workers * w.outstanding * w.block_size > BYTES_MAX);
	w.read_pct = (uint32_t)draw(s, 0, 100);
	w.random_pct = (uint32_t)draw(s, 0, 100);
	w.paused = draw(s, 1, 20) == 1;
	w.rate_iops = draw(s, 1, 8) == 1 ? draw(s, 100, 100000) : 0;
	return w;
}

static void check_growth(struct storm *s, const struct op_counters *before,
			 const struct op_counters *now)
{
	if (now->ios < before->ios || now->bytes < before->bytes || now->lat_sum < before->lat_sum)
		s->broken = "IOs, bytes or latencies went back";
}

/* What the sampler does in the program: looks, and gives back what drained. Counters only grow. */
static void *sample(void *arg)
{
	struct storm *s = arg;
	struct engine_counters *before = calloc(1, sizeof(*before));
	if (!before)
		abort();
	while (!atomic_load(&s->over)) {
		engine_collect(s->engine, s->now);
		for (int op = 0; op < IO_OPS; op++)
			check_growth(s, &before->op[op], &s->now->op[op]);
		if (s->now->submitted < before->submitted)
			s->broken = "submitted went back";
		if (s->now->settled < before->settled || s->now->settled > s->now->generation)
			s->broken = "settled went back, or ahead";
		*before = *s->now;
		engine_tick(s->engine);
		nanosleep(&(struct timespec){0, 10 * NS_PER_MS}, NULL);
	}
	free(before);
	return NULL;
}

static void turn_knobs(struct storm *s, uint64_t seconds)
{
	struct error e;
	for (unsigned i = 0; i < CHANGES; i++) {
		struct workload old = engine_workload(s->engine), w = draw_workload(s);
		char text[256];
		uint32_t number;
		int rc = engine_apply(s->engine, &w, &number, &e);
		if (rc) {
			/* Only for want of room, and then nothing has changed. */
			if (rc != -ENOMEM && rc != -EAGAIN)
				fail_msg("change %u: %s", i + 1, e.text);
			s->refused++;
			w = old;
		}
		struct workload is = engine_workload(s->engine);
		assert_string_equal(workload_diff(text, sizeof(text), &w, &is, true), "");
		uint64_t pause = draw(s, 0, 2 * seconds * NS_PER_SEC / CHANGES);
		nanosleep(&(struct timespec){(time_t)(pause / NS_PER_SEC),
					     (long)(pause % NS_PER_SEC)},
			  NULL);
	}
}

/* Every generation's account is closed, and together they are the engine's totals. */
static void check_books(struct storm *s)
{
	struct engine_generation g;
	uint64_t submitted = 0, completed = 0, errors = 0, bytes = 0;
	uint32_t n = 0;
	while (engine_generation(s->engine, n + 1, &g)) {
		n++;
		if (g.number != n || g.submitted != g.completed + g.errors)
			fail_msg("generation %u: %" PRIu64 " submitted, %" PRIu64
				 " completed, %" PRIu64 " errors",
				 n, g.submitted, g.completed, g.errors);
		submitted += g.submitted;
		completed += g.completed;
		errors += g.errors;
		bytes += g.completed * g.workload.block_size;
	}
	assert_int_equal(n, CHANGES + 1 - s->refused);
	engine_collect(s->engine, s->now);
	const struct op_counters *r = &s->now->op[IO_READ], *w = &s->now->op[IO_WRITE];
	assert_int_equal(errors, 0);
	assert_int_equal(r->errors + w->errors, 0);
	for (unsigned i = 0; i < ERRNO_SLOTS; i++)
		assert_int_equal(s->now->errors[i], 0);
	assert_int_equal(s->now->inflight, 0);
	assert_int_equal(s->now->oldest_ns, 0);
	assert_int_equal(s->now->submitted, submitted);
	assert_int_equal(r->ios + w->ios, completed);
	assert_int_equal(r->bytes + w->bytes, bytes);
	for (int op = 0; op < IO_OPS; op++) {
		uint64_t in_buckets = 0;
		for (unsigned i = 0; i < HIST_BUCKETS; i++)
			in_buckets += s->now->hist[op].bucket[i];
		assert_int_equal(in_buckets, s->now->op[op].ios);
		assert_true(in_buckets > 0);
	}
	print_message("# %u generations, %u changes refused, %" PRIu64 " IOs, %.1f GiB\n", n,
		      s->refused, completed, (double)bytes / (double)GIB);
}

static void storm(const char *spec, const char *backend, uint64_t create_size, uint64_t seconds)
{
	struct storm *s = calloc(1, sizeof(*s));
	struct target_options how = {.create_size = create_size, .backend = backend};
	struct error e;
	assert_non_null(s);
	assert_non_null(s->now = calloc(1, sizeof(*s->now)));
	const char *given = getenv("STORM_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 0) : wall_ns();
	print_message("# STORM_SEED=%" PRIu64 "\n", seed);
	random_seed(&s->random, seed);

	if (target_open(&s->target, spec, &how, &e))
		fail_msg("%s", e.text);
	struct workload w = draw_workload(s);
	if (engine_create(&s->engine, &s->target, &w, &e))
		fail_msg("%s", e.text);
	pthread_t sampler;
	assert_int_equal(pthread_create(&sampler, NULL, sample, s), 0);
	turn_knobs(s, seconds);
	uint64_t lost = engine_stop(s->engine, 30 * NS_PER_SEC);
	atomic_store(&s->over, true);
	pthread_join(sampler, NULL);
	assert_int_equal(lost, 0);
	if (s->broken)
		fail_msg("%s", s->broken);
	check_books(s);
	engine_destroy(s->engine);
	target_close(&s->target);
	free(s->now);
	free(s);
}

static void a_storm_over_libaio_loses_no_io(void **state)
{
	(void)state;
	storm(scratch_path("storm"), "libaio", FILE_SIZE, 20);
}

static void a_storm_over_io_uring_loses_no_io(void **state)
{
	(void)state;
	if (!backend_find("io_uring")) {
		print_message("this build has no io_uring backend\n");
		skip();
	}
	storm(scratch_path("storm-uring"), "io_uring", FILE_SIZE, 20);
}

static void a_storm_over_null_loses_no_io(void **state)
{
	(void)state;
	storm("null:", NULL, 0, 20);
}

static void a_storm_over_a_device_with_a_latency_loses_no_io(void **state)
{
	(void)state;
	storm("null:50us", NULL, 0, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_storm_over_libaio_loses_no_io),
		cmocka_unit_test(a_storm_over_io_uring_loses_no_io),
		cmocka_unit_test(a_storm_over_null_loses_no_io),
		cmocka_unit_test(a_storm_over_a_device_with_a_latency_loses_no_io),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
