/* unit-flip.c - the command for each setting, what values it can have, and what is made of a journal,
 * whatever stands in it. Nothing of this host is changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "flip/flip_internal.h"
#include "flip/ssh.h"
#include "scratch.h"

/* --- Which settings. --- */

static void what_can_be_changed_is_known_by_its_words(void **state)
{
	static const char *const can[] = {
		"eth2 mtu",
		"eth2 pause rx",
		"eth2 pause autoneg",
		"eth2 tso",
		"eth2 rx checksum",
		"eth2 ring tx",
		"eth2 coalesce rx-usecs",
		"net.core.rmem_max",
		"net.ipv4.tcp_rmem",
		"sda scheduler",
		"dm-3 read_ahead_kb",
		"cciss!c0d0 nr_requests",
	};
	static const char *const can_not[] = {
		"",
		"eth2",
		"eth2 link",
		"eth2 speed",
		"eth2 channels rx",
		"net.core.somaxconn",
		"kernel.panic",
		"sda rotational",
		"../../../etc scheduler",
		".. scheduler",
		". mtu",
		" mtu",
		"eth2  mtu",
		"eth2/../lo mtu",
		"eth2\n mtu",
		"net/core/rmem_max",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(can) / sizeof(*can); i++)
		if (!flip_possible(can[i]))
			fail_msg("'%s' can't be changed", can[i]);
	for (size_t i = 0; i < sizeof(can_not) / sizeof(*can_not); i++)
		if (flip_possible(can_not[i]))
			fail_msg("'%s' can be changed", can_not[i]);
}

static void the_command_is_what_an_administrator_would_type(void **state)
{
	static const char *const rows[][3] = {
		{"eth2 mtu", "9000", "ip link set dev eth2 mtu 9000"},
		{"eth2 pause rx", "off", "ethtool -A eth2 rx off"},
		{"eth2 pause autoneg", "on", "ethtool -A eth2 autoneg on"},
		{"eth2 tso", "off", "ethtool -K eth2 tso off"},
		{"eth2 tso", "IPv4 only",
		 "ethtool -K eth2 tx-tcp-segmentation on tx-tcp6-segmentation off"},
		{"eth2 rx checksum", "off", "ethtool -K eth2 rx off"},
		{"eth2 tx checksum", "on", "ethtool -K eth2 tx on"},
		{"eth2 ring rx", "4096", "ethtool -G eth2 rx 4096"},
		{"eth2 coalesce adaptive-rx", "off", "ethtool -C eth2 adaptive-rx off"},
		{"net.core.rmem_max", "4194304", "sysctl -w net.core.rmem_max=4194304"},
		{"net.ipv4.tcp_rmem", "4096 131072 6291456",
		 "sysctl -w net.ipv4.tcp_rmem='4096 131072 6291456'"},
		{"sda scheduler", "none", "echo none > /sys/block/sda/queue/scheduler"},
		{"sda write_cache", "write back",
		 "echo 'write back' > /sys/block/sda/queue/write_cache"},
		{"cciss!c0d0 nr_requests", "64",
		 "echo 64 > '/sys/block/cciss!c0d0/queue/nr_requests'"},
		{"a;b mtu", "1500", "ip link set dev 'a;b' mtu 1500"},
		/* From a journal it can be anything that can be printed. */
		{"eth2 mtu", "1500; rm -rf x", "ip link set dev eth2 mtu '1500; rm -rf x'"},
		{"eth2 tso", "$(x)", "ethtool -K eth2 tso '$(x)'"},
		{"eth2 ring rx", "1 2", "ethtool -G eth2 rx '1 2'"},
		{"a'b mtu", "1500", "ip link set dev 'a'\\''b' mtu 1500"},
	};
	char out[512];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(flip_command(out, sizeof(out), rows[i][0], rows[i][1]),
				    rows[i][2]);
}

static void value(const char *words, const char *typed, const char *tidy)
{
	char out[FACT_VALUE];
	struct error e = {""};

	if (flip_check(words, typed, out, &e))
		fail_msg("%s", e.text);
	assert_string_equal(out, tidy);
}

