/* session.c - one libiscsi context from the first packet to its end.
 *
 * Callbacks only note what happened; everything that follows from it is done by session_service() when
 * libiscsi has returned, since a context must not be serviced, closed or given new work from within.
 */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A dead portal is told from a slow one by the second SYN. */
#define SYN_RETRIES 2
/* Data that are not acknowledged for so long end the connection. */
#define TCP_TIMEOUT_MS 15000
/* From when a portal is known to be there, what is lost on the way is not left to TCP's growing pauses. */
#define CONNECT_SOON_NS (1 * SEC_NS)
/* Longest wait in between, so that limits are kept. */
#define SLICE_MS      100
#define REDIRECTS_MAX 4
/* How long a goodbye is waited for, and at a time. */
#define GOODBYE_NS       (500 * MS_NS)
#define GOODBYE_SLICE_MS 20

/* Of libiscsi's messages, those that tell what was negotiated. */
#define LOG_LEVEL_KEYS 6
#define KEY_MESSAGE    "TargetLoginReply: "

/* --- What libiscsi tells. --- */

/* libiscsi puts its messages together in one buffer for all threads. So only one session at a time is at
 * work while it is told to say something, which is until it is up. */
static pthread_mutex_t talking = PTHREAD_MUTEX_INITIALIZER;

/* The log function is given no context of ours. */
static __thread struct session *serviced;

static void note_key(int level, const char *message)
{
	const char *key = level == LOG_LEVEL_KEYS ? strstr(message, KEY_MESSAGE) : NULL;
	struct session *s = serviced;

	if (!key || !s)
		return;
	key += strlen(KEY_MESSAGE);
	size_t length = strcspn(key, " "), used = strlen(s->parameters);
	/* Challenges and answers are nobody's business. */
	if (strncmp(key, "CHAP_", 5) == 0)
		return;
	if (used + length + 2 < sizeof(s->parameters))
		snprintf(s->parameters + used, sizeof(s->parameters) - used, "%s%.*s",
			 used ? " " : "", (int)length, key);
	error_tame(s->parameters + used);
}

void session_fail(struct session *s, int err, const char *words)
{
	if (!s->failed && words) {
		s->err = err;
		error_set(&s->why, err, "%s", words);
	}
	s->failed = true;
}

static bool has(const char *text, const char *words)
{
	return strstr(text, words) != NULL;
}

void iscsi_socket_words(const char *text, char *out, size_t n)
{
	const char *number = strrchr(text, ':');
	int err = number ? atoi(number + 1) : 0;

	out[0] = 0;
	if (!has(text, "socket") || err <= 0)
		return;
	if (err == ECONNRESET)
		snprintf(out, n, "the other side reset the connection");
	else if (err == EPIPE)
		snprintf(out, n, "the other side ended the session");
	else
		snprintf(out, n, "the connection failed: %s", strerror(err));
}

/* libiscsi's words for a connection that is gone speak of what it would do next, or are those of something
 * that has passed long since. */
static const char *ending(const struct session *s)
{
	static __thread char words[128];
	const char *text = s->c ? iscsi_get_error(s->c) : "";
	bool stale = s->c && strncmp(text, s->said, sizeof(s->said) - 1) == 0;

	/* It obeys the target's message (RFC 7143, 11.9) and says so in its log only. */
	if (stale && s->state == STATE_UP && !iscsi_is_logged_in(s->c))
		return "the target asked for a logout";
	/* Its pull request 328; in 1.20 that is mended. */
	if (!stale && has(text, "cmdsn < expcmdsn"))
		return "a ping of the target met data of writes that were queued, over which "
		       "libiscsi 1.19 ends a session";
	if (!stale && has(text, "reset by peer"))
		return "the other side reset the connection";
	iscsi_socket_words(text, words, sizeof(words));
	if (!stale && words[0])
		return words;
	return *text && !stale && !has(text, "reconnect") ? text
							  : "the other side ended the session";
}

void session_heed(struct session *s)
{
	if (s->c)
		snprintf(s->said, sizeof(s->said), "%s", iscsi_get_error(s->c));
}

const char *session_why(const struct session *s)
{
	return s->why.text[0] ? s->why.text : ending(s);
}

/* Between the names of a portal and of the NIC to it. */
static const char *by(const struct session *s)
{
	return s->peer->nic[0] ? " by " : "";
}

