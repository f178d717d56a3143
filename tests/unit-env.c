/* unit-env.c - what the kernel tells of NICs, sysctls and queues: messages as they come, cut short and made
 * up, and files of a tree of the test's own.
 *
 * Messages are built as the kernel builds them (Documentation/networking/ethtool-netlink.rst, rtnetlink(7)).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/filter.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "env/ask.h"
#include "env/counters.h"
#include "env/ethtool.h"
#include "env/files.h"
#include "env/nic_settings.h"
#include "env/pause.h"
#include "env/rtnl.h"
#include "env/watch.h"
#include "env/watch_internal.h"
#include "netlink.h"
#include "tests/proc.h"
#include "tests/scratch.h"

static _Alignas(struct nlmsghdr) char bytes[8192];

static struct nlmsghdr *begin(uint16_t type)
{
	memset(bytes, 0, sizeof(bytes));
	struct nlmsghdr *h = mnl_nlmsg_put_header(bytes);
	h->nlmsg_type = type;
	h->nlmsg_seq = 7;
	return h;
}

static struct nlmsghdr *begin_ethtool(uint8_t command)
{
	struct nlmsghdr *h = begin(30);
	struct genlmsghdr *g = mnl_nlmsg_put_extra_header(h, sizeof(*g));
	g->cmd = command;
	struct nlattr *header = mnl_attr_nest_start(h, ETHTOOL_A_PAUSE_HEADER);
	mnl_attr_put_u32(h, ETHTOOL_A_HEADER_DEV_INDEX, 4);
	mnl_attr_put_strz(h, ETHTOOL_A_HEADER_DEV_NAME, "eth2");
	mnl_attr_nest_end(h, header);
	return h;
}

static struct nlmsghdr *pause_reply(void)
{
	struct nlmsghdr *h = begin_ethtool(ETHTOOL_MSG_PAUSE_GET_REPLY);
	mnl_attr_put_u8(h, ETHTOOL_A_PAUSE_AUTONEG, 0);
	mnl_attr_put_u8(h, ETHTOOL_A_PAUSE_RX, 1);
	mnl_attr_put_u8(h, ETHTOOL_A_PAUSE_TX, 0);
	return h;
}

static void put_bit(struct nlmsghdr *h, const char *name, bool value)
{
	struct nlattr *bit = mnl_attr_nest_start(h, ETHTOOL_A_BITSET_BITS_BIT);
	mnl_attr_put_u32(h, ETHTOOL_A_BITSET_BIT_INDEX, 3);
	mnl_attr_put_strz(h, ETHTOOL_A_BITSET_BIT_NAME, name);
	if (value)
		mnl_attr_put(h, ETHTOOL_A_BITSET_BIT_VALUE, 0, NULL);
	mnl_attr_nest_end(h, bit);
}

/* Names that begin with '-' are in the mask only, where there is one. */
static void put_set(struct nlmsghdr *h, uint16_t which, bool masked, const char *const names[])
{
	struct nlattr *set = mnl_attr_nest_start(h, which);
	if (!masked)
		mnl_attr_put(h, ETHTOOL_A_BITSET_NOMASK, 0, NULL);
	mnl_attr_put_u32(h, ETHTOOL_A_BITSET_SIZE, 64);
	struct nlattr *bits = mnl_attr_nest_start(h, ETHTOOL_A_BITSET_BITS);
	for (; *names; names++)
		put_bit(h, *names + (**names == '-'), masked && **names != '-');
	mnl_attr_nest_end(h, bits);
	mnl_attr_nest_end(h, set);
}
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* --- NICs. --- */

static void pause_comes_as_three_facts(void **state)
{
	struct facts f = {0};
	char nic[16];
	(void)state;
	struct nlmsghdr *h = pause_reply();
	assert_true(ethtool_nic_of(h, nic));
	assert_string_equal(nic, "eth2");
	ethtool_take(h, "eth2", &f);
	assert_int_equal(f.count, 3);
	assert_string_equal(facts_get(&f, "eth2 pause autoneg"), "off");
	assert_string_equal(facts_get(&f, "eth2 pause rx"), "on");
	assert_string_equal(facts_get(&f, "eth2 pause tx"), "off");
	facts_free(&f);
}

