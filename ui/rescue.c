/* rescue.c - crash handler and kept stderr.
 *
 * A program that dies in curses mode leaves a terminal without echo on the alternate screen. The
 * handler here writes a string prepared at start and restores the saved termios: write(2),
 * tcsetattr(3) and what else it calls are async-signal-safe (signal-safety(7)); endwin() is not.
 * The backtrace comes last, when everything that matters is done.
 */
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "quiet_kernel.h"
#include "rescue.h"
#include "unblock.h"

#define KEPT_MAX (1024 * 1024)
#define FRAMES   32

/* Everything that ends a program by default and is not read from the signalfd (ui.c). */
static const int fatal[] = {SIGSEGV,   SIGBUS,  SIGILL,    SIGFPE,  SIGSYS,  SIGABRT,
			    SIGTRAP,   SIGALRM, SIGUSR1,   SIGUSR2, SIGXCPU, SIGXFSZ,
			    SIGVTALRM, SIGPROF, SIGSTKFLT, SIGIO};
#define FATALS (sizeof(fatal) / sizeof(fatal[0]))

static struct {
	bool armed;
	char seq[512], also[64];
	size_t n;
	volatile size_t also_n;
	struct termios tio;
	int out, null; /* the terminal and /dev/null, opened while all is well */
	struct sigaction before[FATALS];
	stack_t stack_before;
} rescue;

static char alternate_stack[64 * 1024];

/* The thread that is dying; 0 = none. Threads that crash after it wait for the end. */
static atomic_int dying;

/* --- stderr kept --- */

static int real_stderr = -1; /* -1: not being kept */
static int kept = -1;

static void write_all(int fd, const char *s, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, s, n);

		if (done <= 0)
			return;
		s += done;
		n -= (size_t)done;
	}
}

/* Async-signal-safe. */
static void write_words(int fd, const char *s)
{
	write_all(fd, s, strlen(s));
}

/* Async-signal-safe. The offset, shared with fd 2, tells how much was written. */
static void print_kept(int fd)
{
	off_t end = lseek(kept, 0, SEEK_CUR);
	char part[4096];

	for (off_t at = 0; at < end;) {
		ssize_t n = pread(kept, part, sizeof(part), at);

		if (n <= 0)
			break;
		if (n > end - at)
			n = end - at;
		write_all(fd, part, (size_t)n);
		at += n;
	}
	if (end >= KEPT_MAX)
		write_words(fd, "\n(what followed on stderr did not fit)\n");
}

