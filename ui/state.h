/* state.h - what the live screen is doing, and what each key makes of it. Knows no terminal: the
 * loop (ui.c) hands keys in and draws what comes of it, and so can a test.
 */
#ifndef LUNSCOPE_STATE_H
#define LUNSCOPE_STATE_H

#include "cursor.h"
#include "dialogs.h"
#include "guard/guard.h"
#include "job.h"
#include "layout.h"
#include "mouse.h"
#include "setup.h"
#include "style.h"
#include "ui.h"
#include "view.h"

#define UNDO_DEPTH 32

/* Settings of this host, and what was changed of them. */
struct bench {
	struct flips *flips; /* NULL until the first change; while a job is on, the job's */
	struct flip_entry *changed; /* own memory of view.changed */
	struct bench_view view;
	struct job *question; /* NULL: nothing is being asked */
	char ssh[16]; /* the NIC that the operator's session comes by, as the dialog of A against B has it */
	struct bench_answer answer;
};

/* A target that was chosen. */
struct choice {
	char spec[PATH_MAX]; /* without secrets */
	uint64_t create_size;
	struct backend_login login;
};

struct ui_state {
	const struct ui_host *host;
	struct run *run; /* NULL until a target was picked, and while the run is being ended */
	const struct target *target; /* a copy, since the host's may be in a job's hands */
	struct target copy, *source; /* it, and the host's */
	struct run *parted;	     /* the run that is being ended: it comes back if it isn't */
	struct workload wanted;	    /* what the next run starts with */
	struct guard_window window; /* what consent is asked for */

	struct gather gather;	    /* gather.view is what gets drawn */
	int rows, cols;		    /* the last known size */
	struct layout layout;	    /* of that size */
	enum pane_id zoom;	    /* PANE_COUNT: none */
	struct cursors cursors;	    /* of the charts */
	struct triggering {
		struct trigger_wish wish; /* what the dialog was asked last */
		struct trigger trigger;
		bool armed;
		uint64_t seen_ns;   /* the newest second that it has looked at */
		uint64_t freeze_ns; /* it has fired: when the display freezes; 0: it has not */
		char why[96];
	} triggering;
	struct baseline *baseline;  /* the view's; NULL: none */
	const char *store;	    /* where stored runs are; NULL: the usual place */
	unsigned span;		    /* index into window_seconds[] */
	bool utf8;		    /* which glyph levels can be chosen */
	bool fkeys;		    /* the terminal has them: the footer shows F-keys */

	struct clicked {
		struct mouse_event at;
		uint64_t t_ns; /* 0: none that another one could make two of */
	} clicked;		    /* the last */

	struct setup setup;	    /* as it is now, applied or tried */
	unsigned setup_serial;	    /* grows when the setup screen changes it */
	struct setup kept;	    /* what Esc of that screen goes back to */
	const char *conf_notice;
	struct theme theme;
	unsigned theme_serial;	    /* grows when the theme changes */
	uint32_t noting;	    /* the mark whose words are being typed */

	uint64_t message_until_ns;
	unsigned said;		    /* how many messages there have been */
	bool told_end;		    /* the end of the run was reported */

	struct workload undo[UNDO_DEPTH];
	unsigned undo_count;

	struct pilot *pilot;	    /* the search or curve that is under way; NULL: none */
	struct pilot *curve;	    /* the newest curve that is over */
	struct find_wish wish;	    /* what the dialog was asked last */

	struct stage *stage;	    /* Iometer's tests, the newest; NULL: none */
	struct series_wish series_wish; /* what the dialog was asked last */

	struct comparing {
		struct job *job;	/* looks at the run; NULL: none is under way */
		struct live_pair *pair; /* what the last one found */
		uint32_t a, b;		/* numbers of the segments that are wished for; 0: as usual */
		uint32_t segments;	/* when it was last looked, and where they are counted from */
		uint64_t start_ns;
		uint64_t due_ns;	/* no next look before */
		bool asked;		/* but at once */
		bool wanted;		/* the view is open: it waits for what is found */
	} comparing;

