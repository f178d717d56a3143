/* dialog_page.c - a text whose lines are tables: it is not wrapped, but scrolled both ways. */
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "pane_util.h"

#define PAGE_COLS 128
#define PAGE_ROWS 44
#define SIDEWAYS  8

struct page {
	char *title, *text;
	int lines, width; /* of the text */
	int top, left, rows, cols;
};

static const char *next_line(const char *p, char *out, size_t n, const struct glyphs *g)
{
	char line[1024];
	size_t length = strcspn(p, "\n");

	snprintf(line, sizeof(line), "%.*s", (int)length, p);
	text_for_level(out, n, line, g);
	return p + length + (p[length] == '\n');
}

static void measure(struct page *d)
{
	char line[1024];

	for (const char *p = d->text; *p; d->lines++) {
		p = next_line(p, line, sizeof(line), &glyph_table[GL_BRAILLE]);
		int n = canvas_width(line);
		d->width = n > d->width ? n : d->width;
	}
}

static int within(int at, int last)
{
	return at < 0 || last < 0 ? 0 : at > last ? last : at;
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct page *d = state;
	int rows = d->lines < PAGE_ROWS ? d->lines : PAGE_ROWS, row = -d->top;
	int cols = dialog_columns(full, d->width + 1 < PAGE_COLS ? d->width + 1 : PAGE_COLS);
	char line[1024];

	/* So that the frame has room for what it says. */
	if (cols < 60)
		cols = dialog_columns(full, 60);
	struct rect in = dialog_box(c, full, v, rows, cols, d->title);
	struct rect body = {in.row, in.col, in.rows, in.cols - 1};
	d->rows = in.rows;
	d->cols = body.cols;
	d->top = within(d->top, d->lines - d->rows);
	d->left = within(d->left, d->width - d->cols);
	row = -d->top;
	for (const char *p = d->text; *p && row < in.rows; row++) {
		p = next_line(p, line, sizeof(line), v->g);
		if (row >= 0)
			canvas_text(c, body, row, -d->left, line, ST_DIALOG);
	}
	if (d->top > 0)
		canvas_put(c, in, 0, in.cols - 1, v->g->up, ST_DIALOG);
	if (d->top + in.rows < d->lines)
		canvas_put(c, in, in.rows - 1, in.cols - 1, v->g->down, ST_DIALOG);
	dialog_hint(c, in,
		    d->width > d->cols ? "Arrows scroll, sideways too  Esc back"
				       : "Up Down scroll  Esc back");
	c->cursor_row = in.row;
	c->cursor_col = in.col;
}

static enum dialog_result key(void *state, int key)
{
	struct page *d = state;

	switch (key) {
	case K_ESC:
	case K_ENTER:
	case 'q': return DIALOG_CANCELLED;
	case K_UP: d->top--; break;
	case K_DOWN: d->top++; break;
	case K_PGUP: d->top -= d->rows > 1 ? d->rows - 1 : 1; break;
	case K_PGDN:
	case ' ': d->top += d->rows > 1 ? d->rows - 1 : 1; break;
	case K_HOME: d->top = d->left = 0; break;
	case K_END: d->top = d->lines; break;
	case K_LEFT: d->left -= SIDEWAYS; break;
	case K_RIGHT: d->left += SIDEWAYS; break;
	}
	d->top = within(d->top, d->lines - d->rows);
	d->left = within(d->left, d->width - d->cols);
	return DIALOG_OPEN;
}

static void release(void *state)
{
	struct page *d = state;

	free(d->title);
	free(d->text);
	free(d);
}

struct dialog dialog_page(const char *title, const char *text)
{
	struct page *d = calloc(1, sizeof(*d));

	if (!d)
		return (struct dialog){0};
	d->title = strdup(title);
	d->text = strdup(text);
	if (!d->title || !d->text) {
		release(d);
		return (struct dialog){0};
	}
	measure(d);
	return (struct dialog){
		.state = d, .draw = draw, .key = key, .free = release, .about = ABOUT_PAGE};
}
