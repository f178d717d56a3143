/* watch_internal.h - the NICs' part of a watch. All of it is called by one thread. */
#ifndef LUNSCOPE_ENV_WATCH_INTERNAL_H
#define LUNSCOPE_ENV_WATCH_INTERNAL_H

#include <poll.h>
#include "env/watch.h"

struct nic_watch;

int nic_watch_open(struct nic_watch **n, struct error *e);
void nic_watch_close(struct nic_watch *n);
/* Which to watch from now on; reads what is new among them. */
void nic_watch_scope(struct nic_watch *n, const struct env_scope *s);
/* What to wait for. */
void nic_watch_poll(const struct nic_watch *n, struct pollfd p[2]);
/* Takes in notifications, and reads anew what they are about. counters: pause frames too. */
void nic_watch_look(struct nic_watch *n, bool counters);
/* Adds the facts of all. */
void nic_watch_facts(const struct nic_watch *n, struct facts *f);
unsigned nic_watch_list(const struct nic_watch *n, struct env_nic out[WATCH_NICS]);

#endif
