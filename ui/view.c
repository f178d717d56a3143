/* view.c - reads the run for the screen, a frame at a time. */
#include <stdlib.h>
#include <string.h>
#include "run.h"
#include "pane_util.h"
#include "view.h"

const unsigned window_seconds[WINDOW_COUNT] = {15,   30,   60,   120,   300,   600,
					       1800, 3600, 7200, 21600, 43200, 86400};

/* Of a longer time than ticks are kept for there are seconds. */
#define TICKS_SPAN_NS (600 * NS_PER_SEC)
/* More samples than this are no help to any screen: neighbours are added up. */
#define SAMPLES_MOST 3600
#define MARKS_KEPT   2048

void gather_free(struct gather *g)
{
	free(g->sample);
	free(g->extent);
	heatmap_free(&g->heat);
	free(g->mark);
	facts_free(&g->facts);
	memset(g, 0, sizeof(*g));
}

void gather_clear(struct gather *g)
{
	g->view.chart_count = 0;
	g->view.mark_count = 0;
	g->view.facts = NULL;
	g->view.now_ns = g->view.end_ns = 0;
	g->view.scroll = 0;
	memset(&g->view.snap, 0, sizeof(g->view.snap));
	heatmap_clear(&g->heat);
	g->view.heat_count = 0;
	meters_clear(&g->meters);
	g->view.meters = NULL;
	g->newest_ns = 0;
	g->newest_mark = 0;
	g->notes = g->gaps = 0;
	g->scales = (struct chart_scales){0};
}

/* Where the charts begin. */
static uint64_t left_edge(const struct gather *g)
{
	uint64_t end = chart_end(&g->view), span = g->view.chart_span_ns;

	return end > span ? end - span : 0;
}

/* The timeline goes on while the display stands still, and an earlier time grows older: only it knows whether
 * their ticks are still there. */
static bool from_ticks(const struct gather *g, struct run *run)
{
	const struct view *v = &g->view;

	if (v->chart_span_ns > TICKS_SPAN_NS)
		return false;
	return (!v->end_ns && !v->frozen) ||
	       left_edge(g) >= timeline_ticks_since(run_timeline(run));
}

/* How long a stretch one sample of the view may stand for. */
static uint64_t step_ns(const struct gather *g)
{
	uint64_t step = g->view.chart_span_ns / SAMPLES_MOST;

	return step <= NS_PER_SEC ? 0 : step;
}

/* The same stretch of time continued, and short enough together? */
static bool belongs(const struct gather *g, const struct sample *last, const struct sample *s)
{
	return last->dt_ns + s->dt_ns <= step_ns(g) && s->t_ns - s->dt_ns <= last->t_ns + TICK_NS;
}

static bool make_room(struct gather *g)
{
	size_t room = g->sample_room ? 2 * g->sample_room : 256;
	struct sample *more = realloc(g->sample, room * sizeof(*more));

	if (!more)
		return false;
	g->sample = more;
	struct extent *extent = realloc(g->extent, room * sizeof(*extent));
	if (!extent)
		return false;
	g->extent = extent;
	g->sample_room = room;
	return true;
}

static void extend(struct extent *x, const struct sample *s)
{
	for (int bytes = 0; bytes < 2; bytes++) {
		double rate = chart_rate(s, bytes);
		if (rate < x->low[bytes])
			x->low[bytes] = rate;
		if (rate > x->high[bytes])
			x->high[bytes] = rate;
	}
}

static bool append(struct gather *g, const struct sample *s)
{
	size_t n = g->view.chart_count;

	if (n && belongs(g, &g->sample[n - 1], s)) {
		sample_add(&g->sample[n - 1], s);
		extend(&g->extent[n - 1], s);
		return true;
	}
	if (n == g->sample_room && !make_room(g))
		return false;
	g->sample[n] = *s;
	for (int bytes = 0; bytes < 2; bytes++)
		g->extent[n].low[bytes] = g->extent[n].high[bytes] = chart_rate(s, bytes);
	g->view.chart_count = n + 1;
	return true;
}

/* Takes out what has left the window. */
static void forget_old(struct gather *g)
{
	struct view *v = &g->view;
	uint64_t from = left_edge(g);
	size_t gone = 0;

	while (gone < v->chart_count && g->sample[gone].t_ns <= from)
		gone++;
	if (!gone)
		return;
	v->chart_count -= gone;
	memmove(g->sample, g->sample + gone, v->chart_count * sizeof(*g->sample));
	memmove(g->extent, g->extent + gone, v->chart_count * sizeof(*g->extent));
}

/* The newest ticks, as the timeline hands them out: there must be room for all that came after upto too; and
 * some more, for ticks cut short by marks. */
static struct sample *read_ticks(struct run *run, uint64_t after, size_t *n)
{
	uint64_t now = clock_ns();
	size_t max = now > after ? (size_t)((now - after) / TICK_NS) + 64 : 64;
	struct sample *fresh = malloc(max * sizeof(*fresh));

