/* ab.h - one setting against another, in turn, while the IO goes on: A B B A B A A B ...
 *
 * In this order (Thue and Morse's) whatever drifts evenly does the same to A as to B in every four segments,
 * so that the difference between them is what is left (compare_pairs). The settings are flipped by lunscope
 * itself (flip/flip.h), or, where it can't, by whoever is asked to.
 *
 * After each change a segment is opened only when the link is up again, the paths are logged in anew (where
 * it is an MTU that has changed), IOs are flowing, and a while to settle is over. What lies between two
 * segments is on the way, and counts for neither. It begins and ends where a second of the samples does, so that
 * it has as many whole ones as were asked for; they are what is compared, now and of the record.
 *
 * A segment in which somebody else has set what is compared, or its NIC went away, is told and does not count.
 *
 * The MTU that is flipped is this host's. A session that was logged in at the larger one is sent frames that
 * a NIC at the smaller drops, as its peer does not know; one that was logged in at the smaller never uses the
 * larger. So the paths are logged in anew after each change of an MTU, and both sides are what a session is
 * that never saw the other one. Sessions that are not lunscope's own (the kernel's, NFS) can't be.
 */
#ifndef LUNSCOPE_AB_H
#define LUNSCOPE_AB_H

#include "compare/compare.h"
#include "flip/flip.h"
#include "run.h"

#define AB_FLIPS_MAX  8
#define AB_STAGES_MAX (2 * COMPARE_PAIRS)
/* When nothing flows for so long after a change, it does not work. */
#define AB_PATIENCE_NS (60 * NS_PER_SEC)
#define AB_SEGMENT_LEAST (4 * NS_PER_SEC)

enum { AB_A, AB_B };

/* "eth2 mtu", between "1500" and "9000". */
struct ab_flip {
	char words[FACT_WORDS];
	char value[2][FACT_VALUE];
};

struct ab_config {
	unsigned pairs; /* even, so that drift cancels out */
	uint64_t segment_ns, settle_ns;
	unsigned flips; /* none: somebody is asked to */
	struct ab_flip flip[AB_FLIPS_MAX];
	char name[2][96]; /* "eth2 mtu 1500"; what the sides are called */
};

/* "eth2 mtu 1500 9000": the words of a setting, then both values; "mtu eth2 ..." is the same. -EINVAL with
 * words. */
int ab_flip_parse(struct ab_flip *f, const char *text, struct error *e);
/* As it would be written. Returns out. */
char *ab_flip_format(char *out, size_t n, const struct ab_flip *f);
/* "eth2 mtu 1500, eth3 mtu 1500": a side's name where nobody has given one. */
void ab_name_sides(struct ab_config *c);
/* Whose turn it is in segment i, from 0 on. */
int ab_side(unsigned i);
/* "ABBABAAB". Returns out. */
char *ab_order(char *out, size_t n, unsigned pairs);

/* The how manieth of its side segment i is, from 1 on: both sides' with the same number are a pair. */
unsigned ab_number(unsigned i);

/* A segment that counts once it is complete. */
struct ab_stage {
	int side;
	unsigned number;  /* ab_number() */
	bool complete;
	uint32_t segment, mark; /* its number, what opened it */
	char letter;
	uint64_t start_ns, end_ns;
	char why[MARK_TEXT]; /* it does not count: "v0 mtu was set to 1300 by somebody else" */
};

/* Text of a mark that opened one: "A 1 of 4: eth2 mtu 1500". False: it did not, or what it opened was cut
 * short. Number and name may be NULL. */
bool ab_stage_scan(const char *text, int *side, unsigned *number, const char **name);
/* Text of any mark that these comparisons set, and so of one that ends the segment before it. */
bool ab_mark_scan(const char *text);
#define AB_WAY	"on the way to "
#define AB_OVER "A against B is over"

enum ab_state {
	AB_ASKING,   /* somebody has to set it, and say so: ab_is_set() */
	AB_CHANGING, /* lunscope has to: ab_change() */
	AB_TURNING,  /* it was set, and nothing flows yet */
	AB_SETTLING,
	AB_MEASURING,
	AB_DONE,
	AB_STOPPED,  /* before its end */
	AB_FAILED,   /* see error */
};

