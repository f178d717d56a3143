/* unit-style.c - the themes that are shipped, and what the reader says about broken ones.
 *
 * Colours are judged as a terminal shows them: xterm's 256 (X.Org's 256colres.h) and, for [8], the
 * console's own eight (the VGA palette), the darkest in use. Contrast is WCAG 2.1's ratio of relative
 * luminances; deuteranopia is Machado, Oliveira and Fernandes 2009, severity 1; distance is CIE 1976.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "ui/style.h"

/* Every file in themes/, so that a new one is judged too. */
static char shipped[32][64];
static size_t shipped_count;
#define SHIPPED shipped_count

static void list_shipped(void)
{
	const char *srcdir = getenv("srcdir");
	char path[512];

	snprintf(path, sizeof(path), "%s/themes", srcdir ? srcdir : ".");
	DIR *dir = opendir(path);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		char *dot = strrchr(e->d_name, '.');

		if (!dot || strcmp(dot, ".theme") != 0 || shipped_count == 32)
			continue;
		snprintf(shipped[shipped_count++], sizeof(shipped[0]), "%.*s",
			 (int)(dot - e->d_name), e->d_name);
	}
	if (dir)
		closedir(dir);
}

static struct theme load_shipped(const char *name)
{
	const char *srcdir = getenv("srcdir");
	struct theme t;
	struct error e;
	char path[512];

	snprintf(path, sizeof(path), "%s/themes/%s.theme", srcdir ? srcdir : ".", name);
	if (theme_load(&t, path, &e) < 0)
		fail_msg("%s", e.text);
	return t;
}

/* --- Colour --- */

struct colour {
	double c[3]; /* linear RGB, 0..1 */
};

static double linear(int v)
{
	double s = v / 255.0;

	return s <= 0.03928 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

static struct colour of_rgb(int r, int g, int b)
{
	return (struct colour){{linear(r), linear(g), linear(b)}};
}

static struct colour of_number(enum palette p, int n)
{
	static const int vga[8][3] = {{0, 0, 0},   {170, 0, 0},   {0, 170, 0},   {170, 85, 0},
				      {0, 0, 170}, {170, 0, 170}, {0, 170, 170}, {170, 170, 170}};
	static const int step[] = {0, 95, 135, 175, 215, 255};

	if (p == PALETTE_8 || n < 8)
		return of_rgb(vga[n][0], vga[n][1], vga[n][2]);
	/* 8 to 15 are whatever the terminal's settings say: no shipped theme uses them. */
	assert_true(n >= 16);
	if (n >= 232)
		return of_rgb(8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232));
	n -= 16;
	return of_rgb(step[n / 36], step[n / 6 % 6], step[n % 6]);
}

static double luminance(struct colour a)
{
	return 0.2126 * a.c[0] + 0.7152 * a.c[1] + 0.0722 * a.c[2];
}

