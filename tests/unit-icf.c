/* unit-icf.c - Iometer's set-up files: what is read from them, what is refused and with which words, and that
 * what is written is read as the same.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "iometer/icf.h"
#include "tests/scratch.h"

static struct iometer_setup s;
static struct iometer_warnings w;
static struct error e;

/* One of the files beside the tests; it has to be read. */
static void open_sample(const char *name)
{
	const char *top = getenv("TEST_SRCDIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/iometer/%s", top ? top : "..", name);
	if (iometer_read(&s, path, &w, &e))
		fail_msg("%s", e.text);
}

static int parse(const char *text)
{
	return iometer_read_text(&s, "x.icf", text, strlen(text), &w, &e);
}

static int forget(void **state)
{
	(void)state;
	iometer_setup_free(&s);
	iometer_warnings_free(&w);
	memset(&e, 0, sizeof(e));
	return 0;
}

static bool warned(unsigned line, const char *words)
{
	for (size_t i = 0; i < w.count; i++)
		if (w.list[i].line == line && strstr(w.list[i].text, words))
			return true;
	for (size_t i = 0; i < w.count; i++)
		print_message("%u: %s\n", w.list[i].line, w.list[i].text);
	return false;
}

static void assert_line(const struct iometer_line *l, uint32_t size, unsigned share, unsigned reads,
			unsigned random)
{
	assert_int_equal(l->line.size, size);
	assert_int_equal(l->line.share, share);
	assert_int_equal(l->line.read_pct, reads);
	assert_int_equal(l->line.random_pct, random);
}

static void assert_step(const struct iometer_step *step, uint32_t start, uint32_t end, uint32_t by,
			bool exponential)
{
	assert_int_equal(step->start, start);
	assert_int_equal(step->end, end);
	assert_int_equal(step->step, by);
	assert_int_equal(step->exponential, exponential);
}

/* --- Each version --- */

static void a_file_from_before_names_has_named_specifications_of_lines_that_make_100(void **state)
{
	(void)state;
	open_sample("oltp-1998.icf");
	assert_string_equal(s.description, "Before specifications had names");
	assert_int_equal(s.run_s, 300);
	assert_int_equal(s.ramp_s, 15);
	assert_int_equal(s.disk_workers, IOMETER_PER_CPU);
	assert_int_equal(s.record, IOMETER_RECORD_NO_TARGETS);
	assert_step(&s.target_step, 1, 0, 2, true);
	assert_int_equal(s.test, IOMETER_INCREMENT_TARGETS_PARALLEL);
	assert_int_equal(s.specs, 3);
	assert_string_equal(s.spec[0].name, "2 KiB random 67% reads");
	assert_int_equal(s.spec[0].assign, IOMETER_ASSIGN_ALL);
	assert_string_equal(s.spec[1].name, "Untitled 1");
	assert_int_equal(s.spec[1].count, 2);
	assert_line(&s.spec[1].line[0], 8192, 60, 80, 100);
	assert_line(&s.spec[1].line[1], 65536, 40, 100, 0);
	assert_int_equal(s.spec[1].line[1].line.delay_ms, 20);
	assert_int_equal(s.spec[1].line[1].line.burst, 8);
	assert_string_equal(s.spec[2].name, "32 KiB sequential writes");
	assert_int_equal(s.spec[2].at, 28);
	assert_int_equal(w.count, 1);
	assert_true(warned(27, "0 % of the IOs"));
}

