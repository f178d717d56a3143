/* pilot.c - see pilot.h. What is measured is a step's own segments, added up: a mark that the
 * operator sets meanwhile opens another of them, and loses nothing.
 */
#include "pilot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

/* IOs of the load before may still be in flight; so long they are waited for. */
#define SETTLE_MOST (5 * NS_PER_SEC)
/* One tick with the new workload at least, or "settled" is still about the old one. */
#define SETTLE_LEAST (2 * TICK_NS)

/* --- Search or curve. --- */

const struct load_log *pilot_log(const struct pilot *p)
{
	return p->curving ? &p->curve.log : &p->search.log;
}

int pilot_of(const struct pilot *p)
{
	return p->curving ? p->curve.config.of : p->search.config.goal.of;
}

enum knob pilot_by(const struct pilot *p)
{
	return p->curving ? p->curve.config.by : p->search.config.by;
}

static bool next_order(struct pilot *p)
{
	return p->curving ? curve_next(&p->curve, &p->order) : search_next(&p->search, &p->order);
}

static void take(struct pilot *p, struct load_step *s)
{
	if (p->curving)
		curve_take(&p->curve, s);
	else
		search_take(&p->search, s);
}

static struct load load_of(const struct pilot *p, uint64_t value)
{
	return (struct load){pilot_by(p), value};
}

bool pilot_over(const struct pilot *p)
{
	return p->state >= PILOT_DONE;
}

/* --- The end. --- */

static void stage(struct pilot *p, const char *words, bool turned)
{
	p->mark = run_stage(p->run, words, turned, &p->segment, &p->letter);
}

static bool differ(const struct workload *a, const struct workload *b)
{
	char text[MARK_TEXT];

	return a->paused != b->paused || *workload_diff(text, sizeof(text), a, b, true);
}

/* Whether the step's own mark says all that changes from a to b. The rate that gives way to a search by
 * outstanding, and comes back behind it, it does not: that keeps a mark of its own. */
static bool told(const struct pilot *p, const struct workload *a, const struct workload *b)
{
	return differ(a, b) && (pilot_by(p) == KNOB_RATE || a->rate_iops == b->rate_iops);
}

/* The run goes on with w; false when that could not be. */
static bool leave_at(struct pilot *p, const struct workload *w)
{
	struct error e;
	bool turned = told(p, &p->applied, w);
	struct workload now = run_workload(p->run);

	if (differ(&now, &p->applied) || run_apply_step(p->run, w, &e))
		return false;
	p->applied = *w;
	stage(p, p->words, turned);
	return p->mark != 0;
}

static void over(struct pilot *p)
{
	struct workload w = p->before;

	p->state = PILOT_DONE;
	if (p->curving) {
		curve_words(p->words, sizeof(p->words), &p->curve, 1);
	} else {
		search_words(p->words, sizeof(p->words), &p->search, 1);
		if (p->search.result != SEARCH_NOTHING)
			w = load_workload(&p->before, load_of(p, p->search.found));
	}
	leave_at(p, &w);
}

void pilot_cancel(struct pilot *p, const char *why)
{
	char load[48], words[MARK_TEXT];

	if (pilot_over(p))
		return;
	if (p->state == PILOT_MEASURING) {
		load_describe(load, sizeof(load), load_of(p, p->order.value));
		snprintf(words, sizeof(words), "%s: cancelled", load);
		run_note(p->run, p->mark, words);
	}
	p->state = PILOT_CANCELLED;
	snprintf(p->words, sizeof(p->words), "%s cancelled: %s", p->curving ? "curve" : "search",
		 why);
	leave_at(p, &p->before);
}

/* --- A step. --- */

static void note(struct pilot *p, const struct load_step *s)
{
	const struct summary_op o = load_latency(s, pilot_of(p));
	const struct goal *g = &p->search.config.goal;
	double value = p->curving ? o.p99 : goal_value(g, &o);
	char load[48], latency[32], words[MARK_TEXT];

	load_describe(load, sizeof(load), s->load);
	snprintf(words, sizeof(words), "%s: %s %s%s%s", load,
		 p->curving ? "p99" : goal_figure_name(g->figure),
		 units_latency(latency, sizeof(latency), value, 1), s->note[0] ? ", " : "",
		 s->note);
	run_note(p->run, p->mark, words);
}