static void no_value(const char *words, const char *typed, const char *why)
{
	char out[FACT_VALUE];
	struct error e = {""};

	assert_int_equal(flip_check(words, typed, out, &e), -EINVAL);
	if (!strstr(e.text, why))
		fail_msg("'%s' does not say '%s'", e.text, why);
	assert_null(strchr(e.text, '\n'));
}

static void a_value_that_makes_no_sense_is_refused_in_one_line(void **state)
{
	(void)state;
	value("eth2 mtu", " 9000 ", "9000");
	value("eth2 mtu", "09000", "9000");
	no_value("eth2 mtu", "jumbo", "eth2 mtu can't be jumbo: it is");
	no_value("eth2 mtu", "-1", "bytes");
	no_value("eth2 mtu", "9000 9000", "bytes");
	no_value("eth2 mtu", "", "nothing");
	no_value("eth2 mtu", "99999999999999999999999", "bytes");
	/* The loopback's own limits, as its driver tells. */
	no_value("lo mtu", "4294967296", "bytes");
	value("eth2 tso", "off", "off");
	no_value("eth2 tso", "maybe", "on or off");
	no_value("eth2 pause rx", "1", "on or off");
	value("net.ipv4.tcp_rmem", "4096\t131072  6291456", "4096 131072 6291456");
	no_value("net.ipv4.tcp_rmem", "4096 131072", "least, default and most");
	no_value("net.ipv4.tcp_rmem", "131072 4096 6291456", "least, default and most");
	no_value("net.ipv4.tcp_sack", "2", "0 or 1");
	no_value("net.ipv4.tcp_congestion_control", "snail", "it is");
	no_value("sda nr_requests", "3", "4 or more");
	no_value("sda read_ahead_kb", "3", "a multiple of");
	no_value("sda write_cache", "on", "write back or write through");
	no_value("kernel.panic", "1", "no setting that lunscope can change");
}

/* --- The journal. --- */

static struct journal parse(const char *text)
{
	struct journal j = {.fd = -1, .next_id = 1, .boot = "b1", .netns = 7};

	assert_int_equal(journal_parse(&j, text, strlen(text)), 0);
	return j;
}

#define MAKE(id, words, from, to)                                                             \
	"{\"step\":\"make\",\"id\":" #id ",\"wall\":5,\"pid\":9,\"boot\":\"b1\",\"netns\":7," \
	"\"setting\":\"" words "\",\"from\":\"" from "\",\"to\":\"" to "\"}\n"
#define STEP(step, id) "{\"step\":\"" step "\",\"id\":" #id "}\n"
#define MADE(id, to)   "{\"step\":\"made\",\"id\":" #id ",\"to\":\"" to "\"}\n"

static void a_journal_tells_what_is_in_force(void **state)
{
	struct journal j =
		parse(MAKE(1, "eth2 mtu", "1500", "9000") MADE(1, "9000")
			      MAKE(2, "eth2 tso", "on", "off") MADE(2, "off") STEP("undo", 1)
				      MAKE(3, "sda scheduler", "none", "bfq") STEP("undone", 1));

	(void)state;
	assert_int_equal(j.count, 2);
	assert_string_equal(j.entry[0].words, "eth2 tso");
	assert_true(j.entry[0].made);
	assert_string_equal(j.entry[1].words, "sda scheduler");
	assert_false(j.entry[1].made);
	assert_int_equal(j.entry[1].pid, 9);
	assert_int_equal(j.next_id, 4);
	assert_int_equal(j.bad, 0);
	assert_string_equal(j.remark, "");
	journal_close(&j);
}

static void what_was_read_back_is_what_was_made(void **state)
{
	struct journal j = parse(MAKE(1, "eth2 ring rx", "256", "1000") MADE(1, "1024"));

	(void)state;
	assert_string_equal(j.entry[0].to, "1024");
	journal_close(&j);
}

