/* conf_save.c - the config file is changed line by line, so that comments and what another version
 * understands survive.
 */
#include "conf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EDITS_MOST 128

static const char *skip_blank(const char *p)
{
	return p + strspn(p, " \t");
}

/* "[name]": into out; false when the line is no head of a section. */
static bool section_of(const char *line, char *out, size_t n)
{
	line = skip_blank(line);
	const char *end = *line == '[' ? strchr(line, ']') : NULL;

	if (!end)
		return false;
	snprintf(out, n, "%.*s", (int)(end - line - 1), line + 1);
	return true;
}

static bool is_entry(const char *line, const char *name)
{
	size_t n = strlen(name);

	line = skip_blank(line);
	if (strncmp(line, name, n) != 0)
		return false;
	line = skip_blank(line + n);
	return *line == '=' || *line == ':';
}

/* What inih takes for a comment behind a value: a ; with a blank in front. */
static const char *comment_of(const char *line)
{
	for (const char *p = line; (p = strchr(p, ';')); p++)
		if (p > line && (p[-1] == ' ' || p[-1] == '\t'))
			return p;
	return NULL;
}

static void put_entry(FILE *out, const struct conf_edit *edit, const char *old)
{
	const char *comment = old ? comment_of(old) : NULL;

	if (!edit->gone)
		fprintf(out, "%s = %s%s%s\n", edit->name, edit->value, comment ? " " : "",
			comment ? comment : "");
}

/* A section may stand there twice: what comes later is no reason to add it. */
static void find_entries(FILE *old, const struct conf_edit *edit, size_t n, bool *there)
{
	char section[64] = "", *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, old) >= 0) {
		if (section_of(line, section, sizeof(section)))
			continue;
		for (size_t i = 0; i < n; i++)
			there[i] |= strcmp(edit[i].section, section) == 0 &&
				    is_entry(line, edit[i].name);
	}
	free(line);
	rewind(old);
}

/* Those of a section that the file doesn't have. */
static void put_rest(FILE *out, const char *section, const struct conf_edit *edit, size_t n,
		     bool *done)
{
	for (size_t i = 0; i < n; i++) {
		if (done[i] || edit[i].gone || strcmp(edit[i].section, section) != 0)
			continue;
		put_entry(out, &edit[i], NULL);
		done[i] = true;
	}
}

static void put_line(FILE *out, const char *section, char *line, const struct conf_edit *edit,
		     size_t n)
{
	line[strcspn(line, "\r\n")] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (strcmp(edit[i].section, section) != 0 || !is_entry(line, edit[i].name))
			continue;
		put_entry(out, &edit[i], line);
		return;
	}
	fprintf(out, "%s\n", line);
}

static void put_sections(FILE *out, const struct conf_edit *edit, size_t n, bool *done)
{
	for (size_t i = 0; i < n; i++) {
		if (done[i] || edit[i].gone)
			continue;
		fprintf(out, "%s[%s]\n", ftell(out) > 0 ? "\n" : "", edit[i].section);
		put_rest(out, edit[i].section, edit, n, done);
	}
}

/* Blank lines and comments, which belong to what comes behind them. */
struct held {
	char *text;
	size_t length;
	FILE *file;
};

static void put_held(FILE *out, struct held *h)
{
	fflush(h->file);
	fwrite(h->text, 1, h->length, out);
	rewind(h->file);
}

static bool is_remark(const char *line)
{
	line += strspn(line, " \t\r\n");
	return !*line || *line == '#' || *line == ';';
}

struct edits {
	const struct conf_edit *edit;
	size_t n;
};

/* What a section didn't have goes to its end: in front of the words above the next one. */
static int put_text(FILE *out, FILE *old, const void *what)
{
	const struct edits *edits = what;
	const struct conf_edit *edit = edits->edit;
	size_t n = edits->n;
	struct held held = {0};
	bool done[EDITS_MOST] = {false};
	char section[64] = "", *line = NULL;
	size_t room = 0;

	held.file = open_memstream(&held.text, &held.length);
	if (!held.file)
		return -ENOMEM;
	if (old)
		find_entries(old, edit, n, done);
	while (old && getline(&line, &room, old) >= 0) {
		char next[64];
		if (is_remark(line)) {
			line[strcspn(line, "\r\n")] = '\0';
			fprintf(held.file, "%s\n", line);
			continue;
		}
		bool head = section_of(line, next, sizeof(next));
		if (head)
			put_rest(out, section, edit, n, done);
		put_held(out, &held);
		if (head)
			strcpy(section, next);
		put_line(out, section, line, edit, n);
	}
	put_rest(out, section, edit, n, done);
	put_held(out, &held);
	put_sections(out, edit, n, done);
	fclose(held.file);
	free(held.text);
	free(line);
	return 0;
}

int conf_save(const char *path, const struct conf_edit *edit, size_t n, bool others,
	      struct error *e)
{
	const struct edits edits = {edit, n};

	if (n > EDITS_MOST)
		return error_set(e, EINVAL, "%.200s: too long", path);
	return conf_replace(path, put_text, &edits, others, e);
}
