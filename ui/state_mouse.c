/* state_mouse.c - what the mouse does: each click and each notch of the wheel becomes the keys that stand for
 * it, so that it can do nothing that they can't. What is under it the canvas knows (hot.h).
 */
#include "hot.h"
#include "key.h"
#include "state.h"

#define TWICE_NS (400 * NS_PER_MS)

/* The second click on a cell; the third is a first one again. */
static bool is_second(struct ui_state *s, const struct mouse_event *m, uint64_t now_ns)
{
	struct clicked *last = &s->clicked;
	bool second = last->t_ns && now_ns - last->t_ns <= TWICE_NS && last->at.row == m->row &&
		      last->at.col == m->col;

	*last = (struct clicked){*m, second ? 0 : now_ns};
	return second;
}

static void press(struct ui_state *s, int key)
{
	if (dialog_clickable(&s->dialogs, key))
		state_key(s, key);
}

/* That many times the one key or, for less than none, the other. */
static void press_steps(struct ui_state *s, int steps, int key, int back)
{
	for (; steps > 0; steps--)
		press(s, key);
	for (; steps < 0; steps++)
		press(s, back);
}

static void focus_on(struct ui_state *s, enum pane_id pane)
{
	struct focus *f = &s->gather.view.focus;

	f->on_pane = true;
	f->pane = pane;
}

static void focus_on_knob(struct ui_state *s, enum knob k)
{
	s->gather.view.focus = (struct focus){.knob = k, .pane = s->gather.view.focus.pane};
}

static void click(struct ui_state *s, const struct hot_zone *z, const struct mouse_event *m,
		  bool twice)
{
	switch (z->kind) {
	case HOT_KEY: press(s, z->value); return;
	case HOT_PANE: focus_on(s, (enum pane_id)z->value); break;
	case HOT_CHART:
		focus_on(s, (enum pane_id)z->value);
		state_cursor_point(s, m->col);
		break;
	case HOT_KNOB: focus_on_knob(s, (enum knob)z->value); break;
	case HOT_ROW:
	case HOT_FIELD:
		press_steps(s, z->down, K_DOWN, K_UP);
		press_steps(s, z->right, K_RIGHT, K_LEFT);
		break;
	case HOT_BODY: return;
	}
	/* Not of a row that has only come there since the first. */
	if (twice && z->kind != HOT_FIELD && z->down == 0)
		press(s, K_ENTER);
}

static bool has_lines(int pane)
{
	return pane == PANE_EVENTS || pane == PANE_SESSIONS || pane == PANE_METERS;
}

static void wheel(struct ui_state *s, const struct canvas *c, const struct hot_zone *z,
		  const struct mouse_event *m)
{
	int up = m->what == MOUSE_WHEEL_UP ? 1 : -1, lines = 1;
	const struct hot_zone *body;

	switch (z->kind) {
	case HOT_KEY:
	case HOT_CHART: return;
	case HOT_KNOB:
		focus_on_knob(s, (enum knob)z->value);
		if (s->run)
			state_step(s, (enum knob)z->value, up, false);
		return;
	case HOT_PANE:
		if (!has_lines(z->value))
			return;
		focus_on(s, (enum pane_id)z->value);
		break;
	case HOT_ROW:
	case HOT_FIELD:
	case HOT_BODY:
		body = hot_under(c, m->row, m->col, HOT_BODY);
		lines = body ? body->value : 1;
		break;
	}
	press_steps(s, up * lines, K_UP, K_DOWN);
}

void state_mouse(struct ui_state *s, const struct canvas *c, const struct mouse_event *m,
		 uint64_t now_ns)
{
	const struct hot_zone *z = hot_at(c, m->row, m->col);
	bool twice = m->what == MOUSE_CLICK && is_second(s, m, now_ns);
	unsigned said = s->said;

	if (!z)
		return;
	if (m->what == MOUSE_CLICK)
		click(s, z, m, twice);
	else
		wheel(s, c, z, m);
	if (said == s->said)
		s->gather.view.message[0] = '\0'; /* it was about what was done before */
}
