/* ab.c - see ab.h. Words are in ab_words.c, results in ab_result.c. */
#include "ab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- Before. --- */

int ab_check(const struct ab_config *c, const struct flips *flips, struct error *e)
{
	struct flip_entry left[32];
	unsigned n = flips ? flips_list(flips, left, 32) : 0;
	int rc = 0;

	/* What was set in another namespace, or before a reboot, is not there. */
	for (unsigned i = 0; i < n; i++)
		if (!left[i].stale)
			return error_set(e, EBUSY,
					 "%s is still %s, as a lunscope that was killed (pid %d) "
					 "has left it: lunscope restore puts that back",
					 left[i].words, left[i].to, (int)left[i].pid);
	for (unsigned i = 0; i < c->flips && rc == 0; i++) {
		for (unsigned j = 0; j < i; j++)
			if (strcmp(c->flip[i].words, c->flip[j].words) == 0)
				return error_set(e, EINVAL, "--flip: %s is given twice",
						 c->flip[i].words);
		rc = flip_allowed(c->flip[i].words, e);
	}
	return rc;
}

uint64_t ab_length_ns(const struct ab_config *c)
{
	uint64_t n = 2 * (uint64_t)c->pairs, turns = 0;

	for (unsigned i = 0; i < n; i++)
		turns += i == 0 || ab_side(i) != ab_side(i - 1);
	return n * c->segment_ns + turns * c->settle_ns;
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

/* A segment on the way, that counts for neither side. */
static void leave(struct ab *ab)
{
	char words[MARK_TEXT], letter;
	uint32_t segment;

	snprintf(words, sizeof(words), "on the way to %c: %.100s", 'A' + ab_side(ab->at),
		 ab->config.name[ab_side(ab->at)]);
	uint32_t id = run_stage(ab->run, words, false, &segment, &letter);
	timeline_pass(run_timeline(ab->run), id);
}

static int flip_all(struct ab *ab)
{
	const struct ab_config *c = &ab->config;

	for (unsigned i = 0; i < c->flips; i++) {
		const struct ab_flip *f = &c->flip[i];
		int rc = flips_make(ab->flips, f->words, f->value[ab_side(ab->at)], &ab->error);
		if (rc && rc != -EALREADY) {
			enter(ab, AB_FAILED);
			return rc;
		}
	}
	return 0;
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
	ab->linked = false;
	ab->relogin = has_paths(ab) && (flips_mtu(ab) || ab->asked);
	enter(ab, AB_TURNING);
}

/* Segment ab->at is next, after one of the other side, or the first. */
static int turn(struct ab *ab)
{
	if (ab->at)
		leave(ab);
	look_at_paths(ab, 0, ab->logins);
	if (!ab->config.flips) {
		enter(ab, AB_ASKING);
		return 0;
	}
	int rc = flip_all(ab);
	if (rc == 0)
		changed(ab);
	return rc;
}

static void measure(struct ab *ab)
{
	struct ab_stage *s = &ab->stage[ab->at];
	int side = ab_side(ab->at);
	unsigned before = 0;
	char words[MARK_TEXT];

	for (unsigned i = 0; i < ab->at; i++)
		before += ab_side(i) == side;
	snprintf(words, sizeof(words), "%c %u of %u: %.100s", 'A' + side, before + 1,
		 ab->config.pairs, ab->config.name[side]);
	*s = (struct ab_stage){.side = side, .start_ns = clock_ns()};
	if (run_stage(ab->run, words, false, &s->segment, &s->letter))
		enter(ab, AB_MEASURING);
	else
		fail(ab, "the run has ended");
}

int ab_start(struct ab *ab, struct run *r, const struct target *t, struct flips *flips,
	     const struct ab_config *c)
{
	memset(ab, 0, sizeof(*ab));
	ab->config = *c;
	ab->run = r;
	ab->target = t;
	ab->flips = flips;
	return turn(ab);
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
static bool links_are_up(const struct ab *ab)
{
	for (unsigned i = 0; i < ab->config.flips; i++) {
		char words[FACT_WORDS];
		const char *name = ab->config.flip[i].words;
		struct facts f = {0};
		snprintf(words, sizeof(words), "%.*s link", (int)strcspn(name, " "), name);
		run_facts(ab->run, &f);
		const char *link = facts_get(&f, words);
		bool down = link && strcmp(link, "down") == 0;
		facts_free(&f);
		if (down)
			return false;
	}
	return true;
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
			 "nothing flows %.0f s after %s was set: it does not work here",
			 (double)AB_PATIENCE_NS / NS_PER_SEC, ab->config.name[ab_side(ab->at)]);
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

static void next(struct ab *ab)
{
	ab->stage[ab->at].end_ns = clock_ns();
	ab->stages = ++ab->at;
	if (ab->at == 2 * ab->config.pairs) {
		enter(ab, AB_DONE);
		return;
	}
	if (ab_side(ab->at) != ab_side(ab->at - 1))
		turn(ab);
	else
		measure(ab);
}

bool ab_tick(struct ab *ab)
{
	uint64_t now = clock_ns();

	switch (ab->state) {
	case AB_TURNING: wait_for_flow(ab); break;
	case AB_SETTLING:
		if (now - ab->since_ns >= ab->config.settle_ns)
			measure(ab);
		break;
	case AB_MEASURING:
		if (now - ab->since_ns >= ab->config.segment_ns)
			next(ab);
		break;
	default: break;
	}
	if (ab->state != AB_DONE && ab->state != AB_FAILED && run_wait(ab->run, 0))
		fail(ab, "the run has ended");
	return ab->state == AB_DONE || ab->state == AB_FAILED;
}
