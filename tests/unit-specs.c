/* unit-specs.c - the specifications that lunscope brings along, field by field, and the user's own: saved, found,
 * deleted.
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
#include "iometer/spec_words.h"
#include "iometer/specs.h"
#include "tests/proc.h"
#include "tests/scratch.h"

static struct specs l;
static struct error e;

static int begin(void **state)
{
	(void)state;
	setenv("XDG_CONFIG_HOME", scratch_path("config"), 1);
	return specs_load(&l, &e);
}

static int end(void **state)
{
	(void)state;
	specs_free(&l);
	return 0;
}

static void again(void)
{
	specs_free(&l);
	if (specs_load(&l, &e))
		fail_msg("%s", e.text);
}

static const struct iometer_spec *spec(const char *name)
{
	const struct specs_row *row = specs_find(&l, name);

	if (!row)
		fail_msg("no %s", name);
	return &row->spec;
}

static void assert_line(const char *name, uint32_t i, uint32_t size, unsigned share, unsigned reads,
			unsigned random, uint32_t align)
{
	const struct iometer_line *line = &spec(name)->line[i];

	assert_true(i < spec(name)->count);
	assert_int_equal(line->line.size, size);
	assert_int_equal(line->line.share, share);
	assert_int_equal(line->line.read_pct, reads);
	assert_int_equal(line->line.random_pct, random);
	assert_int_equal(line->line.align, align);
	assert_int_equal(line->line.delay_ms, 0);
	assert_int_equal(line->line.burst, 1);
	assert_int_equal(line->reply, 0);
}

/* One line that is all of it. */
static void assert_simple(const char *name, uint32_t size, unsigned reads, unsigned random)
{
	assert_int_equal(spec(name)->count, 1);
	assert_line(name, 0, size, 100, reads, random, 0);
}

/* --- What lunscope brings along --- */

static void all_shares_add_up_to_100_and_each_can_be_saved_by_another_name(void **state)
{
	(void)state;
	assert_int_equal(l.count, 48);
	for (size_t i = 0; i < l.count; i++) {
		struct iometer_spec copy = l.row[i].spec;
		if (specs_check(&copy, &e))
			fail_msg("%s", e.text);
		assert_int_equal(copy.assign, IOMETER_ASSIGN_NONE);
		assert_ptr_equal(specs_find(&l, copy.name), &l.row[i]);
	}
}

static void iometers_standard_ones_are_as_iometer_has_them(void **state)
{
	static const struct {
		const char *size;
		uint32_t bytes;
	} block[] = {{"512 B", 512}, {"4 KiB", 4096}, {"16 KiB", 16384}, {"32 KiB", 32768}};
	static const unsigned reads[] = {100, 75, 50, 25, 0};

	(void)state;
	assert_int_equal(spec("Idle")->count, 0);
	assert_simple("Default", 2048, 67, 100);
	assert_int_equal(spec("All in one")->count, 20);
	for (uint32_t i = 0; i < 20; i++) {
		char name[64];
		snprintf(name, sizeof(name), "%s; %u%% Read; 0%% random", block[i / 5].size,
			 reads[i % 5]);
		assert_simple(name, block[i / 5].bytes, reads[i % 5], 0);
		assert_line("All in one", i, block[i / 5].bytes, 5, reads[i % 5], 0, 0);
	}
	assert_line("4 KiB aligned; 50% Read; 100% random", 0, 4096, 100, 50, 100, 4096);
	assert_simple("64 KiB; 0% Read; 0% random", 65536, 0, 0);
	assert_simple("256 KiB; 50% Read; 0% random", 262144, 50, 0);
	assert_null(specs_find(&l, "64 KiB; 75% Read; 0% random"));
}

static void the_mixes_are_intels(void **state)
{
	static const uint32_t file[][2] = {{512, 10}, {1024, 5},  {2048, 5},  {4096, 60},
					   {8192, 2}, {16384, 4}, {32768, 4}, {65536, 10}};
	static const uint32_t web[][2] = {{512, 22},   {1024, 15}, {2048, 8},  {4096, 23},
					  {8192, 15},  {16384, 2}, {32768, 6}, {65536, 7},
					  {131072, 1}, {524288, 1}};

	(void)state;
	assert_simple("Database", 8192, 67, 100);
	assert_simple("Workstation", 8192, 80, 80);
	assert_int_equal(spec("File server")->count, 8);
	for (uint32_t i = 0; i < 8; i++)
		assert_line("File server", i, file[i][0], file[i][1], 80, 100, 0);
	assert_int_equal(spec("Web server")->count, 10);
	for (uint32_t i = 0; i < 10; i++)
		assert_line("Web server", i, web[i][0], web[i][1], 100, 100, 0);
}

