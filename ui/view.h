/* view.h - gathers what a frame shows: the view, and the memory behind it.
 *
 * New samples are appended to what is here already; the whole window is read from the timeline only
 * when the window or the run changes. Windows of more than ten minutes are made of seconds, and of
 * sums of seconds where there would be thousands a column.
 */
#ifndef LUNSCOPE_VIEW_H
#define LUNSCOPE_VIEW_H

#include "chart.h"
#include "heatmap.h"
#include "meters.h"
#include "pane.h"

struct gather {
	struct view view;
	struct sample *sample;
	struct extent *extent; /* of each sample */
	size_t sample_room;    /* of both */
	struct facts facts; /* the view's */
	struct heatmap heat;
	struct meters meters;
	uint64_t newest_ns;  /* t_ns of the newest sample taken from the timeline */
	struct mark *mark;
	uint32_t newest_mark;
	uint32_t notes; /* timeline_notes() when the marks were read */
	uint32_t gaps;  /* timeline_gaps_changed() when the samples were */
	struct chart_scales scales;
};

void gather_free(struct gather *g);
/* Forgets the data: another run. */
void gather_clear(struct gather *g);
/* Another time window: what the charts hold is read anew, up to the time that is shown. */
void gather_window(struct gather *g, struct run *run, uint64_t span_ns);
/* The charts end at end_ns from now on, and stay there; 0, or what is not over yet: at the time that is now. */
void gather_scroll(struct gather *g, struct run *run, uint64_t end_ns);
/* Brings snapshot, samples and marks up to now. Frozen, only what the knobs and lamps say of the
 * present changes. Without memory the picture stays as it is. */
void gather_update(struct gather *g, struct run *run, bool frozen);

/* The windows there are, shortest first. */
#define WINDOW_COUNT   12
#define WINDOW_DEFAULT 2
extern const unsigned window_seconds[WINDOW_COUNT];

#endif
