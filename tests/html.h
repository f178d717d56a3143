/* html.h - whether a page is well-formed, complete in itself, and can be used without seeing it. */
#ifndef LUNSCOPE_TEST_HTML_H
#define LUNSCOPE_TEST_HTML_H

#include <stdbool.h>
#include <stddef.h>

/* Every tag is closed in its turn, every & begins an entity and every < a tag, ids are there once, links lead
 * to one of them, and nothing is fetched or run. Cells of heads say what they are the heads of, drawings what
 * they show, figures have captions and headings follow each other level by level. False: why[n] says what. */
bool html_check(const char *text, char *why, size_t n);

#endif
