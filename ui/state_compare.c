/* state_compare.c - the comparison that goes on while a run does: when it is done anew, and between which two
 * segments. The work is done on a thread of its own, at most once a second, and so seldom that it never takes
 * more than a hundredth of a CPU: it must not be what the figures of the CPU tell of.
 */
#include <stdlib.h>
#include <string.h>
#include "compare/live.h"
#include "dialogs.h"
#include "run.h"
#include "state.h"
#include "verdict.h"

#define SELDOM 100

struct request {
	struct run *run;
	struct live_wish wish;
	const struct live_pair *before; /* the screen's, which keeps it until this is done */
	struct live_pair *pair;
};

static void work(void *data)
{
	struct request *r = data;

	r->pair = run_compare(r->run, &r->wish, r->before);
}

static void request_free(void *data)
{
	struct request *r = data;

	live_free(r->pair);
	free(r);
}

static void start(struct ui_state *s)
{
	struct comparing *k = &s->comparing;
	struct request *r = calloc(1, sizeof(*r));

	if (!r)
		return;
	r->run = s->run;
	r->wish = (struct live_wish){s->gather.view.snap.start_ns, k->a, k->b};
	r->before = k->pair;
	k->asked = false;
	k->job = job_start(work, request_free, r);
}

/* An answer that is there takes the place of the one before. */
static void take(struct ui_state *s, uint64_t now_ns)
{
	struct comparing *k = &s->comparing;
	struct request *r = job_result(k->job);
	uint64_t rest = NS_PER_SEC;

	if (!r)
		return;
	if (r->pair) {
		live_free(k->pair);
		s->gather.view.pair = k->pair = r->pair;
		r->pair = NULL;
		if (k->pair->cost_ns * SELDOM > rest)
			rest = k->pair->cost_ns * SELDOM;
	}
	k->due_ns = now_ns + rest;
	job_release(k->job);
	k->job = NULL;
}

static void show_wish(struct ui_state *s)
{
	s->gather.view.pair_a = s->comparing.a;
	s->gather.view.pair_b = s->comparing.b;
}

/* With a new mark it is about what came after that; a baseline that was chosen stays. */
static void follow_marks(struct ui_state *s)
{
	struct comparing *k = &s->comparing;
	uint32_t segments = timeline_segments(run_timeline(s->run));
	uint64_t start_ns = s->gather.view.snap.start_ns;

	if (segments == k->segments && start_ns == k->start_ns)
		return;
	if (start_ns != k->start_ns)
		k->a = 0;
	k->segments = segments;
	k->start_ns = start_ns;
	k->b = 0;
	k->asked = true;
	show_wish(s);
}

void state_compare_tick(struct ui_state *s, uint64_t now_ns)
{
	struct comparing *k = &s->comparing;

	if (k->job)
		take(s, now_ns);
	if (!s->run || k->job)
		return;
	if (!s->gather.view.frozen) {
		follow_marks(s);
		k->asked |= k->segments > 1 && now_ns >= k->due_ns && s->gather.view.snap.running;
	}
	if (k->asked)
		start(s);
}

int state_compare_fd(const struct ui_state *s)
{
	return s->comparing.job && s->comparing.wanted ? job_fd(s->comparing.job) : -1;
}

void state_compare_forget(struct ui_state *s)
{
	struct comparing *k = &s->comparing;

	/* It looks at the run. */
	job_wait(k->job);
	job_release(k->job);
	live_free(k->pair);
	*k = (struct comparing){.job = NULL};
	s->gather.view.pair = NULL;
	show_wish(s);
}

/* --- The view. --- */

static size_t place_of(const struct live_pair *l, uint32_t number, size_t otherwise)
{
	for (size_t i = 0; number && i < l->segments; i++)
		if (l->segment[i].number == number)
			return i;
	return otherwise;
}

static void choose(void *ctx, bool baseline, int dir)
{
	struct ui_state *s = ctx;
	struct comparing *k = &s->comparing;
	const struct live_pair *l = k->pair;

	if (!l || l->state == LIVE_ONE)
		return;
	size_t a = place_of(l, k->a, l->a), b = place_of(l, k->b, l->b);
	size_t *mine = baseline ? &a : &b, *other = baseline ? &b : &a;
	size_t last = l->segments - 1, to = *mine;
	if (to == (dir < 0 ? 0 : last))
		return;
	to = dir < 0 ? to - 1 : to + 1;
	/* Over the other one; where there is nothing beyond it, they change places. */
	if (to == *other && to == (dir < 0 ? 0 : last))
		*other = *mine;
	else if (to == *other)
		to = dir < 0 ? to - 1 : to + 1;
	*mine = to;
	/* Once chosen, the other one does not move with it. */
	k->a = l->segment[a].number;
	k->b = l->segment[b].number;
	k->asked = k->wanted = true;
	show_wish(s);
}

