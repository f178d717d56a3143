/* view-fixture.h - a view as the screen would gather it: 8 x 32 at 4 KiB, 70 % reads, a minute of
 * ticks in which the MTU was turned down and up again. The figures are made up (a fixed sequence,
 * the same on every machine) but obey Little's law; no IO is done.
 */
#ifndef LUNSCOPE_VIEW_FIXTURE_H
#define LUNSCOPE_VIEW_FIXTURE_H

#include "ui/pane.h"

#define FIXTURE_TICKS 600
#define FIXTURE_MARKS 8

struct fixture {
	struct view v;
	struct target target;
	struct backend backend;
	struct sample tick[FIXTURE_TICKS];
	struct mark mark[FIXTURE_MARKS];
};

/* A run that has been going on for 12 min 41 s. */
void fixture_make(struct fixture *f, enum glyph_level level);
/* The same before the first tick. */
void fixture_empty(struct fixture *f, enum glyph_level level);
/* Changes the level of an existing view. */
void fixture_level(struct fixture *f, enum glyph_level level);

/* The main screen as layout.c has it, without the footer. The canvas is resized. */
void fixture_screen(struct canvas *c, const struct fixture *f, int rows, int cols,
		    enum pane_id zoom);

#endif
