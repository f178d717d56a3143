/* plan.c - see plan.h. What the cycles do follows Iometer 1.1.0 (its GalileoView.cpp): which targets are active is
 * found anew for each test, and a cycle is over when no more become active than before.
 */
#include "iometer/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

/* Through one specification's tests. */
struct cycle {
	const struct iometer_setup *setup;
	size_t index;                     /* of the specification, in each worker's list */
	uint64_t targets, workers, depth; /* how many are next */
};

/* The specification that a worker runs in round i; NULL: it rests. */
static const struct iometer_spec *spec_of(const struct iometer_setup *s,
					  const struct iometer_worker *w, size_t i)
{
	const struct iometer_spec *spec = NULL;

	if (w->specs) {
		spec = i < w->specs ? iometer_find_spec(s, w->spec[i]) : NULL;
		return spec && spec->count ? spec : NULL;
	}
	/* Nobody chose: those that are given to every disk worker. */
	for (size_t k = 0; k < s->specs; k++) {
		bool given = s->spec[k].assign == IOMETER_ASSIGN_ALL ||
			     s->spec[k].assign == IOMETER_ASSIGN_DISK;
		if (given && i-- == 0)
			return s->spec[k].count ? &s->spec[k] : NULL;
	}
	return NULL;
}

static size_t rounds_of(const struct iometer_setup *s, const struct iometer_worker *w)
{
	size_t n = w->specs;

	for (size_t k = 0; k < s->specs && !w->specs; k++)
		n += s->spec[k].assign == IOMETER_ASSIGN_ALL ||
		     s->spec[k].assign == IOMETER_ASSIGN_DISK;
	return n;
}

static size_t rounds(const struct iometer_setup *s)
{
	size_t most = 0;

	for (size_t m = 0; m < s->managers; m++) {
		for (size_t w = 0; w < s->manager[m].workers; w++) {
			size_t n = rounds_of(s, &s->manager[m].worker[w]);
			if (n > most && s->manager[m].worker[w].kind == IOMETER_DISK)
				most = n;
		}
	}
	return most;
}

static size_t disks_of(const struct iometer_worker *w)
{
	size_t n = 0;

	for (size_t t = 0; t < w->targets; t++)
		n += w->target[t].kind == IOMETER_DISK;
	return n;
}

/* --- A test. --- */

