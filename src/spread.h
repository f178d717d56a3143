/* spread.h - which of many places an IO goes to when some places are more popular than others.
 *
 * zipf: the place of rank k (from 1) has a share in proportion to k^-s. pareto:h: a share 1 - h of the IOs
 * goes to a share h of the places, and within these again (self-similar; h as fio's --random_distribution
 * has it): the first x of all places get x^c of the IOs, c = log(1 - h) / log(h).
 *
 * A rank is drawn in constant time without floating point: ranks are gathered in groups (each of the first
 * 1024 alone, then 64 groups to each doubling), groups are drawn by the alias method (Walker 1977; Vose
 * 1991), within a group all ranks are alike. Groups have exactly their law's share; within one, the law
 * differs from being even by less than exponent / 64 / 2. Ranks are then scattered over all places.
 */
#ifndef LUNSCOPE_SPREAD_H
#define LUNSCOPE_SPREAD_H

#include "random.h"
#include "workload.h"

#define SPREAD_SINGLES	    1024u
#define SPREAD_PER_DOUBLING 64u
#define SPREAD_COLUMN_BITS  12
#define SPREAD_COLUMNS	    (1u << SPREAD_COLUMN_BITS) /* no fewer than groups, up to 2^57 places */

struct spread_column {
	uint64_t keep; /* below this fraction (of 2^64) it is own, else other */
	uint16_t own, other;
};

struct spread_group {
	uint64_t first, count; /* ranks, from 0 */
};

struct spread_table {
	struct spread law;
	uint64_t places;
	uint32_t users; /* of whom each calls spread_table_leave() once; not atomic */
	struct spread_column column[SPREAD_COLUMNS];
	struct spread_group group[SPREAD_COLUMNS];
};

/* Whether it takes a table: zipf and pareto. */
bool spread_has_table(const struct spread *s);
/* For one user. NULL when out of memory. */
struct spread_table *spread_table_create(const struct spread *s, uint64_t places);
/* Whether it is what spread_table_create() would make. */
bool spread_table_is(const struct spread_table *t, const struct spread *s, uint64_t places);
/* The last one to leave frees it. */
void spread_table_leave(struct spread_table *t);

/* A rank from 0 on, from two independent random numbers. */
static inline uint64_t spread_rank(const struct spread_table *t, uint64_t u, uint64_t v)
{
	const struct spread_column *c = &t->column[u >> (64 - SPREAD_COLUMN_BITS)];
	uint16_t at = u << SPREAD_COLUMN_BITS < c->keep ? c->own : c->other;

	return t->group[at].first + random_scale(v, t->group[at].count);
}

/* The share of the IOs that the law gives to ranks first .. first + count - 1 of places, from 0 on; not
 * yet divided by the sum of all for zipf. */
double spread_weight(const struct spread *s, uint64_t places, uint64_t first, uint64_t count);

/* Where among places a rank lies: a permutation of 0 .. places - 1, one for each key. */
uint64_t spread_scatter(uint64_t rank, uint64_t places, uint64_t key);

/* "uniform", "zipf:1.1", "pareto:0.2", "hot:80/20". */
char *spread_format(char *out, size_t n, const struct spread *s);
int spread_parse(struct spread *s, const char *text, struct error *e);

#endif
