/* tgtd.h - a real iSCSI target for tests: Debian's tgtd, private to one test program.
 *
 * It listens where nobody else does (a free port of the loopback, or a namespace of netns.h), its control
 * socket and its log lie in the scratch folder, and the kernel kills it when the test is gone. What it is
 * told is remembered, so that a restart after a kill brings the same targets back.
 *
 * All that return int: 0 or -errno, with tgtadm's words on stderr.
 */
#ifndef LUNSCOPE_TEST_TGTD_H
#define LUNSCOPE_TEST_TGTD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "tests/netns.h"

#define TGTD_PORTALS NET_LINKS
/* Long enough for every initiator; the names are what a tester would look for in a leak. */
#define TGTD_USER	  "lunuser"
#define TGTD_SECRET	  "lunsecret1234"
#define TGTD_USER_BACK	  "tgtuser"
#define TGTD_SECRET_BACK  "tgtsecret1234"

struct tgtd_options {
	const struct net *net;	/* listens on its links there; NULL: 127.0.0.1, .2 ... here */
	unsigned portals;	/* 0 = 1; with a net one on each link */
	unsigned nop_interval;	/* seconds between its own pings; 0 = none */
};

struct tgtd {
	pid_t pid;		/* 0 while it is down */
	struct tgtd_options o;
	int port;
	char socket[128];	/* TGT_IPC_SOCKET=... */
	char log[256];
	char **told;		/* what tgtadm was told, one command a string, words apart by '\n' */
	unsigned n_told;
	int targets;
};

struct tgtd_lun {
	const char *file;	/* backing file; NULL: the null store, which reads zeros, 1 TiB */
	uint32_t block;		/* logical block, bytes; 0 = 512 */
	bool read_only;
	const char *id;		/* hex digits that its NAA in VPD page 83h ends in; NULL: tgtd makes one
				 * up. Two LUNs with one file and one id are one logical unit. */
	const char *serial;
};

/* NULL where tgtd can be run, else the reason for skip(). */
const char *tgtd_missing(void);

/* Starts it and waits until every portal listens. A failed start leaves nothing behind. */
int tgtd_start(struct tgtd *t, const struct tgtd_options *o);
void tgtd_kill(struct tgtd *t); /* SIGKILL, and waits for its end */
/* After a kill: the same portals, targets, LUNs and accounts over the same files. */
int tgtd_restart(struct tgtd *t);
/* Safe on a zeroed or failed tgtd, and at any time. */
void tgtd_free(struct tgtd *t);

/* A new target that everybody may log in to; its name is tgtd_iqn(suffix). Returns its tid (1 ...),
 * or -errno. Parameters (MaxBurstLength, HeaderDigest ...) must be set before the first login. */
int tgtd_target(struct tgtd *t, const char *suffix);
const char *tgtd_iqn(const char *suffix); /* a buffer of its own for each of the last 4 calls */
int tgtd_parameter(struct tgtd *t, int tid, const char *name, const char *value);
int tgtd_delete_target(struct tgtd *t, int tid);

/* CHAP with TGTD_USER and TGTD_SECRET; mutual: the target proves itself by TGTD_*_BACK too. */
int tgtd_chap(struct tgtd *t, int tid, bool mutual);

int tgtd_lun(struct tgtd *t, int tid, int lun, const struct tgtd_lun *l);
int tgtd_lun_delete(struct tgtd *t, int tid, int lun);
int tgtd_lun_read_only(struct tgtd *t, int tid, int lun, bool on);
int tgtd_lun_online(struct tgtd *t, int tid, int lun, bool on);
/* Sets the file's size and makes the LUN anew over it: tgtd has no other way, raises no unit attention,
 * and answers "no such LUN" for a moment in between. */
int tgtd_lun_resize(struct tgtd *t, int tid, int lun, const struct tgtd_lun *l, uint64_t size);

/* Portal 1..portals: closes it to newcomers, and down with its connections; or opens it again. */
int tgtd_portal(struct tgtd *t, unsigned portal, bool up);
const char *tgtd_address(const struct tgtd *t, unsigned portal);

/* iscsi://[who@]address:port/iqn/lun; who is "" or "user%password". A buffer of its own for each of the
 * last 8 calls. */
const char *tgtd_url(const struct tgtd *t, unsigned portal, const char *who, const char *suffix,
		     int lun);

#endif
