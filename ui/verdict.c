/* verdict.c - the verdict on the last change, in one row below the answer: what lunscope is for.
 *
 * Bad news has a sign as well as a style. Figures stand in the order of their weight, and as many of them as
 * there is room for.
 */
#include "verdict.h"

#include <math.h>
#include <string.h>
#include "ab.h"
#include "pane_util.h"

#define SAME_RATIO 0.005

/* 1 better, -1 worse, 0 neither or not known. */
static int direction(enum metric m, const struct verdict *v)
{
	if (v->kind != VERDICT_DIFFERENT)
		return 0;
	return v->ratio > 1 ? metrics[m].better : -metrics[m].better;
}

enum style verdict_style(enum metric m, const struct verdict *v)
{
	int way = direction(m, v);

	if (way)
		return way > 0 ? ST_GOOD : ST_WARN;
	return v->kind == VERDICT_DIFFERENT ? ST_VALUE
	       : v->kind == VERDICT_NOISE   ? ST_NORMAL
					    : ST_DIM;
}

static void label_noise(char *out, size_t n, const struct comparison *c, const struct verdict *v,
			bool roomy)
{
	const char *words = verdict_word(v, c->differences);
	double percent = 100 * v->least;
	int digits = percent < 99.95;

	if (verdict_none(v))
		snprintf(out, n, "the same: none");
	else if (verdict_open(v))
		snprintf(out, n, "undecided%s",
			 !roomy     ? ""
			 : c->pairs ? ": more pairs decide"
				    : ": more time decides");
	else if (!isfinite(percent) || percent >= 999.5)
		snprintf(out, n, "%s", words);
	else if (roomy)
		snprintf(out, n, "%s; would have seen %.*f %%", words, digits, percent);
	else
		snprintf(out, n, "%s (%.*f %%)", words, digits, percent);
}

char *verdict_label_pairs(char *out, size_t n, enum metric m, const struct comparison *c,
			  bool roomy)
{
	const struct verdict *v = &c->verdict[m];
	int way = direction(m, v);

	if (v->kind == VERDICT_DIFFERENT)
		snprintf(out, n, "different%s", way ? way > 0 ? ", better" : ", worse" : "");
	else if (v->kind == VERDICT_NOISE)
		label_noise(out, n, c, v, roomy);
	else
		snprintf(out, n, "not enough data");
	return out;
}

char *verdict_label(char *out, size_t n, enum metric m, const struct live_pair *l, bool roomy)
{
	const struct verdict *v = &l->c.verdict[m];
	bool goes_on = l->segment[l->a].open || l->segment[l->b].open;

	if (v->kind != VERDICT_UNKNOWN)
		return verdict_label_pairs(out, n, m, &l->c, roomy);
	if (l->state == LIVE_A_SHORT || l->state == LIVE_B_SHORT)
		snprintf(out, n, "%c is too short", l->state == LIVE_A_SHORT ? 'A' : 'B');
	else if (goes_on)
		snprintf(out, n, "about %.0f s more",
			 ceil(l->state == LIVE_MORE ? l->c.more_s : v->more));
	else
		snprintf(out, n, "not enough data");
	return out;
}

char *verdict_names(char *out, size_t n, const struct live_pair *l)
{
	char a[16], b[16];

	snprintf(out, n, "%s against %s", live_name(b, sizeof(b), &l->segment[l->b]),
		 live_name(a, sizeof(a), &l->segment[l->a]));
	return out;
}

/* --- The row. --- */

#define PIECES_MAX (METRICS + 4)

struct row {
	struct piece piece[PIECES_MAX];
	char text[PIECES_MAX][96];
	int n;
};

static char *add(struct row *row, enum style s)
{
	int at = row->n < PIECES_MAX ? row->n++ : PIECES_MAX - 1;

	row->piece[at] = (struct piece){row->text[at], s, 2, at};
	return row->text[at];
}

/* "IOPS +12.1 % [+9.8, +14.4]", "! p99 +31 %", "p99 within noise" */
static void add_figure(struct row *row, enum metric m, const struct verdict *v)
{
	char change[64];

	if (v->kind == VERDICT_UNKNOWN)
		return;
	char *text = add(row, verdict_style(m, v));
	if (v->kind == VERDICT_NOISE) {
		snprintf(text, sizeof(row->text[0]), "%s %s", metrics[m].name,
			 verdict_open(v) ? "undecided" : "within noise");
		return;
	}
	verdict_change(v, change, sizeof(change));
	/* The interval of what comes first; of others it is in the view. */
	if (row->n > 2)
		change[strcspn(change, "[")] = 0;
	snprintf(text, sizeof(row->text[0]), "%s%s %s", direction(m, v) < 0 ? "! " : "",
		 metrics[m].name, change);
	for (size_t n = strlen(text); n && text[n - 1] == ' ';)
		text[--n] = 0;
}

