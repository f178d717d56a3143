/* e2e-flips.c - the bench knobs on the live screen, in a namespace of its own with a cable to a real target:
 * a change, its mark, undo, the end; and lunscope restore after a kill.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "config.h"
#include "flip/flip.h"
#include "tests/e2e.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define MIB (1u << 20)

static struct net net;
static struct tgtd t;
static char home[600], url[512];

static int clean_up(void **state)
{
	e2e_free_all(state);
	tgtd_free(&t);
	net_leave(&net);
	net_free(&net);
	return 0;
}

static void need(void)
{
	const char *why = net_missing() ? net_missing() : tgtd_missing();

#ifndef HAVE_ISCSI
	why = "this build has no iSCSI backend";
#endif
	if (!why)
		return;
	print_message("%s\n", why);
	skip();
}

/* All that is started from here on is on the initiator's side. */
static void make_target(void)
{
	const struct tgtd_options o = {.net = &net, .portals = 1};
	struct tgtd_lun l = {.id = "00000000c0ffee05"};
	static int times;
	char name[32];

	need();
	assert_int_equal(net_make(&net, 1, 1500), 0);
	l.file = scratch_file("lun", 16 * MIB, true);
	assert_int_equal(tgtd_start(&t, &o), 0);
	assert_int_equal(tgtd_target(&t, "bench"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	snprintf(url, sizeof(url), "iscsi://%s:%d/%s/1", net_address(NET_TARGET, 1), t.port,
		 tgtd_iqn("bench"));
	snprintf(name, sizeof(name), "state-%d", times++);
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", scratch_path(name));
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
}

static struct vt *live_in(int rows, int cols, const char *ssh, const char *term, const char *locale)
{
	const char *env[] = {home, ssh ? ssh : "SSH_CONNECTION", NULL};
	const struct vt_options o = {
		.rows = rows, .cols = cols, .env = env, .term = term, .locale = locale};
	struct vt *v = LIVE(&o, url, "--rate", "300", "--workers", "1", "--outstanding", "2");

	ANSWER(v, shows_reads);
	return v;
}

static struct vt *live(int rows, int cols, const char *ssh)
{
	return live_in(rows, cols, ssh, NULL, NULL);
}

static void check_value(const char *words, const char *value)
{
	char now[FACT_VALUE] = "";
	struct error e = {""};

	if (flip_read(words, now, sizeof(now), &e))
		fail_msg("%s", e.text);
	assert_string_equal(now, value);
}

/* As an operator does: k, Enter, the value, Enter, and Enter again when the command stands there. */
static void set_mtu(struct vt *v, const char *mtu)
{
	char words[96];

	vt_type(v, "k");
	VT_TEXT(v, "NIC p1");
	VT_MATCH(v, VT_ANY, "mtu +[0-9]+");
	vt_key(v, "enter");
	VT_TEXT(v, "p1 mtu: 68 to 65535 bytes");
	vt_type(v, mtu);
	vt_key(v, "enter");
	snprintf(words, sizeof(words), "ip link set dev p1 mtu %s", mtu);
	VT_TEXT(v, words);
}

/* A key that puts back, and Enter when the command stands there. */
static void undo(struct vt *v, const char *key, const char *command)
{
	/* The lowest row of an earlier question goes last. */
	VT_GONE(v, "Enter put back");
	vt_type(v, key);
	VT_TEXT(v, command);
	VT_TEXT(v, "Enter put back");
	vt_key(v, "enter");
}

static void the_mtu_is_changed_marked_and_put_back_at_the_end(void **state)
{
	(void)state;
	make_target();
	struct vt *v = live(24, 80, NULL);
	set_mtu(v, "9000");
	vt_shot(v, "bench-confirm");
	check_value("p1 mtu", "1500");
	vt_key(v, "enter");
	VT_TEXT(v, "Done, as by: ip link set dev p1 mtu 9000");
	check_value("p1 mtu", "9000");
	VT_MATCH(v, VT_ANY, "mtu +\\* 9000   \\(was 1500\\)");
	vt_shot(v, "bench-changed");
	vt_key(v, "esc");
	EVENT(v, "p1 mtu 1500 > 9000");
	ANSWER(v, shows_reads);
	vt_type(v, "q");
	VT_TEXT(v, "[x] Settings of this host are put back");
	VT_TEXT(v, "p1 mtu 9000 > 1500");
	vt_shot(v, "bench-quit");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	VT_TEXT(v, "p1 mtu 9000 > 1500: ip link set dev p1 mtu 1500");
	assert_int_equal(vt_status(v), 0);
	check_value("p1 mtu", "1500");
	e2e_free(v);
}

static void changes_are_undone_one_by_one_and_all(void **state)
{
	(void)state;
	make_target();
	struct vt *v = live(43, 132, NULL);
	set_mtu(v, "9000");
	vt_key(v, "enter");
	VT_TEXT(v, "(was 1500)");
	vt_type(v, "u");
	VT_TEXT(v, "p1 mtu 9000 > 1500, as is done by");
	VT_TEXT(v, "ip link set dev p1 mtu 1500");
	vt_shot(v, "bench-undo");
	/* Esc: it is not. */
	vt_key(v, "esc");
	VT_GONE(v, "as is done by");
	check_value("p1 mtu", "9000");
	undo(v, "u", "ip link set dev p1 mtu 1500");
	VT_TEXT(v, "p1 mtu is undone.");
	VT_GONE(v, "(was 1500)");
	check_value("p1 mtu", "1500");
	vt_key(v, "end");
	VT_TEXT(v, "tcp_wmem");
	vt_key(v, "enter");
	VT_TEXT(v, "least, default and most, in bytes");
	vt_type(v, "4096 8192 1048576");
	vt_key(v, "enter");
	VT_TEXT(v, "sysctl -w net.ipv4.tcp_wmem='4096 8192 1048576'");
	vt_shot(v, "bench-sysctl");
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "\\* 4096 8192 1048576   \\(was ");
	check_value("net.ipv4.tcp_wmem", "4096 8192 1048576");
	/* Before it is undone, so that a mark is left of it. */
	vt_key(v, "esc");
	EVENT(v, "net.ipv4.tcp_wmem");
	vt_type(v, "k");
	VT_TEXT(v, "> mtu");
	vt_key(v, "home");
	vt_key(v, "enter");
	VT_TEXT(v, "p1 mtu: 68 to 65535 bytes");
	vt_type(v, "4000");
	vt_key(v, "enter");
	VT_TEXT(v, "ip link set dev p1 mtu 4000");
	vt_key(v, "enter");
	VT_TEXT(v, "(was 1500)");
	vt_type(v, "U");
	VT_TEXT(v, "All goes back to what it was, as is done by");
	VT_TEXT(v, "sysctl -w net.ipv4.tcp_wmem=");
	vt_shot(v, "bench-undo-all");
	vt_key(v, "esc");
	VT_GONE(v, "as is done by");
	check_value("p1 mtu", "4000");
	undo(v, "U", "ip link set dev p1 mtu 1500");
	VT_TEXT(v, "All is as it was before.");
	check_value("p1 mtu", "1500");
	/* Nothing is left to be asked about. */
	vt_key(v, "esc");
	VT_GONE(v, "Bench knobs");
	vt_type(v, "q");
	VT_TEXT(v, "Quit, keep the run");
	VT_GONE(v, "put back");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
}

static int restore(struct proc *p, const char *option)
{
	const char *env[] = {home, NULL};
	const struct proc_options o = {.env = env};
	const char *argv[] = {lunscope_path(), "restore", option, NULL};

	assert_int_equal(proc_run(p, argv, &o), 0);
	return p->status;
}

/* The list's row with the cursor; -1: there is none at the moment. */
static int chosen_row(struct vt *v)
{
	for (int row = 0; row < vt_rows(v); row++)
		if (strstr(vt_row(v, row), "│> ") || strstr(vt_row(v, row), "│ > "))
			return row;
	return -1;
}

static bool is_below(struct vt *v, void *arg)
{
	return chosen_row(v) > *(int *)arg;
}

/* Goes down to the row of that name, in a list that is shown whole. */
static void go_to(struct vt *v, const char *name)
{
	char chosen[96];
	int row, col;

	snprintf(chosen, sizeof(chosen), "> %s", name);
	while (!vt_find(v, chosen, &row, &col)) {
		row = chosen_row(v);
		vt_key(v, "down");
		VT_EXPECT(v, vt_wait(v, is_below, &row));
	}
}

static void offloads_and_queues_are_changed_likewise(void **state)
{
	char words[160], setting[40], before[FACT_VALUE] = "", other[16];
	struct error e = {""};

	(void)state;
	make_target();
	struct vt *v = live(43, 132, NULL);
	vt_type(v, "k");
	VT_TEXT(v, "NIC p1");
	VT_TEXT(v, "> mtu");
	go_to(v, "gso");
	vt_key(v, "enter");
	VT_TEXT(v, "p1 gso: Left and Right choose");
	vt_key(v, "enter");
	VT_TEXT(v, "p1 gso off > on, as is done by");
	VT_TEXT(v, "ethtool -K p1 gso on");
	vt_shot(v, "bench-offload");
	vt_key(v, "enter");
	VT_TEXT(v, "Done, as by: ethtool -K p1 gso on");
	check_value("p1 gso", "on");
	vt_key(v, "esc");
	EVENT(v, "p1 gso off > on");
	vt_type(v, "k");
	VT_TEXT(v, "> mtu");
	go_to(v, "gso");
	undo(v, "u", "ethtool -K p1 gso off");
	VT_TEXT(v, "p1 gso is undone.");
	check_value("p1 gso", "off");
	vt_key(v, "esc");
	e2e_quit(v);

	struct loopdev l;
	if (!e2e_loop(&l, 8 * MIB))
		skip();
	const char *env[] = {home, NULL};
	v = LIVE(&((struct vt_options){.rows = 43, .cols = 132, .env = env}), l.node, "--rate",
		 "300");
	ANSWER(v, shows_reads);
	snprintf(setting, sizeof(setting), "%s read_ahead_kb", l.name);
	assert_int_equal(flip_read(setting, before, sizeof(before), &e), 0);
	snprintf(other, sizeof(other), "%s", strcmp(before, "64") == 0 ? "256" : "64");
	vt_type(v, "k");
	VT_TEXT(v, "read_ahead_kb");
	VT_TEXT(v, "> ");
	go_to(v, "read_ahead_kb");
	vt_key(v, "enter");
	VT_TEXT(v, "read_ahead_kb: 0 KiB or more, a multiple of 4");
	vt_type(v, other);
	vt_key(v, "enter");
	snprintf(words, sizeof(words), "echo %s > /sys/block/%s/queue/read_ahead_kb", other,
		 l.name);
	VT_TEXT(v, words);
	vt_shot(v, "bench-queue");
	check_value(setting, before);
	vt_key(v, "enter");
	VT_TEXT(v, "Done, as by: echo");
	check_value(setting, other);
	vt_key(v, "esc");
	snprintf(words, sizeof(words), "%s %s > %s", setting, before, other);
	EVENT(v, words);
	/* A kill, and restore. */
	vt_signal(v, SIGKILL);
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
	check_value(setting, other);
	struct proc p;
	assert_int_equal(restore(&p, NULL), 0);
	proc_free(&p);
	check_value(setting, before);
	loopdev_free(&l);
}

static void what_can_not_be_is_said_in_the_list(void **state)
{
	(void)state;
	make_target();
	struct vt *v = live(24, 80, NULL);
	vt_type(v, "k");
	VT_MATCH(v, VT_ANY, "pause rx +\\(not supported\\)");
	/* mtu, link, speed, pause autoneg, pause rx */
	for (int i = 0; i < 4; i++)
		vt_key(v, "down");
	vt_key(v, "enter");
	VT_TEXT(v, "! p1 pause rx: (not supported)");
	vt_key(v, "home");
	vt_key(v, "enter");
	VT_TEXT(v, "68 to 65535 bytes");
	vt_type(v, "70000");
	vt_key(v, "enter");
	VT_TEXT(v, "! p1 mtu can't be 70000: it is 68 to 65535 bytes");
	vt_key(v, "esc");
	vt_key(v, "down");
	vt_key(v, "enter");
	VT_TEXT(v, "p1 link can only be read.");
	vt_shot(v, "bench-refused");
	vt_key(v, "esc");
	e2e_quit(v);
	check_value("p1 mtu", "1500");
}

static void a_console_and_a_plain_locale_show_the_same(void **state)
{
	(void)state;
	make_target();
	struct vt *v = live_in(24, 80, NULL, "linux", "C");
	set_mtu(v, "9000");
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "mtu +\\* 9000   \\(was 1500\\)");
	vt_shot(v, "bench-linux-c");
	undo(v, "u", "ip link set dev p1 mtu 1500");
	VT_TEXT(v, "p1 mtu is undone.");
	vt_key(v, "down");
	vt_type(v, "u");
	VT_TEXT(v, "p1 link was not changed here.");
	vt_key(v, "esc");
	e2e_quit(v);
	check_value("p1 mtu", "1500");
}

