/* run.c - a run's life and its knobs; see run.h. Sampling is in sampler.c, recording in recorder.c. */
#include "run_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "export.h"
#include "io_error.h"
#include "path_rows.h"
#include "segment_table.h"

/* Whether something else than the depth says how many IOs there are. */
static bool holds_io(const struct workload *w)
{
	return w->rate_iops > 0 || workload_thinks(w);
}

/* --- Making one. --- */

static void init_sync(struct run *r)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&r->changed, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&r->lock, NULL);
	pthread_mutex_init(&r->watch_lock, NULL);
}

static int make_parts(struct run *r, struct error *e)
{
	r->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->event_fd < 0)
		return error_errno(e, errno, "eventfd");
	r->timeline = timeline_create();
	bool paths = r->target->backend->sessions || r->target->kernel;
	if (!r->timeline || (paths && !timeline_expect_gaps(r->timeline)))
		return error_set(e, ENOMEM, "out of memory for the time line");
	return sampler_prepare(r, e);
}

/* The first mark and the first (empty) reading, from which everything counts. */
static void begin(struct run *r)
{
	char text[MARK_TEXT] = "run start ";
	size_t used = strlen(text);

	workload_describe(text + used, sizeof(text) - used, &r->config.workload);
	struct engine_generation first;
	/* Time counts from the first IO: making many queues and threads takes a while. */
	r->start_ns = engine_generation(r->engine, 1, &first) ? first.t_ns : clock_ns();
	r->counted_ns = r->segment_ns = r->start_ns;
	r->before->t_ns = r->start_ns;
	sessions_reset(r->session_book, r->start_ns);
	r->counted_segment = 1;
	r->rated = holds_io(&r->config.workload);
	timeline_mark(r->timeline, MARK_START, r->start_ns, 1, &r->config.workload, text);
	if (r->snap.store_trouble[0])
		timeline_mark(r->timeline, MARK_EVENT, r->start_ns, 1, NULL, r->snap.store_trouble);
	if (r->config.notice && r->config.notice[0])
		timeline_mark(r->timeline, MARK_EVENT, r->start_ns, 1, NULL, r->config.notice);
}

static int start_threads(struct run *r, struct error *e)
{
	int rc = pthread_create(&r->sampler, NULL, sampler_main, r);

	if (rc)
		return error_errno(e, rc, "no thread for the sampler");
	rc = r->store ? pthread_create(&r->recorder, NULL, recorder_main, r) : 0;
	if (rc == 0)
		return 0;
	pthread_mutex_lock(&r->lock);
	r->stopping = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->sampler, NULL);
	return error_errno(e, rc, "no thread for the recorder");
}

/* The backends' names, each once. */
static void name_engine(struct run *r, unsigned i)
{
	for (unsigned k = 0; k < i; k++) {
		if (r->targets[k]->backend == r->targets[i]->backend)
			return;
	}
	units_append(r->engine_words, sizeof(r->engine_words), ", %s",
		     r->targets[i]->backend->name);
}

static int set_targets(struct run *r, struct target *t, struct error *e)
{
	const struct run_config *c = &r->config;

	if (c->more >= TARGETS_MAX)
		return error_set(e, EINVAL, "%u targets: up to %u are possible at a time",
				 c->more + 1, TARGETS_MAX);
	r->target = t;
	r->size_seen[0] = t->size;
	r->targets[r->target_count++] = t;
	snprintf(r->target_words, sizeof(r->target_words), "%s", t->spec);
	snprintf(r->engine_words, sizeof(r->engine_words), "%s", t->backend->name);
	for (unsigned i = 0; i < c->more; i++) {
		r->size_seen[r->target_count] = c->more_target[i]->size;
		r->targets[r->target_count++] = c->more_target[i];
		units_append(r->target_words, sizeof(r->target_words), ", %s",
			     c->more_target[i]->spec);
		name_engine(r, i + 1);
	}
	return 0;
}

