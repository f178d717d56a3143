/* e2e-dialogs.c - the live screen's dialogs: help, the picker, another target, quitting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define MIB (1ull << 20)

static struct vt *live(void)
{
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000");

	ANSWER(v, shows_reads);
	return v;
}

/* --- Help. --- */

static void help_scrolls_to_its_end_and_back(void **state)
{
	(void)state;
	struct vt *v = live();

	vt_key(v, "F1");
	VT_TEXT(v, "F10 q");
	VT_TEXT(v, "put a mark on the time line");
	vt_shot(v, "help");
	vt_key(v, "pgdn");
	VT_GONE(v, "put a mark on the time line");
	for (int i = 0; i < 10; i++)
		vt_key(v, "pgdn");
	VT_TEXT(v, "What is safe");
	vt_shot(v, "help-end");
	vt_key(v, "home");
	VT_TEXT(v, "put a mark on the time line");
	vt_key(v, "esc");
	VT_GONE(v, "put a mark on the time line");
	/* The knobs were out of reach meanwhile, and are back. */
	KNOB(v, "Block", "4K");
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	e2e_quit(v);
}

/* --- The picker. --- */

/* What the chosen row of the list begins with, behind frame and cursor: "> vda", and its row. */
static bool chosen(struct vt *v, char name[32], int *row)
{
	for (*row = 0; *row < vt_rows(v); (*row)++) {
		const char *at = strstr(vt_row(v, *row), "\u2502 > ");
		if (at && sscanf(at + strlen("\u2502 > "), "%31s", name) == 1)
			return true;
	}
	return false;
}

static bool another_chosen(struct vt *v, void *before)
{
	char name[32];
	int row;

	return chosen(v, name, &row) && strcmp(name, before) != 0;
}

static bool stands_above(struct vt *v, const char *text, int row)
{
	char want[64];

	snprintf(want, sizeof want, "\u2502   %s", text);
	while (--row >= 0)
		if (strstr(vt_row(v, row), want))
			return true;
	return false;
}

/* Moves to the row of the list that begins so; the list may scroll. */
static void choose_row(struct vt *v, const char *text)
{
	char name[32] = "";
	int row;

	VT_TEXT(v, "Against writing");
	/* The list is whole and stays. */
	VT_GONE(v, "(looking");
	VT_EXPECT(v, vt_wait(v, another_chosen, ""));
	while (chosen(v, name, &row), strncmp(name, text, strlen(text)) != 0) {
		vt_key(v, stands_above(v, text, row) ? "up" : "down");
		VT_EXPECT(v, vt_wait(v, another_chosen, name));
	}
}

static void open_path_entry(struct vt *v)
{
	choose_row(v, "file");
	vt_key(v, "enter");
	VT_TEXT(v, "Tab other field");
}

static struct vt *open_first_picker(void)
{
	const char *argv[] = {lunscope_path(), "--rate", "2000", NULL};
	struct vt *v = e2e_start(NULL, argv);

	VT_TEXT(v, "Enter starts reading");
	VT_TEXT(v, "Esc quits");
	return v;
}

static void without_a_target_the_picker_comes_first(void **state)
{
	(void)state;
	struct vt *v = open_first_picker();

	VT_TEXT(v, "Against writing");
	VT_GONE(v, "(looking");
	vt_shot(v, "picker");
	choose_row(v, "null:");
	vt_key(v, "enter");
	VT_ROW(v, ROW_HEADER, "null:");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

static void leaving_the_first_picker_leaves_the_program(void **state)
{
	(void)state;
	struct vt *v = open_first_picker();
	size_t n;

	vt_key(v, "esc");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	assert_false(vt_altscreen(v));
	assert_null(strstr(vt_raw(v, &n), "latency  "));
	e2e_free(v);
}

static void a_loop_device_is_picked_with_what_speaks_against_writing(void **state)
{
	struct loopdev l;
	(void)state;
	if (!e2e_loop(&l, 16 * MIB))
		skip();
	struct vt *v = open_first_picker();

	VT_GONE(v, "(looking");
	choose_row(v, l.name);
	VT_TEXT(v, l.node);
	vt_shot(v, "picker-loop");
	vt_key(v, "enter");
	VT_ROW(v, ROW_HEADER, l.name);
	ANSWER(v, shows_reads);
	e2e_quit(v);
	assert_int_equal(loopdev_free(&l), 0);
}

static void a_file_is_made_where_its_path_and_size_are_typed(void **state)
{
	(void)state;
	const char *path = scratch_path("made.img");
	struct vt *v = open_first_picker();
	struct stat st;

	open_path_entry(v);
	/* Without a size there is no file and none is made. */
	vt_type(v, path);
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "! .*made.img");
	assert_int_not_equal(stat(path, &st), 0);
	vt_shot(v, "picker-trouble");
	/* The path is there still, and the size is what is typed next. */
	vt_type(v, "8M");
	vt_shot(v, "picker-file");
	vt_key(v, "enter");
	VT_ROW(v, ROW_HEADER, "8 MiB");
	ANSWER(v, shows_reads);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 8 * MIB);
	/* It is lunscope's own: writing needs no words. */
	vt_type(v, "r");
	KNOB(v, "Read", "95%");
	ANSWER(v, shows_writes);
	e2e_quit(v);
}