static void a_line_that_is_cut_off_is_left_out_with_a_word(void **state)
{
	static const char text[] = MAKE(1, "eth2 mtu", "1500", "9000") MADE(1, "9000")
		MAKE(2, "eth2 tso", "on", "off");
	size_t whole = strlen(MAKE(1, "eth2 mtu", "1500", "9000") MADE(1, "9000"));

	(void)state;
	for (size_t cut = whole + 1; cut < strlen(text); cut++) {
		struct journal j = {.fd = -1, .next_id = 1, .boot = "b1", .netns = 7};
		assert_int_equal(journal_parse(&j, text, cut), 0);
		assert_int_equal(j.count, 1);
		assert_int_equal(j.end, whole);
		assert_int_equal(j.bad, 0);
		assert_non_null(strstr(j.remark, "cut off"));
		journal_close(&j);
	}
}

static void lines_that_lie_are_left_out(void **state)
{
	static const char *const lines[] = {
		"\n",
		"not json\n",
		"[1,2]\n",
		"{}\n",
		"{\"step\":5}\n",
		"{\"step\":\"explode\",\"id\":1}\n",
		"{\"step\":\"undone\",\"id\":77}\n",
		"{\"step\":\"undone\"}\n",
		"{\"step\":\"made\",\"id\":1}\n",
		MADE(1, ""),
		MADE(1, "9000\\n"),
		MAKE(1, "eth3 mtu", "1500", "9000"), /* that number is taken */
		MAKE(-3, "eth3 mtu", "1500", "9000"),
		MAKE(0, "eth3 mtu", "1500", "9000"),
		MAKE(99999999999999999999, "eth3 mtu", "1500", "9000"),
		MAKE(2, "../../etc/passwd scheduler", "a", "b"),
		MAKE(2, "kernel.core_pattern", "a", "|b"),
		MAKE(2, "eth3 mtu", "", "9000"),
		MAKE(2, "eth3 mtu", "15\\u001b[2J", "9000"),
		MAKE(2, "eth3 mtu", "1500\\u0000", "9000"),
		"{\"step\":\"make\",\"id\":2,\"setting\":\"eth3 "
		"mtu\",\"from\":\"1\",\"to\":\"2\"}\n",
		"{\"step\":\"make\",\"step\":\"undone\",\"id\":1}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		char text[4096];
		snprintf(text, sizeof(text), "%s%s%s", MAKE(1, "eth2 mtu", "1500", "9000"),
			 lines[i], MAKE(5, "eth2 tso", "on", "off"));
		struct journal j = parse(text);
		if (j.count != 2 || j.bad != 1)
			fail_msg("%zu entries, %u bad: %s", j.count, j.bad, lines[i]);
		assert_string_equal(j.entry[0].to, "9000");
		assert_string_equal(j.entry[1].words, "eth2 tso");
		assert_non_null(strstr(j.remark, "line 2"));
		journal_close(&j);
	}
}

static void noise_is_survived(void **state)
{
	char noise[4096];
	unsigned long seed = 12345;

	(void)state;
	for (int round = 0; round < 200; round++) {
		snprintf(noise, sizeof(noise), "%s%s%s", MAKE(1, "eth2 mtu", "1500", "9000"),
			 MADE(1, "9000"), STEP("undone", 1));
		size_t n = strlen(noise);
		for (int k = 0; k < 3; k++) {
			seed = seed * 6364136223846793005ul + 1442695040888963407ul;
			noise[(seed >> 33) % n] = (char)(seed >> 56);
		}
		struct journal j = {.fd = -1, .next_id = 1, .boot = "b1", .netns = 7};
		assert_int_equal(journal_parse(&j, noise, n), 0);
		assert_true(j.count <= 1);
		journal_close(&j);
	}
}

