/* queue.c - a worker's session: IOs in flight, IOs that wait for it, and what it is worth.
 *
 * An IO is an order from submit to reap. It is sent, or held while the session is down or the target is
 * full; what comes back cancelled from a session that was lost is held too, and sent again on the next
 * one. So the depth that was asked for stays in flight, and an outage shows as the latency of the IOs
 * that met it. Callbacks only move orders between the lists.
 */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <arpa/inet.h>
/* The kernel's own, which has more than the C library's. */
#include <linux/tcp.h>
#include <time.h>

/* How long an IO may wait for a session, or for a target that is full, before it fails. */
#define HOLD_LIMIT_NS (30 * SEC_NS)
/* Between tries to log in again: at once when the session had lasted, then longer each time. */
#define LASTED_NS      (1 * SEC_NS)
#define RELOGIN_MIN_NS (100 * MS_NS)
#define RELOGIN_MAX_NS (2 * SEC_NS)
/* Pings; a session that leaves so many unanswered is dead. */
#define NOP_EVERY_NS (2 * SEC_NS)
#define NOPS_MAX     3
/* An IO that is not answered by then was lost by the target; there is time left to send it again. */
#define ANSWER_LIMIT_NS (15 * SEC_NS)
/* A target that is full or busy is left alone for so long, twice as long each time. */
#define FULL_MIN_NS (1 * MS_NS)
#define FULL_MAX_NS (100 * MS_NS)
/* An IO that only meets unit attentions fails after so many. */
#define ATTENTIONS_MAX 8
/* So many good answers in a row, and one more IO may be in flight. */
#define GROW_AFTER 64u

/* The longest READ(10) and WRITE(10), in blocks. */
#define SHORT_BLOCKS_MAX 65535u

#define relaxed memory_order_relaxed

struct order {
	struct iscsi_queue *queue;
	struct order *next; /* among the held */
	struct io *io;
	struct scsi_task *task; /* while it is in flight */
	uint64_t sent_ns;
	struct scsi_iovec iov;
	uint64_t mark; /* at the end of a read's buffer until data come over it */
	unsigned attentions;
	uint64_t since_ns; /* when it had to wait first; 0 = it never had */
};

struct iscsi_queue {
	struct iscsi_queue *next; /* of the target's */
	struct iscsi_target *target;
	struct session session;
	int wake_fd;
	uint32_t depth;
	struct order *order; /* by slot */
	struct io **done;    /* a ring of depth */
	uint32_t done_head, done_count;
	struct order *held, **held_tail;
	bool broken; /* a callback saw the session end */
	uint64_t up_since_ns, login_at_ns, relogin_ns;
	uint64_t nop_at_ns, look_at_ns;
	uint64_t full_until_ns, full_ns;
	uint32_t good_in_row;
	uint64_t next_mark;

	/* Looked at by others. */
	_Atomic uint32_t inflight, held_count, limit;
	_Atomic uint64_t busy, full, attentions, drops, ios, bytes;
	_Atomic bool window_limited;
	/* With the target's lock. */
	int fd;             /* of the session while it is open */
	uint64_t lost_ns;   /* since when it is lost; 0 = it is not */
	uint64_t outage_ns; /* how long it was last */
	enum backend_session_state state;
	char parameters[512];
	char why[192];
};

static void count(_Atomic uint64_t *n, uint64_t by)
{
	atomic_store_explicit(n, atomic_load_explicit(n, relaxed) + by, relaxed);
}

static void add(_Atomic uint32_t *n, int by)
{
	atomic_store_explicit(n, atomic_load_explicit(n, relaxed) + (uint32_t)by, relaxed);
}

static uint32_t inflight(const struct iscsi_queue *q)
{
	return atomic_load_explicit(&q->inflight, relaxed);
}

/* --- Orders. --- */

static void finish(struct iscsi_queue *q, struct order *o, int32_t result)
{
	uint32_t at = q->done_head + q->done_count++;

	o->io->result = result;
	q->done[at < q->depth ? at : at - q->depth] = o->io;
}

