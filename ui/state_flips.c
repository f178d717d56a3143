/* state_flips.c - the bench knobs: what their dialog shows of the run, and the changes. Both these and what is
 * asked of the kernel are done by threads of their own: while a driver takes its seconds over one change, the
 * kernel keeps everybody waiting who asks about any NIC.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "env/files.h"
#include "flip/flip.h"
#include "flip/ssh.h"
#include "run.h"
#include "state.h"

/* One change. The bench is the state's, which waits for the thread before it goes. */
struct flipping {
	struct bench *bench;
	enum { MAKE, UNDO, UNDO_ALL } what;
	bool force;
	char words[FACT_WORDS], value[FACT_VALUE];
	struct flip_entry *list; /* NULL: as before */
	unsigned count;
	int rc;
	unsigned left;
	struct error said;
};

struct flip_entry *state_bench_list(const struct bench *b, unsigned *count)
{
	unsigned n = b->flips ? flips_count(b->flips) : 0;
	struct flip_entry *list = b->flips ? calloc(n + 1, sizeof(*list)) : NULL;

	*count = list ? flips_list(b->flips, list, n) : 0;
	return list;
}

void state_bench_take(struct bench *b, struct flip_entry *list, unsigned count)
{
	if (!list)
		return;
	free(b->changed);
	b->view.changed = b->changed = list;
	b->view.count = count;
}

/* --- In the thread. --- */

/* The newest change of the setting. */
static int undo_one(struct flipping *f)
{
	struct flip_entry newest;

	if (!flips_newest(f->bench->flips, f->words, &newest))
		return error_set(&f->said, ENOENT, "%s was not changed here.", f->words);
	return flips_undo(f->bench->flips, newest.id, f->force, &f->said);
}

static void flipping_free(void *data)
{
	struct flipping *f = data;

	free(f->list);
	free(f);
}

static void work(void *data)
{
	struct flipping *f = data;

	if (!f->bench->flips)
		f->rc = flips_open(&f->bench->flips, NULL, &f->said);
	if (f->rc)
		return;
	switch (f->what) {
	case MAKE: f->rc = flips_make(f->bench->flips, f->words, f->value, &f->said); break;
	case UNDO: f->rc = undo_one(f); break;
	case UNDO_ALL:
		f->left = flips_undo_all(f->bench->flips, f->force, NULL, NULL, &f->said);
		f->rc = f->left ? -ESTALE : 0;
		break;
	}
	f->list = state_bench_list(f->bench, &f->count);
}

/* --- In the screen's. --- */

static void done(struct ui_state *s, void *data)
{
	struct flipping *f = data;
	struct bench *b = &s->bench;
	char command[512];

	state_bench_take(b, f->list, f->count);
	f->list = NULL;
	b->view.bad = f->rc != 0;
	b->view.said = f->said;
	if (f->rc)
		return;
	switch (f->what) {
	case MAKE:
		error_set(&b->view.said, 0, "Done, as by: %s",
			  flip_command(command, sizeof(command), f->words, f->value));
		break;
	case UNDO: error_set(&b->view.said, 0, "%s is undone.", f->words); break;
	case UNDO_ALL: error_set(&b->view.said, 0, "All is as it was before."); break;
	}
}

static void begin(struct ui_state *s, const struct flipping *what)
{
	char words[FACT_WORDS + FACT_VALUE + 32];
	struct flipping *f = malloc(sizeof(*f));

	if (!f) {
		state_say(s, true, "No memory to change a setting.");
		return;
	}
	*f = *what;
	f->bench = &s->bench;
	if (f->what == MAKE)
		snprintf(words, sizeof(words), "Setting %s to %s", f->words, f->value);
	else
		snprintf(words, sizeof(words), "Putting %s back",
			 f->what == UNDO ? f->words : "everything");
	struct state_job j = {
		.title = "Bench knobs",
		.words = words,
		.bound = "no setting is left half done",
		.work = work,
		.free_data = flipping_free,
		.data = f,
		.done = done,
	};
	if (!state_job_start(s, &j))
		state_say(s, true, "No thread to change a setting.");
}

static struct bench_view *look(void *ctx)
{
	struct ui_state *s = ctx;

	if (s->run)
		run_facts(s->run, &s->bench.view.facts);
	return &s->bench.view;
}

static void make(void *ctx, const char *words, const char *value)
{
	struct flipping f = {.what = MAKE};

	snprintf(f.words, sizeof(f.words), "%s", words);
	snprintf(f.value, sizeof(f.value), "%s", value);
	begin(ctx, &f);
}

static void undo(void *ctx, const char *words, bool force)
{
	struct flipping f = {.what = words ? UNDO : UNDO_ALL, .force = force};

	snprintf(f.words, sizeof(f.words), "%s", words ? words : "");
	begin(ctx, &f);
}

static void in_turn(void *ctx, const char *words)
{
	state_ab_with(ctx, words);
}

/* --- Questions. --- */

/* It has a copy of all that it needs, as nobody may want to know any more when it is done. */
struct question {
	enum bench_question what;
	char words[FACT_WORDS], value[FACT_VALUE + 1]; /* one that is too long is so here, too */
	char nic[WATCH_NICS][16];                      /* whose settings are meant */
	unsigned nics;
	struct bench_answer answer;
};