	struct in_turn {
		struct ab *ab;		/* under way; NULL: none is. While a job is on, the job's */
		struct job *job;	/* makes changes, or takes them back */
		struct ab shown;	/* the newest, as it was last seen */
		bool any, stop;		/* there is such a one; it is to end */
		bool from_bench;	/* the dialog was opened over the bench knobs */
		struct ab_result result; /* of its pairs so far */
		unsigned stages;	/* that the result knows */
		unsigned seen;		/* segments of which it was said why they don't count */
		uint64_t settling_ns;	/* when it was over */
		uint32_t segments;	/* the newest that belongs to it */
		struct ab_wish wish;	/* what the dialog was asked last */
	} in_turn;

	struct workload pending;    /* applied once the operator has agreed to writing */
	bool has_pending;

	struct dialog_stack dialogs;
	struct dialog chosen;	    /* the picker that led to the target that is being opened */
	struct choice choice;	    /* that target */
	struct portal_desk portals;
	bool asking_one;	    /* a login is for one target of the desk, not for all portals */
	struct job *job;	    /* what a dialog_wait() waits for; NULL: nothing */
	bool job_on_target;	    /* its on_target */
	struct job *left_job;	    /* a cancelled one that had that; NULL: none */
	bool target_in_use;	    /* one never came back: the target can't be closed */
	int job_depth;		    /* so many dialogs lie below that */
	struct create_progress *job_progress;
	void (*job_done)(struct ui_state *s, void *data);
	void (*job_cancelled)(struct ui_state *s);
	bool quitting;		    /* the quit dialog is on top: ^C ends at once */
	bool repaint;		    /* everything is to be drawn anew; the loop clears it */
	bool quit, discard;
	bool leave;		    /* what was changed of this host stays as it is */
	struct bench bench;
};

/* Takes over what the config says, without a terminal (utf8, fkeys and the glyph level are the
 * loop's to set). Opens the picker when there is no run. 0, or -errno with words (a broken
 * theme). */
int state_init(struct ui_state *s, const struct ui_config *c, struct error *e);
/* Cancels the opening of a target; waits for a run that is being ended or opened for writing. */
void state_free(struct ui_state *s);

/* The screen's size: lays it out and keeps the focus on something visible. */
void state_resize(struct ui_state *s, int rows, int cols);
/* One key. */
void state_key(struct ui_state *s, int key);
/* The mouse, on what is drawn on c (state_mouse.c). */
void state_mouse(struct ui_state *s, const struct canvas *c, const struct mouse_event *m,
		 uint64_t now_ns);
/* Once a frame, before drawing: new data, and messages whose time is over. */
void state_update(struct ui_state *s, uint64_t now_ns);

/* A line in the footer for three seconds (bad ones stay twice that), or until the next key that
 * does something. */
