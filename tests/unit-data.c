/* unit-data.c - what writes carry: nothing comes twice unless it was asked for, dials are exact, words are
 * exact, and blocks of any size are filled to their end.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "data.h"

#define BLOCK_ROOM (128u << 10)
#define RUN        4711u

static struct data_filler filler[3];
static uint8_t block[BLOCK_ROOM] __attribute__((aligned(64)));

static const struct data random_data = {.kind = DATA_RANDOM};

static void begin(unsigned i, struct data d)
{
	data_filler_init(&filler[i], RUN, i);
	data_filler_take_up(&filler[i], &d);
}

/* --- Counting what is there twice. --- */

static uint64_t *seen;
static size_t seen_count, seen_room;

static void see(uint64_t v)
{
	if (seen_count == seen_room) {
		seen_room = seen_room ? seen_room * 2 : 4096;
		seen = realloc(seen, seen_room * sizeof(*seen));
		assert_non_null(seen);
	}
	seen[seen_count++] = v;
}

/* FNV-1a, 64 bits, over words: Fowler, Noll, Vo. */
static void see_bytes(const uint8_t *at, size_t n)
{
	uint64_t h = 0xcbf29ce484222325ull, v;

	for (size_t i = 0; i < n; i += sizeof(v)) {
		memcpy(&v, at + i, sizeof(v));
		h = (h ^ v) * 0x100000001b3ull;
		h ^= h >> 29;
	}
	see(h);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* How many different ones were seen; forgets them. */
static size_t different(void)
{
	size_t n = 0;

	qsort(seen, seen_count, sizeof(*seen), by_value);
	for (size_t i = 0; i < seen_count; i++)
		n += i == 0 || seen[i] != seen[i - 1];
	seen_count = 0;
	return n;
}

static void see_pieces(struct data_filler *f, unsigned fills, uint32_t bytes, uint32_t piece)
{
	for (unsigned i = 0; i < fills; i++) {
		data_fill(f, block, bytes);
		for (uint32_t at = 0; at + piece <= bytes; at += piece)
			see_bytes(block + at, piece);
	}
}

/* --- Nothing comes twice. --- */

static void no_two_sectors_of_a_run_are_equal(void **state)
{
	static const uint32_t bytes[] = {512, 4096, 6144, 65536, 1536, 4608};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		begin(i, random_data);
		for (unsigned b = 0; b < 6; b++)
			see_pieces(&filler[i], 500, bytes[b], DATA_SECTOR);
	}
	/* A change of the data and back begins nothing anew. */
	data_filler_take_up(&filler[0], &(struct data){.compress = 50});
	data_filler_take_up(&filler[0], &random_data);
	see_pieces(&filler[0], 500, 4096, DATA_SECTOR);
	assert_int_equal(seen_count, 3 * 500 * (1 + 8 + 12 + 128 + 3 + 9) + 500 * 8);
	size_t all = seen_count;
	assert_int_equal(different(), all);
}

static void no_two_sectors_are_equal_with_most_of_them_zero(void **state)
{
	(void)state;
	begin(0, (struct data){.compress = 98});
	begin(1, (struct data){.compress = 98});
	see_pieces(&filler[0], 5000, 4096, DATA_SECTOR);
	see_pieces(&filler[1], 5000, 4096, DATA_SECTOR);
	size_t all = seen_count;
	assert_int_equal(different(), all);
}

/* Whatever a compressor's window: at no offset do 8 bytes stand that stood anywhere before. */
static void eight_bytes_never_stand_twice_in_what_one_buffer_carries(void **state)
{
	static uint8_t tape[1u << 20];

	(void)state;
	begin(0, random_data);
	for (uint32_t at = 0; at < sizeof(tape); at += 4096) {
		data_fill(&filler[0], block, 4096);
		memcpy(tape + at, block, 4096);
	}
	for (size_t i = 0; i + 8 <= sizeof(tape); i++) {
		uint64_t v;
		memcpy(&v, tape + i, 8);
		see(v);
	}
	size_t all = seen_count;
	assert_int_equal(different(), all);
}