static void connect_failed(struct session *s, const char *text)
{
	const char *reason = has(text, "refused")       ? "refuses connections"
			     : has(text, "unreachable") ? "can't be reached"
			     : has(text, "No route")    ? "can't be reached: no route to it"
			     : has(text, "timed out")   ? "does not answer"
							: NULL;
	char words[400];

	if (reason)
		snprintf(words, sizeof(words),
			 "portal %s%s%s %s: is the target running there, and the address and port "
			 "right (" ISCSI_PORT " is usual)?",
			 s->peer->portal, by(s), s->peer->nic, reason);
	else
		snprintf(words, sizeof(words), "portal %s%s%s: no connection: %.200s",
			 s->peer->portal, by(s), s->peer->nic, text);
	session_fail(s, ECONNREFUSED, words);
}

/* Status class and detail of a login response (RFC 7143, 11.13.5) stand in libiscsi's words. */
static void login_failed(struct session *s, const char *text)
{
	const struct backend_login *login = &s->peer->login;
	char words[480];
	int err = EKEYREJECTED;

	if (has(text, "CHAP_R") || has(text, "CHAP_N"))
		snprintf(words, sizeof(words),
			 "the target at %s failed to prove itself (mutual CHAP): is '%.60s' with "
			 "this secret what it answers with?",
			 s->peer->portal, login->target_user);
	else if (has(text, "(513)") && login->user[0])
		snprintf(words, sizeof(words),
			 "CHAP was rejected by the target at %s: wrong secret for '%.60s', or no "
			 "such user (0x0201)",
			 s->peer->portal, login->user);
	else if (has(text, "(513)")) {
		err = ENOKEY;
		snprintf(words, sizeof(words),
			 "the target at %s wants CHAP: name a user, iscsi://USER@%s/..., and give "
			 "the secret by --chap-secret-file (0x0201)",
			 s->peer->portal, s->peer->portal);
	} else if (has(text, "(514)")) {
		err = ECONNREFUSED;
		snprintf(words, sizeof(words),
			 "the target at %s does not admit initiator %.120s: allow it there, or use "
			 "--initiator NAME (0x0202)",
			 s->peer->portal, login->initiator);
	} else if (has(text, "(515)")) {
		err = ENOENT;
		snprintf(words, sizeof(words),
			 "portal %s has no target '%.120s': lunscope discover %s lists those it "
			 "has (0x0203)",
			 s->peer->portal, s->peer->at.target, s->peer->portal);
	} else {
		err = EPROTO;
		snprintf(words, sizeof(words), "login at %s failed: %.300s", s->peer->portal, text);
	}
	session_fail(s, err, words);
}

/* Called a second time when the connection ends. */
static void connect_done(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct session *s = private_data;
	(void)data;

	if (s->state != STATE_CONNECT)
		return;
	if (status == SCSI_STATUS_GOOD)
		s->connected = true;
	else if (status != SCSI_STATUS_CANCELLED)
		connect_failed(s, iscsi_get_error(c));
	else
		s->failed = true;
}

static void login_done(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct session *s = private_data;
	(void)data;

	if (status == SCSI_STATUS_GOOD)
		s->logged_in = true;
	else if (status == SCSI_STATUS_REDIRECT)
		s->redirected = true;
	else if (status != SCSI_STATUS_CANCELLED)
		login_failed(s, iscsi_get_error(c));
	else
		s->failed = true;
}

/* --- Its life. --- */

static int set_up(struct session *s)
{
	const struct backend_login *login = &s->peer->login;
	struct iscsi_context *c = s->c;
	int rc = iscsi_set_session_type(c, s->discovery ? ISCSI_SESSION_DISCOVERY
							: ISCSI_SESSION_NORMAL);

	if (!s->discovery)
		rc |= iscsi_set_targetname(c, s->peer->at.target);
	rc |= iscsi_set_header_digest(c, login->header_digest ? ISCSI_HEADER_DIGEST_CRC32C
							      : ISCSI_HEADER_DIGEST_NONE);
	if (login->user[0])
		rc |= iscsi_set_initiator_username_pwd(c, login->user, login->secret);
	if (login->target_user[0])
		rc |= iscsi_set_target_username_pwd(c, login->target_user, login->target_secret);
	if (s->number)
		rc |= iscsi_set_isid_random(c, s->isid, s->number);
	if (s->peer->nic[0])
		iscsi_set_bind_interfaces(c, (char *)s->peer->nic);
	iscsi_set_noautoreconnect(c, 1);
	iscsi_set_tcp_syncnt(c, SYN_RETRIES);
	iscsi_set_tcp_user_timeout(c, TCP_TIMEOUT_MS);
	iscsi_set_log_fn(c, note_key);
	iscsi_set_log_level(c, LOG_LEVEL_KEYS);
	return rc;
}

