/* units.c - parsing and printing of sizes, times, counts and rates; see units.h for the rules. */
#include "units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* --- Parsing. --- */

struct suffix {
	const char *name;
	double factor;
};

/* Splits "1.5MiB" into 1.5 and "MiB" (leading blanks of the suffix skipped). Only plain decimal
 * numbers: no sign, no exponent, no hex. */
static bool split_number(const char *text, double *value, const char **rest)
{
	while (isspace((unsigned char)*text))
		text++;
	const char *p = text;
	bool digits = false;
	while (isdigit((unsigned char)*p))
		p++, digits = true;
	if (*p == '.') {
		p++;
		while (isdigit((unsigned char)*p))
			p++, digits = true;
	}
	if (!digits)
		return false;
	char number[64];
	size_t n = (size_t)(p - text);
	if (n >= sizeof(number))
		return false;
	memcpy(number, text, n);
	number[n] = 0;
	/* The program never sets LC_NUMERIC, so '.' is the decimal point everywhere. */
	*value = strtod(number, NULL);
	while (isspace((unsigned char)*p))
		p++;
	*rest = p;
	return true;
}

static const struct suffix *suffix_find(const struct suffix *table, const char *name)
{
	char trimmed[16];
	size_t n = strlen(name);

	while (n && isspace((unsigned char)name[n - 1]))
		n--;
	if (n >= sizeof(trimmed))
		return NULL;
	memcpy(trimmed, name, n);
	trimmed[n] = 0;
	for (; table->name; table++)
		if (strcmp(table->name, trimmed) == 0)
			return table;
	return NULL;
}

/* Value x factor as a whole number; false when it does not fit or isn't one. A whole number without
 * a fraction is exact up to 2^53, which is 8 PiB in bytes. */
static bool scale_whole(double value, double factor, bool exact, uint64_t *out)
{
	double scaled = value * factor;

	if (!(scaled >= 0) || scaled >= 18446744073709549568.0)
		return false;
	double whole = exact ? scaled : nearbyint(scaled);
	if (whole != floor(whole))
		return false;
	*out = (uint64_t)whole;
	return true;
}

int units_parse_size(const char *text, uint64_t *bytes, struct error *e)
{
	static const struct suffix table[] = {
		{"", 1},       {"B", 1},       {"k", 1024},     {"K", 1024},     {"Ki", 1024},
		{"KiB", 1024}, {"m", 0x1p20},  {"M", 0x1p20},   {"Mi", 0x1p20},  {"MiB", 0x1p20},
		{"g", 0x1p30}, {"G", 0x1p30},  {"Gi", 0x1p30},  {"GiB", 0x1p30}, {"t", 0x1p40},
		{"T", 0x1p40}, {"Ti", 0x1p40}, {"TiB", 0x1p40}, {"kB", 1e3},     {"KB", 1e3},
		{"MB", 1e6},   {"GB", 1e9},    {"TB", 1e12},    {NULL, 0},
	};
	double value;
	const char *rest;

	if (!split_number(text, &value, &rest))
		return error_set(e, EINVAL, "'%s' is not a size: write for example 4k, 64KiB or 1G",
				 text);
	const struct suffix *s = suffix_find(table, rest);
	if (!s)
		return error_set(e, EINVAL,
				 "'%s' is not a size: '%s' is no unit (k M G T mean 1024, kB MB GB "
				 "TB 1000)",
				 text, rest);
	if (!scale_whole(value, s->factor, true, bytes))
		return error_set(e, EINVAL, "'%s' is not a whole number of bytes that fits 64 bits",
				 text);
	return 0;
}

