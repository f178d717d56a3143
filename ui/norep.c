/* norep.c - see norep.h. A program can't take a capability away from curses: what <term.h> shows of the
 * description is a copy.
 */
#include "norep.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* term(5): the magic numbers of the two formats, the size of the header, and rep's place among the strings. */
#define MAGIC_16   0432
#define MAGIC_32   01036
#define HEADER     12
#define REP_AT     121
#define ENTRY_MOST 32768

static unsigned number(const unsigned char *at)
{
	return at[0] | (unsigned)at[1] << 8;
}

int norep_strike(unsigned char *entry, size_t n)
{
	if (n < HEADER || (number(entry) != MAGIC_16 && number(entry) != MAGIC_32))
		return -1;
	size_t names = number(entry + 2), flags = number(entry + 4), numbers = number(entry + 6);
	size_t strings = number(entry + 8), size = number(entry) == MAGIC_32 ? 4 : 2;
	/* Numbers begin at an even place. */
	size_t at = HEADER + names + flags + (names + flags) % 2 + numbers * size + 2 * REP_AT;
	if (strings <= REP_AT || at + 2 > n || number(entry + at) >= 0xfffe)
		return -1;
	entry[at] = entry[at + 1] = 0xff;
	return 0;
}

static size_t read_entry(const char *folder, const char *term, unsigned char *out)
{
	char path[PATH_MAX];
	size_t n = 0;

	/* By its first letter, or by that letter's code. */
	for (int i = 0; i < 2 && !n; i++) {
		if (i == 0)
			snprintf(path, sizeof(path), "%s/%c/%s", folder, term[0], term);
		else
			snprintf(path, sizeof(path), "%s/%x/%s", folder, (unsigned char)term[0],
				 term);
		FILE *f = fopen(path, "re");
		if (!f)
			continue;
		n = fread(out, 1, ENTRY_MOST, f);
		fclose(f);
	}
	return n;
}

/* Where ncurses looks, in its order (terminfo(5), "Fetching Compiled Descriptions"). */
static size_t find_entry(const char *term, unsigned char *out)
{
	const char *own = getenv("TERMINFO"), *home = getenv("HOME"),
		   *dirs = getenv("TERMINFO_DIRS");
	static const char usual[] =
		"/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo:"
		"/usr/local/share/terminfo:/usr/local/lib/terminfo";
	char all[4 * PATH_MAX], *next = all;
	size_t n = 0;

	snprintf(all, sizeof(all), "%s:%s%s:%s:%s", own ? own : "", home ? home : "",
		 home ? "/.terminfo" : "", dirs ? dirs : "", usual);
	for (char *folder; !n && (folder = strsep(&next, ":"));)
		if (*folder)
			n = read_entry(folder, term, out);
	return n;
}

char *norep_terminfo(const char *term)
{
	unsigned char *entry = malloc(ENTRY_MOST);
	size_t n = entry && *term && !strchr(term, '/') ? find_entry(term, entry) : 0;
	char *out = n && norep_strike(entry, n) == 0 ? malloc(2 * n + 8) : NULL;

	if (out) {
		strcpy(out, "hex:");
		for (size_t i = 0; i < n; i++)
			snprintf(out + 4 + 2 * i, 3, "%02X", entry[i]);
	}
	free(entry);
	return out;
}
