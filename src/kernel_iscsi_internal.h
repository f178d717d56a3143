/* kernel_iscsi_internal.h - what the kernel_iscsi_*.c files share among themselves. */
#ifndef LUNSCOPE_KERNEL_ISCSI_INTERNAL_H
#define LUNSCOPE_KERNEL_ISCSI_INTERNAL_H

#include <sys/socket.h>
#include "kernel_iscsi.h"

#define DISK_NAME 32

/* A SCSI disk of the initiator. */
struct kernel_disk {
	char name[DISK_NAME];
	uint32_t host, sid;
};

struct kernel_disks {
	struct kernel_disk *disk;
	size_t count;
	bool stacked;	    /* the device stands on others, which may change */
	bool out_of_memory; /* one is missing */
};

/* --- kernel_iscsi_disks.c --- */

/* The initiator's disks beneath a device, by sid; or all of the host's, with a nameless one for a session
 * without disks. Freed by disks_free(). */
void disks_below(const struct guard_host *h, const char *device, struct kernel_disks *d);
void disks_all(const struct guard_host *h, struct kernel_disks *d);
void disks_free(struct kernel_disks *d);

/* --- kernel_iscsi_sysfs.c --- */

/* The ends of a session's connection. Family 0: not known; a local address of 0 with a port: only that. */
struct ends {
	bool connected; /* both have a port */
	struct sockaddr_storage local, remote;
};

/* Fills in all that sysfs tells of the session of disk[0..n-1], which are of one (a nameless one stands
 * for a session without disks). False when there is no such session (any more). */
bool session_read(const struct guard_host *h, const struct kernel_disk *disk, size_t n,
		  struct kernel_session *out, struct ends *ends);
/* The number that the statistics are asked with; false when it is not known. */
bool session_transport(const struct guard_host *h, uint32_t host, uint64_t *handle);

/* --- kernel_iscsi_net.c --- */

/* The sockets that a look asks through, as far as they could be had. */
struct kernel_net {
	int stats, diag;
};
struct kernel_net net_open(const struct guard_host *h);
void net_close(struct kernel_net *n);
/* TCP, NIC and statistics of a session that has been read. deep: all connections of the host may be gone
 * through for it. False when its connection was not found. */
bool net_look(struct kernel_net *n, const struct guard_host *h, struct kernel_session *s,
	      struct ends *ends, bool deep);

/* --- kernel_iscsi_read.c --- */

/* All sessions that the disks are of, by sid: how many, and an array to free() in *list; -ENOMEM. prepare
 * may know better where a connection comes from, and says whether all of the host's may be gone through
 * for it. */
typedef bool prepare_fn(uint32_t sid, struct ends *e, void *arg);
int sessions_read(const struct guard_host *h, const struct kernel_disks *d, prepare_fn *prepare,
		  void *arg, struct kernel_session **list);

#endif
