/* io-kernel.c - lunscope's figures against the kernel's own count of the same IO.
 *
 * Fields of /sys/block/DEVICE/stat: Documentation/block/stat.rst in the kernel. The kernel counts
 * requests: neighbours that were merged into one are counted as merges, and an IO larger than what a
 * request holds (max_sectors_kb, max_segments; so it depends on how the buffer lies in memory) is
 * split, each piece being counted. So counts are compared to the last one for IOs of at most 64 KiB,
 * bytes always.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "config.h"
#include "tests/io.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"

#define DISK (64u << 20)

struct direction {
	uint64_t ios, merged, sectors, ms;
};

struct kernel {
	struct direction read, write;
};

/* Whoever lists block devices (another test, udev) reads this one too. So a run in which the kernel has
 * seen more than ours is repeated: what is wrong with our count would be wrong each time. */
#define TRIES 5

static struct loopdev disk = {.number = -1};

static struct kernel look(void)
{
	char path[64];
	uint64_t v[8];
	snprintf(path, sizeof(path), "/sys/block/%s/stat", disk.name);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	for (int i = 0; i < 8; i++)
		assert_int_equal(fscanf(f, "%" SCNu64, &v[i]), 1);
	fclose(f);
	return (struct kernel){{v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7]}};
}

static struct direction since(struct direction now, struct direction then)
{
	return (struct direction){now.ios - then.ios, now.merged - then.merged,
				  now.sectors - then.sectors, now.ms - then.ms};
}

static void make_disk(const struct loopdev_options *o)
{
	if (loopdev_missing()) {
		print_message("%s\n", loopdev_missing());
		skip();
	}
	assert_int_equal(loopdev_make(&disk, "disk", DISK, o), 0);
}

static int free_disk(void **state)
{
	(void)state;
	return loopdev_free(&disk);
}

/* Whether somebody else's IO is among what the kernel has seen. */
static bool disturbed(const json_t *doc, const char *op, struct direction k)
{
	char path[64];
	snprintf(path, sizeof(path), "summary.%s.bytes", op);
	return k.sectors * 512 > io_count(doc, path);
}

/* Counts and bytes to the last one; the kernel sees an IO later and is rid of it sooner than we. */
static void check_direction(const json_t *doc, const char *op, struct direction k, bool whole)
{
	char path[64];
	snprintf(path, sizeof(path), "summary.%s.bytes", op);
	assert_int_equal(k.sectors * 512, io_count(doc, path));
	snprintf(path, sizeof(path), "summary.%s.ios", op);
	if (!whole) {
		assert_true(k.ios + k.merged > io_count(doc, path));
		return;
	}
	assert_int_equal(k.ios + k.merged, io_count(doc, path));
	snprintf(path, sizeof(path), "histograms.%s.sum_ns", op);
	assert_true(k.ms <= io_count(doc, path) / 1000000 + 1);
}

/* A reading run; false when it was disturbed. */
static bool try_reads(const char *const arguments[], bool whole, bool last)
{
	struct outcome o;
	struct kernel before = look();
	io_run(&o, arguments);
	struct kernel after = look();
	struct direction k = since(after.read, before.read);
	if (o.p.status)
		fail_msg("%s", o.p.err);
	io_check_sums(o.doc);
	assert_true(io_count(o.doc, "summary.read.ios") > 0);
	assert_int_equal(io_count(o.doc, "summary.write.ios"), 0);
	assert_int_equal(after.write.ios, before.write.ios);
	bool good = last || !disturbed(o.doc, "read", k);
	if (good)
		check_direction(o.doc, "read", k, whole);
	io_free(&o);
	return good;
}

static void check_reads(const char *block, const char *outstanding, const char *random,
			const char *workers, bool whole)
{
	const char *const arguments[] = {disk.node,   "--block",  block,  "--outstanding",
					 outstanding, "--random", random, "--workers",
					 workers,     "--for",    "2s",   NULL};
	for (int i = 1; !try_reads(arguments, whole, i == TRIES); i++)
		;
}

static void random_4k_reads_at_depth_1_are_the_kernel_s(void **state)
{
	(void)state;
	make_disk(NULL);
	check_reads("4k", "1", "100", "1", true);
}

static void random_4k_reads_at_depth_32_are_the_kernel_s(void **state)
{
	(void)state;
	make_disk(&(struct loopdev_options){.direct = true});
	check_reads("4k", "32", "100", "1", true);
	check_reads("4k", "32", "100", "4", true);
}

static void sequential_64k_reads_are_the_kernel_s_with_its_merges(void **state)
{
	(void)state;
	make_disk(&(struct loopdev_options){.direct = true});
	check_reads("64k", "8", "0", "1", true);
	check_reads("64k", "4", "30", "3", true);
}

static void sectors_of_512_bytes_are_the_kernel_s(void **state)
{
	(void)state;
	make_disk(NULL);
	check_reads("512", "16", "50", "2", true);
}

