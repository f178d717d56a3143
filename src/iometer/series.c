/* series.c - see series.h. */
#include "iometer/series_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

/* A second can end that much before the clock says so. */
#define EARLY_NS (TICK_NS / 2)

static const struct target *target_of(const struct series_config *c, const char *name)
{
	for (size_t i = 0; i < c->targets; i++) {
		if (strcmp(c->target[i].name, name) == 0)
			return c->target[i].target;
	}
	return NULL;
}

/* --- Jobs. --- */

/* Iometer's 0 is a sector; ours is the size. */
static uint32_t align_of(const struct iometer_line *l, const struct target *t)
{
	return l->line.align ? l->line.align : t->logical_block;
}

/* One line without a delay is what the knobs say as well. */
static void set_lines(struct workload *w, const struct iometer_spec *s, const struct target *t)
{
	const struct access_line *first = &s->line[0].line;

	w->block_size = first->size;
	w->read_pct = first->read_pct;
	w->random_pct = first->random_pct;
	w->align = align_of(&s->line[0], t);
	if (s->count == 1 && !first->delay_ms)
		return;
	w->access.count = s->count;
	for (uint32_t i = 0; i < s->count; i++) {
		w->access.line[i] = s->line[i].line;
		w->access.line[i].align = align_of(&s->line[i], t);
		if (!w->access.line[i].burst)
			w->access.line[i].burst = 1;
	}
}

static void set_data(struct workload *w, const struct iometer_worker *worker)
{
	if (worker->pattern == 0) {
		w->data.kind = DATA_WORD;
		w->data.word = 0x6c; /* Iometer takes any byte; not 0, which arrays don't store */
		w->data.word_bytes = 1;
	}
	if (worker->fixed_seed)
		w->seed = worker->seed;
}

int series_job(struct job *j, const struct iometer_part *p, const struct target *t, struct error *e)
{
	struct workload *w = &j->workload;

	j->target = t;
	j->worker = p->number;
	*w = workload_default();
	w->outstanding = p->outstanding;
	w->share_range = true;
	set_lines(w, p->spec, t);
	set_data(w, p->worker);
	if (p->worker->start_sector > UINT64_MAX / 512 || p->worker->max_sectors > UINT64_MAX / 512)
		return error_set(e, EINVAL, "%s: a disk size of %" PRIu64 " sectors is too much",
				 p->worker->name, p->worker->max_sectors);
	w->range_start = p->worker->start_sector * 512;
	w->range_length = p->worker->max_sectors * 512;
	/* More than there is means all there is, as in Iometer. */
	if (w->range_start < t->size && w->range_length > t->size - w->range_start)
		w->range_length = 0;
	return 0;
}

struct workload series_workload(const struct iometer_plan_test *t, const struct target *target)
{
	struct workload w = workload_default();

	if (t->spec)
		set_lines(&w, t->spec, target);
	w.workers = t->workers;
	w.outstanding = t->outstanding;
	w.share_range = true;
	if (t->parts)
		set_data(&w, t->part[0].worker);
	return w;
}

static int check_part(const struct series_config *c, const struct iometer_part *p, bool allowed,
		      struct error *e)
{
	const struct target *t = target_of(c, p->target->name);
	struct error why;
	struct job job;

	if (!t)
		return error_set(e, EINVAL, "%s: no target is known by this name", p->target->name);
	struct workload_limits limits = target_limits(t);
	int rc = series_job(&job, p, t, &why);
	if (rc == 0)
		rc = allowed ? workload_validate(&job.workload, &limits, &why)
			     : workload_possible(&job.workload, &limits, &why);
	return rc ? error_set(e, -rc, "\"%s\" on %s: %s", p->spec->name, t->spec, why.text) : 0;
}

int series_check(const struct series_config *c, bool allowed, struct error *e)
{
	int rc = 0;

	for (size_t i = 0; i < c->plan->tests && rc == 0; i++) {
		const struct iometer_plan_test *t = &c->plan->test[i];
		if (t->parts > WORKERS_MAX)
			return error_set(
				e, EINVAL,
				"\"%s\": %zu workers and targets of theirs at once: up to %u are "
				"possible",
				t->spec->name, t->parts, WORKERS_MAX);
		for (size_t k = 0; k < t->parts && rc == 0; k++)
			rc = check_part(c, &t->part[k], allowed, e);
	}
	return rc;
}

