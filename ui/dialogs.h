/* dialogs.h - every dialog there is: one file each, one function that makes it.
 *
 * The opener sets closed and user in what it gets and pushes it. In closed, with DIALOG_DONE, it
 * asks the dialog's state for the answer with the functions below; the answer is gone when
 * closed returns. A dialog that could not be made has a NULL state, which dialog_push() refuses.
 */
#ifndef LUNSCOPE_DIALOGS_H
#define LUNSCOPE_DIALOGS_H

#include "trigger.h"
#include "ab.h"
#include "baseline.h"
#include "create_progress.h"
#include "curve.h"
#include "dialog.h"
#include "flip/flip.h"
#include "found.h"
#include "goal.h"
#include "guard/guard.h"
#include "iometer/setup.h"
#include "sessions.h"
#include "setting.h"
#include "setup.h"
#include "store_words.h"

/* Every key, how to read the screen, what is safe. */
struct dialog dialog_help(void);

/* A text to read; it is copied. about: what F1 says of it. */
struct dialog dialog_text(const char *title, const char *text, enum dialog_topic about);

/* Types a value into a knob. A value that this workload or target can't have is refused in place,
 * but not for the want of permission to write: that is asked for afterwards. What limits points to
 * must outlive the dialog. */
struct dialog dialog_entry(enum knob k, const struct workload *now,
			   const struct workload_limits *limits);
struct workload entry_workload(const void *state);

/* What the dialog of all settings asks of its opener while it is open, with ctx. */
struct workload_desk {
	struct workload (*now)(void *ctx);
	struct workload_limits (*limits)(void *ctx);
	/* 0 when w is in force, or will be once the operator has agreed to writing; else -errno with
	 * words, and nothing has changed. */
	int (*apply)(void *ctx, const struct workload *w, struct error *e);
	int (*undo)(void *ctx, struct error *e);
	void *ctx;
};
/* Every setting of the workload, turned and typed in place; at: the one it begins with. */
struct dialog dialog_workload(const struct workload_desk *desk, enum setting at);

/* The goal search: which figure of whose latency, under what, by which knob. */
struct find_wish {
	char text[64]; /* the goal as it was typed */
	struct goal goal;
	enum knob by;
};
/* w is what the workload is now: IOs that it doesn't do have no latency to search by. */
struct dialog dialog_find(const struct find_wish *wish, const struct workload *w);
struct find_wish find_answer(const void *state);

/* What the load-latency curve asks of its opener while it is open, with ctx. */
struct curve_desk {
	/* What start would begin with. */
	struct curve_config (*config)(void *ctx, enum knob by);
	/* 0, or -errno with words. */
	int (*start)(void *ctx, enum knob by, struct error *e);
	void (*stop)(void *ctx);
	bool (*running)(void *ctx);
	void *ctx;
};
/* Shows the view's newest curve as it grows, as a plot and as a table. */
struct dialog dialog_curve(const struct curve_desk *desk);

/* Iometer's tests: what was chosen in the dialog. */
struct series_wish {
	char name[IOMETER_NAME]; /* of a set of specifications, or of one */
	unsigned workers, outstanding;
	uint64_t run_s, ramp_s;
	unsigned cycle; /* the dialog's own number of it */
};
/* The same as the series is made from. */
struct series_plan_wish {
	const char *name;
	unsigned workers, outstanding;
	uint64_t run_s, ramp_s;
	enum iometer_test test;
	bool exponential;
};
/* What it asks of its opener while it is open, with ctx. */
struct series_desk {
	/* 0, or -errno with words. */
	int (*start)(void *ctx, const struct series_plan_wish *w, const struct series_wish *wish,
		     struct error *e);
	void (*stop)(void *ctx);
	void (*next)(void *ctx);
	bool (*running)(void *ctx);
	bool (*any)(void *ctx); /* there are results, or will be */
	void (*edit)(void *ctx, const struct iometer_spec *spec); /* NULL: a new one */
	unsigned most_outstanding;
	void *ctx;
};
/* Shows the view's newest series as it grows. */
struct dialog dialog_series(const struct series_wish *wish, const struct series_desk *desk);
/* The user's specifications are others now, and this one (NULL: none) is chosen. */
void series_reload(void *state, const char *name);
/* Edits one of the user's, or NULL: a new one; saves it. */
struct dialog dialog_spec(const struct iometer_spec *spec);
const char *spec_answer(const void *state); /* its name */

/* What the compare view asks of its opener while it is open, with ctx. */
struct compare_desk {
	void (*choose)(void *ctx, bool baseline, int dir); /* the one before or after as A, or as B */
	void (*usual)(void *ctx); /* before and after the last mark */
	void (*differences)(void *ctx, bool by_pairs);
	void (*help)(void *ctx);
	bool (*in_turn)(void *ctx, int key); /* A against B: the key was for it */
	void *ctx;
};
/* Shows the view's segments in turn, or, as long as there are none or with `segments`, its segments and the
 * two that are compared. */
