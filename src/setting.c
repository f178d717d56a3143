/* setting.c - the list of all settings; the knobs' own are in knob.c, the others in setting_*.c. */
#include "setting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "units.h"

#define X(id, ops, ...) extern const struct setting_ops setting_##ops;
SETTING_TABLE(X)
#undef X

static const struct setting_ops *const ops_of[SETTING_COUNT - KNOB_COUNT] = {
#define X(id, ops, ...) [id - KNOB_COUNT] = &setting_##ops,
	SETTING_TABLE(X)
#undef X
};

static const struct setting_info extra[SETTING_COUNT - KNOB_COUNT] = {
#define X(id, ops, option, argument, mark, name, help, example) \
	[id - KNOB_COUNT] = {option, argument, mark, name, help, example},
	SETTING_TABLE(X)
#undef X
};

static const char *knob_example(enum knob k)
{
	switch (k) {
	case KNOB_WORKERS:
	case KNOB_OUTSTANDING: return "a number, as 32";
	case KNOB_BLOCK: return "a size, as 4k, 64K, 1M";
	case KNOB_READ:
	case KNOB_RANDOM: return "a percentage, as 70";
	case KNOB_RATE: return "IO/s, as 500, 50k, or max";
	case KNOB_COUNT: break;
	}
	return "";
}

static bool is_knob(enum setting s)
{
	return (int)s < KNOB_COUNT;
}

static const struct setting_ops *ops(enum setting s)
{
	return ops_of[s - KNOB_COUNT];
}

struct setting_info setting_info(enum setting s)
{
	if (!is_knob(s))
		return extra[s - KNOB_COUNT];
	enum knob k = (enum knob)s;
	return (struct setting_info){knobs[k].option, "",
				     knobs[k].option, knobs[k].name,
				     knobs[k].help,   knob_example(k)};
}

bool setting_is_words(enum setting s)
{
	return !is_knob(s) && ops(s)->words;
}

bool setting_is_long(enum setting s)
{
	return !is_knob(s) && ops(s)->brief;
}

char *setting_format(char *out, size_t n, const struct workload *w, enum setting s)
{
	out[0] = '\0';
	if (is_knob(s))
		return knob_format(out, n, w, (enum knob)s);
	ops(s)->format(out, n, w);
	return out;
}

char *setting_brief(char *out, size_t n, const struct workload *w, enum setting s)
{
	if (is_knob(s) || !ops(s)->brief)
		return setting_format(out, n, w, s);
	out[0] = '\0';
	ops(s)->brief(out, n, w);
	return out;
}

bool setting_gives_way(const struct workload *w, enum setting s)
{
	if (!w->access.count)
		return false;
	/* Appends to a log have the block size of the knob still. */
	if ((int)s == KNOB_BLOCK || s == SETTING_ALIGN)
		return !w->log_pct;
	return (int)s == KNOB_READ || (int)s == KNOB_RANDOM || s == SETTING_BURST ||
	       s == SETTING_THINK;
}

int setting_check_way(const struct workload *w, enum setting s, struct error *e)
{
	if (!setting_gives_way(w, s))
		return 0;
	return error_set(e, EINVAL,
			 "%s is set by the access lines; clear them first (a, Access lines: none)",
			 setting_info(s).mark);
}

bool setting_same(const struct workload *a, const struct workload *b, enum setting s)
{
	char x[SETTING_LONG], y[SETTING_LONG];

	return strcmp(setting_format(x, sizeof(x), a, s), setting_format(y, sizeof(y), b, s)) == 0;
}

bool setting_is_word(const char *text, const char *word)
{
	size_t n;

	text += strspn(text, " \t");
	n = strcspn(text, " \t");
	return n == strlen(word) && !text[n + strspn(text + n, " \t")] &&
	       strncasecmp(text, word, n) == 0;
}

int setting_parse(struct workload *w, enum setting s, const char *text, struct error *e)
{
	struct workload then = *w;
	int rc = is_knob(s) ? knob_parse(&then, (enum knob)s, text, e)
			    : ops(s)->parse(&then, text, e);

	if (rc == 0)
		*w = then;
	return rc;
}

int setting_scan(struct workload *w, enum setting s, const char *text)
{
	struct workload then = *w;

	if (is_knob(s) || !ops(s)->scan)
		return setting_parse(w, s, text, NULL);
	if (ops(s)->scan(&then, text))
		return -EINVAL;
	*w = then;
	return 0;
}

int setting_step(struct workload *w, enum setting s, int dir, bool big,
		 const struct workload_limits *l, struct error *e)
{
	struct workload then = *w;
	int rc = setting_check_way(w, s, e);

	if (rc)
		return rc;
	if (is_knob(s))
		then = knob_step(then, (enum knob)s, dir, big, l->logical_block);
	unsigned steps = is_knob(s) ? 0 : big && ops(s)->big ? ops(s)->big : 1;
	for (; steps > 0; steps--)
		ops(s)->step(&then, dir, l);
	if (setting_same(w, &then, s)) {
		char was[SETTING_SHORT];
		return error_set(e, ERANGE, "%s: %s is the %s there is", setting_info(s).name,
				 setting_brief(was, sizeof(was), w, s), dir > 0 ? "most" : "least");
	}
	*w = then;
	return 0;
}

int setting_check(const struct workload *w, enum setting s, const struct workload_limits *l,
		  struct error *e)
{
	return is_knob(s) || !ops(s)->check ? 0 : ops(s)->check(w, l, e);
}
