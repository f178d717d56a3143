/* e2e-trigger.c - what was waited for freezes the display, and nothing else. */
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

#define HEADER_TIME "[0-9][0-9]:[0-9][0-9]:[0-9][0-9] "

/* Seconds of the run, as the header has them. */
static int run_seconds(struct vt *v)
{
	const char *row = vt_row(v, ROW_HEADER), *at = strchr(row, ':');
	int h, m, s;

	assert_non_null(at);
	assert_int_equal(sscanf(at - 2, "%d:%d:%d", &h, &m, &s), 3);
	return h * 3600 + m * 60 + s;
}

static void the_display_freezes_with_what_led_up_to_it_and_the_run_goes_on(void **state)
{
	char store[600];
	struct proc p;

	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("trigger.db"));
	/* Half the load is too much, but only for three seconds in a row. */
	struct vt *v = LIVE(NULL, "null:5ms", "--store", store, "--outstanding", "1", "--trigger",
			    "iops > 100 for 3s");
	vt_type(v, "zz");
	VT_ROW(v, ROW_HEADER, "armed");
	VT_ROW(v, ROW_HEADER, "TRIGGERED");
	VT_TEXT(v, "Triggered: iops ");
	VT_MATCH(v, VT_ANY,
		 "! ?trigger: iops [0-9.]+k? > 100 for 3 s|trigger: iops [0-9.]+k? > 100");
	VT_TEXT(v, "frozen");
	int then = run_seconds(v);
	vt_shot(v, "triggered");
	vt_pump(v, 3);
	assert_int_equal(run_seconds(v), then);
	/* It waits no more; space lets the display go on, where the run has gone on. */
	vt_type(v, " ");
	VT_GONE(v, "TRIGGERED");
	VT_MATCH(v, ROW_HEADER, "RUN +" HEADER_TIME);
	VT_EXPECT(v, run_seconds(v) >= then + 3);
	VT_GONE(v, "armed");
	/* By hand, each time. */
	vt_type(v, "E");
	VT_TEXT(v, "as p99 > 20ms for 3s");
	vt_type(v, "p99 > 1 cow");
	vt_key(v, "enter");
	VT_TEXT(v, "cow");
	for (int i = 0; i < 11; i++)
		vt_send(v, "\177", 1);
	vt_type(v, "mean > 1ms");
	vt_key(v, "down");
	vt_key(v, "right");
	VT_TEXT(v, "<each time>");
	vt_key(v, "enter");
	VT_TEXT(v, "Armed: the display freezes when mean > 1.00 ms.");
	VT_ROW(v, ROW_HEADER, "TRIGGERED");
	VT_TEXT(v, "it is armed again");
	e2e_quit(v);
	/* Nothing is missing from the record. */
	PROC(&p, lunscope_path(), "show", "1", "--store", store);
	assert_int_equal(p.status, 0);
	if (!strstr(p.out, "trigger: iops") || !strstr(p.out, "trigger: mean"))
		fail_msg("%s", p.out);
	proc_free(&p);
}

static void what_is_no_trigger_is_one_line(void **state)
{
	struct proc p;

	(void)state;
	PROC(&p, lunscope_path(), "null:", "--trigger", "p98 > 1ms");
	assert_int_equal(p.status, 2);
	assert_non_null(strstr(p.err, "trigger 'p98 > 1ms': write a figure and a limit"));
	proc_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(the_display_freezes_with_what_led_up_to_it_and_the_run_goes_on),
		E2E_TEST(what_is_no_trigger_is_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
