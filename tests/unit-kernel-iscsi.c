/* unit-kernel-iscsi.c - sessions of the kernel's initiator, read from a recorded /sys. Needs no root, no
 * disk and no network but loopback. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "kernel_iscsi.h"
#include "run.h"
#include "sessions.h"
#include "tests/kernel-tree.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "units.h"

#define HOST0       "/devices/platform/host0"
#define CONNECTION1 HOST0 "/session1/connection1:0/iscsi_connection/connection1:0"
#define SESSION1    HOST0 "/session1/iscsi_session/session1"
#define SDA_DEVICE  HOST0 "/session1/target0:0:0/0:0:0:1"
#define SDB_DEVICE  HOST0 "/session1/target0:0:0/0:0:0:2"
#define SDC_DEVICE  "/devices/platform/host1/session2/target1:0:0/1:0:0:1"

static struct backend_session s[SESSIONS_MAX];
static struct kernel_facts f[SESSIONS_MAX];
static struct error e;

static int clean(void **state)
{
	(void)state;
	tree_clear();
	return 0;
}

static struct kernel_iscsi *open_device(unsigned major_number, unsigned minor_number)
{
	struct kernel_iscsi *k = NULL;

	assert_int_equal(
		kernel_iscsi_open(&k, tree_host(), makedev(major_number, minor_number), &e), 0);
	return k;
}

static unsigned ask(struct kernel_iscsi *k)
{
	unsigned n = kernel_iscsi_look(k, s, SESSIONS_MAX);

	assert_int_equal(kernel_iscsi_facts(k, f, SESSIONS_MAX), n);
	return n;
}

/* As it is now. An ordinary look answers at once; on a busy machine it may be a later one that tells. */
static unsigned look(struct kernel_iscsi *k)
{
	uint64_t now = clock_ns();
	unsigned n;

	do {
		n = ask(k);
	} while (n > 0 && f[0].read_ns <= now && clock_ns() < now + 20 * NS_PER_SEC);
	return n;
}

static unsigned look_once_at(unsigned major_number, unsigned minor_number)
{
	struct kernel_iscsi *k = open_device(major_number, minor_number);

	assert_non_null(k);
	unsigned n = look(k);
	kernel_iscsi_close(k);
	return n;
}

/* --- What is shown. --- */

static void a_disk_shows_its_session(void **state)
{
	(void)state;
	tree_put("healthy");
	tree_file(CONNECTION1 "/recv_tmo", "7");
	assert_int_equal(look_once_at(8, 0), 1);
	assert_int_equal(s[0].number, 1);
	assert_int_equal(s[0].state, SESSION_UP);
	assert_string_equal(s[0].portal, "10.77.1.1:3260");
	assert_string_equal(s[0].local, "10.77.1.2:54442");
	assert_string_equal(s[0].why, "");
	assert_int_equal(s[0].drops, 0);
	assert_int_equal(s[0].rtt_us, -1);
	assert_int_equal(f[0].sid, 1);
	assert_string_equal(f[0].target, "iqn.2026-01.test:vm");
	assert_string_equal(f[0].disks, "sda");
	assert_string_equal(f[0].nic, "san1");
	assert_string_equal(f[0].interface, "if1");
	assert_string_equal(f[0].device, "running");
	assert_int_equal(f[0].failed, 1);
	assert_int_equal(f[0].timed_out, 0);
	assert_int_equal(f[0].queue_depth, 32);
	assert_int_equal(f[0].recovery_s, 6);
	assert_int_equal(f[0].ping_s, 7);
	assert_int_equal(f[0].pong_s, 5);
	assert_int_equal(f[0].abort_s, 15);
	assert_int_equal(f[0].lun_reset_s, 30);
	assert_int_equal(f[0].command_s, 30);
	assert_false(f[0].stats.known);
}

