/* state_load.c - goal search and load-latency curve on the live screen: who begins and ends them, and
 * what is said of it. The steps are the pilot's (src/pilot.h).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "dialogs.h"
#include "run.h"
#include "state.h"
#include "target.h"

static void show(struct ui_state *s)
{
	s->gather.view.pilot = s->pilot;
	s->gather.view.curve = s->pilot && s->pilot->curving ? s->pilot : s->curve;
}

/* What became of it is said; undo brings back what was before. */
static void finished(struct ui_state *s)
{
	struct pilot *p = s->pilot;
	bool bad = p->state == PILOT_CANCELLED ? p->snap.ended
		   : !p->curving               ? p->search.result >= SEARCH_NOTHING
					       : false;

	/* Where it has led back to where it began, undo has nothing to do, and does not go further back. */
	if (p->state == PILOT_DONE)
		state_remember(s, &p->before);
	if (p->state == PILOT_DONE && p->curving)
		state_say(s, bad, "The load-latency curve is there: %s shows it.",
			  action_key(ACT_CURVE));
	else
		state_say(s, bad, "%c%s", p->words[0] - 'a' + 'A', p->words + 1);
	s->pilot = NULL;
	if (p->curving) {
		pilot_free(s->curve);
		s->curve = p;
	} else {
		pilot_free(p);
	}
	show(s);
}

void state_pilot_tick(struct ui_state *s)
{
	if (s->pilot && pilot_tick(s->pilot))
		finished(s);
	state_series_tick(s);
}

void state_pilot_stop(struct ui_state *s, const char *why)
{
	state_series_stop(s, why);
	if (!s->pilot)
		return;
	pilot_cancel(s->pilot, why);
	finished(s);
}

void state_pilot_forget(struct ui_state *s)
{
	pilot_free(s->pilot);
	pilot_free(s->curve);
	s->pilot = s->curve = NULL;
	show(s);
	state_series_forget(s);
}

/* --- The search. --- */

static void answered(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;
	struct workload w = run_workload(s->run);
	struct search_config c = {.start = w.outstanding};
	struct error e = {""};

	if (r != DIALOG_DONE)
		return;
	s->wish = find_answer(state);
	state_series_stop(s, "a search begins");
	w = run_workload(s->run);
	c.start = w.outstanding;
	search_defaults(&c);
	c.goal = s->wish.goal;
	c.by = s->wish.by;
	c.to = c.by == KNOB_RATE ? 0 : target_most_outstanding(s->target);
	if (pilot_search(&s->pilot, s->run, &c, s->target->backend->name, &e))
		state_say(s, true, "%s", e.text);
	show(s);
}

void state_find(struct ui_state *s)
{
	struct workload w = run_workload(s->run);

	if (s->pilot) {
		state_pilot_stop(s, "by hand");
		return;
	}
	if (state_ab_goes_on(s)) {
		state_say(s, true, "A against B is under way: %s stops it.", action_key(ACT_AB));
		return;
	}
	if (!s->wish.text[0])
		s->wish = (struct find_wish){.text = "p99 < 5 ms", .by = KNOB_OUTSTANDING};
	/* What is left from another workload may not be there any more. */
	if (!workload_reads(&w) && s->wish.goal.of == SUM_READ)
		s->wish.goal.of = SUM_WRITE;
	if (!workload_writes(&w) && s->wish.goal.of == SUM_WRITE)
		s->wish.goal.of = SUM_READ;
	struct dialog d = dialog_find(&s->wish, &w);
	d.closed = answered;
	d.user = s;
	dialog_push(&s->dialogs, d);
}

/* --- The curve. --- */

static struct curve_config desk_config(void *ctx, enum knob by)
{
	const struct ui_state *s = ctx;
	struct curve_config c = {.of = SUM_TOTAL, .most = target_most_outstanding(s->target)};

	curve_defaults(&c, by);
	return c;
}

static int desk_start(void *ctx, enum knob by, struct error *e)
{
	struct ui_state *s = ctx;
	const struct curve_config c = desk_config(ctx, by);

	if (state_ab_goes_on(s))
		return error_set(e, EBUSY, "A against B is under way: %s stops it",
				 action_key(ACT_AB));
	state_pilot_stop(s, "a curve begins");
	int rc = pilot_curve(&s->pilot, s->run, &c, s->target->backend->name, e);
	show(s);
	return rc;
}

static void desk_stop(void *ctx)
{
	state_pilot_stop(ctx, "by hand");
}

static bool desk_running(void *ctx)
{
	const struct ui_state *s = ctx;

	return s->pilot && s->pilot->curving;
}

void state_curve(struct ui_state *s)
{
	const struct curve_desk desk = {desk_config, desk_start, desk_stop, desk_running, s};

	if (!dialog_push(&s->dialogs, dialog_curve(&desk)))
		state_say(s, true, "No memory for the curve.");
}
