/* rescue.h - the terminal is given back whatever happens, and nothing said meanwhile is lost.
 *
 * Used by term.c only. Knows no curses: what to write is prepared while all is well.
 */
#ifndef LUNSCOPE_RESCUE_H
#define LUNSCOPE_RESCUE_H

#include <stddef.h>
#include <termios.h>

/* From now on a fatal signal in any thread (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGABRT) writes
 * seq to standard output, sets tio on standard input, replays stderr, prints a backtrace and then
 * takes its usual course: the exit status by signal and the core stay. seq is copied, up to 512
 * bytes. Call it in the thread that draws: that one gets the alternate stack. */
void rescue_arm(const char *seq, size_t n, const struct termios *tio);
/* What is to be sent ahead of it; n 0: nothing any more. Forgotten by rescue_disarm(). */
void rescue_also(const char *seq, size_t n);
void rescue_disarm(void);

/* What is printed on stderr, if that is a terminal, goes to memory (the first MiB) from here on.
 * A failure leaves stderr as it is. */
void rescue_keep_stderr(void);
/* Gives stderr back and prints what was kept. */
void rescue_replay_stderr(void);

#endif