static void a_file_of_1998_has_numbers_for_words_and_no_end_of_its_setup(void **state)
{
	(void)state;
	open_sample("workers-1998.icf");
	assert_int_equal(s.run_s, 5405);
	assert_int_equal(s.disk_workers, 2);
	assert_int_equal(s.record, IOMETER_RECORD_ALL);
	assert_step(&s.depth_step, 1, 64, 4, true);
	assert_int_equal(s.test, IOMETER_CYCLE_OUTSTANDING);
	assert_int_equal(s.update_s, 5);
	assert_false(s.whole_test);
	assert_string_equal(s.meter[0].statistic, "Total MBs per Second (Binary)");
	assert_int_equal(s.spec[0].assign, IOMETER_ASSIGN_DISK);
	assert_int_equal(s.spec[0].line[1].line.align, 65536);
	assert_int_equal(s.managers, 1);
	const struct iometer_worker *worker = &s.manager[0].worker[0];
	assert_int_equal(worker->outstanding, 8);
	assert_int_equal(worker->max_sectors, 2097152);
	assert_int_equal(worker->targets, 2);
	assert_string_equal(worker->target[1].name, "D: \"Data\"");
	assert_int_equal(worker->target[1].at, 56);
	assert_int_equal(w.count, 0);
}

static void a_file_of_2006_with_line_ends_of_windows_is_read(void **state)
{
	(void)state;
	open_sample("md3000i-2006.icf");
	assert_string_equal(s.version, "2006.07.27");
	assert_string_equal(s.description, "MD3000i, RAID-10, four paths");
	assert_int_equal(s.disk_workers, IOMETER_PER_CPU);
	assert_int_equal(s.net_workers, 0);
	assert_int_equal(s.record, IOMETER_RECORD_NO_MANAGERS);
	assert_true(s.whole_test);
	assert_string_equal(s.meter[1].statistic, "Read MBs per Second (Binary)");
	assert_string_equal(s.meter[1].manager, "PE2950");
	assert_string_equal(s.meter[1].worker, "Worker 1");
	assert_int_equal(s.meter[1].worker_id, 1);
	assert_int_equal(s.specs, 2);
	assert_line(&s.spec[0].line[0], 65536, 34, 100, 0);
	assert_line(&s.spec[0].line[2], 262144, 33, 100, 0);
	assert_string_equal(s.manager[0].address, "192.0.2.17");
	const struct iometer_worker *worker = &s.manager[0].worker[0];
	assert_int_equal(worker->outstanding, 64);
	assert_int_equal(worker->specs, 2);
	assert_ptr_equal(iometer_find_spec(&s, worker->spec[1]), &s.spec[1]);
	assert_string_equal(worker->target[1].name, "/mnt/md3000i [ext3]");
	assert_int_equal(w.count, 0);
}

static void a_file_of_1_1_0_has_seeds_patterns_and_network_workers(void **state)
{
	(void)state;
	open_sample("all-1.1.0.icf");
	assert_string_equal(s.version, "1.1.0");
	assert_int_equal(s.net_workers, IOMETER_PER_CPU);
	assert_step(&s.worker_step, 1, 0, 2, true);
	assert_step(&s.target_step, 2, 0, 3, false);
	assert_int_equal(s.test, IOMETER_CYCLE_OUTSTANDING_AND_TARGETS);
	assert_true(s.record_last);
	assert_int_equal(s.update_s, 3);
	assert_string_equal(s.meter[3].manager, "HOST, THE SECOND");
	assert_int_equal(s.meter[3].manager_id, 2);
	assert_string_equal(s.meter[5].statistic, "Total Error Count");
	assert_int_equal(s.spec[0].assign, IOMETER_ASSIGN_ALL);
	assert_int_equal(s.spec[1].line[0].line.delay_ms, 250);
	assert_int_equal(s.managers, 2);
	const struct iometer_worker *worker = &s.manager[0].worker[0];
	assert_true(worker->fixed_seed);
	assert_true(worker->seed == UINT64_MAX);
	assert_int_equal(worker->start_sector, 2048);
	assert_int_equal(worker->pattern, 2);
	assert_string_equal(worker->spec[0], "Idle");
	assert_int_equal(iometer_find_spec(&s, "Idle")->count, 0);
	assert_int_equal(worker[1].kind, IOMETER_TCP);
	assert_int_equal(worker[1].transactions, 500);
	assert_string_equal(worker[1].interface, "192.0.2.1");
	assert_string_equal(worker[1].target[0].manager, "HOST, THE SECOND");
	assert_int_equal(s.manager[1].worker[0].vi_outstanding, 8);
	assert_true(warned(worker[1].at, "tests a network and is not run"));
	assert_true(warned(s.manager[1].worker[0].at, "tests a network and is not run"));
}

