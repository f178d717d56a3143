/* pane.h - what a pane is, and what it may look at.
 *
 * A pane is one file with one descriptor (panes[] in pane.c lists them). It draws one immutable view
 * into its rectangle; it starts no IO, reads no /proc and knows no curses. Adding one = a file + a
 * line in panes[] + a place in layout.c.
 */
#ifndef LUNSCOPE_PANE_H
#define LUNSCOPE_PANE_H

#include <stdbool.h>
#include <stddef.h>
#include "canvas.h"
#include "glyph.h"
#include "heat_rows.h"
#include "knob.h"
#include "layout.h"
#include "iometer/series.h"
#include "meter.h"
#include "pilot.h"
#include "run.h"
#include "timeline.h"
#include "units.h"

struct live_pair;
struct ab;
struct ab_result;
struct cursors;
struct baseline;

/* What is in focus: a knob of the bar, or a pane. */
struct focus {
	bool on_pane;
	enum knob knob;
	enum pane_id pane;
};

/* One histogram, reads and writes apart, or over time (heatmap.h). */
enum latency_view { LATENCY_TOTAL, LATENCY_SPLIT, LATENCY_HEAT, LATENCY_VIEWS };

/* Of the ticks or seconds that a sample was added up from: the least and the most, IO/s and bytes/s. */
struct extent {
	double low[2], high[2];
};

/* Everything the screen shows, gathered once a frame. The chart's samples are already cut to the
 * window; the arrays belong to the caller and stay until the next frame. */
struct view {
	struct snapshot snap;
	const struct target *target;
	const struct sample *chart;   /* oldest first; ticks, or seconds for long windows */
	size_t chart_count;
	const struct extent *extent;  /* of each of them; NULL: each is one tick or second */
	const struct heat_slice *heat; /* oldest first: the window's seconds, or several in one */
	size_t heat_count;
	struct heat_rows heat_rows;    /* the heat map's, kept by the caller: see heatmap_keep_rows() */
	uint64_t chart_span_ns;	      /* the window: what the whole chart width stands for */
	uint64_t now_ns;	      /* the right edge of the charts, */
	uint64_t end_ns;	      /* unless they show an earlier time: then this is; 0: they don't */
	const struct mark *marks;     /* oldest first */
	size_t mark_count;
	struct focus focus;
	enum rate_unit unit;
	enum glyph_level level;
	const struct glyphs *g;	      /* = &glyph_table[level] */
	enum latency_view latency;
	const struct pilot *pilot;    /* the search or curve that is under way, NULL: none */
	const struct series *series;  /* the newest of Iometer's series, under way or not, NULL: none */
	const struct pilot *curve;    /* the newest curve, under way or not, NULL: none */
	const struct live_pair *pair; /* two segments compared, NULL: not looked at yet */
	uint32_t pair_a, pair_b;      /* which ones are wished for, 0: before and after the last mark */
	const struct ab *ab;	      /* A against B, in turn: the newest, under way or over, NULL: none */
	const struct ab_result *ab_result; /* of its pairs so far, NULL: none is complete */
	bool ab_newest;		      /* no mark was set since */
	bool frozen;
	bool armed, triggered;	      /* a trigger waits; the display was frozen by one */
	const struct cursors *cursors; /* of the charts; NULL: none */
	const struct baseline *baseline; /* a stored run behind the charts; NULL: none */
	int scroll;		      /* events: how many lines back from the newest */
	const struct facts *facts;    /* all that is watched; NULL: not known */
	const struct meter_board *meters; /* NULL: nothing was read yet */
	const struct meter_setup *meter_setup; /* what they show; NULL: as usual */
	unsigned meter;		      /* which of them is chosen, from 0 on */
	unsigned path;		      /* sessions: which one is chosen, from 0 on; there may be fewer now */
	char message[200];	      /* the footer's line, "" for the keys */
	bool message_bad;
	double frame_bytes;	      /* mean bytes a frame, UI cost for the CPU pane */
	bool sweep;		      /* they are written from left to right, again and again, and do not
				       * move: little changes from frame to frame */
	bool locked;		      /* and it stays as it is */
	double y_top[2];	      /* the charts' scale (IOPS, bytes/s), kept by the caller: see
				       * chart_scale() */
	double ui_cpu_share;	      /* 0..1 of one core */
	const char *version;
	char host[64];
};

struct pane {
	const char *title;
	const char *help;	/* one or two sentences for the help screen: how to read it */
	/* Draws into r, whose size is at least layout_pane_min(). The pane draws its own title row
	 * with pane_title(). */
	void (*draw)(struct canvas *c, struct rect r, const struct view *v);
};

extern const struct pane panes[PANE_COUNT];

/* The title row: a rule with the title at the left, right text at its end; the focused pane's title
 * stands in brackets and in ST_FOCUS, and the hardware cursor goes there. Returns the rectangle
 * below it. */
struct rect pane_title(struct canvas *c, struct rect r, const struct view *v, enum pane_id id,
		       const char *right);

/* The rows that are not panes. */
void header_draw(struct canvas *c, struct rect r, const struct view *v);
void knobs_draw(struct canvas *c, struct rect r, const struct view *v);
void answer_draw(struct canvas *c, struct rect r, const struct view *v);

#endif
