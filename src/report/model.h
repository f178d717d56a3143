/* model.h - what a report tells of: runs of the store with all that is shown of them. */
#ifndef LUNSCOPE_REPORT_MODEL_H
#define LUNSCOPE_REPORT_MODEL_H

#include "report/table.h"
#include "store_figures.h"
#include "store_load.h"

#define REPORT_RUNS 8 /* side by side */

/* Latencies for drawing: a 16th of a power of two, four of the histogram's buckets. */
#define REPORT_OCTAVE 16u
#define REPORT_BINS   (HIST_BUCKETS / (HIST_SUB / REPORT_OCTAVE))

/* From mark to mark, as `show` has it: what was only passed between two is one row. */
struct report_segment {
	uint32_t number;
	char letter; /* of its mark; 0: none */
	bool way;    /* on the way to others */
	uint64_t start_ns, end_ns; /* wall */
	struct workload workload;
	struct summary sum;
	uint64_t bin[IO_OPS][REPORT_BINS];
};

struct report_run {
	struct run_row head;
	struct summary sum; /* of all since its last reset */
	struct stored_run stored; /* its seconds, and segments to compare */
	struct mark *mark; /* that are shown: none that was only passed */
	size_t marks;
	struct report_segment *row;
	size_t rows;
	uint64_t bin[IO_OPS][REPORT_BINS]; /* of what sum is of */
};

struct report {
	struct report_run *run;
	size_t runs;
	struct report_table table; /* its rows: the runs; see report_tabulate() */
	struct report_table tests; /* the tests of those that are series, run by run; none where none is */
};

/* The lowest latency of a bin, ns. */
uint64_t report_bin_low(unsigned bin);

/* One run more. -ENOENT: there is none of this number. */
int report_load(struct report *r, struct store *s, int64_t run, struct error *e);
/* When all runs are there: fills in table and tests. */
int report_tabulate(struct report *r, struct store *s, uint64_t settle_ns, struct error *e);
void report_free(struct report *r);

/* Seconds from the run's beginning. */
double report_elapsed(const struct report_run *r, uint64_t wall);
/* "b", "3" of one without a letter, "-" of the way. */
const char *report_segment_name(const struct report_segment *row, char out[16]);

#endif
