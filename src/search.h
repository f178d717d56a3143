/* search.h - the largest depth, or rate, that still meets a latency goal: a state machine without
 * a clock. It says what to try next, takes what came back, and knows when it is over.
 *
 * The depth is doubled from where it is (or halved, where that fails already), then the interval
 * between the last that met the goal and the first that didn't is halved. A rate begins at the
 * top, whose own IOPS bound it, and goes down from there. Percentiles are noisy: what was found
 * is measured once more, three times as long, and where that fails, smaller values, in growing
 * steps (1/16 less, 1/8, 1/4, halves), until one holds. Nothing here believes that latency grows
 * with the load; the number of steps is bounded whatever comes back.
 */
#ifndef LUNSCOPE_SEARCH_H
#define LUNSCOPE_SEARCH_H

#include "goal.h"
#include "load.h"

#define SEARCH_STEPS_MAX 48

struct search_config {
	struct goal goal;
	enum knob by;	    /* KNOB_OUTSTANDING or KNOB_RATE */
	uint64_t from, to;  /* the least and the most. from 0: 1, or the rate that still brings enough
			     * IOs in the time there is; to 0 with KNOB_RATE: the rate max */
	uint64_t start;	    /* KNOB_OUTSTANDING: the first to try, brought within from..to */
	uint64_t precision; /* found to 1/precision of the value; 0: to 1 */
	uint64_t step_ns;   /* a step's measuring time; it settles for a quarter of that before */
};

enum search_phase {
	SEARCH_TOP,	/* the most there is */
	SEARCH_UP,	/* doubling */
	SEARCH_DOWN,	/* halving */
	SEARCH_NARROW,	/* between lo and hi */
	SEARCH_CONFIRM, /* once more, longer */
	SEARCH_OVER,
};

enum search_result {
	SEARCH_NONE,	    /* not over */
	SEARCH_FOUND,	    /* the largest that meets it, confirmed */
	SEARCH_ALL,	    /* everything up to the bound meets it */
	SEARCH_NOTHING,	    /* not even the least does */
	SEARCH_UNCONFIRMED, /* it was met, but no longer measurement has held */
};

struct search {
	struct search_config config;
	struct load_log log;
	enum search_phase phase;
	uint64_t value;	 /* to be tried next */
	uint64_t lo, hi; /* met, 0 = nothing was; not met, 0 = nothing failed */
	uint64_t from;	 /* the least */
	unsigned down;	 /* how often a confirmation has failed */
	enum search_result result;
	uint64_t found;	 /* the value: of FOUND, ALL, UNCONFIRMED */
	unsigned at;	 /* the step in the log that decided */
};

/* How long a step takes, and how closely the value is found, where nobody says. */
void search_defaults(struct search_config *c);
/* 0, or -EINVAL with words: bounds that exclude each other, a goal for IOs that w doesn't do, a rate for a
 * workload that thinks. */
int search_check(const struct search_config *c, const struct workload *w, struct error *e);

void search_begin(struct search *s, const struct search_config *c);
/* What to try next; false when it is over. */
bool search_next(const struct search *s, struct load_order *o);
/* What came of it. Fills in the step's note. */
void search_take(struct search *s, struct load_step *step);
/* About how long it takes from the next step on, if all goes as is usual. */
uint64_t search_left_ns(const struct search *s);

/* "found: outstanding 24, p99 read 4.61 ms < 5 ms", "nothing meets ...", for marks and messages. */
char *search_words(char *out, size_t n, const struct search *s, int ascii);
/* {"goal": {"figure", "of", "limit_ns"}, "by", "from", "to", "step_s", "steps": load_json(),
 * "result": {"outcome", "value", "figure_ns", "words"}}; outcome is found, all, nothing, unconfirmed
 * or cancelled; value null is the rate max, or none. New reference. */
json_t *search_json(const struct search *s);

#endif
