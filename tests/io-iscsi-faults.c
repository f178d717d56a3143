/* io-iscsi-faults.c - the iSCSI backend against a target that misbehaves, one way at a time: every IO is
 * accounted for, every byte is checked afterwards, and what is worth telling is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <iscsi/iscsi.h>
#include "tests/drive.h"
#include "tests/mocktgt.h"
#include "tests/proc.h"

#define KIB   1024u
#define DEPTH 16u

static struct mock *m;
static struct drive d;

static int clean_up(void **state)
{
	(void)state;
	/* Ends what a failed test has left in flight. */
	if (m && d.queue) {
		mock_heal(m);
		mock_release(m);
		drive_drain(&d, 10);
	}
	drive_close(&d);
	mock_stop(m);
	m = NULL;
	return 0;
}

static struct mock_seen seen(void)
{
	struct mock_seen s;
	mock_look(m, &s);
	return s;
}

static void begin_with(const struct mock_options *o, uint32_t size)
{
	m = mock_start(o);
	if (drive_open(&d, mock_url(m, 1, "", 0), DEPTH, size, o && o->header_digest))
		fail_msg("%s", d.e.text);
	d.write_percent = 50;
	assert_true(drive_ios(&d, 200));
}

/* A LUN of 8 MiB with some writes on it. */
static void begin(void)
{
	begin_with(&(struct mock_options){.lun = {{.blocks = 16384}}}, 4 * KIB);
}

static void inject(enum mock_fault fault, enum mock_of of)
{
	mock_inject(m, &(struct mock_injection){.fault = fault, .of = of});
}

/* Nothing is lost, nothing is wrong, nothing is against the protocol; this many IOs have failed. */
static void end_with(uint64_t errors)
{
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(drive_balanced(&d));
	if (d.errors != errors)
		print_error("the last one failed with: %s\n", strerror(-d.last_error));
	assert_int_equal(d.errors, errors);
	mock_heal(m);
	assert_true(drive_read_all(&d));
	assert_int_equal(d.errors, errors);
	assert_int_equal(d.wrong, 0);
	struct mock_seen s = seen();
	if (s.violations)
		print_error("%u violations, the first: %s\n", s.violations, s.violation);
	assert_int_equal(s.violations, 0);
}

static void end(void)
{
	end_with(0);
}

/* Keeps the IOs going until the condition holds, or patience is over. */
#define drive_until(condition)                              \
	do {                                                \
		double end_ = proc_now() + proc_patience(); \
		while (!(condition) && proc_now() < end_)   \
			drive_for(&d, 0.05);                \
		assert_true(condition);                     \
	} while (0)

/* --- What goes well ------------------------------------------------------------------------------- */

static void the_depth_asked_for_is_in_flight_at_the_target(void **state)
{
	(void)state;
	begin();
	mock_inject(m,
		    &(struct mock_injection){.fault = MOCK_DELAY, .ms = 20, .count = MOCK_ALWAYS});
	assert_true(drive_ios(&d, 5 * DEPTH));
	assert_int_equal(seen().most_waiting, DEPTH);
	end();
}

/* Unasked, asked for, in segments and bursts that the target chooses. */
static void writes_arrive_whole_whatever_was_negotiated(void **state)
{
	static const struct mock_options ways[] = {
		{.initial_r2t = true},
		{.no_immediate = true},
		{.initial_r2t = true, .no_immediate = true},
		{.burst = 65536, .first_burst = 16384, .segment = 8192},
		{.lun = {{.block = 4096}}},
		{.header_digest = true},
	};
	(void)state;
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		begin_with(&ways[k], 512 * KIB);
		end();
		clean_up(NULL);
	}
}

