/* words.h - figures as a report writes them: with as many digits as they have, and without a unit where the
 * column's head has it.
 */
#ifndef LUNSCOPE_REPORT_WORDS_H
#define LUNSCOPE_REPORT_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include "error.h"

#define WORDS 64
#define NONE  "\342\200\223" /* what is not known, or was not done: a dash */

/* As in the summary's wide row: "3.142", "42.31", "685.3", "6414". */
const char *words_figure(char out[WORDS], double v);
/* A latency with its unit: "1.02 ms". */
const char *words_latency(char out[WORDS], double ns);
/* Two decimals where it is small, for costs. */
const char *words_cost(char out[WORDS], double v);
const char *words_percent(char out[WORDS], double v);
/* "12.3 s", "00:12:41" */
const char *words_span(char out[WORDS], double seconds);
/* "2026-12-01 04:05:04", this host's time of day. */
const char *words_time(char out[WORDS], uint64_t wall);
/* The same without the day where it is that of `day`. */
const char *words_clock(char out[WORDS], uint64_t wall, uint64_t day);
/* What B is to A: "x 1.42, +42.1 % of A"; the dash where there is no ratio. */
const char *words_delta(char out[WORDS], double a, double b);

#endif
