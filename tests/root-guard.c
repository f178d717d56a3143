/* root-guard.c - the write guard on real block devices: loop devices over an image file, with
 * real partitions, file systems, mounts and swap. Needs root; skips elsewhere.
 *
 * The image is hashed before the guard is asked and after it has said no: not one byte may
 * differ. Partitions are added with BLKPG where the kernel has no parser for the table, and
 * nodes are made by hand where nobody else makes them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices.h"
#include "guard/guard.h"
#include "units.h"

#define IMAGE_SIZE (64 * MIB)
#define PART_SIZE  (24 * MIB)

static char top[80];
static char image[128], loop[32];
static char part[2][128]; /* nodes of the two partitions */
static struct guard_report report;
static struct error error;
static pid_t child;
static uint64_t swap_start; /* of an active swap partition in the image, or 0 */

/* ---- tools ---- */

static int run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static int run(const char *fmt, ...)
{
	char command[1024], quiet[1200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	snprintf(quiet, sizeof(quiet), "{ %s; } >'%s/log' 2>&1", command, top);
	return system(quiet);
}

static void first_line(char *out, size_t n, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void first_line(char *out, size_t n, const char *fmt, ...)
{
	char command[512];
	va_list ap;
	FILE *p;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	out[0] = '\0';
	p = popen(command, "re");
	assert_non_null(p);
	if (fgets(out, (int)n, p))
		out[strcspn(out, "\n")] = '\0';
	pclose(p);
}

static void attach(char device[32], const char *options, const char *file)
{
	first_line(device, 32, "losetup %s -f --show '%s'", options, file);
	assert_true(strncmp(device, "/dev/loop", 9) == 0);
}

/* FNV-1a over 64-bit words: fast enough for each case. */
static uint64_t hash_range(uint64_t hash, int fd, uint64_t start, uint64_t end)
{
	static uint64_t words[1 << 16];

	while (start < end) {
		size_t want = end - start < sizeof(words) ? end - start : sizeof(words);
		ssize_t n = pread(fd, words, want, (off_t)start);

		assert_int_equal(n, want);
		for (size_t i = 0; i < want / 8; i++)
			hash = (hash ^ words[i]) * 1099511628211ull;
		start += want;
	}
	return hash;
}

/* The pages of an active swap area, which the kernel itself may write at any moment, are left out;
 * its header is not. */
static uint64_t hash_image(void)
{
	uint64_t hash = 14695981039346656037ull;
	int fd = open(image, O_RDONLY);
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	hash = hash_range(hash, fd, 0, swap_start ? swap_start + 4096 : (uint64_t)st.st_size);
	if (swap_start)
		hash = hash_range(hash, fd, swap_start + PART_SIZE, (uint64_t)st.st_size);
	close(fd);
	return hash;
}

static void write_image(uint64_t at, const void *bytes, size_t n)
{
	int fd = open(image, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, n, (off_t)at), (ssize_t)n);
	close(fd);
}

/* A partition of the loop device, and a node for it. */
static void add_partition(int number, uint64_t start)
{
	struct blkpg_partition range = {
		.start = (long long)start, .length = PART_SIZE, .pno = number};
	struct blkpg_ioctl_arg arg = {
		.op = BLKPG_ADD_PARTITION, .datalen = sizeof(range), .data = &range};
	unsigned major_number, minor_number;
	char numbers[32];
	int fd = open(loop, O_RDONLY);

	assert_true(fd >= 0);
	/* EBUSY: the kernel has read the table by itself. */
	assert_true(ioctl(fd, BLKPG, &arg) == 0 || errno == EBUSY);
	close(fd);
	first_line(numbers, sizeof(numbers), "cat /sys/class/block/%sp%d/dev", loop + 5, number);
	assert_int_equal(sscanf(numbers, "%u:%u", &major_number, &minor_number), 2);
	snprintf(part[number - 1], sizeof(part[0]), "%s/part%d", top, number);
	assert_int_equal(
		mknod(part[number - 1], S_IFBLK | 0600, makedev(major_number, minor_number)), 0);
}

static void make_partitions(void)
{
	assert_int_equal(run("printf 'label: dos\\nstart=2048,size=49152,type=83\\n"
			     "start=51200,size=49152,type=82\\n' | sfdisk --no-reread "
			     "--no-tell-kernel '%s'",
			     image),
			 0);
	add_partition(1, MIB);
	add_partition(2, 25 * MIB);
}

static void mount_at(const char *device, const char *name)
{
	char where[160];

	snprintf(where, sizeof(where), "%s/%s", top, name);
	assert_true(mkdir(where, 0755) == 0 || errno == EEXIST);
	assert_int_equal(mount(device, where, "ext4", MS_RDONLY, NULL), 0);
}

#define MKFS "mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 '%s'"

static int setup(void **state)
{
	int fd;

	(void)state;
	child = 0;
	swap_start = 0;
	top[0] = loop[0] = part[0][0] = part[1][0] = '\0';
	error.text[0] = '\0';
	if (geteuid() != 0)
		return 0;
	snprintf(top, sizeof(top), "%.40s/root-guard.XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(top))
		return -1;
	snprintf(image, sizeof(image), "%s/disk.img", top);
	fd = open(image, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || ftruncate(fd, IMAGE_SIZE) < 0)
		return -1;
	close(fd);
	first_line(loop, sizeof(loop), "losetup -f --show '%s' 2>/dev/null", image);
	return 0;
}

/* Undoes whatever a test has left: mounts and swap below our folder, loop devices over our
 * files. */
static int teardown(void **state)
{
	char command[128];

	(void)state;
	if (!top[0])
		return 0;
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	run("for m in $(awk '{print $5}' /proc/self/mountinfo | grep '^%s/' | tac); do umount $m; "
	    "done; for s in '%s' '%s' '%s' '%s/swapfile'; do swapoff $s; done; "
	    "for turn in 1 2 3; do losetup -n -O NAME,BACK-FILE | awk -v t='%s/' -v l='%s' "
	    "'index($2, t) == 1 || $2 == l {print $1}' | while read d; do losetup -d $d; done; "
	    "done",
	    top, loop[0] ? loop : "-", part[0], part[1], top, top, loop);
	run("chattr -i '%s'", image);
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	return chdir("/") | system(command);
}

static void need_root(void)
{
	if (geteuid() == 0 && loop[0])
		return;
	printf("%s\n", geteuid() ? "needs root" : "needs loop devices");
	fflush(stdout);
	skip();
}

static int inspect(const char *spec)
{
	return guard_inspect(spec, &guard_host, NULL, &report, &error);
}

static bool found(enum guard_gate gate, enum guard_level level, const char *words)
{
	for (unsigned i = 0; i < report.count; i++)
		if (report.finding[i].gate == gate && report.finding[i].level == level &&
		    strstr(report.finding[i].text, words))
			return true;
	for (unsigned i = 0; i < report.count; i++)
		fprintf(stderr, "# %s %d %s\n", guard_gate_name(report.finding[i].gate),
			report.finding[i].level, report.finding[i].text);
	return false;
}

/* The target is refused for the reason given, whatever consent there is, and the image stays as it
 * is. */
static void assert_refused(const char *spec, enum guard_gate gate, const char *words)
{
	uint64_t before = hash_image();

	assert_int_equal(inspect(spec), 0);
	assert_true(found(gate, GUARD_REFUSE, words));
	assert_int_equal(guard_check_own(&report, report.id, true, &error), -EPERM);
	assert_int_equal(guard_open(&report, &guard_host, true, true, &error), -EPERM);
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -EPERM);
	assert_int_equal(hash_image(), before);
}

/* The target opens with consent, not without, and the claim holds as long as the descriptor. */
static void assert_opens(const char *spec)
{
	uint64_t before = hash_image();
	char typed[40];
	int fd;

	assert_int_equal(inspect(spec), 0);
	if (guard_worst(&report) == GUARD_REFUSE)
		found(GATE_COUNT, GUARD_REFUSE, "");
	assert_true(guard_worst(&report) < GUARD_REFUSE);
	assert_int_equal(guard_check_typed(&report, "yes", &error), -EACCES);
	assert_int_equal(guard_open(&report, &guard_host, false, false, &error), -EPERM);
	snprintf(typed, sizeof(typed), "%s%s", report.confirm,
		 report.needs_destroy ? " DESTROY" : "");
	assert_int_equal(guard_check_typed(&report, typed, &error), 0);
	fd = guard_open(&report, &guard_host, true, false, &error);
	if (fd < 0)
		fprintf(stderr, "# %s\n", error.text);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_DIRECT), O_RDWR | O_DIRECT);
	assert_int_equal(open(report.path, O_RDONLY | O_EXCL), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -EBUSY);
	close(fd);
	fd = open(report.path, O_RDONLY | O_EXCL);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(hash_image(), before);
}

