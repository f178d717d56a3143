/* unit-report-table.c - Iometer's table of stored runs (src/report/table*.c), and imported runs in the store
 * (src/iometer/import.c, src/store_import.c).
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "iometer/import.h"
#include "iometer/plan.h"
#include "report/table_print.h"
#include "report/table_words.h"
#include "store_import.h"
#include "store_rows.h"
#include "tests/hist-add.h"
#include "tests/mutate.h"
#include "tests/scratch.h"
#include "units.h"

#define WALL_START 1798761600000000000ll

/* --- Runs with seconds: ios reads of 4 KiB a second, more or less, each of 1 ms; half of 2 CPUs. --- */

static const struct workload load = {.workers = 1,
				     .outstanding = 8,
				     .block_size = 4096,
				     .read_pct = 100,
				     .random_pct = 100,
				     .seed = 1};

static void one_second(struct timeline *t, unsigned number, unsigned ios)
{
	struct hist delta[HISTS];
	struct sample s;

	sample_clear(&s);
	for (int k = 0; k < HISTS; k++)
		hist_clear(&delta[k]);
	for (unsigned k = 0; k < ios; k++)
		hist_add(&delta[IO_READ], NS_PER_MS);
	s.t_ns = number * NS_PER_SEC;
	s.dt_ns = NS_PER_SEC;
	s.op[IO_READ] = (struct op_sample){.ios = ios,
					   .bytes = ios * 4096ull,
					   .lat_sum = ios * NS_PER_MS,
					   .lat_min = NS_PER_MS,
					   .lat_max = NS_PER_MS};
	s.depth_ns = ios * NS_PER_MS;
	s.depth_requested = 8;
	s.generation = 1;
	timeline_tick(t, &s, delta);
	s.cpu = (struct cpu_sample){
		.valid = true, .cpus = 2, .user = NS_PER_SEC, .idle = NS_PER_SEC};
	timeline_second(t, &s);
}

static const char *mark_text = "jumbo";

/* A run of 60 s; its id. mark: after 30 s there are half more IOs. */
static int64_t add_run(struct store *s, const char *test, unsigned ios, bool mark)
{
	struct timeline *t = timeline_create();
	struct error e = {""};
	json_t *settings = json_pack("{s:s}", "engine", "null"), *environment = json_object();
	struct summary sum;
	struct sample total, gap;
	struct hist hist[HISTS];
	uint32_t noise = ios;

	if (test)
		json_object_set_new(settings, RUN_TEST, json_string(test));
	int64_t id = store_begin(s, WALL_START, "/dev/test", "", settings, environment, &e);
	assert_true(id > 0);
	timeline_mark(t, MARK_START, 0, 1, &load, "start");
	for (unsigned i = 1; i <= 60; i++) {
		noise = noise * 1664525 + 1013904223;
		if (mark && i == 31)
			timeline_mark(t, MARK_NOTE, 30 * NS_PER_SEC, 1, NULL, mark_text);
		one_second(t, i, (mark && i > 30 ? ios * 3 / 2 : ios) + (noise >> 24) % 20);
	}
	timeline_total(t, 1, &total, &gap, hist);
	summary_compute(&sum, &total, hist, "null");
	json_t *summary = summary_json(&sum);
	assert_int_equal(store_end(s, id, t, WALL_START, "done", summary, &e), 0);
	json_decref(summary);
	json_decref(settings);
	json_decref(environment);
	timeline_destroy(t);
	return id;
}

static struct store *open_store(const char *name)
{
	struct error e = {""};
	struct store *s;
	if (store_open(&s, scratch_path(name), &e))
		fail_msg("%s", e.text);
	return s;
}

static struct iometer_csv_file read_fixture(const char *name)
{
	const char *dir = getenv("TEST_SRCDIR");
	struct iometer_csv_file f;
	struct error e;
	char path[512];
	snprintf(path, sizeof(path), "%s/tests/%s", dir ? dir : "..", name);
	if (iometer_csv_read(path, &f, &e))
		fail_msg("%s", e.text);
	return f;
}

static void import_file(struct store *s, const char *name, struct iometer_imported list[8])
{
	struct iometer_csv_file f = read_fixture(name);
	struct error e = {""};
	memset(list, 0, 8 * sizeof(*list));
	if (iometer_import(s, name, 1, &f, list, &e))
		fail_msg("%s", e.text);
	iometer_csv_file_free(&f);
}

