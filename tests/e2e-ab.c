/* e2e-ab.c - A against B, in turn, on the live screen: set by hand at the prompts, or flipped by lunscope, to the
 * paired verdict; and stopped on the way, after which what it has set is what it was.
 *
 * The IOs are those of null:5ms, as what is flipped here needs no target; its sessions and its links are for
 * root-ab.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "flip/flip.h"
#include "tests/e2e.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define ROW_VERDICT 3
/* What takes a minute on a calm machine gets several times the patience. */
#define PATIENCES 8

static struct net net;
static char home[600];

static int clean_up(void **state)
{
	e2e_free_all(state);
	net_leave(&net);
	net_free(&net);
	return 0;
}

static void expect_match(struct vt *v, int row, const char *ere)
{
	for (int i = 0; i < PATIENCES; i++)
		if (vt_wait_match(v, row, ere))
			return;
	VT_MATCH(v, row, ere);
}

static void own_journal(void)
{
	static int times;
	char name[32];

	snprintf(name, sizeof(name), "state-%d", times++);
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", scratch_path(name));
}

/* p1 is at 4000, which is neither A nor B. All that is started from here on has it. */
static void make_nic(void)
{
	if (net_missing()) {
		print_message("%s\n", net_missing());
		skip();
	}
	assert_int_equal(net_make(&net, 1, 4000), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	own_journal();
}

static struct vt *live_with(int rows, int cols, const char *term, const char *locale, bool nic,
			    const char *outstanding)
{
	const char *env[] = {home, "SSH_CONNECTION", NULL};
	const struct vt_options o = {
		.rows = rows, .cols = cols, .env = env, .term = term, .locale = locale};
	struct vt *v = nic ? LIVE(&o, "null:5ms", "--no-store", "--outstanding", outstanding,
				  "--watch", "p1")
			   : LIVE(&o, "null:5ms", "--no-store", "--outstanding", outstanding);

	ANSWER(v, shows_reads);
	return v;
}

static struct vt *live(int rows, int cols, const char *term, const char *locale, bool nic)
{
	return live_with(rows, cols, term, locale, nic, "4");
}

static void row_is(struct vt *v, const char *text)
{
	vt_type(v, text);
	vt_key(v, "down");
}

/* Pairs, segment and settle of the dialog, and Enter. */
static void for_how_long(struct vt *v, const char *pairs, const char *segment)
{
	row_is(v, pairs);
	row_is(v, segment);
	row_is(v, "0s");
	VT_MATCH(v, VT_ANY, "ABBA.*: [0-9].* at least");
}

static void check_mtu(const char *value)
{
	char now[FACT_VALUE] = "";
	struct error e = {""};

	if (flip_read("p1 mtu", now, sizeof(now), &e))
		fail_msg("%s", e.text);
	assert_string_equal(now, value);
}

/* --- By hand. --- */

static void await_prompt(struct vt *v, unsigned at, char side)
{
	char ere[64];

	snprintf(ere, sizeof(ere), "^%u of 8  Now set %c: (few|many) IOs +Enter it is set", at,
		 side);
	expect_match(v, VT_ANY, ere);
}

/* Eight times the outstanding IOs: a difference far above what others on this machine can do to segments
 * that are this short. */
#define FEW  "2"
#define MANY "16"

/* From one to the other the knob has six steps. */
static void set_side(struct vt *v, char side)
{
	vt_type(v, side == 'B' ? "OOOOOO" : "oooooo");
	KNOB(v, "Outst", side == 'B' ? MANY : FEW);
}

/* What is set at the prompts here is a knob, so that it is known what has to be found. NULL: others kept the
 * machine so busy that nothing could be said, and the row says so. */
static struct vt *ask_for_a_knob(void)
{
	static const struct {
		unsigned at;
		char side;
	} prompt[] = {{1, 'A'}, {2, 'B'}, {4, 'A'}, {5, 'B'}, {6, 'A'}, {8, 'B'}};

	own_journal();
	struct vt *v = live_with(24, 80, NULL, NULL, false, FEW);

	vt_type(v, "A");
	VT_TEXT(v, "A against B, in turn (ABBA)");
	vt_key(v, "enter");
	VT_TEXT(v, "! A: in your own words what you will be asked to set");
	vt_key(v, "down");
	row_is(v, "few IOs");
	row_is(v, "many IOs");
	for_how_long(v, "4", "4s");
	vt_shot(v, "ab-dialog");
	vt_key(v, "enter");
	for (size_t i = 0; i < sizeof(prompt) / sizeof(*prompt); i++) {
		await_prompt(v, prompt[i].at, prompt[i].side);
		if (i)
			set_side(v, prompt[i].side);
		if (i == 1)
			vt_shot(v, "ab-prompt");
		vt_key(v, "enter");
		expect_match(v, VT_ANY, "measuring, [0-9]+ of 4 s, about .* left");
		if (i == 3)
			vt_shot(v, "ab-measuring");
	}
	expect_match(v, ROW_VERDICT,
		     "^B against A, 4 pairs: IOPS ([+>][0-9.]+ % [[]|undecided|not shown)");
	if (strstr(vt_row(v, ROW_VERDICT), " % ["))
		return v;
	e2e_quit(v);
	return NULL;
}

static void what_is_set_at_the_prompts_gets_a_paired_verdict(void **state)
{
	struct vt *v = NULL;
	(void)state;

	for (int i = 0; i < 3 && !v; i++)
		v = ask_for_a_knob();
	assert_non_null(v);
	vt_type(v, "v");
	VT_MATCH(v, VT_ANY, " In turn: ABBABAAB .* 4 of 4 pairs ");
	VT_MATCH(v, VT_ANY, "^ A  few IOs .* in 4 segments$");
	VT_MATCH(v, VT_ANY, "^ B  many IOs .* in 4 segments$");
	/* About eight times the IOPS. */
	VT_MATCH(v, VT_ANY, "^ IOPS [+][4-9][0-9][0-9][0-9.]* % [[][+>].*[]]: different, better$");
	VT_MATCH(v, VT_ANY, "^ Drift of IOPS: .* % a minute [[].*[]]: ");
	VT_TEXT(v, "Nothing else changed that is known of.");
	vt_shot(v, "ab-verdict");
	vt_type(v, "d");
	VT_TEXT(v, "workload: outstanding " FEW " > " MANY);
	vt_key(v, "esc");
	/* The segments are still there, one by one. */
	vt_type(v, "b");
	VT_TEXT(v, " Segments ");
	VT_MATCH(v, VT_ANY, "B 4 of 4: many IOs");
	vt_type(v, "b");
	VT_TEXT(v, "4 of 4 pairs");
	vt_key(v, "esc");
	VT_GONE(v, "4 of 4 pairs");
	e2e_quit(v);
}

static void a_segment_can_be_left_out_and_its_pair_does_not_count(void **state)
{
	(void)state;
	own_journal();
	struct vt *v = live(43, 132, "xterm", "C", false);

	vt_type(v, "v");
	VT_TEXT(v, "There is one segment so far.");
	vt_type(v, "A");
	VT_TEXT(v, "A against B, in turn (ABBA)");
	vt_key(v, "down");
	row_is(v, "one");
	row_is(v, "other");
	for_how_long(v, "2", "4s");
	vt_key(v, "enter");
	/* The view stays, and has the prompt too. */
	expect_match(v, VT_ANY, "^1 of 4  Now set A: one ");
	VT_TEXT(v, "0 of 2 pairs so far");
	vt_key(v, "enter");
	expect_match(v, VT_ANY, "^2 of 4  Now set B: other ");
	vt_type(v, "n");
	/* It has not been set: so it is asked for the next one of that side. */
	expect_match(v, VT_ANY, "^3 of 4  Now set B: other ");
	vt_key(v, "enter");
	expect_match(v, VT_ANY, "^4 of 4  Now set A: one ");
	vt_key(v, "enter");
	expect_match(v, VT_ANY, "1 of 2 pairs ");
	expect_match(v, VT_ANY, "^ No verdict: fewer than two pairs are complete.");
	/* What both were is told all the same. */
	VT_MATCH(v, VT_ANY, "^ IOPS +[0-9.k]+ +[0-9.k]+ .* not enough data$");
	vt_shot(v, "ab-left-out");
	vt_key(v, "esc");
	e2e_quit(v);
}

static void of_two_in_one_run_the_newer_is_compared(void **state)
{
	const char *env[] = {home, "SSH_CONNECTION", NULL};
	const struct vt_options o = {.rows = 43, .cols = 132, .env = env};
	char store[600];
	struct proc p;

	(void)state;
	own_journal();
	snprintf(store, sizeof(store), "%s", scratch_path("two.db"));
	struct vt *v = LIVE(&o, "null:5ms", "--store", store);
	ANSWER(v, shows_reads);
	vt_type(v, "A");
	VT_TEXT(v, "A against B, in turn (ABBA)");
	vt_key(v, "down");
	row_is(v, "one");
	row_is(v, "other");
	for_how_long(v, "2", "4s");
	vt_key(v, "enter");
	for (int second = 0; second < 2; second++) {
		expect_match(v, VT_ANY, "^1 of 4  Now set A: one ");
		if (second)
			vt_type(v, "n");
		else
			vt_key(v, "enter");
		expect_match(v, VT_ANY, "^2 of 4  Now set B: other ");
		vt_key(v, "enter");
		expect_match(v, VT_ANY, "^4 of 4  Now set A: one ");
		vt_key(v, "enter");
		expect_match(v, ROW_VERDICT,
			     second ? "^ B against A, 1 pair: no verdict"
				    : "^ B against A, 2 pairs: ");
		if (second)
			break;
		vt_type(v, "A");
		VT_MATCH(v, VT_ANY, "ABBA.*: [0-9].* at least");
		vt_key(v, "enter");
	}
	e2e_quit(v);
	PROC(&p, lunscope_path(), "compare", "1", "--store", store);
	if (p.status || strstr(p.out, "By 2 pairs"))
		fail_msg("%s%s", p.out, p.err);
	proc_free(&p);
}

/* --- By itself. --- */

static void a_setting_that_is_typed_has_its_values_as_one_that_is_chosen(void **state)
{
	(void)state;
	own_journal();
	struct vt *v = live(24, 80, NULL, NULL, false);

	vt_type(v, "A");
	VT_TEXT(v, "A against B, in turn (ABBA)");
	row_is(v, "net.ipv4.tcp_sack");
	VT_MATCH(v, VT_ANY, "Setting +net.ipv4.tcp_sack ");
	VT_MATCH(v, VT_ANY, " A +(0|1)  ");
	VT_MATCH(v, VT_ANY, " B +(0|1)  ");
	VT_TEXT(v, "net.ipv4.tcp_sack: 0 or 1");
	/* What no lunscope knows has none. */
	vt_key(v, "up");
	row_is(v, "net.ipv4.tcp_sock");
	VT_TEXT(v, "net.ipv4.tcp_sock is no setting that lunscope can change");
	VT_TEXT(v, "or leave it empty");
	vt_key(v, "esc");
	VT_GONE(v, "A against B, in turn (ABBA)");
	e2e_quit(v);
}

/* From the bench knobs, as far as the command lines that ask whether that is meant. */
static void choose_mtu(struct vt *v, const char *segment)
{
	vt_type(v, "k");
	VT_TEXT(v, "NIC p1");
	VT_MATCH(v, VT_ANY, "mtu +4000");
	vt_type(v, "A");
	VT_MATCH(v, VT_ANY, "Setting +p1 mtu");
	vt_key(v, "up");
	row_is(v, "1500");
	row_is(v, "9000");
	for_how_long(v, "2", segment);
	vt_key(v, "enter");
	VT_TEXT(v, "A   ip link set dev p1 mtu 1500");
	VT_TEXT(v, "B   ip link set dev p1 mtu 9000");
	check_mtu("4000");
}

static void a_setting_is_flipped_in_turn_and_put_back(void **state)
{
	(void)state;
	make_nic();
	struct vt *v = live(24, 80, "linux", "C", true);

	choose_mtu(v, "4s");
	vt_shot(v, "ab-confirm");
	vt_key(v, "enter");
	VT_GONE(v, "Bench knobs");
	EVENT(v, "p1 mtu 4000 > 1500");
	expect_match(v, VT_ANY, "A, segment 1 of 4: measuring, ");
	check_mtu("1500");
	expect_match(v, VT_ANY, "B, segment 2 of 4: measuring, ");
	check_mtu("9000");
	vt_shot(v, "ab-flipping");
	/* What is changed beneath it is told, and nothing is called alike then. */
	vt_type(v, "k");
	VT_TEXT(v, "A against B is under way, and a change beneath it would spoil it");
	vt_key(v, "esc");
	expect_match(v, VT_ANY, "B, segment 3 of 4: measuring, ");
	struct proc p;
	PROC(&p, "sysctl", "-q", "-w", "net.ipv4.tcp_sack=0");
	proc_free(&p);
	expect_match(v, ROW_VERDICT, "^B against A, 2 pairs: ");
	expect_match(v, VT_ANY, "A against B is over|p1 mtu 1500 > 4000");
	for (int i = 0; i < PATIENCES && !vt_wait_text(v, "p1 mtu 1500 > 4000"); i++)
		;
	check_mtu("4000");
	vt_type(v, "v");
	VT_MATCH(v, VT_ANY, " In turn: ABBA .* 2 of 2 pairs ");
	VT_MATCH(v, VT_ANY, "^ IOPS .* % [[].*[]]: (different|not shown|undecided)");
	VT_TEXT(v, "! net.ipv4.tcp_sack: 1 > 0 also changed during the run");
	vt_shot(v, "ab-also-changed");
	vt_type(v, "d");
	VT_TEXT(v, "p1 mtu: 1500 > 9000");
	VT_TEXT(v, "net.ipv4.tcp_sack: 1 > 0");
	vt_key(v, "esc");
	VT_GONE(v, "Beside that");
	vt_key(v, "esc");
	e2e_quit(v);
	check_mtu("4000");
}

/* --- Stopped. --- */

static struct vt *half_way(void)
{
	make_nic();
	struct vt *v = live(43, 132, NULL, NULL, true);

	choose_mtu(v, "60s");
	vt_key(v, "enter");
	expect_match(v, VT_ANY, "A, segment 1 of 4: measuring, ");
	check_mtu("1500");
	return v;
}

static void nothing_is_left_to_restore(void)
{
	const char *variable = home + strlen("XDG_STATE_HOME=");
	struct proc p;

	setenv("XDG_STATE_HOME", variable, 1);
	PROC(&p, lunscope_path(), "restore", "--list");
	assert_int_equal(p.status, 0);
	if (strstr(p.out, "p1 mtu"))
		fail_msg("%s", p.out);
	proc_free(&p);
	unsetenv("XDG_STATE_HOME");
}

static void stopped_half_way_it_puts_the_setting_back(void **state)
{
	(void)state;
	struct vt *v = half_way();

	vt_key(v, "esc");
	VT_TEXT(v, "Stopped: 0 of 2 pairs are complete.");
	check_mtu("4000");
	EVENT(v, "p1 mtu 1500 > 4000");
	EVENT(v, "A 1 of 2, cut short");
	nothing_is_left_to_restore();
	/* The run goes on, and the knobs are free again. */
	ANSWER(v, shows_reads);
	vt_type(v, "k");
	VT_MATCH(v, VT_ANY, "mtu +4000");
	vt_key(v, "esc");
	e2e_quit(v);
}

static void what_somebody_else_sets_is_told_and_stays_theirs(void **state)
{
	(void)state;
	struct vt *v = half_way();

	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 1300), 0);
	VT_TEXT(v, "p1 mtu was set to 1300 by somebody else during A 1: that pair doesn't count.");
	expect_match(v, VT_ANY, "B, segment 2 of 4: measuring, ");
	check_mtu("9000");
	vt_key(v, "esc");
	VT_TEXT(v, "Stopped: 0 of 2 pairs are complete.");
	for (int i = 0; i < PATIENCES && !vt_wait_text(v, "p1 mtu 9000 > 1300"); i++)
		;
	check_mtu("1300");
	/* The first of its own changes stands in the journal still: theirs is upon it. */
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 1);
	VT_TEXT(v, "p1 mtu is 1300 now: somebody else has set that");
	check_mtu("1300");
	e2e_free(v);
}

