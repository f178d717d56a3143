/* wire.c - see wire.h. */
#include "wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "units.h"

#define ETHERNET_BYTES (14 + 4 + 8 + 12)
#define TCP_BYTES      (20 + 12) /* with time stamps */
#define HEADERS_MIN    (20 + 20)
#define HEADERS_MAX    (60 + 60) /* IPv4 and TCP with all options that there is room for */
#define BHS_BYTES      48
/* What libiscsi takes, and open-iscsi where nothing else is set. */
#define OWN_SEGMENT 262144
/* Of what the link can carry: more, and the IOs go another way. The clocks of two counters are never read
 * at quite the same time. */
#define BEYOND 1.05

/* --- The formulas. --- */

double wire_tcp_ceiling(int64_t bits_s, int64_t mss, int64_t headers)
{
	return (double)bits_s / 8 * (double)mss / (double)(mss + headers + ETHERNET_BYTES);
}

double wire_data_share(double io_bytes, int64_t pdu_bytes, unsigned header_digest,
		       unsigned data_digest)
{
	double io = io_bytes > 0 ? io_bytes : (double)pdu_bytes;
	double pdus = ceil(io / (double)pdu_bytes);
	double padded = ceil(io / 4) * 4;

	return io / (padded + pdus * (BHS_BYTES + 4.0 * header_digest + 4.0 * data_digest));
}

/* Where the MTU is not what limits the segments (a connection that was opened when it was smaller), what
 * there is between them is no header. */
int64_t wire_headers(const struct backend_session *s)
{
	int64_t seen = s->pmtu - s->mss;

	if (s->mss > 0 && s->pmtu > 0 && seen >= HEADERS_MIN && seen <= HEADERS_MAX)
		return seen;
	return (s->local[0] == '[' ? 40 : 20) + TCP_BYTES;
}

/* --- What was negotiated. --- */

/* The value of a key in "Key=Value Key=Value"; NULL without it. */
static const char *parameter(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = text; (p = strstr(p, key)); p += n)
		if ((p == text || p[-1] == ' ') && p[n] == '=')
			return p + n + 1;
	return NULL;
}

static int64_t least(int64_t limit, const char *value)
{
	long long v = value ? atoll(value) : 0;

	return v > 0 && v < limit ? v : limit;
}

/* The most data in a PDU. What the target takes (MaxRecvDataSegmentLength as it has told) limits what is
 * written; a sequence of PDUs ends with a burst (RFC 7143, 13.13). */
static int64_t pdu_bytes(const char *parameters, bool reading)
{
	int64_t most = OWN_SEGMENT;

	if (!reading) {
		const char *v = parameter(parameters, "MaxRecvDataSegmentLength");
		most = least(INT64_MAX, v ? v : "8192"); /* its default: 13.12 */
	}
	return least(most, parameter(parameters, "MaxBurstLength"));
}

static unsigned digest(const char *parameters, const char *key)
{
	const char *v = parameter(parameters, key);

	return v && strncmp(v, "CRC32C", 6) == 0;
}

/* --- The links. --- */

struct links {
	bool reading;     /* more comes in than goes out */
	double tcp, data; /* ceilings of all, bytes/s of TCP's payload and of data in it */
	double moved;     /* bytes/s of TCP's payload, in the busier direction */
	double done;      /* bytes/s of data, in both */
	int64_t bits_s, least_bits_s, most_bits_s;
	int64_t least_mss, most_mss;
	char why[80]; /* the ceiling is not known */
};

static int64_t mss_of(const struct path_view *v, bool reading)
{
	return reading ? v->all.receive_mss : v->all.mss;
}

static bool is_busiest(const struct sessions *s, const struct path_view *v)
{
	for (unsigned i = 0; i < s->paths; i++)
		if (s->path[i].ios > v->ios)
			return false;
	return v->ios > 0;
}

/* Whether IOs can be on it. Who chooses for the kernel's sessions is not known: then whether some were. */
static bool in_use(const struct sessions *s, const struct path_view *v)
{
	if (!v->up || v->out)
		return false;
	if (s->kernel)
		return v->ios > 0;
	if (s->policy.policy == PATHS_FAILOVER || s->policy.policy == PATHS_PINNED)
		return is_busiest(s, v);
	return true;
}

