/* unit-font.c - which level a terminal gets, from what is known of it: the order of the manual page under
 * GLYPHS, with the maps of real console fonts in the place of the kernel's answer.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/font-maps.h"
#include "ui/font.h"
#include "ui/glyph.h"

#define RANGES(f) f, sizeof(f) / sizeof((f)[0])

/* A font with these code points, without one of them. */
static struct font make_without(const struct font_range *r, size_t n, uint16_t lacks)
{
	struct font f = {calloc(UINT16_MAX, sizeof(uint16_t)), 0};

	assert_non_null(f.point);
	for (size_t i = 0; i < n; i++)
		for (uint32_t ch = r[i].first; ch <= r[i].last; ch++)
			if (ch != lacks)
				f.point[f.count++] = (uint16_t)ch;
	return f;
}

static struct font make(const struct font_range *r, size_t n)
{
	return make_without(r, n, 0);
}

static enum glyph_level on_console(const struct font *f)
{
	return glyph_choose(&(struct glyph_terminal){
		.term = "linux", .utf8 = true, .line_drawing = true, .console = true, .font = f});
}

static void expect(const struct font_range *r, size_t n, enum glyph_level level)
{
	struct font f = make(r, n);

	assert_int_equal(on_console(&f), level);
	font_free(&f);
}

static void a_console_gets_the_highest_level_that_its_font_has_whole(void **state)
{
	(void)state;
	expect(RANGES(lat15_font), GL_VT);
	expect(RANGES(uni2_font), GL_VT);
	/* half blocks and dark shades, but no eighths */
	expect(RANGES(kernel_font), GL_HALF);
	/* no lines at all */
	expect(RANGES(goha_font), GL_ASCII);
}

static void one_missing_block_is_a_lower_level(void **state)
{
	static const struct {
		uint16_t lacks;
		enum glyph_level level;
	} table[] = {{0x258c, GL_VT}, {0x2593, GL_VT}, {0x2588, GL_DEC}, {0x253c, GL_ASCII}};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct font f = make_without(RANGES(kernel_font), table[i].lacks);

		assert_int_equal(on_console(&f), table[i].level);
		font_free(&f);
	}
}

static void braille_takes_all_256_patterns(void **state)
{
	static const struct font_range all[] = {{0xa0, 0xff},
						{0x2190, 0x2193},
						{0x2500, 0x259f},
						{0x25cb, 0x25cf},
						{0x2800, 0x28ff}};
	struct font f = make(RANGES(all));

	(void)state;
	assert_int_equal(on_console(&f), GL_BRAILLE);
	font_free(&f);
	f = make_without(RANGES(all), 0x28a5);
	assert_int_equal(on_console(&f), GL_EIGHTH);
	font_free(&f);
}

static void a_missing_symbol_costs_no_level(void **state)
{
	static const uint16_t symbols[] = {0xb5,   0xb7,   0xd7,   0x2022,
					   0x2190, 0x2191, 0x2192, 0x2193};

	(void)state;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		struct font f = make_without(RANGES(uni2_font), symbols[i]);

		assert_int_equal(on_console(&f), GL_VT);
		font_free(&f);
	}
}

static void a_missing_symbol_is_replaced_and_nothing_else(void **state)
{
	struct font kernel = make(RANGES(kernel_font)), none = {NULL, 0};
	struct canvas c = {0};
	char text[256];

	(void)state;
	assert_int_equal(canvas_resize(&c, 1, 40), 0);
	canvas_text(&c, canvas_rect(&c), 0, 0, "● ○ µs 8 × 32 → 9 … │█▒ ≤ 4–5 ⠿", ST_READ);
	font_fit(&none, &c);
	assert_string_equal(canvas_row(&c, 0, text, sizeof(text)),
			    "● ○ µs 8 × 32 → 9 … │█▒ ≤ 4–5 ⠿");
	font_fit(&kernel, &c);
	assert_string_equal(canvas_row(&c, 0, text, sizeof(text)),
			    "* ○ µs 8 × 32 → 9 . │█▒ ≤ 4-5 ⠿");
	assert_int_equal(c.cell[0].style, ST_READ);
	canvas_free(&c);
	font_free(&kernel);
}

