/* undo.c - putting changes back; see flip.h.
 *
 * The changes of one setting make a chain: v0 > v1 > v2. What the setting is now says how much of it is in
 * force, whenever the program died: v2: all; v1: the last was not made, or undone already; v0: none. Any
 * other value is somebody else's. So is one in between two links that don't fit: v0 > v1, v3 > v4.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flip/flip_internal.h"

/* The chain's places, oldest first. */
static size_t chain_of(const struct flips *f, const char *words, size_t *at)
{
	size_t n = 0;

	for (size_t i = 0; i < f->journal.count; i++)
		if (!f->journal.entry[i].stale && strcmp(f->journal.entry[i].words, words) == 0)
			at[n++] = i;
	return n;
}

bool flips_is_of(const struct flip_entry *n, const char *value)
{
	return strcmp(n->to, value) == 0 || (!n->made && flip_rounded(n->words, n->to, value));
}

size_t flips_settle(struct flips *f, const char *words, const char *value, size_t *at)
{
	size_t n = chain_of(f, words, at), keep = n;

	if (!n || strcmp(f->journal.entry[at[n - 1]].to, value) == 0 || !flip_believed(words))
		return n;
	for (size_t i = 0; i < n && keep == n; i++)
		if (strcmp(f->journal.entry[at[i]].from, value) == 0)
			keep = i;
	if (keep == n)
		return n;
	journal_undone(&f->journal, at + keep, n - keep);
	return chain_of(f, words, at);
}

int flips_put_back(struct flips *f, const size_t *at, size_t n, struct error *e)
{
	char words[FACT_WORDS], to[FACT_VALUE], now[FACT_VALUE];
	struct flip_beside then[FLIP_BESIDE];

	memcpy(words, f->journal.entry[at[0]].words, sizeof(words));
	memcpy(to, f->journal.entry[at[0]].from, sizeof(to));
	/* When that can't be written, it is put back all the same. */
	journal_undo(&f->journal, at, n);
	beside_read(words, then);
	int rc = flip_write(words, to, e);
	journal_step(&f->journal, FLIP_PUT_BACK);
	if (rc == 0)
		rc = flip_follow(words, to, now, sizeof(now), e);
	if (rc)
		return rc;
	if (strcmp(now, to) != 0)
		return error_set(e, EIO, "%s: the kernel took %s and made it %s", words, to, now);
	rc = beside_mend(words, &f->journal.entry[at[0]], &f->journal.entry[at[n - 1]], then, e);
	if (rc)
		return rc;
	journal_undone(&f->journal, at, n);
	return 0;
}

/* --- One. --- */

/* Whether each of the entries follows from the one before, so that all of them are lunscope's. */
static bool linked(const struct flips *f, const size_t *at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!flips_is_of(&f->journal.entry[at[i - 1]], f->journal.entry[at[i]].from))
			return false;
	return true;
}

/* Without a link a driver may tell any of them. */
static bool is_any_of(const struct flips *f, const size_t *at, size_t n, const char *now)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(f->journal.entry[at[i]].from, now) == 0 ||
		    strcmp(f->journal.entry[at[i]].to, now) == 0)
			return true;
	return false;
}

static int foreign(const struct flip_entry *first, const struct flip_entry *last, const char *now,
		   struct error *e)
{
	if (!last->made)
		return error_set(
			e, ESTALE,
			"%s is %s now, and was to be made %s when lunscope ended (it was %s "
			"before); whether the driver made %s of that or somebody else has set "
			"it can't be told: left alone",
			first->words, now, last->to, first->from, now);
	return error_set(e, ESTALE,
			 "%s is %s now: somebody else has set that (lunscope had made it %s, and "
			 "it was %s before); left alone",
			 first->words, now, last->to, first->from);
}

