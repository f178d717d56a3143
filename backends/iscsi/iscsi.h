/* iscsi.h - what the files of the iSCSI backend share among themselves.
 *
 * A target has one session of its own (control.c), over which it is asked what it is and read by the
 * write guard, and one more for each queue: a libiscsi context belongs to one thread. Sessions are
 * never repaired by libiscsi, which would send commands again without telling; they are closed and
 * made anew, never from inside a callback.
 */
#ifndef LUNSCOPE_ISCSI_H
#define LUNSCOPE_ISCSI_H

#include <pthread.h>
#include <stdatomic.h>
#include <iscsi/iscsi.h>
#include <iscsi/scsi-lowlevel.h>
#include "backends/backend.h"

#define ISCSI_PORT "3260"
/* Portals that lead to one LUN. */
#define ISCSI_PATHS_MAX PATHS_MAX

#define MS_NS  UINT64_C(1000000)
#define SEC_NS UINT64_C(1000000000)

/* From the first packet to a LUN that is ready. */
#define LOGIN_LIMIT_NS (5 * SEC_NS)
/* For one command outside of the queues. */
#define COMMAND_LIMIT_NS (5 * SEC_NS)

uint64_t iscsi_now_ns(void);

/* --- url.c --- */

/* iscsi://[USER@]HOST[:PORT][,HOST[:PORT]...]/TARGET/LUN[?target_user=NAME] */
struct iscsi_address {
	char host[256], port[8]; /* of one portal, ... */
	unsigned portals;	 /* ... of so many */
	char target[224];
	int lun;
	char user[256], target_user[256];
};

/* With portal number i, from 0 on. portal: only the part before TARGET, or before /LUN, with or without
 * iscsi://. 0, or -EINVAL with what is wrong. */
int iscsi_address_parse(struct iscsi_address *a, const char *spec, unsigned i, bool portal,
			struct error *e);
/* "10.0.0.1:3260" or "[fe80::1]:3260" of the first address of the host: numbers, since libiscsi asks
 * for names in the thread that does IO. */
int iscsi_address_resolve(const struct iscsi_address *a, char *out, size_t n, struct error *e);

/* --- scsi.c: the words of SCSI. --- */

/* What is left of a command that has ended. */
struct scsi_end {
	int status; /* enum scsi_status */
	uint8_t key;
	uint16_t ascq;
};

struct scsi_end scsi_end_of(int status, const struct scsi_task *task);
/* "MEDIUM ERROR, unrecovered read error (3/11/00)" */
char *scsi_end_words(const struct scsi_end *end, char *out, size_t n);
/* The positive errno that fits best. */
int scsi_end_errno(const struct scsi_end *end);

/* The best worldwide name in the device identification page (SPC-4, 7.8.6), as the kernel writes it;
 * "" when there is none for the LUN. */
void scsi_page83_id(const uint8_t *page, size_t length, char *out, size_t n);
/* The unit's serial number (SPC-4, 7.8.15); "" when there is none. */
void scsi_page80_serial(const uint8_t *page, size_t length, char *out, size_t n);
/* Text in a fixed field: printable, without the blanks around it. */
void scsi_text(const uint8_t *field, size_t length, char *out, size_t n);

static inline uint32_t be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t be32(const uint8_t *p)
{
	return be16(p) << 16 | be16(p + 2);
}

static inline uint64_t be64(const uint8_t *p)
{
	return (uint64_t)be32(p) << 32 | be32(p + 4);
}

/* --- peer.c --- */

/* Whom to log in to, and as whom. Immutable while sessions use it. */
struct iscsi_peer {
	struct iscsi_address at;
	struct backend_login login;
	char portal[300]; /* resolved */
	char nic[16];	  /* to leave by; "" = as the routes say */
	char spec[1024];  /* for messages */
};

/* The peer of a spec at its portal number i: parsed and resolved. */
int iscsi_peer_init(struct iscsi_peer *peer, const struct backend_open *how, unsigned i,
		    bool portal, struct error *e);
/* The name that this host has as an initiator, when none was given. */
void iscsi_initiator_name(char *out, size_t n);

/* --- session.c --- */

enum session_state {
	STATE_DOWN,    /* there is none, or it has failed: why says so */
	STATE_CONNECT, /* TCP */
	STATE_LOGIN,   /* iSCSI */
	STATE_UP,
};

/* A command that its caller waits for, with the data that came back. */
struct reply {
	bool pending, done;
	struct scsi_task *task; /* while it is pending */
	struct scsi_end end;
	uint8_t *data;
	size_t room, length;
};

