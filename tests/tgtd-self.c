/* tgtd-self.c - the real target and the cables that other tests stand on do what they are asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <iscsi/iscsi.h>
#include <iscsi/scsi-lowlevel.h>
#include "tests/initiator.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define MIB (1u << 20)

static struct tgtd t;
static struct net net;
static struct initiator i;

static void need_tgtd(void)
{
	if (tgtd_missing()) {
		print_message("%s\n", tgtd_missing());
		skip();
	}
}

static void need_net(void)
{
	need_tgtd();
	if (net_missing()) {
		print_message("%s\n", net_missing());
		skip();
	}
}

static int clean_up(void **state)
{
	(void)state;
	initiator_close(&i);
	tgtd_free(&t);
	net_free(&net);
	return 0;
}

/* One target with one LUN of 8 MiB. */
static struct tgtd_lun start_one(const struct tgtd_options *o)
{
	struct tgtd_lun l = {.file = scratch_file("lun", 8 * MIB, true)};
	assert_int_equal(tgtd_start(&t, o), 0);
	assert_int_equal(tgtd_target(&t, "one"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	return l;
}

static void fill(uint8_t *buf, size_t n, unsigned seed)
{
	for (size_t k = 0; k < n; k++)
		buf[k] = (uint8_t)(k * 7 + k / 251 + seed);
}

static void what_is_written_is_read_back(void **state)
{
	static uint8_t out[MIB], in[MIB];
	uint64_t blocks = 0;
	uint32_t block = 0;
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), NULL), 0);
	assert_int_equal(initiator_ready(&i).status, 0);
	assert_int_equal(initiator_capacity(&i, &blocks, &block).status, 0);
	assert_int_equal(blocks * block, 8 * MIB);
	fill(out, sizeof out, 1);
	assert_int_equal(initiator_write(&i, 2048, out, sizeof out, 512).status, 0);
	assert_int_equal(initiator_read(&i, 2048, in, sizeof in, 512).status, 0);
	assert_memory_equal(out, in, sizeof out);
	assert_true(initiator_ping(&i));
	/* LUN 0 is tgtd's own controller. */
	assert_int_equal(initiator_luns(&i), 2);
}

static void a_block_is_as_large_as_asked_for(void **state)
{
	struct tgtd_lun l = {.file = scratch_file("big", 8 * MIB, true), .block = 4096};
	uint64_t blocks = 0;
	uint32_t block = 0;
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(tgtd_lun(&t, 1, 2, &l), 0);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 2), NULL), 0);
	assert_int_equal(initiator_capacity(&i, &blocks, &block).status, 0);
	assert_int_equal(block, 4096);
	assert_int_equal(blocks, 2048);
}

static void chap_lets_in_who_knows_the_secret_and_nobody_else(void **state)
{
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(tgtd_chap(&t, 1, false), 0);
	const char *right = TGTD_USER "%" TGTD_SECRET;
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, right, "one", 1), NULL), 0);
	initiator_close(&i);
	const char *wrong[] = {"", TGTD_USER "%wrongsecret12", "nobody%" TGTD_SECRET};
	for (size_t k = 0; k < 3; k++) {
		const char *url = tgtd_url(&t, 1, wrong[k], "one", 1);
		assert_int_equal(initiator_open(&i, url, NULL), -1);
		assert_non_null(strstr(i.error, "513")); /* 0x0201, authentication failure */
		initiator_close(&i);
	}
}

static void with_mutual_chap_the_target_proves_itself_too(void **state)
{
	struct initiator_options o = {.user_back = TGTD_USER_BACK, .secret_back = TGTD_SECRET_BACK};
	const char *who = TGTD_USER "%" TGTD_SECRET;
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(tgtd_chap(&t, 1, true), 0);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, who, "one", 1), &o), 0);
	initiator_close(&i);
	o.secret_back = "notthetarget1";
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, who, "one", 1), &o), -1);
	assert_non_null(strstr(i.error, "CHAP_R"));
}

static void an_unknown_target_and_an_unknown_lun_are_refused(void **state)
{
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "two", 1), NULL), -1);
	assert_non_null(strstr(i.error, "515")); /* 0x0203, not found */
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 7), NULL), -1);
}

static void a_header_digest_can_be_demanded(void **state)
{
	static uint8_t buf[4096];
	struct initiator_options o = {.header_digest = true};
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(tgtd_parameter(&t, 1, "HeaderDigest", "CRC32C"), 0);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), &o), 0);
	assert_int_equal(initiator_read(&i, 0, buf, sizeof buf, 512).status, 0);
}

