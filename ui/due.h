/* due.h - which frames are to be drawn, and when: new figures wait for the clock, a key's answer doesn't.
 *
 * Who asked for a frame is known until the terminal has it, also where it takes nothing for a while: what an
 * answer to a key costs says nothing of the clock's frames.
 */
#ifndef LUNSCOPE_DUE_H
#define LUNSCOPE_DUE_H

#include <stdbool.h>
#include <stdint.h>
#include "units.h"

/* Between two frames at least: a held key can't flood a slow line. */
#define KEY_FRAME_NS (NS_PER_SEC / 30)

struct due {
	bool stale;	   /* there is something that no frame has shown */
	bool dirty;	   /* a frame is to be drawn now */
	bool asked;	   /* by a key, the terminal or a job: not by the clock */
	uint64_t drawn_ns; /* when the last was */
};

/* A key, the terminal or a job wants a frame. */
void due_ask(struct due *d);
/* A frame is going to be drawn; true: it is the clock's. */
bool due_begin(struct due *d, uint64_t now_ns);
/* The terminal took nothing of it: a later one is for the same. */
void due_left_out(struct due *d, bool regular);
/* Whether one is to be drawn by now. */
bool due_now(const struct due *d, uint64_t now_ns);
/* For how long to wait for one, as poll() has it. */
int due_wait_ms(const struct due *d, uint64_t now_ns);

#endif