/* A target that takes its time is no dead one: each IO waits for its own answer, and nothing else happens. */
static void answers_that_come_late_cost_time_only(void **state)
{
	(void)state;
	begin();
	assert_true(drive_drain(&d, proc_patience()));
	uint64_t waited = drive_session(&d).wait_ns, ios = drive_session(&d).ios;
	mock_inject(m, &(struct mock_injection){.fault = MOCK_DELAY, .ms = 400, .count = DEPTH});
	assert_true(drive_ios(&d, 2 * DEPTH));
	assert_true(drive_drain(&d, proc_patience()));
	struct backend_session s = drive_session(&d);
	assert_int_equal(seen().injected, DEPTH);
	assert_int_equal(s.ios - ios, 2 * DEPTH);
	assert_true(s.wait_ns - waited >= DEPTH * UINT64_C(400000000));
	assert_int_equal(s.drops, 0);
	assert_int_equal(s.busy + s.full + s.limit, 0);
	end();
}

static void a_narrow_command_window_is_kept_and_told(void **state)
{
	struct mock_options o = {.window = 4, .lun = {{.blocks = 16384}}};
	(void)state;
	begin_with(&o, 4 * KIB);
	mock_inject(m,
		    &(struct mock_injection){.fault = MOCK_DELAY, .ms = 20, .count = MOCK_ALWAYS});
	drive_until(drive_session(&d).window_limited);
	assert_true(drive_ios(&d, 5 * DEPTH));
	assert_true(seen().most_waiting <= 4);
	end();
}

/* --- Answers that are no data --------------------------------------------------------------------- */

static void busy_is_counted_and_tried_again(void **state)
{
	(void)state;
	begin();
	mock_inject(m, &(struct mock_injection){.fault = MOCK_BUSY, .skip = 3, .count = 40});
	drive_until(seen().injected == 40);
	end();
	assert_int_equal(drive_session(&d).busy, 40);
	assert_int_equal(drive_session(&d).drops, 0);
}

static void task_set_full_is_counted_and_obeyed(void **state)
{
	(void)state;
	begin();
	mock_inject(m, &(struct mock_injection){.fault = MOCK_TASK_SET_FULL, .count = 3});
	/* Behind it, so that the limit is not grown away before it is looked at. */
	mock_inject(m,
		    &(struct mock_injection){.fault = MOCK_DELAY, .ms = 20, .count = MOCK_ALWAYS});
	drive_until(drive_session(&d).full == 3);
	uint32_t limit = drive_session(&d).limit;
	assert_true(limit > 0);
	assert_true(limit < DEPTH);
	mock_heal(m);
	/* It dares more again when the target has been at ease for long enough. */
	drive_until(drive_session(&d).limit == 0);
	end();
}

static void a_medium_error_fails_its_own_io_and_is_named(void **state)
{
	struct mock_injection f = {
		.fault = MOCK_CHECK, .of = MOCK_READS, .skip = 10, .key = 3, .ascq = 0x1100};
	(void)state;
	begin();
	mock_inject(m, &f);
	drive_until(seen().injected == 1);
	assert_true(drive_ios(&d, 200));
	end_with(1);
	assert_int_equal(d.last_error, -EIO);
	assert_int_equal(d.shorts, 0);
	const char *words = d.b->remark(d.target);
	assert_non_null(strstr(words, "MEDIUM ERROR"));
	assert_non_null(strstr(words, "3/11/00"));
	assert_int_equal(drive_session(&d).drops, 0);
}

static void a_failed_write_leaves_the_old_or_the_new(void **state)
{
	struct mock_injection f = {
		.fault = MOCK_CHECK, .of = MOCK_WRITES, .count = 5, .key = 4, .ascq = 0x4400};
	(void)state;
	begin();
	mock_inject(m, &f);
	drive_until(seen().injected == 5);
	end_with(5);
}

static void a_unit_attention_is_no_error(void **state)
{
	(void)state;
	begin();
	uint64_t before = drive_session(&d).attentions;
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_CHECK, .count = 3, .key = 6, .ascq = 0x2a01});
	drive_until(seen().injected == 3);
	end();
	assert_int_equal(drive_session(&d).attentions - before, 3);
}

