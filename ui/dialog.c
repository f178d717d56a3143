/* dialog.c - the stack of dialogs, the box they are drawn in, and the text field they share.
 *
 * A dialog is taken off the stack before its opener is told, so that the opener may put the next
 * one there.
 */
#include <string.h>
#include "dialog.h"
#include "key.h"

bool dialog_push(struct dialog_stack *s, struct dialog d)
{
	if (!d.state)
		return false;
	if (s->depth == DIALOG_DEPTH) {
		d.free(d.state);
		return false;
	}
	s->d[s->depth++] = d;
	return true;
}

bool dialog_active(const struct dialog_stack *s)
{
	return s->depth > 0;
}

void dialog_draw(struct dialog_stack *s, struct canvas *c, const struct view *v)
{
	for (int i = 0; i < s->depth; i++) {
		/* Only the topmost has a field that is typed into. */
		c->cursor_visible = false;
		hot_clear(c);
		s->d[i].draw(s->d[i].state, c, canvas_rect(c), v);
	}
}

/* Of what is open: a function key, so that it never is something typed. */
static int help_key(void)
{
	int key = action_first_key(ACT_HELP, true);

	return key ? key : ACTION_FKEY(1);
}

bool dialog_clickable(const struct dialog_stack *s, int key)
{
	if (s->depth == 0 || !s->d[s->depth - 1].typed)
		return true;
	return key == K_ESC || key == K_UP || key == K_DOWN || key == help_key();
}

/* A question mark may be part of what is typed; a function key never is, so that there is always one. Other
 * letters are the dialogs' own. */
static bool asks_about(const struct dialog *d, int key)
{
	if (d->about == ABOUT_NONE)
		return false;
	if (action_first_key(ACT_HELP, true))
		return action_of_key(key) == ACT_HELP &&
		       (key >= ACTION_FKEY(1) || (key == '?' && !(d->types && d->types(d->state))));
	return key == ACTION_FKEY(1);
}

const char *dialog_help_key(void)
{
	static char name[8];

	return action_key_name(help_key(), name);
}

void dialog_key(struct dialog_stack *s, int key)
{
	if (s->depth == 0)
		return;
	struct dialog top = s->d[s->depth - 1];
	if (asks_about(&top, key)) {
		dialog_push(s, dialog_about(top.about));
		return;
	}
	enum dialog_result r = top.key(top.state, key);
	if (r == DIALOG_OPEN)
		return;
	s->depth--;
	if (top.closed)
		top.closed(top.state, r, top.user);
	top.free(top.state);
}

void dialog_pop(struct dialog_stack *s)
{
	if (s->depth == 0)
		return;
	struct dialog top = s->d[--s->depth];
	top.free(top.state);
}

void dialog_clear(struct dialog_stack *s)
{
	while (s->depth > 0)
		dialog_pop(s);
}

static void frame(struct canvas *c, struct rect r, const struct glyphs *g, const char *title)
{
	int bottom = r.rows - 1, right = r.cols - 1;

	for (int i = 1; i < right; i++) {
		canvas_put(c, r, 0, i, g->hline, ST_DIALOG);
		canvas_put(c, r, bottom, i, g->hline, ST_DIALOG);
	}
	for (int i = 1; i < bottom; i++) {
		canvas_put(c, r, i, 0, g->vline, ST_DIALOG);
		canvas_put(c, r, i, right, g->vline, ST_DIALOG);
	}
	canvas_put(c, r, 0, 0, g->corner_tl, ST_DIALOG);
	canvas_put(c, r, 0, right, g->corner_tr, ST_DIALOG);
	canvas_put(c, r, bottom, 0, g->corner_bl, ST_DIALOG);
	canvas_put(c, r, bottom, right, g->corner_br, ST_DIALOG);
	struct rect top = {r.row, r.col + 2, 1, r.cols - 4};
	canvas_printf(c, top, 0, 0, ST_DIALOG_TITLE, " %s ", title);
}

struct rect dialog_box_at(struct canvas *c, struct rect full, const struct view *v, int row,
			  int col, int rows, int cols, const char *title)
{
	struct rect r = {0, 0, rows + 2, cols + 4};

	if (r.rows > full.rows)
		r.rows = full.rows;
	if (r.cols > full.cols)
		r.cols = full.cols;
	if (row + r.rows > full.rows)
		row = full.rows - r.rows;
	if (col + r.cols > full.cols)
		col = full.cols - r.cols;
	r.row = full.row + (row > 0 ? row : 0);
	r.col = full.col + (col > 0 ? col : 0);
	canvas_fill(c, r, ' ', ST_DIALOG);
	hot_add(c, r, HOT_BODY, 1);
	/* A screen too small for a frame still shows the contents. */
	if (r.rows < (rows > 1 ? 4 : 3) || r.cols < 10)
		return r;
	frame(c, r, v->g, title);
	return (struct rect){r.row + 1, r.col + 2, r.rows - 2, r.cols - 4};
}

struct rect dialog_box(struct canvas *c, struct rect full, const struct view *v, int rows, int cols,
		       const char *title)
{
	return dialog_box_at(c, full, v, (full.rows - rows - 2) / 2, (full.cols - cols - 4) / 2,
			     rows, cols, title);
}

/* The frame's lower line; no rows where there is no frame. */
static struct rect below(const struct canvas *c, struct rect inner)
{
	bool there = inner.row + inner.rows < c->rows && inner.col >= 2;