static void what_a_driver_leaves_out_is_not_supported(void **state)
{
	struct facts f = {0};
	(void)state;
	struct nlmsghdr *h = begin_ethtool(ETHTOOL_MSG_COALESCE_GET_REPLY);
	mnl_attr_put_u32(h, ETHTOOL_A_COALESCE_RX_USECS, 0);
	ethtool_take(h, "eth2", &f);
	assert_string_equal(facts_get(&f, "eth2 coalesce rx-usecs"), "0");
	assert_string_equal(facts_get(&f, "eth2 coalesce tx-usecs"), "(not supported)");
	facts_free(&f);
}

static void a_speed_that_is_not_known_is_no_number(void **state)
{
	struct facts f = {0};
	(void)state;
	struct nlmsghdr *h = begin_ethtool(ETHTOOL_MSG_LINKMODES_GET_REPLY);
	mnl_attr_put_u32(h, ETHTOOL_A_LINKMODES_SPEED, UINT32_MAX);
	ethtool_take(h, "eth2", &f);
	assert_string_equal(facts_get(&f, "eth2 speed"), "(not known)");
	h = begin_ethtool(ETHTOOL_MSG_LINKMODES_GET_REPLY);
	mnl_attr_put_u32(h, ETHTOOL_A_LINKMODES_SPEED, 25000);
	ethtool_take(h, "eth2", &f);
	assert_string_equal(facts_get(&f, "eth2 speed"), "25000 Mb/s");
	/* Of another length than the kernel's. */
	h = begin_ethtool(ETHTOOL_MSG_LINKMODES_GET_REPLY);
	mnl_attr_put_u8(h, ETHTOOL_A_LINKMODES_SPEED, 10);
	ethtool_take(h, "eth2", &f);
	assert_string_equal(facts_get(&f, "eth2 speed"), "(not known)");
	facts_free(&f);
}

static void offloads_are_put_together_from_their_bits(void **state)
{
	struct facts f = {0};
	(void)state;
	struct nlmsghdr *h = begin_ethtool(ETHTOOL_MSG_FEATURES_GET_REPLY);
	put_set(h, ETHTOOL_A_FEATURES_HW, false,
		NAMES("tx-tcp-segmentation", "tx-tcp6-segmentation", "tx-checksum-ip-generic",
		      "rx-gro", "rx-gro-list"));
	put_set(h, ETHTOOL_A_FEATURES_ACTIVE, false,
		NAMES("tx-tcp-segmentation", "tx-checksum-ip-generic", "rx-gro-list"));
	ethtool_take(h, "eth2", &f);
	assert_int_equal(f.count, 6);
	assert_string_equal(facts_get(&f, "eth2 tso"), "IPv4 only");
	assert_string_equal(facts_get(&f, "eth2 gro"), "off");
	assert_string_equal(facts_get(&f, "eth2 lro"), "off");
	assert_string_equal(facts_get(&f, "eth2 tx checksum"), "on");
	/* With a mask, what is listed is not yet set. */
	h = begin_ethtool(ETHTOOL_MSG_FEATURES_GET_REPLY);
	put_set(h, ETHTOOL_A_FEATURES_ACTIVE, true,
		NAMES("tx-tcp-segmentation", "-rx-gro", "rx-lro", "-tx-checksum-ip-generic"));
	ethtool_take(h, "eth2", &f);
	assert_string_equal(facts_get(&f, "eth2 tso"), "on");
	assert_string_equal(facts_get(&f, "eth2 gro"), "off");
	assert_string_equal(facts_get(&f, "eth2 lro"), "on");
	assert_string_equal(facts_get(&f, "eth2 tx checksum"), "off");
	facts_free(&f);
}

static struct nlmsghdr *link_message(uint16_t type, unsigned flags)
{
	struct nlmsghdr *h = begin(type);
	struct ifinfomsg *i = mnl_nlmsg_put_extra_header(h, sizeof(*i));
	i->ifi_index = 9;
	i->ifi_flags = flags;
	mnl_attr_put_strz(h, IFLA_IFNAME, "bond0.5");
	mnl_attr_put_u32(h, IFLA_MTU, 9000);
	mnl_attr_put_u32(h, IFLA_LINK, 4);
	struct nlattr *info = mnl_attr_nest_start(h, IFLA_LINKINFO);
	mnl_attr_put_strz(h, IFLA_INFO_KIND, "vlan");
	mnl_attr_nest_end(h, info);
	return h;
}