int run_create(struct run **out, struct target *t, const struct run_config *c, struct error *e)
{
	struct run *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return error_set(e, ENOMEM, "out of memory for a run");
	r->config = *c;
	rc = set_targets(r, t, e);
	if (rc) {
		free(r);
		return rc;
	}
	r->event_fd = r->env.counters.dev = r->env.counters.snmp = -1;
	init_sync(r);
	rc = make_parts(r, e);
	if (rc == 0) {
		r->wall_offset = (int64_t)wall_ns() - (int64_t)clock_ns();
		r->settings = export_settings(&c->workload, t, c->status, c->command);
		export_more_targets(r->settings, r->targets, r->target_count);
		r->environment = export_environment("", t, wall_ns());
		/* What sessions did for runs before is not this one's. */
		sampler_look_at_sessions(r, clock_ns());
		run_env_open(r);
		recorder_open(r);
		rc = engine_create_many(&r->engine, r->targets, r->target_count, &c->workload, e);
	}
	if (rc == 0) {
		begin(r);
		pthread_mutex_lock(&r->lock);
		sampler_tick(r);
		pthread_mutex_unlock(&r->lock);
		rc = start_threads(r, e);
	}
	if (rc) {
		if (r->id)
			store_discard(r->store, r->id, NULL);
		if (r->engine)
			engine_stop(r->engine, RUN_DRAIN_NS);
		run_destroy(r);
		return rc;
	}
	*out = r;
	return 0;
}

/* --- Turning knobs. --- */

void run_take_shot(struct run *r)
{
	if (r->shot && !r->switching)
		seat_shot_take(r->shot, r->engine, r->before->t_ns);
	r->shot = NULL;
}

uint32_t run_mark_now(struct run *r, enum mark_kind kind, const struct workload *w,
		      const char *text)
{
	uint64_t t = r->before->t_ns;

	r->segment_ns = t;
	uint32_t generation = r->generation_base + r->before->generation;
	return timeline_mark(r->timeline, kind, t, generation, w, text);
}

/* A tick that ends now, unless the engine is another's for the moment. */
static void tick_now(struct run *r)
{
	if (!r->switching)
		sampler_tick(r);
}

static struct workload workload_now(struct run *r)
{
	return r->switching ? r->snap.workload : engine_workload(r->engine);
}

int run_publish(struct run *r, const struct workload *w, uint32_t *generation, struct error *e)
{
	return engine_apply_jobs(r->engine, w, r->job, r->jobs, generation, e);
}

void run_begin_sequence(struct run *r)
{
	struct workload w = workload_now(r);
	struct error e;
	char text[MARK_TEXT];

	if (r->switching || r->snap.ended || w.sequence_on)
		return;
	w.warming = false;
	if (run_publish(r, &w, &r->before->generation, &e) == 0)
		return;
	snprintf(text, sizeof(text), "the sequence of IOs goes on: %.100s", e.text);
	timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL, text);
}

/* Publishes w where the tick that is taken now ends. */
static int apply_at_tick(struct run *r, const struct workload *w, struct error *e)
{
	uint32_t generation;

	if (r->switching)
		return error_set(e, EBUSY, "%s is being opened for writing: one moment",
				 r->target->spec);
	if (!r->stopped && !r->snap.ended)
		sampler_tick(r);
	/* The tick itself may have found the error that ends the run. */
	if (r->stopped || r->snap.ended)
		return error_set(e, EINVAL, "the run has ended");
	int rc = run_publish(r, w, &generation, e);
	if (rc)
		return rc;
	r->before->generation = generation;
	r->snap.workload = *w;
	r->rated |= holds_io(w);
	r->snap.running = !w->paused;
	return 0;
}

/* Whether the newest mark is of a turn of the knobs, by the same hand. */
static bool turn_goes_on(struct run *r, bool step)
{
	return r->turn.mark && r->turn.step == step &&
	       r->turn.mark == timeline_newest_mark(r->timeline);
}

/* A knob that is turned through several steps leaves one mark: a change within a second of the one
 * before takes its place, and says what changed since the first of them began. */
static void mark_knob(struct run *r, const struct workload *old, const struct workload *w,
		      bool step)
{
	char text[MARK_TEXT];
	uint64_t now = r->before->t_ns;

	if (turn_goes_on(r, step) && now - r->turn.t_ns < NS_PER_SEC)
		timeline_pass(r->timeline, r->turn.mark);
	else
		r->turn.from = *old;
	if (!*workload_diff(text, sizeof(text), &r->turn.from, w, true))
		snprintf(text, sizeof(text), "knobs back where they were");
	r->turn.mark = run_mark_now(r, MARK_KNOB, w, text);
	r->turn.t_ns = now;
	r->turn.step = step;
}

/* The jobs take the place of those that there are, unless that fails. Takes job over. */
static int apply_with(struct run *r, const struct workload *w, struct job *job, uint32_t jobs,
		      struct error *e)
{
	struct job *old = r->job;
	uint32_t old_jobs = r->jobs;

	r->job = job;
	r->jobs = jobs;
	int rc = apply_at_tick(r, w, e);
	if (rc) {
		r->job = old;
		r->jobs = old_jobs;
		old = job;
	}
	free(old);
	return rc;
}

