/* state_ab.c - A against B, in turn, on the live screen: who begins and ends it, and what is said of it. The
 * segments are those of src/ab.h. Changes are made on a thread of their own, as a driver can take seconds over
 * one, and so is the way back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ab.h"
#include "dialogs.h"
#include "flip/ssh.h"
#include "key.h"
#include "run.h"
#include "state.h"

/* So long the marks of the way back may take to come. */
#define BACK_NS (5 * NS_PER_SEC)

/* What the thread works with. The bench is the state's, which waits for the thread before it goes. */
struct turning {
	struct bench *bench;
	struct ab *ab;
	enum { OPEN, CHANGE, BACK } what;
	struct ab_config config; /* OPEN: is it possible? */
	struct flip_entry *list; /* NULL: as before */
	unsigned count;
	int rc;
	struct error error;
};

bool state_ab_goes_on(const struct ui_state *s)
{
	return s->in_turn.ab != NULL;
}

/* --- In the thread. --- */

static void told(const char *words, const char *from, const char *to, const char *trouble,
		 void *arg)
{
	struct turning *t = arg;

	(void)words;
	(void)from;
	(void)to;
	if (trouble && !t->error.text[0])
		error_set(&t->error, 0, "%s", trouble);
}

static void turning_free(void *data)
{
	struct turning *t = data;

	free(t->list);
	free(t);
}

static void work(void *data)
{
	struct turning *t = data;

	switch (t->what) {
	case OPEN:
		if (t->config.flips && !t->bench->flips)
			t->rc = flips_open(&t->bench->flips, NULL, &t->error);
		if (t->rc == 0)
			t->rc = ab_check(&t->config, t->bench->flips, &t->error);
		break;
	case CHANGE: t->rc = ab_change(t->ab); break;
	case BACK: t->rc = ab_put_back(t->ab, told, t) ? -EIO : 0; break;
	}
	t->list = state_bench_list(t->bench, &t->count);
}

static bool begin(struct ui_state *s, int what)
{
	struct turning *t = calloc(1, sizeof(*t));

	if (!t)
		return false;
	t->bench = &s->bench;
	t->ab = s->in_turn.ab;
	t->what = what;
	/* Until it is done, the screen shows it as it was. */
	s->in_turn.shown = *s->in_turn.ab;
	s->in_turn.job = job_start(work, turning_free, t);
	return s->in_turn.job != NULL;
}

/* --- What is seen. --- */

static void show(struct ui_state *s)
{
	struct in_turn *k = &s->in_turn;
	struct view *v = &s->gather.view;

	if (k->ab && !k->job)
		k->shown = *k->ab;
	v->ab = k->any ? &k->shown : NULL;
	v->ab_result = k->result.pairs ? &k->result : NULL;
	v->ab_newest = k->ab || (s->run && timeline_segments(run_timeline(s->run)) == k->segments);
}

static void look_at_result(struct ui_state *s)
{
	struct in_turn *k = &s->in_turn;

	ab_result_free(&k->result);
	if (ab_result(&k->result, k->ab))
		state_say(s, true, "No memory to compare A and B.");
	k->stages = k->ab->stages;
}

static void forget_result(struct in_turn *k)
{
	ab_result_free(&k->result);
	k->any = false;
	k->stages = 0;
}

/* --- The end. --- */

static void say_end(struct ui_state *s)
{
	const struct ab *ab = s->in_turn.ab;
	unsigned pairs = s->in_turn.result.pairs;

	if (ab->state == AB_FAILED)
		state_say(s, true, "A against B has failed: %.140s", ab->error.text);
	else if (ab->state == AB_DONE)
		state_say(s, false, "A against B is over: %s shows what the difference is.",
			  action_key(ACT_COMPARE));
	else
		state_say(s, false, "Stopped: %u of %u pairs are complete.", pairs,
			  ab->config.pairs);
}

/* All is as it was: the run goes on without it. */
static void finish(struct ui_state *s)
{
	struct in_turn *k = &s->in_turn;
	struct error e = {""};

	say_end(s);
	k->shown = *k->ab;
	if (ab_leave(k->ab, &e))
		state_say(s, true, "%s", e.text);
	free(k->ab);
	k->ab = NULL;
	k->settling_ns = clock_ns();
	k->segments = timeline_segments(run_timeline(s->run));
}

static void done(struct ui_state *s)
{
	struct in_turn *k = &s->in_turn;
	struct turning *t = job_result(k->job);

	state_bench_take(&s->bench, t->list, t->count);
	t->list = NULL;
	if (t->what == BACK) {
		finish(s);
		if (t->rc)
			state_say(s, true, "%s", t->error.text);
	}
	job_release(k->job);
	k->job = NULL;
}

/* Of a segment that does not count, once. */
static void say_left_out(struct ui_state *s)
{
	const struct ab *ab = s->in_turn.ab;

	for (; s->in_turn.seen < ab->at && s->in_turn.seen < AB_STAGES_MAX; s->in_turn.seen++) {
		const struct ab_stage *g = &ab->stage[s->in_turn.seen];
		if (g->why[0])
			state_say(s, true, "%.140s during %c %u: that pair doesn't count.", g->why,
				  'A' + g->side, g->number);
	}
}

