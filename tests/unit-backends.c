/* unit-backends.c - what every queue must do, whatever the kernel does: all IOs come back once and with
 * their data, in any number, when the kernel takes only a part of them, and when it takes none now; and
 * what a queue held is free when its worker has left it.
 *
 * A kernel that refuses is had from seccomp: the filter below answers system calls that carry just so
 * many IOs with an error. A completion ring of unknown layout is had by damaging the ring's magic number
 * right after io_setup().
 */
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "backends/backend.h"
#include "config.h"
#include "engine.h"
#include "lane.h"
#include "room.h"
#include "target.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "units.h"

#define BLOCK     4096u
#define DEPTH     256u
#define FILE_SIZE (DEPTH * BLOCK)

/* System calls with so many IOs fail. */
#define IOS_EAGAIN 41
#define IOS_BUSY   42 /* EINTR from io_submit, EBUSY from io_uring_enter */
#define IOS_BROKEN 44 /* EBADFD from io_uring_enter */
/* io_getevents is interrupted when it asks for at most so many. */
#define EVENTS_EINTR 43

/* --- The kernel's other sides. --- */

static bool damage_ring, filtered, unprepared;

int __real_io_setup(int n, io_context_t *context);
int __wrap_io_setup(int n, io_context_t *context);

/* The layout of the head of the ring: struct aio_ring in the kernel's fs/aio.c. */
int __wrap_io_setup(int n, io_context_t *context)
{
	int rc = __real_io_setup(n, context);
	if (rc == 0 && damage_ring)
		((unsigned *)*context)[4] = 0;
	return rc;
}

#define CALL(number, argument, value, error)                                                       \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),                     \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),                                 \
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument])), \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),                                  \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

static int filter_calls(void **state)
{
	struct sock_filter code[] = {
		CALL(SYS_io_submit, 1, IOS_EAGAIN, EAGAIN),
		CALL(SYS_io_submit, 1, IOS_BUSY, EINTR),
		CALL(SYS_io_getevents, 2, EVENTS_EINTR, EINTR),
		CALL(SYS_io_uring_enter, 1, IOS_EAGAIN, EAGAIN),
		CALL(SYS_io_uring_enter, 1, IOS_BUSY, EBUSY),
		CALL(SYS_io_uring_enter, 1, IOS_BROKEN, EBADFD),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(*code), code};
	(void)state;
	filtered = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
		   prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
	return 0;
}

static void need_filter(void)
{
	if (!filtered) {
		print_message("needs seccomp filters\n");
		skip();
	}
}

/* --- One queue over one file. --- */

static struct {
	const struct backend *b;
	char path[PATH_MAX];
	int fd, wake_fd;
	void *target, *queue;
	uint8_t *buffer;
	struct io io[DEPTH + 64], *batch[DEPTH + 64], *done[DEPTH + 64];
	unsigned seen[DEPTH + 64];
} f;

#define IOS ((unsigned)(sizeof(f.io) / sizeof(*f.io)))

/* Each block of the file begins with its number. */
static void make_file(void)
{
	static uint8_t content[FILE_SIZE];
	snprintf(f.path, sizeof(f.path), "%s", scratch_path("numbered"));
	for (uint32_t i = 0; i < DEPTH; i++)
		memcpy(content + i * BLOCK, &i, sizeof(i));
	int fd = open(f.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, sizeof(content)), sizeof(content));
	assert_int_equal(fsync(fd), 0);
	close(fd);
}

static void need_backend(const char *name)
{
	f.b = backend_find(name);
	char why[BACKEND_WHY] = "this build does not have it";
	if (!f.b || f.b->fit(NULL, why, sizeof(why)) == FIT_NONE) {
		print_message("%s: %s\n", name, why);
		skip();
	}
}

