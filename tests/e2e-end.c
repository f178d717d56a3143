/* e2e-end.c - every way in which a run can be ended from outside: what the store has of it then (no second
 * missing, the marks, why it ended), and that neither a terminal nor a target that has stopped answering keeps
 * the program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sqlite3.h>
#include "tests/e2e.h"
#include "tests/misfs.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define SECOND 1e9

/* --- What the store has. --- */

/* A figure about the newest run, -1 where there is none (yet). */
static double ask(const char *store, const char *sql, char *text, size_t n)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;
	double figure = -1;

	if (text)
		text[0] = '\0';
	if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
	    sqlite3_busy_timeout(db, 10000) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW && sqlite3_column_type(st, 0) != SQLITE_NULL) {
		figure = sqlite3_column_double(st, 0);
		if (text)
			snprintf(text, n, "%s", (const char *)sqlite3_column_text(st, 0));
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	return figure;
}

#define ASK(store, sql) ask(store, sql, NULL, 0)
#define NEWEST          "run = (SELECT max(id) FROM run)"
#define SAMPLES         "SELECT count(*) FROM sample WHERE " NEWEST
#define LAST            "SELECT max(time) FROM sample WHERE " NEWEST
#define LENGTH          "SELECT sum(dt) FROM sample WHERE " NEWEST
#define KNOB_MARKS      "SELECT count(*) FROM mark WHERE kind = 'knob' AND " NEWEST
#define END_TIME        "SELECT time FROM mark WHERE kind = 'end' AND " NEWEST
#define START_TIME      "SELECT time FROM mark WHERE kind = 'start' AND " NEWEST
#define END_WORDS       "SELECT text FROM mark WHERE kind = 'end' AND " NEWEST

static void expect_words(const char *store, const char *words)
{
	char text[256];

	ask(store, END_WORDS, text, sizeof text);
	if (!strstr(text, words))
		fail_msg("the end is told as '%s', not '%s'", text, words);
}

/* Seconds that rows stand for: one of a machine that stood still may be longer. */
#define COVERED "SELECT sum(max(1, dt / 1000000000)) FROM sample WHERE " NEWEST

/* A row a second, none left out and none twice; of one that was cut off, up to its last row. */
static void expect_every_second(const char *store, bool ended)
{
	double start = ASK(store, START_TIME), end = ASK(store, END_TIME);
	double last = ASK(store, LAST), length = ASK(store, LENGTH);

	/* A row's time is its end. */
	print_message("# %.0f rows, %.2f s in %.2f s\n", ASK(store, SAMPLES), length / SECOND,
		      (last - start) / SECOND);
	assert_true(start > 0 && last > start);
	assert_true(ASK(store, COVERED) >= (double)(int)((last - start) / SECOND) - 1);
	assert_true(length > 0.98 * (last - start) && length < 1.02 * (last - start));
	assert_true(ended == (end > 0));
	if (ended)
		assert_true(last > end - 0.02 * SECOND && last < end + 0.02 * SECOND);
}

struct wish {
	const char *store, *sql;
	double least;
};

static bool is_there(struct vt *v, void *arg)
{
	const struct wish *w = arg;

	(void)v;
	return ASK(w->store, w->sql) >= w->least;
}

static void wait_for(struct vt *v, const char *store, const char *sql, double least)
{
	VT_EXPECT(v, vt_wait(v, is_there, &(struct wish){store, sql, least}));
}

/* --- The program in /proc. --- */

/* 'Z' or 'X' once it has ended. */
static char state_of(pid_t pid)
{
	char path[64], text[512] = "";

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return 'X';
	size_t n = fread(text, 1, sizeof text - 1, f);
	fclose(f);
	text[n] = '\0';
	const char *end = strrchr(text, ')');
	return end ? end[2] : 'X';
}

static bool ends_unread(pid_t pid)
{
	double until = proc_now() + proc_patience();

	while (!strchr("XZ", state_of(pid)) && proc_now() < until)
		usleep(20000);
	return strchr("XZ", state_of(pid));
}

/* All that it has written so far. */
static long long written(pid_t pid)
{
	char path[64], line[128];
	long long n = -1;

	snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "syscw: %lld", &n) == 1)
			break;
	if (f)
		fclose(f);
	return n;
}

/* Until its terminal is full: nothing is read meanwhile. */
static void wait_until_blocked(pid_t pid)
{
	double until = proc_now() + proc_patience();
	int still = 0;

	while (still < 2 && proc_now() < until) {
		long long before = written(pid);
		usleep(1500000);
		/* The recorder writes too, a few times a second. */
		still = written(pid) - before < 60 ? still + 1 : 0;
	}
}

/* --- Ends. --- */

#define CRASH_ENV "ASAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigbus=0:detect_leaks=0"

static struct vt *start(const char *store, const struct vt_options *o)
{
	struct vt *v = LIVE(o, "null:1ms", "--rate", "2000", "--fps", "20", "--store", store);

