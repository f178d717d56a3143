/* path_rows.h - the paths of a run as rows, and what its wires carried. */
#ifndef LUNSCOPE_PATH_ROWS_H
#define LUNSCOPE_PATH_ROWS_H

#include <stdio.h>
#include <jansson.h>

/* From an object that sessions_export() has filled; nothing where it has not. Where there is one path its
 * row would only repeat the run's. At most 79 columns, but for a long address or name of a NIC at the end of a row. */
void path_rows(FILE *out, const json_t *object);

#endif
