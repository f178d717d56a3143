/* sysfs.c - reading block devices' attributes below a given root.
 *
 * Everything goes by the kernel's name of a device (/sys/class/block/NAME), which is the same in a
 * recorded tree. Kernel names write '!' where the node has a '/': cciss!c0d0.
 */
#include "guard/gates.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool path_v(const struct guard_host *h, char path[PATH_MAX], const char *fmt, va_list ap)
{
	int n = snprintf(path, PATH_MAX, "%s/", h->sys);
	int m;

	m = n < 0 || n >= PATH_MAX ? -1 : vsnprintf(path + n, PATH_MAX - (size_t)n, fmt, ap);
	if (m >= 0 && m < PATH_MAX - n)
		return true;
	sight_lost(h->sys, ENAMETOOLONG);
	return false;
}

/* How a driver says that an attribute has no value for this device. */
static bool no_value(int err)
{
	return err == EINVAL || err == ENXIO || err == ENODEV || err == ENODATA ||
	       err == EOPNOTSUPP;
}

static bool read_line(const struct guard_host *h, const char *path, char *out, size_t n)
{
	int fd = sight_open(h, path, O_RDONLY), err;
	char *begin = out;
	ssize_t got;

	out[0] = '\0';
	if (fd < 0) {
		if (fd != -ENOENT)
			sight_lost(path, -fd);
		return false;
	}
	got = read(fd, out, n - 1);
	err = errno;
	close(fd);
	if (got < 0 && !no_value(err))
		sight_lost(path, err);
	if (got <= 0)
		return false;
	out[got] = '\0';
	out[strcspn(out, "\n")] = '\0';
	while (isspace((unsigned char)*begin))
		begin++;
	memmove(out, begin, strlen(begin) + 1);
	for (size_t end = strlen(out); end > 0 && isspace((unsigned char)out[end - 1]); end--)
		out[end - 1] = '\0';
	return out[0] != '\0';
}

bool sysfs_read(const struct guard_host *h, char *out, size_t n, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	bool fits;

	va_start(ap, fmt);
	fits = path_v(h, path, fmt, ap);
	va_end(ap);
	out[0] = '\0';
	return fits && read_line(h, path, out, n);
}

bool sysfs_u64(const struct guard_host *h, uint64_t *value, const char *fmt, ...)
{
	char path[PATH_MAX], text[32], *end;
	va_list ap;
	bool fits;

	va_start(ap, fmt);
	fits = path_v(h, path, fmt, ap);
	va_end(ap);
	*value = 0;
	if (!fits || !read_line(h, path, text, sizeof(text)))
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno == 0 && end != text && *end == '\0';
}

bool sysfs_exists(const struct guard_host *h, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	bool fits;

	va_start(ap, fmt);
	fits = path_v(h, path, fmt, ap);
	va_end(ap);
	if (!fits || access(path, F_OK) == 0)
		return fits;
	/* A device's folder holds attributes beside partitions, and nothing is below those. */
	if (errno != ENOENT && errno != ENOTDIR)
		sight_lost(path, errno);
	return false;
}

int sysfs_each(const struct guard_host *h, const char *folder,
	       int (*each)(const char *name, void *arg), void *arg)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int result = 0, err = -ENAMETOOLONG;

	DIR *dir = NULL;

	if (snprintf(path, sizeof(path), "%s/%s", h->sys, folder) < (int)sizeof(path))
		err = sight_folder(h, path, &dir);
	if (err) {
		if (err != -ENOENT)
			sight_lost(path, -err);
		return 0;
	}
	while (result == 0 && (entry = sight_next(dir, path))) {
		if (strlen(entry->d_name) >= NODE_NAME)
			sight_lost(path, ENAMETOOLONG);
		else
			result = each(entry->d_name, arg);
	}
	closedir(dir);
	return result;
}

void sysfs_check(const struct guard_host *h, const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	int fd = -ENAMETOOLONG;

	if (snprintf(path, sizeof(path), "%s/class/block/%s", h->sys, name) < (int)sizeof(path))
		fd = sight_open(h, path, O_RDONLY | O_DIRECTORY);
	if (fd >= 0)
		close(fd);
	/* A name that leads nowhere: either it has just gone, or something hides the device. */
	else if (fd == -ENOENT && lstat(path, &st) == 0)
		sight_lost(path, EMEDIUMTYPE);
	else if (fd != -ENOENT)
		sight_lost(path, -fd);
}

static void copy_name(char name[NODE_NAME], const char *from, size_t length)
{
	if (length >= NODE_NAME)
		length = NODE_NAME - 1;
	memcpy(name, from, length);
	name[length] = '\0';
}

bool sysfs_name(const struct guard_host *h, dev_t rdev, char name[NODE_NAME])
{
	char path[PATH_MAX], *real, *slash;

	name[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/dev/block/%u:%u", h->sys, major(rdev), minor(rdev)) >=
	    (int)sizeof(path))
		return false;
	real = realpath(path, NULL);
	if (!real) {
		if (errno != ENOENT)
			sight_lost(path, errno);
		return false;
	}
	slash = strrchr(real, '/');
	copy_name(name, slash + 1, strlen(slash + 1));
	free(real);
	return true;
}

dev_t sysfs_rdev(const struct guard_host *h, const char *name)
{
	char text[32];
	unsigned major_number, minor_number;

	if (!sysfs_read(h, text, sizeof(text), "class/block/%s/dev", name) ||
	    sscanf(text, "%u:%u", &major_number, &minor_number) != 2)
		return 0;
	return makedev(major_number, minor_number);
}

bool sysfs_is_partition(const struct guard_host *h, const char *name)
{
	return sysfs_exists(h, "class/block/%s/partition", name);
}

void sysfs_disk(const struct guard_host *h, const char *name, char disk[NODE_NAME])
{
	char path[PATH_MAX], *real, *end, *begin;

	copy_name(disk, name, strlen(name));
	if (!sysfs_is_partition(h, name) ||
	    snprintf(path, sizeof(path), "%s/class/block/%s", h->sys, name) >= (int)sizeof(path))
		return;
	real = realpath(path, NULL);
	if (!real) {
		sight_lost(path, errno);
		return;
	}
	end = strrchr(real, '/');
	*end = '\0';
	begin = strrchr(real, '/');
	if (begin)
		copy_name(disk, begin + 1, strlen(begin + 1));
	free(real);
}

/* sysfs counts in units of 512 bytes whatever the sector size is
 * (Documentation/ABI/stable/sysfs-block). */
void sysfs_extent(const struct guard_host *h, const char *name, uint64_t *start, uint64_t *length)
{
	if (!sysfs_u64(h, start, "class/block/%s/start", name))
		*start = 0;
	if (!sysfs_u64(h, length, "class/block/%s/size", name))
		*length = 0;
	*start *= 512;
	*length *= 512;
}

char *sysfs_words(const struct guard_host *h, const char *name, char *out, size_t n)
{
	char mapped[96];

	if (sysfs_read(h, mapped, sizeof(mapped), "class/block/%s/dm/name", name))
		snprintf(out, n, "%s (%s)", name, mapped);
	else
		snprintf(out, n, "%s", name);
	return out;
}

char *sysfs_node(const struct guard_host *h, const char *name, char *out, size_t n)
{
	size_t skip;

	snprintf(out, n, "%s/%s", h->dev, name);
	skip = strlen(h->dev) < n ? strlen(h->dev) : n - 1;
	for (char *c = out + skip; *c; c++)
		if (*c == '!')
			*c = '/';
	return out;
}
