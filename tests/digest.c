/* digest.c - CRC32C and MD5, written from their definitions. */
#include "tests/digest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The polynomial 1EDC6F41h, bits reversed. */
uint32_t digest_crc32c(const void *data, size_t n)
{
	const uint8_t *p = data;
	uint32_t crc = ~0u;
	while (n--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static uint32_t rotate(uint32_t v, unsigned by)
{
	return v << by | v >> (32 - by);
}

/* RFC 1321 3.4: one block of 64 bytes. */
static void md5_block(uint32_t state[4], const uint8_t *block)
{
	static const uint8_t turn[4][4] = {
		{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

	for (unsigned i = 0; i < 64; i++) {
		unsigned round = i / 16, k;
		uint32_t f;
		if (round == 0)
			f = (b & c) | (~b & d), k = i;
		else if (round == 1)
			f = (b & d) | (c & ~d), k = 5 * i + 1;
		else if (round == 2)
			f = b ^ c ^ d, k = 3 * i + 5;
		else
			f = c ^ (b | ~d), k = 7 * i;
		const uint8_t *w = block + k % 16 * 4;
		uint32_t word = w[0] | w[1] << 8 | w[2] << 16 | (uint32_t)w[3] << 24;
		/* T[i], "the integer part of 4294967296 times abs(sin(i))". */
		uint32_t t = (uint32_t)(uint64_t)(4294967296.0 * fabs(sin(i + 1.0)));
		uint32_t next = b + rotate(a + f + word + t, turn[round][i % 4]);
		a = d, d = c, c = b, b = next;
	}
	state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

void digest_md5(const void *data, size_t n, uint8_t sum[16])
{
	uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	/* The message, one bit that is set, zeros, and its length in bits. */
	size_t whole = (n + 8) / 64 * 64 + 64;
	uint8_t *m = calloc(1, whole);
	if (!m)
		abort();
	memcpy(m, data, n);
	m[n] = 0x80;
	for (int i = 0; i < 8; i++)
		m[whole - 8 + i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
	for (size_t at = 0; at < whole; at += 64)
		md5_block(state, m + at);
	free(m);
	for (int i = 0; i < 16; i++)
		sum[i] = (uint8_t)(state[i / 4] >> i % 4 * 8);
}
