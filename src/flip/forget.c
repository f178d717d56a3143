/* forget.c - striking off what can't be put back any more; see flip.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "flip/flip_internal.h"
#include "flip/netns.h"

/* No two that live have the same inode: one of which only the cookie differs from ours is gone. */
static struct netns_found find(const struct flips *f, const struct flip_entry *n)
{
	if (n->netns && n->netns == f->journal.netns)
		return (struct netns_found){.where = NETNS_NOWHERE};
	return netns_find(n->netns);
}

char *flips_where_words(char *out, size_t n, const struct flips *f, const struct flip_entry *entry)
{
	struct netns_found at = find(f, entry);
	char name[4 * NAME_MAX];

	if (at.where == NETNS_NAMED)
		snprintf(out, n, "in network namespace %s: ip netns exec %s lunscope restore",
			 at.name, flip_quoted(at.name, name, sizeof(name)));
	else if (at.where == NETNS_PROCESS)
		snprintf(out, n,
			 "in another network namespace, that of pid %d: nsenter -t %d -n lunscope "
			 "restore",
			 at.pid, at.pid);
	else if (at.where == NETNS_NOWHERE)
		snprintf(out, n,
			 "in a network namespace that no name and no process leads to any more: "
			 "lunscope restore --forget strikes it off");
	else
		snprintf(out, n,
			 "in another network namespace: call lunscope restore there, or, if it is "
			 "gone, lunscope restore --forget");
	return out;
}

/* The namespace, NIC or device is not there any more, as far as can be seen. */
static bool is_lost(const struct flips *f, const struct flip_entry *n)
{
	char now[FACT_VALUE];

	if (n->elsewhere || n->rebooted)
		return false;
	/* What can't be found the operator knows better. */
	if (n->stale) {
		enum netns_where where = find(f, n).where;
		return where == NETNS_NOWHERE || where == NETNS_HIDDEN;
	}
	int rc = flip_read(n->words, now, sizeof(now), NULL);
	return rc == -ENODEV || rc == -ENOENT;
}

unsigned flips_forget(struct flips *f, void (*told)(const struct flip_entry *n, void *arg),
		      void *arg)
{
	struct journal *j = &f->journal;
	size_t *at = calloc(j->count + 1, sizeof(*at)), n = 0;

	if (!at)
		return 0;
	for (size_t i = 0; i < j->count; i++) {
		if (!is_lost(f, &j->entry[i]))
			continue;
		if (told)
			told(&j->entry[i], arg);
		at[n++] = i;
	}
	/* What can't be read goes when nothing else is left to be kept. */
	if (n == j->count)
		j->bad = 0;
	journal_undone(j, at, n);
	free(at);
	return (unsigned)n;
}