/* Reads and writes apart are for the view. */
static bool is_part(enum metric m)
{
	switch (m) {
	case METRIC_IOPS_R:
	case METRIC_IOPS_W:
	case METRIC_RATE_R:
	case METRIC_RATE_W:
	case METRIC_MEAN_R:
	case METRIC_MEAN_W: return true;
	default: return false;
	}
}

/* With blocks of one size, what is per byte changes as what is per IO does. */
static bool repeats(enum metric m, enum metric what, const struct comparison *c)
{
	return fabs(c->verdict[m].ratio / c->verdict[what].ratio - 1) < SAME_RATIO;
}

static bool says_more(enum metric m, const struct comparison *c)
{
	if (!c->shown[m] || is_part(m))
		return false;
	if (m == METRIC_RATE_T)
		return !repeats(m, METRIC_IOPS_T, c);
	return m != METRIC_CPU_IO || !repeats(m, METRIC_CPU_GIB, c);
}

/* What differs comes before what does not. */
static void add_figures(struct row *row, const struct comparison *c)
{
	static const enum metric first[] = {METRIC_IOPS_T, METRIC_RATE_T, METRIC_P99,
					    METRIC_CPU_GIB};
	const size_t n = sizeof(first) / sizeof(*first);
	bool told[METRICS];

	for (unsigned m = 0; m < METRICS; m++)
		told[m] = !says_more((enum metric)m, c);
	for (size_t i = 0; i < n; i++) {
		enum metric m = first[i];
		if (told[m] || c->verdict[m].kind != VERDICT_DIFFERENT)
			continue;
		told[m] = true;
		add_figure(row, m, &c->verdict[m]);
	}
	for (size_t i = 0; i < n; i++) {
		if (!told[first[i]])
			add_figure(row, first[i], &c->verdict[first[i]]);
		told[first[i]] = true;
	}
	for (unsigned m = 0; m < METRICS; m++)
		if (!told[m] && direction((enum metric)m, &c->verdict[m]))
			add_figure(row, (enum metric)m, &c->verdict[m]);
}

static void add_standing(struct row *row, const struct live_pair *l)
{
	bool short_one = l->state == LIVE_A_SHORT || l->state == LIVE_B_SHORT;
	char *text = add(row, short_one ? ST_DIM : ST_VALUE);

	live_words(text, sizeof(row->text[0]), l);
}

/* Segments in turn have the row until another mark is set. */
static bool is_in_turn(const struct view *v)
{
	return v->ab && v->ab_newest;
}

bool verdict_wanted(const struct view *v)
{
	return is_in_turn(v) || (v->pair && v->pair->state != LIVE_ONE);
}

static void add_pair(struct row *row, const struct live_pair *l)
{
	char names[48];

	snprintf(add(row, ST_MARK), sizeof(row->text[0]),
		 "%s:", verdict_names(names, sizeof(names), l));
	if (l->state == LIVE_KNOWN)
		add_figures(row, &l->c);
	else
		add_standing(row, l);
	if (l->state == LIVE_KNOWN && l->c.differences > 1)
		snprintf(add(row, ST_WARN), sizeof(row->text[0]), "! %u things differ",
			 l->c.differences);
}

static void add_in_turn(struct row *row, const struct view *v)
{
	const struct ab_result *k = v->ab_result;
	unsigned pairs = k ? k->pairs : 0;

	snprintf(add(row, ST_MARK), sizeof(row->text[0]), "B against A, %u pair%s:", pairs,
		 pairs == 1 ? "" : "s");
	if (pairs < 2) {
		snprintf(add(row, ST_DIM), sizeof(row->text[0]),
			 ab_over(v->ab) ? "no verdict" : "the verdict comes with the second");
		return;
	}
	add_figures(row, &k->comparison);
	if (json_array_size(k->also))
		snprintf(add(row, ST_WARN), sizeof(row->text[0]), "! more changed");
}

void verdict_draw(struct canvas *c, struct rect r, const struct view *v)
{
	struct row row = {.n = 0};

	/* What a search or a curve turns is its own affair. */
	if (r.rows < 1 || v->pilot || !verdict_wanted(v))
		return;
	if (is_in_turn(v))
		add_in_turn(&row, v);
	else
		add_pair(&row, v->pair);
	row.piece[0].gap = 0;
	if (row.n > 1)
		row.piece[1].gap = 1;
	/* Where else nothing would be cut for it. */
	snprintf(add(&row, ST_DIM), sizeof(row.text[0]), "v compares");
	int lead = r.cols > 80 ? 1 : 0;
	pieces_draw(c, r, 0, lead, r.cols - lead, row.piece, row.n);
}
