/* flip.h - settings of this host that lunscope changes on request, and puts back.
 *
 * A flip is named by the words of its fact (env/facts.h): "eth2 mtu", "eth2 pause rx", "eth2 tso",
 * "net.core.rmem_max", "sda scheduler". Each change stands in a journal on disk before it is made, so that
 * it can be undone whatever happens to the program: undone one by one, all together, at the end, or by
 * `lunscope restore` after a crash.
 *
 * NICs and net sysctls are those of the calling thread's network namespace.
 */
#ifndef LUNSCOPE_FLIP_H
#define LUNSCOPE_FLIP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "env/facts.h"
#include "error.h"

/* Whether the fact with these words is one that can be changed. */
bool flip_possible(const char *words);
/* The command an administrator would type for it: "ip link set dev eth2 mtu 9000". Returns out. */
char *flip_command(char *out, size_t n, const char *words, const char *value);
/* The value now. 0, or -errno with the kernel's reason. */
int flip_read(const char *words, char *value, size_t n, struct error *e);

/* 0 when it could be changed now: it is there, its driver supports it, and the kernel would let this process.
 * Nothing changes. Else -errno with the kernel's reason. */
int flip_allowed(const char *words, struct error *e);

/* --- Values. --- */

#define FLIP_CHOICES 16
#define FLIP_CHOICE  32

/* Where there are only so many values: what they are; returns how many. 0: it is typed. */
unsigned flip_choices(const char *words, char out[FLIP_CHOICES][FLIP_CHOICE]);
/* What can be typed: "68 to 9216 bytes", "0, 1 or 2". Returns out. */
char *flip_range(char *out, size_t n, const char *words);
/* 0 when the value makes sense: else -EINVAL with one line that says what does. Blanks around it and between
 * its parts are made even, into tidy[FACT_VALUE]. */
int flip_check(const char *words, const char *value, char *tidy, struct error *e);

/* --- The journal. --- */

/* Another setting of the same block queue. */
#define FLIP_BESIDE 4
struct flip_beside {
	char what[24], value[40]; /* "read_ahead_kb", "128"; "" behind the last */
};

struct flip_entry {
	uint64_t id;
	uint64_t wall; /* ns since 1970 */
	pid_t pid;     /* of the lunscope that made it */
	char words[FACT_WORDS];
	char from[FACT_VALUE], to[FACT_VALUE];
	bool made;     /* false: it was about to be made when the program ended */
	bool stale;    /* of another boot, network namespace or host: it can't be put back from here */
	bool rebooted; /* stale by a boot of this host: nothing can be left of it */
	bool elsewhere; /* stale as it is of another host, which shares the journal's folder with this one */
	char host[64]; /* that host's name */
	uint64_t netns; /* inode of the network namespace that it was made in; 0: not known */
	struct flip_beside before[FLIP_BESIDE], after[FLIP_BESIDE]; /* the change was made */
};

struct flips;

/* Where it is: $XDG_STATE_HOME/lunscope/flips.jsonl, as the run store's folder (store.h). */
int flips_default_path(char *out, size_t n, struct error *e);
/* path NULL: the usual file, which is made if need be. One process at a time holds it, from here to
 * flips_close(): what stands in it is then either this process's or left over by one that is dead. -EBUSY
 * with words names the other. */
int flips_open(struct flips **f, const char *path, struct error *e);
/* Only to look: makes and locks nothing, and is for flips_list() and flips_holder() alone. */
int flips_look(struct flips **f, const char *path, struct error *e);
/* The process that holds it, when it was looked at; 0: none, -1: one that can't be seen. */
pid_t flips_holder(const struct flips *f);
/* NULL is fine. */
void flips_close(struct flips *f);
/* What of the journal could not be read: "line 3 ..."; "" when all could. */
const char *flips_remark(const struct flips *f);
/* Whether that may be a change that is in force: of a last line that is cut off it can't be. */
bool flips_damaged(const struct flips *f);

/* Journals the change, makes it, reads it back. A value that a setting had before its last changes takes these
 * back. -EINPROGRESS: the change was asked for, and stands in the journal, but its NIC's link has not come back to
 * tell what became of it. -ETIMEDOUT, the kernel has not answered: it stands there, too, as it may still be made.
 * Other -errno: what is refused is as it was, and not journalled; where it is seen that it is not, or that can't
 * be seen, the entry stays. Can take 10 s. */
int flips_make(struct flips *f, const char *words, const char *value, struct error *e);
/* What has been changed and not put back, oldest first; at most max, returns how many. */
unsigned flips_list(const struct flips *f, struct flip_entry *out, unsigned max);
unsigned flips_count(const struct flips *f);
/* The oldest that can be undone from here; false: there is none. */
bool flips_any(const struct flips *f, struct flip_entry *out);
/* The newest that can be undone from here of the setting with these words; false: there is none. */
bool flips_newest(const struct flips *f, const char *words, struct flip_entry *out);
/* Puts it back, together with what was made of the same setting afterwards, in one step. A setting that
 * somebody else has changed since is left alone: -ESTALE with words, unless force. What is as it was already
 * is struck off. -ENOENT: there is no such entry. -EINPROGRESS as with flips_make(). */
int flips_undo(struct flips *f, uint64_t id, bool force, struct error *e);
/* All that are not stale, newest first; goes on past those that fail. told, which may be NULL, hears of each
 * setting: from, what it was (NULL: not known) and to, what it is again; or why not, in trouble. Returns how
 * many entries are left; e, which may be NULL, has the first reason. */
typedef void flips_told_fn(const char *words, const char *from, const char *to,
			   const char *trouble, void *arg);
unsigned flips_undo_all(struct flips *f, bool force, flips_told_fn *told, void *arg,
			struct error *e);

/* Where an entry of another network namespace was made, and what is to be done about it: "in network namespace
 * x: ip netns exec x lunscope restore". Returns out. */
char *flips_where_words(char *out, size_t n, const struct flips *f, const struct flip_entry *entry);
/* Strikes off what can't be put back any more, as its NIC, device or network namespace is gone, and, when
 * nothing else is left, what can't be read. told, which may be NULL, hears of each; returns how many. */
unsigned flips_forget(struct flips *f, void (*told)(const struct flip_entry *n, void *arg),
		      void *arg);

/* "settings changed by an earlier lunscope (pid 12) are still in force: lunscope restore", where a process
 * that is dead has left such; else "". Returns out. */
char *flips_left_words(char *out, size_t n, const char *path);

#endif
