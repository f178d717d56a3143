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

/* --- The file. --- */

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
		cmocka_unit_test(what_a_boot_has_undone_is_swept_away),
		cmocka_unit_test(a_journal_that_others_can_write_is_not_believed),
		cmocka_unit_test(a_look_makes_nothing),
		cmocka_unit_test(one_at_a_time_holds_the_journal),
		cmocka_unit_test(the_nic_of_an_ssh_session_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