/* ---- the matrix ---- */

static void an_empty_device_opens_with_consent_and_is_claimed(void **state)
{
	char id[160];

	(void)state;
	need_root();
	assert_opens(loop);
	assert_false(report.needs_destroy);
	assert_int_equal(report.kind, GUARD_BLOCK);
	assert_int_equal(report.size, IMAGE_SIZE);
	assert_int_equal(report.window_start, MIB);
	assert_int_equal(report.window_length, IMAGE_SIZE - 2 * MIB);
	snprintf(id, sizeof(id), "%u:%u@%s", major(report.rdev), minor(report.rdev), image);
	assert_string_equal(report.id, id);
}

static void a_partition_table_needs_DESTROY(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(run("echo 'label: gpt\n,,' | sfdisk --no-reread '%s'", image), 0);
	assert_opens(loop);
	assert_true(report.needs_destroy);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "gpt partition table"));
	assert_int_equal(guard_check_own(&report, report.id, false, &error), -EACCES);
	assert_int_equal(guard_check_own(&report, report.id, true, &error), 0);
}

static void an_ext4_file_system_needs_DESTROY(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(run("mkfs.ext4 -q -F -L precious '%s'", image), 0);
	assert_opens(loop);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "ext4 file system, labelled 'precious'"));
	assert_true(report.needs_destroy);
	assert_int_equal(inspect(image), 0);
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, loop + 5));
}

