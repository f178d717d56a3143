/* imbalance.h - a path that does less than its share, and what may be why.
 *
 * Round robin and least busy are meant to use all paths. Of the paths that are up and in, one that does
 * clearly less than the others is named; so is one that, under round robin, does its share but takes much
 * longer for it, as the others wait for it in turn. It must do so for some seconds in a row, and it is
 * named until it has not for some. The causes are facts that differ from those of the others.
 */
#ifndef LUNSCOPE_IMBALANCE_H
#define LUNSCOPE_IMBALANCE_H

#include "sessions.h"

#define IMBALANCE_BEGINS 3 /* looks in a row */
#define IMBALANCE_ENDS	 2

/* All 0 at first, and at each reset. */
struct imbalance {
	unsigned path; /* that is named; 0 = none */
	unsigned suspect, bad; /* which one it was at the last look, and at how many in a row */
	unsigned good; /* looks in a row at which the named one was not */
	unsigned looks; /* at which one was named */
	char text[160]; /* the last one; "" when there was none */
};

/* Takes a look with new rates, and fills s->imbalance. */
void imbalance_look(struct imbalance *m, struct sessions *s);

#endif
