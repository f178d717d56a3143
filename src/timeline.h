/* timeline.h - samples and marks on one line of time.
 *
 * The sampler appends; the screen, the recorder and the summary read. Everything is kept twice: as
 * ticks (100 ms, the last ten minutes) and as seconds (the last 24 hours). A segment (between two
 * marks) is made of whole ticks: the sampler takes a tick at the mark, and should a mark fall inside
 * a tick all the same, the tick goes to the side that the larger part of it lies on. Histograms are
 * kept per segment and for the last seconds.
 *
 * Time in which a path was out is a gap (timeline_gap): its ticks and seconds are kept like any other, and
 * flagged, but no segment counts them. A tick that a gap reaches into is left out as a whole.
 *
 * All times are CLOCK_MONOTONIC ns; wall times ride along for display.
 */
#ifndef LUNSCOPE_TIMELINE_H
#define LUNSCOPE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "backends/backend.h"
#include "heat.h"
#include "hist.h"
#include "units.h"
#include "workload.h"

#define TICK_NS	      100000000ull
#define MARK_TEXT     160
#define HIST_WINDOW_S 5 /* seconds that the live histogram looks back */
#define SECOND_REST   (NS_PER_SEC / 2) /* a shorter second is the rest of the one before it */

struct op_sample {
	uint64_t ios, bytes, errors;
	uint64_t lat_sum;	   /* ns */
	uint64_t lat_min, lat_max; /* ns; UINT64_MAX and 0 when no IO */
};

/* What a rate asked for and what came of it; all 0 (lat_min UINT64_MAX) without one. */
struct due_sample {
	uint64_t offered;	   /* IOs that fell due */
	uint64_t started;	   /* IOs that were started, out of the backlog too */
	uint64_t ios, lat_sum;	   /* that completed without error; ns from when each was due */
	uint64_t lat_min, lat_max; /* likewise */
	uint64_t p50, p99;	   /* likewise; as p50 and p99 of the sample */
	uint64_t backlog;	   /* IOs that were due and not started at t_ns */
	uint64_t oldest_ns;	   /* ... and for how long the oldest of them had been due */
};

/* CPU time in ns over the interval, summed over all CPUs. total = busy + idle + iowait + steal;
 * busy = user (with nice) + system + irq + softirq, as Iometer defines it. */
struct cpu_sample {
	bool valid;
	uint32_t cpus;
	uint64_t dt_ns;	      /* the time that these figures cover; 0 = all of the sample's dt_ns */
	uint64_t user, system, irq, softirq, iowait, steal, idle;
	uint32_t hot_cpu;     /* the busiest CPU's number, and its busy share; of several samples */
	float hot_share;      /* the highest; 0..1 */
	uint64_t ctx_switches, interrupts; /* counts in the interval */
	uint64_t self_ns;     /* lunscope's own CPU time, all threads */
	uint64_t ui_ns;	      /* of which the screen's thread */
};

/* The network over the interval, where the target is reached over one. Bytes and packets are those of the
 * NICs that carry its paths (frames as their drivers count them); drops, errors and pause frames also of
 * what these lie upon, and of NICs that the operator asked for. */
struct net_sample {
	bool valid;
	bool pauses;	/* a driver counts pause frames */
	bool resends;	/* retransmits are known */
	uint64_t dt_ns; /* the time that these figures cover */
	uint64_t rx_bytes, tx_bytes, rx_packets, tx_packets;
	uint64_t drops, errors;
	uint64_t pause_rx, pause_tx; /* frames got and sent */
	uint64_t retransmits;	     /* TCP segments that this host sent again, whoever to */
};

#define CORES_MAX 1024

/* Each CPU's busy share in the last second, for the live screen only. */
struct cpu_cores {
	uint32_t count;
	uint8_t busy[CORES_MAX]; /* per cent, by CPU number; CPUs that are off count as 0 */
};

/* One stretch of time: what happened in (t_ns - dt_ns, t_ns]. Sums, never rates: rates are sums
 * over dt_ns, so any run of samples adds up exactly. */
