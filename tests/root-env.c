/* root-env.c - settings of real network interfaces in namespaces of their own: read, changed, watched, and
 * marked by the program while it runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "env/counters.h"
#include "env/nic_settings.h"
#include "env/watch.h"
#include "flip/flip.h"
#include "tests/e2e.h"
#include "tests/io.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define NIC    "p1"
#define MIB    (1u << 20)
#define SYSCTL "/proc/sys/net/ipv4/tcp_sack"

static struct net net;
static struct env_watch *watch;
static struct proc run;
static struct tgtd target;
static char told[2048];

static int clean_up(void **state)
{
	e2e_free_all(state);
	env_watch_close(watch);
	watch = NULL;
	if (run.pid) {
		kill(run.pid, SIGKILL);
		proc_wait(&run);
		proc_free(&run);
	}
	memset(&run, 0, sizeof(run));
	net_leave(&net);
	tgtd_free(&target);
	memset(&target, 0, sizeof(target));
	net_free(&net);
	memset(&net, 0, sizeof(net));
	return 0;
}

static void begin(unsigned links)
{
	const char *why = net_missing();
	if (why) {
		print_message("%s\n", why);
		skip();
	}
	assert_int_equal(net_make(&net, links, 0), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
}

static void write_setting(const char *words, const char *value)
{
	struct error e = {""};
	if (nic_settings_write(words, value, &e))
		fail_msg("%s", e.text);
}

static void set_sysctl(const char *value)
{
	int fd = open(SYSCTL, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, value, strlen(value)), (ssize_t)strlen(value));
	close(fd);
}

/* --- Reading and changing. --- */

static const char *value_of(struct facts *f, const char *words)
{
	struct error e = {""};
	facts_clear(f);
	if (nic_settings_read(NIC, f, &e))
		fail_msg("%s", e.text);
	const char *value = facts_get(f, words);
	return value ? value : "";
}

static void what_is_written_is_what_is_read(void **state)
{
	struct facts f = {0};
	(void)state;
	begin(1);
	assert_string_equal(value_of(&f, NIC " mtu"), "1500");
	assert_string_equal(value_of(&f, NIC " link"), "up");
	write_setting(NIC " mtu", "9000");
	assert_string_equal(value_of(&f, NIC " mtu"), "9000");
	/* net_make() has switched them off. */
	assert_string_equal(value_of(&f, NIC " tso"), "off");
	write_setting(NIC " tso", "on");
	assert_string_equal(value_of(&f, NIC " tso"), "on");
	write_setting(NIC " tso", "IPv6 only");
	assert_string_equal(value_of(&f, NIC " tso"), "IPv6 only");
	facts_free(&f);
}

/* Segmentation hangs on checksums: it is off while they are, and comes back with them. */
static void asking_for_what_there_is_leaves_other_wishes_alone(void **state)
{
	struct facts f = {0};
	struct error e = {""};
	(void)state;
	begin(1);
	write_setting(NIC " tso", "on");
	write_setting(NIC " tx checksum", "off");
	assert_string_equal(value_of(&f, NIC " tso"), "off");
	write_setting(NIC " tso", "off");
	assert_int_equal(flip_allowed(NIC " tso", &e), 0);
	write_setting(NIC " tx checksum", "on");
	assert_string_equal(value_of(&f, NIC " tso"), "on");
	facts_free(&f);
}

/* A wish that could not be followed would come true by itself later. */
static void a_refused_offload_leaves_no_wish_behind(void **state)
{
	struct facts f = {0};
	struct error e = {""};
	(void)state;
	begin(1);
	write_setting(NIC " tso", "off");
	write_setting(NIC " tx checksum", "off");
	assert_int_equal(nic_settings_write(NIC " tso", "on", &e), -EOPNOTSUPP);
	assert_non_null(strstr(e.text, "it may hang on another offload"));
	write_setting(NIC " tx checksum", "on");
	assert_string_equal(value_of(&f, NIC " tso"), "off");
	/* One that was there before stays. */
	write_setting(NIC " tso", "on");
	write_setting(NIC " tx checksum", "off");
	assert_int_equal(nic_settings_write(NIC " tso", "IPv4 only", &e), -EOPNOTSUPP);
	write_setting(NIC " tx checksum", "on");
	assert_string_equal(value_of(&f, NIC " tso"), "on");
	facts_free(&f);
}

