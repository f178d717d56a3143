/* heat.h - how the latencies of every second were spread, kept for a day: what a heat map over time is
 * made of.
 *
 * The bands are a quarter of a power of two wide: sixteen of the histogram's buckets, so that a count
 * here is a sum of counts there, and every IO is in one band. A second keeps the bands between its
 * shortest and its longest IO only: 40 bytes and 4 for each of them. With latencies over six powers of
 * two that is about 0.6 MB an hour; with all there are, 2.4 MB. The percentiles are those of the whole histogram,
 * of a second each: they can't be added, so a slice of several has the least and the most of them.
 */
#ifndef LUNSCOPE_HEAT_H
#define LUNSCOPE_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hist.h"

#define HEAT_OCTAVE 4u				 /* bands in a power of two */
#define HEAT_BUCKETS (HIST_SUB / HEAT_OCTAVE)	 /* buckets in a band */
#define HEAT_BANDS   (HIST_BUCKETS / HEAT_BUCKETS)

/* A second, or several of them added up: t_ns is the end of the last. */
struct heat_slice {
	uint64_t t_ns, dt_ns;
	uint64_t ios; /* = sum of count[] */
	uint64_t count[HEAT_BANDS];
	uint64_t p50_low, p50_high, p99_low, p99_high; /* ns, of its seconds with IO; 0: there is none */
};

/* The lowest latency of a band, ns. */
uint64_t heat_low(unsigned band);
/* into += s, whose time is the later one. */
void heat_add(struct heat_slice *into, const struct heat_slice *s);

struct heat_second {
	uint64_t t_ns;
	uint32_t dt_ns;	      /* a second lasts no 4.29 s: one that does counts as that */
	uint16_t first, bands;
	uint32_t *count;
	uint64_t p50, p99; /* ns; 0 without IO */
};

/* All zeros is an empty one. */
struct heat {
	struct heat_second *item; /* a circle once it has max */
	size_t cap, max;
	uint64_t count; /* appended so far */
};

/* Appends a second; without memory the oldest is forgotten earlier, or it is one without IOs. */
void heat_append(struct heat *h, uint64_t t_ns, uint64_t dt_ns, const struct hist *hist);
void heat_free(struct heat *h);
/* The oldest seconds that ended in (after, until], at most max; returns how many. */
size_t heat_read(const struct heat *h, uint64_t after, uint64_t until, struct heat_slice *out,
		 size_t max);

#endif
