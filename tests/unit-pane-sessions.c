/* unit-pane-sessions.c - the pane of sessions and the dialog of paths, drawn over made-up paths and read
 * back cell by cell.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "sessions-fixture.h"
#include "tests/canvas-print.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "view-fixture.h"

static struct fixture fx;
static struct sessions *s;
static struct canvas cv;
static char text[4096];

static const char *row(int r)
{
	return canvas_row(&cv, r, text, sizeof(text));
}

/* The row that has the words, -1 if none does. */
static int find_row(const char *words)
{
	for (int r = 0; r < cv.rows; r++)
		if (strstr(row(r), words))
			return r;
	return -1;
}

static int row_with(const char *words)
{
	int r = find_row(words);

	if (r < 0) {
		canvas_print(&cv, stderr);
		fail_msg("no row has '%s'", words);
	}
	return r;
}

static void assert_has(int r, const char *words)
{
	if (!strstr(row(r), words))
		fail_msg("'%s' is not in '%s'", words, row(r));
}

/* The style of the first cell of an ASCII text in its row. */
static enum style style_of(int r, const char *words)
{
	const char *at = strstr(row(r), words);

	assert_non_null(at);
	return (enum style)cv.cell[r * cv.cols + (at - text)].style;
}

static void draw(int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	panes[PANE_SESSIONS].draw(&cv, canvas_rect(&cv), &fx.v);
}

static int set_up(void **state)
{
	(void)state;
	fixture_make(&fx, GL_ASCII);
	s = &fx.v.snap.sessions;
	sessions_fixture(s, fx.v.snap.t_ns);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	canvas_free(&cv);
	return 0;
}

/* --- The table. --- */

static void a_path_that_is_up_has_all_its_figures_on_a_wide_screen(void **state)
{
	(void)state;
	draw(8, 132);
	assert_has(0, "2 of 4 up, 32 sessions, least busy");
	assert_string_equal(row(1),
			    "  #   path   portal          from      NIC     depth    IOPS  MiB/s"
			    "     ms  share  lost  anew      RTT    MSS/cap");
	assert_string_equal(row(2),
			    "  1 * up     10.9.0.10:3260  10.9.0.1  ens1f0    128   71.3k    278"
			    "   1.70   62 %     2     1  92.0 us  8948/8948");
	assert_int_equal(style_of(2, "* up"), ST_GOOD);
}

static void figures_stand_below_their_heads_in_either_unit(void **state)
{
	(void)state;
	fx.v.unit = RATE_MB;
	draw(8, 132);
	assert_has(1, "  MB/s");
	assert_has(2, "   292");
	assert_ptr_equal(strstr(row(1), "MB/s") - text + 4, strstr(row(2), " 292") - text + 4);
}

static void after_a_redirect_the_portal_in_use_is_named_and_the_first_one_too(void **state)
{
	(void)state;
	snprintf(s->path[0].all.sent_on, sizeof(s->path[0].all.sent_on), "10.9.9.9:3260");
	draw(11, 132);
	assert_has(2, ">10.9.9.9:3260");
	row_with("path 1: the target sent the login at 10.9.0.10:3260 on to 10.9.9.9:3260");
	draw(43, 132);
	row_with("path 1: 10.9.0.10:3260, sent on to 10.9.9.9:3260 from 10.9.0.1:44312");
}

