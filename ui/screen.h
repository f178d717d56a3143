/* screen.h - the whole picture: every row and pane of the main screen, and the dialogs over it. */
#ifndef LUNSCOPE_SCREEN_H
#define LUNSCOPE_SCREEN_H

#include "state.h"

/* Draws the state as it is onto c, which it first lays out for c's size. */
void screen_draw(struct canvas *c, struct ui_state *s);

/* Whether a search, a curve or Iometer's tests are under way: they stand in place of the keys. */
bool footer_is_progress(const struct view *v);
/* The last row: a message if there is one, else the keys; letters where there are no F-keys. A
 * message that doesn't fit a row of cols columns is given as many as footer_rows() says. */
int footer_rows(const struct view *v, int cols);
void footer_draw(struct canvas *c, struct rect r, const struct view *v, bool fkeys);

#endif
