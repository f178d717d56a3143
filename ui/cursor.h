/* cursor.h - two cursors on the time line of the charts, as on an oscilloscope: what was measured just there,
 * and the difference.
 *
 * A cursor stands at a time, not in a column: it moves with the charts, and other windows leave it where it is.
 * Its figures are those of the column that it was set in, so that they are the ones which are drawn.
 */
#ifndef LUNSCOPE_CURSOR_H
#define LUNSCOPE_CURSOR_H

#include "pane.h"

struct cursor {
	bool set;
	uint64_t t_ns;		 /* where it stands */
	uint64_t from_ns, to_ns; /* what its figures are of: the samples that ended in (from, to] */
	struct sample sum;	 /* of that; dt_ns 0: nothing was measured then. Its p99: the highest
				  * of its seconds, or of the second that it lies in */
};

struct cursors {
	struct cursor at[2];
	unsigned active; /* the one that moves */
};

/* Puts it at t_ns, in a column of width_ns (at least two ticks: less may hold none). */
void cursor_place(struct cursor *c, uint64_t t_ns, uint64_t width_ns);
/* Its figures, as far as the timeline has them; what it knew of a time that is no longer kept stays. */
void cursor_read(struct cursor *c, struct timeline *t);

/* How many rows their figures want: one each, and one for the difference. */
int cursors_rows(const struct cursors *c);
/* Where one stands, by the clock: "12:04:31.4". Returns out. */
char *cursor_clock(char *out, size_t n, const struct view *v, unsigned which);
/* Draws them into r, the most important first where there are fewer rows. */
void cursors_draw(struct canvas *c, struct rect r, const struct view *v);

#endif
