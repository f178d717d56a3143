/* hist.c - the latency histogram; the bucket scheme is described in hist.h. */
#include "hist.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t hist_low(unsigned i)
{
	if (i < HIST_SUB)
		return i;
	unsigned octave = (i >> HIST_SUB_BITS) - 1;
	return (uint64_t)(HIST_SUB + (i & (HIST_SUB - 1))) << octave;
}

uint64_t hist_high(unsigned i)
{
	return hist_low(i + 1);
}

void hist_clear(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

void hist_fit_extremes(struct hist *h)
{
	unsigned first = 0, last = HIST_BUCKETS;

	if (!h->count)
		return;
	while (first < HIST_BUCKETS - 1 && !h->bucket[first])
		first++;
	while (last > first + 1 && !h->bucket[last - 1])
		last--;
	if (h->min >= hist_high(first))
		h->min = hist_low(first);
	if (h->max < hist_low(last - 1))
		h->max = hist_high(last - 1) - 1;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	into->count += from->count;
	into->sum += from->sum;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

static double clamp(double v, double low, double high)
{
	return v < low ? low : v > high ? high : v;
}

double hist_percentile(const struct hist *h, double q)
{
	if (!h->count)
		return NAN;
	if (q >= 1)
		return (double)h->max;
	/* The rank that has share q of the entries at or below it: at least the first entry. */
	double rank = q * (double)h->count;
	if (rank < 1)
		rank = 1;
	uint64_t below = 0;
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		uint64_t n = h->bucket[i];
		if (!n)
			continue;
		if ((double)(below + n) >= rank) {
			/* The last bucket has no upper end: what is in it goes up to max. */
			double low = (double)hist_low(i);
			double high = i == HIST_BUCKETS - 1 ? (double)h->max : (double)hist_high(i);
			double part = (rank - (double)below) / (double)n;
			return clamp(low + (high - low) * part, (double)h->min, (double)h->max);
		}
		below += n;
	}
	return (double)h->max;
}

double hist_mean(const struct hist *h)
{
	return h->count ? (double)h->sum / (double)h->count : NAN;
}

double hist_stddev(const struct hist *h)
{
	if (!h->count)
		return NAN;
	double mean = hist_mean(h), squares = 0;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		if (h->bucket[i]) {
			double middle = ((double)hist_low(i) + (double)hist_high(i)) / 2;
			squares += (double)h->bucket[i] * (middle - mean) * (middle - mean);
		}
	return sqrt(squares / (double)h->count);
}

uint64_t hist_between(const struct hist *h, uint64_t low, uint64_t high)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		uint64_t at = hist_low(i);
		if (at >= low && at < high)
			n += h->bucket[i];
	}
	return n;
}

int hist_print(const struct hist *h, char *out, unsigned long n)
{
	int used = 0;

	if (n)
		out[0] = 0;
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (!h->bucket[i])
			continue;
		unsigned long at = (unsigned long)used < n ? (unsigned long)used : n;
		used += snprintf(out + at, n - at, "%s%u:%" PRIu64, used ? " " : "", i,
				 h->bucket[i]);
	}
	return used;
}

int hist_scan(struct hist *h, const char *text)
{
	uint64_t total = 0;

	memset(h->bucket, 0, sizeof(h->bucket));
	while (*text) {
		char *end;
		errno = 0;
		unsigned long i = strtoul(text, &end, 10);
		if (end == text || *end != ':' || i >= HIST_BUCKETS)
			return -EINVAL;
		const char *count = end + 1;
		unsigned long long v = strtoull(count, &end, 10);
		if (end == count || errno || (*end && *end != ' '))
			return -EINVAL;
		h->bucket[i] += v;
		total += v;
		text = *end ? end + 1 : end;
	}
	return total == h->count ? 0 : -EINVAL;
}
