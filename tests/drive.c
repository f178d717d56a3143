/* drive.c - IOs with names on them, through a backend's own interface. */
#include "tests/drive.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "secret.h"
#include "tests/proc.h"

#define SECTOR 512u

/* What a sector of a written block holds. */
struct stamp {
	uint64_t block;
	uint32_t generation, sector;
};

static uint64_t random_of(struct drive *d)
{
	d->random ^= d->random << 13;
	d->random ^= d->random >> 7;
	d->random ^= d->random << 17;
	return d->random;
}

static void stamp(uint8_t *buf, uint32_t size, uint64_t block, uint32_t generation)
{
	for (uint32_t s = 0; s < size / SECTOR; s++) {
		struct stamp v = {block, generation, s};
		for (uint32_t at = 0; at < SECTOR; at += sizeof v)
			memcpy(buf + s * SECTOR + at, &v, sizeof v);
	}
}

/* Which write of the block the buffer holds, all of it; 0: none yet, it is all zeros; -1: neither. */
static int64_t held(const uint8_t *buf, uint32_t size, uint64_t block)
{
	struct stamp first;

	memcpy(&first, buf, sizeof first);
	for (uint32_t s = 0; s < size / SECTOR; s++) {
		struct stamp want = {block, first.generation, s};
		if (!first.generation)
			want = (struct stamp){0, 0, 0};
		for (uint32_t at = 0; at < SECTOR; at += sizeof want)
			if (memcmp(buf + s * SECTOR + at, &want, sizeof want))
				return -1;
	}
	return first.generation;
}

static void *make(size_t n, size_t size)
{
	void *p = NULL;
	if (posix_memalign(&p, 4096, n * size + 1))
		abort();
	return memset(p, 0, n * size);
}

static int open_with(struct drive *d, const char *url, uint32_t depth, uint32_t size,
		     struct backend_login *login, const struct backend_paths *paths)
{
	char spec[512];
	struct backend_open how = {
		.spec = spec, .fd = -1, .direct = true, .login = login, .paths = *paths};
	struct backend_facts f;

	memset(d, 0, sizeof *d);
	d->wake = -1;
	/* libiscsi writes to sockets that the target may have closed; the program ignores it too. */
	signal(SIGPIPE, SIG_IGN);
	snprintf(spec, sizeof spec, "%s", url);
	d->b = backend_find("iscsi");
	if (!d->b)
		return -ENOTSUP;
	int r = secret_take(spec, login, &d->e);
	if (r == 0)
		r = d->b->open(&how, &d->target, &d->e);
	if (r)
		return r;
	r = d->b->facts(d->target, false, &f, &d->e);
	if (r)
		return r;
	d->depth = depth;
	d->size = size;
	d->count = f.size / size;
	d->random = 0x9e3779b97f4a7c15;
	d->block = make(d->count, sizeof *d->block);
	d->io = make(depth, sizeof *d->io);
	d->writes = make(depth, sizeof *d->writes);
	d->flying = make(depth, sizeof *d->flying);
	for (int op = 0; op < IO_OPS; op++)
		d->buffer[op] = make(depth, size);
	d->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	d->b->allow_write(d->target, 0, f.size);
	struct backend_queue q = {.depth = depth,
				  .asked = depth,
				  .wake_fd = d->wake,
				  .buffer_size = (uint64_t)depth * size,
				  .buffer = {d->buffer[IO_READ], d->buffer[IO_WRITE]}};
	return d->b->queue_open(d->target, &q, &d->queue, &d->e);
}

int drive_open(struct drive *d, const char *url, uint32_t depth, uint32_t size, bool header_digest)
{
	struct backend_login login = {.header_digest = header_digest};
	return open_with(d, url, depth, size, &login,
			 &(struct backend_paths){.hold_ns = PATHS_HOLD_NS});
}

int drive_open_paths(struct drive *d, const char *url, uint32_t depth, uint32_t size,
		     const struct backend_paths *paths)
{
	struct backend_login login = {0};
	return open_with(d, url, depth, size, &login, paths);
}

void drive_close(struct drive *d)
{
	if (d->queue)
		d->b->queue_close(d->queue);
	if (d->target)
		d->b->close(d->target);
	if (d->wake > 0)
		close(d->wake);
	free(d->block);
	free(d->io);
	free(d->writes);
	free(d->flying);
	for (int op = 0; op < IO_OPS; op++)
		free(d->buffer[op]);
	memset(d, 0, sizeof *d);
}

/* --- One IO ------------------------------------------------------------------------------------- */