static void ones_own_ssh_session_is_not_cut_off_by_mistake(void **state)
{
	char ssh[96];

	(void)state;
	make_target();
	snprintf(ssh, sizeof(ssh), "SSH_CONNECTION=%s 50000 %s 22", net_address(NET_TARGET, 1),
		 net_address(NET_INITIATOR, 1));
	struct vt *v = live(24, 80, ssh);
	set_mtu(v, "9000");
	VT_TEXT(v, "! Your own ssh session comes by p1");
	vt_shot(v, "bench-ssh");
	vt_key(v, "enter");
	vt_settle(v, 0.3);
	VT_TEXT(v, "! Your own ssh session comes by p1");
	check_value("p1 mtu", "1500");
	vt_type(v, "y");
	VT_TEXT(v, "(was 1500)");
	check_value("p1 mtu", "9000");
	/* Nor does undoing it. */
	vt_type(v, "u");
	VT_TEXT(v, "! Your own ssh session comes by p1");
	vt_key(v, "enter");
	vt_settle(v, 0.3);
	VT_TEXT(v, "! Your own ssh session comes by p1");
	check_value("p1 mtu", "9000");
	vt_key(v, "esc");
	VT_GONE(v, "! Your own ssh session");
	vt_key(v, "esc");
	VT_GONE(v, "Bench knobs");
	vt_type(v, "q");
	VT_TEXT(v, "put back");
	/* r: they stay. */
	vt_type(v, "r");
	VT_TEXT(v, "[ ] Settings of this host stay changed");
	vt_shot(v, "bench-leave");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	VT_TEXT(v, "lunscope restore");
	check_value("p1 mtu", "9000");
	e2e_free(v);
}

