/* prose.c - wraps paragraphs and draws them from a scroll offset, for every dialog that shows
 * prose. */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "key.h"
#include "prose.h"

void prose_free(struct prose *t)
{
	free(t->line);
	*t = (struct prose){0};
}

static struct prose_line *add_line(struct prose *t, enum style s)
{
	if (t->count == t->capacity) {
		int capacity = t->capacity ? 2 * t->capacity : 32;
		struct prose_line *line = realloc(t->line, (size_t)capacity * sizeof(*line));
		if (!line)
			return NULL;
		t->line = line;
		t->capacity = capacity;
	}
	struct prose_line *l = &t->line[t->count++];
	*l = (struct prose_line){.style = s};
	return l;
}

/* Bytes of the character at p; a stray continuation byte counts as one. */
static size_t char_bytes(const char *p)
{
	size_t n = 1;

	while (((unsigned char)p[n] & 0xc0) == 0x80 && n < 4)
		n++;
	return n;
}

static int char_columns(const char *p, size_t bytes)
{
	char one[5] = "";

	memcpy(one, p, bytes);
	return canvas_width(one);
}

/* How many bytes of p go on a line of `width` columns; *skip is the blanks at the break. */
static size_t break_at(const char *p, int width, size_t *skip)
{
	size_t fits = 0, blank = 0, tie = 0;
	int columns = 0;

	*skip = 0;
	while (p[fits]) {
		size_t n = char_bytes(p + fits);
		int w = p[fits] == PROSE_TIE ? 1 : char_columns(p + fits, n);
		if (p[fits] == ' ')
			blank = fits;
		if (p[fits] == PROSE_TIE)
			tie = fits;
		if (columns + w > width)
			break;
		columns += w;
		fits += n;
	}
	if (!p[fits])
		return fits;
	if (blank > 0 || tie > 0) {
		fits = blank > 0 ? blank : tie;
		while (p[fits + *skip] == ' ' || p[fits + *skip] == PROSE_TIE)
			(*skip)++;
	} else if (fits == 0) {
		fits = char_bytes(p);
	}
	return fits;
}

static void add_wrapped(struct prose *t, int width, int hang, enum style s, const char *p)
{
	if (width > PROSE_COLUMNS)
		width = PROSE_COLUMNS;
	if (width < 1)
		width = 1;
	if (hang > width / 2)
		hang = width / 2;
	int indent = 0;
	do {
		size_t skip, n = break_at(p, width - indent, &skip);
		struct prose_line *l = add_line(t, s);
		if (!l)
			return;
		size_t room = sizeof(l->text) - 1 - (size_t)indent;
		memset(l->text, ' ', (size_t)indent);
		memcpy(l->text + indent, p, n < room ? n : room);
		for (char *c = strchr(l->text, PROSE_TIE); c; c = strchr(c, PROSE_TIE))
			*c = ' ';
		p += n + skip;
		indent = hang;
	} while (*p);
}

void prose_add(struct prose *t, int width, int hang, enum style s, const char *fmt, ...)
{
	va_list ap;
	char *whole;

	va_start(ap, fmt);
	int n = vasprintf(&whole, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	add_wrapped(t, width, hang, s, whole);
	free(whole);
}

void prose_add_heading(struct prose *t, int width, const char *words)
{
	if (t->count)
		prose_add(t, width, 0, ST_DIALOG, "%s", "");
	prose_add(t, width, 0, ST_DIALOG_TITLE, "%s", words);
}

void prose_add_row(struct prose *t, int width, int hang, enum style s, const char *name,
		   const char *text)
{
	char *whole;
	int pad = hang - canvas_width(name);

	/* Too narrow for two columns: the text goes below its name. */
	if (width < 2 * hang) {
		add_wrapped(t, width, 0, s, name);
		prose_add(t, width, 2, s, "  %s", text);
		return;
	}
	if (asprintf(&whole, "%s%*s%s", name, pad > 1 ? pad : 1, "", text) < 0)
		return;
	add_wrapped(t, width, hang, s, whole);
	free(whole);
}

void prose_draw(struct canvas *c, struct rect r, const struct prose *t, int *top,
		const struct glyphs *g)
{
	int most = t->count > r.rows ? t->count - r.rows : 0;

	if (*top > most)
		*top = most;
	if (*top < 0)
		*top = 0;
	for (int i = 0; i < r.rows && *top + i < t->count; i++) {
		const struct prose_line *l = &t->line[*top + i];
		canvas_text(c, r, i, 0, l->text, l->style);
	}
	if (*top > 0)
		canvas_put(c, r, 0, r.cols - 1, g->up, ST_DIALOG_TITLE);
	if (*top < most)
		canvas_put(c, r, r.rows - 1, r.cols - 1, g->down, ST_DIALOG_TITLE);
}

bool prose_key(int *top, int key, int page)
{
	if (page < 1)
		page = 1;
	switch (key) {
	case K_UP: --*top; break;
	case K_DOWN: ++*top; break;
	case K_PGUP: *top -= page; break;
	case ' ':
	case K_PGDN: *top += page; break;
	case K_HOME: *top = 0; break;
	case K_END: *top = INT_MAX / 2; break;
	default: return false;
	}
	if (*top < 0)
		*top = 0;
	return true;
}