static void assert_stream(const char *name, unsigned reads)
{
	assert_int_equal(spec(name)->count, 3);
	assert_line(name, 0, 65536, 34, reads, 0, 0);
	assert_line(name, 1, 131072, 33, reads, 0, 0);
	assert_line(name, 2, 262144, 33, reads, 0, 0);
}

static void the_sets_of_vmware_and_of_the_md3000i_test_are_whole_and_in_order(void **state)
{
	static const struct {
		enum specs_from from;
		const char *name;
	} order[] = {
		{SPECS_VMWARE, "Max Throughput-100%Read"},
		{SPECS_VMWARE, "RealLife-60%Rand-65%Read"},
		{SPECS_VMWARE, "Max Throughput-50%Read"},
		{SPECS_VMWARE, "Random-8k-70%Read"},
		{SPECS_MD3000I, "Max read"},
		{SPECS_MD3000I, "Max write"},
		{SPECS_MD3000I, "Stream read"},
		{SPECS_MD3000I, "Stream write"},
		{SPECS_MD3000I, "Random 8k 70% read"},
		{SPECS_MD3000I, "Real life"},
	};
	size_t k = 0;

	(void)state;
	for (size_t i = 0; i < l.count; i++) {
		if (l.row[i].from != SPECS_VMWARE && l.row[i].from != SPECS_MD3000I)
			continue;
		assert_int_equal(l.row[i].from, order[k].from);
		assert_string_equal(l.row[i].spec.name, order[k++].name);
	}
	assert_int_equal(k, 10);
	assert_int_equal(specs_set_of("MD3000i"), SPECS_MD3000I);
	assert_int_equal(specs_set_of("vmware"), SPECS_VMWARE);
	assert_int_equal(specs_set_of("md3000"), SPECS_SETS);
	assert_simple("Max Throughput-100%Read", 32768, 100, 0);
	assert_simple("RealLife-60%Rand-65%Read", 8192, 65, 60);
	assert_simple("Max Throughput-50%Read", 32768, 50, 0);
	assert_simple("Random-8k-70%Read", 8192, 70, 100);
	assert_simple("Max read", 32768, 100, 0);
	assert_simple("Max write", 32768, 0, 0);
	assert_stream("Stream read", 100);
	assert_stream("Stream write", 0);
	assert_stream("Streaming reads", 100);
	assert_stream("Streaming writes", 0);
	assert_simple("Random 8k 70% read", 8192, 70, 100);
	assert_simple("Real life", 8192, 65, 60);
}

static void a_name_is_found_whatever_its_case_blanks_and_way_to_write_a_size(void **state)
{
	(void)state;
	assert_ptr_equal(spec("4K; 75% Read; 0% random"), spec("4 KiB; 75% Read; 0% random"));
	assert_ptr_equal(spec("512b;0%read;0%RANDOM"), spec("512 B; 0% Read; 0% random"));
	assert_ptr_equal(spec("webserver"), spec("Web server"));
	assert_null(specs_find(&l, "web"));
	assert_null(specs_find(&l, ""));
}

static void words_of_a_specification_say_what_it_is(void **state)
{
	char out[96];

	(void)state;
	assert_string_equal(spec_brief(out, sizeof(out), spec("Idle")), "no IO");
	assert_string_equal(spec_brief(out, sizeof(out), spec("Real life")),
			    "8 KiB, 65 % read, 60 % random");
	assert_string_equal(spec_brief(out, sizeof(out), spec("All in one")),
			    "20 lines, 512 B to 32 KiB, 0 to 100 % read, 0 % random");
	json_t *json = spec_json(spec("4 KiB aligned; 0% Read; 100% random"));
	json_t *line = json_array_get(json_object_get(json, "lines"), 0);
	assert_int_equal(json_integer_value(json_object_get(line, "align_bytes")), 4096);
	assert_int_equal(json_integer_value(json_object_get(line, "random_pct")), 100);
	assert_true(json_is_null(json_object_get(line, "reply_bytes")));
	json_decref(json);
}

/* --- One's own --- */

static struct iometer_spec own(const char *name, uint32_t size)
{
	struct iometer_spec s = {.count = 2};

