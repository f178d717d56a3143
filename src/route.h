/* route.h - by which NIC an address is reached, where no connection tells (nic.h). */
#ifndef LUNSCOPE_ROUTE_H
#define LUNSCOPE_ROUTE_H

#include <net/if.h>
#include <stddef.h>
#include <sys/socket.h>

/* The NIC that the routing table of this network namespace would send to it by, and the address that it
 * would send from (without a port; may be NULL). 0 or -errno. */
int route_to(const struct sockaddr_storage *remote, char nic[IF_NAMESIZE],
	     struct sockaddr_storage *from);
/* The same from an answer, which may be anything. from: its family says which one is looked for. */
int route_parse(const void *answer, size_t n, unsigned *interface, struct sockaddr_storage *from);

#endif
