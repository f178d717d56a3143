/* random.h - the generator behind offsets, coins and write data.
 *
 * A multiplicative congruential generator of 128 bits whose upper half is the output: two multiplications
 * a number, period 2^126, no state shared between workers. Multiplier and tests: M. O'Neill, "128-bit MCG
 * Passes PractRand" (2017, pcg-random.org), the one of 64 bits. Seeded through the finalizer of splitmix64
 * (Steele, Lea, Flood 2014), so that neighbouring seeds have nothing in common.
 */
#ifndef LUNSCOPE_RANDOM_H
#define LUNSCOPE_RANDOM_H

#include <stdint.h>

struct random {
	unsigned __int128 state; /* odd */
};

#define RANDOM_MULTIPLIER 0xda942042e4dd58b5ull

/* One step of splitmix64: 64 bits that look random, from any 64 bits that are stepped through. */
static inline uint64_t random_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline void random_seed(struct random *r, uint64_t seed)
{
	uint64_t high = random_mix(seed + 0x9e3779b97f4a7c15ull);
	uint64_t low = random_mix(seed + 2 * 0x9e3779b97f4a7c15ull);

	r->state = ((unsigned __int128)high << 64) | low | 1;
}

static inline uint64_t random_next(struct random *r)
{
	r->state *= RANDOM_MULTIPLIER;
	return (uint64_t)(r->state >> 64);
}

/* Random number number at / RANDOM_STEP of a sequence, straight: nothing is kept, so that drawing one or
 * leaving it out changes no other. By one wide multiplication: Wang Yi's wyrand (wyhash, final version 4),
 * whose state is this counter. */
#define RANDOM_STEP 0x2d358dccaa6c78a5ull

static inline uint64_t random_at(uint64_t at)
{
	unsigned __int128 m = (unsigned __int128)at * (at ^ 0x8bb84b93962eacc9ull);

	return (uint64_t)(m >> 64) ^ (uint64_t)m;
}

/* A random number as one in [0, n), by multiplication (Lemire 2019, without the rejection step: the bias
 * is below n / 2^64). */
static inline uint64_t random_scale(uint64_t random, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)random * n) >> 64);
}

/* Uniform in [0, n). */
static inline uint64_t random_below(struct random *r, uint64_t n)
{
	return random_scale(random_next(r), n);
}

#endif
