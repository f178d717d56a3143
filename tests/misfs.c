/* misfs.c - see misfs.h. The protocol is that of linux/fuse.h. */
#include "tests/misfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include "tests/scratch.h"

#define NAME      "file"
#define FILE_NODE 2
#define WRITE_MAX (1u << 20)
#define IOS_MAX   (1u << 20)

static struct misfs_order order;
static char mounted[PATH_MAX / 2], path[PATH_MAX];
static int fuse_fd = -1;
static pthread_t thread;
static uint8_t request[WRITE_MAX + 4096], zeros[WRITE_MAX];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct misfs_io *ios;
static size_t count;
static atomic_bool silent;

int private_mounts(void **state)
{
	(void)state;
	if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0)
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return 0;
}

/* --- Answers. --- */

static void reply(const struct fuse_in_header *in, int err, const void *data, size_t n)
{
	struct fuse_out_header out = {
		.len = (uint32_t)(sizeof(out) + n), .error = err, .unique = in->unique};
	struct iovec v[2] = {{&out, sizeof(out)}, {(void *)(uintptr_t)data, n}};

	/* ENOENT: who asked has gone. */
	if (writev(fuse_fd, v, n ? 2 : 1) < 0 && errno != ENOENT && errno != ENODEV)
		fprintf(stderr, "misfs: %s\n", strerror(errno));
}

static void reply_init(const struct fuse_in_header *in, const struct fuse_init_in *init)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = init->minor < FUSE_KERNEL_MINOR_VERSION ? init->minor
								 : FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = init->max_readahead,
		.flags = init->flags &
			 (FUSE_ASYNC_READ | FUSE_BIG_WRITES | FUSE_ASYNC_DIO | FUSE_MAX_PAGES),
		.max_background = 256,
		.congestion_threshold = 200,
		.max_write = WRITE_MAX,
		.time_gran = 1,
		.max_pages = WRITE_MAX / 4096,
	};

	reply(in, 0, &out, sizeof(out));
}

static struct fuse_attr attributes(uint64_t node)
{
	bool file = node == FILE_NODE;

	return (struct fuse_attr){
		.ino = node,
		.size = file ? order.size : 0,
		.blocks = file ? order.size / 512 : 0,
		.mode = file ? S_IFREG | 0600 : S_IFDIR | 0700,
		.nlink = file ? 1 : 2,
		.blksize = 4096,
	};
}

static void reply_attributes(const struct fuse_in_header *in)
{
	struct fuse_attr_out out = {.attr = attributes(in->nodeid)};

	reply(in, 0, &out, sizeof(out));
}

static void reply_statfs(const struct fuse_in_header *in)
{
	struct fuse_statfs_out out = {
		.st = {.blocks = 1u << 20, .bfree = 1u << 20, .bavail = 1u << 20, .bsize = 4096}};

	reply(in, 0, &out, sizeof(out));
}

static struct fuse_entry_out entry(void)
{
	return (struct fuse_entry_out){.nodeid = FILE_NODE, .attr = attributes(FILE_NODE)};
}

static void reply_lookup(const struct fuse_in_header *in, const char *name)
{
	struct fuse_entry_out out = entry();

	if (strcmp(name, NAME) == 0 && order.size)
		reply(in, 0, &out, sizeof(out));
	else
		reply(in, -ENOENT, NULL, 0);
}

static const struct fuse_open_out opened = {.open_flags = FOPEN_DIRECT_IO};

static void reply_create(const struct fuse_in_header *in)
{
	struct {
		struct fuse_entry_out entry;
		struct fuse_open_out open;
	} out = {entry(), opened};

	reply(in, 0, &out, sizeof(out));
}

/* --- IO. --- */

/* How much of an IO is to be transferred, or a negative errno; writes down those with O_DIRECT. */
static int64_t transfer(bool write, uint64_t offset, uint32_t size, uint32_t flags)
{
	if (!(flags & O_DIRECT))
		return size;
	pthread_mutex_lock(&lock);
	if (count < IOS_MAX)
		ios[count++] = (struct misfs_io){write, size, offset};
	pthread_mutex_unlock(&lock);
	if (order.block == MISFS_REFUSE ||
	    (order.block && (offset % order.block || size % order.block)))
		return -EINVAL;
	return order.portion && order.portion < size ? order.portion : size;
}

