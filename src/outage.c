/* outage.c - see outage.h. */
#include "outage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "units.h"

enum { LOST, BACK };

/* The kernel tells of a link about when a loss is noticed. */
#define LINK_SEEN_NS NS_PER_SEC

/* --- What is known of a loss. --- */

/* Since when it mattered. When all that it took with it is done, `longest` says when the first of these was
 * sent at the earliest: none of them had ended when the loss was noticed. */
uint64_t outage_since(const struct backend_loss *l)
{
	if (l->longest_ns && l->moved_ns && l->noticed_ns > l->longest_ns &&
	    l->noticed_ns - l->longest_ns > l->silent_ns)
		return l->noticed_ns - l->longest_ns;
	return l->silent_ns;
}

/* Not known to be lost, but since the run ended, at t_ns, nothing has come. */
static bool fell_silent(const struct path_view *v, uint64_t t_ns)
{
	const struct backend_session *b = &v->all;
	bool lost = b->loss.noticed_ns && !b->loss.back_ns;

	return v->up && b->inflight && b->heard_ns && b->heard_ns <= t_ns && !lost;
}

static struct backend_loss silence(const struct backend_session *b, uint64_t t_ns)
{
	uint64_t from = b->heard_ns > b->answered_ns ? b->heard_ns : b->answered_ns;

	return (struct backend_loss){
		.silent_ns = from < t_ns ? from : t_ns,
		.noticed_ns = t_ns,
		.stranded = b->inflight,
	};
}

/* The backend's facts, else by what is seen: all sessions of the path gone, and some there again. */
static struct backend_loss facts(const struct outage_path *p, const struct path_view *v,
				 uint64_t t_ns)
{
	struct backend_loss l = v->all.loss;

	if (l.noticed_ns)
		return l;
	if (p->up && !v->up && !v->out)
		return (struct backend_loss){
			.silent_ns = t_ns, .noticed_ns = t_ns, .moved_ns = t_ns};
	if (p->gone || p->loss.stranded || (v->up && p->loss.back_ns))
		return l;
	l = p->loss;
	if (l.noticed_ns && v->up)
		l.back_ns = t_ns;
	return l;
}

/* Sessions that go one after the other, so that some are always out, are one outage. The backend's facts are
 * those of the last of them. */
static bool goes_on(const struct backend_loss *old, const struct backend_loss *l)
{
	return old->noticed_ns == l->noticed_ns || (old->back_ns && l->silent_ns <= old->back_ns);
}

/* Once all that it took with it was done, sessions of the path that were left may go as well: that leaves
 * another gap, which can't have begun before the slowest of their IOs was sent. */
static uint64_t gap_from(const struct outage_path *p)
{
	const struct backend_loss *l = &p->loss;
	uint64_t sent = l->moved_ns > l->longest_ns ? l->moved_ns - l->longest_ns : 0;

	if (!p->again_ns)
		return outage_since(l);
	return sent > p->again_ns ? sent : p->again_ns;
}

/* Another gap. The end of the one before was never seen, or this would be no other. */
static void begin_gap(struct outage_path *p, const struct backend_loss *l, struct timeline *t)
{
	if (p->gap && !p->until_ns)
		timeline_gap(t, p->gap, gap_from(p), l->silent_ns);
	p->gap = 0;
	p->until_ns = p->moved_ns = p->again_ns = 0;
	p->loss = *l;
}

static void begin(struct outage_path *p, const struct backend_loss *l, struct timeline *t,
		  bool told)
{
	begin_gap(p, l, t);
	p->first_ns = 0;
	p->told = told;
	p->gone = p->no_link = false;
	p->before = p->drops;
	p->mark[LOST] = p->mark[BACK] = 0;
	p->text[LOST][0] = p->text[BACK][0] = 0;
}

static void observe(struct outage *o, struct outage_path *p, const struct path_view *v,
		    struct timeline *t, uint64_t t_ns)
{
	struct backend_loss l = facts(p, v, t_ns);

