/* right-device.c - the real program on devices that change their size, have large sectors, don't
 * queue or take long: each test is named after the fault and says who has it. (What becomes of a
 * single transfer: right-transfer.c.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "tests/io.h"
#include "tests/loopdev.h"
#include "tests/misfs.h"
#include "tests/scratch.h"

#define MIB (1ull << 20)

static struct loopdev disk = {.number = -1};
static char mounted[PATH_MAX / 2];
static int zram = -1;
static struct outcome o;

/* --- Surroundings. --- */

static int tidy_up(void **state)
{
	(void)state;
	loopdev_unmount(mounted);
	return loopdev_free(&disk);
}

static bool has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

static uint64_t errors(void)
{
	return io_count(o.doc, "summary.total.errors");
}

/* --- Sizes that change. --- */

/* What the kernel has counted of the program's IO so far ("read_bytes", proc(5)). */
static uint64_t moved(pid_t pid, const char *which)
{
	char path[64], line[128];
	uint64_t bytes = 0;

	snprintf(path, sizeof(path), "/proc/%d/io", (int)pid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, which, strlen(which)) == 0)
			bytes = strtoull(strchr(line, ':') + 1, NULL, 10);
	if (f)
		fclose(f);
	return bytes;
}

/* A run that has begun to move data, and goes on for a while. */
static void start_run(struct proc *p, const char *which, const char *const more[])
{
	const char *argv[24] = {
		lunscope_path(), "run", "--no-store", "--json", scratch_path("device.json"),
		"--for",         "8s"};
	double limit = proc_now() + proc_patience();

	for (size_t i = 0; more[i]; i++)
		argv[i + 7] = more[i];
	assert_int_equal(proc_start(p, argv, NULL), 0);
	while (moved(p->pid, which) < MIB && proc_now() < limit)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	assert_true(moved(p->pid, which) >= MIB);
}
#define START_RUN(p, which, ...) start_run(p, which, (const char *const[]){__VA_ARGS__, NULL})

/* Waits for its end, and takes it for an outcome. */
static void end_run(struct proc *p)
{
	proc_wait(p);
	assert_false(p->timed_out);
	o.p = *p;
	o.doc = json_load_file(scratch_path("device.json"), 0, NULL);
	assert_non_null(o.doc);
}

static bool marked(const char *words)
{
	const json_t *mark;
	size_t i;

	json_array_foreach(json_object_get(o.doc, "marks"), i, mark)
	{
		const char *text = json_string_value(json_object_get(mark, "text"));
		if (text && has(text, words))
			return true;
	}
	return false;
}

/* The run goes on, and says why a part of its IOs fails. */
static void check_shrunk(const char *words)
{
	assert_int_equal(o.p.status, 1);
	assert_true(io_count(o.doc, "summary.read.ios") > 0);
	assert_true(errors() > 0);
	assert_int_equal(io_count(o.doc, "summary.read.bytes"),
			 io_count(o.doc, "summary.read.ios") * 4096);
	assert_true(has(o.p.err, words) && has(o.p.err, "behind its end fail"));
	assert_true(marked(words));
	const json_t *samples = json_object_get(o.doc, "samples");
	const json_t *last = json_array_get(samples, json_array_size(samples) - 2);
	assert_true(io_count(last, "read.ios") > 0);
	io_free(&o);
}

/* A LUN that is made smaller, an iSCSI target that comes back with another one: a tool that
 * asked for the size once goes on with an IO rate of which half is nothing. */
static void a_device_that_shrinks_under_the_run_is_told(void **state)
{
	struct proc p;
	(void)state;
	loopdev_need(&disk, 32 * MIB, 0);
	START_RUN(&p, "read_bytes", disk.node);
	assert_int_equal(truncate(disk.backing, 16 * MIB), 0);
	assert_int_equal(loopdev_resized(&disk), 0);
	end_run(&p);
	check_shrunk("has shrunk from 32 MiB to 16 MiB");
}

static void a_file_that_is_truncated_under_the_run_is_told(void **state)
{
	struct proc p;
	char file[PATH_MAX];
	(void)state;
	snprintf(file, sizeof(file), "%s", scratch_file("cut", 8 * MIB, false));
	START_RUN(&p, "read_bytes", file);
	assert_int_equal(truncate(file, 3 * MIB), 0);
	end_run(&p);
	check_shrunk("has shrunk from 8 MiB to 3 MiB");
}

/* Only the file behind it has gone: the device is as large as ever, and its IOs fail. */
static void a_device_whose_backing_is_cut_off_fails_and_has_not_shrunk(void **state)
{
	struct proc p;
	(void)state;
	loopdev_need(&disk, 32 * MIB, 0);
	START_RUN(&p, "read_bytes", disk.node);
	assert_int_equal(truncate(disk.backing, 16 * MIB), 0);
	end_run(&p);
	assert_true(errors() > 0);
	assert_true(has(o.p.err, "EIO"));
	assert_false(has(o.p.err, "shrunk"));
	io_free(&o);
}

