/* watch.c - see watch.h. The thread works on what is its own, and gives finished facts away under a lock;
 * which NICs there are to watch is in watch_nics.c.
 */
#include "env/watch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "env/files.h"
#include "env/watch_internal.h"
#include "units.h"

/* How often is read what nobody is notified of. */
#define READ_NS (NS_PER_SEC / 2)
/* How long closing waits for a thread that the kernel holds. */
#define CLOSE_S 2

struct env_watch {
	atomic_int holders; /* the caller and the thread; the last one frees it */
	int wake;           /* eventfd: there is something new in `wanted` or `stopping` */

	pthread_mutex_t lock;
	pthread_cond_t ended_now;
	/* Under the lock. */
	bool stopping, ended;
	struct env_scope wanted;
	unsigned wanted_count; /* how often it was given */
	struct facts now;
	unsigned now_count; /* how often it was another one */
	struct env_nic nic[WATCH_NICS];
	unsigned nics;

	/* The caller's. */
	struct facts seen;
	unsigned seen_count, comings;

	/* The thread's. */
	char root[256];
	struct env_scope scope;
	unsigned scope_count;
	struct env_files files;
	struct nic_watch *net; /* NULL: NICs are left out */
	struct facts fresh;
};

void env_scope_add(struct env_scope *s, const char *nic)
{
	for (unsigned i = 0; i < WATCH_NICS; i++) {
		if (strncmp(s->nic[i], nic, sizeof(s->nic[i])) == 0)
			return;
		if (!s->nic[i][0]) {
			snprintf(s->nic[i], sizeof(s->nic[i]), "%.15s", nic);
			return;
		}
	}
}

unsigned env_scope_count(const struct env_scope *s)
{
	unsigned n = 0;

	while (n < WATCH_NICS && s->nic[n][0])
		n++;
	return n;
}

/* --- The thread. --- */

static void open_files(struct env_watch *w)
{
	env_files_close(&w->files);
	env_sysctls(&w->files, w->root);
	if (w->scope.device[0])
		env_queues(&w->files, w->root, w->scope.device);
}

/* Puts together what is known, and gives it away if it is something else than before. */
static void publish(struct env_watch *w)
{
	facts_clear(&w->fresh);
	env_files_read(&w->files, &w->fresh);
	if (w->net)
		nic_watch_facts(w->net, &w->fresh);
	pthread_mutex_lock(&w->lock);
	if (facts_compare(&w->now, &w->fresh, NULL, NULL)) {
		struct facts old = w->now;
		w->now = w->fresh;
		w->fresh = old;
		w->now_count++;
	}
	w->nics = w->net ? nic_watch_list(w->net, w->nic) : 0;
	pthread_mutex_unlock(&w->lock);
}

/* Takes over what is wanted; false when that is the end. */
static bool obey(struct env_watch *w)
{
	pthread_mutex_lock(&w->lock);
	bool stopping = w->stopping, other = w->scope_count != w->wanted_count;
	w->scope = w->wanted;
	w->scope_count = w->wanted_count;
	pthread_mutex_unlock(&w->lock);
	if (stopping)
		return false;
	if (other) {
		open_files(w);
		if (w->net)
			nic_watch_scope(w->net, &w->scope);
	}
	return true;
}

static void wait_for_news(struct env_watch *w, uint64_t until_ns)
{
	uint64_t now = clock_ns(), count;
	struct pollfd p[3] = {{.fd = w->wake, .events = POLLIN}, {.fd = -1}, {.fd = -1}};

	if (w->net)
		nic_watch_poll(w->net, &p[1]);
	int ms = until_ns > now ? (int)((until_ns - now) / NS_PER_MS) + 1 : 0;
	if (poll(p, 3, ms) > 0 && p[0].revents && read(w->wake, &count, sizeof(count)) < 0) {
		/* Somebody else has read it: nobody does. */
	}
}

