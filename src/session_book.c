/* session_book.c - see session_book.h. */
#include "session_book.h"

#include <stdlib.h>
#include <string.h>

/* Less than this of the data says nothing of how the rest was sent. */
#define TOLD_MIN 0.02

/* --- From one look to the next. --- */

/* A connection that exists has sent and received at least what opened it: 0 is "not told". */
static bool tells_tcp(const struct backend_session *s)
{
	return s->segments_in > 0 && s->segments_out > 0;
}

static bool same_connection(const struct backend_session *now, const struct backend_session *before)
{
	return tells_tcp(before) && now->drops == before->drops &&
	       now->relogins == before->relogins && strcmp(now->local, before->local) == 0 &&
	       now->segments_in >= before->segments_in && now->segments_out >= before->segments_out;
}

/* It was there all the time and only was not told: how much of it is new can't be said. */
static bool same_untold(const struct backend_session *now, const struct backend_session *before)
{
	return !tells_tcp(before) && before->state == SESSION_UP && now->drops == before->drops &&
	       now->relogins == before->relogins;
}

/* What is not known has not grown. */
static int64_t grown(int64_t now, int64_t before)
{
	if (now < 0)
		return 0;
	return before > 0 ? now - before : now;
}

/* What the connection that is gone carried since it was looked at nobody knows, but how much data the
 * session moved: what the new one, if there is one, has not carried itself. */
static int64_t untold(const struct backend_session *now, const struct backend_session *before)
{
	int64_t moved = (int64_t)(now->bytes - before->bytes), told = 0;

	if (tells_tcp(now))
		told = now->bytes_in > now->bytes_out ? now->bytes_in : now->bytes_out;
	return moved > told ? moved - told : 0;
}

static void add_tcp(struct flow *f, const struct backend_session *now,
		    const struct backend_session *before)
{
	static const struct backend_session nothing;

	if (before && tells_tcp(before) && !same_connection(now, before))
		f->untold += untold(now, before);
	if (!tells_tcp(now))
		return;
	f->tcp = true;
	if (before && same_untold(now, before))
		return;
	if (!before || !same_connection(now, before))
		before = &nothing;
	f->segments += grown(now->segments_in, before->segments_in) +
		       grown(now->segments_out, before->segments_out);
	f->data_in += grown(now->data_segments_in, before->data_segments_in);
	f->data_out += grown(now->data_segments_out, before->data_segments_out);
	f->bytes_in += grown(now->bytes_in, before->bytes_in);
	f->bytes_out += grown(now->bytes_out, before->bytes_out);
	f->again += grown(now->retransmits, before->retransmits) +
		    grown(now->out_of_order, before->out_of_order);
	f->busy_us += grown(now->busy_us, before->busy_us);
	f->peer_limited_us += grown(now->peer_limited_us, before->peer_limited_us);
}

static void add_counters(struct flow *f, const struct backend_session *s, int sign)
{
	f->ios += sign * (int64_t)s->ios;
	f->bytes += sign * (int64_t)s->bytes;
	f->wait_ns += sign * (int64_t)s->wait_ns;
}

/* Most often the one at the same place, or just behind the last one that was found. */
static const struct backend_session *find(const struct session_book *b, uint32_t number,
					  unsigned *at)
{
	for (unsigned i = 0; i < b->seen_count; i++) {
		const struct backend_session *s = &b->seen[(*at + i) % b->seen_count];
		if (s->number == number) {
			*at = (*at + i + 1) % b->seen_count;
			return s;
		}
	}
	return NULL;
}

static uint32_t path_of(const struct backend_session *s)
{
	return s->path < PATHS_MAX ? s->path : PATHS_MAX - 1;
}

static void add_past(struct session_book *b, struct flow *flow, const struct backend_past *past)
{
	for (unsigned i = 0; i < PATHS_MAX; i++) {
		flow[i].ios += (int64_t)(past[i].ios - b->past[i].ios);
		flow[i].bytes += (int64_t)(past[i].bytes - b->past[i].bytes);
		flow[i].wait_ns += (int64_t)(past[i].wait_ns - b->past[i].wait_ns);
	}
	memcpy(b->past, past, sizeof(b->past));
}