struct session {
	const struct iscsi_peer *peer;
	struct iscsi_context *c;
	enum session_state state;
	bool failed;	   /* close it, when outside of callbacks */
	bool connected, logged_in, redirected; /* told by a callback, taken up outside of it */
	bool discovery;
	unsigned redirects; /* followed in this login */
	char sent_on[80];   /* where to, at last; "" = there were none */
	uint64_t limit_ns; /* until then it must be up, ... */
	uint64_t connect_limit_ns; /* ... and the portal must have taken the connection */
	bool logged_out; /* what session_ask_logout() asked for is answered */
	const atomic_bool *cancel; /* true: nobody waits any more; may be NULL */
	/* The ISID (RFC 7143, 11.12.5), the same at each login, so that the target takes the new session for
	 * the old one: the random part, and the qualifier from 1 on; 0 = libiscsi makes one up. */
	uint32_t isid, number;
	char parameters[512];
	char said[128]; /* libiscsi's last words that don't tell of its end */
	int err; /* with why: a positive errno */
	struct error why;
};

/* Starts to connect and log in; what becomes of it is seen in state and failed. soon: the portal has been
 * there before, and is not waited for long. */
void session_begin(struct session *s, const struct iscsi_peer *peer, bool discovery, bool soon);
/* Lets libiscsi do what poll() found, then takes up what its callbacks told. */
void session_service(struct session *s, int revents);
/* Events to poll for. */
int session_events(const struct session *s);
int session_fd(const struct session *s);
/* Everything that is in flight comes back cancelled. */
void session_close(struct session *s);
/* Logs out first, if that is quickly done; of several at once. */
void session_logout(struct session *s);
void session_logout_all(struct session *s[], unsigned n);
/* Queues the goodbye, without waiting: see logged_out. 0 or -errno. */
int session_ask_logout(struct session *s);
/* A command has failed: libiscsi's words for that are none for the session's end. */
void session_heed(struct session *s);
/* libiscsi's words for a socket that failed, with the errno in words; out is "" for other words. */
void iscsi_socket_words(const char *text, char *out, size_t n);
/* Why it ended. */
const char *session_why(const struct session *s);
/* Logs in and waits for it. 0, or -errno with why not. */
int session_open(struct session *s, const struct iscsi_peer *peer, bool discovery,
		 struct error *e);
/* Lets it do what comes until limit_ns, or a little less long. */
void session_wait(struct session *s, uint64_t limit_ns);
/* Nothing is to be expected of it any more, and why; the first words stay. */
void session_fail(struct session *s, int err, const char *words);
/* -ENOTCONN, with why. */
int session_failed(const struct session *s, struct error *e);

/* --- command.c --- */

/* Sends a command that reads at most r->room bytes and waits for its end; unit attentions and BUSY are
 * tried again. 0 when it has ended, whatever its status; -errno when the session failed. */
int session_command(struct session *s, int lun, const uint8_t *cdb, int cdb_size, struct reply *r,
		    struct error *e);
/* As session_command, without waiting: r->done says when. */
int session_send(struct session *s, int lun, const uint8_t *cdb, int cdb_size, struct reply *r);
/* Once the session is closed: libiscsi calls no callbacks for what was pending behind a logout. */
void reply_drop(struct reply *r);

/* --- lun.c: what a LUN says of itself. --- */

/* Fills f. -errno with words when the session failed, or the LUN is not there or no disk. */
int lun_ask(struct session *s, int lun, struct backend_facts *f, struct error *e);
/* What may change while it is open: which LUN it is, size, write protection, reservations. */
int lun_ask_again(struct session *s, int lun, struct backend_facts *f, struct error *e);
int lun_read(struct session *s, int lun, uint32_t block, void *buf, uint32_t n, uint64_t offset,
	     struct error *e);

/* INQUIRY (page 0: the standard data), READ CAPACITY (10) whose last four bytes are the size of a block, and
 * READ CAPACITY (16) whose first eight are the last block, without waiting. */
int lun_send_inquiry(struct session *s, int lun, uint8_t page, struct reply *r);
int lun_send_capacity(struct session *s, int lun, struct reply *r);
int lun_send_capacity_16(struct session *s, int lun, struct reply *r);

/* --- tcp.c: fills in what belongs to the connection; with fd -1 nothing is known. --- */

void tcp_look(int fd, struct backend_session *s);
/* For how long nothing has come from the peer: no data, and, where something is on its way to him, not even
 * that he has got more of it. UINT64_MAX = not known. */
