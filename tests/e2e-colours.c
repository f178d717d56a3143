/* e2e-colours.c - themes on the live screen: the colours of given cells, none where none are wanted, and
 * what becomes of a broken theme.
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

/* The cell where the first digit of the answer's IOPS stands, and others by their text. */
static struct vt_cell cell_of(struct vt *v, const char *text, int offset)
{
	int row = 0, col = 0;

	/* In the first frames not everything has a figure yet. */
	VT_TEXT(v, text);
	VT_EXPECT(v, vt_find(v, text, &row, &col));
	return vt_cell(v, row, col + offset);
}

static char *theme_text(void)
{
	static char text[16384];
	char path[4200];

	snprintf(path, sizeof path, "%s/themes/default.theme", getenv("TEST_SRCDIR"));
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	size_t n = fread(text, 1, sizeof text - 256, f);
	fclose(f);
	text[n] = '\0';
	return text;
}

/* What the default theme's file says of a style in that section: its colours, VT_DEFAULT if none. */
static void look_of(const char *section, const char *style, int *fg, int *bg)
{
	static const char *const names[] = {"black", "red",     "green", "yellow",
					    "blue",  "magenta", "cyan",  "white"};
	char want[64], word[2][16] = {"", ""};
	int *colour[2] = {fg, bg};

	snprintf(want, sizeof want, "\n[%s]\n", section);
	const char *at = strstr(theme_text(), want);
	assert_non_null(at);
	snprintf(want, sizeof want, "\n%s = ", style);
	at = strstr(at, want);
	assert_non_null(at);
	sscanf(at + strlen(want), "%15s on %15s", word[0], word[1]);
	for (int i = 0; i < 2; i++) {
		*colour[i] = word[i][0] >= '0' && word[i][0] <= '9' ? atoi(word[i]) : VT_DEFAULT;
		for (int n = 0; n < 8; n++)
			if (!strcmp(word[i], names[n]))
				*colour[i] = n;
	}
}

#define EXPECT_LOOK(v, section, style, text, offset) \
	expect_look(v, section, style, cell_of(v, text, offset))
static void expect_look(struct vt *v, const char *section, const char *style, struct vt_cell cell)
{
	int fg, bg;
	char what[96];

	look_of(section, style, &fg, &bg);
	snprintf(what, sizeof what, "%s is %d on %d, not %d on %d", style, fg, bg, cell.fg,
		 cell.bg);
	vt_expect(v, cell.fg == fg && cell.bg == bg, what, __FILE__, __LINE__);
}

static void expect_default_theme(struct vt *v, const char *section)
{
	ANSWER(v, shows_writes);
	EXPECT_LOOK(v, section, "read", " R ", 1);
	EXPECT_LOOK(v, section, "write", " W ", 1);
	EXPECT_LOOK(v, section, "good", "RUN", 0);
	EXPECT_LOOK(v, section, "focus", "<   8>", 4);
	EXPECT_LOOK(v, section, "knob", "  4K]", 3);
	EXPECT_LOOK(v, section, "key-label", "F1Help", 2);
	EXPECT_LOOK(v, section, "label", "p50", 0);
}

static void the_default_theme_has_its_colours_in_their_cells(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000", "--read", "50");

	expect_default_theme(v, "256");
	e2e_quit(v);
}

static void eight_colours_are_used_where_there_are_eight(void **state)
{
	(void)state;
	struct vt_options o = {.term = "linux"};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--read", "50");

	expect_default_theme(v, "8");
	for (int r = 0; r < vt_rows(v); r++)
		for (int c = 0; c < vt_cols(v); c++)
			assert_true(vt_cell(v, r, c).fg < 16 && vt_cell(v, r, c).bg < 16);
	e2e_quit(v);
}

/* Themes by name are looked for in the operator's folder: the source's stand in for it. */
static const char *const *with_themes(void)
{
	static const char *env[2];
	static char text[4200];
	char source[4200];

	if (!env[0]) {
		mkdir(scratch_path("config"), 0700);
		mkdir(scratch_path("config/lunscope"), 0700);
		snprintf(source, sizeof source, "%s/themes", getenv("TEST_SRCDIR"));
		assert_int_equal(symlink(source, scratch_path("config/lunscope/themes")), 0);
		snprintf(text, sizeof text, "XDG_CONFIG_HOME=%s", scratch_path("config"));
		env[0] = text;
	}
	return env;
}

/* A theme of the test's own: the whole default one with one colour changed and other words. */
static const char *own_theme(const char *name, const char *from, const char *to)
{
	char *text = theme_text();
	char *at = strstr(text, from);
	assert_non_null(at);
	memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
	memcpy(at, to, strlen(to));
	return scratch_text(name, text);
}

