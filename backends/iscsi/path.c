/* path.c - see path.h.
 *
 * A session that is lost is logged in again by us: at once when it had lasted, then with growing pauses.
 * Behind the same name there may be another LUN by then, so it is looked at before anything is sent. A
 * target that is full gets fewer IOs at a time, later. Callbacks only note and move orders.
 */
#include "backends/iscsi/path.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* Between tries to log in again. */
#define LASTED_NS      (1 * SEC_NS)
#define RELOGIN_MIN_NS (100 * MS_NS)
#define RELOGIN_MAX_NS (1 * SEC_NS)
/* Pings; a session that leaves so many unanswered is dead. Where there are other paths, soon. */
#define NOP_EVERY_NS (2 * SEC_NS)
#define NOPS_MAX     3
#define NOP_SHORT_NS (SEC_NS / 2)
#define NOPS_FEW     2
/* An IO that is not answered by then was lost by the target; there is time left to send it again. */
#define ANSWER_LIMIT_NS (15 * SEC_NS)
/* A target that is full or busy is left alone for so long, twice as long each time. */
#define FULL_MIN_NS (1 * MS_NS)
#define FULL_MAX_NS (100 * MS_NS)
/* An IO that only meets unit attentions fails after so many. */
#define ATTENTIONS_MAX 8
/* libiscsi walks its queue for each command that it is given: it is emptied each time so many are in it. */
#define QUEUE_MAX 8u
/* So many good answers in a row, and one more IO may be in flight. */
#define GROW_AFTER 64u

/* The longest READ(10) and WRITE(10), in blocks. */
#define SHORT_BLOCKS_MAX 65535u

#define relaxed memory_order_relaxed

static void count(_Atomic uint64_t *n, uint64_t by)
{
	atomic_store_explicit(n, atomic_load_explicit(n, relaxed) + by, relaxed);
}

static void add(_Atomic uint32_t *n, int by)
{
	atomic_store_explicit(n, atomic_load_explicit(n, relaxed) + (uint32_t)by, relaxed);
}

/* --- Answers. --- */

static void note_error(struct path *p, const struct io *io, const struct scsi_end *end)
{
	struct iscsi_target *t = p->target;
	char words[120];

	scsi_end_words(end, words, sizeof(words));
	pthread_mutex_lock(&t->lock);
	snprintf(t->last_error, sizeof(t->last_error), "last SCSI error: %s at block %llu", words,
		 (unsigned long long)(io->offset / t->block));
	pthread_mutex_unlock(&t->lock);
}

/* Fewer at a time, later. */
static void obey(struct path *p)
{
	uint32_t now = path_inflight(p);

	p->good_in_row = 0;
	atomic_store_explicit(&p->limit, now > 1 ? now : 1, relaxed);
	/* Many answers that came together are one refusal. */
	if (iscsi_now_ns() < p->full_until_ns)
		return;
	p->full_ns = p->full_ns ? p->full_ns * 2 : FULL_MIN_NS;
	if (p->full_ns > FULL_MAX_NS)
		p->full_ns = FULL_MAX_NS;
	p->full_until_ns = iscsi_now_ns() + p->full_ns;
}

static void note_good(struct path *p, int32_t bytes)
{
	uint32_t limit = atomic_load_explicit(&p->limit, relaxed);

	count(&p->ios, 1);
	count(&p->bytes, (uint64_t)bytes);
	p->full_ns = 0;
	if (limit && ++p->good_in_row >= GROW_AFTER) {
		p->good_in_row = 0;
		/* One that holds nothing back any more goes. */
		atomic_store_explicit(&p->limit, limit < p->target->deepest ? limit + 1 : 0,
				      relaxed);
	}
}

static uint8_t *end_of_buffer(const struct order *o)
{
	return (uint8_t *)o->io->buf + o->io->size - sizeof(o->mark);
}