	snprintf(s.name, sizeof(s.name), "%s", name);
	s.line[0].line =
		(struct access_line){.size = size, .share = 70, .read_pct = 90, .burst = 1};
	s.line[1].line = (struct access_line){.size = 512,
					      .share = 30,
					      .random_pct = 5,
					      .burst = 4,
					      .delay_ms = 20,
					      .align = 4096};
	return s;
}

static void ones_own_are_saved_found_replaced_and_deleted(void **state)
{
	struct iometer_spec a = own("Backup; night", 65536), b = own("Mail", 4096);
	struct stat st;

	(void)state;
	assert_int_equal(specs_save(&a, false, &e), 0);
	assert_int_equal(specs_save(&b, false, &e), 0);
	again();
	assert_int_equal(l.count, 50);
	assert_int_equal(specs_find(&l, "backup; NIGHT")->from, SPECS_OWN);
	assert_int_equal(spec("Backup; night")->line[0].line.size, 65536);
	assert_int_equal(spec("Mail")->line[1].line.delay_ms, 20);
	assert_int_equal(spec("Mail")->line[1].line.burst, 4);
	assert_int_equal(spec("Mail")->line[1].line.align, 4096);
	assert_int_equal(stat(l.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	a = own("BACKUP; night", 131072);
	assert_int_equal(specs_save(&a, false, &e), 0);
	again();
	assert_int_equal(l.count, 50);
	assert_int_equal(spec("Backup; night")->line[0].line.size, 131072);
	assert_int_equal(specs_delete("backup; night", false, &e), 0);
	again();
	assert_int_equal(l.count, 49);
	assert_null(specs_find(&l, "Backup; night"));
	assert_int_equal(specs_delete("backup; night", false, &e), -ENOENT);
	assert_string_equal(e.text, "'backup; night' is none of your own specifications");
	assert_int_equal(specs_delete("Mail", false, &e), 0);
}

static void ones_own_file_is_one_that_iometer_could_open(void **state)
{
	struct iometer_spec a = own("Mail", 4096);
	char text[1024];

	(void)state;
	assert_int_equal(specs_save(&a, false, &e), 0);
	FILE *f = fopen(l.path, "re");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	assert_non_null(strstr(text, "Version 1.1.0 \r\n'ACCESS SPECIFICATIONS ==="));
	assert_non_null(strstr(text, "\r\n'Access specification name,default assignment\r\n"
				     "\tMail,NONE\r\n"
				     "'size,% of size,% reads,% random,delay,burst,align,reply\r\n"
				     "\t4096,70,90,0,0,1,0,0\r\n\t512,30,0,5,20,4,4096,0\r\n"
				     "'END access specifications\r\n"));
	assert_int_equal(specs_delete("Mail", false, &e), 0);
}

static void what_can_not_be_one_of_ones_own_is_refused_with_the_reason(void **state)
{
	struct iometer_spec s = own("DATA base", 512);

	(void)state;
	assert_int_equal(specs_save(&s, false, &e), -EEXIST);
	assert_string_equal(e.text, "'DATA base' is one that lunscope brings along: choose another "
				    "name");
	s = own("vmware", 512);
	assert_int_equal(specs_save(&s, false, &e), -EEXIST);
	s = own("a,b", 512);
	assert_int_equal(specs_save(&s, false, &e), -EINVAL);
	s = own("Gr\xc3\xb6\xc3\x9f"
		"e",
		512);
	assert_int_equal(specs_save(&s, false, &e), -EINVAL);
	s = own("", 512);
	assert_int_equal(specs_save(&s, false, &e), -EINVAL);
	s = own("Mail", 512);
	s.line[1].line.share = 20;
	assert_int_equal(specs_save(&s, false, &e), -EINVAL);
	assert_string_equal(e.text, "'Mail': the shares of its lines add up to 90 %, not to 100 %");
	s = own("Mail", 0);
	assert_int_equal(specs_save(&s, false, &e), -EINVAL);
	s.count = 0;
	assert_int_equal(specs_save(&s, false, &e), -EINVAL);
	again();
	assert_int_equal(l.count, 48);
}

static void a_broken_file_of_ones_own_is_named_with_its_line_and_never_overwritten(void **state)
{
	struct iometer_spec s = own("Mail", 512);
	char text[64];

	(void)state;
	assert_int_equal(mkdir(scratch_path("config"), 0700) && errno != EEXIST, 0);
	assert_int_equal(mkdir(scratch_path("config/lunscope"), 0700) && errno != EEXIST, 0);
	scratch_text("config/lunscope/specs", "Version 1.1.0\nmine\n");
	specs_free(&l);
	assert_int_equal(specs_load(&l, &e), -EINVAL);
	assert_non_null(strstr(e.text, "config/lunscope/specs:2: no section"));
	assert_int_equal(specs_save(&s, false, &e), -EINVAL);
	assert_int_equal(specs_delete("Mail", false, &e), -EINVAL);
	FILE *f = fopen(scratch_path("config/lunscope/specs"), "re");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(text, "Version 1.1.0\nmine\n");
	unlink(scratch_path("config/lunscope/specs"));
}

static void a_whole_setup_in_place_of_ones_own_stays_one(void **state)
{
	struct iometer_spec s = own("Mail", 512);
	struct iometer_setup setup;

	(void)state;
	scratch_text("config/lunscope/specs",
		     "Version 1.1.0\n'TEST SETUP\n'Run Time\n\t0 3 0\n'END test setup\n"
		     "'MANAGER LIST\n'Manager ID, manager name\n\t1,HOST\n'End manager\n"
		     "'END manager list\n");
	assert_int_equal(specs_save(&s, false, &e), 0);
	assert_int_equal(iometer_read(&setup, scratch_path("config/lunscope/specs"), NULL, &e), 0);
	assert_int_equal(setup.run_s, 180);
	assert_string_equal(setup.manager[0].name, "HOST");
	assert_string_equal(setup.spec[0].name, "Mail");
	iometer_setup_free(&setup);
	unlink(scratch_path("config/lunscope/specs"));
}

/* --- lunscope specs --- */

static void the_command_lists_all_shows_one_with_its_lines_and_refuses_what_is_none(void **state)
{
	struct iometer_spec a = own("Mail", 4096);
	struct proc p;

	(void)state;
	assert_int_equal(specs_save(&a, false, &e), 0);
	assert_int_equal(PROC(&p, lunscope_path(), "specs"), 0);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out,
			       "the VMware community's four (vmware)\n"
			       "  Max Throughput-100%Read                  32 KiB, 100 % read"));
	assert_non_null(strstr(p.out, "your own (own): "));
	assert_non_null(strstr(p.out, "/config/lunscope/specs\n  Mail  "));
	proc_free(&p);
	assert_int_equal(PROC(&p, lunscope_path(), "specs", "stream READ"), 0);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "Stream read (md3000i): 3 lines, "));
	assert_non_null(strstr(p.out,
			       "\n        64 KiB    34 %   100 %     0 %      0 ms       1      "
			       "sectors         none\n"));
	assert_null(strstr(p.out, "Stream write"));
	proc_free(&p);
	assert_int_equal(PROC(&p, lunscope_path(), "specs", "md3000i", "--json", "-"), 0);
	json_t *doc = json_loads(p.out, 0, NULL);
	json_t *specs = json_object_get(doc, "specs");
	assert_int_equal(json_array_size(specs), 6);
	assert_string_equal(json_string_value(json_object_get(json_array_get(specs, 5), "name")),
			    "Real life");
	json_decref(doc);
	proc_free(&p);
	assert_int_equal(PROC(&p, lunscope_path(), "specs", "Strem read"), 0);
	assert_int_equal(p.status, 2);
	assert_string_equal(p.err,
			    "lunscope: no specification or set 'Strem read': those that there "
			    "are: lunscope specs\n");
	proc_free(&p);
	assert_int_equal(specs_delete("Mail", false, &e), 0);
}

int main(void)
{
#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(all_shares_add_up_to_100_and_each_can_be_saved_by_another_name),
		TEST(iometers_standard_ones_are_as_iometer_has_them),
		TEST(the_mixes_are_intels),
		TEST(the_sets_of_vmware_and_of_the_md3000i_test_are_whole_and_in_order),
		TEST(a_name_is_found_whatever_its_case_blanks_and_way_to_write_a_size),
		TEST(words_of_a_specification_say_what_it_is),
		TEST(ones_own_are_saved_found_replaced_and_deleted),
		TEST(ones_own_file_is_one_that_iometer_could_open),
		TEST(what_can_not_be_one_of_ones_own_is_refused_with_the_reason),
		TEST(a_broken_file_of_ones_own_is_named_with_its_line_and_never_overwritten),
		TEST(a_whole_setup_in_place_of_ones_own_stays_one),
		TEST(the_command_lists_all_shows_one_with_its_lines_and_refuses_what_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
