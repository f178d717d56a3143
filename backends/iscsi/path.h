/* path.h - one way of a queue to the LUN: a session, what is in flight on it, and what it is worth.
 *
 * order.c makes commands of IOs and takes their answers; path.c brings sessions up and drops them; check.c
 * looks at what is behind them; ping.c finds out that one is dead; act.c does what the operator wants of it; loss.c keeps the facts of a loss;
 * policy.c chooses among several. All of it runs in the thread of the worker that the queue belongs to.
 */
#ifndef LUNSCOPE_ISCSI_PATH_H
#define LUNSCOPE_ISCSI_PATH_H

#include "backends/iscsi/iscsi.h"

/* How long an IO may wait for a target that is full before it fails. */
#define FULL_LIMIT_NS (30 * SEC_NS)
/* An IO that only meets unit attentions fails after so many; a session that is looked at, too. */
#define ATTENTIONS_MAX 8
/* A login of which nothing is due: of a path that has been taken out. */
#define NEVER UINT64_MAX

#define relaxed memory_order_relaxed

/* An IO from submit to reap. */
struct order {
	struct iscsi_queue *queue;
	struct path *path;  /* on which it is in flight */
	struct order *next; /* among the held */
	struct io *io;
	struct scsi_task *task; /* while it is in flight */
	uint64_t first_ns, sent_ns; /* first: 0 = not yet */
	struct scsi_iovec iov;
	uint64_t mark; /* at the end of a read's buffer until data come over it */
	unsigned attentions;
	uint32_t stranded; /* a bit for each path that was lost with it */
	uint64_t since_ns; /* when it had to wait first; 0 = it never had */
};

/* The look at what is behind a session, before anything is sent there: behind a new one, and again when an
 * answer casts doubt on it. */
struct path_check {
	enum { CHECK_NAME, CHECK_SERIAL, CHECK_MODEL, CHECK_SIZE, CHECK_BLOCK, CHECK_DONE } step;
	unsigned tries;
	bool sized; /* READ CAPACITY (16) has told the size */
	struct reply reply;
	uint8_t data[1024];
};

/* How far the operator's wish has come that the path logs out. */
enum path_leaving { PATH_STAYS, PATH_DRAINS, PATH_LOGS_OUT };

struct path {
	struct iscsi_target *target;
	const struct iscsi_peer *peer;
	struct order *order; /* all of the queue's, ... */
	uint32_t orders;     /* ... so many */
	struct path *all;    /* the queue's, and this is number index of them */
	unsigned paths, index;
	struct session session;
	struct path_check check;
	bool broken;  /* a callback saw the session end */
	bool doubted; /* an answer told that another LUN may be there now */
	uint32_t queued; /* commands given to libiscsi since the last flush */
	bool corked;	 /* the socket keeps what is no full packet until the flush */
	uint64_t up_since_ns, pause_ns;
	uint64_t full_until_ns, full_ns;
	uint32_t good_in_row;

	/* Answers since the clock was last looked at. */
	bool heard, answered; /* anything at all; an IO's */
	uint32_t back_ios;
	uint64_t back_bytes, back_sent_ns; /* when each was sent, summed up */
	uint64_t ping_ns;     /* when the ping was sent that has no answer yet; 0 = there is none */
	uint64_t look_at_ns;
	uint64_t gaps;	 /* tcp_past_gaps() while it answered last */
	uint64_t ios_up; /* IOs answered before it was up */

	bool out, anew; /* taken out; logged out only to log in again */
	uint32_t anew_seen;
	enum path_leaving leaving;
	uint64_t leave_limit_ns;

	uint32_t stranded;	/* orders that came back cancelled since it was up last */
	uint32_t stranded_open; /* of the last loss, those that are not done */

	/* Looked at by others. */
	_Atomic uint32_t inflight, limit;
	_Atomic uint64_t busy, full, attentions, drops, relogins, ios, bytes, wait_ns;
	_Atomic bool window_limited;
	_Atomic uint64_t login_at_ns; /* when it logs in, while there is no session */
	_Atomic uint64_t heard_ns;    /* when anything came back last */
	_Atomic uint64_t answered_ns; /* when an IO did, or the first was sent */
	/* With the target's lock. */
	enum backend_session_state state;
	int fd;		    /* of the session while it is open */
	uint64_t lost_ns;   /* since when it is lost; 0 = it is not */
	uint64_t outage_ns; /* how long it was last */
	struct backend_loss loss;
	char parameters[512], sent_on[80];
	char why[192], lost[192];
};