static void usual(void *ctx)
{
	struct ui_state *s = ctx;

	s->comparing.a = s->comparing.b = 0;
	s->comparing.asked = s->comparing.wanted = true;
	show_wish(s);
}

static void list_lines(FILE *f, const json_t *lines, const char *none)
{
	size_t i;
	json_t *line;

	json_array_foreach((json_t *)lines, i, line) fprintf(f, "%s\n", json_string_value(line));
	if (!json_array_size(lines))
		fprintf(f, "%s\n", none);
}

static void list_in_turn(FILE *f, const struct ab_result *k)
{
	fprintf(f, "A and B, as they are set in turn:\n \n");
	list_lines(f, k->set, "what was set by hand, out of sight");
	fprintf(f, " \nBeside that, during the run:\n \n");
	list_lines(f, k->also, "nothing else changed that is known of");
}

static void differences(void *ctx, bool by_pairs)
{
	struct ui_state *s = ctx;
	const struct live_pair *l = s->comparing.pair;
	const struct ab_result *k = s->gather.view.ab_result;
	char name[48], *text = NULL;
	size_t n = 0;

	by_pairs &= s->gather.view.ab != NULL;
	if (by_pairs ? !k : !l || l->state == LIVE_ONE)
		return;
	FILE *f = open_memstream(&text, &n);
	if (!f)
		return;
	if (by_pairs) {
		list_in_turn(f, k);
	} else {
		fprintf(f, "%s:\n \n", verdict_names(name, sizeof(name), l));
		list_lines(f, l->differ, "nothing that is known of");
	}
	fclose(f);
	dialog_push(&s->dialogs,
		    dialog_text("What differs between A and B", text, ABOUT_DIFFERENCES));
	free(text);
}

static const char how_to_read[] =
	"Marks cut the run into segments, each of one setting. Two of them are "
	"compared: before and after the last mark, unless you choose others. Up and "
	"Down choose B, Left and Right choose A; Home goes back to the last mark. A "
	"segment in between that is too short for any verdict is passed over. An A "
	"that you chose stays the baseline when new marks are set.\n \n"
	"B against A is the change in per cent of A, and in brackets the interval "
	"that holds the true change with 95 % confidence. 'different': chance alone "
	"would hardly do that, even with so many figures to choose from. 'undecided': "
	"the interval says so, but among so many figures it may be chance. 'within "
	"noise': no difference is shown, and one of at least the size that stands "
	"with it would have been, four times out of five. 'not shown': likewise, but "
	"more than one thing differs, so that two effects may cancel out. 'about 12 s "
	"more': so long until there is a verdict.\n \n"
	"One change only: should the target drift by itself, that is in the figures "
	"too. {ab} sets one and the other in turn, A B B A, and compares by pairs: then "
	"an even drift cancels out, and how large it is stands beside. b changes "
	"between the pairs and the segments.\n \n"
	"When CPU is near 100 %, whoever uses it, it may be the host that is "
	"measured.\n \n"
	"steady: the IOPS of five rounds of 10 s lie within 20 %, and rise or fall by "
	"at most 10 %.";

static void help(void *ctx)
{
	struct ui_state *s = ctx;

	char *words = action_text(how_to_read);

	dialog_push(&s->dialogs, dialog_text("How to read the comparison",
					     words ? words : how_to_read, ABOUT_NONE));
	free(words);
}

static void closed(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	(void)state;
	(void)r;
	s->comparing.wanted = false;
}

static bool in_turn(void *ctx, int key)
{
	return state_ab_key(ctx, key);
}

void state_compare(struct ui_state *s)
{
	const struct compare_desk desk = {choose, usual, differences, help, in_turn, s};
	const struct view *v = &s->gather.view;
	/* The newest comes first. */
	struct dialog d = dialog_compare(&desk, v->ab && !v->ab_newest);

	d.closed = closed;
	d.user = s;
	s->comparing.asked = s->comparing.wanted = true;
	if (!dialog_push(&s->dialogs, d))
		state_say(s, true, "No memory to compare segments.");
}
