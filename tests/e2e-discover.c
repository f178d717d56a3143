/* e2e-discover.c - from the target picker through an iSCSI portal to a LUN on the live screen, with the
 * login that CHAP wants, and portals that say nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define MIB (1u << 20)

static struct tgtd t;
static char portal[2][64];
static int silent = -1;

/* --- Around the tests. --- */

static void add_lun(int tid, int lun, uint64_t size, const char *id)
{
	char file[512];
	struct tgtd_lun l = {.file = file, .id = id, .serial = "SER1"};
	snprintf(file, sizeof(file), "%s", scratch_file(id, size, true));
	assert_int_equal(tgtd_lun(&t, tid, lun, &l), 0);
}

/* Target "disks" with LUNs 1 and 2, and the null store as LUN 3, behind two portals. */
static void start(void)
{
	struct tgtd_options o = {.portals = 2};
	struct tgtd_lun null = {.file = NULL};
	if (tgtd_missing()) {
		print_message("%s\n", tgtd_missing());
		skip();
	}
	assert_int_equal(tgtd_start(&t, &o), 0);
	assert_int_equal(tgtd_target(&t, "disks"), 1);
	add_lun(1, 1, 16 * MIB, "00000000c0ffee11");
	add_lun(1, 2, 48 * MIB, "00000000c0ffee12");
	assert_int_equal(tgtd_lun(&t, 1, 3, &null), 0);
	for (unsigned i = 0; i < 2; i++)
		snprintf(portal[i], sizeof(portal[i]), "%s:%d", tgtd_address(&t, i + 1), t.port);
}

static int clean_up(void **state)
{
	e2e_free_all(state);
	tgtd_free(&t);
	if (silent >= 0)
		close(silent);
	silent = -1;
	return 0;
}

/* The kernel takes connections there, and nobody ever says a word. */
static void start_silent(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof(a);
	silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(silent, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(silent, 16), 0);
	assert_int_equal(getsockname(silent, (struct sockaddr *)&a, &n), 0);
	snprintf(portal[0], sizeof(portal[0]), "127.0.0.1:%d", ntohs(a.sin_port));
}

static struct vt *open_entry(struct vt *v)
{
	VT_TEXT(v, "Enter starts reading");
	vt_type(v, "i");
	VT_TEXT(v, "Target: iSCSI portal");
	return v;
}

/* The field of the open entry has these words, and no others. */
static void in_field(struct vt *v, const char *words)
{
	char ere[200];
	snprintf(ere, sizeof(ere), "│ %s +│", words);
	VT_MATCH(v, VT_ANY, ere);
}

/* --- Without CHAP. --- */

static void a_lun_is_found_behind_its_portal_and_read(void **state)
{
	(void)state;
	start();
	struct vt *v = open_entry(LIVE(NULL, "--rate", "500", "--no-store"));
	vt_type(v, portal[0]);
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "iqn.*:disks +at 127\\.0\\.0\\.1:");
	VT_MATCH(v, VT_ANY, "> +LUN 1 +16 MiB .*VIRTUAL-DISK");
	VT_MATCH(v, VT_ANY, "LUN 2 +48 MiB");
	VT_MATCH(v, VT_ANY, "LUN 3 +1 TiB");
	VT_TEXT(v, "naa.");
	vt_shot(v, "discover-list");
	vt_key(v, "down");
	VT_MATCH(v, VT_ANY, "> +LUN 2");
	vt_key(v, "enter");
	VT_ROW(v, ROW_HEADER, "disks/2");
	VT_ROW(v, ROW_HEADER, "48 MiB");
	ANSWER(v, shows_reads);
	/* Nothing may be written that was not asked for, as to any other target. */
	vt_type(v, "r");
	VT_TEXT(v, "To allow it, type: ffee12");
	vt_key(v, "esc");
	/* What was asked before is there again. */
	vt_type(v, "d");
	open_entry(v);
	in_field(v, portal[0]);
	vt_key(v, "^U");
	vt_type(v, "zz");
	in_field(v, "zz");
	vt_key(v, "up");
	in_field(v, portal[0]);
	vt_key(v, "esc");
	VT_TEXT(v, "Enter starts reading");
	vt_key(v, "esc");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

