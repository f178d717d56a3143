/* ready.h - set-ups that need no file: a set of specifications, or one of them, for targets that are named. */
#ifndef LUNSCOPE_IOMETER_READY_H
#define LUNSCOPE_IOMETER_READY_H

#include "iometer/setup.h"

/* Into an empty set-up: one manager, this host, with so many disk workers (0 = one per CPU), whose targets are
 * "target 1" to "target N", dealt to them as Iometer deals disks, and the specifications of the set, or the one,
 * that has this name. 0; -ENOENT with words when nothing has; -EINVAL without targets; -ENOMEM. */
int iometer_ready(struct iometer_setup *s, const char *name, uint32_t workers, unsigned targets,
		  struct error *e);
/* All workers' outstanding IOs. */
void iometer_set_outstanding(struct iometer_setup *s, uint32_t outstanding);

#endif
