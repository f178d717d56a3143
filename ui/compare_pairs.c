/* compare_pairs.c - segments in turn in the compare view: the paired verdict is the headline; see
 * compare_figures.h.
 */
#include <math.h>
#include <stdio.h>
#include "ab_row.h"
#include "compare_figures.h"
#include "pane_util.h"
#include "prose.h"
#include "verdict.h"

#define HEAD_ROWS 6
#define NAME_COL  4

static void draw_side(struct canvas *c, struct rect r, int row, const struct view *v, int side)
{
	const struct ab_result *k = v->ab_result;
	char text[64] = "";

	canvas_printf(c, r, row, 1, ST_VALUE, "%c", 'A' + side);
	if (k && k->pairs)
		snprintf(text, sizeof(text), "%.0f s in %u segment%s", k->total[side].seconds,
			 k->pairs, k->pairs == 1 ? "" : "s");
	text_draw(c, r, row, NAME_COL, r.cols - NAME_COL - canvas_width(text) - 3,
		  v->ab->config.name[side], v->g, ST_NORMAL);
	canvas_text_right(c, r, row, r.cols - 1, text, ST_DIM);
}

/* "IOPS +12.3 % [+10.1, +14.5]: different, better" */
static void draw_headline(struct canvas *c, struct rect r, int row, const struct view *v)
{
	const struct comparison *k = &v->ab_result->comparison;
	const struct verdict *iops = &k->verdict[METRIC_IOPS_T];
	char change[64], label[80], text[160];

	snprintf(text, sizeof(text), "IOPS %s: %s", verdict_change(iops, change, sizeof(change)),
		 verdict_label_pairs(label, sizeof(label), METRIC_IOPS_T, k, true));
	text_draw(c, r, row, 1, r.cols - 2, text, v->g,
		  iops->kind == VERDICT_DIFFERENT ? verdict_style(METRIC_IOPS_T, iops) : ST_VALUE);
}

static void draw_drift(struct canvas *c, struct rect r, int row, const struct view *v)
{
	const struct drift *d = &v->ab_result->comparison.drift[METRIC_IOPS_T];
	char words[96], text[160];

	snprintf(text, sizeof(text), "Drift of IOPS: %s", drift_words(d, words, sizeof(words)));
	text_draw(c, r, row, 1, r.cols - 2, text, v->g, d->known && d->shown ? ST_WARN : ST_NORMAL);
}

/* Until there are two pairs there are no more than figures. */
static void draw_waiting(struct canvas *c, struct rect r, int row, const struct view *v)
{
	const struct ab *ab = v->ab;

	if (ab->state == AB_FAILED)
		text_draw(c, r, row, 1, r.cols - 2, ab->error.text, v->g, ST_BAD);
	else if (ab_over(ab))
		canvas_text(c, r, row, 1, "No verdict: fewer than two pairs are complete.",
			    ST_WARN);
	else
		canvas_text(c, r, row, 1, "The verdict comes with the second pair.", ST_DIM);
}

static void draw_remarks(struct canvas *c, struct rect r, const struct view *v)
{
	size_t n = json_array_size(v->ab_result->also);
	const char *first = json_string_value(json_array_get(v->ab_result->also, 0));
	char text[400];

	if (n)
		snprintf(text, sizeof(text), "! %s also changed during the run%s",
			 n > 1 ? "These" : first, n > 1 ? ": d lists them" : "");
	else
		snprintf(text, sizeof(text), "Nothing else changed that is known of.");
	text_draw(c, r, 0, 1, r.cols - 2, text, v->g, n ? ST_WARN : ST_NORMAL);
	if (r.rows > 1)
		text_draw(c, r, 1, 1, r.cols - 2,
			  "An even drift cancels out. Intervals hold 95 % each; verdicts are "
			  "corrected.",
			  v->g, ST_DIM);
}

void compare_pairs_draw(struct canvas *c, struct rect r, const struct view *v, int *top, int *page)
{
	const struct ab_result *k = v->ab_result;
	unsigned pairs = k ? k->pairs : 0;
	char standing[64], order[AB_STAGES_MAX + 1], title[AB_STAGES_MAX + 32];

	ab_row_order(order, sizeof(order), v->ab->config.pairs);
	snprintf(title, sizeof(title), "In turn: %s", order);
	snprintf(standing, sizeof(standing), "%u of %u pairs%s", pairs, v->ab->config.pairs,
		 !ab_over(v->ab)           ? " so far"
		 : v->ab->state == AB_DONE ? ""
					   : ", stopped");
	compare_rule(c, r, 0, v, title, standing);
	if (r.rows < HEAD_ROWS)
		return;
	draw_side(c, r, 1, v, AB_A);
	draw_side(c, r, 2, v, AB_B);
	if (pairs < 2)
		draw_waiting(c, r, 4, v);
	if (!pairs)
		return;
	if (pairs > 1) {
		draw_headline(c, r, 3, v);
		draw_drift(c, r, 4, v);
	}
	compare_rule(c, r, 5, v, "B against A, by pairs", "change in % of A");
	int room = r.rows - HEAD_ROWS - 2, wanted = figures_shown(&k->comparison) + 1;
	int used = wanted < room ? wanted : room;
	const struct figures f = {&k->comparison, NULL, top, page};
	if (used < 2)
		return;
	figures_draw(c, (struct rect){r.row + HEAD_ROWS, r.col, used, r.cols}, v, &f);
	int below = HEAD_ROWS + used, gap = r.rows - below > 2;
	draw_remarks(c, (struct rect){r.row + below + gap, r.col, 2, r.cols}, v);
}
