/* access.h - access lines as text.
 *
 *   4K 80% read 100 random 100; 64K 20% read 0 random 0 align 64K
 *
 * Lines stand apart by ; or line ends, # begins a comment. A line begins with its size; its share and the
 * rest stand in any order: read PCT (100), random PCT (100), align SIZE (as size), delay TIME (0; a bare
 * number is ms), burst N (1). A line that is the only one needs no share. No lines: "none".
 */
#ifndef LUNSCOPE_ACCESS_H
#define LUNSCOPE_ACCESS_H

#include <stddef.h>
#include "error.h"
#include "workload.h"

/* Room for ACCESS_LINES_MAX lines as they are printed. */
#define ACCESS_TEXT 8192

/* 0, or -EINVAL with words that name the line; a as before then. */
int access_parse(struct access *a, const char *text, struct error *e);
/* The same as an operator types it: "@FILE" is the text in a file. */
int access_parse_typed(struct access *a, const char *text, struct error *e);
/* 0, or -EINVAL with words when no text makes these lines: a field out of bounds, shares that do not add up
 * to 100 %. */
int access_check(const struct access *a, struct error *e);
/* In a form that can be parsed, what is at its default left out. Cut where n is too small. */
char *access_format(char *out, size_t n, const struct access *a);
/* For a narrow column: "none", "1 line", "3 lines". */
char *access_brief(char *out, size_t n, const struct access *a);

#endif
