/* spec_words.h - an access specification for people and for programs. */
#ifndef LUNSCOPE_IOMETER_SPEC_WORDS_H
#define LUNSCOPE_IOMETER_SPEC_WORDS_H

#include <stdio.h>
#include <jansson.h>
#include "iometer/setup.h"

/* "8 KiB, 70 % read, 100 % random", "8 lines, 512 B to 64 KiB, 80 % read, 100 % random", "no IO". Returns out. */
char *spec_brief(char *out, size_t n, const struct iometer_spec *spec);
/* Its lines as a table with a heading, indented by two; nothing of one that is idle. */
void spec_print_lines(FILE *f, const struct iometer_spec *spec);
/* {"name", "assign": "none"|"all"|"disk"|"net", "lines": [{"size_bytes", "share_pct", "read_pct", "random_pct",
 * "delay_ms", "burst", "align_bytes" (null: at sectors), "reply_bytes" (null: none)}, ...]}; NULL without
 * memory. */
json_t *spec_json(const struct iometer_spec *spec);

#endif
