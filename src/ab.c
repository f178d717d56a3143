/* ab.c - see ab.h. Settings are in ab_flips.c, words in ab_words.c, results in ab_result.c. */
#include "ab_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- How long. --- */

/* From segment i on. */
static uint64_t length_from(const struct ab_config *c, unsigned i)
{
	const unsigned n = 2 * c->pairs;
	uint64_t ns = 0;

	for (; i < n; i++) {
		bool turns = i == 0 || ab_side(i) != ab_side(i - 1);
		ns += c->segment_ns + (turns ? c->settle_ns : 0);
	}
	return ns;
}

uint64_t ab_length_ns(const struct ab_config *c)
{
	return length_from(c, 0);
}

uint64_t ab_left_ns(const struct ab *ab)
{
	const struct ab_config *c = &ab->config;
	uint64_t gone = clock_ns() - ab->since_ns;

	if (ab_over(ab))
		return 0;
	uint64_t ns = length_from(c, ab->at + 1);
	if (ab->state == AB_MEASURING)
		return ns + (gone < c->segment_ns ? c->segment_ns - gone : 0);
	if (ab->state == AB_SETTLING)
		return ns + c->segment_ns + (gone < c->settle_ns ? c->settle_ns - gone : 0);
	return ns + c->segment_ns + c->settle_ns;
}

/* --- States. --- */

static void enter(struct ab *ab, enum ab_state state)
{
	ab->state = state;
	ab->since_ns = clock_ns();
}

static int fail(struct ab *ab, const char *words)
{
	struct error e = {""};

	/* words may be those of ab->error. */
	snprintf(e.text, sizeof(e.text), "%s", words);
	ab->error = e;
	enter(ab, AB_FAILED);
	return -EIO;
}

static bool is_mtu(const struct ab_flip *f)
{
	const char *what = strrchr(f->words, ' ');

	return what && strcmp(what, " mtu") == 0;
}

static bool flips_mtu(const struct ab *ab)
{
	for (unsigned i = 0; i < ab->config.flips; i++)
		if (is_mtu(&ab->config.flip[i]))
			return true;
	return false;
}

/* Of sessions that lunscope has made itself. */
static bool has_paths(const struct ab *ab)
{
	return ab->target->backend->path_act != NULL;
}

static void name_way(const struct ab *ab, unsigned i, char words[MARK_TEXT])
{
	snprintf(words, MARK_TEXT, AB_WAY "%c: %.100s", 'A' + ab_side(i),
		 ab->config.name[ab_side(i)]);
}

/* A segment on the way, that counts for neither side. */
static void leave(struct ab *ab)
{
	char words[MARK_TEXT], letter;
	uint32_t segment;

	name_way(ab, ab->at, words);
	uint32_t id = run_stage(ab->run, words, false, &segment, &letter);
	timeline_pass(run_timeline(ab->run), id);
}

/* Whether the sessions of every path are up that is in, and have been made anew so many times since; the
 * counts of each path go into logins, which may be NULL. */
static bool look_at_paths(const struct ab *ab, uint64_t times, uint64_t logins[PATHS_MAX])
{
	struct snapshot *s = malloc(sizeof(*s));
	bool up = s != NULL;

	if (!s)
		return false;
	run_snapshot(ab->run, s);
	for (unsigned i = 0; i < s->sessions.paths && i < PATHS_MAX; i++) {
		const struct path_view *v = &s->sessions.path[i];
		/* One that was lost since, and is back, is over a new connection, too. */
		uint64_t count = v->all.relogins + v->all.drops;
		up &= v->out || (v->sessions && v->up == v->sessions &&
				 count >= ab->logins[i] + times * v->sessions);
		if (logins)
			logins[i] = count;
	}
	free(s);
	return up;
}

static void changed(struct ab *ab)
{
	ab->changed_ns = clock_ns();
	ab->set = ab_side(ab->at);
	ab->linked = false;
	ab->relogin = has_paths(ab) && (flips_mtu(ab) || ab->asked);
	enter(ab, AB_TURNING);
}

