/* layout.h - which pane goes where: a pure function of the size, tested at every size there is. */
#ifndef LUNSCOPE_LAYOUT_H
#define LUNSCOPE_LAYOUT_H

#include <stdbool.h>
#include "canvas.h"

enum pane_id {
	PANE_IOPS,
	PANE_RATE,
	PANE_LATENCY,
	PANE_CPU,
	PANE_TARGET,
	PANE_EVENTS,
	PANE_SESSIONS,
	PANE_NICS,
	PANE_HEAT,
	PANE_METERS,
	PANE_COUNT
};

struct layout {
	bool too_small;      /* below 40x10: only the header rows that fit and a hint */
	struct rect header;  /* name, state, target, clock: 1 row */
	struct rect knobs;   /* the knob bar: 1 row */
	struct rect answer;  /* IOPS, MiB/s, ms, CPU: 1 row */
	struct rect verdict; /* on the last change: 1 row, where there is one and room for it */
	struct rect pane[PANE_COUNT]; /* rows == 0: not shown at this size */
	struct rect footer;           /* keys: the last row */
};

/* What the operator wants of the panes. */
enum pane_size { PANE_SMALL = -1, PANE_USUAL, PANE_LARGE };
struct pane_plan {
	enum pane_id order[PANE_COUNT]; /* from top to bottom, each once */
	unsigned hidden;                /* bit per pane */
	signed char size[PANE_COUNT];   /* enum pane_size: of the rows that nobody needs */
};
extern const struct pane_plan pane_plan_usual;

/* zoom: the pane that has all the room, or PANE_COUNT for none. hidden: bit per pane the operator
 * switched off. paths: how many the target has; without any there is no pane of sessions, and with them
 * it takes as much room from the others as its rows need. nics: how many are watched, likewise; their
 * pane and that of the heat map are only there where the others have all the room that they want. verdict: a row for it is wanted. Rectangles never overlap and lie inside rows x
 * cols; a shown pane has at least its minimum size. Any rows, cols >= 1. */
struct layout layout_compute(int rows, int cols, enum pane_id zoom, unsigned hidden, unsigned paths,
			     unsigned nics, bool verdict);
/* The same after a plan; the zoomed pane may be a hidden one. */
struct layout layout_planned(int rows, int cols, enum pane_id zoom, const struct pane_plan *plan,
			     unsigned paths, unsigned nics, bool verdict);
/* The smallest rectangle a pane can be drawn in. */
void layout_pane_min(enum pane_id p, int *rows, int *cols);

#define LAYOUT_MIN_ROWS 10
#define LAYOUT_MIN_COLS 40

#endif
