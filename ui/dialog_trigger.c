/* dialog_trigger.c - what freezes the display, and whether once or each time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "prose.h"

#define TRIGGER_COLUMNS 60
#define LABEL           8

enum row { ROW_WHAT, ROW_MODE, ROWS };

struct trigger_dialog {
	struct trigger_wish wish;
	struct trigger trigger; /* what was typed, once it is accepted */
	struct field field;
	bool touched; /* the first character typed replaces what was there */
	int at;
	struct error error;
};

static void add_words(struct prose *t, int cols, const struct trigger_dialog *d)
{
	if (d->error.text[0])
		prose_add(t, cols, 2, ST_BAD, "! %s", d->error.text);
	else if (d->at == ROW_MODE)
		prose_add(t, cols, 0, ST_DIALOG,
			  "once: the display stays frozen until you let it go. each time: it is "
			  "armed "
			  "again at once, and shows the newest.");
	else
		prose_add(t, cols, 0, ST_DIALOG,
			  "iops, rate, mean, p50, p95, p99, p99.9, max or cpu with < or > and a "
			  "limit, "
			  "as p99 > 20ms for 3s; or errors, or path. Empty: none.");
}

static void draw_rows(struct canvas *c, struct rect r, struct trigger_dialog *d)
{
	static const char *const name[] = {"once", "each time"};
	int col = LABEL;

	canvas_text(c, r, ROW_WHAT, 0, "When", ST_DIALOG);
	canvas_text(c, r, ROW_MODE, 0, "Freeze", ST_DIALOG);
	for (int row = 0; row < ROWS; row++)
		hot_choice(c, (struct rect){r.row + row, r.col, row < r.rows, r.cols}, HOT_FIELD,
			   row - d->at, 0);
	for (int i = 0; i < 2; i++) {
		bool chosen = d->wish.each == (i == 1);
		hot_choice(c,
			   (struct rect){r.row + ROW_MODE, r.col + col, ROW_MODE < r.rows,
					 (int)strlen(name[i]) + 2},
			   HOT_FIELD, ROW_MODE - d->at, i - d->wish.each);
		/* Brackets too: what is chosen must show without colour. */
		col += canvas_printf(c, r, ROW_MODE, col,
				     chosen && d->at == ROW_MODE ? ST_SELECTED : ST_DIALOG,
				     "%c%s%c", chosen ? '<' : ' ', name[i], chosen ? '>' : ' ');
	}
	if (d->at == ROW_WHAT) {
		field_draw(c, r, ROW_WHAT, LABEL, r.cols - LABEL, &d->field);
		return;
	}
	canvas_text(c, r, ROW_WHAT, LABEL, d->field.text, ST_DIALOG);
	c->cursor_row = r.row + d->at;
	c->cursor_col = r.col + LABEL;
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct trigger_dialog *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, TRIGGER_COLUMNS), top = 0;

	add_words(&t, cols, d);
	int said = t.count < 2 ? 2 : t.count;
	struct rect in = dialog_box(c, full, v, ROWS + 1 + said, cols, "Trigger");
	draw_rows(c, in, d);
	struct rect below = {in.row + ROWS + 1, in.col, in.rows - ROWS - 1, in.cols};
	if (below.rows > 0)
		prose_draw(c, below, &t, &top, v->g);
	dialog_hint(c, in, "Enter arms it  Up Down row  Esc back");
	prose_free(&t);
}

static bool blank(const char *text)
{
	return text[strspn(text, " ")] == '\0';
}

static enum dialog_result accept(struct trigger_dialog *d)
{
	if (!blank(d->field.text) && trigger_parse(&d->trigger, d->field.text, &d->error))
		return DIALOG_OPEN;
	d->wish.none = blank(d->field.text);
	snprintf(d->wish.text, sizeof(d->wish.text), "%.*s", (int)sizeof(d->wish.text) - 1,
		 d->field.text);
	return DIALOG_DONE;
}

static void edit(struct trigger_dialog *d, int key)
{
	if (!d->touched && key >= ' ' && key < 0x7f)
		field_set(&d->field, "");
	if (!field_key(&d->field, key))
		return;
	d->touched = true;
	d->error.text[0] = '\0';
}

static enum dialog_result key(void *state, int key)
{
	struct trigger_dialog *d = state;

	switch (key) {
	case K_ESC: return DIALOG_CANCELLED;
	case K_ENTER: return accept(d);
	case K_UP:
	case K_DOWN:
	case K_TAB:
	case K_BACKTAB: d->at = !d->at; return DIALOG_OPEN;
	}
	if (d->at == ROW_WHAT)
		edit(d, key);
	else if (key == K_LEFT || key == K_RIGHT)
		d->wish.each = !d->wish.each;
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	return ((const struct trigger_dialog *)state)->at == ROW_WHAT;
}

struct dialog dialog_trigger(const struct trigger_wish *wish)
{
	struct trigger_dialog *d = calloc(1, sizeof(*d));

	if (d) {
		d->wish = *wish;
		field_set(&d->field, wish->text);
	}
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_TRIGGER,
			       .types = types};
}

struct trigger_wish trigger_answer(const void *state, struct trigger *t)
{
	const struct trigger_dialog *d = state;

	*t = d->trigger;
	return d->wish;
}
