/* root-ab-also.c - `lunscope ab` while others mark and change things, in a network namespace of its own: what
 * else changed is told, and pairs stay the same two segments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/io.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"

static struct net net;
static struct proc program;
static char json[PATH_MAX], store[PATH_MAX], state_dir[PATH_MAX];
static json_t *doc;

static int clean_up(void **state)
{
	(void)state;
	if (program.pid) {
		kill(program.pid, SIGKILL);
		proc_wait(&program);
	}
	proc_free(&program);
	json_decref(doc);
	doc = NULL;
	net_leave(&net);
	net_free(&net);
	return 0;
}

static void start(const char *const *arguments)
{
	const char *argv[40] = {lunscope_path()};
	const char *env[] = {state_dir, NULL};
	const struct proc_options o = {.env = env, .limit_s = 800};

	for (size_t i = 0; arguments[i]; i++)
		argv[i + 1] = arguments[i];
	proc_free(&program);
	assert_int_equal(proc_start(&program, argv, &o), 0);
}
#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

static void said(const char *where, const char *words)
{
	if (!where || !strstr(where, words))
		fail_msg("status %d, no '%s' in: %s%s", program.status, words, program.out,
			 program.err);
}

static void begin(void)
{
	static unsigned serial;
	char name[32];

	if (net_missing()) {
		print_message("%s\n", net_missing());
		skip();
	}
	assert_int_equal(net_make(&net, 1, 1500), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	snprintf(name, sizeof(name), "run%u.json", serial);
	snprintf(json, sizeof(json), "%s", scratch_path(name));
	snprintf(name, sizeof(name), "runs%u.db", serial);
	snprintf(store, sizeof(store), "%s", scratch_path(name));
	snprintf(name, sizeof(name), "state%u", serial++);
	snprintf(state_dir, sizeof(state_dir), "XDG_STATE_HOME=%s", scratch_path(name));
}

static void load(void)
{
	json_decref(doc);
	doc = json_load_file(json, 0, NULL);
	assert_non_null(doc);
}

static unsigned mtu(void)
{
	struct proc p;
	unsigned value = 0;

	PROC(&p, "ip", "link", "show", "p1");
	const char *at = p.out ? strstr(p.out, " mtu ") : NULL;
	if (at)
		sscanf(at, " mtu %u", &value);
	proc_free(&p);
	return value;
}

/* All of its seconds are whole, and count. */
static void segments_have_the_seconds_asked_for(const json_t *ab, double least)
{
	double sum[2] = {0, 0};
	const json_t *s;
	size_t i;

	json_array_foreach(json_object_get(ab, "segments"), i, s)
	{
		double seconds = io_number(s, "seconds");
		/* Seconds end with a tick of 100 ms. */
		assert_true(seconds > least - 0.06);
		sum[strcmp(json_string_value(json_object_get(s, "side")), "B") == 0] += seconds;
		assert_true(io_number(s, "iops") > 0 && io_number(s, "bytes_s") > 0);
		assert_true(io_number(s, "mean_ns") > 0);
	}
	assert_true(fabs(io_number(ab, "comparison.a.seconds") - sum[0]) < 1e-6);
	assert_true(fabs(io_number(ab, "comparison.b.seconds") - sum[1]) < 1e-6);
}

/* Rows of `show` that are not on the way: the start, four segments, and what others have opened. */
static unsigned rows_that_count(const char *text)
{
	const char *at = strstr(text, "\nsegments (from mark to mark)\n");
	unsigned n = 0;

	assert_non_null(at);
	at = strstr(at, "asked for\n");
	assert_non_null(at);
	for (at = strchr(at, '\n') + 1; *at && *at != '\n'; at = strchr(at, '\n') + 1)
		n += !memmem(at, strcspn(at, "\n"), "on the way", 10);
	return n;
}

static void what_comes_between_is_told_and_shifts_no_pair(void **state)
{
	const json_t *ab, *comparison, *differences;
	struct proc p;
	char line[32], again[PATH_MAX];
	(void)state;

	begin();
	START("ab", "null:1ms", "--flip", "net.ipv4.tcp_sack 1 0", "--pairs", "2", "--segment",
	      "8s", "--settle", "0s", "--store", store, "--json", json);
	/* A mark of somebody's own within the first B: what is behind it is still the same segment. */
	io_await_told(store, "B 1 of 2");
	kill(program.pid, SIGUSR1);
	io_await_told(store, "B 2 of 2");
	PROC(&p, "sysctl", "-q", "-w", "net.ipv4.tcp_timestamps=0");
	proc_free(&p);
	proc_wait(&program);
	if (program.status)
		fail_msg("status %d: %s%s", program.status, program.out, program.err);
	said(program.out, "Also changed during the run:\n  net.ipv4.tcp_timestamps: 1 > 0\n");
	load();
	ab = json_object_get(doc, "ab");
	assert_int_equal(json_array_size(json_object_get(ab, "segments")), 4);
	segments_have_the_seconds_asked_for(ab, 8);
	comparison = json_object_get(ab, "comparison");
	differences = json_object_get(comparison, "differences");
	assert_int_equal(json_array_size(differences), 2);
	assert_string_equal(json_string_value(json_array_get(differences, 0)),
			    "net.ipv4.tcp_sack: 1 > 0");
	assert_string_equal(json_string_value(json_array_get(differences, 1)),
			    "net.ipv4.tcp_timestamps: 1 > 0");
	/* With more than one thing nothing is called alike. */
	size_t i;
	json_t *f;
	json_array_foreach(json_object_get(comparison, "figures"), i, f) assert_string_not_equal(
		json_string_value(json_object_get(f, "verdict")), "within noise");
	/* Of the record: the same seconds count, in the same pairs. */
	double seconds = io_number(json_object_get(comparison, "b"), "seconds");
	snprintf(line, sizeof(line), ": %.0f s in 2 segments", seconds);
	snprintf(again, sizeof(again), "%s.again", json);
	START("compare", "1", "--store", store, "--json", again);
	proc_wait(&program);
	assert_int_equal(program.status, 0);
	said(program.out, "By 2 pairs of segments");
	said(program.out, "net.ipv4.tcp_timestamps: 1 > 0");
	said(strstr(program.out, "\nB  run 1"), line);
	/* To the last digit. */
	json_t *kept = json_load_file(again, 0, NULL);
	assert_non_null(kept);
	assert_true(json_equal(json_object_get(kept, "figures"),
			       json_object_get(comparison, "figures")));
	json_decref(kept);
	START("show", "1", "--store", store);
	proc_wait(&program);
	if (rows_that_count(program.out) != 7)
		fail_msg("%s", strstr(program.out, "\nmarks\n"));
}