int units_parse_duration(const char *text, uint64_t *ns, struct error *e)
{
	static const struct suffix table[] = {
		{"", 1e9},   {"s", 1e9},    {"ns", 1},     {"us", 1e3},    {"µs", 1e3}, {"ms", 1e6},
		{"m", 60e9}, {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}, {NULL, 0},
	};
	double value;
	const char *rest;

	if (!split_number(text, &value, &rest))
		return error_set(e, EINVAL,
				 "'%s' is not a time: write for example 30s, 5m or 250ms", text);
	const struct suffix *s = suffix_find(table, rest);
	if (!s)
		return error_set(e, EINVAL,
				 "'%s' is not a time: '%s' is no unit (ns us ms s m h d)", text,
				 rest);
	if (!scale_whole(value, s->factor, false, ns))
		return error_set(e, EINVAL, "'%s' is too long a time", text);
	return 0;
}

int units_parse_rate(const char *text, uint64_t *per_second, struct error *e)
{
	static const struct suffix table[] = {
		{"", 1},      {"/s", 1},  {"k", 1e3},   {"K", 1e3}, {"k/s", 1e3},
		{"K/s", 1e3}, {"M", 1e6}, {"M/s", 1e6}, {"m", 1e6}, {NULL, 0},
	};

	if (strcasecmp(text, "max") == 0) {
		*per_second = 0;
		return 0;
	}
	double value;
	const char *rest;
	if (!split_number(text, &value, &rest))
		return error_set(e, EINVAL,
				 "'%s' is not a rate: write for example 5000, 50k or max", text);
	const struct suffix *s = suffix_find(table, rest);
	if (!s)
		return error_set(e, EINVAL,
				 "'%s' is not a rate: '%s' is no unit (IOs per second, k or M)",
				 text, rest);
	if (!scale_whole(value, s->factor, false, per_second))
		return error_set(e, EINVAL, "'%s' is too high a rate", text);
	if (*per_second == 0 && value > 0)
		return error_set(e, EINVAL, "'%s' is below one IO per second", text);
	return 0;
}

int units_parse_uint(const char *text, const char *what, uint64_t min, uint64_t max,
		     uint64_t *value, struct error *e)
{
	char *end;

	errno = 0;
	unsigned long long v = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
	if (!isdigit((unsigned char)*text) || *end || errno || v < min || v > max)
		return error_set(e, EINVAL,
				 "%s '%s' is not a whole number from %" PRIu64 " to %" PRIu64, what,
				 text, min, max);
	*value = v;
	return 0;
}

int units_parse_percent(const char *text, const char *what, uint32_t *percent, struct error *e)
{
	char number[16];
	size_t n = strlen(text);
	uint64_t v;

	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	if (n && text[n - 1] == '%')
		n--;
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	snprintf(number, sizeof(number), "%.*s", (int)n, text);
	if (units_parse_uint(number, what, 0, 100, &v, NULL))
		return error_set(e, EINVAL, "%s '%s' is not a percentage from 0 to 100", what,
				 text);
	*percent = (uint32_t)v;
	return 0;
}

/* --- Printing. --- */

/* Three significant digits of a value in [0, 1000), and not "1000" by rounding up: the caller picks
 * the unit with fits(). */
static void three_digits(char *out, size_t n, double value)
{
	if (value >= 99.95)
		snprintf(out, n, "%.0f", value);
	else if (value >= 9.995)
		snprintf(out, n, "%.1f", value);
	else
		snprintf(out, n, "%.2f", value);
}

char *units_size(char *out, size_t n, uint64_t bytes)
{
	static const char prefix[] = "KMGTPE";

	if (bytes < 1024) {
		snprintf(out, n, "%" PRIu64 " B", bytes);
		return out;
	}
	unsigned p = 0;
	double v = (double)bytes / 1024;
	while (v >= 1023.5 && p < 5)
		v /= 1024, p++;
	char digits[32];
	uint64_t unit = 1024ull << (10 * p);
	if (bytes % unit == 0)
		snprintf(digits, sizeof(digits), "%" PRIu64, bytes / unit);
	else
		three_digits(digits, sizeof(digits), v);
	snprintf(out, n, "%s %ciB", digits, prefix[p]);
	return out;
}