/* The changes that it makes, and those that take it back. */
static void go_on(struct ui_state *s)
{
	struct in_turn *k = &s->in_turn;

	if (k->stop && !ab_over(k->ab))
		ab_stop(k->ab);
	ab_tick(k->ab);
	say_left_out(s);
	if (k->ab->stages != k->stages)
		look_at_result(s);
	if (ab_over(k->ab)) {
		if (!k->ab->config.flips)
			finish(s);
		else if (!begin(s, BACK))
			state_say(s, true,
				  "No thread to put settings back: lunscope restore does.");
	} else if (k->ab->state == AB_CHANGING && !begin(s, CHANGE)) {
		state_say(s, true, "No thread to change a setting.");
		k->stop = true;
	}
}

void state_ab_tick(struct ui_state *s)
{
	struct in_turn *k = &s->in_turn;

	if (k->job && job_result(k->job))
		done(s);
	if (k->ab && !k->job)
		go_on(s);
	if (!k->ab && k->any && clock_ns() - k->settling_ns < BACK_NS && s->run)
		k->segments = timeline_segments(run_timeline(s->run));
	show(s);
}

int state_ab_fd(const struct ui_state *s)
{
	return s->in_turn.job ? job_fd(s->in_turn.job) : -1;
}

void state_ab_stop(struct ui_state *s)
{
	if (!s->in_turn.ab)
		return;
	s->in_turn.stop = true;
	state_ab_tick(s);
}

void state_ab_end(struct ui_state *s)
{
	struct in_turn *k = &s->in_turn;

	job_wait(k->job);
	if (k->ab && !(k->job && ((struct turning *)job_result(k->job))->what == BACK)) {
		ab_stop(k->ab);
		if (k->ab->config.flips)
			ab_put_back(k->ab, NULL, NULL);
	}
	unsigned changes;
	struct flip_entry *list = state_bench_list(&s->bench, &changes);
	state_bench_take(&s->bench, list, changes);
	job_release(k->job);
	free(k->ab);
	forget_result(k);
	*k = (struct in_turn){.wish = k->wish};
	show(s);
}

/* --- The beginning. --- */

static void checked(struct ui_state *s, void *data)
{
	const struct turning *t = data;
	struct in_turn *k = &s->in_turn;

	if (t->rc) {
		state_say(s, true, "%s", t->error.text);
		return;
	}
	/* A search turns knobs, and this compares what they do not touch. */
	state_pilot_stop(s, "A against B begins");
	forget_result(k);
	k->ab = calloc(1, sizeof(*k->ab));
	if (!k->ab) {
		state_say(s, true, "No memory for A against B.");
		return;
	}
	k->any = true;
	k->stop = false;
	k->seen = 0;
	/* The bench knobs would change things beneath it. */
	if (k->from_bench)
		dialog_pop(&s->dialogs);
	ab_start(k->ab, s->run, s->target, s->bench.flips, &t->config);
	state_ab_tick(s);
}

static void answered(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;
	struct turning *t = r == DIALOG_DONE ? calloc(1, sizeof(*t)) : NULL;

	if (!t)
		return;
	s->in_turn.wish = ab_answer(state);
	*t = (struct turning){.bench = &s->bench, .what = OPEN};
	/* It was looked at in the dialog. */
	t->rc = ab_wish_config(&s->in_turn.wish, &t->config, &t->error);
	struct state_job j = {
		.title = "A against B",
		.words = t->config.flips ? "Looking whether that can be set" : "Beginning",
		.work = work,
		.free_data = turning_free,
		.data = t,
		.done = checked,
	};
	if (!state_job_start(s, &j))
		state_say(s, true, "No thread to begin.");
}

static void ask(struct ui_state *s, const struct ab_wish *wish, bool from_bench)
{
	struct bench_view *b = &s->bench.view;
	char ssh[256], *nic = s->bench.ssh;

	s->in_turn.from_bench = from_bench;
	run_facts(s->run, &b->facts);
	nic[0] = '\0';
	if (ssh_connection(ssh, sizeof(ssh)))
		ssh_nic_of(ssh, nic);
	struct dialog d = dialog_ab(wish, &b->facts, nic);
	d.closed = answered;
	d.user = s;
	if (!dialog_push(&s->dialogs, d))
		state_say(s, true, "No memory for A against B.");
}

static struct ab_wish *usual(struct ui_state *s)
{
	struct ab_wish *w = &s->in_turn.wish;

	if (!w->pairs[0])
		*w = (struct ab_wish){.pairs = "4", .segment = "20s", .settle = "3s"};
	return w;
}

void state_ab(struct ui_state *s)
{
	if (s->in_turn.ab)
		state_ab_stop(s);
	else if (run_workload(s->run).paused || s->gather.view.snap.ended)
		state_say(s, true, "There is no IO to compare anything with: %s starts it.",
			  action_key(ACT_STOP));
	else
		ask(s, usual(s), false);
}

void state_ab_with(struct ui_state *s, const char *words)
{
	struct ab_wish w = *usual(s);

	if (strcmp(w.what, words) != 0) {
		snprintf(w.what, sizeof(w.what), "%s", words);
		w.value[AB_A][0] = w.value[AB_B][0] = '\0';
	}
	ask(s, &w, true);
}

/* --- Keys while it goes on. --- */

bool state_ab_key(struct ui_state *s, int key)
{
	struct ab *ab = s->in_turn.ab;

	if (action_of_key(key) == ACT_AB) {
		state_ab(s);
		return true;
	}
	if (!ab || s->in_turn.job)
		return false;
	switch (key) {
	case K_ENTER:
		if (ab->state != AB_ASKING)
			return false;
		ab_is_set(ab);
		break;
	case 'n': ab_skip(ab); break;
	default: return false;
	}
	state_ab_tick(s);
	return true;
}
