/* path.c - see path.h.
 *
 * A session that is lost is logged in again by us: at once when it had lasted, then with growing pauses.
 * Behind the same name there may be another LUN by then, so it is looked at before anything is sent.
 * Callbacks only note and move orders.
 */
#include "backends/iscsi/path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Between tries to log in again; shorter where there is no other way meanwhile. */
#define LASTED_NS        (1 * SEC_NS)
#define PAUSE_MIN_NS     (100 * MS_NS)
#define PAUSE_MAX_NS     (1 * SEC_NS)
#define PAUSE_MAX_ONE_NS (SEC_NS / 2)

/* With the lock. */
static void tell(struct path *p, enum backend_session_state state, const char *why)
{
	p->state = state;
	p->fd = state == SESSION_UP ? session_fd(&p->session) : -1;
	/* What was in its way is so no more; why it was lost, loss and lost keep. */
	if (state == SESSION_UP) {
		snprintf(p->parameters, sizeof(p->parameters), "%s", p->session.parameters);
		memcpy(p->sent_on, p->session.sent_on, sizeof(p->sent_on));
		p->why[0] = 0;
	}
	if (why)
		snprintf(p->why, sizeof(p->why), "%.190s", why);
}

void path_publish(struct path *p, enum backend_session_state state, const char *why)
{
	uint64_t now = iscsi_now_ns();

	pthread_mutex_lock(&p->target->lock);
	tell(p, state, why);
	/* What is taken out is lost no more. */
	if (p->out && p->lost_ns) {
		p->outage_ns = now - p->lost_ns;
		p->lost_ns = 0;
	}
	pthread_mutex_unlock(&p->target->lock);
}

static void publish_up(struct path *p, uint64_t now)
{
	pthread_mutex_lock(&p->target->lock);
	tell(p, SESSION_UP, NULL);
	loss_end(p, now);
	pthread_mutex_unlock(&p->target->lock);
}

static void publish_lost(struct path *p, uint64_t now, const char *why)
{
	pthread_mutex_lock(&p->target->lock);
	tell(p, SESSION_DOWN, why);
	loss_begin(p, now);
	snprintf(p->lost, sizeof(p->lost), "%.190s", why);
	path_count(&p->drops, 1);
	pthread_mutex_unlock(&p->target->lock);
}

/* libiscsi calls no callbacks for what is in flight when a session ends after its logout, or before its
 * login: that comes back here. */
void path_take_back(struct path *p)
{
	for (uint32_t i = 0; i < p->orders; i++) {
		struct order *o = &p->order[i];
		if (!path_has(p, o))
			continue;
		scsi_free_scsi_task(o->task);
		o->task = NULL;
		path_inflight_add(p, -1);
		loss_strand(p, o);
		order_hold(o);
	}
	reply_drop(&p->check.reply);
}

static bool others_up(const struct path *p)
{
	for (unsigned i = 0; i < p->paths; i++)
		if (i != p->index && path_is_up(&p->all[i]))
			return true;
	return false;
}

static void plan_login(struct path *p, uint64_t now)
{
	uint64_t most = others_up(p) ? PAUSE_MAX_NS : PAUSE_MAX_ONE_NS;

	p->login_at_ns = p->out ? NEVER : now + p->pause_ns;
	p->pause_ns = p->pause_ns ? p->pause_ns * 2 : PAUSE_MIN_NS;
	if (p->pause_ns > most)
		p->pause_ns = most;
}

/* Whoever looks at the socket must know first that it goes; and what is in flight, whose it is before the
 * loss is told. */
static void drop(struct path *p, uint64_t now)
{
	bool was_up = p->state == SESSION_UP;
	char why[192];

	snprintf(why, sizeof(why), "%.190s", session_why(&p->session));
	error_tame(why);
	path_publish(p, SESSION_DOWN, why);
	session_close(&p->session);
	path_take_back(p);
	/* One that the operator wanted anew and that does not come back is lost, too. */
	if (was_up || p->anew)
		publish_lost(p, now, why);
	if (was_up && now - p->up_since_ns > LASTED_NS)
		p->pause_ns = 0;
	loss_forget(p);
	p->broken = false;
	path_act_failed(p);
	plan_login(p, now);
	if (p->out)
		path_publish(p, SESSION_DOWN, PATH_OUT_WORDS);
}

/* A path that has not answered a goodbye keeps nobody waiting a second time, until it is up again. */
static void note_mute(struct path *p, bool mute)
{
	uint32_t bit = 1u << p->index;

	if (mute)
		atomic_fetch_or(&p->target->mute, bit);
	else
		atomic_fetch_and(&p->target->mute, ~bit);
}

/* What is behind it is what it was. */
static void come_up(struct path *p, uint64_t now)
{
	p->up_since_ns = now;
	path_note_time(&p->heard_ns, now);
	path_note_time(&p->answered_ns, now);
	p->heard = p->answered = false;
	p->ping_ns = 0;
	p->look_at_ns = now;
	p->gaps = 0;
	p->ios_up = atomic_load_explicit(&p->ios, relaxed);
	note_mute(p, false);
	publish_up(p, now);
	path_act_up(p);
}