static void what_the_driver_cannot_do_is_said_with_the_reason(void **state)
{
	struct facts f = {0};
	struct error e = {""};
	(void)state;
	begin(1);
	/* veth has neither. */
	assert_string_equal(value_of(&f, NIC " pause rx"), "(not supported)");
	assert_string_equal(value_of(&f, NIC " coalesce rx-usecs"), "(not supported)");
	assert_int_equal(nic_settings_write(NIC " pause rx", "on", &e), -EOPNOTSUPP);
	assert_non_null(strstr(e.text, NIC " pause rx"));
	assert_non_null(strstr(e.text, "not supported"));
	assert_int_equal(nic_settings_write(NIC " lro", "on", &e), -EOPNOTSUPP);
	assert_non_null(strstr(e.text, "fixed at off"));
	assert_int_equal(nic_settings_write(NIC " mtu", "100000", &e), -EINVAL);
	/* The kernel's own words. */
	assert_non_null(strstr(e.text, "maximum"));
	assert_int_equal(nic_settings_write(NIC " mtu", "9k", &e), -EINVAL);
	assert_int_equal(nic_settings_write(NIC " tso", "maybe", &e), -EINVAL);
	assert_int_equal(nic_settings_write("p9 mtu", "1500", &e), -ENODEV);
	assert_string_equal(value_of(&f, NIC " mtu"), "1500");
	facts_free(&f);
}

/* --- Watching. --- */

static void tell(const char *words, const char *from, const char *to, void *arg)
{
	(void)arg;
	size_t used = strlen(told);
	snprintf(told + used, sizeof(told) - used, "%s %s > %s;", words, from, to);
}

/* All of the wanted, in any order, and nothing else. */
static void comes(const char *wanted)
{
	for (double end = proc_now() + proc_patience(); proc_now() < end;) {
		env_watch_look(watch, tell, NULL);
		if (strlen(told) >= strlen(wanted))
			break;
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	assert_string_equal(told, wanted);
	told[0] = 0;
}

static void open_watch(const char *nic)
{
	struct env_scope scope = {.device = ""};
	struct error e = {""};
	env_scope_add(&scope, nic);
	told[0] = 0;
	if (env_watch_open(&watch, "", &scope, &e))
		fail_msg("%s", e.text);
}

static void each_change_is_told_once(void **state)
{
	(void)state;
	begin(2);
	open_watch(NIC);
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 9000), 0);
	comes(NIC " mtu 1500 > 9000;");
	write_setting(NIC " gso", "on");
	comes(NIC " gso off > on;");
	set_sysctl("0");
	comes("net.ipv4.tcp_sack 1 > 0;");
	assert_int_equal(net_cable(&net, 1, false), 0);
	comes(NIC " link up > down;");
	assert_int_equal(net_cable(&net, 1, true), 0);
	comes(NIC " link down > up;");
	/* Another NIC's, and a namespace's of which this one is none. */
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 2, 9000), 0);
	assert_int_equal(net_mtu_end(&net, NET_TARGET, 1, 9000), 0);
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 4000), 0);
	comes(NIC " mtu 9000 > 4000;");
}

static void ip(const char *command)
{
	struct proc p;
	const char *argv[] = {"sh", "-c", command, NULL};
	assert_int_equal(proc_run(&p, argv, NULL), 0);
	if (p.status)
		fail_msg("%s: %s", command, p.err);
	proc_free(&p);
}

static void a_nic_that_goes_and_comes_back_is_watched_again(void **state)
{
	(void)state;
	begin(1);
	open_watch(NIC);
	ip("ip link set " NIC " down; ip link set " NIC " name q1");
	for (double end = proc_now() + proc_patience();
	     !strstr(told, "link down > gone") && !strstr(told, "link up > gone");) {
		env_watch_look(watch, tell, NULL);
		assert_true(proc_now() < end);
	}
	ip("ip link set q1 name " NIC "; ip link set " NIC " up");
	for (double end = proc_now() + proc_patience(); !strstr(told, "> up;");) {
		env_watch_look(watch, tell, NULL);
		assert_true(proc_now() < end);
	}
	told[0] = 0;
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 9000), 0);
	comes(NIC " mtu 1500 > 9000;");
}

