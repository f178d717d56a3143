/* unit-error.c - what a message may have in it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "error.h"

static void words_that_a_terminal_would_obey_are_tamed(void **state)
{
	static const struct {
		const char *said, *tame;
	} row[] = {
		{"", ""},
		{"plain words", "plain words"},
		{"\033[2J\033]0;x\a", "?[2J?]0;x?"},
		{"one\nline\tonly\r\177", "one?line?only??"},
		/* CSI as one byte, and in UTF-8 (ISO 6429, 5.3). */
		{"\2332J", "?2J"},
		{"\302\2332J", "??2J"},
		/* The same byte within a character. */
		{"\303\233 \342\202\254 \360\237\222\276",
		 "\303\233 \342\202\254 \360\237\222\276"},
		/* Characters that are cut off. */
		{"\342\202", "\342?"},
		{"\303", "\303"},
	};
	char text[64];
	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		snprintf(text, sizeof(text), "%s", row[i].said);
		assert_ptr_equal(error_tame(text), text);
		assert_string_equal(text, row[i].tame);
	}
}

static void a_message_is_tame_whoever_it_quotes(void **state)
{
	struct error e;
	(void)state;
	assert_int_equal(error_set(&e, EPROTO, "target %s: no", "\033[31mred"), -EPROTO);
	assert_string_equal(e.text, "target ?[31mred: no");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_that_a_terminal_would_obey_are_tamed),
		cmocka_unit_test(a_message_is_tame_whoever_it_quotes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
