/* lane.h - room for IO: a backend queue, its slots and their buffers.
 *
 * A worker has one lane it submits to. When more depth or larger blocks are asked for, a larger lane
 * is made before the change is published; the worker moves over and the old lane drains. Slots for
 * reads and writes have buffers of their own, so that what is written never depends on what was read.
 */
#ifndef LUNSCOPE_LANE_H
#define LUNSCOPE_LANE_H

#include <stdatomic.h>
#include <stdint.h>
#include "backends/backend.h"
#include "data.h"

/* A generation's account in one worker: who submitted what. Only that worker writes it. */
struct ledger {
	_Alignas(64) _Atomic uint64_t submitted;
	_Atomic uint64_t completed; /* without error */
	_Atomic uint64_t errors;
};

/* One cache line. */
struct slot {
	_Alignas(64) struct io io; /* first: a completed io is its slot */
	struct ledger *ledger;
	_Atomic uint64_t submit_ns; /* 0 = free */
};

struct lane {
	struct lane *next_draining; /* the worker's list of lanes it has left, with IO in flight */
	struct lane *next_owned;    /* the engine's list of all lanes of one worker */
	uint32_t last_generation;   /* the newest that names this lane; the engine's */
	uint64_t granted[IO_OPS];   /* bytes of each buffer that memory was found for; likewise */
	const struct backend *backend;
	void *queue;
	uint32_t depth; /* slots */
	uint32_t block; /* bytes each buffer holds */
	uint8_t *read_buffer, *write_buffer; /* depth x block each, touched on first use */
	struct slot *slot;
	uint32_t *free; /* a stack of slot numbers */
	uint32_t free_count;
	uint32_t inflight;
	uint32_t ready; /* IOs in batch[] that are made but not yet taken by the backend */
	struct io **batch, **done; /* depth each */
};

/* depth and block are rounded up (to a power of two, to whole pages). 0 or -errno with words. */
int lane_create(struct lane **lane, const struct backend *b, void *target, uint32_t depth,
		uint32_t block, int wake_fd, struct error *e);
/* Only with nothing in flight. */
void lane_destroy(struct lane *lane);
/* Bytes that lane_create would map for these, worst case. */
uint64_t lane_bytes(uint32_t depth, uint32_t block);

/* Points io at its buffer, for a write filled. */
static inline void lane_attach_buffer(struct lane *lane, struct slot *slot,
				      struct data_filler *filler)
{
	struct io *io = &slot->io;
	uint64_t at = (uint64_t)io->slot * lane->block;

	if (io->op == IO_READ) {
		io->buf = lane->read_buffer + at;
	} else {
		io->buf = lane->write_buffer + at;
		data_fill(filler, io->buf, io->size);
	}
}

/* The oldest submit stamp of what is in flight, UINT64_MAX if nothing is. May be called from any
 * thread while the lane lives. */
uint64_t lane_oldest(const struct lane *lane);

#endif
