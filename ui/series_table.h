/* series_table.h - the tests of a series as rows: Iometer's columns, as many as fit. */
#ifndef LUNSCOPE_SERIES_TABLE_H
#define LUNSCOPE_SERIES_TABLE_H

#include "pane.h"

/* What the columns are, and one test's. */
void series_table_head(struct canvas *c, struct rect r, int row, const struct view *v);
void series_table_row(struct canvas *c, struct rect r, int row, const struct view *v,
		      const struct series_done *d);

#endif
