/* devices.h - the block devices of this host, for the target picker and `lunscope targets`.
 *
 * Read from sysfs only: listing opens no device and so wakes none up.
 */
#ifndef LUNSCOPE_DEVICES_H
#define LUNSCOPE_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "error.h"
#include "guard/guard.h"

struct device {
	char name[64];	     /* "sdb" */
	char path[80];	     /* "/dev/sdb" */
	char model[96];	     /* vendor and model; backing file of a loop device; "" */
	char transport[16];  /* "sas", "iscsi", "nvme", "usb", "virtio", "loop", "dm", "md", "" */
	char against[160];   /* what speaks against writing, shortest form: "mounted /srv, LVM"; "" */
	uint64_t size;	     /* bytes */
	uint32_t logical_block;
	bool rotational, read_only, partition;
	dev_t rdev;
};

/* Lists disks (and partitions when asked for) with a size > 0, in natural order (sd2 before sd10),
 * loop devices without a backing file left out. against: mounts, swap and holders from the host's
 * tables; with probe, signatures too (this opens the device read-only). Returns the count and a
 * malloc'd array in *list, or -errno. */
int devices_list(const struct guard_host *host, bool partitions, bool probe, struct device **list,
		 struct error *e);

#endif
