/* io-iometer.c - `lunscope iometer` with the real program: a set-up file on two files, its rows against each other
 * and against the record, results.csv, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/io.h"
#include "tests/scratch.h"

#define SETUP                                                                             \
	"Version 1.1.0\n"                                                                 \
	"'TEST SETUP ====\n"                                                              \
	"'Test Description\n\ttwo disks\n"                                                \
	"'Run Time\n'\thours      minutes    seconds\n\t0          0          1\n"        \
	"'Ramp Up Time (s)\n\t0\n"                                                        \
	"'Record Results\n\tALL\n"                                                        \
	"'Queue Depth Cycling\n'\tstart      end        step       step type\n"           \
	"\t1          4          2          EXPONENTIAL\n"                                \
	"'Test Type\n\t%s\n"                                                              \
	"'END test setup\n"                                                               \
	"'ACCESS SPECIFICATIONS ====\n"                                                   \
	"'Access specification name,default assignment\n\tsmall,NONE\n"                   \
	"'size,%% of size,%% reads,%% random,delay,burst,align,reply\n"                   \
	"\t4096,100,100,100,0,1,0,0\n"                                                    \
	"'Access specification name,default assignment\n\tmixed,NONE\n"                   \
	"'size,%% of size,%% reads,%% random,delay,burst,align,reply\n"                   \
	"\t8192,60,100,0,0,1,0,0\n\t512,40,100,100,0,1,0,0\n"                             \
	"'END access specifications\n"                                                    \
	"'MANAGER LIST ====\n"                                                            \
	"'Manager ID, manager name\n\t1,SERVER\n"                                         \
	"'Manager network address\n\t\n"                                                  \
	"'Worker\n\tWorker 1\n'Worker type\n\tDISK\n"                                     \
	"'Default target settings for worker\n"                                           \
	"'Number of outstanding IOs,test connection rate,transactions per connection\n"   \
	"\t2,DISABLED,1\n"                                                                \
	"'Disk maximum size,starting sector\n\t2048,0\n"                                  \
	"'End default target settings for worker\n"                                       \
	"'Assigned access specs\n\tsmall\n\tmixed\n'End assigned access specs\n"          \
	"'Target assignments\n'Target\n\tdisk A\n'Target type\n\tDISK\n'End target\n"     \
	"'Target\n\tdisk B\n'Target type\n\tDISK\n'End target\n'End target assignments\n" \
	"'End worker\n"                                                                   \
	"'Worker\n\tWorker 2\n'Worker type\n\tDISK\n"                                     \
	"'Default target settings for worker\n"                                           \
	"'Number of outstanding IOs,test connection rate,transactions per connection\n"   \
	"\t3,DISABLED,1\n"                                                                \
	"'Disk maximum size,starting sector\n\t0,0\n"                                     \
	"'End default target settings for worker\n"                                       \
	"'Assigned access specs\n\tmixed\n'End assigned access specs\n"                   \
	"'Target assignments\n'Target\n\tdisk B\n'Target type\n\tDISK\n'End target\n"     \
	"'End target assignments\n"                                                       \
	"'End worker\n"                                                                   \
	"'End manager\n"                                                                  \
	"'END manager list\n"                                                             \
	"Version 1.1.0\n"

static char *path_of(const char *name)
{
	char *path = strdup(scratch_path(name));

	assert_non_null(path);
	return path;
}

static char *setup_file(const char *type)
{
	static char text[8192];

	snprintf(text, sizeof(text), SETUP, type);
	return strdup(scratch_text("setup.icf", text));
}

/* `lunscope iometer ARGUMENT...`, and what it wrote with --json. */
static json_t *run_it(struct proc *p, int status, const char *const argument[])
{
	const char *argv[40] = {lunscope_path(), "iometer"};
	char *json = path_of("iometer.json");
	unsigned n = 2;

	unlink(json);
	for (unsigned i = 0; argument[i]; i++)
		argv[n++] = argument[i];
	argv[n++] = "--json";
	argv[n++] = json;
	assert_int_equal(proc_run(p, argv, &(struct proc_options){.limit_s = 120}), 0);
	if (p->status != status)
		fail_msg("status %d: %s", p->status, p->err);
	json_t *doc = json_load_file(json, 0, NULL);
	free(json);
	return doc;
}
#define RUN(p, status, ...) run_it(p, status, (const char *const[]){__VA_ARGS__, NULL})