/* Segment ab->at is next, and it is the other side's turn, or the first one's. The way there has begun. */
static void turn(struct ab *ab)
{
	look_at_paths(ab, 0, ab->logins);
	enter(ab, ab->config.flips ? AB_CHANGING : AB_ASKING);
}

static void name_stage(const struct ab *ab, unsigned i, char *out, size_t n, const char *remark)
{
	int side = ab_side(i);

	out[0] = 0;
	units_append(out, n, "%c %u of %u%s: %.100s", 'A' + side, ab_number(i), ab->config.pairs,
		     remark, ab->config.name[side]);
}

/* Segment ab->at begins with the next second. */
static void order(struct ab *ab)
{
	char words[MARK_TEXT];

	name_stage(ab, ab->at, words, sizeof(words), "");
	run_stage_next(ab->run, words, false, 0);
	ab->ordered = true;
}

static bool is_last(const struct ab *ab)
{
	return ab->at + 1 == 2 * ab->config.pairs;
}

static bool turns_next(const struct ab *ab)
{
	return is_last(ab) || ab_side(ab->at + 1) != ab->set;
}

/* With the mark that ends segment ab->at that which follows on it begins. */
static void order_end(struct ab *ab)
{
	char words[MARK_TEXT] = AB_OVER;
	uint64_t end_ns = ab->since_ns + ab->config.segment_ns;

	if (!turns_next(ab))
		name_stage(ab, ab->at + 1, words, sizeof(words), "");
	else if (!is_last(ab))
		name_way(ab, ab->at + 1, words);
	/* Seconds end with a tick, and so much earlier or later. */
	run_stage_next(ab->run, words, turns_next(ab), end_ns - TICK_NS / 2);
}

static void measure(struct ab *ab, const struct run_stage *g)
{
	ab->ordered = false;
	ab->stage[ab->at] = (struct ab_stage){.side = ab_side(ab->at),
					      .number = ab_number(ab->at),
					      .segment = g->segment,
					      .mark = g->mark,
					      .letter = g->letter,
					      .start_ns = g->t_ns};
	enter(ab, AB_MEASURING);
	ab->since_ns = g->t_ns;
	order_end(ab);
}

/* What is measured is not going to be complete. */
static void give_up(struct ab *ab, const char *remark)
{
	char words[MARK_TEXT];

	if (ab->state != AB_MEASURING)
		return;
	name_stage(ab, ab->at, words, sizeof(words), remark);
	run_note(ab->run, ab->stage[ab->at].mark, words);
}

/* Somebody else has set it: it has to be set again. */
static void spoil(struct ab *ab)
{
	const struct ab_stage *s = &ab->stage[ab->at];
	char words[MARK_TEXT];

	snprintf(words, sizeof(words), "%c %u of %u, spoilt: %.120s", 'A' + s->side, s->number,
		 ab->config.pairs, s->why);
	run_note(ab->run, s->mark, words);
	ab->set = -1;
}

int ab_start(struct ab *ab, struct run *r, const struct target *t, struct flips *flips,
	     const struct ab_config *c)
{
	int rc = 0;

	ab->config = *c;
	ab->run = r;
	ab->target = t;
	ab->flips = flips;
	ab->set = -1;
	ab->passed = timeline_newest_mark(run_timeline(r));
	for (unsigned i = 0; i < c->flips && rc == 0; i++)
		if (!ab->before[i][0])
			rc = flip_read(c->flip[i].words, ab->before[i], sizeof(ab->before[i]),
				       &ab->error);
	if (rc)
		enter(ab, AB_FAILED);
	else
		turn(ab);
	return rc;
}

int ab_change(struct ab *ab)
{
	int rc = ab_flip_all(ab, ab_side(ab->at));

	if (rc)
		enter(ab, AB_FAILED);
	else
		changed(ab);
	return rc;
}