static void a_unit_that_becomes_read_only_fails_writes_alone(void **state)
{
	(void)state;
	begin();
	mock_read_only(m, 0, true);
	drive_until(d.errors >= 10);
	uint64_t errors = d.errors;
	/* What is in flight may fail yet. */
	d.write_percent = 0;
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(d.errors <= errors + DEPTH);
	errors = d.errors;
	assert_true(drive_ios(&d, 200));
	end_with(errors);
	assert_non_null(strstr(d.b->remark(d.target), "7/27/00"));
}

static void a_resized_unit_is_noticed_and_costs_no_io(void **state)
{
	struct backend_facts f;
	(void)state;
	begin();
	uint64_t before = drive_session(&d).attentions;
	mock_resize(m, 0, 2 * 16384);
	drive_until(drive_session(&d).attentions > before);
	end();
	assert_int_equal(d.b->facts(d.target, true, &f, &d.e), 0);
	assert_true(f.resized);
	assert_int_equal(f.size, 2 * 16384 * 512);
}

static void beyond_the_new_end_of_a_shrunk_unit_ios_fail(void **state)
{
	(void)state;
	begin();
	mock_resize(m, 0, 8192);
	drive_until(d.errors >= 10);
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(drive_balanced(&d));
	assert_int_equal(d.shorts, 0);
	assert_int_equal(d.wrong, 0);
	assert_non_null(strstr(d.b->remark(d.target), "5/21/00"));
}

/* --- Data that are not what they should be ---------------------------------------------------------- */

static void data_that_do_not_all_come_are_no_success(void **state)
{
	(void)state;
	begin();
	mock_inject(m, &(struct mock_injection){.fault = MOCK_SHORT, .of = MOCK_READS, .count = 5});
	drive_until(seen().injected == 5);
	end_with(5);
	assert_int_equal(d.shorts, 5);
}

static void an_underflow_is_a_short_io(void **state)
{
	(void)state;
	begin();
	inject(MOCK_UNDERFLOW, MOCK_READS);
	drive_until(seen().injected == 1);
	end_with(1);
	assert_int_equal(d.shorts, 1);
	assert_int_equal(d.last_error, 2 * KIB);
}

static void a_wrong_header_digest_costs_the_session_and_no_io(void **state)
{
	struct mock_options o = {.header_digest = true, .lun = {{.blocks = 16384}}};
	(void)state;
	begin_with(&o, 4 * KIB);
	inject(MOCK_BAD_DIGEST, MOCK_IO);
	drive_until(drive_session(&d).drops == 1 && drive_session(&d).state == SESSION_UP);
	end();
	assert_int_equal(seen().injected, 1);
}

/* --- Sessions that end ------------------------------------------------------------------------------ */

static void a_reset_in_the_middle_of_the_data_costs_no_io(void **state)
{
	(void)state;
	begin_with(&(struct mock_options){.lun = {{.blocks = 131072}}}, 512 * KIB);
	mock_inject(m, &(struct mock_injection){.fault = MOCK_RESET, .of = MOCK_READS, .skip = 5});
	drive_until(drive_session(&d).drops == 1 && drive_session(&d).state == SESSION_UP);
	assert_true(seen().dropped > 0);
	end();
}

static void resets_among_writes_lose_none(void **state)
{
	(void)state;
	begin();
	d.write_percent = 90;
	for (unsigned k = 1; k <= 5; k++) {
		mock_cut(m, 0);
		drive_until(drive_session(&d).drops >= k && drive_session(&d).state == SESSION_UP);
		assert_true(drive_ios(&d, 100));
	}
	end();
}

static void a_portal_that_is_away_for_a_while_costs_time_only(void **state)
{
	(void)state;
	begin();
	mock_portal(m, 0, false);
	drive_for(&d, 0.7);
	assert_int_equal(drive_session(&d).state == SESSION_UP, 0);
	assert_true(drive_session(&d).why[0]);
	assert_int_equal(d.errors, 0);
	mock_portal(m, 0, true);
	drive_until(drive_session(&d).state == SESSION_UP);
	assert_true(drive_ios(&d, 200));
	end();
}

