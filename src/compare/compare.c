/* compare.c - see compare.h. */
#include "compare/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Sides. --- */

static bool within(const struct sample *s, uint64_t start_ns, uint64_t end_ns)
{
	return s->t_ns - s->dt_ns >= start_ns && s->t_ns <= end_ns;
}

int side_take(struct side *s, const char *name, const struct sample *seconds, size_t n,
	      uint64_t start_ns, uint64_t end_ns, const struct side_cut *cut)
{
	uint64_t from = start_ns + cut->settle_ns;
	uint64_t to = cut->open_end || end_ns < cut->settle_ns ? end_ns : end_ns - cut->settle_ns;
	uint64_t ios[IO_OPS] = {0, 0};

	memset(s, 0, sizeof(*s));
	snprintf(s->name, sizeof(s->name), "%s", name);
	for (unsigned m = 0; m < METRICS; m++) {
		s->point[m] = calloc(n ? n : 1, sizeof(struct point));
		if (!s->point[m]) {
			side_free(s);
			return -ENOMEM;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (!within(&seconds[i], from, to) || !metric_counts(&seconds[i]))
			continue;
		for (unsigned m = 0; m < METRICS; m++)
			s->point[m][s->count] = metric_point((enum metric)m, &seconds[i]);
		for (int op = 0; op < IO_OPS; op++)
			ios[op] += seconds[i].op[op].ios;
		s->count++;
	}
	size_t warmup = warmup_length(s->point[METRIC_IOPS_T], s->count, &s->steady);
	if (!cut->keep_warmup && s->steady && warmup) {
		s->warmup = warmup;
		s->count -= warmup;
		for (unsigned m = 0; m < METRICS; m++)
			memmove(s->point[m], s->point[m] + warmup, s->count * sizeof(struct point));
	}
	for (size_t i = 0; i < s->count; i++)
		s->seconds += s->point[METRIC_IOPS_T][i].den;
	s->both = ios[IO_READ] && ios[IO_WRITE];
	return 0;
}

void side_free(struct side *s)
{
	for (unsigned m = 0; m < METRICS; m++) {
		free(s->point[m]);
		s->point[m] = NULL;
	}
}

/* --- Verdicts. --- */

/* Reads and writes apart only where there are both: else one of them is the total once more. */
static bool means_something(enum metric m, const struct side *a, const struct side *b)
{
	switch (m) {
	case METRIC_IOPS_R:
	case METRIC_IOPS_W:
	case METRIC_RATE_R:
	case METRIC_RATE_W:
	case METRIC_MEAN_R:
	case METRIC_MEAN_W:
		if (!a->both || !b->both)
			return false;
		break;
	default: break;
	}
	double mean_a = series_mean(a->point[m], a->count);
	double mean_b = series_mean(b->point[m], b->count);
	if (metric_may_be_none(m))
		return mean_a >= 0 && mean_b >= 0;
	return mean_a > 0 && mean_b > 0;
}

static void correct(struct comparison *c)
{
	struct verdict *shown[METRICS];
	unsigned n = 0;

	for (unsigned m = 0; m < METRICS; m++)
		/* Nothing on both sides is no chance to be wrong. */
		if (c->shown[m] && !verdict_none(&c->verdict[m]))
			shown[n++] = &c->verdict[m];
	verdicts_holm(shown, n);
}

void compare_sides(struct comparison *c, const struct side *a, const struct side *b)
{
	memset(c, 0, sizeof(*c));
	for (unsigned m = 0; m < METRICS; m++) {
		struct verdict *v = &c->verdict[m];
		verdict_welch(v, a->point[m], a->count, b->point[m], b->count);
		c->shown[m] = means_something((enum metric)m, a, b);
	}
	correct(c);
	/* The figure that the others hang on. */
	const struct verdict *iops = &c->verdict[METRIC_IOPS_T];
	c->more_s = iops->kind == VERDICT_UNKNOWN ? iops->more : 0;
}

void compare_pairs(struct comparison *c, const struct side *a, const struct side *b, unsigned n)
{
	memset(c, 0, sizeof(*c));
	for (unsigned m = 0; m < METRICS; m++) {
		double mean_a[64], mean_b[64];
		unsigned pairs = n < 64 ? n : 64;
		c->shown[m] = pairs > 0;
		for (unsigned i = 0; i < pairs; i++) {
			mean_a[i] = series_mean(a[i].point[m], a[i].count);
			mean_b[i] = series_mean(b[i].point[m], b[i].count);
			c->shown[m] &= means_something((enum metric)m, &a[i], &b[i]);
		}
		verdict_pairs(&c->verdict[m], mean_a, mean_b, pairs);
	}
	correct(c);
}
