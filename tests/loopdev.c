/* loopdev.c - loop devices for tests, by ioctl: no losetup, no races for the free number. */
#include "tests/loopdev.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include "tests/scratch.h"

#define LOOP_MAJOR 7

const char *loopdev_missing(void)
{
	if (geteuid() != 0)
		return "needs root for loop devices";
	int fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return "needs loop devices (/dev/loop-control can't be opened)";
	int n = ioctl(fd, LOOP_CTL_GET_FREE);
	close(fd);
	return n < 0 ? "needs a free loop device" : NULL;
}

/* In a container the node of a new loop device doesn't appear by itself. */
static int open_node(const char *node, int number)
{
	int fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT &&
	    !mknod(node, S_IFBLK | 0660, makedev(LOOP_MAJOR, (unsigned)number)))
		fd = open(node, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* One try at number; -EBUSY when somebody else was quicker. */
static int configure(struct loopdev *l, int file, const struct loopdev_options *o)
{
	struct loop_config c = {.fd = (uint32_t)file, .block_size = o->sector ? o->sector : 512};
	c.info.lo_flags = (o->direct ? LO_FLAGS_DIRECT_IO : 0) |
			  (o->partscan ? LO_FLAGS_PARTSCAN : 0) |
			  (o->read_only ? LO_FLAGS_READ_ONLY : 0);
	snprintf((char *)c.info.lo_file_name, sizeof c.info.lo_file_name, "%.63s", l->backing);

	int fd = open_node(l->node, l->number);
	if (fd < 0)
		return fd;
	int r = ioctl(fd, LOOP_CONFIGURE, &c) ? -errno : 0;
	close(fd);
	return r;
}

int loopdev_attach(struct loopdev *l, const char *file, const struct loopdev_options *o)
{
	static const struct loopdev_options plain;
	memset(l, 0, sizeof *l);
	l->number = -1;
	snprintf(l->backing, sizeof l->backing, "%s", file);

	int fd = open(file, (o && o->read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int r = control < 0 ? -errno : -EBUSY;
	for (int tries = 0; r == -EBUSY && tries < 100; tries++) {
		int n = ioctl(control, LOOP_CTL_GET_FREE);
		if (n < 0) {
			r = -errno;
			break;
		}
		l->number = n;
		snprintf(l->name, sizeof l->name, "loop%d", n);
		snprintf(l->node, sizeof l->node, "/dev/%s", l->name);
		r = configure(l, fd, o ? o : &plain);
	}
	if (control >= 0)
		close(control);
	close(fd);
	if (r)
		l->number = -1;
	else
		scratch_guard_loop(l->number, true);
	return r;
}

int loopdev_make(struct loopdev *l, const char *name, uint64_t size,
		 const struct loopdev_options *o)
{
	return loopdev_attach(l, scratch_file(name, size, false), o);
}

void loopdev_need(struct loopdev *l, uint64_t size, uint32_t sector)
{
	const char *missing = loopdev_missing();

	if (missing) {
		print_message("%s\n", missing);
		skip();
	}
	assert_int_equal(loopdev_make(l, "disk", size, &(struct loopdev_options){.sector = sector}),
			 0);
}

void loopdev_unmount(char *where)
{
	for (int i = 0; *where && umount(where) && errno == EBUSY && i < 500; i++)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	*where = '\0';
}

int loopdev_free(struct loopdev *l)
{
	if (l->number < 0)
		return 0;
	int fd = open(l->node, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int r = ioctl(fd, LOOP_CLR_FD, 0) ? -errno : 0;
	close(fd);
	/* With other users the kernel detaches at the last close: wait for it, for a while. */
	char path[64];
	snprintf(path, sizeof path, "/sys/block/%s/loop", l->name);
	for (int i = 0; r == 0 && access(path, F_OK) == 0 && i < 500; i++)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	if (r == 0 && access(path, F_OK) == 0)
		return -EBUSY;
	if (r == 0 || r == -ENXIO) {
		scratch_guard_loop(l->number, false);
		l->number = -1;
		return 0;
	}
	return r;
}

int loopdev_resized(struct loopdev *l)
{
	int fd = open(l->node, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int r = ioctl(fd, LOOP_SET_CAPACITY, 0) ? -errno : 0;
	close(fd);
	return r;
}

/* Fields: Documentation/block/stat.rst of the kernel; sectors are 512 bytes whatever the device's
 * logical block. */
int loopdev_stat(const struct loopdev *l, struct blockstat *s)
{
	char path[64];
	uint64_t v[9];
	snprintf(path, sizeof path, "/sys/block/%s/stat", l->name);
	FILE *f = fopen(path, "re");
	if (!f)
		return -errno;
	int n = 0;
	while (n < 9 && fscanf(f, "%" SCNu64, &v[n]) == 1)
		n++;
	fclose(f);
	if (n < 9)
		return -EPROTO;
	*s = (struct blockstat){v[0], v[2] * 512, v[4], v[6] * 512, v[8]};
	return 0;
}
