/* csv_read.h - other people's results.csv: every version of Iometer's from 2003 to 1.1.0, and its file of
 * instantaneous results.
 *
 * Columns are known by their names, so that layouts may differ; one file may hold series of several versions, one
 * behind the other. Sums (IOs, bytes, errors) are what the file has; latency and time are taken from its ticks
 * where these agree with its rounded figures, else from the figures (of targets Iometer writes their worker's
 * ticks). "MBps" without more is 2^20 bytes; it is compared with the bytes and else not used. Times are local.
 *
 * A line that can't be right makes the whole file unreadable, and is named. What the file lacks at its end (a
 * test that was cut off) is left out and noted.
 */
#ifndef LUNSCOPE_IOMETER_CSV_READ_H
#define LUNSCOPE_IOMETER_CSV_READ_H

#include "iometer/result.h"

struct iometer_csv_test {
	struct iometer_result result; /* end_ns 0: the file has no times */
	char version[32];	      /* of the series; "" = it doesn't say */
	char description[IOMETER_TEXT];
	unsigned type;	    /* enum iometer_test, as far as it is one */
	unsigned number;    /* in its series, from 1 */
	unsigned line;	    /* that its results begin in */
	bool aborted;	    /* it was stopped with all that would have followed */
	bool updates;	    /* of a file of instantaneous results: the first row is the sum of its updates */
};

#define IOMETER_CSV_NOTES 16

struct iometer_csv_file {
	size_t tests;
	struct iometer_csv_test *test; /* each has a row ALL, which is the first */
	unsigned notes;		       /* at most IOMETER_CSV_NOTES; more are not kept */
	char note[IOMETER_CSV_NOTES][192]; /* "line 12: ..." */
};

/* 0; -EINVAL with "NAME, line N: ..." ; or -errno of the file. */
int iometer_csv_read(const char *path, struct iometer_csv_file *f, struct error *e);
/* The same of a text of n bytes. */
int iometer_csv_parse(const char *text, size_t n, const char *name, struct iometer_csv_file *f,
		      struct error *e);
void iometer_csv_file_free(struct iometer_csv_file *f);

#endif