static double contrast(struct colour a, struct colour b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

static struct colour seen_by_deuteranope(struct colour a)
{
	static const double m[3][3] = {{0.367322, 0.860646, -0.227968},
				       {0.280085, 0.672501, 0.047413},
				       {-0.011820, 0.042940, 0.968881}};
	struct colour out;

	for (int i = 0; i < 3; i++) {
		double v = m[i][0] * a.c[0] + m[i][1] * a.c[1] + m[i][2] * a.c[2];

		out.c[i] = v < 0 ? 0 : v > 1 ? 1 : v;
	}
	return out;
}

static double lab_root(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : t * 841 / 108 + 4.0 / 29;
}

/* CIE L*a*b*, D65. */
static void lab(struct colour a, double out[3])
{
	double x = (0.4124 * a.c[0] + 0.3576 * a.c[1] + 0.1805 * a.c[2]) / 0.9505;
	double z = (0.0193 * a.c[0] + 0.1192 * a.c[1] + 0.9505 * a.c[2]) / 1.0890;

	out[0] = 116 * lab_root(luminance(a)) - 16;
	out[1] = 500 * (lab_root(x) - lab_root(luminance(a)));
	out[2] = 200 * (lab_root(luminance(a)) - lab_root(z));
}

static double distance(const double a[3], const double b[3])
{
	double sum = 0;

	for (int k = 0; k < 3; k++)
		sum += (a[k] - b[k]) * (a[k] - b[k]);
	return sqrt(sum);
}

/* Both kinds of ground that "any" has to bear; the lightest of usual dark ones, Solarized's paper. */
static struct colour ground_of(enum palette p, bool light)
{
	if (p == PALETTE_8)
		return light ? of_rgb(255, 255, 255) : of_rgb(0, 0, 0);
	return light ? of_rgb(0xfd, 0xf6, 0xe3) : of_rgb(30, 30, 30);
}

static struct colour text_of(bool light)
{
	return light ? of_rgb(0, 0, 0) : of_rgb(192, 192, 192);
}

static double look_contrast(enum palette p, const struct look *look, bool light)
{
	struct colour fg = look->fg < 0 ? text_of(light) : of_number(p, look->fg);
	struct colour bg = look->bg < 0 ? ground_of(p, light) : of_number(p, look->bg);

	return contrast(fg, bg);
}

static void assert_contrast(const struct theme *t, enum palette p, bool light, double least)
{
	for (int s = 0; s < ST_COUNT; s++) {
		double ratio = look_contrast(p, &t->look[p][s], light);

		if (ratio < least)
			fail_msg("%s: %s in [%s] has a contrast of %.2f on a %s ground", t->name,
				 style_name((enum style)s), p == PALETTE_8 ? "8" : "256", ratio,
				 light ? "light" : "dark");
	}
}

static void every_style_has_a_contrast_of_3_on_the_declared_ground(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHIPPED; i++) {
		struct theme t = load_shipped(shipped[i]);

		for (int p = PALETTE_8; p <= PALETTE_256; p++) {
			if (strcmp(t.background, "light") != 0)
				assert_contrast(&t, (enum palette)p, false, 3.0);
			if (strcmp(t.background, "dark") != 0)
				assert_contrast(&t, (enum palette)p, true, 3.0);
		}
	}
}

/* With C it comes up on whatever terminal there is. */
static void htop_279_a_light_theme_paints_the_whole_ground_itself(void **state)
{
	int light = 0;

	(void)state;
	for (size_t i = 0; i < SHIPPED; i++) {
		struct theme t = load_shipped(shipped[i]);

		if (strcmp(t.background, "light") != 0)
			continue;
		light++;
		for (int p = PALETTE_8; p <= PALETTE_256; p++) {
			for (int s = 0; s < ST_COUNT; s++) {
				const struct look *look = &t.look[p][s];

				if (look->fg == COLOUR_DEFAULT || look->bg == COLOUR_DEFAULT)
					fail_msg("%s: %s leaves a colour to the terminal", t.name,
						 style_name((enum style)s));
				/* consoles draw bold in a lighter colour */
				assert_false(p == PALETTE_8 && look->bg == 7 &&
					     look->attr & ATTR_BOLD);
			}
			/* what it paints is light, and readable whatever the terminal's own is */
			assert_true(luminance(of_number((enum palette)p, t.look[p][ST_NORMAL].bg)) >
				    0.3);
			assert_contrast(&t, (enum palette)p, false, 3.0);
			assert_contrast(&t, (enum palette)p, true, 3.0);
		}
	}
	assert_true(light > 0);
}

static void the_contrast_theme_reaches_7_with_256_colours(void **state)
{
	struct theme t = load_shipped("contrast");

	(void)state;
	assert_contrast(&t, PALETTE_256, false, 7.0);
	assert_contrast(&t, PALETTE_256, true, 7.0);
}