void state_say(struct ui_state *s, bool bad, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* --- state_target.c: choosing a target, and jobs. --- */

/* Opens the picker. */
void state_pick(struct ui_state *s);
/* Opens s->choice. */
void state_open_choice(struct ui_state *s);
/* Back to where it was chosen, with why it can't be opened (rc 0: it was called off). */
void state_choose_again(struct ui_state *s, int rc, const struct error *e);
/* A run has begun on target. */
void state_take_run(struct ui_state *s, struct run *run, struct target *target);

/* Something for another thread to do (see job.h), under a dialog that says so. One at a time. */
struct state_job {
	const char *title, *words;
	const char *bound;	 /* how long it can take at most, or why it can't be cancelled; NULL */
	bool on_target;		 /* it looks at the run's own target, and may do so after Esc */
	struct create_progress *progress; /* within data; NULL: it can't be cancelled */
	void (*work)(void *data);
	void (*free_data)(void *data);
	void *data;
	void (*done)(struct ui_state *s, void *data); /* in the screen's thread */
	void (*cancelled)(struct ui_state *s);	      /* Esc; the thread ends by itself */
};
/* False, with data freed, when there is no memory or thread. */
bool state_job_start(struct ui_state *s, const struct state_job *j);
/* Readable when state_job_look() is due; -1: nothing to wait for. */
int state_job_fd(const struct ui_state *s);
/* Goes on with what the job has done, if it is done. */
void state_job_look(struct ui_state *s);
void state_job_end(struct ui_state *s);
/* Whether one that was cancelled still looks at the run's target. */
bool state_job_left(struct ui_state *s);

/* --- state_portal.c: LUNs behind iSCSI portals. --- */

/* Opens the dialog of portals, in the place of the picker; or again, with why a LUN of the list can't be
 * opened (rc 0: it was called off). */
void state_portals(struct ui_state *s);
void state_portals_again(struct ui_state *s, int rc, const struct error *e);
/* s->choice could not be opened. When that was for want of a login, asks for one, to open it then: true. */
bool state_choice_login(struct ui_state *s, int rc, const struct error *e);

/* --- state_load.c: goal search and load-latency curve. --- */

/* Opens the dialog of the goal search, or stops the search that is under way. */
void state_find(struct ui_state *s);
/* Opens the load-latency curve. */
void state_curve(struct ui_state *s);
/* New figures are there: a search or curve goes on. */
void state_pilot_tick(struct ui_state *s);
/* Stops a search or curve, if there is one; the knob goes back to where it was. */
void state_pilot_stop(struct ui_state *s, const char *why);
/* The same, and forgets the last curve: the run is going to be another. */
void state_pilot_forget(struct ui_state *s);

/* --- state_series.c: Iometer's tests. --- */

/* Opens the dialog. */
void state_series(struct ui_state *s);
bool state_series_goes_on(const struct ui_state *s);
/* Often, as the pilot's. */
void state_series_tick(struct ui_state *s);
/* Stops them, if they are under way; the knobs go back to where they were. */
void state_series_stop(struct ui_state *s, const char *why);
/* Forgets them and their results: the run is going to be another. */
void state_series_forget(struct ui_state *s);

/* --- state_compare.c --- */

/* Once a frame: what was found since, and whether to look again. */
void state_compare_tick(struct ui_state *s, uint64_t now_ns);
/* Readable when state_compare_tick() has something that the view waits for; -1: nothing. */
int state_compare_fd(const struct ui_state *s);
/* Opens the view. */
void state_compare(struct ui_state *s);
/* The run is going to end: waits for a look at it that is under way, and forgets what was found. */
void state_compare_forget(struct ui_state *s);

/* --- state_ab.c: A against B, in turn. --- */

/* Opens its dialog, or stops the one that is under way. */
void state_ab(struct ui_state *s);
/* Opens the dialog over the bench knobs, with one of them. */
void state_ab_with(struct ui_state *s, const char *words);
bool state_ab_goes_on(const struct ui_state *s);
/* Often, as the pilot's. */
void state_ab_tick(struct ui_state *s);
/* Readable when state_ab_tick() is due; -1: nothing to wait for. */
int state_ab_fd(const struct ui_state *s);
/* Ends it early; what it has set is put back, by and by. */
void state_ab_stop(struct ui_state *s);
/* The same, and waits for it: the screen ends, or the run does. Forgets what was found. */
void state_ab_end(struct ui_state *s);
/* Whether the key was for it. */
bool state_ab_key(struct ui_state *s, int key);

/* --- state_trigger.c --- */

/* Opens its dialog. */
void state_trigger(struct ui_state *s);
void state_trigger_arm(struct ui_state *s, const struct trigger *t);
/* Another run: what the last one did counts no more. */
void state_trigger_forget(struct ui_state *s);
/* Once a frame. */
void state_trigger_tick(struct ui_state *s, uint64_t now_ns);

/* --- state_cursor.c --- */

/* Whether the key was for a cursor of the chart in focus. */
bool state_cursor_key(struct ui_state *s, int key);
/* Sets the first cursor, then the second, then changes between them. */
void state_cursor_next(struct ui_state *s);
/* Where the columns of a pane are in which they stand; no rows: it is none of those. */
struct rect state_cursor_body(const struct ui_state *s, enum pane_id p);
/* The active one to that column of the screen, which lies in the chart in focus; where there are cursors. */
void state_cursor_point(struct ui_state *s, int col);
/* After another window: a past that the charts show is still that of the cursor. */
void state_cursor_show(struct ui_state *s);
/* Takes both away, and comes back to now; false: there was none. */
bool state_cursor_drop(struct ui_state *s);
/* The columns are of another length: their figures are of those. */
void state_cursor_zoomed(struct ui_state *s);
/* Once a frame. */
void state_cursor_tick(struct ui_state *s);

/* --- state_baseline.c --- */

/* Draws this one behind the live one, once it is read. */
void state_baseline_take(struct ui_state *s, int64_t run);
/* Opens the browser over stored runs (state_history.c). */
void state_history(struct ui_state *s);
/* Opens the dialog of stored runs, one of which is drawn behind the live one. */
void state_baseline(struct ui_state *s);
void state_baseline_free(struct ui_state *s);

/* --- state_setup.c --- */

/* What the screen begins with. */
struct setup state_setup_of(const struct ui_config *c);
/* Opens the setup screen. */
void state_setup(struct ui_state *s);

/* --- state_meters.c --- */

/* Whether the key was for the meters, as their pane is in focus. */
bool state_meters_key(struct ui_state *s, int key);

/* --- state_focus.c --- */

/* The next (1) or the one before (-1): of the knob bar and the panes, or of those beside the one in focus. */
void state_focus_ring(struct ui_state *s, int dir);
void state_focus_beside(struct ui_state *s, int dir);
/* To a pane by its number, or says why not. */
void state_focus_pane(struct ui_state *s, int pane);
/* All the room to one pane, PANE_COUNT: to none; or to the one in focus and back. */
void state_zoom(struct ui_state *s, enum pane_id pane);
void state_toggle_zoom(struct ui_state *s);
/* All the room to the meters, and back. */
void state_toggle_meters(struct ui_state *s);
/* What the latency pane shows next. */
void state_next_latency(struct ui_state *s);

/* --- state_looks.c --- */

/* The next set of characters that can be shown here. */
void state_next_glyphs(struct ui_state *s);
/* The next theme that loads; what is wrong with one that doesn't is said. */
void state_next_theme(struct ui_state *s);

/* --- state_paths.c --- */

/* Opens the dialog of the paths to a LUN, or says why there is none. */
void state_paths(struct ui_state *s);

/* --- state_flips.c --- */

/* Opens the bench knobs. */
void state_bench(struct ui_state *s);
/* Once a frame: what the kernel has answered since. */
void state_bench_tick(struct ui_state *s);
/* Readable when it has; -1: nothing was asked. */
int state_bench_fd(const struct ui_state *s);
void state_bench_free(struct ui_state *s);
/* What has been changed and not put back, oldest first, by whoever has the flips just now: a copy. NULL without
 * any flips, or memory. */
struct flip_entry *state_bench_list(const struct bench *b, unsigned *count);
/* It is shown from now on; list, the bench's from here, NULL: as before. */
void state_bench_take(struct bench *b, struct flip_entry *list, unsigned count);
/* Whether anything has been changed by them that is not put back. */
bool state_bench_changed(const struct ui_state *s);
/* "eth2 mtu 9000 > 1500, ...": what would be put back, and what can't be. Returns out. */
char *state_changes(const struct ui_state *s, char *out, size_t n);
/* Ends the job, as state_free() does. What changes settings, for who puts them back after the screen; the
 * caller's. NULL: none was changed. */
struct flips *state_take_flips(struct ui_state *s);

/* --- state_knobs.c: changes to the workload, and who must agree to them. --- */

/* Makes w the workload: 0, or -errno with words. Where w is the first to write, permission is asked
 * for, and 0 means that it will be in force if that is given. Remembers the one before for undo. */
int state_try(struct ui_state *s, const struct workload *w, struct error *e);
/* The same, with what is wrong in the footer. */
void state_apply(struct ui_state *s, const struct workload *w);
/* What undo brings back: w, which something else has taken the place of. */
void state_remember(struct ui_state *s, const struct workload *w);
void state_step(struct ui_state *s, enum knob k, int dir, bool big);
void state_undo(struct ui_state *s);
/* Opens the dialog in which a value is typed. */
void state_type(struct ui_state *s, enum knob k);
/* Opens the dialog of all settings. */
void state_settings(struct ui_state *s);
/* Asks for permission to write (at once given for a file that lunscope made). */
void state_ask_write(struct ui_state *s);

#endif
