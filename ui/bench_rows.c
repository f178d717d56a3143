/* bench_rows.c - see bench_rows.h. */
#include "bench_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env/files.h"

enum kind { NIC, SYSCTL, QUEUE };

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

static void heading(struct bench_row *r, const struct place *p)
{
	static const char *const what[] = {"NIC ", "sysctls", "queue of "};

	snprintf(r->text, sizeof(r->text), "%s%.60s", what[p->kind], p->group);
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
		if (i == 0 || p[i].kind != p[i - 1].kind || strcmp(p[i].group, p[i - 1].group) != 0)
			heading(&rows.row[rows.count++], &p[i]);
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