static void htop_905_reads_and_writes_differ_for_red_green_blind_eyes(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHIPPED; i++) {
		struct theme t = load_shipped(shipped[i]);

		for (int p = PALETTE_8; p <= PALETTE_256; p++) {
			const struct look *r = &t.look[p][ST_READ], *w = &t.look[p][ST_WRITE];
			double a[3], b[3];

			if (strcmp(t.name, "mono") == 0) {
				assert_int_not_equal(r->attr, w->attr);
				continue;
			}
			lab(seen_by_deuteranope(of_number((enum palette)p, r->fg)), a);
			lab(seen_by_deuteranope(of_number((enum palette)p, w->fg)), b);
			if (distance(a, b) < 40 || fabs(a[0] - b[0]) < 10)
				fail_msg("%s, palette %d: distance %.0f, lightness %.0f", t.name, p,
					 distance(a, b), a[0] - b[0]);
		}
	}
}

/* On its own ground, or the one it was made for; on "any", the one that it paints. */
static void assert_ramp(const struct theme *t, enum palette p)
{
	bool light = strcmp(t->background, "light") == 0;
	const struct look *step = &t->look[p][ST_HEAT_1];

	for (int i = 0; i < 3; i++) {
		double from = look_contrast(p, &step[i], light), a[3], b[3];
		double to = look_contrast(p, &step[i + 1], light);

		lab(seen_by_deuteranope(of_number(p, step[i].fg)), a);
		lab(seen_by_deuteranope(of_number(p, step[i + 1].fg)), b);
		if (p == PALETTE_256 && (to < 1.1 * from || distance(a, b) < 10))
			fail_msg("%s: heat-%d to heat-%d: contrast %.2f to %.2f, distance %.0f",
				 t->name, i + 1, i + 2, from, to, distance(a, b));
		if (p == PALETTE_8 && to < from)
			fail_msg("%s: heat-%d stands out less than heat-%d", t->name, i + 2, i + 1);
	}
}

/* Eight colours have no four in a row; the characters tell the rest. */
static int different_looks(const struct look *step)
{
	int n = 0;

	for (int i = 0; i < 4; i++)
		n += i == 0 || step[i].fg != step[i - 1].fg || step[i].attr != step[i - 1].attr;
	return n;
}

static void the_heat_maps_colours_stand_out_more_step_by_step(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHIPPED; i++) {
		struct theme t = load_shipped(shipped[i]);

		for (int p = PALETTE_8; p <= PALETTE_256 && strcmp(t.name, "mono") != 0; p++) {
			assert_ramp(&t, (enum palette)p);
			assert_true(different_looks(&t.look[p][ST_HEAT_1]) >=
				    (p == PALETTE_8 ? 3 : 4));
		}
		/* Nothing that would cover the characters. */
		for (int k = 0; k < 4; k++)
			assert_int_equal(t.look[PALETTE_MONO][ST_HEAT_1 + k].attr & ~ATTR_BOLD, 0);
	}
}

static void without_colour_reads_and_writes_differ_too(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHIPPED; i++) {
		struct theme t = load_shipped(shipped[i]);

		assert_int_not_equal(t.look[PALETTE_MONO][ST_READ].attr,
				     t.look[PALETTE_MONO][ST_WRITE].attr);
		assert_int_not_equal(t.look[PALETTE_MONO][ST_FOCUS].attr,
				     t.look[PALETTE_MONO][ST_NORMAL].attr);
		assert_int_not_equal(t.look[PALETTE_MONO][ST_BAD].attr,
				     t.look[PALETTE_MONO][ST_NORMAL].attr);
	}
}

static void htop_1013_on_a_dark_ground_nothing_is_plain_blue_or_bold_black(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHIPPED; i++) {
		struct theme t = load_shipped(shipped[i]);

		for (int s = 0; s < ST_COUNT; s++) {
			const struct look *look = &t.look[PALETTE_8][s];

			if (look->fg == 4 && look->bg == COLOUR_DEFAULT)
				assert_string_equal(t.background, "light");
			/* vgacon draws it dark grey on the colour. */
			assert_false(look->fg == 0 && look->attr & ATTR_BOLD);
		}
	}
}