static void marked_portals_become_paths(void **state)
{
	char words[160], url[512];
	(void)state;
	start();
	struct vt *v = open_entry(LIVE(NULL, "--rate", "500", "--no-store"));
	snprintf(words, sizeof(words), "%s %s", portal[0], portal[1]);
	vt_type(v, words);
	vt_key(v, "enter");
	snprintf(url, sizeof(url), "iscsi://%s,%s/", portal[0], portal[1]);
	VT_TEXT(v, url);
	vt_key(v, "up");
	VT_MATCH(v, VT_ANY, "> +\\[x\\] 127\\.0\\.0\\.2");
	vt_type(v, " ");
	VT_MATCH(v, VT_ANY, "> +\\[ \\] 127\\.0\\.0\\.2");
	vt_key(v, "down");
	snprintf(url, sizeof(url), "iscsi://%s/", portal[0]);
	VT_TEXT(v, url);
	vt_key(v, "up");
	vt_type(v, " ");
	VT_MATCH(v, VT_ANY, "> +\\[x\\] 127\\.0\\.0\\.2");
	vt_shot(v, "discover-portals");
	vt_key(v, "down");
	vt_key(v, "enter");
	ANSWER(v, shows_reads);
	/* One is lost, and the IO goes on over the other. */
	assert_int_equal(tgtd_portal(&t, 1, false), 0);
	EVENT(v, "path 1 127");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

/* --- CHAP. --- */

static void nowhere(struct vt *v, const char *word)
{
	size_t n;
	int row, col;
	const char *raw;
	vt_settle(v, 0.2);
	if (vt_find(v, word, &row, &col))
		fail_msg("on the screen: %s", vt_row(v, row));
	raw = vt_raw(v, &n);
	assert_null(memmem(raw, n, word, strlen(word)));
}

static bool file_has(const char *path, const char *word)
{
	static char text[1 << 22];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, sizeof(text));
	close(fd);
	return n > 0 && memmem(text, (size_t)n, word, strlen(word));
}

static void expect_no_trace(struct vt *v, const char *store)
{
	char path[600];
	nowhere(v, TGTD_SECRET);
	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)vt_pid(v));
	assert_true(file_has(path, "lunscope"));
	assert_false(file_has(path, TGTD_SECRET));
	assert_true(file_has(store, "SQLite"));
	assert_false(file_has(store, TGTD_SECRET));
	snprintf(path, sizeof(path), "%s-wal", store);
	assert_false(file_has(path, TGTD_SECRET));
}

static void a_secret_is_asked_for_and_goes_nowhere(void **state)
{
	char store[512];
	(void)state;
	start();
	assert_int_equal(tgtd_chap(&t, 1, false), 0);
	snprintf(store, sizeof(store), "%s", scratch_path("runs.db"));
	struct vt *v = open_entry(LIVE(NULL, "--rate", "500", "--store", store));
	vt_type(v, portal[0]);
	vt_key(v, "enter");
	VT_TEXT(v, "wants CHAP");
	vt_key(v, "enter");
	VT_TEXT(v, "Who logs in to");
	vt_type(v, TGTD_USER);
	vt_key(v, "tab");
	vt_type(v, "wrongsecret12");
	VT_TEXT(v, "*************");
	nowhere(v, "wrongsecret12");
	vt_shot(v, "discover-login");
	vt_key(v, "enter");
	VT_TEXT(v, "! CHAP was rejected");
	VT_TEXT(v, TGTD_USER);
	vt_shot(v, "discover-rejected");
	/* The cursor is on the secret, which is empty again. */
	vt_type(v, TGTD_SECRET);
	VT_TEXT(v, "*************");
	nowhere(v, TGTD_SECRET);
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "> +LUN 1 +16 MiB");
	vt_key(v, "enter");
	ANSWER(v, shows_reads);
	vt_type(v, "e");
	VT_TEXT(v, "iscsi://" TGTD_USER "@");
	expect_no_trace(v, store);
	vt_key(v, "esc");
	vt_type(v, "q");
	vt_settle(v, 0.2);
	expect_no_trace(v, store);
	vt_key(v, "enter");
	VT_EXPECT(v, vt_wait_exit(v));
	nowhere(v, TGTD_SECRET);
	assert_false(file_has(store, TGTD_SECRET));
	e2e_free(v);
}