static int add_part(struct iometer_plan_test *t, const struct iometer_part *part)
{
	if ((t->parts & (t->parts - 1)) == 0) { /* full: doubled */
		size_t room = t->parts ? t->parts * 2 : 1;
		struct iometer_part *more = reallocarray(t->part, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		t->part = more;
	}
	t->part[t->parts++] = *part;
	return 0;
}

/* The first `most` of a worker's targets. Returns how many there are, or -ENOMEM. */
static int activate(struct iometer_plan_test *t, struct iometer_part part, uint64_t most)
{
	int n = 0;

	for (size_t i = 0; i < part.worker->targets && (uint64_t)n < most; i++) {
		if (part.worker->target[i].kind != IOMETER_DISK)
			continue;
		part.target = &part.worker->target[i];
		if (add_part(t, &part))
			return -ENOMEM;
		n++;
	}
	return n;
}

/* Up to how many targets a worker has in this test. `left` counts down what is dealt to workers one after the
 * other: of a manager or of all. */
static uint64_t share(const struct cycle *c, uint64_t left)
{
	switch (c->setup->test) {
	case IOMETER_CYCLE_TARGETS:
	case IOMETER_CYCLE_WORKERS_AND_TARGETS:
	case IOMETER_CYCLE_OUTSTANDING_AND_TARGETS: return c->targets;
	case IOMETER_INCREMENT_TARGETS_PARALLEL:
	case IOMETER_INCREMENT_TARGETS_SERIAL: return left;
	default: return UINT64_MAX;
	}
}

static bool cycles_depth(const struct iometer_setup *s)
{
	return s->test == IOMETER_CYCLE_OUTSTANDING ||
	       s->test == IOMETER_CYCLE_OUTSTANDING_AND_TARGETS;
}

static bool cycles_workers(const struct iometer_setup *s)
{
	return s->test == IOMETER_CYCLE_WORKERS || s->test == IOMETER_CYCLE_WORKERS_AND_TARGETS;
}

static int fill_manager(struct iometer_plan_test *t, const struct cycle *c,
			const struct iometer_manager *m, uint32_t *number, uint64_t *left)
{
	const struct iometer_setup *s = c->setup;
	uint64_t workers = cycles_workers(s) ? c->workers : UINT64_MAX;

	for (size_t w = 0; w < m->workers; w++) {
		const struct iometer_worker *worker = &m->worker[w];
		struct iometer_part part = {
			.manager = m,
			.worker = worker,
			.number = (*number)++,
			.outstanding = cycles_depth(s) ? (uint32_t)c->depth : worker->outstanding,
		};
		if (worker->kind != IOMETER_DISK || !workers || !disks_of(worker))
			continue;
		part.spec = spec_of(s, worker, c->index);
		if (!part.spec)
			continue;
		workers--;
		int n = activate(t, part, share(c, *left));
		if (n < 0)
			return n;
		*left -= (uint64_t)n < *left ? (uint64_t)n : *left;
	}
	return 0;
}

static void count_up(struct iometer_plan_test *t)
{
	for (size_t i = 0; i < t->parts; i++) {
		const struct iometer_part *p = &t->part[i];
		const struct iometer_part *before = i ? p - 1 : NULL;
		if (!t->spec)
			t->spec = p->spec;
		t->mixed |= t->spec != p->spec;
		t->managers += !before || before->manager != p->manager;
		t->workers += !before || before->number != p->number;
		t->targets++;
		if (p->outstanding > t->outstanding)
			t->outstanding = p->outstanding;
	}
}

static int fill(struct iometer_plan_test *t, const struct cycle *c)
{
	const struct iometer_setup *s = c->setup;
	uint64_t left = c->targets;
	uint32_t number = 0;

	memset(t, 0, sizeof(*t));
	for (size_t m = 0; m < s->managers; m++) {
		/* In parallel, each manager has as many. */
		if (s->test == IOMETER_INCREMENT_TARGETS_PARALLEL)
			left = c->targets;
		if (fill_manager(t, c, &s->manager[m], &number, &left)) {
			free(t->part);
			return -ENOMEM;
		}
	}
	count_up(t);
	return 0;
}

/* --- A series. --- */

static uint64_t grow(uint64_t now, const struct iometer_step *step)
{
	if (step->exponential && step->step > 1)
		return now * step->step;
	/* A step of 0 would never end: as in Iometer, where 1 is the least. */
	return now + (step->step ? step->step : 1);
}

static int add_test(struct iometer_plan *p, const struct iometer_plan_test *t, struct error *e)
{
	struct iometer_plan_test *more;

	if (p->tests == IOMETER_TESTS_MAX)
		return error_set(e, EINVAL, "more than %u tests: use larger steps",
				 IOMETER_TESTS_MAX);
	if (t->parts > IOMETER_PARTS_MAX - p->parts)
		return error_set(e, EINVAL,
				 "the tests have more than %u workers and targets together: use "
				 "larger steps, or fewer of them",
				 IOMETER_PARTS_MAX);
	more = reallocarray(p->test, p->tests + 1, sizeof(*more));
	if (!more)
		return error_set(e, ENOMEM, "out of memory for the tests");
	p->test = more;
	p->parts += t->parts;
	more[p->tests++] = *t;
	return 0;
}

/* One test with the quantities as they are. *parts: how many take part; none: no test. */
static int run_one(struct iometer_plan *p, const struct cycle *c, size_t least, size_t *parts,
		   struct error *e)
{
	struct iometer_plan_test t;

	if (fill(&t, c))
		return error_set(e, ENOMEM, "out of memory for the tests");
	*parts = t.parts;
	int rc = t.parts > least ? add_test(p, &t, e) : 0;
	if (rc || t.parts <= least)
		free(t.part);
	return rc;
}

/* As long as more and more targets take part. */
static int run_targets(struct iometer_plan *p, struct cycle *c, size_t *most, struct error *e)
{
	size_t parts = 0, before;
	int rc;

	*most = 0;
	c->targets = c->setup->target_step.start;
	do {
		before = parts;
		rc = run_one(p, c, before, &parts, e);
		if (parts > *most)
			*most = parts;
		c->targets = grow(c->targets, &c->setup->target_step);
	} while (rc == 0 && parts > before);
	return rc;
}

static int run_workers(struct iometer_plan *p, struct cycle *c, struct error *e)
{
	const struct iometer_setup *s = c->setup;
	size_t parts = 0, before;
	int rc;

	do {
		before = parts;
		if (s->test == IOMETER_CYCLE_WORKERS) {
			rc = run_one(p, c, before, &parts, e);
		} else {
			/* More workers only where there are more. */
			struct cycle all = *c;
			struct iometer_plan none = {0};
			all.targets = UINT64_MAX;
			rc = run_one(&none, &all, SIZE_MAX, &parts, e);
			size_t most;
			if (rc == 0 && parts > before)
				rc = run_targets(p, c, &most, e);
		}
		c->workers = grow(c->workers, &s->worker_step);
	} while (rc == 0 && parts > before);
	return rc;
}

static int run_depths(struct iometer_plan *p, struct cycle *c, size_t *parts, struct error *e)
{
	const struct iometer_setup *s = c->setup;
	int rc = 0;

	*parts = 0;
	for (c->depth = s->depth_step.start; rc == 0 && c->depth <= s->depth_step.end;
	     c->depth = grow(c->depth, &s->depth_step))
		rc = run_one(p, c, 0, parts, e);
	return rc;
}

static int run_depths_and_targets(struct iometer_plan *p, struct cycle *c, struct error *e)
{
	const struct iometer_setup *s = c->setup;
	size_t parts = 0, before;
	int rc;

	c->targets = s->target_step.start;
	do {
		struct iometer_plan none = {0};
		before = parts;
		c->depth = s->depth_step.start;
		rc = run_one(&none, c, SIZE_MAX, &parts, e);
		size_t same;
		if (rc == 0 && parts > before)
			rc = run_depths(p, c, &same, e);
		c->targets = grow(c->targets, &s->target_step);
	} while (rc == 0 && parts > before);
	return rc;
}

static int run_spec(struct iometer_plan *p, const struct iometer_setup *s, size_t index,
		    struct error *e)
{
	struct cycle c = {
		.setup = s,
		.index = index,
		.targets = s->target_step.start,
		.workers = s->worker_step.start,
		.depth = s->depth_step.start,
	};
	size_t parts;

	switch (s->test) {
	case IOMETER_CYCLE_TARGETS:
	case IOMETER_INCREMENT_TARGETS_PARALLEL:
	case IOMETER_INCREMENT_TARGETS_SERIAL: return run_targets(p, &c, &parts, e);
	case IOMETER_CYCLE_WORKERS:
	case IOMETER_CYCLE_WORKERS_AND_TARGETS: return run_workers(p, &c, e);
	case IOMETER_CYCLE_OUTSTANDING: return run_depths(p, &c, &parts, e);
	case IOMETER_CYCLE_OUTSTANDING_AND_TARGETS: return run_depths_and_targets(p, &c, e);
	default: return run_one(p, &c, 0, &parts, e);
	}
}

/* What a cycle begins with has to be something. */
static int check_steps(const struct iometer_setup *s, struct error *e)
{
	if ((s->test == IOMETER_CYCLE_TARGETS || s->test == IOMETER_INCREMENT_TARGETS_PARALLEL ||
	     s->test == IOMETER_INCREMENT_TARGETS_SERIAL ||
	     s->test == IOMETER_CYCLE_WORKERS_AND_TARGETS ||
	     s->test == IOMETER_CYCLE_OUTSTANDING_AND_TARGETS) &&
	    !s->target_step.start)
		return error_set(e, EINVAL,
				 "the cycle of targets starts with 0 of them: from 1 on");
	if (cycles_workers(s) && !s->worker_step.start)
		return error_set(e, EINVAL,
				 "the cycle of workers starts with 0 of them: from 1 on");
	if (cycles_depth(s) && (!s->depth_step.start || s->depth_step.end < s->depth_step.start))
		return error_set(
			e, EINVAL,
			"the cycle of outstanding IOs goes from %u to %u: from 1 on, upwards",
			s->depth_step.start, s->depth_step.end);
	if (cycles_depth(s) && s->depth_step.end > OUTSTANDING_MAX)
		return error_set(e, EINVAL,
				 "the cycle of outstanding IOs goes up to %u: %u are possible",
				 s->depth_step.end, OUTSTANDING_MAX);
	return 0;
}

/* What no target could take is said at once, with its line. */
static int check_part(const struct iometer_part *p, struct error *e)
{
	char at[24] = "";

	if (p->outstanding < 1 || p->outstanding > OUTSTANDING_MAX) {
		if (p->worker->at)
			snprintf(at, sizeof(at), "line %u: ", p->worker->at);
		return error_set(e, EINVAL,
				 "%s%s: outstanding %u: from 1 to %u per worker are possible", at,
				 p->worker->name, p->outstanding, OUTSTANDING_MAX);
	}
	for (uint32_t i = 0; i < p->spec->count; i++) {
		if (p->spec->line[i].line.size <= BLOCK_MAX)
			continue;
		if (p->spec->at)
			snprintf(at, sizeof(at), "line %u: ", p->spec->at);
		return error_set(e, EINVAL, "%s\"%s\": %u bytes per IO: up to 64 MiB are possible",
				 at, p->spec->name, p->spec->line[i].line.size);
	}
	return 0;
}

static int check_parts(const struct iometer_plan *p, struct error *e)
{
	int rc = 0;

	for (size_t i = 0; i < p->tests && rc == 0; i++) {
		for (size_t k = 0; k < p->test[i].parts && rc == 0; k++)
			rc = check_part(&p->test[i].part[k], e);
	}
	return rc;
}

int iometer_plan_make(struct iometer_plan *p, const struct iometer_setup *s, struct error *e)
{
	*p = (struct iometer_plan){0};
	int rc = check_steps(s, e);
	size_t most = rounds(s);

	for (size_t i = 0; i < most && rc == 0; i++)
		rc = run_spec(p, s, i, e);
	if (rc == 0 && !p->tests)
		rc = error_set(e, EINVAL,
			       "nothing would run: no disk worker has both a target and an access "
			       "specification; targets can be named behind the file");
	if (rc == 0)
		rc = check_parts(p, e);
	if (rc)
		iometer_plan_free(p);
	return rc;
}

void iometer_plan_free(struct iometer_plan *p)
{
	for (size_t i = 0; i < p->tests; i++)
		free(p->test[i].part);
	free(p->test);
	*p = (struct iometer_plan){0};
}

uint64_t iometer_plan_seconds(const struct iometer_plan *p, const struct iometer_setup *s)
{
	return s->run_s ? p->tests * (s->run_s + s->ramp_s) : 0;
}

char *iometer_test_words(char *out, size_t n, const struct iometer_plan_test *t)
{
	snprintf(out, n, "%u worker%s x %u target%s x %u outstanding", t->workers,
		 t->workers == 1 ? "" : "s", t->workers ? t->targets / t->workers : 0,
		 t->workers && t->targets / t->workers == 1 ? "" : "s", t->outstanding);
	if (t->workers && t->targets % t->workers)
		snprintf(out, n, "%u worker%s, %u targets in all, %u outstanding", t->workers,
			 t->workers == 1 ? "" : "s", t->targets, t->outstanding);
	return out;
}

bool iometer_test_scan(const char *mark, char *name, size_t n)
{
	const char *at = mark, *words = NULL;
	unsigned workers, targets, outstanding;
	int end = 0, all = 0;

	/* A name may have a colon, too. */
	for (; (at = strstr(at, ": ")); at += 2)
		words = at + 2;
	if (!words)
		return false;
	sscanf(words, "%u worker%*[s] x%n", &workers, &end);
	if (!end)
		sscanf(words, "%u worker x%n", &workers, &end);
	if (end) {
		sscanf(words + end, " %u target%*[s] x %u outstanding%n", &targets, &outstanding,
		       &all);
		if (!all)
			sscanf(words + end, " %u target x %u outstanding%n", &targets, &outstanding,
			       &all);
	} else {
		sscanf(words, "%u worker%*[s], %u targets in all, %u outstanding%n", &workers,
		       &targets, &outstanding, &all);
	}
	if (!all || words[end + all])
		return false;
	snprintf(name, n, "%.*s", (int)(words - 2 - mark), mark);
	return true;
}
