/* plan.h - the tests that a set-up stands for, in the order in which Iometer runs them.
 *
 * Each worker runs the specifications that it was given one after the other; test number k of a series without
 * cycles runs everybody's k-th. A worker that has none left, or "Idle", rests. The cycles repeat that with more
 * and more targets, workers or outstanding IOs, until all that were assigned take part.
 */
#ifndef LUNSCOPE_IOMETER_PLAN_H
#define LUNSCOPE_IOMETER_PLAN_H

#include "iometer/setup.h"

/* More tests than this are a mistake. */
#define IOMETER_TESTS_MAX 10000u
/* Likewise of parts, in all tests together. */
#define IOMETER_PARTS_MAX (1u << 20)

/* Who takes part in a test: one worker on one of its targets. */
struct iometer_part {
	const struct iometer_manager *manager;
	const struct iometer_worker *worker;
	const struct iometer_target *target;
	const struct iometer_spec *spec;
	uint32_t number; /* the worker's, through all managers, from 0 on */
	uint32_t outstanding;
};

struct iometer_plan_test {
	const struct iometer_spec *spec; /* the first worker's */
	bool mixed;                      /* not everybody's */
	uint32_t managers, workers;      /* that take part */
	uint32_t targets;                /* counted once for each worker that it is a target of */
	uint32_t outstanding;            /* the most of any part */
	size_t parts;
	struct iometer_part *part;
};

struct iometer_plan {
	size_t tests;
	struct iometer_plan_test *test;
	size_t parts; /* of all of them */
};

/* Disk workers only. The plan points into s. 0; -EINVAL with words where nothing would run, or too much;
 * -ENOMEM. */
int iometer_plan_make(struct iometer_plan *p, const struct iometer_setup *s, struct error *e);
void iometer_plan_free(struct iometer_plan *p);

/* How long all of it takes, seconds: 0 where a test runs until it is stopped. */
uint64_t iometer_plan_seconds(const struct iometer_plan *p, const struct iometer_setup *s);
/* "4 workers x 2 targets x 16 outstanding", what a test is besides its specification. */
char *iometer_test_words(char *out, size_t n, const struct iometer_plan_test *t);
/* The specification's name out of a mark of a series, "NAME: " and these words; false: it is another mark. */
bool iometer_test_scan(const char *mark, char *name, size_t n);

#endif
