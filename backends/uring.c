/* uring.c - io_uring, for files and block devices, direct or buffered.
 *
 * The ring belongs to the worker alone (IORING_SETUP_SINGLE_ISSUER with DEFER_TASKRUN where the kernel
 * has them, since 6.1), so completions are handed over when the worker asks and not by interrupting
 * it. It is made disabled and enabled by the worker's first call, which makes that thread its issuer.
 * A poll on the wake eventfd sits in the same ring. The target is not registered: the kernel gives
 * rings back long after they were closed, and a registered file stays open until then.
 */
#include "backends/backend.h"

#include <errno.h>
#include <liburing.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct uring_target {
	int fd;
};

struct uring_queue {
	struct io_uring ring;
	int fd, wake_fd;
	bool enabled;
	bool wake_armed;
};

/* The user_data of the wake poll; no IO lives at this address. */
#define WAKE_DATA ((void *)1)

static int uring_open(const struct backend_open *how, void **target, struct error *e)
{
	struct uring_target *t = malloc(sizeof(*t));

	if (!t)
		return error_set(e, ENOMEM, "io_uring: out of memory");
	t->fd = how->fd;
	*target = t;
	return 0;
}

static void uring_close(void *target)
{
	free(target);
}

static int init_error(int err, uint32_t depth, struct error *e)
{
	if (err == ENOSYS || err == EPERM)
		return error_set(e, err,
				 "io_uring: this kernel does not allow it (%s; see sysctl "
				 "kernel.io_uring_disabled); use --backend libaio",
				 err == ENOSYS ? "not built in" : "not permitted");
	if (err == ENOMEM)
		return error_set(
			e, err,
			"io_uring: no memory for %u outstanding (see ulimit -l); use fewer "
			"workers or outstanding, or --backend libaio",
			depth);
	return error_errno(e, err, "io_uring: a queue for %u outstanding", depth);
}

static int uring_queue_open(void *target, uint32_t depth, int wake_fd, void **queue,
			    struct error *e)
{
	static const unsigned setups[] = {
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
		IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
		0,
	};
	const struct uring_target *t = target;
	struct uring_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return error_set(e, ENOMEM, "io_uring: out of memory");
	q->fd = t->fd;
	q->wake_fd = wake_fd;
	int rc = -EINVAL;
	for (unsigned i = 0; rc == -EINVAL && i < sizeof(setups) / sizeof(*setups); i++) {
		/* One entry more than IOs, for the wake poll. */
		struct io_uring_params p = {.flags = setups[i] | IORING_SETUP_R_DISABLED};
		rc = io_uring_queue_init_params(depth + 1, &q->ring, &p);
	}
	if (rc < 0) {
		free(q);
		return init_error(-rc, depth, e);
	}
	*queue = q;
	return 0;
}

static void uring_queue_close(void *queue)
{
	struct uring_queue *q = queue;

	io_uring_queue_exit(&q->ring);
	free(q);
}

/* By the worker, before its first IO. */
static int enable(struct uring_queue *q)
{
	/* liburing 2.3 declares io_uring_enable_rings() but does not export it. */
	int rc =
		io_uring_register((unsigned)q->ring.ring_fd, IORING_REGISTER_ENABLE_RINGS, NULL, 0);
	if (rc < 0)
		return rc;
	q->enabled = true;
	return 0;
}

static void prepare(struct uring_queue *q, struct io_uring_sqe *sqe, struct io *io)
{
	int fd = q->fd;

	if (io->op == IO_READ)
		io_uring_prep_read(sqe, fd, io->buf, io->size, io->offset);
	else
		io_uring_prep_write(sqe, fd, io->buf, io->size, io->offset);
	io_uring_sqe_set_data(sqe, io);
}

/* What is in the submission ring belongs to the kernel, even where it does not take all at once
 * (EAGAIN, EBUSY: completions must be fetched first): the rest goes with the next call. */
static int uring_submit(void *queue, struct io **ios, unsigned n)
{
	struct uring_queue *q = queue;
	int rc = q->enabled ? 0 : enable(q);

	if (rc < 0)
		return rc;
	unsigned taken = 0;
	for (; taken < n; taken++) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(&q->ring);
		if (!sqe)
			break;
		prepare(q, sqe, ios[taken]);
	}
	io_uring_submit(&q->ring);
	return (int)taken;
}

static unsigned take(struct uring_queue *q, struct io **done, unsigned max)
{
	unsigned out = 0, seen = 0, head;
	struct io_uring_cqe *cqe;

	io_uring_for_each_cqe(&q->ring, head, cqe)
	{
		if (out == max)
			break;
		seen++;
		if (io_uring_cqe_get_data(cqe) == WAKE_DATA) {
			q->wake_armed = false;
			continue;
		}
		struct io *io = io_uring_cqe_get_data(cqe);
		io->result = cqe->res;
		done[out++] = io;
	}
	io_uring_cq_advance(&q->ring, seen);
	return out;
}

static void arm_wake(struct uring_queue *q)
{
	if (q->wake_armed)
		return;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&q->ring);
	if (!sqe)
		return;
	io_uring_prep_poll_add(sqe, q->wake_fd, POLLIN);
	io_uring_sqe_set_data(sqe, WAKE_DATA);
	q->wake_armed = true;
}

static int uring_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	struct uring_queue *q = queue;
	struct io_uring_cqe *cqe;
	int rc = q->enabled ? 0 : enable(q);

	if (rc < 0)
		return rc;
	unsigned n = take(q, done, max);
	if (n)
		return (int)n;
	if (io_uring_sq_ready(&q->ring))
		io_uring_submit(&q->ring);
	if (wait_ns == 0) {
		/* Enters the kernel only when it has said that completions wait to be handed over. */
		io_uring_peek_batch_cqe(&q->ring, &cqe, 1);
		return (int)take(q, done, max);
	}
	arm_wake(q);
	struct __kernel_timespec t = {wait_ns / 1000000000, wait_ns % 1000000000};
	rc = io_uring_submit_and_wait_timeout(&q->ring, &cqe, 1, wait_ns < 0 ? NULL : &t, NULL);
	if (rc < 0 && rc != -ETIME && rc != -EINTR && rc != -EAGAIN && rc != -EBUSY)
		return rc;
	return (int)take(q, done, max);
}

const struct backend backend_uring = {
	.name = "io_uring",
	.summary = "io_uring, direct or buffered",
	.caps = BACKEND_FILES | BACKEND_BUFFERED,
	.open = uring_open,
	.close = uring_close,
	.queue_open = uring_queue_open,
	.queue_close = uring_queue_close,
	.submit = uring_submit,
	.reap = uring_reap,
};