static void a_path_that_is_down_says_since_when_and_why_and_has_no_figures(void **state)
{
	(void)state;
	draw(8, 132);
	assert_string_equal(row(3), "  2 ! down   10.9.1.10:3260  -         ens1f1  for 12.3 s: "
				    "refuses connections");
	assert_int_equal(style_of(3, "down"), ST_BAD);
	s->path[1].all.next_login_ns = fx.v.snap.t_ns + 1400 * NS_PER_MS;
	draw(8, 132);
	assert_string_equal(row(3),
			    "  2 ! down   10.9.1.10:3260  -         ens1f1  for 12.3 s, next try "
			    "in 1.4 s: refuses connections");
	s->path[1].all.next_login_ns = fx.v.snap.t_ns;
	draw(8, 132);
	assert_has(3, "for 12.3 s, trying again: refuses");
	s->path[1].all.next_login_ns = 0;
	s->path[1].all.drops = 0;
	draw(8, 132);
	assert_has(3, "ens1f1  refuses connections");
	s->path[1].all.why[0] = '\0';
	draw(8, 132);
	assert_has(3, "ens1f1  not up yet");
	s->path[1].all.state = SESSION_LOGIN;
	draw(8, 132);
	assert_has(3, "2 ! login");
}

static void a_path_that_was_taken_out_is_no_trouble(void **state)
{
	(void)state;
	draw(8, 132);
	assert_has(4, "3 o out");
	assert_has(4, "taken out");
	assert_int_equal(style_of(4, "o out"), ST_DIM);
	s->path[2].all.inflight = 5;
	s->path[2].up = 3;
	draw(8, 132);
	assert_has(4, "taken out, 5 IOs still in flight");
}

static void what_is_not_known_has_a_dash_and_what_limits_a_letter(void **state)
{
	(void)state;
	draw(8, 132);
	assert_string_equal(row(5),
			    "  4 ! 7/8    10.9.3.10:3260  10.9.3.1  ens2f1    16w   43.7k    171"
			    "   2.90   38 %     0     0        -  1448/1448");
	assert_int_equal(style_of(5, "16w"), ST_WARN);
	s->path[3].all.window_limited = false;
	s->path[3].iops = s->path[3].bytes_s = s->path[3].share = -1;
	s->path[3].all.mss_cap = -1;
	draw(8, 132);
	assert_string_equal(row(5),
			    "  4 ! 7/8    10.9.3.10:3260  10.9.3.1  ens2f1    16f       -      -"
			    "      -      -     0     0        -     1448/-");
}

static void columns_go_by_rank_and_nothing_else_gives_way(void **state)
{
	(void)state;
	for (int cols = 38; cols <= 150; cols++) {
		draw(8, cols);
		assert_int_equal(find_row("# "), 1);
		assert_has(2, "10.9.0.10:3260");
		assert_has(2, "71.3k");
		assert_has(3, "! down");
		assert_has(3, cols < 60 ? "for 12.3 s" : "for 12.3 s: refuses");
		/* a column is there as a whole, head and figure, or not at all */
		assert_int_equal(strstr(row(1), " RTT") != NULL, strstr(row(2), "92.0 us") != NULL);
		assert_int_equal(strstr(row(1), "NIC") != NULL, strstr(row(2), "ens1f0") != NULL);
		assert_true(strstr(row(1), "share") || !strstr(row(1), "RTT"));
	}
}

static void a_long_address_takes_what_is_left_and_ends_with_dots(void **state)
{
	(void)state;
	strcpy(s->path[0].all.portal, "[2001:db8:85a3:1000:2000:8a2e:370:7334]:3260");
	draw(8, 200);
	assert_has(2, "[2001:db8:85a3:1000:2000:8a2e:370:7334]:3260");
	draw(8, 80);
	assert_has(2, "[2001:db8:85a3:1000:");
	assert_has(2, "71.3k");
}

static void with_few_rows_those_in_trouble_stay(void **state)
{
	(void)state;
	draw(5, 100);
	assert_has(0, "1 not shown");
	assert_has(1, "portal");
	assert_int_equal(find_row("10.9.0.10:3260"), -1);
	row_with("! down");
	row_with("o out");
	row_with("! 7/8");
	/* the chosen one, too, while the pane is in focus */
	fx.v.focus.on_pane = true;
	fx.v.focus.pane = PANE_SESSIONS;
	draw(5, 100);
	assert_has(2, ">1 * up");
	assert_int_equal(find_row("! 7/8"), -1);
}