static void so_does_quitting_half_way(void **state)
{
	(void)state;
	struct vt *v = half_way();

	vt_type(v, "q");
	VT_TEXT(v, "A against B is under way: it ends, and what it has set is");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	check_mtu("4000");
	nothing_is_left_to_restore();
	e2e_free(v);
}

/* And what is changed is known to the screen, where that goes on. */
static void so_does_another_target(void **state)
{
	(void)state;
	struct vt *v = half_way();

	vt_type(v, "d");
	VT_TEXT(v, "Against writing");
	VT_GONE(v, "(looking");
	vt_key(v, "end");
	VT_MATCH(v, VT_ANY, "> null:");
	vt_key(v, "up");
	VT_MATCH(v, VT_ANY, "> file");
	vt_key(v, "enter");
	VT_TEXT(v, "Tab other field");
	vt_type(v, scratch_file("other.img", 8 << 20, false));
	vt_key(v, "enter");
	VT_ROW(v, 0, "8 MiB");
	ANSWER(v, shows_reads);
	check_mtu("4000");
	vt_type(v, "k");
	VT_TEXT(v, "Bench knobs");
	VT_MATCH(v, VT_ANY, "mtu +4000");
	vt_key(v, "esc");
	VT_GONE(v, "Bench knobs");
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	VT_GONE(v, "Settings of this host");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
	nothing_is_left_to_restore();
}

