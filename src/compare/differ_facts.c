/* differ_facts.c - see differ_facts.h. */
#include "compare/differ_facts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env/facts.h"
#include "env/files.h"
#include "export.h"
#include "units.h"

#define GROUPS_MAX 64

enum kind { NIC, QUEUE, KINDS, ALONE = KINDS /* a sysctl */ };

/* "eth2", of "eth2 mtu". */
struct group {
	char name[FACT_WORDS];
	bool in[2]; /* which sides have it */
};

struct groups {
	struct group group[GROUPS_MAX];
	unsigned count;
};

struct change {
	char who[FACT_WORDS]; /* "eth2"; "" of a sysctl */
	const char *what;     /* "mtu" */
	const char *from, *to;
	bool told;
};

struct changes {
	struct change *change;
	size_t count;
};

static enum kind kind_of(const char *words)
{
	if (env_is_sysctl(words) || !strchr(words, ' '))
		return ALONE;
	return env_is_queue(words) ? QUEUE : NIC;
}

/* --- Who there is. --- */

static void group_add(struct groups *g, const char *words, int side)
{
	const size_t n = strcspn(words, " ");
	unsigned i = 0;

	while (i < g->count &&
	       (strlen(g->group[i].name) != n || strncmp(g->group[i].name, words, n) != 0))
		i++;
	if (i == GROUPS_MAX)
		return;
	if (i == g->count)
		snprintf(g->group[g->count++].name, FACT_WORDS, "%.*s", (int)n, words);
	g->group[i].in[side] = true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct group *)a)->name, ((const struct group *)b)->name);
}

static void find_groups(struct groups g[KINDS], const json_t *const facts[2])
{
	const char *words;
	json_t *value;

	for (int side = 0; side < 2; side++)
		json_object_foreach((json_t *)facts[side], words, value)
		{
			enum kind k = kind_of(words);
			if (k != ALONE)
				group_add(&g[k], words, side);
		}
	for (int k = 0; k < KINDS; k++)
		qsort(g[k].group, g[k].count, sizeof(struct group), by_name);
}

/* The only one that only this side has; NULL: there is none, or there are several. */
static const struct group *lone(const struct groups *g, int side)
{
	const struct group *found = NULL;

	for (unsigned i = 0; i < g->count; i++) {
		if (!g->group[i].in[side] || g->group[i].in[!side])
			continue;
		if (found)
			return NULL;
		found = &g->group[i];
	}
	return found;
}

/* Those of one side, in words. Returns how many. */
static unsigned list_side(const struct groups *g, int side, char *out, size_t n)
{
	unsigned count = 0;

	out[0] = 0;
	for (unsigned i = 0; i < g->count; i++)
		if (g->group[i].in[side])
			units_append(out, n, "%s%s", count++ ? ", " : "", g->group[i].name);
	return count;
}

/* Which disk it is says the target. */
static void tell_nics(json_t *list, const struct groups *g)
{
	char a[160], b[160], line[400];
	bool same = true;

	for (unsigned i = 0; i < g->count; i++)
		same &= g->group[i].in[0] == g->group[i].in[1];
	/* Where there are none at all, nobody looked. */
	if (same || !list_side(g, 0, a, sizeof(a)) || !list_side(g, 1, b, sizeof(b)))
		return;
	snprintf(line, sizeof(line), "NICs: %s > %s", a, b);
	json_array_append_new(list, export_text(line));
}

/* --- What they are set to. --- */

/* The same setting of the other side; NULL: it does not have it. */
static const json_t *counterpart(const struct groups g[KINDS], const char *words, const json_t *b,
				 struct change *c)
{
	enum kind k = kind_of(words);
	const size_t n = strcspn(words, " ");
	char other[2 * FACT_WORDS];

	c->what = k == ALONE ? words : words + n + 1;
	snprintf(c->who, sizeof(c->who), "%.*s", k == ALONE ? 0 : (int)n, words);
	const json_t *same = json_object_get(b, words);
	if (same || k == ALONE)
		return same;
	const struct group *mine = lone(&g[k], 0), *its = lone(&g[k], 1);
	if (!mine || !its || strcmp(mine->name, c->who) != 0)
		return NULL;
	snprintf(other, sizeof(other), "%s %s", its->name, c->what);
	snprintf(c->who, sizeof(c->who), "%.30s > %.30s", mine->name, its->name);
	return json_object_get(b, other);
}

static void find_changes(struct changes *all, const struct groups g[KINDS], const json_t *a,
			 const json_t *b)
{
	const char *words;
	json_t *value;

	all->change = calloc(json_object_size(a) + 1, sizeof(*all->change));
	json_object_foreach((json_t *)a, words, value)
	{
		struct change c = {.told = false};
		const json_t *other = counterpart(g, words, b, &c);
		if (!all->change || !other || json_equal(value, other))
			continue;
		c.from = json_string_value(value);
		c.to = json_string_value(other);
		if (c.from && c.to)
			all->change[all->count++] = c;
	}
}

static bool alike(const struct change *x, const struct change *y)
{
	return *x->who && *y->who && strcmp(x->what, y->what) == 0 &&
	       strcmp(x->from, y->from) == 0 && strcmp(x->to, y->to) == 0;
}

static void tell(json_t *list, struct changes *all, size_t at)
{
	const struct change *c = &all->change[at];
	char line[512];

	snprintf(line, sizeof(line), "%s", c->who);
	for (size_t i = at + 1; i < all->count; i++) {
		struct change *other = &all->change[i];
		if (other->told || !alike(c, other))
			continue;
		other->told = true;
		units_append(line, sizeof(line) - 2 * FACT_VALUE, ", %s", other->who);
	}
	units_append(line, sizeof(line), "%s%s: %.100s > %.100s", *c->who ? " " : "", c->what,
		     *c->from ? c->from : "none", *c->to ? c->to : "none");
	json_array_append_new(list, export_text(line));
}

void facts_differ(json_t *list, const json_t *a, const json_t *b)
{
	const json_t *const facts[2] = {a, b};
	struct groups *g = calloc(KINDS, sizeof(*g));
	struct changes all = {NULL, 0};

	if (!g)
		return;
	find_groups(g, facts);
	tell_nics(list, &g[NIC]);
	find_changes(&all, g, a, b);
	for (size_t i = 0; i < all.count; i++)
		if (!all.change[i].told)
			tell(list, &all, i);
	free(all.change);
	free(g);
}

/* --- What only one side has. --- */

static unsigned count_of(const json_t *facts, const char *name)
{
	const size_t length = strlen(name);
	const char *words;
	json_t *value;
	unsigned n = 0;

	json_object_foreach((json_t *)facts, words, value)
	{
		n += strncmp(words, name, length) == 0 && words[length] == ' ';
	}
	return n;
}

char *facts_of_one(char *out, size_t n, const json_t *a, const json_t *b, int side)
{
	const json_t *const facts[2] = {a, b};
	struct groups *g = calloc(KINDS, sizeof(*g));

	out[0] = 0;
	if (!g)
		return out;
	find_groups(g, facts);
	for (int k = 0; k < KINDS; k++) {
		bool compared = lone(&g[k], 0) && lone(&g[k], 1);
		for (unsigned i = 0; i < g[k].count && !compared; i++) {
			const struct group *one = &g[k].group[i];
			if (!one->in[side] || one->in[!side])
				continue;
			unsigned count = count_of(facts[side], one->name);
			units_append(out, n, "%s%s (%u setting%s)", out[0] ? ", " : "", one->name,
				     count, count == 1 ? "" : "s");
		}
	}
	free(g);
	return out;
}