/* --- Remarks. --- */

static void imbalance_wire_and_a_small_mss_are_told_the_worst_first(void **state)
{
	int first;

	(void)state;
	draw(9, 100);
	first = row_with("! path 4 does 38 % of the IOs");
	assert_int_equal(style_of(first, "! path 4"), ST_WARN);
	assert_int_equal(row_with("! path 4: MSS 1448: log in anew (P, r) to use MTU 9000"),
			 first + 1);
	assert_int_equal(row_with("449 MiB/s: 19 % of two 10 Gb/s links"), first + 2);
	/* Behind a switch of the MTU it is most often all of them. */
	s->path[0].all.mss_cap = s->path[1].all.mss_cap = 1448;
	s->path[0].all.pmtu = s->path[0].nic_mtu;
	draw(9, 100);
	row_with("! path 1 and 1 more: MSS 1448: log in anew (P, r) to use MTU 9000");
	/* The kernel's sessions are not lunscope's to log in. */
	s->kernel = true;
	draw(9, 100);
	row_with("MSS 1448: log in anew to use MTU 9000");
	assert_has(0, "the kernel's");
	assert_null(strstr(row(0), "least busy"));
}

static void a_route_with_a_small_mtu_is_no_reason_to_log_in_anew(void **state)
{
	(void)state;
	s->path[3].all.pmtu = 1500;
	draw(9, 100);
	assert_int_equal(find_row("log in anew"), -1);
	s->path[3].all.pmtu = 9000;
	s->path[3].nic_mtu = 1500;
	draw(9, 100);
	assert_int_equal(find_row("log in anew"), -1);
	s->path[3].nic_mtu = -1;
	draw(9, 100);
	assert_int_equal(find_row("log in anew"), -1);
}

/* --- One path in full. --- */

static void the_full_screen_shows_all_that_is_known_of_the_chosen_path(void **state)
{
	static const char *const words[] = {
		"path 1: 10.9.0.10:3260 from 10.9.0.1:44312 by ens1f0, MTU 9000, 10 Gb/s",
		"cause     no answer to two pings",
		"IOs       128 in flight, 0 waiting",
		"limit     none",
		"answers   BUSY 0, FULL 0, attention 0",
		"lost      2 sessions, logged in anew 1",
		"last loss 12:02:57, away for 3.41 s",
		"noticed   after 1.00 s of silence",
		"stranded  16 IOs, slowest 1.20 s",
		"moved     all done 57.0 ms later",
		"TCP       cubic, cwnd 42",
		"send RTT  92.0 us, varies by 31.0 us",
		"resent    3 (<0.01 %), out of order 7",
		"MSS       8948, cap 8948, PMTU 9000",
		"recv RTT  110 us, MSS 8948",
		"send rate 1106 MiB/s in the last burst",
		"send busy 00:01:31, window shut 3 %",
		"frames    68.4k/s of 4144 B",
	};
	static const char *const login[] = {
		"HeaderDigest=CRC32C",    "DataDigest=None",      "MaxRecvDataSegmentLength=262144",
		"FirstBurstLength=65536", "ErrorRecoveryLevel=0", "AuthMethod=unknown",
		"DefaultTime2Wait=2",
	};

	(void)state;
	draw(22, 80);
	row_with("10.9.0.10:3260 ens1f0   128  71.3k");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		row_with(words[i]);
	for (size_t i = 0; i < sizeof(login) / sizeof(login[0]); i++)
		row_with(login[i]);
	draw(39, 132);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		row_with(words[i]);
	row_with("MaxRecvDataSegmentLength  262144");
	row_with("AuthMethod                unknown");
	row_with("session  state       from            depth");
	row_with("and 4 more");
}