struct dialog dialog_compare(const struct compare_desk *desk, bool segments);

/* A against B, in turn: as it was typed. */
#define AB_TEXT 96
struct ab_wish {
	char what[FACT_WORDS]; /* a setting that lunscope flips; "" = A and B are set by hand */
	char value[2][AB_TEXT]; /* its values, or in words what is to be set */
	char pairs[8], segment[16], settle[16];
};
/* facts: the settings there are, as they are now; must outlive the dialog. ssh: see bench_view. */
struct dialog dialog_ab(const struct ab_wish *wish, const struct facts *facts, const char *ssh);
struct ab_wish ab_answer(const void *state);
/* What was typed, as it is to be measured. -EINVAL with words. */
int ab_wish_config(const struct ab_wish *w, struct ab_config *c, struct error *e);

/* Which of these runs is drawn behind the live one; list is the dialog's. chosen: the run that is now, 0: none. */
/* What freezes the display. */
struct trigger_wish {
	char text[64]; /* as it was typed */
	bool each;     /* it is armed again at once */
	bool none;     /* none is wanted */
};
struct dialog dialog_trigger(const struct trigger_wish *wish);
/* The trigger that was typed in *t, unless none is wanted. */
struct trigger_wish trigger_answer(const void *state, struct trigger *t);
struct dialog dialog_baseline(struct baseline_title *list, size_t n, int64_t chosen);
int64_t baseline_answer(const void *state); /* 0: none */

/* What the browser over stored runs asks of its opener while it is open, with ctx. All begin it; what comes of it
 * is told by history_reload(), or shown. */
#define HISTORY_CHOSEN 1000
struct history_desk {
	void (*change)(void *ctx, int64_t run, const struct store_words *w);
	void (*delete)(void *ctx, const int64_t *run, size_t n); /* at most HISTORY_CHOSEN */
	void (*show)(void *ctx, int64_t run);
	void (*compare)(void *ctx, int64_t first, int64_t second);
	void *ctx;
};
/* list is the dialog's. DIALOG_DONE: a run is to be the baseline. */
struct dialog dialog_history(struct store_entry *list, size_t n, const struct history_desk *desk);
/* The list as it is now (the dialog's; NULL: as it was); trouble: why something could not be done, or NULL. */
void history_reload(void *state, struct store_entry *list, size_t n, const struct error *trouble);
int64_t history_answer(const void *state);

/* A text of tables, to read and scroll; it is copied. */
struct dialog dialog_page(const char *title, const char *text);

/* What the dialog of paths asks of its opener while it is open, with ctx. */
struct paths_desk {
	const struct sessions *(*look)(void *ctx); /* as they are now; valid until the next look */
	/* 0, or -errno with words. */
	int (*set)(void *ctx, const struct backend_paths *how, struct error *e);
	int (*act)(void *ctx, uint32_t path, enum path_act act, struct error *e);
	void (*chosen)(void *ctx, unsigned at); /* from 0 on */
	void *ctx;
};
/* at: the path it begins with, from 0 on. */
struct dialog dialog_paths(const struct paths_desk *desk, unsigned at);

/* What has to be asked of the kernel, which may take its time: which values there are; whether one makes sense,
 * and whom setting it would cut off; whom putting it back would. */
enum bench_question { BENCH_VALUES, BENCH_CHECK, BENCH_REACH };
struct bench_answer {
	char choice[FLIP_CHOICES][FLIP_CHOICE];
	unsigned choices; /* 0: it is typed, within the range */
	char range[128];
	int rc; /* of BENCH_CHECK */
	struct error why;
	char value[FACT_VALUE]; /* tidied up */
	char sawing[16];	/* the NIC among these that the operator's own ssh session comes by; "" */
};

/* What the bench knobs show, and what they ask of their opener while they are open, with ctx. */
struct bench_view {
	struct facts facts; /* as they are now */
	const struct flip_entry *changed; /* by lunscope, oldest first */
	unsigned count;
	struct error said; /* what came of the last change; the dialog says things there too */
	bool bad;
	const struct bench_answer *answer; /* to the last question; NULL: it is still to come */
};
struct bench_desk {
	struct bench_view *(*look)(void *ctx); /* valid until the next look */
	/* Begin it; what comes of it is said later. words NULL: all that was changed. */
	void (*ask)(void *ctx, enum bench_question what, const char *words, const char *value);
	void (*make)(void *ctx, const char *words, const char *value);
	void (*undo)(void *ctx, const char *words, bool force);
	void (*in_turn)(void *ctx, const char *words); /* A against B with this one */
	void *ctx;
};
/* The settings of this host that the run may depend on, to be changed. */
struct dialog dialog_flips(const struct bench_desk *desk);

