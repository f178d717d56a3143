/* hist-add.h - a histogram from single latencies; the engine counts in books instead. */
#ifndef LUNSCOPE_TESTS_HIST_ADD_H
#define LUNSCOPE_TESTS_HIST_ADD_H

#include "hist.h"

static inline void hist_add(struct hist *h, uint64_t ns)
{
	h->count++;
	h->sum += ns;
	if (ns < h->min)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
	h->bucket[hist_index(ns)]++;
}

#endif
