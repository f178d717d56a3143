/* unit-crew.c - several targets at once: who is dealt where, and that the figures of the seats are those of
 * all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "crew.h"
#include "engine.h"
#include "seats.h"
#include "tests/scratch.h"
#include "units.h"

#define MOST 5

static struct target target[MOST];
static const struct target *all[MOST];

static void open_targets(unsigned n, const char *const *spec, uint64_t create)
{
	struct error e;

	for (unsigned i = 0; i < n; i++) {
		struct target_options how = {.create_size = create * (i + 1)};
		if (target_open(&target[i], spec[i], &how, &e))
			fail_msg("%s", e.text);
		all[i] = &target[i];
	}
}

static void open_nulls(unsigned n)
{
	static const char *const spec[MOST] = {"null:", "null:", "null:", "null:", "null:"};

	open_targets(n, spec, 0);
}

static void close_targets(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		target_close(&target[i]);
}

static struct crew *deal(unsigned targets, struct workload w)
{
	struct crew *c;
	struct error e;

	if (crew_create(&c, all, targets, &w, NULL, 0, NULL, &e))
		fail_msg("%s", e.text);
	return c;
}

static void more_workers_than_targets_are_dealt_in_turn(void **state)
{
	(void)state;
	struct workload w = workload_default();
	w.workers = 5;
	open_nulls(2);
	struct crew *c = deal(2, w);

	assert_int_equal(c->seats, 5);
	assert_int_equal(c->duties, 2);
	for (uint32_t i = 0; i < 5; i++) {
		assert_ptr_equal(c->seat[i].duty->target, all[i % 2]);
		assert_int_equal(c->seat[i].worker, i);
		assert_int_equal(c->seat[i].part, i / 2);
	}
	/* Each range is dealt to those who are there. */
	assert_int_equal(c->duty[0].load.workers, 3);
	assert_int_equal(c->duty[1].load.workers, 2);
	assert_int_equal(c->duty[0].paced.workers, 5);
	crew_free(c);
	close_targets(2);
}

static void more_targets_than_workers_give_a_worker_several(void **state)
{
	(void)state;
	struct workload w = workload_default();
	w.workers = 2;
	open_nulls(5);
	struct crew *c = deal(5, w);

	assert_int_equal(c->seats, 5);
	for (uint32_t i = 0; i < 5; i++) {
		assert_ptr_equal(c->seat[i].duty->target, all[i]);
		assert_int_equal(c->seat[i].worker, i % 2);
		assert_int_equal(c->seat[i].part, 0);
		assert_int_equal(c->seat[i].duty->load.workers, 1);
	}
	crew_free(c);
	close_targets(5);
}

static void one_target_is_as_it_always_was(void **state)
{
	(void)state;
	struct workload w = workload_default();
	w.workers = 3;
	open_nulls(1);
	struct crew *c = deal(1, w);

	assert_int_equal(c->seats, 3);
	assert_int_equal(c->duties, 1);
	assert_memory_equal(&c->duty[0].load, &w, sizeof(w));
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(c->seat[i].part, i);
	crew_free(c);
	close_targets(1);
}

/* Of 1 and 2 MiB, made anew. */
static const char *const *files(void)
{
	static const char *path[2];

	path[0] = scratch_path("small");
	path[1] = scratch_path("large");
	return path;
}

static void a_workload_that_one_target_can_not_take_is_refused_by_its_name(void **state)
{
	(void)state;
	struct workload w = workload_default();
	struct crew *c;
	struct error e;

	open_targets(2, files(), MIB);
	/* Behind the end of the first. */
	w.range_start = MIB + 4096;
	assert_int_not_equal(crew_create(&c, all, 2, &w, NULL, 0, NULL, &e), 0);
	assert_non_null(strstr(e.text, "small"));
	close_targets(2);
	unlink(scratch_path("small"));
	unlink(scratch_path("large"));
}

static void wait_ms(uint64_t ms)
{
	struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000 * NS_PER_MS)};
	nanosleep(&t, NULL);
}

static uint64_t all_ios(const struct seat_row *row, uint32_t n, int op)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += row[i].op[op].ios;
	return sum;
}

/* Takes a shot of what is collected now. */
static void shoot(struct engine *engine, struct seat_shot *shot, struct engine_counters *c)
{
	engine_collect(engine, c);
	seat_shot_take(shot, engine, c->t_ns);
}

static void seats_add_up_to_what_was_collected(void **state)
{
	(void)state;
	struct engine_counters *c = calloc(2, sizeof(*c));
	struct seat_shot from = {0}, to = {0};
	struct workload w = workload_default();
	struct engine *engine;
	struct error e;

	w.workers = 3;
	w.outstanding = 2;
	w.read_pct = 50;
	open_nulls(2);
	if (engine_create_many(&engine, all, 2, &w, &e) || engine_keep_seats(engine, &e))
		fail_msg("%s", e.text);
	wait_ms(20);
	shoot(engine, &from, &c[0]);
	wait_ms(50);
	shoot(engine, &to, &c[1]);
	struct seat_row *row = seat_rows(&from, &to);
	assert_non_null(row);
	assert_int_equal(to.count, 3);
	assert_int_equal(c[1].depth_requested, 6);
	for (int op = 0; op < IO_OPS; op++) {
		assert_true(all_ios(row, 3, op) > 0);
		assert_int_equal(all_ios(row, 3, op), c[1].op[op].ios - c[0].op[op].ios);
		uint64_t bytes = 0, sum = 0;
		for (int i = 0; i < 3; i++) {
			bytes += row[i].op[op].bytes;
			sum += row[i].op[op].lat_sum;
			assert_int_equal(row[i].hist[op].count, row[i].op[op].ios);
		}
		assert_int_equal(bytes, c[1].op[op].bytes - c[0].op[op].bytes);
		assert_int_equal(sum, c[1].op[op].lat_sum - c[0].op[op].lat_sum);
	}
	free(row);
	seat_shot_free(&from);
	seat_shot_free(&to);
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	assert_int_equal(engine_unaccounted(engine), 0);
	engine_destroy(engine);
	close_targets(2);
	free(c);
}

