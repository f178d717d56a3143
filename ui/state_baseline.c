/* state_baseline.c - the stored run that is drawn behind the live one: chosen, read, taken away. The store may
 * be large, or on a slow disk: it is read on a thread of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include "dialogs.h"
#include "state.h"

/* What is asked of the store, and its answer. */
struct asking {
	const char *store;
	int64_t run;                     /* to be read; 0: which runs there are */
	struct create_progress progress; /* for Esc: nothing is created */
	struct baseline *baseline;
	struct baseline_title *titles;
	size_t count;
	int rc;
	struct error error;
};

static void ask(void *data)
{
	struct asking *a = data;

	if (a->run)
		a->rc = baseline_load(&a->baseline, a->store, a->run, &a->error);
	else
		a->rc = baseline_titles(&a->titles, &a->count, a->store, &a->error);
}

static void asking_free(void *data)
{
	struct asking *a = data;

	baseline_free(a->baseline);
	free(a->titles);
	free(a);
}

static void cancelled(struct ui_state *s)
{
	state_say(s, false, "The baseline stays as it was.");
}

static void start(struct ui_state *s, int64_t run, void (*done)(struct ui_state *s, void *data))
{
	struct asking *a = calloc(1, sizeof(*a));
	char words[64] = "Looking which runs there are";

	if (!a) {
		state_say(s, true, "No memory to look into the run store.");
		return;
	}
	a->store = s->store;
	a->run = run;
	if (run)
		snprintf(words, sizeof(words), "Reading run %lld", (long long)run);
	struct state_job j = {
		.title = "Run store",
		.words = words,
		.progress = &a->progress,
		.work = ask,
		.free_data = asking_free,
		.data = a,
		.done = done,
		.cancelled = cancelled,
	};
	if (!state_job_start(s, &j))
		state_say(s, true, "No thread to look into the run store.");
}

static void put(struct ui_state *s, struct baseline *b)
{
	baseline_free(s->baseline);
	s->baseline = b;
	s->gather.view.baseline = b;
}

static void read_it(struct ui_state *s, void *data)
{
	struct asking *a = data;

	if (a->rc) {
		state_say(s, true, "%s", a->error.text);
		return;
	}
	put(s, a->baseline);
	a->baseline = NULL;
	state_say(s, false, "Run %lld is drawn as ~, from its start on where this one began.",
		  (long long)s->baseline->run);
}

static void chosen(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;
	int64_t run = baseline_answer(state);

	if (r != DIALOG_DONE)
		return;
	if (run) {
		start(s, run, read_it);
		return;
	}
	put(s, NULL);
	state_say(s, false, "No baseline is drawn.");
}

static void listed(struct ui_state *s, void *data)
{
	struct asking *a = data;
	int64_t own = s->gather.view.snap.run_id;
	size_t n = 0;

	if (a->rc) {
		state_say(s, true, "%s", a->error.text);
		return;
	}
	for (size_t i = 0; i < a->count; i++)
		if (a->titles[i].run != own)
			a->titles[n++] = a->titles[i];
	struct dialog d = dialog_baseline(a->titles, n, s->baseline ? s->baseline->run : 0);
	a->titles = NULL;
	d.closed = chosen;
	d.user = s;
	dialog_push(&s->dialogs, d);
}

void state_baseline_take(struct ui_state *s, int64_t run)
{
	if (run == s->gather.view.snap.run_id)
		state_say(s, true, "Run %lld is this one: it can't be its own baseline.",
			  (long long)run);
	else
		start(s, run, read_it);
}

void state_baseline(struct ui_state *s)
{
	start(s, 0, listed);
}

void state_baseline_free(struct ui_state *s)
{
	put(s, NULL);
}
