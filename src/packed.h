/* packed.h - a histogram without its empty ends: a few KiB instead of nineteen, for what is kept long. */
#ifndef LUNSCOPE_PACKED_H
#define LUNSCOPE_PACKED_H

#include <stdbool.h>
#include <stdint.h>
#include "hist.h"

/* All zeros is an empty one. */
struct packed {
	uint64_t count, sum, min, max;
	uint32_t first, length;
	uint64_t *bucket; /* length of them; NULL when empty */
};

/* Puts h in place of what p held; false without memory: p is then as it was. */
bool packed_set(struct packed *p, const struct hist *h);
/* into += p. */
void packed_merge(struct hist *into, const struct packed *p);
void packed_free(struct packed *p);

#endif
