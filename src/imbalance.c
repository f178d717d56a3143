/* imbalance.c - see imbalance.h. */
#include "imbalance.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "units.h"

/* Clearly less than its share, and no longer so; clearly slower than the others, and no longer so. */
#define LESS      0.7
#define LESS_ENDS 0.8
#define SLOW      2.0
#define SLOW_ENDS 1.6
/* Of fewer IOs in the look shares say little. */
#define IOS_MIN 100
/* Differences that are worth a word. */
#define RTT_FACTOR   2
#define RTT_US       200
#define PEER_LIMITED 0.3
#define AGAIN_SHARE  0.001 /* of the segments */
#define CAUSES       2

/* The paths that should do the same, and what is usual among them. */
struct field {
	const struct path_view *path[PATHS_MAX];
	unsigned n;
	uint64_t ios;
};

static bool is_even(const struct sessions *s)
{
	return !s->kernel &&
	       (s->policy.policy == PATHS_LEAST || s->policy.policy == PATHS_ROUND_ROBIN);
}

static struct field field_of(const struct sessions *s)
{
	struct field f = {.n = 0};

	for (unsigned i = 0; is_even(s) && i < s->paths; i++)
		if (s->path[i].up && !s->path[i].out) {
			f.path[f.n++] = &s->path[i];
			f.ios += s->path[i].ios;
		}
	return f;
}

/* Mean of the others. */
static double others_latency(const struct field *f, const struct path_view *v)
{
	uint64_t ios = 0, wait_ns = 0;

	for (unsigned i = 0; i < f->n; i++)
		if (f->path[i] != v) {
			ios += f->path[i]->ios;
			wait_ns += f->path[i]->wait_ns;
		}
	return ios && wait_ns ? (double)wait_ns / (double)ios : -1;
}

/* How much of its share it does. */
static double part(const struct field *f, const struct path_view *v)
{
	return (double)v->ios * f->n / (double)f->ios;
}

static double slowness(const struct field *f, const struct path_view *v)
{
	double others = others_latency(f, v);

	return others > 0 && v->latency_ns > 0 ? v->latency_ns / others : 1;
}

static bool is_less(const struct field *f, const struct path_view *v, bool named)
{
	return part(f, v) < (named ? LESS_ENDS : LESS);
}

/* Only where each has its turn does one hold up the others. */
static bool is_slow(const struct sessions *s, const struct field *f, const struct path_view *v,
		    bool named)
{
	return s->policy.policy == PATHS_ROUND_ROBIN && slowness(f, v) > (named ? SLOW_ENDS : SLOW);
}

/* The worst one; what is named already stays so for longer. */
static const struct path_view *worst(const struct sessions *s, const struct field *f,
				     unsigned named)
{
	const struct path_view *w = NULL;

	for (unsigned i = 0; i < f->n; i++) {
		const struct path_view *v = f->path[i];
		bool same = v->number == named;
		if (!is_less(f, v, same) && !is_slow(s, f, v, same))
			continue;
		if (!w || part(f, v) / slowness(f, v) < part(f, w) / slowness(f, w))
			w = v;
	}
	return w;
}

/* --- Causes. --- */

/* What the words of a cause compare: one path with the others of its field. */
struct causes {
	const struct field *field;
	const struct path_view *v;
	char *out;
	size_t n;
	unsigned count;
};

__attribute__((format(printf, 2, 3))) static void cause(struct causes *c, const char *fmt, ...)
{
	char text[80];
	va_list list;

	if (c->count++ >= CAUSES)
		return;
	va_start(list, fmt);
	vsnprintf(text, sizeof(text), fmt, list);
	va_end(list);
	units_append(c->out, c->n, "%s%s", c->count == 1 ? ": " : ", ", text);
}

/* The largest among the others; -1 when none is known. */
static int64_t most_of_others(const struct causes *c, int64_t (*value)(const struct path_view *))
{
	int64_t most = -1;

	for (unsigned i = 0; i < c->field->n; i++)
		if (c->field->path[i] != c->v && value(c->field->path[i]) > most)
			most = value(c->field->path[i]);
	return most;
}

static int64_t link_speed(const struct path_view *v)
{
	return v->nominal ? -1 : v->link_bits_s;
}

static int64_t mss(const struct path_view *v)
{
	return v->all.mss;
}

static int64_t rtt(const struct path_view *v)
{
	return v->all.rtt_us;
}

static int64_t drops(const struct path_view *v)
{
	return (int64_t)v->all.drops;
}

static int64_t again(const struct path_view *v)
{
	return v->frames_s > 0 ? (int64_t)(1e6 * v->again_s / v->frames_s) : -1;
}

static int64_t peer_limited(const struct path_view *v)
{
	return (int64_t)(1e6 * v->peer_limited);
}