/* --- Restore. --- */

/* Sessions know of an MTU from their login on: of A, and of what was before when it is stopped. */
static void in_turn_the_sessions_log_in_anew_and_once_more_at_the_end(void **state)
{
	(void)state;
	make_target();
	struct vt *v = live(43, 132, NULL);
	vt_type(v, "k");
	VT_MATCH(v, VT_ANY, "mtu +1500");
	vt_type(v, "A");
	VT_MATCH(v, VT_ANY, "Setting +p1 mtu");
	vt_key(v, "up");
	vt_type(v, "9000");
	vt_key(v, "down");
	vt_type(v, "4000");
	vt_key(v, "enter");
	VT_TEXT(v, "A   ip link set dev p1 mtu 9000");
	vt_key(v, "enter");
	VT_TEXT(v, "A, segment 1 of 8: measuring, ");
	check_value("p1 mtu", "9000");
	VT_MATCH(v, VT_ANY, "p1 .* 100 % +0 +1 ");
	vt_key(v, "esc");
	VT_TEXT(v, "Stopped: 0 of 4 pairs are complete.");
	check_value("p1 mtu", "1500");
	EVENT(v, "A against B is over");
	VT_MATCH(v, VT_ANY, "p1 .* 100 % +0 +2 ");
	ANSWER(v, shows_reads);
	vt_shot(v, "ab-iscsi-stopped");
	e2e_quit(v);
}

