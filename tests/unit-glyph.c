/* unit-glyph.c - what each level may hold, and that none has a hole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "ui/canvas.h"
#include "ui/glyph.h"

#define MOST 64

/* Every code point of a level's charts, frames and symbols; returns how many. */
static int symbols(const struct glyphs *g, uint32_t out[MOST])
{
	const uint32_t single[] = {
		g->hline,    g->vline,     g->corner_tl, g->corner_tr, g->corner_bl, g->corner_br,
		g->tee_left, g->tee_right, g->tee_up,    g->tee_down,  g->cross,     g->band,
		g->peak,     g->mark,      g->up,        g->down,      g->left,      g->right,
		g->lamp_on,  g->lamp_off,  g->bullet,    g->cursor,
	};
	int n = 0;

	for (int i = 0; i <= g->fill_steps; i++)
		out[n++] = g->fill[i];
	for (int i = 0; i <= g->bar_steps; i++)
		out[n++] = g->bar[i];
	for (int i = 0; g->column_steps && i <= g->column_steps; i++)
		out[n++] = g->column[i];
	for (int i = 0; i < 5; i++)
		out[n++] = g->shade[i];
	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		out[n++] = single[i];
	return n;
}

static bool ascii(const char *s)
{
	for (; *s; s++)
		if (*s < 0x20 || *s > 0x7e)
			return false;
	return true;
}

static void every_table_is_complete(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		const struct glyphs *g = &glyph_table[level];
		uint32_t ch[MOST];
		int n;

		assert_in_range(g->fill_steps, 1, 8);
		assert_in_range(g->bar_steps, 1, 8);
		n = symbols(g, ch);
		for (int i = 0; i < n; i++)
			assert_true(ch[i] >= ' ');
		assert_int_equal(g->fill[0], ' ');
		assert_int_equal(g->bar[0], ' ');
		assert_int_equal(g->shade[0], ' ');
		assert_true(g->micro && g->arrow && g->times && g->dots);
		assert_int_equal(canvas_width(g->micro), 1);
		assert_int_equal(canvas_width(g->arrow), 3);
		assert_int_equal(canvas_width(g->times), 3);
		assert_int_equal(glyph_level_find(g->name), level);
	}
	assert_int_equal(glyph_level_find("eighths"), GL_COUNT);
}

static void every_symbol_takes_one_column(void **state)
{
	struct canvas c = {0};
	uint32_t ch[MOST];

	(void)state;
	assert_int_equal(canvas_resize(&c, 1, 3), 0);
	for (int level = 0; level < GL_COUNT; level++) {
		int n = symbols(&glyph_table[level], ch);

		for (int i = 0; i < n; i++) {
			canvas_fill(&c, canvas_rect(&c), 'x', ST_NORMAL);
			canvas_put(&c, canvas_rect(&c), 0, 1, ch[i], ST_NORMAL);
			assert_int_equal(c.cell[1].ch, ch[i]);
			assert_int_equal(c.cell[2].ch, 'x');
		}
	}
	canvas_free(&c);
}

static void steps_of_one_table_all_differ(void **state)
{
	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		const struct glyphs *g = &glyph_table[level];

		for (int i = 1; i <= g->fill_steps; i++)
			for (int k = 0; k < i; k++)
				assert_int_not_equal(g->fill[i], g->fill[k]);
		for (int i = 1; i <= g->bar_steps; i++)
			for (int k = 0; k < i; k++)
				assert_int_not_equal(g->bar[i], g->bar[k]);
		for (int i = 1; i < 5; i++)
			for (int k = 0; k < i; k++)
				assert_int_not_equal(g->shade[i], g->shade[k]);
		assert_int_not_equal(g->lamp_on, g->lamp_off);
	}
}

static void the_ascii_level_is_pure_ascii(void **state)
{
	const struct glyphs *g = &glyph_table[GL_ASCII];
	uint32_t ch[MOST];
	int n = symbols(g, ch);

	(void)state;
	for (int i = 0; i < n; i++)
		assert_in_range(ch[i], 0x20, 0x7e);
	assert_true(ascii(g->micro) && ascii(g->arrow) && ascii(g->times) && ascii(g->dots));
	assert_false(g->utf8);
}

static void the_dec_level_has_only_what_a_vt100_draws(void **state)
{
	static const uint32_t vt100[] = {0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518, 0x251c,
					 0x2524, 0x252c, 0x2534, 0x253c, 0x2592, 0};
	const struct glyphs *g = &glyph_table[GL_DEC];
	uint32_t ch[MOST];
	int n = symbols(g, ch);

	(void)state;
	for (int i = 0; i < n; i++) {
		bool known = ch[i] < 0x7f;

		for (const uint32_t *p = vt100; *p; p++)
			known |= *p == ch[i];
		if (!known)
			fail_msg("U+%04X", (unsigned)ch[i]);
	}
	assert_true(ascii(g->micro) && ascii(g->arrow) && ascii(g->times) && ascii(g->dots));
	assert_false(g->utf8);
}

/* Common to Lat15-* and Uni2-* of console-setup: no half or eighth blocks, no dark shade. */
static void btop_351_the_vt_level_has_only_what_debian_s_console_fonts_have(void **state)
{
	static const uint32_t font[] = {0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518, 0x251c,
					0x2524, 0x252c, 0x2534, 0x253c, 0x2588, 0x2591, 0x2592,
					0x2190, 0x2191, 0x2192, 0x2193, 0x2022, 0xb7,   0};
	uint32_t ch[MOST];
	int n = symbols(&glyph_table[GL_VT], ch);

	(void)state;
	for (int i = 0; i < n; i++) {
		bool known = ch[i] < 0x7f;

		for (const uint32_t *p = font; *p; p++)
			known |= *p == ch[i];
		if (!known)
			fail_msg("U+%04X", (unsigned)ch[i]);
	}
}

static void the_eight_braille_dots_are_the_eight_bits(void **state)
{
	unsigned all = 0;

	(void)state;
	for (int x = 0; x < 2; x++)
		for (int y = 0; y < 4; y++) {
			assert_int_equal(all & glyph_braille_bit(x, y), 0);
			all |= glyph_braille_bit(x, y);
		}
	assert_int_equal(all, 0xff);
	/* U+2801 is the upper left dot, U+2880 the lower right one; the bottom row is 7 and 8. */
	assert_int_equal(glyph_braille_bit(0, 0), 0x01);
	assert_int_equal(glyph_braille_bit(1, 3), 0x80);
	assert_int_equal(0x2800 + (glyph_braille_bit(0, 3) | glyph_braille_bit(1, 3)),
			 glyph_table[GL_BRAILLE].fill[1]);
	assert_int_equal(glyph_braille_bit(2, 0), 0);
	assert_int_equal(glyph_braille_bit(0, -1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table_is_complete),
		cmocka_unit_test(every_symbol_takes_one_column),
		cmocka_unit_test(steps_of_one_table_all_differ),
		cmocka_unit_test(the_ascii_level_is_pure_ascii),
		cmocka_unit_test(the_dec_level_has_only_what_a_vt100_draws),
		cmocka_unit_test(btop_351_the_vt_level_has_only_what_debian_s_console_fonts_have),
		cmocka_unit_test(the_eight_braille_dots_are_the_eight_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
