/* vt.h - a terminal for tests: a program on a pseudo-terminal, its output in a real emulator (libvterm).
 *
 * Tests look at cells (character, colours, attributes), the cursor, the alternate screen and the tty's
 * modes, and type keys as the emulator would send them. Nothing here asserts on time: a wait returns as
 * soon as what it waits for holds, and gives up after proc_patience() seconds or when the program has
 * ended.
 *
 * What libvterm 0.1 doesn't do: it drops the dim attribute, and of "\e[?1;2h" it sees only the 1.
 */
#ifndef LUNSCOPE_TEST_VT_H
#define LUNSCOPE_TEST_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>

struct vt;

struct vt_options {
	const char *term;	 /* $TERM; NULL = "xterm-256color" */
	const char *locale;	 /* $LC_ALL and $LANG; NULL = "C.UTF-8" */
	int rows, cols;		 /* 0 = 24 and 80 */
	bool no_size;		 /* the tty says 0x0, as a serial line does */
	const char *const *env;	 /* "NAME=value" sets, "NAME" unsets; ends in NULL; may be NULL */
	const char *dir;	 /* working folder; NULL = the test's */
};

/* Starts argv[0] (looked for in PATH). Ends the test when there is no pty to be had. */
struct vt *vt_start(const struct vt_options *o, const char *const argv[]);
#define VT_START(o, ...) vt_start(o, (const char *const[]){__VA_ARGS__, NULL})
/* Hangs up and waits for the program (5 s, then kill). NULL is fine. */
void vt_free(struct vt *v);

/* --- Time. --- */

/* Feeds the emulator until holds() does; false when it didn't in time. */
bool vt_wait(struct vt *v, bool (*holds)(struct vt *v, void *arg), void *arg);
/* Text anywhere, or in that row (negative counts from the bottom: -1 is the last). */
bool vt_wait_text(struct vt *v, const char *text);
bool vt_wait_row(struct vt *v, int row, const char *text);
/* No such text any more. */
bool vt_wait_gone(struct vt *v, const char *text);
/* A row (VT_ANY: any row) matches a POSIX extended regular expression. */
#define VT_ANY 10000
bool vt_wait_match(struct vt *v, int row, const char *ere);
bool vt_wait_altscreen(struct vt *v, bool on);
bool vt_wait_exit(struct vt *v);
/* Feeds for that long; a pace, not a check. */
void vt_pump(struct vt *v, double seconds);
/* Feeds until nothing has come for that long: the end of a frame, most likely. */
void vt_settle(struct vt *v, double quiet_seconds);

/* The same as assertions: on failure the screen is printed and the cmocka test fails. */
#define VT_EXPECT(v, condition) vt_expect(v, condition, #condition, __FILE__, __LINE__)
#define VT_TEXT(v, text)	VT_EXPECT(v, vt_wait_text(v, text))
#define VT_ROW(v, row, text)	VT_EXPECT(v, vt_wait_row(v, row, text))
#define VT_GONE(v, text)	VT_EXPECT(v, vt_wait_gone(v, text))
#define VT_MATCH(v, row, ere)	VT_EXPECT(v, vt_wait_match(v, row, ere))
void vt_expect(struct vt *v, bool held, const char *what, const char *file, int line);

/* --- The keyboard, the line. --- */

void vt_type(struct vt *v, const char *text);
void vt_send(struct vt *v, const void *bytes, size_t n);
/* "F1".."F20", "up" "down" "left" "right" "home" "end" "pgup" "pgdn" "ins" "del" "enter" "tab" "backtab"
 * "bs" "esc", "^A".."^Z": what $TERM's keyboard sends. */
void vt_key(struct vt *v, const char *name);
void vt_resize(struct vt *v, int rows, int cols);
void vt_signal(struct vt *v, int sig);

/* --- What is on the screen. --- */

#define VT_DEFAULT (-1) /* a colour: else 0..255, or 0x1rrggbb */

struct vt_cell {
	uint32_t ch; /* code point; ' ' when blank */
	int width;
	int fg, bg;
	bool bold, underline, reverse, blink;
};

int vt_rows(const struct vt *v);
int vt_cols(const struct vt *v);
struct vt_cell vt_cell(struct vt *v, int row, int col);
/* A row as UTF-8 without trailing blanks; each of the last 8 results keeps. */
const char *vt_row(struct vt *v, int row);
/* Where text stands (first place in reading order); false when it doesn't. Columns are cells. */
bool vt_find(struct vt *v, const char *text, int *row, int *col);
/* The number of different colours (fg, bg) that differ from the default, over the whole screen. */
int vt_colours(struct vt *v);
/* A sum over every cell's character, colours and attributes: equal screens, equal sums. */
uint64_t vt_hash(struct vt *v);
void vt_print(struct vt *v, FILE *out);
/* Writes the screen to $LUNSCOPE_SHOTS/NAME.json (one JSON object a line: the size, then each cell that
 * isn't blank) for making pictures; does nothing where that is unset. */
void vt_shot(struct vt *v, const char *name);

/* --- The state around it. --- */

pid_t vt_pid(const struct vt *v);
bool vt_altscreen(const struct vt *v);
void vt_cursor(struct vt *v, int *row, int *col, bool *visible);
void vt_termios(struct vt *v, struct termios *t);
/* The line is as a shell wants it: canonical, echoing, signals on. */
bool vt_line_sane(struct vt *v);
bool vt_exited(struct vt *v);
/* Exit status; 128 + N for signal N; -1 while it runs. */
int vt_status(struct vt *v);
/* All bytes received since the start or the last vt_forget; NUL-terminated. */
const char *vt_raw(const struct vt *v, size_t *n);
void vt_forget(struct vt *v);

#endif
