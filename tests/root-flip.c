/* root-flip.c - settings changed and put back for real, on a cable of its own: by whoever asks, after
 * somebody else has changed them too, and after a kill -9 between any two steps.
 */
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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "env/nic_settings.h"
#include "flip/flip_internal.h"
#include "loopdev.h"
#include "netns.h"
#include "scratch.h"

static struct net net;
static char journal[512];

static int make_net(void **state)
{
	(void)state;
	snprintf(journal, sizeof(journal), "%s", scratch_path("state/lunscope/flips.jsonl"));
	if (net_missing())
		return 0;
	return net_make(&net, 1, 1500) || net_enter(&net, NET_INITIATOR);
}

static int free_net(void **state)
{
	(void)state;
	if (!net_missing())
		net_leave(&net);
	net_free(&net);
	return 0;
}

static int fresh(void **state)
{
	(void)state;
	if (net_missing())
		return 0;
	unlink(journal);
	return nic_settings_write("p1 mtu", "1500", NULL) |
	       nic_settings_write("p1 gro", "on", NULL);
}

static void need_net(void)
{
	if (!net_missing())
		return;
	print_message("%s\n", net_missing());
	skip();
}

/* --- Helpers. --- */

static struct flips *get(void)
{
	struct flips *f;
	struct error e = {""};

	if (flips_open(&f, journal, &e))
		fail_msg("%s", e.text);
	return f;
}

static void make(struct flips *f, const char *words, const char *value)
{
	struct error e = {""};

	if (flips_make(f, words, value, &e))
		fail_msg("%s", e.text);
}

static void check_value(const char *words, const char *value)
{
	char now[FACT_VALUE] = "";
	struct error e = {""};

	if (flip_read(words, now, sizeof(now), &e))
		fail_msg("%s", e.text);
	assert_string_equal(now, value);
}

static unsigned count(struct flips *f)
{
	struct flip_entry out[32];

	return flips_list(f, out, 32);
}

static long long journal_bytes(void)
{
	struct stat st;

	return stat(journal, &st) ? -1 : (long long)st.st_size;
}

/* --- Made and undone. --- */