static void a_login_refused_for_a_while_is_tried_again(void **state)
{
	(void)state;
	begin();
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_REFUSE, .login_status = 0x0301, .count = 2});
	unsigned before = seen().logins;
	mock_cut(m, 0);
	drive_until(seen().injected == 2 && drive_session(&d).state == SESSION_UP);
	/* Its pause grows: no storm of logins. The control session logs in as well. */
	assert_true(seen().logins - before <= 4);
	end();
}

static void when_asked_to_log_out_it_moves_to_a_new_session(void **state)
{
	(void)state;
	begin();
	/* libiscsi's words for this one are not those for the end. */
	mock_inject(m, &(struct mock_injection){.fault = MOCK_CHECK, .key = 3, .ascq = 0x1100});
	drive_until(d.errors == 1);
	mock_ask_logout(m, 0, 1);
	drive_until(drive_session(&d).drops == 1 && drive_session(&d).state == SESSION_UP);
	assert_string_equal(drive_session(&d).lost, "the target asked for a logout");
	assert_string_equal(drive_session(&d).why, "");
	assert_true(drive_ios(&d, 200));
	end_with(1);
}

static void it_goes_where_a_login_sends_it(void **state)
{
	struct mock_options o = {.portals = 2, .lun = {{.blocks = 16384}}};
	(void)state;
	m = mock_start(&o);
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_REDIRECT, .portal = 1, .to = 2, .count = MOCK_ALWAYS});
	if (drive_open(&d, mock_url(m, 1, "", 0), DEPTH, 4 * KIB, false))
		fail_msg("%s", d.e.text);
	d.write_percent = 50;
	assert_true(drive_ios(&d, 200));
	assert_int_equal(seen().reads_at[0] + seen().writes_at[0], 0);
	char there[80];
	snprintf(there, sizeof(there), "%s:%d", mock_address(m, 2), mock_port(m));
	assert_string_equal(drive_session(&d).sent_on, there);
	assert_non_null(strstr(drive_session(&d).portal, mock_address(m, 1)));
	assert_true(seen().reads_at[1] > 0);
	/* And once more when it has to log in anew. */
	mock_cut(m, 0);
	drive_until(drive_session(&d).drops == 1 && drive_session(&d).state == SESSION_UP);
	assert_true(drive_ios(&d, 200));
	end();
}

static void a_redirect_in_circles_ends(void **state)
{
	struct mock_options o = {.portals = 2};
	(void)state;
	m = mock_start(&o);
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_REDIRECT, .portal = 1, .to = 2, .count = MOCK_ALWAYS});
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_REDIRECT, .portal = 2, .to = 1, .count = MOCK_ALWAYS});
	assert_true(drive_open(&d, mock_url(m, 1, "", 0), DEPTH, 4 * KIB, false) < 0);
	assert_true(d.e.text[0]);
	assert_true(seen().injected < 100);
}

/* --- Silence ---------------------------------------------------------------------------------------- */

static void a_ping_of_the_target_is_answered_among_large_writes(void **state)
{
	(void)state;
	/* A part of each write is still queued when the ping comes. libiscsi 1.19 may drop the session over
	 * that; then the IOs are sent again. */
	begin_with(&(struct mock_options){.first_burst = 65536, .lun = {{.blocks = 131072}}},
		   512 * KIB);
	d.write_percent = 100;
	for (int k = 0; k < 10; k++) {
		mock_ping(m, 0);
		assert_true(drive_ios(&d, 10));
	}
	drive_until(seen().pings_answered > 0);
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(drive_balanced(&d));
	assert_true(drive_read_all(&d));
	assert_int_equal(d.errors, 0);
	assert_int_equal(d.wrong, 0);
}

