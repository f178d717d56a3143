/* right-device.c - the real program on devices and files that are not what they say: each test is named after
 * the fault and says who has it. Loop devices, ext4, and a file system that misbehaves to order (misfs.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
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
static struct outcome o;

/* --- Surroundings. --- */

static void make_disk(uint64_t size, uint32_t sector)
{
	const char *missing = loopdev_missing();

	if (missing) {
		print_message("%s\n", missing);
		skip();
	}
	assert_int_equal(
		loopdev_make(&disk, "disk", size, &(struct loopdev_options){.sector = sector}), 0);
}

static void misbehave(struct misfs_order order)
{
	const char *missing = misfs_missing();
	int rc = missing ? 0 : misfs_mount(&order);

	if (rc == -EPERM || rc == -ENODEV)
		missing = "FUSE can't be mounted here";
	if (missing) {
		print_message("%s\n", missing);
		skip();
	}
	assert_int_equal(rc, 0);
}

static int tidy_up(void **state)
{
	(void)state;
	misfs_unmount();
	for (int i = 0; *mounted && umount(mounted) && errno == EBUSY && i < 500; i++)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	*mounted = '\0';
	return loopdev_free(&disk);
}

static bool has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

/* One line that holds all these words, and status 2. */
static void check_refused(const char *const words[], const char *const arguments[])
{
	io_run(&o, arguments);
	bool all = o.p.status == 2 && !*o.p.out && !o.doc &&
		   strchr(o.p.err, '\n') == o.p.err + strlen(o.p.err) - 1;
	for (size_t i = 0; words[i]; i++)
		all &= has(o.p.err, words[i]);
	if (!all)
		fail_msg("status %d: %s%s", o.p.status, o.p.err, o.p.out);
	io_free(&o);
}
#define WORDS(...)          ((const char *const[]){__VA_ARGS__, NULL})
#define REFUSED(words, ...) check_refused(words, (const char *const[]){__VA_ARGS__, NULL})

static void check_good(void)
{
	if (o.p.status)
		fail_msg("status %d: %s", o.p.status, o.p.err);
	io_check_sums(o.doc);
	assert_true(io_count(o.doc, "summary.total.ios") > 0);
}
#define GOOD(...)                        \
	do {                             \
		IO_RUN(&o, __VA_ARGS__); \
		check_good();            \
		io_free(&o);             \
	} while (0)

static uint64_t errors(void)
{
	return io_count(o.doc, "summary.total.errors");
}

/* No IO that failed or came back short is in the figures. */
static void check_only_good_ios_count(uint64_t block)
{
	if (o.p.status != 1)
		fail_msg("status %d: %s", o.p.status, o.p.err);
	io_check_sums(o.doc);
	assert_true(errors() > 0);
	assert_int_equal(io_count(o.doc, "summary.total.bytes"),
			 io_count(o.doc, "summary.total.ios") * block);
}

/* --- O_DIRECT. --- */

/* sqliteai/warp #22 and #25: O_DIRECT is taken at open and refused at each transfer; what was measured then
 * was the speed of refusals, or the page cache: 44.67 GB/s over a link of 3.94. */
static void o_direct_that_is_taken_at_open_and_refused_at_transfer_is_told_at_once(void **state)
{
	struct misfs_io io[64];
	(void)state;
	misbehave((struct misfs_order){.size = 8 * MIB, .block = MISFS_REFUSE});
	REFUSED(WORDS(misfs_file(), "takes O_DIRECT", "refuses to read", "64 KiB", "--buffered"),
		misfs_file(), "--for", "1s");
	assert_true(misfs_ios(io, 64) < 16);
	GOOD(misfs_file(), "--buffered", "--for", "500ms");
	/* One that is made for the run is not left behind, nor written. */
	misfs_unmount();
	misbehave((struct misfs_order){.block = MISFS_REFUSE});
	REFUSED(WORDS(misfs_file(), "takes O_DIRECT"), misfs_file(), "--create", "4m", "--for",
		"1s");
}

/* Where nobody says how large a direct IO must be (FUSE, NFS), the first that goes through does. */
static void blocks_that_o_direct_is_too_large_for_are_refused_and_the_size_is_named(void **state)
{
	(void)state;
	misbehave((struct misfs_order){.size = 8 * MIB, .block = 16384});
	REFUSED(WORDS(misfs_file(), "block size 4096", "16384-byte blocks"), misfs_file(), "--for",
		"1s");
	REFUSED(WORDS(misfs_file(), "alignment 4096", "16384-byte blocks"), misfs_file(), "--block",
		"16k", "--align", "4k", "--for", "1s");
	GOOD(misfs_file(), "--block", "16k", "--for", "500ms");
	GOOD(misfs_file(), "--block", "48k", "--align", "16k", "--for", "500ms");
}

/* phoronix-test-suite #417 (11 GiB/s): ext4 with data=journal takes O_DIRECT and reads through the page cache
 * all the same. statx says so. */