static void submit(struct drive *d, uint32_t slot, uint64_t at, enum io_op op)
{
	struct io *io = &d->io[slot];

	*io = (struct io){.offset = at * d->size,
			  .buf = d->buffer[op] + (size_t)slot * d->size,
			  .size = d->size,
			  .slot = slot,
			  .op = op};
	if (op == IO_WRITE) {
		d->writes[slot] = ++d->generation;
		stamp(io->buf, d->size, at, d->writes[slot]);
	} else {
		/* What an IO before left there must not be taken for an answer. */
		memset(io->buf, 0xee, d->size);
	}
	d->block[at].busy = true;
	d->flying[slot] = true;
	d->outstanding++;
	d->submitted++;
	int taken = d->b->submit(d->queue, &io, 1);
	if (taken != 1) {
		fprintf(stderr, "drive: submit returned %d\n", taken);
		abort();
	}
}

static void submit_random(struct drive *d, uint32_t slot)
{
	uint64_t at;
	do
		at = random_of(d) % d->count;
	while (d->block[at].busy);
	submit(d, slot, at, random_of(d) % 100 < d->write_percent ? IO_WRITE : IO_READ);
}

static void settle(struct drive *d, const struct io *io)
{
	struct drive_block *b = &d->block[io->offset / d->size];
	uint64_t at = io->offset / d->size;

	if (!d->flying[io->slot]) {
		fprintf(stderr, "drive: slot %u came back twice\n", io->slot);
		abort();
	}
	d->flying[io->slot] = false;
	d->outstanding--;
	b->busy = false;
	if (io->result != (int32_t)io->size) {
		d->errors++;
		d->shorts += io->result >= 0;
		d->last_error = io->result;
		if (io->op == IO_WRITE)
			b->maybe = d->writes[io->slot];
		return;
	}
	d->completed++;
	if (io->op == IO_WRITE) {
		b->sure = b->maybe = d->writes[io->slot];
		return;
	}
	/* Between the two lie only failed writes of this block. */
	int64_t n = held(io->buf, io->size, at);
	if (n >= b->sure && n <= b->maybe)
		b->sure = b->maybe = (uint32_t)n;
	else if (!d->wrong++)
		fprintf(stderr, "drive: block %llu should hold write %u, and holds %lld\n",
			(unsigned long long)at, b->sure, (long long)n);
}

static void reap(struct drive *d)
{
	struct io *done[64];
	int n = d->b->reap(d->queue, done, 64, 20000000);

	if (n < 0) {
		fprintf(stderr, "drive: reap: %s\n", strerror(-n));
		abort();
	}
	for (int i = 0; i < n; i++)
		settle(d, done[i]);
}

/* --- Many --------------------------------------------------------------------------------------- */

static void fill(struct drive *d, uint64_t most)
{
	for (uint32_t slot = 0; slot < d->depth && most; slot++)
		if (!d->flying[slot]) {
			submit_random(d, slot);
			most--;
		}
}

bool drive_ios(struct drive *d, uint64_t n)
{
	uint64_t goal = d->submitted + n;
	double end = proc_now() + proc_patience();

	while (d->submitted < goal && proc_now() < end) {
		fill(d, goal - d->submitted);
		reap(d);
	}
	return d->submitted == goal;
}

void drive_for(struct drive *d, double seconds)
{
	double end = proc_now() + seconds;

	while (proc_now() < end) {
		fill(d, d->depth);
		reap(d);
	}
}

bool drive_drain(struct drive *d, double patience)
{
	double end = proc_now() + patience;

	while (d->outstanding && proc_now() < end)
		reap(d);
	return d->outstanding == 0;
}

bool drive_read_all(struct drive *d)
{
	double end = proc_now() + proc_patience();

	for (uint64_t at = 0; at < d->count;) {
		for (uint32_t slot = 0; slot < d->depth && at < d->count; slot++)
			if (!d->flying[slot])
				submit(d, slot, at++, IO_READ);
		reap(d);
		if (proc_now() > end)
			return false;
	}
	return drive_drain(d, proc_patience());
}

bool drive_balanced(const struct drive *d)
{
	return d->outstanding == 0 && d->submitted == d->completed + d->errors;
}

struct backend_session drive_session(const struct drive *d)
{
	struct backend_session s = {0};
	d->b->sessions(d->target, &s, 1);
	return s;
}

struct backend_session drive_path(const struct drive *d, uint32_t path)
{
	struct backend_session s[PATHS_MAX] = {0};
	unsigned n = d->b->sessions(d->target, s, PATHS_MAX);
	for (unsigned i = 0; i < n; i++)
		if (s[i].path == path)
			return s[i];
	fprintf(stderr, "drive: no session on path %u\n", path);
	abort();
}
