/* conf.c - the config file is looked for as the XDG base directory specification says, and read through
 * inih; conf_save.c writes it.
 */
#include "conf.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "lunscope/config"

struct reading {
	FILE *file;
	struct conf *conf;
	struct error *error;
	int line;
	bool failed;
};

static int fail_at(struct reading *r, int line, const char *words)
{
	if (!r->failed)
		error_set(r->error, EINVAL, "%s:%d: %s", r->conf->path, line, words);
	r->failed = true;
	return 0;
}

/* inih's fgets(). Indentation is cut off: inih would take it for a continued value. */
static char *next_line(char *out, int n, void *user)
{
	struct reading *r = user;

	if (r->failed || !fgets(out, n, r->file))
		return NULL;
	r->line++;
	size_t len = strlen(out);
	if (len > 0 && out[len - 1] != '\n' && !feof(r->file)) {
		fail_at(r, r->line, "the line is too long");
		return NULL;
	}
	size_t blank = strspn(out, " \t");
	memmove(out, out + blank, len - blank + 1);
	return out;
}

static int on_entry(void *user, const char *section, const char *name, const char *value)
{
	struct reading *r = user;
	struct conf *c = r->conf;
	char words[160];

	if (r->failed)
		return 0;
	const struct conf_entry *before = conf_find(c, section, name);
	if (before) {
		snprintf(words, sizeof(words),
			 "'%.48s' stands in line %d already: leave one of them out", name,
			 before->line);
		return fail_at(r, r->line, words);
	}
	struct conf_entry *more = realloc(c->entry, (c->count + 1) * sizeof(*more));
	if (!more)
		return fail_at(r, r->line, "no memory");
	c->entry = more;
	struct conf_entry *at = &more[c->count];
	if (strlen(section) >= sizeof(at->section) || strlen(name) >= sizeof(at->name) ||
	    strlen(value) >= sizeof(at->value))
		return fail_at(r, r->line, "the name or value is too long");
	strcpy(at->section, section);
	strcpy(at->name, name);
	strcpy(at->value, value);
	at->line = r->line;
	c->count++;
	return 1;
}

int conf_read(struct conf *c, const char *path, struct error *e)
{
	struct reading r = {.conf = c, .error = e};

	memset(c, 0, sizeof(*c));
	if (strlen(path) >= sizeof(c->path))
		return error_set(e, ENAMETOOLONG, "%.200s...: the path is too long", path);
	strcpy(c->path, path);
	r.file = fopen(path, "re");
	if (!r.file)
		return error_errno(e, errno, "%s", path);
	int bad = ini_parse_stream(next_line, &r, on_entry, &r);
	if (ferror(r.file))
		fail_at(&r, r.line + 1, "it cannot be read");
	fclose(r.file);
	if (bad > 0)
		fail_at(&r, bad, "write [section] or name = value (or put a # in front)");
	else if (bad < 0)
		fail_at(&r, r.line, "no memory");
	if (r.failed)
		conf_free(c);
	return r.failed ? -EINVAL : 0;
}

void conf_free(struct conf *c)
{
	free(c->entry);
	c->entry = NULL;
	c->count = 0;
}

const struct conf_entry *conf_find(const struct conf *c, const char *section, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->entry[i].section, section) == 0 &&
		    strcmp(c->entry[i].name, name) == 0)
			return &c->entry[i];
	return NULL;
}

int conf_blame(const struct conf *c, const struct conf_entry *at, struct error *e)
{
	const struct error inner = *e;

	return error_set(e, EINVAL, "%.200s:%d: %.300s", c->path, at->line, inner.text);
}

/* --- Finding it --- */

/* The specification: a relative path is as good as none. */
static bool own_path(char path[PATH_MAX])
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n = PATH_MAX;

	if (xdg && *xdg == '/')
		n = snprintf(path, PATH_MAX, "%s/" NAME, xdg);
	else if (home && *home == '/')
		n = snprintf(path, PATH_MAX, "%s/.config/" NAME, home);
	return n < PATH_MAX;
}

int conf_own_path(char path[PATH_MAX], struct error *e)
{
	if (!own_path(path))
		return error_set(e, ENOENT,
				 "there is no place for a config: set HOME or XDG_CONFIG_HOME to "
				 "an absolute path");
	return 0;
}

/* A file that is there but may not be read is found: that is said, not passed over. */
static bool is_there(const char *path)
{
	return access(path, F_OK) == 0 || errno == EACCES;
}

static bool system_path(char path[PATH_MAX])
{
	const char *dirs = getenv("XDG_CONFIG_DIRS");

	while (dirs && *dirs) {
		int n = (int)strcspn(dirs, ":");
		if (*dirs == '/' && snprintf(path, PATH_MAX, "%.*s/" NAME, n, dirs) < PATH_MAX &&
		    is_there(path))
			return true;
		dirs += n + (dirs[n] == ':');
	}
	return snprintf(path, PATH_MAX, "%s/xdg/" NAME, SYSCONFDIR) < PATH_MAX && is_there(path);
}

int conf_load(struct conf *c, struct error *e)
{
	char path[PATH_MAX];

	memset(c, 0, sizeof(*c));
	if ((own_path(path) && is_there(path)) || system_path(path))
		return conf_read(c, path, e);
	return 0;
}
