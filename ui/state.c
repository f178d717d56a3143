/* state.c - keys and what they do on the main screen: freeze, window, dialogs. Where the focus goes is in
 * state_focus.c, what they do to the workload in state_knobs.c.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "dialogs.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"
#include "run.h"
#include "state.h"
#include "target.h"

#define SAY_NS     (3 * NS_PER_SEC)
#define SAY_BAD_NS (6 * NS_PER_SEC) /* it takes longer to read, and a key ends it anyway */

void state_say(struct ui_state *s, bool bad, const char *fmt, ...)
{
	struct view *v = &s->gather.view;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(v->message, sizeof(v->message), fmt, ap);
	va_end(ap);
	v->message_bad = bad;
	s->message_until_ns = clock_ns() + (bad ? SAY_BAD_NS : SAY_NS);
	s->said++;
}

/* --- Beginning and end --- */

int state_init(struct ui_state *s, const struct ui_config *c, struct error *e)
{
	struct view *v = &s->gather.view;

	memset(s, 0, sizeof(*s));
	s->host = c->host;
	s->baseline = c->baseline;
	v->baseline = c->baseline;
	s->store = c->store;
	if (c->trigger) {
		snprintf(s->triggering.wish.text, sizeof(s->triggering.wish.text), "%.63s",
			 c->trigger_text);
		state_trigger_arm(s, c->trigger);
	}
	s->wanted = c->workload;
	s->window = c->window;
	s->zoom = PANE_COUNT;
	s->span = WINDOW_DEFAULT;
	s->theme = theme_builtin;
	s->conf_notice = c->notice;
	s->setup = state_setup_of(c);
	action_bind(&s->setup.keys);
	if (c->theme) {
		int rc = theme_load(&s->theme, c->theme, e);
		if (rc)
			return rc;
	}
	v->focus = (struct focus){.knob = KNOB_OUTSTANDING};
	v->meter_setup = &s->setup.meters;
	v->unit = c->unit;
	v->level = c->level < GL_COUNT ? c->level : GL_ASCII;
	v->g = &glyph_table[v->level];
	v->chart_span_ns = window_seconds[s->span] * NS_PER_SEC;
	v->version = c->version;
	if (gethostname(v->host, sizeof(v->host)))
		v->host[0] = '\0';
	v->host[sizeof(v->host) - 1] = '\0';
	state_resize(s, 24, 80);
	if (c->run)
		state_take_run(s, c->run, c->target);
	else
		state_pick(s);
	if (s->conf_notice)
		state_say(s, true, "%s", s->conf_notice);
	return 0;
}

void state_free(struct ui_state *s)
{
	dialog_clear(&s->dialogs);
	state_job_end(s);
	/* The knobs are left where the operator had them: the command line that is printed says so. */
	state_ab_end(s);
	state_compare_forget(s);
	state_pilot_stop(s, "the end");
	state_pilot_forget(s);
	state_baseline_free(s);
	gather_free(&s->gather);
	state_bench_free(s);
}

void state_update(struct ui_state *s, uint64_t now_ns)
{
	struct view *v = &s->gather.view;

	state_job_look(s);
	state_pilot_tick(s);
	state_ab_tick(s);
	if (s->run)
		gather_update(&s->gather, s->run, v->frozen);
	state_compare_tick(s, now_ns);
	state_trigger_tick(s, clock_ns());
	state_cursor_tick(s);
	state_bench_tick(s);
	if (v->snap.ended && !s->told_end) {
		s->told_end = true;
		state_say(s, true, "%s", v->snap.end_reason);
	}
	if (v->message[0] && now_ns >= s->message_until_ns)
		v->message[0] = '\0';
}

/* --- Actions --- */

static void noted(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	if (r == DIALOG_DONE && note_text(state)[0])
		run_note(s->run, s->noting, note_text(state));
}

/* The mark is set when the key is pressed; its words can follow while time goes on. */
static void open_note(struct ui_state *s)
{
	char letter;

	s->noting = run_mark(s->run, &letter);
	if (!s->noting)
		return;
	state_say(s, false, "Mark %c is set.", letter);
	struct dialog d = dialog_note(letter);

	d.closed = noted;
	d.user = s;
	dialog_push(&s->dialogs, d);
}

static void quit_answered(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	s->quitting = false;
	if (r != DIALOG_DONE)
		return;
	s->discard = quit_discards(state);
	s->leave = !quit_restores(state);
	s->quit = true;
}

static void ask_quit(struct ui_state *s)
{
	struct snapshot now;
	char changes[512];

	if (!s->run) {
		s->quit = true;
		return;
	}
	run_snapshot(s->run, &now);
	struct dialog d = dialog_quit(now.run_id != 0, state_changes(s, changes, sizeof(changes)));
	d.closed = quit_answered;
	d.user = s;
	s->quitting = dialog_push(&s->dialogs, d);
	/* Without room for the question the answer is the safe one: keep and go. */
	if (!s->quitting)
		s->quit = true;
}