/* All that is counted now, and the past, less all that was counted before. Without a past, a session can
 * be older than its first look, and what the gone have done since their last one is lost. */
static void difference(struct session_book *b, struct flow flow[PATHS_MAX],
		       const struct backend_session *now, unsigned n,
		       const struct backend_past *past)
{
	unsigned at = 0;

	for (unsigned i = 0; i < n; i++) {
		struct flow *f = &flow[path_of(&now[i])];
		const struct backend_session *before = find(b, now[i].number, &at);
		if (!before && !past)
			continue;
		add_counters(f, &now[i], 1);
		if (!past && now[i].ios >= before->ios)
			add_counters(f, before, -1);
		add_tcp(f, &now[i], before);
	}
	if (!past)
		return;
	for (unsigned i = 0; i < b->seen_count; i++)
		add_counters(&flow[path_of(&b->seen[i])], &b->seen[i], -1);
	add_past(b, flow, past);
}

static void add_flow(struct flow *to, const struct flow *f)
{
	to->ios += f->ios;
	to->bytes += f->bytes;
	to->wait_ns += f->wait_ns;
	to->tcp |= f->tcp;
	to->untold += f->untold;
	to->segments += f->segments;
	to->data_in += f->data_in;
	to->data_out += f->data_out;
	to->bytes_in += f->bytes_in;
	to->bytes_out += f->bytes_out;
	to->again += f->again;
	to->busy_us += f->busy_us;
	to->peer_limited_us += f->peer_limited_us;
}

static void add_stretch(struct stretch *s, const struct flow flow[PATHS_MAX], uint64_t t_ns)
{
	s->to_ns = t_ns;
	for (unsigned i = 0; i < PATHS_MAX; i++)
		add_flow(&s->flow[i], &flow[i]);
}

static void remember(struct session_book *b, const struct backend_session *now, unsigned n)
{
	if (n > b->seen_size) {
		struct backend_session *seen = realloc(b->seen, n * sizeof(*seen));
		/* Those that there is no room for are new the next time: they had better not be. */
		if (!seen) {
			b->looked = false;
			return;
		}
		b->seen = seen;
		b->seen_size = n;
	}
	if (n)
		memcpy(b->seen, now, n * sizeof(*now));
	b->seen_count = n;
}

/* --- What a path is like. --- */

static void add_known(int64_t *to, int64_t v)
{
	if (v >= 0)
		*to = (*to > 0 ? *to : 0) + v;
}

static void add_session_tcp(struct backend_session *all, const struct backend_session *s)
{
	add_known(&all->retransmits, s->retransmits);
	add_known(&all->busy_us, s->busy_us);
	add_known(&all->peer_limited_us, s->peer_limited_us);
	add_known(&all->buffer_limited_us, s->buffer_limited_us);
	add_known(&all->segments_in, s->segments_in);
	add_known(&all->segments_out, s->segments_out);
	add_known(&all->data_segments_in, s->data_segments_in);
	add_known(&all->data_segments_out, s->data_segments_out);
	add_known(&all->bytes_in, s->bytes_in);
	add_known(&all->bytes_out, s->bytes_out);
	add_known(&all->bytes_again, s->bytes_again);
	add_known(&all->out_of_order, s->out_of_order);
}

static void add_session(struct backend_session *all, const struct backend_session *s)
{
	all->inflight += s->inflight;
	all->held += s->held;
	/* The tightest one is what holds it back. */
	if (s->limit && (!all->limit || s->limit < all->limit))
		all->limit = s->limit;
	all->window_limited |= s->window_limited;
	all->busy += s->busy;
	all->full += s->full;
	all->attentions += s->attentions;
	all->drops += s->drops;
	all->relogins += s->relogins;
	if (s->outage_ns > all->outage_ns)
		all->outage_ns = s->outage_ns;
	if (s->heard_ns > all->heard_ns)
		all->heard_ns = s->heard_ns;
	if (s->answered_ns > all->answered_ns)
		all->answered_ns = s->answered_ns;
	if (!all->lost[0])
		memcpy(all->lost, s->lost, sizeof(all->lost));
	all->ios += s->ios;
	all->bytes += s->bytes;
	all->wait_ns += s->wait_ns;
	add_session_tcp(all, s);
}