static void after_a_kill_the_next_one_says_so_and_restore_puts_back(void **state)
{
	struct proc p;

	(void)state;
	make_target();
	struct vt *v = live(24, 80, NULL);
	set_mtu(v, "9000");
	vt_key(v, "enter");
	VT_TEXT(v, "(was 1500)");
	/* While it lives, its changes are its own. */
	assert_int_equal(restore(&p, NULL), 1);
	assert_non_null(strstr(p.err, "another lunscope (pid "));
	proc_free(&p);
	check_value("p1 mtu", "9000");
	vt_signal(v, SIGKILL);
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
	check_value("p1 mtu", "9000");
	/* The next one tells, and changes nothing by itself. */
	v = live(43, 132, NULL);
	EVENT(v, "settings changed by an earlier lunscope (pid ");
	vt_shot(v, "bench-left");
	e2e_quit(v);
	check_value("p1 mtu", "9000");
	assert_int_equal(restore(&p, "--list"), 0);
	assert_non_null(strstr(p.out, "p1 mtu 1500 > 9000"));
	proc_free(&p);
	check_value("p1 mtu", "9000");
	assert_int_equal(restore(&p, NULL), 0);
	assert_non_null(strstr(p.out, "p1 mtu 9000 > 1500: ip link set dev p1 mtu 1500"));
	proc_free(&p);
	check_value("p1 mtu", "1500");
	assert_int_equal(restore(&p, NULL), 0);
	assert_non_null(strstr(p.out, "nothing"));
	proc_free(&p);
}

