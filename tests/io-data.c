/* io-data.c - what the real program leaves on a file: how far gzip gets with it, how many of its pieces
 * are different, and what a change of the data while it writes does.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "data.h"
#include "engine.h"
#include "tests/io.h"
#include "tests/scratch.h"
#include "units.h"

#define SIZE     (16 * MIB)
#define PIECES   (SIZE / DATA_PIECE)
#define SECTORS  (SIZE / DATA_SECTOR)
#define MORE_MAX 24

static uint8_t *content;

static const uint8_t *load(const char *path)
{
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	assert_int_equal(fread(content, 1, SIZE, f), SIZE);
	assert_int_equal(fgetc(f), EOF);
	fclose(f);
	return content;
}

/* Makes the file, and writes it from end to end more than once with these options. */
static const char *written(const char *name, const char *const more[])
{
	static const char *const seconds[] = {"300ms", "2s", "10s", "30s"};
	const char *path = scratch_path(name);

	for (int i = 0; i < 4; i++) {
		const char *a[16 + MORE_MAX] = {path,     "--create", "16m",      "--write",
						"--read", "0",        "--random", "0",
						"--for",  seconds[i], "--whole"};
		struct outcome o;
		size_t n = 11;

		for (size_t k = 0; more[k] && k < MORE_MAX; k++)
			a[n++] = more[k];
		unlink(path);
		io_run(&o, a);
		if (o.p.status)
			fail_msg("%s", o.p.err);
		uint64_t bytes = io_count(o.doc, "summary.write.bytes");
		io_free(&o);
		/* A half more than the file holds: the last IOs may come back in any order. */
		if (bytes >= SIZE + SIZE / 2)
			return path;
	}
	print_message("the disk is too slow for this test\n");
	skip();
	return path;
}
#define WRITTEN(name, ...) written(name, (const char *const[]){__VA_ARGS__, NULL})

/* What gzip makes of it, as a share of its size. */
static double packed(const char *path)
{
	struct proc p;
	char command[512];

	snprintf(command, sizeof(command), "gzip -c '%s' | wc -c", path);
	assert_int_equal(PROC(&p, "sh", "-c", command), 0);
	assert_int_equal(p.status, 0);
	double share = strtod(p.out, NULL) / SIZE;
	proc_free(&p);
	assert_true(share > 0);
	return share;
}