static void random_data_use_every_byte_equally(void **state)
{
	uint64_t count[256] = {0}, n = 0;
	double chi2 = 0;

	(void)state;
	begin(0, random_data);
	for (int i = 0; i < 256; i++) {
		data_fill(&filler[0], block, 4096);
		for (unsigned k = 0; k < 4096; k++, n++)
			count[block[k]]++;
	}
	for (int i = 0; i < 256; i++)
		chi2 += pow((double)count[i] - (double)n / 256, 2) / ((double)n / 256);
	/* 255 degrees of freedom: beyond 400 lies one case in 10^8. */
	if (chi2 > 400)
		fail_msg("chi-squared is %.0f", chi2);
}

static void two_runs_have_nothing_in_common(void **state)
{
	static const struct data copies = {.dedupe = 100};

	(void)state;
	assert_true(data_new_run() != data_new_run());
	for (unsigned i = 0; i < 2; i++) {
		data_filler_init(&filler[i], RUN + i, 0);
		see_pieces(&filler[i], 1000, 4096, DATA_SECTOR);
	}
	size_t all = seen_count;
	assert_int_equal(different(), all);
	for (unsigned i = 0; i < 2; i++) {
		data_filler_take_up(&filler[i], &copies);
		see_pieces(&filler[i], 10 * DATA_COPIES, 4096, DATA_PIECE);
	}
	assert_int_equal(different(), 2 * DATA_COPIES);
}

/* --- Blocks of any size. --- */

static void a_block_is_filled_to_its_last_byte_and_no_further_than_its_sector(void **state)
{
	static const uint32_t bytes[] = {1,    8,    500,  512,  520,  1024, 1000,
					 3584, 4096, 4097, 4608, 6144, 65536};

	(void)state;
	begin(0, (struct data){.kind = DATA_WORD, .word = 0xff, .word_bytes = 1});
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		uint32_t end = (bytes[i] + DATA_SECTOR - 1) / DATA_SECTOR * DATA_SECTOR;

		memset(block, 0, sizeof(block));
		data_fill(&filler[0], block, bytes[i]);
		for (uint32_t at = 0; at < bytes[i]; at++)
			assert_int_equal(block[at], 0xff);
		for (uint32_t at = end; at < sizeof(block); at++)
			assert_int_equal(block[at], 0);
	}
}

static void a_word_stands_there_again_and_again(void **state)
{
	static const struct {
		struct data d;
		const char *bytes;
		unsigned n;
	} words[] = {
		{{.kind = DATA_WORD, .word = 0, .word_bytes = 1}, "\0", 1},
		{{.kind = DATA_WORD, .word = 0xa5, .word_bytes = 1}, "\xa5", 1},
		{{.kind = DATA_WORD, .word = 0xaa55, .word_bytes = 2}, "\xaa\x55", 2},
		{{.kind = DATA_WORD, .word = 0xdeadbeef, .word_bytes = 4}, "\xde\xad\xbe\xef", 4},
		{{.kind = DATA_WORD, .word = 0x0123456789abcdef, .word_bytes = 8},
		 "\x01\x23\x45\x67\x89\xab\xcd\xef",
		 8},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		begin(0, words[i].d);
		memset(block, 0x11, sizeof(block));
		data_fill(&filler[0], block, 6144);
		for (uint32_t at = 0; at < 6144; at++)
			assert_int_equal(block[at], (uint8_t)words[i].bytes[at % words[i].n]);
	}
}

static void new_settings_hold_from_the_next_block_on(void **state)
{
	(void)state;
	begin(0, (struct data){.kind = DATA_WORD, .word = 0xff, .word_bytes = 1});
	data_fill(&filler[0], block, 4096);
	data_filler_take_up(&filler[0], &(struct data){.compress = 100});
	data_fill(&filler[0], block, 4096);
	for (uint32_t at = 0; at < 4096; at++)
		assert_int_equal(block[at], 0);
	data_filler_take_up(&filler[0], &random_data);
	data_fill(&filler[0], block, 4096);
	see_bytes(block, 4096);
	begin(1, random_data);
	data_fill(&filler[1], block, 4096);
	see_bytes(block, 4096);
	assert_int_equal(different(), 2);
}

/* --- The dials. --- */

/* Zeroes at the end of a sector. */
static unsigned tail(const uint8_t *sector)
{
	unsigned n = 0;

	while (n < DATA_SECTOR && sector[DATA_SECTOR - 1 - n] == 0)
		n++;
	return n;
}

