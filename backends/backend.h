/* backend.h - the one interface the engine sees of anything that does IO.
 *
 * A backend opens a target, gives each worker a queue, submits and reaps. It knows nothing of
 * workloads, statistics or screens, and the engine knows no backend by name outside the registry.
 * Adding one = a file in this folder + a line in registry.c + a line in local.mk. Which one is taken
 * when nobody names one follows from what each says of itself (fit).
 *
 * Threads: open and close come from one thread; a queue belongs to the worker that uses it and is
 * touched by no other, but queue_open and queue_close may be called from another thread while the
 * worker does not use it.
 */
#ifndef LUNSCOPE_BACKEND_H
#define LUNSCOPE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
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
	bool direct;	  /* fd is O_DIRECT, or there is no cache in between anyway */
};

/* How well a backend would do for a target. */
enum backend_fit {
	FIT_NONE, /* this host does not allow it, or it can't do that kind of IO */
	FIT_POOR, /* it works, but in a roundabout way */
	FIT_GOOD,
	FIT_BEST,
};

/* What a queue is made for. */
struct backend_queue {
	uint32_t depth;	      /* IOs it must hold, slots 0..depth-1 */
	uint32_t asked;	      /* what the operator asked for, to be named in messages; <= depth */
	int wake_fd;	      /* an eventfd: when it becomes readable, a waiting reap returns; the
			       * backend never reads from it */
	uint64_t buffer_size; /* every io's buf lies, by its op, within one of these regions, whose */
	void *buffer[IO_OPS]; /* pages come with their first use */
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
	uint64_t touched_whole;	  /* buffer regions up to this size, bytes, are touched as a whole by
				   * queue_prepare; otherwise each buffer by its first IO */

	/* How well it fits, by facts alone: no data is read or written. why says in a short sentence
	 * what decided it, "" when there is nothing to say. how NULL: a target that takes
	 * everything, so this is about the host. */
	enum backend_fit (*fit)(const struct backend_open *how, char *why, size_t n);

	/* Makes *target from how. 0, or a negative errno with words in e. */
	int (*open)(const struct backend_open *how, void **target, struct error *e);
	void (*close)(void *target);
	/* What the operator should know of how the IOs are carried out, in a few words; "" when there
	 * is nothing. From any thread while the target is open. NULL: never anything. */
	const char *(*remark)(void *target);

	int (*queue_open)(void *target, const struct backend_queue *how, void **queue,
			  struct error *e);
	/* IOs of that op are about to come: what their buffers need is done now, when no IO is being
	 * timed. By the worker's own thread. NULL where they need nothing. */
	void (*queue_prepare)(void *queue, enum io_op op);
	/* Lets go of the target and the buffers now, however long the kernel takes to give the queue
	 * itself back after queue_close. By the worker's own thread, with nothing in flight, when it
	 * has left the queue. NULL where a queue holds nothing of its own. */
	void (*queue_rest)(void *queue);
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

/* The name that stands for backend_choose(). */
#define BACKEND_AUTO "auto"
#define BACKEND_WHY  96
/* The backend that fits best (how NULL: see fit), and why, in a few words for one line. NULL when none
 * does. */
const struct backend *backend_choose(const struct backend_open *how, char *why, size_t n);

#endif
