/* filed-terminals.c - what others have filed against their screens must not happen on this one: 33 issues
 * of tools like it, each a test that is named after it, in six terminal types.
 *
 * The live screen is started once for each terminal type. What is asked of every screen (which characters,
 * colours and sequences are used) is gathered on one walk through them; the tests that follow look at it,
 * or do something to the screen that is still there. The last one ends it.
 *
 * Where each of the 33 is (those without a file: here). All of them apply; but of 11
 * (messages of the kernel over the screen) and of 10 (those of others) a program sees no more than that its
 * screen was spoiled, so that one test is for both.
 *
 *    1 htop 29             no two states alike      18 btop 231         filed-starts
 *    2 btop 351, htop 212  no braille (unit-font)   19 btop 1597        e2e-life
 *    3 btop 1440           nothing by bold alone    20 htop 948         filed-starts
 *    4 htop 1013           no blue (unit-style)     21 nnn 2161         the cursor
 *    5 htop 14             no black on black        22 ghcup 1030       the end
 *    6 htop 905            colours (unit-style)     23 htop 732         F-keys
 *    7 htop 279            grounds (unit-style)     24 htop 576         letters
 *    8 htop 1875           e2e-colours              25 htop 421         CJK (unit-canvas)
 *    9 htop 973            no mouse                 26 kakoune 4317     no flicker (e2e-line)
 *   10 htop 1651           (unit-term)              27 diskgraph 7      unit-term, e2e-line
 *   11 Security-Onion 812  as 10                    28 spdk 2219        resizing
 *   12 nvtop 147           unit-layout              29 crossterm 1011   size 0x0 (e2e-screen)
 *   13 ttyplot 213         tiny windows             30 kitty 4164       e2e-terminals
 *   14 nvtop 198           boxes                    31 htop 709         unit-panes
 *   15 nvtop 80            wide windows             32 notcurses 313    e2e-life
 *   16 sngrep 290          e2e-glyphs               33 cava 68          no program is run
 *   17 tig 527             plain locales
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/proc.h"

struct terminal {
	const char *term, *locale;
	bool utf8, colours, braille, fkeys, altscreen;
};

static const struct terminal terminals[] = {
	{"xterm-256color", "C.UTF-8", true, true, true, true, true},
	{"screen-256color", "C.UTF-8", true, true, true, true, true},
	{"tmux-256color", "C.UTF-8", true, true, true, true, true},
	{"linux", "C.UTF-8", true, true, false, true, false},
	{"vt100", "C", false, false, false, true, false},
	{"vt220", "C", false, false, false, false, false},
};
#define TERMINALS (sizeof terminals / sizeof *terminals)

static const struct terminal *on;
static struct vt *v;
static bool whole; /* the last test came to its end: the main screen is there */

/* --- What was seen on the walk through the screens. --- */

static struct {
	int screens;
	int braille, beyond_the_font, blue, dark, painted, spelt_lines;
	char where[64]; /* the first place of any of them */
} seen;

static bool in_console_font(uint32_t ch)
{
	/* What Debian's console fonts have of lines, blocks and shapes; the rest is letters. */
	static const uint32_t shapes[] = {0x2500, 0x2502, 0x250c, 0x2510, 0x2514, 0x2518, 0x251c,
					  0x2524, 0x252c, 0x2534, 0x253c, 0x2588, 0x2591, 0x2592,
					  0x25a0, 0x25cf, 0x25b2, 0x25bc, 0x25b6, 0x25c0, 0x25ac};

	if (ch < 0x2190)
		return true;
	if (ch <= 0x2193)
		return true;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (shapes[i] == ch)
			return true;
	return false;
}

static void remember(int *count, const char *screen, const char *what, int row, int col)
{
	if (!(*count)++ && !seen.where[0])
		snprintf(seen.where, sizeof seen.where, "%s on %s at %d,%d", what, screen, row,
			 col);
}