/* A NIC may be called 1; none has a colon in its name, though the kernel finds 1 by the name of 1: too. */
static void a_run_with_the_number_of_a_nic_is_named_with_a_colon(void **state)
{
	char store[300];
	struct proc p;
	(void)state;

	begin(1);
	snprintf(store, sizeof(store), "%s", scratch_path("numbers.db"));
	PROC(&p, lunscope_path(), "run", "null:1ms", "--for", "1s", "--watch", "p1", "--store",
	     store);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	ip("ip link set p1 down; ip link set p1 name 1; ip link set 1 up");
	PROC(&p, lunscope_path(), "env", "1", "--store", store);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "1 mtu "));
	assert_null(strstr(p.out, "p1 mtu "));
	proc_free(&p);
	PROC(&p, lunscope_path(), "env", "1:", "--store", store);
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "p1 mtu "));
	proc_free(&p);
}

static void comes_among_others(const char *wanted)
{
	for (double end = proc_now() + proc_patience(); !strstr(told, wanted);) {
		env_watch_look(watch, tell, NULL);
		if (proc_now() > end)
			fail_msg("no '%s' in '%s'", wanted, told);
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	told[0] = 0;
}

static void a_nic_that_comes_back_with_other_settings_has_changed(void **state)
{
	const struct facts *f;
	(void)state;
	begin(1);
	ip("ip link add v9 mtu 1500 type veth peer name v8");
	open_watch("v9");
	ip("ip link del v9");
	comes_among_others("v9 link down > gone;");
	/* What it was set to is not forgotten meanwhile. */
	f = env_watch_facts(watch);
	assert_string_equal(facts_get(f, "v9 mtu"), "1500");
	ip("ip link add v9 mtu 4000 type veth peer name v8");
	comes_among_others("v9 mtu 1500 > 4000;");
	/* So quickly that nobody has seen that it was gone. */
	ip("ip link del v9; ip link add v9 mtu 5000 type veth peer name v8");
	comes_among_others("v9 mtu 4000 > 5000;");
	ip("ip link set v9 name q9; ip link set q9 mtu 6000; ip link set q9 name v9");
	comes_among_others("v9 mtu 5000 > 6000;");
}

static void what_another_nic_lies_upon_is_known_when_it_comes_back(void **state)
{
	struct proc p;
	(void)state;
	begin(1);
	ip("ip link add v9 mtu 1500 type veth peer name v8");
	PROC(&p, "ip", "link", "add", "link", "v9", "name", "m9", "type", "macvlan");
	bool there = p.status == 0;
	proc_free(&p);
	if (!there) {
		print_message("this kernel has no macvlan\n");
		skip();
	}
	open_watch("m9");
	ip("ip link del v9");
	comes_among_others("v9 link down > gone;");
	ip("ip link add v9 mtu 4000 type veth peer name v8");
	ip("ip link add link v9 name m9 type macvlan");
	comes_among_others("v9 mtu 1500 > 4000;");
}

/* The socket by which the watch asks about links: rtnetlink's, in no group. */
static int asking_socket(int from)
{
	for (int fd = from; fd < 256; fd++) {
		struct sockaddr_nl a;
		socklen_t n = sizeof(a), length = sizeof(int), room = 0;
		int protocol = -1;
		if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &length) ||
		    protocol != NETLINK_ROUTE || getsockname(fd, (struct sockaddr *)&a, &n) ||
		    a.nl_family != AF_NETLINK)
			continue;
		uint32_t groups[8] = {0};
		room = sizeof(groups);
		if (getsockopt(fd, SOL_NETLINK, NETLINK_LIST_MEMBERSHIPS, groups, &room) == 0 &&
		    !groups[0])
			return fd;
	}
	return -1;
}

