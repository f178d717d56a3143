/* mouse.c - see mouse.h. */
#include "mouse.h"

#include <stdlib.h>
#include <string.h>

#define MODIFIERS (4 | 8 | 16) /* shift, meta, control */

/* Button 0 and the two of the wheel, which are 64 and 65. */
static bool what_of(enum mouse_what *what, unsigned long button)
{
	switch (button & ~(unsigned long)MODIFIERS) {
	case 0: *what = MOUSE_PRESS; return true;
	case 64: *what = MOUSE_WHEEL_UP; return true;
	case 65: *what = MOUSE_WHEEL_DOWN; return true;
	default: return false;
	}
}

/* Digits, and the byte behind them; 0 for none, which no report has where a place stands. */
static unsigned long number(const char **at, char behind)
{
	char *end;
	unsigned long n = **at >= '0' && **at <= '9' ? strtoul(*at, &end, 10) : 0;

	if (!n || *end != behind)
		return 0;
	*at = end + 1;
	return n;
}

bool mouse_of_sgr(struct mouse_event *m, const char *report)
{
	const char *at = report + 1;
	char *end;

	if (report[0] != '<' || *at < '0' || *at > '9')
		return false;
	unsigned long button = strtoul(at, &end, 10);
	if (*end != ';' || !what_of(&m->what, button))
		return false;
	at = end + 1;
	bool let_go = *at && report[strlen(report) - 1] == 'm';
	unsigned long col = number(&at, ';'), row = col ? number(&at, let_go ? 'm' : 'M') : 0;
	if (!row || *at || row > INT16_MAX || col > INT16_MAX || (let_go && m->what != MOUSE_PRESS))
		return false;
	m->what = let_go ? MOUSE_RELEASE : m->what;
	m->row = (int)row - 1;
	m->col = (int)col - 1;
	return true;
}

/* Each has 32 added, and the places count from 1. Which button was let go is not said. */
bool mouse_of_bytes(struct mouse_event *m, const unsigned char bytes[3])
{
	if (bytes[0] < 32 || bytes[1] <= 32 || bytes[2] <= 32)
		return false;
	m->col = bytes[1] - 33;
	m->row = bytes[2] - 33;
	m->what = MOUSE_RELEASE;
	if (((bytes[0] - 32ul) & ~(unsigned long)MODIFIERS) == 3)
		return true;
	return what_of(&m->what, bytes[0] - 32ul);
}

bool mouse_settle(struct mouse_event *m, struct mouse_event *pressed)
{
	const struct mouse_event before = *pressed;

	if (m->what != MOUSE_PRESS && m->what != MOUSE_RELEASE)
		return true;
	*pressed = *m;
	if (m->what == MOUSE_PRESS || before.what != MOUSE_PRESS || before.row != m->row ||
	    before.col != m->col)
		return false;
	m->what = MOUSE_CLICK;
	return true;
}