/* What --i-own has to say comes from the refusal itself. */
static void ask_for_id(char *id, size_t n)
{
	struct proc p;

	PROC(&p, lunscope_path(), "run", disk.node, "--read", "0", "--write", "--no-store");
	char *at = strstr(p.err, "--i-own '");
	if (!at)
		fail_msg("status %d: %s", p.status, p.err);
	snprintf(id, n, "%.*s", (int)strcspn(at + 9, "'"), at + 9);
	proc_free(&p);
}

/* Writing it is another matter: what stands there now may be somebody else's. */
static void writing_stops_when_the_device_shrinks(void **state)
{
	struct proc p;
	char id[256];
	(void)state;
	loopdev_need(&disk, 32 * MIB, 0);
	ask_for_id(id, sizeof(id));
	START_RUN(&p, "write_bytes", disk.node, "--read", "0", "--write", "--destroy", "--i-own",
		  id);
	assert_int_equal(truncate(disk.backing, 16 * MIB), 0);
	assert_int_equal(loopdev_resized(&disk), 0);
	proc_wait(&p);
	if (p.timed_out || p.status != 1 || !has(p.err, "the run ended early") ||
	    !has(p.err, "its size has changed"))
		fail_msg("status %d: %s", p.status, p.err);
	proc_free(&p);
}

/* --- Sizes that don't fit. --- */

/* fio raises or lowers such a range without a word, or reads behind it. */
static void a_block_larger_than_the_range_is_refused_with_the_sum_and_the_remedy(void **state)
{
	char file[PATH_MAX];
	(void)state;
	snprintf(file, sizeof(file), "%s", scratch_file("small", MIB, false));
	REFUSED(WORDS(file, "range of 32 KiB", "block of 64 KiB", "smaller block", "larger range"),
		file, "--block", "64k", "--range", "0:32k");
	REFUSED(WORDS(file, "range of 1 MiB", "block of 2 MiB", "1 worker:", "smaller block"), file,
		"--block", "2m");
	REFUSED(WORDS(file, "range of 1 MiB", "block of 64 KiB", "17 workers", "--share-range"),
		file, "--block", "64k", "--workers", "17");
	/* A shared range holds it for any number, unless it holds it for none. */
	REFUSED(WORDS(file, "range of 1 MiB", "block of 2 MiB", "larger range"), file, "--block",
		"2m", "--workers", "17", "--share-range");
	GOOD(file, "--block", "64k", "--workers", "17", "--share-range", "--for", "500ms");
	GOOD(file, "--block", "1m", "--for", "500ms");
}

/* --- 4Kn. --- */

/* Disks of 4096-byte sectors have no smaller IO: it fails with EINVAL, each time. */
static void smaller_blocks_than_a_4kn_disk_s_are_refused_and_its_own_go_through(void **state)
{
	(void)state;
	loopdev_need(&disk, 16 * MIB, 4096);
	REFUSED(WORDS(disk.node, "block size 512", "4096-byte blocks"), disk.node, "--block",
		"512");
	REFUSED(WORDS(disk.node, "block size 6144", "4096-byte blocks"), disk.node, "--block",
		"6k");
	REFUSED(WORDS(disk.node, "alignment 512", "4096-byte blocks"), disk.node, "--align", "512");
	REFUSED(WORDS(disk.node, "range start 512", "4096-byte blocks"), disk.node, "--range",
		"512:1m");
	GOOD(disk.node, "--for", "500ms");
	GOOD(disk.node, "--block", "12k", "--align", "4k", "--backend", "sync", "--for", "500ms");
	GOOD(disk.node, "--range", "4k:10k", "--random", "50", "--for", "500ms");
}

/* The file system on it has its sectors too. */
static void a_file_on_a_4kn_disk_has_its_blocks(void **state)
{
	struct proc p;
	char file[PATH_MAX];
	(void)state;
	loopdev_need(&disk, 64 * MIB, 4096);
	PROC(&p, "mkfs.ext4", "-q", "-F", "-E", "nodiscard", disk.node);
	int made = p.status;
	proc_free(&p);
	snprintf(mounted, sizeof(mounted), "%s", scratch_path("4kn"));
	assert_int_equal(mkdir(mounted, 0700), 0);
	if (made || mount(disk.node, mounted, "ext4", 0, "")) {
		*mounted = '\0';
		print_message("needs ext4\n");
		skip();
	}
	snprintf(file, sizeof(file), "%s/file", mounted);
	GOOD(file, "--create", "8m", "--read", "50", "--for", "500ms");
	REFUSED(WORDS(file, "block size 512", "4096-byte blocks"), file, "--block", "512");
	GOOD(file, "--for", "500ms");
}

/* --- The depth. --- */

/* Iometer on Linux, fio with psync (#1388) and elbencho (#36) show a depth that they don't
 * reach. */
