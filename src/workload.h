/* workload.h - what the engine is asked to do: the knobs.
 *
 * A plain value: copied, changed, validated, handed to engine_apply(). Nothing points into it.
 */
#ifndef LUNSCOPE_WORKLOAD_H
#define LUNSCOPE_WORKLOAD_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"

#define WORKERS_MAX	256u
#define OUTSTANDING_MAX 4096u
#define BLOCK_MAX	(64u << 20)
#define ALIGN_MAX	(1u << 30)
#define BURST_MAX	1000000u
#define THINK_MAX_NS	3600000000000ull /* an hour; of access lines' delays too */
#define RATE_MAX	1000000000ull

/* Where random IOs go: uniformly over the range, or more to some places than to others. */
enum spread_kind { SPREAD_UNIFORM, SPREAD_ZIPF, SPREAD_PARETO, SPREAD_HOT };
struct spread {
	enum spread_kind kind;
	uint32_t milli;	     /* zipf: the exponent, pareto: the shape h, both in thousandths */
	uint32_t ios, range; /* hot spot: so many % of the IOs go to so many % of the range */
};

/* What writes carry. */
enum data_kind { DATA_RANDOM, DATA_WORD };
struct data {
	enum data_kind kind;
	uint64_t word;	     /* DATA_WORD: these bytes, most significant first, again and again */
	uint32_t word_bytes; /* 1, 2, 4 or 8 */
	uint32_t compress;   /* DATA_RANDOM: per cent of each 512 bytes that compress away */
	uint32_t dedupe;     /* DATA_RANDOM: per cent of the 4 KiB pieces that are copies of a few */
};

/* One line of an access specification, as Iometer has them. */
struct access_line {
	uint32_t size;	   /* bytes per IO */
	uint32_t align;	   /* 0 = of size */
	uint32_t delay_ms; /* wait before each burst */
	uint32_t burst;	   /* IOs per burst; of no effect without a delay */
	uint8_t share;	   /* per cent of the IOs; all lines together have 100 */
	uint8_t read_pct, random_pct;
};

#define ACCESS_LINES_MAX 100u
#define STREAMS_MAX	 256u

struct access {
	uint32_t count; /* 0: the knobs say it all; else they give way to the lines */
	struct access_line line[ACCESS_LINES_MAX];
};

/* With access lines, block_size and align are for appends to the log only, read_pct and random_pct for
 * nothing.
 *
 * A workload of zeroes but for the first six and the rate is the plain one: everything that came later
 * has its default at 0. */
struct workload {
	uint32_t workers;	/* threads, each with its own queue */
	uint32_t outstanding;	/* IOs kept in flight per worker */
	uint32_t block_size;	/* bytes per IO */
	uint32_t align;		/* offsets are multiples of this; 0 = of block_size */
	uint32_t read_pct;	/* 0..100, a coin per IO */
	uint32_t random_pct;	/* 0..100, a coin per IO; else the worker goes on where its
				 * previous IO ended (Iometer's meaning) */
	bool share_range;	/* every worker uses the whole range, as Iometer does; else the
				 * range is split evenly, in order */
	bool paused;		/* IO stopped (F9), everything else goes on */
	uint64_t range_start;	/* bytes, from the start of the target */
	uint64_t range_length;	/* bytes; 0 = to the end of the target */
	uint64_t rate_iops;	/* all workers together; 0 = as fast as it goes */
	uint64_t seed;		/* same seed, same sequence of (op, offset, size) */
	struct spread spread;
	uint32_t streams;	/* sequential streams per worker; 0 and 1 are the same */
	uint32_t log_pct;	/* share of IOs that append to the worker's log */
	bool sequence_on;	/* the sequence goes on over knobs and marks; else each segment has
				 * the same one */
	bool warming;		/* in the warm-up: another sequence than the one that is measured after
				 * it, which a cache would then know by heart */
	bool poisson;		/* with a rate: IOs fall due at random, not evenly */
	uint32_t burst;		/* IOs per burst; 0 and 1 are the same */
	uint64_t think_ns;	/* wait between a worker's bursts; 0 = none */
	cpu_set_t cpus;		/* that workers are kept on, one each in turn; empty = anywhere */
	int32_t spin_us;	/* how long to look for completions before sleeping: > 0 us, 0 = by
				 * depth and CPUs, < 0 = never */
	struct data data;
	struct access access;
};

/* What a workload must fit. */
struct workload_limits {
	const char *target;	 /* named in messages */
	uint64_t target_size;	 /* bytes */
	uint32_t logical_block;	 /* bytes; sizes and offsets are multiples of it */
	const char *backend;	 /* named in messages */
	uint32_t max_outstanding; /* 0 = no limit */
	const char *depth_reason;
	bool may_write;		 /* the write guard agreed and the target is open for writing */
	uint64_t write_start;	 /* writes stay in [write_start, write_start + write_length) */
	uint64_t write_length;
};

/* The gentle default: 1 worker, 8 outstanding, 4 KiB, 100 % read, 100 % random. */
struct workload workload_default(void);

/* The range that the workload really uses, resolved against the target (and, once it writes, cut
 * to the write window). */
void workload_range(const struct workload *w, const struct workload_limits *l, uint64_t *start,
		    uint64_t *length);

/* The part of that range that worker number i (from 0) works in: the whole range with share_range,
 * else its even share. Starts and lengths are multiples of the alignment; the last worker takes the
 * rest. */
void workload_part(const struct workload *w, const struct workload_limits *l, uint32_t i,
		   uint64_t *start, uint64_t *length);

/* Whether any of its IOs is a read, a write. */
bool workload_reads(const struct workload *w);
bool workload_writes(const struct workload *w);
/* What of it makes it write, as a message names it: "read 70 %", "log 20 %", "the access lines". */
char *workload_write_cause(char *out, size_t n, const struct workload *w);
/* What its IOs are, but for appends to a log: so many lines, at least 1. Where the workload has none of
 * its own, the knobs are the only line. Of a line's fields align is never 0. */
uint32_t workload_lines(const struct workload *w);
struct access_line workload_line(const struct workload *w, uint32_t k);
/* Whether its workers wait between bursts. */
bool workload_thinks(const struct workload *w);
/* Bytes of its largest IO. */
uint32_t workload_largest(const struct workload *w);
/* Makes it one that only reads, and otherwise the same. */
void workload_only_read(struct workload *w);

/* The parts of workers start at multiples of this: align, or block_size where that is 0. With access lines,
 * the largest alignment there is. Offsets are multiples of their own IO's alignment. */
uint32_t workload_align(const struct workload *w);

/* 0, or -EINVAL/-EPERM with a line that names the culprit and the remedy. */
int workload_validate(const struct workload *w, const struct workload_limits *l, struct error *e);

/* The same but for the permission to write, which can be asked for once everything else is right. */
int workload_possible(const struct workload *w, const struct workload_limits *l, struct error *e);

/* "8 x 32, 4 KiB, 70 % read, random" */
char *workload_describe(char *out, size_t n, const struct workload *w);

/* The same for a narrow column: "8x32 4K 70%rd 100%rnd", with " 50k/s" for a rate. */
char *workload_brief(char *out, size_t n, const struct workload *w);

/* What changed, from what to what: "outstanding 8 > 32, block 4 KiB > 64 KiB"; "" if nothing. With
 * ascii false the arrow is U+2192. Values are cut where they are very long. */
char *workload_diff(char *out, size_t n, const struct workload *from, const struct workload *to,
		    bool ascii);

#endif