static struct report_table make(struct store *s, const struct report_part *part, size_t n)
{
	struct report_table t;
	struct error e = {""};
	if (report_table_make(&t, s, part, n, 3 * NS_PER_SEC, &e))
		fail_msg("%s", e.text);
	return t;
}

static char *printed(const struct report_table *t, bool side_by_side, unsigned width)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	assert_non_null(f);
	if (side_by_side)
		report_table_side_by_side(f, t, RATE_MIB, width, true);
	else
		report_table_print(f, t, RATE_MIB, width, true);
	fclose(f);
	char *copy = strdup(text);
	free(text);
	return copy;
}

/* Columns of the widest line before a blank one. */
static size_t widest_line(const char *text)
{
	size_t most = 0;

	while (*text && *text != '\n') {
		size_t n = strcspn(text, "\n");
		most = n > most ? n : most;
		text += n + (text[n] == '\n');
	}
	return most;
}

/* --- The table. --- */

static void a_row_has_the_runs_figures_and_the_verdict_against_the_first(void **state)
{
	(void)state;
	struct store *s = open_store("verdict.db");
	struct report_part part[3] = {{add_run(s, "4K", 1000, false), ""},
				      {add_run(s, "4K", 1200, false), ""},
				      {add_run(s, "4K", 1001, false), ""}};
	struct report_table t = make(s, part, 3);
	struct report_row *r = &t.row[1];

	assert_int_equal(t.rows, 3);
	assert_true(fabs(t.row[0].value[REPORT_IOPS_T] - 1010) < 10);
	assert_true(fabs(t.row[0].value[REPORT_RATE_R] - 1010 * 4096) < 10 * 4096);
	assert_true(t.row[0].value[REPORT_IOPS_W] == 0 && isnan(t.row[0].value[REPORT_MEAN_W]));
	assert_true(t.row[0].value[REPORT_MEAN_T] == 1e6);
	assert_true(fabs(t.row[0].value[REPORT_CPU] - 50) < 1e-6);
	assert_string_equal(t.row[0].test, "4K");
	assert_true(r->judged[REPORT_IOPS_T] && !*r->no_verdict);
	assert_int_equal(r->verdict[REPORT_IOPS_T].kind, VERDICT_DIFFERENT);
	assert_true(r->verdict[REPORT_IOPS_T].low > 1.15 && r->verdict[REPORT_IOPS_T].high < 1.25);
	/* All of it is reads: theirs is the same. */
	assert_true(r->judged[REPORT_IOPS_R] &&
		    r->verdict[REPORT_IOPS_R].ratio == r->verdict[REPORT_IOPS_T].ratio);
	assert_string_equal(report_verdict_word(r, REPORT_IOPS_T), "different");
	assert_string_equal(report_verdict_word(&t.row[2], REPORT_IOPS_T), "within noise");
	assert_string_equal(report_verdict_word(r, REPORT_IOPS_W), "no verdict");
	report_table_free(&t);
	store_close(s);
}

static void segments_are_rows_and_a_run_of_several_has_figures_but_no_verdict(void **state)
{
	(void)state;
	struct store *s = open_store("segments.db");
	int64_t id = add_run(s, NULL, 1000, true);
	struct report_part part[3] = {{id, "1"}, {id, "a"}, {id, ""}};
	struct report_table t = make(s, part, 3);
	struct error e;

	assert_true(fabs(t.row[0].value[REPORT_IOPS_T] - 1010) < 10);
	assert_true(fabs(t.row[1].value[REPORT_IOPS_T] - 1510) < 10);
	assert_true(fabs(t.row[2].value[REPORT_IOPS_T] - 1260) < 10);
	assert_int_equal(t.row[1].verdict[REPORT_IOPS_T].kind, VERDICT_DIFFERENT);
	assert_string_equal(t.row[0].test, "1x8 4K 100%rd 100%rnd");
	assert_true(strstr(t.row[1].name, "segment a: jumbo") != NULL);
	assert_true(strstr(t.row[2].no_verdict, "has several segments: name one, as in 1:2") !=
		    NULL);
	assert_true(fabs(t.row[2].verdict[REPORT_IOPS_T].ratio - 1.25) < 0.01);
	report_table_free(&t);
	part[0].segment = "q";
	assert_int_equal(report_table_make(&t, s, part, 1, 0, &e), -EINVAL);
	part[0].run = 77;
	assert_int_equal(report_table_make(&t, s, part, 1, 0, &e), -ENOENT);
	store_close(s);
}

