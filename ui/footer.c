/* footer.c - the last row: what the keys do, or what just happened. */
#include <stdio.h>
#include <string.h>
#include "ab_row.h"
#include "action.h"
#include "hot.h"
#include "pane_util.h"
#include "prose.h"
#include "screen.h"

/* When there isn't room for all, the first of these stay. */
static const enum action by_importance[] = {
	ACT_HELP, ACT_QUIT,  ACT_MORE,   ACT_LESS, ACT_STOP,
	ACT_MARK, ACT_SETUP, ACT_FREEZE, ACT_ZOOM, ACT_RESET,
};
#define LABELS ((int)(sizeof(by_importance) / sizeof(by_importance[0])))

/* Its key; of the other kind where there is none of this. */
static int key_name(char out[8], enum action a, bool fkeys)
{
	int key = action_first_key(a, fkeys);

	if (!key)
		key = action_first_key(a, !fkeys);
	out[0] = '\0';
	if (key)
		action_key_name(key, out);
	if (key == ' ')
		strcpy(out, "Spc");
	return key;
}

static int label_width(enum action a, bool fkeys)
{
	char name[8];

	key_name(name, a, fkeys);
	return (int)(strlen(name) + strlen(actions[a].label));
}

/* How many of the labels fit, most important first. */
static int labels_that_fit(int cols, bool fkeys)
{
	int n = 0;

	for (int used = 0; n < LABELS; n++) {
		used += label_width(by_importance[n], fkeys);
		if (used > cols)
			break;
		used++; /* the gap */
	}
	return n;
}

static bool among(enum action a, int first)
{
	for (int i = 0; i < first; i++)
		if (by_importance[i] == a)
			return true;
	return false;
}

static int draw_labels(struct canvas *c, struct rect r, bool fkeys)
{
	int n = labels_that_fit(r.cols, fkeys), col = 0;

	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		char name[8];
		int from = col;
		if (!among((enum action)a, n))
			continue;
		int key = key_name(name, (enum action)a, fkeys);
		if (!key)
			continue;
		col += canvas_text(c, r, 0, col, name, ST_KEY);
		col += canvas_text(c, r, 0, col, actions[a].label, ST_KEY_LABEL) + 1;
		hot_add(c, (struct rect){r.row, r.col + from, 1, col - from - 1}, HOT_KEY, key);
	}
	return col;
}

/* What the arrows do now, where a wide screen has room for it. */
static void draw_hint(struct canvas *c, struct rect r, int col, const struct view *v)
{
	char hint[80] = "Tab panes  Left Right knob  Up Down value  Enter type";

	if (v->focus.on_pane && v->focus.pane == PANE_EVENTS)
		strcpy(hint, "Tab next  Up Down scroll  Enter zoom");
	else if (v->focus.on_pane && v->focus.pane == PANE_SESSIONS)
		snprintf(hint, sizeof(hint), "Tab next  Up Down path  Enter zoom  %s change",
			 action_key(ACT_PATHS));
	else if (v->focus.on_pane && v->focus.pane == PANE_METERS)
		strcpy(hint, "Tab next  Up Down meter  PgUp PgDn figure  Enter settings");
	else if (v->focus.on_pane)
		snprintf(hint, sizeof(hint), "Tab next  %sEnter zoom  %s %s window",
			 v->focus.pane == PANE_HEAT ? "Left Right cursor  " : "",
			 action_key(ACT_WINDOW_SHORTER), action_key(ACT_WINDOW_LONGER));

	if (col + 2 + (int)strlen(hint) > r.cols)
		return;
	canvas_text_right(c, r, 0, r.cols, hint, ST_DIM);
	hot_words(c, r, r.cols - (int)strlen(hint), hint);
}

/* A search, a curve or Iometer's tests under way stand where messages stand: they turn the knobs. */
static void draw_pilot(struct canvas *c, struct rect r, const struct view *v)
{
	static const char stop[] = "Esc stops it";
	char text[160];

	canvas_fill(c, r, ' ', ST_VALUE);
	if (v->pilot)
		pilot_progress(text, sizeof(text), v->pilot);
	else
		series_progress(text, sizeof(text), v->series);
	int used = text_draw(c, r, 0, 0, r.cols, text, v->g, ST_VALUE);
	if (used + 2 + (int)sizeof(stop) > r.cols)
		return;
	canvas_text_right(c, r, 0, r.cols, stop, ST_DIM);
	hot_words(c, r, r.cols - (int)strlen(stop), stop);
}

static void wrap_message(struct prose *t, int cols, const struct view *v)
{
	/* A sign as well as a style: bad news must show without colour. */
	prose_add(t, cols, 2, v->message_bad ? ST_BAD : ST_VALUE, "%s%s",
		  v->message_bad ? "! " : "", v->message);
}

bool footer_is_progress(const struct view *v)
{
	return v->pilot || (v->series && !series_over(v->series));
}

int footer_rows(const struct view *v, int cols)
{
	struct prose t = {0};

	if (!v->message[0])
		return ab_row_wanted(v) ? ab_row_rows(v, cols) : 1;
	wrap_message(&t, cols, v);
	int rows = t.count;
	prose_free(&t);
	return rows > 1 ? rows : 1;
}

void footer_draw(struct canvas *c, struct rect r, const struct view *v, bool fkeys)
{
	struct prose t = {0};
	int top = 0;

	if (!v->message[0] && ab_row_wanted(v)) {
		ab_row_draw(c, r, v);
		return;
	}
	if (!v->message[0] && footer_is_progress(v)) {
		draw_pilot(c, r, v);
		return;
	}
	if (!v->message[0]) {
		draw_hint(c, r, draw_labels(c, r, fkeys), v);
		return;
	}
	wrap_message(&t, r.cols, v);
	canvas_fill(c, r, ' ', v->message_bad ? ST_BAD : ST_VALUE);
	prose_draw(c, r, &t, &top, v->g);
	prose_free(&t);
}
