/* io-store.c - what the run store holds after a run was killed, and when several write at once. */
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <sqlite3.h>
#include "tests/io.h"
#include "tests/scratch.h"

/* The first column of the first row, as a number. */
static double query(const char *store, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *s;
	assert_int_equal(sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	sqlite3_busy_timeout(db, 5000);
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	double v = sqlite3_column_double(s, 0);
	sqlite3_finalize(s);
	sqlite3_close(db);
	return v;
}

static void check_integrity(const char *store)
{
	sqlite3 *db;
	sqlite3_stmt *s;
	assert_int_equal(sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(s, 0), "ok");
	sqlite3_finalize(s);
	sqlite3_close(db);
}

static void start(struct proc *p, const char *store, const char *target, const char *seconds)
{
	const char *const argv[] = {lunscope_path(), "run",   target,  "--store",
				    store,           "--for", seconds, NULL};
	assert_int_equal(proc_start(p, argv, NULL), 0);
}

/* Waits until the store has that many seconds of runs. */
static void wait_for_seconds(const char *store, int n)
{
	double limit = proc_now() + proc_patience();
	struct stat st;
	while (proc_now() < limit) {
		if (!stat(store, &st) && st.st_size > 0 &&
		    query(store, "SELECT count(*) FROM sqlite_master WHERE name = 'sample'") > 0 &&
		    query(store, "SELECT count(*) FROM sample") >= n)
			return;
		nanosleep(&(struct timespec){0, 50000000}, NULL);
	}
	fail_msg("the store has no %d seconds", n);
}

/* kill -9 in the middle of a second: the store is whole, and all but the last second is in it. */
static void kill_9_loses_at_most_the_last_second(void **state)
{
	char store[PATH_MAX];
	struct proc p;
	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("killed.db"));
	start(&p, store, "null:1ms", "100s");
	wait_for_seconds(store, 1);
	nanosleep(&(struct timespec){2, 700000000}, NULL);
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	kill(p.pid, SIGKILL);
	proc_wait(&p);
	assert_int_equal(p.status, 128 + SIGKILL);
	proc_free(&p);

	check_integrity(store);
	/* The second that was filling is gone; half of one more for a busy host to write the last. */
	double lost = (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
		      query(store, "SELECT max(time) FROM sample") / 1e9;
	if (lost > 1.5)
		fail_msg("the last %.2f s are lost", lost);
	/* And none before it is missing. */
	assert_true(query(store, "SELECT count(*) FROM sample") >= 3);
	assert_true(query(store, "SELECT (max(time) - min(time) + min(dt)) * 1.0 / sum(dt) "
				 "FROM sample") < 1.1);
	assert_true(query(store, "SELECT sum(read_ios) FROM sample") > 0);
	assert_int_equal((int)query(store, "SELECT count(*) FROM run"), 1);

	PROC(&p, lunscope_path(), "list", "--store", store);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "cut off"));
	proc_free(&p);
	PROC(&p, lunscope_path(), "show", "1", "--store", store);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "null:1ms"));
	assert_non_null(strstr(p.out, "cut off"));
	proc_free(&p);

	/* And it goes on being used. */
	start(&p, store, "null:1ms", "1s");
	proc_wait(&p);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "kept as run 2"));
	proc_free(&p);
	check_integrity(store);
}

static void two_runs_at_once_are_kept_apart(void **state)
{
	char store[PATH_MAX];
	struct proc p[2];
	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("two.db"));
	start(&p[0], store, "null:1ms", "3s");
	start(&p[1], store, "null:3ms", "3s");
	for (int i = 0; i < 2; i++) {
		proc_wait(&p[i]);
		if (p[i].status || !strstr(p[i].out, "kept as run"))
			fail_msg("status %d: %s", p[i].status, p[i].err);
		assert_null(strstr(p[i].err, "not recorded"));
		proc_free(&p[i]);
	}
	check_integrity(store);
	assert_int_equal((int)query(store, "SELECT count(*) FROM run"), 2);
	assert_int_equal((int)query(store, "SELECT count(DISTINCT run) FROM sample"), 2);
	assert_true(query(store, "SELECT min(n) FROM (SELECT count(*) AS n FROM sample "
				 "GROUP BY run)") >= 3);
	for (int i = 1; i <= 2; i++) {
		struct proc show;
		PROC(&show, lunscope_path(), "show", i == 1 ? "1" : "2", "--store", store);
		assert_int_equal(show.status, 0);
		assert_non_null(strstr(show.out, "IOPS"));
		proc_free(&show);
	}
}

static void no_store_leaves_nothing(void **state)
{
	struct proc p;
	char home[PATH_MAX], setting[PATH_MAX + 32];
	(void)state;
	snprintf(home, sizeof(home), "%s", scratch_path("home"));
	assert_int_equal(mkdir(home, 0700), 0);
	snprintf(setting, sizeof(setting), "HOME=%s", home);
	const char *const env[] = {setting, "XDG_STATE_HOME", "XDG_CONFIG_HOME", NULL};
	const struct proc_options o = {.env = env};
	const char *const with[] = {lunscope_path(), "run", "null:1ms", "--for", "1s", NULL};
	const char *const without[] = {lunscope_path(), "run", "null:1ms", "--for", "1s",
				       "--no-store",    NULL};
	assert_int_equal(proc_run(&p, without, &o), 0);
	assert_int_equal(p.status, 0);
	assert_null(strstr(p.out, "kept as run"));
	proc_free(&p);
	/* Not even a folder. */
	assert_int_equal(rmdir(home), 0);
	assert_int_equal(mkdir(home, 0700), 0);
	assert_int_equal(proc_run(&p, with, &o), 0);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "kept as run 1"));
	proc_free(&p);
	struct stat st;
	strncat(home, "/.local/state/lunscope/runs.db", sizeof(home) - strlen(home) - 1);
	assert_int_equal(stat(home, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

/* Trouble with the store ends the recording, never the run; the result says so. */
static void a_store_that_cannot_be_used_does_not_end_the_run(void **state)
{
	struct proc p;
	const char *other =
		scratch_text("other.db", "this is no data base, and must stay as it is\n");
	(void)state;
	start(&p, other, "null:1ms", "1s");
	proc_wait(&p);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "IOPS"));
	assert_non_null(strstr(p.err, "not recorded"));
	proc_free(&p);
	char line[64];
	FILE *f = fopen(other, "re");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	assert_string_equal(line, "this is no data base, and must stay as it is\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kill_9_loses_at_most_the_last_second),
		cmocka_unit_test(two_runs_at_once_are_kept_apart),
		cmocka_unit_test(no_store_leaves_nothing),
		cmocka_unit_test(a_store_that_cannot_be_used_does_not_end_the_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
