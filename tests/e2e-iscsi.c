/* e2e-iscsi.c - a LUN on the live screen: its sessions, the permission to write, and a target that goes
 * and comes back.
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

static void start(void)
{
	struct tgtd_lun l = {.id = "00000000c0ffee02"};
	if (tgtd_missing()) {
		print_message("%s\n", tgtd_missing());
		skip();
	}
	snprintf(file, sizeof(file), "%s", scratch_file("lun", 16 * MIB, true));
	l.file = file;
	assert_int_equal(tgtd_start(&t, NULL), 0);
	assert_int_equal(tgtd_target(&t, "live"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	snprintf(url, sizeof(url), "%s", tgtd_url(&t, 1, "", "live", 1));
}

static int clean_up(void **state)
{
	e2e_free_all(state);
	tgtd_free(&t);
	return 0;
}

static void a_lun_is_written_after_consent_and_its_sessions_are_shown(void **state)
{
	(void)state;
	start();
	uint64_t first = e2e_file_sum(file, 0, MIB), last = e2e_file_sum(file, 15 * MIB, MIB);
	uint64_t window = e2e_file_sum(file, MIB, 14 * MIB);
	struct vt *v = LIVE(NULL, url, "--rate", "500");
	VT_ROW(v, ROW_HEADER, "live/1");
	VT_MATCH(v, VT_ANY, "1 [^ ]+ up +127\\.0\\.0\\.1:[0-9]+ ");
	VT_TEXT(v, "1 of 1 up");
	ANSWER(v, shows_reads);
	vt_type(v, "r");
	VT_TEXT(v, "To allow it, type: ffee02 DESTROY");
	VT_TEXT(v, "naa.");
	VT_TEXT(v, "other hosts");
	vt_shot(v, "consent-lun");
	vt_type(v, "ffee02 DESTROY");
	vt_key(v, "enter");
	VT_GONE(v, "Permission to write");
	KNOB(v, "Read", "95%");
	ANSWER(v, shows_writes);
	e2e_quit(v);
	assert_true(e2e_file_sum(file, 0, MIB) == first);
	assert_true(e2e_file_sum(file, 15 * MIB, MIB) == last);
	assert_true(e2e_file_sum(file, MIB, 14 * MIB) != window);
}

static void a_target_that_goes_and_comes_back_stands_in_the_events(void **state)
{
	(void)state;
	start();
	struct vt *v = LIVE(NULL, url, "--rate", "500");
	ANSWER(v, shows_reads);
	tgtd_kill(&t);
	EVENT(v, "path 1 127.0.0.1");
	VT_MATCH(v, VT_ANY, "1 ! (down|login) +127\\.0\\.0\\.1:");
	VT_TEXT(v, "0 of 1 up");
	ANSWER(v, shows_nothing);
	vt_shot(v, "session-lost");
	assert_int_equal(tgtd_restart(&t), 0);
	EVENT(v, "path 1 is back after");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_lun_is_written_after_consent_and_its_sessions_are_shown,
					  clean_up),
		cmocka_unit_test_teardown(a_target_that_goes_and_comes_back_stands_in_the_events,
					  clean_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