static void every_symbol_of_a_console_s_level_is_in_its_font_or_has_a_stand_in(void **state)
{
	struct font f = make(RANGES(lat15_font));
	const struct glyphs *g = &glyph_table[GL_VT];
	const uint32_t symbols[] = {g->up,       g->down,   g->left,   g->right, g->lamp_on,
				    g->lamp_off, g->bullet, g->cursor, g->peak,  0xb5,
				    0xd7,        0x2264,    0x2265};

	(void)state;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		assert_true(font_has(&f, symbols[i]) || font_stand_in(symbols[i]));
	/* Beyond the 16 bits that a console looks up there is nothing. */
	assert_false(font_has(&f, 0x10000 + 0x2588));
	assert_true(font_has(&f, 'A'));
	font_free(&f);
	/* Lamps that are on and off stay apart with stand-ins too. */
	assert_int_not_equal(font_stand_in(0x25cf), font_stand_in(0x25cb));
	assert_int_not_equal(font_stand_in(0x2022), 'o');
}

static void the_order_is_codeset_then_console_then_term(void **state)
{
	struct font uni2 = make(RANGES(uni2_font)), none = {NULL, 0};
	static const struct {
		struct glyph_terminal t;
		enum glyph_level level;
	} table[] = {
		{{.term = NULL, .utf8 = true, .line_drawing = true}, GL_ASCII},
		{{.term = "", .utf8 = true, .line_drawing = true}, GL_ASCII},
		{{.term = "dumb", .utf8 = true}, GL_ASCII},
		{{.term = "unknown", .line_drawing = true}, GL_ASCII},
		{{.term = "xterm-256color", .line_drawing = true}, GL_DEC},
		{{.term = "vt100", .line_drawing = true}, GL_DEC},
		{{.term = "linux", .line_drawing = true}, GL_DEC},
		{{.term = "ansi-mini", .line_drawing = false}, GL_ASCII},
		{{.term = "linux", .line_drawing = true, .console = true}, GL_DEC},
		/* the kernel doesn't tell */
		{{.term = "linux", .utf8 = true, .console = true}, GL_VT},
		{{.term = "xterm", .utf8 = true, .console = true}, GL_VT},
		/* over ssh from a console */
		{{.term = "linux", .utf8 = true, .line_drawing = true}, GL_VT},
		{{.term = "linux-16color", .utf8 = true}, GL_VT},
		{{.term = "linuxish", .utf8 = true}, GL_BRAILLE},
		{{.term = "xterm-256color", .utf8 = true, .line_drawing = true}, GL_BRAILLE},
		{{.term = "tmux-256color", .utf8 = true, .line_drawing = true}, GL_BRAILLE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct glyph_terminal t = table[i].t;

		t.font = &none;
		if (glyph_choose(&t) != table[i].level)
			fail_msg("row %zu: level %d", i, glyph_choose(&t));
		/* A font is only asked for behind a console in a UTF-8 locale. */
		t.font = &uni2;
		if (!t.console && glyph_choose(&t) != table[i].level)
			fail_msg("row %zu looked at a font", i);
	}
	font_free(&uni2);
}

static void a_pty_is_no_console_and_has_no_font(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct font f = {NULL, 7};

	(void)state;
	assert_true(master >= 0);
	assert_false(glyph_is_console(master));
	assert_false(glyph_is_console(-1));
	assert_true(font_read(&f, master) < 0);
	assert_int_equal(f.count, 0);
	close(master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_console_gets_the_highest_level_that_its_font_has_whole),
		cmocka_unit_test(one_missing_block_is_a_lower_level),
		cmocka_unit_test(braille_takes_all_256_patterns),
		cmocka_unit_test(a_missing_symbol_costs_no_level),
		cmocka_unit_test(a_missing_symbol_is_replaced_and_nothing_else),
		cmocka_unit_test(
			every_symbol_of_a_console_s_level_is_in_its_font_or_has_a_stand_in),
		cmocka_unit_test(the_order_is_codeset_then_console_then_term),
		cmocka_unit_test(a_pty_is_no_console_and_has_no_font),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
