/* target.c - opening a target, by its name or a descriptor. */
#include "target_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel_iscsi.h"
#include "path.h"
#include "secret.h"

const char *target_kind_name(enum target_kind k)
{
	static const char *const name[] = {"null", "file", "block device", "zero device",
					   "iSCSI LUN"};

	return name[k];
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
	if ((t->kind == TARGET_NULL) == !!(t->backend->caps & BACKEND_FILES) ||
	    t->backend->caps & BACKEND_REMOTE)
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
	t->size = TARGET_PRETENDED_SIZE;
	t->logical_block = t->physical_block = 512;
	t->may_write = true; /* there is nothing to write over */
	t->write_length = t->size;
	snprintf(t->name, sizeof(t->name), "%s", t->spec);
	return 0;
}

/* Before it is opened: a folder or a terminal takes no O_DIRECT either, and that is not its trouble. */
static int check_kind(struct target *t, struct error *e)
{
	struct stat st;

	if (stat(t->path, &st))
		return error_errno(e, errno, "%s", t->spec);
	if (target_is_zero(&st))
		t->kind = TARGET_ZERO;
	if (S_ISBLK(st.st_mode) || S_ISREG(st.st_mode) || target_is_zero(&st))
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
	/* Only the open was not to block: where the flag stays and the device takes no NOWAIT (device
	 * mapper's multipath), io_uring fails each IO with EAGAIN instead of giving it to a thread that
	 * may wait (io_rw_init_file in the kernel's io_uring/rw.c). */
	if (fcntl(t->fd, F_SETFL, direct) < 0)
		return error_errno(e, errno, "%s: cannot be set up", t->spec);
	return 0;
}

/* A file that lunscope makes is free to write: through the descriptor that made it, never through a
 * name that may stand for something else by now. */
static int open_created(struct target *t, const struct target_options *o, struct error *e)
{
	char path[64];
	int fd = target_create(t->spec, o, e);

	if (fd < 0)
		return fd;
	t->created = true;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int rc = open_path(t, path, O_RDWR, e);
	if (rc == 0)
		rc = target_measure(t, e);
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
	return rc ? rc : target_measure(t, e);
}

static int open_all(struct target *t, const struct target_options *o, struct error *e)
{
	struct stat st;
	int rc;

	if (secret_is_url(t->spec))
		return target_open_lun(t, o, e);
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
	if (rc == 0 && t->kind == TARGET_BLOCK)
		rc = kernel_iscsi_open(&t->kernel, &guard_host, t->rdev, e);
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

	if (t->kind == TARGET_LUN) {
		t->backend->allow_write(t->handle, start, length);
		t->may_write = true;
		t->write_start = start;
		t->write_length = length;
		return 0;
	}
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
	kernel_iscsi_close(t->kernel);
	t->kernel = NULL;
	t->handle = NULL;
	t->fd = -1;
}

uint64_t target_size_now(const struct target *t)
{
	struct backend_facts f;
	struct stat st;
	uint64_t size;

	if (t->kind == TARGET_BLOCK)
		return ioctl(t->fd, BLKGETSIZE64, &size) ? t->size : size;
	if (t->kind == TARGET_LUN)
		return t->backend->facts(t->handle, false, &f, NULL) ? t->size : f.size;
	if (t->kind == TARGET_FILE)
		return fstat(t->fd, &st) ? t->size : (uint64_t)st.st_size;
	return t->size;
}

uint32_t target_most_outstanding(const struct target *t)
{
	uint32_t most = t->backend->max_outstanding;

	return most && most < OUTSTANDING_MAX ? most : OUTSTANDING_MAX;
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