static void parameters_have_their_names_of_the_login(void **state)
{
	(void)state;
	tree_put("healthy");
	look_once_at(8, 0);
	assert_string_equal(s[0].parameters,
			    "HeaderDigest=CRC32C DataDigest=None MaxRecvDataSegmentLength=262144 "
			    "MaxXmitDataSegmentLength=8192 MaxBurstLength=262144 "
			    "FirstBurstLength=65536 ImmediateData=Yes InitialR2T=No "
			    "MaxOutstandingR2T=1 ErrorRecoveryLevel=0 DataPDUInOrder=Yes "
			    "DataSequenceInOrder=Yes TargetPortalGroupTag=1");
	tree_file(CONNECTION1 "/header_digest", "0");
	tree_file(CONNECTION1 "/data_digest", "1");
	look_once_at(8, 0);
	assert_non_null(strstr(s[0].parameters, "HeaderDigest=None DataDigest=CRC32C"));
}

static void a_partition_shows_its_disks_session(void **state)
{
	(void)state;
	tree_put("healthy others");
	assert_int_equal(look_once_at(8, 1), 1);
	assert_string_equal(f[0].disks, "sda");
}

static void multipath_and_a_volume_on_it_show_both_paths(void **state)
{
	(void)state;
	tree_put("healthy dm");
	for (unsigned minor_number = 0; minor_number < 2; minor_number++) {
		assert_int_equal(look_once_at(254, minor_number), 2);
		assert_string_equal(f[0].disks, "sda");
		assert_string_equal(f[0].nic, "san1");
		assert_int_equal(s[0].path, 0);
		assert_string_equal(f[1].disks, "sdc");
		assert_string_equal(f[1].nic, "san2");
		assert_string_equal(s[1].portal, "10.77.2.1:3260");
		assert_int_equal(s[1].path, 1);
	}
}

static void two_luns_of_one_session_are_one_session(void **state)
{
	(void)state;
	tree_put("healthy dm");
	tree_remove("/devices/virtual/block/dm-0/slaves/sdc");
	tree_put("healthy");
	assert_int_equal(
		symlink("../../../../platform/host0/session1/target0:0:0/0:0:0:2/block/sdb",
			tree_path("/devices/virtual/block/dm-0/slaves/sdb")),
		0);
	tree_file(SDA_DEVICE "/device_busy", "3");
	tree_file(SDB_DEVICE "/device_busy", "4");
	tree_file(SDB_DEVICE "/state", "blocked");
	assert_int_equal(look_once_at(254, 0), 1);
	assert_string_equal(f[0].disks, "sda sdb");
	assert_string_equal(f[0].device, "blocked");
	assert_int_equal(s[0].inflight, 7);
	assert_int_equal(f[0].queue_depth, 64);
	assert_int_equal(s[0].state, SESSION_LOGIN);
}

static void sessions_over_one_portal_and_nic_are_one_path(void **state)
{
	(void)state;
	tree_put("healthy dm");
	tree_file("/devices/platform/host1/iscsi_host/host1/netdev", "san1");
	tree_file("/devices/platform/host1/session2/connection2:0/iscsi_connection/connection2:0/"
		  "address",
		  "10.77.1.1");
	assert_int_equal(look_once_at(254, 0), 2);
	assert_int_equal(s[0].path, 0);
	assert_int_equal(s[1].path, 0);
}

static void what_is_not_the_initiators_has_no_sessions(void **state)
{
	(void)state;
	tree_put("healthy others");
	assert_null(open_device(8, 64));
	assert_null(open_device(9, 99));
	tree_clear();
	assert_null(open_device(8, 0));
}

static void a_map_gets_sessions_when_its_slaves_change(void **state)
{
	(void)state;
	tree_put("healthy dm");
	tree_remove("/devices/virtual/block/dm-0/slaves/sda");
	tree_remove("/devices/virtual/block/dm-0/slaves/sdc");
	struct kernel_iscsi *k = open_device(254, 0);
	assert_non_null(k);
	assert_int_equal(look(k), 0);
	tree_put("dm");
	for (int i = 0; i < 400 && ask(k) == 0; i++)
		;
	assert_int_equal(look(k), 2);
	kernel_iscsi_close(k);
}

