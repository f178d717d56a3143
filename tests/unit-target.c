/* unit-target.c - a file that lunscope made is the file that it made, whatever its name stands for later;
 * and a target of which only a part fails is driven as hard as any.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "engine.h"
#include "target.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "units.h"

#define SIZE  (1u << 20)
#define SWAPS 200

static struct target target;
static char name[PATH_MAX], other[PATH_MAX], spare[PATH_MAX];
static char content[SIZE], now[SIZE];

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void read_other(char *into)
{
	int fd = open(other, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, into, SIZE, 0), SIZE);
	close(fd);
}

static int make_other(void **state)
{
	(void)state;
	snprintf(other, sizeof(other), "%s", scratch_file("other", SIZE, false));
	snprintf(name, sizeof(name), "%s", scratch_path("made"));
	snprintf(spare, sizeof(spare), "%s", scratch_path("spare"));
	unlink(name);
	unlink(spare);
	read_other(content);
	return 0;
}

static void check_other(void)
{
	read_other(now);
	assert_int_equal(memcmp(now, content, SIZE), 0);
}

static void open_made(bool buffered)
{
	struct target_options how = {.create_size = SIZE, .buffered = buffered};
	struct error e;
	if (target_open(&target, name, &how, &e))
		fail_msg("%s", e.text);
	assert_true(target.created && target.may_write);
}

static void run_writes(void)
{
	struct workload w = workload_default();
	struct engine *engine;
	static struct engine_counters c;
	struct error e;
	w.read_pct = 0;
	if (engine_create(&engine, &target, &w, &e))
		fail_msg("%s", e.text);
	wait_ms(200);
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	engine_collect(engine, &c);
	engine_destroy(engine);
	assert_true(c.op[IO_WRITE].ios > 0);
}

static void what_takes_the_name_of_a_made_file_is_not_written(void **state)
{
	(void)state;
	open_made(false);
	assert_int_equal(unlink(name), 0);
	assert_int_equal(symlink(other, name), 0);
	run_writes();
	check_other();
	/* Nor removed. */
	target_unmake(&target);
	target_close(&target);
	struct stat st;
	assert_int_equal(lstat(name, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	check_other();
}

static void another_file_with_its_name_is_not_removed(void **state)
{
	(void)state;
	open_made(false);
	assert_int_equal(rename(other, name), 0);
	run_writes();
	target_unmake(&target);
	target_close(&target);
	assert_int_equal(rename(name, other), 0);
	check_other();
}

static void the_zero_device_takes_no_writable_descriptor(void **state)
{
	struct target_options how = {0};
	struct error e;
	(void)state;
	if (target_open(&target, "/dev/zero", &how, &e))
		fail_msg("%s", e.text);
	assert_int_equal(target.kind, TARGET_ZERO);
	int fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(target_allow_write(&target, fd, 0, SIZE, &e), -EPERM);
	assert_false(target.may_write);
	assert_int_equal(fcntl(target.fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	target_close(&target);
}

static void a_made_file_is_removed_when_it_is_not_wanted(void **state)
{
	(void)state;
	open_made(false);
	target_unmake(&target);
	assert_int_equal(access(name, F_OK), -1);
	target_close(&target);
}

static void a_file_that_was_there_is_never_removed(void **state)
{
	struct target_options how = {.create_size = SIZE};
	struct error e;
	(void)state;
	assert_int_equal(target_open(&target, other, &how, &e), 0);
	assert_false(target.created || target.may_write);
	target_unmake(&target);
	target_close(&target);
	check_other();
}

/* --- Somebody who is quick. --- */

static atomic_bool armed, over;

/* Puts the link in the name's place as soon as there is something by that name. */
static void *swapper(void *arg)
{
	(void)arg;
	while (!atomic_load(&over))
		if (atomic_load(&armed) &&
		    renameat2(AT_FDCWD, spare, AT_FDCWD, name, RENAME_EXCHANGE) == 0)
			atomic_store(&armed, false);
	return NULL;
}

static void a_name_that_is_replaced_while_it_is_made_is_not_written_through(void **state)
{
	struct target_options how = {.create_size = SIZE};
	struct stat st, o;
	struct error e;
	pthread_t thread;
	unsigned wrong = 0, made = 0;
	(void)state;
	assert_int_equal(stat(other, &o), 0);
	assert_int_equal(pthread_create(&thread, NULL, swapper, NULL), 0);
	for (int i = 0; i < SWAPS; i++) {
		unlink(name);
		unlink(spare);
		assert_int_equal(symlink(other, spare), 0);
		atomic_store(&armed, true);
		if (target_open(&target, name, &how, &e) == 0) {
			made++;
			wrong += fstat(target.fd, &st) || st.st_ino == o.st_ino;
			target_unmake(&target);
			target_close(&target);
		}
		atomic_store(&armed, false);
	}
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	assert_true(made > 0);
	assert_int_equal(wrong, 0);
	check_other();
}

/* --- What a permission is for. --- */

static void a_permission_for_another_file_is_refused(void **state)
{
	struct target_options how = {.create_size = 0};
	struct error e;
	(void)state;
	snprintf(name, sizeof(name), "%s", scratch_file("asked", SIZE, false));
	assert_int_equal(target_open(&target, name, &how, &e), 0);
	int fd = open(other, O_RDWR | O_CLOEXEC | O_DIRECT);
	assert_true(fd >= 0);
	assert_int_equal(target_allow_write(&target, fd, 0, SIZE, &e), -ESTALE);
	assert_non_null(strstr(e.text, "stands for something else"));
	assert_false(target.may_write);
	/* It took the descriptor over, and closed it. */
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	fd = open(name, O_RDWR | O_CLOEXEC | O_DIRECT);
	assert_int_equal(target_allow_write(&target, fd, 0, SIZE, &e), 0);
	assert_true(target.may_write);
	target_close(&target);
}

/* --- A target of which a part fails. --- */

/* Errors per second by the engine's own clock, over a short stretch. */
static double errors_per_second(struct engine *engine)
{
	static struct engine_counters a, b;
	engine_collect(engine, &a);
	wait_ms(100);
	engine_collect(engine, &b);
	return (double)(b.op[IO_READ].errors - a.op[IO_READ].errors) * 1e9 /
	       (double)(b.t_ns - a.t_ns);
}

/* Holding back for a millisecond after each failed IO would leave a thousand of them a second at the
 * most, however fast the machine. One stretch with more shows that nothing is held back. */
static void a_part_that_fails_does_not_slow_the_rest(void **state)
{
	struct target_options how = {.backend = "sync", .buffered = true};
	struct workload w = workload_default();
	struct engine *engine;
	struct error e;
	(void)state;
	w.outstanding = 1;
	if (target_open(&target, other, &how, &e) || engine_create(&engine, &target, &w, &e))
		fail_msg("%s", e.text);
	/* A tenth of it goes away while it is read. */
	assert_int_equal(truncate(other, SIZE / 10 * 9 / 4096 * 4096), 0);
	double most = 0, limit = proc_now() + proc_patience();
	while (most < 1500 && proc_now() < limit) {
		double rate = errors_per_second(engine);
		most = rate > most ? rate : most;
	}
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	engine_destroy(engine);
	target_close(&target);
	if (most < 1500)
		fail_msg("%.0f errors/s at the most", most);
}

/* A device that takes no NOWAIT answers io_uring EAGAIN to each IO where the flag is on. */
static void ios_of_an_opened_target_may_wait(void **state)
{
	(void)state;
	struct target_options how = {0};
	struct error e;
	if (target_open(&target, other, &how, &e))
		fail_msg("%s", e.text);
	int flags = fcntl(target.fd, F_GETFL);
	target_close(&target);
	assert_true(flags >= 0);
	assert_int_equal(flags & O_NONBLOCK, 0);
	assert_int_equal(flags & O_DIRECT, O_DIRECT);
	open_made(true);
	flags = fcntl(target.fd, F_GETFL);
	target_unmake(&target);
	target_close(&target);
	assert_int_equal(flags & (O_NONBLOCK | O_DIRECT), 0);
}

#define TARGET_TEST(f) cmocka_unit_test_setup(f, make_other)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_zero_device_takes_no_writable_descriptor),
		TARGET_TEST(what_takes_the_name_of_a_made_file_is_not_written),
		TARGET_TEST(another_file_with_its_name_is_not_removed),
		TARGET_TEST(a_made_file_is_removed_when_it_is_not_wanted),
		TARGET_TEST(a_file_that_was_there_is_never_removed),
		TARGET_TEST(a_name_that_is_replaced_while_it_is_made_is_not_written_through),
		TARGET_TEST(a_permission_for_another_file_is_refused),
		TARGET_TEST(a_part_that_fails_does_not_slow_the_rest),
		TARGET_TEST(ios_of_an_opened_target_may_wait),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
