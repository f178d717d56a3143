/* seat_table.h - the figures of each target and of each worker, as tables and for JSON. */
#ifndef LUNSCOPE_SEAT_TABLE_H
#define LUNSCOPE_SEAT_TABLE_H

#include <stdio.h>
#include <jansson.h>
#include "seats.h"
#include "units.h"

/* Of n rows over elapsed_ns: a row for each target, and one for each worker where there are several. */
void seat_table(FILE *f, const struct seat_row *row, uint32_t n, uint64_t elapsed_ns, enum rate_unit unit);
/* [{"worker": 1, "target": "sdb", "outstanding": 8, "read": {"ios", "bytes", "errors", "lat_mean_ns",
 * "lat_max_ns"}, "write": likewise}, ...]; mean and max are null where there are no IOs. New reference. */
json_t *seat_json(const struct seat_row *row, uint32_t n);

#endif
