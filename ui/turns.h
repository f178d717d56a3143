/* turns.h - on the slowest lines the clock's frames renew one pane each, beside the chart and what is above it.
 */
#ifndef LUNSCOPE_TURNS_H
#define LUNSCOPE_TURNS_H

#include "layout.h"

struct turns {
	struct canvas last;   /* the frame before; rows 0: none */
	struct layout layout; /* of that */
	int pane;	      /* whose turn it was */
};

/* c, just drawn after that layout, gets the panes of the frame before but for the one whose turn it is. zoom: the
 * pane that has all the room, PANE_COUNT: none. whole: this frame shows everything, as any does after the panes
 * have moved. Without memory all frames are whole. */
void turns_take(struct turns *t, struct canvas *c, const struct layout *layout, enum pane_id zoom,
		bool whole);
void turns_free(struct turns *t);

#endif
