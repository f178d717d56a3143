/* run-fixture.h - one run at a time on null: or on a file of its own, turned by its own calls, and the
 * marks that it leaves.
 */
#ifndef LUNSCOPE_TEST_RUN_FIXTURE_H
#define LUNSCOPE_TEST_RUN_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "run.h"

#define RUN_FILE_SIZE (4u << 20)
#define RUN_MARKS     64

extern struct run *run;
extern struct summary summary; /* after stop() */
extern struct mark mark[RUN_MARKS];
extern size_t marks;

void wait_ms(uint64_t ms);
/* On null:1ms; store NULL = none. */
void start_null(const char *store);
/* On null: that another backend of the test's own does, without a store. */
void start_backend(const struct backend *b);
/* On a file that is made anew; its path. */
const char *start_file(bool stop_on_error);
/* run_stop(), with nothing lost. */
void stop(void);
/* Ends whatever a test has left: a cmocka teardown function. */
int finish(void **state);
#define RUN_TEST(f) cmocka_unit_test_teardown(f, finish)

void apply_outstanding(uint32_t n);
void pause_it(bool paused);
/* The marks so far, into mark[]. */
void read_marks(void);
size_t count_marks(enum mark_kind kind);
/* mark[i] is like this; text may be NULL. */
void check_mark(size_t i, enum mark_kind kind, char letter, const char *text);

#endif
