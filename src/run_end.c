/* run_end.c - how a run ends: in order, or because a signal says so, with whatever is still in flight. */
#include "run_internal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* So long is waited for what is in flight where a signal ends the run: with the goodbyes of sessions all is
 * over within a second. */
#define HURRY_NS (2 * NS_PER_SEC / 5)

void run_interrupt(struct run *r, int signal_number)
{
	pthread_mutex_lock(&r->lock);

	if (!r->ended_by) {
		r->ended_by = signal_number;
		r->ended_by_ns = clock_ns();
	}
	if (signal_number != SIGINT)
		engine_hurry(r->engine, HURRY_NS);
	pthread_mutex_unlock(&r->lock);
}

/* "interrupted by SIGTERM; 8 IOs were not back 400 ms later". */
static void mark_end(struct run *r, const char *status, uint64_t lost)
{
	const char *name = r->ended_by ? sigabbrev_np(r->ended_by) : NULL;
	uint64_t from = r->ended_by ? r->ended_by_ns : r->before->t_ns;
	char text[MARK_TEXT] = "", span[32];

	units_append(text, sizeof(text), "%s", status);
	if (name)
		units_append(text, sizeof(text), "%s by SIG%s",
			     strcmp(status, "interrupted") ? "," : "", name);
	units_latency(span, sizeof(span), (double)(clock_ns() - from), true);
	if (lost)
		units_append(text, sizeof(text), "; %" PRIu64 " IO%s not back %s later", lost,
			     lost == 1 ? " was" : "s were", span);
	else if (name)
		units_append(text, sizeof(text), "; all IOs were back %s later", span);
	timeline_mark(r->timeline, MARK_END, r->before->t_ns, r->snap.generation, NULL, text);
}

uint64_t run_stop(struct run *r, const char *status, struct summary *s)
{
	pthread_mutex_lock(&r->lock);

	while (r->switching)
		pthread_cond_wait(&r->changed, &r->lock);
	r->stopping = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->sampler, NULL);
	if (r->store)
		pthread_join(r->recorder, NULL);
	/* The last tick ends here: time in which nothing more is asked for counts neither in the
	 * rates nor in the depth, nor does what the host does meanwhile. The IOs that come back
	 * in it do. */
	engine_halt(r->engine);
	pthread_mutex_lock(&r->lock);
	sampler_probe(r);
	pthread_mutex_unlock(&r->lock);
	uint64_t lost = engine_stop(r->engine, RUN_DRAIN_NS);
	pthread_mutex_lock(&r->lock);
	sampler_tick(r);
	sampler_close_second(r);
	r->outage.ended = lost > 0;
	/* So that rates of paths and of the whole are of the same time. */
	sampler_look_at_sessions(r, r->before->t_ns);
	r->whole = r->snap.sessions;
	sessions_whole(&r->whole, r->session_book);
	mark_end(r, status, lost);
	r->stopped = true;
	r->snap.running = false;
	timeline_total(r->timeline, r->counted_segment, &r->final, &r->gap, r->final_hist);
	summary_compute(s, &r->final, r->final_hist, r->engine_words);
	summary_leave_out(s, &r->final, &r->gap,
			  timeline_gaps(r->timeline, r->counted_ns, r->before->t_ns));
	s->failed_max = (double)r->failed_max;
	s->looks = r->snap.looks;
	snprintf(s->engine_why, sizeof(s->engine_why), "%s", r->target->backend_why);
	snprintf(s->engine_remark, sizeof(s->engine_remark), "%s", target_remark(r->target));
	s->unanswered = lost;
	s->unaccounted = engine_unaccounted(r->engine);
	s->rate_limited = r->rated;
	generations_keep(r);
	pthread_mutex_unlock(&r->lock);
	if (r->store) {
		struct error e;
		json_t *summary = run_final_summary(r, s);
		if (r->whole.count)
			sessions_export(&r->whole, summary);
		recorder_append(r, NULL);
		if (store_end(r->store, r->id, r->timeline, r->wall_offset, status, summary, &e))
			snprintf(r->snap.store_trouble, sizeof(r->snap.store_trouble),
				 "not recorded: %s", e.text);
		json_decref(summary);
	}
	return lost;
}

int run_discard(struct run *r, struct error *e)
{
	if (!r->store)
		return 0;
	int rc = store_discard(r->store, r->id, e);
	if (rc == 0)
		r->id = r->snap.run_id = 0;
	return rc;
}
