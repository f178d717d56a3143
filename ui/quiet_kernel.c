/* quiet_kernel.c - lowers the console's log level and puts it back.
 *
 * What the kernel prints on a console goes right through the picture there, and the more so in the
 * hour when a path is lost. The descriptor stays open and the level is kept as text, so that giving
 * it back takes nothing but read(2) and write(2), even in a crash.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include "quiet_kernel.h"

#define LEVELS      "/proc/sys/kernel/printk"
#define EMERGENCIES "1" /* syslog(2): those less than it are shown, and 0 is KERN_EMERG */
#define DIGITS      12

static int level_fd = -1; /* -1: nothing has been lowered */
static char level_before[DIGITS];

static int open_levels(struct error *e)
{
	int fd = open(LEVELS, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return error_errno(e, errno,
				   "--quiet-kernel: " LEVELS " can't be written, which takes root "
				   "(and in a container the host's leave); start without it");
	return fd;
}

/* The first of the four numbers. Async-signal-safe. */
static bool read_level(int fd, char level[DIGITS])
{
	ssize_t n = pread(fd, level, DIGITS - 1, 0);

	level[n > 0 ? n : 0] = '\0';
	level[strspn(level, "0123456789")] = '\0';
	return level[0] != '\0';
}

/* The other three stay as they are. Async-signal-safe. */
static bool write_level(int fd, const char *level)
{
	return pwrite(fd, level, strlen(level), 0) == (ssize_t)strlen(level);
}

int quiet_kernel_check(struct error *e)
{
	int fd = open_levels(e);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int quiet_kernel_begin(struct error *e)
{
	if (level_fd >= 0)
		return 0;
	int fd = open_levels(e), rc = 0;

	if (fd < 0)
		return fd;
	if (!read_level(fd, level_before))
		rc = error_set(e, EIO, "--quiet-kernel: " LEVELS " has no number in it");
	else if (strcmp(level_before, "0") != 0 && !write_level(fd, EMERGENCIES))
		rc = error_errno(e, errno, "--quiet-kernel: " LEVELS);
	if (rc)
		close(fd);
	else
		level_fd = fd;
	return rc;
}

void quiet_kernel_end(void)
{
	char now[DIGITS];
	int fd = level_fd;

	if (fd < 0)
		return;
	level_fd = -1;
	if (read_level(fd, now) && strcmp(now, EMERGENCIES) == 0)
		write_level(fd, level_before);
	close(fd);
}
