/* kernel_stats.h - what the kernel's iSCSI initiator counts of one connection: PDUs, bytes, errors.
 *
 * It is asked by netlink (NETLINK_ISCSI, ISCSI_UEVENT_GET_STATS), as iscsiadm -s has iscsid do. The
 * answer goes to everybody who listens, iscsid too, which drops what it did not ask for. Root only.
 */
#ifndef LUNSCOPE_KERNEL_STATS_H
#define LUNSCOPE_KERNEL_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Since the connection was made. */
struct kernel_stats {
	bool known;
	uint64_t bytes_sent, bytes_received; /* with the headers of the PDUs */
	uint32_t commands, data_out, nop_out, task_management;	/* PDUs sent */
	uint32_t responses, data_in, r2t, nop_in, async, rejects; /* received */
	uint32_t digest_errors, timeouts;
	uint64_t aborts; /* by the error handler */
};

/* A socket to ask through; only for as long as the asking takes: what nobody reads fills it. -errno
 * where this kernel has no initiator or this user may not ask. */
int kernel_stats_open(void);
/* transport is the number in /sys/class/iscsi_transport/NAME/handle. 0, or -errno: then nothing is
 * known. */
int kernel_stats_ask(int fd, uint64_t transport, uint32_t session, uint32_t connection,
		     struct kernel_stats *s);
/* One datagram, which may be anything. 0; -EAGAIN when it answers another question; or the error that
 * the initiator answers with. */
int kernel_stats_parse(const void *message, size_t n, uint32_t session, uint32_t connection,
		       struct kernel_stats *s);

#endif
