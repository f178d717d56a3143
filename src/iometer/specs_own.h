/* specs_own.h - the file that the user's own specifications are in. */
#ifndef LUNSCOPE_IOMETER_SPECS_OWN_H
#define LUNSCOPE_IOMETER_SPECS_OWN_H

#include <limits.h>
#include "error.h"
#include "iometer/setup.h"
#include "iometer/warnings.h"

/* Iometer has 80 bytes for a name. */
#define SPECS_NAME_MOST 79u

/* What is in it; an empty set-up where there is none. path becomes where it is or would be, "" without a
 * home. 0, or -errno with words; s is to be freed either way. */
int specs_own_read(struct iometer_setup *s, char path[PATH_MAX], struct iometer_warnings *w,
		   struct error *e);

#endif
