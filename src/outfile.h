/* outfile.h - files that lunscope writes for the operator.
 *
 * A regular file appears whole or not at all: it is written beside its place, synced, and renamed
 * over it. A pipe or character device is written straight, and so is standard output ("/dev/stdout"),
 * whatever is behind it: a file that others append to is not replaced. A block device is refused, and
 * nothing is ever created below /dev: a mistyped device name is not a file name.
 */
#ifndef LUNSCOPE_OUTFILE_H
#define LUNSCOPE_OUTFILE_H

#include <limits.h>
#include <stdio.h>
#include "error.h"

struct outfile {
	FILE *f;
	char path[PATH_MAX]; /* where it goes; links followed */
	char temp[PATH_MAX]; /* where it is written; "" when straight into path */
};

/* 0, or -errno with words that name the path. */
int outfile_open(struct outfile *o, const char *path, struct error *e);
/* Closes and puts it in its place. On an error nothing has changed there. */
int outfile_commit(struct outfile *o, struct error *e);

/* Whether path is something that may be written to at all: no device, no folder, nothing new below
 * /dev. what names it in the message. 0 or -errno. */
int outfile_check_kind(const char *path, const char *what, struct error *e);
/* The same before a long run, and by trying: can a file be made there? Leaves nothing behind. */
int outfile_check(const char *path, const char *what, struct error *e);

#endif
