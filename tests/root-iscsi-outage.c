/* root-iscsi-outage.c - a path that dies in the middle of a run, against a real target and one that does as
 * told: what is said of it, and that its time is in no mean and in every record.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tests/io.h"
#include "tests/mocktgt.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define MIB (1u << 20)

static struct tgtd t;
static struct mock *m;
static struct proc running;
static char url[512], json[256], csv[256], db[256];
static json_t *doc;

static int clean_up(void **state)
{
	(void)state;
	if (running.pid) {
		kill(running.pid, SIGKILL);
		proc_wait(&running);
	}
	proc_free(&running);
	json_decref(doc);
	doc = NULL;
	tgtd_free(&t);
	mock_stop(m);
	m = NULL;
	return 0;
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void keep(char path[256], const char *name)
{
	snprintf(path, 256, "%s", scratch_path(name));
	unlink(path);
}

static void start_run(const char *const arguments[])
{
	const char *argv[32] = {lunscope_path(), "run", url,       "--json", json,
				"--csv",         csv,   "--store", db};
	size_t n = 9;
	for (size_t i = 0; arguments[i]; i++)
		argv[n++] = arguments[i];
	proc_free(&running);
	keep(json, "result.json");
	keep(csv, "result.csv");
	keep(db, "runs.db");
	assert_int_equal(proc_start(&running, argv, &(struct proc_options){.limit_s = 800}), 0);
}
#define START(...) start_run((const char *const[]){__VA_ARGS__, NULL})

static void take_result(int status)
{
	proc_wait(&running);
	assert_false(running.timed_out);
	json_decref(doc);
	doc = json_load_file(json, 0, NULL);
	if (!doc || running.status != status)
		fail_msg("status %d: %s", running.status, running.err);
	io_check_sums(doc);
	assert_int_equal(io_count(doc, "summary.total.errors"), 0);
}

static void end_run(void)
{
	take_result(0);
}

/* Of a run that goes on until it has seen everything, which its record tells. */
#define UNTIL_ENDED "--for", "600s"

static void interrupt_run(void)
{
	kill(running.pid, SIGINT);
	take_result(128 + SIGINT);
}

/* --- What the document says. --- */

/* The text of the n-th mark (from 0 on) that has the words; NULL where there is none. */
static const char *mark_with(const char *words, unsigned n)
{
	const json_t *mark;
	size_t i;
	json_array_foreach(json_object_get(doc, "marks"), i, mark)
	{
		const char *text = json_string_value(json_object_get(mark, "text"));
		if (strstr(text, words) && n-- == 0)
			return text;
	}
	return NULL;
}

static void no_marks_but(unsigned most, const char *words)
{
	if (mark_with(words, most))
		fail_msg("more than %u marks with '%s': %s", most, words, mark_with(words, most));
}

/* "1.06 s" or "57.0 ms" behind the words, in seconds. */
static double time_behind(const char *text, const char *words)
{
	const char *at = strstr(text, words);
	char unit[8];
	double v;
	if (!at || sscanf(at + strlen(words), " %lf %7[a-z]", &v, unit) != 2)
		fail_msg("no time behind '%s': %s", words, text);
	return strcmp(unit, "s") == 0 ? v : strcmp(unit, "ms") == 0 ? v / 1e3 : v / 1e6;
}

static bool has_outage(void)
{
	return json_is_object(json_object_get(json_object_get(doc, "summary"), "outage"));
}

/* What stands in a column, from 0 on. */
static double csv_number(const char *line, unsigned column)
{
	while (column--) {
		line = strchr(line, ',');
		assert_non_null(line);
		line++;
	}
	return strtod(line, NULL);
}

static unsigned csv_column(const char *heads, const char *name)
{
	const char *at = strstr(heads, name);
	unsigned column = 0;

	assert_non_null(at);
	for (const char *c = heads; c < at; c++)
		column += *c == ',';
	return column;
}

