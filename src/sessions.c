/* sessions.c - see sessions.h. */
#include "sessions.h"

#include <stdio.h>
#include <string.h>

#include "export.h"
#include "units.h"

const char *session_state_name(enum backend_session_state state)
{
	static const char *const name[] = {"down", "logging in", "up"};

	return name[state];
}

void sessions_look(struct sessions *s, const struct sessions *before, uint64_t dt_ns,
		   const struct target *t)
{
	(void)before;
	(void)dt_ns;
	s->count = s->up = s->listed = s->paths = 0;
	s->drops = 0;
	s->kernel = t->kernel;
	if (t->kernel)
		s->count = kernel_iscsi_look(t->kernel, s->session, s->facts, SESSIONS_MAX);
	else if (t->handle && t->backend->sessions)
		s->count = t->backend->sessions(t->handle, s->session, SESSIONS_MAX);
	s->listed = s->count;
	for (unsigned i = 0; i < s->count; i++) {
		s->up += s->session[i].state == SESSION_UP;
		s->drops += s->session[i].drops;
	}
}

static const struct backend_session *same(const struct sessions *s, uint32_t number)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->session[i].number == number)
			return &s->session[i];
	return NULL;
}

/* One that was lost and came back between two looks leaves both marks. */
void sessions_tell(const struct sessions *before, const struct sessions *now, struct timeline *t,
		   uint64_t t_ns, uint32_t generation)
{
	for (unsigned i = 0; i < now->count; i++) {
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

json_t *sessions_json_one(const struct backend_session *s, const struct kernel_facts *facts)
{
	json_t *o = json_pack(
		"{s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
		"s:I, s:b, s:o}",
		"number", (json_int_t)s->number, "state", session_state_name(s->state), "portal",
		text_or_null(s->portal), "local", text_or_null(s->local), "parameters",
		parameters_json(s->parameters), "why", text_or_null(s->why), "lost",
		text_or_null(s->lost), "drops", (json_int_t)s->drops, "outage_ns",
		(json_int_t)s->outage_ns, "ios", (json_int_t)s->ios, "bytes", (json_int_t)s->bytes,
		"busy", (json_int_t)s->busy, "task_set_full", (json_int_t)s->full,
		"unit_attentions", (json_int_t)s->attentions, "limit", (json_int_t)s->limit,
		"window_limited", (int)s->window_limited, "tcp", tcp_json(s));

	if (o && facts)
		json_object_set_new(o, "kernel", kernel_iscsi_json(facts));
	return o;
}

json_t *sessions_json(const struct sessions *s)
{
	json_t *a = json_array();

	for (unsigned i = 0; a && i < s->count; i++)
		json_array_append_new(
			a, sessions_json_one(&s->session[i], s->kernel ? &s->facts[i] : NULL));
	return a;
}