static void another_boot_or_namespace_is_stale(void **state)
{
	struct journal j = parse(
		"{\"step\":\"make\",\"id\":1,\"wall\":5,\"pid\":9,\"boot\":\"b0\",\"netns\":7,"
		"\"setting\":\"eth2 mtu\",\"from\":\"1500\",\"to\":\"9000\"}\n"
		"{\"step\":\"make\",\"id\":2,\"wall\":5,\"pid\":9,\"boot\":\"b1\",\"netns\":8,"
		"\"setting\":\"eth2 mtu\",\"from\":\"1500\",\"to\":\"9000\"}\n"
		"{\"step\":\"make\",\"id\":3,\"wall\":5,\"pid\":9,\"boot\":\"b1\",\"netns\":8,"
		"\"setting\":\"sda scheduler\",\"from\":\"none\",\"to\":\"bfq\"}\n");

	(void)state;
	assert_int_equal(j.count, 3);
	assert_true(j.entry[0].stale && j.entry[0].rebooted);
	assert_true(j.entry[1].stale && !j.entry[1].rebooted);
	assert_false(j.entry[2].stale); /* a queue is the host's */
	journal_close(&j);
}

/* A container may keep /proc/sys, or all of /proc, from lunscope. */
static void what_was_written_without_proc_is_not_dropped(void **state)
{
	struct journal j =
		parse("{\"step\":\"make\",\"id\":1,\"wall\":5,\"pid\":9,\"boot\":\"\",\"netns\":7,"
		      "\"setting\":\"eth2 mtu\",\"from\":\"1500\",\"to\":\"9000\"}\n"
		      "{\"step\":\"make\",\"id\":2,\"wall\":5,\"pid\":9,\"boot\":\"\",\"netns\":0,"
		      "\"setting\":\"eth2 mtu\",\"from\":\"1500\",\"to\":\"9000\"}\n");

	(void)state;
	assert_int_equal(j.count, 2);
	assert_int_equal(j.bad, 0);
	assert_false(j.entry[0].rebooted || j.entry[0].stale);
	/* Of which namespace it is nobody knows. */
	assert_true(j.entry[1].stale && !j.entry[1].rebooted);
	journal_close(&j);
}

#define OF(id, machine, boot, cookie, words)                                                  \
	"{\"step\":\"make\",\"id\":" #id ",\"wall\":5,\"pid\":9,\"machine\":\"" machine "\"," \
	"\"host\":\"host-" machine "\",\"boot\":\"" boot                                      \
	"\",\"netns\":7,\"netns_cookie\":" #cookie ",\"setting\":\"" words                    \
	"\",\"from\":\"1500\",\"to\":\"9000\"}\n"

static void another_hosts_entry_is_left_to_it(void **state)
{
	static const char text[] = OF(1, "m1", "b0", 4, "eth2 mtu") OF(2, "m2", "b9", 4, "eth2 mtu")
		OF(3, "m1", "b1", 4, "eth2 mtu") OF(4, "m2", "b1", 4, "eth2 mtu");
	struct journal j = {.fd = -1, .next_id = 1, .boot = "b1", .netns = 7, .machine = "m1"};

	(void)state;
	assert_int_equal(journal_parse(&j, text, strlen(text)), 0);
	assert_int_equal(j.count, 4);
	assert_true(j.entry[0].stale && j.entry[0].rebooted && !j.entry[0].elsewhere);
	assert_true(j.entry[1].stale && !j.entry[1].rebooted && j.entry[1].elsewhere);
	assert_string_equal(j.entry[1].host, "host-m2");
	assert_false(j.entry[2].stale);
	/* A container may call itself another machine: of this boot is of this kernel. */
	assert_false(j.entry[3].stale);
	journal_close(&j);
}

static void a_namespace_that_got_anothers_inode_is_another(void **state)
{
	static const char text[] = OF(1, "m1", "b1", 4, "eth2 mtu") OF(2, "m1", "b1", 5, "eth2 tso")
		OF(3, "m1", "b1", 5, "sda scheduler") MAKE(4, "eth2 gro", "on", "off");
	struct journal j = {
		.fd = -1, .next_id = 1, .boot = "b1", .netns = 7, .cookie = 4, .machine = "m1"};

	(void)state;
	assert_int_equal(journal_parse(&j, text, strlen(text)), 0);
	assert_false(j.entry[0].stale);
	assert_true(j.entry[1].stale && !j.entry[1].rebooted && !j.entry[1].elsewhere);
	assert_false(j.entry[2].stale);
	assert_false(j.entry[3].stale); /* it tells no cookie */
	journal_close(&j);
}