static int apply(struct run *r, const struct workload *w, bool step, struct error *e)
{
	char text[MARK_TEXT];
	pthread_mutex_lock(&r->lock);
	struct workload old = workload_now(r);
	int rc = 0;

	/* What workers had of their own to do ends with the next turn of a knob. */
	if (*workload_diff(text, sizeof(text), &old, w, true) || r->jobs) {
		rc = apply_with(r, w, NULL, 0, e);
		if (rc == 0)
			mark_knob(r, &old, w, step);
	}
	pthread_mutex_unlock(&r->lock);
	return rc;
}

int run_apply_jobs(struct run *r, const struct workload *w, const struct job *job, uint32_t jobs,
		   const char *words, struct error *e)
{
	size_t size = jobs * sizeof(*job);
	struct job *copy = malloc(size);

	if (!copy)
		return error_set(e, ENOMEM, "out of memory for the workers' jobs");
	memcpy(copy, job, size);
	pthread_mutex_lock(&r->lock);
	int rc = apply_with(r, w, copy, jobs, e);
	/* What follows until something is measured is only the way there. */
	if (rc == 0)
		timeline_pass(r->timeline, run_mark_now(r, MARK_KNOB, w, words));
	r->turn.mark = 0;
	pthread_mutex_unlock(&r->lock);
	return rc;
}

int run_keep_seats(struct run *r, struct error *e)
{
	pthread_mutex_lock(&r->lock);
	int rc = r->switching
			 ? error_set(e, EBUSY, "%s is being opened for writing", r->target->spec)
			 : engine_keep_seats(r->engine, e);

	r->seats_kept = rc == 0;
	pthread_mutex_unlock(&r->lock);
	return rc;
}

void run_shoot(struct run *r, struct seat_shot *shot)
{
	pthread_mutex_lock(&r->lock);
	r->shot = shot;
	pthread_mutex_unlock(&r->lock);
}

void run_shoot_now(struct run *r, struct seat_shot *shot)
{
	pthread_mutex_lock(&r->lock);
	if (!r->switching)
		seat_shot_take(shot, r->engine, r->before->t_ns);
	pthread_mutex_unlock(&r->lock);
}

int run_apply(struct run *r, const struct workload *w, struct error *e)
{
	return apply(r, w, false, e);
}

int run_apply_step(struct run *r, const struct workload *w, struct error *e)
{
	return apply(r, w, true, e);
}

struct workload run_workload(struct run *r)
{
	pthread_mutex_lock(&r->lock);
	struct workload w = workload_now(r);
	pthread_mutex_unlock(&r->lock);

	return w;
}

int run_pause(struct run *r, bool paused, struct error *e)
{
	pthread_mutex_lock(&r->lock);
	struct workload w = workload_now(r);
	int rc = 0;

	if (w.paused != paused) {
		w.paused = paused;
		rc = apply_at_tick(r, &w, e);
		if (rc == 0)
			run_mark_now(r, MARK_PAUSE, &w, paused ? "IO stopped" : "IO started");
	}
	pthread_mutex_unlock(&r->lock);
	return rc;
}

uint32_t run_mark(struct run *r, char *letter)
{
	struct mark m = {0};
	uint32_t id = 0;
	pthread_mutex_lock(&r->lock);

	if (!r->stopped) {
		tick_now(r);
		run_begin_sequence(r);
		id = run_mark_now(r, MARK_NOTE, NULL, "mark");
		if (id)
			timeline_marks(r->timeline, id - 1, &m, 1);
	}
	pthread_mutex_unlock(&r->lock);
	*letter = m.letter;
	return id;
}

void run_tell(struct run *r, const char *text)
{
	pthread_mutex_lock(&r->lock);

	if (!r->stopped)
		timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL,
			      text);
	pthread_mutex_unlock(&r->lock);
}

uint32_t run_stage(struct run *r, const char *words, bool turned, uint32_t *segment, char *letter)
{
	struct mark m = {0};
	uint32_t id = 0;
	pthread_mutex_lock(&r->lock);

	if (!r->stopped && !r->snap.ended) {
		tick_now(r);
		if (turned && turn_goes_on(r, true))
			timeline_pass(r->timeline, r->turn.mark);
		run_begin_sequence(r);
		id = run_mark_now(r, MARK_KNOB, NULL, words);
		timeline_mark_at(r->timeline, id, &m);
		*segment = timeline_segments(r->timeline);
	}
	pthread_mutex_unlock(&r->lock);
	*letter = m.letter;
	return id;
}

