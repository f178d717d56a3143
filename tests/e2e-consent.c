/* e2e-consent.c - the permission to write, asked for on the live screen, with the bytes on the device
 * and the kernel's count of writes as the judges.
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

#define MIB (1ull << 20)

/* The words that the dialog asks for: "To allow it, type: 1f2a3b DESTROY". */
static bool asked_words(struct vt *v, char out[64])
{
	int row, col;

	if (!vt_find(v, "To allow it, type: ", &row, &col))
		return false;
	const char *at = strstr(vt_row(v, row), "type: ") + 6;
	size_t n = strcspn(at, "\xe2|"); /* up to the frame */
	while (n > 0 && at[n - 1] == ' ')
		n--;
	snprintf(out, 64, "%.*s", (int)(n < 63 ? n : 63), at);
	return n > 0;
}

static void lower_the_read_share(struct vt *v, char words[64])
{
	ANSWER(v, shows_reads);
	vt_type(v, "r");
	VT_TEXT(v, "Permission to write");
	VT_TEXT(v, "To allow it, type: ");
	assert_true(asked_words(v, words));
}

static void wrong_words_and_escape_write_nothing(void **state)
{
	struct loopdev l;
	char words[64];
	(void)state;
	if (!e2e_loop(&l, 16 * MIB))
		skip();
	uint64_t sum = e2e_file_sum(l.backing, 0, 16 * MIB);
	struct blockstat before, after;
	assert_int_equal(loopdev_stat(&l, &before), 0);
	struct vt *v = LIVE(NULL, l.node, "--rate", "500");

	lower_the_read_share(v, words);
	vt_shot(v, "consent");
	/* It holds data: the identity alone is not enough. */
	assert_non_null(strstr(words, " DESTROY"));
	VT_TEXT(v, l.node);
	vt_type(v, "yes");
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "! .*not written");
	vt_shot(v, "consent-wrong");
	vt_key(v, "^U");
	vt_send(v, words, strlen(words) - strlen(" DESTROY"));
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "! .*not written.*DESTROY|! .*not written");
	vt_key(v, "esc");
	VT_GONE(v, "Permission to write");
	VT_ROW(v, -1, "is read only, as before");
	KNOB(v, "Read", "100%");
	ANSWER(v, shows_reads);
	/* Neither by way of "!", nor by typing a share. */
	vt_type(v, "!");
	VT_TEXT(v, "Permission to write");
	vt_key(v, "esc");
	VT_GONE(v, "Permission to write");
	ANSWER(v, shows_reads);
	e2e_quit(v);
	assert_int_equal(loopdev_stat(&l, &after), 0);
	assert_int_equal(after.write_ios, before.write_ios);
	assert_int_equal(loopdev_free(&l), 0);
	assert_true(e2e_file_sum(l.backing, 0, 16 * MIB) == sum);
}

static void the_right_words_allow_writing_within_the_window_only(void **state)
{
	struct loopdev l;
	char words[64];
	(void)state;
	if (!e2e_loop(&l, 16 * MIB))
		skip();
	uint64_t first = e2e_file_sum(l.backing, 0, 4 * MIB);
	uint64_t window = e2e_file_sum(l.backing, 4 * MIB, 4 * MIB);
	uint64_t last = e2e_file_sum(l.backing, 8 * MIB, 8 * MIB);
	struct blockstat before, after;
	assert_int_equal(loopdev_stat(&l, &before), 0);
	struct vt *v = LIVE(NULL, l.node, "--rate", "2000", "--range", "4M:4M");

	lower_the_read_share(v, words);
	VT_TEXT(v, "from byte 4,194,304 to byte 8,388,607 will be overwritten");
	vt_type(v, words);
	vt_shot(v, "consent-right");
	vt_key(v, "enter");
	VT_GONE(v, "Permission to write");
	/* What was asked for is done, and said. */
	KNOB(v, "Read", "95%");
	EVENT(v, "read 100% > 95%");
	ANSWER(v, shows_writes);
	vt_shot(v, "writing");
	/* No second question. */
	vt_type(v, "r");
	KNOB(v, "Read", "90%");
	ANSWER(v, shows_writes);
	e2e_quit(v);
	assert_int_equal(loopdev_stat(&l, &after), 0);
	assert_true(after.write_ios > before.write_ios);
	assert_int_equal(loopdev_free(&l), 0);
	assert_true(e2e_file_sum(l.backing, 0, 4 * MIB) == first);
	assert_true(e2e_file_sum(l.backing, 8 * MIB, 8 * MIB) == last);
	assert_true(e2e_file_sum(l.backing, 4 * MIB, 4 * MIB) != window);
}