bool series_writes(const struct series_config *c, const struct target *t, struct workload *w)
{
	struct job job;

	for (size_t i = 0; i < c->plan->tests; i++) {
		const struct iometer_plan_test *test = &c->plan->test[i];
		for (size_t k = 0; k < test->parts; k++) {
			if (target_of(c, test->part[k].target->name) != t ||
			    series_job(&job, &test->part[k], t, NULL))
				continue;
			*w = job.workload;
			if (workload_writes(w))
				return true;
		}
	}
	return false;
}

/* --- Tests. --- */

static const struct iometer_plan_test *test_now(const struct series *s)
{
	return &s->config.plan->test[s->test];
}

/* "max read: 4 workers x 1 target x 16 outstanding" */
static void words_of(const struct series *s, char *out, size_t n)
{
	const struct iometer_plan_test *t = test_now(s);
	char words[96];

	snprintf(out, n, "%.80s%s: %s", t->spec->name, t->mixed ? " and others" : "",
		 iometer_test_words(words, sizeof(words), t));
}

static int begin_test(struct series *s, struct error *e)
{
	const struct iometer_plan_test *t = test_now(s);
	struct job *job = calloc(t->parts, sizeof(*job));
	int rc = job ? 0 : error_set(e, ENOMEM, "out of memory for the test");

	for (size_t i = 0; i < t->parts && rc == 0; i++)
		rc = series_job(&job[i], &t->part[i],
				target_of(&s->config, t->part[i].target->name), e);
	if (rc == 0) {
		struct workload w = series_workload(t, job[0].target);
		char words[MARK_TEXT];
		snprintf(words, sizeof(words), "%.90s: %s", t->spec->name,
			 s->config.setup->ramp_s ? "ramp" : "begins");
		rc = run_apply_jobs(s->run, &w, job, (uint32_t)t->parts, words, e);
	}
	free(job);
	s->state = SERIES_RAMPING;
	s->since_ns = clock_ns();
	s->ordered = s->cut = false;
	return rc;
}

/* The ramp is over: measuring begins with the next second. */
static void order_beginning(struct series *s)
{
	char words[MARK_TEXT];

	words_of(s, words, sizeof(words));
	run_shoot(s->run, &s->from);
	run_stage_next(s->run, words, false, 0);
	s->ordered = true;
}

static void begin_measuring(struct series *s, const struct run_stage *g)
{
	iometer_host_free(s->host);
	s->host = iometer_host_look();
	s->segment = g->segment;
	s->letter = g->letter;
	s->since_ns = g->t_ns;
	s->wall_ns = wall_ns() - (clock_ns() - g->t_ns);
	s->ordered = false;
	s->state = SERIES_MEASURING;
}

static void order_end(struct series *s)
{
	char words[MARK_TEXT];
	uint64_t end = s->since_ns + s->config.setup->run_s * NS_PER_SEC;

	snprintf(words, sizeof(words), "%.90s is over", test_now(s)->spec->name);
	run_shoot(s->run, &s->to);
	run_stage_next(s->run, words, true, s->cut ? 0 : end - EARLY_NS);
	s->ordered = true;
}

static int end_measuring(struct series *s, const struct run_stage *g, struct error *e)
{
	struct iometer_host *host = iometer_host_look();
	struct series_done *more = reallocarray(s->done, s->count + 1, sizeof(*more));

	if (!more) {
		iometer_host_free(host);
		return error_set(e, ENOMEM, "out of memory for the results");
	}
	s->done = more;
	struct series_done *d = &more[s->count];
	*d = (struct series_done){
		.test = s->test, .segment = s->segment, .letter = s->letter, .cut = s->cut};
	d->result.start_ns = s->wall_ns;
	d->result.end_ns = s->wall_ns + (g->t_ns - s->since_ns);
	int rc = series_result(&d->result, s, host, e);
	iometer_host_free(host);
	if (rc) {
		iometer_result_free(&d->result);
		return rc;
	}
	s->count++;
	if (++s->test == s->config.plan->tests) {
		s->state = SERIES_DONE;
		return 0;
	}
	return begin_test(s, e);
}

static bool ramp_over(const struct series *s, uint64_t now)
{
	return s->cut || now - s->since_ns >= s->config.setup->ramp_s * NS_PER_SEC;
}

