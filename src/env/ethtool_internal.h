/* ethtool_internal.h - between ethtool.c and ethtool_features.c. */
#ifndef LUNSCOPE_ENV_ETHTOOL_INTERNAL_H
#define LUNSCOPE_ENV_ETHTOOL_INTERNAL_H

#include "env/ethtool.h"

/* Begins a message about a NIC, in bytes[ASK_BYTES]. nic is shorter than IF_NAMESIZE. */
struct nlmsghdr *ethtool_question(struct ethtool *t, void *bytes, uint8_t command, const char *nic,
				  uint32_t flags);
int ethtool_ask(struct ethtool *t, struct nlmsghdr *h, ask_answer *answer, void *arg, char *reason);

bool feature_known(const char *words);
void features_take(const struct nlmsghdr *h, const char *nic, struct facts *f);
/* Gives all of them this value. */
void features_missing(const char *nic, struct facts *f, const char *why);
int feature_write(struct ethtool *t, const char *nic, const char *words, const char *value,
		  char *reason);

#endif
