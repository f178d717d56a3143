/* unit-run-write.c - a run while its target is opened for writing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "run.h"
#include "tests/scratch.h"

struct fixture {
	struct target target;
	struct run *run;
	int writable; /* what the guard would hand over */
	int rc;
	struct error error;
	atomic_bool done;
};

static void begin(struct fixture *f, const char *spec, struct workload w, bool stop_on_error)
{
	struct target_options how = {.buffered = true};
	struct run_config c = {
		.workload = w,
		.stop_on_error = stop_on_error,
		.no_store = true,
		.command = "",
		.status = "live",
	};
	struct error e = {""};

	memset(f, 0, sizeof(*f));
	if (target_open(&f->target, spec, &how, &e) || run_create(&f->run, &f->target, &c, &e))
		fail_msg("%s", e.text);
}

/* A new engine begins its own count; the run's goes on. */
static void check_generations(struct run *run, const struct summary *s)
{
	json_t *doc = run_json(run, s);
	json_t *generations = json_object_get(json_object_get(doc, "summary"), "generations");
	json_t *g;
	size_t i;

	assert_true(json_array_size(generations) > 0);
	json_array_foreach(generations, i, g)
		assert_int_equal(json_integer_value(json_object_get(g, "number")), i + 1);
	json_decref(doc);
}

static void end(struct fixture *f)
{
	struct summary s;

	run_stop(f->run, "done", &s);
	check_generations(f->run, &s);
	run_destroy(f->run);
	target_close(&f->target);
}

static void *allow(void *arg)
{
	struct fixture *f = arg;

	f->rc = run_allow_write(f->run, f->writable, 0, MIB, &f->error);
	atomic_store(&f->done, true);
	return NULL;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* 1.5 s are waited for, and nobody else has to. */
static void a_slow_device_keeps_nobody_waiting_while_writing_is_allowed(void **state)
{
	struct workload w = workload_default();
	struct snapshot *snap = malloc(sizeof(*snap));
	struct fixture f;
	struct error e;
	pthread_t thread;
	unsigned refused = 0;
	(void)state;

	assert_non_null(snap);
	w.outstanding = 1;
	begin(&f, "null:1500ms", w, false);
	f.writable = open("/dev/null", O_RDWR | O_CLOEXEC);
	assert_int_equal(pthread_create(&thread, NULL, allow, &f), 0);
	while (!atomic_load(&f.done)) {
		struct workload other = run_workload(f.run);
		other.outstanding = other.outstanding % 4 + 1;
		run_snapshot(f.run, snap);
		int rc = run_apply(f.run, &other, &e);
		if (rc == 0)
			continue;
		assert_int_equal(rc, -EBUSY);
		assert_false(snap->ended);
		refused++;
		usleep(1000);
	}
	pthread_join(thread, NULL);
	assert_true(refused > 0);
	/* Whatever came of it, the run goes on and its knobs turn again. */
	w = run_workload(f.run);
	w.outstanding = w.outstanding % 4 + 1;
	w.paused = true;
	assert_int_equal(run_apply(f.run, &w, &e), 0);
	end(&f);
	free(snap);
}

static void a_run_that_has_ended_is_not_begun_again_by_consent(void **state)
{
	const char *path = scratch_file("ended", MIB, false);
	struct workload w = workload_default();
	struct fixture f;
	(void)state;

	w.rate_iops = 1000;
	w.outstanding = 1;
	begin(&f, path, w, true);
	/* Reads that come back short end it. */
	assert_int_equal(truncate(path, 0), 0);
	assert_true(run_wait(f.run, clock_ns() + 30 * NS_PER_SEC));
	f.writable = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(run_allow_write(f.run, f.writable, 0, MIB, &f.error), -EINVAL);
	assert_non_null(strstr(f.error.text, "has ended"));
	assert_false(is_open(f.writable));
	assert_false(f.target.may_write);
	end(&f);
}

static void writing_is_allowed_within_the_same_run(void **state)
{
	const char *path = scratch_file("allowed", MIB, false);
	struct workload w = workload_default();
	struct fixture f;
	struct error e;
	(void)state;

	w.rate_iops = 1000;
	w.outstanding = 1;
	begin(&f, path, w, false);
	w.read_pct = 0;
	assert_int_not_equal(run_apply(f.run, &w, &e), 0);
	f.writable = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(run_allow_write(f.run, f.writable, 0, MIB, &f.error), 0);
	assert_true(f.target.may_write);
	assert_int_equal(run_apply(f.run, &w, &e), 0);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slow_device_keeps_nobody_waiting_while_writing_is_allowed),
		cmocka_unit_test(a_run_that_has_ended_is_not_begun_again_by_consent),
		cmocka_unit_test(writing_is_allowed_within_the_same_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