static void more_changes_than_a_screen_has_are_all_there(void **state)
{
	static char text[64 << 10];
	size_t n = 0;
	struct flip_entry newest;
	struct flips f = {.journal = {.fd = -1, .next_id = 1, .boot = "b1", .netns = 7}};

	(void)state;
	for (int i = 1; i <= 100; i++)
		n += (size_t)snprintf(
			text + n, sizeof(text) - n,
			"{\"step\":\"make\",\"id\":%d,\"wall\":5,\"pid\":9,\"boot\":\"%s\","
			"\"netns\":7,\"setting\":\"eth2 mtu\",\"from\":\"%d\",\"to\":\"%d\"}\n",
			i, i < 80 ? "b0" : "b1", 1499 + i, 1500 + i);
	assert_int_equal(journal_parse(&f.journal, text, n), 0);
	assert_int_equal(flips_count(&f), 100);
	assert_true(flips_newest(&f, "eth2 mtu", &newest));
	assert_int_equal(newest.id, 100);
	assert_true(flips_any(&f, &newest));
	assert_int_equal(newest.id, 80);
	assert_false(flips_newest(&f, "eth2 tso", &newest));
	journal_close(&f.journal);
}

/* --- What the kernel makes of a value. --- */

static void only_what_can_come_of_a_value_is_taken_for_it(void **state)
{
	static const struct {
		const char *words, *asked, *now;
		bool can;
	} rows[] = {
		{"eth2 ring rx", "1000", "1000", true},
		{"eth2 ring rx", "1000", "1024", true},
		{"eth2 ring rx", "1001", "1008", true},
		{"eth2 ring rx", "1000", "2048", false},
		{"eth2 ring rx", "1000", "512", false},
		{"eth2 ring rx", "1000", "off", false},
		{"eth2 ring rx", "512", "1024", false},
		{"eth2 coalesce rx-usecs", "33", "32", true},
		{"eth2 coalesce rx-usecs", "33", "34", true},
		{"eth2 coalesce rx-usecs", "33", "0", false},
		{"eth2 coalesce rx-usecs", "33", "50", false},
		{"eth2 coalesce adaptive-rx", "on", "off", false},
		{"eth2 mtu", "9000", "9008", false},
		{"eth2 mtu", "9000", "9000", true},
		{"sda max_sectors_kb", "1023", "1020", true},
		{"sda max_sectors_kb", "1023", "1024", false},
		{"sda nr_requests", "100", "128", false},
		{"sda scheduler", "none", "bfq", false},
		{"net.core.rmem_max", "1000", "1024", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (flip_rounded(rows[i].words, rows[i].asked, rows[i].now) != rows[i].can)
			fail_msg("%s %s: %s", rows[i].words, rows[i].asked, rows[i].now);
}

/* --- A driver that takes its time. --- */

/* A NIC with a clock of its own: the link drops and comes back, and what was asked for is told from then on. */
struct nic_in_time {
	uint64_t now_ns;
	uint64_t drops_ns, back_ns, follows_ns;
	enum flip_link without;
};

static int nic_read(void *arg, char *now, size_t n, struct error *e)
{
	const struct nic_in_time *t = arg;

	(void)e;
	snprintf(now, n, "%s", t->now_ns >= t->follows_ns ? "off" : "on");
	return 0;
}

static enum flip_link nic_link(void *arg)
{
	const struct nic_in_time *t = arg;

	return t->now_ns >= t->drops_ns && t->now_ns < t->back_ns ? t->without : FLIP_LINK_UP;
}

static uint64_t nic_clock(void *arg)
{
	return ((const struct nic_in_time *)arg)->now_ns;
}

static void nic_pause(void *arg, uint64_t ns)
{
	((struct nic_in_time *)arg)->now_ns += ns;
}

#define S     UINT64_C(1000000000)
#define NEVER UINT64_MAX

static int follow(struct nic_in_time t, char now[8], double *seconds)
{
	const struct flip_eye eye = {nic_read, nic_link, nic_clock, nic_pause, &t};
	uint64_t start = t.now_ns = 100 * S;
	int rc;

	t.drops_ns += t.drops_ns == NEVER ? 0 : start;
	t.back_ns += t.back_ns == NEVER ? 0 : start;
	t.follows_ns += t.follows_ns == NEVER ? 0 : start;
	rc = flip_follow_by(&eye, "off", now, 8, NULL);
	*seconds = (double)(t.now_ns - start) / 1e9;
	return rc;
}

static void a_driver_is_judged_only_with_its_link_up(void **state)
{
	char now[8];
	double s;

	(void)state;
	/* At once. */
	assert_int_equal(follow((struct nic_in_time){0, NEVER, NEVER, 0, FLIP_LINK_DOWN}, now, &s),
			 0);
	assert_string_equal(now, "off");
	assert_true(s == 0);
	/* ixgbe: the link goes, and with it back the new value is told. */
	assert_int_equal(follow((struct nic_in_time){0, 0, 5 * S, 5 * S, FLIP_LINK_DOWN}, now, &s),
			 0);
	assert_string_equal(now, "off");
	assert_true(s >= 5 && s < 6);
	/* The link goes only after the answer, and the driver tells a second after it is back. */
	assert_int_equal(follow((struct nic_in_time){0, S, 4 * S, 5 * S, FLIP_LINK_DOWN}, now, &s),
			 0);
	assert_string_equal(now, "off");
	/* It does not follow, with the link up all the time, or back again. */
	assert_int_equal(
		follow((struct nic_in_time){0, NEVER, NEVER, NEVER, FLIP_LINK_DOWN}, now, &s), 0);
	assert_string_equal(now, "on");
	assert_true(s >= 2 && s < 3);
	assert_int_equal(follow((struct nic_in_time){0, 0, 5 * S, NEVER, FLIP_LINK_DOWN}, now, &s),
			 0);
	assert_string_equal(now, "on");
	assert_true(s >= 7 && s < 8);
	/* The link stays away: nothing can be said. */
	assert_int_equal(follow((struct nic_in_time){0, 0, NEVER, NEVER, FLIP_LINK_DOWN}, now, &s),
			 -EINPROGRESS);
	assert_true(s >= 10 && s < 11);
	/* It is switched off, so nobody needs to wait for it. */
	assert_int_equal(follow((struct nic_in_time){0, 0, NEVER, NEVER, FLIP_LINK_OFF}, now, &s),
			 -EINPROGRESS);
	assert_true(s == 0);
	/* What has nothing to do with links is not waited for, either. */
	assert_int_equal(follow((struct nic_in_time){0, 0, NEVER, NEVER, FLIP_LINK_NONE}, now, &s),
			 0);
	assert_string_equal(now, "on");
	assert_true(s == 0);
	assert_true(flip_needs_link("eth2 pause rx"));
	assert_false(flip_needs_link("eth2 mtu"));
	assert_false(flip_needs_link("net.core.rmem_max"));
}

/* --- The file. --- */

static void the_lock_is_found_by_device_and_inode(void **state)
{
	static const char line[] = "7: FLOCK  ADVISORY  WRITE 812 fe:01:4711 0 EOF\n";

	(void)state;
	assert_int_equal(journal_lock_line(line, 0xfe, 1, 4711), 812);
	assert_int_equal(journal_lock_line(line, 0xfe, 2, 4711), 0);
	assert_int_equal(journal_lock_line(line, 8, 1, 4711), 0);
	assert_int_equal(journal_lock_line(line, 0xfe, 1, 4712), 0);
	assert_int_equal(
		journal_lock_line("7: FLOCK  ADVISORY  WRITE 0 fe:01:4711 0 EOF\n", 0xfe, 1, 4711),
		-1);
	assert_int_equal(journal_lock_line("7: POSIX  ADVISORY  WRITE 812 fe:01:4711 0 EOF\n", 0xfe,
					   1, 4711),
			 0);
	assert_int_equal(journal_lock_line("7: -> FLOCK  ADVISORY  WRITE 812 fe:01:4711 0 EOF\n",
					   0xfe, 1, 4711),
			 0);
}

/* A home directory on a server: neither empties nor undoes the other's. */
static void the_file_is_not_emptied_of_another_hosts_entries(void **state)
{
	static const char text[] =
		OF(1, "elsewhere", "b9", 4, "lo mtu") OF(2, "elsewhere", "b9", 4, "sda scheduler");
	const char *path = scratch_text("shared.jsonl", text);
	struct flip_entry n[3];
	struct error e = {""};
	struct flips *f;
	struct stat st;

	(void)state;
	if (flips_open(&f, path, &e))
		fail_msg("%s", e.text);
	assert_int_equal(flips_list(f, n, 3), 2);
	assert_true(n[0].elsewhere && n[1].elsewhere);
	assert_int_equal(flips_undo(f, 1, true, &e), -ESTALE);
	assert_non_null(strstr(e.text, "host host-elsewhere"));
	assert_int_equal(flips_undo_all(f, true, NULL, NULL, &e), 0);
	assert_int_equal(flips_count(f), 2);
	flips_close(f);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, sizeof(text) - 1);
}

static void what_a_boot_has_undone_is_swept_away(void **state)
{
	const char *path = scratch_text(
		"old.jsonl",
		"{\"step\":\"make\",\"id\":1,\"wall\":5,\"pid\":9,\"boot\":\"b0\",\"netns\":7,"
		"\"setting\":\"eth2 mtu\",\"from\":\"1500\",\"to\":\"9000\"}\n");
	struct error e = {""};
	struct flips *f;
	struct stat st;

	(void)state;
	assert_int_equal(flips_look(&f, path, &e), 0);
	assert_int_equal(flips_list(f, (struct flip_entry[2]){{0}}, 2), 1);
	flips_close(f);
	if (flips_open(&f, path, &e))
		fail_msg("%s", e.text);
	assert_int_equal(flips_list(f, (struct flip_entry[2]){{0}}, 2), 0);
	flips_close(f);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 0);
}

