/* workload.c - what a workload may be, and how it is told in words. */
#include "workload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "setting.h"
#include "units.h"

struct workload workload_default(void)
{
	return (struct workload){
		.workers = 1,
		.outstanding = 8,
		.block_size = 4096,
		.read_pct = 100,
		.random_pct = 100,
		.seed = 1,
	};
}

void workload_range(const struct workload *w, const struct workload_limits *l, uint64_t *start,
		    uint64_t *length)
{
	uint64_t from = w->range_start, to = l->target_size;

	if (from > to)
		from = to;
	if (w->range_length && w->range_length < to - from)
		to = from + w->range_length;
	if (workload_writes(w)) {
		uint64_t window_end = l->write_start + l->write_length;
		if (from < l->write_start)
			from = l->write_start;
		if (to > window_end)
			to = window_end;
		if (to < from)
			to = from;
	}
	*start = from;
	*length = to - from;
}

static uint32_t own_lines(const struct workload *w)
{
	return w->access.count;
}

bool workload_reads(const struct workload *w)
{
	for (uint32_t i = 0; i < own_lines(w); i++)
		if (w->access.line[i].share && w->access.line[i].read_pct > 0)
			return true;
	return !own_lines(w) && w->read_pct > 0 && w->log_pct < 100;
}

bool workload_writes(const struct workload *w)
{
	for (uint32_t i = 0; i < own_lines(w); i++)
		if (w->access.line[i].share && w->access.line[i].read_pct < 100)
			return true;
	return w->log_pct > 0 || (!own_lines(w) && w->read_pct < 100);
}

char *workload_write_cause(char *out, size_t n, const struct workload *w)
{
	if (own_lines(w))
		snprintf(out, n, "the access lines");
	else if (w->read_pct < 100)
		snprintf(out, n, "read %u %%", w->read_pct);
	else
		snprintf(out, n, "log %u %%", w->log_pct);
	return out;
}

bool workload_thinks(const struct workload *w)
{
	for (uint32_t i = 0; i < own_lines(w); i++)
		if (w->access.line[i].share && w->access.line[i].delay_ms)
			return true;
	return !own_lines(w) && w->think_ns > 0;
}

uint32_t workload_largest(const struct workload *w)
{
	uint32_t largest = own_lines(w) && !w->log_pct ? 0 : w->block_size;

	for (uint32_t i = 0; i < own_lines(w); i++)
		if (w->access.line[i].size > largest)
			largest = w->access.line[i].size;
	return largest;
}

void workload_only_read(struct workload *w)
{
	w->read_pct = 100;
	w->log_pct = 0;
	for (uint32_t i = 0; i < own_lines(w); i++)
		w->access.line[i].read_pct = 100;
}

static uint32_t knobs_align(const struct workload *w)
{
	return w->align ? w->align : w->block_size;
}

uint32_t workload_lines(const struct workload *w)
{
	return own_lines(w) ? own_lines(w) : 1;
}

struct access_line workload_line(const struct workload *w, uint32_t k)
{
	struct access_line line = {.size = w->block_size,
				   .align = knobs_align(w),
				   .burst = 1,
				   .share = 100,
				   .read_pct = (uint8_t)w->read_pct,
				   .random_pct = (uint8_t)w->random_pct};

	if (own_lines(w))
		line = w->access.line[k];
	if (!line.align)
		line.align = line.size;
	return line;
}

uint32_t workload_align(const struct workload *w)
{
	uint32_t most = !own_lines(w) || w->log_pct ? knobs_align(w) : 1;

	for (uint32_t k = 0; k < own_lines(w); k++) {
		uint32_t align = workload_line(w, k).align;
		if (align > most)
			most = align;
	}
	return most;
}

void workload_part(const struct workload *w, const struct workload_limits *l, uint32_t i,
		   uint64_t *start, uint64_t *length)
{
	uint64_t from, bytes, unit = workload_align(w);

	workload_range(w, l, &from, &bytes);
	uint64_t first = (from + unit - 1) / unit * unit;
	uint64_t units = first < from + bytes ? (from + bytes - first) / unit : 0;
	if (w->share_range) {
		*start = first;
		*length = units * unit;
		return;
	}
	uint64_t share = units / w->workers;
	*start = first + share * i * unit;
	*length = (i + 1 < w->workers ? share : units - share * i) * unit;
}

