/* dialog_note.c - the words of the operator's own mark: "moved the cable to port 3". */
#include <stdio.h>
#include <stdlib.h>
#include "dialogs.h"
#include "key.h"

struct note {
	struct field field;
	char title[16];
};

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct note *d = state;
	struct rect in = dialog_box(c, full, v, 2, dialog_columns(full, 60), d->title);

	canvas_text(c, in, 0, 0, "The mark is set. What happened?", ST_DIALOG);
	field_draw(c, in, in.rows > 1 ? 1 : 0, 0, in.cols, &d->field);
	dialog_hint(c, in, "Enter notes it  Esc leaves it without words");
}

static enum dialog_result key(void *state, int key)
{
	struct note *d = state;

	if (key == K_ESC)
		return DIALOG_CANCELLED;
	if (key == K_ENTER)
		return DIALOG_DONE;
	field_key(&d->field, key);
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	(void)state;
	return true;
}

struct dialog dialog_note(char letter)
{
	struct note *d = calloc(1, sizeof(*d));

	if (d)
		snprintf(d->title, sizeof(d->title), "Mark %c", letter);
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_NOTE,
			       .types = types};
}

const char *note_text(const void *state)
{
	return ((const struct note *)state)->field.text;
}
