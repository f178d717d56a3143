/* guard.c - the guard's front door: the look at a target, and the descriptor that may write to it.
 *
 * Names are resolved once. The node found is held by an O_PATH descriptor, looked at, and opened
 * through that descriptor, so that nothing can be put in its place in between, and nothing but a
 * block device or a regular file is ever opened: a fifo would hang, a watchdog would start to tick.
 */
#include "guard/gates.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "path.h"

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 && path[n] == '/';
}

static int missing(const struct guard_host *h, const char *spec, int err, struct error *e)
{
	if (err == ENOENT && (is_below(spec, h->dev) || is_below(spec, "/dev")))
		return error_set(
			e, ENOENT,
			"%s: no such device; nothing is created under /dev: check the name "
			"(lsblk lists them)",
			spec);
	if (err == ENOENT)
		return error_set(e, ENOENT, "%s: no such file or device: check the name", spec);
	return error_errno(e, err, "%s: can't be looked at", spec);
}

static const char *kind_words(mode_t mode)
{
	return S_ISDIR(mode)    ? "a folder"
	       : S_ISCHR(mode)  ? "a character device"
	       : S_ISFIFO(mode) ? "a pipe"
	       : S_ISSOCK(mode) ? "a socket"
	       : S_ISLNK(mode)  ? "a symbolic link put in its place just now"
				: "nothing that stores data";
}

/* A regular file of these is a switch of the kernel's. */
static bool is_kernel_interface(int fd)
{
	static const unsigned long long magic[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC,        DEBUGFS_MAGIC,       TRACEFS_MAGIC,
		SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, EFIVARFS_MAGIC,
		PSTOREFS_MAGIC,   SELINUX_MAGIC,      BPF_FS_MAGIC,        BINFMTFS_MAGIC,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return true;
	for (size_t i = 0; i < sizeof(magic) / sizeof(magic[0]); i++)
		if ((unsigned long long)fs.f_type == magic[i])
			return true;
	return false;
}

/* Holds what path names, without opening it: a descriptor and its kind. */
static int hold(const char *spec, const char *path, struct stat *st, struct error *e)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int err = errno;

	if (fd < 0)
		return error_errno(e, err, "%s: can't be looked at", spec);
	if (fstat(fd, st) < 0) {
		err = errno;
		close(fd);
		return error_errno(e, err, "%s: can't be looked at", spec);
	}
	if (!S_ISBLK(st->st_mode) && !S_ISREG(st->st_mode)) {
		close(fd);
		/* The one character device that can be a target (devices.txt: 1, 5). */
		if (S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 5))
			return error_set(e, EINVAL,
					 "%s: is only ever read: to write name a block device or a "
					 "regular file",
					 spec);
		return error_set(e, EINVAL, "%s: is %s: name a block device or a regular file",
				 spec, kind_words(st->st_mode));
	}
	if (S_ISREG(st->st_mode) && is_kernel_interface(fd)) {
		close(fd);
		return error_set(e, EINVAL,
				 "%s: is an interface of the kernel, not a file with data", spec);
	}
	return fd;
}

/* Opens what a descriptor holds. */
static int open_held(int held, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", held);
	fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

static uint32_t file_block(int fd)
{
	uint32_t block = 512;

#ifdef STATX_DIOALIGN
	struct statx sx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &sx) == 0 &&
	    sx.stx_mask & STATX_DIOALIGN && sx.stx_dio_offset_align)
		block = sx.stx_dio_offset_align;
#else
	(void)fd;
#endif
	return block;
}

static uint64_t disk_sequence(int fd)
{
	uint64_t sequence = 0;

#ifdef BLKGETDISKSEQ
	if (ioctl(fd, BLKGETDISKSEQ, &sequence) < 0)
		sequence = 0;
#else
	(void)fd;
#endif
	return sequence;
}