static int check_bounds(const struct workload *w, struct error *e)
{
	if (w->workers < 1 || w->workers > WORKERS_MAX)
		return error_set(e, EINVAL, "workers %u: from 1 to %u are possible", w->workers,
				 WORKERS_MAX);
	if (w->outstanding < 1 || w->outstanding > OUTSTANDING_MAX)
		return error_set(e, EINVAL, "outstanding %u: from 1 to %u per worker are possible",
				 w->outstanding, OUTSTANDING_MAX);
	if (w->block_size < 1 || w->block_size > BLOCK_MAX)
		return error_set(e, EINVAL, "block size %u: up to 64 MiB are possible",
				 w->block_size);
	if (w->read_pct > 100)
		return error_set(e, EINVAL, "read %u %%: from 0 to 100 are possible", w->read_pct);
	if (w->random_pct > 100)
		return error_set(e, EINVAL, "random %u %%: from 0 to 100 are possible",
				 w->random_pct);
	if (w->rate_iops > RATE_MAX)
		return error_set(e, EINVAL, "rate %" PRIu64 ": up to %llu/s are possible, or max",
				 w->rate_iops, RATE_MAX);
	return 0;
}

static int check_alignment(const struct workload *w, const struct workload_limits *l,
			   struct error *e)
{
	uint32_t block = l->logical_block;
	bool used = !own_lines(w) || w->log_pct;

	if (used && w->block_size % block)
		return error_set(e, EINVAL,
				 "%s: block size %u is not a multiple of its %u-byte blocks",
				 l->target, w->block_size, block);
	if (used && w->align % block)
		return error_set(e, EINVAL,
				 "%s: alignment %u is not a multiple of its %u-byte blocks",
				 l->target, w->align, block);
	if (w->range_start % block)
		return error_set(e, EINVAL,
				 "%s: range start %" PRIu64 " is not a multiple of its %u-byte "
				 "blocks",
				 l->target, w->range_start, block);
	return 0;
}

static int check_depth(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	if (!l->max_outstanding || w->outstanding <= l->max_outstanding)
		return 0;
	return error_set(e, EINVAL,
			 "outstanding %u cannot be reached with backend %s: %s; use outstanding %u "
			 "and more workers, or another backend",
			 w->outstanding, l->backend, l->depth_reason, l->max_outstanding);
}

static int check_range(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	if (w->range_start >= l->target_size ||
	    (w->range_length && w->range_length > l->target_size - w->range_start))
		return error_set(e, EINVAL,
				 "%s: the range ends behind the end of the target (%" PRIu64
				 " bytes)",
				 l->target, l->target_size);
	uint64_t start, length, part_start, part;
	char from[32], size[32], block[32];
	workload_range(w, l, &start, &length);
	if (length == 0)
		return error_set(e, EINVAL,
				 "%s: the range lies outside of what may be written, %s from %s on",
				 l->target, units_size(size, sizeof(size), l->write_length),
				 units_size(from, sizeof(from), l->write_start));
	workload_part(w, l, 0, &part_start, &part);
	if (w->align && length < w->align)
		return error_set(e, EINVAL,
				 "%s: a range of %s has no place at multiples of %s: use a smaller "
				 "alignment or a larger range",
				 l->target, units_size(size, sizeof(size), length),
				 units_size(block, sizeof(block), workload_align(w)));
	if (part < workload_largest(w))
		return error_set(
			e, EINVAL,
			"%s: a range of %s does not hold a block of %s for each of %u worker%s",
			l->target, units_size(size, sizeof(size), length),
			units_size(block, sizeof(block), workload_largest(w)), w->workers,
			w->workers == 1 || w->share_range
				? ": use a smaller block or a larger range"
				: "s: use fewer, a smaller block, a larger range or a shared one "
				  "(--share-range)");
	return 0;
}

int workload_possible(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	struct workload_limits allowed = *l;

	if (!l->may_write) {
		allowed.may_write = true;
		allowed.write_start = 0;
		allowed.write_length = l->target_size;
	}
	return workload_validate(w, &allowed, e);
}

