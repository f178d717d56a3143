/* target.c - finding out what a target is, and opening it. */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "data.h"
#include "path.h"
#include "units.h"

#define PRETENDED_SIZE (1ull << 40) /* what null: and /dev/zero are said to hold: 1 TiB */

/* A new file is reserved, and brought to the disk, in parts of these sizes. */
#define RESERVE_PART (256 * MIB)
#define SYNC_PART    (32 * MIB)

const char *target_kind_name(enum target_kind k)
{
	static const char *const name[] = {"null", "file", "block device", "zero device"};

	return name[k];
}

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

/* --- Making a scratch file. --- */

static int cancelled(const char *spec, struct error *e)
{
	return error_set(e, ECANCELED, "%s: its making was cancelled", spec);
}

/* Reserves the room first, so that a lack of it is known at once; where the file system can't, it shows
 * while filling. In parts, since on some file systems it takes long. */
static int reserve(int fd, const char *spec, uint64_t size, struct create_progress *p,
		   struct error *e)
{
	for (uint64_t at = 0; at < size;) {
		uint64_t n = size - at < RESERVE_PART ? size - at : RESERVE_PART;
		if (create_progress_cancelled(p))
			return cancelled(spec, e);
		if (fallocate(fd, 0, (off_t)at, (off_t)n) == 0)
			at += n;
		else if (errno == EOPNOTSUPP || errno == ENOSYS)
			return 0;
		else if (errno != EINTR)
			return error_errno(e, errno, "%s: no room for %" PRIu64 " bytes", spec,
					   size);
	}
	return 0;
}

/* What is written goes to the disk now and then: what is said to be done is, and the end of it, or of a
 * cancelled one, never has to wait for a memory full of it. */
static int write_part(int fd, const void *data, size_t n, uint64_t *at)
{
	uint64_t before = *at;
	ssize_t w = pwrite(fd, data, n, (off_t)*at);

	if (w < 0)
		return errno == EINTR ? 0 : -errno;
	*at += (uint64_t)w;
	return before / SYNC_PART != *at / SYNC_PART && fdatasync(fd) ? -errno : 0;
}

/* Real data, so that reading measures the disk, and not holes: what the workload would write, and so by
 * default nothing that a store has to unpack. */
static int fill_file(int fd, const char *path, const struct target_options *o, struct error *e)
{
	const uint32_t chunk = 1 << 20;
	uint8_t *buffer = aligned_alloc(4096, chunk);
	struct data_filler filler;

	if (!buffer)
		return error_set(e, ENOMEM, "%s: out of memory", path);
	struct create_progress *p = o->progress;
	uint64_t size = o->create_size;
	int rc = 0;
	data_filler_init(&filler, data_new_run(), 0);
	if (o->data)
		data_filler_take_up(&filler, o->data);
	for (uint64_t at = 0; at < size && rc == 0;) {
		data_fill(&filler, buffer, chunk);
		size_t n = size - at < chunk ? (size_t)(size - at) : chunk;
		rc = create_progress_cancelled(p) ? -ECANCELED : write_part(fd, buffer, n, &at);
		create_progress_done(p, at);
	}
	free(buffer);
	if (rc == 0 && fdatasync(fd))
		rc = -errno;
	if (rc == -ECANCELED)
		return cancelled(path, e);
	return rc ? error_errno(e, -rc, "%s: writing the new file", path) : 0;
}

/* Reserves and fills the new file behind fd. */
static int furnish(int fd, const char *spec, const struct target_options *o, struct error *e)
{
	create_progress_begin(o->progress, o->create_size);
	int rc = reserve(fd, spec, o->create_size, o->progress, e);
	return rc ? rc : fill_file(fd, spec, o, e);
}

/* A file that has no name until it is whole, so that nothing half-made is left if we are ended while
 * it is being filled; -EOPNOTSUPP or the like where the file system has no such thing. */
static int open_nameless(const char *spec)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s", spec);
	char *slash = strrchr(folder, '/');
	if (slash)
		*(slash == folder ? slash + 1 : slash) = 0;
	int fd = open(slash ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

static int give_name(int fd, const char *spec, struct error *e)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, path, AT_FDCWD, spec, AT_SYMLINK_FOLLOW))
		return error_errno(e, errno, "%s: cannot be created", spec);
	return 0;
}

/* Makes spec, which must not exist yet. Returns the descriptor that made it: from
 * then on the name could stand for anything. */
