/* compare_figures.c - see compare_figures.h. */
#include "compare_figures.h"

#include <math.h>
#include <stdio.h>
#include "verdict.h"

void compare_rule(struct canvas *c, struct rect r, int row, const struct view *v, const char *title,
		  const char *right)
{
	for (int col = 0; col < r.cols; col++)
		canvas_put(c, r, row, col, v->g->hline, ST_RULE);
	canvas_printf(c, r, row, 2, ST_TITLE, " %s ", title);
	int at = r.cols - 4 - canvas_width(right);
	if (*right && at > 6 + canvas_width(title))
		canvas_printf(c, r, row, at, ST_NORMAL, " %s ", right);
}

/* Where A, B and the ratio (0: none) end, and the others begin. */
struct columns {
	int a, b, ratio, change, verdict;
};

static struct columns columns_for(int cols)
{
	if (cols >= ROOMY_COLS)
		return (struct columns){28, 42, 52, 56, 82};
	return (struct columns){23, 34, 0, 36, 59};
}

int figures_shown(const struct comparison *c)
{
	int n = 0;

	for (unsigned m = 0; m < METRICS; m++)
		n += c->shown[m];
	return n;
}

static void draw_figure(struct canvas *c, struct rect r, int row, const struct view *v,
			const struct figures *f, enum metric m)
{
	const struct verdict *k = &f->c->verdict[m];
	const struct columns at = columns_for(r.cols);
	bool ascii = !v->g->utf8;
	enum style s = verdict_style(m, k);
	char text[80];

	canvas_text(c, r, row, 1, metrics[m].name, ST_LABEL);
	canvas_text_right(c, r, row, at.a,
			  metric_words(m, k->a, v->unit, ascii, text, sizeof(text)), ST_VALUE);
	canvas_text_right(c, r, row, at.b,
			  metric_words(m, k->b, v->unit, ascii, text, sizeof(text)), ST_VALUE);
	if (at.ratio && isfinite(k->ratio)) {
		snprintf(text, sizeof(text), k->ratio < 10 ? "%.3f" : "%.1f", k->ratio);
		canvas_text_right(c, r, row, at.ratio, text, s);
	}
	canvas_text(c, r, row, at.change, verdict_change(k, text, sizeof(text)), s);
	if (f->pair)
		verdict_label(text, sizeof(text), m, f->pair, r.cols >= ROOMY_COLS);
	else
		verdict_label_pairs(text, sizeof(text), m, f->c, r.cols >= ROOMY_COLS);
	canvas_text(c, r, row, at.verdict, text, s);
}

void figures_draw(struct canvas *c, struct rect r, const struct view *v, const struct figures *f)
{
	const struct columns at = columns_for(r.cols);
	int rows = r.rows - 1, n = figures_shown(f->c), skip, row = 1;

	canvas_text_right(c, r, 0, at.a, "A", ST_LABEL);
	canvas_text_right(c, r, 0, at.b, "B", ST_LABEL);
	if (at.ratio)
		canvas_text_right(c, r, 0, at.ratio, "B / A", ST_LABEL);
	canvas_text(c, r, 0, at.change, "B against A", ST_LABEL);
	canvas_text(c, r, 0, at.verdict, r.cols >= ROOMY_COLS ? "verdict" : "verdict (would show)",
		    ST_LABEL);
	*f->page = rows > 1 ? rows : 1;
	if (*f->top > n - rows)
		*f->top = n > rows ? n - rows : 0;
	skip = *f->top;
	for (unsigned m = 0; m < METRICS && row <= rows; m++)
		if (f->c->shown[m] && skip-- <= 0)
			draw_figure(c, r, row++, v, f, (enum metric)m);
	if (*f->top > 0)
		canvas_put(c, r, 1, r.cols - 1, v->g->up, ST_DIM);
	if (*f->top + rows < n)
		canvas_put(c, r, rows, r.cols - 1, v->g->down, ST_DIM);
}
