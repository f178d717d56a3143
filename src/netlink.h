/* netlink.h - whether a netlink message can be read without a step beyond its end.
 *
 * mnl_nlmsg_ok() takes a length of 2^31 and more for a negative one, and what walks the attributes goes
 * on to the next multiple of 4.
 */
#ifndef LUNSCOPE_NETLINK_H
#define LUNSCOPE_NETLINK_H

#include <libmnl/libmnl.h>
#include <stdbool.h>
#include <stddef.h>

/* With left bytes from h on. */
static inline bool netlink_ok(const struct nlmsghdr *h, size_t left)
{
	return left >= sizeof(*h) && h->nlmsg_len >= sizeof(*h) && h->nlmsg_len <= left &&
	       MNL_ALIGN((size_t)h->nlmsg_len) <= left;
}

/* The errno that a message of type NLMSG_ERROR tells, negative; 0 and nonsense are -EPROTO. */
int netlink_error(const struct nlmsghdr *h);

#endif
