/* screen.c - puts the picture together. */
#include <stdio.h>
#include "chart.h"
#include "screen.h"

/* What the vertical axis of a chart takes of its pane's width. */
#define AXIS_COLUMNS 7
#define COLUMNS_MOST 512

static void rescale(struct gather *g, int which, struct rect pane)
{
	struct chart_column col[COLUMNS_MOST];
	struct view *v = &g->view;
	int n = pane.cols - AXIS_COLUMNS;
	double max = 0;

	if (n < 1)
		return;
	if (n > COLUMNS_MOST)
		n = COLUMNS_MOST;
	chart_columns(v, which == 1, col, n);
	for (int i = 0; i < n; i++)
		if (col[i].valid && col[i].read + col[i].write > max)
			max = col[i].read + col[i].write;
	v->y_top[which] = chart_scale(v->y_top[which], max, v->now_ns, &g->scale_since[which]);
}

/* Before the first target there is only the name, and the picker over it. */
static void draw_empty(struct canvas *c, const struct ui_state *s)
{
	const struct view *v = &s->gather.view;

	canvas_fill(c, s->layout.header, ' ', ST_TITLE);
	canvas_printf(c, s->layout.header, 0, 0, ST_TITLE, " lunscope %s", v->version);
}

static void draw_small_hint(struct canvas *c)
{
	struct rect all = canvas_rect(c);

	canvas_printf(c, all, c->rows - 1, 0, ST_WARN, "%dx%d: needs %dx%d  q quits", c->cols, c->rows,
		      LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS);
}

static void draw_rows(struct canvas *c, const struct layout *l, const struct view *v)
{
	if (l->header.rows)
		header_draw(c, l->header, v);
	if (l->knobs.rows)
		knobs_draw(c, l->knobs, v);
	if (l->answer.rows)
		answer_draw(c, l->answer, v);
}

void screen_draw(struct canvas *c, struct ui_state *s)
{
	const struct view *v = &s->gather.view;
	const struct layout *l = &s->layout;

	state_resize(s, c->rows, c->cols);
	canvas_clear(c, ST_NORMAL);
	if (!s->run) {
		draw_empty(c, s);
	} else {
		rescale(&s->gather, 0, l->pane[PANE_IOPS]);
		rescale(&s->gather, 1, l->pane[PANE_RATE]);
		draw_rows(c, l, v);
		for (int p = 0; p < PANE_COUNT; p++)
			if (l->pane[p].rows)
				panes[p].draw(c, l->pane[p], v);
	}
	if (l->too_small)
		draw_small_hint(c);
	else if (l->footer.rows)
		footer_draw(c, l->footer, v, s->fkeys);
	dialog_draw(&s->dialogs, c, v);
}
