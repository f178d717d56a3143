/* libaio.c - Linux native asynchronous IO, for files and block devices opened with O_DIRECT.
 *
 * What has completed is taken from the kernel's completion ring in user space where the ring has the
 * layout that this file knows (magic 0xa10a10a1, no incompatible features; struct aio_ring in the
 * kernel's fs/aio.c), otherwise through io_getevents. A poll on the wake eventfd sits in the same
 * context, so that a sleeping reap returns when the engine has something to say.
 */
#include "backends/backend.h"

#include <errno.h>
#include <libaio.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define AIO_RING_MAGIC 0xa10a10a1u
#define REAP_BATCH     64

/* The head of the ring that io_setup maps; events follow it. */
struct aio_ring {
	unsigned id, nr;
	_Atomic unsigned head, tail;
	unsigned magic, compat_features, incompat_features, header_length;
	struct io_event events[];
};

struct aio_target {
	int fd;
};

struct aio_queue {
	int fd;
	io_context_t context;
	struct aio_ring *ring; /* NULL: use io_getevents */
	bool wake_armed;
	struct iocb wake;    /* the poll on the wake fd */
	struct iocb *iocb;   /* by slot */
	struct iocb **batch; /* for io_submit, depth of them */
};

/* Nothing to say for itself: it is taken for what speaks against the others. */
static enum backend_fit aio_fit(const struct backend_open *how, char *why, size_t n)
{
	io_context_t none = NULL;

	if (how && (how->fd < 0 || !how->direct))
		return FIT_NONE;
	/* A kernel that has it (CONFIG_AIO) finds fault with the number. */
	if (io_setup(0, &none) == -EINVAL)
		return FIT_GOOD;
	snprintf(why, n, "this kernel does not allow libaio");
	return FIT_NONE;
}

static int aio_open(const struct backend_open *how, void **target, struct error *e)
{
	if (!how->direct)
		return error_set(e, EINVAL,
				 "%s: libaio needs O_DIRECT (buffered, each submit would wait for "
				 "the IO and the depth would be 1); use --backend sync",
				 how->spec);
	struct aio_target *t = malloc(sizeof(*t));
	if (!t)
		return error_set(e, ENOMEM, "libaio: out of memory");
	t->fd = how->fd;
	*target = t;
	return 0;
}

static void aio_close(void *target)
{
	free(target);
}

static void aio_queue_close(void *queue)
{
	struct aio_queue *q = queue;

	if (q->context)
		io_destroy(q->context);
	free(q->iocb);
	free(q->batch);
	free(q);
}

static int aio_queue_open(void *target, const struct backend_queue *how, void **queue,
			  struct error *e)
{
	const struct aio_target *t = target;
	struct aio_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return error_set(e, ENOMEM, "libaio: out of memory");
	q->fd = t->fd;
	q->iocb = calloc(how->depth, sizeof(*q->iocb));
	q->batch = calloc(how->depth, sizeof(*q->batch));
	if (!q->iocb || !q->batch) {
		aio_queue_close(q);
		return error_set(e, ENOMEM, "libaio: out of memory for %u outstanding", how->asked);
	}
	/* What never changes; calloc has cleared the rest. */
	for (uint32_t i = 0; i < how->depth; i++)
		q->iocb[i].aio_fildes = q->fd;
	int rc = io_setup((int)how->depth + 1, &q->context);
	if (rc < 0) {
		q->context = NULL;
		aio_queue_close(q);
		if (rc == -EAGAIN)
			return error_set(
				e, EAGAIN,
				"libaio: no room for %u more outstanding IOs in this host's "
				"fs.aio-max-nr; raise it (sysctl fs.aio-max-nr) or ask for "
				"fewer workers or outstanding",
				how->asked);
		return error_errno(e, -rc, "libaio: io_setup for %u outstanding", how->asked);
	}
	struct aio_ring *ring = (struct aio_ring *)q->context;
	if (ring->magic == AIO_RING_MAGIC && ring->incompat_features == 0)
		q->ring = ring;
	io_prep_poll(&q->wake, how->wake_fd, POLLIN);
	*queue = q;
	return 0;
}