/* The defect itself: named, and back without a pause. */
static void a_session_that_libiscsi_ends_over_a_ping_is_named(void **state)
{
	(void)state;
	if (LIBISCSI_API_VERSION > 20170105) {
		print_message("this libiscsi is newer than 1.19\n");
		skip();
	}
	begin_with(&(struct mock_options){.first_burst = 65536, .lun = {{.blocks = 131072}}},
		   512 * KIB);
	d.write_percent = 100;
	double end = proc_now() + proc_patience();
	while (!drive_session(&d).drops && proc_now() < end) {
		mock_ping(m, 0);
		assert_true(drive_ios(&d, 2));
	}
	assert_non_null(strstr(drive_session(&d).lost, "libiscsi 1.19"));
	drive_until(drive_session(&d).state == SESSION_UP);
	assert_true(drive_ios(&d, 50));
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(drive_balanced(&d));
	assert_true(drive_read_all(&d));
	assert_int_equal(d.errors, 0);
	assert_int_equal(d.wrong, 0);
}

static void a_session_that_answers_no_ping_is_given_up(void **state)
{
	struct mock_options o = {.lun = {{.blocks = 16384}}};
	(void)state;
	begin_with(&o, 4 * KIB);
	/* Nothing comes through any more, and no error tells of it. */
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_STUCK, .of = MOCK_PINGS, .count = MOCK_ALWAYS});
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_STUCK, .of = MOCK_IO, .count = MOCK_ALWAYS});
	drive_until(drive_session(&d).drops >= 1);
	mock_heal(m);
	drive_until(drive_session(&d).state == SESSION_UP);
	assert_true(drive_ios(&d, 200));
	end();
}

static void a_command_that_is_never_answered_does_not_hang_the_run(void **state)
{
	(void)state;
	begin();
	inject(MOCK_STUCK, MOCK_IO);
	drive_until(seen().injected == 1);
	assert_true(drive_drain(&d, 2 * proc_patience()));
	assert_true(drive_session(&d).drops >= 1);
	end();
}

/* --- What is dangerous -------------------------------------------------------------------------------- */

static void a_target_that_can_not_prove_itself_gets_no_io(void **state)
{
	struct mock_options o = {.user = "alice",
				 .secret = "wonderland12",
				 .user_back = "rabbit",
				 .secret_back = "watchwatch12"};
	char url[600];
	(void)state;
	m = mock_start(&o);
	mock_inject(m, &(struct mock_injection){.fault = MOCK_BAD_CHAP, .count = 1});
	snprintf(url, sizeof url, "%s?target_user=rabbit&target_password=watchwatch12",
		 mock_url(m, 1, "alice%wonderland12", 0));
	assert_true(drive_open(&d, url, DEPTH, 4 * KIB, false) < 0);
	assert_non_null(strstr(d.e.text, "failed to prove itself"));
	assert_null(strstr(d.e.text, "watchwatch12"));
	assert_int_equal(seen().commands, 0);
	drive_close(&d);
	if (drive_open(&d, url, DEPTH, 4 * KIB, false))
		fail_msg("%s", d.e.text);
	d.write_percent = 50;
	assert_true(drive_ios(&d, 100));
	end();
}

static void another_unit_behind_the_same_name_is_not_written(void **state)
{
	struct mock_options o = {.lun = {{.blocks = 16384, .naa = 0x71}}};
	(void)state;
	begin_with(&o, 4 * KIB);
	d.write_percent = 100;
	assert_true(drive_ios(&d, 100));
	mock_become(m, 0, 0x72);
	mock_cut(m, 0);
	drive_until(drive_session(&d).drops >= 1);
	unsigned logins = seen().logins;
	unsigned long writes = seen().writes, reads = seen().reads;
	drive_until(seen().logins >= logins + 3); /* it looks, and looks again */
	assert_int_equal(seen().writes, writes);
	assert_int_equal(seen().reads, reads);
	assert_non_null(strstr(drive_session(&d).why, "another LUN"));
	mock_become(m, 0, 0x71);
	drive_until(drive_session(&d).state == SESSION_UP);
	end();
}

