/* state_knobs.c - from a key to another workload: stepping, typing, undoing, and the permission
 * that the first write needs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "dialogs.h"
#include "run.h"
#include "state.h"
#include "target.h"

void state_remember(struct ui_state *s, const struct workload *w)
{
	if (s->undo_count == UNDO_DEPTH) {
		for (unsigned i = 1; i < UNDO_DEPTH; i++)
			s->undo[i - 1] = s->undo[i];
		s->undo_count--;
	}
	s->undo[s->undo_count++] = *w;
}

static int change(struct ui_state *s, const struct workload *w, struct error *e)
{
	struct workload before = run_workload(s->run);
	char text[MARK_TEXT];
	int rc = run_apply(s->run, w, e);

	if (rc == 0 && *workload_diff(text, sizeof(text), &before, w, true))
		state_remember(s, &before);
	return rc;
}

int state_try(struct ui_state *s, const struct workload *w, struct error *e)
{
	struct workload_limits l = target_limits(s->target);

	if (!workload_writes(w) || l.may_write)
		return change(s, w, e);
	/* Nobody is asked for permission to do what can't be done anyway. */
	int rc = workload_possible(w, &l, e);
	if (rc)
		return rc;
	s->pending = *w;
	s->has_pending = true;
	state_ask_write(s);
	return 0;
}

void state_apply(struct ui_state *s, const struct workload *w)
{
	struct error e = {""};

	if (state_try(s, w, &e))
		state_say(s, true, "%s", e.text);
}

/* The operator has the last word; what the search was trying is not where the knobs stand. */
static void take_over(struct ui_state *s)
{
	state_pilot_stop(s, "a knob was turned");
}

void state_step(struct ui_state *s, enum knob k, int dir, bool big)
{
	take_over(s);
	struct workload w = run_workload(s->run);
	struct workload_limits l = target_limits(s->target);
	struct error e = {""};

	if (setting_step(&w, (enum setting)k, dir, big, &l, &e))
		state_say(s, false, "%s", e.text);
	else
		state_apply(s, &w);
}

static int undo(struct ui_state *s, struct error *e)
{
	if (s->undo_count == 0)
		return state_bench_changed(s)
			       ? error_set(e, ENOENT,
					   "There is no knob change to undo; %s: bench knobs undo "
					   "theirs.",
					   action_key(ACT_BENCH))
			       : error_set(e, ENOENT, "There is no knob change to undo.");
	struct workload w = s->undo[s->undo_count - 1];
	struct workload now = run_workload(s->run);
	char text[MARK_TEXT];

	/* Undo turns knobs back, it doesn't start or stop the IO. */
	w.paused = now.paused;
	if (!*workload_diff(text, sizeof(text), &now, &w, true)) {
		s->undo_count--;
		return error_set(e, ENOENT,
				 "The search or curve has left the knobs as they were: nothing to "
				 "undo.");
	}
	int rc = run_apply(s->run, &w, e);
	if (rc == 0)
		s->undo_count--;
	return rc;
}

void state_undo(struct ui_state *s)
{
	struct error e = {""};

	/* To end a search is to undo what it was trying. */
	if (s->pilot || state_series_goes_on(s)) {
		take_over(s);
		return;
	}
	int rc = undo(s, &e);

	if (rc)
		state_say(s, rc != -ENOENT, "%s", e.text);
}

static void typed(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	if (r != DIALOG_DONE)
		return;
	struct workload w = entry_workload(state);
	/* The IO may have been stopped or started by itself meanwhile. */
	w.paused = run_workload(s->run).paused;
	state_apply(s, &w);
}

void state_type(struct ui_state *s, enum knob k)
{
	take_over(s);
	struct workload now = run_workload(s->run);
	struct workload_limits l = target_limits(s->target);
	struct error e = {""};

	if (setting_check_way(&now, (enum setting)k, &e)) {
		state_say(s, false, "%s", e.text);
		return;
	}
	struct dialog d = dialog_entry(k, &now, &l);
	d.closed = typed;
	d.user = s;
	dialog_push(&s->dialogs, d);
}

/* --- The dialog of all settings asks for these. --- */

static struct workload desk_now(void *ctx)
{
	struct ui_state *s = ctx;

	return run_workload(s->run);
}

static struct workload_limits desk_limits(void *ctx)
{
	struct ui_state *s = ctx;

	return target_limits(s->target);
}

static int desk_apply(void *ctx, const struct workload *w, struct error *e)
{
	return state_try(ctx, w, e);
}

static int desk_undo(void *ctx, struct error *e)
{
	return undo(ctx, e);
}

void state_settings(struct ui_state *s)
{
	take_over(s);
	const struct workload_desk desk = {desk_now, desk_limits, desk_apply, desk_undo, s};

	if (!dialog_push(&s->dialogs,
			 dialog_workload(&desk, (enum setting)s->gather.view.focus.knob)))
		state_say(s, true, "No memory for the list of settings.");
}

/* --- Permission to write --- */

/* What the host is asked to do on the other thread, and its answer. */
struct allowing {
	const struct ui_host *host;
	struct guard_report report;
	char words[sizeof(((struct field *)0)->text)];
	int rc;
	struct error error;
};

