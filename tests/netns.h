/* netns.h - two network namespaces with up to four cables between them, for tests of paths.
 *
 * Nothing has a name on this host: the namespaces are held by descriptors of the test program, and the
 * kernel takes them and their cables away when the last process in them is gone, however it ended.
 *
 *	NET_INITIATOR  pN 10.77.N.2 ----- 10.77.N.1 pN  NET_TARGET	N = 1..links
 */
#ifndef LUNSCOPE_TEST_NETNS_H
#define LUNSCOPE_TEST_NETNS_H

#include <stdbool.h>

#define NET_LINKS 4

enum net_side { NET_INITIATOR, NET_TARGET };

struct net {
	unsigned links;
	int outside;	/* the namespace that the test came from */
	int inside[2];	/* by side; -1 when there is none */
};

/* NULL where namespaces can be made, else the reason for skip(). */
const char *net_missing(void);

/* Makes both sides with their loopback up and the links up at this MTU (0: 1500), segmentation offload
 * off (so that the MTU is what travels) and reno as congestion control (where the host has another for
 * its default, small replies suffer). 0 or -errno; waits until every link carries a packet. */
int net_make(struct net *n, unsigned links, unsigned mtu);
/* Back outside, and gives both up. Safe when net_make failed or was never called on a zeroed net. */
void net_free(struct net *n);

/* Moves the calling thread, and what it starts from now on (threads, programs). */
int net_enter(const struct net *n, enum net_side side);
int net_leave(const struct net *n);
/* The same for a moment: visit returns what net_return needs to go back to wherever the thread was, or
 * -errno. */
int net_visit(const struct net *n, enum net_side side);
void net_return(int here);

/* "10.77.N.1" for the target's end; a static string. */
const char *net_address(enum net_side side, unsigned link);

/* Faults, all of link 1..links; 0 or -errno. */
int net_mtu(const struct net *n, unsigned link, unsigned mtu); /* both ends */
int net_mtu_end(const struct net *n, enum net_side side, unsigned link, unsigned mtu);
/* Pulls or plugs the target's end of the cable: both ends see the carrier. */
int net_cable(const struct net *n, unsigned link, bool up);
/* What is sent leaves, and arrives nowhere; no error tells of it. */
int net_blackhole(const struct net *n, unsigned link, bool on);

#endif
