/* mocktgt-self.c - the mock target keeps the protocol, and breaks it exactly as told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <iscsi/iscsi.h>
#include <iscsi/scsi-lowlevel.h>
#include "tests/digest.h"
#include "tests/initiator.h"
#include "tests/mocktgt.h"
#include "tests/proc.h"

#define MIB (1u << 20)

static struct mock *m;
static struct initiator i;
static uint8_t out[2 * MIB], in[2 * MIB];

static int set_up(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof out; k++)
		out[k] = (uint8_t)(k * 7 + k / 251);
	memset(in, 0, sizeof in);
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	initiator_close(&i);
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

/* The initiator kept to the protocol as far as this target can tell. */
static void assert_no_violation(void)
{
	struct mock_seen s = seen();
	if (s.violations)
		print_error("%u violations, the first: %s\n", s.violations, s.violation);
	assert_int_equal(s.violations, 0);
}

static void begin(const struct mock_options *o)
{
	m = mock_start(o);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), NULL), 0);
}

static void inject(enum mock_fault fault, enum mock_of of)
{
	mock_inject(m, &(struct mock_injection){.fault = fault, .of = of});
}

static struct answer read_4k(void)
{
	return initiator_read(&i, 8, in, 4096, 512);
}

/* Until the condition holds, or patience is over. */
#define assert_soon(condition)                                                   \
	do {                                                                     \
		double end_ = proc_now() + proc_patience();                      \
		while (!(condition) && proc_now() < end_)                        \
			nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); \
		assert_true(condition);                                          \
	} while (0)

/* --- The honest target -------------------------------------------------------------------------------- */

static void the_sums_are_those_of_the_standards(void **state)
{
	/* RFC 7143 appendix B.4 (32 bytes of zeros, of ones; 0, 1 ... 31); RFC 1321 A.5. */
	static const struct {
		const char *text, *sum;
	} md5[] = {
		{"", "d41d8cd98f00b204e9800998ecf8427e"},
		{"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
		{"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
		 "57edf4a22be3c955ac49da2e2107b67a"},
	};
	uint8_t b[32] = {0};
	(void)state;
	assert_int_equal(digest_crc32c(b, 32), 0x8a9136aa);
	memset(b, 0xff, 32);
	assert_int_equal(digest_crc32c(b, 32), 0x62a8ab43);
	for (uint8_t k = 0; k < 32; k++)
		b[k] = k;
	assert_int_equal(digest_crc32c(b, 32), 0x46dd794e);
	for (size_t k = 0; k < sizeof md5 / sizeof *md5; k++) {
		char hex[33];
		digest_md5(md5[k].text, strlen(md5[k].text), b);
		for (int n = 0; n < 16; n++)
			snprintf(hex + 2 * n, 3, "%02x", b[n]);
		assert_string_equal(hex, md5[k].sum);
	}
}

static void what_is_written_is_read_back(void **state)
{
	uint64_t blocks = 0;
	uint32_t block = 0;
	(void)state;
	begin(NULL);
	assert_int_equal(initiator_ready(&i).status, 0);
	assert_int_equal(initiator_capacity(&i, &blocks, &block).status, 0);
	assert_int_equal(blocks * block, 64 * MIB);
	assert_int_equal(initiator_write(&i, 100, out, sizeof out, 512).status, 0);
	assert_memory_equal(mock_data(m, 0) + 100 * 512, out, sizeof out);
	struct answer a = initiator_read(&i, 100, in, sizeof in, 512);
	assert_int_equal(a.status, 0);
	assert_int_equal(a.residual_status, SCSI_RESIDUAL_NO_RESIDUAL);
	assert_memory_equal(in, out, sizeof out);
	assert_int_equal(initiator_luns(&i), 1);
	assert_int_equal(initiator_write_protected(&i), 0);
	assert_true(initiator_ping(&i));
	struct mock_seen s = seen();
	assert_int_equal(s.reads, 1);
	assert_int_equal(s.writes, 1);
	assert_int_equal(s.pings, 1);
	assert_int_equal(s.sessions, 1);
	assert_int_equal(s.waiting, 0);
	assert_int_equal(s.answered, s.commands);
	assert_no_violation();
	initiator_close(&i);
	s = seen();
	assert_int_equal(s.logouts, 1);
	assert_soon(seen().sessions == 0);
}

/* All the ways that a write's data can take. */
static void data_of_a_write_comes_as_agreed(void **state)
{
	static const struct mock_options ways[] = {
		{.initial_r2t = true},
		{.no_immediate = true},
		{.initial_r2t = true, .no_immediate = true},
		{.burst = 65536, .first_burst = 16384, .segment = 8192},
		{.initial_r2t = true, .burst = 16384, .first_burst = 4096, .segment = 4096},
	};
	(void)state;
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
		begin(&ways[k]);
		assert_int_equal(initiator_write(&i, 8, out, MIB, 512).status, 0);
		assert_memory_equal(mock_data(m, 0) + 8 * 512, out, MIB);
		assert_int_equal(initiator_read(&i, 8, in, MIB, 512).status, 0);
		assert_memory_equal(in, out, MIB);
		assert_no_violation();
		clean_up(NULL);
	}
}