static void side_by_side_each_is_held_against_the_first_of_its_test(void **state)
{
	(void)state;
	struct store *s = open_store("beside.db");
	struct report_part part[5] = {{add_run(s, "read", 1000, false), ""},
				      {add_run(s, "write", 500, false), ""},
				      {add_run(s, "read", 2000, false), ""},
				      {add_run(s, "write", 400, false), ""},
				      {add_run(s, "read", 3000, false), ""}};
	struct report_table t;
	struct error e;

	assert_int_equal(report_table_make_by_test(&t, s, part, 5, 0, &e), 0);
	assert_int_equal(t.row[0].against, 0);
	assert_int_equal(t.row[1].against, 1);
	assert_int_equal(t.row[2].against, 0);
	assert_int_equal(t.row[3].against, 1);
	assert_int_equal(report_table_groups(&t), 3);
	assert_true(fabs(t.row[3].verdict[REPORT_IOPS_T].ratio - 0.8) < 0.01);
	char *text = printed(&t, true, 0);
	char *read = strstr(text, "\nread ") + 1, *write = strstr(text, "\nwrite ") + 1;
	assert_int_equal(strcspn(read, "\n"), strcspn(text, "\n"));
	assert_true(strcspn(write, "\n") < strcspn(read, "\n"));
	free(text);
	/* Where that is too wide, each run has a line of its own. */
	text = printed(&t, true, 60);
	assert_true(widest_line(text) <= 60);
	free(text);
	report_table_free(&t);
	store_close(s);
}

static void the_table_fits_its_width_and_files_have_a_field_for_each_column(void **state)
{
	(void)state;
	struct store *s = open_store("width.db");
	struct report_part part[2] = {
		{add_run(s, "a name, \"quoted\" and quite a bit longer than others are", 1000,
			 false),
		 ""},
		{add_run(s, NULL, 900, false), ""}};
	struct report_table t = make(s, part, 2);
	static const unsigned width[] = {80, 100, 132};

	for (int i = 0; i < 3; i++) {
		char *text = printed(&t, false, width[i]);
		assert_true(widest_line(text) <= width[i]);
		assert_true(widest_line(strstr(text, "        old ") - 8) <= 80);
		free(text);
	}
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	report_table_csv(f, &t);
	fclose(f);
	assert_non_null(strstr(text, "\n1,\"a name, \"\"quoted\"\" and"));
	assert_non_null(strstr(text, ",different"));
	free(text);
	json_t *doc = report_table_json(&t), *rows = json_object_get(doc, "rows");
	assert_int_equal(json_array_size(rows), 2);
	assert_int_equal(json_array_size(json_object_get(json_array_get(rows, 1), "figures")),
			 REPORT_COLUMNS);
	json_decref(doc);
	report_table_free(&t);
	store_close(s);
}

static void however_large_figures_are_a_blank_stands_between_them(void **state)
{
	(void)state;
	struct store *s = open_store("large.db");
	struct report_part part[1] = {{add_run(s, "fast", 1000, false), ""}};
	struct report_table t = make(s, part, 1);

	t.row[0].value[REPORT_IOPS_R] = 102106.6;
	t.row[0].value[REPORT_IOPS_W] = 99999.94;
	t.row[0].value[REPORT_IOPS_T] = 1234567890;
	t.row[0].value[REPORT_RATE_R] = 99999.96 * MIB;
	char *text = printed(&t, false, 132);
	assert_non_null(strstr(text, "run  IOMeter Test"));
	assert_non_null(strstr(text, "  102107 99999.9 1234567890  100000 "));
	free(text);
	report_table_free(&t);
	store_close(s);
}

