/* unblock.c - see unblock.h.
 *
 * A thread waits for the signals without reading them. tcflush() and tcflow() make room for a write that another
 * thread is in, and a signal lets it go on. All that is used here on a descriptor is async-signal-safe but for
 * ioctl(TIOCOUTQ), which only asks the kernel (signal-safety(7)).
 */
#include "unblock.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#define LOOK_MS 100
#define LOOKS   4 /* in which nothing moves: it is stuck */

static struct {
	atomic_bool running;
	pthread_t thread, writer; /* whose write is to go on */
	struct sigaction before;
	int signals, wake;
	atomic_bool stop;
} unblock;

/* How much waits in the line, or -1 when it takes more. */
static int waiting(int fd)
{
	struct pollfd p = {fd, POLLOUT, 0};
	int bytes = 0;

	if (poll(&p, 1, 0) != 0 || !isatty(fd))
		return -1;
	/* A pseudo-terminal says 0 here. */
	if (ioctl(fd, TIOCOUTQ, &bytes))
		bytes = 0;
	return bytes;
}

/* Linux wakes nobody who waits for room when it makes some, and lifts a ^S only where tcflow() has stopped the
 * line as well (tty_ioctl.c). */
static void throw_away(int fd)
{
	tcflush(fd, TCOFLUSH);
	tcflow(fd, TCOOFF);
	tcflow(fd, TCOON);
	if (unblock.running)
		pthread_kill(unblock.writer, SIGURG);
}

/* How often in a row nothing has moved. A slow line is not a stuck one. */
struct stuck {
	int bytes, looks;
};

static bool is_stuck(struct stuck *s, int fd)
{
	int bytes = waiting(fd);

	s->looks = bytes >= 0 && bytes == s->bytes ? s->looks + 1 : 0;
	s->bytes = bytes;
	return s->looks >= LOOKS;
}

void unblock_now(int fd)
{
	struct stuck s = {-1, 0};
	int before = errno;

	while (!is_stuck(&s, fd)) {
		if (s.bytes < 0) {
			errno = before;
			return;
		}
		poll(NULL, 0, LOOK_MS);
	}
	throw_away(fd);
	errno = before;
}

/* The other thread may read the signal before this one sees it: then it wakes this one. */
static void wait_for_signal(void)
{
	struct pollfd p[] = {{unblock.wake, POLLIN, 0}, {unblock.signals, POLLIN, 0}};
	uint64_t n;

	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	while (p[0].revents && read(unblock.wake, &n, sizeof(n)) < 0 && errno == EINTR)
		;
}

static void *unblock_main(void *arg)
{
	static const int fds[] = {STDOUT_FILENO, STDERR_FILENO};
	struct stuck stuck[] = {{-1, 0}, {-1, 0}};
	struct pollfd wake = {unblock.wake, POLLIN, 0};

	(void)arg;
	prctl(PR_SET_NAME, "lunscope-unblock", 0, 0, 0);
	wait_for_signal();
	while (!atomic_load(&unblock.stop)) {
		for (unsigned i = 0; i < 2; i++) {
			if (!is_stuck(&stuck[i], fds[i]))
				continue;
			throw_away(fds[i]);
			stuck[i].looks = 0;
		}
		poll(&wake, 1, LOOK_MS);
		if (wake.revents)
			wait_for_signal();
	}
	return NULL;
}

static bool start_thread(void)
{
	sigset_t all, before;

	sigfillset(&all);
	/* SIGTTOU too: a terminal may be told to flush from the background. */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(&unblock.thread, NULL, unblock_main, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc == 0;
}

/* A write that is interrupted looks for room again. */
static void woken(int number)
{
	(void)number;
}

void unblock_start(const sigset_t *ends)
{
	const struct sigaction wake = {.sa_handler = woken, .sa_flags = SA_RESTART};

	unblock.writer = pthread_self();
	sigaction(SIGURG, &wake, &unblock.before);
	unblock.signals = signalfd(-1, ends, SFD_CLOEXEC | SFD_NONBLOCK);
	unblock.wake = eventfd(0, EFD_CLOEXEC);
	atomic_store(&unblock.stop, false);
	unblock.running = unblock.signals >= 0 && unblock.wake >= 0 && start_thread();
	if (unblock.running)
		return;
	sigaction(SIGURG, &unblock.before, NULL);
	if (unblock.signals >= 0)
		close(unblock.signals);
	if (unblock.wake >= 0)
		close(unblock.wake);
}

void unblock_ending(void)
{
	uint64_t one = 1;

	while (unblock.running && write(unblock.wake, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

void unblock_stop(void)
{
	if (!unblock.running)
		return;
	atomic_store(&unblock.stop, true);
	unblock_ending();
	pthread_join(unblock.thread, NULL);
	close(unblock.signals);
	close(unblock.wake);
	sigaction(SIGURG, &unblock.before, NULL);
	unblock.running = false;
}
