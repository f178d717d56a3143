/* csv_row.h - inside the reader of results.csv: what single lines of it say. */
#ifndef LUNSCOPE_IOMETER_CSV_ROW_H
#define LUNSCOPE_IOMETER_CSV_ROW_H

#include "iometer/csv_columns.h"

#define CSV_FIELDS 128

/* A line's fields, blanks around them cut; they point into it. */
struct csv_fields {
	unsigned count; /* CSV_FIELDS + 1: there are more */
	char *field[CSV_FIELDS];
};

/* Cuts the line up, which is changed. */
void csv_split(char *line, struct csv_fields *f);

struct csv_head {
	int at[CSV_COLUMNS]; /* where a column stands; -1: nowhere */
	int time;	     /* likewise, of an update's time */
	unsigned count;
};

/* Whether these are the names of columns. */
bool csv_is_head(const struct csv_fields *f);
/* 0, or -EINVAL with the name of a column that is missing. */
int csv_head_take(struct csv_head *h, const struct csv_fields *f, struct error *e);

/* A row; its time is left alone. 1: it is of a kind that is not known. -EINVAL: with what is wrong. spec: where the
 * row says of which specification it is. */
int csv_row_take(const struct csv_head *h, const struct csv_fields *f, struct iometer_row *row, char *spec,
		 size_t n, struct error *e);
/* How far the rates that the row has are off what its bytes say, as a share; 0 where there is nothing to say. */
double csv_row_off(const struct csv_head *h, const struct csv_fields *f, const struct iometer_row *row);
/* Once all rows are there: ALL has no ticks, and takes time and latencies from those below it where they agree. */
void csv_rows_settle(struct iometer_result *r);

/* --- csv_parts.c --- */

/* "2009-05-17 14:03:22:118", the milliseconds or not, in ns since 1970; 0: it is none. */
uint64_t csv_time(const char *text);
/* One more line of an access specification. 0, or -EINVAL with what is wrong. */
int csv_spec_line_take(struct iometer_spec *s, const char *line, struct error *e);
/* Puts the sum of an update file's rows of ALL before them; end_ns is the last one's. 0 or -ENOMEM. */
int csv_updates_sum(struct iometer_result *r);

#endif