	p->silent = o->ended && fell_silent(v, t_ns);
	if (p->silent)
		l = silence(&v->all, t_ns);
	if (!l.noticed_ns) {
		/* With the queues of an engine that has ended, sessions end too. */
		p->gone = p->loss.noticed_ns != 0;
		if (p->gone && !p->loss.moved_ns)
			p->loss.moved_ns = t_ns;
	} else if (!p->loss.noticed_ns || !goes_on(&p->loss, &l)) {
		begin(p, &l, t, o->looked);
	} else if (l.noticed_ns != p->loss.noticed_ns) {
		if (!p->first_ns)
			p->first_ns = outage_since(&p->loss);
		begin_gap(p, &l, t);
	} else {
		p->loss = l;
	}
	/* While it was silent, or as soon as that can be known after the loss is. */
	p->no_link |= p->loss.noticed_ns && p->no_link_ns >= p->loss.silent_ns &&
		      p->no_link_ns <= p->loss.noticed_ns + LINK_SEEN_NS;
	if (!v->out)
		p->out_ns = 0;
	else if (!p->out_ns)
		p->out_ns = t_ns;
}

/* --- Gaps. --- */

static void leave_out(struct outage_path *p, struct timeline *t)
{
	const struct backend_loss *l = &p->loss;

	if (!p->told || !l->stranded || (p->until_ns && p->moved_ns == l->moved_ns))
		return;
	if (p->until_ns) {
		p->again_ns = p->until_ns;
		p->gap = 0;
	}
	p->moved_ns = l->moved_ns;
	p->until_ns = l->moved_ns ? timeline_caught_up(t, l->moved_ns) : 0;
	p->gap = timeline_gap(t, p->gap, gap_from(p), p->until_ns);
}

/* From when to when the path can carry nothing; false when it could all the time. What the kernel's sessions
 * had in flight is not told: the silence before such a loss was noticed is taken for that of IOs. */
static bool dead(const struct outage_path *p, const struct path_view *v, bool kernel,
		 uint64_t *from, uint64_t *until)
{
	const struct backend_loss *l = &p->loss;

	*until = UINT64_MAX;
	*from = p->out_ns;
	if (v->out)
		return true;
	if (!l->noticed_ns || p->gone)
		return !v->up;
	*from = l->stranded || kernel ? outage_since(l) : l->noticed_ns;
	if (l->back_ns)
		*until = l->back_ns;
	return true;
}

/* When none of the paths could carry anything: from the last one's end to the first one's return. */
static bool find_still(const struct outage *o, const struct sessions *s, uint64_t *from,
		       uint64_t *until, unsigned *first)
{
	bool lost = false;

	*from = 0;
	*until = UINT64_MAX;
	for (unsigned i = 0; i < s->paths; i++) {
		uint64_t a, b;
		if (!s->path[i].sessions)
			continue;
		if (!dead(&o->path[i], &s->path[i], s->kernel, &a, &b))
			return false;
		lost |= o->path[i].told && !o->path[i].gone && !s->path[i].out;
		if (a > *from)
			*from = a;
		if (b < *until) {
			*until = b;
			*first = i;
		}
	}
	return lost && *from && *from < *until;
}

static uint64_t longest(struct timeline *t, uint64_t from, uint64_t until)
{
	struct sample sum;

	timeline_sum(t, from, until, &sum);
	const struct op_sample *r = &sum.op[IO_READ], *w = &sum.op[IO_WRITE];
	return r->lat_max > w->lat_max ? r->lat_max : w->lat_max;
}

static void leave_out_still(struct outage *o, const struct sessions *s, struct timeline *t,
			    uint64_t t_ns)
{
	uint64_t from, back;
	unsigned first = 0;
	bool is = find_still(o, s, &from, &back, &first);
	bool same = is && o->still.gap && from == o->still.from_ns;

	if (o->still.gap && !o->still.over && !same) {
		timeline_gap(t, o->still.gap, o->still.from_ns, is ? from : t_ns);
		o->still.over = true;
	}
	if (!is || (same && o->still.over))
		return;
	if (!same)
		memset(&o->still, 0, sizeof(o->still));
	o->still.from_ns = from;
	o->still.path = first;
	o->still.back_ns = back == UINT64_MAX ? 0 : back;
	o->still.until_ns = back == UINT64_MAX ? 0 : timeline_flows(t, back);
	uint64_t end = o->still.until_ns ? timeline_caught_up(t, o->still.until_ns) : 0;
	o->still.gap = timeline_gap(t, o->still.gap, from, end);
	o->still.over = end != 0;
	o->still.longest_ns = o->still.until_ns ? longest(t, from, o->still.until_ns) : 0;
}

/* --- Words. --- */

char *outage_span(char *out, size_t n, uint64_t ns)
{
	return ns < 60 * NS_PER_SEC ? units_latency(out, n, (double)ns, 1) : units_span(out, n, ns);
}

