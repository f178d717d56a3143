/* ab.c - see ab.h. Words are in ab_words.c, results in ab_result.c. */
#include "ab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Before. --- */

int ab_check(const struct ab_config *c, const struct flips *flips, struct error *e)
{
	unsigned n = flips ? flips_count(flips) : 0;
	struct flip_entry *left = calloc(n + 1, sizeof(*left));
	int rc = 0;

	if (!left)
		return error_set(e, ENOMEM, "out of memory for the journal");
	if (flips)
		n = flips_list(flips, left, n);

	/* What was set in another namespace, or before a reboot, is not there. */
	for (unsigned i = 0; i < n && rc == 0; i++)
		if (!left[i].stale && left[i].pid != getpid())
			rc = error_set(e, EBUSY,
				       "%s is still %s, as a lunscope that was killed (pid %d) has "
				       "left it: lunscope restore puts that back",
				       left[i].words, left[i].to, (int)left[i].pid);
	free(left);
	for (unsigned i = 0; i < c->flips && rc == 0; i++) {
		for (unsigned j = 0; j < i; j++)
			if (strcmp(c->flip[i].words, c->flip[j].words) == 0)
				return error_set(e, EINVAL, "--flip: %s is given twice",
						 c->flip[i].words);
		rc = flip_allowed(c->flip[i].words, e);
	}
	return rc;
}

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

/* A segment on the way, that counts for neither side. */
static void leave(struct ab *ab)
{
	char words[MARK_TEXT], letter;
	uint32_t segment;

	snprintf(words, sizeof(words), AB_WAY "%c: %.100s", 'A' + ab_side(ab->at),
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
	ab->set = ab_side(ab->at);
	ab->linked = false;
	ab->relogin = has_paths(ab) && (flips_mtu(ab) || ab->asked);
	enter(ab, AB_TURNING);
}

/* Segment ab->at is next, and it is the other side's turn, or the first one's. */
static void turn(struct ab *ab)
{
	if (ab->at)
		leave(ab);
	look_at_paths(ab, 0, ab->logins);
	enter(ab, ab->config.flips ? AB_CHANGING : AB_ASKING);
}

static void name_stage(const struct ab *ab, char *out, size_t n, const char *remark)
{
	int side = ab_side(ab->at);

	out[0] = 0;
	units_append(out, n, "%c %u of %u%s: %.100s", 'A' + side, ab_number(ab->at),
		     ab->config.pairs, remark, ab->config.name[side]);
}

static void measure(struct ab *ab)
{
	struct ab_stage *s = &ab->stage[ab->at];
	char words[MARK_TEXT];

	name_stage(ab, words, sizeof(words), "");
	*s = (struct ab_stage){
		.side = ab_side(ab->at), .number = ab_number(ab->at), .start_ns = clock_ns()};
	s->mark = run_stage(ab->run, words, false, &s->segment, &s->letter);
	if (s->mark)
		enter(ab, AB_MEASURING);
	else
		fail(ab, "the run has ended");
}

/* What is measured is not going to be complete. */
static void give_up(struct ab *ab, const char *remark)
{
	char words[MARK_TEXT];

	if (ab->state != AB_MEASURING)
		return;
	name_stage(ab, words, sizeof(words), remark);
	run_note(ab->run, ab->stage[ab->at].mark, words);
}

int ab_start(struct ab *ab, struct run *r, const struct target *t, struct flips *flips,
	     const struct ab_config *c)
{
	int rc = 0;

	memset(ab, 0, sizeof(*ab));
	ab->config = *c;
	ab->run = r;
	ab->target = t;
	ab->flips = flips;
	ab->set = -1;
	for (unsigned i = 0; i < c->flips && rc == 0; i++)
		rc = flip_read(c->flip[i].words, ab->before[i], sizeof(ab->before[i]), &ab->error);
	if (rc)
		enter(ab, AB_FAILED);
	else
		turn(ab);
	return rc;
}

int ab_change(struct ab *ab)
{
	int rc = flip_all(ab);

	if (rc == 0)
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

/* What follows on segment ab->at, whatever became of that. */
static void next(struct ab *ab)
{
	bool measuring = ab->state == AB_MEASURING;

	ab->at++;
	if (ab->at == 2 * ab->config.pairs)
		enter(ab, AB_DONE);
	else if (ab_side(ab->at) != ab->set)
		turn(ab);
	else if (measuring || ab->state == AB_ASKING)
		measure(ab);
	/* Else it is set already, and waited for. */
}

void ab_skip(struct ab *ab)
{
	if (ab_over(ab) || ab->state == AB_CHANGING)
		return;
	give_up(ab, ", left out");
	next(ab);
}

void ab_stop(struct ab *ab)
{
	if (ab_over(ab))
		return;
	give_up(ab, ", cut short");
	enter(ab, AB_STOPPED);
}

bool ab_over(const struct ab *ab)
{
	return ab->state == AB_DONE || ab->state == AB_STOPPED || ab->state == AB_FAILED;
}

static void complete(struct ab *ab)
{
	ab->stage[ab->at].end_ns = clock_ns();
	ab->stage[ab->at].complete = true;
	ab->stages++;
	next(ab);
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
			complete(ab);
		break;
	default: break;
	}
	if (!ab_over(ab) && run_wait(ab->run, 0)) {
		give_up(ab, ", cut short");
		fail(ab, "the run has ended");
	}
	return ab_over(ab);
}

/* --- Afterwards. --- */

/* 1: put back; 0: it was so already. Else -errno with words. */
static int put_one_back(const struct ab *ab, unsigned i, char *now, size_t n, struct error *e)
{
	const struct ab_flip *f = &ab->config.flip[i];
	int rc = flip_read(f->words, now, n, e);

	if (rc || strcmp(now, ab->before[i]) == 0)
		return rc;
	if (strcmp(now, f->value[AB_A]) != 0 && strcmp(now, f->value[AB_B]) != 0)
		return error_set(e, ESTALE,
				 "%s is %s, as somebody else has set it: it is left alone, and was "
				 "%s before",
				 f->words, now, ab->before[i]);
	rc = flips_make(ab->flips, f->words, ab->before[i], e);
	return rc == 0 ? 1 : rc == -EALREADY ? 0 : rc;
}

unsigned ab_put_back(const struct ab *ab, flips_told_fn *told, void *arg)
{
	unsigned left = 0;

	for (unsigned i = ab->config.flips; i-- > 0;) {
		char now[FACT_VALUE] = "";
		struct error e = {""};
		const char *words = ab->config.flip[i].words;
		if (!ab->before[i][0])
			continue;
		int rc = put_one_back(ab, i, now, sizeof(now), &e);
		left += rc < 0;
		if (rc && told)
			told(words, now, ab->before[i], rc < 0 ? e.text : NULL, arg);
	}
	return left;
}

int ab_leave(struct ab *ab, struct error *e)
{
	uint32_t segment;
	char letter;

	run_stage(ab->run, AB_OVER, false, &segment, &letter);
	if (ab->set < 0 || !has_paths(ab) || !flips_mtu(ab))
		return 0;
	return run_path_act(ab->run, PATHS_ALL, PATH_RELOGIN, e);
}