static int measure_block(struct look *l, const struct stat *st, struct error *e)
{
	struct guard_report *r = l->r;
	uint64_t size;
	int block;

	r->kind = GUARD_BLOCK;
	r->rdev = st->st_rdev;
	if (ioctl(l->fd, BLKGETSIZE64, &size) < 0 || ioctl(l->fd, BLKSSZGET, &block) < 0)
		return error_errno(e, errno, "%s: its size can't be read", r->spec);
	if (size == 0)
		return error_set(e, ENOMEDIUM, "%s: has no medium (its size is 0)", r->spec);
	r->size = size;
	r->logical_block = (uint32_t)block;
	r->diskseq = disk_sequence(l->fd);
	if (!sysfs_name(l->host, r->rdev, l->name))
		return error_set(e, ENODEV,
				 "%s: %s does not know device %u:%u: is sysfs mounted there?",
				 r->spec, l->host->sys, major(r->rdev), minor(r->rdev));
	sysfs_disk(l->host, l->name, l->disk);
	return 0;
}

static void measure_file(struct look *l, const struct stat *st)
{
	struct guard_report *r = l->r;

	r->kind = GUARD_FILE;
	r->size = (uint64_t)st->st_size;
	r->logical_block = file_block(l->fd);
	l->files[l->file_count++] = (struct node_id){.dev = st->st_dev, .ino = st->st_ino};
}

/* On the real host by the file system, whatever path leads there. */
static bool is_among_nodes(const struct guard_host *h, const char *path, dev_t dev)
{
	char shm[PATH_MAX];

	if (sight_real(h))
		return path_on_dev(path, dev);
	snprintf(shm, sizeof(shm), "%.4000s/shm", h->dev);
	return is_below(path, h->dev) && !is_below(path, shm);
}

/* Gate 1's findings; the rest of it is refusing to look at all. */
static void gate_identity(struct look *l, const struct stat *st)
{
	struct guard_report *r = l->r;

	if (strcmp(r->spec, r->path) != 0)
		report_add(r, GATE_IDENTITY, GUARD_NOTE, "the name stands for %.180s", r->path);
	if (r->kind == GUARD_BLOCK)
		return;
	if (is_among_nodes(l->host, r->path, st->st_dev))
		report_add(r, GATE_IDENTITY, GUARD_REFUSE,
			   "it is a regular file among the device nodes, as a mistyped name leaves "
			   "behind: remove it, and check the name");
	if (st->st_nlink > 1)
		report_add(r, GATE_IDENTITY, GUARD_NOTE,
			   "the file has %lu names: writing changes what all of them show",
			   (unsigned long)st->st_nlink);
}

/* All gates but the window. */
static int pass_gates(struct look *l, const struct stat *st, bool claim, struct error *e)
{
	int err = topology_build(l);

	if (err)
		return error_set(e, -err, "%s: no memory to look at it", l->r->spec);
	gate_identity(l, st);
	if (l->r->kind == GUARD_BLOCK)
		identity_device(l);
	else
		identity_file(l);
	gate_mounted(l);
	gate_swap(l);
	gate_holders(l);
	gate_stacks(l);
	gate_multipath(l);
	/* After those that can say why. */
	if (claim)
		gate_claim(l);
	gate_signature(l);
	gate_users(l);
	gate_readonly(l);
	return sight_take(e);
}

static int inspect_held(struct look *l, int held, const struct stat *st,
			const struct guard_window *window, const enum writers *known,
			struct error *e)
{
	struct guard_report *r = l->r;
	struct tables tables;
	int err = 0;

	l->fd = open_held(held, O_RDONLY);
	if (l->fd == -ENOMEDIUM || l->fd == -ENXIO)
		return error_set(e, -l->fd, "%s: has no medium or no device behind it", r->spec);
	if (l->fd < 0)
		return error_errno(e, -l->fd, "%s: can't be opened for reading", r->spec);
	r->dev = st->st_dev;
	r->ino = st->st_ino;
	if (S_ISBLK(st->st_mode))
		err = measure_block(l, st, e);
	else
		measure_file(l, st);
	if (r->kind == GUARD_FILE)
		l->writers = known ? *known : writers_of(l->fd);
	if (!err)
		err = window_set(r, window, e);
	if (!err)
		err = tables_read(l->host, TABLES_NAMESPACES | TABLES_ASK_LOOPS | TABLES_PATHS,
				  &tables, e);
	if (!err) {
		l->tables = &tables;
		err = pass_gates(l, st, !known, e);
		look_free(l);
		tables_free(&tables);
	}
	close(l->fd);
	return err;
}