/* What can't be asked for a while is not gone. */
static void a_kernel_that_does_not_answer_takes_nothing_away(void **state)
{
	struct env_scope two = {.nic = {NIC, "p2"}};
	struct env_nic nic[WATCH_NICS];
	(void)state;
	begin(2);
	int from = open("/dev/null", O_RDWR | O_CLOEXEC);
	open_watch(NIC);
	int fd = asking_socket(from);
	assert_true(fd >= 0);
	int kept = dup(fd);
	assert_true(kept >= 0);
	assert_int_equal(dup2(from, fd), fd);
	write_setting(NIC " mtu", "9000");
	env_watch_scope(watch, &two);
	/* By the second of these the watch has seen the others, too. */
	set_sysctl("0");
	comes("net.ipv4.tcp_sack 1 > 0;");
	set_sysctl("1");
	comes("net.ipv4.tcp_sack 0 > 1;");
	assert_string_equal(facts_get(env_watch_facts(watch), NIC " mtu"), "1500");
	assert_int_equal(env_watch_nics(watch, nic), 1);
	assert_string_equal(nic[0].name, NIC);
	assert_int_equal(dup2(kept, fd), fd);
	close(kept);
	comes(NIC " mtu 1500 > 9000;");
	for (double end = proc_now() + proc_patience(); env_watch_nics(watch, nic) != 2;)
		assert_true(proc_now() < end);
	close(from);
}

static void what_a_nic_lies_upon_is_watched_too(void **state)
{
	struct env_nic nic[WATCH_NICS];
	struct proc p;
	(void)state;
	begin(1);
	PROC(&p, "ip", "link", "add", "link", NIC, "name", "m1", "type", "macvlan");
	bool there = p.status == 0;
	proc_free(&p);
	if (!there) {
		print_message("this kernel has no macvlan\n");
		skip();
	}
	open_watch("m1");
	assert_int_equal(env_watch_nics(watch, nic), 2);
	assert_false(nic[0].below);
	assert_string_equal(nic[1].name, NIC);
	assert_true(nic[1].below);
	write_setting(NIC " mtu", "9000");
	comes(NIC " mtu 1500 > 9000;");
}

static void a_storm_of_changes_loses_none(void **state)
{
	char last[64];
	(void)state;
	begin(1);
	open_watch(NIC);
	/* More messages than a socket holds; nobody looks meanwhile but the watch's own thread. */
	for (int i = 0; i < 300; i++) {
		snprintf(last, sizeof(last), "%d", 1500 + 10 * i);
		write_setting(NIC " mtu", last);
	}
	for (double end = proc_now() + proc_patience();;) {
		env_watch_look(watch, NULL, NULL);
		if (strcmp(facts_get(env_watch_facts(watch), NIC " mtu"), last) == 0)
			break;
		assert_true(proc_now() < end);
	}
}

static void counters_are_those_of_this_namespace(void **state)
{
	struct env_nic nic[1] = {{.name = NIC}};
	struct nic_counters before, after;
	struct counters c;
	uint64_t again;
	(void)state;
	begin(1);
	counters_open(&c, "");
	counters_read(&c, nic, 1, &before);
	assert_true(before.there);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
	inet_pton(AF_INET, net_address(NET_TARGET, 1), &to.sin_addr);
	assert_int_equal(sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof(to)), 1);
	close(fd);
	for (double end = proc_now() + proc_patience();;) {
		counters_read(&c, nic, 1, &after);
		if (after.tx_packets > before.tx_packets && after.tx_bytes > before.tx_bytes)
			break;
		assert_true(proc_now() < end);
	}
	assert_true(counters_retransmits(&c, &again));
	assert_int_equal(again, 0);
	counters_close(&c);
}

/* --- The program. --- */

/* Settings that change within a second are one mark: what changes next is to have its own. */
static void later(void)
{
	nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 200000000}, NULL);
}

static json_t *mark_with(json_t *doc, const char *text)
{
	size_t i;
	json_t *mark;
	json_array_foreach(json_object_get(doc, "marks"), i,
			   mark) if (strcmp(json_string_value(json_object_get(mark, "text")),
					    text) == 0) return mark;
	fail_msg("no mark '%s'", text);
	return NULL;
}

static const char *text_at(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	return text ? text : "(none)";
}