/* libiscsi does not count the data that come in. Whether all came is seen at the end of the buffer. */
static void mark_buffer(struct order *o)
{
	/* An odd multiplier: each is different, and none looks like data. */
	o->mark = (o->mark + 1) * UINT64_C(0x9e3779b97f4a7c15);
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

static void settle(struct path *p, struct order *o, const struct scsi_end *end,
		   const struct scsi_task *task)
{
	bool attention = end->status == SCSI_STATUS_CHECK_CONDITION && end->key == 6;
	bool no_room = end->status == SCSI_STATUS_BUSY || end->status == SCSI_STATUS_TASK_SET_FULL;

	if (end->status == SCSI_STATUS_GOOD) {
		int32_t n = moved(o, task);
		note_good(p, n);
		order_done(o, n);
	} else if (end->status == SCSI_STATUS_CANCELLED || end->status == SCSI_STATUS_ERROR ||
		   end->status == SCSI_STATUS_TIMEOUT) {
		p->broken = true;
		order_hold(o);
	} else if (no_room && !waited_too_long(o)) {
		count(end->status == SCSI_STATUS_BUSY ? &p->busy : &p->full, 1);
		obey(p);
		order_hold(o);
	} else if (attention && o->attentions++ < ATTENTIONS_MAX) {
		count(&p->attentions, 1);
		order_hold(o);
	} else {
		note_error(p, o->io, end);
		order_done(o, -scsi_end_errno(end));
	}
}

static void answered(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct scsi_task *task = data;
	struct order *o = private_data;
	struct scsi_end end = scsi_end_of(status, task);
	(void)c;

	o->task = NULL;
	add(&o->path->inflight, -1);
	o->path->answered_ns = 0;
	settle(o->path, o, &end, task);
	if (task)
		scsi_free_scsi_task(task);
}

/* --- Sending. --- */

static struct scsi_task *make_task(struct path *p, struct order *o)
{
	const struct io *io = o->io;
	struct iscsi_context *c = p->session.c;
	int lun = p->peer->at.lun, block = (int)p->target->block;
	uint64_t at = io->offset / p->target->block, n = io->size / p->target->block;
	bool small = at + n <= UINT32_MAX && n <= SHORT_BLOCKS_MAX;

	o->iov = (struct scsi_iovec){io->buf, io->size};
	if (io->op == IO_READ)
		mark_buffer(o);
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

/* Only the worker writes state, so it may read it without the lock. */
static bool is_up(const struct path *p)
{
	return p->state == SESSION_UP && !p->session.failed && !p->broken;
}

bool path_takes(const struct path *p, uint64_t now)
{
	uint32_t limit = atomic_load_explicit(&p->limit, relaxed);

	return is_up(p) && now >= p->full_until_ns && (!limit || path_inflight(p) < limit);
}

/* libiscsi sends each command by itself, so each would be a packet of its own. A corked socket puts them
 * together (tcp(7)). */
static void cork(struct path *p, bool on)
{
	int value = on;

	p->corked = on;
	setsockopt(session_fd(&p->session), IPPROTO_TCP, TCP_CORK, &value, sizeof(value));
}

static void push(struct path *p)
{
	if (is_up(p) && session_events(&p->session) & POLLOUT)
		session_service(&p->session, POLLOUT);
}

void path_send(struct path *p, struct order *o, uint64_t now)
{
	if (!path_inflight(p))
		p->answered_ns = now;
	o->path = p;
	o->task = make_task(p, o);
	if (!o->task) {
		p->broken = true;
		order_hold(o);
		return;
	}
	o->sent_ns = now;
	add(&p->inflight, 1);
	if (++p->queued % QUEUE_MAX)
		return;
	if (!p->corked)
		cork(p, true);
	push(p);
}

/* As much as the socket and the target's command window take. */
void path_flush(struct path *p)
{
	struct session *s = &p->session;

	if (!is_up(p))
		return;
	if (p->queued > 1 && !p->corked)
		cork(p, true);
	p->queued = 0;
	push(p);
	if (p->corked && is_up(p))
		cork(p, false);
	if (!is_up(p))
		return;
	bool waiting = iscsi_out_queue_length(s->c) > 0 && !(session_events(s) & POLLOUT);
	if (waiting != atomic_load_explicit(&p->window_limited, relaxed))
		atomic_store_explicit(&p->window_limited, waiting, relaxed);
}

/* --- The session. --- */

static void publish(struct path *p, enum backend_session_state state, const char *why)
{
	uint64_t now = iscsi_now_ns();

	pthread_mutex_lock(&p->target->lock);
	if (state == SESSION_DOWN && p->state == SESSION_UP) {
		p->lost_ns = now;
		snprintf(p->lost, sizeof(p->lost), "%.190s", why ? why : "");
	}
	if (state == SESSION_UP && p->lost_ns) {
		p->outage_ns = now - p->lost_ns;
		p->lost_ns = 0;
	}
	p->state = state;
	p->fd = state == SESSION_UP ? session_fd(&p->session) : -1;
	if (state == SESSION_UP)
		snprintf(p->parameters, sizeof(p->parameters), "%s", p->session.parameters);
	if (why)
		snprintf(p->why, sizeof(p->why), "%.190s", why);
	pthread_mutex_unlock(&p->target->lock);
}

static bool is_out(const struct path *p, const struct order *o)
{
	return o->task && o->path == p;
}

/* libiscsi calls no callbacks for what is in flight when a session ends after its logout, or before its
 * login: that comes back here. */
static void take_back(struct path *p)
{
	for (uint32_t i = 0; i < p->orders; i++) {
		struct order *o = &p->order[i];
		if (!is_out(p, o))
			continue;
		scsi_free_scsi_task(o->task);
		o->task = NULL;
		add(&p->inflight, -1);
		order_hold(o);
	}
}

/* Whoever looks at the socket must know first that it goes. */
static void drop(struct path *p, uint64_t now)
{
	bool was_up = p->state == SESSION_UP;
	const char *text = p->session.why.text;

	if (!text[0] && p->session.c)
		text = iscsi_get_error(p->session.c);
	publish(p, SESSION_DOWN, text && text[0] ? text : "the target hung up");
	session_close(&p->session);
	take_back(p);
	p->broken = p->corked = false;
	p->queued = 0;
	if (was_up) {
		count(&p->drops, 1);
		if (now - p->up_since_ns > LASTED_NS)
			p->relogin_ns = 0;
	}
	p->login_at_ns = now + p->relogin_ns;
	p->relogin_ns = p->relogin_ns ? p->relogin_ns * 2 : RELOGIN_MIN_NS;
	if (p->relogin_ns > RELOGIN_MAX_NS)
		p->relogin_ns = RELOGIN_MAX_NS;
}

static void send_check(struct path *p)
{
	struct path_check *c = &p->check;

	c->reply = (struct reply){.data = c->data, .room = sizeof(c->data)};
	memset(c->data, 0, sizeof(c->data));
	if (c->step == CHECK_NAME ? lun_send_names(&p->session, p->peer->at.lun, &c->reply)
				  : lun_send_capacity(&p->session, p->peer->at.lun, &c->reply))
		p->broken = true;
}

static void check_failed(struct path *p, const char *words)
{
	error_set(&p->session.why, ESTALE, "%.200s: %.200s", p->peer->spec, words);
	p->broken = true;
}

/* The answer to the step that was sent. */
static void take_check(struct path *p, uint64_t now)
{
	struct path_check *c = &p->check;
	const struct reply *r = &c->reply;
	bool again = (r->end.status == SCSI_STATUS_CHECK_CONDITION && r->end.key == 6) ||
		     r->end.status == SCSI_STATUS_BUSY;
	char words[160], id[160];

	if (again && c->tries++ < ATTENTIONS_MAX) {
		send_check(p);
		return;
	}
	if (c->step == CHECK_NAME) {
		scsi_page83_id(c->data, r->length, id, sizeof(id));
		if (strcmp(id, p->target->id) != 0) {
			snprintf(words, sizeof(words),
				 "another LUN is there ('%.60s', not '%.60s')", id, p->target->id);
			check_failed(p, words);
			return;
		}
		c->step = CHECK_BLOCK;
		send_check(p);
		return;
	}
	if (r->end.status != SCSI_STATUS_GOOD || be32(c->data + 4) != p->target->block) {
		check_failed(p, r->end.status ? scsi_end_words(&r->end, words, sizeof(words))
					      : "its blocks have another size now");
		return;
	}
	c->step = CHECK_DONE;
	p->up_since_ns = now;
	p->nop_at_ns = now;
	publish(p, SESSION_UP, NULL);
}

static void keep_alive(struct path *p, uint64_t now)
{
	struct session *s = &p->session;
	bool others = p->target->paths > 1;
	int most = others ? NOPS_FEW : NOPS_MAX;

	if (now < p->nop_at_ns)
		return;
	p->nop_at_ns = now + (others ? NOP_SHORT_NS : NOP_EVERY_NS);
	if (iscsi_get_nops_in_flight(s->c) >= most) {
		error_set(&s->why, ETIMEDOUT, "%d pings were not answered", most);
		p->broken = true;
		return;
	}
	iscsi_nop_out_async(s->c, NULL, NULL, 0, NULL);
	path_flush(p);
}

/* A target may lose a command and answer all others. Cancelling it is not safe in libiscsi 1.19, so its
 * session is given up, and it goes over the next one. */
static void check_answers(struct path *p, uint64_t now)
{
	if (now < p->look_at_ns)
		return;
	p->look_at_ns = now + SEC_NS;
	for (uint32_t i = 0; i < p->orders; i++)
		if (is_out(p, &p->order[i]) && now > p->order[i].sent_ns + ANSWER_LIMIT_NS) {
			error_set(&p->session.why, ETIMEDOUT, "an IO was not answered within %u s",
				  (unsigned)(ANSWER_LIMIT_NS / SEC_NS));
			p->broken = true;
			return;
		}
}

void path_tend(struct path *p, uint64_t now)
{
	struct session *s = &p->session;

	if (s->c && (s->failed || p->broken))
		drop(p, now);
	if (!s->c && now >= p->login_at_ns) {
		publish(p, SESSION_LOGIN, NULL);
		p->check.step = CHECK_NAME;
		p->check.tries = 0;
		p->check.reply = (struct reply){0};
		session_begin(s, p->peer, false);
	}
	if (s->state != STATE_UP || s->failed || p->broken)
		return;
	if (p->state != SESSION_UP) {
		if (p->check.reply.done)
			take_check(p, now);
		else if (!p->check.reply.pending)
			send_check(p);
		else if (now > s->limit_ns)
			check_failed(p, "it does not say in time what it is");
		return;
	}
	keep_alive(p, now);
	check_answers(p, now);
}

uint64_t path_next_ns(const struct path *p)
{
	if (!p->session.c)
		return p->login_at_ns;
	return p->full_until_ns ? p->full_until_ns : UINT64_MAX;
}

void path_init(struct path *p, struct iscsi_target *t, const struct iscsi_peer *peer,
	       uint32_t number)
{
	p->target = t;
	p->peer = peer;
	p->fd = -1;
	p->session.isid = number;
}

void path_close(struct path *p)
{
	publish(p, SESSION_DOWN, NULL);
	session_logout(&p->session);
}

void path_abandon(struct path *p)
{
	if (p->session.c)
		drop(p, iscsi_now_ns());
}

void path_look(const struct path *p, struct backend_session *s)
{
	*s = (struct backend_session){
		.number = p->session.isid,
		.state = p->state,
		.outage_ns = p->lost_ns ? iscsi_now_ns() - p->lost_ns : p->outage_ns,
		.inflight = path_inflight(p),
		.limit = atomic_load_explicit(&p->limit, relaxed),
		.window_limited = atomic_load_explicit(&p->window_limited, relaxed),
		.busy = atomic_load_explicit(&p->busy, relaxed),
		.full = atomic_load_explicit(&p->full, relaxed),
		.attentions = atomic_load_explicit(&p->attentions, relaxed),
		.drops = atomic_load_explicit(&p->drops, relaxed),
		.ios = atomic_load_explicit(&p->ios, relaxed),
		.bytes = atomic_load_explicit(&p->bytes, relaxed),
	};
	snprintf(s->portal, sizeof(s->portal), "%.79s", p->peer->portal);
	snprintf(s->parameters, sizeof(s->parameters), "%s", p->parameters);
	snprintf(s->why, sizeof(s->why), "%s", p->why);
	snprintf(s->lost, sizeof(s->lost), "%s", p->lost);
	tcp_look(p->fd, s);
}