void ab_is_set(struct ab *ab)
{
	if (ab->state != AB_ASKING)
		return;
	ab->asked = true;
	changed(ab);
}

/* --- Waiting. --- */

/* What a change of an MTU does to a link for a while is over. A NIC that can't be asked, or has no link to
 * speak of, does not hold anything up: IOs do. */
static bool links_are_up(struct ab *ab)
{
	char words[FACT_WORDS], link[FACT_VALUE];

	for (unsigned i = 0; i < ab->config.flips; i++) {
		const char *name = ab->config.flip[i].words;
		int n = (int)strcspn(name, " ");
		snprintf(words, sizeof(words), "%.*s link", n, name);
		if (!run_fact(ab->run, words, link) ||
		    (strcmp(link, "down") != 0 && strcmp(link, "gone") != 0))
			continue;
		snprintf(ab->unlinked, sizeof(ab->unlinked), "%.*s", n, name);
		return false;
	}
	ab->unlinked[0] = 0;
	return true;
}

/* Marks of the change itself. By hand it may be any. */
static bool is_of_change(const struct ab *ab, const struct mark *m)
{
	if (ab->config.flips)
		return m->kind == MARK_ENV && ab_tells_of_flip(ab, m->text);
	return m->kind == MARK_ENV || m->kind == MARK_KNOB;
}

/* What is seen of a change is on the way, too; the first one, which no way leads to, and other marks stay. */
static void pass_marks(struct ab *ab)
{
	struct timeline *t = run_timeline(ab->run);
	struct mark m;

	while (timeline_mark_at(t, ab->passed + 1, &m)) {
		ab->passed = m.id;
		if (ab->at && is_of_change(ab, &m))
			timeline_pass(t, m.id);
	}
}

/* The marks on the way are passed, as the segments behind them are. */
static int log_in_anew(struct ab *ab)
{
	struct mark m;
	int rc = run_path_act(ab->run, PATHS_ALL, PATH_RELOGIN, &ab->error);
	struct timeline *t = run_timeline(ab->run);

	if (rc)
		return rc;
	if (timeline_mark_at(t, timeline_newest_mark(t), &m) && m.kind == MARK_KNOB)
		timeline_pass(t, m.id);
	return 0;
}

static void wait_for_flow(struct ab *ab)
{
	uint64_t now = clock_ns();

	if (now - ab->since_ns > AB_PATIENCE_NS) {
		char words[300];
		snprintf(words, sizeof(words),
			 "%s%s %.0f s after %s was set: it does not work here",
			 ab->unlinked[0] ? ab->unlinked : "nothing flows",
			 ab->unlinked[0] ? " has no link" : "", (double)AB_PATIENCE_NS / NS_PER_SEC,
			 ab->config.name[ab_side(ab->at)]);
		fail(ab, words);
		return;
	}
	if (!ab->linked) {
		/* Its going down is told a moment after the change. */
		if (now - ab->changed_ns < NS_PER_SEC || !links_are_up(ab))
			return;
		ab->linked = true;
		if (ab->relogin && log_in_anew(ab)) {
			enter(ab, AB_FAILED);
			return;
		}
	}
	if (!look_at_paths(ab, ab->relogin, NULL))
		return;
	if (ab->relogin) {
		ab->relogin = false;
		ab->changed_ns = now;
	}
	if (timeline_flows(run_timeline(ab->run), ab->changed_ns))
		enter(ab, AB_SETTLING);
}

/* Segment ab->at has ended where g begins, whose mark says what it is: the next one of the same side, the way to
 * the other one, or the end. */
