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
/* Longest wait in between, so that limits are kept. */
#define SLICE_MS 100
/* A new session gets several of them: for the reset, for changed parameters, for changed LUNs. */
#define ATTENTIONS_MAX 8
#define BUSY_WAIT_MS   50

#define REDIRECTS_MAX 4

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
}

static void fail(struct session *s, int err, const char *words)
{
	if (!s->failed && words)
		error_set(&s->why, err, "%s", words);
	s->failed = true;
}

static bool has(const char *text, const char *words)
{
	return strstr(text, words) != NULL;
}

/* libiscsi's words for a connection that is gone speak of what it would do next. */
static const char *ending(const char *text)
{
	return text && *text && !has(text, "reconnect") ? text : "the other side hung up";
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
		snprintf(
			words, sizeof(words),
			"portal %s %s: is the target running there, and the address and port right "
			"(" ISCSI_PORT " is usual)?",
			s->peer->portal, reason);
	else
		snprintf(words, sizeof(words), "portal %s: no connection: %.200s", s->peer->portal,
			 text);
	fail(s, ECONNREFUSED, words);
}

/* Status class and detail of a login response (RFC 7143, 11.13.5) stand in libiscsi's words. */
static void login_failed(struct session *s, const char *text)
{
	const struct backend_login *login = &s->peer->login;
	char words[480];
	int err = EACCES;

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
	else if (has(text, "(513)"))
		snprintf(words, sizeof(words),
			 "the target at %s wants CHAP: name a user, iscsi://USER@%s/..., and give "
			 "the secret by --chap-secret-file (0x0201)",
			 s->peer->portal, s->peer->portal);
	else if (has(text, "(514)"))
		snprintf(words, sizeof(words),
			 "the target at %s does not admit initiator %.120s: allow it there, or use "
			 "--initiator NAME (0x0202)",
			 s->peer->portal, login->initiator);
	else if (has(text, "(515)")) {
		err = ENOENT;
		snprintf(words, sizeof(words),
			 "portal %s has no target '%.120s': lunscope discover %s lists those it "
			 "has (0x0203)",
			 s->peer->portal, s->peer->at.target, s->peer->portal);
	} else {
		err = EPROTO;
		snprintf(words, sizeof(words), "login at %s failed: %.300s", s->peer->portal, text);
	}
	fail(s, err, words);
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
	if (s->isid)
		rc |= iscsi_set_isid_random(c, (uint32_t)getpid() << 12 ^ s->isid, s->isid);
	iscsi_set_noautoreconnect(c, 1);
	iscsi_set_tcp_syncnt(c, SYN_RETRIES);
	iscsi_set_tcp_user_timeout(c, TCP_TIMEOUT_MS);
	iscsi_set_log_fn(c, note_key);
	iscsi_set_log_level(c, LOG_LEVEL_KEYS);
	return rc;
}

static void connect_to(struct session *s, const char *portal)
{
	s->state = STATE_CONNECT;
	s->connected = s->logged_in = s->redirected = false;
	serviced = s;
	if (iscsi_connect_async(s->c, portal, connect_done, s))
		connect_failed(s, iscsi_get_error(s->c));
	serviced = NULL;
}

void session_begin(struct session *s, const struct iscsi_peer *peer, bool discovery)
{
	s->peer = peer;
	s->discovery = discovery;
	s->failed = false;
	s->redirects = 0;
	s->parameters[0] = 0;
	s->why.text[0] = 0;
	s->limit_ns = iscsi_now_ns() + LOGIN_LIMIT_NS;
	pthread_mutex_lock(&talking);
	s->c = iscsi_create_context(peer->login.initiator);
	if (!s->c)
		fail(s, ENOMEM, "out of memory for an iSCSI session");
	else if (set_up(s))
		fail(s, EINVAL, iscsi_get_error(s->c));
	else
		connect_to(s, peer->portal);
	pthread_mutex_unlock(&talking);
}

/* The target has moved (RFC 7143, 4.3): "10.0.0.2:3260,1". */
static void follow(struct session *s)
{
	char portal[300];

	if (s->redirects++ == REDIRECTS_MAX) {
		fail(s, ELOOP,
		     "the target's portals send from one to the other and back: name one that "
		     "takes logins");
		return;
	}
	snprintf(portal, sizeof(portal), "%s", iscsi_get_target_address(s->c));
	portal[strcspn(portal, ",")] = 0;
	iscsi_destroy_context(s->c);
	s->c = iscsi_create_context(s->peer->login.initiator);
	if (!s->c || set_up(s))
		fail(s, ENOMEM, "out of memory for an iSCSI session");
	else
		connect_to(s, portal);
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
		iscsi_set_log_level(s->c, 0);
	}
}

static void check_limit(struct session *s)
{
	char words[400];

	if (s->failed || s->state == STATE_UP || iscsi_now_ns() < s->limit_ns)
		return;
	snprintf(words, sizeof(words),
		 s->state == STATE_CONNECT
			 ? "portal %s does not answer within %u s: is the address right, and does "
			   "no firewall drop what goes there?"
			 : "portal %s takes connections but the login is not answered within %u s",
		 s->peer->portal, (unsigned)(LOGIN_LIMIT_NS / SEC_NS));
	fail(s, ETIMEDOUT, words);
}

