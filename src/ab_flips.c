/* ab_flips.c - the settings that are compared: tried, set, looked after, put back; see ab.h. */
#include "ab_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Before. --- */

/* What was set in another namespace, or before a reboot, is not there; what somebody else has set since is not what
 * was left. */
static bool is_left(const struct flip_entry *n)
{
	char now[FACT_VALUE];

	if (n->stale || n->pid == getpid() || flip_read(n->words, now, sizeof(now), NULL))
		return false;
	return strcmp(now, n->to) == 0 || (!n->made && strcmp(now, n->from) != 0);
}

int ab_check(const struct ab_config *c, const struct flips *flips, struct error *e)
{
	unsigned n = flips ? flips_count(flips) : 0;
	struct flip_entry *left = calloc(n + 1, sizeof(*left));
	int rc = 0;

	if (!left)
		return error_set(e, ENOMEM, "out of memory for the journal");
	if (flips)
		n = flips_list(flips, left, n);

	for (unsigned i = n; i-- > 0 && rc == 0;)
		if (is_left(&left[i]))
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

/* What somebody else has set since is theirs, and what it goes back to. */
static int look_whose(struct ab *ab, unsigned i)
{
	char now[FACT_VALUE];
	int rc = flip_read(ab->config.flip[i].words, now, sizeof(now), &ab->error);

	if (rc == 0 && ab->now[i][0] && strcmp(now, ab->now[i]) != 0)
		memcpy(ab->before[i], now, sizeof(now));
	return rc;
}

/* What they became is noted, as some are rounded. */
int ab_flip_all(struct ab *ab, int side)
{
	for (unsigned i = 0; i < ab->config.flips; i++) {
		const struct ab_flip *f = &ab->config.flip[i];
		int rc = look_whose(ab, i);
		if (rc == 0)
			rc = flips_make(ab->flips, f->words, f->value[side], &ab->error);
		if (rc && rc != -EALREADY)
			return rc;
		rc = flip_read(f->words, ab->now[i], sizeof(ab->now[i]), &ab->error);
		if (rc)
			return rc;
	}
	return 0;
}

int ab_try(struct ab *ab, struct flips *flips, const struct ab_config *c, struct error *e)
{
	int rc = 0;

	ab->config = *c;
	ab->flips = flips;
	for (unsigned i = 0; i < c->flips && rc == 0; i++)
		rc = flip_read(c->flip[i].words, ab->before[i], sizeof(ab->before[i]), &ab->error);
	if (rc == 0)
		rc = ab_flip_all(ab, AB_B);
	if (rc == 0)
		rc = ab_flip_all(ab, AB_A);
	*e = ab->error;
	if (rc)
		ab_put_back(ab, NULL, NULL);
	return rc;
}

/* --- Meanwhile. --- */

/* "v0 mtu", in "v0 mtu 1500 > 1300, v1 mtu 1500 > 9000". */
static bool tells_of(const char *text, const char *words)
{
	size_t n = strlen(words);

	for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
		if ((at == text || at[-1] == ' ') && at[n] == ' ')
			return true;
	return false;
}

bool ab_tells_of_flip(const struct ab *ab, const char *text)
{
	for (unsigned i = 0; i < ab->config.flips; i++)
		if (tells_of(text, ab->config.flip[i].words))
			return true;
	return false;
}

static bool is_gone(const struct ab *ab, const char *name)
{
	char words[FACT_WORDS], link[FACT_VALUE];

	snprintf(words, sizeof(words), "%.*s link", (int)strcspn(name, " "), name);
	return run_fact(ab->run, words, link) && strcmp(link, "gone") == 0;
}

static void look_at(const struct ab *ab, unsigned i, struct ab_stage *s)
{
	const char *words = ab->config.flip[i].words;
	char now[FACT_VALUE];
	struct error e;

	if (flip_read(words, now, sizeof(now), &e))
		snprintf(s->why, sizeof(s->why), "%.150s", e.text);
	else if (strcmp(now, ab->now[i]) != 0)
		snprintf(s->why, sizeof(s->why), "%.60s was set to %.60s by somebody else", words,
			 now);
}

void ab_look(const struct ab *ab, struct ab_stage *s)
{
	char now[FACT_VALUE];

	for (unsigned i = 0; i < ab->config.flips && !s->why[0]; i++) {
		const char *words = ab->config.flip[i].words;
		if (is_gone(ab, words))
			snprintf(s->why, sizeof(s->why), "%.*s was gone", (int)strcspn(words, " "),
				 words);
		else if (run_fact(ab->run, words, now) && strcmp(now, ab->now[i]) != 0)
			look_at(ab, i, s);
	}
}

void ab_look_closely(const struct ab *ab, struct ab_stage *s, uint32_t end)
{
	struct mark m;

	ab_look(ab, s);
	for (unsigned i = 0; i < ab->config.flips && !s->why[0]; i++)
		look_at(ab, i, s);
	/* To and fro. */
	for (uint32_t id = s->mark + 1; id < end && !s->why[0]; id++)
		if (timeline_mark_at(run_timeline(ab->run), id, &m) &&
		    (m.kind == MARK_ENV || m.kind == MARK_PASSED) && ab_tells_of_flip(ab, m.text))
			snprintf(s->why, sizeof(s->why), "somebody else has set %.100s", m.text);
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
