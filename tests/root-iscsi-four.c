/* root-iscsi-four.c - four paths to one LUN of a real target, and every way in which they die: the cable
 * pulled, the portal closed, packets that arrive nowhere, the target killed. First one of them, then three.
 *
 * Two look on: IOs with names on them (drive.h), each of which must come back well, and after which every
 * byte must be what was written; and the real program, whose report must say what was lost and that it came
 * back. The first path stays, and has to carry what the others can't.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tests/drive.h"
#include "tests/io.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define KIB   1024u
#define MIB   (1024u * KIB)
#define DEPTH 32u
#define PATHS 4u

static struct tgtd t;
static struct net net;
static struct drive d;
static struct proc program;
static char json[PATH_MAX], store[PATH_MAX];

static int clean_up(void **state)
{
	(void)state;
	if (program.pid) {
		kill(program.pid, SIGKILL);
		proc_wait(&program);
	}
	proc_free(&program);
	if (d.queue)
		drive_drain(&d, 40);
	drive_close(&d);
	tgtd_free(&t);
	net_free(&net);
	return 0;
}

static void need(const char *missing)
{
	if (missing) {
		print_message("%s\n", missing);
		skip();
	}
}

/* Keeps the IOs going until the condition holds, or patience is over. */
#define drive_until(condition)                              \
	do {                                                \
		double end_ = proc_now() + proc_patience(); \
		while (!(condition) && proc_now() < end_)   \
			drive_for(&d, 0.05);                \
		assert_true(condition);                     \
	} while (0)

/* --- Both who look on. --- */

static const char *url_of_all(void)
{
	static char url[512];
	size_t used = (size_t)snprintf(url, sizeof url, "iscsi://");

	for (unsigned i = 1; i <= PATHS; i++)
		used += (size_t)snprintf(url + used, sizeof url - used, "%s%s:%d", i > 1 ? "," : "",
					 tgtd_address(&t, i), t.port);
	snprintf(url + used, sizeof url - used, "/%s/1", tgtd_iqn("one"));
	return url;
}

static void start_program(const char *url, const char *policy)
{
	static unsigned serial;
	char file[32];

	snprintf(file, sizeof file, "runs%u.db", serial);
	snprintf(store, sizeof store, "%s", scratch_path(file));
	snprintf(file, sizeof file, "run%u.json", serial++);
	snprintf(json, sizeof json, "%s", scratch_path(file));
	const char *argv[] = {lunscope_path(),
			      "run",
			      url,
			      "--paths",
			      policy,
			      "--outstanding",
			      "16",
			      "--rate",
			      "500",
			      "--for",
			      "600s",
			      "--json",
			      json,
			      "--store",
			      store,
			      NULL};
	assert_int_equal(proc_start(&program, argv, &(struct proc_options){.limit_s = 800}), 0);
}

/* Connections of this namespace over which more has come than logins and questions need. */
static unsigned connections_with_data(void)
{
	static const char name[] = "bytes_received:";
	unsigned n = 0;
	struct proc p;

	PROC(&p, "ss", "-tinH");
	for (const char *at = p.out; p.out && (at = strstr(at, name)); at++)
		n += strtoul(at + strlen(name), NULL, 10) > 64 * KIB;
	proc_free(&p);
	return n;
}

/* The program goes first: it would inherit the connections of others, and keep them open. */
static void wait_for_program(void)
{
	double end = proc_now() + proc_patience();

	while (connections_with_data() < PATHS && proc_now() < end)
		nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
	assert_int_equal(connections_with_data(), PATHS);
}

