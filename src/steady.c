/* steady.c - see steady.h. The lamp itself is in lamps.c. */
#include "steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare/metric.h"

/* How far back a look goes. */
#define LOOK_S   600
#define WINDOW_S (STEADY_ROUNDS * STEADY_ROUND_S)

/* The seconds of one look that count. */
struct look {
	struct point point[LOOK_S];
	uint64_t end_ns[LOOK_S];
	size_t n;
};

static void add(struct look *l, const struct sample *s, uint64_t from_ns)
{
	if (s->t_ns - s->dt_ns < from_ns || !metric_counts(s) || l->n == LOOK_S)
		return;
	l->point[l->n] = metric_point(METRIC_IOPS_T, s);
	l->end_ns[l->n++] = s->t_ns;
}

static struct look *take_look(struct timeline *t, uint64_t from_ns)
{
	struct look *l = malloc(sizeof(*l));
	struct sample *list = malloc(LOOK_S * sizeof(*list));

	if (l && list) {
		size_t n = timeline_seconds(t, from_ns, list, LOOK_S);
		l->n = 0;
		for (size_t i = 0; i < n; i++)
			add(l, &list[i], from_ns);
	} else {
		free(l);
		l = NULL;
	}
	free(list);
	return l;
}

/* When the last round of a look began to leave the level of those before; what came before the rounds were
 * steady is no level. */
static uint64_t when_left(const struct look *l, uint64_t since_ns)
{
	double mean[LOOK_S / STEADY_ROUND_S];
	size_t first = l->n % STEADY_ROUND_S, rounds = 0;
	uint64_t began[LOOK_S / STEADY_ROUND_S];

	for (size_t i = first; i + STEADY_ROUND_S <= l->n; i += STEADY_ROUND_S) {
		if (l->end_ns[i] - NS_PER_SEC / 2 < since_ns && i + WINDOW_S < l->n)
			continue;
		mean[rounds] = series_mean(l->point + i, STEADY_ROUND_S);
		began[rounds++] = l->end_ns[i] > NS_PER_SEC ? l->end_ns[i] - NS_PER_SEC : 0;
	}
	/* It still held a round ago, so the level is that of all but the window that did not. */
	size_t calm = rounds > 2 * STEADY_ROUNDS ? rounds - STEADY_ROUNDS : STEADY_ROUNDS;
	size_t at = steady_left(mean, rounds, calm);
	return began[at < rounds ? at : rounds - 1];
}

static bool look(struct steady *s, struct timeline *t)
{
	struct look *l = take_look(t, s->segment_ns);

	if (!l)
		return false;
	s->seconds = l->n < LOOK_S ? l->n : s->seconds;
	s->state = steady_measure(l->point, l->n, STEADY_ROUND_S, &s->window);
	/* A gap that became known late may have made it too short to tell. */
	bool holds = s->state == STEADY_YES;
	bool leaves = s->held && !holds && s->state != STEADY_SHORT;
	if (leaves)
		s->left_ns = when_left(l, s->since_ns);
	if (holds && !s->held)
		s->since_ns = l->end_ns[l->n - WINDOW_S] - NS_PER_SEC;
	s->held = holds;
	free(l);
	return leaves;
}

void steady_begin(struct steady *s, uint64_t segment_ns)
{
	if (s->segment_ns != segment_ns)
		*s = (struct steady){.segment_ns = segment_ns, .window = {NAN, NAN}};
}

bool steady_second(struct steady *s, struct timeline *t, uint64_t segment_ns)
{
	struct sample newest;

	steady_begin(s, segment_ns);
	if (!timeline_seconds(t, segment_ns, &newest, 1) ||
	    newest.t_ns - newest.dt_ns < segment_ns || !metric_counts(&newest))
		return false;
	s->seconds++;
	return s->seconds % STEADY_ROUND_S == 0 && look(s, t);
}

enum steady_word steady_word(const struct point *iops, size_t n)
{
	bool settled;

	if (n < WINDOW_S)
		return STEADY_NOT_KNOWN;
	size_t warmup = warmup_length(iops, n, &settled), rest = n - warmup;
	return steady_look(iops, n, STEADY_ROUND_S) == STEADY_YES &&
			       steady_look(iops + warmup, rest, rest / STEADY_ROUNDS) == STEADY_YES
		       ? STEADY_TRUE
		       : STEADY_FALSE;
}

enum steady_word steady_word_of(struct timeline *t, uint64_t start_ns, uint64_t end_ns)
{
	size_t n, used = 0;
	struct sample *list = timeline_seconds_between(t, start_ns, end_ns, &n);
	struct point *p = malloc((n ? n : 1) * sizeof(*p));
	enum steady_word word = STEADY_NOT_KNOWN;

	if (list && p) {
		for (size_t i = 0; i < n; i++)
			if (list[i].t_ns - list[i].dt_ns >= start_ns && metric_counts(&list[i]))
				p[used++] = metric_point(METRIC_IOPS_T, &list[i]);
		word = steady_word(p, used);
	}
	free(p);
	free(list);
	return word;
}

const char *steady_word_name(enum steady_word w)
{
	return w == STEADY_TRUE ? "yes" : w == STEADY_FALSE ? "no" : "-";
}
