/* screen.c - puts the picture together. */
#include <stdio.h>
#include <string.h>
#include "chart.h"
#include "hot.h"
#include "screen.h"
#include "verdict.h"

/* About what the vertical axis of a chart takes of its pane's width. */
#define AXIS_COLUMNS 7

/* Both charts are cut into columns alike; the wider one says into how many. The heat map keeps its rows. */
static void rescale(struct ui_state *s)
{
	const struct rect *iops = &s->layout.pane[PANE_IOPS], *rate = &s->layout.pane[PANE_RATE];
	int cols = (iops->cols > rate->cols ? iops->cols : rate->cols) - AXIS_COLUMNS;
	struct view *v = &s->gather.view;

	chart_scales(&s->gather.scales, v, chart_resolution(v->level, cols));
	enum pane_id heat = s->layout.pane[PANE_HEAT].rows ? PANE_HEAT : PANE_LATENCY;
	if (s->layout.pane[heat].rows && (heat == PANE_HEAT || v->latency == LATENCY_HEAT))
		heatmap_keep_rows(v, s->cols, s->layout.pane[heat]);
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

	char text[48];

	snprintf(text, sizeof(text), "needs %dx%d, %s quits", LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS,
		 action_key(ACT_QUIT));
	/* A size that is cut short would be another one. */
	canvas_printf(c, all, c->rows - 1, 0, ST_WARN, "%s",
		      canvas_width(text) <= c->cols ? text : text + strlen("needs "));
}

static void draw_rows(struct canvas *c, const struct layout *l, const struct view *v)
{
	if (l->header.rows)
		header_draw(c, l->header, v);
	if (l->knobs.rows)
		knobs_draw(c, l->knobs, v);
	if (l->answer.rows)
		answer_draw(c, l->answer, v);
	if (l->verdict.rows)
		verdict_draw(c, l->verdict, v);
}

/* A long message covers what is above it: a reason cut short is none. */
static void draw_footer(struct canvas *c, struct rect r, const struct ui_state *s)
{
	const struct view *v = &s->gather.view;
	int more = footer_rows(v, r.cols) - 1;

	/* A dialog has all keys, and says in its frame what they do. */
	if (dialog_active(&s->dialogs) && !v->message[0] && !footer_is_progress(v))
		return;
	if (more > r.row)
		more = r.row;
	r.row -= more;
	r.rows += more;
	footer_draw(c, r, v,
		    s->setup.footer == FOOTER_AUTO ? s->fkeys : s->setup.footer == FOOTER_FKEYS);
}

static void draw_pane(struct canvas *c, const struct ui_state *s, enum pane_id p)
{
	struct rect r = s->layout.pane[p];

	panes[p].draw(c, r, &s->gather.view);
	hot_add(c, r, HOT_PANE, (int)p);
	hot_add(c, state_cursor_body(s, p), HOT_CHART, (int)p);
}

void screen_draw(struct canvas *c, struct ui_state *s)
{
	const struct view *v = &s->gather.view;
	const struct layout *l = &s->layout;

	state_resize(s, c->rows, c->cols);
	canvas_clear(c, ST_NORMAL);
	if (!v->target) {
		draw_empty(c, s);
	} else {
		rescale(s);
		draw_rows(c, l, v);
		for (int p = 0; p < PANE_COUNT; p++)
			if (l->pane[p].rows)
				draw_pane(c, s, (enum pane_id)p);
	}
	if (l->too_small)
		draw_small_hint(c);
	else
		draw_footer(c, l->footer, s);
	dialog_draw(&s->dialogs, c, v);
}
