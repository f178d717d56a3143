/* goal.c - see goal.h. */
#include "goal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "units.h"

#define IOS_BEYOND 10 /* IOs above a percentile that make it more than an accident */
#define IOS_LEAST  100

static const struct {
	const char *name;
	double share;
} figures[GOAL_FIGURES] = {
#define X(id, name, share) [id] = {name, share},
	GOAL_TABLE(X)
#undef X
};

static const struct {
	const char *name;
	int of;
} ops[] = {{"read", SUM_READ}, {"write", SUM_WRITE}, {"all", SUM_TOTAL}};

const char *goal_figure_name(enum goal_figure f)
{
	return figures[f].name;
}

const char *goal_of_name(int of)
{
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (ops[i].of == of)
			return ops[i].name;
	return "";
}

int goal_parse_of(int *of, const char *text, struct error *e)
{
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (strcasecmp(text, ops[i].name) == 0) {
			*of = ops[i].of;
			return 0;
		}
	return error_set(e, EINVAL, "'%s': write read, write or all", text);
}

/* The text without blanks; false when it doesn't fit. */
static bool squeeze(char *out, size_t n, const char *text)
{
	size_t used = 0;

	for (; *text; text++) {
		if (isspace((unsigned char)*text))
			continue;
		if (used + 1 >= n)
			return false;
		out[used++] = *text;
	}
	out[used] = '\0';
	return true;
}

static int find_figure(enum goal_figure *f, const char *name)
{
	for (int i = 0; i < GOAL_FIGURES; i++)
		if (strcasecmp(name, figures[i].name) == 0) {
			*f = (enum goal_figure)i;
			return 0;
		}
	return -EINVAL;
}

int goal_parse(struct goal *g, const char *text, struct error *e)
{
	char word[64];
	struct error why;
	uint64_t limit;
	enum goal_figure figure;
	char *less = squeeze(word, sizeof(word), text) ? strchr(word, '<') : NULL;

	if (!less)
		return error_set(e, EINVAL, "'%s': write a goal like p99<5ms or mean<800us", text);
	char *time = less + (less[1] == '=' ? 2 : 1);
	*less = '\0';
	if (find_figure(&figure, word))
		return error_set(e, EINVAL,
				 "'%s': '%s' is none of mean, p50, p90, p95, p99 and p99.9", text,
				 word);
	/* A bare number would be seconds, which nobody means here. */
	if (time[0] == '\0' || isdigit((unsigned char)time[strlen(time) - 1]))
		return error_set(e, EINVAL, "'%s': the time needs a unit, as in p99<5ms", text);
	if (units_parse_duration(time, &limit, &why))
		return error_set(e, EINVAL, "'%s': %.200s", text, why.text);
	if (limit == 0)
		return error_set(e, EINVAL, "'%s': no IO takes less than 0", text);
	g->figure = figure;
	g->limit_ns = limit;
	return 0;
}

char *goal_describe(char *out, size_t n, const struct goal *g, int ascii)
{
	char limit[32];

	units_latency(limit, sizeof(limit), (double)g->limit_ns, ascii);
	snprintf(out, n, "%s %s < %s", figures[g->figure].name, goal_of_name(g->of), limit);
	return out;
}

double goal_value(const struct goal *g, const struct summary_op *o)
{
	switch (g->figure) {
	case GOAL_MEAN: return o->mean;
	case GOAL_P50: return o->p50;
	case GOAL_P90: return o->p90;
	case GOAL_P95: return o->p95;
	case GOAL_P99: return o->p99;
	case GOAL_P999: return o->p999;
	case GOAL_FIGURES: break;
	}
	return NAN;
}

uint64_t goal_ios(enum goal_figure f)
{
	uint64_t need = (uint64_t)llround(IOS_BEYOND / (1 - figures[f].share));

	return need > IOS_LEAST ? need : IOS_LEAST;
}
