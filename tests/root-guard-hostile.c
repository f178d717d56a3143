/* root-guard-hostile.c - the write guard where it can't see: /sys hidden, no nodes, no descriptors
 * left, other process numbers, /dev under another name. A file that backs a mounted loop device, or
 * is used otherwise, must be refused all the same. Needs root; skips elsewhere.
 *
 * Each scene is played by a child in a mount namespace of its own, and ends with it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard/guard.h"
#include "outfile.h"
#include "path.h"
#include "store.h"
#include "target.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"
#include "units.h"

static struct loopdev disk = {.number = -1};
static struct guard_report report;
static struct error error;
static char spec[PATH_MAX];

#define NEED(x)                                                                                \
	do {                                                                                   \
		if (!(x)) {                                                                    \
			fprintf(stderr, "# line %d: %s: %s\n", __LINE__, #x, strerror(errno)); \
			_exit(2);                                                              \
		}                                                                              \
	} while (0)

static void need_loops(void)
{
	const char *missing = loopdev_missing();

	if (!missing)
		return;
	printf("%s\n", missing);
	fflush(stdout);
	skip();
}

static int free_disk(void **state)
{
	(void)state;
	if (disk.number >= 0)
		loopdev_free(&disk);
	disk.number = -1;
	return 0;
}

/* Plays a scene in a mount namespace of its own; 0 when it went as it should. */
static int play(void (*scene)(void))
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		NEED(unshare(CLONE_NEWNS) == 0);
		NEED(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
		scene();
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void tell(void)
{
	fprintf(stderr, "# %s\n", error.text);
	for (unsigned i = 0; i < report.count; i++)
		fprintf(stderr, "# %s %d %s\n", guard_gate_name(report.finding[i].gate),
			report.finding[i].level, report.finding[i].text);
}

/* Whether the guard refuses path with full consent, and says so with these words. */
static bool refused(const char *path, const char *words)
{
	int rc = guard_inspect(path, &guard_host, NULL, &report, &error);

	if (rc == -EPERM) {
		memset(&report, 0, sizeof(report));
		if (strstr(error.text, words))
			return true;
	}
	if (rc == 0 && guard_check_own(&report, report.id, true, &error) == -EPERM &&
	    guard_open(&report, &guard_host, true, true, &error) == -EPERM)
		for (unsigned i = 0; i < report.count; i++)
			if (report.finding[i].level == GUARD_REFUSE &&
			    strstr(report.finding[i].text, words))
				return true;
	tell();
	return false;
}

static void empty_over(const char *where)
{
	NEED(mount("none", where, "tmpfs", 0, NULL) == 0);
}

/* A loop device over scratch file "disk.img"; the scene mounts it. */
static void make_disk(bool read_only)
{
	const struct loopdev_options how = {.read_only = read_only};
	const char *path = scratch_file("disk.img", 16 * MIB, true);
	char command[PATH_MAX + 64];

	snprintf(command, sizeof(command), "mkfs.ext4 -q -F '%s'", path);
	assert_int_equal(system(command), 0);
	snprintf(spec, sizeof(spec), "%s", path);
	assert_int_equal(loopdev_attach(&disk, path, &how), 0);
}

static void mount_disk(void)
{
	const char *where = scratch_path("mnt");

	NEED(mkdir(where, 0755) == 0 || errno == EEXIST);
	NEED(mount(disk.node, where, "ext4", MS_RDONLY, NULL) == 0);
}

/* ---- nothing to be seen ---- */

static void sys_is_empty(void)
{
	mount_disk();
	empty_over("/sys");
	NEED(refused(spec, "can't see /sys"));
}

static void sys_is_a_copy(void)
{
	mount_disk();
	empty_over("/sys");
	NEED(system("mkdir -p /sys/class/block /sys/dev/block") == 0);
	NEED(refused(spec, "can't see /sys/"));
}

static void the_list_is_empty(void)
{
	mount_disk();
	empty_over("/sys/class/block");
	NEED(refused(spec, "can't see /sys/class/block"));
}

static void the_device_is_hidden(void)
{
	char path[128];

	mount_disk();
	snprintf(path, sizeof(path), "/sys/devices/virtual/block/%s", disk.name);
	empty_over(path);
	NEED(refused(spec, "can't see /sys/class/block"));
}

static void all_devices_are_hidden(void)
{
	mount_disk();
	empty_over("/sys/devices/virtual/block");
	NEED(refused(spec, "can't see /sys/class/block"));
}

static void swaps_are_hidden(void)
{
	NEED(mount("/dev/null", "/proc/swaps", NULL, MS_BIND, NULL) == 0);
	NEED(refused(spec, "can't see /proc/swaps"));
}

static void proc_is_empty(void)
{
	empty_over("/proc");
	NEED(guard_inspect(spec, &guard_host, NULL, &report, &error) < 0);
}

/* A process that has the device open for writing, with an empty folder in the place of its own. */
static void the_writer_is_hidden(void)
{
	char path[64], ready;
	int told[2];

	NEED(pipe2(told, O_CLOEXEC) == 0);
	pid_t writer = fork();
	NEED(writer >= 0);
	if (writer == 0) {
		ready = open(disk.node, O_RDWR | O_CLOEXEC) >= 0;
		if (write(told[1], &ready, 1) == 1)
			pause();
		_exit(1);
	}
	NEED(read(told[0], &ready, 1) == 1 && ready);
	snprintf(path, sizeof(path), "/proc/%d", (int)writer);
	bool seen = refused(disk.node, "open for writing");
	empty_over(path);
	bool hidden = refused(disk.node, "it is hidden");
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	NEED(seen);
	NEED(hidden);
}

static void a_hidden_sys_or_proc_refuses_the_file_below_a_mounted_device(void **state)
{
	(void)state;
	need_loops();
	make_disk(false);
	assert_int_equal(play(sys_is_empty), 0);
	assert_int_equal(play(sys_is_a_copy), 0);
	assert_int_equal(play(the_list_is_empty), 0);
	assert_int_equal(play(the_device_is_hidden), 0);
	assert_int_equal(play(all_devices_are_hidden), 0);
	assert_int_equal(play(swaps_are_hidden), 0);
	assert_int_equal(play(proc_is_empty), 0);
	assert_int_equal(play(the_writer_is_hidden), 0);
}

/* The file under another path, and another file, or none, where it was; no nodes. */
static void move_away(bool decoy)
{
	char *other = strdup(scratch_path("other")), *folder = strdup(scratch_path("folder"));

	NEED(mkdir(other, 0755) == 0 || errno == EEXIST);
	NEED(mount(folder, other, NULL, MS_BIND, NULL) == 0);
	empty_over(folder);
	if (decoy)
		close(open(spec, O_WRONLY | O_CREAT, 0600));
	snprintf(spec, sizeof(spec), "%s/disk.img", other);
	empty_over("/dev");
}

static void nodes_are_missing(void)
{
	mount_disk();
	move_away(false);
	NEED(refused(spec, "can't see what /dev/loop"));
}

static void a_decoy_has_its_path(void)
{
	mount_disk();
	move_away(true);
	NEED(refused(spec, "can't see what /dev/loop"));
}

static void unmounted_here_and_numbered_anew(void)
{
	int status;
	pid_t child;

	mount_disk();
	/* Somebody else keeps it mounted. */
	NEED(unshare(CLONE_NEWNS | CLONE_NEWPID) == 0);
	NEED(umount2(scratch_path("mnt"), MNT_DETACH) == 0);
	child = fork();
	if (child == 0) {
		NEED(mount("proc", "/proc", "proc", 0, NULL) == 0);
		move_away(false);
		NEED(refused(spec, "can't see what /dev/loop"));
		_exit(0);
	}
	NEED(waitpid(child, &status, 0) == child && status == 0);
}

static void make_folder_disk(bool read_only)
{
	const char *folder = scratch_path("folder");
	char moved[PATH_MAX];
	const struct loopdev_options how = {.read_only = read_only};

	need_loops();
	assert_true(mkdir(folder, 0755) == 0 || errno == EEXIST);
	make_disk(read_only);
	assert_int_equal(loopdev_free(&disk), 0);
	disk.number = -1;
	snprintf(moved, sizeof(moved), "%s/disk.img", folder);
	assert_int_equal(rename(spec, moved), 0);
	strcpy(spec, moved);
	assert_int_equal(loopdev_attach(&disk, spec, &how), 0);
}

static void a_loop_device_that_can_t_be_asked_refuses_every_file(void **state)
{
	(void)state;
	make_folder_disk(true);
	assert_int_equal(play(nodes_are_missing), 0);
	assert_int_equal(play(a_decoy_has_its_path), 0);
	assert_int_equal(play(unmounted_here_and_numbered_anew), 0);
}

static void descriptors_run_out(void)
{
	mount_disk();
	for (rlim_t n = 0; n < 24; n++) {
		const struct rlimit few = {n, 4096}, many = {1024, 4096};
		int rc;

		NEED(setrlimit(RLIMIT_NOFILE, &few) == 0);
		rc = guard_inspect(spec, &guard_host, NULL, &report, &error);
		NEED(setrlimit(RLIMIT_NOFILE, &many) == 0);
		NEED(rc < 0 || guard_worst(&report) == GUARD_REFUSE);
	}
}

/* A free file is found free, or isn't looked at; never without having seen all. */
static void descriptors_run_out_on_a_free_file(void)
{
	struct guard_report all;
	int looked = 0;

	NEED(guard_inspect(spec, &guard_host, NULL, &all, &error) == 0);
	for (rlim_t n = 0; n < 24; n++) {
		const struct rlimit few = {n, 4096}, many = {1024, 4096};
		int rc;

		NEED(setrlimit(RLIMIT_NOFILE, &few) == 0);
		rc = guard_inspect(spec, &guard_host, NULL, &report, &error);
		NEED(setrlimit(RLIMIT_NOFILE, &many) == 0);
		NEED(rc < 0 || guard_worst(&report) == GUARD_REFUSE || report.count == all.count);
		looked += rc == 0 && guard_worst(&report) < GUARD_REFUSE;
	}
	NEED(looked > 0);
}

static void without_descriptors_nothing_is_taken_for_free(void **state)
{
	(void)state;
	need_loops();
	make_disk(false);
	assert_int_equal(play(descriptors_run_out), 0);
	assert_int_equal(loopdev_free(&disk), 0);
	disk.number = -1;
	assert_int_equal(play(descriptors_run_out_on_a_free_file), 0);
}

/* ---- in use ---- */

/* A child that does something with the file, says so, and stays. */
static pid_t busy(void (*with)(const char *path), const char *path)
{
	int ready[2];
	char byte;
	pid_t child;

	NEED(pipe(ready) == 0);
	child = fork();
	if (child == 0) {
		NEED(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
		with(path);
		NEED(write(ready[1], "x", 1) == 1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	NEED(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	return child;
}

static void end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void map_only(const char *path)
{
	int fd = open(path, O_RDONLY);

	NEED(fd >= 0 && mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) != MAP_FAILED);
	close(fd);
}

static void map_device_by_another_node(const char *path)
{
	struct stat st;
	const char *node = scratch_path("node");

	NEED(stat(path, &st) == 0);
	NEED(mknod(node, S_IFBLK | 0600, st.st_rdev) == 0);
	map_only(node);
	unlink(node);
}

static void open_to_write(const char *path)
{
	NEED(open(path, O_WRONLY) >= 0);
}

static void *stay(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

static void open_and_end_the_first_thread(const char *path)
{
	pthread_t thread;

	open_to_write(path);
	NEED(pthread_create(&thread, NULL, stay, NULL) == 0);
}

static void mapped_file(void)
{
	pid_t child = busy(map_only, spec);

	NEED(refused(spec, "mapped into memory"));
	end(child);
}

static void mapped_device(void)
{
	pid_t child = busy(map_device_by_another_node, disk.node);

	NEED(refused(disk.node, "mapped into memory"));
	end(child);
}

static void a_file_or_device_that_is_mapped_is_refused(void **state)
{
	(void)state;
	need_loops();
	snprintf(spec, sizeof(spec), "%s", scratch_file("plain", MIB, false));
	assert_int_equal(play(mapped_file), 0);
	make_disk(false);
	assert_int_equal(play(mapped_device), 0);
}

/* The writer's first thread ends after the open: its /proc/PID/fd is empty from then on. */
static void dead_first_thread(void)
{
	int ready[2];
	char byte, path[64], text[256] = "";
	pid_t child;

	NEED(pipe(ready) == 0);
	child = fork();
	if (child == 0) {
		NEED(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
		open_and_end_the_first_thread(disk.node);
		NEED(write(ready[1], "x", 1) == 1);
		pthread_exit(NULL);
	}
	NEED(read(ready[0], &byte, 1) == 1);
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)child);
	while (!strstr(text, ") Z ")) {
		int fd = open(path, O_RDONLY);

		NEED(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
		close(fd);
		usleep(1000);
	}
	NEED(refused(disk.node, "open for writing"));
	end(child);
}

static void threads_that_outlive_their_first_are_seen(void **state)
{
	(void)state;
	need_loops();
	make_disk(false);
	assert_int_equal(play(dead_first_thread), 0);
}

/* The writer is outside of the process numbers that can be seen. */
static void hidden_writer(void)
{
	pid_t writer = busy(open_to_write, spec), child;
	int status;

	NEED(unshare(CLONE_NEWPID) == 0);
	child = fork();
	if (child == 0) {
		NEED(mount("proc", "/proc", "proc", 0, NULL) == 0);
		NEED(refused(spec, "open for writing"));
		_exit(0);
	}
	NEED(waitpid(child, &status, 0) == child && status == 0);
	end(writer);
}

static void a_writer_outside_of_the_container_is_known_to_the_kernel(void **state)
{
	(void)state;
	need_loops();
	snprintf(spec, sizeof(spec), "%s", scratch_file("plain", MIB, true));
	assert_int_equal(play(hidden_writer), 0);
}

static void zombie(void)
{
	pid_t child = fork();
	siginfo_t info;

	if (child == 0)
		_exit(0);
	NEED(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0);
	NEED(guard_inspect(spec, &guard_host, NULL, &report, &error) == 0);
	for (unsigned i = 0; i < report.count; i++)
		if (strstr(report.finding[i].text, "mount table")) {
			tell();
			_exit(1);
		}
	NEED(waitpid(child, NULL, 0) == child);
}

static void zombies_and_kernel_threads_are_not_told_of(void **state)
{
	(void)state;
	need_loops();
	snprintf(spec, sizeof(spec), "%s", scratch_file("plain", MIB, true));
	assert_int_equal(play(zombie), 0);
}

/* ---- /dev under another name ---- */

static void dev_is_bound_elsewhere(void)
{
	const struct target_options how = {.buffered = true, .create_size = MIB};
	char *other = strdup(scratch_path("nodes")), path[PATH_MAX + 64], same[64];
	struct target target;
	struct store *store;
	int fd;

	NEED(mkdir(other, 0755) == 0 || errno == EEXIST);
	NEED(mount("/dev", other, NULL, MS_BIND, NULL) == 0);
	snprintf(same, sizeof(same), "/dev/lunscope-%d", (int)getpid());
	snprintf(path, sizeof(path), "%s/lunscope-%d", other, (int)getpid());
	NEED(target_open(&target, path, &how, &error) == -EPERM);
	NEED(outfile_check(path, "--json", &error) == -EINVAL);
	NEED(store_open(&store, path, &error) == -EINVAL);
	NEED(access(path, F_OK) < 0);
	/* Folders that aren't there yet are none among the nodes either. */
	strcat(path, "/lunscope/runs.db");
	NEED(store_open(&store, path, &error) == -EINVAL);
	strcat(same, "/lunscope/runs.db");
	NEED(store_open(&store, same, &error) == -EINVAL);
	snprintf(same, sizeof(same), "/dev/lunscope-%d", (int)getpid());
	NEED(access(same, F_OK) < 0);
	/* And one that a mistyped name has left behind is no target. */
	snprintf(path, sizeof(path), "%s/lunscope-%d", other, (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	NEED(fd >= 0 && ftruncate(fd, MIB) == 0);
	close(fd);
	if (!refused(path, "among the device nodes")) {
		unlink(path);
		_exit(1);
	}
	unlink(path);
}

static void dev_is_known_under_another_name(void **state)
{
	struct stat dev, root;

	(void)state;
	need_loops();
	if (stat("/dev", &dev) || stat("/", &root) || dev.st_dev == root.st_dev ||
	    access("/dev", W_OK)) {
		printf("/dev is no file system of its own that can be written\n");
		fflush(stdout);
		skip();
	}
	assert_int_equal(play(dev_is_bound_elsewhere), 0);
}

#define T(name) cmocka_unit_test_teardown(name, free_disk)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_hidden_sys_or_proc_refuses_the_file_below_a_mounted_device),
		T(a_loop_device_that_can_t_be_asked_refuses_every_file),
		T(without_descriptors_nothing_is_taken_for_free),
		T(a_file_or_device_that_is_mapped_is_refused),
		T(threads_that_outlive_their_first_are_seen),
		T(a_writer_outside_of_the_container_is_known_to_the_kernel),
		T(zombies_and_kernel_threads_are_not_told_of),
		T(dev_is_known_under_another_name),
	};

	return cmocka_run_group_tests_name("guard that can't see", tests, NULL, NULL);
}
