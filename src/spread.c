/* spread.c - the laws of popularity, their tables and their text; see spread.h. */
#include "spread.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "setting.h"

#define ZIPF_MAX   10000u /* thousandths */
#define PARETO_MAX 500u

/* --- The laws. --- */

/* The sum of k^-s over ranks from..to - 1 (from 1 on). Far out by the integral between the half-way points:
 * the midpoint rule, off by s (s + 1) / 24 from^2, that is below 10^-5 for the steepest. */
static double zipf_weight(double s, uint64_t from, uint64_t to)
{
	if (to - from == 1)
		return pow((double)from, -s);
	double a = (double)from - 0.5, b = (double)to - 0.5;
	/* Written so that close bounds do not cancel, and that s = 1 is no special case but its limit. */
	double t = log(b / a) * (1 - s);
	return pow(a, 1 - s) * log(b / a) * (fabs(t) < 1e-12 ? 1 : expm1(t) / t);
}

static double pareto_weight(double h, uint64_t places, uint64_t from, uint64_t to)
{
	double c = log1p(-h) / log(h), n = (double)places;

	return pow((double)to / n, c) - pow((double)from / n, c);
}

double spread_weight(const struct spread *s, uint64_t places, uint64_t first, uint64_t count)
{
	double parameter = s->milli / 1000.0, sum = 0;

	if (s->kind == SPREAD_PARETO)
		return pareto_weight(parameter, places, first, first + count);
	/* Near the head the midpoint rule does not hold: one by one. */
	for (; count && first < SPREAD_SINGLES; first++, count--)
		sum += zipf_weight(parameter, first + 1, first + 2);
	return count ? sum + zipf_weight(parameter, first + 1, first + 1 + count) : sum;
}

bool spread_has_table(const struct spread *s)
{
	return s->kind == SPREAD_ZIPF || s->kind == SPREAD_PARETO;
}

/* --- Tables. --- */

static unsigned make_groups(struct spread_table *t)
{
	unsigned n = 0;

	for (uint64_t at = 0; at < t->places && n < SPREAD_COLUMNS; n++) {
		uint64_t doubling = at < SPREAD_SINGLES ? 0 : 1ull << (63 - __builtin_clzll(at));
		uint64_t count = doubling ? doubling / SPREAD_PER_DOUBLING : 1;
		if (count > t->places - at)
			count = t->places - at;
		t->group[n] = (struct spread_group){at, count};
		at += count;
	}
	return n;
}

/* Vose's construction: columns with less than their even share are filled up from one with more. */
static void make_columns(struct spread_table *t, double *share)
{
	uint16_t poor[SPREAD_COLUMNS], rich[SPREAD_COLUMNS];
	unsigned poors = 0, riches = 0;

	for (unsigned i = 0; i < SPREAD_COLUMNS; i++) {
		t->column[i] = (struct spread_column){UINT64_MAX, (uint16_t)i, (uint16_t)i};
		if (share[i] < 1)
			poor[poors++] = (uint16_t)i;
		else
			rich[riches++] = (uint16_t)i;
	}
	while (poors && riches) {
		uint16_t p = poor[--poors], r = rich[riches - 1];
		t->column[p].keep = (uint64_t)(share[p] * 0x1p64);
		t->column[p].other = r;
		share[r] -= 1 - share[p];
		if (share[r] < 1) {
			riches--;
			poor[poors++] = r;
		}
	}
	/* What is left differs from its even share by rounding only. */
}

struct spread_table *spread_table_create(const struct spread *s, uint64_t places)
{
	struct spread_table *t = calloc(1, sizeof(*t));
	double share[SPREAD_COLUMNS] = {0}, sum = 0;

	if (!t)
		return NULL;
	t->law = *s;
	t->places = places;
	t->users = 1;
	unsigned groups = make_groups(t);
	for (unsigned i = 0; i < groups; i++) {
		share[i] = spread_weight(s, places, t->group[i].first, t->group[i].count);
		sum += share[i];
	}
	for (unsigned i = 0; i < groups; i++)
		share[i] *= SPREAD_COLUMNS / sum;
	make_columns(t, share);
	return t;
}

bool spread_table_is(const struct spread_table *t, const struct spread *s, uint64_t places)
{
	return t->places == places && t->law.kind == s->kind && t->law.milli == s->milli;
}

void spread_table_leave(struct spread_table *t)
{
	if (--t->users == 0)
		free(t);
}

/* --- Scattering. --- */

/* Each step can be undone on numbers of so many bits, so together they are a permutation of these;
 * what falls outside of the places goes round again until it does not ("cycle walking": Black and
 * Rogaway 2002), less than twice on average. Bits go from low to high by multiplying and back by the
 * shifts, as in the finalizers of hash functions. */
