/* state_series.c - Iometer's tests on the live screen: who begins and ends them, and what is said of it. The steps
 * are the series' (src/iometer/series.h). As with a search, the operator's hand on a knob ends them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "iometer/ready.h"
#include "iometer/series.h"
#include "run.h"
#include "state.h"
#include "target.h"

/* A series, with what it is made from. */
struct stage {
	struct iometer_setup setup;
	struct iometer_plan plan;
	struct series_target target;
	struct series *series;
	struct workload before; /* the knobs go back there */
	bool told;              /* that it is over */
};

static void free_stage(struct stage *g)
{
	if (!g)
		return;
	series_free(g->series);
	iometer_plan_free(&g->plan);
	iometer_setup_free(&g->setup);
	free(g);
}

static void show(struct ui_state *s)
{
	s->gather.view.series = s->stage ? s->stage->series : NULL;
}

static bool goes_on(const struct ui_state *s)
{
	return s->stage && !series_over(s->stage->series);
}

bool state_series_goes_on(const struct ui_state *s)
{
	return goes_on(s);
}

/* The knobs go back to where they were, unless the run is at its end. */
static void finished(struct ui_state *s, const char *why)
{
	struct stage *g = s->stage;
	const struct series_done *done;
	size_t n = series_results(g->series, &done);
	struct error e;

	g->told = true;
	if (s->run && run_apply(s->run, &g->before, &e)) {
		run_pause(s->run, true, NULL);
		state_say(s, true, "IO is stopped, as the knobs could not go back: %s", e.text);
		return;
	}
	if (series_state(g->series) == SERIES_DONE)
		state_say(s, false, "Iometer's tests are done: %s shows them.",
			  action_key(ACT_SERIES));
	else
		state_say(s, false, "Iometer's tests stopped (%s): %zu of %zu done.", why, n,
			  g->plan.tests);
}

void state_series_tick(struct ui_state *s)
{
	struct error e = {""};

	if (!s->stage || s->stage->told)
		return;
	if (series_tick(s->stage->series, &e)) {
		finished(s, "an error");
		state_say(s, true, "%s", e.text);
	} else if (series_over(s->stage->series)) {
		finished(s, "the run ended");
	}
}

void state_series_stop(struct ui_state *s, const char *why)
{
	if (!goes_on(s))
		return;
	series_stop(s->stage->series);
	finished(s, why);
}

void state_series_forget(struct ui_state *s)
{
	free_stage(s->stage);
	s->stage = NULL;
	show(s);
}

/* --- The dialog asks for these. --- */

static void set_steps(struct iometer_setup *t, const struct series_plan_wish *w)
{
	struct iometer_step step = {
		.start = 1, .step = w->exponential ? 2 : 1, .exponential = w->exponential};

	t->test = w->test;
	t->worker_step = step;
	step.end = w->outstanding;
	t->depth_step = step;
	t->run_s = w->run_s;
	t->ramp_s = w->ramp_s;
}

static int prepare(struct stage *g, const struct ui_state *s, const struct series_plan_wish *w,
		   struct series_config *c, struct error *e)
{
	struct workload writing;
	char *spec = (char *)s->target->spec;
	int rc = iometer_ready(&g->setup, w->name, e);

	if (rc == 0)
		rc = iometer_man(&g->setup, w->name, w->workers, &spec, 1, e);
	if (rc)
		return rc;
	set_steps(&g->setup, w);
	iometer_set_outstanding(&g->setup, w->outstanding);
	rc = iometer_plan_make(&g->plan, &g->setup, e);
	if (rc)
		return rc;
	g->target = (struct series_target){.name = g->plan.test[0].part[0].target->name,
					   .target = s->target};
	*c = (struct series_config){
		.setup = &g->setup, .plan = &g->plan, .target = &g->target, .targets = 1};
	rc = series_check(c, false, e);
	if (rc)
		return rc;
	if (series_writes(c, s->target, &writing) && !target_limits(s->target).may_write)
		return error_set(
			e, EPERM,
			"these tests write, and writing here is not allowed yet: Esc, then %s asks "
			"for it",
			action_key(ACT_WRITES));
	return 0;
}

static int desk_start(void *ctx, const struct series_plan_wish *w, const struct series_wish *wish,
		      struct error *e)
{
	struct ui_state *s = ctx;
	struct series_config c;

	if (state_ab_goes_on(s))
		return error_set(e, EBUSY, "A against B is under way: %s stops it",
				 action_key(ACT_AB));
	struct stage *g = calloc(1, sizeof(*g));
	if (!g)
		return error_set(e, ENOMEM, "no memory for the tests");
	int rc = prepare(g, s, w, &c, e);
	if (rc == 0) {
		state_pilot_stop(s, "Iometer's tests begin");
		g->before = run_workload(s->run);
		rc = series_create(&g->series, s->run, &c, e);
	}
	if (rc) {
		free_stage(g);
		return rc;
	}
	s->series_wish = *wish;
	free_stage(s->stage);
	s->stage = g;
	show(s);
	return 0;
}

static void desk_stop(void *ctx)
{
	state_series_stop(ctx, "by hand");
}

static void desk_next(void *ctx)
{
	struct ui_state *s = ctx;

	if (goes_on(s))
		series_next(s->stage->series);
}

static bool desk_running(void *ctx)
{
	return goes_on(ctx);
}

static bool desk_any(void *ctx)
{
	const struct ui_state *s = ctx;

	return s->stage != NULL;
}

/* The dialog of tests lies below the one of a specification. */
static void edited(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	if (r == DIALOG_DONE && s->dialogs.depth > 0)
		series_reload(s->dialogs.d[s->dialogs.depth - 1].state, spec_answer(state));
}

static void desk_edit(void *ctx, const struct iometer_spec *spec)
{
	struct ui_state *s = ctx;
	struct dialog d = dialog_spec(spec);

	d.closed = edited;
	d.user = s;
	if (!dialog_push(&s->dialogs, d))
		state_say(s, true, "No memory for the specification.");
}

void state_series(struct ui_state *s)
{
	const struct series_desk desk = {
		.start = desk_start,
		.stop = desk_stop,
		.next = desk_next,
		.running = desk_running,
		.any = desk_any,
		.edit = desk_edit,
		.most_outstanding = target_most_outstanding(s->target),
		.ctx = s,
	};
	struct workload w = run_workload(s->run);

	if (!s->series_wish.name[0])
		s->series_wish = (struct series_wish){.name = "md3000i",
						      .workers = w.workers,
						      .outstanding = w.outstanding,
						      .run_s = 30,
						      .ramp_s = 5};
	if (!dialog_push(&s->dialogs, dialog_series(&s->series_wish, &desk)))
		state_say(s, true, "No memory for Iometer's tests.");
}