static const json_t *test_at(const json_t *doc, size_t i)
{
	return json_array_get(json_object_get(json_object_get(doc, "iometer"), "tests"), i);
}

static size_t tests_of(const json_t *doc)
{
	return json_array_size(json_object_get(json_object_get(doc, "iometer"), "tests"));
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "";
}

/* The sum of a figure over the rows of this kind. */
static uint64_t rows_sum(const json_t *test, const char *kind, const char *figure, unsigned *count)
{
	const json_t *rows = json_object_get(test, "rows"), *row;
	uint64_t sum = 0;
	size_t i;

	*count = 0;
	json_array_foreach(rows, i, row)
	{
		if (strcmp(text_of(row, "kind"), kind) != 0)
			continue;
		++*count;
		sum += io_count(row, figure);
	}
	return sum;
}

/* Each level is the sum of the one beneath it. */
static void check_levels(const json_t *test, unsigned workers, unsigned disks)
{
	static const char *const figure[] = {"read.ios",  "read.bytes",  "write.ios",
					     "total.ios", "total.bytes", "total.errors"};
	unsigned n;

	for (size_t i = 0; i < sizeof(figure) / sizeof(*figure); i++) {
		uint64_t all = rows_sum(test, "all", figure[i], &n);
		assert_int_equal(n, 1);
		assert_int_equal(rows_sum(test, "manager", figure[i], &n), all);
		assert_int_equal(n, 1);
		assert_int_equal(rows_sum(test, "worker", figure[i], &n), all);
		assert_int_equal(n, workers);
		assert_int_equal(rows_sum(test, "disk", figure[i], &n), all);
		assert_int_equal(n, disks);
	}
	assert_true(rows_sum(test, "all", "read.ios", &n) > 0);
	assert_int_equal(rows_sum(test, "all", "total.errors", &n), 0);
}

/* The same IOs are in the segment that the test is in the record. */
static void check_segment(const json_t *doc, const json_t *test)
{
	const json_t *segments = json_object_get(doc, "segments"), *g;
	uint64_t number = io_count(test, "segment");
	unsigned n;
	size_t i;

	json_array_foreach(segments, i, g)
	{
		if (io_count(g, "number") != number)
			continue;
		assert_int_equal(io_count(g, "summary.read.ios"),
				 rows_sum(test, "all", "read.ios", &n));
		assert_int_equal(io_count(g, "summary.read.bytes"),
				 rows_sum(test, "all", "read.bytes", &n));
		return;
	}
	fail_msg("no segment %llu", (unsigned long long)number);
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "re");
	static char text[1 << 20];

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	return text;
}

static unsigned lines_with(const char *text, const char *begin)
{
	unsigned n = 0;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		n += strncmp(line, begin, strlen(begin)) == 0;
	}
	return n;
}

