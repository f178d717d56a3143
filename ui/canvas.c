/* canvas.c - the grid of cells that every pane draws on.
 *
 * All writing goes through one function (set_cell), which clips and keeps wide characters whole, so
 * no pane can draw outside its rectangle or leave half a character behind. Widths don't depend on
 * the locale: in LANG=C wcwidth() knows nothing beyond ASCII, and a chart must come out the same.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "canvas.h"

/* What stands for a character that can't be drawn. */
#define UNDRAWABLE '?'

int canvas_resize(struct canvas *c, int rows, int cols)
{
	if (rows < 1)
		rows = 1;
	if (cols < 1)
		cols = 1;
	if (!c->cell || rows != c->rows || cols != c->cols) {
		struct cell *cell = calloc((size_t)rows * (size_t)cols, sizeof(*cell));

		if (!cell)
			return -ENOMEM;
		free(c->cell);
		c->cell = cell;
		c->rows = rows;
		c->cols = cols;
	}
	canvas_clear(c, ST_NORMAL);
	return 0;
}

void canvas_free(struct canvas *c)
{
	free(c->cell);
	free(c->hot);
	memset(c, 0, sizeof(*c));
}

void canvas_clear(struct canvas *c, enum style s)
{
	size_t n = (size_t)c->rows * (size_t)c->cols;

	for (size_t i = 0; i < n; i++)
		c->cell[i] = (struct cell){' ', (uint8_t)s};
	c->cursor_row = 0;
	c->cursor_col = 0;
	c->cursor_visible = false;
	c->hots = 0;
}

/* --- Characters --- */

/* One code point from s, which isn't at its end; *next is where the following one starts. Anything
 * that isn't well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates) costs one byte and
 * gives UNDRAWABLE. */
static uint32_t decode(const char *s, const char **next)
{
	static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
	unsigned char lead = (unsigned char)*s;
	uint32_t ch;
	int more;

	*next = s + 1;
	if (lead < 0x80)
		return lead;
	if (lead >= 0xc2 && lead < 0xe0) {
		more = 1;
		ch = lead & 0x1f;
	} else if (lead >= 0xe0 && lead < 0xf0) {
		more = 2;
		ch = lead & 0x0f;
	} else if (lead >= 0xf0 && lead < 0xf5) {
		more = 3;
		ch = lead & 0x07;
	} else {
		return UNDRAWABLE;
	}
	for (int i = 1; i <= more; i++) {
		unsigned char byte = (unsigned char)s[i];

		if ((byte & 0xc0) != 0x80)
			return UNDRAWABLE;
		ch = ch << 6 | (byte & 0x3f);
	}
	if (ch < least[more] || ch > 0x10ffff || (ch >= 0xd800 && ch < 0xe000))
		return UNDRAWABLE;
	*next = s + 1 + more;
	return ch;
}

