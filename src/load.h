/* load.h - one step of a goal search or a load-latency curve: the load that was asked for, and what
 * came back under it. What both have in common: the order for the next step, the log of all of them.
 */
#ifndef LUNSCOPE_LOAD_H
#define LUNSCOPE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <jansson.h>
#include "knob.h"
#include "summary.h"

#define LOAD_STEPS_MAX 64

/* A step of 3 s; it settles for a quarter of its time before. Where IOs are too few, it is measured for
 * up to five times as long. */
#define LOAD_STEP_NS	  3000000000ull
#define LOAD_SETTLE_SHARE 4
#define LOAD_PROLONG	  5

/* KNOB_OUTSTANDING: IOs in flight per worker, at the rate max; KNOB_RATE: IO/s, 0 is max. */
struct load {
	enum knob by;
	uint64_t value;
};

/* What is to be tried next. */
struct load_order {
	uint64_t value;
	uint64_t settle_ns;  /* after the change, before anything counts */
	uint64_t measure_ns;
	uint64_t ios;	     /* fewer of them are not enough, and measuring goes on for a while */
	bool confirms;	     /* a value that was measured before */
};

struct load_step {
	struct load load;
	bool confirms;
	bool refused;	  /* the engine can't have it; nothing was measured */
	bool few;	  /* IOs than were ordered, in all the time there was */
	bool sustained;	  /* the rate that was offered was also done (summary_compute() says when) */
	struct summary sum;
	char letter;	  /* of its mark; 0 for none */
	char note[24];	  /* a word or two for the table; "" */
};

struct load_log {
	unsigned steps;
	struct load_step step[LOAD_STEPS_MAX];
};

/* The step goes to the end of the log; with no room left it takes the last one's place. */
struct load_step *load_append(struct load_log *l, const struct load_step *s);

/* w with this load. */
struct workload load_workload(const struct workload *w, struct load load);
/* 0, or -EINVAL with words when w can't have loads of this kind: a rate and a think time exclude each
 * other. */
int load_check(enum knob by, const struct workload *w, struct error *e);
/* "outstanding", "rate" or -EINVAL with words. */
int load_parse_by(enum knob *by, const char *text, struct error *e);
/* "outstanding 24", "rate 4.2k/s", "rate max" */
char *load_describe(char *out, size_t n, struct load load);
/* Whether a step's latency counts from when each IO was due, with its wait in the backlog: at a rate,
 * as long as the IOs in question (SUM_READ, ...) are all of them, since what was due is counted for
 * reads and writes together. Else it counts from the submission. */
bool load_from_due(const struct load_step *s, int of);
/* That latency; the counts and rates in it are always those of the IOs in question. */
struct summary_op load_latency(const struct load_step *s, int of);

/* The table: mark, offered, IOPS, MiB/s, latency of the IOs in question (SUM_READ, ...), CPU %, note;
 * a line with a word of four letters behind it has 76 columns. Without a newline. */
char *load_head(char *out, size_t n, enum knob by, enum rate_unit unit);
char *load_row(char *out, size_t n, const struct load_step *s, int of, enum rate_unit unit,
	       int ascii);

/* [{"value", "confirms", "refused", "few_ios", "sustained", "from_due", "mark", "note", "summary"},
 * ...]; from_due is load_from_due(); the value of the rate max is null, the summary of a refused step
 * too. New reference. */
json_t *load_json(const struct load_log *l, int of);

#endif
