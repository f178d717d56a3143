/* io-pattern.c - access lines, a log and popular places in a headless run: the figures add up to what was
 * asked for, the record says what it was, and what can't be is refused in one line.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/io.h"
#include "tests/scratch.h"

#define LINES "4k 50% read 100; 16k 30% read 0 random 0; 64k 20% read 50 random 50"

static void check_fine(const struct outcome *o)
{
	if (o->p.status)
		fail_msg("status %d: %s", o->p.status, o->p.err);
	io_check_sums(o->doc);
	assert_int_equal(io_count(o->doc, "summary.total.errors"), 0);
}

static void near(double got, double want, double within)
{
	if (fabs(got / want - 1) > within)
		fail_msg("%g, expected %g", got, want);
}

static const char *setting(const json_t *doc, const char *name)
{
	const json_t *w = json_object_get(json_object_get(doc, "settings"), "workload");

	return json_string_value(json_object_get(json_object_get(w, "settings"), name));
}

/* Reads: 50 % of 4 KiB and 10 % of 64 KiB; writes: 30 % of 16 KiB and 10 % of 64 KiB. */
static void check_lines(const struct outcome *o)
{
	double ios = (double)io_count(o->doc, "summary.total.ios");

	assert_true(ios > 0);
	/* A few hundred IOs spread by a few per cent. */
	double within = 6 / sqrt(ios * 0.1);
	near((double)io_count(o->doc, "summary.read.ios"), ios * 0.6, within);
	near((double)io_count(o->doc, "summary.read.bytes"), ios * (0.5 * 4096 + 0.1 * 65536),
	     within);
	near((double)io_count(o->doc, "summary.write.bytes"), ios * (0.3 * 16384 + 0.1 * 65536),
	     within);
}

static void the_bytes_of_access_lines_add_up_to_their_shares(void **state)
{
	struct outcome o;

	(void)state;
	IO_RUN(&o, "null:", "--for", "300ms", "--rate", "20000", "--lines", LINES, "--write");
	check_fine(&o);
	check_lines(&o);
	assert_string_equal(setting(o.doc, "lines"),
			    "4K 50% read 100 random 100; 16K 30% read 0 random 0; 64K 20% read 50 "
			    "random 50");
	io_free(&o);
}

static void access_lines_run_on_a_file(void **state)
{
	const char *path = scratch_path("fresh"), *lines = scratch_text("lines", LINES "\n");
	char from[300];
	struct outcome o;

	(void)state;
	snprintf(from, sizeof(from), "@%s", lines);
	unlink(path);
	IO_RUN(&o, path, "--create", "16m", "--for", "500ms", "--workers", "2", "--lines", from,
	       "--write", "--rate", "20000");
	if (o.p.status)
		fail_msg("status %d: %s", o.p.status, o.p.err);
	io_check_sums(o.doc);
	check_lines(&o);
	io_free(&o);
}

static void what_was_run_can_be_run_again(void **state)
{
	struct outcome o;

	(void)state;
	IO_RUN(&o, "null:", "--for", "50ms", "--rate", "1000", "--spread", "zipf:1.10", "--streams",
	       "4", "--log", "20", "--sequence", "on", "--lines", "4k random 50", "--write");
	check_fine(&o);
	const char *command =
		json_string_value(json_object_get(json_object_get(o.doc, "settings"), "command"));
	assert_non_null(strstr(command, " --spread zipf:1.1 --streams 4 --log 20% --lines '4K 100% "
					"read 100 random 50' --sequence on"));
	/* What has given way is not in it; a log's block is. */
	assert_null(strstr(command, "--read"));
	assert_non_null(strstr(command, "--block 4K"));
	io_free(&o);
}

static void a_log_appends_its_share(void **state)
{
	struct outcome o;

	(void)state;
	IO_RUN(&o, "null:", "--for", "300ms", "--rate", "20000", "--log", "20%", "--write");
	check_fine(&o);
	double ios = (double)io_count(o.doc, "summary.total.ios");
	near((double)io_count(o.doc, "summary.write.ios"), ios * 0.2, 6 / sqrt(ios * 0.2));
	io_free(&o);
}