static void a_file_system_in_a_partition_without_node_needs_DESTROY(void **state)
{
	(void)state;
	need_root();
	make_partitions();
	assert_int_equal(run(MKFS, part[0]), 0);
	assert_int_equal(run("delpart %s 1; delpart %s 2", loop, loop), 0);
	assert_opens(loop);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "its partition 1 holds: ext4"));
}

/* The label of a physical volume in sector 1: id, sector, checksum over what follows, offset, type,
 * UUID (lib/format_text/layout.h of LVM2). */
static void an_LVM_label_needs_DESTROY(void **state)
{
	unsigned char label[512] = "LABELONE";
	uint32_t crc = 0xf597a6cf;

	(void)state;
	need_root();
	label[8] = 1;
	label[20] = 32;
	memcpy(label + 24, "LVM2 001", 8);
	memcpy(label + 32, "abcdefghijklmnopqrstuvwxyz012345", 32);
	for (int i = 20; i < 512; i++) {
		crc ^= label[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	for (int i = 0; i < 4; i++)
		label[16 + i] = (unsigned char)(crc >> 8 * i);
	write_image(512, label, sizeof(label));
	assert_opens(loop);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "LVM2_member"));
	/* A damaged label is still one. */
	label[16] ^= 0xff;
	write_image(512, label, sizeof(label));
	assert_opens(loop);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "LVM2_member"));
}

static void a_swap_signature_needs_DESTROY(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(run("mkswap -L paging '%s'", image), 0);
	assert_opens(loop);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "swap"));
}

static void data_without_a_signature_need_DESTROY(void **state)
{
	(void)state;
	need_root();
	write_image(IMAGE_SIZE / 64 * 17, "somebody's numbers", 18);
	assert_opens(loop);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "holds data"));
	assert_true(report.needs_destroy);
}

