/* sessions.c - see sessions.h. */
#include "sessions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_book.h"
#include "units.h"
#include "wire.h"

/* Rates of less time would say more of the moment of looking than of the path. */
#define RATE_NS (NS_PER_SEC / 2)

const char *session_state_name(enum backend_session_state state)
{
	static const char *const name[] = {"down", "logging in", "up"};

	return name[state];
}

const char *sessions_policy_name(enum paths_policy policy)
{
	static const char *const name[] = {"least", "round-robin", "failover", "pinned"};

	return name[policy];
}

void sessions_policy_words(char *out, size_t n, const struct backend_paths *how)
{
	static const char *const words[] = {"least busy", "round robin", "failover"};

	if (how->policy == PATHS_PINNED)
		snprintf(out, n, "pinned to path %u", how->pinned + 1);
	else
		snprintf(out, n, "%s", words[how->policy]);
}

struct session_book *session_book_new(void)
{
	return calloc(1, sizeof(struct session_book));
}

void session_book_free(struct session_book *b)
{
	if (!b)
		return;
	free(b->room);
	free(b->seen);
	free(b);
}

/* All of them, however many: what fills the room may have been cut off. Without memory it is. */
static unsigned ask(struct session_book *b, const struct target *t)
{
	for (;;) {
		unsigned n = t->kernel ? kernel_iscsi_look(t->kernel, b->room, b->room_size)
				       : t->backend->sessions(t->handle, b->room, b->room_size);
		if (n < b->room_size)
			return n;
		unsigned size = b->room_size ? 2 * b->room_size : SESSIONS_MAX;
		struct backend_session *room = realloc(b->room, size * sizeof(*room));
		if (!room)
			return n;
		b->room = room;
		b->room_size = size;
	}
}

/* What the kernel's initiator knows beyond the sessions: the NIC too, where there is no connection whose
 * address would tell. */
static void take_facts(struct sessions *s, struct kernel_iscsi *k)
{
	kernel_iscsi_facts(k, s->facts, SESSIONS_MAX);
	for (unsigned i = 0; i < s->listed; i++) {
		uint32_t path = s->session[i].path;
		if (path < s->paths && !s->path[path].nic[0])
			memcpy(s->path[path].nic, s->facts[i].nic, sizeof(s->path[path].nic));
	}
}

void sessions_look(struct sessions *s, struct session_book *b, uint64_t t_ns,
		   const struct target *t)
{
	struct backend_past past[PATHS_MAX];
	bool has_past = t->handle && t->backend->past;

	s->kernel = t->kernel;
	s->policy = t->paths;
	/* First: a session that ends in between then is missing for a moment, and not there twice. */
	if (has_past)
		t->backend->past(t->handle, past);
	bool some = t->kernel || (t->handle && t->backend->sessions);
	unsigned n = some ? ask(b, t) : 0;
	sessions_digest(s, b, t_ns, b->room, n, has_past ? past : NULL);
	if (t->kernel)
		take_facts(s, t->kernel);
}

/* What the operator has a path leave by; "" where that is left to its address. */
static const char *bound_nic(const struct sessions *s, unsigned path)
{
	const struct backend_paths *p = &s->policy;

	if (s->kernel || !p->nics)
		return "";
	return p->nics > 1 ? p->nic[path] : p->nic[0];
}

static void find_nics(struct session_book *b, struct sessions *s, uint64_t t_ns)
{
	for (unsigned i = 0; i < s->paths; i++) {
		struct path_view *v = &s->path[i];
		const struct nic *n =
			nics_find(&b->nics, i, v->all.local, v->all.portal, bound_nic(s, i), t_ns);
		memcpy(v->nic, n->name, sizeof(v->nic));
		v->nic_mtu = n->mtu;
		v->link_bits_s = n->bits_s;
		v->nominal = n->nominal;
	}
}

void sessions_digest(struct sessions *s, struct session_book *b, uint64_t t_ns,
		     const struct backend_session *now, unsigned n, const struct backend_past *past)
{
	session_book_take(b, s, t_ns, now, n, past);
	find_nics(b, s, t_ns);
	bool fresh = b->recent.to_ns - b->recent.from_ns >= RATE_NS;
	if (fresh) {
		b->last = b->recent;
		b->recent = (struct stretch){.from_ns = b->last.to_ns, .to_ns = b->last.to_ns};
	}
	session_book_rates(&b->last, s);
	if (fresh)
		imbalance_look(&b->imbalance, s);
	else
		snprintf(s->imbalance, sizeof(s->imbalance), "%s",
			 b->imbalance.path ? b->imbalance.text : "");
	wire_look(s);
}

void sessions_reset(struct session_book *b, uint64_t t_ns)
{
	b->whole = b->recent = (struct stretch){.from_ns = t_ns, .to_ns = t_ns};
	b->imbalance = (struct imbalance){0};
}

void sessions_whole(struct sessions *s, const struct session_book *b)
{
	session_book_rates(&b->whole, s);
	snprintf(s->imbalance, sizeof(s->imbalance), "%s", b->imbalance.text);
	wire_look(s);
}
