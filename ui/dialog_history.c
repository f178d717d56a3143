/* dialog_history.c - the browser over stored runs: found, sorted, named, compared, and let go of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "history.h"
#include "key.h"
#include "pane_util.h"

#define BROWSER_COLS 128
#define BROWSER_ROWS 40
#define BELOW        2 /* rows under the table */
#define LABEL        8

enum asking { ASK_NOTHING, ASK_FILTER, ASK_NAME, ASK_TAGS, ASK_NOTE, ASK_DELETE };

struct browser {
	struct history h;
	struct history_desk desk;
	enum asking asking;
	struct field field;
	int64_t run; /* that is asked about */
	int64_t doomed[HISTORY_CHOSEN];
	int dooms;
	bool bad;
	char said[320];
	int64_t baseline;
};

/* --- Drawing. --- */

static void draw_question(struct browser *d, struct canvas *c, struct rect r, const struct view *v)
{
	static const char *const label[] = {[ASK_FILTER] = "filter",
					    [ASK_NAME] = "name",
					    [ASK_TAGS] = "tags",
					    [ASK_NOTE] = "note"};
	const struct store_entry *e = history_at(&d->h);
	char text[400];

	if (d->asking != ASK_DELETE) {
		canvas_text(c, r, 1, 0, label[d->asking], ST_DIALOG);
		field_draw(c, r, 1, LABEL, r.cols - LABEL, &d->field);
		return;
	}
	if (d->dooms > 1)
		snprintf(text, sizeof(text), "Delete the %d chosen runs, %lld to %lld, for good?",
			 d->dooms, (long long)d->doomed[0], (long long)d->doomed[d->dooms - 1]);
	else
		snprintf(text, sizeof(text), "Delete run %lld for good?%s%s",
			 (long long)d->doomed[0], e && e->id == d->doomed[0] ? " It is " : "",
			 !e || e->id != d->doomed[0] ? ""
			 : e->words.name[0]          ? e->words.name
						     : e->target);
	text_draw(c, r, 1, 0, r.cols, text, v->g, ST_BAD);
}

static const char *hint(const struct browser *d, int cols)
{
	switch (d->asking) {
	case ASK_NOTHING: break;
	case ASK_DELETE: return "y deletes  any other key: no";
	case ASK_FILTER: return "Enter keeps the filter  Esc none";
	default: return "Enter keeps it  Esc leaves it as it was";
	}
	return cols > 100  ? "Enter shows  / filter  s sort  Space choose  v compare  b baseline  "
			     "r name  t tags  n note  Del  Esc"
	       : cols > 70 ? "Enter  / find  s sort  Space  v compare  b base  r t n  Del  Esc"
			   : "Enter  / s v b r t n  Space  Del  Esc";
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct browser *d = state;
	int cols = dialog_columns(full, BROWSER_COLS);
	int rows = d->h.count + 1 + BELOW, most = full.rows - 4;
	char title[240];

	most = most > BROWSER_ROWS ? BROWSER_ROWS : most;
	rows = rows < 8 ? 8 : rows;
	if (d->h.filter[0])
		snprintf(title, sizeof(title), "Runs: %d of %d, by %s, /%s", d->h.rows,
			 d->h.count, history_sort_name(d->h.sort), d->h.filter);
	else
		snprintf(title, sizeof(title), "Runs: %d, by %s", d->h.count,
			 history_sort_name(d->h.sort));
	struct rect in = dialog_box(c, full, v, rows < most ? rows : most, cols, title);
	struct rect list = {in.row, in.col, in.rows - BELOW, in.cols};
	struct rect below = {in.row + in.rows - BELOW, in.col, BELOW, in.cols};

	if (list.rows < 1)
		return;
	history_draw(&d->h, c, list, v);
	history_draw_details(&d->h, c, below, v);
	if (d->asking || d->said[0])
		canvas_fill(c, (struct rect){below.row + 1, below.col, 1, below.cols}, ' ',
			    ST_DIALOG);
	if (d->asking)
		draw_question(d, c, below, v);
	else if (d->said[0])
		text_draw(c, below, 1, 0, below.cols, d->said, v->g, d->bad ? ST_BAD : ST_DIALOG);
	dialog_hint(c, in, hint(d, in.cols));
}

/* --- Keys. --- */

static void say(struct browser *d, const char *words)
{
	snprintf(d->said, sizeof(d->said), "%s", words);
	d->bad = false;
}

static void ask(struct browser *d, enum asking what)
{
	const struct store_entry *e = history_at(&d->h);

	if (!e && what != ASK_FILTER)
		return;
	d->run = e ? e->id : 0;
	d->asking = what;
	field_set(&d->field, what == ASK_FILTER ? d->h.filter
			     : what == ASK_NAME ? e->words.name
			     : what == ASK_TAGS ? e->words.tags
						: e->words.note);
}