static void mutual_chap_is_asked_for_too(void **state)
{
	(void)state;
	start();
	assert_int_equal(tgtd_chap(&t, 1, true), 0);
	struct vt_options wide = {.rows = 43, .cols = 132};
	struct vt *v = open_entry(LIVE(&wide, "--rate", "500", "--no-store"));
	vt_type(v, TGTD_USER "%" TGTD_SECRET "@");
	vt_type(v, portal[0]);
	nowhere(v, TGTD_SECRET);
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "> +LUN 1 +16 MiB");
	vt_type(v, "c");
	VT_TEXT(v, "Who logs in to");
	vt_type(v, TGTD_SECRET);
	vt_key(v, "tab");
	vt_type(v, TGTD_USER_BACK);
	vt_key(v, "tab");
	vt_type(v, "anothersecret1");
	vt_key(v, "enter");
	VT_TEXT(v, "failed to prove itself");
	vt_type(v, TGTD_SECRET);
	vt_key(v, "tab");
	vt_key(v, "tab");
	vt_type(v, TGTD_SECRET_BACK);
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "> +LUN 1 +16 MiB");
	vt_key(v, "enter");
	ANSWER(v, shows_reads);
	vt_type(v, "e");
	VT_TEXT(v, "target_user=" TGTD_USER_BACK);
	nowhere(v, TGTD_SECRET);
	nowhere(v, TGTD_SECRET_BACK);
	vt_key(v, "esc");
	e2e_quit(v);
}

static void open_path(struct vt *v)
{
	VT_TEXT(v, "Enter starts reading");
	vt_key(v, "end");
	vt_key(v, "up");
	vt_key(v, "enter");
	VT_TEXT(v, "Tab other field");
}

static void a_url_with_a_secret_is_masked_and_asks_when_that_is_wrong(void **state)
{
	(void)state;
	start();
	assert_int_equal(tgtd_chap(&t, 1, false), 0);
	struct vt *v = LIVE(NULL, "--rate", "500", "--no-store");
	open_path(v);
	vt_type(v, tgtd_url(&t, 1, TGTD_USER "%wrongsecret12", "disks", 1));
	VT_TEXT(v, "%*************@127");
	nowhere(v, "wrongsecret12");
	vt_key(v, "enter");
	VT_TEXT(v, "! CHAP was rejected");
	vt_key(v, "esc");
	/* Back where it was typed, without the secret. */
	VT_TEXT(v, "Tab other field");
	VT_TEXT(v, "iscsi://" TGTD_USER "@");
	vt_key(v, "enter");
	VT_TEXT(v, "Who logs in to");
	vt_type(v, TGTD_SECRET);
	vt_key(v, "enter");
	VT_ROW(v, ROW_HEADER, "disks/1");
	ANSWER(v, shows_reads);
	nowhere(v, "wrongsecret12");
	nowhere(v, TGTD_SECRET);
	e2e_quit(v);
}

/* --- Portals that don't answer. --- */

static void a_portal_that_refuses_is_named_and_the_words_stay(void **state)
{
	(void)state;
	struct vt *v = open_entry(LIVE(NULL, "--no-store"));
	vt_type(v, "127.0.0.1:1");
	vt_key(v, "enter");
	VT_TEXT(v, "! portal 127.0.0.1:1 refuses connections");
	VT_TEXT(v, "Target: iSCSI portal");
	vt_shot(v, "discover-refused");
	/* It can be corrected in place. */
	vt_type(v, "x");
	VT_GONE(v, "refuses connections");
	VT_TEXT(v, "127.0.0.1:1x");
	vt_key(v, "enter");
	VT_TEXT(v, "no HOST or HOST:PORT");
	vt_key(v, "esc");
	VT_TEXT(v, "Esc quits");
	vt_key(v, "esc");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	e2e_free(v);
}

/* The words that the backend has when its own patience is over must not be there: Esc was sooner. */
static void nobody_waited(struct vt *v)
{
	size_t n;
	const char *raw = vt_raw(v, &n);
	assert_null(memmem(raw, n, "is not answered within", 22));
}

/* Named in the command line: there is no screen yet. */
static void a_login_that_takes_long_is_told_before_there_is_a_screen(void **state)
{
	char url[512];
	size_t n;

	(void)state;
	start_silent();
	snprintf(url, sizeof(url), "iscsi://who%%" TGTD_SECRET "@%s/iqn.2026-01.test:x/1",
		 portal[0]);
	struct vt *v = LIVE(NULL, url, "--no-store");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 2);
	/* It stood there, and has gone. */
	const char *raw = vt_raw(v, &n), note[] = "Logging in to 127.0.0.1:";
	assert_non_null(memmem(raw, n, note, strlen(note)));
	nowhere(v, TGTD_SECRET);
	VT_ROW(v, 0, "lunscope: portal 127.0.0.1:");
	VT_GONE(v, "Logging in");
	e2e_free(v);
}

