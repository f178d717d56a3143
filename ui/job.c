/* job.c - looking at a device can block for as long as the device likes (an open on a dead path, a
 * signature probe on a hanging disk), so dialogs have it done here.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "job.h"

struct job {
	void (*work)(void *data);
	void (*free_data)(void *data);
	void *data;
	atomic_bool done;
	int fd;             /* an eventfd, written when done */
	atomic_int holders; /* the screen and the thread; the last one frees */
};

void job_release(struct job *j)
{
	if (!j || atomic_fetch_sub(&j->holders, 1) > 1)
		return;
	j->free_data(j->data);
	close(j->fd);
	free(j);
}

static void *job_thread(void *arg)
{
	struct job *j = arg;
	uint64_t one = 1;

	j->work(j->data);
	atomic_store(&j->done, true);
	while (write(j->fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
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
	j->fd = eventfd(0, EFD_CLOEXEC);
	if (j->fd >= 0 && start_thread(j))
		return j;
	if (j->fd >= 0)
		close(j->fd);
	free_data(data);
	free(j);
	return NULL;
}

void *job_result(struct job *j)
{
	return j && atomic_load(&j->done) ? j->data : NULL;
}

int job_fd(const struct job *j)
{
	return j->fd;
}

void job_wait(const struct job *j)
{
	while (!job_wait_for(j, -1))
		;
}

bool job_wait_for(const struct job *j, int ms)
{
	if (j && !atomic_load(&j->done)) {
		struct pollfd p = {j->fd, POLLIN, 0};
		poll(&p, 1, ms);
	}
	return !j || atomic_load(&j->done);
}
