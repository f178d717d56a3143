/* state_paths.c - the dialog of paths: what it shows of the run and does to it. */
#include "dialogs.h"
#include "pane_util.h"
#include "run.h"
#include "state.h"

/* What is done here is done now, so a frozen display is no place to look at it. */
static const struct sessions *look(void *ctx)
{
	struct ui_state *s = ctx;
	struct view *v = &s->gather.view;

	if (v->frozen) {
		struct snapshot now;
		run_snapshot(s->run, &now);
		v->snap.sessions = now.sessions;
	}
	return &v->snap.sessions;
}

/* The policy that is shown is the one that is in force, even before the next frame. */
static int set(void *ctx, const struct backend_paths *how, struct error *e)
{
	struct ui_state *s = ctx;
	int rc = run_set_paths(s->run, how, e);

	if (rc == 0)
		s->gather.view.snap.sessions.policy = *how;
	return rc;
}

static int act(void *ctx, uint32_t path, enum path_act act, struct error *e)
{
	return run_path_act(((struct ui_state *)ctx)->run, path, act, e);
}

static void chosen(void *ctx, unsigned at)
{
	((struct ui_state *)ctx)->gather.view.path = at;
}

void state_paths(struct ui_state *s)
{
	const struct view *v = &s->gather.view;
	const struct paths_desk desk = {look, set, act, chosen, s};

	if (!v->snap.sessions.paths)
		state_say(s, false,
			  "This target has no paths to choose from: a LUN has (iscsi://).");
	else if (v->snap.sessions.kernel)
		state_say(s, false,
			  "These paths are the kernel's: iscsiadm and multipathd change them.");
	else if (!dialog_push(&s->dialogs, dialog_paths(&desk, pane_sessions_chosen(v))))
		state_say(s, true, "No memory for the list of paths.");
}
