/* unit-store-words.c - what the operator says of stored runs (src/store_words.c): it is kept, refused with words
 * where it can't be, and a run goes with all that belongs to it, or stays whole.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "store_rows.h"
#include "store_words.h"
#include "tests/scratch.h"
#include "units.h"

static const char *path;

static int64_t ask(const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *st;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	int64_t v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return v;
}

/* Two runs of an older lunscope, one that ended and one that was cut off, in today's schema. */
static int make_store(void **state)
{
	const char *folder = getenv("TEST_SRCDIR");
	char name[4096], *sql = NULL, *why = NULL;
	size_t n = 0;
	sqlite3 *db;
	struct store *s;
	struct error e;

	path = scratch_path("runs.db");
	unlink(path);
	snprintf(name, sizeof(name), "%s/tests/store-v4.sql", folder ? folder : "..");
	FILE *f = fopen(name, "r");
	assert_non_null(f);
	assert_true(getdelim(&sql, &n, '\0', f) > 0);
	fclose(f);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why))
		fail_msg("%s", why);
	sqlite3_close(db);
	free(sql);
	if (store_open_words(&s, path, &e))
		fail_msg("%s", e.text);
	*state = s;
	return 0;
}

static int close_store(void **state)
{
	store_close(*state);
	return 0;
}

static void set(struct store *s, const char *name, const char *tags, const char *note)
{
	struct error e;

	if (store_set_words(s, 1, &(struct store_words){name, tags, note}, &e))
		fail_msg("%s", e.text);
}

static void expect(struct store *s, const char *name, const char *tags, const char *note)
{
	struct run_words w;
	struct error e;

	if (store_get_words(s, 1, &w, &e))
		fail_msg("%s", e.text);
	assert_string_equal(w.name, name);
	assert_string_equal(w.tags, tags);
	assert_string_equal(w.note, note);
}

static void words_are_kept_each_by_itself_and_can_be_taken_away(void **state)
{
	struct store *s = *state;

	expect(s, "", "", "");
	set(s, "before the cable", NULL, NULL);
	expect(s, "before the cable", "", "");
	set(s, NULL, "lab, port 3", "交換 cable 7");
	expect(s, "before the cable", "lab,port 3", "交換 cable 7");
	set(s, "", NULL, NULL);
	expect(s, "", "lab,port 3", "交換 cable 7");
	set(s, NULL, "", "");
	expect(s, "", "", "");
	assert_int_equal(ask("SELECT count(name) + count(tags) + count(note) FROM run"), 0);
}

static void each_tag_is_kept_once_and_without_blanks(void **state)
{
	struct store *s = *state;

	set(s, NULL, " , a ,b,,a, b c ,b c,ab", NULL);
	expect(s, "", "a,b,b c,ab", "");
	set(s, NULL, ",  ,", NULL);
	expect(s, "", "", "");
}

static void refuse(struct store *s, const struct store_words *w, const char *why)
{
	struct error e = {""};

	assert_int_equal(store_set_words(s, 1, w, &e), -EINVAL);
	if (!strstr(e.text, why))
		fail_msg("'%s' is not in: %s", why, e.text);
}

static void what_is_no_line_of_text_is_refused_and_nothing_is_changed(void **state)
{
	struct store *s = *state;
	char name[STORE_NAME + 1];

	set(s, "name", "tag", "note");
	memset(name, 'x', STORE_NAME);
	name[STORE_NAME] = '\0';
	refuse(s, &(struct store_words){.note = "new", .name = name}, "127 bytes at most");
	refuse(s, &(struct store_words){.name = "new", .note = "a\033[2J"}, "control characters");
	refuse(s, &(struct store_words){.name = "new", .tags = "a\nb"}, "control characters");
	refuse(s, &(struct store_words){.name = "\xff"}, "UTF-8");
	expect(s, "name", "tag", "note");
	name[STORE_NAME - 1] = '\0';
	set(s, name, NULL, NULL);
	expect(s, name, "tag", "note");
}

static void a_run_that_is_not_there_has_no_words(void **state)
{
	struct run_words w;
	struct error e;

	assert_int_equal(store_set_words(*state, 7, &(struct store_words){.name = "x"}, &e),
			 -ENOENT);
	assert_non_null(strstr(e.text, "there is no run 7"));
	assert_int_equal(store_get_words(*state, 7, &w, &e), -ENOENT);
}

static void what_another_program_wrote_is_safe_to_show(void **state)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      "UPDATE run SET name = 'a' || char(27) || '[2J', "
				      "target = 'b' || char(10) WHERE id = 1",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	expect(*state, "a?[2J", "", "");
	struct store_entry *list;
	struct error e;
	size_t n;
	assert_int_equal(store_entries(*state, &list, &n, &e), 0);
	assert_string_equal(list[1].target, "b?");
	free(list);
}

