/* unit-setting-pattern.c - spread, streams, log, access lines and sequence as an operator types, steps and
 * reads them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "access.h"
#include "setting.h"
#include "tests/scratch.h"
#include "units.h"

static const struct workload_limits disk = {.target = "sdx",
					    .target_size = 100 * GIB,
					    .logical_block = 512,
					    .backend = "libaio",
					    .may_write = true,
					    .write_length = 100 * GIB};

/* Types the text; the setting must then show `want`, and `want` must be what it takes. */
static void typed(enum setting s, const char *text, const char *want)
{
	struct workload w = workload_default();
	struct error e = {""};
	char shown[SETTING_LONG];

	for (int again = 0; again < 2; again++, text = want) {
		if (setting_parse(&w, s, text, &e))
			fail_msg("'%s' was refused: %s", text, e.text);
		assert_string_equal(setting_format(shown, sizeof(shown), &w, s), want);
	}
}

static void refused(enum setting s, const char *text, const char *words)
{
	struct workload w = workload_default(), before = w;
	struct error e = {""};

	assert_int_equal(setting_parse(&w, s, text, &e), -EINVAL);
	assert_string_equal(e.text, words);
	assert_memory_equal(&w, &before, sizeof(w));
}

static struct workload with_lines(const char *text)
{
	struct workload w = workload_default();
	struct error e = {""};

	if (setting_parse(&w, SETTING_LINES, text, &e))
		fail_msg("%s", e.text);
	return w;
}

static void what_is_typed_is_shown(void **state)
{
	(void)state;
	typed(SETTING_SPREAD, "uniform", "uniform");
	typed(SETTING_SPREAD, " ZIPF:1.10 ", "zipf:1.1");
	typed(SETTING_SPREAD, "zipf:2", "zipf:2");
	typed(SETTING_SPREAD, "zipf:0.001", "zipf:0.001");
	typed(SETTING_SPREAD, "zipf:10", "zipf:10");
	typed(SETTING_SPREAD, "pareto:0.25", "pareto:0.25");
	typed(SETTING_SPREAD, "hot:80%/20%", "hot:80/20");
	typed(SETTING_STREAMS, "1", "1");
	typed(SETTING_STREAMS, "256", "256");
	typed(SETTING_LOG, "20 %", "20%");
	typed(SETTING_LOG, "0", "0%");
	typed(SETTING_SEQUENCE, "ON", "on");
	typed(SETTING_SEQUENCE, "same", "same");
}

static void lines_are_read_in_any_order_and_shown_in_one(void **state)
{
	(void)state;
	typed(SETTING_LINES, "none", "none");
	typed(SETTING_LINES, "4k", "4K 100% read 100 random 100");
	typed(SETTING_LINES, "4 KiB 80 % read 70% random 5 %; 64K share 20 random 0, read 0",
	      "4K 80% read 70 random 5; 64K 20% read 0 random 0");
	typed(SETTING_LINES, "4608 align 1536 delay 10 burst 4",
	      "4608 100% read 100 random 100 align 1536 delay 10 burst 4");
	typed(SETTING_LINES, "1M delay 2s", "1M 100% read 100 random 100 delay 2000");
	typed(SETTING_LINES, "1m 100% delay 3 ms;", "1M 100% read 100 random 100 delay 3");
	typed(SETTING_LINES, "# database\n4k 60% # random; not sequential\n\n8k 40% random 0\n",
	      "4K 60% read 100 random 100; 8K 40% read 100 random 0");
}