static void a_change_is_made_listed_and_undone(void **state)
{
	struct flip_entry n[4];
	struct error e = {""};
	struct stat st;

	(void)state;
	need_net();
	struct flips *f = get();
	make(f, "p1 mtu", "9000");
	check_value("p1 mtu", "9000");
	assert_int_equal(flips_list(f, n, 4), 1);
	assert_string_equal(n[0].words, "p1 mtu");
	assert_string_equal(n[0].from, "1500");
	assert_string_equal(n[0].to, "9000");
	assert_true(n[0].made && !n[0].stale);
	assert_int_equal(n[0].pid, getpid());
	assert_int_equal(stat(journal, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	if (flips_undo(f, n[0].id, false, &e))
		fail_msg("%s", e.text);
	check_value("p1 mtu", "1500");
	assert_int_equal(count(f), 0);
	assert_int_equal(flips_undo(f, n[0].id, false, &e), -ENOENT);
	flips_close(f);
	assert_int_equal(journal_bytes(), 0);
}

static void offloads_and_sysctls_are_changed_too(void **state)
{
	struct error e = {""};
	char before[FACT_VALUE];

	(void)state;
	need_net();
	struct flips *f = get();
	assert_int_equal(flip_read("net.ipv4.tcp_rmem", before, sizeof(before), &e), 0);
	make(f, "p1 gro", "off");
	make(f, "net.ipv4.tcp_rmem", "4096  65536 1048576 ");
	make(f, "net.ipv4.tcp_sack", "0");
	check_value("p1 gro", "off");
	check_value("net.ipv4.tcp_rmem", "4096 65536 1048576");
	check_value("net.ipv4.tcp_sack", "0");
	assert_int_equal(count(f), 3);
	assert_int_equal(flips_undo_all(f, false, NULL, NULL, &e), 0);
	check_value("p1 gro", "on");
	check_value("net.ipv4.tcp_rmem", before);
	check_value("net.ipv4.tcp_sack", "1");
	flips_close(f);
}

/* To and fro, as a comparison goes, leaves one entry or none. */
static void changes_of_one_setting_go_back_to_the_first(void **state)
{
	struct error e = {""};
	struct flip_entry n[4];

	(void)state;
	need_net();
	struct flips *f = get();
	make(f, "p1 mtu", "9000");
	make(f, "p1 mtu", "4000");
	make(f, "p1 mtu", "3000");
	assert_int_equal(flips_list(f, n, 4), 3);
	/* The second takes the third with it. */
	assert_int_equal(flips_undo(f, n[1].id, false, &e), 0);
	check_value("p1 mtu", "9000");
	make(f, "p1 mtu", "4000");
	assert_int_equal(flips_undo_all(f, false, NULL, NULL, &e), 0);
	check_value("p1 mtu", "1500");
	for (unsigned i = 0; i < 4; i++) {
		make(f, "p1 mtu", "9000");
		assert_int_equal(count(f), 1);
		make(f, "p1 mtu", "1500");
		assert_int_equal(count(f), 0);
		assert_int_equal(journal_bytes(), 0);
	}
	flips_close(f);
}

/* --- Refused. --- */

static void refuse(struct flips *f, const char *words, const char *value, int err, const char *why)
{
	struct error e = {""};

	assert_int_equal(flips_make(f, words, value, &e), -err);
	if (!strstr(e.text, why))
		fail_msg("'%s' does not say '%s'", e.text, why);
	assert_int_equal(count(f), 0);
	assert_int_equal(journal_bytes(), 0);
}

static void what_is_refused_changes_nothing_and_leaves_nothing_behind(void **state)
{
	(void)state;
	need_net();
	struct flips *f = get();
	refuse(f, "p1 pause rx", "off", EOPNOTSUPP, "not supported");
	refuse(f, "p1 mtu", "1500", EALREADY, "1500 already");
	refuse(f, "p1 mtu", "70000", EINVAL, "68 to 65535 bytes");
	refuse(f, "p9 mtu", "9000", ENODEV, "no NIC");
	refuse(f, "p1 lro", "on", EOPNOTSUPP, "fixed at off");
	refuse(f, "net.ipv4.tcp_congestion_control", "snail", EINVAL, "reno");
	refuse(f, "net.ipv4.tcp_rmem", "4096 1024 8192", EINVAL, "least, default and most");
	flips_close(f);
}

/* In a namespace of its own a process without privileges has none here. */
static void who_may_not_is_told_by_the_kernel(void **state)
{
	int status;

	(void)state;
	need_net();
	/* Not below the scratch folder, which is closed to others. */
	char own[] = "/tmp/lunscope-flip.XXXXXX", path[64];
	assert_non_null(mkdtemp(own));
	assert_int_equal(chown(own, 65534, 65534), 0);
	snprintf(path, sizeof(path), "%s/flips.jsonl", own);
	pid_t child = fork();
	if (child == 0) {
		struct error e = {""};
		struct flips *f;
		struct stat st;
		if (setgid(65534) || setuid(65534) || flips_open(&f, path, &e))
			_exit(2);
		bool good = flips_make(f, "p1 mtu", "9000", &e) == -EPERM &&
			    strstr(e.text, "root") &&
			    flips_make(f, "net.ipv4.tcp_sack", "0", &e) == -EACCES &&
			    strstr(e.text, "root") && stat(path, &st) == 0 && st.st_size == 0;
		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	unlink(path);
	rmdir(own);
	assert_int_equal(status, 0);
	check_value("p1 mtu", "1500");
}

/* --- Somebody else. --- */

static void what_somebody_else_has_set_since_is_left_alone(void **state)
{
	struct error e = {""};

	(void)state;
	need_net();
	struct flips *f = get();
	make(f, "p1 gro", "off");
	make(f, "p1 mtu", "9000");
	assert_int_equal(nic_settings_write("p1 mtu", "4000", &e), 0);
	/* The others are put back all the same. */
	assert_int_equal(flips_undo_all(f, false, NULL, NULL, &e), 1);
	assert_non_null(strstr(e.text, "p1 mtu is 4000 now: somebody else"));
	check_value("p1 mtu", "4000");
	check_value("p1 gro", "on");
	assert_int_equal(flips_undo_all(f, true, NULL, NULL, &e), 0);
	check_value("p1 mtu", "1500");
	flips_close(f);
}

static void a_change_on_top_of_somebody_elses_goes_back_to_theirs(void **state)
{
	struct error e = {""};

	(void)state;
	need_net();
	struct flips *f = get();
	make(f, "p1 mtu", "9000");
	assert_int_equal(nic_settings_write("p1 mtu", "4000", &e), 0);
	make(f, "p1 mtu", "3000");
	assert_int_equal(flips_undo_all(f, false, NULL, NULL, &e), 1);
	check_value("p1 mtu", "4000");
	flips_close(f);
}

static void what_somebody_else_has_put_back_is_struck_off(void **state)
{
	struct error e = {""};

	(void)state;
	need_net();
	struct flips *f = get();
	make(f, "p1 mtu", "9000");
	make(f, "p1 mtu", "4000");
	assert_int_equal(nic_settings_write("p1 mtu", "1500", &e), 0);
	assert_int_equal(flips_undo_all(f, false, NULL, NULL, &e), 0);
	check_value("p1 mtu", "1500");
	assert_int_equal(count(f), 0);
	flips_close(f);
}

/* --- Killed. --- */

struct death {
	enum flip_step at;
	unsigned times; /* of that step, counted down */
};

static void die(enum flip_step at, void *arg)
{
	struct death *d = arg;

	if (at == d->at && --d->times == 0)
		kill(getpid(), SIGKILL);
}

/* A process that changes, changes again, and undoes, until it dies; returns whether it did. */
static bool live_and_die(enum flip_step at, unsigned times)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		struct death d = {at, times};
		struct flips *f;
		struct flip_entry n[4];
		if (flips_open(&f, journal, NULL))
			_exit(1);
		f->journal.hook = (struct flip_hook){die, &d};
		if (flips_make(f, "p1 mtu", "9000", NULL) || flips_make(f, "p1 gro", "off", NULL) ||
		    flips_make(f, "p1 mtu", "4000", NULL) || flips_list(f, n, 4) != 3 ||
		    flips_undo(f, n[2].id, false, NULL) || flips_make(f, "p1 mtu", "3000", NULL) ||
		    flips_undo_all(f, false, NULL, NULL, NULL))
			_exit(2);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status)) {
		assert_int_equal(WEXITSTATUS(status), 0);
		return false;
	}
	assert_int_equal(WTERMSIG(status), SIGKILL);
	return true;
}