static void allow_write(void *data)
{
	struct allowing *a = data;

	a->rc = a->host->allow_write(a->host->ctx, &a->report, a->words, &a->error);
}

static void allowed(struct ui_state *s, void *data)
{
	const struct allowing *a = data;
	struct error e = {""};
	bool pending = s->has_pending;

	s->has_pending = false;
	if (a->rc) {
		state_say(s, true, "%s", a->error.text);
		return;
	}
	s->copy = *s->source;
	state_say(s, false, "Writing to %s is allowed for this run.", s->target->name);
	if (!pending)
		return;
	s->pending.paused = run_workload(s->run).paused;
	if (change(s, &s->pending, &e))
		state_say(s, true, "%s", e.text);
}

static void allow(struct ui_state *s, const struct guard_report *r, const char *words)
{
	/* The engine starts anew: that is no step of a search. */
	state_pilot_stop(s, "writing is being allowed");
	state_ab_stop(s);
	struct allowing *a = calloc(1, sizeof(*a));
	struct state_job j = {
		.title = "Permission to write",
		.words = "Waiting for what is in flight, then writing may begin",
		.bound = "IOs in flight get 2 s at most",
		.work = allow_write,
		.free_data = free,
		.data = a,
		.done = allowed,
	};

	if (a) {
		a->host = s->host;
		a->report = *r;
		snprintf(a->words, sizeof(a->words), "%s", words ? words : "");
		if (state_job_start(s, &j))
			return;
	}
	s->has_pending = false;
	state_say(s, true, "No memory or thread to open it for writing.");
}

static void consented(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	if (r == DIALOG_DONE) {
		allow(s, consent_report(state), consent_typed(state));
		return;
	}
	s->has_pending = false;
	state_say(s, false, "%s is read only, as before.", s->target->name);
}

/* What consent is asked for. On a block device or LUN that is the range which the operator has set by now, if
 * there is one: where it goes to the end, no more of it than the default, and never the last MiB, unless
 * the whole was asked for. */
static struct guard_window wanted_window(const struct ui_state *s)
{
	struct workload w = s->has_pending ? s->pending : run_workload(s->run);
	struct guard_window window = {.whole = s->window.whole};
	uint64_t rest = s->target->size - w.range_start;

	if (s->target->kind == TARGET_FILE)
		return s->window;
	if (w.range_start == 0 && w.range_length == 0)
		return window;
	window.given = true;
	window.start = w.range_start;
	window.length = w.range_length ? w.range_length : rest;
	if (w.range_length == 0 && !window.whole) {
		window.length = rest > GUARD_EDGE ? rest - GUARD_EDGE : rest;
		if (window.length > GUARD_WINDOW_DEFAULT)
			window.length = GUARD_WINDOW_DEFAULT;
	}
	window.length -= window.length % s->target->logical_block;
	return window;
}

static void show_consent(struct ui_state *s, struct dialog d)
{
	d.closed = consented;
	d.user = s;
	if (dialog_push(&s->dialogs, d))
		return;
	s->has_pending = false;
	state_say(s, true, "No memory for the dialog that asks for permission.");
}

/* A LUN is looked at over the run's own target, which stays open while the job waits. */
struct lun_look {
	struct create_progress progress; /* for Esc: nothing is created */
	struct guard_lun lun;
	struct guard_window window;
	struct guard_report report;
	int rc;
	struct error error;
};

static void look_at_lun(void *data)
{
	struct lun_look *l = data;

	l->rc = guard_inspect_lun(&l->lun, &guard_host, &l->window, &l->report, &l->error);
}

static void lun_looked_at(struct ui_state *s, void *data)
{
	const struct lun_look *l = data;

	if (l->rc == 0) {
		show_consent(s, dialog_consent_report(&l->report));
		return;
	}
	s->has_pending = false;
	state_say(s, true, "%s", l->error.text);
}

static void look_cancelled(struct ui_state *s)
{
	s->has_pending = false;
	state_say(s, false, "%s is read only, as before.", s->target->name);
}

static void ask_for_lun(struct ui_state *s, const struct guard_window *window)
{
	struct lun_look *l = calloc(1, sizeof(*l));
	struct state_job j = {
		.title = "Permission to write",
		.words = "Looking at the LUN",
		.bound = "the target has 5 s for each answer",
		.on_target = true,
		.cancelled = look_cancelled,
		.work = look_at_lun,
		.free_data = free,
		.data = l,
		.done = lun_looked_at,
	};

	if (l && state_job_left(s)) {
		free(l);
		s->has_pending = false;
		state_say(s, true, "The look before still waits for the target's answer.");
		return;
	}
	if (l) {
		l->lun = target_lun(s->target);
		l->window = *window;
		j.progress = &l->progress;
		if (state_job_start(s, &j))
			return;
	}
	s->has_pending = false;
	state_say(s, true, "No memory or thread to look at the LUN.");
}

void state_ask_write(struct ui_state *s)
{
	if (target_limits(s->target).may_write) {
		state_say(s, false, "Writing to %s is allowed already.", s->target->name);
		return;
	}
	struct guard_window window = wanted_window(s);
	if (s->target->kind == TARGET_LUN)
		ask_for_lun(s, &window);
	else
		show_consent(s, dialog_consent(s->target->spec, &window));
}
