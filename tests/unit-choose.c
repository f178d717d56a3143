/* unit-choose.c - `--backend auto`: what it takes for which target, and the words for it.
 *
 * What is expected follows from the kernel's own answers, asked for here in the test's own way. The last
 * test forbids io_uring to this process for good.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <linux/magic.h>
#include <unistd.h>
#include <cmocka.h>
#include "config.h"
#include "target.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"

#define MIB (1u << 20)

static struct target target = {.fd = -1};
static struct loopdev disk = {.number = -1};

static int tidy_up(void **state)
{
	(void)state;
	target_close(&target);
	return disk.number < 0 ? 0 : loopdev_free(&disk);
}

/* Opens spec; skips where its file system has no O_DIRECT. */
static void choose(const char *spec, bool buffered)
{
	struct target_options how = {.backend = BACKEND_AUTO, .buffered = buffered};
	struct error e;
	int rc = target_open(&target, spec, &how, &e);
	if (rc == -EINVAL && strstr(e.text, "O_DIRECT")) {
		print_message("%s\n", e.text);
		skip();
	}
	if (rc)
		fail_msg("%s", e.text);
	assert_true(strlen(target.backend_why) < 64);
}

static void check_taken(const char *name, const char *words)
{
	if (strcmp(target.backend->name, name) != 0 || !strstr(target.backend_why, words))
		fail_msg("%s: %s", target.backend->name, target.backend_why);
}

static bool has_uring(void)
{
	struct utsname u;
	int major = 0, minor = 0;
	assert_int_equal(uname(&u), 0);
	sscanf(u.release, "%d.%d", &major, &minor);
	const struct backend *b = backend_find("io_uring");
	char why[BACKEND_WHY];
	return b && b->fit(NULL, why, sizeof(why)) != FIT_NONE &&
	       (major > 6 || (major == 6 && minor >= 1));
}

/* Whether a read that must not wait is possible, here by reading. */
static bool has_nowait(const char *path)
{
	static _Alignas(4096) char block[4096];
	struct iovec v = {block, sizeof(block)};
	int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	assert_true(fd >= 0);
	bool has = preadv2(fd, &v, 1, 0, RWF_NOWAIT) >= 0 || errno != EOPNOTSUPP;
	close(fd);
	return has;
}

static void check_direct(const char *path)
{
	choose(path, false);
	if (has_uring() && has_nowait(path))
		check_taken("io_uring", "completions come in batches, and the target takes NOWAIT");
	else if (has_uring())
		check_taken("libaio", "io_uring would need a thread for each IO (no NOWAIT)");
	else
		assert_string_equal(target.backend->name, "libaio");
}

static void what_needs_no_device_is_null(void **state)
{
	(void)state;
	choose("null:1ms", false);
	check_taken("null", "");
	assert_string_equal(target.backend_why, "");
}

static void a_file_takes_io_uring_where_its_file_system_does_not_wait(void **state)
{
	(void)state;
	check_direct(scratch_file("file", MIB, false));
}

static void a_file_in_memory_takes_libaio(void **state)
{
	char path[] = "/dev/shm/lunscope-test-XXXXXX";
	struct statfs fs;
	(void)state;
	if (statfs("/dev/shm", &fs) || fs.f_type != TMPFS_MAGIC) {
		print_message("needs a tmpfs at /dev/shm\n");
		skip();
	}
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	int rc = ftruncate(fd, MIB);
	close(fd);
	struct target_options how = {0};
	struct error e;
	rc = rc ? rc : target_open(&target, path, &how, &e);
	bool nowait = rc == 0 && has_nowait(path);
	unlink(path);
	if (rc || nowait) {
		print_message("needs a tmpfs that takes O_DIRECT and waits\n");
		skip();
	}
	check_taken("libaio", has_uring() ? "(no NOWAIT)" : "");
}

static void a_block_device_takes_io_uring_where_it_does_not_wait(void **state)
{
	(void)state;
	const char *missing = loopdev_missing();
	if (missing) {
		print_message("%s\n", missing);
		skip();
	}
	assert_int_equal(loopdev_make(&disk, "disk", 4 * MIB, NULL), 0);
	struct blockstat before, after;
	assert_int_equal(loopdev_stat(&disk, &before), 0);
	choose(disk.node, false);
	assert_int_equal(loopdev_stat(&disk, &after), 0);
	/* By facts alone. */
	assert_int_equal(after.read_ios, before.read_ios);
	target_close(&target);
	check_direct(disk.node);
}

static void a_character_device_does_not_take_io_uring(void **state)
{
	(void)state;
	choose("/dev/zero", false);
	check_taken("libaio", has_uring() ? "a character device may answer short" : "");
}

static void buffered_io_is_done_one_at_a_time(void **state)
{
	(void)state;
	choose(scratch_file("cached", MIB, false), true);
	check_taken("sync", "a buffered IO is done when the call returns");
}

static void what_is_named_is_taken_without_a_reason(void **state)
{
	struct target_options how = {.backend = "sync"};
	struct error e;
	(void)state;
	assert_int_equal(target_open(&target, scratch_file("named", MIB, false), &how, &e), 0);
	check_taken("sync", "");
	assert_string_equal(target.backend_why, "");
}

static void libaio_is_taken_where_io_uring_is_not_allowed(void **state)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(*code), code};
	(void)state;
	if (!backend_find("io_uring") || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		print_message("needs io_uring in this build and seccomp filters\n");
		skip();
	}
	choose(scratch_file("forbidden", MIB, false), false);
	check_taken("libaio", "io_uring is not allowed here: Operation not permitted");
}

#define CHOICE_TEST(f) cmocka_unit_test_teardown(f, tidy_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CHOICE_TEST(what_needs_no_device_is_null),
		CHOICE_TEST(a_file_takes_io_uring_where_its_file_system_does_not_wait),
		CHOICE_TEST(a_file_in_memory_takes_libaio),
		CHOICE_TEST(a_block_device_takes_io_uring_where_it_does_not_wait),
		CHOICE_TEST(a_character_device_does_not_take_io_uring),
		CHOICE_TEST(buffered_io_is_done_one_at_a_time),
		CHOICE_TEST(what_is_named_is_taken_without_a_reason),
		CHOICE_TEST(libaio_is_taken_where_io_uring_is_not_allowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