static void active_swap_is_refused_on_the_partition_the_disk_and_the_file(void **state)
{
	(void)state;
	need_root();
	make_partitions();
	assert_int_equal(run("mkswap '%s'", part[1]), 0);
	if (run("swapon '%s'", part[1]) != 0) {
		printf("this kernel takes no swap here\n");
		skip();
	}
	swap_start = 25 * MIB;
	assert_refused(part[1], GATE_SWAP, "in use as swap");
	assert_refused(loop, GATE_SWAP, "in use as swap");
	assert_true(found(GATE_CLAIM, GUARD_REFUSE, "claimed"));
	assert_refused(image, GATE_SWAP, "in use as swap");
	assert_int_equal(run("swapoff '%s'", part[1]), 0);
	swap_start = 0;
	assert_opens(loop);
}

static void an_active_swap_file_is_refused(void **state)
{
	char path[160], other[160];

	(void)state;
	need_root();
	snprintf(path, sizeof(path), "%s/swapfile", top);
	snprintf(other, sizeof(other), "%s/linked", top);
	assert_int_equal(run("dd if=/dev/zero of='%s' bs=1M count=4 && chmod 600 '%s' && "
			     "mkswap '%s'",
			     path, path, path),
			 0);
	if (run("swapon '%s'", path) != 0) {
		printf("the file system of the scratch folder takes no swap file\n");
		skip();
	}
	assert_refused(path, GATE_SWAP, "in use as swap");
	assert_int_equal(link(path, other), 0);
	assert_refused(other, GATE_SWAP, "in use as swap");
}

static void a_mounted_partition_refuses_its_disk_under_every_name(void **state)
{
	char other[160];
	struct stat st;

	(void)state;
	need_root();
	make_partitions();
	assert_int_equal(run(MKFS, part[0]), 0);
	mount_at(part[0], "mnt");
	assert_refused(loop, GATE_MOUNTED, "is mounted at");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "partition /dev/loop"));
	assert_true(found(GATE_CLAIM, GUARD_REFUSE, "claimed"));
	assert_refused(part[0], GATE_MOUNTED, "is mounted at");
	/* a symlink */
	snprintf(other, sizeof(other), "%s/symlink", top);
	assert_int_equal(symlink(loop, other), 0);
	assert_refused(other, GATE_MOUNTED, "is mounted at");
	assert_string_equal(report.path, loop);
	/* a second node */
	assert_int_equal(stat(loop, &st), 0);
	snprintf(other, sizeof(other), "%s/second-node", top);
	assert_int_equal(mknod(other, S_IFBLK | 0600, st.st_rdev), 0);
	assert_refused(other, GATE_MOUNTED, "is mounted at");
	/* a relative path */
	assert_int_equal(chdir(top), 0);
	assert_refused("./second-node", GATE_MOUNTED, "is mounted at");
	assert_int_equal(chdir("/"), 0);
	/* the file below */
	assert_refused(image, GATE_MOUNTED, "is mounted at");
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "loop"));
	/* the neighbour is free, and says so */
	assert_opens(part[1]);
	assert_true(found(GATE_MOUNTED, GUARD_NOTE, "neighbour"));
}

static void a_mount_of_the_whole_disk_refuses_a_partition(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(run(MKFS, image), 0);
	add_partition(2, 25 * MIB);
	mount_at(loop, "mnt");
	assert_refused(part[1], GATE_MOUNTED, "the whole disk");
}

