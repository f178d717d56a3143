/* ab.h - one setting against another, in turn, while the IO goes on: A B B A B A A B ...
 *
 * In this order (Thue and Morse's) whatever drifts evenly does the same to A as to B in every four segments,
 * so that the difference between them is what is left (compare_pairs). The settings are flipped by lunscope
 * itself (flip/flip.h), or, where it can't, by whoever is asked to.
 *
 * After each change a segment is opened only when the link is up again, the paths are logged in anew (where
 * it is an MTU that has changed), IOs are flowing, and a while to settle is over. What lies between two
 * segments is on the way, and counts for neither.
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

/* "eth2 mtu 1500 9000": the words of a setting, then both values. -EINVAL with words. */
int ab_flip_parse(struct ab_flip *f, const char *text, struct error *e);
/* As it would be written. Returns out. */
char *ab_flip_format(char *out, size_t n, const struct ab_flip *f);
/* "eth2 mtu 1500, eth3 mtu 1500": a side's name where nobody has given one. */
void ab_name_sides(struct ab_config *c);
/* Whose turn it is in segment i, from 0 on. */
int ab_side(unsigned i);
/* "ABBABAAB". Returns out. */
char *ab_order(char *out, size_t n, unsigned pairs);

/* A segment that counts. */
struct ab_stage {
	int side;
	uint32_t segment; /* its number; its letter */
	char letter;
	uint64_t start_ns, end_ns;
};

/* Text of a mark that opened one: "A 1 of 4: eth2 mtu 1500". False: it did not. Name may be NULL. */
bool ab_stage_scan(const char *text, int *side, const char **name);

enum ab_state {
	AB_ASKING,   /* somebody has to set it, and say so: ab_is_set() */
	AB_TURNING,  /* it was set, and nothing flows yet */
	AB_SETTLING,
	AB_MEASURING,
	AB_DONE,
	AB_FAILED,   /* see error */
};

struct ab {
	struct ab_config config;
	struct run *run;
	const struct target *target;
	struct flips *flips; /* NULL: nothing is flipped */
	enum ab_state state;
	unsigned at;	     /* the segment that is measured, or prepared */
	bool asked;	     /* it was set by hand, and not for the segment before */
	uint64_t since_ns;   /* of the state */
	uint64_t changed_ns; /* the last change was made */
	bool linked, relogin; /* still to come: all links are up; the paths log in anew */
	uint64_t logins[PATHS_MAX]; /* how often each was made anew, before the change */
	struct ab_stage stage[AB_STAGES_MAX];
	unsigned stages;     /* that are complete */
	struct error error;
};

/* Before anything changes: can each flip be made, and is what it names there? flips: open; NULL where there
 * is nothing to flip. 0, or -errno with the kernel's reason. */
int ab_check(const struct ab_config *c, const struct flips *flips, struct error *e);
/* The run of the target goes on already; they, and flips, outlive ab. Makes the first changes. -errno:
 * failed. */
int ab_start(struct ab *ab, struct run *r, const struct target *t, struct flips *flips,
	     const struct ab_config *c);
/* Every 100 ms or so. Changes are made from here, which may take a driver seconds. True: it is over. */
bool ab_tick(struct ab *ab);
/* While AB_ASKING: it is done. */
void ab_is_set(struct ab *ab);
/* "B 2 of 4: measuring, 12 of 20 s". Returns out. */
char *ab_progress(char *out, size_t n, const struct ab *ab);
/* About how long it takes from the start to the end, without what nobody knows before. */
uint64_t ab_length_ns(const struct ab_config *c);

/* Both sides' segments that are complete, in pairs: fewer than all where it was ended early. */
struct ab_result {
	unsigned pairs;
	struct side side[2][COMPARE_PAIRS], total[2];
	struct comparison comparison;
};

/* -ENOMEM. */
int ab_result(struct ab_result *r, const struct ab *ab);
void ab_result_free(struct ab_result *r);
/* {"order", "flips": [{"setting", "a", "b"}], "segments": [{"side", "segment", "seconds"}], "comparison"} */
json_t *ab_json(const struct ab *ab, const struct ab_result *r);

#endif
