/* lane_bin.h - where lanes go when nobody uses them any more.
 *
 * Closing a queue can take long: io_destroy waits for an RCU grace period, 10 to 50 ms each, one
 * after the other. So a few helper threads do it, many at once, while neither the engine's lock nor
 * the screen waits for them.
 */
#ifndef LUNSCOPE_LANE_BIN_H
#define LUNSCOPE_LANE_BIN_H

#include <pthread.h>
#include "lane.h"

struct lane_bin {
	pthread_mutex_t lock;
	pthread_cond_t idle; /* running fell to 0 */
	struct lane *first;  /* through next_owned */
	unsigned running;    /* helper threads */
};

void lane_bin_init(struct lane_bin *b);
/* Takes the lane over; nothing may be in flight in it. Returns at once. */
void lane_bin_put(struct lane_bin *b, struct lane *lane);
/* Waits until every lane in the bin is gone. */
void lane_bin_empty(struct lane_bin *b);
/* Empties it first. */
void lane_bin_release(struct lane_bin *b);

#endif
