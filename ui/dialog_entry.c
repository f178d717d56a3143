/* dialog_entry.c - a value typed straight into a knob, in a line that opens below it. */
#include <stdlib.h>
#include "dialogs.h"
#include "key.h"
#include "prose.h"
#include "setting.h"

struct entry {
	enum knob knob;
	struct workload now, then;
	struct workload_limits limits;
	struct field field;
	bool touched; /* the first character typed replaces the old value */
	struct error error;
};

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct entry *d = state;
	struct prose t = {0};
	/* The knob bar has parked the cursor on the focused knob: the box opens below it. */
	int row = c->cursor_row + 1, col = c->cursor_col - 2;
	int cols = dialog_columns(full, d->error.text[0] ? 50 : 36);

	if (d->error.text[0])
		prose_add(&t, cols, 2, ST_BAD, "! %s", d->error.text);
	else
		prose_add(&t, cols, 0, ST_DIALOG, "%s",
			  setting_info((enum setting)d->knob).example);
	struct rect in =
		dialog_box_at(c, full, v, row, col, t.count + 1, cols, knobs[d->knob].name);
	struct rect below = {in.row + 1, in.col, in.rows - 1, in.cols};
	int top = 0;
	prose_draw(c, below, &t, &top, v->g);
	field_draw(c, in, 0, 0, in.cols, &d->field);
	dialog_hint(c, in, "Enter sets it  Esc back");
	prose_free(&t);
}

/* What was typed as a workload, or why not. Permission to write is left out of the question. */
static int accept(struct entry *d)
{
	d->then = d->now;
	int rc = knob_parse(&d->then, d->knob, d->field.text, &d->error);
	return rc ? rc : workload_possible(&d->then, &d->limits, &d->error);
}

static enum dialog_result key(void *state, int key)
{
	struct entry *d = state;

	if (key == K_ESC)
		return DIALOG_CANCELLED;
	if (key == K_ENTER)
		return accept(d) ? DIALOG_OPEN : DIALOG_DONE;
	if (!d->touched && key >= ' ' && key < 0x7f)
		field_set(&d->field, "");
	if (field_key(&d->field, key)) {
		d->touched = true;
		d->error.text[0] = '\0';
	}
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	(void)state;
	return true;
}

struct dialog dialog_entry(enum knob k, const struct workload *now,
			   const struct workload_limits *limits)
{
	struct entry *d = calloc(1, sizeof(*d));
	char value[32];

	if (d) {
		d->knob = k;
		d->now = *now;
		d->limits = *limits;
		field_set(&d->field, knob_format(value, sizeof(value), now, k));
	}
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_ENTRY,
			       .types = types};
}

struct workload entry_workload(const void *state)
{
	return ((const struct entry *)state)->then;
}