	ANSWER(v, shows_reads);
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	wait_for(v, store, SAMPLES, 2);
	wait_for(v, store, KNOB_MARKS, 1);
	return v;
}

static void expect_listed(const char *store, const char *status)
{
	struct proc p;

	assert_int_equal(PROC(&p, lunscope_path(), "list", "--store", store), 0);
	assert_int_equal(p.status, 0);
	if (!strstr(p.out, status))
		fail_msg("not '%s': %s", status, p.out);
	proc_free(&p);
}

static void whatever_ends_it_every_second_and_mark_is_kept_and_why(void **state)
{
	/* 0: the terminal goes away. */
	static const struct {
		int number;
		const char *status, *words;
	} ends[] = {
		{SIGTERM, "interrupted", "interrupted by SIGTERM; all IOs were back "},
		{0, "interrupted", "interrupted by SIGHUP; all IOs were back "},
		{SIGABRT, "cut off", NULL},
		{SIGKILL, "cut off", NULL},
	};
	static const char *const env[] = {CRASH_ENV, NULL};
	struct vt_options o = {.env = env};
	char store[512];

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		snprintf(store, sizeof store, "%s", scratch_path("end.db"));
		struct vt *v = start(store, &o);
		double rows = ASK(store, SAMPLES);
		if (ends[i].number) {
			vt_signal(v, ends[i].number);
			VT_EXPECT(v, vt_wait_exit(v));
			assert_int_equal(vt_status(v), 128 + ends[i].number);
		}
		e2e_free(v);
		print_message("# signal %d:\n", ends[i].number);
		assert_true(ASK(store, SAMPLES) >= rows);
		assert_true(ASK(store, KNOB_MARKS) == 1);
		expect_every_second(store, ends[i].words);
		if (ends[i].words)
			expect_words(store, ends[i].words);
		expect_listed(store, ends[i].status);
	}
}

/* --- A terminal that takes nothing. --- */

static void a_terminal_that_nobody_reads_does_not_keep_it(void **state)
{
	/* SIGSEGV last: it leaves no end in the store. */
	static const int signals[] = {SIGTERM, SIGSEGV};
	static const char *const env[] = {CRASH_ENV, NULL};
	struct vt_options o = {.rows = 60, .cols = 200, .env = env};
	char store[512];

	(void)state;
	snprintf(store, sizeof store, "%s", scratch_path("unread.db"));
	for (size_t i = 0; i < 2; i++) {
		struct vt *v = start(store, &o);
		wait_until_blocked(vt_pid(v));
		vt_signal(v, signals[i]);
		assert_true(ends_unread(vt_pid(v)));
		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 128 + signals[i]);
		VT_EXPECT(v, vt_line_sane(v));
		e2e_free(v);
		expect_every_second(store, i == 0);
	}
}

static void a_terminal_that_control_s_has_stopped_does_not_keep_it(void **state)
{
	char store[512];

	(void)state;
	snprintf(store, sizeof store, "%s", scratch_path("stopped.db"));
	struct vt *v = start(store, NULL);
	vt_send(v, "\023", 1);
	wait_until_blocked(vt_pid(v));
	vt_signal(v, SIGTERM);
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 128 + SIGTERM);
	VT_EXPECT(v, vt_line_sane(v));
	e2e_free(v);
	expect_words(store, "interrupted by SIGTERM; all IOs were back ");
	expect_every_second(store, true);
}

/* --- A target that doesn't answer. --- */

static struct proc running;
static struct tgtd target;

static int clean_up(void **state)
{
	(void)state;
	if (target.pid)
		kill(target.pid, SIGCONT);
	misfs_unmount();
	if (running.pid) {
		kill(running.pid, SIGKILL);
		proc_wait(&running);
	}
	proc_free(&running);
	tgtd_free(&target);
	return 0;
}

static void wait_for_rows(const char *store, double least)
{
	double until = proc_now() + proc_patience();

	while (ASK(store, SAMPLES) < least && proc_now() < until)
		usleep(50000);
	assert_true(ASK(store, SAMPLES) >= least);
}

/* Of IOs that nobody answers so many are told, and the end doesn't wait for them. */
static void end_stuck(const char *spec, const char *const more[], void (*stop_it)(void),
		      bool kept_by_kernel)
{
	char store[512];
	const char *argv[20] = {lunscope_path(), "run", spec, "--for", "600s", "--store", store};
	size_t n = 7;

	for (size_t i = 0; more[i]; i++)
		argv[n++] = more[i];
	snprintf(store, sizeof store, "%s", scratch_path("stuck.db"));
	unlink(store);
	assert_int_equal(proc_start(&running, argv, NULL), 0);
	wait_for_rows(store, 1);
	stop_it();
	wait_for_rows(store, ASK(store, SAMPLES) + 2);
	kill(running.pid, SIGTERM);
	double until = proc_now() + proc_patience();
	while (ASK(store, END_TIME) < 0 && proc_now() < until)
		usleep(50000);
	/* With libaio the kernel keeps the process until it lets go of its IOs. */
	if (kept_by_kernel)
		misfs_unmount();
	proc_wait(&running);
	assert_false(running.timed_out);
	assert_int_equal(running.status, 128 + SIGTERM);
	print_message("# %s", running.err);
	assert_non_null(strstr(running.err, "8 IOs not back in time"));
	expect_words(store, "interrupted by SIGTERM; 8 IOs were not back ");
	expect_every_second(store, true);
	expect_listed(store, "interrupted");
}

