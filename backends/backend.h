/* backend.h - the one interface the engine sees of anything that does IO.
 *
 * A backend opens a target, gives each worker a queue, submits and reaps. It knows nothing of
 * workloads, statistics or screens, and the engine knows no backend by name outside the registry.
 * Adding one = a file in this folder + a line in registry.c + a line in local.mk.
 *
 * Threads: open and close come from one thread; a queue belongs to the worker that uses it and is
 * touched by no other, but queue_open and queue_close may be called from another thread while the
 * worker does not use it.
 */
#ifndef LUNSCOPE_BACKEND_H
#define LUNSCOPE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>
#include "error.h"

enum io_op { IO_READ, IO_WRITE };
#define IO_OPS 2

/* One IO. The engine fills offset, buf, size and op; slot says which place in the queue it has and
 * never changes; the backend fills result. */
struct io {
	uint64_t offset;
	void *buf;
	uint32_t size;
	uint32_t slot;
	enum io_op op;
	int32_t result; /* bytes transferred, or a negative errno */
};

/* What a backend is given to open. */
struct backend_open {
	const char *spec; /* what the operator named: a path, or "null:100us" */
	int fd;		  /* opened by the caller, who keeps it; -1 where no file is behind it */
	uint64_t size;	  /* bytes */
	uint32_t block;	  /* logical block size, bytes */
	bool direct;	  /* fd is O_DIRECT */
};

enum {
	BACKEND_FILES = 1 << 0,	   /* takes files and block devices (an fd) */
	BACKEND_BUFFERED = 1 << 1, /* does buffered IO too, with its real depth */
};

struct backend {
	const char *name;
	const char *summary; /* one line for `lunscope backends` */
	unsigned caps;
	uint32_t max_outstanding; /* IOs a queue really keeps in flight; 0 = no limit of its own */
	const char *depth_reason; /* why, when there is a limit */

	/* Makes *target from how. 0, or a negative errno with words in e. */
	int (*open)(const struct backend_open *how, void **target, struct error *e);
	void (*close)(void *target);

	/* A queue for up to depth IOs, slots 0..depth-1. When wake_fd (an eventfd) becomes
	 * readable, a waiting reap returns; the backend never reads from it. */
	int (*queue_open)(void *target, uint32_t depth, int wake_fd, void **queue,
			  struct error *e);
	/* Only with nothing in flight. */
	void (*queue_close)(void *queue);

	/* Hands over ios[0..n-1] in order and returns how many were taken, from the front; 0 when
	 * none could be right now (reap and try again). A refusal of the first IO for good is
	 * returned as its negative errno: the caller counts ios[0] as failed. */
	int (*submit)(void *queue, struct io **ios, unsigned n);

	/* Puts up to max completed IOs into done. wait_ns: 0 = only what is there already,
	 * -1 = until one is done or wake_fd is readable, else at most that long. Returns how many
	 * (possibly 0), or a negative errno when the queue is broken. */
	int (*reap)(void *queue, struct io **done, unsigned max, int64_t wait_ns);
};

/* The registry: every backend of this build, in the order they are listed. */
const struct backend *backend_at(unsigned i); /* NULL past the end */
const struct backend *backend_find(const char *name);

#endif
