/* io.h - headless runs of the real program, and their JSON in the hand of a test. */
#ifndef LUNSCOPE_TEST_IO_H
#define LUNSCOPE_TEST_IO_H

#include <stdint.h>
#include <jansson.h>
#include "tests/proc.h"

struct outcome {
	struct proc p;
	json_t *doc; /* what --json wrote; NULL when it wrote nothing */
};

/* `lunscope run ARGUMENT...` with --no-store, --json and --csv into the scratch folder. */
void io_run(struct outcome *o, const char *const arguments[]);
#define IO_RUN(o, ...) io_run(o, (const char *const[]){__VA_ARGS__, NULL})
void io_free(struct outcome *o);

/* `lunscope run ARGUMENT...` is refused: status 2, no result, and one line that holds all the words. */
void io_expect_refused(const char *const words[], const char *const arguments[]);
#define WORDS(...)	    ((const char *const[]){__VA_ARGS__, NULL})
#define REFUSED(words, ...) io_expect_refused(words, (const char *const[]){__VA_ARGS__, NULL})
/* It goes well: status 0, some IOs, no errors, and sums that are right. */
void io_expect_good(const struct outcome *o);
void io_run_good(const char *const arguments[]);
#define GOOD(...) io_run_good((const char *const[]){__VA_ARGS__, NULL})

/* The number at "summary.read.ios"; the test fails when there is none. */
double io_number(const json_t *from, const char *path);
uint64_t io_count(const json_t *from, const char *path);
/* The sum of that number over an array ("samples", "read.ios"). */
uint64_t io_sum(const json_t *doc, const char *array, const char *path);

/* The document is complete, and its parts add up: read + write = total, samples, segments and
 * histograms = summary (with what an outage leaves out of it, where it is), the last run's CSV too;
 * Little's law holds within 5 % unless there were errors. */
void io_check_sums(const json_t *doc);

/* --- Runs that go on: run 1 of a store, as `lunscope show` and `env` tell of it. --- */

/* How often show has the words. */
unsigned io_told(const char *store, const char *words);
/* Waits until it has them; the test fails when patience is over. */
void io_await_told(const char *store, const char *words);
/* The same of what `lunscope env` tells. */
void io_await_env(const char *store, const char *words);
/* How many IOs are on record. */
uint64_t io_ios(const char *store);
/* Waits until there are so many; fails likewise. */
void io_await_ios(const char *store, uint64_t ios);

#endif