/* --- Forgiven --- */

#define SPEC(LINES)                                                              \
	"Version 1.1.0\n'ACCESS SPECIFICATIONS ===\n'Access specification name," \
	"default assignment\n\tSpec,NONE\n'size,% of size,...\n" LINES           \
	"'END access specifications\n"

static void unknown_keys_are_warned_about_with_their_line_and_left_out(void **state)
{
	(void)state;
	assert_int_equal(
		parse("Version 1.1.0\n"
		      "'TEST SETUP ====\n"
		      "'Colour\n\tgreen\n\tblue\n"
		      "'run time\n'\thours\n\t0 0 7\n"
		      "'End Test Setup\n"
		      "'ANOTHER SECTION\n\t1\n'MANAGER LIST\n'Manager ID, manager name\n\t1,A\n"
		      "'Shoe size\n\t44\n'End manager\n'END manager list\n"),
		0);
	assert_true(warned(3, "'Colour is not known"));
	assert_true(warned(10, "'ANOTHER SECTION is not known"));
	assert_true(warned(15, "'Shoe size is not known"));
	assert_int_equal(w.count, 3);
	assert_int_equal(s.run_s, 7);
	assert_string_equal(s.manager[0].name, "A");
}

static void a_name_given_twice_is_the_later_one_and_case_does_not_count(void **state)
{
	(void)state;
	assert_int_equal(parse(SPEC("\t512,100,100,0,0,1,0,0\n"
				    "'access SPECIFICATION name,default assignment\n\tSPEC , all\n"
				    "'size\n\t4096,100,0,0,0,1,0,0\n")),
			 0);
	assert_int_equal(s.specs, 1);
	assert_string_equal(s.spec[0].name, "SPEC");
	assert_int_equal(s.spec[0].assign, IOMETER_ASSIGN_ALL);
	assert_line(&s.spec[0].line[0], 4096, 100, 0, 0);
	assert_true(warned(8, "stands in line 3 already"));
}

static void letters_of_an_old_windows_become_utf8(void **state)
{
	(void)state;
	assert_int_equal(parse("Version 1.1.0\n'TEST SETUP\n'Test Description\n\tGr\xf6\xdf"
			       "e \x80 5\n'END test setup\n"),
			 0);
	assert_string_equal(s.description, "Gr\xc3\xb6\xc3\x9f"
					   "e \xe2\x82\xac 5");
}

static void a_byte_order_mark_and_blank_lines_do_no_harm(void **state)
{
	(void)state;
	assert_int_equal(parse("\xef\xbb\xbf"
			       "Version 1.1.0\r\n\r\n'TEST SETUP\r\n\r\n'Test Type\r\n"
			       "\tcycle_workers\r\n\r\n'END test setup\r\n\x1a"),
			 0);
	assert_int_equal(s.test, IOMETER_CYCLE_WORKERS);
	assert_int_equal(w.count, 0);
}

static void control_characters_of_a_name_never_reach_a_terminal(void **state)
{
	(void)state;
	assert_int_equal(parse("Version 1.1.0\n'TEST SETUP\n'Test Description\n\ta\x1b[31mb\n"
			       "'END test setup\n"),
			 0);
	assert_string_equal(s.description, "a?[31mb");
}

static void what_lunscope_can_not_do_is_said(void **state)
{
	(void)state;
	assert_int_equal(parse(SPEC("\t1073741823,50,100,0,0,1,0,0\n\t512,50,100,0,0,1,0,1024\n")),
			 0);
	assert_true(warned(6, "lunscope's are up to 64 MiB"));
	assert_true(warned(7, "lunscope has no transactions"));
	assert_int_equal(s.spec[0].line[1].reply, 1024);
}

