/* e2e-signals.c - what else ends the live screen or pulls the ground from under it: the signals that
 * nobody plans for, another target, a name that stands for something else by the time it is allowed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define MIB (1ull << 20)

static void expect_terminal_given_back(struct vt *v)
{
	int row, col;
	bool visible;

	VT_EXPECT(v, !vt_altscreen(v));
	VT_EXPECT(v, vt_line_sane(v));
	vt_cursor(v, &row, &col, &visible);
	VT_EXPECT(v, visible);
	VT_EXPECT(v, col == 0);
	VT_EXPECT(v, !vt_cell(v, row, 0).reverse && vt_cell(v, row, 0).bg == VT_DEFAULT);
}

/* --- Signals. --- */

static void expect_ended_by(struct vt *v, int number)
{
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 128 + number);
	expect_terminal_given_back(v);
}

static void control_backslash_ends_it_in_order(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");
	ANSWER(v, shows_reads);
	vt_send(v, "\034", 1);
	expect_ended_by(v, SIGQUIT);
	VT_TEXT(v, "kept as run");
	e2e_free(v);
	/* As it does when it comes from elsewhere. */
	v = LIVE(NULL, "null:1ms", "--rate", "2000");
	ANSWER(v, shows_reads);
	vt_signal(v, SIGQUIT);
	expect_ended_by(v, SIGQUIT);
	VT_TEXT(v, "kept as run");
	e2e_free(v);
}

static void a_signal_that_nobody_asked_for_gives_the_terminal_back(void **state)
{
	static const struct {
		int number;
		const char *words;
	} signals[] = {
		{SIGUSR1, "fatal: SIGUSR1"}, {SIGUSR2, "fatal: SIGUSR2"},
		{SIGALRM, "fatal: SIGALRM"}, {SIGTRAP, "fatal: SIGTRAP"},
		{SIGXCPU, "fatal: SIGXCPU"}, {SIGVTALRM, "fatal: SIGVTALRM"},
		{SIGPROF, "fatal: SIGPROF"}, {SIGIO, "fatal: SIGIO"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		size_t n;
		struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");
		ANSWER(v, shows_reads);
		vt_signal(v, signals[i].number);
		expect_ended_by(v, signals[i].number);
		VT_EXPECT(v, strstr(vt_raw(v, &n), signals[i].words) != NULL);
		e2e_free(v);
	}
}

/* --- The summary on the normal screen. --- */

/* Rows of the segments' table: " a  00:01.2 ...". */
static int segment_rows(const char *text)
{
	int n = 0;
	const char *at = strstr(text, "mark   length");

	while (at && (at = strchr(at, '\n'))) {
		at++;
		/* The mark's letter, or - for the start, in the fourth column. */
		if (strncmp(at, "   ", 3) != 0 || at[3] == ' ' || at[4] != ' ')
			break;
		n++;
	}
	return n;
}

static void the_summary_has_a_row_for_each_mix(void **state)
{
	size_t n;
	struct vt_options o = {.rows = 50, .cols = 132};
	(void)state;
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000");

	ANSWER(v, shows_reads);
	vt_type(v, "rr");
	KNOB(v, "Read", "90%");
	EVENT(v, "read 100% > 90%");
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	EVENT(v, "block 4K > 8K");
	vt_forget(v);
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	VT_TEXT(v, "kept as run");
	/* One for the way through the step of the turn that was passed, unless that was an instant. */
	VT_EXPECT(v, segment_rows(vt_raw(v, &n)) >= 3 && segment_rows(vt_raw(v, &n)) <= 4);
	VT_MATCH(v, VT_ANY, "^   - .*1x8 4K 100%rd 100%rnd 2k/s");
	VT_MATCH(v, VT_ANY, "^   a .*1x8 4K 90%rd 100%rnd 2k/s");
	VT_MATCH(v, VT_ANY, "^   b .*1x8 8K 90%rd 100%rnd 2k/s");
	VT_TEXT(v, " together, whatever they were asked for");
	e2e_free(v);
}

static bool chosen_file(struct vt *v, void *arg)
{
	(void)arg;
	for (int r = 0; r < vt_rows(v); r++)
		if (strstr(vt_row(v, r), "\u2502 > file"))
			return true;
	return false;
}

/* The entry that takes a path stands behind the devices; the list may wrap or scroll. */
static void choose_file_entry(struct vt *v)
{
	for (int i = 0; i < 100 && !chosen_file(v, NULL); i++) {
		vt_key(v, "down");
		vt_settle(v, 0.1);
	}
	VT_EXPECT(v, chosen_file(v, NULL));
	vt_key(v, "enter");
	VT_TEXT(v, "Tab other field");
}

static void the_summary_has_every_target_that_was_measured(void **state)
{
	size_t n;
	(void)state;
	const char *path = scratch_file("second.img", 4 * MIB, false);
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	ANSWER(v, shows_reads);
	vt_type(v, "d");
	VT_TEXT(v, "Against writing");
	VT_GONE(v, "(looking");
	choose_file_entry(v);
	vt_type(v, path);
	vt_key(v, "enter");
	VT_ROW(v, ROW_HEADER, "4 MiB");
	ANSWER(v, shows_reads);
	vt_forget(v);
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	VT_TEXT(v, "kept as run");
	vt_settle(v, 0.2);
	const char *raw = vt_raw(v, &n), *first = strstr(raw, "null:1ms\r\n");
	VT_EXPECT(v, first != NULL);
	const char *kept = strstr(first, "kept as run");
	VT_EXPECT(v, kept != NULL);
	const char *second = strstr(kept, path);
	VT_EXPECT(v, second && strstr(second, "kept as run"));
	e2e_free(v);
}

/* --- Words that are nothing. --- */

static void a_word_that_is_nothing_is_named_even_without_a_terminal(void **state)
{
	struct proc p;
	(void)state;
	PROC(&p, lunscope_path(), "nosuchword");
	assert_int_equal(p.status, 2);
	assert_string_equal(p.out, "");
	assert_non_null(strstr(p.err, "'nosuchword' is no command"));
	assert_non_null(strstr(p.err, "--create SIZE"));
	proc_free(&p);
	struct vt *v = e2e_keep(VT_START(NULL, lunscope_path(), "nosuchword"));
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 2);
	VT_TEXT(v, "'nosuchword' is no command");
	e2e_expect_one_line(v);
	e2e_free(v);
}

