/* axis.c - see axis.h. */
#include "report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "units.h"

static void add(struct axis *a, double at, const char *text)
{
	if (a->count == AXIS_TICS)
		return;
	a->tic[a->count].at = at;
	snprintf(a->tic[a->count++].text, sizeof(a->tic[0].text), "%s", text);
}

/* 1, 2 or 5 times a power of ten, the least that is not below v. */
static double round_up(double v)
{
	double power = pow(10, floor(log10(v)));
	static const double step[] = {1, 2, 5, 10};

	for (int i = 0; i < 4; i++)
		if (step[i] * power >= v * (1 - 1e-9))
			return step[i] * power;
	return 10 * power;
}

static double round_down(double v)
{
	double power = pow(10, floor(log10(v)));
	static const double step[] = {10, 5, 2, 1};

	for (int i = 0; i < 4; i++)
		if (step[i] * power <= v * (1 + 1e-9))
			return step[i] * power;
	return power;
}

void axis_counts(struct axis *a, double high)
{
	double step = round_up((high > 0 ? high : 1) / 4);
	static const char *const prefix[] = {"", "k", "M", "G"};

	memset(a, 0, sizeof(*a));
	for (unsigned i = 0; i <= 5; i++) {
		double v = step * i;
		int p = 0;
		char text[24];
		while (p < 3 && v >= 1000 * pow(1000, p))
			p++;
		snprintf(text, sizeof(text), "%.4g%s", v / pow(1000, p), prefix[p]);
		add(a, v, text);
		a->high = v;
		if (v >= high && i)
			break;
	}
}

void axis_latencies(struct axis *a, double low, double high)
{
	memset(a, 0, sizeof(*a));
	if (!(low > 0) || !(high >= low)) {
		low = 1e5;
		high = 1e7;
	}
	a->low = round_down(low * 0.93);
	a->high = round_up(high * 1.001);
	bool wide = log10(a->high / a->low) > 2.5;
	for (double v = a->low; v <= a->high * 1.001; v = round_up(v * 1.5)) {
		char text[24];
		double power = pow(10, floor(log10(v) + 1e-9));
		units_time_exact(text, sizeof(text), (uint64_t)llround(v));
		if (strstr(text, " us"))
			snprintf(text, sizeof(text), "%.0f µs", v / 1e3);
		if (!wide || fabs(v / power - 1) < 0.01)
			add(a, v, text);
	}
}

void axis_time(struct axis *a, double length, unsigned most)
{
	static const double steps[] = {1,   2,   5,    10,   15,   30,    60,    120,   300,
				       600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400};
	double step = 0;

	memset(a, 0, sizeof(*a));
	for (unsigned i = 0; i < sizeof(steps) / sizeof(*steps) && !step; i++)
		if (length / steps[i] <= most)
			step = steps[i];
	step = step ? step : 86400 * ceil(length / 86400 / most);
	a->high = length > 0 ? length : 1;
	for (unsigned i = 0; step * i <= a->high * (1 + 1e-9); i++) {
		unsigned long s = (unsigned long)(step * i);
		char text[48];
		if (a->high < 60)
			snprintf(text, sizeof(text), "%lu s", s);
		else if (a->high < 3600)
			snprintf(text, sizeof(text), "%lu:%02lu", s / 60, s % 60);
		else
			snprintf(text, sizeof(text), "%lu:%02lu:%02lu", s / 3600, s / 60 % 60,
				 s % 60);
		add(a, step * i, text);
	}
}
