/* rtnl.h - network interfaces as rtnetlink tells of them. */
#ifndef LUNSCOPE_ENV_RTNL_H
#define LUNSCOPE_ENV_RTNL_H

#include "env/ask.h"

struct rtnl_link {
	char name[16];
	uint32_t index;
	uint32_t mtu;	 /* bytes; 0 = not told */
	uint32_t min_mtu, max_mtu; /* what its driver takes; 0 = not told, or no limit */
	bool enabled;	 /* it is switched on ... */
	bool up;	 /* ... and has a carrier */
	bool gone;	 /* the message says that it has been taken away */
	uint32_t master; /* index of the bond, team or bridge that it is part of; 0 = of none */
	uint32_t link;	 /* index of what it lies upon; 0 = not told */
	char kind[16];	 /* "vlan", "bond", "veth"; "" for hardware */
};

/* Of an RTM_NEWLINK or RTM_DELLINK message that lies wholly in what was received; false for another. */
bool rtnl_link_parse(const struct nlmsghdr *h, struct rtnl_link *l);

/* -ENODEV: there is none of that name. */
int rtnl_link_ask(struct ask *rtnl, const char *name, struct rtnl_link *l, char *reason);
/* Calls each for every one of this network namespace. */
int rtnl_links(struct ask *rtnl, void (*each)(const struct rtnl_link *l, void *arg), void *arg);
int rtnl_set_mtu(struct ask *rtnl, const char *name, uint32_t mtu, char *reason);

#endif
