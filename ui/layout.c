/* layout.c - which pane goes where.
 *
 * The screen is three rows on top (four with a verdict), the footer, and between them bands of one or two panes. Bands are
 * taken in order of importance as long as their smallest height fits, then grow to a comfortable
 * height, then share what is left. A pane that is switched off leaves its place to its neighbour. The
 * heat map, which is also in the latency pane, only comes where all others have what they want.
 */
#include <string.h>
#include "layout.h"

/* Side by side from here on: two panes and a column between them. */
#define PAIR_COLS 77
/* Both charts side by side only where each still shows a minute or so. */
#define CHART_PAIR_COLS 120
#define TOP_ROWS        3
#define FOOTER_ROWS     1
/* A row more on top where at least so many are left. */
#define VERDICT_REST 12
#define BANDS        PANE_COUNT
/* Title, column heads, and two lines of remarks below the paths. */
#define SESSIONS_REST 4
/* Title and column heads. */
#define NICS_REST 2

struct band {
	enum pane_id left, right; /* right: PANE_COUNT = none */
	int min, good, max;       /* rows: smallest, comfortable, no use beyond (0 = none) */
	int weight;               /* share of the rows beyond good */
	int rows;                 /* given; 0 = left out */
};

static const struct {
	int rows, cols;
	int good, max, weight;
} need[PANE_COUNT] = {
	[PANE_IOPS] = {5, 38, 9, 0, 2},     [PANE_RATE] = {5, 38, 9, 0, 2},
	[PANE_LATENCY] = {4, 38, 6, 18, 2}, [PANE_CPU] = {4, 38, 6, 18, 2},
	[PANE_TARGET] = {3, 38, 5, 0, 1},   [PANE_EVENTS] = {3, 38, 5, 0, 1},
	[PANE_SESSIONS] = {3, 38, 4, 0, 1}, [PANE_NICS] = {3, 38, 4, 0, 1},
	[PANE_HEAT] = {6, 38, 8, 26, 2},    [PANE_METERS] = {4, 38, 7, 25, 1},
};

const struct pane_plan pane_plan_usual = {
	.order = {PANE_IOPS, PANE_RATE, PANE_HEAT, PANE_LATENCY, PANE_CPU, PANE_TARGET, PANE_EVENTS,
		  PANE_SESSIONS, PANE_NICS, PANE_METERS},
	.hidden = 1u << PANE_METERS, /* its figures are in other panes, too */
};

void layout_pane_min(enum pane_id p, int *rows, int *cols)
{
	*rows = p < PANE_COUNT ? need[p].rows : 0;
	*cols = p < PANE_COUNT ? need[p].cols : 0;
}