static void a_mount_in_another_namespace_refuses(void **state)
{
	char where[160], byte;
	int ready[2];

	(void)state;
	need_root();
	assert_int_equal(run(MKFS, image), 0);
	snprintf(where, sizeof(where), "%s/hidden", top);
	assert_int_equal(mkdir(where, 0755), 0);
	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (unshare(CLONE_NEWNS) < 0 ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    mount(loop, where, "ext4", MS_RDONLY, NULL) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	assert_refused(loop, GATE_MOUNTED, "in the mount namespace of process");
	assert_true(found(GATE_CLAIM, GUARD_REFUSE, "claimed"));
}

static void hold_open(const char *path, int flags)
{
	char byte;
	int ready[2];

	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (open(path, flags) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
}

static void a_device_that_a_process_has_open_is_a_warning(void **state)
{
	char words[64];

	(void)state;
	need_root();
	hold_open(loop, O_RDONLY);
	snprintf(words, sizeof(words), "process %d", (int)child);
	assert_opens(loop);
	assert_true(found(GATE_USERS, GUARD_WARN, words));
	assert_true(report.needs_destroy);
}

static void a_device_that_a_process_has_claimed_is_refused(void **state)
{
	(void)state;
	need_root();
	hold_open(loop, O_RDONLY | O_EXCL);
	assert_refused(loop, GATE_CLAIM, "claimed");
}

static void a_device_that_a_process_writes_is_refused(void **state)
{
	(void)state;
	need_root();
	hold_open(loop, O_WRONLY);
	assert_refused(loop, GATE_USERS, "open for writing");
}

static void a_file_that_is_read_is_a_warning_under_any_name(void **state)
{
	char path[160], other[160];
	int fd;

	(void)state;
	need_root();
	snprintf(path, sizeof(path), "%s/data", top);
	snprintf(other, sizeof(other), "%s/linked", top);
	assert_int_equal(run("truncate -s 4M '%s' && ln '%s' '%s'", path, path, other), 0);
	hold_open(path, O_RDONLY);
	assert_int_equal(inspect(other), 0);
	assert_true(found(GATE_USERS, GUARD_WARN, "has it open"));
	assert_true(found(GATE_IDENTITY, GUARD_NOTE, "2 names"));
	assert_int_equal(guard_check_own(&report, other, false, &error), -EACCES);
	assert_int_equal(guard_check_own(&report, other, true, &error), 0);
	fd = guard_open(&report, &guard_host, true, true, &error);
	assert_true(fd >= 0);
	close(fd);
}

static void a_file_that_is_written_is_refused_under_any_name(void **state)
{
	char path[160], other[160];

	(void)state;
	need_root();
	snprintf(path, sizeof(path), "%s/data", top);
	snprintf(other, sizeof(other), "%s/linked", top);
	assert_int_equal(run("truncate -s 4M '%s' && ln '%s' '%s'", path, path, other), 0);
	hold_open(path, O_RDWR);
	assert_refused(other, GATE_USERS, "open for writing");
}

static void a_typo_under_dev_makes_no_file(void **state)
{
	char path[64];

	(void)state;
	need_root();
	snprintf(path, sizeof(path), "%sp77", loop);
	assert_int_equal(inspect(path), -ENOENT);
	assert_non_null(strstr(error.text, "nothing is created under /dev"));
	assert_int_equal(access(path, F_OK), -1);
	/* Nor does the open, when the node has gone since the look. */
	assert_int_equal(inspect(loop), 0);
	strcpy(report.path, path);
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -ENOENT);
	assert_int_equal(access(path, F_OK), -1);
}

static void a_regular_file_under_dev_is_refused(void **state)
{
	char path[64];
	int fd, result;

	(void)state;
	need_root();
	snprintf(path, sizeof(path), "/dev/lunscope-test-%d", (int)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0) {
		printf("/dev can't be written here\n");
		skip();
	}
	result = ftruncate(fd, MIB) == 0 ? inspect(path) : -EIO;
	close(fd);
	unlink(path);
	assert_int_equal(result, 0);
	assert_true(found(GATE_IDENTITY, GUARD_REFUSE, "among the device nodes"));
	assert_int_equal(guard_open(&report, &guard_host, true, true, &error), -EPERM);
}

static void a_read_only_device_is_refused(void **state)
{
	char other[32];

	(void)state;
	need_root();
	assert_int_equal(run("blockdev --setro %s", loop), 0);
	assert_refused(loop, GATE_READONLY, "read-only");
	assert_int_equal(run("blockdev --setrw %s && losetup -d %s", loop, loop), 0);
	attach(other, "-r", image);
	assert_refused(other, GATE_READONLY, "read-only");
}

static void a_file_on_a_read_only_file_system_is_refused(void **state)
{
	char path[160];

	(void)state;
	need_root();
	assert_int_equal(run("mkdir '%s/src' && truncate -s 4M '%s/src/data' && "
			     "mkfs.ext4 -q -F -d '%s/src' '%s'",
			     top, top, top, image),
			 0);
	mount_at(loop, "mnt");
	snprintf(path, sizeof(path), "%s/mnt/data", top);
	assert_refused(path, GATE_READONLY, "mounted read-only");
}

static void an_immutable_file_is_refused(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(run("losetup -d %s", loop), 0);
	if (run("chattr +i '%s'", image) != 0) {
		printf("the file system of the scratch folder has no immutable flag\n");
		skip();
	}
	assert_refused(image, GATE_READONLY, "chattr -i");
}

static void a_loop_device_on_top_refuses_the_one_below(void **state)
{
	char upper[32];

	(void)state;
	need_root();
	attach(upper, "", loop);
	assert_refused(loop, GATE_HOLDERS, upper + 5);
	assert_refused(image, GATE_HOLDERS, upper + 5);
	assert_int_equal(inspect(upper), 0);
	assert_true(found(GATE_HOLDERS, GUARD_NOTE, "it stands on loop"));
}

static void two_loop_devices_over_one_file_refuse_each_other(void **state)
{
	char twin[32];

	(void)state;
	need_root();
	assert_int_equal(run(MKFS, image), 0);
	attach(twin, "", image);
	mount_at(twin, "mnt");
	assert_refused(loop, GATE_MOUNTED, "which shares its storage");
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "shares its storage"));
}