static void look_at_cell(const char *screen, int row, int col)
{
	struct vt_cell c = vt_cell(v, row, col);
	bool ground = c.bg == VT_DEFAULT || c.bg == 0;

	if (c.ch >= 0x2800 && c.ch < 0x2900)
		remember(&seen.braille, screen, "braille", row, col);
	if (!in_console_font(c.ch))
		remember(&seen.beyond_the_font, screen, "a stranger", row, col);
	if (c.bg != VT_DEFAULT && c.ch == ' ')
		seen.painted++;
	if (c.ch == ' ' || c.reverse || !ground)
		return;
	if (c.fg == 4)
		remember(&seen.blue, screen, "plain blue", row, col);
	if (c.fg == 0 || c.fg == 8)
		remember(&seen.dark, screen, "black", row, col);
}

static void look_at_screen(const char *screen)
{
	seen.screens++;
	for (int r = 0; r < vt_rows(v); r++) {
		for (int c = 0; c < vt_cols(v); c++)
			look_at_cell(screen, r, c);
		if (strstr(vt_row(v, r), "qqq") || strstr(vt_row(v, r), "M-b"))
			remember(&seen.spelt_lines, screen, "line drawing as letters", r, 0);
	}
}

static void walk(void)
{
	static const struct {
		const char *key, *there;
	} screens[] = {
		{"?", ": help"}, {"a", "Alignment"},         {"f", "Goal"},
		{"c", "curve"},  {"v", "lunscope: compare"}, {"k", "nobs"},
		{"q", "Go on"},  {"e", "repeats the run"},
	};

	memset(&seen, 0, sizeof seen);
	look_at_screen("the main screen");
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
		vt_type(v, screens[i].key);
		VT_TEXT(v, screens[i].there);
		look_at_screen(screens[i].there);
		vt_key(v, "esc");
		VT_GONE(v, screens[i].there);
	}
}

/* --- What was received. --- */

/* How many control sequences "ESC [ ... final" came, with `private` before the first parameter where that is
 * not 0, and with that first parameter where it is not negative. */
static int sequences(char private, int parameter, char final)
{
	size_t n;
	const char *p = vt_raw(v, &n), *end = p + n;
	int count = 0;

	while (p + 2 < end) {
		if (p[0] != '\033' || p[1] != '[') {
			p++;
			continue;
		}
		p += 2;
		bool wanted = !private || *p == private;
		int value = atoi(p + (*p == '?' || *p == '>'));
		while (p < end && (unsigned char)*p < 0x40)
			p++;
		if (p < end && *p == final && wanted && (parameter < 0 || value == parameter))
			count++;
	}
	return count;
}

static int bytes_from(unsigned char least)
{
	size_t n;
	const char *raw = vt_raw(v, &n);
	int count = 0;

	for (size_t i = 0; i < n; i++)
		count += (unsigned char)raw[i] >= least;
	return count;
}

static bool received(const char *bytes)
{
	size_t n;
	const char *raw = vt_raw(v, &n);

	return memmem(raw, n, bytes, strlen(bytes)) != NULL;
}

/* --- A screen for each test. --- */

static void start(void)
{
	struct vt_options o = {.term = on->term, .locale = on->locale};

	v = LIVE(&o, "null:1ms", "--rate", "2000", "--read", "70", "--fps", "20", "--no-store");
	ANSWER(v, shows_writes);
}

static int ready(void **state)
{
	on = *state;
	if (v && !whole) {
		e2e_free(v);
		v = NULL;
	}
	if (!v)
		start();
	whole = false;
	return 0;
}

static void well(void)
{
	VT_ROW(v, ROW_HEADER, "lunscope");
	whole = true;
}

static bool fewer_than(int n, int most)
{
	if (n > most)
		print_message("# %d times; the first that was found: %s\n", n, seen.where);
	return n <= most;
}

/* --- Characters, colours, sequences. --- */

static void all_screens_are_looked_at(void **state)
{
	(void)state;
	walk();
	assert_true(seen.screens > 8);
	well();
}

static void htop_29_no_two_states_share_a_glyph_that_the_font_lacks(void **state)
{
	(void)state;
	assert_true(seen.screens > 8);
	if (!on->braille)
		assert_true(fewer_than(seen.beyond_the_font, 0));
	/* What is on or in focus is told by brackets that every font has. */
	VT_MATCH(v, ROW_KNOBS, "<  +8>");
	VT_MATCH(v, ROW_KNOBS, "\\[ *4K\\]");
	well();
}

static void btop_351_braille_never_without_a_font(void **state)
{
	(void)state;
	assert_true(seen.screens > 8);
	assert_true(on->braille ? seen.braille > 0 : fewer_than(seen.braille, 0));
	well();
}

