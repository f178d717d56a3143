/* search.c - see search.h. */
#include "search.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

#define PRECISION     50
#define CONFIRM_TIMES 3
/* An unconfirmed value goes down by 1/16 of itself, then 1/8, 1/4, and by halves from then on. */
#define DOWN_BITS 4
/* The least is no more than this part of what the rate max brings. */
#define SLOW_SHARE 8

void search_defaults(struct search_config *c)
{
	c->precision = PRECISION;
	c->step_ns = LOAD_STEP_NS;
}

static bool limitless(const struct search_config *c)
{
	return c->by == KNOB_RATE && c->to == 0;
}

int search_check(const struct search_config *c, const struct workload *w, struct error *e)
{
	if (!limitless(c) && c->to < c->from)
		return error_set(e, EINVAL,
				 "the search goes from %llu to %llu: there is nothing between",
				 (unsigned long long)c->from, (unsigned long long)c->to);
	if (c->goal.of == SUM_READ && !workload_reads(w))
		return error_set(e, EINVAL, "a goal for reads, and the workload only writes");
	if (c->goal.of == SUM_WRITE && !workload_writes(w))
		return error_set(e, EINVAL, "a goal for writes, and the workload only reads");
	return load_check(c->by, w, e);
}

/* A rate so low that even a prolonged step has too few IOs can't be judged. */
static uint64_t least(const struct search_config *c)
{
	double most_s = (double)(c->step_ns * LOAD_PROLONG) / 1e9;
	uint64_t rate = (uint64_t)ceil((double)goal_ios(c->goal.figure) / most_s);

	if (c->from || c->by != KNOB_RATE)
		return c->from ? c->from : 1;
	return c->to && rate > c->to ? c->to : rate > 1 ? rate : 1;
}

void search_begin(struct search *s, const struct search_config *c)
{
	memset(s, 0, sizeof(*s));
	s->config = *c;
	s->from = least(c);
	if (c->by == KNOB_RATE) {
		s->phase = SEARCH_TOP;
		s->value = c->to;
		return;
	}
	s->phase = SEARCH_UP;
	s->value = c->start < s->from ? s->from : c->start > c->to ? c->to : c->start;
}

bool search_next(const struct search *s, struct load_order *o)
{
	bool confirms = s->phase == SEARCH_CONFIRM;

	if (s->phase == SEARCH_OVER)
		return false;
	*o = (struct load_order){
		.value = s->value,
		.settle_ns = s->config.step_ns / LOAD_SETTLE_SHARE,
		.measure_ns = s->config.step_ns * (confirms ? CONFIRM_TIMES : 1),
		.ios = goal_ios(s->config.goal.figure),
		.confirms = confirms,
	};
	return true;
}

/* --- What a step says. --- */

static double value_of(const struct search *s, const struct load_step *step)
{
	struct summary_op o = load_latency(step, s->config.goal.of);

	return goal_value(&s->config.goal, &o);
}

/* Does it meet the goal? Why not stands in its note. */
static bool judge(const struct search *s, struct load_step *step)
{
	double value = value_of(s, step);
	const char *why = "";

	if (step->refused)
		why = "n/a";
	else if (step->sum.op[SUM_TOTAL].errors)
		why = "errs";
	else if (isnan(value))
		why = "none";
	else if (!(value < (double)s->config.goal.limit_ns))
		why = "above";
	else if (!step->sustained)
		why = "lags";
	snprintf(step->note, sizeof(step->note), "%s", why[0] ? why : step->few ? "few" : "meets");
	return !why[0];
}

/* The value in figures: the rate max is what it achieved. */
static uint64_t figure(const struct search *s, const struct load_step *step)
{
	if (step->load.value || s->config.by != KNOB_RATE)
		return step->load.value;
	double most = step->sum.op[SUM_TOTAL].iops;
	return isnan(most) ? 1 : (uint64_t)most + 1;
}

/* --- Going on. --- */

static void end(struct search *s, enum search_result r, uint64_t value)
{
	s->phase = SEARCH_OVER;
	s->result = r;
	s->found = value;
	s->at = s->log.steps - 1;
}

static void confirm(struct search *s, uint64_t value)
{
	s->phase = SEARCH_CONFIRM;
	s->value = value;
}

static uint64_t resolution(const struct search *s)
{
	uint64_t r = s->config.precision ? s->lo / s->config.precision : 1;

	return r > 1 ? r : 1;
}

