/* e2e.h - what the tests of the live screen share: starting the program, and reading its figures and
 * knobs off the cells.
 *
 * Everything is read where the eye finds it: the knob bar is row 1, the answer is row 2, an event
 * stands below the title "Events", in that pane's columns. Waits are for what the screen shows.
 */
#ifndef LUNSCOPE_TEST_E2E_H
#define LUNSCOPE_TEST_E2E_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/loopdev.h"
#include "tests/vt.h"

#define ROW_HEADER 0
#define ROW_KNOBS  1
#define ROW_ANSWER 2

/* The live screen with these arguments; returns when its first frame is there. */
#define LIVE(o, ...) e2e_start(o, (const char *const[]){lunscope_path(), __VA_ARGS__, NULL})
struct vt *e2e_start(const struct vt_options *o, const char *const argv[]);
/* Registers a terminal that vt_start() made, so that e2e_free_all() knows it. */
struct vt *e2e_keep(struct vt *v);
void e2e_free(struct vt *v);
/* After each test: ends what a failed one has left running. A cmocka teardown function. */
int e2e_free_all(void **state);
#define E2E_TEST(f) cmocka_unit_test_teardown(f, e2e_free_all)
/* q, and k when it asks; waits for the end, which must be a good one, and frees it. */
void e2e_quit(struct vt *v);

/* A loop device for this test, over size bytes of data; false (after the reason was printed, for
 * skip()) where there are none. */
bool e2e_loop(struct loopdev *l, uint64_t size);
/* A sum over all bytes of a file, read past the page cache of any device on top. */
uint64_t e2e_file_sum(const char *path, uint64_t from, uint64_t length);

/* --- The knob bar. --- */

/* The knob's value as its cells show it ("4K"), and whether it is in focus: between < and >. False
 * when it isn't there. name is what stands before the bracket. */
bool e2e_knob(struct vt *v, const char *name, char value[16], bool *focused);
#define KNOB(v, name, value) e2e_expect_knob(v, name, value, __FILE__, __LINE__)
void e2e_expect_knob(struct vt *v, const char *name, const char *value, const char *file, int line);
/* The knob that is in focus, "" if none. */
const char *e2e_focus(struct vt *v);
#define FOCUS(v, name) e2e_expect_focus(v, name, __FILE__, __LINE__)
void e2e_expect_focus(struct vt *v, const char *name, const char *file, int line);

/* --- The answer. --- */

enum { READS, WRITES, BOTH, SUMS };

struct answer {
	double iops[SUMS];   /* NaN where there is no figure, or none at this width */
	double rate[SUMS];   /* MiB/s or MB/s, as shown */
	double ms, p99_ms;   /* whatever the unit on the screen */
	double cpu;
	char unit[8];	     /* "MiB/s" */
};

struct answer e2e_answer(struct vt *v);
/* Waits until the answer row is as asked. */
#define ANSWER(v, holds) VT_EXPECT(v, e2e_wait_answer(v, holds))
bool e2e_wait_answer(struct vt *v, bool (*holds)(const struct answer *a));
bool shows_reads(const struct answer *a);   /* IOPS > 0, R = T, W = 0 */
bool shows_writes(const struct answer *a);  /* W > 0 */
bool shows_nothing(const struct answer *a); /* IOPS 0 */

/* --- Panes. --- */

/* Waits for an event with this text: "12:03:58 a TEXT" below the title, in the pane's columns. */
#define EVENT(v, text) VT_EXPECT(v, e2e_wait_event(v, text))
bool e2e_wait_event(struct vt *v, const char *text);
/* The letter of the newest event with that text, 0 if there is none on the screen. */
char e2e_event_letter(struct vt *v, const char *text);
/* How many cells hold one of these code points (ends with 0). */
int e2e_count(struct vt *v, const uint32_t *set);
/* No cell has a colour, and no sequence that sets one was received. */
bool e2e_colourless(struct vt *v);
/* All that was printed is one line: no escape sequence, no other screen, no summary of a run that
 * nobody saw. */
void e2e_expect_one_line(struct vt *v);

#endif
