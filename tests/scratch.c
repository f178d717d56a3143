/* scratch.c - a test's own folder, and the guardian that removes it. */
#include "tests/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/loop.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOPS_MAX 256

/* What goes through the pipe: a loop device's number, and whether it is to be detached. */
struct order {
	int32_t loop;
	bool attached;
};

static char dir[PATH_MAX / 2];
static int guardian_fd = -1;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "scratch: %s: %s\n", what, strerror(errno));
	exit(99);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

static void detach(int number)
{
	char node[32];
	snprintf(node, sizeof node, "/dev/loop%d", number);
	int fd = open(node, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		ioctl(fd, LOOP_CLR_FD, 0);
		close(fd);
	}
}

/* Keeps no descriptor of the program but its end of the pipe, so that nobody waits for it. */
static _Noreturn void guardian(int fd)
{
	static bool attached[LOOPS_MAX];
	struct order o;

	prctl(PR_SET_NAME, "scratch-guard");
	setsid();
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_IGN);
	if (fd != 3)
		dup2(fd, 3);
	close_range(4, ~0u, 0);
	int null = open("/dev/null", O_RDWR);
	for (int i = 0; i < 3 && null >= 0; i++)
		dup2(null, i);
	if (null > 3)
		close(null);
	if (chdir("/"))
		_exit(1);

	for (;;) {
		ssize_t n = read(3, &o, sizeof o);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof o)
			break;
		if (o.loop >= 0 && o.loop < LOOPS_MAX)
			attached[o.loop] = o.attached;
	}
	for (int i = 0; i < LOOPS_MAX; i++)
		if (attached[i])
			detach(i);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	_exit(0);
}

const char *scratch_dir(void)
{
	if (*dir)
		return dir;
	const char *base = getenv("TMPDIR");
	snprintf(dir, sizeof dir, "%s/scratch.XXXXXX", base && *base ? base : "/var/tmp");
	if (!mkdtemp(dir))
		die(dir);
	int p[2];
	if (pipe2(p, O_CLOEXEC))
		die("pipe");
	pid_t pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		close(p[1]);
		/* Twice, so that the program has no child that it didn't start itself. */
		if (fork() == 0)
			guardian(p[0]);
		_exit(0);
	}
	close(p[0]);
	guardian_fd = p[1];
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return dir;
}

const char *scratch_path(const char *name)
{
	static char path[8][PATH_MAX];
	static unsigned turn;
	char *p = path[turn++ % 8];
	snprintf(p, PATH_MAX, "%s/%s", scratch_dir(), name);
	return p;
}

const char *scratch_file(const char *name, uint64_t size, bool sparse)
{
	static uint64_t block[1 << 14];
	const char *path = scratch_path(name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)size))
		die(path);
	/* xorshift: no two blocks alike, nothing that compresses. */
	uint64_t x = 0x9e3779b97f4a7c15ull ^ size;
	for (uint64_t at = 0; !sparse && at < size; at += sizeof block) {
		for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			block[i] = x;
		}
		size_t n = size - at < sizeof block ? (size_t)(size - at) : sizeof block;
		if (pwrite(fd, block, n, (off_t)at) != (ssize_t)n)
			die(path);
	}
	if (!sparse && fdatasync(fd))
		die(path);
	close(fd);
	return path;
}

const char *scratch_text(const char *name, const char *text)
{
	const char *path = scratch_path(name);
	FILE *f = fopen(path, "we");
	if (!f || fputs(text, f) < 0 || fclose(f))
		die(path);
	return path;
}

void scratch_guard_loop(int number, bool attached)
{
	struct order o = {.loop = number, .attached = attached};
	scratch_dir();
	if (write(guardian_fd, &o, sizeof o) != sizeof o)
		die("guardian");
}