static bool shown(enum pane_id p, unsigned hidden)
{
	return p < PANE_COUNT && !(hidden & 1u << p);
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* The rows that a plan gives a pane beyond its least: few, or its share of what is left. */
static void resize_band(struct band *b, int size)
{
	if (size == PANE_SMALL)
		b->good = b->min;
	else if (size == PANE_LARGE)
		b->good += b->good / 2;
	if (size == PANE_LARGE)
		b->weight *= 3;
}

/* Appends a band of those of the two panes that are switched on; returns the new count. */
static int add_band(struct band *b, int n, enum pane_id left, enum pane_id right,
		    const struct pane_plan *plan)
{
	if (!shown(left, plan->hidden)) {
		left = right;
		right = PANE_COUNT;
	}
	if (!shown(left, plan->hidden))
		return n;
	if (!shown(right, plan->hidden))
		right = PANE_COUNT;
	b[n] = (struct band){
		left, right, need[left].rows, need[left].good, need[left].max, need[left].weight,
		0};
	int size = plan->size[left];
	if (right < PANE_COUNT) {
		b[n].min = larger(b[n].min, need[right].rows);
		b[n].good = larger(b[n].good, need[right].good);
		b[n].max = b[n].max && need[right].max ? larger(b[n].max, need[right].max) : 0;
		b[n].weight = larger(b[n].weight, need[right].weight);
		size = larger(size, plan->size[right]);
	}
	resize_band(&b[n], size);
	return n + 1;
}

/* A table: it has no use for more than its rows. */
static int add_sessions(struct band *b, int n, const struct pane_plan *plan, unsigned paths)
{
	int with = add_band(b, n, PANE_SESSIONS, PANE_COUNT, plan);

	if (with > n) {
		b[n].max = (int)paths + SESSIONS_REST;
		b[n].good = b[n].max - 1;
	}
	return with;
}

static int add_nics(struct band *b, int n, const struct pane_plan *plan, unsigned nics)
{
	int with = add_band(b, n, PANE_NICS, PANE_COUNT, plan);

	if (with > n)
		b[n].good = b[n].max = (int)nics + NICS_REST;
	return with;
}

static bool is_chart(enum pane_id p)
{
	return p == PANE_IOPS || p == PANE_RATE;
}

/* From which width on a pane shares its band with the next; 0: never. The heat map has the charts'
 * columns, and shares its band with panes of any kind but theirs. */
static int pair_cols(enum pane_id p, enum pane_id next)
{
	bool heat = p == PANE_HEAT || next == PANE_HEAT;

	if (next == PANE_COUNT || (p > PANE_EVENTS && p != PANE_HEAT) ||
	    (next > PANE_EVENTS && next != PANE_HEAT) || is_chart(p) != is_chart(next))
		return 0;
	return is_chart(p) || heat ? CHART_PAIR_COLS : PAIR_COLS;
}

/* The heat map has no place where it isn't shown: the panes behind it are neighbours then. */
static int places(enum pane_id out[PANE_COUNT], const struct pane_plan *plan)
{
	int n = 0;

	for (int i = 0; i < PANE_COUNT; i++)
		if (plan->order[i] != PANE_HEAT || shown(PANE_HEAT, plan->hidden))
			out[n++] = plan->order[i];
	return n;
}

/* The bands for this width, from top to bottom: neighbours of a kind share one where there is room. */
static int make_bands(struct band *b, int cols, const struct pane_plan *plan, unsigned paths,
		      unsigned nics)
{
	enum pane_id order[PANE_COUNT];
	int n = 0, count = places(order, plan);

	for (int i = 0; i < count; i++) {
		enum pane_id p = order[i];
		enum pane_id next = i + 1 < count ? order[i + 1] : PANE_COUNT;
		int wide = pair_cols(p, next);

		if (p == PANE_SESSIONS) {
			n = add_sessions(b, n, plan, paths);
		} else if (p == PANE_NICS) {
			n = add_nics(b, n, plan, nics);
		} else if (wide && cols >= wide) {
			n = add_band(b, n, p, next, plan);
			i++;
		} else {
			n = add_band(b, n, p, PANE_COUNT, plan);
		}
	}
	return n;
}

/* Gives every band that is to be seen its smallest height; returns the rows left over. The second
 * chart and the NICs come last, and only when nobody else is cramped by them. */
static int choose_bands(struct band *b, int n, int room)
{
	static const enum pane_id order[] = {PANE_IOPS,   PANE_LATENCY, PANE_SESSIONS, PANE_CPU,
					     PANE_EVENTS, PANE_TARGET,  PANE_RATE,     PANE_METERS,
					     PANE_NICS,   PANE_HEAT};
	int good = 0;

	for (size_t o = 0; o < sizeof(order) / sizeof(order[0]); o++)
		for (int i = 0; i < n; i++) {
			bool extra = good > 0 && (b[i].left == PANE_RATE || b[i].left == PANE_NICS);
			int total = 0;

			if (b[i].rows || (b[i].left != order[o] && b[i].right != order[o]))
				continue;
			for (int k = 0; k < n; k++)
				total += b[k].rows;
			if (total + b[i].min > room || (extra && good + b[i].good > room))
				continue;
			b[i].rows = b[i].min;
			good += b[i].good;
		}
	for (int i = 0; i < n; i++)
		room -= b[i].rows;
	return room;
}

/* The band that lacks most of a comfortable height, the upper one first; -1 if none does. A row of a
 * table counts as several of a picture, which shows the same in fewer. */
static int cramped_band(const struct band *b, int n)
{
	int best = -1, most = 0;

	for (int i = 0; i < n; i++) {
		int lack = b[i].good - b[i].rows;

		if (b[i].left == PANE_SESSIONS)
			lack *= 4;
		if (b[i].rows && lack > most) {
			most = lack;
			best = i;
		}
	}
	return best;
}

/* The band that has least beyond its comfortable height for its weight; -1 if all are full. */
static int lightest_band(const struct band *b, int n)
{
	int best = -1;

	for (int i = 0; i < n; i++) {
		if (!b[i].rows || (b[i].max && b[i].rows >= b[i].max))
			continue;
		if (best < 0 || (b[i].rows - b[i].good) * b[best].weight <
					(b[best].rows - b[best].good) * b[i].weight)
			best = i;
	}
	return best;
}

static void grow_bands(struct band *b, int n, int room)
{
	for (; room > 0; room--) {
		int i = cramped_band(b, n);

		if (i < 0)
			i = lightest_band(b, n);
		if (i < 0)
			return;
		b[i].rows++;
	}
}

/* Is nobody cramped by the heat map, or there nobody else? Room: with the verdict's row taken, so that it
 * doesn't come and go with that. */
static bool heat_fits(int room, int cols, const struct pane_plan *plan, unsigned paths,
		      unsigned nics)
{
	struct band b[BANDS];
	int n = make_bands(b, cols, plan, paths, nics);

	if (n == 1 && b[0].left == PANE_HEAT && b[0].right == PANE_COUNT)
		return true;
	grow_bands(b, n, choose_bands(b, n, room));
	for (int i = 0; i < n; i++)
		if (b[i].rows < b[i].good)
			return false;
	return true;
}

static void place_bands(struct layout *l, const struct band *b, int n, int row, int cols)
{

	for (int i = 0; i < n; i++) {
		int left = b[i].right < PANE_COUNT ? (cols - 1) / 2 : cols;

		if (!b[i].rows)
			continue;
		l->pane[b[i].left] = (struct rect){row, 0, b[i].rows, left};
		if (b[i].right < PANE_COUNT)
			l->pane[b[i].right] =
				(struct rect){row, left + 1, b[i].rows, cols - left - 1};
		row += b[i].rows;
	}
}

/* The rows that fit, most wanted first: header, footer, answer, knobs. */
static void layout_tiny(struct layout *l, int rows, int cols)
{
	int row = 0;

	l->too_small = true;
	l->header = (struct rect){row++, 0, 1, cols};
	if (rows >= 4)
		l->knobs = (struct rect){row++, 0, 1, cols};
	if (rows >= 3)
		l->answer = (struct rect){row++, 0, 1, cols};
	if (rows >= 2)
		l->footer = (struct rect){rows - 1, 0, 1, cols};
}

struct layout layout_planned(int rows, int cols, enum pane_id zoom, const struct pane_plan *plan,
			     unsigned paths, unsigned nics, bool verdict)
{
	struct pane_plan there = *plan;
	int top = TOP_ROWS, room = rows - TOP_ROWS - FOOTER_ROWS;
	struct band band[BANDS];
	struct layout l;
	int n;

	memset(&l, 0, sizeof(l));
	if (rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS) {
		layout_tiny(&l, rows, cols);
		return l;
	}
	l.header = (struct rect){0, 0, 1, cols};
	l.knobs = (struct rect){1, 0, 1, cols};
	l.answer = (struct rect){2, 0, 1, cols};
	l.footer = (struct rect){rows - 1, 0, 1, cols};
	if (verdict && room > VERDICT_REST) {
		l.verdict = (struct rect){top++, 0, 1, cols};
		room--;
	}
	if (!paths)
		there.hidden |= 1u << PANE_SESSIONS;
	if (!nics)
		there.hidden |= 1u << PANE_NICS;
	if ((zoom == PANE_SESSIONS && !paths) || (zoom == PANE_NICS && !nics))
		zoom = PANE_COUNT;
	if (zoom < PANE_COUNT) {
		l.pane[zoom] = (struct rect){top, 0, room, cols};
		return l;
	}
	if (!heat_fits(rows - TOP_ROWS - FOOTER_ROWS - 1, cols, &there, paths, nics))
		there.hidden |= 1u << PANE_HEAT;
	n = make_bands(band, cols, &there, paths, nics);
	grow_bands(band, n, choose_bands(band, n, room));
	place_bands(&l, band, n, top, cols);
	return l;
}

struct layout layout_compute(int rows, int cols, enum pane_id zoom, unsigned hidden, unsigned paths,
			     unsigned nics, bool verdict)
{
	struct pane_plan plan = pane_plan_usual;

	plan.hidden = hidden;
	return layout_planned(rows, cols, zoom, &plan, paths, nics, verdict);
}
