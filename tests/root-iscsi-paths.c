/* root-iscsi-paths.c - paths over cables of their own to a real target: which NIC they leave by, what a new
 * connection makes of a new MTU, and a cable that swallows everything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "tests/drive.h"
#include "tests/io.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define KIB   1024u
#define DEPTH 32u
#define SIZE  (16u << 20)

static struct net net;
static struct tgtd t;
static struct drive d;
static char url[512];

static int clean_up(void **state)
{
	(void)state;
	if (d.queue)
		drive_drain(&d, proc_patience());
	drive_close(&d);
	net_leave(&net);
	tgtd_free(&t);
	net_free(&net);
	memset(&net, 0, sizeof net);
	return 0;
}

/* A target with a LUN behind so many cables, and this thread on the initiator's side. */
static void begin(unsigned links, unsigned portals)
{
	struct tgtd_lun l = {.file = scratch_file("lun", SIZE, true), .id = "00000000c0ffee02"};
	const char *why = tgtd_missing() ? tgtd_missing() : net_missing();
	if (why) {
		print_message("%s\n", why);
		skip();
	}
	assert_int_equal(net_make(&net, links, 0), 0);
	assert_int_equal(tgtd_start(&t, &(struct tgtd_options){.net = &net, .portals = links}), 0);
	assert_int_equal(tgtd_target(&t, "one"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	size_t used = (size_t)snprintf(url, sizeof url, "iscsi://");
	for (unsigned i = 1; i <= portals; i++)
		used += (size_t)snprintf(url + used, sizeof url - used, "%s%s:%d", i > 1 ? "," : "",
					 tgtd_address(&t, i), t.port);
	snprintf(url + used, sizeof url - used, "/%s/1", tgtd_iqn("one"));
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
}

static void start_ios(struct backend_paths how)
{
	how.hold_ns = PATHS_HOLD_NS;
	if (drive_open_paths(&d, url, DEPTH, 4 * KIB, &how))
		fail_msg("%s", d.e.text);
	d.write_percent = 50;
	assert_true(drive_ios(&d, 1000));
}

static void end(void)
{
	assert_true(drive_drain(&d, proc_patience()));
	assert_true(drive_balanced(&d));
	assert_true(drive_read_all(&d));
	assert_int_equal(d.errors, 0);
	assert_int_equal(d.wrong, 0);
}

#define drive_until(condition)                              \
	do {                                                \
		double end_ = proc_now() + proc_patience(); \
		while (!(condition) && proc_now() < end_)   \
			drive_for(&d, 0.02);                \
		assert_true(condition);                     \
	} while (0)

static void run_tool(const char *const argv[])
{
	struct proc p;
	assert_int_equal(proc_run(&p, argv, NULL), 0);
	if (p.status)
		fail_msg("%s: %s", argv[0], p.err);
	proc_free(&p);
}
#define TOOL(...) run_tool((const char *const[]){__VA_ARGS__, NULL})

static bool leaves_from(uint32_t path, const char *address)
{
	struct backend_session s = drive_path(&d, path);
	size_t n = strlen(address);
	return strncmp(s.local, address, n) == 0 && s.local[n] == ':';
}

/* --- NICs ----------------------------------------------------------------------------------------------- */

static void several_nics_to_one_portal_are_several_paths(void **state)
{
	(void)state;
	begin(2, 1);
	/* The second cable leads to the first one's address too, on a worse route that nobody would take. */
	TOOL("ip", "route", "add", "10.77.1.1/32", "via", "10.77.2.1", "dev", "p2", "metric",
	     "900");
	/* Its answers come in by another NIC than the best route has. */
	TOOL("sysctl", "-q", "-w", "net.ipv4.conf.all.rp_filter=0", "net.ipv4.conf.p2.rp_filter=0");
	start_ios((struct backend_paths){.nics = 2, .nic = {"p1", "p2"}});
	assert_true(leaves_from(0, "10.77.1.2"));
	assert_true(leaves_from(1, "10.77.2.2"));
	assert_true(drive_path(&d, 0).ios > 0);
	assert_true(drive_path(&d, 1).ios > 0);
	/* They are lost one by one, and the new session leaves by the same NIC. */
	assert_int_equal(net_cable(&net, 2, false), 0);
	drive_until(drive_path(&d, 1).drops == 1);
	assert_int_equal(drive_path(&d, 0).drops, 0);
	assert_true(drive_ios(&d, 200));
	assert_int_equal(net_cable(&net, 2, true), 0);
	TOOL("ip", "route", "replace", "10.77.1.1/32", "via", "10.77.2.1", "dev", "p2", "metric",
	     "900");
	drive_until(drive_path(&d, 1).state == SESSION_UP);
	assert_true(leaves_from(1, "10.77.2.2"));
	end();
}

static void each_portal_has_its_nic_or_all_have_one(void **state)
{
	(void)state;
	begin(2, 2);
	start_ios((struct backend_paths){.nics = 2, .nic = {"p1", "p2"}});
	assert_true(leaves_from(0, "10.77.1.2"));
	assert_true(leaves_from(1, "10.77.2.2"));
	end();
	drive_close(&d);
	assert_int_equal(tgtd_lun_delete(&t, 1, 1), 0);
	struct tgtd_lun blank = {.file = scratch_file("blank", SIZE, true)};
	assert_int_equal(tgtd_lun(&t, 1, 1, &blank), 0);
	/* The second portal is asked for on the first cable, where the target answers for it, too. */
	start_ios((struct backend_paths){.nics = 1, .nic = {"p1"}});
	assert_true(leaves_from(0, "10.77.1.2"));
	assert_true(leaves_from(1, "10.77.1.2"));
	assert_int_equal(net_cable(&net, 1, false), 0);
	drive_until(strstr(drive_path(&d, 1).why, " by p1 "));
	assert_int_equal(net_cable(&net, 1, true), 0);
	drive_until(drive_path(&d, 0).state == SESSION_UP);
	end();
}

static void a_nic_that_is_wrong_is_named(void **state)
{
	(void)state;
	begin(2, 2);
	REFUSED(WORDS("no NIC p7 here", "ip link"), url, "--nic", "p1,p7");
	REFUSED(WORDS("3 NICs for 2 portals"), url, "--nic", "p1,p2,lo");
	REFUSED(WORDS("--nic", "from 1 to 15 bytes"), url, "--nic", "p1,");
	REFUSED(WORDS("--nic has no effect", "no iscsi:// target"), "null:", "--nic", "lo");
	GOOD(url, "--nic", "p1,p2", "--io-hold", "2s", "--for", "200ms");
}

/* --- A new connection -------------------------------------------------------------------------------------- */

static void a_relogin_uses_the_new_mtu(void **state)
{
	(void)state;
	begin(2, 2);
	start_ios((struct backend_paths){.policy = PATHS_ROUND_ROBIN});
	for (unsigned i = 0; i < 2; i++) {
		assert_true(drive_path(&d, i).mss_cap < 1500);
		assert_true(drive_path(&d, i).mss < 1500);
		assert_int_equal(net_mtu(&net, i + 1, 9000), 0);
	}
	assert_true(drive_ios(&d, 500));
	/* The connections there are know nothing of it. */
	for (unsigned i = 0; i < 2; i++)
		assert_true(drive_path(&d, i).mss_cap < 1500);
	assert_int_equal(d.b->path_act(d.target, PATHS_ALL, PATH_RELOGIN, &d.e), 0);
	drive_until(drive_path(&d, 0).relogins == 1 && drive_path(&d, 1).relogins == 1);
	assert_true(drive_ios(&d, 500));
	for (unsigned i = 0; i < 2; i++) {
		struct backend_session s = drive_path(&d, i);
		assert_true(s.mss_cap > 8000);
		assert_true(s.mss > 8000);
		assert_int_equal(s.drops, 0);
		/* All that the kernel tells of a connection is there. */
		assert_true(s.bytes_in > 0 && s.bytes_out > 0 && s.segments_in > 0);
		assert_true(s.data_segments_in > 0 && s.data_segments_out > 0);
		assert_true(s.delivery_bytes_s > 0 && s.busy_us >= 0);
		assert_true(s.bytes_again >= 0 && s.out_of_order >= 0 && s.peer_limited_us >= 0);
	}
	end();
}

/* --- Silence -------------------------------------------------------------------------------------------------- */

static void a_cable_that_swallows_everything_is_found_out_soon(void **state)
{
	static const enum paths_policy policy[] = {PATHS_LEAST, PATHS_ROUND_ROBIN};
	(void)state;
	begin(4, 4);
	start_ios((struct backend_paths){.policy = PATHS_LEAST});
	for (unsigned k = 0; k < sizeof policy / sizeof *policy; k++) {
		struct backend_paths how = {.policy = policy[k], .hold_ns = PATHS_HOLD_NS};
		assert_int_equal(d.b->set_paths(d.target, &how, &d.e), 0);
		assert_true(drive_ios(&d, 200));
		assert_int_equal(net_blackhole(&net, 2, true), 0);
		drive_until(drive_path(&d, 1).drops == k + 1);
		struct backend_loss l = drive_path(&d, 1).loss;
		print_message("silent for %.3f s before it was noticed, %u stranded\n",
			      (double)(l.noticed_ns - l.silent_ns) / 1e9, l.stranded);
		assert_non_null(strstr(drive_path(&d, 1).lost, "pings were not answered"));
		assert_true(l.stranded <= DEPTH / 4 + DEPTH / 16 + 1);
		assert_true(drive_ios(&d, 500));
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(drive_path(&d, i).drops, i == 1 ? k + 1 : 0);
		assert_int_equal(net_blackhole(&net, 2, false), 0);
		drive_until(drive_path(&d, 1).state == SESSION_UP);
	}
	end();
}

/* Not when the cable is back, either: meanwhile it has been written elsewhere, and written over. */
static void what_was_left_on_a_dead_cable_never_arrives(void **state)
{
	(void)state;
	begin(2, 2);
	start_ios((struct backend_paths){.policy = PATHS_ROUND_ROBIN});
	d.write_percent = 100;
	assert_int_equal(net_blackhole(&net, 2, true), 0);
	drive_until(drive_path(&d, 1).drops == 1);
	assert_true(drive_path(&d, 1).loss.stranded > 0);
	/* No new session there that would end the old one. */
	assert_int_equal(d.b->path_act(d.target, 1, PATH_TAKE_OUT, &d.e), 0);
	for (uint64_t n = 0; n < 3; n++)
		assert_true(drive_ios(&d, d.count));
	assert_true(drive_drain(&d, proc_patience()));
	assert_int_equal(net_blackhole(&net, 2, false), 0);
	/* TCP would send it again within this time. */
	d.write_percent = 0;
	drive_for(&d, 5);
	end();
}

static void a_target_that_comes_back_is_used_at_once(void **state)
{
	(void)state;
	begin(2, 2);
	start_ios((struct backend_paths){.policy = PATHS_LEAST});
	tgtd_kill(&t);
	drive_until(drive_path(&d, 0).drops == 1 && drive_path(&d, 1).drops == 1);
	drive_for(&d, 2);
	double start = proc_now();
	assert_int_equal(tgtd_restart(&t), 0);
	drive_until(drive_path(&d, 0).state == SESSION_UP && drive_path(&d, 1).state == SESSION_UP);
	for (unsigned i = 0; i < 2; i++)
		print_message("path %u was back %.3f s after the target was started\n", i + 1,
			      (double)drive_path(&d, i).loss.back_ns / 1e9 - start);
	assert_true(drive_ios(&d, 200));
	end();
}

#define test(f) cmocka_unit_test_teardown(f, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(several_nics_to_one_portal_are_several_paths),
		test(each_portal_has_its_nic_or_all_have_one),
		test(a_nic_that_is_wrong_is_named),
		test(a_relogin_uses_the_new_mtu),
		test(a_cable_that_swallows_everything_is_found_out_soon),
		test(what_was_left_on_a_dead_cable_never_arrives),
		test(a_target_that_comes_back_is_used_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
