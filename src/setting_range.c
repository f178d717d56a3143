/* setting_range.c - where on the target the IO goes: alignment, range, and how workers part it. */
#include <errno.h>
#include <stdio.h>

#include "setting.h"
#include "units.h"

static uint32_t block_of(const struct workload_limits *l)
{
	return l->logical_block ? l->logical_block : 512;
}

/* --- Alignment. --- */

static void format_align(char *out, size_t n, const struct workload *w)
{
	if (w->align)
		units_size_exact(out, n, w->align);
	else
		snprintf(out, n, "block");
}

static int parse_align(struct workload *w, const char *text, struct error *e)
{
	uint64_t v = 0;
	int rc = setting_is_word(text, "block") ? 0 : units_parse_size(text, &v, e);

	if (rc == 0 && v > ALIGN_MAX)
		rc = error_set(e, EINVAL, "alignment '%s': up to 1 GiB is possible, or block",
			       text);
	if (rc == 0)
		w->align = (uint32_t)v;
	return rc;
}

static uint32_t step_align(uint32_t v, int dir, uint32_t smallest)
{
	if (dir < 0)
		return v <= smallest ? 0 : v / 2 < smallest ? smallest : v / 2;
	if (v < smallest)
		return smallest;
	return v > ALIGN_MAX / 2 ? v : v * 2;
}

static void align_step(struct workload *w, int dir, const struct workload_limits *l)
{
	w->align = step_align(w->align, dir, block_of(l));
}

const struct setting_ops setting_align = {
	.format = format_align, .parse = parse_align, .step = align_step, .big = 2};

/* --- The range. --- */

static void format_start(char *out, size_t n, const struct workload *w)
{
	units_size_exact(out, n, w->range_start);
}

static int parse_start(struct workload *w, const char *text, struct error *e)
{
	return units_parse_size(text, &w->range_start, e);
}

static void format_length(char *out, size_t n, const struct workload *w)
{
	if (w->range_length)
		units_size_exact(out, n, w->range_length);
	else
		snprintf(out, n, "end");
}

static int parse_length(struct workload *w, const char *text, struct error *e)
{
	uint64_t v = 0;
	bool all = setting_is_word(text, "end") || setting_is_word(text, "all");
	int rc = all ? 0 : units_parse_size(text, &v, e);

	if (rc == 0 && v == 0 && !all)
		rc = error_set(e, EINVAL, "a range of '%s' holds nothing: give a size, or end",
			       text);
	if (rc == 0)
		w->range_length = v;
	return rc;
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

static void start_step(struct workload *w, int dir, const struct workload_limits *l)
{
	w->range_start = step_start(w, dir, l, block_of(l));
}

static void length_step(struct workload *w, int dir, const struct workload_limits *l)
{
	uint64_t room = l->target_size > w->range_start ? l->target_size - w->range_start : 0;

	w->range_length = step_length(w->range_length, dir, room, block_of(l));
}

const struct setting_ops setting_start = {
	.format = format_start, .parse = parse_start, .step = start_step, .big = 4};
const struct setting_ops setting_length = {
	.format = format_length, .parse = parse_length, .step = length_step, .big = 2};

/* --- Split or shared. --- */

static void format_share(char *out, size_t n, const struct workload *w)
{
	snprintf(out, n, "%s", w->share_range ? "shared" : "split");
}

static int parse_share(struct workload *w, const char *text, struct error *e)
{
	bool shared = setting_is_word(text, "shared") || setting_is_word(text, "share");

	if (!shared && !setting_is_word(text, "split"))
		return error_set(e, EINVAL, "range '%s': write split or shared", text);
	w->share_range = shared;
	return 0;
}

static void share_step(struct workload *w, int dir, const struct workload_limits *l)
{
	(void)dir;
	(void)l;
	w->share_range = !w->share_range;
}

const struct setting_ops setting_share = {
	.format = format_share, .parse = parse_share, .step = share_step, .words = true};