static void stop_or_start(struct ui_state *s)
{
	struct error e = {""};
	state_pilot_stop(s, "the IO was stopped");
	state_ab_stop(s);
	bool pause = !run_workload(s->run).paused;

	if (run_pause(s->run, pause, &e))
		state_say(s, true, "%s", e.text);
	else if (pause)
		state_say(s, false, "The IO has stopped; %s starts it again.",
			  action_key(ACT_STOP));
	else
		state_say(s, false, "IO goes on.");
}

static void change_window(struct ui_state *s, int dir)
{
	if ((dir < 0 && s->span == 0) || (dir > 0 && s->span == WINDOW_COUNT - 1)) {
		state_say(s, false, "This is the %s time window.",
			  dir < 0 ? "shortest" : "longest");
		return;
	}
	s->span += (unsigned)dir;
	gather_window(&s->gather, s->run, window_seconds[s->span] * NS_PER_SEC);
	state_cursor_zoomed(s);
	state_cursor_show(s);
}

static void lock_scale(struct ui_state *s)
{
	struct view *v = &s->gather.view;

	v->locked = !v->locked;
	if (v->locked)
		state_say(s, false, "The charts' scales stay as they are; %s lets them go.",
			  action_key(ACT_LOCK));
	else
		state_say(s, false, "The charts' scales follow the figures.");
}

/* A word in quotes that is broken could not be copied; an option keeps its value beside it. */
static void tie_words(char *line)
{
	bool quoted = false, option = false;

	for (char *c = line; *c; c++) {
		quoted ^= *c == '\'';
		if (*c != ' ')
			continue;
		if (quoted || (option && strncmp(c + 1, "--", 2) != 0))
			*c = PROSE_TIE;
		option = !quoted && strncmp(c + 1, "--", 2) == 0;
	}
}

static void show_command(struct ui_state *s)
{
	char line[4096];

	s->host->command(s->host->ctx, line, sizeof(line));
	tie_words(line);
	dialog_push(&s->dialogs,
		    dialog_text("This command line repeats the run", line, ABOUT_COMMAND));
}

static void freeze(struct ui_state *s)
{
	struct view *v = &s->gather.view;

	v->frozen = !v->frozen;
	state_say(s, false, v->frozen ? "The display is frozen; the IO goes on." : "Live again.");
}

static void reset(struct ui_state *s)
{
	run_reset(s->run, "reset by hand");
	/* Where they stood nothing is counted any more. */
	state_cursor_drop(s);
	state_say(s, false, "The statistics start anew from here; the record is kept whole.");
}

/* What works without a run. */
static bool act_anywhere(struct ui_state *s, enum action a)
{
	switch (a) {
	case ACT_HELP: dialog_push(&s->dialogs, dialog_help()); return true;
	case ACT_SETUP: state_setup(s); return true;
	case ACT_TARGET: state_pick(s); return true;
	case ACT_QUIT: ask_quit(s); return true;
	case ACT_GLYPHS: state_next_glyphs(s); return true;
	case ACT_THEME: state_next_theme(s); return true;
	default: return !s->run;
	}
}

static void act(struct ui_state *s, enum action a)
{
	struct view *v = &s->gather.view;

	if (act_anywhere(s, a))
		return;
	switch (a) {
	case ACT_MARK: open_note(s); break;
	case ACT_FREEZE: freeze(s); break;
	case ACT_RESET: reset(s); break;
	case ACT_ZOOM: state_toggle_zoom(s); break;
	case ACT_LESS: state_step(s, v->focus.knob, -1, false); break;
	case ACT_MORE: state_step(s, v->focus.knob, 1, false); break;
	case ACT_STOP: stop_or_start(s); break;
	case ACT_FIND: state_find(s); break;
	case ACT_CURVE: state_curve(s); break;
	case ACT_SERIES: state_series(s); break;
	case ACT_COMPARE: state_compare(s); break;
	case ACT_AB: state_ab(s); break;
	case ACT_WORKLOAD: state_settings(s); break;
	case ACT_PATHS: state_paths(s); break;
	case ACT_BENCH: state_bench(s); break;
	case ACT_UNDO: state_undo(s); break;
	case ACT_UNITS:
		v->unit = v->unit == RATE_MIB ? RATE_MB : RATE_MIB;
		s->setup.unit = v->unit;
		break;
	case ACT_WINDOW_SHORTER: change_window(s, -1); break;
	case ACT_WINDOW_LONGER: change_window(s, 1); break;
	case ACT_LATENCY: state_next_latency(s); break;
	case ACT_METERS: state_toggle_meters(s); break;
	case ACT_CURSOR: state_cursor_next(s); break;
	case ACT_SWEEP: v->sweep = !v->sweep; break;
	case ACT_LOCK: lock_scale(s); break;
	case ACT_TRIGGER: state_trigger(s); break;
	case ACT_BASELINE: state_baseline(s); break;
	case ACT_HISTORY: state_history(s); break;
	case ACT_WRITES: state_ask_write(s); break;
	case ACT_COMMAND: show_command(s); break;
	default: break;
	}
}

/* --- Keys --- */

