/* e2e-life.c - how the live screen ends, is interrupted, and comes back: the terminal must be as it
 * was, the summary stand on the normal screen, and the run be in the store.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <sys/statvfs.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

/* Takes seconds to make, so that there is something to call off. */
#define BIG       "6G"
#define BIG_NEEDS (8ull << 30)

static void expect_terminal_given_back(struct vt *v)
{
	int row, col;
	bool visible;

	VT_EXPECT(v, !vt_altscreen(v));
	VT_EXPECT(v, vt_line_sane(v));
	vt_cursor(v, &row, &col, &visible);
	VT_EXPECT(v, visible);
	/* What comes next begins on a line of its own, in the default colours. */
	VT_EXPECT(v, col == 0);
	VT_EXPECT(v, !vt_cell(v, row, 0).reverse && vt_cell(v, row, 0).bg == VT_DEFAULT);
}

/* The last line that isn't empty, as bytes: it may be longer than the screen is wide. */
static void last_line(struct vt *v, char *out, size_t size)
{
	size_t n;
	const char *raw = vt_raw(v, &n), *end = raw + n;

	while (end > raw && strchr("\r\n", end[-1]))
		end--;
	const char *start = end;
	while (start > raw && start[-1] != '\n')
		start--;
	snprintf(out, size, "%.*s", (int)(end - start), start);
}

static void quitting_leaves_the_summary_and_the_command_line(void **state)
{
	const char *store = scratch_path("life.db");
	char command[2048], line[2200], id[16] = "";
	struct proc p;
	/* Where the machine can't sustain the rate, the summary has more lines than 24. */
	const struct vt_options tall = {.rows = 43};
	(void)state;
	struct vt *v = LIVE(&tall, "null:1ms", "--rate", "2000", "--store", store);

	ANSWER(v, shows_reads);
	vt_type(v, "WB");
	KNOB(v, "Workers", "2");
	KNOB(v, "Block", "8K");
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_key(v, "enter");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	expect_terminal_given_back(v);
	vt_shot(v, "summary");
	VT_TEXT(v, "latency        min");
	VT_TEXT(v, "p99.9");
	VT_MATCH(v, VT_ANY, "^kept as run 1: .*lunscope show 1");
	last_line(v, command, sizeof command);
	e2e_free(v);
	assert_non_null(strstr(command, "lunscope null:1ms "));
	assert_non_null(strstr(command, "--workers 2"));
	assert_non_null(strstr(command, "--block 8K"));

	/* It is in the store, with its marks. */
	assert_int_equal(PROC(&p, lunscope_path(), "list", "--store", store), 0);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "null:1ms"));
	assert_int_equal(sscanf(strstr(p.out, "\n"), " %15s", id), 1);
	proc_free(&p);
	assert_int_equal(PROC(&p, lunscope_path(), "show", id, "--store", store), 0);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "workers 1 > 2"));
	assert_non_null(strstr(p.out, "block 4K > 8K"));
	proc_free(&p);

	/* The very line runs again. */
	char folder[1024];
	snprintf(folder, sizeof folder, "%s", lunscope_path());
	*strrchr(folder, '/') = '\0';
	snprintf(line, sizeof line, "PATH=%s:$PATH; %s", folder, command);
	v = e2e_start(NULL, (const char *const[]){"sh", "-c", line, NULL});
	ANSWER(v, shows_reads);
	KNOB(v, "Workers", "2");
	KNOB(v, "Block", "8K");
	KNOB(v, "Rate", "2k");
	e2e_quit(v);
}

static void orders_to_end_end_it_and_the_run_is_kept(void **state)
{
	static const int signals[] = {SIGTERM, SIGHUP, SIGINT};
	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");
		ANSWER(v, shows_reads);
		vt_signal(v, signals[i]);
		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 128 + signals[i]);
		expect_terminal_given_back(v);
		VT_TEXT(v, "kept as run");
		e2e_free(v);
	}
}

/* The program's state in /proc: 'Z' once it has ended. */
static char process_state(pid_t pid)
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

static void btop_1597_a_terminal_that_goes_away_ends_it(void **state)
{
	const char *store = scratch_path("gone.db");
	struct proc p;
	/* Where the machine can't sustain the rate, the summary has more lines than 24. */
	const struct vt_options tall = {.rows = 43};
	(void)state;
	struct vt *v = LIVE(&tall, "null:1ms", "--rate", "2000", "--store", store);
	ANSWER(v, shows_reads);
	/* vt_free() hangs up, waits for the end and kills what is left after 5 s: a killed one would
	 * have left its run open. */
	e2e_free(v);
	assert_int_equal(PROC(&p, lunscope_path(), "list", "--store", store), 0);
	assert_non_null(strstr(p.out, "interrupted"));
	proc_free(&p);
}

static bool run_was_interrupted(struct vt *v, void *store)
{
	struct proc p;

	(void)v;
	assert_int_equal(PROC(&p, lunscope_path(), "list", "--store", store), 0);
	bool held = p.status == 0 && strstr(p.out, "interrupted");
	proc_free(&p);
	return held;
}

