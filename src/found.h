/* found.h - what iSCSI portals offer, put together: a target that several portals tell of is one target
 * with several ways to it.
 */
#ifndef LUNSCOPE_FOUND_H
#define LUNSCOPE_FOUND_H

#include <stdatomic.h>
#include <stdbool.h>
#include "backends/backend.h"

#define FOUND_PORTALS 16 /* of one target */

struct found_portal {
	char address[80];
	bool asked;  /* it was named by the operator */
	bool marked; /* a way that found_url() takes: at first those that were asked */
};

struct found_lun {
	int lun;
	bool known; /* facts count; else trouble says why not */
	struct backend_facts facts;
	char trouble[512];
};

struct found_target {
	char name[224];
	struct found_portal portal[FOUND_PORTALS];
	unsigned portals;
	char trouble[512]; /* why it could not be asked for its LUNs; "" for nothing */
	int err;	   /* then, as of backend->open */
	struct found_lun *lun;
	unsigned luns;
	struct backend_login login; /* it was asked with that */
};

/* A portal that told nothing. */
struct found_silent {
	char portal[300], trouble[512];
};

/* Zeroed, it is empty. */
struct found {
	struct found_target *target;
	unsigned targets;
	struct found_silent silent[PATHS_MAX];
	unsigned silents;
};

/* Asks portals, with blanks or commas in between, up to PATHS_MAX, each as a backend's discover() takes
 * it; takes some seconds where one does not answer. *f is written anew. 0 when one of them has answered;
 * else -errno with the words of the first, and all in f->silent. -ECANCELED soon after another thread has
 * set cancel, which may be NULL. In any case *f is to be freed. */
int found_ask(struct found *f, const char *portals, const struct backend_login *login,
	      const atomic_bool *cancel, struct error *e);
/* What is newly known of one target, in the place of what was: its portals stay. of is empty then. */
void found_take(struct found *f, struct found *of);
/* "iscsi://10.0.0.1:3260,10.0.1.1:3260/iqn.../1" by the marked portals. Returns out. */
char *found_url(char *out, size_t n, const struct found_target *t, int lun);
/* Wipes the secrets too. */
void found_free(struct found *f);

#endif
