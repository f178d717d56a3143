/* recorder.c - the thread that writes the run to the store, once a second.
 *
 * It only reads the timeline, so a slow disk under the store delays neither the sampler nor the IO.
 * Trouble ends the recording, never the run; the snapshot says so.
 */
#include "run_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static void note_trouble(struct run *r, const struct error *e)
{
	snprintf(r->snap.store_trouble, sizeof(r->snap.store_trouble), "not recorded: %s", e->text);
}

static int choose_path(struct run *r, struct error *e)
{
	if (!r->config.store_path)
		return store_default_path(r->store_path, sizeof(r->store_path), e);
	snprintf(r->store_path, sizeof(r->store_path), "%s", r->config.store_path);
	return 0;
}

void recorder_open(struct run *r)
{
	struct error e;

	if (r->config.no_store)
		return;
	if (choose_path(r, &e) || store_open(&r->store, r->store_path, &e)) {
		note_trouble(r, &e);
		return;
	}
	r->id = store_begin(r->store, wall_ns(), r->target_words,
			    r->config.command ? r->config.command : "", r->settings, r->environment,
			    &e);
	if (r->id < 0) {
		r->id = 0;
		note_trouble(r, &e);
		store_close(r->store);
		r->store = NULL;
	}
	r->snap.run_id = r->id;
	snprintf(r->snap.store_path, sizeof(r->snap.store_path), "%s", r->store_path);
}

/* Sleeps until another second is closed (so that it is written at once: a crash loses what came after
 * it), or until the run is stopping; true then. */
static bool wait_second(struct run *r, unsigned *seen)
{
	pthread_mutex_lock(&r->lock);

	while (!r->stopping && r->seconds == *seen)
		pthread_cond_wait(&r->changed, &r->lock);
	*seen = r->seconds;
	bool stopping = r->stopping;
	pthread_mutex_unlock(&r->lock);
	return stopping;
}

int recorder_append(struct run *r, struct error *e)
{
	pthread_mutex_lock(&r->lock);
	struct store_news news = run_env_news(r);
	pthread_mutex_unlock(&r->lock);
	int rc = store_add_news(r->store, r->id, &news, e);

	if (rc == 0) {
		pthread_mutex_lock(&r->lock);
		run_env_recorded(r, &news);
		pthread_mutex_unlock(&r->lock);
		rc = store_append(r->store, r->id, r->timeline, r->wall_offset, e);
	}
	store_news_free(&news);
	return rc;
}

void *recorder_main(void *run)
{
	struct run *r = run;
	struct error e;
	unsigned seen = 0;
	bool failed = false;

	prctl(PR_SET_NAME, "lunscope-record", 0, 0, 0);
	while (!wait_second(r, &seen)) {
		int rc = recorder_append(r, &e);
		/* Told once; a store that can be written again (space was made) goes on. */
		if (rc && !failed) {
			pthread_mutex_lock(&r->lock);
			note_trouble(r, &e);
			timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation,
				      NULL, r->snap.store_trouble);
			pthread_mutex_unlock(&r->lock);
		}
		if (rc == 0 && failed) {
			pthread_mutex_lock(&r->lock);
			r->snap.store_trouble[0] = 0;
			pthread_mutex_unlock(&r->lock);
		}
		failed = rc != 0;
	}
	return NULL;
}
