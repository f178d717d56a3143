/* error.c - see error.h. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void error_print(struct error *e, const char *fmt, va_list ap)
{
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
}

int error_set(struct error *e, int err, const char *fmt, ...)
{
	if (e) {
		va_list ap;
		va_start(ap, fmt);
		error_print(e, fmt, ap);
		va_end(ap);
	}
	return -err;
}

int error_errno(struct error *e, int err, const char *fmt, ...)
{
	if (e) {
		va_list ap;
		va_start(ap, fmt);
		error_print(e, fmt, ap);
		va_end(ap);
		size_t used = strlen(e->text);
		snprintf(e->text + used, sizeof(e->text) - used, ": %s", strerror(err));
	}
	return -err;
}