static void an_ipv6_portal_has_brackets(void **state)
{
	(void)state;
	tree_put("healthy");
	tree_file(CONNECTION1 "/address", "fd00:0000:0000:0000:0000:0000:0000:0005");
	tree_file(HOST0 "/iscsi_host/host0/ipaddress", "fd00:0000:0000:0000:0000:0000:0000:0002");
	look_once_at(8, 0);
	assert_string_equal(s[0].portal, "[fd00::5]:3260");
	assert_string_equal(s[0].local, "[fd00::2]:54442");
}

/* --- What is in flight and done. --- */

static void commands_in_flight_are_counted(void **state)
{
	(void)state;
	tree_put("healthy");
	tree_file(SDA_DEVICE "/device_busy", "12");
	look_once_at(8, 0);
	assert_int_equal(s[0].inflight, 12);
	/* Where the kernel does not count them they are a difference, also around 2^32. */
	tree_remove(SDA_DEVICE "/device_busy");
	tree_file(SDA_DEVICE "/iodone_cnt", "0xfffffffe");
	tree_file(SDA_DEVICE "/iorequest_cnt", "0x3");
	look_once_at(8, 0);
	assert_int_equal(s[0].inflight, 5);
}

static void ios_and_bytes_count_from_the_first_look(void **state)
{
	(void)state;
	tree_put("healthy");
	struct kernel_iscsi *k = open_device(8, 0);
	look(k);
	assert_int_equal(s[0].ios, 0);
	assert_int_equal(s[0].bytes, 0);
	/* 10 reads of 8 sectors that took 5 ms, 2 writes of 16 that took 1 ms. */
	tree_file(SDA_DEVICE "/block/sda/stat", "77 0 8296 140 66 0 8224 160 0 300 295");
	look(k);
	assert_int_equal(s[0].ios, 12);
	assert_int_equal(s[0].bytes, (10 * 8 + 2 * 16) * 512);
	assert_int_equal(s[0].wait_ns, 6000000);
	kernel_iscsi_close(k);
}

/* --- What becomes of a session. --- */

static void a_failed_path_is_down_and_says_how_long_ios_wait(void **state)
{
	(void)state;
	tree_put("healthy dm");
	struct kernel_iscsi *k = open_device(254, 0);
	tree_put("blocked");
	assert_int_equal(look(k), 2);
	assert_int_equal(s[0].state, SESSION_DOWN);
	assert_string_equal(s[0].why, "FAILED, device blocked, recovery timeout 6 s");
	assert_string_equal(s[0].lost, s[0].why);
	assert_string_equal(s[0].portal, "10.77.1.1:3260");
	assert_string_equal(s[0].local, "");
	assert_string_equal(f[0].nic, "san1");
	/* A digest reads as off then: that is not what was negotiated. */
	assert_null(strstr(s[0].parameters, "Digest"));
	assert_int_equal(s[0].drops, 1);
	assert_true(s[0].loss.noticed_ns > 0);
	assert_true(s[0].loss.silent_ns <= s[0].loss.noticed_ns);
	assert_int_equal(s[0].loss.back_ns, 0);
	assert_int_equal(s[1].state, SESSION_UP);
	assert_int_equal(s[1].drops, 0);

	tree_put("free");
	look(k);
	assert_string_equal(s[0].why,
			    "FREE, device transport-offline, not back within 6 s: IOs fail");
	assert_int_equal(s[0].drops, 1);
	tree_file(SESSION1 "/recovery_tmo", "off");
	tree_put("blocked");
	look(k);
	assert_non_null(strstr(s[0].why, "no recovery timeout"));
	assert_int_equal(f[0].recovery_s, KERNEL_OFF);
	kernel_iscsi_close(k);
}

static void a_path_that_is_back_says_how_long_it_was_away(void **state)
{
	(void)state;
	tree_put("healthy dm");
	struct kernel_iscsi *k = open_device(254, 0);
	tree_put("blocked");
	look(k);
	tree_put("back");
	look(k);
	assert_int_equal(s[0].state, SESSION_UP);
	assert_int_equal(s[0].drops, 1);
	assert_true(s[0].loss.back_ns > s[0].loss.noticed_ns);
	assert_int_equal(s[0].outage_ns, s[0].loss.back_ns - s[0].loss.noticed_ns);
	assert_string_equal(s[0].lost, "FAILED, device blocked, recovery timeout 6 s");
	assert_string_equal(s[0].local, "10.77.1.2:54450");
	uint64_t outage = s[0].outage_ns;
	look(k);
	assert_int_equal(s[0].outage_ns, outage);
	kernel_iscsi_close(k);
}