/* A home directory on a server: the other host's changes are not this one's to undo. */
static void another_hosts_changes_are_left_to_it(void **state)
{
	static const char text[] =
		"{\"step\":\"make\",\"id\":1,\"wall\":5,\"pid\":9,\"machine\":\"f00\",\"host\":"
		"\"stor7\",\"boot\":\"b9\",\"netns\":7,\"setting\":\"lo mtu\",\"from\":\"1500\","
		"\"to\":\"9000\"}\n";
	struct proc p;
	struct stat st;

	(void)state;
	mkdir(scratch_path("shared-state"), 0700);
	mkdir(scratch_path("shared-state/lunscope"), 0700);
	const char *path = scratch_text("shared-state/lunscope/flips.jsonl", text);
	if (geteuid() != 0) {
		print_message("settings are put back by root\n");
		skip();
	}
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", scratch_path("shared-state"));
	assert_int_equal(restore(&p, "--list"), 0);
	assert_non_null(strstr(p.out, "lo mtu 1500 > 9000  by pid 9 of host stor7: left to it"));
	proc_free(&p);
	assert_int_equal(restore(&p, "--force"), 0);
	assert_string_equal(p.out, "1 change of host stor7 is left to it\n");
	proc_free(&p);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, sizeof(text) - 1);
}

