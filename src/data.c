/* data.c - see data.h. */
#include "data.h"

#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "units.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The n-th key of worker i is random_mix((i << 48 | n) * KEY_STEP): the product and the mix are one to one,
 * so no key comes twice before 2^48 pieces. */
#define KEY_STEP     0x9e3779b97f4a7c15ull
#define WORKER_SHIFT 48
/* Whose keys are the duplicates': no worker has that number. */
#define COPIES_OWNER 0xffffull

_Static_assert(WORKERS_MAX < COPIES_OWNER, "a worker's keys must not be the duplicates'");

/* --- Writing a piece. --- */

typedef uint64_t wide __attribute__((vector_size(16), may_alias));

#define WIDES (DATA_SECTOR / sizeof(wide))

static void write_anywhere(uint8_t *to, const struct data_filler *f, uint64_t key, unsigned sectors)
{
	const wide keys = {key, key}, *mask = (const wide *)f->mask;
	const wide *from = (const wide *)f->pool;
	wide *at = (wide *)to;

	for (; sectors > 0; sectors--, from += WIDES, at += WIDES) {
#pragma GCC unroll 32
		for (unsigned i = 0; i < WIDES; i++)
			at[i] = from[i] ^ (keys & mask[i]);
	}
}

static bool runs_anywhere(void)
{
	return true;
}

#if defined(__x86_64__)
#define YMMS (DATA_SECTOR / sizeof(__m256i))

__attribute__((target("avx2"))) static void write_avx2(uint8_t *to, const struct data_filler *f,
						       uint64_t key, unsigned sectors)
{
	const __m256i keys = _mm256_set1_epi64x((long long)key);
	const __m256i *mask = (const __m256i *)f->mask, *from = (const __m256i *)f->pool;
	__m256i *at = (__m256i *)to;

	for (; sectors > 0; sectors--, from += YMMS, at += YMMS) {
#pragma GCC unroll 16
		for (unsigned i = 0; i < YMMS; i++)
			at[i] = from[i] ^ (keys & mask[i]);
	}
}

static bool runs_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}
#endif

const struct data_kernel data_kernels[] = {
#if defined(__x86_64__)
	{"avx2", runs_avx2, write_avx2},
#endif
	{"any", runs_anywhere, write_anywhere},
};
const unsigned data_kernel_count = sizeof(data_kernels) / sizeof(data_kernels[0]);

/* --- The worker's filler. --- */

uint64_t data_new_run(void)
{
	uint64_t run;

	/* A host so young that it has no random numbers yet still has clocks. */
	if (getrandom(&run, sizeof(run), GRND_NONBLOCK) != (ssize_t)sizeof(run))
		run = random_mix(wall_ns()) ^ random_mix(clock_ns() + (uint64_t)getpid());
	return run;
}

static uint64_t first_place(uint64_t owner)
{
	return (owner << WORKER_SHIFT) * KEY_STEP;
}

void data_filler_init(struct data_filler *f, uint64_t run, uint32_t i)
{
	const struct data_kernel *k = data_kernels;

	while (!k->runs())
		k++;
	f->write = k->write;
	f->run = run;
	f->place = first_place(i);
	random_seed(&f->random, run + i);
	data_filler_take_up(f, &(struct data){.kind = DATA_RANDOM});
}

/* The same pool for all workers, so that their duplicates are the same. */
static void make_random(struct data_filler *f, uint32_t compress)
{
	unsigned noise = (DATA_SECTOR * (100 - compress) + 50) / 100;
	uint8_t *mask = (uint8_t *)f->mask;
	struct random random;

	memset(mask, 0xff, noise);
	memset(mask + noise, 0, DATA_SECTOR - noise);
	random_seed(&random, f->run);
	for (unsigned i = 0; i < DATA_PIECE / 8; i++)
		f->pool[i] = random_next(&random) & f->mask[i % (DATA_SECTOR / 8)];
}

static void make_word(struct data_filler *f, uint64_t word, uint32_t bytes)
{
	uint8_t *pool = (uint8_t *)f->pool;

	memset(f->mask, 0, sizeof(f->mask));
	for (unsigned i = 0; i < DATA_PIECE; i++)
		pool[i] = (uint8_t)(word >> 8 * (bytes - 1 - i % bytes));
}

void data_filler_take_up(struct data_filler *f, const struct data *d)
{
	if (d->kind == DATA_WORD)
		make_word(f, d->word, d->word_bytes);
	else
		make_random(f, d->compress);
	f->copy_below = ((uint64_t)d->dedupe << 32) / 100;
}

static inline uint64_t next_key(struct data_filler *f)
{
	if (f->copy_below) {
		uint64_t coin = random_next(&f->random);
		if ((coin & 0xffffffff) < f->copy_below)
			return random_mix(first_place(COPIES_OWNER) +
					  (coin >> 32) % DATA_COPIES * KEY_STEP);
	}
	f->place += KEY_STEP;
	return random_mix(f->place);
}

void data_fill(struct data_filler *f, uint8_t *buffer, uint32_t bytes)
{
	for (; bytes > DATA_PIECE; bytes -= DATA_PIECE, buffer += DATA_PIECE)
		f->write(buffer, f, next_key(f), DATA_PIECE / DATA_SECTOR);
	f->write(buffer, f, next_key(f), (bytes + DATA_SECTOR - 1) / DATA_SECTOR);
}
