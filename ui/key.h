/* key.h - keys as the screen sees them, whatever the terminal sent. term.c translates from curses,
 * including raw F-key sequences that terminfo does not know and Esc + digit for F1-F10.
 */
#ifndef LUNSCOPE_KEY_H
#define LUNSCOPE_KEY_H

#include "action.h"

/* Printable characters are their code point. */
enum {
	KEY_NONE = -1,
	K_ENTER = 0x11000,
	K_ESC,
	K_TAB,
	K_BACKTAB,
	K_BACKSPACE,
	K_DELETE,
	K_UP,
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_HOME,
	K_END,
	K_PGUP,
	K_PGDN,
	K_REDRAW,	/* ^L */
	K_INTERRUPT,	/* ^C */
	K_MOUSE,	/* term_mouse() says what */
	K_PANE_FIRST = 0x12000, /* 1-9 on the main screen are plain characters; this is not used by
				 * term.c but reserved for the dialogs' own */
};
/* F1..F20 are ACTION_FKEY(1).. */

#endif
