/* unit-create.c - a scratch file is made whole, or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include "target.h"
#include "tests/scratch.h"
#include "units.h"

static void *cancel_once_begun(void *arg)
{
	struct create_progress *p = arg;

	while (atomic_load(&p->done) == 0)
		sched_yield();
	create_progress_cancel(p);
	return NULL;
}

static void a_file_that_is_called_off_is_left_unfinished_and_gone(void **state)
{
	struct create_progress p = {0};
	struct target_options how = {.create_size = GIB, .progress = &p};
	const char *path = scratch_path("off");
	struct target t;
	struct error e;
	pthread_t thread;
	(void)state;

	assert_int_equal(pthread_create(&thread, NULL, cancel_once_begun, &p), 0);
	assert_int_equal(target_open(&t, path, &how, &e), -ECANCELED);
	pthread_join(thread, NULL);
	assert_non_null(strstr(e.text, path));
	assert_true(atomic_load(&p.total) == GIB);
	assert_in_range(atomic_load(&p.done), MIB, GIB - 1);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void a_whole_file_says_so(void **state)
{
	struct create_progress p = {0};
	struct target_options how = {.create_size = 3 * MIB + 512, .progress = &p};
	const char *path = scratch_path("whole");
	char text[96];
	struct target t;
	struct error e;
	(void)state;

	assert_string_equal(create_progress_text(text, sizeof(text), &p), "");
	if (target_open(&t, path, &how, &e))
		fail_msg("%s", e.text);
	assert_true(t.size == 3 * MIB + 512);
	assert_true(atomic_load(&p.done) == 3 * MIB + 512);
	assert_int_equal(access(path, F_OK), 0);
	target_unmake(&t);
	target_close(&t);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void progress_tells_the_time_left_once_there_is_a_pace(void **state)
{
	struct create_progress p = {0};
	char text[96];
	(void)state;

	create_progress_begin(&p, 4 * GIB);
	assert_string_equal(create_progress_text(text, sizeof(text), &p), "0 B of 4 GiB");
	/* A quarter in 100 s: three more such. */
	atomic_store(&p.start_ns, clock_ns() - 100 * NS_PER_SEC);
	create_progress_done(&p, GIB);
	assert_non_null(strstr(create_progress_text(text, sizeof(text), &p), "1 GiB of 4 GiB, "));
	assert_non_null(strstr(text, "00:05:0"));
	assert_non_null(strstr(text, " left"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_is_called_off_is_left_unfinished_and_gone),
		cmocka_unit_test(a_whole_file_says_so),
		cmocka_unit_test(progress_tells_the_time_left_once_there_is_a_pace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
