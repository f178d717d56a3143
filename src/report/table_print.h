/* table_print.h - a report's table as text, CSV, JSON and Markdown.
 *
 * The table has a row a run: the columns of Iometer's report. Below it, what each row is against its first: old,
 * new, ratio, per cent with its interval, verdict. Side by side it has a row a test, and a group of columns for
 * each run of it.
 */
#ifndef LUNSCOPE_REPORT_TABLE_PRINT_H
#define LUNSCOPE_REPORT_TABLE_PRINT_H

#include <stdio.h>
#include "report/table.h"

/* width: columns there are; 0 = as many as it takes. */
void report_table_print(FILE *f, const struct report_table *t, enum rate_unit rate, unsigned width, bool ascii);
void report_table_side_by_side(FILE *f, const struct report_table *t, enum rate_unit rate, unsigned width,
			       bool ascii);
/* What row i is against its first: the differences, then a line a column. */
void report_row_print(FILE *f, const struct report_table *t, size_t i, enum rate_unit rate, bool ascii);

/* One line a row. Rates in bytes/s, times in ns, as everywhere in files; ratio_, low_, high_ and verdict_ of each
 * column are against the first row. */
void report_table_csv(FILE *f, const struct report_table *t);
/* Two tables: the figures, and the changes. */
void report_table_md(FILE *f, const struct report_table *t, enum rate_unit rate, bool ascii);
void report_table_md_side_by_side(FILE *f, const struct report_table *t, enum rate_unit rate, bool ascii);
/* {"rows": [{"run", "segment", "test", "target", "status", "started_ns", "elapsed_s", "errors", "seconds",
 * "against" (index; null in a first row), "no_verdict" (null: there are), "differences", "figures": [{"figure",
 * "unit", "value", "a", "b", "ratio", "low", "high", "p", "verdict"}, ...]}, ...]}; New reference. */
json_t *report_table_json(const struct report_table *t);
/* Row 1 against row 0 as compare_json() has it, with "no_verdict": why there is none. New reference. */
json_t *report_pair_json(const struct report_table *t);

#endif
