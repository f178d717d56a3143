/* target_create.c - making a scratch file: room for all of it first, then real data. */
#include "target_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data.h"
#include "path.h"
#include "units.h"

/* It is reserved, and brought to the disk, in parts of these sizes. */
#define RESERVE_PART (256 * MIB)
#define SYNC_PART    (32 * MIB)

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

int target_create(const char *spec, const struct target_options *o, struct error *e)
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
