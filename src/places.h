/* places.h - where in its part of the range a worker's IOs can go: its log, its streams, and how many
 * places each access line has.
 *
 * With a log, the first eighth of the part is the log's and all other IOs go to the rest. Workers that share
 * the range divide that eighth evenly among them, so that each appends to a log of its own.
 */
#ifndef LUNSCOPE_PLACES_H
#define LUNSCOPE_PLACES_H

#include "workload.h"

struct area {
	uint64_t start, end; /* bytes, from the start of the target */
};

struct places {
	struct area log;  /* start = end without one */
	struct area rest; /* all other IOs; starts at a multiple of the alignment */
};

/* Of worker number i, from 0. */
void places_of(const struct workload *w, const struct workload_limits *l, uint32_t i,
	       struct places *out);

/* Stream number k of the worker, from 0: an even part of the rest. The last one's ends with the rest. */
struct area places_stream(const struct workload *w, const struct places *p, uint32_t k);

/* How many IOs of this line fit into the area, each at a multiple of its alignment; *first is where the
 * first one of them lies. */
uint64_t places_count(const struct area *area, const struct access_line *line, uint64_t *first);

/* 0, or -EINVAL with words when the log, a stream or a line has no place for its IOs. */
int places_check(const struct workload *w, const struct workload_limits *l, struct error *e);

#endif