static void blocks_of_4096_and_several_units(void **state)
{
	struct mock_options o = {.luns = 2, .lun = {{.naa = 0x51}, {.block = 4096, .naa = 0x52}}};
	uint64_t blocks = 0;
	uint32_t block = 0;
	char id[64];
	(void)state;
	m = mock_start(&o);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 1), NULL), 0);
	assert_int_equal(initiator_capacity(&i, &blocks, &block).status, 0);
	assert_int_equal(block, 4096);
	assert_int_equal(initiator_write(&i, 5, out, 8192, 4096).status, 0);
	assert_memory_equal(mock_data(m, 1) + 5 * 4096, out, 8192);
	assert_int_equal(mock_data(m, 0)[5 * 4096 + 1], 0);
	assert_true(initiator_unit_id(&i, id, sizeof id));
	assert_string_equal(id, "3000000000000052");
	assert_int_equal(initiator_luns(&i), 2);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 2), NULL), -1);
}

static void what_lies_beyond_the_end_is_refused(void **state)
{
	(void)state;
	begin(NULL);
	struct answer a = initiator_read(&i, 64 * MIB / 512 - 4, in, 4096, 512);
	assert_int_equal(a.status, SCSI_STATUS_CHECK_CONDITION);
	assert_int_equal(a.key, SCSI_SENSE_ILLEGAL_REQUEST);
	assert_int_equal(a.ascq, 0x2100);
	a = initiator_write(&i, 64 * MIB / 512 - 4, out, 4096, 512);
	assert_int_equal(a.ascq, 0x2100);
	assert_no_violation();
}

static void a_read_only_unit_says_so_and_refuses_writes(void **state)
{
	struct mock_options o = {.lun = {{.read_only = true}}};
	(void)state;
	begin(&o);
	assert_int_equal(initiator_write_protected(&i), 1);
	struct answer a = initiator_write(&i, 8, out, MIB, 512);
	assert_int_equal(a.status, SCSI_STATUS_CHECK_CONDITION);
	assert_int_equal(a.key, SCSI_SENSE_DATA_PROTECTION);
	assert_int_equal(mock_data(m, 0)[8 * 512 + 1], 0);
	mock_read_only(m, 0, false);
	assert_int_equal(initiator_write(&i, 8, out, MIB, 512).status, 0);
	assert_no_violation();
}

static void chap_works_both_ways(void **state)
{
	struct mock_options o = {.user = "alice",
				 .secret = "wonderland12",
				 .user_back = "rabbit",
				 .secret_back = "watchwatch12"};
	struct initiator_options back = {.user_back = "rabbit", .secret_back = "watchwatch12"};
	(void)state;
	m = mock_start(&o);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "alice%wonderland12", 0), NULL), 0);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "alice%wonderland12", 0), &back), 0);
	initiator_close(&i);
	const char *wrong[] = {"", "alice%wonderland13", "bob%wonderland12"};
	for (int k = 0; k < 3; k++) {
		assert_int_equal(initiator_open(&i, mock_url(m, 1, wrong[k], 0), NULL), -1);
		assert_non_null(strstr(i.error, "513"));
		initiator_close(&i);
	}
	assert_int_equal(seen().logins, 2);
	assert_int_equal(seen().logins_failed, 3);
	inject(MOCK_BAD_CHAP, MOCK_LOGINS);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "alice%wonderland12", 0), &back), -1);
	assert_non_null(strstr(i.error, "CHAP_R"));
	assert_no_violation();
}

