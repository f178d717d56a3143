/* state_trigger.c - the trigger: looks at each second, and freezes the display a while after it has fired, so that
 * what led up to it stands in the charts with some of what followed. The IO, the sampling and the record go on.
 */
#include <math.h>
#include <string.h>
#include "dialogs.h"
#include "state.h"

#define BEHIND      5 /* a fifth of the window is what followed ... */
#define BEHIND_MOST (20 * NS_PER_SEC)
#define LOOK        64 /* seconds at once */

static unsigned lost_paths(const struct ui_state *s)
{
	struct snapshot now;
	unsigned lost = 0;

	if (s->triggering.trigger.figure != TRIGGER_PATH)
		return 0;
	run_snapshot(s->run, &now);
	for (unsigned i = 0; i < now.sessions.paths; i++)
		lost += !now.sessions.path[i].up && !now.sessions.path[i].out;
	return lost;
}

static void fire(struct ui_state *s, uint64_t t_ns, double value)
{
	struct triggering *k = &s->triggering;
	uint64_t behind = s->gather.view.chart_span_ns / BEHIND;
	char words[96], text[128];

	trigger_words(words, sizeof(words), &k->trigger, value, !s->utf8);
	snprintf(text, sizeof(text), "trigger: %s", words);
	run_tell(s->run, text);
	snprintf(k->why, sizeof(k->why), "%s", words);
	k->armed = k->wish.each;
	k->freeze_ns = t_ns + (behind < BEHIND_MOST ? behind : BEHIND_MOST);
}

static void look(struct ui_state *s)
{
	struct triggering *k = &s->triggering;
	struct sample second[LOOK];
	double value = NAN;

	size_t n = timeline_seconds(run_timeline(s->run), k->seen_ns, second, LOOK);
	unsigned lost = n ? lost_paths(s) : 0;
	for (size_t i = 0; i < n && k->armed; i++) {
		k->seen_ns = second[i].t_ns;
		if (trigger_second(&k->trigger, &second[i], lost, &value))
			fire(s, second[i].t_ns, value);
	}
}

/* The newest picture, and no other until it is let go. */
static void stand_still(struct ui_state *s)
{
	struct triggering *k = &s->triggering;
	struct view *v = &s->gather.view;

	k->freeze_ns = 0;
	gather_update(&s->gather, s->run, false);
	v->frozen = v->triggered = true;
	state_say(s, true, "Triggered: %s. %s goes on%s%s%s.", k->why, action_key(ACT_FREEZE),
		  k->wish.each ? "; it is armed again" : ", ",
		  k->wish.each ? "" : action_key(ACT_TRIGGER),
		  k->wish.each ? "" : " arms it again");
}

void state_trigger_tick(struct ui_state *s, uint64_t now_ns)
{
	struct triggering *k = &s->triggering;

	s->gather.view.armed = k->armed;
	if (!s->gather.view.frozen)
		s->gather.view.triggered = false;
	if (!s->run)
		return;
	if (k->armed)
		look(s);
	if (k->freeze_ns && now_ns >= k->freeze_ns)
		stand_still(s);
}

void state_trigger_arm(struct ui_state *s, const struct trigger *t)
{
	struct triggering *k = &s->triggering;

	k->trigger = *t;
	k->armed = true;
	k->freeze_ns = 0;
	/* Of what has been already nothing counts. */
	k->seen_ns = clock_ns();
}

void state_trigger_forget(struct ui_state *s)
{
	s->triggering.freeze_ns = 0;
	s->triggering.seen_ns = clock_ns();
	s->triggering.trigger.held = 0;
	s->triggering.trigger.fired = false;
}

static void answered(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;
	struct triggering *k = &s->triggering;
	struct trigger t;
	char words[96];

	if (r != DIALOG_DONE)
		return;
	k->wish = trigger_answer(state, &t);
	if (k->wish.none) {
		k->armed = false;
		k->freeze_ns = 0;
		state_say(s, false, "No trigger is armed.");
		return;
	}
	/* What it froze before is over. */
	s->gather.view.frozen = s->gather.view.frozen && !s->gather.view.triggered;
	state_trigger_arm(s, &t);
	state_say(s, false, "Armed: the display freezes when %s.",
		  trigger_describe(words, sizeof(words), &t, !s->utf8));
}

void state_trigger(struct ui_state *s)
{
	struct dialog d = dialog_trigger(&s->triggering.wish);

	d.closed = answered;
	d.user = s;
	dialog_push(&s->dialogs, d);
}
