/* bare.c - the least that a program can do to read at random: what is left of the host's speed when the
 * engine costs nothing. No latencies, no counters but one, no knobs; otherwise what the engine does (reap
 * what has completed, refill, one submit). The benches show lunscope beside it, so that what the kernel
 * costs is not taken for the engine's cost.
 *
 *     tests/bench/bare FILE libaio|io_uring|sync WORKERS DEPTH SECONDS
 *
 * 4 KiB reads, O_DIRECT where the file can, over its first GiB. Prints "IOPS IOS".
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef HAVE_URING
#include <liburing.h>
#endif
#include "random.h"
#include "units.h"

#define BLOCK 4096u

static int fd;
static uint64_t places;
static unsigned depth;
static atomic_bool stopping;

struct reader {
	pthread_t thread;
	struct random random;
	uint64_t ios;
	char *buffer;
};

static void fail(const char *what, int err)
{
	fprintf(stderr, "bare: %s: %s\n", what, strerror(err));
	exit(2);
}

static off_t somewhere(struct reader *r)
{
	return (off_t)(random_below(&r->random, places) * BLOCK);
}

static bool stopped(void)
{
	return atomic_load_explicit(&stopping, memory_order_relaxed);
}

static void *read_sync(void *arg)
{
	struct reader *r = arg;

	for (; !stopped(); r->ios++)
		if (pread(fd, r->buffer, BLOCK, somewhere(r)) != BLOCK)
			fail("pread", errno);
	return NULL;
}

/* --- libaio: the completion ring is looked at first, as in backends/libaio.c. --- */

struct ring {
	unsigned id, nr;
	_Atomic unsigned head, tail;
	unsigned magic, compat, incompat, header;
	struct io_event event[];
};

static unsigned take(struct ring *ring, struct iocb **free)
{
	unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed), n = 0;
	unsigned tail = atomic_load_explicit(&ring->tail, memory_order_acquire);

	while (head != tail) {
		if ((long)ring->event[head].res != BLOCK)
			fail("read", EIO);
		free[n++] = ring->event[head].obj;
		head = head + 1 == ring->nr ? 0 : head + 1;
	}
	atomic_store_explicit(&ring->head, head, memory_order_release);
	return n;
}

static void *read_libaio(void *arg)
{
	struct reader *r = arg;
	struct iocb *iocb = calloc(depth, sizeof(*iocb)), **free = calloc(depth, sizeof(*free));
	struct io_event *event = calloc(depth, sizeof(*event));
	io_context_t context = 0;
	unsigned idle = depth;

	if (!iocb || !free || !event || io_setup((int)depth, &context))
		fail("io_setup", ENOMEM);
	for (unsigned i = 0; i < depth; i++) {
		io_prep_pread(&iocb[i], fd, r->buffer + (size_t)i * BLOCK, BLOCK, 0);
		free[i] = &iocb[i];
	}
	while (!stopped()) {
		for (unsigned i = 0; i < idle; i++)
			free[i]->u.c.offset = somewhere(r);
		int n = idle ? io_submit(context, (long)idle, free) : 0;
		if (n < 0)
			fail("io_submit", -n);
		idle -= (unsigned)n;
		memmove(free, free + n, idle * sizeof(*free));
		unsigned done = take((struct ring *)context, free + idle);
		if (!done && idle < depth) {
			/* The library's wrapper does not ask the kernel when the ring is empty. */
			long got = syscall(SYS_io_getevents, context, 1L, (long)depth, event, NULL);
			for (long i = 0; i < got; i++)
				free[idle + done++] = event[i].obj;
		}
		idle += done;
		r->ios += done;
	}
	io_destroy(context);
	return NULL;
}

/* --- io_uring. --- */

