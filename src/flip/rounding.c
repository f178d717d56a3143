/* rounding.c - what the kernel or a driver makes of a value; see flip_internal.h.
 *
 * lunscope writes down what became of a change as soon as it is made. Killed before that, its journal has what
 * was asked for, and the setting something near it. Which somethings are possible is known:
 *
 *	rings		a driver counts descriptors in multiples of 8 to 64 (e1000e, igb, ixgbe, i40e), or in powers
 *			of two (mlx5), and takes the next that is enough
 *	coalesce	in ticks of the NIC's own timer, 2 to 8 of the kernel's unit: the one before or after
 *	read_ahead_kb	whole pages that fit (block/blk-sysfs.c)
 *	max_sectors_kb	whole blocks that fit, of up to 4 KiB
 *
 * Everything else is taken as it is, or refused.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flip/flip_internal.h"

/* Grains are powers of two. */
static uint64_t down(uint64_t v, uint64_t grain)
{
	return v & ~(grain - 1);
}

static uint64_t up(uint64_t v, uint64_t grain)
{
	return down(v + grain - 1, grain);
}

static bool is_ring_of(uint64_t asked, uint64_t now)
{
	uint64_t power = 1;

	for (uint64_t grain = 8; grain <= 64; grain *= 2)
		if (up(asked, grain) == now)
			return true;
	while (power < asked)
		power *= 2;
	return power == now;
}

static bool is_ticks_of(uint64_t asked, uint64_t now)
{
	for (uint64_t grain = 2; grain <= 8; grain *= 2)
		if (up(asked, grain) == now || (down(asked, grain) == now && now))
			return true;
	return false;
}

static bool number(const char *text, uint64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoull(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && !*end && !errno && *v <= UINT32_MAX;
}

bool flip_rounded(const char *words, const char *asked, const char *now)
{
	char name[64];
	const char *what = flip_split(words, name);
	uint64_t a, v, page = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;

	if (strcmp(asked, now) == 0)
		return true;
	if (!what || !number(asked, &a) || !number(now, &v))
		return false;
	if (flip_kind(words) == FLIP_NIC)
		return strncmp(what, "ring ", 5) == 0       ? is_ring_of(a, v)
		       : strncmp(what, "coalesce ", 9) == 0 ? is_ticks_of(a, v)
							    : false;
	if (strcmp(what, "read_ahead_kb") == 0)
		return down(a, page) == v;
	return strcmp(what, "max_sectors_kb") == 0 &&
	       (down(a, 1) == v || down(a, 2) == v || down(a, 4) == v);
}
