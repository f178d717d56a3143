/* unit-history.c - the browser over stored runs (ui/dialog_history.c, history_*.c, state_history.c): what its keys do
 * to the rows, to the screen and to the store.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <sqlite3.h>
#include "proc.h"
#include "run.h"
#include "store_words.h"
#include "target.h"
#include "tests/canvas-print.h"
#include "tests/level-check.h"
#include "tests/scratch.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "ui/screen.h"
#include "ui/state.h"

#define CJK "長期測試長期測試長期測試長期測試長期測試"

static const char *path;

/* Three runs: 1 ended, 2 was cut off, 3 is as 1 with half the IOPS. */
static const char third[] =
	"INSERT INTO run (id, started, ended, target, command, version, settings, environment, "
	"pid, "
	"pid_start, status, summary, name, tags) SELECT 3, started + 60000000000, ended + "
	"60000000000, "
	"'/dev/disk/by-id/scsi-a-very-long-name-of-a-disk-that-does-not-fit-anywhere', "
	"command, version, settings, environment, pid, pid_start, status, "
	"json_set(summary, '$.total.iops', 250), '" CJK "', 'lab,port 3' FROM run WHERE id = 1;"
	"INSERT INTO mark SELECT 3, id, kind, letter, time, text FROM mark WHERE run = 1;";

static void sql(const char *text)
{
	char *why = NULL;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, text, NULL, NULL, &why))
		fail_msg("%s", why);
	sqlite3_close(db);
}

static int64_t ask(const char *text)
{
	sqlite3 *db;
	sqlite3_stmt *st;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_prepare_v2(db, text, -1, &st, NULL))
		fail_msg("%s: %s", text, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	int64_t v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return v;
}

static void make_store(void)
{
	const char *folder = getenv("TEST_SRCDIR");
	char name[4096], *text = NULL;
	struct store *s;
	struct error e;
	size_t n = 0;

	path = scratch_path("runs.db");
	unlink(path);
	unlink(scratch_path("runs.db-wal"));
	unlink(scratch_path("runs.db-shm"));
	snprintf(name, sizeof(name), "%s/tests/store-v4.sql", folder ? folder : "..");
	FILE *f = fopen(name, "r");
	assert_non_null(f);
	assert_true(getdelim(&text, &n, '\0', f) > 0);
	fclose(f);
	sql(text);
	free(text);
	if (store_open_words(&s, path, &e))
		fail_msg("%s", e.text);
	store_close(s);
	sql(third);
}

/* --- A screen over a run. --- */

struct fixture {
	struct ui_host host;
	struct run *run;
	struct target target;
	struct ui_state s;
	struct canvas c;
};

static void command(void *ctx, char *out, size_t n)
{
	(void)ctx;
	snprintf(out, n, "lunscope null:1ms");
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct workload w = workload_default();
	struct target_options o = {0};
	struct run_config rc = {.no_store = true, .command = "", .status = "live"};
	struct error e = {""};

	make_store();
	w.rate_iops = 100;
	rc.workload = w;
	if (!f || target_open(&f->target, "null:1ms", &o, &e) ||
	    run_create(&f->run, &f->target, &rc, &e))
		fail_msg("%s", e.text);
	f->host = (struct ui_host){.ctx = f, .command = command};
	struct ui_config c = {.host = &f->host,
			      .run = f->run,
			      .target = &f->target,
			      .workload = w,
			      .store = path,
			      .version = "1.0"};
	assert_int_equal(state_init(&f->s, &c, &e), 0);
	assert_int_equal(canvas_resize(&f->c, 24, 80), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	struct summary s;

	state_free(&f->s);
	canvas_free(&f->c);
	run_stop(f->run, "done", &s);
	run_destroy(f->run);
	target_close(&f->target);
	free(f);
	return 0;
}

static void resize(struct fixture *f, int rows, int cols)
{
	canvas_resize(&f->c, rows, cols);
	state_resize(&f->s, rows, cols);
}

static bool shows(struct fixture *f, const char *words)
{
	char row[2048];
	struct view *v = &f->s.gather.view;

	state_update(&f->s, 0);
	for (int level = GL_ASCII; level < GL_COUNT; level++) {
		v->level = (enum glyph_level)level;
		v->g = &glyph_table[level];
		canvas_clear(&f->c, ST_NORMAL);
		screen_draw(&f->c, &f->s);
		/* What the operator wrote is shown as it is where the locale has it. */
		if (!v->g->utf8)
			level_check(&f->c, v->level, words);
	}
	for (int r = 0; r < f->c.rows; r++)
		if (strstr(canvas_row(&f->c, r, row, sizeof(row)), words))
			return true;
	return false;
}

/* Jobs take their time. */
static void expect(struct fixture *f, const char *words)
{
	for (double end = proc_now() + proc_patience(); proc_now() < end; usleep(2000))
		if (shows(f, words))
			return;
	canvas_print(&f->c, stderr);
	fail_msg("'%s' is missing", words);
}

static void expect_none(struct fixture *f, const char *words)
{
	if (!shows(f, words))
		return;
	canvas_print(&f->c, stderr);
	fail_msg("'%s' is there", words);
}

static void keys(struct fixture *f, const char *text)
{
	for (; *text; text++)
		state_key(&f->s, (unsigned char)*text);
}

static void open_browser(struct fixture *f)
{
	state_key(&f->s, 'H');
	expect(f, "Runs: 3, by newest");
}

/* The number of the run in the first row of the table. */
static int first_row(struct fixture *f)
{
	char row[2048];
	bool head = false;
	int run;

	shows(f, "");
	for (int r = 0; r < f->c.rows; r++) {
		canvas_row(&f->c, r, row, sizeof(row));
		const char *figure = head ? strpbrk(row, "0123456789") : NULL;
		if (figure && sscanf(figure, "%d", &run) == 1)
			return run;
		head = head || strstr(row, "started");
	}
	return 0;
}

static void the_newest_run_is_on_top_and_all_is_shown_in_every_size(void **state)
{
	static const int size[][2] = {{24, 80}, {43, 132}, {10, 40}, {4, 20}, {60, 250}};
	struct fixture *f = *state;

	open_browser(f);
	assert_int_equal(first_row(f), 3);
	for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++) {
		resize(f, size[i][0], size[i][1]);
		shows(f, "");
	}
	resize(f, 43, 132);
	expect(f, "status");
	expect(f, "lab,port 3");
	resize(f, 24, 80);
	expect(f, "run 3, done");
	expect(f, "tags lab,port 3");
	state_key(&f->s, K_ESC);
	assert_int_equal(f->s.dialogs.depth, 0);
	assert_int_equal(ask("SELECT count(*) FROM run"), 3);
}