#ifdef HAVE_URING
static unsigned take_uring(struct io_uring *ring, void **free)
{
	struct io_uring_cqe *cqe;
	unsigned head, n = 0;

	io_uring_for_each_cqe(ring, head, cqe)
	{
		if (cqe->res != BLOCK)
			fail("read", EIO);
		free[n++] = io_uring_cqe_get_data(cqe);
	}
	io_uring_cq_advance(ring, n);
	return n;
}

static void *read_uring(void *arg)
{
	struct reader *r = arg;
	struct io_uring ring;
	struct io_uring_params p = {.flags = IORING_SETUP_SINGLE_ISSUER |
					     IORING_SETUP_DEFER_TASKRUN};
	struct iovec whole = {r->buffer, (size_t)depth * BLOCK};
	void **free = calloc(depth, sizeof(*free));
	unsigned idle = depth;

	int rc = free ? io_uring_queue_init_params(depth, &ring, &p) : -ENOMEM;
	if (rc == 0)
		rc = io_uring_register_files(&ring, &fd, 1);
	if (rc == 0)
		rc = io_uring_register_buffers(&ring, &whole, 1);
	if (rc < 0)
		fail("io_uring", -rc);
	for (unsigned i = 0; i < depth; i++)
		free[i] = r->buffer + (size_t)i * BLOCK;
	while (!stopped()) {
		for (unsigned i = 0; i < idle; i++) {
			struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);
			io_uring_prep_read_fixed(sqe, 0, free[i], BLOCK, (uint64_t)somewhere(r), 0);
			sqe->flags |= IOSQE_FIXED_FILE;
			io_uring_sqe_set_data(sqe, free[i]);
		}
		rc = io_uring_submit_and_wait(&ring, 1);
		if (rc < 0 && rc != -EINTR)
			fail("io_uring_enter", -rc);
		idle = take_uring(&ring, free);
		r->ios += idle;
	}
	return NULL;
}
#endif

/* --- The program. --- */

static void *(*reader_of(const char *name))(void *)
{
	if (strcmp(name, "libaio") == 0)
		return read_libaio;
#ifdef HAVE_URING
	if (strcmp(name, "io_uring") == 0)
		return read_uring;
#endif
	if (strcmp(name, "sync") == 0)
		return read_sync;
	fail(name, ENOTSUP);
	return NULL;
}

static void open_file(const char *path)
{
	struct stat st;
	off_t size = 1 << 30;

	fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (fd < 0)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		fail(path, errno);
	off_t end = S_ISCHR(st.st_mode) ? size : lseek(fd, 0, SEEK_END);
	places = (uint64_t)(end < size ? end : size) / BLOCK;
	if (!places)
		fail(path, EINVAL);
}

int main(int argc, char **argv)
{
	if (argc != 6) {
		fprintf(stderr, "usage: bare FILE libaio|io_uring|sync WORKERS DEPTH SECONDS\n");
		return 2;
	}
	void *(*read_it)(void *) = reader_of(argv[2]);
	unsigned workers = (unsigned)atoi(argv[3]);
	depth = (unsigned)atoi(argv[4]);
	open_file(argv[1]);
	struct reader *r = calloc(workers, sizeof(*r));
	uint64_t began = clock_ns(), ios = 0;
	for (unsigned i = 0; r && i < workers; i++) {
		random_seed(&r[i].random, i);
		r[i].buffer = aligned_alloc(BLOCK, (size_t)depth * BLOCK);
		if (!r[i].buffer || pthread_create(&r[i].thread, NULL, read_it, &r[i]))
			fail("thread", ENOMEM);
	}
	double seconds = atof(argv[5]);
	nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (long)seconds) * 1e9)},
		  NULL);
	atomic_store(&stopping, true);
	uint64_t took = clock_ns() - began;
	for (unsigned i = 0; r && i < workers; i++) {
		pthread_join(r[i].thread, NULL);
		ios += r[i].ios;
	}
	printf("%.0f %llu\n", (double)ios * 1e9 / (double)took, (unsigned long long)ios);
	return 0;
}
