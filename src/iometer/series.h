/* series.h - runs the tests of a plan, one after the other, within one run.
 *
 * It has no thread: whoever holds it calls series_tick() when the run has new figures (run_event_fd), always from
 * the same thread. Each test is a segment of its own with a mark: the workers get their jobs, the ramp passes
 * unrecorded, then measuring begins with a whole second and ends with one.
 */
#ifndef LUNSCOPE_IOMETER_SERIES_H
#define LUNSCOPE_IOMETER_SERIES_H

#include "iometer/plan.h"
#include "iometer/result.h"
#include "run.h"

/* Which target a name of the set-up stands for. */
struct series_target {
	const char *name;
	const struct target *target;
};

struct series_config {
	const struct iometer_setup *setup; /* run_s, ramp_s; must live as long as the series */
	const struct iometer_plan *plan;   /* likewise */
	const struct series_target *target;
	size_t targets;
};

enum series_state {
	SERIES_RAMPING, /* the ramp, and up to the next whole second */
	SERIES_MEASURING,
	SERIES_DONE,
	SERIES_STOPPED, /* all of it, or the run has ended */
};

/* One test that was measured. */
struct series_done {
	size_t test; /* its number in the plan, from 0 on */
	uint32_t segment;
	char letter;
	bool cut; /* stopped before its time */
	struct iometer_result result;
};

struct series;

/* What a worker does in a part of a test. 0, or -EINVAL with words where it can't be done on t. */
int series_job(struct job *j, const struct iometer_part *p, const struct target *t,
	       struct error *e);
/* Whether all of the plan's tests can be run on the targets, allowed: with the permission to write that there is, else
 * but for that; and whether any writes to that one target. -EINVAL with words. */
int series_check(const struct series_config *c, bool allowed, struct error *e);
bool series_writes(const struct series_config *c, const struct target *t, struct workload *w);
/* A workload that stands for a test: its marks and the store show it. */
struct workload series_workload(const struct iometer_plan_test *t, const struct target *target);

/* Begins. 0, -EINVAL or -ENOMEM with words. */
int series_create(struct series **s, struct run *r, const struct series_config *c, struct error *e);
/* The run must be there until then, unless the series is over. */
void series_free(struct series *s);
/* Goes on; 0, or -errno with words, which ends it. */
int series_tick(struct series *s, struct error *e);
enum series_state series_state(const struct series *s);
bool series_over(const struct series *s);
/* Ends this test at the next whole second, keeps its result, and goes on with the next (Iometer's Stop). */
void series_next(struct series *s);
/* Ends everything at once; the test that was being measured has no result (Iometer's Stop All). */
void series_stop(struct series *s);

/* Those that are over so far. */
size_t series_results(const struct series *s, const struct series_done **done);
/* Whether its tests differ by more than their specifications. */
bool series_cycles(const struct series *s);
/* "test 3 of 8, 2:10 left" */
char *series_progress(char *out, size_t n, const struct series *s);

#endif
