/* dialog_text.c - a text in a box, to read and scroll: the command line that repeats a run, what
 * differs, an explanation.
 */
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "prose.h"

struct reader {
	char *title, *text;
	enum dialog_topic about;
	int top, page;
};

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct reader *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, PROSE_COLUMNS);

	for (const char *p = d->text; *p;) {
		size_t n = strcspn(p, "\n");
		prose_add(&t, cols, 4, ST_DIALOG, "%.*s", (int)n, p);
		p += n + (p[n] == '\n');
	}
	struct rect in = dialog_box(c, full, v, t.count, cols, d->title);
	d->page = in.rows;
	prose_draw(c, in, &t, &d->top, v->g);
	hot_add(c, in, HOT_BODY, 3);
	if (d->about)
		dialog_hint(c, in, "Esc back");
	else
		dialog_hint_only(c, in, "Esc back");
	c->cursor_row = in.row;
	c->cursor_col = in.col;
	prose_free(&t);
}

static enum dialog_result key(void *state, int key)
{
	struct reader *d = state;

	if (prose_key(&d->top, key, d->page))
		return DIALOG_OPEN;
	if (key == K_ESC || key == K_ENTER || key == 'q' || action_of_key(key) == ACT_HELP)
		return DIALOG_CANCELLED;
	return DIALOG_OPEN;
}

static void reader_free(void *state)
{
	struct reader *d = state;

	free(d->title);
	free(d->text);
	free(d);
}

struct dialog dialog_text(const char *title, const char *text, enum dialog_topic about)
{
	struct reader *d = calloc(1, sizeof(*d));

	if (!d)
		return (struct dialog){0};
	d->title = strdup(title);
	d->text = strdup(text);
	if (!d->title || !d->text) {
		reader_free(d);
		return (struct dialog){0};
	}
	d->about = about;
	return (struct dialog){
		.state = d, .draw = draw, .key = key, .free = reader_free, .about = about};
}
