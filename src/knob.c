/* knob.c - stepping, parsing and printing of each knob. */
#include "knob.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

/* clang-format off */
const struct knob_info knobs[KNOB_COUNT] = {
#define X(id, option, name, short_name, down, up, help) [id] = {option, name, short_name, down, up, help},
	KNOB_TABLE(X)
#undef X
};
/* clang-format on */

/* 1 2 3 4 6 8 12 16 24 32 48 ...: powers of two and what lies half-way. */
static uint64_t step_half_octave(uint64_t v, int dir)
{
	uint64_t below = 1, at = 1;

	for (;;) {
		uint64_t next = at < 2 ? at + 1 : (at & (at - 1)) == 0 ? at + at / 2 : at / 3 * 4;
		if (dir > 0 && at > v)
			return at;
		if (dir < 0 && at >= v)
			return below;
		below = at;
		at = next;
	}
}

/* 1 2 5 10 20 50 ...; 0 (no limit) lies above everything. */
static uint64_t step_rate(uint64_t v, int dir)
{
	if (v == 0)
		return dir > 0 ? 0 : RATE_MAX;
	uint64_t below = 1;
	for (uint64_t at = 1; at <= RATE_MAX;) {
		if (dir > 0 && at > v)
			return at;
		if (dir < 0 && at >= v)
			return below;
		below = at;
		uint64_t decade = 1;
		while (decade * 10 <= at)
			decade *= 10;
		at = at / decade == 1 ? 2 * decade : at / decade == 2 ? 5 * decade : 10 * decade;
	}
	return dir > 0 ? 0 : below;
}

static uint64_t step_block(uint64_t v, int dir, uint64_t smallest)
{
	uint64_t at = smallest ? smallest : 1, below = at;

	while (dir > 0 ? at <= v : at < v) {
		below = at;
		at *= 2;
	}
	return dir > 0 ? at : below;
}

static uint64_t limit(uint64_t v, uint64_t low, uint64_t high)
{
	return v < low ? low : v > high ? high : v;
}

uint32_t knob_step_percent(uint32_t v, int dir, bool big)
{
	uint32_t step = big ? 10 : 5;

	if (dir > 0)
		return (uint32_t)limit((v / step + 1) * step, 0, 100);
	return v < step ? 0 : (v + step - 1) / step * step - step;
}

/* What a big step starts from on the rate knob that is at "max": a rate one can see. */
static uint64_t step_rate_big(uint64_t v, int dir)
{
	if (v == 0)
		return dir > 0 ? 0 : 100000;
	if (dir > 0)
		return v * 4 > RATE_MAX ? 0 : v * 4;
	return limit(v / 4, 1, RATE_MAX);
}

struct workload knob_step(struct workload w, enum knob k, int dir, bool big, uint32_t logical_block)
{
	uint32_t smallest = logical_block ? logical_block : 512;

	switch (k) {
	case KNOB_WORKERS:
		w.workers = (uint32_t)limit(big ? (dir > 0 ? w.workers * 4ull : w.workers / 4)
						: step_half_octave(w.workers, dir),
					    1, WORKERS_MAX);
		break;
	case KNOB_OUTSTANDING:
		w.outstanding =
			(uint32_t)limit(big ? (dir > 0 ? w.outstanding * 4ull : w.outstanding / 4)
					    : step_half_octave(w.outstanding, dir),
					1, OUTSTANDING_MAX);
		break;
	case KNOB_BLOCK: {
		uint64_t v = w.block_size;
		for (int i = 0; i < (big ? 2 : 1); i++)
			v = step_block(v, dir, smallest);
		w.block_size = (uint32_t)limit(v, smallest, BLOCK_MAX);
		break;
	}
	case KNOB_READ: w.read_pct = knob_step_percent(w.read_pct, dir, big); break;
	case KNOB_RANDOM: w.random_pct = knob_step_percent(w.random_pct, dir, big); break;
	case KNOB_RATE:
		if (big)
			w.rate_iops = step_rate_big(w.rate_iops, dir);
		else if (w.rate_iops == 0 && dir < 0)
			w.rate_iops = 100000;
		else
			w.rate_iops = step_rate(w.rate_iops, dir);
		break;
	case KNOB_COUNT: break;
	}
	return w;
}

int knob_parse(struct workload *w, enum knob k, const char *text, struct error *e)
{
	uint64_t v;
	int rc = 0;

	switch (k) {
	case KNOB_WORKERS:
		rc = units_parse_uint(text, "workers", 1, WORKERS_MAX, &v, e);
		if (rc == 0)
			w->workers = (uint32_t)v;
		break;
	case KNOB_OUTSTANDING:
		rc = units_parse_uint(text, "outstanding", 1, OUTSTANDING_MAX, &v, e);
		if (rc == 0)
			w->outstanding = (uint32_t)v;
		break;
	case KNOB_BLOCK:
		rc = units_parse_size(text, &v, e);
		if (rc == 0 && (v < 1 || v > BLOCK_MAX))
			rc = error_set(e, EINVAL, "block '%s': from 1 byte to 64 MiB are possible",
				       text);
		if (rc == 0)
			w->block_size = (uint32_t)v;
		break;
	case KNOB_READ: rc = units_parse_percent(text, "read", &w->read_pct, e); break;
	case KNOB_RANDOM: rc = units_parse_percent(text, "random", &w->random_pct, e); break;
	case KNOB_RATE:
		rc = units_parse_rate(text, &v, e);
		if (rc == 0 && v > RATE_MAX)
			rc = error_set(e, EINVAL, "rate '%s' is too high: write max for no limit",
				       text);
		if (rc == 0)
			w->rate_iops = v;
		break;
	case KNOB_COUNT: rc = -EINVAL; break;
	}
	return rc;
}

/* A rate in full where it is short or not round, so that a mark says exactly what was set. */
static void format_rate(char *out, size_t n, uint64_t rate)
{
	if (rate == 0)
		snprintf(out, n, "max");
	else if (rate >= 1000000 && rate % 100000 == 0)
		snprintf(out, n, "%gM", (double)rate / 1e6);
	else if (rate >= 1000 && rate % 100 == 0)
		snprintf(out, n, "%gk", (double)rate / 1e3);
	else
		snprintf(out, n, "%" PRIu64, rate);
}

char *knob_format(char *out, size_t n, const struct workload *w, enum knob k)
{
	switch (k) {
	case KNOB_WORKERS: snprintf(out, n, "%u", w->workers); break;
	case KNOB_OUTSTANDING: snprintf(out, n, "%u", w->outstanding); break;
	case KNOB_BLOCK: units_size_tight(out, n, w->block_size); break;
	case KNOB_READ: snprintf(out, n, "%u%%", w->read_pct); break;
	case KNOB_RANDOM: snprintf(out, n, "%u%%", w->random_pct); break;
	case KNOB_RATE: format_rate(out, n, w->rate_iops); break;
	case KNOB_COUNT: out[0] = 0; break;
	}
	return out;
}
