/* unit-nic.c - whose address it is, on this host; and what a NIC says of itself, in recorded folders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <cmocka.h>
#include "netns.h"
#include "nic.h"
#include "scratch.h"

/* --- Whose address. --- */

static void check_owner(const char *local, const char *portal, const char *nic)
{
	char name[16] = "unset";

	nic_of(local, portal, name);
	if (strcmp(name, nic) != 0)
		fail_msg("%s to %s goes by '%s', and not '%s'", local, portal, name, nic);
}

static void the_loopback_has_all_that_begins_with_127(void **state)
{
	(void)state;
	check_owner("127.0.0.1:50000", "127.0.0.1:3260", "lo");
	check_owner("127.45.6.7:50000", "127.0.0.4:3260", "lo");
	check_owner("[::ffff:127.0.0.1]:50000", "[::ffff:127.0.0.2]:3260", "lo");
}

static void nobodys_address_has_no_nic(void **state)
{
	(void)state;
	/* RFC 5737 and RFC 3849: for documentation only. */
	check_owner("198.51.100.77:50000", "198.51.100.1:3260", "");
	check_owner("[2001:db8::77]:50000", "[2001:db8::1]:3260", "");
	check_owner("", "", "");
	check_owner("no address", "198.51.100.1:3260", "");
	check_owner("300.1.1.1:1", "", "");
	check_owner("[fe80::1", "", "");
}

static struct net net;

static int make_net(void **state)
{
	(void)state;
	return net_missing() ? 0 : net_make(&net, 2, 1500);
}

static int free_net(void **state)
{
	(void)state;
	net_free(&net);
	return 0;
}

static void need_net(void)
{
	if (!net_missing())
		return;
	print_message("%s\n", net_missing());
	skip();
}

static void the_nic_is_the_one_that_has_the_local_address(void **state)
{
	(void)state;
	need_net();
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	check_owner("10.77.1.2:50000", "10.77.1.1:3260", "p1");
	check_owner("10.77.2.2:50000", "10.77.2.1:3260", "p2");
	check_owner("[::ffff:10.77.2.2]:50000", "[::ffff:10.77.2.1]:3260", "p2");
	assert_int_equal(net_leave(&net), 0);
}

static void a_portal_of_this_host_is_reached_over_its_loopback(void **state)
{
	(void)state;
	need_net();
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	check_owner("10.77.1.2:50000", "10.77.1.2:3260", "lo");
	check_owner("10.77.1.2:50000", "10.77.2.2:3260", "lo");
	assert_int_equal(net_leave(&net), 0);
}

/* --- A host with IPv6 may not be at hand: this is one. --- */

static struct sockaddr_in6 address6[4];
static struct ifaddrs host6[4];
static bool on_host6;

int __real_getifaddrs(struct ifaddrs **list);
void __real_freeifaddrs(struct ifaddrs *list);
int __wrap_getifaddrs(struct ifaddrs **list);
void __wrap_freeifaddrs(struct ifaddrs *list);

int __wrap_getifaddrs(struct ifaddrs **list)
{
	if (!on_host6)
		return __real_getifaddrs(list);
	*list = host6;
	return 0;
}

void __wrap_freeifaddrs(struct ifaddrs *list)
{
	if (list != host6)
		__real_freeifaddrs(list);
}

/* A VLAN has the hardware address of what it lies upon, and so the same link-local one. */
static void make_host6(void)
{
	static const struct {
		char *name;
		const char *address;
		unsigned flags;
	} row[4] = {
		{"lo", "::1", IFF_LOOPBACK},
		{"eth0", "fe80::2", 0},
		{"eth0.7", "fe80::2", 0},
		{"eth1", "fe80::3", 0},
	};

	for (unsigned i = 0; i < 4; i++) {
		address6[i].sin6_family = AF_INET6;
		inet_pton(AF_INET6, row[i].address, &address6[i].sin6_addr);
		host6[i] = (struct ifaddrs){.ifa_next = i < 3 ? &host6[i + 1] : NULL,
					    .ifa_name = row[i].name,
					    .ifa_flags = row[i].flags,
					    .ifa_addr = (struct sockaddr *)&address6[i]};
	}
	on_host6 = true;
}

static int leave_host6(void **state)
{
	(void)state;
	on_host6 = false;
	return 0;
}

static void a_link_local_address_is_of_its_link(void **state)
{
	(void)state;
	make_host6();
	check_owner("[::1]:50000", "[::1]:3260", "lo");
	check_owner("[fe80::3]:50000", "[fe80::9]:3260", "eth1");
	check_owner("[fe80::3%eth1]:50000", "[fe80::9%eth1]:3260", "eth1");
	/* Which of two can't be told, unless it is said. */
	check_owner("[fe80::2]:50000", "[fe80::9]:3260", "");
	check_owner("[fe80::2%eth0]:50000", "[fe80::9%eth0]:3260", "eth0");
	check_owner("[fe80::2%eth0.7]:50000", "[fe80::9%eth0.7]:3260", "eth0.7");
	/* The same on another link is nobody's. */
	check_owner("[fe80::3%eth0]:50000", "[fe80::9%eth0]:3260", "");
}

