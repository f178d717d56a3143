/* looks.h - how the engine met the completions: at once, by spinning or asleep, and how late it looked.
 *
 * An IO's latency ends when its completion is fetched. What lies between the completion in the kernel and
 * that moment is the engine's own error; it is at most the time since the worker had looked before, which is
 * kept in powers of two. A worker that sleeps is woken by the completion itself: how long that takes is the
 * kernel's, so those IOs have no bound here.
 */
#ifndef LUNSCOPE_LOOKS_H
#define LUNSCOPE_LOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <jansson.h>

enum look_kind { LOOK_BUSY, LOOK_SPIN, LOOK_SLEEP, LOOK_KINDS };
#define LOOK_BUCKETS 40

/* Counts of IOs. */
struct looks {
	uint64_t found[LOOK_KINDS];   /* by what the worker was doing */
	uint64_t delay[LOOK_BUCKETS]; /* [i]: the look before was 2^i to 2^(i+1) ns ago; not for
				       * those found asleep */
};

static inline unsigned look_bucket(uint64_t ns)
{
	unsigned i = 63 - (unsigned)__builtin_clzll(ns | 1);

	return i < LOOK_BUCKETS ? i : LOOK_BUCKETS - 1;
}

/* a - b, field by field: of b, what came before. */
struct looks looks_since(const struct looks *a, const struct looks *b);
/* a + b. */
struct looks looks_sum(const struct looks *a, const struct looks *b);
uint64_t looks_total(const struct looks *l);
/* The bound, ns, below which the share q of those with one lie: the end of its power of two. 0 when there
 * is none. */
uint64_t looks_delay(const struct looks *l, double q);
/* "12.0 % at once, 86.1 % spinning, 1.9 % asleep; delay p99 <= 1.02 us"; "" when there was no IO. */
char *looks_describe(char *out, size_t n, const struct looks *l, bool ascii);
/* {"at_once", "spinning", "asleep": IOs, "delay_p99_ns"}, or null when there was no IO (or it is
 * not known). New reference. */
json_t *looks_json(const struct looks *l);

#endif
