/* term.h - the terminal: the only file that knows curses.
 *
 * Life cycle: term_start, frames (term_blit), term_stop. Whatever happens in between, the terminal is
 * given back: on a crash or an abort a handler writes a prepared string and the saved termios. While
 * the screen is up, what anybody prints on stderr is kept and replayed by term_stop.
 */
#ifndef LUNSCOPE_TERM_H
#define LUNSCOPE_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include "canvas.h"
#include "error.h"
#include "glyph.h"
#include "key.h"
#include "mouse.h"

enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct term_options {
	enum colour_mode colour;
	bool slow;    /* the line is: what belongs to one key may come in pieces */
	bool no_sync; /* never ask for synchronised output */
	bool quiet_kernel; /* keep the kernel's messages off the console: quiet_kernel.h */
	bool mouse;        /* have it reported */
};

/* What term_start() would say of the terminal, without touching it: 0, -ENOTTY or -EINVAL. */
int term_check(struct error *e);
/* No character is to be repeated by ECMA-48's REP (CSI n b), which some terminals lack whatever their
 * terminfo says: PuTTY and others as TERM=xterm. To be said before term_start. */
void term_no_rep(void);
/* Saves the terminal, starts curses on stdin/stdout (setlocale() comes before). -ENOTTY when they are
 * no terminal, -EINVAL for a TERM that curses does not know (with what to set; an unknown one of a
 * known family is taken for xterm-256color, vt100 or linux). NO_COLOR (set and not empty) means no
 * colour unless colour is COLOUR_ALWAYS, which still needs a terminal that has them. Once in a process:
 * curses takes its signals only at its first start. */
int term_start(const struct term_options *o, struct error *e);
/* Gives the terminal back; harmless when it isn't up. */
void term_stop(void);

void term_size(int *rows, int *cols);
/* After SIGWINCH: asks the kernel (zeros are ignored), tells curses, and has everything drawn anew
 * even if the size is the same. */
void term_resized(void);
/* Everything is drawn anew at the next blit (^L). */
void term_repaint(void);
/* True once after each SIGCONT: the caller then calls term_resized(), since a stopped program is
 * told of no new size. SIGTSTP is curses' own (it must not be blocked in the drawing thread, nor be
 * in a signalfd: curses would lose it); SIGCONT's handler sets the flag. poll() then returns EINTR
 * if the signal met this thread, so ask at every turn of the loop, and at every tick. */
bool term_resumed(void);

/* Whether it was, and term_resumed() has not said so yet. */
bool term_stopped(void);

enum palette term_palette(void);
bool term_utf8(void);
/* True when terminfo has an alternate character set for the lines of the dec level. */
bool term_has_line_drawing(void);
/* True when terminfo has the F-keys that the footer would show (kf1..kf10). */
bool term_has_fkeys(void);
/* Asks the terminal to report the mouse, or no longer to; nothing is sent while that is as it is, and so nothing
 * ever where it is never asked for. False: it is not reported, or terminfo knows of no mouse (kmous). */
bool term_set_mouse(bool on);
/* Behind K_MOUSE: what it was. */
struct mouse_event term_mouse(void);
/* Colour or none, from the next term_set_theme() on. */
void term_set_colour(enum colour_mode mode);
/* What looks the styles have from now on. */
void term_set_theme(const struct theme *t);
/* The picture to the terminal; only what changed is sent. Call it in the thread that called
 * term_start. Returns the bytes that this frame took: what the kernel counted as written by this
 * thread meanwhile (/proc/self/task/TID/io), 0 for a frame in which nothing changed, or always 0
 * where the kernel keeps no such account. -EAGAIN: the terminal takes nothing now (^S), the frame
 * was left out; -EIO: the terminal has gone. */
long term_blit(const struct canvas *c);
/* The next key, KEY_NONE when there is none right now: after input, call it until then, as curses
 * has a queue of its own that poll() can't see. Control characters without a name in key.h come as
 * they are (^A = 1). A lone Esc takes escdelay (25 ms, $ESCDELAY) to be one; unknown escape
 * sequences are swallowed whole. */
int term_key(void);

#endif