/* How much of the time in which the last step was measured is left out. */
static uint64_t left_out_ns(const struct pilot *p)
{
	struct sample sum;

	timeline_sum(run_timeline(p->run), p->last.from_ns, p->last.until_ns, &sum);
	return sum.gap_ns;
}

static void remember(struct pilot *p, bool refused)
{
	p->last.search = p->search;
	p->last.curve = p->curve;
	p->last.from_ns = refused ? 0 : p->since_ns;
	p->last.until_ns = p->snap.t_ns;
	p->last.mark = p->mark;
	if (!refused)
		p->last.gap_ns = left_out_ns(p);
}

/* A path was silent in the last step, and that was only known when the step had been taken: then it never
 * was. */
static bool spoilt(struct pilot *p)
{
	char load[48], words[MARK_TEXT];

	if (!p->last.from_ns || left_out_ns(p) <= p->last.gap_ns)
		return false;
	p->search = p->last.search;
	p->curve = p->last.curve;
	p->last.from_ns = 0;
	next_order(p);
	load_describe(load, sizeof(load), load_of(p, p->order.value));
	snprintf(words, sizeof(words), "%s: once more, a path was out", load);
	run_note(p->run, p->last.mark, words);
	p->state = PILOT_TURNING;
	return true;
}

/* The step is over; false when nothing more is to be tried. */
static void conclude(struct pilot *p, bool refused, bool few)
{
	struct load_step s = {
		.load = load_of(p, p->order.value),
		.confirms = p->order.confirms,
		.refused = refused,
		.few = few,
		.letter = refused ? 0 : p->letter,
	};

	if (!refused) {
		summary_compute(&s.sum, &p->total, p->hist, p->engine);
		summary_leave_out(&s.sum, &p->total, &p->gap, 1);
		s.sum.rate_limited = p->applied.rate_iops > 0 || workload_thinks(&p->applied);
		s.sustained = s.sum.due.sustained;
	}
	remember(p, refused);
	take(p, &s);
	if (!refused)
		note(p, &s);
	p->state = PILOT_TURNING;
}

/* Turns the knob to what is next; values that can't be had are steps too. */
static void turn(struct pilot *p)
{
	while (p->state == PILOT_TURNING) {
		struct error e;
		if (!next_order(p)) {
			over(p);
			return;
		}
		struct workload w = load_workload(&p->before, load_of(p, p->order.value));
		p->turned = told(p, &p->applied, &w);
		int rc = run_apply_step(p->run, &w, &e);
		/* It is being opened for writing: a tick later it may be over. */
		if (rc == -EBUSY)
			return;
		if (rc) {
			conclude(p, true, false);
			continue;
		}
		p->applied = w;
		p->since_ns = clock_ns();
		p->state = PILOT_SETTLING;
	}
}

static void settle(struct pilot *p)
{
	uint64_t least = p->order.settle_ns > SETTLE_LEAST ? p->order.settle_ns : SETTLE_LEAST;
	uint64_t waited = p->snap.t_ns > p->since_ns ? p->snap.t_ns - p->since_ns : 0;
	char words[48];

	if (waited < least || (!p->snap.settled && waited < least + SETTLE_MOST))
		return;
	stage(p, load_describe(words, sizeof(words), load_of(p, p->order.value)), p->turned);
	p->since_ns = clock_ns();
	p->state = PILOT_MEASURING;
}

static void measure(struct pilot *p)
{
	uint64_t length = p->snap.t_ns > p->since_ns ? p->snap.t_ns - p->since_ns : 0;
	int of = pilot_of(p);
	uint64_t ios = 0;

	/* A step begins and ends with a tick, and that which begins it is taken a moment after
	 * one of the clock: for so little it is not prolonged by another. */
	length += TICK_NS / 10;
	if (length < p->order.measure_ns)
		return;
	timeline_total(run_timeline(p->run), p->segment, &p->total, &p->gap, p->hist);
	for (int op = 0; op < IO_OPS; op++)
		if (of == SUM_TOTAL || of == op)
			ios += p->total.op[op].ios;
	/* Nor is it enough while a path may be silent, or with too little time beside its gaps. */
	bool few = ios < p->order.ios ||
		   (p->gap.dt_ns && p->total.dt_ns + TICK_NS / 10 < p->order.measure_ns);
	if ((few || p->snap.doubtful) && length < LOAD_PROLONG * p->order.measure_ns)
		return;
	conclude(p, false, few);
	turn(p);
}

