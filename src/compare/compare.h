/* compare.h - two stretches of time, figure by figure: what is different, and how sure that is.
 *
 * A side is made of whole seconds of one segment. Those next to its ends are left out (what was before
 * still lingers), and those in which a path was out, and at the front what MSER-5 takes for warm-up of the
 * IOPS; the same seconds count for every figure. Each figure gets a verdict (stats/series.h), and as there are
 * many of them each verdict is corrected for it (Holm).
 */
#ifndef LUNSCOPE_COMPARE_H
#define LUNSCOPE_COMPARE_H

#include <stdio.h>
#include <jansson.h>
#include "compare/metric.h"

#define SIDE_SETTLE_NS (3 * NS_PER_SEC)
/* A segment with a mark at either end that is shorter has no verdict, whatever is in it. */
#define SIDE_LEAST_NS (2 * SIDE_SETTLE_NS + BATCHES_MIN * BATCH_MIN * NS_PER_SEC)

struct side {
	char name[96]; /* "segment b", "run 12, segment b" */
	struct point *point[METRICS];
	struct quantiles *latency; /* of the same seconds, for p99 */
	size_t count;	 /* seconds that count */
	double seconds;	 /* how long these are together */
	size_t warmup;	 /* seconds that were cut off at the front for it */
	bool unkept;	 /* its run has no seconds at all, as an imported one; set by the caller */
	bool unsettled;	 /* nothing would have been left: it is all of it, too short for any verdict */
	bool steady;	 /* the rest is */
	bool judged;	 /* there was enough to tell; else steady is false */
	uint64_t errors; /* IOs that failed in them: no other figure has these */
	bool both;	 /* it has reads and writes */
	uint64_t at_ns;	 /* the middle of its seconds, on the clock of the samples */
	unsigned segments; /* of so many: side_total() */
};

/* What of a stretch is left out. */
struct side_cut {
	uint64_t settle_ns; /* at its start, and at its end unless: */
	bool open_end;	    /* nothing changed there */
	bool keep_warmup;
	bool any; /* when nothing would be left, leave nothing out: figures without a verdict, and unsettled */
};

/* The seconds that lie wholly in start..end, of those in seconds[]. -ENOMEM. A side without any is fine:
 * its verdicts are unknown. */
int side_take(struct side *s, const char *name, const struct sample *seconds, size_t n,
	      uint64_t start_ns, uint64_t end_ns, const struct side_cut *cut);
void side_free(struct side *s);
/* Several segments of one side told as one; it has no points, and is not to be freed. */
void side_total(struct side *out, const char *name, const struct side *s, unsigned n);

struct comparison {
	struct verdict verdict[METRICS];
	bool shown[METRICS]; /* it means something here; the others don't count for Holm */
	unsigned differences; /* of the sides' circumstances (differ.h), set by the caller: with more than
			       * one nothing is called alike */
	unsigned pairs;	     /* how many, where it is by pairs of segments; else 0 */
	struct drift drift[METRICS]; /* by pairs only: what happens to it by the way */
	double more_s;	     /* about how much longer both sides should be; 0 = long enough */
};

void compare_sides(struct comparison *c, const struct side *a, const struct side *b);
#define COMPARE_PAIRS 32
/* A and B in turn, n of each, at most COMPARE_PAIRS: by pairs (a[0], b[0]) ... */
void compare_pairs(struct comparison *c, const struct side *a, const struct side *b, unsigned n);

/* By itself it would be a difference (the interval leaves out that there is none), among so many figures it may
 * still be chance. */
bool verdict_open(const struct verdict *v);
/* "within noise"; with `differences` things that differ nothing is called alike. One word for each kind. */
const char *verdict_word(const struct verdict *v, unsigned differences);

/* "-4.5 % [-5.8, -3.1]", always of A; from a thousand per cent on it is ">999". */
char *verdict_change(const struct verdict *v, char *out, size_t n);
/* "different", "within noise; would have seen 2.9 %", "undecided", "not enough data: about 40 s more" */
char *verdict_words(const struct verdict *v, char *out, size_t n);
/* "-0.3 % a minute [-0.9, +0.3]: none shown" */
char *drift_words(const struct drift *d, char *out, size_t n);

/* A table of at most 79 columns, one row a figure, in plain text. */
void compare_print(FILE *f, const struct comparison *c, const struct side *a, const struct side *b,
		   enum rate_unit rate, bool ascii);
/* What stands beneath it: what the verdicts rest on, and what would make the figures mean something else. */
void compare_notes(FILE *f, const struct comparison *c, const struct side *a, const struct side *b);
/* {"a": {"name", "seconds", "warmup_s", "steady" (null: too short to tell), "errors"}, "b": ..., "more_s",
 * "figures": [{"figure", "unit", "a", "b", "ratio", "low", "high", "p", "least", "batches", "verdict"}, ...]};
 * by pairs also "pairs", and "drift" of each figure: {"per_minute", "low", "high", "p"} */
json_t *compare_json(const struct comparison *c, const struct side *a, const struct side *b);

#endif
