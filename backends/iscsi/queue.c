/* queue.c - a worker's IOs, and which path each of them takes.
 *
 * An IO is an order from submit to reap. It is sent on a path, or held while there is none that takes it;
 * what comes back cancelled from a session that was lost is held too, and sent again on another or the
 * next one. So the depth that was asked for stays in flight, and an outage shows as the latency of the
 * IOs that met it. Callbacks only move orders between the lists.
 */
#include "backends/iscsi/path.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long a new queue waits for its other paths when one is up. */
#define OTHERS_NS (500 * MS_NS)
#define SLICE_NS  (100 * MS_NS)

struct iscsi_queue {
	struct iscsi_queue *next; /* of the target's */
	struct iscsi_target *target;
	int wake_fd;
	uint32_t depth;
	struct order *order; /* by slot */
	struct io **done;    /* a ring of depth */
	uint32_t done_head, done_count;
	struct order *held, **held_tail;
	unsigned turn;          /* whose it is, among equals */
	uint32_t acts;          /* of the target's, those that were taken up */
	bool acting;            /* and are under way */
	uint64_t none_since_ns; /* no path has been left since then; 0 = one is */
	_Atomic uint32_t held_count;
	unsigned paths;
	struct path path[ISCSI_PATHS_MAX];
};

/* --- Orders. --- */

void order_done(struct order *o, int32_t result)
{
	struct iscsi_queue *q = o->queue;
	uint32_t at = q->done_head + q->done_count++;

	if (o->stranded)
		loss_settle(o);
	o->io->result = result;
	q->done[at < q->depth ? at : at - q->depth] = o->io;
}

static void count_held(struct iscsi_queue *q, int by)
{
	uint32_t n = atomic_load_explicit(&q->held_count, relaxed);

	atomic_store_explicit(&q->held_count, n + (uint32_t)by, relaxed);
}

void order_hold(struct order *o)
{
	struct iscsi_queue *q = o->queue;

	if (!o->since_ns)
		o->since_ns = iscsi_now_ns();
	o->next = NULL;
	*q->held_tail = o;
	q->held_tail = &o->next;
	count_held(q, 1);
}

static struct order *unhold(struct iscsi_queue *q)
{
	struct order *o = q->held;

	q->held = o->next;
	if (!q->held)
		q->held_tail = &q->held;
	count_held(q, -1);
	return o;
}

/* IOs that have waited too long while no path was left fail. */
static void expire(struct iscsi_queue *q, uint64_t now)
{
	uint64_t hold = atomic_load_explicit(&q->target->hold_ns, relaxed);
	uint32_t n = atomic_load_explicit(&q->held_count, relaxed);

	while (n--) {
		struct order *o = unhold(q);
		uint64_t since = o->since_ns > q->none_since_ns ? o->since_ns : q->none_since_ns;
		if (now >= since && now - since >= hold)
			order_done(o, -ENOTCONN);
		else
			order_hold(o);
	}
}

/* --- Which path. --- */

static uint32_t choice(const struct iscsi_queue *q)
{
	return atomic_load_explicit(&q->target->choice, relaxed);
}

static struct path *choose(struct iscsi_queue *q, uint64_t now)
{
	return policy_choose(q->path, q->paths, choice(q), &q->turn, now);
}

static void flush(struct iscsi_queue *q)
{
	for (unsigned i = 0; i < q->paths; i++)
		path_flush(&q->path[i]);
}

static void send_held(struct iscsi_queue *q, uint64_t now)
{
	struct path *p;

	while (q->held && (p = choose(q, now)))
		path_send(p, unhold(q), now);
}

/* The target is being closed, and whoever closed it has given up what is still out. */
static void give_up(struct iscsi_queue *q)
{
	for (unsigned i = 0; i < q->paths; i++)
		path_abandon(&q->path[i]);
	while (q->held)
		order_done(unhold(q), -ECANCELED);
}

static void act(struct iscsi_queue *q, uint64_t now)
{
	uint32_t acts = atomic_load_explicit(&q->target->acts, memory_order_acquire);

	if (!q->acting && acts == q->acts)
		return;
	q->acts = acts;
	q->acting = path_act_tend(q->path, q->paths, now);
}

static void tend_held(struct iscsi_queue *q, uint64_t now)
{
	if (policy_left(q->path, q->paths, choice(q)))
		q->none_since_ns = 0;
	else if (!q->none_since_ns)
		q->none_since_ns = now;
	if (q->none_since_ns)
		expire(q, now);
	send_held(q, now);
}

