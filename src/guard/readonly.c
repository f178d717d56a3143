/* readonly.c - gates 2 and 9: who has the target to himself, and whether it may be written at
 * all. */
#include "guard/gates.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The kernel gives one exclusive claim per disk or partition, and mounts, swap, raid and other
 * careful programs all take it: whatever the tables of the host don't show (another mount
 * namespace, a journal on a device of its own, a ZFS pool) shows here. */
static void claim_block(struct look *l)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", l->fd);
	fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		close(fd);
	else if (errno == EBUSY)
		report_add(
			l->r, GATE_CLAIM, GUARD_REFUSE,
			"it is claimed by the kernel or another program (mounted, swap, raid, or "
			"being written)");
	else
		report_add(l->r, GATE_CLAIM, GUARD_REFUSE, "it can't be claimed: %s",
			   strerror(errno));
}

/* Files have no such claim; programs that mind (virtual machines on an image) lock theirs. */
static void claim_file(struct look *l)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(l->fd, F_OFD_GETLK, &lock) < 0) {
		/* A file system without locks has no claims either. */
		if (errno != EINVAL && errno != EOPNOTSUPP && errno != ENOSYS && errno != ENOLCK)
			report_add(l->r, GATE_CLAIM, GUARD_REFUSE,
				   "can't see whether it is locked: %s", strerror(errno));
		return;
	}
	if (lock.l_type == F_UNLCK)
		return;
	if (lock.l_pid > 0)
		report_add(l->r, GATE_CLAIM, GUARD_REFUSE, "it is locked by process %d",
			   (int)lock.l_pid);
	else
		report_add(l->r, GATE_CLAIM, GUARD_REFUSE, "it is locked by another program");
}

/* A read lease is given only on a file that nobody has open for writing (fcntl(2)). It is given
 * back at once; who opens the file meanwhile waits that long, and the signal that tells of him is
 * one that does nothing. */
enum writers writers_of(int fd)
{
	if (fcntl(fd, F_SETSIG, SIGURG) < 0)
		return WRITERS_UNKNOWN;
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		return errno == EAGAIN ? WRITERS_SOME : WRITERS_UNKNOWN;
	fcntl(fd, F_SETLEASE, F_UNLCK);
	return WRITERS_NONE;
}

void gate_claim(struct look *l)
{
	if (l->r->kind == GUARD_BLOCK)
		claim_block(l);
	else
		claim_file(l);
}

static void readonly_block(struct look *l)
{
	char flag[8];
	int ro = 0;

	if (l->fd >= 0 && ioctl(l->fd, BLKROGET, &ro) < 0)
		report_add(l->r, GATE_READONLY, GUARD_REFUSE,
			   "can't see whether it is read-only: %s", strerror(errno));
	else if (ro || (sysfs_read(l->host, flag, sizeof(flag), "class/block/%s/ro", l->name) &&
			strcmp(flag, "0") != 0))
		report_add(l->r, GATE_READONLY, GUARD_REFUSE, "it is set read-only");
	else if (strcmp(l->name, l->disk) != 0 &&
		 sysfs_read(l->host, flag, sizeof(flag), "class/block/%s/ro", l->disk) &&
		 strcmp(flag, "0") != 0)
		report_add(l->r, GATE_READONLY, GUARD_REFUSE, "its disk /dev/%s is set read-only",
			   l->disk);
}

static void readonly_file(struct look *l)
{
	struct statvfs fs;
	int flags = 0; /* the kernel writes an int, whatever the number of the ioctl says */

	if (fstatvfs(l->fd, &fs) < 0)
		report_add(l->r, GATE_READONLY, GUARD_REFUSE,
			   "can't see whether its file system is mounted read-only: %s",
			   strerror(errno));

	else if (fs.f_flag & ST_RDONLY)
		report_add(l->r, GATE_READONLY, GUARD_REFUSE,
			   "it is on a file system that is mounted read-only");
	if (ioctl(l->fd, FS_IOC_GETFLAGS, &flags) == 0 && flags & (FS_IMMUTABLE_FL | FS_APPEND_FL))
		report_add(l->r, GATE_READONLY, GUARD_REFUSE,
			   "it is marked %s: chattr -%c takes that away",
			   flags & FS_IMMUTABLE_FL ? "immutable" : "append-only",
			   flags & FS_IMMUTABLE_FL ? 'i' : 'a');
}

void gate_readonly(struct look *l)
{
	char path[64];

	if (l->r->kind == GUARD_BLOCK)
		readonly_block(l);
	else
		readonly_file(l);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", l->fd);
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0 && errno == EACCES)
		report_add(l->r, GATE_READONLY, GUARD_REFUSE,
			   "this user may not write to it: ask its owner, or be root");
}