/* As zoomed at 80x24: what has no room is the end of the login. */
static void all_paths_are_there_before_the_login_is(void **state)
{
	(void)state;
	draw(19, 80);
	assert_null(strstr(row(0), "not shown"));
	for (unsigned i = 0; i < s->paths; i++)
		row_with(s->path[i].all.portal);
	row_with("send RTT");
	row_with("HeaderDigest=CRC32C");
	assert_int_equal(find_row("DefaultTime2Wait"), -1);
}

static void what_the_load_does_not_do_has_no_figures(void **state)
{
	(void)state;
	fx.v.snap.workload.read_pct = 100;
	draw(20, 80);
	row_with("recv RTT");
	row_with("frames");
	assert_int_equal(find_row("send rate"), -1);
	assert_int_equal(find_row("send busy"), -1);
	fx.v.snap.workload.read_pct = 0;
	draw(20, 80);
	row_with("send rate");
	assert_int_equal(find_row("recv RTT"), -1);
}

/* Two rows for remarks, as at 80x24. */
static void the_hint_of_a_small_mss_has_room_where_there_is_little(void **state)
{
	(void)state;
	draw(8, 80);
	row_with("! path 4: MSS 1448: log in anew (P, r) to use MTU 9000");
	s->imbalance[0] = '\0';
	draw(7, 80);
	row_with("! path 4: MSS 1448: log in anew (P, r) to use MTU 9000");
}

/* By the same clock. */
static void a_path_is_away_for_as_long_as_the_events_say(void **state)
{
	struct backend_session *b = &s->path[1].all;

	(void)state;
	b->loss.noticed_ns = fx.v.snap.t_ns - b->outage_ns;
	b->loss.silent_ns = b->loss.noticed_ns - NS_PER_SEC;
	draw(8, 132);
	assert_has(3, "for 13.3 s: refuses");
}

static void of_a_path_of_which_nothing_is_known_nothing_is_made_up(void **state)
{
	static const char *const words[] = {
		"TCP       unknown, cwnd unknown",
		"send RTT  unknown, varies by unknown",
		"resent    unknown",
		"recv RTT  unknown, MSS unknown",
		"send rate unknown",
		"send busy unknown, window shut unknown",
		"frames    unknown",
		"HeaderDigest              unknown",
		"DataDigest                not offered",
		"last loss none",
		"limit     w: command window full",
	};

	(void)state;
	fx.v.path = 3;
	draw(39, 132);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		row_with(words[i]);
	row_with("hint      MSS 1448: log in anew (P, r) to use MTU 9000");
	s->kernel = true;
	s->listed = 0;
	draw(39, 132);
	row_with("limit     unknown");
	row_with("commands  unknown");
	row_with("when lost unknown");
	row_with("DataDigest                unknown");
}

static void a_session_of_the_kernels_names_its_disk_and_how_long_ios_wait(void **state)
{
	struct kernel_facts *k = &s->facts[0];

	(void)state;
	s->kernel = true;
	s->listed = 1;
	s->session[0].path = 0;
	strcpy(k->disks, "sda sdc");
	strcpy(k->device, "running");
	strcpy(k->interface, "if1");
	k->sid = 7;
	k->queue_depth = 64;
	k->failed = 1;
	k->recovery_s = 120;
	draw(20, 80);
	row_with("disk      sda sdc running, session 7, interface if1");
	row_with("limit     64 by the disks' queues");
	row_with("commands  failed 1, timed out 0");
	row_with("when lost IOs wait 120 s");
	k->queue_depth = k->failed = k->timed_out = k->recovery_s = -1;
	draw(20, 80);
	row_with("limit     unknown");
	row_with("commands  unknown");
	row_with("when lost unknown");
	k->recovery_s = KERNEL_OFF;
	draw(20, 80);
	row_with("when lost IOs wait for ever");
}

static void a_loss_that_goes_on_is_told_as_one(void **state)
{
	(void)state;
	s->path[0].all.loss.back_ns = s->path[0].all.loss.moved_ns = 0;
	draw(39, 132);
	row_with("last loss 12:02:57, not back yet");
	row_with("moved     not all done yet");
}