static void log_in(struct path *p)
{
	path_publish(p, SESSION_LOGIN, NULL);
	check_begin(p);
	p->queued = 0;
	p->corked = false;
	/* Once it was up, its portal is known to be good: what is lost on the way is sent again soon. */
	session_begin(&p->session, p->peer, false, p->up_since_ns != 0);
}

void path_tend(struct path *p, uint64_t now)
{
	struct session *s = &p->session;

	if (p->leaving == PATH_LOGS_OUT)
		return;
	if (s->c && (s->failed || p->broken))
		drop(p, now);
	if (!s->c && now >= p->login_at_ns)
		log_in(p);
	if (s->state != STATE_UP || s->failed || p->broken)
		return;
	if (p->check.step == CHECK_DONE && p->doubted) {
		check_begin(p);
		s->limit_ns = now + LOGIN_LIMIT_NS;
	}
	if (p->state == SESSION_UP)
		path_ping(p, now);
	if (p->check.step != CHECK_DONE && !s->failed && !p->broken && check_tend(p, now) &&
	    p->state != SESSION_UP)
		come_up(p, now);
}

uint64_t path_next_ns(const struct path *p, uint64_t now)
{
	/* That a target was full is over by itself. */
	uint64_t next = p->full_until_ns > now ? p->full_until_ns : UINT64_MAX;

	if (!p->session.c)
		return p->login_at_ns;
	if (p->state == SESSION_UP && path_ping_next_ns(p) < next)
		next = path_ping_next_ns(p);
	return p->leaving && p->leave_limit_ns < next ? p->leave_limit_ns : next;
}

void path_init(struct path *p, struct iscsi_target *t, struct path *all, unsigned paths,
	       unsigned index, uint32_t number)
{
	p->target = t;
	p->all = all;
	p->paths = paths;
	p->index = index;
	p->peer = &t->peer[index];
	p->fd = -1;
	p->session.isid = t->isid;
	p->session.number = number;
	p->anew_seen = atomic_load(&t->anew[index]);
	p->out = atomic_load(&t->out) & 1u << index;
	if (p->out) {
		p->login_at_ns = NEVER;
		snprintf(p->why, sizeof(p->why), PATH_OUT_WORDS);
	}
}

static bool is_mute(const struct path *p)
{
	return atomic_load(&p->target->mute) & 1u << p->index;
}

void path_close_all(struct path *all, unsigned paths)
{
	struct session *leaving[ISCSI_PATHS_MAX];
	struct path *of[ISCSI_PATHS_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < paths; i++) {
		struct path *p = &all[i];
		path_publish(p, SESSION_DOWN, NULL);
		/* Once it has logged out, libiscsi 1.19 drops what is unanswered without a word: nobody
		 * would give the command back. */
		if (p->check.reply.pending || p->session.state != STATE_UP || is_mute(p)) {
			session_close(&p->session);
			continue;
		}
		of[n] = p;
		leaving[n++] = &p->session;
	}
	session_logout_all(leaving, n);
	for (unsigned i = 0; i < n; i++)
		note_mute(of[i], !of[i]->session.logged_out);
}

void path_abandon(struct path *p)
{
	if (p->session.c)
		drop(p, iscsi_now_ns());
}

static uint64_t next_login(const struct path *p)
{
	uint64_t at = p->login_at_ns;

	return p->state == SESSION_DOWN && at != NEVER ? at : 0;
}

void path_look(const struct path *p, struct backend_session *s)
{
	*s = (struct backend_session){
		.number = p->session.number,
		.path = p->index,
		.out = atomic_load(&p->target->out) & 1u << p->index,
		.state = p->state,
		.outage_ns = p->lost_ns ? iscsi_now_ns() - p->lost_ns : p->outage_ns,
		.next_login_ns = next_login(p),
		.inflight = path_inflight(p),
		.limit = atomic_load_explicit(&p->limit, relaxed),
		.window_limited = atomic_load_explicit(&p->window_limited, relaxed),
		.busy = atomic_load_explicit(&p->busy, relaxed),
		.full = atomic_load_explicit(&p->full, relaxed),
		.attentions = atomic_load_explicit(&p->attentions, relaxed),
		.drops = atomic_load_explicit(&p->drops, relaxed),
		.relogins = atomic_load_explicit(&p->relogins, relaxed),
		.ios = atomic_load_explicit(&p->ios, relaxed),
		.bytes = atomic_load_explicit(&p->bytes, relaxed),
		.wait_ns = atomic_load_explicit(&p->wait_ns, relaxed),
		.heard_ns = p->heard_ns,
		.answered_ns = p->answered_ns,
		.loss = p->loss,
	};
	snprintf(s->portal, sizeof(s->portal), "%.79s", p->peer->portal);
	memcpy(s->sent_on, p->sent_on, sizeof(s->sent_on));
	snprintf(s->parameters, sizeof(s->parameters), "%s", p->parameters);
	snprintf(s->why, sizeof(s->why), "%s", p->why);
	snprintf(s->lost, sizeof(s->lost), "%s", p->lost);
	tcp_look(p->fd, s);
}
