/* bench_rows.c - see bench_rows.h. */
#include "bench_rows.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env/files.h"

/* In this order. */
enum kind { NIC, QUEUE, SYSCTL };

struct place {
	const struct fact *fact;
	enum kind kind;
	char group[FACT_WORDS];
	const char *rest;
	int rank;
};

/* What is asked for most comes first. */
static const char *const order[] = {"mtu",  "link",     "speed",   "pause",       "tso",
				    "gso",  "gro",      "lro",     "rx checksum", "tx checksum",
				    "ring", "coalesce", "channels"};
#define ORDER ((int)(sizeof(order) / sizeof(*order)))
#define RARE  10 /* "ring" */

static int rank_of(const char *rest)
{
	for (int i = 0; i < ORDER; i++)
		if (strncmp(rest, order[i], strlen(order[i])) == 0)
			return i;
	return ORDER;
}

static struct place place_of(const struct fact *f)
{
	struct place p = {.fact = f, .kind = SYSCTL, .rest = f->words};
	size_t n = strcspn(f->words, " ");

	if (env_is_sysctl(f->words) || !f->words[n])
		return p;
	p.kind = env_is_queue(f->words) ? QUEUE : NIC;
	snprintf(p.group, sizeof(p.group), "%.*s", (int)n, f->words);
	p.rest = f->words + n + 1;
	if (p.kind == NIC)
		p.rank = rank_of(p.rest);
	return p;
}

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int by = (x->kind > y->kind) - (x->kind < y->kind);

	if (by == 0)
		by = strcmp(x->group, y->group);
	if (by == 0)
		by = (x->rank > y->rank) - (x->rank < y->rank);
	return by ? by : strcmp(x->rest, y->rest);
}

/* Of rings and the like a driver often has none, which would fill a screen. */
static bool left_out(const struct place *p)
{
	return p->kind == NIC && p->rank >= RARE && p->rank < ORDER &&
	       strcmp(p->fact->value, "(not supported)") == 0;
}

static bool same_group(const struct place *a, const struct place *b)
{
	return a->kind == b->kind && strcmp(a->group, b->group) == 0;
}

/* Whether nothing of this rank is there, in the group that begins at p. */
static bool all_left_out(const struct place *p, size_t n, int rank)
{
	for (size_t i = 0; i < n && same_group(p, &p[i]); i++)
		if (p[i].rank == rank && !left_out(&p[i]))
			return false;
	return true;
}

static bool is_gone(const struct place *p, size_t n)
{
	for (size_t i = 0; i < n && same_group(p, &p[i]); i++)
		if (p[i].kind == NIC && strcmp(p[i].rest, "link") == 0)
			return strcmp(p[i].fact->value, "gone") == 0;
	return false;
}

/* Of the group that begins at p: "NIC eth2 (the driver has no ring, coalesce)". */
static void heading(struct bench_row *r, const struct place *p, size_t n)
{
	static const char *const what[] = {"NIC ", "queue of ", "sysctls"};
	int told = -1;

	snprintf(r->text, sizeof(r->text), "%s%.40s%s", what[p->kind], p->group,
		 is_gone(p, n) ? " is gone; it was set to" : "");
	for (size_t i = 0; i < n && same_group(p, &p[i]); i++) {
		if (!left_out(&p[i]) || p[i].rank == told || !all_left_out(p, n, p[i].rank))
			continue;
		size_t used = strlen(r->text);
		snprintf(r->text + used, sizeof(r->text) - used, "%s%s",
			 told < 0 ? " (the driver has no " : ", ", order[p[i].rank]);
		told = p[i].rank;
	}
	if (told >= 0)
		snprintf(r->text + strlen(r->text), sizeof(r->text) - strlen(r->text), ")");
}

struct bench_rows bench_rows(const struct facts *f)
{
	struct bench_rows rows = {calloc(2 * f->count + 1, sizeof(*rows.row)), 0};
	struct place *p = calloc(f->count + 1, sizeof(*p));

	for (size_t i = 0; p && i < f->count; i++)
		p[i] = place_of(&f->fact[i]);
	if (p)
		qsort(p, f->count, sizeof(*p), compare);
	for (size_t i = 0; p && rows.row && i < f->count; i++) {
		if (i == 0 || !same_group(&p[i], &p[i - 1]))
			heading(&rows.row[rows.count++], &p[i], f->count - i);
		if (left_out(&p[i]))
			continue;
		rows.row[rows.count].fact = p[i].fact;
		snprintf(rows.row[rows.count++].text, FACT_WORDS, "%s", p[i].rest);
	}
	free(p);
	return rows;
}

void bench_rows_free(struct bench_rows *r)
{
	free(r->row);
	r->row = NULL;
	r->count = 0;
}