static void btop_1440_no_state_is_shown_by_bold_alone(void **state)
{
	(void)state;
	vt_type(v, " ");
	VT_ROW(v, ROW_HEADER, "FROZEN");
	vt_type(v, " ");
	VT_GONE(v, "FROZEN");
	vt_type(v, "s");
	VT_ROW(v, ROW_HEADER, "STOP");
	vt_type(v, "s");
	VT_ROW(v, ROW_HEADER, "RUN");
	vt_key(v, "tab");
	VT_MATCH(v, VT_ANY, "\\[[A-Z][A-Za-z]+\\]");
	vt_key(v, "esc");
	VT_MATCH(v, ROW_KNOBS, "<  +8>");
	well();
}

static void htop_1013_no_plain_blue_on_black(void **state)
{
	(void)state;
	assert_true(seen.screens > 8);
	assert_true(fewer_than(seen.blue, 0));
	well();
}

static void htop_14_nothing_is_black_or_grey_made_of_bold_black(void **state)
{
	(void)state;
	assert_true(seen.screens > 8);
	assert_true(fewer_than(seen.dark, 0));
	well();
}

static void htop_905_reads_and_writes_differ_without_colours_too(void **state)
{
	(void)state;
	VT_MATCH(v, ROW_ANSWER, "R +[0-9.]+k?.* W +[0-9.]+");
	/* The chart's legend: a character of its own before each word, wherever colours may not do. */
	int row, read, write;
	VT_EXPECT(v, vt_find(v, "read ", &row, &read));
	VT_EXPECT(v, vt_find(v, " write", &row, &write));
	if (!on->colours)
		assert_int_not_equal(vt_cell(v, row, read - 2).ch, vt_cell(v, row, write - 1).ch);
	well();
}

static void htop_279_the_ground_is_the_terminal_s_own(void **state)
{
	(void)state;
	/* Each cell of the header or a dialog may have one; no screen is painted over whole. */
	for (int c = 0; c < vt_cols(v); c++)
		assert_int_equal(vt_cell(v, vt_rows(v) / 2, c).bg, VT_DEFAULT);
	assert_true(on->colours || seen.painted == 0);
	well();
}

static void htop_973_the_mouse_is_left_to_the_terminal(void **state)
{
	static const int modes[] = {9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016};

	(void)state;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		assert_int_equal(sequences('?', modes[i], 'h'), 0);
	well();
}

static void nvtop_198_boxes_are_never_letters(void **state)
{
	(void)state;
	assert_true(seen.screens > 8);
	assert_true(fewer_than(seen.spelt_lines, 0));
	/* PuTTY knows no line drawing set in UTF-8. */
	if (on->utf8)
		assert_false(received("\016") || received("\033(0"));
	well();
}

static void tig_527_a_plain_locale_gets_plain_bytes(void **state)
{
	int marks = 0;

	(void)state;
	if (!on->utf8)
		assert_int_equal(bytes_from(0x80), 0);
	/* No question mark stands for a line. */
	for (int r = 0; r < vt_rows(v) - 1; r++)
		for (const char *p = vt_row(v, r); (p = strchr(p, '?')); p++)
			marks++;
	assert_int_equal(marks, 0);
	well();
}

