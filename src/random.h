/* random.h - the generator behind offsets, coins and write data.
 *
 * xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018), seeded
 * through splitmix64 as its authors advise: a few cycles a number, no state shared between workers.
 */
#ifndef LUNSCOPE_RANDOM_H
#define LUNSCOPE_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t s[4];
};

static inline uint64_t random_rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

static inline void random_seed(struct random *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = (seed += 0x9e3779b97f4a7c15ull);
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
		r->s[i] = z ^ (z >> 31);
	}
}

static inline uint64_t random_next(struct random *r)
{
	uint64_t out = random_rotl(r->s[1] * 5, 7) * 9, t = r->s[1] << 17;
	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = random_rotl(r->s[3], 45);
	return out;
}

/* Uniform in [0, n), by multiplication (Lemire 2019, without the rejection step: the bias is below
 * n / 2^64). */
static inline uint64_t random_below(struct random *r, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)random_next(r) * n) >> 64);
}

#endif
