/* wait_note.h - what stands on the terminal, where there is no screen, while something is waited for that can't
 * say how long it takes: an empty terminal looks like a hang. ^C ends it; nothing is written meanwhile.
 *
 * Each says so on standard error where that is a terminal; done: takes it away again.
 */
#ifndef LUNSCOPE_WAIT_NOTE_H
#define LUNSCOPE_WAIT_NOTE_H

#include <stdbool.h>
#include <stdint.h>

/* Nothing where spec is no LUN. */
void wait_note_login(const char *spec, bool done);
/* portals as they were typed, with blanks in between. */
void wait_note_portals(const char *portals, bool done);
/* A run is read from the store. */
void wait_note_run(int64_t id, bool done);

/* For what is mostly over before anybody wonders: only after a second it says what is done, for how long and, where
 * it is told (from any thread), how much of it is left. Meanwhile nothing else may be printed. One at a time. */
void wait_note_late(const char *words);
void wait_note_step(uint64_t done, uint64_t total);
void wait_note_over(void);

#endif