/* --- Refused --- */

#define WORKER(LINES)                                                      \
	"Version 1.1.0\n'MANAGER LIST\n'Manager ID, manager name\n\t1,A\n" \
	"'Worker\n\tW\n'Worker type\n\tDISK\n" LINES                       \
	"'End worker\n'End manager\n'END manager list\n"

static void what_makes_a_file_unusable_is_named_with_its_line_and_the_remedy(void **state)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{"", "x.icf:1: the file is empty: a set-up begins with Version 1.1.0"},
		{"\n\nhello\n", "x.icf:3: no set-up of Iometer"},
		{"'Test Type,Test Description\n0,x\n", "x.icf:1: these are results of Iometer"},
		{"Version x\n", "x.icf:1: version 'x': write it as 1.1.0"},
		{"Version 1.1.0\n", "x.icf:1: no section of a set-up"},
		{"Version 1.1.0\n'TEST SETUP\n", "x.icf:2: the file ends within TEST SETUP"},
		{"Version 1.1.0\n'TEST SETUP\n'Run Time\n'\thours\n\t0 1\n",
		 "x.icf:5: seconds of run time is missing: write a whole number from 0 to"},
		{"Version 1.1.0\n'TEST SETUP\n'Run Time\n\t0 -1 0\n",
		 "x.icf:4: minutes of run time '-1': write a whole number"},
		{"Version 1.1.0\n'TEST SETUP\n'Test Type\n\tSIDEWAYS\n",
		 "x.icf:4: test type 'SIDEWAYS': write one of NORMAL, CYCLE_TARGETS"},
		{"Version 1.1.0\n'TEST SETUP\n'Test Type\n\t8\n", "x.icf:4: test type '8'"},
		{"Version 1.1.0\n'TEST SETUP\n'Worker Cycling\n\t1 2 UP\n",
		 "x.icf:4: step type 'UP': write one of LINEAR, EXPONENTIAL"},
		{SPEC("\t512,50,100,0,0,1,0,0\n"), "x.icf:6: 'Spec': the shares (% of size) add up "
						   "to 50 %: they have to be 100 % together"},
		{SPEC("\t512,60,100,0,0,1,0,0\n\t512,41,100,0,0,1,0,0\n"),
		 "x.icf:7: 'Spec': the shares (% of size) add up to 101 % here"},
		{SPEC(""), "x.icf:5: 'Spec': the shares (% of size) add up to 0 %"},
		{SPEC("\t0,100,100,0,0,1,0,0\n"),
		 "x.icf:6: the size '0': write a whole number from 1 to 1073741823"},
		{SPEC("\t1073741824,100,100,0,0,1,0,0\n"), "x.icf:6: the size '1073741824'"},
		{SPEC("\t512,100,101,0,0,1,0,0\n"), "x.icf:6: % reads '101'"},
		{SPEC("\t512,100,100,-1,0,1,0,0\n"), "x.icf:6: % random '-1'"},
		{SPEC("\t512,100,100,0\n"), "x.icf:6: the delay (ms) is missing"},
		{SPEC("\t512,100,100,0,0,1,0,0,9\n"), "x.icf:6: '9' is one number too many"},
		{WORKER("'Worker type\n\tTAPE\n"),
		 "x.icf:10: worker type 'TAPE': write one of DISK, "
		 "NETWORK"},
		{WORKER("'Default target settings for worker\n'Number of outstanding IOs\n\t0,"
			"DISABLED,1\n"),
		 "x.icf:11: outstanding IOs '0': write a whole number from 1"},
		{WORKER("'Assigned access specs\n\tNobody\n'End assigned access specs\n"),
		 "x.icf:5: worker 'W' is to run 'Nobody', which the file does not have"},
		{WORKER("'Target assignments\n'Target\n"), "x.icf:10: a target without a name"},
		{WORKER("'Target assignments\n'Target\n\tsdb\n"),
		 "x.icf:12: 'End worker within a target: end it with 'End target"},
		{"Version 1.1.0\n'MANAGER LIST\n'Manager ID, manager name\n\t1,A\n'Worker\n\tW\n",
		 "x.icf:6: the file ends within a worker: it is cut off"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(bad[i].text), -EINVAL);
		if (strncmp(e.text, bad[i].words, strlen(bad[i].words)) != 0)
			fail_msg("%zu: %s\nis not: %s", i, e.text, bad[i].words);
		assert_int_equal(s.specs, 0);
		assert_int_equal(s.managers, 0);
		iometer_setup_free(&s);
		iometer_warnings_free(&w);
	}
}

