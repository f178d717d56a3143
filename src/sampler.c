/* sampler.c - the thread that turns counters into samples, ten times a second. */
#include "run_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "io_error.h"

int sampler_prepare(struct run *r, struct error *e)
{
	r->now = calloc(1, sizeof(*r->now));
	r->before = calloc(1, sizeof(*r->before));
	r->session_book = session_book_new();
	if (!r->now || !r->before || !r->session_book)
		return error_set(e, ENOMEM, "out of memory for the sampler");
	sample_clear(&r->second);
	r->device_depth = -1;
	for (unsigned i = 0; probe_at(i) && r->probes < PROBES_MAX; i++) {
		r->probe[r->probes].probe = probe_at(i);
		struct error why;
		char text[MARK_TEXT];
		/* What the kernel counts of one device is not what is done to several. */
		if (probe_at(i)->of_target && r->target_count > 1)
			continue;
		int rc = probe_at(i)->start(&r->probe[r->probes].state, "", r->target, &why);
		if (rc == 0)
			r->probes++;
		if (rc == 0 || rc == -ENOTSUP)
			continue;
		snprintf(text, sizeof(text), "no figures from probe %s: %.100s", probe_at(i)->name,
			 why.text);
		timeline_mark(r->timeline, MARK_EVENT, clock_ns(), 1, NULL, text);
	}
	return 0;
}

void sampler_release(struct run *r)
{
	for (unsigned i = 0; i < r->probes; i++)
		r->probe[i].probe->stop(r->probe[i].state);
	r->probes = 0;
	free(r->now);
	free(r->before);
	session_book_free(r->session_book);
	r->now = r->before = NULL;
	r->session_book = NULL;
}

/* --- From counters to a tick. --- */

static void op_difference(struct op_sample *out, const struct op_counters *now,
			  const struct op_counters *before, const struct hist *delta)
{
	out->ios = now->ios - before->ios;
	out->bytes = now->bytes - before->bytes;
	out->errors = now->errors - before->errors;
	out->lat_sum = now->lat_sum - before->lat_sum;
	out->lat_min = delta->min;
	out->lat_max = delta->max;
}

static void due_difference(struct due_sample *out, const struct engine_counters *now,
			   const struct engine_counters *before, const struct hist *delta)
{
	const struct op_counters *due = &now->op[HIST_DUE];

	out->offered = now->offered - before->offered;
	out->started = now->started - before->started;
	out->ios = due->ios - before->op[HIST_DUE].ios;
	out->lat_sum = due->lat_sum - before->op[HIST_DUE].lat_sum;
	out->lat_min = delta->min;
	out->lat_max = delta->max;
	out->backlog = now->backlog;
	out->oldest_ns = now->backlog_ns;
}

/* An IO that the extremes missed, as it was booked while they were restarted, is in its bucket. */
static void hist_difference(struct hist *out, const struct hist *now, const struct hist *before)
{
	out->count = now->count - before->count;
	out->sum = now->sum - before->sum;
	out->min = now->min;
	out->max = now->max;
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		out->bucket[i] = now->bucket[i] - before->bucket[i];
	hist_fit_extremes(out);
}

/* What a worker has not looked at yet can turn out to be a little less than it was thought to
 * be: then it counts as nothing until it is more. */
static void never_less_offered(struct engine_counters *now, const struct engine_counters *before)
{
	if (now->offered < before->offered)
		now->offered = before->offered;
}

static void make_tick(struct run *r, struct sample *s)
{
	struct engine_counters *now = r->now;
	const struct engine_counters *before = r->before;

	sample_clear(s);
	never_less_offered(now, before);
	s->t_ns = now->t_ns;
	s->dt_ns = now->t_ns - before->t_ns;
	for (int k = 0; k < HISTS; k++)
		hist_difference(&r->delta[k], &now->hist[k], &before->hist[k]);
	for (int op = 0; op < IO_OPS; op++)
		op_difference(&s->op[op], &now->op[op], &before->op[op], &r->delta[op]);
	due_difference(&s->due, now, before, &r->delta[HIST_DUE]);
	/* What a stuck worker was thought to hold can turn out to be a little less. */
	s->depth_ns = now->depth_ns > before->depth_ns ? now->depth_ns - before->depth_ns : 0;
	s->drain_ns = now->drain_ns - before->drain_ns;
	s->inflight = now->inflight;
	s->oldest_ns = now->oldest_ns;
	s->depth_requested = now->depth_requested;
	s->generation = r->generation_base + now->generation;
}

