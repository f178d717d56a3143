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

enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* Saves the terminal, starts curses on stdin/stdout. -ENOTTY when they are no terminal, -EINVAL for a
 * TERM that curses does not know (with what to set). NO_COLOR (set and not empty) means no colour
 * unless mode is COLOUR_ALWAYS. */
int term_start(enum colour_mode mode, struct error *e);
/* Gives the terminal back; harmless when it isn't up. */
void term_stop(void);

void term_size(int *rows, int *cols);
/* After SIGWINCH: asks the kernel (zeros are ignored), tells curses. */
void term_resized(void);
/* Everything is drawn anew at the next blit (^L, SIGCONT). */
void term_repaint(void);

enum palette term_palette(void);
bool term_utf8(void);
/* True when terminfo has the F-keys that the footer would show (kf1..kf10). */
bool term_has_fkeys(void);
/* What looks the styles have from now on. */
void term_set_theme(const struct theme *t);
/* The picture to the terminal; only what changed is sent. Returns the bytes that this frame took
 * (counted on the way out), or -errno when the terminal has gone. */
long term_blit(const struct canvas *c);
/* The next key, KEY_NONE when there is none right now. */
int term_key(void);

#endif
