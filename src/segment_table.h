/* segment_table.h - runs and segments as rows: IOPS, MiB/s, mean, p99, CPU %, what was asked for. */
#ifndef LUNSCOPE_SEGMENT_TABLE_H
#define LUNSCOPE_SEGMENT_TABLE_H

#include <stdio.h>
#include "summary.h"
#include "timeline.h"

/* Right-aligned in so many columns. */
void table_right(FILE *f, int width, const char *text);
void table_span(FILE *f, int width, double seconds);
/* IOPS, MiB/s, mean, p99, CPU % in 8 + 9 + 9 + 9 + 7 columns. */
void table_figures(FILE *f, const struct summary *s);

/* The head, and a segment's row: the letter of its mark, length, figures, workload. */
void segment_table_head(FILE *f);
void segment_table_row(FILE *f, const struct segment *g, const char *engine);

/* Every segment of t from number `first` on that was not only passed through. Returns how many. */
unsigned segment_table(FILE *f, struct timeline *t, uint32_t first, const char *engine);

#endif
