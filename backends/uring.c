/* uring.c - io_uring, for files and block devices, direct or buffered.
 *
 * The ring belongs to the worker alone (IORING_SETUP_SINGLE_ISSUER with DEFER_TASKRUN where the kernel
 * has them, since 6.1), so completions are handed over when the worker asks and not by interrupting
 * it. It is made disabled and enabled by the worker's first call, which makes that thread its issuer.
 * A poll on the wake eventfd sits in the same ring.
 *
 * What the kernel would look up for each IO is registered once: the target, the buffers and the ring
 * itself. The kernel gives rings back long after they were closed, and what is registered stays in use
 * until then, so a worker that leaves a queue takes it all back (uring_queue_rest), as only the issuer
 * may.
 */
#include "backends/backend.h"

#include <errno.h>
#include <liburing.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Registering touches a region as a whole, at 1.5 us for a page: what is larger stays as it is. */
#define REGISTERED_MAX (8u << 20)

/* The user_data of the wake poll; no IO lives at this address. */
#define WAKE_DATA ((void *)1)

struct uring_target {
	int fd;
	atomic_int refused; /* the errno for which buffers could not be registered, else 0 */
};

/* Of one direction's buffers, which are number op in the ring. */
enum registration { NOT_YET, REGISTERED, PLAIN };

struct uring_queue {
	struct io_uring ring;
	struct uring_target *target;
	int fd, wake_fd;
	bool enabled;    /* the ring has its issuer */
	bool in_use;     /* what can be registered at once is, where the kernel lets us */
	bool fixed_ring; /* the ring's own descriptor */
	bool fixed_file; /* the target is number 0 */
	bool wake_armed;
	uint64_t buffer_size;
	void *buffer[IO_OPS];
	enum registration buffers[IO_OPS];
};

/* In the order of preference. DEFER_TASKRUN (6.1): completions are handed over, many at once, when the
 * worker asks for them. */
static const unsigned setups[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
	IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
	0,
};

/* A ring with the best set-up from number *from on; *from becomes that number. 0 or -errno. */
static int init_ring(struct io_uring *ring, uint32_t entries, unsigned *from)
{
	int rc = -EINVAL;

	for (; *from < sizeof(setups) / sizeof(*setups); ++*from) {
		struct io_uring_params p = {.flags = setups[*from] | IORING_SETUP_R_DISABLED};
		rc = io_uring_queue_init_params(entries, ring, &p);
		if (rc != -EINVAL)
			break;
	}
	return rc;
}

/* Whether an IO can be started without a wait. Where it can't (EOPNOTSUPP), io_uring gives each one to
 * a kernel thread. At the end of the target nothing is read. */
static bool takes_nowait(const struct backend_open *how)
{
	size_t size = how->block > 4096 ? how->block : 4096;
	void *buffer = aligned_alloc(size, size);

	if (!buffer)
		return false;
	struct iovec v = {buffer, how->block};
	off_t end = (off_t)((how->size + how->block - 1) / how->block * how->block);
	ssize_t rc = preadv2(how->fd, &v, 1, end, RWF_NOWAIT);
	int err = rc < 0 ? errno : 0;
	free(buffer);
	return err != EOPNOTSUPP && err != ENOSYS;
}

/* Of a read longer than a page /dev/zero gives only a part when another thread wants the CPU and the read
 * must not wait (read_iter_zero in the kernel's drivers/char/mem.c), and io_uring lets that stand. */
static bool is_character_device(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISCHR(st.st_mode);
}

static enum backend_fit uring_fit(const struct backend_open *how, char *why, size_t n)
{
	struct io_uring ring;
	unsigned setup = 0;

	if (how && how->fd < 0)
		return FIT_NONE;
	int rc = init_ring(&ring, 1, &setup);
	if (rc < 0) {
		snprintf(why, n, "io_uring is not allowed here: %s", strerror(-rc));
		return FIT_NONE;
	}
	io_uring_queue_exit(&ring);
	if (how && !how->direct)
		return FIT_GOOD;
	if (setup > 0) {
		snprintf(why, n, "io_uring is slower before Linux 6.1 (no DEFER_TASKRUN)");
		return FIT_POOR;
	}
	if (how && is_character_device(how->fd)) {
		snprintf(why, n, "to io_uring a character device may answer short");
		return FIT_POOR;
	}
	if (how && !takes_nowait(how)) {
		snprintf(why, n, "io_uring would need a thread for each IO (no NOWAIT)");
		return FIT_POOR;
	}
	snprintf(why, n, "completions come in batches%s",
		 how ? ", and the target takes NOWAIT" : "");
	return FIT_BEST;
}

static int uring_open(const struct backend_open *how, void **target, struct error *e)
{
	struct uring_target *t = malloc(sizeof(*t));

	if (!t)
		return error_set(e, ENOMEM, "io_uring: out of memory");
	t->fd = how->fd;
	atomic_init(&t->refused, 0);
	*target = t;
	return 0;
}

static void uring_close(void *target)
{
	free(target);
}