/* --- The second. --- */

static void sample_probes(struct run *r, struct sample *s)
{
	for (unsigned i = 0; i < r->probes; i++) {
		r->probe[i].probe->sample(r->probe[i].state, s);
		if (r->probe[i].probe->live)
			r->probe[i].probe->live(r->probe[i].state, &r->snap.cores);
	}
	run_env_sample(r, s);
	uint64_t ui = atomic_load(&r->ui_ns);
	s->cpu.ui_ns = ui - r->ui_ns_before;
	r->ui_ns_before = ui;
}

/* A target that has become smaller than what was opened: IOs behind its end come back short, or fail.
 * Looked at only when a device has failed an IO or a file has answered short: then
 * it does answer. */
static void tell_size(struct run *r, unsigned i, bool cut)
{
	const struct target *t = r->targets[i];
	char from[32], to[32], mark[MARK_TEXT], *text = r->snap.size_trouble;

	if (r->switching || (t->kind == TARGET_FILE && !cut))
		return;
	uint64_t now = target_size_now(t);
	if (now == r->size_seen[i])
		return;
	r->size_seen[i] = now;
	if (now >= t->size)
		return;
	snprintf(text, sizeof(r->snap.size_trouble),
		 "has shrunk from %s to %s: IOs behind its end fail",
		 units_size(from, sizeof(from), t->size), units_size(to, sizeof(to), now));
	snprintf(mark, sizeof(mark), "%.90s %.60s", t->spec, text);
	timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL, mark);
}

/* An event of its own, apart from what else fails. */
static void tell_beyond(struct run *r, char *text, size_t n)
{
	uint64_t fresh = r->errors[IO_BEYOND_END] - r->errors_told[IO_BEYOND_END];

	text[0] = 0;
	r->errors_told[IO_BEYOND_END] = r->errors[IO_BEYOND_END];
	if (!fresh)
		return;
	snprintf(text, n, "%" PRIu64 " IO error%s: %s", fresh, fresh == 1 ? "" : "s",
		 io_error_words(IO_BEYOND_END));
	timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL, text);
}

/* New errors become one event a second, the most frequent kind of them named. */
static void tell_errors(struct run *r)
{
	char text[MARK_TEXT];
	uint64_t total = 0, most = 0;
	unsigned worst = 0;
	bool cut = r->errors[0] > r->errors_told[0];

	tell_beyond(r, text, sizeof(text));

	for (unsigned i = 0; i < ERRNO_SLOTS; i++) {
		uint64_t fresh = r->errors[i] - r->errors_told[i];
		r->errors_told[i] = r->errors[i];
		total += fresh;
		if (fresh > most) {
			most = fresh;
			worst = i;
		}
	}
	if (total) {
		snprintf(text, sizeof(text), "%" PRIu64 " IO error%s: %s", total,
			 total == 1 ? "" : "s",
			 worst ? io_error_words((int)worst) : "short transfer");
		timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL,
			      text);
	}
	if (!text[0])
		return;
	for (unsigned i = 0; i < r->target_count; i++)
		tell_size(r, i, cut);
	if (r->config.stop_on_error)
		sampler_end(r, text);
}

/* A depth that is not reached for two seconds running is an event, once until it is reached again or
 * another workload begins. */
static void tell_depth(struct run *r)
{
	if (r->snap.depth.level <= LAMP_GOOD)
		r->dim_seconds = 0;
	else if (++r->dim_seconds == 2)
		timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL,
			      r->snap.depth.text);
}

/* A rate that is not sustained for two seconds running, likewise. */
static void tell_rate(struct run *r)
{
	if (r->snap.rate.level <= LAMP_GOOD)
		r->late_seconds = 0;
	else if (r->snap.rate.level == LAMP_BAD && ++r->late_seconds == 2)
		timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL,
			      r->snap.rate.text);
}