static void nothing(void)
{
}

static void an_io_that_never_comes_back_is_waited_for_four_tenths_of_a_second(void **state)
{
	static const char *const none[] = {NULL};
	char text[256];
	double ms = 0;

	(void)state;
	end_stuck("null:600s", none, nothing, false);
	/* What bounds it is told. */
	ask(scratch_path("stuck.db"), END_WORDS, text, sizeof text);
	const char *at = strstr(text, "not back ");
	assert_non_null(at);
	assert_int_equal(sscanf(at, "not back %lf ms later", &ms), 1);
	assert_true(ms >= 400);
}

static void stop_target(void)
{
	kill(target.pid, SIGSTOP);
}

static void an_iscsi_target_that_is_stopped_does_not_keep_it(void **state)
{
	static const char *const none[] = {NULL};
	const struct tgtd_lun lun = {.file = NULL};
	char url[512];

	(void)state;
	if (tgtd_missing()) {
		print_message("# %s\n", tgtd_missing());
		skip();
	}
	assert_int_equal(tgtd_start(&target, &(struct tgtd_options){.portals = 1}), 0);
	int tid = tgtd_target(&target, "end");
	assert_true(tid > 0);
	assert_int_equal(tgtd_lun(&target, tid, 1, &lun), 0);
	snprintf(url, sizeof url, "%s", tgtd_url(&target, 1, "", "end", 1));
	end_stuck(url, none, stop_target, false);
}

static void silence(void)
{
	misfs_silence();
}

static void a_file_system_that_stops_answering_does_not_keep_it_from_the_end(void **state)
{
	static const char *const backends[] = {"libaio", "io_uring"};

	(void)state;
	if (misfs_missing()) {
		print_message("# %s\n", misfs_missing());
		skip();
	}
	for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
		const struct misfs_order o = {.size = 64 << 20};
		const char *const more[] = {"--backend",     backends[i], "--workers", "8",
					    "--outstanding", "1",         NULL};
		assert_int_equal(misfs_mount(&o), 0);
		end_stuck(misfs_file(), more, silence, i == 0);
		misfs_unmount();
		proc_free(&running);
	}
}

/* --- Long reading. --- */

static void a_store_that_is_held_is_waited_for_with_a_note_and_control_c_ends_it(void **state)
{
	static const char *const commands[][2] = {{"list", NULL}, {"show", "1"}};
	char store[512];
	struct proc p;
	sqlite3 *db;
	size_t n;

	(void)state;
	snprintf(store, sizeof store, "%s", scratch_path("held.db"));
	assert_int_equal(PROC(&p, lunscope_path(), "run", "null:1ms", "--rate", "1000", "--for",
			      "1s", "--store", store),
			 0);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	assert_int_equal(sqlite3_open(store, &db), SQLITE_OK);
	for (int held = 1; held >= 0; held--) {
		const char *sql = "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;"
				  "UPDATE run SET status = status;";
		if (held)
			assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		for (size_t i = 0; i < 2; i++) {
			const char *argv[] = {lunscope_path(), commands[i][0], "--store",
					      store,           commands[i][1], NULL};
			struct vt *v = e2e_keep(vt_start(NULL, argv));
			if (held) {
				VT_MATCH(v, VT_ANY, "^Reading .*, [1-9] s so far");
				vt_key(v, "^C");
			}
			VT_EXPECT(v, vt_wait_exit(v));
			assert_int_equal(vt_status(v), held ? 128 + SIGINT : 0);
			VT_EXPECT(v, vt_line_sane(v));
			if (!held)
				assert_non_null(strstr(vt_raw(v, &n), "null:1ms"));
			e2e_free(v);
		}
		/* Closing gives it up. */
		sqlite3_close(db);
		db = NULL;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(whatever_ends_it_every_second_and_mark_is_kept_and_why),
		E2E_TEST(a_terminal_that_nobody_reads_does_not_keep_it),
		E2E_TEST(a_terminal_that_control_s_has_stopped_does_not_keep_it),
		E2E_TEST(a_store_that_is_held_is_waited_for_with_a_note_and_control_c_ends_it),
		cmocka_unit_test_teardown(
			an_io_that_never_comes_back_is_waited_for_four_tenths_of_a_second,
			clean_up),
		cmocka_unit_test_teardown(an_iscsi_target_that_is_stopped_does_not_keep_it,
					  clean_up),
		cmocka_unit_test_teardown(
			a_file_system_that_stops_answering_does_not_keep_it_from_the_end, clean_up),
	};
	return cmocka_run_group_tests(tests, private_mounts, NULL);
}
