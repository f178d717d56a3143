/* control.c - the session of the target itself: what it is, read by the write guard, and watched.
 *
 * A thread asks again every two seconds what may change (targets don't always tell, tgtd never), so
 * that whoever wants to know need not wait for the network.
 */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define LOOK_NS (2 * SEC_NS)
/* Queues are numbered from 1 on. */
#define CONTROL_NUMBER 0xffff

/* --- With the control lock. --- */

static void keep(struct iscsi_target *t, const struct backend_facts *f)
{
	pthread_mutex_lock(&t->lock);

	bool resized = t->facts.resized || f->size != t->size;
	t->facts = *f;
	t->facts.resized = resized;
	pthread_mutex_unlock(&t->lock);
}

static void keep_trouble(struct iscsi_target *t, const struct error *e)
{
	pthread_mutex_lock(&t->lock);

	snprintf(t->facts.trouble, sizeof(t->facts.trouble), "%.255s", e->text);
	pthread_mutex_unlock(&t->lock);
}

static bool is_out(const struct iscsi_target *t)
{
	return atomic_load_explicit(&t->out, memory_order_relaxed) & 1u << t->control_path;
}

/* Over whatever path leads there: the one it had last, or the next ones. */
static int open_any(struct iscsi_target *t, struct error *e)
{
	unsigned start = t->control_path;
	int rc = error_set(e, ENOTCONN, "%.300s: its paths are all taken out", t->peer[0].spec);

	for (unsigned i = 0; i < t->paths && rc; i++) {
		t->control_path = (start + i) % t->paths;
		if (!is_out(t))
			rc = session_open(&t->control, &t->peer[t->control_path], false, e);
	}
	return rc;
}

/* A session that was lost would make the next one wait as long on the same path. */
static void try_next(struct iscsi_target *t)
{
	t->control_path = (t->control_path + 1) % t->paths;
}

/* A session that was lost is made anew, and then everything is asked, since another LUN may be behind
 * the same name. */
static int ask(struct iscsi_target *t, bool all, struct error *e)
{
	struct session *s = &t->control;
	struct backend_facts f;
	int rc = 0;

	if (s->c && !s->failed && is_out(t))
		session_logout(s);
	if (!s->c || s->failed) {
		session_close(s);
		try_next(t);
		all = true;
		rc = open_any(t, e);
	}
	pthread_mutex_lock(&t->lock);
	f = t->facts;
	pthread_mutex_unlock(&t->lock);
	if (rc == 0)
		rc = all ? lun_ask(s, t->peer[0].at.lun, &f, e)
			 : lun_ask_again(s, t->peer[0].at.lun, &f, e);
	f.trouble[0] = 0;
	if (rc == 0)
		keep(t, &f);
	else
		keep_trouble(t, e);
	return rc;
}

/* --- The watcher. --- */

/* False when the target is being closed. */
static bool wait_for_look(struct iscsi_target *t)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += LOOK_NS / SEC_NS;
	pthread_mutex_lock(&t->lock);
	while (!atomic_load(&t->end))
		if (pthread_cond_timedwait(&t->ending, &t->lock, &until) == ETIMEDOUT)
			break;
	bool end = atomic_load(&t->end);
	pthread_mutex_unlock(&t->lock);
	return !end;
}

static void *watch(void *target)
{
	struct iscsi_target *t = target;
	struct error e = {""};

	prctl(PR_SET_NAME, "lunscope-iscsi", 0, 0, 0);
	while (wait_for_look(t)) {
		pthread_mutex_lock(&t->control_lock);
		ask(t, false, &e);
		pthread_mutex_unlock(&t->control_lock);
	}
	return NULL;
}

/* Signals are for the threads of the program: with all of them blocked a new thread begins. */
static int start_watcher(struct iscsi_target *t)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int rc = pthread_create(&t->watcher, NULL, watch, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

/* Two portals lead to one LUN only if it can be told by its name. */
static int check_name(const struct iscsi_target *t, struct error *e)
{
	const struct iscsi_address *at = &t->peer[0].at;

	if (at->portals == 1 || t->facts.id[0])
		return 0;
	return error_set(
		e, EINVAL,
		"LUN %d of %.200s has no worldwide name (VPD page 83h): whether %u portals "
		"lead to the same one can't be seen; name one portal only",
		at->lun, at->target, at->portals);
}

int control_open(struct iscsi_target *t, const atomic_bool *cancel, struct error *e)
{
	t->control.isid = t->isid;
	t->control.number = CONTROL_NUMBER;
	t->control.cancel = cancel;

	int rc = open_any(t, e);
	if (rc == -ENOENT)
		iscsi_tell_targets(&t->peer[t->control_path], cancel, e);
	if (rc == 0) {
		rc = lun_ask(&t->control, t->peer[0].at.lun, &t->facts, e);
		if (rc == -ENXIO)
			iscsi_tell_luns(&t->control, e);
	}
	if (rc == 0)
		rc = check_name(t, e);
	if (rc) {
		session_logout(&t->control);
		return rc;
	}
	t->control.cancel = &t->end;
	t->size = t->facts.size;
	t->block = t->facts.logical_block;
	snprintf(t->id, sizeof(t->id), "%s", t->facts.id);
	snprintf(t->serial, sizeof(t->serial), "%s", t->facts.serial);
	snprintf(t->vendor, sizeof(t->vendor), "%s", t->facts.vendor);
	snprintf(t->model, sizeof(t->model), "%s", t->facts.model);
	t->no_digest = t->peer[0].login.header_digest &&
		       !strstr(t->control.parameters, "HeaderDigest=CRC32C");
	rc = start_watcher(t);
	if (rc) {
		session_logout(&t->control);
		return error_errno(e, rc, "no thread to watch %s", t->peer[0].spec);
	}
	t->watching = true;
	return 0;
}

void control_close(struct iscsi_target *t)
{
	pthread_mutex_lock(&t->lock);
	atomic_store(&t->end, true);
	pthread_cond_broadcast(&t->ending);
	pthread_mutex_unlock(&t->lock);
	if (t->watching)
		pthread_join(t->watcher, NULL);
	/* The goodbye is waited for. */
	t->control.cancel = NULL;
	session_logout(&t->control);
}

/* --- For others. --- */

int control_facts(void *target, bool fresh, struct backend_facts *f, struct error *e)
{
	struct iscsi_target *t = target;
	int rc = 0;

	if (fresh) {
		pthread_mutex_lock(&t->control_lock);
		rc = ask(t, true, e);
		pthread_mutex_unlock(&t->control_lock);
	}
	pthread_mutex_lock(&t->lock);
	*f = t->facts;
	pthread_mutex_unlock(&t->lock);
	return rc;
}

int control_read(void *target, void *buf, uint32_t n, uint64_t offset, struct error *e)
{
	struct iscsi_target *t = target;
	int rc = 0;

	pthread_mutex_lock(&t->control_lock);
	if (!t->control.c || t->control.failed)
		rc = ask(t, true, e);
	if (rc == 0)
		rc = lun_read(&t->control, t->peer[0].at.lun, t->block, buf, n, offset, e);
	pthread_mutex_unlock(&t->control_lock);
	return rc;
}