static void a_link_is_read_from_its_message(void **state)
{
	struct rtnl_link l;
	(void)state;
	assert_true(rtnl_link_parse(link_message(RTM_NEWLINK, IFF_UP | IFF_RUNNING), &l));
	assert_string_equal(l.name, "bond0.5");
	assert_string_equal(l.kind, "vlan");
	assert_int_equal(l.mtu, 9000);
	assert_int_equal(l.index, 9);
	assert_int_equal(l.link, 4);
	assert_true(l.up);
	assert_false(l.gone);
	/* Switched on, but without a carrier. */
	assert_true(rtnl_link_parse(link_message(RTM_NEWLINK, IFF_UP), &l));
	assert_false(l.up);
	assert_true(rtnl_link_parse(link_message(RTM_DELLINK, 0), &l));
	assert_true(l.gone);
	assert_false(rtnl_link_parse(link_message(RTM_NEWADDR, IFF_UP), &l));
	/* A bridge's word on its port. */
	struct nlmsghdr *h = link_message(RTM_NEWLINK, IFF_UP);
	((struct ifinfomsg *)mnl_nlmsg_get_payload(h))->ifi_family = AF_BRIDGE;
	assert_false(rtnl_link_parse(h, &l));
}

/* --- Answers. --- */

static unsigned answers;

static void count_answer(const struct nlmsghdr *h, void *arg)
{
	(void)h;
	(void)arg;
	answers++;
}

/* An acknowledgement with words, as NETLINK_EXT_ACK and NETLINK_CAP_ACK ask for. */
static struct nlmsghdr *refusal(int code, const char *words)
{
	struct nlmsghdr *h = begin(NLMSG_ERROR);
	struct nlmsgerr *err = mnl_nlmsg_put_extra_header(h, sizeof(*err));
	err->error = code;
	err->msg.nlmsg_len = 200;
	h->nlmsg_flags = NLM_F_CAPPED | NLM_F_ACK_TLVS;
	mnl_attr_put_strz(h, NLMSGERR_ATTR_MSG, words);
	return h;
}

static void the_kernels_own_words_are_the_reason(void **state)
{
	char reason[ASK_REASON] = "";
	bool done = false;
	int result = 0;
	(void)state;
	struct nlmsghdr *h = refusal(-EINVAL, "mtu greater than device maximum");
	assert_true(ask_parse(h, h->nlmsg_len, 7, NULL, NULL, &done, &result, reason));
	assert_true(done);
	assert_int_equal(result, -EINVAL);
	assert_string_equal(reason, "mtu greater than device maximum");
	/* With the question still in it: the words stand behind. */
	h = refusal(-EINVAL, "words");
	h->nlmsg_flags = NLM_F_ACK_TLVS;
	reason[0] = 0;
	done = false;
	assert_true(ask_parse(h, h->nlmsg_len, 7, NULL, NULL, &done, &result, reason));
	assert_string_equal(reason, "");
}

static void an_answer_to_somebody_else_is_passed_over(void **state)
{
	bool done = false;
	int result = 0;
	(void)state;
	answers = 0;
	struct nlmsghdr *h = pause_reply();
	assert_true(ask_parse(h, h->nlmsg_len, 8, count_answer, NULL, &done, &result, NULL));
	assert_int_equal(answers, 0);
	assert_true(ask_parse(h, h->nlmsg_len, 7, count_answer, NULL, &done, &result, NULL));
	assert_int_equal(answers, 1);
	assert_false(done);
}

static uint32_t dice = 1;

static uint32_t throw_dice(void)
{
	dice = dice * 1664525u + 1013904223u;
	return dice >> 8;
}

/* Whatever takes in messages takes in this. What it makes of it is no matter: the sanitizers watch. The
 * copy ends where the memory ends. */
static void feed(const struct nlmsghdr *h, size_t n)
{
	char *copy = malloc(n ? n : 1), nic[16], reason[ASK_REASON] = "";
	struct facts f = {0};
	struct rtnl_link l;
	bool done = false;
	int result = 0;

	memcpy(copy, h, n);
	const struct nlmsghdr *m = (const void *)copy;
	ask_parse(copy, n, 7, count_answer, NULL, &done, &result, reason);
	if (netlink_ok(m, n)) {
		ethtool_take(m, "eth2", &f);
		ethtool_nic_of(m, nic);
		assert_true(memchr(nic, 0, sizeof(nic)) != NULL);
		if (rtnl_link_parse(m, &l))
			assert_true(memchr(l.name, 0, sizeof(l.name)) != NULL);
	}
	facts_free(&f);
	free(copy);
}

