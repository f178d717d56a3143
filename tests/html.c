/* html.c - see html.h. As strict as XML where HTML would let things pass. */
#include "tests/html.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define OPEN_MAX_ 64
#define IDS_MAX   2000
#define NAME      64

struct page {
	const char *text, *at;
	char open[OPEN_MAX_][NAME];
	unsigned depth;
	char id[IDS_MAX][NAME], link[IDS_MAX][NAME]; /* that there are, and that are referred to */
	unsigned ids, links;
	int level;      /* of the last heading */
	bool captioned; /* the figure that is open */
	char *why;
	size_t n;
	bool bad;
};

static bool fail(struct page *p, const char *what)
{
	if (!p->bad)
		snprintf(p->why, p->n, "%s at: %.70s", what, p->at);
	p->bad = true;
	return false;
}

static bool one_of(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcasecmp(name, *list) == 0)
			return true;
	return false;
}

static bool is_open(const struct page *p, const char *name)
{
	for (unsigned i = 0; i < p->depth; i++)
		if (strcmp(p->open[i], name) == 0)
			return true;
	return false;
}

static bool check_text(struct page *p, const char *end)
{
	static const char *const entity[] = {"&lt;", "&gt;", "&amp;", "&quot;"};

	for (const char *c = p->at; c < end; c++) {
		bool known = false;
		if (*c != '&')
			continue;
		for (unsigned i = 0; i < 4; i++)
			known |= strncmp(c, entity[i], strlen(entity[i])) == 0;
		if (!known) {
			p->at = c;
			return fail(p, "a bare &");
		}
	}
	return true;
}

/* One attribute of a tag: what it may be. */
static bool check_attribute(struct page *p, const char *tag, const char *name, const char *value)
{
	static const char *const fetching[] = {"src",        "srcset",   "xlink:href",
					       "action",     "data",     "poster",
					       "background", "manifest", NULL};

	if (strncasecmp(name, "on", 2) == 0 || one_of(name, fetching))
		return fail(p, "an attribute that runs or fetches");
	/* What is read out is text like any other. */
	if (strcmp(name, "aria-label") == 0)
		return true;
	if (strstr(value, "//") || strcasestr(value, "url(") || strcasestr(value, "javascript:"))
		return fail(p, "an outside reference");
	if (strcmp(name, "id") == 0 && p->ids < IDS_MAX) {
		for (unsigned i = 0; i < p->ids; i++)
			if (strcmp(p->id[i], value) == 0)
				return fail(p, "an id for the second time");
		snprintf(p->id[p->ids++], NAME, "%s", value);
	}
	if (strcmp(name, "href") == 0 && (strcmp(tag, "a") != 0 || value[0] != '#'))
		return fail(p, "a link that leads out of the page");
	if ((strcmp(name, "href") == 0 || strcmp(name, "aria-labelledby") == 0) &&
	    p->links < IDS_MAX)
		snprintf(p->link[p->links++], NAME, "%s", value + (value[0] == '#'));
	return true;
}

/* What a tag must say. */
struct said {
	bool scope, role_img, label, lang;
};

static bool check_tag(struct page *p, const char *tag, const struct said *s)
{
	static const char *const never[] = {"script", "link",  "iframe",        "img",   "object",
					    "embed",  "base",  "form",          "audio", "video",
					    "use",    "image", "foreignobject", NULL};

	if (one_of(tag, never))
		return fail(p, "a tag that runs or fetches");
	if (strcmp(tag, "th") == 0 && !s->scope)
		return fail(p, "a head of what?");
	if (strcmp(tag, "svg") == 0 && (!s->role_img || !s->label))
		return fail(p, "a drawing without words");
	if (strcmp(tag, "html") == 0 && !s->lang)
		return fail(p, "no language");
	if (strcmp(tag, "figure") == 0)
		p->captioned = false;
	if (strcmp(tag, "figcaption") == 0)
		p->captioned = true;
	if (tag[0] == 'h' && isdigit((unsigned char)tag[1]) && !tag[2]) {
		int level = tag[1] - '0';
		if (level > p->level + 1)
			return fail(p, "a heading skips a level");
		p->level = level;
	}
	return true;
}

static const char *take_name(const char *c, char name[NAME])
{
	size_t n = strcspn(c, " \t\n=/>'\"<");

	snprintf(name, NAME, "%.*s", (int)n, c);
	return c + n;
}

