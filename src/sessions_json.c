/* sessions_json.c - sessions, paths and wires in a run's document. */
#include "sessions.h"

#include <string.h>
#include "export.h"
#include "path_mtu.h"
#include "units.h"

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

static json_t *known_real(double v)
{
	return v >= 0 ? json_real(v) : json_null();
}

static json_t *tcp_json(const struct backend_session *s)
{
	const struct {
		const char *name;
		int64_t v;
	} field[] = {
		{"rtt_us", s->rtt_us},
		{"rttvar_us", s->rttvar_us},
		{"cwnd", s->cwnd},
		{"retransmits", s->retransmits},
		{"mss_bytes", s->mss},
		{"mss_cap_bytes", s->mss_cap},
		{"receive_mss_bytes", s->receive_mss},
		{"pmtu_bytes", s->pmtu},
		{"delivery_bytes_s", s->delivery_bytes_s},
		{"receive_rtt_us", s->receive_rtt_us},
		{"busy_us", s->busy_us},
		{"peer_limited_us", s->peer_limited_us},
		{"buffer_limited_us", s->buffer_limited_us},
		{"segments_in", s->segments_in},
		{"segments_out", s->segments_out},
		{"data_segments_in", s->data_segments_in},
		{"data_segments_out", s->data_segments_out},
		{"bytes_in", s->bytes_in},
		{"bytes_out", s->bytes_out},
		{"bytes_again", s->bytes_again},
		{"out_of_order", s->out_of_order},
	};
	json_t *o = json_object();

	json_object_set_new(o, "congestion", export_known_text(s->congestion));
	for (size_t i = 0; i < sizeof(field) / sizeof(*field); i++)
		json_object_set_new(o, field[i].name, export_known(field[i].v));
	return o;
}

/* Of the last loss, or the one that goes on. */
static json_t *loss_json(const struct backend_session *s)
{
	if (!s->loss.noticed_ns)
		return json_null();
	uint64_t silent = s->loss.silent_ns, back = s->loss.back_ns, moved = s->loss.moved_ns;

	return json_pack("{s:I, s:o, s:o, s:I, s:I}", "noticed_after_ns",
			 (json_int_t)(s->loss.noticed_ns - silent), "back_after_ns",
			 back > silent ? json_integer((json_int_t)(back - silent)) : json_null(),
			 "moved_after_ns",
			 moved > silent ? json_integer((json_int_t)(moved - silent)) : json_null(),
			 "stranded", (json_int_t)s->loss.stranded, "longest_ns",
			 (json_int_t)s->loss.longest_ns);
}

/* What sessions and paths have both. */
static void add_common(json_t *o, const struct backend_session *s)
{
	json_t *counts = json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:o}", "drops", (json_int_t)s->drops,
		"outage_ns", (json_int_t)s->outage_ns, "relogins", (json_int_t)s->relogins, "busy",
		(json_int_t)s->busy, "task_set_full", (json_int_t)s->full, "unit_attentions",
		(json_int_t)s->attentions, "limit", (json_int_t)s->limit, "window_limited",
		(int)s->window_limited, "loss", loss_json(s), "tcp", tcp_json(s));

	json_object_set_new(o, "portal", export_known_text(s->portal));
	json_object_set_new(o, "sent_on_to", export_known_text(s->sent_on));
	json_object_set_new(o, "local", export_known_text(s->local));
	json_object_set_new(o, "why", export_known_text(s->why));
	json_object_set_new(o, "lost", export_known_text(s->lost));
	json_object_update(o, counts);
	json_decref(counts);
}

json_t *sessions_json_one(const struct backend_session *s, const struct kernel_facts *facts)
{
	json_t *o =
		json_pack("{s:I, s:I, s:s, s:b, s:I, s:I, s:o}", "number", (json_int_t)s->number,
			  "path", (json_int_t)s->path + 1, "state", session_state_name(s->state),
			  "out", (int)s->out, "ios", (json_int_t)s->ios, "bytes",
			  (json_int_t)s->bytes, "parameters", parameters_json(s->parameters));

	add_common(o, s);
	if (o && facts)
		json_object_set_new(o, "kernel", kernel_iscsi_json(facts));
	return o;
}

json_t *sessions_json(const struct sessions *s)
{
	json_t *a = json_array();

	for (unsigned i = 0; a && i < s->listed; i++)
		json_array_append_new(
			a, sessions_json_one(&s->session[i], s->kernel ? &s->facts[i] : NULL));
	return a;
}

static json_t *nic_json(const struct path_view *v)
{
	if (!v->nic[0])
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:b}", "name", export_text(v->nic), "mtu_bytes",
			 export_known(v->nic_mtu), "bits_s", export_known(v->link_bits_s),
			 "nominal", (int)v->nominal);
}

static json_t *path_json(const struct path_view *v)
{
	json_t *o = json_pack("{s:I, s:I, s:I, s:b, s:o, s:I, s:I, s:o, s:o, s:o, s:o}", "number",
			      (json_int_t)v->number, "sessions", (json_int_t)v->sessions, "up",
			      (json_int_t)v->up, "out", (int)v->out, "nic", nic_json(v), "ios",
			      (json_int_t)v->ios, "bytes", (json_int_t)v->bytes, "share",
			      known_real(v->share), "iops", known_real(v->iops), "mib_s",
			      known_real(v->bytes_s < 0 ? -1 : v->bytes_s / (double)MIB),
			      "lat_mean_ns", known_real(v->latency_ns));
	json_t *wire = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "received_bytes_s",
				 known_real(v->received_s), "sent_bytes_s", known_real(v->sent_s),
				 "frames_s", known_real(v->frames_s), "frame_bytes",
				 known_real(v->frame_bytes), "again_s", known_real(v->again_s),
				 "peer_limited", known_real(v->peer_limited));

	json_object_update(o, wire);
	json_decref(wire);
	add_common(o, &v->all);
	return o;
}

static json_t *policy_json(const struct sessions *s)
{
	if (s->kernel)
		return json_null();
	return json_pack(
		"{s:s, s:o, s:I}", "name", sessions_policy_name(s->policy.policy), "pinned",
		s->policy.policy == PATHS_PINNED ? json_integer(s->policy.pinned + 1) : json_null(),
		"hold_ns", (json_int_t)s->policy.hold_ns);
}

static json_t *wire_json(const struct wire *w)
{
	return json_pack("{s:o, s:o, s:o, s:I, s:o, s:o, s:o}", "ceiling_bytes_s",
			 export_known(w->ceiling_bytes_s), "data_bytes_s",
			 known_real(w->data_bytes_s), "used", known_real(w->used), "links",
			 (json_int_t)w->links, "frames_s", known_real(w->frames_s), "frame_bytes",
			 known_real(w->frame_bytes), "text", export_known_text(w->text));
}

void sessions_export(const struct sessions *s, json_t *object)
{
	json_t *paths = json_array();
	char mtu[640];

	for (unsigned i = 0; i < s->paths; i++)
		json_array_append_new(paths, path_json(&s->path[i]));
	json_object_set_new(object, "policy", policy_json(s));
	json_object_set_new(object, "paths", paths);
	json_object_set_new(object, "imbalance", export_known_text(s->imbalance));
	json_object_set_new(object, "mtu", export_known_text(path_mtu_all(mtu, sizeof(mtu), s)));
	json_object_set_new(object, "wire", wire_json(&s->wire));
	json_object_set_new(object, "sessions", sessions_json(s));
}