static void feed_all(struct nlmsghdr *h)
{
	size_t n = h->nlmsg_len;
	char whole[sizeof(bytes)];

	memcpy(whole, h, n);
	for (size_t cut = 0; cut <= n; cut++) {
		feed(h, cut);
		/* Cut, and its length said to be what there is. */
		h->nlmsg_len = (uint32_t)cut;
		feed(h, cut);
		memcpy(h, whole, n);
	}
	for (int i = 0; i < 20000; i++) {
		for (unsigned k = 1 + throw_dice() % 4; k; k--)
			((char *)h)[throw_dice() % n] = (char)throw_dice();
		feed(h, n);
		memcpy(h, whole, n);
	}
}

static void no_message_leads_beyond_its_end(void **state)
{
	(void)state;
	feed_all(pause_reply());
	feed_all(link_message(RTM_NEWLINK, IFF_UP));
	feed_all(refusal(-EINVAL, "mtu greater than device maximum"));
	struct nlmsghdr *h = begin_ethtool(ETHTOOL_MSG_FEATURES_GET_REPLY);
	put_set(h, ETHTOOL_A_FEATURES_HW, false, NAMES("tx-tcp-segmentation", "rx-gro"));
	put_set(h, ETHTOOL_A_FEATURES_ACTIVE, true, NAMES("tx-tcp-segmentation", "-rx-gro"));
	feed_all(h);
}

/* --- Counters. --- */

static void pause_frames_are_found_among_a_drivers_own_names(void **state)
{
	char names[5][ETH_GSTRING_LEN] = {"rx_packets", "tx_flow_control_xon",
					  "tx_flow_control_xoff", "rx_flow_control_xoff",
					  "rx_long_byte_count_of_32_bytes.."};
	(void)state;
	assert_int_equal(pause_place(&names[0][0], 5, true), 3);
	assert_int_equal(pause_place(&names[0][0], 5, false), 4);
	assert_int_equal(pause_place(&names[0][0], 1, false), 0);
}

static void counters_come_from_the_right_line_and_column(void **state)
{
	static const char dev[] =
		"Inter-|   Receive                                                |  Transmit\n"
		" face |bytes    packets errs drop fifo frame compressed multicast|bytes    "
		"packets "
		"errs drop fifo colls carrier compressed\n"
		"  eth2: 1000 10 1 2 3 0 0 0 2000 20 4 5 6 0 0 0\n"
		" eth22:7 1 0 0 0 0 0 0 8 2 0 0 0 0 0 0\n"
		"  eth3: 1 2 3\n";
	struct env_nic nic[3] = {{.name = "eth22"}, {.name = "eth2"}, {.name = "eth3"}};
	struct nic_counters c[3];
	(void)state;
	counters_scan_dev(dev, nic, 3, c);
	assert_true(c[0].there);
	assert_int_equal(c[0].rx_bytes, 7);
	assert_int_equal(c[0].tx_packets, 2);
	assert_int_equal(c[1].rx_bytes, 1000);
	assert_int_equal(c[1].rx_errors, 4);
	assert_int_equal(c[1].rx_drops, 2);
	assert_int_equal(c[1].tx_bytes, 2000);
	assert_int_equal(c[1].tx_drops, 5);
	assert_int_equal(c[1].tx_errors, 10);
	/* A line that is cut tells nothing. */
	assert_false(c[2].there);
}

/* Bits: 1 the first, 2 the second, ... */
static void once(const struct env_nic *nic, unsigned n, uint32_t carries, uint32_t of_bytes,
		 uint32_t of_faults)
{
	uint32_t b, f;

	counters_once(nic, n, carries, &b, &f);
	assert_int_equal(b, of_bytes);
	assert_int_equal(f, of_faults);
}