/* The first of the NICs that the operator's session comes by. */
static void look_for_ssh(struct question *q)
{
	char connection[256], own[16];

	if (!ssh_connection(connection, sizeof(connection)))
		return;
	ssh_nic_of(connection, own);
	for (unsigned i = 0; i < q->nics && !q->answer.sawing[0]; i++)
		if (ssh_is_over(own, q->nic[i]))
			memcpy(q->answer.sawing, q->nic[i], sizeof(q->answer.sawing));
}

static void find_out(void *data)
{
	struct question *q = data;
	struct bench_answer *a = &q->answer;

	switch (q->what) {
	case BENCH_VALUES:
		a->choices = flip_choices(q->words, a->choice);
		if (!a->choices)
			flip_range(a->range, sizeof(a->range), q->words);
		break;
	case BENCH_CHECK:
		a->rc = flip_check(q->words, q->value, a->value, &a->why);
		if (a->rc == 0)
			look_for_ssh(q);
		break;
	case BENCH_REACH: look_for_ssh(q); break;
	}
}

static void add_nic(struct question *q, const char *words)
{
	char nic[16];

	if (q->nics == WATCH_NICS || env_is_sysctl(words) || env_is_queue(words))
		return;
	snprintf(nic, sizeof(nic), "%.*s", (int)strcspn(words, " "), words);
	for (unsigned i = 0; i < q->nics; i++)
		if (strcmp(q->nic[i], nic) == 0)
			return;
	memcpy(q->nic[q->nics++], nic, sizeof(nic));
}

static void ask(void *ctx, enum bench_question what, const char *words, const char *value)
{
	struct ui_state *s = ctx;
	struct bench *b = &s->bench;
	struct question *q = calloc(1, sizeof(*q));

	job_release(b->question);
	b->question = NULL;
	b->view.answer = NULL;
	if (q) {
		q->what = what;
		snprintf(q->words, sizeof(q->words), "%s", words ? words : "");
		snprintf(q->value, sizeof(q->value), "%s", value ? value : "");
		if (words)
			add_nic(q, words);
		for (unsigned i = 0; !words && i < b->view.count; i++)
			if (!b->changed[i].stale)
				add_nic(q, b->changed[i].words);
		b->question = job_start(find_out, free, q);
	}
	if (b->question)
		return;
	b->view.bad = true;
	error_set(&b->view.said, ENOMEM, "No thread to ask the kernel.");
}

void state_bench_tick(struct ui_state *s)
{
	struct bench *b = &s->bench;
	const struct question *q = job_result(b->question);

	if (!q)
		return;
	b->answer = q->answer;
	b->view.answer = &b->answer;
	job_release(b->question);
	b->question = NULL;
}

int state_bench_fd(const struct ui_state *s)
{
	return s->bench.question ? job_fd(s->bench.question) : -1;
}

void state_bench_free(struct ui_state *s)
{
	struct bench *b = &s->bench;

	job_release(b->question);
	b->question = NULL;
	flips_close(b->flips);
	b->flips = NULL;
	free(b->changed);
	b->view.changed = b->changed = NULL;
	facts_free(&b->view.facts);
}

void state_bench(struct ui_state *s)
{
	const struct bench_desk desk = {look, ask, make, undo, in_turn, s};

	if (state_ab_goes_on(s)) {
		state_say(s, true,
			  "A against B is under way, and a change beneath it would spoil it: %s "
			  "stops it.",
			  action_key(ACT_AB));
		return;
	}
	s->bench.view.said.text[0] = '\0';
	if (!dialog_push(&s->dialogs, dialog_flips(&desk)))
		state_say(s, true, "No memory for the bench knobs.");
}

/* What A against B has set goes back by itself. */
static bool set_in_turn(const struct ui_state *s, const char *words)
{
	const struct ab_config *c = &s->in_turn.shown.config;

	for (unsigned i = 0; state_ab_goes_on(s) && i < c->flips; i++)
		if (strcmp(c->flip[i].words, words) == 0)
			return true;
	return false;
}

bool state_bench_changed(const struct ui_state *s)
{
	const struct bench_view *b = &s->bench.view;

	for (unsigned i = 0; i < b->count; i++)
		if (!b->changed[i].stale)
			return true;
	return false;
}

/* What can't be promised to go back. */
static const char *gone_words(const struct facts *f, const char *words)
{
	char link[FACT_WORDS];

	snprintf(link, sizeof(link), "%.*s link", (int)strcspn(words, " "), words);
	const char *now = facts_get(f, link);
	return now && strcmp(now, "gone") == 0 ? " (its NIC is gone: it can't be)" : "";
}

char *state_changes(const struct ui_state *s, char *out, size_t n)
{
	const struct bench_view *b = &s->bench.view;
	struct facts now = {.count = 0};
	unsigned changes = 0;

	out[0] = '\0';
	if (s->run && b->count)
		run_facts(s->run, &now);
	for (unsigned i = 0; i < b->count && strlen(out) + 1 < n; i++) {
		const struct flip_entry *f = &b->changed[i];
		if (f->stale || set_in_turn(s, f->words))
			continue;
		size_t used = strlen(out);
		snprintf(out + used, n - used, "%s%s %s > %s%s", changes++ ? ", " : "", f->words,
			 f->to, f->from, gone_words(&now, f->words));
	}
	facts_free(&now);
	return out;
}

struct flips *state_take_flips(struct ui_state *s)
{
	struct flips *f;

	/* They may be at it still. */
	state_job_end(s);
	state_ab_end(s);
	f = s->bench.flips;
	s->bench.flips = NULL;
	return f;
}
