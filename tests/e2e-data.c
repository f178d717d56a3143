/* e2e-data.c - what writes carry, turned on the live screen while it writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "setting.h"
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define SIZE  (8u << 20)
#define TITLE "Workload"

static struct vt *writing(const char *path)
{
	struct vt *v = LIVE(NULL, path, "--create", "8m", "--write", "--whole", "--read", "0",
			    "--random", "0", "--block", "64k");

	ANSWER(v, shows_writes);
	return v;
}

/* Opens the list of all settings and goes down to one. */
static void go_to(struct vt *v, enum setting s)
{
	vt_type(v, "a");
	VT_TEXT(v, TITLE);
	vt_key(v, "home");
	for (int i = 0; i < (int)s; i++)
		vt_key(v, "down");
}

static bool all_zero(const char *path)
{
	static char data[SIZE];
	FILE *f = fopen(path, "re");
	size_t i = 0;

	assert_non_null(f);
	assert_int_equal(fread(data, 1, SIZE, f), SIZE);
	fclose(f);
	while (i < SIZE && data[i] == 0)
		i++;
	return i == SIZE;
}

static void expect_all_zero(const char *path)
{
	double limit = proc_now() + proc_patience();

	while (!all_zero(path) && proc_now() < limit)
		nanosleep(&(struct timespec){0, 50000000}, NULL);
	assert_true(all_zero(path));
}

static void data_are_turned_to_zeroes_on_the_disk(void **state)
{
	const char *path = scratch_path("turned");

	(void)state;
	struct vt *v = writing(path);
	assert_false(all_zero(path));
	go_to(v, SETTING_DATA);
	VT_TEXT(v, "<random>");
	vt_key(v, "right");
	VT_TEXT(v, "<zero>");
	vt_shot(v, "data");
	vt_key(v, "esc");
	EVENT(v, "data random > zero");
	ANSWER(v, shows_writes);
	expect_all_zero(path);
	vt_type(v, "u");
	EVENT(v, "data zero > random");
	e2e_quit(v);
	assert_false(all_zero(path));
}

static void a_dial_that_would_do_nothing_is_refused_with_the_reason(void **state)
{
	(void)state;
	struct vt *v = writing(scratch_path("refused"));

	go_to(v, SETTING_DATA);
	vt_key(v, "enter");
	vt_type(v, "hex:c0de");
	vt_key(v, "enter");
	VT_TEXT(v, "<hex:C0DE>");
	vt_key(v, "down");
	vt_key(v, "right");
	VT_TEXT(v, "needs random data, and data is hex:C0DE");
	vt_shot(v, "data-refused");
	VT_TEXT(v, "<0%>");
	vt_key(v, "esc");
	vt_key(v, "esc");
	VT_GONE(v, TITLE);
	EVENT(v, "data random > hex:C0DE");
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(data_are_turned_to_zeroes_on_the_disk),
		E2E_TEST(a_dial_that_would_do_nothing_is_refused_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
