/* sight.c - looking below /proc and /sys, and remembering where nothing could be seen.
 *
 * The guard's findings are absences: no mount, no holder, no swap. A folder that can't be opened
 * looks just like an empty one, so every failure but "there is no such entry" is kept until
 * somebody asks, as errno is, for each thread. On the real host whatever is opened must come from
 * the kernel: a tmpfs over /sys has no entries either.
 */
#include "guard/gates.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

static _Thread_local int lost_err;
static _Thread_local char lost_what[256];

void sight_clear(void)
{
	lost_err = 0;
}

void sight_lost(const char *what, int err)
{
	if (lost_err)
		return;
	lost_err = err;
	snprintf(lost_what, sizeof(lost_what), "%s", what);
}

int sight_take(struct error *e)
{
	int err = lost_err;

	lost_err = 0;
	if (!err)
		return 0;
	report_clean(lost_what);
	return error_set(e, EPERM, "can't see %s (%s), so nothing is written", lost_what,
			 err == EMEDIUMTYPE ? "it is hidden: something else is mounted there"
					    : strerror(err));
}

bool sight_real(const struct guard_host *h)
{
	return strcmp(h->proc, "/proc") == 0 && strcmp(h->sys, "/sys") == 0;
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* 0 when what fd stands for is the kernel's own, -EMEDIUMTYPE when something hides it. */
static int check_kernel(const struct guard_host *h, const char *path, int fd)
{
	struct statfs fs;

	if (!sight_real(h))
		return 0;
	if (fstatfs(fd, &fs) < 0)
		return -errno;
	if ((is_below(path, h->sys) && fs.f_type != SYSFS_MAGIC) ||
	    (is_below(path, h->proc) && fs.f_type != PROC_SUPER_MAGIC))
		return -EMEDIUMTYPE;
	return 0;
}

/* An entry that is not there: -ENOENT when the nearest folder above it that is there is the kernel's,
 * else something hides it (a tmpfs over /proc/PID has no fd either). */
static int check_missing(const struct guard_host *h, const char *path)
{
	char above[PATH_MAX];
	struct statfs fs;

	if (!sight_real(h) || strlen(path) >= sizeof(above))
		return -ENOENT;
	strcpy(above, path);
	for (char *slash; (slash = strrchr(above, '/')) && slash != above;) {
		*slash = '\0';
		if (!is_below(above, h->sys) && !is_below(above, h->proc))
			return -ENOENT;
		if (statfs(above, &fs) < 0)
			continue;
		bool real = is_below(above, h->sys) ? fs.f_type == SYSFS_MAGIC
						    : fs.f_type == PROC_SUPER_MAGIC;
		return real ? -ENOENT : -EMEDIUMTYPE;
	}
	return -ENOENT;
}

int sight_open(const struct guard_host *h, const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);
	int err;

	if (fd < 0)
		return errno == ENOENT ? check_missing(h, path) : -errno;
	err = check_kernel(h, path, fd);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int sight_folder(const struct guard_host *h, const char *path, DIR **dir)
{
	int fd = sight_open(h, path, O_RDONLY | O_DIRECTORY);
	int err;

	*dir = NULL;
	if (fd < 0)
		return fd;
	*dir = fdopendir(fd);
	if (*dir)
		return 0;
	err = errno;
	close(fd);
	return -err;
}

struct dirent *sight_next(DIR *dir, const char *path)
{
	struct dirent *entry;

	do {
		errno = 0;
		entry = readdir(dir);
	} while (entry && entry->d_name[0] == '.');
	/* ENOENT: what the folder was of is gone. */
	if (!entry && errno && errno != ENOENT)
		sight_lost(path, errno);
	return entry;
}

/* A table of the kernel is read to its end; what is read in one go is consistent only within a
 * page, which is as good as it gets. */
int sight_text(const struct guard_host *h, const char *path, char **text, size_t *length)
{
	int fd = sight_open(h, path, O_RDONLY);
	size_t room = 0;
	ssize_t n = 0;
	int err = 0;

	*text = NULL;
	*length = 0;
	if (fd < 0)
		return fd;
	do {
		*length += (size_t)n;
		if (*length + 1 >= room) {
			char *more = realloc(*text, room += 16384);

			if (!more) {
				err = -ENOMEM;
				break;
			}
			*text = more;
		}
		n = read(fd, *text + *length, room - *length - 1);
		if (n < 0)
			err = -errno;
	} while (n > 0);
	close(fd);
	if (err) {
		free(*text);
		*text = NULL;
		return err;
	}
	(*text)[*length] = '\0';
	return 0;
}
