/* order.c - an IO on its way: the command that is made of it, and what its answer means.
 *
 * A target that is full gets fewer IOs at a time, later. Callbacks only note and move orders; the clock is
 * read once for all answers that came together.
 */
#include "backends/iscsi/path.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* A target that is full or busy is left alone for so long, twice as long each time. */
#define FULL_MIN_NS (1 * MS_NS)
#define FULL_MAX_NS (100 * MS_NS)
/* libiscsi walks its queue for each command that it is given: it is emptied each time so many are in it. */
#define QUEUE_MAX 8u
/* So many good answers in a row, and one more IO may be in flight. */
#define GROW_AFTER 64u

/* The longest READ(10) and WRITE(10), in blocks. */
#define SHORT_BLOCKS_MAX 65535u

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

static void note_good(struct path *p, const struct order *o, int32_t bytes)
{
	uint32_t limit = atomic_load_explicit(&p->limit, relaxed);

	p->back_ios++;
	p->back_bytes += (uint64_t)bytes;
	p->back_sent_ns += o->sent_ns;
	p->full_ns = 0;
	if (limit && ++p->good_in_row >= GROW_AFTER) {
		p->good_in_row = 0;
		/* One that holds nothing back any more goes. */
		atomic_store_explicit(
			&p->limit,
			limit < atomic_load_explicit(&p->target->deepest, relaxed) ? limit + 1 : 0,
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
	return o->since_ns && iscsi_now_ns() - o->since_ns > FULL_LIMIT_NS;
}

/* What was behind the name may have gone, or has: what is there has to be looked at before more is sent. */
static bool casts_doubt(const struct scsi_end *end)
{
	return (end->key == 6 && end->ascq >> 8 == 0x3f) || end->ascq == 0x2500;
}

static void settle(struct path *p, struct order *o, const struct scsi_end *end,
		   const struct scsi_task *task)
{
	bool attention = end->status == SCSI_STATUS_CHECK_CONDITION && end->key == 6;
	bool no_room = end->status == SCSI_STATUS_BUSY || end->status == SCSI_STATUS_TASK_SET_FULL;

	if (end->status == SCSI_STATUS_GOOD) {
		int32_t n = moved(o, task);
		note_good(p, o, n);
		order_done(o, n);
	} else if (end->status == SCSI_STATUS_CANCELLED || end->status == SCSI_STATUS_ERROR ||
		   end->status == SCSI_STATUS_TIMEOUT) {
		p->broken = true;
		loss_strand(p, o);
		order_hold(o);
		return;
	} else if (no_room && !waited_too_long(o)) {
		path_count(end->status == SCSI_STATUS_BUSY ? &p->busy : &p->full, 1);
		obey(p);
		order_hold(o);
	} else if (attention && o->attentions++ < ATTENTIONS_MAX) {
		path_count(&p->attentions, 1);
		order_hold(o);
	} else {
		note_error(p, o->io, end);
		order_done(o, -scsi_end_errno(end));
	}
	p->doubted |= casts_doubt(end);
	p->heard = p->answered = true;
}

static void answered(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct scsi_task *task = data;
	struct order *o = private_data;
	struct scsi_end end = scsi_end_of(status, task);
	(void)c;

	o->task = NULL;
	path_inflight_add(o->path, -1);
	/* Beyond a byte it is no status of SCSI's, but the session's end. */
	if (status > SCSI_STATUS_GOOD && status <= UINT8_MAX)
		session_heed(&o->path->session);
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

bool path_takes(const struct path *p, uint64_t now)
{
	uint32_t limit = atomic_load_explicit(&p->limit, relaxed);

	return path_is_up(p) && p->check.step == CHECK_DONE && !p->doubted && !p->leaving &&
	       now >= p->full_until_ns && (!limit || path_inflight(p) < limit);
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
	if (path_is_up(p) && session_events(&p->session) & POLLOUT)
		session_service(&p->session, POLLOUT);
}

void path_send(struct path *p, struct order *o, uint64_t now)
{
	if (!path_inflight(p))
		path_note_time(&p->answered_ns, now);
	if (!o->first_ns)
		o->first_ns = now;
	o->path = p;
	o->task = make_task(p, o);
	if (!o->task) {
		p->broken = true;
		order_hold(o);
		return;
	}
	o->sent_ns = now;
	path_inflight_add(p, 1);
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

	if (!path_is_up(p))
		return;
	if (p->queued > 1 && !p->corked)
		cork(p, true);
	p->queued = 0;
	push(p);
	if (!path_is_up(p))
		return;
	if (p->corked)
		cork(p, false);
	bool waiting = iscsi_out_queue_length(s->c) > 0 && !(session_events(s) & POLLOUT);
	if (waiting != atomic_load_explicit(&p->window_limited, relaxed))
		atomic_store_explicit(&p->window_limited, waiting, relaxed);
}

void path_tally(struct path *p, uint64_t now)
{
	if (!p->heard)
		return;
	p->heard = false;
	path_note_time(&p->heard_ns, now);
	if (!p->answered)
		return;
	p->answered = false;
	path_note_time(&p->answered_ns, now);
	path_count(&p->ios, p->back_ios);
	path_count(&p->bytes, p->back_bytes);
	path_count(&p->wait_ns, p->back_ios * now - p->back_sent_ns);
	p->back_ios = 0;
	p->back_bytes = p->back_sent_ns = 0;
}

bool path_has(const struct path *p, const struct order *o)
{
	return o->task && o->path == p;
}
