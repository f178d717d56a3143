/* ab_row.c - see ab_row.h. */
#include "ab_row.h"

#include <stdio.h>
#include "action.h"
#include "hot.h"
#include "pane_util.h"

#define PAIRS_SHOWN 8

static bool asking(const struct view *v)
{
	return v->ab->state == AB_ASKING;
}

static char *keys(char out[64], const struct view *v)
{
	snprintf(out, 64, "%sn leave out  %s stop", asking(v) ? "Enter it is set  " : "",
		 action_key(ACT_AB));
	return out;
}

static char *words(char *out, size_t n, const struct view *v)
{
	const struct ab *ab = v->ab;
	char progress[120], left[32];
	int side = ab_side(ab->at);

	if (asking(v)) {
		snprintf(out, n, "%u of %u  Now set %c: %s", ab->at + 1, 2 * ab->config.pairs,
			 'A' + side, ab->config.name[side]);
		return out;
	}
	uint64_t ns = ab_left_ns(ab);
	snprintf(out, n, "%s, about %s left", ab_progress(progress, sizeof(progress), ab),
		 units_span(left, sizeof(left), ns - ns % NS_PER_SEC));
	return out;
}

char *ab_row_order(char *out, size_t n, unsigned pairs)
{
	ab_order(out, n, pairs < PAIRS_SHOWN ? pairs : PAIRS_SHOWN);
	if (pairs > PAIRS_SHOWN)
		units_append(out, n, "...");
	return out;
}

bool ab_row_wanted(const struct view *v)
{
	return v->ab && !ab_over(v->ab);
}

int ab_row_rows(const struct view *v, int cols)
{
	char text[256], hint[64];
	int wide = canvas_width(words(text, sizeof(text), v)) + 2 + canvas_width(keys(hint, v));

	return wide > cols ? 2 : 1;
}

void ab_row_draw(struct canvas *c, struct rect r, const struct view *v)
{
	/* It waits for somebody: that must catch the eye. */
	enum style s = asking(v) ? ST_SELECTED : ST_VALUE;
	char text[256], hint[64];

	canvas_fill(c, r, ' ', s);
	text_draw(c, r, 0, 0, r.cols, words(text, sizeof(text), v), v->g, s);
	if (r.rows < 2 && ab_row_rows(v, r.cols) > 1)
		return;
	struct rect last = {r.row + r.rows - 1, r.col, 1, r.cols};
	canvas_text_right(c, last, 0, r.cols, keys(hint, v), asking(v) ? s : ST_DIM);
	hot_words(c, last, r.cols - canvas_width(hint), hint);
}
