/* mouse.h - what a terminal reports of the mouse: the left button pressed, and the wheel. All else (other
 * buttons, releases, motion) is no event.
 */
#ifndef LUNSCOPE_MOUSE_H
#define LUNSCOPE_MOUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mouse_what { MOUSE_CLICK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct mouse_event {
	enum mouse_what what;
	int row, col; /* from 0 on */
};

/* The parameters of a report as xterm's mode 1006 has it, from behind CSI to its last byte: "<0;10;5M".
 * False: no such report, or no event. Modifiers make no difference. See ctlseqs.html, "Mouse Tracking". */
bool mouse_of_sgr(struct mouse_event *m, const char *report);
/* The three bytes behind CSI M, of terminals that don't know mode 1006. */
bool mouse_of_bytes(struct mouse_event *m, const unsigned char bytes[3]);

#endif
