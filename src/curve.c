/* curve.c - see curve.h. */
#include "curve.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "goal.h"
#include "units.h"

#define KNEE_STEPS 3
/* What is above the best power by less than this is no better. */
#define POWER_NOISE 0.02

void curve_defaults(struct curve_config *c, enum knob by)
{
	c->by = by;
	c->points = by == KNOB_RATE ? CURVE_POINTS_RATE : CURVE_POINTS_OUTSTANDING;
	c->step_ns = LOAD_STEP_NS;
}

int curve_check(const struct curve_config *c, const struct workload *w, struct error *e)
{
	if (c->points < 2 || c->points > CURVE_POINTS_MAX)
		return error_set(e, EINVAL, "a curve has 2 to %d points", CURVE_POINTS_MAX);
	if (c->of == SUM_READ && !workload_reads(w))
		return error_set(e, EINVAL, "the latency of reads, and the workload only writes");
	if (c->of == SUM_WRITE && !workload_writes(w))
		return error_set(e, EINVAL, "the latency of writes, and the workload only reads");
	return load_check(c->by, w, e);
}

void curve_begin(struct curve *c, const struct curve_config *config)
{
	memset(c, 0, sizeof(*c));
	c->config = *config;
}

unsigned curve_steps(const struct curve_config *c)
{
	unsigned n = 0;

	if (c->by == KNOB_RATE)
		return c->points + 1;
	while (n < c->points && n < 63 && 1ull << n <= c->most)
		n++;
	return n;
}

unsigned curve_total(const struct curve *c)
{
	return curve_steps(&c->config);
}

/* The last point's share stays half a share below the most: at the most itself the queue never empties. */
static double share_of(const struct curve_config *c, unsigned i)
{
	return (i < c->points ? i : i - 0.5) / c->points;
}

static void describe_rates(char *out, size_t n, const struct curve_config *c)
{
	snprintf(out, n, "First the most that comes back at the depth that is set, then ");
	if (c->points > 2)
		units_append(out, n, "%.3g, ", 100 * share_of(c, 1));
	units_append(out, n, "%.3g%s%.3g %% of it", 100 * share_of(c, c->points > 2 ? 2 : 1),
		     c->points > 3 ? " ... " : ", ", 100 * share_of(c, c->points));
}

static void describe_depths(char *out, size_t n, const struct curve_config *c)
{
	unsigned steps = curve_steps(c);

	snprintf(out, n, "1");
	for (unsigned i = 1; i < steps; i++)
		if (i < 3 || i == steps - 1)
			units_append(out, n, "%s%llu", i < 3 ? ", " : " ... ", 1ull << i);
	units_append(out, n, " IO%s in flight per worker, at the rate max", steps > 1 ? "s" : "");
}

char *curve_plan(char *out, size_t n, const struct curve_config *c)
{
	unsigned steps = curve_steps(c);
	double step_s = (double)(c->step_ns + c->step_ns / LOAD_SETTLE_SHARE) / 1e9;

	if (c->by == KNOB_RATE)
		describe_rates(out, n, c);
	else
		describe_depths(out, n, c);
	units_append(out, n, ": %u step%s of about %.0f s.", steps, steps == 1 ? "" : "s", step_s);
	return out;
}

/* Point number i of a rate curve (1..points). */
static uint64_t rate_of(const struct curve *c, unsigned i)
{
	double most = c->log.steps ? c->log.step[0].sum.op[SUM_TOTAL].iops : 0;
	uint64_t rate = (uint64_t)llround(most * share_of(&c->config, i));

	return rate > 1 ? rate : 1;
}

bool curve_next(const struct curve *c, struct load_order *o)
{
	if (c->at >= curve_total(c))
		return false;
	*o = (struct load_order){
		.value = c->config.by != KNOB_RATE ? 1ull << c->at
			 : c->at == 0              ? 0
						   : rate_of(c, c->at),
		.settle_ns = c->config.step_ns / LOAD_SETTLE_SHARE,
		.measure_ns = c->config.step_ns,
		.ios = goal_ios(GOAL_P99),
	};
	return true;
}

static const char *note_of(const struct load_step *s)
{
	return s->refused                      ? "n/a"
	       : s->sum.op[SUM_TOTAL].errors   ? "errs"
	       : s->sum.op[SUM_TOTAL].ios == 0 ? "none"
	       : !s->sustained                 ? "lags"
	       : s->few                        ? "few"
					       : "";
}

void curve_take(struct curve *c, struct load_step *step)
{
	snprintf(step->note, sizeof(step->note), "%s", note_of(step));
	load_append(&c->log, step);
	c->at++;
	/* What has no most has no shares of it. */
	if (c->config.by == KNOB_RATE && step->sum.op[SUM_TOTAL].ios == 0 && c->at == 1)
		c->at = curve_total(c);
}

uint64_t curve_left_ns(const struct curve *c)
{
	uint64_t step = c->config.step_ns;

	return (curve_total(c) - c->at) * (step + step / LOAD_SETTLE_SHARE);
}

static double power_of(const struct curve *c, const struct load_step *s)
{
	double mean = load_latency(s, c->config.of).mean;

	/* The most is a closed loop's: its latency has no wait in it, and is no point of the curve. */
	if (s->load.by == KNOB_RATE && s->load.value == 0)
		return 0;
	return s->refused || !(mean > 0) ? 0 : s->sum.op[SUM_TOTAL].iops / mean;
}

int curve_knee(const struct curve *c)
{
	int best = -1, fastest = -1;
	double power = 0;

	if (c->log.steps < KNEE_STEPS)
		return -1;
	for (unsigned i = 0; i < c->log.steps; i++) {
		const struct load_step *s = &c->log.step[i];
		double p = power_of(c, s);
		if (p <= 0)
			continue;
		if (p > power) {
			power = p;
			best = (int)i;
		}
		if (fastest < 0 ||
		    s->sum.op[SUM_TOTAL].iops > c->log.step[fastest].sum.op[SUM_TOTAL].iops)
			fastest = (int)i;
	}
	if (best < 0 || power_of(c, &c->log.step[fastest]) > power * (1 - POWER_NOISE))
		return -1;
	return best;
}

char *curve_words(char *out, size_t n, const struct curve *c, int ascii)
{
	int knee = curve_knee(c);
	char load[48], iops[32], mean[32], p99[32];

	if (knee < 0) {
		snprintf(out, n, "%s",
			 c->log.steps < KNEE_STEPS
				 ? "no knee: too few steps"
				 : "no knee: IOPS still grow faster than latency at the end");
		return out;
	}
	const struct load_step *s = &c->log.step[knee];
	const struct summary_op o = load_latency(s, c->config.of);
	snprintf(out, n, "knee at %s: %s IOPS, mean %s, p99 %s",
		 load_describe(load, sizeof(load), s->load),
		 units_count(iops, sizeof(iops), s->sum.op[SUM_TOTAL].iops),
		 units_latency(mean, sizeof(mean), o.mean, ascii),
		 units_latency(p99, sizeof(p99), o.p99, ascii));
	return out;
}

json_t *curve_json(const struct curve *c)
{
	int knee = curve_knee(c);
	char words[160];

	return json_pack("{s:s, s:i, s:s, s:f, s:o, s:o, s:s}", "by", knobs[c->config.by].option,
			 "points", (int)c->config.points, "of", goal_of_name(c->config.of),
			 "step_s", (double)c->config.step_ns / 1e9, "steps",
			 load_json(&c->log, c->config.of), "knee",
			 knee < 0 ? json_null() : json_integer(knee), "words",
			 curve_words(words, sizeof(words), c, 1));
}
