/* kernel_iscsi.c - see kernel_iscsi.h: the sessions beneath one target, looked at again and again.
 *
 * sysfs tells how a session is, not what has become of it. That is kept here: sessions that were lost,
 * for how long, and those that are gone. It is the looking thread's own, but for the copy that it leaves.
 */
#include "kernel_iscsi_internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "guard/gates.h"
#include "tcp_diag.h"
#include "units.h"

#define SESSIONS_KEPT 64               /* beneath one target */
#define ANSWER_NS     (50 * NS_PER_MS) /* an ordinary look takes 1 ms */
#define END_NS        NS_PER_SEC

/* What is remembered of a session. */
struct memory {
	struct kernel_session last; /* as it is shown */
	bool here;                  /* in the newest look */
	bool up;
	uint64_t ios, bytes, wait_ns; /* what its disks had counted when it was first seen */
	uint64_t heard_ns;            /* when it was last seen to receive something */
	int64_t heard_segments;
	struct sockaddr_storage
		searched; /* the local end that all connections were gone through for */
	char way[112];    /* portal and NIC: what makes a path */
};

struct kernel_iscsi {
	struct guard_host host;
	dev_t rdev;
	bool stacked;
	struct memory memory[SESSIONS_KEPT]; /* by sid; the thread's */
	unsigned known;

	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool wanted, stopping, ended, orphaned;
	uint64_t asked_ns; /* since when an answer is waited for */
	struct kernel_session shown[SESSIONS_KEPT];
	unsigned count;

	/* Who looks has these to himself. */
	struct kernel_facts facts[SESSIONS_KEPT];
	unsigned told;
};

/* --- What becomes of a session. --- */

static struct memory *remember(struct kernel_iscsi *k, uint32_t sid)
{
	unsigned i;

	for (i = 0; i < k->known && k->memory[i].last.facts.sid <= sid; i++)
		if (k->memory[i].last.facts.sid == sid)
			return &k->memory[i];
	if (k->known == SESSIONS_KEPT)
		return NULL;
	memmove(k->memory + i + 1, k->memory + i, (k->known - i) * sizeof(*k->memory));
	memset(&k->memory[i], 0, sizeof(k->memory[i]));
	k->known++;
	return &k->memory[i];
}

static void lose(struct memory *m, struct backend_session *s, uint64_t now)
{
	s->drops++;
	snprintf(s->lost, sizeof(s->lost), "%s", s->why);
	memset(&s->loss, 0, sizeof(s->loss));
	s->loss.noticed_ns = now;
	s->loss.silent_ns = m->heard_ns && m->heard_ns < now ? m->heard_ns : now;
}

/* Carries on in s, which was just read, what m remembers. */
static void carry_on(struct memory *m, struct backend_session *s, bool first, uint64_t now)
{
	const struct backend_session *was = &m->last.session;
	bool up = s->state == SESSION_UP;

	s->path = was->path;
	s->drops = was->drops;
	s->outage_ns = was->outage_ns;
	s->loss = was->loss;
	snprintf(s->lost, sizeof(s->lost), "%s", was->lost);
	if (!up && (m->up || first))
		lose(m, s, now);
	if (up && s->loss.noticed_ns && !s->loss.back_ns)
		s->loss.back_ns = s->loss.moved_ns = now;
	if (s->loss.noticed_ns)
		s->outage_ns = (s->loss.back_ns ? s->loss.back_ns : now) - s->loss.noticed_ns;
	/* What it was not up for last. */
	if (up && !s->why[0])
		snprintf(s->why, sizeof(s->why), "%s", s->lost);
	m->up = up;
}

/* The counts are the disks' since they were found: here they begin with the first look. Other disks
 * under the same session begin anew. */
static void count_from_here(struct memory *m, struct backend_session *s, bool first)
{
	if (first || s->ios < m->ios || s->bytes < m->bytes || s->wait_ns < m->wait_ns) {
		m->ios = s->ios;
		m->bytes = s->bytes;
		m->wait_ns = s->wait_ns;
	}
	s->ios -= m->ios;
	s->bytes -= m->bytes;
	s->wait_ns -= m->wait_ns;
}

static void hear(struct memory *m, const struct backend_session *s, uint64_t now)
{
	if (s->segments_in >= 0 && s->segments_in != m->heard_segments) {
		m->heard_segments = s->segments_in;
		m->heard_ns = now;
	}
}

