/* sessions.h - the connections to a target that is reached over a network, as the run shows them. */
#ifndef LUNSCOPE_SESSIONS_H
#define LUNSCOPE_SESSIONS_H

#include <jansson.h>
#include <stdint.h>
#include "backends/backend.h"
#include "kernel_iscsi.h"
#include "target.h"
#include "timeline.h"

#define SESSIONS_MAX 16 /* looked at one by one; paths count all */

/* One way to the LUN: the sessions of all workers over one portal and NIC. What is not known is "" or
 * negative (NaN does not occur). */
struct path_view {
	unsigned number;	/* from 1 on, as in --paths pinned:N */
	unsigned sessions, up;
	bool out;		/* the operator has taken it out */
	struct backend_session all; /* its counters and TCP sums added up; words, addresses and what can't
				     * be added from the first session that is up (else the first); loss
				     * covers the last outage of all of them: first silent and noticed,
				     * last back and moved (0 while one is not), stranded added up, the
				     * longest; heard and answered are when any of them was last */
	char nic[16];		/* by its local address; "lo" when the portal is this host's own */
	int64_t nic_mtu;	/* bytes */
	int64_t link_bits_s;	/* speed of the NIC as its driver tells, ... */
	bool nominal;		/* ... which is a mere name: there is no hardware behind it */
	/* Of the last whole second; sums count sessions that are gone, too. */
	uint64_t ios, bytes, wait_ns;
	double iops, bytes_s;
	double latency_ns;	/* mean, from being sent to the answer; of IOs on this path */
	double received_s, sent_s; /* bytes of TCP's payload */
	double frames_s;	/* TCP segments, both directions */
	double frame_bytes;	/* payload of the mean segment with data, in the busier direction */
	double again_s;		/* segments sent again, or received out of order */
	double share;		/* of all paths' IOs, 0..1 */
	double peer_limited;	/* of the time that there was something to send, 0..1 */
};

/* What the wires could carry and what they do: see wire.h. */
struct wire {
	int64_t ceiling_bytes_s; /* payload that the links in use carry at the MSS seen; < 0 = not known */
	double data_bytes_s;	/* what the words begin with; < 0 = there are none */
	double used;		/* of it, in the busier direction, 0..1; < 0 = not known */
	unsigned links;		/* NICs in use */
	double frames_s, frame_bytes; /* as in path_view, all paths */
	char text[160];		/* "112 MiB/s: 98 % of one 1 Gb/s link at MSS 1448, ..." */
	char brief[120];	/* the same in fewer words: "112 MiB/s: 98 % of one 1 Gb/s link; ..." */
};

struct sessions {
	bool kernel;		/* they are the kernel's initiator's, not ours */
	unsigned count, up;	/* all of them */
	uint64_t drops;
	struct backend_paths policy; /* ours only */
	unsigned paths;
	struct path_view path[PATHS_MAX];
	char imbalance[160];	/* which path does less than its share, and what may be why; "" */
	struct wire wire;
	struct backend_session session[SESSIONS_MAX]; /* the first ones, ordered as the backend tells them */
	struct kernel_facts facts[SESSIONS_MAX]; /* of the same, when they are the kernel's */
	unsigned listed;	/* how many of these are filled */
};

/* What was seen so far: what rates are the difference to. One thread at a time. NULL without memory. */
struct session_book *session_book_new(void);
void session_book_free(struct session_book *b);

/* Asks the backend, which never waits for the network, and takes it down in the book. Nothing where the
 * target has no sessions. Rates are those since the book's last look, not known (negative) at the first
 * one; t_ns is now. */
void sessions_look(struct sessions *s, struct session_book *b, uint64_t t_ns,
		   const struct target *t);
/* The same of n sessions that are told by the caller, who has filled in s->kernel and s->policy. What the
 * sessions did that are gone is in past, PATHS_MAX of them, or NULL where nobody knows. */
void sessions_digest(struct sessions *s, struct session_book *b, uint64_t t_ns,
		     const struct backend_session *now, unsigned n,
		     const struct backend_past *past);
/* What is looked at from now on counts for sessions_whole(), and for rates that begin at t_ns. */
void sessions_reset(struct session_book *b, uint64_t t_ns);
/* Puts the sums and rates of all the time since the reset (else the first look) into s, which is filled
 * from the last look, in place of those of the last second. */
void sessions_whole(struct sessions *s, const struct session_book *b);
/* The members "policy", "paths", "imbalance", "mtu" and "wire" as sessions_whole() left them, and "sessions",
 * into an object. */
void sessions_export(const struct sessions *s, json_t *object);
/* [{"state", "portal", "local", "parameters": {...}, ..., "tcp": {...}}, ...]; what is not known is null. */
json_t *sessions_json(const struct sessions *s);
/* One of them. facts, of one of the kernel's, become its "kernel"; NULL for another. */
json_t *sessions_json_one(const struct backend_session *s, const struct kernel_facts *facts);

const char *session_state_name(enum backend_session_state state); /* "down", "logging in", "up" */
/* As --paths has it: "round-robin". */
const char *sessions_policy_name(enum paths_policy policy);
/* As the screen and the marks have it: "round robin", "pinned to path 2". */
void sessions_policy_words(char *out, size_t n, const struct backend_paths *how);

#endif
