/* result.h - what one test of a series gave, in the rows that Iometer's results.csv has.
 *
 * A test has a row for all, and below it one for each manager, for each of its CPUs, for each worker and
 * for each of a worker's targets. Sums are exact integers, so that rates can be computed in one place and
 * the parts add up to the whole.
 */
#ifndef LUNSCOPE_IOMETER_RESULT_H
#define LUNSCOPE_IOMETER_RESULT_H

#include "iometer/setup.h"

/* Iometer's latency bins, from 0 up, by their upper ends: 50 us, 100 us, ..., 10 s, endless. */
#define IOMETER_BINS 21

enum iometer_row_kind {
	IOMETER_ROW_ALL,
	IOMETER_ROW_MANAGER,
	IOMETER_ROW_PROCESSOR,
	IOMETER_ROW_WORKER,
	IOMETER_ROW_DISK,
	IOMETER_ROW_NETWORK /* of other people's results only */
};

/* One direction: 0 is reads, 1 is writes. */
struct iometer_sums {
	uint64_t ios, bytes, errors;
	uint64_t lat_ns;     /* sum over ios */
	uint64_t lat_max_ns; /* 0 where there were none */
};

struct iometer_cpu {
	bool known;
	double busy, user,
		system; /* per cent of all CPUs, or of this one; system has irq and softirq in it */
	double softirq, irq; /* Iometer's DPC and interrupt time */
	double interrupts_s; /* < 0 = not known */
};

struct iometer_net {
	bool known;
	double packets_s, errors,
		retransmits_s; /* per second; errors since the beginning of the test */
};

struct iometer_row {
	enum iometer_row_kind kind;
	char name[IOMETER_NAME];             /* of the manager, "CPU 0", the worker, the target */
	unsigned managers, workers, targets; /* that are in it */
	uint64_t elapsed_ns;                 /* what was measured, without the ramp */
	uint64_t time_ns; /* CLOCK_REALTIME, of an update during the test; 0: it is of all of it */
	struct iometer_sums op[2];
	uint64_t bin[IOMETER_BINS];         /* IOs of both directions */
	bool bins;                          /* false: not known (old files) */
	/* UINT64_MAX, and 0 outstanding: those that are in it have different ones. */
	uint64_t start_sector, max_sectors; /* of 512 bytes */
	uint32_t outstanding;               /* per target */
	struct iometer_cpu cpu; /* of ALL, MANAGER and PROCESSOR */
	struct iometer_net net; /* of ALL and MANAGER */
};

struct iometer_result {
	struct iometer_spec spec;
	uint64_t start_ns, end_ns; /* CLOCK_REALTIME */
	size_t rows;
	struct iometer_row *row; /* in the order of the file */
};

void iometer_result_free(struct iometer_result *r);
/* Room for one more row, zeroed; NULL without memory. */
struct iometer_row *iometer_add_row(struct iometer_result *r);

/* Derived figures, of both directions (op 2) or one (0, 1). Per second, bytes per second, milliseconds. 0
 * where nothing was done. */
double iometer_row_iops(const struct iometer_row *row, unsigned op);
double iometer_row_bytes_s(const struct iometer_row *row, unsigned op);
double iometer_row_mean_ms(const struct iometer_row *row, unsigned op);
double iometer_row_max_ms(const struct iometer_row *row, unsigned op);

#endif
