/* out.h - a report as it is written: one composition for the page and for Markdown.
 *
 * Whatever is printed here is text and is escaped: a target's name, a mark's words and a value of the host
 * may be anything.
 */
#ifndef LUNSCOPE_REPORT_OUT_H
#define LUNSCOPE_REPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct out {
	FILE *f;
	bool md;   /* Markdown; else HTML */
	bool code; /* within Markdown's code, where all stands as it is */
};

/* Escaped for where it stands: text between tags or within a quoted attribute, or a line of Markdown. What
 * is no UTF-8, and what would steer a terminal, becomes '?'. */
void out_text(const struct out *o, const char *text);
void out_textf(const struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A section with its heading, level 2 to 4; id is for links within the page: letters, digits and dashes. */
void out_section(const struct out *o, int level, const char *id, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void out_section_end(const struct out *o);
/* kind: a class of the style, "" for none. */
void out_paragraph(const struct out *o, const char *kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Lines that stand as they are. Nothing for "". */
void out_lines(const struct out *o, const char *text);
/* What is folded until it is wanted. */
void out_fold(const struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_fold_end(const struct out *o);

/* --- Tables. --- */

struct grid {
	char *caption;
	char **head;  /* "IOPS|R": under a common heading */
	bool *number; /* right-aligned */
	size_t columns;
	char **cell; /* row by row */
	size_t cells;
	bool failed; /* no memory: it is printed as far as it is there */
};

void grid_begin(struct grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grid_column(struct grid *g, bool number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The next cell; a row begins when the one before is full. Its first cell says what it is of. */
void grid_cell(struct grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints it, unless it has no row, and frees it. */
void grid_end(struct grid *g, const struct out *o);

#endif
