/* job.c - looking at a device can block for as long as the device likes (an open on a dead path, a
 * signature probe on a hanging disk), so dialogs have it done here.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "job.h"

struct job {
	void (*work)(void *data);
	void (*free_data)(void *data);
	void *data;
	atomic_bool done;
	atomic_int holders; /* the screen and the thread; the last one frees */
};

void job_release(struct job *j)
{
	if (!j || atomic_fetch_sub(&j->holders, 1) > 1)
		return;
	j->free_data(j->data);
	free(j);
}

static void *job_thread(void *arg)
{
	struct job *j = arg;

	j->work(j->data);
	atomic_store(&j->done, true);
	job_release(j);
	return NULL;
}

/* Signals are for the screen's thread alone. */
static bool start_thread(struct job *j)
{
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int err = pthread_create(&thread, NULL, job_thread, j);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return false;
	pthread_detach(thread);
	return true;
}

struct job *job_start(void (*work)(void *data), void (*free_data)(void *data), void *data)
{
	struct job *j = malloc(sizeof(*j));

	if (!j) {
		free_data(data);
		return NULL;
	}
	*j = (struct job){.work = work, .free_data = free_data, .data = data};
	atomic_init(&j->done, false);
	atomic_init(&j->holders, 2);
	if (start_thread(j))
		return j;
	free_data(data);
	free(j);
	return NULL;
}

void *job_result(struct job *j)
{
	return j && atomic_load(&j->done) ? j->data : NULL;
}
