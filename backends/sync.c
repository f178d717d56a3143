/* sync.c - pread and pwrite: one IO at a time per worker.
 *
 * The IO happens inside submit; reap hands it back. The cheapest way at depth 1, and the only one
 * that does buffered IO with an honest depth.
 */
#include "backends/backend.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct sync_target {
	int fd;
};

struct sync_queue {
	int fd;
	int wake_fd;
	struct io *done;
};

static enum backend_fit sync_fit(const struct backend_open *how, char *why, size_t n)
{
	if (how && how->fd < 0)
		return FIT_NONE;
	if (!how || how->direct)
		return FIT_POOR;
	snprintf(why, n, "a buffered IO is done when the call returns");
	return FIT_BEST;
}

static int sync_open(const struct backend_open *how, void **target, struct error *e)
{
	struct sync_target *t = malloc(sizeof(*t));

	if (!t)
		return error_set(e, ENOMEM, "sync: out of memory");
	t->fd = how->fd;
	*target = t;
	return 0;
}

static void sync_close(void *target)
{
	free(target);
}

static int sync_queue_open(void *target, const struct backend_queue *how, void **queue,
			   struct error *e)
{
	const struct sync_target *t = target;
	struct sync_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return error_set(e, ENOMEM, "sync: out of memory");
	q->fd = t->fd;
	q->wake_fd = how->wake_fd;
	*queue = q;
	return 0;
}

static void sync_queue_close(void *queue)
{
	free(queue);
}

static int sync_submit(void *queue, struct io **ios, unsigned n)
{
	struct sync_queue *q = queue;

	if (!n || q->done)
		return 0;
	struct io *io = ios[0];
	ssize_t r;
	do {
		r = io->op == IO_READ ? pread(q->fd, io->buf, io->size, (off_t)io->offset)
				      : pwrite(q->fd, io->buf, io->size, (off_t)io->offset);
	} while (r < 0 && errno == EINTR);
	io->result = r < 0 ? -errno : (int32_t)r;
	q->done = io;
	return 1;
}

static int sync_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	struct sync_queue *q = queue;

	if (q->done && max) {
		done[0] = q->done;
		q->done = NULL;
		return 1;
	}
	if (wait_ns) {
		struct timespec t = {wait_ns / 1000000000, wait_ns % 1000000000};
		struct pollfd p = {.fd = q->wake_fd, .events = POLLIN};
		ppoll(&p, 1, wait_ns < 0 ? NULL : &t, NULL);
	}
	return 0;
}

const struct backend backend_sync = {
	.name = "sync",
	.summary = "pread/pwrite, one IO at a time per worker, direct or buffered",
	.caps = BACKEND_FILES | BACKEND_BUFFERED,
	.max_outstanding = 1,
	.depth_reason = "it does one IO at a time per worker",
	.fit = sync_fit,
	.open = sync_open,
	.close = sync_close,
	.queue_open = sync_queue_open,
	.queue_close = sync_queue_close,
	.submit = sync_submit,
	.reap = sync_reap,
};