static void reply_read(const struct fuse_in_header *in, const struct fuse_read_in *r)
{
	uint64_t end = order.end ? order.end : order.size;
	int64_t n = transfer(false, r->offset, r->size, r->flags);

	if (n < 0) {
		reply(in, (int)n, NULL, 0);
		return;
	}
	uint64_t there = r->offset < end ? end - r->offset : 0;
	reply(in, 0, zeros, (uint64_t)n < there ? (size_t)n : there);
}

static void reply_write(const struct fuse_in_header *in, const struct fuse_write_in *w)
{
	int64_t n = transfer(true, w->offset, w->size, w->flags);
	struct fuse_write_out out = {.size = n < 0 ? 0 : (uint32_t)n};

	if (n >= 0 && w->offset + out.size > order.size)
		order.size = w->offset + out.size;
	reply(in, n < 0 ? (int)n : 0, n < 0 ? NULL : &out, n < 0 ? 0 : sizeof(out));
}

static void answer(const struct fuse_in_header *in)
{
	const void *body = in + 1;

	switch (in->opcode) {
	case FUSE_INIT: reply_init(in, body); break;
	case FUSE_LOOKUP: reply_lookup(in, body); break;
	case FUSE_GETATTR:
	case FUSE_SETATTR: reply_attributes(in); break;
	case FUSE_STATFS: reply_statfs(in); break;
	case FUSE_CREATE: reply_create(in); break;
	case FUSE_OPEN: reply(in, 0, &opened, sizeof(opened)); break;
	case FUSE_READ:
		if (!silent)
			reply_read(in, body);
		break;
	case FUSE_WRITE:
		if (!silent)
			reply_write(in, body);
		break;
	case FUSE_UNLINK:
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_RELEASE: reply(in, 0, NULL, 0); break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT: break;
	default: reply(in, -ENOSYS, NULL, 0);
	}
}

static void *serve(void *arg)
{
	ssize_t n;

	(void)arg;
	/* ENODEV: unmounted. */
	while ((n = read(fuse_fd, request, sizeof(request))) >= 0 || errno == EINTR ||
	       errno == ENOENT)
		if (n >= (ssize_t)sizeof(struct fuse_in_header))
			answer((const struct fuse_in_header *)request);
	return NULL;
}

/* --- Life. --- */

const char *misfs_missing(void)
{
	if (geteuid() != 0)
		return "needs root to mount a file system of its own";
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return "needs /dev/fuse";
	close(fd);
	return NULL;
}

static int mount_it(void)
{
	char options[128];

	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse_fd);
	return mount("misfs", mounted, "fuse.misfs", MS_NOSUID | MS_NODEV, options) ? -errno : 0;
}

int misfs_mount(const struct misfs_order *o)
{
	order = *o;
	count = 0;
	silent = false;
	if (!ios)
		ios = malloc(IOS_MAX * sizeof(*ios));
	snprintf(mounted, sizeof(mounted), "%s", scratch_path("misfs"));
	snprintf(path, sizeof(path), "%s/%s", mounted, NAME);
	fuse_fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	int rc = ios ? fuse_fd < 0 ? -errno : 0 : -ENOMEM;
	if (rc == 0 && mkdir(mounted, 0700) && errno != EEXIST)
		rc = -errno;
	if (rc == 0)
		rc = mount_it();
	if (rc == 0 && (rc = -pthread_create(&thread, NULL, serve, NULL)))
		umount2(mounted, MNT_DETACH);
	if (rc && fuse_fd >= 0)
		close(fuse_fd);
	if (rc)
		fuse_fd = -1;
	return rc;
}

const char *misfs_file(void)
{
	return path;
}

size_t misfs_ios(struct misfs_io *out, size_t max)
{
	pthread_mutex_lock(&lock);
	size_t n = count < max ? count : max;
	memcpy(out, ios, n * sizeof(*out));
	pthread_mutex_unlock(&lock);
	return n;
}

void misfs_silence(void)
{
	silent = true;
}

void misfs_unmount(void)
{
	if (fuse_fd < 0)
		return;
	umount2(mounted, MNT_FORCE);
	umount2(mounted, MNT_DETACH);
	pthread_join(thread, NULL);
	close(fuse_fd);
	fuse_fd = -1;
}