static void open_queue(const char *name, const char *path, int flags, uint32_t depth)
{
	struct error e;
	need_backend(name);
	f.fd = open(path, O_RDONLY | O_CLOEXEC | flags);
	if (f.fd < 0 && errno == EINVAL) {
		print_message("needs O_DIRECT in the scratch folder\n");
		skip();
	}
	assert_true(f.fd >= 0);
	struct backend_open how = {
		.spec = path, .fd = f.fd, .size = FILE_SIZE, .block = 512, .direct = true};
	if (f.b->open(&how, &f.target, &e))
		fail_msg("%s", e.text);
	f.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	f.buffer =
		mmap(NULL, IOS * BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(f.buffer != MAP_FAILED);
	struct backend_queue q = {.depth = depth,
				  .asked = depth,
				  .wake_fd = f.wake_fd,
				  .buffer_size = IOS * BLOCK,
				  .buffer = {f.buffer, f.buffer}};
	if (f.b->queue_open(f.target, &q, &f.queue, &e))
		fail_msg("%s", e.text);
	if (f.b->queue_prepare && !unprepared)
		f.b->queue_prepare(f.queue, IO_READ);
	for (uint32_t i = 0; i < IOS; i++) {
		f.io[i] = (struct io){.offset = (uint64_t)(i % DEPTH) * BLOCK,
				      .buf = f.buffer + i * BLOCK,
				      .size = BLOCK,
				      .slot = i % depth,
				      .op = IO_READ};
		f.batch[i] = &f.io[i];
	}
	memset(f.seen, 0, sizeof(f.seen));
}

static void rest(void)
{
	if (f.b->queue_rest)
		f.b->queue_rest(f.queue);
}

static int close_queue(void **state)
{
	(void)state;
	if (f.queue) {
		rest();
		f.b->queue_close(f.queue);
		f.b->close(f.target);
		munmap(f.buffer, IOS * BLOCK);
		close(f.fd);
		close(f.wake_fd);
	}
	f.queue = NULL;
	damage_ring = unprepared = false;
	return 0;
}

/* Takes what has completed, at most max at once; returns how many. */
static unsigned reap(unsigned max, int64_t wait_ns)
{
	int n = f.b->reap(f.queue, f.done, max, wait_ns);
	assert_true(n >= 0 && (unsigned)n <= max);
	for (int i = 0; i < n; i++)
		f.seen[f.done[i] - f.io]++;
	return (unsigned)n;
}

static void reap_all(unsigned n, unsigned max)
{
	double until = proc_now() + proc_patience();
	while (n) {
		unsigned got = reap(max, 10 * (int64_t)NS_PER_MS);
		assert_true(got <= n);
		n -= got;
		assert_true(proc_now() < until);
	}
	assert_int_equal(reap(max, 0), 0);
}

/* Submits them all, whatever it takes; nothing is reaped. */
static void submit_all(struct io **ios, unsigned n)
{
	double until = proc_now() + proc_patience();
	while (n) {
		int rc = f.b->submit(f.queue, ios, n);
		assert_true(rc >= 0 && (unsigned)rc <= n);
		ios += rc;
		n -= (unsigned)rc;
		assert_true(proc_now() < until);
	}
}

/* The first n came back, each as often as it was sent and with the data of its place. */
static void check_read(unsigned n, unsigned times)
{
	for (unsigned i = 0; i < IOS; i++) {
		uint32_t number;
		assert_int_equal(f.seen[i], i < n ? times : 0);
		if (i >= n)
			continue;
		assert_int_equal(f.io[i].result, BLOCK);
		memcpy(&number, f.buffer + i * BLOCK, sizeof(number));
		assert_int_equal(number, i % DEPTH);
	}
}

/* --- Every IO once, with its data. --- */

#define ROUNDS 40 /* a ring for 256 holds less than a thousand: it goes round many times */

static void read_rounds(const char *name)
{
	make_file();
	open_queue(name, f.path, O_DIRECT, DEPTH);
	for (int round = 1; round <= ROUNDS; round++) {
		memset(f.buffer, 0xff, IOS * BLOCK);
		submit_all(f.batch, DEPTH);
		/* Now all at once (more than 64), now in odd numbers. */
		if (round % 2)
			nanosleep(&(struct timespec){0, 2 * (long)NS_PER_MS}, NULL);
		reap_all(DEPTH, round % 2 ? DEPTH : 13);
		check_read(DEPTH, (unsigned)round);
	}
}

static void libaio_reads_every_block_once_from_its_ring(void **state)
{
	(void)state;
	read_rounds("libaio");
}

static void libaio_reads_the_same_where_the_ring_is_unknown(void **state)
{
	(void)state;
	damage_ring = true;
	read_rounds("libaio");
}

static void io_uring_reads_every_block_once(void **state)
{
	(void)state;
	read_rounds("io_uring");
}

static void io_uring_reads_the_same_into_buffers_that_are_not_registered(void **state)
{
	(void)state;
	unprepared = true;
	read_rounds("io_uring");
}

/* Interrupted, io_getevents gives nothing and loses nothing; the ring needs no system call. */
static void check_interrupted_reap(unsigned expected)
{
	make_file();
	open_queue("libaio", f.path, O_DIRECT, DEPTH);
	need_filter();
	submit_all(f.batch, EVENTS_EINTR);
	nanosleep(&(struct timespec){0, 50 * (long)NS_PER_MS}, NULL);
	unsigned got = reap(EVENTS_EINTR, 0);
	if (expected == 0)
		assert_int_equal(got, 0);
	else
		assert_true(got > 0);
	reap_all(EVENTS_EINTR - got, DEPTH);
	check_read(EVENTS_EINTR, 1);
}

static void libaio_s_ring_is_read_without_a_system_call(void **state)
{
	(void)state;
	check_interrupted_reap(1);
}

static void an_interrupted_io_getevents_loses_nothing(void **state)
{
	(void)state;
	damage_ring = true;
	check_interrupted_reap(0);
}

/* --- The kernel takes a part, or nothing now. --- */

/* A buffer that no process can have. */
static void spoil(unsigned i)
{
	f.io[i].buf = (void *)(UINTPTR_MAX - BLOCK + 1); /* NOLINT */
}

static void libaio_hands_over_what_is_before_and_after_a_bad_io(void **state)
{
	(void)state;
	make_file();
	open_queue("libaio", f.path, O_DIRECT, DEPTH);
	spoil(3);
	assert_int_equal(f.b->submit(f.queue, f.batch, 8), 3);
	assert_int_equal(f.b->submit(f.queue, f.batch + 3, 5), -EFAULT);
	assert_int_equal(f.b->submit(f.queue, f.batch + 4, 4), 4);
	reap_all(7, DEPTH);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(f.seen[i], i != 3);
}

static void io_uring_hands_over_what_is_before_and_after_a_bad_io(void **state)
{
	(void)state;
	make_file();
	open_queue("io_uring", f.path, O_DIRECT, DEPTH);
	spoil(3);
	submit_all(f.batch, 8);
	reap_all(8, DEPTH);
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(f.seen[i], 1);
		assert_int_equal(f.io[i].result, i == 3 ? -EFAULT : (int)BLOCK);
	}
}

