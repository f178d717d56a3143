/* setting.h - everything of a workload that the operator can set while it runs: the knobs, and what
 * is turned more rarely. One list for the marks, the dialog of all settings, the command line and the
 * record.
 *
 * A setting = a row in setting_table.h + its struct setting_ops, in the file of its subject
 * (setting_range.c, ...). The seed is no setting: it stays what it was at the start.
 */
#ifndef LUNSCOPE_SETTING_H
#define LUNSCOPE_SETTING_H

#include "knob.h"
#include "setting_table.h"

/* The knobs come first: a setting below KNOB_COUNT is the knob with that number. */
enum setting {
	SETTING_BEFORE_FIRST = KNOB_COUNT - 1,
#define X(id, ...) id,
	SETTING_TABLE(X)
#undef X
		SETTING_COUNT
};

/* Room for any value in full, and for one that may be cut. */
#define SETTING_LONG  8192
#define SETTING_SHORT 48

struct setting_info {
	const char *option;   /* on the command line, without the dashes; "" = none of its own */
	const char *argument; /* ... and its argument */
	const char *mark;     /* as marks name it */
	const char *name;
	const char *help;
	const char *example; /* what to type, in words */
};

/* What a setting can do, but for the knobs. */
struct setting_ops {
	/* The value as it is, in a form that parse takes. */
	void (*format)(char *out, size_t n, const struct workload *w);
	/* The same in a few characters, where that form is long; else NULL. */
	void (*brief)(char *out, size_t n, const struct workload *w);
	/* On -EINVAL (with words) w may have changed: the caller throws it away. */
	int (*parse)(struct workload *w, const char *text, struct error *e);
	/* The same of what format made, where parse takes more than that (it may open files); else NULL. */
	int (*scan)(struct workload *w, const char *text);
	/* One step up (dir > 0) or down; leaves w as it is where there is none. */
	void (*step)(struct workload *w, int dir, const struct workload_limits *l);
	/* Whether it fits the target and the other settings; NULL = always. */
	int (*check)(const struct workload *w, const struct workload_limits *l, struct error *e);
	unsigned big; /* a big step is so many; 0 = one */
	bool words;   /* it only takes turns between a few words, which are not worth typing */
};

struct setting_info setting_info(enum setting s);
bool setting_is_words(enum setting s);
/* Its value can be longer than a narrow column. */
bool setting_is_long(enum setting s);

/* The value as it is, exact, in a form that setting_parse() takes: "4K", "block", "10 GiB", "end",
 * "split". Cut where n is too small. Returns out. */
char *setting_format(char *out, size_t n, const struct workload *w, enum setting s);
/* The same for a narrow column: it tells what can be told in a few characters. */
char *setting_brief(char *out, size_t n, const struct workload *w, enum setting s);
/* Access lines have taken the place of this setting: it has no effect, and can't be turned or typed until
 * they are cleared. */
bool setting_gives_way(const struct workload *w, enum setting s);
bool setting_same(const struct workload *a, const struct workload *b, enum setting s);

/* Sets it from what an operator typed. On -EINVAL (with words) w is as before. Unlike stepping, this can
 * set what has given way to access lines: setting_check_way() is for whoever asks the operator. */
int setting_parse(struct workload *w, enum setting s, const char *text, struct error *e);
/* Sets it from what setting_format() made, as a record has it: no word in it names a file to be opened.
 * 0, or -EINVAL with w as before. */
int setting_scan(struct workload *w, enum setting s, const char *text);

/* One step up (dir > 0) or down, for knobs as knob_step() does it. Alignment doubles from the logical
 * block on, with "block" below. The range moves by its own length (by a sixteenth of the target where
 * it goes to the end) and stays on the target; its length doubles, "end" is the most. Split and shared
 * take turns. -ERANGE (with words, nothing changed) when there is no value in that direction. */
int setting_step(struct workload *w, enum setting s, int dir, bool big,
		 const struct workload_limits *l, struct error *e);

/* 0, or -EINVAL with words when the setting gives way to access lines. */
int setting_check_way(const struct workload *w, enum setting s, struct error *e);

/* 0, or -EINVAL with words when the value does not fit the target or the other settings. */
int setting_check(const struct workload *w, enum setting s, const struct workload_limits *l,
		  struct error *e);

/* --- For the files that define settings. --- */

/* Text without blanks at either end is this word, in any case. */
bool setting_is_word(const char *text, const char *word);

#endif