/* A journal of this boot, in a state folder of its own. Returns its path. */
static const char *make_journal(const char *folder, const char *before, unsigned long netns,
				const char *words)
{
	char name[96], boot[64] = "", text[512];

	if (geteuid() != 0) {
		print_message("settings are put back by root\n");
		skip();
	}
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	assert_non_null(f);
	assert_non_null(fgets(boot, sizeof(boot), f));
	fclose(f);
	boot[strcspn(boot, "\n")] = 0;
	snprintf(text, sizeof(text),
		 "%s{\"step\":\"make\",\"id\":1,\"wall\":5,\"pid\":9,\"boot\":\"%s\",\"netns\":%lu,"
		 "\"setting\":\"%s\",\"from\":\"1500\",\"to\":\"9000\"}\n",
		 before, boot, netns, words);
	mkdir(scratch_path(folder), 0700);
	snprintf(name, sizeof(name), "%s/lunscope", folder);
	mkdir(scratch_path(name), 0700);
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", scratch_path(folder));
	snprintf(name, sizeof(name), "%s/lunscope/flips.jsonl", folder);
	return scratch_text(name, *words ? text : before);
}

static void assert_empty(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 0);
}

static void restore_says(const char *option, int status, const char *words)
{
	struct proc p;

	assert_int_equal(restore(&p, option), status);
	if (!strstr(p.out, words) && !strstr(p.err, words))
		fail_msg("no '%s' in: %s%s", words, p.out, p.err);
	/* Never as if all were well. */
	if (status)
		assert_null(strstr(p.out, "changed nothing that is"));
	proc_free(&p);
}

static void what_can_not_be_read_may_be_in_force(void **state)
{
	(void)state;
	const char *path = make_journal("damaged", "ng\":\"lo mtu\",\"from\":\"1500\"}\n", 0, "");
	restore_says("--list", 1, "line 1 can't be understood");
	restore_says(NULL, 1, "nothing that can be read of");
	restore_says(NULL, 1, "may be in force");
	restore_says("--forget", 0, "what could not be read of the journal is struck off");
	assert_empty(path);
	restore_says(NULL, 0, "changed nothing that is still to be put back");
}

static void what_was_set_on_something_that_is_gone_can_be_struck_off(void **state)
{
	(void)state;
	/* No namespace has that number. */
	const char *path = make_journal("lost-netns", "", 1, "lo mtu");
	restore_says(NULL, 1, "lo mtu 1500 > 9000 was changed in a");
	restore_says("--force", 1, "lunscope restore --forget");
	restore_says("--forget", 0, "lo mtu 1500 > 9000 is struck off");
	assert_empty(path);

	struct stat own;
	assert_int_equal(stat("/proc/self/ns/net", &own), 0);
	path = make_journal("lost-nic", "", own.st_ino, "nosuchnic mtu");
	restore_says(NULL, 1, "What will not come back is struck off with --forget.");
	restore_says("--forget", 0, "nosuchnic mtu 1500 > 9000 is struck off");
	assert_empty(path);
}

static void a_namespace_that_lives_is_named(void **state)
{
	char words[128];
	struct stat other;
	struct proc p;

	(void)state;
	if (geteuid() != 0) {
		print_message("settings are put back by root\n");
		skip();
	}
	/* A process in a namespace of its own, which has no name. */
	const char *argv[] = {"unshare", "-n", "sleep", "600", NULL};
	assert_int_equal(proc_start(&p, argv, NULL), 0);
	struct stat own;
	snprintf(words, sizeof(words), "/proc/%d/ns/net", p.pid);
	assert_int_equal(stat("/proc/self/ns/net", &own), 0);
	for (double end = proc_now() + proc_patience();;) {
		if (stat(words, &other) == 0 && other.st_ino != own.st_ino)
			break;
		assert_true(proc_now() < end);
	}
	make_journal("living-netns", "", other.st_ino, "lo mtu");
	snprintf(words, sizeof(words), "nsenter -t %d -n lunscope restore", p.pid);
	restore_says(NULL, 1, words);
	/* It is not for somebody else to strike off. */
	restore_says("--forget", 1, words);
	restore_says("--list", 0, "lo mtu 1500 > 9000");
	kill(p.pid, SIGKILL);
	proc_wait(&p);
	proc_free(&p);
}

