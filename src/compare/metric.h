/* metric.h - the figures that two segments are compared by: Iometer's columns, the tail, the CPU's cost.
 *
 * One row here is one row in the comparison, on the screen and in exports. Each is a ratio of sums over
 * seconds (stats/series.h); p99 is that of all IOs in them.
 */
#ifndef LUNSCOPE_METRIC_H
#define LUNSCOPE_METRIC_H

#include "stats/series.h"
#include "timeline.h"

enum metric_unit { UNIT_COUNT, UNIT_BYTES_S, UNIT_NS, UNIT_PERCENT, UNIT_US, UNIT_SECONDS, UNIT_EVENTS_S, UNIT_BYTES };

/* id, name on the screen, name in files, unit, whether more is better (1), worse (-1) or neither (0) */
#define METRIC_TABLE(X)                                                                     \
	X(METRIC_IOPS_R, "IOPS R", "iops_read", UNIT_COUNT, 1)                              \
	X(METRIC_IOPS_W, "IOPS W", "iops_write", UNIT_COUNT, 1)                             \
	X(METRIC_IOPS_T, "IOPS", "iops", UNIT_COUNT, 1)                                     \
	X(METRIC_RATE_R, "rate R", "bytes_s_read", UNIT_BYTES_S, 1)                         \
	X(METRIC_RATE_W, "rate W", "bytes_s_write", UNIT_BYTES_S, 1)                        \
	X(METRIC_RATE_T, "rate", "bytes_s", UNIT_BYTES_S, 1)                                \
	X(METRIC_MEAN_R, "mean R", "mean_ns_read", UNIT_NS, -1)                             \
	X(METRIC_MEAN_W, "mean W", "mean_ns_write", UNIT_NS, -1)                            \
	X(METRIC_MEAN_T, "mean", "mean_ns", UNIT_NS, -1)                                    \
	X(METRIC_P99, "p99", "p99_ns", UNIT_NS, -1)                                         \
	X(METRIC_CPU, "CPU", "cpu_percent", UNIT_PERCENT, 0)                                \
	X(METRIC_CPU_IO, "CPU/IO", "cpu_us_per_io", UNIT_US, -1)                            \
	X(METRIC_CPU_GIB, "CPU/GiB", "cpu_s_per_gib", UNIT_SECONDS, -1)                     \
	X(METRIC_SOFTIRQ_GIB, "softirq/GiB", "softirq_s_per_gib", UNIT_SECONDS, -1)         \
	X(METRIC_FRAME, "B/packet", "bytes_per_packet", UNIT_BYTES, 0)                      \
	X(METRIC_RETRANSMITS, "retransmits", "retransmits_s", UNIT_EVENTS_S, -1)            \
	X(METRIC_PAUSES, "pause frames", "pause_frames_s", UNIT_EVENTS_S, -1)

enum metric {
#define X(id, ...) id,
	METRIC_TABLE(X)
#undef X
		METRICS
};

struct metric_info {
	const char *name, *key;
	enum metric_unit unit;
	int better;
};

extern const struct metric_info metrics[METRICS];

/* Whether there may be none of it: then 0 on both sides is an answer. */
bool metric_may_be_none(enum metric m);
/* Whether a second counts at all: IOs were asked for in it (that none came is something else), and no path
 * was out. */
bool metric_counts(const struct sample *s);
/* What a second adds to a figure. Of p99 it only says whether there is one: see metric_latency(). */
struct point metric_point(enum metric m, const struct sample *s);
/* A second's latencies. */
struct quantiles metric_latency(const struct sample *s);

/* "12.3k", "4.62 ms", "412 MiB/s", "26.6 µs": ascii writes us for µs. Returns out. */
char *metric_words(enum metric m, double value, enum rate_unit rate, bool ascii, char *out,
		   size_t n);

#endif