/* libiscsi only says in its log when it could not bind, and goes on over whatever route there is. */
static void nic_failed(struct session *s)
{
	struct error e = {0};
	char words[200];

	if (nic_check(s->peer->nic, &e) == 0)
		snprintf(words, sizeof(words), "NIC %s could not be bound to", s->peer->nic);
	session_fail(s, ENODEV, e.text[0] ? e.text : words);
}

static void connect_to(struct session *s, const char *portal)
{
	s->state = STATE_CONNECT;
	s->connected = s->logged_in = s->redirected = false;
	serviced = s;
	if (iscsi_connect_async(s->c, portal, connect_done, s))
		connect_failed(s, iscsi_get_error(s->c));
	else if (!nic_is_bound(iscsi_get_fd(s->c), s->peer->nic))
		nic_failed(s);
	serviced = NULL;
}

void session_begin(struct session *s, const struct iscsi_peer *peer, bool discovery, bool soon)
{
	uint64_t now = iscsi_now_ns();

	s->peer = peer;
	s->discovery = discovery;
	s->failed = s->logged_out = false;
	s->redirects = 0;
	s->sent_on[0] = 0;
	s->parameters[0] = 0;
	s->err = 0;
	s->why.text[0] = 0;
	s->said[0] = 0;
	s->limit_ns = now + LOGIN_LIMIT_NS;
	s->connect_limit_ns = soon ? now + CONNECT_SOON_NS : s->limit_ns;
	pthread_mutex_lock(&talking);
	s->c = iscsi_create_context(peer->login.initiator);
	if (!s->c)
		session_fail(s, ENOMEM, "out of memory for an iSCSI session");
	else if (set_up(s))
		session_fail(s, EINVAL, iscsi_get_error(s->c));
	else
		connect_to(s, peer->portal);
	pthread_mutex_unlock(&talking);
}

/* The target has moved (RFC 7143, 4.3): "10.0.0.2:3260,1". */
static void follow(struct session *s)
{
	char portal[300];

	if (s->redirects++ == REDIRECTS_MAX) {
		session_fail(
			s, ELOOP,
			"the target's portals send from one to the other and back: name one that "
			"takes logins");
		return;
	}
	snprintf(portal, sizeof(portal), "%s", iscsi_get_target_address(s->c));
	portal[strcspn(portal, ",")] = 0;
	snprintf(s->sent_on, sizeof(s->sent_on), "%.79s", portal);
	error_tame(s->sent_on);
	iscsi_destroy_context(s->c);
	s->c = iscsi_create_context(s->peer->login.initiator);
	if (!s->c || set_up(s))
		session_fail(s, ENOMEM, "out of memory for an iSCSI session");
	else
		connect_to(s, portal);
}

/* What a closed connection has not got across the kernel goes on sending, for minutes. The commands in it
 * go another way meanwhile, so a write would be done a second time, over newer ones, when the network is
 * back. With SO_LINGER of no time they go with the connection (socket(7)); whoever closes it. */
static void keep_nothing(int fd, bool on)
{
	struct linger l = {.l_onoff = on, .l_linger = 0};

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof(l));
}

/* What has been told leads to the next step. */
static void step(struct session *s)
{
	if (s->failed)
		return;
	if (s->redirected) {
		follow(s);
	} else if (s->state == STATE_CONNECT && s->connected) {
		s->state = STATE_LOGIN;
		if (iscsi_login_async(s->c, login_done, s))
			login_failed(s, iscsi_get_error(s->c));
	} else if (s->state == STATE_LOGIN && s->logged_in) {
		s->state = STATE_UP;
		keep_nothing(iscsi_get_fd(s->c), true);
		iscsi_set_log_level(s->c, 0);
		session_heed(s);
	}
}

static void check_limit(struct session *s)
{
	bool connecting = s->state == STATE_CONNECT;
	uint64_t now = iscsi_now_ns(), limit = connecting ? s->connect_limit_ns : s->limit_ns;
	char words[400];

	if (s->failed || s->state == STATE_UP || now < limit)
		return;
	snprintf(words, sizeof(words),
		 connecting ? "portal %s%s%s does not answer within %u s: is the address right, "
			      "and does no firewall drop what goes there?"
			    : "portal %s%s%s takes connections but the login is not answered "
			      "within %u s",
		 s->peer->portal, by(s), s->peer->nic,
		 (unsigned)((connecting && limit < s->limit_ns ? CONNECT_SOON_NS : LOGIN_LIMIT_NS) /
			    SEC_NS));
	session_fail(s, ETIMEDOUT, words);
}

