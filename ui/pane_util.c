/* pane_util.c - rows of figures that know what to leave out, bars, and texts cut at a word's end. */
#include <string.h>
#include <time.h>
#include "pane_util.h"

/* --- Rows of pieces --- */

static int pieces_width(const struct piece *p, int n, int limit)
{
	int width = 0;

	for (int i = 0; i < n; i++)
		if (p[i].rank < limit)
			width += canvas_width(p[i].text) + (width ? p[i].gap : 0);
	return width;
}

int pieces_fit(const struct piece *p, int n, int cols)
{
	int limit = 0;

	for (int i = 0; i < n; i++)
		if (p[i].rank >= limit)
			limit = p[i].rank + 1;
	while (limit > 0 && pieces_width(p, n, limit) > cols)
		limit--;
	return limit;
}

int pieces_draw(struct canvas *c, struct rect r, int row, int col, int cols, const struct piece *p,
		int n)
{
	int limit = pieces_fit(p, n, cols), start = col;

	for (int i = 0; i < n; i++) {
		if (p[i].rank >= limit || !p[i].text[0])
			continue;
		if (col > start)
			col += p[i].gap;
		col += canvas_text(c, r, row, col, p[i].text, p[i].style);
	}
	return col;
}

bool target_armed(const struct target *t)
{
	return t->may_write && t->kind != TARGET_NULL;
}

bool mark_shown(const struct mark *m)
{
	return m->kind != MARK_PASSED;
}

int marks_shown(const struct view *v)
{
	int n = 0;

	for (size_t i = 0; i < v->mark_count; i++)
		n += mark_shown(&v->marks[i]);
	return n;
}

struct rect pane_inset(struct rect body)
{
	if (body.cols < 44)
		return body;
	return (struct rect){body.row, body.col + 1, body.rows, body.cols - 2};
}

/* --- Bars --- */

void bar_draw(struct canvas *c, struct rect r, int row, int col, int width, double share,
	      const struct glyphs *g, enum style s)
{
	int full = width * g->bar_steps;
	int steps = share > 0 ? (int)(share * full + 0.5) : 0;

	if (share > 0 && steps < 1)
		steps = 1;
	if (steps > full)
		steps = full;
	for (int i = 0; i < width && steps > 0; i++, steps -= g->bar_steps)
		canvas_put(c, r, row, col + i, g->bar[steps < g->bar_steps ? steps : g->bar_steps],
			   s);
}

/* --- Texts --- */

char *utf8_of(char out[5], uint32_t ch)
{
	int n = 0;

	if (ch < 0x80) {
		out[n++] = (char)ch;
	} else if (ch < 0x800) {
		out[n++] = (char)(0xc0 | ch >> 6);
		out[n++] = (char)(0x80 | (ch & 0x3f));
	} else {
		out[n++] = (char)(0xe0 | (ch >> 12 & 0xf));
		out[n++] = (char)(0x80 | (ch >> 6 & 0x3f));
		out[n++] = (char)(0x80 | (ch & 0x3f));
	}
	out[n] = '\0';
	return out;
}

/* What marks and lamps may hold beyond ASCII, and what stands for it where it can't be shown. */
static const struct {
	const char *from, *to;
} plain[] = {
	{"→", ">"}, {"×", "x"}, {"µ", "u"}, {"…", "..."}, {"≥", ">="}, {"≤", "<="}, {"–", "-"},
};

char *text_for_level(char *out, size_t n, const char *text, const struct glyphs *g)
{
	size_t used = 0;

	if (g->utf8) {
		snprintf(out, n, "%s", text);
		return out;
	}
	while (*text && used + 4 < n) {
		size_t i = 0;

		while (i < sizeof(plain) / sizeof(plain[0]) &&
		       strncmp(text, plain[i].from, strlen(plain[i].from)) != 0)
			i++;
		if (i < sizeof(plain) / sizeof(plain[0])) {
			used += (size_t)snprintf(out + used, n - used, "%s", plain[i].to);
			text += strlen(plain[i].from);
		} else if ((unsigned char)*text < 0x80) {
			out[used++] = *text++;
		} else {
			out[used++] = '?';
			while (((unsigned char)*++text & 0xc0) == 0x80)
				;
		}
	}
	out[used] = '\0';
	return out;
}

