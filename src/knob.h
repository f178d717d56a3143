/* knob.h - the knobs one by one: the only list of what can be turned.
 *
 * The command line, the knob bar, the key table, the marks and the tests all read this table.
 */
#ifndef LUNSCOPE_KNOB_H
#define LUNSCOPE_KNOB_H

#include <stddef.h>
#include "workload.h"

/* id, long option, full name, short name (narrow screens), key down, key up, what it says in help */
#define KNOB_TABLE(X)                                                                                                \
	X(KNOB_WORKERS, "workers", "Workers", "Workers", 'w', 'W', "threads, each with its own queue")               \
	X(KNOB_OUTSTANDING, "outstanding", "Outstanding", "Outst", 'o', 'O', "IOs in flight per worker")             \
	X(KNOB_BLOCK, "block", "Block", "Block", 'b', 'B', "bytes per IO")                                           \
	X(KNOB_READ, "read", "Read", "Read", 'r', 'R', "share of reads, the rest are writes")                        \
	X(KNOB_RANDOM, "random", "Random", "Rand", 'x', 'X', "share of random offsets, the rest in sequence")         \
	X(KNOB_RATE, "rate", "Rate", "Rate", 't', 'T', "IOs per second of all workers together, or max")

enum knob {
#define X(id, ...) id,
	KNOB_TABLE(X)
#undef X
		KNOB_COUNT
};

struct knob_info {
	const char *option; /* without the dashes */
	const char *name;
	const char *short_name;
	char key_down, key_up;
	const char *help;
};

extern const struct knob_info knobs[KNOB_COUNT];

/* The workload with this knob one step up (dir > 0) or down; a big step is x4 for workers,
 * outstanding, block and rate, 10 for percentages. Small steps: workers and outstanding follow
 * 1 2 3 4 6 8 12 16 24 32 ..., block doubles, percentages move by 5, rate follows 1-2-5 and ends in
 * "max". Never leaves the knob's own bounds; whether the target can do it is for
 * workload_validate(). logical_block is the smallest block size. */
struct workload knob_step(struct workload w, enum knob k, int dir, bool big,
			  uint32_t logical_block);

/* Sets the knob from what an operator typed ("32", "4k", "70", "70%", "50k/s", "max"). */
int knob_parse(struct workload *w, enum knob k, const char *text, struct error *e);

/* A percentage one step up or down, as the knobs do it. */
uint32_t knob_step_percent(uint32_t v, int dir, bool big);

/* The knob's value, exact, for a field: "8", "32", "4K", "70%", "max", "50.0k". */
char *knob_format(char *out, size_t n, const struct workload *w, enum knob k);

#endif