static void service(struct session *s, int revents)
{
	serviced = s;
	if (iscsi_service(s->c, revents) < 0 && !s->failed) {
		const char *text = iscsi_get_error(s->c);
		if (s->state == STATE_CONNECT)
			connect_failed(s, text);
		else if (s->state == STATE_LOGIN)
			login_failed(s, ending(s));
		else
			session_fail(s, ENOTCONN, ending(s));
	}
	serviced = NULL;
	if (s->state != STATE_UP) {
		step(s);
		check_limit(s);
	}
}

void session_service(struct session *s, int revents)
{
	bool talks = s->state != STATE_UP;

	if (!s->c || s->failed)
		return;
	if (talks)
		pthread_mutex_lock(&talking);
	service(s, revents);
	if (talks)
		pthread_mutex_unlock(&talking);
}

int session_events(const struct session *s)
{
	return s->c && !s->failed ? iscsi_which_events(s->c) : 0;
}

int session_fd(const struct session *s)
{
	return s->c && !s->failed ? iscsi_get_fd(s->c) : -1;
}

void session_close(struct session *s)
{
	struct iscsi_context *c = s->c;
	bool talks = s->state != STATE_UP;

	s->failed = true;
	s->state = STATE_DOWN;
	s->c = NULL;
	if (!c)
		return;
	if (s->logged_out)
		keep_nothing(iscsi_get_fd(c), false);
	if (talks)
		pthread_mutex_lock(&talking);
	iscsi_destroy_context(c);
	if (talks)
		pthread_mutex_unlock(&talking);
}

/* --- Waiting for it. --- */

void session_wait(struct session *s, uint64_t limit_ns)
{
	if (s->cancel && atomic_load(s->cancel)) {
		session_fail(s, ECANCELED, "it is being closed");
		return;
	}
	uint64_t now = iscsi_now_ns();
	int ms = limit_ns <= now                     ? 0
		 : limit_ns - now > SLICE_MS * MS_NS ? SLICE_MS
						     : (int)((limit_ns - now) / MS_NS + 1);
	struct pollfd p = {session_fd(s), (short)session_events(s), 0};

	if (poll(&p, 1, ms) < 0)
		return;
	session_service(s, p.revents);
}

int session_failed(const struct session *s, struct error *e)
{
	return error_set(e, s->err ? s->err : ENOTCONN, "%s",
			 s->why.text[0] ? s->why.text : "the session was lost");
}

int session_open(struct session *s, const struct iscsi_peer *peer, bool discovery, struct error *e)
{
	session_begin(s, peer, discovery, false);
	while (!s->failed && s->state != STATE_UP)
		session_wait(s, s->limit_ns);
	if (!s->failed)
		return 0;
	session_close(s);
	return session_failed(s, e);
}

static void logout_done(struct iscsi_context *c, int status, void *data, void *private_data)
{
	(void)c;
	(void)data;
	/* Else it is the end of the session that calls this. */
	if (status == SCSI_STATUS_GOOD)
		*(bool *)private_data = true;
}

int session_ask_logout(struct session *s)
{
	s->logged_out = false;
	if (!s->c || s->failed || s->state != STATE_UP)
		return -ENOTCONN;
	return iscsi_logout_async(s->c, logout_done, &s->logged_out) ? -EIO : 0;
}

static bool is_leaving(const struct session *s)
{
	return s->c && !s->failed && !s->logged_out;
}

/* Whether one of them is left to be waited for. */
static bool wait_for_goodbyes(struct session *s[], unsigned n)
{
	struct pollfd p[ISCSI_PATHS_MAX];
	bool any = false;

	for (unsigned i = 0; i < n; i++) {
		if (s[i]->cancel && atomic_load(s[i]->cancel))
			session_fail(s[i], ECANCELED, "it is being closed");
		p[i] = (struct pollfd){-1, 0, 0};
		if (!is_leaving(s[i]))
			continue;
		p[i] = (struct pollfd){session_fd(s[i]), (short)session_events(s[i]), 0};
		any = true;
	}
	if (!any || poll(p, n, GOODBYE_SLICE_MS) < 0)
		return any;
	for (unsigned i = 0; i < n; i++)
		if (is_leaving(s[i]))
			session_service(s[i], p[i].revents);
	return true;
}

void session_logout_all(struct session *s[], unsigned n)
{
	uint64_t limit = iscsi_now_ns() + GOODBYE_NS;

	for (unsigned i = 0; i < n; i++)
		if (session_ask_logout(s[i]))
			s[i]->failed = true;
	while (iscsi_now_ns() < limit && wait_for_goodbyes(s, n))
		;
	for (unsigned i = 0; i < n; i++)
		session_close(s[i]);
}

void session_logout(struct session *s)
{
	session_logout_all(&s, 1);
}