static void discovery_names_the_target_and_its_portals(void **state)
{
	struct mock_options o = {.portals = 3};
	char portal[64], third[64];
	(void)state;
	m = mock_start(&o);
	snprintf(portal, sizeof portal, "%s:%d", mock_address(m, 1), mock_port(m));
	snprintf(third, sizeof third, MOCK_IQN " 127.0.0.3:%d,1", mock_port(m));
	char *found = initiator_discover(portal);
	assert_non_null(found);
	bool there = strstr(found, third);
	free(found);
	assert_true(there);
	assert_no_violation();
}

static void a_second_login_of_one_port_ends_the_first(void **state)
{
	struct initiator_options o = {.isid = 7}, other = {.isid = 8};
	struct initiator again;
	(void)state;
	m = mock_start(NULL);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), &o), 0);
	assert_int_equal(initiator_open(&again, mock_url(m, 1, "", 0), &other), 0);
	assert_int_equal(seen().sessions, 2);
	initiator_close(&again);
	assert_int_equal(initiator_open(&again, mock_url(m, 1, "", 0), &o), 0);
	struct mock_seen s = seen();
	int status = initiator_ready(&i).status;
	initiator_close(&again);
	assert_int_equal(s.sessions, 1);
	assert_int_equal(s.reinstated, 1);
	assert_int_not_equal(status, 0);
}

/* --- Faults, as libiscsi sees them -------------------------------------------------------------------- */

static void busy_and_task_set_full_are_statuses(void **state)
{
	(void)state;
	begin(NULL);
	inject(MOCK_BUSY, MOCK_READS);
	mock_inject(m,
		    &(struct mock_injection){
			    .fault = MOCK_TASK_SET_FULL, .of = MOCK_WRITES, .skip = 1, .count = 2});
	assert_int_equal(read_4k().status, SCSI_STATUS_BUSY);
	assert_int_equal(read_4k().status, 0);
	assert_int_equal(initiator_write(&i, 8, out, MIB, 512).status, 0);
	assert_int_equal(initiator_write(&i, 8, out, MIB, 512).status, SCSI_STATUS_TASK_SET_FULL);
	assert_int_equal(initiator_write(&i, 8, out, MIB, 512).status, SCSI_STATUS_TASK_SET_FULL);
	assert_int_equal(initiator_write(&i, 8, out, MIB, 512).status, 0);
	assert_int_equal(seen().injected, 3);
	assert_no_violation();
}

static void a_check_condition_has_the_sense_chosen(void **state)
{
	(void)state;
	begin(NULL);
	mock_inject(m, &(struct mock_injection){.fault = MOCK_CHECK, .key = 3, .ascq = 0x1100});
	struct answer a = read_4k();
	assert_int_equal(a.status, SCSI_STATUS_CHECK_CONDITION);
	assert_int_equal(a.key, SCSI_SENSE_MEDIUM_ERROR);
	assert_int_equal(a.ascq, 0x1100);
	assert_int_equal(read_4k().status, 0);
}

static void a_delayed_answer_comes_no_sooner(void **state)
{
	(void)state;
	begin(NULL);
	mock_inject(m, &(struct mock_injection){.fault = MOCK_DELAY, .ms = 80});
	double start = proc_now();
	assert_int_equal(read_4k().status, 0);
	assert_true(proc_now() - start >= 0.08);
}

static void a_stuck_command_waits_for_its_release(void **state)
{
	struct initiator_options o = {.timeout_s = 1};
	(void)state;
	m = mock_start(NULL);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), &o), 0);
	assert_int_equal(initiator_write(&i, 8, out, 4096, 512).status, 0);
	inject(MOCK_STUCK, MOCK_READS);
	assert_int_equal(read_4k().status, SCSI_STATUS_TIMEOUT);
	assert_int_equal(seen().waiting, 1);
	/* What comes behind it is answered. */
	assert_int_equal(initiator_ready(&i).status, 0);
	mock_release(m);
	assert_soon(seen().waiting == 0);
	assert_true(initiator_ping(&i));
	assert_memory_equal(in, out, 4096);
	assert_no_violation();
}

static void a_ping_of_the_target_is_answered(void **state)
{
	(void)state;
	begin(NULL);
	mock_ping(m, 0);
	assert_true(initiator_ping(&i));
	assert_soon(seen().pings_answered == 1);
	assert_no_violation();
}

static void pings_of_the_initiator_can_go_unanswered(void **state)
{
	struct initiator_options o = {.timeout_s = 1};
	(void)state;
	m = mock_start(NULL);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), &o), 0);
	inject(MOCK_STUCK, MOCK_PINGS);
	assert_false(initiator_ping(&i));
	assert_true(initiator_ping(&i));
}