static void the_filter_finds_as_it_is_typed_and_esc_takes_it_back(void **state)
{
	struct fixture *f = *state;

	open_browser(f);
	keys(f, "/PORT lab");
	expect(f, "Runs: 1 of 3, by newest, /PORT lab");
	assert_int_equal(first_row(f), 3);
	keys(f, "x");
	expect(f, "Runs: 0 of 3");
	expect(f, "no run has that");
	state_key(&f->s, K_BACKSPACE);
	state_key(&f->s, K_ENTER);
	expect(f, "Runs: 1 of 3");
	keys(f, "/");
	state_key(&f->s, K_ESC);
	expect(f, "Runs: 3, by newest");
	/* Keys that act on a run are only letters while a filter is typed. */
	keys(f, "/vbtnrsq");
	expect(f, "/vbtnrsq");
	assert_int_equal(f->s.dialogs.depth, 1);
}

static void s_sorts_and_the_run_at_hand_stays_it(void **state)
{
	struct fixture *f = *state;

	open_browser(f);
	keys(f, "s");
	expect(f, "by most IOPS");
	assert_true(first_row(f) == 1 || first_row(f) == 2);
	expect(f, "run 3, done");
	for (int i = 1; i < 7; i++)
		keys(f, "s");
	expect(f, "by newest");
	assert_int_equal(first_row(f), 3);
}

static void a_run_gets_a_name_tags_and_a_note_and_the_store_has_them(void **state)
{
	struct fixture *f = *state;

	open_browser(f);
	state_key(&f->s, K_END);
	expect(f, "run 1, done");
	keys(f, "rbefore");
	state_key(&f->s, K_ENTER);
	expect(f, ": before, null:1ms");
	keys(f, "ta, b,a");
	state_key(&f->s, K_ENTER);
	expect(f, "tags a,b");
	keys(f, "nport 3?");
	state_key(&f->s, K_ENTER);
	expect(f, "tags a,b; port 3?");
	assert_int_equal(
		ask("SELECT name = 'before' AND tags = 'a,b' AND note = 'port 3?' FROM run "
		    "WHERE id = 1"),
		1);
	/* Esc leaves it. */
	keys(f, "rx");
	state_key(&f->s, K_ESC);
	expect(f, ": before, null:1ms");
	assert_int_equal(f->s.dialogs.depth, 1);
}

static void what_the_store_refuses_is_said(void **state)
{
	struct fixture *f = *state;

	open_browser(f);
	keys(f, "r");
	for (int i = 0; i < STORE_NAME; i++)
		keys(f, "x");
	state_key(&f->s, K_ENTER);
	expect(f, "the name is too long: 127 bytes at most");
	assert_int_equal(ask("SELECT count(*) FROM run WHERE name LIKE '%x%'"), 0);
}

