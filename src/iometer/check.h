/* check.h - what a set-up says and what would be run, for --check: for people and for programs. */
#ifndef LUNSCOPE_IOMETER_CHECK_H
#define LUNSCOPE_IOMETER_CHECK_H

#include <stdio.h>
#include <jansson.h>
#include "iometer/setup.h"
#include "iometer/warnings.h"

/* The times, specifications, managers with workers and targets, the tests of the series, warnings with their
 * lines. w may be NULL. */
void iometer_check_print(FILE *f, const struct iometer_setup *s, const struct iometer_warnings *w);

/* The same:
 *
 *     {"version", "description", "run_s" (null: until it is stopped), "ramp_s", "record": "ALL"...,
 *      "test_type": "NORMAL"..., "disk_workers", "network_workers" (null: one per CPU),
 *      "specs":    [spec_json() and "line" (null: not in the file)],
 *      "managers": [{"id", "name", "address" (null), "line", "workers": [
 *                    {"name", "kind": "disk"|"tcp"|"vi", "line", "outstanding", "seed" (a string; null: none is
 *                     fixed), "start_sector", "max_sectors" (null: to the end), "pattern", "specs": [names],
 *                     "targets": [{"name", "kind", "line"}]}]}],
 *      "tests":    [{"spec" (null: not everybody's is the same), "workers", "targets", "outstanding"}],
 *      "duration_s" (null: until it is stopped), "trouble" (why nothing can be run; null),
 *      "warnings": [{"line" (null), "text"}], "warnings_left_out"}
 *
 * A new reference; NULL without memory. */
json_t *iometer_check_json(const struct iometer_setup *s, const struct iometer_warnings *w);

#endif