static void a_session_that_logs_in_is_neither_up_nor_down(void **state)
{
	(void)state;
	tree_put("healthy blocked");
	tree_file(CONNECTION1 "/state", "bound");
	look_once_at(8, 0);
	assert_int_equal(s[0].state, SESSION_LOGIN);
}

static void a_disk_set_offline_is_no_working_path(void **state)
{
	(void)state;
	tree_put("healthy");
	tree_file(SDA_DEVICE "/state", "offline");
	look_once_at(8, 0);
	assert_int_equal(s[0].state, SESSION_DOWN);
	assert_string_equal(s[0].why, "logged in, sda offline");
}

static void a_disk_removed_while_looking_is_down(void **state)
{
	(void)state;
	tree_put("healthy dm");
	struct kernel_iscsi *k = open_device(254, 0);
	assert_int_equal(look(k), 2);
	tree_remove("/class/block/sda");
	tree_remove("/class/iscsi_session/session1");
	tree_remove(HOST0);
	tree_remove("/devices/virtual/block/dm-0/slaves/sda");
	assert_int_equal(look(k), 2);
	assert_int_equal(s[0].state, SESSION_DOWN);
	assert_non_null(strstr(s[0].why, "sda no longer there"));
	assert_int_equal(s[0].drops, 1);
	assert_int_equal(s[0].number, 1);
	assert_int_equal(s[1].state, SESSION_UP);
	tree_clear();
	assert_int_equal(look(k), 2);
	assert_int_equal(s[1].state, SESSION_DOWN);
	assert_int_equal(s[0].drops, 1);
	kernel_iscsi_close(k);
}

/* A file of sysfs whose reader has to wait, as the initiator's have while it tears a connection down. */
static void an_initiator_that_does_not_answer_holds_nobody_up(void **state)
{
	(void)state;
	tree_put("healthy");
	struct kernel_iscsi *k = open_device(8, 0);
	tree_remove(SESSION1 "/state");
	assert_int_equal(mkfifo(tree_path(SESSION1 "/state"), 0600), 0);
	assert_int_equal(ask(k), 1);
	for (int i = 0; i < 1000 && !s[0].why[0]; i++) {
		usleep(10000);
		assert_int_equal(ask(k), 1);
	}
	assert_non_null(strstr(s[0].why, "the kernel's initiator is busy"));
	assert_string_equal(s[0].portal, "10.77.1.1:3260");
	kernel_iscsi_close(k);
	/* Its thread, left alone by now, ends by itself. */
	int fd = open(tree_path(SESSION1 "/state"), O_WRONLY);
	assert_true(fd >= 0);
	close(fd);
}

/* --- Secrets. --- */

static int watch_fd;
static unsigned watched;

static int watch_secret(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	const char *name = path + at->base;

	(void)st;
	if (kind != FTW_F || (strncmp(name, "password", 8) && strncmp(name, "username", 8)))
		return 0;
	watched++;
	return inotify_add_watch(watch_fd, path, IN_OPEN | IN_ACCESS) < 0 ? -1 : 0;
}

static bool contains(const void *haystack, size_t n, const char *needle)
{
	return memmem(haystack, n, needle, strlen(needle)) != NULL;
}