static void the_mtu_is_seen_to_change_at_once(void **state)
{
	struct nics nics = {0};
	const char *local = "10.77.1.2:50000", *portal = "10.77.1.1:3260";
	(void)state;
	need_net();
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	const struct nic *n = nics_find(&nics, 0, local, portal, "", 1000);
	assert_string_equal(n->name, "p1");
	assert_int_equal(n->mtu, 1500);
	assert_int_equal(net_mtu(&net, 1, 9000), 0);
	n = nics_find(&nics, 0, local, portal, "", 2000);
	assert_int_equal(n->mtu, 9000);
	/* Another address is looked up at once, whatever the place was used for. */
	n = nics_find(&nics, 0, "10.77.2.2:50000", "10.77.2.1:3260", "", 3000);
	assert_string_equal(n->name, "p2");
	assert_int_equal(n->mtu, 1500);
	/* What a connection is bound to needs no address. */
	n = nics_find(&nics, 1, local, portal, "p2", 3000);
	assert_string_equal(n->name, "p2");
	n = nics_find(&nics, 0, "", "", "", 4000);
	assert_string_equal(n->name, "");
	assert_int_equal(n->mtu, -1);
	assert_int_equal(n->bits_s, -1);
	assert_int_equal(net_leave(&net), 0);
}

/* --- What it is. --- */

static void text(const char *name, const char *value)
{
	char path[600];
	snprintf(path, sizeof(path), "%s/sys/class/net/%s", scratch_dir(), name);
	for (char *p = path + strlen(scratch_dir()) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = 0;
		mkdir(path, 0755);
	}
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(value, f);
	fclose(f);
}

static struct nic ask(const char *name)
{
	struct nic n = {.bits_s = -2};
	snprintf(n.name, sizeof(n.name), "%s", name);
	nic_ask(&n, scratch_dir());
	return n;
}

static void hardware_tells_its_speed(void **state)
{
	(void)state;
	text("eth0/speed", "1000\n");
	text("eth0/device/vendor", "0x8086\n");
	text("eth1/speed", "100000\n");
	text("eth1/device/vendor", "0x15b3\n");
	assert_int_equal(ask("eth0").bits_s, 1000000000);
	assert_false(ask("eth0").nominal);
	assert_int_equal(ask("eth1").bits_s, 100000000000);
}

static void what_the_driver_does_not_know_is_not_known(void **state)
{
	(void)state;
	text("eth2/speed", "-1\n");
	text("eth2/device/vendor", "0x1af4\n");
	text("eth3/speed", "");
	text("eth4/mtu", "1500\n");
	text("eth5/speed", "4294967295\n");
	assert_int_equal(ask("eth2").bits_s, -1);
	assert_int_equal(ask("eth3").bits_s, -1);
	assert_int_equal(ask("eth4").bits_s, -1);
	assert_int_equal(ask("eth5").bits_s, -1);
	assert_int_equal(ask("none").bits_s, -1);
	assert_false(ask("eth2").nominal || ask("none").nominal);
}

static void a_speed_without_hardware_below_is_a_name(void **state)
{
	(void)state;
	text("veth0/speed", "10000\n");
	assert_int_equal(ask("veth0").bits_s, 10000000000);
	assert_true(ask("veth0").nominal);
	/* A bridge of virtual links is no better. */
	text("br1/speed", "10000\n");
	text("br1/lower_veth0/x", "");
	assert_true(ask("br1").nominal);
}

static void what_lies_upon_hardware_has_a_speed(void **state)
{
	(void)state;
	text("eth0/speed", "1000\n");
	text("eth0/device/vendor", "0x8086\n");
	text("bond0/speed", "2000\n");
	text("bond0/lower_eth0/x", "");
	text("vlan7/speed", "2000\n");
	text("vlan7/lower_bond0/x", "");
	assert_int_equal(ask("bond0").bits_s, 2000000000);
	assert_false(ask("bond0").nominal);
	assert_false(ask("vlan7").nominal);
}

static void interfaces_that_lie_upon_each_other_in_a_circle_come_to_an_end(void **state)
{
	(void)state;
	text("a/speed", "10\n");
	text("a/lower_b/x", "");
	text("b/lower_a/x", "");
	assert_true(ask("a").nominal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_loopback_has_all_that_begins_with_127),
		cmocka_unit_test(nobodys_address_has_no_nic),
		cmocka_unit_test(the_nic_is_the_one_that_has_the_local_address),
		cmocka_unit_test(a_portal_of_this_host_is_reached_over_its_loopback),
		cmocka_unit_test_teardown(a_link_local_address_is_of_its_link, leave_host6),
		cmocka_unit_test(the_mtu_is_seen_to_change_at_once),
		cmocka_unit_test(hardware_tells_its_speed),
		cmocka_unit_test(what_the_driver_does_not_know_is_not_known),
		cmocka_unit_test(a_speed_without_hardware_below_is_a_name),
		cmocka_unit_test(what_lies_upon_hardware_has_a_speed),
		cmocka_unit_test(interfaces_that_lie_upon_each_other_in_a_circle_come_to_an_end),
	};

	return cmocka_run_group_tests(tests, make_net, free_net);
}