static void a_change_while_a_run_goes_on_is_a_mark_and_kept_with_it(void **state)
{
	char store[300], json[300];
	struct proc p;
	(void)state;
	begin(2);
	const char *file = scratch_file("data", 4 * MIB, false);
	snprintf(store, sizeof(store), "%s", scratch_path("runs.db"));
	snprintf(json, sizeof(json), "%s", scratch_path("run.json"));
	const char *argv[] = {lunscope_path(), "run",     "--for", "600s",    "--rate",
			      "200",           "--watch", "p1,p2", "--store", store,
			      "--json",        json,      file,    NULL};
	const struct proc_options o = {.limit_s = 3 * proc_patience()};
	assert_int_equal(proc_start(&run, argv, &o), 0);
	io_await_told(store, "run start");
	struct timespec flip;
	clock_gettime(CLOCK_REALTIME, &flip);
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 9000), 0);
	io_await_told(store, NIC " mtu 1500 > 9000");
	later();
	set_sysctl("0");
	io_await_told(store, "net.ipv4.tcp_sack 1 > 0");
	assert_int_equal(net_cable(&net, 1, false), 0);
	io_await_told(store, NIC " link up > down");
	kill(run.pid, SIGINT);
	proc_wait(&run);
	json_error_t why;
	json_t *doc = json_load_file(json, 0, &why);
	if (!doc)
		fail_msg("%s: %s", why.text, run.err);
	proc_free(&run);
	run.pid = 0;

	json_t *mark = mark_with(doc, NIC " mtu 1500 > 9000");
	assert_string_equal(text_at(mark, "kind"), "environment");
	assert_string_equal(text_at(mark, "letter"), "a");
	assert_string_equal(text_at(json_object_get(mark, "facts"), NIC " mtu"), "9000");
	assert_true(json_integer_value(json_object_get(mark, "time_ns")) / 1000000000 >=
		    flip.tv_sec - 1);
	/* A link is no setting. */
	mark = mark_with(doc, NIC " link up > down");
	assert_string_equal(text_at(mark, "kind"), "event");
	assert_int_equal(json_array_size(json_object_get(doc, "segments")), 3);
	json_t *facts = json_object_get(json_object_get(doc, "environment"), "facts");
	assert_string_equal(text_at(facts, NIC " mtu"), "1500");
	assert_string_equal(text_at(facts, NIC " pause rx"), "(not supported)");
	assert_string_equal(text_at(facts, "p2 mtu"), "1500");
	assert_true(json_is_object(
		json_object_get(json_array_get(json_object_get(doc, "samples"), 0), "net")));
	json_decref(doc);

	PROC(&p, lunscope_path(), "env", "1:1", "1:b", "--store", store);
	assert_string_equal(p.out, "net.ipv4.tcp_sack: 1 > 0\n" NIC " mtu: 1500 > 9000\n");
	proc_free(&p);
	PROC(&p, lunscope_path(), "compare", "1:1", "1:a", "--settle", "0s", "--store", store);
	assert_non_null(strstr(p.out, "One thing differs:\n  " NIC " mtu: 1500 > 9000\n"));
	proc_free(&p);
	PROC(&p, lunscope_path(), "env", NIC);
	assert_non_null(strstr(p.out, NIC " mtu "));
	/* veth has none of these, in one line. */
	const char *none = strstr(p.out, NIC " (not supported) ");
	assert_non_null(none);
	assert_non_null(strstr(none, ", pause"));
	assert_null(strstr(none + sizeof(NIC " (not"), "(not supported)"));
	proc_free(&p);
	/* The NIC that a LUN is reached by, in whatever letters its scheme is written. */
	PROC(&p, lunscope_path(), "env", "ISCSI://127.0.0.1/iqn.2026-01.test.lunscope:env/1");
	assert_non_null(strstr(p.out, "lo mtu "));
	proc_free(&p);
}

/* A host of containers has hundreds. */
static void env_shows_every_nic_however_many_there_are(void **state)
{
	char name[16], other[16], words[32];
	struct proc p;
	(void)state;
	begin(1);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "many%d", i);
		snprintf(other, sizeof(other), "other%d", i);
		PROC(&p, "ip", "link", "add", name, "type", "veth", "peer", "name", other);
		assert_int_equal(p.status, 0);
		proc_free(&p);
	}
	PROC(&p, lunscope_path(), "env");
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, NIC " mtu "));
	for (int i = 0; i < 20; i++) {
		snprintf(words, sizeof(words), "\nmany%d mtu ", i);
		assert_non_null(strstr(p.out, words));
		snprintf(words, sizeof(words), "\nother%d mtu ", i);
		assert_non_null(strstr(p.out, words));
	}
	proc_free(&p);
}

