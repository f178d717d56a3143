/* route.c - see route.h. */
#include "route.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "netlink.h"

/* The bare address, 4 or 16 bytes. */
static void *bare(struct sockaddr_storage *a, size_t *n)
{
	struct sockaddr_in *in = (struct sockaddr_in *)a;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)a;

	*n = a->ss_family == AF_INET ? sizeof(in->sin_addr) : sizeof(in6->sin6_addr);
	return a->ss_family == AF_INET ? (void *)&in->sin_addr : &in6->sin6_addr;
}

struct found {
	unsigned interface;
	struct sockaddr_storage *from;
};

static int take_attribute(const struct nlattr *a, void *arg)
{
	struct found *f = arg;
	size_t n;

	if (mnl_attr_get_type(a) == RTA_OIF && mnl_attr_validate(a, MNL_TYPE_U32) >= 0)
		f->interface = mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == RTA_PREFSRC && f->from) {
		void *address = bare(f->from, &n);
		if (mnl_attr_get_payload_len(a) == n)
			memcpy(address, mnl_attr_get_payload(a), n);
	}
	return MNL_CB_OK;
}

int route_parse(const void *answer, size_t n, unsigned *interface, struct sockaddr_storage *from)
{
	const struct nlmsghdr *h = answer;
	struct found f = {.from = from};

	if (!netlink_ok(h, n))
		return -EPROTO;
	if (h->nlmsg_type == NLMSG_ERROR)
		return netlink_error(h);
	if (h->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(h) < sizeof(struct rtmsg))
		return -EPROTO;
	mnl_attr_parse(h, sizeof(struct rtmsg), take_attribute, &f);
	*interface = f.interface;
	return f.interface ? 0 : -ENOENT;
}

static int ask(int fd, struct sockaddr_storage *remote)
{
	char room[MNL_NLMSG_HDRLEN + sizeof(struct rtmsg) + 64]
		__attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *h = mnl_nlmsg_put_header(room);
	struct rtmsg *r = mnl_nlmsg_put_extra_header(h, sizeof(*r));
	size_t n;
	const void *address = bare(remote, &n);

	h->nlmsg_type = RTM_GETROUTE;
	h->nlmsg_flags = NLM_F_REQUEST;
	r->rtm_family = (uint8_t)remote->ss_family;
	r->rtm_dst_len = (uint8_t)(8 * n);
	mnl_attr_put(h, RTA_DST, n, address);
	return send(fd, h, h->nlmsg_len, 0) < 0 ? -errno : 0;
}

int route_to(const struct sockaddr_storage *remote, char nic[IF_NAMESIZE],
	     struct sockaddr_storage *from)
{
	char room[8192] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct sockaddr_storage to = *remote;
	unsigned interface = 0;

	nic[0] = 0;
	if (from)
		*from = (struct sockaddr_storage){.ss_family = remote->ss_family};
	if (remote->ss_family != AF_INET && remote->ss_family != AF_INET6)
		return -EAFNOSUPPORT;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0)
		return -errno;
	int rc = ask(fd, &to);
	/* The kernel answers before send returns. */
	ssize_t n = rc ? 0 : recv(fd, room, sizeof(room), MSG_DONTWAIT);
	if (rc == 0)
		rc = n < 0 ? -errno : route_parse(room, (size_t)n, &interface, from);
	if (rc == 0 && !if_indextoname(interface, nic))
		rc = -errno;
	close(fd);
	return rc;
}