/* "path 2", "all sessions of path 2", ...: how much of it was lost. */
static void describe(char *out, size_t n, const struct outage_path *p, const struct path_view *v)
{
	uint64_t lost = v->all.drops > p->before ? v->all.drops - p->before : 1;

	if (v->sessions > 1 && v->all.loss.noticed_ns && lost < v->sessions)
		snprintf(out, n, "%llu of %u sessions of path %u", (unsigned long long)lost,
			 v->sessions, v->number);
	else
		snprintf(out, n, "path %u", v->number);
}

/* What became of the IOs that were in flight; "" while that is not known. */
static void describe_ios(char *out, size_t n, const struct outage_path *p, const struct sessions *s)
{
	const struct backend_loss *l = &p->loss;
	char recovery[32], most[32];

	out[0] = 0;
	if (!l->stranded || !l->moved_ns)
		return;
	/* Within the time that they are held, none can have failed for want of a path; and those that are
	 * not held at all only move where there is another. */
	uint64_t took = l->moved_ns - outage_since(l), hold = s->policy.hold_ns;
	const char *what = took < hold              ? "moved"
			   : !hold && s->paths == 1 ? "failed"
						    : "moved or failed";
	snprintf(out, n, "%u IO%s %s within %s, the longest took %s", l->stranded,
		 l->stranded == 1 ? "" : "s", what, outage_span(recovery, sizeof(recovery), took),
		 outage_span(most, sizeof(most), l->longest_ns));
}

/* Of the session that was lost, not of one that stands for the path. */
static const char *reason(const struct outage_path *p, const struct path_view *v,
			  const struct sessions *s)
{
	for (unsigned i = 0; i < s->listed; i++) {
		const struct backend_session *b = &s->session[i];
		if (b->path + 1 == v->number && b->lost[0] &&
		    b->loss.noticed_ns >= p->loss.noticed_ns)
			return b->lost;
	}
	return v->all.lost[0] ? v->all.lost : v->all.why;
}

static void word_silent(char *out, size_t n, const struct outage_path *p, const struct path_view *v)
{
	const struct backend_loss *l = &p->loss;
	char text[32];

	snprintf(out, n, "path %u %.47s silent for the last %s of the run, %u IO%s not answered",
		 v->number, v->all.portal,
		 outage_span(text, sizeof(text), l->noticed_ns - l->silent_ns), l->stranded,
		 l->stranded == 1 ? "" : "s");
}

static void word_lost(char *out, size_t n, const struct outage_path *p, const struct path_view *v,
		      const struct sessions *s)
{
	char what[64], ios[96];
	const char *why = reason(p, v, s);

	if (p->silent) {
		word_silent(out, n, p, v);
		return;
	}
	describe(what, sizeof(what), p, v);
	describe_ios(ios, sizeof(ios), p, s);
	/* Said once: in the mark of its return, when there is one. */
	if (p->loss.back_ns)
		ios[0] = 0;
	snprintf(out, n, "%s%s%.47s lost", what, v->all.portal[0] ? " " : "", v->all.portal);
	if (ios[0])
		units_append(out, n, ", %s", ios);
	if (p->no_link)
		units_append(out, n, ": no link on %s", p->nic);
	if (why[0])
		units_append(out, n, ": %s", why);
}

/* IOs that were started meanwhile waited for this return, and so may those that were in flight. */
static void word_still(char *out, size_t n, const struct outage *o, const struct backend_loss *l,
		       bool waited)
{
	uint64_t most = o->still.longest_ns > l->longest_ns ? o->still.longest_ns : l->longest_ns;
	char text[32];

	units_append(out, n, "; IO stood still for %s",
		     outage_span(text, sizeof(text), o->still.until_ns - o->still.from_ns));
	if (waited)
		units_append(out, n, ", %u IO%s waited", l->stranded, l->stranded == 1 ? "" : "s");
	if (most)
		units_append(out, n, ", the longest took %s",
			     outage_span(text, sizeof(text), most));
}

static void word_back(char *out, size_t n, const struct outage *o, const struct outage_path *p,
		      const struct path_view *v, const struct sessions *s)
{
	const struct backend_loss *l = &p->loss;
	char what[64], ios[96], text[32];

	describe(what, sizeof(what), p, v);
	describe_ios(ios, sizeof(ios), p, s);
	snprintf(out, n, "%s %s back after %s", what, strstr(what, "sessions") ? "are" : "is",
		 outage_span(text, sizeof(text),
			     l->back_ns - (p->first_ns ? p->first_ns : outage_since(l))));
	bool ended = o->still.until_ns && o->still.path == v->number - 1 &&
		     o->still.back_ns == l->back_ns;
	bool waited = ended && l->stranded && l->back_ns <= l->moved_ns;
	if (ended)
		word_still(out, n, o, l, waited);
	if (ios[0] && !waited)
		units_append(out, n, "; %s", ios);
}