static void what_lies_upon_others_is_counted_once(void **state)
{
	const struct env_nic bond[] = {
		{.name = "bond0", .upon = 6, .sums = true}, {.name = "eth0"}, {.name = "eth1"}};
	const struct env_nic vlan[] = {{.name = "eth0.5", .upon = 2}, {.name = "eth0"}};
	const struct env_nic alone[] = {{.name = "eth0"}, {.name = "eth1"}};

	(void)state;
	once(alone, 2, 1, 1, 3);
	once(alone, 2, 3, 3, 3);
	once(bond, 3, 1, 1, 6);
	/* Asked for together. */
	once(bond, 3, 7, 1, 6);
	once(bond, 3, 3, 1, 6);
	once(bond, 3, 2, 2, 6);
	/* A VLAN has drops of its own. */
	once(vlan, 2, 1, 1, 3);
	once(vlan, 2, 3, 2, 3);
	once(vlan, 2, 2, 2, 3);
}

static void retransmits_are_found_by_their_name(void **state)
{
	uint64_t n = 0;
	(void)state;
	assert_true(counters_scan_snmp("Ip: Forwarding\nIp: 1\n"
				       "Tcp: RtoMin CurrEstab RetransSegs InErrs\n"
				       "Tcp: 200 -1 4711 0\nUdp: InDatagrams\nUdp: 5\n",
				       &n));
	assert_int_equal(n, 4711);
	assert_false(counters_scan_snmp("Tcp: RtoMin InErrs\nTcp: 200 0\n", &n));
	assert_false(counters_scan_snmp("Tcp: RtoMin RetransSegs\nTcp: 200\n", &n));
	assert_false(counters_scan_snmp("Tcp: RtoMin RetransSegs\n", &n));
	assert_false(counters_scan_snmp("", &n));
}

/* --- Files. --- */

static char root[256];

static void put_file(const char *path, const char *text)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/%s", root, path);
	for (char *p = name + strlen(root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = 0;
		mkdir(name, 0700);
	}
	/* In one go, as the kernel's own files change: a watch that looks meanwhile must not see it empty. */
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(ftruncate(fd, (off_t)strlen(text)), 0);
	close(fd);
}

static void put_link(const char *path, const char *to)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/%s", root, path);
	unlink(name);
	assert_int_equal(symlink(to, name), 0);
}

static void put_queue(const char *folder, const char *scheduler)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/queue/scheduler", folder);
	put_file(path, scheduler);
	snprintf(path, sizeof(path), "%s/queue/nr_requests", folder);
	put_file(path, "256\n");
}

/* dm-0 over the partition sda1 and the disk sdb. */
static void make_tree(void)
{
	static unsigned trees;
	char name[16];

	snprintf(name, sizeof(name), "tree%u", trees++);
	snprintf(root, sizeof(root), "%s", scratch_path(name));
	mkdir(root, 0700);
	put_file("proc/sys/net/core/rmem_max", "212992\n");
	put_file("proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456\n");
	put_queue("sys/devices/a/sda", "none [mq-deadline] kyber\n");
	put_file("sys/devices/a/sda/dev", "8:0\n");
	put_file("sys/devices/a/sda/sda1/partition", "1\n");
	put_file("sys/devices/a/sda/sda1/dev", "8:1\n");
	put_queue("sys/devices/b/sdb", "none\n");
	put_file("sys/devices/b/sdb/dev", "8:16\n");
	put_queue("sys/devices/dm-0", "none\n");
	put_file("sys/devices/dm-0/slaves/.keep", "");
	put_link("sys/devices/dm-0/slaves/sda1", "../../a/sda/sda1");
	put_link("sys/devices/dm-0/slaves/sdb", "../../b/sdb");
	put_file("sys/class/block/.keep", "");
	put_link("sys/class/block/sda", "../../devices/a/sda");
	put_link("sys/class/block/sda1", "../../devices/a/sda/sda1");
	put_link("sys/class/block/sdb", "../../devices/b/sdb");
	put_link("sys/class/block/dm-0", "../../devices/dm-0");
}

static void queues_of_all_that_a_device_stands_on_are_read(void **state)
{
	struct env_files files = {0};
	struct facts f = {0};
	(void)state;
	make_tree();
	env_queues(&files, root, "dm-0");
	env_files_read(&files, &f);
	assert_string_equal(facts_get(&f, "dm-0 scheduler"), "none");
	assert_string_equal(facts_get(&f, "sda scheduler"), "mq-deadline");
	assert_string_equal(facts_get(&f, "sdb nr_requests"), "256");
	assert_null(facts_get(&f, "sda1 scheduler"));
	/* What this kernel does not have is no fact. */
	assert_null(facts_get(&f, "sda write_cache"));
	assert_int_equal(f.count, 6);
	env_files_close(&files);
	facts_free(&f);
	assert_true(env_is_queue("dm-0 scheduler"));
	assert_false(env_is_queue("dm-0 size"));
	assert_true(env_is_sysctl("net.ipv4.tcp_sack"));
	assert_false(env_is_sysctl("net.ipv4.ip_forward"));
}

