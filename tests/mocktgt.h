/* mocktgt.h - an iSCSI target in a thread of the test: quick, honest by default, and faulty on demand.
 *
 * What a real target won't do when a test needs it (BUSY, a command that is never answered, a redirect,
 * a wrong digest ...) this one does. Between faults it keeps to RFC 7143, checks that the initiator does
 * too (violations), and really stores what is written: data is kept in memory and outlives sessions.
 *
 * Every function may be called from any thread while the target runs.
 */
#ifndef LUNSCOPE_TEST_MOCKTGT_H
#define LUNSCOPE_TEST_MOCKTGT_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/netns.h"

#define MOCK_PORTALS NET_LINKS
#define MOCK_LUNS    4
#define MOCK_IQN     "iqn.2026-01.test.lunscope:mock"

struct mock_lun {
	uint64_t blocks; /* 0 = 64 MiB's worth; mock_resize() can make it four times as large */
	uint32_t block;	 /* 0 = 512 */
	bool read_only;
	uint64_t claims; /* the last block, as READ CAPACITY (16) tells it; 0 = as it is */
	uint64_t naa; /* low 60 bits of the name in VPD page 83h; 0 = one of its own */
	bool nameless; /* there is no such page */
	bool serialless; /* nor 80h */
};

struct mock_options {
	const struct net *net; /* listens on its links there; NULL: 127.0.0.1, .2 ... here */
	unsigned portals;      /* 0 = 1; with a net one on each link */
	unsigned luns;	       /* 0 = 1; numbered from 0 */
	struct mock_lun lun[MOCK_LUNS];
	const char *user, *secret;	     /* CHAP demanded of the initiator */
	const char *user_back, *secret_back; /* how the target answers a challenge */
	bool header_digest;		     /* grants CRC32C where it is offered */
	bool initial_r2t, no_immediate;	     /* how much data may come unasked */
	uint32_t segment;		     /* MaxRecvDataSegmentLength; 0 = 256 KiB */
	uint32_t burst, first_burst;	     /* 0 = 256 KiB */
	const char *also;		     /* a target that SendTargets tells of besides */
	unsigned more;			     /* and so many others, that nobody can log in to */
	unsigned window;		     /* commands at a time (MaxCmdSN); 0 = 256 */
};

struct mock;

/* Makes it and waits until it listens; ends the program when it can't. */
struct mock *mock_start(const struct mock_options *o);
void mock_stop(struct mock *m); /* NULL is fine */

const char *mock_address(const struct mock *m, unsigned portal);
int mock_port(const struct mock *m);
/* iscsi://[who@]address:port/iqn/lun; a buffer of its own for each of the last 8 calls. */
const char *mock_url(const struct mock *m, unsigned portal, const char *who, int lun);

/* The LUN's memory, for a look at what arrived. Only while no IO is under way. */
const uint8_t *mock_data(struct mock *m, int lun);

/* --- Faults --------------------------------------------------------------------------------------- */

enum mock_fault {
	MOCK_BUSY,	    /* status BUSY (SAM-5 5.3.1) */
	MOCK_TASK_SET_FULL, /* status TASK SET FULL */
	MOCK_CHECK,	    /* CHECK CONDITION with key and ascq */
	MOCK_DELAY,	    /* the answer takes ms longer */
	MOCK_STUCK,	    /* no answer, until mock_release() */
	MOCK_SHORT,	    /* half the data of a read, and not a word about the rest */
	MOCK_UNDERFLOW,	    /* half the data of a read, and a residual that says so */
	MOCK_BAD_DIGEST,    /* the answer's header digest is wrong (only where one was negotiated) */
	MOCK_RESET,	    /* a read: RST in the middle of the data; else: RST instead of an answer */
	MOCK_REDIRECT,	    /* login: "target moved temporarily" to portal `to` */
	MOCK_REFUSE,	    /* login: ends with login_status */
	MOCK_BAD_CHAP,	    /* login: the target's answer to the challenge is wrong */
};

/* What it happens to. */
enum mock_of {
	MOCK_IO, /* READ and WRITE */
	MOCK_READS,
	MOCK_WRITES,
	MOCK_COMMANDS, /* every SCSI command */
	MOCK_PINGS,    /* NOP-Out; only MOCK_STUCK, MOCK_DELAY makes no sense here */
	MOCK_LOGOUTS,  /* only MOCK_STUCK, MOCK_DELAY makes no sense here */
	MOCK_LOGINS,   /* only MOCK_STUCK and the three faults of a login, for which it is implied */
};

#define MOCK_ALWAYS (~0u)

struct mock_injection {
	enum mock_fault fault;
	enum mock_of of;
	unsigned portal; /* 0 = on any */
	unsigned skip;	 /* leave that many alone first */
	unsigned count;	 /* then that many; 0 = 1, MOCK_ALWAYS = until mock_heal() */
	unsigned ms;
	uint8_t key;
	uint16_t ascq;	       /* 0x1100 is 11h/00h */
	uint16_t login_status; /* class and detail: 0x0203 is "not found" (RFC 7143 11.13.5) */
	unsigned to;
};

/* Arms it, besides what is armed already: the first that fits is done. */
void mock_inject(struct mock *m, const struct mock_injection *i);
void mock_heal(struct mock *m);	   /* disarms all; what is stuck stays stuck */
void mock_release(struct mock *m); /* answers what is stuck or delayed, now */

/* portal 0: all. */
void mock_ping(struct mock *m, unsigned portal); /* NOP-In that wants an answer */
/* Async message: log out within so many seconds; who does not is dropped then. */
void mock_ask_logout(struct mock *m, unsigned portal, unsigned seconds);
void mock_cut(struct mock *m, unsigned portal); /* RST to every connection */
/* Down: refuses newcomers and cuts who is there. */
void mock_portal(struct mock *m, unsigned portal, bool up);
/* Another capacity, told by a unit attention 2A/09 to every session. */
void mock_resize(struct mock *m, int lun, uint64_t blocks);
void mock_read_only(struct mock *m, int lun, bool on);
/* Another unit stands behind the same name from now on; nobody is told. */
void mock_become(struct mock *m, int lun, uint64_t naa);
/* How many commands at a time from now on; none is taken back. */
void mock_window(struct mock *m, unsigned window);

/* --- What it has seen ------------------------------------------------------------------------------ */

struct mock_seen {
	unsigned sessions; /* in full-feature phase now */
	unsigned logins, logins_failed, logouts;
	unsigned leaving, most_leaving; /* sessions whose logout is stuck: now, and at most at once */
	unsigned reinstated;   /* sessions that ended because their initiator logged in anew */
	unsigned long commands, reads, writes; /* taken in, whatever came of them */
	unsigned long answered;
	unsigned long reads_at[MOCK_PORTALS], writes_at[MOCK_PORTALS];
	unsigned waiting, most_waiting; /* commands not answered yet: now, and at most in one session */
	unsigned long dropped;		/* commands that lost their connection before their answer */
	unsigned pings, pings_answered; /* from the initiator; and its answers to mock_ping() */
	unsigned injected;
	unsigned violations;  /* of the protocol, by the initiator */
	char violation[160];  /* the first one */
};

void mock_look(struct mock *m, struct mock_seen *s);

#endif