/* A run over a session that is opened at this MTU of both ends. */
static void start_at(unsigned mtu, const char *store, const char *json)
{
	struct tgtd_lun l = {.file = scratch_file("lun", 16 * MIB, true), .id = "00000000c0ffee05"};
	const struct proc_options o = {.limit_s = 3 * proc_patience()};
	char url[300];
	if (tgtd_missing()) {
		print_message("%s\n", tgtd_missing());
		skip();
	}
	begin(1);
	assert_int_equal(net_mtu(&net, 1, mtu), 0);
	assert_int_equal(tgtd_start(&target, &(struct tgtd_options){.net = &net, .portals = 1}), 0);
	assert_int_equal(tgtd_target(&target, "env"), 1);
	assert_int_equal(tgtd_lun(&target, 1, 1, &l), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	snprintf(url, sizeof(url), "iscsi://%s:%d/%s/1", tgtd_address(&target, 1), target.port,
		 tgtd_iqn("env"));
	const char *argv[] = {lunscope_path(), "run",     url,   "--for",  "600s", "--rate",
			      "200",           "--store", store, "--json", json,   NULL};
	assert_int_equal(proc_start(&run, argv, &o), 0);
	/* The settings of its NIC are in the record, once a connection has told which it is. */
	io_await_env(store, NIC " mtu");
}

/* Once as an event, and at the end as what is still so. */
static void ends_with(const char *json, const char *words)
{
	json_error_t why;
	kill(run.pid, SIGINT);
	proc_wait(&run);
	json_t *doc = json_load_file(json, 0, &why);
	if (!doc)
		fail_msg("%s: %s", why.text, run.err);
	if (!strstr(run.out, "\nMTU       " NIC " mtu "))
		fail_msg("no line of the MTU in\n%s", run.out);
	assert_string_equal(json_string_value(json_object_get(doc, "mtu")), words);
	size_t at, events = 0;
	json_t *mark;
	json_array_foreach(json_object_get(doc, "marks"), at, mark) events +=
		strcmp(json_string_value(json_object_get(mark, "text")), words) == 0;
	assert_int_equal(events, 1);
	json_decref(doc);
	proc_free(&run);
	run.pid = 0;
}

static void a_larger_mtu_that_no_session_uses_is_told_in_words(void **state)
{
	static const char words[] =
		NIC " mtu 9000: its sessions were opened for MSS 1448, and keep to "
		    "that until they log in anew";
	char store[300], json[300];
	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("larger.db"));
	snprintf(json, sizeof(json), "%s", scratch_path("larger.json"));
	start_at(1500, store, json);
	assert_int_equal(net_mtu(&net, 1, 9000), 0);
	io_await_told(store, words);
	ends_with(json, words);
	io_await_told(store, "\nMTU       " NIC " mtu 9000: its sessions were opened");
}

static void a_smaller_mtu_at_one_end_is_named_as_a_suspect(void **state)
{
	static const char words[] =
		NIC " mtu 1500: its sessions were opened for MSS 8948; if large IOs "
		    "stall, suspect a larger MTU at the other end";
	char store[300], json[300];
	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("smaller.db"));
	snprintf(json, sizeof(json), "%s", scratch_path("smaller.json"));
	start_at(9000, store, json);
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 1500), 0);
	io_await_told(store, NIC " mtu 9000 > 1500");
	io_await_told(store, words);
	ends_with(json, words);
}

/* Nobody names the NIC. */
static void the_nics_of_a_targets_paths_are_found_and_watched(void **state)
{
	char store[300], json[300];
	json_error_t why;
	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("paths.db"));
	snprintf(json, sizeof(json), "%s", scratch_path("paths.json"));
	start_at(1500, store, json);
	assert_int_equal(net_mtu(&net, 1, 9000), 0);
	io_await_told(store, NIC " mtu 1500 > 9000");
	kill(run.pid, SIGINT);
	proc_wait(&run);
	json_t *doc = json_load_file(json, 0, &why);
	if (!doc)
		fail_msg("%s: %s", why.text, run.err);
	proc_free(&run);
	run.pid = 0;
	mark_with(doc, NIC " mtu 1500 > 9000");
	json_t *nics = json_object_get(json_object_get(doc, "environment"), "nics");
	assert_int_equal(json_array_size(nics), 1);
	assert_string_equal(json_string_value(json_array_get(nics, 0)), NIC);
	/* What was read came over it, once it was known. */
	uint64_t came = 0, read = 0;
	size_t at;
	json_t *sample;
	json_array_foreach(json_object_get(doc, "samples"), at,
			   sample) if (json_is_object(json_object_get(sample, "net")))
	{
		came += io_count(sample, "net.rx_bytes");
		read += io_count(sample, "read.bytes");
	}
	assert_true(read > 0 && came >= read / 2);
	json_decref(doc);
}