static void a_journal_that_others_can_write_is_not_believed(void **state)
{
	const char *path = scratch_text("open.jsonl", MAKE(1, "eth2 mtu", "1500", "9000"));
	struct error e = {""};
	struct flips *f;

	(void)state;
	assert_int_equal(chmod(path, 0622), 0);
	assert_int_equal(flips_open(&f, path, &e), -EPERM);
	assert_non_null(strstr(e.text, path));
	assert_int_equal(flips_look(&f, path, &e), -EPERM);
	const char *other = scratch_path("link.jsonl");
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(symlink(path, other), 0);
	assert_int_equal(flips_open(&f, other, &e), -ELOOP);
	assert_int_equal(flips_open(&f, scratch_dir(), &e), -EISDIR);
}

static void another_users_journal_is_said_to_be_theirs(void **state)
{
	const char *path = scratch_text("theirs.jsonl", MAKE(1, "eth2 mtu", "1500", "9000"));
	struct error e = {""};
	struct flips *f;

	(void)state;
	if (geteuid() != 0) {
		print_message("root alone can give a file away\n");
		skip();
	}
	assert_int_equal(chown(path, 4321, 4321), 0);
	assert_int_equal(flips_look(&f, path, &e), -EPERM);
	assert_non_null(strstr(e.text, "user 4321 has written it"));
	/* Where that user can look at it, too. */
	char folder[] = "/tmp/journal.XXXXXX", own[64];
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0755), 0);
	snprintf(own, sizeof(own), "%s/flips.jsonl", folder);
	FILE *file = fopen(own, "we");
	assert_non_null(file);
	assert_int_equal(fchmod(fileno(file), 0600), 0);
	fclose(file);
	assert_int_equal(seteuid(4321), 0);
	int rc = flips_look(&f, own, &e);
	assert_int_equal(seteuid(0), 0);
	unlink(own);
	rmdir(folder);
	assert_int_equal(rc, -EPERM);
	assert_non_null(strstr(e.text, "it is root's: sudo lunscope restore"));
}

