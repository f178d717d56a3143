/* path.h - one way of a queue to the LUN: a session, what is in flight on it, and what it is worth. */
#ifndef LUNSCOPE_ISCSI_PATH_H
#define LUNSCOPE_ISCSI_PATH_H

#include "backends/iscsi/iscsi.h"

/* How long an IO may wait for a session, or for a target that is full, before it fails. */
#define HOLD_LIMIT_NS (30 * SEC_NS)

/* An IO from submit to reap. */
struct order {
	struct iscsi_queue *queue;
	struct path *path;  /* on which it is in flight */
	struct order *next; /* among the held */
	struct io *io;
	struct scsi_task *task; /* while it is in flight */
	uint64_t sent_ns;
	struct scsi_iovec iov;
	uint64_t mark; /* at the end of a read's buffer until data come over it */
	unsigned attentions;
	uint64_t since_ns; /* when it had to wait first; 0 = it never had */
};

/* The look at what is behind a new session, before anything else is sent there. */
struct path_check {
	enum { CHECK_NAME, CHECK_BLOCK, CHECK_DONE } step;
	unsigned tries;
	struct reply reply;
	uint8_t data[1024];
};

struct path {
	struct iscsi_target *target;
	const struct iscsi_peer *peer;
	struct order *order; /* all of the queue's, ... */
	uint32_t orders;     /* ... so many */
	struct session session;
	struct path_check check;
	bool broken; /* a callback saw the session end */
	uint32_t queued; /* commands given to libiscsi since the last flush */
	bool corked;	 /* the socket keeps what is no full packet until the flush */
	uint64_t up_since_ns, login_at_ns, relogin_ns, nop_at_ns, look_at_ns;
	uint64_t answered_ns; /* when something came back last, or the first was sent */
	uint64_t full_until_ns, full_ns;
	uint32_t good_in_row;

	/* Looked at by others. */
	_Atomic uint32_t inflight, limit;
	_Atomic uint64_t busy, full, attentions, drops, ios, bytes;
	_Atomic bool window_limited;
	/* With the target's lock. */
	enum backend_session_state state;
	int fd;		    /* of the session while it is open */
	uint64_t lost_ns;   /* since when it is lost; 0 = it is not */
	uint64_t outage_ns; /* how long it was last */
	char parameters[512];
	char why[192], lost[192];
};

static inline uint32_t path_inflight(const struct path *p)
{
	return atomic_load_explicit(&p->inflight, memory_order_relaxed);
}

void path_init(struct path *p, struct iscsi_target *t, const struct iscsi_peer *peer,
	       uint32_t number);
/* What has to be done about the session, outside of all callbacks: drop it, log in anew, look at what
 * is behind it, ping. Cancelled orders come back through order_ended(). */
void path_tend(struct path *p, uint64_t now);
/* Whether it takes another order. */
bool path_takes(const struct path *p, uint64_t now);
/* Queues the command; path_flush() puts it on the wire, with all that were queued before. */
void path_send(struct path *p, struct order *o, uint64_t now);
void path_flush(struct path *p);
/* When it has something to do without the network. */
uint64_t path_next_ns(const struct path *p);
void path_close(struct path *p);
/* Without a goodbye; what is in flight comes back through order_hold(). */
void path_abandon(struct path *p);
/* With the target's lock. */
void path_look(const struct path *p, struct backend_session *s);

/* queue.c: an order is done, or has to be sent again. Called from within libiscsi. */
void order_done(struct order *o, int32_t result);
void order_hold(struct order *o);

#endif
