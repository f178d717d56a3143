/* job.h - something that may take long, done on a thread of its own so that keys are answered.
 *
 * The screen never waits for a job. It asks whether it is done, or polls job_fd(), and may lose
 * interest at any time: then the thread finishes by itself and frees the data.
 */
#ifndef LUNSCOPE_JOB_H
#define LUNSCOPE_JOB_H

#include <stdbool.h>

struct job;

/* Runs work(data) on a new thread. data belongs to the job from here: free_data is called once,
 * when both sides are done with it (at once, if no thread could be made). NULL without memory or
 * thread. */
struct job *job_start(void (*work)(void *data), void (*free_data)(void *data), void *data);
/* The data once work has returned, NULL before. */
void *job_result(struct job *j);
/* A descriptor that is readable once job_result() is there, and stays so; the job's. */
int job_fd(const struct job *j);
/* Waits for the end of the work, as long as it takes. NULL is fine. Not for a thread that answers keys. */
void job_wait(const struct job *j);
/* The same for ms at most; false: the work goes on. */
bool job_wait_for(const struct job *j, int ms);
/* The caller is no longer interested. NULL is fine. */
void job_release(struct job *j);

#endif
