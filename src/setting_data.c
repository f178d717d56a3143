/* setting_data.c - what writes carry: random data or a fixed word, and how much an array can save of it. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "setting.h"
#include "units.h"

/* --- The kind. --- */

/* Fixed data by name; a step goes through them in this order. */
static const struct {
	const char *name;
	uint64_t word;
	uint32_t bytes;
} words[] = {
	{"zero", 0x00, 1},   {"ones", 0xff, 1},   {"aa", 0xaa, 1}, {"55", 0x55, 1},
	{"aa55", 0xaa55, 2}, {"55aa", 0x55aa, 2}, {"a5", 0xa5, 1}, {"5a", 0x5a, 1},
};
#define WORDS ((int)(sizeof(words) / sizeof(words[0])))
#define HEX   "hex:"

/* The word's place in the list; WORDS if it has none, -1 for random data. */
static int name_of(const struct data *d)
{
	int i = 0;

	if (d->kind == DATA_RANDOM)
		return -1;
	while (i < WORDS && (words[i].word != d->word || words[i].bytes != d->word_bytes))
		i++;
	return i;
}

static void set_word(struct data *d, uint64_t word, uint32_t bytes)
{
	/* The shortest that repeats to the same, so that the same data has one name. */
	while (bytes > 1 && word >> 4 * bytes == (word & ((1ull << 4 * bytes) - 1))) {
		bytes /= 2;
		word &= (1ull << 8 * bytes) - 1;
	}
	d->kind = DATA_WORD;
	d->word = word;
	d->word_bytes = bytes;
}

static void set_random(struct data *d)
{
	d->kind = DATA_RANDOM;
	d->word = d->word_bytes = 0;
}

static void format_data(char *out, size_t n, const struct workload *w)
{
	int i = name_of(&w->data);

	if (i < 0)
		snprintf(out, n, "random");
	else if (i < WORDS)
		snprintf(out, n, "%s", words[i].name);
	else
		snprintf(out, n, HEX "%0*" PRIX64, (int)w->data.word_bytes * 2, w->data.word);
}

/* "hex:" and 1, 2, 4 or 8 bytes; false for anything else. */
static bool parse_hex(struct data *d, const char *text)
{
	size_t digits;

	text += strspn(text, " \t");
	if (strncasecmp(text, HEX, strlen(HEX)) != 0)
		return false;
	text += strlen(HEX);
	digits = strspn(text, "0123456789abcdefABCDEF");
	if (text[digits + strspn(text + digits, " \t")] ||
	    (digits != 2 && digits != 4 && digits != 8 && digits != 16))
		return false;
	set_word(d, strtoull(text, NULL, 16), (uint32_t)digits / 2);
	return true;
}

static int parse_data(struct workload *w, const char *text, struct error *e)
{
	if (setting_is_word(text, "random")) {
		set_random(&w->data);
		return 0;
	}
	for (int i = 0; i < WORDS; i++)
		if (setting_is_word(text, words[i].name)) {
			set_word(&w->data, words[i].word, words[i].bytes);
			return 0;
		}
	if (parse_hex(&w->data, text))
		return 0;
	return error_set(e, EINVAL,
			 "data '%s': write random, zero, ones, aa, 55, aa55, 55aa, a5, 5a, or hex: "
			 "and 2, 4, 8 or 16 digits",
			 text);
}

/* Round and round: random, the names, random. A word without a name lies behind the last. */
static void data_step(struct workload *w, int dir, const struct workload_limits *l)
{
	int i = name_of(&w->data) + (dir > 0 ? 1 : -1);

	(void)l;
	if (i < -1)
		i = WORDS - 1;
	if (i >= 0 && i < WORDS)
		set_word(&w->data, words[i].word, words[i].bytes);
	else
		set_random(&w->data);
}

static int check_data(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	const struct data *d = &w->data;
	uint32_t n = d->word_bytes;
	(void)l;

	if (d->kind == DATA_RANDOM)
		return 0;
	if (d->kind != DATA_WORD)
		return error_set(e, EINVAL, "data: there is no kind %d", (int)d->kind);
	if ((n != 1 && n != 2 && n != 4 && n != 8) || (n < 8 && d->word >> 8 * n))
		return error_set(e, EINVAL,
				 "data: a word of %u bytes is none: 1, 2, 4 or 8 are possible", n);
	return 0;
}

const struct setting_ops setting_data = {.format = format_data,
					 .parse = parse_data,
					 .step = data_step,
					 .check = check_data,
					 .big = 1};

/* --- The dials. --- */

static int check_dial(const struct workload *w, const char *name, uint32_t percent, struct error *e)
{
	char kind[SETTING_SHORT];

	if (percent > 100)
		return error_set(e, EINVAL, "%s %u %%: from 0 to 100 are possible", name, percent);
	if (!percent || w->data.kind == DATA_RANDOM)
		return 0;
	format_data(kind, sizeof(kind), w);
	return error_set(e, EINVAL,
			 "%s %u %% needs random data, and data is %s: set data random, or %s 0",
			 name, percent, kind, name);
}

static void format_compress(char *out, size_t n, const struct workload *w)
{
	snprintf(out, n, "%u%%", w->data.compress);
}

static int parse_compress(struct workload *w, const char *text, struct error *e)
{
	return units_parse_percent(text, "compress", &w->data.compress, e);
}

static void compress_step(struct workload *w, int dir, const struct workload_limits *l)
{
	(void)l;
	w->data.compress = knob_step_percent(w->data.compress, dir, false);
}

static int check_compress(const struct workload *w, const struct workload_limits *l,
			  struct error *e)
{
	(void)l;
	return check_dial(w, "compress", w->data.compress, e);
}

static void format_dedupe(char *out, size_t n, const struct workload *w)
{
	snprintf(out, n, "%u%%", w->data.dedupe);
}

static int parse_dedupe(struct workload *w, const char *text, struct error *e)
{
	return units_parse_percent(text, "dedupe", &w->data.dedupe, e);
}

static void dedupe_step(struct workload *w, int dir, const struct workload_limits *l)
{
	(void)l;
	w->data.dedupe = knob_step_percent(w->data.dedupe, dir, false);
}

static int check_dedupe(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	(void)l;
	return check_dial(w, "dedupe", w->data.dedupe, e);
}

const struct setting_ops setting_compress = {.format = format_compress,
					     .parse = parse_compress,
					     .step = compress_step,
					     .check = check_compress,
					     .big = 2};
const struct setting_ops setting_dedupe = {.format = format_dedupe,
					   .parse = parse_dedupe,
					   .step = dedupe_step,
					   .check = check_dedupe,
					   .big = 2};