static void two_targets_over_one_file_are_one_unit(void **state)
{
	static uint8_t out[4096], in[4096];
	char id[2][128];
	struct tgtd_lun l = {.file = scratch_file("shared", MIB, true), .id = "5eed0007"};
	(void)state;
	need_tgtd();
	start_one(&(struct tgtd_options){.portals = 2});
	assert_int_equal(tgtd_target(&t, "two"), 2);
	assert_int_equal(tgtd_lun(&t, 1, 2, &l), 0);
	assert_int_equal(tgtd_lun(&t, 2, 2, &l), 0);

	fill(out, sizeof out, 2);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 2), NULL), 0);
	assert_true(initiator_unit_id(&i, id[0], sizeof id[0]));
	assert_int_equal(initiator_write(&i, 8, out, sizeof out, 512).status, 0);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 2, "", "two", 2), NULL), 0);
	assert_true(initiator_unit_id(&i, id[1], sizeof id[1]));
	assert_int_equal(initiator_read(&i, 8, in, sizeof in, 512).status, 0);
	assert_memory_equal(out, in, sizeof out);
	assert_non_null(strstr(id[0], l.id));
	assert_string_equal(id[0], id[1]);
	initiator_close(&i);

	/* Without an id of its own, each LUN is a unit of its own. */
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), NULL), 0);
	assert_true(initiator_unit_id(&i, id[1], sizeof id[1]));
	assert_string_not_equal(id[0], id[1]);
}

static void a_read_only_lun_says_so_and_refuses_writes(void **state)
{
	static uint8_t buf[4096];
	struct tgtd_lun l = {.file = scratch_file("ro", MIB, true), .read_only = true};
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(tgtd_lun(&t, 1, 3, &l), 0);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 3), NULL), 0);
	assert_int_equal(initiator_write_protected(&i), 1);
	struct answer a = initiator_write(&i, 0, buf, sizeof buf, 512);
	assert_int_equal(a.status, SCSI_STATUS_CHECK_CONDITION);
	assert_int_equal(a.key, SCSI_SENSE_DATA_PROTECTION);
	assert_int_equal(a.ascq, 0x2700);
	assert_int_equal(initiator_read(&i, 0, buf, sizeof buf, 512).status, 0);
	/* In the middle of a session it changes too. */
	assert_int_equal(tgtd_lun_read_only(&t, 1, 3, false), 0);
	assert_int_equal(initiator_write_protected(&i), 0);
	assert_int_equal(initiator_write(&i, 0, buf, sizeof buf, 512).status, 0);
}

static void an_offline_lun_is_not_ready_until_it_is_online(void **state)
{
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), NULL), 0);
	assert_int_equal(tgtd_lun_online(&t, 1, 1, false), 0);
	struct answer a = initiator_ready(&i);
	assert_int_equal(a.status, SCSI_STATUS_CHECK_CONDITION);
	assert_int_equal(a.key, SCSI_SENSE_NOT_READY);
	assert_int_equal(tgtd_lun_online(&t, 1, 1, true), 0);
	assert_int_equal(initiator_ready(&i).status, 0);
}

static void a_live_session_sees_a_resized_lun(void **state)
{
	static uint8_t buf[4096];
	uint64_t blocks = 0;
	(void)state;
	need_tgtd();
	struct tgtd_lun l = start_one(NULL);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), NULL), 0);
	assert_int_equal(tgtd_lun_resize(&t, 1, 1, &l, 4 * MIB), 0);
	assert_int_equal(initiator_capacity(&i, &blocks, NULL).status, 0);
	assert_int_equal(blocks, 4 * MIB / 512);
	struct answer a = initiator_read(&i, 5 * MIB / 512, buf, sizeof buf, 512);
	assert_int_equal(a.status, SCSI_STATUS_CHECK_CONDITION);
	assert_int_equal(a.ascq, 0x2100);
	assert_int_equal(tgtd_lun_resize(&t, 1, 1, &l, 16 * MIB), 0);
	assert_int_equal(initiator_capacity(&i, &blocks, NULL).status, 0);
	assert_int_equal(blocks, 16 * MIB / 512);
}

