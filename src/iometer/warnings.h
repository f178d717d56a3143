/* warnings.h - what is odd about a file and no reason not to use it, each with its line. */
#ifndef LUNSCOPE_IOMETER_WARNINGS_H
#define LUNSCOPE_IOMETER_WARNINGS_H

#include <stdarg.h>
#include <stddef.h>

/* So many are kept; a file that is no set-up at all could have one a line. */
#define IOMETER_WARNINGS_MOST 200

struct iometer_warning {
	unsigned line; /* from 1; 0 = of the file as a whole */
	char text[256];
};

struct iometer_warnings {
	size_t count;
	struct iometer_warning *list;
	size_t more; /* that were not kept */
};

/* Begins as zeroes. Without memory it is one of those that are not kept. w may be NULL: nobody wants to
 * know. */
void iometer_warn(struct iometer_warnings *w, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void iometer_vwarn(struct iometer_warnings *w, unsigned line, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
/* By line; those of one line stay in their order. */
void iometer_warnings_sort(struct iometer_warnings *w);
void iometer_warnings_free(struct iometer_warnings *w);

#endif