static bool further(struct vt *v, void *before)
{
	char now[160] = "";

	for (int row = 0; row < vt_rows(v); row++)
		if (strstr(vt_row(v, row), "Making scratch file: "))
			snprintf(now, sizeof now, "%s", vt_row(v, row));
	return now[0] && strcmp(now, before) != 0 && snprintf(before, sizeof now, "%s", now) > 0;
}

/* The run before goes on meanwhile, and the keys are answered. */
static void a_large_file_is_made_before_the_eyes_and_esc_leaves_nothing(void **state)
{
	const char *path = scratch_path("large.img");
	char seen[160] = "";
	struct statvfs fs;
	struct stat st;
	(void)state;
	if (statvfs(scratch_dir(), &fs) || (uint64_t)fs.f_bavail * fs.f_frsize < 8192 * MIB) {
		print_message("# no room for a file of 6 GiB\n");
		skip();
	}
	struct vt *v = live();

	vt_type(v, "d");
	open_path_entry(v);
	vt_type(v, path);
	vt_key(v, "tab");
	vt_type(v, "6G");
	vt_key(v, "enter");
	VT_TEXT(v, "of 6 GiB");
	VT_ROW(v, ROW_HEADER, "null:1ms");
	for (int i = 0; i < 3; i++)
		VT_EXPECT(v, vt_wait(v, further, seen));
	vt_shot(v, "making");
	ANSWER(v, shows_reads);
	vt_key(v, "^C");
	VT_TEXT(v, "^C again quits at once");
	vt_key(v, "esc");
	VT_GONE(v, "^C again quits at once");
	vt_key(v, "esc");
	/* Back where it was chosen. */
	VT_TEXT(v, "Tab other field");
	vt_key(v, "esc");
	vt_key(v, "esc");
	VT_GONE(v, "Enter starts reading");
	VT_ROW(v, ROW_HEADER, "null:1ms");
	ANSWER(v, shows_reads);
	e2e_quit(v);
	assert_int_not_equal(stat(path, &st), 0);
}

static void quitting_while_a_file_is_made_leaves_nothing(void **state)
{
	const char *path = scratch_path("left.img");
	struct statvfs fs;
	struct stat st;
	(void)state;
	if (statvfs(scratch_dir(), &fs) || (uint64_t)fs.f_bavail * fs.f_frsize < 8192 * MIB) {
		print_message("# no room for a file of 6 GiB\n");
		skip();
	}
	struct vt *v = open_first_picker();

	open_path_entry(v);
	vt_type(v, path);
	vt_key(v, "tab");
	vt_type(v, "6G");
	vt_key(v, "enter");
	VT_TEXT(v, "of 6 GiB");
	vt_signal(v, SIGTERM);
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 128 + SIGTERM);
	assert_int_not_equal(stat(path, &st), 0);
	e2e_free(v);
}

