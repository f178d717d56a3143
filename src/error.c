/* error.c - see error.h. */
#include "error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How many bytes at p are one character: 1 for those that are no UTF-8. */
static size_t character(const unsigned char *p)
{
	size_t n = p[0] < 0xc2 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 1;

	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 1;
	return n;
}

char *error_tame(char *text)
{
	for (unsigned char *p = (unsigned char *)text; *p;) {
		size_t n = character(p);
		bool obeyed = n == 1 ? *p < 0x20 || (*p >= 0x7f && *p < 0xa0)
				     : *p == 0xc2 && p[1] < 0xa0;
		if (obeyed)
			memset(p, '?', n);
		p += n;
	}
	return text;
}

static void error_print(struct error *e, const char *fmt, va_list ap)
{
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	error_tame(e->text);
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
