/* out.c - see out.h. */
#include "report/out.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- Text. --- */

/* The bytes of the UTF-8 character at p, 0 where there is none: no overlong form, no surrogate (RFC 3629). */
static size_t utf8_length(const unsigned char *p)
{
	size_t n = p[0] < 0x80                   ? 1
		   : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
		   : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
		   : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
						 : 0;

	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))
		return 0;
	return n;
}

/* Controls, also those of two bytes, and what turns the direction of all that follows (U+202A to U+202E,
 * U+2066 to U+2069): a text must not change how another one reads. */
static bool is_steering(const unsigned char *p, size_t n)
{
	if (n == 1)
		return p[0] < 0x20 || p[0] == 0x7f;
	if (n == 2)
		return p[0] == 0xc2 && p[1] < 0xa0;
	return n == 3 && p[0] == 0xe2 &&
	       ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
		(p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

static void put_ascii(const struct out *o, char c)
{
	const char *entity = c == '<'   ? "&lt;"
			     : c == '>' ? "&gt;"
			     : c == '&' ? "&amp;"
			     : c == '"' ? "&quot;"
					: NULL;

	if (o->code)
		fputc(c, o->f);
	else if (entity && (!o->md || c != '"'))
		fputs(entity, o->f);
	else if (o->md && strchr("\\`*_{}[]#|~", c))
		fprintf(o->f, "\\%c", c);
	else
		fputc(c, o->f);
}

void out_text(const struct out *o, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		size_t n = utf8_length(p);
		if (n == 0 || is_steering(p, n))
			fputc(*p == '\t' || *p == '\n' ? ' ' : '?', o->f);
		else if (n == 1)
			put_ascii(o, (char)*p);
		else
			fwrite(p, 1, n, o->f);
		p += n ? n : 1;
	}
}

static void out_textv(const struct out *o, const char *format, va_list list)
{
	char *text = NULL;

	if (vasprintf(&text, format, list) < 0)
		return;
	out_text(o, text);
	free(text);
}

#define OUT_ARGUMENTS(o, format)            \
	do {                                \
		va_list list;               \
		va_start(list, format);     \
		out_textv(o, format, list); \
		va_end(list);               \
	} while (0)

void out_textf(const struct out *o, const char *format, ...)
{
	OUT_ARGUMENTS(o, format);
}

void out_section(const struct out *o, int level, const char *id, const char *format, ...)
{
	if (o->md)
		fprintf(o->f, "\n%.*s ", level, "######");
	else
		fprintf(o->f, "<section aria-labelledby=\"%s\">\n<h%d id=\"%s\">", id, level, id);
	OUT_ARGUMENTS(o, format);
	if (o->md)
		fputs("\n", o->f);
	else
		fprintf(o->f, "</h%d>\n", level);
}

void out_section_end(const struct out *o)
{
	if (!o->md)
		fputs("</section>\n", o->f);
}

void out_paragraph(const struct out *o, const char *kind, const char *format, ...)
{
	if (o->md)
		fputs("\n", o->f);
	else if (*kind)
		fprintf(o->f, "<p class=\"%s\">", kind);
	else
		fputs("<p>", o->f);
	OUT_ARGUMENTS(o, format);
	fputs(o->md ? "\n" : "</p>\n", o->f);
}

void out_lines(const struct out *o, const char *text)
{
	char *copy = strdup(text), *rest = copy;

	if (!copy || !*copy) {
		free(copy);
		return;
	}
	fputs(o->md ? "\n" : "<div class=\"scroll\" tabindex=\"0\"><pre>", o->f);
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		if (!rest && !*line)
			break;
		if (o->md)
			fputs("    ", o->f);
		out_text(&(struct out){.f = o->f, .code = o->md}, line);
		fputc('\n', o->f);
	}
	if (!o->md)
		fputs("</pre></div>\n", o->f);
	free(copy);
}

void out_fold(const struct out *o, const char *format, ...)
{
	if (!o->md)
		fputs("<details><summary>", o->f);
	else
		fputs("\n**", o->f);
	OUT_ARGUMENTS(o, format);
	fputs(o->md ? "**\n" : "</summary>\n", o->f);
}

void out_fold_end(const struct out *o)
{
	if (!o->md)
		fputs("</details>\n", o->f);
}

/* --- Tables. --- */

static char *formatted(struct grid *g, const char *format, va_list list)
{
	char *text = NULL;

	if (vasprintf(&text, format, list) < 0) {
		g->failed = true;
		return NULL;
	}
	return text;
}

void grid_begin(struct grid *g, const char *format, ...)
{
	va_list list;

	memset(g, 0, sizeof(*g));
	va_start(list, format);
	g->caption = formatted(g, format, list);
	va_end(list);
}

void grid_column(struct grid *g, bool number, const char *format, ...)
{
	char **head = realloc(g->head, (g->columns + 1) * sizeof(*head));
	bool *numbers = realloc(g->number, (g->columns + 1) * sizeof(*numbers));
	va_list list;

	g->head = head ? head : g->head;
	g->number = numbers ? numbers : g->number;
	if (!head || !numbers) {
		g->failed = true;
		return;
	}
	va_start(list, format);
	head[g->columns] = formatted(g, format, list);
	va_end(list);
	numbers[g->columns++] = number;
}

