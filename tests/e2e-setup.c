/* e2e-setup.c - the setup screen and its file, as a user meets them: chosen, seen at once, saved when asked
 * and only then, found again at the next start.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "ui/action.h"
#include "ui/pane.h"

/* Of the list: behind theme, characters, colour, units, frames/s, kernel, mouse and footer. */
#define ROW_OF_PANES 8

/* A home of its own for each test. */
static const char *make_home(const char *name)
{
	static char home[4096];

	snprintf(home, sizeof home, "%s", scratch_path(name));
	assert_int_equal(mkdir(home, 0755), 0);
	setenv("HOME", home, 1);
	unsetenv("XDG_CONFIG_HOME");
	return home;
}

static bool is_there(const char *home, const char *name)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/%s", home, name);
	return access(path, F_OK) == 0;
}

static const char *config_of(const char *home)
{
	static char text[4096];
	char path[4200];

	snprintf(path, sizeof path, "%s/.config/lunscope/config", home);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void assert_has(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("no line '%s' in\n%s", line, text);
}

static void down(struct vt *v, int times)
{
	while (times-- > 0)
		vt_key(v, "down");
}

static int title_colour(struct vt *v, const char *title)
{
	int row, col;

	VT_EXPECT(v, vt_find(v, title, &row, &col));
	return vt_cell(v, row, col).fg;
}

static bool all_ascii(struct vt *v)
{
	for (int r = 0; r < vt_rows(v); r++)
		for (int c = 0; c < vt_cols(v); c++)
			if (vt_cell(v, r, c).ch >= 0x80)
				return false;
	return true;
}

static void what_was_saved_is_found_again_and_what_was_not_leaves_no_file(void **state)
{
	const struct vt_options o = {.rows = 43, .cols = 132};
	const char *home = make_home("saves");
	int row, col;

	(void)state;
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "1000", "--no-store");
	VT_TEXT(v, "Latency");
	int colour = title_colour(v, "Latency");
	/* Tried, and taken back. */
	vt_key(v, "F2");
	VT_TEXT(v, "< default >");
	vt_key(v, "right");
	VT_GONE(v, "< default >");
	vt_key(v, "esc");
	VT_GONE(v, "frames/s");
	assert_false(is_there(home, ".config"));
	/* Theme, characters, order of the panes, a key. */
	vt_key(v, "F2");
	VT_TEXT(v, "< default >");
	vt_key(v, "right");
	VT_TEXT(v, "< mono >");
	vt_key(v, "right");
	VT_TEXT(v, "< phosphor >");
	down(v, 1);
	vt_key(v, "right");
	VT_TEXT(v, "< ascii >");
	down(v, ROW_OF_PANES - 1);
	vt_type(v, "+");
	down(v, PANE_COUNT - 1 + (int)ACT_MARK - 1);
	vt_key(v, "enter");
	VT_TEXT(v, "press the key");
	vt_type(v, "n");
	VT_TEXT(v, "n F3 m");
	assert_false(is_there(home, ".config"));
	vt_type(v, "w");
	VT_TEXT(v, "Saved in");
	const char *config = config_of(home);
	assert_has(config, "theme = phosphor\n");
	assert_has(config, "glyphs = ascii\n");
	assert_has(config, "show = throughput iops ");
	assert_has(config, "[keys]\nmark = n F3 m\n");
	vt_key(v, "esc");
	VT_GONE(v, "frames/s");
	e2e_quit(v);

	v = LIVE(&o, "null:1ms", "--rate", "1000", "--no-store");
	VT_TEXT(v, "Latency");
	VT_EXPECT(v, vt_find(v, "Throughput", &row, &col) && col < 8);
	VT_EXPECT(v, all_ascii(v));
	VT_EXPECT(v, title_colour(v, "Latency") != colour);
	vt_type(v, "n");
	VT_TEXT(v, "Enter notes it");
	vt_key(v, "esc");
	VT_GONE(v, "Enter notes it");
	vt_key(v, "F2");
	VT_TEXT(v, "< phosphor >");
	VT_TEXT(v, "< ascii >");
	vt_key(v, "esc");
	VT_GONE(v, "frames/s");
	e2e_quit(v);
}

/* The whole file stays as it was, to the byte. */
static void a_broken_config_is_one_line_with_file_number_and_remedy(void **state)
{
	static const char text[] =
		"; mine\n[screen]\ntheme = phosphor\nfps = 99\n[keys]\nmark = n\n";
	const char *home = make_home("broken");
	char path[4200];
	struct proc p;

	(void)state;
	snprintf(path, sizeof path, "%s/.config", home);
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/lunscope");
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/config");
	FILE *f = fopen(path, "we");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(PROC(&p, lunscope_path(), "null:1ms", "--no-store"), 0);
	assert_int_equal(p.status, 2);
	assert_string_equal(p.out, "");
	strcat(path, ":4: --fps '99': a number from 1 to 20");
	assert_has(p.err, path);
	const char *end = strchr(p.err, '\n');
	assert_true(end && !end[1]);
	proc_free(&p);
	assert_string_equal(config_of(home), text);
}

static void root_writes_into_a_users_home_only_when_told_to_twice(void **state)
{
	const struct vt_options o = {.rows = 43, .cols = 132};
	struct stat st;

	(void)state;
	if (geteuid() != 0) {
		print_message("# not root: there is no home of somebody else's to be had\n");
		skip();
	}
	const char *home = make_home("ada");
	assert_int_equal(chown(home, 1234, 1234), 0);
	setenv("SUDO_USER", "ada", 1);
	setenv("SUDO_UID", "1234", 1);
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "1000", "--no-store");
	vt_key(v, "F2");
	VT_TEXT(v, "< default >");
	vt_key(v, "right");
	VT_GONE(v, "< default >");
	vt_type(v, "w");
	VT_TEXT(v, "as theirs");
	assert_false(is_there(home, ".config"));
	/* Any other key is a no. */
	vt_key(v, "left");
	VT_TEXT(v, "< default >");
	vt_type(v, "w");
	VT_TEXT(v, "as theirs");
	assert_false(is_there(home, ".config"));
	vt_type(v, "w");
	VT_TEXT(v, "Saved in");
	assert_int_equal(stat(scratch_path("ada/.config/lunscope/config"), &st), 0);
	assert_int_equal(st.st_uid, 1234);
	assert_int_equal(stat(scratch_path("ada/.config"), &st), 0);
	assert_int_equal(st.st_uid, 1234);
	vt_key(v, "esc");
	VT_GONE(v, "frames/s");
	e2e_quit(v);
	unsetenv("SUDO_USER");
	unsetenv("SUDO_UID");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(what_was_saved_is_found_again_and_what_was_not_leaves_no_file),
		E2E_TEST(a_broken_config_is_one_line_with_file_number_and_remedy),
		E2E_TEST(root_writes_into_a_users_home_only_when_told_to_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
