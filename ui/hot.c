/* hot.c - see hot.h. */
#include "hot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "key.h"

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static struct rect common(struct rect a, struct rect b)
{
	int row = larger(a.row, b.row), col = larger(a.col, b.col);

	return (struct rect){row, col, smaller(a.row + a.rows, b.row + b.rows) - row,
			     smaller(a.col + a.cols, b.col + b.cols) - col};
}

static void add(struct canvas *c, struct hot_zone z)
{
	z.r = common(z.r, canvas_rect(c));
	if (z.r.rows < 1 || z.r.cols < 1)
		return;
	if (c->hots == c->hot_room) {
		int room = c->hot_room ? 2 * c->hot_room : 32;
		struct hot_zone *more = realloc(c->hot, (size_t)room * sizeof(*more));

		if (!more)
			return;
		c->hot = more;
		c->hot_room = room;
	}
	c->hot[c->hots++] = z;
}

void hot_add(struct canvas *c, struct rect r, enum hot_kind kind, int value)
{
	add(c, (struct hot_zone){.r = r, .kind = kind, .value = value});
}

void hot_choice(struct canvas *c, struct rect r, enum hot_kind kind, int down, int right)
{
	add(c, (struct hot_zone){.r = r, .kind = kind, .down = down, .right = right});
}

void hot_clear(struct canvas *c)
{
	c->hots = 0;
}

static bool within(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

const struct hot_zone *hot_at(const struct canvas *c, int row, int col)
{
	for (int i = c->hots - 1; i >= 0; i--)
		if (within(c->hot[i].r, row, col))
			return &c->hot[i];
	return NULL;
}

const struct hot_zone *hot_under(const struct canvas *c, int row, int col, enum hot_kind kind)
{
	for (int i = c->hots - 1; i >= 0; i--)
		if (c->hot[i].kind == kind && within(c->hot[i].r, row, col))
			return &c->hot[i];
	return NULL;
}

/* --- Keys in words. --- */

/* The key that a word of n bytes names; KEY_NONE. */
static int key_of_word(const char *word, size_t n)
{
	static const struct {
		const char *name;
		int key;
	} names[] = {
		{"Enter", K_ENTER}, {"Esc", K_ESC},   {"Tab", K_TAB},   {"Space", ' '},
		{"Del", K_DELETE},  {"Up", K_UP},     {"Down", K_DOWN}, {"Left", K_LEFT},
		{"Right", K_RIGHT}, {"PgUp", K_PGUP}, {"PgDn", K_PGDN}, {"Home", K_HOME},
		{"End", K_END},
	};
	char copy[8];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == n && memcmp(names[i].name, word, n) == 0)
			return names[i].key;
	if (n == 1 && word[0] > ' ' && word[0] < 0x7f)
		return (unsigned char)word[0];
	snprintf(copy, sizeof(copy), "%.*s", (int)n, word);
	int key = n < sizeof(copy) ? action_key_of_name(copy) : -1;
	return key < 0 ? KEY_NONE : key;
}

/* Up to the two blanks behind it, or the end. */
static size_t part_length(const char *part)
{
	const char *end = strstr(part, "  ");

	return end ? (size_t)(end - part) : strlen(part);
}

/* A key, and the columns of part that stand for it. */
static void add_key(struct canvas *c, struct rect r, int col, size_t from, size_t to, int key)
{
	struct rect words = {r.row, r.col + col + (int)from, 1, (int)(to - from)};

	if (key != KEY_NONE && key != 'y')
		hot_add(c, common(words, r), HOT_KEY, key);
}

/* One part: the keys that it begins with. A letter behind a longer name is a word. */
static void add_part(struct canvas *c, struct rect r, int col, const char *part, size_t length)
{
	size_t at = 0, from = 0, longest = 0;
	int last = KEY_NONE;

	while (at < length) {
		size_t n = strcspn(part + at, " ");
		n = n < length - at ? n : length - at;
		int key = key_of_word(part + at, n);
		if (key == KEY_NONE || (n == 1 && longest > 1))
			break;
		if (at)
			add_key(c, r, col, from, at - 1, last);
		last = key;
		longest = n > longest ? n : longest;
		from = at;
		at += n + 1;
	}
	add_key(c, r, col, from, length, last);
}

void hot_words(struct canvas *c, struct rect r, int col, const char *line)
{
	const char *part = line + strspn(line, " ");

	while (*part) {
		size_t n = part_length(part);
		add_part(c, r, col + (int)(part - line), part, n);
		part += n;
		part += strspn(part, " ");
	}
}
