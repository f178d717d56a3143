/* io-midrun.c - what happens to a file in the middle of a headless run: it gets mounted, or its file
 * system freezes. Mounts are this process's own and gone with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/io.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"

#define MIB (1ull << 20)
/* A file system is never frozen for longer, whatever becomes of this process. */
#define FROZEN_MS_MAX 20000

static struct loopdev disk = {.number = -1};
static char mounted[PATH_MAX / 2];
static int thaw_fd = -1;

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* --- File systems. --- */

static int private_mounts(void **state)
{
	(void)state;
	if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0)
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return 0;
}

static void need_mkfs(void)
{
	struct proc p;
	const char *missing = loopdev_missing();
	if (!missing) {
		PROC(&p, "mkfs.ext4", "-V");
		if (p.status)
			missing = "needs mkfs.ext4";
		proc_free(&p);
	}
	if (missing) {
		print_message("%s\n", missing);
		skip();
	}
}

static void make_file_system(const char *file, const char *size)
{
	struct proc p;
	PROC(&p, "mkfs.ext4", "-q", "-F", "-E", "nodiscard", file, size);
	if (p.status)
		fail_msg("mkfs.ext4: %s", p.err);
	proc_free(&p);
}

static void mount_disk(const char *name)
{
	snprintf(mounted, sizeof(mounted), "%s", scratch_path(name));
	assert_int_equal(mkdir(mounted, 0700), 0);
	if (mount(disk.node, mounted, "ext4", 0, "")) {
		*mounted = '\0';
		print_message("ext4 cannot be mounted: %s\n", strerror(errno));
		skip();
	}
}

/* By a process of its own, which thaws when this one closes the pipe, dies, or takes too long. */
static void freeze(void)
{
	int p[2];
	int fs = open(mounted, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fs >= 0);
	assert_int_equal(pipe2(p, O_CLOEXEC), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct pollfd watch = {.fd = p[0]};
		close(p[1]);
		setsid();
		poll(&watch, 1, FROZEN_MS_MAX);
		ioctl(fs, FITHAW, 0);
		_exit(0);
	}
	close(p[0]);
	thaw_fd = p[1];
	int rc = ioctl(fs, FIFREEZE, 0);
	close(fs);
	assert_int_equal(rc, 0);
}

static void thaw(void)
{
	if (thaw_fd >= 0)
		close(thaw_fd);
	thaw_fd = -1;
}

static int tidy_up(void **state)
{
	(void)state;
	thaw();
	for (int i = 0; *mounted && umount(mounted) && errno == EBUSY && i < 500; i++)
		wait_ms(10);
	*mounted = '\0';
	return loopdev_free(&disk);
}

/* --- The run. --- */

static void start_run(struct proc *p, const char *const more[])
{
	const char *argv[24] = {lunscope_path(), "run", "--no-store", "--json",
				scratch_path("midrun.json")};
	for (size_t i = 0; more[i]; i++)
		argv[i + 5] = more[i];
	unlink(argv[4]);
	assert_int_equal(proc_start(p, argv, NULL), 0);
}
#define START_RUN(p, ...) start_run(p, (const char *const[]){__VA_ARGS__, NULL})

/* Until there is a file of that size with its first bytes written. */
static void await_file(const char *path, off_t size)
{
	struct stat st;
	double limit = proc_now() + proc_patience();
	while ((stat(path, &st) || st.st_size != size) && proc_now() < limit)
		wait_ms(10);
	assert_int_equal(st.st_size, size);
	wait_ms(500);
}

/* Only the second half is written, so that the file system in the first is a good one. */
static void a_made_file_that_gets_mounted_is_written_no_more(void **state)
{
	struct proc p;
	char path[PATH_MAX];
	(void)state;
	need_mkfs();
	snprintf(path, sizeof(path), "%s", scratch_path("made"));
	START_RUN(&p, path, "--create", "32m", "--read", "0", "--range", "16m:16m", "--for",
		  "100s");
	await_file(path, 32 * MIB);
	make_file_system(path, "8m");
	assert_int_equal(kill(p.pid, 0), 0);
	assert_int_equal(loopdev_attach(&disk, path, NULL), 0);
	mount_disk("upper");
	proc_wait(&p);
	if (p.timed_out || p.status != 1 || !strstr(p.err, "ended early") ||
	    !strstr(p.err, "mounted"))
		fail_msg("status %d: %s", p.status, p.err);
	proc_free(&p);
	json_t *doc = json_load_file(scratch_path("midrun.json"), 0, NULL);
	assert_true(io_count(doc, "summary.write.ios") > 0);
	json_decref(doc);
}

/* Seconds in which nothing came back, for IOs hung in the kernel. */
static size_t check_hung_seconds(const json_t *doc, double depth)
{
	const json_t *s;
	size_t i, n = 0;
	json_array_foreach(json_object_get(doc, "samples"), i, s)
	{
		if (io_count(s, "read.ios") + io_count(s, "write.ios") > 0)
			continue;
		double share = io_number(s, "depth_achieved") / depth;
		if (share < 0.7 || share > 1.3)
			fail_msg("second %zu: %.2f of the depth", i + 1, share);
		n++;
	}
	return n;
}

static void ios_that_hang_in_the_kernel_are_in_the_depth(void **state)
{
	struct proc p;
	char path[PATH_MAX];
	(void)state;
	need_mkfs();
	assert_int_equal(loopdev_make(&disk, "ext4.img", 64 * MIB, NULL), 0);
	make_file_system(disk.node, "64m");
	mount_disk("frozen");
	snprintf(path, sizeof(path), "%s/file", mounted);
	START_RUN(&p, path, "--create", "16m", "--buffered", "--backend", "sync", "--workers", "4",
		  "--read", "0", "--for", "100s");
	await_file(path, 16 * MIB);
	freeze();
	wait_ms(4500);
	thaw();
	wait_ms(500);
	kill(p.pid, SIGINT);
	proc_wait(&p);
	assert_false(p.timed_out);
	assert_int_equal(p.status, 128 + SIGINT);
	proc_free(&p);
	json_t *doc = json_load_file(scratch_path("midrun.json"), 0, NULL);
	assert_true(check_hung_seconds(doc, 4) >= 2);
	json_decref(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_made_file_that_gets_mounted_is_written_no_more,
					  tidy_up),
		cmocka_unit_test_teardown(ios_that_hang_in_the_kernel_are_in_the_depth, tidy_up),
	};
	return cmocka_run_group_tests(tests, private_mounts, NULL);
}