void grid_cell(struct grid *g, const char *format, ...)
{
	va_list list;

	/* Whenever the number is a power of two it is full. */
	if ((g->cells & (g->cells - 1)) == 0) {
		char **cell = realloc(g->cell, (g->cells ? 2 * g->cells : 1) * sizeof(*cell));
		if (!cell) {
			g->failed = true;
			return;
		}
		g->cell = cell;
	}
	va_start(list, format);
	g->cell[g->cells++] = formatted(g, format, list);
	va_end(list);
}

static const char *known(const char *text)
{
	return text ? text : "";
}

static bool is_grouped(const struct grid *g)
{
	for (size_t i = 0; i < g->columns; i++)
		if (strchr(known(g->head[i]), '|'))
			return true;
	return false;
}

/* The bytes of a heading before its '|', -1 without one. */
static int group_of(const char *head)
{
	const char *bar = strchr(head, '|');

	return bar ? (int)(bar - head) : -1;
}

static bool same_group(const char *a, const char *b)
{
	int n = group_of(a);

	return n >= 0 && n == group_of(b) && strncmp(a, b, (size_t)n) == 0;
}

static void html_head_cell(const struct grid *g, const struct out *o, size_t i, const char *text,
			   bool both)
{
	fprintf(o->f, "<th scope=\"col\"%s%s>", g->number[i] ? " class=\"n\"" : "",
		both ? " rowspan=\"2\"" : "");
	out_text(o, text);
	fputs("</th>", o->f);
}

static void html_groups(const struct grid *g, const struct out *o)
{
	fputs("<tr>", o->f);
	for (size_t i = 0; i < g->columns;) {
		const char *head = known(g->head[i]);
		size_t n = 1;
		if (group_of(head) < 0) {
			html_head_cell(g, o, i++, head, true);
			continue;
		}
		while (i + n < g->columns && same_group(head, known(g->head[i + n])))
			n++;
		fprintf(o->f, "<th scope=\"colgroup\" class=\"g\" colspan=\"%zu\">", n);
		out_textf(o, "%.*s", group_of(head), head);
		fputs("</th>", o->f);
		i += n;
	}
	fputs("</tr>\n", o->f);
}

static void html_head(const struct grid *g, const struct out *o)
{
	bool grouped = is_grouped(g);

	fputs("<thead>\n", o->f);
	if (grouped)
		html_groups(g, o);
	fputs("<tr>", o->f);
	for (size_t i = 0; i < g->columns; i++) {
		const char *head = known(g->head[i]);
		int n = group_of(head);
		if (!grouped || n >= 0)
			html_head_cell(g, o, i, head + n + 1, false);
	}
	fputs("</tr>\n</thead>\n", o->f);
}

static void html_grid(const struct grid *g, const struct out *o)
{
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", o->f);
	out_text(o, known(g->caption));
	fputs("\">\n<table>\n<caption>", o->f);
	out_text(o, known(g->caption));
	fputs("</caption>\n", o->f);
	html_head(g, o);
	fputs("<tbody>\n", o->f);
	for (size_t i = 0; i < g->cells; i++) {
		size_t at = i % g->columns;
		const char *tag = at ? "td" : "th";
		fprintf(o->f, "%s<%s%s%s>", at ? "" : "<tr>", tag, at ? "" : " scope=\"row\"",
			g->number[at] ? " class=\"n\"" : "");
		out_text(o, known(g->cell[i]));
		fprintf(o->f, "</%s>%s", tag, at + 1 == g->columns ? "</tr>\n" : "");
	}
	fputs("</tbody>\n</table>\n</div>\n", o->f);
}

static void md_grid(const struct grid *g, const struct out *o)
{
	fputs("\n**", o->f);
	out_text(o, known(g->caption));
	fputs("**\n\n|", o->f);
	for (size_t i = 0; i < g->columns; i++) {
		const char *head = known(g->head[i]);
		int n = group_of(head);
		fputc(' ', o->f);
		out_textf(o, n < 0 ? "%.*s%s" : "%.*s %s", n < 0 ? 0 : n, head, head + n + 1);
		fputs(" |", o->f);
	}
	fputs("\n|", o->f);
	for (size_t i = 0; i < g->columns; i++)
		fputs(g->number[i] ? " ---: |" : " --- |", o->f);
	for (size_t i = 0; i < g->cells; i++) {
		fputs(i % g->columns ? " " : "\n| ", o->f);
		out_text(o, known(g->cell[i]));
		fputs(" |", o->f);
	}
	fputc('\n', o->f);
}

void grid_end(struct grid *g, const struct out *o)
{
	/* A row that is not full would stand beneath the wrong headings. */
	while (g->columns && g->cells % g->columns)
		free(g->cell[--g->cells]);
	if (g->columns && g->cells)
		(o->md ? md_grid : html_grid)(g, o);
	for (size_t i = 0; i < g->columns; i++)
		free(g->head[i]);
	for (size_t i = 0; i < g->cells; i++)
		free(g->cell[i]);
	free(g->caption);
	free(g->head);
	free(g->number);
	free(g->cell);
}
