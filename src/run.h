/* run.h - one run: a target, an engine, a timeline, the sampler and the recorder, together.
 *
 * Both the screen and `lunscope run` hold a struct run and turn it through these calls. The sampler
 * thread ticks every 100 ms; the recorder thread writes once a second. Nothing here prints.
 */
#ifndef LUNSCOPE_RUN_H
#define LUNSCOPE_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <jansson.h>
#include "engine.h"
#include "env/watch.h"
#include "guard/guard.h"
#include "store.h"
#include "seats.h"
#include "sessions.h"
#include "summary.h"
#include "target.h"
#include "timeline.h"

struct run_config {
	struct workload workload;
	unsigned more;		 /* targets beside the first ... */
	struct target *const *more_target; /* ... which the run does not own either */
	struct env_scope watch;	 /* NICs that are watched beside those that carry the target's paths */
	bool stop_on_error;	 /* the first failed IO ends the run */
	bool no_store;
	const char *store_path;	 /* NULL = the default */
	const char *command;	 /* the command line that would repeat it */
	const char *notice;	 /* an event at its beginning; NULL or "" = none */
	const char *status;	 /* "live" or "headless", kept in the settings */
};

struct run;
struct live_pair;
struct live_wish;

/* What the lamps say, worst first. */
enum lamp_level { LAMP_OFF, LAMP_GOOD, LAMP_WARN, LAMP_BAD };
struct lamp {
	enum lamp_level level;
	char text[120];	/* "depth 7.9 of 8", "depth 1.0 of 64: sync does one IO at a time" */
};

/* A NIC that is watched: what it is set to, in words ("" = not known), and rates of the last second (< 0 =
 * not known). */
struct nic_view {
	char name[16];
	bool below; /* a NIC that carries a path lies upon it */
	char mtu[12], link[12], speed[24];
	char pause[40]; /* "rx on tx off", "not supported" */
	char off[64];	/* offloads that are off: "tso, gro" */
	double rx_bytes_s, tx_bytes_s, rx_packets_s, tx_packets_s;
	double drops_s, errors_s;
	double pause_rx_s, pause_tx_s; /* frames got and sent */
};

struct net_view {
	unsigned nics;
	struct nic_view nic[WATCH_NICS];
	double retransmits_s; /* TCP segments of the whole host */
};

/* The newest figures, for drawing: an immutable copy. */
struct snapshot {
	uint64_t seq;		 /* grows with every tick */
	uint64_t t_ns, wall;
	uint64_t start_ns;	 /* when the run began (or statistics were reset) */
	bool running;		 /* IO is going on (not paused, not stopped) */
	bool ended;		 /* the run stopped by itself; why is in end_reason */
	char end_reason[160];
	struct workload workload;
	uint32_t generation;
	bool settled;		 /* every worker is on it */
	struct sample second;	 /* the last second of ticks, added up, within the newest segment */
	struct cpu_sample cpu;	 /* of the last whole second */
	struct cpu_cores cores;	 /* of the same second; count 0 = not known */
	struct hist hist[HISTS]; /* the last HIST_WINDOW_S seconds within the newest segment */
	uint64_t errors[ERRNO_SLOTS]; /* since the last reset */
	struct looks looks;	      /* likewise */
	double device_depth;	 /* mean requests in flight by the kernel's own count, which sees
				  * them merged and split; of the last second, < 0 = not known */
	struct lamp depth;	 /* requested against achieved */
	struct lamp little;	 /* IOPS x latency = depth */
	struct lamp rate;	 /* offered against done; off without a rate */
	struct lamp steady;	 /* the IOPS of this segment; bad only once they are it no more */
	uint64_t oldest_ns;
	char size_trouble[80];	 /* "" or how the target has shrunk: "has shrunk from ..." */
	int64_t run_id;		 /* in the store; 0 = not kept */
	char store_path[PATH_MAX];
	char engine_remark[BACKEND_WHY]; /* target_remark() */
	char store_trouble[160]; /* "" or why recording stopped */
	struct sessions sessions; /* of a LUN; as they were at the end of the last second */
	bool doubtful;		 /* a path may be silent: see outage.h */
	struct net_view net;	 /* of the last whole second */
};