static void service(struct session *s, int revents)
{
	serviced = s;
	if (iscsi_service(s->c, revents) < 0 && !s->failed) {
		const char *text = iscsi_get_error(s->c);
		if (s->state == STATE_CONNECT)
			connect_failed(s, text);
		else if (s->state == STATE_LOGIN)
			login_failed(s, ending(text));
		else
			fail(s, ENOTCONN, ending(text));
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

/* What the kernel still has of a lost session is never sent: its writes are done over other ways by then, and
 * would be done once more, over newer data, when the wire is mended. A plain close() has the kernel try
 * for minutes. */
static void forget_unsent(struct iscsi_context *c)
{
	struct linger now = {.l_onoff = 1, .l_linger = 0};
	int fd = iscsi_get_fd(c);

	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
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
	if (talks)
		pthread_mutex_lock(&talking);
	forget_unsent(c);
	iscsi_destroy_context(c);
	if (talks)
		pthread_mutex_unlock(&talking);
}

/* --- Waiting for it. --- */

static void wait_a_slice(struct session *s, uint64_t limit_ns)
{
	if (s->cancel && atomic_load(s->cancel)) {
		fail(s, ECANCELED, "it is being closed");
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

static int failed_with(const struct session *s, struct error *e)
{
	return error_set(e, ENOTCONN, "%s", s->why.text[0] ? s->why.text : "the session was lost");
}

int session_open(struct session *s, const struct iscsi_peer *peer, bool discovery, struct error *e)
{
	session_begin(s, peer, discovery);
	while (!s->failed && s->state != STATE_UP)
		wait_a_slice(s, s->limit_ns);
	if (!s->failed)
		return 0;
	session_close(s);
	return failed_with(s, e);
}

static void logout_done(struct iscsi_context *c, int status, void *data, void *private_data)
{
	(void)c;
	(void)status;
	(void)data;
	*(bool *)private_data = true;
}

void session_logout(struct session *s)
{
	bool done = false;
	uint64_t limit = iscsi_now_ns() + 500 * MS_NS;

	if (s->c && !s->failed && s->state == STATE_UP &&
	    iscsi_logout_async(s->c, logout_done, &done) == 0)
		while (!done && !s->failed && iscsi_now_ns() < limit)
			wait_a_slice(s, limit);
	session_close(s);
}

/* --- Commands outside of the queues. --- */

static void command_done(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct scsi_task *task = data;
	struct reply *r = private_data;
	(void)c;

	r->end = scsi_end_of(status, task);
	r->pending = false;
	r->done = true;
	if (task && task->datain.size > 0 && status == SCSI_STATUS_GOOD) {
		r->length =
			(size_t)task->datain.size < r->room ? (size_t)task->datain.size : r->room;
		memcpy(r->data, task->datain.data, r->length);
	}
	if (task)
		scsi_free_scsi_task(task);
}

int session_send(struct session *s, int lun, const uint8_t *cdb, int cdb_size, struct reply *r)
{
	unsigned char copy[SCSI_CDB_MAX_SIZE];
	int direction = r->room ? SCSI_XFER_READ : SCSI_XFER_NONE;

	memcpy(copy, cdb, (size_t)cdb_size);
	struct scsi_task *task = scsi_create_task(cdb_size, copy, direction, (int)r->room);
	if (!task)
		return -ENOMEM;
	r->done = false;
	r->pending = true;
	r->length = 0;
	if (iscsi_scsi_command_async(s->c, lun, task, command_done, NULL, r) == 0)
		return 0;
	r->pending = false;
	scsi_free_scsi_task(task);
	return -EIO;
}

static int command_once(struct session *s, int lun, const uint8_t *cdb, int cdb_size,
			struct reply *r, struct error *e)
{
	uint64_t limit = iscsi_now_ns() + COMMAND_LIMIT_NS;

	if (s->failed || s->state != STATE_UP)
		return failed_with(s, e);
	if (session_send(s, lun, cdb, cdb_size, r))
		return error_set(e, EIO, "libiscsi: %s", iscsi_get_error(s->c));
	while (!r->done && !s->failed && iscsi_now_ns() < limit)
		wait_a_slice(s, limit);
	if (r->done && r->end.status != SCSI_STATUS_CANCELLED)
		return 0;
	if (!s->failed && !r->done) {
		char words[200];
		snprintf(words, sizeof(words), "%s: a command was not answered within %u s",
			 s->peer->portal, (unsigned)(COMMAND_LIMIT_NS / SEC_NS));
		fail(s, ETIMEDOUT, words);
	}
	/* Takes back what r waits for. */
	session_close(s);
	return failed_with(s, e);
}

int session_command(struct session *s, int lun, const uint8_t *cdb, int cdb_size, struct reply *r,
		    struct error *e)
{
	int rc;

	for (unsigned i = 0;; i++) {
		rc = command_once(s, lun, cdb, cdb_size, r, e);
		bool attention =
			rc == 0 && r->end.status == SCSI_STATUS_CHECK_CONDITION && r->end.key == 6;
		bool busy = rc == 0 && (r->end.status == SCSI_STATUS_BUSY ||
					r->end.status == SCSI_STATUS_TASK_SET_FULL);
		if ((!attention && !busy) || i == ATTENTIONS_MAX)
			return rc;
		if (busy)
			poll(NULL, 0, BUSY_WAIT_MS << (i < 4 ? i : 4));
	}
}
