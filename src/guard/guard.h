/* guard.h - the write guard: what may be written, and with whose consent.
 *
 * Everything that speaks against writing to a target is found before a descriptor is ever opened
 * for writing. The order of the gates, and why each is there, is the list at enum guard_gate. The
 * guard itself never writes a byte to a target.
 *
 *     struct guard_report r;
 *     guard_inspect("/dev/sdb", &guard_host, NULL, &r, &e);   opens nothing for writing
 *     ... show r, ask the operator to type r.confirm ...
 *     guard_check_typed(&r, "8f3a91", &e);                           0 is consent
 *     fd = guard_open(&r, &guard_host, true, false, &e);             looks again and claims
 */
#ifndef LUNSCOPE_GUARD_H
#define LUNSCOPE_GUARD_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "backends/backend.h"
#include "error.h"

/* The gates, in the order they are passed. */
enum guard_gate {
	GATE_MODE,	  /* 0 reading is the default: writes must have been asked for */
	GATE_IDENTITY,	  /* 1 what the node really is: realpath, rdev; nothing is made under /dev */
	GATE_CLAIM,	  /* 2 O_EXCL, kept for the whole run */
	GATE_MOUNTED,	  /* 3 the disk or any partition is mounted, in any mount namespace seen */
	GATE_SWAP,	  /* 4 swap, directly or behind a loop or zram device */
	GATE_HOLDERS,	  /* 5 dm, md, bcache, drbd, loop on top of the disk or a partition */
	GATE_MULTIPATH,	  /* 6 one path of a LUN that has other paths */
	GATE_SIGNATURE,	  /* 7 file system, raid, LVM, LUKS, partition table; else data */
	GATE_USERS,	  /* 8 processes that have it open or mapped; the root or boot device */
	GATE_READONLY,	  /* 9 ro flag, read-only file system */
	GATE_CONSENT,	  /* 10 the operator types what the dialog asks for */
	GATE_WINDOW,	  /* 11 the byte range that may be written */
	GATE_WATCH,	  /* 12 what changes during the run */
	GATE_COUNT
};

enum guard_level {
	GUARD_NOTE,	/* worth showing */
	GUARD_WARN,	/* may be written with consent and the word DESTROY */
	GUARD_REFUSE,	/* not written, whatever the operator says */
};

struct guard_finding {
	enum guard_gate gate;
	enum guard_level level;
	char text[200];		/* names the object: "/dev/sdb1 is mounted at /srv" */
};

#define GUARD_FINDINGS 32

enum guard_kind { GUARD_BLOCK, GUARD_FILE, GUARD_LUN };

struct guard_report {
	enum guard_kind kind;
	char spec[PATH_MAX];	/* as named */
	char path[PATH_MAX];	/* the real node or file; of a LUN its spec */
	dev_t rdev;		/* block devices */
	dev_t dev;		/* of the node or file: the file system it is on, ... */
	ino_t ino;		/* ... and its number there */
	uint64_t diskseq;	/* block devices: changes when other media hide behind the same
				 * rdev; 0 when the kernel doesn't count them */
	uint64_t size;		/* bytes */
	uint32_t logical_block;
	char vendor[32], model[64], serial[128], wwid[160]; /* "" when not known */
	char id[PATH_MAX + 32];	/* what --i-own must name: "naa.60014…", the serial, "7:3@backing"
				 * of a loop device, the absolute path of a file; a partition adds
				 * ":p2" */
	char confirm[16];	/* what the dialog asks to type: the last 6 of id's letters and digits */
	bool needs_destroy;	/* DESTROY must be typed too: there is a WARN at gate >= 7 */
	uint64_t window_start;	/* gate 11: the default write window */
	uint64_t window_length;
	unsigned count;		/* findings */
	bool truncated;		/* more than GUARD_FINDINGS were found */
	struct guard_finding finding[GUARD_FINDINGS];
};

/* Where the guard looks; a test hands it a recorded tree. */
struct guard_host {
	const char *proc; /* "/proc" */
	const char *sys;  /* "/sys" */
	const char *dev;  /* "/dev": nothing is ever created below it */
};
extern const struct guard_host guard_host;

