/* mouse.h - what a terminal reports of the mouse: the left button, and the wheel. All else (other buttons,
 * motion) is no event.
 *
 * A click is over when the button is let go, where it was pressed: so that no report is on its way any more
 * when the click ends the program, which a shell would take for typed.
 */
#ifndef LUNSCOPE_MOUSE_H
#define LUNSCOPE_MOUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mouse_what { MOUSE_CLICK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN, MOUSE_PRESS, MOUSE_RELEASE };

struct mouse_event {
	enum mouse_what what;
	int row, col; /* from 0 on */
};

/* The parameters of a report as xterm's mode 1006 has it, from behind CSI to its last byte: "<0;10;5M".
 * False: no such report, or no event. Modifiers make no difference. See ctlseqs.html, "Mouse Tracking". */
bool mouse_of_sgr(struct mouse_event *m, const char *report);
/* The three bytes behind CSI M, of terminals that don't know mode 1006. */
bool mouse_of_bytes(struct mouse_event *m, const unsigned char bytes[3]);

/* Makes a click of a press and a release, which are none by themselves: true when m is for who uses the mouse.
 * pressed is the caller's memory; what: MOUSE_PRESS while the button is down. */
bool mouse_settle(struct mouse_event *m, struct mouse_event *pressed);

#endif
