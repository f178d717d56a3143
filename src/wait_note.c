/* wait_note.c - see wait_note.h. */
#include "wait_note.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "units.h"

#define SHOWN 60 /* bytes: with the words around them less than a row */

/* "WORDS WHAT...", n bytes of what. */
static void note(const char *words, const char *what, size_t n, bool done)
{
	int shown = (int)(n < SHOWN ? n : SHOWN);

	if (!isatty(STDERR_FILENO))
		return;
	if (done)
		fprintf(stderr, "\r%*s\r", (int)strlen(words) + 1 + shown + 3, "");
	else
		fprintf(stderr, "%s %.*s...", words, shown, what);
	fflush(stderr);
}

/* Who logs in stands before the portal, and perhaps a secret. */
static const char *behind_user(const char *from, const char *end)
{
	for (const char *p = end; p > from; p--)
		if (p[-1] == '@')
			return p;
	return from;
}

void wait_note_login(const char *spec, bool done)
{
	static const char scheme[] = "iscsi://";

	if (strncmp(spec, scheme, sizeof(scheme) - 1) != 0)
		return;
	const char *portals = spec + sizeof(scheme) - 1, *end = portals + strcspn(portals, "/");

	portals = behind_user(portals, end);
	note("Logging in to", portals, (size_t)(end - portals), done);
}

void wait_note_portals(const char *portals, bool done)
{
	/* Of several with a user each, the first is told. */
	const char *end = strchr(portals, '@') ? portals + strcspn(portals, " \t,")
					       : portals + strlen(portals);

	portals = behind_user(portals, end);
	note("Asking", portals, (size_t)(end - portals), done);
}

void wait_note_run(int64_t id, bool done)
{
	char number[24];

	snprintf(number, sizeof(number), "%lld", (long long)id);
	note("Reading run", number, strlen(number), done);
}

/* --- After a second. --- */

static struct {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* CLOCK_MONOTONIC */
	bool running, over;
	const char *words;
	uint64_t start_ns;
	_Atomic uint64_t done, total;
} late = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Nobody may wait for a terminal that takes nothing. */
static bool terminal_takes(void)
{
	struct pollfd p = {STDERR_FILENO, POLLOUT, 0};

	return poll(&p, 1, 0) == 1 && p.revents & POLLOUT;
}

static void say(uint64_t ns)
{
	uint64_t done = atomic_load(&late.done), total = atomic_load(&late.total);
	double s = (double)ns / 1e9;

	if (done && done < total)
		fprintf(stderr, "\r%s: %llu of %llu, %.0f s left\033[K", late.words,
			(unsigned long long)done, (unsigned long long)total,
			ceil(s / (double)done * (double)(total - done)));
	else
		fprintf(stderr, "\r%s, %.0f s so far\033[K", late.words, s);
	fflush(stderr);
}

static void *late_main(void *arg)
{
	bool said = false;

	(void)arg;
	pthread_mutex_lock(&late.lock);
	while (!late.over) {
		uint64_t until = clock_ns() + NS_PER_SEC;
		const struct timespec t = {(time_t)(until / NS_PER_SEC),
					   (long)(until % NS_PER_SEC)};
		if (pthread_cond_timedwait(&late.changed, &late.lock, &t) == ETIMEDOUT &&
		    terminal_takes()) {
			say(clock_ns() - late.start_ns);
			said = true;
		}
	}
	pthread_mutex_unlock(&late.lock);
	if (said && terminal_takes())
		fputs("\r\033[K", stderr);
	return NULL;
}

void wait_note_late(const char *words)
{
	pthread_condattr_t attr;

	if (!isatty(STDERR_FILENO))
		return;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&late.changed, &attr);
	pthread_condattr_destroy(&attr);
	late.words = words;
	late.over = false;
	late.start_ns = clock_ns();
	atomic_store(&late.done, 0);
	atomic_store(&late.total, 0);
	late.running = pthread_create(&late.thread, NULL, late_main, NULL) == 0;
}

void wait_note_step(uint64_t done, uint64_t total)
{
	atomic_store(&late.total, total);
	atomic_store(&late.done, done);
}

void wait_note_over(void)
{
	if (!late.running)
		return;
	pthread_mutex_lock(&late.lock);
	late.over = true;
	pthread_cond_signal(&late.changed);
	pthread_mutex_unlock(&late.lock);
	pthread_join(late.thread, NULL);
	late.running = false;
}
