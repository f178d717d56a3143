/* font.h - what the font of a kernel console has, and what stands for the symbols it lacks.
 *
 * Only a kernel console can be asked for its font. Which level of glyph.h it can show is one
 * question; the other is single symbols in texts (an arrow, a multiplication sign, a lamp), which
 * one font has and the next one lacks: what is missing is replaced by ASCII, one by one.
 */
#ifndef LUNSCOPE_FONT_H
#define LUNSCOPE_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "canvas.h"

/* The code points that a font maps to glyphs, in ascending order, each once; the console knows no others
 * than those of 16 bits. ASCII is taken for granted. count 0: nothing is known. */
struct font {
	uint16_t *point;
	size_t count;
};

/* Reads the map of the console behind fd. 0, or -errno (no console, or the kernel won't tell this
 * process): then *f is empty. */
int font_read(struct font *f, int fd);
void font_free(struct font *f);

bool font_has(const struct font *f, uint32_t ch);
/* The ASCII character that stands for a symbol where a font lacks it; 0 for one that has none. */
char font_stand_in(uint32_t ch);
/* Puts the stand-ins into the picture where f lacks the symbol; nothing where f is empty. */
void font_fit(const struct font *f, struct canvas *c);

#endif