static void scroll_events(struct ui_state *s, int key)
{
	struct view *v = &s->gather.view;
	struct rect pane = s->layout.pane[PANE_EVENTS];
	int page = pane.rows - 2, most = pane_events_most(v, pane);

	/* It may have been a smaller pane that it was scrolled in. */
	if (v->scroll > most)
		v->scroll = most;

	switch (key) {
	case K_UP: v->scroll++; break;
	case K_DOWN: v->scroll--; break;
	case K_PGUP: v->scroll += page > 1 ? page : 1; break;
	case K_PGDN: v->scroll -= page > 1 ? page : 1; break;
	case K_HOME: v->scroll = most; break;
	case K_END: v->scroll = 0; break;
	}
	v->scroll = v->scroll < 0 ? 0 : v->scroll > most ? most : v->scroll;
}

static void choose_path(struct ui_state *s, int key)
{
	struct view *v = &s->gather.view;
	unsigned paths = v->snap.sessions.paths;
	unsigned at = pane_sessions_chosen(v), last = paths ? paths - 1 : 0;

	switch (key) {
	case K_UP: v->path = at ? at - 1 : 0; break;
	case K_DOWN: v->path = at < last ? at + 1 : last; break;
	case K_PGUP:
	case K_HOME: v->path = 0; break;
	case K_PGDN:
	case K_END: v->path = last; break;
	}
}

static void vertical(struct ui_state *s, int key)
{
	const struct focus *f = &s->gather.view.focus;

	if (f->on_pane && f->pane == PANE_EVENTS) {
		scroll_events(s, key);
		return;
	}
	if (f->on_pane && f->pane == PANE_SESSIONS) {
		choose_path(s, key);
		return;
	}
	if (f->on_pane) {
		if (key == K_UP || key == K_DOWN)
			state_focus_beside(s, key == K_UP ? -1 : 1);
		return;
	}
	switch (key) {
	case K_UP: state_step(s, f->knob, 1, false); break;
	case K_DOWN: state_step(s, f->knob, -1, false); break;
	case K_PGUP: state_step(s, f->knob, 1, true); break;
	case K_PGDN: state_step(s, f->knob, -1, true); break;
	}
}

static void enter(struct ui_state *s)
{
	const struct focus *f = &s->gather.view.focus;

	if (f->on_pane)
		state_toggle_zoom(s);
	else
		state_type(s, f->knob);
}

/* Esc: back from what is in the way, the nearest first. */
static void escape(struct ui_state *s)
{
	if (s->gather.view.message[0])
		s->gather.view.message[0] = '\0';
	else if (state_cursor_drop(s))
		return;
	else if (s->zoom != PANE_COUNT)
		state_zoom(s, PANE_COUNT);
	else if (s->pilot || state_series_goes_on(s))
		state_pilot_stop(s, "by hand");
	else if (state_ab_goes_on(s))
		state_ab_stop(s);
	else
		s->gather.view.focus.on_pane = false;
}

static bool knob_key(struct ui_state *s, int key)
{
	for (int k = 0; k < KNOB_COUNT; k++) {
		if (key != knobs[k].key_down && key != knobs[k].key_up)
			continue;
		state_step(s, (enum knob)k, key == knobs[k].key_up ? 1 : -1, false);
		return true;
	}
	return false;
}

/* False for a key that means nothing here. */
static bool run_key(struct ui_state *s, int key)
{
	if (state_cursor_key(s, key))
		return true;
	switch (key) {
	case K_TAB: state_focus_ring(s, 1); return true;
	case K_BACKTAB: state_focus_ring(s, -1); return true;
	case K_LEFT: state_focus_beside(s, -1); return true;
	case K_RIGHT: state_focus_beside(s, 1); return true;
	case K_ENTER: enter(s); return true;
	case K_ESC: escape(s); return true;
	case K_UP:
	case K_DOWN:
	case K_PGUP:
	case K_PGDN:
	case K_HOME:
	case K_END: vertical(s, key); return true;
	}
	if (key >= '1' && key <= '9') {
		state_focus_pane(s, key - '1');
		return true;
	}
	return knob_key(s, key);
}

static bool take_key(struct ui_state *s, int key)
{
	/* The second ^C doesn't ask; the first one asks from anywhere. */
	if (key == K_INTERRUPT) {
		if (s->quitting)
			s->quit = true;
		else
			ask_quit(s);
		return true;
	}
	if (dialog_active(&s->dialogs)) {
		dialog_key(&s->dialogs, key);
		return true;
	}
	if (s->run && state_meters_key(s, key))
		return true;
	enum action a = action_of_key(key);
	if (a != ACT_NONE)
		act(s, a);
	return a != ACT_NONE || (s->run && (state_ab_key(s, key) || run_key(s, key)));
}

void state_key(struct ui_state *s, int key)
{
	unsigned said = s->said;

	if (key == K_REDRAW)
		s->repaint = true;
	else if (take_key(s, key) && said == s->said)
		s->gather.view.message[0] = '\0'; /* it was about an earlier key */
}
