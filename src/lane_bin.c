/* lane_bin.c - see lane_bin.h. */
#include "lane_bin.h"

#include <signal.h>
#include <sys/prctl.h>

#define HELPERS_MAX 32

/* The next lane to close; NULL when there is none. With the lock held. */
static struct lane *take(struct lane_bin *b)
{
	struct lane *lane = b->first;

	if (lane)
		b->first = lane->next_owned;
	return lane;
}

/* Closes what is in the bin until it is empty. With the lock held, but not while closing. */
static void work_off(struct lane_bin *b)
{
	for (struct lane *lane; (lane = take(b));) {
		pthread_mutex_unlock(&b->lock);
		lane_destroy(lane);
		pthread_mutex_lock(&b->lock);
	}
}

static void *helper_main(void *arg)
{
	struct lane_bin *b = arg;

	prctl(PR_SET_NAME, "lunscope-bin", 0, 0, 0);
	pthread_mutex_lock(&b->lock);
	work_off(b);
	if (--b->running == 0)
		pthread_cond_broadcast(&b->idle);
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

void lane_bin_init(struct lane_bin *b)
{
	*b = (struct lane_bin){0};
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->idle, NULL);
}

/* One helper more; false where the host gives no thread. With the lock held. */
static bool start_helper(struct lane_bin *b)
{
	pthread_t thread;
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	/* As worker_start() has it. */
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);

	b->running++;
	int rc = pthread_create(&thread, &attr, helper_main, b);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	if (rc)
		b->running--;
	return rc == 0;
}

void lane_bin_put(struct lane_bin *b, struct lane *lane)
{
	pthread_mutex_lock(&b->lock);

	lane->next_owned = b->first;
	b->first = lane;
	/* Without any helper whoever throws away does the work. */
	if (b->running < HELPERS_MAX && !start_helper(b) && b->running == 0)
		work_off(b);
	pthread_mutex_unlock(&b->lock);
}

void lane_bin_empty(struct lane_bin *b)
{
	pthread_mutex_lock(&b->lock);

	while (b->running)
		pthread_cond_wait(&b->idle, &b->lock);
	pthread_mutex_unlock(&b->lock);
}

void lane_bin_release(struct lane_bin *b)
{
	lane_bin_empty(b);
	pthread_cond_destroy(&b->idle);
	pthread_mutex_destroy(&b->lock);
}