static void so_does_a_signal(void **state)
{
	(void)state;
	struct vt *v = half_way();

	kill(vt_pid(v), SIGTERM);
	VT_EXPECT(v, vt_wait_exit(v));
	check_mtu("4000");
	nothing_is_left_to_restore();
	e2e_free(v);
}

static void after_a_kill_it_is_in_the_journal(void **state)
{
	(void)state;
	struct vt *v = half_way();
	struct proc p;

	kill(vt_pid(v), SIGKILL);
	VT_EXPECT(v, vt_wait_exit(v));
	check_mtu("1500");
	setenv("XDG_STATE_HOME", home + strlen("XDG_STATE_HOME="), 1);
	PROC(&p, lunscope_path(), "restore");
	unsetenv("XDG_STATE_HOME");
	assert_int_equal(p.status, 0);
	proc_free(&p);
	check_mtu("4000");
	e2e_free(v);
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(what_is_set_at_the_prompts_gets_a_paired_verdict),
		test(a_segment_can_be_left_out_and_its_pair_does_not_count),
		test(of_two_in_one_run_the_newer_is_compared),
		test(a_setting_that_is_typed_has_its_values_as_one_that_is_chosen),
		test(a_setting_is_flipped_in_turn_and_put_back),
		test(stopped_half_way_it_puts_the_setting_back),
		test(so_does_quitting_half_way),
		test(so_does_another_target),
		test(what_somebody_else_sets_is_told_and_stays_theirs),
		test(so_does_a_signal),
		test(after_a_kill_it_is_in_the_journal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
