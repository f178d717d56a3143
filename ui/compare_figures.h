/* compare_figures.h - the rows of a comparison in the compare view, figure by figure: of two segments, or of
 * several by pairs.
 */
#ifndef LUNSCOPE_COMPARE_FIGURES_H
#define LUNSCOPE_COMPARE_FIGURES_H

#include "compare/live.h"
#include "pane.h"

#define ROOMY_COLS 120

struct figures {
	const struct comparison *c;
	const struct live_pair *pair; /* it is of; NULL: by pairs of segments in turn */
	int *top, *page;	      /* the first row that is seen, and how many are */
};

int figures_shown(const struct comparison *c);
/* Below a row of headings. */
void figures_draw(struct canvas *c, struct rect r, const struct view *v, const struct figures *f);

/* --- compare_pairs.c: segments in turn. --- */

/* The verdict as the headline, drift, both sides, then every figure. */
void compare_pairs_draw(struct canvas *c, struct rect r, const struct view *v, int *top, int *page);

/* A row across with a title, and words at its right end. */
void compare_rule(struct canvas *c, struct rect r, int row, const struct view *v, const char *title,
		  const char *right);

#endif