static inline void path_count(_Atomic uint64_t *n, uint64_t by)
{
	atomic_store_explicit(n, atomic_load_explicit(n, relaxed) + by, relaxed);
}

static inline void path_note_time(_Atomic uint64_t *t, uint64_t now)
{
	atomic_store_explicit(t, now, relaxed);
}

static inline uint32_t path_inflight(const struct path *p)
{
	return atomic_load_explicit(&p->inflight, relaxed);
}

static inline void path_inflight_add(struct path *p, int by)
{
	atomic_store_explicit(&p->inflight, path_inflight(p) + (uint32_t)by, relaxed);
}

/* Only the worker writes state, so it may read it without the lock. */
static inline bool path_is_up(const struct path *p)
{
	return p->state == SESSION_UP && !p->session.failed && !p->broken;
}

/* It is not up, and has not come up at least once when it tried: whoever waits for it has waited enough, also
 * while it tries again. */
static inline bool path_has_failed(const struct path *p)
{
	return p->state != SESSION_UP && p->why[0];
}

/* --- path.c --- */

/* With the target's lock. */
void path_init(struct path *p, struct iscsi_target *t, struct path *all, unsigned paths, unsigned index,
	       uint32_t number);
/* What has to be done about the session, outside of all callbacks: drop it, log in anew, look at what
 * is behind it, ping. Cancelled orders come back through order_hold(). */
void path_tend(struct path *p, uint64_t now);
/* When it has something to do without the network. */
uint64_t path_next_ns(const struct path *p, uint64_t now);
/* Says goodbye on all of them at once, where there is anybody to answer. */
void path_close_all(struct path *all, unsigned paths);
/* Without a goodbye; what is in flight comes back through order_hold(). */
void path_abandon(struct path *p);
/* What libiscsi left of what was in flight comes back. */
void path_take_back(struct path *p);
/* Tells others what it is now. why may be NULL: as before. */
void path_publish(struct path *p, enum backend_session_state state, const char *why);
/* With the target's lock. */
void path_look(const struct path *p, struct backend_session *s);

/* --- check.c --- */

/* What is behind the session has to be looked at before another order is sent there. */
void check_begin(struct path *p);
/* Outside of all callbacks, while the session is up. True when it is the LUN that was opened, at last; when it
 * is not, or does not say, the path is broken and the session has the words. */
bool check_tend(struct path *p, uint64_t now);

/* --- order.c --- */

/* Whether it takes another order. */
bool path_takes(const struct path *p, uint64_t now);
/* Queues the command; path_flush() puts it on the wire, with all that were queued before. */
void path_send(struct path *p, struct order *o, uint64_t now);
void path_flush(struct path *p);
/* Accounts for the answers that came before now. */
void path_tally(struct path *p, uint64_t now);
bool path_has(const struct path *p, const struct order *o);

/* --- ping.c --- */

/* Pings a path that is up and silent, and finds it lost when that brings nothing: it is broken then. */
void path_ping(struct path *p, uint64_t now);
/* When there is something to ping or to find. */
uint64_t path_ping_next_ns(const struct path *p);

/* --- loss.c --- */

/* An order came back cancelled. */
void loss_strand(struct path *p, struct order *o);
/* The session was up and is lost; with the target's lock. */
void loss_begin(struct path *p, uint64_t now);
/* It is up again; with the target's lock. */
void loss_end(struct path *p, uint64_t now);
/* What came back cancelled did not come from a loss. */
void loss_forget(struct path *p);
/* A stranded order is done. */
void loss_settle(struct order *o);

/* --- act.c --- */

/* Takes up what the operator has said since. Whether anything is under way, so that it is to be called
 * again without being asked. */
bool path_act_tend(struct path *all, unsigned paths, uint64_t now);
/* The session is up: whatever was wanted of it is done. */
void path_act_up(struct path *p);
/* It is lost, or could not log in: what was wanted is over, and the next paths stay as they are. */
void path_act_failed(struct path *p);

/* --- policy.c --- */

/* The path that the next order takes; NULL: none does just now. choice: target's; turn: the queue's. */
struct path *policy_choose(struct path *all, unsigned paths, uint32_t choice, unsigned *turn,
			   uint64_t now);
/* Whether a path is left that orders may wait for: one that is up, or out only to log in again. */
bool policy_left(const struct path *all, unsigned paths, uint32_t choice);

/* --- queue.c: an order is done, or has to be sent again. Called from within libiscsi. --- */

void order_done(struct order *o, int32_t result);
void order_hold(struct order *o);

#endif