static void hold(struct iscsi_queue *q, struct order *o)
{
	if (!o->since_ns)
		o->since_ns = iscsi_now_ns();
	o->next = NULL;
	*q->held_tail = o;
	q->held_tail = &o->next;
	add(&q->held_count, 1);
}

static struct order *unhold(struct iscsi_queue *q)
{
	struct order *o = q->held;

	q->held = o->next;
	if (!q->held)
		q->held_tail = &q->held;
	add(&q->held_count, -1);
	return o;
}

/* --- Answers. --- */

static void note_error(struct iscsi_queue *q, const struct io *io, const struct scsi_end *end)
{
	struct iscsi_target *t = q->target;
	char words[120];

	scsi_end_words(end, words, sizeof(words));
	pthread_mutex_lock(&t->lock);
	snprintf(t->last_error, sizeof(t->last_error), "last SCSI error: %s at block %llu", words,
		 (unsigned long long)(io->offset / t->block));
	pthread_mutex_unlock(&t->lock);
}

/* Fewer at a time, later. */
static void obey(struct iscsi_queue *q)
{
	uint32_t now = inflight(q);

	q->good_in_row = 0;
	atomic_store_explicit(&q->limit, now > 1 ? now : 1, relaxed);
	/* Many answers that came together are one refusal. */
	if (iscsi_now_ns() < q->full_until_ns)
		return;
	q->full_ns = q->full_ns ? q->full_ns * 2 : FULL_MIN_NS;
	if (q->full_ns > FULL_MAX_NS)
		q->full_ns = FULL_MAX_NS;
	q->full_until_ns = iscsi_now_ns() + q->full_ns;
}

static void note_good(struct iscsi_queue *q)
{
	uint32_t limit = atomic_load_explicit(&q->limit, relaxed);

	q->full_ns = 0;
	if (limit && ++q->good_in_row >= GROW_AFTER) {
		q->good_in_row = 0;
		atomic_store_explicit(&q->limit, limit + 1 < q->depth ? limit + 1 : 0, relaxed);
	}
}

static uint8_t *end_of_buffer(const struct order *o)
{
	return (uint8_t *)o->io->buf + o->io->size - sizeof(o->mark);
}

/* libiscsi does not count the data that come in. Whether all came is seen at the end of the buffer. */
static void mark_buffer(struct iscsi_queue *q, struct order *o)
{
	/* An odd multiplier: each is different, and none looks like data. */
	o->mark = ++q->next_mark * UINT64_C(0x9e3779b97f4a7c15);
	memcpy(end_of_buffer(o), &o->mark, sizeof(o->mark));
}

/* Bytes that were moved. The target tells of a residual; one that sends less and says nothing has moved
 * nothing that can be relied on. */
static int32_t moved(const struct order *o, const struct scsi_task *task)
{
	size_t size = o->io->size;

	if (task->residual_status == SCSI_RESIDUAL_UNDERFLOW)
		return (int32_t)(task->residual < size ? size - task->residual : 0);
	if (o->io->op == IO_READ && memcmp(end_of_buffer(o), &o->mark, sizeof(o->mark)) == 0)
		return 0;
	return (int32_t)size;
}

static bool waited_too_long(const struct order *o)
{
	return o->since_ns && iscsi_now_ns() - o->since_ns > HOLD_LIMIT_NS;
}

static void settle(struct iscsi_queue *q, struct order *o, const struct scsi_end *end,
		   const struct scsi_task *task)
{
	bool attention = end->status == SCSI_STATUS_CHECK_CONDITION && end->key == 6;
	bool no_room = end->status == SCSI_STATUS_BUSY || end->status == SCSI_STATUS_TASK_SET_FULL;

	if (end->status == SCSI_STATUS_GOOD) {
		int32_t n = moved(o, task);
		count(&q->ios, 1);
		count(&q->bytes, (uint64_t)n);
		note_good(q);
		finish(q, o, n);
	} else if (end->status == SCSI_STATUS_CANCELLED || end->status == SCSI_STATUS_ERROR ||
		   end->status == SCSI_STATUS_TIMEOUT) {
		q->broken = true;
		hold(q, o);
	} else if (no_room && !waited_too_long(o)) {
		count(end->status == SCSI_STATUS_BUSY ? &q->busy : &q->full, 1);
		obey(q);
		hold(q, o);
	} else if (attention && o->attentions++ < ATTENTIONS_MAX) {
		count(&q->attentions, 1);
		hold(q, o);
	} else {
		note_error(q, o->io, end);
		finish(q, o, -scsi_end_errno(end));
	}
}

