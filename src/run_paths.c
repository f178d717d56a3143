/* run_paths.c - what the operator does to the paths of a run's target, with a mark for each. */
#include "run_internal.h"

#include <errno.h>

#include "path_marks.h"

/* With the lock held: a change opens a segment, as a knob does. */
static void mark(struct run *r, const char *text)
{
	sampler_tick(r);
	run_mark_now(r, MARK_KNOB, NULL, text);
}

static int ready(const struct run *r, struct error *e)
{
	if (r->stopped || r->snap.ended)
		return error_set(e, ESHUTDOWN, "the run has ended");
	if (r->switching)
		return error_set(e, EBUSY, "writing is being allowed: try again in a moment");
	if (!r->target->backend->path_act)
		return error_set(e, ENOTSUP, "%.200s has no paths of its own to choose from",
				 r->target->spec);
	return 0;
}

int run_set_paths(struct run *r, const struct backend_paths *how, struct error *e)
{
	char text[MARK_TEXT];

	pthread_mutex_lock(&r->lock);
	int rc = ready(r, e);
	if (rc == 0)
		rc = r->target->backend->set_paths(r->target->handle, how, e);
	if (rc == 0) {
		path_mark_policy(text, sizeof(text), &r->target->paths, how);
		r->target->paths = r->snap.sessions.policy = *how;
		if (text[0])
			mark(r, text);
	}
	pthread_mutex_unlock(&r->lock);
	return rc;
}

int run_path_act(struct run *r, uint32_t path, enum path_act act, struct error *e)
{
	char text[MARK_TEXT];

	pthread_mutex_lock(&r->lock);
	int rc = ready(r, e);
	if (rc == 0)
		rc = r->target->backend->path_act(r->target->handle, path, act, e);
	if (rc == 0) {
		path_mark_act(text, sizeof(text), path, act);
		mark(r, text);
	}
	pthread_mutex_unlock(&r->lock);
	return rc;
}
