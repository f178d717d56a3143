/* unit-store-upgrade.c - a run store of an older lunscope (src/store*.c): it is read as it is, brought up to
 * this one's schema when something is recorded, whole or not at all, and nothing in it is lost.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "store_rows.h"
#include "store_words.h"
#include "tests/hist-add.h"
#include "tests/scratch.h"
#include "units.h"

static const char *path;
static int schema; /* of the store that a test begins with */

static char *read_file(const char *name, size_t *n)
{
	FILE *f = fopen(name, "r");
	char *text = calloc(1, 1 << 20);
	if (!f)
		fail_msg("%s is not there", name);
	*n = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	return text;
}

static void run_sql(const char *sql)
{
	sqlite3 *db;
	char *why = NULL;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why))
		fail_msg("%s", why);
	sqlite3_close(db);
}

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

/* The store as lunscope 0.1.0 left it. */
static void make_store(void)
{
	const char *folder = getenv("TEST_SRCDIR");
	char name[4096];
	size_t n;
	snprintf(name, sizeof(name), "%s/tests/store-v%d.sql", folder ? folder : "..", schema);
	path = scratch_path("runs.db");
	unlink(path);
	char *sql = read_file(name, &n);
	run_sql(sql);
	run_sql("PRAGMA journal_mode = WAL");
	free(sql);
}

static int first_store(void **state)
{
	(void)state;
	schema = 1;
	make_store();
	return 0;
}

static int second_store(void **state)
{
	(void)state;
	schema = 2;
	make_store();
	return 0;
}

static int third_store(void **state)
{
	(void)state;
	schema = 3;
	make_store();
	return 0;
}

static int fourth_store(void **state)
{
	(void)state;
	schema = 4;
	make_store();
	return 0;
}

/* What list and show say of the first two runs. */
static char *told(void)
{
	struct store *s;
	struct error e;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	if (store_open_read(&s, path, &e) || store_list(s, f, &e) || store_show(s, 1, f, &e) ||
	    store_show(s, 2, f, &e))
		fail_msg("%s", e.text);
	store_close(s);
	fclose(f);
	return text;
}

static struct store *open_to_record(void)
{
	struct store *s;
	struct error e;
	if (store_open(&s, path, &e))
		fail_msg("%s", e.text);
	return s;
}

/* A second at a rate of 200/s, of which 100 were started and waited 20 ms; and one that an outage left
 * out, with 7 IOs in it. */
static struct timeline *rated(void)
{
	static const struct workload w = {
		.workers = 1, .outstanding = 1, .block_size = 4096, .rate_iops = 200};
	static struct hist delta[HISTS];
	struct timeline *t = timeline_create();
	struct sample s;
	for (int k = 0; k < HISTS; k++)
		hist_clear(&delta[k]);
	for (int i = 0; i < 100; i++) {
		hist_add(&delta[HIST_READ], 10 * NS_PER_MS);
		hist_add(&delta[HIST_DUE], 30 * NS_PER_MS);
	}
	sample_clear(&s);
	s.t_ns = s.dt_ns = NS_PER_SEC;
	s.op[IO_READ].ios = 100;
	s.op[IO_READ].lat_sum = 100 * 10 * NS_PER_MS;
	s.due = (struct due_sample){.offered = 200,
				    .started = 100,
				    .ios = 100,
				    .lat_sum = 100 * 30 * NS_PER_MS,
				    .lat_min = 30 * NS_PER_MS,
				    .lat_max = 30 * NS_PER_MS,
				    .backlog = 101,
				    .oldest_ns = 500 * NS_PER_MS};
	s.net = (struct net_sample){.valid = true, .dt_ns = NS_PER_SEC, .rx_packets = 700};
	timeline_expect_gaps(t);
	timeline_mark(t, MARK_START, 0, 1, &w, "run start");
	timeline_tick(t, &s, delta);
	timeline_second(t, &s);
	sample_clear(&s);
	s.dt_ns = NS_PER_SEC;
	s.t_ns = 2 * NS_PER_SEC;
	s.op[IO_READ] = (struct op_sample){.ios = 7,
					   .bytes = 7 * 4096,
					   .lat_sum = 7 * 900 * NS_PER_MS,
					   .lat_min = 900 * NS_PER_MS,
					   .lat_max = 900 * NS_PER_MS};
	timeline_tick(t, &s, NULL);
	timeline_second(t, &s);
	timeline_gap(t, 0, NS_PER_SEC, 2 * NS_PER_SEC);
	return t;
}

