/* gates.h - what the files of the write guard share among themselves.
 *
 * A target is never looked at alone: a write to a disk is a write to its partitions, to
 * whatever stands on them, and to every other device that shares the same storage. topology.c
 * collects all of these as members; each gate then asks the tables of the host about every
 * member. Devices are told apart by major:minor and files by device and inode, never by name.
 *
 * Private to src/guard, and to src/devices.c, src/kernel_iscsi*.c and src/env, which read sysfs as it does (and
 * to their tests).
 */
#ifndef LUNSCOPE_GUARD_GATES_H
#define LUNSCOPE_GUARD_GATES_H

#include <dirent.h>
#include <stdarg.h>
#include <stddef.h>
#include "guard/guard.h"

#define NODE_NAME 64

/* A file or a block device, by number; all zero when it is neither. */
struct node_id {
	dev_t rdev; /* block device */
	dev_t dev;  /* regular file */
	ino_t ino;
};

/* What the host's tables say, read once for all gates. */
struct mount_row {
	struct node_id device; /* what the kernel says is mounted, or what the source names */
	char *target;
	char *fstype;
	pid_t pid; /* a process that sees it; 0 for our own namespace */
};

struct swap_row {
	struct node_id area; /* all zero: which file or device it is can't be seen */
	char *path;
};

/* A loop device, or a zram device with a backing store. */
struct stack_row {
	char name[NODE_NAME];
	dev_t rdev;
	struct node_id backing; /* all zero: what it stands on can't be seen */
	char *path;
};

/* A disk by its worldwide name: two with the same are two paths to one. */
struct path_row {
	char name[NODE_NAME];
	char wwid[128];
};

struct tables {
	struct mount_row *mounts;
	struct swap_row *swaps;
	struct stack_row *stacks;
	struct path_row *paths;
	size_t mount_count, swap_count, stack_count, path_count;
	unsigned unreadable;	/* processes whose mount table could not be read, ... */
	char unreadable_name[64]; /* ... and the first of them */
};

enum relation {
	REL_SELF,
	REL_PART,    /* on the target, or overlapping it */
	REL_DISK,    /* the whole disk of a target that is a partition */
	REL_UPPER,   /* stands on the target */
	REL_ALIAS,   /* another device over the same storage */
	REL_PATH,    /* another path to the same LUN, and what is on that */
	REL_LOWER,   /* the target stands on it */
	REL_SIBLING, /* on the same disk, but outside the target */
};

struct member {
	enum relation relation;
	bool stacked; /* dm, md, loop, ...: not a disk or a partition of one */
	char name[NODE_NAME];
	dev_t rdev;
};

/* What the kernel answers when asked whether anybody has a file open for writing. */
enum writers { WRITERS_UNKNOWN, WRITERS_NONE, WRITERS_SOME };

/* One look at a target. */
struct look {
	const struct guard_host *host;
	struct guard_report *r;
	struct tables *tables;
	const struct guard_lun *lun; /* what is no node of this host; else NULL */
	int fd;			  /* read-only, or -1; of a LUN a mirror of what was looked at */
	char name[NODE_NAME];	  /* the kernel's name, "" for a file */
	char disk[NODE_NAME];	  /* of the whole disk */
	struct member *members;
	size_t member_count;
	bool out_of_memory;	  /* a member is missing */
	struct node_id files[8];  /* the target when it is a file; the files it stands on */
	size_t file_count;
	enum writers writers;	  /* files: whether the kernel has one open for writing */
};

