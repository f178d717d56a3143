/* style.c - reads theme files.
 *
 * A theme must be complete: a style that is missing would be found weeks later, in the dialog that
 * nobody opens. inih parses; the line numbers are counted here, since the library as Debian builds
 * it doesn't hand them out.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "style.h"

#define SUFFIX ".theme"

const char *style_name(enum style s)
{
	static const char *const name[ST_COUNT] = {
#define X(id, text, help) [id] = text,
		STYLE_TABLE(X)
#undef X
	};

	return s < ST_COUNT ? name[s] : "?";
}

/* --- Reading one file --- */

static const char *const section_name[PALETTE_COUNT] = {
	[PALETTE_MONO] = "mono", [PALETTE_8] = "8", [PALETTE_256] = "256"};

/* A file being read. The first error stays; what follows it is skipped. */
struct reading {
	FILE *file;
	const char *path;
	int line;                /* of the text that inih has in hand */
	int last[PALETTE_COUNT]; /* the last line of each section; 0 = there is none */
	bool seen[PALETTE_COUNT][ST_COUNT];
	bool failed;
	struct theme *theme;
	struct error *error;
};

static int fail_at(struct reading *r, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "path:LINE: words". Returns 0, the value that stops a handler. */
static int fail_at(struct reading *r, int line, const char *fmt, ...)
{
	char words[300];
	va_list ap;

	if (r->failed)
		return 0;
	r->failed = true;
	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	error_set(r->error, EINVAL, "%s:%d: %s", r->path, line, words);
	return 0;
}

/* inih's fgets(). Indentation is cut off: inih would take it for a continued value. */
static char *next_line(char *out, int n, void *user)
{
	struct reading *r = user;
	size_t len, blank;

	if (r->failed || !fgets(out, n, r->file))
		return NULL;
	r->line++;
	len = strlen(out);
	if (len > 0 && out[len - 1] != '\n' && !feof(r->file)) {
		fail_at(r, r->line, "the line is too long");
		return NULL;
	}
	blank = strspn(out, " \t");
	memmove(out, out + blank, len - blank + 1);
	return out;
}

static int parse_colour(struct reading *r, const char *word, int most, int16_t *colour)
{
	static const char *const name[] = {"black", "red",     "green", "yellow",
					   "blue",  "magenta", "cyan",  "white"};
	char *end;
	long n;

	*colour = COLOUR_DEFAULT;
	if (word && strcmp(word, "default") == 0)
		return 1;
	for (int i = 0; word && i < 8; i++)
		if (strcmp(word, name[i]) == 0) {
			*colour = (int16_t)i;
			return 1;
		}
	n = word && isdigit((unsigned char)*word) ? strtol(word, &end, 10) : -1;
	if (n < 0 || n > most || *end)
		return fail_at(r, r->line,
			       "bad colour '%s': it is default, black, red, green, yellow, blue, "
			       "magenta, cyan, white or a number from 0 to %d",
			       word ? word : "", most);
	*colour = (int16_t)n;
	return 1;
}

static int parse_attribute(struct reading *r, const char *word, uint8_t *attr)
{
	static const struct {
		const char *name;
		uint8_t attr;
	} table[] = {
		{"bold", ATTR_BOLD},
		{"reverse", ATTR_REVERSE},
		{"underline", ATTR_UNDERLINE},
		{"dim", ATTR_DIM},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(word, table[i].name) == 0) {
			*attr |= table[i].attr;
			return 1;
		}
	return fail_at(r, r->line,
		       "unknown attribute '%s': there are bold, reverse, underline and dim", word);
}

/* "FG [on BG] [attributes]", or attributes alone in [mono]. text is taken apart. */
static int parse_look(struct reading *r, enum palette p, char *text, struct look *look)
{
	char *rest, *word = strtok_r(text, " \t", &rest);
	int most = p == PALETTE_256 ? 255 : 7;

	*look = (struct look){COLOUR_DEFAULT, COLOUR_DEFAULT, 0};
	if (p == PALETTE_MONO) {
		if (!word)
			return fail_at(r, r->line, "no attribute given: say plain for none");
		if (strcmp(word, "plain") == 0)
			word = strtok_r(NULL, " \t", &rest);
	} else {
		if (!parse_colour(r, word, most, &look->fg))
			return 0;
		word = strtok_r(NULL, " \t", &rest);
		if (word && strcmp(word, "on") == 0) {
			if (!parse_colour(r, strtok_r(NULL, " \t", &rest), most, &look->bg))
				return 0;
			word = strtok_r(NULL, " \t", &rest);
		}
	}
	for (; word; word = strtok_r(NULL, " \t", &rest))
		if (!parse_attribute(r, word, &look->attr))
			return 0;
	return 1;
}

static int set_text(struct reading *r, char *out, size_t n, const char *name, const char *value)
{
	if (!*value)
		return fail_at(r, r->line, "'%s' is empty", name);
	if (strlen(value) >= n)
		return fail_at(r, r->line, "'%s' is longer than %zu bytes", name, n - 1);
	strcpy(out, value);
	return 1;
}

static int on_theme_entry(struct reading *r, const char *name, const char *value)
{
	struct theme *t = r->theme;

	if (strcmp(name, "name") == 0)
		return set_text(r, t->name, sizeof(t->name), name, value);
	if (strcmp(name, "title") == 0)
		return set_text(r, t->title, sizeof(t->title), name, value);
	if (strcmp(name, "background") != 0)
		return fail_at(r, r->line,
			       "unknown entry '%s': [theme] has name, title and background", name);
	if (strcmp(value, "dark") != 0 && strcmp(value, "light") != 0 && strcmp(value, "any") != 0)
		return fail_at(r, r->line, "background is dark, light or any, not '%s'", value);
	return set_text(r, t->background, sizeof(t->background), name, value);
}

static int on_look(struct reading *r, enum palette p, const char *name, const char *value)
{
	char text[256];
	int s = 0;

	r->last[p] = r->line;
	while (s < ST_COUNT && strcmp(name, style_name((enum style)s)) != 0)
		s++;
	if (s == ST_COUNT)
		return fail_at(r, r->line, "unknown style '%s'", name);
	if (r->seen[p][s])
		return fail_at(r, r->line, "style '%s' stands in [%s] twice", name,
			       section_name[p]);
	r->seen[p][s] = true;
	snprintf(text, sizeof(text), "%s", value);
	return parse_look(r, p, text, &r->theme->look[p][s]);
}

static int on_entry(void *user, const char *section, const char *name, const char *value)
{
	struct reading *r = user;

	if (r->failed)
		return 0;
	if (strcmp(section, "theme") == 0)
		return on_theme_entry(r, name, value);
	for (int p = 0; p < PALETTE_COUNT; p++)
		if (strcmp(section, section_name[p]) == 0)
			return on_look(r, (enum palette)p, name, value);
	return fail_at(r, r->line, "unknown section [%s]: there are [theme], [256], [8] and [mono]",
		       section);
}

/* What a file without a wrong line may still lack. */
static void check_complete(struct reading *r)
{
	const struct theme *t = r->theme;

	if (!*t->name || !*t->title || !*t->background)
		fail_at(r, r->line, "[theme] lacks '%s'",
			!*t->name    ? "name"
			: !*t->title ? "title"
				     : "background");
	for (int p = PALETTE_COUNT - 1; p >= 0; p--) {
		if (!r->last[p])
			fail_at(r, r->line, "the section [%s] is missing", section_name[p]);
		for (int s = 0; s < ST_COUNT; s++)
			if (!r->seen[p][s])
				fail_at(r, r->last[p], "[%s] lacks the style '%s'", section_name[p],
					style_name((enum style)s));
	}
}

/* 0; -ENOENT when there is no such file, with words all the same; -errno. */
static int read_theme(struct theme *t, const char *path, struct error *e)
{
	struct reading r = {.path = path, .theme = t, .error = e};
	int bad;

	r.file = fopen(path, "re");
	if (!r.file)
		return error_errno(e, errno, "%s", path);
	memset(t, 0, sizeof(*t));
	bad = ini_parse_stream(next_line, &r, on_entry, &r);
	if (ferror(r.file)) {
		fclose(r.file);
		return error_set(e, EIO, "%s: cannot be read", path);
	}
	fclose(r.file);
	if (bad > 0)
		fail_at(&r, bad, "this is neither [section] nor name = value");
	else if (bad < 0)
		fail_at(&r, r.line, "no memory");
	check_complete(&r);
	return r.failed ? -EINVAL : 0;
}

/* --- Finding it --- */

#define DIRS 4

/* The folders with themes, the user's own first. Those next to the program are there when it runs
 * from the tree it was built in. Returns how many. */
static int theme_dirs(char dir[DIRS][PATH_MAX])
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char exe[PATH_MAX], *slash;
	ssize_t len;
	int n = 0;

	/* The XDG specification: a relative path is as good as none. */
	if (xdg && *xdg == '/')
		n += snprintf(dir[n], PATH_MAX, "%s/lunscope/themes", xdg) < PATH_MAX;
	else if (home && *home == '/')
		n += snprintf(dir[n], PATH_MAX, "%s/.config/lunscope/themes", home) < PATH_MAX;
	len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (len > 0) {
		exe[len] = '\0';
		slash = strrchr(exe, '/');
		*(slash ? slash : exe) = '\0';
		n += snprintf(dir[n], PATH_MAX, "%s/themes", exe) < PATH_MAX;
		n += snprintf(dir[n], PATH_MAX, "%s/../themes", exe) < PATH_MAX;
	}
	n += snprintf(dir[n], PATH_MAX, "%s", THEMEDIR) < PATH_MAX;
	return n;
}

