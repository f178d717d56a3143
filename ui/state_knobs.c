/* state_knobs.c - from a key to another workload: stepping, typing, undoing, and the permission
 * that the first write needs.
 */
#include <stdio.h>
#include "dialogs.h"
#include "run.h"
#include "state.h"
#include "target.h"

static void remember(struct ui_state *s, const struct workload *w)
{
	if (s->undo_count == UNDO_DEPTH) {
		for (unsigned i = 1; i < UNDO_DEPTH; i++)
			s->undo[i - 1] = s->undo[i];
		s->undo_count--;
	}
	s->undo[s->undo_count++] = *w;
}

static bool change(struct ui_state *s, const struct workload *w)
{
	struct error e = {""};

	if (run_apply(s->run, w, &e) == 0)
		return true;
	state_say(s, true, "%s", e.text);
	return false;
}

void state_apply(struct ui_state *s, const struct workload *w)
{
	struct workload before = run_workload(s->run);

	if (w->read_pct < 100 && !target_limits(s->target).may_write) {
		s->pending = *w;
		s->has_pending = true;
		state_ask_write(s);
		return;
	}
	if (change(s, w))
		remember(s, &before);
}

void state_step(struct ui_state *s, enum knob k, int dir, bool big)
{
	struct workload before = run_workload(s->run);
	struct workload w = knob_step(before, k, dir, big, s->target->logical_block);
	char was[32], now[32];

	knob_format(was, sizeof(was), &before, k);
	knob_format(now, sizeof(now), &w, k);
	if (w.workers == before.workers && w.outstanding == before.outstanding &&
	    w.block_size == before.block_size && w.read_pct == before.read_pct &&
	    w.random_pct == before.random_pct && w.rate_iops == before.rate_iops) {
		state_say(s, false, "%s: %s is the %s there is", knobs[k].name, was,
			  dir > 0 ? "most" : "least");
		return;
	}
	state_apply(s, &w);
}

void state_undo(struct ui_state *s)
{
	if (s->undo_count == 0) {
		state_say(s, false, "There is no knob change to undo.");
		return;
	}
	struct workload w = s->undo[s->undo_count - 1];
	/* Undo turns knobs back, it doesn't start or stop the IO. */
	w.paused = run_workload(s->run).paused;
	if (change(s, &w))
		s->undo_count--;
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
	struct workload now = run_workload(s->run);
	struct workload_limits l = target_limits(s->target);
	struct dialog d = dialog_entry(k, &now, &l);

	d.closed = typed;
	d.user = s;
	dialog_push(&s->dialogs, d);
}

/* --- Permission to write --- */

static void allow(struct ui_state *s, const struct guard_report *r, const char *words)
{
	struct error e = {""};
	bool pending = s->has_pending;

	s->has_pending = false;
	if (s->host->allow_write(s->host->ctx, r, words, &e)) {
		state_say(s, true, "%s", e.text);
		return;
	}
	state_say(s, false, "Writing to %s is allowed for this run.", s->target->name);
	if (!pending)
		return;
	struct workload before = run_workload(s->run);
	s->pending.paused = before.paused;
	if (change(s, &s->pending))
		remember(s, &before);
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

/* A file that lunscope made is its own to write, unless something else has taken hold of it. */
static bool allow_scratch(struct ui_state *s)
{
	struct guard_report r;
	struct error e;

	if (!s->target->created ||
	    guard_inspect(s->target->spec, &guard_host, &s->window, true, &r, &e) || !r.scratch ||
	    guard_worst(&r) == GUARD_REFUSE)
		return false;
	allow(s, &r, NULL);
	return true;
}

void state_ask_write(struct ui_state *s)
{
	if (target_limits(s->target).may_write) {
		state_say(s, false, "Writing to %s is allowed already.", s->target->name);
		return;
	}
	if (allow_scratch(s))
		return;
	struct dialog d = dialog_consent(s->target->spec, &s->window, s->target->created);
	d.closed = consented;
	d.user = s;
	if (!dialog_push(&s->dialogs, d)) {
		s->has_pending = false;
		state_say(s, true, "No memory for the dialog that asks for permission.");
	}
}