static void cava_68_the_terminal_is_asked_and_no_program_is_run(void **state)
{
	char path[64], text[1024] = "";
	unsigned long faults = 1;

	(void)state;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)vt_pid(v));
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	assert_true(fread(text, 1, sizeof text - 1, f) > 0);
	fclose(f);
	/* The eleventh: page faults of children that were waited for (proc(5)). */
	assert_int_equal(
		sscanf(strrchr(text, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %lu", &faults), 1);
	assert_int_equal(faults, 0);
	well();
}

static void kakoune_4317_no_frame_clears_or_scrolls(void **state)
{
	(void)state;
	VT_GONE(v, "Theme");
	vt_settle(v, 0.02);
	vt_forget(v);
	vt_type(v, "BbWw");
	KNOB(v, "Block", "4K");
	vt_pump(v, 1);
	assert_true(bytes_from(0) > 100);
	assert_int_equal(sequences(0, 2, 'J'), 0);
	assert_false(received("\033[H\033[J"));
	assert_int_equal(sequences(0, -1, 'r') + sequences(0, -1, 'S') + sequences(0, -1, 'T'), 0);
	assert_int_equal(sequences(0, -1, 'L') + sequences(0, -1, 'M'), 0);
	/* Synchronised output was asked for, and this terminal has not answered. */
	assert_int_equal(sequences('?', 2026, 'h'), 0);
	well();
}

/* --- What others do to the screen. --- */

static int line_of_program(void)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/fd/0", (int)vt_pid(v));
	int fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static void others_write(const char *text)
{
	int fd = line_of_program();

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void htop_1651_text_of_others_goes_with_control_l_or_a_signal(void **state)
{
	(void)state;
	others_write("\r\nBroadcast message: the disk is full\r\n\r\n");
	VT_TEXT(v, "Broadcast message");
	vt_key(v, "^L");
	VT_GONE(v, "Broadcast message");
	VT_ROW(v, ROW_HEADER, "lunscope");
	VT_MATCH(v, -1, "Quit");
	others_write("\r\nBroadcast message: once more\r\n\r\n");
	VT_TEXT(v, "Broadcast message");
	vt_signal(v, SIGWINCH);
	VT_GONE(v, "Broadcast message");
	VT_ROW(v, ROW_HEADER, "lunscope");
	well();
}

static void crossterm_1011_a_size_of_0x0_is_none(void **state)
{
	const struct winsize none = {0}, some = {.ws_row = 24, .ws_col = 80};
	int fd = line_of_program();

	(void)state;
	assert_int_equal(ioctl(fd, TIOCSWINSZ, &none), 0);
	vt_signal(v, SIGWINCH);
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	vt_type(v, "b");
	KNOB(v, "Block", "4K");
	VT_ROW(v, ROW_HEADER, "lunscope");
	VT_MATCH(v, -1, "Quit");
	assert_int_equal(ioctl(fd, TIOCSWINSZ, &some), 0);
	close(fd);
	well();
}

/* --- Sizes. --- */

static void ttyplot_213_a_tiny_window_takes_keys_and_says_what_it_needs(void **state)
{
	(void)state;
	vt_resize(v, 5, 20);
	VT_ROW(v, -1, "needs 40x10, q quits");
	vt_type(v, "?");
	VT_GONE(v, "needs 40x10");
	vt_key(v, "esc");
	VT_ROW(v, -1, "needs 40x10");
	vt_type(v, "q");
	VT_TEXT(v, "Quit");
	vt_key(v, "esc");
	VT_ROW(v, -1, "needs 40x10");
	vt_key(v, "F10");
	VT_TEXT(v, "Quit");
	vt_key(v, "esc");
	vt_resize(v, 1, 1);
	vt_type(v, "B");
	vt_resize(v, 24, 80);
	KNOB(v, "Block", "8K");
	vt_type(v, "b");
	KNOB(v, "Block", "4K");
	well();
}

static void nvtop_80_the_right_part_is_there_at_320_and_400_columns(void **state)
{
	static const int cols[] = {320, 400};

	(void)state;
	for (int i = 0; i < 2; i++) {
		int row, col;

		vt_resize(v, 50, cols[i]);
		VT_MATCH(v, ROW_HEADER, "[0-9]{2}:[0-9]{2}:[0-9]{2}$");
		VT_EXPECT(v, vt_wait_text(v, "Throughput"));
		VT_EXPECT(v, vt_find(v, "Throughput", &row, &col) && col > cols[i] / 3);
		VT_EXPECT(v, strlen(vt_row(v, row)) >= (size_t)cols[i] - 4);
	}
	vt_resize(v, 24, 80);
	VT_GONE(v, "Throughput");
	well();
}

/* The rows below the clock, as text; a row may be no longer than that. */
enum { ROWS = 24, ROW_BYTES = 1024 };
static void keep_rows(char rows[ROWS][ROW_BYTES])
{
	for (int r = 1; r < ROWS; r++)
		snprintf(rows[r], ROW_BYTES, "%s", vt_row(v, r));
}

static bool as_kept(struct vt *t, void *kept)
{
	const char(*rows)[ROW_BYTES] = kept;

	for (int r = 1; r < ROWS; r++)
		if (strcmp(rows[r], vt_row(t, r)) != 0)
			return false;
	return true;
}

static void spdk_2219_a_resize_leaves_one_header_and_dialogs_leave_no_holes(void **state)
{
	(void)state;
	vt_type(v, " ");
	VT_ROW(v, ROW_HEADER, "FROZEN");
	vt_type(v, "a");
	VT_TEXT(v, "Alignment");
	vt_resize(v, 43, 132);
	VT_TEXT(v, "Throughput");
	vt_resize(v, 24, 80);
	VT_GONE(v, "Throughput");
	VT_TEXT(v, "Alignment");
	vt_key(v, "esc");
	VT_GONE(v, "Alignment");
	VT_GONE(v, "display is frozen");
	/* What stands there is of this size, and not the larger one cut off. */
	VT_ROW(v, ROW_KNOBS, "Outst <");
	VT_MATCH(v, -1, "Help.*Quit");
	static char before[ROWS][ROW_BYTES];
	vt_settle(v, 0.02);
	keep_rows(before);
	/* All of it drawn anew: whatever had been left over is gone now. */
	others_write("\r\n[wall]\r\n");
	VT_TEXT(v, "[wall]");
	vt_key(v, "^L");
	VT_GONE(v, "[wall]");
	bool same = vt_wait(v, as_kept, before);
	for (int r = 1; r < ROWS && !same; r++)
		if (strcmp(before[r], vt_row(v, r)) != 0)
			print_message("# row %d before: %s\n# after: %s\n", r, before[r],
				      vt_row(v, r));
	VT_EXPECT(v, same);
	vt_type(v, " ");
	VT_GONE(v, "FROZEN");
	well();
}

/* --- Keys. --- */

/* The cursor stands in that row, and there between these columns; in a dialog (row -1) in the row of its
 * own mark. */
struct place {
	int row, from, to;
};

static bool cursor_at(struct vt *t, void *arg)
{
	const struct place *p = arg;
	int row, col;
	bool visible;

	vt_cursor(t, &row, &col, &visible);
	if (p->row < 0)
		return row > ROW_ANSWER && strchr(vt_row(t, row), '>');
	return row == p->row && col >= p->from && col <= p->to;
}

#define CURSOR(...) VT_EXPECT(v, vt_wait(v, cursor_at, &(struct place){__VA_ARGS__}))

static void nnn_2161_the_cursor_is_where_the_focus_is(void **state)
{
	(void)state;
	CURSOR(ROW_KNOBS, 15, 27);
	vt_key(v, "left");
	FOCUS(v, "Workers");
	CURSOR(ROW_KNOBS, 0, 14);
	vt_key(v, "right");
	FOCUS(v, "Outst");
	CURSOR(ROW_KNOBS, 15, 27);
	vt_type(v, "a");
	VT_TEXT(v, "Alignment");
	vt_key(v, "down");
	/* The chosen row of a list has a character for it, too. */
	CURSOR(-1, 0, 0);
	vt_key(v, "esc");
	VT_GONE(v, "Alignment");
	well();
}

static void htop_732_help_and_quit_open_by_all_their_keys(void **state)
{
	static const char *const help[] = {"\033OP", "\033[11~", "\033[[A", "\0331", "?", "h"};
	static const char *const quit[] = {"\033[21~", "\0330", "q", "\003"};

	(void)state;
	for (size_t i = 0; i < sizeof help / sizeof *help; i++) {
		vt_type(v, help[i]);
		VT_TEXT(v, "PgUp PgDn scroll");
		vt_key(v, "esc");
		VT_GONE(v, "PgUp PgDn scroll");
	}
	for (size_t i = 0; i < sizeof quit / sizeof *quit; i++) {
		vt_type(v, quit[i]);
		VT_TEXT(v, "Go on");
		vt_key(v, "esc");
		VT_GONE(v, "Go on");
	}
	/* A sequence that nobody knows does nothing, whatever digits and letters it is made of. */
	vt_type(v, "\033[99;5u\033[200~\033[1;2B\033[<0;10;10M");
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	KNOB(v, "Workers", "1");
	KNOB(v, "Outst", "8");
	vt_type(v, "b");
	KNOB(v, "Block", "4K");
	well();
}

static void htop_576_the_footer_has_letters_where_keyboards_have_no_f_keys(void **state)
{
	(void)state;
	VT_ROW(v, -1, on->fkeys ? "F1Help" : "?Help");
	VT_ROW(v, -1, on->fkeys ? "F10Quit" : "qQuit");
	well();
}

static void htop_421_names_of_wide_characters_keep_the_columns(void **state)
{
	int row, col;

	(void)state;
	/* A plain locale has no such characters. */
	if (!on->utf8) {
		whole = true;
		return;
	}
	vt_type(v, "m");
	VT_TEXT(v, "leaves it without words");
	vt_type(v, "\u4e16\u84ee-lun");
	VT_TEXT(v, "\u4e16\u84ee-lun");
	vt_key(v, "enter");
	VT_GONE(v, "leaves it without words");
	VT_EXPECT(v, vt_wait_text(v, "\u4e16\u84ee-lun"));
	VT_EXPECT(v, vt_find(v, "\u4e16\u84ee-lun", &row, &col));
	assert_int_equal(vt_cell(v, row, col).width, 2);
	assert_int_equal(vt_cell(v, row, col + 2).ch, 0x84ee);
	assert_int_equal(vt_cell(v, row, col + 4).ch, '-');
	well();
}

/* --- The end. --- */

static void ghcup_1030_what_is_printed_afterwards_has_rows_of_its_own(void **state)
{
	int row;

	(void)state;
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 0);
	assert_true(vt_line_sane(v));
	assert_false(vt_altscreen(v));
	VT_EXPECT(v, vt_find(v, "lunscope null:1ms ", &row, NULL));
	/* The row above has nothing of the old picture behind what belongs to it. */
	for (int r = row; r < vt_rows(v) && r < row + 3; r++)
		VT_EXPECT(v, !strstr(vt_row(v, r), "Quit") && !strchr(vt_row(v, r), '|'));
	e2e_free(v);
	v = NULL;
}

/* --- Six times. --- */

#define T(f)          \
	{             \
#f, f \
	}
static const struct {
	const char *name;
	void (*run)(void **state);
} tests[] = {
	T(all_screens_are_looked_at),
	T(htop_29_no_two_states_share_a_glyph_that_the_font_lacks),
	T(btop_351_braille_never_without_a_font),
	T(btop_1440_no_state_is_shown_by_bold_alone),
	T(htop_1013_no_plain_blue_on_black),
	T(htop_14_nothing_is_black_or_grey_made_of_bold_black),
	T(htop_905_reads_and_writes_differ_without_colours_too),
	T(htop_279_the_ground_is_the_terminal_s_own),
	T(htop_973_the_mouse_is_left_to_the_terminal),
	T(htop_1651_text_of_others_goes_with_control_l_or_a_signal),
	T(ttyplot_213_a_tiny_window_takes_keys_and_says_what_it_needs),
	T(nvtop_198_boxes_are_never_letters),
	T(nvtop_80_the_right_part_is_there_at_320_and_400_columns),
	T(tig_527_a_plain_locale_gets_plain_bytes),
	T(nnn_2161_the_cursor_is_where_the_focus_is),
	T(htop_732_help_and_quit_open_by_all_their_keys),
	T(htop_576_the_footer_has_letters_where_keyboards_have_no_f_keys),
	T(htop_421_names_of_wide_characters_keep_the_columns),
	T(kakoune_4317_no_frame_clears_or_scrolls),
	T(spdk_2219_a_resize_leaves_one_header_and_dialogs_leave_no_holes),
	T(crossterm_1011_a_size_of_0x0_is_none),
	T(cava_68_the_terminal_is_asked_and_no_program_is_run),
	T(ghcup_1030_what_is_printed_afterwards_has_rows_of_its_own),
};
#define TESTS (sizeof tests / sizeof *tests)

int main(void)
{
	static char name[TERMINALS * TESTS][160];
	struct CMUnitTest all[TERMINALS * TESTS];

	for (size_t i = 0; i < TERMINALS * TESTS; i++) {
		const struct terminal *t = &terminals[i / TESTS];

		snprintf(name[i], sizeof name[i], "%s: %s", t->term, tests[i % TESTS].name);
		all[i] = (struct CMUnitTest){
			name[i], tests[i % TESTS].run, ready, NULL, (void *)t,
		};
	}
	return cmocka_run_group_tests(all, NULL, e2e_free_all);
}