/* name="value", blanks around = allowed; into value, at most NAME. NULL: it is none. */
static const char *take_value(const char *c, char value[NAME * 4])
{
	c += strspn(c, " \t\n");
	if (*c++ != '=')
		return NULL;
	c += strspn(c, " \t\n");
	char quote = *c++;
	if (quote != '"' && quote != '\'')
		return NULL;
	const char *end = strchr(c, quote);
	if (!end || memchr(c, '<', (size_t)(end - c)))
		return NULL;
	snprintf(value, NAME * 4, "%.*s", (int)(end - c), c);
	return end + 1;
}

static bool open_tag(struct page *p)
{
	static const char *const empty[] = {"meta", "br", "hr", "wbr", "col", NULL};
	char tag[NAME], name[NAME], value[NAME * 4];
	struct said s = {.scope = false};
	const char *c = take_name(p->at + 1, tag);

	if (!tag[0])
		return fail(p, "a bare <");
	for (;;) {
		c += strspn(c, " \t\n");
		if (*c == '>' || (*c == '/' && c[1] == '>'))
			break;
		c = take_name(c, name);
		if (!name[0] || !(c = take_value(c, value)))
			return fail(p, "a malformed tag");
		if (!check_attribute(p, tag, name, value))
			return false;
		s.scope |= strcmp(name, "scope") == 0;
		s.lang |= strcmp(name, "lang") == 0;
		s.role_img |= strcmp(name, "role") == 0 && strcmp(value, "img") == 0;
		s.label |= strcmp(name, "aria-label") == 0 && value[0];
	}
	if (!check_tag(p, tag, &s))
		return false;
	bool closed = *c == '/';
	if (closed && !is_open(p, "svg"))
		return fail(p, "a tag that closes itself, outside a drawing");
	if (!closed && !one_of(tag, empty)) {
		if (p->depth == OPEN_MAX_)
			return fail(p, "too deep");
		snprintf(p->open[p->depth++], NAME, "%s", tag);
	}
	p->at = c + 1 + closed;
	return true;
}

static bool close_tag(struct page *p)
{
	char tag[NAME];
	const char *c = take_name(p->at + 2, tag);

	if (!p->depth || strcmp(p->open[p->depth - 1], tag) != 0 || *c != '>')
		return fail(p, "a tag is closed that is not the last one");
	if (strcmp(tag, "figure") == 0 && !p->captioned)
		return fail(p, "a figure without a caption ends");
	p->depth--;
	p->at = c + 1;
	return true;
}

/* A style sheet is no text. */
static bool skip_style(struct page *p)
{
	const char *end = strstr(p->at, "</style>");

	if (!end)
		return fail(p, "a style without an end");
	for (const char *c = p->at; c < end; c++)
		if (strncasecmp(c, "url(", 4) == 0 || strncasecmp(c, "@import", 7) == 0 ||
		    *c == '<')
			return fail(p, "a style that fetches");
	p->at = end;
	return true;
}

static bool walk(struct page *p)
{
	if (strncmp(p->at, "<!DOCTYPE html>", 15) != 0)
		return fail(p, "no doctype");
	p->at += 15;
	while (*p->at) {
		const char *next = strchr(p->at, '<');
		if (p->depth && strcmp(p->open[p->depth - 1], "style") == 0 && !skip_style(p))
			return false;
		next = strchr(p->at, '<');
		next = next ? next : p->at + strlen(p->at);
		if (!check_text(p, next))
			return false;
		p->at = next;
		if (!*p->at)
			break;
		if (!(p->at[1] == '/' ? close_tag(p) : open_tag(p)))
			return false;
	}
	return p->depth ? fail(p, "a tag is never closed") : true;
}

bool html_check(const char *text, char *why, size_t n)
{
	struct page *p = calloc(1, sizeof(*p));

	if (!p)
		return false;
	*p = (struct page){.text = text, .at = text, .why = why, .n = n};
	bool fine = walk(p);
	for (unsigned i = 0; fine && i < p->links; i++) {
		bool there = false;
		for (unsigned k = 0; k < p->ids; k++)
			there |= strcmp(p->id[k], p->link[i]) == 0;
		if (!there) {
			snprintf(why, n, "#%s leads nowhere", p->link[i]);
			fine = false;
		}
	}
	free(p);
	return fine;
}