static void secrets_are_never_opened(void **state)
{
	struct kernel_session *list;
	char event[512];

	(void)state;
	tree_put("healthy dm others");
	watch_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	assert_true(watch_fd >= 0);
	watched = 0;
	assert_int_equal(nftw(tree_path(""), watch_secret, 16, FTW_PHYS), 0);
	assert_int_equal(watched, 8);

	struct kernel_iscsi *k = open_device(254, 1);
	look(k);
	tree_file(SESSION1 "/state", "FAILED");
	look(k);
	kernel_iscsi_close(k);
	int n = kernel_iscsi_list(tree_host(), 0, &list, &e);
	assert_int_equal(n, 2);
	assert_int_equal(read(watch_fd, event, sizeof(event)), -1);
	assert_int_equal(errno, EAGAIN);

	assert_false(contains(s, sizeof(s), "CANARY"));
	assert_false(contains(f, sizeof(f), "CANARY"));
	assert_false(contains(list, (size_t)n * sizeof(*list), "CANARY"));
	for (int i = 0; i < n; i++) {
		json_t *o = sessions_json_one(&list[i].session, &list[i].facts);
		char *text = json_dumps(o, 0);
		assert_non_null(text);
		assert_null(strstr(text, "CANARY"));
		free(text);
		json_decref(o);
	}
	free(list);

	/* The watch sees who does open one. */
	close(open(tree_path(SESSION1 "/password"), O_RDONLY));
	assert_true(read(watch_fd, event, sizeof(event)) > 0);
	close(watch_fd);
}

/* --- The host's list, and the way to the screen. --- */

static void the_list_has_all_sessions_of_the_host(void **state)
{
	struct kernel_session *list;

	(void)state;
	tree_put("healthy dm others");
	assert_int_equal(kernel_iscsi_list(tree_host(), 0, &list, &e), 2);
	assert_int_equal(list[0].facts.sid, 1);
	assert_string_equal(list[0].facts.disks, "sda sdb");
	assert_string_equal(list[1].facts.disks, "sdc sdd");
	assert_int_equal(list[0].session.ios, 2 * (67 + 64));
	free(list);
	assert_int_equal(kernel_iscsi_list(tree_host(), makedev(8, 48), &list, &e), 1);
	assert_string_equal(list[0].facts.disks, "sdd");
	free(list);
	assert_int_equal(kernel_iscsi_list(tree_host(), makedev(8, 64), &list, &e), 0);
	free(list);
}

static void a_session_without_disks_is_listed_too(void **state)
{
	struct kernel_session *list;

	(void)state;
	tree_put("healthy");
	tree_remove("/class/block/sda");
	tree_remove("/class/block/sdb");
	assert_int_equal(kernel_iscsi_list(tree_host(), 0, &list, &e), 2);
	assert_int_equal(list[0].facts.sid, 1);
	assert_string_equal(list[0].facts.disks, "");
	assert_int_equal(list[0].session.state, SESSION_UP);
	free(list);
}

static void a_run_sees_the_sessions_beneath_its_target(void **state)
{
	static struct sessions now;
	struct session_book *book = session_book_new();
	struct target t = {.kind = TARGET_BLOCK, .fd = -1};

	(void)state;
	tree_put("healthy dm blocked");
	t.kernel = open_device(254, 0);
	sessions_look(&now, book, clock_ns(), &t);
	assert_true(now.kernel);
	assert_int_equal(now.count, 2);
	assert_int_equal(now.up, 1);
	assert_int_equal(now.paths, 2);
	assert_string_equal(now.path[0].nic, "san1");
	assert_string_equal(now.path[1].nic, "san2");
	json_t *a = sessions_json(&now);
	json_t *first = json_object_get(json_array_get(a, 0), "kernel");
	assert_int_equal(json_integer_value(json_object_get(first, "sid")), 1);
	assert_string_equal(json_string_value(json_array_get(json_object_get(first, "disks"), 0)),
			    "sda");
	assert_string_equal(json_string_value(json_object_get(first, "nic")), "san1");
	assert_true(json_is_null(json_object_get(first, "pdus")));
	assert_int_equal(json_integer_value(
				 json_object_get(json_object_get(first, "timeouts_s"), "recovery")),
			 6);
	json_decref(a);
	kernel_iscsi_close(t.kernel);
	session_book_free(book);
}

static void wait_for_up(struct run *r, unsigned up)
{
	struct snapshot snap;
	double end = proc_now() + proc_patience();

	do {
		usleep(50000);
		run_snapshot(r, &snap);
	} while (snap.sessions.up != up && proc_now() < end);
	assert_int_equal(snap.sessions.up, up);
}

