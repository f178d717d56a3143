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
#include "workload.h"

/* A generation's account in one worker: who submitted what. Only that worker writes it. */
struct ledger {
	_Alignas(64) _Atomic uint64_t submitted;
	_Atomic uint64_t completed; /* without error */
	_Atomic uint64_t errors;
	_Atomic uint64_t first_ns; /* when its first IO was submitted; 0 = none was */
	_Atomic uint64_t settled_ns; /* when all older IOs had drained; 0 = not yet, or never */
};

/* One cache line. */
struct slot {
	_Alignas(64) struct io io; /* first: a completed io is its slot */
	struct ledger *ledger;
	_Atomic uint64_t submit_ns; /* 0 = free */
	uint64_t due_ns;	    /* with a rate: when it should have been started; else 0 */
};

struct lane {
	struct lane *next_draining; /* the worker's list of lanes it has left, with IO in flight */
	struct lane *next_owned;    /* the engine's list of all lanes of one worker */
	uint32_t last_generation;   /* the newest that names this lane; the engine's */
	uint64_t granted[IO_OPS];   /* bytes of each buffer that memory was found for; likewise */
	const struct backend *backend;
	const void *target; /* the backend's */
	void *queue;
	uint32_t depth; /* slots */
	uint32_t block; /* bytes each buffer holds */
	uint8_t *read_buffer, *write_buffer; /* depth x block each, touched on first use */
	struct slot *slot;
	uint32_t *free; /* a stack of slot numbers */
	uint32_t free_count;
	uint32_t inflight;
	uint64_t look_ns; /* the clock, read before its completions were last looked for */
	uint32_t ready; /* IOs in batch[] that are made but not yet taken by the backend */
	struct io **batch, **done; /* depth each */
};

/* depth and block are rounded up (to a power of two, to whole pages). 0 or -errno with words. */
int lane_create(struct lane **lane, const struct backend *b, void *target, uint32_t depth,
		uint32_t block, int wake_fd, struct error *e);
/* By the worker's own thread, before it begins with w and times an IO: what the backend needs for the
 * buffers of the ops that w has. */
void lane_prepare(struct lane *lane, const struct workload *w);
/* By the worker's own thread, when it will not use the lane again and nothing is in flight: the backend
 * lets go of the target. */
void lane_rest(struct lane *lane);
/* Only with nothing in flight. */
void lane_destroy(struct lane *lane);
/* Bytes that so many buffers of that size take. */
uint64_t lane_bytes(uint32_t depth, uint32_t block);
/* Bytes of each region that a lane made for these would touch when it is used to that depth. */
uint64_t lane_touched(const struct backend *b, uint32_t depth, uint32_t block);

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
