/* bins.c - see bins.h. */
#include "iometer/bins.h"

#include <math.h>
#include "units.h"

/* Ends in microseconds, and heads. Iometer's own "4.7" bins end at 4.0 s, those of 15 and 30 ms at 14.93 and
 * 30.3, and what takes 10 s or longer is in none of them: here they hold what they say. */
static const struct {
	double us;
	const char *name;
} bins[IOMETER_BINS] = {
	{50, "0 to 50 uS"},      {100, "50 to 100 uS"},    {200, "100 to 200 uS"},
	{500, "200 to 500 uS"},  {1e3, "0.5 to 1 mS"},     {2e3, "1 to 2 mS"},
	{5e3, "2 to 5 mS"},      {10e3, "5 to 10 mS"},     {15e3, "10 to 15 mS"},
	{20e3, "15 to 20 mS"},   {30e3, "20 to 30 mS"},    {50e3, "30 to 50 mS"},
	{100e3, "50 to 100 mS"}, {200e3, "100 to 200 mS"}, {500e3, "200 to 500 mS"},
	{1e6, "0.5 to 1 S"},     {2e6, "1 to 2 s"},        {4.7e6, "2 to 4.7 s"},
	{5e6, "4.7 to 5 s"},     {10e6, "5 to 10 s"},      {INFINITY, " >= 10 s"},
};

uint64_t iometer_bin_end(unsigned i)
{
	return isinf(bins[i].us) ? UINT64_MAX : (uint64_t)(bins[i].us * 1e3);
}

const char *iometer_bin_name(unsigned i)
{
	return bins[i].name;
}

/* How many of a bucket's IOs, which took at least low and less than high, took less than end. */
static uint64_t share_below(uint64_t count, uint64_t low, uint64_t high, uint64_t end)
{
	if (end <= low)
		return 0;
	if (end >= high)
		return count;
	double share = (double)(end - low) / (double)(high - low);
	uint64_t below = (uint64_t)llround((double)count * share);
	return below < count ? below : count;
}

void iometer_bins_add(uint64_t bin[IOMETER_BINS], const struct hist *h)
{
	unsigned at = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		uint64_t count = h->bucket[i], low = hist_low(i), high = hist_high(i);
		if (!count)
			continue;
		/* The shortest and the longest are known exactly. */
		low = h->min > low ? h->min : low;
		high = h->max + 1 < high && h->max >= low ? h->max + 1 : high;
		while (iometer_bin_end(at) <= low)
			at++;
		/* The last bucket has no upper end, and no bin's end lies in it. */
		for (unsigned b = at; count; b++) {
			bool last = b == IOMETER_BINS - 1 || i == HIST_BUCKETS - 1;
			uint64_t below =
				last ? count : share_below(count, low, high, iometer_bin_end(b));
			bin[b] += below;
			count -= below;
			if (iometer_bin_end(b) > low)
				low = iometer_bin_end(b);
		}
	}
}