static bool interrupted(struct pilot *p)
{
	struct workload now;

	if (p->snap.ended) {
		pilot_cancel(p, "the run has ended");
		return true;
	}
	now = run_workload(p->run);
	if (!differ(&now, &p->applied))
		return false;
	pilot_cancel(p, now.paused ? "the IO was stopped" : "a knob was turned");
	return true;
}

bool pilot_tick(struct pilot *p)
{
	if (pilot_over(p)) {
		bool untold = p->stillborn;
		p->stillborn = false;
		return untold;
	}
	run_snapshot(p->run, &p->snap);
	if (interrupted(p))
		return true;
	if (spoilt(p)) {
		turn(p);
		return pilot_over(p);
	}
	switch (p->state) {
	case PILOT_TURNING: turn(p); break;
	case PILOT_SETTLING: settle(p); break;
	case PILOT_MEASURING: measure(p); break;
	case PILOT_DONE:
	case PILOT_CANCELLED: break;
	}
	return pilot_over(p);
}

/* --- Beginning. --- */

static int make(struct pilot **out, struct run *r, const struct workload *w, const char *engine,
		struct error *e)
{
	if (w->paused)
		return error_set(e, EINVAL, "the IO has stopped: start it first");
	struct pilot *p = calloc(1, sizeof(*p));
	if (!p)
		return error_set(e, ENOMEM, "out of memory for the search");
	p->run = r;
	p->before = p->applied = *w;
	snprintf(p->engine, sizeof(p->engine), "%s", engine);
	*out = p;
	return 0;
}

static void take_off(struct pilot *p)
{
	turn(p);
	p->stillborn = pilot_over(p);
}

int pilot_search(struct pilot **out, struct run *r, const struct search_config *c,
		 const char *engine, struct error *e)
{
	struct workload w = run_workload(r);
	int rc = search_check(c, &w, e);

	if (rc == 0)
		rc = make(out, r, &w, engine, e);
	if (rc)
		return rc;
	search_begin(&(*out)->search, c);
	take_off(*out);
	return 0;
}

int pilot_curve(struct pilot **out, struct run *r, const struct curve_config *c, const char *engine,
		struct error *e)
{
	struct workload w = run_workload(r);
	int rc = curve_check(c, &w, e);

	if (rc == 0)
		rc = make(out, r, &w, engine, e);
	if (rc)
		return rc;
	(*out)->curving = true;
	curve_begin(&(*out)->curve, c);
	take_off(*out);
	return 0;
}

void pilot_free(struct pilot *p)
{
	free(p);
}

/* --- How far it is. --- */

static uint64_t left_ns(const struct pilot *p)
{
	uint64_t left = p->curving ? curve_left_ns(&p->curve) : search_left_ns(&p->search);
	uint64_t now = clock_ns(), since = now > p->since_ns ? now - p->since_ns : 0;

	/* Of the step that is under way. */
	if (p->state == PILOT_MEASURING)
		since += p->order.settle_ns;
	return left > since ? left - since : 0;
}

char *pilot_progress(char *out, size_t n, const struct pilot *p)
{
	char load[48], of_all[16] = "";

	if (pilot_over(p)) {
		snprintf(out, n, "%s", p->words);
		return out;
	}
	if (p->curving)
		snprintf(of_all, sizeof(of_all), " of %u", curve_total(&p->curve));
	snprintf(out, n, "%s, step %u%s: %s%s, about %llu s left", p->curving ? "curve" : "search",
		 pilot_log(p)->steps + 1, of_all,
		 load_describe(load, sizeof(load), load_of(p, p->order.value)),
		 p->state == PILOT_SETTLING ? " settling"
		 : p->order.confirms        ? " once more"
					    : "",
		 (unsigned long long)((left_ns(p) + NS_PER_SEC - 1) / NS_PER_SEC));
	return out;
}
