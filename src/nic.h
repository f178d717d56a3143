/* nic.h - which network interface a connection goes through, and what it could carry.
 *
 * The interface is the one that has the connection's local address: what a host with one address on each
 * does, and what a connection that is bound to an interface does. A portal of this very host is reached
 * over its loopback, whatever address it has.
 */
#ifndef LUNSCOPE_NIC_H
#define LUNSCOPE_NIC_H

#include <stdbool.h>
#include <stdint.h>
#include "backends/backend.h"

struct nic {
	char name[16];	/* "" = not known */
	int64_t mtu;	/* bytes; < 0 = not known */
	int64_t bits_s; /* speed, as the driver tells; < 0 = not known, or there is none */
	bool nominal;	/* that is a mere name: there is no hardware behind it */
};

/* What was found, for some seconds: one place for each path. All 0 at first. */
struct nics {
	struct {
		char local[80], portal[80];
		uint64_t looked_ns;
		struct nic nic;
	} place[PATHS_MAX];
};

/* The interface between two addresses as sessions have them: "10.0.0.2:50000", "[fe80::2%eth0]:50000"; or
 * the one that they are bound to, where that is not "". */
const struct nic *nics_find(struct nics *n, unsigned place, const char *local, const char *portal,
			    const char *bound, uint64_t now_ns);

/* The interface that has this address; "" when none has, or when it can't be told which. */
void nic_of(const char *local, const char *portal, char name[16]);
/* Speed, and whether there is hardware below it. root is "" on a real host, else a folder with a recorded
 * sys/. */
void nic_ask(struct nic *n, const char *root);

#endif