static void narrow(struct search *s)
{
	if (s->hi - s->lo <= resolution(s)) {
		confirm(s, s->lo);
		return;
	}
	s->phase = SEARCH_NARROW;
	s->value = s->lo + (s->hi - s->lo) / 2;
}

/* hi is not met, and nothing below is known. At the end the least gets its second chance. */
static void go_down(struct search *s)
{
	s->phase = SEARCH_DOWN;
	if (s->hi <= s->from)
		confirm(s, s->from);
	else
		s->value = s->hi / 2 > s->from ? s->hi / 2 : s->from;
}

static void go_up(struct search *s)
{
	if (s->lo >= s->config.to)
		confirm(s, s->config.to);
	else
		s->value = s->lo * 2 < s->config.to ? s->lo * 2 : s->config.to;
}

static void took_confirmation(struct search *s, bool met, uint64_t value, bool top)
{
	if (met) {
		end(s, top ? SEARCH_ALL : SEARCH_FOUND, s->value);
		return;
	}
	if (value <= s->from) {
		end(s, SEARCH_NOTHING, s->from);
		return;
	}
	s->hi = value;
	if (s->value == 0) {
		/* The rate max: nothing below it has been looked at yet. */
		go_down(s);
		return;
	}
	unsigned bits = s->down < DOWN_BITS ? DOWN_BITS - s->down : 1;
	uint64_t less = value >> bits ? value >> bits : 1;
	s->down++;
	confirm(s, value - less > s->from ? value - less : s->from);
}

/* Too many steps: the largest that has met the goal and was not refuted. */
static void give_up(struct search *s)
{
	uint64_t best = 0;
	unsigned at = s->log.steps - 1;

	for (unsigned i = 0; i < s->log.steps; i++) {
		struct load_step *step = &s->log.step[i];
		if (!judge(s, step) || step->load.value <= best ||
		    (s->hi && step->load.value >= s->hi))
			continue;
		best = step->load.value;
		at = i;
	}
	end(s, best ? SEARCH_UNCONFIRMED : SEARCH_NOTHING, best ? best : s->from);
	s->at = at;
}

void search_take(struct search *s, struct load_step *step)
{
	bool met = judge(s, step), top = s->value == s->config.to;
	uint64_t value = figure(s, step);

	/* A target so slow that the least would be more than it can: few IOs are what there is. */
	if (s->phase == SEARCH_TOP && !s->config.from && value / SLOW_SHARE < s->from)
		s->from = value / SLOW_SHARE ? value / SLOW_SHARE : 1;
	load_append(&s->log, step);
	if (s->phase == SEARCH_CONFIRM) {
		took_confirmation(s, met, value, top);
	} else if (s->phase == SEARCH_TOP && met) {
		confirm(s, s->value);
	} else {
		if (met)
			s->lo = value;
		else
			s->hi = value;
		if (!s->lo)
			go_down(s);
		else if (!s->hi)
			go_up(s);
		else
			narrow(s);
	}
	if (s->phase != SEARCH_OVER && s->log.steps >= SEARCH_STEPS_MAX)
		give_up(s);
}

/* --- How long, and what came of it. --- */

/* Halvings until the interval is small enough. */
static unsigned halvings(uint64_t width, uint64_t small)
{
	unsigned n = 0;

	for (; width > small; width = (width + 1) / 2)
		n++;
	return n;
}

uint64_t search_left_ns(const struct search *s)
{
	uint64_t step = s->config.step_ns, settle = step / LOAD_SETTLE_SHARE;
	uint64_t last = settle + CONFIRM_TIMES * step;
	uint64_t v = s->hi ? s->hi : s->value ? s->value : 1;
	unsigned n = 0;

	switch (s->phase) {
	case SEARCH_OVER: return 0;
	case SEARCH_CONFIRM: return last;
	case SEARCH_NARROW: n = halvings(s->hi - s->lo, resolution(s)); break;
	/* Two more until the goal lies between, then as finely as it takes. */
	case SEARCH_TOP:
	case SEARCH_UP:
	case SEARCH_DOWN:
		n = 2 + halvings(v, s->config.precision && v / s->config.precision > 1
					    ? v / s->config.precision
					    : 1);
		break;
	}
	return last + n * (settle + step);
}

static const struct load_step *decisive(const struct search *s)
{
	return s->log.steps ? &s->log.step[s->at] : NULL;
}