static int64_t record(struct store *s)
{
	struct timeline *t = rated();
	struct error e;
	json_t *object = json_object();
	int64_t id = store_begin(s, wall_ns(), "null:10ms", "", object, object, &e);
	static struct store_change change = {1, {"eth2 mtu", "9000"}};
	static char environment[] = "{\"facts\":{}}";
	struct store_news news = {.environment = environment, .change = &change, .count = 1};
	if (id < 0 || store_append(s, id, t, 0, &e) || store_add_news(s, id, &news, &e))
		fail_msg("%s", e.text);
	timeline_destroy(t);
	json_decref(object);
	return id;
}

static void an_old_store_is_listed_and_shown_and_left_as_it_is(void **state)
{
	size_t before, after;
	(void)state;
	char *old = read_file(path, &before);
	char *text = told();
	char *new = read_file(path, &after);
	assert_non_null(strstr(text, "done"));
	assert_non_null(strstr(text, "cut off"));
	/* The figures of the one without an end come from its rows, old ones from its summary. */
	assert_non_null(strstr(text, "run start 1 x 4, 4 KiB"));
	char *first = strstr(text, "1001 IOs");
	assert_non_null(first);
	assert_non_null(strstr(first + 1, "1001 IOs"));
	assert_int_equal(before, after);
	assert_memory_equal(old, new, before);
	assert_int_equal(ask("PRAGMA user_version"), schema);
	free(old);
	free(new);
	free(text);
}

static void recording_brings_it_up_to_this_schema_and_loses_nothing(void **state)
{
	size_t n;
	(void)state;
	char *before = told();
	store_close(open_to_record());
	char *after = told(), *head = read_file(path, &n);
	assert_string_equal(after, before);
	assert_int_equal(ask("PRAGMA user_version"), STORE_SCHEMA);
	/* In the header itself, so that an older lunscope knows that it is not for it. */
	assert_int_equal(head[63], STORE_SCHEMA);
	assert_int_equal(ask("SELECT count(*) FROM sample"), 6);
	if (schema < 2) {
		assert_int_equal(ask("SELECT count(due_offered) FROM sample"), 0);
		assert_int_equal(ask("SELECT count(due_hist) FROM segment"), 0);
	} else {
		assert_int_equal(ask("SELECT sum(due_offered) FROM sample WHERE run = 2"), 1001);
		assert_int_equal(ask("SELECT due_hist_count FROM segment WHERE run = 2"), 1001);
	}
	assert_int_equal(ask("SELECT count(gap) FROM sample"), schema < 3 ? 0 : 3);
	assert_int_equal(ask("SELECT count(gap_ios) FROM segment"), schema < 3 ? 0 : 1);
	assert_int_equal(ask("SELECT count(net_dt) FROM sample"), 0);
	assert_int_equal(ask("SELECT count(*) FROM fact"), 0);
	assert_int_equal(ask("SELECT count(name) + count(tags) + count(note) FROM run"), 0);
	free(before);
	free(after);
	free(head);
}

static void an_old_store_takes_new_runs(void **state)
{
	struct error e;
	char *text = NULL;
	size_t n;
	(void)state;
	struct store *s = open_to_record();
	assert_int_equal(record(s), 3);
	assert_int_equal(ask("SELECT due_offered FROM sample WHERE run = 3"), 200);
	assert_int_equal(ask("SELECT backlog FROM segment WHERE run = 3"), 101);
	assert_int_equal(ask("SELECT due_hist_count FROM segment WHERE run = 3"), 100);
	assert_int_equal(ask("SELECT sum(gap) FROM sample WHERE run = 3"), NS_PER_SEC);
	assert_int_equal(ask("SELECT gap_ios FROM segment WHERE run = 3"), 7);
	assert_int_equal(ask("SELECT net_rx_packets FROM sample WHERE run = 3 AND net_dt"), 700);
	/* No driver counted pause frames. */
	assert_int_equal(ask("SELECT count(net_pause_rx) FROM sample WHERE run = 3"), 0);
	assert_int_equal(ask("SELECT count(*) FROM fact WHERE run = 3 AND mark = 1 AND "
			     "words = 'eth2 mtu' AND value = '9000'"),
			 1);
	assert_int_equal(ask("SELECT environment = '{\"facts\":{}}' FROM run WHERE id = 3"), 1);
	store_close(s);
	FILE *f = open_memstream(&text, &n);
	if (store_open_read(&s, path, &e) || store_show(s, 3, f, &e))
		fail_msg("%s", e.text);
	fclose(f);
	store_close(s);
	assert_non_null(strstr(text, "from due   30.0 ms"));
	assert_non_null(strstr(text, "200/s offered, 100/s done: not sustained, backlog 101\n"));
	assert_non_null(
		strstr(text, "1.0 s of path outage left out (7 IOs came back, longest 900 ms)"));
	assert_non_null(strstr(text, "with it 54 IOPS"));
	free(text);
}

