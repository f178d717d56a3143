/* table_words.h - what the printers of a report's table have in common. */
#ifndef LUNSCOPE_REPORT_TABLE_WORDS_H
#define LUNSCOPE_REPORT_TABLE_WORDS_H

#include "compare/compare.h"
#include "report/table.h"

/* "12", "12:b" */
char *report_row_label(const struct report_row *r, char *out, size_t n);
/* "x0.43"; "-" where there is none. */
char *report_ratio(const struct verdict *v, char *out, size_t n);
/* Whether a column has something to say against the first row: there was some of it on one side. */
bool report_column_says(const struct report_row *r, enum report_column c);
/* Of the same test there are at most so many rows. */
unsigned report_table_groups(const struct report_table *t);

#endif
