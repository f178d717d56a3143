/* verdict.h - what the screen says of two segments that are compared: in a row below the answer, and in the
 * compare view.
 */
#ifndef LUNSCOPE_VERDICT_H
#define LUNSCOPE_VERDICT_H

#include "compare/live.h"
#include "pane.h"

/* Good, a warning, or neither: a difference by its direction, all else calm. */
enum style verdict_style(enum metric m, const struct verdict *v);
/* "different, better", "within noise (2.9 %)", "about 12 s more"; roomy: the same in more words. Returns out. */
char *verdict_label(char *out, size_t n, enum metric m, const struct live_pair *l, bool roomy);
/* The same by pairs of segments in turn. */
char *verdict_label_pairs(char *out, size_t n, enum metric m, const struct comparison *c, bool roomy);
/* "a against the start" */
char *verdict_names(char *out, size_t n, const struct live_pair *l);

/* Whether there is something to say, so that the row below the answer has its place. */
bool verdict_wanted(const struct view *v);
void verdict_draw(struct canvas *c, struct rect r, const struct view *v);

#endif
