/* sessions.c - see sessions.h. */
#include "sessions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "session_book.h"
#include "units.h"

/* Rates of less time would say more of the moment of looking than of the path. */
#define RATE_NS (NS_PER_SEC / 2)

const char *session_state_name(enum backend_session_state state)
{
	static const char *const name[] = {"down", "logging in", "up"};

	return name[state];
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
		unsigned n = t->backend->sessions(t->handle, b->room, b->room_size);
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

void sessions_look(struct sessions *s, struct session_book *b, uint64_t t_ns,
		   const struct target *t)
{
	struct backend_past past[PATHS_MAX];
	bool has_past = t->handle && t->backend->past;

	s->kernel = false;
	s->policy = t->paths;
	/* First: a session that ends in between then is missing for a moment, and not there twice. */
	if (has_past)
		t->backend->past(t->handle, past);
	unsigned n = t->handle && t->backend->sessions ? ask(b, t) : 0;
	sessions_digest(s, b, t_ns, b->room, n, has_past ? past : NULL);
}

void sessions_digest(struct sessions *s, struct session_book *b, uint64_t t_ns,
		     const struct backend_session *now, unsigned n, const struct backend_past *past)
{
	session_book_take(b, s, t_ns, now, n, past);
	if (b->recent.to_ns - b->recent.from_ns >= RATE_NS) {
		b->last = b->recent;
		b->recent = (struct stretch){.from_ns = b->last.to_ns, .to_ns = b->last.to_ns};
	}
	session_book_rates(&b->last, s);
}

void sessions_reset(struct session_book *b, uint64_t t_ns)
{
	b->whole = b->recent = (struct stretch){.from_ns = t_ns, .to_ns = t_ns};
}

void sessions_whole(struct sessions *s, const struct session_book *b)
{
	session_book_rates(&b->whole, s);
}

static const struct backend_session *same(const struct sessions *s, uint32_t number)
{
	for (unsigned i = 0; i < s->listed; i++)
		if (s->session[i].number == number)
			return &s->session[i];
	return NULL;
}

/* One that was lost and came back between two looks leaves both marks. */
void sessions_tell(const struct sessions *before, const struct sessions *now, struct timeline *t,
		   uint64_t t_ns, uint32_t generation)
{
	for (unsigned i = 0; i < now->listed; i++) {
		const struct backend_session *s = &now->session[i];
		const struct backend_session *b = same(before, s->number);
		uint64_t drops = b ? b->drops : 0;
		bool was_up = !b || b->state == SESSION_UP;
		char text[MARK_TEXT], span[32];
		if (s->drops > drops) {
			snprintf(text, sizeof(text), "session %u to %.40s lost: %.90s", s->number,
				 s->portal, s->lost);
			timeline_mark(t, MARK_EVENT, t_ns, generation, NULL, text);
		}
		if (s->state == SESSION_UP && (s->drops > drops || !was_up) && s->drops) {
			snprintf(text, sizeof(text), "session %u is back after %s", s->number,
				 units_span(span, sizeof(span), s->outage_ns));
			timeline_mark(t, MARK_EVENT, t_ns, generation, NULL, text);
		}
	}
}

/* "Key=Value Key=Value" */
static json_t *parameters_json(const char *text)
{
	json_t *o = json_object();

	while (o && *text) {
		char key[64], value[64];
		size_t n = strcspn(text, " ");
		size_t name = strcspn(text, "=");
		if (name < n) {
			snprintf(key, sizeof(key), "%.*s", (int)name, text);
			snprintf(value, sizeof(value), "%.*s", (int)(n - name - 1),
				 text + name + 1);
			json_object_set_new(o, key, export_text(value));
		}
		text += n + (text[n] == ' ');
	}
	return o;
}

static json_t *known(int64_t v)
{
	return v >= 0 ? json_integer(v) : json_null();
}

static json_t *text_or_null(const char *text)
{
	return text[0] ? export_text(text) : json_null();
}

static json_t *tcp_json(const struct backend_session *s)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "congestion",
			 text_or_null(s->congestion), "rtt_us", known(s->rtt_us), "rttvar_us",
			 known(s->rttvar_us), "cwnd", known(s->cwnd), "retransmits",
			 known(s->retransmits), "mss_bytes", known(s->mss), "mss_cap_bytes",
			 known(s->mss_cap), "receive_mss_bytes", known(s->receive_mss),
			 "pmtu_bytes", known(s->pmtu));
}

static json_t *session_json(const struct backend_session *s)
{
	return json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
			 "s:I, s:b, s:o}",
			 "number", (json_int_t)s->number, "state", session_state_name(s->state),
			 "portal", text_or_null(s->portal), "local", text_or_null(s->local),
			 "parameters", parameters_json(s->parameters), "why", text_or_null(s->why),
			 "lost", text_or_null(s->lost), "drops", (json_int_t)s->drops, "outage_ns",
			 (json_int_t)s->outage_ns, "ios", (json_int_t)s->ios, "bytes",
			 (json_int_t)s->bytes, "busy", (json_int_t)s->busy, "task_set_full",
			 (json_int_t)s->full, "unit_attentions", (json_int_t)s->attentions, "limit",
			 (json_int_t)s->limit, "window_limited", (int)s->window_limited, "tcp",
			 tcp_json(s));
}

json_t *sessions_json(const struct sessions *s)
{
	json_t *a = json_array();

	for (unsigned i = 0; a && i < s->listed; i++)
		json_array_append_new(a, session_json(&s->session[i]));
	return a;
}