/* The words and addresses of one, the sums at nothing. */
static void begin_view(struct path_view *v, const struct backend_session *s)
{
	struct backend_session *all = &v->all;

	*all = *s;
	all->inflight = all->held = all->limit = 0;
	all->window_limited = false;
	all->busy = all->full = all->attentions = all->drops = all->relogins = 0;
	all->heard_ns = all->answered_ns = 0;
	all->outage_ns = all->ios = all->bytes = all->wait_ns = 0;
	memset(&all->loss, 0, sizeof(all->loss));
	all->retransmits = all->busy_us = all->peer_limited_us = all->buffer_limited_us = -1;
	all->segments_in = all->segments_out = -1;
	all->data_segments_in = all->data_segments_out = -1;
	all->bytes_in = all->bytes_out = all->bytes_again = all->out_of_order = -1;
}

static uint64_t loss_end(const struct backend_session *s)
{
	return s->loss.back_ns ? s->loss.back_ns : UINT64_MAX;
}

static void add_loss(struct backend_session *all, const struct backend_session *s)
{
	if (s->loss.silent_ns < all->loss.silent_ns)
		all->loss.silent_ns = s->loss.silent_ns;
	if (s->loss.noticed_ns < all->loss.noticed_ns)
		all->loss.noticed_ns = s->loss.noticed_ns;
	if (!s->loss.back_ns || (all->loss.back_ns && s->loss.back_ns > all->loss.back_ns))
		all->loss.back_ns = s->loss.back_ns;
	if (!s->loss.moved_ns || (all->loss.moved_ns && s->loss.moved_ns > all->loss.moved_ns))
		all->loss.moved_ns = s->loss.moved_ns;
	all->loss.stranded += s->loss.stranded;
	if (s->loss.longest_ns > all->loss.longest_ns)
		all->loss.longest_ns = s->loss.longest_ns;
}

/* The last outage of a path: the newest loss of a session, and those of others that overlap it. */
static void sum_losses(struct path_view *v, const struct backend_session *list, unsigned n)
{
	const struct backend_session *newest = NULL;

	for (unsigned i = 0; i < n; i++)
		if (path_of(&list[i]) + 1 == v->number && list[i].loss.noticed_ns &&
		    (!newest || list[i].loss.noticed_ns > newest->loss.noticed_ns))
			newest = &list[i];
	if (!newest)
		return;
	v->all.loss = newest->loss;
	for (unsigned i = 0; i < n; i++) {
		const struct backend_session *s = &list[i];
		if (s != newest && path_of(s) + 1 == v->number && s->loss.noticed_ns &&
		    loss_end(s) >= newest->loss.silent_ns)
			add_loss(&v->all, s);
	}
}

static void view_sessions(struct sessions *s, const struct backend_session *list, unsigned n)
{
	memset(s->path, 0, sizeof(s->path));
	for (unsigned i = 0; i < n; i++) {
		struct path_view *v = &s->path[path_of(&list[i])];
		bool up = list[i].state == SESSION_UP;
		/* The first that is up stands for all. */
		if (!v->sessions || (up && !v->up))
			begin_view(v, &list[i]);
		v->sessions++;
		v->up += up;
		if (path_of(&list[i]) >= s->paths)
			s->paths = path_of(&list[i]) + 1;
	}
	for (unsigned i = 0; i < n; i++)
		add_session(&s->path[path_of(&list[i])].all, &list[i]);
	for (unsigned i = 0; i < s->paths; i++) {
		struct path_view *v = &s->path[i];
		v->number = i + 1;
		v->out = v->all.out;
		v->nic_mtu = v->link_bits_s = -1;
		sum_losses(v, list, n);
	}
}

