/* pause.h - how many pause frames a NIC has sent and got (IEEE 802.3x, Annex 31B). */
#ifndef LUNSCOPE_ENV_PAUSE_H
#define LUNSCOPE_ENV_PAUSE_H

#include "env/ethtool.h"

/* How a NIC's driver tells them; zeroed: not known yet. */
struct pause_source {
	enum { PAUSE_NEW, PAUSE_NETLINK, PAUSE_STRINGS, PAUSE_NONE } kind;
	unsigned rx, tx, count; /* PAUSE_STRINGS: where among the driver's own statistics they stand, from
				 * 1 on (0: there is none), and how many these are */
};

/* Since the driver was loaded; false: it does not tell. fd: any socket, for ioctl. */
bool pause_frames(struct pause_source *s, struct ethtool *t, int fd, const char *nic, uint64_t *rx,
		  uint64_t *tx);

/* The place, from 1 on, of the statistic with this direction's pause frames among n names of
 * ETH_GSTRING_LEN bytes each; 0: there is none. */
unsigned pause_place(const char *names, unsigned n, bool tx);

#endif
