/* io_error.h - the words for what IOs come to grief with, as they are counted: by errno, 0 for a transfer of
 * less than was asked for.
 *
 * Those of the C library speak of programs. A LUN that shrank refuses IOs beyond its new end, which is no
 * fault of its medium: backends give these ERANGE, and no other.
 */
#ifndef LUNSCOPE_IO_ERROR_H
#define LUNSCOPE_IO_ERROR_H

#include <errno.h>
#include <stdint.h>
#include <jansson.h>

#define IO_BEYOND_END ERANGE

/* "EIO"; "short" for 0. */
const char *io_error_name(int err);
/* "Input/output error" */
const char *io_error_words(int err);
/* {"EIO": 12, "beyond the end": 3} of ERRNO_SLOTS counts. */
json_t *io_errors_json(const uint64_t *errors);

#endif
