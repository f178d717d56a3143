/* journal.h - the file in which changes of settings stand, one JSON object a line.
 *
 *	{"step":"make","id":3,"wall":...,"pid":812,"machine":"c0ff...","host":"stor1","boot":"6f9a...",
 *	 "netns":4026531840,"netns_cookie":4097,
 *	 "setting":"eth2 mtu","from":"1500","to":"9000"}		before the change, and on disk by then
 *	{"step":"made","id":3,"to":"9000"}				after it, with what is read back
 *		both of a queue's setting also: "beside":{"read_ahead_kb":"128",...}, its others
 *	{"step":"undo","id":3}						before it is put back
 *	{"step":"undone","id":3}					after that
 *
 * A line that is cut off is what was being written when the program or the host died: before the change
 * that it is about, so that nothing is lost with it. When nothing is in force any more the file is emptied.
 *
 * The folder may be on a server that several hosts share: each leaves the others' entries alone, and so the
 * file is only emptied of its own.
 *
 * The lock (flock) is held by whoever changes settings, for as long as it may have changes in force. It goes
 * with its process, whatever that dies of; so what somebody finds who holds it was left by the dead.
 */
#ifndef LUNSCOPE_FLIP_JOURNAL_H
#define LUNSCOPE_FLIP_JOURNAL_H

#include <limits.h>
#include <stddef.h>
#include "flip/flip.h"

/* Between two of these anything can happen to the program. */
enum flip_step {
	FLIP_BEFORE_MAKE,
	FLIP_MAKE_WRITTEN,
	FLIP_MAKE_SYNCED,
	FLIP_CHANGED,
	FLIP_MADE_WRITTEN,
	FLIP_MADE_SYNCED,
	FLIP_BEFORE_UNDO,
	FLIP_UNDO_WRITTEN,
	FLIP_UNDO_SYNCED,
	FLIP_PUT_BACK,
	FLIP_UNDONE_WRITTEN,
	FLIP_UNDONE_SYNCED,
	FLIP_EMPTIED,
	FLIP_STEPS
};

/* A test is told of each step that is done. */
struct flip_hook {
	void (*step)(enum flip_step at, void *arg);
	void *arg;
};

struct journal {
	int fd; /* -1: only looked at */
	char path[PATH_MAX];
	long long end; /* bytes of whole lines */
	struct flip_entry *entry; /* in force, oldest first */
	size_t count, room;
	uint64_t next_id;
	unsigned bad; /* lines that could not be read */
	char remark[160];
	/* Where we are: this host, by /etc/machine-id (where there is none, by its name), its boot, and the
	 * network namespace. That one's inode may be another's when it is gone, its cookie never is; 0: the
	 * kernel (before Linux 5.14) tells none. */
	char machine[64], host[64], boot[64];
	uint64_t netns, cookie;
	struct flip_hook hook;
};

/* Takes the lock and reads it; the file is made if need be. look: neither of both, and without a file it is
 * empty. 0, or -errno with words: -EBUSY, and *holder, when another process has it. */
int journal_open(struct journal *j, const char *path, bool look, pid_t *holder, struct error *e);
void journal_close(struct journal *j);
/* Takes in what the file says: text of n bytes. -ENOMEM. */
int journal_parse(struct journal *j, const char *text, size_t n);
/* A new entry at the end, all 0; NULL without memory. */
struct flip_entry *journal_add(struct journal *j);
/* Its place; -1: there is none of that number. */
long journal_find(const struct journal *j, uint64_t id);

/* A line of /proc/locks, "1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE 0 EOF"
 * (Documentation/filesystems/proc.rst): who has this file; 0: it is about another or nobody, -1: somebody that
 * can't be seen. */
pid_t journal_lock_line(const char *line, unsigned major_id, unsigned minor_id, uint64_t inode);

void journal_step(const struct journal *j, enum flip_step at);

/* Puts it on disk before it returns; *id is the new entry's. -errno: it is not there. */
int journal_make(struct journal *j, const char *words, const char *from, const char *to,
		 uint64_t *id, struct error *e);
/* The entry's change was made, to what is read back. The change is as well kept when this fails. */
void journal_made(struct journal *j, uint64_t id, const char *to);
/* The newest entry, whose change was refused: the file is as before journal_make(). */
void journal_take_back(struct journal *j, uint64_t id, long long before);
/* Entries at[0..n) (places, oldest first) are about to be undone; are undone, and gone from the list. */
void journal_undo(struct journal *j, const size_t *at, size_t n);
void journal_undone(struct journal *j, const size_t *at, size_t n);

#endif