/* That the IOPS are steady no more is an event when it is noticed. While a path may be silent nothing can be
 * said: it may turn out that this time does not count. */
static void tell_steady(struct run *r)
{
	if (r->snap.doubtful || !steady_second(&r->steady, r->timeline, r->segment_ns))
		return;
	lamp_steady(&r->snap.steady, &r->steady, &r->snap.workload, r->wall_offset);
	timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL,
		      r->snap.steady.text);
}

void sampler_probe(struct run *r)
{
	sample_probes(r, &r->second);
	r->probed = true;
}

void sampler_close_second(struct run *r)
{
	if (!r->second.dt_ns)
		return;
	if (!r->probed)
		sample_probes(r, &r->second);
	r->probed = false;
	timeline_second(r->timeline, &r->second);
	r->snap.cpu = r->second.cpu;
	r->device_depth = r->second.device_depth;
	sample_clear(&r->second);
	tell_errors(r);
	tell_depth(r);
	tell_rate(r);
	tell_steady(r);
	run_stage_look(r);
	r->seconds++;
	pthread_cond_broadcast(&r->changed);
}

/* --- The snapshot. --- */

static uint64_t as_ns(double v)
{
	return v > 0 ? (uint64_t)v : 0;
}

/* The last second, percentiles of the live histogram with it, so that the answer row and the
 * histogram agree. */
static void snapshot_figures(struct run *r, struct snapshot *s)
{
	uint64_t from = s->t_ns > NS_PER_SEC ? s->t_ns - NS_PER_SEC : 0;

	if (from < r->segment_ns)
		from = r->segment_ns;
	timeline_sum(r->timeline, from, s->t_ns, &s->second);
	/* Known by whole seconds only: not before there is one in this segment. */
	s->device_depth = s->t_ns - r->segment_ns > 2 * NS_PER_SEC ? r->device_depth : -1;
	timeline_recent_hist(r->timeline, s->hist);
	struct hist *both = &r->both;
	*both = s->hist[IO_READ];
	hist_merge(both, &s->hist[IO_WRITE]);
	s->second.p50 = as_ns(hist_percentile(both, 0.50));
	s->second.p95 = as_ns(hist_percentile(both, 0.95));
	s->second.p99 = as_ns(hist_percentile(both, 0.99));
	s->second.p999 = as_ns(hist_percentile(both, 0.999));
	s->second.due.p50 = as_ns(hist_percentile(&s->hist[HIST_DUE], 0.50));
	s->second.due.p99 = as_ns(hist_percentile(&s->hist[HIST_DUE], 0.99));
}

static void make_snapshot(struct run *r, const struct sample *tick)
{
	struct snapshot *s = &r->snap;

	s->seq++;
	s->t_ns = tick->t_ns;
	s->wall = (uint64_t)((int64_t)tick->t_ns + r->wall_offset);
	s->start_ns = r->counted_ns;
	s->workload = engine_workload(r->engine);
	s->running = !s->workload.paused && !r->stopped && !s->ended;
	s->generation = tick->generation;
	s->settled = r->before->settled == r->before->generation;
	s->oldest_ns = tick->oldest_ns;
	for (unsigned i = 0; i < ERRNO_SLOTS; i++)
		s->errors[i] = r->errors[i] - r->errors_before[i];
	s->looks = looks_since(&r->looks, &r->looks_before);
	snapshot_figures(r, s);
	lamp_depth(&s->depth, &s->second, &s->workload, r->target->backend, s->device_depth);
	snprintf(s->engine_remark, sizeof(s->engine_remark), "%s", target_remark(r->target));
	lamp_little(&s->little, &s->second);
	lamp_rate(&s->rate, &s->second, &s->workload);
	steady_begin(&r->steady, r->segment_ns);
	lamp_steady(&s->steady, &r->steady, &s->workload, r->wall_offset);
	if (write(r->event_fd, &(uint64_t){1}, sizeof(uint64_t)) < 0) {
		/* EAGAIN: the reader has not looked for 2^64 ticks; nothing to tell it anew. */
	}
}

