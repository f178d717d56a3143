/* backend.h - the one interface the engine sees of anything that does IO.
 *
 * A backend opens a target, gives each worker a queue, submits and reaps. It knows nothing of
 * workloads, statistics or screens, and the engine knows no backend by name outside the registry.
 * Adding one = a file in this folder + a line in registry.c + a line in local.mk. Which one is taken
 * when nobody names one follows from what each says of itself (fit).
 *
 * Threads: open and close come from one thread; a queue belongs to the worker that uses it and is
 * touched by no other, but queue_open and queue_close may be called from another thread while the
 * worker does not use it.
 */
#ifndef LUNSCOPE_BACKEND_H
#define LUNSCOPE_BACKEND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"

enum io_op { IO_READ, IO_WRITE };
#define IO_OPS 2

/* One IO. The engine fills offset, buf, size and op; slot says which place in the queue it has and
 * never changes; the backend fills result. */
struct io {
	uint64_t offset;
	void *buf;
	uint32_t size;
	uint32_t slot;
	enum io_op op;
	int32_t result; /* bytes transferred, or a negative errno */
};

/* Who asks for a target that is reached over a network, and how he proves it. "" where something is not
 * given. What of it is secret is never printed or stored. */
struct backend_login {
	char initiator[224]; /* an iSCSI name has 223 bytes at most (RFC 7143, 4.2.7.1) */
	char user[256], secret[256];
	char target_user[256], target_secret[256]; /* what the target has to prove in turn */
	bool header_digest;
};

#define PATHS_MAX     8 /* ways to one LUN */
#define PATHS_HOLD_NS UINT64_C(30000000000)

/* Which way IOs take to a target that has several. */
enum paths_policy { PATHS_LEAST, PATHS_ROUND_ROBIN, PATHS_FAILOVER, PATHS_PINNED };
struct backend_paths {
	enum paths_policy policy;
	unsigned pinned;  /* number of the path, from 0 on */
	uint64_t hold_ns; /* how long an IO waits when no path is left that it may take, before it fails;
			   * 0 = not at all, PATHS_HOLD_NS is usual. Else it is sent again at once */
	unsigned nics;	  /* network interfaces to leave by: none, one a path, or several for one portal, */
	char nic[PATHS_MAX][16]; /* which makes a path of each */
};

/* What the operator may do to a path while IOs go on. */
enum path_act {
	PATH_TAKE_OUT, /* nothing more is sent there; when what is in flight is back, it logs out */
	PATH_TAKE_IN,  /* it logs in again */
	PATH_RELOGIN,  /* out and in again, over a new connection: only that one can use a larger MTU */
};
#define PATHS_ALL UINT32_MAX /* one after the other */

/* What a backend is given to open. */
struct backend_open {
	const char *spec; /* what the operator named: a path, or "null:100us"; no secrets in it */
	int fd;		  /* opened by the caller, who keeps it; -1 where no file is behind it */
	uint64_t size;	  /* bytes; 0 where only the backend can tell (BACKEND_REMOTE) */
	uint32_t block;	  /* logical block size, bytes */
	bool direct;	  /* fd is O_DIRECT, or there is no cache in between anyway */
	const struct backend_login *login; /* may be NULL */
	struct backend_paths paths;
	/* Of BACKEND_REMOTE: true, which another thread may set, when nobody waits for open or discover any
	 * more: -ECANCELED, soon. May be NULL. */
	const atomic_bool *cancel;
};

/* What a backend tells of a target that it alone can reach. */
struct backend_facts {
	uint64_t size; /* bytes */
	uint32_t logical_block, physical_block;
	char vendor[32], model[64], serial[128]; /* "" when not known */
	char id[160];	    /* its worldwide name, as the kernel writes it: "naa.6001405…"; "" for none */
	bool write_protected;
	bool resized;	    /* once, since it was opened */
	char reserved[192]; /* who has registered or reserved it for himself; "" for nobody */
	char trouble[256];  /* why it can't be asked just now; the rest is as it was last; "" for none */
};

enum backend_session_state { SESSION_DOWN, SESSION_LOGIN, SESSION_UP };

/* One connection of a backend to its target. What is not known is "" or negative. Times are
 * CLOCK_MONOTONIC. */
