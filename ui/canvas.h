/* canvas.h - the picture before it reaches a terminal: a grid of cells.
 *
 * Panes draw here and nowhere else, so every pane can be drawn and tested without a terminal. One
 * function (term_blit) copies the grid to curses. A cell holds one code point and a style; a wide
 * character (wcwidth 2) takes its cell and marks the next as its tail. Everything clips at the
 * canvas's and the given rectangle's edge; no call can write outside.
 */
#ifndef LUNSCOPE_CANVAS_H
#define LUNSCOPE_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "style.h"

struct cell {
	uint32_t ch;	/* code point; ' ' for blank, 0 for the tail of a wide character */
	uint8_t style;	/* enum style */
};

struct hot_zone;

struct canvas {
	int rows, cols;
	struct cell *cell;	/* rows x cols */
	struct hot_zone *hot;	/* what can be clicked: hot.h */
	int hots, hot_room;
	int cursor_row, cursor_col; /* where the hardware cursor rests: on the focused item */
	bool cursor_visible;	    /* shown only while text is typed */
};

struct rect {
	int row, col, rows, cols;
};

/* 0 or -ENOMEM; contents are blank afterwards. Sizes below 1 count as 1. */
int canvas_resize(struct canvas *c, int rows, int cols);
void canvas_free(struct canvas *c);
/* All blank, the cursor hidden at the top left, nothing to be clicked. A frame starts with it. */
void canvas_clear(struct canvas *c, enum style s);

static inline struct rect canvas_rect(const struct canvas *c)
{
	return (struct rect){0, 0, c->rows, c->cols};
}

/* One code point at (row, col), relative to r, clipped to it. */
void canvas_put(struct canvas *c, struct rect r, int row, int col, uint32_t ch, enum style s);
/* UTF-8 text; invalid bytes and control characters draw as '?'. Clips at r's right edge, never
 * splitting a wide character (its half that fits is blank). Characters of no width are left out:
 * a cell holds one code point. Returns the columns the whole text would have taken. */
int canvas_text(struct canvas *c, struct rect r, int row, int col, const char *text,
		enum style s);
int canvas_printf(struct canvas *c, struct rect r, int row, int col, enum style s,
		  const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* The text's end at column right (exclusive, relative to r). */
void canvas_text_right(struct canvas *c, struct rect r, int row, int right, const char *text,
		       enum style s);
void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum style s);
/* Changes the style of n cells, leaving the characters. */
void canvas_restyle(struct canvas *c, struct rect r, int row, int col, int n, enum style s);

/* Columns that UTF-8 text takes. */
int canvas_width(const char *text);
/* Row as UTF-8 without trailing blanks into out (n bytes); returns out. "" for a row outside. */
char *canvas_row(const struct canvas *c, int row, char *out, size_t n);

#endif