static void a_command_that_waits_says_for_what_and_control_c_ends_it(void **state)
{
	char url[512];
	const char *const waits[][6] = {
		{lunscope_path(), "discover", portal[0], NULL},
		{lunscope_path(), "run", url, "--for", "1s", NULL},
	};
	static const char *const words[] = {"Asking 127.0.0.1:", "Logging in to 127.0.0.1:"};

	(void)state;
	start_silent();
	snprintf(url, sizeof(url), "iscsi://%s/iqn.2026-01.test:x/1", portal[0]);
	for (int i = 0; i < 2; i++) {
		struct vt *v = e2e_keep(vt_start(NULL, waits[i]));

		VT_TEXT(v, words[i]);
		vt_key(v, "^C");
		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 128 + SIGINT);
		nobody_waited(v);
		e2e_free(v);
	}
}

static void esc_leaves_a_silent_portal_at_once_and_the_run_goes_on(void **state)
{
	(void)state;
	start_silent();
	struct vt *v = LIVE(NULL, "null:1ms", "--no-store");
	ANSWER(v, shows_reads);
	vt_type(v, "d");
	open_entry(v);
	vt_type(v, portal[0]);
	vt_key(v, "enter");
	VT_TEXT(v, "Esc cancels");
	VT_MATCH(v, VT_ANY, "│ Asking 127\\.0\\.0\\.1.* │");
	VT_MATCH(v, VT_ANY, "└─ Esc cancels ─");
	vt_shot(v, "discover-asking");
	ANSWER(v, shows_reads);
	vt_key(v, "esc");
	VT_TEXT(v, "Target: iSCSI portal");
	VT_TEXT(v, portal[0]);
	nobody_waited(v);
	vt_key(v, "esc");
	/* The same for a LUN that is logged in to. */
	open_path(v);
	vt_type(v, "iscsi://");
	vt_type(v, portal[0]);
	vt_type(v, "/iqn.2026-01.test:x/1");
	vt_key(v, "enter");
	VT_TEXT(v, "Logging in to");
	ANSWER(v, shows_reads);
	vt_key(v, "esc");
	VT_TEXT(v, "Tab other field");
	nobody_waited(v);
	/* And for the end of the program. */
	vt_key(v, "enter");
	VT_TEXT(v, "Logging in to");
	vt_key(v, "^C");
	VT_TEXT(v, "^C again quits at once");
	vt_key(v, "^C");
	VT_EXPECT(v, vt_wait_exit(v));
	nobody_waited(v);
	e2e_free(v);
}

static void a_silent_portal_is_named_and_the_others_are_shown(void **state)
{
	char words[160];
	(void)state;
	start();
	snprintf(words, sizeof(words), "%s 127.0.0.1:1", portal[1]);
	struct vt *v = open_entry(LIVE(NULL, "--no-store"));
	vt_type(v, words);
	vt_key(v, "enter");
	VT_TEXT(v, "! portal 127.0.0.1:1 refuses connections");
	VT_MATCH(v, VT_ANY, "> +LUN 1 +16 MiB");
	vt_key(v, "esc");
	VT_TEXT(v, "Target: iSCSI portal");
	VT_TEXT(v, words);
	vt_key(v, "esc");
	vt_key(v, "esc");
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
}

int main(void)
{
#define T(f) cmocka_unit_test_teardown(f, clean_up)
	const struct CMUnitTest tests[] = {
		T(a_lun_is_found_behind_its_portal_and_read),
		T(marked_portals_become_paths),
		T(a_secret_is_asked_for_and_goes_nowhere),
		T(mutual_chap_is_asked_for_too),
		T(a_url_with_a_secret_is_masked_and_asks_when_that_is_wrong),
		T(a_portal_that_refuses_is_named_and_the_words_stay),
		T(a_login_that_takes_long_is_told_before_there_is_a_screen),
		T(a_command_that_waits_says_for_what_and_control_c_ends_it),
		T(esc_leaves_a_silent_portal_at_once_and_the_run_goes_on),
		T(a_silent_portal_is_named_and_the_others_are_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
