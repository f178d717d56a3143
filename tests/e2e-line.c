/* e2e-line.c - a slow line, a terminal that takes nothing for a while, and one that can show a frame as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "units.h"

/* Figures that are never the same: IOs at random times. */
#define NOISY "null:1ms", "--rate", "300", "--arrival", "poisson", "--outstanding", "8"

#define PATIENCES 4

static size_t bytes(struct vt *v)
{
	size_t n;

	vt_raw(v, &n);
	return n;
}

static const char *raw(struct vt *v)
{
	size_t n;

	return vt_raw(v, &n);
}

static void half_of_a_slow_line_is_taken_at_most_and_keys_are_answered(void **state)
{
	(void)state;
	/* 960 B/s. */
	struct vt *v = LIVE(NULL, NOISY, "--no-store", "--baud", "9600");

	VT_MATCH(v, ROW_HEADER, "00:00:(0[5-9]|[1-5])");
	vt_forget(v);
	uint64_t from = clock_ns();
	vt_pump(v, 6);
	double seconds = (double)(clock_ns() - from) / 1e9;
	size_t sent = bytes(v);
	/* And some time before the first, and one frame more than that carries. */
	if (sent > 480 * (seconds + 1) + 1500)
		fail_msg("%zu bytes in %.1f s", sent, seconds);
	assert_true(sent > 0);
	vt_type(v, "m");
	VT_TEXT(v, "mark");
	vt_key(v, "esc");
	e2e_quit(v);
}

static void where_that_is_too_little_the_charts_sweep_and_panes_come_in_turn(void **state)
{
	(void)state;
	/* 240 B/s: half of it is less than any whole frame. */
	struct vt *v = LIVE(NULL, NOISY, "--no-store", "--baud", "2400");

	for (int i = 0; i < PATIENCES && !vt_wait_text(v, "sweep of"); i++)
		;
	VT_TEXT(v, "sweep of");
	/* The figures go on. */
	VT_MATCH(v, ROW_HEADER, "00:0[0-9]:[0-9][0-9]");
	vt_shot(v, "line-sweep");
	e2e_quit(v);
}

/* --- A terminal that nobody reads. --- */

/* The screen's thread, which is the first, is in write(2). */
static bool blocked(struct vt *v)
{
	char path[64], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", (int)vt_pid(v), (int)vt_pid(v));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	/* write is 1 on x86-64, 64 elsewhere; then its descriptor */
	return n > 0 && (strncmp(text, "1 0x1 ", 6) == 0 || strncmp(text, "64 0x1 ", 7) == 0);
}

static bool stays_blocked(struct vt *v)
{
	for (int i = 0; i < 20; i++, usleep(20000))
		if (!blocked(v))
			return false;
	return true;
}

/* No second is missing, and none is without IO. */
static void check_record(const char *path)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	int64_t before = 0;
	int rows = 0;

	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db,
					    "SELECT time, dt, read_ios FROM sample ORDER BY time",
					    -1, &st, NULL),
			 SQLITE_OK);
	for (; sqlite3_step(st) == SQLITE_ROW; rows++) {
		int64_t time = sqlite3_column_int64(st, 0), dt = sqlite3_column_int64(st, 1);
		if (before && llabs(time - dt - before) > (int64_t)NS_PER_MS)
			fail_msg("%.3f s are missing", (double)(time - dt - before) / 1e9);
		if (dt > (int64_t)NS_PER_SEC / 2 && sqlite3_column_int64(st, 2) == 0)
			fail_msg("no IO in a second");
		before = time;
	}
	assert_true(rows >= 5);
	sqlite3_finalize(st);
	sqlite3_close(db);
}

static void a_terminal_that_takes_nothing_holds_up_nobody_else(void **state)
{
	char store[600];

	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("blocked.db"));
	const struct vt_options o = {.rows = 43, .cols = 132};
	struct vt *v = LIVE(&o, NOISY, "--store", store, "--fps", "20");
	VT_MATCH(v, ROW_HEADER, "00:00:0[2-9]");
	/* Until the line is full. */
	double end = proc_now() + PATIENCES * proc_patience();
	while (!stays_blocked(v))
		if (proc_now() > end) {
			print_message("the system call of a thread can't be seen here\n");
			skip();
		}
	usleep(5000000);
	assert_true(blocked(v));
	VT_TEXT(v, "screen was blocked");
	double said = 0;
	int row, col;
	assert_true(vt_find(v, "screen was blocked ", &row, &col));
	sscanf(strstr(vt_row(v, row), "screen was blocked "), "screen was blocked %lf", &said);
	assert_true(said >= 5.0);
	e2e_quit(v);
	check_record(store);
}

/* --- Frames as a whole. --- */

static void synchronised_output_is_used_only_after_a_yes(void **state)
{
	(void)state;
	/* This terminal does not answer. */
	struct vt *v = LIVE(NULL, "null:5ms", "--no-store");
	assert_non_null(strstr(raw(v), "\033[?2026$p"));
	assert_null(strstr(raw(v), "\033[?2026h"));
	VT_MATCH(v, ROW_HEADER, "00:00:0[1-9]");
	KNOB(v, "Workers", "1");
	e2e_quit(v);
	v = LIVE(NULL, "null:5ms", "--no-store", "--no-sync");
	assert_null(strstr(raw(v), "2026"));
	e2e_quit(v);
	/* Nor is a VT100 asked. */
	const struct vt_options o = {.term = "vt100"};
	v = LIVE(&o, "null:5ms", "--no-store");
	assert_null(strstr(raw(v), "2026"));
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(half_of_a_slow_line_is_taken_at_most_and_keys_are_answered),
		E2E_TEST(where_that_is_too_little_the_charts_sweep_and_panes_come_in_turn),
		E2E_TEST(a_terminal_that_takes_nothing_holds_up_nobody_else),
		E2E_TEST(synchronised_output_is_used_only_after_a_yes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