static bool time_over(const struct series *s, uint64_t now)
{
	uint64_t run_ns = s->config.setup->run_s * NS_PER_SEC;

	/* The order is given a tick before the end, so that the second that ends then is caught. */
	return s->cut || (run_ns && now - s->since_ns + NS_PER_SEC / 2 >= run_ns);
}

int series_tick(struct series *s, struct error *e)
{
	struct run_stage g;
	uint64_t now = clock_ns();
	int rc = 0;

	if (series_over(s))
		return 0;
	if (run_wait(s->run, 0)) {
		series_stop(s);
		return 0;
	}
	if (s->ordered && run_staged(s->run, &g)) {
		if (s->state == SERIES_RAMPING)
			begin_measuring(s, &g);
		else
			rc = end_measuring(s, &g, e);
	} else if (!s->ordered && s->state == SERIES_RAMPING && ramp_over(s, now)) {
		order_beginning(s);
	} else if (!s->ordered && s->state == SERIES_MEASURING && time_over(s, now)) {
		order_end(s);
	}
	if (rc)
		series_stop(s);
	return rc;
}

/* --- Holding it. --- */

int series_create(struct series **out, struct run *r, const struct series_config *c,
		  struct error *e)
{
	struct series *s = calloc(1, sizeof(*s));

	if (!s)
		return error_set(e, ENOMEM, "out of memory for the series");
	s->config = *c;
	s->run = r;
	int rc = series_check(c, true, e);
	if (rc == 0)
		rc = run_keep_seats(r, e);
	if (rc == 0)
		rc = begin_test(s, e);
	if (rc) {
		series_free(s);
		return rc;
	}
	*out = s;
	return 0;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	/* The run may outlive the series, and what it would write into; one that is over wants nothing of it. */
	series_stop(s);
	for (size_t i = 0; i < s->count; i++)
		iometer_result_free(&s->done[i].result);
	free(s->done);
	seat_shot_free(&s->from);
	seat_shot_free(&s->to);
	iometer_host_free(s->host);
	free(s);
}

void series_next(struct series *s)
{
	if (series_over(s) || s->cut)
		return;
	s->cut = true;
	/* An end that was ordered for later is ordered anew. */
	if (s->state == SERIES_MEASURING && s->ordered && run_stage_forget(s->run))
		s->ordered = false;
}

void series_stop(struct series *s)
{
	if (series_over(s))
		return;
	run_stage_forget(s->run);
	run_shoot(s->run, NULL);
	s->state = SERIES_STOPPED;
}

enum series_state series_state(const struct series *s)
{
	return s->state;
}

bool series_over(const struct series *s)
{
	return s->state >= SERIES_DONE;
}

size_t series_results(const struct series *s, const struct series_done **done)
{
	*done = s->done;
	return s->count;
}

bool series_cycles(const struct series *s)
{
	return s->config.setup->test != IOMETER_NORMAL;
}

/* Seconds that are left of everything. */
static uint64_t seconds_left(const struct series *s)
{
	const struct iometer_setup *t = s->config.setup;
	uint64_t passed = (clock_ns() - s->since_ns) / NS_PER_SEC;
	uint64_t all = (s->config.plan->tests - s->test) * (t->run_s + t->ramp_s);
	uint64_t before = s->state == SERIES_MEASURING ? t->ramp_s : 0;

	return all > before + passed ? all - before - passed : 0;
}

char *series_progress(char *out, size_t n, const struct series *s)
{
	uint64_t left = seconds_left(s);

	if (series_over(s)) {
		snprintf(out, n, "%zu of %zu tests done", s->count, s->config.plan->tests);
		return out;
	}
	snprintf(out, n, "test %zu of %zu%s", s->test + 1, s->config.plan->tests,
		 s->state == SERIES_RAMPING ? ", ramp" : "");
	if (!s->config.setup->run_s)
		units_append(out, n, ", until it is stopped");
	else if (left >= 3600)
		units_append(out, n, ", %" PRIu64 ":%02u:%02u left", left / 3600,
			     (unsigned)(left / 60 % 60), (unsigned)(left % 60));
	else
		units_append(out, n, ", %u:%02u left", (unsigned)(left / 60),
			     (unsigned)(left % 60));
	return out;
}
