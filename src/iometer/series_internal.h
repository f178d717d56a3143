/* series_internal.h - a series' own state, shared by series.c and series_result.c. */
#ifndef LUNSCOPE_IOMETER_SERIES_INTERNAL_H
#define LUNSCOPE_IOMETER_SERIES_INTERNAL_H

#include "iometer/host.h"
#include "iometer/series.h"
#include "seats.h"

struct series {
	struct series_config config;
	struct run *run;
	enum series_state state;
	size_t test;       /* that is being run */
	uint64_t since_ns; /* when its jobs were given, or measuring began; CLOCK_MONOTONIC */
	uint64_t wall_ns;  /* the latter by the wall clock */
	bool ordered;      /* the next stage */
	bool cut;          /* it is to end before its time */
	uint32_t segment;
	char letter;
	struct seat_shot from, to;
	struct iometer_host *host; /* when measuring began */
	size_t count;
	struct series_done *done;
};

/* The rows of the test that was measured from s->from to s->to, the host being as it is now. 0 or -ENOMEM. */
int series_result(struct iometer_result *r, const struct series *s, const struct iometer_host *now,
		  struct error *e);

#endif
