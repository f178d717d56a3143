/* data.h - what writes carry, made anew for every write.
 *
 * A storage array that compresses and dedupes must find nothing in the data but what was asked for, over
 * whatever distance it looks. A random buffer that is written again and again with only a stamp renewed does
 * not do: a few such buffers fill the whole target, and each is one match with its last copy. So every byte
 * of every write is new: a page of random bytes (the pool) xor a 64-bit key that no other piece of the run
 * has. Two pieces with different keys have no run of equal bytes that is worth a compressor's while, two
 * sectors are never equal, and it costs what copying the pool would.
 *
 * The dials are part of the same pass. A mask says which bytes of each 512-byte sector take the key; the
 * others are zero (compress) or what the pool has there (a fixed word). A duplicate (dedupe) is a piece
 * whose key comes from a few that all workers share. So all kinds of data cost the same, and a change of
 * kind shows what the target makes of it, not what the host does.
 */
#ifndef LUNSCOPE_DATA_H
#define LUNSCOPE_DATA_H

#include <stdbool.h>
#include <stdint.h>
#include "random.h"
#include "workload.h"

#define DATA_PIECE  4096u /* bytes with one key: what arrays commonly dedupe by */
#define DATA_SECTOR 512u  /* the share that compresses is the same in each */
#define DATA_COPIES 256u  /* how many different pieces the duplicates are copies of */

struct data_filler;

/* Writes pool ^ (key & mask) into the first sectors of a piece; to is aligned to 64 bytes. */
typedef void data_kernel_fn(uint8_t *to, const struct data_filler *f, uint64_t key,
			    unsigned sectors);

struct data_kernel {
	const char *name;
	bool (*runs)(void); /* on this processor */
	data_kernel_fn *write;
};

/* Fastest first; the last one runs everywhere. All write the same. */
extern const struct data_kernel data_kernels[];
extern const unsigned data_kernel_count;

/* One worker's. */
struct data_filler {
	_Alignas(64) uint64_t pool[DATA_PIECE / 8];
	uint64_t mask[DATA_SECTOR / 8];
	data_kernel_fn *write;
	uint64_t run;	     /* the pool comes from it */
	uint64_t place;	     /* the next key is made from it */
	uint64_t copy_below; /* a 32-bit coin below this makes a duplicate */
	struct random random;
};

/* A number that no other run has, whatever its seed: two runs with the same seed must not write the same
 * data, or an array would store the second for nothing. */
uint64_t data_new_run(void);

/* For worker number i (below WORKERS_MAX) of the run; writes random data until told otherwise. */
void data_filler_init(struct data_filler *f, uint64_t run, uint32_t i);
/* From here on, data as d says. Bounded work, no allocation. */
void data_filler_take_up(struct data_filler *f, const struct data *d);

/* Fills a buffer, which is aligned to 64 bytes and has room for whole sectors. Pieces are counted from its
 * beginning; the last may be shorter. */
void data_fill(struct data_filler *f, uint8_t *buffer, uint32_t bytes);

#endif