static void tend(struct iscsi_queue *q)
{
	uint64_t now = iscsi_now_ns();

	if (atomic_load_explicit(&q->target->end, relaxed)) {
		give_up(q);
		return;
	}

	for (unsigned i = 0; i < q->paths; i++)
		path_tally(&q->path[i], now);
	act(q, now);
	for (unsigned i = 0; i < q->paths; i++)
		path_tend(&q->path[i], now);
	if (q->held)
		tend_held(q, now);
	else
		q->none_since_ns = 0;
	flush(q);
}

/* --- Waiting. --- */

static uint64_t next_ns(const struct iscsi_queue *q, uint64_t now)
{
	uint64_t next = now + SLICE_NS;

	for (unsigned i = 0; i < q->paths; i++) {
		uint64_t t = path_next_ns(&q->path[i], now);
		if (t > now && t < next)
			next = t;
	}
	return next;
}

/* At most wait_ns, -1 as long as there is nothing else to do. */
static void wait_for_answer(struct iscsi_queue *q, int64_t wait_ns)
{
	struct pollfd p[ISCSI_PATHS_MAX + 1] = {{q->wake_fd, POLLIN, 0}};
	uint64_t now = iscsi_now_ns();
	int64_t next = (int64_t)(next_ns(q, now) - now);

	for (unsigned i = 0; i < q->paths; i++)
		p[i + 1] = (struct pollfd){session_fd(&q->path[i].session),
					   (short)session_events(&q->path[i].session), 0};
	if (wait_ns < 0 || wait_ns > next)
		wait_ns = next;
	struct timespec t = {wait_ns / 1000000000, wait_ns % 1000000000};
	if (ppoll(p, q->paths + 1, &t, NULL) < 0)
		return;
	for (unsigned i = 0; i < q->paths; i++)
		if (p[i + 1].revents || q->path[i].session.state != STATE_UP)
			session_service(&q->path[i].session, p[i + 1].revents);
}

/* Reads until there is nothing left; cheaper than asking first. */
static void look_once(struct iscsi_queue *q)
{
	for (unsigned i = 0; i < q->paths; i++) {
		struct path *p = &q->path[i];
		if (p->session.state == STATE_UP &&
		    (path_inflight(p) || p->ping_ns || p->leaving || p->check.reply.pending))
			session_service(&p->session, POLLIN);
	}
}

/* --- What the engine calls. --- */

/* The ISID's qualifier has 16 bits, and the last one is the target's own. */
static uint32_t next_number(struct iscsi_target *t)
{
	t->next_number = t->next_number % 0xfffe + 1;
	return t->next_number;
}

static void join(struct iscsi_queue *q)
{
	struct iscsi_target *t = q->target;
	struct iscsi_queue **link = &t->queues;

	pthread_mutex_lock(&t->lock);
	while (*link)
		link = &(*link)->next;
	*link = q;
	if (q->depth > atomic_load(&t->deepest))
		atomic_store(&t->deepest, q->depth);
	t->users++;
	for (unsigned i = 0; i < q->paths; i++)
		path_init(&q->path[i], t, q->path, q->paths, i, next_number(t));
	q->acts = atomic_load(&t->acts);
	pthread_mutex_unlock(&t->lock);
}

/* What its sessions did stays told of their paths. */
static void bequeath(const struct iscsi_queue *q)
{
	struct backend_session s;

	for (unsigned i = 0; i < q->paths; i++) {
		struct backend_past *past = &q->target->past[i];
		path_look(&q->path[i], &s);
		past->ios += s.ios;
		past->bytes += s.bytes;
		past->wait_ns += s.wait_ns;
	}
}

static void leave(struct iscsi_queue *q)
{
	struct iscsi_target *t = q->target;

	pthread_mutex_lock(&t->lock);
	bequeath(q);
	for (struct iscsi_queue **link = &t->queues; *link; link = &(*link)->next)
		if (*link == q) {
			*link = q->next;
			break;
		}
	pthread_mutex_unlock(&t->lock);
}

void queue_close(void *queue)
{
	struct iscsi_queue *q = queue;

	path_close_all(q->path, q->paths);
	leave(q);
	target_leave(q->target);
	free(q->order);
	free(q->done);
	free(q);
}