static void who_does_not_log_out_when_asked_is_dropped(void **state)
{
	(void)state;
	begin(NULL);
	mock_ask_logout(m, 1, 1);
	/* libiscsi 1.19 logs out by itself, or is dropped after the second. */
	initiator_listen(&i, 0.2);
	assert_soon(seen().sessions == 0);
	assert_int_not_equal(initiator_ready(&i).status, 0);
}

static void a_redirected_login_arrives_at_the_other_portal(void **state)
{
	struct mock_options o = {.portals = 2};
	(void)state;
	m = mock_start(&o);
	mock_inject(m, &(struct mock_injection){.fault = MOCK_REDIRECT, .portal = 1, .to = 2});
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), NULL), 0);
	assert_int_equal(read_4k().status, 0);
	assert_int_equal(seen().reads_at[0], 0);
	assert_int_equal(seen().reads_at[1], 1);
}

static void a_login_is_refused_with_the_status_chosen(void **state)
{
	(void)state;
	m = mock_start(NULL);
	mock_inject(m, &(struct mock_injection){.fault = MOCK_REFUSE, .login_status = 0x0301});
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), NULL), -1);
	assert_non_null(strstr(i.error, "769")); /* service unavailable */
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), NULL), 0);
}

static void a_login_can_hang(void **state)
{
	struct initiator_options o = {.timeout_s = 1};
	(void)state;
	m = mock_start(NULL);
	inject(MOCK_STUCK, MOCK_LOGINS);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), &o), -1);
	assert_int_equal(seen().logins, 0);
	assert_int_equal(seen().logins_failed, 0);
}

static void short_data_comes_without_a_word(void **state)
{
	(void)state;
	begin(NULL);
	assert_int_equal(initiator_write(&i, 8, out, 4096, 512).status, 0);
	memset(in, 0x55, 4096);
	inject(MOCK_SHORT, MOCK_READS);
	struct answer a = read_4k();
	assert_int_equal(a.status, 0);
	assert_int_equal(a.residual_status, SCSI_RESIDUAL_NO_RESIDUAL);
	assert_memory_equal(in, out, 2048);
	assert_int_equal(in[2048], 0x55);
	assert_int_equal(in[4095], 0x55);
}

static void an_underflow_says_how_much_is_missing(void **state)
{
	(void)state;
	begin(NULL);
	inject(MOCK_UNDERFLOW, MOCK_READS);
	struct answer a = read_4k();
	assert_int_equal(a.status, 0);
	assert_int_equal(a.residual_status, SCSI_RESIDUAL_UNDERFLOW);
	assert_int_equal(a.residual, 2048);
}

static void a_wrong_header_digest_ends_the_session(void **state)
{
	struct mock_options o = {.header_digest = true};
	struct initiator_options demand = {.header_digest = true};
	(void)state;
	m = mock_start(&o);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), &demand), 0);
	assert_int_equal(initiator_write(&i, 8, out, MIB, 512).status, 0);
	assert_int_equal(initiator_read(&i, 8, in, MIB, 512).status, 0);
	assert_memory_equal(in, out, MIB);
	assert_no_violation();
	inject(MOCK_BAD_DIGEST, MOCK_READS);
	assert_int_not_equal(read_4k().status, 0);
}

static void a_reset_comes_in_the_middle_of_the_data(void **state)
{
	(void)state;
	begin(NULL);
	assert_int_equal(initiator_write(&i, 8, out, MIB, 512).status, 0);
	memset(in, 0x55, MIB);
	inject(MOCK_RESET, MOCK_READS);
	assert_int_not_equal(initiator_read(&i, 8, in, MIB, 512).status, 0);
	assert_int_equal(in[MIB - 1], 0x55);
	assert_soon(seen().sessions == 0);
	assert_int_equal(seen().dropped, 1);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), NULL), 0);
	inject(MOCK_RESET, MOCK_WRITES);
	assert_int_not_equal(initiator_write(&i, 8, out, 4096, 512).status, 0);
}