static void a_file_cut_short_is_a_medium_error(void **state)
{
	static uint8_t buf[4096];
	(void)state;
	need_tgtd();
	struct tgtd_lun l = start_one(NULL);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), NULL), 0);
	assert_int_equal(truncate(l.file, 2 * MIB), 0);
	struct answer a = initiator_read(&i, 3 * MIB / 512, buf, sizeof buf, 512);
	assert_int_equal(a.status, SCSI_STATUS_CHECK_CONDITION);
	assert_int_equal(a.key, SCSI_SENSE_MEDIUM_ERROR);
	assert_int_equal(a.ascq, 0x1100);
	assert_int_equal(initiator_read(&i, 0, buf, sizeof buf, 512).status, 0);
}

static void after_a_kill_and_a_restart_everything_is_back(void **state)
{
	static uint8_t out[4096], in[4096];
	const char *who = TGTD_USER "%" TGTD_SECRET;
	(void)state;
	need_tgtd();
	start_one(&(struct tgtd_options){.portals = 2});
	assert_int_equal(tgtd_chap(&t, 1, false), 0);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 2, who, "one", 1), NULL), 0);
	fill(out, sizeof out, 3);
	assert_int_equal(initiator_write(&i, 0, out, sizeof out, 512).status, 0);

	tgtd_kill(&t);
	assert_int_equal(t.pid, 0);
	assert_int_not_equal(initiator_read(&i, 0, in, sizeof in, 512).status, 0);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 2, who, "one", 1), NULL), -1);
	initiator_close(&i);

	assert_int_equal(tgtd_restart(&t), 0);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 2, "", "one", 1), NULL), -1);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 2, who, "one", 1), NULL), 0);
	assert_int_equal(initiator_read(&i, 0, in, sizeof in, 512).status, 0);
	assert_memory_equal(out, in, sizeof out);
}

static void a_portal_goes_down_with_its_sessions_and_comes_back(void **state)
{
	(void)state;
	need_tgtd();
	start_one(&(struct tgtd_options){.portals = 2});
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 2, "", "one", 1), NULL), 0);
	assert_int_equal(tgtd_portal(&t, 2, false), 0);
	assert_int_not_equal(initiator_ready(&i).status, 0);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 2, "", "one", 1), NULL), -1);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), NULL), 0);
	initiator_close(&i);
	assert_int_equal(tgtd_portal(&t, 2, true), 0);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 2, "", "one", 1), NULL), 0);
}

static void two_targets_at_once_do_not_meet(void **state)
{
	struct tgtd other;
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(tgtd_start(&other, NULL), 0);
	assert_int_equal(tgtd_target(&other, "other"), 1);
	char url[512];
	snprintf(url, sizeof url, "%s", tgtd_url(&other, 1, "", "one", 1));
	int r = initiator_open(&i, url, NULL);
	tgtd_free(&other);
	assert_int_equal(r, -1);
	initiator_close(&i);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), NULL), 0);
}

static void discovery_names_the_targets(void **state)
{
	char portal[64];
	(void)state;
	need_tgtd();
	start_one(NULL);
	assert_int_equal(tgtd_target(&t, "two"), 2);
	snprintf(portal, sizeof portal, "%s:%d", tgtd_address(&t, 1), t.port);
	char *found = initiator_discover(portal);
	assert_non_null(found);
	bool both = strstr(found, tgtd_iqn("one")) && strstr(found, tgtd_iqn("two"));
	free(found);
	assert_true(both);
}

/* --- Cables ------------------------------------------------------------------------------------- */

static void start_wired(unsigned links, unsigned mtu)
{
	assert_int_equal(net_make(&net, links, mtu), 0);
	start_one(&(struct tgtd_options){.net = &net});
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
}

static void every_cable_leads_to_the_target(void **state)
{
	(void)state;
	need_net();
	start_wired(4, 0);
	for (unsigned k = 1; k <= 4; k++) {
		assert_int_equal(initiator_open(&i, tgtd_url(&t, k, "", "one", 1), NULL), 0);
		assert_int_equal(initiator_ready(&i).status, 0);
		initiator_close(&i);
	}
	/* And nothing of it is seen outside. */
	assert_int_equal(net_leave(&net), 0);
	struct proc p;
	PROC(&p, "ip", "-o", "addr");
	bool seen = strstr(p.out, "10.77.");
	proc_free(&p);
	assert_false(seen);
}

