/* time_axis.h - the axis below everything that is drawn over the charts' time: times, the marks' letters and
 * causes, stretches that no mean counts, and the cursors that stand through the picture.
 */
#ifndef LUNSCOPE_TIME_AXIS_H
#define LUNSCOPE_TIME_AXIS_H

#include "chart.h"
#include "pane.h"

struct time_axis {
	struct rect r;	  /* the whole pane, whose first row is the title */
	struct rect body; /* where the columns are, as wide as the axis */
	int row;	  /* of the axis in r; -1 = no room for one */
	int n;		  /* columns that time is cut into: chart_resolution() */
	struct {
		const struct mark *newest;
		int count;
	} marks[CHART_MAX]; /* by their column in r: time_axis_marks() */
};

/* Marks in one column have one line, and one letter: the newest's. */
void time_axis_marks(struct time_axis *a, const struct view *v);
/* Draws it, if there is room. */
void time_axis_draw(struct canvas *c, const struct time_axis *a, const struct view *v);
/* The letters over the marks' lines, on the title row where that isn't words. */
void time_axis_letters(struct canvas *c, const struct time_axis *a, const struct view *v);
/* Lines through the body, with their numbers on the axis; and, focused, the hardware cursor. */
void time_axis_cursors(struct canvas *c, const struct time_axis *a, const struct view *v,
		       bool focused);

#endif
