/* unit-due.c - which frames are drawn when, and for whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ui/due.h"

static void the_clocks_frames_are_told_from_those_that_were_asked_for(void **state)
{
	struct due d = {.dirty = true};

	(void)state;
	/* Not the first: it draws everything. */
	assert_false(due_begin(&d, NS_PER_SEC));
	assert_false(d.dirty);
	d.dirty = true;
	assert_true(due_begin(&d, 2 * NS_PER_SEC));
	due_ask(&d);
	assert_true(due_now(&d, 3 * NS_PER_SEC));
	assert_false(due_begin(&d, 3 * NS_PER_SEC));
	d.dirty = true;
	assert_true(due_begin(&d, 4 * NS_PER_SEC));
}

/* ^S, a key, and ^Q: the frame that comes then answers the key. */
static void an_answer_that_the_terminal_held_up_stays_one(void **state)
{
	struct due d = {.drawn_ns = NS_PER_SEC};

	(void)state;
	due_ask(&d);
	for (uint64_t t = 2; t < 6; t++) {
		assert_false(due_begin(&d, t * NS_PER_SEC));
		due_left_out(&d, false);
		assert_true(d.stale);
		/* The clock tries again, not the loop. */
		assert_false(due_now(&d, (t + 1) * NS_PER_SEC));
		d.dirty = true;
	}
	assert_false(due_begin(&d, 6 * NS_PER_SEC));
	d.dirty = true;
	assert_true(due_begin(&d, 7 * NS_PER_SEC));
	/* One of the clock's that is held up is asked for by nobody. */
	due_left_out(&d, true);
	d.dirty = true;
	assert_true(due_begin(&d, 8 * NS_PER_SEC));
}

static void a_held_key_has_thirty_frames_a_second_at_most(void **state)
{
	struct due d = {.drawn_ns = NS_PER_SEC};

	(void)state;
	assert_int_equal(due_wait_ms(&d, NS_PER_SEC), -1);
	due_ask(&d);
	assert_false(due_now(&d, NS_PER_SEC + KEY_FRAME_NS - 1));
	assert_in_range(due_wait_ms(&d, NS_PER_SEC), 33, 34);
	assert_true(due_now(&d, NS_PER_SEC + KEY_FRAME_NS));
	assert_int_equal(due_wait_ms(&d, NS_PER_SEC + KEY_FRAME_NS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_clocks_frames_are_told_from_those_that_were_asked_for),
		cmocka_unit_test(an_answer_that_the_terminal_held_up_stays_one),
		cmocka_unit_test(a_held_key_has_thirty_frames_a_second_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
