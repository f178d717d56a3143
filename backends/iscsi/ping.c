/* ping.c - finding out that a path is dead when nothing tells of it.
 *
 * A path that is silent is pinged (NOP-Out, RFC 7143, 11.18). Where others answer meanwhile, two intervals
 * without a byte are enough; where none does, the target may only be slow, and nothing is gained by haste.
 * libiscsi counts pings that it has not even sent, and forgets all of them with one answer, so we keep
 * one of our own.
 */
#include "backends/iscsi/path.h"

#include <errno.h>
#include <poll.h>

/* Silence before a ping, and how long its answer may take at least. Where there are other paths, short. */
#define PING_NS       (2 * SEC_NS)
#define PING_SHORT_NS (SEC_NS / 2)
/* Silence that means death. */
#define SILENCE_NS       (3 * PING_NS)
#define SILENCE_SHORT_NS (2 * PING_SHORT_NS)
/* With the command window shut the ping itself has to wait, and proves less. */
#define SILENCE_SHUT_NS (3 * SEC_NS)
/* An IO that is not answered by then was lost by the target; there is time left to send it again. */
#define ANSWER_LIMIT_NS (15 * SEC_NS)
/* What is heard of a path that answers is no older. */
#define FRESH_NS (SEC_NS / 10)
/* An IO no larger than this fits into any packet. */
#define SMALL_BYTES 1024

static uint64_t interval(const struct path *p)
{
	return p->paths > 1 ? PING_SHORT_NS : PING_NS;
}

/* Another has answered since this one was pinged. */
static bool others_answer(const struct path *p)
{
	for (unsigned i = 0; i < p->paths; i++)
		if (i != p->index && path_is_up(&p->all[i]) && p->all[i].heard_ns > p->ping_ns)
			return true;
	return false;
}

static uint64_t patience(const struct path *p)
{
	if (!others_answer(p))
		return SILENCE_NS;
	return atomic_load_explicit(&p->window_limited, relaxed) ? SILENCE_SHUT_NS
								 : SILENCE_SHORT_NS;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* When it is dead unless it is heard of. */
static uint64_t deadline(const struct path *p)
{
	return latest(p->heard_ns + patience(p), p->ping_ns + interval(p));
}

/* The kernel may have more than we were told: a part of an answer, or a peer that takes what we send,
 * slowly. */
static bool kernel_heard(struct path *p, uint64_t now)
{
	uint64_t ago = tcp_silence_ns(session_fd(&p->session));

	if (ago >= patience(p) || ago >= now)
		return false;
	path_note_time(&p->heard_ns, latest(p->heard_ns, now - ago));
	return true;
}

static void pinged(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct path *p = private_data;
	(void)c;
	(void)data;

	if (status != SCSI_STATUS_GOOD)
		return;
	p->heard = true;
	p->ping_ns = 0;
}

static void send_ping(struct path *p, uint64_t now)
{
	p->ping_ns = now;
	if (iscsi_nop_out_async(p->session.c, pinged, NULL, 0, p))
		p->broken = true;
	path_flush(p);
}

/* --- What its end may come from. --- */

static bool sends_large(const struct path *p)
{
	for (uint32_t i = 0; i < p->orders; i++)
		if (path_has(p, &p->order[i]) && p->order[i].io->size > SMALL_BYTES)
			return true;
	return false;
}

/* Where packets are lost for their size, those behind them get through; and a login and the look at the LUN
 * do, over and over, but never an IO. */
static bool loses_large(const struct path *p)
{
	bool none_yet = atomic_load_explicit(&p->ios, relaxed) == p->ios_up;

	return sends_large(p) && (none_yet || tcp_past_gaps(session_fd(&p->session)) > p->gaps);
}

static void give_up(struct path *p, uint64_t now)
{
	uint64_t tenths = (now - p->heard_ns) / (SEC_NS / 10);
	unsigned s = (unsigned)(tenths / 10), rest = (unsigned)(tenths % 10);

	if (loses_large(p))
		error_set(&p->session.why, EMSGSIZE,
			  "small packets get through, large ones don't: does the MTU fit all the "
			  "way? Nothing came for %u.%u s",
			  s, rest);
	else
		error_set(&p->session.why, ETIMEDOUT,
			  "nothing came for %u.%u s, and pings were not answered", s, rest);
	p->broken = true;
}

static void find_dead(struct path *p, uint64_t now)
{
	if (now < deadline(p))
		return;
	/* We may have been away ourselves: what has come meanwhile counts. */
	session_service(&p->session, POLLIN);
	path_tally(p, now);
	if (!path_is_up(p) || now < deadline(p) || kernel_heard(p, now))
		return;
	give_up(p, now);
}

/* A target may lose a command and answer all others. Cancelling it is not safe in libiscsi 1.19, so its
 * session is given up, and it goes over the next one. */
static void check_answers(struct path *p, uint64_t now)
{
	if (now < p->look_at_ns)
		return;
	p->look_at_ns = now + SEC_NS;
	if (now < p->heard_ns + FRESH_NS)
		p->gaps = tcp_past_gaps(session_fd(&p->session));
	for (uint32_t i = 0; i < p->orders; i++)
		if (path_has(p, &p->order[i]) && now > p->order[i].sent_ns + ANSWER_LIMIT_NS) {
			error_set(&p->session.why, ETIMEDOUT, "an IO was not answered within %u s",
				  (unsigned)(ANSWER_LIMIT_NS / SEC_NS));
			p->broken = true;
			return;
		}
}

void path_ping(struct path *p, uint64_t now)
{
	if (p->ping_ns)
		find_dead(p, now);
	else if (now >= p->heard_ns + interval(p))
		send_ping(p, now);
	if (!p->broken)
		check_answers(p, now);
}

uint64_t path_ping_next_ns(const struct path *p)
{
	return p->ping_ns ? deadline(p) : p->heard_ns + interval(p);
}
