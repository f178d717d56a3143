/* kernel_iscsi.h - the sessions of the kernel's own iSCSI initiator (open-iscsi) behind a block device.
 *
 * The disk is the kernel's, and so are its connections; they are shown as our own are. All is read: from
 * sysfs, from the initiator's statistics (kernel_stats.h) and from the socket (tcp_diag.h). A disk may
 * be a partition, or a device (multipath, LVM, RAID) over several; each session beneath it is one row,
 * whichever of its LUNs are used. Of the session's files in sysfs only those are ever opened that
 * kernel_iscsi_sysfs.c lists: others hold CHAP secrets in clear text.
 *
 * A device whose sessions are there costs one look a second, by a thread of its own: the initiator's
 * files can't be read while it is busy tearing a connection down.
 */
#ifndef LUNSCOPE_KERNEL_ISCSI_H
#define LUNSCOPE_KERNEL_ISCSI_H

#include <jansson.h>
#include <sys/types.h>
#include "backends/backend.h"
#include "guard/guard.h"
#include "kernel_stats.h"

#define KERNEL_OFF (-2) /* a timeout that never comes */

/* What the initiator tells of a session beyond what every backend does. "" and -1: not known. */
struct kernel_facts {
	uint64_t read_ns; /* when all of this was so (CLOCK_MONOTONIC) */
	uint32_t sid, host;
	char target[224];     /* its iSCSI name */
	char interface[64];   /* iscsiadm's name for what it is bound to: "default" */
	char disks[96];	      /* those that the target stands on: "sda sdb" */
	char device[32];      /* the state of the worst of them: "running", "transport-offline" */
	char nic[16];
	int64_t failed, timed_out; /* SCSI commands of these disks, since they were found */
	int64_t queue_depth;	   /* commands that the kernel may have in flight, all of them together */
	/* Seconds; KERNEL_OFF for never. */
	int64_t recovery_s;	   /* how long IOs wait for a session that failed */
	int64_t ping_s, pong_s;	   /* silence after which it is pinged, and then waited for */
	int64_t abort_s, lun_reset_s, target_reset_s;
	int64_t command_s;	   /* the shortest of the disks' */
	struct kernel_stats stats;
};

struct kernel_session {
	struct backend_session session; /* number: the sid */
	struct kernel_facts facts;
};

/* --- A target. --- */

struct kernel_iscsi;
/* 0 with *k NULL when the device has nothing to do with the kernel's initiator, and could not come to.
 * Else *k, with a first look taken. -errno where that is not known. */
int kernel_iscsi_open(struct kernel_iscsi **k, const struct guard_host *h, dev_t rdev,
		      struct error *e);
/* Up to max of the sessions, by sid; how many. They are as they are now, or, where the kernel does not
 * answer at once, as they were last. One that has gone since is down. */
unsigned kernel_iscsi_look(struct kernel_iscsi *k, struct backend_session *s, unsigned max);
/* Of those that the last look has told, in the same order, up to max; how many. By the same thread. */
unsigned kernel_iscsi_facts(const struct kernel_iscsi *k, struct kernel_facts *facts, unsigned max);
void kernel_iscsi_close(struct kernel_iscsi *k); /* NULL is fine */

/* --- The host. --- */

/* All sessions of the host, or those beneath a device (0: all): how many, and an array to free() in
 * *list, by sid; or -errno. ios, bytes and wait_ns are those of the disks since they were found. */
int kernel_iscsi_list(const struct guard_host *h, dev_t device, struct kernel_session **list,
		      struct error *e);

/* {"sid", "target", "disks": [...], "nic", ..., "timeouts_s": {...}, "pdus": {...}}; null as ever. */
json_t *kernel_iscsi_json(const struct kernel_facts *f);

#endif
