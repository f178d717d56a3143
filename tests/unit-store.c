/* unit-store.c - the run store (src/store*.c): what goes in comes out, and nothing that happens to
 * the writer or is already at the path does harm. */
#include <errno.h>
#include <ftw.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "store_rows.h"
#include "tests/hist-add.h"
#include "units.h"

/* The artificial clock starts at 2027-01-01 00:00 UTC. */
#define WALL_START 1798761600000000000ll

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/lunscope-store-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static int remove_folder(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *in_folder(const char *name)
{
	static char path[4][160];
	static unsigned at;
	at = (at + 1) % 4;
	snprintf(path[at], sizeof(path[at]), "%s/%s", folder, name);
	return path[at];
}

static char *read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	char *text = malloc(1 << 20);
	assert_non_null(f);
	*n = fread(text, 1, 1 << 20, f);
	fclose(f);
	return text;
}

static void write_file(const char *path, const void *text, size_t n)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	fclose(f);
}

/* A number out of the file, by plain SQL. */
static int64_t ask(const char *path, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	int64_t v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return v;
}

static bool intact(const char *path)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &st, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	bool ok = !strcmp((const char *)sqlite3_column_text(st, 0), "ok");
	sqlite3_finalize(st);
	sqlite3_close(db);
	return ok;
}

/* --- A run to record: 1000 reads/s of 64 KiB at 1 ms, depth 1; 25 % of 2 CPUs busy. --- */

static const struct workload load = {.workers = 1,
				     .outstanding = 1,
				     .block_size = 65536,
				     .read_pct = 100,
				     .random_pct = 100,
				     .seed = UINT64_MAX};

static void one_second(struct timeline *t, unsigned number)
{
	struct hist delta[HISTS];
	struct sample s, sum;
	sample_clear(&sum);
	for (unsigned i = 1; i <= 10; i++) {
		sample_clear(&s);
		hist_clear(&delta[IO_READ]);
		hist_clear(&delta[IO_WRITE]);
		hist_clear(&delta[HIST_DUE]);
		for (unsigned k = 0; k < 100; k++)
			hist_add(&delta[IO_READ], NS_PER_MS);
		s.t_ns = (number - 1) * NS_PER_SEC + i * TICK_NS;
		s.dt_ns = TICK_NS;
		s.op[IO_READ] = (struct op_sample){.ios = 100,
						   .bytes = 100 * 65536,
						   .lat_sum = 100 * NS_PER_MS,
						   .lat_min = NS_PER_MS,
						   .lat_max = NS_PER_MS};
		s.depth_ns = TICK_NS;
		s.depth_requested = 1;
		s.generation = 1;
		timeline_tick(t, &s, delta);
		sample_add(&sum, &s);
	}
	sum.cpu = (struct cpu_sample){.valid = true,
				      .cpus = 2,
				      .user = 500 * NS_PER_MS,
				      .idle = 1500 * NS_PER_MS,
				      .hot_share = 0.5f};
	timeline_second(t, &sum);
}

static int64_t begin(struct store *s)
{
	struct error e = {""};
	json_t *settings =
		json_pack("{s:s, s:{s:i}}", "engine", "null", "target", "size_bytes", 1 << 30);
	json_t *environment = json_pack("{s:s}", "host", "testhost");
	int64_t id = store_begin(s, WALL_START, "/dev/test", "lunscope run /dev/test", settings,
				 environment, &e);
	json_decref(settings);
	json_decref(environment);
	if (id <= 0)
		fail_msg("%s", e.text);
	return id;
}

static struct store *open_store(const char *path)
{
	struct error e = {""};
	struct store *s;
	if (store_open(&s, path, &e))
		fail_msg("%s", e.text);
	return s;
}

static json_t *summary_of(struct timeline *t)
{
	struct summary sum;
	struct segment *g = malloc(sizeof(*g));
	assert_true(timeline_segment(t, 1, g));
	summary_compute(&sum, &g->total, g->hist, "null");
	free(g);
	return summary_json(&sum);
}

static char *listing(const char *path, int64_t show)
{
	struct error e = {""};
	struct store *s;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	assert_int_equal(store_open_read(&s, path, &e), 0);
	int err = show ? store_show(s, show, f, &e) : store_list(s, f, &e);
	fclose(f);
	store_close(s);
	if (err)
		fail_msg("%s", e.text);
	return text;
}

