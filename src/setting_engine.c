/* setting_engine.c - how the engine itself works: on which CPUs, and how it waits for completions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "setting.h"
#include "units.h"

/* --- CPUs. --- */

static void format_cpus(char *out, size_t n, const struct workload *w)
{
	cpus_format(out, n, &w->cpus);
}

static int parse_cpus(struct workload *w, const char *text, struct error *e)
{
	return cpus_parse(&w->cpus, text, e);
}

/* One CPU more or less, from the first allowed one on; below one there is "all". */
static void step_cpus(struct workload *w, int dir, const struct workload_limits *l)
{
	cpu_set_t all = cpus_allowed();
	int count = CPU_COUNT(&w->cpus) + (dir > 0 ? 1 : -1);

	(void)l;
	if (count < 0 || count > CPU_COUNT(&all))
		return;
	CPU_ZERO(&w->cpus);
	for (int cpu = 0; cpu < CPU_SETSIZE && count > 0; cpu++)
		if (CPU_ISSET(cpu, &all)) {
			CPU_SET(cpu, &w->cpus);
			count--;
		}
}

static int check_cpus(const struct workload *w, const struct workload_limits *l, struct error *e)
{
	cpu_set_t all = cpus_allowed(), both;
	char asked[SETTING_SHORT], may[SETTING_SHORT];

	(void)l;
	CPU_AND(&both, &all, &w->cpus);
	if (CPU_EQUAL(&both, &w->cpus))
		return 0;
	return error_set(e, EINVAL, "cpus %s: this process may run on %s",
			 cpus_format(asked, sizeof(asked), &w->cpus),
			 cpus_format(may, sizeof(may), &all));
}

const struct setting_ops setting_cpus = {
	.format = format_cpus, .parse = parse_cpus, .step = step_cpus, .check = check_cpus};

/* --- Spinning. --- */

#define SPIN_US_MAX 1000

static void format_spin(char *out, size_t n, const struct workload *w)
{
	if (w->spin_us > 0)
		snprintf(out, n, "%d us", w->spin_us);
	else
		snprintf(out, n, "%s", w->spin_us < 0 ? "off" : "auto");
}

static int parse_spin(struct workload *w, const char *text, struct error *e)
{
	uint64_t ns;

	w->spin_us = 0;
	if (setting_is_word(text, "auto"))
		return 0;
	w->spin_us = -1;
	if (setting_is_word(text, "off"))
		return 0;
	int rc = units_parse_duration(text, &ns, e);
	if (rc == 0 && text[strspn(text, " \t0123456789.")] == '\0')
		return error_set(
			e, EINVAL,
			"spin '%s': a number without a unit is seconds; write %sus, or off, "
			"or auto",
			text, text);
	if (rc == 0 && (ns < 1000 || ns > SPIN_US_MAX * 1000ull || ns % 1000))
		rc = error_set(e, EINVAL,
			       "spin '%s': whole us from 1us to 1ms are possible, or off, or auto",
			       text);
	if (rc == 0)
		w->spin_us = (int32_t)(ns / 1000);
	return rc;
}

/* off, auto, 1, 2, 4, ... us. */
static void step_spin(struct workload *w, int dir, const struct workload_limits *l)
{
	int32_t v = w->spin_us;

	(void)l;
	if (dir > 0)
		w->spin_us = v < 0 ? 0 : v == 0 ? 1 : v > SPIN_US_MAX / 2 ? SPIN_US_MAX : v * 2;
	else
		w->spin_us = v <= 0 ? -1 : v / 2;
}

const struct setting_ops setting_spin = {
	.format = format_spin, .parse = parse_spin, .step = step_spin, .big = 2};