static void every_sector_has_the_share_of_zeroes_that_was_set(void **state)
{
	(void)state;
	for (uint32_t percent = 0; percent <= 100; percent++) {
		double want = DATA_SECTOR * percent / 100.0;
		unsigned least = DATA_SECTOR;

		begin(0, (struct data){.compress = percent, .dedupe = percent % 3 ? 0 : 50});
		data_fill(&filler[0], block, 65536);
		for (uint32_t at = 0; at < 65536; at += DATA_SECTOR) {
			unsigned zeroes = tail(block + at);
			if (zeroes < least)
				least = zeroes;
			/* What comes before them can end in a zero by chance, not in four. */
			if (fabs(zeroes - want) > 3.5)
				fail_msg("%u %%: %u zeroes", percent, zeroes);
		}
		assert_true(fabs(least - want) <= 0.5);
	}
}

static void check_duplicates(uint32_t percent, uint32_t bytes, uint32_t piece)
{
	unsigned fills = 20000 / (bytes / piece);

	begin(0, (struct data){.dedupe = percent});
	see_pieces(&filler[0], fills, bytes, piece);
	double n = (double)seen_count, p = percent / 100.0;
	double want = n * (1 - p) + (percent ? DATA_COPIES : 0), sigma = sqrt(n * p * (1 - p));
	double got = (double)different();
	if (fabs(got - want) > 4 * sigma)
		fail_msg("%u %%: %.0f different pieces of %.0f, not %.0f", percent, got, n, want);
}

static void the_share_of_duplicates_is_what_was_set(void **state)
{
	static const uint32_t percent[] = {0, 5, 25, 50, 80, 95, 100};

	(void)state;
	for (size_t i = 0; i < sizeof(percent) / sizeof(percent[0]); i++) {
		check_duplicates(percent[i], 4096, 4096);
		check_duplicates(percent[i], 65536, 4096);
		check_duplicates(percent[i], 512, 512); /* a small block is its own piece */
	}
}

static void all_workers_duplicate_the_same_pieces(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		begin(i, (struct data){.dedupe = 100, .compress = 30});
		see_pieces(&filler[i], 10 * DATA_COPIES, 4096, DATA_PIECE);
	}
	assert_int_equal(different(), DATA_COPIES);
}

/* --- Ways to write. --- */

static void every_processor_writes_the_same(void **state)
{
	static uint8_t first[BLOCK_ROOM];
	static const struct data data[] = {
		{.kind = DATA_RANDOM},
		{.compress = 33, .dedupe = 40},
		{.kind = DATA_WORD, .word = 0xdeadbeef, .word_bytes = 4},
	};

	(void)state;
	assert_true(data_kernel_count >= 1 && data_kernels[data_kernel_count - 1].runs());
	for (size_t d = 0; d < sizeof(data) / sizeof(data[0]); d++)
		for (unsigned k = 0; k < data_kernel_count; k++) {
			if (!data_kernels[k].runs())
				continue;
			begin(0, data[d]);
			filler[0].write = data_kernels[k].write;
			memset(block, 0, sizeof(block));
			data_fill(&filler[0], block, 6144);
			data_fill(&filler[0], block + 8192, 65536);
			if (k == 0)
				memcpy(first, block, sizeof(block));
			assert_memory_equal(first, block, sizeof(block));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_two_sectors_of_a_run_are_equal),
		cmocka_unit_test(no_two_sectors_are_equal_with_most_of_them_zero),
		cmocka_unit_test(eight_bytes_never_stand_twice_in_what_one_buffer_carries),
		cmocka_unit_test(random_data_use_every_byte_equally),
		cmocka_unit_test(two_runs_have_nothing_in_common),
		cmocka_unit_test(a_block_is_filled_to_its_last_byte_and_no_further_than_its_sector),
		cmocka_unit_test(a_word_stands_there_again_and_again),
		cmocka_unit_test(new_settings_hold_from_the_next_block_on),
		cmocka_unit_test(every_sector_has_the_share_of_zeroes_that_was_set),
		cmocka_unit_test(the_share_of_duplicates_is_what_was_set),
		cmocka_unit_test(all_workers_duplicate_the_same_pieces),
		cmocka_unit_test(every_processor_writes_the_same),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(seen);
	return failed;
}
