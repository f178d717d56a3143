/* target_internal.h - what opening a target is made of; only the target_*.c files include it. */
#ifndef LUNSCOPE_TARGET_INTERNAL_H
#define LUNSCOPE_TARGET_INTERNAL_H

#include "target.h"

/* What null: and /dev/zero are said to hold: 1 TiB. */
#define TARGET_PRETENDED_SIZE (1ull << 40)

/* Whether it is /dev/zero, by whatever name. */
bool target_is_zero(const struct stat *st);
/* Finds out what t->fd is: kind, numbers, size, blocks, model. 0, or -errno with words. */
int target_measure(struct target *t, struct error *e);
/* Makes spec, which must not exist yet, with the size and the data that o says. Returns the descriptor that made
 * it: from then on the name could stand for anything. -errno with words, and nothing left behind,
 * else. */
int target_create(const char *spec, const struct target_options *o, struct error *e);

/* Opens t->spec, a URL, and takes the secrets out of it first. 0, or -errno with words. */
int target_open_lun(struct target *t, const struct target_options *o, struct error *e);

#endif