static void a_specification_of_more_than_100_lines_is_refused(void **state)
{
	char text[8192] =
		"Version 1.1.0\n'ACCESS SPECIFICATIONS\n'Access specification name\n\tX\n";

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		strcat(text, "\t512,1,0,0,0,1,0,0\n");
	size_t n = strlen(text);
	strcat(text, "'END access specifications\n");
	assert_int_equal(parse(text), 0);
	assert_int_equal(s.spec[0].count, 100);
	iometer_setup_free(&s);
	strcpy(text + n, "\t512,1,0,0,0,1,0,0\n'END access specifications\n");
	assert_int_equal(parse(text), -EINVAL);
	assert_non_null(strstr(e.text, "x.icf:105: "));
}

static void nul_bytes_and_what_is_too_large_or_no_file_are_refused(void **state)
{
	static const char zero[] = "Version 1.1.0\n'TEST\0 SETUP\n";
	const char *path = scratch_path("large.icf");

	(void)state;
	assert_int_equal(iometer_read_text(&s, "x", zero, sizeof(zero) - 1, &w, &e), -EINVAL);
	assert_non_null(strstr(e.text, "x:2: a NUL byte"));
	assert_non_null(strstr(e.text, "UTF-16"));
	scratch_text("large.icf", "Version 1.1.0\n");
	assert_int_equal(truncate(path, (16 << 20) + 1), 0);
	assert_int_equal(iometer_read(&s, path, &w, &e), -EFBIG);
	assert_non_null(strstr(e.text, "larger than 16 MiB"));
	assert_int_equal(iometer_read(&s, scratch_dir(), &w, &e), -EINVAL);
	assert_non_null(strstr(e.text, "no regular file"));
	assert_int_equal(iometer_read(&s, scratch_path("none"), &w, &e), -ENOENT);
	const char *fifo = scratch_path("fifo");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(iometer_read(&s, fifo, &w, &e), -EINVAL);
}

static void warnings_are_kept_up_to_a_number_and_counted_beyond(void **state)
{
	char *text = calloc(1, 40 * 1000), *p = text;

	(void)state;
	p += sprintf(p, "Version 1.1.0\n'TEST SETUP\n");
	for (unsigned i = 0; i < 1000; i++)
		p += sprintf(p, "'Key %u\n\t1\n", i);
	strcpy(p, "'END test setup\n");
	assert_int_equal(parse(text), 0);
	assert_int_equal(w.count, IOMETER_WARNINGS_MOST);
	assert_int_equal(w.more, 1000 - IOMETER_WARNINGS_MOST);
	free(text);
}

/* --- Written and read again --- */

static void assert_same_spec(const struct iometer_spec *a, const struct iometer_spec *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->assign, b->assign);
	assert_int_equal(a->count, b->count);
	for (uint32_t i = 0; i < a->count; i++) {
		const struct iometer_line *x = &a->line[i], *y = &b->line[i];
		assert_line(x, y->line.size, y->line.share, y->line.read_pct, y->line.random_pct);
		assert_int_equal(x->line.delay_ms, y->line.delay_ms);
		assert_int_equal(x->line.burst, y->line.burst);
		assert_int_equal(x->line.align, y->line.align);
		assert_int_equal(x->reply, y->reply);
	}
}