/* The only child of the terminal's first program. */
static pid_t child_of(pid_t pid)
{
	char path[64];
	int child = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%d", &child) != 1)
		child = 0;
	fclose(f);
	return child;
}

static void a_shell_that_is_killed_takes_it_along_and_the_run_is_kept(void **state)
{
	char *store = strdup(scratch_path("orphan.db")), line[4500];

	(void)state;
	snprintf(line, sizeof line, "%s null:1ms --rate 2000 --store %s; exit 0", lunscope_path(),
		 store);
	struct vt *v = e2e_start(NULL, (const char *const[]){"sh", "-c", line, NULL});
	ANSWER(v, shows_reads);
	pid_t child = child_of(vt_pid(v));
	assert_true(child > 0);
	vt_signal(v, SIGKILL);
	VT_EXPECT(v, vt_wait_exit(v));
	/* Nobody hangs up or kills here: what ends it is that its session has no leader any more. */
	double until = proc_now() + proc_patience();
	while (!strchr("XZ", process_state(child)) && proc_now() < until)
		usleep(20000);
	assert_non_null(strchr("XZ", process_state(child)));
	assert_true(run_was_interrupted(v, store));
	e2e_free(v);
	free(store);
}

static void btop_1597_without_a_signal_too(void **state)
{
	const char *store = scratch_path("gone2.db");
	struct proc p;
	char line[4500];
	(void)state;
	/* SIGHUP blocked by whoever started it, as nohup does: only the descriptor tells. */
	snprintf(line, sizeof line, "trap '' HUP; %s null:1ms --rate 2000 --store %s; exit 0",
		 lunscope_path(), store);
	struct vt *v = e2e_start(NULL, (const char *const[]){"sh", "-c", line, NULL});
	ANSWER(v, shows_reads);
	e2e_free(v);
	assert_int_equal(PROC(&p, lunscope_path(), "list", "--store", store), 0);
	assert_non_null(strstr(p.out, "interrupted"));
	proc_free(&p);
}

static void notcurses_313_a_crash_gives_the_terminal_back_and_says_so(void **state)
{
	static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS};
	static const char *const words[] = {"fatal: SIGSEGV", "fatal: SIGABRT", "fatal: SIGBUS"};
	/* A sanitizer's own handlers stand aside. */
	static const char *const env[] = {
		"ASAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigbus=0:detect_leaks=0", NULL};
	(void)state;
	struct vt_options o = {.env = env};
	struct proc p;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		char name[32];
		snprintf(name, sizeof name, "crash%d.db", signals[i]);
		const char *store = scratch_path(name);
		struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--store", store);
		ANSWER(v, shows_reads);
		vt_signal(v, signals[i]);
		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 128 + signals[i]);
		expect_terminal_given_back(v);
		/* What was measured up to then has been kept second by second. */
		assert_int_equal(PROC(&p, lunscope_path(), "list", "--store", store), 0);
		assert_non_null(strstr(p.out, "cut off"));
		proc_free(&p);
		/* However long the backtrace is. */
		VT_TEXT(v, words[i]);
		e2e_free(v);
	}
}

/* --- Before there is a screen. --- */

static struct vt *make_big(bool live, const char *path)
{
	const char *const screen[] = {lunscope_path(), path, "--create", BIG, "--no-store", NULL};
	const char *const headless[] = {lunscope_path(), "run", path,         "--create", BIG,
					"--for",         "1s",  "--no-store", NULL};

	return e2e_keep(vt_start(NULL, live ? screen : headless));
}

static void a_file_that_is_being_made_at_the_start_is_called_off_by_a_signal(void **state)
{
	static const int signals[] = {SIGTERM, SIGHUP, SIGINT};
	char path[PATH_MAX];
	struct statvfs fs;
	(void)state;
	if (statvfs(scratch_dir(), &fs) || (uint64_t)fs.f_bavail * fs.f_frsize < BIG_NEEDS) {
		print_message("# no room for a file of " BIG "\n");
		skip();
	}
	snprintf(path, sizeof path, "%s", scratch_path("big.img"));
	for (int i = 0; i < 6; i++) {
		struct vt *v = make_big(i < 3, path);
		/* How far it is shows before anything else does. */
		VT_MATCH(v, VT_ANY, "making .*big.img: .* of 6 GiB");
		if (signals[i % 3] == SIGINT)
			vt_key(v, "^C");
		else
			vt_signal(v, signals[i % 3]);
		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 128 + signals[i % 3]);
		assert_int_not_equal(access(path, F_OK), 0);
		e2e_free(v);
	}
}

static void that_a_run_is_being_read_stands_there_meanwhile(void **state)
{
	const char *store = scratch_path("read.db");
	struct proc p;
	size_t n;

	(void)state;
	assert_int_equal(PROC(&p, lunscope_path(), "run", "null:1ms", "--rate", "1000", "--for",
			      "1s", "--store", store),
			 0);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	struct vt *v =
		e2e_keep(VT_START(NULL, lunscope_path(), "compare", "1", "1", "--store", store));
	VT_EXPECT(v, vt_wait_exit(v));
	assert_non_null(strstr(vt_raw(v, &n), "Reading run 1..."));
	VT_GONE(v, "Reading");
	e2e_free(v);
}