static void let_go(struct env_watch *w)
{
	if (atomic_fetch_sub(&w->holders, 1) != 1)
		return;
	env_files_close(&w->files);
	nic_watch_close(w->net);
	facts_free(&w->now);
	facts_free(&w->seen);
	facts_free(&w->fresh);
	if (w->wake >= 0)
		close(w->wake);
	pthread_cond_destroy(&w->ended_now);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void *watch_main(void *arg)
{
	struct env_watch *w = arg;
	uint64_t next = clock_ns() + READ_NS;

	prctl(PR_SET_NAME, "lunscope-watch", 0, 0, 0);
	for (;;) {
		wait_for_news(w, next);
		if (!obey(w))
			break;
		bool due = clock_ns() >= next;
		if (w->net)
			nic_watch_look(w->net, due);
		publish(w);
		/* What was missed is not made up for. */
		while (next <= clock_ns())
			next += READ_NS;
	}
	pthread_mutex_lock(&w->lock);
	w->ended = true;
	pthread_cond_signal(&w->ended_now);
	pthread_mutex_unlock(&w->lock);
	let_go(w);
	return NULL;
}

/* --- Its owner. --- */

static int start(struct env_watch *w, struct error *e)
{
	pthread_attr_t attr;
	pthread_t thread;

	/* The thread may outlive its owner: see env_watch_close(). */
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	atomic_store(&w->holders, 2);
	int rc = pthread_create(&thread, &attr, watch_main, w);
	pthread_attr_destroy(&attr);
	if (rc == 0)
		return 0;
	atomic_store(&w->holders, 1);
	return error_errno(e, rc, "no thread to watch the settings");
}

static int prepare(struct env_watch *w, struct error *e)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->ended_now, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&w->lock, NULL);
	atomic_store(&w->holders, 1);
	w->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->wake < 0)
		return error_errno(e, errno, "eventfd");
	return w->root[0] ? 0 : nic_watch_open(&w->net, e);
}

int env_watch_open(struct env_watch **out, const char *root, const struct env_scope *scope,
		   struct error *e)
{
	struct env_watch *w = calloc(1, sizeof(*w));

	*out = NULL;
	if (!w)
		return error_set(e, ENOMEM, "out of memory to watch the settings");
	snprintf(w->root, sizeof(w->root), "%s", root);
	w->wanted = *scope;
	w->wanted_count = 1;
	int rc = prepare(w, e);
	if (rc == 0) {
		obey(w);
		publish(w);
		env_watch_look(w, NULL, NULL);
		rc = start(w, e);
	}
	if (rc)
		let_go(w);
	else
		*out = w;
	return rc;
}

static void wake(struct env_watch *w)
{
	if (write(w->wake, &(uint64_t){1}, sizeof(uint64_t)) < 0) {
		/* It has been woken 2^64 times and not looked yet. */
	}
}

void env_watch_close(struct env_watch *w)
{
	struct timespec until;

	if (!w)
		return;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += CLOSE_S;
	pthread_mutex_lock(&w->lock);
	w->stopping = true;
	wake(w);
	while (!w->ended)
		if (pthread_cond_timedwait(&w->ended_now, &w->lock, &until) == ETIMEDOUT)
			break;
	pthread_mutex_unlock(&w->lock);
	let_go(w);
}

void env_watch_scope(struct env_watch *w, const struct env_scope *scope)
{
	pthread_mutex_lock(&w->lock);
	if (memcmp(&w->wanted, scope, sizeof(*scope)) != 0) {
		w->wanted = *scope;
		w->wanted_count++;
		wake(w);
	}
	pthread_mutex_unlock(&w->lock);
}

struct telling {
	facts_changed_fn *changed;
	void *arg;
	unsigned told, comings;
};

static void tell(const char *words, const char *from, const char *to, void *arg)
{
	struct telling *t = arg;

	if (!from || !to) {
		t->comings++;
		return;
	}
	t->told++;
	if (t->changed)
		t->changed(words, from, to, t->arg);
}

unsigned env_watch_look(struct env_watch *w, facts_changed_fn *changed, void *arg)
{
	struct telling t = {changed, arg, 0, 0};

	pthread_mutex_lock(&w->lock);
	if (w->seen_count != w->now_count) {
		facts_compare(&w->seen, &w->now, tell, &t);
		facts_copy(&w->seen, &w->now);
		w->seen_count = w->now_count;
		w->comings += t.comings;
	}
	pthread_mutex_unlock(&w->lock);
	return t.told;
}

const struct facts *env_watch_facts(const struct env_watch *w)
{
	return &w->seen;
}

unsigned env_watch_comings(const struct env_watch *w)
{
	return w->comings;
}

unsigned env_watch_nics(struct env_watch *w, struct env_nic out[WATCH_NICS])
{
	pthread_mutex_lock(&w->lock);
	unsigned n = w->nics;
	memcpy(out, w->nic, n * sizeof(*out));
	pthread_mutex_unlock(&w->lock);
	return n;
}