uint64_t tcp_silence_ns(int fd);
/* How many segments have got through, either way, past one before them that has not; 0 where it is not known. */
uint64_t tcp_past_gaps(int fd);

/* --- nic.c --- */

/* 0, or -errno with words: there is none of that name, or it must not be bound to. */
int nic_check(const char *name, struct error *e);
/* Whether the socket leaves by that one and no other; "" = by any. */
bool nic_is_bound(int fd, const char *name);
/* How many paths portals and NICs make; -EINVAL with words where they don't go together. */
int nic_paths(const struct backend_paths *how, unsigned portals, const char *spec, struct error *e);
/* The portal and the NIC of path i. */
unsigned nic_portal_of(unsigned portals, unsigned i);
const char *iscsi_nic(const struct backend_paths *how, unsigned i);

/* --- target.c, control.c, queue.c, act.c, discover.c --- */

/* Why a path is down that the operator has taken out. */
#define PATH_OUT_WORDS "taken out"

struct iscsi_queue;

struct iscsi_target {
	struct iscsi_peer peer[ISCSI_PATHS_MAX];
	unsigned paths;
	uint32_t isid; /* the random part of all its sessions' */

	/* What the operator wants. Changed with the lock, read by the queues without it. */
	_Atomic uint32_t choice; /* choice_of() */
	_Atomic uint64_t hold_ns;
	_Atomic uint32_t out;			     /* a bit for each path */
	_Atomic uint32_t mute;			     /* likewise: it did not answer a goodbye */
	_Atomic uint32_t anew[ISCSI_PATHS_MAX];     /* how often it was to be logged in anew */
	_Atomic uint32_t acts;			     /* how often out or anew were changed */

	/* The control session: whoever holds the lock may use it. */
	pthread_mutex_t control_lock;
	struct session control;
	unsigned control_path;
	pthread_t watcher;
	bool watching;

	/* All below. Held for moments only. */
	pthread_mutex_t lock;
	pthread_cond_t ending;
	atomic_bool end; /* it is being closed: queues that are left send nothing any more */
	unsigned users;	 /* the opener and each queue; the last one frees it */
	struct backend_facts facts;
	struct iscsi_queue *queues; /* oldest first */
	uint32_t next_number;
	_Atomic uint32_t deepest; /* of the queues */
	struct backend_past past[ISCSI_PATHS_MAX];
	bool no_digest;	      /* a header digest was asked for, and the target has none */
	char last_error[160]; /* the newest SCSI error, in words */
	char remark[224];     /* what remark() has handed out */

	/* Read by the queues. */
	uint64_t size;
	uint32_t block;
	char id[160]; /* VPD page 83h; "" = the LUN has no worldwide name, and then ... */
	char serial[128], vendor[32], model[64]; /* ... it is told by these, and its size */
	_Atomic uint64_t write_start, write_end; /* both 0: nothing may be written */
};

/* A policy in one word. */
static inline uint32_t choice_of(const struct backend_paths *how)
{
	return (uint32_t)how->policy | how->pinned << 8;
}

static inline enum paths_policy choice_policy(uint32_t choice)
{
	return (enum paths_policy)(choice & 0xff);
}

static inline unsigned choice_pinned(uint32_t choice)
{
	return choice >> 8;
}

/* One user less. */
void target_leave(struct iscsi_target *t);

int control_open(struct iscsi_target *t, const atomic_bool *cancel, struct error *e);
void control_close(struct iscsi_target *t);
int control_facts(void *target, bool fresh, struct backend_facts *f, struct error *e);
int control_read(void *target, void *buf, uint32_t n, uint64_t offset, struct error *e);

int queue_open(void *target, const struct backend_queue *how, void **queue, struct error *e);
void queue_close(void *queue);
int queue_submit(void *queue, struct io **ios, unsigned n);
int queue_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns);
/* As set_paths and path_act of backend.h; paths_choose with the lock, or before there is anybody else. */
int paths_choose(struct iscsi_target *t, const struct backend_paths *how, struct error *e);
int paths_set(void *target, const struct backend_paths *how, struct error *e);
int paths_act(void *target, uint32_t path, enum path_act act, struct error *e);
unsigned queue_sessions(void *target, struct backend_session *s, unsigned max);
void queue_past(void *target, struct backend_past *past);

/* To words that say that there is no such target, or no such LUN, they add which there are. */
void iscsi_tell_targets(const struct iscsi_peer *portal, const atomic_bool *cancel, struct error *e);
void iscsi_tell_luns(struct session *s, struct error *e);
int iscsi_discover(const struct backend_open *how, backend_found_fn *found, void *arg,
		   struct error *e);

#endif
