/* path_marks.h - what is done to the paths to a LUN, in the words of its marks, and what the marks say of how
 * the paths were at some time: two segments between which a path was taken out are not alike.
 */
#ifndef LUNSCOPE_PATH_MARKS_H
#define LUNSCOPE_PATH_MARKS_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <jansson.h>
#include "backends/backend.h"

/* "paths least busy > pinned to path 2", "IO hold 30 s > 5 s", both, or "" where nothing changes. */
void path_mark_policy(char *out, size_t n, const struct backend_paths *from,
		      const struct backend_paths *to);
/* "path 2 taken out", "all paths logged in anew"; path from 0 on, or PATHS_ALL. */
void path_mark_act(char *out, size_t n, uint32_t path, enum path_act act);

/* The settings' "paths" (export_settings) as they were before any mark; "out" and "logged_in_anew", a list and a
 * number, are added. NULL where the settings have none: it is no LUN, or the record is older. New
 * reference. */
json_t *path_marks_begin(const json_t *settings);
/* Takes a mark's words into account; those of others change nothing. */
void path_marks_apply(json_t *paths, const char *text);

#endif