static int aio_submit(void *queue, struct io **ios, unsigned n)
{
	struct aio_queue *q = queue;

	for (unsigned i = 0; i < n; i++) {
		struct io *io = ios[i];
		struct iocb *cb = &q->iocb[io->slot];
		cb->aio_lio_opcode = io->op == IO_READ ? IO_CMD_PREAD : IO_CMD_PWRITE;
		cb->u.c.buf = io->buf;
		cb->u.c.nbytes = io->size;
		cb->u.c.offset = (long long)io->offset;
		cb->data = io;
		q->batch[i] = cb;
	}
	int rc = io_submit(q->context, (long)n, q->batch);
	/* EAGAIN: no room in the context or no memory right now; what is in flight makes room. */
	return rc == -EAGAIN || rc == -EINTR ? 0 : rc;
}

/* Turns events into completed IOs; the wake poll's own event only rearms it. */
static unsigned aio_collect(struct aio_queue *q, const struct io_event *event, unsigned n,
			    struct io **done)
{
	unsigned out = 0;

	for (unsigned i = 0; i < n; i++) {
		if (event[i].obj == &q->wake) {
			q->wake_armed = false;
			continue;
		}
		struct io *io = event[i].data;
		io->result = (int32_t)(long)event[i].res;
		done[out++] = io;
	}
	return out;
}

static unsigned aio_take_ring(struct aio_queue *q, struct io **done, unsigned max)
{
	struct aio_ring *ring = q->ring;
	unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed), out = 0;
	unsigned before = head;
	unsigned tail = atomic_load_explicit(&ring->tail, memory_order_acquire);

	while (head != tail && out < max) {
		out += aio_collect(q, &ring->events[head], 1, done + out);
		if (++head == ring->nr)
			head = 0;
	}
	/* Only when the events have been read may the kernel write over them. */
	if (head != before)
		atomic_store_explicit(&ring->head, head, memory_order_release);
	return out;
}

/* The system call itself: the library's wrapper answers for an empty ring without asking the kernel
 * when the timeout is zero, which the ring has been looked at for already. */
static int aio_getevents(struct aio_queue *q, struct io **done, unsigned max, long min,
			 struct timespec *timeout)
{
	struct io_event event[REAP_BATCH];

	if (max > REAP_BATCH)
		max = REAP_BATCH;
	long n = syscall(SYS_io_getevents, q->context, min, (long)max, event, timeout);
	if (n < 0)
		return errno == EINTR ? 0 : -errno;
	return (int)aio_collect(q, event, (unsigned)n, done);
}

static int aio_arm_wake(struct aio_queue *q)
{
	if (q->wake_armed)
		return 0;
	struct iocb *cb = &q->wake;
	int rc = io_submit(q->context, 1, &cb);
	if (rc == 1)
		q->wake_armed = true;
	return rc == 1 ? 0 : rc < 0 ? rc : -EAGAIN;
}

static int aio_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	struct aio_queue *q = queue;
	int n = q->ring ? (int)aio_take_ring(q, done, max)
			: aio_getevents(q, done, max, 0, &(struct timespec){0, 0});

	if (n || wait_ns == 0)
		return n;
	/* Without the poll (an old kernel) a sleeper looks up every 20 ms. */
	if (aio_arm_wake(q) && (wait_ns < 0 || wait_ns > 20000000))
		wait_ns = 20000000;
	struct timespec t = {wait_ns / 1000000000, wait_ns % 1000000000};
	return aio_getevents(q, done, max, 1, wait_ns < 0 ? NULL : &t);
}

const struct backend backend_libaio = {
	.name = "libaio",
	.summary = "Linux native AIO, direct only",
	.caps = BACKEND_FILES,
	.fit = aio_fit,
	.open = aio_open,
	.close = aio_close,
	.queue_open = aio_queue_open,
	.queue_close = aio_queue_close,
	.submit = aio_submit,
	.reap = aio_reap,
};
