/* specs.h - access specifications that are ready: Iometer's standard ones, well-known mixes and sets, and the
 * user's own.
 *
 * The user's are in $XDG_CONFIG_HOME/lunscope/specs, which is an .icf file that Iometer can open too.
 */
#ifndef LUNSCOPE_IOMETER_SPECS_H
#define LUNSCOPE_IOMETER_SPECS_H

#include <limits.h>
#include "error.h"
#include "iometer/setup.h"
#include "iometer/warnings.h"

/* A set is what has the same origin, in the order in which it is run. */
enum specs_from {
	SPECS_IOMETER, /* what Iometer offers by itself */
	SPECS_MIXES,   /* Intel's servers and streams */
	SPECS_VMWARE,  /* the four tests of the VMware community's storage performance thread */
	SPECS_MD3000I, /* the tests of an MD3000i in 2009 */
	SPECS_OWN,
	SPECS_SETS
};

struct specs_row {
	struct iometer_spec spec;
	enum specs_from from;
};

struct specs {
	size_t count;
	struct specs_row *row;
	struct iometer_warnings warnings; /* of the user's file */
	char path[PATH_MAX];		  /* of it, there or not; "" without a home */
};

/* All of them, by set. 0, or -errno with words; to be freed either way. */
int specs_load(struct specs *l, struct error *e);
void specs_free(struct specs *l);

/* "md3000i", and what it is: "the tests of an MD3000i array in 2009". */
const char *specs_set_name(enum specs_from from);
const char *specs_set_words(enum specs_from from);
/* SPECS_SETS if there is none of this name. */
enum specs_from specs_set_of(const char *name);

/* The one of this name, the user's first. Case and blanks don't count, and "4K" is "4 KiB", as Iometer called
 * its own before 2010. NULL if there is none. */
const struct specs_row *specs_find(const struct specs *l, const char *name);

/* Whether it can be run and saved: a name that Iometer can read, sizes, shares of 100 %. 0, or -EINVAL with
 * words. One without lines is idle. */
int specs_check(const struct iometer_spec *spec, struct error *e);

/* Puts one among the user's own, in place of one of its name; takes it out. others: also when the file
 * belongs to somebody else (conf_replace). 0, or -errno with words: -EEXIST for a name that is not the
 * user's, -ENOENT. */
int specs_save(const struct iometer_spec *spec, bool others, struct error *e);
int specs_delete(const char *name, bool others, struct error *e);

#endif
