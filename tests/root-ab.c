/* root-ab.c - `lunscope ab`: an MTU that lunscope flips by itself beneath its own sessions, and puts back,
 * whatever ends it.
 *
 * Only this side's MTU changes, as on a host whose network carries jumbo frames anyway: the target goes on
 * with 9000, and does not know. The sessions have to be logged in anew at each change, or nothing would come
 * through at 1500.
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
#include <time.h>
#include "tests/io.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"
#include "tests/vt.h"

static struct net net;
static struct tgtd t;
static struct proc program;
static struct vt *screen;
static char url[512], json[PATH_MAX], store[PATH_MAX], state_dir[PATH_MAX];
static json_t *doc;

static int clean_up(void **state)
{
	(void)state;
	vt_free(screen);
	screen = NULL;
	if (program.pid) {
		kill(program.pid, SIGKILL);
		proc_wait(&program);
	}
	proc_free(&program);
	json_decref(doc);
	doc = NULL;
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

/* --- Both ends. --- */

static void begin(void)
{
	static unsigned serial;
	char name[32];

	need(tgtd_missing());
	need(net_missing());
	assert_int_equal(net_make(&net, 1, 9000), 0);
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 1500), 0);
	assert_int_equal(tgtd_start(&t, &(struct tgtd_options){.net = &net}), 0);
	assert_int_equal(tgtd_target(&t, "one"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &(struct tgtd_lun){.id = "5eed0006"}), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	snprintf(url, sizeof(url), "%s", tgtd_url(&t, 1, "", "one", 1));
	snprintf(name, sizeof(name), "run%u.json", serial);
	snprintf(json, sizeof(json), "%s", scratch_path(name));
	snprintf(name, sizeof(name), "runs%u.db", serial);
	snprintf(store, sizeof(store), "%s", scratch_path(name));
	snprintf(name, sizeof(name), "state%u", serial++);
	snprintf(state_dir, sizeof(state_dir), "XDG_STATE_HOME=%s", scratch_path(name));
}

/* lunscope COMMAND ARGUMENT..., with a journal of this test's own. */
static void start(const char *const arguments[])
{
	const char *argv[40] = {lunscope_path()};
	const char *env[] = {state_dir, NULL};
	const struct proc_options o = {.env = env, .limit_s = 200};
	size_t n = 1;

	for (size_t i = 0; arguments[i]; i++)
		argv[n++] = arguments[i];
	proc_free(&program);
	assert_int_equal(proc_start(&program, argv, &o), 0);
}
#define START(...) start((const char *const[]){__VA_ARGS__, NULL})
#define RUN(...)                     \
	do {                         \
		START(__VA_ARGS__);  \
		proc_wait(&program); \
	} while (0)
#define AB                                                                                \
	"ab", url, "--flip", "p1 mtu 1500 9000", "--block", "256K", "--outstanding", "8", \
		"--settle", "1s", "--store", store, "--json", json

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

static void wait_for_mtu(unsigned value)
{
	double end = proc_now() + proc_patience();

	while (mtu() != value && proc_now() < end)
		nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
	assert_int_equal(mtu(), value);
}

static void said(const char *where, const char *words)
{
	if (!where || !strstr(where, words))
		fail_msg("status %d, no '%s' in: %s%s", program.status, words, program.out,
			 program.err);
}

static void refused(const char *words)
{
	assert_int_equal(program.status, 2);
	said(program.err, words);
	assert_int_equal(strcspn(program.err, "\n") + 1, strlen(program.err));
	assert_null(json_load_file(json, 0, NULL));
}

static const json_t *figure(const json_t *comparison, const char *name)
{
	const json_t *f;
	size_t i;

	json_array_foreach(json_object_get(comparison, "figures"), i, f)
	{
		if (strcmp(json_string_value(json_object_get(f, "figure")), name) == 0)
			return f;
	}
	fail_msg("there is no figure %s", name);
	return NULL;
}

static unsigned marks_with(const char *words)
{
	const json_t *mark;
	size_t i;
	unsigned n = 0;

	json_array_foreach(json_object_get(doc, "marks"), i, mark) n +=
		strstr(json_string_value(json_object_get(mark, "text")), words) != NULL;
	return n;
}

/* --- In turn. --- */