static void answered(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct scsi_task *task = data;
	struct order *o = private_data;
	struct scsi_end end = scsi_end_of(status, task);
	(void)c;

	o->task = NULL;
	add(&o->queue->inflight, -1);
	settle(o->queue, o, &end, task);
	if (task)
		scsi_free_scsi_task(task);
}

/* --- Sending. --- */

static struct scsi_task *make_task(struct iscsi_queue *q, struct order *o)
{
	const struct io *io = o->io;
	struct iscsi_context *c = q->session.c;
	int lun = q->target->peer.at.lun, block = (int)q->target->block;
	uint64_t at = io->offset / q->target->block, n = io->size / q->target->block;
	bool small = at + n <= UINT32_MAX && n <= SHORT_BLOCKS_MAX;

	o->iov = (struct scsi_iovec){io->buf, io->size};
	if (io->op == IO_READ)
		mark_buffer(q, o);
	if (io->op == IO_READ && small)
		return iscsi_read10_iov_task(c, lun, (uint32_t)at, io->size, block, 0, 0, 0, 0, 0,
					     answered, o, &o->iov, 1);
	if (io->op == IO_READ)
		return iscsi_read16_iov_task(c, lun, at, io->size, block, 0, 0, 0, 0, 0, answered,
					     o, &o->iov, 1);
	if (small)
		return iscsi_write10_iov_task(c, lun, (uint32_t)at, NULL, io->size, block, 0, 0, 0,
					      0, 0, answered, o, &o->iov, 1);
	return iscsi_write16_iov_task(c, lun, at, NULL, io->size, block, 0, 0, 0, 0, 0, answered, o,
				      &o->iov, 1);
}

static bool can_send(const struct iscsi_queue *q)
{
	uint32_t limit = atomic_load_explicit(&q->limit, relaxed);

	return q->session.state == STATE_UP && !q->session.failed && !q->broken &&
	       (!limit || inflight(q) < limit);
}

static void send_order(struct iscsi_queue *q, struct order *o)
{
	o->task = make_task(q, o);
	if (o->task) {
		o->sent_ns = iscsi_now_ns();
		add(&q->inflight, 1);
		return;
	}
	q->broken = true;
	hold(q, o);
}

/* Puts on the wire what was queued: as much as the socket and the target's command window take. */
static void flush(struct iscsi_queue *q)
{
	struct session *s = &q->session;

	if (s->state != STATE_UP || s->failed || q->broken)
		return;
	if (session_events(s) & POLLOUT)
		session_service(s, POLLOUT);
	if (s->failed || q->broken)
		return;
	bool waiting = iscsi_out_queue_length(s->c) > 0 && !(session_events(s) & POLLOUT);
	atomic_store_explicit(&q->window_limited, waiting, relaxed);
}

static void send_held(struct iscsi_queue *q)
{
	if (!q->held || !can_send(q) || (q->full_until_ns && iscsi_now_ns() < q->full_until_ns))
		return;
	q->full_until_ns = 0;
	while (q->held && can_send(q))
		send_order(q, unhold(q));
	flush(q);
}

/* --- The session. --- */

static void publish(struct iscsi_queue *q, enum backend_session_state state, const char *why)
{
	pthread_mutex_lock(&q->target->lock);

	enum backend_session_state was = q->state;
	q->state = state;
	q->fd = state == SESSION_UP ? session_fd(&q->session) : -1;
	uint64_t now = iscsi_now_ns();
	if (state == SESSION_DOWN && was == SESSION_UP)
		q->lost_ns = now;
	if (state == SESSION_UP && q->lost_ns) {
		q->outage_ns = now - q->lost_ns;
		q->lost_ns = 0;
	}
	if (state == SESSION_UP)
		snprintf(q->parameters, sizeof(q->parameters), "%s", q->session.parameters);
	if (why)
		snprintf(q->why, sizeof(q->why), "%.190s", why);
	pthread_mutex_unlock(&q->target->lock);
}

