/* setting_pace.c - when IOs start: how they fall due at a rate, bursts and the think time before each. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "setting.h"
#include "units.h"

#define THINK_STEP (10 * NS_PER_US) /* the shortest that a step leads to; shorter ones are typed */

/* --- Arrivals. --- */

static void format_arrival(char *out, size_t n, const struct workload *w)
{
	snprintf(out, n, "%s", w->poisson ? "poisson" : "constant");
}

static int parse_arrival(struct workload *w, const char *text, struct error *e)
{
	bool poisson = setting_is_word(text, "poisson");

	if (!poisson && !setting_is_word(text, "constant"))
		return error_set(e, EINVAL, "arrival '%s': write constant or poisson", text);
	w->poisson = poisson;
	return 0;
}

static void arrival_step(struct workload *w, int dir, const struct workload_limits *l)
{
	(void)dir;
	(void)l;
	w->poisson = !w->poisson;
}

const struct setting_ops setting_arrival = {
	.format = format_arrival, .parse = parse_arrival, .step = arrival_step, .words = true};

/* --- Bursts. --- */

static void format_burst(char *out, size_t n, const struct workload *w)
{
	snprintf(out, n, "%" PRIu32, w->burst ? w->burst : 1);
}

static int parse_burst(struct workload *w, const char *text, struct error *e)
{
	uint64_t v;
	int rc = units_parse_uint(text, "burst", 1, BURST_MAX, &v, e);

	if (rc == 0)
		w->burst = v > 1 ? (uint32_t)v : 0;
	return rc;
}

static void burst_step(struct workload *w, int dir, const struct workload_limits *l)
{
	uint32_t v = w->burst ? w->burst : 1;
	(void)l;

	if (dir > 0)
		v = v > BURST_MAX / 2 ? v : v * 2;
	else
		v /= 2;
	w->burst = v > 1 ? v : 0;
}

static int check_burst(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	(void)l;
	if (w->burst <= BURST_MAX)
		return 0;
	return error_set(e, EINVAL, "burst %" PRIu32 ": up to %u are possible", w->burst,
			 BURST_MAX);
}

const struct setting_ops setting_burst = {.format = format_burst,
					  .parse = parse_burst,
					  .step = burst_step,
					  .check = check_burst,
					  .big = 2};

/* --- Think time. --- */

static void format_think(char *out, size_t n, const struct workload *w)
{
	if (w->think_ns)
		units_time_exact(out, n, w->think_ns);
	else
		snprintf(out, n, "none");
}

static int parse_think(struct workload *w, const char *text, struct error *e)
{
	uint64_t v = 0;
	int rc = setting_is_word(text, "none") ? 0 : units_parse_duration(text, &v, e);

	if (rc == 0 && v > THINK_MAX_NS)
		rc = error_set(e, EINVAL, "think '%s': up to 1 h is possible, or none", text);
	if (rc == 0)
		w->think_ns = v;
	return rc;
}

/* 1, 2, 5, 10, ... */
static void think_step(struct workload *w, int dir, const struct workload_limits *l)
{
	uint64_t below = 0, at = THINK_STEP;
	unsigned i = 0;
	(void)l;

	while (dir > 0 ? at <= w->think_ns : at < w->think_ns) {
		below = at;
		at = i++ % 3 == 1 ? at / 2 * 5 : at * 2;
	}
	if (dir < 0)
		w->think_ns = below;
	else if (at <= THINK_MAX_NS)
		w->think_ns = at;
}

/* A rate starts IOs by the clock, a think time when the burst before is out: not both. */
static int check_think(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	(void)l;
	if (w->think_ns > THINK_MAX_NS)
		return error_set(e, EINVAL, "think %llu s: up to 1 h is possible, or none",
				 w->think_ns / NS_PER_SEC);
	if (!w->rate_iops || !workload_thinks(w))
		return 0;
	if (w->access.count)
		return error_set(
			e, EINVAL,
			"a rate and access lines with a delay exclude each other: set rate "
			"to max, or the delays to 0");
	return error_set(e, EINVAL,
			 "a rate and a think time exclude each other: set rate to max, or think to "
			 "none");
}

const struct setting_ops setting_think = {.format = format_think,
					  .parse = parse_think,
					  .step = think_step,
					  .check = check_think,
					  .big = 3};