	return (struct rect){inner.row + inner.rows, inner.col, there, inner.cols};
}

void dialog_hint_only(struct canvas *c, struct rect inner, const char *text)
{
	struct rect r = below(c, inner);

	if (!r.rows)
		return;
	canvas_printf(c, r, 0, 0, ST_DIALOG, " %s ", text);
	hot_words(c, r, 1, text);
}

void dialog_hint(struct canvas *c, struct rect inner, const char *text)
{
	char help[24];
	struct rect r = below(c, inner);

	snprintf(help, sizeof(help), " %s help ", dialog_help_key());
	int left = r.cols - (int)strlen(help);
	dialog_hint_only(c, inner, text);
	if (!r.rows || left <= canvas_width(text) + 2)
		return;
	canvas_text(c, r, 0, left, help, ST_DIALOG);
	hot_words(c, r, left, help);
}

int dialog_columns(struct rect full, int most)
{
	int cols = full.cols - 4;

	if (cols > most)
		cols = most;
	return cols > 1 ? cols : 1;
}

/* --- The text field. --- */

static size_t utf8_encode(char *out, int ch)
{
	if (ch < 0x80) {
		out[0] = (char)ch;
		return 1;
	}
	if (ch < 0x800) {
		out[0] = (char)(0xc0 | ch >> 6);
		out[1] = (char)(0x80 | (ch & 0x3f));
		return 2;
	}
	out[0] = (char)(0xe0 | ch >> 12);
	out[1] = (char)(0x80 | (ch >> 6 & 0x3f));
	out[2] = (char)(0x80 | (ch & 0x3f));
	return 3;
}

static bool continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static int before(const struct field *f, int at)
{
	while (at > 0 && continues(f->text[--at]))
		;
	return at;
}

static int after(const struct field *f)
{
	int at = f->cursor;

	if (at < f->length)
		at++;
	while (at < f->length && continues(f->text[at]))
		at++;
	return at;
}

static void cut(struct field *f, int from, int to)
{
	memmove(f->text + from, f->text + to, (size_t)(f->length - to) + 1);
	f->length -= to - from;
	f->cursor = from;
}

static void insert(struct field *f, int ch)
{
	char bytes[4];
	int n = (int)utf8_encode(bytes, ch);

	if (f->length + n >= (int)sizeof(f->text))
		return;
	memmove(f->text + f->cursor + n, f->text + f->cursor, (size_t)(f->length - f->cursor) + 1);
	memcpy(f->text + f->cursor, bytes, (size_t)n);
	f->length += n;
	f->cursor += n;
}

bool field_key(struct field *f, int key)
{
	switch (key) {
	case K_LEFT: f->cursor = before(f, f->cursor); return true;
	case K_RIGHT: f->cursor = after(f); return true;
	case K_HOME: f->cursor = 0; return true;
	case K_END: f->cursor = f->length; return true;
	case K_BACKSPACE: cut(f, before(f, f->cursor), f->cursor); return true;
	case K_DELETE: cut(f, f->cursor, after(f)); return true;
	case 'U' - '@': cut(f, 0, f->cursor); return true; /* ^U, as the terminal driver has it */
	}
	/* Characters beyond the basic plane share their numbers with the keys; no console has
	 * them. */
	bool control = key < ' ' || (key >= 0x7f && key < 0xa0);
	bool surrogate = key >= 0xd800 && key < 0xe000;
	if (control || surrogate || key >= 0x10000)
		return false;
	insert(f, key);
	return true;
}

void field_set(struct field *f, const char *text)
{
	size_t n = strnlen(text, sizeof(f->text) - 1);

	/* A text cut short is cut between characters. */
	while (n > 0 && continues(text[n]))
		n--;
	memcpy(f->text, text, n);
	f->text[n] = '\0';
	f->length = f->cursor = (int)n;
}

/* Columns that the bytes from..to take. */
static int columns(const struct field *f, int from, int to)
{
	char part[sizeof(f->text)];

	memcpy(part, f->text + from, (size_t)(to - from));
	part[to - from] = '\0';
	return canvas_width(part);
}

void field_draw(struct canvas *c, struct rect r, int row, int col, int n, const struct field *f)
{
	if (n > r.cols - col)
		n = r.cols - col;
	struct rect box = {r.row + row, r.col + col, row < r.rows ? 1 : 0, n};
	if (n < 1 || box.rows < 1)
		return;
	canvas_fill(c, box, ' ', ST_INPUT);
	/* Scrolls so that the cursor is always within. */
	int first = f->cursor;
	while (first > 0 && columns(f, before(f, first), f->cursor) <= n - 1)
		first = before(f, first);
	canvas_text(c, box, 0, 0, f->text + first, ST_INPUT);
	c->cursor_row = box.row;
	c->cursor_col = box.col + columns(f, first, f->cursor);
	c->cursor_visible = true;
}

void field_draw_secret(struct canvas *c, struct rect r, int row, int col, int n,
		       const struct field *f)
{
	struct field stars = {.length = 0};

	for (int i = 0; i < f->length; i++) {
		if (i == f->cursor)
			stars.cursor = stars.length;
		if (!continues(f->text[i]))
			stars.text[stars.length++] = '*';
	}
	if (f->cursor == f->length)
		stars.cursor = stars.length;
	field_draw(c, r, row, col, n, &stars);
}

void field_wipe(struct field *f)
{
	explicit_bzero(f, sizeof(*f));
}