struct backend_session {
	uint32_t number; /* its own for as long as the target is open */
	uint32_t path;	 /* which way it goes, from 0 on */
	bool out;	 /* the operator has taken its path out */
	enum backend_session_state state;
	char portal[80], local[80]; /* addresses with ports */
	char sent_on[80];	    /* where the portal has sent the login on to; "" = it keeps it itself */
	char parameters[512];	    /* what was negotiated: "MaxBurstLength=262144 ..." */
	char why[192];		    /* why it is not up, or was not last */
	char lost[192];		    /* what ended it last when it was up */
	uint32_t inflight, held;    /* IOs sent; IOs that wait for the session */
	uint32_t limit;		    /* in flight at most, since the target was full; 0 = no limit */
	bool window_limited;	    /* commands wait for the target's command window */
	uint64_t busy, full;	    /* answers BUSY and TASK SET FULL */
	uint64_t attentions, drops; /* unit attentions; times that the session was lost */
	uint64_t relogins;	    /* times that the operator had it logged in anew */
	uint64_t next_login_ns;	    /* while it is down: when the next try to log in is due; 0 = none is */
	uint64_t outage_ns;	    /* how long it has been lost now, else was when it was last */
	uint64_t ios, bytes, wait_ns; /* wait: summed up, each from being sent to its answer */
	uint64_t heard_ns, answered_ns; /* when anything came last; an IO's answer, or when the first of those
					 * in flight was sent. 0 = not known */
	/* The last loss of the session, or the one that goes on; all 0 when there was none. */
	struct backend_loss {
		uint64_t silent_ns;  /* when it answered last */
		uint64_t noticed_ns; /* when it was found to be lost */
		uint64_t back_ns;    /* when it was up again; 0 = it is not */
		uint64_t moved_ns;   /* when the last of the IOs it had was done or had failed; 0 = not yet */
		uint32_t stranded;   /* IOs that it had in flight */
		uint64_t longest_ns; /* what the slowest of them took, from its first sending to its end */
	} loss;
	/* Of the TCP connection, from the kernel. Sums are those of this connection. */
	char congestion[16];
	int64_t rtt_us, rttvar_us, cwnd, retransmits, mss, mss_cap, receive_mss, pmtu;
	int64_t delivery_bytes_s;		    /* as it sends; of reads little is sent */
	int64_t receive_rtt_us;
	int64_t busy_us, peer_limited_us, buffer_limited_us; /* it had something to send; and could not,
							      * for the peer's window, for its buffer */
	int64_t segments_in, segments_out, data_segments_in, data_segments_out;
	int64_t bytes_in, bytes_out, bytes_again;   /* received; sent, and sent again of these */
	int64_t out_of_order;
};

/* Of its TCP connection nothing is known; addresses stay. */
void backend_tcp_clear(struct backend_session *s);
/* info: the first n bytes that the kernel wrote of a struct tcp_info. What is behind them, since an older
 * kernel knows less, is not known. */
void backend_tcp_take(struct backend_session *s, const void *info, size_t n);

/* What the sessions of a path did whose queue is closed; they are not told any more. */
struct backend_past {
	uint64_t ios, bytes, wait_ns;
};

/* What is found at a portal: a target (lun -1), or a LUN of the target told last. */
struct backend_found {
	const char *portal, *target; /* all portals that were told: "10.0.0.1:3260, 10.0.1.1:3260" */
	const char *asked;	     /* the one that was asked */
	int lun;
	const struct backend_facts *facts; /* of a LUN */
	const char *trouble;		   /* why the target or LUN can't be asked; else NULL */
	int err;			   /* with trouble: the negative errno, as of open */
};
typedef void backend_found_fn(const struct backend_found *found, void *arg);

/* How well a backend would do for a target. */
enum backend_fit {
	FIT_NONE, /* this host does not allow it, or it can't do that kind of IO */
	FIT_POOR, /* it works, but in a roundabout way */
	FIT_GOOD,
	FIT_BEST,
};

/* What a queue is made for. */
struct backend_queue {
	uint32_t depth;	      /* IOs it must hold, slots 0..depth-1 */
	uint32_t asked;	      /* what the operator asked for, to be named in messages; <= depth */
	int wake_fd;	      /* an eventfd: when it becomes readable, a waiting reap returns; the
			       * backend never reads from it */
	uint64_t buffer_size; /* every io's buf lies, by its op, within one of these regions, whose */
	void *buffer[IO_OPS]; /* pages come with their first use */
};

enum {
	BACKEND_FILES = 1 << 0,	   /* takes files and block devices (an fd) */
	BACKEND_BUFFERED = 1 << 1, /* does buffered IO too, with its real depth */
	BACKEND_REMOTE = 1 << 2,   /* finds its target itself, over a network */
};

