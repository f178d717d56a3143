/* import.h - Iometer's results as runs of the store: each test becomes one.
 *
 * A run's target is the test's targets, its test (RUN_TEST) the access specification, its workload that
 * specification with as many IOs outstanding. Iometer's own figures are the summary; it has no percentiles, and how
 * deep its queues were it does not measure: both are not known.
 */
#ifndef LUNSCOPE_IOMETER_IMPORT_H
#define LUNSCOPE_IOMETER_IMPORT_H

#include "iometer/csv_read.h"
#include "store.h"

struct iometer_imported {
	int64_t run;
	bool known;	  /* it was there already, and is left as it is */
	char target[160];
	char note[160];	  /* what of the test has no counterpart; "" = nothing */
};

/* All of the file's tests or none. list has room for each. file_ns: when the file was written, for tests that
 * have no time. */
int iometer_import(struct store *s, const char *path, uint64_t file_ns, const struct iometer_csv_file *f,
		   struct iometer_imported *list, struct error *e);

/* The workload that a test stands for; false where its specification can't be one (note says why). */
bool iometer_import_workload(const struct iometer_result *r, struct workload *w, char *note, size_t n);

#endif