static void restore_all(void)
{
	struct error e = {""};
	struct flips *f = get();

	if (flips_undo_all(f, false, NULL, NULL, &e))
		fail_msg("%s", e.text);
	assert_int_equal(count(f), 0);
	flips_close(f);
	check_value("p1 mtu", "1500");
	check_value("p1 gro", "on");
}

static void a_kill_between_any_two_steps_loses_nothing(void **state)
{
	unsigned deaths = 0;

	need_net();
	for (enum flip_step at = 0; at < FLIP_STEPS; at++)
		for (unsigned times = 1;; times++) {
			fresh(state);
			bool died = live_and_die(at, times);
			restore_all();
			if (!died)
				break;
			deaths++;
		}
	/* Four changes of six steps, three times undone, emptied once. */
	print_message("killed %u times\n", deaths);
	assert_true(deaths >= 4 * 6 + 3 * 6 + 1);
}

/* Killed after the kernel has made something else of a value, before that was written down. */
static void what_the_kernel_rounded_before_a_kill_is_put_back(void **state)
{
	struct error e = {""};
	struct loopdev l;
	char words[40], from[FACT_VALUE], round[FACT_VALUE];
	uint64_t id;
	int status;

	(void)state;
	loopdev_need(&l, 1 << 20, 0);
	snprintf(words, sizeof(words), "%s read_ahead_kb", l.name);
	assert_int_equal(flip_read(words, from, sizeof(from), &e), 0);
	pid_t child = fork();
	if (child == 0) {
		struct flips *f;
		if (flips_open(&f, journal, NULL) == 0 &&
		    journal_make(&f->journal, words, from, "1030", &id, NULL) == 0 &&
		    flip_write(words, "1030", NULL) == 0)
			kill(getpid(), SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(flip_read(words, round, sizeof(round), &e), 0);
	assert_string_not_equal(round, "1030");
	assert_string_not_equal(round, from);
	/* Somebody else's value is left alone, and it is said what can be done. */
	assert_int_equal(flip_write(words, "512", &e), 0);
	struct flips *f = get();
	assert_int_equal(flips_undo_all(f, false, NULL, NULL, &e), 1);
	assert_non_null(strstr(e.text, "is 512 now, and was to be made 1030"));
	check_value(words, "512");
	/* Ours goes back. */
	assert_int_equal(flip_write(words, round, &e), 0);
	if (flips_undo_all(f, false, NULL, NULL, &e))
		fail_msg("%s", e.text);
	check_value(words, from);
	assert_int_equal(count(f), 0);
	flips_close(f);
	loopdev_free(&l);
}

static void write_value(const char *words, const char *value)
{
	struct error e = {""};

	if (flip_write(words, value, &e))
		fail_msg("%s", e.text);
}

/* Where the kernel changes read_ahead_kb or nr_requests with it, that goes back, too; but not what somebody else
 * has set in the meantime. */
static void what_the_kernel_changes_beside_goes_back_with_it(void **state)
{
	static const char *const what[] = {"max_sectors_kb", "write_cache", "scheduler"};
	static const char *const first[] = {"1024", "write back", "none"};
	static const char *const other[] = {"512", "write through", "mq-deadline"};
	char kept[4][FACT_VALUE] = {""};
	struct error e = {""};
	struct loopdev l;
	char ahead[40], words[40], from[FACT_VALUE], requests[40], depth[FACT_VALUE];
	unsigned moved = 0;

	(void)state;
	loopdev_need(&l, 1 << 20, 0);
	snprintf(ahead, sizeof(ahead), "%s read_ahead_kb", l.name);
	snprintf(requests, sizeof(requests), "%s nr_requests", l.name);
	assert_int_equal(flip_read(ahead, kept[3], sizeof(kept[3]), &e), 0);
	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++) {
		snprintf(words, sizeof(words), "%s %s", l.name, what[i]);
		assert_int_equal(flip_read(words, kept[i], sizeof(kept[i]), &e), 0);
		write_value(words, first[i]);
	}
	write_value(ahead, "256");
	assert_int_equal(flip_read(requests, depth, sizeof(depth), &e), 0);
	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++) {
		char now[FACT_VALUE], then[FACT_VALUE];
		snprintf(words, sizeof(words), "%s %s", l.name, what[i]);
		assert_int_equal(flip_read(words, from, sizeof(from), &e), 0);
		struct flips *f = get();
		if (flips_make(f, words, other[i], &e)) {
			print_message("%s\n", e.text);
			flips_close(f);
			continue;
		}
		flips_close(f);
		assert_int_equal(flip_read(ahead, now, sizeof(now), &e), 0);
		assert_int_equal(flip_read(requests, then, sizeof(then), &e), 0);
		moved += strcmp(now, "256") != 0 || strcmp(then, depth) != 0;
		f = get();
		if (flips_undo_all(f, false, NULL, NULL, &e))
			fail_msg("%s", e.text);
		assert_int_equal(count(f), 0);
		check_value(words, from);
		check_value(ahead, "256");
		check_value(requests, depth);
		/* Somebody else's. */
		make(f, words, other[i]);
		write_value(ahead, "64");
		assert_int_equal(flips_undo_all(f, false, NULL, NULL, &e), 0);
		check_value(words, from);
		check_value(ahead, "64");
		write_value(ahead, "256");
		flips_close(f);
	}
	print_message("%u of them changed another\n", moved);
	/* A loop device keeps its queue. */
	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++) {
		snprintf(words, sizeof(words), "%s %s", l.name, what[i]);
		write_value(words, kept[i]);
	}
	write_value(ahead, kept[3]);
	loopdev_free(&l);
}