struct sample {
	uint64_t t_ns, dt_ns;
	struct op_sample op[IO_OPS];
	uint64_t depth_ns;	  /* integral of IOs in flight, IO x ns */
	uint64_t drain_ns;	  /* ... and of those that came back after the end: they and their
				   * latencies count, the time does not. Only in a run's last */
	uint64_t requested_ns;	  /* integral of depth_requested, IO x ns; 0 = it held all the time */
	uint64_t inflight;	  /* at t_ns */
	uint64_t oldest_ns;	  /* age of the oldest IO in flight at t_ns */
	uint32_t depth_requested; /* workers x outstanding at t_ns; 0 while paused */
	uint32_t generation;	  /* newest at t_ns */
	uint64_t p50, p95, p99, p999; /* ns, reads and writes together, of the last whole second
				       * (of the sample itself in the seconds ring, but with the
				       * second before it where it is a rest); 0 if no IO.
				       * The timeline fills these in from the ticks' histograms */
	double device_depth;	  /* mean IOs in the block layer by the kernel's own count; < 0 if
				   * not known */
	struct cpu_sample cpu;	  /* only in whole seconds */
	struct net_sample net;	  /* likewise */
	struct due_sample due;
	uint64_t gap_ns;	  /* of dt_ns, what no mean counts, as a path was out */
};

enum mark_kind {
	MARK_START,  /* the run began */
	MARK_KNOB,   /* the workload changed */
	MARK_NOTE,   /* the operator's own */
	MARK_PAUSE,  /* IO stopped or started */
	MARK_RESET,  /* statistics were reset */
	MARK_ENV,    /* a setting of this host changed */
	MARK_EVENT,  /* something happened that opens no new segment (an error, a lamp) */
	MARK_END,    /* the run ended */
	MARK_PASSED, /* was MARK_KNOB or MARK_ENV, and another change followed within a second: kept in
		      * the record, left out where marks are shown */
};

struct mark {
	uint32_t id;	   /* 1, 2, ... */
	enum mark_kind kind;
	char letter;	   /* 'a'..'z', again from 'a'; 0 for events, the start, the end and
			    * marks that were passed */
	uint64_t t_ns;
	uint64_t wall;	   /* ns since 1970 */
	char text[MARK_TEXT];
};

/* "start", "knob", "note", ...: the word that files and tables use. */
const char *mark_kind_name(enum mark_kind kind);

struct segment {
	uint32_t number;      /* 1, 2, ... */
	uint32_t mark;	      /* id of the mark that opened it, and its letter (0: it has none) */
	char letter;
	uint32_t generation;
	uint64_t start_ns, end_ns; /* end = the last tick in it so far */
	struct workload workload;
	struct sample total;  /* all its ticks added up, with percentiles; cpu, net and device_depth
			       * come from the seconds that lie wholly in it (valid false: none).
			       * Without what lies in gaps, but for errors */
	struct sample gap;    /* that; total and gap together are all that happened */
	struct hist hist[HISTS];
};

/* A segment without its figures. */
struct span {
	uint32_t number;
	uint64_t start_ns, end_ns;
	bool open;	  /* it goes on, as far as the timeline knows */
	bool stopped;	  /* no IO was asked for in it */
	struct mark mark; /* that opened it */
};

struct timeline;

struct timeline *timeline_create(void); /* NULL without memory */
void timeline_destroy(struct timeline *t);

/* into += s: sums add, min and max combine, t_ns and the states (percentiles too) are those of the
 * later one, device_depth is the mean over the time. cpu adds; where only one has it, cpu.dt_ns
 * says how much of the time the figures cover. */
void sample_add(struct sample *into, const struct sample *s);
void sample_clear(struct sample *s);
/* How much time the sample's cpu figures cover, and its depth_requested integrated over dt_ns. */
uint64_t sample_cpu_dt(const struct sample *s);
uint64_t sample_requested_ns(const struct sample *s);

/* --- The sampler's side. --- */

/* Appends one tick with its histogram increments; op hists may be NULL. */
void timeline_tick(struct timeline *t, const struct sample *s, const struct hist delta[HISTS]);
/* Appends the whole second that ended at s->t_ns. */
void timeline_second(struct timeline *t, const struct sample *s);
/* Puts a mark at t_ns; kinds other than MARK_EVENT and MARK_END open a segment for w (NULL = as
 * before). Returns its id; 0 when there was no memory for it. */
uint32_t timeline_mark(struct timeline *t, enum mark_kind kind, uint64_t t_ns, uint32_t generation,
		       const struct workload *w, const char *text);

/* From now on there can be gaps: how each of the last TAIL_TICKS ticks is counted can still change. false
 * without memory: then there are none. */
