/* right-transfer.c - the real program on files whose transfers are not what open and stat have
 * promised: each test is named after the fault and says who has it. They lie on ext4, and on a
 * file system that misbehaves to order (misfs.h).
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

/* sqliteai/warp #22 and #25: O_DIRECT is taken at open and refused at each transfer; what was
 * measured then was the speed of refusals, or the page cache: 44.67 GB/s over a link of 3.94. */
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

/* phoronix-test-suite #417 (11 GiB/s): ext4 with data=journal takes O_DIRECT and reads through
 * the page cache all the same. statx says so. */
static void o_direct_that_goes_through_the_page_cache_is_told(void **state)
{
	struct proc p;
	char file[PATH_MAX];
	(void)state;
	loopdev_need(&disk, 64 * MIB, 0);
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

/* A file whose size is a promise (a server's stale attributes, a broken image): behind its end
 * reads give nothing, very fast. */
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

/* --- Replay. --- */

#define REPLAY 20000

static size_t replay(const char *seed, struct misfs_io *io)
{
	misbehave((struct misfs_order){0});
	IO_RUN(&o, misfs_file(), "--create", "8m", "--read", "70", "--random", "80",
	       "--outstanding", "1", "--seed", seed, "--for", "1s");
	io_expect_good(&o);
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

#define TRANSFER_TEST(f) cmocka_unit_test_teardown(f, tidy_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TRANSFER_TEST(
			o_direct_that_is_taken_at_open_and_refused_at_transfer_is_told_at_once),
		TRANSFER_TEST(
			blocks_that_o_direct_is_too_large_for_are_refused_and_the_size_is_named),
		TRANSFER_TEST(o_direct_that_goes_through_the_page_cache_is_told),
		TRANSFER_TEST(partial_reads_are_errors_and_never_good_ios),
		TRANSFER_TEST(partial_writes_are_errors_and_never_good_ios),
		TRANSFER_TEST(reads_behind_the_end_of_a_file_that_says_more_are_errors),
		TRANSFER_TEST(the_same_seed_brings_the_same_ios_to_the_target),
	};
	return cmocka_run_group_tests(tests, private_mounts, NULL);
}