/* --- Somebody else. --- */

static void left_out(const char *why)
{
	const json_t *list;

	load();
	list = json_object_get(json_object_get(doc, "ab"), "left_out");
	assert_int_equal(json_array_size(list), 1);
	const json_t *one = json_array_get(list, 0);
	assert_string_equal(json_string_value(json_object_get(one, "side")), "A");
	assert_int_equal(io_count(one, "number"), 1);
	assert_string_equal(json_string_value(json_object_get(one, "why")), why);
}

static void what_somebody_else_sets_spoils_the_pair_and_is_theirs(void **state)
{
	(void)state;
	begin();
	START("ab", "null:1ms", "--flip", "p1 mtu 1500 1400", "--pairs", "2", "--segment", "12s",
	      "--settle", "0s", "--store", store, "--json", json);
	io_await_told(store, "A 1 of 2: ");
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 1300), 0);
	proc_wait(&program);
	/* One pair is left, of which there is no verdict. */
	assert_int_equal(program.status, 1);
	said(program.out, "p1 mtu was set to 1300 by somebody else during A 1\n");
	said(program.out, "1 of 2 pairs count.");
	said(program.out, "One pair of segments: no verdict");
	said(program.err, "put back: p1 mtu 1500 > 1300");
	assert_int_equal(mtu(), 1300);
	left_out("p1 mtu was set to 1300 by somebody else");
	assert_int_equal(io_count(doc, "ab.comparison.pairs"), 1);
	START("restore", "--list");
	proc_wait(&program);
	assert_int_equal(program.status, 0);
	assert_null(strstr(program.out, "p1 mtu"));
	/* Of the record the same pair is left. */
	START("compare", "1", "--store", store);
	proc_wait(&program);
	said(program.out, "One pair of segments: no verdict");
}

static void a_nic_that_goes_away_ends_it_and_nothing_counts(void **state)
{
	struct proc p;
	(void)state;

	begin();
	START("ab", "null:1ms", "--flip", "p1 mtu 1500 1400", "--pairs", "2", "--segment", "60s",
	      "--settle", "0s", "--store", store, "--json", json);
	io_await_told(store, "A 1 of 2: ");
	PROC(&p, "ip", "link", "del", "p1");
	proc_free(&p);
	proc_wait(&program);
	assert_int_equal(program.status, 1);
	said(program.out, "p1 was gone during A 1\n");
	said(program.out, "No pair of segments is complete");
	left_out("p1 was gone");
}

static void a_nic_without_a_link_is_named(void **state)
{
	(void)state;
	begin();
	assert_int_equal(net_cable(&net, 1, false), 0);
	START("ab", "null:1ms", "--flip", "p1 mtu 1500 1400", "--no-store");
	proc_wait(&program);
	assert_int_equal(program.status, 1);
	said(program.err, "p1 has no link 60 s after p1 mtu 1500 was set");
	assert_null(strstr(program.err, "nothing flows"));
}

/* Both values are tried first, and what the kernel says to the second is not told after a segment of IO. */
static void what_the_kernel_refuses_makes_no_run(void **state)
{
	(void)state;
	begin();
	START("ab", "null:1ms", "--flip", "p1 lro off on", "--store", store, "--json", json);
	proc_wait(&program);
	assert_int_equal(program.status, 2);
	said(program.err, "p1 lro can't be set to on: ");
	assert_null(strstr(program.out, "kept as run"));
	assert_null(json_load_file(json, 0, NULL));
	assert_int_equal(access(store, F_OK), -1);
	/* Of two the first one is put back. */
	START("ab", "null:1ms", "--flip", "p1 mtu 1400 1300", "--flip", "p1 lro off on", "--store",
	      store);
	proc_wait(&program);
	assert_int_equal(program.status, 2);
	assert_int_equal(mtu(), 1500);
	START("restore", "--list");
	proc_wait(&program);
	assert_null(strstr(program.out, "p1 "));
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(what_comes_between_is_told_and_shifts_no_pair),
		test(what_somebody_else_sets_spoils_the_pair_and_is_theirs),
		test(a_nic_that_goes_away_ends_it_and_nothing_counts),
		test(a_nic_without_a_link_is_named),
		test(what_the_kernel_refuses_makes_no_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
