/* glyph.h - which characters this terminal can show, in six levels.
 *
 * The same data, scale and styles in all of them; only the table differs. The canvas holds code
 * points; in a locale that isn't UTF-8 term.c turns the line-drawing ones of the dec level into the
 * terminal's alternate character set.
 */
#ifndef LUNSCOPE_GLYPH_H
#define LUNSCOPE_GLYPH_H

#include <stdbool.h>
#include <stdint.h>
#include "font.h"

enum glyph_level { GL_ASCII, GL_DEC, GL_VT, GL_HALF, GL_EIGHTH, GL_BRAILLE, GL_COUNT };

struct glyphs {
	const char *name;	    /* "ascii", "dec", "vt", "half", "eighth", "braille" */
	bool utf8;		    /* needs a UTF-8 locale */
	int fill_steps;		    /* how many levels a cell of an area chart has, 1..8 */
	uint32_t fill[9];	    /* [0] = blank .. [fill_steps] = full */
	int bar_steps;		    /* the same for horizontal bars */
	uint32_t bar[9];
	int column_steps;	    /* cells as high as a share says; 0: the level has none */
	uint32_t column[9];
	uint32_t band, peak;	    /* up to the mean, from the least on; and from there to the most */
	uint32_t shade[5];	    /* heat: blank to full */
	uint32_t hline, vline, corner_tl, corner_tr, corner_bl, corner_br;
	uint32_t tee_left, tee_right, tee_up, tee_down, cross; /* tee_left: a tick on the left */
	uint32_t mark;		    /* the vertical line of a mark */
	uint32_t up, down, left, right; /* arrows */
	uint32_t lamp_on, lamp_off, bullet, cursor; /* cursor: the chosen row */
	const char *micro;	    /* "µ" or "u" */
	const char *arrow;	    /* " → " or " > " */
	const char *times;	    /* " × " or " x " */
	const char *dots;	    /* "…" or "..." */
};

extern const struct glyphs glyph_table[GL_COUNT];

/* By name; GL_COUNT if there is none. */
enum glyph_level glyph_level_find(const char *name);

/* What is known of a terminal. */
struct glyph_terminal {
	const char *term;	 /* $TERM; may be NULL */
	bool utf8;		 /* the locale's codeset is UTF-8 */
	bool line_drawing;	 /* terminfo has an alternate character set */
	bool console;		 /* a kernel console, as glyph_is_console() says */
	const struct font *font; /* the console's; NULL or empty where the kernel won't tell */
};

/* What that terminal can show: order as in the manual page under GLYPHS. */
enum glyph_level glyph_choose(const struct glyph_terminal *t);
/* Whether fd is a console of this kernel: only those have a keyboard type (KDGKBTYPE). */
bool glyph_is_console(int fd);

/* Braille dots: bit for the sub-cell (x 0..1, y 0..3, y downwards); code point = 0x2800 + bits. */
uint8_t glyph_braille_bit(int x, int y);

#endif