/* "no theme 'x': there are a, b and c" */
static int no_such_theme(const char *name, struct error *e)
{
	char names[300] = "";
	size_t used = 0;
	char **list;
	int n = theme_list(&list);

	for (int i = 0; i < n; i++) {
		if (used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 i == 0       ? ""
						 : i == n - 1 ? " and "
							      : ", ",
						 list[i]);
		free(list[i]);
	}
	free(list);
	return error_set(e, ENOENT, "no theme '%s': there %s %s; or give a path with a '/' in it",
			 name, n == 1 ? "is" : "are", names);
}

int theme_load(struct theme *t, const char *name, struct error *e)
{
	char dir[DIRS][PATH_MAX], path[PATH_MAX + 256];
	int n;

	if (strchr(name, '/'))
		return read_theme(t, name, e);
	n = *name && strlen(name) < 200 ? theme_dirs(dir) : 0;
	for (int i = 0; i < n; i++) {
		int len = snprintf(path, sizeof(path), "%s/%s" SUFFIX, dir[i], name);

		if (len < (int)sizeof(path) && access(path, F_OK) == 0)
			return read_theme(t, path, e);
	}
	if (strcmp(name, theme_builtin.name) == 0) {
		*t = theme_builtin;
		return 0;
	}
	return no_such_theme(name, e);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the first len bytes of name unless it is there; a name for which there is no memory is left
 * out. Returns the new count. */
static int add_name(char ***names, int n, const char *name, size_t len)
{
	char **more, *copy;

	for (int i = 0; i < n; i++)
		if (strlen((*names)[i]) == len && strncmp((*names)[i], name, len) == 0)
			return n;
	more = realloc(*names, ((size_t)n + 1) * sizeof(*more));
	if (!more)
		return n;
	*names = more;
	copy = strndup(name, len);
	if (!copy)
		return n;
	more[n] = copy;
	return n + 1;
}

int theme_list(char ***names)
{
	char dir[DIRS][PATH_MAX];
	int dirs = theme_dirs(dir), n;

	*names = NULL;
	n = add_name(names, 0, theme_builtin.name, strlen(theme_builtin.name));
	for (int i = 0; i < dirs; i++) {
		DIR *d = opendir(dir[i]);
		struct dirent *entry;

		while (d && (entry = readdir(d))) {
			size_t len = strlen(entry->d_name), suffix = strlen(SUFFIX);

			if (entry->d_name[0] != '.' && len > suffix &&
			    strcmp(entry->d_name + len - suffix, SUFFIX) == 0)
				n = add_name(names, n, entry->d_name, len - suffix);
		}
		if (d)
			closedir(d);
	}
	if (n > 0)
		qsort(*names, (size_t)n, sizeof(**names), by_name);
	return n;
}
