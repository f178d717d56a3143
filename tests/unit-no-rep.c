/* unit-no-rep.c - a terminal's entry without its repetitions, wherever the entry is. By one that no folder has:
 * two names, a boolean, no number and two strings, "AB" and "C" (term(5)).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ui/no_rep.h"

#define HEAD   \
	"1A01" \
	"0B00" \
	"0100" \
	"0000" \
	"0200" \
	"0500"
#define NAMES "6C756E2D747C74776F3100" /* lun-t|two1 */
#define BYTE  "01"
#define CHARS    \
	"414200" \
	"4300"

static const char with[] = "hex:" HEAD NAMES BYTE "0000"
			   "0300" CHARS;
static const char without[] = "hex:" HEAD NAMES BYTE "0000"
			      "FFFF" CHARS;

/* It is set, and as it was before afterwards. */
static void expect(const char *terminfo, const char *name)
{
	struct error e = {""};

	setenv("TERMINFO", terminfo, 1);
	if (no_rep_begin(name, 1, &e))
		fail_msg("%s: %s", terminfo, e.text);
	assert_string_equal(getenv("TERMINFO"), without);
	no_rep_end();
	assert_string_equal(getenv("TERMINFO"), terminfo);
}

static void an_entry_in_the_variable_itself_is_taken(void **state)
{
	(void)state;
	expect(with, "lun-t");
	expect(with, "two1");
	expect("hex:1a010b000100000002000500" NAMES BYTE "00000300" CHARS, "lun-t");
	/* base64 of the same, in either alphabet and with or without padding. */
	expect("b64:GgELAAEAAAACAAUAbHVuLXR8dHdvMQABAAADAEFCAEMA", "lun-t");
	expect("b64:GgELAAEAAAACAAUAbHVuLXR8dHdvMQABAAADAEFCAEMA====", "two1");
}

static void one_of_another_terminal_or_none_at_all_is_not(void **state)
{
	static const char *const bad[] = {"hex:", "hex:1A0", "hex:1A01xx", "b64:????", "b64:GgEL"};
	struct error e = {""};

	(void)state;
	setenv("TERMINFO", with, 1);
	assert_int_equal(no_rep_begin("lun", 1, &e), -EINVAL);
	assert_non_null(strstr(e.text, "'lun' was not found in TERMINFO"));
	assert_int_equal(no_rep_begin("lun-t|two1", 1, &e), -EINVAL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		setenv("TERMINFO", bad[i], 1);
		assert_int_equal(no_rep_begin("lun-t", 1, &e), -EINVAL);
		assert_string_equal(getenv("TERMINFO"), bad[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_in_the_variable_itself_is_taken),
		cmocka_unit_test(one_of_another_terminal_or_none_at_all_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