/* After a power cut not even what was written needs to be there. */
static void a_journal_that_is_cut_off_anywhere_loses_nothing_that_was_synced(void **state)
{
	char whole[4096];

	need_net();
	for (unsigned times = 1; times <= 4; times++) {
		fresh(state);
		assert_true(live_and_die(FLIP_MAKE_WRITTEN, times));
		FILE *f = fopen(journal, "r");
		assert_non_null(f);
		size_t n = fread(whole, 1, sizeof(whole), f);
		fclose(f);
		assert_true(n > 0 && n < sizeof(whole));
		/* The last line is the one that was not synced: any part of it. */
		size_t last = n - 1;
		while (last > 0 && whole[last - 1] != '\n')
			last--;
		for (size_t cut = last; cut < n; cut += 7) {
			fresh(state);
			assert_true(live_and_die(FLIP_MAKE_WRITTEN, times));
			assert_int_equal(truncate(journal, (off_t)cut), 0);
			restore_all();
		}
	}
}

static void who_holds_the_journal_is_named(void **state)
{
	struct error e = {""};
	struct flips *f = NULL, *look;
	char left[160], pid[32];
	int ready[2], status;

	(void)state;
	need_net();
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (child == 0) {
		bool good = flips_open(&f, journal, NULL) == 0 &&
			    flips_make(f, "p1 mtu", "9000", NULL) == 0;
		if (write(ready[1], good ? "y" : "n", 1) == 1)
			pause();
		_exit(1);
	}
	char answer = 0;
	assert_int_equal(read(ready[0], &answer, 1), 1);
	assert_int_equal(answer, 'y');
	assert_int_equal(flips_open(&f, journal, &e), -EBUSY);
	snprintf(pid, sizeof(pid), "pid %d", child);
	assert_non_null(strstr(e.text, pid));
	assert_int_equal(flips_look(&look, journal, &e), 0);
	assert_int_equal(flips_holder(look), child);
	flips_close(look);
	/* As long as it lives nothing is left over. */
	assert_string_equal(flips_left_words(left, sizeof(left), journal), "");
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_non_null(strstr(flips_left_words(left, sizeof(left), journal), pid));
	restore_all();
	assert_string_equal(flips_left_words(left, sizeof(left), journal), "");
	close(ready[0]);
	close(ready[1]);
}

