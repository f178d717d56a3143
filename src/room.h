/* room.h - whether there is memory for a workload's buffers.
 *
 * Buffers are address space until they are touched, so running out would come long after a knob was
 * turned, and kill the run. What a lane was granted is therefore counted when it is granted, against
 * what the host has to spare then.
 */
#ifndef LUNSCOPE_ROOM_H
#define LUNSCOPE_ROOM_H

#include <stdbool.h>
#include "error.h"
#include "lane.h"
#include "worker.h"
#include "workload.h"

/* Whether a lane (or NULL) still does for d: of its target, enough slots, large enough buffers. */
bool room_fits(const struct lane *lane, const struct duty *d);
/* The block size of the lane that takes the place of lane (or NULL) for w. Room never shrinks while a
 * worker goes on, so that stepping a knob up and down does not allocate each time. */
uint32_t room_block(const struct lane *lane, const struct workload *w);
/* The lane may touch what w asks for from here on. */
void room_grant(struct lane *lane, const struct workload *w);
/* Refuses crew (-ENOMEM, with the sum) when what its lanes would touch beyond what those of the newest
 * generation (NULL: there is none) were granted is more than three quarters of the memory that the
 * host has available. */
int room_check(const struct generation *newest, const struct crew *crew, struct error *e);

#endif
