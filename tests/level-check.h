/* level-check.h - that a picture holds nothing but what its level of characters has: ASCII, the level's
 * table, all braille patterns where that is the level, and in UTF-8 the symbols in words that have
 * an ASCII stand-in for fonts without them (but no lamps or arrows other than the table's).
 */
#ifndef LUNSCOPE_TESTS_LEVEL_CHECK_H
#define LUNSCOPE_TESTS_LEVEL_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "ui/font.h"
#include "ui/glyph.h"

static inline bool level_table_has(const struct glyphs *g, uint32_t ch)
{
	const uint32_t single[] = {
		g->band,      g->peak,      g->hline,    g->vline,     g->corner_tl, g->corner_tr,
		g->corner_bl, g->corner_br, g->tee_left, g->tee_right, g->tee_up,    g->tee_down,
		g->cross,     g->mark,      g->up,       g->down,      g->left,      g->right,
		g->lamp_on,   g->lamp_off,  g->bullet,   g->cursor,
	};

	for (int i = 0; i < 9; i++)
		if ((i <= g->fill_steps && g->fill[i] == ch) ||
		    (i <= g->bar_steps && g->bar[i] == ch) ||
		    (i <= g->column_steps && g->column[i] == ch) || (i < 5 && g->shade[i] == ch))
			return true;
	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (single[i] == ch)
			return true;
	return false;
}

static inline bool level_word_has(uint32_t ch)
{
	static const uint32_t table_only[] = {0x2022, 0x2190, 0x2191, 0x2193, 0x25cb, 0x25cf};

	for (size_t i = 0; i < sizeof(table_only) / sizeof(table_only[0]); i++)
		if (table_only[i] == ch)
			return false;
	return font_stand_in(ch) != 0;
}

static inline void level_check(const struct canvas *c, enum glyph_level level, const char *what)
{
	const struct glyphs *g = &glyph_table[level];

	for (int i = 0; i < c->rows * c->cols; i++) {
		uint32_t ch = c->cell[i].ch;

		if (ch < 0x7f || level_table_has(g, ch) || (g->utf8 && level_word_has(ch)) ||
		    (level == GL_BRAILLE && ch >= 0x2800 && ch < 0x2900))
			continue;
		fail_msg("%s, %s level: U+%04X at %d,%d", what, g->name, (unsigned)ch, i / c->cols,
			 i % c->cols);
	}
}

#endif