/* How a look differs from another one if boldness doesn't show, as on a console with 512 glyphs (where
 * with 8 colours curses leaves underline and dim out beside one, too: terminfo's ncv). */
static bool differs_plainly(enum palette p, const struct look *a, const struct look *b)
{
	const struct look *look[] = {a, b};
	int shown[2];

	for (int i = 0; i < 2; i++) {
		bool coloured = p == PALETTE_8 && (look[i]->fg >= 0 || look[i]->bg >= 0);

		shown[i] =
			look[i]->attr & (coloured ? ATTR_REVERSE : ATTR_REVERSE | ATTR_UNDERLINE);
	}
	return shown[0] != shown[1] || a->fg != b->fg || a->bg != b->bg;
}

/* Those that have no character of their own to say what they are. */
static void no_state_is_told_by_boldness_alone(void **state)
{
	static const enum style states[] = {ST_FOCUS,     ST_SELECTED,     ST_BAD,
					    ST_KEY_LABEL, ST_DIALOG_TITLE, ST_INPUT};
	static const enum style others[] = {ST_NORMAL, ST_DIALOG, ST_KNOB, ST_GOOD};

	(void)state;
	for (size_t i = 0; i < SHIPPED; i++) {
		struct theme t = load_shipped(shipped[i]);

		for (int p = 0; p < PALETTE_COUNT; p++)
			for (size_t k = 0; k < sizeof(states) / sizeof(states[0]); k++)
				for (size_t o = 0; o < sizeof(others) / sizeof(others[0]); o++)
					if (!differs_plainly((enum palette)p, &t.look[p][states[k]],
							     &t.look[p][others[o]]))
						fail_msg("%s, palette %d: %s is like %s", t.name, p,
							 style_name(states[k]),
							 style_name(others[o]));
	}
}

static void the_name_in_a_theme_is_the_file_s(void **state)
{
	(void)state;
	assert_true(SHIPPED >= 6);
	for (size_t i = 0; i < SHIPPED; i++)
		assert_string_equal(load_shipped(shipped[i]).name, shipped[i]);
}

static void the_builtin_theme_is_the_default_file(void **state)
{
	struct theme t = load_shipped("default");

	(void)state;
	assert_string_equal(t.name, theme_builtin.name);
	assert_string_equal(t.title, theme_builtin.title);
	assert_string_equal(t.background, theme_builtin.background);
	for (int p = 0; p < PALETTE_COUNT; p++)
		for (int s = 0; s < ST_COUNT; s++) {
			const struct look *a = &t.look[p][s], *b = &theme_builtin.look[p][s];

			if (a->fg != b->fg || a->bg != b->bg || a->attr != b->attr)
				fail_msg("%s differs in palette %d", style_name((enum style)s), p);
		}
}

/* --- The reader --- */

struct scratch {
	char dir[64];
	char path[128];
};

static int make_scratch(void **state)
{
	static struct scratch s;

	strcpy(s.dir, "/tmp/unit-style.XXXXXX");
	if (!mkdtemp(s.dir))
		return -1;
	snprintf(s.path, sizeof(s.path), "%s/x.theme", s.dir);
	*state = &s;
	return 0;
}

static int drop_scratch(void **state)
{
	struct scratch *s = *state;

	unlink(s->path);
	return rmdir(s->dir);
}

/* A complete theme, with line `at` replaced by text (NULL: left out). Line 1 is [theme], 5 is [256],
 * the styles of [256] follow from 6 on. */
