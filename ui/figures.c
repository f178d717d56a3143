/* figures.c - from sums to the figures on the screen, in one place, so that no two panes
 * disagree. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "figures.h"
#include "units.h"

/* CPU % as Iometer has it: the share of the time of all CPUs that was not idle. Waiting for IO is
 * idle time; time that the hypervisor took counts in the total only. */
uint64_t cpu_busy(const struct cpu_sample *c)
{
	return c->user + c->system + c->irq + c->softirq;
}

static uint64_t cpu_total(const struct cpu_sample *c)
{
	return cpu_busy(c) + c->idle + c->iowait + c->steal;
}

double cpu_capacity(const struct cpu_sample *c)
{
	return c->valid && c->cpus ? (double)cpu_total(c) / c->cpus : 0;
}

double cpu_share(const struct cpu_sample *c, uint64_t part)
{
	uint64_t total = cpu_total(c);

	return c->valid && total ? (double)part / (double)total : 0;
}

static double per_second(uint64_t sum, uint64_t dt_ns)
{
	return dt_ns ? (double)sum * 1e9 / (double)dt_ns : 0;
}

static double mean(uint64_t sum, uint64_t count)
{
	return count ? (double)sum / (double)count : NAN;
}

struct figures figures_of(const struct snapshot *s)
{
	const struct sample *q = &s->second;
	const struct op_sample *r = &q->op[IO_READ], *w = &q->op[IO_WRITE];
	double one_cpu = cpu_capacity(&s->cpu);
	struct figures f = {
		.iops = {per_second(r->ios, q->dt_ns), per_second(w->ios, q->dt_ns),
			 per_second(r->ios + w->ios, q->dt_ns)},
		.bytes_s = {per_second(r->bytes, q->dt_ns), per_second(w->bytes, q->dt_ns),
			    per_second(r->bytes + w->bytes, q->dt_ns)},
		.latency = {mean(r->lat_sum, r->ios), mean(w->lat_sum, w->ios),
			    mean(r->lat_sum + w->lat_sum, r->ios + w->ios)},
		.p99 = q->p99 ? (double)q->p99 : NAN,
		.cpu_known = s->cpu.valid && one_cpu > 0,
		.cpu_percent = NAN,
		.cpu_us_per_io = NAN,
		.self_us_per_io = NAN,
		.cpu_s_per_gib = NAN,
	};

	if (!f.cpu_known)
		return f;
	/* CPU seconds used in a second, by all CPUs together */
	double used = (double)cpu_busy(&s->cpu) / one_cpu;

	f.cpu_percent = 100 * cpu_share(&s->cpu, cpu_busy(&s->cpu));
	if (f.iops[FIG_TOTAL] > 0) {
		f.cpu_us_per_io = used * 1e6 / f.iops[FIG_TOTAL];
		f.self_us_per_io = (double)s->cpu.self_ns / one_cpu * 1e6 / f.iops[FIG_TOTAL];
	}
	if (f.bytes_s[FIG_TOTAL] > 0)
		f.cpu_s_per_gib = used * (double)GIB / f.bytes_s[FIG_TOTAL];
	return f;
}

uint64_t figures_errors(const struct snapshot *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < ERRNO_SLOTS; i++)
		sum += s->errors[i];
	return sum;
}

static void print_digits(char *out, size_t n, double v)
{
	int decimals = v >= 99.95 ? 0 : v >= 9.995 ? 1 : v >= 0.9995 || v == 0 ? 2 : 3;

	if (v == 0)
		decimals = 0;
	snprintf(out, n, "%.*f", decimals, v);
}

char *figure_digits(char *out, size_t n, double value, int width)
{
	static const char prefix[] = {0, 'k', 'M', 'G', 'T'};
	char text[64];
	size_t p = 0;

	if (isnan(value)) {
		snprintf(out, n, "%*s", width, "-");
		return out;
	}
	print_digits(text, sizeof(text), value);
	while (strlen(text) > (size_t)width && value >= 1000 && p + 1 < sizeof(prefix)) {
		value /= 1000;
		p++;
		print_digits(text, sizeof(text), value);
		/* the letter needs a place: give up decimals for it, never whole digits */
		for (int d = 2; d >= 0 && strlen(text) + 1 > (size_t)width; d--)
			snprintf(text, sizeof(text), "%.*f", d, value);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%c", prefix[p]);
	}
	/* below 1 there may be no room for the third decimal */
	for (int d = 2; d >= 0 && strlen(text) > (size_t)width && value < 1000; d--)
		if (!p)
			snprintf(text, sizeof(text), "%.*f", d, value);
	snprintf(out, n, "%*s", width, text);
	return out;
}
