/* rtnl.c - see rtnl.h; the messages are those of rtnetlink(7). */
#include "env/rtnl.h"

#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>

#include "netlink.h"

static void parse_kind(const struct nlattr *info, struct rtnl_link *l)
{
	const struct nlattr *a;

	mnl_attr_for_each_nested(a, info) if (mnl_attr_get_type(a) == IFLA_INFO_KIND)
		ask_text(a, l->kind, sizeof(l->kind));
}

bool rtnl_link_parse(const struct nlmsghdr *h, struct rtnl_link *l)
{
	struct ifinfomsg info;
	const struct nlattr *a;
	uint8_t carrier = 1;

	if ((h->nlmsg_type != RTM_NEWLINK && h->nlmsg_type != RTM_DELLINK) ||
	    mnl_nlmsg_get_payload_len(h) < sizeof(info))
		return false;
	memcpy(&info, mnl_nlmsg_get_payload(h), sizeof(info));
	/* Bridges tell of their ports in the same words, as another family; that is not the link's state. */
	if (info.ifi_family != AF_UNSPEC)
		return false;
	memset(l, 0, sizeof(*l));
	l->index = (uint32_t)info.ifi_index;
	l->enabled = info.ifi_flags & IFF_UP;
	l->up = l->enabled && info.ifi_flags & IFF_RUNNING;
	l->gone = h->nlmsg_type == RTM_DELLINK;
	mnl_attr_for_each(a, h, sizeof(info))
	{
		switch (mnl_attr_get_type(a)) {
		case IFLA_IFNAME: ask_text(a, l->name, sizeof(l->name)); break;
		case IFLA_MTU: ask_u32(a, &l->mtu); break;
		case IFLA_MIN_MTU: ask_u32(a, &l->min_mtu); break;
		case IFLA_MAX_MTU: ask_u32(a, &l->max_mtu); break;
		case IFLA_CARRIER: ask_u8(a, &carrier); break;
		case IFLA_MASTER: ask_u32(a, &l->master); break;
		case IFLA_LINK: ask_u32(a, &l->link); break;
		case IFLA_LINKINFO: parse_kind(a, l); break;
		default: break;
		}
	}
	/* The flag follows the carrier up to a second later. */
	l->up &= carrier != 0;
	return l->name[0] != 0;
}

static struct nlmsghdr *link_question(void *bytes, uint16_t type, const char *name)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(bytes);

	h->nlmsg_type = type;
	mnl_nlmsg_put_extra_header(h, sizeof(struct ifinfomsg));
	if (name)
		mnl_attr_put_strz(h, IFLA_IFNAME, name);
	/* Without the tables of virtual functions, which some cards have hundreds of. */
	if (type == RTM_GETLINK)
		mnl_attr_put_u32(h, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	return h;
}

static void keep_link(const struct nlmsghdr *h, void *arg)
{
	struct rtnl_link l;

	if (rtnl_link_parse(h, &l))
		*(struct rtnl_link *)arg = l;
}

int rtnl_link_ask(struct ask *rtnl, const char *name, struct rtnl_link *l, char *reason)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];

	memset(l, 0, sizeof(*l));
	if (strlen(name) >= sizeof(l->name))
		return -ENODEV;
	int rc = ask_kernel(rtnl, link_question(bytes, RTM_GETLINK, name), 0, keep_link, l, reason);
	return rc == 0 && !l->name[0] ? -ENODEV : rc;
}

struct walk {
	void (*each)(const struct rtnl_link *l, void *arg);
	void *arg;
};

static void walk_link(const struct nlmsghdr *h, void *arg)
{
	const struct walk *w = arg;
	struct rtnl_link l;

	if (rtnl_link_parse(h, &l))
		w->each(&l, w->arg);
}

int rtnl_links(struct ask *rtnl, void (*each)(const struct rtnl_link *l, void *arg), void *arg)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];
	struct walk w = {each, arg};

	return ask_kernel(rtnl, link_question(bytes, RTM_GETLINK, NULL), NLM_F_DUMP, walk_link, &w,
			  NULL);
}

int rtnl_set_mtu(struct ask *rtnl, const char *name, uint32_t mtu, char *reason)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];

	if (strlen(name) >= IF_NAMESIZE)
		return -ENODEV;
	struct nlmsghdr *h = link_question(bytes, RTM_SETLINK, name);
	mnl_attr_put_u32(h, IFLA_MTU, mtu);
	return ask_kernel(rtnl, h, 0, NULL, NULL, reason);
}