static void nonsense_is_refused_by_its_name(void **state)
{
	static const char zipf[] = "the exponent of zipf is from 0.001 to 10, as zipf:1.1";
	static const char *const bad_zipf[] = {"zipf:0",  "zipf:10.001", "zipf:1.0001",    "zipf:",
					       "zipf:1x", "zipf:-1",     "zipf:4294967297"};
	char words[128];

	(void)state;
	for (size_t i = 0; i < sizeof(bad_zipf) / sizeof(*bad_zipf); i++) {
		snprintf(words, sizeof(words), "spread '%s': %s", bad_zipf[i], zipf);
		refused(SETTING_SPREAD, bad_zipf[i], words);
	}
	refused(SETTING_SPREAD, "normal:50",
		"spread 'normal:50': write uniform, zipf:1.1, pareto:0.2 or hot:80/20");
	refused(SETTING_SPREAD, "pareto:0.6",
		"spread 'pareto:0.6': the share of pareto is from 0.001 to 0.5, as pareto:0.2 for "
		"80 % "
		"of the IOs to 20 % of the places");
	refused(SETTING_SPREAD, "hot:80/100",
		"spread 'hot:80/100': write hot:80/20 for 80 % of the random IOs to the first 20 % "
		"of "
		"the range (1 to 100, 1 to 99)");
	refused(SETTING_SEQUENCE, "off", "sequence 'off': write same or on");
	refused(SETTING_LINES, "4k 80%; 64k 10%",
		"the shares of the access lines add up to 90 %, not to 100 %");
	refused(SETTING_LINES, "4k 80%; 64k",
		"access line 2 has no share: write for example 4k 50%");
	refused(SETTING_LINES, "4k 120%", "access line 1: a share is from 1 to 100 %, not '120%'");
	refused(SETTING_LINES, "4k 0%", "access line 1: a share is from 1 to 100 %, not '0%'");
	refused(SETTING_LINES, "4k 50%; read 50", "access line 2: this is no size: 'read'");
	refused(SETTING_LINES, "4k read", "access line 1: a value is missing behind (as read 70) 'read'");
	refused(SETTING_LINES, "4k read 101",
		"access line 1: shares of reads and random IOs are from 0 to 100 %, not '101'");
	refused(SETTING_LINES, "4k write 50",
		"access line 1: the fields are SIZE, SHARE%, read, random, align, delay and burst, "
		"not "
		"'write'");
	refused(SETTING_LINES, "65M", "access line 1: up to 64 MiB are possible, not '65M'");
	refused(SETTING_LINES, "4k delay 10us",
		"access line 1: a delay is whole milliseconds, up to an hour, as 10 or 10ms, not "
		"'10us'");
	refused(SETTING_LINES, "4k burst 0",
		"access line 1: a burst is from 1 to 1000000 IOs, not '0'");
	refused(SETTING_LINES, "; ;",
		"lines '; ;': write lines as 4k 100% read 70 random 100, or none");
}

static void a_hundred_lines_fit_and_no_more(void **state)
{
	char text[101 * 80] = "", shown[SETTING_LONG];
	size_t used = 0;
	struct workload w = workload_default(), back;
	struct error e;

	(void)state;
	for (int i = 0; i < 100; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%d 1%% read 99 random 99 align 1073741823 delay 3599999 "
					 "burst 999999\n",
					 (64 << 20) - 1 - i);
	assert_int_equal(setting_parse(&w, SETTING_LINES, text, &e), 0);
	assert_int_equal(w.access.count, 100);
	back = workload_default();
	setting_format(shown, sizeof(shown), &w, SETTING_LINES);
	assert_int_equal(setting_parse(&back, SETTING_LINES, shown, &e), 0);
	assert_memory_equal(&back.access, &w.access, sizeof(w.access));
	snprintf(text + used, sizeof(text) - used, "4k 1%%");
	refused(SETTING_LINES, text, "up to 100 access lines are possible");
}

