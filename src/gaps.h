/* gaps.h - the stretches of a run that no mean counts, because a path was out.
 *
 * Paths go out and come back on their own, so that gaps may overlap: time is left out when it lies in any
 * of them, and counted once.
 */
#ifndef LUNSCOPE_GAPS_H
#define LUNSCOPE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gap {
	uint64_t from_ns, until_ns; /* UINT64_MAX: it goes on */
	uint64_t changed_ns;	    /* from there on what is left out has changed, ... */
	uint32_t revision;	    /* ... in this change of all */
};

/* All zeros is none. */
struct gaps {
	struct gap *item; /* number id is at id - 1 */
	size_t count, cap;
	uint32_t revision; /* changes so far */
};

/* Sets bounds (until_ns 0: it goes on), of a new one where id is 0. Its id; 0 without memory. */
uint32_t gaps_set(struct gaps *g, uint32_t id, uint64_t from_ns, uint64_t until_ns);
/* Whether any part of (from_ns, until_ns] lies in one. */
bool gaps_cover(const struct gaps *g, uint64_t from_ns, uint64_t until_ns);
/* Where the earliest change after revision `seen` begins; UINT64_MAX when there was none. */
uint64_t gaps_changed(const struct gaps *g, uint32_t seen);
/* How many lie in (from_ns, until_ns], those that overlap counted as one. */
unsigned gaps_within(const struct gaps *g, uint64_t from_ns, uint64_t until_ns);
void gaps_free(struct gaps *g);

#endif
