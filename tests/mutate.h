/* mutate.h - texts with a few bytes changed and pieces lost or doubled, always the same ones for a seed. */
#ifndef LUNSCOPE_TESTS_MUTATE_H
#define LUNSCOPE_TESTS_MUTATE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

/* Of n bytes in room; returns how many there are now, at least 1. seed: not 0. */
static inline size_t mutate(char *text, size_t n, size_t room, uint64_t *seed)
{
	static const char bytes[] = ",\n\r'-.0123456789e \t\0\xff";

	for (unsigned k = next_random(seed) % 6; k < 6; k++) {
		size_t at = next_random(seed) % n, length = next_random(seed) % 200;
		length = at + length < n ? length : n - at;
		switch (next_random(seed) % 4) {
		case 0: text[at] = bytes[next_random(seed) % (sizeof(bytes) - 1)]; break;
		case 1:
			memmove(text + at, text + at + length, n - at - length);
			n -= length < n ? length : 0;
			break;
		case 2:
			if (n + length <= room) {
				memmove(text + at + length, text + at, n - at);
				n += length;
			}
			break;
		default: text[at] = (char)next_random(seed); break;
		}
		if (n < 2)
			return 1;
	}
	return n;
}

#endif