/* Until all paths are up or have failed once; not long for the others when one is up. */
static int open_paths(struct iscsi_queue *q, struct error *e)
{
	uint64_t start = iscsi_now_ns();
	unsigned up = 0, failed = 0;

	while (up + failed < q->paths) {
		tend(q);
		up = failed = 0;
		for (unsigned i = 0; i < q->paths; i++) {
			up += q->path[i].state == SESSION_UP;
			failed += path_has_failed(&q->path[i]);
		}
		if (up + failed == q->paths || (up && iscsi_now_ns() > start + OTHERS_NS))
			break;
		wait_for_answer(q, SLICE_NS);
	}
	for (unsigned i = 0; !up && i < q->paths; i++)
		if (!q->path[i].out)
			return error_set(e, ENOTCONN, "%s", q->path[i].why);
	return 0;
}

int queue_open(void *target, const struct backend_queue *how, void **queue, struct error *e)
{
	struct iscsi_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return error_set(e, ENOMEM, "iscsi: out of memory");
	q->target = target;
	q->wake_fd = how->wake_fd;
	q->depth = how->depth;
	q->paths = q->target->paths;
	q->held_tail = &q->held;
	join(q);
	q->order = calloc(how->depth, sizeof(*q->order));
	q->done = calloc(how->depth, sizeof(*q->done));
	int rc = q->order && q->done
			 ? 0
			 : error_set(e, ENOMEM, "iscsi: out of memory for %u outstanding",
				     how->asked);
	for (uint32_t i = 0; rc == 0 && i < how->depth; i++) {
		q->order[i].queue = q;
		q->order[i].mark = (uint64_t)i << 32;
	}
	for (unsigned i = 0; rc == 0 && i < q->paths; i++) {
		q->path[i].order = q->order;
		q->path[i].orders = how->depth;
	}
	if (rc == 0)
		rc = open_paths(q, e);
	if (rc) {
		queue_close(q);
		return rc;
	}
	*queue = q;
	return 0;
}

/* The kernel keeps a descriptor that was opened for reading from writing; here nobody else does. */
static bool may_write(const struct iscsi_target *t, const struct io *io)
{
	uint64_t start = atomic_load_explicit(&t->write_start, relaxed);
	uint64_t end = atomic_load_explicit(&t->write_end, relaxed);

	return io->offset >= start && io->size <= end && io->offset <= end - io->size;
}

int queue_submit(void *queue, struct io **ios, unsigned n)
{
	struct iscsi_queue *q = queue;
	uint64_t now = iscsi_now_ns();

	for (unsigned i = 0; i < n; i++) {
		struct order *o = &q->order[ios[i]->slot];
		struct path *p = NULL;
		o->io = ios[i];
		o->attentions = 0;
		o->since_ns = o->first_ns = 0;
		if (o->io->op == IO_WRITE && !may_write(q->target, o->io)) {
			order_done(o, -EPERM);
			continue;
		}
		if (!q->held)
			p = choose(q, now);
		if (p)
			path_send(p, o, now);
		else
			order_hold(o);
	}
	flush(q);
	return (int)n;
}

static unsigned take(struct iscsi_queue *q, struct io **done, unsigned max)
{
	unsigned n = 0;

	for (; n < max && q->done_count; n++) {
		done[n] = q->done[q->done_head];
		q->done_head = q->done_head + 1 < q->depth ? q->done_head + 1 : 0;
		q->done_count--;
	}
	return n;
}

int queue_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	struct iscsi_queue *q = queue;
	unsigned n = take(q, done, max);

	if (n)
		return (int)n;
	if (wait_ns == 0)
		look_once(q);
	else
		wait_for_answer(q, wait_ns);
	tend(q);
	return (int)take(q, done, max);
}

unsigned queue_sessions(void *target, struct backend_session *s, unsigned max)
{
	struct iscsi_target *t = target;
	unsigned n = 0;

	pthread_mutex_lock(&t->lock);
	for (const struct iscsi_queue *q = t->queues; q; q = q->next)
		for (unsigned i = 0; i < q->paths && n < max; i++) {
			path_look(&q->path[i], &s[n]);
			/* The held have no path. */
			s[n++].held = i ? 0 : atomic_load_explicit(&q->held_count, relaxed);
		}
	pthread_mutex_unlock(&t->lock);
	return n;
}

void queue_past(void *target, struct backend_past *past)
{
	struct iscsi_target *t = target;

	pthread_mutex_lock(&t->lock);
	memcpy(past, t->past, sizeof(t->past));
	pthread_mutex_unlock(&t->lock);
}
