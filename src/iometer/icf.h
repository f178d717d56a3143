/* icf.h - Iometer's set-up files (.icf), of every version from 1998 to 1.1.0: read and written.
 *
 * Lines that begin with an apostrophe are keys, what follows is their value; sections stand in any order and
 * may be left out. What Iometer refuses but is no danger (unknown keys, a section twice) is warned about and
 * skipped; what would make another test of it (numbers out of bounds, shares that are not 100 %, a file that
 * is cut off) is an error. Both name the line.
 */
#ifndef LUNSCOPE_IOMETER_ICF_H
#define LUNSCOPE_IOMETER_ICF_H

#include <stdio.h>
#include "error.h"
#include "iometer/setup.h"
#include "iometer/warnings.h"

/* A larger file is no set-up. */
#define IOMETER_FILE_MOST (16u << 20)

/* Reads the file at path into s, which is made anew; on an error it is an empty set-up (to be freed or not).
 * w begins as zeroes and may be NULL. 0, or -errno with words "PATH:LINE: ..." that name the remedy. */
int iometer_read(struct iometer_setup *s, const char *path, struct iometer_warnings *w,
		 struct error *e);
/* The same of a text in memory; name stands for the path. */
int iometer_read_text(struct iometer_setup *s, const char *name, const char *text, size_t length,
		      struct iometer_warnings *w, struct error *e);

/* Writes s as a file of 1.1.0, with the line ends that Iometer itself writes: CR LF. Its reader takes bare LFs,
 * too, but seeks back in what it has opened as text, where Windows is only sure of the former. 0, or -errno
 * with words. */
int iometer_write(const struct iometer_setup *s, FILE *out, struct error *e);

/* Only these sections, for a file of specifications: the version, and the specs. */
int iometer_write_specs(const struct iometer_spec *spec, size_t specs, FILE *out, struct error *e);

#endif