static void a_renamed_backing_file_is_still_found(void **state)
{
	char other[160];

	(void)state;
	need_root();
	assert_int_equal(run(MKFS, image), 0);
	mount_at(loop, "mnt");
	snprintf(other, sizeof(other), "%s/first-name", top);
	assert_int_equal(link(image, other), 0);
	assert_int_equal(unlink(image), 0);
	assert_int_equal(link(other, image), 0);
	assert_int_equal(unlink(other), 0);
	assert_refused(image, GATE_MOUNTED, "is mounted at");
}

static void a_device_below_3_MiB_is_explained(void **state)
{
	struct guard_window whole = {.whole = true};
	char small[160], device[32];

	(void)state;
	need_root();
	snprintf(small, sizeof(small), "%s/small", top);
	assert_int_equal(run("truncate -s 2M '%s'", small), 0);
	attach(device, "", small);
	assert_refused(device, GATE_WINDOW, "--whole");
	assert_int_equal(guard_inspect(device, &guard_host, &whole, &report, &error), 0);
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
	assert_int_equal(report.window_length, 2 * MIB);
}

/* ---- what changes between the look and the open ---- */

static void another_device_behind_the_same_node_is_not_opened(void **state)
{
	char node[160], second[160], other[32];
	struct stat a, b;

	(void)state;
	need_root();
	snprintf(second, sizeof(second), "%s/second.img", top);
	assert_int_equal(run("truncate -s %llu '%s'", IMAGE_SIZE, second), 0);
	attach(other, "", second);
	assert_int_equal(stat(loop, &a) | stat(other, &b), 0);
	snprintf(node, sizeof(node), "%s/node", top);
	assert_int_equal(mknod(node, S_IFBLK | 0600, a.st_rdev), 0);
	assert_int_equal(inspect(node), 0);
	assert_int_equal(unlink(node), 0);
	assert_int_equal(mknod(node, S_IFBLK | 0600, b.st_rdev), 0);
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -ESTALE);
	assert_int_equal(unlink(node), 0);
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -ENOENT);
	assert_int_equal(access(node, F_OK), -1);
	/* A character device is not even opened. */
	assert_int_equal(mknod(node, S_IFCHR | 0600, makedev(1, 3)), 0);
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -EINVAL);
}