static void a_run_comes_out_as_it_went_in(void **state)
{
	(void)state;
	const char *path = in_folder("round/trip/runs.db");
	struct error e = {""};
	struct store *s = open_store(path);
	struct timeline *t = timeline_create();
	int64_t id = begin(s);
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	for (unsigned i = 1; i <= 3; i++) {
		one_second(t, i);
		assert_int_equal(store_append(s, id, t, WALL_START, &e), 0);
	}
	timeline_mark(t, MARK_NOTE, 3 * NS_PER_SEC, 1, NULL, "cable pulled");
	for (unsigned i = 4; i <= 5; i++)
		one_second(t, i);
	json_t *summary = summary_of(t);
	timeline_mark(t, MARK_END, 5 * NS_PER_SEC, 1, NULL, "end");
	assert_int_equal(store_end(s, id, t, WALL_START, "done", summary, &e), 0);
	json_decref(summary);
	store_close(s);

	assert_int_equal(ask(path, "SELECT count(*) FROM sample"), 5);
	assert_int_equal(ask(path, "SELECT sum(read_ios) FROM sample"), 5000);
	assert_int_equal(ask(path, "SELECT max(time) FROM sample"), WALL_START + 5 * NS_PER_SEC);
	assert_int_equal(ask(path, "SELECT count(*) FROM sample WHERE write_lat_min IS NULL AND "
				   "device_depth IS NULL AND cpu_user = 500000000"),
			 5);
	assert_int_equal(ask(path, "SELECT count(*) FROM mark"), 3);
	assert_int_equal(ask(path, "SELECT count(*) FROM mark WHERE letter = 'a' AND "
				   "text = 'cable pulled'"),
			 1);
	assert_int_equal(ask(path, "SELECT count(*) FROM segment"), 2);
	assert_int_equal(ask(path, "SELECT read_hist_count FROM segment WHERE number = 1"), 3000);
	assert_int_equal(ask(path, "SELECT read_ios FROM segment WHERE number = 2"), 2000);
	assert_int_equal(ask(path, "SELECT cpu_user FROM segment WHERE number = 1"),
			 1500 * NS_PER_MS);

	char *text = listing(path, 0);
	assert_non_null(strstr(text, "   1.00k"));  /* IOPS */
	assert_non_null(strstr(text, "  62.50"));   /* MiB/s */
	assert_non_null(strstr(text, "  1.00 ms")); /* mean, p99 */
	assert_non_null(strstr(text, "  25.0  done         /dev/test\n"));
	free(text);
	text = listing(path, id);
	assert_non_null(strstr(text, "run 1, done: /dev/test\n"));
	assert_non_null(strstr(text, "size_bytes           1073741824\n"));
	assert_non_null(strstr(text, "testhost"));
	assert_non_null(strstr(text, "   a     3.0 s  note   cable pulled\n"));
	assert_non_null(strstr(text, "   a    2.0 s   1.00k    62.50  1.00 ms  1.00 ms   25.0  "
				     "1x1 64K 100%rd 100%rnd\n"));
	assert_non_null(strstr(text, "engine    null\n"));
	free(text);
	timeline_destroy(t);
}

