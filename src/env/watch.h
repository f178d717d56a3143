/* watch.h - notices what changes on this host while a run goes on.
 *
 * The NICs that carry the target's paths (and those asked for), with what these lie upon (the ports of a
 * bond, the NIC below a VLAN), are watched through the kernel's own notifications; sysctls and queues,
 * which have none, are read twice a second. All of it by a thread of its own, as the kernel lets nobody ask
 * about a NIC while it is being set up anew, which can take seconds.
 */
#ifndef LUNSCOPE_ENV_WATCH_H
#define LUNSCOPE_ENV_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include "env/facts.h"
#include "error.h"

#define WATCH_NICS 16

/* What to look at. */
struct env_scope {
	char nic[WATCH_NICS][16]; /* "" behind the last */
	char device[64];	  /* kernel name of the block device that is tested: "sda", "dm-3"; "" for none */
};

/* Adds a NIC unless it is there, or none fits in any more. */
void env_scope_add(struct env_scope *s, const char *nic);
unsigned env_scope_count(const struct env_scope *s); /* NICs */

struct env_watch;

/* Takes a first look. root: "" on a real host; a test hands in a folder with a recorded proc/ and sys/ (NICs
 * are left out then). What is watched is the calling thread's network namespace. 0, or -errno with words;
 * what can't be read is no error but a fact that says so. */
int env_watch_open(struct env_watch **w, const char *root, const struct env_scope *scope,
		   struct error *e);
void env_watch_close(struct env_watch *w); /* NULL is fine */
/* Other NICs or another device from now on, as when a path has come over another one. Never waits: the facts
 * follow. */
void env_watch_scope(struct env_watch *w, const struct env_scope *scope);
/* Takes in what has happened and calls changed for each fact that has another value; one that has come or
 * gone with its NIC or device is not told. Never waits; cheap when nothing happened: call it every 100 ms.
 * Returns how many were told. */
unsigned env_watch_look(struct env_watch *w, facts_changed_fn *changed, void *arg);
/* All facts as of the last look; valid until the next. */
const struct facts *env_watch_facts(const struct env_watch *w);
/* How often facts have come or gone: whoever keeps a copy takes a new one when that has grown. */
unsigned env_watch_comings(const struct env_watch *w);

/* What is watched now of NICs: those of the scope, in its order, then what they lie upon. */
struct env_nic {
	char name[16];
	bool below;		   /* a NIC of the scope lies upon it */
	uint32_t upon;		   /* bits: places here of those that its packets pass through */
	bool sums;		   /* a bond or team: its counters are the sum of theirs */
	bool pauses;		   /* pause frames are counted: */
	uint64_t pause_rx, pause_tx; /* got and sent since its driver was loaded */
};
/* Up to WATCH_NICS of them; how many. Never waits. */
unsigned env_watch_nics(struct env_watch *w, struct env_nic out[WATCH_NICS]);

#endif
