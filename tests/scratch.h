/* scratch.h - a folder for one test program's files, gone afterwards however the program ends.
 *
 * A guardian process waits at the end of a pipe for the program to go away (an exit, a crash, a
 * kill -9) and then detaches the loop devices and removes the folder. It never holds a device open, so
 * it doesn't show up among a target's users.
 */
#ifndef LUNSCOPE_TEST_SCRATCH_H
#define LUNSCOPE_TEST_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

/* The folder, made at the first call; ends the program when it can't be made. */
const char *scratch_dir(void);
/* DIR/name; a buffer of its own for each of the last 8 calls. */
const char *scratch_path(const char *name);
/* A file of this size, filled with data (so that reading it is real IO) unless sparse. Returns its
 * path like scratch_path. */
const char *scratch_file(const char *name, uint64_t size, bool sparse);
/* Writes the text into a file; returns its path. */
const char *scratch_text(const char *name, const char *text);

/* Tells the guardian about a loop device that must not outlive the program, or that it is free. */
void scratch_guard_loop(int number, bool attached);

#endif