static void o_direct_that_goes_through_the_page_cache_is_told(void **state)
{
	struct proc p;
	char file[PATH_MAX];
	(void)state;
	make_disk(64 * MIB, 0);
	PROC(&p, "mkfs.ext4", "-q", "-F", "-E", "nodiscard", disk.node);
	int made = p.status;
	proc_free(&p);
	snprintf(mounted, sizeof(mounted), "%s", scratch_path("journal"));
	assert_int_equal(mkdir(mounted, 0700), 0);
	if (made || mount(disk.node, mounted, "ext4", 0, "data=journal")) {
		*mounted = '\0';
		print_message("needs ext4 with data=journal\n");
		skip();
	}
	snprintf(file, sizeof(file), "%s/file", mounted);
	REFUSED(WORDS(file, "page cache", "--buffered"), file, "--create", "8m", "--for", "1s");
	assert_int_equal(access(file, F_OK), -1);
	GOOD(file, "--create", "8m", "--buffered", "--for", "500ms");
	REFUSED(WORDS(file, "page cache", "--buffered"), file, "--for", "1s");
}

/* --- Short transfers. --- */

/* Who takes any completion for a whole one counts bytes that nobody has moved. */
static void partial_reads_are_errors_and_never_good_ios(void **state)
{
	(void)state;
	misbehave((struct misfs_order){.size = 8 * MIB, .portion = 4096});
	static const char *const backends[] = {"libaio", "sync"};
	for (int i = 0; i < 2; i++) {
		IO_RUN(&o, misfs_file(), "--block", "8k", "--backend", backends[i], "--for",
		       "500ms");
		check_only_good_ios_count(8192);
		assert_int_equal(io_count(o.doc, "summary.total.ios"), 0);
		assert_true(has(o.p.err, "came back short: less was transferred than asked for"));
		io_free(&o);
	}
	/* What is not larger than the portion is whole. */
	GOOD(misfs_file(), "--for", "500ms");
}

/* By pwrite; of an asynchronous one the kernel itself makes EIO. */
static void partial_writes_are_errors_and_never_good_ios(void **state)
{
	static const char *const backend[] = {"sync", "libaio"};
	static const char *const words[] = {"came back short", "EIO"};
	(void)state;
	for (int i = 0; i < 2; i++) {
		misbehave((struct misfs_order){.portion = 4096});
		IO_RUN(&o, misfs_file(), "--create", "8m", "--block", "8k", "--read", "0",
		       "--backend", backend[i], "--for", "500ms");
		check_only_good_ios_count(8192);
		assert_int_equal(io_count(o.doc, "summary.write.ios"), 0);
		assert_int_equal(io_count(o.doc, "summary.write.errors"), errors());
		assert_true(has(o.p.err, words[i]));
		io_free(&o);
		misfs_unmount();
	}
}

/* A file whose size is a promise (a server's stale attributes, a broken image): behind its end reads give
 * nothing, very fast. */
static void reads_behind_the_end_of_a_file_that_says_more_are_errors(void **state)
{
	(void)state;
	misbehave((struct misfs_order){.size = 8 * MIB, .end = 4 * MIB});
	IO_RUN(&o, misfs_file(), "--for", "1s");
	check_only_good_ios_count(4096);
	assert_true(io_count(o.doc, "summary.read.ios") > 0);
	assert_true(has(o.p.err, "came back short"));
	/* It still says that it has its size. */
	assert_false(has(o.p.err, "shrunk"));
	io_free(&o);
	GOOD(misfs_file(), "--range", "0:4m", "--for", "500ms");
}

/* --- Sizes that change. --- */

/* A run that is going on; then what is given is done to the target, and it has a while to notice. */
static void start_run(struct proc *p, const char *const more[])
{
	const char *argv[24] = {
		lunscope_path(), "run", "--no-store", "--json", scratch_path("device.json"),
		"--for",         "100s"};

	for (size_t i = 0; more[i]; i++)
		argv[i + 7] = more[i];
	assert_int_equal(proc_start(p, argv, NULL), 0);
	nanosleep(&(struct timespec){1, 500000000}, NULL);
}
#define START_RUN(p, ...) start_run(p, (const char *const[]){__VA_ARGS__, NULL})

/* Lets the run notice, ends it, and takes it for an outcome. */
static void end_run(struct proc *p)
{
	nanosleep(&(struct timespec){2, 500000000}, NULL);
	kill(p->pid, SIGINT);
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
	assert_int_equal(o.p.status, 128 + SIGINT);
	assert_true(io_count(o.doc, "summary.read.ios") > 0);
	assert_true(errors() > 0);
	assert_int_equal(io_count(o.doc, "summary.read.bytes"),
			 io_count(o.doc, "summary.read.ios") * 4096);
	assert_true(has(o.p.err, words) && has(o.p.err, "behind its end fail"));
	assert_true(marked(words));
	assert_true(io_count(json_array_get(json_object_get(o.doc, "samples"),
					    json_array_size(json_object_get(o.doc, "samples")) - 1),
			     "read.ios") > 0);
	io_free(&o);
}

