/* pane_events.c - what happened when: marks and trouble, the newest at the bottom. The one at the bottom is
 * told in full, over several rows where it must be; the others have a row each, unless there is room for
 * all of all of them.
 */
#include <string.h>
#include "pane_util.h"
#include "prose.h"

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

static enum style text_style(const struct mark *m)
{
	return m->kind == MARK_EVENT ? ST_WARN : ST_NORMAL;
}

static void draw_head(struct canvas *c, struct rect r, int row, const struct view *v,
		      const struct mark *m)
{
	char time[16];

	canvas_text(c, r, row, 0, clock_text(time, sizeof(time), m->wall), ST_DIM);
	canvas_put(c, r, row, TIME_COLS, sign_of(m, v->g), style_of(m));
}

static void draw_text(struct canvas *c, struct rect r, int row, const struct view *v,
		      const struct mark *m, const char *text)
{
	text_draw(c, r, row, TEXT_COL, r.cols - TEXT_COL, text, v->g, text_style(m));
}

/* The mark whose place among those shown is n; NULL if there is none. */
static const struct mark *shown_at(const struct view *v, int n)
{
	for (size_t i = 0; i < v->mark_count; i++)
		if (mark_shown(&v->marks[i]) && n-- == 0)
			return &v->marks[i];
	return NULL;
}

/* Draws it in full into the rows from row on, unless c is NULL; returns how many it takes. */
static int draw_whole(struct canvas *c, struct rect r, int row, const struct view *v,
		      const struct mark *m)
{
	struct prose words = {0};

	prose_add(&words, r.cols - TEXT_COL, 0, ST_NORMAL, "%s", m->text);
	int tall = words.count ? words.count : 1;
	if (c)
		draw_head(c, r, row, v, m);
	for (int i = 0; c && i < words.count; i++)
		draw_text(c, r, row + i, v, m, words.line[i].text);
	prose_free(&words);
	return tall;
}

/* All of them in full, where that fits. */
static bool draw_all(struct canvas *c, struct rect r, int count, const struct view *v)
{
	int rows = 0, row = 0;

	for (int i = 0; i < count && rows <= r.rows; i++)
		rows += draw_whole(NULL, r, 0, v, shown_at(v, i));
	if (rows > r.rows)
		return false;
	for (int i = 0; i < count; i++)
		row += draw_whole(c, r, row, v, shown_at(v, i));
	return true;
}

/* At the far end of what can be scrolled the oldest has its row, so there nothing wraps. */
static void draw_marks(struct canvas *c, struct rect r, int last, const struct view *v)
{
	const struct mark *newest = shown_at(v, last - 1);
	struct prose words = {0};

	prose_add(&words, r.cols - TEXT_COL, 0, ST_NORMAL, "%s", newest->text);
	int tall = v->scroll > 0 && last <= r.rows ? 1
		   : words.count > r.rows          ? r.rows
						   : words.count;
	int above = last - 1 < r.rows - tall ? last - 1 : r.rows - tall;

	for (int row = 0; row < above; row++) {
		const struct mark *m = shown_at(v, last - 1 - above + row);
		draw_head(c, r, row, v, m);
		draw_text(c, r, row, v, m, m->text);
	}
	draw_head(c, r, above, v, newest);
	if (tall == 1)
		draw_text(c, r, above, v, newest, newest->text);
	for (int i = 0; tall > 1 && i < tall; i++)
		draw_text(c, r, above + i, v, newest, words.line[i].text);
	prose_free(&words);
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

	if (count == 0 && rows > 0)
		canvas_text(c, body, 0, 0, "nothing has happened yet", ST_DIM);
	else if (rows > 0 && (count > body.rows || !draw_all(c, body, count, v)))
		draw_marks(c, body, count - back, v);
}