static void the_mtu_is_flipped_in_turn_told_apart_and_put_back(void **state)
{
	const json_t *ab, *comparison;
	(void)state;

	begin();
	/* It ends with B, so that there is something to put back. */
	RUN(AB, "--pairs", "4", "--segment", "4s");
	if (program.status)
		fail_msg("status %d: %s%s", program.status, program.out, program.err);
	assert_int_equal(mtu(), 1500);
	said(program.err, "put back: p1 mtu 9000 > 1500");
	said(program.out, "A  p1 mtu 1500: ");
	said(program.out, "B  p1 mtu 9000: ");
	said(program.out, "By 4 pairs of segments");
	said(program.out, "Drift of IOPS: ");
	doc = json_load_file(json, 0, NULL);
	assert_non_null(doc);
	assert_int_equal(io_count(doc, "summary.total.errors"), 0);
	ab = json_object_get(doc, "ab");
	comparison = json_object_get(ab, "comparison");
	assert_string_equal(json_string_value(json_object_get(ab, "order")), "ABBABAAB");
	assert_int_equal(json_array_size(json_object_get(ab, "segments")), 8);
	assert_int_equal(io_count(comparison, "pairs"), 4);
	/* Each change is marked by itself, and each segment by what it is. */
	assert_int_equal(marks_with("p1 mtu 1500 > 9000"), 3);
	assert_int_equal(marks_with("p1 mtu 9000 > 1500"), 2);
	assert_int_equal(marks_with("A 4 of 4: p1 mtu 1500"), 1);
	assert_int_equal(marks_with("B 4 of 4: p1 mtu 9000"), 1);
	/* What is sure in a short time: six times fewer packets. */
	assert_true(io_number(figure(comparison, "bytes_per_packet"), "low") > 3);
	assert_true(io_number(json_array_get(json_object_get(doc, "sessions"), 0), "relogins") >=
		    4);
	/* Kept as one run, whose segments can be listed, and compared again. */
	RUN("show", "1", "--store", store);
	said(program.out, "B 2 of 4: p1 mtu 9000");
	said(program.out, "--flip 'p1 mtu 1500 9000'");
	RUN("compare", "1", "--store", store);
	assert_int_equal(program.status, 0);
	said(program.out, "B  run 1, segments ");
	said(program.out, "By 4 pairs of segments");
	RUN("compare", "1:1,2", "1:3", "--store", store);
	assert_int_equal(program.status, 2);
	said(program.err, "2 segments against 1: pairs need as many on both sides");
	RUN("compare", "1:1,99", "1:3,4", "--store", store);
	assert_int_equal(program.status, 2);
	said(program.err, "has no segment '99'");
	/* Counted twice, chance would look like certainty. */
	RUN("compare", "1:1,1", "1:3,4", "--store", store);
	assert_int_equal(program.status, 2);
	said(program.err, "'1,1': segment 1 is named twice");
	RUN("compare", "1:1,", "1:3,4", "--store", store);
	assert_int_equal(program.status, 2);
	said(program.err, "'1,': a segment's name is missing by a comma");
}

/* --- However it ends. --- */

static void start_long(void)
{
	START(AB, "--pairs", "2", "--segment", "60s");
	/* From A on, which it is already, to the end of that segment: it is cut short. */
}

static void a_signal_puts_it_back_and_ends_it(int number)
{
	begin();
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 4000), 0);
	start_long();
	wait_for_mtu(1500);
	kill(program.pid, number);
	proc_wait(&program);
	if (program.status != 128 + number)
		fail_msg("status %d: %s", program.status, program.err);
	assert_int_equal(mtu(), 4000);
	said(program.err, "put back: p1 mtu 1500 > 4000");
	said(program.out, "No pair of segments is complete");
	doc = json_load_file(json, 0, NULL);
	assert_non_null(doc);
	assert_true(json_is_null(json_object_get(json_object_get(doc, "ab"), "comparison")));
}

static void an_interrupt_puts_it_back(void **state)
{
	(void)state;
	a_signal_puts_it_back_and_ends_it(SIGINT);
}

static void so_does_a_request_to_terminate(void **state)
{
	(void)state;
	a_signal_puts_it_back_and_ends_it(SIGTERM);
}

static void after_a_kill_nothing_begins_until_it_is_restored(void **state)
{
	(void)state;
	begin();
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 4000), 0);
	start_long();
	wait_for_mtu(1500);
	kill(program.pid, SIGKILL);
	proc_wait(&program);
	assert_int_equal(mtu(), 1500);
	RUN(AB);
	refused("p1 mtu is still 1500, as a lunscope that was killed");
	said(program.err, "lunscope restore puts that back");
	/* What somebody else has set since is not what was left: the next thing that is wrong is told. */
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 2000), 0);
	RUN(AB, "--flip", "p1 lro off on");
	refused("p1 lro can't be set to on");
	assert_int_equal(mtu(), 2000);
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 1500), 0);
	RUN("restore");
	assert_int_equal(program.status, 0);
	assert_int_equal(mtu(), 4000);
}

static void ios_that_do_not_come_back_are_not_measured(void **state)
{
	(void)state;
	begin();
	START(AB, "--pairs", "2", "--segment", "4s", "--stop-on-error", "--io-hold", "0");
	/* Before the run both values are tried. */
	io_await_ios(store, 1);
	wait_for_mtu(9000);
	tgtd_kill(&t);
	proc_wait(&program);
	if (program.status != 1)
		fail_msg("status %d: %s%s", program.status, program.out, program.err);
	assert_int_equal(mtu(), 1500);
	said(program.err, "the run ended early");
}

