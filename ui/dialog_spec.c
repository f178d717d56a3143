/* dialog_spec.c - an access specification of the user's own: its name, and its lines as they are typed for the
 * workload.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "access.h"
#include "dialogs.h"
#include "iometer/specs.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"

#define SPEC_COLS 70
#define LABEL     7

enum row { ROW_NAME, ROW_LINES, ROWS };

struct editor {
	struct field field[ROWS];
	int at;
	struct iometer_spec spec;  /* what was typed, once it is right */
	char before[IOMETER_NAME]; /* the name of the one that is edited; "" = a new one */
	bool others;               /* Enter was pressed, and the file would be somebody else's */
	struct error error;
};

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	static const char *const labels[ROWS] = {"Name", "Lines"};
	struct editor *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, SPEC_COLS), top = 0;

	if (d->error.text[0])
		prose_add(&t, cols, 2, ST_BAD, "! %s", d->error.text);
	else
		prose_add(&t, cols, 0, ST_DIALOG,
			  "Lines stand apart by ; and begin with a size: 4K 80%% read 70 random "
			  "100; 64K "
			  "20%% read 0 random 0. Shares make 100 %%; align SIZE, delay TIME and "
			  "burst N "
			  "may follow.");
	int said = t.count < 3 ? 3 : t.count;
	struct rect in = dialog_box(c, full, v, ROWS + 1 + said, cols, "Access specification");
	for (int i = 0; i < ROWS && i < in.rows; i++) {
		canvas_text(c, in, i, 0, labels[i], ST_DIALOG);
		hot_choice(c, (struct rect){in.row + i, in.col, i < in.rows, in.cols}, HOT_FIELD,
			   i - d->at, 0);
		if (i != d->at)
			text_draw(c, in, i, LABEL, in.cols - LABEL, d->field[i].text, v->g,
				  ST_DIALOG);
	}
	if (d->at < in.rows)
		field_draw(c, in, d->at, LABEL, in.cols - LABEL, &d->field[d->at]);
	struct rect below = {in.row + ROWS + 1, in.col, in.rows - ROWS - 1, in.cols};
	if (below.rows > 0)
		prose_draw(c, below, &t, &top, v->g);
	dialog_hint(c, in, "Enter saves it  Up Down field  Esc back");
	prose_free(&t);
}

/* What was typed, as a specification that can be saved. */
static int read_fields(struct editor *d)
{
	struct access a = {0};
	int rc = access_parse_typed(&a, d->field[ROW_LINES].text, &d->error);

	if (rc)
		return rc;
	if (!a.count)
		return error_set(&d->error, EINVAL, "no lines: one at least, as 8K read 70");
	d->spec = (struct iometer_spec){.assign = IOMETER_ASSIGN_NONE, .count = a.count};
	snprintf(d->spec.name, sizeof(d->spec.name), "%.*s", (int)sizeof(d->spec.name) - 1,
		 d->field[ROW_NAME].text);
	for (uint32_t i = 0; i < a.count; i++) {
		d->spec.line[i].line = a.line[i];
		/* 0 is "of size" there and "at sectors" here. */
		if (!a.line[i].align)
			d->spec.line[i].line.align = a.line[i].size;
		if (!a.line[i].burst)
			d->spec.line[i].line.burst = 1;
	}
	return specs_check(&d->spec, &d->error);
}

/* A new one does not take the place of another. */
static bool taken(struct editor *d)
{
	struct specs all;
	bool there = false;

	if (strcasecmp(d->before, d->spec.name) != 0) {
		specs_load(&all, NULL);
		const struct specs_row *row = specs_find(&all, d->spec.name);
		there = row && row->from == SPECS_OWN;
		specs_free(&all);
	}
	if (there)
		error_set(&d->error, EEXIST, "'%s' is there already: choose another name",
			  d->spec.name);
	return there;
}

static enum dialog_result accept(struct editor *d)
{
	bool again = d->others;

	d->others = false;
	if (read_fields(d) || taken(d))
		return DIALOG_OPEN;
	int rc = specs_save(&d->spec, again, &d->error);
	if (rc == 0)
		return DIALOG_DONE;
	d->others = rc == -EPERM && !again;
	if (d->others)
		units_append(d->error.text, sizeof(d->error.text),
			     ": Enter again saves it all the same");
	return DIALOG_OPEN;
}

static enum dialog_result key(void *state, int key)
{
	struct editor *d = state;

	switch (key) {
	case K_ESC: return DIALOG_CANCELLED;
	case K_ENTER: return accept(d);
	case K_UP:
	case K_BACKTAB:
	case K_DOWN:
	case K_TAB: d->at = (d->at + 1) % ROWS; return DIALOG_OPEN;
	}
	if (field_key(&d->field[d->at], key)) {
		d->error.text[0] = '\0';
		d->others = false;
	}
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	(void)state;
	return true;
}

struct dialog dialog_spec(const struct iometer_spec *spec)
{
	struct editor *d = calloc(1, sizeof(*d));
	struct access a = {0};
	char text[ACCESS_TEXT] = "";

	if (d && spec) {
		a.count = spec->count;
		for (uint32_t i = 0; i < spec->count; i++) {
			a.line[i] = spec->line[i].line;
			if (a.line[i].align == a.line[i].size)
				a.line[i].align = 0;
		}
		access_format(text, sizeof(text), &a);
		snprintf(d->before, sizeof(d->before), "%s", spec->name);
		field_set(&d->field[ROW_NAME], spec->name);
		field_set(&d->field[ROW_LINES], text);
	}
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_SPEC,
			       .types = types};
}

const char *spec_answer(const void *state)
{
	return ((const struct editor *)state)->spec.name;
}
