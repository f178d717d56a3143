/* live.h - two segments of a run, compared while it goes on.
 *
 * Offered are the segments that stand for one setting each: not those on the way from one knob to another, nor
 * those in which the IO was stopped. Which two: before and after the last mark, unless others are wished for;
 * a segment before it that is over and too short for any verdict is passed over where there is a longer one.
 */
#ifndef LUNSCOPE_COMPARE_LIVE_H
#define LUNSCOPE_COMPARE_LIVE_H

#include "compare/compare.h"
#include "steady.h"

struct live_segment {
	uint32_t number;
	bool open; /* it goes on */
	uint64_t start_ns, end_ns;
	enum steady_word steady;
	struct mark mark; /* that opened it */
};

struct live_wish {
	uint64_t from_ns; /* segments that began before are not offered */
	uint32_t a, b;	  /* numbers; 0: A is what was before B, B is the last */
};

enum live_state {
	LIVE_ONE,     /* there are no two segments: only the list is set */
	LIVE_A_SHORT, /* A is over, and too short to compare anything with */
	LIVE_B_SHORT, /* likewise */
	LIVE_MORE,    /* not enough data yet: c.more_s */
	LIVE_KNOWN,   /* of the IOPS; of other figures it may not be */
};

/* With a few seconds more, batches can follow each other by chance where they did not before. Then what was
 * known stays, as of then, until this share of a segment has come on top of it. */
#define LIVE_HOLD 0.5

struct live_pair {
	struct live_segment *segment; /* the oldest first */
	size_t segments;
	size_t a, b; /* which of them are compared */
	enum live_state state;
	struct side side[2]; /* without their points */
	struct comparison c;
	double needed_s[2];  /* about how long each should be, from its start on */
	double held_s;	     /* how long ago the figures were known; 0: they are of now */
	json_t *differ;	     /* what is different between them, see differ.h; NULL: not looked at yet */
	uint64_t cost_ns;    /* CPU time that it took to find out */
};

/* Lists the segments and chooses two. What `before` (NULL: none) knows of segments that are over is not
 * looked up again. NULL without memory. */
struct live_pair *live_list(struct timeline *t, const struct live_wish *wish, const struct live_pair *before);
/* Compares the two, if there are two: 0 or -ENOMEM. differ is taken over; differences that are known count
 * for the verdicts. */
int live_compare(struct live_pair *l, struct timeline *t, json_t *differ,
		 const struct live_pair *before);
/* Whether both are of the same two segments. */
bool live_same(const struct live_pair *x, const struct live_pair *y);
void live_free(struct live_pair *l); /* NULL is fine */

/* What a segment is called: "a", or "the start" where its mark has no letter. Returns out. */
char *live_name(char *out, size_t n, const struct live_segment *g);
/* Where it stands, but for the figures: "about 12 s more", "a is too short: 9 s of about 21"; "" when it is
 * known. Returns out. */
char *live_words(char *out, size_t n, const struct live_pair *l);

#endif