/* Starts a run on an open target, which the run does not own. With more of them (crew.h), figures are those of
 * all together; sessions and paths are those of the first, and the kernel's own counts
 * are looked at with one target only. 0, or -errno
 * with words. */
int run_create(struct run **r, struct target *t, const struct run_config *c, struct error *e);

/* The knobs: validates, publishes, marks what changed. On an error nothing has changed. */
int run_apply(struct run *r, const struct workload *w, struct error *e);
/* The same for a search or a curve: its mark never takes the place of one that the operator left. */
int run_apply_step(struct run *r, const struct workload *w, struct error *e);
/* The same with a job for each worker (crew.h), until the next turn of a knob; words are the mark's. */
int run_apply_jobs(struct run *r, const struct workload *w, const struct job *job, uint32_t jobs,
		   const char *words, struct error *e);
struct workload run_workload(struct run *r);
/* What each seat has done (engine_seat()) is kept from here on. -ENOMEM with words. */
int run_keep_seats(struct run *r, struct error *e);
/* Where run_reset() or run_stage_next() begins the next segment, what seats have done until then goes into shot; and as
 * of the last tick. The latter is what a stopped run has. */
void run_shoot(struct run *r, struct seat_shot *shot);
void run_shoot_now(struct run *r, struct seat_shot *shot);
/* Another way for the IOs of a LUN with several paths (-ENOTSUP with words where there are none), marked
 * as a knob is; and something done to one path (from 0 on) or to PATHS_ALL, which is marked too. What
 * becomes of it is seen in the snapshot's sessions. */
int run_set_paths(struct run *r, const struct backend_paths *how, struct error *e);
int run_path_act(struct run *r, uint32_t path, enum path_act act, struct error *e);
/* Everything that is watched, as of the last tick. */
void run_facts(struct run *r, struct facts *out);
/* One of them; false: it is not watched. */
bool run_fact(struct run *r, const char *words, char value[FACT_VALUE]);
/* The environment as it was when a segment began: as stored, with "facts" of that time. New reference; NULL
 * when there is no such segment. */
json_t *run_environment_at(struct run *r, uint32_t segment);
/* F9: stops or starts the IO; marks it. */
int run_pause(struct run *r, bool paused, struct error *e);
/* F3: the operator's own mark, now; opens a segment. Returns its id (its letter in *letter), 0 when
 * the run has ended. The words can follow while time goes on. */
uint32_t run_mark(struct run *r, char *letter);
void run_note(struct run *r, uint32_t id, const char *words);
/* An event, which opens no segment. */
void run_tell(struct run *r, const char *text);
/* What follows is to be looked at by itself: a mark with these words, and the segment behind it (its
 * number in *segment, its letter in *letter). With `turned` it takes the place of the mark that
 * run_apply_step() has just left, whose segment was only the way there. Returns the mark's id, 0
 * when the run has ended. */
uint32_t run_stage(struct run *r, const char *words, bool turned, uint32_t *segment, char *letter);
/* The same where the first second ends at or after not_before_ns: between two of them there are whole seconds
 * only. One is waited for at a time. passed: it is a mark that is only passed through. */
struct run_stage {
	uint32_t mark, segment; /* 0: there was no memory for it */
	char letter;
	uint64_t t_ns;
};
void run_stage_next(struct run *r, const char *words, bool passed, uint64_t not_before_ns);
/* True, once, when it has begun. */
bool run_staged(struct run *r, struct run_stage *out);
/* None is to begin any more. False: it has begun already, and run_staged() tells. */
bool run_stage_forget(struct run *r);
/* Statistics start anew from here (a mark that says why); nothing is removed from the record. */
void run_reset(struct run *r, const char *why);
/* The write guard agreed: fd is its open claim, which the target takes over with the window. The
 * engine is stopped (which waits at most 2 s for what is in flight) and started again on it within the
 * same run. Meanwhile snapshots can be taken, and changes of the workload are refused with -EBUSY; the
 * target must not be looked at. -errno leaves the run reading. A run that has ended stays so. */
