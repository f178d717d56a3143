/* live.c - see live.h. */
#include "compare/live.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds without which there is no verdict. */
#define LEAST_S ((size_t)BATCHES_MIN * BATCH_MIN)
/* What is shorter may hold no whole second, and so no figure. */
#define FIGURES_LEAST_NS (2 * NS_PER_SEC)

/* --- The list. --- */

static bool offered(const struct span *s, uint64_t from_ns)
{
	return s->mark.kind != MARK_PASSED && !s->stopped && s->start_ns >= from_ns &&
	       (s->open || s->end_ns > s->start_ns);
}

static const struct live_segment *find(const struct live_pair *l, uint32_t number)
{
	for (size_t i = l ? l->segments : 0; i-- > 0;)
		if (l->segment[i].number == number)
			return &l->segment[i];
	return NULL;
}

/* The same stretch as before, and over: then it is as steady as it was. */
static void judge(struct live_segment *g, struct timeline *t, const struct live_pair *before)
{
	const struct live_segment *known = find(before, g->number);

	if (known && !g->open && !known->open && known->end_ns == g->end_ns)
		g->steady = known->steady;
	else
		g->steady = steady_word_of(t, g->start_ns, g->end_ns);
}

static bool add(struct live_pair *l, const struct span *s)
{
	/* Whenever the number is a power of two it is full. */
	if (!(l->segments & (l->segments - 1))) {
		size_t room = l->segments ? 2 * l->segments : 1;
		struct live_segment *more = realloc(l->segment, room * sizeof(*more));
		if (!more)
			return false;
		l->segment = more;
	}
	l->segment[l->segments++] = (struct live_segment){.number = s->number,
							  .open = s->open,
							  .start_ns = s->start_ns,
							  .end_ns = s->end_ns,
							  .mark = s->mark};
	return true;
}

static size_t place(const struct live_pair *l, uint32_t number, size_t otherwise)
{
	const struct live_segment *g = number ? find(l, number) : NULL;

	return g ? (size_t)(g - l->segment) : otherwise;
}

/* It is over, and shorter than that. */
static bool passing(const struct live_segment *g, uint64_t least_ns)
{
	return !g->open && g->end_ns - g->start_ns < least_ns;
}

/* What was before b: a change that takes several steps (an MTU is set, then the sessions are logged in anew)
 * leaves short segments between. Where nothing before is long enough for a
 * verdict, it is the last one that has figures. */
static size_t before_of(const struct live_pair *l, size_t b)
{
	static const uint64_t least_ns[] = {SIDE_LEAST_NS, FIGURES_LEAST_NS};

	for (size_t k = 0; k < sizeof(least_ns) / sizeof(*least_ns); k++)
		for (size_t i = b; i-- > 0;)
			if (!passing(&l->segment[i], least_ns[k]))
				return i;
	return b ? b - 1 : 1;
}

static void choose(struct live_pair *l, const struct live_wish *wish)
{
	if (l->segments < 2)
		return;
	l->state = LIVE_MORE;
	l->b = place(l, wish->b, l->segments - 1);
	l->a = place(l, wish->a, before_of(l, l->b));
	if (l->a == l->b)
		l->a = l->b ? l->b - 1 : 1;
}

struct live_pair *live_list(struct timeline *t, const struct live_wish *wish,
			    const struct live_pair *before)
{
	struct live_pair *l = calloc(1, sizeof(*l));
	struct span s;

	for (uint32_t n = 1; l && timeline_span(t, n, &s, NULL); n++) {
		if (!offered(&s, wish->from_ns))
			continue;
		if (!add(l, &s)) {
			live_free(l);
			return NULL;
		}
		judge(&l->segment[l->segments - 1], t, before);
	}
	if (l)
		choose(l, wish);
	return l;
}

void live_free(struct live_pair *l)
{
	if (!l)
		return;
	for (int i = 0; i < 2; i++)
		side_free(&l->side[i]);
	json_decref(l->differ);
	free(l->segment);
	free(l);
}

/* --- Two of them. --- */

char *live_name(char *out, size_t n, const struct live_segment *g)
{
	if (g->mark.letter)
		snprintf(out, n, "%c", g->mark.letter);
	else
		snprintf(out, n, "the start");
	return out;
}

static int take(struct live_pair *l, int which, struct timeline *t)
{
	const struct live_segment *g = &l->segment[which ? l->b : l->a];
	const struct side_cut cut = {.settle_ns = SIDE_SETTLE_NS, .open_end = g->open, .any = true};
	char name[96], letter[16];
	size_t n;
	struct sample *list = timeline_seconds_between(t, g->start_ns, g->end_ns, &n);

	if (!list)
		return -ENOMEM;
	snprintf(name, sizeof(name), "%s: %.70s", live_name(letter, sizeof(letter), g),
		 g->mark.text);
	int rc = side_take(&l->side[which], name, list, n, g->start_ns, g->end_ns, &cut);
	free(list);
	return rc;
}