static int encode(uint32_t ch, char out[4])
{
	if (ch < 0x80) {
		out[0] = (char)ch;
		return 1;
	}
	if (ch < 0x800) {
		out[0] = (char)(0xc0 | ch >> 6);
		out[1] = (char)(0x80 | (ch & 0x3f));
		return 2;
	}
	if (ch < 0x10000) {
		out[0] = (char)(0xe0 | ch >> 12);
		out[1] = (char)(0x80 | (ch >> 6 & 0x3f));
		out[2] = (char)(0x80 | (ch & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | ch >> 18);
	out[1] = (char)(0x80 | (ch >> 12 & 0x3f));
	out[2] = (char)(0x80 | (ch >> 6 & 0x3f));
	out[3] = (char)(0x80 | (ch & 0x3f));
	return 4;
}

static bool is_control(uint32_t ch)
{
	return ch < 0x20 || (ch >= 0x7f && ch < 0xa0);
}

struct range {
	uint32_t first, last;
};

static bool in_ranges(uint32_t ch, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ch >= r[i].first && ch <= r[i].last)
			return true;
	return false;
}

/* For locales in which wcwidth() has no answer: the blocks that Unicode's EastAsianWidth.txt calls
 * wide, and those of combining and invisible characters. Coarse, but the same everywhere. */
static int width_by_block(uint32_t ch)
{
	static const struct range zero[] = {
		{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},     {0x610, 0x61a},
		{0x64b, 0x65f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},   {0x200b, 0x200f},
		{0x202a, 0x202e}, {0x2060, 0x206f}, {0x20d0, 0x20ff},   {0xfe00, 0xfe0f},
		{0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0000, 0xe0fff},
	};
	static const struct range wide[] = {
		{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
		{0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},
		{0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
		{0x17000, 0x18cff}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
	};

	if (in_ranges(ch, zero, sizeof(zero) / sizeof(zero[0])))
		return 0;
	return in_ranges(ch, wide, sizeof(wide) / sizeof(wide[0])) ? 2 : 1;
}

/* Columns of a code point that isn't a control character: 0, 1 or 2. */
static int char_width(uint32_t ch)
{
	int n;

	if (ch < 0x7f)
		return 1;
	n = wcwidth((wchar_t)ch);
	return n >= 0 ? n : width_by_block(ch);
}

/* The next character as it will be drawn, with its width; false at the end. Characters of no width
 * (accents that combine, direction marks) are passed over: a cell holds one code point. */
static bool next_char(const char **s, uint32_t *ch, int *width)
{
	while (**s) {
		*ch = decode(*s, s);
		if (is_control(*ch))
			*ch = UNDRAWABLE;
		*width = char_width(*ch);
		if (*width > 0)
			return true;
	}
	return false;
}

/* --- Drawing --- */

/* r cut to the canvas; rows or cols 0 when nothing is left. Computed wide: a rectangle may lie
 * anywhere. */
static struct rect clip(const struct canvas *c, struct rect r)
{
	int64_t top = r.row, left = r.col, bottom = top + r.rows, right = left + r.cols;

	if (top < 0)
		top = 0;
	if (left < 0)
		left = 0;
	if (bottom > c->rows)
		bottom = c->rows;
	if (right > c->cols)
		right = c->cols;
	if (bottom <= top || right <= left)
		return (struct rect){0, 0, 0, 0};
	return (struct rect){(int)top, (int)left, (int)(bottom - top), (int)(right - left)};
}

static bool inside(struct rect r, int64_t row, int64_t col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

/* A cell of a wide character is about to be overwritten: its other half becomes blank. */
static void release(struct canvas *c, int row, int col)
{
	struct cell *at = &c->cell[(size_t)row * (size_t)c->cols + (size_t)col];

	if (at->ch == 0 && col > 0)
		at[-1].ch = ' ';
	if (col + 1 < c->cols && at[1].ch == 0)
		at[1].ch = ' ';
}

/* One character of the given width at canvas coordinates, kept inside r (already clipped). The
 * half of a wide character that has room is drawn as a blank. */
static void set_cell(struct canvas *c, struct rect r, int64_t row, int64_t col, uint32_t ch,
		     int width, enum style s)
{
	bool whole = inside(r, row, col) && (width == 1 || inside(r, row, col + 1));

	for (int i = 0; i < width; i++) {
		struct cell *at;

		if (!inside(r, row, col + i))
			continue;
		release(c, (int)row, (int)(col + i));
		at = &c->cell[(size_t)row * (size_t)c->cols + (size_t)(col + i)];
		at->ch = !whole ? ' ' : i == 0 ? ch : ' ';
		at->style = (uint8_t)s;
	}
	if (whole && width == 2)
		c->cell[(size_t)row * (size_t)c->cols + (size_t)col + 1].ch = 0;
}

void canvas_put(struct canvas *c, struct rect r, int row, int col, uint32_t ch, enum style s)
{
	int width;

	if (is_control(ch) || ch > 0x10ffff)
		ch = UNDRAWABLE;
	width = char_width(ch);
	if (width > 0)
		set_cell(c, clip(c, r), (int64_t)r.row + row, (int64_t)r.col + col, ch, width, s);
}

/* Text from column col of the canvas on. */
static int draw_text(struct canvas *c, struct rect r, int row, int64_t col, const char *text,
		     enum style s)
{
	struct rect in = clip(c, r);
	int columns = 0, width;
	uint32_t ch;

	while (next_char(&text, &ch, &width)) {
		set_cell(c, in, (int64_t)r.row + row, col + columns, ch, width, s);
		columns += width;
	}
	return columns;
}

int canvas_text(struct canvas *c, struct rect r, int row, int col, const char *text, enum style s)
{
	return draw_text(c, r, row, (int64_t)r.col + col, text, s);
}

int canvas_printf(struct canvas *c, struct rect r, int row, int col, enum style s, const char *fmt,
		  ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return canvas_text(c, r, row, col, text, s);
}

void canvas_text_right(struct canvas *c, struct rect r, int row, int right, const char *text,
		       enum style s)
{
	draw_text(c, r, row, (int64_t)r.col + right - canvas_width(text), text, s);
}

void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum style s)
{
	struct rect in = clip(c, r);
	int width;

	if (is_control(ch) || ch > 0x10ffff)
		ch = UNDRAWABLE;
	width = char_width(ch);
	if (width == 0)
		return;
	for (int row = 0; row < in.rows; row++)
		for (int col = 0; col < in.cols; col += width)
			set_cell(c, in, in.row + row, in.col + col, ch, width, s);
}

void canvas_restyle(struct canvas *c, struct rect r, int row, int col, int n, enum style s)
{
	struct rect in = clip(c, r);
	int64_t y = (int64_t)r.row + row, x = (int64_t)r.col + col, end = x + n;

	if (x < in.col)
		x = in.col;
	if (end > in.col + in.cols)
		end = in.col + in.cols;
	for (; x < end && inside(in, y, x); x++)
		c->cell[(size_t)y * (size_t)c->cols + (size_t)x].style = (uint8_t)s;
}

/* --- Reading it back --- */

int canvas_width(const char *text)
{
	int columns = 0, width;
	uint32_t ch;

	while (next_char(&text, &ch, &width))
		columns += width;
	return columns;
}

/* The columns of a row up to its last character that isn't blank. */
static int used(const struct cell *row, int cols)
{
	while (cols > 0 && row[cols - 1].ch == ' ')
		cols--;
	return cols;
}

char *canvas_row(const struct canvas *c, int row, char *out, size_t n)
{
	size_t used_bytes = 0;

	if (n == 0)
		return out;
	if (row >= 0 && row < c->rows) {
		const struct cell *cell = &c->cell[(size_t)row * (size_t)c->cols];
		int cols = used(cell, c->cols);

		for (int col = 0; col < cols; col++) {
			char utf8[4];
			size_t len = cell[col].ch ? (size_t)encode(cell[col].ch, utf8) : 0;

			if (used_bytes + len >= n)
				break;
			memcpy(out + used_bytes, utf8, len);
			used_bytes += len;
		}
	}
	out[used_bytes] = '\0';
	return out;
}
