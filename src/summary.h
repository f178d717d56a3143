/* summary.h - a run (or a part of one) in figures: the table, and the JSON's summary object.
 *
 * Everything is computed from sums: rates are sums over elapsed time, means are sums over counts,
 * percentiles come from the merged histogram, total = read + write.
 */
#ifndef LUNSCOPE_SUMMARY_H
#define LUNSCOPE_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <jansson.h>
#include "backends/backend.h"
#include "hist.h"
#include "looks.h"
#include "timeline.h"
#include "units.h"

enum { SUM_READ, SUM_WRITE, SUM_TOTAL, SUM_COUNT };

struct summary_op {
	uint64_t ios, bytes, errors;
	double iops;	  /* 1/s */
	double bytes_s;	  /* B/s */
	double mean, min, p50, p90, p95, p99, p999, max; /* ns; NaN without an IO */
};

/* What a rate asked for and what came of it. */
struct summary_due {
	uint64_t offered;  /* IOs that fell due; 0: there was no rate, and the rest is 0 or NaN */
	uint64_t started;  /* IOs that were started, those of an earlier backlog too */
	uint64_t ios;	   /* that completed without error */
	uint64_t backlog;  /* due and not started at the end */
	bool sustained;	   /* see summary_compute() */
	double offered_s;  /* 1/s */
	double mean, min, p50, p90, p95, p99, p999, max; /* ns, from when each IO was due */
};

/* What is left out of all other figures because a path was out, and what they would be with it. */
struct summary_outage {
	double seconds;	 /* 0: nothing is left out, and the rest is 0 */
	unsigned gaps;	 /* 0 where that is not known any more */
	uint64_t ios[SUM_COUNT], bytes[SUM_COUNT]; /* that completed meanwhile */
	double max;	 /* ns, of these; NaN without one */
	double with_iops, with_bytes_s, with_mean; /* of all the time; NaN without an IO */
};

struct summary {
	struct summary_op op[SUM_COUNT];
	struct summary_due due;
	struct summary_outage outage;
	bool cpu_valid;
	uint32_t cpus;
	double cpu_percent;	   /* of all CPUs, Iometer's definition */
	double cpu_us_per_io;	   /* NaN without an IO. Where the CPU figures cover only a part of
				    * the time (sample_cpu_dt), this and the next two are for the
				    * whole of it at the same CPU load */
	double cpu_s_per_gib;	   /* NaN without a byte */
	double self_us_per_io;
	double elapsed_s;
	double depth_requested;	   /* mean over the time, of workers x outstanding */
	double depth_achieved;	   /* mean IOs in flight; NaN if not known, as of other programs' results */
	double depth_device;	   /* by the block layer's own count; < 0 if not known */
	double little;		   /* IOPS x mean latency / depth achieved; 1 when all is right,
				    * NaN when nothing was in flight */
	double failed_max;	   /* ns, what the slowest IO took that failed; 0 if none, or not known; set
				    * by the caller */
	bool rate_limited;	   /* a rate or a think time held the IO at some time, so the depth is
				    * what it takes; set by the caller */
	uint64_t unanswered;	   /* IOs that were not back when the run ended; set by the caller */
	uint64_t unaccounted;	   /* IOs that the engine lost sight of: a fault; set by the caller */
	struct looks looks;	   /* how completions were met; set by the caller, of 0 IOs where that
				    * is not known */
	char engine[128];	   /* the backend's name, or those of several */
	char engine_why[BACKEND_WHY]; /* why that one was chosen, "" when the operator named it; set
				    * by the caller */
	char engine_remark[BACKEND_WHY]; /* what is to be known of how it went about it; likewise */
};

/* Computes s from added-up samples (dt, sums, cpu) and the histograms of the same stretch. A rate
 * counts as sustained unless more than 0.5 % of the IOs that fell due were not started, and these are
 * more than the requested depth (so many may be waiting at any moment). Nor is it when more were waiting
 * at the end than either and than fell due in 100 ms, wherever they came from. */
void summary_compute(struct summary *s, const struct sample *total,
		     const struct hist hist[HISTS], const char *engine);

/* Puts in what was left out of total: gap, in so many gaps. Where nothing else is left, rates are NaN. */
void summary_leave_out(struct summary *s, const struct sample *total, const struct sample *gap,
		       unsigned gaps);

/* The final table, in Iometer's columns (IOPS R/W/T, MiB/s R/W/T, ms R/W/T, CPU %), then the
 * percentiles, CPU cost, depth. Plain text, at most 79 columns, ends in a newline; ascii: "us" for
 * "µs". Returns a malloc'd string. */
char *summary_table(const struct summary *s, enum rate_unit unit, bool ascii);

/* {"read": {"ios", "bytes", "errors", "iops", "mib_s", "lat_ns": {...}}, "write", "total", "cpu",
 * "elapsed_s", "depth_requested", "depth_achieved", "engine", "reaped", "rate": {"offered", "started",
 * "ios", "backlog", "sustained", "offered_iops", "lat_due_ns": {...}} or null, "outage": {"gaps", "elapsed_s",
 * "read": {"ios", "bytes"}, "write", "total", "lat_max_ns", "with_it": {"elapsed_s", "iops", "mib_s",
 * "lat_mean_ns"}} or null when nothing was left out, "error_lat_max_ns"}; NaN becomes null. New reference. */
json_t *summary_json(const struct summary *s);
/* The reverse, for a run that is read back from the store. What the object doesn't have (cpus,
 * depth_device, little) is not known afterwards. 0, or -EINVAL when it isn't such an object. */
int summary_scan(struct summary *s, const json_t *object);

/* The one-line warnings that belong under a summary: depth not reached, Little's law off, errors by
 * errno (errors[] as in struct engine_counters). malloc'd, possibly empty, one line each. */
char *summary_warnings(const struct summary *s, const uint64_t *errors);
/* Of these, those that hold for many loads together too: errors, and IOs that got lost. */
char *summary_faults(const struct summary *s, const uint64_t *errors);

#endif