static void a_test_of_a_series_is_known_by_its_specification(void **state)
{
	(void)state;
	static const struct iometer_plan_test tests[] = {
		{.workers = 1, .targets = 1, .outstanding = 1},
		{.workers = 4, .targets = 8, .outstanding = 16},
		{.workers = 1, .targets = 2, .outstanding = 16},
		{.workers = 4, .targets = 4, .outstanding = 1},
		{.workers = 3, .targets = 4, .outstanding = 2},
		{.workers = 1, .targets = 0, .outstanding = 2},
	};
	char words[96], mark[160], name[96];
	static const char *const others[] = {"jumbo",
					     "4K: read",
					     "4K: 2 workers x 3 cups",
					     "4K: 2 workers x 1 target x 8 outstanding things",
					     "8K is over",
					     "2 workers x 1 target x 8 outstanding"};

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		snprintf(mark, sizeof(mark), "4K: odd, mix: %s",
			 iometer_test_words(words, sizeof(words), &tests[i]));
		assert_true(iometer_test_scan(mark, name, sizeof(name)));
		assert_string_equal(name, "4K: odd, mix");
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(iometer_test_scan(others[i], name, sizeof(name)));

	struct store *s = open_store("series.db");
	struct error e;
	uint32_t number[4];
	mark_text = "Max read: 2 workers x 1 target x 8 outstanding";
	int64_t series = add_run(s, NULL, 1000, true);
	mark_text = "jumbo";
	int64_t other = add_run(s, NULL, 1000, true);
	assert_int_equal(report_series(s, series, number, 4, &e), 1);
	assert_int_equal(number[0], 2);
	assert_int_equal(report_series(s, other, number, 4, &e), 0);
	assert_int_equal(report_series(s, 77, number, 4, &e), -ENOENT);
	struct report_part part = {series, "2"};
	struct report_table t = make(s, &part, 1);
	assert_string_equal(t.row[0].test, "Max read");
	report_table_free(&t);
	store_close(s);
}

/* --- Imported runs. --- */

static void an_imported_run_has_its_figures_and_no_seconds(void **state)
{
	(void)state;
	struct store *s = open_store("import.db");
	struct iometer_imported list[8];

	import_file(s, "iometer-2006.csv", list);
	assert_true(list[0].run == 1 && list[1].run == 2 && !list[0].known);
	int64_t own = add_run(s, NULL, 1000, false);
	struct report_part part[3] = {{1, ""}, {2, ""}, {own, ""}};
	struct report_table t = make(s, part, 3);
	const struct report_row *r = t.row;
	assert_true(fabs(r[0].value[REPORT_IOPS_R] - 6038.396695) < 1e-4);
	assert_true(fabs(r[0].value[REPORT_RATE_T] / (double)MIB - 188.699897) < 1e-4);
	assert_true(fabs(r[0].value[REPORT_MEAN_T] / 1e6 - 10.599) < 1e-5);
	assert_true(fabs(r[0].value[REPORT_CPU] - 31.42) < 1e-6);
	assert_string_equal(r[0].test, "Max Throughput-100%Read");
	assert_string_equal(r[0].target, "E: \"RAID10\"");
	assert_false(r[0].seconds);
	for (int i = 1; i < 3; i++) {
		assert_string_equal(r[i].no_verdict, "run 1 has no seconds, as it was imported");
		for (unsigned c = 0; c < REPORT_COLUMNS; c++)
			assert_false(r[i].judged[c]);
		assert_true(json_array_size(r[i].differences) > 0);
	}
	assert_true(fabs(r[1].verdict[REPORT_IOPS_T].ratio - 664.9938 / 6038.3967) < 1e-5);
	report_table_free(&t);
	store_close(s);
}

static void what_was_imported_is_known_again(void **state)
{
	(void)state;
	struct store *s = open_store("again.db");
	struct iometer_imported list[8];

	import_file(s, "iometer-2006.csv", list);
	import_file(s, "iometer-rc1.csv", list);
	assert_true(list[0].run == 3 && !list[0].known);
	import_file(s, "iometer-2006.csv", list);
	assert_true(list[0].run == 1 && list[0].known && list[1].run == 2 && list[1].known);
	store_close(s);
}

static void whatever_can_be_imported_can_be_listed(void **state)
{
	(void)state;
	static const char *const names[] = {"iometer-2006.csv", "iometer-rc1.csv"};
	static char text[1 << 16], copy[1 << 16];
	struct store *s = open_store("listed.db");
	uint64_t seed = 1101;
	int64_t most = 0;
	struct error e;

	for (int i = 0; i < 120; i++) {
		struct iometer_csv_file f;
		struct iometer_imported list[64] = {{0}};
		char path[512];
		const char *dir = getenv("TEST_SRCDIR");
		snprintf(path, sizeof(path), "%s/tests/%s", dir ? dir : "..", names[i % 2]);
		FILE *in = fopen(path, "r");
		assert_non_null(in);
		size_t n = fread(text, 1, sizeof(text), in);
		fclose(in);
		memcpy(copy, text, n);
		n = mutate(copy, n, sizeof(copy), &seed);
		if (iometer_csv_parse(copy, n, "x.csv", &f, &e))
			continue;
		assert_true(f.tests <= 64);
		if (iometer_import(s, "x.csv", 1, &f, list, &e))
			fail_msg("%s", e.text);
		for (size_t k = 0; k < f.tests; k++)
			most = list[k].run > most ? list[k].run : most;
		iometer_csv_file_free(&f);
	}
	assert_true(most > 10);
	FILE *null = fopen("/dev/null", "w");
	if (store_list(s, null, &e))
		fail_msg("%s", e.text);
	for (int64_t id = 1; id <= most; id++) {
		struct report_part part[2] = {{1, ""}, {id, ""}};
		struct report_table t = make(s, part, 2);
		if (store_show(s, id, null, &e))
			fail_msg("%s", e.text);
		report_table_print(null, &t, RATE_MIB, 80, false);
		report_table_free(&t);
	}
	fclose(null);
	store_close(s);
}

