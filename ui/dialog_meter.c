/* dialog_meter.c - what the six meters show, on which scale, and of which time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "hot.h"
#include "key.h"
#include "prose.h"

#define METER_COLUMNS 58
#define LABEL         8

enum row { ROW_METER, ROW_SHOWS, ROW_SCALE, ROW_SINCE, ROW_EVERY, ROWS };

struct meter_dialog {
	struct meter_setup setup;
	unsigned place;
	struct field field; /* the end of its scale */
	bool touched;       /* the first character typed replaces what was there */
	int at;
	struct error error;
};

/* Steps of the time between two updates; any other is for the config. */
static const unsigned every[] = {1, 2, 5, 10, 30, 60, 300, 600, 1800, 3600};
#define STEPS ((int)(sizeof(every) / sizeof(every[0])))

static struct meter_choice *choice_of(struct meter_dialog *d)
{
	return &d->setup.place[d->place];
}

static void show_place(struct meter_dialog *d, unsigned place)
{
	char text[32];

	d->place = place;
	field_set(&d->field, meter_top_text(text, sizeof(text), choice_of(d)->top));
	d->touched = false;
}

/* --- Drawing --- */

static void add_words(struct prose *t, int cols, struct meter_dialog *d)
{
	static const char *const words[ROWS] = {
		[ROW_METER] = "Which of the six: they stand in this order.",
		[ROW_SCALE] = "Where the bar ends, in this unit: 50k, 0.5. Empty: automatic.",
		[ROW_SINCE] = "All meters: of the time since the last update, or since the start.",
		[ROW_EVERY] = "All meters: how long it is from one update to the next.",
	};

	if (d->error.text[0])
		prose_add(t, cols, 2, ST_BAD, "! %s", d->error.text);
	else
		prose_add(t, cols, 0, ST_DIALOG, "%s",
			  d->at == ROW_SHOWS ? meters[choice_of(d)->what].help : words[d->at]);
}

static void row_text(struct meter_dialog *d, int row, char *out, size_t n)
{
	const struct meter_info *m = &meters[choice_of(d)->what];
	char span[32];

	switch (row) {
	case ROW_METER: snprintf(out, n, "%u of %d", d->place + 1, METER_PLACES); break;
	case ROW_SHOWS: snprintf(out, n, "%s, %s", m->name, m->unit); break;
	case ROW_SINCE:
		snprintf(out, n, "%s",
			 d->setup.since == METER_SINCE_START ? "the start" : "the last update");
		break;
	default:
		snprintf(out, n, "%s",
			 units_time_exact(span, sizeof(span), d->setup.every_s * NS_PER_SEC));
	}
}

static void draw_rows(struct canvas *c, struct rect r, struct meter_dialog *d)
{
	static const char *const name[ROWS] = {"Meter", "Shows", "Scale", "Since", "Every"};
	char text[64];

	for (int row = 0; row < ROWS; row++) {
		hot_choice(c, (struct rect){r.row + row, r.col, row < r.rows, r.cols}, HOT_FIELD,
			   row - d->at, 0);
		canvas_text(c, r, row, 0, name[row], ST_DIALOG);
		if (row == ROW_SCALE)
			continue;
		row_text(d, row, text, sizeof(text));
		/* Brackets too: what is chosen must show without colour. */
		canvas_printf(c, r, row, LABEL, row == d->at ? ST_SELECTED : ST_DIALOG,
			      row == d->at ? "<%s>" : " %s ", text);
	}
	if (d->at == ROW_SCALE) {
		field_draw(c, r, ROW_SCALE, LABEL + 1, r.cols - LABEL - 1, &d->field);
		return;
	}
	canvas_text(c, r, ROW_SCALE, LABEL + 1, d->field.text[0] ? d->field.text : "automatic",
		    ST_DIALOG);
	c->cursor_row = r.row + d->at;
	c->cursor_col = r.col + LABEL;
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct meter_dialog *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, METER_COLUMNS), top = 0;

	add_words(&t, cols, d);
	int said = t.count < 2 ? 2 : t.count;
	struct rect in = dialog_box(c, full, v, ROWS + 1 + said, cols, "Meters");
	draw_rows(c, in, d);
	struct rect below = {in.row + ROWS + 1, in.col, in.rows - ROWS - 1, in.cols};
	if (below.rows > 0)
		prose_draw(c, below, &t, &top, v->g);
	dialog_hint(c, in, "Up Down row  Left Right change  Enter sets  Esc back");
	prose_free(&t);
}

/* --- Keys --- */

/* False, with words: what was typed is no scale. */
static bool take_scale(struct meter_dialog *d)
{
	return meter_top_parse(&choice_of(d)->top, d->field.text, &d->error) == 0;
}

static unsigned turned_every(unsigned now, int dir)
{
	int at = 0;

	while (at < STEPS - 1 && every[at] < now)
		at++;
	/* One from the config lies between two steps. */
	if (every[at] > now && dir > 0)
		dir = 0;
	at += dir;
	return every[at < 0 ? 0 : at >= STEPS ? STEPS - 1 : at];
}

static void turn(struct meter_dialog *d, int dir)
{
	switch (d->at) {
	case ROW_METER:
		show_place(d, (d->place + METER_PLACES + (unsigned)dir) % METER_PLACES);
		break;
	case ROW_SHOWS:
		*choice_of(d) = (struct meter_choice){
			(enum meter)(((int)choice_of(d)->what + dir + METERS) % METERS), 0};
		/* A scale is of one figure. */
		show_place(d, d->place);
		break;
	case ROW_SINCE:
		d->setup.since = d->setup.since == METER_SINCE_START ? METER_SINCE_UPDATE
								     : METER_SINCE_START;
		break;
	case ROW_EVERY: d->setup.every_s = turned_every(d->setup.every_s, dir); break;
	}
}

static void move(struct meter_dialog *d, int dir)
{
	if (d->at == ROW_SCALE && !take_scale(d))
		return;
	d->at = (d->at + dir + ROWS) % ROWS;
	d->touched = false;
}

static void edit(struct meter_dialog *d, int key)
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
	struct meter_dialog *d = state;

	switch (key) {
	case K_ESC: return DIALOG_CANCELLED;
	case K_ENTER: return take_scale(d) ? DIALOG_DONE : DIALOG_OPEN;
	case K_UP:
	case K_BACKTAB: move(d, -1); return DIALOG_OPEN;
	case K_DOWN:
	case K_TAB: move(d, 1); return DIALOG_OPEN;
	}
	if (d->at == ROW_SCALE)
		edit(d, key);
	else if (key == K_LEFT || key == K_RIGHT)
		turn(d, key == K_LEFT ? -1 : 1);
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	return ((const struct meter_dialog *)state)->at == ROW_SCALE;
}

struct dialog dialog_meter(const struct meter_setup *setup, unsigned place)
{
	struct meter_dialog *d = calloc(1, sizeof(*d));

	if (d) {
		d->setup = *setup;
		d->at = ROW_SHOWS;
		show_place(d, place);
	}
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_METER,
			       .types = types};
}

struct meter_setup meter_answer(const void *state, unsigned *place)
{
	const struct meter_dialog *d = state;

	*place = d->place;
	return d->setup;
}
