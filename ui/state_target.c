/* state_target.c - from one target to another, and everything else that a device can keep waiting.
 *
 * Opening a target, ending the run before and opening for writing are done by the host, on a thread of
 * their own; a dialog lies over the screen meanwhile, so that no key reaches what the thread works on.
 * While a target is opened the run before goes on. While that is ended, the screen has no run, and shows
 * its last picture.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "run.h"
#include "secret.h"
#include "state.h"
#include "target.h"

/* So long is waited at the end for somebody who looks at the target. */
#define TARGET_MS 400

static void forget_choice(struct ui_state *s)
{
	if (s->chosen.state)
		s->chosen.free(s->chosen.state);
	s->chosen.state = NULL;
	explicit_bzero(&s->choice, sizeof(s->choice));
	portal_forget(&s->portals);
}

/* --- Jobs. --- */

static void cancelled(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	(void)state;
	(void)r;
	create_progress_cancel(s->job_progress);
	s->job_progress = NULL;
	if (s->job_on_target)
		s->left_job = s->job;
	else
		job_release(s->job);
	s->job = NULL;
	s->job_cancelled(s);
}

bool state_job_left(struct ui_state *s)
{
	if (!job_wait_for(s->left_job, 0))
		return true;
	job_release(s->left_job);
	s->left_job = NULL;
	return false;
}

bool state_job_start(struct ui_state *s, const struct state_job *j)
{
	struct dialog d = dialog_wait(j->title, j->words, j->bound, j->progress);

	d.closed = cancelled;
	d.user = s;
	s->job_depth = s->dialogs.depth;
	if (!dialog_push(&s->dialogs, d)) {
		j->free_data(j->data);
		return false;
	}
	s->job = job_start(j->work, j->free_data, j->data);
	if (!s->job) {
		dialog_pop(&s->dialogs);
		return false;
	}
	s->job_progress = j->progress;
	s->job_on_target = j->on_target;
	s->job_done = j->done;
	s->job_cancelled = j->cancelled;
	return true;
}

/* With the question whether to quit on top, nothing moves below it. */
int state_job_fd(const struct ui_state *s)
{
	return s->job && !s->quitting ? job_fd(s->job) : -1;
}

void state_job_look(struct ui_state *s)
{
	struct job *job = s->job;
	void *data = s->quitting ? NULL : job_result(job);

	if (!data)
		return;
	/* With what explains it, if that lies over it. */
	while (s->dialogs.depth > s->job_depth)
		dialog_pop(&s->dialogs);
	s->job = NULL;
	s->job_progress = NULL;
	s->job_done(s, data);
	job_release(job);
}

/* A target that doesn't answer keeps nobody here: then it is left open. */
static void leave_target(struct ui_state *s, struct job *j)
{
	s->target_in_use |= !job_wait_for(j, TARGET_MS);
	job_release(j);
}

void state_job_end(struct ui_state *s)
{
	if (s->job_progress)
		create_progress_cancel(s->job_progress);
	else
		job_wait(s->job);
	if (s->job_on_target)
		leave_target(s, s->job);
	else
		job_release(s->job);
	leave_target(s, s->left_job);
	s->job = s->left_job = NULL;
	s->job_progress = NULL;
	forget_choice(s);
}

/* --- Choosing. --- */

static void picked(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	if (r != DIALOG_DONE) {
		/* Nothing was started: leaving the first picker leaves the program. */
		s->quit |= !s->run;
		return;
	}
	s->chosen = dialog_picker_kept(state);
	if (picker_wants_portals(state)) {
		state_portals(s);
		return;
	}
	snprintf(s->choice.spec, sizeof(s->choice.spec), "%s", picker_spec(state));
	s->choice.create_size = picker_create_size(state);
	s->choice.login = *picker_login(state);
	state_open_choice(s);
}

static void push_picker(struct ui_state *s, struct dialog d)
{
	d.closed = picked;
	d.user = s;
	if (!dialog_push(&s->dialogs, d))
		state_say(s, true, "No memory for the list of targets.");
}

void state_pick(struct ui_state *s)
{
	push_picker(s, dialog_picker(!s->run));
}

/* The picker once more, with what was chosen. */
static void pick_again(struct ui_state *s, int rc, const struct error *e)
{
	struct dialog before = s->chosen;

	s->chosen.state = NULL;
	push_picker(s, before.state ? dialog_picker_again(before.state, rc, e)
				    : dialog_picker(!s->run));
	if (before.state)
		before.free(before.state);
}

void state_choose_again(struct ui_state *s, int rc, const struct error *e)
{
	explicit_bzero(&s->choice, sizeof(s->choice));
	if (s->portals.listing)
		state_portals_again(s, rc, e);
	else
		pick_again(s, rc, e);
}

/* --- A new run in the place of the one before. --- */

struct beginning {
	const struct ui_host *host;
	struct job *left; /* it looks at the target that is to be closed */
	struct target *target;
	struct workload workload;
	struct run *run;
	int rc;
	struct error error;
};

