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
/* 0 when the kernel would let the value, which is the present one, be set; nothing changes. */
int flip_may_write(const char *words, const char *present, struct error *e);
int flip_write(const char *words, const char *value, struct error *e);

struct flips {
	struct journal journal;
	pid_t holder;
};

/* undo.c: where entries are in force no more, since the setting's value is what it was before them (or never
 * came to change), strikes them off. The places of those left, oldest first, into at[]; how many. */
size_t flips_settle(struct flips *f, const char *words, const char *value, size_t *at);
/* Puts back at[0..n), places of one setting's newest entries, oldest first: to what was before at[0]. */
int flips_put_back(struct flips *f, const size_t *at, size_t n, struct error *e);

#endif