static void an_outage_of_all_of_them_is_left_out_of_a_runs_means(void **state)
{
	struct run_config c = {.workload = workload_default(), .no_store = true, .command = ""};
	struct target t;
	struct run *r;
	struct summary sum;

	(void)state;
	c.status = "headless";
	tree_put("healthy");
	assert_int_equal(target_open(&t, "null:1ms", &(struct target_options){0}, &e), 0);
	t.kernel = open_device(8, 0);
	if (run_create(&r, &t, &c, &e))
		fail_msg("%s", e.text);
	wait_for_up(r, 1);
	tree_put("blocked");
	wait_for_up(r, 0);
	tree_put("healthy");
	wait_for_up(r, 1);
	run_stop(r, "done", &sum);
	assert_true(sum.outage.seconds > 0);
	assert_int_equal(sum.outage.gaps, 1);
	assert_true(sum.outage.ios[SUM_TOTAL] > 0);
	run_destroy(r);
	target_close(&t);
}

/* --- The socket and the NIC, by a connection of this test's own. --- */

struct connection {
	int listener, client, server;
	unsigned remote_port, local_port;
};

static unsigned port_of(int fd)
{
	struct sockaddr_in a;
	socklen_t n = sizeof(a);

	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
	return ntohs(a.sin_port);
}

static void connect_up(struct connection *c)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof(a);
	char text[256] = "";

	c->listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(c->listener, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(c->listener, 1), 0);
	assert_int_equal(getsockname(c->listener, (struct sockaddr *)&a, &n), 0);
	c->client = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(c->client, (struct sockaddr *)&a, sizeof(a)), 0);
	c->server = accept(c->listener, NULL, NULL);
	assert_true(c->server >= 0);
	assert_int_equal(write(c->server, text, sizeof(text)), sizeof(text));
	assert_int_equal(recv(c->client, text, sizeof(text), MSG_WAITALL), sizeof(text));
	c->remote_port = ntohs(a.sin_port);
	c->local_port = port_of(c->client);
}

static void disconnect(struct connection *c)
{
	close(c->client);
	close(c->server);
	close(c->listener);
}

static void tree_connection(const struct connection *c, const char *own_address)
{
	char number[16];

	tree_put("healthy");
	tree_file(CONNECTION1 "/address", "127.0.0.1");
	snprintf(number, sizeof(number), "%u", c->remote_port);
	tree_file(CONNECTION1 "/port", number);
	snprintf(number, sizeof(number), "%u", c->local_port);
	tree_file(CONNECTION1 "/local_port", number);
	tree_file(HOST0 "/iscsi_host/host0/netdev", "(null)");
	tree_file(HOST0 "/iscsi_host/host0/ipaddress", own_address);
}

static void the_socket_tells_of_tcp_and_its_owner_is_the_nic(void **state)
{
	static const char *const own[] = {"127.0.0.1", "(null)", "192.0.2.1"};
	struct connection c;
	char local[64];

	(void)state;
	connect_up(&c);
	/* By its address, without one, and with one that is not it. */
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		tree_connection(&c, own[i]);
		assert_int_equal(look_once_at(8, 0), 1);
		snprintf(local, sizeof(local), "127.0.0.1:%u", c.local_port);
		assert_string_equal(s[0].local, local);
		assert_string_equal(f[0].nic, "lo");
		assert_true(s[0].rtt_us >= 0);
		assert_true(s[0].mss > 0);
		assert_true(s[0].mss_cap > 0);
		assert_true(s[0].cwnd > 0);
		assert_int_equal(s[0].bytes_in, 256);
		assert_true(s[0].congestion[0]);
	}
	disconnect(&c);
	assert_int_equal(look_once_at(8, 0), 1);
	assert_int_equal(s[0].rtt_us, -1);
	assert_int_equal(s[0].bytes_in, -1);
	assert_string_equal(s[0].congestion, "");
}

/* --- A tree that is not as it should be. --- */

static char files[256][PATH_MAX];
static unsigned file_count;

static int collect(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)at;
	if (kind == FTW_F && file_count < 256)
		snprintf(files[file_count++], PATH_MAX, "%s", path + strlen(tree_path("")));
	return 0;
}

