/* warnings.c - see warnings.h. */
#include <stdio.h>
#include <stdlib.h>

#include "error.h"
#include "iometer/warnings.h"

void iometer_vwarn(struct iometer_warnings *w, unsigned line, const char *fmt, va_list ap)
{
	if (!w)
		return;
	struct iometer_warning *more = w->count < IOMETER_WARNINGS_MOST
					       ? reallocarray(w->list, w->count + 1, sizeof(*more))
					       : NULL;
	if (!more) {
		w->more++;
		return;
	}
	w->list = more;
	more += w->count++;
	more->line = line;
	vsnprintf(more->text, sizeof(more->text), fmt, ap);
	error_tame(more->text);
}

void iometer_warn(struct iometer_warnings *w, unsigned line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	iometer_vwarn(w, line, fmt, ap);
	va_end(ap);
}

void iometer_warnings_sort(struct iometer_warnings *w)
{
	for (size_t i = 1; i < w->count; i++) {
		struct iometer_warning moved = w->list[i];
		size_t k = i;
		for (; k > 0 && w->list[k - 1].line > moved.line; k--)
			w->list[k] = w->list[k - 1];
		w->list[k] = moved;
	}
}

void iometer_warnings_free(struct iometer_warnings *w)
{
	free(w->list);
	*w = (struct iometer_warnings){0};
}