static void what_would_write_is_not_done_unasked(void **state)
{
	static const char *const how[][2] = {{"--log", "1"}, {"--lines", "4k read 99"}};
	const char *file = scratch_file("file", 1 << 20, false);
	struct outcome o;

	(void)state;
	for (int i = 0; i < 2; i++) {
		IO_RUN(&o, file, "--for", "50ms", how[i][0], how[i][1]);
		if (o.p.status == 0 || !strstr(o.p.err, "--write"))
			fail_msg("status %d: %s", o.p.status, o.p.err);
		io_free(&o);
	}
}

static void bad_usage_is_told_in_one_line(void **state)
{
	static const struct {
		const char *arguments[6], *words;
	} bad[] = {
		{{"--lines", "4k 80%; 64k 10%"},
		 "lunscope: the shares of the access lines add up to 90 %, not to 100 %\n"},
		{{"--lines", "4k", "--read", "70"},
		 "lunscope: --read and --lines exclude each other: each access line has its own\n"},
		{{"--align", "8k", "--lines", "4k"},
		 "lunscope: --align and --lines exclude each other: each access line has its "
		 "own\n"},
		{{"--lines", "700"},
		 "lunscope: null: access line 1: size 700 is not a multiple of its 512-byte "
		 "blocks\n"},
		{{"--spread", "zipf"},
		 "lunscope: spread 'zipf': write uniform, zipf:1.1, pareto:0.2 or hot:80/20\n"},
		{{"--streams", "300"},
		 "lunscope: streams '300' is not a whole number from 1 to 256\n"},
		{{"--lines", ""},
		 "lunscope: lines '': write lines as 4k 100% read 70 random 100, or none\n"},
		{{"--lines", "4k read 50 read 70"},
		 "lunscope: --lines: access line 1: this is there twice: 'read'\n"},
		{{"--lines", "4k 80% 20%"},
		 "lunscope: --lines: access line 1: its share is there already; names come before "
		 "their "
		 "values, as read 70, so what is '20%'\n"},
		{{"--lines", "4k 100% random"},
		 "lunscope: --lines: access line 1: a value is missing behind (as read 70) "
		 "'random'\n"},
		{{"--arrival", "poisson"},
		 "lunscope: --arrival has no effect, as there is no rate: add --rate IOPS\n"},
		{{"--burst", "4"},
		 "lunscope: --burst has no effect, as there is no think time: add --think TIME\n"},
		{{"--compress", "50"},
		 "lunscope: --compress has no effect, as nothing is written: lower --read\n"},
		{{"--dedupe", "50"},
		 "lunscope: --dedupe has no effect, as nothing is written: lower --read\n"},
		{{"--spread", "zipf:1.1", "--random", "0"},
		 "lunscope: --spread has no effect, as no IO is random: raise --random\n"},
		{{"--streams", "4"},
		 "lunscope: --streams has no effect, as all IOs are random: lower --random\n"},
		{{"--log", "101"}, "lunscope: log '101' is not a percentage from 0 to 100\n"},
		{{"--sequence", "off"}, "lunscope: sequence 'off': write same or on\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct outcome o;
		const char *const *a = bad[i].arguments;
		IO_RUN(&o, "null:", "--for", "50ms", a[0], a[1], a[2], a[3]);
		assert_int_equal(o.p.status, 2);
		assert_string_equal(o.p.err, bad[i].words);
		io_free(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_bytes_of_access_lines_add_up_to_their_shares),
		cmocka_unit_test(access_lines_run_on_a_file),
		cmocka_unit_test(what_was_run_can_be_run_again),
		cmocka_unit_test(a_log_appends_its_share),
		cmocka_unit_test(what_would_write_is_not_done_unasked),
		cmocka_unit_test(bad_usage_is_told_in_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