static void an_import_that_fails_leaves_nothing(void **state)
{
	(void)state;
	struct store *s = open_store("fails.db");
	struct error e = {""};
	struct segment *g = calloc(1, sizeof(*g));
	struct store_import run = {
		.started = 1, .ended = 2, .target = "x", .command = "", .text = "", .segment = g};
	bool known;

	run.settings = json_pack("{s:{s:s}}", STORE_IMPORTED, "digest", "0123");
	run.environment = json_object();
	run.summary = json_object();
	assert_int_equal(store_import_begin(s, &e), 0);
	assert_true(store_import(s, &run, &known, &e) > 0);
	assert_int_equal(store_import_end(s, -EINVAL, &e), -EINVAL);
	assert_int_equal(store_import_begin(s, &e), 0);
	int64_t id = store_import(s, &run, &known, &e);
	assert_true(id > 0 && !known);
	assert_true(store_import(s, &run, &known, &e) == id && known);
	json_object_del(run.settings, STORE_IMPORTED);
	assert_true(store_import(s, &run, &known, &e) == -EINVAL);
	assert_int_equal(store_import_end(s, 0, &e), 0);
	json_decref(run.settings);
	json_decref(run.environment);
	json_decref(run.summary);
	free(g);
	store_close(s);
}

static void a_test_becomes_the_workload_that_it_was(void **state)
{
	(void)state;
	struct iometer_csv_file old = read_fixture("iometer-2006.csv"),
				rc1 = read_fixture("iometer-rc1.csv");
	struct workload w;
	char note[160];

	assert_true(iometer_import_workload(&old.test[1].result, &w, note, sizeof(note)));
	assert_int_equal(w.access.count, 0);
	assert_int_equal(w.block_size, 8192);
	assert_int_equal(w.read_pct, 65);
	assert_int_equal(w.random_pct, 60);
	assert_int_equal(w.align, 512); /* Iometer's 0 */
	assert_int_equal(w.workers * w.outstanding, 64);
	assert_string_equal(note, "");
	/* Two workers with two targets each, 4 outstanding on each. */
	assert_true(iometer_import_workload(&rc1.test[0].result, &w, note, sizeof(note)));
	assert_int_equal(w.access.count, 3);
	assert_int_equal(w.workers, 2);
	assert_int_equal(w.outstanding, 8);
	rc1.test[0].result.spec.line[1].reply = 512;
	assert_true(iometer_import_workload(&rc1.test[0].result, &w, note, sizeof(note)));
	assert_non_null(strstr(note, "replies"));
	rc1.test[0].result.spec.line[1].line.share = 50;
	assert_false(iometer_import_workload(&rc1.test[0].result, &w, note, sizeof(note)));
	assert_non_null(strstr(note, "100"));
	iometer_csv_file_free(&old);
	iometer_csv_file_free(&rc1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_the_runs_figures_and_the_verdict_against_the_first),
		cmocka_unit_test(segments_are_rows_and_a_run_of_several_has_figures_but_no_verdict),
		cmocka_unit_test(side_by_side_each_is_held_against_the_first_of_its_test),
		cmocka_unit_test(the_table_fits_its_width_and_files_have_a_field_for_each_column),
		cmocka_unit_test(however_large_figures_are_a_blank_stands_between_them),
		cmocka_unit_test(a_test_of_a_series_is_known_by_its_specification),
		cmocka_unit_test(an_imported_run_has_its_figures_and_no_seconds),
		cmocka_unit_test(what_was_imported_is_known_again),
		cmocka_unit_test(whatever_can_be_imported_can_be_listed),
		cmocka_unit_test(an_import_that_fails_leaves_nothing),
		cmocka_unit_test(a_test_becomes_the_workload_that_it_was),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