/* The text of the operator's own mark. */
struct dialog dialog_note(char letter);
const char *note_text(const void *state);

/* Asks before the end what becomes of the record, and of the settings of this host that were changed. kept:
 * the run is being recorded. changes: "eth2 mtu 9000 > 1500", as they will be put back; "" without any. */
struct dialog dialog_quit(bool kept, const char *changes);
bool quit_discards(const void *state);
bool quit_restores(const void *state);

/* Which target? first: there is no run to go back to, so that Esc leaves the program. */
struct dialog dialog_picker(bool first);
/* A copy of the dialog as it is now (state), not to be shown: to come back to with the next. */
struct dialog dialog_picker_kept(const void *state);
/* The same dialog once more, as it was when its choice was made (state), since that could not be
 * opened: rc and e are what the host said; rc 0: it was called off. What was typed or chosen stays. */
struct dialog dialog_picker_again(const void *state, int rc, const struct error *e);
const char *picker_spec(const void *state);
uint64_t picker_create_size(const void *state); /* 0: the file must exist */
const struct backend_login *picker_login(const void *state); /* secrets of a URL; they left its words */
/* Nothing was chosen yet: what portals offer is wanted. */
bool picker_wants_portals(const void *state);

/* What the dialog of iSCSI portals shows, and what was chosen there. Its opener keeps it and does what
 * is wished, since that goes over the network. */
#define PORTAL_WORDS   300
#define PORTAL_HISTORY 8
enum portal_wish {
	PORTAL_ASK,   /* all in words, with login */
	PORTAL_LOGIN, /* a user and a secret for found.target[target] are to be asked for */
	PORTAL_OPEN,  /* lun of found.target[target] */
};
struct portal_desk {
	struct field field;
	char past[PORTAL_HISTORY][PORTAL_WORDS]; /* asked in this session, newest first */
	unsigned pasts, recalled;
	char words[PORTAL_WORDS]; /* those that found is of, without secrets */
	struct backend_login login;
	struct found found;
	bool listing; /* found is shown, else the field */
	char trouble[640];
	int at, top, page; /* of the list */
	enum portal_wish wish;
	unsigned target;
	int lun;
};
struct dialog dialog_portal(struct portal_desk *desk);
/* Something new was found: begins with the first LUN. */
void portal_show(struct portal_desk *desk);
/* What was found, and the secrets, are forgotten; not which portals were asked. */
void portal_forget(struct portal_desk *desk);

/* Asks for what CHAP wants. words say why, bad: what was given before was rejected; known: the users of
 * then. */
struct dialog dialog_login(const char *words, bool bad, const struct backend_login *known);
const struct backend_login *login_answer(const void *state);

/* "BEFORE3 s so far" into out, which it returns; "" within the first second, which needs no telling. */
char *dialog_so_far(char *out, size_t n, const char *before, uint64_t start_ns);

/* Something takes its time: "WORDS...", and for how long it has done so. bound: how long it can take at most, or
 * why it can't be cancelled; NULL. With progress, a file may be being made: then it says how far that is, and
 * Esc cancels it; else the dialog stays until it is taken off. */
struct dialog dialog_wait(const char *title, const char *words, const char *bound,
			  const struct create_progress *progress);

/* What the setup screen asks of its opener while it is open, with ctx. */
struct setup_desk {
	const struct setup *(*now)(void *ctx);
	/* Tries s: 0, or -errno with words, and nothing has changed. */
	int (*apply)(void *ctx, const struct setup *s, struct error *e);
	/* Saves what is now; path: where, of PATH_MAX. others: even as somebody else's (see conf_save). */
	int (*save)(void *ctx, bool others, char *path, struct error *e);
	void (*saved)(void *ctx);
	bool (*can_show)(void *ctx, enum glyph_level level);
	void *ctx;
};
struct dialog dialog_setup(const struct setup_desk *desk);

/* What the six meters show; place: the one that it begins with. */
struct dialog dialog_meter(const struct meter_setup *setup, unsigned place);
struct meter_setup meter_answer(const void *state, unsigned *place);

/* Permission to write to spec within window. Looks at the target on a thread of its own, as
 * guard_inspect() does, and shows what it found. */
struct dialog dialog_consent(const char *spec, const struct guard_window *window);
/* The same for a report that is there already. */
struct dialog dialog_consent_report(const struct guard_report *r);
const struct guard_report *consent_report(const void *state);
const char *consent_typed(const void *state);

#endif