static void what_can_not_be_put_back_is_said_and_is_trouble(void **state)
{
	struct proc p;

	(void)state;
	need();
	assert_int_equal(net_make(&net, 1, 1500), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", scratch_path("gone-nic"));
	const char *env[] = {home, "SSH_CONNECTION", NULL};
	const struct vt_options o = {.rows = 43, .cols = 132, .env = env};
	struct vt *v = LIVE(&o, scratch_file("f.img", MIB, true), "--rate", "300", "--watch", "p1");
	ANSWER(v, shows_reads);
	set_mtu(v, "9000");
	vt_key(v, "enter");
	VT_TEXT(v, "(was 1500)");
	vt_key(v, "esc");
	/* There is no workload to undo. */
	vt_type(v, "u");
	VT_TEXT(v, "k: bench knobs undo theirs");
	PROC(&p, "ip", "link", "del", "p1");
	assert_int_equal(p.status, 0);
	proc_free(&p);
	vt_type(v, "k");
	VT_TEXT(v, "NIC p1 is gone; it was set to");
	VT_MATCH(v, VT_ANY, "mtu +\\* 9000   \\(was 1500\\)");
	vt_shot(v, "bench-gone");
	vt_key(v, "esc");
	vt_type(v, "q");
	VT_TEXT(v, "p1 mtu 9000 > 1500 (its NIC is gone: it can't be)");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	VT_TEXT(v, "ip link set dev p1 mtu 1500 would set it back");
	assert_int_equal(vt_status(v), 1);
	e2e_free(v);
}

static void a_signal_leaves_them_and_says_how_to_put_them_back(void **state)
{
	struct proc p;

	(void)state;
	make_target();
	struct vt *v = live(24, 80, NULL);
	set_mtu(v, "9000");
	vt_key(v, "enter");
	VT_TEXT(v, "(was 1500)");
	vt_signal(v, SIGTERM);
	VT_EXPECT(v, vt_wait_exit(v));
	VT_TEXT(v, "lunscope restore");
	check_value("p1 mtu", "9000");
	e2e_free(v);
	/* Somebody else's value is left alone. */
	assert_int_equal(net_mtu_end(&net, NET_INITIATOR, 1, 4000), 0);
	assert_int_equal(restore(&p, NULL), 1);
	assert_non_null(strstr(p.out, "! p1 mtu is 4000 now: somebody else"));
	proc_free(&p);
	check_value("p1 mtu", "4000");
	assert_int_equal(restore(&p, "--force"), 0);
	proc_free(&p);
	check_value("p1 mtu", "1500");
}

#define T(f) cmocka_unit_test_teardown(f, clean_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_mtu_is_changed_marked_and_put_back_at_the_end),
		T(changes_are_undone_one_by_one_and_all),
		T(offloads_and_queues_are_changed_likewise),
		T(what_can_not_be_is_said_in_the_list),
		T(a_console_and_a_plain_locale_show_the_same),
		T(ones_own_ssh_session_is_not_cut_off_by_mistake),
		T(in_turn_the_sessions_log_in_anew_and_once_more_at_the_end),
		T(after_a_kill_the_next_one_says_so_and_restore_puts_back),
		T(another_hosts_changes_are_left_to_it),
		T(what_can_not_be_read_may_be_in_force),
		T(what_was_set_on_something_that_is_gone_can_be_struck_off),
		T(a_namespace_that_lives_is_named),
		T(what_can_not_be_put_back_is_said_and_is_trouble),
		T(a_signal_leaves_them_and_says_how_to_put_them_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