/* known: the target is open for writing by ourselves, so that neither the claim nor the writers can be
 * asked for; NULL at the first look. */
static int inspect(const char *spec, const char *path, const struct guard_host *host,
		   const struct guard_window *window, const enum writers *known,
		   struct guard_report *r, struct error *e)
{
	struct look l = {.host = host, .r = r, .fd = -1};
	struct stat st;
	int held, err;

	memset(r, 0, sizeof(*r));
	if (strlen(spec) >= sizeof(r->spec))
		return error_set(e, ENAMETOOLONG, "the name of the target is longer than %d bytes",
				 PATH_MAX);
	strcpy(r->spec, spec);
	strcpy(r->path, path);
	held = hold(spec, path, &st, e);
	if (held < 0)
		return held;
	err = inspect_held(&l, held, &st, window, known, e);
	close(held);
	return err;
}

int guard_inspect(const char *spec, const struct guard_host *host,
		  const struct guard_window *window, struct guard_report *r, struct error *e)
{
	char path[PATH_MAX];

	if (!*spec)
		return error_set(e, EINVAL, "the name of the target is empty");
	if (!realpath(spec, path))
		return missing(host, spec, errno, e);
	return inspect(spec, path, host, window, NULL, r, e);
}

/* Whether what is held is what r was made of. */
static int check_same(const struct guard_report *r, const struct stat *st, struct error *e)
{
	bool block = S_ISBLK(st->st_mode);

	if (block != (r->kind == GUARD_BLOCK) || (block && st->st_rdev != r->rdev) ||
	    (!block && (st->st_dev != r->dev || st->st_ino != r->ino)))
		return error_set(e, ESTALE,
				 "%s: another %s has taken its place since it was looked at: not "
				 "written",
				 r->spec, block ? "device" : "file");
	return 0;
}

static int check_open(const struct guard_report *r, int fd, struct error *e)
{
	struct stat st;
	uint64_t size;
	int err;

	if (fstat(fd, &st) < 0)
		return error_errno(e, errno, "%s: can't be looked at", r->spec);
	err = check_same(r, &st, e);
	if (err)
		return err;
	size = (uint64_t)st.st_size;
	if (r->kind == GUARD_BLOCK && ioctl(fd, BLKGETSIZE64, &size) < 0)
		return error_errno(e, errno, "%s: its size can't be read", r->spec);
	if (size != r->size)
		return error_set(e, ESTALE,
				 "%s: its size has changed since it was looked at: not "
				 "written",
				 r->spec);
	if (r->kind == GUARD_BLOCK && disk_sequence(fd) != r->diskseq)
		return error_set(e, ESTALE,
				 "%s: other media have taken its place since it was looked "
				 "at: not written",
				 r->spec);
	return 0;
}

bool guard_has_finding(const struct guard_report *r, const struct guard_finding *f)
{
	for (unsigned i = 0; i < r->count; i++)
		if (r->finding[i].gate == f->gate && strcmp(r->finding[i].text, f->text) == 0)
			return true;
	return false;
}

/* Nothing may have come up that the operator has not seen. */
static int look_again(const struct guard_report *r, const struct guard_host *host,
		      enum writers writers, struct error *e)
{
	struct guard_window window = {
		.whole = true, .given = true, .start = r->window_start, .length = r->window_length};
	struct guard_report *now = malloc(sizeof(*now));
	int err;