void session_book_take(struct session_book *b, struct sessions *s, uint64_t t_ns,
		       const struct backend_session *now, unsigned n,
		       const struct backend_past *past)
{
	struct flow flow[PATHS_MAX] = {0};

	s->paths = s->up = 0;
	s->drops = 0;
	s->count = n;
	s->listed = n < SESSIONS_MAX ? n : SESSIONS_MAX;
	if (s->listed)
		memcpy(s->session, now, s->listed * sizeof(*now));
	for (unsigned i = 0; i < n; i++) {
		s->up += now[i].state == SESSION_UP;
		s->drops += now[i].drops;
	}
	view_sessions(s, now, n);
	/* Whoever tells the time of the end may not have known of the last look. */
	if (b->looked && t_ns < b->recent.to_ns)
		t_ns = b->recent.to_ns;
	if (b->looked) {
		difference(b, flow, now, n, past);
		add_stretch(&b->recent, flow, t_ns);
		add_stretch(&b->whole, flow, t_ns);
	} else {
		b->recent = (struct stretch){.from_ns = t_ns, .to_ns = t_ns};
		if (!b->whole.from_ns)
			b->whole = b->recent;
		if (past)
			memcpy(b->past, past, sizeof(b->past));
	}
	b->looked = true;
	remember(b, now, n);
}

/* --- Rates. --- */

static uint64_t sum_of(int64_t v)
{
	return v > 0 ? (uint64_t)v : 0;
}

static double per_second(int64_t v, double seconds)
{
	return seconds > 0 ? (double)sum_of(v) / seconds : -1;
}

static double ratio(int64_t a, int64_t b)
{
	return b > 0 ? (double)sum_of(a) / (double)b : -1;
}

/* What nobody counted was sent as the rest was; 0: too little is known to say so. */
static double told_part(const struct flow *f)
{
	double part = f->untold ? 1 - (double)f->untold / (double)f->bytes : 1;

	return part < TOLD_MIN ? 0 : part;
}

static void tcp_rates(struct path_view *v, const struct flow *f, double seconds)
{
	bool more_in = f->bytes_in >= f->bytes_out;
	double part = told_part(f);

	v->received_s = v->sent_s = v->frames_s = v->frame_bytes = v->again_s = -1;
	v->peer_limited = -1;
	if (!f->tcp || part <= 0)
		return;
	v->received_s = per_second(f->bytes_in, part * seconds);
	v->sent_s = per_second(f->bytes_out, part * seconds);
	v->frames_s = per_second(f->segments, part * seconds);
	v->frame_bytes =
		more_in ? ratio(f->bytes_in, f->data_in) : ratio(f->bytes_out, f->data_out);
	v->again_s = per_second(f->again, seconds);
	v->peer_limited = f->busy_us > 0 ? ratio(f->peer_limited_us, f->busy_us) : 0;
	if (v->peer_limited > 1)
		v->peer_limited = 1;
}

void session_book_rates(const struct stretch *stretch, struct sessions *s)
{
	double seconds = (double)(stretch->to_ns - stretch->from_ns) / 1e9;
	int64_t all = 0;

	for (unsigned i = 0; i < s->paths; i++)
		all += (int64_t)sum_of(stretch->flow[i].ios);
	for (unsigned i = 0; i < s->paths; i++) {
		const struct flow *f = &stretch->flow[i];
		struct path_view *v = &s->path[i];
		v->ios = sum_of(f->ios);
		v->bytes = sum_of(f->bytes);
		v->wait_ns = sum_of(f->wait_ns);
		v->iops = per_second(f->ios, seconds);
		v->bytes_s = per_second(f->bytes, seconds);
		v->latency_ns = v->wait_ns ? ratio(f->wait_ns, f->ios) : -1;
		v->share = ratio(f->ios, all);
		tcp_rates(v, f, seconds);
	}
}
