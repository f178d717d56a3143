/* ready.h - set-ups that need no file: a set of specifications, or one of them, for targets that are named. */
#ifndef LUNSCOPE_IOMETER_READY_H
#define LUNSCOPE_IOMETER_READY_H

#include "iometer/setup.h"

/* Into an empty set-up: the specifications of the set, or the one, that has this name. 0; -ENOENT with words when
 * nothing has; -ENOMEM. */
int iometer_ready(struct iometer_setup *s, const char *name, struct error *e);
/* Mans a set-up that has nobody: one manager, this host, with so many disk workers (0: as the set-up has it, one per
 * CPU by default), to which the targets are dealt as Iometer deals disks. They are called as Iometer on Linux calls
 * disks, "sdb" for /dev/sdb, or "target N". What nobody is given by default is then everybody's. name is the
 * set-up's, for messages. 0; -EINVAL with words; -ENOMEM. */
int iometer_man(struct iometer_setup *s, const char *name, uint32_t workers, char *const *spec,
		unsigned targets, struct error *e);
/* What target i of these is called there: each differently, and nothing that a set-up file or --map could read as
 * two. */
void iometer_target_name(char name[IOMETER_NAME], char *const *spec, unsigned i);
/* All workers' outstanding IOs. */
void iometer_set_outstanding(struct iometer_setup *s, uint32_t outstanding);

#endif