static void a_script_that_changes_several_nics_leaves_one_mark(void **state)
{
	char store[300];
	(void)state;
	begin(2);
	snprintf(store, sizeof(store), "%s", scratch_path("several.db"));
	const char *argv[] = {lunscope_path(), "run",     "null:", "--for",   "600s", "--rate",
			      "200",           "--watch", "p1,p2", "--store", store,  NULL};
	const struct proc_options o = {.limit_s = 3 * proc_patience()};
	assert_int_equal(proc_start(&run, argv, &o), 0);
	io_await_told(store, "run start");
	/* Whether both fall within a second is the machine's affair: so it is tried until they do. */
	for (double end = proc_now() + proc_patience(); proc_now() < end;) {
		struct proc p;
		ip("ip link set p1 mtu 9000; ip link set p2 mtu 9000");
		io_await_told(store, "p2 mtu 1500 > 9000");
		PROC(&p, lunscope_path(), "show", "1", "--store", store);
		bool one = strstr(p.out, "p1 mtu 1500 > 9000, p2 mtu 1500 > 9000") != NULL;
		proc_free(&p);
		if (one)
			return;
		nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 200000000}, NULL);
		ip("ip link set p1 mtu 1500; ip link set p2 mtu 1500");
		nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 200000000}, NULL);
	}
	fail_msg("two changes in one go never were one mark");
}

static void the_mark_and_the_pane_are_on_the_screen(void **state)
{
	(void)state;
	begin(1);
	const char *file = scratch_file("screen", 4 * MIB, false);
	const struct vt_options size = {.rows = 43, .cols = 132};
	struct vt *v = LIVE(&size, file, "--rate", "200", "--watch", NIC, "--no-store");
	VT_MATCH(v, VT_ANY, NIC " +up +10 Gb/s +1500 ");
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 9000), 0);
	EVENT(v, NIC " mtu 1500 > 9000");
	VT_MATCH(v, VT_ANY, NIC " +up +10 Gb/s +9000 ");
	assert_int_equal(e2e_event_letter(v, NIC " mtu 1500 > 9000"), 'a');
	vt_type(v, "8p");
	VT_MATCH(v, VT_ANY, NIC " mtu +9000 ");
	VT_TEXT(v, "net.ipv4.tcp_timestamps");
	e2e_quit(v);
}

int main(void)
{
#define ROOT_TEST(f) cmocka_unit_test_teardown(f, clean_up)
	const struct CMUnitTest tests[] = {
		ROOT_TEST(what_is_written_is_what_is_read),
		ROOT_TEST(asking_for_what_there_is_leaves_other_wishes_alone),
		ROOT_TEST(a_refused_offload_leaves_no_wish_behind),
		ROOT_TEST(what_the_driver_cannot_do_is_said_with_the_reason),
		ROOT_TEST(each_change_is_told_once),
		ROOT_TEST(a_nic_that_goes_and_comes_back_is_watched_again),
		ROOT_TEST(a_nic_that_comes_back_with_other_settings_has_changed),
		ROOT_TEST(what_another_nic_lies_upon_is_known_when_it_comes_back),
		ROOT_TEST(a_kernel_that_does_not_answer_takes_nothing_away),
		ROOT_TEST(what_a_nic_lies_upon_is_watched_too),
		ROOT_TEST(a_storm_of_changes_loses_none),
		ROOT_TEST(counters_are_those_of_this_namespace),
		ROOT_TEST(a_change_while_a_run_goes_on_is_a_mark_and_kept_with_it),
		ROOT_TEST(a_larger_mtu_that_no_session_uses_is_told_in_words),
		ROOT_TEST(a_smaller_mtu_at_one_end_is_named_as_a_suspect),
		ROOT_TEST(env_shows_every_nic_however_many_there_are),
		ROOT_TEST(the_nics_of_a_targets_paths_are_found_and_watched),
		ROOT_TEST(a_run_with_the_number_of_a_nic_is_named_with_a_colon),
		ROOT_TEST(a_script_that_changes_several_nics_leaves_one_mark),
		ROOT_TEST(the_mark_and_the_pane_are_on_the_screen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
