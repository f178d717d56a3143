/* setting_pattern.c - which IO follows which: spread, streams, log, access lines, and whether the sequence
 * begins anew with each segment.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "places.h"
#include "setting.h"
#include "spread.h"
#include "units.h"

/* --- Spread. --- */

static void format_spread(char *out, size_t n, const struct workload *w)
{
	spread_format(out, n, &w->spread);
}

static int parse_spread(struct workload *w, const char *text, struct error *e)
{
	return spread_parse(&w->spread, text, e);
}

/* From even to steep; what was typed lies between two of them by its kind and value. */
static const struct spread ladder[] = {
	{.kind = SPREAD_UNIFORM},
	{.kind = SPREAD_ZIPF, .milli = 600},
	{.kind = SPREAD_ZIPF, .milli = 900},
	{.kind = SPREAD_ZIPF, .milli = 1100},
	{.kind = SPREAD_ZIPF, .milli = 1400},
	{.kind = SPREAD_PARETO, .milli = 400},
	{.kind = SPREAD_PARETO, .milli = 200},
	{.kind = SPREAD_PARETO, .milli = 100},
	{.kind = SPREAD_HOT, .ios = 80, .range = 20},
	{.kind = SPREAD_HOT, .ios = 90, .range = 10},
	{.kind = SPREAD_HOT, .ios = 99, .range = 1},
};
#define RUNGS (int)(sizeof(ladder) / sizeof(*ladder))

/* How steep, within a kind. */
static int64_t steepness(const struct spread *s)
{
	switch (s->kind) {
	case SPREAD_ZIPF: return s->milli;
	case SPREAD_PARETO: return -(int64_t)s->milli;
	case SPREAD_HOT: return (int64_t)s->ios * 100 - s->range;
	case SPREAD_UNIFORM: break;
	}
	return 0;
}

static int compare(const struct spread *a, const struct spread *b)
{
	int64_t x = a->kind, y = b->kind;

	if (x == y) {
		x = steepness(a);
		y = steepness(b);
	}
	return (x > y) - (x < y);
}

static void spread_step(struct workload *w, int dir, const struct workload_limits *l)
{
	int i = dir > 0 ? 0 : RUNGS - 1;

	(void)l;
	while (i >= 0 && i < RUNGS && compare(&ladder[i], &w->spread) * dir <= 0)
		i += dir > 0 ? 1 : -1;
	if (i >= 0 && i < RUNGS)
		w->spread = ladder[i];
}

const struct setting_ops setting_spread = {
	.format = format_spread, .parse = parse_spread, .step = spread_step};

/* --- Streams. --- */

static void format_streams(char *out, size_t n, const struct workload *w)
{
	snprintf(out, n, "%u", w->streams > 1 ? w->streams : 1);
}

static int parse_streams(struct workload *w, const char *text, struct error *e)
{
	uint64_t v;
	int rc = units_parse_uint(text, "streams", 1, STREAMS_MAX, &v, e);

	if (rc == 0)
		w->streams = v > 1 ? (uint32_t)v : 0;
	return rc;
}

static void streams_step(struct workload *w, int dir, const struct workload_limits *l)
{
	uint32_t v = w->streams > 1 ? w->streams : 1, p = 1;

	(void)l;
	while (dir > 0 ? p <= v : p * 2 < v)
		p *= 2;
	if (p <= STREAMS_MAX)
		w->streams = p > 1 ? p : 0;
}

static int streams_check(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	(void)l;
	if (w->streams > STREAMS_MAX)
		return error_set(e, EINVAL, "streams %u: from 1 to %u per worker are possible",
				 w->streams, STREAMS_MAX);
	return 0;
}

const struct setting_ops setting_streams = {.format = format_streams,
					    .parse = parse_streams,
					    .step = streams_step,
					    .check = streams_check,
					    .big = 2};

/* --- Log. --- */

static void format_log(char *out, size_t n, const struct workload *w)
{
	snprintf(out, n, "%u%%", w->log_pct);
}

static int parse_log(struct workload *w, const char *text, struct error *e)
{
	return units_parse_percent(text, "log", &w->log_pct, e);
}

static void log_step(struct workload *w, int dir, const struct workload_limits *l)
{
	uint32_t at = w->log_pct / 5 * 5;

	(void)l;
	if (dir > 0)
		w->log_pct = at < 100 ? at + 5 : 100;
	else
		w->log_pct = at < w->log_pct ? at : at > 5 ? at - 5 : 0;
}

static int log_check(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	(void)l;
	if (w->log_pct > 100)
		return error_set(e, EINVAL, "log %u %%: from 0 to 100 are possible", w->log_pct);
	return 0;
}

const struct setting_ops setting_log = {
	.format = format_log, .parse = parse_log, .step = log_step, .check = log_check, .big = 2};

/* --- Access lines. --- */

static void format_lines(char *out, size_t n, const struct workload *w)
{
	access_format(out, n, &w->access);
}

static void brief_lines(char *out, size_t n, const struct workload *w)
{
	access_brief(out, n, &w->access);
}

static int parse_lines(struct workload *w, const char *text, struct error *e)
{
	return access_parse_typed(&w->access, text, e);
}

static int scan_lines(struct workload *w, const char *text)
{
	return access_parse(&w->access, text, NULL);
}

/* Down is none; up from there is a first line that says what the knobs say, to go on from. */
static void lines_step(struct workload *w, int dir, const struct workload_limits *l)
{
	(void)l;
	if (dir < 0) {
		w->access = (struct access){0};
	} else if (w->access.count == 0) {
		struct access_line line = workload_line(w, 0);
		line.align = w->align;
		w->access = (struct access){.count = 1, .line = {line}};
	}
}

static int lines_check(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	int rc = access_check(&w->access, e);

	for (uint32_t k = 0; rc == 0 && k < w->access.count; k++) {
		const struct access_line *line = &w->access.line[k];
		if (line->size % l->logical_block)
			return error_set(e, EINVAL,
					 "%s: access line %u: size %u is not a multiple of its "
					 "%u-byte blocks",
					 l->target, k + 1, line->size, l->logical_block);
		if (line->align % l->logical_block)
			return error_set(
				e, EINVAL,
				"%s: access line %u: alignment %u is not a multiple of its "
				"%u-byte blocks",
				l->target, k + 1, line->align, l->logical_block);
	}
	/* Streams and log take their places from these. */
	return rc ? rc : places_check(w, l, e);
}

const struct setting_ops setting_lines = {.format = format_lines,
					  .brief = brief_lines,
					  .parse = parse_lines,
					  .scan = scan_lines,
					  .step = lines_step,
					  .check = lines_check};

/* --- The sequence. --- */

static void format_sequence(char *out, size_t n, const struct workload *w)
{
	snprintf(out, n, "%s", w->sequence_on ? "on" : "same");
}

static int parse_sequence(struct workload *w, const char *text, struct error *e)
{
	bool on = setting_is_word(text, "on");

	if (!on && !setting_is_word(text, "same"))
		return error_set(e, EINVAL, "sequence '%s': write same or on", text);
	w->sequence_on = on;
	return 0;
}

static void sequence_step(struct workload *w, int dir, const struct workload_limits *l)
{
	(void)dir;
	(void)l;
	w->sequence_on = !w->sequence_on;
}

const struct setting_ops setting_sequence = {
	.format = format_sequence, .parse = parse_sequence, .step = sequence_step, .words = true};
