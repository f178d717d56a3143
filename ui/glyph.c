/* glyph.c - the six tables of characters, and which of them a terminal can show.
 *
 * A level holds only what its terminals really have. `vt` is what every Debian console font has
 * (no half blocks, no dark shade, no ellipsis in the kernel's own font); `dec` is what a VT100's
 * special graphics have, without the scan lines, which the Linux console lacks. State is never told
 * by two characters that a font might draw alike.
 */
#include <linux/kd.h>
#include <string.h>
#include <sys/ioctl.h>
#include "glyph.h"

/* clang-format off */
#define BOX_LIGHT                                                                                  \
	.hline = 0x2500, .vline = 0x2502,                                                          \
	.corner_tl = 0x250c, .corner_tr = 0x2510, .corner_bl = 0x2514, .corner_br = 0x2518,        \
	.tee_left = 0x2524, .tee_right = 0x251c, .tee_up = 0x2534, .tee_down = 0x252c,             \
	.cross = 0x253c
#define BAR_EIGHTHS                                                                                \
	.bar_steps = 8,                                                                            \
	.bar = {' ', 0x258f, 0x258e, 0x258d, 0x258c, 0x258b, 0x258a, 0x2589, 0x2588}
#define COLUMN_EIGHTHS                                                                             \
	.column_steps = 8,                                                                         \
	.column = {' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588}
#define SHADE_BLOCKS .shade = {' ', 0x2591, 0x2592, 0x2593, 0x2588}
#define ARROWS .up = 0x2191, .down = 0x2193, .left = 0x2190, .right = 0x2192
#define ARROWS_ASCII .up = '^', .down = 'v', .left = '<', .right = '>'
#define WORDS_UTF8 .micro = "µ", .arrow = " → ", .times = " × ", .dots = "…"
#define WORDS_ASCII .micro = "u", .arrow = " > ", .times = " x ", .dots = "..."

const struct glyphs glyph_table[GL_COUNT] = {
	[GL_ASCII] = {
		.name = "ascii", .utf8 = false,
		.fill_steps = 2, .fill = {' ', ':', '#'}, .band = '+', .peak = '.',
		.bar_steps = 2, .bar = {' ', '=', '#'},
		.shade = {' ', '.', ':', '*', '#'},
		.hline = '-', .vline = '|',
		.corner_tl = '+', .corner_tr = '+', .corner_bl = '+', .corner_br = '+',
		.tee_left = '+', .tee_right = '+', .tee_up = '+', .tee_down = '+', .cross = '+',
		.mark = '|', ARROWS_ASCII,
		.lamp_on = '*', .lamp_off = 'o', .bullet = '-', .cursor = '>', WORDS_ASCII,
	},
	[GL_DEC] = {
		.name = "dec", .utf8 = false,
		.fill_steps = 2, .fill = {' ', 0x2592, '#'}, .band = '+', .peak = '.',
		.bar_steps = 2, .bar = {' ', '=', '#'},
		.shade = {' ', '.', ':', 0x2592, '#'},
		BOX_LIGHT, .mark = 0x2502, ARROWS_ASCII,
		.lamp_on = '*', .lamp_off = 'o', .bullet = '-', .cursor = '>', WORDS_ASCII,
	},
	[GL_VT] = {
		.name = "vt", .utf8 = true,
		.fill_steps = 3, .fill = {' ', 0x2591, 0x2592, 0x2588},
		.band = '+', .peak = 0xb7,
		.bar_steps = 3, .bar = {' ', 0x2591, 0x2592, 0x2588},
		.shade = {' ', 0xb7, 0x2591, 0x2592, 0x2588},
		BOX_LIGHT, .mark = 0x2502, ARROWS,
		.lamp_on = 0x2022, .lamp_off = 'o', .bullet = 0xb7, .cursor = '>',
		.micro = "µ", .arrow = " → ", .times = " × ", .dots = "...",
	},
	[GL_HALF] = {
		.name = "half", .utf8 = true,
		.fill_steps = 2, .fill = {' ', 0x2584, 0x2588}, .band = 0x2593, .peak = 0xb7,
		.bar_steps = 2, .bar = {' ', 0x258c, 0x2588},
		SHADE_BLOCKS, BOX_LIGHT, .mark = 0x2502, ARROWS,
		.lamp_on = 0x2022, .lamp_off = 'o', .bullet = 0xb7, .cursor = '>',
		.micro = "µ", .arrow = " → ", .times = " × ", .dots = "...",
	},
	[GL_EIGHTH] = {
		.name = "eighth", .utf8 = true,
		.fill_steps = 8,
		.fill = {' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588},
		BAR_EIGHTHS, COLUMN_EIGHTHS, SHADE_BLOCKS, BOX_LIGHT, .mark = 0x250a, ARROWS,
		.band = 0x2593, .peak = 0xb7,
		.lamp_on = 0x25cf, .lamp_off = 0x25cb, .bullet = 0xb7, .cursor = '>', WORDS_UTF8,
	},
	[GL_BRAILLE] = {
		.name = "braille", .utf8 = true,
		.fill_steps = 4, .fill = {' ', 0x28c0, 0x28e4, 0x28f6, 0x28ff},
		BAR_EIGHTHS, COLUMN_EIGHTHS, SHADE_BLOCKS, BOX_LIGHT, .mark = 0x250a, ARROWS,
		.band = 0x2593, .peak = 0xb7,
		.lamp_on = 0x25cf, .lamp_off = 0x25cb, .bullet = 0xb7, .cursor = '>', WORDS_UTF8,
	},
};
/* clang-format on */

enum glyph_level glyph_level_find(const char *name)
{
	for (int i = 0; i < GL_COUNT; i++)
		if (strcmp(glyph_table[i].name, name) == 0)
			return (enum glyph_level)i;
	return GL_COUNT;
}

/* --- Which level a terminal gets --- */

/* Single symbols have stand-ins (font.h), so that a font that lacks one keeps its level. */
static bool font_draws(const struct font *f, uint32_t ch)
{
	return font_has(f, ch) || font_stand_in(ch);
}

static bool font_draws_all(const struct font *f, const uint32_t *ch, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!font_draws(f, ch[i]))
			return false;
	return true;
}

/* Whether the whole table is there: what charts, bars, heat maps and frames are made of. */
static bool font_draws_level(const struct font *f, const struct glyphs *g)
{
	const uint32_t frame[] = {
		g->hline,     g->vline,    g->corner_tl, g->corner_tr, g->corner_bl,
		g->corner_br, g->tee_left, g->tee_right, g->tee_up,    g->tee_down,
		g->cross,     g->mark,     g->band,
	};

	/* Lines are made of any dots. */
	for (uint32_t ch = 0x2800; g == &glyph_table[GL_BRAILLE] && ch < 0x2900; ch++)
		if (!font_has(f, ch))
			return false;
	return font_draws_all(f, g->fill, (size_t)g->fill_steps + 1) &&
	       font_draws_all(f, g->bar, (size_t)g->bar_steps + 1) &&
	       (!g->column_steps || font_draws_all(f, g->column, (size_t)g->column_steps + 1)) &&
	       font_draws_all(f, g->shade, sizeof(g->shade) / sizeof(g->shade[0])) &&
	       font_draws_all(f, frame, sizeof(frame) / sizeof(frame[0]));
}

static enum glyph_level font_level(const struct font *f)
{
	enum glyph_level level = GL_BRAILLE;

	while (level > GL_ASCII && !font_draws_level(f, &glyph_table[level]))
		level--;
	return level;
}

static bool is_linux(const char *term)
{
	return strcmp(term, "linux") == 0 || strncmp(term, "linux-", 6) == 0;
}

enum glyph_level glyph_choose(const struct glyph_terminal *t)
{
	if (!t->term || !*t->term || strcmp(t->term, "dumb") == 0 ||
	    strcmp(t->term, "unknown") == 0)
		return GL_ASCII;
	if (!t->utf8)
		return t->line_drawing ? GL_DEC : GL_ASCII;
	if (t->console)
		return t->font && t->font->count > 0 ? font_level(t->font) : GL_VT;
	/* A console at the other end of ssh: its font can't be asked. */
	return is_linux(t->term) ? GL_VT : GL_BRAILLE;
}

bool glyph_is_console(int fd)
{
	char type = 0;

	return ioctl(fd, KDGKBTYPE, &type) == 0 && (type == KB_101 || type == KB_84);
}

uint8_t glyph_braille_bit(int x, int y)
{
	/* Dots 1-3 and 7 run down the left column, 4-6 and 8 down the right (Unicode ch. 21.1). */
	static const uint8_t bit[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

	return x < 0 || x > 1 || y < 0 || y > 3 ? 0 : bit[x][y];
}