static void another_namespaces_nic_is_not_touched(void **state)
{
	struct flip_entry n[2];
	struct error e = {""};

	(void)state;
	need_net();
	struct flips *f = get();
	make(f, "p1 mtu", "9000");
	flips_close(f);
	int here = net_visit(&net, NET_TARGET);
	f = get();
	assert_int_equal(flips_list(f, n, 2), 1);
	assert_true(n[0].stale && !n[0].rebooted);
	assert_int_equal(flips_undo(f, n[0].id, true, &e), -ESTALE);
	assert_int_equal(flips_undo_all(f, true, NULL, NULL, &e), 0);
	assert_int_equal(count(f), 1);
	flips_close(f);
	check_value("p1 mtu", "1500");
	net_return(here);
	check_value("p1 mtu", "9000");
	restore_all();
}

#define T(f) cmocka_unit_test_setup(f, fresh)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_change_is_made_listed_and_undone),
		T(offloads_and_sysctls_are_changed_too),
		T(changes_of_one_setting_go_back_to_the_first),
		T(what_is_refused_changes_nothing_and_leaves_nothing_behind),
		T(who_may_not_is_told_by_the_kernel),
		T(what_somebody_else_has_set_since_is_left_alone),
		T(a_change_on_top_of_somebody_elses_goes_back_to_theirs),
		T(what_somebody_else_has_put_back_is_struck_off),
		T(a_kill_between_any_two_steps_loses_nothing),
		T(what_the_kernel_rounded_before_a_kill_is_put_back),
		T(what_the_kernel_changes_beside_goes_back_with_it),
		T(a_journal_that_is_cut_off_anywhere_loses_nothing_that_was_synced),
		T(who_holds_the_journal_is_named),
		T(another_namespaces_nic_is_not_touched),
	};
	return cmocka_run_group_tests(tests, make_net, free_net);
}