static void end_segment(struct ab *ab, const struct run_stage *g)
{
	struct ab_stage *s = &ab->stage[ab->at];
	char words[MARK_TEXT];
	bool turns = turns_next(ab);

	s->end_ns = g->t_ns;
	ab->passed = g->mark;
	if (!s->why[0])
		ab_look_closely(ab, s, g->mark);
	s->complete = !s->why[0];
	ab->stages += s->complete;
	if (!s->complete)
		spoil(ab);
	ab->at++;
	if (ab->at == 2 * ab->config.pairs) {
		enter(ab, AB_DONE);
	} else if (turns) {
		turn(ab);
	} else if (s->complete) {
		measure(ab, g);
	} else {
		/* It is not what its mark says: it has to be set again. */
		name_way(ab, ab->at, words);
		run_note(ab->run, g->mark, words);
		timeline_pass(run_timeline(ab->run), g->mark);
		turn(ab);
	}
}

/* Segment ab->at is not to begin, or not to end, with a second any more. False: it has ended already. */
static bool break_off(struct ab *ab)
{
	struct run_stage g;

	ab->ordered = false;
	if (run_stage_forget(ab->run) || !run_staged(ab->run, &g))
		return true;
	if (ab->state == AB_MEASURING) {
		end_segment(ab, &g);
		return false;
	}
	measure(ab, &g);
	return break_off(ab);
}

/* What follows on segment ab->at, which does not count. */
static void next(struct ab *ab)
{
	bool waits = ab->state == AB_TURNING || ab->state == AB_SETTLING;

	if (ab->state == AB_MEASURING)
		ab->passed = timeline_newest_mark(run_timeline(ab->run));
	ab->at++;
	if (ab->at == 2 * ab->config.pairs) {
		enter(ab, AB_DONE);
	} else if (ab_side(ab->at) != ab->set) {
		leave(ab);
		turn(ab);
	} else if (!waits) {
		/* It is set already. */
		order(ab);
		enter(ab, AB_SETTLING);
	}
}

void ab_skip(struct ab *ab)
{
	if (ab_over(ab) || ab->state == AB_CHANGING || !break_off(ab))
		return;
	give_up(ab, ", left out");
	next(ab);
}

void ab_stop(struct ab *ab)
{
	while (!ab_over(ab) && !break_off(ab))
		;
	if (ab_over(ab))
		return;
	give_up(ab, ", cut short");
	enter(ab, AB_STOPPED);
}

bool ab_over(const struct ab *ab)
{
	return ab->state == AB_DONE || ab->state == AB_STOPPED || ab->state == AB_FAILED;
}

static void settle(struct ab *ab)
{
	struct run_stage g;

	if (!ab->ordered && clock_ns() - ab->since_ns >= ab->config.settle_ns)
		order(ab);
	if (ab->ordered && run_staged(ab->run, &g))
		measure(ab, &g);
}

/* What somebody else has changed does not wait for the end of the segment. */
static void watch(struct ab *ab)
{
	struct ab_stage *s = &ab->stage[ab->at];
	struct run_stage g;

	if (run_staged(ab->run, &g)) {
		end_segment(ab, &g);
		return;
	}
	ab_look(ab, s);
	if (!s->why[0] || !break_off(ab))
		return;
	s->end_ns = clock_ns();
	spoil(ab);
	next(ab);
}

bool ab_tick(struct ab *ab)
{
	if (ab->state == AB_TURNING)
		wait_for_flow(ab);
	else if (ab->state == AB_SETTLING)
		settle(ab);
	else if (ab->state == AB_MEASURING)
		watch(ab);
	if (ab->state != AB_MEASURING && !ab_over(ab))
		pass_marks(ab);
	if (!ab_over(ab) && run_wait(ab->run, 0)) {
		give_up(ab, ", cut short");
		fail(ab, "the run has ended");
	}
	return ab_over(ab);
}

/* --- Afterwards. --- */

int ab_leave(struct ab *ab, struct error *e)
{
	uint32_t segment;
	char letter;

	run_stage(ab->run, AB_OVER, false, &segment, &letter);
	if (ab->set < 0 || !has_paths(ab) || !flips_mtu(ab))
		return 0;
	return run_path_act(ab->run, PATHS_ALL, PATH_RELOGIN, e);
}