bool timeline_expect_gaps(struct timeline *t);
/* From from_ns to until_ns (0: it goes on) a path was out. id 0 is a new gap, whose id is returned; else its
 * bounds are set anew. What lies too far back counts as it did before. 0 when there can be none. */
uint32_t timeline_gap(struct timeline *t, uint32_t id, uint64_t from_ns, uint64_t until_ns);

/* Gives a mark other words. How often that happened, for readers that keep marks: when the number has
 * grown, what they copied before is out of date. */
void timeline_note(struct timeline *t, uint32_t id, const char *text);
/* Makes a mark one that was only passed through, and takes its letter back when it was the last one
 * given. Counts as a note. */
void timeline_pass(struct timeline *t, uint32_t id);
uint32_t timeline_notes(struct timeline *t);

/* --- The readers' side: each call copies under a short lock. --- */

/* Copies the newest ticks (or seconds) whose t_ns > after, oldest first, at most max; returns how
 * many. With more than max, the newest max. */
size_t timeline_ticks(struct timeline *t, uint64_t after, struct sample *out, size_t max);
size_t timeline_seconds(struct timeline *t, uint64_t after, struct sample *out, size_t max);
/* Since when all ticks are still there; 0: none has been forgotten yet. */
uint64_t timeline_ticks_since(struct timeline *t);
/* Adds up every tick that ended in (from, to] and is still kept; returns how many there were. */
size_t timeline_sum(struct timeline *t, uint64_t from, uint64_t to, struct sample *out);
/* How the latencies of reads and writes were spread in the oldest seconds that ended in (after, until], at
 * most max; returns how many. Time in a gap is in there like any other. */
size_t timeline_heat(struct timeline *t, uint64_t after, uint64_t until, struct heat_slice *out,
		     size_t max);
/* Copies the marks with id > after, oldest first, at most max. With more, the newest max. */
size_t timeline_marks(struct timeline *t, uint32_t after, struct mark *out, size_t max);
/* All of them, however many, malloc'd; *n says how many. NULL without memory. */
struct sample *timeline_all_seconds(struct timeline *t, uint64_t after, size_t *n);
struct mark *timeline_all_marks(struct timeline *t, uint32_t after, size_t *n);
/* The id of the newest mark that is no event; 0 if there is none. */
uint32_t timeline_newest_mark(struct timeline *t);
/* The mark with this id; false if there is none. */
bool timeline_mark_at(struct timeline *t, uint32_t id, struct mark *out);
/* The histogram of the last HIST_WINDOW_S seconds (the one that is filling included) within the
 * newest segment. */
void timeline_recent_hist(struct timeline *t, struct hist out[HISTS]);
/* Segment number n (1..), false if there is none; timeline_segments says how many. */
uint32_t timeline_segments(struct timeline *t);
bool timeline_segment(struct timeline *t, uint32_t n, struct segment *out);
/* The same without its figures, which is quick; w may be NULL. */
bool timeline_span(struct timeline *t, uint32_t n, struct span *out, struct workload *w);
/* The seconds that ended in (after, until], malloc'd. NULL without memory. */
struct sample *timeline_seconds_between(struct timeline *t, uint64_t after, uint64_t until,
					size_t *n);
/* Adds up all segments from number n on, and what of them is left out. cpu, net and device_depth come from
 * every second that begins in them and has no gap in it, so that nothing is missing where marks came close
 * together. */
void timeline_total(struct timeline *t, uint32_t n, struct sample *total, struct sample *gap,
		    struct hist hist[HISTS]);
/* How many gaps lie in (from_ns, until_ns], those that overlap counted as one. */
unsigned timeline_gaps(struct timeline *t, uint64_t from_ns, uint64_t until_ns);
/* For readers that keep samples: a number that grows whenever what is left out changes, and where that which
 * changed since it was `seen` begins: samples that end later say something else now. UINT64_MAX: none. */
uint32_t timeline_gaps_changed(struct timeline *t, uint32_t seen, uint64_t *from_ns);
/* The end of the first tick after which IOs came back and none was in flight that is older than `after`;
 * 0 when there is none yet. */
uint64_t timeline_flows(struct timeline *t, uint64_t after);
/* The end of the first tick, at or after `after`, when no IO was waiting that fell due before `after`; 0 when
 * there is none yet. Without a rate nothing ever waits. */
uint64_t timeline_caught_up(struct timeline *t, uint64_t after);

#endif
