/* workload.h - what the engine is asked to do: the knobs.
 *
 * A plain value: copied, changed, validated, handed to engine_apply(). Nothing points into it.
 */
#ifndef LUNSCOPE_WORKLOAD_H
#define LUNSCOPE_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"

#define WORKERS_MAX	256u
#define OUTSTANDING_MAX 4096u
#define BLOCK_MAX	(64u << 20)

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

/* Offsets are multiples of this: align, or block_size where that is 0. */
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
 * ascii false the arrow is U+2192. */
char *workload_diff(char *out, size_t n, const struct workload *from, const struct workload *to,
		    bool ascii);

#endif