/* How long a segment should be for a verdict on the IOPS: what counts, what is cut off, and up to a second at
 * either end that lies in it only in part. */
static double needed(const struct side *s, const struct live_segment *g, double *more)
{
	double length = (double)(g->end_ns - g->start_ns) / 1e9;
	double settle = (double)SIDE_SETTLE_NS / 1e9;
	size_t counted = s->unsettled ? 0 : s->count;

	*more = (double)batch_needed(s->point[METRIC_IOPS_T], counted) - (double)counted;
	if (counted)
		return length + *more;
	/* Nothing counts yet. */
	double least = settle + *more + 1;
	if (g->open)
		*more = fmax(least - length, 1);
	return g->open ? length + *more : least + settle;
}

/* It is over, and there is nothing in it that batches could be made of: no more data of the other helps. */
static bool unfit(const struct side *s, const struct live_segment *g)
{
	size_t counted = s->unsettled ? 0 : s->count;

	return !g->open && (counted < LEAST_S ||
			    !batch_choose(s->point[METRIC_IOPS_T], counted, NULL, 0));
}

/* A segment that is over gets no longer. With both of them going on too long for what there is of the other,
 * it is the shorter one that lacks data. */
static void judge_length(struct live_pair *l)
{
	const struct live_segment *g[2] = {&l->segment[l->a], &l->segment[l->b]};
	double more[2];

	for (int i = 0; i < 2; i++)
		l->needed_s[i] = needed(&l->side[i], g[i], &more[i]);
	if (l->c.verdict[METRIC_IOPS_T].kind != VERDICT_UNKNOWN) {
		l->state = LIVE_KNOWN;
		return;
	}
	int lacks = g[0]->open ? 0 : g[1]->open ? 1 : l->side[0].count > l->side[1].count;
	for (int i = 0; i < 2; i++)
		if (unfit(&l->side[i], g[i]))
			lacks = i;
	l->c.more_s = more[lacks];
	l->state = g[lacks]->open ? LIVE_MORE : lacks ? LIVE_B_SHORT : LIVE_A_SHORT;
}

bool live_same(const struct live_pair *x, const struct live_pair *y)
{
	return x->state != LIVE_ONE && y->state != LIVE_ONE &&
	       x->segment[x->a].number == y->segment[y->a].number &&
	       x->segment[x->b].number == y->segment[y->b].number;
}

/* How long both are together, warm-up or not. */
static double settled_s(const struct live_pair *l)
{
	double sum = 0;

	for (int i = 0; i < 2; i++)
		sum += l->side[i].seconds + (double)l->side[i].warmup;
	return sum;
}

static void hold(struct live_pair *l, const struct live_pair *before)
{
	if (!before || before->state != LIVE_KNOWN || !live_same(l, before))
		return;
	/* The sides of what is held are those of then. */
	double held = fmax(0, settled_s(l) - settled_s(before));
	double length = fmin(before->side[0].seconds, before->side[1].seconds);
	if (held > LIVE_HOLD * length)
		return;
	for (int i = 0; i < 2; i++) {
		side_free(&l->side[i]);
		l->side[i] = before->side[i];
	}
	l->c = before->c;
	l->held_s = held;
	l->state = LIVE_KNOWN;
}

int live_compare(struct live_pair *l, struct timeline *t, json_t *differ,
		 const struct live_pair *before)
{
	l->differ = differ;
	if (l->state == LIVE_ONE)
		return 0;
	for (int i = 0; i < 2; i++) {
		int rc = take(l, i, t);
		if (rc)
			return rc;
	}
	compare_sides(&l->c, &l->side[0], &l->side[1]);
	l->c.differences = (unsigned)json_array_size(differ);
	judge_length(l);
	if (l->state == LIVE_MORE)
		hold(l, before);
	for (int i = 0; i < 2; i++)
		side_free(&l->side[i]);
	return 0;
}

char *live_words(char *out, size_t n, const struct live_pair *l)
{
	char name[16];
	bool b = l->state == LIVE_B_SHORT;
	const struct live_segment *g = l->segments ? &l->segment[b ? l->b : l->a] : NULL;

	out[0] = 0;
	switch (l->state) {
	case LIVE_ONE: snprintf(out, n, "there is one segment so far"); break;
	case LIVE_A_SHORT:
	case LIVE_B_SHORT:
		snprintf(out, n, "%s is too short: %.0f s of about %.0f",
			 live_name(name, sizeof(name), g), (double)(g->end_ns - g->start_ns) / 1e9,
			 ceil(l->needed_s[b]));
		break;
	case LIVE_MORE: snprintf(out, n, "about %.0f s more", ceil(l->c.more_s)); break;
	case LIVE_KNOWN: break;
	}
	return out;
}