void run_note(struct run *r, uint32_t id, const char *words)
{
	timeline_note(r->timeline, id, words);
}

void run_reset(struct run *r, const char *why)
{
	pthread_mutex_lock(&r->lock);

	if (!r->stopped) {
		tick_now(r);
		sampler_look_at_sessions(r, clock_ns());
		sampler_close_second(r);
		run_begin_sequence(r);
		run_mark_now(r, MARK_RESET, NULL, why);
		run_take_shot(r);
		r->counted_ns = r->segment_ns;
		r->counted_segment = timeline_segments(r->timeline);
		struct workload w = workload_now(r);
		r->rated = holds_io(&w);
		memcpy(r->errors_before, r->errors, sizeof(r->errors_before));
		r->failed_max = 0;
		r->looks_before = r->looks;
		sessions_reset(r->session_book, r->counted_ns);
	}
	pthread_mutex_unlock(&r->lock);
}

/* --- Writing. --- */

/* A new engine on the target as it is now. Its counters begin at 0, so the old one's are closed. */
static int restart_engine(struct run *r, struct error *e)
{
	struct workload w = engine_workload(r->engine);
	struct engine *fresh;

	/* The last tick may have ended the run. */
	w.paused |= r->snap.ended;
	int rc = engine_create_many(&fresh, r->targets, r->target_count, &w, e);
	if (rc == 0 && r->jobs)
		rc = engine_apply_jobs(fresh, &w, r->job, r->jobs, NULL, e);
	if (rc == 0 && r->seats_kept)
		rc = engine_keep_seats(fresh, e);
	if (rc)
		return rc;
	generations_keep(r);
	engine_destroy(r->engine);
	r->engine = fresh;
	r->generation_base += r->before->generation;
	memcpy(r->errors_base, r->errors, sizeof(r->errors_base));
	r->looks_base = r->looks;
	/* The time in which nothing was asked for is in no tick. */
	struct engine_generation first;
	uint64_t t = engine_generation(fresh, 1, &first) ? first.t_ns : clock_ns();
	memset(r->before, 0, sizeof(*r->before));
	r->before->t_ns = t;
	return 0;
}

/* Brings the engine to rest without the lock: what is in flight on a device that hangs takes its time, and
 * the screen goes on looking. */
static int rest_engine(struct run *r, struct error *e)
{
	r->switching = true;
	pthread_mutex_unlock(&r->lock);
	uint64_t lost = engine_stop(r->engine, RUN_DRAIN_NS);
	pthread_mutex_lock(&r->lock);
	r->switching = false;
	pthread_cond_broadcast(&r->changed);
	sampler_tick(r);
	if (lost)
		return error_set(e, EBUSY, "%s: IOs are still in flight", r->target->spec);
	if (r->ended_by)
		return error_set(e, ECANCELED, "the run is being ended");
	/* The last IOs may have ended the run. */
	return r->snap.ended ? error_set(e, EINVAL, "the run has ended") : 0;
}

/* A LUN has no descriptor. */
static void close_given(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* With the engine at rest: the target takes fd, or fd is closed when rc says that it can't be; then the
 * IO goes on. */
static int reopen(struct run *r, int rc, int fd, uint64_t start, uint64_t length, struct error *e)
{
	if (rc)
		close_given(fd);
	else
		rc = target_allow_write(r->target, fd, start, length, e);
	if (r->ended_by)
		return rc;
	int restarted = restart_engine(r, rc ? NULL : e);
	if (restarted)
		sampler_end(r, "the engine could not be started again");
	if (rc == 0)
		rc = restarted;
	if (rc == 0)
		timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL,
			      "writing allowed");
	return rc;
}

int run_allow_write(struct run *r, int fd, uint64_t start, uint64_t length, struct error *e)
{
	int rc = 0;
	pthread_mutex_lock(&r->lock);

	if (r->stopping || r->stopped || r->snap.ended)
		rc = error_set(e, EINVAL, "the run has ended");
	else if (r->switching)
		rc = error_set(e, EBUSY, "%s is being opened for writing already", r->target->spec);
	if (rc)
		close_given(fd);
	else
		rc = reopen(r, rest_engine(r, e), fd, start, length, e);
	pthread_mutex_unlock(&r->lock);
	return rc;
}

void run_watch_target(struct run *r, unsigned i, struct guard_watch *w)
{
	pthread_mutex_lock(&r->watch_lock);

	guard_watch_stop(r->watch[i]);
	r->watch[i] = w;
	pthread_mutex_unlock(&r->watch_lock);
}

void run_watch(struct run *r, struct guard_watch *w)
{
	run_watch_target(r, 0, w);
}