static void a_resized_unit_raises_an_attention(void **state)
{
	uint64_t blocks = 0;
	(void)state;
	begin(NULL);
	assert_int_equal(read_4k().status, 0);
	mock_resize(m, 0, 1000);
	struct answer a = read_4k();
	assert_int_equal(a.status, SCSI_STATUS_CHECK_CONDITION);
	assert_int_equal(a.key, SCSI_SENSE_UNIT_ATTENTION);
	assert_int_equal(a.ascq, 0x2a09);
	assert_int_equal(read_4k().status, 0);
	assert_int_equal(initiator_capacity(&i, &blocks, NULL).status, 0);
	assert_int_equal(blocks, 1000);
	assert_int_equal(initiator_read(&i, 1000, in, 512, 512).ascq, 0x2100);
}

static void a_closed_window_holds_commands_back(void **state)
{
	struct mock_options o = {.window = 2};
	struct initiator_options hurry = {.timeout_s = 1};
	(void)state;
	m = mock_start(&o);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), &hurry), 0);
	mock_inject(m, &(struct mock_injection){.fault = MOCK_STUCK, .count = MOCK_ALWAYS});
	unsigned long before = seen().reads;
	for (int k = 0; k < 3; k++)
		assert_int_equal(read_4k().status, SCSI_STATUS_TIMEOUT);
	assert_int_equal(seen().reads - before, 2); /* the third waits in the initiator */
	mock_window(m, 8);
	initiator_listen(&i, 0.1);
	assert_int_equal(seen().reads - before, 3);
	assert_no_violation();
}

static void portals_go_down_and_come_back(void **state)
{
	struct mock_options o = {.portals = 2};
	(void)state;
	m = mock_start(&o);
	assert_int_equal(initiator_open(&i, mock_url(m, 2, "", 0), NULL), 0);
	assert_int_equal(initiator_write(&i, 8, out, 4096, 512).status, 0);
	mock_portal(m, 2, false);
	assert_int_not_equal(read_4k().status, 0);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, mock_url(m, 2, "", 0), NULL), -1);
	assert_non_null(strstr(i.error, "refused"));
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), NULL), 0);
	initiator_close(&i);
	mock_portal(m, 2, true);
	assert_int_equal(initiator_open(&i, mock_url(m, 2, "", 0), NULL), 0);
	assert_int_equal(read_4k().status, 0);
	assert_memory_equal(in, out, 4096);
	mock_cut(m, 2);
	assert_int_not_equal(read_4k().status, 0);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, mock_url(m, 2, "", 0), NULL), 0);
}

static void a_fault_can_be_kept_to_one_portal(void **state)
{
	struct mock_options o = {.portals = 2};
	(void)state;
	m = mock_start(&o);
	mock_inject(
		m, &(struct mock_injection){.fault = MOCK_BUSY, .portal = 2, .count = MOCK_ALWAYS});
	assert_int_equal(initiator_open(&i, mock_url(m, 1, "", 0), NULL), 0);
	assert_int_equal(read_4k().status, 0);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, mock_url(m, 2, "", 0), NULL), 0);
	assert_int_equal(read_4k().status, SCSI_STATUS_BUSY);
	assert_int_equal(read_4k().status, SCSI_STATUS_BUSY);
	mock_heal(m);
	assert_int_equal(read_4k().status, 0);
}

#define test(f) cmocka_unit_test_setup_teardown(f, set_up, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(the_sums_are_those_of_the_standards),
		test(what_is_written_is_read_back),
		test(data_of_a_write_comes_as_agreed),
		test(blocks_of_4096_and_several_units),
		test(what_lies_beyond_the_end_is_refused),
		test(a_read_only_unit_says_so_and_refuses_writes),
		test(chap_works_both_ways),
		test(discovery_names_the_target_and_its_portals),
		test(a_second_login_of_one_port_ends_the_first),
		test(busy_and_task_set_full_are_statuses),
		test(a_check_condition_has_the_sense_chosen),
		test(a_delayed_answer_comes_no_sooner),
		test(a_stuck_command_waits_for_its_release),
		test(a_ping_of_the_target_is_answered),
		test(pings_of_the_initiator_can_go_unanswered),
		test(who_does_not_log_out_when_asked_is_dropped),
		test(a_redirected_login_arrives_at_the_other_portal),
		test(a_login_is_refused_with_the_status_chosen),
		test(a_login_can_hang),
		test(short_data_comes_without_a_word),
		test(an_underflow_says_how_much_is_missing),
		test(a_wrong_header_digest_ends_the_session),
		test(a_reset_comes_in_the_middle_of_the_data),
		test(a_resized_unit_raises_an_attention),
		test(a_closed_window_holds_commands_back),
		test(portals_go_down_and_come_back),
		test(a_fault_can_be_kept_to_one_portal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
