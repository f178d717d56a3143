/* unit-iometer-check.c - what --check says of a set-up, and which targets stand for those of the file. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>
#include "iometer/check.h"
#include "iometer/icf.h"
#include "iometer/map.h"

static struct iometer_setup s;
static struct iometer_warnings w;
static struct iometer_map map;
static struct error e;

static void open_sample(const char *name)
{
	const char *top = getenv("TEST_SRCDIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/iometer/%s", top ? top : "..", name);
	if (iometer_read(&s, path, &w, &e))
		fail_msg("%s", e.text);
}

static int forget(void **state)
{
	(void)state;
	iometer_setup_free(&s);
	iometer_warnings_free(&w);
	memset(&map, 0, sizeof(map));
	return 0;
}

/* --- What it says --- */

static char *printed(void)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	iometer_check_print(f, &s, &w);
	fclose(f);
	return text;
}

static void assert_says(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' is not in:\n%s", words, text);
}

static void the_words_name_times_specifications_workers_targets_and_tests(void **state)
{
	(void)state;
	open_sample("md3000i-2006.icf");
	char *text = printed();
	assert_says(text, "MD3000i, RAID-10, four paths\n");
	assert_says(text, "file of         Iometer 2006.07.27\n");
	assert_says(text, "each test       2:00 min, after 10 s of ramp up\n");
	assert_says(text, "results of      all together only\n");
	assert_says(text, "one disk worker per CPU, 0 network workers\n");
	assert_says(text,
		    "\n2 specifications\nStream read: 3 lines, 64 KiB to 256 KiB, 100 % read, "
		    "0 % random\n");
	assert_says(text, "\nmanager 1 PE2950 at 192.0.2.17, 1 worker\n"
			  "  Worker 1: 64 outstanding per target\n"
			  "    runs     Stream read, Random 8k; 70% read\n"
			  "    targets  sdb, /mnt/md3000i [ext3]\n");
	assert_says(text,
		    "\n2 tests, 4:20 min altogether\n"
		    "     1  Stream read                              1 worker x 2 targets x 64 "
		    "outstanding\n");
	assert_null(strstr(text, "warning"));
	free(text);
}

static void warnings_come_last_with_their_lines(void **state)
{
	(void)state;
	open_sample("all-1.1.0.icf");
	char *text = printed();
	char words[64];
	assert_int_equal(w.count, 3);
	assert_true(w.list[0].line < w.list[1].line && w.list[1].line < w.list[2].line);
	snprintf(words, sizeof(words), "\n3 warnings\n  line %u: ", w.list[0].line);
	assert_says(text, words);
	assert_says(text, "  Worker 2 (TCP, not run): 1 outstanding per target\n");
	assert_says(text,
		    "  Worker 1: 16 outstanding per target, 100 MiB, from 1 MiB on, writes full "
		    "random, seed "
		    "18446744073709551615\n");
	/* Its second specification at 4, 16, 64 and 256, as its first is no IO. */
	assert_says(text, "\n4 tests, 2:20 min altogether\n");
	free(text);
}

static void a_setup_that_runs_nothing_says_why(void **state)
{
	(void)state;
	open_sample("oltp-1998.icf");
	char *text = printed();
	assert_says(text, "\nnothing would run: no disk worker");
	free(text);
	json_t *doc = iometer_check_json(&s, &w);
	assert_int_equal(json_array_size(json_object_get(doc, "tests")), 0);
	assert_true(json_is_string(json_object_get(doc, "trouble")));
	json_decref(doc);
}

static json_int_t number(const json_t *object, const char *key)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	return json_integer_value(json_object_get(object, key));
}

static const char *string(const json_t *object, const char *key)
{
	assert_true(json_is_string(json_object_get(object, key)));
	return json_string_value(json_object_get(object, key));
}

static json_t *item(const json_t *object, const char *key, size_t i)
{
	json_t *found = json_array_get(json_object_get(object, key), i);

	assert_non_null(found);
	return found;
}