static bool no_colours(struct vt *v, void *arg)
{
	(void)arg;
	return vt_colours(v) == 0;
}

static bool read_is_not(struct vt *v, void *arg)
{
	return cell_of(v, " R ", 1).fg != *(int *)arg;
}

static void a_theme_is_chosen_by_path_and_changed_by_key(void **state)
{
	(void)state;
	char was[32];
	int fg, bg;
	look_of("256", "read", &fg, &bg);
	snprintf(was, sizeof was, "\nread = %d", fg);
	const char *theme = own_theme("mine.theme", was, "\nread = 99");
	struct vt_options o = {.env = with_themes()};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--theme", theme);

	ANSWER(v, shows_reads);
	assert_int_equal(cell_of(v, " R ", 1).fg, 99);
	vt_type(v, "C");
	VT_ROW(v, -1, "Theme: ");
	VT_EXPECT(v, vt_wait(v, read_is_not, (int[]){99}));
	e2e_quit(v);
}

static void a_broken_theme_is_one_line_and_the_terminal_is_left_alone(void **state)
{
	(void)state;
	/* Line 10 of the file. */
	const char *theme =
		own_theme("broken.theme", "normal = default", "normal = no-such-colour");
	const char *argv[] = {lunscope_path(), "null:1ms", "--theme", theme, NULL};
	struct vt *v = e2e_keep(vt_start(NULL, argv));
	char want[5000];
	size_t n;

	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 2);
	snprintf(want, sizeof want, "%s:10: bad colour 'no-such-colour'", theme);
	assert_non_null(strstr(vt_raw(v, &n), want));
	e2e_expect_one_line(v);
	assert_true(vt_line_sane(v));
	e2e_free(v);
}

static void every_theme_is_found_by_name_and_by_the_key(void **state)
{
	static const char *const names[] = {"contrast", "default", "mono", "phosphor", "solarized"};
	(void)state;
	struct vt_options o = {.env = with_themes()};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct vt *v =
			LIVE(&o, "null:1ms", "--rate", "2000", "--read", "50", "--theme", names[i]);
		char shot[32];
		ANSWER(v, shows_writes);
		VT_EXPECT(v, e2e_colourless(v) == !strcmp(names[i], "mono"));
		vt_pump(v, 1.5);
		snprintf(shot, sizeof shot, "theme-%s", names[i]);
		vt_shot(v, shot);
		e2e_quit(v);
	}
	/* From default the key goes to the next in the alphabet; live, with the IO going on. */
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--read", "50");
	ANSWER(v, shows_writes);
	expect_default_theme(v, "256");
	vt_type(v, "C");
	VT_ROW(v, -1, "Theme: ");
	VT_EXPECT(v, vt_wait(v, no_colours, NULL));
	ANSWER(v, shows_writes);
	e2e_quit(v);
}

/* What colours say must be said by words too. */
static void expect_meaning_without_colour(struct vt *v)
{
	ANSWER(v, shows_writes);
	VT_ROW(v, ROW_HEADER, "RUN");
	VT_MATCH(v, ROW_KNOBS, "<   8>");
	VT_TEXT(v, "read");
	VT_TEXT(v, "write");
	vt_type(v, "s");
	VT_ROW(v, ROW_HEADER, "STOP");
	vt_key(v, "F1");
	VT_TEXT(v, "Esc back");
	vt_key(v, "esc");
	VT_GONE(v, "Esc back");
	VT_EXPECT(v, e2e_colourless(v));
}

static void htop_1875_no_colour_is_sent_where_none_is_wanted(void **state)
{
	static const char *const no_color[] = {"NO_COLOR=1", NULL};
	(void)state;
	struct vt_options o = {.env = no_color};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--read", "50");

	expect_meaning_without_colour(v);
	vt_shot(v, "colour-no-color");
	e2e_quit(v);
	v = LIVE(NULL, "null:1ms", "--rate", "2000", "--read", "50", "--color", "never");
	expect_meaning_without_colour(v);
	e2e_quit(v);
	/* What was asked for on the command line goes before the environment. */
	v = LIVE(&o, "null:1ms", "--rate", "2000", "--read", "50", "--color=always");
	ANSWER(v, shows_writes);
	VT_EXPECT(v, !e2e_colourless(v));
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(the_default_theme_has_its_colours_in_their_cells),
		E2E_TEST(eight_colours_are_used_where_there_are_eight),
		E2E_TEST(a_theme_is_chosen_by_path_and_changed_by_key),
		E2E_TEST(every_theme_is_found_by_name_and_by_the_key),
		E2E_TEST(a_broken_theme_is_one_line_and_the_terminal_is_left_alone),
		E2E_TEST(htop_1875_no_colour_is_sent_where_none_is_wanted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