/* Why a step failed, with its figure. */
static void describe_failure(char *out, size_t n, const struct search *s,
			     const struct load_step *step, int ascii)
{
	char load[48], figure_text[32];

	load_describe(load, sizeof(load), step->load);
	units_latency(figure_text, sizeof(figure_text), value_of(s, step), ascii);
	if (step->refused)
		snprintf(out, n, "%s can't be had", load);
	else if (step->sum.op[SUM_TOTAL].errors)
		snprintf(out, n, "%s has IO errors", load);
	else if (strcmp(step->note, "none") == 0)
		snprintf(out, n, "at %s no IO came back", load);
	else if (strcmp(step->note, "lags") == 0)
		snprintf(out, n, "%s is not done", load);
	else
		snprintf(out, n, "%s has %s", load, figure_text);
}

char *search_words(char *out, size_t n, const struct search *s, int ascii)
{
	const struct load_step *step = decisive(s);
	char goal[64], load[48], limit[32], value[32], few[64] = "", why[96];

	goal_describe(goal, sizeof(goal), &s->config.goal, ascii);
	if (!step || s->result == SEARCH_NONE) {
		snprintf(out, n, "search for %s", goal);
		return out;
	}
	load_describe(load, sizeof(load), (struct load){s->config.by, s->found});
	units_latency(limit, sizeof(limit), (double)s->config.goal.limit_ns, ascii);
	units_latency(value, sizeof(value), value_of(s, step), ascii);
	if (step->few)
		snprintf(few, sizeof(few), " (of only %llu IOs)",
			 (unsigned long long)step->sum.op[s->config.goal.of].ios);
	const char *figure_name = goal_figure_name(s->config.goal.figure);
	const char *of = goal_of_name(s->config.goal.of);
	switch (s->result) {
	case SEARCH_NONE: break;
	case SEARCH_FOUND:
		snprintf(out, n, "found: %s, %s %s %s < %s%s", load, figure_name, of, value, limit,
			 few);
		break;
	case SEARCH_ALL:
		snprintf(out, n, "all meet it up to %s: %s %s %s < %s%s", load, figure_name, of,
			 value, limit, few);
		break;
	case SEARCH_UNCONFIRMED:
		snprintf(out, n, "not confirmed: %s, %s %s %s < %s%s", load, figure_name, of, value,
			 limit, few);
		break;
	case SEARCH_NOTHING:
		describe_failure(why, sizeof(why), s, step, ascii);
		snprintf(out, n, "nothing meets %s: even %s%s", goal, why, few);
		break;
	}
	return out;
}

/* --- JSON. --- */

static json_t *value_json(const struct search_config *c, uint64_t value)
{
	return c->by == KNOB_RATE && value == 0 ? json_null() : json_integer((json_int_t)value);
}

static json_t *result_json(const struct search *s)
{
	static const char *const outcome[] = {
		[SEARCH_NONE] = "cancelled",
		[SEARCH_FOUND] = "found",
		[SEARCH_ALL] = "all",
		[SEARCH_NOTHING] = "nothing",
		[SEARCH_UNCONFIRMED] = "unconfirmed",
	};
	const struct load_step *step = decisive(s);
	bool has = s->result != SEARCH_NONE && s->result != SEARCH_NOTHING;
	double figure_ns = step && s->result != SEARCH_NONE ? value_of(s, step) : NAN;
	char words[160];

	return json_pack("{s:s, s:o, s:o, s:s}", "outcome", outcome[s->result], "value",
			 has ? value_json(&s->config, s->found) : json_null(), "figure_ns",
			 isnan(figure_ns) ? json_null() : json_real(figure_ns), "words",
			 search_words(words, sizeof(words), s, 1));
}

json_t *search_json(const struct search *s)
{
	const struct search_config *c = &s->config;

	return json_pack("{s:{s:s, s:s, s:I}, s:s, s:I, s:o, s:f, s:o, s:o}", "goal", "figure",
			 goal_figure_name(c->goal.figure), "of", goal_of_name(c->goal.of),
			 "limit_ns", (json_int_t)c->goal.limit_ns, "by", knobs[c->by].option,
			 "from", (json_int_t)s->from, "to", value_json(c, c->to), "step_s",
			 (double)c->step_ns / 1e9, "steps", load_json(&s->log, c->goal.of),
			 "result", result_json(s));
}