void rescue_keep_stderr(void)
{
	if (real_stderr >= 0 || !isatty(STDERR_FILENO))
		return;
	kept = memfd_create("stderr", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (kept < 0)
		return;
	real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	/* Sealed at its size: a library that chatters for days can't eat the memory. */
	if (real_stderr < 0 || ftruncate(kept, KEPT_MAX) < 0 ||
	    fcntl(kept, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) < 0 ||
	    dup2(kept, STDERR_FILENO) < 0) {
		if (real_stderr >= 0)
			close(real_stderr);
		close(kept);
		real_stderr = -1;
		kept = -1;
	}
}

void rescue_replay_stderr(void)
{
	if (real_stderr < 0)
		return;
	dup2(real_stderr, STDERR_FILENO);
	close(real_stderr);
	real_stderr = -1;
	print_kept(STDERR_FILENO);
	close(kept);
	kept = -1;
}

/* --- Fatal signals --- */

/* strsignal() allocates. */
static const char *signal_words(int sig)
{
	switch (sig) {
	case SIGSEGV: return "SIGSEGV, an invalid memory reference";
	case SIGBUS: return "SIGBUS, a memory access that could not be served";
	case SIGILL: return "SIGILL, an illegal instruction";
	case SIGFPE: return "SIGFPE, an arithmetic error";
	case SIGSYS: return "SIGSYS, a forbidden system call";
	case SIGABRT: return "SIGABRT, an inner check failed";
	case SIGTRAP: return "SIGTRAP, sent from outside";
	case SIGALRM: return "SIGALRM, sent from outside";
	case SIGUSR1: return "SIGUSR1, sent from outside";
	case SIGUSR2: return "SIGUSR2, sent from outside";
	case SIGVTALRM: return "SIGVTALRM, sent from outside";
	case SIGPROF: return "SIGPROF, sent from outside";
	case SIGSTKFLT: return "SIGSTKFLT, sent from outside";
	case SIGIO: return "SIGIO, sent from outside";
	case SIGXCPU: return "SIGXCPU, the limit on CPU time was reached";
	case SIGXFSZ: return "SIGXFSZ, the limit on file size was reached";
	default: return "a signal";
	}
}

/* Async-signal-safe. */
static void write_fatal(int fd, int sig)
{
	write_words(fd, "lunscope: fatal: ");
	write_words(fd, signal_words(sig));
}

static void crash(int sig)
{
	int nobody = 0, me = gettid(), fd = real_stderr >= 0 ? real_stderr : STDERR_FILENO;
	void *frame[FRAMES];

	if (!atomic_compare_exchange_strong(&dying, &nobody, me) && nobody != me)
		for (;;)
			pause();
	signal(sig, SIG_DFL);
	if (nobody == 0 && rescue.armed) {
		/* The drawing thread may be in the middle of a frame: it draws to nowhere. */
		if (rescue.null >= 0 && rescue.out >= 0)
			dup2(rescue.null, STDOUT_FILENO);
		unblock_now(rescue.out >= 0 ? rescue.out : STDOUT_FILENO);
		write_all(rescue.out >= 0 ? rescue.out : STDOUT_FILENO, rescue.also, rescue.also_n);
		write_all(rescue.out >= 0 ? rescue.out : STDOUT_FILENO, rescue.seq, rescue.n);
		tcsetattr(STDIN_FILENO, TCSANOW, &rescue.tio);
		quiet_kernel_end();
		if (kept >= 0)
			print_kept(fd);
		write_words(fd, "\n");
		write_fatal(fd, sig);
		write_words(fd, ". The terminal is restored; where it happened:\n");
		backtrace_symbols_fd(frame, backtrace(frame, FRAMES), fd);
		/* Once more: a small screen shows the end only. */
		write_fatal(fd, sig);
		write_words(fd, "\n");
	}
	/* Blocked until the handler returns; then the default action, status and core. */
	raise(sig);
}

void rescue_arm(const char *seq, size_t n, const struct termios *tio)
{
	struct sigaction sa = {.sa_handler = crash, .sa_flags = SA_ONSTACK};
	stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof(alternate_stack)};
	void *frame[1];

	if (n > sizeof(rescue.seq))
		n = sizeof(rescue.seq);
	memcpy(rescue.seq, seq, n);
	rescue.n = n;
	rescue.tio = *tio;
	rescue.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	rescue.null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	/* The first call loads libgcc, which a handler must not. */
	backtrace(frame, 1);
	sigaltstack(&stack, &rescue.stack_before);
	sigfillset(&sa.sa_mask);
	rescue.armed = true;
	for (size_t i = 0; i < FATALS; i++)
		sigaction(fatal[i], &sa, &rescue.before[i]);
}

void rescue_also(const char *seq, size_t n)
{
	/* A crash in between sends none of it rather than a part. */
	rescue.also_n = 0;
	atomic_signal_fence(memory_order_seq_cst);
	if (n > sizeof(rescue.also))
		n = 0;
	memcpy(rescue.also, seq, n);
	atomic_signal_fence(memory_order_seq_cst);
	rescue.also_n = n;
}

void rescue_disarm(void)
{
	rescue.also_n = 0;
	if (!rescue.armed)
		return;
	for (size_t i = 0; i < FATALS; i++)
		sigaction(fatal[i], &rescue.before[i], NULL);
	rescue.armed = false;
	if (rescue.out >= 0)
		close(rescue.out);
	if (rescue.null >= 0)
		close(rescue.null);
	sigaltstack(&rescue.stack_before, NULL);
}
