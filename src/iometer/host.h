/* host.h - the host's CPUs and network between two moments, as Iometer reports them.
 *
 * CPU figures are per cent of time, of all CPUs or of one; iowait, steal and idle are not busy. The network's are
 * of all interfaces but the loopback one.
 */
#ifndef LUNSCOPE_IOMETER_HOST_H
#define LUNSCOPE_IOMETER_HOST_H

#include "iometer/result.h"

struct iometer_host;

/* How it is now; NULL without memory. What can't be read is not known later. */
struct iometer_host *iometer_host_look(void);
void iometer_host_free(struct iometer_host *h);
unsigned iometer_host_cpus(const struct iometer_host *h);

/* What came between: of CPU number i, or of all of them with i < 0. */
struct iometer_cpu iometer_host_cpu(const struct iometer_host *from, const struct iometer_host *to,
				    int i);
struct iometer_net iometer_host_net(const struct iometer_host *from, const struct iometer_host *to);

#endif
