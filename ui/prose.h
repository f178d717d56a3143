/* prose.h - paragraphs for dialogs: wrapped to the width there is, drawn from a scroll offset.
 *
 * A dialog builds its text anew at each draw, because only then does it know how wide it is.
 */
#ifndef LUNSCOPE_PROSE_H
#define LUNSCOPE_PROSE_H

#include <stdbool.h>
#include "canvas.h"
#include "glyph.h"

/* No line of a dialog is wider than this. */
#define PROSE_COLUMNS 100

/* A blank at which a line is broken only where nothing else helps: in a word in quotes. */
#define PROSE_TIE '\1'

struct prose_line {
	enum style style;
	char text[PROSE_COLUMNS * 4 + 1];
};

struct prose {
	struct prose_line *line;
	int count, capacity;
};

void prose_free(struct prose *t);
/* Adds a paragraph wrapped to width columns at blanks (inside a word only when the word is wider).
 * Every line but the first is indented by hang columns. "" adds an empty line. Without memory the
 * paragraph is left out. */
void prose_add(struct prose *t, int width, int hang, enum style s, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* A line that opens a chapter. */
void prose_add_heading(struct prose *t, int width, const char *words);
/* A row of a two-column list: the name in front, the text from column hang on. */
void prose_add_row(struct prose *t, int width, int hang, enum style s, const char *name,
		   const char *text);
/* Draws the lines from *top on (first clamped to what there is to scroll); arrows at the right edge
 * say that there is more above or below. */
void prose_draw(struct canvas *c, struct rect r, const struct prose *t, int *top,
		const struct glyphs *g);
/* Up, down, page and end keys move *top by page lines; true when the key was one of them. */
bool prose_key(int *top, int key, int page);

#endif