static void the_list_has_every_run_newest_first_with_figures_and_words(void **state)
{
	struct store *s = *state;
	struct store_entry *list;
	struct error e;
	size_t n;

	set(s, "first", "a,b", "why");
	if (store_entries(s, &list, &n, &e))
		fail_msg("%s", e.text);
	assert_int_equal(n, 2);
	assert_int_equal(list[0].id, 2);
	assert_string_equal(list[0].status, "cut off");
	assert_string_equal(list[0].words.name, "");
	assert_int_equal(list[1].id, 1);
	assert_string_equal(list[1].status, "done");
	assert_string_equal(list[1].target, "null:1ms");
	assert_string_equal(list[1].words.tags, "a,b");
	assert_string_equal(list[1].words.note, "why");
	for (int i = 0; i < 2; i++) {
		assert_true(list[i].iops > 499 && list[i].iops < 502);
		assert_true(list[i].bytes_s > 499 * 4096. && list[i].bytes_s < 502 * 4096.);
		assert_true(list[i].mean_ns > 1e6 && list[i].mean_ns < 1.1e6);
		assert_true(list[i].cpu > 0 && list[i].cpu < 100);
	}
	free(list);
}

static void list_and_show_print_the_words(void **state)
{
	struct store *s = *state;
	struct error e;
	char *text = NULL;
	size_t n;

	FILE *f = open_memstream(&text, &n);
	assert_int_equal(store_list(s, f, &e), 0);
	fflush(f);
	assert_null(strstr(text, "name"));
	assert_null(strstr(text, "tags"));
	set(s, "first", "a,b", "why");
	rewind(f);
	assert_int_equal(store_list(s, f, &e) || store_show(s, 1, f, &e), 0);
	fclose(f);
	assert_non_null(strstr(text, "status       name   tags  target\n"));
	assert_non_null(strstr(text, "done         first  a,b   null:1ms\n"));
	assert_non_null(strstr(text, "cut off                   null:1ms\n"));
	assert_non_null(strstr(text, "name      first\ntags      a,b\nnote      why\n"));
	free(text);
}

static void a_deleted_run_takes_all_that_is_its_own_along(void **state)
{
	struct store *s = *state;
	struct error e;
	const int64_t run = 1;

	if (store_delete(s, &run, 1, &e))
		fail_msg("%s", e.text);
	assert_int_equal(ask("SELECT count(*) FROM run"), 1);
	assert_int_equal(ask("SELECT count(*) FROM sample WHERE run = 1"), 0);
	assert_int_equal(ask("SELECT count(*) FROM segment WHERE run = 1"), 0);
	assert_int_equal(ask("SELECT count(*) FROM mark WHERE run = 1"), 0);
	assert_int_equal(ask("SELECT count(*) FROM sample WHERE run = 2"), 3);
	assert_int_equal(store_delete(s, &run, 1, &e), -ENOENT);
}

static void of_several_all_are_deleted_or_none(void **state)
{
	struct store *s = *state;
	struct error e;
	const int64_t wrong[] = {1, 9}, both[] = {2, 1};

	assert_int_equal(store_delete(s, wrong, 2, &e), -ENOENT);
	assert_non_null(strstr(e.text, "there is no run 9"));
	assert_int_equal(ask("SELECT count(*) FROM run"), 2);
	assert_int_equal(ask("SELECT count(*) FROM sample WHERE run = 1"), 3);
	if (store_delete(s, both, 2, &e))
		fail_msg("%s", e.text);
	assert_int_equal(ask("SELECT count(*) FROM run"), 0);
	assert_int_equal(ask("SELECT count(*) FROM sample"), 0);
}

static void a_run_that_is_being_recorded_is_not_deleted(void **state)
{
	struct store *s = *state, *recorder;
	struct error e;
	char words[64];
	json_t *object = json_object();

	if (store_open(&recorder, path, &e))
		fail_msg("%s", e.text);
	int64_t run = store_begin(recorder, wall_ns(), "null:", "", object, object, &e);
	assert_int_equal(run, 3);
	const int64_t both[] = {1, run};
	assert_int_equal(store_delete(s, both, 2, &e), -EBUSY);
	snprintf(words, sizeof(words), "run 3 is being recorded by process %d", (int)getpid());
	assert_non_null(strstr(e.text, words));
	assert_int_equal(ask("SELECT count(*) FROM run"), 3);
	/* Words can be said of it meanwhile. */
	if (store_set_words(s, run, &(struct store_words){.name = "now"}, &e))
		fail_msg("%s", e.text);
	store_close(recorder);
	json_decref(object);
}

static void no_store_is_made_for_words(void **state)
{
	struct store *s;
	struct error e;
	const char *none = scratch_path("none.db");

	(void)state;
	assert_int_equal(store_open_words(&s, none, &e), -ENOENT);
	assert_null(s);
	assert_non_null(strstr(e.text, "no run has been kept there yet"));
	assert_int_equal(access(none, F_OK), -1);
	const char *empty = scratch_text("empty.db", "");
	assert_int_equal(store_open_words(&s, empty, &e), -ENOENT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_store, close_store)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(words_are_kept_each_by_itself_and_can_be_taken_away),
		TEST(each_tag_is_kept_once_and_without_blanks),
		TEST(what_is_no_line_of_text_is_refused_and_nothing_is_changed),
		TEST(a_run_that_is_not_there_has_no_words),
		TEST(what_another_program_wrote_is_safe_to_show),
		TEST(the_list_has_every_run_newest_first_with_figures_and_words),
		TEST(list_and_show_print_the_words),
		TEST(a_deleted_run_takes_all_that_is_its_own_along),
		TEST(of_several_all_are_deleted_or_none),
		TEST(a_run_that_is_being_recorded_is_not_deleted),
		TEST(no_store_is_made_for_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
