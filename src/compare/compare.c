/* compare.c - see compare.h. */
#include "compare/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define P99 0.99

/* --- Sides. --- */

/* A run ends with the rest of a second, whose percentiles are of the second before as well: it is none. */
static bool within(const struct sample *s, uint64_t start_ns, uint64_t end_ns)
{
	return s->dt_ns >= NS_PER_SEC / 2 && s->t_ns - s->dt_ns >= start_ns && s->t_ns <= end_ns;
}

/* Where the middle lies of what is left of the seconds that count. */
static void find_middle(struct side *s, const struct sample *seconds, size_t n, uint64_t from,
			uint64_t to)
{
	uint64_t first = 0, last = 0;
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		if (!within(&seconds[i], from, to) || !metric_counts(&seconds[i]))
			continue;
		if (at++ == s->warmup)
			first = seconds[i].t_ns - seconds[i].dt_ns;
		last = seconds[i].t_ns;
	}
	s->at_ns = first + (last - first) / 2;
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
	s->latency = calloc(n ? n : 1, sizeof(*s->latency));
	if (!s->latency) {
		side_free(s);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		if (!within(&seconds[i], from, to) || !metric_counts(&seconds[i]))
			continue;
		s->latency[s->count] = metric_latency(&seconds[i]);
		for (unsigned m = 0; m < METRICS; m++)
			s->point[m][s->count] = metric_point((enum metric)m, &seconds[i]);
		for (int op = 0; op < IO_OPS; op++) {
			ios[op] += seconds[i].op[op].ios;
			s->errors += seconds[i].op[op].errors;
		}
		s->count++;
	}
	if (!s->count && cut->any && cut->settle_ns &&
	    end_ns - start_ns < BATCHES_MIN * BATCH_MIN * NS_PER_SEC) {
		const struct side_cut whole = {.open_end = cut->open_end};
		side_free(s);
		int rc = side_take(s, name, seconds, n, start_ns, end_ns, &whole);
		s->unsettled = true;
		return rc;
	}
	s->judged = s->count >= WARMUP_LEAST;
	size_t warmup = warmup_length(s->point[METRIC_IOPS_T], s->count, &s->steady);
	if (!cut->keep_warmup && s->steady && warmup) {
		s->warmup = warmup;
		s->count -= warmup;
		for (unsigned m = 0; m < METRICS; m++)
			memmove(s->point[m], s->point[m] + warmup, s->count * sizeof(struct point));
		memmove(s->latency, s->latency + warmup, s->count * sizeof(*s->latency));
	}
	for (size_t i = 0; i < s->count; i++)
		s->seconds += s->point[METRIC_IOPS_T][i].den;
	s->both = ios[IO_READ] && ios[IO_WRITE];
	s->segments = 1;
	find_middle(s, seconds, n, from, to);
	return 0;
}

void side_total(struct side *out, const char *name, const struct side *s, unsigned n)
{
	*out = (struct side){.steady = true, .judged = true, .segments = n};
	snprintf(out->name, sizeof(out->name), "%s", name);
	for (unsigned i = 0; i < n; i++) {
		out->count += s[i].count;
		out->seconds += s[i].seconds;
		out->warmup += s[i].warmup;
		out->steady &= s[i].steady;
		out->judged &= s[i].judged;
		out->errors += s[i].errors;
		out->both |= s[i].both;
	}
}

void side_free(struct side *s)
{
	for (unsigned m = 0; m < METRICS; m++) {
		free(s->point[m]);
		s->point[m] = NULL;
	}
	free(s->latency);
	s->latency = NULL;
}

/* A figure of all of it. */
static double side_figure(const struct side *s, enum metric m)
{
	return m == METRIC_P99 ? quantiles_pool(s->latency, s->count, P99)
			       : series_mean(s->point[m], s->count);
}

/* --- Verdicts. --- */

/* How many there are: that there are none any more is the greatest change of all. */
static bool is_count(enum metric m)
{
	return m <= METRIC_RATE_T;
}

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
	double mean_a = side_figure(a, m), mean_b = side_figure(b, m);
	if (metric_may_be_none(m))
		return mean_a >= 0 && mean_b >= 0;
	if (is_count(m))
		return mean_a > 0 || mean_b > 0;
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
		if (m == METRIC_P99)
			verdict_percentile(v, a->latency, a->count, b->latency, b->count, P99);
		else
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
	double mean_a[COMPARE_PAIRS], mean_b[COMPARE_PAIRS];
	double at_a[COMPARE_PAIRS], at_b[COMPARE_PAIRS];

	memset(c, 0, sizeof(*c));
	c->pairs = n < COMPARE_PAIRS ? n : COMPARE_PAIRS;
	/* From the first one on: of a time since 1970 a double would lose the last digits. */
	for (unsigned i = 0; i < c->pairs; i++) {
		at_a[i] = (double)(int64_t)(a[i].at_ns - a[0].at_ns) / 1e9;
		at_b[i] = (double)(int64_t)(b[i].at_ns - a[0].at_ns) / 1e9;
	}
	for (unsigned m = 0; m < METRICS; m++) {
		c->shown[m] = c->pairs > 0;
		for (unsigned i = 0; i < c->pairs; i++) {
			mean_a[i] = side_figure(&a[i], (enum metric)m);
			mean_b[i] = side_figure(&b[i], (enum metric)m);
			c->shown[m] &= means_something((enum metric)m, &a[i], &b[i]);
		}
		verdict_pairs(&c->verdict[m], mean_a, mean_b, c->pairs);
		drift_of(&c->drift[m], mean_a, at_a, mean_b, at_b, c->pairs);
	}
	correct(c);
}