static void lines_come_from_a_file_too(void **state)
{
	char typed_name[256], words[512];
	const char *path = scratch_text("lines", "# size share\n4k 80%\n64k 20% random 0\n");

	(void)state;
	snprintf(typed_name, sizeof(typed_name), "@%s", path);
	typed(SETTING_LINES, typed_name, "4K 80% read 100 random 100; 64K 20% read 100 random 0");
	path = scratch_text("bad-lines", "4k 80%\n64k 2%\n");
	snprintf(typed_name, sizeof(typed_name), "@%s", path);
	snprintf(words, sizeof(words),
		 "%s: the shares of the access lines add up to 82 %%, not to 100 %%", path);
	refused(SETTING_LINES, typed_name, words);
	path = scratch_text("no-lines", "# nothing\n");
	snprintf(typed_name, sizeof(typed_name), "@%s", path);
	snprintf(words, sizeof(words), "%s: there is no access line in it", path);
	refused(SETTING_LINES, typed_name, words);
	/* Nothing waits for a writer. */
	path = scratch_path("fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(typed_name, sizeof(typed_name), "@%s", path);
	snprintf(words, sizeof(words), "%s: not a regular file", path);
	refused(SETTING_LINES, typed_name, words);
}

static void a_file_that_is_not_there_is_named(void **state)
{
	struct workload w = workload_default();
	struct error e;

	(void)state;
	assert_int_equal(setting_parse(&w, SETTING_LINES, "@/no/such/file", &e), -ENOENT);
	assert_string_equal(e.text, "access lines: /no/such/file: No such file or directory");
}

/* --- Steps. --- */

static int steps_to_the_end(struct workload *w, enum setting s, int dir)
{
	struct error e = {""};
	int n = 0, rc;

	while ((rc = setting_step(w, s, dir, false, &disk, &e)) == 0) {
		assert_true(n++ < 200);
		if (workload_validate(w, &disk, &e))
			fail_msg("%s", e.text);
	}
	assert_int_equal(rc, -ERANGE);
	return n;
}

static void steps_lead_to_the_end_and_back(void **state)
{
	static const struct {
		enum setting s;
		const char *last;
		int steps;
	} way[] = {{SETTING_SPREAD, "hot:99/1", 10},
		   {SETTING_STREAMS, "256", 8},
		   {SETTING_LOG, "100%", 20},
		   {SETTING_LINES, "4K 100% read 100 random 100", 1}};
	char text[SETTING_LONG];

	(void)state;
	for (size_t i = 0; i < sizeof(way) / sizeof(*way); i++) {
		struct workload w = workload_default(), start = w;
		assert_int_equal(steps_to_the_end(&w, way[i].s, 1), way[i].steps);
		assert_string_equal(setting_format(text, sizeof(text), &w, way[i].s), way[i].last);
		assert_int_equal(steps_to_the_end(&w, way[i].s, -1), way[i].steps);
		assert_memory_equal(&w, &start, sizeof(w));
	}
}

static void a_step_from_what_was_typed_goes_to_the_next(void **state)
{
	static const struct {
		enum setting s;
		const char *from, *up, *down;
	} step[] = {
		{SETTING_SPREAD, "zipf:1", "zipf:1.1", "zipf:0.9"},
		{SETTING_SPREAD, "zipf:3", "pareto:0.4", "zipf:1.4"},
		{SETTING_SPREAD, "pareto:0.3", "pareto:0.2", "pareto:0.4"},
		{SETTING_SPREAD, "hot:85/10", "hot:90/10", "hot:80/20"},
		{SETTING_STREAMS, "5", "8", "4"},
		{SETTING_STREAMS, "8", "16", "4"},
		{SETTING_LOG, "7%", "10%", "5%"},
		{SETTING_LOG, "3%", "5%", "0%"},
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < sizeof(step) / sizeof(*step); i++)
		for (int dir = -1; dir <= 1; dir += 2) {
			struct workload w = workload_default();
			assert_int_equal(setting_parse(&w, step[i].s, step[i].from, NULL), 0);
			setting_step(&w, step[i].s, dir, false, &disk, NULL);
			assert_string_equal(setting_format(text, sizeof(text), &w, step[i].s),
					    dir > 0 ? step[i].up : step[i].down);
		}
}

/* --- What gives way. --- */

static void lines_take_the_place_of_the_knobs(void **state)
{
	static const enum setting way[] = {(enum setting)KNOB_BLOCK,
					   (enum setting)KNOB_READ,
					   (enum setting)KNOB_RANDOM,
					   SETTING_ALIGN,
					   SETTING_THINK,
					   SETTING_BURST};
	static const char *const name[] = {"block", "read", "random", "align", "think", "burst"};
	struct workload w = with_lines("4k 50%; 8k 50%"), before = w;
	char words[128];

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct error e = {""};
		snprintf(words, sizeof(words),
			 "%s is set by the access lines; clear them first (a, Access lines: none)",
			 name[i]);
		assert_int_equal(setting_step(&w, way[i], 1, false, &disk, &e), -EINVAL);
		assert_string_equal(e.text, words);
		assert_int_equal(setting_check_way(&w, way[i], &e), -EINVAL);
		assert_string_equal(e.text, words);
		assert_memory_equal(&w, &before, sizeof(w));
	}
	assert_int_equal(setting_step(&w, (enum setting)KNOB_OUTSTANDING, 1, false, &disk, NULL),
			 0);
	/* A log has the knob's block still. */
	w.log_pct = 10;
	assert_int_equal(setting_step(&w, (enum setting)KNOB_BLOCK, 1, false, &disk, NULL), 0);
	assert_true(setting_gives_way(&w, (enum setting)KNOB_READ));
	/* Stepped down they are gone, and the knobs are back. */
	assert_int_equal(setting_step(&w, SETTING_LINES, -1, false, &disk, NULL), 0);
	assert_int_equal(setting_step(&w, (enum setting)KNOB_READ, -1, false, &disk, NULL), 0);
}

