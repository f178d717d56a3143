/* no_rep.c - takes a string out of a compiled terminfo entry.
 *
 * Setting repeat_char to NULL does nothing since ncurses 6.1: the variable is a copy of the table that
 * curses reads. But $TERMINFO may hold an entry itself, as hexadecimal digits or in base64 (ncurses(3),
 * ENVIRONMENT; infocmp -Q makes them), and that is looked at before any file.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "no_rep.h"

/* term(5): no entry is longer. */
#define ENTRY_MOST 32768

struct entry {
	unsigned char byte[ENTRY_MOST];
	size_t length;
};

static char *terminfo_before; /* NULL: unset */

static unsigned word_at(const struct entry *e, size_t at)
{
	return at + 1 < e->length ? e->byte[at] | (unsigned)e->byte[at + 1] << 8 : 0;
}

/* term(5): six words (magic, the sizes of names, booleans, numbers, strings and of the table of their
 * characters), then these; the numbers begin at an even place and have 4 bytes where the magic says so.
 * 0xffff in the strings is one that is absent. False if that is no such entry. */
static bool remove_string(struct entry *e, int index)
{
	unsigned magic = word_at(e, 0);
	size_t width = magic == 01036 ? 4 : 2, at = 12 + word_at(e, 2) + word_at(e, 4);

	if ((magic != 0432 && magic != 01036) || index < 0)
		return false;
	at += at % 2 + width * word_at(e, 6) + 2 * (size_t)index;
	/* An entry may end before the string: then it is absent anyhow. */
	if ((unsigned)index >= word_at(e, 8))
		return true;
	if (at + 1 >= e->length)
		return false;
	e->byte[at] = e->byte[at + 1] = 0xff;
	return true;
}

/* --- Where it is. --- */

static int digit_of(const char *digits, char c)
{
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* bits of each digit; '+' and '/' are base64's other names (RFC 4648) of its last two. */
static bool decode(struct entry *e, const char *text, int bits)
{
	static const char hex[] = "0123456789ABCDEF",
			  base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789-_";
	unsigned held = 0;
	int n = 0;

	e->length = 0;
	for (; *text && *text != '='; text++) {
		char c = *text == '+' ? '-' : *text == '/' ? '_' : *text;
		int value = digit_of(bits == 4 ? hex : base64, bits == 4 ? (char)toupper(c) : c);
		if (value < 0)
			return false;
		held = held << bits | (unsigned)value;
		n += bits;
		if (n < 8)
			continue;
		if (e->length == ENTRY_MOST)
			return false;
		n -= 8;
		e->byte[e->length++] = (unsigned char)(held >> n);
	}
	return e->length > 0;
}

/* "vt100|vt100-am|dec vt100" behind the six words. */
static bool is_called(const struct entry *e, const char *name)
{
	size_t size = word_at(e, 2), length = strlen(name);
	char names[512];

	if (12 + size > e->length || size >= sizeof(names))
		return false;
	memcpy(names, e->byte + 12, size);
	names[size] = '\0';
	for (const char *at = names; at; at = strchr(at, '|')) {
		at += at != names;
		if (strcspn(at, "|") == length && memcmp(at, name, length) == 0)
			return true;
	}
	return false;
}

/* $TERMINFO holds an entry, and not the name of a folder. */
static bool is_entry(const char *terminfo)
{
	return terminfo && (strncmp(terminfo, "hex:", 4) == 0 || strncmp(terminfo, "b64:", 4) == 0);
}

/* As for curses, one of another terminal is passed over. */
static bool from_variable(struct entry *e, const char *terminfo, const char *name)
{
	return decode(e, terminfo + 4, terminfo[0] == 'h' ? 4 : 6) && is_called(e, name);
}

static bool read_file(struct entry *e, const char *path)
{
	FILE *f = fopen(path, "re");

	if (!f)
		return false;
	e->length = fread(e->byte, 1, sizeof(e->byte), f);
	fclose(f);
	return e->length > 0;
}

/* The folder below dir is the name's first letter, or that letter's code (term(5)). */
static bool read_entry(struct entry *e, const char *dir, int dir_length, const char *name)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%.*s/%c/%s", dir_length, dir, name[0], name);

	if (n < (int)sizeof(path) && read_file(e, path))
		return true;
	n = snprintf(path, sizeof(path), "%.*s/%02x/%s", dir_length, dir, (unsigned char)name[0],
		     name);
	return n < (int)sizeof(path) && read_file(e, path);
}

/* In the folders of a list with colons; an empty one is of no use here. */
static bool find_in(struct entry *e, const char *list, const char *name)
{
	for (const char *dir = list; dir; dir = strchr(dir, ':')) {
		dir += dir != list;
		int length = (int)strcspn(dir, ":");

		if (length > 0 && read_entry(e, dir, length, name))
			return true;
	}
	return false;
}

/* In curses' own order, see terminfo(5). */
static bool find_entry(struct entry *e, const char *name)
{
	const char *home = getenv("HOME"), *terminfo = getenv("TERMINFO");
	char own[PATH_MAX];

	if (!*name || strchr(name, '/'))
		return false;
	snprintf(own, sizeof(own), "%s/.terminfo", home ? home : "");
	if (is_entry(terminfo) ? from_variable(e, terminfo, name) : find_in(e, terminfo, name))
		return true;
	return (home && find_in(e, own, name)) || find_in(e, getenv("TERMINFO_DIRS"), name) ||
	       find_in(e, "/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo",
		       name);
}

static int set_terminfo(const struct entry *e)
{
	static const char prefix[] = "hex:", digit[] = "0123456789ABCDEF";
	char *text = malloc(sizeof(prefix) + 2 * e->length), *at = text;
	int rc;

	if (!text)
		return -ENOMEM;
	at = stpcpy(at, prefix);
	for (size_t i = 0; i < e->length; i++) {
		*at++ = digit[e->byte[i] >> 4];
		*at++ = digit[e->byte[i] & 15];
	}
	*at = '\0';
	rc = setenv("TERMINFO", text, 1) ? -errno : 0;
	free(text);
	return rc;
}

int no_rep_begin(const char *name, int index, struct error *e)
{
	const char *before = getenv("TERMINFO");
	struct entry *entry = malloc(sizeof(*entry));
	int rc = entry ? 0 : -ENOMEM;

	terminfo_before = before ? strdup(before) : NULL;
	if (rc == 0 && !(find_entry(entry, name) && remove_string(entry, index)))
		rc = error_set(e, EINVAL,
			       "--no-rep: the compiled terminfo entry '%s' was not found in "
			       "TERMINFO, ~/.terminfo, TERMINFO_DIRS or the usual folders",
			       name);
	else if (rc < 0 || (rc = set_terminfo(entry)) < 0)
		error_errno(e, -rc, "--no-rep");
	free(entry);
	if (rc < 0)
		no_rep_end();
	return rc;
}

void no_rep_end(void)
{
	if (terminfo_before)
		setenv("TERMINFO", terminfo_before, 1);
	else
		unsetenv("TERMINFO");
	free(terminfo_before);
	terminfo_before = NULL;
}
