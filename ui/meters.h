/* meters.h - the meters' figures as the run goes on: reads each second once, whatever is chosen. */
#ifndef LUNSCOPE_METERS_H
#define LUNSCOPE_METERS_H

#include "pane.h"

struct meters {
	struct meter_board board; /* the view's */
	uint64_t start_ns;	  /* of the run, or of its statistics; 0: nothing was read */
	uint64_t seen_ns;	  /* end of what was read */
	uint32_t gaps;		  /* timeline_gaps_changed() by then */
};

/* Another run: all is read anew. */
void meters_clear(struct meters *m);
/* Reads what came since, for the view's choice, and puts it into the view. */
void meters_update(struct meters *m, struct view *v, struct timeline *t);

#endif
