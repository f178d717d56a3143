/* looks.c - see looks.h. */
#include "looks.h"

#include <math.h>
#include <stdio.h>
#include "units.h"

struct looks looks_since(const struct looks *a, const struct looks *b)
{
	struct looks out;

	for (int i = 0; i < LOOK_KINDS; i++)
		out.found[i] = a->found[i] - b->found[i];
	for (int i = 0; i < LOOK_BUCKETS; i++)
		out.delay[i] = a->delay[i] - b->delay[i];
	return out;
}

struct looks looks_sum(const struct looks *a, const struct looks *b)
{
	struct looks out;

	for (int i = 0; i < LOOK_KINDS; i++)
		out.found[i] = a->found[i] + b->found[i];
	for (int i = 0; i < LOOK_BUCKETS; i++)
		out.delay[i] = a->delay[i] + b->delay[i];
	return out;
}

uint64_t looks_total(const struct looks *l)
{
	return l->found[LOOK_BUSY] + l->found[LOOK_SPIN] + l->found[LOOK_SLEEP];
}

uint64_t looks_delay(const struct looks *l, double q)
{
	uint64_t all = 0, below = 0;

	for (int i = 0; i < LOOK_BUCKETS; i++)
		all += l->delay[i];
	if (!all)
		return 0;
	uint64_t wanted = (uint64_t)ceil(q * (double)all);
	int i = 0;
	while (i < LOOK_BUCKETS - 1 && (below += l->delay[i]) < wanted)
		i++;
	return 2ull << i;
}

char *looks_describe(char *out, size_t n, const struct looks *l, bool ascii)
{
	double all = (double)looks_total(l) / 100;
	uint64_t delay = looks_delay(l, 0.99);
	char text[32];

	out[0] = '\0';
	if (all <= 0)
		return out;
	int used = snprintf(out, n, "%.1f %% at once, %.1f %% spinning, %.1f %% asleep",
			    (double)l->found[LOOK_BUSY] / all, (double)l->found[LOOK_SPIN] / all,
			    (double)l->found[LOOK_SLEEP] / all);
	if (delay && used > 0 && (size_t)used < n)
		snprintf(out + used, n - (size_t)used, "; delay p99 %s %s", ascii ? "<=" : "≤",
			 units_latency(text, sizeof(text), (double)delay, ascii));
	return out;
}

json_t *looks_json(const struct looks *l)
{
	uint64_t delay = looks_delay(l, 0.99);

	if (!looks_total(l))
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:o}", "at_once", (json_int_t)l->found[LOOK_BUSY],
			 "spinning", (json_int_t)l->found[LOOK_SPIN], "asleep",
			 (json_int_t)l->found[LOOK_SLEEP], "delay_p99_ns",
			 delay ? json_integer((json_int_t)delay) : json_null());
}