static void a_choice_beyond_the_last_path_is_the_last(void **state)
{
	(void)state;
	fx.v.path = 7;
	draw(39, 132);
	row_with("path 4: 10.9.3.10:3260");
}

/* --- The dialog. --- */

static struct {
	uint32_t path;
	enum path_act act;
	struct backend_paths how;
	unsigned acts, sets, chosen;
	bool refuse;
} desk_saw;

static const struct sessions *look(void *ctx)
{
	(void)ctx;
	return s;
}

static int set_policy(void *ctx, const struct backend_paths *how, struct error *e)
{
	(void)ctx;
	(void)e;
	desk_saw.how = s->policy = *how;
	desk_saw.sets++;
	return 0;
}

static int act_on(void *ctx, uint32_t path, enum path_act act, struct error *e)
{
	(void)ctx;
	desk_saw.path = path;
	desk_saw.act = act;
	desk_saw.acts++;
	if (desk_saw.refuse)
		return error_set(e, EINVAL, "path 1 is the last one: no IO could be sent");
	return 0;
}

static void choose(void *ctx, unsigned at)
{
	(void)ctx;
	desk_saw.chosen = at;
}

static struct dialog paths(unsigned at)
{
	const struct paths_desk desk = {look, set_policy, act_on, choose, NULL};

	memset(&desk_saw, 0, sizeof(desk_saw));
	return dialog_paths(&desk, at);
}

static void show(struct dialog *d, int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	d->draw(d->state, &cv, canvas_rect(&cv), &fx.v);
}

static void key(struct dialog *d, int k)
{
	assert_int_equal(d->key(d->state, k), DIALOG_OPEN);
}

static void o_takes_a_path_out_and_in_again(void **state)
{
	struct dialog d = paths(0);

	(void)state;
	key(&d, 'o');
	assert_int_equal(desk_saw.path, 0);
	assert_int_equal(desk_saw.act, PATH_TAKE_OUT);
	show(&d, 24, 80);
	row_with("Path 1 gets no more IOs, and logs out when those in flight are back.");
	row_with("o take out");
	key(&d, K_DOWN);
	key(&d, K_DOWN);
	show(&d, 24, 80);
	row_with("o take in");
	assert_int_equal(cv.cursor_row, row_with(">3 o out"));
	key(&d, 'o');
	assert_int_equal(desk_saw.path, 2);
	assert_int_equal(desk_saw.act, PATH_TAKE_IN);
	assert_int_equal(desk_saw.chosen, 2);
	show(&d, 24, 80);
	row_with("Path 3 logs in again.");
	d.free(d.state);
}

static void r_logs_one_in_anew_and_R_all(void **state)
{
	struct dialog d = paths(3);

	(void)state;
	key(&d, 'r');
	assert_int_equal(desk_saw.path, 3);
	assert_int_equal(desk_saw.act, PATH_RELOGIN);
	key(&d, 'R');
	assert_true(desk_saw.path == PATHS_ALL);
	assert_int_equal(desk_saw.act, PATH_RELOGIN);
	show(&d, 24, 80);
	row_with("All paths log in anew, one after the other.");
	d.free(d.state);
}

static void p_goes_through_the_policies_and_keeps_the_rest(void **state)
{
	struct dialog d = paths(1);

	(void)state;
	s->policy.hold_ns = 7;
	key(&d, 'p');
	assert_int_equal(desk_saw.how.policy, PATHS_ROUND_ROBIN);
	key(&d, 'p');
	assert_int_equal(desk_saw.how.policy, PATHS_FAILOVER);
	key(&d, 'p');
	assert_int_equal(desk_saw.how.policy, PATHS_PINNED);
	assert_int_equal(desk_saw.how.pinned, 1);
	show(&d, 24, 80);
	row_with("IOs take the path by policy: pinned to path 2.");
	key(&d, 'p');
	assert_int_equal(desk_saw.how.policy, PATHS_LEAST);
	assert_int_equal(desk_saw.how.hold_ns, 7);
	assert_int_equal(desk_saw.sets, 4);
	assert_int_equal(desk_saw.acts, 0);
	d.free(d.state);
}