static void libaio_goes_on_when_the_kernel_takes_nothing_now(void **state)
{
	(void)state;
	make_file();
	open_queue("libaio", f.path, O_DIRECT, DEPTH);
	need_filter();
	assert_int_equal(f.b->submit(f.queue, f.batch, IOS_EAGAIN), 0);
	assert_int_equal(f.b->submit(f.queue, f.batch, IOS_BUSY), 0);
	assert_int_equal(reap(DEPTH, 0), 0);
	assert_int_equal(f.b->submit(f.queue, f.batch, 50), 50);
	reap_all(50, DEPTH);
	check_read(50, 1);
}

/* What lies in the submission ring goes with a later call. */
static void io_uring_goes_on_when_the_kernel_takes_nothing_now(void **state)
{
	(void)state;
	make_file();
	open_queue("io_uring", f.path, O_DIRECT, DEPTH);
	need_filter();
	assert_int_equal(f.b->submit(f.queue, f.batch, IOS_EAGAIN), IOS_EAGAIN);
	assert_int_equal(reap(DEPTH, 0), 0);
	/* One more, which is the poll on the wake fd: busy then, not for good. */
	assert_int_equal(reap(DEPTH, NS_PER_MS), 0);
	assert_int_equal(reap(DEPTH, NS_PER_MS), 0);
	assert_int_equal(f.b->submit(f.queue, f.batch + IOS_EAGAIN, 9), 9);
	reap_all(50, DEPTH);
	check_read(50, 1);
}

static void io_uring_says_when_the_kernel_takes_nothing_for_good(void **state)
{
	(void)state;
	make_file();
	open_queue("io_uring", f.path, O_DIRECT, DEPTH);
	need_filter();
	assert_int_equal(f.b->submit(f.queue, f.batch, IOS_BROKEN), IOS_BROKEN);
	assert_int_equal(f.b->reap(f.queue, f.done, DEPTH, 0), -EBADFD);
	assert_int_equal(f.b->reap(f.queue, f.done, DEPTH, NS_PER_MS), -EBADFD);
	/* Nothing is lost should it be better then. */
	assert_int_equal(f.b->submit(f.queue, f.batch + IOS_BROKEN, 6), 6);
	reap_all(50, DEPTH);
	check_read(50, 1);
}

