/* netlink.c - see netlink.h. */
#include "netlink.h"

#include <errno.h>
#include <string.h>

#define ERRNO_MAX 4095 /* MAX_ERRNO in the kernel's include/linux/err.h */

int netlink_error(const struct nlmsghdr *h)
{
	struct nlmsgerr err;

	if (mnl_nlmsg_get_payload_len(h) < sizeof(err))
		return -EPROTO;
	memcpy(&err, mnl_nlmsg_get_payload(h), sizeof(err));
	return err.error < 0 && err.error >= -ERRNO_MAX ? err.error : -EPROTO;
}
