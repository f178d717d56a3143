/* ab_words.c - flips, sides and stages in words; see ab.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ab.h"

#define WORDS_MAX 40

/* Thue and Morse: B where the number has an odd count of ones. */
int ab_side(unsigned i)
{
	return __builtin_popcount(i) & 1 ? AB_B : AB_A;
}

unsigned ab_number(unsigned i)
{
	unsigned n = 1;

	for (unsigned before = 0; before < i; before++)
		n += ab_side(before) == ab_side(i);
	return n;
}

char *ab_order(char *out, size_t n, unsigned pairs)
{
	unsigned i = 0;

	for (; i < 2 * pairs && i + 1 < n; i++)
		out[i] = ab_side(i) == AB_A ? 'A' : 'B';
	out[i] = 0;
	return out;
}

/* Words `from` to `to`, with one blank between them. */
static void join(char *out, size_t n, char *const word[], unsigned from, unsigned to)
{
	size_t used = 0;

	out[0] = 0;
	for (unsigned i = from; i < to && used < n; i++)
		used += (size_t)snprintf(out + used, n - used, "%s%s", i > from ? " " : "",
					 word[i]);
}

static int not_a_flip(const char *text, struct error *e)
{
	return error_set(e, EINVAL,
			 "--flip '%.120s': write a setting and both its values, as in 'eth2 mtu "
			 "1500 9000' or 'sda scheduler none mq-deadline'",
			 text);
}

/* Values may have several words ("4096 131072 6291456"), and so may what is set: the most that names something
 * that can be. */
static unsigned words_that_name(struct ab_flip *f, char *const word[], unsigned n)
{
	unsigned named = 0;

	for (unsigned k = 1; k < n; k++) {
		join(f->words, sizeof(f->words), word, 0, k);
		if (flip_possible(f->words))
			named = k;
	}
	return named;
}

int ab_flip_parse(struct ab_flip *f, const char *text, struct error *e)
{
	char copy[FACT_WORDS + 2 * FACT_VALUE], value[FACT_VALUE], *word[WORDS_MAX], *rest;
	unsigned n = 0, named = 0;

	if (strlen(text) >= sizeof(copy))
		return not_a_flip(text, e);
	strcpy(copy, text);
	for (char *w = strtok_r(copy, " \t", &rest); w && n < WORDS_MAX;
	     w = strtok_r(NULL, " \t", &rest))
		word[n++] = w;
	named = words_that_name(f, word, n);
	/* "mtu eth2 1500 9000", as one says it. */
	if (!named && n >= 4) {
		char *first = word[0];
		word[0] = word[1];
		word[1] = first;
		named = words_that_name(f, word, n);
		if (!named) {
			word[1] = word[0];
			word[0] = first;
		}
	}
	if (!named && n >= 3) {
		join(f->words, sizeof(f->words), word, 0, n - 2);
		return error_set(e, EINVAL,
				 "--flip '%.120s': %.80s is no setting that lunscope can change: "
				 "lunscope env NIC (or TARGET) lists the names",
				 text, f->words);
	}
	unsigned values = n - named;
	if (!named || !values || values % 2)
		return not_a_flip(text, e);
	join(f->words, sizeof(f->words), word, 0, named);
	for (unsigned side = 0; side < 2; side++) {
		unsigned from = named + side * values / 2;
		join(value, sizeof(value), word, from, from + values / 2);
		int rc = flip_check(f->words, value, f->value[side], e);
		if (rc)
			return rc;
	}
	if (strcmp(f->value[AB_A], f->value[AB_B]) == 0)
		return error_set(e, EINVAL, "--flip '%.120s': both values are the same", text);
	return 0;
}

char *ab_flip_format(char *out, size_t n, const struct ab_flip *f)
{
	snprintf(out, n, "%s %s %s", f->words, f->value[AB_A], f->value[AB_B]);
	return out;
}

void ab_name_sides(struct ab_config *c)
{
	for (unsigned side = 0; side < 2; side++) {
		char *out = c->name[side];
		if (out[0])
			continue;
		for (unsigned i = 0; i < c->flips; i++)
			units_append(out, sizeof(c->name[side]), "%s%s %s", i ? ", " : "",
				     c->flip[i].words, c->flip[i].value[side]);
		if (!out[0])
			snprintf(out, sizeof(c->name[side]), "%c", 'A' + (int)side);
	}
}

bool ab_stage_scan(const char *text, int *side, unsigned *number, const char **name)
{
	char letter;
	unsigned at, of;
	int used = 0;

	if (sscanf(text, "%c %u of %u: %n", &letter, &at, &of, &used) != 3 || !used)
		return false;
	if ((letter != 'A' && letter != 'B') || at < 1 || at > of || of > COMPARE_PAIRS)
		return false;
	*side = letter - 'A';
	if (number)
		*number = at;
	if (name)
		*name = text + used;
	return true;
}

bool ab_mark_scan(const char *text)
{
	char letter;
	unsigned at, of;

	return sscanf(text, "%c %u of %u", &letter, &at, &of) == 3 ||
	       strncmp(text, AB_WAY, strlen(AB_WAY)) == 0 || strcmp(text, AB_OVER) == 0;
}

char *ab_progress(char *out, size_t n, const struct ab *ab)
{
	static const char *const doing[] = {
		[AB_ASKING] = "to be set",
		[AB_CHANGING] = "setting it",
		[AB_TURNING] = "waiting for IOs to flow",
		[AB_SETTLING] = "settling",
		[AB_MEASURING] = "measuring",
		[AB_DONE] = "done",
		[AB_STOPPED] = "stopped",
		[AB_FAILED] = "failed",
	};
	const struct ab_config *c = &ab->config;
	double since = (double)(clock_ns() - ab->since_ns) / 1e9;
	uint64_t of = ab->state == AB_SETTLING    ? c->settle_ns
		      : ab->state == AB_MEASURING ? c->segment_ns
						  : 0;
	unsigned at = ab->at < 2 * c->pairs ? ab->at : 2 * c->pairs - 1;

	out[0] = 0;
	units_append(out, n, "%c, segment %u of %u: %s", 'A' + ab_side(at), at + 1, 2 * c->pairs,
		     doing[ab->state]);
	if (of)
		units_append(out, n, ", %.0f of %.0f s", since, (double)of / 1e9);
	else if (ab->state == AB_TURNING)
		units_append(out, n, "%s%s, for %.0f s", ab->unlinked[0] ? ": no link at " : "",
			     ab->unlinked, since);
	return out;
}
