/* unblock.h - a terminal that takes nothing (^S, a reader that has stopped, a dead line) doesn't keep the
 * program from ending: whoever is in the middle of a write to it comes to no signal.
 */
#ifndef LUNSCOPE_UNBLOCK_H
#define LUNSCOPE_UNBLOCK_H

#include <signal.h>

/* From here on, once one of `ends` has come, what waits for a terminal on standard output or error that has
 * taken nothing for 400 ms is thrown away. The signals are blocked in all threads already, and are somebody
 * else's to read. Called by the thread that prints; SIGURG wakes it.
 * Without memory for a thread nothing changes. */
void unblock_start(const sigset_t *ends);
/* Whoever has read one of them says so. */
void unblock_ending(void);
/* All that was to be printed is printed. */
void unblock_stop(void);

/* The same for one descriptor, at once: returns when it takes output. Async-signal-safe. */
void unblock_now(int fd);

#endif