void sampler_tick(struct run *r)
{
	struct sample tick;

	engine_collect(r->engine, r->now);
	make_tick(r, &tick);
	struct engine_counters *spare = r->before;
	r->before = r->now;
	r->now = spare;
	for (unsigned i = 0; i < ERRNO_SLOTS; i++)
		r->errors[i] = r->errors_base[i] + r->before->errors[i];
	if (r->before->failed_max > r->failed_max)
		r->failed_max = r->before->failed_max;
	r->looks = looks_sum(&r->looks_base, &r->before->looks);
	timeline_tick(r->timeline, &tick, r->delta);
	sample_add(&r->second, &tick);
	make_snapshot(r, &tick);
	if (r->config.stop_on_error && (tick.op[IO_READ].errors || tick.op[IO_WRITE].errors))
		tell_errors(r);
}

/* --- The thread. --- */

void sampler_end(struct run *r, const char *reason)
{
	if (r->snap.ended)
		return;
	r->snap.ended = true;
	r->snap.running = false;
	snprintf(r->snap.end_reason, sizeof(r->snap.end_reason), "%s", reason);
	pthread_cond_broadcast(&r->changed);
	/* An engine that is being switched is coming to rest anyway, and starts again paused. */
	if (r->switching)
		return;
	struct workload w = engine_workload(r->engine);
	w.paused = true;
	if (run_publish(r, &w, NULL, NULL))
		engine_stop(r->engine, 0);
}

void sampler_look_at_sessions(struct run *r, uint64_t t_ns)
{
	struct sessions *now = &r->sessions;

	sessions_look(now, r->session_book, t_ns, r->target);
	outage_look(&r->outage, now, r->env.watch ? env_watch_facts(r->env.watch) : NULL,
		    r->timeline, r->before->t_ns, r->snap.generation);
	r->snap.doubtful = r->outage.doubtful;
	r->snap.sessions = *now;
	run_env_follow(r, now);
	run_mtu_look(r, now);
}

/* Gate 12: something happened to the device that we write to. Looking is slow on a host with many
 * mounts, so it is done without the lock that the screen waits for. */
static void check_watch(struct run *r)
{
	struct error e;
	pthread_mutex_unlock(&r->lock);
	pthread_mutex_lock(&r->watch_lock);
	int rc = 0;
	for (unsigned i = 0; i < r->target_count && rc == 0; i++)
		rc = r->watch[i] ? guard_watch_check(r->watch[i], &e) : 0;
	pthread_mutex_unlock(&r->watch_lock);
	pthread_mutex_lock(&r->lock);

	if (rc == 0 || r->snap.ended)
		return;
	timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation, NULL, e.text);
	sampler_end(r, e.text);
}

/* Sleeps until the absolute time, or until the run is stopping; true then. */
static bool wait_until(struct run *r, uint64_t t_ns)
{
	struct timespec until = {(time_t)(t_ns / NS_PER_SEC), (long)(t_ns % NS_PER_SEC)};

	while (!r->stopping && clock_ns() < t_ns)
		if (pthread_cond_timedwait(&r->changed, &r->lock, &until) == ETIMEDOUT)
			break;
	return r->stopping;
}

void *sampler_main(void *run)
{
	struct run *r = run;

	prctl(PR_SET_NAME, "lunscope-sample", 0, 0, 0);
	pthread_mutex_lock(&r->lock);
	uint64_t next = r->start_ns + TICK_NS;
	unsigned looked = r->seconds;
	sampler_look_at_sessions(r, clock_ns());
	while (!wait_until(r, next)) {
		if (!r->switching) {
			sampler_tick(r);
			run_env_look(r);
		}
		if (r->second.dt_ns >= NS_PER_SEC - TICK_NS / 2)
			sampler_close_second(r);
		if (r->seconds != looked) {
			looked = r->seconds;
			sampler_look_at_sessions(r, clock_ns());
		}
		check_watch(r);
		if (!r->switching)
			engine_tick(r->engine);
		/* A late tick is not made up for: the next stays on the grid. */
		uint64_t now = clock_ns();
		while (next <= now)
			next += TICK_NS;
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}
