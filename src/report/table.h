/* table.h - the table of a test report: Iometer's columns for any set of stored runs and segments.
 *
 * One row a run (or a segment of one): IOPS, rate and mean response of reads, writes and both, and the CPU.
 * Each row after the first is also held against the first. Where the store has seconds of both, the verdict is
 * that of `lunscope compare`, of the seconds that count, and its figures a and b are theirs; a run without
 * seconds (one that was imported) has old, new and ratio only, of all of it, and says why.
 *
 * Values are plain: 1/s, bytes/s, ns, per cent. NaN: there is none.
 */
#ifndef LUNSCOPE_REPORT_TABLE_H
#define LUNSCOPE_REPORT_TABLE_H

#include <jansson.h>
#include "compare/metric.h"
#include "store.h"

#define TABLE_RUNS 200

/* The member of a run's settings that has the name of its test, if it was given one. */
#define RUN_TEST "test"

/* id, group, of which IOs, name in files, figure (its unit is the figure's) */
#define REPORT_COLUMN_TABLE(X)                                         \
	X(REPORT_IOPS_R, "IOPS", "R", "iops_read", METRIC_IOPS_R)      \
	X(REPORT_IOPS_W, "IOPS", "W", "iops_write", METRIC_IOPS_W)     \
	X(REPORT_IOPS_T, "IOPS", "T", "iops", METRIC_IOPS_T)           \
	X(REPORT_RATE_R, "rate", "R", "bytes_s_read", METRIC_RATE_R)   \
	X(REPORT_RATE_W, "rate", "W", "bytes_s_write", METRIC_RATE_W)  \
	X(REPORT_RATE_T, "rate", "T", "bytes_s", METRIC_RATE_T)        \
	X(REPORT_MEAN_R, "IO Rp", "R", "mean_ns_read", METRIC_MEAN_R)  \
	X(REPORT_MEAN_W, "IO Rp", "W", "mean_ns_write", METRIC_MEAN_W) \
	X(REPORT_MEAN_T, "IO Rp", "T", "mean_ns", METRIC_MEAN_T)       \
	X(REPORT_CPU, "CPU", "%", "cpu_percent", METRIC_CPU)

enum report_column {
#define X(id, ...) id,
	REPORT_COLUMN_TABLE(X)
#undef X
		REPORT_COLUMNS
};

struct report_column_info {
	const char *group; /* "rate" stands as the unit's name: "MiB/s" */
	const char *op;
	const char *key;
	enum metric metric;
};

extern const struct report_column_info report_columns[REPORT_COLUMNS];

/* What a row is of: a run, or with segment != "" one of its segments ("b", "3"). */
struct report_part {
	int64_t run;
	const char *segment;
};

struct report_row {
	int64_t run;
	char segment[16];   /* "" = the whole run */
	char name[96];	    /* "run 12", "run 12, segment b: eth2 mtu 1500 > 9000" */
	char test[160];	    /* the test's name, else what was asked for in short */
	char target[160];
	char status[64];     /* the run's */
	uint64_t started_ns; /* wall */
	double elapsed_s;
	uint64_t errors;
	bool seconds; /* the store has some of it */
	double value[REPORT_COLUMNS];

	size_t against; /* the row that this one is held against; its own: it is a first one, and the rest is not
			 * set */
	struct verdict verdict[REPORT_COLUMNS]; /* a, b and ratio wherever there are values */
	bool judged[REPORT_COLUMNS];	/* by seconds: else there are only a, b and ratio, of the values here */
	char no_verdict[160];		/* why none is judged; "" = some are */
	json_t *differences; /* what else differs, in words (compare/differ.h); NULL: not looked at */
};

struct report_table {
	size_t rows;
	struct report_row *row;
};

/* In the order of the parts. settle_ns: what is left out next to marks, for the verdicts. -ENOENT: there is
 * no such run; -EINVAL: no such segment; else -errno, with words. */
int report_table_make(struct report_table *t, struct store *s, const struct report_part *part, size_t n,
		      uint64_t settle_ns, struct error *e);
/* The same, each held against the first row of the same test. */
int report_table_make_by_test(struct report_table *t, struct store *s, const struct report_part *part, size_t n,
			      uint64_t settle_ns, struct error *e);
void report_table_free(struct report_table *t);
/* The tests of a run that was a series (iometer/plan.h): the numbers of their segments, at most `most`. How
 * many; 0 of another run; -errno with words. */
int report_series(struct store *s, int64_t run, uint32_t *number, int most, struct error *e);

/* The head of a column: "IOPS R", "MiB/s W", "IO Rp T ms", "CPU %". */
char *report_column_name(enum report_column c, enum rate_unit rate, char *out, size_t n);
/* A value as the table has it, without its unit, which is in the head: "6414.2", "200.44", "9.978", "31.4";
 * "-" for NaN. */
char *report_value(enum report_column c, double value, enum rate_unit rate, char *out, size_t n);
/* The verdict of a column against the row's first: "different", ..., "no verdict". */
const char *report_verdict_word(const struct report_row *r, enum report_column c);

#endif