	if (!now)
		return error_set(e, ENOMEM, "%s: no memory to look at it", r->spec);
	err = inspect(r->spec, r->path, host, &window, &writers, now, e);
	if (!err && strcmp(now->id, r->id) != 0)
		err = error_set(e, ESTALE, "%s: it is '%.200s' now: not written", r->spec, now->id);
	for (unsigned i = 0; !err && i < now->count; i++) {
		const struct guard_finding *f = &now->finding[i];

		if (f->level == GUARD_REFUSE || (f->level == GUARD_WARN && !guard_has_finding(r, f)))
			err = error_set(e, EPERM, "%s: not written, since now %s", r->spec,
					f->text);
	}
	if (!err && now->truncated && !r->truncated)
		err = error_set(e, EPERM,
				"%s: not written: more speaks against it than when it was "
				"looked at",
				r->spec);
	free(now);
	return err;
}

/* The claim on a file: a lock that other programs which mind will see. Where there are no locks,
 * there is no claim to be had. */
static int lock_file(const struct guard_report *r, int fd, struct error *e)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(fd, F_OFD_SETLK, &lock) < 0 && (errno == EAGAIN || errno == EACCES))
		return error_set(e, EBUSY, "%s: is locked by another program: not written",
				 r->spec);
	return 0;
}

/* Asked once more before we are a writer ourselves. */
static int ask_writers(const struct guard_report *r, int held, enum writers *writers,
		       struct error *e)
{
	int fd;

	if (r->kind != GUARD_FILE)
		return 0;
	fd = open_held(held, O_RDONLY);
	if (fd < 0)
		return error_errno(e, -fd, "%s: can't be opened for reading", r->spec);
	*writers = writers_of(fd);
	close(fd);
	if (*writers == WRITERS_SOME)
		return error_set(e, EBUSY, "%s: is open for writing by somebody else: not written",
				 r->spec);
	return 0;
}

static int open_for_writing(const struct guard_report *r, int held, bool buffered, struct error *e)
{
	int flags = O_RDWR | (r->kind == GUARD_BLOCK ? O_EXCL : 0) | (buffered ? 0 : O_DIRECT);
	int fd = open_held(held, flags);

	if (fd == -EBUSY)
		return error_set(e, EBUSY,
				 "%s: is claimed by the kernel or another program: not written",
				 r->spec);
	if (fd == -EINVAL && !buffered)
		return error_set(e, EINVAL,
				 "%s: what it is on does not take direct IO: use --buffered with "
				 "--backend sync",
				 r->spec);
	if (fd == -ETXTBSY)
		return error_set(e, ETXTBSY, "%s: is in use as swap or as a running program",
				 r->spec);
	if (fd < 0)
		return error_errno(e, -fd, "%s: can't be opened for writing", r->spec);
	/* Only the open was not to block. */
	if (fcntl(fd, F_SETFL, buffered ? 0 : O_DIRECT) < 0) {
		int err = errno;

		close(fd);
		return error_errno(e, err, "%s: can't be set up for writing", r->spec);
	}
	return fd;
}

int guard_check_open(const struct guard_report *r, bool consent, struct error *e)
{
	for (unsigned i = 0; i < r->count; i++)
		if (r->finding[i].level == GUARD_REFUSE)
			return error_set(e, EPERM, "%s: not written: %s", r->spec,
					 r->finding[i].text);
	if (!consent)
		return error_set(e, EPERM, "%s: not written: nobody has agreed to it", r->spec);
	if (r->window_length == 0)
		return error_set(e, EPERM, "%s: not written: there is no window to write", r->spec);
	return 0;
}

int guard_open(const struct guard_report *r, const struct guard_host *host, bool consent,
	       bool buffered, struct error *e)
{
	enum writers writers = WRITERS_UNKNOWN;
	struct stat st;
	int held, fd, err = guard_check_open(r, consent, e);

	if (err)
		return err;
	held = hold(r->spec, r->path, &st, e);
	if (held < 0)
		return held;
	err = check_same(r, &st, e);
	if (!err)
		err = ask_writers(r, held, &writers, e);
	fd = err ? err : open_for_writing(r, held, buffered, e);
	close(held);
	if (fd < 0)
		return fd;
	if (r->kind == GUARD_FILE)
		err = lock_file(r, fd, e);
	if (!err)
		err = check_open(r, fd, e);
	if (!err)
		err = look_again(r, host, writers, e);
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}