/* "1 Gb/s", "2.5 Gb/s", "100 Mb/s" */
static const char *speed_words(char *out, size_t n, int64_t bits_s)
{
	double v = (double)bits_s / 1e6;

	if (v < 1000)
		snprintf(out, n, "%.4g Mb/s", v);
	else
		snprintf(out, n, "%.4g Gb/s", v / 1000);
	return out;
}

static void why_unknown(struct links *l, const struct path_view *v)
{
	char speed[32];

	if (l->why[0])
		return;
	if (!v->nic[0])
		snprintf(l->why, sizeof(l->why), "the NIC of path %u is not known", v->number);
	else if (strcmp(v->nic, "lo") == 0)
		snprintf(l->why, sizeof(l->why), "lo is no wire");
	else if (v->nominal)
		snprintf(l->why, sizeof(l->why), "%s is a virtual link, nominal %s", v->nic,
			 speed_words(speed, sizeof(speed), v->link_bits_s));
	else if (v->link_bits_s <= 0)
		snprintf(l->why, sizeof(l->why), "%s does not tell its speed", v->nic);
	else
		snprintf(l->why, sizeof(l->why), "the MSS of path %u is not known", v->number);
}

static bool same_nic(const struct path_view *a, const struct path_view *b)
{
	return strcmp(a->nic, b->nic) == 0 && (a->nic[0] || a->number == b->number);
}

static bool counted(const struct sessions *s, unsigned at)
{
	for (unsigned i = 0; i < at; i++)
		if (in_use(s, &s->path[i]) && same_nic(&s->path[i], &s->path[at]))
			return true;
	return false;
}

static double data_share(const struct path_view *v, bool reading)
{
	const char *p = v->all.parameters;
	double io = v->ios ? (double)v->bytes / (double)v->ios : 0;

	return wire_data_share(io, pdu_bytes(p, reading), digest(p, "HeaderDigest"),
			       digest(p, "DataDigest"));
}

static void add_link(struct links *l, struct wire *w, const struct path_view *v)
{
	int64_t mss = mss_of(v, l->reading);

	w->links++;
	if (!v->nic[0] || v->link_bits_s <= 0 || v->nominal || mss <= 0) {
		why_unknown(l, v);
		return;
	}
	double tcp = wire_tcp_ceiling(v->link_bits_s, mss, wire_headers(&v->all));
	l->tcp += tcp;
	l->data += tcp * data_share(v, l->reading);
	if (!l->bits_s || v->link_bits_s < l->least_bits_s)
		l->least_bits_s = v->link_bits_s;
	if (v->link_bits_s > l->most_bits_s)
		l->most_bits_s = v->link_bits_s;
	l->bits_s += v->link_bits_s;
	if (!l->least_mss || mss < l->least_mss)
		l->least_mss = mss;
	if (mss > l->most_mss)
		l->most_mss = mss;
}

/* What all paths moved; false when the connections do not tell. */
static bool add_traffic(struct links *l, struct wire *w, const struct sessions *s)
{
	double in = 0, out = 0, frames = 0, bytes = 0, segments = 0;
	bool known = false, missing = false;

	for (unsigned i = 0; i < s->paths; i++) {
		const struct path_view *v = &s->path[i];
		if (v->bytes_s > 0)
			l->done += v->bytes_s;
		if (v->received_s < 0) {
			missing |= v->bytes_s > 0;
			continue;
		}
		known = true;
		in += v->received_s;
		out += v->sent_s;
		frames += v->frames_s;
		if (v->frame_bytes > 0) {
			bytes += fmax(v->received_s, v->sent_s);
			segments += fmax(v->received_s, v->sent_s) / v->frame_bytes;
		}
	}
	/* The sums of some would be taken for those of all. */
	known &= !missing;
	l->reading = in >= out;
	l->moved = l->reading ? in : out;
	w->frames_s = known ? frames : -1;
	w->frame_bytes = segments > 0 ? bytes / segments : -1;
	return known;
}

/* Data in the busier direction. Answers without data are among what was moved, too. */
static double payload(const struct links *l, const struct sessions *s)
{
	double data = 0;

	for (unsigned i = 0; i < s->paths; i++) {
		const struct path_view *v = &s->path[i];
		if (v->received_s >= 0)
			data += (l->reading ? v->received_s : v->sent_s) *
				data_share(v, l->reading);
	}
	return fmin(data, l->done);
}

/* --- The words. --- */

