/* run_internal.h - what run.c, sampler.c and recorder.c share of a run.
 *
 * The lock guards everything the sampler builds from (engine, counters, snapshot), but for the engine
 * while it is `switching`; the recorder only
 * reads the timeline, which has a lock of its own.
 */
#ifndef LUNSCOPE_RUN_INTERNAL_H
#define LUNSCOPE_RUN_INTERNAL_H

#include <pthread.h>
#include "outage.h"
#include "probes/probe.h"
#include "run.h"
#include "steady.h"
#include "run_env.h"

#define PROBES_MAX 8

/* What is in flight when a run stops, or is opened for writing, gets this long to come back. */
#define RUN_DRAIN_NS (2 * NS_PER_SEC)

struct run {
	struct target *target; /* the first of */
	const struct target *targets[TARGETS_MAX];
	unsigned target_count;
	char target_words[PATH_MAX]; /* their names, for the record */
	char engine_words[128]; /* likewise of their backends */
	struct run_config config;
	struct job *job; /* what workers have of their own to do; NULL = nothing */
	uint32_t jobs;
	bool seats_kept;
	struct seat_shot *shot; /* to be taken where the next segment begins */
	struct engine *engine;
	struct timeline *timeline;

	pthread_mutex_t lock;
	pthread_cond_t changed; /* stopping, ended, a second closed; CLOCK_MONOTONIC */
	bool stopping;
	bool stopped;
	int ended_by;	      /* a signal's number; 0 = none */
	uint64_t ended_by_ns; /* when it came */
	bool switching; /* run_allow_write() waits for the engine without the lock: nobody else may
			 * touch the engine until it is over, and knobs are refused */
	pthread_t sampler, recorder;
	int event_fd;

	/* The sampler's. */
	struct engine_counters *now, *before; /* now is read, then the two change places */
	struct hist delta[HISTS];
	struct hist both; /* reads and writes of the live histogram together */
	struct sessions sessions; /* room for a look at them */
	struct session_book *session_book;
	struct outage outage;
	struct run_env env;
	struct sessions whole; /* after the end: rates are those of the counted time */
	struct sample second; /* the second that is filling */
	bool probed;	      /* its figures of the host have been taken already */
	unsigned seconds;     /* closed so far */
	struct {
		const struct probe *probe;
		void *state;
	} probe[PROBES_MAX];
	unsigned probes;
	_Atomic uint64_t ui_ns;
	uint64_t ui_ns_before;
	uint64_t errors_told[ERRNO_SLOTS];
	uint64_t size_seen[TARGETS_MAX]; /* the targets', when they were last doubted */
	unsigned dim_seconds; /* how long the depth lamp has said that something is wrong */
	unsigned late_seconds; /* how long the rate lamp has said that it is not sustained */
	struct steady steady;
	double device_depth; /* of the last whole second */
	pthread_mutex_t watch_lock; /* a look at the mount tables takes long: nobody else waits */
	struct guard_watch *watch[TARGETS_MAX];
	struct {
		uint32_t mark; /* the newest change of the knobs, 0 = none */
		uint64_t t_ns;
		bool step; /* a search or a curve turned it, not the operator */
		struct workload from; /* before the first of those it takes the place of */
	} turn;

	struct {
		bool wanted, passed;
		uint64_t not_before_ns;
		char words[MARK_TEXT];
		bool set; /* it has begun, and nobody has heard of it yet */
		struct run_stage begun;
	} stage;

	/* Of engines before the present one (a new one starts when writing is allowed). */
	uint32_t generation_base;
	uint64_t errors_base[ERRNO_SLOTS];
	struct looks looks_base;
	json_t *generations; /* what became of theirs and, once the run is over, of all */

