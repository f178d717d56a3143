/* io-iscsi-shown.c - a run of the program against a target that misbehaves: what it says of it, in marks,
 * results and on standard error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/io.h"
#include "tests/mocktgt.h"
#include "tests/proc.h"
#include "tests/scratch.h"

static struct mock *m;
static struct proc running;
static char url[512], json[256], store[256];
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
	mock_stop(m);
	m = NULL;
	return 0;
}

static void start_mock(unsigned portals)
{
	m = mock_start(&(struct mock_options){.portals = portals, .lun = {{.blocks = 16384}}});
	size_t used = (size_t)snprintf(url, sizeof(url), "iscsi://");
	for (unsigned i = 1; i <= portals; i++)
		used += (size_t)snprintf(url + used, sizeof(url) - used, "%s%s:%d",
					 i > 1 ? "," : "", mock_address(m, i), mock_port(m));
	snprintf(url + used, sizeof(url) - used, "/%s/0", MOCK_IQN);
}

/* It goes on until its record has what is waited for. */
static void start_run(void)
{
	snprintf(json, sizeof(json), "%s", scratch_path("result.json"));
	snprintf(store, sizeof(store), "%s", scratch_path("runs.db"));
	unlink(json);
	unlink(store);
	const char *argv[] = {
		lunscope_path(), "run", url,       "--json", json,    "--store", store,
		"--outstanding", "8",   "--block", "4K",     "--for", "600s",    NULL};
	proc_free(&running);
	assert_int_equal(proc_start(&running, argv, &(struct proc_options){.limit_s = 800}), 0);
	io_await_ios(store, 500);
}

static void interrupt_run(void)
{
	kill(running.pid, SIGINT);
	proc_wait(&running);
	assert_false(running.timed_out);
	json_decref(doc);
	doc = json_load_file(json, 0, NULL);
	if (!doc || running.status != 128 + SIGINT)
		fail_msg("status %d: %s", running.status, running.err);
}

static const char *mark_with(const char *words)
{
	const json_t *mark;
	size_t i;
	json_array_foreach(json_object_get(doc, "marks"), i, mark)
	{
		const char *text = json_string_value(json_object_get(mark, "text"));
		if (strstr(text, words))
			return text;
	}
	return NULL;
}

static void ios_beyond_the_end_of_a_lun_that_shrank_are_counted_apart_and_named(void **state)
{
	(void)state;
	start_mock(1);
	start_run();
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_CHECK, .count = 3, .key = 3, .ascq = 0x1100});
	mock_resize(m, 0, 8192);
	io_await_told(store, "3 IO errors: Input/output error");
	io_await_told(store, ": beyond the end of the target: it has shrunk");
	io_await_told(store, "has shrunk from 8 MiB to 4 MiB");
	interrupt_run();
	const json_t *kinds = json_object_get(json_object_get(doc, "summary"), "errors_by_kind");
	assert_int_equal(json_integer_value(json_object_get(kinds, "EIO")), 3);
	uint64_t beyond = (uint64_t)json_integer_value(json_object_get(kinds, "beyond the end"));
	assert_true(beyond > 0);
	assert_int_equal(beyond + 3, io_count(doc, "summary.total.errors"));
	assert_non_null(mark_with("3 IO errors: Input/output error"));
	assert_non_null(mark_with(": beyond the end of the target: it has shrunk"));
	assert_non_null(mark_with("has shrunk from 8 MiB to 4 MiB"));
	assert_non_null(strstr(running.err, "failed: beyond the end of the target"));
	assert_non_null(strstr(running.err, "3 IOs failed with EIO (Input/output error)\n"));
	assert_null(strstr(running.err, "ERANGE"));
}

/* What is lost for its size does not come back over a new connection either, though logins do. */
static void a_path_that_carries_small_packets_only_makes_one_think_of_the_mtu(void **state)
{
	(void)state;
	start_mock(2);
	start_run();
	for (unsigned i = 0; i < 2; i++)
		mock_inject(m, &(struct mock_injection){.fault = MOCK_STUCK,
							.of = i ? MOCK_PINGS : MOCK_IO,
							.portal = 2,
							.count = MOCK_ALWAYS});
	io_await_told(store, "small packets get through, large ones don't");
	interrupt_run();
	const char *lost = mark_with("small packets get through, large ones don't");
	assert_non_null(lost);
	assert_non_null(strstr(lost, "path 2 127.0.0.2:"));
	assert_non_null(strstr(lost, "MTU"));
}

static void after_a_redirect_both_portals_are_named(void **state)
{
	char words[120];
	(void)state;
	start_mock(2);
	*strchr(url, ',') = 0;
	snprintf(url + strlen(url), sizeof(url) - strlen(url), "/%s/0", MOCK_IQN);
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_REDIRECT, .portal = 1, .to = 2, .count = MOCK_ALWAYS});
	start_run();
	interrupt_run();
	const json_t *p = json_array_get(json_object_get(doc, "paths"), 0);
	char first[80], second[80];
	snprintf(first, sizeof(first), "127.0.0.1:%d", mock_port(m));
	snprintf(second, sizeof(second), "127.0.0.2:%d", mock_port(m));
	assert_string_equal(json_string_value(json_object_get(p, "portal")), first);
	assert_string_equal(json_string_value(json_object_get(p, "sent_on_to")), second);
	snprintf(words, sizeof(words), "portal    %s sent the login on to %s\n", first, second);
	if (!strstr(running.out, words))
		fail_msg("%s", running.out);
}

/* A pipe whose other end is closed already: whoever writes there is ended by SIGPIPE. */
static void discover_ends_quietly_when_nobody_reads_any_more(void **state)
{
	char script[1024];
	struct proc p;
	(void)state;
	start_mock(1);
	snprintf(script, sizeof(script),
		 "rm -f '%s'; mkfifo '%s' && exec 3<>'%s' 4>'%s' 3<&- && "
		 "'%s' discover 127.0.0.1:%d >&4; echo status $?",
		 scratch_path("pipe"), scratch_path("pipe"), scratch_path("pipe"),
		 scratch_path("pipe"), lunscope_path(), mock_port(m));
	assert_int_equal(PROC(&p, "/bin/sh", "-c", script), 0);
	if (strcmp(p.out, "status 141\n") != 0 || p.err[0])
		fail_msg("%s%s", p.out, p.err);
	proc_free(&p);
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(ios_beyond_the_end_of_a_lun_that_shrank_are_counted_apart_and_named),
		test(discover_ends_quietly_when_nobody_reads_any_more),
		test(after_a_redirect_both_portals_are_named),
		test(a_path_that_carries_small_packets_only_makes_one_think_of_the_mtu),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