/* /dev/zero completes while it is submitted, so that the completion ring (twice what was asked for) runs
 * full: the kernel keeps the rest until there is room. */
static void io_uring_loses_nothing_when_its_completion_ring_is_full(void **state)
{
	(void)state;
	open_queue("io_uring", "/dev/zero", 0, 32);
	submit_all(f.batch, IOS);
	for (unsigned i = 0; i < IOS; i++)
		f.io[i].result = 0;
	reap_all(IOS, 17);
	for (unsigned i = 0; i < IOS; i++) {
		assert_int_equal(f.seen[i], 1);
		assert_int_equal(f.io[i].result, BLOCK);
	}
}

/* --- Letting go. --- */

/* A lock belongs to the open file and is gone with its last user, whoever that is: so this says whether
 * the kernel has let go of it. */
static void hold(int fd)
{
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
}

static void check_let_go(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	int rc = flock(fd, LOCK_EX | LOCK_NB);
	int err = errno;
	close(fd);
	if (rc)
		fail_msg("the file is still in use: %s", strerror(err));
}

static void a_queue_at_rest_holds_nothing(const char *name)
{
	make_file();
	open_queue(name, f.path, O_DIRECT, DEPTH);
	for (unsigned round = 1; round <= 3; round++) {
		submit_all(f.batch, DEPTH);
		reap_all(DEPTH, DEPTH);
		check_read(DEPTH, round);
		/* After a rest it can be used again. */
		rest();
		if (f.b->queue_prepare && round < 3)
			f.b->queue_prepare(f.queue, IO_READ);
	}
	hold(f.fd);
	close(f.fd);
	check_let_go(f.path);
	f.fd = -1;
}

static void libaio_at_rest_holds_nothing(void **state)
{
	(void)state;
	a_queue_at_rest_holds_nothing("libaio");
}

static void io_uring_at_rest_holds_nothing(void **state)
{
	(void)state;
	a_queue_at_rest_holds_nothing("io_uring");
}

static struct target target;

static void start(const char *name, struct engine **engine, struct workload *w)
{
	struct target_options how = {.backend = name};
	struct error e;
	need_backend(name);
	make_file();
	if (target_open(&target, f.path, &how, &e)) {
		print_message("%s\n", e.text);
		skip();
	}
	*w = workload_default();
	w->outstanding = target.backend->max_outstanding ? 1 : 8;
	w->workers = 2;
	if (engine_create(engine, &target, w, &e))
		fail_msg("%s", e.text);
}

static uint64_t reads(struct engine *engine)
{
	static struct engine_counters c;
	engine_collect(engine, &c);
	for (unsigned i = 0; i < ERRNO_SLOTS; i++)
		if (c.errors[i])
			fail_msg("%llu IOs failed: %s", (unsigned long long)c.errors[i],
				 i ? strerror((int)i) : "short");
	return c.op[IO_READ].ios;
}

static void run_a_while(struct engine *engine)
{
	uint64_t before = reads(engine);
	double until = proc_now() + proc_patience();
	while (reads(engine) < before + 100) {
		assert_true(proc_now() < until);
		nanosleep(&(struct timespec){0, (long)NS_PER_MS}, NULL);
	}
	engine_tick(engine);
}

/* Depth, block size and workers go up and down, so that lanes take each other's place. */
static void an_engine_lets_go_of_its_target(const char *name)
{
	static const struct {
		uint32_t workers, outstanding, block;
	} step[] = {{2, 64, 4096}, {4, 8, 65536}, {1, 256, 4096}, {3, 100, 16384}, {2, 1, 512}};
	struct engine *engine;
	struct workload w;
	struct error e;
	start(name, &engine, &w);
	hold(target.fd);
	for (size_t i = 0; i < sizeof(step) / sizeof(*step); i++) {
		run_a_while(engine);
		w.workers = step[i].workers;
		w.outstanding = target.backend->max_outstanding ? 1 : step[i].outstanding;
		w.block_size = step[i].block;
		if (engine_apply(engine, &w, NULL, &e))
			fail_msg("%s", e.text);
	}
	run_a_while(engine);
	assert_int_equal(engine_stop(engine, 10 * NS_PER_SEC), 0);
	assert_int_equal(engine_unaccounted(engine), 0);
	/* As when writing is allowed in the middle of a run: another descriptor takes its place
	 * before the engine is gone. */
	int fd = open(f.path, O_RDWR | O_DIRECT | O_CLOEXEC);
	if (target_allow_write(&target, fd, 0, FILE_SIZE, &e))
		fail_msg("%s", e.text);
	check_let_go(f.path);
	engine_destroy(engine);
	target_close(&target);
}