struct backend {
	const char *name;
	const char *summary; /* one line for `lunscope backends` */
	unsigned caps;
	uint32_t max_outstanding; /* IOs a queue really keeps in flight; 0 = no limit of its own */
	const char *depth_reason; /* why, when there is a limit */
	uint64_t touched_whole;	  /* buffer regions up to this size, bytes, are touched as a whole by
				   * queue_prepare; otherwise each buffer by its first IO */

	/* How well it fits, by facts alone: no data is read or written. why says in a short sentence
	 * what decided it, "" when there is nothing to say. how NULL: a target that takes
	 * everything, so this is about the host. */
	enum backend_fit (*fit)(const struct backend_open *how, char *why, size_t n);

	/* Makes *target from how. 0, or a negative errno with words in e: -ENOKEY when a user and a secret
	 * are wanted and were not given, -EKEYREJECTED when those given are not accepted, or the target
	 * can't prove that it knows its own. */
	int (*open)(const struct backend_open *how, void **target, struct error *e);
	void (*close)(void *target);
	/* What the operator should know of how the IOs are carried out, in a few words; "" when there
	 * is nothing. From any thread while the target is open. NULL: never anything. */
	const char *(*remark)(void *target);

	/* --- Of BACKEND_REMOTE only, else NULL; from any thread while the target is open. --- */

	/* What the target is: as last seen, at once, or asked anew, which takes up to a few seconds. */
	int (*facts)(void *target, bool fresh, struct backend_facts *f, struct error *e);
	/* Reads outside of any queue: whole blocks. 0 or -errno. */
	int (*read_at)(void *target, void *buf, uint32_t n, uint64_t offset, struct error *e);
	/* From here on writes are carried out, within these bounds; before, they fail with -EPERM. */
	void (*allow_write)(void *target, uint64_t start, uint64_t length);
	/* Up to max of its connections, the queues' first made first; returns how many. Never waits for
	 * the network. */
	unsigned (*sessions)(void *target, struct backend_session *s, unsigned max);
	/* Of each path, PATHS_MAX of them. */
	void (*past)(void *target, struct backend_past *past);
	/* Another way for IOs that are sent from now on. 0, or -EINVAL with words; the NICs are only looked
	 * at when the target is opened. */
	int (*set_paths)(void *target, const struct backend_paths *how, struct error *e);
	/* Has that done to a path, from 0 on, or to PATHS_ALL; it is under way when this returns, and seen
	 * in the sessions. 0, or -EINVAL with words. */
	int (*path_act)(void *target, uint32_t path, enum path_act act, struct error *e);
	/* Calls found for all that how->spec, a portal, offers, or for the one target that is named behind
	 * it: "10.0.0.1/iqn...". Needs no open target. */
	int (*discover)(const struct backend_open *how, backend_found_fn *found, void *arg,
			struct error *e);

	/* --- Queues. --- */

	int (*queue_open)(void *target, const struct backend_queue *how, void **queue,
			  struct error *e);
	/* IOs of that op are about to come: what their buffers need is done now, when no IO is being
	 * timed. By the worker's own thread. NULL where they need nothing. */
	void (*queue_prepare)(void *queue, enum io_op op);
	/* Lets go of the target and the buffers now, however long the kernel takes to give the queue
	 * itself back after queue_close. By the worker's own thread, with nothing in flight, when it
	 * has left the queue. NULL where a queue holds nothing of its own. */
	void (*queue_rest)(void *queue);
	/* Only with nothing in flight. */
	void (*queue_close)(void *queue);

	/* Hands over ios[0..n-1] in order and returns how many were taken, from the front; 0 when
	 * none could be right now (reap and try again). A refusal of the first IO for good is
	 * returned as its negative errno: the caller counts ios[0] as failed. */
	int (*submit)(void *queue, struct io **ios, unsigned n);

	/* Puts up to max completed IOs into done. wait_ns: 0 = only what is there already,
	 * -1 = until one is done or wake_fd is readable, else at most that long. Returns how many
	 * (possibly 0), or a negative errno when the queue is broken. */
	int (*reap)(void *queue, struct io **done, unsigned max, int64_t wait_ns);
};

/* The registry: every backend of this build, in the order they are listed. */
const struct backend *backend_at(unsigned i); /* NULL past the end */
const struct backend *backend_find(const char *name);

/* The name that stands for backend_choose(). */
#define BACKEND_AUTO "auto"
#define BACKEND_WHY  96
/* The backend that fits best (how NULL: see fit), and why, in a few words for one line. NULL when none
 * does. */
const struct backend *backend_choose(const struct backend_open *how, char *why, size_t n);

#endif