static void begin(void *data)
{
	struct beginning *b = data;

	job_wait(b->left);
	b->rc = b->host->begin_run(b->host->ctx, b->target, &b->workload, &b->run, &b->error);
	if (b->rc == 0)
		return;
	b->host->close_target(b->host->ctx, b->target);
	b->target = NULL;
}

static void beginning_free(void *data)
{
	struct beginning *b = data;

	if (b->target && !b->run)
		b->host->close_target(b->host->ctx, b->target);
	job_release(b->left);
	free(b);
}

void state_take_run(struct ui_state *s, struct run *run, struct target *target)
{
	state_pilot_forget(s);
	s->run = run;
	s->source = target;
	s->copy = *target;
	s->target = s->gather.view.target = &s->copy;
	s->gather.view.frozen = false;
	s->undo_count = 0;
	s->told_end = false;
	s->has_pending = false;
	s->cursors = (struct cursors){.active = 0}; /* their times were another run's */
	state_trigger_forget(s);
	gather_clear(&s->gather);
	/* The wish to write was held back when the run was opened. */
	if (workload_writes(&s->wanted) && !target_limits(target).may_write) {
		s->pending = s->wanted;
		s->has_pending = true;
		state_ask_write(s);
	}
}

static void begun(struct ui_state *s, void *data)
{
	struct beginning *b = data;

	if (b->rc) {
		/* The run before goes on. */
		s->run = s->parted;
		state_choose_again(s, b->rc, &b->error);
		return;
	}
	forget_choice(s);
	s->wanted = b->workload;
	state_take_run(s, b->run, b->target);
}

/* A range belongs to a target; and a new target is read, whatever the last one was for. */
static struct workload next_workload(const struct ui_state *s)
{
	if (!s->run)
		return s->wanted;
	struct workload w = run_workload(s->run);

	w.range_start = w.range_length = 0;
	workload_only_read(&w);
	w.paused = false;
	return w;
}

static void start_beginning(struct ui_state *s, struct target *target)
{
	struct beginning *b = calloc(1, sizeof(*b));

	if (!b) {
		s->host->close_target(s->host->ctx, target);
		forget_choice(s);
		state_say(s, true, "No memory for another run.");
		return;
	}
	*b = (struct beginning){
		.host = s->host,
		.target = target,
	};
	struct state_job j = {
		.title = "Target",
		.words = s->run ? "Ending the run before" : "Starting",
		.bound = s->run ? "IOs in flight get 2 s at most" : NULL,
		.work = begin,
		.free_data = beginning_free,
		.data = b,
		.done = begun,
	};
	state_pilot_stop(s, "another target was chosen");
	state_ab_end(s);
	state_compare_forget(s);
	b->workload = next_workload(s);
	b->left = s->left_job;
	s->left_job = NULL;
	s->parted = s->run;
	s->run = NULL;
	if (state_job_start(s, &j))
		return;
	s->run = s->parted;
	forget_choice(s);
	state_say(s, true, "No thread for another run.");
}

/* --- Opening. --- */

struct opening {
	const struct ui_host *host;
	struct choice choice;
	struct create_progress progress;
	struct target *target;
	int rc;
	struct error error;
};

static void open_it(void *data)
{
	struct opening *o = data;

	o->rc = o->host->open_target(o->host->ctx, o->choice.spec, o->choice.create_size,
				     &o->choice.login, &o->progress, &o->target, &o->error);
}

static void opening_free(void *data)
{
	struct opening *o = data;

	/* Nobody wanted it any more. */
	if (o->target)
		o->host->close_target(o->host->ctx, o->target);
	explicit_bzero(o, sizeof(*o));
	free(o);
}

static void opened(struct ui_state *s, void *data)
{
	struct opening *o = data;
	struct target *target = o->target;

	if (o->rc) {
		if (!state_choice_login(s, o->rc, &o->error))
			state_choose_again(s, o->rc, &o->error);
		return;
	}
	o->target = NULL;
	start_beginning(s, target);
}

static void opening_cancelled(struct ui_state *s)
{
	state_choose_again(s, 0, NULL);
}

void state_open_choice(struct ui_state *s)
{
	struct opening *o = calloc(1, sizeof(*o));
	char words[PATH_MAX + 16];

	if (!o) {
		forget_choice(s);
		state_say(s, true, "No memory to open another target.");
		return;
	}
	o->host = s->host;
	o->choice = s->choice;
	snprintf(words, sizeof(words), "%s %s",
		 secret_is_url(o->choice.spec) ? "Logging in to" : "Opening", o->choice.spec);
	struct state_job j = {
		.title = "Target",
		.words = words,
		.progress = &o->progress,
		.work = open_it,
		.free_data = opening_free,
		.data = o,
		.done = opened,
		.cancelled = opening_cancelled,
	};
	if (state_job_start(s, &j))
		return;
	forget_choice(s);
	state_say(s, true, "No thread to open another target.");
}