/* A LUN that is made smaller, an iSCSI target that comes back with another one: a tool that asked for the
 * size once goes on with an IO rate of which half is nothing. */
static void a_device_that_shrinks_under_the_run_is_told(void **state)
{
	struct proc p;
	(void)state;
	make_disk(32 * MIB, 0);
	START_RUN(&p, disk.node);
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
	START_RUN(&p, file);
	assert_int_equal(truncate(file, 3 * MIB), 0);
	end_run(&p);
	check_shrunk("has shrunk from 8 MiB to 3 MiB");
}

/* Only the file behind it has gone: the device is as large as ever, and its IOs fail. */
static void a_device_whose_backing_is_cut_off_fails_and_has_not_shrunk(void **state)
{
	struct proc p;
	(void)state;
	make_disk(32 * MIB, 0);
	START_RUN(&p, disk.node);
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
	make_disk(32 * MIB, 0);
	ask_for_id(id, sizeof(id));
	START_RUN(&p, disk.node, "--read", "0", "--write", "--destroy", "--i-own", id);
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
	make_disk(16 * MIB, 4096);
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
	make_disk(64 * MIB, 4096);
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

/* --- Replay. --- */

#define REPLAY 20000

static size_t replay(const char *seed, struct misfs_io *io)
{
	misbehave((struct misfs_order){0});
	IO_RUN(&o, misfs_file(), "--create", "8m", "--read", "70", "--random", "80",
	       "--outstanding", "1", "--seed", seed, "--for", "1s");
	check_good();
	io_free(&o);
	size_t n = misfs_ios(io, REPLAY);
	misfs_unmount();
	return n;
}

static size_t same(const struct misfs_io *a, size_t n, const struct misfs_io *b, size_t m)
{
	size_t i = 0;

	while (i < n && i < m && a[i].write == b[i].write && a[i].size == b[i].size &&
	       a[i].offset == b[i].offset)
		i++;
	return i;
}

/* What reached the file system, the first time and the second. */
static void the_same_seed_brings_the_same_ios_to_the_target(void **state)
{
	struct misfs_io *a = calloc(REPLAY, sizeof(*a)), *b = calloc(REPLAY, sizeof(*b));
	(void)state;
	size_t n = replay("7", a), m = replay("7", b), least = n < m ? n : m;
	assert_true(least > 50);
	assert_int_equal(same(a, n, b, m), least);
	m = replay("8", b);
	/* The first one is the proof of O_DIRECT. */
	assert_true(same(a, n, b, m) < 10);
	free(a);
	free(b);
}

/* --- The depth. --- */

/* Iometer on Linux, fio with psync (#1388) and elbencho (#36) show a depth that they don't reach. */
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
	check_good();
	assert_true(io_number(o.doc, "summary.depth_requested") == 2);
	assert_true(io_number(o.doc, "summary.depth_achieved") <= 2.001);
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
	if (o.p.status != 1 || !has(o.p.err, "2 IOs never came back and are not in the figures") ||
	    !has(o.p.err, "the oldest has been out for "))
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
		DEVICE_TEST(o_direct_that_is_taken_at_open_and_refused_at_transfer_is_told_at_once),
		DEVICE_TEST(
			blocks_that_o_direct_is_too_large_for_are_refused_and_the_size_is_named),
		DEVICE_TEST(o_direct_that_goes_through_the_page_cache_is_told),
		DEVICE_TEST(partial_reads_are_errors_and_never_good_ios),
		DEVICE_TEST(partial_writes_are_errors_and_never_good_ios),
		DEVICE_TEST(reads_behind_the_end_of_a_file_that_says_more_are_errors),
		DEVICE_TEST(a_device_that_shrinks_under_the_run_is_told),
		DEVICE_TEST(a_file_that_is_truncated_under_the_run_is_told),
		DEVICE_TEST(a_device_whose_backing_is_cut_off_fails_and_has_not_shrunk),
		DEVICE_TEST(writing_stops_when_the_device_shrinks),
		DEVICE_TEST(a_block_larger_than_the_range_is_refused_with_the_sum_and_the_remedy),
		DEVICE_TEST(smaller_blocks_than_a_4kn_disk_s_are_refused_and_its_own_go_through),
		DEVICE_TEST(a_file_on_a_4kn_disk_has_its_blocks),
		DEVICE_TEST(the_same_seed_brings_the_same_ios_to_the_target),
		DEVICE_TEST(an_engine_that_does_not_queue_shows_depth_1),
		DEVICE_TEST(a_latency_of_18_s_is_told_as_one),
	};
	return cmocka_run_group_tests(tests, private_mounts, NULL);
}
