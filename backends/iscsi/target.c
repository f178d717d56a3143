/* target.c - the iSCSI backend as the registry knows it: a LUN that this process logs in to by itself,
 * without the kernel's initiator.
 */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* Never taken by itself: a target with this backend's name says so. */
static enum backend_fit iscsi_fit(const struct backend_open *how, char *why, size_t n)
{
	(void)why;
	(void)n;
	return how ? FIT_NONE : FIT_POOR;
}

static void release(struct iscsi_target *t)
{
	/* There is a secret in it. */
	explicit_bzero(t->peer, sizeof(t->peer));
	pthread_mutex_destroy(&t->control_lock);
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->ending);
	free(t);
}

void target_leave(struct iscsi_target *t)
{
	pthread_mutex_lock(&t->lock);

	bool last = --t->users == 0;
	pthread_mutex_unlock(&t->lock);
	if (last)
		release(t);
}

/* Known by its bits to no other process that logs in under the same name. */
static uint32_t random_isid(void)
{
	uint32_t isid;

	if (getrandom(&isid, sizeof(isid), GRND_NONBLOCK) != sizeof(isid))
		isid = (uint32_t)iscsi_now_ns() ^ (uint32_t)getpid() << 8;
	return isid & 0xffffff;
}

static int init_peer(struct iscsi_target *t, const struct backend_open *how, unsigned i,
		     unsigned portal, struct error *e)
{
	int rc = iscsi_peer_init(&t->peer[i], how, portal, false, e);
	const char *nic = iscsi_nic(&how->paths, i);

	if (rc == 0 && nic[0])
		rc = nic_check(nic, e);
	if (rc == 0)
		snprintf(t->peer[i].nic, sizeof(t->peer[i].nic), "%s", nic);
	return rc;
}

static int init_paths(struct iscsi_target *t, const struct backend_open *how, struct error *e)
{
	int rc = init_peer(t, how, 0, 0, e);
	unsigned portals = t->peer[0].at.portals;
	int paths = rc ? rc : nic_paths(&how->paths, portals, how->spec, e);

	if (paths < 0)
		return paths;
	t->paths = (unsigned)paths;
	for (unsigned i = 1; i < t->paths && rc == 0; i++)
		rc = init_peer(t, how, i, nic_portal_of(portals, i), e);
	return rc ? rc : paths_choose(t, &how->paths, e);
}

static int iscsi_open(const struct backend_open *how, void **target, struct error *e)
{
	struct iscsi_target *t = calloc(1, sizeof(*t));
	pthread_condattr_t monotonic;

	if (!t)
		return error_set(e, ENOMEM, "iscsi: out of memory");
	t->users = 1;
	pthread_mutex_init(&t->control_lock, NULL);
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&t->ending, &monotonic);
	pthread_condattr_destroy(&monotonic);
	t->isid = random_isid();
	int rc = init_paths(t, how, e);
	if (rc == 0)
		rc = control_open(t, how->cancel, e);
	if (rc) {
		release(t);
		return rc;
	}
	*target = t;
	return 0;
}

static void iscsi_close(void *target)
{
	struct iscsi_target *t = target;

	/* A worker that was left behind may still have a queue: what it holds is not written any more. */
	atomic_store(&t->write_end, 0);
	control_close(t);
	target_leave(t);
}

/* Told through a buffer of the target's: one looks at a time (the sampler). */
static const char *iscsi_remark(void *target)
{
	struct iscsi_target *t = target;
	const char *words = "";

	pthread_mutex_lock(&t->lock);
	if (t->facts.trouble[0])
		words = t->facts.trouble;
	else if (t->last_error[0])
		words = t->last_error;
	else if (t->no_digest)
		words = "the header digest that was asked for is not granted";
	snprintf(t->remark, sizeof(t->remark), "%.200s", words);
	pthread_mutex_unlock(&t->lock);
	return t->remark;
}

static void iscsi_allow_write(void *target, uint64_t start, uint64_t length)
{
	struct iscsi_target *t = target;

	/* Never the end of one window with the start of another. */
	atomic_store(&t->write_end, 0);
	atomic_store(&t->write_start, start);
	atomic_store(&t->write_end, start + length);
}

const struct backend backend_iscsi = {
	.name = "iscsi",
	.summary = "LUNs by iscsi://PORTAL/TARGET/LUN, without the kernel's initiator (libiscsi)",
	.caps = BACKEND_REMOTE,
	.fit = iscsi_fit,
	.open = iscsi_open,
	.close = iscsi_close,
	.remark = iscsi_remark,
	.facts = control_facts,
	.read_at = control_read,
	.allow_write = iscsi_allow_write,
	.sessions = queue_sessions,
	.past = queue_past,
	.set_paths = paths_set,
	.path_act = paths_act,
	.discover = iscsi_discover,
	.queue_open = queue_open,
	.queue_close = queue_close,
	.submit = queue_submit,
	.reap = queue_reap,
};