/* A LUN of 16 MiB over four links, written and read over all of them. */
static void begin(enum paths_policy policy, const char *name)
{
	struct tgtd_lun l = {.file = scratch_file("lun", 16 * MIB, true), .id = "5eed0004"};
	struct backend_paths paths = {.policy = policy, .hold_ns = PATHS_HOLD_NS};

	need(tgtd_missing());
	need(net_missing());
	assert_int_equal(net_make(&net, PATHS, 0), 0);
	assert_int_equal(tgtd_start(&t, &(struct tgtd_options){.net = &net}), 0);
	assert_int_equal(tgtd_target(&t, "one"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	const char *url = url_of_all();
	start_program(url, name);
	wait_for_program();
	if (drive_open_paths(&d, url, DEPTH, 4 * KIB, &paths))
		fail_msg("%s", d.e.text);
	d.write_percent = 60;
	drive_until(drive_path(&d, 0).ios > 50 && drive_path(&d, 1).ios > 50 &&
		    drive_path(&d, 2).ios > 50 && drive_path(&d, 3).ios > 50);
}

static bool up(unsigned path)
{
	return drive_path(&d, path - 1).state == SESSION_UP;
}

static bool all_up(void)
{
	return up(1) && up(2) && up(3) && up(4);
}

/* What the program has noticed so far, as its store tells: so many marks of this path's loss or return. */
static unsigned told(unsigned path, bool back)
{
	char words[64];

	if (back)
		snprintf(words, sizeof words, "path %u is back after", path);
	else
		snprintf(words, sizeof words, "path %u %s:%d lost", path, tgtd_address(&t, path),
			 t.port);
	return io_told(store, words);
}

static bool all_told(unsigned first, bool back, unsigned times)
{
	for (unsigned i = first; i <= PATHS; i++)
		if (told(i, back) < (i == PATHS ? times : 1))
			return false;
	return true;
}

/* --- What they must have seen. --- */

static const json_t *session_of(const json_t *doc, unsigned path)
{
	const json_t *s = json_array_get(json_object_get(doc, "sessions"), path - 1);
	assert_non_null(s);
	return s;
}

static const char *text(const json_t *s, const char *name)
{
	const char *words = json_string_value(json_object_get(s, name));
	return words ? words : "";
}

static bool pulled; /* a cable was */

/* The program's report: all IOs came back well, paths from the first lost one on were lost and are up. */
static void end_program(unsigned first)
{
	assert_int_equal(kill(program.pid, SIGINT), 0);
	proc_wait(&program);
	json_t *doc = json_load_file(json, 0, NULL);
	if (!doc)
		fail_msg("status %d: %s", program.status, program.err);
	assert_int_equal(program.status, 128 + SIGINT);
	assert_null(strstr(program.err, "not back in time"));
	assert_true(io_count(doc, "summary.total.ios") > 0);
	assert_int_equal(io_count(doc, "summary.total.errors"), 0);
	const json_t *generations = json_object_get(json_object_get(doc, "summary"), "generations");
	assert_true(json_array_size(generations) > 0);
	for (size_t i = 0; i < json_array_size(generations); i++) {
		const json_t *g = json_array_get(generations, i);
		assert_int_equal(io_count(g, "submitted"), io_count(g, "completed"));
	}
	for (unsigned i = 1; i <= PATHS; i++) {
		const json_t *s = session_of(doc, i);
		assert_string_equal(text(s, "state"), "up");
		assert_true((io_count(s, "drops") > 0) == (i >= first));
		assert_true((text(s, "lost")[0] != 0) == (i >= first));
	}
	if (!strstr(program.out, "s  path 4 "))
		fail_msg("the loss of path 4 is not in the result: %s", program.out);
	if ((strstr(program.out, ": no link on ") != NULL) != pulled)
		fail_msg("a link %s: %s", pulled ? "was lost" : "was not lost", program.out);
	pulled = false;
	json_decref(doc);
}

static void end(unsigned first)
{
	assert_true(drive_ios(&d, 500));
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(drive_balanced(&d));
	assert_true(drive_read_all(&d));
	assert_true(drive_balanced(&d));
	if (d.errors)
		print_error("%s\n", strerror(-d.last_error));
	assert_int_equal(d.errors, 0);
	assert_int_equal(d.wrong, 0);
	for (unsigned i = 1; i <= PATHS; i++)
		assert_true((drive_path(&d, i - 1).drops > 0) == (i >= first));
	end_program(first);
}

/* --- Dying. --- */

static int link_dies(unsigned path, bool dies)
{
	pulled = true;
	return net_cable(&net, path, !dies);
}

static int portal_dies(unsigned path, bool dies)
{
	return tgtd_portal(&t, path, !dies);
}

static int packets_vanish(unsigned path, bool dies)
{
	return net_blackhole(&net, path, dies);
}

/* Paths from `first` on die and come back; `times` counts the deaths of the last one. */
static void die_and_come_back(int (*death)(unsigned, bool), unsigned first, unsigned times)
{
	for (unsigned i = first; i <= PATHS; i++)
		assert_int_equal(death(i, true), 0);
	drive_until(!up(PATHS) && (first == PATHS || (!up(2) && !up(3))));
	/* The others are down, and the first goes on. */
	uint64_t before = drive_path(&d, 0).ios;
	drive_until(drive_path(&d, 0).ios > before + 500);
	assert_false(up(PATHS));
	assert_true(first == PATHS || (!up(2) && !up(3)));
	drive_until(all_told(first, false, times));
	assert_true(up(1));
	for (unsigned i = first; i <= PATHS; i++)
		assert_int_equal(death(i, false), 0);
	drive_until(all_up());
	drive_until(all_told(first, true, times));
	/* And they carry IOs again. */
	uint64_t ios[PATHS];
	for (unsigned i = 0; i < PATHS; i++)
		ios[i] = drive_path(&d, i).ios;
	for (unsigned i = 0; i < PATHS; i++)
		drive_until(drive_path(&d, i).ios > ios[i]);
}

static void one_then_three(int (*death)(unsigned, bool), enum paths_policy policy, const char *name)
{
	begin(policy, name);
	die_and_come_back(death, 4, 1);
	die_and_come_back(death, 2, 2);
	end(2);
}

#define dies(what, how)                                                \
	static void what##_least(void **state)                         \
	{                                                              \
		(void)state;                                           \
		one_then_three(how, PATHS_LEAST, "least");             \
	}                                                              \
	static void what##_round_robin(void **state)                   \
	{                                                              \
		(void)state;                                           \
		one_then_three(how, PATHS_ROUND_ROBIN, "round-robin"); \
	}

dies(pulled_cables_lose_nothing_by, link_dies) dies(closed_portals_lose_nothing_by, portal_dies)
	dies(packets_that_vanish_lose_nothing_by, packets_vanish)

		static void a_killed_target_takes_all_four_and_loses_nothing(void **state)
{
	(void)state;
	begin(PATHS_LEAST, "least");
	tgtd_kill(&t);
	drive_until(!up(1) && !up(2) && !up(3) && !up(4));
	drive_until(all_told(1, false, 1));
	assert_int_equal(tgtd_restart(&t), 0);
	drive_until(all_up());
	drive_until(all_told(1, true, 1));
	end(1);
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(pulled_cables_lose_nothing_by_least),
		test(pulled_cables_lose_nothing_by_round_robin),
		test(closed_portals_lose_nothing_by_least),
		test(closed_portals_lose_nothing_by_round_robin),
		test(packets_that_vanish_lose_nothing_by_least),
		test(packets_that_vanish_lose_nothing_by_round_robin),
		test(a_killed_target_takes_all_four_and_loses_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