static void a_set_up_file_runs_and_its_rows_add_up(void **state)
{
	(void)state;
	char *setup = setup_file("NORMAL");
	char *a = strdup(scratch_file("a", 4u << 20, false));
	char *b = strdup(scratch_file("b", 8u << 20, false));
	char *csv = path_of("results.csv"), map[2][4200];
	struct proc p;

	unlink(csv);
	snprintf(map[0], sizeof(map[0]), "disk A=%s", a);
	snprintf(map[1], sizeof(map[1]), "disk B=%s", b);
	json_t *doc =
		RUN(&p, 0, setup, "--map", map[0], "--map", map[1], "--results", csv, "--no-store");
	assert_int_equal(tests_of(doc), 2);
	/* Worker 2 runs "mixed" first, and then rests. */
	assert_string_equal(text_of(test_at(doc, 0), "name"), "small");
	check_levels(test_at(doc, 0), 2, 3);
	check_levels(test_at(doc, 1), 1, 2);
	check_segment(doc, test_at(doc, 0));
	check_segment(doc, test_at(doc, 1));
	assert_non_null(strstr(p.out, "small and others"));
	assert_non_null(strstr(p.out, "2 of 2 tests done"));
	char *text = read_text(csv);
	assert_int_equal(lines_with(text, "ALL,"), 2);
	assert_int_equal(lines_with(text, "WORKER,"), 3);
	assert_int_equal(lines_with(text, "DISK,"), 5);
	assert_int_equal(lines_with(text, "PROCESSOR,"),
			 2 * (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
	assert_int_equal(lines_with(text, "'End Test"), 1);
	json_decref(doc);
	proc_free(&p);
	/* What is there is added to, in the order of the command line this time. */
	doc = RUN(&p, 0, setup, a, b, "--results", csv, "--no-store");
	assert_int_equal(tests_of(doc), 2);
	assert_int_equal(lines_with(read_text(csv), "ALL,"), 4);
	json_decref(doc);
	proc_free(&p);
	free(setup);
	free(a);
	free(b);
	free(csv);
}

static void a_cycle_of_outstanding_ios_is_a_test_for_each(void **state)
{
	(void)state;
	char *setup = setup_file("CYCLE_OUTSTANDING_IOS");
	struct proc p;
	json_t *doc = RUN(&p, 0, setup, "null:1ms", "null:2ms", "--no-store");
	const int depth[] = {1, 2, 4, 1, 2, 4};

	assert_int_equal(tests_of(doc), 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(io_count(test_at(doc, i), "outstanding"), depth[i]);
		check_levels(test_at(doc, i), i < 3 ? 2 : 1, i < 3 ? 3 : 2);
	}
	json_decref(doc);
	proc_free(&p);
	free(setup);
}

static void a_set_of_specifications_needs_no_file(void **state)
{
	(void)state;
	struct proc p;
	json_t *doc = RUN(&p, 0, "vmware", "null:1ms", "--workers", "2", "--outstanding", "4",
			  "--for", "1s", "--no-store");

	assert_int_equal(tests_of(doc), 4);
	assert_string_equal(text_of(test_at(doc, 3), "name"), "Random-8k-70%Read");
	check_levels(test_at(doc, 3), 2, 2);
	unsigned n;
	assert_true(rows_sum(test_at(doc, 3), "all", "write.ios", &n) > 0);
	json_decref(doc);
	proc_free(&p);
}

static void what_is_not_mapped_or_not_there_is_refused(void **state)
{
	(void)state;
	char *setup = setup_file("NORMAL");
	struct proc p;

	assert_null(RUN(&p, 2, setup, "--no-store"));
	assert_non_null(strstr(p.err, "--map"));
	assert_non_null(strstr(p.err, "disk A"));
	proc_free(&p);
	assert_null(RUN(&p, 2, setup, "null:", "--no-store"));
	assert_non_null(strstr(p.err, "2 targets"));
	proc_free(&p);
	assert_null(RUN(&p, 2, "no such set", "null:", "--no-store"));
	assert_non_null(strstr(p.err, "lunscope specs"));
	proc_free(&p);
	assert_null(RUN(&p, 2, "nothing.icf", "--no-store"));
	proc_free(&p);
	assert_null(RUN(&p, 2, "vmware", "--no-store"));
	assert_non_null(strstr(p.err, "TARGET"));
	proc_free(&p);
	free(setup);
}

/* What is written for Iometer runs here as well; a file that names no workers runs on what is named. */
static void a_set_is_a_file_for_iometer_and_back(void **state)
{
	(void)state;
	char *icf = path_of("exported.icf");
	struct proc p;

	PROC(&p, lunscope_path(), "iometer", "vmware", "null:1ms", "null:2ms", "--workers", "3",
	     "--outstanding", "5", "--for", "1s", "--icf", icf);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	assert_int_equal(lines_with(read_text(icf), "'Target\r"), 3);
	assert_int_equal(lines_with(read_text(icf), "\tnull:2ms\r"), 1);
	json_t *doc = RUN(&p, 0, icf, "--no-store");
	assert_int_equal(tests_of(doc), 4);
	assert_int_equal(io_count(test_at(doc, 0), "outstanding"), 5);
	check_levels(test_at(doc, 0), 3, 3);
	json_decref(doc);
	proc_free(&p);
	free(icf);
	char *unmanned = strdup(scratch_text(
		"unmanned.icf", "Version 1.1.0\n"
				"'TEST SETUP ====\n'Run Time\n\t0 0 1\n"
				"'Default Disk Workers to Spawn\n\t2\n'END test setup\n"
				"'ACCESS SPECIFICATIONS ====\n"
				"'Access specification name,default assignment\n\tonly,NONE\n"
				"'size,% of size,% reads,% random,delay,burst,align,reply\n"
				"\t4096,100,100,100,0,1,0,0\n"
				"'END access specifications\nVersion 1.1.0\n"));
	assert_null(RUN(&p, 2, unmanned, "--no-store"));
	assert_non_null(strstr(p.err, "on which target"));
	assert_non_null(strstr(p.err, "unmanned.icf' TARGET"));
	proc_free(&p);
	doc = RUN(&p, 0, unmanned, "null:1ms", "--no-store");
	assert_int_equal(tests_of(doc), 1);
	check_levels(test_at(doc, 0), 2, 2);
	json_decref(doc);
	proc_free(&p);
	free(unmanned);
	char *unrecorded = strdup(scratch_text(
		"unrecorded.icf", "Version 1.1.0\n"
				  "'TEST SETUP ====\n'Run Time\n\t0 0 1\n"
				  "'Record Results\n\tNONE\n'END test setup\n"
				  "'ACCESS SPECIFICATIONS ====\n"
				  "'Access specification name,default assignment\n\tonly,NONE\n"
				  "'size,% of size,% reads,% random,delay,burst,align,reply\n"
				  "\t4096,100,100,100,0,1,0,0\n"
				  "'END access specifications\nVersion 1.1.0\n"));
	char *csv = path_of("unrecorded.csv");
	assert_null(RUN(&p, 2, unrecorded, "null:1ms", "--no-store", "--results", csv));
	assert_non_null(strstr(p.err, "--results has no effect"));
	assert_int_not_equal(access(csv, F_OK), 0);
	proc_free(&p);
	free(csv);
	free(unrecorded);
}

static void nothing_is_written_without_consent(void **state)
{
	(void)state;
	char *file = strdup(scratch_file("precious", 4u << 20, false));
	char *before = strdup(read_text(file)), *csv = path_of("refused.csv");
	struct proc p;

	unlink(csv);
	assert_null(RUN(&p, 3, "Max write", file, "--results", csv, "--no-store"));
	assert_non_null(strstr(p.err, "--i-own"));
	assert_string_equal(read_text(file), before);
	/* And no result is begun. */
	assert_int_not_equal(access(csv, F_OK), 0);
	proc_free(&p);
	free(file);
	free(before);
	free(csv);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_up_file_runs_and_its_rows_add_up),
		cmocka_unit_test(a_cycle_of_outstanding_ios_is_a_test_for_each),
		cmocka_unit_test(a_set_of_specifications_needs_no_file),
		cmocka_unit_test(what_is_not_mapped_or_not_there_is_refused),
		cmocka_unit_test(a_set_is_a_file_for_iometer_and_back),
		cmocka_unit_test(nothing_is_written_without_consent),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