static void sectors_of_4096_bytes_are_the_kernel_s(void **state)
{
	(void)state;
	make_disk(&(struct loopdev_options){.sector = 4096});
	check_reads("8k", "4", "100", "2", true);
}

static void ios_that_the_kernel_splits_are_counted_once(void **state)
{
	char path[64];
	unsigned kib = 0;
	(void)state;
	make_disk(NULL);
	snprintf(path, sizeof(path), "/sys/block/%s/queue/max_sectors_kb", disk.name);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%u", &kib), 1);
	fclose(f);
	assert_true(kib >= 64 && kib < 20000);
	char block[32];
	snprintf(block, sizeof(block), "%uk", kib * 3);
	check_reads(block, "1", "100", "1", false);
}

static void the_sync_backend_s_reads_are_the_kernel_s(void **state)
{
	const char *const arguments[] = {disk.node, "--backend", "sync", "--outstanding",
					 "1",       "--workers", "2",    "--for",
					 "1s",      NULL};
	(void)state;
	make_disk(NULL);
	for (int i = 1; !try_reads(arguments, true, i == TRIES); i++)
		;
}

static void io_uring_s_reads_are_the_kernel_s(void **state)
{
	const char *const arguments[] = {disk.node, "--backend", "io_uring", "--outstanding",
					 "32",      "--workers", "2",        "--for",
					 "1s",      NULL};
	(void)state;
#ifndef HAVE_URING
	print_message("this build has no io_uring backend\n");
	skip();
#endif
	make_disk(&(struct loopdev_options){.direct = true});
	for (int i = 1; !try_reads(arguments, true, i == TRIES); i++)
		;
}

/* What a run's ID has to say comes from the refusal itself: --i-own 'ID'. */
static void ask_for_id(char *id, size_t n)
{
	struct proc p;
	PROC(&p, lunscope_path(), "run", disk.node, "--read", "0", "--write", "--for", "1s",
	     "--no-store");
	assert_int_equal(p.status, 3);
	char *at = strstr(p.err, "--i-own '");
	assert_non_null(at);
	snprintf(id, n, "%.*s", (int)strcspn(at + 9, "'"), at + 9);
	proc_free(&p);
}

/* A writing run; returns how many reads the kernel saw that were not the workload's. */
static uint64_t check_writes(const char *id, const char *block, const char *read,
			     const char *random, const char *outstanding)
{
	struct outcome o;
	struct kernel before = look();
	IO_RUN(&o, disk.node, "--block", block, "--outstanding", outstanding, "--read", read,
	       "--random", random, "--for", "2s", "--write", "--destroy", "--i-own", id);
	struct kernel after = look();
	if (o.p.status)
		fail_msg("%s", o.p.err);
	io_check_sums(o.doc);
	assert_true(io_count(o.doc, "summary.write.ios") > 0);
	assert_int_equal(io_count(o.doc, "summary.read.ios") > 0, read[0] != '0');
	check_direction(o.doc, "write", since(after.write, before.write), true);
	struct direction r = since(after.read, before.read);
	uint64_t ours = io_count(o.doc, "summary.read.ios");
	assert_true(r.ios + r.merged >= ours);
	io_free(&o);
	return r.ios + r.merged - ours;
}

static void writes_and_mixed_io_are_the_kernel_s(void **state)
{
	char id[256];
	(void)state;
	make_disk(NULL);
	ask_for_id(id, sizeof(id));
	/* The guard reads the device too, before it lets anything write: always the same. So reads
	 * of a mixed workload are told from it by a run that only writes. */
	for (int i = 1; i <= TRIES; i++) {
		uint64_t guard_s = check_writes(id, "4k", "0", "100", "1");
		uint64_t also = check_writes(id, "4k", "0", "100", "32");
		also += check_writes(id, "64k", "0", "0", "8");
		also += check_writes(id, "4k", "70", "100", "16");
		/* Where udev is, it looks at the device each time after the writer has gone. */
		if (also == 3 * guard_s || !access("/run/udev/control", F_OK))
			return;
	}
	fail_msg("the kernel counts other reads than ours");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(random_4k_reads_at_depth_1_are_the_kernel_s, free_disk),
		cmocka_unit_test_teardown(random_4k_reads_at_depth_32_are_the_kernel_s, free_disk),
		cmocka_unit_test_teardown(sequential_64k_reads_are_the_kernel_s_with_its_merges,
					  free_disk),
		cmocka_unit_test_teardown(sectors_of_512_bytes_are_the_kernel_s, free_disk),
		cmocka_unit_test_teardown(sectors_of_4096_bytes_are_the_kernel_s, free_disk),
		cmocka_unit_test_teardown(ios_that_the_kernel_splits_are_counted_once, free_disk),
		cmocka_unit_test_teardown(the_sync_backend_s_reads_are_the_kernel_s, free_disk),
		cmocka_unit_test_teardown(io_uring_s_reads_are_the_kernel_s, free_disk),
		cmocka_unit_test_teardown(writes_and_mixed_io_are_the_kernel_s, free_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
