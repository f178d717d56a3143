/* pane_target.h - the lines of the target pane, for the files that add to them. */
#ifndef LUNSCOPE_PANE_TARGET_H
#define LUNSCOPE_PANE_TARGET_H

#include "pane_util.h"

#define LINES_MAX 32

struct line {
	const char *name;
	char text[320];
	enum style style;
	uint32_t lamp; /* 0 = none */
	bool follows;  /* the line before goes on here */
	int rank;      /* what has no room goes by it, the highest first; trouble is below 0 */
};

struct lines {
	struct line line[LINES_MAX];
	int n;
};

struct line *lines_add(struct lines *l, const char *name, int rank, enum style style);

/* pane_sessions.c */
void pane_sessions_add(struct lines *l, const struct sessions *s);

#endif