/* Sessions over the same portal and NIC are one path; the first seen has the lower number. */
static uint32_t path_of(struct kernel_iscsi *k, const struct memory *self)
{
	uint32_t paths = 0;

	for (unsigned i = 0; i < k->known; i++) {
		const struct memory *m = &k->memory[i];
		if (m == self)
			continue;
		if (strcmp(m->way, self->way) == 0)
			return m->last.session.path;
		if (m->way[0] && m->last.session.path >= paths)
			paths = m->last.session.path + 1;
	}
	return paths < PATHS_MAX ? paths : PATHS_MAX - 1;
}

static void take(struct kernel_iscsi *k, struct kernel_session *s, uint64_t now)
{
	struct memory *m = remember(k, s->facts.sid);

	if (!m)
		return;
	bool first = !m->way[0];
	if (first) {
		snprintf(m->way, sizeof(m->way), "%s by %s", s->session.portal, s->facts.nic);
		m->last.session.path = path_of(k, m);
	}
	hear(m, &s->session, now);
	count_from_here(m, &s->session, first);
	carry_on(m, &s->session, first, now);
	s->facts.read_ns = now;
	m->here = true;
	m->last = *s;
}

/* One that was there before and is no more: logged out, or its disk taken out of the target. */
static void miss(struct memory *m, uint64_t now)
{
	struct backend_session *s = &m->last.session;

	m->last.facts.read_ns = now;
	s->state = SESSION_DOWN;
	s->inflight = 0;
	snprintf(s->why, sizeof(s->why),
		 "%s no longer there: logged out, or no longer a part of it", m->last.facts.disks);
	backend_tcp_clear(s);
	m->last.facts.stats.known = false;
	if (m->up)
		lose(m, s, now);
	m->up = false;
	if (s->loss.noticed_ns)
		s->outage_ns = now - s->loss.noticed_ns;
}

/* --- One look. --- */

/* Going through all connections of a host with very many takes its time: once for each connection. What
 * it has found is asked for from then on. */
static bool prepare(uint32_t sid, struct ends *e, void *arg)
{
	struct kernel_iscsi *k = arg;
	struct sockaddr_storage found;

	for (unsigned i = 0; i < k->known; i++) {
		struct memory *m = &k->memory[i];
		if (m->last.facts.sid != sid)
			continue;
		if (m->last.session.rtt_us >= 0 &&
		    tcp_address_parse(m->last.session.local, &found) &&
		    tcp_address_port(&found) == tcp_address_port(&e->local))
			e->local = found;
		if (memcmp(&m->searched, &e->local, sizeof(e->local)) == 0)
			return false;
		m->searched = e->local;
	}
	return true;
}

static int look(struct kernel_iscsi *k)
{
	struct kernel_disks d = {0};
	struct kernel_session *list = NULL;
	char name[NODE_NAME];
	int n = 0;

	if (sysfs_name(&k->host, k->rdev, name)) {
		disks_below(&k->host, name, &d);
		k->stacked |= d.stacked;
		n = sessions_read(&k->host, &d, prepare, k, &list);
		disks_free(&d);
	}
	/* Without memory for it all is as it was. */
	if (n < 0)
		return n;
	uint64_t now = clock_ns();
	for (unsigned i = 0; i < k->known; i++)
		k->memory[i].here = false;
	for (int i = 0; i < n; i++)
		take(k, &list[i], now);
	for (unsigned i = 0; i < k->known; i++)
		if (!k->memory[i].here)
			miss(&k->memory[i], now);
	free(list);
	return n;
}

/* With the lock held, or before there is a thread. */
static void show(struct kernel_iscsi *k)
{
	for (unsigned i = 0; i < k->known; i++)
		k->shown[i] = k->memory[i].last;
	k->count = k->known;
}

/* --- The thread. --- */

static void destroy(struct kernel_iscsi *k)
{
	pthread_cond_destroy(&k->changed);
	pthread_mutex_destroy(&k->lock);
	free(k);
}

