/* csv_write.h - results.csv as Iometer writes it, appended to what is there.
 *
 * A series is a head (test type and description, version, time), then each test: its access specification where
 * it is another one than before, its rows, and the time. Each of these blocks is written whole or not at all.
 * Numbers are in the C locale. The raw columns count nanoseconds: "Processor Speed", in Iometer the ticks of
 * its timer in a second, is 1000000000. Figures that are not known are blank.
 *
 * A file that is there must be a results.csv; where its lines end in CR LF, what is added does too.
 */
#ifndef LUNSCOPE_IOMETER_CSV_WRITE_H
#define LUNSCOPE_IOMETER_CSV_WRITE_H

#include <limits.h>
#include "iometer/csv_columns.h"

struct iometer_csv {
	char path[PATH_MAX];
	enum iometer_layout layout;
	enum iometer_record record;
	char spec[IOMETER_NAME]; /* of the last test */
	bool began;		 /* it has had one */
};

/* Whether results could be appended to path: nothing is made or changed. 0, or -errno with words that name
 * the file and the remedy. */
int iometer_csv_check(const char *path, struct error *e);
/* Writes the head of a series. IOMETER_RECORD_NONE: nothing is ever written. */
int iometer_csv_begin(struct iometer_csv *c, const char *path, enum iometer_layout layout,
		      const struct iometer_setup *s, uint64_t wall_ns, struct error *e);
/* Appends a test; rows that the set-up does not want recorded are left out. */
int iometer_csv_test(struct iometer_csv *c, const struct iometer_result *r, struct error *e);
/* Says that the series is over ("'End Test", 1.1.0) or was broken off ("Aborted test"). */
int iometer_csv_end(struct iometer_csv *c, bool aborted, struct error *e);

/* The text of each, malloc'd, with LF; NULL without memory. For files of other makes, and tests. */
char *iometer_csv_head_text(const struct iometer_csv *c, const struct iometer_setup *s, uint64_t wall_ns);
char *iometer_csv_test_text(const struct iometer_csv *c, const struct iometer_result *r);

#endif
