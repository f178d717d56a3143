/* create_progress.h - how far the making of a scratch file has come, and the way to call it off.
 *
 * One thread makes the file, another shows how far it is and may cancel: everything here is atomic.
 * Zeroed, it is ready.
 */
#ifndef LUNSCOPE_CREATE_PROGRESS_H
#define LUNSCOPE_CREATE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct create_progress {
	_Atomic uint64_t total;	   /* bytes to write; 0 = no file is being made (yet) */
	_Atomic uint64_t done;	   /* of these */
	_Atomic uint64_t start_ns; /* CLOCK_MONOTONIC */
	atomic_bool cancel;	   /* looked at before every chunk */
};

/* The maker's. All take NULL: nobody watches. */
void create_progress_begin(struct create_progress *p, uint64_t total);
void create_progress_done(struct create_progress *p, uint64_t done);
bool create_progress_cancelled(const struct create_progress *p);

/* The watcher's. */
void create_progress_cancel(struct create_progress *p);
/* "1.20 GiB of 4 GiB, 12 s left" at the pace so far, into out, which it returns; "" while no file is
 * being made. */
char *create_progress_text(char *out, size_t n, const struct create_progress *p);

#endif