static void folders_and_file_are_private(void **state)
{
	(void)state;
	struct stat st;
	mode_t mask = umask(0);
	struct store *s = open_store(in_folder("new/lunscope/runs.db"));
	begin(s);
	umask(mask);
	assert_int_equal(stat(in_folder("new"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(in_folder("new/lunscope"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(in_folder("new/lunscope/runs.db"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat(in_folder("new/lunscope/runs.db-wal"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	store_close(s);
}

/* Opening for writing and for reading both refuse, say why, and leave every byte alone. */
static void refused_and_unchanged(const char *path, const char *why)
{
	struct error e = {""};
	struct store *s;
	size_t before, after;
	char *old = read_file(path, &before);
	assert_true(store_open(&s, path, &e) < 0);
	assert_null(s);
	assert_non_null(strstr(e.text, path));
	assert_non_null(strstr(e.text, why));
	assert_true(store_open_read(&s, path, &e) < 0);
	assert_non_null(strstr(e.text, why));
	char *new = read_file(path, &after);
	assert_int_equal(before, after);
	assert_memory_equal(old, new, before);
	free(old);
	free(new);
}

static void a_newer_schema_is_refused(void **state)
{
	(void)state;
	const char *path = in_folder("newer.db");
	store_close(open_store(path));
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      "PRAGMA user_version = 6; "
				      "PRAGMA wal_checkpoint(TRUNCATE)",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	refused_and_unchanged(path, "newer lunscope (schema 6, this one knows 5)");
}

static void what_is_not_a_store_is_refused(void **state)
{
	(void)state;
	const char *path = in_folder("notes.txt");
	char text[5000];
	memset(text, 'x', sizeof(text));
	write_file(path, text, 9);
	refused_and_unchanged(path, "not an SQLite file");
	write_file(path, text, sizeof(text));
	refused_and_unchanged(path, "not an SQLite file");

	path = in_folder("other.db");
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE bookmark (url)", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	refused_and_unchanged(path, "of another program");

	struct error e = {""};
	struct store *s;
	assert_true(store_open(&s, folder, &e) < 0);
	assert_non_null(strstr(e.text, "is a folder"));
	assert_true(store_open(&s, "/dev/lunscope-no-such-disk", &e) < 0);
	assert_non_null(strstr(e.text, "nothing is created below /dev"));
	assert_int_equal(access("/dev/lunscope-no-such-disk", F_OK), -1);
	assert_int_equal(store_open_read(&s, in_folder("nothing.db"), &e), -ENOENT);
	assert_int_equal(access(in_folder("nothing.db"), F_OK), -1);
}

/* The child says through the pipe which second it has just handed over. */
static pid_t start_writer(const char *path, int fd)
{
	pid_t pid = fork();
	if (pid)
		return pid;
	struct error e;
	struct store *s;
	struct timeline *t = timeline_create();
	if (store_open(&s, path, &e))
		_exit(1);
	json_t *settings = json_pack("{s:s}", "engine", "null");
	int64_t id = store_begin(s, WALL_START, "/dev/test", "", settings, settings, &e);
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	for (uint32_t i = 1;; i++) {
		one_second(t, i);
		if (store_append(s, id, t, WALL_START, &e) || write(fd, &i, sizeof(i)) < 0)
			_exit(1);
		if (i % 3 == 0)
			timeline_mark(t, MARK_KNOB, i * NS_PER_SEC, i, &load, "knob");
	}
}

static void a_killed_writer_loses_at_most_the_last_second(void **state)
{
	(void)state;
	/* Several times, so that the signal falls into different places of a transaction. */
	for (unsigned round = 1; round <= 8; round++) {
		char name[32];
		uint32_t told = 0, n;
		int p[2];
		snprintf(name, sizeof(name), "killed-%u.db", round);
		const char *path = in_folder(name);
		assert_int_equal(pipe(p), 0);
		pid_t pid = start_writer(path, p[1]);
		close(p[1]);
		while (told < 5 * round && read(p[0], &n, sizeof(n)) == sizeof(n))
			told = n;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		while (read(p[0], &n, sizeof(n)) == sizeof(n))
			told = n;
		close(p[0]);

		/* All that was handed over is there, and at most the one in the making more. */
		struct store *s = open_store(path);
		store_close(s);
		assert_true(intact(path));
		int64_t kept = ask(path, "SELECT max(time) FROM sample") - WALL_START;
		assert_in_range(kept / (int64_t)NS_PER_SEC, told, told + 1);
		assert_int_equal(ask(path, "SELECT sum(read_ios) FROM sample"),
				 kept / (int64_t)NS_PER_SEC * 1000);
		assert_int_equal(ask(path, "SELECT sum(read_hist_count) FROM segment"),
				 kept / (int64_t)NS_PER_SEC * 1000);
		assert_int_equal(ask(path, "SELECT count(*) FROM run WHERE ended IS NULL"), 1);

		/* And its figures are computed from its rows. */
		char *text = listing(path, 0);
		assert_non_null(
			strstr(text, "   1.00k    62.50  1.00 ms  1.00 ms   25.0  cut off"));
		free(text);
	}
}

static void a_run_in_progress_is_called_running(void **state)
{
	(void)state;
	const char *path = in_folder("running.db");
	struct error e = {""};
	struct store *s = open_store(path);
	struct timeline *t = timeline_create();
	int64_t id = begin(s);
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	one_second(t, 1);
	assert_int_equal(store_append(s, id, t, WALL_START, &e), 0);
	char *text = listing(path, 0); /* reads while the writer has it open */
	assert_non_null(strstr(text, "  running      /dev/test\n"));
	assert_non_null(strstr(text, "   1.00k    62.50"));
	free(text);
	store_close(s);
	timeline_destroy(t);
}

static void a_discarded_run_leaves_nothing(void **state)
{
	(void)state;
	const char *path = in_folder("discard.db");
	struct error e = {""};
	struct store *s = open_store(path);
	struct timeline *t = timeline_create();
	int64_t id = begin(s);
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	one_second(t, 1);
	json_t *summary = summary_of(t);
	assert_int_equal(store_end(s, id, t, WALL_START, "done", summary, &e), 0);
	json_decref(summary);
	assert_int_equal(store_discard(s, id, &e), 0);
	assert_int_equal(store_discard(s, id, &e), -ENOENT);
	assert_int_equal(ask(path, "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM "
				   "sample) + (SELECT count(*) FROM mark) + "
				   "(SELECT count(*) FROM segment)"),
			 0);
	assert_int_equal(begin(s), id + 1); /* its number isn't given again */
	store_close(s);
	timeline_destroy(t);
}

static void two_writers_at_the_same_time_both_get_through(void **state)
{
	(void)state;
	const char *path = in_folder("two.db");
	pid_t pid[4];
	for (int k = 0; k < 4; k++) {
		pid[k] = fork();
		if (pid[k])
			continue;
		struct error e;
		struct store *s;
		struct timeline *t = timeline_create();
		if (store_open(&s, path, &e))
			_exit(1);
		json_t *settings = json_pack("{s:s}", "engine", "null");
		int64_t id = store_begin(s, WALL_START, "/dev/test", "", settings, settings, &e);
		if (id <= 0)
			_exit(2);
		timeline_mark(t, MARK_START, 0, 1, &load, "run start");
		for (unsigned i = 1; i <= 20; i++) {
			one_second(t, i);
			if (store_append(s, id, t, WALL_START, &e))
				_exit(3);
		}
		_exit(0);
	}
	for (int k = 0; k < 4; k++) {
		int status;
		waitpid(pid[k], &status, 0);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_true(intact(path));
	assert_int_equal(ask(path, "SELECT count(*) FROM run"), 4);
	assert_int_equal(ask(path, "SELECT count(*) FROM sample"), 80);
}

static void a_failed_append_is_made_up_for_by_the_next(void **state)
{
	(void)state;
	const char *path = in_folder("busy.db");
	struct error e = {""};
	struct store *s = open_store(path);
	struct timeline *t = timeline_create();
	sqlite3 *other;
	int64_t id = begin(s);
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_busy_timeout(s->db, 1);
	one_second(t, 1);
	assert_int_equal(store_append(s, id, t, WALL_START, &e), -EBUSY);
	assert_non_null(strstr(e.text, path));
	sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_close(other);
	one_second(t, 2);
	assert_int_equal(store_append(s, id, t, WALL_START, &e), 0);
	assert_int_equal(ask(path, "SELECT count(*) FROM sample"), 2);
	assert_int_equal(ask(path, "SELECT count(*) FROM mark"), 1);
	store_close(s);
	timeline_destroy(t);
}

static void a_closed_segment_still_gets_what_comes_late(void **state)
{
	(void)state;
	const char *path = in_folder("late.db");
	struct error e = {""};
	struct store *s = open_store(path);
	struct timeline *t = timeline_create();
	int64_t id = begin(s);
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	one_second(t, 1);
	/* At the very end of the next tick, which so is the first segment's. */
	timeline_mark(t, MARK_NOTE, NS_PER_SEC + TICK_NS - 1, 1, NULL, "late");
	assert_int_equal(store_append(s, id, t, WALL_START, &e), 0);
	assert_int_equal(ask(path, "SELECT read_hist_count FROM segment WHERE number = 1"), 1000);
	one_second(t, 2);
	assert_int_equal(store_append(s, id, t, WALL_START, &e), 0);
	assert_int_equal(ask(path, "SELECT read_hist_count FROM segment WHERE number = 1"), 1100);
	assert_int_equal(ask(path, "SELECT read_ios FROM segment WHERE number = 1"), 1100);
	assert_int_equal(ask(path, "SELECT read_hist_count FROM segment WHERE number = 2"), 900);
	store_close(s);
	timeline_destroy(t);
}

static void a_reset_starts_the_figures_of_a_cut_off_run_anew(void **state)
{
	(void)state;
	const char *path = in_folder("reset.db");
	struct error e = {""};
	struct store *s = open_store(path);
	struct timeline *t = timeline_create();
	int64_t id = begin(s);
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	for (unsigned i = 1; i <= 3; i++)
		one_second(t, i);
	timeline_mark(t, MARK_RESET, 3 * NS_PER_SEC, 1, NULL, "statistics reset");
	one_second(t, 4);
	one_second(t, 5);
	assert_int_equal(store_append(s, id, t, WALL_START, &e), 0);
	store_close(s);
	char *text = listing(path, id);
	assert_non_null(strstr(text, "elapsed   2.0 s, 2000 IOs, 125 MiB\n"));
	assert_non_null(strstr(text, "CPU       25.0 % of 2 CPUs, 500 "));
	free(text);
	timeline_destroy(t);
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
	(void)state;
	const char *path = in_folder("escape.db");
	struct error e = {""};
	struct store *s = open_store(path);
	struct timeline *t = timeline_create();
	int64_t id = begin(s);
	timeline_mark(t, MARK_START, 0, 1, &load, "x\033[2Jy");
	assert_int_equal(store_append(s, id, t, WALL_START, &e), 0);
	store_close(s);
	char *text = listing(path, id);
	assert_null(strchr(text, '\033'));
	assert_non_null(strstr(text, "x?[2Jy"));
	free(text);
	timeline_destroy(t);
}

static void an_unknown_run_is_named(void **state)
{
	(void)state;
	const char *path = in_folder("unknown.db");
	struct error e = {""};
	struct store *s = open_store(path);
	assert_int_equal(store_show(s, 77, stderr, &e), -ENOENT);
	assert_non_null(strstr(e.text, "there is no run 77"));
	store_close(s);
}

static void the_default_place_follows_xdg(void **state)
{
	(void)state;
	struct error e = {""};
	char path[256], expected[256];
	setenv("XDG_STATE_HOME", folder, 1);
	setenv("HOME", in_folder("home"), 1);
	assert_int_equal(store_default_path(path, sizeof(path), &e), 0);
	snprintf(expected, sizeof(expected), "%s/lunscope/runs.db", folder);
	assert_string_equal(path, expected);
	setenv("XDG_STATE_HOME", "relative", 1);
	assert_int_equal(store_default_path(path, sizeof(path), &e), 0);
	snprintf(expected, sizeof(expected), "%s/home/.local/state/lunscope/runs.db", folder);
	assert_string_equal(path, expected);
	assert_int_equal(store_default_path(path, 10, &e), -ENAMETOOLONG);
}

static void root_makes_nothing_in_a_users_home(void **state)
{
	(void)state;
	struct error e = {""};
	char path[256];
	if (geteuid()) {
		print_message("needs root: a folder must be given to another user\n");
		skip();
	}
	const char *home = in_folder("alice");
	assert_int_equal(mkdir(home, 0755), 0);
	assert_int_equal(chown(home, 1234, 1234), 0);
	setenv("HOME", home, 1);
	setenv("XDG_STATE_HOME", in_folder("alice/.local/state"), 1);
	assert_int_equal(store_default_path(path, sizeof(path), &e), 0);
	assert_null(strstr(path, folder));
	assert_int_equal(chown(home, 0, 0), 0);
	assert_int_equal(store_default_path(path, sizeof(path), &e), 0);
	assert_non_null(strstr(path, folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_comes_out_as_it_went_in),
		cmocka_unit_test(folders_and_file_are_private),
		cmocka_unit_test(a_newer_schema_is_refused),
		cmocka_unit_test(what_is_not_a_store_is_refused),
		cmocka_unit_test(a_killed_writer_loses_at_most_the_last_second),
		cmocka_unit_test(a_run_in_progress_is_called_running),
		cmocka_unit_test(a_discarded_run_leaves_nothing),
		cmocka_unit_test(two_writers_at_the_same_time_both_get_through),
		cmocka_unit_test(a_failed_append_is_made_up_for_by_the_next),
		cmocka_unit_test(a_closed_segment_still_gets_what_comes_late),
		cmocka_unit_test(a_reset_starts_the_figures_of_a_cut_off_run_anew),
		cmocka_unit_test(control_characters_do_not_reach_the_terminal),
		cmocka_unit_test(an_unknown_run_is_named),
		cmocka_unit_test(the_default_place_follows_xdg),
		cmocka_unit_test(root_makes_nothing_in_a_users_home),
	};
	setlocale(LC_CTYPE, "C");
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