static void suspending_gives_the_shell_its_terminal_and_back(void **state)
{
	static const char *const env[] = {"PS1=ready> ", "ENV", NULL};
	char line[4500];
	(void)state;
	struct vt_options o = {.env = env};
	struct vt *v = e2e_keep(vt_start(&o, (const char *const[]){"sh", "-i", NULL}));

	VT_TEXT(v, "ready>");
	snprintf(line, sizeof line, "%s null:1ms --rate 2000\r", lunscope_path());
	vt_type(v, line);
	VT_MATCH(v, ROW_HEADER, "RUN");
	ANSWER(v, shows_reads);
	vt_key(v, "^Z");
	VT_EXPECT(v, vt_wait_altscreen(v, false));
	VT_TEXT(v, "Stopped");
	/* The shell has its line, and the size changes while nobody looks. */
	vt_type(v, "echo sum $((40+2))\r");
	VT_TEXT(v, "sum 42");
	vt_resize(v, 43, 132);
	vt_type(v, "fg\r");
	VT_EXPECT(v, vt_wait_altscreen(v, true));
	VT_MATCH(v, ROW_HEADER, "RUN");
	VT_ROW(v, ROW_KNOBS, "Outstanding");
	VT_TEXT(v, "Throughput");
	ANSWER(v, shows_reads);
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_altscreen(v, false));
	VT_TEXT(v, "kept as run");
	vt_type(v, "exit\r");
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
}

/* Nobody can catch SIGSTOP: the screen must come back whole all the same. */
static void being_stopped_from_outside_leaves_no_mess(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	ANSWER(v, shows_reads);
	vt_signal(v, SIGSTOP);
	vt_resize(v, 43, 132);
	vt_signal(v, SIGCONT);
	VT_ROW(v, ROW_KNOBS, "Outstanding");
	VT_TEXT(v, "Throughput");
	VT_ROW(v, -1, "F10Quit");
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	e2e_quit(v);
}

/* --- A target that doesn't answer. --- */

static double oldest_age(struct vt *v)
{
	for (int r = 0; r < vt_rows(v); r++) {
		const char *at = strstr(vt_row(v, r), "oldest ");
		double s;
		char unit[8] = "";
		if (at && strstr(at, "in flight")) {
			at += strcspn(at, "0123456789");
			if (sscanf(at, "%lf %7s", &s, unit) == 2)
				return !strcmp(unit, "s") ? s : !strcmp(unit, "ms") ? s / 1e3 : 0;
		}
	}
	return 0;
}

static bool older_than(struct vt *v, void *arg)
{
	return oldest_age(v) > *(double *)arg;
}

static void a_target_that_hangs_does_not_hang_the_screen(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:600s");

	/* The age is on the screen, grows, and is a warning from a second on. */
	VT_EXPECT(v, vt_wait(v, older_than, (double[]){1.0}));
	VT_MATCH(v, VT_ANY, "oldest +! ");
	VT_EXPECT(v, vt_wait(v, older_than, (double[]){oldest_age(v) + 0.5}));
	ANSWER(v, shows_nothing);
	vt_shot(v, "stuck");
	/* Keys work. */
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	vt_key(v, "F1");
	VT_TEXT(v, "PgUp PgDn scroll");
	vt_key(v, "esc");
	VT_GONE(v, "PgUp PgDn scroll");
	/* Quitting doesn't wait for the hour, and says what is missing. */
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 1);
	VT_MATCH(v, VT_ANY, "^8 IOs not back in time");
	expect_terminal_given_back(v);
	e2e_free(v);
}

static void a_stuck_screen_does_not_spin(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:600s");

	VT_EXPECT(v, vt_wait(v, older_than, (double[]){1.0}));
	/* It sleeps whenever one looks, save for a frame now and then. */
	int asleep = 0;
	for (int i = 0; i < 50; i++) {
		vt_pump(v, 0.02);
		asleep += process_state(vt_pid(v)) == 'S';
	}
	assert_true(asleep > 25);
	vt_send(v, "\003", 1);
	VT_TEXT(v, "^C again");
	vt_send(v, "\003", 1);
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(a_file_that_is_being_made_at_the_start_is_called_off_by_a_signal),
		E2E_TEST(quitting_leaves_the_summary_and_the_command_line),
		E2E_TEST(orders_to_end_end_it_and_the_run_is_kept),
		E2E_TEST(btop_1597_a_terminal_that_goes_away_ends_it),
		E2E_TEST(btop_1597_without_a_signal_too),
		E2E_TEST(a_shell_that_is_killed_takes_it_along_and_the_run_is_kept),
		E2E_TEST(notcurses_313_a_crash_gives_the_terminal_back_and_says_so),
		E2E_TEST(that_a_run_is_being_read_stands_there_meanwhile),
		E2E_TEST(suspending_gives_the_shell_its_terminal_and_back),
		E2E_TEST(being_stopped_from_outside_leaves_no_mess),
		E2E_TEST(a_target_that_hangs_does_not_hang_the_screen),
		E2E_TEST(a_stuck_screen_does_not_spin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