static char told[1024];

static void tell(const char *words, const char *from, const char *to, void *arg)
{
	(void)arg;
	size_t used = strlen(told);
	snprintf(told + used, sizeof(told) - used, "%s %s > %s;", words, from, to);
}

static bool comes(struct env_watch *w, const char *wanted)
{
	told[0] = 0;
	for (double end = proc_now() + proc_patience(); proc_now() < end;) {
		env_watch_look(w, tell, NULL);
		if (strcmp(told, wanted) == 0)
			return true;
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	return false;
}

static void a_changed_file_is_told_once_and_by_its_words(void **state)
{
	struct env_scope scope = {.device = "sdb"};
	struct env_watch *w;
	struct error e;
	(void)state;
	make_tree();
	assert_int_equal(env_watch_open(&w, root, &scope, &e), 0);
	assert_string_equal(facts_get(env_watch_facts(w), "net.ipv4.tcp_rmem"),
			    "4096 131072 6291456");
	assert_int_equal(env_watch_facts(w)->count, 4);
	put_file("proc/sys/net/core/rmem_max", "4194304\n");
	assert_true(comes(w, "net.core.rmem_max 212992 > 4194304;"));
	put_file("sys/devices/b/sdb/queue/scheduler", "[none] mq-deadline\n");
	put_file("sys/devices/b/sdb/queue/nr_requests", "64\n");
	assert_true(comes(w, "sdb nr_requests 256 > 64;"));
	env_watch_close(w);
}

static void what_comes_with_another_scope_is_not_told_as_changed(void **state)
{
	struct env_scope scope = {.device = "sdb"};
	struct env_watch *w;
	struct error e;
	(void)state;
	make_tree();
	assert_int_equal(env_watch_open(&w, root, &scope, &e), 0);
	unsigned before = env_watch_comings(w);
	snprintf(scope.device, sizeof(scope.device), "sda1");
	env_watch_scope(w, &scope);
	told[0] = 0;
	for (double end = proc_now() + proc_patience();
	     env_watch_comings(w) == before && proc_now() < end;)
		env_watch_look(w, tell, NULL);
	assert_string_equal(told, "");
	assert_string_equal(facts_get(env_watch_facts(w), "sda scheduler"), "mq-deadline");
	assert_null(facts_get(env_watch_facts(w), "sdb scheduler"));
	put_file("sys/devices/a/sda/queue/scheduler", "[none] mq-deadline\n");
	assert_true(comes(w, "sda scheduler mq-deadline > none;"));
	env_watch_close(w);
}

static void a_scope_has_each_nic_once_and_no_more_than_fit(void **state)
{
	struct env_scope s = {.device = ""};
	char name[16];
	(void)state;
	env_scope_add(&s, "eth0");
	env_scope_add(&s, "eth0");
	assert_int_equal(env_scope_count(&s), 1);
	for (int i = 0; i < 2 * WATCH_NICS; i++) {
		snprintf(name, sizeof(name), "eth%d", i);
		env_scope_add(&s, name);
	}
	assert_int_equal(env_scope_count(&s), WATCH_NICS);
	assert_string_equal(s.device, "");
}

static bool is_netlink(int fd, int bus)
{
	int domain = 0, protocol = -1;
	socklen_t n = sizeof(domain), m = sizeof(protocol);
	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) == 0 && domain == AF_NETLINK &&
	       getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &m) == 0 && protocol == bus;
}

/* From here on nobody answers what this process asks of rtnetlink. */
static void cut_rtnetlink(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	assert_true(null >= 0);
	for (int fd = 3; fd < 256; fd++)
		if (is_netlink(fd, NETLINK_ROUTE))
			assert_int_equal(dup2(null, fd), fd);
	close(null);
}