static void a_look_makes_nothing(void **state)
{
	const char *path = scratch_path("none/flips.jsonl");
	struct error e = {""};
	char words[160];
	struct flips *f;

	(void)state;
	assert_int_equal(flips_look(&f, path, &e), 0);
	assert_int_equal(flips_list(f, (struct flip_entry[1]){{0}}, 1), 0);
	assert_int_equal(flips_holder(f), 0);
	flips_close(f);
	assert_string_equal(flips_left_words(words, sizeof(words), path), "");
	assert_int_equal(access(path, F_OK), -1);
}

static void one_at_a_time_holds_the_journal(void **state)
{
	const char *path = scratch_path("held/flips.jsonl");
	struct error e = {""};
	struct flips *a, *b, *look;
	char pid[32];
	struct stat st;

	(void)state;
	assert_int_equal(flips_open(&a, path, &e), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(flips_open(&b, path, &e), -EBUSY);
	snprintf(pid, sizeof(pid), "pid %d", getpid());
	assert_non_null(strstr(e.text, pid));
	assert_int_equal(flips_look(&look, path, &e), 0);
	assert_int_equal(flips_holder(look), getpid());
	flips_close(look);
	flips_close(a);
	assert_int_equal(flips_open(&b, path, &e), 0);
	flips_close(b);
}

/* --- The branch that one sits on. --- */

static void the_nic_of_an_ssh_session_is_found(void **state)
{
	char nic[16], own[256];

	(void)state;
	ssh_nic_of("127.0.0.1 50000 127.0.0.1 22", nic);
	assert_string_equal(nic, "lo");
	ssh_nic_of("192.0.2.7 50000 192.0.2.1 22", nic);
	assert_string_equal(nic, "");
	ssh_nic_of("", nic);
	assert_string_equal(nic, "");
	ssh_nic_of("nonsense here", nic);
	assert_string_equal(nic, "");
	assert_true(ssh_is_over("lo", "lo"));
	assert_false(ssh_is_over("", "lo"));
	assert_false(ssh_is_over("lo", "nosuch0"));
	setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22", 1);
	assert_true(ssh_connection(own, sizeof(own)));
	assert_string_equal(own, "10.0.0.1 1 10.0.0.2 22");
	unsetenv("SSH_CONNECTION");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_can_be_changed_is_known_by_its_words),
		cmocka_unit_test(the_command_is_what_an_administrator_would_type),
		cmocka_unit_test(a_value_that_makes_no_sense_is_refused_in_one_line),
		cmocka_unit_test(a_journal_tells_what_is_in_force),
		cmocka_unit_test(what_was_read_back_is_what_was_made),
		cmocka_unit_test(a_line_that_is_cut_off_is_left_out_with_a_word),
		cmocka_unit_test(lines_that_lie_are_left_out),
		cmocka_unit_test(noise_is_survived),
		cmocka_unit_test(another_boot_or_namespace_is_stale),
		cmocka_unit_test(what_was_written_without_proc_is_not_dropped),
		cmocka_unit_test(another_hosts_entry_is_left_to_it),
		cmocka_unit_test(a_namespace_that_got_anothers_inode_is_another),
		cmocka_unit_test(more_changes_than_a_screen_has_are_all_there),
		cmocka_unit_test(only_what_can_come_of_a_value_is_taken_for_it),
		cmocka_unit_test(a_driver_is_judged_only_with_its_link_up),
		cmocka_unit_test(the_lock_is_found_by_device_and_inode),
		cmocka_unit_test(the_file_is_not_emptied_of_another_hosts_entries),
		cmocka_unit_test(what_a_boot_has_undone_is_swept_away),
		cmocka_unit_test(a_journal_that_others_can_write_is_not_believed),
		cmocka_unit_test(another_users_journal_is_said_to_be_theirs),
		cmocka_unit_test(a_look_makes_nothing),
		cmocka_unit_test(one_at_a_time_holds_the_journal),
		cmocka_unit_test(the_nic_of_an_ssh_session_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
