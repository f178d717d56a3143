/* run_stage.c - stages whose ends are those of whole seconds; see run.h. It is the sampler that begins them, as
 * nobody else knows when a second has just ended.
 */
#include "run_internal.h"

#include <stdio.h>

void run_stage_next(struct run *r, const char *words, bool passed, uint64_t not_before_ns)
{
	pthread_mutex_lock(&r->lock);

	r->stage.wanted = true;
	r->stage.set = false;
	r->stage.passed = passed;
	r->stage.not_before_ns = not_before_ns;
	snprintf(r->stage.words, sizeof(r->stage.words), "%s", words);
	pthread_mutex_unlock(&r->lock);
}

bool run_staged(struct run *r, struct run_stage *out)
{
	pthread_mutex_lock(&r->lock);
	bool set = r->stage.set;

	r->stage.set = false;
	*out = r->stage.begun;
	pthread_mutex_unlock(&r->lock);
	return set;
}

bool run_stage_forget(struct run *r)
{
	pthread_mutex_lock(&r->lock);
	bool set = r->stage.set;

	r->stage.wanted = false;
	pthread_mutex_unlock(&r->lock);
	return !set;
}

void run_stage_look(struct run *r)
{
	struct run_stage *s = &r->stage.begun;
	struct mark m = {0};
	uint64_t t = r->before->t_ns;

	if (!r->stage.wanted || r->stopped || r->snap.ended || t < r->stage.not_before_ns)
		return;
	run_begin_sequence(r);
	s->mark = run_mark_now(r, MARK_KNOB, NULL, r->stage.words);
	run_take_shot(r);
	s->segment = timeline_segments(r->timeline);
	s->t_ns = t;
	if (r->stage.passed)
		timeline_pass(r->timeline, s->mark);
	timeline_mark_at(r->timeline, s->mark, &m);
	s->letter = m.letter;
	r->stage.wanted = false;
	r->stage.set = true;
}
