/* pane_events.c - what happened when: marks and trouble, the newest at the bottom. */
#include <string.h>
#include "pane_util.h"

#define TIME_COLS 9  /* "12:04:31 " */
#define TEXT_COL  11 /* after the letter and a blank */

/* The mark's letter, or a sign for what has none. */
static uint32_t sign_of(const struct mark *m, const struct glyphs *g)
{
	if (m->letter)
		return (uint32_t)m->letter;
	return m->kind == MARK_START ? g->lamp_on : m->kind == MARK_END ? g->lamp_off : '!';
}

static enum style style_of(const struct mark *m)
{
	if (m->letter)
		return ST_MARK;
	return m->kind == MARK_START ? ST_GOOD : m->kind == MARK_END ? ST_DIM : ST_WARN;
}

static void draw_mark(struct canvas *c, struct rect r, int row, const struct view *v,
		      const struct mark *m)
{
	enum style s = m->kind == MARK_EVENT ? ST_WARN : ST_NORMAL;
	char time[16];

	canvas_text(c, r, row, 0, clock_text(time, sizeof(time), m->wall), ST_DIM);
	canvas_put(c, r, row, TIME_COLS, sign_of(m, v->g), style_of(m));
	text_draw(c, r, row, TEXT_COL, r.cols - TEXT_COL, m->text, v->g, s);
}

void pane_events_draw(struct canvas *c, struct rect r, const struct view *v)
{
	int rows = r.rows - 1, count = marks_shown(v), back = v->scroll;
	char title[48] = "F3 adds a mark";

	/* no further back than that the oldest is on the first row */
	if (back > count - rows)
		back = count - rows;
	if (back < 0)
		back = 0;
	if (back > 0)
		snprintf(title, sizeof(title), "%d newer below", back);
	struct rect body = pane_inset(pane_title(c, r, v, PANE_EVENTS, title));
	int last = count - back, first = last > rows ? last - rows : 0;

	if (count == 0 && rows > 0)
		canvas_text(c, body, 0, 0, "nothing has happened yet", ST_DIM);
	for (size_t i = 0, n = 0; i < v->mark_count && (int)n < last; i++) {
		if (!mark_shown(&v->marks[i]))
			continue;
		if ((int)n >= first)
			draw_mark(c, body, (int)n - first, v, &v->marks[i]);
		n++;
	}
}