	uint64_t start_ns;    /* the run's */
	uint64_t counted_ns;  /* what the summary counts from: the start or the last reset */
	uint32_t counted_segment; /* the number of the segment that begins there */
	bool rated;	      /* since then a rate or a think time has held the IO */
	uint64_t segment_ns;  /* when the newest segment was opened */
	int64_t wall_offset;  /* wall minus monotonic, ns */
	struct snapshot snap;
	uint64_t errors[ERRNO_SLOTS], errors_before[ERRNO_SLOTS]; /* all, and up to the reset */
	uint64_t failed_max; /* ns, the slowest IO that failed since the reset */
	struct looks looks, looks_before;			  /* likewise */
	struct hist final_hist[HISTS];
	struct sample final, gap; /* what the summary counts, and what it leaves out */

	/* The recorder's. */
	struct store *store;
	int64_t id;
	json_t *settings, *environment;
	char store_path[PATH_MAX];
};

/* --- run.c; with the lock held. --- */

/* A mark at the end of the tick that was just taken, and a new segment behind it for w (NULL = as before).
 * Its id; 0 without memory. */
uint32_t run_mark_now(struct run *r, enum mark_kind kind, const struct workload *w,
		      const char *text);

/* The summary's figures, and how the run's changes took effect. */
json_t *run_final_summary(const struct run *r, const struct summary *s);

/* A segment that somebody opens has the same sequence of IOs as any other: the workload is published once
 * more, and the workers begin it anew. */
void run_begin_sequence(struct run *r);

/* What seats have done up to the last tick goes into the shot that is wanted, if one is. */
void run_take_shot(struct run *r);

/* engine_apply() with the jobs that workers have. */
int run_publish(struct run *r, const struct workload *w, uint32_t *generation, struct error *e);

/* --- run_stage.c --- */

/* A second has just ended. With the lock held. */
void run_stage_look(struct run *r);

/* --- sampler.c; all with the lock held. --- */

/* Allocates what the sampler needs and starts the probes. */
int sampler_prepare(struct run *r, struct error *e);
void sampler_release(struct run *r);
/* Takes a sample now: a tick on the timeline, and a new snapshot. */
void sampler_tick(struct run *r);
/* Where the target has sessions: what they are like now, at t_ns, and marks for what became of them. */
void sampler_look_at_sessions(struct run *r, uint64_t t_ns);
/* Takes the host's figures of the second that is filling now, and not when it is closed. */
void sampler_probe(struct run *r);
/* Closes the second that is filling. */
void sampler_close_second(struct run *r);
/* The thread: ticks every 100 ms until r->stopping. */
void *sampler_main(void *run);
/* The run ends by itself, for this reason. */
void sampler_end(struct run *r, const char *reason);

/* --- recorder.c --- */

/* Opens the store and begins the run; without one, or with trouble, r->id stays 0 and the snapshot
 * says why. */
void recorder_open(struct run *r);
/* Writes what has come since. Without the lock. */
int recorder_append(struct run *r, struct error *e);
void *recorder_main(void *run);

/* --- run_compare.c --- */

/* What run_comparison() shows: compare_json() with "a_segment", "b_segment" and "differences"; null where there
 * are no two segments. */
json_t *run_comparison_json(struct run *r);

/* --- generations.c; with the lock held. --- */

/* Adds the record of an engine that has been stopped to r->generations. */
void generations_keep(struct run *r);

/* --- lamps.c --- */

/* From what happened in one stretch (the last second): is the depth what was asked for, and does
 * IOPS x latency equal it? */
void lamp_depth(struct lamp *l, const struct sample *s, const struct workload *w,
		const struct backend *b, double device_depth);
void lamp_little(struct lamp *l, const struct sample *s);
/* Is the rate that is offered done? Off without one. */
void lamp_rate(struct lamp *l, const struct sample *s, const struct workload *w);
/* Are the IOPS of this segment steady? wall_offset: wall minus monotonic time. */
void lamp_steady(struct lamp *l, const struct steady *s, const struct workload *w,
		 int64_t wall_offset);

#endif