static void write_theme(const char *path, int at, const char *text)
{
	static const char *const section[] = {"256", "8", "mono"};
	FILE *f = fopen(path, "w");
	char line[64];
	int n = 0;

	assert_non_null(f);
#define LINE(...)                                          \
	do {                                               \
		snprintf(line, sizeof(line), __VA_ARGS__); \
		if (++n != at)                             \
			fprintf(f, "%s\n", line);          \
		else if (text)                             \
			fprintf(f, "%s\n", text);          \
	} while (0)
	LINE("[theme]");
	LINE("name = x");
	LINE("title = X");
	LINE("background = dark");
	for (int p = 0; p < 3; p++) {
		LINE("[%s]", section[p]);
		for (int s = 0; s < ST_COUNT; s++)
			LINE("%s = %s", style_name((enum style)s), p < 2 ? "7 on 0" : "plain");
	}
#undef LINE
	fclose(f);
}

static void assert_refused(const struct scratch *s, int at, const char *text, const char *words)
{
	struct theme t;
	struct error e = {""};
	char expected[512];

	write_theme(s->path, at, text);
	assert_int_equal(theme_load(&t, s->path, &e), -22);
	snprintf(expected, sizeof(expected), "%s:%s", s->path, words);
	assert_string_equal(e.text, expected);
}

#define READ_LINE (6 + ST_READ)

static void a_broken_line_is_named_by_its_number(void **state)
{
	const char *colours = "it is default, black, red, green, yellow, blue, magenta, cyan, "
			      "white or a number from 0 to";
	char words[300];

	assert_refused(*state, READ_LINE, "raed = 7", "12: unknown style 'raed'");
	snprintf(words, sizeof(words), "12: bad colour 'ornage': %s 255", colours);
	assert_refused(*state, READ_LINE, "read = ornage", words);
	snprintf(words, sizeof(words), "12: bad colour '256': %s 255", colours);
	assert_refused(*state, READ_LINE, "read = 7 on 256 bold", words);
	snprintf(words, sizeof(words), "12: bad colour '': %s 255", colours);
	assert_refused(*state, READ_LINE, "read = 7 on", words);
	snprintf(words, sizeof(words), "%d: bad colour '8': %s 7", READ_LINE + ST_COUNT + 1,
		 colours);
	assert_refused(*state, READ_LINE + ST_COUNT + 1, "read = 8", words);
	assert_refused(*state, READ_LINE, "read = 7 blink",
		       "12: unknown attribute 'blink': there are bold, reverse, underline and dim");
	assert_refused(*state, READ_LINE, "normal = 7", "12: style 'normal' stands in [256] twice");
	assert_refused(*state, READ_LINE, "read", "12: this is neither [section] nor name = value");
	assert_refused(*state, 5, "[265]",
		       "6: unknown section [265]: there are [theme], [256], [8] and [mono]");
	assert_refused(*state, 4, "background = grey",
		       "4: background is dark, light or any, not 'grey'");
	assert_refused(*state, 2, "nmae = x",
		       "2: unknown entry 'nmae': [theme] has name, title and background");
}

static void a_missing_style_is_reported_at_its_section_s_end(void **state)
{
	assert_refused(*state, READ_LINE, NULL, "34: [256] lacks the style 'read'");
	assert_refused(*state, 3, NULL, "96: [theme] lacks 'title'");
}

static void an_overlong_line_is_refused_not_cut(void **state)
{
	char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text, "read = 7 ;", 10);
	assert_refused(*state, READ_LINE, text, "12: the line is too long");
}

static void indented_lines_blank_lines_and_comments_are_fine(void **state)
{
	const struct scratch *s = *state;
	struct theme t;
	struct error e;

	write_theme(s->path, READ_LINE, "\n\t; reads\n  read = green on 17 bold underline ; so");
	if (theme_load(&t, s->path, &e) < 0)
		fail_msg("%s", e.text);
	assert_int_equal(t.look[PALETTE_256][ST_READ].fg, 2);
	assert_int_equal(t.look[PALETTE_256][ST_READ].bg, 17);
	assert_int_equal(t.look[PALETTE_256][ST_READ].attr, ATTR_BOLD | ATTR_UNDERLINE);
}

