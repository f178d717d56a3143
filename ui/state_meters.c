/* state_meters.c - keys of the meters' pane: which meter, what it shows, and all of it in the dialog. */
#include "dialogs.h"
#include "key.h"
#include "state.h"

static void answered(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	if (r != DIALOG_DONE)
		return;
	s->setup.meters = meter_answer(state, &s->gather.view.meter);
	state_say(s, false, "The meters are set; w on the setup screen saves them.");
}

static void open_dialog(struct ui_state *s)
{
	struct dialog d = dialog_meter(&s->setup.meters, s->gather.view.meter);

	d.closed = answered;
	d.user = s;
	dialog_push(&s->dialogs, d);
}

/* The next figure in the table. Its scale is automatic, as the one before was of another figure. */
static void turn(struct ui_state *s, int dir)
{
	struct meter_choice *c = &s->setup.meters.place[s->gather.view.meter];

	*c = (struct meter_choice){(enum meter)(((int)c->what + dir + METERS) % METERS), 0};
}

static void choose(struct ui_state *s, int dir)
{
	unsigned *at = &s->gather.view.meter;

	*at = (*at + METER_PLACES + (unsigned)dir) % METER_PLACES;
}

bool state_meters_key(struct ui_state *s, int key)
{
	const struct focus *f = &s->gather.view.focus;

	if (!f->on_pane || f->pane != PANE_METERS)
		return false;
	switch (key) {
	case K_UP: choose(s, -1); return true;
	case K_DOWN: choose(s, 1); return true;
	case K_HOME: s->gather.view.meter = 0; return true;
	case K_END: s->gather.view.meter = METER_PLACES - 1; return true;
	case K_PGUP: turn(s, -1); return true;
	case K_PGDN: turn(s, 1); return true;
	case K_ENTER:
	case 'e': open_dialog(s); return true;
	}
	return false;
}
