/* room.c - see room.h. */
#include "room.h"

#include <errno.h>
#include <libproc2/meminfo.h>

#include "units.h"

/* A larger block is kept while that many bytes do for the buffers. */
#define KEPT_MAX (64 * MIB)

static uint64_t memory_available(void)
{
	struct meminfo_info *info = NULL;

	if (procps_meminfo_new(&info) < 0)
		return UINT64_MAX;
	uint64_t kib = MEMINFO_GET(info, MEMINFO_MEM_AVAILABLE, ul_int);
	procps_meminfo_unref(&info);
	return kib * KIB;
}

bool room_fits(const struct lane *lane, const struct duty *d)
{
	const struct workload *w = &d->load;

	if (!lane || lane->target != d->target->handle || lane->backend != d->target->backend)
		return false;
	if (lane->block < workload_largest(w))
		return false;
	uint32_t most = lane->backend->max_outstanding;
	return most || lane->depth >= w->outstanding;
}

uint32_t room_block(const struct lane *lane, const struct workload *w)
{
	bool keep = lane && lane->block > workload_largest(w) &&
		    lane_bytes(w->outstanding, lane->block) < KEPT_MAX;

	return keep ? lane->block : workload_largest(w);
}

/* Bytes of each of lane's regions that w may touch. A lane is larger than what it was made for, so
 * fitting in is not enough; and some backends touch all of it at once. */
static uint64_t touched(const struct lane *lane, const struct workload *w)
{
	uint64_t whole = (uint64_t)lane->depth * lane->block;

	return whole <= lane->backend->touched_whole
		       ? whole
		       : lane_bytes(w->outstanding, workload_largest(w));
}

/* Bytes of buffers that w may touch beyond what the lane that a worker has (NULL: none) was granted
 * before; where that does not do, of the one that will be made in its place. */
static uint64_t lane_growth(const struct lane *lane, const struct duty *d)
{
	const struct backend *b = d->target->backend;
	const struct workload *w = &d->load;
	bool fits = room_fits(lane, d);
	uint64_t more = 0;
	uint64_t bytes =
		fits ? touched(lane, w) : lane_touched(b, w->outstanding, room_block(lane, w));

	for (int op = 0; op < IO_OPS; op++) {
		bool used = op == IO_READ ? workload_reads(w) : workload_writes(w);
		uint64_t granted = fits ? lane->granted[op] : 0;
		if (used && bytes > granted)
			more += bytes - granted;
	}
	return more;
}

void room_grant(struct lane *lane, const struct workload *w)
{
	uint64_t bytes = touched(lane, w);

	for (int op = 0; op < IO_OPS; op++) {
		bool used = op == IO_READ ? workload_reads(w) : workload_writes(w);
		if (used && bytes > lane->granted[op])
			lane->granted[op] = bytes;
	}
}

int room_check(const struct generation *newest, const struct crew *crew, struct error *e)
{
	const struct workload *w = &crew->workload;
	uint64_t need = 0;

	for (uint32_t i = 0; i < crew->seats; i++) {
		bool named = newest && i < newest->crew->seats;
		const struct lane *lane = named ? newest->lane[i] : NULL;
		need += lane_growth(lane, crew->seat[i].duty);
	}
	uint64_t have = need ? memory_available() : 0;
	if (need == 0 || need <= have / 4 * 3)
		return 0;
	char a[32], b[32];
	return error_set(e, ENOMEM,
			 "%u workers x %u outstanding x %u bytes need %s of buffers, and this host "
			 "has %s available; use fewer or smaller IOs",
			 crew->seats, w->outstanding, workload_largest(w),
			 units_size(a, sizeof(a), need), units_size(b, sizeof(b), have));
}
