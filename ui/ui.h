/* ui.h - the live screen, as the command that starts it sees it.
 *
 * The screen owns no run. It asks its host (src/cmd_live.c) to open one, and turns the knobs of
 * the one it was given; when it ends, the host stops the run, prints the summary on the normal
 * screen and sets the exit status.
 */
#ifndef LUNSCOPE_UI_H
#define LUNSCOPE_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "baseline.h"
#include "create_progress.h"
#include "error.h"
#include "flip/flip.h"
#include "found.h"
#include "glyph.h"
#include "guard/guard.h"
#include "run.h"
#include "setup.h"
#include "term.h"
#include "trigger.h"
#include "units.h"

/* What the screen asks of the command around it. Where a device may keep the call waiting, it comes
 * from a thread of its own: then the screen makes no other call until that is over, nor looks at run
 * or target, except as said. */
struct ui_host {
	void *ctx;

	/* Opens spec for a run to come, making a file of create_size bytes when that is > 0 and it
	 * does not exist. What login has is taken in the place of what the command line says; it may
	 * be NULL. progress tells how far that is and can call it off. From a thread of its
	 * own, while the run before goes on and all other calls may be made: even another of this
	 * kind, since a cancelled one ends when the device lets it. 0 or -errno with words, of a LUN as of
	 * backend->open. */
	int (*open_target)(void *ctx, const char *spec, uint64_t create_size,
			   const struct backend_login *login, struct create_progress *progress,
			   struct target **target, struct error *e);
	/* found_ask() with login, completed from the command line. From a thread of its own, at any
	 * time. */
	int (*discover)(void *ctx, struct found *f, const char *portals,
			const struct backend_login *login, const atomic_bool *cancel,
			struct error *e);
	/* Gives back a target that no run was begun on; the file made for it goes. Any thread. */
	void (*close_target)(void *ctx, struct target *target);

	/* Begins a run with w on target. Where the target may not be written, the run begins with
	 * reads alone instead, and the screen asks for permission afterwards. On success the run
	 * before, if there was one, has been ended and kept, and its pointers are dead; on an error
	 * (-errno, words in e) nothing has changed, it goes on, and target is still the caller's.
	 * From a thread of its own. */
	int (*begin_run)(void *ctx, struct target *target, const struct workload *w,
			 struct run **run, struct error *e);

	/* The operator typed `typed` at the dialog that showed r. Checks the words again (guard_check_typed), opens for writing
	 * (guard_open) and hands the descriptor to the same, continuing run's target; run and
	 * target pointers stay valid. On an error nothing has changed. From a thread of its own;
	 * the screen goes on looking at the run meanwhile, but not at the target. */
	int (*allow_write)(void *ctx, const struct guard_report *r, const char *typed,
			   struct error *e);

	/* The command line that repeats the current run as it is set now, into out. */
	void (*command)(void *ctx, char *out, size_t n);
	/* A signal ends the program: what is waited for on other threads is so no longer than run_interrupt()
	 * says. At any time. */
	void (*interrupt)(void *ctx, int signal_number);
};

struct ui_config {
	const struct ui_host *host;
	struct run *run;	    /* already open, with its target; NULL: the picker comes first */
	struct target *target;
	struct workload workload;   /* what the run should do: if it writes and the target may not be
				     * written yet, the screen asks at once */
	struct guard_window window; /* what consent is asked for: --whole, --range */
	const char *theme;	    /* name or path; NULL = the one compiled in */
	enum glyph_level level;	    /* GL_COUNT = what the terminal can */
	enum colour_mode colour;
	bool no_rep;		    /* the terminal can't repeat a character (REP) */
	double fps;		    /* frames a second; 0 = 4 */
	const struct trigger *trigger; /* armed from the start; NULL: none */
	const char *trigger_text;      /* as it was typed */
	double baud;		    /* bits a second that the line to the screen carries; 0 = what it says itself */
	bool mouse;		    /* is reported, and acts */
	enum footer_keys footer;
	bool no_sync;		    /* the terminal is not asked for synchronised output */
	bool quiet_kernel;	    /* the kernel prints nothing on the console meanwhile */
	enum rate_unit unit;
	const struct setup *setup;  /* panes and keys; NULL: as usual. The rest of it is above */
	const char *notice;	    /* what is wrong with the config without being an error; NULL */
	const char *version;
	struct baseline *baseline;  /* a stored run behind the charts, the screen's from then on;
				     * NULL: none */
	const char *store;	    /* where others are; NULL: the usual place */

	bool discard;		    /* out: the operator wants the run taken out of the store */
	struct flips *flips;	    /* out: what was changed of this host; the caller's. NULL: nothing */
	bool target_in_use;	    /* out: somebody still looks at the run's target: it can't be closed */
	bool leave;		    /* out: it is to stay so */
};

/* Blocks, in the calling thread and those it will make, the signals that ui_run() reads from a
 * descriptor, and SIGTSTP, which only its own thread may take. To be called before the first thread
 * is made, and so before the first run. */
void ui_block_signals(void);

/* Whether the screen could be shown: is there a terminal that curses knows, is the theme sound? To be
 * asked before a run begins; touches nothing. 0 or -errno with words. */
int ui_check(const struct ui_config *c, struct error *e);

/* Shows the screen until the operator quits (0), a signal ends it (its number; SIGHUP when the
 * terminal goes away), or it can't start (-errno with words: no terminal, a TERM that is not
 * known, a broken theme). The terminal has been given back when it returns; the run goes on. */
int ui_run(struct ui_config *c, struct error *e);

#endif