static void the_json_has_the_same_with_lines_and_null_for_what_is_not_said(void **state)
{
	(void)state;
	open_sample("all-1.1.0.icf");
	json_t *doc = iometer_check_json(&s, &w);
	assert_string_equal(string(doc, "version"), "1.1.0");
	assert_int_equal(number(doc, "run_s"), 30);
	assert_int_equal(number(doc, "disk_workers"), 4);
	assert_true(json_is_null(json_object_get(doc, "network_workers")));
	assert_string_equal(string(doc, "test_type"), "CYCLE_OUTSTANDING_IOS_AND_TARGETS");
	assert_string_equal(string(doc, "record"), "NO_TARGETS");
	assert_int_equal(number(item(doc, "specs", 0), "line"), s.spec[0].at);
	assert_string_equal(string(item(doc, "specs", 1), "assign"), "net");
	json_t *worker = item(item(doc, "managers", 0), "workers", 0);
	assert_string_equal(string(worker, "seed"), "18446744073709551615");
	assert_int_equal(number(worker, "max_sectors"), 204800);
	assert_int_equal(number(worker, "line"), s.manager[0].worker[0].at);
	assert_string_equal(string(item(worker, "targets", 0), "name"), "C: \"System\"");
	json_t *net = item(item(doc, "managers", 0), "workers", 1);
	assert_string_equal(string(net, "kind"), "tcp");
	assert_true(json_is_null(json_object_get(net, "seed")));
	assert_int_equal(json_array_size(json_object_get(doc, "tests")), 4);
	assert_int_equal(number(item(doc, "tests", 3), "outstanding"), 256);
	assert_int_equal(number(item(doc, "tests", 3), "workers"), 1);
	assert_int_equal(number(doc, "duration_s"), 140);
	assert_true(json_is_null(json_object_get(doc, "trouble")));
	assert_int_equal(json_array_size(json_object_get(doc, "warnings")), 3);
	assert_int_equal(number(item(doc, "warnings", 0), "line"), w.list[0].line);
	json_decref(doc);
}

/* --- --map --- */

static void add(const char *text)
{
	if (iometer_map_add(&map, text, &e))
		fail_msg("%s", e.text);
}

static void a_target_is_what_its_map_says_whatever_the_case(void **state)
{
	(void)state;
	add("PHYSICALDRIVE:1=iscsi://host/iqn.x:y=z/1");
	add("D: \"Data\"=/dev/sdq");
	assert_string_equal(iometer_map_find(&map, "PhysicalDrive:1"), "iscsi://host/iqn.x:y=z/1");
	assert_string_equal(iometer_map_find(&map, "d: \"data\""), "/dev/sdq");
	assert_null(iometer_map_find(&map, "E:"));
	assert_string_equal(iometer_map_find(&map, "null:1ms"), "null:1ms");
}

static void a_map_that_makes_no_sense_is_refused(void **state)
{
	char longer[200];

	(void)state;
	memset(longer, 'x', sizeof(longer));
	strcpy(longer + 150, "=y");
	add("sdb=/dev/sdq");
	assert_int_equal(iometer_map_add(&map, "sdc", &e), -EINVAL);
	assert_non_null(strstr(e.text, "--map 'sdc': write OLDNAME=TARGET"));
	assert_int_equal(iometer_map_add(&map, "=x", &e), -EINVAL);
	assert_int_equal(iometer_map_add(&map, "sdc=", &e), -EINVAL);
	assert_int_equal(iometer_map_add(&map, longer, &e), -EINVAL);
	assert_int_equal(iometer_map_add(&map, "SDB=/dev/sdr", &e), -EINVAL);
	assert_non_null(strstr(e.text, "'SDB' is mapped to /dev/sdq already"));
	assert_int_equal(map.count, 1);
}

static void what_is_not_mapped_is_named_once_each_with_the_map_to_give(void **state)
{
	const struct iometer_target **list;
	size_t n;

	(void)state;
	open_sample("md3000i-2006.icf");
	struct iometer_target *again = iometer_add_target(&s.manager[0].worker[0]);
	*again = s.manager[0].worker[0].target[0];
	assert_int_equal(iometer_map_missing(&map, &s, &list, &n), 0);
	assert_int_equal(n, 2);
	assert_string_equal(list[0]->name, "sdb");
	assert_string_equal(list[1]->name, "/mnt/md3000i [ext3]");
	free(list);
	assert_int_equal(iometer_map_require(&map, &s, &e), -EINVAL);
	assert_non_null(strstr(e.text, "mapped to none of this machine: add --map 'sdb="));
	assert_non_null(strstr(e.text, " --map '/mnt/md3000i [ext3]=TARGET'"));
	add("SDB=null:");
	assert_int_equal(iometer_map_require(&map, &s, &e), -EINVAL);
	assert_string_equal(e.text, "targets of the set-up are mapped to none of this machine: add "
				    "--map '/mnt/md3000i [ext3]=TARGET'");
	add("/mnt/md3000i [ext3]=/tmp/x");
	assert_int_equal(iometer_map_require(&map, &s, &e), 0);
	assert_int_equal(iometer_map_check(&map, &s, &e), 0);
}