static void assert_same_worker(const struct iometer_worker *a, const struct iometer_worker *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->outstanding, b->outstanding);
	assert_int_equal(a->test_connections, b->test_connections);
	assert_int_equal(a->transactions, b->transactions);
	assert_int_equal(a->fixed_seed, b->fixed_seed);
	assert_true(a->seed == b->seed);
	assert_true(a->max_sectors == b->max_sectors && a->start_sector == b->start_sector);
	assert_int_equal(a->pattern, b->pattern);
	assert_string_equal(a->interface, b->interface);
	assert_int_equal(a->vi_outstanding, b->vi_outstanding);
	assert_int_equal(a->specs, b->specs);
	for (size_t i = 0; i < a->specs; i++)
		assert_string_equal(a->spec[i], b->spec[i]);
	assert_int_equal(a->targets, b->targets);
	for (size_t i = 0; i < a->targets; i++) {
		assert_string_equal(a->target[i].name, b->target[i].name);
		assert_int_equal(a->target[i].kind, b->target[i].kind);
		assert_int_equal(a->target[i].manager_id, b->target[i].manager_id);
		assert_string_equal(a->target[i].manager, b->target[i].manager);
	}
}

static void assert_same(const struct iometer_setup *a, const struct iometer_setup *b)
{
	assert_string_equal(a->description, b->description);
	assert_true(a->run_s == b->run_s && a->ramp_s == b->ramp_s);
	assert_int_equal(a->disk_workers, b->disk_workers);
	assert_int_equal(a->net_workers, b->net_workers);
	assert_int_equal(a->record, b->record);
	assert_step(&a->worker_step, b->worker_step.start, b->worker_step.end, b->worker_step.step,
		    b->worker_step.exponential);
	assert_step(&a->target_step, b->target_step.start, b->target_step.end, b->target_step.step,
		    b->target_step.exponential);
	assert_step(&a->depth_step, b->depth_step.start, b->depth_step.end, b->depth_step.step,
		    b->depth_step.exponential);
	assert_int_equal(a->test, b->test);
	assert_int_equal(a->record_last, b->record_last);
	assert_int_equal(a->update_s, b->update_s);
	assert_int_equal(a->whole_test, b->whole_test);
	for (unsigned i = 0; i < IOMETER_METERS; i++) {
		assert_string_equal(a->meter[i].statistic, b->meter[i].statistic);
		assert_string_equal(a->meter[i].manager, b->meter[i].manager);
		assert_string_equal(a->meter[i].worker, b->meter[i].worker);
		assert_int_equal(a->meter[i].manager_id, b->meter[i].manager_id);
		assert_int_equal(a->meter[i].worker_id, b->meter[i].worker_id);
	}
	assert_int_equal(a->specs, b->specs);
	for (size_t i = 0; i < a->specs; i++)
		assert_same_spec(&a->spec[i], &b->spec[i]);
	assert_int_equal(a->managers, b->managers);
	for (size_t i = 0; i < a->managers; i++) {
		assert_int_equal(a->manager[i].id, b->manager[i].id);
		assert_string_equal(a->manager[i].name, b->manager[i].name);
		assert_string_equal(a->manager[i].address, b->manager[i].address);
		assert_int_equal(a->manager[i].workers, b->manager[i].workers);
		for (size_t k = 0; k < a->manager[i].workers; k++)
			assert_same_worker(&a->manager[i].worker[k], &b->manager[i].worker[k]);
	}
}

static char *written(const struct iometer_setup *setup, size_t *n)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, n);

	assert_non_null(out);
	assert_int_equal(iometer_write(setup, out, &e), 0);
	fclose(out);
	return text;
}