/* Those that are chosen, or the one at hand. */
static void ask_delete(struct browser *d)
{
	const struct store_entry *e = history_at(&d->h);

	if (!e)
		return;
	d->dooms = history_chosen(&d->h, d->doomed, HISTORY_CHOSEN);
	if (d->dooms > HISTORY_CHOSEN) {
		say(d, "Too many are chosen to be deleted at once.");
		return;
	}
	if (!d->dooms)
		d->doomed[d->dooms++] = e->id;
	d->asking = ASK_DELETE;
}

static void answer(struct browser *d)
{
	struct store_words w = {0};
	const char *text = d->field.text;

	if (d->asking == ASK_NAME)
		w.name = text;
	else if (d->asking == ASK_TAGS)
		w.tags = text;
	else if (d->asking == ASK_NOTE)
		w.note = text;
	if (d->asking != ASK_FILTER)
		d->desk.change(d->desk.ctx, d->run, &w);
	d->asking = ASK_NOTHING;
}

static void type(struct browser *d, int key)
{
	bool filter = d->asking == ASK_FILTER;

	if (key == K_ENTER) {
		answer(d);
		return;
	}
	if (key == K_ESC) {
		d->asking = ASK_NOTHING;
		field_set(&d->field, "");
	} else if (!field_key(&d->field, key)) {
		return;
	}
	if (filter) {
		snprintf(d->h.filter, sizeof(d->h.filter), "%s", d->field.text);
		history_arrange(&d->h);
	}
}

static void compare(struct browser *d)
{
	int64_t run[2];

	if (history_chosen(&d->h, run, 2) == 2)
		d->desk.compare(d->desk.ctx, run[0], run[1]);
	else
		say(d, "Space chooses runs: v compares two of them.");
}

static void choose(struct browser *d)
{
	if (!history_at(&d->h))
		return;
	d->h.chosen[d->h.row[d->h.at]] ^= true;
	history_move(&d->h, 1);
}

static bool move(struct history *h, int key)
{
	switch (key) {
	case K_UP: history_move(h, -1); return true;
	case K_DOWN: history_move(h, 1); return true;
	case K_PGUP: history_move(h, -h->page); return true;
	case K_PGDN: history_move(h, h->page); return true;
	case K_HOME: history_move(h, -h->rows); return true;
	case K_END: history_move(h, h->rows); return true;
	}
	return false;
}

static enum dialog_result list_key(struct browser *d, int key)
{
	const struct store_entry *e = history_at(&d->h);

	if (move(&d->h, key))
		return DIALOG_OPEN;
	switch (key) {
	case K_ESC:
	case 'q': return DIALOG_CANCELLED;
	case K_ENTER:
		if (e)
			d->desk.show(d->desk.ctx, e->id);
		break;
	case '/': ask(d, ASK_FILTER); break;
	case 'r': ask(d, ASK_NAME); break;
	case 't': ask(d, ASK_TAGS); break;
	case 'n': ask(d, ASK_NOTE); break;
	case 's':
		d->h.sort = (d->h.sort + 1) % HISTORY_SORTS;
		history_arrange(&d->h);
		break;
	case ' ': choose(d); break;
	case 'v': compare(d); break;
	case 'b': d->baseline = e ? e->id : 0; return e ? DIALOG_DONE : DIALOG_OPEN;
	case K_DELETE: ask_delete(d); break;
	}
	return DIALOG_OPEN;
}

static enum dialog_result key(void *state, int key)
{
	struct browser *d = state;

	d->said[0] = '\0';
	if (d->asking == ASK_NOTHING)
		return list_key(d, key);
	if (d->asking != ASK_DELETE) {
		type(d, key);
		return DIALOG_OPEN;
	}
	d->asking = ASK_NOTHING;
	if (key == 'y' || key == 'Y')
		d->desk.delete(d->desk.ctx, d->doomed, (size_t)d->dooms);
	else
		say(d, "Nothing is deleted.");
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	const struct browser *d = state;

	return d->asking != ASK_NOTHING && d->asking != ASK_DELETE;
}

static void release(void *state)
{
	struct browser *d = state;

	history_free(&d->h);
	free(d);
}

struct dialog dialog_history(struct store_entry *list, size_t n, const struct history_desk *desk)
{
	struct browser *d = calloc(1, sizeof(*d));

	if (!d || !history_put(&d->h, list, n)) {
		if (!d)
			free(list);
		free(d);
		return (struct dialog){0};
	}
	d->desk = *desk;
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = release,
			       .types = types,
			       .about = ABOUT_HISTORY};
}

void history_reload(void *state, struct store_entry *list, size_t n, const struct error *trouble)
{
	struct browser *d = state;

	if (trouble) {
		snprintf(d->said, sizeof(d->said), "! %s", trouble->text);
		d->bad = true;
	}
	if (list)
		history_put(&d->h, list, n);
}

int64_t history_answer(const void *state)
{
	return ((const struct browser *)state)->baseline;
}