static void a_refusal_stands_there_in_its_own_words_until_the_next_key(void **state)
{
	struct dialog d = paths(0);

	(void)state;
	desk_saw.refuse = true;
	key(&d, 'o');
	show(&d, 24, 80);
	int r = row_with("! path 1 is the last one: no IO could be sent");
	assert_int_equal(style_of(r, "! path 1"), ST_BAD);
	key(&d, K_DOWN);
	show(&d, 24, 80);
	assert_int_equal(find_row("the last one"), -1);
	d.free(d.state);
}

static void the_answer_stays_in_sight_and_every_size_is_drawn(void **state)
{
	struct dialog d = paths(0);

	(void)state;
	show(&d, 24, 80);
	for (int r = 0; r < 3; r++)
		assert_string_equal(row(r), "");
	for (int rows = 1; rows < 50; rows++)
		for (int cols = 1; cols < 140; cols += 3)
			show(&d, rows, cols);
	show(&d, 16, 60);
	row_with(">1 * up");
	row_with("least busy");
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_CANCELLED);
	assert_int_equal(d.key(d.state, K_ESC), DIALOG_CANCELLED);
	assert_int_equal(d.key(d.state, 'P'), DIALOG_CANCELLED);
	/* The LUN's paths may be gone. */
	s->paths = 0;
	show(&d, 24, 80);
	assert_int_equal(d.key(d.state, 'o'), DIALOG_CANCELLED);
	d.free(d.state);
}

#define PANE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PANE_TEST(a_path_that_is_up_has_all_its_figures_on_a_wide_screen),
		PANE_TEST(figures_stand_below_their_heads_in_either_unit),
		PANE_TEST(a_path_that_is_down_says_since_when_and_why_and_has_no_figures),
		PANE_TEST(after_a_redirect_the_portal_in_use_is_named_and_the_first_one_too),
		PANE_TEST(a_path_that_was_taken_out_is_no_trouble),
		PANE_TEST(what_is_not_known_has_a_dash_and_what_limits_a_letter),
		PANE_TEST(columns_go_by_rank_and_nothing_else_gives_way),
		PANE_TEST(a_long_address_takes_what_is_left_and_ends_with_dots),
		PANE_TEST(with_few_rows_those_in_trouble_stay),
		PANE_TEST(imbalance_wire_and_a_small_mss_are_told_the_worst_first),
		PANE_TEST(a_route_with_a_small_mtu_is_no_reason_to_log_in_anew),
		PANE_TEST(the_full_screen_shows_all_that_is_known_of_the_chosen_path),
		PANE_TEST(all_paths_are_there_before_the_login_is),
		PANE_TEST(what_the_load_does_not_do_has_no_figures),
		PANE_TEST(the_hint_of_a_small_mss_has_room_where_there_is_little),
		PANE_TEST(a_path_is_away_for_as_long_as_the_events_say),
		PANE_TEST(of_a_path_of_which_nothing_is_known_nothing_is_made_up),
		PANE_TEST(a_session_of_the_kernels_names_its_disk_and_how_long_ios_wait),
		PANE_TEST(a_loss_that_goes_on_is_told_as_one),
		PANE_TEST(a_choice_beyond_the_last_path_is_the_last),
		PANE_TEST(o_takes_a_path_out_and_in_again),
		PANE_TEST(r_logs_one_in_anew_and_R_all),
		PANE_TEST(p_goes_through_the_policies_and_keeps_the_rest),
		PANE_TEST(a_refusal_stands_there_in_its_own_words_until_the_next_key),
		PANE_TEST(the_answer_stays_in_sight_and_every_size_is_drawn),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
