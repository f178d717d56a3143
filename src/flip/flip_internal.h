/* flip_internal.h - what the files of src/flip share, and what its tests reach for. */
#ifndef LUNSCOPE_FLIP_INTERNAL_H
#define LUNSCOPE_FLIP_INTERNAL_H

#include "flip/flip.h"
#include "flip/journal.h"

enum flip_kind { FLIP_NONE, FLIP_NIC, FLIP_SYSCTL, FLIP_QUEUE };

/* place.c: what kind of setting the words name; FLIP_NONE: none that can be changed. */
enum flip_kind flip_kind(const char *words);
/* "eth2 pause rx": "eth2" into name, and returns "pause rx". Of NICs and queues. */
const char *flip_split(const char *words, char name[64]);
/* The file behind a sysctl or a queue's attribute. Returns out. */
char *flip_file(char *out, size_t n, const char *words);
/* For a shell: in quotes where that is needed. Returns out. */
const char *flip_quoted(const char *text, char *out, size_t n);
/* 0 when the kernel would let the value, which is the present one, be set; nothing changes. */
int flip_may_write(const char *words, const char *present, struct error *e);
int flip_write(const char *words, const char *value, struct error *e);

/* --- follow.c: has the driver followed? --- */

enum flip_link {
	FLIP_LINK_NONE, /* has nothing to do with it */
	FLIP_LINK_UP,
	FLIP_LINK_DOWN, /* and may come back by itself */
	FLIP_LINK_OFF   /* switched off by an administrator */
};

/* How the setting, its NIC's link and the time are seen: of this host, or of a test's. */
struct flip_eye {
	int (*read)(void *arg, char *now, size_t n, struct error *e);
	enum flip_link (*link)(void *arg);
	uint64_t (*clock)(void *arg);
	void (*pause)(void *arg, uint64_t ns);
	void *arg;
};

/* After a change to `to`: what became of it, into now, as soon as that is sure: at once, or (flow control)
 * when the link is back and the driver has had its time; up to 10 s. -EINPROGRESS, with words: the link is not
 * back, and now is not `to`: nothing can be said. Other -errno: it can't be read. */
int flip_follow(const char *words, const char *to, char *now, size_t n, struct error *e);
int flip_follow_by(const struct flip_eye *eye, const char *to, char *now, size_t n,
		   struct error *e);
/* Whether its value can only be judged while the link is up. */
bool flip_needs_link(const char *words);
/* Whether what is read of it now is what it is set to. */
bool flip_believed(const char *words);

/* beside.c: the other settings of words' block queue, as they are; none for what is no queue. */
void beside_read(const char *words, struct flip_beside now[FLIP_BESIDE]);
/* After the entries from first to last have been put back, before which the others were `then`: they are put
 * back, too, but for what somebody has set since. 0, or -errno with words. */
int beside_mend(const char *words, const struct flip_entry *first, const struct flip_entry *last,
		const struct flip_beside then[FLIP_BESIDE], struct error *e);

/* rounding.c: whether now is what the kernel, or a driver, makes of a value that is asked for. */
bool flip_rounded(const char *words, const char *asked, const char *now);

struct flips {
	struct journal journal;
	pid_t holder;
};

/* undo.c: where entries are in force no more, since the setting's value is what it was before them (or never
 * came to change), strikes them off. The places of those left, oldest first, into at[]; how many. */
size_t flips_settle(struct flips *f, const char *words, const char *value, size_t *at);
/* Whether the value is what the entry made of its setting. Of a change that was about to be made when the
 * program was killed, what became of it is not written down: then it may be rounded. */
bool flips_is_of(const struct flip_entry *n, const char *value);
/* Puts back at[0..n), places of one setting's newest entries, oldest first: to what was before at[0]. */
int flips_put_back(struct flips *f, const size_t *at, size_t n, struct error *e);

#endif
