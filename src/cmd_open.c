/* cmd_open.c - opening the target while there is no screen yet.
 *
 * A scratch file of many GiB takes its time. It is made on a thread of its own, while this one tells on
 * stderr how far it is, and calls it off when a signal wants the program to end: then nothing is left.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd.h"
#include "secret.h"
#include "units.h"
#include "wait_note.h"

#define TELL_MS 500

struct opening {
	struct target *target;
	const char *spec;
	struct target_options how;
	struct create_progress progress;
	int done_fd; /* an eventfd: readable when rc counts */
	int rc;
	struct error error;
};

static void *open_it(void *arg)
{
	struct opening *o = arg;
	uint64_t one = 1;

	o->rc = target_open(o->target, o->spec, &o->how, &o->error);
	while (write(o->done_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	return NULL;
}

/* The signals that end the program, but for those that it was told to ignore (nohup). */
static void ending_signals(sigset_t *set)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
		struct sigaction now;
		if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(set, ending[i]);
	}
}

static int terminal_columns(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80;
}

/* One line, written over each time; so it must not wrap, and a long path shows its end. */
static void tell(const struct opening *o)
{
	char text[128];

	if (!*create_progress_text(text, sizeof(text), &o->progress))
		return;
	int room = terminal_columns() - (int)(strlen("making : ") + strlen(text)) - 1;
	size_t length = strlen(o->spec), shown = room > 8 ? (size_t)room : 8;
	const char *dots = "";
	const char *name = o->spec;
	if (length > shown) {
		dots = "...";
		name += length - (shown - strlen(dots));
		/* Not from the middle of a character. */
		while (((unsigned char)*name & 0xc0) == 0x80)
			name++;
	}
	fprintf(stderr, "\rmaking %s%s: %s\033[K", dots, name, text);
	fflush(stderr);
}

/* Until the target is open (0) or a signal has come (its number). */
static int watch(const struct opening *o, int signal_fd)
{
	bool terminal = isatty(STDERR_FILENO);
	int number = 0;
	struct pollfd p[] = {{o->done_fd, POLLIN, 0}, {signal_fd, POLLIN, 0}};

	while (!number && !p[0].revents) {
		struct signalfd_siginfo si;
		poll(p, 2, terminal ? TELL_MS : -1);
		if (p[1].revents && read(signal_fd, &si, sizeof(si)) == sizeof(si))
			number = (int)si.ssi_signo;
		if (terminal)
			tell(o);
	}
	if (terminal)
		fputs("\r\033[K", stderr);
	return number;
}

static int open_watched(struct opening *o, int signal_fd, struct error *e)
{
	pthread_t thread;
	int rc = pthread_create(&thread, NULL, open_it, o);

	if (rc)
		return error_errno(e, rc, "no thread to make %s", o->spec);
	int number = watch(o, signal_fd);
	if (number)
		create_progress_cancel(&o->progress);
	pthread_join(thread, NULL);
	/* The signal may have come when all was done. */
	if (number && o->rc == 0) {
		target_unmake(o->target);
		target_close(o->target);
	}
	if (o->rc && e)
		*e = o->error;
	return number ? number : o->rc;
}

static int make_and_open(struct target *t, const char *spec, const struct target_options *how,
			 struct error *e)
{
	struct opening o = {.target = t, .spec = spec, .how = *how};
	sigset_t ending, before;

	o.how.progress = &o.progress;
	o.done_fd = eventfd(0, EFD_CLOEXEC);
	if (o.done_fd < 0)
		return error_errno(e, errno, "eventfd");
	ending_signals(&ending);
	/* Before the thread is made, which so has them blocked. */
	pthread_sigmask(SIG_BLOCK, &ending, &before);
	int signal_fd = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
	int rc = signal_fd < 0 ? error_errno(e, errno, "signalfd") : open_watched(&o, signal_fd, e);
	if (signal_fd >= 0)
		close(signal_fd);
	close(o.done_fd);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

int cmd_open_target(struct target *t, const char *spec, const struct target_options *how,
		    struct error *e)
{
	bool make = how->create_size && !target_is_null(spec) && !secret_is_url(spec) &&
		    access(spec, F_OK);

	if (make)
		return make_and_open(t, spec, how, e);
	wait_note_login(spec, false);
	int rc = target_open(t, spec, how, e);
	wait_note_login(spec, true);
	return rc;
}