/* libiscsi calls no callbacks for what is in flight when a session ends after its logout, or before its
 * login: that comes back here. */
static void take_back(struct iscsi_queue *q)
{
	for (uint32_t i = 0; i < q->depth; i++) {
		struct order *o = &q->order[i];
		if (!o->task)
			continue;
		scsi_free_scsi_task(o->task);
		o->task = NULL;
		add(&q->inflight, -1);
		hold(q, o);
	}
}

/* Whoever looks at the socket must know first that it goes. */
static void drop(struct iscsi_queue *q)
{
	char why[192];
	bool was_up = q->state == SESSION_UP;
	uint64_t now = iscsi_now_ns();
	const char *text = q->session.why.text;

	if (!text[0] && q->session.c)
		text = iscsi_get_error(q->session.c);
	snprintf(why, sizeof(why), "%.190s", text && text[0] ? text : "the target hung up");
	publish(q, SESSION_DOWN, why);
	session_close(&q->session);
	take_back(q);
	q->broken = false;
	if (was_up) {
		count(&q->drops, 1);
		if (now - q->up_since_ns > LASTED_NS)
			q->relogin_ns = 0;
	}
	q->login_at_ns = now + q->relogin_ns;
	q->relogin_ns = q->relogin_ns ? q->relogin_ns * 2 : RELOGIN_MIN_NS;
	if (q->relogin_ns > RELOGIN_MAX_NS)
		q->relogin_ns = RELOGIN_MAX_NS;
}

/* Behind the same name there may be another LUN after a relogin: it is looked at like the first time,
 * by commands that are waited for, and nothing is sent to it before. */
static int check_lun(struct iscsi_queue *q, struct error *e)
{
	struct iscsi_target *t = q->target;
	struct backend_facts f;
	int rc = lun_ask(&q->session, t->peer.at.lun, &f, e);

	if (rc)
		return rc;
	if (strcmp(f.id, t->id) != 0 || f.logical_block != t->block)
		return error_set(e, ESTALE,
				 "%.200s: another LUN is there now ('%.80s' instead of '%.80s'): "
				 "open it anew",
				 t->peer.spec, f.id, t->id);
	return 0;
}

static void came_up(struct iscsi_queue *q)
{
	struct error e;

	if (check_lun(q, &e)) {
		q->session.why = e;
		drop(q);
		return;
	}
	q->up_since_ns = iscsi_now_ns();
	q->nop_at_ns = q->up_since_ns + NOP_EVERY_NS;
	publish(q, SESSION_UP, NULL);
}

static void keep_alive(struct iscsi_queue *q, uint64_t now)
{
	struct session *s = &q->session;

	if (now < q->nop_at_ns)
		return;
	q->nop_at_ns = now + NOP_EVERY_NS;
	if (iscsi_get_nops_in_flight(s->c) >= NOPS_MAX) {
		error_set(&s->why, ETIMEDOUT, "%u pings were not answered", NOPS_MAX);
		q->broken = true;
		return;
	}
	iscsi_nop_out_async(s->c, NULL, NULL, 0, NULL);
}

/* A target may lose a command and answer all others. Cancelling it is not safe in libiscsi 1.19, so its
 * session is given up, and it goes over the next one. */
static void check_answers(struct iscsi_queue *q, uint64_t now)
{
	if (now < q->look_at_ns)
		return;
	q->look_at_ns = now + SEC_NS;
	for (uint32_t i = 0; i < q->depth; i++)
		if (q->order[i].task && now > q->order[i].sent_ns + ANSWER_LIMIT_NS) {
			error_set(&q->session.why, ETIMEDOUT, "an IO was not answered within %u s",
				  (unsigned)(ANSWER_LIMIT_NS / SEC_NS));
			q->broken = true;
			return;
		}
}

