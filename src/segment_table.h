/* segment_table.h - runs and segments as rows: IOPS, MiB/s, mean, p99, CPU %, what was asked for. */
#ifndef LUNSCOPE_SEGMENT_TABLE_H
#define LUNSCOPE_SEGMENT_TABLE_H

#include <stdio.h>
#include "summary.h"
#include "timeline.h"

/* Right-aligned in so many columns. */
void table_right(FILE *f, int width, const char *text);
/* The same with a blank in front, however wide it is. */
void table_figure(FILE *f, int width, const char *text);
void table_span(FILE *f, int width, double seconds);
/* IOPS, MiB/s, mean, p99, CPU % in 8 + 9 + 9 + 9 + 7 columns. */
void table_figures(FILE *f, const struct summary *s);

/* Rows for all the time that the segments have, in their order: the letter of the mark, length, figures,
 * workload. What lies between two marks that were stayed at is one row, "on the way". */
struct segment_table {
	FILE *f;
	const char *engine;
	unsigned rows;
	bool has_way;
	struct segment way; /* what was passed since the last row, added up */
};

void segment_table_begin(struct segment_table *t, FILE *f, const char *engine);
void segment_table_add(struct segment_table *t, const struct segment *g, bool passed);
void segment_table_end(struct segment_table *t);

/* Every segment of t from number `first` on. Returns how many rows there are. */
unsigned segment_table(FILE *f, struct timeline *t, uint32_t first, const char *engine);

#endif
