/* words.c - see words.h. */
#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include "units.h"

const char *words_figure(char out[WORDS], double v)
{
	if (isnan(v))
		return NONE;
	if (v == 0)
		return "0";
	snprintf(out, WORDS, "%.*f", v < 9.9995 ? 3 : v < 99.995 ? 2 : v < 999.95, v);
	return out;
}

const char *words_latency(char out[WORDS], double ns)
{
	return isnan(ns) || ns < 0 ? NONE : units_latency(out, WORDS, ns, 0);
}

const char *words_cost(char out[WORDS], double v)
{
	if (isnan(v))
		return NONE;
	snprintf(out, WORDS, "%.*f", v < 9.995 ? 2 : v < 99.95, v);
	return out;
}

const char *words_percent(char out[WORDS], double v)
{
	if (isnan(v))
		return NONE;
	snprintf(out, WORDS, "%.1f", v);
	return out;
}

const char *words_span(char out[WORDS], double seconds)
{
	return units_span(out, WORDS, seconds > 0 ? (uint64_t)llround(seconds * 1e9) : 0);
}

const char *words_time(char out[WORDS], uint64_t wall)
{
	time_t t = (time_t)(wall / NS_PER_SEC);
	struct tm tm;

	localtime_r(&t, &tm);
	return strftime(out, WORDS, "%Y-%m-%d %H:%M:%S %z", &tm) ? out : NONE;
}

const char *words_clock(char out[WORDS], uint64_t wall, uint64_t day)
{
	time_t t = (time_t)(wall / NS_PER_SEC), u = (time_t)(day / NS_PER_SEC);
	struct tm tm, on;

	localtime_r(&t, &tm);
	localtime_r(&u, &on);
	bool same = tm.tm_year == on.tm_year && tm.tm_yday == on.tm_yday;
	return strftime(out, WORDS, same ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S", &tm) ? out : NONE;
}

const char *words_delta(char out[WORDS], double a, double b)
{
	if (!(a > 0) || !(b >= 0))
		return a == 0 && b == 0 ? "the same" : NONE;
	if (b == 0)
		return "\303\227 0, -100 %";
	double change = 100 * (b / a - 1);
	if (fabs(change) < 0.05)
		snprintf(out, WORDS, "\303\227 1.00, 0.0 %%");
	else
		snprintf(out, WORDS, "\303\227 %.*f, %+.*f %%", b / a < 0.0995 ? 3 : 2, b / a,
			 fabs(change) < 99.95, change);
	return out;
}