/* IOs that have waited too long for a session fail. */
static void expire(struct iscsi_queue *q)
{
	uint32_t n = atomic_load_explicit(&q->held_count, relaxed);

	while (n--) {
		struct order *o = unhold(q);
		if (waited_too_long(o))
			finish(q, o, -ENOTCONN);
		else
			hold(q, o);
	}
}

/* What has to be done about the session, outside of all callbacks. */
static void tend(struct iscsi_queue *q)
{
	struct session *s = &q->session;
	uint64_t now = iscsi_now_ns();

	if (s->c && (s->failed || q->broken))
		drop(q);
	if (!s->c && now >= q->login_at_ns) {
		publish(q, SESSION_LOGIN, NULL);
		session_begin(s, &q->target->peer, false);
	}
	if (s->state == STATE_UP && q->state != SESSION_UP && !s->failed)
		came_up(q);
	if (s->state == STATE_UP && !s->failed) {
		keep_alive(q, now);
		check_answers(q, now);
	} else {
		expire(q);
	}
	send_held(q);
}

/* --- What the engine calls. --- */

static void join(struct iscsi_queue *q)
{
	struct iscsi_target *t = q->target;
	struct iscsi_queue **link = &t->queues;

	pthread_mutex_lock(&t->lock);
	while (*link)
		link = &(*link)->next;
	*link = q;
	q->session.isid = ++t->next_isid;
	pthread_mutex_unlock(&t->lock);
}

static void leave(struct iscsi_queue *q)
{
	struct iscsi_target *t = q->target;

	pthread_mutex_lock(&t->lock);
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

	publish(q, SESSION_DOWN, NULL);
	session_logout(&q->session);
	leave(q);
	free(q->order);
	free(q->done);
	free(q);
}

int queue_open(void *target, const struct backend_queue *how, void **queue, struct error *e)
{
	struct iscsi_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return error_set(e, ENOMEM, "iscsi: out of memory");
	q->target = target;
	q->wake_fd = how->wake_fd;
	q->depth = how->depth;
	q->held_tail = &q->held;
	q->fd = -1;
	join(q);
	q->order = calloc(how->depth, sizeof(*q->order));
	q->done = calloc(how->depth, sizeof(*q->done));
	int rc = q->order && q->done
			 ? 0
			 : error_set(e, ENOMEM, "iscsi: out of memory for %u outstanding",
				     how->asked);
	if (rc == 0)
		rc = session_open(&q->session, &q->target->peer, false, e);
	if (rc == 0)
		rc = check_lun(q, e);
	if (rc) {
		queue_close(q);
		return rc;
	}
	q->up_since_ns = iscsi_now_ns();
	q->nop_at_ns = q->up_since_ns + NOP_EVERY_NS;
	publish(q, SESSION_UP, NULL);
	for (uint32_t i = 0; i < how->depth; i++)
		q->order[i].queue = q;
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

	for (unsigned i = 0; i < n; i++) {
		struct order *o = &q->order[ios[i]->slot];
		o->io = ios[i];
		o->attentions = 0;
		o->since_ns = 0;
		if (o->io->op == IO_WRITE && !may_write(q->target, o->io))
			finish(q, o, -EPERM);
		else if (!q->held && can_send(q))
			send_order(q, o);
		else
			hold(q, o);
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

/* The next thing that happens without the network. */
static int64_t next_ns(const struct iscsi_queue *q)
{
	uint64_t now = iscsi_now_ns(), next = now + 100 * MS_NS;

	if (!q->session.c && q->login_at_ns < next)
		next = q->login_at_ns;
	if (q->held && q->full_until_ns && q->full_until_ns < next)
		next = q->full_until_ns;
	return next > now ? (int64_t)(next - now) : 0;
}

static void wait_for_answer(struct iscsi_queue *q, int64_t wait_ns)
{
	struct session *s = &q->session;
	struct pollfd p[] = {{session_fd(s), (short)session_events(s), 0}, {q->wake_fd, POLLIN, 0}};
	int64_t next = next_ns(q);

	if (wait_ns < 0 || wait_ns > next)
		wait_ns = next;
	struct timespec t = {wait_ns / 1000000000, wait_ns % 1000000000};
	if (ppoll(p, 2, &t, NULL) >= 0)
		session_service(s, p[0].revents);
}

int queue_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	struct iscsi_queue *q = queue;
	unsigned n = take(q, done, max);

	if (n)
		return (int)n;
	if (wait_ns == 0)
		/* Reads until there is nothing left; cheaper than asking first. */
		session_service(&q->session, q->session.state == STATE_UP ? POLLIN : 0);
	else
		wait_for_answer(q, wait_ns);
	tend(q);
	flush(q);
	return (int)take(q, done, max);
}

/* --- Looking at the sessions. --- */

static void address_words(const struct sockaddr_storage *a, char *out, size_t n)
{
	char host[INET6_ADDRSTRLEN] = "";

	if (a->ss_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *)a;
		inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host));
		snprintf(out, n, "%s:%u", host, ntohs(in->sin_port));
	} else if (a->ss_family == AF_INET6) {
		const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)a;
		inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
		snprintf(out, n, "[%s]:%u", host, ntohs(in6->sin6_port));
	}
}