static void the_edges_are_left_alone_without_a_range(void **state)
{
	struct loopdev l;
	char words[64];
	(void)state;
	if (!e2e_loop(&l, 8 * MIB))
		skip();
	uint64_t first = e2e_file_sum(l.backing, 0, MIB);
	uint64_t last = e2e_file_sum(l.backing, 7 * MIB, MIB);
	struct vt *v = LIVE(NULL, l.node, "--rate", "2000");

	lower_the_read_share(v, words);
	vt_type(v, words);
	vt_key(v, "enter");
	ANSWER(v, shows_writes);
	/* All of it is written, and soon everything that may be has been. */
	vt_key(v, "right");
	vt_key(v, "right");
	for (int i = 0; i < 10; i++)
		vt_key(v, "pgdn");
	KNOB(v, "Read", "0%");
	vt_pump(v, 1);
	e2e_quit(v);
	assert_int_equal(loopdev_free(&l), 0);
	assert_true(e2e_file_sum(l.backing, 0, MIB) == first);
	assert_true(e2e_file_sum(l.backing, 7 * MIB, MIB) == last);
}

static void a_device_in_use_has_no_field_to_type_into(void **state)
{
	struct loopdev l, upper;
	(void)state;
	if (!e2e_loop(&l, 16 * MIB))
		skip();
	/* A loop device on top of it is a holder. */
	if (loopdev_attach(&upper, l.node, NULL)) {
		print_message("no second loop device\n");
		loopdev_free(&l);
		skip();
	}
	uint64_t sum = e2e_file_sum(l.backing, 0, 16 * MIB);
	struct vt *v = LIVE(NULL, l.node, "--rate", "500");

	ANSWER(v, shows_reads);
	vt_type(v, "r");
	VT_TEXT(v, "REFUSED");
	VT_TEXT(v, "This target will not be written");
	vt_shot(v, "consent-refused");
	vt_type(v, "anything DESTROY\r");
	VT_TEXT(v, "This target will not be written");
	vt_key(v, "esc");
	VT_GONE(v, "REFUSED");
	KNOB(v, "Read", "100%");
	ANSWER(v, shows_reads);
	e2e_quit(v);
	assert_int_equal(loopdev_free(&upper), 0);
	assert_int_equal(loopdev_free(&l), 0);
	assert_true(e2e_file_sum(l.backing, 0, 16 * MIB) == sum);
}

static void writes_on_the_command_line_need_write_and_then_ask(void **state)
{
	struct loopdev l;
	(void)state;
	if (!e2e_loop(&l, 16 * MIB))
		skip();
	uint64_t sum = e2e_file_sum(l.backing, 0, 16 * MIB);
	const char *argv[] = {lunscope_path(), l.node, "--read", "50", NULL};
	struct vt *v = e2e_start(NULL, argv);
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 3);
	VT_TEXT(v, "add --write");
	e2e_free(v);
	v = LIVE(NULL, l.node, "--read", "50", "--write", "--rate", "500");
	VT_TEXT(v, "Permission to write");
	VT_TEXT(v, "To allow it, type: ");
	/* It reads until somebody has agreed. */
	KNOB(v, "Read", "100%");
	vt_key(v, "esc");
	VT_GONE(v, "Permission to write");
	ANSWER(v, shows_reads);
	e2e_quit(v);
	assert_int_equal(loopdev_free(&l), 0);
	assert_true(e2e_file_sum(l.backing, 0, 16 * MIB) == sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(wrong_words_and_escape_write_nothing),
		E2E_TEST(the_right_words_allow_writing_within_the_window_only),
		E2E_TEST(the_edges_are_left_alone_without_a_range),
		E2E_TEST(a_device_in_use_has_no_field_to_type_into),
		E2E_TEST(writes_on_the_command_line_need_write_and_then_ask),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
