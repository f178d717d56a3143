/* counters.h - what the kernel has counted of a network namespace's NICs and of TCP.
 *
 * From /proc/net, which can be read while a NIC is being set up anew (rtnetlink would wait).
 */
#ifndef LUNSCOPE_ENV_COUNTERS_H
#define LUNSCOPE_ENV_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>
#include "env/watch.h"

/* Since the NIC is there. Bytes are those of whole frames as the driver counts them; a NIC that cuts
 * segments by itself may count what it was handed as one. */
struct nic_counters {
	bool there;
	uint64_t rx_bytes, tx_bytes, rx_packets, tx_packets;
	uint64_t rx_drops, tx_drops;   /* rx: what nobody wanted, too */
	uint64_t rx_errors, tx_errors; /* with overruns of the NIC's own buffers */
};

struct counters {
	int dev, snmp; /* open files; < 0 = not there */
};

/* Those of the calling thread's network namespace. root as in watch.h. */
void counters_open(struct counters *c, const char *root);
void counters_close(struct counters *c);
/* Fills out[i] for nic[i].name. */
void counters_read(const struct counters *c, const struct env_nic *nic, unsigned n,
		   struct nic_counters *out);
/* What to add up so that each packet, drop and error is counted once, where NICs lie upon each other: bits of
 * places in nic[n]. carries: those whose bytes are meant. Of a bond and its ports the bytes are the bond's, as
 * not all ports need be meant; of a VLAN and its NIC the NIC's, which has them too. Drops and errors are all
 * NICs', but not again those that a bond adds up. */
void counters_once(const struct env_nic *nic, unsigned n, uint32_t carries, uint32_t *bytes,
		   uint32_t *faults);
/* TCP segments that were sent again, by the whole namespace; false: not known. */
bool counters_retransmits(const struct counters *c, uint64_t *segments);

/* --- The texts (proc_net(5)), for those and for tests. --- */

void counters_scan_dev(const char *text, const struct env_nic *nic, unsigned n,
		       struct nic_counters *out);
bool counters_scan_snmp(const char *text, uint64_t *segments);

#endif
