/* setting.h - everything of a workload that the operator can set while it runs: the knobs, and what
 * is turned more rarely. One list for the marks, the dialog of all settings and the command line.
 *
 * The seed is no setting: each worker takes it once, at its start, and the sequence runs on from it.
 */
#ifndef LUNSCOPE_SETTING_H
#define LUNSCOPE_SETTING_H

#include "knob.h"

/* id, name in marks, full name, what it says in help, what to type */
/* clang-format off */
#define SETTING_TABLE(X) \
	X(SETTING_ALIGN, "align", "Alignment", "offsets are multiples of it, or of the block", "a size, as 4k, or block") \
	X(SETTING_START, "range start", "Range start", "where on the target the range begins", "a size, as 0 or 10G") \
	X(SETTING_LENGTH, "range length", "Range length", "how much from there on, or to the end", "a size, as 1G, or end") \
	X(SETTING_SHARE, "range", "Range is", "split among the workers, or shared by all", "split or shared")
/* clang-format on */

/* The knobs come first: a setting below KNOB_COUNT is the knob with that number. */
enum setting {
	SETTING_BEFORE_FIRST = KNOB_COUNT - 1,
#define X(id, ...) id,
	SETTING_TABLE(X)
#undef X
		SETTING_COUNT
};

#define ALIGN_MAX (1u << 30)

struct setting_info {
	const char *mark;    /* as marks name it */
	const char *name;
	const char *help;
	const char *example; /* what to type, in words */
};

struct setting_info setting_info(enum setting s);

/* The value as it is, exact, in a form that setting_parse() takes: "4K", "block", "10 GiB", "end",
 * "split". Returns out. */
char *setting_format(char *out, size_t n, const struct workload *w, enum setting s);

/* Sets it from what an operator typed. On -EINVAL (with words) w is as before. */
int setting_parse(struct workload *w, enum setting s, const char *text, struct error *e);

/* One step up (dir > 0) or down, for knobs as knob_step() does it. Alignment doubles from the logical
 * block on, with "block" below. The range moves by its own length (by a sixteenth of the target where
 * it goes to the end) and stays on the target; its length doubles, "end" is the most. Split and shared
 * take turns. -ERANGE (with words, nothing changed) when there is no value in that direction. */
int setting_step(struct workload *w, enum setting s, int dir, bool big,
		 const struct workload_limits *l, struct error *e);

#endif