static void *work(void *arg)
{
	struct kernel_iscsi *k = arg;

	prctl(PR_SET_NAME, "lunscope-iscsi", 0, 0, 0);
	pthread_mutex_lock(&k->lock);
	while (!k->stopping) {
		if (!k->wanted) {
			pthread_cond_wait(&k->changed, &k->lock);
			continue;
		}
		pthread_mutex_unlock(&k->lock);
		look(k);
		pthread_mutex_lock(&k->lock);
		show(k);
		k->wanted = false;
		pthread_cond_broadcast(&k->changed);
	}
	k->ended = true;
	bool orphaned = k->orphaned;
	pthread_cond_broadcast(&k->changed);
	pthread_mutex_unlock(&k->lock);
	if (orphaned)
		destroy(k);
	return NULL;
}

/* Waits, with the lock held, until *done is as it should be, or for so long. */
static void wait_for(struct kernel_iscsi *k, const bool *flag, bool value, uint64_t ns)
{
	uint64_t end = clock_ns() + ns;
	struct timespec until = {(time_t)(end / NS_PER_SEC), (long)(end % NS_PER_SEC)};

	while (*flag != value)
		if (pthread_cond_timedwait(&k->changed, &k->lock, &until) == ETIMEDOUT)
			return;
}

static int start(struct kernel_iscsi *k, struct error *e)
{
	pthread_condattr_t monotonic;

	pthread_mutex_init(&k->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&k->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	/* Signals are for the main thread, which may not have blocked them yet. */
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int rc = pthread_create(&k->thread, NULL, work, k);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc == 0)
		return 0;
	destroy(k);
	return error_errno(e, rc, "the sessions beneath the target can't be watched");
}

int kernel_iscsi_open(struct kernel_iscsi **out, const struct guard_host *h, dev_t rdev,
		      struct error *e)
{
	struct kernel_iscsi *k = calloc(1, sizeof(*k));

	*out = NULL;
	if (!k)
		return error_set(e, ENOMEM, "out of memory for the target's sessions");
	k->host = *h;
	k->rdev = rdev;
	int n = look(k);
	/* What could not be seen of sysfs here is not what the write guard goes by. */
	sight_clear();
	if (n < 0 || (k->known == 0 && !k->stacked)) {
		free(k);
		return n < 0 ? error_set(e, ENOMEM, "out of memory for the target's sessions") : 0;
	}
	show(k);
	int rc = start(k, e);
	if (rc == 0)
		*out = k;
	return rc;
}

/* Ordinary answers come while it is waited for; else they are those of the last time, and say so. */
static void tell_age(struct backend_session *s, uint64_t age)
{
	char span[32];

	if (age > 2 * NS_PER_SEC)
		snprintf(s->why, sizeof(s->why), "as it was %s ago: the kernel's initiator is busy",
			 units_span(span, sizeof(span), age));
}

unsigned kernel_iscsi_look(struct kernel_iscsi *k, struct backend_session *s, unsigned max)
{
	pthread_mutex_lock(&k->lock);
	if (!k->wanted) {
		k->wanted = true;
		k->asked_ns = clock_ns();
		pthread_cond_broadcast(&k->changed);
	}
	wait_for(k, &k->wanted, false, ANSWER_NS);
	uint64_t age = k->wanted ? clock_ns() - k->asked_ns : 0;
	k->told = k->count < max ? k->count : max;
	for (unsigned i = 0; i < k->told; i++) {
		s[i] = k->shown[i].session;
		k->facts[i] = k->shown[i].facts;
		tell_age(&s[i], age);
	}
	pthread_mutex_unlock(&k->lock);
	return k->told;
}

unsigned kernel_iscsi_facts(const struct kernel_iscsi *k, struct kernel_facts *facts, unsigned max)
{
	unsigned n = k->told < max ? k->told : max;

	memcpy(facts, k->facts, n * sizeof(*facts));
	return n;
}

/* A look that the kernel keeps waiting ends when it will, without anybody who waits for it. */
void kernel_iscsi_close(struct kernel_iscsi *k)
{
	pthread_t thread;

	if (!k)
		return;
	pthread_mutex_lock(&k->lock);
	k->stopping = true;
	thread = k->thread;
	pthread_cond_broadcast(&k->changed);
	wait_for(k, &k->ended, true, END_NS);
	bool ended = k->ended;
	k->orphaned = !ended;
	pthread_mutex_unlock(&k->lock);
	if (!ended) {
		pthread_detach(thread);
		return;
	}
	pthread_join(thread, NULL);
	destroy(k);
}
