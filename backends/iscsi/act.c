/* act.c - what the operator does to paths while IOs go on.
 *
 * What he says is kept by the target, for queues that come later as well; each queue takes it up in its
 * own thread. A path that has to go is fed no more, is waited for, logs out, and only then is what it
 * still had in flight sent elsewhere: after the logout the target works on none of it (RFC 7143, 11.14).
 */
#include "backends/iscsi/path.h"

#include <errno.h>

/* How long what is in flight is waited for, and the answer to a logout. */
#define DRAIN_NS  (2 * SEC_NS)
#define LOGOUT_NS (SEC_NS / 2)

/* --- What is said. With the target's lock. --- */

static bool is_in(const struct iscsi_target *t, unsigned path)
{
	return !(atomic_load(&t->out) & 1u << path);
}

static bool is_pinned(const struct iscsi_target *t, unsigned path)
{
	uint32_t choice = atomic_load(&t->choice);

	return choice_policy(choice) == PATHS_PINNED && choice_pinned(choice) == path;
}

static int check_choice(const struct iscsi_target *t, const struct backend_paths *how,
			struct error *e)
{
	const char *spec = t->peer[0].spec;

	if (how->policy > PATHS_PINNED)
		return error_set(e, EINVAL, "%.300s: there is no such policy", spec);
	if (how->policy != PATHS_PINNED)
		return 0;
	if (how->pinned >= t->paths)
		return error_set(e, EINVAL, "%.300s: there is no path %u to pin IOs to: it has %u",
				 spec, how->pinned + 1, t->paths);
	if (!is_in(t, how->pinned))
		return error_set(e, EINVAL,
				 "path %u is taken out, so IOs can't be pinned to it: take it in "
				 "first",
				 how->pinned + 1);
	return 0;
}

int paths_choose(struct iscsi_target *t, const struct backend_paths *how, struct error *e)
{
	int rc = check_choice(t, how, e);

	if (rc)
		return rc;
	atomic_store(&t->choice, choice_of(how));
	atomic_store(&t->hold_ns, how->hold_ns);
	return 0;
}

int paths_set(void *target, const struct backend_paths *how, struct error *e)
{
	struct iscsi_target *t = target;

	pthread_mutex_lock(&t->lock);
	int rc = paths_choose(t, how, e);
	pthread_mutex_unlock(&t->lock);
	return rc;
}

static int take_out(struct iscsi_target *t, unsigned path, struct error *e)
{
	uint32_t rest = ((1u << t->paths) - 1) & ~atomic_load(&t->out) & ~(1u << path);

	if (!is_in(t, path))
		return error_set(e, EINVAL, "path %u is out already", path + 1);
	if (!rest)
		return error_set(
			e, EINVAL,
			"path %u is the last one that is in: without it there is no way to "
			"the LUN",
			path + 1);
	if (is_pinned(t, path))
		return error_set(e, EINVAL,
				 "IOs are pinned to path %u: choose another policy before it is "
				 "taken out",
				 path + 1);
	atomic_fetch_or(&t->out, 1u << path);
	return 0;
}

static int take_in(struct iscsi_target *t, unsigned path, struct error *e)
{
	if (is_in(t, path))
		return error_set(e, EINVAL, "path %u is in already", path + 1);
	atomic_fetch_and(&t->out, ~(1u << path));
	return 0;
}

static int log_in_anew(struct iscsi_target *t, unsigned path, struct error *e)
{
	if (!is_in(t, path))
		return error_set(e, EINVAL,
				 "path %u is taken out: taken in, it logs in anew anyway",
				 path + 1);
	atomic_fetch_add(&t->anew[path], 1);
	return 0;
}

static int act_on_one(struct iscsi_target *t, unsigned path, enum path_act act, struct error *e)
{
	switch (act) {
	case PATH_TAKE_OUT: return take_out(t, path, e);
	case PATH_TAKE_IN: return take_in(t, path, e);
	case PATH_RELOGIN: return log_in_anew(t, path, e);
	}
	return error_set(e, EINVAL, "nothing of that kind is done to a path");
}

static int act_on_all(struct iscsi_target *t, enum path_act act, struct error *e)
{
	unsigned done = 0;

	if (act == PATH_TAKE_OUT)
		return error_set(e, EINVAL,
				 "all paths can't be taken out: there would be no way to the LUN");
	for (unsigned i = 0; i < t->paths; i++)
		if (is_in(t, i) == (act == PATH_RELOGIN))
			done += act_on_one(t, i, act, e) == 0;
	return done ? 0 : error_set(e, EINVAL, "all paths are in already");
}