/* All flagged seconds together are what the summary leaves out, and what the CSV and the store say. */
static void check_records(void)
{
	const json_t *s;
	size_t i, rows = 0;
	unsigned column = 0;
	double flagged = 0, in_csv = 0;
	char line[1024];
	json_array_foreach(json_object_get(doc, "samples"), i, s)
	{
		double gap = io_number(s, "gap_s");
		assert_true(json_is_true(json_object_get(s, "gap")) == (gap > 0));
		assert_true(gap <= io_number(s, "dt_s") + 1e-9);
		flagged += gap;
	}
	assert_true(fabs(flagged - io_number(doc, "summary.outage.elapsed_s")) < 1e-6);
	FILE *f = fopen(csv, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (rows++)
			in_csv += csv_number(line, column);
		else
			column = csv_column(line, "gap_s");
	fclose(f);
	assert_true(fabs(in_csv - flagged) < 0.001 * (double)rows);
	struct proc p;
	assert_int_equal(PROC(&p, lunscope_path(), "show", "1", "--store", db), 0);
	if (p.status || !strstr(p.out, " of path outage left out ("))
		fail_msg("status %d: %s%s", p.status, p.err, p.out);
	assert_non_null(strstr(p.out, mark_with(" 127.0.0.", 0)));
	proc_free(&p);
}

/* The outage is in the figures that have it, and not in the others. */
static void check_means(double least_s)
{
	assert_true(has_outage());
	double out = io_number(doc, "summary.outage.elapsed_s"),
	       in = io_number(doc, "summary.elapsed_s");
	double with = io_number(doc, "summary.outage.with_it.iops");
	double ios = io_number(doc, "summary.total.ios"),
	       gap = io_number(doc, "summary.outage.total.ios");
	assert_true(out >= least_s);
	assert_true(in > 0);
	assert_true(fabs(with * (in + out) / (ios + gap) - 1) < 1e-6);
	assert_true(io_number(doc, "summary.outage.with_it.lat_mean_ns") > 0);
	assert_true(io_number(doc, "summary.outage.gaps") >= 1);
	check_records();
	assert_non_null(strstr(running.out, " of path outage left out ("));
	assert_non_null(strstr(running.out, "with it "));
}

/* --- A real target. --- */

static void start_tgtd(void)
{
	static char file[256];
	if (tgtd_missing()) {
		print_message("%s\n", tgtd_missing());
		skip();
	}
	snprintf(file, sizeof(file), "%s", scratch_file("lun", 16 * MIB, false));
	assert_int_equal(tgtd_start(&t, NULL), 0);
	assert_int_equal(tgtd_target(&t, "one"), 1);
	assert_int_equal(
		tgtd_lun(&t, 1, 1, &(struct tgtd_lun){.file = file, .id = "00000000c0ffee11"}), 0);
	snprintf(url, sizeof(url), "%s", tgtd_url(&t, 1, "", "one", 1));
}

/* A think time makes IOPS the same at all times, whatever the host is doing: 4 IOs in flight, 20 ms each. */
#define STEADY "--outstanding", "4", "--think", "20ms", "--block", "4K"

static void a_target_that_is_killed_and_started_again_does_not_spoil_the_means(void **state)
{
	(void)state;
	start_tgtd();
	START(STEADY, "--for", "3s");
	end_run();
	assert_false(has_outage());
	double without = io_number(doc, "summary.total.iops");
	START(STEADY, UNTIL_ENDED);
	io_await_ios(db, 100);
	tgtd_kill(&t);
	io_await_told(db, "path 1 127.0.0.1:");
	pause_ms(2000);
	assert_int_equal(tgtd_restart(&t), 0);
	io_await_told(db, "path 1 is back after");
	io_await_ios(db, io_ios(db) + 100);
	interrupt_run();
	check_means(1.5);
	double iops = io_number(doc, "summary.total.iops");
	double with = io_number(doc, "summary.outage.with_it.iops");
	if (fabs(log(iops / without)) > log(2) || with >= iops)
		fail_msg("%.1f IOPS without an outage, %.1f beside it, %.1f with it", without, iops,
			 with);
	/* It took IOs with it that were done when it was back. */
	assert_true(io_number(doc, "summary.outage.lat_max_ns") > 1.5e9);
	assert_non_null(mark_with("path 1 127.0.0.1:", 0));
	no_marks_but(1, " lost: ");
	no_marks_but(1, "back after");
	const char *back = mark_with("path 1 is back after", 0);
	assert_non_null(back);
	assert_true(time_behind(back, "back after") >= 1.5);
	assert_true(time_behind(back, "IO stood still for") >= time_behind(back, "back after"));
	assert_true(time_behind(back, "took") >= 1.5);
}

/* --- Four paths to a target that does as told. --- */

static void start_mock(unsigned portals)
{
	m = mock_start(&(struct mock_options){.portals = portals, .lun = {{.blocks = 16384}}});
	size_t used = (size_t)snprintf(url, sizeof(url), "iscsi://");
	for (unsigned i = 1; i <= portals; i++)
		used += (size_t)snprintf(url + used, sizeof(url) - used, "%s%s:%d",
					 i > 1 ? "," : "", mock_address(m, i), mock_port(m));
	snprintf(url + used, sizeof(url) - used, "/%s/0", MOCK_IQN);
}

/* In the line that begins there. */
static size_t columns_of(const char *line)
{
	size_t n = 0;

	for (; *line && *line != '\n'; line++)
		n += ((unsigned char)*line & 0xc0) != 0x80;
	return n;
}

static void a_path_that_is_cut_moves_its_ios_and_is_told_with_all_three_times(void **state)
{
	(void)state;
	start_mock(4);
	START("--workers", "2", "--outstanding", "16", UNTIL_ENDED);
	io_await_ios(db, 1000);
	mock_portal(m, 2, false);
	io_await_told(db, "path 2 127.0.0.2:");
	pause_ms(1500);
	mock_portal(m, 2, true);
	io_await_told(db, "path 2 is back after");
	interrupt_run();
	assert_non_null(mark_with("path 2 127.0.0.2:", 0));
	no_marks_but(1, " lost");
	no_marks_but(1, "back after");
	const char *back = mark_with("path 2 is back after", 0);
	assert_non_null(back);
	assert_true(time_behind(back, "back after") >= 1.4);
	/* The result says so, too: in lines that are short enough. */
	char words[64];
	snprintf(words, sizeof(words), "s  path 2 127.0.0.2:%d lost", mock_port(m));
	if (!strstr(running.out, words) || !strstr(running.out, "s  path 2 is back after"))
		fail_msg("no '%s': %s", words, running.out);
	const char *line = strstr(running.out, words);
	while (line[-1] != '\n')
		line--;
	for (; *line && strncmp(line, "kept as run", 11) != 0; line += strcspn(line, "\n") + 1)
		if (columns_of(line) > 79)
			fail_msg("%zu columns: %s", columns_of(line), line);
	/* At least one of the 32 IOs was on its way there, and did not wait for it. */
	check_means(0.05);
	assert_true(strtoul(strstr(back, "; ") + 2, NULL, 10) >= 1);
	assert_true(time_behind(back, "moved within") < time_behind(back, "back after"));
	assert_true(time_behind(back, "the longest took") > 0);
	assert_true(io_number(doc, "summary.outage.elapsed_s") < time_behind(back, "back after"));
}

static void one_that_falls_silent_is_a_gap_from_its_last_answer_on(void **state)
{
	(void)state;
	start_mock(2);
	START("--outstanding", "16", UNTIL_ENDED);
	io_await_ios(db, 1000);
	mock_inject(m, &(struct mock_injection){.fault = MOCK_STUCK,
						.of = MOCK_COMMANDS,
						.portal = 2,
						.count = MOCK_ALWAYS});
	mock_inject(m, &(struct mock_injection){.fault = MOCK_STUCK,
						.of = MOCK_PINGS,
						.portal = 2,
						.count = MOCK_ALWAYS});
	io_await_told(db, " moved within ");
	mock_heal(m);
	io_await_told(db, "path 2 is back after");
	interrupt_run();
	assert_non_null(mark_with("path 2 127.0.0.2:", 0));
	/* Silence is found out later; the IOs that were stuck meanwhile took as long. */
	check_means(0.5);
	assert_true(time_behind(mark_with(" moved within ", 0), "the longest took") >= 0.5);
	assert_true(io_number(doc, "summary.outage.lat_max_ns") >= 0.5e9);
}

static void a_path_that_never_comes_back_is_told_once_and_the_run_goes_on(void **state)
{
	(void)state;
	start_mock(3);
	START("--outstanding", "12", UNTIL_ENDED);
	io_await_ios(db, 1000);
	mock_portal(m, 3, false);
	io_await_told(db, "path 3 127.0.0.3:");
	/* Long enough for that not to be most of it. */
	pause_ms(4000);
	interrupt_run();
	const char *lost = mark_with("path 3 127.0.0.3:", 0);
	assert_non_null(lost);
	no_marks_but(1, "lost");
	no_marks_but(0, "back after");
	/* Not held until the path is back, which is allowed for half a minute. */
	assert_true(time_behind(lost, "moved within") < 20);
	assert_true(has_outage());
	assert_true(io_number(doc, "summary.elapsed_s") >
		    io_number(doc, "summary.outage.elapsed_s"));
}

/* --- The end of a run that nothing answers any more. --- */

/* So that there is something for the means, however long the start takes. */
static void measure_a_while(void)
{
	io_await_ios(db, 1);
	pause_ms(1500);
}

static void fall_silent(void)
{
	static const enum mock_of all[] = {MOCK_COMMANDS, MOCK_PINGS};
	for (size_t i = 0; i < 2; i++)
		mock_inject(m, &(struct mock_injection){
				       .fault = MOCK_STUCK, .of = all[i], .count = MOCK_ALWAYS});
}

static void check_silence(int status)
{
	proc_wait(&running);
	assert_false(running.timed_out);
	doc = json_load_file(json, 0, NULL);
	if (!doc || running.status != status)
		fail_msg("status %d: %s", running.status, running.err);
	for (unsigned i = 0; i < 2; i++)
		if (!mark_with(i ? "path 2 127.0.0.2:" : "path 1 127.0.0.1:", 0))
			fail_msg("path %u is not told of: %s%s", i + 1, running.out, running.err);
	no_marks_but(0, "back after");
	assert_non_null(strstr(running.err, "16 IOs not back in time"));
	if (strstr(running.err, "law is off") || strstr(running.err, "don't trust"))
		fail_msg("the figures are blamed: %s", running.err);
	/* What was measured before it is in the means, what came after is not. */
	check_means(1.0);
	double in = io_number(doc, "summary.elapsed_s"), with = io_number(doc, "summary.total.ios");
	assert_true(in >= 1.0);
	assert_true(io_number(doc, "summary.total.iops") * in / with > 0.99);
	assert_true(io_number(doc, "summary.outage.with_it.iops") <
		    0.9 * io_number(doc, "summary.total.iops"));
}

static void a_signal_into_a_silence_of_all_paths_leaves_the_silence_out_and_marks_it(void **state)
{
	(void)state;
	start_mock(2);
	START("--outstanding", "16", UNTIL_ENDED);
	measure_a_while();
	fall_silent();
	pause_ms(2000);
	kill(running.pid, SIGTERM);
	check_silence(128 + SIGTERM);
}

static void so_does_the_end_of_the_time_that_was_asked_for(void **state)
{
	(void)state;
	start_mock(2);
	START("--outstanding", "16", "--for", "8s");
	measure_a_while();
	fall_silent();
	check_silence(1);
}

static void paths_that_stay_up_leave_nothing_out(void **state)
{
	(void)state;
	start_mock(4);
	START("--workers", "2", "--outstanding", "16", "--for", "2s");
	end_run();
	assert_false(has_outage());
	no_marks_but(0, "lost");
	assert_true(fabs(io_sum(doc, "samples", "read.ios") - io_number(doc, "summary.total.ios")) <
		    0.5);
	assert_null(strstr(running.out, "left out"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			a_target_that_is_killed_and_started_again_does_not_spoil_the_means,
			clean_up),
		cmocka_unit_test_teardown(
			a_path_that_is_cut_moves_its_ios_and_is_told_with_all_three_times,
			clean_up),
		cmocka_unit_test_teardown(one_that_falls_silent_is_a_gap_from_its_last_answer_on,
					  clean_up),
		cmocka_unit_test_teardown(
			a_path_that_never_comes_back_is_told_once_and_the_run_goes_on, clean_up),
		cmocka_unit_test_teardown(
			a_signal_into_a_silence_of_all_paths_leaves_the_silence_out_and_marks_it,
			clean_up),
		cmocka_unit_test_teardown(so_does_the_end_of_the_time_that_was_asked_for, clean_up),
		cmocka_unit_test_teardown(paths_that_stay_up_leave_nothing_out, clean_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
