/* target.h - what is tested: a block device, a file, an iSCSI LUN, null:, or /dev/zero (which is only
 * read).
 *
 * Opening a target finds out what it is and hands it to a backend. It never creates anything under
 * /dev, and it opens for writing only when it is told that the write guard has agreed.
 */
#ifndef LUNSCOPE_TARGET_H
#define LUNSCOPE_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include "backends/backend.h"
#include "create_progress.h"
#include "guard/guard.h"
#include "workload.h"

enum target_kind { TARGET_NULL, TARGET_FILE, TARGET_BLOCK, TARGET_ZERO, TARGET_LUN };

struct target {
	enum target_kind kind;
	char spec[PATH_MAX];  /* as the operator named it, without secrets */
	char path[PATH_MAX];  /* resolved; "" for null: and LUNs */
	char name[64];	      /* short, for the screen: "sdb", "scratch.dat", "null" */
	char model[256];      /* vendor and model, serial; "" when not known */
	char id[160];	      /* LUNs: the worldwide name */
	uint64_t size;	      /* bytes */
	uint32_t logical_block; /* of a file with O_DIRECT: what a read has gone through with */
	uint32_t physical_block;
	dev_t rdev;	      /* block devices: the node's number */
	dev_t dev;	      /* files: which one it is, whatever its name says later */
	ino_t ino;
	int fd;		      /* -1 for null: and LUNs */
	bool may_write;	      /* opened for writing, with consent */
	bool direct;	      /* O_DIRECT, or no cache in between anyway */
	bool created;	      /* lunscope made this file: its scratch to write */
	uint64_t write_start; /* the window writes must stay in */
	uint64_t write_length;
	const struct backend *backend;
	char backend_why[BACKEND_WHY]; /* why this one, when it was chosen by itself; else "" */
	void *handle;	      /* the backend's */
	struct backend_paths paths; /* LUNs: how IOs choose between its paths now */
	bool header_digest;	    /* likewise: a CRC32C over each header was asked for */
	struct kernel_iscsi *kernel; /* of a block device behind the kernel's iSCSI initiator; else
				      * NULL */
};

struct target_options {
	const char *backend;   /* NULL or BACKEND_AUTO = what fits best */
	const struct backend_login *login; /* for a LUN; NULL = what the name says */
	struct backend_paths paths;	   /* likewise, where several portals are named */
	bool buffered;	       /* no O_DIRECT */
	uint64_t create_size;  /* > 0: make the file with this size when it does not exist */
	const struct data *data; /* what the new file is full of; NULL = random data */
	struct create_progress *progress; /* of making it, for another thread, which may call that,
					   * or a LUN's login, off; NULL = nobody watches */
};

/* Opens spec for reading. 0, or a negative errno with words: -ECANCELED when progress->cancel was
 * set while a file was being made. A file that is not made whole, or not opened, is not left. */
int target_open(struct target *t, const char *spec, const struct target_options *o,
		struct error *e);
/* Replaces the read-only descriptor by a writable one that the write guard opened (and owns the
 * exclusive claim with). From here on may_write holds, within the window. Takes the fd over. -ESTALE
 * when it is not what t has open. Only before the engine is created or after it is stopped. A LUN has no
 * descriptor (fd -1): its backend is told. */
int target_allow_write(struct target *t, int fd, uint64_t start, uint64_t length,
		       struct error *e);
/* How the write guard looks at a LUN. */
struct guard_lun target_lun(const struct target *t);
void target_close(struct target *t);
/* Whether st (of an open descriptor or a name) is the very file or device that t has open, or, when t
 * is a loop device, the file behind it. */
bool target_is(const struct target *t, const struct stat *st);
/* Removes the file that target_open made, if its name still stands for it. */
void target_unmake(const struct target *t);

/* How large the target is now, in bytes: what was opened may shrink or grow. t->size if not known. */
uint64_t target_size_now(const struct target *t);

/* Whether its size is its own: null: and /dev/zero have none. */
static inline bool target_has_size(const struct target *t)
{
	return t->kind == TARGET_FILE || t->kind == TARGET_BLOCK || t->kind == TARGET_LUN;
}

/* What the operator should know of how its backend carries IOs out; "" when there is nothing. */
const char *target_remark(const struct target *t);

/* "null", "null:" or "null:LATENCY". */
bool target_is_null(const char *spec);
/* The most outstanding IOs that a worker can have here. */
uint32_t target_most_outstanding(const struct target *t);
/* What a workload must fit to run here. */
struct workload_limits target_limits(const struct target *t);

/* "block device", "file", "null", "zero device", "iSCSI LUN" */
const char *target_kind_name(enum target_kind k);

#endif