/* --- Consent. --- */

/* The words that the dialog asks for: "To allow it, type: 1f2a3b DESTROY". */
static void asked_words(struct vt *v, char out[64])
{
	int row, col;

	VT_TEXT(v, "To allow it, type: ");
	assert_true(vt_find(v, "To allow it, type: ", &row, &col));
	const char *at = strstr(vt_row(v, row), "type: ") + 6;
	size_t n = strcspn(at, "\xe2|"); /* up to the frame */
	while (n > 0 && at[n - 1] == ' ')
		n--;
	snprintf(out, 64, "%.*s", (int)(n < 63 ? n : 63), at);
}

static void a_name_that_stands_for_another_device_is_not_written(void **state)
{
	struct loopdev a, b;
	struct blockstat before, after;
	char words[64], name[1024];
	(void)state;
	if (!e2e_loop(&a, 8 * MIB))
		skip();
	if (!e2e_loop(&b, 8 * MIB)) {
		loopdev_free(&a);
		skip();
	}
	uint64_t sum_a = e2e_file_sum(a.backing, 0, 8 * MIB);
	uint64_t sum_b = e2e_file_sum(b.backing, 0, 8 * MIB);
	snprintf(name, sizeof name, "%s", scratch_path("lun"));
	assert_int_equal(symlink(a.node, name), 0);
	/* Wide enough for the whole message, which begins with a long name. */
	struct vt_options o = {.rows = 30, .cols = 200};
	struct vt *v = LIVE(&o, name, "--rate", "500");
	ANSWER(v, shows_reads);
	/* What is asked for, and agreed to, is the other one. */
	assert_int_equal(unlink(name), 0);
	assert_int_equal(symlink(b.node, name), 0);
	assert_int_equal(loopdev_stat(&b, &before), 0);
	vt_type(v, "r");
	VT_TEXT(v, "Permission to write");
	asked_words(v, words);
	vt_type(v, words);
	vt_key(v, "enter");
	VT_TEXT(v, "stands for something else");
	vt_shot(v, "consent-swapped");
	vt_key(v, "esc");
	VT_GONE(v, "Permission to write");
	KNOB(v, "Read", "100%");
	ANSWER(v, shows_reads);
	e2e_quit(v);
	assert_int_equal(loopdev_stat(&b, &after), 0);
	assert_int_equal(after.write_ios, before.write_ios);
	assert_int_equal(loopdev_free(&a), 0);
	assert_int_equal(loopdev_free(&b), 0);
	assert_true(e2e_file_sum(a.backing, 0, 8 * MIB) == sum_a);
	assert_true(e2e_file_sum(b.backing, 0, 8 * MIB) == sum_b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(control_backslash_ends_it_in_order),
		E2E_TEST(a_signal_that_nobody_asked_for_gives_the_terminal_back),
		E2E_TEST(the_summary_has_a_row_for_each_mix),
		E2E_TEST(the_summary_has_every_target_that_was_measured),
		E2E_TEST(a_word_that_is_nothing_is_named_even_without_a_terminal),
		E2E_TEST(a_name_that_stands_for_another_device_is_not_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