/* report.c */
void report_add(struct guard_report *r, enum guard_gate gate, enum guard_level level,
		const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Replaces what could steer a terminal: names of devices and processes are foreign text. */
void report_clean(char *text);

/* sight.c: a finding that is missing because nobody could look must never pass for one that isn't
 * there. Only "there is no such entry" is an answer; every other failure is kept, for each thread,
 * until sight_take() hands it over. */
void sight_clear(void);
void sight_lost(const char *what, int err); /* err is a positive errno; the first is kept */
/* 0 when everything could be seen, else -EPERM with what could not. Forgets it. */
int sight_take(struct error *e);
/* The host that we run on, not a recorded tree. */
bool sight_real(const struct guard_host *h);
/* These keep nothing themselves, but return -errno: -EMEDIUMTYPE when, on the real host, something
 * is mounted over what the kernel shows there. */
int sight_open(const struct guard_host *h, const char *path, int flags);
int sight_folder(const struct guard_host *h, const char *path, DIR **dir);
int sight_text(const struct guard_host *h, const char *path, char **text, size_t *length);
/* The next entry that doesn't begin with a dot, NULL at the end; a failure is kept. */
struct dirent *sight_next(DIR *dir, const char *path);

/* processes.c: calls each with "PID", or "PID/task/TID" for what is left of a process; stops at, and
 * returns, a value that isn't 0. */
int processes_each(const struct guard_host *h, int (*each)(const char *process, void *arg),
		   void *arg);
/* Whether an error means that the process has ended since. */
bool processes_gone(int err);
/* "process 12 (qemu)" */
char *processes_name(const struct guard_host *h, const char *process, char *out, size_t n);
/* False in a container with process numbers of its own, and where others' are hidden. */
bool processes_all(const struct guard_host *h);

/* sysfs.c: one line of a file below host->sys, without blanks at the ends; false when it is missing
 * or empty. */
bool sysfs_read(const struct guard_host *h, char *out, size_t n, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool sysfs_u64(const struct guard_host *h, uint64_t *value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool sysfs_exists(const struct guard_host *h, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Calls each for every name in a folder, in no order; stops at, and returns, a value that isn't
 * 0. */
int sysfs_each(const struct guard_host *h, const char *folder,
	       int (*each)(const char *name, void *arg), void *arg);
/* Keeps a failure in mind when a device that sysfs lists can't be looked at. */
void sysfs_check(const struct guard_host *h, const char *name);
bool sysfs_name(const struct guard_host *h, dev_t rdev, char name[NODE_NAME]);
dev_t sysfs_rdev(const struct guard_host *h, const char *name);	     /* 0 when unknown */
bool sysfs_is_partition(const struct guard_host *h, const char *name);
void sysfs_disk(const struct guard_host *h, const char *name, char disk[NODE_NAME]);
void sysfs_extent(const struct guard_host *h, const char *name, uint64_t *start, uint64_t *length);
/* Short words for a device: "dm-0 (vg0-root)", "sdb1". */
char *sysfs_words(const struct guard_host *h, const char *name, char *out, size_t n);
/* "/dev/sdb" */
char *sysfs_node(const struct guard_host *h, const char *name, char *out, size_t n);

/* nodes.c: what a path in one of the tables means. root is put before paths outside /dev, for those
 * of other processes. */
struct node_id node_of_path(const struct guard_host *h, const char *root, const char *path);
bool node_same(const struct node_id *a, const struct node_id *b);

/* tables.c, mounts.c, swap.c, stacks.c. Without TABLES_NAMESPACES only our own and init's mount
 * table is read. */
enum {
	TABLES_NAMESPACES = 1, /* the mounts of every namespace that can be seen */
	TABLES_ASK_LOOPS = 2,  /* ask loop devices themselves what they stand on */
	TABLES_PATHS = 4,      /* the worldwide names of all disks */
};
int tables_read(const struct guard_host *h, unsigned what, struct tables *t, struct error *e);
void tables_free(struct tables *t);
int mounts_read(const struct guard_host *h, bool all, struct tables *t, struct error *e);
int swap_read(const struct guard_host *h, struct tables *t, struct error *e);
int stacks_read(const struct guard_host *h, bool ask, struct tables *t);
/* What stands on something that can't be seen may stand on the target. */
void gate_stacks(struct look *l);

/* topology.c */
int topology_build(struct look *l);
const struct member *topology_find(const struct look *l, dev_t rdev);
bool topology_is_file(const struct look *l, const struct node_id *id);
/* "partition /dev/sdb1", "/dev/dm-0 (vg0-root), which stands on it," */
char *topology_words(const struct look *l, const struct member *m, char *out, size_t n);
void look_free(struct look *l);

/* identity.c: the worldwide name of a whole disk, "" when it has none. */
void identity_wwid(const struct guard_host *h, const char *disk, char *out, size_t n);
/* vendor, model, serial and wwid of the disk, id and confirm of the target. */
void identity_device(struct look *l);
void identity_file(struct look *l);
void identity_lun(struct look *l, const struct backend_facts *f);

/* readonly.c: asks the kernel, through a descriptor for reading, whether anybody has the file open
 * for writing, in this container or outside, loop devices and swap included. */
enum writers writers_of(int fd);

/* The gates. */
void gate_claim(struct look *l);
void gate_mounted(struct look *l);
void gate_swap(struct look *l);
void gate_holders(struct look *l);
void gate_multipath(struct look *l);
void gate_signature(struct look *l);
void gate_users(struct look *l);
void gate_readonly(struct look *l);

/* What signatures are looked for on. Of a LUN fd is a mirror, into which it is copied bit by bit. */
struct medium {
	int fd;
	const struct guard_lun *lun; /* NULL: fd is the thing itself */
	uint64_t size;
	uint32_t block;
};

/* lun.c: makes sure that a range can be read from m->fd: of a large one the first and last MiB. 0 or
 * -errno. */
int medium_fetch(const struct medium *m, uint64_t offset, uint64_t length);
/* lun.c: -EPERM with what has changed since r was made, as last known; with look, this host's disks are
 * gone through too. */
int lun_check_change(const struct guard_report *r, const struct guard_lun *lun,
		     const struct guard_host *host, bool look, struct error *e);

/* guard.c: whether the report lets anything be written at all, and somebody has agreed. */
int guard_check_open(const struct guard_report *r, bool consent, struct error *e);
bool guard_has_finding(const struct guard_report *r, const struct guard_finding *f);

/* signature.c: the signatures found, shortest form: "gpt, ext4"; "" for none. */
void signature_list(int fd, char *out, size_t n);

/* window.c */
int window_set(struct guard_report *r, const struct guard_window *w, struct error *e);

#endif
