/* unit-sync.c - which terminals are asked what they can do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include "ui/sync.h"

static void only_terminals_that_answer_are_asked(void **state)
{
	(void)state;
	assert_true(sync_askable("xterm-256color"));
	assert_true(sync_askable("tmux-256color"));
	assert_false(sync_askable("linux"));
	assert_false(sync_askable("vt100"));
	assert_false(sync_askable("dumb"));
	assert_false(sync_askable(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_terminals_that_answer_are_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