static void a_run_is_deleted_only_after_a_yes_to_a_question_that_names_it(void **state)
{
	struct fixture *f = *state;

	open_browser(f);
	state_key(&f->s, K_END);
	state_key(&f->s, K_DELETE);
	expect(f, "Delete run 1 for good? It is null:1ms");
	state_key(&f->s, K_ENTER);
	expect(f, "Nothing is deleted.");
	state_key(&f->s, K_DELETE);
	state_key(&f->s, K_ESC);
	expect(f, "Nothing is deleted.");
	assert_int_equal(ask("SELECT count(*) FROM run"), 3);
	state_key(&f->s, K_DELETE);
	keys(f, "y");
	expect(f, "Runs: 2, by newest");
	assert_int_equal(ask("SELECT count(*) FROM run WHERE id = 1"), 0);
	assert_int_equal(ask("SELECT count(*) FROM sample WHERE run = 1"), 0);
	/* Chosen ones go together. */
	state_key(&f->s, K_HOME);
	keys(f, "  ");
	state_key(&f->s, K_DELETE);
	expect(f, "Delete the 2 chosen runs, 2 to 3, for good?");
	keys(f, "y");
	expect(f, "no run is kept yet");
	assert_int_equal(ask("SELECT count(*) FROM run"), 0);
	/* Nothing to act on. */
	keys(f, "rtnvbs ");
	state_key(&f->s, K_DELETE);
	state_key(&f->s, K_ENTER);
	expect(f, "no run is kept yet");
}

static void one_that_is_being_recorded_stays(void **state)
{
	struct fixture *f = *state;
	struct store *s;
	struct error e;
	json_t *object = json_object();

	assert_int_equal(store_open(&s, path, &e), 0);
	assert_int_equal(store_begin(s, wall_ns(), "null:", "", object, object, &e), 4);
	json_decref(object);
	state_key(&f->s, 'H');
	expect(f, "run 4, running");
	state_key(&f->s, K_DELETE);
	keys(f, "y");
	expect(f, "run 4 is being recorded by process");
	assert_int_equal(ask("SELECT count(*) FROM run"), 4);
	store_close(s);
}

static void enter_shows_the_run_and_esc_leads_back(void **state)
{
	struct fixture *f = *state;

	open_browser(f);
	state_key(&f->s, K_DOWN);
	state_key(&f->s, K_ENTER);
	expect(f, "run 2, cut off: null:1ms");
	expect_none(f, "no end was recorded");
	state_key(&f->s, K_END);
	expect(f, "errors    0");
	state_key(&f->s, K_HOME);
	expect(f, "run 2, cut off: null:1ms");
	state_key(&f->s, K_RIGHT);
	expect_none(f, "run 2, cut off: null:1ms");
	state_key(&f->s, ACTION_FKEY(1));
	expect(f, "About this page");
	state_key(&f->s, K_ESC);
	state_key(&f->s, K_ESC);
	expect(f, "Runs: 3, by newest");
	state_key(&f->s, ACTION_FKEY(1));
	expect(f, "About the runs that are kept");
}

static void two_that_are_chosen_are_compared_the_older_first(void **state)
{
	struct fixture *f = *state;

	open_browser(f);
	keys(f, "v");
	expect(f, "Space chooses runs");
	state_key(&f->s, K_DOWN);
	keys(f, "  v");
	expect(f, "Run 2 against run 1");
	expect(f, "too short");
	state_key(&f->s, K_ESC);
	state_key(&f->s, K_HOME);
	keys(f, " v");
	expect(f, "Space chooses runs");
	/* One without seconds, too. */
	state_key(&f->s, K_END);
	keys(f, " v");
	expect(f, "Run 3 against run 2");
	expect(f, "has no seconds");
}

static void b_draws_it_behind_the_live_run(void **state)
{
	struct fixture *f = *state;

	open_browser(f);
	state_key(&f->s, K_END);
	keys(f, "b");
	expect(f, "Run 1 is drawn as ~");
	assert_int_equal(f->s.dialogs.depth, 0);
	assert_non_null(f->s.baseline);
	assert_int_equal(f->s.baseline->run, 1);
}

static void a_store_that_is_not_there_or_cant_be_read_is_named(void **state)
{
	struct fixture *f = *state;

	resize(f, 24, 200);
	f->s.store = scratch_path("none.db");
	state_key(&f->s, 'H');
	expect(f, "no run has been kept there yet");
	assert_int_equal(f->s.dialogs.depth, 0);
	f->s.store = scratch_text("notes.txt", "no store");
	state_key(&f->s, 'H');
	expect(f, "not an SQLite file");
	assert_int_equal(f->s.dialogs.depth, 0);
	/* One that goes while it is shown. */
	f->s.store = path;
	open_browser(f);
	f->s.store = scratch_path("none.db");
	keys(f, "rx");
	state_key(&f->s, K_ENTER);
	expect(f, "no run has been kept there yet");
	expect(f, "Runs: 3, by newest");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_newest_run_is_on_top_and_all_is_shown_in_every_size),
		TEST(the_filter_finds_as_it_is_typed_and_esc_takes_it_back),
		TEST(s_sorts_and_the_run_at_hand_stays_it),
		TEST(a_run_gets_a_name_tags_and_a_note_and_the_store_has_them),
		TEST(what_the_store_refuses_is_said),
		TEST(a_run_is_deleted_only_after_a_yes_to_a_question_that_names_it),
		TEST(one_that_is_being_recorded_stays),
		TEST(enter_shows_the_run_and_esc_leads_back),
		TEST(two_that_are_chosen_are_compared_the_older_first),
		TEST(b_draws_it_behind_the_live_run),
		TEST(a_store_that_is_not_there_or_cant_be_read_is_named),
	};
	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
