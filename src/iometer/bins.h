/* bins.h - Iometer's 21 latency bins, filled from a histogram.
 *
 * A bin holds what is at least its lower end and below its upper one. A bucket of the histogram is at most 1/64
 * wide (hist.h); the few that an end falls into are divided evenly by width, so that at most such a bucket's
 * share of the IOs can be on the wrong side of it. No IO is lost: the bins add up to the histogram's count.
 */
#ifndef LUNSCOPE_IOMETER_BINS_H
#define LUNSCOPE_IOMETER_BINS_H

#include "hist.h"
#include "iometer/result.h"

/* Adds h's entries. */
void iometer_bins_add(uint64_t bin[IOMETER_BINS], const struct hist *h);
/* ns; UINT64_MAX of the last. */
uint64_t iometer_bin_end(unsigned i);
/* As the columns are headed: "0 to 50 uS", ..., " >= 10 s". */
const char *iometer_bin_name(unsigned i);

#endif