static const char *uring_remark(void *target)
{
	struct uring_target *t = target;
	int err = atomic_load_explicit(&t->refused, memory_order_relaxed);

	return err == 0        ? ""
	       : err == ENOMEM ? "buffers are not registered: ulimit -l is too low"
			       : "buffers are not registered: the kernel refuses it";
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

static int uring_queue_open(void *target, const struct backend_queue *how, void **queue,
			    struct error *e)
{
	struct uring_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return error_set(e, ENOMEM, "io_uring: out of memory");
	q->target = target;
	q->fd = q->target->fd;
	q->wake_fd = how->wake_fd;
	q->buffer_size = how->buffer_size;
	for (int op = 0; op < IO_OPS; op++)
		q->buffer[op] = how->buffer[op];
	/* One entry more than IOs, for the wake poll. */
	unsigned setup = 0;
	int rc = init_ring(&q->ring, how->depth + 1, &setup);
	if (rc < 0) {
		free(q);
		return init_error(-rc, how->asked, e);
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

/* --- Registering, by the worker. --- */

/* Before its first IO, or the first after a rest. What can't be registered goes without: that costs a
 * little time per IO, and nothing else. */
static int begin(struct uring_queue *q)
{
	/* liburing 2.3 declares io_uring_enable_rings() but does not export it. */
	int rc = q->enabled ? 0
			    : io_uring_register((unsigned)q->ring.ring_fd,
						IORING_REGISTER_ENABLE_RINGS, NULL, 0);
	if (rc < 0)
		return rc;
	q->enabled = q->in_use = true;
	q->fixed_ring = io_uring_register_ring_fd(&q->ring) == 1;
	q->fixed_file = io_uring_register_files(&q->ring, &q->fd, 1) == 0;
	bool table = q->buffer_size <= REGISTERED_MAX &&
		     io_uring_register_buffers_sparse(&q->ring, IO_OPS) == 0;
	for (int op = 0; op < IO_OPS; op++)
		q->buffers[op] = table ? NOT_YET : PLAIN;
	return 0;
}

static void uring_queue_prepare(void *queue, enum io_op op)
{
	struct uring_queue *q = queue;

	if ((!q->in_use && begin(q) < 0) || q->buffers[op] != NOT_YET)
		return;
	struct iovec region = {q->buffer[op], q->buffer_size};
	__u64 tag = 0;
	int rc = io_uring_register_buffers_update_tag(&q->ring, op, &region, &tag, 1);
	q->buffers[op] = rc == 1 ? REGISTERED : PLAIN;
	if (rc != 1)
		atomic_store_explicit(&q->target->refused, rc < 0 ? -rc : EINVAL,
				      memory_order_relaxed);
}

static void uring_queue_rest(void *queue)
{
	struct uring_queue *q = queue;

	if (!q->in_use)
		return;
	q->in_use = false;
	if (q->fixed_file)
		io_uring_unregister_files(&q->ring);
	io_uring_unregister_buffers(&q->ring);
	if (q->fixed_ring)
		io_uring_unregister_ring_fd(&q->ring);
	q->fixed_file = q->fixed_ring = false;
}

/* --- IO. --- */

static void prepare(struct uring_queue *q, struct io_uring_sqe *sqe, struct io *io)
{
	enum io_op op = io->op;
	int fd = q->fixed_file ? 0 : q->fd;

	bool fixed = q->buffers[op] == REGISTERED;
	if (op == IO_READ && fixed)
		io_uring_prep_read_fixed(sqe, fd, io->buf, io->size, io->offset, op);
	else if (op == IO_READ)
		io_uring_prep_read(sqe, fd, io->buf, io->size, io->offset);
	else if (fixed)
		io_uring_prep_write_fixed(sqe, fd, io->buf, io->size, io->offset, op);
	else
		io_uring_prep_write(sqe, fd, io->buf, io->size, io->offset);
	if (q->fixed_file)
		sqe->flags |= IOSQE_FIXED_FILE;
	io_uring_sqe_set_data(sqe, io);
}

/* Not now: the kernel has no memory, its own list of completions must be fetched first, or a
 * signal came. */
static bool passes(int rc)
{
	return rc == -EAGAIN || rc == -EBUSY || rc == -EINTR;
}

/* What is in the submission ring belongs to the kernel, even where it does not take all at once:
 * the rest goes with the next call. If it takes none for good, uring_reap, which tries again,
 * says so. */
static int uring_submit(void *queue, struct io **ios, unsigned n)
{
	struct uring_queue *q = queue;
	int rc = q->in_use ? 0 : begin(q);

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
	int rc = q->in_use ? 0 : begin(q);

	if (rc < 0)
		return rc;
	unsigned n = take(q, done, max);
	if (n)
		return (int)n;
	if (io_uring_sq_ready(&q->ring))
		rc = io_uring_submit(&q->ring);
	if (rc < 0 && !passes(rc))
		return rc;
	if (wait_ns == 0) {
		/* Enters the kernel only when it has said that completions wait to be handed over. */
		io_uring_peek_batch_cqe(&q->ring, &cqe, 1);
		return (int)take(q, done, max);
	}
	arm_wake(q);
	struct __kernel_timespec t = {wait_ns / 1000000000, wait_ns % 1000000000};
	rc = io_uring_submit_and_wait_timeout(&q->ring, &cqe, 1, wait_ns < 0 ? NULL : &t, NULL);
	if (passes(rc) && rc != -EINTR) {
		n = take(q, done, max);
		if (!n)
			poll(&(struct pollfd){.fd = q->wake_fd, .events = POLLIN}, 1, 1);
		return (int)n;
	}
	if (rc < 0 && rc != -ETIME && rc != -EINTR)
		return rc;
	return (int)take(q, done, max);
}

const struct backend backend_uring = {
	.name = "io_uring",
	.summary = "io_uring, direct or buffered",
	.caps = BACKEND_FILES | BACKEND_BUFFERED,
	.touched_whole = REGISTERED_MAX,
	.fit = uring_fit,
	.open = uring_open,
	.close = uring_close,
	.remark = uring_remark,
	.queue_open = uring_queue_open,
	.queue_prepare = uring_queue_prepare,
	.queue_rest = uring_queue_rest,
	.queue_close = uring_queue_close,
	.submit = uring_submit,
	.reap = uring_reap,
};
