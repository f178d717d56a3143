/* store_import.h - runs of other programs, put into the run store so that they can be compared with ours.
 *
 * Such a run has its figures, what was asked for, and no seconds. It ends with the status "imported", and its
 * settings have a digest of what was imported in "imported", by which it is known when it comes again.
 */
#ifndef LUNSCOPE_STORE_IMPORT_H
#define LUNSCOPE_STORE_IMPORT_H

#include "store.h"

#define STORE_IMPORTED "imported" /* the status, and the member of settings */

struct store_import {
	uint64_t started, ended; /* wall */
	const char *target, *command;
	json_t *settings;    /* {"imported": {"digest": "...", ...}, ...}; the caller's, as the next two are */
	json_t *environment;
	json_t *summary;
	const char *text;    /* of the mark that it starts with */
	struct segment *segment; /* all of it, in wall times */
};

/* One transaction for all: begin, each, and the end according to err, which it returns. Then nothing is kept
 * where err is not 0. */
int store_import_begin(struct store *s, struct error *e);
/* Its id, or that of the run that was made from the same before, with *known; or -errno. */
int64_t store_import(struct store *s, const struct store_import *run, bool *known, struct error *e);
int store_import_end(struct store *s, int err, struct error *e);

#endif