static void another_file_behind_the_same_loop_device_is_not_opened(void **state)
{
	char second[160];

	(void)state;
	need_root();
	snprintf(second, sizeof(second), "%s/second.img", top);
	assert_int_equal(run("truncate -s %llu '%s'", IMAGE_SIZE, second), 0);
	assert_int_equal(inspect(loop), 0);
	if (report.diskseq == 0) {
		printf("this kernel doesn't number media\n");
		skip();
	}
	assert_int_equal(run("losetup -d %s && losetup %s '%s'", loop, loop, second), 0);
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -ESTALE);
	assert_non_null(strstr(error.text, "other media"));
}

static void a_mount_since_the_look_is_refused(void **state)
{
	uint64_t before;

	(void)state;
	need_root();
	assert_int_equal(run(MKFS, image), 0);
	assert_int_equal(inspect(loop), 0);
	assert_int_equal(guard_worst(&report), GUARD_WARN);
	mount_at(loop, "mnt");
	before = hash_image();
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -EBUSY);
	assert_int_equal(hash_image(), before);
}

static void a_new_signature_since_the_look_is_refused(void **state)
{
	uint64_t before;

	(void)state;
	need_root();
	assert_int_equal(inspect(loop), 0);
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
	assert_int_equal(run(MKFS, image), 0);
	before = hash_image();
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -EPERM);
	assert_non_null(strstr(error.text, "ext4"));
	assert_int_equal(hash_image(), before);
}

static void a_new_size_since_the_look_is_refused(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(inspect(loop), 0);
	assert_int_equal(run("truncate -s 128M '%s' && losetup -c %s", image, loop), 0);
	assert_int_equal(guard_open(&report, &guard_host, true, false, &error), -ESTALE);
}

/* ---- the watch ---- */

/* The watch answers within a second; a little more is allowed for here. */
static int check_for_a_while(struct guard_watch *watch)
{
	int err = 0;

	for (int i = 0; i < 50 && !err; i++) {
		err = guard_watch_check(watch, &error);
		if (!err)
			usleep(100000);
	}
	return err;
}

static struct guard_watch *start_watch(const char *spec)
{
	struct guard_watch *watch;