	*n = fresh ? timeline_ticks(run_timeline(run), after, fresh, max) : 0;
	return fresh;
}

/* Appends what the timeline has in (after, upto]. */
static void read_samples(struct gather *g, struct run *run, uint64_t after, uint64_t upto)
{
	size_t n;
	struct sample *fresh =
		from_ticks(g, run) ? read_ticks(run, after, &n)
				   : timeline_seconds_between(run_timeline(run), after, upto, &n);

	for (size_t i = 0; fresh && i < n && fresh[i].t_ns <= upto; i++) {
		if (!append(g, &fresh[i]))
			break;
		g->newest_ns = fresh[i].t_ns;
	}
	free(fresh);
}

/* What a gap has changed is read once more. */
static void forget_changed(struct gather *g, struct run *run)
{
	size_t *n = &g->view.chart_count;
	uint64_t from;

	g->gaps = timeline_gaps_changed(run_timeline(run), g->gaps, &from);
	if (from >= g->newest_ns)
		return;
	while (*n && g->sample[*n - 1].t_ns > from)
		--*n;
	g->newest_ns = *n ? g->sample[*n - 1].t_ns : 0;
}

static void update_samples(struct gather *g, struct run *run)
{
	struct view *v = &g->view;
	uint64_t oldest = left_edge(g), upto = v->now_ns;

	forget_changed(g, run);
	/* A sample that ends behind the edge reaches into the last column, too. */
	if (v->end_ns && v->end_ns + NS_PER_SEC < upto)
		upto = v->end_ns + NS_PER_SEC;
	/* What was read of an earlier time is not read again. */
	if (!v->end_ns || g->newest_ns < v->end_ns)
		read_samples(g, run, g->newest_ns > oldest ? g->newest_ns : oldest, upto);
	forget_old(g);
	v->chart = g->sample;
	v->extent = g->extent;
	heatmap_update(&g->heat, v, run_timeline(run), oldest, upto);
}

static void update_marks(struct gather *g, struct run *run)
{
	struct view *v = &g->view;
	struct mark fresh[256];
	size_t n;

	if (!g->mark && !(g->mark = malloc(MARKS_KEPT * sizeof(*g->mark))))
		return;
	n = timeline_marks(run_timeline(run), g->newest_mark, fresh, 256);
	for (size_t i = 0; i < n; i++) {
		if (v->mark_count == MARKS_KEPT) {
			memmove(g->mark, g->mark + 1, (MARKS_KEPT - 1) * sizeof(*g->mark));
			v->mark_count--;
		}
		g->mark[v->mark_count++] = fresh[i];
		g->newest_mark = fresh[i].id;
		/* An operator who looks at old events keeps looking at them. */
		if (v->scroll > 0 && mark_shown(&fresh[i]))
			v->scroll++;
	}
	/* Words that were given to marks since: the kept ones are read once more. */
	uint32_t notes = timeline_notes(run_timeline(run));

	v->marks = g->mark;
	if (notes != g->notes && v->mark_count) {
		int before = marks_shown(v);

		timeline_marks(run_timeline(run), g->newest_mark - (uint32_t)v->mark_count, g->mark,
			       v->mark_count);
		if (v->scroll > 0)
			v->scroll += marks_shown(v) - before;
	}
	g->notes = notes;
}

void gather_window(struct gather *g, struct run *run, uint64_t span_ns)
{
	g->view.chart_span_ns = span_ns;
	g->view.chart_count = 0;
	g->scales = (struct chart_scales){0};
	g->newest_ns = 0;
	heatmap_clear(&g->heat);
	g->view.heat_count = 0;
	if (run && g->view.now_ns)
		update_samples(g, run);
}

void gather_scroll(struct gather *g, struct run *run, uint64_t end_ns)
{
	struct view *v = &g->view;

	if (end_ns >= v->now_ns)
		end_ns = 0;
	if (end_ns == v->end_ns)
		return;
	v->end_ns = end_ns;
	gather_window(g, run, v->chart_span_ns);
}

void gather_update(struct gather *g, struct run *run, bool frozen)
{
	struct view *v = &g->view;

	if (frozen) {
		/* The figures stand still; what the knobs are at, and whether IO goes on, must be
		 * true at any time. */
		struct snapshot now;
		run_snapshot(run, &now);
		v->snap.workload = now.workload;
		v->snap.running = now.running;
		v->snap.ended = now.ended;
		memcpy(v->snap.end_reason, now.end_reason, sizeof(now.end_reason));
		return;
	}
	run_snapshot(run, &v->snap);
	v->now_ns = v->snap.t_ns;
	update_samples(g, run);
	meters_update(&g->meters, v, run_timeline(run));
	update_marks(g, run);
	run_facts(run, &g->facts);
	v->facts = &g->facts;
}