/* As many as a multiple of what room is made for at a time. */
static void a_shot_of_any_number_of_seats_is_taken(void **state)
{
	(void)state;
	struct engine_counters *c = calloc(1, sizeof(*c));
	struct workload w = workload_default();
	struct engine *engine;
	struct error e;

	open_nulls(1);
	w.paused = true;
	if (engine_create_many(&engine, all, 1, &w, &e) || engine_keep_seats(engine, &e))
		fail_msg("%s", e.text);
	for (uint32_t n = 15; n <= 33; n++) {
		struct seat_shot shot = {0};
		w.workers = n;
		if (engine_apply(engine, &w, NULL, &e))
			fail_msg("%s", e.text);
		shoot(engine, &shot, c);
		assert_int_equal(shot.count, n);
		seat_shot_free(&shot);
	}
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	engine_destroy(engine);
	close_targets(1);
	free(c);
}

/* Pauses the three jobs, and takes a shot when nothing is in flight: what is counted of one IO has all been counted
 * then. */
static void rest(struct engine *engine, struct workload *w, const struct job *job,
		 struct seat_shot *shot, struct engine_counters *c)
{
	struct error e;

	w->paused = true;
	if (engine_apply_jobs(engine, w, job, 3, NULL, &e))
		fail_msg("%s", e.text);
	do {
		wait_ms(10);
		shoot(engine, shot, c);
	} while (c->inflight || c->settled < c->generation);
}

/* Two files, the second twice as large: IOs that went to the wrong one would end behind its end, or never reach
 * the last half. */
static void each_worker_has_its_job_on_its_own_target(void **state)
{
	(void)state;
	struct engine_counters *c = calloc(1, sizeof(*c));
	struct seat_shot to = {0};
	struct workload w = workload_default();
	struct engine *engine;
	struct error e;

	open_targets(2, files(), MIB);
	if (engine_create_many(&engine, all, 2, &w, &e) || engine_keep_seats(engine, &e))
		fail_msg("%s", e.text);
	struct job job[3] = {
		{.target = all[1], .worker = 0, .workload = w},
		{.target = all[0], .worker = 0, .workload = w},
		{.target = all[1], .worker = 1, .workload = w},
	};
	job[0].workload.block_size = 8192;
	job[0].workload.outstanding = 3;
	job[0].workload.range_start = MIB;
	job[1].workload.block_size = 16384;
	job[1].workload.outstanding = 1;
	job[2].workload.block_size = 65536;
	job[2].workload.outstanding = 2;
	struct seat_shot from = {0};
	rest(engine, &w, job, &from, c);
	w.paused = false;
	if (engine_apply_jobs(engine, &w, job, 3, NULL, &e))
		fail_msg("%s", e.text);
	uint64_t enough = 0;
	do {
		wait_ms(20);
		shoot(engine, &to, c);
		struct seat_row *row = seat_rows(&from, &to);
		enough = row[0].op[IO_READ].ios && row[1].op[IO_READ].ios && row[2].op[IO_READ].ios;
		free(row);
	} while (!enough);
	assert_int_equal(c->depth_requested, 6);
	assert_int_equal(c->workers, 3);
	rest(engine, &w, job, &to, c);
	w.paused = false;
	struct seat_row *row = seat_rows(&from, &to);
	for (int i = 0; i < 3; i++) {
		assert_ptr_equal(row[i].target, job[i].target);
		assert_int_equal(row[i].worker, job[i].worker);
		assert_int_equal(row[i].outstanding, job[i].workload.outstanding);
		assert_int_equal(row[i].op[IO_READ].bytes,
				 row[i].op[IO_READ].ios * job[i].workload.block_size);
		assert_int_equal(row[i].op[IO_READ].errors, 0);
	}
	/* Back to the cards that are dealt. */
	if (engine_apply(engine, &w, NULL, &e))
		fail_msg("%s", e.text);
	engine_collect(engine, c);
	assert_int_equal(c->workers, 2);
	free(row);
	free(c);
	seat_shot_free(&from);
	seat_shot_free(&to);
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	assert_int_equal(engine_unaccounted(engine), 0);
	engine_destroy(engine);
	close_targets(2);
	unlink(scratch_path("small"));
	unlink(scratch_path("large"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_workers_than_targets_are_dealt_in_turn),
		cmocka_unit_test(more_targets_than_workers_give_a_worker_several),
		cmocka_unit_test(one_target_is_as_it_always_was),
		cmocka_unit_test(a_workload_that_one_target_can_not_take_is_refused_by_its_name),
		cmocka_unit_test(seats_add_up_to_what_was_collected),
		cmocka_unit_test(a_shot_of_any_number_of_seats_is_taken),
		cmocka_unit_test(each_worker_has_its_job_on_its_own_target),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
