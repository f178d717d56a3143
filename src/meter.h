/* meter.h - single figures of the run, chosen one by one: what Iometer's results display has a meter for,
 * as far as it is measured here.
 *
 * Of each figure there is the value since the start and that of the last update, both new once an update, and
 * between which least and which most they have been since the start.
 */
#ifndef LUNSCOPE_METER_H
#define LUNSCOPE_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"
#include "timeline.h"

/* id, word in the config, name, unit, what it is */
#define METER_TABLE(X)                                                                                      \
	X(METER_IOPS, "iops", "IOPS", "IO/s", "IOs completed per second")                                   \
	X(METER_IOPS_READ, "iops-read", "IOPS read", "IO/s", "reads completed per second")                  \
	X(METER_IOPS_WRITE, "iops-write", "IOPS write", "IO/s", "writes completed per second")              \
	X(METER_MIB, "mib", "rate", "MiB/s", "MiB moved per second, of 2^20 bytes")                         \
	X(METER_MIB_READ, "mib-read", "rate read", "MiB/s", "MiB read per second")                          \
	X(METER_MIB_WRITE, "mib-write", "rate write", "MiB/s", "MiB written per second")                    \
	X(METER_MB, "mb", "rate", "MB/s", "MB moved per second, of 10^6 bytes")                             \
	X(METER_MB_READ, "mb-read", "rate read", "MB/s", "MB read per second")                              \
	X(METER_MB_WRITE, "mb-write", "rate write", "MB/s", "MB written per second")                        \
	X(METER_MEAN, "mean", "mean", "ms", "mean response time of all IOs")                                \
	X(METER_MEAN_READ, "mean-read", "mean read", "ms", "mean response time of reads")                   \
	X(METER_MEAN_WRITE, "mean-write", "mean write", "ms", "mean response time of writes")               \
	X(METER_MAX, "max", "max", "ms", "the slowest IO's response time")                                  \
	X(METER_MAX_READ, "max-read", "max read", "ms", "the slowest read's response time")                 \
	X(METER_MAX_WRITE, "max-write", "max write", "ms", "the slowest write's response time")             \
	X(METER_CPU, "cpu", "CPU", "%", "busy time of all CPUs")                                            \
	X(METER_CPU_USER, "cpu-user", "CPU user", "%", "time of all CPUs in programs")                      \
	X(METER_CPU_SYSTEM, "cpu-system", "CPU system", "%", "in the kernel for programs (privileged)")     \
	X(METER_CPU_IRQ, "cpu-irq", "CPU irq", "%", "in hardware interrupts")                               \
	X(METER_CPU_SOFTIRQ, "cpu-softirq", "CPU softirq", "%", "in what interrupts leave behind (DPC)")    \
	X(METER_INTERRUPTS, "interrupts", "interrupts", "irq/s", "interrupts per second, whole host")       \
	X(METER_EFFECTIVENESS, "effectiveness", "IOPS per CPU %", "IO/s/%", "IOPS for each per cent of CPU") \
	X(METER_PACKETS, "packets", "packets", "pkt/s", "network packets got and sent, of the paths' NICs") \
	X(METER_PACKET_ERRORS, "packet-errors", "packet errors", "pkt", "that the NICs count as broken")    \
	X(METER_RESENDS, "resends", "TCP sent anew", "seg/s", "TCP segments retransmitted, whole host")     \
	X(METER_ERRORS, "errors", "errors", "IOs", "IOs that failed")                                       \
	X(METER_ERRORS_READ, "errors-read", "errors read", "IOs", "reads that failed")                      \
	X(METER_ERRORS_WRITE, "errors-write", "errors write", "IOs", "writes that failed")

enum meter {
#define X(id, ...) id,
	METER_TABLE(X)
#undef X
		METERS
};

struct meter_info {
	const char *word, *name, *unit, *help;
};
extern const struct meter_info meters[METERS];

/* In its unit; NaN where there is nothing to tell it by: no IO, no time, or it is not measured. */
double meter_value(enum meter m, const struct sample *s);

enum meter_since { METER_SINCE_UPDATE, METER_SINCE_START, METER_SINCES };

/* The last value, and the least and most of all; NaN without any. */
struct meter_trace {
	double now, low, high;
};

struct meter_board {
	uint64_t every_ns;
	struct sample total;   /* since the start, without the time in which a path was out, but for errors */
	struct sample filling; /* since the last update */
	unsigned updates;
	uint64_t span_ns[METER_SINCES]; /* the time that the last values are of */
	struct meter_trace trace[METER_SINCES][METERS];
};

/* Anew; an update comes every so many whole seconds, at least 1. */
void meter_board_clear(struct meter_board *b, unsigned every_s);
/* The next second, as the timeline has it (the rest of one, too). True: that was an update. */
bool meter_board_add(struct meter_board *b, const struct sample *second);

/* --- What is chosen. --- */

#define METER_PLACES	6
#define METER_EVERY_MOST 86400

struct meter_choice {
	enum meter what;
	double top; /* of its scale, in its unit; 0 = automatic */
};

struct meter_setup {
	struct meter_choice place[METER_PLACES];
	enum meter_since since;
	unsigned every_s;
};

/* Iometer's six: IOPS, throughput, mean and max response time, CPU, errors. */
struct meter_setup meter_setup_usual(void);
/* "50k", "0.5", "" for automatic: 0, or -EINVAL with words. */
int meter_top_parse(double *top, const char *text, struct error *e);
/* "" where it is automatic. Returns out. */
char *meter_top_text(char *out, size_t n, double top);

/* One entry of [meters] in the config: 1 to 6 are "WORD" or "WORD TOP", since is "update" or "start", every a
 * time. -EINVAL with words. */
int meter_setup_take(struct meter_setup *s, const char *name, const char *value, struct error *e);
/* The same back: entry i of METER_ENTRIES. False: it is as usual. */
#define METER_ENTRIES (METER_PLACES + 2)
bool meter_setup_put(const struct meter_setup *s, unsigned i, char name[16], char value[64]);

#endif
