/* e2e-series.c - Iometer's tests on the live screen: chosen, begun, cut short, stopped; and a specification of
 * one's own.
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

static void keys(struct vt *v, const char *name, int n)
{
	for (int i = 0; i < n; i++)
		vt_key(v, name);
}

/* The shortest tests there are: of the VMware four, a second each without a ramp. */
static void choose_short_tests(struct vt *v)
{
	vt_type(v, "I");
	VT_TEXT(v, "<md3000i:");
	VT_TEXT(v, "Stream write: 3 lines, 64 KiB to 256 KiB");
	vt_key(v, "left");
	VT_TEXT(v, "<vmware:");
	keys(v, "down", 3);
	VT_TEXT(v, "<30.0 s>");
	keys(v, "left", 5);
	VT_TEXT(v, "<1.0 s>");
	vt_key(v, "down");
	keys(v, "left", 3);
	VT_TEXT(v, "<0.0 s>");
}

static void tests_are_rows_and_segments_and_the_knobs_go_back(void **state)
{
	char store[600];
	struct proc p;

	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("series.db"));
	struct vt *v =
		LIVE(NULL, "null:1ms", "--store", store, "--outstanding", "4", "--workers", "2");
	KNOB(v, "Block", "4K");
	choose_short_tests(v);
	vt_key(v, "enter");
	VT_TEXT(v, "test 1 of 4");
	VT_MATCH(v, VT_ANY, "[a-z] Max .*[0-9]k? +0 +[0-9.]+k? ");
	/* They go on when nobody looks. */
	vt_key(v, "esc");
	VT_TEXT(v, "Iometer's tests are done: I shows them.");
	KNOB(v, "Block", "4K");
	KNOB(v, "Read", "100%");
	vt_type(v, "I");
	VT_TEXT(v, "4 of 4 tests done");
	VT_TEXT(v, "Random-8k-70%Read");
	/* Once more, longer than anybody waits, and stopped in the midst of it. */
	vt_key(v, "enter");
	VT_TEXT(v, "<vmware:");
	keys(v, "down", 3);
	keys(v, "right", 8);
	VT_TEXT(v, "<00:05:00>");
	vt_key(v, "enter");
	VT_TEXT(v, "test 1 of 4");
	vt_key(v, "enter");
	VT_TEXT(v, "of 4 tests done");
	/* And by the hand on a knob. */
	vt_key(v, "enter");
	VT_TEXT(v, "vmware: the VMware");
	vt_key(v, "enter");
	VT_TEXT(v, "test 1 of 4");
	vt_key(v, "esc");
	VT_TEXT(v, "Esc stops it");
	vt_type(v, "w");
	VT_TEXT(v, "Iometer's tests stopped (a knob was turned)");
	KNOB(v, "Workers", "1");
	/* And by undoing: the tests' workers would else get something else to do under their names. */
	vt_type(v, "I");
	VT_TEXT(v, "of 4 tests done");
	vt_key(v, "enter");
	VT_TEXT(v, "<vmware:");
	vt_key(v, "enter");
	VT_TEXT(v, "test 1 of 4");
	vt_key(v, "esc");
	VT_TEXT(v, "Esc stops it");
	vt_type(v, "u");
	VT_TEXT(v, "Iometer's tests stopped (a knob was turned)");
	e2e_quit(v);
	PROC(&p, lunscope_path(), "show", "1", "--store", store);
	assert_int_equal(p.status, 0);
	if (!strstr(p.out, "Random-8k-70%Read: 2 workers x 1 target x 4 outstanding"))
		fail_msg("%s", p.out);
	proc_free(&p);
}

static void tests_that_write_want_permission_first(void **state)
{
	(void)state;
	const char *file = scratch_file("series-target", 1u << 20, false);
	struct vt *v = LIVE(NULL, file, "--no-store");

	vt_type(v, "I");
	VT_TEXT(v, "<md3000i:");
	vt_key(v, "enter");
	VT_TEXT(v, "these tests write, and writing here is not allowed yet");
	vt_key(v, "left");
	VT_GONE(v, "these tests write");
	vt_key(v, "esc");
	VT_GONE(v, "Iometer's tests");
	e2e_quit(v);
}

static void a_specification_of_ones_own_is_kept(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--no-store");

	vt_type(v, "I");
	VT_TEXT(v, "<md3000i:");
	vt_type(v, "n");
	VT_TEXT(v, "Access specification");
	vt_type(v, "my mix");
	vt_key(v, "down");
	vt_type(v, "8k 60%");
	vt_key(v, "enter");
	VT_TEXT(v, "!");
	vt_type(v, " read 70 random 100; 64k 40% read 100 random 0");
	vt_key(v, "enter");
	VT_TEXT(v, "<my mix>");
	VT_TEXT(v, "my mix: 2 lines, 8 KiB to 64 KiB");
	vt_key(v, "esc");
	e2e_quit(v);
	struct proc p;
	PROC(&p, lunscope_path(), "specs", "my mix");
	assert_int_equal(p.status, 0);
	assert_non_null(strstr(p.out, "64 KiB"));
	proc_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(tests_are_rows_and_segments_and_the_knobs_go_back),
		E2E_TEST(tests_that_write_want_permission_first),
		E2E_TEST(a_specification_of_ones_own_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
