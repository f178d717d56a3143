/* io-uring.c - the kernel gives an io_uring back long after it was closed. What a run held must be free
 * at once all the same: the next run can claim the device, the file system can be unmounted, the loop
 * device detached.
 *
 * Something else on the host (a test that lists block devices, udev) may have the device open just
 * then. So what must succeed at once is tried a few times from the start, and must do so once.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/io.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"

#define MIB   (1ull << 20)
#define TRIES 5

static struct loopdev disk = {.number = -1};
static char mounted[PATH_MAX / 2];

static int private_mounts(void **state)
{
	(void)state;
	if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0)
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return 0;
}

static void need(const char *program)
{
	const char *missing = loopdev_missing();
	struct proc p;
	PROC(&p, lunscope_path(), "run", "/dev/zero", "--backend", "io_uring", "--for", "50ms",
	     "--no-store");
	if (!missing && p.status)
		missing = "needs io_uring";
	proc_free(&p);
	if (!missing && program) {
		PROC(&p, program, "-V");
		if (p.status)
			missing = "needs mkfs.ext4";
		proc_free(&p);
	}
	if (missing) {
		print_message("%s\n", missing);
		skip();
	}
}

static int tidy_up(void **state)
{
	(void)state;
	if (*mounted)
		umount2(mounted, MNT_DETACH);
	*mounted = '\0';
	return disk.number < 0 ? 0 : loopdev_free(&disk);
}

static void run(const char *const arguments[])
{
	struct proc p;
	const char *argv[24] = {lunscope_path(), "run", "--no-store", "--backend", "io_uring",
				"--workers",     "2",   "--for",      "300ms"};
	size_t n = 9;
	for (size_t i = 0; arguments[i]; i++)
		argv[n++] = arguments[i];
	assert_int_equal(proc_run(&p, argv, NULL), 0);
	if (p.status)
		fail_msg("status %d: %s", p.status, p.err);
	proc_free(&p);
}
#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

/* What a run's ID has to say comes from the refusal itself: --i-own 'ID'. */
static void ask_for_id(char *id, size_t n)
{
	struct proc p;
	PROC(&p, lunscope_path(), "run", disk.node, "--read", "0", "--write", "--no-store");
	char *at = strstr(p.err, "--i-own '");
	assert_non_null(at);
	snprintf(id, n, "%.*s", (int)strcspn(at + 9, "'"), at + 9);
	proc_free(&p);
}

/* Each claims the device for itself (O_EXCL); one that finds it claimed is refused. */
static void writing_runs_follow_each_other_at_once(void **state)
{
	char id[256];
	(void)state;
	need(NULL);
	assert_int_equal(loopdev_make(&disk, "claimed", 16 * MIB, NULL), 0);
	ask_for_id(id, sizeof(id));
	for (int i = 0; i < 6; i++)
		RUN(disk.node, "--read", "50", "--outstanding", i % 2 ? "64" : "8", "--write",
		    "--destroy", "--i-own", id);
}

/* Detaches it as losetup -d does. With another user the kernel only promises to, and it stays. */
static bool detach_at_once(void)
{
	struct loop_info64 info;
	int fd = open(disk.node, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(ioctl(fd, LOOP_CLR_FD, 0), 0);
	close(fd);
	fd = open(disk.node, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	bool gone = ioctl(fd, LOOP_GET_STATUS64, &info) != 0 && errno == ENXIO;
	close(fd);
	return gone;
}

static void a_loop_device_is_free_when_the_run_has_ended(void **state)
{
	bool gone = false;
	(void)state;
	need(NULL);
	for (int i = 0; i < TRIES && !gone; i++) {
		assert_int_equal(loopdev_make(&disk, "detached", 16 * MIB, NULL), 0);
		RUN(disk.node, "--outstanding", "32");
		gone = detach_at_once();
		loopdev_free(&disk);
	}
	assert_true(gone);
}

static void a_file_system_is_free_when_the_run_has_ended(void **state)
{
	char file[PATH_MAX];
	struct proc p;
	(void)state;
	need("mkfs.ext4");
	assert_int_equal(loopdev_make(&disk, "ext4.img", 64 * MIB, NULL), 0);
	PROC(&p, "mkfs.ext4", "-q", "-F", "-E", "nodiscard", disk.node);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	snprintf(mounted, sizeof(mounted), "%s", scratch_path("mounted"));
	assert_int_equal(mkdir(mounted, 0700), 0);
	int rc = -1;
	for (int i = 0; i < TRIES && rc; i++) {
		if (mount(disk.node, mounted, "ext4", 0, "")) {
			print_message("ext4 cannot be mounted: %s\n", strerror(errno));
			*mounted = '\0';
			skip();
		}
		snprintf(file, sizeof(file), "%s/file%d", mounted, i);
		RUN(file, "--create", "8m", "--read", "50", "--outstanding", "32");
		rc = umount(mounted);
		if (rc)
			umount2(mounted, MNT_DETACH);
	}
	*mounted = '\0';
	assert_int_equal(rc, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(writing_runs_follow_each_other_at_once, tidy_up),
		cmocka_unit_test_teardown(a_loop_device_is_free_when_the_run_has_ended, tidy_up),
		cmocka_unit_test_teardown(a_file_system_is_free_when_the_run_has_ended, tidy_up),
	};
	return cmocka_run_group_tests(tests, private_mounts, NULL);
}
