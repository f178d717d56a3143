/* pane_events.c - what happened when: marks and trouble, the newest at the bottom. The one at the bottom is
 * told in full, over several rows where it must be; in a large pane the others are too, in a small one they
 * have a row each.
 */
#include <stdio.h>
#include <string.h>
#include "action.h"
#include "pane_util.h"
#include "prose.h"

#define TIME_COLS 9  /* "12:04:31 " */
#define TEXT_COL  11 /* after the letter and a blank */

/* From so many rows on every event is told in full. */
#define ROOMY_ROWS 8

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

/* Rows that a mark takes: one, or as many as its words need. */
static int height_of(const struct mark *m, struct rect r)
{
	struct prose words = {0};

	prose_add(&words, r.cols - TEXT_COL, 0, ST_NORMAL, "%s", m->text);
	int rows = words.count > r.rows ? r.rows : words.count;
	prose_free(&words);
	return rows < 1 ? 1 : rows;
}

static void draw_mark(struct canvas *c, struct rect r, int row, int tall, const struct view *v,
		      const struct mark *m)
{
	struct prose words = {0};

	draw_head(c, r, row, v, m);
	if (tall == 1) {
		draw_text(c, r, row, v, m, m->text);
		return;
	}
	prose_add(&words, r.cols - TEXT_COL, 0, ST_NORMAL, "%s", m->text);
	for (int i = 0; i < tall && i < words.count; i++) {
		char rest[MARK_TEXT];
		snprintf(rest, sizeof(rest), "%s", words.line[i].text);
		/* What has no row of its own is cut visibly. */
		if (i == tall - 1 && i + 1 < words.count)
			snprintf(rest + strlen(rest), sizeof(rest) - strlen(rest), " %s",
				 words.line[i + 1].text);
		draw_text(c, r, row + i, v, m, rest);
	}
	prose_free(&words);
}

/* Whether all are told in full: in a large pane, and where there is room for that. */
static bool is_roomy(const struct view *v, struct rect r)
{
	int rows = 0, count = marks_shown(v);

	for (int i = 0; r.rows < ROOMY_ROWS && i < count && rows <= r.rows; i++)
		rows += height_of(shown_at(v, i), r);
	return rows <= r.rows;
}

/* Else the newest only; at the far end of what can be scrolled the oldest has its row, so there nothing
 * wraps. */
static int wanted(const struct view *v, struct rect r, const struct mark *m, bool newest,
		  bool oldest)
{
	bool whole = is_roomy(v, r) || (newest && !(oldest && v->scroll > 0));

	return whole ? height_of(m, r) : 1;
}

/* Those before the last one, as many as there is room for above it. */
static void draw_marks(struct canvas *c, struct rect r, int last, const struct view *v)
{
	bool far_end = last <= r.rows;
	int first = last, rows = 0;

	while (first > 0) {
		int tall = wanted(v, r, shown_at(v, first - 1), first == last, far_end);
		if (rows + tall > r.rows)
			break;
		rows += tall;
		first--;
	}
	for (int i = first, row = 0; i < last; i++) {
		const struct mark *m = shown_at(v, i);
		int tall = wanted(v, r, m, i == last - 1, far_end);
		draw_mark(c, r, row, tall, v, m);
		row += tall;
	}
}

/* How many fill the pane, from the oldest on. */
static int oldest_page(const struct view *v, struct rect r, int count)
{
	int n = 0, rows = 0;

	if (!is_roomy(v, r))
		return r.rows;
	while (n < count && rows < r.rows) {
		int tall = height_of(shown_at(v, n), r);
		if (n > 0 && rows + tall > r.rows)
			break;
		rows += tall;
		n++;
	}
	return n;
}

int pane_events_most(const struct view *v, struct rect r)
{
	struct rect body = pane_inset((struct rect){r.row + 1, r.col, r.rows - 1, r.cols});
	int count = marks_shown(v);
	int page = count && body.rows > 0 ? oldest_page(v, body, count) : count;

	return count > page ? count - page : 0;
}

void pane_events_draw(struct canvas *c, struct rect r, const struct view *v)
{
	struct rect body;
	int rows = r.rows - 1, count = marks_shown(v), most = pane_events_most(v, r);
	int back = v->scroll < most ? v->scroll : most;
	char title[48];

	snprintf(title, sizeof(title), "%s adds a mark", action_key(ACT_MARK));
	if (back > 0)
		snprintf(title, sizeof(title), "%d newer below", back);
	body = pane_inset(pane_title(c, r, v, PANE_EVENTS, title));

	if (count == 0 && rows > 0)
		canvas_text(c, body, 0, 0, "nothing has happened yet", ST_DIM);
	else if (rows > 0)
		draw_marks(c, body, count - back, v);
}