int run_allow_write(struct run *r, int fd, uint64_t start, uint64_t length, struct error *e);

/* Two of its segments (compare/live.h), compared as far as there are figures, from any thread; also after
 * run_stop. before is what the last call gave (NULL: none), and spares what it knows already. NULL without
 * memory. */
struct live_pair *run_compare(struct run *r, const struct live_wish *wish,
			      const struct live_pair *before);

/* What is different between the beginnings of segments a and b (differ.h), without those n watched settings,
 * and without how often paths were logged in anew. New reference; NULL without memory. */
json_t *run_differences(struct run *r, uint32_t a, uint32_t b, const char *const *without,
			unsigned n);

/* After run_stop: before and after the last mark of those that the summary counts, as a table; and whether the
 * IOPS were steady in the end. Nothing where that is not known. */
void run_comparison(struct run *r, FILE *out, enum rate_unit unit);
void run_steady(struct run *r, FILE *out);

/* Copies the newest snapshot. */
void run_snapshot(struct run *r, struct snapshot *out);
struct timeline *run_timeline(struct run *r);
/* An eventfd that becomes readable when there is a new snapshot; the reader resets it. */
int run_event_fd(struct run *r);
/* The screen tells what CPU time its thread has used so far. */
void run_report_ui_cpu(struct run *r, uint64_t ns);

/* Waits until the run ended by itself (an error with stop_on_error, the guard's watch) or until
 * CLOCK_MONOTONIC deadline_ns; true when it ended. */
bool run_wait(struct run *r, uint64_t deadline_ns);

/* Gate 12 for the run: the watch is the run's from here; when it speaks, the IO stops. */
void run_watch(struct run *r, struct guard_watch *w);
/* The same for the run's target i, from 0 on. */
void run_watch_target(struct run *r, unsigned i, struct guard_watch *w);

/* A signal is to end the run: the record says which, and how long what was in flight then took. After any but
 * SIGINT (the operator's own, who waits for the figures) run_stop() waits at most 0.4 s for that, so that all
 * is over within a second. The first call counts. From any thread, also during the other calls. */
void run_interrupt(struct run *r, int signal_number);
/* Stops the IO (waiting at most 2 s for what is in flight), takes the last sample, stops the
 * threads and closes the record with the summary, which counts what came since the last reset (or
 * the start). Returns how many IOs were not back in time. */
uint64_t run_stop(struct run *r, const char *status, struct summary *s);
/* After run_stop: takes the run out of the store again. */
int run_discard(struct run *r, struct error *e);
void run_destroy(struct run *r);

/* After run_stop: the JSON document (schema version, settings, environment, samples, histograms,
 * marks, summary). New reference. */
json_t *run_json(struct run *r, const struct summary *s);
/* After run_stop: rows for the paths that the IOs took, a line for the wire, and when which path was lost, why,
 * and what that did; nothing where there are none. */
void run_paths_table(struct run *r, FILE *out, enum rate_unit unit);
/* After run_stop: the seconds as CSV (--csv). */
int run_write_csv(struct run *r, const char *path, struct error *e);
/* After run_stop: rows for all the segments that the summary counts; returns how many. */
unsigned run_segments(struct run *r, FILE *out);
/* After run_stop: errors by errno, ERRNO_SLOTS of them, and their sum, since the last reset. */
const uint64_t *run_errors(struct run *r);
uint64_t run_error_count(struct run *r);
/* When its IO began, CLOCK_MONOTONIC. */
uint64_t run_start_ns(struct run *r);
/* The run's number in the store; 0 = not kept. */
int64_t run_id(struct run *r);

#endif