/* --- Looking. --- */

void run_snapshot(struct run *r, struct snapshot *out)
{
	pthread_mutex_lock(&r->lock);

	*out = r->snap;
	pthread_mutex_unlock(&r->lock);
}

struct timeline *run_timeline(struct run *r)
{
	return r->timeline;
}

int run_event_fd(struct run *r)
{
	return r->event_fd;
}

void run_report_ui_cpu(struct run *r, uint64_t ns)
{
	atomic_store(&r->ui_ns, ns);
}

bool run_wait(struct run *r, uint64_t deadline_ns)
{
	struct timespec until = {(time_t)(deadline_ns / NS_PER_SEC),
				 (long)(deadline_ns % NS_PER_SEC)};
	pthread_mutex_lock(&r->lock);

	while (!r->snap.ended && clock_ns() < deadline_ns)
		if (pthread_cond_timedwait(&r->changed, &r->lock, &until) == ETIMEDOUT)
			break;
	bool ended = r->snap.ended;
	pthread_mutex_unlock(&r->lock);
	return ended;
}

/* --- The end. --- */

json_t *run_final_summary(const struct run *r, const struct summary *s)
{
	json_t *summary = summary_json(s);

	json_object_set(summary, "generations", r->generations);
	json_object_set_new(summary, "errors_by_kind", io_errors_json(r->snap.errors));
	return summary;
}

void run_destroy(struct run *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < TARGETS_MAX; i++)
		guard_watch_stop(r->watch[i]);
	free(r->job);
	run_env_close(r);
	engine_destroy(r->engine);
	sampler_release(r);
	if (r->store)
		store_close(r->store);
	if (r->timeline)
		timeline_destroy(r->timeline);
	json_decref(r->settings);
	json_decref(r->environment);
	json_decref(r->generations);
	if (r->event_fd >= 0)
		close(r->event_fd);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	pthread_mutex_destroy(&r->watch_lock);
	free(r);
}

json_t *run_json(struct run *r, const struct summary *s)
{
	json_t *doc = export_document(
		json_incref(r->settings), json_incref(r->environment),
		export_samples(r->timeline, r->counted_ns, r->counted_ns, r->wall_offset),
		export_marks(r->timeline, r->counted_ns, r->wall_offset),
		export_segments(r->timeline, r->engine_words, r->counted_ns, r->wall_offset),
		r->final_hist, run_final_summary(r, s));

	if (doc)
		json_object_set_new(doc, "comparison", run_comparison_json(r));
	if (doc)
		run_env_export_marks(r, json_object_get(doc, "marks"));
	if (doc && (r->target->backend->sessions || r->whole.count))
		sessions_export(&r->whole, doc);
	return doc;
}

/* The events of paths that went out and came back, as the record has them. */
static void print_losses(struct run *r, FILE *out)
{
	const struct outage *o = &r->outage;
	unsigned n = o->marks < OUTAGE_MARKS ? o->marks : OUTAGE_MARKS;

	if (n)
		fputc('\n', out);
	if (o->marks > n)
		fprintf(out, "%u older events of paths: lunscope show has them\n", o->marks - n);
	for (unsigned i = o->marks - n; i < o->marks; i++) {
		struct mark m;
		if (timeline_mark_at(r->timeline, o->newest[i % OUTAGE_MARKS], &m))
			path_event_row(out, m.t_ns > r->start_ns ? m.t_ns - r->start_ns : 0,
				       m.text);
	}
}

void run_paths_table(struct run *r, FILE *out, enum rate_unit unit)
{
	json_t *object = json_object();

	if (object && r->whole.count) {
		sessions_export(&r->whole, object);
		if (r->gap.dt_ns)
			json_object_set_new(object, "outage", json_object());
		path_rows(out, object, unit);
	}
	json_decref(object);
	print_losses(r, out);
}

int run_write_csv(struct run *r, const char *path, struct error *e)
{
	return export_write_csv(r->timeline, r->counted_ns, r->counted_ns, r->wall_offset, path, e);
}

const uint64_t *run_errors(struct run *r)
{
	return r->snap.errors;
}

uint64_t run_error_count(struct run *r)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < ERRNO_SLOTS; i++)
		n += r->snap.errors[i];
	return n;
}

unsigned run_segments(struct run *r, FILE *out)
{
	return segment_table(out, r->timeline, r->counted_segment, r->engine_words);
}

uint64_t run_start_ns(struct run *r)
{
	return r->start_ns;
}

int64_t run_id(struct run *r)
{
	return r->id;
}
