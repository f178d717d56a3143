/* setting.c - printing, parsing and stepping of all settings; the knobs' own are in knob.c. */
#include "setting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "units.h"

static const struct setting_info extra[SETTING_COUNT - KNOB_COUNT] = {
#define X(id, mark, name, help, example) [id - KNOB_COUNT] = {mark, name, help, example},
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

struct setting_info setting_info(enum setting s)
{
	if (!is_knob(s))
		return extra[s - KNOB_COUNT];
	enum knob k = (enum knob)s;
	return (struct setting_info){knobs[k].option, knobs[k].name, knobs[k].help,
				     knob_example(k)};
}

char *setting_format(char *out, size_t n, const struct workload *w, enum setting s)
{
	if (is_knob(s))
		return knob_format(out, n, w, (enum knob)s);
	switch (s) {
	case SETTING_ALIGN:
		if (w->align)
			return units_size_exact(out, n, w->align);
		snprintf(out, n, "block");
		break;
	case SETTING_START: return units_size_exact(out, n, w->range_start);
	case SETTING_LENGTH:
		if (w->range_length)
			return units_size_exact(out, n, w->range_length);
		snprintf(out, n, "end");
		break;
	case SETTING_SHARE: snprintf(out, n, "%s", w->share_range ? "shared" : "split"); break;
	default: out[0] = '\0'; break;
	}
	return out;
}

/* --- Parsing --- */

/* Text without blanks at either end is one of the two words. */
static bool is_word(const char *text, const char *one, const char *other)
{
	char word[16];
	size_t n;

	text += strspn(text, " \t");
	n = strcspn(text, " \t");
	if (n >= sizeof(word) || text[n + strspn(text + n, " \t")])
		return false;
	memcpy(word, text, n);
	word[n] = '\0';
	return strcasecmp(word, one) == 0 || strcasecmp(word, other) == 0;
}

static int parse_align(struct workload *w, const char *text, struct error *e)
{
	uint64_t v = 0;
	int rc = is_word(text, "block", "0") ? 0 : units_parse_size(text, &v, e);

	if (rc == 0 && v > ALIGN_MAX)
		rc = error_set(e, EINVAL, "alignment '%s': up to 1 GiB is possible, or block",
			       text);
	if (rc == 0)
		w->align = (uint32_t)v;
	return rc;
}

static int parse_length(struct workload *w, const char *text, struct error *e)
{
	uint64_t v = 0;
	bool all = is_word(text, "end", "all");
	int rc = all ? 0 : units_parse_size(text, &v, e);

	if (rc == 0 && v == 0 && !all)
		rc = error_set(e, EINVAL, "a range of '%s' holds nothing: give a size, or end",
			       text);
	if (rc == 0)
		w->range_length = v;
	return rc;
}

static int parse_share(struct workload *w, const char *text, struct error *e)
{
	bool shared = is_word(text, "shared", "share");

	if (!shared && !is_word(text, "split", "split"))
		return error_set(e, EINVAL, "range '%s': write split or shared", text);
	w->share_range = shared;
	return 0;
}

int setting_parse(struct workload *w, enum setting s, const char *text, struct error *e)
{
	if (is_knob(s))
		return knob_parse(w, (enum knob)s, text, e);
	switch (s) {
	case SETTING_ALIGN: return parse_align(w, text, e);
	case SETTING_START: return units_parse_size(text, &w->range_start, e);
	case SETTING_LENGTH: return parse_length(w, text, e);
	case SETTING_SHARE: return parse_share(w, text, e);
	default: return -EINVAL;
	}
}

/* --- Stepping --- */

static uint32_t step_align(uint32_t v, int dir, uint32_t smallest)
{
	if (dir < 0)
		return v <= smallest ? 0 : v / 2 < smallest ? smallest : v / 2;
	if (v < smallest)
		return smallest;
	return v > ALIGN_MAX / 2 ? v : v * 2;
}

static uint64_t power_below(uint64_t v)
{
	uint64_t p = 1;

	while (p < v / 2 + v % 2)
		p *= 2;
	return p;
}

/* 0 is the whole rest of the target, which is more than any power of two within it. */
static uint64_t step_length(uint64_t v, int dir, uint64_t room, uint32_t smallest)
{
	uint64_t p;

	if (dir > 0) {
		for (p = smallest; p <= v && v; p *= 2)
			;
		return v && p < room ? p : 0;
	}
	p = power_below(v ? v : room);
	return p < smallest ? (v ? v : smallest) : p;
}

static uint64_t step_start(const struct workload *w, int dir, const struct workload_limits *l,
			   uint32_t block)
{
	uint64_t hop = w->range_length, last;

	if (!hop)
		hop = power_below(l->target_size / 16 + 1);
	hop -= hop % block;
	if (!hop)
		hop = block;
	if (dir < 0)
		return w->range_start < hop ? 0 : w->range_start - hop;
	if (w->range_length)
		last = l->target_size > w->range_length ? l->target_size - w->range_length : 0;
	else
		last = l->target_size > hop ? l->target_size - hop : 0;
	last -= last % block;
	/* A start that was typed may lie beyond: a step up never leads down. */
	if (w->range_start >= last)
		return w->range_start;
	return last - w->range_start < hop ? last : w->range_start + hop;
}

static void step_extra(struct workload *w, enum setting s, int dir, const struct workload_limits *l)
{
	uint32_t block = l->logical_block ? l->logical_block : 512;
	uint64_t room = l->target_size > w->range_start ? l->target_size - w->range_start : 0;

	switch (s) {
	case SETTING_ALIGN: w->align = step_align(w->align, dir, block); break;
	case SETTING_START: w->range_start = step_start(w, dir, l, block); break;
	case SETTING_LENGTH:
		w->range_length = step_length(w->range_length, dir, room, block);
		break;
	case SETTING_SHARE: w->share_range = !w->share_range; break;
	default: break;
	}
}

/* A knob's big step is two doublings too. */
static int steps(enum setting s, bool big)
{
	if (!big || s == SETTING_SHARE)
		return 1;
	return s == SETTING_START ? 4 : 2;
}

int setting_step(struct workload *w, enum setting s, int dir, bool big,
		 const struct workload_limits *l, struct error *e)
{
	struct workload then = *w;
	char was[32], now[32];

	if (is_knob(s))
		then = knob_step(then, (enum knob)s, dir, big, l->logical_block);
	for (int n = is_knob(s) ? 0 : steps(s, big); n > 0; n--)
		step_extra(&then, s, dir, l);
	setting_format(was, sizeof(was), w, s);
	setting_format(now, sizeof(now), &then, s);
	if (strcmp(was, now) == 0)
		return error_set(e, ERANGE, "%s: %s is the %s there is", setting_info(s).name, was,
				 dir > 0 ? "most" : "least");
	*w = then;
	return 0;
}
