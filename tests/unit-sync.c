/* unit-sync.c - which terminals are asked what they can do, and a description without REP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include "ui/norep.h"
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

static void rep_is_struck_out_of_both_formats_and_out_of_nothing_else(void **state)
{
	(void)state;
	/* A header of 2 bytes of names, 1 flag, a byte to make it even, 1 number, 122 strings. */
	for (int wide = 0; wide < 2; wide++) {
		unsigned char e[600] = {(unsigned char)(wide ? 01036 & 0xff : 0432 & 0xff),
					(unsigned char)(wide ? 01036 >> 8 : 0432 >> 8),
					2,
					0,
					1,
					0,
					1,
					0,
					122};
		size_t at = 12 + 2 + 1 + 1 + (wide ? 4 : 2) + 2 * 121;
		unsigned char before[600];
		e[at] = 7;
		memcpy(before, e, sizeof(e));
		assert_int_equal(norep_strike(e, at + 1), -1);
		assert_int_equal(norep_strike(e, sizeof(e)), 0);
		before[at] = before[at + 1] = 0xff;
		assert_memory_equal(e, before, sizeof(e));
		/* Then there is none. */
		assert_int_equal(norep_strike(e, sizeof(e)), -1);
	}
	unsigned char none[] = "no description";
	assert_int_equal(norep_strike(none, sizeof(none)), -1);
	assert_null(norep_terminfo("no-such-terminal"));
	assert_null(norep_terminfo("../passwd"));
	char *xterm = norep_terminfo("xterm");
	assert_non_null(xterm);
	assert_int_equal(strncmp(xterm, "hex:1", 5), 0);
	free(xterm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_terminals_that_answer_are_asked),
		cmocka_unit_test(rep_is_struck_out_of_both_formats_and_out_of_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
