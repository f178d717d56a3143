/* flip.h - settings of this host that lunscope changes on request, and puts back.
 *
 * A flip is named by the words of its fact (env/facts.h): "eth2 mtu", "eth2 pause rx", "eth2 tso",
 * "net.core.rmem_max", "sda scheduler". Each change stands in a journal on disk before it is made, so that
 * it can be undone whatever happens to the program: undone one by one, all together, at the end, or by
 * `lunscope restore` after a crash.
 */
#ifndef LUNSCOPE_FLIP_H
#define LUNSCOPE_FLIP_H

#include <stdbool.h>
#include <stdint.h>
#include "env/facts.h"
#include "error.h"

/* Whether the fact with these words is one that can be changed. */
bool flip_possible(const char *words);
/* The command an administrator would type for it: "ip link set dev eth2 mtu 9000". Returns out. */
char *flip_command(char *out, size_t n, const char *words, const char *value);
/* The value now. 0, or -errno with the kernel's reason. */
int flip_read(const char *words, char *value, size_t n, struct error *e);

/* --- The journal. --- */

struct flip_entry {
	uint64_t id;
	uint64_t wall;		/* ns since 1970 */
	char words[FACT_WORDS];
	char from[FACT_VALUE], to[FACT_VALUE];
	bool made;		/* false: it was about to be made when the program ended */
	bool stale;		/* of another boot or network namespace: it is not there any more */
};

struct flips;

/* path NULL: the usual file. One process at a time holds it: -EBUSY with words names the other. */
int flips_open(struct flips **f, const char *path, struct error *e);
void flips_close(struct flips *f);
/* Journals the change, makes it, reads it back. -errno: nothing has changed, and nothing is journalled. */
int flips_make(struct flips *f, const char *words, const char *value, struct error *e);
/* What has been changed and not put back, oldest first; at most max, returns how many. */
unsigned flips_list(struct flips *f, struct flip_entry *out, unsigned max);
/* Puts it back. A setting that somebody else has changed since is left alone: -ESTALE with words, unless
 * force. */
int flips_undo(struct flips *f, uint64_t id, bool force, struct error *e);
/* Newest first; goes on past those that fail. Returns how many are left; e has the first reason. */
unsigned flips_undo_all(struct flips *f, bool force, struct error *e);

#endif