/* --- Marks. --- */

struct news {
	struct outage_path *path;
	unsigned which;
	uint64_t t_ns;
};

static int by_time(const void *a, const void *b)
{
	const struct news *x = a, *y = b;

	return (x->t_ns > y->t_ns) - (x->t_ns < y->t_ns);
}

/* Marks stand in order: what happened before the newest one was known too late to stand before it. */
static uint64_t in_order(struct timeline *t, uint64_t t_ns, uint64_t now)
{
	struct mark newest;

	if (timeline_marks(t, 0, &newest, 1) && newest.t_ns > t_ns)
		t_ns = newest.t_ns;
	return t_ns < now ? t_ns : now;
}

/* New words for a mark that is there already, and news for one that is not. */
static unsigned word(struct outage *o, struct outage_path *p, const struct path_view *v,
		     const struct sessions *s, struct timeline *t, struct news *news)
{
	unsigned n = 0;

	for (unsigned which = LOST; which <= BACK; which++) {
		char text[MARK_TEXT];
		if (which == BACK && !p->loss.back_ns)
			continue;
		if (which == LOST)
			word_lost(text, sizeof(text), p, v, s);
		else
			word_back(text, sizeof(text), o, p, v, s);
		if (strcmp(text, p->text[which]) == 0)
			continue;
		memcpy(p->text[which], text, sizeof(text));
		if (p->mark[which])
			timeline_note(t, p->mark[which], text);
		else
			news[n++] = (struct news){
				p, which, which == LOST ? p->loss.noticed_ns : p->loss.back_ns};
	}
	return n;
}

static uint32_t remember(struct outage *o, uint32_t id)
{
	if (id)
		o->newest[o->marks++ % OUTAGE_MARKS] = id;
	return id;
}

static void tell(struct outage *o, const struct sessions *s, struct timeline *t, uint64_t t_ns,
		 uint32_t generation)
{
	struct news news[2 * PATHS_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < s->paths; i++)
		if (o->path[i].told && !o->path[i].gone)
			n += word(o, &o->path[i], &s->path[i], s, t, news + n);
	qsort(news, n, sizeof(*news), by_time);
	for (unsigned i = 0; i < n; i++)
		news[i].path->mark[news[i].which] = remember(
			o, timeline_mark(t, MARK_EVENT, in_order(t, news[i].t_ns, t_ns), generation,
					 NULL, news[i].path->text[news[i].which]));
}

/* --- A look. --- */

/* A path that owes answers and has given none since the last look may be out, or may just be slow. */
static bool doubtful(const struct outage_path *p, const struct path_view *v)
{
	bool open = p->gap && !p->until_ns;

	return open || (v->up && v->all.inflight && v->all.ios == p->ios);
}

/* A path that is down tells no address, so no NIC. */
static void look_at_link(struct outage_path *p, const struct path_view *v, const struct facts *host,
			 uint64_t t_ns)
{
	char words[32];

	if (v->up && v->nic[0])
		memcpy(p->nic, v->nic, sizeof(p->nic));
	snprintf(words, sizeof(words), "%s link", p->nic);
	const char *link = host && p->nic[0] ? facts_get(host, words) : NULL;
	if (link && strcmp(link, "down") == 0)
		p->no_link_ns = t_ns;
}

void outage_look(struct outage *o, const struct sessions *s, const struct facts *host,
		 struct timeline *t, uint64_t t_ns, uint32_t generation)
{
	o->doubtful = false;
	for (unsigned i = 0; i < s->paths; i++)
		look_at_link(&o->path[i], &s->path[i], host, t_ns);
	for (unsigned i = 0; i < s->paths; i++) {
		struct outage_path *p = &o->path[i];
		observe(o, p, &s->path[i], t, t_ns);
		leave_out(p, t);
		o->doubtful |= doubtful(p, &s->path[i]);
	}
	leave_out_still(o, s, t, t_ns);
	o->doubtful |= o->still.gap && !o->still.over;
	tell(o, s, t, t_ns, generation);
	for (unsigned i = 0; i < s->paths; i++) {
		o->path[i].drops = s->path[i].all.drops;
		o->path[i].ios = s->path[i].all.ios;
		o->path[i].up = s->path[i].up > 0;
	}
	o->looked = true;
}
