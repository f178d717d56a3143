/* target_measure.c - finding out what it is that was opened: kind, size, blocks, model. */
#include "target_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "units.h"

/* --- What sysfs says of a block device. --- */

/* First line of /sys/dev/block/M:m/LEAF (or, of a partition, of its disk's), trimmed; "" if none. */
static void sysfs_line(dev_t rdev, const char *leaf, char *out, size_t n)
{
	out[0] = 0;
	static const char *const up[] = {"", "../"};
	for (int i = 0; i < 2 && !out[0]; i++) {
		char path[256];
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s%s", major(rdev), minor(rdev),
			 up[i], leaf);
		FILE *f = fopen(path, "re");
		if (!f)
			continue;
		if (fgets(out, (int)n, f)) {
			size_t len = strcspn(out, "\n");
			while (len && out[len - 1] == ' ')
				len--;
			out[len] = 0;
		} else {
			out[0] = 0;
		}
		fclose(f);
	}
}

static void describe_device(struct target *t)
{
	char vendor[64], model[64], serial[64], backing[PATH_MAX];

	sysfs_line(t->rdev, "device/vendor", vendor, sizeof(vendor));
	sysfs_line(t->rdev, "device/model", model, sizeof(model));
	sysfs_line(t->rdev, "device/serial", serial, sizeof(serial));
	sysfs_line(t->rdev, "loop/backing_file", backing, sizeof(backing));
	/* A vendor in hex (virtio, NVMe) is a number, not a name. */
	if (strncmp(vendor, "0x", 2) == 0)
		vendor[0] = 0;
	const char *file = strrchr(backing, '/');
	if (backing[0])
		snprintf(t->model, sizeof(t->model), "loop of %s", file ? file + 1 : backing);
	else
		snprintf(t->model, sizeof(t->model), "%s%s%s%s%s", vendor, vendor[0] ? " " : "",
			 model, serial[0] ? " " : "", serial);
}

/* --- Block sizes. --- */

/* The largest block that a file system is tried with before its O_DIRECT counts as none. */
#define PROOF_MAX 65536u

/* The alignment that direct IO on an open file needs: asked of the kernel (statx, since 6.1),
 * otherwise the logical block size of the disk below, otherwise 4096. 0 where the kernel says that
 * there is no direct IO on this file, though it was opened with O_DIRECT (statx(2),
 * stx_dio_offset_align): ext4 with data=journal takes it, and serves reads from the page cache. */
static uint32_t direct_alignment(int fd, const struct stat *st)
{
#ifdef STATX_DIOALIGN
	struct statx sx = {0};
	if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &sx) == 0 &&
	    (sx.stx_mask & STATX_DIOALIGN)) {
		uint32_t align = sx.stx_dio_offset_align;
		return align == 0 || align > 512 ? align : 512;
	}
#endif
	char text[32];
	sysfs_line(st->st_dev, "queue/logical_block_size", text, sizeof(text));
	long v = strtol(text, NULL, 10);
	return v >= 512 ? (uint32_t)v : 4096;
}

static ssize_t read_first(int fd, void *buffer, uint32_t n)
{
	ssize_t r;

	do {
		r = pread(fd, buffer, n, 0);
	} while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : r;
}

/* O_DIRECT that was taken at open may still be refused at each transfer, or ask for larger blocks than
 * anybody said: so one block is read. The size that goes through is the file's logical block; other
 * errors are the run's to count. */
static int prove_direct(struct target *t, struct error *e)
{
	char from[32], to[32];
	uint32_t block = t->logical_block;
	void *buffer = aligned_alloc(PROOF_MAX, PROOF_MAX);

	if (!buffer)
		return error_set(e, ENOMEM, "%s: out of memory", t->spec);
	ssize_t r = -EINVAL;
	while (block <= PROOF_MAX && block <= t->size) {
		r = read_first(t->fd, buffer, block);
		if (r != -EINVAL && r != -EOPNOTSUPP)
			break;
		block *= 2;
	}
	free(buffer);
	if (r != -EINVAL && r != -EOPNOTSUPP) {
		t->logical_block = t->physical_block = block;
		return 0;
	}
	return error_set(
		e, EINVAL,
		"%s: its file system takes O_DIRECT when the file is opened and then "
		"refuses to read with it (blocks from %s to %s tried); use --buffered (which "
		"measures the page cache too) or another file system",
		t->spec, units_size(from, sizeof(from), t->logical_block),
		units_size(to, sizeof(to), block / 2));
}

static int measure_device(struct target *t, struct error *e)
{
	int logical = 0;
	unsigned physical = 0;

	if (ioctl(t->fd, BLKGETSIZE64, &t->size) || ioctl(t->fd, BLKSSZGET, &logical))
		return error_errno(e, errno, "%s: size", t->path);
	if (ioctl(t->fd, BLKPBSZGET, &physical))
		physical = (unsigned)logical;
	t->logical_block = (uint32_t)logical;
	t->physical_block = physical;
	if (t->size == 0)
		return error_set(e, ENOMEDIUM, "%s: the device has no capacity (no medium?)",
				 t->path);
	return 0;
}

static int measure_file(struct target *t, const struct stat *st, struct error *e)
{
	t->logical_block = t->direct ? direct_alignment(t->fd, st) : 1;
	if (!t->logical_block)
		return error_set(
			e, EINVAL,
			"%s: its file system takes O_DIRECT and then goes through the page "
			"cache all the same (journalled or encrypted data); use --buffered "
			"(which says so) or another file system",
			t->spec);
	t->physical_block = t->logical_block;
	t->size = (uint64_t)st->st_size;
	if (t->size < t->logical_block)
		return error_set(e, EINVAL,
				 "%s: the file is %" PRIu64 " bytes long, which is less than one "
				 "block; name a larger one, or a new one with --create SIZE",
				 t->spec, t->size);
	return t->direct ? prove_direct(t, e) : 0;
}

/* --- All of it. --- */

/* /dev/zero, by whatever name: the one character device that gives data at any offset, at once, and for
 * which reading has no consequences. Its number is fixed (devices.txt: 1, 5). */
bool target_is_zero(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 5);
}

int target_measure(struct target *t, struct error *e)
{
	struct stat st;

	if (fstat(t->fd, &st))
		return error_errno(e, errno, "%s", t->spec);
	t->dev = st.st_dev;
	t->ino = st.st_ino;
	if (S_ISBLK(st.st_mode)) {
		t->kind = TARGET_BLOCK;
		t->rdev = st.st_rdev;
		describe_device(t);
		return measure_device(t, e);
	}
	if (S_ISREG(st.st_mode)) {
		t->kind = TARGET_FILE;
		return measure_file(t, &st, e);
	}
	if (target_is_zero(&st)) {
		t->kind = TARGET_ZERO;
		t->rdev = st.st_rdev;
		t->size = TARGET_PRETENDED_SIZE;
		t->logical_block = t->physical_block = 512;
		return 0;
	}
	return error_set(e, EINVAL, "%s has just become something else", t->spec);
}
