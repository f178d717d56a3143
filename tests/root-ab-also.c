/* root-ab-also.c - `lunscope ab` while others mark and change things, in a network namespace of its own: what
 * else changed is told, and pairs stay the same two segments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
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

static void what_comes_between_is_told_and_shifts_no_pair(void **state)
{
	const json_t *comparison, *differences;
	struct proc p;
	char line[32];
	(void)state;

	if (net_missing()) {
		print_message("%s\n", net_missing());
		skip();
	}
	assert_int_equal(net_make(&net, 1, 1500), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	snprintf(json, sizeof(json), "%s", scratch_path("run.json"));
	snprintf(store, sizeof(store), "%s", scratch_path("runs.db"));
	snprintf(state_dir, sizeof(state_dir), "XDG_STATE_HOME=%s", scratch_path("state"));
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
	doc = json_load_file(json, 0, NULL);
	assert_non_null(doc);
	comparison = json_object_get(json_object_get(doc, "ab"), "comparison");
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
	START("compare", "1", "--store", store);
	proc_wait(&program);
	assert_int_equal(program.status, 0);
	said(program.out, "By 2 pairs of segments");
	said(program.out, "net.ipv4.tcp_timestamps: 1 > 0");
	said(strstr(program.out, "\nB  run 1"), line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_comes_between_is_told_and_shifts_no_pair, clean_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