char *units_size_exact(char *out, size_t n, uint64_t bytes)
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	unsigned u = 0;

	while (bytes && bytes % 1024 == 0 && u < 4)
		bytes /= 1024, u++;
	snprintf(out, n, "%" PRIu64 " %s", bytes, unit[u]);
	return out;
}

char *units_size_tight(char *out, size_t n, uint64_t bytes)
{
	static const char *const unit[] = {"", "K", "M"};
	unsigned u = 0;

	for (; bytes && bytes % KIB == 0 && u < 2; u++)
		bytes /= KIB;
	snprintf(out, n, "%" PRIu64 "%s", bytes, unit[u]);
	return out;
}

char *units_count(char *out, size_t n, double value)
{
	static const char *const prefix[] = {"", "k", "M", "G", "T"};

	if (isnan(value) || value < 0) {
		snprintf(out, n, "-");
		return out;
	}
	if (value < 1000 && value == floor(value)) {
		snprintf(out, n, "%.0f", value);
		return out;
	}
	unsigned p = 0;
	while (value >= 999.95 && p < 4)
		value /= 1000, p++;
	if (p && value >= 99.95)
		snprintf(out, n, "%.1f%s", value, prefix[p]);
	else {
		char digits[32];
		three_digits(digits, sizeof(digits), value);
		snprintf(out, n, "%s%s", digits, prefix[p]);
	}
	return out;
}

char *units_latency(char *out, size_t n, double ns, int ascii)
{
	if (isnan(ns) || ns < 0) {
		snprintf(out, n, "-");
		return out;
	}
	const char *unit = "ns";
	if (ns >= 999.5e6)
		ns /= 1e9, unit = "s";
	else if (ns >= 999.5e3)
		ns /= 1e6, unit = "ms";
	else if (ns >= 999.5)
		ns /= 1e3, unit = ascii ? "us" : "µs";
	char digits[32];
	if (unit[0] == 'n')
		snprintf(digits, sizeof(digits), "%.0f", ns);
	else
		three_digits(digits, sizeof(digits), ns);
	snprintf(out, n, "%s %s", digits, unit);
	return out;
}

const char *units_rate_name(enum rate_unit unit)
{
	return unit == RATE_MB ? "MB/s" : "MiB/s";
}

double units_rate_scale(enum rate_unit unit)
{
	return unit == RATE_MB ? 1e6 : (double)MIB;
}

char *units_rate(char *out, size_t n, double bytes_per_s, enum rate_unit unit)
{
	double v = bytes_per_s / units_rate_scale(unit);

	if (isnan(v) || v < 0) {
		snprintf(out, n, "-");
		return out;
	}
	char digits[32];
	three_digits(digits, sizeof(digits), v);
	snprintf(out, n, "%s %s", digits, units_rate_name(unit));
	return out;
}

char *units_time_exact(char *out, size_t n, uint64_t ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} unit[] = {{"s", NS_PER_SEC}, {"ms", NS_PER_MS}, {"us", NS_PER_US}, {"ns", 1}};
	unsigned i = 0;

	while (ns % unit[i].ns)
		i++;
	snprintf(out, n, "%" PRIu64 " %s", ns / unit[i].ns, unit[i].name);
	return out;
}

char *units_span(char *out, size_t n, uint64_t ns)
{
	if (ns < 60 * NS_PER_SEC)
		snprintf(out, n, "%.1f s", (double)ns / 1e9);
	else {
		uint64_t s = ns / NS_PER_SEC;
		snprintf(out, n, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60,
			 s % 60);
	}
	return out;
}

bool units_ascii(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

void units_append(char *out, size_t n, const char *fmt, ...)
{
	size_t used = strlen(out);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(out + used, n - used, fmt, ap);
	va_end(ap);
}

/* --- Clocks. --- */

uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}
