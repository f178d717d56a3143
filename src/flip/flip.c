/* flip.c - making changes, and the list of them; see flip.h. Putting them back is in undo.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flip/flip_internal.h"

static int open_flips(struct flips **out, const char *path, bool look, struct error *e)
{
	struct flips *f = calloc(1, sizeof(*f));

	*out = NULL;
	if (!f)
		return error_set(e, ENOMEM, "out of memory for the journal");
	int rc = journal_open(&f->journal, path, look, &f->holder, e);
	if (rc) {
		free(f);
		return rc;
	}
	*out = f;
	return 0;
}

int flips_open(struct flips **f, const char *path, struct error *e)
{
	return open_flips(f, path, false, e);
}

int flips_look(struct flips **f, const char *path, struct error *e)
{
	return open_flips(f, path, true, e);
}

void flips_close(struct flips *f)
{
	if (!f)
		return;
	journal_close(&f->journal);
	free(f);
}

pid_t flips_holder(const struct flips *f)
{
	return f->holder;
}

const char *flips_remark(const struct flips *f)
{
	return f->journal.remark;
}

bool flips_damaged(const struct flips *f)
{
	return f->journal.bad > 0;
}

unsigned flips_count(const struct flips *f)
{
	return (unsigned)f->journal.count;
}

bool flips_any(const struct flips *f, struct flip_entry *out)
{
	for (size_t i = 0; i < f->journal.count; i++) {
		*out = f->journal.entry[i];
		if (!out->stale)
			return true;
	}
	return false;
}

bool flips_newest(const struct flips *f, const char *words, struct flip_entry *out)
{
	for (size_t i = f->journal.count; i-- > 0;) {
		*out = f->journal.entry[i];
		if (!out->stale && strcmp(out->words, words) == 0)
			return true;
	}
	return false;
}

unsigned flips_list(const struct flips *f, struct flip_entry *out, unsigned max)
{
	unsigned n = 0;

	for (size_t i = 0; i < f->journal.count && n < max; i++)
		out[n++] = f->journal.entry[i];
	return n;
}

/* --- Making. --- */

/* What the kernel refuses must have left everything as it was: if not, or if that can't be seen, the entry
 * stays. */
static void refused(struct flips *f, uint64_t id, long long before, const char *words,
		    const char *from)
{
	char now[FACT_VALUE];

	if (flip_read(words, now, sizeof(now), NULL) || !flip_believed(words))
		return;
	if (strcmp(now, from) != 0)
		journal_made(&f->journal, id, now);
	else
		journal_take_back(&f->journal, id, before);
}

static int change(struct flips *f, const char *words, const char *from, const char *to,
		  struct error *e)
{
	char now[FACT_VALUE];
	long long before = f->journal.end;
	uint64_t id;
	int rc = journal_make(&f->journal, words, from, to, &id, e);

	if (rc)
		return rc;
	rc = flip_write(words, to, e);
	journal_step(&f->journal, FLIP_CHANGED);
	/* Of what has not answered it can't be said that it will do nothing. */
	if (rc && rc != -ETIMEDOUT)
		refused(f, id, before, words, from);
	if (rc)
		return rc;
	/* Some are rounded. */
	rc = flip_follow(words, to, now, sizeof(now), e);
	if (rc == -EINPROGRESS)
		return rc;
	if (rc)
		snprintf(now, sizeof(now), "%s", to);
	if (strcmp(now, from) == 0) {
		journal_take_back(&f->journal, id, before);
		return error_set(e, EINVAL, "%s: the kernel took %s and left it at %s", words, to,
				 from);
	}
	journal_made(&f->journal, id, now);
	return 0;
}

int flips_make(struct flips *f, const char *words, const char *value, struct error *e)
{
	char tidy[FACT_VALUE], now[FACT_VALUE];
	struct flip_entry newest;
	int rc = flip_check(words, value, tidy, e);

	if (rc == 0 && flips_newest(f, words, &newest) && !newest.made && !flip_believed(words))
		rc = error_set(
			e, EAGAIN,
			"%s: what became of its change to %s can't be seen before the link is up "
			"again: undo that, or wait",
			words, newest.to);
	if (rc == 0)
		rc = flip_read(words, now, sizeof(now), e);
	if (rc == 0 && strcmp(now, tidy) == 0)
		rc = error_set(e, EALREADY, "%s is %s already", words, now);
	if (rc == 0)
		rc = flip_may_write(words, now, e);
	if (rc)
		return rc;
	size_t *at = calloc(f->journal.count + 1, sizeof(*at));
	if (!at)
		return error_set(e, ENOMEM, "out of memory for the journal");
	size_t n = flips_settle(f, words, now, at), back = n;
	/* To and fro, as in a comparison, the journal does not grow. */
	for (size_t i = 0; i < n && back == n; i++)
		if (strcmp(f->journal.entry[at[i]].from, tidy) == 0 &&
		    strcmp(f->journal.entry[at[n - 1]].to, now) == 0)
			back = i;
	if (back < n)
		rc = flips_put_back(f, at + back, n - back, e);
	else
		rc = change(f, words, now, tidy, e);
	free(at);
	return rc;
}

/* --- What an earlier one left. --- */

static bool in_force(const struct flip_entry *n)
{
	char now[FACT_VALUE];

	return !n->stale && flip_read(n->words, now, sizeof(now), NULL) == 0 && flips_is_of(n, now);
}

char *flips_left_words(char *out, size_t n, const char *path)
{
	struct flips *f;

	out[0] = 0;
	if (flips_look(&f, path, NULL))
		return out;
	/* Those of one that lives are its own business. */
	for (size_t i = f->holder ? 0 : f->journal.count; i-- > 0;) {
		if (!in_force(&f->journal.entry[i]))
			continue;
		snprintf(out, n,
			 "settings changed by an earlier lunscope (pid %d) are still in force: "
			 "lunscope restore",
			 f->journal.entry[i].pid);
		break;
	}
	if (!out[0] && !f->holder && flips_damaged(f))
		snprintf(out, n,
			 "the journal of changed settings can't be read whole, so some may be in "
			 "force: lunscope restore");
	flips_close(f);
	return out;
}
