/* units.h - numbers in, numbers out.
 *
 * Inside, everything is bytes and nanoseconds. Input: k, K, Ki, KiB mean 1024 (M, G, T alike); kB,
 * MB, GB, TB mean 1000, 10^6, ... Output always carries its unit and has three significant digits.
 */
#ifndef LUNSCOPE_UNITS_H
#define LUNSCOPE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include "error.h"

#define NS_PER_US  1000ull
#define NS_PER_MS  1000000ull
#define NS_PER_SEC 1000000000ull

#define KIB 1024ull
#define MIB (1024ull * 1024)
#define GIB (1024ull * 1024 * 1024)

enum rate_unit { RATE_MIB, RATE_MB };

/* "4k", "1MiB", "512", "4kB", "1.5G" -> bytes. -EINVAL with the reason for anything else, and for
 * what does not fit 64 bits or is not a whole number of bytes. */
int units_parse_size(const char *text, uint64_t *bytes, struct error *e);

/* "30s", "5m", "1h", "250ms", "100us", "1.5s"; a bare number is seconds -> ns. */
int units_parse_duration(const char *text, uint64_t *ns, struct error *e);

/* A count per second: "50000", "50k" (= 50,000, decimal: a count, not a size), "1.2M", "50k/s";
 * "max" or "0" -> 0, no limit. */
int units_parse_rate(const char *text, uint64_t *per_second, struct error *e);

/* A whole number in [min, max]; what names it in the message. */
int units_parse_uint(const char *text, const char *what, uint64_t min, uint64_t max,
		     uint64_t *value, struct error *e);

/* A share: "70", "70%", "70 %", from 0 to 100. */
int units_parse_percent(const char *text, const char *what, uint32_t *percent, struct error *e);

/* All of these write at most n bytes, always end in NUL and return out. */

/* Bytes as IEC: "512 B", "4 KiB", "1.50 GiB"; exact multiples print without decimals. */
char *units_size(char *out, size_t n, uint64_t bytes);
/* The same to the byte, in the largest unit that gives a whole number: "1536 MiB", "1049088 B". What it
 * says can be parsed again. */
char *units_size_exact(char *out, size_t n, uint64_t bytes);
/* To the byte and as short as can be: "4K", "1M", "4608"; can be parsed again. */
char *units_size_tight(char *out, size_t n, uint64_t bytes);
/* A count: "0", "87.0", "142.9k", "1.25M": the digit count never exceeds 4, width <= 6. */
char *units_count(char *out, size_t n, double value);
/* A latency: "812 ns", "97.5 µs", "1.79 ms", "12.3 s"; with ascii, "us" stands for "µs".
 * A NaN or negative value prints as "-". */
char *units_latency(char *out, size_t n, double ns, int ascii);
/* Bytes per second: "585 MiB/s" or "613 MB/s"; always that unit, down to "0.01". */
char *units_rate(char *out, size_t n, double bytes_per_s, enum rate_unit unit);
const char *units_rate_name(enum rate_unit unit); /* "MiB/s" or "MB/s" */
double units_rate_scale(enum rate_unit unit);	  /* bytes in one of it */
/* A time to the ns, in the largest unit that gives a whole number: "90 s", "500 us"; can be parsed
 * again. */
char *units_time_exact(char *out, size_t n, uint64_t ns);
/* A time span: "12.3 s", "00:12:41" from a minute on. */
char *units_span(char *out, size_t n, uint64_t ns);

/* Whether text for the operator must do without "µ": the locale's characters are not UTF-8. */
bool units_ascii(void);

/* Adds words at the end of a text, as far as they fit in. */
void units_append(char *out, size_t n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* CLOCK_MONOTONIC in ns; CLOCK_REALTIME in ns since 1970. */
static inline uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}
uint64_t wall_ns(void);

#endif
