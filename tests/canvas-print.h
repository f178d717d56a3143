/* canvas-print.h - a canvas as text, to be looked through and to be shown with a failure. */
#ifndef LUNSCOPE_TESTS_CANVAS_PRINT_H
#define LUNSCOPE_TESTS_CANVAS_PRINT_H

#include <stdio.h>
#include "ui/canvas.h"

static inline void canvas_print(const struct canvas *c, FILE *out)
{
	char row[4096];

	for (int r = 0; r < c->rows; r++)
		fprintf(out, "%s\n", canvas_row(c, r, row, sizeof(row)));
}

#endif