/* --- Finding themes --- */

static void the_user_s_own_folder_comes_first(void **state)
{
	const struct scratch *s = *state;
	char lunscope[200], themes[256], own[300], other[300];
	struct error e;
	struct theme t;
	char **names;
	bool found = false;
	int n;

	snprintf(lunscope, sizeof(lunscope), "%s/lunscope", s->dir);
	snprintf(themes, sizeof(themes), "%s/themes", lunscope);
	snprintf(own, sizeof(own), "%s/default.theme", themes);
	snprintf(other, sizeof(other), "%s/own.theme", themes);
	assert_int_equal(mkdir(lunscope, 0700), 0);
	assert_int_equal(mkdir(themes, 0700), 0);
	write_theme(own, 3, "title = My own");
	write_theme(other, 0, NULL);
	setenv("XDG_CONFIG_HOME", s->dir, 1);
	if (theme_load(&t, "default", &e) < 0)
		fail_msg("%s", e.text);
	assert_string_equal(t.title, "My own");
	n = theme_list(&names);
	for (int i = 0; i < n; i++) {
		if (i > 0)
			assert_true(strcmp(names[i - 1], names[i]) < 0);
		found |= strcmp(names[i], "own") == 0;
	}
	assert_true(found);
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
	unsetenv("XDG_CONFIG_HOME");
	unlink(own);
	unlink(other);
	rmdir(themes);
	rmdir(lunscope);
}

static void an_unknown_theme_is_answered_with_those_there_are(void **state)
{
	struct theme t;
	struct error e = {""};

	(void)state;
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	assert_int_equal(theme_load(&t, "raed", &e), -2);
	assert_memory_equal(e.text, "no theme 'raed': there ", 23);
	assert_non_null(strstr(e.text, "default"));
	assert_int_equal(theme_load(&t, "/nonexistent/x.theme", &e), -2);
	assert_string_equal(e.text, "/nonexistent/x.theme: No such file or directory");
	unsetenv("XDG_CONFIG_HOME");
}

static void the_default_theme_is_there_without_any_file(void **state)
{
	struct theme t;
	struct error e;

	(void)state;
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	assert_int_equal(theme_load(&t, "default", &e), 0);
	assert_string_equal(t.name, "default");
	unsetenv("XDG_CONFIG_HOME");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_style_has_a_contrast_of_3_on_the_declared_ground),
		cmocka_unit_test(htop_279_a_light_theme_paints_the_whole_ground_itself),
		cmocka_unit_test(the_contrast_theme_reaches_7_with_256_colours),
		cmocka_unit_test(htop_905_reads_and_writes_differ_for_red_green_blind_eyes),
		cmocka_unit_test(the_heat_maps_colours_stand_out_more_step_by_step),
		cmocka_unit_test(without_colour_reads_and_writes_differ_too),
		cmocka_unit_test(no_state_is_told_by_boldness_alone),
		cmocka_unit_test(htop_1013_on_a_dark_ground_nothing_is_plain_blue_or_bold_black),
		cmocka_unit_test(the_name_in_a_theme_is_the_file_s),
		cmocka_unit_test(the_builtin_theme_is_the_default_file),
		cmocka_unit_test(a_broken_line_is_named_by_its_number),
		cmocka_unit_test(a_missing_style_is_reported_at_its_section_s_end),
		cmocka_unit_test(an_overlong_line_is_refused_not_cut),
		cmocka_unit_test(indented_lines_blank_lines_and_comments_are_fine),
		cmocka_unit_test(the_user_s_own_folder_comes_first),
		cmocka_unit_test(an_unknown_theme_is_answered_with_those_there_are),
		cmocka_unit_test(the_default_theme_is_there_without_any_file),
	};

	list_shipped();
	return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}
