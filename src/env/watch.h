/* watch.h - notices what changes on this host while a run goes on.
 *
 * The NICs that carry the target's paths (and those asked for) are watched through the kernel's own
 * notifications; sysctls and queues, which have none, are read once a second. One thread at a time.
 */
#ifndef LUNSCOPE_ENV_WATCH_H
#define LUNSCOPE_ENV_WATCH_H

#include "env/facts.h"
#include "error.h"

#define WATCH_NICS 8

/* What to look at. */
struct env_scope {
	char nic[WATCH_NICS][16]; /* "" behind the last */
	char device[64];	  /* kernel name of the block device that is tested: "sda", "dm-3"; "" for none */
};

struct env_watch;

/* root: "" on a real host; a test hands in a folder with a recorded proc/ and sys/ (NICs are left out
 * then). 0, or -errno with words; what can't be read is no error but a fact that says so. */
int env_watch_open(struct env_watch **w, const char *root, const struct env_scope *scope,
		   struct error *e);
void env_watch_close(struct env_watch *w);
/* Other NICs from now on, as when a path has come over another one. Nothing is told as changed for it. */
void env_watch_scope(struct env_watch *w, const struct env_scope *scope);
/* Takes in what has happened and calls changed for each fact that is another one. Never waits; cheap when
 * nothing happened: call it every 100 ms. Returns how many changed. */
unsigned env_watch_look(struct env_watch *w, facts_changed_fn *changed, void *arg);
/* All facts as of the last look; valid until the next. */
const struct facts *env_watch_facts(const struct env_watch *w);

#endif
