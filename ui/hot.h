/* hot.h - what a click means, cell by cell: whoever draws something that can be chosen says so here, where
 * it knows the place, so that no other code needs to know it.
 *
 * Zones belong to the canvas that they lie on and are as old as its picture. Of those that lie over each
 * other the last counts. A dialog takes all that is below it away: nothing but itself can be clicked.
 */
#ifndef LUNSCOPE_HOT_H
#define LUNSCOPE_HOT_H

#include <stdbool.h>
#include "canvas.h"

enum hot_kind {
	HOT_KEY,   /* is that key; value: which */
	HOT_PANE,  /* value: enum pane_id */
	HOT_CHART, /* the columns of a time line; value: enum pane_id of its pane */
	HOT_KNOB,  /* value: enum knob */
	HOT_ROW,   /* of a list: `down` and `right` arrows lead to it, and Enter takes it */
	HOT_FIELD, /* the same, of what no Enter takes */
	HOT_BODY,  /* of a dialog; value: how many arrows a notch of the wheel is */
};

struct hot_zone {
	struct rect r;
	enum hot_kind kind;
	int value;
	int down, right; /* arrows from what is chosen now; negative: up, left */
};

/* Clipped to the canvas; without memory, or any cell left, nothing is there to be clicked. */
void hot_add(struct canvas *c, struct rect r, enum hot_kind kind, int value);
/* kind: HOT_ROW or HOT_FIELD. */
void hot_choice(struct canvas *c, struct rect r, enum hot_kind kind, int down, int right);
/* The keys in a line like "Up Down row  Enter starts  Esc back" that was drawn at col of r's first row: the last
 * of those that lead one part of it has its words too. Not y, which only the keyboard can say. */
void hot_words(struct canvas *c, struct rect r, int col, const char *line);
/* Takes all away. */
void hot_clear(struct canvas *c);
/* NULL: nothing. Until the canvas is drawn on again. */
const struct hot_zone *hot_at(const struct canvas *c, int row, int col);
/* The same, of that kind alone. */
const struct hot_zone *hot_under(const struct canvas *c, int row, int col, enum hot_kind kind);

#endif