int workload_validate(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	int rc = check_bounds(w, e);
	char cause[32];

	if (rc == 0)
		rc = check_alignment(w, l, e);
	if (rc == 0)
		rc = check_depth(w, l, e);
	if (rc == 0 && workload_writes(w) && !l->may_write)
		rc = error_set(e, EPERM, "%s: %s would write, and writing has not been allowed",
			       l->target, workload_write_cause(cause, sizeof(cause), w));
	if (rc == 0)
		rc = check_range(w, l, e);
	for (int s = KNOB_COUNT; rc == 0 && s < SETTING_COUNT; s++)
		rc = setting_check(w, (enum setting)s, l, e);
	return rc;
}

char *workload_describe(char *out, size_t n, const struct workload *w)
{
	char block[32], random[32], value[48];

	snprintf(out, n, "%u x %u", w->workers, w->outstanding);
	if (w->random_pct == 0 || w->random_pct == 100)
		snprintf(random, sizeof(random), "%s", w->random_pct ? "random" : "sequential");
	else
		snprintf(random, sizeof(random), "%u %% random", w->random_pct);
	if (own_lines(w))
		units_append(out, n, ", %u access line%s", own_lines(w),
			     own_lines(w) == 1 ? "" : "s");
	else
		units_append(out, n, ", %s, %u %% read, %s",
			     units_size(block, sizeof(block), w->block_size), w->read_pct, random);
	if (w->spread.kind != SPREAD_UNIFORM)
		units_append(out, n, ", %s",
			     setting_format(value, sizeof(value), w, SETTING_SPREAD));
	if (w->streams > 1)
		units_append(out, n, ", %u streams", w->streams);
	if (w->log_pct)
		units_append(out, n, ", %u %% log", w->log_pct);
	if (w->rate_iops)
		units_append(out, n, ", %s IO/s%s",
			     units_count(value, sizeof(value), (double)w->rate_iops),
			     w->poisson ? " Poisson" : "");
	if (!own_lines(w) && w->think_ns) {
		units_append(out, n, ", think %s",
			     setting_format(value, sizeof(value), w, SETTING_THINK));
		if (w->burst > 1)
			units_append(out, n, " before every %u IOs", w->burst);
		else
			units_append(out, n, " before each IO");
	}
	return out;
}

char *workload_brief(char *out, size_t n, const struct workload *w)
{
	char value[32];

	snprintf(out, n, "%ux%u ", w->workers, w->outstanding);
	if (own_lines(w))
		units_append(out, n, "%u line%s", own_lines(w), own_lines(w) == 1 ? "" : "s");
	else
		units_append(out, n, "%s %u%%rd %u%%rnd",
			     knob_format(value, sizeof(value), w, KNOB_BLOCK), w->read_pct,
			     w->random_pct);
	if (w->log_pct)
		units_append(out, n, " %u%%log", w->log_pct);
	if (w->rate_iops)
		units_append(out, n, " %s/s%s", knob_format(value, sizeof(value), w, KNOB_RATE),
			     w->poisson ? " poisson" : "");
	if (!own_lines(w) && w->think_ns)
		units_append(out, n, " think %s",
			     setting_format(value, sizeof(value), w, SETTING_THINK));
	return out;
}

/* One "name from > to" more at the end of out. */
static void diff_item(char *out, size_t n, const char *name, const char *from, const char *to,
		      bool ascii)
{
	size_t used = strlen(out);

	snprintf(out + used, n - used, "%s%s %s %s %s", used ? ", " : "", name, from,
		 ascii ? ">" : "→", to);
}

char *workload_diff(char *out, size_t n, const struct workload *from, const struct workload *to,
		    bool ascii)
{
	out[0] = 0;
	for (int s = 0; s < SETTING_COUNT; s++) {
		char a[SETTING_SHORT], b[SETTING_SHORT];
		if (setting_same(from, to, (enum setting)s))
			continue;
		setting_brief(a, sizeof(a), from, (enum setting)s);
		setting_brief(b, sizeof(b), to, (enum setting)s);
		diff_item(out, n, setting_info((enum setting)s).mark, a, b, ascii);
	}
	return out;
}
