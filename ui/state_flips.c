/* state_flips.c - the bench knobs: what their dialog shows of the run, and the changes, which are made by a
 * thread of their own, as a driver can take seconds over one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
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
	struct flip_entry list[CHANGES_MAX];
	unsigned count;
	bool listed;
	int rc;
	unsigned left;
	struct error said;
};

/* --- In the thread. --- */

/* The newest change of the setting. */
static int undo_one(struct flipping *f)
{
	struct flip_entry list[CHANGES_MAX];
	unsigned n = flips_list(f->bench->flips, list, CHANGES_MAX);

	while (n-- > 0)
		if (!list[n].stale && strcmp(list[n].words, f->words) == 0)
			return flips_undo(f->bench->flips, list[n].id, f->force, &f->said);
	return error_set(&f->said, ENOENT, "%s was not changed here.", f->words);
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
	f->count = flips_list(f->bench->flips, f->list, CHANGES_MAX);
	f->listed = true;
}

/* --- In the screen's. --- */

static void done(struct ui_state *s, void *data)
{
	const struct flipping *f = data;
	struct bench *b = &s->bench;
	char command[512];

	if (f->listed) {
		memcpy(b->changed, f->list, f->count * sizeof(*f->list));
		b->view.count = f->count;
	}
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
		.work = work,
		.free_data = free,
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

void state_bench(struct ui_state *s)
{
	const struct bench_desk desk = {look, make, undo, in_turn, s};
	char ssh[256];

	if (state_ab_goes_on(s)) {
		state_say(s, true,
			  "A against B is under way, and a change beneath it would spoil it: A "
			  "stops it.");
		return;
	}
	s->bench.view.changed = s->bench.changed;
	s->bench.view.said.text[0] = '\0';
	s->bench.view.ssh[0] = '\0';
	if (ssh_connection(ssh, sizeof(ssh)))
		ssh_nic_of(ssh, s->bench.view.ssh);
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

char *state_changes(const struct ui_state *s, char *out, size_t n)
{
	const struct bench_view *b = &s->bench.view;
	unsigned changes = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < b->count; i++) {
		const struct flip_entry *f = &s->bench.changed[i];
		if (f->stale || set_in_turn(s, f->words))
			continue;
		size_t used = strlen(out);
		snprintf(out + used, n - used, "%s%s %s > %s", changes++ ? ", " : "", f->words,
			 f->to, f->from);
	}
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