static void a_file_of_each_version_is_the_same_once_written_and_read_again(void **state)
{
	static const char *const name[] = {"oltp-1998.icf", "workers-1998.icf", "md3000i-2006.icf",
					   "all-1.1.0.icf"};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct iometer_setup again;
		size_t n, m;
		open_sample(name[i]);
		char *text = written(&s, &n);
		if (iometer_read_text(&again, "again", text, n, NULL, &e))
			fail_msg("%s: %s", name[i], e.text);
		assert_string_equal(again.version, "1.1.0");
		assert_same(&s, &again);
		char *twice = written(&again, &m);
		assert_int_equal(n, m);
		assert_memory_equal(text, twice, n);
		free(text);
		free(twice);
		iometer_setup_free(&again);
		forget(NULL);
	}
}

/* Its reader compares keys from the first column and goes back by byte counts. */
static void a_written_file_is_to_the_byte_what_iometer_1_1_0_writes(void **state)
{
	const char *top = getenv("TEST_SRCDIR");
	char path[4096];
	size_t n;

	(void)state;
	open_sample("all-1.1.0.icf");
	snprintf(path, sizeof(path), "%s/tests/data/iometer/all-1.1.0.icf", top ? top : "..");
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	static char want[16384];
	size_t m = fread(want, 1, sizeof(want) - 1, f);
	fclose(f);
	char *text = written(&s, &n);
	assert_string_equal(text, want);
	assert_int_equal(n, m);
	free(text);
}

static void what_would_break_a_line_in_a_name_gives_way(void **state)
{
	struct iometer_setup again;
	size_t n;

	(void)state;
	iometer_setup_init(&s);
	strcpy(s.description, "'two\nlines, one comma");
	struct iometer_spec *spec = iometer_add_spec(&s);
	strcpy(spec->name, "a, b");
	spec->count = 1;
	spec->line[0].line = (struct access_line){.size = 512, .share = 100, .burst = 1};
	char *text = written(&s, &n);
	assert_int_equal(iometer_read_text(&again, "again", text, n, NULL, &e), 0);
	assert_string_equal(again.description, "'two lines, one comma");
	assert_string_equal(again.spec[0].name, "a- b");
	assert_int_equal(again.disk_workers, IOMETER_PER_CPU);
	free(text);
	iometer_setup_free(&again);
}

static void a_disk_that_is_full_is_told(void **state)
{
	FILE *full = fopen("/dev/full", "we");

	(void)state;
	iometer_setup_init(&s);
	if (!full)
		skip();
	assert_int_equal(iometer_write(&s, full, &e), -ENOSPC);
	fclose(full);
}

int main(void)
{
#define TEST(NAME) cmocka_unit_test_teardown(NAME, forget)
	const struct CMUnitTest tests[] = {
		TEST(a_file_from_before_names_has_named_specifications_of_lines_that_make_100),
		TEST(a_file_of_1998_has_numbers_for_words_and_no_end_of_its_setup),
		TEST(a_file_of_2006_with_line_ends_of_windows_is_read),
		TEST(a_file_of_1_1_0_has_seeds_patterns_and_network_workers),
		TEST(unknown_keys_are_warned_about_with_their_line_and_left_out),
		TEST(a_name_given_twice_is_the_later_one_and_case_does_not_count),
		TEST(letters_of_an_old_windows_become_utf8),
		TEST(a_byte_order_mark_and_blank_lines_do_no_harm),
		TEST(control_characters_of_a_name_never_reach_a_terminal),
		TEST(what_lunscope_can_not_do_is_said),
		TEST(what_makes_a_file_unusable_is_named_with_its_line_and_the_remedy),
		TEST(a_specification_of_more_than_100_lines_is_refused),
		TEST(nul_bytes_and_what_is_too_large_or_no_file_are_refused),
		TEST(warnings_are_kept_up_to_a_number_and_counted_beyond),
		TEST(a_file_of_each_version_is_the_same_once_written_and_read_again),
		TEST(a_written_file_is_to_the_byte_what_iometer_1_1_0_writes),
		TEST(what_would_break_a_line_in_a_name_gives_way),
		TEST(a_disk_that_is_full_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