static uint64_t hash(const uint8_t *at, size_t n)
{
	uint64_t h = 0xcbf29ce484222325ull, v;

	for (size_t i = 0; i < n; i += sizeof(v)) {
		memcpy(&v, at + i, sizeof(v));
		h = (h ^ v) * 0x100000001b3ull;
		h ^= h >> 29;
	}
	return h;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* How many of the pieces of the files are different. */
static size_t different(const char *const paths[], size_t piece)
{
	size_t n = 0, different_ones = 0;
	uint64_t *v = malloc(2 * SECTORS * sizeof(*v));

	assert_non_null(v);
	for (int i = 0; paths[i]; i++) {
		const uint8_t *at = load(paths[i]);
		for (size_t k = 0; k < SIZE / piece; k++)
			v[n++] = hash(at + k * piece, piece);
	}
	qsort(v, n, sizeof(*v), by_value);
	for (size_t i = 0; i < n; i++)
		different_ones += i == 0 || v[i] != v[i - 1];
	free(v);
	return different_ones;
}
#define DIFFERENT(piece, ...) different((const char *const[]){__VA_ARGS__, NULL}, piece)

static void check_fresh(const char *path)
{
	double share = packed(path);

	if (share < 0.999)
		fail_msg("gzip made %.2f %% of it", share * 100);
	assert_int_equal(DIFFERENT(DATA_SECTOR, path), SECTORS);
	unlink(path);
}

static void by_default_nothing_compresses_and_nothing_repeats(void **state)
{
	(void)state;
	check_fresh(WRITTEN("few", "--outstanding", "1"));
	check_fresh(WRITTEN("many", "--workers", "3", "--outstanding", "16"));
	check_fresh(WRITTEN("one", "--backend", "sync", "--outstanding", "1", "--block", "64k"));
	check_fresh(WRITTEN("odd", "--block", "12k"));
	check_fresh(WRITTEN("small", "--block", "512", "--buffered", "--outstanding", "1"));
}

static void a_file_that_was_made_to_be_read_is_no_easier(void **state)
{
	const char *path = scratch_path("made");
	struct outcome o;

	(void)state;
	IO_RUN(&o, path, "--create", "16m", "--for", "50ms");
	if (o.p.status)
		fail_msg("%s", o.p.err);
	io_free(&o);
	check_fresh(path);
}

static void two_runs_with_one_seed_write_different_data(void **state)
{
	char first[512];

	(void)state;
	snprintf(first, sizeof(first), "%s", WRITTEN("first", "--seed", "7"));
	const char *second = WRITTEN("second", "--seed", "7");
	assert_int_equal(DIFFERENT(DATA_SECTOR, first, second), 2 * SECTORS);
	unlink(first);
	unlink(second);
}

static void check_packs_to(const char *path, double least, double most)
{
	double share = packed(path);

	if (share < least || share > most)
		fail_msg("gzip made %.2f %% of it, not %.0f to %.0f", share * 100, least * 100,
			 most * 100);
}

/* gzip cannot get below what is random, and says in a few bytes where each stretch of zeroes is. */
static void compression_follows_its_dial(void **state)
{
	(void)state;
	check_packs_to(WRITTEN("c25", "--compress", "25"), 0.75, 0.78);
	check_packs_to(WRITTEN("c50", "--compress", "50", "--block", "64k"), 0.5, 0.53);
	check_packs_to(WRITTEN("c80", "--compress", "80%", "--workers", "2"), 0.2, 0.225);
	const char *path = WRITTEN("c100", "--compress", "100");
	load(path);
	for (size_t i = 0; i < SIZE; i++)
		assert_int_equal(content[i], 0);
}

static void check_duplicates(const char *path, double percent)
{
	double p = percent / 100, want = PIECES * (1 - p) + DATA_COPIES;
	double got = (double)DIFFERENT(DATA_PIECE, path);

	/* The number of duplicates is binomial; each run has other ones, so: five sigma. */
	if (fabs(got - want) > 5 * sqrt(PIECES * p * (1 - p)))
		fail_msg("%.0f pieces of %.0f are different, not %.0f", got, (double)PIECES, want);
	unlink(path);
}

static void duplicates_follow_their_dial(void **state)
{
	(void)state;
	check_duplicates(WRITTEN("d30", "--dedupe", "30"), 30);
	/* Of all workers, the same pieces. */
	check_duplicates(WRITTEN("d70", "--dedupe", "70", "--workers", "4", "--block", "32k"), 70);
	const char *both = WRITTEN("both", "--dedupe", "50", "--compress", "60");
	load(both);
	for (size_t i = 0; i < SIZE; i += DATA_SECTOR)
		for (size_t k = 205; k < DATA_SECTOR; k++) /* 40 % of 512 and on */
			assert_int_equal(content[i + k], 0);
	check_duplicates(both, 50);
}

static void a_word_fills_the_file(void **state)
{
	static const uint8_t word[] = {0xde, 0xad, 0xbe, 0xef};
	const size_t block = 6 * KIB;

	(void)state;
	load(WRITTEN("word", "--data", "hex:DEADBEEF", "--block", "6k"));
	/* The file does not end with a block: the rest is as it was. */
	for (size_t i = 0; i < SIZE / block * block; i++)
		if (content[i] != word[i % 4])
			fail_msg("%02x at %zu", content[i], i);
}

static void a_word_and_a_dial_exclude_each_other(void **state)
{
	struct outcome o;

	(void)state;
	IO_RUN(&o, "null:", "--for", "50ms", "--read", "0", "--data", "zero", "--dedupe", "20");
	assert_int_equal(o.p.status, 2);
	assert_non_null(strstr(o.p.err, "dedupe 20 % needs random data, and data is zero: "
					"set data random, or dedupe 0"));
	io_free(&o);
	IO_RUN(&o, "null:", "--for", "50ms", "--read", "0", "--data", "zeroes");
	assert_int_equal(o.p.status, 2);
	assert_non_null(strstr(o.p.err, "data 'zeroes': write random, zero, ones"));
	io_free(&o);
}

static void a_file_that_is_made_is_full_of_what_writes_carry(void **state)
{
	struct outcome o;
	const char *path = scratch_path("made");

	(void)state;
	IO_RUN(&o, path, "--create", "1m", "--data", "aa55", "--for", "50ms");
	assert_int_equal(o.p.status, 0);
	io_free(&o);
	FILE *f = fopen(path, "r");
	uint8_t word[2];
	size_t words = 0;
	assert_non_null(f);
	for (; fread(word, sizeof(word), 1, f) == 1; words++)
		assert_true(word[0] == 0xaa && word[1] == 0x55);
	fclose(f);
	assert_int_equal(words, (1 << 20) / 2);
}

/* --- While it writes. --- */

static struct engine *engine;

/* Until so many bytes more have been written after every IO of older generations came back. */
static void write_more(uint64_t bytes)
{
	static struct engine_counters c;
	double limit = proc_now() + proc_patience();
	uint64_t from = UINT64_MAX;

	do {
		nanosleep(&(struct timespec){0, 2000000}, NULL);
		engine_tick(engine);
		engine_collect(engine, &c);
		if (from == UINT64_MAX && c.settled == c.generation)
			from = c.op[IO_WRITE].bytes;
	} while ((from == UINT64_MAX || c.op[IO_WRITE].bytes < from + bytes) && proc_now() < limit);
	if (from == UINT64_MAX || c.op[IO_WRITE].bytes < from + bytes) {
		engine_stop(engine, 10 * NS_PER_SEC);
		print_message("the disk is too slow for this test\n");
		skip();
	}
}

static void apply(const struct workload *w)
{
	struct error e;

	if (engine_apply(engine, w, NULL, &e))
		fail_msg("%s", e.text);
}

static void a_change_while_it_writes_holds_for_every_write_from_then_on(void **state)
{
	struct target_options how = {.create_size = SIZE};
	struct workload w = workload_default();
	const char *path = scratch_path("live");
	struct target t;
	struct error e;

	(void)state;
	w.read_pct = w.random_pct = 0;
	w.outstanding = 16;
	if (target_open(&t, path, &how, &e) || engine_create(&engine, &t, &w, &e))
		fail_msg("%s", e.text);
	write_more(SIZE / 2);
	w.data = (struct data){.kind = DATA_WORD, .word_bytes = 1};
	apply(&w);
	write_more(SIZE + SIZE / 2);
	w.paused = true; /* nothing in flight, then look */
	apply(&w);
	write_more(0);
	load(path);
	for (size_t i = 0; i < SIZE; i++)
		if (content[i])
			fail_msg("%02x at %zu", content[i], i);
	w.paused = false;
	w.data = (struct data){.compress = 50};
	apply(&w);
	write_more(SIZE + SIZE / 2);
	engine_stop(engine, 10 * NS_PER_SEC);
	engine_destroy(engine);
	target_close(&t);
	check_packs_to(path, 0.5, 0.53);
	assert_int_equal(DIFFERENT(DATA_SECTOR, path), SECTORS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_default_nothing_compresses_and_nothing_repeats),
		cmocka_unit_test(a_file_that_was_made_to_be_read_is_no_easier),
		cmocka_unit_test(two_runs_with_one_seed_write_different_data),
		cmocka_unit_test(compression_follows_its_dial),
		cmocka_unit_test(duplicates_follow_their_dial),
		cmocka_unit_test(a_word_fills_the_file),
		cmocka_unit_test(a_file_that_is_made_is_full_of_what_writes_carry),
		cmocka_unit_test(a_word_and_a_dial_exclude_each_other),
		cmocka_unit_test(a_change_while_it_writes_holds_for_every_write_from_then_on),
	};

	content = malloc(SIZE);
	int failed = content ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
	free(content);
	return failed;
}