/* A session with commands of 2 s over link 1 of two, next to one over link 2. */
static void fails_while(int (*fault)(const struct net *, unsigned, bool), bool on)
{
	struct initiator_options o = {.timeout_s = 1};
	struct initiator second;
	start_wired(2, 0);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), &o), 0);
	assert_int_equal(fault(&net, 1, on), 0);
	assert_int_equal(initiator_ready(&i).status, SCSI_STATUS_TIMEOUT);
	int r = initiator_open(&second, tgtd_url(&t, 2, "", "one", 1), NULL);
	initiator_close(&second);
	assert_int_equal(r, 0);
	assert_int_equal(fault(&net, 1, !on), 0);
	i.patience = proc_patience();
	/* TCP's own retransmission brings the old session back. */
	assert_int_equal(initiator_ready(&i).status, 0);
}

static void a_pulled_cable_stops_its_path_only(void **state)
{
	(void)state;
	need_net();
	fails_while(net_cable, false);
}

static void a_blackhole_swallows_its_path_only(void **state)
{
	(void)state;
	need_net();
	fails_while(net_blackhole, true);
}

static void an_mtu_changes_on_both_ends(void **state)
{
	struct proc p;
	(void)state;
	need_net();
	start_wired(1, 9000);
	assert_int_equal(net_mtu(&net, 1, 1400), 0);
	for (int side = 0; side < 2; side++) {
		int here = net_visit(&net, side);
		PROC(&p, "ip", "-o", "link", "show", "p1");
		net_return(here);
		bool set = strstr(p.out, "mtu 1400");
		proc_free(&p);
		assert_true(set);
	}
}

/* A connection opened at 9000: after one end went to 1500, its large segments arrive nowhere. */
static void an_mtu_that_differs_swallows_large_segments(void **state)
{
	static uint8_t buf[65536];
	struct initiator_options o = {.timeout_s = 1};
	(void)state;
	need_net();
	start_wired(1, 9000);
	assert_int_equal(initiator_open(&i, tgtd_url(&t, 1, "", "one", 1), &o), 0);
	assert_int_equal(initiator_read(&i, 0, buf, sizeof buf, 512).status, 0);
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 1500), 0);
	assert_int_equal(initiator_ready(&i).status, 0);
	assert_int_equal(initiator_read(&i, 0, buf, sizeof buf, 512).status, SCSI_STATUS_TIMEOUT);
}

/* --- Cleaning up -------------------------------------------------------------------------------- */

/* What the next test starts: a target, says its pid, waits for its end. */
static int die(void)
{
	struct tgtd mine;
	if (tgtd_start(&mine, NULL))
		return 1;
	printf("%d\n", (int)mine.pid);
	fflush(stdout);
	for (;;)
		pause();
}

static void a_test_that_is_killed_takes_its_target_along(void **state)
{
	char text[32] = "";
	int p[2];
	(void)state;
	need_tgtd();
	assert_int_equal(pipe(p), 0);
	pid_t pid = fork();
	if (pid == 0) {
		char *const argv[] = {(char *)"tgtd-self", (char *)"--die", NULL};
		dup2(p[1], 1);
		close(p[0]);
		close(p[1]);
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	close(p[1]);
	ssize_t n = read(p[0], text, sizeof text - 1);
	close(p[0]);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(n > 1);
	pid_t target = atoi(text);
	assert_true(target > 1);
	double end = proc_now() + proc_patience();
	while (kill(target, 0) == 0 && proc_now() < end)
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	assert_int_equal(kill(target, 0), -1);
	assert_int_equal(errno, ESRCH);
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--die"))
		return die();
	const struct CMUnitTest tests[] = {
		test(what_is_written_is_read_back),
		test(a_block_is_as_large_as_asked_for),
		test(chap_lets_in_who_knows_the_secret_and_nobody_else),
		test(with_mutual_chap_the_target_proves_itself_too),
		test(an_unknown_target_and_an_unknown_lun_are_refused),
		test(a_header_digest_can_be_demanded),
		test(two_targets_over_one_file_are_one_unit),
		test(a_read_only_lun_says_so_and_refuses_writes),
		test(an_offline_lun_is_not_ready_until_it_is_online),
		test(a_live_session_sees_a_resized_lun),
		test(a_file_cut_short_is_a_medium_error),
		test(after_a_kill_and_a_restart_everything_is_back),
		test(a_portal_goes_down_with_its_sessions_and_comes_back),
		test(two_targets_at_once_do_not_meet),
		test(discovery_names_the_targets),
		test(every_cable_leads_to_the_target),
		test(a_pulled_cable_stops_its_path_only),
		test(a_blackhole_swallows_its_path_only),
		test(an_mtu_changes_on_both_ends),
		test(an_mtu_that_differs_swallows_large_segments),
		test(a_test_that_is_killed_takes_its_target_along),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