static void say_links(const struct links *l, const struct wire *w, char *out, size_t n)
{
	static const char *const number[] = {"no",   "one", "two",   "three", "four",
					     "five", "six", "seven", "eight"};
	const char *links = w->links > 1 ? "links" : "link";
	char speed[32];

	if (l->least_bits_s == l->most_bits_s)
		units_append(out, n, "%s %s %s", number[w->links],
			     speed_words(speed, sizeof(speed), l->bits_s / w->links), links);
	else
		units_append(out, n, "%s on %s %s", speed_words(speed, sizeof(speed), l->bits_s),
			     number[w->links], links);
}

static void say_mss(const struct links *l, char *out, size_t n)
{
	units_append(out, n, " at MSS %lld", (long long)l->least_mss);
	if (l->most_mss != l->least_mss)
		units_append(out, n, " to %lld", (long long)l->most_mss);
}

static void say_frames(const struct wire *w, const char *of, const char *which, char *out, size_t n)
{
	char count[32];

	if (w->frames_s < 0)
		return;
	units_append(out, n, "; %s frames/s", units_count(count, sizeof(count), w->frames_s));
	if (w->frame_bytes > 0)
		units_append(out, n, "%s%.0f B%s", of, w->frame_bytes, which);
}

/* Where no connection tells, both directions are in data. */
static void say_rate(const struct links *l, const struct wire *w, double data, char *out, size_t n)
{
	char rate[32];

	units_rate(rate, sizeof(rate), data, RATE_MIB);
	units_append(out, n, "%s%s", rate,
		     data <= 0 || w->frames_s < 0 ? ""
		     : l->reading                 ? " read"
						  : " written");
	if (w->ceiling_bytes_s < 0)
		return;
	units_append(out, n, w->used < 0.0995 ? ": %.1f %% of " : ": %.0f %% of ", 100 * w->used);
	say_links(l, w, out, n);
}

static void say(const struct links *l, struct wire *w, double data)
{
	char *out = w->text;
	size_t n = sizeof(w->text);

	say_rate(l, w, data, out, n);
	if (w->ceiling_bytes_s < 0)
		units_append(out, n, "; ceiling not known: %s", l->why);
	else
		say_mss(l, out, n);
	say_frames(w, ", ", " in each with data", out, n);
}

/* Figures first, so that no screen is too narrow for them. */
static void say_briefly(const struct links *l, struct wire *w, double data)
{
	char *out = w->brief;
	size_t n = sizeof(w->brief);

	say_rate(l, w, data, out, n);
	say_frames(w, " of ", "", out, n);
	if (w->ceiling_bytes_s < 0)
		units_append(out, n, "; no ceiling: %.*s", (int)strcspn(l->why, ","), l->why);
}

char *wire_words(char *out, size_t n, const char *text, double data_bytes_s, enum rate_unit unit)
{
	char told[32], rate[32];

	units_rate(told, sizeof(told), data_bytes_s, RATE_MIB);
	if (data_bytes_s < 0 || strncmp(text, told, strlen(told)) != 0)
		snprintf(out, n, "%s", text);
	else
		snprintf(out, n, "%s%s", units_rate(rate, sizeof(rate), data_bytes_s, unit),
			 text + strlen(told));
	return out;
}

void wire_look(struct sessions *s)
{
	struct wire *w = &s->wire;
	struct links l = {0};

	*w = (struct wire){.ceiling_bytes_s = -1,
			   .data_bytes_s = -1,
			   .used = -1,
			   .frames_s = -1,
			   .frame_bytes = -1};
	bool told = add_traffic(&l, w, s);
	for (unsigned i = 0; i < s->paths; i++)
		if (in_use(s, &s->path[i]) && !counted(s, i))
			add_link(&l, w, &s->path[i]);
	if (!s->paths || s->path[0].iops < 0)
		return;
	if (!told)
		snprintf(l.why, sizeof(l.why), "the connections tell nothing");
	else if (!w->links)
		snprintf(l.why, sizeof(l.why), "no path is in use");
	else if (!l.why[0] && l.moved > BEYOND * l.tcp)
		snprintf(l.why, sizeof(l.why), "the IOs do not go by the NIC that has the address");
	if (!l.why[0]) {
		w->ceiling_bytes_s = llround(l.data);
		w->used = fmin(l.moved / l.tcp, 1);
	}
	double data = told ? payload(&l, s) : l.done;
	w->data_bytes_s = data;
	say(&l, w, data);
	say_briefly(&l, w, data);
}