	assert_int_equal(inspect(spec), 0);
	assert_int_equal(guard_watch_start(&watch, &report, &guard_host, &error), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(guard_watch_check(watch, &error), 0);
	return watch;
}

static void the_watch_sees_a_mount(void **state)
{
	struct guard_watch *watch;

	(void)state;
	need_root();
	assert_int_equal(run(MKFS, image), 0);
	watch = start_watch(loop);
	mount_at(loop, "mnt");
	/* At once: the kernel tells of it. */
	assert_int_equal(guard_watch_check(watch, &error), -EPERM);
	assert_non_null(strstr(error.text, "is mounted at"));
	guard_watch_stop(watch);
}

static void the_watch_sees_swap(void **state)
{
	struct guard_watch *watch;

	(void)state;
	need_root();
	make_partitions();
	assert_int_equal(run("mkswap '%s'", part[1]), 0);
	watch = start_watch(loop);
	if (run("swapon '%s'", part[1]) != 0) {
		guard_watch_stop(watch);
		printf("this kernel takes no swap here\n");
		skip();
	}
	assert_int_equal(guard_watch_check(watch, &error), -EPERM);
	assert_non_null(strstr(error.text, "swap"));
	guard_watch_stop(watch);
}

static void the_watch_sees_a_new_size(void **state)
{
	struct guard_watch *watch;

	(void)state;
	need_root();
	watch = start_watch(loop);
	assert_int_equal(run("truncate -s 128M '%s' && losetup -c %s", image, loop), 0);
	assert_int_equal(guard_watch_check(watch, &error), -EPERM);
	assert_non_null(strstr(error.text, "size"));
	guard_watch_stop(watch);
}

static void the_watch_sees_other_media(void **state)
{
	struct guard_watch *watch;

	(void)state;
	need_root();
	watch = start_watch(loop);
	assert_int_equal(run("losetup -d %s && losetup %s '%s'", loop, loop, image), 0);
	if (report.diskseq == 0) {
		guard_watch_stop(watch);
		printf("this kernel doesn't number media\n");
		skip();
	}
	assert_int_equal(guard_watch_check(watch, &error), -EPERM);
	guard_watch_stop(watch);
}

static void the_watch_sees_a_new_holder(void **state)
{
	struct guard_watch *watch;
	char upper[32];

	(void)state;
	need_root();
	watch = start_watch(loop);
	attach(upper, "", loop);
	assert_int_equal(check_for_a_while(watch), -EPERM);
	assert_non_null(strstr(error.text, upper + 5));
	guard_watch_stop(watch);
}

static void the_watch_sees_a_loop_device_over_the_file(void **state)
{
	struct guard_watch *watch;
	char path[160], device[32];

	(void)state;
	need_root();
	snprintf(path, sizeof(path), "%s/data", top);
	assert_int_equal(run("truncate -s 4M '%s'", path), 0);
	watch = start_watch(path);
	attach(device, "", path);
	assert_int_equal(check_for_a_while(watch), -EPERM);
	assert_non_null(strstr(error.text, device + 5));
	guard_watch_stop(watch);
}

/* ---- the device list ---- */

static void the_list_shows_what_the_guard_would_refuse(void **state)
{
	struct device *list;
	bool seen = false;
	int n;

	(void)state;
	need_root();
	make_partitions();
	assert_int_equal(run(MKFS, part[0]), 0);
	mount_at(part[0], "mnt");
	n = devices_list(&guard_host, true, true, &list, &error);
	assert_true(n > 0);
	for (int i = 0; i < n; i++) {
		if (strcmp(list[i].path, loop) != 0)
			continue;
		seen = true;
		assert_string_equal(list[i].model, image);
		assert_string_equal(list[i].transport, "loop");
		assert_int_equal(list[i].size, IMAGE_SIZE);
		assert_non_null(strstr(list[i].against, "mounted "));
		assert_non_null(strstr(list[i].against, "dos"));
		assert_non_null(strstr(list[i].against, "ext4"));
	}
	free(list);
	assert_true(seen);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(an_empty_device_opens_with_consent_and_is_claimed),
		T(a_partition_table_needs_DESTROY),
		T(an_ext4_file_system_needs_DESTROY),
		T(a_file_system_in_a_partition_without_node_needs_DESTROY),
		T(an_LVM_label_needs_DESTROY),
		T(a_swap_signature_needs_DESTROY),
		T(data_without_a_signature_need_DESTROY),
		T(active_swap_is_refused_on_the_partition_the_disk_and_the_file),
		T(an_active_swap_file_is_refused),
		T(a_mounted_partition_refuses_its_disk_under_every_name),
		T(a_mount_of_the_whole_disk_refuses_a_partition),
		T(a_mount_in_another_namespace_refuses),
		T(a_device_that_a_process_has_open_is_a_warning),
		T(a_device_that_a_process_has_claimed_is_refused),
		T(a_device_that_a_process_writes_is_refused),
		T(a_file_that_is_read_is_a_warning_under_any_name),
		T(a_file_that_is_written_is_refused_under_any_name),
		T(a_typo_under_dev_makes_no_file),
		T(a_regular_file_under_dev_is_refused),
		T(a_read_only_device_is_refused),
		T(a_file_on_a_read_only_file_system_is_refused),
		T(an_immutable_file_is_refused),
		T(a_loop_device_on_top_refuses_the_one_below),
		T(two_loop_devices_over_one_file_refuse_each_other),
		T(a_renamed_backing_file_is_still_found),
		T(a_device_below_3_MiB_is_explained),
		T(another_device_behind_the_same_node_is_not_opened),
		T(another_file_behind_the_same_loop_device_is_not_opened),
		T(a_mount_since_the_look_is_refused),
		T(a_new_signature_since_the_look_is_refused),
		T(a_new_size_since_the_look_is_refused),
		T(the_watch_sees_a_mount),
		T(the_watch_sees_swap),
		T(the_watch_sees_a_new_size),
		T(the_watch_sees_other_media),
		T(the_watch_sees_a_new_holder),
		T(the_watch_sees_a_loop_device_over_the_file),
		T(the_list_shows_what_the_guard_would_refuse),
	};

	return cmocka_run_group_tests_name("guard on real devices", tests, NULL, NULL);
}
