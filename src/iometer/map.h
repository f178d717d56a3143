/* map.h - which target of this machine stands for which name in a set-up: --map OLDNAME=TARGET.
 *
 * The names of a set-up are those of the machine that it was made on (PHYSICALDRIVE:1, C: "System", sdb). One
 * that happens to be a device here is no less somebody else's: it is offered, and never used by itself. Only
 * null: stands for itself, which is nothing.
 */
#ifndef LUNSCOPE_IOMETER_MAP_H
#define LUNSCOPE_IOMETER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include "error.h"
#include "iometer/setup.h"

#define IOMETER_MAP_MOST 256

struct iometer_map_entry {
	char name[IOMETER_NAME];
	const char *target; /* in the text that was added */
};

struct iometer_map {
	size_t count;
	struct iometer_map_entry entry[IOMETER_MAP_MOST];
};

/* One --map, text as it was given, which has to stay. The name ends at the first =. 0, or -EINVAL with words. */
int iometer_map_add(struct iometer_map *m, const char *text, struct error *e);

/* The target for a name of the set-up; NULL: none. Case does not count, as in Iometer. */
const char *iometer_map_find(const struct iometer_map *m, const char *name);

/* Whether each --map is for a target of s. 0, or -EINVAL with words that say which targets it has. */
int iometer_map_check(const struct iometer_map *m, const struct iometer_setup *s, struct error *e);

/* Targets of disk workers that have none, each name once, in the order of the file. They point into s. 0, or
 * -ENOMEM; list is to be freed with free(). */
int iometer_map_missing(const struct iometer_map *m, const struct iometer_setup *s,
			const struct iometer_target ***list, size_t *n);

/* The --map for one, to copy: "--map 'sdb=/dev/sdb'" where that is a device here, else "--map 'sdb=TARGET'".
 * Returns out. */
char *iometer_map_offer(char *out, size_t n, const char *name);
/* 0; or -EINVAL with words that name the first ones, each with its --map; -ENOMEM. */
int iometer_map_require(const struct iometer_map *m, const struct iometer_setup *s,
			struct error *e);

#endif