/* Cut off, it looks at what is there, over and over, and neither reads nor writes. */
static void expect_it_stays_away(const char *words)
{
	mock_cut(m, 0);
	drive_until(drive_session(&d).drops >= 1);
	unsigned logins = seen().logins;
	unsigned long writes = seen().writes, reads = seen().reads;
	drive_until(seen().logins >= logins + 3);
	assert_int_equal(seen().writes, writes);
	assert_int_equal(seen().reads, reads);
	if (!strstr(drive_session(&d).why, words))
		fail_msg("it says: %s", drive_session(&d).why);
}

static void a_unit_without_a_name_is_told_by_its_serial_number(void **state)
{
	struct mock_options o = {.lun = {{.blocks = 16384, .naa = 0x71, .nameless = true}}};
	(void)state;
	begin_with(&o, 4 * KIB);
	mock_cut(m, 0);
	drive_until(drive_session(&d).relogins + drive_session(&d).drops >= 1);
	drive_until(drive_session(&d).state == SESSION_UP);
	uint64_t ios = drive_session(&d).ios;
	drive_until(drive_session(&d).ios > ios);
	mock_become(m, 0, 0x72);
	expect_it_stays_away("another LUN is there (serial number '0000000000000072', not "
			     "'0000000000000071')");
	mock_become(m, 0, 0x71);
	drive_until(drive_session(&d).state == SESSION_UP);
	end();
}

static void a_unit_that_nothing_identifies_is_not_written_once_its_size_is_another(void **state)
{
	struct mock_options o = {.lun = {{.blocks = 16384, .nameless = true, .serialless = true}}};
	(void)state;
	begin_with(&o, 4 * KIB);
	mock_resize(m, 0, 32768);
	expect_it_stays_away("has 32768 blocks now, not 16384, and it has no worldwide name");
	mock_resize(m, 0, 16384);
	drive_until(drive_session(&d).state == SESSION_UP);
	end();
}

/* One write at a time, the next of which is answered so. */
static void begin_answered(uint64_t naa, uint8_t key, uint16_t ascq)
{
	struct mock_options o = {.lun = {{.blocks = 16384, .naa = 0x71}}};
	m = mock_start(&o);
	if (drive_open(&d, mock_url(m, 1, "", 0), 1, 4 * KIB, false))
		fail_msg("%s", d.e.text);
	d.write_percent = 100;
	assert_true(drive_ios(&d, 50));
	assert_true(drive_drain(&d, proc_patience()));
	mock_become(m, 0, naa);
	mock_inject(m, &(struct mock_injection){
			       .fault = MOCK_CHECK, .of = MOCK_WRITES, .key = key, .ascq = ascq});
}

static void a_unit_that_is_told_to_be_another_is_looked_at_before_the_next_write(void **state)
{
	(void)state;
	begin_answered(0x72, 6, 0x3f0e);
	unsigned long writes = seen().writes;
	drive_until(strstr(drive_session(&d).why, "another LUN"));
	/* The one that was answered so. */
	assert_int_equal(seen().writes, writes + 1);
	assert_int_equal(drive_session(&d).drops, 1);
	mock_become(m, 0, 0x71);
	drive_until(drive_session(&d).state == SESSION_UP);
	end();
}

static void a_unit_that_came_instead_of_one_that_was_gone_is_not_written(void **state)
{
	(void)state;
	begin_answered(0x72, 5, 0x2500);
	unsigned long writes = seen().writes;
	drive_until(strstr(drive_session(&d).why, "another LUN"));
	assert_int_equal(seen().writes, writes + 1);
	mock_become(m, 0, 0x71);
	drive_until(drive_session(&d).state == SESSION_UP);
	end_with(1);
}

static void a_unit_that_is_the_same_after_a_look_keeps_its_session(void **state)
{
	(void)state;
	begin_answered(0x71, 6, 0x3f03);
	unsigned long commands = seen().commands, writes = seen().writes;
	assert_true(drive_ios(&d, 50));
	end();
	assert_int_equal(drive_session(&d).drops, 0);
	assert_int_equal(drive_session(&d).attentions, 1);
	/* The first write twice, and the look. */
	assert_true(seen().commands >= commands + 51 + 2);
	assert_true(seen().writes >= writes + 51);
}