int paths_act(void *target, uint32_t path, enum path_act act, struct error *e)
{
	struct iscsi_target *t = target;
	int rc;

	pthread_mutex_lock(&t->lock);
	if (path == PATHS_ALL)
		rc = act_on_all(t, act, e);
	else if (path >= t->paths)
		rc = error_set(e, EINVAL, "there is no path %u: %.300s has %u", path + 1,
			       t->peer[0].spec, t->paths);
	else
		rc = act_on_one(t, path, act, e);
	if (rc == 0)
		atomic_fetch_add(&t->acts, 1);
	pthread_mutex_unlock(&t->lock);
	return rc;
}

/* --- What is done, by the worker of each queue. --- */

static void start_leaving(struct path *p, uint64_t now)
{
	if (p->leaving)
		return;
	p->leaving = PATH_DRAINS;
	p->leave_limit_ns = now + DRAIN_NS;
}

static void close_session(struct path *p, enum backend_session_state state, const char *why)
{
	path_publish(p, state, why);
	session_close(&p->session);
	path_take_back(p);
	loss_forget(p);
	p->leaving = PATH_STAYS;
	p->broken = false;
}

/* It has logged out, or could not in time. */
static void left(struct path *p, uint64_t now)
{
	close_session(p, p->out ? SESSION_DOWN : SESSION_LOGIN, p->out ? PATH_OUT_WORDS : "");
	p->login_at_ns = p->out ? NEVER : now;
	p->pause_ns = 0;
	if (p->out)
		p->anew = false;
}

static void leave(struct path *p, uint64_t now)
{
	bool gone = p->session.failed || p->session.logged_out || p->broken;

	if (p->leaving == PATH_LOGS_OUT && (gone || now >= p->leave_limit_ns)) {
		left(p, now);
	} else if (p->leaving == PATH_DRAINS && path_is_up(p) &&
		   (!path_inflight(p) || now >= p->leave_limit_ns)) {
		p->leaving = PATH_LOGS_OUT;
		p->leave_limit_ns = now + LOGOUT_NS;
		if (session_ask_logout(&p->session))
			left(p, now);
		else
			path_flush(p);
	}
}

static void go_out(struct path *p, uint64_t now)
{
	p->out = true;
	if (path_is_up(p)) {
		start_leaving(p, now);
		return;
	}
	close_session(p, SESSION_DOWN, PATH_OUT_WORDS);
	p->login_at_ns = NEVER;
	p->anew = false;
}

static void come_in(struct path *p, uint64_t now)
{
	p->out = false;
	if (p->leaving == PATH_DRAINS && !p->anew)
		p->leaving = PATH_STAYS;
	/* One that is about to have logged out comes back by itself. */
	if (p->leaving || p->session.c)
		return;
	p->pause_ns = 0;
	p->login_at_ns = now;
}

static void follow_out(struct path *all, unsigned paths, uint64_t now)
{
	uint32_t out = atomic_load_explicit(&all->target->out, relaxed);

	for (unsigned i = 0; i < paths; i++) {
		bool is_out = out & 1u << i;
		if (is_out && !all[i].out)
			go_out(&all[i], now);
		else if (!is_out && all[i].out)
			come_in(&all[i], now);
	}
}

static bool is_wanted_anew(const struct path *p)
{
	return p->anew_seen != atomic_load_explicit(&p->target->anew[p->index], relaxed);
}

static void take_note(struct path *p)
{
	p->anew_seen = atomic_load_explicit(&p->target->anew[p->index], relaxed);
}

/* One at a time, so that the others carry the load. One that is not up logs in anew anyway. True while
 * there is one under way. */
static bool follow_anew(struct path *all, unsigned paths, uint64_t now)
{
	for (unsigned i = 0; i < paths; i++)
		if (all[i].anew)
			return true;
	for (unsigned i = 0; i < paths; i++) {
		struct path *p = &all[i];
		if (!is_wanted_anew(p))
			continue;
		take_note(p);
		if (!path_is_up(p) || p->out)
			continue;
		p->anew = true;
		start_leaving(p, now);
		return true;
	}
	return false;
}

bool path_act_tend(struct path *all, unsigned paths, uint64_t now)
{
	bool busy = false;

	follow_out(all, paths, now);
	busy = follow_anew(all, paths, now);
	for (unsigned i = 0; i < paths; i++) {
		if (all[i].leaving)
			leave(&all[i], now);
		busy |= all[i].leaving != PATH_STAYS;
	}
	return busy;
}

void path_act_up(struct path *p)
{
	if (p->anew)
		path_count(&p->relogins, 1);
	p->anew = false;
}

void path_act_failed(struct path *p)
{
	p->leaving = PATH_STAYS;
	if (!p->anew)
		return;
	p->anew = false;
	for (unsigned i = 0; i < p->paths; i++)
		take_note(&p->all[i]);
}