static void another_target_is_taken_live(void **state)
{
	(void)state;
	const char *path = scratch_file("other.img", 4 * MIB, false);
	uint64_t sum = e2e_file_sum(path, 0, 4 * MIB);
	struct vt *v = live();

	vt_type(v, "r");
	KNOB(v, "Read", "95%");
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	vt_type(v, "d");
	VT_TEXT(v, "Esc back");
	open_path_entry(v);
	vt_type(v, path);
	vt_key(v, "enter");
	VT_ROW(v, ROW_HEADER, "4 MiB");
	/* The knobs stay, but a new target is read, whatever the last one was for. */
	KNOB(v, "Block", "8K");
	KNOB(v, "Read", "100%");
	ANSWER(v, shows_reads);
	/* Esc leaves everything as it is. */
	vt_type(v, "d");
	VT_TEXT(v, "Enter starts reading");
	vt_key(v, "esc");
	VT_GONE(v, "Enter starts reading");
	VT_ROW(v, ROW_HEADER, "4 MiB");
	e2e_quit(v);
	assert_true(e2e_file_sum(path, 0, 4 * MIB) == sum);
}

static void a_typo_under_dev_makes_no_file(void **state)
{
	(void)state;
	struct vt *v = live();
	struct stat st;

	vt_type(v, "d");
	open_path_entry(v);
	vt_type(v, "/dev/no-such-disk");
	vt_key(v, "tab");
	vt_type(v, "1M");
	vt_key(v, "enter");
	VT_MATCH(v, VT_ANY, "! .*/dev/no-such-disk");
	assert_int_not_equal(stat("/dev/no-such-disk", &st), 0);
	/* From the path to the list, and from there to the run that goes on. */
	vt_key(v, "esc");
	VT_GONE(v, "no-such-disk");
	vt_key(v, "esc");
	VT_ROW(v, ROW_HEADER, "null:1ms");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

/* --- Quitting. --- */

static void quitting_keeps_discards_or_goes_on(void **state)
{
	const char *store = scratch_path("quit.db");
	struct proc p;
	(void)state;
	for (int discard = 0; discard < 2; discard++) {
		struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000", "--store", store);
		ANSWER(v, shows_reads);
		vt_key(v, "F10");
		VT_TEXT(v, "Go on");
		VT_TEXT(v, "is kept in");
		vt_shot(v, "quit");
		vt_key(v, "esc");
		VT_GONE(v, "Go on");
		assert_false(vt_exited(v));
		vt_type(v, "q");
		VT_TEXT(v, "Go on");
		vt_type(v, discard ? "d" : "k");
		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 0);
		assert_int_equal(vt_find(v, "kept as run", NULL, NULL), !discard);
		e2e_free(v);
		assert_int_equal(PROC(&p, lunscope_path(), "list", "--store", store), 0);
		assert_int_equal(p.status, 0);
		/* The first is there both times, the second never. */
		assert_non_null(strstr(p.out, "null:1ms"));
		assert_null(strstr(strstr(p.out, "null:1ms") + 1, "null:1ms"));
		proc_free(&p);
	}
}

static void control_c_asks_and_twice_does_not(void **state)
{
	(void)state;
	struct vt *v = live();

	vt_key(v, "^C");
	VT_TEXT(v, "^C again quits at once");
	vt_key(v, "^C");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	VT_TEXT(v, "kept as run");
	e2e_free(v);
	/* From within another dialog too. */
	v = live();
	vt_key(v, "F1");
	VT_TEXT(v, "PgUp PgDn scroll");
	vt_key(v, "^C");
	VT_TEXT(v, "^C again quits at once");
	vt_key(v, "^C");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	e2e_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(help_scrolls_to_its_end_and_back),
		E2E_TEST(without_a_target_the_picker_comes_first),
		E2E_TEST(leaving_the_first_picker_leaves_the_program),
		E2E_TEST(a_loop_device_is_picked_with_what_speaks_against_writing),
		E2E_TEST(a_file_is_made_where_its_path_and_size_are_typed),
		E2E_TEST(a_large_file_is_made_before_the_eyes_and_esc_leaves_nothing),
		E2E_TEST(quitting_while_a_file_is_made_leaves_nothing),
		E2E_TEST(another_target_is_taken_live),
		E2E_TEST(a_typo_under_dev_makes_no_file),
		E2E_TEST(quitting_keeps_discards_or_goes_on),
		E2E_TEST(control_c_asks_and_twice_does_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