uint64_t spread_scatter(uint64_t rank, uint64_t places, uint64_t key)
{
	if (places < 2)
		return 0;
	unsigned bits = 64 - (unsigned)__builtin_clzll(places - 1), half = (bits + 1) / 2;
	uint64_t mask = UINT64_MAX >> (64 - bits), x = rank;

	do {
		x = ((x ^ key) * 0xbf58476d1ce4e5b9ull) & mask;
		x ^= x >> half;
		x = ((x + (key >> 17)) * 0x94d049bb133111ebull) & mask;
		x ^= x >> half;
		x = (x * RANDOM_MULTIPLIER) & mask;
		x ^= x >> half;
	} while (x >= places);
	return x;
}

/* --- Text. --- */

/* Thousandths in the fewest digits: "1.1", "2", "0.25". */
static void format_milli(char *out, size_t n, const char *name, uint32_t milli)
{
	int used = snprintf(out, n, "%s:%u.%03u", name, milli / 1000, milli % 1000);

	if (used < 0 || (size_t)used >= n)
		return;
	while (out[used - 1] == '0')
		out[--used] = '\0';
	if (out[used - 1] == '.')
		out[--used] = '\0';
}

char *spread_format(char *out, size_t n, const struct spread *s)
{
	switch (s->kind) {
	case SPREAD_UNIFORM: snprintf(out, n, "uniform"); break;
	case SPREAD_ZIPF: format_milli(out, n, "zipf", s->milli); break;
	case SPREAD_PARETO: format_milli(out, n, "pareto", s->milli); break;
	case SPREAD_HOT: snprintf(out, n, "hot:%u/%u", s->ios, s->range); break;
	}
	return out;
}

/* Digits at *p, at most 9 of them, as a number; false when there are none or more. */
static bool take_digits(const char **p, uint32_t *value, unsigned *digits)
{
	*value = 0;
	for (*digits = 0; isdigit((unsigned char)**p) && *digits < 10; (*p)++, (*digits)++)
		*value = *value * 10 + (uint32_t)(**p - '0');
	return *digits > 0 && *digits < 10;
}

static bool ends(const char *p)
{
	return p[strspn(p, " \t")] == '\0';
}

/* "1.1" as 1100; false when it is none, or has more than three digits behind the point. */
static bool parse_milli(const char *p, uint32_t *milli)
{
	uint32_t whole, part = 0;
	unsigned digits, behind = 0;

	if (!take_digits(&p, &whole, &digits) || whole > 1000)
		return false;
	if (*p == '.' && (p++, !take_digits(&p, &part, &behind)))
		return false;
	if (behind > 3 || !ends(p))
		return false;
	for (; behind < 3; behind++)
		part *= 10;
	*milli = whole * 1000 + part;
	return true;
}

static bool parse_hot(const char *p, struct spread *s)
{
	unsigned digits;

	if (!take_digits(&p, &s->ios, &digits))
		return false;
	p += *p == '%';
	if (*p++ != '/' || !take_digits(&p, &s->range, &digits))
		return false;
	p += *p == '%';
	return ends(p) && s->ios >= 1 && s->ios <= 100 && s->range >= 1 && s->range <= 99;
}

/* What stands behind "name:", or NULL. */
static const char *after(const char *text, const char *name)
{
	size_t n = strlen(name);

	return strncasecmp(text, name, n) == 0 && text[n] == ':' ? text + n + 1 : NULL;
}

int spread_parse(struct spread *out, const char *text, struct error *e)
{
	struct spread s = {0};
	const char *p;

	text += strspn(text, " \t");
	if ((p = after(text, "zipf"))) {
		s.kind = SPREAD_ZIPF;
		if (!parse_milli(p, &s.milli) || s.milli < 1 || s.milli > ZIPF_MAX)
			return error_set(
				e, EINVAL,
				"spread '%s': the exponent of zipf is from 0.001 to 10, as "
				"zipf:1.1",
				text);
	} else if ((p = after(text, "pareto"))) {
		s.kind = SPREAD_PARETO;
		if (!parse_milli(p, &s.milli) || s.milli < 1 || s.milli > PARETO_MAX)
			return error_set(
				e, EINVAL,
				"spread '%s': the share of pareto is from 0.001 to 0.5, as "
				"pareto:0.2 for 80 %% of the IOs to 20 %% of the places",
				text);
	} else if ((p = after(text, "hot"))) {
		s.kind = SPREAD_HOT;
		if (!parse_hot(p, &s))
			return error_set(
				e, EINVAL,
				"spread '%s': write hot:80/20 for 80 %% of the random IOs to "
				"the first 20 %% of the range (1 to 100, 1 to 99)",
				text);
	} else if (!setting_is_word(text, "uniform")) {
		return error_set(e, EINVAL,
				 "spread '%s': write uniform, zipf:1.1, pareto:0.2 or hot:80/20",
				 text);
	}
	*out = s;
	return 0;
}
