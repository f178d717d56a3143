/* nic_settings.h - what a network card is set to, and setting it: rtnetlink and ethtool's netlink family.
 *
 * Settings are facts whose words begin with the card's name: "eth2 mtu", "eth2 link" (up, down),
 * "eth2 speed" ("10000 Mb/s"), "eth2 pause autoneg", "eth2 pause rx", "eth2 pause tx" (on, off),
 * "eth2 tso", "eth2 gso", "eth2 gro", "eth2 lro", "eth2 rx checksum", "eth2 tx checksum" (on, off),
 * "eth2 ring rx", "eth2 ring tx" (entries), "eth2 coalesce rx-usecs", ... Where an offload is on for one
 * kind of packet only, it is "IPv4 only" or "IPv6 only". What the driver does not do is "(not supported)".
 */
#ifndef LUNSCOPE_NIC_SETTINGS_H
#define LUNSCOPE_NIC_SETTINGS_H

#include "env/ethtool.h"
#include "env/facts.h"
#include "error.h"

/* Adds every setting of the card. -ENODEV: there is none of that name; -ETIMEDOUT: the kernel does not answer
 * now, and some are missing. */
int nic_settings_read(const char *nic, struct facts *f, struct error *e);
/* Changes one, by its words. 0, or -errno with the kernel's own reason (its extended acknowledgement where
 * it gives one): -EOPNOTSUPP, -EPERM, -EINVAL ... */
int nic_settings_write(const char *words, const char *value, struct error *e);
/* Whether words are of a setting that can be changed, where the driver can: "eth2 mtu", "eth2 pause rx". */
bool nic_settings_possible(const char *words);

/* The same with sockets that stay open, for who asks again and again. */
struct nic_desk {
	struct ask rtnl;
	struct ethtool ethtool;
};

int nic_desk_open(struct nic_desk *d, struct error *e);
void nic_desk_close(struct nic_desk *d);
int nic_desk_read(struct nic_desk *d, const char *nic, struct facts *f, struct error *e);

#endif
