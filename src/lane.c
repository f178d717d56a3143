/* lane.c - queues, slots and buffers; see lane.h. */
#include "lane.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DEPTH_MIN 32u
#define PAGE      4096u

static uint32_t round_depth(uint32_t depth)
{
	uint32_t d = DEPTH_MIN;

	while (d < depth)
		d *= 2;
	return d;
}

static uint32_t round_block(uint32_t block)
{
	return (block + PAGE - 1) / PAGE * PAGE;
}

uint64_t lane_bytes(uint32_t depth, uint32_t block)
{
	return (uint64_t)depth * round_block(block);
}

uint64_t lane_touched(const struct backend *b, uint32_t depth, uint32_t block)
{
	uint64_t whole = lane_bytes(round_depth(depth), block);

	return whole <= b->touched_whole ? whole : lane_bytes(depth, block);
}

/* Buffers of large blocks lie in huge pages, where the host has them: the kernel pins and translates a
 * block in one piece then, which takes a third to two thirds of the CPU time off an IO of 64 KiB to 1 MiB.
 * Small blocks gain nothing, and a page of 2 MiB would be cleared for the first of them. */
#define HUGE_PAGE  (2ull << 20)
#define HUGE_BLOCK (64u << 10)

/* Address space only: pages come with the first use, so depth that is never reached costs none. Kernels
 * before 6.7 don't align such maps, so there is room to do it. */
static uint8_t *map_buffers(uint64_t bytes, uint32_t block)
{
	bool huge = block >= HUGE_BLOCK && bytes >= HUGE_PAGE;
	uint64_t room = huge ? bytes + HUGE_PAGE : bytes;
	uint8_t *p = mmap(NULL, room, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (!huge)
		return p;
	uint64_t before = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
	if (before)
		munmap(p, before);
	if (before < HUGE_PAGE)
		munmap(p + before + bytes, HUGE_PAGE - before);
	madvise(p + before, bytes, MADV_HUGEPAGE);
	return p + before;
}

static int lane_allocate(struct lane *lane)
{
	uint64_t bytes = (uint64_t)lane->depth * lane->block;

	lane->read_buffer = map_buffers(bytes, lane->block);
	lane->write_buffer = map_buffers(bytes, lane->block);
	lane->slot = aligned_alloc(64, (lane->depth * sizeof(*lane->slot) + 63) / 64 * 64);
	lane->free = calloc(lane->depth, sizeof(*lane->free));
	lane->batch = calloc(lane->depth, sizeof(*lane->batch));
	lane->done = calloc(lane->depth, sizeof(*lane->done));
	if (!lane->read_buffer || !lane->write_buffer || !lane->slot || !lane->free ||
	    !lane->batch || !lane->done)
		return -ENOMEM;
	memset(lane->slot, 0, lane->depth * sizeof(*lane->slot));
	for (uint32_t i = 0; i < lane->depth; i++) {
		lane->slot[i].io.slot = i;
		lane->free[i] = lane->depth - 1 - i;
	}
	lane->free_count = lane->depth;
	return 0;
}

int lane_create(struct lane **out, const struct backend *b, void *target, uint32_t depth,
		uint32_t block, int wake_fd, struct error *e)
{
	struct lane *lane = calloc(1, sizeof(*lane));

	if (!lane)
		return error_set(e, ENOMEM, "out of memory for a worker's queue");
	lane->backend = b;
	lane->target = target;
	lane->depth = b->max_outstanding ? b->max_outstanding : round_depth(depth);
	lane->block = round_block(block);
	int rc = lane_allocate(lane);
	if (rc)
		error_set(e, -rc, "out of memory for %u outstanding IOs of %u bytes", depth, block);
	else
		rc = b->queue_open(target,
				   &(struct backend_queue){
					   .depth = lane->depth,
					   .asked = depth,
					   .wake_fd = wake_fd,
					   .buffer_size = (uint64_t)lane->depth * lane->block,
					   .buffer = {lane->read_buffer, lane->write_buffer},
				   },
				   &lane->queue, e);
	if (rc) {
		lane_destroy(lane);
		return rc;
	}
	*out = lane;
	return 0;
}

void lane_prepare(struct lane *lane, const struct workload *w)
{
	void (*prepare)(void *, enum io_op) = lane->backend->queue_prepare;

	if (prepare && workload_reads(w))
		prepare(lane->queue, IO_READ);
	if (prepare && workload_writes(w))
		prepare(lane->queue, IO_WRITE);
}

void lane_rest(struct lane *lane)
{
	if (lane->backend->queue_rest)
		lane->backend->queue_rest(lane->queue);
}

void lane_destroy(struct lane *lane)
{
	if (!lane)
		return;
	uint64_t bytes = (uint64_t)lane->depth * lane->block;
	if (lane->queue)
		lane->backend->queue_close(lane->queue);
	if (lane->read_buffer)
		munmap(lane->read_buffer, bytes);
	if (lane->write_buffer)
		munmap(lane->write_buffer, bytes);
	free(lane->slot);
	free(lane->free);
	free(lane->batch);
	free(lane->done);
	free(lane);
}

uint64_t lane_oldest(const struct lane *lane)
{
	uint64_t oldest = UINT64_MAX;

	for (uint32_t i = 0; i < lane->depth; i++) {
		uint64_t t = atomic_load_explicit(&lane->slot[i].submit_ns, memory_order_relaxed);
		if (t && t < oldest)
			oldest = t;
	}
	return oldest;
}