static void an_upgrade_that_fails_changes_nothing(void **state)
{
	struct store *s;
	struct error e;
	(void)state;
	char *before = told();
	/* What is made last of all is there already. */
	run_sql(schema < 4 ? "CREATE TABLE fact (words TEXT)"
			   : "ALTER TABLE run ADD COLUMN note TEXT");
	assert_true(store_open(&s, path, &e) < 0);
	assert_non_null(strstr(e.text, path));
	assert_int_equal(ask("PRAGMA user_version"), schema);
	assert_int_equal(ask("SELECT count(*) FROM pragma_table_info('sample') "
			     "WHERE name LIKE 'due%' OR name LIKE 'backlog%' OR name = 'gap' OR "
			     "name LIKE 'net%'"),
			 schema < 2   ? 0
			 : schema < 3 ? 10
			 : schema < 4 ? 11
				      : 21);
	assert_int_equal(ask("SELECT count(*) FROM pragma_table_info('run') "
			     "WHERE name IN ('name', 'tags')"),
			 0);
	char *after = told();
	assert_string_equal(after, before);
	free(before);
	free(after);
}

static void who_is_reading_meanwhile_goes_on(void **state)
{
	struct store *reader;
	struct error e;
	char *text = NULL;
	size_t n;
	(void)state;
	if (store_open_read(&reader, path, &e))
		fail_msg("%s", e.text);
	struct store *writer = open_to_record();
	record(writer);
	FILE *f = open_memstream(&text, &n);
	if (store_list(reader, f, &e))
		fail_msg("%s", e.text);
	fclose(f);
	assert_non_null(strstr(text, "null:10ms"));
	store_close(reader);
	store_close(writer);
	free(text);
}

static void words_bring_it_up_to_this_schema_too(void **state)
{
	struct store *s;
	struct error e;
	struct run_words w;
	(void)state;
	if (store_open_read(&s, path, &e) || store_get_words(s, 2, &w, &e))
		fail_msg("%s", e.text);
	assert_string_equal(w.name, "");
	store_close(s);
	if (store_open_words(&s, path, &e) ||
	    store_set_words(s, 2, &(struct store_words){.name = "as it was"}, &e) ||
	    store_get_words(s, 2, &w, &e))
		fail_msg("%s", e.text);
	assert_string_equal(w.name, "as it was");
	store_close(s);
	assert_int_equal(ask("PRAGMA user_version"), STORE_SCHEMA);
	char *text = told();
	assert_non_null(strstr(text, "as it was"));
	free(text);
}

/* A lunscope of tomorrow, in the middle of its own upgrade when this one looks. */
static sqlite3 *newer;

static void *upgrade_further(void *arg)
{
	nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
	assert_int_equal(sqlite3_exec(newer, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	return arg;
}

static void a_store_that_a_newer_one_upgrades_meanwhile_is_refused(void **state)
{
	pthread_t thread;
	struct store *s = NULL;
	struct error e = {""};
	(void)state;
	assert_int_equal(sqlite3_open(path, &newer), SQLITE_OK);
	assert_int_equal(sqlite3_exec(newer,
				      "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE;"
				      "PRAGMA user_version = 99",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(pthread_create(&thread, NULL, upgrade_further, NULL), 0);
	int rc = store_open(&s, path, &e);
	pthread_join(thread, NULL);
	sqlite3_close(newer);
	if (rc >= 0)
		store_close(s);
	assert_true(rc < 0);
	assert_non_null(strstr(e.text, "99"));
	assert_int_equal(ask("PRAGMA user_version"), 99);
}

/* Each begins with a store of either schema. */
#define FROM_EACH(f)                                                                       \
	{#f " (1)", f, first_store, NULL, NULL}, {#f " (2)", f, second_store, NULL, NULL}, \
		{#f " (3)", f, third_store, NULL, NULL},                                   \
	{                                                                                  \
#f " (4)", f, fourth_store, NULL, NULL                                     \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FROM_EACH(an_old_store_is_listed_and_shown_and_left_as_it_is),
		FROM_EACH(recording_brings_it_up_to_this_schema_and_loses_nothing),
		FROM_EACH(an_old_store_takes_new_runs),
		FROM_EACH(an_upgrade_that_fails_changes_nothing),
		FROM_EACH(who_is_reading_meanwhile_goes_on),
		FROM_EACH(words_bring_it_up_to_this_schema_too),
		FROM_EACH(a_store_that_a_newer_one_upgrades_meanwhile_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