static int create_file(const char *spec, const struct target_options *o, struct error *e)
{
	if (path_below_dev(spec))
		return error_set(e, EPERM,
				 "%s: nothing is ever created under /dev; name a device that "
				 "exists, or a file elsewhere",
				 spec);
	if (create_progress_cancelled(o->progress))
		return cancelled(spec, e);
	int fd = open_nameless(spec);
	bool nameless = fd >= 0;
	if (!nameless)
		fd = open(spec, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_errno(e, errno, "%s: cannot be created", spec);
	int rc = furnish(fd, spec, o, e);
	if (rc == 0 && nameless)
		rc = give_name(fd, spec, e);
	if (rc == 0)
		return fd;
	if (!nameless)
		unlink(spec);
	close(fd);
	return rc;
}

/* --- Opening. --- */

static void name_target(struct target *t)
{
	const char *slash = strrchr(t->path, '/');

	snprintf(t->name, sizeof(t->name), "%s", slash ? slash + 1 : t->path);
}

static struct backend_open description(const struct target *t)
{
	return (struct backend_open){
		.spec = t->spec,
		.fd = t->fd,
		.size = t->size,
		.block = t->logical_block,
		.direct = t->direct,
	};
}

static int choose_backend(struct target *t, const struct target_options *o, struct error *e)
{
	const char *name = o->backend;
	bool automatic = !name || strcmp(name, BACKEND_AUTO) == 0;
	struct backend_open how = description(t);

	t->backend = automatic ? backend_choose(&how, t->backend_why, sizeof(t->backend_why))
			       : backend_find(name);
	if (!t->backend && automatic)
		return error_set(e, ENOSYS, "no backend can drive %s here: %s", t->spec,
				 t->backend_why);
	if (!t->backend)
		return error_set(e, EINVAL, "backend '%s' does not exist: see lunscope backends",
				 name);
	if ((t->kind == TARGET_NULL) == !!(t->backend->caps & BACKEND_FILES))
		return error_set(e, EINVAL, "backend %s cannot drive %s (%s)", name, t->spec,
				 target_kind_name(t->kind));
	if (o->buffered && t->kind != TARGET_NULL && !(t->backend->caps & BACKEND_BUFFERED))
		return error_set(
			e, EINVAL,
			"backend %s does no buffered IO (each submit would wait for its IO, "
			"so the depth would be 1); use --backend sync",
			name);
	return 0;
}

static int hand_over(struct target *t, struct error *e)
{
	struct backend_open how = description(t);

	return t->backend->open(&how, &t->handle, e);
}

static int open_null(struct target *t)
{
	t->kind = TARGET_NULL;
	t->size = PRETENDED_SIZE;
	t->logical_block = t->physical_block = 512;
	t->may_write = true; /* there is nothing to write over */
	t->write_length = t->size;
	snprintf(t->name, sizeof(t->name), "%s", t->spec);
	return 0;
}

/* /dev/zero, by whatever name: the one character device that gives data at any offset, at once, and for
 * which reading has no consequences. Its number is fixed (devices.txt: 1, 5). */
static bool is_zero(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 5);
}

/* Before it is opened: a folder or a terminal takes no O_DIRECT either, and that is not its trouble. */
static int check_kind(struct target *t, struct error *e)
{
	struct stat st;

	if (stat(t->path, &st))
		return error_errno(e, errno, "%s", t->spec);
	if (is_zero(&st))
		t->kind = TARGET_ZERO;
	if (S_ISBLK(st.st_mode) || S_ISREG(st.st_mode) || is_zero(&st))
		return 0;
	if (S_ISCHR(st.st_mode))
		return error_set(e, EINVAL,
				 "%s is a character device: a target is a block device, a file or "
				 "null: (and /dev/zero, to read)",
				 t->spec);
	return error_set(e, EINVAL,
			 "%s is %s: a target is a block device, a file or null:", t->spec,
			 S_ISDIR(st.st_mode) ? "a folder" : "neither a block device nor a file");
}

/* What the open descriptor is. */
static int measure(struct target *t, struct error *e)
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
	if (is_zero(&st)) {
		t->kind = TARGET_ZERO;
		t->rdev = st.st_rdev;
		t->size = PRETENDED_SIZE;
		t->logical_block = t->physical_block = 512;
		return 0;
	}
	return error_set(e, EINVAL, "%s has just become something else", t->spec);
}

static int open_path(struct target *t, const char *path, int mode, struct error *e)
{
	/* Nothing is cached of /dev/zero: what it gives is direct without the flag, which it refuses. */
	int direct = t->direct && t->kind != TARGET_ZERO ? O_DIRECT : 0;

	t->fd = open(path, mode | O_CLOEXEC | O_NONBLOCK | direct);
	if (t->fd < 0 && errno == EINVAL && t->direct)
		return error_set(e, EINVAL,
				 "%s: its file system takes no O_DIRECT; use --buffered (which "
				 "measures the page cache too) or another file system",
				 t->spec);
	if (t->fd < 0)
		return error_errno(e, errno, "%s: cannot be opened", t->spec);
	return 0;
}

/* A file that lunscope makes is free to write: through the descriptor that made it, never through a
 * name that may stand for something else by now. */
static int open_created(struct target *t, const struct target_options *o, struct error *e)
{
	char path[64];
	int fd = create_file(t->spec, o, e);

	if (fd < 0)
		return fd;
	t->created = true;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int rc = open_path(t, path, O_RDWR, e);
	if (rc == 0)
		rc = measure(t, e);
	close(fd);
	if (rc)
		return rc;
	if (!realpath(t->spec, t->path))
		snprintf(t->path, sizeof(t->path), "%s", t->spec);
	t->may_write = true;
	t->write_start = 0;
	t->write_length = t->size;
	return 0;
}