static void targets_of_network_workers_need_no_map(void **state)
{
	(void)state;
	open_sample("all-1.1.0.icf");
	add("C: \"System\"=null:");
	assert_int_equal(iometer_map_require(&map, &s, &e), 0);
}

static void a_map_for_a_target_that_the_setup_has_not_names_those_it_has(void **state)
{
	(void)state;
	open_sample("md3000i-2006.icf");
	add("sdx=/dev/sdq");
	assert_int_equal(iometer_map_check(&map, &s, &e), -EINVAL);
	assert_string_equal(e.text, "--map 'sdx=...': the set-up has no target of that name, but "
				    "'sdb', '/mnt/md3000i [ext3]'");
}

static void many_targets_are_told_as_far_as_there_is_room(void **state)
{
	char *text = calloc(1, 1 << 20), *p = text;

	(void)state;
	p += sprintf(p, "Version 1.1.0\n'MANAGER LIST\n'Manager ID, manager name\n\t1,A\n"
			"'Worker\n\tW\n'Worker type\n\tDISK\n'Target assignments\n");
	for (unsigned i = 0; i < 5000; i++)
		p += sprintf(p, "'Target\n\tPHYSICALDRIVE:%u\n'Target type\n\tDISK\n'End target\n",
			     i);
	strcpy(p, "'End target assignments\n'End worker\n'End manager\n'END manager list\n");
	assert_int_equal(iometer_read_text(&s, "x", text, strlen(text), &w, &e), 0);
	assert_int_equal(s.manager[0].worker[0].targets, 5000);
	assert_string_equal(s.manager[0].worker[0].target[0].name, "PHYSICALDRIVE:0");
	assert_string_equal(s.manager[0].worker[0].target[4999].name, "PHYSICALDRIVE:4999");
	assert_int_equal(iometer_map_require(&map, &s, &e), -EINVAL);
	assert_non_null(strstr(e.text, "'PHYSICALDRIVE:0=TARGET' --map 'PHYSICALDRIVE:1=TARGET'"));
	assert_non_null(strstr(e.text, " and 49"));
	assert_non_null(strstr(e.text, " more"));
	free(text);
}

/* It is offered; only --map takes it. */
static void a_name_that_is_a_device_here_is_offered_and_not_taken(void **state)
{
	char offer[256], want[64];

	(void)state;
	assert_string_equal(iometer_map_offer(offer, sizeof(offer), "no such 'disk'"),
			    "--map 'no such '\\''disk'\\''=TARGET'");
	assert_string_equal(iometer_map_offer(offer, sizeof(offer), "null"), "--map 'null=TARGET'");
	struct stat st;
	if (stat("/dev/loop0", &st) || !S_ISBLK(st.st_mode)) {
		print_message("there is no /dev/loop0\n");
		skip();
	}
	snprintf(want, sizeof(want), "--map 'loop0=/dev/loop0'");
	assert_string_equal(iometer_map_offer(offer, sizeof(offer), "loop0"), want);
	assert_null(iometer_map_find(&map, "loop0"));
}

int main(void)
{
#define TEST(NAME) cmocka_unit_test_teardown(NAME, forget)
	const struct CMUnitTest tests[] = {
		TEST(the_words_name_times_specifications_workers_targets_and_tests),
		TEST(warnings_come_last_with_their_lines),
		TEST(a_setup_that_runs_nothing_says_why),
		TEST(the_json_has_the_same_with_lines_and_null_for_what_is_not_said),
		TEST(a_target_is_what_its_map_says_whatever_the_case),
		TEST(a_map_that_makes_no_sense_is_refused),
		TEST(what_is_not_mapped_is_named_once_each_with_the_map_to_give),
		TEST(targets_of_network_workers_need_no_map),
		TEST(a_map_for_a_target_that_the_setup_has_not_names_those_it_has),
		TEST(many_targets_are_told_as_far_as_there_is_room),
		TEST(a_name_that_is_a_device_here_is_offered_and_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