static void assert_sane(const struct kernel_session *k)
{
	assert_in_range(k->session.state, SESSION_DOWN, SESSION_UP);
	assert_true(memchr(k->session.parameters, 0, sizeof(k->session.parameters)));
	assert_true(memchr(k->facts.target, 0, sizeof(k->facts.target)));
	assert_true(k->facts.failed >= -1 && k->facts.timed_out >= -1);
	assert_true(k->facts.queue_depth >= -1 && k->facts.recovery_s >= KERNEL_OFF);
	assert_true(k->session.inflight <= UINT32_MAX / 2);
	for (const char *c = k->session.parameters; *c; c++)
		assert_true((unsigned char)*c >= 0x20);
	for (const char *c = k->facts.target; *c; c++)
		assert_true((unsigned char)*c >= 0x20);
	json_t *o = sessions_json_one(&k->session, &k->facts);
	assert_non_null(o);
	json_decref(o);
}

static void list_it(void)
{
	struct kernel_session *list;
	int n = kernel_iscsi_list(tree_host(), makedev(254, 1), &list, &e);

	assert_in_range(n, 0, 2);
	for (int i = 0; i < n; i++)
		assert_sane(&list[i]);
	free(list);
}

/* Each file missing, empty, huge, too long, or foreign, one at a time. */
static void no_file_can_do_harm(void **state)
{
	static char endless[5000];
	static const char *const odd[] = {
		"",     "99999999999999999999999999", "18446744073709551615", "9223372036854775807",
		"-1",   "0x7fffffffffffffff",         "\033[2J\001\377",      "%s%n",
		endless};

	(void)state;
	memset(endless, '7', sizeof(endless) - 1);
	tree_put("healthy dm");
	file_count = 0;
	assert_int_equal(nftw(tree_path(""), collect, 16, FTW_PHYS), 0);
	assert_true(file_count > 100);
	for (unsigned i = 0; i < file_count; i++) {
		for (size_t j = 0; j < sizeof(odd) / sizeof(*odd); j++) {
			tree_file(files[i], odd[j]);
			list_it();
		}
		tree_file(files[i], NULL);
		list_it();
		tree_remove(files[i]);
		list_it();
		tree_put("healthy dm");
	}
}

static void a_device_that_stands_on_itself_ends(void **state)
{
	(void)state;
	tree_put("healthy dm");
	assert_int_equal(
		symlink("../../dm-1", tree_path("/devices/virtual/block/dm-0/slaves/dm-1")), 0);
	assert_int_equal(look_once_at(254, 1), 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, clean, clean)
	const struct CMUnitTest tests[] = {
		TEST(a_disk_shows_its_session),
		TEST(parameters_have_their_names_of_the_login),
		TEST(a_partition_shows_its_disks_session),
		TEST(multipath_and_a_volume_on_it_show_both_paths),
		TEST(two_luns_of_one_session_are_one_session),
		TEST(sessions_over_one_portal_and_nic_are_one_path),
		TEST(what_is_not_the_initiators_has_no_sessions),
		TEST(a_map_gets_sessions_when_its_slaves_change),
		TEST(an_ipv6_portal_has_brackets),
		TEST(commands_in_flight_are_counted),
		TEST(ios_and_bytes_count_from_the_first_look),
		TEST(a_failed_path_is_down_and_says_how_long_ios_wait),
		TEST(a_path_that_is_back_says_how_long_it_was_away),
		TEST(a_session_that_logs_in_is_neither_up_nor_down),
		TEST(a_disk_set_offline_is_no_working_path),
		TEST(a_disk_removed_while_looking_is_down),
		TEST(an_initiator_that_does_not_answer_holds_nobody_up),
		TEST(secrets_are_never_opened),
		TEST(the_list_has_all_sessions_of_the_host),
		TEST(a_session_without_disks_is_listed_too),
		TEST(a_run_sees_the_sessions_beneath_its_target),
		TEST(an_outage_of_all_of_them_is_left_out_of_a_runs_means),
		TEST(the_socket_tells_of_tcp_and_its_owner_is_the_nic),
		TEST(no_file_can_do_harm),
		TEST(a_device_that_stands_on_itself_ends),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