static void session_causes(struct causes *c)
{
	const struct path_view *v = c->v;

	if (v->up < v->sessions)
		cause(c, "%u of its %u sessions are up", v->up, v->sessions);
	if (v->all.limit)
		cause(c, "held to %u in flight since the target was full", v->all.limit);
}

static void link_causes(struct causes *c)
{
	int64_t own = link_speed(c->v), most = most_of_others(c, link_speed);

	if (own > 0 && most > own)
		cause(c, "%s has %.4g Mb/s, others %.4g", c->v->nic, (double)own / 1e6,
		      (double)most / 1e6);
	own = mss(c->v);
	most = most_of_others(c, mss);
	if (own > 0 && most > own + own / 10)
		cause(c, "MSS %lld, others %lld", (long long)own, (long long)most);
}

static void tcp_causes(struct causes *c)
{
	const struct path_view *v = c->v;
	char own_text[32], most_text[32];
	int64_t own = again(v), most = most_of_others(c, again);

	if (own > 1e6 * AGAIN_SHARE && own > 2 * most)
		cause(c, "%.2g %% of the segments again or out of order", (double)own / 1e4);
	own = peer_limited(v);
	most = most_of_others(c, peer_limited);
	if (own > 1e6 * PEER_LIMITED && own > 2 * most)
		cause(c, "%.0f %% of the time limited by the peer's window", (double)own / 1e4);
	own = rtt(v);
	most = most_of_others(c, rtt);
	if (most >= 0 && own > RTT_FACTOR * most && own > most + RTT_US)
		cause(c, "rtt %s, others %s",
		      units_latency(own_text, sizeof(own_text), 1e3 * (double)own, units_ascii()),
		      units_latency(most_text, sizeof(most_text), 1e3 * (double)most,
				    units_ascii()));
}

static void say_latencies(const struct causes *c, char *out, size_t n)
{
	char own[32], others[32];

	snprintf(out, n, "%s an IO, others %s",
		 units_latency(own, sizeof(own), c->v->latency_ns, units_ascii()),
		 units_latency(others, sizeof(others), others_latency(c->field, c->v),
			       units_ascii()));
}

/* Most certain first. */
static void say_causes(struct causes *c, bool less)
{
	char latencies[80];

	session_causes(c);
	link_causes(c);
	tcp_causes(c);
	if (drops(c->v) > most_of_others(c, drops))
		cause(c, "lost %llu time%s", (unsigned long long)c->v->all.drops,
		      c->v->all.drops == 1 ? "" : "s");
	say_latencies(c, latencies, sizeof(latencies));
	if (less && slowness(c->field, c->v) > SLOW_ENDS)
		cause(c, "%s", latencies);
	if (!c->count)
		cause(c, "nothing is seen that explains it");
}

static void say(const struct field *f, const struct path_view *v, bool less, char *out, size_t n)
{
	struct causes c = {.field = f, .v = v, .out = out, .n = n};
	char latencies[80];

	out[0] = 0;
	say_latencies(&c, latencies, sizeof(latencies));
	if (less)
		units_append(out, n, "path %u does %.0f %% of the IOs and not %.0f %%", v->number,
			     100 * part(f, v) / f->n, 100.0 / f->n);
	else
		units_append(out, n, "path %u takes %s, and its turn holds them up", v->number,
			     latencies);
	say_causes(&c, less);
}

/* --- From look to look. --- */

static void name_it(struct imbalance *m, const struct path_view *w)
{
	unsigned number = w ? w->number : 0;

	m->bad = number && number == m->suspect ? m->bad + 1 : number != 0;
	m->suspect = number;
	m->good = m->path && number != m->path ? m->good + 1 : 0;
	if (m->good >= IMBALANCE_ENDS)
		m->path = 0;
	if (m->bad >= IMBALANCE_BEGINS)
		m->path = number;
}

static const struct path_view *path_named(const struct field *f, unsigned number)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->path[i]->number == number)
			return f->path[i];
	return NULL;
}

void imbalance_look(struct imbalance *m, struct sessions *s)
{
	struct field f = field_of(s);
	bool enough = f.n > 1 && f.ios >= IOS_MIN;

	s->imbalance[0] = 0;
	name_it(m, enough ? worst(s, &f, m->path) : NULL);
	const struct path_view *v = enough ? path_named(&f, m->path) : NULL;
	if (!v)
		return;
	m->looks++;
	/* A look at which it is as the others is no reason for other words. */
	if (m->suspect == m->path || !m->text[0])
		say(&f, v, is_less(&f, v, true), m->text, sizeof(m->text));
	snprintf(s->imbalance, sizeof(s->imbalance), "%s", m->text);
}
