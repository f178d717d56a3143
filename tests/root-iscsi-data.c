/* root-iscsi-data.c - the iSCSI backend against a real target that goes away and comes back: every IO is
 * accounted for, and every byte on the LUN is what was written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include "tests/drive.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define KIB   1024u
#define MIB   (1024u * KIB)
#define DEPTH 16u

static struct tgtd t;
static struct net net;
static struct drive d;

static int clean_up(void **state)
{
	(void)state;
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

/* A LUN of 16 MiB, and IOs on it. */
static void begin(const struct tgtd_options *o, uint32_t size)
{
	struct tgtd_lun l = {.file = scratch_file("lun", 16 * MIB, true), .id = "5eed0001"};
	assert_int_equal(tgtd_start(&t, o), 0);
	assert_int_equal(tgtd_target(&t, "one"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	assert_int_equal(tgtd_chap(&t, 1, false), 0);
	if (o && o->net)
		assert_int_equal(net_enter(o->net, NET_INITIATOR), 0);
	const char *who = TGTD_USER "%" TGTD_SECRET;
	if (drive_open(&d, tgtd_url(&t, 1, who, "one", 1), DEPTH, size, false))
		fail_msg("%s", d.e.text);
	d.write_percent = 60;
	assert_true(drive_ios(&d, 500));
}

static void end(void)
{
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(drive_balanced(&d));
	assert_true(drive_read_all(&d));
	assert_true(drive_balanced(&d));
	if (d.errors)
		print_error("%s\n", strerror(-d.last_error));
	assert_int_equal(d.errors, 0);
	assert_int_equal(d.wrong, 0);
}

#define drive_until(condition)                              \
	do {                                                \
		double end_ = proc_now() + proc_patience(); \
		while (!(condition) && proc_now() < end_)   \
			drive_for(&d, 0.05);                \
		assert_true(condition);                     \
	} while (0)

static bool up(void)
{
	return drive_session(&d).state == SESSION_UP;
}

static void a_target_killed_and_restarted_loses_nothing(void **state)
{
	(void)state;
	need(tgtd_missing());
	begin(NULL, 4 * KIB);
	for (unsigned k = 1; k <= 3; k++) {
		tgtd_kill(&t);
		drive_until(drive_session(&d).drops >= k && !up());
		assert_int_equal(tgtd_restart(&t), 0);
		drive_until(up());
		assert_true(drive_ios(&d, 500));
	}
	end();
}

static void large_writes_survive_a_killed_target_too(void **state)
{
	(void)state;
	need(tgtd_missing());
	begin(NULL, 512 * KIB);
	tgtd_kill(&t);
	drive_until(drive_session(&d).drops >= 1 && !up());
	assert_int_equal(tgtd_restart(&t), 0);
	drive_until(up());
	assert_true(drive_ios(&d, 100));
	end();
}

static void a_portal_that_closes_and_opens_loses_nothing(void **state)
{
	(void)state;
	need(tgtd_missing());
	begin(NULL, 4 * KIB);
	assert_int_equal(tgtd_portal(&t, 1, false), 0);
	drive_until(drive_session(&d).drops >= 1 && !up());
	assert_int_equal(tgtd_portal(&t, 1, true), 0);
	drive_until(up());
	assert_true(drive_ios(&d, 500));
	end();
}

/* tgtd makes the LUN anew for that, and has none for a moment: only when nothing is in flight. */
static void a_lun_that_grows_keeps_what_was_written(void **state)
{
	struct backend_facts f;
	(void)state;
	need(tgtd_missing());
	begin(NULL, 4 * KIB);
	assert_true(drive_drain(&d, proc_patience()));
	struct tgtd_lun l = {.file = scratch_path("lun"), .id = "5eed0001"};
	assert_int_equal(tgtd_lun_resize(&t, 1, 1, &l, 24 * MIB), 0);
	assert_int_equal(d.b->facts(d.target, true, &f, &d.e), 0);
	assert_true(f.resized);
	assert_int_equal(f.size, 24 * MIB);
	assert_true(drive_ios(&d, 500));
	end();
}

static void a_lun_made_read_only_keeps_what_was_written(void **state)
{
	(void)state;
	need(tgtd_missing());
	begin(NULL, 4 * KIB);
	assert_int_equal(tgtd_lun_read_only(&t, 1, 1, true), 0);
	drive_until(d.errors >= 10);
	assert_int_equal(d.last_error, -EROFS);
	/* Reads go on, and find what was there. */
	d.write_percent = 0;
	assert_true(drive_drain(&d, proc_patience()));
	uint64_t errors = d.errors;
	assert_true(drive_ios(&d, 500));
	assert_true(drive_drain(&d, proc_patience()));
	assert_int_equal(d.errors, errors);
	assert_int_equal(tgtd_lun_read_only(&t, 1, 1, false), 0);
	d.write_percent = 60;
	assert_true(drive_ios(&d, 500));
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(drive_read_all(&d));
	assert_true(drive_balanced(&d));
	assert_int_equal(d.errors, errors);
	assert_int_equal(d.wrong, 0);
}

/* tgtd's own pings, while data of writes are queued: libiscsi 1.19 may drop the session over one. */
static void pings_of_the_target_cost_no_io(void **state)
{
	(void)state;
	need(tgtd_missing());
	begin(&(struct tgtd_options){.nop_interval = 1}, 512 * KIB);
	drive_for(&d, 3);
	end();
}

static void outage_on_the_cable(int (*fault)(const struct net *, unsigned, bool), bool on)
{
	need(tgtd_missing());
	need(net_missing());
	assert_int_equal(net_make(&net, 1, 0), 0);
	begin(&(struct tgtd_options){.net = &net}, 4 * KIB);
	assert_int_equal(fault(&net, 1, on), 0);
	/* The pings find out. */
	drive_until(drive_session(&d).drops >= 1);
	assert_null(strstr(drive_session(&d).lost, "MTU"));
	assert_int_equal(fault(&net, 1, !on), 0);
	drive_until(up());
	assert_true(drive_ios(&d, 500));
	end();
}

static void a_pulled_cable_loses_nothing(void **state)
{
	(void)state;
	outage_on_the_cable(net_cable, false);
}

static void a_blackhole_loses_nothing(void **state)
{
	(void)state;
	outage_on_the_cable(net_blackhole, true);
}

/* Opened at 9000; one end goes back to 1500, and no ICMP tells: a new connection is the only way. */
/* Whether it was told what it may come from. */
static bool lower_one_end(void)
{
	assert_int_equal(net_make(&net, 1, 9000), 0);
	begin(&(struct tgtd_options){.net = &net}, 64 * KIB);
	assert_true(drive_session(&d).mss > 8000);
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 1500), 0);
	drive_until(drive_session(&d).drops >= 1 && up());
	assert_true(drive_session(&d).mss < 1500);
	bool told = strstr(drive_session(&d).lost, "does the MTU fit all the way?") != NULL;
	if (!told)
		print_message("%s\n", drive_session(&d).lost);
	assert_true(drive_ios(&d, 200));
	end();
	return told;
}

/* That the MTU may be why can be told when anything small got through behind what was lost, and nobody can say
 * when that is: but it is not long in coming. */
static void an_mtu_that_differs_is_survived(void **state)
{
	bool told = false;

	need(tgtd_missing());
	need(net_missing());
	for (int i = 0; i < 6 && !told; i++) {
		if (i)
			clean_up(state);
		told = lower_one_end();
	}
	assert_true(told);
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_target_killed_and_restarted_loses_nothing),
		test(large_writes_survive_a_killed_target_too),
		test(a_portal_that_closes_and_opens_loses_nothing),
		test(a_lun_that_grows_keeps_what_was_written),
		test(a_lun_made_read_only_keeps_what_was_written),
		test(pings_of_the_target_cost_no_io),
		test(a_pulled_cable_loses_nothing),
		test(a_blackhole_loses_nothing),
		test(an_mtu_that_differs_is_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