/* With many portals, too, of which the path's own is named. */
static void another_unit_is_told_in_words_that_are_whole(void **state)
{
	struct mock_options o = {.lun = {{.blocks = 16384, .naa = 0x71}}};
	char url[600] = "iscsi://", portal[64];
	(void)state;
	m = mock_start(&o);
	snprintf(portal, sizeof portal, "%s:%d", mock_address(m, 1), mock_port(m));
	for (unsigned i = 0; i < PATHS_MAX; i++)
		snprintf(url + strlen(url), sizeof url - strlen(url), "%s%s", i ? "," : "", portal);
	snprintf(url + strlen(url), sizeof url - strlen(url), "/%s/0", MOCK_IQN);
	if (drive_open(&d, url, DEPTH, 4 * KIB, false))
		fail_msg("%s", d.e.text);
	mock_become(m, 0, 0x72);
	mock_cut(m, 0);
	drive_until(strstr(drive_path(&d, 0).why, "another LUN"));
	assert_non_null(strstr(drive_path(&d, 0).why, portal));
	assert_non_null(strstr(drive_path(&d, 0).why, "not 'naa.3000000000000071')"));
	mock_become(m, 0, 0x71);
	end();
}

static void another_unit_is_noticed_though_no_session_ends(void **state)
{
	struct mock_options o = {.lun = {{.blocks = 16384, .naa = 0x71}}};
	struct backend_facts f = {.id = ""};
	(void)state;
	begin_with(&o, 4 * KIB);
	mock_become(m, 0, 0x72);
	double end_ = proc_now() + proc_patience();
	do {
		drive_for(&d, 0.05);
		assert_int_equal(d.b->facts(d.target, false, &f, &d.e), 0);
	} while (!strstr(f.id, "72") && proc_now() < end_);
	assert_string_equal(f.id, "naa.3000000000000072");
	assert_int_equal(drive_session(&d).drops, 0);
	mock_become(m, 0, 0x71);
	end();
}

static void nothing_is_written_before_it_is_allowed(void **state)
{
	(void)state;
	begin();
	assert_true(drive_drain(&d, proc_patience()));
	unsigned long writes = seen().writes;
	d.b->allow_write(d.target, 0, 0);
	d.write_percent = 100;
	assert_true(drive_ios(&d, 50));
	assert_true(drive_drain(&d, proc_patience()));
	assert_int_equal(seen().writes, writes);
	assert_int_equal(d.errors, 50);
	assert_int_equal(d.last_error, -EPERM);
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

/* --- What strangers say of themselves --------------------------------------------------------------- */

static void a_size_that_no_number_holds_is_refused(void **state)
{
	static const struct mock_lun says[] = {
		{.claims = UINT64_MAX},
		{.claims = UINT64_MAX / 512},
		{.claims = INT64_MAX / 512},
		{.claims = UINT64_C(1) << 52, .block = 4096},
	};
	(void)state;
	for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
		m = mock_start(&(struct mock_options){.lun = {says[i]}});
		assert_int_equal(drive_open(&d, mock_url(m, 1, "", 0), DEPTH, 4 * KIB, false),
				 -EFBIG);
		assert_non_null(strstr(d.e.text, "last block"));
		clean_up(NULL);
	}
}

struct told {
	unsigned targets, luns, odd;
	bool tame;
};

static bool is_tame(const char *text)
{
	while (*text && (unsigned char)*text >= ' ' && *text != 0x7f)
		text++;
	return !*text;
}

static void note_told(const struct backend_found *b, void *arg)
{
	struct told *t = arg;

	t->targets += b->lun < 0;
	t->luns += b->lun >= 0 && b->facts;
	t->odd += b->lun < 0 && b->trouble && strstr(b->trouble, "its name");
	t->tame &= is_tame(b->target) && is_tame(b->portal);
}

