/* state_focus.c - which knob or pane the keys are for, which has all the room, and what that leaves to the others.
 */
#include "dialogs.h"
#include "pane_util.h"
#include "state.h"
#include "verdict.h"

static bool shown(const struct ui_state *s, int pane)
{
	return s->layout.pane[pane].rows > 0;
}

/* The visible panes in reading order; returns how many. */
static int ring(const struct ui_state *s, enum pane_id out[PANE_COUNT])
{
	int n = 0;

	for (int i = 0; i < PANE_COUNT; i++)
		if (shown(s, s->setup.plan.order[i]))
			out[n++] = s->setup.plan.order[i];
	return n;
}

static bool is_hidden(const struct ui_state *s, int pane)
{
	return s->setup.plan.hidden & 1u << pane;
}

static unsigned paths(const struct ui_state *s)
{
	return s->gather.view.snap.sessions.paths;
}

static unsigned nics(const struct ui_state *s)
{
	return s->gather.view.snap.net.nics;
}

/* A pane of which there is nothing is passed over. */
static bool exists(const struct ui_state *s, int pane)
{
	if (pane == PANE_NICS)
		return nics(s);
	/* Those that don't use them are spared them. */
	if (pane == PANE_METERS)
		return !is_hidden(s, pane) || s->zoom == PANE_METERS;
	return pane != PANE_SESSIONS || paths(s);
}

static void relayout(struct ui_state *s)
{
	struct focus *f = &s->gather.view.focus;

	if (s->zoom != PANE_COUNT && !exists(s, s->zoom))
		s->zoom = PANE_COUNT;
	s->layout = layout_planned(s->rows, s->cols, s->zoom, &s->setup.plan, paths(s), nics(s),
				   verdict_wanted(&s->gather.view));
	if (f->on_pane && !shown(s, f->pane))
		f->on_pane = false;
	/* Once is enough. */
	if (s->gather.view.latency == LATENCY_HEAT && shown(s, PANE_HEAT) && shown(s, PANE_LATENCY))
		s->gather.view.latency = LATENCY_TOTAL;
}

/* The heat map only where it has no pane of its own. */
void state_next_latency(struct ui_state *s)
{
	struct view *v = &s->gather.view;

	v->latency = (enum latency_view)((v->latency + 1) % LATENCY_VIEWS);
	if (v->latency == LATENCY_HEAT && shown(s, PANE_HEAT))
		v->latency = LATENCY_TOTAL;
}

void state_resize(struct ui_state *s, int rows, int cols)
{
	s->rows = rows;
	s->cols = cols;
	relayout(s);
}

void state_zoom(struct ui_state *s, enum pane_id pane)
{
	struct focus *f = &s->gather.view.focus;

	s->zoom = pane;
	relayout(s);
	if (pane < PANE_COUNT && shown(s, pane)) {
		f->on_pane = true;
		f->pane = pane;
	}
}

/* Tab: the knob bar is item 0 of the ring, the panes follow. Where one pane has all the room, the next
 * takes it over. */
void state_focus_ring(struct ui_state *s, int dir)
{
	struct focus *f = &s->gather.view.focus;
	enum pane_id pane[PANE_COUNT];
	int n = ring(s, pane), at = 0;

	if (s->zoom != PANE_COUNT) {
		int next = s->zoom;
		do
			next = (next + dir + PANE_COUNT) % PANE_COUNT;
		while (!exists(s, next));
		state_zoom(s, (enum pane_id)next);
		return;
	}
	for (int i = 0; f->on_pane && i < n; i++)
		if (pane[i] == f->pane)
			at = i + 1;
	at = (at + dir + n + 1) % (n + 1);
	f->on_pane = at > 0;
	if (at > 0)
		f->pane = pane[at - 1];
}

/* Left and right stay on the bar, or among the panes. */
void state_focus_beside(struct ui_state *s, int dir)
{
	struct focus *f = &s->gather.view.focus;

	if (!f->on_pane) {
		f->knob = (enum knob)(((int)f->knob + dir + KNOB_COUNT) % KNOB_COUNT);
		return;
	}
	state_focus_ring(s, dir);
	if (!f->on_pane)
		state_focus_ring(s, dir);
}

void state_focus_pane(struct ui_state *s, int pane)
{
	struct focus *f = &s->gather.view.focus;

	if (pane >= PANE_COUNT)
		return;
	if (!exists(s, pane)) {
		state_say(
			s, false,
			pane == PANE_NICS
				? "No NIC is watched: those of a LUN's paths are, and --watch NIC."
				: "This target has no sessions: those of a LUN do (iscsi://).");
		return;
	}
	/* The NICs and the heat map come last where room is short, but all is known of them; and a pane
	 * that the setup hides is still there to be asked for. */
	if (s->zoom != PANE_COUNT || is_hidden(s, pane) ||
	    ((pane == PANE_NICS || pane == PANE_HEAT) && !shown(s, pane)))
		state_zoom(s, (enum pane_id)pane);
	if (!shown(s, pane)) {
		state_say(s, false, "There is no room for %s on a screen of this size.",
			  panes[pane].title);
		return;
	}
	f->on_pane = true;
	f->pane = (enum pane_id)pane;
}

void state_toggle_zoom(struct ui_state *s)
{
	struct focus *f = &s->gather.view.focus;

	if (s->zoom != PANE_COUNT) {
		state_zoom(s, PANE_COUNT);
		return;
	}
	state_zoom(s, f->pane);
}

/* Whatever the setup says: they have no digit. */
void state_toggle_meters(struct ui_state *s)
{
	bool there = s->zoom == PANE_METERS;

	state_zoom(s, there ? PANE_COUNT : PANE_METERS);
	if (!there && !shown(s, PANE_METERS))
		state_say(s, false, "There is no room for %s on a screen of this size.",
			  panes[PANE_METERS].title);
}