/* What of a target may be written. */
struct guard_window {
	bool whole;	  /* --whole: the whole target, first and last MiB included */
	bool given;	  /* a range was named by the operator; length 0 = to the end */
	uint64_t start, length;
};

#define GUARD_WINDOW_DEFAULT (1ull << 30) /* a block device's default write window: 1 GiB */
#define GUARD_EDGE	     (1ull << 20) /* first and last MiB are left alone without --whole */

/* Looks at spec through gates 1 to 9 and sets the window (11). Opens read-only, writes nothing; a
 * block device is claimed for an instant (O_RDONLY|O_EXCL) to learn whether somebody else holds it.
 * 0 when the report is filled in (findings or not); -errno when spec can't be looked at at all
 * (missing, not a block device or regular file: gate 1 names a path below /dev that does not exist
 * as such, with the remedy), when the window named lies outside the target, or (-EPERM) when what
 * has to be known of the host can't be seen, as where /sys is hidden or descriptors have run out.
 * window may be NULL. */
int guard_inspect(const char *spec, const struct guard_host *host,
		  const struct guard_window *window, struct guard_report *r, struct error *e);

/* The worst level among the findings; GUARD_NOTE when there are none. */
enum guard_level guard_worst(const struct guard_report *r);

/* Consent. typed is what the operator typed at the dialog: r->confirm, followed by a blank and
 * DESTROY when needs_destroy. 0, or -EACCES with what was expected. Case is ignored for the id.
 * Both checks answer -EPERM when a finding is GUARD_REFUSE. */
int guard_check_typed(const struct guard_report *r, const char *typed, struct error *e);
/* Headless consent: own is the value of --i-own, which must be r->id (whole; case ignored,
 * except for the path of a file, where it tells two files apart), destroy whether --destroy was
 * given too (needed when needs_destroy). */
int guard_check_own(const struct guard_report *r, const char *own, bool destroy, struct error *e);

/* Gates 1, 2, 3-9 once more: opens the target for writing with O_EXCL (block devices) and
 * O_DIRECT unless buffered, never O_CREAT, locks it (files: F_OFD_SETLK), and checks on the
 * open descriptor that it is still the same device or file as in r and that no finding at
 * GUARD_REFUSE, nor any WARN that r did not have, has come up since. The caller has had one of
 * the two checks above succeed and says so by consent; without it, or with a REFUSE finding,
 * the answer is -EPERM. -EBUSY when somebody else holds the claim or, of a file, has it open for
 * writing, -ESTALE when it is not what r was made of any more. Returns the descriptor (keeps the
 * claim while it is open), or -errno. */
int guard_open(const struct guard_report *r, const struct guard_host *host, bool consent,
	       bool buffered, struct error *e);

/* --- A LUN that this process reaches by itself, without a node of this host. --- */

struct guard_lun {
	const char *spec;
	const struct backend *backend; /* which tells of it and reads it */
	void *handle;
};

/* As guard_inspect(), by what the LUN says of itself and what is on it; asks over the network. */
int guard_inspect_lun(const struct guard_lun *lun, const struct guard_host *host,
		      const struct guard_window *window, struct guard_report *r, struct error *e);
/* As guard_open(): looks again; 0 when the window of r may be written. */
int guard_open_lun(const struct guard_report *r, const struct guard_lun *lun,
		   const struct guard_host *host, bool consent, struct error *e);

/* Gate 12: starts watching the target of r. Call guard_watch_check about every 100 ms; it
 * returns 0 while nothing changed, or -EPERM with what did (size, media, read-only, new mount,
 * new holder, new swap; another negative errno when the host can't be read any more), and the
 * caller stops writing. */
struct guard_watch;
int guard_watch_start(struct guard_watch **w, const struct guard_report *r,
		      const struct guard_host *host, struct error *e);
/* lun stays open until the watch is stopped; its spec is not needed that long. */
int guard_watch_start_lun(struct guard_watch **w, const struct guard_report *r,
			  const struct guard_lun *lun, const struct guard_host *host,
			  struct error *e);
int guard_watch_check(struct guard_watch *w, struct error *e);
void guard_watch_stop(struct guard_watch *w);

const char *guard_gate_name(enum guard_gate g); /* "mounted", "swap", ... */

#endif