static void a_nic_of_which_the_kernel_tells_nothing_just_now_is_not_gone(void **state)
{
	struct env_scope scope = {.nic = {"lo"}};
	struct nic_watch *n = NULL;
	struct facts before = {0}, now = {0};
	(void)state;
	assert_int_equal(nic_watch_open(&n, NULL), 0);
	nic_watch_scope(n, &scope);
	nic_watch_facts(n, &before);
	assert_non_null(facts_get(&before, "lo mtu"));
	cut_rtnetlink();
	nic_watch_scope(n, &scope);
	nic_watch_look(n, false);
	nic_watch_facts(n, &now);
	assert_int_equal(facts_compare(&before, &now, NULL, NULL), 0);
	facts_free(&before);
	facts_free(&now);
	nic_watch_close(n);
}

/* Answers of the ethtool family get lost from here on, or come again. */
static void lose_ethtool(bool lose)
{
	struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog program = {1, &none};
	struct timeval soon = {.tv_usec = 20000};
	for (int fd = 3; fd < 256; fd++) {
		if (!is_netlink(fd, NETLINK_GENERIC))
			continue;
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon));
		assert_int_equal(setsockopt(fd, SOL_SOCKET,
					    lose ? SO_ATTACH_FILTER : SO_DETACH_FILTER, &program,
					    sizeof(program)),
				 0);
	}
}

static void that_there_is_no_answer_in_time_is_no_value_of_a_setting(void **state)
{
	struct env_scope scope = {.nic = {"lo"}};
	struct nic_watch *n = NULL;
	struct facts f = {0};
	(void)state;
	assert_int_equal(nic_watch_open(&n, NULL), 0);
	lose_ethtool(true);
	nic_watch_scope(n, &scope);
	nic_watch_facts(n, &f);
	assert_int_equal(f.count, 0);
	lose_ethtool(false);
	for (double end = proc_now() + proc_patience(); !f.count && proc_now() < end;) {
		nic_watch_look(n, false);
		nic_watch_facts(n, &f);
	}
	assert_string_equal(facts_get(&f, "lo pause rx"), "(not supported)");
	facts_free(&f);
	nic_watch_close(n);
}

static void a_nic_that_is_not_there_is_named(void **state)
{
	struct facts f = {0};
	struct error e;
	(void)state;
	assert_int_equal(nic_settings_read("no-such-nic", &f, &e), -ENODEV);
	assert_non_null(strstr(e.text, "no-such-nic"));
	assert_int_equal(nic_settings_read("a-name-longer-than-any", &f, &e), -ENODEV);
	assert_int_equal(nic_settings_write("nonsense", "1", &e), -EINVAL);
	assert_true(nic_settings_possible("eth2 mtu"));
	assert_true(nic_settings_possible("eth2 pause rx"));
	assert_false(nic_settings_possible("eth2 speed"));
	assert_false(nic_settings_possible("eth2"));
	facts_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pause_comes_as_three_facts),
		cmocka_unit_test(what_a_driver_leaves_out_is_not_supported),
		cmocka_unit_test(a_speed_that_is_not_known_is_no_number),
		cmocka_unit_test(offloads_are_put_together_from_their_bits),
		cmocka_unit_test(a_link_is_read_from_its_message),
		cmocka_unit_test(the_kernels_own_words_are_the_reason),
		cmocka_unit_test(an_answer_to_somebody_else_is_passed_over),
		cmocka_unit_test(no_message_leads_beyond_its_end),
		cmocka_unit_test(pause_frames_are_found_among_a_drivers_own_names),
		cmocka_unit_test(counters_come_from_the_right_line_and_column),
		cmocka_unit_test(what_lies_upon_others_is_counted_once),
		cmocka_unit_test(retransmits_are_found_by_their_name),
		cmocka_unit_test(queues_of_all_that_a_device_stands_on_are_read),
		cmocka_unit_test(a_changed_file_is_told_once_and_by_its_words),
		cmocka_unit_test(what_comes_with_another_scope_is_not_told_as_changed),
		cmocka_unit_test(a_scope_has_each_nic_once_and_no_more_than_fit),
		cmocka_unit_test(a_nic_that_is_not_there_is_named),
		cmocka_unit_test(that_there_is_no_answer_in_time_is_no_value_of_a_setting),
		cmocka_unit_test(a_nic_of_which_the_kernel_tells_nothing_just_now_is_not_gone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
