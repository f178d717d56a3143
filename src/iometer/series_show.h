/* series_show.h - results of a series for people and for programs. */
#ifndef LUNSCOPE_IOMETER_SERIES_SHOW_H
#define LUNSCOPE_IOMETER_SERIES_SHOW_H

#include <stdio.h>
#include <jansson.h>
#include "iometer/series.h"
#include "units.h"

/* A test as two lines: its name with what ran, and IOPS, rates and mean response times of reads, writes and both,
 * and CPU %. With head, what the columns are goes before it. */
void series_show_row(FILE *f, const struct series_done *d, const struct iometer_plan_test *t,
		     bool head, enum rate_unit unit);
/* {"description", "run_s", "ramp_s", "planned", "tests": [{"name", "workers", "targets", "outstanding", "mark",
 * "segment", "cut", "rows": [{"kind", "name", "elapsed_s", "read": {"ios", "bytes", "errors", "iops", "mib_s",
 * "lat_mean_ms", "lat_max_ms"}, "write", "total": likewise, "cpu_percent"}, ...]}, ...]}. What is not known is
 * null. New reference. */
json_t *series_json(const struct iometer_setup *s, const struct iometer_plan *p,
		    const struct series_done *done, size_t n);

#endif
