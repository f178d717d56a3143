/* e2e-paths.c - several paths to a LUN on the live screen, over a real target: their pane, and what the
 * dialog of paths does to them while IOs go on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define MIB (1u << 20)

static struct tgtd t;
static char url[512], file[512];

/* Two portals of this host, one LUN behind both. */
static struct vt *start(int rows, int cols)
{
	const struct tgtd_options o = {.portals = 2};
	struct tgtd_lun l = {.id = "00000000c0ffee03"};
	const struct vt_options size = {.rows = rows, .cols = cols};

	if (tgtd_missing()) {
		print_message("%s\n", tgtd_missing());
		skip();
	}
	snprintf(file, sizeof(file), "%s", scratch_file("lun", 16 * MIB, true));
	l.file = file;
	assert_int_equal(tgtd_start(&t, &o), 0);
	assert_int_equal(tgtd_target(&t, "paths"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	snprintf(url, sizeof(url), "iscsi://127.0.0.1:%d,127.0.0.2:%d/%s/1", t.port, t.port,
		 tgtd_iqn("paths"));
	return LIVE(&size, url, "--rate", "500", "--workers", "1", "--outstanding", "4");
}

static int clean_up(void **state)
{
	e2e_free_all(state);
	tgtd_free(&t);
	return 0;
}

/* Figures of a path that does something: in flight, IOPS, MiB/s, ms, share. */
#define FIGURES " +[0-9]+[wf]? +[1-9][0-9.]*k? +[0-9.]+ +[0-9.]+ +[0-9]+ %"

static void each_path_has_its_row_at_80x24(void **state)
{
	struct vt *v = start(24, 80);

	(void)state;
	VT_TEXT(v, "2 of 2 up, least busy");
	VT_MATCH(v, VT_ANY, "1 [^ ]+ up +127\\.0\\.0\\.1:[0-9]+ +lo" FIGURES);
	VT_MATCH(v, VT_ANY, "2 [^ ]+ up +127\\.0\\.0\\.2:[0-9]+ +lo" FIGURES);
	ANSWER(v, shows_reads);
	vt_shot(v, "paths");
	/* The full screen has all that the login agreed on, and what TCP says. */
	vt_type(v, "7p");
	VT_MATCH(v, VT_ANY, "path 1: 127\\.0\\.0\\.1:[0-9]+ from 127\\.0\\.0\\.1:[0-9]+ by lo");
	VT_TEXT(v, "MaxBurstLength=");
	VT_MATCH(v, VT_ANY, "send RTT +[0-9.]+ [^ ]+, varies by");
	VT_MATCH(v, VT_ANY, "MSS +[0-9]+, cap [0-9]+, PMTU [0-9]+");
	vt_key(v, "down");
	VT_MATCH(v, VT_ANY, "path 2: 127\\.0\\.0\\.2:[0-9]+ from");
	vt_shot(v, "path-in-full");
	vt_key(v, "esc");
	VT_GONE(v, "MaxBurstLength=");
	e2e_quit(v);
}

static void a_path_is_taken_out_and_in_and_the_rest_does_all(void **state)
{
	struct vt *v = start(24, 80);

	(void)state;
	VT_TEXT(v, "2 of 2 up");
	vt_type(v, "P");
	VT_TEXT(v, "IOs take the path by policy: least busy.");
	vt_key(v, "down");
	vt_type(v, "o");
	VT_MATCH(v, VT_ANY, "2 [^ ]+ out +127\\.0\\.0\\.2:[0-9]+ .*taken out");
	VT_MATCH(v, VT_ANY, "1 [^ ]+ up +127\\.0\\.0\\.1.* 100 %");
	vt_shot(v, "taken-out");
	/* The last one stays, and the dialog says why. */
	vt_key(v, "up");
	vt_type(v, "o");
	VT_MATCH(v, VT_ANY, "! .*(last|only|path 1)");
	VT_MATCH(v, VT_ANY, "1 [^ ]+ up +127\\.0\\.0\\.1");
	vt_shot(v, "refused");
	vt_key(v, "down");
	VT_TEXT(v, "o take in");
	vt_type(v, "o");
	VT_MATCH(v, VT_ANY, "2 [^ ]+ up +127\\.0\\.0\\.2:[0-9]+ .*" FIGURES);
	vt_key(v, "esc");
	VT_GONE(v, "by policy");
	EVENT(v, "path 2 taken in");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

static void the_policy_changes_and_a_login_anew_is_counted(void **state)
{
	struct vt *v = start(43, 132);

	(void)state;
	VT_TEXT(v, "2 of 2 up");
	vt_type(v, "P");
	VT_TEXT(v, "by policy: least busy.");
	vt_type(v, "p");
	VT_TEXT(v, "by policy: round robin.");
	vt_type(v, "p");
	VT_TEXT(v, "by policy: failover.");
	vt_key(v, "down");
	vt_type(v, "p");
	VT_TEXT(v, "by policy: pinned to path 2.");
	VT_MATCH(v, VT_ANY, "2 [^ ]+ up +127\\.0\\.0\\.2.* 100 %");
	vt_type(v, "r");
	VT_TEXT(v, "Path 2 logs in anew");
	/* lost 0, anew 1 */
	VT_MATCH(v, VT_ANY, "2 [^ ]+ up +127\\.0\\.0\\.2.* %  +0 +1 ");
	vt_shot(v, "logged-in-anew");
	vt_key(v, "esc");
	EVENT(v, "paths failover > pinned to path 2");
	EVENT(v, "path 2 logged in anew");
	ANSWER(v, shows_reads);
	/* The command at the end repeats what was chosen here. */
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	size_t n;
	const char *raw = vt_raw(v, &n);
	VT_EXPECT(v, memmem(raw, n, " --paths pinned:2", 17) != NULL);
	e2e_free(v);
}

static void a_portal_that_goes_stands_there_with_the_reason(void **state)
{
	struct vt *v = start(43, 132);

	(void)state;
	VT_TEXT(v, "2 of 2 up");
	assert_int_equal(tgtd_portal(&t, 2, false), 0);
	VT_MATCH(v, VT_ANY,
		 "2 ! (down|login) +127\\.0\\.0\\.2:[0-9]+ .*for [0-9.]+ s, "
		 "(next try in [0-9.]+ s|trying again): ");
	VT_TEXT(v, "1 of 2 up");
	ANSWER(v, shows_reads);
	vt_shot(v, "path-down");
	assert_int_equal(tgtd_portal(&t, 2, true), 0);
	VT_TEXT(v, "2 of 2 up");
	VT_MATCH(v, VT_ANY, "2 [^ ]+ up +127\\.0\\.0\\.2.* %  +1 +0 ");
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_path_has_its_row_at_80x24, clean_up),
		cmocka_unit_test_teardown(a_path_is_taken_out_and_in_and_the_rest_does_all,
					  clean_up),
		cmocka_unit_test_teardown(the_policy_changes_and_a_login_anew_is_counted, clean_up),
		cmocka_unit_test_teardown(a_portal_that_goes_stands_there_with_the_reason,
					  clean_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
