/* path_rows.h - the paths of a run as rows, and what its wires carried. */
#ifndef LUNSCOPE_PATH_ROWS_H
#define LUNSCOPE_PATH_ROWS_H

#include <stdint.h>
#include <stdio.h>
#include <jansson.h>
#include "units.h"

/* From an object that sessions_export() has filled; nothing where it has not. Where there is one path its
 * row would only repeat the run's. At most 79 columns, but for a long address or name of a NIC at the end of a row. */
void path_rows(FILE *out, const json_t *object, enum rate_unit unit);
/* "    8.1 s  path 3 10.0.3.1:3260 lost: ...": what happened so long after the start, in at most 79 columns. */
void path_event_row(FILE *out, uint64_t after_ns, const char *words);

#endif