struct ab {
	struct ab_config config;
	struct run *run;
	const struct target *target;
	struct flips *flips; /* NULL: nothing is flipped */
	enum ab_state state;
	unsigned at;	     /* the segment that is measured, or prepared */
	int set;	     /* which side it is that is set; -1: not known */
	bool asked;	     /* it was set by hand, and not for the segment before */
	char before[AB_FLIPS_MAX][FACT_VALUE]; /* what each flip was at the start, or somebody else has set
						* meanwhile */
	char now[AB_FLIPS_MAX][FACT_VALUE];    /* what each became by the last change */
	uint64_t since_ns;   /* of the state */
	uint64_t changed_ns; /* the last change was made */
	bool linked, relogin; /* still to come: all links are up; the paths log in anew */
	uint64_t logins[PATHS_MAX]; /* how often each was made anew, before the change */
	char unlinked[64];   /* the NIC of a flip that has no link, while that is waited for */
	bool ordered;	     /* the mark that opens the segment comes with the next second */
	uint32_t passed;     /* marks up to this one have been seen to be on the way */
	struct ab_stage stage[AB_STAGES_MAX];
	unsigned stages;     /* that are complete */
	struct error error;
};

/* Before anything changes: can each flip be made, and is what it names there? flips: open; NULL where there
 * is nothing to flip. 0, or -errno with the kernel's reason. */
int ab_check(const struct ab_config *c, const struct flips *flips, struct error *e);
/* Before there is a run, where that can be: sets both values of each flip, those of A last, so that what the kernel
 * refuses is known before there is any IO. ab: zeroed, and what it remembers is for ab_start() and
 * ab_put_back(). 0, or -errno with words, and all is as it was. */
int ab_try(struct ab *ab, struct flips *flips, const struct ab_config *c, struct error *e);
/* The run of the target goes on already; they, and flips, outlive ab, which is zeroed or has been tried. Nothing
 * is changed yet. 0, or -errno with words in ab->error: it has failed. */
int ab_start(struct ab *ab, struct run *r, const struct target *t, struct flips *flips,
	     const struct ab_config *c);
/* While AB_CHANGING: makes the changes, which may take a driver seconds. From any thread, while no other
 * call is made for this ab. 0, or -errno: it has failed. */
int ab_change(struct ab *ab);
/* Every 100 ms or so; never takes long. True: it is over. */
bool ab_tick(struct ab *ab);
/* While AB_ASKING: it is done. */
void ab_is_set(struct ab *ab);
/* Leaves out the segment that is measured or prepared, and with it its pair. Not while AB_CHANGING. */
void ab_skip(struct ab *ab);
/* Ends it early: a segment that is not complete counts no more. Not while AB_CHANGING. */
void ab_stop(struct ab *ab);
bool ab_over(const struct ab *ab);
/* Makes what was flipped what it was at the start, which may take seconds; what somebody else has changed
 * since is left alone. told, which may be NULL, hears of each that was not so already. Returns how many could
 * not be put back: they stay in the journal. Needs no run; from any thread, as ab_change(). */
unsigned ab_put_back(const struct ab *ab, flips_told_fn *told, void *arg);
/* Afterwards, where the run goes on: what follows is none of its segments, and lunscope's own sessions log in
 * anew if it was an MTU. 0, or -errno with words. */
int ab_leave(struct ab *ab, struct error *e);
/* "B, segment 2 of 4: measuring, 12 of 20 s". Returns out. */
char *ab_progress(char *out, size_t n, const struct ab *ab);
/* About how long it takes from the start to the end, and what is left of that, without what nobody knows
 * before. */
uint64_t ab_length_ns(const struct ab_config *c);
uint64_t ab_left_ns(const struct ab *ab);

/* The pairs of which both segments are complete. */
struct ab_result {
	unsigned pairs;
	struct side side[2][COMPARE_PAIRS], total[2];
	struct comparison comparison; /* without pairs: nothing */
	json_t *set;  /* "eth2 mtu: 1500 > 9000": A and B; empty where they were set by hand, and out of sight */
	json_t *also; /* what else was not the same all the time, in such words */
};

/* -ENOMEM. */
int ab_result(struct ab_result *r, const struct ab *ab);
void ab_result_free(struct ab_result *r);
/* {"order", "flips": [{"setting", "a", "b"}], "segments": [{"side", "number", "segment", "seconds", "iops", "bytes_s",
 * "mean_ns", "cpu_s_per_gib"}], "left_out": [{"side", "number", "why"}], "comparison": compare_json() with
 * "differences"} */
json_t *ab_json(const struct ab *ab, const struct ab_result *r);

/* A table of the segments that are over, a row each: figures, or why it does not count. Row i is segment i's; false
 * where there is nothing to be said of it. */
char *ab_head(char *out, size_t n);
bool ab_row(char *out, size_t n, const struct ab *ab, unsigned i, enum rate_unit unit, bool ascii);

#endif