static void a_name_that_a_terminal_would_obey_is_tamed_and_not_logged_in_to(void **state)
{
	struct told t = {.tame = true};
	struct backend_login login = {.initiator = "iqn.2026-01.test.lunscope:me"};
	char portal[64];
	struct error e;
	(void)state;
	m = mock_start(&(struct mock_options){.also = "iqn.2026-01.x:\033[2J\033]0;yours\a"});
	snprintf(portal, sizeof portal, "%s:%d", mock_address(m, 1), mock_port(m));
	struct backend_open how = {.spec = portal, .fd = -1, .login = &login};
	assert_int_equal(backend_find("iscsi")->discover(&how, note_told, &t, &e), 0);
	assert_int_equal(t.targets, 2);
	assert_int_equal(t.luns, 1);
	assert_int_equal(t.odd, 1);
	assert_true(t.tame);
	assert_int_equal(seen().logins_failed, 0);
}

static void every_target_is_told_however_many_there_are(void **state)
{
	struct told t = {.tame = true};
	struct backend_login login = {.initiator = "iqn.2026-01.test.lunscope:me"};
	char portal[64];
	struct error e;
	(void)state;
	m = mock_start(&(struct mock_options){.more = 300});
	snprintf(portal, sizeof portal, "%s:%d", mock_address(m, 1), mock_port(m));
	struct backend_open how = {.spec = portal, .fd = -1, .login = &login};
	assert_int_equal(backend_find("iscsi")->discover(&how, note_told, &t, &e), 0);
	assert_int_equal(t.targets, 301);
	assert_int_equal(t.luns, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(the_depth_asked_for_is_in_flight_at_the_target),
		test(writes_arrive_whole_whatever_was_negotiated),
		test(answers_that_come_late_cost_time_only),
		test(a_narrow_command_window_is_kept_and_told),
		test(busy_is_counted_and_tried_again),
		test(task_set_full_is_counted_and_obeyed),
		test(a_medium_error_fails_its_own_io_and_is_named),
		test(a_failed_write_leaves_the_old_or_the_new),
		test(a_unit_attention_is_no_error),
		test(a_unit_that_becomes_read_only_fails_writes_alone),
		test(a_resized_unit_is_noticed_and_costs_no_io),
		test(beyond_the_new_end_of_a_shrunk_unit_ios_fail),
		test(data_that_do_not_all_come_are_no_success),
		test(an_underflow_is_a_short_io),
		test(a_wrong_header_digest_costs_the_session_and_no_io),
		test(a_reset_in_the_middle_of_the_data_costs_no_io),
		test(resets_among_writes_lose_none),
		test(a_portal_that_is_away_for_a_while_costs_time_only),
		test(a_login_refused_for_a_while_is_tried_again),
		test(when_asked_to_log_out_it_moves_to_a_new_session),
		test(it_goes_where_a_login_sends_it),
		test(a_redirect_in_circles_ends),
		test(a_ping_of_the_target_is_answered_among_large_writes),
		test(a_session_that_libiscsi_ends_over_a_ping_is_named),
		test(a_session_that_answers_no_ping_is_given_up),
		test(a_command_that_is_never_answered_does_not_hang_the_run),
		test(a_target_that_can_not_prove_itself_gets_no_io),
		test(another_unit_behind_the_same_name_is_not_written),
		test(a_unit_without_a_name_is_told_by_its_serial_number),
		test(a_unit_that_nothing_identifies_is_not_written_once_its_size_is_another),
		test(a_unit_that_is_told_to_be_another_is_looked_at_before_the_next_write),
		test(a_unit_that_came_instead_of_one_that_was_gone_is_not_written),
		test(a_unit_that_is_the_same_after_a_look_keeps_its_session),
		test(another_unit_is_told_in_words_that_are_whole),
		test(another_unit_is_noticed_though_no_session_ends),
		test(nothing_is_written_before_it_is_allowed),
		test(a_size_that_no_number_holds_is_refused),
		test(every_target_is_told_however_many_there_are),
		test(a_name_that_a_terminal_would_obey_is_tamed_and_not_logged_in_to),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