static int undo_at(struct flips *f, uint64_t id, bool force, char *now, size_t *at, struct error *e)
{
	char words[FACT_WORDS];
	size_t from = 0;

	memcpy(words, f->journal.entry[journal_find(&f->journal, id)].words, sizeof(words));
	int rc = flip_read(words, now, FACT_VALUE, e);
	if (rc)
		return rc;
	size_t n = flips_settle(f, words, now, at);
	long place = journal_find(&f->journal, id);
	if (place < 0)
		return 0; /* it is as it was already */
	while (at[from] != (size_t)place)
		from++;
	const struct flip_entry *first = &f->journal.entry[place];
	const struct flip_entry *last = &f->journal.entry[at[n - 1]];
	bool ours = flips_is_of(last, now) ||
		    (!flip_believed(words) && is_any_of(f, at + from, n - from, now));
	if (!force && (!ours || !linked(f, at + from, n - from)))
		return foreign(first, last, now, e);
	return flips_put_back(f, at + from, n - from, e);
}

static int undo(struct flips *f, uint64_t id, bool force, char *now, struct error *e)
{
	long place = journal_find(&f->journal, id);

	if (place < 0)
		return error_set(e, ENOENT, "there is no such change in the journal");
	const struct flip_entry *n = &f->journal.entry[place];
	if (n->elsewhere)
		return error_set(e, ESTALE, "%s %s > %s was changed on host %s: it is left to it",
				 n->words, n->from, n->to, n->host);
	if (n->stale)
		return error_set(e, ESTALE, "%s %s > %s was changed %s: it can't be undone here",
				 n->words, n->from, n->to,
				 n->rebooted ? "before this host was booted"
					     : "in another network namespace");
	size_t *at = calloc(f->journal.count, sizeof(*at));
	if (!at)
		return error_set(e, ENOMEM, "out of memory for the journal");
	int rc = undo_at(f, id, force, now, at, e);
	free(at);
	return rc;
}

int flips_undo(struct flips *f, uint64_t id, bool force, struct error *e)
{
	char now[FACT_VALUE];

	return undo(f, id, force, now, e);
}

/* --- All. --- */

/* The oldest entry of what can be undone in one go, from the newest one of this setting back. With force
 * that is all of it. */
static size_t beginning(const struct flips *f, size_t newest, bool force)
{
	const struct flip_entry *all = f->journal.entry;
	size_t first = newest;

	for (size_t i = newest; i-- > 0;) {
		if (all[i].stale || strcmp(all[i].words, all[newest].words) != 0)
			continue;
		if (!force && !flips_is_of(&all[i], all[first].from))
			break;
		first = i;
	}
	return first;
}

struct round {
	struct flips *flips;
	bool force;
	flips_told_fn *told;
	void *arg;
	struct error *first;
	bool failed; /* first has a reason */
};

/* Undoes what one entry begins. False when that is not possible. */
static bool undo_from(struct round *r, size_t first)
{
	struct flip_entry n = r->flips->journal.entry[first];
	char now[FACT_VALUE] = "";
	struct error e = {""};
	int rc = undo(r->flips, n.id, r->force, now, &e);

	if (r->told)
		r->told(n.words, now[0] ? now : NULL, n.from, rc ? e.text : NULL, r->arg);
	if (rc && !r->failed && r->first)
		*r->first = e;
	r->failed |= rc != 0;
	return rc == 0;
}

/* Whether the words are among those of the entries with these numbers. */
static bool given_up(const struct flips *f, const uint64_t *id, size_t n, const char *words)
{
	for (size_t i = 0; i < n; i++) {
		long place = journal_find(&f->journal, id[i]);
		if (place >= 0 && strcmp(f->journal.entry[place].words, words) == 0)
			return true;
	}
	return false;
}

unsigned flips_undo_all(struct flips *f, bool force, flips_told_fn *told, void *arg,
			struct error *e)
{
	struct round r = {f, force, told, arg, e, false};
	size_t lost = 0;
	uint64_t *failed = calloc(f->journal.count + 1, sizeof(*failed));
	unsigned left = 0;

	/* Each goes with others of the same setting: after it the newest is looked for anew. */
	for (size_t at = f->journal.count; failed && at-- > 0;) {
		const struct flip_entry *n = &f->journal.entry[at];
		if (n->stale || given_up(f, failed, lost, n->words))
			continue;
		size_t first = beginning(f, at, force);
		uint64_t id = f->journal.entry[first].id;
		if (!undo_from(&r, first))
			failed[lost++] = id;
		at = f->journal.count;
	}
	free(failed);
	for (size_t i = 0; i < f->journal.count; i++)
		left += !f->journal.entry[i].stale;
	return left;
}