static void what_a_workload_is_called(void **state)
{
	struct workload w = with_lines("4k 50%; 8k 50% read 0"), plain = workload_default();
	char text[200];

	(void)state;
	assert_string_equal(workload_describe(text, sizeof(text), &w), "1 x 8, 2 access lines");
	assert_string_equal(workload_brief(text, sizeof(text), &w), "1x8 2 lines");
	assert_string_equal(workload_diff(text, sizeof(text), &plain, &w, true),
			    "lines none > 2 lines");
	assert_string_equal(workload_write_cause(text, sizeof(text), &w), "the access lines");
	plain.spread = (struct spread){.kind = SPREAD_HOT, .ios = 80, .range = 20};
	plain.streams = 4;
	plain.log_pct = 20;
	plain.rate_iops = 5000;
	assert_string_equal(workload_describe(text, sizeof(text), &plain),
			    "1 x 8, 4 KiB, 100 % read, random, hot:80/20, 4 streams, 20 % log, "
			    "5.00k IO/s");
	assert_string_equal(workload_brief(text, sizeof(text), &plain),
			    "1x8 4K 100%rd 100%rnd 20%log 5k/s");
}

static void a_log_and_lines_that_write_need_permission(void **state)
{
	struct workload_limits l = disk;
	struct workload w = workload_default();
	struct error e;

	(void)state;
	l.may_write = false;
	w.log_pct = 5;
	assert_int_equal(workload_validate(&w, &l, &e), -EPERM);
	assert_string_equal(e.text, "sdx: log 5 % would write, and writing has not been allowed");
	w = with_lines("4k 99%; 8k 1% read 99");
	assert_int_equal(workload_validate(&w, &l, &e), -EPERM);
	assert_string_equal(e.text,
			    "sdx: the access lines would write, and writing has not been allowed");
	workload_only_read(&w);
	assert_int_equal(workload_validate(&w, &l, &e), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_typed_is_shown),
		cmocka_unit_test(lines_are_read_in_any_order_and_shown_in_one),
		cmocka_unit_test(nonsense_is_refused_by_its_name),
		cmocka_unit_test(a_hundred_lines_fit_and_no_more),
		cmocka_unit_test(lines_come_from_a_file_too),
		cmocka_unit_test(a_file_that_is_not_there_is_named),
		cmocka_unit_test(steps_lead_to_the_end_and_back),
		cmocka_unit_test(a_step_from_what_was_typed_goes_to_the_next),
		cmocka_unit_test(lines_take_the_place_of_the_knobs),
		cmocka_unit_test(what_a_workload_is_called),
		cmocka_unit_test(a_log_and_lines_that_write_need_permission),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