/* --- Before anything is done. --- */

static void what_can_not_be_flipped_is_refused_before_any_io(void **state)
{
	struct proc p;
	(void)state;

	begin();
	RUN("ab", url, "--json", json, "--flip", "p1 pause rx off on");
	refused("not supported");
	RUN("ab", url, "--json", json, "--flip", "nic9 mtu 1500 9000");
	refused("there is no NIC 'nic9'");
	RUN("ab", url, "--json", json, "--flip", "p1 mtu 1500 9000", "--flip", "p1 mtu 1500 9000");
	refused("p1 mtu is given twice");
	RUN("ab", url, "--json", json, "--flip", "p1 mtu 1500 9000", "--pairs", "3");
	refused("an even number");
	RUN("ab", url, "--json", json, "--flip", "p1 mtu 1500 9000", "--segment", "1s");
	refused("--segment '1s': a segment takes 4s or more");
	RUN("ab", url, "--json", json);
	refused("ab needs what is compared");
	RUN("ab", url, "--json", json, "--name-a", "one", "--name-b", "other");
	refused("this is no terminal: give --flip");
	assert_int_equal(mtu(), 1500);
	PROC(&p, "setpriv", "--bounding-set=-net_admin", lunscope_path(), "ab", url, "--flip",
	     "p1 mtu 1500 9000");
	if (p.status != 127) {
		assert_int_equal(p.status, 2);
		/* It is root already. */
		if (!strstr(p.err, "Operation not permitted") || strstr(p.err, "needs root"))
			fail_msg("%s", p.err);
	}
	proc_free(&p);
}

/* --- Set by hand. --- */

/* The question is the last that was said. */
static bool asked(struct vt *v, void *question)
{
	int row, col;
	bool visible;

	vt_cursor(v, &row, &col, &visible);
	return strstr(vt_row(v, row), question) != NULL;
}

static void without_a_flip_it_asks_for_each_change(void **state)
{
	static const char *const asks[] = {"Now set A: switch at 1500, and press Enter.",
					   "Now set B: switch at 9000, and press Enter.",
					   "Now set A: switch at 1500, and press Enter."};
	static const char *const measures[] = {"segment 1 of 4: measuring",
					       "segment 2 of 4: measuring",
					       "segment 4 of 4: measuring"};
	static const char *const at[] = {
		"^Segment 1 of 4, about 16[.0-9]* s to go beside the time to set it; IO goes on[.]",
		"^Segment 2 of 4, about 12[.0-9]* s to go ",
		"^Segment 4 of 4, about 4[.0-9]* s to go "};
	const char *env[] = {state_dir, NULL};
	const struct vt_options o = {.cols = 132, .rows = 43, .env = env};
	(void)state;

	begin();
	screen = VT_START(&o, lunscope_path(), "ab", "null:1ms", "--name-a", "switch at 1500",
			  "--name-b", "switch at 9000", "--pairs", "2", "--segment", "4s",
			  "--settle", "0s", "--store", store);
	for (unsigned i = 0; i < 3; i++) {
		VT_EXPECT(screen, vt_wait(screen, asked, (void *)asks[i]));
		VT_MATCH(screen, VT_ANY, at[i]);
		/* Enter while it still measured is no answer. */
		vt_pump(screen, i ? 1.5 : 0);
		VT_EXPECT(screen, vt_wait(screen, asked, (void *)asks[i]));
		vt_type(screen, "\r");
		VT_TEXT(screen, measures[i]);
		vt_type(screen, "\r");
	}
	/* A row each, as they come, and how long it still takes. */
	VT_MATCH(screen, VT_ANY, "^segment  length +IOPS +rate +mean +CPU/GiB");
	VT_MATCH(screen, VT_ANY, "^B 2 +[0-9]+ s +[0-9.]+k? +[0-9.]+ MiB/s +[0-9.]+ ms ");
	VT_MATCH(screen, VT_ANY, "measuring, .*, about [0-9.]+ (s|ms) left");
	VT_TEXT(screen, "By 2 pairs of segments");
	VT_EXPECT(screen, vt_wait_exit(screen));
	VT_TEXT(screen, "A  switch at 1500: ");
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(the_mtu_is_flipped_in_turn_told_apart_and_put_back),
		test(an_interrupt_puts_it_back),
		test(so_does_a_request_to_terminate),
		test(after_a_kill_nothing_begins_until_it_is_restored),
		test(ios_that_do_not_come_back_are_not_measured),
		test(what_can_not_be_flipped_is_refused_before_any_io),
		test(without_a_flip_it_asks_for_each_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