static void an_engine_that_does_not_queue_shows_depth_1(void **state)
{
	char file[PATH_MAX];
	(void)state;
	snprintf(file, sizeof(file), "%s", scratch_file("depth", MIB, false));
	REFUSED(WORDS("outstanding 8", "backend sync", "one IO at a time", "more workers"), file,
		"--backend", "sync", "--outstanding", "8");
	REFUSED(WORDS("libaio does no buffered IO", "depth would be 1", "--backend sync"), file,
		"--buffered", "--backend", "libaio");
	IO_RUN(&o, file, "--backend", "sync", "--workers", "2", "--for", "1s");
	io_expect_good(&o);
	assert_true(io_number(o.doc, "summary.depth_requested") == 2);
	assert_true(io_number(o.doc, "summary.depth_achieved") <= 2.001);
	io_free(&o);
}

/* A number from a file in sysfs, or one written there; -1 when that fails. */
static int zram_control(const char *leaf, const char *order)
{
	char path[64];
	int number = -1;

	snprintf(path, sizeof(path), "/sys/%s", leaf);
	FILE *f = fopen(path, order ? "we" : "re");
	if (!f)
		return -1;
	if (order ? fputs(order, f) >= 0 : fscanf(f, "%d", &number) == 1)
		number = order ? 0 : number;
	return fclose(f) ? -1 : number;
}

static int free_zram(void **state)
{
	char order[16];

	snprintf(order, sizeof(order), "%d", zram);
	if (zram >= 0)
		assert_int_equal(zram_control("class/zram-control/hot_remove", order), 0);
	zram = -1;
	return tidy_up(state);
}

/* A program's own count is a depth of 32, while the device (memory, compressed) does one IO
 * after the other inside the submit call. The kernel's count says so. */
static void a_device_that_completes_in_the_submit_call_is_seen_not_to_queue(void **state)
{
	char node[32], leaf[64];
	(void)state;
	zram = geteuid() == 0 ? zram_control("class/zram-control/hot_add", NULL) : -1;
	snprintf(node, sizeof(node), "/dev/zram%d", zram);
	snprintf(leaf, sizeof(leaf), "block/zram%d/disksize", zram);
	if (zram < 0 || access(node, R_OK) || zram_control(leaf, "16M")) {
		print_message("needs root and zram\n");
		skip();
	}
	IO_RUN(&o, node, "--backend", "libaio", "--outstanding", "32", "--for", "6s");
	io_expect_good(&o);
	assert_true(io_number(o.doc, "summary.depth_requested") == 32);
	assert_true(io_number(o.doc, "summary.depth_device") < 4);
	assert_true(marked("in the device"));
	io_free(&o);
}

/* --- Long latencies. --- */

/* fio #1668: see right-arithmetic.c. Here the whole way, from the clock to the document. */
static void a_latency_of_18_s_is_told_as_one(void **state)
{
	static const char *const figures[] = {"mean", "min", "p50", "p95", "p99", "p999", "max"};
	(void)state;
	IO_RUN(&o, "null:18s", "--outstanding", "2", "--for", "19s");
	/* The next two are out when the time is over, and get 2 s. */
	if (o.p.status != 1 || !has(o.p.err, "2 IOs not back in time are not in the figures") ||
	    !has(o.p.err, "the oldest was out for "))
		fail_msg("status %d: %s", o.p.status, o.p.err);
	assert_int_equal(io_count(o.doc, "summary.read.ios"), 2);
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		char path[64];
		snprintf(path, sizeof(path), "summary.read.lat_ns.%s", figures[i]);
		double s = io_number(o.doc, path) / 1e9;
		if (s < 18 || s > io_number(o.doc, "summary.elapsed_s"))
			fail_msg("%s is %.3f s", path, s);
	}
	io_free(&o);
}

#define DEVICE_TEST(f) cmocka_unit_test_teardown(f, tidy_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DEVICE_TEST(a_device_that_shrinks_under_the_run_is_told),
		DEVICE_TEST(a_file_that_is_truncated_under_the_run_is_told),
		DEVICE_TEST(a_device_whose_backing_is_cut_off_fails_and_has_not_shrunk),
		DEVICE_TEST(writing_stops_when_the_device_shrinks),
		DEVICE_TEST(a_block_larger_than_the_range_is_refused_with_the_sum_and_the_remedy),
		DEVICE_TEST(smaller_blocks_than_a_4kn_disk_s_are_refused_and_its_own_go_through),
		DEVICE_TEST(a_file_on_a_4kn_disk_has_its_blocks),
		DEVICE_TEST(an_engine_that_does_not_queue_shows_depth_1),
		cmocka_unit_test_teardown(
			a_device_that_completes_in_the_submit_call_is_seen_not_to_queue, free_zram),
		DEVICE_TEST(a_latency_of_18_s_is_told_as_one),
	};
	return cmocka_run_group_tests(tests, private_mounts, NULL);
}
