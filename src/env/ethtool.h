/* ethtool.h - what a NIC's driver is set to, through the kernel's netlink family "ethtool"
 * (Documentation/networking/ethtool-netlink.rst).
 */
#ifndef LUNSCOPE_ENV_ETHTOOL_H
#define LUNSCOPE_ENV_ETHTOOL_H

#include "env/ask.h"
#include "env/facts.h"

struct ethtool {
	struct ask ask;
	uint16_t family;  /* 0: this kernel has none */
	uint32_t monitor; /* the multicast group that tells of changes */
};

/* 0 also on a kernel without the family: what is asked then is "not supported". */
int ethtool_open(struct ethtool *t, struct error *e);
void ethtool_close(struct ethtool *t);

/* Adds every setting as a fact "NIC WORDS". What can't be had has the reason as its value. -ETIMEDOUT: the
 * kernel, which may be setting up a NIC, does not answer now, and some are missing; else 0. */
int ethtool_read(struct ethtool *t, const char *nic, struct facts *f);
/* words without the NIC: "pause rx". 0 or -errno with the kernel's words, if it has any, in reason. */
int ethtool_write(struct ethtool *t, const char *nic, const char *words, const char *value,
		  char *reason);
/* Whether there is a setting of these words, and whether it can be changed. */
bool ethtool_knows(const char *words, bool *settable);

/* Frames that held the other side, or us, back, since the driver was loaded. false: not told. */
bool ethtool_pause_frames(struct ethtool *t, const char *nic, uint64_t *rx, uint64_t *tx);

/* --- For those who read messages. --- */

/* The NIC that a message of the family is about; false when it names none. */
bool ethtool_nic_of(const struct nlmsghdr *h, char nic[16]);
/* Adds to f what a reply tells. */
void ethtool_take(const struct nlmsghdr *h, const char *nic, struct facts *f);

/* The value of what can't be had: "(not supported)", "(Operation not permitted)". Returns out. */
char *ethtool_reason(int rc, char *out, size_t n);

#endif