static void look_at_tcp(int fd, struct backend_session *s)
{
	struct sockaddr_storage local;
	struct tcp_info i;
	socklen_t length = sizeof(local);

	if (getsockname(fd, (struct sockaddr *)&local, &length) == 0)
		address_words(&local, s->local, sizeof(s->local));
	length = sizeof(s->congestion);
	if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, s->congestion, &length))
		s->congestion[0] = 0;
	memset(&i, 0, sizeof(i));
	length = sizeof(i);
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &i, &length))
		return;
	s->rtt_us = i.tcpi_rtt;
	s->rttvar_us = i.tcpi_rttvar;
	s->cwnd = i.tcpi_snd_cwnd;
	s->retransmits = i.tcpi_total_retrans;
	s->mss = i.tcpi_snd_mss;
	s->mss_cap = i.tcpi_advmss;
	s->receive_mss = i.tcpi_rcv_mss;
	s->pmtu = i.tcpi_pmtu;
}

static void look(const struct iscsi_queue *q, struct backend_session *s)
{
	*s = (struct backend_session){
		.number = q->session.isid,
		.state = q->state,
		.outage_ns = q->lost_ns ? iscsi_now_ns() - q->lost_ns : q->outage_ns,
		.inflight = atomic_load_explicit(&q->inflight, relaxed),
		.held = atomic_load_explicit(&q->held_count, relaxed),
		.limit = atomic_load_explicit(&q->limit, relaxed),
		.window_limited = atomic_load_explicit(&q->window_limited, relaxed),
		.busy = atomic_load_explicit(&q->busy, relaxed),
		.full = atomic_load_explicit(&q->full, relaxed),
		.attentions = atomic_load_explicit(&q->attentions, relaxed),
		.drops = atomic_load_explicit(&q->drops, relaxed),
		.ios = atomic_load_explicit(&q->ios, relaxed),
		.bytes = atomic_load_explicit(&q->bytes, relaxed),
		.rtt_us = -1,
		.rttvar_us = -1,
		.cwnd = -1,
		.retransmits = -1,
		.mss = -1,
		.mss_cap = -1,
		.receive_mss = -1,
		.pmtu = -1,
	};
	snprintf(s->portal, sizeof(s->portal), "%.79s", q->target->peer.portal);
	snprintf(s->parameters, sizeof(s->parameters), "%s", q->parameters);
	snprintf(s->why, sizeof(s->why), "%s", q->why);
	if (q->fd >= 0)
		look_at_tcp(q->fd, s);
}

unsigned queue_sessions(void *target, struct backend_session *s, unsigned max)
{
	struct iscsi_target *t = target;
	unsigned n = 0;

	pthread_mutex_lock(&t->lock);
	for (const struct iscsi_queue *q = t->queues; q && n < max; q = q->next)
		look(q, &s[n++]);
	pthread_mutex_unlock(&t->lock);
	return n;
}
