/* pair.h - two kept runs against each other, in print. */
#ifndef LUNSCOPE_REPORT_PAIR_H
#define LUNSCOPE_REPORT_PAIR_H

#include <stdio.h>
#include <jansson.h>
#include "store.h"
#include "units.h"

/* What differs besides the figures, from parts_differ(). */
void report_differences_print(FILE *f, const json_t *differences);
/* As `lunscope compare A B` has it. Runs of several segments, and such without seconds, are held against each
 * other as a whole. */
int report_pair_print(FILE *f, struct store *s, const int64_t run[2], uint64_t settle_ns,
		      enum rate_unit unit, bool ascii, struct error *e);

#endif