static void an_engine_with_libaio_lets_go_of_its_target(void **state)
{
	(void)state;
	an_engine_lets_go_of_its_target("libaio");
}

static void an_engine_with_io_uring_lets_go_of_its_target(void **state)
{
	(void)state;
	an_engine_lets_go_of_its_target("io_uring");
}

/* --- Memory. --- */

static uint64_t resident(const uint8_t *buffer, uint64_t bytes)
{
	static unsigned char page[32768];
	uint64_t n = 0;
	assert_true(bytes / 4096 <= sizeof(page));
	assert_int_equal(mincore((void *)buffer, bytes, page), 0);
	for (uint64_t i = 0; i < bytes / 4096; i++)
		n += page[i] & 1;
	return n * 4096;
}

/* The account of memory knows which buffers are there as a whole from the start. */
static void check_granted(uint32_t outstanding, uint32_t block, bool whole)
{
	struct workload w = workload_default();
	struct lane *lane;
	struct error e;
	w.outstanding = outstanding;
	w.block_size = block;
	if (lane_create(&lane, f.b, f.target, outstanding, block, f.wake_fd, &e))
		fail_msg("%s", e.text);
	uint64_t bytes = (uint64_t)lane->depth * lane->block;
	assert_int_equal(whole, bytes <= f.b->touched_whole);
	room_grant(lane, &w);
	assert_int_equal(lane->granted[IO_READ], lane_touched(f.b, outstanding, block));
	lane_prepare(lane, &w);
	assert_int_equal(resident(lane->read_buffer, bytes), whole ? lane->granted[IO_READ] : 0);
	assert_int_equal(resident(lane->write_buffer, bytes), 0);
	assert_int_equal(lane->granted[IO_WRITE], 0);
	lane_rest(lane);
	lane_destroy(lane);
}

static void buffers_are_there_as_a_whole_only_where_that_is_granted(void **state)
{
	(void)state;
	make_file();
	open_queue("io_uring", f.path, O_DIRECT, 32);
	if (*f.b->remark(f.target)) {
		print_message("%s\n", f.b->remark(f.target));
		skip();
	}
	check_granted(1, 4096, true);
	check_granted(33, 4096, true);
	check_granted(100, 65536, true);
	check_granted(200, 65536, false);
}

#define QUEUE_TEST(f) cmocka_unit_test_teardown(f, close_queue)

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUE_TEST(libaio_reads_every_block_once_from_its_ring),
		QUEUE_TEST(libaio_reads_the_same_where_the_ring_is_unknown),
		QUEUE_TEST(io_uring_reads_every_block_once),
		QUEUE_TEST(io_uring_reads_the_same_into_buffers_that_are_not_registered),
		QUEUE_TEST(libaio_s_ring_is_read_without_a_system_call),
		QUEUE_TEST(an_interrupted_io_getevents_loses_nothing),
		QUEUE_TEST(libaio_hands_over_what_is_before_and_after_a_bad_io),
		QUEUE_TEST(io_uring_hands_over_what_is_before_and_after_a_bad_io),
		QUEUE_TEST(libaio_goes_on_when_the_kernel_takes_nothing_now),
		QUEUE_TEST(io_uring_goes_on_when_the_kernel_takes_nothing_now),
		QUEUE_TEST(io_uring_says_when_the_kernel_takes_nothing_for_good),
		QUEUE_TEST(io_uring_loses_nothing_when_its_completion_ring_is_full),
		QUEUE_TEST(libaio_at_rest_holds_nothing),
		QUEUE_TEST(io_uring_at_rest_holds_nothing),
		QUEUE_TEST(buffers_are_there_as_a_whole_only_where_that_is_granted),
	};
	/* First: an engine hands over as many IOs at once as it likes, also those that the filter refuses. */
	const struct CMUnitTest engines[] = {
		cmocka_unit_test(an_engine_with_libaio_lets_go_of_its_target),
		cmocka_unit_test(an_engine_with_io_uring_lets_go_of_its_target),
	};
	int failed = cmocka_run_group_tests(engines, NULL, NULL);
	return cmocka_run_group_tests(tests, filter_calls, NULL) || failed;
}