static bool starts_with_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	unsigned char next;

	if (strncmp(text, word, n) != 0)
		return false;
	next = (unsigned char)text[n];
	return !(next >= 'a' && next <= 'z') && !(next >= 'A' && next <= 'Z');
}

/* May the text not end before the blank at i? A number keeps its unit, and nothing ends on a word
 * that leaves the reader waiting for the next. */
static bool belongs_together(const char *text, size_t i)
{
	static const char *const waiting[] = {" →", " >", " ×", " x", " of", " in", " on", " ="};
	static const char *const unit[] = {"B",  "KiB", "MiB", "GiB", "TiB", "%",
					   "ms", "us",  "µs",  "ns",  "s",   "IOs"};

	for (size_t k = 0; k < sizeof(waiting) / sizeof(waiting[0]); k++) {
		size_t n = strlen(waiting[k]);

		if (i >= n && strncmp(text + i - n, waiting[k], n) == 0)
			return true;
	}
	for (size_t k = 0; k < sizeof(unit) / sizeof(unit[0]); k++)
		if (text[i - 1] >= '0' && text[i - 1] <= '9' &&
		    starts_with_word(text + i + 1, unit[k]))
			return true;
	return false;
}

/* The length in bytes of the longest run of whole words that is at most width columns wide. */
static size_t words_that_fit(const char *text, int width)
{
	char part[512];
	size_t best = 0;

	for (size_t i = 1; text[i] && i < sizeof(part); i++) {
		if (text[i] != ' ' || text[i - 1] == ' ')
			continue;
		memcpy(part, text, i);
		part[i] = '\0';
		if (canvas_width(part) > width)
			break;
		if (!belongs_together(text, i))
			best = i;
	}
	return best;
}

/* Bytes of a text's first character. */
static size_t first_character(const char *text)
{
	size_t n = 1;

	while (((unsigned char)text[n] & 0xc0) == 0x80)
		n++;
	return n;
}

char *text_both_ends(char *out, size_t n, const char *text, int width, const struct glyphs *g)
{
	const int room = width - canvas_width(g->dots), head = room / 3;
	const char *tail = text;
	char part[512];
	size_t used = 0;

	snprintf(part, sizeof(part), "%s", text);
	if (canvas_width(part) <= width || room < 3) {
		snprintf(out, n, "%s", text);
		return out;
	}
	while (canvas_width(tail) > room - head)
		tail += first_character(tail);
	for (;;) {
		size_t next = used + first_character(text + used);
		snprintf(part, next + 1 < sizeof(part) ? next + 1 : sizeof(part), "%s", text);
		if (canvas_width(part) > head)
			break;
		used = next;
	}
	snprintf(out, n, "%.*s%s%s", (int)used, text, g->dots, tail);
	return out;
}

int text_draw(struct canvas *c, struct rect r, int row, int col, int width, const char *text,
	      const struct glyphs *g, enum style s)
{
	char whole[512], cut[520];
	int dots = canvas_width(g->dots);

	if (width < 1)
		return 0;
	text_for_level(whole, sizeof(whole), text, g);
	if (canvas_width(whole) <= width)
		return canvas_text(c, r, row, col, whole, s);
	size_t fit = words_that_fit(whole, width - dots - 1);

	if (fit == 0) {
		/* one long word, a path perhaps: its beginning, as far as it goes */
		struct rect window = {r.row, r.col, r.rows, col + width};

		if (window.cols > r.cols)
			window.cols = r.cols;
		canvas_text(c, window, row, col, whole, s);
		if (width > dots)
			canvas_text(c, window, row, col + width - dots, g->dots, s);
		return width;
	}
	snprintf(cut, sizeof(cut), "%.*s %s", (int)fit, whole, g->dots);
	return canvas_text(c, r, row, col, cut, s);
}

char *clock_text(char *out, size_t n, uint64_t wall)
{
	time_t t = (time_t)(wall / NS_PER_SEC);
	struct tm tm;

	if (!localtime_r(&t, &tm) || !strftime(out, n, "%H:%M:%S", &tm))
		snprintf(out, n, "--:--:--");
	return out;
}