static int missing(const struct target *t, int err, struct error *e)
{
	if (err == ENOENT && path_below_dev(t->spec))
		return error_set(e, ENOENT,
				 "%s does not exist; to see the block devices: lunscope targets",
				 t->spec);
	if (err == ENOENT)
		return error_set(e, ENOENT,
				 "%s does not exist; to make a scratch file add --create SIZE, to "
				 "see the block devices: lunscope targets",
				 t->spec);
	return error_errno(e, err, "%s", t->spec);
}

static int open_existing(struct target *t, struct error *e)
{
	if (!realpath(t->spec, t->path))
		return missing(t, errno, e);
	int rc = check_kind(t, e);
	if (rc == 0)
		rc = open_path(t, t->path, O_RDONLY, e);
	return rc ? rc : measure(t, e);
}

static int open_all(struct target *t, const struct target_options *o, struct error *e)
{
	struct stat st;
	int rc;

	if (target_is_null(t->spec))
		rc = open_null(t);
	else if (o->create_size && stat(t->spec, &st) && errno == ENOENT)
		rc = open_created(t, o, e);
	else
		rc = open_existing(t, e);
	if (rc == 0 && t->kind != TARGET_NULL)
		name_target(t);
	if (rc == 0)
		rc = choose_backend(t, o, e);
	if (rc == 0)
		rc = hand_over(t, e);
	return rc;
}

bool target_is_null(const char *spec)
{
	return strcmp(spec, "null") == 0 || strncmp(spec, "null:", 5) == 0;
}

int target_open(struct target *t, const char *spec, const struct target_options *o, struct error *e)
{
	memset(t, 0, sizeof(*t));
	t->fd = -1;
	t->direct = !o->buffered;
	if (strlen(spec) >= sizeof(t->spec))
		return error_set(e, ENAMETOOLONG, "the target's name is too long");
	strcpy(t->spec, spec);
	int rc = open_all(t, o, e);
	if (rc) {
		target_unmake(t);
		target_close(t);
	}
	return rc;
}

/* The file behind a loop device, by the numbers that the kernel keeps. */
static bool is_backing(const struct target *t, const struct stat *st)
{
	struct loop_info64 info;

	return t->kind == TARGET_BLOCK && ioctl(t->fd, LOOP_GET_STATUS64, &info) == 0 &&
	       info.lo_device == st->st_dev && info.lo_inode == st->st_ino;
}

bool target_is(const struct target *t, const struct stat *st)
{
	if (t->fd < 0)
		return false;
	if (t->kind == TARGET_BLOCK && S_ISBLK(st->st_mode))
		return st->st_rdev == t->rdev;
	return (st->st_dev == t->dev && st->st_ino == t->ino) || is_backing(t, st);
}

void target_unmake(const struct target *t)
{
	struct stat st;

	if (t->created && lstat(t->spec, &st) == 0 && st.st_dev == t->dev && st.st_ino == t->ino)
		unlink(t->spec);
}

int target_allow_write(struct target *t, int fd, uint64_t start, uint64_t length, struct error *e)
{
	struct stat st;
	int old = t->fd;
	void *old_handle = t->handle;

	if (t->kind == TARGET_ZERO) {
		close(fd);
		return error_set(e, EPERM, "%s: is only read: what is written there is nowhere",
				 t->spec);
	}
	if (fstat(fd, &st) || !target_is(t, &st) ||
	    S_ISBLK(st.st_mode) != (t->kind == TARGET_BLOCK)) {
		close(fd);
		return error_set(e, ESTALE,
				 "%s: the name stands for something else now than what was opened: "
				 "not written",
				 t->spec);
	}
	t->fd = fd;
	int rc = hand_over(t, e);
	if (rc) {
		t->fd = old;
		t->handle = old_handle;
		close(fd);
		return rc;
	}
	t->backend->close(old_handle);
	close(old);
	t->may_write = true;
	t->write_start = start;
	t->write_length = length;
	return 0;
}

const char *target_remark(const struct target *t)
{
	return t->handle && t->backend->remark ? t->backend->remark(t->handle) : "";
}

void target_close(struct target *t)
{
	if (t->handle)
		t->backend->close(t->handle);
	if (t->fd >= 0)
		close(t->fd);
	t->handle = NULL;
	t->fd = -1;
}

uint64_t target_size_now(const struct target *t)
{
	struct stat st;
	uint64_t size;

	if (t->kind == TARGET_BLOCK)
		return ioctl(t->fd, BLKGETSIZE64, &size) ? t->size : size;
	if (t->kind == TARGET_FILE)
		return fstat(t->fd, &st) ? t->size : (uint64_t)st.st_size;
	return t->size;
}

struct workload_limits target_limits(const struct target *t)
{
	return (struct workload_limits){
		.target = t->kind == TARGET_NULL ? target_kind_name(t->kind) : t->spec,
		.target_size = t->size,
		.logical_block = t->logical_block,
		.backend = t->backend->name,
		.max_outstanding = t->backend->max_outstanding,
		.depth_reason = t->backend->depth_reason,
		.may_write = t->may_write,
		.write_start = t->write_start,
		.write_length = t->write_length,
	};
}
