/* heat_legend.c - see heat_legend.h. */
#include "heat_legend.h"

#include <stdio.h>
#include "pane_util.h"

#define PIECES 16

struct legend {
	char sign[5][5]; /* the shades, and the line of p99 */
	char p50[8], p99[12];
	struct piece piece[PIECES];
	int n;
};

static void add(struct legend *l, const char *text, enum style style, int gap, int rank)
{
	l->piece[l->n++] = (struct piece){text, style, gap, rank};
}

/* "= p50  ─ p99" */
static void add_lines(struct legend *l, int gap, const char *between)
{
	snprintf(l->p50, sizeof(l->p50), "%c%sp50", HEAT_P50, between);
	snprintf(l->p99, sizeof(l->p99), "%s%sp99", l->sign[4], between);
	add(l, l->p50, ST_VALUE, gap, 1);
	add(l, l->p99, ST_VALUE, *between ? 2 : 1, 1);
}

/* "% of a column's IOs  ░ 5 ▒ 20 ▓ 50 █  = p50  ─ p99": the figures are where a shade ends. */
static void spell(struct legend *l, bool words)
{
	static const char *const bound[] = {"5", "20", "50"};

	l->n = 0;
	if (words)
		add(l, "% of a column's IOs", ST_DIM, 0, 2);
	for (int i = 0; i < 4; i++) {
		add(l, l->sign[i], (enum style)(ST_HEAT_1 + i), i || !words ? 1 : 2, 0);
		if (i < 3)
			add(l, bound[i], ST_DIM, 1, 0);
	}
	if (!words)
		add(l, "%", ST_DIM, 1, 0);
	add_lines(l, 2, " ");
}

/* "░▒▓█ 5 20 50%  =p50 ─p99" */
static void spell_short(struct legend *l)
{
	l->n = 0;
	for (int i = 0; i < 4; i++)
		add(l, l->sign[i], (enum style)(ST_HEAT_1 + i), 0, 0);
	add(l, "5 20 50%", ST_DIM, 1, 2);
	add_lines(l, 2, "");
}

static int width_of(const struct legend *l)
{
	int width = 0;

	for (int i = 0; i < l->n; i++)
		width += canvas_width(l->piece[i].text) + (i ? l->piece[i].gap : 0);
	return width;
}

void heat_legend_draw(struct canvas *c, struct rect r, const struct view *v, enum pane_id id)
{
	/* As pane_title() has it: something of the rule stays between the two. */
	int room = r.cols - 2 - canvas_width(panes[id].title) - 5, width;
	struct legend l;

	for (int i = 0; i < 4; i++)
		utf8_of(l.sign[i], v->g->shade[i + 1]);
	utf8_of(l.sign[4], v->g->hline);
	spell(&l, true);
	if (width_of(&l) > room)
		spell(&l, false);
	if (width_of(&l) > room)
		spell_short(&l);
	while (l.n > 4 && width_of(&l) > room)
		l.n--;
	pane_title(c, r, v, id, "");
	width = width_of(&l);
	if (width > room)
		return;
	canvas_fill(c, (struct rect){r.row, r.col + r.cols - 3 - width, 1, width + 2}, ' ',
		    ST_RULE);
	pieces_draw(c, r, 0, r.cols - 2 - width, width, l.piece, l.n);
}
